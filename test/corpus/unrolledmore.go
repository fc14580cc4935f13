//go:build compiled

package corpus

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// More of what unrolled.go is about: what is true of all statements of an unrolled loop or of all
// elements of a thread but for something small.

// Sums in fewer bits than what they are added up in, and sums that are added up after something else.
//
//gocuda:kernel
func uoWidened(t *gocuda.Thread, n, w int, x, y, z, q []int64) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1 int32
	var a0, a1, a2 uint8
	j := 0
	for ; j+1 < n; j += 2 {
		s0 += int32(x[row+j])
		s1 += int32(x[row+j+1])
	}
	for j = 0; j+2 < n; j += 3 {
		a0 += uint8(y[row+j])
		a1 += uint8(y[row+j+1])
		a2 += uint8(y[row+j+2])
	}
	q[i] = int64(s0) + int64(s1) + int64(a0)*256 + int64(a1) + int64(a2)
}

//gocuda:kernel
func uoHalved(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1, s2, s3 int32
	j := 0
	for ; j+3 < n; j += 4 {
		s0 += x[row+j]
		s1 += x[row+j+1]
		s2 += x[row+j+2]
		s3 += x[row+j+3]
	}
	q[i] = (s0+s1)/2 + s2 + s3
}

// Terms that contain the sum, sums that do not begin anew together, and limits that the loop changes.
//
//gocuda:kernel
func uoSubtle(t *gocuda.Thread, n, w int, x, y, z, q []uint32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	s := uint32(1)
	for j := 0; j < n; j += 2 {
		s += s*x[row+j] + s*x[row+j+1]
	}
	var odd, all uint32
	for k := range 3 {
		var even uint32
		j := 0
		for ; j+1 < n; j += 2 {
			even += x[row+j]
			odd += x[row+j+1]
		}
		all = all*5 + uint32(k)*(even+odd)
	}
	m, whole := n, n/2*2
	for j := 0; j+1 < m; j += 2 {
		s ^= y[row+j]
		m--
		s ^= y[row+j+1]
		m--
	}
	for j := 0; j < whole; j += 2 {
		all += y[row+j]
		n--
		all += y[row+j+1]
		n--
	}
	for j := whole; j < n; j++ {
		all += y[row+j]
		n--
	}
	q[i] = s + 3*all
}

// Exclusive or, and added up with a plus.
//
//gocuda:kernel
func uoBits(t *gocuda.Thread, n, w int, x, y, z, q []uint32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var a, b, c, d, e, f uint32
	j := 0
	for ; j+1 < n; j += 2 {
		a ^= x[row+j]
		b ^= x[row+j+1]
		c |= y[row+j]
		d |= y[row+j+1]
		e += y[row+j]
		f -= y[row+j+1]
	}
	q[i] = (a + b) ^ (c | d) + (e + f)
}

// Products, which are multiplied in the end, and minima.
//
//gocuda:kernel
func uoProducts(t *gocuda.Thread, n, w int, x, y, z, q []uint32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	p0, p1 := uint32(1), uint32(3)
	m0, m1 := uint32(math.MaxUint32), uint32(math.MaxUint32)
	j := 0
	for ; j+1 < n; j += 2 {
		p0 *= x[row+j] | 1
		p1 *= x[row+j+1] | 1
		m0 = min(m0, y[row+j])
		m1 = min(m1, y[row+j+1])
	}
	if j < n {
		p0 *= x[row+j] | 1
		m1 = min(m1, y[row+j])
	}
	q[i] = p0*p1 ^ min(m0, m1)
}

// One of the sums begins again in each round of a loop around.
//
//gocuda:kernel
func uoReset(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var total, s0, s1 int32
	for round := 0; round < 3; round++ {
		s1 = int32(round)
		j := 0
		for ; j+1 < n; j += 2 {
			s0 += x[row+j]
			s1 += x[row+j+1]
		}
		if j < n {
			s0 += x[row+j]
		}
		total = total*3 + (s0 + s1)
	}
	q[i] = total
}

// The sums leave the loop early, or are looked at there.
//
//gocuda:kernel
func uoEarly(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1 int32
	j := 0
	for ; j+1 < n; j += 2 {
		s0 += x[row+j] & 255
		s1 += x[row+j+1] & 255
		if s0+s1 > 1000 {
			break
		}
	}
	for ; j < n; j++ {
		s0 += x[row+j] & 255
	}
	var c int32
	for j = 0; j+3 < n; j += 4 {
		if y[row+j] == 0 || y[row+j+1] == 0 || y[row+j+2] == 0 || y[row+j+3] == 0 {
			continue
		}
		c += y[row+j]
		c += y[row+j+1]
		c += y[row+j+2]
		c += y[row+j+3]
	}
	q[i] = s0 + s1 ^ c
}

// The first that is found: the loop is left from the middle of its statements.
//
//gocuda:kernel
func uoFound(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	at := -1
	j := 0
	for ; j+1 < n; j += 2 {
		if x[row+j] < 0 {
			at = j
			break
		}
		if x[row+j+1] < 0 {
			at = j + 1
			break
		}
	}
	for ; j < n && at < 0; j++ {
		if x[row+j] < 0 {
			at = j
		}
	}
	q[i] = int32(at)
}

// The rest has another limit than the loop.
//
//gocuda:kernel
func uoLimits(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	most := n - 2 + i%5
	var s int32
	j := 0
	for ; j+3 < n; j += 4 {
		s = s*5 + x[row+j]
		s = s*5 + x[row+j+1]
		s = s*5 + x[row+j+2]
		s = s*5 + x[row+j+3]
	}
	for ; j < most; j++ {
		s = s*5 + x[row+j]
	}
	q[i] = s
}

// Groups are counted instead of elements.
//
//gocuda:kernel
func uoGroups(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1, s2, s3 int32
	groups := n / 4
	for b := 0; b < groups; b++ {
		s0 += x[row+4*b]
		s1 += x[row+4*b+1]
		s2 += x[row+4*b+2]
		s3 += x[row+4*b+3]
		z[row+4*b] = y[row+4*b] + 1
		z[row+4*b+1] = y[row+4*b+1] + 1
		z[row+4*b+2] = y[row+4*b+2] + 1
		z[row+4*b+3] = y[row+4*b+3] + 1
	}
	for j := 4 * groups; j < n; j++ {
		s0 += x[row+j]
	}
	q[i] = s0 + s1 + s2 + s3
}

// From both ends.
//
//gocuda:kernel
func uoEnds(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	j := 0
	for ; j+3 < n; j += 4 {
		z[row+n-1-j] = x[row+j]
		z[row+n-2-j] = x[row+j+1]
		z[row+n-3-j] = x[row+j+2]
		z[row+n-4-j] = x[row+j+3]
	}
	for ; j < n; j++ {
		z[row+n-1-j] = x[row+j]
	}
	q[i] = 4
}

// Sums that are added to an element in memory, which is one of those that are summed up if slices overlap.
//
//gocuda:kernel
func uoInMemory(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	q[i] = 0
	j := 0
	for ; j+3 < n; j += 4 {
		z[row+2] += x[row+j]
		z[row+2] += x[row+j+1]
		z[row+2] += x[row+j+2]
		z[row+2] += x[row+j+3]
		q[i] -= y[row+j]
		q[i] -= y[row+j+1]
		q[i] -= y[row+j+2]
		q[i] -= y[row+j+3]
	}
	for ; j < n; j++ {
		z[row+2] += x[row+j]
		q[i] -= y[row+j]
	}
}

// Elements several apart, in halves and in threes.
//
//gocuda:kernel
func uoHalves(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	j := 0
	for ; j+3 < n; j += 4 {
		z[row+j/2] = x[row+j]
		z[row+(j+1)/2] += x[row+j+1]
		z[row+(j+2)/2] = x[row+j+2]
		z[row+(j+3)/2] += x[row+j+3]
	}
	var s int32
	for j = 0; j+1 < n/3; j += 2 {
		s += y[row+3*j] - y[row+3*j+1]
		s += y[row+3*j+3] - y[row+3*j+4]
	}
	for ; j < n/3; j++ {
		s += y[row+3*j] - y[row+3*j+1]
	}
	q[i] = s
}

// Counters of few bits.
//
//gocuda:kernel
func uoSmallCounters(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := x[i*w:]
	var s, u, v int32
	a := uint8(max(n, 4))
	for j := uint8(0); j < a-3; j += 4 {
		s = s*3 + row[j]
		s = s*3 + row[j+1]
		s = s*3 + row[j+2]
		s = s*3 + row[j+3]
	}
	b := int8(n)
	k := int8(0)
	for ; k+1 < b; k += 2 {
		u += row[k]
		u += row[k+1]
	}
	for ; k < b; k++ {
		u += row[k]
	}
	c := uint16(max(n, 0))
	for m := uint16(0); m+2 <= c; m += 2 {
		v ^= row[m] + int32(m)
		v ^= row[m+1] + int32(m+1)
	}
	q[i] = s ^ u + v
}

// Helpers and closures of the kernel's own, and a counter of a block.
//
//gocuda:kernel
func uoHelpers(t *gocuda.Thread, n, w int, x, y, z, q []int32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s int32
	j := 0
	for ; j+1 < n; j += 2 {
		s += uoMixed(x[row+j], y[row+j])
		s += uoMixed(x[row+j+1], y[row+j+1])
		uoPut(z, row+j, s)
		uoPut(z, row+j+1, s)
	}
	for ; j < n; j++ {
		s += uoMixed(x[row+j], y[row+j])
	}
	q[i] = s
}

func uoMixed(a, b int32) int32 {
	if a > b {
		return a - b
	}
	return b ^ a>>3
}

func uoPut(z []int32, at int, v int32) { z[at] = v + z[at-1] }

// A number that the next element needs: it is carried from statement to statement.
//
//gocuda:kernel
func uoCarried(t *gocuda.Thread, n, w int, x, y, z, q []float32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	last := x[row-1]
	j := 0
	for ; j+1 < n; j += 2 {
		a := x[row+j]
		z[row+j] = a - last
		b := x[row+j+1]
		z[row+j+1] = b - a
		last = b
	}
	if j < n {
		z[row+j] = x[row+j] - last
	}
	q[i] = last
}

// Sums of floats of which one is of another type in between, with the option.
//
//gocuda:kernel fastmath
func uoNorms(t *gocuda.Thread, n, w int, x, y, z, q []float32) {
	i := t.GlobalX()
	if i >= len(q) {
		return
	}
	row := i*w + unPad
	var s0, s1, s2, s3, biggest float32
	j := 0
	for ; j <= n-4; j += 4 {
		s0 += x[row+j] * x[row+j]
		s1 += x[row+j+1] * x[row+j+1]
		s2 += x[row+j+2] * x[row+j+2]
		s3 += x[row+j+3] * x[row+j+3]
		biggest = max(biggest, y[row+j])
		biggest = max(biggest, y[row+j+1])
		biggest = max(biggest, y[row+j+2])
		biggest = max(biggest, y[row+j+3])
	}
	for ; j < n; j++ {
		s2 += x[row+j] * x[row+j]
		biggest = max(biggest, y[row+j])
	}
	z[row] = s0 + s1 + s2 + s3
	q[i] = biggest + (s3 + s1 + s0 + s2)
}

// Something that all elements of a thread have from the first of them, which may be stored to meanwhile.
//
//gocuda:kernel
func uoFirst(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+3 < n {
		first := x[i]
		z[i] = y[i] + first
		z[i+1] = y[i+1] + first
		z[i+2] = y[i+2] + first
		z[i+3] = y[i+3] + first
	}
}

//gocuda:kernel
func uoFirstAsked(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+3 < n && x[i] > 0 {
		z[i] = -y[i]
		z[i+1] = -y[i+1]
		z[i+2] = -y[i+2]
		z[i+3] = -y[i+3]
	}
}

//gocuda:kernel
func uoFirstOfLoop(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+3 >= n {
		return
	}
	for k := range 4 {
		z[i+k] = x[i] + y[i+k]
	}
}

// Two groups of statements, of which the second reads what the first has stored, in another order.
//
//gocuda:kernel
func uoTwoGroups(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+3 < n {
		y[i] = x[i] * 2
		y[i+1] = x[i+1] * 2
		y[i+2] = x[i+2] * 2
		y[i+3] = x[i+3] * 2
		z[i] = y[i+3]
		z[i+1] = y[i+2]
		z[i+2] = y[i+1]
		z[i+3] = y[i]
	}
}

//gocuda:kernel
func uoTwoLoops(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+3 < n {
		for k := 0; k < 4; k++ {
			y[i+k] = x[i+k] * 2
		}
		for k := 0; k < 4; k++ {
			z[i+k] = y[i+3-k] + y[i+k]
		}
	}
}

// A tile of a thread's own in between.
//
//gocuda:kernel
func uoTile(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i+4 > n {
		return
	}
	var r [4]int32
	for k := range 4 {
		r[k] = x[i+k]
	}
	for k := range 4 {
		z[i+k] = r[3-k]
	}
	r[1] = r[0] + r[2]
	for k := range r {
		y[i+k] = r[k] - y[i+k]
	}
}

// What a thread does once, among what it does for each.
//
//gocuda:kernel
func uoOnce(t *gocuda.Thread, n int, x, y, z []int32) {
	g := t.GlobalX()
	i := 4 * g
	if i+3 < n {
		z[i] = x[i] + 1
		z[i+1] = x[i+1] + 1
		z[i+2] = x[i+2] + 1
		z[i+3] = x[i+3] + 1
		y[g]++
	}
	if g == 0 && n > 0 {
		y[n/2+7]--
	}
}

// Channels: the elements of a thread are of three kinds.
//
//gocuda:kernel
func uoChannels(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 3 * t.GlobalX()
	if i+2 < n {
		r, g, b := x[i], x[i+1], x[i+2]
		z[i] = b
		z[i+1] = g
		z[i+2] = r
		y[i] = r + y[i]
		y[i+1] = g + y[i+1]
		y[i+2] = b + y[i+2]
	}
}

// Without a guard: the slices have an element for each.
//
//gocuda:kernel
func uoUnguarded(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	z[i] = x[i] + y[i]*int32(n)
	z[i+1] = x[i+1] + y[i+1]*int32(n)
	z[i+2] = x[i+2] + y[i+2]*int32(n)
	z[i+3] = x[i+3] + y[i+3]*int32(n)
}

// In strides of the grid, which is smaller than the data.
//
//gocuda:kernel
func uoStrides(t *gocuda.Thread, n int, x, y, z []int32) {
	all := 4 * t.GridDim.X * t.BlockDim.X
	i := 4 * t.GlobalX()
	for ; i+3 < n; i += all {
		z[i] = x[i] - y[i]
		z[i+1] = x[i+1] - y[i+1]
		z[i+2] = x[i+2] - y[i+2]
		z[i+3] = x[i+3] - y[i+3]
	}
	for k := i; k < min(i+4, n); k++ {
		z[k] = x[k] - y[k]
	}
}

// A guard for all that holds for a part of the elements.
//
//gocuda:kernel
func uoGuards(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	if i < n-1 {
		z[i] = x[i] + 5
		z[i+1] = x[i+1] + 5
		if i+3 < n {
			z[i+2] = x[i+2] + 5
			z[i+3] = x[i+3] + 5
		}
	}
	if i+1 < n {
		y[i] = 1
		y[i+1] = 1
		y[i+2] = 1
		y[i+3] = 1
	}
}

// Blocks have parts of the data whose size is not that of their elements.
//
//gocuda:kernel
func uoParts(t *gocuda.Thread, n int, x, y, z []int32) {
	size := 4*t.BlockDim.X - 1
	first := t.BlockIdx.X * size
	i := first + 4*t.ThreadIdx.X
	for k := 0; k < 4; k++ {
		if i+k < min(first+size, n) {
			z[i+k] = x[i+k] + y[i+k]
		}
	}
}

// Some of the threads, and every second group.
//
//gocuda:kernel
func uoSome(t *gocuda.Thread, n int, x, y, z []int32) {
	g := t.GlobalX()
	i := 4 * g
	if i+3 < n && g%3 != 1 {
		z[i] = x[i] * 7
		z[i+1] = x[i+1] * 7
		z[i+2] = x[i+2] * 7
		z[i+3] = x[i+3] * 7
	}
	i = 8 * g
	if i+3 < n {
		y[i] = x[i] ^ 3
		y[i+1] = x[i+1] ^ 3
		y[i+2] = x[i+2] ^ 3
		y[i+3] = x[i+3] ^ 3
	}
}

// The groups overlap: an element is stored by two threads, which store the same.
//
//gocuda:kernel
func uoOverlapping(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 3 * t.GlobalX()
	if i+3 < n {
		z[i] = x[i] * 7
		z[i+1] = x[i+1] * 7
		z[i+2] = x[i+2] * 7
		z[i+3] = x[i+3] * 7
	}
}

// Barriers between phases of several elements, and elements of others behind them.
//
//gocuda:kernel
func uoPhases(t *gocuda.Thread, n int, x, y, z []int32) {
	size := 4 * t.BlockDim.X
	first := t.BlockIdx.X * size
	l := 4 * t.ThreadIdx.X
	i := first + l
	if i+3 < n {
		y[i] = x[i] + 1
		y[i+1] = x[i+1] + 1
		y[i+2] = x[i+2] + 1
		y[i+3] = x[i+3] + 1
	}
	t.SyncThreads()
	for k := range 4 {
		if i+k < n {
			at := first + (l+k+5)%size
			if at < n {
				z[i+k] = y[at]
			}
		}
	}
}

// Arrays of offsets of which the sums wrap around.
//
//gocuda:kernel
func uoOffsetsWrap(t *gocuda.Thread, first, n int32, in, out []int32) {
	i := t.GlobalX()
	d := [4]int32{-1, 1, -n, n}
	e := [3]uint32{^uint32(0), uint32(n), 2}
	var s int32
	for k := 0; k < 4; k++ {
		at := first + int32(i) + d[k]
		if at > 0 {
			s += in[at&63]
		} else {
			s -= in[(at>>1)&31]
		}
	}
	for _, o := range e {
		at := uint32(first) + o
		s = s*3 + int32(at/3) + in[at/5%64]
		if at > uint32(first) {
			s ^= 0x55
		}
	}
	out[i] = s
}

// Offsets that depend on a loop around, in helpers and by way of a slice.
//
//gocuda:kernel
func uoRings(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < 2 || y < 2 || x >= w-2 || y >= h-2 {
		return
	}
	i := y*w + x
	sum := int32(0)
	for r := 1; r <= 2; r++ {
		around := [...]int{-r, r, -r * w, r * w}
		for _, d := range around {
			sum = sum*3 + in[i+d]
		}
		part := around[r:]
		for k := range part {
			sum -= in[i+part[k]]
		}
		sum ^= uoNinth(in, i, around)
	}
	out[i] = sum
}

func uoNinth(in []int32, i int, d [4]int) int32 {
	d[1] -= 2
	return in[i+d[0]] + in[i+d[1]]*9
}

// What is declared in front of the guard goes from one element of a thread to the next: a running sum,
// the element before, a flag, an array of counts.
//
//gocuda:kernel
func uoRunning(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	var s int32
	if i+3 < n {
		s += x[i]
		z[i] = s
		s += x[i+1]
		z[i+1] = s
		s += x[i+2]
		z[i+2] = s
		s += x[i+3]
		z[i+3] = s
	}
}

//gocuda:kernel
func uoRunningEach(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	s := int32(1)
	if i < n {
		s = s*3 + x[i]
		z[i] = s
	}
	if i+1 < n {
		s = s*3 + x[i+1]
		z[i+1] = s
	}
	if i+2 < n {
		s = s*3 + x[i+2]
		z[i+2] = s
	}
	if i+3 < n {
		s = s*3 + x[i+3]
		z[i+3] = s
	}
}

//gocuda:kernel
func uoRunningLoop(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 4 * t.GlobalX()
	var s int32
	if i+3 < n {
		for k := 0; k < 4; k++ {
			s += x[i+k]
			z[i+k] = s
		}
	}
}

//gocuda:kernel
func uoBefore(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 2 * t.GlobalX()
	last := int32(n)
	if i+1 >= n {
		return
	}
	z[i] = x[i] - last
	last = x[i]
	z[i+1] = x[i+1] - last
	last = x[i+1]
}

//gocuda:kernel
func uoFlag(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 3 * t.GlobalX()
	found := false
	if i+2 < n {
		if x[i] > 0 && !found {
			z[i] = 1
			found = true
		}
		if x[i+1] > 0 && !found {
			z[i+1] = 1
			found = true
		}
		if x[i+2] > 0 && !found {
			z[i+2] = 1
			found = true
		}
	}
}

//gocuda:kernel
func uoCounts(t *gocuda.Thread, n int, x, y, z []int32) {
	i := 2 * t.GlobalX()
	var c [4]int32
	if i+1 < n {
		c[x[i]&3]++
		z[i] = c[y[i]&3]
		c[x[i+1]&3]++
		z[i+1] = c[y[i+1]&3]
	}
}

// Bytes that are stored twice, where the slices may be the same.
//
//gocuda:kernel
func uoStoredTwice(t *gocuda.Thread, n int, x, y, z []uint8) {
	i, m := 4*int32(t.GlobalX()), int32(n)
	if i < m {
		z[i] = y[i] + 2
		z[i] += y[i]
	}
	if i+1 < m {
		z[i+1] = y[i+1] + 2
		z[i+1] += y[i+1]
	}
	if i+2 < m {
		z[i+2] = y[i+2] + 2
		z[i+2] += y[i+2]
	}
	if i+3 < m {
		z[i+3] = y[i+3] + 1
		z[i+3] += y[i+3]
	}
}

// A limit that wraps around, which lets the loop go beyond the end of the slice.
//
//gocuda:kernel
func uoFailWraps(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	m := int32(i % 3)
	if unlucky(t, who) {
		m = math.MinInt32 + 1
	}
	var s int32
	for j := int32(0); j < m-3; j += 4 {
		s += in[j] + in[j+1] + in[j+2] + in[j+3]
	}
	out[i] = s
}

type uoEach = func(t *gocuda.Thread, n int, x, y, z []int32)

func uoCases() (cases []Case) {
	for _, k := range []unKernel[int32]{
		{"uoHalved", uoHalved, uoHalvedKernel, nil, false},
		{"uoReset", uoReset, uoResetKernel, func(n, row int, x, y, z []int32) (total int32) {
			var s0 int32
			for round := range int32(3) {
				s1 := round
				for j := 0; j < n; j++ {
					if j%2 == 0 {
						s0 += x[row+j]
					} else {
						s1 += x[row+j]
					}
				}
				total = total*3 + s0 + s1
			}
			return total
		}, false},
		{"uoEarly", uoEarly, uoEarlyKernel, nil, false},
		{"uoFound", uoFound, uoFoundKernel, func(n, row int, x, y, z []int32) int32 {
			if n <= 0 {
				return -1
			}
			return int32(slices.IndexFunc(x[row:row+n], func(v int32) bool { return v < 0 }))
		}, false},
		{"uoLimits", uoLimits, uoLimitsKernel, nil, false},
		{"uoGroups", uoGroups, uoGroupsKernel, nil, true},
		{"uoEnds", uoEnds, uoEndsKernel, func(n, row int, x, y, z []int32) int32 {
			for j := 0; j < n; j++ {
				z[row+n-1-j] = x[row+j]
			}
			return 4
		}, true},
		{"uoInMemory", uoInMemory, uoInMemoryKernel, func(n, row int, x, y, z []int32) (s int32) {
			for j := 0; j < n; j++ {
				z[row+2] += x[row+j]
				if j >= max(n, 0)/4*4 {
					s -= y[row+j]
				} else if j%4 == 3 {
					s -= y[row+j-3] + y[row+j-2] + y[row+j-1] + y[row+j]
				}
			}
			return s
		}, false},
		{"uoInMemory, overlapping", uoInMemory, uoInMemoryKernel, nil, true},
		{"uoHalves", uoHalves, uoHalvesKernel, nil, true},
		{"uoSmallCounters", uoSmallCounters, uoSmallCountersKernel, nil, false},
		{"uoHelpers", uoHelpers, uoHelpersKernel, nil, true},
	} {
		cases = append(cases, unRows(k, dataFrom)...)
	}
	cases = append(cases, unRows(unKernel[int64]{"uoWidened", uoWidened, uoWidenedKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[uint32]{"uoBits", uoBits, uoBitsKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[uint32]{"uoSubtle", uoSubtle, uoSubtleKernel, nil, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[uint32]{"uoProducts", uoProducts, uoProductsKernel, func(n, row int, x, y, z []uint32) uint32 {
		p, m := uint32(3), uint32(math.MaxUint32)
		for j := 0; j < n; j++ {
			p *= x[row+j] | 1
			m = min(m, y[row+j])
		}
		return p ^ m
	}, false}, dataFrom)...)
	cases = append(cases, unRows(unKernel[float32]{"uoCarried", uoCarried, uoCarriedKernel, nil, true}, dataFrom)...)
	cases = append(cases, unRows(unKernel[float32]{"uoNorms", uoNorms, uoNormsKernel, nil, false}, unSmall)...)
	for _, k := range []struct {
		name     string
		each     int
		own      bool // slices may be the same
		source   uoEach
		compiled func(n int, x, y, z []int32) gocuda.Kernel
	}{
		{"uoFirst", 4, true, uoFirst, uoFirstKernel},
		{"uoFirstAsked", 4, true, uoFirstAsked, uoFirstAskedKernel},
		{"uoFirstOfLoop", 4, true, uoFirstOfLoop, uoFirstOfLoopKernel},
		{"uoTwoGroups", 4, true, uoTwoGroups, uoTwoGroupsKernel},
		{"uoTwoLoops", 4, true, uoTwoLoops, uoTwoLoopsKernel},
		{"uoTile", 4, true, uoTile, uoTileKernel},
		{"uoOnce", 4, false, uoOnce, uoOnceKernel},
		{"uoChannels", 3, true, uoChannels, uoChannelsKernel},
		{"uoStrides", 4, true, uoStrides, uoStridesKernel},
		{"uoGuards", 4, false, uoGuards, uoGuardsKernel},
		{"uoParts", 4, true, uoParts, uoPartsKernel},
		{"uoSome", 8, false, uoSome, uoSomeKernel},
		{"uoRunning", 4, true, uoRunning, uoRunningKernel},
		{"uoRunningEach", 4, true, uoRunningEach, uoRunningEachKernel},
		{"uoRunningLoop", 4, true, uoRunningLoop, uoRunningLoopKernel},
		{"uoBefore", 2, true, uoBefore, uoBeforeKernel},
		{"uoFlag", 3, true, uoFlag, uoFlagKernel},
		{"uoCounts", 2, true, uoCounts, uoCountsKernel},
		{"uoPhases", 4, false, uoPhases, uoPhasesKernel},
	} {
		cases = append(cases, unEvery(k.name, k.each, k.source, k.compiled, k.own, nil)...)
	}
	for _, c := range unEvery("uoOverlapping", 3, uoOverlapping, uoOverlappingKernel, false, nil) {
		c.Races = true
		cases = append(cases, c)
	}
	cases = append(cases, unEvery("uoStoredTwice", 4, uoStoredTwice, uoStoredTwiceKernel, true, nil)...)
	for _, shift := range []int{0, 1, 3} {
		cases = append(cases, made(fmt.Sprint("uoUnguarded by ", shift), []grid.Config{line(1, 1), line(3, 7), line(2, 33), line(3, 64), line(2, 257)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := 4 * cfg.Blocks() * cfg.Threads()
			x, y, z := data[int32](n+shift), dataFrom[int32](n, 1), dataFrom[int32](n, 2)
			return func(t *gocuda.Thread) { uoUnguarded(t, n, x, y, z) }, uoUnguardedKernel(n, x, y, z), []any{z}
		}, func(cfg grid.Config) []any {
			n := 4 * cfg.Blocks() * cfg.Threads()
			x, y := data[int32](n), dataFrom[int32](n, 1)
			for i := range x {
				x[i] += y[i] * int32(n)
			}
			return []any{x}
		}))
	}
	// More data than the grid has threads for.
	cases = append(cases, made("uoStrides through more", []grid.Config{line(1, 1), line(3, 7), line(2, 33), line(3, 64)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := 11*cfg.Blocks()*cfg.Threads() + 3
		x, y, z := data[int32](n), dataFrom[int32](n, 1), dataFrom[int32](n, 2)
		return func(t *gocuda.Thread) { uoStrides(t, n, x, y, z) }, uoStridesKernel(n, x, y, z), []any{z}
	}, func(cfg grid.Config) []any {
		n := 11*cfg.Blocks()*cfg.Threads() + 3
		x, y := data[int32](n), dataFrom[int32](n, 1)
		for i := range x {
			x[i] -= y[i]
		}
		return []any{x}
	}))
	cases = append(cases, unWrapping("uoOffsetsWrap", [][2]int32{{0, 5}, {math.MaxInt32 - 40, 30}, {math.MinInt32, 7}, {math.MaxInt32, -1}, {-20, math.MinInt32}, {math.MaxInt32 - 64, math.MaxInt32}}, uoOffsetsWrap, uoOffsetsWrapKernel)...)
	cases = append(cases, unPlane("uoRings", 1, 1, uoRings, uoRingsKernel)...)
	return cases
}

func uoFailures() []Failure {
	return []Failure{
		failure("uoFailWraps", 100, 77, uoFailWraps, uoFailWrapsKernel, "index out of range [300] with length 300"),
		failure("uoFailWraps-first", 64, 0, uoFailWraps, uoFailWrapsKernel, "index out of range [192] with length 192"),
	}
}
