package compiler

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Outlining: the loop over the threads of a row becomes a func that is not inlined. Go 1.26 assigns
// registers for a whole func, without regard to which loop needs them most. In the body of a kernel
// of three phases the counter of the innermost loop was stored and reloaded in each iteration, and
// a histogram took twice the time.
//
// Values that all threads of the row share, such as `blockX*dimX`, are computed by the caller,
// which saves registers in the loop. Short rows execute four or eight threads per iteration
// (`unrolled`), on slices that get shorter and need no bounds checks. Rows that only copy are one
// `copy` per statement: between two barriers all threads may execute the first statement before any
// executes the second.
//
// Where threads execute the same iterations, two to eight are jammed (`jam.go`), since eight
// independent sums have no latency problem. The elements of the other threads are at a constant
// distance from those of the first (`rt.AtNext`), which becomes part of the instruction. Elements
// that all of them read are loaded into a variable first (`loadCommon`). Go's compiler computes
// loop-carried values last, so eight products are live before the first of eight sums: more than
// there are registers, and a spilled sum adds latency in each iteration. A bounds check after four
// sums ends the basic block, which avoids that. Threads with more than five variables, of which an
// innermost loop changes only four, are jammed in pairs (`carriedVars`).

// declaration matches the declarations in a line, by the names that they declare.
var declaration = regexp.MustCompile(`(?m)^\s*(?:(?:(?:for|if|switch)\s+)?((?:\w+, )*\w+) :=|var (\w+) )`)

// rowCommons are products that are the same for all threads of a row, with their names in an
// outlined func.
var rowCommons = []struct {
	expr     *regexp.Regexp
	of, name string
}{
	{regexp.MustCompile(`(^|[^.\w])row ?\* ?dimX\b`), "row", "ranks"},
	{regexp.MustCompile(`(^|[^.\w])blockX ?\* ?dimX\b`), "blockX", "atX"},
}

// outline makes a func of text and returns a call of it. order lists the slices and similar values
// that text uses, with their types in typeOf. arrays are a thread's own array variables whose
// elements text uses; they are passed as pointers. results are outer variables that text changes;
// their types are in typeOf as well. If text returns a value itself, result is its type.
func (b *body) outline(text, what string, order []string, typeOf map[string]string, arrays []*Var, results []string, result string) string {
	inside := map[string]bool{}
	for _, m := range declaration.FindAllStringSubmatch(codeOf(text), -1) {
		for _, n := range strings.Split(m[1]+m[2], ", ") {
			inside[n] = true
		}
	}
	// Products that are the same for the row are computed before the call, which saves registers in
	// the loop.
	var heads []string
	for _, common := range rowCommons {
		if replaced := common.expr.ReplaceAllString(text, "${1}"+common.name); !inside[common.of] && replaced != text {
			text = replaced
			heads = append(heads, common.name, common.of+"*dimX")
		}
	}
	for _, n := range results {
		delete(inside, n)
	}
	var params, args []string
	seen := map[string]bool{}
	add := func(name, typ string) {
		if !seen[name] && !inside[name] && containsWord(text, name) {
			seen[name] = true
			params, args = append(params, name+" "+typ), append(args, name)
		}
	}
	add("p", "*"+b.rt()+".Phases")
	for _, n := range order {
		add(n, typeOf[n])
	}
	for _, n := range []string{"lo", "hi", "many", "row", "rows", "tx", "ty", "tz", "dimX", "dimY", "dimZ", "blockX", "blockY", "blockZ",
		"gridX", "gridY", "gridZ", "originX", "originY", "sizeX", "sizeY"} {
		if containsWord(text, n) && !inside[n] && n != "lo" && n != "hi" && n != "many" {
			b.usedInRow(n)
		}
		add(n, "int")
	}
	for i := 0; i < len(heads); i += 2 {
		if !seen[heads[i]] {
			seen[heads[i]] = true
			params, args = append(params, heads[i]+" int"), append(args, heads[i+1])
			for _, n := range strings.Split(heads[i+1], "*") {
				b.usedInRow(n)
			}
		}
	}
	for _, v := range b.k.Vars {
		if b.array[v] != "" {
			add(b.array[v], "[]"+b.typ(b.keptAs(v)))
		}
		if slices.Contains(arrays, v) {
			before := len(args)
			add(v.Name, "*"+b.typ(v.Type))
			if len(args) > before {
				args[before] = "&" + v.Name
				text = fmt.Sprintf("_ = *%s\n", v.Name) + text // otherwise loops would contain a nil check
			}
			continue
		}
		add(v.Name, b.typ(v.Type))
	}
	to := ""
	if result != "" {
		result = " " + result
	}
	if len(results) > 0 {
		var kinds []string
		for _, n := range results {
			kinds = append(kinds, typeOf[n])
		}
		names := strings.Join(results, ", ")
		text += "return " + names + "\n"
		result, to = " ("+strings.Join(kinds, ", ")+")", names+" = "
	}
	b.rows++
	name := fmt.Sprintf("%sRow%d", b.fn, b.rows)
	for b.root.declares(name) {
		b.rows++
		name = fmt.Sprintf("%sRow%d", b.fn, b.rows)
	}
	decl, targs := b.typeParams(b.k)
	b.outlined = append(b.outlined, fmt.Sprintf("// %s is a part of %s: %s.\n//\n//go:noinline\nfunc %s%s(%s)%s {\n%s}\n\n",
		name, b.fn, what, name, decl, strings.Join(params, ", "), result, text))
	return fmt.Sprintf("%s%s%s(%s)\n", to, name, targs, strings.Join(args, ", "))
}

// usedInRow records the use of a name that is declared only if it is used.
func (b *body) usedInRow(name string) {
	switch name {
	case "row", "tx", "ty", "tz":
	default:
		b.use(name)
	}
}

// needed returns the outlined funcs that text calls, directly or indirectly. The callers of the
// others have been discarded.
func (b *body) needed(text string) []string {
	list := b.outlined
	for {
		all := text + strings.Join(list, "")
		called := slices.DeleteFunc(slices.Clone(list), func(f string) bool {
			name := strings.Fields(f)[1]
			return len(regexp.MustCompile(`\b`+name+`\b`).FindAllStringIndex(all, 3)) <= 2 // its comment and its declaration
		})
		if len(called) == len(list) {
			return list
		}
		list = called
	}
}
