package compiler

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Pointers: a loop over vectors that lie at places which grow by the same amount in each round reads them through
// pointers that it moves along. Go 1.26 gives a vector load no index and no sum of registers: for x[i+16] it makes the
// address with two instructions, but a constant behind a pointer is part of the load. A round of 16 vectors
// that are added up has 28 instructions so, and had 94.

// access matches a load or a store of a vector, up to the end of its index, indexDef the definition of an index, and
// assigning what is assigned, with the operator.
var (
	access   = regexp.MustCompile(`vec\.(Load|Store)([FIU])(\d+)x(\d+)\((\w+), ([\w +*-]+)([,)])`)
	indexDef = regexp.MustCompile(`(?m)^\s*(\w+) := ([\w +*()-]+)$\n?`)

	assigning = regexp.MustCompile(`(?m)^\s*(?:if |switch |var )?(\w+(?:, \w+)*)(?: [\w.]+)? ?(:=|[-+*/|&^%<>]*=(?:[^=]|$)|\+\+|--|$)`)
)

// mostPointers is how many a loop may have: others would be spilled.
const mostPointers = 8

// A place is an index as a sum: by*counter + rest + plus.
type place struct {
	by   string // what it grows by when the counter grows by 1; "" if it does not
	rest []string
	plus int64
}

// pointers returns body, the text of a loop in which counter grows by step, with pointers in place of slices and
// indices. decls is for before the loop.
func (b *body) pointers(body, counter string, step int) (decls, text string) {
	if loopIn(body) {
		return "", body
	}
	defs := map[string]string{}
	for _, m := range indexDef.FindAllStringSubmatch(body, -1) {
		if defs[m[1]] != "" {
			return "", body // in two scopes
		}
		defs[m[1]] = m[2]
	}
	changed := map[string]bool{}
	for _, m := range assigning.FindAllStringSubmatch(body, -1) {
		for _, n := range strings.Split(m[1], ", ") {
			if m[2] != ":=" {
				delete(defs, n) // it is not what it was defined as
			}
			changed[n] = defs[n] == ""
		}
	}
	if changed[counter] {
		return "", body
	}
	// at returns where an access is, and the name of the pointer that leads there, if there may be one.
	at := func(s string) (m []string, p place, key string) {
		m = access.FindStringSubmatch(s)
		e, err := parser.ParseExpr(m[6])
		if err != nil || changed[m[5]] || defs[m[5]] != "" {
			return m, p, ""
		}
		p, ok := placeOf(e, counter, defs, changed)
		if !ok || p.by == "" {
			return m, p, ""
		}
		slices.Sort(p.rest)
		return m, p, strings.Join([]string{m[5], p.by, strings.Join(p.rest, " + "), m[4]}, "|")
	}
	// Where the garbage collector may see them, pointers are those to what each round reads or writes: another one may lead out of its slice.
	stops := mayStop(body)
	reached := map[string]bool{}
	if stops && !leaving.MatchString(body) {
		for _, i := range access.FindAllStringIndex(body, -1) {
			before := body[:i[0]]
			if _, p, key := at(body[i[0]:i[1]]); p.plus == 0 && strings.Count(before, "{") == strings.Count(before, "}") {
				reached[key] = true
			}
		}
	}
	names := map[string]string{}
	bumps := ""
	good := true
	text = access.ReplaceAllStringFunc(body, func(s string) string {
		m, p, key := at(s)
		if key == "" || stops && !reached[key] {
			return s
		}
		slice, end := m[5], m[7]
		bits, _ := strconv.Atoi(m[3])
		kind := map[string]string{"F": "float", "I": "int", "U": "uint"}[m[2]] + m[3]
		rest := strings.Join(p.rest, " + ")
		if names[key] == "" {
			if len(names) == mostPointers {
				good = false
				return s
			}
			name := uniqueName(b.names, "at")
			names[key] = name
			at := counter
			if p.by != "1" {
				at += "*" + p.by
			}
			if rest != "" {
				at += " + " + rest
			}
			by := product(p.by, strconv.Itoa(step))
			decls += fmt.Sprintf("%s := vec.Place[[%s]%s](%s, %s)\n", name, m[4], kind, slice, at)
			bumps += fmt.Sprintf("%s = vec.Step(%s, %s)\n", name, name, product(by, strconv.Itoa(bits/8)))
		}
		at := names[key]
		if p.plus != 0 {
			at = fmt.Sprintf("vec.Step(%s, %d)", at, p.plus*int64(bits/8))
		}
		return fmt.Sprintf("vec.%sPtr%s%sx%s(%s%s", m[1], m[2], m[3], m[4], at, end)
	})
	if !good || len(names) == 0 {
		return "", body
	}
	// Indices that nothing uses any more.
	for again := true; again; {
		again = false
		for n := range defs {
			def := regexp.MustCompile(`(?m)^\s*` + n + ` := [\w +*()-]+$\n`)
			if at := def.FindStringIndex(text); at != nil && !containsWord(text[:at[0]]+text[at[1]:], n) {
				text = text[:at[0]] + text[at[1]:]
				again = true
			}
		}
	}
	return decls, text + bumps
}

// leaving matches what may end a round early.
var leaving = regexp.MustCompile(`\b(break|continue|goto|return)\b`)

// called matches a call: of a func of package vec, with its name and the kind of its vectors, or of something else.
var called = regexp.MustCompile(`\bvec\.([A-Z]\w*?)(?:([FIUM])\d+x\d+\w*)?(?:\[[^\]]*\])?\(|(\.?\b\w+)\(`)

var (
	// stopping are the funcs of package vec that look whether the stack is large enough, or call others that do: Go may stop a
	// goroutine there, and shows the garbage collector what the variables of their caller are. TestStopping asks the compiler, of
	// Go 1.26 and 1.27.
	stopping = wordSet("AddProducts AddProductsFused Columns CopyRows CopyRowsOnce Cos Erf Erfc ErfcBoth Exp GatherStep " +
		"Int64s Log Log2 Pow Products ProductsFused ReduceAnd ReduceOr ReduceXor Scatter Scatter64 ScatterStep ScatterStride Sin SinCos Tanh TileOf Uint64s")
	stoppingIntegers = wordSet("Div Rem")
	// What else is called in loops over vectors and is no call in the machine's code.
	operators = wordSet(".Add .Sub .Mul .MulAdd bool float32 float64 int int8 int16 int32 int64 len max min uint uint8 uint16 uint32 uint64 uintptr if switch")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// mayStop reports whether Go may stop a goroutine in what is called in text.
func mayStop(text string) bool {
	for _, m := range called.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] == "" && !operators[m[3]], stopping[m[1]], stoppingIntegers[m[1]] && m[2] != "F":
			return true
		}
	}
	return false
}

// loopIn reports whether there is a loop in text.
func loopIn(text string) bool { return regexp.MustCompile(`(?m)^\s*for\b`).MatchString(text) }

// stepOf returns what i grows by in each round of s, if that is a constant.
func stepOf(s *For, i *Var) (int64, bool) {
	if len(s.Post) != 1 {
		return 0, false
	}
	post, ok := s.Post[0].(*Assign)
	if !ok || len(post.L) != 1 || post.L[0] == nil || !sameExpr(post.L[0], &VarRef{i}) {
		return 0, false
	}
	sum, ok := post.R.(*Binary)
	if !ok || sum.Op != token.ADD || !sameExpr(sum.X, &VarRef{i}) {
		return 0, false
	}
	n, ok := constInt(sum.Y)
	return n, ok && n > 0 && n <= shortLoop
}

// product prints x*y.
func product(x, y string) string {
	a, errA := strconv.Atoi(x)
	b, errB := strconv.Atoi(y)
	switch {
	case errA == nil && errB == nil:
		return strconv.Itoa(a * b)
	case x == "1":
		return y
	case y == "1":
		return x
	}
	return x + "*" + y
}

// placeOf takes an index apart. Names in defs stand for what they are defined as; those in changed have no value
// before the loop.
func placeOf(e ast.Expr, counter string, defs map[string]string, changed map[string]bool) (p place, ok bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return placeOf(e.X, counter, defs, changed)
	case *ast.BasicLit:
		n, err := strconv.ParseInt(e.Value, 10, 32)
		return place{plus: n}, err == nil
	case *ast.Ident:
		if e.Name == counter {
			return place{by: "1"}, true
		}
		if d := defs[e.Name]; d != "" {
			x, err := parser.ParseExpr(d)
			if err != nil {
				return p, false
			}
			return placeOf(x, counter, defs, changed)
		}
		return place{rest: []string{e.Name}}, !changed[e.Name]
	case *ast.BinaryExpr:
		x, okX := placeOf(e.X, counter, defs, changed)
		y, okY := placeOf(e.Y, counter, defs, changed)
		if !okX || !okY {
			return p, false
		}
		switch e.Op {
		case token.ADD:
			if x.by != "" && y.by != "" {
				return p, false
			}
			return place{x.by + y.by, append(slices.Clone(x.rest), y.rest...), x.plus + y.plus}, true
		case token.SUB:
			if y.by != "" {
				return p, false
			}
			out := place{x.by, slices.Clone(x.rest), x.plus - y.plus}
			for _, r := range y.rest {
				if less, ok := strings.CutPrefix(r, "-"); ok {
					out.rest = append(out.rest, less)
				} else {
					out.rest = append(out.rest, "-"+r)
				}
			}
			return out, true
		case token.MUL:
			// One side is a number, or something the same in all rounds.
			factor := func(p place) bool { return p.by == "" && (len(p.rest) == 0 || len(p.rest) == 1 && p.plus == 0) }
			if !factor(x) {
				x, y = y, x
			}
			if !factor(x) {
				return p, false
			}
			times := strconv.FormatInt(x.plus, 10)
			if len(x.rest) == 1 {
				times = x.rest[0]
				if y.plus != 0 {
					y.rest, y.plus = append(y.rest, strconv.FormatInt(y.plus, 10)), 0
				}
			}
			out := place{plus: y.plus * x.plus}
			if y.by != "" {
				out.by = product(y.by, times)
			}
			for _, r := range y.rest {
				out.rest = append(out.rest, product(r, times))
			}
			return out, strings.Count(out.by, "*") == 0
		}
	}
	return p, false
}

// lineSizes are those of amd64.
var lineSizes = types.SizesFor("gc", "amd64")

// fieldPointers returns body with pointers for the fields that it reads of a line of structs at the counter, one for each type
// that these have: a constant behind a pointer is part of a load, where for an element of 16 bytes, which is no factor of an address,
// Go makes one anew for each of its fields. It returns body as it is if that does something else with an element.
func (v *vector) fieldPointers(body, line, counter string, t *types.Struct, step int64) (decls, text, bumps string) {
	element := regexp.MustCompile(`\b` + line + `\[` + counter + `\]((?:\.\w+)*)(\[?)`)
	offsets, field := map[string]int64{}, map[string]types.Type{}
	all := make([]*types.Var, t.NumFields())
	for i := range all {
		all[i] = t.Field(i)
	}
	for i, offset := range lineSizes.Offsetsof(all) {
		if f := all[i].Type(); elem(f) != "" && types.Identical(f, types.Unalias(f).Underlying()) {
			offsets["."+all[i].Name()], field["."+all[i].Name()] = offset, f
		}
	}
	for _, m := range element.FindAllStringSubmatch(body, -1) {
		if field[m[1]] == nil || m[2] != "" {
			return "", body, ""
		}
	}
	pointers := map[string]string{}
	text = element.ReplaceAllStringFunc(body, func(s string) string {
		f := element.FindStringSubmatch(s)[1]
		kind := v.typ(field[f])
		if pointers[kind] == "" {
			p := uniqueName(v.names, "next")
			decls += fmt.Sprintf("%s := vec.Place[%s](%s[:], 0)\n", p, kind, line)
			bumps += fmt.Sprintf("%s = vec.Step(%s, %d)\n", p, p, step*lineSizes.Sizeof(t))
			pointers[kind] = p
		}
		if offsets[f] == 0 {
			return "*" + pointers[kind]
		}
		return fmt.Sprintf("*vec.Step(%s, %d)", pointers[kind], offsets[f])
	})
	return decls, text, bumps
}

// linePointers returns body with pointers for the lines that it reads at the counter. Lines of rows that are printed
// together share one, if they are a constant apart: with one each, the counter of a tiled product was spilled.
//
// lines has the line of each pointer.
func (v *vector) linePointers(body string, l *lineSet, step int64) (decls, text string, lines map[string]string) {
	counter := v.body.name(l.i)
	bumps := ""
	pointers := map[string]string{} // by where the line of the first row begins
	lines = map[string]string{}
	var names []string
	for name := range l.types {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }) // as they were made
	for _, name := range names {
		element := regexp.MustCompile(`\b` + name + `\[` + counter + `\]`)
		t := l.types[name]
		if fields, ok := t.Underlying().(*types.Struct); ok {
			d, text, b := v.fieldPointers(body, name, counter, fields, step)
			decls, body, bumps = decls+d, text, bumps+b
			continue
		}
		size := elemSizes[elem(t)]
		if size == 0 || !element.MatchString(body) || !types.Identical(t, types.Unalias(t).Underlying()) {
			continue
		}
		base, row := l.bases[name], 0
		for k := 1; k < v.parts && v.axis == 1; k++ {
			if ofRow := fmt.Sprintf("ty_%d", k+1); containsWord(base, ofRow) {
				base, row = replaceWord(base, ofRow, "ty"), k
			}
		}
		apart := int64(0)
		if row > 0 {
			_, index, _ := strings.Cut(base, "[")
			e, err := parser.ParseExpr(index)
			if err != nil {
				continue
			}
			p, ok := placeOf(e, "ty", nil, nil)
			n, err := strconv.ParseInt(p.by, 10, 32)
			if !ok || err != nil || pointers[base] == "" {
				base, row = l.bases[name], 0
			}
			apart = n * int64(row*size)
		}
		if pointers[base] == "" {
			if len(pointers) >= max(mostPointers, v.parts) { // of products in many rows only the first is left
				continue
			}
			p := uniqueName(v.names, "next")
			decls += fmt.Sprintf("%s := vec.Place[%s](%s[:], 0)\n", p, v.typ(t), name)
			bumps += fmt.Sprintf("%s = vec.Step(%s, %d)\n", p, p, step*int64(size))
			pointers[base], lines[p] = p, name
		}
		at := pointers[base]
		if apart != 0 {
			at = fmt.Sprintf("vec.Step(%s, %d)", at, apart)
		}
		body = element.ReplaceAllString(body, "*"+at)
	}
	l.decls = slices.DeleteFunc(l.decls, func(d string) bool {
		name, _, _ := strings.Cut(d, " ")
		return !containsWord(body+decls, name)
	})
	return decls, body + bumps, lines
}
