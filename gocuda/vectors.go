package gocuda

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/gocuda/gocuda/internal/host"
)

// VectorBytes returns how wide the vectors are that compiled kernels use on this machine: 64 with AVX-512 (F, BW, DQ and VL), 32 with AVX2
// and FMA, and 0 where there are neither. It obeys GODEBUG, as in cpu.avx512f=off. Generated code calls it.
func VectorBytes() int { return vectorBytes() }

var vectorBytes = sync.OnceValue(func() int {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(host.Get().Features, n) })
	}
	switch {
	case !has("AVX2", "FMA3"):
		return 0
	case has("AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL"):
		return 64
	}
	return 32
})

// Bit returns 1 if a condition holds, else 0. Generated code calls it.
func Bit(cond bool) int {
	if cond {
		return 1
	}
	return 0
}

// MostWork is how many rounds of its loops a thread of a row in assembly may go. Assembly is not preempted: while it runs the garbage collector
// waits, and nobody can cancel the launch. Rows with more are plain Go.
const MostWork = 1 << 22

// stripWork is how many rounds the threads of a call go together, at most, but for calls of 64 threads. It is some milliseconds.
const stripWork = 1 << 23

// Strip returns how many threads of a row a call of assembly takes if each goes so many rounds. Generated code calls it.
func Strip(work float64) int { return max(64, int(stripWork/work)&^63) }

// After returns the first number from lo on that is not between from and below to, if from is not above lo; else lo. Generated code calls it.
func After(lo, from, to int) int {
	if from <= lo && lo < to {
		return to
	}
	return lo
}

// Before returns hi, or from if all from there on to hi are below to: the numbers below hi and not between from and to are below it. Generated
// code calls it.
func Before(hi, from, to int) int {
	if to >= hi && from < hi {
		return from
	}
	return hi
}

// Small reports whether -2^bits <= n < 2^bits. Generated code calls it.
func Small(n int, bits uint) bool { return uint64(int64(n)+1<<bits) < 1<<(bits+1) }

// Apart reports whether two slices have no memory in common. Generated code calls it.
func Apart[T, U any](x []T, y []U) bool {
	a, b := uintptr(unsafe.Pointer(unsafe.SliceData(x))), uintptr(unsafe.Pointer(unsafe.SliceData(y)))
	var t T
	var u U
	return a+uintptr(len(x))*unsafe.Sizeof(t) <= b || b+uintptr(len(y))*unsafe.Sizeof(u) <= a
}
