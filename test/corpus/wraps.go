//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels whose indices wrap around between the first round of a loop and the last: both of these
// are within the array, and a round between them is not. Thread 0 of block 0 fails.

// The product of factors that are no large numbers is one.
//
//gocuda:kernel
func wrapProduct(t *gocuda.Thread, n, a, b int, in, out []float32) {
	s := float32(t.ThreadIdx.X)
	for k := 0; k < n; k++ {
		s += in[k*a*b]
	}
	out[t.GlobalX()] = s
}

// So is a sum with itself, some times.
//
//gocuda:kernel
func wrapSum(t *gocuda.Thread, n, a, b int, in, out []float32) {
	s := float32(t.ThreadIdx.X)
	for k := 0; k < n; k++ {
		i := k * (1 << 30)
		i2 := i + i
		i4 := i2 + i2
		i8 := i4 + i4
		s += in[i8+i8]
	}
	out[t.GlobalX()] = s
}

// The limit of the inner loop wraps around.
//
//gocuda:kernel
func wrapLimit(t *gocuda.Thread, n, a, b int, in, out []float32) {
	s := float32(t.ThreadIdx.X)
	for j := 0; j < n; j++ {
		for k := 0; k < j*a*b; k++ {
			s += in[k]
		}
	}
	out[t.GlobalX()] = s
}

// Numbers of 32 bits.
//
//gocuda:kernel
func wrapNarrow(t *gocuda.Thread, n, a, b int, in, out []float32) {
	s := float32(t.ThreadIdx.X)
	for k := int32(0); k < int32(n); k++ {
		s += in[k*int32(a)+int32(b)]
	}
	out[t.GlobalX()] = s
}

// A counter of 8 bits that steps over its limit.
//
//gocuda:kernel
func wrapStep(t *gocuda.Thread, n, a, b int, in, out []float32) {
	s := float32(t.ThreadIdx.X)
	for k := int8(0); k < int8(n); k += 100 {
		s += in[k]
	}
	out[t.GlobalX()] = s
}

// A limit that is no int.
//
//gocuda:kernel
func wrapUnsigned(t *gocuda.Thread, n, a, b int, in, out []float32) {
	s := float32(t.ThreadIdx.X)
	for k := uint64(0); k < uint64(n)*uint64(a); k += 2 {
		s += in[int(k)] + in[2*t.ThreadIdx.X+int(k)]
	}
	out[t.GlobalX()] = s
}

func wrapFailure(name, text string, n, a, b, length int, source func(*gocuda.Thread, int, int, int, []float32, []float32),
	compiled func(int, int, int, []float32, []float32) gocuda.Kernel) Failure {
	return Failure{Name: name, Config: grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1}}, Text: text,
		Make: func(cfg grid.Config) Instance {
			in, out := data[float32](length), make([]float32, 1)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, n, a, b, in, out) }),
				Compiled: compiled(n, a, b, in, out),
				Outputs:  []any{out},
			}
		}}
}

var wrapFailures = []Failure{
	wrapFailure("wrapProduct", "index out of range [1152921504606846976]", 17, 1<<30, 1<<30, 100, wrapProduct, wrapProductKernel),
	wrapFailure("wrapSum", "index out of range [17179869184]", 1<<29+1, 0, 0, 20, wrapSum, wrapSumKernel),
	wrapFailure("wrapLimit", "index out of range [100]", 17, 1<<30, 1<<30, 100, wrapLimit, wrapLimitKernel),
	wrapFailure("wrapNarrow", "index out of range [1073741824]", 5, 1<<30, 0, 20, wrapNarrow, wrapNarrowKernel),
	wrapFailure("wrapStep", "index out of range [-56]", 101, 0, 0, 130, wrapStep, wrapStepKernel),
	wrapFailure("wrapUnsigned", "index out of range [64]", 5, -1, 0, 64, wrapUnsigned, wrapUnsignedKernel),
}
