package gogen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Operations: instructions of nests as Go statements and expressions.

// pure reports whether i has no effect except its result.
func pure(i *lir.Instr) bool { return i.Dst != 0 }

// isDone reports whether i is printed at its place.
func (p *printer) isDone(i *lir.Instr) bool { return !p.before[i] && (!pure(i) || p.uses[i.Dst] > 0) }

// instr prints an instruction.
func (p *printer) instr(i *lir.Instr) error {
	switch {
	case !p.isDone(i):
		return nil
	case i.Op == lir.Check:
		done := "at"
		if p.long != nil {
			done = "begin"
		}
		p.line("if %s {\nreturn %s\n}", p.name(i.X), done)
		return nil
	case i.Stores():
		return p.store(i)
	}
	if i.Op == lir.Select {
		p.choice(i)
		return nil
	}
	text, err := p.value(i)
	if err != nil {
		return err
	}
	// Inactive lanes must not access memory, nor divide by 0.
	on := ""
	switch {
	case i.InMemory() && i.On != 0:
		on = p.name(i.On)
	case i.Op == lir.Div && !i.Kind.IsFloat():
		on = p.name(i.Y) + " != 0"
	}
	k := p.n.Kinds[i.Dst]
	if text == p.name(i.Dst) { // a mask that simplification made equal to its operand
		return nil
	}
	switch declares := p.declares(i); {
	case on == "" && declares:
		p.line("%s := %s", p.name(i.Dst), text)
	case on == "":
		p.line("%s = %s", p.name(i.Dst), text)
	case declares:
		p.line("var %s %s\nif %s {\n%s = %s\n}", p.name(i.Dst), typeOf(k), on, p.name(i.Dst), text)
	default:
		zero := "0"
		if k == lir.Mask {
			zero = "false"
		}
		p.line("if %s {\n%s = %s\n} else {\n%s = %s\n}", on, p.name(i.Dst), text, p.name(i.Dst), zero)
	}
	return nil
}

// choice prints a Select.
func (p *printer) choice(i *lir.Instr) {
	d, on, x, y := p.name(i.Dst), p.name(i.X), p.name(i.Y), p.name(i.Z)
	if i.Kind == lir.Mask && p.declares(i) {
		p.line("%s := %s && %s || !%s && %s", d, on, x, on, y)
		return
	}
	switch {
	case p.declares(i):
		p.line("%s := %s\nif %s {\n%s = %s\n}", d, y, on, d, x)
	case d == y:
		p.line("if %s {\n%s = %s\n}", on, d, x)
	case d == x:
		p.line("if !%s {\n%s = %s\n}", on, d, y)
	default:
		p.line("if %s {\n%s = %s\n} else {\n%s = %s\n}", on, d, x, d, y)
	}
}

func (p *printer) store(i *lir.Instr) error {
	k := i.Kind
	if i.From != 0 {
		k = i.From
	}
	text := p.name(i.X)
	switch i.Op {
	case lir.Store, lir.Scatter, lir.Atomic:
		if k != p.n.Kinds[i.X] {
			text = fmt.Sprintf("%s(%s)", typeOf(k), text)
		}
	case lir.PutBool:
	default:
		return errMissing
	}
	at, err := p.element(i, k)
	if err != nil {
		return err
	}
	if i.Op == lir.Atomic {
		text = p.update(i, at)
		if i.On != 0 {
			text = fmt.Sprintf("if %s {\n%s\n}", p.name(i.On), text)
		}
		p.line("%s", text)
		return nil
	}
	if i.On != 0 {
		p.line("if %s {\n%s = %s\n}", p.name(i.On), at, text)
	} else {
		p.line("%s = %s", at, text)
	}
	return nil
}

// AtomicName is the import name of package atomic in generated nests.
const AtomicName = "gocudaAtomic"

// update is an atomic operation on the element at, whose result is not used.
func (p *printer) update(i *lir.Instr, at string) string {
	x := p.name(i.X)
	if i.Own {
		switch i.By {
		case lir.Min, lir.Max:
			return fmt.Sprintf("%s = %v(%s, %s)", at, i.By, at, x)
		}
		op := map[lir.Op]string{lir.Add: "+", lir.And: "&", lir.Or: "|", lir.Xor: "^"}[i.By]
		return fmt.Sprintf("%s %s= %s", at, op, x)
	}
	name := map[lir.Op]string{lir.Add: "Add", lir.And: "And", lir.Or: "Or", lir.Xor: "Xor", lir.Min: "Min", lir.Max: "Max"}[i.By]
	return fmt.Sprintf("%s.%s(%s, %s)", AtomicName, name, strings.TrimPrefix(at, "*"), x)
}

// element is the element of a slice that i accesses, of kind k.
func (p *printer) element(i *lir.Instr, k lir.Kind) (string, error) {
	m := i.Mem
	g := p.n.Groups[m.Group]
	disp := m.Disp
	at := fmt.Sprintf("o%d%s", m.Group, p.mark)
	switch {
	case i.Indexed():
		at = fmt.Sprintf("u%d%s + %s", m.Group, p.mark, p.stride(m))
		index := i.X
		if i.Op != lir.Gather {
			index = i.Y
		}
		if !p.zero[index] {
			at += fmt.Sprintf(" + int(%s)*%d", p.name(index), k.Size())
		}
	case m.Uniform:
		at = fmt.Sprintf("u%d%s", m.Group, p.mark)
	default:
		disp += m.Part * g.Size
	}
	if disp != 0 {
		at += fmt.Sprintf(" + %d", disp)
	}
	return fmt.Sprintf("*(*%s)(unsafe.Add(p%d%s, %s))", typeOf(k), m.Group, p.mark, at), nil
}

// value is the result of i as an expression.
func (p *printer) value(i *lir.Instr) (string, error) {
	x, y, z := p.name(i.X), p.name(i.Y), p.name(i.Z)
	t := typeOf(i.Kind)
	binary := func(op string) string {
		if i.Kind.IsFloat() { // the conversion rounds a product before its use, which prevents fusion
			return fmt.Sprintf("%s(%s %s %s)", t, x, op, y)
		}
		return fmt.Sprintf("%s %s %s", x, op, y)
	}
	inFloat64 := func(f string) string {
		if i.Kind == lir.F64 {
			return fmt.Sprintf("%s(%s)", f, x)
		}
		return fmt.Sprintf("float32(%s(float64(%s)))", f, x)
	}
	switch i.Op {
	case lir.Const:
		return constant(i.Kind, i.Imm), nil
	case lir.Arg:
		if i.Kind.Size() == 4 {
			return fmt.Sprintf("a.a%d[0]", i.Mem.Disp), nil
		}
		return fmt.Sprintf("%s(a.a%d)", t, i.Mem.Disp), nil
	case lir.Load, lir.Broadcast, lir.Gather:
		k := i.Kind
		if i.From != 0 {
			k = i.From
		}
		at, err := p.element(i, k)
		if k != i.Kind {
			at = fmt.Sprintf("%s(%s)", t, at)
		}
		return at, err
	case lir.Bools:
		return p.element(i, lir.Mask)
	case lir.Move:
		return x, nil
	case lir.Add:
		return binary("+"), nil
	case lir.Sub:
		return binary("-"), nil
	case lir.Mul:
		return binary("*"), nil
	case lir.Div:
		return binary("/"), nil
	case lir.MulHi:
		if i.Kind.Size() == 8 {
			break
		}
		twice := map[lir.Kind]string{lir.I32: "int64", lir.U32: "uint64"}[i.Kind]
		return fmt.Sprintf("%s(%s(%s) * %s(%s) >> 32)", t, twice, x, twice, p.name(i.Y)), nil
	case lir.And:
		return binary("&"), nil
	case lir.Or:
		return binary("|"), nil
	case lir.Xor:
		return binary("^"), nil
	case lir.Shl:
		return fmt.Sprintf("%s << %d", x, i.Imm), nil
	case lir.Shr:
		return fmt.Sprintf("%s >> %d", x, i.Imm), nil
	case lir.ShlBy:
		return binary("<<"), nil
	case lir.ShrBy:
		return binary(">>"), nil
	case lir.Neg:
		return "-" + x, nil
	case lir.Abs:
		if i.Kind == lir.F64 {
			return inFloat64("math.Abs"), nil
		}
		return fmt.Sprintf("math.Float32frombits(math.Float32bits(%s) &^ (1 << 31))", x), nil
	case lir.Sqrt:
		return inFloat64("math.Sqrt"), nil
	case lir.Floor:
		return inFloat64("math.Floor"), nil
	case lir.Ceil:
		return inFloat64("math.Ceil"), nil
	case lir.Trunc:
		return inFloat64("math.Trunc"), nil
	case lir.RoundToEven:
		return inFloat64("math.RoundToEven"), nil
	case lir.Recip:
		return fmt.Sprintf("1 / %s", x), nil
	case lir.Rsqrt:
		return fmt.Sprintf("1 / float32(math.Sqrt(float64(%s)))", x), nil
	case lir.FMA, lir.FNMA, lir.FMS:
		if i.Kind != lir.F64 {
			return "", errMissing
		}
		switch i.Op {
		case lir.FNMA:
			x = "-" + x
		case lir.FMS:
			z = "-" + z
		}
		return fmt.Sprintf("math.FMA(%s, %s, %s)", x, y, z), nil
	case lir.Min, lir.Least:
		return fmt.Sprintf("min(%s, %s)", x, y), nil
	case lir.Max, lir.Most:
		return fmt.Sprintf("max(%s, %s)", x, y), nil
	case lir.Bits:
		return bits(i.From, i.Kind, x), nil
	case lir.Convert:
		return fmt.Sprintf("%s(%s)", t, x), nil
	case lir.Cmp:
		if i.X == 0 { // 0 == 0
			return fmt.Sprint(i.Pred == lir.Eq), nil
		}
		return fmt.Sprintf("%s %v %s", x, i.Pred, y), nil
	case lir.Within:
		return fmt.Sprintf("at+%d >= %s && at+%d < %s", i.Part, p.scalar(i.Bounds[0]), i.Part, p.scalar(i.Bounds[1])), nil
	case lir.Whole:
		return p.scalar(i.Bounds[0]) + " > 0", nil
	case lir.Index:
		return fmt.Sprintf("%s(%s + (at+%d)*%s)", t, p.scalar(i.Bounds[0]), i.Part, p.scalar(i.Bounds[1])), nil
	case lir.MaskAnd:
		return fmt.Sprintf("%s && %s", x, y), nil
	case lir.MaskOr:
		return fmt.Sprintf("%s || %s", x, y), nil
	case lir.MaskNot:
		if i.X == 0 {
			return "!" + y, nil
		}
		return fmt.Sprintf("%s && !%s", x, y), nil
	}
	return "", errMissing
}

// constant is a constant of kind k with the bits b.
func constant(k lir.Kind, b uint64) string {
	switch k {
	case lir.F32:
		return float(float64(math.Float32frombits(uint32(b))), 32, b)
	case lir.F64:
		return float(math.Float64frombits(b), 64, b)
	case lir.I32:
		return fmt.Sprintf("int32(%d)", int32(b))
	case lir.U32:
		return fmt.Sprintf("uint32(%d)", uint32(b))
	case lir.I64:
		return fmt.Sprintf("int64(%d)", int64(b))
	}
	return fmt.Sprintf("uint64(%d)", b)
}

func float(x float64, size int, b uint64) string {
	if x == 0 && math.Signbit(x) || math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Sprintf("math.Float%dfrombits(%#x)", size, b)
	}
	return fmt.Sprintf("float%d(%s)", size, strconv.FormatFloat(x, 'g', -1, size))
}

// bits is x reinterpreted as another kind.
func bits(from, to lir.Kind, x string) string {
	if from.IsFloat() && !to.IsFloat() {
		x = fmt.Sprintf("math.Float%dbits(%s)", 8*from.Size(), x)
		from = [...]lir.Kind{4: lir.U32, 8: lir.U64}[from.Size()]
	}
	if to.IsFloat() && !from.IsFloat() {
		if from.IsSigned() {
			x = fmt.Sprintf("uint%d(%s)", 8*from.Size(), x)
		}
		return fmt.Sprintf("math.Float%dfrombits(%s)", 8*to.Size(), x)
	}
	if from == to {
		return x
	}
	return fmt.Sprintf("%s(%s)", typeOf(to), x)
}
