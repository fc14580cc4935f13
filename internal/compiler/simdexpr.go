package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// Values of vectors.

// mathCall takes a call of package math apart: float32(math.F(float64(x))) or math.F(x).
func mathCall(e Expr) (name string, x Expr, ok bool) {
	if c, isConv := e.(*Convert); isConv && elem(c.T) == "F32" {
		if call, isCall := c.X.(*Call); isCall && len(call.Args) == 1 && strings.HasPrefix(call.Name, "math.") {
			if in, isConv := call.Args[0].(*Convert); isConv && elem(in.T) == "F64" && elem(in.X.Type()) == "F32" {
				return call.Name[len("math."):], in.X, true
			}
		}
		return "", nil, false
	}
	if call, isCall := e.(*Call); isCall && len(call.Args) == 1 && strings.HasPrefix(call.Name, "math.") && elem(e.Type()) == "F64" {
		return call.Name[len("math."):], call.Args[0], true
	}
	return "", nil, false
}

// common puts a value that all parts use into a variable.
func (v *vector) common(s string, sh shape) string {
	if v.parts <= 1 || v.varies(sh) || v.shared == nil {
		return s
	}
	if v.shared[s] == "" {
		v.shared[s] = v.fresh("same")
		v.printf("%s := %s\n", v.shared[s], s)
	}
	return v.shared[s]
}

// value prints e as a vector.
func (v *vector) value(e Expr) string {
	sh := shapeOf(e)
	t := e.Type()
	if sh[0] == 0 {
		v.blame(e)
		s := fmt.Sprintf("%s(%s)", v.vec("Splat", t), v.cast(e, t))
		if !v.launchConstant(e) {
			return v.common(s, sh)
		}
		return v.all(s)
	}
	if scalarShape(sh) {
		return fmt.Sprintf("%s(%s, %s)", v.vec("Iota", t), v.cast(e, t), wrapped(int64(sh[0]), elem(t)))
	}
	if !v.holds(t) {
		panic(noVector{"a type without vectors of this many lanes"})
	}
	v.native += v.weight
	switch e := e.(type) {
	case *VarRef:
		if e.V.value != nil {
			v.need[e.V] = true
		}
		return v.name(e.V)
	case *Unary:
		switch e.Op {
		case token.SUB:
			return fmt.Sprintf("%s(%s)", v.vec("Neg", t), v.value(e.X))
		case token.ADD:
			return v.value(e.X)
		case token.XOR:
			return fmt.Sprintf("%s(%s)", v.vec("Not", t), v.value(e.X))
		}
	case *Binary:
		return v.binary(e)
	case *Convert:
		if name, x, ok := mathCall(e); ok {
			if f := v.mathName(name); f != "" {
				if s, ok := v.mirroredValue(e, f, x); ok {
					return s
				}
				return fmt.Sprintf("%s(%s)", v.vec(f, t), v.value(x))
			}
			break
		}
		if n, ok := v.nativeCall(e); ok {
			if s, ok := v.nativeValue(e, n); ok {
				return s
			}
			break
		}
		from, to := elem(e.X.Type()), elem(t)
		if sh := shapeOf(e.X); scalarShape(sh) && wide(e.X.Type()) && (to != "F32" || !unsigned(e.X.Type())) {
			// The steps of an index, in another type.
			switch to {
			case "F32":
				return fmt.Sprintf("%s(%s, %d)", v.vec("Count", t), v.intText(e.X), sh[0])
			case "F64":
			default:
				return fmt.Sprintf("%s(%s(%s), %s)", v.vec("Iota", t), elemGo[to], v.body.expr(e.X), wrapped(int64(sh[0]), to))
			}
		}
		if from == "" || !v.holds(e.X.Type()) {
			break
		}
		if from == to {
			return v.value(e.X)
		}
		return fmt.Sprintf("%s.Cvt%sx%d_%sx%d(%s)", v.vecName(), from, v.lanes, to, v.lanes, v.value(e.X))
	case *Index:
		if s, ok := v.load(e); ok {
			return s
		}
	case *Call:
		if (e.Name == "min" || e.Name == "max") && e.Fn == nil {
			verb := map[string]string{"min": "Min", "max": "Max"}[e.Name]
			s := v.value(e.Args[0])
			for _, a := range e.Args[1:] {
				s = fmt.Sprintf("%s(%s, %s)", v.vec(verb, t), s, v.value(a))
			}
			return s
		}
		if name, x, ok := mathCall(e); ok {
			if f := v.mathName(name); f != "" {
				if s, ok := v.mirroredValue(e, f, x); ok {
					return s
				}
				return fmt.Sprintf("%s(%s)", v.vec(f, t), v.value(x))
			}
		}
		if n, ok := v.nativeCall(e); ok {
			if s, ok := v.nativeValue(e, n); ok {
				return s
			}
		}
	}
	v.native -= v.weight
	return v.lanewiseValue(e)
}

// launchConstant reports whether e is the same for the whole launch, made of constants and parameters alone, and can't panic.
// It is computed once for all blocks, since what Go computes of floats takes SSE instructions. Where the upper halves of vector
// registers are in use, a processor saves them before such an instruction and brings them back behind it, which takes an AMD EPYC of the
// Zen 3 kind some 100 cycles each: Black-Scholes, with two multiplications of arguments in its loop, took three times as long.
func (b *body) launchConstant(e Expr) bool {
	switch x := e.(type) {
	case *Const:
		return true
	case *VarRef:
		return x.V.Param
	case *Unary:
		return x.Op == token.SUB && isFloat(x.Type()) && b.launchConstant(x.X)
	case *Binary:
		switch x.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO:
			return isFloat(x.T) && b.launchConstant(x.X) && b.launchConstant(x.Y)
		}
	}
	return false
}

// launchCondition returns the name of a comparison of floats that are the same for the whole launch, which is made once, as they are.
func (b *body) launchCondition(e *Binary) (name string, ok bool) {
	if b.width == 0 || compareVerbs[e.Op] == "" || !isFloat(e.X.Type()) || !b.launchConstant(e.X) || !b.launchConstant(e.Y) {
		return "", false
	}
	text := fmt.Sprintf("%s %s %s", b.operand(e.X, e, false), e.Op, b.operand(e.Y, e, true))
	if b.tops[text] == "" {
		name := uniqueName(b.names, "cond")
		b.tops[text] = name
		b.conds = append(b.conds, name)
		b.heads = append(b.heads, fmt.Sprintf("%s := %s.Holds(%s)", name, b.importName(vecPath, "vec"), text))
	}
	return b.tops[text], true
}

// wrapped prints n as a constant of the given element type, which may be too small for it.
func wrapped(n int64, kind string) string {
	switch kind {
	case "I32":
		n = int64(int32(n))
	case "U32":
		n = int64(uint32(n))
	case "I16":
		n = int64(int16(n))
	case "U16":
		n = int64(uint16(n))
	case "I8":
		n = int64(int8(n))
	case "U8":
		n = int64(uint8(n))
	case "U64":
		return fmt.Sprint(uint64(n))
	}
	return fmt.Sprint(n)
}

// mathName is the vector form of a function of package math, if it gives the same, or if the kernel allows
// approximations.
func (b *body) mathName(name string) string {
	switch name {
	case "Sqrt", "Abs", "Floor", "Ceil", "Trunc", "RoundToEven":
		return name
	}
	if !b.k.Fastmath || !b.prog.hasVec(name) {
		return ""
	}
	return name
}

// cast prints a scalar as package vec takes it.
func (v *vector) cast(e Expr, t types.Type) string {
	want := elemGo[elem(t)]
	if c, ok := e.(*Const); ok {
		return v.constant(c.Val, t, false)
	}
	if u, ok := t.(*types.Basic); ok && u.Name() == want || types.Identical(t, types.Typ[types.Uint8]) {
		return v.expr(e)
	}
	return want + "(" + v.expr(e) + ")"
}

func (v *vector) binary(e *Binary) string {
	t := e.T
	verb := map[token.Token]string{token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.AND: "And",
		token.OR: "Or", token.XOR: "Xor", token.AND_NOT: "AndNot"}[e.Op]
	if v.k.Fastmath && isFloat(t) {
		if s, ok := v.fast(e); ok {
			return s
		}
	}
	switch e.Op {
	case token.QUO, token.REM:
		if isFloat(t) {
			return fmt.Sprintf("%s(%s, %s)", v.vec("Div", t), v.value(e.X), v.value(e.Y))
		}
		verb := "Div"
		if e.Op == token.REM {
			verb = "Rem"
		}
		if n, ok := constInt(e.Y); ok && n > 0 && n&(n-1) == 0 {
			return v.powerOfTwo(verb, e.X, n, t)
		}
		if elemSizes[elem(t)] == 8 {
			v.divisions += v.weight // package vec does them lane by lane
		}
		x, y := v.value(e.X), v.value(e.Y)
		if _, ok := e.Y.(*Const); !ok {
			name := v.fresh("by")
			v.printf("%s := %s\n", name, y)
			z := v.fresh("z")
			v.printf("if %s := %s(%s, %s(0)) & %s; %s != 0 {\np.ZeroDivide(%s, uint32(%s))\n}\n",
				z, v.vec("Eq", t), name, v.vec("Splat", t), v.m(), z, v.rank(), z)
			y = name
		}
		return fmt.Sprintf("%s(%s, %s, %s)", v.vec(verb, t), x, y, v.m())
	case token.SHL, token.SHR:
		verb := "Shl"
		if e.Op == token.SHR {
			verb = "Shr"
		}
		if n, ok := constInt(e.Y); ok && n >= 0 {
			return v.shift(verb, t, v.value(e.X), n)
		}
		if shapeOf(e.Y)[0] == 0 && unsigned(e.Y.Type()) {
			bits := 8 * elemSizes[elem(t)]
			return fmt.Sprintf("%s(%s, %s.SplatU%dx%d(uint%d(min(uint64(%s), %d))))", v.vec(verb+"V", t), v.value(e.X),
				v.vecName(), bits, v.lanes, bits, v.expr(e.Y), bits)
		}
		if counts, ok := v.shiftCounts(e.Y, t); ok {
			return fmt.Sprintf("%s(%s, %s)", v.vec(verb+"V", t), v.value(e.X), counts)
		}
		return v.lanewiseValue(e)
	}
	if verb == "" {
		panic(noVector{"an operator without vector form"})
	}
	if e.Op == token.AND_NOT {
		// As x ^ x&y: Go 1.26 sometimes exchanges the operands of the instruction for x &^ y.
		x := v.simpleText(v.value(e.X))
		return fmt.Sprintf("%s(%s, %s(%s, %s))", v.vec("Xor", t), x, v.vec("And", t), x, v.value(e.Y))
	}
	return v.arith(verb, t, v.value(e.X), v.value(e.Y))
}

// shiftCounts prints the counts of a shift of elements of type t that differ between lanes, if none can be negative.
func (v *vector) shiftCounts(e Expr, t types.Type) (string, bool) {
	size := 8 * elemSizes[elem(t)]
	of := types.Typ[map[int]types.BasicKind{8: types.Uint8, 16: types.Uint16, 32: types.Uint32, 64: types.Uint64}[size]]
	if n, ok := v.limit(e); ok && (n < 1<<size || size == 64) {
		return v.value(&Convert{X: e, T: of}), true
	}
	if elem(e.Type()) == "U64" && v.holds(e.Type()) {
		y := v.value(e)
		if size < 64 {
			y = fmt.Sprintf("%s.CvtU64x%[2]d_U%[3]dx%[2]d(%[1]s.MinU64x%[2]d(%[4]s, %[1]s.SplatU64x%[2]d(%[3]d)))", v.vecName(), v.lanes, size, y)
		}
		return y, true
	}
	return "", false
}

// shift prints a shift by n. The form with a count for each lane is used, since Go 1.26 merges the other
// with a select into an instruction that it can't encode.
func (v *vector) shift(verb string, t types.Type, x string, n int64) string {
	bits := int64(8 * elemSizes[elem(t)])
	counts := fmt.Sprintf("U%dx%d", bits, v.lanes)
	return fmt.Sprintf("%s(%s, %s)", v.vec(verb+"V", t), x, v.all(fmt.Sprintf("%s.Splat%s(%d)", v.vecName(), counts, min(n, bits))))
}

// all returns the name of a vector with the same scalar in all lanes, which is made once for all blocks. Made
// where it is used it would keep the scalar alive, and Go reloads a spilled scalar with an SSE
// instruction, which waits for what is in the upper part of the register: n-body took twice the time.
func (v *vector) all(s string) string {
	if v.tops[s] == "" {
		v.tops[s] = v.fresh("all")
		v.heads = append(v.heads, fmt.Sprintf("%s := %s", v.tops[s], s))
	}
	return v.tops[s]
}

// powerOfTwo divides by n, a power of two, without dividing.
func (v *vector) powerOfTwo(verb string, x Expr, n int64, t types.Type) string {
	k := 0
	for int64(1)<<k < n {
		k++
	}
	s := v.value(x)
	if unsigned(t) {
		if verb == "Div" {
			return v.shift("Shr", t, s, int64(k))
		}
		return fmt.Sprintf("%s(%s, %s(%d))", v.vec("And", t), s, v.vec("Splat", t), n-1)
	}
	if k == 0 {
		if verb == "Div" {
			return s
		}
		return fmt.Sprintf("%s(%s, %s(0))", v.vec("And", t), s, v.vec("Splat", t)) // what x is made of is used
	}
	// Negative numbers are rounded up: n-1 is added to them first.
	name := v.fresh("num")
	v.printf("%s := %s\n", name, s)
	bias := fmt.Sprintf("%s(%s, %s(%d))", v.vec("And", t), v.shift("Shr", t, name, 63), v.vec("Splat", t), n-1)
	sum := fmt.Sprintf("%s(%s, %s)", v.vec("Add", t), name, bias)
	if verb == "Div" {
		return v.shift("Shr", t, sum, int64(k))
	}
	return fmt.Sprintf("%s(%s, %s(%s, %s(%d)))", v.vec("Sub", t), name, v.vec("And", t), sum, v.vec("Splat", t), -n)
}

// fast prints an operation of a kernel marked fastmath in fewer instructions.
func (v *vector) fast(e *Binary) (string, bool) {
	t := e.T
	mul := func(x Expr) (*Binary, bool) {
		b, ok := x.(*Binary)
		return b, ok && b.Op == token.MUL
	}
	switch e.Op {
	case token.ADD:
		// A sum of products begins with what is no product, so that all of them are fused.
		var products []*Binary
		var others []Expr
		var flat func(x Expr)
		flat = func(x Expr) {
			if b, ok := x.(*Binary); ok && b.Op == token.ADD && types.Identical(b.T, t) && !scalarShape(shapeOf(x)) {
				flat(b.X)
				flat(b.Y)
			} else if m, ok := mul(x); ok && !scalarShape(shapeOf(x)) {
				products = append(products, m)
			} else {
				others = append(others, x)
			}
		}
		flat(e)
		if len(products) == 0 {
			return "", false
		}
		var sum string
		if len(others) > 0 {
			sum = v.value(others[0])
			for _, x := range others[1:] {
				sum = v.arith("Add", t, sum, v.value(x))
			}
		} else {
			m := products[0]
			sum = v.arith("Mul", t, v.value(m.X), v.value(m.Y))
			products = products[1:]
		}
		for _, m := range products {
			sum = v.arith("FMA", t, v.value(m.X), v.value(m.Y), sum)
		}
		return sum, true
	case token.QUO:
		if name, x, ok := mathCall(e.Y); ok && name == "Sqrt" {
			s := fmt.Sprintf("%s(%s)", v.vec("RSqrtRough", t), v.value(x))
			if c, ok := e.X.(*Const); ok && constant.Compare(c.Val, token.EQL, constant.MakeInt64(1)) {
				return s, true
			}
			return v.arith("Mul", t, v.value(e.X), s), true
		}
	case token.MUL:
		if c, ok := v.cubes[e]; ok {
			name := "OverCubeRough"
			if c.lean {
				name = "OverCubeLean"
			}
			return fmt.Sprintf("%s(%s, %s)", v.vec(name, t), v.value(c.over), v.value(c.x)), true
		}
	}
	return "", false
}

var compareVerbs = map[token.Token]string{token.EQL: "Eq", token.NEQ: "Ne", token.LSS: "Lt", token.LEQ: "Le", token.GTR: "Gt", token.GEQ: "Ge"}

// maskOf prints a condition as a mask. Bits of lanes that are off mean nothing.
func (v *vector) maskOf(e Expr) string {
	if sh := shapeOf(e); sh[0] == 0 {
		v.blame(e)
		return fmt.Sprintf("%s.If(%s)", v.vecName(), v.expr(e))
	}
	v.native += v.weight
	switch e := e.(type) {
	case *VarRef:
		if e.V.value != nil {
			v.need[e.V] = true
		}
		return v.name(e.V)
	case *Unary:
		if e.Op == token.NOT {
			return "^" + paren(v.maskOf(e.X))
		}
	case *Binary:
		if e.Op == token.LAND || e.Op == token.LOR {
			op := "&"
			if e.Op == token.LOR {
				op = "|"
			}
			x := v.maskOf(e.X)
			if !mayPanic(e.Y) {
				return paren(x) + " " + op + " " + paren(v.maskOf(e.Y))
			}
			// The right side is computed for the lanes that need it.
			c, m := v.fresh("c"), v.fresh("mc")
			v.printf("%s := %s\n", c, x)
			if e.Op == token.LAND {
				v.printf("%s := %s & %s\n", m, v.m(), c)
			} else {
				v.printf("%s := %s &^ %s\n", m, v.m(), c)
			}
			v.printf("if %s != 0 {\n", m)
			v.ofPart[m] = true
			shared := v.shared
			v.shared = nil // what is made in there is not known after it
			v.narrowed(m, func() {
				y := v.maskOf(e.Y)
				if e.Op == token.LAND {
					v.printf("%s &= %s\n", c, y)
				} else {
					v.printf("%s |= %s & %s\n", c, m, paren(y))
				}
			})
			v.shared = shared
			v.printf("}\n")
			return c
		}
		if m, ok := v.compareSteps(e); ok {
			return m
		}
		if verb, ok := compareVerbs[e.Op]; ok && elem(e.X.Type()) != "" && v.holds(e.X.Type()) {
			return fmt.Sprintf("%s(%s, %s)", v.vec(verb, e.X.Type()), v.value(e.X), v.value(e.Y))
		}
		if isBool(e.X.Type()) && (e.Op == token.EQL || e.Op == token.NEQ) {
			s := paren(v.maskOf(e.X)) + " ^ " + paren(v.maskOf(e.Y))
			if e.Op == token.EQL {
				s = "^(" + s + ")"
			}
			return s
		}
	}
	if m, ok := v.nativeMask(e); ok {
		return m
	}
	v.native -= v.weight
	v.oneByOne(1)
	c := v.fresh("c")
	v.printf("var %s %s.Mask\n", c, v.vecName())
	v.eachLane([]Stmt{&Assign{L: []Expr{nil}, R: e}}, "", func() {
		v.printf("if %s {\n%s |= 1 << lane\n}\n", v.expr(e), c)
	})
	return c
}

// compareSteps compares a number that grows by 1 from lane to lane with one that is the same for all: the
// result is a run of lanes.
func (v *vector) compareSteps(e *Binary) (string, bool) {
	if !wide(e.X.Type()) || unsigned(e.X.Type()) || hasHuge(e) {
		return "", false
	}
	x, y, op := e.X, e.Y, e.Op
	sx, sy := shapeOf(x)[0], shapeOf(y)[0]
	if sx == 0 && sy == 1 {
		x, y = y, x
		if op != token.NEQ {
			op = flipped[op]
		}
	} else if sx != 1 || sy != 0 {
		return "", false
	}
	v.blame(x)
	v.blame(y)
	run := func(fn string) string {
		if base, err := strconv.Atoi(v.intText(x)); err == nil {
			if limit, err := strconv.Atoi(v.intText(y)); err == nil {
				if fn == "NotAbove" {
					limit++
				}
				return fmt.Sprintf("%s.Mask(%#x)", v.vecName(), uint32(1)<<max(min(limit-base, v.lanes), 0)-1)
			}
		}
		return fmt.Sprintf("%s.First(%s.%s(%s, %s, %d))", v.vecName(), v.core(), fn, v.intText(x), v.intText(y), v.lanes)
	}
	switch op {
	case token.LSS:
		return run("Below"), true
	case token.LEQ:
		return run("NotAbove"), true
	case token.GEQ:
		return "^" + run("Below"), true
	case token.GTR:
		return "^" + run("NotAbove"), true
	case token.EQL:
		return run("NotAbove") + " &^ " + run("Below"), true
	case token.NEQ:
		return "^(" + run("NotAbove") + " &^ " + run("Below") + ")", true
	}
	return "", false
}

// intText prints an integer as an int.
func (b *body) intText(e Expr) string {
	if n, ok := constInt(e); ok {
		return fmt.Sprint(n)
	}
	if types.Identical(e.Type(), intType) {
		return b.expr(e)
	}
	return "int(" + b.expr(e) + ")"
}
