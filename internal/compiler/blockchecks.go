package compiler

import (
	"regexp"
	"slices"
	"strings"
)

// Checks that are the same for all blocks. A nest whose short checks fail, say because the threads at
// the edge of a tile have other elements, has long ones. Where they depend on the launch alone, they
// are computed for the first block of a worker's share, and known for the others (loop-invariant
// code motion, out of the loop over blocks).

// words are the identifiers of an expression, with the package of qualified ones.
var words = regexp.MustCompile(`[A-Za-z_][\w.]*`)

// sameForBlocks reports whether texts, which may use locals (each a name and a value), have the same
// values for all blocks of a launch.
func (b *body) sameForBlocks(locals []string, texts ...string) bool {
	if b.constants == nil {
		b.constants = map[string]bool{"int": true, "len": true, "min": true, "max": true, "true": true, "false": true}
		for _, axis := range []string{"X", "Y", "Z"} {
			b.constants["grid"+axis], b.constants["size"+axis] = true, true
			b.constants["dim"+axis] = !(b.k.wide && axis == "X" || b.k.tall && axis == "Y")
		}
		for _, f := range []string{"Trim", "Small", "Inside", "After", "Before", "Between", "Bit", "FloorDiv"} {
			b.constants[b.rt()+"."+f] = true
		}
		assigned := assignedIn(&Block{Body: b.k.Body})
		for _, v := range b.k.Params {
			b.constants[v.Name] = !assigned[v]
		}
		for _, a := range b.k.keptAllocs() {
			b.constants[a.s.Dst.Name] = true
		}
		for _, name := range b.array {
			b.constants[name] = true
		}
	}
	for _, s := range b.started {
		b.constants[s.v.Name] = true
	}
	own := map[string]bool{}
	for i := 0; i+1 < len(locals); i += 2 {
		for name := range strings.SplitSeq(locals[i], ", ") {
			own[name] = true
		}
		texts = append(texts, locals[i+1])
	}
	return !slices.ContainsFunc(texts, func(text string) bool {
		return slices.ContainsFunc(words.FindAllString(text, -1), func(w string) bool { return !b.constants[w] && !own[w] })
	})
}

// memo returns the names of two variables that are declared before the loop over blocks: whether a
// check is known, and its result.
func (b *body) memo() (known, fits string) {
	known, fits = uniqueName(b.names, "known"), uniqueName(b.names, "fits")
	b.memos = append(b.memos, known, fits)
	return known, fits
}

// placed returns locals with their values as they are printed.
func placed(locals []string, place func(string) string) []string {
	all := slices.Clone(locals)
	for i := 1; i < len(all); i += 2 {
		all[i] = place(all[i])
	}
	return all
}
