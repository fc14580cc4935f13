package compiler

import (
	"fmt"
	"regexp"
	"strings"
)

// Copies: a whole block whose threads do nothing but copy rows, as where a tile is loaded, is a call for each
// array that is filled. What such a loop waits for is memory, so it counts how many loads are under way at once: the
// processor looks some hundreds of instructions ahead, and of the loop that Go makes eleven are for one load. A transpose in
// tiles of 32 by 32 does a fifth more so.

// loaded matches a vector that is loaded into a variable, storedOne one that is storedOne.
var (
	loaded    = regexp.MustCompile(`^(\w+) :?= vec\.Load(\w+)\((\w+), (\w+)\+tx\)$`)
	storedOne = regexp.MustCompile(`^vec\.Store(\w+)\((\w+), (\w+)\+tx, (?:(\w+)|vec\.Load(\w+)\((\w+), (\w+)\+tx\))\)$`)
)

// A rowCopy goes from one slice to another; start and from are the indices of its first elements.
type rowCopy struct{ dst, start, src, from string }

// copies prints the loops over a plane of which body is the text for a vector, if all that does is copy.
func (pl *plane) copies(b *body, body string) (text string, ok bool) {
	if !pl.rows || pl.st.parts != 1 {
		return "", false
	}
	whole := func(kind string) bool { // vectors of the largest size, of 32 or 64 bits
		bits, lanes, _ := strings.Cut(kind[1:], "x")
		return bits == "32" && lanes == fmt.Sprint(b.width/4) || bits == "64" && lanes == fmt.Sprint(b.width/8)
	}
	from := map[string][2]string{} // the slice and the index that a variable was loaded from
	var list []rowCopy
	for line := range strings.Lines(codeOf(body)) {
		line = strings.TrimSpace(line)
		if m := loaded.FindStringSubmatch(line); m != nil && whole(m[2]) {
			from[m[1]] = [2]string{m[3], m[4]}
			continue
		}
		if m := storedOne.FindStringSubmatch(line); m != nil && whole(m[1]) {
			src := [2]string{m[6], m[7]}
			if m[4] != "" {
				src = from[m[4]]
			}
			if src[0] == "" {
				return "", false
			}
			list = append(list, rowCopy{m[2], m[3], src[0], src[1]})
			continue
		}
		if line != "" && !strings.HasPrefix(line, "var ") {
			return "", false
		}
	}
	starts := map[string]string{}
	for _, s := range pl.starts {
		name, expr, _ := strings.Cut(strings.TrimSpace(s), " := ")
		starts[name] = expr
	}
	pl.fills = b.intoShared(list)
	if len(list) == 0 || len(list) > 1 && !pl.fills {
		return "", false
	}
	for _, c := range list {
		first, second := starts[c.start], starts[c.from]
		if first == "" || second == "" {
			return "", false
		}
		verb, by, now := "CopyRows", "", rowsAt(second, "0", "0")
		if pl.round != nil {
			i, step := b.expr(&VarRef{pl.round}), b.roundStep
			if next := replaceWord(now, i, "("+i+"+"+step+")"); next != now {
				verb, by = "CopyRowsOnce", next+"-("+now+"), "
			}
		}
		text += fmt.Sprintf("vec.%s(%s, %s, %s, %s, %s, %s, %sdimY, dimX)\n",
			verb, c.dst, rowsAt(first, "0", "0"), rowsAt(first, "1", "0"), c.src, now, rowsAt(second, "1", "0"), by)
	}
	return text, true
}

// intoShared reports whether all copies go from global to shared memory, so that none reads what another one writes.
func (b *body) intoShared(list []rowCopy) bool {
	renamed := map[*Var]bool{} // what stands for something else at times
	walk(b.k.Body, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			for _, l := range a.L {
				if r, ok := l.(*VarRef); ok {
					renamed[r.V] = true
				}
			}
		}
	})
	dst, src := map[string]bool{}, map[string]bool{}
	for _, v := range b.k.Vars {
		dst[b.name(v)] = b.k.allocated()[v] && !renamed[v]
		src[b.name(v)] = v.Param && !renamed[v]
	}
	for _, c := range list {
		if !dst[c.dst] || !src[c.src] {
			return false
		}
	}
	return true
}
