//go:build compiled

package devicekernels

import (
	"slices"

	"github.com/gocuda/gocuda/gocuda"
)

// threads is the threads of a block, which is no multiple of most vectors at a time.
const threads = 240

// A Case is a kernel in both forms.
type Case struct {
	Name string
	// Make returns the kernel with n elements of input in each slice, which are the same in each
	// call, and outputs.
	Make func(n int) Instance
}

// An Instance is a kernel with its arguments, of which one form is to be run.
type Instance struct {
	Source   gocuda.Kernel // the function itself
	Compiled gocuda.Kernel // what the compiler's constructor returns
	Outputs  []any         // slices that the kernel writes
}

// Cases returns all cases.
func Cases() []Case {
	return slices.Concat(math32Cases, math64Cases, roundingCases, conversionsCases, halvesCases, integersCases, packedCases, fastCases, teslaCases, moreCases)
}

// The makers of cases: kernels with one, two or three slices of input, and one or two of output, in
// which k and l functions have n elements each.

func unary[A, R any](name string, k int, source func(*gocuda.Thread, int, []A, []R),
	compiled func(int, []A, []R) gocuda.Kernel) Case {
	return Case{name, func(n int) Instance {
		a, out := inputs[A](n, 0), make([]R, k*n)
		return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, n, a, out) }), compiled(n, a, out), []any{out}}
	}}
}

func one(name string, source func(t *gocuda.Thread, in, out []float32), compiled func(in, out []float32) gocuda.Kernel) Case {
	return Case{name, func(n int) Instance {
		// One element a thread, in whole blocks, which is more than n.
		n += threads - 1
		n -= n % threads
		in, out := inputs[float32](n, 0), make([]float32, n)
		return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, in, out) }), compiled(in, out), []any{out}}
	}}
}

func unaryTwo[A, R, S any](name string, k, l int, source func(*gocuda.Thread, int, []A, []R, []S),
	compiled func(int, []A, []R, []S) gocuda.Kernel) Case {
	return Case{name, func(n int) Instance {
		a, r, s := inputs[A](n, 0), make([]R, k*n), make([]S, l*n)
		return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, n, a, r, s) }), compiled(n, a, r, s), []any{r, s}}
	}}
}

func binary[A, B, R any](name string, k int, source func(*gocuda.Thread, int, []A, []B, []R),
	compiled func(int, []A, []B, []R) gocuda.Kernel) Case {
	return Case{name, func(n int) Instance {
		a, b, out := inputs[A](n, 0), inputs[B](n, 1), make([]R, k*n)
		return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, n, a, b, out) }), compiled(n, a, b, out), []any{out}}
	}}
}

func binaryTwo[A, B, R, S any](name string, k, l int, source func(*gocuda.Thread, int, []A, []B, []R, []S),
	compiled func(int, []A, []B, []R, []S) gocuda.Kernel) Case {
	return Case{name, func(n int) Instance {
		a, b, r, s := inputs[A](n, 0), inputs[B](n, 1), make([]R, k*n), make([]S, l*n)
		return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, n, a, b, r, s) }), compiled(n, a, b, r, s), []any{r, s}}
	}}
}

func ternary[A, B, C, R any](name string, k int, source func(*gocuda.Thread, int, []A, []B, []C, []R),
	compiled func(int, []A, []B, []C, []R) gocuda.Kernel) Case {
	return Case{name, func(n int) Instance {
		a, b, c, out := inputs[A](n, 0), inputs[B](n, 1), inputs[C](n, 2), make([]R, k*n)
		return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, n, a, b, c, out) }), compiled(n, a, b, c, out), []any{out}}
	}}
}
