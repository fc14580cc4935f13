package randkernel

import (
	"fmt"
	"strings"
)

// Blocks of language kernels: statements that declare a pointer, a slice or a closure, and the
// statements that use it.

// pointer returns a block with a pointer into what may change under it.
func (g *langGen) pointer(depth int) *node {
	defer g.apart()()
	typ, p := g.pick(append(g.own, "int32", "int16")...), g.name("p")
	switch g.n(6) {
	case 0:
		if q := g.point(2); q != "" && !strings.HasPrefix(q, "p") {
			return &node{text: fmt.Sprintf("{\n%s := &(%s)\n_ = %s", p, "*pointOf("+g.pointerTo(q)+")", p), parts: []part{{g.inside(depth, func() { g.points = append(g.points, p) }), "}"}}}
		}
	case 1:
		if len(g.records) > 0 {
			ps := g.pick(g.records...)
			return &node{text: fmt.Sprintf("{\n%s := %s[%s:%s]\n_ = %s", p, ps, "0", "4", p), parts: []part{{g.inside(depth, func() { g.records = append(g.records, p) }), "}"}}}
		}
	}
	v := g.place(typ, 2)
	if v == "" {
		return nil
	}
	n := &node{text: fmt.Sprintf("{\n%s := %s\n_ = %s", p, g.address(v), p)}
	list := g.inside(depth, func() { g.ptrs = append(g.ptrs, variable{p, typ}) })
	if g.n(2) == 0 {
		list = append(list, &node{text: g.update("*"+p, typ)})
	}
	n.parts = []part{{list, "}"}}
	return n
}

// pointerTo returns a pointer to a point.
func (g *langGen) pointerTo(q string) string {
	for _, p := range g.points {
		if p == q {
			return q
		}
	}
	return "&" + q
}

// slice returns a block with a slice, or a row of slices.
func (g *langGen) slice(depth int) *node {
	defer g.apart()()
	if len(g.lists) == 0 {
		return nil
	}
	a, s := g.lists[g.n(len(g.lists))], g.name("s")
	b := g.list(a.typ)
	switch g.n(5) {
	case 0: // as long as a
		text := fmt.Sprintf("{\n%s := %s[:]\n_ = %s", s, a.name, s)
		return &node{text: text, parts: []part{{g.inside(depth, func() { g.lists = append(g.lists, variable{s, a.typ}) }), "}"}}}
	case 1: // a copy
		text := fmt.Sprintf("{\n%s := %s([]%s{}, %s[:]...)\n_ = %s", s, g.t("append"), g.t(a.typ), a.name, s)
		return &node{text: text, parts: []part{{g.inside(depth, func() { g.lists = append(g.lists, variable{s, a.typ}) }), "}"}}}
	case 2: // slices of slices, which the compiler leaves on coroutines where a kernel has barriers
		i, v := g.index(2, 2), g.scalar(a.typ)
		if v == "" || g.waits {
			return nil
		}
		q := g.name("q")
		text := fmt.Sprintf("{\n%s, %s := [][]%s{%s[%s:], %s[%s:]}, %s[1:]\n_, _ = %s, %s", s, q, g.t(a.typ), a.name, g.index(4, 1), b, g.index(2, 1), a.name, s, q)
		lines := []string{
			fmt.Sprintf("%s, %s[%s] = %s[%s][1:], %s", q, s, i, s, g.index(2, 1), q),
			fmt.Sprintf("%s[%s], %s = %s[%s][1:], %s", s, i, v, s, i, g.ex(a.typ, 2)),
			fmt.Sprintf("%s, %s[%s] = %s[%s][0], %s[%s][1:]", v, s, i, s, i, s, g.index(2, 2)),
			fmt.Sprintf("%s[0], %s[1] = %s[1], %s[0]", s, s, s, s),
			fmt.Sprintf("%s[%s][%s] = %s", s, g.index(2, 2), g.index(2, 1), g.ex(a.typ, 2)),
			g.update(fmt.Sprintf("%s[%s][%s]", s, g.index(2, 2), g.index(2, 2)), a.typ),
			fmt.Sprintf("%s = %s[%s][%s]", v, s, g.index(2, 1), g.index(2, 2)),
		}
		var list []*node
		reslices := 0
		for range 2 + g.n(4) {
			c := g.n(len(lines))
			if c < 3 {
				if reslices++; reslices > 2 {
					continue
				}
			}
			list = append(list, &node{text: lines[c]})
		}
		return &node{text: text, parts: []part{{list, "}"}}}
	case 3: // a tail, which other lists follow
		i, k := g.index(4, 2), 4+g.n(4)
		bounds := g.pick(fmt.Sprintf("%s:%d", i, k), fmt.Sprintf("%s:%d:%d", i, k, k+g.n(8-k+1)), fmt.Sprintf(":%s", i))
		text := fmt.Sprintf("{\n%s := %s[%s]\n_ = %s", s, a.name, bounds, s)
		return &node{text: text, parts: []part{{g.inside(depth, func() { g.tails = append(g.tails, variable{s, a.typ}) }), "}"}}}
	}
	w := g.name("w") // a struct that leads elsewhere
	p := g.place(a.typ, 1)
	text := fmt.Sprintf("{\n%s := struct {\nrow []%s\nat *%s\n}{%s[:], %s}\n_ = %s", w, g.t(a.typ), g.t(a.typ), a.name, g.address(p), w)
	if p == "" {
		return nil
	}
	return &node{text: text, parts: []part{{g.inside(depth, func() {
		g.lists = append(g.lists, variable{w + ".row", a.typ})
		g.ptrs = append(g.ptrs, variable{w + ".at", a.typ})
	}), "}"}}}
}

// tail returns a statement about a slice of unknown length.
func (g *langGen) tail(depth int) *node {
	defer g.apart()()
	if len(g.tails) == 0 {
		return nil
	}
	s := g.tails[g.n(len(g.tails))]
	v := g.scalar(s.typ)
	if v == "" {
		return nil
	}
	length := fmt.Sprintf("%s(%s)", g.t("len"), s.name)
	switch g.n(5) {
	case 0:
		return &node{text: fmt.Sprintf("if %s > 0 {\n%s, %s = %s[1:], %s[0]\n}", length, s.name, v, s.name, s.name)}
	case 1:
		return &node{text: fmt.Sprintf("if %s > 1 {\n%s[%s-1], %s[0] = %s, %s[1]\n}", length, s.name, length, s.name, g.ex(s.typ, 2), s.name)}
	case 2:
		if g.nest > 0 {
			return nil
		}
		return &node{text: fmt.Sprintf("for %s > 0 {\n%s", length, g.update(v, s.typ)), parts: []part{{nil, fmt.Sprintf("%s, %s = %s[:%s-1], %s[%s-1]\n}", s.name, v, s.name, length, s.name, length)}}}
	case 3:
		if g.hidden["nil"] {
			return nil
		}
		return &node{text: fmt.Sprintf("if %s == nil {\n%s++\n}", s.name, v)}
	}
	x := g.name("x")
	return &node{text: fmt.Sprintf("for _, %s := range %s {\n%s %s %s\n}", x, s.name, v, g.pick("+=", "-="), x)}
}

// closure returns a block with a closure that changes what it captures.
func (g *langGen) closure(depth int) *node {
	defer g.apart()()
	if g.helper && g.n(2) == 0 || g.nest > 1 {
		return nil
	}
	f, x, typ, result := g.name("f"), g.name("x"), g.pick(g.own...), g.pick(g.own...)
	var body []*node
	var last string
	g.scope(func() {
		g.scalars[typ] = append(g.scalars[typ], x)
		g.outer = nil
		g.result = []string{result}
		g.nest = 2
		body = g.many(0, 1+g.n(2))
		last = g.giveBack()
	})
	n := &node{text: fmt.Sprintf("{\n%s := func(%s %s) %s {", f, x, g.t(typ), g.t(result))}
	n.parts = []part{{body, last + fmt.Sprintf("\n}\n_ = %s", f)}}
	n.parts = append(n.parts, part{g.inside(depth, func() {
		g.local = append(g.local, langFunc{name: f, params: []langParam{{'v', typ}}, results: []string{result}})
	}), "}"})
	return n
}
