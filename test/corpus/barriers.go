//go:build compiled

package corpus

import (
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// One barrier, between writing an element and reading the neighbour's.
//
//gocuda:kernel
func neighbour(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	i := t.GlobalX()
	s[tid] = in[i]
	t.SyncThreads()
	out[i] = s[(tid+1)%n]*3 + s[tid]
}

// Barriers at the very start and end, and two with nothing between.
//
//gocuda:kernel
func emptyPhases(t *gocuda.Thread, in, out []int32) {
	t.SyncThreads()
	s := gocuda.Shared[int32](t, 1024)
	s[t.ThreadIdx.X] = in[t.GlobalX()] + 1
	t.SyncThreads()
	t.SyncThreads()
	out[t.GlobalX()] = s[t.BlockDim.X-1-t.ThreadIdx.X]
	t.SyncThreads()
}

// Nothing but a barrier.
//
//gocuda:kernel
func onlyBarrier(t *gocuda.Thread, in, out []int32) {
	t.SyncThreads()
}

// Four phases, each reading at another place what the one before wrote; two arrays in turn.
//
//gocuda:kernel
func fourPhases(t *gocuda.Thread, in, out []int32) {
	a := gocuda.Shared[int32](t, t.BlockDim.X)
	b := gocuda.Shared[int32](t, t.BlockDim.X)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	a[tid] = in[t.GlobalX()]
	t.SyncThreads()
	b[tid] = a[(tid+1)%n] ^ 5
	t.SyncThreads()
	a[tid] = b[(tid+3)%n] + 7
	t.SyncThreads()
	b[tid] = a[n-1-tid] - b[tid]
	t.SyncThreads()
	out[t.GlobalX()] = b[(tid*7)%n]
}

func fourPhasesWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		a, b := slices.Clone(in[first:first+n]), make([]int32, n)
		next := make([]int32, n)
		for i := range n {
			b[i] = a[(i+1)%n] ^ 5
		}
		for i := range n {
			a[i] = b[(i+3)%n] + 7
		}
		for i := range n {
			next[i] = a[n-1-i] - b[i]
		}
		for i := range n {
			out[i] = next[(i*7)%n]
		}
	})
}

// Two barriers in one branch that whole blocks take or don't.
//
//gocuda:kernel
func twoInBranch(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v := in[i]
	if t.BlockIdx.X%2 == 0 {
		s[tid] = v
		t.SyncThreads()
		v += s[(tid+1)%n]
		t.SyncThreads()
		s[tid] = v
	} else {
		s[tid] = v * 2
	}
	t.SyncThreads()
	out[i] = s[n-1-tid]
}

func twoInBranchWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(b, first int, out []int32) {
		n := len(out)
		for i := range out {
			k := n - 1 - i
			if b%2 == 0 {
				out[i] = in[first+k] + in[first+(k+1)%n]
			} else {
				out[i] = in[first+k] * 2
			}
		}
	})
}

// Barriers in both branches, one more in the second.
//
//gocuda:kernel
func bothBranches(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	s[tid] = in[i]
	var r int32
	if t.BlockIdx.X == 1 {
		t.SyncThreads()
		r = s[(tid+1)%n]
	} else {
		t.SyncThreads()
		a := s[(tid+2)%n]
		t.SyncThreads()
		s[tid] = a
		t.SyncThreads()
		r = s[(tid+2)%n] + a
	}
	out[i] = r
}

func bothBranchesWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(b, first int, out []int32) {
		n := len(out)
		for i := range out {
			if b == 1 {
				out[i] = in[first+(i+1)%n]
			} else {
				out[i] = in[first+(i+4)%n] + in[first+(i+2)%n]
			}
		}
	})
}

// A chain of else-if, decided by a parameter, with barriers in some branches.
//
//gocuda:kernel
func elseIfChain(t *gocuda.Thread, mode int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	s[tid] = in[i]
	r := int32(0)
	if mode == 0 {
		r = -in[i]
	} else if mode == 1 {
		t.SyncThreads()
		r = s[(tid+1)%n]
	} else if mode == 2 {
		r = 2
	} else {
		t.SyncThreads()
		r = s[n-1]
		t.SyncThreads()
		s[tid] = r + int32(tid)
		t.SyncThreads()
		r = s[0]
	}
	out[i] = r
}

// The condition comes from shared memory, after a barrier; nothing but the run can show it uniform.
//
//gocuda:kernel
func conditionFromShared(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	flag := gocuda.Shared[bool](t, 1)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	s[tid] = in[i]
	if tid == 0 {
		flag[0] = in[i]%2 == 0
	}
	t.SyncThreads()
	if flag[0] {
		v := s[(tid+1)%n]
		t.SyncThreads()
		s[tid] = v ^ 1
		t.SyncThreads()
	}
	out[i] = s[(tid+1)%n]
}

func conditionFromSharedWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		for i := range out {
			if in[first]%2 == 0 {
				out[i] = in[first+(i+2)%n] ^ 1
			} else {
				out[i] = in[first+(i+1)%n]
			}
		}
	})
}

// The condition comes from global memory, at the block's own element.
//
//gocuda:kernel
func conditionFromGlobal(t *gocuda.Thread, flags []uint8, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	s[tid] = in[i]
	if f := flags[t.BlockIdx.X]; f > 0 {
		t.SyncThreads()
		v := s[(tid+int(f))%n]
		t.SyncThreads()
		s[tid] = v
	}
	t.SyncThreads()
	out[i] = s[n-1-tid] + 1
}

// The branch changes what its condition was computed from; the condition must not be computed again.
//
//gocuda:kernel
func conditionOverwritten(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	s[tid] = in[i] & 0xff
	t.SyncThreads()
	odd := s[0]%2 == 1
	t.SyncThreads()
	if odd {
		s[tid]++
		t.SyncThreads()
		odd = s[(tid+1)%n] > 100
		t.SyncThreads()
		s[tid] = s[tid] * 2
	} else {
		s[tid] += 3
	}
	t.SyncThreads()
	v := s[(tid+1)%n]
	if odd {
		v = -v
	}
	out[i] = v
}

func conditionOverwrittenWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		for i := range out {
			next := in[first+(i+1)%n] & 0xff
			switch {
			case in[first]&1 == 0:
				out[i] = next + 3
			case next+1 > 100:
				out[i] = -(next + 1) * 2
			default:
				out[i] = (next + 1) * 2
			}
		}
	})
}

// A barrier in an if in a for in an if in a for.
//
//gocuda:kernel
func ifForIfFor(t *gocuda.Thread, rounds int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v := in[i]
	for a := 0; a < rounds; a++ {
		if a%2 == 1 {
			for b := a; b < rounds+1; b++ {
				v += int32(b)
				if b != 2 {
					s[tid] = v
					t.SyncThreads()
					v = v*3 + s[(tid+b)%n]
					t.SyncThreads()
				}
			}
			v ^= 1
		} else {
			v -= int32(tid)
		}
	}
	out[i] = v
}

func ifForIfForWant(rounds int, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		copy(out, in[first:first+n])
		for a := range rounds {
			if a%2 == 0 {
				for i := range out {
					out[i] -= int32(i)
				}
				continue
			}
			for b := a; b <= rounds; b++ {
				for i := range out {
					out[i] += int32(b)
				}
				if b == 2 {
					continue
				}
				s := slices.Clone(out)
				for i := range out {
					out[i] = out[i]*3 + s[(i+b)%n]
				}
			}
			for i := range out {
				out[i] ^= 1
			}
		}
	})
}

// Braces of their own around phases, with a variable of the same name in each.
//
//gocuda:kernel
func bareBlocks(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	v := in[t.GlobalX()]
	{
		v := v + 1
		s[t.ThreadIdx.X] = v
		t.SyncThreads()
		{
			v := s[(t.ThreadIdx.X+1)%t.BlockDim.X]
			t.SyncThreads()
			s[t.ThreadIdx.X] += v
		}
		v++
		s[t.ThreadIdx.X] += v
	}
	t.SyncThreads()
	out[t.GlobalX()] = s[t.BlockDim.X-1-t.ThreadIdx.X] ^ v
}

func bareBlocksWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		for i := range out {
			k := n - 1 - i
			out[i] = (in[first+k]+1)*2 + 1 + in[first+(k+1)%n] + 1 ^ in[first+i]
		}
	})
}

// Global memory instead of shared, within a block.
//
//gocuda:kernel
func throughGlobal(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	first := i - t.ThreadIdx.X
	out[i] = in[i]
	for range 3 {
		t.SyncThreads()
		v := out[first+(t.ThreadIdx.X+1)%t.BlockDim.X]
		t.SyncThreads()
		out[i] = v - 1
	}
}

// One thread works between two barriers, for all.
//
//gocuda:kernel
func oneThreadWorks(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	total := gocuda.Shared[int32](t, 1)
	tid := t.ThreadIdx.X
	s[tid] = in[t.GlobalX()]
	t.SyncThreads()
	if tid == 0 {
		sum := int32(0)
		for k := 0; k < t.BlockDim.X; k++ {
			sum += s[k]
			s[k] = sum
		}
		total[0] = sum
	}
	t.SyncThreads()
	out[t.GlobalX()] = total[0] - s[tid]
}

func oneThreadWorksWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		after := int32(0)
		for i := len(out) - 1; i >= 0; i-- {
			out[i] = after
			after += in[first+i]
		}
	})
}

var barrierCases = []Case{
	perThread("neighbour", linear, neighbour, neighbourKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = in[first+(i+1)%len(out)]*3 + in[first+i]
			}
		})
	}),
	perThread("emptyPhases", linear, emptyPhases, emptyPhasesKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[len(out)-1-i] = in[first+i] + 1
			}
		})
	}),
	perThread("onlyBarrier", linear, onlyBarrier, onlyBarrierKernel, func(grid.Config, []int32, []int32) {}),
	perThread("fourPhases", linear, fourPhases, fourPhasesKernel, fourPhasesWant),
	perThread("twoInBranch", linear, twoInBranch, twoInBranchKernel, twoInBranchWant),
	perThread("bothBranches", linear, bothBranches, bothBranchesKernel, bothBranchesWant),
	elseIfCase(0), elseIfCase(1), elseIfCase(2), elseIfCase(3),
	perThread("conditionFromShared", linear, conditionFromShared, conditionFromSharedKernel, conditionFromSharedWant),
	made("conditionFromGlobal", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		flags, in, out := make([]uint8, cfg.Blocks()), data[int32](n), marked[int32](n)
		for i := range flags {
			flags[i] = uint8(i * 2 % 3)
		}
		return func(t *gocuda.Thread) { conditionFromGlobal(t, flags, in, out) },
			conditionFromGlobalKernel(flags, in, out), []any{out, in, flags}
	}, nil),
	perThread("conditionOverwritten", linear, conditionOverwritten, conditionOverwrittenKernel, conditionOverwrittenWant),
	ifForIfForCase(0), ifForIfForCase(5),
	perThread("bareBlocks", linear, bareBlocks, bareBlocksKernel, bareBlocksWant),
	perThread("throughGlobal", linear, throughGlobal, throughGlobalKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = in[first+(i+3)%len(out)] - 3
			}
		})
	}),
	perThread("oneThreadWorks", linear, oneThreadWorks, oneThreadWorksKernel, oneThreadWorksWant),
}

func elseIfCase(mode int) Case {
	return perThread("elseIfChain"+string(rune('0'+mode)), linear,
		func(t *gocuda.Thread, in, out []int32) { elseIfChain(t, mode, in, out) },
		func(in, out []int32) gocuda.Kernel { return elseIfChainKernel(mode, in, out) },
		func(cfg grid.Config, in, out []int32) {
			perBlock(cfg, out, func(_, first int, out []int32) {
				n := len(out)
				for i := range out {
					out[i] = [4]int32{-in[first+i], in[first+(i+1)%n], 2, in[first+n-1]}[mode]
				}
			})
		})
}

func ifForIfForCase(rounds int) Case {
	return perThread("ifForIfFor"+string(rune('0'+rounds)), linear,
		func(t *gocuda.Thread, in, out []int32) { ifForIfFor(t, rounds, in, out) },
		func(in, out []int32) gocuda.Kernel { return ifForIfForKernel(rounds, in, out) },
		func(cfg grid.Config, in, out []int32) { ifForIfForWant(rounds, cfg, in, out) })
}
