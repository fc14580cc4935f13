package compiler

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Native calls: functions of packages math, math/bits and device that vectors compute as they are, with the same result
// bit for bit. Package device is written with them, and its functions are helpers like any other; only those
// named here stay calls. math.Pow is one in kernels that allow approximations.

const devicePath = "github.com/gocuda/gocuda/device"

// staysCall reports whether a helper is called as it is: vectors have an instruction for it, or its directive says so and it
// can be called from the package that is translated.
func (b *builder) staysCall(d funcDecl, fn *types.Func) bool {
	if fn.Pkg() == nil || d.decl == nil {
		return false
	}
	if fn.Pkg().Path() == devicePath && fn.Name() == "Fmaf" {
		return true
	}
	return (fn.Exported() || fn.Pkg() == b.root.types) && fn.Signature().Recv() == nil && keptApart(d.decl)
}

// keptApart reports whether the directive noinline says that a func is for the rare case.
func keptApart(d *ast.FuncDecl) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return c.Text == "//go:noinline" })
}

// isRare reports whether a statement is of such a func, which can't be called from here and so was inlined. What it costs does
// not matter.
func (p *program) isRare(pos token.Pos) bool {
	return slices.ContainsFunc(p.rare, func(d *ast.FuncDecl) bool { return d.Pos() <= pos && pos < d.End() })
}

// purelyNumbers reports whether fn is a func of package device with one result: all of them are made of their arguments
// alone.
func (b *builder) purelyNumbers(fn *types.Func) bool {
	sig := fn.Signature()
	if fn.Pkg().Path() != devicePath || sig.Recv() != nil || sig.Results().Len() != 1 || !basic(sig.Results().At(0).Type()) {
		return false
	}
	for i := range sig.Params().Len() {
		if !basic(sig.Params().At(i).Type()) {
			return false
		}
	}
	return true
}

// A native is a call that vectors compute, with vectors of kind, the letters of an element type.
type native struct {
	verb   string
	kind   string // of the function of package vec, and of its arguments
	result string // if that is of another type
	args   []Expr
}

// nativeCall returns how vectors compute e, a call or a conversion of one, if the kernel allows it.
func (b *body) nativeCall(e Expr) (native, bool) {
	n, ok := nativeCall(e)
	return n, ok && (n.verb != "Pow" || b.k.Fastmath)
}

// nativeCall returns how vectors compute e, if approximations are allowed.
func nativeCall(e Expr) (native, bool) {
	if c, ok := e.(*Convert); ok {
		if call, isCall := c.X.(*Call); isCall {
			// int32(bits.OnesCount32(x)): the int in between is not needed.
			if n, ok := bitsCall(call); ok && elemSizes[elem(c.T)] >= 4 && !isFloat(c.T) {
				return n, true
			}
			// float32(math.Copysign(float64(x), float64(y))) in float32.
			if call.Name == "math.Copysign" && elem(c.T) == "F32" {
				if args, ok := narrowed(call.Args); ok {
					return native{verb: "Copysign", kind: "F32", args: args}, true
				}
			}
			if call.Name == "math.Pow" && elem(c.T) == "F32" {
				if args, ok := singles(call.Args); ok {
					return native{verb: "Pow", kind: "F32", args: args}, true
				}
			}
		}
		return native{}, false
	}
	call, ok := e.(*Call)
	if !ok || call.Fn == nil {
		return native{}, false
	}
	if n, ok := bitsCall(call); ok {
		return n, true
	}
	switch call.Name {
	case "math.Float32bits":
		return native{"Bits", "F32", "U32", call.Args}, true
	case "math.Float64bits":
		return native{"Bits", "F64", "U64", call.Args}, true
	case "math.Float32frombits":
		return native{"FromBits", "F32", "", call.Args}, true
	case "math.Float64frombits":
		return native{"FromBits", "F64", "", call.Args}, true
	case "math.Copysign":
		return native{"Copysign", "F64", "", call.Args}, true
	case "math.FMA":
		return native{"FMA", "F64", "", call.Args}, true
	case "math.Pow":
		return native{"Pow", "F64", "", call.Args}, true
	case devicePath + ".Fmaf":
		return native{"FMA", "F32", "", call.Args}, true
	}
	return native{}, false
}

// bitsCall is nativeCall for functions of math/bits of 32 or 64 bits.
func bitsCall(call *Call) (native, bool) {
	name, ok := strings.CutPrefix(call.Name, "math/bits.")
	if !ok {
		return native{}, false
	}
	for _, size := range []string{"32", "64"} {
		verb, ok := strings.CutSuffix(name, size)
		if !ok || len(call.Args) == 0 || elem(call.Args[0].Type()) != "U"+size {
			continue
		}
		switch verb {
		case "OnesCount", "LeadingZeros", "TrailingZeros", "ReverseBytes", "Len":
			return native{verb: verb, kind: "U" + size, args: call.Args}, true
		case "Reverse":
			return native{verb: "ReverseBits", kind: "U" + size, args: call.Args}, true
		case "RotateLeft":
			if shapeOf(call.Args[1])[0] == 0 {
				return native{verb: verb, kind: "U" + size, args: call.Args}, true
			}
		}
	}
	return native{}, false
}

// narrowed returns what float64 was made of, if all of list are conversions from float32.
func narrowed(list []Expr) (args []Expr, ok bool) {
	for _, a := range list {
		c, ok := a.(*Convert)
		if !ok || elem(c.T) != "F64" || elem(c.X.Type()) != "F32" {
			return nil, false
		}
		args = append(args, c.X)
	}
	return args, true
}

// singles is narrowed for a list that may have constants, if float32 holds them.
func singles(list []Expr) (args []Expr, ok bool) {
	for _, a := range list {
		if c, isConst := a.(*Const); isConst && elem(c.T) == "F64" {
			f, _ := constant.Float64Val(c.Val)
			if float64(float32(f)) != f {
				return nil, false
			}
			args = append(args, &Const{c.Val, types.Typ[types.Float32]})
			continue
		}
		x, ok := narrowed([]Expr{a})
		if !ok {
			return nil, false
		}
		args = append(args, x...)
	}
	return args, true
}

// nativeValue prints a native call as a vector of the type of e.
func (v *vector) nativeValue(e Expr, n native) (string, bool) {
	fn := func(verb, kind string) string { return fmt.Sprintf("%s.%s%sx%d", v.vecName(), verb, kind, v.lanes) }
	size := n.kind[1:]
	if elemSizes[n.kind]*v.lanes > v.width {
		return "", false
	}
	x := v.value(n.args[0])
	s := ""
	switch n.verb {
	case "FMA":
		s = fmt.Sprintf("%s(%s, %s, %s)", fn("FMA", n.kind), x, v.value(n.args[1]), v.value(n.args[2]))
	case "Copysign", "Pow":
		s = fmt.Sprintf("%s(%s, %s)", fn(n.verb, n.kind), x, v.value(n.args[1]))
	case "Len":
		s = fmt.Sprintf("%s(%s(%s), %s(%s))", fn("Sub", n.kind), fn("Splat", n.kind), size, fn("LeadingZeros", n.kind), x)
	case "RotateLeft":
		y := v.simpleText(x)
		if k, ok := constInt(n.args[1]); ok {
			bits := int64(8 * elemSizes[n.kind])
			k = (k%bits + bits) % bits
			t := n.args[0].Type()
			if k == 0 {
				s = y
			} else {
				s = fmt.Sprintf("%s(%s, %s)", fn("Or", n.kind), v.shift("Shl", t, y, k), v.shift("Shr", t, y, bits-k))
			}
			break
		}
		v.blame(n.args[1])
		by := v.fresh("by")
		v.printf("%s := %s(%s) & (%s - 1)\n", by, elemGo[n.kind], v.expr(n.args[1]), size)
		s = fmt.Sprintf("%s(%s(%s, %s(%s)), %s(%s, %s(%s-%s)))", fn("Or", n.kind), fn("ShlV", n.kind), y, fn("Splat", n.kind), by,
			fn("ShrV", n.kind), y, fn("Splat", n.kind), size, by)
	default:
		s = fmt.Sprintf("%s(%s)", fn(n.verb, n.kind), x)
	}
	from := n.result
	if from == "" {
		from = n.kind
	}
	if to := elem(e.Type()); to != from {
		s = fmt.Sprintf("%s.Cvt%sx%d_%sx%d(%s)", v.vecName(), from, v.lanes, to, v.lanes, s)
	}
	return s, true
}

// nativeCondition reports whether vectors know the answer of a func.
func nativeCondition(name string) bool {
	return name == "math.IsNaN" || name == "math.IsInf" || name == "math.Signbit"
}

// nativeMask prints a condition that package math answers, as a mask.
func (v *vector) nativeMask(e Expr) (string, bool) {
	call, ok := e.(*Call)
	if !ok || len(call.Args) == 0 || elem(call.Args[0].Type()) != "F64" {
		return "", false
	}
	x := call.Args[0]
	if args, ok := narrowed(call.Args[:1]); ok {
		x = args[0]
	}
	if !v.holds(x.Type()) {
		return "", false
	}
	t := x.Type()
	switch call.Name {
	case "math.IsNaN":
		s := v.simpleText(v.value(x))
		return fmt.Sprintf("%s(%s, %s)", v.vec("Ne", t), s, s), true
	case "math.IsInf":
		sign, ok := constInt(call.Args[1])
		if !ok {
			return "", false
		}
		one := 1
		if sign < 0 {
			one = -1
		}
		inf := fmt.Sprintf("%s(%s(%s.Inf(%d)))", v.vec("Splat", t), elemGo[elem(t)], v.importName("math", "math"), one)
		s := v.value(x)
		if sign == 0 {
			s = fmt.Sprintf("%s(%s)", v.vec("Abs", t), s)
		}
		return fmt.Sprintf("%s(%s, %s)", v.vec("Eq", t), s, v.all(inf)), true
	case "math.Signbit":
		bits := strings.TrimPrefix(elem(t), "F")
		return fmt.Sprintf("%s.LtI%sx%d(%s.CvtU%sx%d_I%sx%d(%s(%s)), %s.SplatI%sx%d(0))", v.vecName(), bits, v.lanes,
			v.vecName(), bits, v.lanes, bits, v.lanes, v.vec("Bits", t), v.value(x), v.vecName(), bits, v.lanes), true
	}
	return "", false
}
