//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Short branches that only some threads take, and variables that have a value from one of their arms
// afterwards; and elements that a thread stores several times, some of them in such branches. No thread
// reads what another one writes in the same phase.

// Variables that one arm assigns, both, none, or one of them twice.
//
//gocuda:kernel
func selArms(t *gocuda.Thread, n int, e []int32, x, y, z []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	a, b, c, d := x[i], y[i], int32(7), e[i]
	if a > b {
		c = a - b
		d = c * 3
		c -= d
	} else {
		c = b
		a = d + 1
	}
	if d&1 != 0 {
		_ = a
	} else if c > 0 {
		b = b*2 + 1
	}
	z[i] = a ^ b<<1 ^ c*5 ^ d
}

// Swaps in one arm, and conditions of what the other one changes.
//
//gocuda:kernel
func selSwaps(t *gocuda.Thread, n int, e []int32, x, y, z []float32) {
	i := t.GlobalX()
	if i < n {
		lo, hi := x[i], y[i]
		if lo > hi {
			lo, hi = hi, lo
		}
		mid := (lo + hi) * 0.5
		if mid > lo && lo < 0 {
			lo, mid = mid, -lo
			if mid > hi {
				hi, lo, mid = lo, mid, hi
			}
		} else if !(hi < 50) {
			hi = -hi
		}
		z[i] = lo - mid*3 + hi/7
	}
}

// The sorting network of five numbers, written with ifs.
//
//gocuda:kernel
func selNetwork(t *gocuda.Thread, n int, e []int32, x, y, z []int16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	a, b, c, d, f := x[i], y[i], x[i]>>3, y[i]^x[i], int16(e[i])
	if b < a {
		a, b = b, a
	}
	if d < c {
		c, d = d, c
	}
	if f < c {
		c, f = f, c
	}
	if f < d {
		d, f = f, d
	}
	if c < a {
		a, c = c, a
	}
	if d < a {
		a, d = d, a
	}
	if d < b {
		b, d = d, b
	}
	if f < b {
		b, f = f, b
	}
	if c < b {
		b, c = c, b
	}
	if d < c {
		c, d = d, c
	}
	z[i] = a + b*2 + c*3 + d*5 + f*7
}

// A chain of else ifs over a byte, which ends in nothing for some.
//
//gocuda:kernel
func selGrades(t *gocuda.Thread, n int, e []int32, x, y, z []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := x[i]
	var g uint8
	if v < 16 {
		g = 1
	} else if v < 64 && y[i] > 100 {
		g = v * 2
	} else if v&7 == 3 || y[i] < v {
		g = v + y[i]
		v = 250
	} else if v > 200 {
		v -= 199
	} else if e[i] > 2 {
		g--
	}
	z[i] = g + v
}

// A switch with cases that fall through, over a number and without one.
//
//gocuda:kernel
func selSwitch(t *gocuda.Thread, n int, e []int32, x, y, z []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v, w := x[i], y[i]
	switch e[i] {
	case 0, 3:
		v += w
		fallthrough
	case 1:
		w ^= v
	case 2:
		v, w = w, v
		fallthrough
	case 5:
		v >>= 3
		fallthrough
	default:
		w++
	case 7:
	}
	switch {
	case v > w:
		v -= w
		fallthrough
	case v&1 == 0:
		v |= 256
	case w%3 == 1:
		w <<= v & 7
	}
	z[i] = v*31 + w
}

// Four deep, with a variable of each depth.
//
//gocuda:kernel
func selDeep(t *gocuda.Thread, n int, e []int32, x, y, z []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	a, b, c, d := x[i], y[i], int64(e[i]), int64(-1)
	if a > 0 {
		b -= a
		if b > 0 {
			k := a &^ b
			c += k
			if c&3 > 1 {
				var m int64
				d = c
				if d > b {
					m = d - b
					a = m >> 2
				} else if e[i] > 1 {
					m--
				}
				d ^= m
			}
			a += k
		} else {
			b = -b
		}
		c *= 3
	}
	z[i] = a + b - c ^ d
}

// Helpers that return from several places, one in the other.
//
//gocuda:kernel
func selReturns(t *gocuda.Thread, n int, e []int32, x, y, z []float64) {
	i := t.GlobalX()
	if i >= n || e[i] == 5 {
		return
	}
	v := selFold(x[i], y[i])
	if v > 90 {
		return
	}
	if e[i] < 0 {
		z[i] = -v
		return
	}
	z[i] = selFold(y[i], v) + v
}

func selFold(a, b float64) float64 {
	if a < 0 {
		if b < 0 {
			return a * b
		}
		a = -a
	}
	if s := selSide(a, b); s > 0 {
		return a - b
	} else if s < 0 {
		return b / 3
	}
	return a
}

func selSide(a, b float64) int {
	switch {
	case a > b+10:
		return 1
	case a < b-10:
		return -1
	}
	return 0
}

// Not a number, infinities and zeros with a sign in conditions.
//
//gocuda:kernel
func selNaNs(t *gocuda.Thread, n int, e []int32, x, y, z []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v, w := x[i], y[i]
	r := float32(0)
	if v != v {
		r += 1
	}
	if !(v < w) {
		r += 2
		v = 0
	}
	if v == w || !(w > v) && w != w {
		r += 4
	}
	if v >= 0 && 1/v < 0 {
		r += 8
	}
	if w < v {
		w = v - w
	} else {
		v = w
	}
	z[i] = r + v*16 + w
}

// Minima, maxima and absolute values by hand: which of two zeros, and what of a NaN.
//
//gocuda:kernel
func selMinMax(t *gocuda.Thread, n int, e []int32, x, y, z []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v, w := x[i], y[i]
	lo := v
	if w < lo {
		lo = w
	}
	hi := w
	if !(v <= hi) {
		hi = v
	}
	m := v
	if m < 0 {
		m = -m
	}
	q := w
	if q <= 0 {
		q = 0 - q
	}
	if e[i]&1 == 0 {
		lo = max(lo, q)
	} else {
		hi = min(m, hi)
	}
	z[i] = lo + 4*hi
	if m >= q {
		z[i] = math.Abs(z[i]) - m
	}
	if lo == 0 {
		z[i] = 1 / lo
	}
}

// Conditions with loads behind && and ||, of neighbors who are only there for some.
//
//gocuda:kernel
func selNeighbors(t *gocuda.Thread, n int, e []int32, x, y, z []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var v int32
	if i > 0 && x[i-1] > x[i] {
		v = x[i-1]
	}
	if i == n-1 || x[i+1] < x[i] {
		v |= 1
	} else if y[i+1] > 0 {
		v ^= y[i+1]
	}
	if i > 0 {
		v += y[i-1]
	}
	if j := i + 17; j < n && !(x[j] < 0) {
		v -= x[j]
	}
	if k := int(e[i]); k >= 0 && k < n {
		v = v*3 + x[k]
		if p := i - k; p >= 0 && y[p] != 0 {
			v += y[p] / 3
		}
	}
	z[i] = v
}

// A list without its end: indices that are -1.
//
//gocuda:kernel
func selLinks(t *gocuda.Thread, n int, e []int32, x, y, z []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	best, at := x[i], int32(i)
	for hop := 0; hop < 3; hop++ {
		next := e[at]
		if next < 0 || int(next) >= n {
			break
		}
		if v := x[next]; v > best {
			best = v
		} else if y[next] < 0 {
			best += 0.5
		}
		at = next
	}
	z[i] = best
	if at != int32(i) {
		z[i] += float32(at)
	}
}

// Quotients only where there is something to divide by.
//
//gocuda:kernel
func selDivide(t *gocuda.Thread, n int, e []int32, x, y, z []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	d, r := y[i]%5, x[i]
	if d != 0 {
		r /= d
	}
	if e[i] != 0 && r%e[i] == 1 {
		r++
	}
	q := int32(0)
	if d > 0 {
		if x[i] < 0 {
			q = x[i] % d
		} else {
			q = x[i] / (d + 1)
		}
	} else if d != 0 {
		q = r / d
	}
	z[i] = r ^ q
}

// Counts of shifts that may be negative or large.
//
//gocuda:kernel
func selShifts(t *gocuda.Thread, n int, e []int32, x, y, z []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v, by := x[i], e[i]
	if by >= 0 {
		v <<= by
		if by*4 > 31 {
			v = y[i] >> (by * 4)
		}
	} else {
		v >>= -by
	}
	if s := 40 - int(e[i])*4; s > 0 && v<<s == 0 {
		v++
	}
	z[i] = v
}

// Conversions of floats that are only defined in a range, and indices from them.
//
//gocuda:kernel
func selConvert(t *gocuda.Thread, n int, e []int32, x, y, z []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	f := x[i] * 4
	k := int32(-1)
	if f >= 0 && f < 400 {
		k = int32(f)
	} else if f > -400 && f < 0 {
		k = -int32(-f) - 2
	}
	u := uint8(3)
	if y[i] >= 0 && y[i] < 256 {
		u = uint8(y[i])
	}
	s := float32(k)
	if k >= 0 && int(k) < n {
		s += y[k]
	}
	z[i] = s - float32(u)
}

// Counted loops with branches, and variables that live across rounds and that only some assign.
//
//gocuda:kernel
func selRounds(t *gocuda.Thread, n int, e []int32, x, y, z []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var last, runs, up int32
	best := x[i]
	for k := int32(0); k < 9; k++ {
		v := x[i]>>k ^ y[i]<<k
		if v > last {
			up++
			if up > best {
				best, up = up, 0
			}
		} else if up > 0 {
			runs += up
			up = -1
		}
		if v&16 != 0 {
			last = v
		}
	}
	z[i] = best ^ runs<<8 + last*3 + up
}

// The escape time of a fractal, whose loop the threads leave one by one.
//
//gocuda:kernel
func selEscape(t *gocuda.Thread, n int, e []int32, x, y, z []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	cr, ci := x[i]/50, y[i]/80
	var zr, zi, trap float64
	steps := 0
	for steps < 40 {
		zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
		m := zr*zr + zi*zi
		if m > 4 {
			break
		}
		if zi > 0 && m > trap {
			trap = m
		} else if zr < 0 {
			trap *= 0.5
			if trap < 0.01 {
				steps += 2
				continue
			}
		}
		steps++
	}
	z[i] = float64(steps) + trap
}

// Continue, and a break out of the outer of two loops.
//
//gocuda:kernel
func selLeaves(t *gocuda.Thread, n int, e []int32, x, y, z []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	h, found := x[i], uint32(0)
outer:
	for a := uint32(1); a < 6; a++ {
		for b := a; b < 5; b++ {
			h = h*1664525 + b
			if h>>28 == 3 {
				continue outer
			}
			if h>>29 > 6 && y[i]&1 == 0 {
				found = a*8 + b
				break outer
			}
			if h&1 == 0 {
				found ^= h
			} else {
				h ^= found
				continue
			}
			found++
		}
		if found > 1<<30 {
			found >>= 1
		}
	}
	z[i] = found + h
}

// A branch around a loop, and one in it whose variable the loop changes.
//
//gocuda:kernel
func selAround(t *gocuda.Thread, n int, e []int32, x, y, z []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s, c := int32(0), int32(0)
	if x[i] > y[i] {
		s = x[i] & 255
		for k := int32(0); k < e[i]; k++ {
			if s > 100 {
				s -= 77
			} else {
				s += k * 9
				c++
			}
		}
	} else if e[i] > 3 {
		for s < 50 {
			s += e[i]
			if s&1 == 1 {
				c += s
			}
		}
	}
	z[i] = s + c*1000
}

// Bools: assigned in arms, combined, and conditions again.
//
//gocuda:kernel
func selBools(t *gocuda.Thread, n int, e []int32, x, y, z []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	p, q := x[i] > 0, y[i] > x[i]
	var r, s bool
	if p != q {
		r = e[i] > 2
		p = !q
	} else {
		s = e[i]&1 == 0 || x[i] == y[i]
		q = q && s
	}
	if !(p && r) || s && !q {
		p, q = q, p
		if q {
			r = r != s
		}
	}
	v := int32(0)
	if p {
		v |= 1
	}
	if q {
		v |= 2
	}
	if r {
		v |= 4
	}
	if s == (v > 2) {
		v |= 8
	}
	z[i] = v
}

// Structs and arrays that arms assign whole, by field and by element.
type selPair struct {
	a, b float32
	n    int32
}

//gocuda:kernel
func selStructs(t *gocuda.Thread, n int, e []int32, x, y, z []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	p, q := selPair{x[i], y[i], e[i]}, selPair{a: 1}
	v := [3]float32{x[i], 2, y[i]}
	if p.a > p.b {
		p.a, p.b = p.b, p.a
		q = p
		v[1] = q.b
	} else {
		q.n = p.n + 1
		v[0], v[2] = v[2], -v[0]
	}
	if q.n > 4 {
		p = selPair{q.b, p.a, 0}
		v = [3]float32{1, v[0]}
	}
	if k := q.n; k >= 0 {
		v[k%3] += 5
	}
	z[i] = p.a + p.b*2 + q.a*4 + q.b*8 + float32(p.n+q.n) + v[0] - v[1]*3 + v[2]
}

// Pointers that are nil for some.
//
//gocuda:kernel
func selPointers(t *gocuda.Thread, n int, e []int32, x, y, z []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var p *int32
	if e[i] > 1 {
		p = &x[i]
	} else if e[i] < 0 {
		p = &y[i]
	}
	v := int32(5)
	if p != nil && *p > 0 {
		v = *p
	}
	z[i] = v
	if p != nil {
		z[i] += *p & 7
	}
}

// Rows in blocks of two dimensions, of which a warp has several.
//
//gocuda:kernel
func selPlane(t *gocuda.Thread, w, h int, in, out []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	c := in[y*w+x]
	l, r, u := c, c, c
	if x > 0 {
		l = in[y*w+x-1]
	}
	if x+1 < w {
		r = in[y*w+x+1]
	}
	if y > 0 {
		u = in[(y-1)*w+x]
		if u > l {
			u = l - r
		}
	}
	g := l - r
	if g < 0 {
		g = -g
	}
	out[y*w+x] = g
	if u > c && (x^y)&1 == 0 {
		out[y*w+x] += u
	} else if t.ThreadIdx.Y == 0 {
		out[y*w+x] *= 2
	}
	out[y*w+x] -= c
}

// All threads are in range, and there is no guard.
//
//gocuda:kernel
func selUnguarded(t *gocuda.Thread, w, h int, in, out []int32) {
	i := t.GlobalY()*w + t.GlobalX()
	v := in[i]
	out[i] = v
	if v > 0 {
		out[i] -= 100
		if v&2 != 0 {
			v = out[i] * 3
		}
	}
	if out[i] > v || t.ThreadIdx.X&1 == 1 {
		out[i] ^= v
	}
	out[i]++
}

// Votes and shuffles near branches.
//
//gocuda:kernel
func selVotes(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	if v&1 != 0 {
		v = v >> 1
	}
	m := t.BallotSync(0xffffffff, v > 0)
	o := gocuda.ShflXorSync(t, 0xffffffff, v, 5, 32)
	if o > v {
		v = o
		if m>>t.LaneID()&1 == 0 {
			v ^= 0x55
		}
	}
	out[i] = v
	if t.AnySync(0xffffffff, v > 1<<30) {
		out[i] += o
	}
	u := gocuda.ShflDownSync(t, 0xffffffff, out[i], 1, 32)
	if t.LaneID() < 31 && u < out[i] {
		out[i] -= u & 0xffff
	}
}

// Atomic operations in arms, on one's own element between stores and on those of everybody.
//
//gocuda:kernel
func selAtomics(t *gocuda.Thread, n int, e []int32, x, y, z []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	z[i] = x[i]
	if e[i] > 2 {
		atomic.Add(&z[i], 7)
		z[i] *= 2
	} else if y[i] > 0 {
		z[i]++
		if old := atomic.Max(&z[i], 1000); old > 5 {
			z[i] -= 3
		}
	}
	z[i] ^= 1
	atomic.Xor(&z[i], y[i]|1)
	z[i] += z[i] & 15
}

//gocuda:kernel
func selTallies(t *gocuda.Thread, in, out []int32) {
	c := gocuda.Shared[int32](t, 8)
	tid, i := t.Rank(), t.GlobalX()
	if tid < 8 {
		c[tid] = 0
	}
	t.SyncThreads()
	v := in[i] & 15
	if v < 8 {
		atomic.Add(&c[v], 1)
	} else if v != 9 {
		atomic.Add(&c[0], v)
		v = -v
	}
	t.SyncThreads()
	out[i] = v
	if v >= 0 && v < 8 {
		out[i] += c[v] * 100
	} else {
		out[i] -= c[0]
	}
}

// Shared memory: a tree whose elements are stored, read and changed, with barriers between.
//
//gocuda:kernel
func selTree(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	s[tid] = v
	if v < 0 {
		s[tid] = -v
	}
	s[tid] &= 0xffff
	t.SyncThreads()
	for k := n / 2; k > 0; k /= 2 {
		if tid < k {
			o := s[tid+k]
			if o > s[tid] {
				s[tid] = o - s[tid]/2
			} else {
				s[tid] += o & 3
			}
			s[tid]++
		}
		t.SyncThreads()
	}
	best := s[0]
	if v&1 == 0 {
		best = -best
	}
	out[t.GlobalX()] = best
}

// A scan, whose variable only some threads assign and that lives across the barriers.
//
//gocuda:kernel
func selScan(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	s[tid] = in[t.GlobalX()] & 1023
	t.SyncThreads()
	var add, most int32
	for d := 1; d < n; d <<= 1 {
		if tid >= d {
			add = s[tid-d]
		}
		t.SyncThreads()
		if tid >= d {
			s[tid] += add
			if add > most {
				most = add
			}
		}
		t.SyncThreads()
	}
	out[t.GlobalX()] = s[tid]
	if tid > 0 {
		out[t.GlobalX()] -= s[tid-1]
	}
	if most > 4000 {
		out[t.GlobalX()] += most
	}
}

// An element that is stored, read and changed, in arms and outside of them.
//
//gocuda:kernel
func selAgain(t *gocuda.Thread, n int, e []int32, x, y, z []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	z[i] = x[i] + 1
	if x[i] > y[i] {
		z[i] = y[i]
	}
	z[i] += y[i]
	if z[i] > 10 {
		z[i] /= 3
		if x[i] > 20 {
			z[i] = x[i] - z[i]
		}
	} else {
		z[i] -= x[i]
		z[i] *= y[i]
	}
	z[i] = z[i] + x[i]*z[i]
}

// Bytes and shorts are cut off when they are stored, and read back so.
//
//gocuda:kernel
func selBytes(t *gocuda.Thread, n int, e []int32, x, y, z []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := int(x[i]) * 3
	z[i] = uint8(v)
	if int(z[i]) != v {
		z[i] += y[i]
		v = int(z[i]) << 2
	}
	z[i] = uint8(v - int(z[i]))
	if z[i] > 128 && e[i] > 0 {
		z[i] = ^z[i]
	}
	z[i] -= y[i] >> 1
}

//gocuda:kernel
func selShorts(t *gocuda.Thread, n int, e []int32, x, y, z []int16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := int32(x[i]) * int32(y[i])
	z[i] = int16(s >> 3)
	w := int32(z[i])
	if w < 0 {
		z[i] = int16(s - w)
	} else if s > 70000 {
		z[i]--
		w = int32(z[i]) * 7
	}
	z[i] ^= int16(w)
	z[i] = z[i]/3 + int16(e[i])
}

// Doubles that are rounded by a store and read back.
//
//gocuda:kernel
func selRounded(t *gocuda.Thread, n int, e []int32, x, y, z []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	d := float64(x[i])/3 + float64(y[i])
	z[i] = float32(d)
	if float64(z[i]) > d {
		d -= float64(z[i])
		z[i] = float32(d * 1e9)
	} else if float64(z[i]) != d {
		z[i] = float32(float64(z[i])*1.1 - d)
	}
	d = float64(z[i]) * 0.7
	z[i] = float32(d) + x[i]
}

// Two elements of a thread in turn.
//
//gocuda:kernel
func selTwo(t *gocuda.Thread, n int, x, y, z []int32) {
	i := t.GlobalX()
	if 2*i+1 >= n {
		return
	}
	z[2*i] = x[2*i] + 1
	z[2*i+1] = y[2*i+1]
	if z[2*i] > z[2*i+1] {
		z[2*i] -= z[2*i+1]
		z[2*i+1] = x[2*i+1]
	}
	z[2*i] ^= y[2*i]
	if x[2*i+1]&1 == 0 {
		z[2*i+1] += z[2*i]
	}
	z[2*i+1]--
}

// Indices and slices that change between the stores. Threads have s elements each.
//
//gocuda:kernel
func selMoves(t *gocuda.Thread, n, s int, x, y, z []int32) {
	i := t.GlobalX() * s
	if t.GlobalX() >= n {
		return
	}
	j := i
	z[j] = x[i] + 1
	if x[i] > 0 {
		z[j] *= 3
		j++
	}
	z[j] = y[i]
	if y[i] > z[i] {
		z[j] -= z[i]
	}
	j += 2
	z[j] = x[i]
	z[i] += z[j] + y[i]
}

//gocuda:kernel
func selOther(t *gocuda.Thread, n, s int, x, y, z []int32) {
	g := t.GlobalX()
	if g >= n {
		return
	}
	i := g * s
	p := z
	p[i] = y[i] + 5
	if y[i] > 3 {
		p[i] = -y[i]
	}
	p = x
	p[i] += z[i]
	if p[i] > 100 {
		z[i] = p[i] >> 1
	}
	p = z[i : i+2]
	p[0]++
	p[1] = p[0] + x[i]
	z[i] -= p[1]
}

// Slices that overlap by some elements, all of a thread's own.
//
//gocuda:kernel
func selOverlap(t *gocuda.Thread, n, s int, x, y, z []int32) {
	if t.GlobalX() >= n {
		return
	}
	i := t.GlobalX() * s
	z[i] = x[i] + 3
	if y[i] > 0 {
		z[i] = y[i]
		x[i]++
	}
	z[i] += x[i]
	y[i] = z[i] - 1
	if z[i] > x[i] {
		z[i] -= y[i] * 2
	} else {
		x[i] = z[i]
	}
	z[i] ^= y[i]
	z[i] += x[i] * 3
}

//gocuda:kernel
func selOverlapFloats(t *gocuda.Thread, n, s int, x, y, z []float64) {
	if t.GlobalX() >= n {
		return
	}
	i := t.GlobalX() * s
	for k := 0; k < 3; k++ {
		z[i] = x[i]*0.5 + y[i]
		if z[i] > y[i] {
			y[i] = z[i] - 1
			z[i] = y[i] + x[i]
		}
		z[i] -= float64(k)
		x[i] += 0.25
	}
	z[i] += x[i] + y[i]
}

// The element of a thread in a loop that others leave, and in one that all run through.
//
//gocuda:kernel
func selLoopStores(t *gocuda.Thread, n int, e []int32, x, y, z []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	z[i] = 0
	for k := int32(0); k < 6; k++ {
		z[i] += x[i] >> k
		if z[i]&1 == 1 {
			z[i] = z[i]*3 + 1
		}
		if k > e[i] {
			z[i] -= 5
			break
		}
		z[i] ^= y[i]
	}
	z[i]++
	for z[i]&7 > 1 {
		z[i]++
		if z[i] < 0 {
			continue
		}
		z[i] += e[i] & 1
	}
	for k := range 4 {
		z[i] = z[i]*5 + int32(k)
	}
}

// In place, one slice.
//
//gocuda:kernel
func selInPlace(t *gocuda.Thread, n int, e []int32, x, y, z []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	if z[i] < 0 {
		z[i] = -z[i]
	}
	z[i] = math.Sqrt(z[i])
	if z[i] > 5 {
		z[i] -= 5
		if z[i] > 2 {
			z[i] = 2
		}
	} else if e[i] == 1 {
		return
	}
	z[i] *= z[i]
}

// Fields of structs in slices, arrays in structs, and structs that are copied out and in.
type selBody struct {
	X, Y float32
	K    int32
	V    [3]float32
	On   bool
}

//gocuda:kernel
func selFields(t *gocuda.Thread, n int, e []int32, in []float32, p []selBody) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	p[i].X += in[i]
	if p[i].X > 50 {
		p[i].X = 100 - p[i].X
		p[i].K++
		p[i].On = !p[i].On
	} else if p[i].X < -50 {
		p[i].X = -100 - p[i].X
		p[i].V[0] = -p[i].V[0]
	}
	p[i].V[1] += p[i].X * 0.5
	p[i].V[p[i].K&1] -= 1
	if p[i].On && p[i].V[1] > 0 {
		p[i].Y = p[i].V[0] + p[i].V[1]
	}
	b := p[i]
	if b.Y > b.X {
		b.X, b.Y = b.Y, b.X
		b.V[2] = 9
		p[i] = b
	}
	p[i].Y += b.V[2]
	p[i].X = p[i].Y - 1
}

// Slices of slices.
//
//gocuda:kernel
func selRows(t *gocuda.Thread, n int, e []int32, in []int32, rows [][]int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	r := rows[i%len(rows)]
	k := i / len(rows)
	r[k] = in[i]
	if e[i] > 2 {
		r[k] += 3
		rows[i%len(rows)][k] ^= in[i] >> 2
	}
	r[k] *= 5
	if r[k] < 0 {
		r[k] = -r[k]
	}
}

// Shared memory by way of a part of it, read by others after barriers.
//
//gocuda:kernel
func selParts(t *gocuda.Thread, in, out []float32) {
	s := gocuda.Shared[float32](t, 2048)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	a, b := s[:n], s[n:2*n]
	v := in[t.GlobalX()]
	a[tid] = v
	b[tid] = 1
	if v > 0 {
		a[tid] *= 0.5
		b[tid] = a[tid]
		a[tid] -= 1
	}
	b[tid] += a[tid]
	t.SyncThreads()
	o := a[(tid+1)%n]
	t.SyncThreads()
	if o > b[tid] {
		a[tid] = o
	}
	a[tid] += b[(tid+3)%n]
	out[t.GlobalX()] = a[tid]
	t.SyncThreads()
	if tid > 0 {
		out[t.GlobalX()] += a[tid-1]
	}
}

// Elements that are stored before and after barriers.
//
//gocuda:kernel
func selBarriers(t *gocuda.Thread, in, out []int32) {
	i, tid := t.GlobalX(), t.ThreadIdx.X
	first, n := t.BlockIdx.X*t.BlockDim.X, t.BlockDim.X
	var kept int32
	out[i] = in[i]
	if in[i] > 0 {
		out[i] = in[i] >> 1
		kept = 3
	}
	t.SyncThreads()
	o := out[first+(tid+1)%n]
	t.SyncThreads()
	if o > out[i] {
		out[i] = o
		kept += o & 7
	}
	out[i] += kept
	out[i]--
	t.SyncThreads()
	if tid == 0 {
		kept = out[first+n-1]
	}
	t.SyncThreads()
	out[i] += kept
}

// The same with fastmath.
//
//gocuda:kernel fastmath
func selFast(t *gocuda.Thread, n int, e []int32, x, y, z []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v, w := x[i], y[i]
	z[i] = v * w
	if v > w {
		z[i] += v
		v, w = w, v+1
	} else if v == w || e[i] > 2 {
		z[i] = -w
		w *= 2
	}
	if z[i] > 10 {
		z[i] -= w * v
		if i > 0 && e[i] < 1 {
			z[i] = 3
		}
	}
	z[i] += v + w
}

//gocuda:kernel fastmath
func selFastRounds(t *gocuda.Thread, n int, e []int32, x, y, z []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var s float64
	best := x[i]
	for k := 0; k < 5; k++ {
		d := x[i] - y[i]*float64(k)
		if d < 0 {
			d = -d
			s += 1
		}
		if d > best && !(s > 3) {
			best = d
			z[i] = s
		} else {
			s += d
		}
		if k > int(e[i]) && d < 4 {
			break
		}
		z[i] += best
	}
	z[i] += s
}

// Variables that are declared in a branch, without a value or with one, and that its own branches assign.
//
//gocuda:kernel
func selDeclared(t *gocuda.Thread, n int, e []int32, x, y, z []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := y[i]
	for k := int32(0); k < 3; k++ {
		if x[i]>>k&1 == 1 {
			var a, b int32
			c := s
			if e[i] > k {
				a = x[i]
				c--
			} else if s > 0 {
				b = a + 1
			}
			for a > 1000 {
				a >>= 2
				b++
			}
			var f [2]int32
			f[b&1] = a
			s = f[0] - f[1]*2 + c ^ b
		}
	}
	z[i] = s
}

// Variables that are read before an arm assigns them, and by the condition of the other arm.
//
//gocuda:kernel
func selBefore(t *gocuda.Thread, n int, e []int32, x, y, z []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v, w := x[i], y[i]
	if u := v + w; u > v {
		w = v
		v = u
		u = w - 1
		v ^= u
	} else if v -= w; v > u {
		w = u
	} else {
		w, v = v, w
	}
	if v > w {
		w -= v
	}
	if w > v {
		v -= w
	}
	z[i] = v*3 + w
}

// Conditions that use what their own arm changes, in a loop and outside.
//
//gocuda:kernel
func selCollatz(t *gocuda.Thread, n int, e []int32, x, y, z []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := x[i]>>16 + 1
	most, steps := v, uint32(0)
	for v != 1 && steps < 60 {
		if v&1 == 0 {
			v /= 2
		} else {
			v = v*3 + 1
		}
		if v > most {
			most = v
		}
		steps++
	}
	z[i] = most<<8 | steps
}

// Arms that call functions and a square root.
//
//gocuda:kernel
func selCalls(t *gocuda.Thread, n int, e []int32, x, y, z []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := x[i]
	if v >= 0 {
		v = math.Sqrt(v)
	} else if v > -50 {
		v = math.Floor(v / 3)
	}
	w := 0.0
	if y[i] > 0 && math.Sqrt(y[i]) > v {
		w = math.Exp(-y[i])
	}
	z[i] = v + w
	if z[i] < 0 {
		z[i] = math.Abs(v) * selFold(v, y[i])
	}
}

// One thread's index is out of range in an arm, behind stores that are right, or in the third store.
//
//gocuda:kernel
func selFailArm(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	k := i
	if unlucky(t, who) {
		k = len(in) + 4
	}
	if v > 0 && v < 2000 {
		v += in[k]
	} else {
		v--
	}
	out[i] = v
}

//gocuda:kernel
func selFailElse(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	v, bad := in[i], unlucky(t, who)
	out[i] = v
	if !bad {
		out[i] += 2
	} else {
		v = in[i-i-1-int(v&1)*0] + 1
	}
	out[i] += v
}

//gocuda:kernel
func selFailThird(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	k := i
	if unlucky(t, who) {
		k += len(out)
	}
	out[i] = in[i]
	if in[i]&1 == 1 {
		out[i] = 3
	}
	out[i] += in[i]
	out[k] += 7
}

//gocuda:kernel
func selFailBetween(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	k := i
	if unlucky(t, who) {
		k = -3
	}
	out[i] = 1
	v := in[k]
	out[i] = v
	if v > 500 {
		out[i]++
	}
}

//gocuda:kernel
func selFailAnd(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	k := i
	if unlucky(t, who) {
		k = len(in)
	}
	if in[i] > 0 && in[k] > 500 {
		out[i] = 1
		return
	}
	out[i] = 2
}

//gocuda:kernel
func selFailDivide(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	d := in[i]
	if unlucky(t, who) {
		d = 0
	}
	out[i] = 5
	if d < 2000 {
		out[i] = in[i] / d
	}
	out[i]++
}

//gocuda:kernel
func selFailLost(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	k := i
	if unlucky(t, who) {
		k = len(out) + 9
	}
	v := in[i]
	if v > 0 {
		out[k] = v
		out[k] = v + 1
	}
	out[i] = v
}

// selLines have blocks of many sizes.
var selLines = []grid.Config{line(1, 1), line(3, 7), line(2, 33), line(3, 64), line(2, 100), line(1, 257)}

// selInput is data with NaNs, infinities and zeros among it if it is of floats and not small, and small
// numbers if it is.
func selInput[T any](n, seed int, small bool) []T {
	s := dataFrom[T](n, seed)
	for i := range s {
		h := hash(i*5 + seed)
		switch p := any(&s[i]).(type) {
		case *float32:
			*p = float32(selSpecial(float64(*p), h, small))
		case *float64:
			*p = selSpecial(*p, h, small)
		case *int32:
			if h&3 == 0 {
				*p >>= 24
			}
		}
	}
	return s
}

func selSpecial(v float64, h uint64, small bool) float64 {
	if small {
		return float64(h%17) - 8
	}
	switch h % 23 {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(1)
	case 2:
		return math.Copysign(0, -1)
	case 3:
		return 0
	case 4, 5, 6, 7:
		return math.Floor(v / 10)
	}
	return v
}

// selSmall are numbers from -3 to 9.
func selSmall(n int) []int32 {
	e := make([]int32, n)
	for i := range e {
		e[i] = int32(hash(i+99)%13) - 3
	}
	return e
}

// selEach is the cases of a kernel of one element a thread. own says that z may be x or y.
func selEach[T any](name string, small, own bool, source func(t *gocuda.Thread, n int, e []int32, x, y, z []T),
	compiled func(n int, e []int32, x, y, z []T) gocuda.Kernel) (cases []Case) {
	for k, overlap := range []string{"", ", z is x", ", z is y", ", all are one"} {
		if k > 0 && !own {
			break
		}
		cases = append(cases, made(name+overlap, selLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Blocks() * cfg.Threads()
			x, y, z := selInput[T](n, 1, small), selInput[T](n, 2, small), selInput[T](n, 3, small)
			switch k {
			case 1:
				z = x
			case 2:
				z = y
			case 3:
				y, z = x, x
			}
			e := selSmall(n)
			n -= n / 9
			return func(t *gocuda.Thread) { source(t, n, e, x, y, z) }, compiled(n, e, x, y, z), []any{x, y, z}
		}, nil))
	}
	return cases
}

// selSteps is the cases of a kernel whose threads have 80 elements each, the slices of which overlap by
// some.
func selSteps[T any](name string, source func(t *gocuda.Thread, n, s int, x, y, z []T), compiled func(n, s int, x, y, z []T) gocuda.Kernel) (cases []Case) {
	const s = 80
	for _, by := range [][3]int{{-1, -1, -1}, {0, 0, 0}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 1, 0}, {0, 3, 16}, {16, 64, 0}, {64, -1, 0}, {0, 64, 1}, {2, 0, 0}} {
		cases = append(cases, made(fmt.Sprint(name, by), selLines[:5], func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Blocks() * cfg.Threads()
			all := selInput[T](n*s+s, 4, false)
			var p [3][]T
			for k, b := range by {
				if p[k] = selInput[T](n*s+s, k, false); b >= 0 {
					p[k] = all[b:]
				}
			}
			n -= n / 9
			return func(t *gocuda.Thread) { source(t, n, s, p[0], p[1], p[2]) }, compiled(n, s, p[0], p[1], p[2]), []any{all, p[0], p[1], p[2]}
		}, nil))
	}
	return cases
}

func selPlanes[T any](name string, less int, source func(t *gocuda.Thread, w, h int, in, out []T), compiled func(w, h int, in, out []T) gocuda.Kernel) Case {
	cfgs := []grid.Config{
		{Grid: grid.Dim3{X: 2, Y: 3}, Block: grid.Dim3{X: 7, Y: 5}}, {Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 16, Y: 16}},
		{Grid: grid.Dim3{X: 1, Y: 2}, Block: grid.Dim3{X: 33, Y: 3}}, {Grid: grid.Dim3{X: 3, Y: 1}, Block: grid.Dim3{X: 8, Y: 4}}, line(2, 64),
	}
	return made(name, cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		w, h := cfg.Grid.Norm().X*cfg.Block.Norm().X-less, cfg.Grid.Norm().Y*cfg.Block.Norm().Y
		if h > 1 {
			h -= less
		}
		in, out := selInput[T](w*h, 1, false), marked[T](w*h)
		return func(t *gocuda.Thread) { source(t, w, h, in, out) }, compiled(w, h, in, out), []any{out}
	}, nil)
}

func selCases() (cases []Case) {
	add := func(c []Case) { cases = append(cases, c...) }
	add(selEach("selArms", false, true, selArms, selArmsKernel))
	add(selEach("selSwaps", false, true, selSwaps, selSwapsKernel))
	add(selEach("selNetwork", false, true, selNetwork, selNetworkKernel))
	add(selEach("selGrades", false, true, selGrades, selGradesKernel))
	add(selEach("selSwitch", false, true, selSwitch, selSwitchKernel))
	add(selEach("selDeep", false, true, selDeep, selDeepKernel))
	add(selEach("selReturns", false, true, selReturns, selReturnsKernel))
	add(selEach("selNaNs", false, true, selNaNs, selNaNsKernel))
	add(selEach("selMinMax", false, true, selMinMax, selMinMaxKernel))
	add(selEach("selNeighbors", false, false, selNeighbors, selNeighborsKernel))
	add(selEach("selLinks", false, false, selLinks, selLinksKernel))
	add(selEach("selDivide", false, true, selDivide, selDivideKernel))
	add(selEach("selShifts", false, true, selShifts, selShiftsKernel))
	add(selEach("selConvert", false, false, selConvert, selConvertKernel))
	add(selEach("selRounds", false, true, selRounds, selRoundsKernel))
	add(selEach("selEscape", false, true, selEscape, selEscapeKernel))
	add(selEach("selLeaves", false, true, selLeaves, selLeavesKernel))
	add(selEach("selAround", false, true, selAround, selAroundKernel))
	add(selEach("selBools", false, true, selBools, selBoolsKernel))
	add(selEach("selStructs", false, true, selStructs, selStructsKernel))
	add(selEach("selPointers", false, true, selPointers, selPointersKernel))
	add(selEach("selAtomics", false, true, selAtomics, selAtomicsKernel))
	add(selEach("selAgain", false, true, selAgain, selAgainKernel))
	add(selEach("selBytes", false, true, selBytes, selBytesKernel))
	add(selEach("selShorts", false, true, selShorts, selShortsKernel))
	add(selEach("selRounded", false, true, selRounded, selRoundedKernel))
	add(selEach("selLoopStores", false, true, selLoopStores, selLoopStoresKernel))
	add(selEach("selInPlace", false, true, selInPlace, selInPlaceKernel))
	add(selEach("selFast", true, true, selFast, selFastKernel))
	add(selEach("selFastRounds", true, true, selFastRounds, selFastRoundsKernel))
	add(selEach("selDeclared", false, true, selDeclared, selDeclaredKernel))
	add(selEach("selBefore", false, true, selBefore, selBeforeKernel))
	add(selEach("selCollatz", false, true, selCollatz, selCollatzKernel))
	add(selEach("selCalls", false, true, selCalls, selCallsKernel))
	add(selSteps("selMoves", selMoves, selMovesKernel))
	add(selSteps("selOther", selOther, selOtherKernel))
	add(selSteps("selOverlap", selOverlap, selOverlapKernel))
	add(selSteps("selOverlapFloats", selOverlapFloats, selOverlapFloatsKernel))
	add(unEvery("selTwo", 2, selTwo, selTwoKernel, true, nil))
	cases = append(cases,
		selPlanes("selPlane", 1, selPlane, selPlaneKernel),
		selPlanes("selUnguarded", 0, selUnguarded, selUnguardedKernel),
		perThread("selVotes", warps, selVotes, selVotesKernel, nil),
		perThread("selTallies", []grid.Config{line(3, 33), line(2, 64), line(2, 100), line(1, 257)}, selTallies, selTalliesKernel, nil),
		perThread("selTree", powers, selTree, selTreeKernel, nil),
		perThread("selScan", linear, selScan, selScanKernel, nil),
		perThread("selParts", linear, selParts, selPartsKernel, nil),
		perThread("selBarriers", linear, selBarriers, selBarriersKernel, nil),
		made("selFields", selLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Blocks() * cfg.Threads()
			in, p, e := selInput[float32](n, 1, false), dataFrom[selBody](n, 2), selSmall(n)
			n -= n / 9
			return func(t *gocuda.Thread) { selFields(t, n, e, in, p) }, selFieldsKernel(n, e, in, p), []any{p}
		}, nil),
		made("selRows", selLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Blocks() * cfg.Threads()
			in, e := selInput[int32](n, 1, false), selSmall(n)
			rows := make([][]int32, 5)
			var all []any
			for k := range rows {
				rows[k] = marked[int32](n/5 + 1)
				all = append(all, rows[k])
			}
			n -= n / 9
			return func(t *gocuda.Thread) { selRows(t, n, e, in, rows) }, selRowsKernel(n, e, in, rows), all
		}, nil),
	)
	return cases
}

func selFailures() []Failure {
	return []Failure{
		failure("selFailArm", 100, 33, selFailArm, selFailArmKernel, "index out of range [304] with length 300"),
		failure("selFailArm-last", 64, 63, selFailArm, selFailArmKernel, "index out of range [196] with length 192"),
		failure("selFailElse", 100, 77, selFailElse, selFailElseKernel, "index out of range [-1]"),
		failure("selFailThird", 100, 50, selFailThird, selFailThirdKernel, "index out of range [450] with length 300"),
		failure("selFailThird-first", 64, 0, selFailThird, selFailThirdKernel, "index out of range [256] with length 192"),
		failure("selFailBetween", 130, 67, selFailBetween, selFailBetweenKernel, "index out of range [-3]"),
		failure("selFailAnd", 100, 64, selFailAnd, selFailAndKernel, "index out of range [300] with length 300"),
		failure("selFailDivide", 100, 99, selFailDivide, selFailDivideKernel, "integer divide by zero"),
		failure("selFailLost", 100, 31, selFailLost, selFailLostKernel, "index out of range [309] with length 300"),
	}
}
