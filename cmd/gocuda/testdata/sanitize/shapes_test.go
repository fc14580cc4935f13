package user

import (
	"context"
	"testing"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/cg"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels of many subjects, in the manner of DataRaceBench and Indigo.

// pingPong diffuses in shared memory with two buffers. One barrier a round is enough, and none is not.
func pingPong(out []float32, rounds int, barrier bool) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		a, b := gocuda.Shared[float32](t, 66), gocuda.Shared[float32](t, 66)
		i := t.ThreadIdx.X + 1
		a[i], b[i] = float32(i), 0
		if i == 1 {
			a[0], a[65], b[0], b[65] = 0, 0, 0, 0
		}
		t.SyncThreads()
		for range rounds {
			b[i] = (a[i-1] + a[i] + a[i+1]) / 3 // want race error; ?race; ?race; ?race
			if barrier {
				t.SyncThreads()
			}
			a, b = b, a
		}
		out[i-1] = a[i]
	}
}

func TestPingPong(t *testing.T)      { run(1, 64, pingPong(make([]float32, 64), 4, false)) }
func TestPingPongRight(t *testing.T) { run(1, 64, pingPong(make([]float32, 64), 4, true)) }

func TestTransposeTile(t *testing.T) {
	in, out := make([]float32, 256), make([]float32, 256)
	cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 16}}
	must(t, device().LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		s := gocuda.Shared[float32](t, 16*17)
		x, y := t.ThreadIdx.X, t.ThreadIdx.Y
		s[y*17+x] = in[y*16+x]
		out[x*16+y] = s[x*17+y] // want race RAW error
	}))
}

func TestTransposeInPlace(t *testing.T) {
	a := make([]float32, 256)
	for i := range a {
		a[i] = float32(i)
	}
	cfg := grid.Config{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 8, Y: 8}}
	must(t, device().LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		x, y := t.GlobalX(), t.GlobalY()
		a[y*16+x], a[x*16+y] = a[x*16+y], a[y*16+x] // want race WAW error; race WAR error; ?race; ?race; ?race; ?race
	}))
}

func TestTransposeInPlaceRight(t *testing.T) {
	a := make([]float32, 256)
	cfg := grid.Config{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 8, Y: 8}}
	must(t, device().LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		if x, y := t.GlobalX(), t.GlobalY(); x < y {
			a[y*16+x], a[x*16+y] = a[x*16+y], a[y*16+x]
		}
	}))
}

func TestJacobiInPlace(t *testing.T) {
	a := make([]float32, 130)
	run(2, 64, func(t *gocuda.Thread) {
		i := t.GlobalX() + 1
		a[i] = (a[i-1] + a[i+1]) / 2 // want race WAR error; race WAR error
	})
}

func TestJacobiRight(t *testing.T) {
	a, b := make([]float32, 130), make([]float32, 130)
	run(2, 64, func(t *gocuda.Thread) {
		i := t.GlobalX() + 1
		b[i] = (a[i-1] + a[i+1]) / 2
	})
}

func TestRedBlackRight(t *testing.T) {
	a := make([]float32, 130)
	for color := range 2 {
		run(2, 64, func(t *gocuda.Thread) {
			if i := t.GlobalX() + 1; i%2 == color {
				a[i] = (a[i-1] + a[i+1]) / 2
			}
		})
	}
}

type edge struct{ from, to int32 }

func TestLabelsPlainMin(t *testing.T) {
	edges := []edge{{0, 1}, {1, 2}, {2, 3}, {4, 3}, {0, 5}, {5, 4}}
	label := []int32{0, 1, 2, 3, 4, 5}
	run(1, 6, func(t *gocuda.Thread) {
		e := edges[t.ThreadIdx.X]
		if label[e.from] < label[e.to] { // want ?race; race warning; ?race
			label[e.to] = label[e.from] // want ?race; ?race; ?race
		}
	})
}

func TestLabelsMinRight(t *testing.T) {
	edges := []edge{{0, 1}, {1, 2}, {2, 3}, {4, 3}, {0, 5}, {5, 4}}
	from, to := []int32{0, 1, 2, 3, 4, 5}, []int32{0, 1, 2, 3, 4, 5}
	run(1, 6, func(t *gocuda.Thread) {
		e := edges[t.ThreadIdx.X]
		atomic.Min(&to[e.to], from[e.from])
	})
}

func TestFrontier(t *testing.T) {
	next := []int32{1, 2, 3, 0}
	visited, size, queue := make([]int32, 4), make([]int32, 1), make([]int32, 8)
	run(2, 2, func(t *gocuda.Thread) {
		v := next[t.GlobalX()]
		if atomic.Exch(&visited[v], 1) == 0 {
			queue[size[0]] = v // want race; ?race error
			size[0]++          // want race error; ?race
		}
	})
}

func TestFrontierRight(t *testing.T) {
	next := []int32{1, 2, 3, 0}
	visited, size, queue := make([]int32, 4), make([]int32, 1), make([]int32, 8)
	run(2, 2, func(t *gocuda.Thread) {
		v := next[t.GlobalX()]
		if atomic.Exch(&visited[v], 1) == 0 {
			queue[atomic.Add(&size[0], 1)] = v
		}
	})
}

func TestFlagWithoutFence(t *testing.T) {
	data, flag, out := make([]int32, 1), make([]int32, 1), make([]int32, 1)
	run(2, 1, func(t *gocuda.Thread) {
		if t.BlockIdx.X == 0 {
			data[0] = 42
			atomic.Exch(&flag[0], 1)
		} else if atomic.Add(&flag[0], 0) == 1 {
			out[0] = data[0] // want race RAW error 4
		}
	})
}

func TestFlagWithFenceRight(t *testing.T) {
	data, flag, out := make([]int32, 1), make([]int32, 1), make([]int32, 1)
	run(2, 1, func(t *gocuda.Thread) {
		if t.BlockIdx.X == 0 {
			data[0] = 42
			t.Threadfence()
			atomic.Exch(&flag[0], 1)
		} else if atomic.Add(&flag[0], 0) == 1 {
			t.Threadfence()
			out[0] = data[0]
		}
	})
}

func locked(fences bool, lock, n []int32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		for atomic.CAS(&lock[0], 0, 1) != 0 {
		}
		if fences {
			t.Threadfence()
		}
		n[0]++ // want race error 4
		if fences {
			t.Threadfence()
		}
		atomic.Exch(&lock[0], 0)
	}
}

func TestLockWithoutFences(t *testing.T) {
	run(4, 1, locked(false, make([]int32, 1), make([]int32, 1)))
}
func TestLockRight(t *testing.T) { run(4, 1, locked(true, make([]int32, 1), make([]int32, 1))) }

func TestSharedHistogram(t *testing.T) {
	in, bins := make([]int32, 128), make([]int32, 8)
	run(2, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 8)
		i := t.ThreadIdx.X
		if i < 8 {
			s[i] = 0 // want race WAW error
		}
		atomic.Add(&s[in[t.GlobalX()]], 1) // want ?race
		t.SyncThreads()
		if i < 8 {
			atomic.Add(&bins[i], s[i])
		}
	})
}

func TestSharedHistogramMerge(t *testing.T) {
	in, bins := make([]int32, 128), make([]int32, 8)
	run(2, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 8)
		i := t.ThreadIdx.X
		if i < 8 {
			s[i] = 0
		}
		t.SyncThreads()
		atomic.Add(&s[in[t.GlobalX()]], 1)
		if i < 8 {
			atomic.Add(&bins[i], s[i]) // want race RAW error
		}
	})
}

func TestSharedHistogramRight(t *testing.T) {
	in, bins := make([]int32, 128), make([]int32, 8)
	run(2, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 8)
		i := t.ThreadIdx.X
		if i < 8 {
			s[i] = 0
		}
		t.SyncThreads()
		atomic.Add(&s[in[t.GlobalX()]], 1)
		t.SyncThreads()
		if i < 8 {
			atomic.Add(&bins[i], s[i])
		}
	})
}

func bitonic(a []int32, barrier bool) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = a[i]
		t.SyncThreads()
		for k := 2; k <= 64; k *= 2 {
			for j := k / 2; j > 0; j /= 2 {
				if l := i ^ j; l > i && (i&k == 0) == (s[i] > s[l]) { // want race; race; ?race; ?race; ?race; ?race
					s[i], s[l] = s[l], s[i] // want race error; ?race; ?race; ?race; ?race; ?race; ?race; ?race; ?race
				}
				if barrier {
					t.SyncThreads()
				}
			}
		}
		t.SyncThreads()
		a[i] = s[i]
	}
}

func TestBitonic(t *testing.T)      { run(1, 64, bitonic([]int32{63: 1, 5: 7, 6: 3}, false)) }
func TestBitonicRight(t *testing.T) { run(1, 64, bitonic([]int32{63: 1, 5: 7, 6: 3}, true)) }

func TestDynamicShared(t *testing.T) {
	out := make([]int32, 64)
	cfg := line(1, 64)
	cfg.SharedBytes = 256
	must(t, device().LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		s := gocuda.DynamicShared[int32](t)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		out[i] = s[(i+33)%64] // want race RAW error 256
	}))
}

func TestDynamicSharedUnset(t *testing.T) {
	out := make([]int32, 64)
	cfg := line(1, 64)
	cfg.SharedBytes = 256
	must(t, device().LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		s := gocuda.DynamicShared[int32](t)
		i := t.ThreadIdx.X
		if i%2 == 0 {
			s[i] = int32(i)
		}
		t.SyncThreads()
		out[i] = s[i] // want init shared error 32
	}))
}

// A generic helper in which the mistake is.
func sumOf[T int32 | float32](t *gocuda.Thread, s []T, barrier bool) T {
	r := t.ThreadIdx.X
	for d := len(s) / 2; d > 0; d /= 2 {
		if r < d {
			s[r] += s[r+d] // want race WAR warning; ?race
		}
		if barrier {
			t.SyncThreads()
		}
	}
	return s[0] // want ?race
}

func TestGenericHelper(t *testing.T) {
	out := make([]float32, 1)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[float32](t, 64)
		s[t.ThreadIdx.X] = 1
		t.SyncThreads()
		if v := sumOf(t, s, false); t.ThreadIdx.X == 0 {
			out[0] = v
		}
	})
}

func TestGenericHelperRight(t *testing.T) {
	out := make([]float32, 1)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[float32](t, 64)
		s[t.ThreadIdx.X] = 1
		t.SyncThreads()
		if v := sumOf(t, s, true); t.ThreadIdx.X == 0 {
			out[0] = v
		}
	})
}

// A kernel with its arguments in a struct, given as a method value and as an interface.
type shift struct{ in, out []int32 }

func (k *shift) thread(t *gocuda.Thread) {
	s := gocuda.Shared[int32](t, 64)
	i := t.ThreadIdx.X
	s[i] = k.in[i]
	k.out[i] = s[(i+32)%64] // want race RAW error 256
}

type shiftKernel struct{ in, out []int32 }

func (k shiftKernel) RunBlock(b *gocuda.Block) {
	b.Threads(func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = k.in[i]
		k.out[i] = s[(i+32)%64] // want race RAW error 256
	})
}

type shiftRight struct{ in, out []int32 }

func (k shiftRight) RunBlock(b *gocuda.Block) {
	s := gocuda.Shared[int32](b, 64)
	b.Threads(func(t *gocuda.Thread) { s[t.ThreadIdx.X] = k.in[t.ThreadIdx.X] })
	b.Threads(func(t *gocuda.Thread) { k.out[t.ThreadIdx.X] = s[(t.ThreadIdx.X+32)%64] })
}

func TestMethodValue(t *testing.T) {
	k := &shift{make([]int32, 64), make([]int32, 64)}
	run(1, 64, k.thread)
}

func TestKernelInterface(t *testing.T) {
	var k gocuda.Kernel = shiftKernel{make([]int32, 64), make([]int32, 64)}
	must(t, device().Launch(context.Background(), line(1, 64), k))
}

func TestKernelInterfaceRight(t *testing.T) {
	var k gocuda.Kernel = shiftRight{make([]int32, 64), make([]int32, 64)}
	must(t, device().Launch(context.Background(), line(1, 64), k))
}

func TestSharedVariable(t *testing.T) {
	sum := 0
	run(2, 2, func(t *gocuda.Thread) {
		sum += t.GlobalX() // want race WAW error
	})
}

func TestFieldOfStruct(t *testing.T) {
	type cell struct {
		lo, hi int32
		n      [3]int16
	}
	cells := make([]cell, 4)
	run(1, 64, func(t *gocuda.Thread) {
		c := &cells[t.ThreadIdx.X%4]
		c.n[1]++ // want race WAW error 8
	})
}

func TestFieldOfStructRight(t *testing.T) {
	type cell struct{ lo, hi int32 }
	cells := make([]cell, 32)
	run(1, 64, func(t *gocuda.Thread) {
		c := &cells[t.ThreadIdx.X/2]
		if t.ThreadIdx.X%2 == 0 {
			c.lo = 1
		} else {
			c.hi = 2
		}
	})
}

func TestBytesOfWordRight(t *testing.T) {
	a := make([]byte, 64)
	run(2, 32, func(t *gocuda.Thread) { a[t.GlobalX()]++ })
}

func TestOverlappingBytes(t *testing.T) {
	a := make([]byte, 65)
	run(2, 32, func(t *gocuda.Thread) {
		i := t.GlobalX()
		copy(a[i:i+2], "ab") // want race WAW error
	})
}

func TestCopyOfTiles(t *testing.T) {
	in, out := make([]int32, 64), make([]int32, 64)
	run(1, 4, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X * 16
		copy(s[i:i+16], in[i:])
		t.SyncThreads()
		copy(out[i:i+16], s[63-i-15:])
	})
}

func TestRangeOverTile(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		s[t.ThreadIdx.X] = 1
		for _, v := range s { // want race RAW error
			out[t.ThreadIdx.X] += v
		}
	})
}

func TestGridStrideOff(t *testing.T) {
	a := make([]int32, 256)
	run(2, 32, func(t *gocuda.Thread) {
		for i := t.GlobalX(); i < len(a); i += t.BlockDim.X { // forgets the grid
			a[i]++ // want race WAW error
		}
	})
}

func TestGridStrideRight(t *testing.T) {
	a := make([]int32, 256)
	run(2, 32, func(t *gocuda.Thread) {
		for i := t.GlobalX(); i < len(a); i += t.BlockDim.X * t.GridDim.X {
			a[i]++
		}
	})
}

func TestRowsOfSparse(t *testing.T) {
	row, col := []int32{0, 0, 1, 1, 2, 3}, []int32{0, 1, 1, 2, 3, 0}
	x, y := make([]float32, 4), make([]float32, 4)
	run(3, 2, func(t *gocuda.Thread) {
		e := t.GlobalX()
		y[row[e]] += x[col[e]] // want race WAW warning
	})
}

func TestGridSync(t *testing.T) {
	a, out := make([]int32, 64), make([]int32, 64)
	must(t, device().LaunchCooperative(context.Background(), line(2, 32), gocuda.ThreadFunc(func(t *gocuda.Thread) {
		i := t.GlobalX()
		a[i] = int32(i)
		t.SyncThreads()
		out[i] = a[63-i] // want race RAW error 256
	})))
}

func TestGridSyncRight(t *testing.T) {
	a, out := make([]int32, 64), make([]int32, 64)
	must(t, device().LaunchCooperative(context.Background(), line(2, 32), gocuda.ThreadFunc(func(t *gocuda.Thread) {
		i := t.GlobalX()
		for r := range 3 {
			a[i] = int32(i + r)
			cg.ThisGrid(t).Sync()
			out[i] = a[63-i]
			cg.ThisGrid(t).Sync()
		}
	})))
}

func TestTiles(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		g := cg.TiledPartition(cg.ThisThreadBlock(t), 16)
		s[i] = int32(i)
		g.Sync()
		out[i] = s[i^16] // want race RAW warning 256
	})
}

func TestTilesRight(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		g := cg.TiledPartition(cg.ThisThreadBlock(t), 16)
		s[i] = int32(i)
		g.Sync()
		out[i] = s[i^8]
		cg.Sync(cg.ThisThreadBlock(t))
		out[i] += s[63-i]
	})
}

// Two pairs of warps that meet at barriers of their own.
func named(out []int32, id func(warp int) int) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		t.BarSync(id(t.WarpID()), 64)
		out[i] = s[i^32] // want race RAW error
	}
}

func TestNamedBarriers(t *testing.T) {
	run(1, 128, named(make([]int32, 128), func(w int) int { return 1 + w%2 }))
}
func TestNamedBarriersRight(t *testing.T) {
	run(1, 128, named(make([]int32, 128), func(w int) int { return 1 + w/2 }))
}

func TestProducerConsumerRight(t *testing.T) {
	out := make([]int32, 32)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		for r := range 4 {
			if i < 32 {
				s[i] = int32(r + i)
				t.BarArrive(1, 64)
				t.BarSync(2, 64)
			} else {
				t.BarSync(1, 64)
				out[i-32] += s[63-i]
				t.BarArrive(2, 64)
			}
		}
	})
}

func TestProducerConsumer(t *testing.T) {
	out := make([]int32, 32)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		for r := range 4 {
			if i < 32 {
				s[i] = int32(r + i)
				t.BarArrive(1, 64) // does not wait until the last round's values have been read
			} else {
				t.BarSync(1, 64)     // want sync deadlock error 32
				out[i-32] += s[63-i] // want ?race
			}
		}
	})
}

func TestSplitBarrier(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		a := t.Arrive()
		s[i] = int32(i) // after the arrival
		t.Wait(a)
		out[i] = s[63-i] // want race RAW error 256
	})
}

func TestSplitBarrierRight(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		a := t.Arrive()
		out[i] = 1
		t.Wait(a)
		out[i] += s[63-i]
	})
}

func TestBarrierObjectRight(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s, bar := gocuda.Shared[int32](t, 64), gocuda.Shared[gocuda.Barrier](t, 1)
		i := t.ThreadIdx.X
		if i == 0 {
			bar[0].Init(t, 64)
		}
		t.SyncThreads()
		for r := range 3 {
			s[i] = int32(i + r)
			bar[0].ArriveAndWait(t)
			out[i] += s[63-i]
			bar[0].Wait(t, bar[0].Arrive(t, 1))
		}
	})
}

func TestBarrierObject(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s, bar := gocuda.Shared[int32](t, 64), gocuda.Shared[gocuda.Barrier](t, 1)
		i := t.ThreadIdx.X
		if i == 0 {
			bar[0].Init(t, 64)
		}
		t.SyncThreads()
		for r := range 3 {
			s[i] = int32(i + r) // want race RAW error 256
			bar[0].ArriveAndWait(t)
			out[i] += s[63-i]
		}
	})
}

func TestShuffleReductionRight(t *testing.T) {
	out := make([]int32, 2)
	run(1, 64, func(t *gocuda.Thread) {
		part := gocuda.Shared[int32](t, 2)
		v := int32(t.ThreadIdx.X)
		for d := 16; d > 0; d /= 2 {
			v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
		}
		if t.LaneID() == 0 {
			part[t.WarpID()] = v
		}
		t.SyncThreads()
		if t.ThreadIdx.X == 0 {
			out[0] = part[0] + part[1]
		}
	})
}

func TestShuffleReduction(t *testing.T) {
	out := make([]int32, 2)
	run(1, 64, func(t *gocuda.Thread) {
		part := gocuda.Shared[int32](t, 2)
		v := int32(t.ThreadIdx.X)
		for d := 16; d > 0; d /= 2 {
			v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
		}
		if t.LaneID() == 0 {
			part[t.WarpID()] = v
		}
		if t.ThreadIdx.X == 0 {
			out[0] = part[0] + part[1] // want race RAW error 4
		}
	})
}

func TestShuffleOrdersRight(t *testing.T) {
	out := make([]int32, 32)
	run(1, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		gocuda.ShflSync(t, gocuda.FullMask, 0, 0, 32)
		out[i] = s[31-i]
	})
}

func TestExitedLanesRight(t *testing.T) {
	out := make([]int32, 32)
	run(1, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		if i >= 16 {
			return
		}
		t.SyncWarp(gocuda.FullMask)
		out[i] = s[31-i]
	})
}

func TestHalfWarps(t *testing.T) {
	out := make([]int32, 32)
	run(1, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		if i < 16 {
			t.SyncWarp(0xffff)
		} else {
			t.SyncWarp(0xffff0000)
		}
		out[i] = s[31-i] // want race RAW warning 128
	})
}

func TestWarpKernelRight(t *testing.T) {
	out := make([]int32, 64)
	must(t, device().Launch(context.Background(), line(1, 64), gocuda.WarpFunc(func(w *gocuda.Warp) {
		s := gocuda.Shared[int32](w, 64)
		for l := range w.Size() {
			s[w.Rank(l)] = int32(l)
		}
		w.SyncThreads()
		for l := range w.Size() {
			out[w.Rank(l)] = s[63-w.Rank(l)]
		}
	})))
}

func TestWarpKernel(t *testing.T) {
	out := make([]int32, 64)
	must(t, device().Launch(context.Background(), line(1, 64), gocuda.WarpFunc(func(w *gocuda.Warp) {
		s := gocuda.Shared[int32](w, 64)
		for l := range w.Size() {
			s[w.Rank(l)] = int32(l)
		}
		for l := range w.Size() {
			out[w.Rank(l)] = s[63-w.Rank(l)] // want race RAW error 256
		}
	})))
}

// padded3 has a gap of three bytes.
type padded3 struct {
	tag  uint8
	item int32
}

func TestPaddingOfStructRight(t *testing.T) {
	out := make([]padded3, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[padded3](t, 64)
		pairs := gocuda.Shared[[2]padded3](t, 64)
		i := t.ThreadIdx.X
		s[i].tag, s[i].item = 1, 2
		pairs[i][0].tag, pairs[i][0].item, pairs[i][1].tag, pairs[i][1].item = 1, 2, 3, 4
		t.SyncThreads()
		out[i] = s[63-i]
		pair := pairs[63-i]
		out[i].item += pair[0].item + pair[1].item
	})
}

func TestFieldNotSet(t *testing.T) {
	out := make([]padded3, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[padded3](t, 64)
		i := t.ThreadIdx.X
		s[i].item = 2
		t.SyncThreads()
		out[i] = s[63-i] // want init shared error 64
	})
}

func TestClearRight(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		clear(s[2*i : 2*i+2])
		t.SyncThreads()
		out[i] = s[127-i]
	})
}

func TestClear(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		clear(s[2*i : 2*i+2]) // want race RAW error 252
		out[i] = s[127-i]
	})
}
