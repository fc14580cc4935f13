package randkernel

import (
	"fmt"
	"strings"
)

// The types of private variables, some more than once: they are what kernels compute with.
var types = []string{"int32", "float32", "uint32", "int64", "uint8", "float64", "int32", "int16", "uint64", "int8", "uint16"}

func isFloat(typ string) bool    { return strings.HasPrefix(typ, "float") }
func isUnsigned(typ string) bool { return strings.HasPrefix(typ, "uint") }

// expr returns an expression of a type, at most so deep. It is never constant, so that the compiler has
// nothing to say about it.
func (g *gen) expr(typ string, depth int) string {
	if depth <= 0 || g.n(6) == 0 {
		return g.leaf(typ)
	}
	if isFloat(typ) {
		return g.floatExpr(typ, depth-1)
	}
	return g.intExpr(typ, depth-1)
}

// operand returns an expression, or a constant.
func (g *gen) operand(typ string, depth int) string {
	if g.n(4) != 0 {
		return g.expr(typ, depth)
	}
	return g.constant(typ)
}

func (g *gen) constant(typ string) string {
	if isFloat(typ) {
		return g.pick("0.5", "2", "-1.25", "0", "100", "1e-3", "3", "-7")
	}
	s := g.pick("1", "2", "3", "7", "10", "31", "100", "0", "15")
	if !isUnsigned(typ) && g.n(4) == 0 {
		s = "-" + s
	}
	return s
}

// leaf returns a variable, or something else that is read.
func (g *gen) leaf(typ string) string {
	for range 4 {
		switch g.n(12) {
		case 0:
			if g.inKernel {
				return g.conversion(typ, "int32", "int32("+g.pick("tid", "g", "n", "block", "p0")+")")
			}
		case 1:
			if g.inKernel {
				return g.input(typ, "g")
			}
		case 2:
			if g.inKernel {
				return g.input(typ, fmt.Sprintf("uint32(%s)%%uint32(len(in0))", g.variable("int32")))
			}
		case 3:
			if a := g.arrayOf(false); a != nil {
				return g.conversion(typ, a.typ, fmt.Sprintf("%s[%s]", a.name, a.own))
			}
		case 4:
			if a := g.arrayOf(true); a != nil {
				return g.conversion(typ, a.typ, fmt.Sprintf("%s[%s]", a.name, g.place(a)))
			}
		case 5:
			if len(g.uniform) > 0 {
				return g.conversion(typ, "int32", g.pick(g.uniform...))
			}
		case 6:
			if len(g.counters) > 0 {
				return g.conversion(typ, "int", g.pick(g.counters...))
			}
		case 7:
			if g.inKernel && !g.lean {
				return g.conversion(typ, "int32", fmt.Sprintf("h[uint32(%s)%%8]", g.variable("int32")))
			}
		case 8:
			if g.inKernel && !g.lean {
				f := g.pick("a int32", "b float32", "c uint8", "d[2] int16", "sum() int32")
				name, t, _ := strings.Cut(f, " ")
				return g.conversion(typ, t, "r."+name)
			}
		default:
			return g.variable(typ)
		}
	}
	return g.variable(typ)
}

// variable returns a variable of a type, or one of another type, converted.
func (g *gen) variable(typ string) string {
	if names := g.vars[typ]; len(names) > 0 && g.n(8) != 0 {
		return g.pick(names...)
	}
	for {
		other := g.types[g.n(len(g.types))]
		if names := g.vars[other]; len(names) > 0 {
			return g.conversion(typ, other, g.pick(names...))
		}
	}
}

// input returns an element of an input.
func (g *gen) input(typ, index string) string {
	names := []string{"in0 int32", "in1 float32", "in2 uint8", "in3 int64", "in4 float64"}
	if g.lean {
		names = names[:2]
	}
	for _, s := range names {
		if name, t, _ := strings.Cut(s, " "); t == typ {
			return fmt.Sprintf("%s[%s]", name, index)
		}
	}
	name, t, _ := strings.Cut(names[g.n(len(names))], " ")
	return g.conversion(typ, t, fmt.Sprintf("%s[%s]", name, index))
}

// conversion converts e of a type to another.
func (g *gen) conversion(to, from, e string) string {
	switch {
	case to == from:
		return e
	case isFloat(from) && !isFloat(to):
		if from != "float64" {
			e = "float64(" + e + ")"
		}
		return fmt.Sprintf("%s(whole(%s))", to, e)
	}
	return fmt.Sprintf("%s(%s)", to, e)
}

func (g *gen) intExpr(typ string, depth int) string {
	a := g.expr(typ, depth)
	switch g.n(20) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s + %s)", a, g.operand(typ, depth))
	case 3, 4:
		return fmt.Sprintf("(%s - %s)", a, g.operand(typ, depth))
	case 5, 6:
		return fmt.Sprintf("%s * %s", a, g.operand(typ, depth))
	case 7:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("&", "|", "^", "&^"), g.operand(typ, depth))
	case 8:
		return fmt.Sprintf("(%s %s (%s | 1))", a, g.pick("/", "%"), g.expr(typ, depth))
	case 9:
		return fmt.Sprintf("(%s %s %s)", a, g.pick("/", "%"), g.pick("3", "8", "10", "7", "16", "1", "100"))
	case 10:
		return fmt.Sprintf("(%s %s (%s %% %s))", a, g.pick("<<", ">>"), g.expr(g.pick("uint32", "uint8", "uint64"), depth), g.pick("70", "31", "9"))
	case 11:
		return fmt.Sprintf("(%s %s %d)", a, g.pick("<<", ">>"), 1+g.n(7))
	case 12:
		return fmt.Sprintf("%s(%s)", g.pick("-", "^"), a)
	case 13:
		from := g.types[g.n(len(g.types))]
		return g.conversion(typ, from, g.expr(from, depth))
	case 14:
		return fmt.Sprintf("%s(%s, %s)", g.pick("min", "max"), a, g.operand(typ, depth))
	case 15:
		return fmt.Sprintf("choose(%s, %s, %s)", g.cond(depth), a, g.expr(typ, depth))
	case 16:
		if len(g.pure) > 0 {
			p := g.pure[g.n(len(g.pure))]
			return g.conversion(typ, p.result, fmt.Sprintf("%s(%s)", p.name, g.arguments(p, depth)))
		}
		return a
	case 17:
		f, t := "bits.OnesCount32(%s)", "uint32"
		switch g.n(4) {
		case 0:
			f = "bits.LeadingZeros32(%s)"
		case 1:
			f, t = "bits.TrailingZeros64(%s)", "uint64"
		case 2:
			return g.conversion(typ, "uint32", fmt.Sprintf("bits.RotateLeft32(%s, %d)", g.expr("uint32", depth), g.n(31)-15))
		}
		return g.conversion(typ, "int", fmt.Sprintf(f, g.expr(t, depth)))
	case 18:
		if g.inKernel { // && keeps the index in range
			return fmt.Sprintf("choose(%s < len(in0) && in0[%s] > %s, %s, %s)", "g+1", "g+1", g.operand("int32", 0), a, g.expr(typ, 0))
		}
		return a
	default:
		return a
	}
}

func (g *gen) floatExpr(typ string, depth int) string {
	a := g.expr(typ, depth)
	wide := a
	if typ != "float64" {
		wide = "float64(" + a + ")"
	}
	switch g.n(14) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s + %s)", a, g.operand(typ, depth))
	case 3, 4:
		return fmt.Sprintf("(%s - %s)", a, g.operand(typ, depth))
	case 5, 6:
		return fmt.Sprintf("%s(%s * %s)", typ, a, g.operand(typ, depth)) // rounded here, so never fused
	case 7:
		return fmt.Sprintf("(%s / %s)", a, g.expr(typ, depth))
	case 8:
		return fmt.Sprintf("%s(math.%s(%s))", typ, g.pick("Sqrt", "Floor", "Abs", "Ceil", "Trunc", "Exp", "Sin", "Tanh"), wide)
	case 9:
		from := g.types[g.n(len(g.types))]
		return g.conversion(typ, from, g.expr(from, depth))
	case 10:
		return fmt.Sprintf("%s(%s, %s)", g.pick("min", "max"), a, g.operand(typ, depth))
	case 11:
		return fmt.Sprintf("choose(%s, %s, %s)", g.cond(depth), a, g.expr(typ, depth))
	case 12:
		return fmt.Sprintf("-(%s)", a)
	default:
		return a
	}
}

// arguments returns arguments for a helper.
func (g *gen) arguments(p pureHelper, depth int) string {
	var args []string
	for _, typ := range p.params {
		args = append(args, g.expr(typ, depth-1))
	}
	return strings.Join(args, ", ")
}

// cond returns a condition that each thread decides.
func (g *gen) cond(depth int) string {
	if g.inKernel && g.n(5) == 0 {
		return g.guard()
	}
	switch g.n(8) {
	case 0:
		if depth > 0 {
			return fmt.Sprintf("(%s %s %s)", g.cond(depth-1), g.pick("&&", "||"), g.cond(depth-1))
		}
	case 1:
		if depth > 0 {
			return fmt.Sprintf("!(%s)", g.cond(depth-1))
		}
	case 2:
		if names := g.vars["bool"]; len(names) > 0 {
			return g.pick(names...)
		}
	}
	typ := g.types[g.n(len(g.types))]
	return fmt.Sprintf("%s %s %s", g.expr(typ, depth-1), g.pick("<", "<=", ">", ">=", "==", "!=", "<", ">"), g.operand(typ, depth-1))
}

// guard returns a condition on the number of the thread, as kernels have them.
func (g *gen) guard() string {
	bound := g.pick("p0", "n/2", "5", "n-1", "16", "p0+3", "n")
	switch g.n(8) {
	case 0:
		return "tid < " + bound
	case 1:
		return bound + " > tid"
	case 2:
		return "tid <= " + bound
	case 3:
		return "tid >= " + bound
	case 4:
		return fmt.Sprintf("tid%%%d == %d", 2+g.n(4), g.n(2))
	case 5:
		return fmt.Sprintf("tid >= %d && tid < %s", g.n(6), bound)
	case 6:
		return "g < len(in0)-" + g.pick("3", "1", "20")
	default:
		return "!(tid >= " + bound + ")"
	}
}

// uexpr returns an expression of type int32 that is the same in all threads of the block.
func (g *gen) uexpr(depth int) string {
	if depth > 0 && g.n(3) != 0 {
		a := g.uexpr(depth - 1)
		switch g.n(7) {
		case 0, 1:
			return fmt.Sprintf("(%s + %s)", a, g.pick("1", "3", g.uexpr(depth-1)))
		case 2:
			return fmt.Sprintf("(%s - %s)", a, g.uexpr(depth-1))
		case 3:
			return fmt.Sprintf("%s * %s", a, g.pick("3", "5", g.uexpr(depth-1)))
		case 4:
			return fmt.Sprintf("(%s ^ %s)", a, g.uexpr(depth-1))
		case 5:
			return fmt.Sprintf("(%s %% %d)", a, 2+g.n(9))
		default:
			return fmt.Sprintf("in0[uint32(%s)%%uint32(len(in0))]", a)
		}
	}
	options := []string{"p1", "int32(p0)", "int32(n)", "int32(block)", "int32(block)"}
	options = append(options, g.uniform...)
	options = append(options, g.uniform...)
	for _, c := range g.ucounters {
		options = append(options, "int32("+c+")", "int32("+c+")")
	}
	if a := g.arrayOf(true); a != nil && a.typ == "int32" && a.counter == "" && g.n(2) == 0 {
		return fmt.Sprintf("%s[%s]", a.name, a.at(g.pick("0", "n-1", "n/2", "block%n")))
	}
	if g.n(12) == 0 { // the same in all threads, but that is hard to see
		return fmt.Sprintf("(int32(tid+%d) - int32(tid))", g.n(5))
	}
	return g.pick(options...)
}

// ucond returns a condition that is the same in all threads of the block.
func (g *gen) ucond(depth int) string {
	if depth > 0 && g.n(4) == 0 {
		return fmt.Sprintf("(%s %s %s)", g.ucond(depth-1), g.pick("&&", "||"), g.ucond(depth-1))
	}
	if g.n(4) == 0 {
		return fmt.Sprintf("%s&%d == %d", g.uexpr(depth), 1+g.n(3), g.n(2))
	}
	return fmt.Sprintf("%s %s %s", g.uexpr(depth), g.pick("<", ">", "!=", "<=", "=="), g.pick("3", "0", "10", g.uexpr(depth)))
}
