//go:build compiled

package corpus

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Threads that have a row of a matrix each, and add up what is along it. The numbers are small
// integers, so sums of floats are the same in any order, and all forms agree in all bits, also of
// kernels marked fastmath.

// acWidths are lengths of rows: below a vector, vectors with rests, and whole ones.
var acWidths = []int{1, 7, 16, 37, 64}

// acMatrix returns the elements of a matrix with so many rows.
func acMatrix[T int32 | float32 | float64](rows, m int) []T {
	a := make([]T, rows*m)
	for i := range a {
		a[i] = T(i*i%13 - i%7)
	}
	return a
}

// A dot product of the row with the first one.
//
//gocuda:kernel fastmath
func acDots(t *gocuda.Thread, m int, in, out []float32) {
	i := t.GlobalX()
	var sum float32
	for k := 0; k < m; k++ {
		sum += in[i*m+k] * in[k]
	}
	out[i] = sum
}

// Two sums of parts of the row, one of them of what is taken away, with names in the loop, in
// elements that are kept.
//
//gocuda:kernel fastmath
func acParts(t *gocuda.Thread, m int, in, out []float64) {
	i := t.GlobalX()
	row := i * m
	w := in[0] + 2
	sum := 1.0
	for k := m / 3; k <= m-2; k++ {
		a, b := in[row+k], in[m-1]
		c := (a + w) * b
		sum = c*2 + sum
		out[i] -= a - in[k+1]
	}
	out[i] += sum * 3
}

// The nearest of some rows, by squared distances.
//
//gocuda:kernel fastmath
func acNearest(t *gocuda.Thread, m int, in []float32, out []int32) {
	i := t.GlobalX()
	best, least := int32(-1), float32(1e30)
	for c := 0; c < 5 && (c+1)*m <= len(in); c++ {
		var sum float32
		for k := 0; k < m; k++ {
			d := in[i*m+k] - in[c*m+k]
			sum += d * d
		}
		if sum < least {
			best, least = int32(c), sum
		}
	}
	out[i] = best
}

// Sums of integers.
//
//gocuda:kernel
func acBits(t *gocuda.Thread, m int, in, out []int32) {
	i := t.GlobalX()
	base := int32(3)
	for k := range m {
		base += (in[i*m+k]^in[k])&0xff - in[i*m]*in[i*m+k]
	}
	out[i] = base
}

// A sum in an element that another statement of the loop looks at.
//
//gocuda:kernel
func acRunning(t *gocuda.Thread, m int, in, out []int32) {
	i := t.GlobalX()
	n := len(in) / m
	var s int32
	for k := 0; k < m; k++ {
		out[i] += in[i*m+k]
		s -= in[i*m+k] ^ out[i]
	}
	out[i] += s + int32(n)
}

// Rows of threads in a plane, in a loop around that has no sums.
//
//gocuda:kernel fastmath
func acPlane(t *gocuda.Thread, m int, in, out []float32) {
	i := t.GlobalX() + t.ThreadIdx.Y*t.BlockDim.X*t.GridDim.X
	for pass := range 3 {
		scale := float32(pass + 1)
		for k := 0; k < m; k++ {
			out[i] += in[i*m+k] * in[pass] * scale
		}
		out[i] = -out[i]
	}
}

// Sums in float64 of what is in float32: of squares, and of products with the first row.
//
//gocuda:kernel fastmath
func acDoubles(t *gocuda.Thread, m int, in []float32, out []float64) {
	i := t.GlobalX()
	var squares, products float64
	for k := range m {
		v := float64(in[i*m+k])
		squares += v * v
		products += v * float64(in[k])
	}
	out[i] = squares - 2*products
}

// Two places that advance together, the second one by two rows' lengths; both are used behind the loop.
//
//gocuda:kernel fastmath
func acFollowed(t *gocuda.Thread, m int, in, out []float32) {
	i := t.GlobalX()
	at := i * m
	end := at + m
	col, far := 0, i
	var sum float32
	for at < end {
		sum += in[at] * in[col]
		at++
		col++
		far += 2 * m
	}
	out[i] = sum + float32(at-end) + float32(col) + float32(far%5)
}

func acCase[A int32 | float32 | float64, B any](name string, cfgs []grid.Config, source func(*gocuda.Thread, int, []A, []B), compiled func(int, []A, []B) gocuda.Kernel) (cases []Case) {
	for _, m := range acWidths {
		cases = append(cases, perThreadOf(fmt.Sprint(name, "-", m), cfgs,
			func(n int) []A { return acMatrix[A](n, m) },
			func(t *gocuda.Thread, in []A, out []B) { source(t, m, in, out) },
			func(in []A, out []B) gocuda.Kernel { return compiled(m, in, out) }, nil))
	}
	return cases
}

func acCases() []Case {
	lines, planes := []grid.Config{line(3, 128), line(5, 40)}, []grid.Config{{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 48, Y: 3}}, line(2, 80)}
	return slices.Concat(
		acCase("acDots", lines, acDots, acDotsKernel),
		acCase("acParts", lines, acParts, acPartsKernel),
		acCase("acNearest", lines, acNearest, acNearestKernel),
		acCase("acBits", lines, acBits, acBitsKernel),
		acCase("acRunning", lines, acRunning, acRunningKernel),
		acCase("acPlane", planes, acPlane, acPlaneKernel),
		acCase("acDoubles", lines, acDoubles, acDoublesKernel),
		acCase("acFollowed", lines, acFollowed, acFollowedKernel))
}
