package gocuda_test

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	stdatomic "sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/cg"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// The kernels below fail at the line at which they called here or above last.
var failsAt stdatomic.Int64

// here returns n, and notes the line of the call.
func here(n int) int { return noteLine(n, 0) }

// above notes the line after the call.
func above() { noteLine(0, 1) }

func noteLine(n, beyond int) int {
	_, _, line, _ := runtime.Caller(2)
	failsAt.Store(int64(line + beyond))
	return n
}

var (
	short = make([]int, 4)
	none  = []*int32{nil}
	sink  int
)

func placeHelper() int { return short[here(9)] }

type placeList []int

func (l placeList) at(i int) int { return l[i+here(9)] }

// placeTwice recovers and panics again, at a line of its own.
func placeTwice() {
	defer func() {
		v := recover()
		above()
		panic(v)
	}()
	sink = short[here(9)]
}

// placeDeep fails far up the stack of the standard library and its own.
func placeDeep(n int) {
	if n == 0 {
		sink = short[here(9)]
	}
	slices.SortFunc([]int{2, 1}, func(a, b int) int { placeDeep(n - 1); return a - b })
}

// An error of a kernel says in which line of the user's program it happened, whatever the kernel
// failed by: the line is that of the innermost frame that is the user's.
func TestErrorNamesTheLine(t *testing.T) {
	thread := func(f func(*gocuda.Thread)) gocuda.Kernel { return gocuda.ThreadFunc(f) }
	closure := func() int { return short[here(9)] }
	kernels := map[string]gocuda.Kernel{
		"index":        thread(func(*gocuda.Thread) { sink = short[here(9)] }),
		"nil":          thread(func(*gocuda.Thread) { *none[here(0)] = 1 }),
		"division":     thread(func(*gocuda.Thread) { sink = 1 / here(0) }),
		"panic":        thread(func(*gocuda.Thread) { panic(here(1)) }),
		"Assert":       thread(func(t *gocuda.Thread) { t.Assert(here(0) == 1, "on purpose") }),
		"helper":       thread(func(*gocuda.Thread) { sink = placeHelper() }),
		"method":       thread(func(*gocuda.Thread) { sink = placeList(short).at(0) }),
		"closure":      thread(func(*gocuda.Thread) { sink = closure() }),
		"panics twice": thread(func(*gocuda.Thread) { placeTwice() }),
		"deep":         thread(func(*gocuda.Thread) { placeDeep(50) }),
		"after a barrier": thread(func(t *gocuda.Thread) {
			t.SyncThreads()
			sink = short[here(9)]
		}),
		"the standard library":             thread(func(*gocuda.Thread) { _ = strings.Repeat("x", here(-1)) }),
		"called by the standard library":   thread(func(*gocuda.Thread) { sink = slices.IndexFunc(short, func(int) bool { return short[here(9)] == 0 }) }),
		"a shuffle":                        thread(func(t *gocuda.Thread) { sink = gocuda.ShflSync(t, gocuda.FullMask, 1, 0, here(7)) }),
		"a mask":                           thread(func(t *gocuda.Thread) { t.SyncWarp(uint32(here(0))) }),
		"Shared":                           thread(func(t *gocuda.Thread) { gocuda.Shared[int](t, here(-1)) }),
		"SyncGrid":                         thread(func(t *gocuda.Thread) { here(0); t.SyncGrid() }),
		"a group":                          thread(func(t *gocuda.Thread) { cg.TiledPartition(cg.ThisThreadBlock(t), here(3)) }),
		"an atomic operation":              thread(func(t *gocuda.Thread) { atomic.Add(none[here(0)], 1) }),
		"a surface":                        thread(func(t *gocuda.Thread) { mem.Surf1Dread[float32](nil, here(0), mem.BoundaryTrap) }),
		"Goexit":                           thread(func(*gocuda.Thread) { here(0); runtime.Goexit() }),
		"a block":                          gocuda.BlockFunc(func(*gocuda.Block) { sink = short[here(9)] }),
		"a phase in a phase":               gocuda.BlockFunc(func(b *gocuda.Block) { b.Threads(func(*gocuda.Thread) { here(0); b.Threads(nil) }) }),
		"ForEach":                          gocuda.BlockFunc(func(b *gocuda.Block) { b.ForEach(func(*gocuda.Thread) { sink = short[here(9)] }) }),
		"a phase":                          gocuda.BlockFunc(func(b *gocuda.Block) { b.Threads(func(*gocuda.Thread) { sink = short[here(9)] }) }),
		"a warp":                           gocuda.WarpFunc(func(*gocuda.Warp) { sink = short[here(9)] }),
		"a kernel with a type of its own":  failingType{},
		"a generic kernel":                 thread(genericFailure[int32]),
		"a barrier that others don't meet": thread(func(t *gocuda.Thread) { placeStuck(t) }),
	}
	for _, e := range []gocuda.Executor{gocuda.ExecutorCoroutine, gocuda.ExecutorGoroutine} {
		dev, err := gocuda.NewDevice(gocuda.WithExecutor(e))
		require.NoError(t, err)
		defer func() { assert.NoError(t, dev.Close()) }()
		for name, kernel := range kernels {
			t.Run(e.String()+"/"+name, func(t *testing.T) {
				err := dev.Launch(context.Background(), grid.Linear(32, 32), kernel)
				var ke *gocuda.KernelError
				require.ErrorAs(t, err, &ke)
				assert.EqualValues(t, failsAt.Load(), ke.Line, "%v\n%s", err, ke.Stack)
				assert.Equal(t, "gocuda/place_test.go", filepath.Join(filepath.Base(filepath.Dir(ke.File)), filepath.Base(ke.File)), ke.File)
			})
		}
	}
}

// failingType is a kernel that fails in its RunBlock.
type failingType struct{}

func (failingType) RunBlock(*gocuda.Block) { sink = short[here(9)] }

func genericFailure[T int32 | int64](*gocuda.Thread) {
	var x T
	x = T(here(0))
	above()
	x = 1 / x
	sink = int(x)
}

// placeStuck is a deadlock: lane 0 waits at a barrier, the others for lane 0 at a warp operation.
func placeStuck(t *gocuda.Thread) {
	if t.LaneID() == 0 {
		above()
		t.SyncThreads()
	} else {
		t.SyncWarp(gocuda.FullMask)
	}
}

// Of several threads that panic, the first by number is blamed, on goroutines too.
func TestFirstThreadIsBlamed(t *testing.T) {
	dev, err := gocuda.NewDevice(gocuda.WithExecutor(gocuda.ExecutorGoroutine))
	require.NoError(t, err)
	defer func() { assert.NoError(t, dev.Close()) }()
	for range 20 {
		err := dev.LaunchFunc(context.Background(), grid.Linear(256, 256), func(t *gocuda.Thread) {
			t.SyncThreads()
			if t.Rank() >= 100 {
				panic("on purpose")
			}
			t.SyncThreads()
		})
		var ke *gocuda.KernelError
		require.ErrorAs(t, err, &ke)
		assert.Equal(t, grid.Dim3{X: 100}, ke.ThreadIdx)
	}
}

// The error of a callback says where it panicked as well.
func TestCallbackErrorNamesTheLine(t *testing.T) {
	dev, err := gocuda.NewDevice()
	require.NoError(t, err)
	defer func() { assert.NoError(t, dev.Close()) }()
	s := dev.NewStream()
	require.NoError(t, s.AddCallback(func() { sink = short[here(9)] }))
	var ce *gocuda.CallbackError
	require.ErrorAs(t, s.Synchronize(t.Context()), &ce)
	assert.EqualValues(t, failsAt.Load(), ce.Line)
	assert.Equal(t, "place_test.go", filepath.Base(ce.File))
	assert.Contains(t, ce.Error(), "(place_test.go:")
	require.ErrorAs(t, s.Reset(), &ce)

	g := dev.NewGraph()
	_, err = g.AddHostNode(nil, func() error { sink = short[here(9)]; return nil })
	require.NoError(t, err)
	x, err := g.Instantiate()
	require.NoError(t, err)
	require.NoError(t, x.Launch(s))
	require.ErrorAs(t, s.Synchronize(t.Context()), &ce)
	assert.EqualValues(t, failsAt.Load(), ce.Line)
}
