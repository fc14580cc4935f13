package gocuda_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// operations are what threads may ask for, with the compute capability that has it first: table 8.1
// of The CUDA Handbook up to 3.5, the programming guide's table of features after that.
var operations = []struct {
	name         string
	major, minor int
	thread       func(t *gocuda.Thread)
	warp         func(w *gocuda.Warp)
}{
	{"SyncThreads", 1, 0, (*gocuda.Thread).SyncThreads, (*gocuda.Warp).SyncThreads},
	{"SyncWarp", 1, 0, func(t *gocuda.Thread) { t.SyncWarp(gocuda.FullMask) }, nil},
	{"AnySync", 1, 2, func(t *gocuda.Thread) { t.AnySync(gocuda.FullMask, true) }, func(w *gocuda.Warp) { w.AnySync(gocuda.FullMask, gocuda.Lanes[bool]{}) }},
	{"AllSync", 1, 2, func(t *gocuda.Thread) { t.AllSync(gocuda.FullMask, true) }, func(w *gocuda.Warp) { w.AllSync(gocuda.FullMask, gocuda.Lanes[bool]{}) }},
	{"BallotSync", 2, 0, func(t *gocuda.Thread) { t.BallotSync(gocuda.FullMask, true) }, func(w *gocuda.Warp) { w.BallotSync(gocuda.FullMask, gocuda.Lanes[bool]{}) }},
	{"SyncThreadsCount", 2, 0, func(t *gocuda.Thread) { t.SyncThreadsCount(true) }, nil},
	{"SyncThreadsAnd", 2, 0, func(t *gocuda.Thread) { t.SyncThreadsAnd(true) }, nil},
	{"SyncThreadsOr", 2, 0, func(t *gocuda.Thread) { t.SyncThreadsOr(true) }, nil},
	{"BarSync", 2, 0, func(t *gocuda.Thread) { t.BarSync(1, 32) }, nil},
	{"BarRedOr", 2, 0, func(t *gocuda.Thread) { t.BarRedOr(1, 32, true) }, nil},
	{"Printf", 2, 0, func(t *gocuda.Thread) { t.Printf("x") }, func(w *gocuda.Warp) { w.Printf("x") }},
	{"Assert", 2, 0, func(t *gocuda.Thread) { t.Assert(true) }, nil},
	{"ShflSync", 3, 0, func(t *gocuda.Thread) { gocuda.ShflSync(t, gocuda.FullMask, 1, 0, 32) }, func(w *gocuda.Warp) {
		gocuda.WarpShfl(w, gocuda.FullMask, gocuda.Lanes[int]{}, gocuda.Lanes[int]{}, 32)
	}},
	{"ShflUpSync", 3, 0, func(t *gocuda.Thread) { gocuda.ShflUpSync(t, gocuda.FullMask, 1, 1, 32) }, func(w *gocuda.Warp) {
		gocuda.WarpShflUp(w, gocuda.FullMask, gocuda.Lanes[int]{}, 1, 32)
	}},
	{"ShflDownSync", 3, 0, func(t *gocuda.Thread) { gocuda.ShflDownSync(t, gocuda.FullMask, 1.5, 1, 32) }, nil},
	{"ShflXorSync", 3, 0, func(t *gocuda.Thread) { gocuda.ShflXorSync(t, gocuda.FullMask, uint8(1), 1, 32) }, nil},
	{"Nanosleep", 7, 0, func(t *gocuda.Thread) { t.Nanosleep(1) }, nil},
	{"MatchAnySync", 7, 0, func(t *gocuda.Thread) { gocuda.MatchAnySync(t, gocuda.FullMask, 1) }, func(w *gocuda.Warp) {
		gocuda.WarpMatchAny(w, gocuda.FullMask, gocuda.Lanes[int]{})
	}},
	{"MatchAllSync", 7, 0, func(t *gocuda.Thread) { gocuda.MatchAllSync(t, gocuda.FullMask, 1) }, nil},
	{"ReduceAddSync", 8, 0, func(t *gocuda.Thread) { gocuda.ReduceAddSync(t, gocuda.FullMask, int32(1)) }, func(w *gocuda.Warp) {
		gocuda.WarpReduceAdd(w, gocuda.FullMask, gocuda.Lanes[int32]{})
	}},
	{"ReduceMinSync", 8, 0, func(t *gocuda.Thread) { gocuda.ReduceMinSync(t, gocuda.FullMask, uint32(1)) }, nil},
	{"ReduceXorSync", 8, 0, func(t *gocuda.Thread) { gocuda.ReduceXorSync(t, gocuda.FullMask, uint32(1)) }, nil},
}

func TestWalls(t *testing.T) {
	for _, g := range gocuda.Generations() {
		for _, executor := range []gocuda.Executor{gocuda.ExecutorCoroutine, gocuda.ExecutorGoroutine} {
			var out bytes.Buffer
			dev := openDevice(t, gocuda.WithGeneration(g), gocuda.WithExecutor(executor), gocuda.WithOutput(&out))
			p := dev.Properties()
			for _, o := range operations {
				there := p.Major > o.major || p.Major == o.major && p.Minor >= o.minor
				check := func(err error) {
					t.Helper()
					if there {
						require.NoError(t, err, "%v: %s", g, o.name)
						return
					}
					require.ErrorIs(t, err, gocuda.ErrNotSupported, "%v: %s", g, o.name)
					require.ErrorContains(t, err, o.name+" is there since compute capability "+gocuda.Capability{Major: o.major, Minor: o.minor}.String())
					var at *gocuda.KernelError
					require.ErrorAs(t, err, &at)
				}
				check(dev.LaunchFunc(t.Context(), grid.Linear(32, 32), o.thread))
				if o.warp != nil {
					check(dev.Launch(t.Context(), grid.Linear(32, 32), gocuda.WarpFunc(o.warp)))
				}
			}
		}
	}
}

// The memory and the peaks of boards are those of their data sheets: of the 8800 GTX, GTX 280,
// V100, A100 and H100 SXM 345.6, 622, 15700, 19500 and 67000 GFLOPS, 86.4, 141.7, 900, 1555 and
// 3350 GB/s.
func TestBoards(t *testing.T) {
	for g, want := range map[gocuda.Generation]struct{ mib, gflops, gbs float64 }{
		gocuda.G80: {768, 345.6, 86.4}, gocuda.GT200: {1024, 622, 141.7}, gocuda.Volta: {16 << 10, 15700, 900},
		gocuda.GA100: {40 << 10, 19500, 1555}, gocuda.Hopper: {80 << 10, 67000, 3350},
	} {
		p := openDevice(t, gocuda.WithGeneration(g)).Properties()
		require.InEpsilon(t, want.gflops, p.PeakFlops()/1e9, 0.003, "%v", g)
		require.InEpsilon(t, want.gbs, p.PeakBandwidth()/1e9, 0.003, "%v", g)
		require.LessOrEqual(t, p.TotalGlobalMem, int64(want.mib)<<20, "%v", g)
	}
	host := gocuda.Default().Properties()
	require.Zero(t, host.PeakFlops())
	require.Zero(t, host.PeakBandwidth())

	g80 := openDevice(t, gocuda.WithGeneration(gocuda.G80))
	require.LessOrEqual(t, g80.Properties().TotalGlobalMem, int64(768<<20))
	_, err := mem.Alloc[byte](g80, 768<<20+1)
	require.ErrorIs(t, err, mem.ErrOutOfMemory)
	_, err = mem.AllocManaged[byte](g80, 1, mem.MemAttachGlobal)
	require.ErrorIs(t, err, gocuda.ErrNotSupported)
	require.ErrorContains(t, err, "since compute capability 3.0")
	b, err := mem.AllocManaged[byte](openDevice(t, gocuda.WithGeneration(gocuda.GK104)), 1, mem.MemAttachGlobal)
	require.NoError(t, err)
	require.NoError(t, b.Free())
	require.Equal(t, int64(2<<30), openDevice(t, gocuda.WithGeneration(gocuda.G80), gocuda.WithMemory(2<<30)).Properties().TotalGlobalMem, "who names a size gets it")
}
