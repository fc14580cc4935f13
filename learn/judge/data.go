package judge

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/gocuda/gocuda/mem"
)

// A Number is the type of an output's elements.
type Number interface {
	~uint8 | ~int32 | ~uint32 | ~int64 | ~int | ~float32 | ~float64
}

// Ints returns n distinct random numbers, in [-2^30, 2^30).
func Ints(c *Case, n int) []int32 {
	seen := make(map[int32]bool, n)
	s := Aligned[int32](n)[:0]
	for len(s) < n {
		if v := int32(c.Rand.Uint32()>>1) - 1<<30; !seen[v] {
			seen[v] = true
			s = append(s, v)
		}
	}
	readOnly(c, s)
	return s
}

// Aligned returns n elements that begin at a multiple of mem.Align bytes, as those of device memory
// do: the number of sectors that an access touches depends on it. The capacity is n.
func Aligned[T any](n int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	all := make([]T, n+mem.Align)
	skip := 0
	for uintptr(unsafe.Pointer(&all[skip]))%mem.Align != 0 && skip < mem.Align-1 && size > 0 {
		skip++
	}
	return all[skip : skip+n : skip+n]
}

// SmallInts returns n random numbers in [-1000, 1000], so that sums of a million of them are exact
// in an int32.
func SmallInts(c *Case, n int) []int32 {
	s := Aligned[int32](n)
	for i := range s {
		s[i] = int32(c.Rand.IntN(2001) - 1000)
	}
	readOnly(c, s)
	return s
}

// Floats returns n random numbers in [-1, 1).
func Floats(c *Case, n int) []float32 {
	s := Aligned[float32](n)
	for i := range s {
		s[i] = 2*c.Rand.Float32() - 1
	}
	readOnly(c, s)
	return s
}

// Output returns n elements for a kernel to write, filled with numbers that no result has by
// intent. Same names the slice by name. The capacity is n: what is written beyond is a panic.
func Output[T Number](c *Case, name string, n int) []T {
	s := Aligned[T](n)
	for i := range s {
		v := -77 - i%50 + 200*(i%2) // distinct from neighbours, and never 0
		s[i] = T(v)
	}
	Watch(c, name, s)
	return s
}

// Watch lets Same find the thread that writes an element of s, which the kernel changes in place.
func Watch[T Number](c *Case, name string, s []T) {
	delete(c.inputs, unsafe.Pointer(unsafe.SliceData(s)))
	if w := c.watched; w != nil && w.slice == name { // a new slice of that name: what changed the old one is of no interest
		w.wrapped, w.changed = false, nil
	}
	c.outputs[name] = func(i int) any {
		if i >= len(s) {
			return nil
		}
		return pattern(s[i])
	}
}

// readOnly makes s an input: Launch ends the case if the kernel changes it, unless s is given to Watch.
func readOnly[T Number](c *Case, s []T) {
	if len(s) == 0 {
		return
	}
	var before []T
	c.inputs[unsafe.Pointer(unsafe.SliceData(s))] = input{
		keep: func() { before = append(before[:0], s...) },
		changed: func() string {
			for i, v := range before {
				if pattern(v) != pattern(s[i]) {
					return fmt.Sprintf("the kernel changes its input, which it may only read: element %d was %v and is %v", i, v, s[i])
				}
			}
			return ""
		},
	}
}

// An input is a slice that kernels only read.
type input struct {
	keep    func()        // remembers its elements
	changed func() string // says which one has changed since, or ""
}

// pattern is v, but for NaN, which equals nothing, its bits.
func pattern[T Number](v T) any {
	switch x := any(v).(type) {
	case float32:
		return math.Float32bits(x)
	case float64:
		return math.Float64bits(x)
	}
	return v
}

// Same ends the case unless got equals want. NaN equals NaN.
func Same[T Number](c *Case, name string, got, want []T) {
	Within(c, name, got, want, func(int) float64 { return 0 })
}

// Within ends the case unless each got[i] is within tolerance(i) of want[i]. The tolerance is an
// absolute one, which the caller derives from the arithmetic: see SumError.
func Within[T Number](c *Case, name string, got, want []T, tolerance func(i int) float64) {
	if len(got) != len(want) {
		c.Fail("%s has %d elements, should have %d", name, len(got), len(want))
	}
	for i := range want {
		g, w := float64(got[i]), float64(want[i])
		tol := tolerance(i)
		if got[i] == want[i] || math.IsNaN(g) && math.IsNaN(w) || math.Abs(g-w) <= tol {
			continue
		}
		what := fmt.Sprintf("%s[%d] is %v, should be %v", name, i, got[i], want[i])
		if tol > 0 {
			what += fmt.Sprintf(" (within %.3g)", tol)
		}
		r := c.failure(what)
		r.Slice, r.Element = name, i
		panic(stop{r})
	}
}

// Answer ends the case unless the learner's answer to a question is the right one, which it does
// not tell.
func Answer[T comparable](c *Case, question string, got, right T) {
	if got != right {
		c.Fail("%s: %v is not right", question, got)
	}
}

// SumError bounds the difference between two sums of float32 terms that are added in different
// orders: n*u*sum|x| for each, with u = 2^-24 (Higham, Accuracy and Stability of Numerical
// Algorithms, section 4.2, to first order). One of the two is a sum in float64, whose own error is
// far below.
func SumError(terms int, sumOfMagnitudes float64) float64 {
	return float64(max(terms, 1)) * 0x1p-24 * sumOfMagnitudes
}
