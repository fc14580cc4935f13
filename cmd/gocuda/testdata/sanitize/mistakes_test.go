// Package user has mistakes in kernels, each with its corrected twin.
package user

import (
	"context"
	"testing"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func run(t *testing.T, g, b int, k func(*gocuda.Thread)) {
	err := gocuda.LaunchFunc(context.Background(), grid.Config{Grid: grid.Dim3{X: g}, Block: grid.Dim3{X: b}}, k)
	if err != nil {
		t.Error(err)
	}
}

func reverse(barrier bool) func(*gocuda.Thread) {
	a := make([]int32, 64)
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = a[i]
		if barrier {
			t.SyncThreads()
		}
		a[i] = s[63-i]
	}
}

func TestReverse(t *testing.T)      { run(t, 1, 64, reverse(false)) }
func TestReverseRight(t *testing.T) { run(t, 1, 64, reverse(true)) }

func reduce(barrier bool) func(*gocuda.Thread) {
	out := make([]int32, 1)
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		t.SyncThreads()
		for d := 64; d > 0; d /= 2 {
			if i < d {
				s[i] += s[i+d]
			}
			if barrier {
				t.SyncThreads()
			}
		}
		if i == 0 {
			out[0] = s[0]
		}
	}
}

func TestReduce(t *testing.T)      { run(t, 1, 128, reduce(false)) }
func TestReduceRight(t *testing.T) { run(t, 1, 128, reduce(true)) }

func TestHistogram(t *testing.T) {
	bins := make([]int32, 4)
	run(t, 2, 32, func(t *gocuda.Thread) { bins[t.ThreadIdx.X%4]++ })
}

func TestHistogramRight(t *testing.T) {
	bins := make([]int32, 4)
	run(t, 2, 32, func(t *gocuda.Thread) { atomic.Add(&bins[t.ThreadIdx.X%4], 1) })
}

func TestBlocks(t *testing.T) {
	out := make([]int32, 1)
	run(t, 4, 1, func(t *gocuda.Thread) { out[0] += int32(t.BlockIdx.X) })
}

func TestRank(t *testing.T) {
	out := make([]int32, 128)
	run(t, 4, 32, func(t *gocuda.Thread) { out[t.ThreadIdx.X] = int32(t.BlockIdx.X) })
}

func TestRankRight(t *testing.T) {
	out := make([]int32, 128)
	run(t, 4, 32, func(t *gocuda.Thread) { out[t.BlockIdx.X*32+t.ThreadIdx.X] = int32(t.BlockIdx.X) })
}

func warpSum(sync bool) func(*gocuda.Thread) {
	out := make([]int32, 1)
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		if sync {
			t.SyncWarp(^uint32(0))
		}
		for d := 16; d > 0; d /= 2 {
			v := int32(0)
			if i < d {
				v = s[i+d]
			}
			if sync {
				t.SyncWarp(^uint32(0))
			}
			if i < d {
				s[i] += v
			}
			if sync {
				t.SyncWarp(^uint32(0))
			}
		}
		if i == 0 {
			out[0] = s[0]
		}
	}
}

func TestWarpSum(t *testing.T)      { run(t, 1, 32, warpSum(false)) }
func TestWarpSumRight(t *testing.T) { run(t, 1, 32, warpSum(true)) }

func TestCounter(t *testing.T) {
	run(t, 1, 32, func(t *gocuda.Thread) {
		n := gocuda.Shared[int32](t, 1)
		atomic.Add(&n[0], 1)
	})
}

func TestCounterRight(t *testing.T) {
	run(t, 1, 32, func(t *gocuda.Thread) {
		n := gocuda.Shared[int32](t, 1)
		if t.ThreadIdx.X == 0 {
			n[0] = 0
		}
		t.SyncThreads()
		atomic.Add(&n[0], 1)
	})
}

func TestBranch(t *testing.T) {
	run(t, 1, 64, func(t *gocuda.Thread) {
		if t.ThreadIdx.X%2 == 0 {
			t.SyncThreads()
		}
	})
}

func TestReturnRight(t *testing.T) {
	run(t, 1, 64, func(t *gocuda.Thread) {
		if t.ThreadIdx.X >= 40 {
			return
		}
		t.SyncThreads()
	})
}

func TestEarly(t *testing.T) {
	out := make([]int32, 64)
	run(t, 1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		if i >= 40 {
			return
		}
		s[i] = int32(i)
		t.SyncThreads()
		out[i] = s[63-i]
	})
}
func TestBlockError(t *testing.T) {
	in, out := make([]int32, 128), make([]int32, 1)
	run(t, 1, 128, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = in[i] + int32(i)
		if i == 0 {
			sum := int32(0)
			for k := range s {
				sum += s[k]
			}
			out[0] = sum
		}
	})
}

func TestBlockRight(t *testing.T) {
	in, out := make([]int32, 128), make([]int32, 1)
	run(t, 1, 128, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = in[i] + int32(i)
		t.SyncThreads()
		if i == 0 {
			sum := int32(0)
			for _, v := range s {
				sum += v
			}
			out[0] = sum
		}
	})
}

func TestWarp(t *testing.T) {
	out := make([]int32, 2)
	run(t, 1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		w := gocuda.Shared[int32](t, 2)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		if i%32 == 0 {
			w[i/32] = 0
			for k := range 32 {
				w[i/32] += s[i+k]
			}
		}
		t.SyncThreads()
		if i == 0 {
			out[0] = w[0] + w[1]
		}
	})
}

func TestSync(t *testing.T) {
	run(t, 1, 64, func(t *gocuda.Thread) {
		for r := range 16 {
			offset := t.ThreadIdx.X + r*64
			if offset < 1008 {
				t.SyncThreads()
			}
		}
	})
}

func TestLeaveRight(t *testing.T) {
	run(t, 1, 64, func(t *gocuda.Thread) {
		if t.ThreadIdx.X > 40 {
			return
		}
		t.SyncThreads()
	})
}
