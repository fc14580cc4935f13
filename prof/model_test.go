package prof_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/prof"
)

func board(t *testing.T, name string) prof.GPU {
	t.Helper()
	g, err := prof.FindGPU(name)
	require.NoError(t, err)
	return g
}

// sixteen is 16 blocks of 128 threads, a block for each multiprocessor of a G80.
func sixteen() *prof.Launch {
	return &prof.Launch{
		Kernel: "k", Grid: grid.Dim3{X: 16, Y: 1, Z: 1}, Block: grid.Dim3{X: 128, Y: 1, Z: 1}, Count: 1, Blocks: 16, Sampled: 16, Warps: 64, Threads: 2048,
		Ops: map[string]int{"ffma": 64 * 100}, ThreadFlops: map[string]int{"ffma": 2048 * 100},
	}
}

// A multiprocessor of a G80 has 400 multiply-adds of warps, 4 cycles each, and a block to start,
// 200 cycles, at 1.35 GHz. Four warps hide little of the 24 cycles until a result is there: 400 x
// 24 / 4 cycles.
func TestModelOfArithmetic(t *testing.T) {
	m, err := sixteen().Model(board(t, "g80"))
	require.NoError(t, err)
	assert.InEpsilon(t, (400*4+200)/1.35e9, m.Issue, 1e-9)
	assert.InEpsilon(t, 400*24/4/1.35e9, m.Latency, 1e-9)
	assert.Zero(t, m.Bytes)
	assert.Equal(t, "latency", m.Limiter)
	assert.InEpsilon(t, m.Latency, m.Seconds, 1e-9)
	assert.InEpsilon(t, 2*2048*100, m.Flops, 1e-9)
	assert.InEpsilon(t, 2*2048*100/m.Seconds/1e9, m.GFLOPS, 1e-9)
}

// Looking at fewer blocks, and launching again, change nothing of a launch.
func TestModelIsOfOneLaunch(t *testing.T) {
	want, err := sixteen().Model(board(t, "fermi"))
	require.NoError(t, err)
	l := sixteen()
	l.Blocks, l.Count = 3*64, 3
	l.Grid.X = 64
	l.Sampled = 16
	four, err := l.Model(board(t, "fermi"))
	require.NoError(t, err)
	assert.InEpsilon(t, 4*want.Issue, four.Issue, 1e-9, "64 blocks for 16")
	assert.InEpsilon(t, 4*want.Flops, four.Flops, 1e-9)
}

// 2^20 bytes of device memory at 73 % of 86.4 GB/s, all in one of 6 partitions.
func TestModelOfPartitions(t *testing.T) {
	l := sixteen()
	s := &prof.Site{Kind: "load", Space: prof.SpaceGlobal, Requests: 1 << 13, Lanes: 1 << 18, Bytes: 1 << 20, Word: 4, Camped: [2]int{1 << 20, 1 << 20}}
	for range 5 {
		s.Global = append(s.Global, prof.Traffic{Requests: 1 << 14, Transactions: 1 << 14, Bytes: 1 << 20, Distinct: 1 << 20})
	}
	l.Sites = []*prof.Site{s}
	m, err := l.Model(board(t, "g80"))
	require.NoError(t, err)
	assert.InEpsilon(t, 6*(1<<20)/(0.73*86.4e9), m.Bytes, 1e-9)
	s.Camped[0] = 1 << 20 / 6
	m, err = l.Model(board(t, "g80"))
	require.NoError(t, err)
	assert.InEpsilon(t, (1<<20)/(0.73*86.4e9), m.Bytes, 1e-9)
}

func TestWhatHasNoModel(t *testing.T) {
	_, err := sixteen().Model(board(t, "8.6"))
	assert.ErrorContains(t, err, "needs a board")
	l := sixteen()
	l.SharedBytes = 1 << 20
	_, err = l.Model(board(t, "volta"))
	assert.ErrorContains(t, err, "does not fit")
	l = sixteen()
	l.Sampled = 0
	_, err = l.Model(board(t, "volta"))
	assert.ErrorContains(t, err, "no block")
}

// Two loads and a store of neighbouring words, by 64 warps: 4 cycles of a request each on a G80,
// and 100 multiply-adds of 4 cycles. A load of words that are far apart has 32 transactions, 16 for
// each half-warp: 30 more, of 4 cycles.
func TestModelRatioOfMemoryToComputation(t *testing.T) {
	l := sixteen()
	for _, kind := range []string{"load", "load", "store"} {
		s := &prof.Site{Kind: kind, Space: prof.SpaceGlobal, Requests: 64, Lanes: 2048, Bytes: 8192, Word: 4}
		for range 5 {
			s.Global = append(s.Global, prof.Traffic{Requests: 128, Transactions: 128, Bytes: 8192})
		}
		l.Sites = append(l.Sites, s)
	}
	m, err := l.Model(board(t, "g80"))
	require.NoError(t, err)
	assert.InEpsilon(t, 3.0/100, m.Ratio, 1e-9)
	l.Sites[0].Global[0].Transactions = 64 * 32
	m, err = l.Model(board(t, "g80"))
	require.NoError(t, err)
	assert.InEpsilon(t, (3+30.0)/100, m.Ratio, 1e-9)
}
