// Package slicetest has assertions about large slices, for tests. An assertion compares all
// elements in a plain loop and reports one failure: the first wrong element with its index, and how
// many are wrong. The assertions of testify would print both slices in full, or have to be called
// once for each element.
//
// The parameters are in testify's order: what is wanted, what there is, and at the end, if
// anything, a message or a format with its arguments. An assertion returns whether it holds. It
// does not end the test, so any goroutine may call it.
package slicetest

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// Float is the element types that have a tolerance.
type Float interface{ ~float32 | ~float64 }

// Equal asserts that got has the elements of want, compared with ==: NaN equals nothing, and -0
// equals 0. Unlike assert.Equal it takes nil for an empty slice.
func Equal[T comparable](t testing.TB, want, got []T, msgAndArgs ...any) bool {
	t.Helper()
	if slices.Equal(want, got) {
		return true
	}
	return EqualFunc(t, want, got, func(want, got T) bool { return want == got }, msgAndArgs...)
}

// EqualBits asserts that got has the elements of want bit for bit: a NaN equals itself, and -0 is
// not 0.
func EqualBits[T Float](t testing.TB, want, got []T, msgAndArgs ...any) bool {
	t.Helper()
	return sameLength(t, len(want), len(got), msgAndArgs) &&
		each(t, len(got), func(i int) bool { return bits(want[i]) == bits(got[i]) }, func(i int) string {
			return fmt.Sprintf("want %v (%#x), got %v (%#x)", want[i], bits(want[i]), got[i], bits(got[i]))
		}, msgAndArgs)
}

func bits[T Float](v T) uint64 {
	if T(1)/3 == T(float32(1)/3) { // T has the precision of float32
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(float64(v))
}

// EqualFunc asserts that got has the length of want and that equal holds for each pair of elements.
func EqualFunc[W, G any](t testing.TB, want []W, got []G, equal func(want W, got G) bool, msgAndArgs ...any) bool {
	t.Helper()
	return sameLength(t, len(want), len(got), msgAndArgs) &&
		each(t, len(got), func(i int) bool { return equal(want[i], got[i]) }, func(i int) string {
			return fmt.Sprintf("want %v, got %v", want[i], got[i])
		}, msgAndArgs)
}

// Each asserts that element i of got is want(i), for every i. It calls want once for each index, in
// order.
func Each[T comparable](t testing.TB, want func(i int) T, got []T, msgAndArgs ...any) bool {
	t.Helper()
	all := make([]T, len(got))
	for i := range all {
		all[i] = want(i)
	}
	return Equal(t, all, got, msgAndArgs...)
}

// InDelta asserts that each element of got differs from that of want by delta at most. NaN is never
// in the tolerance; an infinity equals itself.
func InDelta[W, G Float](t testing.TB, want []W, got []G, delta float64, msgAndArgs ...any) bool {
	t.Helper()
	return Within(t, want, got, func(int) float64 { return delta }, msgAndArgs...)
}

// Within is InDelta with a tolerance of its own for each element. A tolerance that is not finite
// admits nothing but the wanted number.
func Within[W, G Float](t testing.TB, want []W, got []G, delta func(i int) float64, msgAndArgs ...any) bool {
	t.Helper()
	return sameLength(t, len(want), len(got), msgAndArgs) &&
		each(t, len(got), func(i int) bool {
			w, g, d := float64(want[i]), float64(got[i]), delta(i)
			return w == g || math.Abs(w-g) <= d && d <= math.MaxFloat64
		}, func(i int) string {
			return fmt.Sprintf("want %v within %v, got %v", want[i], delta(i), got[i])
		}, msgAndArgs)
}

func sameLength(t testing.TB, want, got int, msgAndArgs []any) bool {
	t.Helper()
	if want != got {
		t.Errorf("%swant %d elements, got %d", prefix(msgAndArgs), want, got)
	}
	return want == got
}

// each asserts that holds is true of the indexes below n. describe says what is wrong at an index.
func each(t testing.TB, n int, holds func(i int) bool, describe func(i int) string, msgAndArgs []any) bool {
	t.Helper()
	first, wrong := 0, 0
	for i := range n {
		if !holds(i) {
			if wrong == 0 {
				first = i
			}
			wrong++
		}
	}
	if wrong > 0 {
		t.Errorf("%s%d of %d elements are wrong, the first at index %d: %s", prefix(msgAndArgs), wrong, n, first, describe(first))
	}
	return wrong == 0
}

// prefix is the caller's message, which precedes that of the assertion. As in testify a format that
// is alone is a message.
func prefix(msgAndArgs []any) string {
	switch len(msgAndArgs) {
	case 0:
		return ""
	case 1:
		return fmt.Sprint(msgAndArgs[0]) + ": "
	}
	return fmt.Sprintf(msgAndArgs[0].(string), msgAndArgs[1:]...) + ": "
}
