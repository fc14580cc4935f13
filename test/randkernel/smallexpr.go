package randkernel

import (
	"fmt"
	"slices"
	"strconv"
)

// Expressions of small kernels. None of them is constant.

// smallNumbers are at the ends of the ranges of types, and beside them.
var smallNumbers = []int{
	0, 1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 31, 63, 64, 100, 126, 127, 128, 129, 200, 254, 255, 256, 257, 300, 1000, 32766, 32767, 32768, 32769, 65534, 65535, 65536,
	1000000, 1<<31 - 1, -1, -2, -3, -5, -7, -8, -64, -100, -126, -127, -128, -129, -200, -255, -256, -257, -32767, -32768, -32769, -65536, -1000000, -1 << 31,
}

// number returns a constant of a type, other than 0 if it is a divisor.
func (g *smallGen) number(typ string, divisor bool) string {
	for {
		c := smallNumbers[g.n(len(smallNumbers))]
		if g.n(2) == 0 {
			c = smallNumbers[g.n(20)]
		}
		if b := smallBounds[typ]; c >= b[0] && c <= b[1] && !(divisor && c == 0) {
			return strconv.Itoa(c)
		}
	}
}

func (g *smallGen) convert(to, from, e string) string {
	if to == from {
		return e
	}
	return fmt.Sprintf("%s(%s)", to, e)
}

// load returns an element of an input.
func (g *smallGen) load(typ string) string {
	name := g.pick(smallInputs[typ]...)
	if g.reading && typ == g.shared && g.n(2) == 0 {
		return fmt.Sprintf("s[%s]", g.pick("m-1-tid", "(tid+1)%m", "tid", "tid", "max(tid-1, 0)", "min(tid+1, m-1)", "tid/2", "0"))
	}
	if g.inside && g.n(3) != 0 {
		return fmt.Sprintf("%s[%s]", name, g.pick("i-1", "i+1", "i-w", "i+w", "i-w-1", "i-w+1", "i+w-1", "i+w+1"))
	}
	if g.n(40) == 0 && len(g.private["uint8"]) > 0 {
		return fmt.Sprintf("%s[int(%s)%%n]", name, g.private["uint8"][0])
	}
	return fmt.Sprintf("%s[%s]", name, g.pick(g.loaded...))
}

// leaf returns a variable, an element or a parameter.
func (g *smallGen) leaf(typ string) string {
	switch g.n(12) {
	case 0:
		for p, t := range map[string]string{"p2": "int32", "p3": "uint8", "p4": "int8", "p5": "uint16", "p6": "int16", "p7": "uint32"} {
			if t == typ {
				return p
			}
		}
		if typ == "int" {
			return g.pick("p0", "p1")
		}
	case 1:
		if g.n(3) == 0 {
			return g.convert(typ, "int", g.pick("p0", "p1", "rounds", "i", "n"))
		}
		if g.flat {
			return g.convert(typ, "int", g.pick("x", "y", "w"))
		}
	case 2:
		if len(g.counters) > 0 {
			return g.convert(typ, "int", g.pick(g.counters...))
		}
	case 3, 4, 5:
		if names := g.private[typ]; len(names) > 0 {
			return g.pick(names...)
		}
	case 6, 7:
		from := g.work[g.n(len(g.work))]
		if names := g.private[from]; len(names) > 0 {
			return g.convert(typ, from, g.pick(names...))
		}
	}
	if g.n(3) != 0 && slices.Contains(g.elements, typ) {
		return g.load(typ)
	}
	from := g.elements[g.n(len(g.elements))]
	if from == "bool" {
		from = g.elements[0]
	}
	if from == "bool" {
		from = typ
	}
	if len(smallInputs[from]) == 0 {
		from = "uint8"
	}
	return g.convert(typ, from, g.load(from))
}

// expr returns an expression of a type of numbers.
func (g *smallGen) expr(typ string, depth int) string {
	if depth <= 0 || g.n(8) == 0 {
		return g.leaf(typ)
	}
	depth--
	if g.lean {
		depth = min(depth, 1)
	}
	a := g.expr(typ, depth)
	b := smallBounds[typ]
	switch g.n(24) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s + %s)", a, g.operand(typ, depth))
	case 3, 4, 5:
		return fmt.Sprintf("(%s - %s)", a, g.operand(typ, depth))
	case 6, 7:
		return fmt.Sprintf("%s * %s", a, g.operand(typ, depth))
	case 8:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("&", "|", "^", "&^"), g.operand(typ, depth))
	case 9:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("/", "%"), g.number(typ, true))
	case 10:
		return fmt.Sprintf("(%s %s (%s | 1))", a, g.pick("/", "%"), g.expr(typ, depth))
	case 11, 12:
		return fmt.Sprintf("(%s %s %d)", a, g.pick("<<", ">>", ">>"), g.r.IntN(10))
	case 13:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("<<", ">>"), g.pick("(p3 & 15)", "p3", "("+g.convert("uint8", typ, g.leaf(typ))+" & 7)", g.convert("uint32", typ, g.leaf(typ)), "uint(rounds)"))
	case 14:
		return fmt.Sprintf("%s(%s)", g.pick("-", "^"), a)
	case 15, 16:
		from := g.pick(append(g.work, "int8", "uint8", "int32")...)
		return g.convert(typ, from, g.expr(from, depth))
	case 17:
		return fmt.Sprintf("%s(%s, %s)", g.pick("min", "max"), a, g.operand(typ, depth))
	case 18:
		return fmt.Sprintf("choose(%s, %s, %s)", g.cond(depth), a, g.expr(typ, depth))
	case 19:
		if b[0] < 0 {
			return fmt.Sprintf("abs(%s)", a)
		}
	case 20, 21: // a saturated sum
		wide := g.pick("int", "int32", "int32", "int16")
		sum := fmt.Sprintf("%s %s %s", g.convert(wide, typ, a), g.pick("+", "+", "-", "*"), g.convert(wide, typ, g.expr(typ, depth)))
		ends := [][2]int{smallBounds[g.pick("int8", "uint8", "int16", "uint16")], {b[0], b[1]}}[g.n(2)]
		lo, hi := ends[0], ends[1]
		switch g.n(6) {
		case 0:
			lo += g.n(3) - 1
		case 1:
			hi += g.n(3) - 1
		}
		lo, hi = max(lo, smallBounds[wide][0]), min(hi, smallBounds[wide][1])
		e := fmt.Sprintf("min(max(%s, %d), %d)", sum, lo, hi)
		switch g.n(5) {
		case 0:
			e = fmt.Sprintf("min(%s, %d)", sum, hi)
		case 1:
			e = fmt.Sprintf("max(%s, %d)", sum, lo)
		case 2:
			e = fmt.Sprintf("max(min(%s, %d), %d)", sum, hi, lo)
		}
		return g.convert(typ, wide, "("+e+")")
	case 22: // an average
		wide := g.pick("int", "int32", "uint32", "uint16", "int16")
		return g.convert(typ, wide, fmt.Sprintf("(%s + %s + %d) >> %d", g.convert(wide, typ, a), g.convert(wide, typ, g.expr(typ, depth)), g.n(3), 1+g.n(3)))
	case 23: // the sign of fewer bits
		from := g.pick("int8", "int16", "uint8")
		return g.convert(typ, from, fmt.Sprintf("(%s %s %d)", g.convert(from, typ, a), g.pick(">>", "<<"), 1+g.n(7)))
	}
	return a
}

// operand returns an expression, or a constant.
func (g *smallGen) operand(typ string, depth int) string {
	if g.n(3) == 0 {
		return g.number(typ, false)
	}
	return g.expr(typ, depth)
}

// cond returns a condition.
func (g *smallGen) cond(depth int) string {
	switch g.n(12) {
	case 0, 1:
		if depth > 0 {
			return fmt.Sprintf("(%s %s %s)", g.cond(depth-1), g.pick("&&", "||", "=="), g.cond(depth-1))
		}
	case 2:
		if depth > 0 {
			return fmt.Sprintf("!(%s)", g.cond(depth-1))
		}
	case 3, 4:
		if slices.Contains(g.elements, "bool") {
			return g.load("bool")
		}
	case 5:
		if qs := g.private["bool"]; len(qs) > 0 {
			return g.pick(qs...)
		}
	case 6:
		if g.flat {
			return g.pick("(x == 0)", "(x == w-1)", "(y == 0)", "(x == 0 || y == 0 || x == w-1 || y == h-1)", "(x > 2 && x < w-3)", "(x > y)", "(x == p1)")
		}
		return g.pick("(i == 0)", "(i == n-1)", "(i == 0 || i == n-1)", "(i > 3 && i < n-3)", "(i < n/2)", "(i > p0)", "(i&1 == 0)")
	}
	typ := g.work[g.n(len(g.work))]
	return fmt.Sprintf("(%s %s %s)", g.expr(typ, depth), g.pick("<", "<=", ">", ">=", "==", "!="), g.operand(typ, depth))
}
