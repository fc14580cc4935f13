//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Guards whose left side grows from thread to thread by a step that only the run knows, and threads that a remainder chooses: sums and prefix
// sums over a tree, as the lectures have them before they get better.

// by is a step that the launch chooses, of any sign; far is a number that sums with it may wrap around with.
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

// In a row of sums each has the one before it twice, so the last one, with values in the place of names, has tens of thousands of operands.
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
		{"sgMasks", sgMasks, sgMasksKernel}, {"sgKept", sgKept, sgKeptKernel}, {"sgDoubled", sgDoubled, sgDoubledKernel},
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
