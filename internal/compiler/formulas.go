package compiler

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Functions of package math in nests. The formulas of formulas64.go repeat on vectors the
// operations of package math, one by one, so that results agree bit for bit. The formulas of
// formulas32.go are float32 approximations for kernels with the option fastmath, with errors of one
// or two units in the last place.

// A formula builds operations on floats of kind k.
type formula struct {
	l *lowering
	k lir.Kind
}

// ints is the integer kind of the same size.
func (f formula) ints() lir.Kind {
	if f.k == lir.F32 {
		return lir.I32
	}
	return lir.I64
}

func (f formula) num(x float64) operand {
	bits := math.Float64bits(x)
	if f.k == lir.F32 {
		bits = uint64(math.Float32bits(float32(x)))
	}
	return f.l.once(fmt.Sprint("c", bits, f.k), f.k, lir.Instr{Op: lir.Const, Imm: bits})
}

func (f formula) bits(n uint64) operand {
	return f.l.once(fmt.Sprint("c", n, f.ints()), f.ints(), lir.Instr{Op: lir.Const, Imm: n})
}

func (f formula) do(op lir.Op, args ...operand) operand {
	return f.l.op(lir.Instr{Op: op, Kind: f.k}, nil, args...)
}

func (f formula) add(x, y operand) operand { return f.do(lir.Add, x, y) }
func (f formula) sub(x, y operand) operand { return f.do(lir.Sub, x, y) }
func (f formula) mul(x, y operand) operand { return f.do(lir.Mul, x, y) }
func (f formula) div(x, y operand) operand { return f.do(lir.Div, x, y) }
func (f formula) neg(x operand) operand    { return f.do(lir.Neg, x) }
func (f formula) abs(x operand) operand    { return f.do(lir.Abs, x) }

// fma is x*y + z, rounded once; fnma is z - x*y.
func (f formula) fma(x, y, z operand) operand  { return f.do(lir.FMA, x, y, z) }
func (f formula) fnma(x, y, z operand) operand { return f.do(lir.FNMA, x, y, z) }

// int is an integer operation on the bits of floats.
func (f formula) int(op lir.Op, args ...operand) operand {
	return f.l.op(lir.Instr{Op: op, Kind: f.ints()}, nil, args...)
}

func (f formula) shl(x operand, by uint64) operand {
	return f.l.op(lir.Instr{Op: lir.Shl, Kind: f.ints(), Imm: by}, nil, x)
}

// shr is an arithmetic shift of 32 bits, but a logical shift of 64.
func (f formula) shr(x operand, by uint64) operand {
	if f.k == lir.F32 {
		return f.l.op(lir.Instr{Op: lir.Shr, Kind: lir.I32, Imm: by}, nil, x)
	}
	x = f.l.op(lir.Instr{Op: lir.Bits, Kind: lir.U64, From: lir.I64}, nil, x)
	x = f.l.op(lir.Instr{Op: lir.Shr, Kind: lir.U64, Imm: by}, nil, x)
	return f.l.op(lir.Instr{Op: lir.Bits, Kind: lir.I64, From: lir.U64}, nil, x)
}

func (f formula) toBits(x operand) operand {
	return f.l.op(lir.Instr{Op: lir.Bits, Kind: f.ints(), From: f.k}, nil, x)
}

func (f formula) fromBits(x operand) operand {
	return f.l.op(lir.Instr{Op: lir.Bits, Kind: f.k, From: f.ints()}, nil, x)
}

func (f formula) is(x operand, p lir.Pred, y operand) operand {
	return f.l.op(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: f.k, Pred: p}, nil, x, y)
}

// choose is x where m holds, else y.
func (f formula) choose(m, x, y operand) operand { return f.do(lir.Select, m, x, y) }

// signed is x with the sign of y, for x without a sign.
func (f formula) signed(x, y operand) operand {
	sign := f.bits(1 << (8*f.k.Size() - 1))
	return f.fromBits(f.int(lir.Or, f.toBits(x), f.int(lir.And, f.toBits(y), sign)))
}

// flipped is x, negated where y is negative.
func (f formula) flipped(x, y operand) operand {
	sign := f.bits(1 << (8*f.k.Size() - 1))
	return f.fromBits(f.int(lir.Xor, f.toBits(x), f.int(lir.And, f.toBits(y), sign)))
}

// horner evaluates a polynomial in x with fused operations, the lowest coefficient first.
func (f formula) horner(x operand, c ...float64) operand {
	y := f.num(c[len(c)-1])
	for _, a := range slices.Backward(c[:len(c)-1]) {
		y = f.fma(y, x, f.num(a))
	}
	return y
}

// steps evaluates a polynomial in x without fused operations, the highest coefficient first.
func (f formula) steps(x operand, c ...float64) operand {
	y := f.num(c[0])
	for _, a := range c[1:] {
		y = f.add(f.mul(y, x), f.num(a))
	}
	return y
}

// within leaves the nest, so that plain Go executes the strip, if an active lane is not in m.
func (f formula) within(m operand) {
	f.l.leaveWhere(f.l.joined(f.l.not(m), f.l.on))
}

// mathOf returns the formula for a func of package math on floats of kind k, or nil. With fast it
// may be an approximation.
func mathOf(name string, k lir.Kind, fast bool) func(f formula, args []operand) operand {
	if fast && k == lir.F32 {
		if of := formulas32[name]; of != nil {
			return of
		}
	}
	if k == lir.F64 {
		return formulas64[name]
	}
	return nil
}
