package user

import (
	"context"
	"testing"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The mistakes that beginners make.

func TestReduceLoop(t *testing.T) {
	out := make([]int32, 1)
	run(1, 128, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		t.SyncThreads()
		for d := 64; d > 0; d /= 2 {
			if i < d {
				s[i] += s[i+d] // want race WAR error
			}
		}
		if i == 0 {
			out[0] = s[0]
		}
	})
}

func TestReduceLoopRight(t *testing.T) {
	out := make([]int32, 1)
	run(1, 128, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		t.SyncThreads()
		for d := 64; d > 0; d /= 2 {
			if i < d {
				s[i] += s[i+d]
			}
			t.SyncThreads()
		}
		if i == 0 {
			out[0] = s[0]
		}
	})
}

func TestReverse(t *testing.T) {
	a := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = a[i]
		a[i] = s[63-i] // want race RAW error 256; ?init
	})
}

func TestReverseRight(t *testing.T) {
	a := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = a[i]
		t.SyncThreads()
		a[i] = s[63-i]
	})
}

func TestHistogram(t *testing.T) {
	bins, data := make([]int32, 4), make([]int32, 64)
	run(2, 32, func(t *gocuda.Thread) {
		bins[data[t.GlobalX()]]++ // want race WAW error 4
	})
}

func TestHistogramRight(t *testing.T) {
	bins, data := make([]int32, 4), make([]int32, 64)
	run(2, 32, func(t *gocuda.Thread) { atomic.Add(&bins[data[t.GlobalX()]], 1) })
}

func TestRankForIndex(t *testing.T) {
	out := make([]int32, 128)
	run(4, 32, func(t *gocuda.Thread) {
		out[t.ThreadIdx.X] = int32(t.BlockIdx.X) // want race WAW error 128
	})
}

func TestRankForIndexRight(t *testing.T) {
	out := make([]int32, 128)
	run(4, 32, func(t *gocuda.Thread) { out[t.BlockIdx.X*32+t.ThreadIdx.X] = int32(t.BlockIdx.X) })
}

const side, tile = 32, 16

func plane() grid.Config {
	return grid.Config{Grid: grid.Dim3{X: side / tile, Y: side / tile}, Block: grid.Dim3{X: tile, Y: tile}}
}

func TestTiled(t *testing.T) {
	a, b, c := make([]float32, side*side), make([]float32, side*side), make([]float32, side*side)
	_ = device().LaunchFunc(context.Background(), plane(), func(t *gocuda.Thread) {
		as, bs := gocuda.Shared[[tile]float32](t, tile), gocuda.Shared[[tile]float32](t, tile)
		x, y := t.ThreadIdx.X, t.ThreadIdx.Y
		row, col := t.GlobalY(), t.GlobalX()
		sum := float32(0)
		for m := range side / tile {
			as[y][x] = a[row*side+m*tile+x]   // want race RAW warning 4096
			bs[y][x] = b[(m*tile+y)*side+col] // want race RAW error 4096
			t.SyncThreads()
			for k := range tile {
				sum += as[y][k] * bs[k][x]
			}
		}
		c[row*side+col] = sum
	})
}

func TestTiledRight(t *testing.T) {
	a, b, c := make([]float32, side*side), make([]float32, side*side), make([]float32, side*side)
	_ = device().LaunchFunc(context.Background(), plane(), func(t *gocuda.Thread) {
		as, bs := gocuda.Shared[[tile]float32](t, tile), gocuda.Shared[[tile]float32](t, tile)
		x, y := t.ThreadIdx.X, t.ThreadIdx.Y
		row, col := t.GlobalY(), t.GlobalX()
		sum := float32(0)
		for m := range side / tile {
			as[y][x] = a[row*side+m*tile+x]
			bs[y][x] = b[(m*tile+y)*side+col]
			t.SyncThreads()
			for k := range tile {
				sum += as[y][k] * bs[k][x]
			}
			t.SyncThreads()
		}
		c[row*side+col] = sum
	})
}

func TestScanInPlace(t *testing.T) {
	data := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = data[i]
		t.SyncThreads()
		for d := 1; d < 64; d *= 2 {
			if i >= d {
				s[i] += s[i-d] // want race WAR error
			}
			t.SyncThreads()
		}
		data[i] = s[i]
	})
}

func TestScanInPlaceRight(t *testing.T) {
	data := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = data[i]
		t.SyncThreads()
		for d := 1; d < 64; d *= 2 {
			v := int32(0)
			if i >= d {
				v = s[i-d]
			}
			t.SyncThreads()
			s[i] += v
			t.SyncThreads()
		}
		data[i] = s[i]
	})
}

func TestWarpSynchronous(t *testing.T) {
	out := make([]int32, 1)
	run(1, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		if i < 16 {
			s[i] += s[i+16] // want race warning; ?race warning; ?race warning; ?race warning; ?init
		}
		if i < 8 {
			s[i] += s[i+8] // want race warning; ?race warning; ?race warning; ?race warning
		}
		if i == 0 {
			for k := range 8 {
				out[0] += s[k] // want race warning; ?race warning; ?race warning
			}
		}
	})
}

func TestWarpSynchronousRight(t *testing.T) {
	out := make([]int32, 1)
	run(1, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		t.SyncWarp(gocuda.FullMask)
		for d := 16; d > 0; d /= 2 {
			v := int32(0)
			if i < d {
				v = s[i+d]
			}
			t.SyncWarp(gocuda.FullMask)
			if i < d {
				s[i] += v
			}
			t.SyncWarp(gocuda.FullMask)
		}
		if i == 0 {
			out[0] = s[0]
		}
	})
}

func TestOneCell(t *testing.T) {
	out := make([]int32, 1)
	run(4, 1, func(t *gocuda.Thread) {
		out[0] += int32(t.BlockIdx.X) // want race WAW error 4
	})
}

func TestOneCellRight(t *testing.T) {
	out := make([]int32, 1)
	run(4, 1, func(t *gocuda.Thread) { atomic.Add(&out[0], int32(t.BlockIdx.X)) })
}

func TestBarrierUnderParity(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		if t.ThreadIdx.X%2 == 0 { // want sync warp error 64
			t.SyncThreads()
		}
	})
}

func TestBarrierUnderParityRight(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		if t.BlockDim.X%2 == 0 {
			t.SyncThreads()
		}
	})
}

func TestBarrierInsideIf(t *testing.T) {
	out := make([]int32, 1)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		r := t.ThreadIdx.X
		s[r] = int32(r)
		t.SyncThreads()
		for d := 32; d > 0; d /= 2 {
			if r < d { // want sync error
				s[r] += s[r+d] // want ?race; ?race; ?race
				t.SyncThreads()
			}
		}
		if r == 0 {
			out[0] = s[0] // want ?race
		}
	})
}

func TestEarlyReturn(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		if i >= 40 {
			return
		}
		s[i] = int32(i)
		t.SyncThreads()
		out[i] = s[63-i] // want init shared error 24
	})
}

func TestEarlyReturnRight(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = 0
		if i < 40 {
			s[i] = int32(i)
		}
		t.SyncThreads()
		if i >= 40 {
			return
		}
		out[i] = s[63-i]
	})
}

func TestEarlyReturnThenWrite(t *testing.T) {
	in, out := make([]int32, 64), make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = in[i]
		if i == 5 {
			s[63] = 9 // want race WAW error 4
			return
		}
		t.SyncThreads()
		out[i] = s[63-i]
	})
}

func TestCounterNotCleared(t *testing.T) {
	out := make([]int32, 1)
	run(1, 32, func(t *gocuda.Thread) {
		n := gocuda.Shared[int32](t, 1)
		atomic.Add(&n[0], 1) // want init shared error 1
		t.SyncThreads()
		if t.ThreadIdx.X == 0 {
			out[0] = n[0]
		}
	})
}

func TestCounterNotClearedRight(t *testing.T) {
	out := make([]int32, 1)
	run(1, 32, func(t *gocuda.Thread) {
		n := gocuda.Shared[int32](t, 1)
		if t.ThreadIdx.X == 0 {
			n[0] = 0
		}
		t.SyncThreads()
		atomic.Add(&n[0], 1)
		t.SyncThreads()
		if t.ThreadIdx.X == 0 {
			out[0] = n[0]
		}
	})
}

func TestTailOfTile(t *testing.T) {
	in, out := make([]int32, 50), make([]int32, 2)
	run(2, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		if t.GlobalX() < len(in) {
			s[i] = in[t.GlobalX()]
		}
		t.SyncThreads()
		if i == 0 {
			for k := range 32 {
				out[t.BlockIdx.X] += s[k] // want init shared error 14
			}
		}
	})
}

func TestTailOfTileRight(t *testing.T) {
	in, out := make([]int32, 50), make([]int32, 2)
	run(2, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		s[i] = 0
		if t.GlobalX() < len(in) {
			s[i] = in[t.GlobalX()]
		}
		t.SyncThreads()
		if i == 0 {
			for k := range 32 {
				out[t.BlockIdx.X] += s[k]
			}
		}
	})
}

func TestShortHalo(t *testing.T) {
	in, out := make([]int32, 64), make([]int32, 64)
	run(2, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 33) // one element of halo, where it takes two
		i := t.ThreadIdx.X
		s[i+1] = in[t.GlobalX()]
		if i == 0 {
			s[0] = 0
		}
		t.SyncThreads()
		out[t.GlobalX()] = s[i] + s[i+1] + s[i+2] // want mem bounds error 2
	})
}

func TestShortHaloRight(t *testing.T) {
	in, out := make([]int32, 64), make([]int32, 64)
	run(2, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 34)
		i := t.ThreadIdx.X
		s[i+1] = in[t.GlobalX()]
		if i == 0 {
			s[0], s[33] = 0, 0
		}
		t.SyncThreads()
		out[t.GlobalX()] = s[i] + s[i+1] + s[i+2]
	})
}

func TestHaloNotSet(t *testing.T) {
	in, out := make([]int32, 64), make([]int32, 64)
	run(2, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 34)
		i := t.ThreadIdx.X
		s[i+1] = in[t.GlobalX()]
		if i == 0 {
			s[0] = 0
		}
		t.SyncThreads()
		out[t.GlobalX()] = s[i] + s[i+1] + s[i+2] // want init shared error 2
	})
}

func TestSmallShared(t *testing.T) {
	in, out := make([]int32, 64), make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		s[i] = in[i] // want mem bounds error 32
		t.SyncThreads()
		out[i] = s[i]
	})
}

func TestSmallSharedRight(t *testing.T) {
	in, out := make([]int32, 64), make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = in[i]
		t.SyncThreads()
		out[i] = s[i]
	})
}

func TestNoBorder(t *testing.T) {
	in, out := make([]int32, 64), make([]int32, 64)
	run(2, 32, func(t *gocuda.Thread) {
		i := t.GlobalX()
		out[i] = in[i-1] + in[i+1] // want mem bounds error 2
	})
}

func TestNoBorderRight(t *testing.T) {
	in, out := make([]int32, 64), make([]int32, 64)
	run(2, 32, func(t *gocuda.Thread) {
		i := t.GlobalX()
		if i > 0 && i < 63 {
			out[i] = in[i-1] + in[i+1]
		}
	})
}

func TestShuffleMissing(t *testing.T) {
	out := make([]int32, 32)
	run(1, 32, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		if i < 16 {
			out[i] = gocuda.ShflDownSync(t, gocuda.FullMask, int32(i), 8, 32) // want sync error
		}
		t.SyncWarp(gocuda.FullMask)
	})
}

func TestShuffleMissingRight(t *testing.T) {
	out := make([]int32, 32)
	run(1, 32, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		if i < 16 {
			out[i] = gocuda.ShflDownSync(t, 0xffff, int32(i), 8, 16)
		}
		t.SyncWarp(gocuda.FullMask)
	})
}
