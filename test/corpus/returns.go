//go:build compiled

package corpus

import (
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Threads beyond the end return at once; the others go on to a barrier without them.
//
//gocuda:kernel
func returnGuard(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i := t.GlobalX()
	if i >= n {
		return
	}
	s[t.ThreadIdx.X] = in[i]
	t.SyncThreads()
	last := min(n-i+t.ThreadIdx.X, t.BlockDim.X) - 1
	out[i] = s[last-t.ThreadIdx.X]
}

func returnGuardWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		for i := range out {
			out[i] = in[first+len(out)-1-i]
		}
	})
}

// Every third thread returns before the first barrier, a few more before the second.
//
//gocuda:kernel
func returnTwice(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	s[tid] = in[i]
	if tid%3 == 1 {
		out[i] = 1
		return
	}
	t.SyncThreads()
	v := s[(tid+1)%n]
	if v < 0 {
		out[i] = 2
		return
	}
	t.SyncThreads()
	s[tid] = v
	t.SyncThreads()
	out[i] = s[tid/3*3]
}

func returnTwiceWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		s := slices.Clone(in[first : first+n])
		for i := range out {
			if i%3 != 1 && in[first+(i+1)%n] >= 0 {
				s[i] = in[first+(i+1)%n]
			}
		}
		for i := range out {
			switch {
			case i%3 == 1:
				out[i] = 1
			case in[first+(i+1)%n] < 0:
				out[i] = 2
			default:
				out[i] = s[i/3*3]
			}
		}
	})
}

// In each round of a loop with barriers some threads return, before the barrier.
//
//gocuda:kernel
func returnInLoop(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v := in[i]
	s[tid] = v
	for k := 0; k < 6; k++ {
		if tid%7 == k {
			out[i] = v
			return
		}
		t.SyncThreads()
		v += s[(tid+k)%n]
		t.SyncThreads()
		s[tid] = v
	}
	out[i] = -v
}

func returnInLoopWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		v := slices.Clone(in[first : first+n])
		for k := range 6 {
			s := slices.Clone(v)
			for i := range v {
				if i%7 > k {
					v[i] += s[(i+k)%n]
				}
			}
		}
		for i := range v {
			out[i] = v[i]
			if i%7 == 6 {
				out[i] = -v[i]
			}
		}
	})
}

// Threads return between the barriers of a loop, on data, from a nested if in an inner loop.
//
//gocuda:kernel
func returnFromInside(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v := in[i] & 0xff
	s[tid] = v
	t.SyncThreads()
	for a := 0; a < 4; a++ {
		for b := 0; b <= a; b++ {
			w := s[(tid+a+b)%n]
			if w%5 == int32(b) {
				if v%3 == 0 {
					out[i] = int32(a*10 + b)
					return
				}
				v++
			}
			t.SyncThreads()
			s[tid] = (v + w) & 0xff
			t.SyncThreads()
		}
	}
	out[i] = v + 1000
}

func returnFromInsideWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		v, s, gone := make([]int32, n), make([]int32, n), make([]bool, n)
		for i := range v {
			v[i] = in[first+i] & 0xff
			s[i] = v[i]
		}
		for a := range 4 {
			for b := range a + 1 {
				next := slices.Clone(s)
				for i := range v {
					if gone[i] {
						continue
					}
					w := s[(i+a+b)%n]
					if w%5 == int32(b) && v[i]%3 == 0 {
						out[i], gone[i] = int32(a*10+b), true
						continue
					}
					if w%5 == int32(b) {
						v[i]++
					}
					next[i] = (v[i] + w) & 0xff
				}
				s = next
			}
		}
		for i := range v {
			if !gone[i] {
				out[i] = v[i] + 1000
			}
		}
	})
}

// Thread 0 is the first to return, so nobody may look at its variables for what the block does.
//
//gocuda:kernel
func returnFirstThread(t *gocuda.Thread, rounds int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v := in[i]
	s[tid] = v
	left := rounds
	for left > 0 {
		if tid < rounds-left+1 {
			out[i] = v
			return
		}
		t.SyncThreads()
		v ^= s[(tid+1)%n] << 1
		left--
		t.SyncThreads()
		s[tid] = v
	}
	out[i] = v + int32(left)
}

func returnFirstThreadWant(rounds int, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		copy(out, in[first:])
		for k := range rounds {
			s := slices.Clone(out)
			for i := k + 1; i < n; i++ {
				out[i] ^= s[(i+1)%n] << 1
			}
		}
	})
}

// Whole blocks return: by a condition of the block, and by all threads one after another.
//
//gocuda:kernel
func returnWholeBlock(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	if t.BlockIdx.X == 1 {
		out[i] = 11
		return
	}
	s[tid] = in[i]
	t.SyncThreads()
	for k := range 3 {
		if t.BlockIdx.X == 2 && tid%3 == k {
			out[i] = s[(tid+k)%n]
			return
		}
		t.SyncThreads()
	}
	out[i] = s[n-1-tid]
}

// The threads that have not returned are counted.
//
//gocuda:kernel
func returnCounted(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	if v%4 == 0 {
		out[i] = -1
		return
	}
	a := t.SyncThreadsCount(true)
	if v%4 == 1 {
		out[i] = int32(a)
		return
	}
	b := t.SyncThreadsCount(v > 0)
	c := t.SyncThreadsAnd(v%4 != 0 && v%4 != 1)
	out[i] = int32(a*1000 + b)
	if !c {
		out[i] = -5
	}
}

func returnCountedWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		a, b := int32(0), int32(0)
		for _, v := range in[first : first+len(out)] {
			if v%4 != 0 {
				a++
				if v%4 != 1 && v > 0 {
					b++
				}
			}
		}
		for i := range out {
			switch in[first+i] % 4 {
			case 0:
				out[i] = -1
			case 1:
				out[i] = a
			default:
				out[i] = a*1000 + b
			}
		}
	})
}

// Returns in a switch, in both branches of an if and at the end of a loop, with no barrier after.
//
//gocuda:kernel
func returnEverywhere(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	out[i] = 5
	switch v & 3 {
	case 0:
		out[i] = 6
		return
	case 1:
		if v < 0 {
			return
		}
	}
	for k := int32(1); ; k++ {
		if v/k < 100 {
			out[i] = k
			return
		}
		k += k / 2
		if k > 1000 {
			break
		}
	}
	if v&4 != 0 {
		out[i] = 8
		return
	} else {
		out[i] = 9
		return
	}
}

func returnEverywhereWant(cfg grid.Config, in, out []int32) {
	for i, v := range in {
		out[i] = func() int32 {
			if v&3 == 0 {
				return 6
			}
			if v&3 == 1 && v < 0 {
				return 5
			}
			for k := int32(1); k <= 1000; k++ {
				if v/k < 100 {
					return k
				}
				k += k / 2
				if k > 1000 {
					break
				}
			}
			if v&4 != 0 {
				return 8
			}
			return 9
		}()
	}
}

// A return inside a branch that the whole block takes, with a barrier before it there.
//
//gocuda:kernel
func returnInUniformBranch(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	s[tid] = in[i]
	if t.BlockIdx.X%2 == 0 {
		t.SyncThreads()
		if tid >= n/2 {
			return
		}
		v := s[(tid+1)%n]
		t.SyncThreads()
		s[tid] = v
	}
	t.SyncThreads()
	out[i] = s[n-1-tid]
}

func returnInUniformBranchWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(b, first int, out []int32) {
		n := len(out)
		for i := range out {
			k := n - 1 - i
			switch {
			case b%2 == 1:
				out[i] = in[first+k]
			case i >= n/2:
			case k < n/2:
				out[i] = in[first+(k+1)%n]
			default:
				out[i] = in[first+k]
			}
		}
	})
}

var returnCases = []Case{
	guarded("returnGuard", linear, returnGuard, returnGuardKernel, returnGuardWant),
	perThread("returnTwice", linear, returnTwice, returnTwiceKernel, returnTwiceWant),
	perThread("returnInLoop", linear, returnInLoop, returnInLoopKernel, returnInLoopWant),
	perThread("returnFromInside", linear, returnFromInside, returnFromInsideKernel, returnFromInsideWant),
	withParameter("returnFirstThread", linear, 5, returnFirstThread, returnFirstThreadKernel, returnFirstThreadWant),
	perThread("returnWholeBlock", []grid.Config{line(4, 1), line(4, 33), line(3, 256)}, returnWholeBlock, returnWholeBlockKernel,
		func(cfg grid.Config, in, out []int32) {
			perBlock(cfg, out, func(b, first int, out []int32) {
				n := len(out)
				for i := range out {
					switch b {
					case 1:
						out[i] = 11
					case 2:
						out[i] = in[first+(i+i%3)%n]
					default:
						out[i] = in[first+n-1-i]
					}
				}
			})
		}),
	perThread("returnCounted", linear, returnCounted, returnCountedKernel, returnCountedWant),
	perThread("returnEverywhere", linear, returnEverywhere, returnEverywhereKernel, returnEverywhereWant),
	perThread("returnInUniformBranch", linear, returnInUniformBranch, returnInUniformBranchKernel, returnInUniformBranchWant),
}
