package gocuda_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func TestCheckedSharedMemoryStartsPoisoned(t *testing.T) {
	dev := openDevice(t, gocuda.WithChecked(true), gocuda.WithWorkers(1))
	cfg := grid.Linear(10*64, 64)
	cfg.SharedBytes = 256
	// Each block spoils what the next one gets.
	require.NoError(t, dev.LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		f := gocuda.Shared[float32](t, 64)
		i := gocuda.Shared[int16](t, 64)
		d := gocuda.DynamicShared[byte](t)
		r := t.Rank()
		t.Assert(math.IsNaN(float64(f[r])) && i[r] == -1 && d[4*r] == mem.Poison && d[4*r+3] == mem.Poison,
			"shared memory starts as ", f[r], i[r], d[4*r])
		f[r], i[r], d[4*r], d[4*r+3] = 1, 2, 3, 4
	}))
	require.NoError(t, dev.Launch(context.Background(), cfg, gocuda.BlockFunc(func(b *gocuda.Block) {
		s := gocuda.Shared[uint64](b, 100)
		for i := range s {
			if s[i] != math.MaxUint64 {
				t.Errorf("s[%d] starts as %#x", i, s[i])
			}
			s[i] = 0
		}
	})))
}

// Elements that hold pointers can't be poisoned: the garbage collector looks at them.
func TestCheckedSharedArraysOfPointersAreNil(t *testing.T) {
	dev := openDevice(t, gocuda.WithChecked(true), gocuda.WithWorkers(1))
	require.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(10*32, 32), func(t *gocuda.Thread) {
		p := gocuda.Shared[*int](t, 32)
		s := gocuda.Shared[string](t, 32)
		p[t.Rank()] = new(int)
		s[t.Rank()] = "text"
		t.SyncThreads()
		*p[31-t.Rank()] = 1
		t.Assert(s[31-t.Rank()] == "text")
	}))
}

func TestCheckedDeviceMemoryStartsPoisoned(t *testing.T) {
	for _, checked := range []bool{false, true} {
		dev := openDevice(t, gocuda.WithChecked(checked))
		buf, err := mem.Alloc[float64](dev, 100)
		require.NoError(t, err)
		want := 0.0
		if checked {
			want = math.NaN()
		}
		slicetest.EqualFunc(t, slices.Repeat([]float64{want}, 100), buf.Data(), func(want, got float64) bool {
			return got == want || math.IsNaN(got) && math.IsNaN(want)
		}, "checked %v", checked)
	}
}

// What is said of threads at different barriers is no race in itself. It could be one only when the
// barriers are new, so that each kernel shows it once.
func TestDivergenceIsNoRace(t *testing.T) {
	for i, k := range []gocuda.ThreadFunc{
		apart[[1]byte], apart[[2]byte], apart[[3]byte], apart[[4]byte], apart[[5]byte], apart[[6]byte], apart[[7]byte], apart[[8]byte],
		apart[[9]byte], apart[[10]byte], apart[[11]byte], apart[[12]byte], apart[[13]byte], apart[[14]byte], apart[[15]byte], apart[[16]byte],
	} {
		dev, err := gocuda.NewDevice(gocuda.WithChecked(true), gocuda.WithExecutor(gocuda.ExecutorGoroutine))
		require.NoError(t, err)
		assert.ErrorIs(t, dev.Launch(t.Context(), grid.Linear(64, 64), k), gocuda.ErrBarrierDivergence, "kernel %d", i)
		assert.NoError(t, dev.Close())
	}
}

// apart has barriers of its own for each size of T.
func apart[T any](t *gocuda.Thread) {
	var x T
	if t.Rank() < 32 {
		t.SyncThreadsAnd(any(x) != nil)
	} else {
		t.SyncThreads()
	}
}
