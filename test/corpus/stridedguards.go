//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Guards whose left side grows from thread to thread by a step that only the run knows, and threads
// that a remainder chooses: sums and prefix sums over a tree, as the lectures have them before they
// get better.

// by is a step that the launch chooses, of any sign; far is a number that sums with it may wrap
// around with.
//
//gocuda:kernel
func sgAbove(t *gocuda.Thread, by, far int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	out[i], marks[i] = a[i], -1
	tid := t.ThreadIdx.X
	if k := by*tid + 3; k < len(a) {
		marks[i] = int32(k)
	}
	t.SyncThreads()
	if k := by*tid - far; k >= 5 {
		out[i] += 2
	}
	t.SyncThreads()
	if far > by*tid {
		out[i] *= 3
	}
	t.SyncThreads()
	if k := tid*by*2 + far; k <= far && tid < 40 {
		out[i] -= a[i] / 2
	}
}

//gocuda:kernel
func sgSweeps(t *gocuda.Thread, by, far int, a, out []float32, marks []int32) {
	s := gocuda.Shared[float32](t, 512)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	s[tid] = a[t.GlobalX()]
	t.SyncThreads()
	for d := 1; d < n; d *= 2 {
		k := (tid+1)*2*d - 1
		if k < n {
			s[k] += s[k-d]
		}
		t.SyncThreads()
	}
	marks[t.GlobalX()] = int32(s[n-1])
	for d := n / 2; d > 0; d >>= 1 {
		k := (tid+1)*d*2 - 1
		if k+d < n {
			s[k+d] += s[k]
		}
		t.SyncThreads()
	}
	out[t.GlobalX()] = s[tid]
}

//gocuda:kernel
func sgRemainders(t *gocuda.Thread, by, far int, a, out []float32, marks []int32) {
	s := gocuda.Shared[float32](t, 512)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	s[tid] = a[t.GlobalX()]
	t.SyncThreads()
	for d := 1; d < n; d *= 2 {
		if tid%(2*d) == 0 && tid+d < n {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	out[t.GlobalX()] = s[tid]
	t.SyncThreads()
	for d := 1; 2*d <= n; d += d {
		if (tid+1)&(2*d-1) == 0 {
			s[tid] = s[tid]*0.5 + s[tid-d]
		}
		t.SyncThreads()
	}
	if by > 0 && t.GlobalX()%by == 1 {
		marks[t.GlobalX()] = int32(s[tid]) - int32(tid)
	}
}

// Masks that are no powers of two less one, and remainders that there are not.
//
//gocuda:kernel
func sgMasks(t *gocuda.Thread, by, far int, a, out []float32, marks []int32) {
	i := t.GlobalX()
	if i&by == 0 {
		out[i] = a[i] + 1
	}
	t.SyncThreads()
	if i&15 == 9 {
		marks[i] = int32(a[i])
	}
	t.SyncThreads()
	if d := max(by, 2); (i-7)%d == far%9 {
		marks[i] += 4 * int32(t.Rank())
	}
}

// What is computed before a guard is read behind a barrier as well.
//
//gocuda:kernel
func sgKept(t *gocuda.Thread, by, far int, a, out []float32, marks []int32) {
	i, tid := t.GlobalX(), t.ThreadIdx.X
	for r := range 3 {
		k := tid + r*by
		if k < 50 {
			out[i] += a[i] * float32(k)
		}
		t.SyncThreads()
		marks[i] += int32(k)
		j := tid * (r + 2)
		if j < 90 {
			j++
			marks[i] ^= int32(j)
		}
		t.SyncThreads()
	}
}

// In a row of sums each has the one before it twice, so the last one, with values in the place of
// names, has tens of thousands of operands.
//
//gocuda:kernel
func sgDoubled(t *gocuda.Thread, by, far int, a, out []float32, marks []int32) {
	i, tid := t.GlobalX(), t.ThreadIdx.X
	x0 := by * tid
	x1 := x0 + x0
	x2 := x1 + x1
	x3 := x2 + x2
	x4 := x3 + x3
	x5 := x4 + x4
	x6 := x5 + x5
	x7 := x6 + x6
	x8 := x7 + x7
	x9 := x8 + x8
	x10 := x9 + x9
	x11 := x10 + x10
	x12 := x11 + x11
	x13 := x12 + x12
	x14 := x13 + x13
	x15 := x14 + x14
	x16 := x15 + x15
	if x16 < far {
		out[i] = a[i] + 1
	}
	t.SyncThreads()
	y0 := tid - far
	y1 := y0*3 - y0
	y2 := y1*3 - y1
	y3 := y2*3 - y2
	y4 := y3*3 - y3
	y5 := y4*3 - y4
	y6 := y5*3 - y5
	y7 := y6*3 - y6
	y8 := y7*3 - y7
	y9 := y8*3 - y8
	y10 := y9*3 - y9
	y11 := y10*3 - y10
	y12 := y11*3 - y11
	if y12 < by*5000 {
		marks[i] = int32(y12)
	}
}

// Values that are twice in the next one, which are looked at behind a barrier, and of which one is
// the same for all threads and an index.
//
//gocuda:kernel
func sgTwice(t *gocuda.Thread, by, far int, a, out []float32, marks []int32) {
	i, tid := t.GlobalX(), t.ThreadIdx.X
	s := gocuda.Shared[int](t, 512)
	d0 := tid ^ by
	d1 := d0 ^ d0*3
	d2 := d1 ^ d1*3
	d3 := d2 ^ d2*3
	d4 := d3 ^ d3*3
	d5 := d4 ^ d4*3
	d6 := d5 ^ d5*3
	d7 := d6 ^ d6*3
	d8 := d7 ^ d7*3
	d9 := d8 ^ d8*3
	d10 := d9 ^ d9*3
	d11 := d10 ^ d10*3
	d12 := d11 ^ d11*3
	d13 := d12 ^ d12*3
	d14 := d13 ^ d13*3
	d15 := d14 ^ d14*3
	d16 := d15 ^ d15*3
	d17 := d16 ^ d16*3
	d18 := d17 ^ d17*3
	d19 := d18 ^ d18*3
	d20 := d19 ^ d19*3
	d21 := d20 ^ d20*3
	d22 := d21 ^ d21*3
	d23 := d22 ^ d22*3
	d24 := d23 ^ d23*3
	e0 := far ^ 1
	e1 := e0 ^ e0*5
	e2 := e1 ^ e1*5
	e3 := e2 ^ e2*5
	e4 := e3 ^ e3*5
	e5 := e4 ^ e4*5
	e6 := e5 ^ e5*5
	e7 := e6 ^ e6*5
	e8 := e7 ^ e7*5
	e9 := e8 ^ e8*5
	e10 := e9 ^ e9*5
	e11 := e10 ^ e10*5
	e12 := e11 ^ e11*5
	e13 := e12 ^ e12*5
	e14 := e13 ^ e13*5
	e15 := e14 ^ e14*5
	e16 := e15 ^ e15*5
	e17 := e16 ^ e16*5
	e18 := e17 ^ e17*5
	e19 := e18 ^ e18*5
	e20 := e19 ^ e19*5
	e21 := e20 ^ e20*5
	e22 := e21 ^ e21*5
	e23 := e22 ^ e22*5
	e24 := e23 ^ e23*5
	s[tid] = d24
	t.SyncThreads()
	marks[i] = int32(s[t.BlockDim.X-1-tid] ^ d24)
	out[i] = a[e24&7] + float32(d24&15)
}

// sgCases has steps of both signs, none, and such that wrap around.
func sgCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, by, far int, a, out []float32, marks []int32)
	type maker = func(by, far int, a, out []float32, marks []int32) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{
		{"sgAbove", sgAbove, sgAboveKernel}, {"sgSweeps", sgSweeps, sgSweepsKernel}, {"sgRemainders", sgRemainders, sgRemaindersKernel},
		{"sgMasks", sgMasks, sgMasksKernel}, {"sgKept", sgKept, sgKeptKernel}, {"sgDoubled", sgDoubled, sgDoubledKernel}, {"sgTwice", sgTwice, sgTwiceKernel},
	} {
		for _, by := range []int{1, 2, 7, 15, 0, -1, -6, 1 << 45, 1 << 61, -1 << 62} {
			for _, far := range []int{0, 100, -3000, 1<<63 - 4, -1 << 63} {
				cfg := []grid.Config{line(3, 256), line(2, 64), line(2, 512), line(1, 8)}
				cases = append(cases, Case{Name: fmt.Sprintf("%s by %d, %d", k.name, by, far), Configs: cfg, Make: func(cfg grid.Config) Instance {
					n := cfg.Blocks() * cfg.Threads()
					a, out, marks := make([]float32, n), make([]float32, n), make([]int32, n)
					for i := range a {
						a[i] = float32(i*i%29) - 3
					}
					return Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, by, far, a, out, marks) }),
						Compiled: k.compiled(by, far, a, out, marks),
						Outputs:  []any{out, marks},
					}
				}})
			}
		}
	}
	return cases
}
