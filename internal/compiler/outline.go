package compiler

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Outlining: the loop over the threads of a row in which most time is spent becomes a func of its own. Go 1.26
// keeps variables in registers for the whole of a func, without asking which loop needs them most: in the
// body of a kernel of three phases the counter of the innermost loop was stored and loaded again in each
// round, and a histogram took twice the time.
//
// Rows are funcs of their own (`outline.go`), not inlined: Go keeps variables in registers for a whole func, and in the body of a kernel
// the counter of the innermost loop was in memory. What all threads of the row have in common, such as `blockX*dimX`, is computed by the
// caller: each value less is a register for the loop. Short rows take four or eight threads a round (`unrolled`), on slices that get
// shorter, which need no bounds checks. Rows that only copy are one `copy` for each statement: between two barriers all threads may do the
// first before any does the second. Where threads go through a loop together, two to eight do so at a time (`jam.go`): a sum waits for
// itself, eight sums don't. Neighbours of the first one are at a constant distance from it (`rt.AtNext`), which is part of the
// instruction. What all of them read alike is read into a variable first (`loadCommon`). Go computes what a round leaves for the next one
// last, so eight products are there before the first of eight sums. That is more than there are registers, and a sum in memory waits for
// it in each round. A check of bounds after four sums ends the block, and with it that. Threads that have more variables than five, but
// only four that an innermost loop changes, go two at a time (`carriedVars`).

// declaration matches the names that a line declares.
var declaration = regexp.MustCompile(`(?m)^\s*(?:(?:(?:for|if|switch)\s+)?((?:\w+, )*\w+) :=|var (\w+) )`)

// rowCommons are the products that all threads of a row have in common, and their names in a func of the row.
var rowCommons = []struct {
	expr     *regexp.Regexp
	of, name string
}{
	{regexp.MustCompile(`(^|[^.\w])row ?\* ?dimX\b`), "row", "ranks"},
	{regexp.MustCompile(`(^|[^.\w])blockX ?\* ?dimX\b`), "blockX", "atX"},
}

// outline makes a func of text and returns a call of it. The names in types are those of slices and the like
// that text uses, in order. Of the variables from outside, arrays are private ones that text takes by their
// elements, which are given as pointers; results are others that it changes, which are in typeOf as well. If text
// returns something itself, result is the type of that.
func (b *body) outline(text, what string, order []string, typeOf map[string]string, arrays []*Var, results []string, result string) string {
	inside := map[string]bool{}
	for _, m := range declaration.FindAllStringSubmatch(codeOf(text), -1) {
		for _, n := range strings.Split(m[1]+m[2], ", ") {
			inside[n] = true
		}
	}
	// What the row has in common is computed before the call: each value less is a register for the loop.
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
			add(b.array[v], "[]"+b.typ(v.Type))
		}
		if slices.Contains(arrays, v) {
			before := len(args)
			add(v.Name, "*"+b.typ(v.Type))
			if len(args) > before {
				args[before] = "&" + v.Name
				text = fmt.Sprintf("_ = *%s\n", v.Name) + text // or loops ask in each round whether it is nil
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

// usedInRow notes the use of one of the names that are printed only where they are used.
func (b *body) usedInRow(name string) {
	switch name {
	case "row", "tx", "ty", "tz":
	default:
		b.use(name)
	}
}

// needed returns the outlined funcs that text calls, or that these call: what called the others has been taken back.
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
