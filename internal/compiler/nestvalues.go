package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"math"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Values of nests: expressions of numbers.

// once returns a value that is made before everything else, or here if constants are late.
func (l *lowering) once(key string, k lir.Kind, i lir.Instr) operand {
	if !l.late {
		if v := l.consts[key]; v != 0 {
			return operand{v}
		}
	}
	v := l.n.New(k)
	i.Dst, i.Kind = v, k
	if l.late {
		l.emit(&i)
	} else {
		l.consts[key] = v
		l.first = append(l.first, &i)
	}
	return operand{v}
}

// value returns the values of e. If to is given they are there.
func (l *lowering) value(e Expr, to operand) operand {
	o := l.valueOf(e, to)
	if to != nil && !slices.Equal(o, to) {
		k := l.kind(e.Type())
		for p := range to {
			l.emit(&lir.Instr{Op: lir.Move, Kind: k, Dst: to[p], X: o.at(p)})
		}
		return to
	}
	return o
}

// constantBits returns the bits of a constant.
func constantBits(v constant.Value, k lir.Kind) uint64 {
	switch k {
	case lir.F32:
		f, _ := constant.Float32Val(constant.ToFloat(v))
		return uint64(math.Float32bits(f))
	case lir.F64:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		return math.Float64bits(f)
	}
	v = constant.ToInt(v)
	if n, ok := constant.Int64Val(v); ok {
		return uint64(uint32(n))
	}
	n, _ := constant.Uint64Val(v)
	return uint64(uint32(n))
}

func (l *lowering) valueOf(e Expr, to operand) operand {
	if !basic(e.Type()) {
		cannot("a value of type %s", e.Type())
	}
	k := l.kind(e.Type())
	switch x := e.(type) {
	case *Const:
		bits := constantBits(x.Val, k)
		return l.once(fmt.Sprint("c", bits, k), k, lir.Instr{Op: lir.Const, Imm: bits})
	case *VarRef:
		if o := l.values[x.V]; o != nil {
			return o
		}
		if x.V.value != nil {
			return l.value(x.V.value, to)
		}
	case *Index:
		if key, ok := l.elementKey(x); ok {
			if reg := l.promotedAt(key); reg != nil {
				return reg
			}
		}
		m, step := l.element(x)
		key := fmt.Sprint(m, k)
		if o := l.loads[key]; o != nil {
			return o
		}
		if step == 0 {
			v := l.n.New(k)
			l.emit(&lir.Instr{Op: lir.Broadcast, Kind: k, Dst: v, Mem: m})
			l.loads[key] = operand{v}
			return operand{v}
		}
		o := make(operand, l.parts)
		if step < 0 {
			at := l.strides(k)
			for p := range o {
				o[p] = l.n.New(k)
				m.Part = p
				l.emit(&lir.Instr{Op: lir.Gather, Kind: k, Dst: o[p], X: at, Mem: m, On: l.mask(p)})
			}
			l.loads[key] = o
			return o
		}
		for p := range o {
			o[p] = l.n.New(k)
			m.Part = p
			l.emit(&lir.Instr{Op: lir.Load, Kind: k, Dst: o[p], Mem: m, On: l.mask(p)})
		}
		l.loads[key] = o
		return o
	}
	if l.ofRow(e) {
		text := l.b.expr(l.expand(e))
		t := map[lir.Kind]string{lir.F32: "float32", lir.F64: "float64", lir.I32: "int32", lir.U32: "uint32"}[k]
		return l.once("a"+t+text, k, lir.Instr{Op: lir.Arg, Mem: lir.Mem{Disp: l.arg(t, fmt.Sprintf("%s(%s)", t, text))}})
	}
	switch x := e.(type) {
	case *Binary:
		return l.binary(x, k, to)
	case *Unary:
		switch x.Op {
		case token.ADD:
			return l.value(x.X, to)
		case token.SUB:
			return l.op(lir.Instr{Op: lir.Neg, Kind: k}, to, l.value(x.X, nil))
		case token.XOR:
			ones := l.once(fmt.Sprint("c", uint32(math.MaxUint32), k), k, lir.Instr{Op: lir.Const, Imm: math.MaxUint32})
			return l.op(lir.Instr{Op: lir.Xor, Kind: k}, to, l.value(x.X, nil), ones)
		}
	case *Convert:
		if verb, arg, ok := floatCall(x); ok && k.IsFloat() && l.kind(arg.Type()) == k {
			return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(arg, nil))
		}
		if basic(x.X.Type()) && elem(x.X.Type()) == elem(x.T) {
			return l.value(x.X, to)
		}
		from := elem(x.X.Type())
		if from == "I32" && k == lir.F32 || (from == "I32" || from == "U32") && (k == lir.I32 || k == lir.U32) {
			return l.op(lir.Instr{Op: lir.Convert, Kind: k, From: l.kind(x.X.Type())}, to, l.value(x.X, nil))
		}
	case *Call:
		if verb, arg, ok := floatCall(x); ok && l.kind(arg.Type()) == k {
			return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(arg, nil))
		}
		if x.Fn == nil && (x.Name == "min" || x.Name == "max") && !k.IsFloat() {
			verb := map[string]lir.Op{"min": lir.Min, "max": lir.Max}[x.Name]
			o := l.value(x.Args[0], nil)
			for _, a := range x.Args[1:] {
				o = l.op(lir.Instr{Op: verb, Kind: k}, nil, o, l.value(a, nil))
			}
			return o
		}
	}
	cannot("%s", expressionName(e))
	return nil
}

// expressionName says what an expression is that has no nest.
func expressionName(e Expr) string {
	switch e := e.(type) {
	case *Convert:
		return fmt.Sprintf("a conversion from %s to %s", e.X.Type(), e.T)
	case *Call:
		if e.Name != "" {
			return "a call of " + e.Name
		}
		return "a call"
	case *VarRef:
		return "a variable of another kind, " + e.V.Name
	case *Field, *Deref:
		return "a field, or what a pointer points to"
	}
	return "an operation that has no vectors yet"
}

// floatCall reports whether e is math.Sqrt or math.Abs of arg, in float32 as a conversion there and back.
func floatCall(e Expr) (verb lir.Op, arg Expr, ok bool) {
	verbs := map[string]lir.Op{"math.Sqrt": lir.Sqrt, "math.Abs": lir.Abs}
	switch x := e.(type) {
	case *Call:
		verb, ok = verbs[x.Name]
		if ok && len(x.Args) == 1 {
			return verb, x.Args[0], true
		}
	case *Convert:
		c, isCall := x.X.(*Call)
		if !isCall || elem(x.T) != "F32" || len(c.Args) != 1 {
			return 0, nil, false
		}
		if verb, ok = verbs[c.Name]; !ok {
			return 0, nil, false
		}
		if back, isBack := c.Args[0].(*Convert); isBack && elem(back.X.Type()) == "F32" {
			return verb, back.X, true
		}
	}
	return 0, nil, false
}

// op emits an instruction for each part.
func (l *lowering) op(i lir.Instr, to operand, args ...operand) operand {
	parts := 1
	for _, a := range args {
		parts = max(parts, len(a))
	}
	if to == nil {
		to = make(operand, parts)
		for p := range to {
			to[p] = l.n.New(i.Kind)
		}
	}
	for p := range to {
		x := i
		x.Dst = to[p]
		for j, a := range args {
			*[]*lir.Value{&x.X, &x.Y, &x.Z}[j] = a.at(p)
		}
		l.emit(&x)
	}
	return to
}

func (l *lowering) binary(x *Binary, k lir.Kind, to operand) operand {
	if x.Op == token.SHL || x.Op == token.SHR {
		n, ok := constInt(x.Y)
		if !ok || n < 0 || n >= int64(8*k.Size()) {
			cannot("a shift by what is no constant")
		}
		return l.op(lir.Instr{Op: map[token.Token]lir.Op{token.SHL: lir.Shl, token.SHR: lir.Shr}[x.Op], Kind: k, Imm: uint64(n)}, to, l.value(x.X, nil))
	}
	if l.b.k.Fastmath && k.IsFloat() && (x.Op == token.ADD || x.Op == token.SUB) {
		if m, ok := productOf(x.X); ok {
			verb := lir.FMA
			if x.Op == token.SUB {
				verb = lir.FMS
			}
			c := l.value(x.Y, nil)
			return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(m.X, nil), l.value(m.Y, nil), c)
		}
		if m, ok := productOf(x.Y); ok {
			verb := lir.FMA
			if x.Op == token.SUB {
				verb = lir.FNMA
			}
			c := l.value(x.X, nil)
			return l.op(lir.Instr{Op: verb, Kind: k}, to, l.value(m.X, nil), l.value(m.Y, nil), c)
		}
	}
	op, ok := map[token.Token]lir.Op{token.ADD: lir.Add, token.SUB: lir.Sub, token.MUL: lir.Mul, token.QUO: lir.Div, token.AND: lir.And, token.OR: lir.Or, token.XOR: lir.Xor}[x.Op]
	if !ok || op == lir.Div && !k.IsFloat() {
		cannot("the operator %v", x.Op)
	}
	a := l.value(x.X, nil)
	return l.op(lir.Instr{Op: op, Kind: k}, to, a, l.value(x.Y, nil))
}

func productOf(e Expr) (*Binary, bool) {
	b, ok := e.(*Binary)
	return b, ok && b.Op == token.MUL
}
