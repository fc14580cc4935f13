package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func instantiate(t testing.TB, g *gocuda.Graph) *gocuda.GraphExec {
	t.Helper()
	x, err := g.Instantiate()
	require.NoError(t, err)
	return x
}

// runGraph launches x on a stream of its own and returns the stream's error.
func runGraph(t testing.TB, dev *gocuda.Device, x *gocuda.GraphExec) error {
	t.Helper()
	s := dev.NewStream()
	require.NoError(t, x.Launch(s))
	return synchronize(t, s)
}

// In graphs of random shape, with child graphs, every node runs once, and after all that it waits for.
func TestGraphRunsInItsOrder(t *testing.T) {
	for _, workers := range []int{1, 3} {
		dev := openDevice(t, gocuda.WithWorkers(workers))
		rnd := rand.New(rand.NewPCG(7, uint64(workers)))
		for range 40 {
			var done []*atomic.Int32 // how often each node has run
			var round int32
			var build func(depth, n int) *gocuda.Graph
			build = func(depth, n int) *gocuda.Graph {
				g := dev.NewGraph()
				var all []node
				var inside [][]*atomic.Int32 // the flags of each node, several for a child graph
				for range n {
					var deps []node
					var before []*atomic.Int32
					for i, d := range all {
						if rnd.IntN(4) == 0 {
							deps = append(deps, d)
							before = append(before, inside[i]...)
						}
					}
					flag := new(atomic.Int32)
					check := func() {
						for _, b := range before {
							assert.Equal(t, round+1, b.Load(), "a node began before one that it waits for had ended")
						}
					}
					var added node
					var err error
					switch kind := rnd.IntN(8); {
					case kind == 0 && depth > 0:
						first := len(done)
						child := build(depth-1, rnd.IntN(5))
						inside = append(inside, slices.Clone(done[first:]))
						added, err = g.AddChildGraphNode(deps, child)
						require.NoError(t, err)
						all = append(all, added)
						continue
					case kind < 4:
						added, err = g.AddHostNode(deps, func() error { check(); flag.Add(1); return nil })
					default:
						added, err = g.AddKernelNode(deps, grid.Linear(10, 1), gocuda.ThreadFunc(func(t *gocuda.Thread) {
							check()
							if t.BlockIdx.X == 0 {
								flag.Add(1)
							}
						}))
					}
					require.NoError(t, err)
					all, inside, done = append(all, added), append(inside, []*atomic.Int32{flag}), append(done, flag)
				}
				return g
			}
			x := instantiate(t, build(2, rnd.IntN(20)))
			for round = 0; round < 3; round++ {
				require.NoError(t, runGraph(t, dev, x))
				for _, n := range done {
					require.Equal(t, round+1, n.Load(), "how often a node has run")
				}
			}
		}
	}
}

func TestParallelBranchesRunAtTheSameTime(t *testing.T) {
	for _, branches := range []int{2, 3, 20} {
		for _, workers := range []int{1, 4} {
			dev := openDevice(t, gocuda.WithWorkers(workers))
			add := one(t)
			g := dev.NewGraph()
			root := add(g.AddHostNode(nil, nop))
			var last []node
			ran := make([]int, branches)
			kernels := meet(branches)
			hosts := meet(branches)
			for i := range branches {
				a := add(g.AddKernelNode(nodes(root), oneThread, gocuda.ThreadFunc(kernels)))
				last = append(last, add(g.AddHostNode(nodes(a), func() error { hosts(nil); ran[i]++; return nil })))
			}
			sum := 0
			add(g.AddHostNode(last, func() error {
				for _, n := range ran {
					sum += n
				}
				return nil
			}))
			require.NoError(t, runGraph(t, dev, instantiate(t, g)))
			assert.Equal(t, branches, sum, "branches that ran before the last node")
		}
	}
}

func TestGraphIsOrderedWithItsStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	var log []int
	g := dev.NewGraph()
	one(t)(g.AddHostNode(nil, func() error { log = append(log, 2); return nil }))
	x := instantiate(t, g)
	require.NoError(t, s.AddCallback(func() { log = append(log, 1) }))
	require.NoError(t, x.Launch(s))
	require.NoError(t, x.Launch(s))
	require.NoError(t, s.AddCallback(func() { log = append(log, 3) }))
	require.NoError(t, synchronize(t, s))
	slicetest.Equal(t, []int{1, 2, 2, 3}, log)
	require.NoError(t, runGraph(t, dev, instantiate(t, dev.NewGraph()))) // an empty one
}

func TestLaunchesOfOneGraphDoNotOverlap(t *testing.T) {
	dev := openDevice(t)
	var now, runs atomic.Int32
	var order []int32
	g := dev.NewGraph()
	a := one(t)(g.AddHostNode(nil, func() error {
		assert.Equal(t, int32(1), now.Add(1), "two launches of a graph overlap")
		order = append(order, runs.Add(1))
		return nil
	}))
	one(t)(g.AddHostNode(nodes(a), func() error { runtime.Gosched(); now.Add(-1); return nil }))
	x := instantiate(t, g)
	var streams []*gocuda.Stream
	for range 10 {
		streams = append(streams, dev.NewStream())
	}
	for range 10 {
		for _, s := range streams {
			require.NoError(t, x.Launch(s))
		}
	}
	for _, s := range streams {
		require.NoError(t, synchronize(t, s))
	}
	assert.Equal(t, int32(100), runs.Load(), "launches")
	// A stream that is held up, or drops its launch, holds up who comes later for so long and no
	// longer.
	held, failed := dev.NewStream(), dev.NewStream()
	release := hold(t, held)
	gate := hold(t, failed)
	boom := errors.New("boom")
	failWith(t, failed, boom)
	require.NoError(t, x.Launch(held))
	require.NoError(t, x.Launch(failed))
	later := dev.NewStream()
	require.NoError(t, x.Launch(later))
	gate()
	done, err := later.Query()
	assert.False(t, done, "the third launch did not wait for the first")
	assert.NoError(t, err, "the third launch did not wait for the first")
	release()
	require.NoError(t, synchronize(t, later))
	assert.ErrorIs(t, synchronize(t, failed), boom)
	assert.Equal(t, int32(102), runs.Load(), "launches")
}

func TestGraphFailures(t *testing.T) {
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		add  func(g *gocuda.Graph, deps []node) (node, error)
		want error
	}{
		"host error": {func(g *gocuda.Graph, deps []node) (node, error) {
			return g.AddHostNode(deps, func() error { return boom })
		}, boom},
		"host panic": {func(g *gocuda.Graph, deps []node) (node, error) {
			return g.AddHostNode(deps, func() error { panic(boom) })
		}, boom},
		"host Goexit": {func(g *gocuda.Graph, deps []node) (node, error) {
			return g.AddHostNode(deps, func() error { runtime.Goexit(); return nil })
		}, nil},
		"kernel panic": {func(g *gocuda.Graph, deps []node) (node, error) {
			return g.AddKernelNode(deps, grid.Linear(100, 10), gocuda.ThreadFunc(func(*gocuda.Thread) { panic(boom) }))
		}, boom},
		"kernel Goexit": {func(g *gocuda.Graph, deps []node) (node, error) {
			return g.AddKernelNode(deps, grid.Linear(100, 10), gocuda.ThreadFunc(func(*gocuda.Thread) { runtime.Goexit() }))
		}, nil},
		"timeout": {func(g *gocuda.Graph, deps []node) (node, error) {
			cfg := grid.Linear(3*32, 32)
			cfg.Timeout = soon
			return g.AddKernelNode(deps, cfg, endless["thread"])
		}, gocuda.ErrLaunchTimeout},
	} {
		for _, workers := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s, %d workers", name, workers), func(t *testing.T) {
				dev := openDevice(t, gocuda.WithWorkers(workers))
				add := one(t)
				g := dev.NewGraph()
				e := dev.NewEvent()
				var before atomic.Int32
				root := add(g.AddHostNode(nil, func() error { before.Add(1); return nil }))
				bad := add(c.add(g, nodes(root)))
				beside := add(g.AddHostNode(nodes(root), nop))
				for range 5 {
					bad = add(g.AddHostNode(nodes(bad), func() error { t.Error("a node behind one that failed ran"); return nil }))
				}
				add(g.AddEventRecordNode(nodes(bad, beside), e))
				x := instantiate(t, g)
				s := dev.NewStream()
				for round := range 2 {
					require.NoError(t, x.Launch(s))
					s.AddCallback(func() { t.Error("work behind a graph that failed ran") }) // may be refused already
					err := synchronize(t, s)
					dropped := e.Synchronize(t.Context())
					if c.want == nil {
						assert.Error(t, err, "Synchronize")
						assert.Error(t, dropped, "the event of a node that was dropped")
					} else {
						assert.ErrorIs(t, err, c.want, "Synchronize")
						assert.ErrorIs(t, dropped, c.want, "the event of a node that was dropped")
					}
					assert.Error(t, x.Launch(s), "the stream's error does not stick")
					s.Reset()
					assert.Equal(t, int32(round+1), before.Load(), "how often the first node ran")
				}
				require.NoError(t, s.AddCallback(func() {}))
				require.NoError(t, synchronize(t, s))
			})
		}
	}
}

func ignore(error) error { return nil }

func TestCancelledGraph(t *testing.T) {
	dev := openDevice(t)
	add := one(t)
	why := errors.New("why")
	t.Run("kernel", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		g := dev.NewGraph()
		n := add(g.AddKernelNode(nil, grid.Linear(32, 32), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			cancel(why)
			for {
				t.SyncThreads()
			}
		})))
		add(g.AddHostNode(nodes(n), func() error { t.Error("ran"); return nil }))
		s := dev.NewStream()
		require.NoError(t, instantiate(t, g).LaunchContext(ctx, s))
		assert.ErrorIs(t, synchronize(t, s), why)
	})
	t.Run("between nodes", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		g := dev.NewGraph()
		n := add(g.AddHostNode(nil, func() error { cancel(why); return nil }))
		add(g.AddHostNode(nodes(n), func() error { t.Error("ran"); return nil }))
		s := dev.NewStream()
		require.NoError(t, instantiate(t, g).LaunchContext(ctx, s))
		assert.ErrorIs(t, synchronize(t, s), why)
	})
	t.Run("wait for an event", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		held := dev.NewStream()
		release := hold(t, held)
		e := dev.NewEvent()
		require.NoError(t, held.Record(e))
		g := dev.NewGraph()
		add(g.AddEventWaitNode(nil, e))
		s := dev.NewStream()
		require.NoError(t, instantiate(t, g).LaunchContext(ctx, s))
		cancel(why)
		assert.ErrorIs(t, synchronize(t, s), why)
		release()
	})
}

func TestGraphCopies(t *testing.T) {
	dev := openDevice(t)
	add := one(t)
	a, err := mem.Alloc[int32](dev, 100)
	require.NoError(t, err)
	b, err := mem.Alloc[int32](dev, 100)
	require.NoError(t, err)
	in, out, other := make([]int32, 100), make([]int32, 100), make([]int32, 100)
	g := dev.NewGraph()
	up := add(g.AddMemcpyNode(nil, func(s mem.Stream) error { return mem.CopyToDeviceAsync(s, a, in) }))
	clear := add(g.AddMemsetNode(nil, func(s mem.Stream) error { return mem.MemsetAsync(s, b, 0) }))
	x, y := a.Data(), b.Data()
	sum := add(g.AddKernelNode(nodes(up, clear), grid.Linear(100, 10), gocuda.ThreadFunc(func(t *gocuda.Thread) {
		y[t.GlobalX()] += 2 * x[t.GlobalX()]
	})))
	down := add(g.AddMemcpyNode(nodes(sum), func(s mem.Stream) error { return mem.CopyToHostAsync(s, out, b) }))
	assert.Equal(t, gocuda.GraphNodeMemcpy, up.Type())
	assert.Equal(t, gocuda.GraphNodeMemset, clear.Type())
	e := instantiate(t, g)
	for round := range int32(3) {
		for i := range in {
			in[i] = int32(i) + round
		}
		require.NoError(t, runGraph(t, dev, e))
		slicetest.Each(t, func(i int) int32 { return 2 * (int32(i) + round) }, out, "round %d", round)
	}
	require.NoError(t, e.MemcpyNodeSetParams(down, func(s mem.Stream) error { return mem.CopyToHostAsync(s, other, b) }))
	in[7] = 50
	require.NoError(t, runGraph(t, dev, e))
	assert.Equal(t, int32(100), other[7], "the new place")
	assert.NotEqual(t, int32(100), out[7], "the old place")
}

func TestGraphEvents(t *testing.T) {
	dev, far := openDevice(t), openDevice(t)
	add := one(t)
	e, gate, never := dev.NewEvent(), far.NewEvent(), dev.NewEvent()
	g := dev.NewGraph()
	add(g.AddEventWaitNode(nil, never))
	w := add(g.AddEventWaitNode(nil, gate))
	ran := 0
	n := add(g.AddHostNode(nodes(w), func() error { ran++; return nil }))
	r := add(g.AddEventRecordNode(nodes(n), e))
	add(g.AddEventWaitNode(nodes(r), e)) // as it was before the launch
	got, err := r.Event()
	assert.Same(t, e, got)
	assert.NoError(t, err)
	x := instantiate(t, g)
	held := far.NewStream()
	release := hold(t, held)
	require.NoError(t, held.Record(gate))
	s, other := dev.NewStream(), dev.NewStream()
	require.NoError(t, x.Launch(s))
	require.NoError(t, other.Wait(e)) // recorded by the launch, though the node has not run
	seen := 0
	require.NoError(t, other.AddCallback(func() { seen = ran }))
	happened, err := e.Query()
	assert.False(t, happened, "before the node has run")
	assert.NoError(t, err, "before the node has run")
	release()
	require.NoError(t, synchronize(t, other))
	require.NoError(t, synchronize(t, s))
	assert.Equal(t, 1, seen, "what the other stream saw")
	require.NoError(t, x.Launch(s))
	require.NoError(t, synchronize(t, s))
	second := dev.NewEvent()
	require.NoError(t, x.EventNodeSetEvent(r, second))
	require.NoError(t, x.Launch(s))
	require.NoError(t, synchronize(t, s))
	d, err := second.Since(e)
	assert.NoError(t, err)
	assert.GreaterOrEqual(t, d, time.Duration(0))
	assert.ErrorIs(t, x.EventNodeSetEvent(r, gate), gocuda.ErrInvalidResourceHandle, "an event of another device")
	require.NoError(t, x.EventNodeSetEvent(w, second))
}

func TestGraphAcrossDevices(t *testing.T) {
	dev, far := openDevice(t), openDevice(t)
	ran := 0
	inner := far.NewGraph()
	one(t)(inner.AddKernelNode(nil, oneThread, gocuda.BlockFunc(func(*gocuda.Block) { ran++ })))
	g := dev.NewGraph()
	n := one(t)(g.AddChildGraphNode(nil, inner))
	one(t)(g.AddHostNode(nodes(n), func() error { ran *= 10; return nil }))
	require.NoError(t, runGraph(t, dev, instantiate(t, g)))
	assert.Equal(t, 10, ran)
}

func TestSetParamsConcernLaterLaunches(t *testing.T) {
	dev := openDevice(t)
	var log []string
	host := func(name string) func() error { return func() error { log = append(log, name); return nil } }
	kernel := func(name string) gocuda.Kernel {
		return gocuda.BlockFunc(func(*gocuda.Block) { log = append(log, name) })
	}
	add := one(t)
	child := dev.NewGraph()
	add(child.AddHostNode(nil, host("child")))
	g := dev.NewGraph()
	a := add(g.AddHostNode(nil, host("a")))
	k := add(g.AddKernelNode(nodes(a), oneThread, kernel("k")))
	c := add(g.AddChildGraphNode(nodes(k), child))
	inner, err := c.ChildGraph()
	require.NoError(t, err)
	x := instantiate(t, g)
	s := dev.NewStream()
	release := hold(t, s)
	require.NoError(t, x.Launch(s))
	require.NoError(t, x.HostNodeSetParams(a, host("A")))
	require.NoError(t, x.KernelNodeSetParams(k, oneThread, kernel("K")))
	require.NoError(t, x.HostNodeSetParams(inner.Nodes()[0], host("CHILD")))
	require.NoError(t, x.Launch(s))
	require.NoError(t, x.NodeSetEnabled(k, false))
	require.NoError(t, x.Launch(s))
	on, err := x.NodeEnabled(k)
	assert.False(t, on, "enabled")
	assert.NoError(t, err, "enabled")
	require.NoError(t, x.NodeSetEnabled(k, true))
	require.NoError(t, x.Launch(s))
	release()
	require.NoError(t, synchronize(t, s))
	want := []string{"a", "k", "child", "A", "K", "CHILD", "A", "CHILD", "A", "K", "CHILD"}
	slicetest.Equal(t, want, log)
	var noContext context.Context
	foreign := add(dev.NewGraph().AddHostNode(nil, nop))
	for name, c := range map[string]struct{ err, want error }{
		"nil node":                 {x.HostNodeSetParams(nil, nop), gocuda.ErrInvalidResourceHandle},
		"foreign node":             {x.HostNodeSetParams(foreign, nop), gocuda.ErrInvalidValue},
		"kernel with a function":   {x.HostNodeSetParams(k, nop), gocuda.ErrInvalidValue},
		"nil function":             {x.HostNodeSetParams(a, nil), gocuda.ErrInvalidValue},
		"host node with a kernel":  {x.KernelNodeSetParams(a, oneThread, kernel("x")), gocuda.ErrInvalidValue},
		"nil kernel":               {x.KernelNodeSetParams(k, oneThread, nil), gocuda.ErrInvalidDeviceFunction},
		"configuration":            {x.KernelNodeSetParams(k, grid.Config{}, kernel("x")), gocuda.ErrInvalidConfiguration},
		"host node can't be off":   {x.NodeSetEnabled(a, false), gocuda.ErrInvalidValue},
		"no event":                 {x.EventNodeSetEvent(a, dev.NewEvent()), gocuda.ErrInvalidValue},
		"nil copy":                 {x.MemcpyNodeSetParams(k, nil), gocuda.ErrInvalidValue},
		"launch on a nil stream":   {x.Launch(nil), gocuda.ErrInvalidResourceHandle},
		"launch of nil":            {(*gocuda.GraphExec)(nil).Launch(s), gocuda.ErrInvalidResourceHandle},
		"launch of none":           {new(gocuda.GraphExec).Launch(s), gocuda.ErrInvalidResourceHandle},
		"launch without a context": {x.LaunchContext(noContext, s), gocuda.ErrInvalidValue},
		"update with nil":          {x.Update(nil), gocuda.ErrInvalidResourceHandle},
	} {
		assert.ErrorIs(t, c.err, c.want, name)
	}
	log = nil
	require.NoError(t, x.Launch(s)) // what went wrong has changed nothing
	require.NoError(t, x.Destroy())
	for _, err := range []error{x.Launch(s), x.Destroy(), x.Update(g), x.NodeSetEnabled(k, true)} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle, "a destroyed graph")
	}
	require.NoError(t, synchronize(t, s))
	slicetest.Equal(t, []string{"A", "K", "CHILD"}, log)
}

func TestGraphExecUpdate(t *testing.T) {
	dev, far := openDevice(t), openDevice(t)
	add := one(t)
	var log []string
	build := func(d *gocuda.Device, prefix string, change func(g *gocuda.Graph, all []node)) *gocuda.Graph {
		g := d.NewGraph()
		note := func(name string) func() error { return func() error { log = append(log, prefix+name); return nil } }
		a := add(g.AddHostNode(nil, note("a")))
		b := add(g.AddKernelNode(nodes(a), oneThread, gocuda.BlockFunc(func(*gocuda.Block) { note("b")() })))
		inner := d.NewGraph()
		add(inner.AddHostNode(nil, note("inner")))
		c := add(g.AddChildGraphNode(nodes(b), inner))
		e := add(g.AddEmptyNode(nodes(c)))
		if change != nil {
			change(g, nodes(a, b, c, e))
		}
		return g
	}
	old := build(dev, "old ", nil)
	x := instantiate(t, old)
	require.NoError(t, x.Update(build(dev, "new ", nil)))
	require.NoError(t, runGraph(t, dev, x))
	slicetest.Equal(t, []string{"new a", "new b", "new inner"}, log)
	var culprit node
	for name, c := range map[string]struct {
		dev    *gocuda.Device
		result gocuda.GraphExecUpdateResult
		change func(g *gocuda.Graph, all []node)
	}{
		"a node more": {dev, gocuda.UpdateTopologyChanged, func(g *gocuda.Graph, all []node) { culprit = add(g.AddEmptyNode(nil)) }},
		"a node less": {dev, gocuda.UpdateTopologyChanged, func(g *gocuda.Graph, all []node) { culprit = nil; all[3].Destroy() }},
		"another edge": {dev, gocuda.UpdateTopologyChanged, func(g *gocuda.Graph, all []node) {
			culprit = all[3]
			require.NoError(t, g.AddDependencies(all[:1], all[3:]))
		}},
		"another type": {dev, gocuda.UpdateNodeTypeChanged, func(g *gocuda.Graph, all []node) {
			require.NoError(t, all[3].Destroy())
			culprit = add(g.AddHostNode(all[2:3], nop))
		}},
		"in the child": {dev, gocuda.UpdateTopologyChanged, func(g *gocuda.Graph, all []node) {
			inner, err := all[2].ChildGraph()
			require.NoError(t, err)
			culprit = add(inner.AddEmptyNode(nil))
		}},
		"another device": {far, gocuda.UpdateParametersChanged, func(g *gocuda.Graph, all []node) { culprit = all[1] }},
	} {
		err := x.Update(build(c.dev, "bad ", c.change))
		var ue *gocuda.GraphExecUpdateError
		assert.ErrorIs(t, err, gocuda.ErrGraphExecUpdateFailure, name)
		require.ErrorAs(t, err, &ue, name)
		assert.Equal(t, c.result, ue.Result, name)
		assert.Same(t, culprit, ue.Node, name)
	}
	// Nothing has changed, and the nodes that setters take are still those of the first graph.
	log = nil
	require.NoError(t, x.NodeSetEnabled(old.Nodes()[1], false))
	require.NoError(t, x.Update(build(dev, "third ", nil)))
	require.NoError(t, runGraph(t, dev, x))
	slicetest.Equal(t, []string{"third a", "third inner"}, log)
}

func TestGraphsFromManyGoroutines(t *testing.T) {
	dev := openDevice(t)
	var a, b atomic.Int64
	g := dev.NewGraph()
	n := one(t)(g.AddKernelNode(nil, grid.Linear(8, 2), gocuda.ThreadFunc(func(*gocuda.Thread) { a.Add(1) })))
	for range 5 {
		one(t)(g.AddKernelNode(nodes(n), grid.Linear(8, 2), gocuda.ThreadFunc(func(*gocuda.Thread) { b.Add(1) })))
	}
	x := instantiate(t, g)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s := dev.NewStream()
			for range 10 {
				assert.NoError(t, errors.Join(x.Launch(s), x.Update(g), second(x.NodeEnabled(n))))
			}
			assert.NoError(t, s.Synchronize(context.Background()))
		})
	}
	finishes(t, "launches of a graph", all.Wait)
	assert.Equal(t, int64(80*8), a.Load(), "threads")
	assert.Equal(t, int64(80*40), b.Load(), "threads")
}

func TestGraphInABubble(t *testing.T) {
	bubble(t, 2, func(t *testing.T, dev *gocuda.Device) {
		g := dev.NewGraph()
		both := meet(2)
		one(t)(g.AddKernelNode(nil, oneThread, gocuda.ThreadFunc(both)))
		one(t)(g.AddKernelNode(nil, oneThread, gocuda.ThreadFunc(both)))
		s := dev.NewStream()
		require.NoError(t, instantiate(t, g).Launch(s))
		require.NoError(t, s.Synchronize(t.Context()))
	})
}

// What a launch of a graph allocates does not grow with its nodes.
func TestWarmGraphAllocatesNothingPerNode(t *testing.T) {
	skipUnlessAllocationsCount(t)
	dev := openDevice(t, gocuda.WithWorkers(2), gocuda.WithExecutor(gocuda.ExecutorCoroutine))
	var sum [2]float64
	for k, n := range []int{10, 200} {
		g := dev.NewGraph()
		var last []node
		for range n {
			last = nodes(one(t)(g.AddKernelNode(last, grid.Linear(64, 64), gocuda.ThreadFunc(func(*gocuda.Thread) {}))))
		}
		x := instantiate(t, g)
		s := dev.NewStream()
		launch := func() {
			if err := errors.Join(x.Launch(s), s.Synchronize(context.Background())); err != nil { // an assertion would allocate
				t.Error(err)
			}
		}
		sum[k] = testing.AllocsPerRun(20, launch)
		for range 5 {
			sum[k] = min(sum[k], testing.AllocsPerRun(20, launch))
		}
	}
	assert.LessOrEqual(t, sum[1], sum[0]+1, "allocations for 200 nodes, compared with 10")
}
