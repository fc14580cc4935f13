package compiler

import (
	"fmt"
	"regexp"
	"strings"
)

// Outlining: the loop over the threads of a row in which most time is spent becomes a func of its own. Go 1.26
// keeps variables in registers for the whole of a func, without asking which loop needs them most: in the
// body of a kernel of three phases the counter of the innermost loop was stored and loaded again in each
// round, and a histogram took twice the time.

// declaration matches the names that a line declares.
var declaration = regexp.MustCompile(`(?m)^\s*(?:(?:(?:for|if|switch)\s+)?((?:\w+, )*\w+) :=|var (\w+) )`)

// outline makes a func of text and returns a call of it. The names in types are those of slices and the like
// that text uses, in order.
func (b *body) outline(text string, order []string, types map[string]string) string {
	inside := map[string]bool{}
	for _, m := range declaration.FindAllStringSubmatch(codeOf(text), -1) {
		for _, n := range strings.Split(m[1]+m[2], ", ") {
			inside[n] = true
		}
	}
	var params, args []string
	seen := map[string]bool{}
	add := func(name, typ string) {
		if !seen[name] && !inside[name] && containsWord(text, name) {
			seen[name] = true
			params, args = append(params, name+" "+typ), append(args, name)
		}
	}
	add("p", "*"+b.core()+".Phases")
	for _, n := range order {
		add(n, types[n])
	}
	for _, n := range []string{"lo", "many", "row", "rows", "tx", "ty", "tz", "dimX", "dimY", "dimZ", "blockX", "blockY", "blockZ",
		"gridX", "gridY", "gridZ", "originX", "sizeX"} {
		if containsWord(text, n) && !inside[n] && n != "lo" && n != "many" {
			b.usedInRow(n)
		}
		add(n, "int")
	}
	for _, v := range b.k.Vars {
		if b.array[v] != "" {
			add(b.array[v], "[]"+b.typ(v.Type))
		}
		add(v.Name, b.typ(v.Type))
	}
	b.rows++
	name := fmt.Sprintf("%sRow%d", b.fn, b.rows)
	decl, targs := b.typeParams(b.k)
	if b.width > 0 {
		decl, targs = "", ""
	}
	b.outlined = append(b.outlined, fmt.Sprintf("// %s is a part of %s: threads of a row.\n//\n//go:noinline\nfunc %s%s(%s) {\n%s}\n\n",
		name, b.fn, name, decl, strings.Join(params, ", "), text))
	return fmt.Sprintf("%s%s(%s)\n", name, targs, strings.Join(args, ", "))
}

// usedInRow notes the use of one of the names that are printed only where they are used.
func (b *body) usedInRow(name string) {
	switch name {
	case "row", "tx", "ty", "tz":
	default:
		b.use(name)
	}
}
