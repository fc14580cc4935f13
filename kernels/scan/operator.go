package scan

import (
	"math"
	"reflect"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The operations of this package. They are part of the kernels, and several times as fast as other
// operators, whose methods the kernels call. A scan needs of its operation that (a*b)*c is a*(b*c),
// because that is what allows a part of an array to be combined before what comes in front of it is
// known, and an identity, which is what stands there if nothing does.

// Sum is addition. Integers wrap around.
type Sum[T kernels.Number] struct{}

// Identity returns 0.
func (Sum[T]) Identity() T { return 0 }

// Combine returns a + b.
func (Sum[T]) Combine(a, b T) T { return a + b }

// Product is multiplication. Integers wrap around.
type Product[T kernels.Number] struct{}

// Identity returns 1.
func (Product[T]) Identity() T { return 1 }

// Combine returns a * b.
func (Product[T]) Combine(a, b T) T { return a * b }

// Max is the larger of two numbers, or NaN if one is.
type Max[T kernels.Number] struct{}

// Identity returns the smallest value of the type, which is negative infinity for floats.
func (Max[T]) Identity() T { low, _ := limits[T](); return low }

// Combine returns max(a, b).
func (Max[T]) Combine(a, b T) T { return max(a, b) }

// Min is the smaller of two numbers, or NaN if one is.
type Min[T kernels.Number] struct{}

// Identity returns the largest value of the type, which is infinity for floats.
func (Min[T]) Identity() T { _, high := limits[T](); return high }

// Combine returns min(a, b).
func (Min[T]) Combine(a, b T) T { return min(a, b) }

// limits returns the smallest and the largest value of a type.
func limits[T kernels.Number]() (low, high T) {
	minusOne := low - 1
	switch {
	case minusOne > 0: // unsigned: it is the largest
		return 0, minusOne
	case minusOne/2 != 0: // -0.5, where an integer has 0
		inf := math.Inf(1)
		return T(-inf), T(inf)
	}
	for range reflect.TypeFor[T]().Bits() - 1 {
		high = 2*high + 1
	}
	return -high - 1, high
}

// An operation is an operator of this package as an argument of a kernel. It is the same for all
// threads, so to ask for it costs a kernel with vectors little.
type operation int32

const (
	addition operation = iota
	multiplication
	maximum
	minimum
)

// apply combines a and b.
func apply[T kernels.Number](op operation, a, b T) T {
	switch op {
	case multiplication:
		return a * b
	case maximum:
		return max(a, b)
	case minimum:
		return min(a, b)
	}
	return a + b
}

// call combines a and b. It is a func so that kernels, which can't call methods of interfaces, can
// call it.
func call[T any, O kernels.Operator[T]](op O, a, b T) T { return op.Combine(a, b) }

// A family is the kernels for an operator. Each kernel is there twice: for the operations of this
// package, and for any Operator.
type family[T any] interface {
	scanTiles(inclusive bool, n int, out, in, totals []T) gocuda.Kernel
	circuitTiles(c circuit, inclusive bool, n int, out, in, totals []T) gocuda.Kernel
	fan(n int, out, before []T) gocuda.Kernel
	reduceParts(part, n int, in, totals []T) gocuda.Kernel
	scanParts(inclusive bool, part, n int, out, in, before []T) gocuda.Kernel
	reduceWarps(part, n int, in, totals []T) gocuda.Kernel
	scanWarps(inclusive bool, part, n int, out, in, before []T) gocuda.Kernel
	reduceRuns(n int, in, totals []T) gocuda.Kernel
	scanRuns(inclusive bool, n int, out, in, before []T) gocuda.Kernel
}

// familyOf returns the kernels for an operator.
func familyOf[T any, O kernels.Operator[T]](op O) family[T] {
	if own, ok := any(op).(interface{ family() family[T] }); ok {
		return own.family()
	}
	return custom[T, O]{op, op.Identity()}
}

func (o Sum[T]) family() family[T]     { return builtin[T]{addition, o.Identity()} }
func (o Product[T]) family() family[T] { return builtin[T]{multiplication, o.Identity()} }
func (o Max[T]) family() family[T]     { return builtin[T]{maximum, o.Identity()} }
func (o Min[T]) family() family[T]     { return builtin[T]{minimum, o.Identity()} }

// builtin is the family of the operators of this package.
type builtin[T kernels.Number] struct {
	op       operation
	identity T
}

func (f builtin[T]) scanTiles(inclusive bool, n int, out, in, totals []T) gocuda.Kernel {
	return scanTilesKernel(f.op, f.identity, inclusive, n, out, in, totals)
}

func (f builtin[T]) circuitTiles(c circuit, inclusive bool, n int, out, in, totals []T) gocuda.Kernel {
	return circuitTilesKernel(c, f.op, f.identity, inclusive, n, out, in, totals)
}

func (f builtin[T]) fan(n int, out, before []T) gocuda.Kernel {
	return fanKernel(f.op, n, out, before)
}

func (f builtin[T]) reduceParts(part, n int, in, totals []T) gocuda.Kernel {
	return reducePartsKernel(f.op, f.identity, part, n, in, totals)
}

func (f builtin[T]) scanParts(inclusive bool, part, n int, out, in, before []T) gocuda.Kernel {
	return scanPartsKernel(f.op, f.identity, inclusive, part, n, out, in, before)
}

func (f builtin[T]) reduceWarps(part, n int, in, totals []T) gocuda.Kernel {
	return reduceWarpsKernel(f.op, f.identity, part, n, in, totals)
}

func (f builtin[T]) scanWarps(inclusive bool, part, n int, out, in, before []T) gocuda.Kernel {
	return scanWarpsKernel(f.op, f.identity, inclusive, part, n, out, in, before)
}

func (f builtin[T]) reduceRuns(n int, in, totals []T) gocuda.Kernel {
	if f.op == addition {
		return sumRunsKernel(n, in, totals)
	}
	return reduceRunsKernel(int8(f.op), n, in, totals)
}

func (f builtin[T]) scanRuns(inclusive bool, n int, out, in, before []T) gocuda.Kernel {
	if f.op == addition {
		return scanSumsKernel(inclusive, n, out, in, before)
	}
	return scanRunsKernel(int8(f.op), inclusive, n, out, in, before)
}

// custom is the family of all other operators.
type custom[T any, O kernels.Operator[T]] struct {
	op       O
	identity T
}

func (f custom[T, O]) scanTiles(inclusive bool, n int, out, in, totals []T) gocuda.Kernel {
	return scanTilesOfKernel(f.op, f.identity, inclusive, n, out, in, totals)
}

func (f custom[T, O]) circuitTiles(c circuit, inclusive bool, n int, out, in, totals []T) gocuda.Kernel {
	return circuitTilesOfKernel(c, f.op, f.identity, inclusive, n, out, in, totals)
}

func (f custom[T, O]) fan(n int, out, before []T) gocuda.Kernel {
	return fanOfKernel(f.op, n, out, before)
}

func (f custom[T, O]) reduceParts(part, n int, in, totals []T) gocuda.Kernel {
	return reducePartsOfKernel(f.op, f.identity, part, n, in, totals)
}

func (f custom[T, O]) scanParts(inclusive bool, part, n int, out, in, before []T) gocuda.Kernel {
	return scanPartsOfKernel(f.op, f.identity, inclusive, part, n, out, in, before)
}

func (f custom[T, O]) reduceWarps(part, n int, in, totals []T) gocuda.Kernel {
	return reduceWarpsOfKernel(f.op, f.identity, part, n, in, totals)
}

func (f custom[T, O]) scanWarps(inclusive bool, part, n int, out, in, before []T) gocuda.Kernel {
	return scanWarpsOfKernel(f.op, f.identity, inclusive, part, n, out, in, before)
}

func (f custom[T, O]) reduceRuns(n int, in, totals []T) gocuda.Kernel {
	return reduceRunsOfKernel(f.op, n, in, totals)
}

func (f custom[T, O]) scanRuns(inclusive bool, n int, out, in, before []T) gocuda.Kernel {
	return scanRunsOfKernel(f.op, inclusive, n, out, in, before)
}
