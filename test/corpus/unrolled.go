//go:build compiled

package corpus

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops that people have unrolled by hand, loops that only look like that, and threads that handle
// several neighbouring elements. Kernels of loops have a row of w elements for each thread, of which
// the first unPad and the last are not theirs but there, so that wrong offsets stay within the row.

const unPad = 8

// Four sums of floats, in a kernel that may add them up in any order.
//
//gocuda:kernel fastmath
func unDot(t *gocuda.Thread, n, w int, x, y, z, q []float32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1, s2, s3 float32
	j := 0
	for ; j+3 < n; j += 4 {
		s0 += x[row+j] * y[row+j]
		s1 += x[row+j+1] * y[row+j+1]
		s2 += x[row+j+2] * y[row+j+2]
		s3 += x[row+j+3] * y[row+j+3]
	}
	for ; j < n; j++ {
		s0 += x[row+j] * y[row+j]
	}
	q[i] = (s0 + s1) + (s2 + s3)
}

// The same sums where their order matters.
//
//gocuda:kernel
func unDotExact(t *gocuda.Thread, n, w int, x, y, z, q []float32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1, s2, s3 float32
	j := 0
	for ; j+3 < n; j += 4 {
		s0 += x[row+j]
		s1 += x[row+j+1]
		s2 += x[row+j+2]
		s3 += x[row+j+3]
	}
	for ; j < n; j++ {
		s0 += x[row+j]
	}
	q[i] = s0 + s1 + s2 + s3
}

// One sum, in order.
//
//gocuda:kernel
func unInOrder(t *gocuda.Thread, n, w int, x, y, z, q []float64) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	sum := 0.5
	j := 0
	for ; j <= n-4; j += 4 {
		sum += x[row+j]
		sum += x[row+j+1]
		sum += x[row+j+2]
		sum += x[row+j+3]
	}
	for j < n {
		sum += x[row+j]
		j++
	}
	q[i] = sum
}

// Terms from left to right, which is not the order of a loop.
//
//gocuda:kernel
func unTermsExact(t *gocuda.Thread, n, w int, x, y, z, q []float32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	p := i*w + unPad
	var s float32
	var j int
	for j = 0; j+4 <= n; j += 4 {
		s += x[p+j] + x[p+j+1] + x[p+j+2] + x[p+j+3]
	}
	for ; j < n; j++ {
		s += x[p+j]
	}
	q[i] = s
}

//gocuda:kernel fastmath
func unTermsFast(t *gocuda.Thread, n, w int, x, y, z, q []float64) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	p := i*w + unPad
	s := 3.0
	whole := n - n%4
	for j := 0; j < whole; j += 4 {
		s -= x[p+j]*y[p+j] + x[p+j+1]*y[p+j+1] + x[p+j+2]*y[p+j+2] + x[p+j+3]*y[p+j+3]
	}
	for j := whole; j < n; j++ {
		s -= x[p+j] * y[p+j]
	}
	q[i] = s
}

// Eight sums of integers, added up as a tree.
//
//gocuda:kernel
func unEight(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	xr := x[i*w+unPad:]
	var a, b, c, d, e, f, g, h int32
	j := 0
	for ; j <= n-8; j += 8 {
		a += xr[j]
		b += xr[j+1]
		c += xr[j+2]
		d += xr[j+3]
		e += xr[j+4]
		f += xr[j+5]
		g += xr[j+6]
		h += xr[j+7]
	}
	for ; j < n; j++ {
		a += xr[j]
	}
	q[i] = ((a + b) + (c + d)) + ((e + f) + (g + h))
}

// The rest has a counter of its own, and a limit that is computed once more.
//
//gocuda:kernel
func unWhole(t *gocuda.Thread, n, w int, x, y, z, q []int64) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	base := i*w + unPad
	var s0, s1, s2 int64
	for j := 0; j < n/3*3; j += 3 {
		s0 += x[base+j] * y[base+j]
		s1 += x[base+j+1] * y[base+j+1]
		s2 += x[base+j+2] * y[base+j+2]
	}
	rest := int64(0)
	for k := n / 3 * 3; k < n; k++ {
		rest += x[base+k] * y[base+k]
	}
	q[i] = s0 + s1 + s2 + rest
}

// Stores, with the step in the body.
//
//gocuda:kernel
func unStores(t *gocuda.Thread, n, w int, x, y, z, q []int) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	j := 0
	for j < n-3 {
		z[row+j] = x[row+j] + 3*y[row+j]
		z[row+j+1] = x[row+j+1] + 3*y[row+j+1]
		z[row+j+2] = x[row+j+2] + 3*y[row+j+2]
		z[row+j+3] = x[row+j+3] + 3*y[row+j+3]
		j += 4
	}
	for j < n {
		z[row+j] = x[row+j] + 3*y[row+j]
		j++
	}
	q[i] = j
}

// Everything is loaded first, then stored.
//
//gocuda:kernel
func unLoadFirst(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	j := 0
	for ; j+1 < n; j += 2 {
		a, b := x[row+j], x[row+j+1]
		z[row+j] = a*3 + 1
		z[row+j+1] = b*3 + 1
	}
	if j < n {
		z[row+j] = x[row+j]*3 + 1
	}
	q[i] = int32(j)
}

// The same with floats and blocks of locals.
//
//gocuda:kernel
func unLocals(t *gocuda.Thread, n, w int, x, y, z, q []float32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	for j := 0; j+4 <= n; j += 4 {
		x0 := x[row+j+0]
		x1 := x[row+j+1]
		x2 := x[row+j+2]
		x3 := x[row+j+3]
		d0 := x0 - y[row+j+0]
		d1 := x1 - y[row+j+1]
		d2 := x2 - y[row+j+2]
		d3 := x3 - y[row+j+3]
		z[row+j+0] = d0 / (x0 + 200)
		z[row+j+1] = d1 / (x1 + 200)
		z[row+j+2] = d2 / (x2 + 200)
		z[row+j+3] = d3 / (x3 + 200)
	}
	q[i] = 1
}

// What a branch counts.
//
//gocuda:kernel
func unBranches(t *gocuda.Thread, n, w int, x, y, z, q []uint32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	count, sum := uint32(0), uint32(7)
	j := 0
	for ; j+2 < n; j += 3 {
		if x[row+j] > y[row+j] {
			if x[row+j]&1 != 0 {
				sum += y[row+j]
			}
			count++
		}
		if x[row+j+1] > y[row+j+1] {
			if x[row+j+1]&1 != 0 {
				sum += y[row+j+1]
			}
			count++
		}
		if x[row+j+2] > y[row+j+2] {
			if x[row+j+2]&1 != 0 {
				sum += y[row+j+2]
			}
			count++
		}
	}
	for ; j < n; j++ {
		if x[row+j] > y[row+j] {
			if x[row+j]&1 != 0 {
				sum += y[row+j]
			}
			count++
		}
	}
	q[i] = sum ^ count<<16
}

// One of the offsets is wrong.
//
//gocuda:kernel
func unWrongOffset(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s int32
	j := 0
	for ; j+3 < n; j += 4 {
		s += x[row+j] * y[row+j]
		s += x[row+j+1] * y[row+j+1]
		s += x[row+j+2] * y[row+j+3]
		s += x[row+j+3] * y[row+j+3]
	}
	for ; j < n; j++ {
		s += x[row+j] * y[row+j]
	}
	q[i] = s
}

// One of the arrays is another.
//
//gocuda:kernel
func unWrongArray(t *gocuda.Thread, n, w int, x, y, z, q []uint8) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1, s2, s3 uint8
	j := 0
	for ; j+3 < n; j += 4 {
		s0 += x[row+j]
		s1 += x[row+j+1]
		s2 += y[row+j+2]
		s3 += x[row+j+3]
	}
	for ; j < n; j++ {
		s0 += x[row+j]
	}
	q[i] = s0 + s1 + s2 + s3
}

// The counter moves on from statement to statement, and once too often at times.
//
//gocuda:kernel
func unMoves(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	s := int32(1)
	j := 0
	for j+3 < n {
		s += x[row+j]
		j++
		s += x[row+j]
		j++
		s -= y[row+j]
		if y[row+j] < 0 {
			j++
		}
	}
	for j+3 < n+1 {
		s += x[row+j] ^ x[row+j+1]
		j += 2
	}
	q[i] = s + int32(j)<<8
}

// A sum that another statement of the loop reads.
//
//gocuda:kernel
func unBetween(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1, s2, s3, r int32
	j := 0
	for ; j+3 < n; j += 4 {
		s0 += x[row+j]
		s1 += x[row+j+1]
		r ^= s1
		s2 += x[row+j+2]
		s3 += x[row+j+3]
	}
	for ; j < n; j++ {
		s0 += x[row+j]
	}
	q[i] = s0 + s1 + s2 + s3 + r
}

// Sums that are not added up: one is taken away.
//
//gocuda:kernel
func unAlternating(t *gocuda.Thread, n, w int, x, y, z, q []int64) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1, s2, s3 int64
	j := 0
	for ; j+3 < n; j += 4 {
		s0 += x[row+j]
		s1 += x[row+j+1]
		s2 += x[row+j+2]
		s3 += x[row+j+3]
	}
	q[i] = s0 + s1 - s2 + s3
}

// Sums that are added up, and of which one is used once more.
//
//gocuda:kernel
func unUsedAgain(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1 int32
	j := 0
	for ; j+1 < n; j += 2 {
		s0 += x[row+j]
		s1 += x[row+j+1]
	}
	if j < n {
		s0 += x[row+j]
	}
	z[row] = s1
	q[i] = s0 + s1
}

// Sums that begin with something else than zero.
//
//gocuda:kernel
func unBeginnings(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	s0, s1, s2, s3 := x[row-1], int32(i), int32(7), y[row-1]
	j := 0
	for ; j+3 < n; j += 4 {
		s0 += x[row+j]
		s1 += x[row+j+1]
		s2 += x[row+j+2]
		s3 += x[row+j+3]
	}
	for ; j < n; j++ {
		s2 += x[row+j]
	}
	q[i] = s0 + s1 + s2 + s3
}

// The loop changes its limit.
//
//gocuda:kernel
func unLimitChanges(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s int32
	end := n
	j := 0
	for ; j+1 < end; j += 2 {
		s += x[row+j]
		s += x[row+j+1]
		if s < 0 {
			end--
		}
	}
	for ; j < end; j++ {
		s += x[row+j]
	}
	q[i] = s + int32(end)
}

// The step is not the number of statements.
//
//gocuda:kernel
func unWrongStep(t *gocuda.Thread, n, w int, x, y, z, q []uint32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s uint32
	j := 0
	for ; j+3 < n; j += 3 {
		s = s*1 + x[row+j]
		s += x[row+j+1]
		s += x[row+j+2]
		s += x[row+j+3]
	}
	for ; j < n; j++ {
		s += x[row+j]
	}
	for j = 0; j+3 < n; j += 5 {
		z[row+j] = x[row+j]
		z[row+j+1] = x[row+j+1]
		z[row+j+2] = x[row+j+2]
		z[row+j+3] = x[row+j+3]
	}
	q[i] = s
}

// Stores that the next statement reads.
//
//gocuda:kernel
func unChain(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	for j := 1; j+3 < n; j += 4 {
		z[row+j] = z[row+j-1] + x[row+j]
		z[row+j+1] = z[row+j] + x[row+j+1]
		z[row+j+2] = z[row+j+1] + x[row+j+2]
		z[row+j+3] = z[row+j+2] + x[row+j+3]
	}
	q[i] = z[row]
}

// Neighbours in front of and behind the element, with slices that may overlap.
//
//gocuda:kernel
func unNeighbours(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	j := 0
	for ; j+3 < n; j += 4 {
		z[row+j] = x[row+j-1] + y[row+j+1]
		z[row+j+1] = x[row+j] + y[row+j+2]
		z[row+j+2] = x[row+j+1] + y[row+j+3]
		z[row+j+3] = x[row+j+2] + y[row+j+4]
	}
	for ; j < n; j++ {
		z[row+j] = x[row+j-1] + y[row+j+1]
	}
	q[i] = int32(j)
}

// Two stores and a sum each, first all of one kind, then all of the other.
//
//gocuda:kernel
func unKinds(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s int32
	j := 0
	for ; j+1 < n; j += 2 {
		z[row+j] = x[row+j] - y[row+j]
		z[row+j+1] = x[row+j+1] - y[row+j+1]
		s += z[row+j] & 0xffff
		s += z[row+j+1] & 0xffff
		y[row+j] = s
		y[row+j+1] = s
	}
	q[i] = s
}

// Counting down, with limits that are constants.
//
//gocuda:kernel
func unDown(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	s := int32(0)
	j := n - 1
	for ; j >= 3; j -= 4 {
		s = s*3 + x[row+j]
		s = s*3 + x[row+j-1]
		s = s*3 + x[row+j-2]
		s = s*3 + x[row+j-3]
	}
	for ; j >= 0; j-- {
		s = s*3 + x[row+j]
	}
	q[i] = s
}

// The largest element and its place, by twos.
//
//gocuda:kernel
func unLargest(t *gocuda.Thread, n, w int, x, y, z, q []float64) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	best, at := -1e300, -1
	j := 0
	for ; j+1 < n; j += 2 {
		if v := x[row+j]; v > best {
			best, at = v, j
		}
		if v := x[row+j+1]; v > best {
			best, at = v, j+1
		}
	}
	for ; j < n; j++ {
		if v := x[row+j]; v > best {
			best, at = v, j
		}
	}
	q[i] = best * float64(at+2)
}

// Sixteen statements with the counter in the value.
//
//gocuda:kernel
func unSixteen(t *gocuda.Thread, n, w int, x, y, z, q []int64) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s int64
	j := 0
	for ; j+16 <= n; j += 16 {
		s += x[row+j] * int64(j)
		s += x[row+j+1] * int64(j+1)
		s += x[row+j+2] * int64(j+2)
		s += x[row+j+3] * int64(j+3)
		s += x[row+j+4] * int64(j+4)
		s += x[row+j+5] * int64(j+5)
		s += x[row+j+6] * int64(j+6)
		s += x[row+j+7] * int64(j+7)
		s += x[row+j+8] * int64(j+8)
		s += x[row+j+9] * int64(j+9)
		s += x[row+j+10] * int64(j+10)
		s += x[row+j+11] * int64(j+11)
		s += x[row+j+12] * int64(j+12)
		s += x[row+j+13] * int64(j+13)
		s += x[row+j+14] * int64(j+14)
		s += x[row+j+15] * int64(j+15)
	}
	for ; j < n; j++ {
		s += x[row+j] * int64(j)
	}
	q[i] = s
}

// The rest does something else.
//
//gocuda:kernel
func unOtherRest(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s int32
	j := 0
	for ; j+3 < n; j += 4 {
		s += x[row+j] ^ 5
		s += x[row+j+1] ^ 5
		s += x[row+j+2] ^ 5
		s += x[row+j+3] ^ 5
	}
	for ; j < n; j++ {
		s += x[row+j] ^ 6
	}
	q[i] = s
}

// The rest begins one late, or goes one too far.
//
//gocuda:kernel
func unRestOff(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s, r int32
	j := 0
	for ; j+3 < n; j += 4 {
		s += x[row+j]
		s += x[row+j+1]
		s += x[row+j+2]
		s += x[row+j+3]
	}
	for k := j + 1; k < n; k++ {
		s += x[row+k]
	}
	for j = 0; j < n&^1; j += 2 {
		r += y[row+j]
		r += y[row+j+1]
	}
	for ; j <= n; j++ {
		r += y[row+j]
	}
	q[i] = s ^ r
}

// Running sums that are stored.
//
//gocuda:kernel
func unRunning(t *gocuda.Thread, n, w int, x, y, z, q []uint8) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s uint8
	j := 0
	for ; j+3 < n; j += 4 {
		s += x[row+j]
		z[row+j] = s
		s += x[row+j+1]
		z[row+j+1] = s
		s += x[row+j+2]
		z[row+j+2] = s
		s += x[row+j+3]
		z[row+j+3] = s
	}
	for ; j < n; j++ {
		s += x[row+j]
		z[row+j] = s
	}
	q[i] = s
}

// Bytes that are widened and go round in a circle.
//
//gocuda:kernel
func unBytes(t *gocuda.Thread, n, w int, x, y, z, q []uint8) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1, s2, s3 int
	j := 0
	for ; j+4 <= n; j += 4 {
		d0 := int(x[row+j]) - int(y[row+j])
		d1 := int(x[row+j+1]) - int(y[row+j+1])
		d2 := int(x[row+j+2]) - int(y[row+j+2])
		d3 := int(x[row+j+3]) - int(y[row+j+3])
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
		z[row+j] = x[row+j] + y[row+(j+1)%n]
		z[row+j+1] = x[row+j+1] + y[row+(j+2)%n]
		z[row+j+2] = x[row+j+2] + y[row+(j+3)%n]
		z[row+j+3] = x[row+j+3] + y[row+(j+4)%n]
	}
	q[i] = uint8((s0 + s1 + s2 + s3) >> 3)
}

// Two rows at once, by four elements.
//
//gocuda:kernel
func unNested(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s, u int32
	a := 0
	for ; a+1 < n; a += 2 {
		j := 0
		for ; j+3 < a; j += 4 {
			s += x[row+j] * y[row+a]
			s += x[row+j+1] * y[row+a]
			s += x[row+j+2] * y[row+a]
			s += x[row+j+3] * y[row+a]
		}
		for ; j < a; j++ {
			s += x[row+j] * y[row+a]
		}
		for j = 0; j+3 < a+1; j += 4 {
			s += x[row+j] * y[row+a+1]
			s += x[row+j+1] * y[row+a+1]
			s += x[row+j+2] * y[row+a+1]
			s += x[row+j+3] * y[row+a+1]
		}
		for ; j < a+1; j++ {
			s += x[row+j] * y[row+a+1]
		}
		u += s
	}
	q[i] = s ^ u
}

// An inner loop in each statement of the outer one.
//
//gocuda:kernel
func unLoopsWithin(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	j := 0
	for ; j+1 < n; j += 2 {
		a := x[row+j]
		for k := 0; k < 3; k++ {
			a = a*5 + y[row+j-k]
		}
		z[row+j] = a
		b := x[row+j+1]
		for k := 0; k < 3; k++ {
			b = b*5 + y[row+j+1-k]
		}
		z[row+j+1] = b
	}
	for ; j < n; j++ {
		a := x[row+j]
		for k := 0; k < 3; k++ {
			a = a*5 + y[row+j-k]
		}
		z[row+j] = a
	}
	q[i] = 1
}

// Counters and limits in 32 bits.
//
//gocuda:kernel
func unInt32(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := int32(t.GlobalX())
	if int(i) >= len(q) {
		return
	}
	m, row := int32(n), i*int32(w)+unPad
	var s0, s1, s2, s3 int32
	j := int32(0)
	for ; j < m-3; j += 4 {
		s0 += x[row+j]
		s1 += x[row+j+1]
		s2 += x[row+j+2]
		s3 += x[row+j+3]
	}
	for ; j < m; j++ {
		s0 += x[row+j]
	}
	q[i] = s0 + s1 + s2 + s3
}

//gocuda:kernel
func unUint32(t *gocuda.Thread, n, w int, x, y, z, q []uint32) {
	i := uint32(t.GlobalX())
	if i >= uint32(len(q)) {
		return
	}
	m, row := uint32(max(n, 0)), i*uint32(w)+unPad
	var s uint32
	j := uint32(0)
	for ; j+4 <= m; j += 4 {
		s += x[row+j] | y[row+j]
		s += x[row+j+1] | y[row+j+1]
		s += x[row+j+2] | y[row+j+2]
		s += x[row+j+3] | y[row+j+3]
	}
	for ; j < m; j++ {
		s += x[row+j] | y[row+j]
	}
	for j = m &^ 3; j > 3; j -= 4 {
		z[row+j] = s
		z[row+j-1] = s
	}
	q[i] = s
}

// Columns: neighbours in the loop are far apart.
//
//gocuda:kernel fastmath
func unColumns(t *gocuda.Thread, n, w int, x, y, z, q []float32) {
	i, all := t.GlobalX(), len(q)
	if i >= all {
		return
	}
	var s0, s1 float32
	k := 0
	for ; k < n-1; k += 2 {
		s0 += x[k*all+i]
		s1 += x[(k+1)*all+i]
		z[k*all+i] = y[k*all+i] * 2
		z[(k+1)*all+i] = y[(k+1)*all+i] * 2
	}
	for ; k < n; k++ {
		s0 += x[k*all+i]
		z[k*all+i] = y[k*all+i] * 2
	}
	q[i] = s0 + s1
}

// It begins elsewhere, which may be below zero.
//
//gocuda:kernel
func unBegins(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	first := i%9 - 6
	var s int32
	j := first
	for ; j+2 < n; j += 3 {
		s += x[row+j]
		s += x[row+j+1]
		s += x[row+j+2]
		z[row+j] = y[row+j]
		z[row+j+1] = y[row+j+1]
		z[row+j+2] = y[row+j+2]
	}
	for ; j < n; j++ {
		s += x[row+j]
		z[row+j] = y[row+j]
	}
	q[i] = s + int32(j)
}

// Around a barrier, and a tile in shared memory.
//
//gocuda:kernel
func unBarriers(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, tid, size := t.GlobalX(), t.ThreadIdx.X, t.BlockDim.X
	row := min(i, len(q)-1)*w + unPad
	var sum int32
	for base := 0; base < n; base += 5 {
		s[tid] = x[row+base%w-unPad]
		t.SyncThreads()
		j := 0
		for ; j+3 < size; j += 4 {
			sum += s[j] * 3
			sum += s[j+1] * 3
			sum += s[j+2] * 3
			sum += s[j+3] * 3
		}
		for ; j < size; j++ {
			sum += s[j] * 3
		}
		t.SyncThreads()
	}
	if i < len(q) {
		q[i] = sum
	}
}

// A barrier within the unrolled statements.
//
//gocuda:kernel
func unBarriersWithin(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, tid, size := t.GlobalX(), t.ThreadIdx.X, t.BlockDim.X
	row := min(i, len(q)-1)*w + unPad
	s[tid] = x[row]
	t.SyncThreads()
	for j := 0; j+1 < n; j += 2 {
		a := s[(tid+j)%size] + y[row+j]
		t.SyncThreads()
		s[tid] = a
		t.SyncThreads()
		b := s[(tid+j+1)%size] + y[row+j+1]
		t.SyncThreads()
		s[tid] = b
		t.SyncThreads()
	}
	if i < len(q) {
		q[i] = s[tid]
	}
}

// Rows of a sparse matrix, whose limits are in memory.
//
//gocuda:kernel
func unSparse(t *gocuda.Thread, rows []int32, columns []int32, values, v, out []float64) {
	r := t.GlobalX()
	if r+1 >= len(rows) {
		return
	}
	end := rows[r+1]
	sum := 0.0
	j := rows[r]
	for ; j+3 < end; j += 4 {
		sum += values[j] * v[columns[j]]
		sum += values[j+1] * v[columns[j+1]]
		sum += values[j+2] * v[columns[j+2]]
		sum += values[j+3] * v[columns[j+3]]
	}
	for ; j < end; j++ {
		sum += values[j] * v[columns[j]]
	}
	out[r] = sum
}

//gocuda:kernel fastmath
func unSparseFast(t *gocuda.Thread, rows []int32, columns []int32, values, v, out []float64) {
	r := t.GlobalX()
	if r+1 >= len(rows) {
		return
	}
	begin, end := int(rows[r]), int(rows[r+1])
	s0, s1 := 0.0, 0.0
	j := begin
	for ; j <= end-2; j += 2 {
		s0 += values[j] * v[columns[j]]
		s1 += values[j+1] * v[columns[j+1]]
	}
	if j < end {
		s0 += values[j] * v[columns[j]]
	}
	out[r] = s0 + s1
}

//gocuda:kernel
func unSparseWhole(t *gocuda.Thread, rows []int32, columns []int32, values, v, out []float64) {
	r := t.GlobalX()
	if r >= len(rows)-1 {
		return
	}
	first, n := rows[r], rows[r+1]-rows[r]
	least := 1e9
	for j := int32(0); j < n/2*2; j += 2 {
		least = min(least, values[first+j]+v[columns[first+j]])
		least = min(least, values[first+j+1]+v[columns[first+j+1]])
	}
	for j := n / 2 * 2; j < n; j++ {
		least = min(least, values[first+j]+v[columns[first+j]])
	}
	out[r] = least
}

// Limits that wrap around: n-3 of the least n is large, and so is j+3 of the largest j small.
//
//gocuda:kernel
func unWraps(t *gocuda.Thread, first, n int32, in, out []int32) {
	i := t.GlobalX()
	var s0, s1, s2, s3 int32
	j := first
	for ; j < n-3; j += 4 {
		s0 += in[j&63]
		s1 += in[(j+1)&63]
		s2 += in[(j+2)&63]
		s3 += in[(j+3)&63]
	}
	out[i] = s0 + s1 + s2 + s3 + in[i] + j
}

//gocuda:kernel
func unWrapsSum(t *gocuda.Thread, first, n int32, in, out []int32) {
	i := t.GlobalX()
	s := in[i]
	j := first
	for ; j <= n-4; j += 4 {
		s = s*3 + in[j&63]
		s = s*3 + in[(j+1)&63]
		s = s*3 + in[(j+2)&63]
		s = s*3 + in[(j+3)&63]
	}
	for ; j < n; j++ {
		s = s*3 + in[j&63]
	}
	out[i] = s
}

// The loop ends where the counter has wrapped around.
//
//gocuda:kernel
func unWrapsBreak(t *gocuda.Thread, first, n int32, in, out []int32) {
	i := t.GlobalX()
	s := in[i]
	rounds := 0
	j := first
	for ; j+3 < n; j += 4 {
		s += in[j&63]
		s += in[(j+1)&63]
		s += in[(j+2)&63]
		s += in[(j+3)&63]
		rounds++
		if rounds > 50 {
			break
		}
	}
	out[i] = s*7 + j
}

//gocuda:kernel
func unWrapsWhole(t *gocuda.Thread, first, n int32, in, out []int32) {
	i := t.GlobalX()
	s := in[i]
	whole := (n - first) / 4 * 4
	for j := int32(0); j < whole; j += 4 {
		s += in[(first+j)&63]
		s += in[(first+j+1)&63]
		s += in[(first+j+2)&63]
		s += in[(first+j+3)&63]
	}
	for j := whole; j < n-first; j++ {
		s += in[(first+j)&63]
	}
	out[i] = s
}

//gocuda:kernel
func unWrapsUnsigned(t *gocuda.Thread, first, n int32, in, out []int32) {
	i := t.GlobalX()
	s := in[i]
	f, m := uint32(first), uint32(n)
	j := f
	for ; j+2 <= m; j += 2 {
		s += in[j&63]
		s ^= in[(j+1)&63]
		if j-f > 200 {
			break
		}
	}
	for k := f; k < m-1 && k-f < 90; k += 2 {
		s += in[k%64]
		s += in[(k+1)%64]
	}
	out[i] = s + int32(j)
}

// The first j+3 has wrapped around, so there is a round of four, and a rest behind it.
//
//gocuda:kernel
func unWrapsFirst(t *gocuda.Thread, first, n int32, in, out []int32) {
	i := t.GlobalX()
	s := in[i]
	j := first
	for ; j+3 < n; j += 4 {
		s += in[j&63]
		s += in[(j+1)&63]
		s += in[(j+2)&63]
		s += in[(j+3)&63]
	}
	for ; j < n; j++ {
		s += in[j&63]
	}
	out[i] = s*7 + j
}

//gocuda:kernel
func unWrapsFirstUnsigned(t *gocuda.Thread, first, n int32, in, out []int32) {
	i := t.GlobalX()
	s := in[i]
	m := uint32(n)
	j := uint32(first)
	for ; j+4 <= m; j += 4 {
		s += in[j&63]
		s += in[(j+1)&63]
		s += in[(j+2)&63]
		s += in[(j+3)&63]
	}
	for ; j < m; j++ {
		s += in[j&63]
	}
	out[i] = s*7 + int32(j)
}

// Threads of several elements: all at once, the rest in a loop.
//
//gocuda:kernel
func unFour(t *gocuda.Thread, n int, x, y, z []float32) {
	i := 4 * t.GlobalX()
	if i+3 < n {
		z[i] = 2*x[i] + y[i]
		z[i+1] = 2*x[i+1] + y[i+1]
		z[i+2] = 2*x[i+2] + y[i+2]
		z[i+3] = 2*x[i+3] + y[i+3]
	} else {
		for j := i; j < n; j++ {
			z[j] = 2*x[j] + y[j]
		}
	}
}

// A loop of constant length with a guard for each.
//
//gocuda:kernel
func unEach(t *gocuda.Thread, n int, x, y, z []uint8) {
	base := (t.BlockIdx.X*t.BlockDim.X + t.ThreadIdx.X) * 8
	for k := 0; k < 8; k++ {
		if base+k < n {
			z[base+k] = x[base+k] ^ y[base+k]>>1
		}
	}
}

// Pairs without a rest: the last element of an odd number stays.
//
//gocuda:kernel
func unPairs(t *gocuda.Thread, n int, x, y, z []int64) {
	i := t.GlobalX() * 2
	if i+1 >= n {
		return
	}
	a, b := x[i], x[i+1]
	c, d := y[i], y[i+1]
	z[i] = a*c - a
	z[i+1] = b*d - b
}

// A return in front of each element.
//
//gocuda:kernel
func unReturns(t *gocuda.Thread, n int, x, y, z []int32) {
	i := int32(t.GlobalX()) * 3
	m := int32(n)
	if i >= m {
		return
	}
	z[i] = x[i] - 2*y[i]
	if i+1 >= m {
		return
	}
	z[i+1] = x[i+1] - 2*y[i+1]
	if i+2 >= m {
		return
	}
	z[i+2] = x[i+2] - 2*y[i+2]
}

// The neighbours of the elements, which other threads have.
//
//gocuda:kernel
func unStencil(t *gocuda.Thread, n int, x, y, z []float32) {
	i := 4*t.GlobalX() + 1
	if i+4 < n {
		z[i] = x[i-1] + x[i+1]
		z[i+1] = x[i] + x[i+2]
		z[i+2] = x[i+1] + x[i+3]
		z[i+3] = x[i+2] + x[i+4]
	}
}

// From the end.
//
//gocuda:kernel
func unFromTheEnd(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+4 <= n {
		z[n-1-i] = x[i] + 1
		z[n-2-i] = x[i+1] + 1
		z[n-3-i] = x[i+2] + 1
		z[n-4-i] = x[i+3] + 1
	} else {
		for ; i < n; i++ {
			z[n-1-i] = x[i] + 1
		}
	}
}

// The order of elements is turned around within a thread.
//
//gocuda:kernel
func unTurned(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+3 < n {
		z[i+3] = x[i]
		z[i+2] = x[i+1]
		z[i+1] = x[i+2]
		z[i] = x[i+3]
	}
}

// What the thread is goes into the elements.
//
//gocuda:kernel
func unWho(t *gocuda.Thread, n int, x, y, z []int32) {
	g := t.GlobalX()
	i := 4 * g
	if i+3 < n {
		z[i] = x[i] + int32(t.ThreadIdx.X)
		z[i+1] = x[i+1] + int32(t.ThreadIdx.X)
		z[i+2] = x[i+2] + int32(t.ThreadIdx.X)
		z[i+3] = x[i+3] + int32(t.ThreadIdx.X)
		y[i] = int32(g)
		y[i+1] = int32(g + t.BlockIdx.X)
		y[i+2] = int32(g + t.BlockDim.X)
		y[i+3] = int32(g + t.GridDim.X)
	}
}

// The same for all four.
//
//gocuda:kernel
func unWhose(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	for k := range 4 {
		if i+k < n {
			z[i+k] = x[i+k]*int32(t.BlockDim.X) + int32(t.BlockIdx.X)
			y[i+k] = int32(t.ThreadIdx.X) ^ int32(t.GlobalX())<<8
		}
	}
}

// A number that goes from one element to the next.
//
//gocuda:kernel
func unCarried(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	s := int32(3)
	for k := 0; k < 4; k++ {
		if i+k < n {
			s = s*5 + x[i+k]
			z[i+k] = s
		}
	}
}

// One of the elements is treated in another way.
//
//gocuda:kernel
func unOdd(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+3 < n {
		z[i] = x[i] + y[i]
		z[i+1] = x[i+1] + y[i+1]
		z[i+2] = x[i+2] + y[i+1]
		z[i+3] = x[i+3] - y[i+3]
	}
}

// A sum of the elements of a thread, in a place of its own.
//
//gocuda:kernel
func unGathered(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+3 < n {
		y[i/4] = x[i] + x[i+1] + x[i+2] + x[i+3]
		z[i] = x[i] * 2
		z[i+1] = x[i+1] * 2
		z[i+2] = x[i+2] * 2
		z[i+3] = x[i+3] * 2
	}
}

// Elements under conditions: the slices may overlap, and where the conditions keep the threads apart
// an element is what the statement in front of it has stored.
//
//gocuda:kernel
func unMasked(t *gocuda.Thread, n int, m, x, z []int32) {
	i := 4 * t.GlobalX()
	if i+3 < n {
		if m[i] != 0 {
			z[i] = x[i] + 1
		}
		if m[i+1] != 0 {
			z[i+1] = x[i+1] + 1
		}
		if m[i+2] != 0 {
			z[i+2] = x[i+2] + 1
		}
		if m[i+3] != 0 {
			z[i+3] = x[i+3] + 1
		}
	}
}

//gocuda:kernel
func unMaskedLoop(t *gocuda.Thread, n int, m, x, z []int32) {
	i := 4 * t.GlobalX()
	for k := 0; k < 4; k++ {
		if i+k < n && m[i+k] != 0 {
			z[i+k] = x[i+k] + 1
		}
	}
}

// z[i+k] is stored and x[i+k+1] or x[i+k-1] loaded, by a single thread where the slices overlap.
//
//gocuda:kernel
func unUp(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+4 <= n {
		z[i+1] = x[i]
		z[i+2] = x[i+1]
		z[i+3] = x[i+2]
		z[i+4] = x[i+3]
	}
}

//gocuda:kernel
func unDownwards(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+4 <= n {
		z[i] = x[i+1]
		z[i+1] = x[i+2]
		z[i+2] = x[i+3]
		z[i+3] = x[i+4]
	}
}

// The group comes back to an element.
//
//gocuda:kernel
func unTwice(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 2 * t.GlobalX()
	if i+1 < n {
		z[i] = x[i]
		z[i+1] = x[i+1]
		z[i] += z[i+1] * 3
		z[i+1] += z[i] * 3
	}
}

// The grid is in the index: elements far apart, and neighbours in another order of blocks.
//
//gocuda:kernel
func unFarApart(t *gocuda.Thread, n int, x, y, z []int32) {
	i, all := t.GlobalX(), t.GridDim.X*t.BlockDim.X
	if i+3*all < n {
		z[i] = x[i] + y[i]
		z[i+all] = x[i+all] + y[i+all]
		z[i+2*all] = x[i+2*all] + y[i+2*all]
		z[i+3*all] = x[i+3*all] + y[i+3*all]
	} else {
		for ; i < n; i += all {
			z[i] = x[i] + y[i]
		}
	}
}

//gocuda:kernel
func unOrderOfBlocks(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * ((t.GridDim.X-1-t.BlockIdx.X)*t.BlockDim.X + t.ThreadIdx.X)
	if i+3 < n {
		z[i] = x[i] - y[i]
		z[i+1] = x[i+1] - y[i+1]
		z[i+2] = x[i+2] - y[i+2]
		z[i+3] = x[i+3] - y[i+3]
	}
}

//gocuda:kernel
func unOrderOfThreads(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 2 * (t.BlockIdx.X + t.GridDim.X*t.ThreadIdx.X)
	if i+1 < n {
		z[i] = x[i] - y[i]
		z[i+1] = x[i+1] - y[i+1]
	}
}

// Several elements a thread through shared memory.
//
//gocuda:kernel
func unShared(t *gocuda.Thread, n int, x, y, z []int32) {
	s := gocuda.Shared[int32](t, 4096)
	l, size := 4*t.ThreadIdx.X, 4*t.BlockDim.X
	i := t.BlockIdx.X*size + l
	for k := 0; k < 4; k++ {
		s[l+k] = 0
		if i+k < n {
			s[l+k] = x[i+k]
		}
	}
	t.SyncThreads()
	if i+3 < n {
		z[i] = s[size-1-l]
		z[i+1] = s[size-2-l]
		z[i+2] = s[size-3-l]
		z[i+3] = s[size-4-l]
	}
}

// Bins that several elements of a thread are counted in.
//
//gocuda:kernel
func unBins(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+3 < n {
		atomic.Add(&z[x[i]&15], 1)
		atomic.Add(&z[x[i+1]&15], 1)
		atomic.Add(&z[x[i+2]&15], 1)
		atomic.Add(&z[x[i+3]&15], 1)
	}
}

// Planes: several elements along x, along y, and along both.
//
//gocuda:kernel
func unAlongX(t *gocuda.Thread, w, h int, in, out []uint8) {
	x, y := 4*t.GlobalX(), t.GlobalY()
	if y >= h {
		return
	}
	row := y * w
	if x+4 <= w {
		out[row+x] = 255 - in[row+x]
		out[row+x+1] = 255 - in[row+x+1]
		out[row+x+2] = 255 - in[row+x+2]
		out[row+x+3] = 255 - in[row+x+3]
		return
	}
	for ; x < w; x++ {
		out[row+x] = 255 - in[row+x]
	}
}

//gocuda:kernel
func unAlongY(t *gocuda.Thread, w, h int, in, out []uint8) {
	x, y := t.GlobalX(), t.GlobalY()*4
	if x < w {
		for k := range 4 {
			if y+k < h {
				out[(y+k)*w+x] = in[(y+k)*w+x] + in[x]
			}
		}
	}
}

//gocuda:kernel
func unQuads(t *gocuda.Thread, w, h int, in, out []uint8) {
	x, y := t.GlobalX()*2, t.GlobalY()*2
	if x+1 >= w || y+1 >= h {
		return
	}
	at := y*w + x
	out[at] = in[at] / 3
	out[at+1] = in[at+1] / 3
	out[at+w] = in[at+w] / 3
	out[at+w+1] = in[at+w+1] / 3
}

//gocuda:kernel
func unBlurred(t *gocuda.Thread, w, h int, in, out []uint8) {
	x, y := t.GlobalX()*4, t.GlobalY()
	for k := 0; k < 4; k++ {
		c := x + k
		if c < 1 || c >= w-1 || y < 1 || y >= h-1 {
			continue
		}
		i := y*w + c
		out[i] = uint8((int(in[i-1]) + int(in[i+1]) + int(in[i-w]) + int(in[i+w])) / 4)
	}
}

// Arrays of offsets.
//
//gocuda:kernel
func unOffsets(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < 1 || y < 1 || x >= w-1 || y >= h-1 {
		return
	}
	offsets := [4]int{-1, 1, -w, w}
	i := y*w + x
	sum := -4 * in[i]
	for k := 0; k < 4; k++ {
		sum += in[i+offsets[k]]
	}
	out[i] = sum
}

//gocuda:kernel
func unOffsets32(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := int32(t.GlobalX()), int32(t.GlobalY())
	s := int32(w)
	if x == 0 || y == 0 || x >= s-1 || y >= int32(h)-1 {
		return
	}
	around := [...]int32{-s - 1, -s, -s + 1, -1, 1, s - 1, s, s + 1}
	weights := [8]int32{1, 2, 3, 4, 5, 6, 7, 8}
	i := y*s + x
	var sum int32
	for k, d := range around {
		if v := in[i+d]; v > in[i] {
			sum += v * weights[k]
		}
	}
	out[i] = sum
}

//gocuda:kernel
func unOffsetsUnsigned(t *gocuda.Thread, w, h int, in, out []int32) {
	i, n := uint32(t.GlobalX()+t.GlobalY()*w), uint32(w*h)
	if t.GlobalX() >= w || i >= n {
		return
	}
	s := uint32(w)
	steps := [4]uint32{^uint32(0), 1, -s, s}
	var sum int32
	for _, d := range steps {
		if j := i + d; j < n {
			sum = sum*3 + in[j]
		}
	}
	out[i] = sum
}

// An offset that changes, and an array that is chosen from by a number of the thread.
//
//gocuda:kernel
func unOffsetsChange(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < 2 || y < 1 || x >= w-2 || y >= h-1 {
		return
	}
	d := [3]int{-1, w, 1}
	i := y*w + x
	sum := int32(0)
	for k := range 3 {
		sum = sum*7 + in[i+d[k]]
		if in[i] < 0 {
			d[2]++
		}
		d[0] = -w
	}
	e := [4]int{0, 1, -1, w}
	out[i] = sum + in[i+e[x&3]] - in[i+e[int(in[i])&3]]
}

// Dx and dy of the neighbours, on a torus.
//
//gocuda:kernel
func unTorus(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	dx := [8]int{-1, 0, 1, -1, 1, -1, 0, 1}
	dy := [8]int{-1, -1, -1, 0, 0, 1, 1, 1}
	alive := 0
	for k := 0; k < len(dx); k++ {
		xx, yy := (x+dx[k]+w)%w, (y+dy[k]+h)%h
		if in[yy*w+xx] > 0 {
			alive++
		}
	}
	out[y*w+x] = int32(alive)
}

// unFail has an index out of range in the middle of an unrolled loop: all terms are on a line.
//
//gocuda:kernel
func unFail(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	n := 20 + i%7
	first := 0
	if unlucky(t, who) {
		first = len(in) - 10
	}
	var s int32
	j := first
	for ; j+4 <= first+n; j += 4 {
		s += in[j] + in[j+1] + in[j+2] + in[j+3]
	}
	out[i] = s
}

// One of the sums reads out of range, and the elements of the other are there.
//
//gocuda:kernel
func unFailSums(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	n := 12
	if unlucky(t, who) {
		n = len(in) + 3
	}
	var s0, s1 int32
	j := 0
	for ; j+1 < n; j += 2 {
		s0, s1 = s0+in[j], s1+in[j+1]
	}
	for ; j < n; j++ {
		s0 += in[j]
	}
	out[i] = s0 + s1
}

// A store out of range behind a load that is in range. The last elements are the unlucky thread's alone.
//
//gocuda:kernel
func unFailStore(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	n := 0
	if unlucky(t, who) {
		n = 10
	}
	if i < len(out)-6 {
		out[i] = in[i]
	}
	for j := 0; j+3 < n; j += 4 {
		out[len(out)-6+j], out[len(out)-5+j], out[len(out)-4+j], out[len(out)-3+j] = in[j], in[j+1], in[j+2], in[j+3]
	}
}

// The index of the table is out of range behind one of the elements that are.
//
//gocuda:kernel
func unFailTable(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	d := [4]int{-1, 1, 2, 0}
	at := 1 + i%8
	if unlucky(t, who) {
		at = len(in) - 2
	}
	var s int32
	for k := range 4 {
		s += in[at+d[k]]
	}
	out[i] = s
}

// The slices end within the elements of a thread.
//
//gocuda:kernel
func unFailFour(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+3 < n {
		z[i], z[i+1], z[i+2], z[i+3] = x[i]+y[i], x[i+1]+y[i+1], x[i+2]+y[i+2], x[i+3]+y[i+3]
	}
}

//gocuda:kernel
func unFailLoop(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	for k := 0; k < 4; k++ {
		if i+k < n {
			z[i+k] = x[i+k] + y[i+k]
		}
	}
}

//gocuda:kernel
func unFailReturn(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i >= n {
		return
	}
	for j := i; j < i+4; j++ {
		z[j] = x[j] - y[j]
	}
}

type unKernel[T any] struct {
	name     string
	source   func(t *gocuda.Thread, n, w int, x, y, z, q []T)
	compiled func(n, w int, x, y, z, q []T) gocuda.Kernel
	// serial does what a thread does whose elements begin at row, and returns its number in q.
	serial func(n, row int, x, y, z []T) T
	stores bool // into z, or y: it is run with slices that overlap as well
}

// unSmall are numbers whose sums and products are exact in all types of floats.
func unSmall[T int | int32 | int64 | uint32 | uint8 | float32 | float64](n, seed int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T((i+seed)*(i+seed)%13) - T(i%7)
	}
	return s
}

// unRows returns the cases of a kernel of loops.
func unRows[T int | int32 | int64 | uint32 | uint8 | float32 | float64](k unKernel[T], input func(n, seed int) []T) (cases []Case) {
	overlaps := []string{"", "z is x", "z is y", "all are one", "z behind x", "z in front of x", "y behind z"}
	if !k.stores {
		overlaps = overlaps[:1]
	}
	for _, n := range []int{math.MinInt32 + 1, -3, 0, 1, 2, 3, 4, 5, 8, 15, 16, 33, 67} {
		for o, overlap := range overlaps {
			if o > 0 && n != 5 && n != 33 {
				continue
			}
			if n == math.MinInt32+1 && k.name == "unInt32" { // where n-3 is large
				continue
			}
			name := fmt.Sprint(k.name, " of ", n)
			if o > 0 {
				name += ", " + overlap
			}
			cases = append(cases, made(name, []grid.Config{line(1, 1), line(2, 33), line(3, 64)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				x, y, z, q, w, outputs := unArguments(cfg, n, o, input)
				return func(t *gocuda.Thread) { k.source(t, n, w, x, y, z, q) }, k.compiled(n, w, x, y, z, q), outputs
			}, unWant(k, n, o, input)))
		}
	}
	return cases
}

func unWant[T int | int32 | int64 | uint32 | uint8 | float32 | float64](k unKernel[T], n, o int, input func(n, seed int) []T) func(cfg grid.Config) []any {
	if k.serial == nil {
		return nil
	}
	return func(cfg grid.Config) []any {
		x, y, z, q, w, outputs := unArguments(cfg, n, o, input)
		for i := range q {
			q[i] = k.serial(n, i*w+unPad, x, y, z)
		}
		return outputs
	}
}

// unArguments returns the slices of a kernel of loops, which overlap in one of seven ways.
func unArguments[T any](cfg grid.Config, n, o int, input func(n, seed int) []T) (x, y, z, q []T, w int, outputs []any) {
	threads := cfg.Blocks() * cfg.Threads()
	w = max(n, 0) + 2*unPad + 1
	size := w * (threads - threads/9)
	bx, by, bz := input(size+8, 1), input(size+8, 2), input(size+8, 3)
	q = marked[T](threads - threads/9)
	x, y, z = bx[:size], by[:size], bz[:size]
	switch o {
	case 1:
		z = x
	case 2:
		z = y
	case 3:
		y, z = x, x
	case 4:
		z = bx[1:][:size]
	case 5:
		x, z = bx[2:][:size], bx[:size]
	case 6:
		y, z = by[1:][:size], by[:size]
	}
	return x, y, z, q, w, []any{bx, by, bz, q}
}

// unSums are sums of what f says of an element, from a beginning on.
func unSums[T any](begin T, f func(sum, x, y T, j int) T) func(n, row int, x, y, z []T) T {
	return func(n, row int, x, y, z []T) T {
		s := begin
		for j := 0; j < n; j++ {
			s = f(s, x[row+j], y[row+j], j)
		}
		return s
	}
}

// unEvery returns the cases of a kernel whose threads have several elements each.
func unEvery[T int | int32 | int64 | uint32 | uint8 | float32 | float64](name string, each int, source func(t *gocuda.Thread, n int, x, y, z []T),
	compiled func(n int, x, y, z []T) gocuda.Kernel, own bool, serial func(n int, x, y, z []T)) (cases []Case) {
	overlaps := []string{"", "z is x", "z is y", "all are one"}
	if !own {
		overlaps = overlaps[:1]
	}
	for o, overlap := range overlaps {
		for k, less := range []int{0, 1, each - 1, each, 2*each + 1, -5, 1000, 1 << 20} {
			if o > 0 && less != 1 || less == 1 && k == 2 {
				continue
			}
			label := fmt.Sprint(name, " less ", less)
			if o > 0 {
				label += ", " + overlap
			}
			arguments := func(cfg grid.Config) (n int, x, y, z []T) {
				all := each * cfg.Blocks() * cfg.Threads()
				n = all - less
				size := max(n, 0) + 32
				x, y, z = dataFrom[T](size, 1), dataFrom[T](size, 2), dataFrom[T](size, 3)
				switch o {
				case 1:
					z = x
				case 2:
					z = y
				case 3:
					y, z = x, x
				}
				return n, x, y, z
			}
			var want func(cfg grid.Config) []any
			if serial != nil {
				want = func(cfg grid.Config) []any {
					n, x, y, z := arguments(cfg)
					serial(min(n, each*cfg.Blocks()*cfg.Threads()), x, y, z)
					return []any{x, y, z}
				}
			}
			cases = append(cases, made(label, []grid.Config{line(1, 1), line(3, 7), line(2, 33), line(3, 64), line(2, 257)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				n, x, y, z := arguments(cfg)
				return func(t *gocuda.Thread) { source(t, n, x, y, z) }, compiled(n, x, y, z), []any{x, y, z}
			}, want))
		}
	}
	return cases
}

// unPlane returns the cases of a kernel of a plane, with blocks of all shapes.
func unPlane[T int32 | uint8](name string, alongX, alongY int, source func(t *gocuda.Thread, w, h int, in, out []T), compiled func(w, h int, in, out []T) gocuda.Kernel) (cases []Case) {
	for _, size := range [][2]int{{67, 23}, {64, 16}, {3, 5}, {1, 40}, {130, 1}, {31, 9}} {
		w, h := size[0], size[1]
		var cfgs []grid.Config
		for _, b := range []grid.Dim3{{X: 16, Y: 16}, {X: 5, Y: 3}, {X: 33, Y: 2}} {
			x, y := b.X*alongX, b.Y*alongY
			cfgs = append(cfgs, grid.Config{Grid: grid.Dim3{X: (w + x - 1) / x, Y: (h+y-1)/y + 1}, Block: b})
		}
		cases = append(cases, made(fmt.Sprint(name, size), cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[T](w*h), marked[T](w*h)
			return func(t *gocuda.Thread) { source(t, w, h, in, out) }, compiled(w, h, in, out), []any{out}
		}, nil))
	}
	return cases
}

func unSparseCase(name string, source func(t *gocuda.Thread, rows, columns []int32, values, v, out []float64), compiled func(rows, columns []int32, values, v, out []float64) gocuda.Kernel, ofRow func(values []float64, columns []int32, v []float64) float64) (cases []Case) {
	for _, most := range []int{1, 4, 9, 40} {
		arguments := func(cfg grid.Config) (rows, columns []int32, values, v, out []float64) {
			n := cfg.Blocks()*cfg.Threads() - 3
			rows = []int32{0}
			for r := range max(n, 1) {
				rows = append(rows, rows[r]+int32(hash(r)%uint64(most+1)))
			}
			all := int(rows[len(rows)-1])
			columns = make([]int32, all)
			for j := range columns {
				columns[j] = int32(hash(j) % 97)
			}
			return rows, columns, unSmall[float64](all, 1), unSmall[float64](97, 5), marked[float64](max(n, 1))
		}
		cases = append(cases, made(fmt.Sprint(name, " up to ", most), []grid.Config{line(1, 1), line(2, 33), line(3, 64), line(1, 255)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			rows, columns, values, v, out := arguments(cfg)
			return func(t *gocuda.Thread) { source(t, rows, columns, values, v, out) }, compiled(rows, columns, values, v, out), []any{out}
		}, func(cfg grid.Config) []any {
			rows, columns, values, v, out := arguments(cfg)
			for r := range out {
				out[r] = ofRow(values[rows[r]:rows[r+1]], columns[rows[r]:rows[r+1]], v)
			}
			return []any{out}
		}))
	}
	return cases
}

// unWrapping are limits at the ends of the numbers of 32 bits, and where the loops begin.
func unWrapping(name string, limits [][2]int32, source func(t *gocuda.Thread, first, n int32, in, out []int32), compiled func(first, n int32, in, out []int32) gocuda.Kernel) (cases []Case) {
	for _, l := range limits {
		cases = append(cases, perThread(fmt.Sprint(name, l), []grid.Config{line(1, 64), line(2, 100)},
			func(t *gocuda.Thread, in, out []int32) { source(t, l[0], l[1], in, out) },
			func(in, out []int32) gocuda.Kernel { return compiled(l[0], l[1], in, out) }, nil))
	}
	return cases
}

func unCases() (cases []Case) {
	// Sums.
	product := func(s, x, y float32, _ int) float32 { return s + x*y }
	cases = append(cases, unRows(unKernel[float32]{"unDot", unDot, unDotKernel, unSums(0, product), false}, unSmall)...)
	cases = append(cases, unRows(unKernel[float32]{"unDotExact", unDotExact, unDotExactKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[float64]{"unInOrder", unInOrder, unInOrderKernel, unSums(0.5, func(s, x, _ float64, _ int) float64 { return s + x }), false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[float32]{"unTermsExact", unTermsExact, unTermsExactKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[float64]{"unTermsFast", unTermsFast, unTermsFastKernel, unSums(3, func(s, x, y float64, _ int) float64 { return s - x*y }), false}, unSmall)...)
	cases = append(cases, unRows(unKernel[int32]{"unEight", unEight, unEightKernel, unSums(0, func(s, x, _ int32, _ int) int32 { return s + x }), false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int64]{"unWhole", unWhole, unWholeKernel, unSums(0, func(s, x, y int64, _ int) int64 { return s + x*y }), false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[uint32]{"unBranches", unBranches, unBranchesKernel, func(n, row int, x, y, z []uint32) uint32 {
		count, sum := uint32(0), uint32(7)
		for j := row; j < row+n; j++ {
			if x[j] > y[j] {
				sum += x[j] & 1 * y[j]
				count++
			}
		}
		return sum ^ count<<16
	}, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int64]{"unSixteen", unSixteen, unSixteenKernel, unSums(0, func(s, x, _ int64, j int) int64 { return s + x*int64(j) }), false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unInt32", unInt32, unInt32Kernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[uint32]{"unUint32", unUint32, unUint32Kernel, nil, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[float64]{"unLargest", unLargest, unLargestKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unDown", unDown, unDownKernel, func(n, row int, x, y, z []int32) (s int32) {
		for j := n - 1; j >= 0; j-- {
			s = s*3 + x[row+j]
		}
		return s
	}, false}, dataFrom)...)
	// What is no unrolled loop.
	cases = append(cases, unRows(unKernel[int32]{"unWrongOffset", unWrongOffset, unWrongOffsetKernel, func(n, row int, x, y, z []int32) (s int32) {
		for j := 0; j < n; j++ {
			k := j
			if j%4 == 2 && j+1 < n {
				k++
			}
			s += x[row+j] * y[row+k]
		}
		return s
	}, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[uint8]{"unWrongArray", unWrongArray, unWrongArrayKernel, func(n, row int, x, y, z []uint8) (s uint8) {
		for j := 0; j < n; j++ {
			if j%4 == 2 && j+1 < n {
				s += y[row+j]
			} else {
				s += x[row+j]
			}
		}
		return s
	}, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unMoves", unMoves, unMovesKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unBetween", unBetween, unBetweenKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int64]{"unAlternating", unAlternating, unAlternatingKernel, func(n, row int, x, y, z []int64) (s int64) {
		for j := 0; j < max(n, 0)/4*4; j++ {
			if j%4 == 2 {
				s -= x[row+j]
			} else {
				s += x[row+j]
			}
		}
		return s
	}, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unUsedAgain", unUsedAgain, unUsedAgainKernel, nil, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unBeginnings", unBeginnings, unBeginningsKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unLimitChanges", unLimitChanges, unLimitChangesKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[uint32]{"unWrongStep", unWrongStep, unWrongStepKernel, nil, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unOtherRest", unOtherRest, unOtherRestKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unRestOff", unRestOff, unRestOffKernel, nil, false}, dataFrom)...)
	// Stores.
	cases = append(cases, unRows(unKernel[int]{"unStores", unStores, unStoresKernel, func(n, row int, x, y, z []int) int {
		for j := row; j < row+n; j++ {
			z[j] = x[j] + 3*y[j]
		}
		return max(n, 0)
	}, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unLoadFirst", unLoadFirst, unLoadFirstKernel, func(n, row int, x, y, z []int32) int32 {
		j := 0
		for ; j+1 < n; j += 2 {
			a := [2]int32{x[row+j], x[row+j+1]}
			for k := range 2 {
				z[row+j+k] = 3*a[k] + 1
			}
		}
		if j < n {
			z[row+j] = 3*x[row+j] + 1
		}
		return int32(j)
	}, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[float32]{"unLocals", unLocals, unLocalsKernel, nil, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unChain", unChain, unChainKernel, nil, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unNeighbours", unNeighbours, unNeighboursKernel, func(n, row int, x, y, z []int32) int32 {
		for j := row; j < row+n; j++ {
			z[j] = x[j-1] + y[j+1]
		}
		return int32(max(n, 0))
	}, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unKinds", unKinds, unKindsKernel, nil, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[uint8]{"unRunning", unRunning, unRunningKernel, func(n, row int, x, y, z []uint8) (s uint8) {
		for j := row; j < row+n; j++ {
			s += x[j]
			z[j] = s
		}
		return s
	}, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[uint8]{"unBytes", unBytes, unBytesKernel, nil, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unNested", unNested, unNestedKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unLoopsWithin", unLoopsWithin, unLoopsWithinKernel, nil, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[float32]{"unColumns", unColumns, unColumnsKernel, nil, false}, unSmall)...)
	cases = append(cases, unRows(unKernel[int32]{"unBegins", unBegins, unBeginsKernel, nil, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unBarriers", unBarriers, unBarriersKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[int32]{"unBarriersWithin", unBarriersWithin, unBarriersWithinKernel, nil, false}, dataFrom)...)
	// Rows of sparse matrices.
	dot := func(values []float64, columns []int32, v []float64) (s float64) {
		for j, a := range values {
			s += a * v[columns[j]]
		}
		return s
	}
	cases = append(cases, unSparseCase("unSparse", unSparse, unSparseKernel, dot)...)
	cases = append(cases, unSparseCase("unSparseFast", unSparseFast, unSparseFastKernel, dot)...)
	cases = append(cases, unSparseCase("unSparseWhole", unSparseWhole, unSparseWholeKernel, func(values []float64, columns []int32, v []float64) float64 {
		least := 1e9
		for j, a := range values {
			least = min(least, a+v[columns[j]])
		}
		return least
	})...)
	// Limits that wrap around.
	const most, least = math.MaxInt32, math.MinInt32
	near := [][2]int32{{most - 49, least + 1}, {most - 48, least + 1}, {most - 48, least + 2}, {most - 46, least}, {most - 5, least + 1}, {most - 2, least}, {least, least + 3}, {least, least + 4}, {least, least + 23}, {least + 1, least + 9},
		{most - 20, most}, {most - 23, most}, {most - 31, most - 1}, {0, 13}, {-7, 12}, {5, 5}, {5, -5}}
	cases = append(cases, unWrapping("unWraps", near, unWraps, unWrapsKernel)...)
	cases = append(cases, unWrapping("unWrapsSum", [][2]int32{{most - 49, least + 1}, {most - 48, least + 1}, {most - 48, least + 2}, {most - 5, least + 1}, {least, least + 4}, {least, least + 23}, {least + 1, least + 9},
		{most - 20, most}, {most - 23, most}, {most - 31, most - 1}, {0, 13}, {-7, 12}, {5, 5}, {5, -5}}, unWrapsSum, unWrapsSumKernel)...)
	cases = append(cases, unWrapping("unWrapsBreak", slices.Concat(near, [][2]int32{{most - 22, most}, {most - 21, most - 1}, {most - 100, most - 3}}), unWrapsBreak, unWrapsBreakKernel)...)
	cases = append(cases, unWrapping("unWrapsWhole", [][2]int32{{most - 50, least + 7}, {most - 3, least}, {least, most}, {least + 7, least}, {0, 13}, {-7, 12}, {5, 5}, {5, -5}, {most - 20, most}}, unWrapsWhole, unWrapsWholeKernel)...)
	cases = append(cases, unWrapping("unWrapsUnsigned", [][2]int32{{-50, -1}, {-51, -1}, {-51, -2}, {0, 0}, {0, 1}, {5, 2}, {most - 20, least + 20}, {-7, 3}, {3, 50}}, unWrapsUnsigned, unWrapsUnsignedKernel)...)
	cases = append(cases, unWrapping("unWrapsFirst", [][2]int32{{most - 1, least + 3}, {most, least + 9}, {most - 2, least + 1}, {most - 2, least + 7}, {most - 3, least + 7}, {3, 40}}, unWrapsFirst, unWrapsFirstKernel)...)
	cases = append(cases, unWrapping("unWrapsFirstUnsigned", [][2]int32{{-2, 3}, {-1, 9}, {-3, 1}, {-4, 7}, {-5, 7}, {3, 40}}, unWrapsFirstUnsigned, unWrapsFirstUnsignedKernel)...)
	// Threads of several elements.
	each := func(f func(x, y float32) float32) func(n int, x, y, z []float32) {
		return func(n int, x, y, z []float32) {
			for i := 0; i < n; i++ {
				z[i] = f(x[i], y[i])
			}
		}
	}
	cases = append(cases, unEvery("unFour", 4, unFour, unFourKernel, true, each(func(x, y float32) float32 { return 2*x + y }))...)
	cases = append(cases, unEvery("unEach", 8, unEach, unEachKernel, true, func(n int, x, y, z []uint8) {
		for i := 0; i < n; i++ {
			z[i] = x[i] ^ y[i]>>1
		}
	})...)
	cases = append(cases, unEvery("unPairs", 2, unPairs, unPairsKernel, true, func(n int, x, y, z []int64) {
		for i := 0; i < max(n, 0)/2*2; i++ {
			z[i] = x[i]*y[i] - x[i]
		}
	})...)
	cases = append(cases, unEvery("unReturns", 3, unReturns, unReturnsKernel, true, func(n int, x, y, z []int32) {
		for i := 0; i < n; i++ {
			z[i] = x[i] - 2*y[i]
		}
	})...)
	cases = append(cases, unEvery("unStencil", 4, unStencil, unStencilKernel, false, nil)...)
	cases = append(cases, unEvery("unFromTheEnd", 4, unFromTheEnd, unFromTheEndKernel, false, nil)...)
	cases = append(cases, unEvery("unTurned", 4, unTurned, unTurnedKernel, true, func(n int, x, y, z []int32) {
		for i := 0; i < max(n, 0)/4*4; i += 4 {
			for k := range 4 {
				z[i+3-k] = x[i+k]
			}
		}
	})...)
	cases = append(cases, unEvery("unWho", 4, unWho, unWhoKernel, true, nil)...)
	cases = append(cases, unEvery("unWhose", 4, unWhose, unWhoseKernel, true, nil)...)
	cases = append(cases, unEvery("unCarried", 4, unCarried, unCarriedKernel, true, nil)...)
	cases = append(cases, unEvery("unOdd", 4, unOdd, unOddKernel, true, nil)...)
	cases = append(cases, unEvery("unGathered", 4, unGathered, unGatheredKernel, false, nil)...)
	cases = append(cases, unEvery("unTwice", 2, unTwice, unTwiceKernel, true, nil)...)
	cases = append(cases, unEvery("unFarApart", 4, unFarApart, unFarApartKernel, true, func(n int, x, y, z []int32) {
		for i := 0; i < n; i++ {
			z[i] = x[i] + y[i]
		}
	})...)
	cases = append(cases, unEvery("unOrderOfBlocks", 4, unOrderOfBlocks, unOrderOfBlocksKernel, true, nil)...)
	cases = append(cases, unEvery("unOrderOfThreads", 2, unOrderOfThreads, unOrderOfThreadsKernel, true, nil)...)
	cases = append(cases, unEvery("unShared", 4, unShared, unSharedKernel, false, nil)...)
	cases = append(cases, unEvery("unBins", 4, unBins, unBinsKernel, false, nil)...)
	// By a single thread, in slices that overlap.
	for _, shift := range []int{0, 1, 2, 3, 4} {
		for _, k := range []struct {
			name     string
			source   func(t *gocuda.Thread, n int, x, y, z []int32)
			compiled func(n int, x, y, z []int32) gocuda.Kernel
			serial   func(x, z []int32, k int)
		}{
			{"unUp", unUp, unUpKernel, func(x, z []int32, k int) { z[k+1] = x[k] }},
			{"unDownwards", unDownwards, unDownwardsKernel, func(x, z []int32, k int) { z[k] = x[k+1] }},
		} {
			for _, back := range []bool{false, true} {
				arguments := func() (b, x, z []int32) {
					b = data[int32](32)
					x, z = b, b[shift:]
					if back {
						x, z = z, x
					}
					return b, x, z
				}
				cases = append(cases, made(fmt.Sprint(k.name, " by ", shift, " back ", back), []grid.Config{line(1, 1), line(2, 33)}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
					b, x, z := arguments()
					return func(t *gocuda.Thread) { k.source(t, 7, x, nil, z) }, k.compiled(7, x, nil, z), []any{b}
				}, func(grid.Config) []any {
					b, x, z := arguments()
					for j := range 4 {
						k.serial(x, z, j)
					}
					return []any{b}
				}))
			}
		}
	}
	// By many, which conditions keep apart.
	for _, k := range []struct {
		name     string
		source   func(t *gocuda.Thread, n int, m, x, z []int32)
		compiled func(n int, m, x, z []int32) gocuda.Kernel
	}{{"unMasked", unMasked, unMaskedKernel}, {"unMaskedLoop", unMaskedLoop, unMaskedLoopKernel}} {
		for _, shift := range []int{0, 1} {
			arguments := func(cfg grid.Config) (n int, m, b []int32) {
				n = 4 * cfg.Blocks() * cfg.Threads()
				b, m = data[int32](n+8), make([]int32, n)
				for i := range m {
					if i%4 != 0 {
						m[i] = int32(i)
					}
				}
				return n, m, b
			}
			cases = append(cases, made(fmt.Sprint(k.name, " by ", shift), []grid.Config{line(1, 1), line(2, 33), line(3, 64)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				n, m, b := arguments(cfg)
				return func(t *gocuda.Thread) { k.source(t, n, m, b, b[shift:]) }, k.compiled(n, m, b, b[shift:]), []any{b}
			}, func(cfg grid.Config) []any {
				n, _, b := arguments(cfg)
				for i := range n {
					if i%4 != 0 {
						b[i+shift] = b[i] + 1
					}
				}
				return []any{b}
			}))
		}
	}
	// Planes.
	cases = append(cases, unPlane("unAlongX", 4, 1, unAlongX, unAlongXKernel)...)
	cases = append(cases, unPlane("unAlongY", 1, 4, unAlongY, unAlongYKernel)...)
	cases = append(cases, unPlane("unQuads", 2, 2, unQuads, unQuadsKernel)...)
	cases = append(cases, unPlane("unBlurred", 4, 1, unBlurred, unBlurredKernel)...)
	cases = append(cases, unPlane("unOffsets", 1, 1, unOffsets, unOffsetsKernel)...)
	cases = append(cases, unPlane("unOffsets32", 1, 1, unOffsets32, unOffsets32Kernel)...)
	cases = append(cases, unPlane("unOffsetsUnsigned", 1, 1, unOffsetsUnsigned, unOffsetsUnsignedKernel)...)
	cases = append(cases, unPlane("unOffsetsChange", 1, 1, unOffsetsChange, unOffsetsChangeKernel)...)
	cases = append(cases, unPlane("unTorus", 1, 1, unTorus, unTorusKernel)...)
	return cases
}

// unFailures are kernels of one failing thread.
func unFailures() (all []Failure) {
	all = []Failure{
		failure("unFail", 100, 33, unFail, unFailKernel, "index out of range [300] with length 300"),
		failure("unFail-last", 256, 255, unFail, unFailKernel, "index out of range [768] with length 768"),
		failure("unFail-one", 32, 0, unFail, unFailKernel, "index out of range [96] with length 96"),
		failure("unFailSums", 100, 77, unFailSums, unFailSumsKernel, "index out of range [300] with length 300"),
		failure("unFailStore", 100, 21, unFailStore, unFailStoreKernel, "index out of range [300] with length 300"),
		failure("unFailStore-first", 64, 0, unFailStore, unFailStoreKernel, "index out of range [192] with length 192"),
		failure("unFailTable", 100, 40, unFailTable, unFailTableKernel, "index out of range [300] with length 300"),
	}
	// The last elements, of the last thread that has some, are missing from a slice.
	for _, k := range []struct {
		name     string
		source   func(t *gocuda.Thread, n int, x, y, z []int32)
		compiled func(n int, x, y, z []int32) gocuda.Kernel
	}{{"unFailFour", unFailFour, unFailFourKernel}, {"unFailLoop", unFailLoop, unFailLoopKernel}, {"unFailReturn", unFailReturn, unFailReturnKernel}} {
		for _, slice := range []int{0, 1, 2} {
			for _, missing := range []int{1, 2, 3, 4} {
				if k.name == "unFailFour" && missing == 4 {
					continue // Go leaves open which operand of an assignment fails first
				}
				cfg := line(3, 50)
				n := 4 * (2*50 + 34)
				all = append(all, Failure{
					Name: fmt.Sprint(k.name, " in ", slice, " without ", missing), Config: cfg, Block: grid.Dim3{X: 2}, Thread: grid.Dim3{X: 33},
					Text: fmt.Sprintf("index out of range [%d] with length %d", n-missing, n-missing),
					Make: func(grid.Config) Instance {
						s := [3][]int32{positive(n), positive(n), positive(n)}
						s[slice] = s[slice][:n-missing]
						return Instance{
							Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, n, s[0], s[1], s[2]) }),
							Compiled: k.compiled(n, s[0], s[1], s[2]),
						}
					},
				})
			}
		}
	}
	return all
}
