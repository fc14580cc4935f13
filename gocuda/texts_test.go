package gocuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Where lecture decks and the Handbook are wrong.

// The CUDA C++ Programming Guide: a source outside of [0, width) is taken modulo width.
func TestShuffleSourceOutsideTheWidth(t *testing.T) {
	for _, width := range []int{2, 8, 32} {
		var got [32]int
		cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 32}}
		require.NoError(t, gocuda.Default().Launch(t.Context(), cfg, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			got[t.LaneID()] = gocuda.ShflSync(t, gocuda.FullMask, t.LaneID(), width+1, width)
		})))
		for lane, v := range got {
			assert.Equal(t, lane-lane%width+1, v, "width %d, lane %d", width, lane)
		}
	}
}

// A multiprocessor of capability 2.0 has 48 warps, 8 blocks and 32768 registers.
func TestFermiOfTheDecks(t *testing.T) {
	fermi := gocuda.Capability{Major: 2}
	for registers, full := range map[int]bool{16: true, 20: true, 22: false} {
		o, err := fermi.Occupancy(192, registers, 0)
		require.NoError(t, err)
		assert.Equal(t, full, o.Blocks*192 == 48*32, "%d registers a thread: %d blocks", registers, o.Blocks)
	}
}

func TestReversalOfTheDecks(t *testing.T) {
	cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1 << 15}}
	assert.Error(t, gocuda.Default().Launch(t.Context(), cfg, gocuda.ThreadFunc(func(*gocuda.Thread) {})))
}

// The CUDA Handbook, listing 8.1, atomic32Shared.cu: a block's array in shared memory, to each
// element of which the first one of the input is added atomically.
func TestAtomic32Shared(t *testing.T) {
	in, out := make([]int32, 97), make([]int32, 97)
	for i := range in {
		in[i] = int32(5 - 3*i)
	}
	cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: len(in)}, SharedBytes: 4 * len(in)}
	require.NoError(t, gocuda.Default().LaunchFunc(t.Context(), cfg, func(t *gocuda.Thread) {
		s, i := gocuda.DynamicShared[int32](t), t.ThreadIdx.X
		s[i] = in[i]
		t.SyncThreads()
		atomic.Add(&s[i], in[0])
		t.SyncThreads()
		out[i] = s[i]
	}))
	for i, v := range out {
		assert.Equal(t, in[i]+5, v, "element %d", i)
	}
}
