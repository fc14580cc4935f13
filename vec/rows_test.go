//go:build goexperiment.simd && amd64

package vec_test

import (
	"slices"
	"testing"

	"github.com/gocuda/gocuda/vec"
)

func TestCopyRows(t *testing.T) {
	if !vec.HasAVX2() {
		t.Skip("no AVX2")
	}
	widths := []int{16, 32, 48, 64, 160}
	if !vec.HasAVX512() {
		widths = append(widths, 8, 24, 40)
	}
	for _, rows := range []int{0, 1, 3, 4, 5, 8, 16, 31} {
		for _, width := range widths {
			for _, gap := range []int{0, 1, 33} {
				testCopyRows(t, rows, width, width+gap, width+7, func(k int) float32 { return float32(k) })
				testCopyRows(t, rows, width, -(width + gap), width+7, func(k int) int32 { return int32(-k) })
				testCopyRows(t, rows, width, width+gap, -(width + 7), func(k int) uint64 { return uint64(k) << 40 })
				testCopyRows(t, rows, 4*width, 4*width+gap, 4*width, func(k int) uint8 { return uint8(k * 7) })
			}
		}
	}
}

func testCopyRows[E comparable](t *testing.T, rows, width, dNext, sNext int, value func(k int) E) {
	t.Helper()
	n := 5000 + 32*500
	d, s := make([]E, n), make([]E, n)
	for k := range s {
		s[k] = value(k + 1)
	}
	const i, j = 21, 35
	first := func(at, next int) int { return at + max(0, -next*rows) }
	want := slices.Clone(d)
	for r := range rows {
		copy(want[first(i, dNext)+r*dNext:][:width], s[first(j, sNext)+r*sNext:])
	}
	di, si := first(i, dNext), first(j, sNext)
	vec.CopyRows(d, di, di+dNext, s, si, si+sNext, rows, width)
	if !slices.Equal(d, want) {
		t.Errorf("%d rows of %d of type %T, %d and %d apart: not as copied by loops", rows, width, s[0], dNext, sNext)
	}
}
