package amd64

import (
	"math"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Legalization for AVX2: operations that only AVX-512 has an instruction for become several
// operations. These are comparison, minimum and maximum of 64-bit integers, and conversions between
// floats and unsigned integers.

// A legalizer collects the operations of a list.
type legalizer struct {
	n    *lir.Nest
	list []lir.Node
}

// legalized returns list with operations that AVX2 has.
func legalized(n *lir.Nest, list []lir.Node) []lir.Node {
	l := &legalizer{n: n}
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if l.instr(x) {
				continue
			}
		case *lir.Loop:
			x.Head, x.Body = legalized(n, x.Head), legalized(n, x.Body)
		case *lir.When:
			x.Then, x.Else = legalized(n, x.Then), legalized(n, x.Else)
		}
		l.list = append(l.list, x)
	}
	return l.list
}

// do adds an operation with the result dst, or a new value if dst is 0.
func (l *legalizer) do(i lir.Instr, dst lir.Value, args ...lir.Value) lir.Value {
	if dst == 0 {
		dst = l.n.New(i.Kind)
	}
	for j, a := range args {
		*[]*lir.Value{&i.X, &i.Y, &i.Z}[j] = a
	}
	i.Dst = dst
	l.list = append(l.list, &i)
	return dst
}

func (l *legalizer) constant(k lir.Kind, bits uint64) lir.Value {
	return l.do(lir.Instr{Op: lir.Const, Kind: k, Imm: bits}, 0)
}

// instr adds the operations that stand for x, and reports whether there are any.
func (l *legalizer) instr(x *lir.Instr) bool {
	switch {
	case (x.Op == lir.Min || x.Op == lir.Max) && x.Kind.Size() == 8 && !x.Kind.IsFloat():
		pred := map[lir.Op]lir.Pred{lir.Min: lir.Lt, lir.Max: lir.Gt}[x.Op]
		first := l.compare(x.Kind, pred, 0, x.X, x.Y)
		l.do(lir.Instr{Op: lir.Select, Kind: x.Kind}, x.Dst, first, x.X, x.Y)
	case x.Op == lir.Cmp && x.From == lir.U64 && x.Pred != lir.Eq && x.Pred != lir.Ne:
		l.compare(x.From, x.Pred, x.Dst, x.X, x.Y)
	case x.Op == lir.Convert && x.Kind == lir.U32 && x.From.IsFloat():
		l.floatToUint32(x)
	case x.Op == lir.Convert && x.From == lir.U64 && x.Kind == lir.F32:
		l.uint64ToFloat(x)
	default:
		return false
	}
	return true
}

// compare compares 64-bit integers. The order of unsigned integers is that of signed integers with the
// highest bit flipped.
func (l *legalizer) compare(k lir.Kind, pred lir.Pred, dst, a, b lir.Value) lir.Value {
	if k == lir.U64 {
		top := l.constant(lir.I64, 1<<63)
		a, b = l.do(lir.Instr{Op: lir.Xor, Kind: lir.I64}, 0, a, top), l.do(lir.Instr{Op: lir.Xor, Kind: lir.I64}, 0, b, top)
	}
	if dst == 0 {
		dst = l.n.New(lir.Mask)
	}
	return l.do(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.I64, Pred: pred}, dst, a, b)
}

// floatToUint32 converts floats in [0, 2^32). From floats from 2^31 on it subtracts 2^31, and sets the
// highest bit of the result.
func (l *legalizer) floatToUint32(x *lir.Instr) {
	limit := uint64(math.Float32bits(1 << 31))
	if x.From == lir.F64 {
		limit = math.Float64bits(1 << 31)
	}
	cutoff := l.constant(x.From, limit)
	convert := func(v lir.Value) lir.Value {
		return l.do(lir.Instr{Op: lir.Convert, Kind: lir.I32, From: x.From}, 0, v)
	}
	small := l.do(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: x.From, Pred: lir.Lt}, 0, x.X, cutoff)
	low := convert(x.X)
	high := convert(l.do(lir.Instr{Op: lir.Sub, Kind: x.From}, 0, x.X, cutoff))
	high = l.do(lir.Instr{Op: lir.Xor, Kind: lir.I32}, 0, high, l.constant(lir.I32, 1<<31))
	l.do(lir.Instr{Op: lir.Select, Kind: lir.U32}, x.Dst, small, low, high)
}

// uint64ToFloat converts unsigned integers to float32, by way of float64, which must not round. Of integers from 2^52
// on it takes the highest 52 bits; the lowest of these is also set if a lost bit is, so that they are rounded as the
// integer would be.
func (l *legalizer) uint64ToFloat(x *lir.Instr) {
	two := func(op lir.Op, k lir.Kind, a, b lir.Value) lir.Value {
		return l.do(lir.Instr{Op: op, Kind: k}, 0, a, b)
	}
	shr := func(a lir.Value, by uint64) lir.Value {
		return l.do(lir.Instr{Op: lir.Shr, Kind: lir.U64, Imm: by}, 0, a)
	}
	const lost = 12
	ones := l.constant(lir.U64, 1<<lost-1)
	sticky := shr(two(lir.Add, lir.U64, two(lir.And, lir.U64, x.X, ones), ones), lost)
	high := two(lir.Or, lir.U64, shr(x.X, lost), sticky)
	small := l.do(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.U64, Pred: lir.Eq}, 0, shr(x.X, 64-lost), l.constant(lir.U64, 0))
	part := l.do(lir.Instr{Op: lir.Select, Kind: lir.U64}, 0, small, x.X, high)
	f := l.do(lir.Instr{Op: lir.Convert, Kind: lir.F64, From: lir.U64}, 0, part)
	scaled := two(lir.Mul, lir.F64, f, l.constant(lir.F64, math.Float64bits(1<<lost)))
	whole := l.do(lir.Instr{Op: lir.Select, Kind: lir.F64}, 0, small, f, scaled)
	l.do(lir.Instr{Op: lir.Convert, Kind: lir.F32, From: lir.F64}, x.Dst, whole)
}
