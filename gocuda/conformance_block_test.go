package gocuda_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// perBlock is a row whose kernel is a block kernel, which puts the results of its threads into out.
func perBlock[T comparable](name string, shapes []grid.Config,
	setup func(cfg grid.Config) (body func(b *gocuda.Block, out []T), want func(block, rank int) T)) row {
	return perSlot(name, shapes, func(cfg grid.Config) (func([]T) gocuda.Kernel, func(block, rank int) T) {
		body, want := setup(cfg)
		n := cfg.Threads()
		build := func(out []T) gocuda.Kernel {
			return gocuda.BlockFunc(func(b *gocuda.Block) {
				i := n * linear(b.GridDim, b.BlockIdx)
				body(b, out[i:i+n])
			})
		}
		return build, want
	})
}

func blockRows() []row {
	return []row{
		perBlock("block kernel: who the block and its threads are", shapes, blockIndex),
		perBlock("block kernel: phases over shared memory", shapes, blockPhases),
		perBlock("block kernel: local arrays", shapes, blockLocal),
		perBlock("block kernel: threads with barriers, warps, and loops in turn", shapes, blockMixed),
		perBlock("block kernel: threads that return in a phase are back in the next", shapes, blockReturns),
		perBlock("block kernel: arrays that the block and its phases name", shapes, blockShared),
		perBlock("block kernel: dynamic shared memory", withDynamic(8*1024, shapes), blockDynamic),
		perBlock("block kernel: no phase at all", shapes, func(grid.Config) (func(*gocuda.Block, []int), func(block, rank int) int) {
			return func(b *gocuda.Block, out []int) {
				for i := range out {
					out[i] = i
				}
			}, func(_, rank int) int { return rank }
		}),
	}
}

func blockIndex(cfg grid.Config) (func(*gocuda.Block, []string), func(block, rank int) string) {
	format := func(size, warps, rank, lane, warp int, ids ...grid.Dim3) string {
		return fmt.Sprint(size, warps, rank, lane, warp, ids)
	}
	body := func(b *gocuda.Block, out []string) {
		b.ForEach(func(t *gocuda.Thread) {
			out[rankOf(t)] = format(b.Size(), b.NumWarps(), t.Rank(), t.LaneID(), t.WarpID(),
				b.BlockIdx, b.BlockDim, b.GridDim, t.ThreadIdx, t.BlockIdx, t.BlockDim, t.GridDim)
		})
	}
	n := cfg.Threads()
	bd := grid.Dim3{X: cfg.Block.X, Y: max(cfg.Block.Y, 1), Z: max(cfg.Block.Z, 1)}
	gd := grid.Dim3{X: cfg.Grid.X, Y: max(cfg.Grid.Y, 1), Z: max(cfg.Grid.Z, 1)}
	return body, func(block, rank int) string {
		bl := unlinear(gd, block)
		return format(n, (n+31)/32, rank, rank%32, rank/32, bl, bd, gd, unlinear(bd, rank), bl, bd, gd)
	}
}

func blockPhases(cfg grid.Config) (func(*gocuda.Block, []int), func(block, rank int) int) {
	n := cfg.Threads()
	turns := func(block int) int { return mix(block, 5, 5) % 6 }
	body := func(b *gocuda.Block, out []int) {
		s, next := gocuda.Shared[int](b, n), gocuda.Shared[int](b, n)
		b.ForEach(func(t *gocuda.Thread) { s[t.Rank()] = t.Rank() })
		for range turns(linear(b.GridDim, b.BlockIdx)) {
			b.ForEach(func(t *gocuda.Thread) { next[t.Rank()] = s[(t.Rank()+1)%n] })
			s, next = next, s
		}
		b.ForEach(func(t *gocuda.Thread) { out[t.Rank()] = s[t.Rank()] })
	}
	return body, func(block, rank int) int { return (rank + turns(block)) % n }
}

func blockLocal(cfg grid.Config) (func(*gocuda.Block, []string), func(block, rank int) string) {
	n := cfg.Threads()
	body := func(b *gocuda.Block, out []string) {
		count, name, pos := gocuda.Local[int](b), gocuda.Local[string](b), gocuda.Local[[2]float32](b)
		if len(count) != n || len(name) != n || len(pos) != n {
			panic("a local array has another length than the block")
		}
		b.ForEach(func(t *gocuda.Thread) {
			r := t.Rank()
			count[r], name[r], pos[r] = r, fmt.Sprint("t", r), [2]float32{float32(r), 1}
		})
		b.Threads(func(t *gocuda.Thread) {
			r := t.Rank()
			for range r % 3 {
				t.SyncThreads()
				count[r] += 10
			}
		})
		b.Warps(func(w *gocuda.Warp) {
			for lane := range w.Size() {
				pos[w.Rank(lane)][1] *= -2
			}
		})
		for r := range out {
			out[r] = fmt.Sprintf("%d %s %v", count[r], name[r], pos[r])
		}
	}
	return body, func(_, rank int) string {
		return fmt.Sprintf("%d t%d %v", rank+rank%3*10, rank, [2]float32{float32(rank), -2})
	}
}

func blockMixed(cfg grid.Config) (func(*gocuda.Block, []int), func(block, rank int) int) {
	n := cfg.Threads()
	body := func(b *gocuda.Block, out []int) {
		s := gocuda.Shared[int](b, n)
		total := 0
		for round := range 3 {
			b.Threads(func(t *gocuda.Thread) {
				r := t.Rank()
				s[r] = r + round
				t.SyncThreads()
				v := s[n-1-r]
				t.SyncThreads()
				s[r] = v + gocuda.ShflSync(t, gocuda.FullMask, r, 0, 32)
			})
			for _, v := range s { // the body of the kernel sees what the phase did
				total += v
			}
			b.Warps(func(w *gocuda.Warp) {
				first := s[(w.Rank(0)+32)%n]
				w.SyncThreads()
				for lane := range w.Size() {
					s[w.Rank(lane)] += first
				}
			})
			b.ForEach(func(t *gocuda.Thread) { s[t.Rank()] += total })
		}
		copy(out, s)
	}
	serial := func() []int {
		s := make([]int, n)
		total := 0
		for round := range 3 {
			for r := range s {
				s[r] = n - 1 - r + round + r/32*32
				total += s[r]
			}
			before := append([]int(nil), s...)
			for r := range s {
				s[r] += before[(r/32*32+32)%n] + total
			}
		}
		return s
	}()
	return body, func(_, rank int) int { return serial[rank] }
}

func blockReturns(cfg grid.Config) (func(*gocuda.Block, []int), func(block, rank int) int) {
	n := cfg.Threads()
	body := func(b *gocuda.Block, out []int) {
		for phase := range 3 {
			b.Threads(func(t *gocuda.Thread) {
				if t.Rank()%3 == phase {
					return
				}
				out[t.Rank()] += t.SyncThreadsCount(true)
			})
		}
		b.Threads(func(t *gocuda.Thread) { out[t.Rank()] += 1000000 * t.SyncThreadsCount(true) })
	}
	return body, func(_, rank int) int {
		sum := 1000000 * n
		for phase := range 3 {
			if rank%3 != phase {
				sum += n - (n+2-phase)/3
			}
		}
		return sum
	}
}

func blockShared(cfg grid.Config) (func(*gocuda.Block, []int), func(block, rank int) int) {
	n := cfg.Threads()
	body := func(b *gocuda.Block, out []int) {
		s := gocuda.Shared[int](b, n)
		f := gocuda.Shared[float32](b, 3)
		f[2] = 7
		b.Threads(func(t *gocuda.Thread) {
			r := t.Rank()
			own := gocuda.Shared[int64](t, n) // the block's third array
			own[r] = int64(r) * 5
			s[r] = r
			t.SyncThreads()
			out[r] = int(own[(r+1)%n]) + s[(r+2)%n]
		})
		for r := range out {
			out[r] += int(f[2])
		}
	}
	return body, func(_, rank int) int { return (rank+1)%n*5 + (rank+2)%n + 7 }
}

func blockDynamic(cfg grid.Config) (func(*gocuda.Block, []int), func(block, rank int) int) {
	n := cfg.Threads()
	body := func(b *gocuda.Block, out []int) {
		s := gocuda.DynamicShared[int32](b)
		for i := range s {
			s[i] = int32(i)
		}
		b.Threads(func(t *gocuda.Thread) {
			mine := gocuda.DynamicShared[int32](t)
			v := mine[n-1-t.Rank()]
			t.SyncThreads()
			mine[t.Rank()] = v
		})
		b.Warps(func(w *gocuda.Warp) {
			mine := gocuda.DynamicShared[int32](w)
			for lane := range w.Size() {
				out[w.Rank(lane)] = int(mine[w.Rank(lane)])*10000 + len(mine)
			}
		})
	}
	return body, func(_, rank int) int { return (n-1-rank)*10000 + 2048 }
}

// A doubleKernel is a kernel with its arguments as fields, and of no kind that the package knows.
type doubleKernel struct {
	factor int
	out    []int
}

func (k doubleKernel) RunBlock(b *gocuda.Block) {
	b.ForEach(func(t *gocuda.Thread) { k.out[slot(t)] = k.factor * slot(t) })
}

// A counterKernel is a kernel whose methods have a pointer receiver, with two phases.
type counterKernel struct{ out []int }

func (k *counterKernel) RunBlock(b *gocuda.Block) {
	half := gocuda.Shared[int](b, b.Size())
	b.Threads(func(t *gocuda.Thread) {
		half[t.Rank()] = t.SyncThreadsCount(t.Rank()%2 == 0)
	})
	b.Warps(func(w *gocuda.Warp) {
		for lane := range w.Size() {
			k.out[linear(w.GridDim, w.BlockIdx)*w.BlockDim.Size()+w.Rank(lane)] = half[w.Rank(lane)] + w.WarpID()
		}
	})
}

// A wrappedKernel is a kernel made of another one.
type wrappedKernel struct{ gocuda.Kernel }

func typeRows() []row {
	type build = func([]int) gocuda.Kernel
	type want = func(block, rank int) int
	tripled := func(cfg grid.Config) want {
		return func(block, rank int) int { return 3 * (block*cfg.Threads() + rank) }
	}
	return []row{
		perSlot("a kernel type with fields", shapes, func(cfg grid.Config) (build, want) {
			return func(out []int) gocuda.Kernel { return doubleKernel{3, out} }, tripled(cfg)
		}),
		perSlot("a kernel type with two phases", shapes, func(cfg grid.Config) (build, want) {
			return func(out []int) gocuda.Kernel { return &counterKernel{out} },
				func(_, rank int) int { return (cfg.Threads()+1)/2 + rank/32 }
		}),
		perSlot("a kernel made of another one", shapes, func(cfg grid.Config) (build, want) {
			return func(out []int) gocuda.Kernel { return wrappedKernel{wrappedKernel{&doubleKernel{3, out}}} }, tripled(cfg)
		}),
	}
}

// ForEach runs the threads in the order of their ranks.
func TestForEachGoesByRank(t *testing.T) {
	if underRace {
		t.Skip("the threads are goroutines")
	}
	for _, d := range openDevices(t, true) {
		var ranks []int
		err := d.launch(context.Background(), t, grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 5, Y: 3, Z: 4}},
			gocuda.BlockFunc(func(b *gocuda.Block) {
				b.ForEach(func(t *gocuda.Thread) { ranks = append(ranks, t.Rank()) })
			}))
		require.NoError(t, err)
		require.Len(t, ranks, 60, d)
		slicetest.Each(t, func(i int) int { return i }, ranks, d)
	}
}
