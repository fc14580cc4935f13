package gocuda_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func begin(t testing.TB, s *gocuda.Stream) {
	t.Helper()
	require.NoError(t, s.BeginCapture(gocuda.CaptureModeGlobal))
}

func end(t testing.TB, s *gocuda.Stream) *gocuda.Graph {
	t.Helper()
	g, err := s.EndCapture()
	require.NoError(t, err)
	return g
}

func TestCaptureOfAllWorkOfAStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	buf, err := mem.Alloc[int](dev, 10)
	require.NoError(t, err)
	in, out := make([]int, 10), make([]int, 10)
	x := buf.Data()
	calls := 0
	begin(t, s)
	require.NoError(t, mem.CopyToDeviceAsync(s, buf, in))
	require.NoError(t, s.LaunchFunc(grid.Linear(10, 5), func(t *gocuda.Thread) { x[t.GlobalX()]++ }))
	require.NoError(t, s.LaunchContext(t.Context(), grid.Linear(10, 5), gocuda.ThreadFunc(func(t *gocuda.Thread) { x[t.GlobalX()] *= 2 })))
	require.NoError(t, s.AddCallback(func() { calls++ }))
	require.NoError(t, mem.CopyToHostAsync(s, out, buf))
	g := end(t, s)
	done, err := s.Query()
	assert.True(t, done, "something ran while it was captured")
	assert.NoError(t, err)
	assert.Zero(t, calls, "something ran while it was captured")
	assert.Zero(t, x[0], "something ran while it was captured")
	var types []gocuda.GraphNodeType
	for i, n := range g.Nodes() {
		types = append(types, n.Type())
		slicetest.Equal(t, g.Nodes()[max(i-1, 0):i], n.Dependencies(), "what node %d waits for", i)
	}
	k, h := gocuda.GraphNodeKernel, gocuda.GraphNodeHost
	slicetest.Equal(t, []gocuda.GraphNodeType{h, k, k, h, h}, types)
	e := instantiate(t, g)
	for round := range 3 {
		for i := range in {
			in[i] = 10*round + i
		}
		require.NoError(t, e.Launch(s))
		require.NoError(t, synchronize(t, s))
		slicetest.Each(t, func(i int) int { return 2 * (10*round + i + 1) }, out, "round %d", round)
	}
	assert.Equal(t, 3, calls)
}

func TestCaptureForksAndJoins(t *testing.T) {
	dev, far := openDevice(t), openDevice(t)
	s1, s2, s3 := dev.NewStream(), dev.NewStream(), far.NewStream()
	fork, join2, join3 := dev.NewEvent(), dev.NewEvent(), far.NewEvent()
	var a, b, c, d int
	both := meet(2)
	begin(t, s1)
	require.NoError(t, s1.AddCallback(func() { a = 1 }))
	require.NoError(t, s1.Record(fork))
	require.NoError(t, s2.Wait(fork))
	require.NoError(t, s3.Wait(fork))
	on, err := s2.IsCapturing()
	assert.True(t, on, "the forked stream")
	assert.NoError(t, err, "the forked stream")
	require.NoError(t, s2.LaunchFunc(oneThread, func(t *gocuda.Thread) { both(t); b = a + 1 }))
	require.NoError(t, s3.LaunchFunc(oneThread, func(t *gocuda.Thread) { both(t); c = a + 2 }))
	require.NoError(t, s2.Record(join2))
	require.NoError(t, s3.Record(join3))
	require.NoError(t, s1.Wait(join2))
	require.NoError(t, s1.Wait(join3))
	require.NoError(t, s1.AddCallback(func() { d = b + c }))
	g := end(t, s1)
	for i, s := range []*gocuda.Stream{s1, s2, s3} {
		on, err := s.IsCapturing()
		assert.False(t, on, "stream %d is still being captured", i+1)
		assert.NoError(t, err, "stream %d is still being captured", i+1)
	}
	n := g.Nodes()
	require.Len(t, n, 4)
	slicetest.Equal(t, n[:1], n[1].Dependencies())
	slicetest.Equal(t, n[:1], n[2].Dependencies())
	slicetest.Equal(t, n[:3], n[3].Dependencies()) // what the stream has done and what it has waited for
	require.NoError(t, runGraph(t, dev, instantiate(t, g)))
	assert.Equal(t, 5, d)
}

func TestCaptureOfLaunchesOfGraphs(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	n := 0
	inner := dev.NewGraph()
	h := one(t)(inner.AddHostNode(nil, func() error { n++; return nil }))
	x := instantiate(t, inner)
	begin(t, s)
	require.NoError(t, x.Launch(s))
	require.NoError(t, x.HostNodeSetParams(h, func() error { n += 10; return nil }))
	require.NoError(t, x.Launch(s))
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(t.Context())
	require.NoError(t, x.LaunchContext(ctx, s))
	g := end(t, s)
	for _, c := range g.Nodes() {
		assert.Equal(t, gocuda.GraphNodeGraph, c.Type(), c)
	}
	outer := instantiate(t, g)
	require.NoError(t, runGraph(t, dev, outer))
	assert.Equal(t, 21, n)
	cancel(why)
	assert.ErrorIs(t, runGraph(t, dev, outer), why)
	assert.Equal(t, 32, n)
}

func TestCaptureKeepsContextAndPriority(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStreamWithPriority(-2)
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(t.Context())
	begin(t, s)
	require.NoError(t, s.LaunchContext(ctx, oneThread, gocuda.ThreadFunc(func(t *gocuda.Thread) {
		cancel(why)
		for {
			t.SyncThreads()
		}
	})))
	g := end(t, s)
	cfg, _, err := g.Nodes()[0].KernelParams()
	assert.NoError(t, err)
	assert.Equal(t, -2, cfg.Priority)
	for range 2 { // cancelled while it runs, and before
		assert.ErrorIs(t, runGraph(t, dev, instantiate(t, g)), why)
	}
}

func TestExternalEventsInACapture(t *testing.T) {
	dev := openDevice(t)
	s, other := dev.NewStream(), dev.NewStream()
	e, gate := dev.NewEvent(), dev.NewEvent()
	for _, err := range []error{s.RecordExternal(e), s.WaitExternal(e)} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "outside of a capture")
	}
	begin(t, s)
	require.NoError(t, s.WaitExternal(gate))
	require.NoError(t, s.RecordExternal(e))
	g := end(t, s)
	n := g.Nodes()
	require.Len(t, n, 2)
	require.Equal(t, gocuda.GraphNodeWaitEvent, n[0].Type())
	require.Equal(t, gocuda.GraphNodeEventRecord, n[1].Type())
	release := hold(t, other)
	require.NoError(t, other.Record(gate))
	require.NoError(t, instantiate(t, g).Launch(s))
	happened, err := e.Query()
	assert.False(t, happened)
	assert.NoError(t, err)
	release()
	require.NoError(t, e.Synchronize(t.Context()))
}

func TestCaptureInfo(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	info, err := s.CaptureInfo()
	assert.NoError(t, err)
	assert.Equal(t, gocuda.CaptureStatusNone, info.Status)
	assert.Nil(t, info.Graph)
	begin(t, s)
	require.NoError(t, s.AddCallback(func() {}))
	info, err = s.CaptureInfo()
	require.NoError(t, err)
	assert.Equal(t, gocuda.CaptureStatusActive, info.Status)
	assert.NotZero(t, info.ID)
	slicetest.Equal(t, info.Graph.Nodes(), info.Dependencies)
	// A node of one's own, which the rest of the stream waits for.
	own := one(t)(info.Graph.AddEmptyNode(info.Dependencies))
	require.NoError(t, s.UpdateCaptureDependencies(nodes(own), false))
	require.NoError(t, s.AddCallback(func() {}))
	require.NoError(t, s.UpdateCaptureDependencies(info.Graph.Nodes()[:1], true))
	require.NoError(t, s.AddCallback(func() {}))
	foreign := one(t)(dev.NewGraph().AddEmptyNode(nil))
	assert.ErrorIs(t, s.UpdateCaptureDependencies(nodes(foreign), false), gocuda.ErrInvalidValue, "a node of another graph")
	g := end(t, s)
	n := g.Nodes()
	assert.Same(t, info.Graph, g)
	require.Len(t, n, 4)
	slicetest.Equal(t, nodes(own), n[2].Dependencies())
	slicetest.Equal(t, nodes(n[2], n[0]), n[3].Dependencies())
	begin(t, s)
	again, err := s.CaptureInfo()
	require.NoError(t, err)
	assert.NotEqual(t, info.ID, again.ID, "a second capture is the first one")
	assert.NotSame(t, g, again.Graph, "a second capture is the first one")
	assert.Empty(t, end(t, s).Nodes(), "an empty capture")
	assert.ErrorIs(t, s.UpdateCaptureDependencies(nil, false), gocuda.ErrIllegalState, "without a capture")
}

// What can't be captured is refused with its own error, spoils the capture, and leaves streams that
// work.
func TestCaptureErrors(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(dev *gocuda.Device, s *gocuda.Stream, e *gocuda.Event) error
		want error
	}{
		"Synchronize": {func(_ *gocuda.Device, s *gocuda.Stream, _ *gocuda.Event) error {
			return s.Synchronize(context.Background())
		}, gocuda.ErrStreamCaptureUnsupported},
		"Query": {func(_ *gocuda.Device, s *gocuda.Stream, _ *gocuda.Event) error { return second(s.Query()) }, gocuda.ErrStreamCaptureUnsupported},
		"Reset": {func(_ *gocuda.Device, s *gocuda.Stream, _ *gocuda.Event) error { return s.Reset() }, gocuda.ErrStreamCaptureUnsupported},
		"Close": {func(_ *gocuda.Device, s *gocuda.Stream, _ *gocuda.Event) error { return s.Close() }, gocuda.ErrStreamCaptureUnsupported},
		"Device.Synchronize": {func(d *gocuda.Device, _ *gocuda.Stream, _ *gocuda.Event) error {
			return d.Synchronize(context.Background())
		}, gocuda.ErrStreamCaptureUnsupported},
		"Event.Query": {func(_ *gocuda.Device, s *gocuda.Stream, e *gocuda.Event) error {
			return errors.Join(s.Record(e), second(e.Query()))
		}, gocuda.ErrCapturedEvent},
		"Event.Synchronize": {func(_ *gocuda.Device, s *gocuda.Stream, e *gocuda.Event) error {
			return errors.Join(s.Record(e), e.Synchronize(context.Background()))
		}, gocuda.ErrCapturedEvent},
		"Event.Since": {func(d *gocuda.Device, s *gocuda.Stream, e *gocuda.Event) error {
			return errors.Join(s.Record(e), second(e.Since(e)))
		}, gocuda.ErrCapturedEvent},
		"wait for work outside": {func(d *gocuda.Device, s *gocuda.Stream, e *gocuda.Event) error {
			return errors.Join(d.DefaultStream().Record(e), s.Wait(e))
		}, gocuda.ErrStreamCaptureIsolation},
		"two captures": {func(d *gocuda.Device, s *gocuda.Stream, e *gocuda.Event) error {
			other := d.NewStream()
			err := errors.Join(other.BeginCapture(gocuda.CaptureModeRelaxed), other.Record(e), s.Wait(e))
			if _, again := other.EndCapture(); !errors.Is(again, gocuda.ErrStreamCaptureInvalidated) || !errors.Is(again, gocuda.ErrStreamCaptureMerge) {
				return errors.New("the other capture was not invalidated")
			}
			return err
		}, gocuda.ErrStreamCaptureMerge},
		"end in another stream": {func(d *gocuda.Device, s *gocuda.Stream, e *gocuda.Event) error {
			other := d.NewStream()
			return errors.Join(s.Record(e), other.Wait(e), second(other.EndCapture()))
		}, gocuda.ErrStreamCaptureUnmatched},
	} {
		t.Run(name, func(t *testing.T) {
			dev := openDevice(t)
			s, e := dev.NewStream(), dev.NewEvent()
			begin(t, s)
			require.NoError(t, s.AddCallback(func() { t.Error("captured work ran") }))
			assert.ErrorIs(t, c.do(dev, s, e), c.want)
			// From now on everything says so.
			assert.Equal(t, gocuda.CaptureStatusInvalidated, s.CaptureStatus())
			nop := func(*gocuda.Thread) {}
			for i, err := range []error{s.LaunchFunc(oneThread, nop), s.AddCallback(func() {}), s.Record(dev.NewEvent()),
				s.Enqueue(func() error { return nil }), second(s.IsCapturing()), s.UpdateCaptureDependencies(nil, false)} {
				assert.ErrorIs(t, err, gocuda.ErrStreamCaptureInvalidated, "use %d of the stream", i)
				assert.ErrorIs(t, err, c.want, "use %d of the stream", i)
			}
			g, err := s.EndCapture()
			assert.Nil(t, g, "EndCapture")
			assert.ErrorIs(t, err, gocuda.ErrStreamCaptureInvalidated, "EndCapture")
			assert.ErrorIs(t, err, c.want, "EndCapture")
			ran := false
			require.NoError(t, s.AddCallback(func() { ran = true }))
			require.NoError(t, synchronize(t, s))
			assert.True(t, ran, "the stream does not work any more")
			require.NoError(t, dev.Synchronize(t.Context()))
		})
	}
}

func TestCaptureUnjoined(t *testing.T) {
	dev := openDevice(t)
	s, other := dev.NewStream(), dev.NewStream()
	e := dev.NewEvent()
	begin(t, s)
	require.NoError(t, s.AddCallback(func() {}))
	require.NoError(t, s.Record(e))
	require.NoError(t, other.Wait(e))
	require.NoError(t, other.AddCallback(func() {}))
	g, err := s.EndCapture()
	assert.Nil(t, g)
	assert.ErrorIs(t, err, gocuda.ErrStreamCaptureUnjoined)
	for _, s := range []*gocuda.Stream{s, other} {
		assert.Equal(t, gocuda.CaptureStatusNone, s.CaptureStatus())
		require.NoError(t, synchronize(t, s))
	}
	// Its event is of no use any more, until it is recorded again.
	waits := dev.NewGraph()
	one(t)(waits.AddEventWaitNode(nil, e))
	for i, err := range []error{other.Wait(e), second(e.Query()), e.Synchronize(t.Context()), instantiate(t, waits).Launch(s)} {
		assert.ErrorIs(t, err, gocuda.ErrCapturedEvent, "use %d of an event of a capture that has ended", i)
	}
	require.NoError(t, s.Record(e))
	require.NoError(t, e.Synchronize(t.Context()))
	// A stream that was forked and has done nothing need not be joined.
	begin(t, s)
	require.NoError(t, s.AddCallback(func() {}))
	require.NoError(t, s.Record(e))
	require.NoError(t, other.Wait(e))
	end(t, s)
}

func TestCaptureMisuse(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	closed := dev.NewStream()
	require.NoError(t, closed.Close())
	var none *gocuda.Stream
	boom := errors.New("boom")
	failed := dev.NewStream()
	failWith(t, failed, boom)
	synchronize(t, failed)
	for name, c := range map[string]struct{ err, want error }{
		"nil stream":      {none.BeginCapture(0), gocuda.ErrInvalidResourceHandle},
		"end of nil":      {second(none.EndCapture()), gocuda.ErrInvalidResourceHandle},
		"info of nil":     {second(none.CaptureInfo()), gocuda.ErrInvalidResourceHandle},
		"capturing nil":   {second(none.IsCapturing()), gocuda.ErrInvalidResourceHandle},
		"closed stream":   {closed.BeginCapture(0), gocuda.ErrInvalidResourceHandle},
		"failed stream":   {failed.BeginCapture(0), boom},
		"mode":            {s.BeginCapture(gocuda.CaptureModeRelaxed + 1), gocuda.ErrInvalidValue},
		"not captured":    {second(s.EndCapture()), gocuda.ErrIllegalState},
		"record in nil":   {none.RecordExternal(dev.NewEvent()), gocuda.ErrInvalidResourceHandle},
		"nil event":       {s.WaitExternal(nil), gocuda.ErrInvalidResourceHandle},
		"nil record":      {s.RecordExternal(nil), gocuda.ErrInvalidResourceHandle},
		"foreign record":  {s.RecordExternal(openDevice(t).NewEvent()), gocuda.ErrInvalidResourceHandle},
		"update with nil": {none.UpdateCaptureDependencies(nil, false), gocuda.ErrInvalidResourceHandle},
	} {
		assert.ErrorIs(t, c.err, c.want, name)
	}
	begin(t, s)
	assert.ErrorIs(t, s.BeginCapture(0), gocuda.ErrIllegalState, "a second capture")
	// Wrong arguments are refused as ever, and spoil nothing.
	for i, err := range []error{s.LaunchFunc(grid.Config{}, func(*gocuda.Thread) {}), s.AddCallback(nil), s.Enqueue(nil), s.Record(nil), s.Wait(nil)} {
		assert.Error(t, err, "wrong argument %d was captured", i)
	}
	require.NoError(t, s.Wait(dev.NewEvent())) // never recorded
	require.NoError(t, s.Err())
	assert.Empty(t, end(t, s).Nodes())
}

func TestWorkQueuedBeforeACaptureGoesOn(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	release := hold(t, s)
	boom := errors.New("boom")
	failWith(t, s, boom)
	begin(t, s)
	require.NoError(t, s.AddCallback(func() {}))
	release()
	eventually(t, "the stream has failed", func() bool { return s.Err() != nil })
	g, err := s.EndCapture()
	assert.Nil(t, g, "a capture of a stream that has failed meanwhile")
	assert.ErrorIs(t, err, boom, "a capture of a stream that has failed meanwhile")
	assert.Equal(t, gocuda.CaptureStatusNone, s.CaptureStatus())
}

func TestDeviceClosesDuringACapture(t *testing.T) {
	dev, err := gocuda.NewDevice()
	require.NoError(t, err)
	s := dev.NewStream()
	begin(t, s)
	require.NoError(t, s.AddCallback(func() { t.Error("ran") }))
	finishes(t, "Close", func() { assert.NoError(t, dev.Close()) })
	_, err = s.EndCapture()
	assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle)
}

// Random programs on several streams give the result of their calls one after the other, whether
// they run at once or are captured and launched.
func TestCapturedProgramsDoWhatTheyDidBefore(t *testing.T) {
	const streams, steps = 4, 40
	dev := openDevice(t, gocuda.WithWorkers(2))
	for seed := range uint64(20) {
		program := func(queue func(s int, f func()), record func(s, e int), wait func(s, e int), v *[streams]uint32) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			left := make([]uint32, steps) // what a stream leaves for who waits for its event
			events := 0
			for i := range steps {
				s := rnd.IntN(streams)
				switch rnd.IntN(3) {
				case 0:
					queue(s, func() { v[s] = v[s]*31 + uint32(i) })
				case 1:
					e := events
					queue(s, func() { left[e] = v[s] })
					record(s, e)
					events++
				default:
					if events > 0 {
						e := rnd.IntN(events)
						wait(s, e)
						queue(s, func() { v[s] ^= left[e] * 17 })
					}
				}
			}
		}
		var want [streams]uint32
		program(func(_ int, f func()) { f() }, func(int, int) {}, func(int, int) {}, &want)

		var all [streams]*gocuda.Stream
		for i := range all {
			all[i] = dev.NewStream()
		}
		var got [streams]uint32
		play := func() {
			var marks []*gocuda.Event
			program(func(s int, f func()) {
				if s%2 == 0 {
					require.NoError(t, all[s].AddCallback(f))
				} else {
					require.NoError(t, all[s].LaunchFunc(oneThread, func(*gocuda.Thread) { f() }))
				}
			}, func(s, e int) {
				marks = append(marks, dev.NewEvent())
				require.NoError(t, all[s].Record(marks[e]))
			}, func(s, e int) { require.NoError(t, all[s].Wait(marks[e])) }, &got)
		}
		play()
		for _, s := range all {
			require.NoError(t, synchronize(t, s))
		}
		require.Equal(t, want, got, "seed %d: the streams", seed)

		begin(t, all[0])
		fork := dev.NewEvent()
		require.NoError(t, all[0].Record(fork))
		for _, s := range all[1:] {
			require.NoError(t, s.Wait(fork))
		}
		play()
		for _, s := range all[1:] {
			join := dev.NewEvent()
			require.NoError(t, s.Record(join))
			require.NoError(t, all[0].Wait(join))
		}
		x := instantiate(t, end(t, all[0]))
		for range 3 {
			got = [streams]uint32{}
			require.NoError(t, runGraph(t, dev, x))
			require.Equal(t, want, got, "seed %d: the graph", seed)
		}
	}
}
