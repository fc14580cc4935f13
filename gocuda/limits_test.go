package gocuda_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func TestPrintfFIFO(t *testing.T) {
	var out bytes.Buffer
	dev := openDevice(t, gocuda.WithOutput(&out), gocuda.WithWorkers(1))
	assert.Equal(t, 0, dev.PrintfFIFOSize())
	require.ErrorIs(t, dev.SetPrintfFIFOSize(-1), gocuda.ErrInvalidValue)
	print := func() string {
		out.Reset()
		require.NoError(t, dev.LaunchFunc(t.Context(), grid.Linear(100, 1), func(t *gocuda.Thread) { t.Printf("line %02d\n", t.GlobalX()) }))
		return out.String()
	}
	var all []string
	for i := range 100 {
		all = append(all, fmt.Sprintf("line %02d\n", i))
	}
	assert.Equal(t, strings.Join(all, ""), print())
	for _, lines := range []int{100, 99, 3, 1} {
		require.NoError(t, dev.SetPrintfFIFOSize(8*lines+7)) // 8 bytes a line
		assert.Equal(t, 8*lines+7, dev.PrintfFIFOSize())
		assert.Equal(t, strings.Join(all[100-lines:], ""), print(), "%d lines", lines)
	}
	require.NoError(t, dev.SetPrintfFIFOSize(7))
	assert.Empty(t, print(), "a line that is longer than the buffer")
	require.NoError(t, dev.SetPrintfFIFOSize(1<<20))
	s := dev.NewStream()
	out.Reset()
	require.NoError(t, s.LaunchFunc(oneThread, func(t *gocuda.Thread) {
		if err := t.LaunchFunc(oneThread, func(t *gocuda.Thread) { t.Printf("child, without an end") }); err != nil {
			panic(err)
		}
	}))
	require.NoError(t, synchronize(t, s))
	assert.Equal(t, "child, without an end", out.String())
	require.NoError(t, dev.SetPrintfFIFOSize(0))
	assert.Equal(t, strings.Join(all, ""), print())
}

func TestMallocHeap(t *testing.T) {
	for _, executor := range []gocuda.Executor{gocuda.ExecutorCoroutine, gocuda.ExecutorGoroutine} {
		dev := openDevice(t, gocuda.WithExecutor(executor))
		assert.Equal(t, int64(8<<20), dev.MallocHeapSize())
		require.ErrorIs(t, dev.SetMallocHeapSize(-1), gocuda.ErrInvalidValue)
		require.NoError(t, dev.SetMallocHeapSize(1<<10))
		// 64 threads ask for 20 elements, 80 bytes each: 12 of 1 KiB get them.
		pieces := make([][]int32, 64)
		allocate := func(t *gocuda.Thread) {
			v := gocuda.Malloc[int32](t, 20)
			for i := range v {
				v[i] = int32(t.GlobalX())
			}
			pieces[t.GlobalX()] = v
		}
		count := func() (n int) {
			for i, v := range pieces {
				if v != nil {
					n++
					require.Len(t, v, 20)
					for _, x := range v {
						require.Equal(t, int32(i), x, "memory of a thread is its own")
					}
				}
			}
			return n
		}
		require.NoError(t, dev.LaunchFunc(t.Context(), grid.Linear(64, 32), allocate))
		assert.Equal(t, 12, count())
		require.ErrorIs(t, dev.SetMallocHeapSize(1<<20), gocuda.ErrInvalidValue, "too late")

		// Another kernel frees every third; as many can be had again.
		var freed int32
		require.NoError(t, dev.LaunchFunc(t.Context(), grid.Linear(64, 32), func(t *gocuda.Thread) {
			if i := t.GlobalX(); pieces[i] != nil && i%3 == 0 {
				gocuda.Free(t, pieces[i])
				pieces[i] = nil
				atomic.Add(&freed, 1)
			}
		}))
		left := count()
		assert.Equal(t, 12-int(freed), left)
		var again int32
		require.NoError(t, dev.LaunchFunc(t.Context(), grid.Linear(64, 32), func(t *gocuda.Thread) {
			if gocuda.Malloc[float32](t, 17) != nil { // 68 bytes are 80 too
				atomic.Add(&again, 1)
			}
		}))
		assert.Equal(t, freed, again)
	}
}

func TestMallocMisuse(t *testing.T) {
	dev := openDevice(t)
	for what, f := range map[string]func(t *gocuda.Thread){
		"negative": func(t *gocuda.Thread) { gocuda.Malloc[int](t, -1) },
		"pointers": func(t *gocuda.Thread) { gocuda.Malloc[*int](t, 1) },
		"twice":    func(t *gocuda.Thread) { v := gocuda.Malloc[int](t, 4); gocuda.Free(t, v); gocuda.Free(t, v) },
		"a part":   func(t *gocuda.Thread) { gocuda.Free(t, gocuda.Malloc[int](t, 4)[1:]) },
		"not its":  func(t *gocuda.Thread) { gocuda.Free(t, make([]int, 4)) },
	} {
		require.ErrorIs(t, dev.LaunchFunc(t.Context(), oneThread, f), gocuda.ErrInvalidValue, what)
	}
	require.NoError(t, dev.LaunchFunc(t.Context(), oneThread, func(th *gocuda.Thread) {
		assert.Nil(t, gocuda.Malloc[int64](th, math.MaxInt/8))
		assert.Nil(t, gocuda.Malloc[[1 << 20]int64](th, math.MaxInt))
		assert.Nil(t, gocuda.Malloc[int](th, 0))
		gocuda.Free[int](th, nil)
	}))
	require.ErrorIs(t, openDevice(t, gocuda.WithGeneration(gocuda.G80)).LaunchFunc(t.Context(), oneThread, func(t *gocuda.Thread) {
		gocuda.Malloc[int](t, 1)
	}), gocuda.ErrNotSupported)
}
