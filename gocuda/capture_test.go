package gocuda_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

func begin(t testing.TB, s *gocuda.Stream) {
	t.Helper()
	must(t, s.BeginCapture(gocuda.CaptureModeGlobal))
}

func end(t testing.TB, s *gocuda.Stream) *gocuda.Graph {
	t.Helper()
	g, err := s.EndCapture()
	must(t, err)
	return g
}

func TestCaptureOfAllWorkOfAStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	buf, err := mem.Alloc[int](dev, 10)
	must(t, err)
	in, out := make([]int, 10), make([]int, 10)
	x := buf.Data()
	calls := 0
	begin(t, s)
	must(t, mem.CopyToDeviceAsync(s, buf, in))
	must(t, s.LaunchFunc(grid.Linear(10, 5), func(t *gocuda.Thread) { x[t.GlobalX()]++ }))
	must(t, s.LaunchContext(t.Context(), grid.Linear(10, 5), gocuda.ThreadFunc(func(t *gocuda.Thread) { x[t.GlobalX()] *= 2 })))
	must(t, s.AddCallback(func() { calls++ }))
	must(t, mem.CopyToHostAsync(s, out, buf))
	g := end(t, s)
	if done, err := s.Query(); !done || err != nil || calls != 0 || x[0] != 0 {
		t.Errorf("something ran while it was captured: %v, %v, %d calls, %d", done, err, calls, x[0])
	}
	var types []gocuda.GraphNodeType
	for i, n := range g.Nodes() {
		types = append(types, n.Type())
		if d := n.Dependencies(); i > 0 && !slices.Equal(d, g.Nodes()[i-1:i]) || i == 0 && len(d) > 0 {
			t.Errorf("node %d waits for %v", i, d)
		}
	}
	k, h := gocuda.GraphNodeKernel, gocuda.GraphNodeHost
	if !slices.Equal(types, []gocuda.GraphNodeType{h, k, k, h, h}) {
		t.Errorf("nodes %v", types)
	}
	e := instantiate(t, g)
	for round := range 3 {
		for i := range in {
			in[i] = 10*round + i
		}
		must(t, e.Launch(s))
		must(t, synchronize(t, s))
		for i, v := range out {
			if v != 2*(10*round+i+1) {
				t.Fatalf("round %d: out[%d] = %d", round, i, v)
			}
		}
	}
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
}

func TestCaptureForksAndJoins(t *testing.T) {
	dev, far := openDevice(t), openDevice(t)
	s1, s2, s3 := dev.NewStream(), dev.NewStream(), far.NewStream()
	fork, join2, join3 := dev.NewEvent(), dev.NewEvent(), far.NewEvent()
	var a, b, c, d int
	both := meet(2)
	begin(t, s1)
	must(t, s1.AddCallback(func() { a = 1 }))
	must(t, s1.Record(fork))
	must(t, s2.Wait(fork))
	must(t, s3.Wait(fork))
	if on, err := s2.IsCapturing(); !on || err != nil {
		t.Errorf("the forked stream: %v, %v", on, err)
	}
	must(t, s2.LaunchFunc(oneThread, func(t *gocuda.Thread) { both(t); b = a + 1 }))
	must(t, s3.LaunchFunc(oneThread, func(t *gocuda.Thread) { both(t); c = a + 2 }))
	must(t, s2.Record(join2))
	must(t, s3.Record(join3))
	must(t, s1.Wait(join2))
	must(t, s1.Wait(join3))
	must(t, s1.AddCallback(func() { d = b + c }))
	g := end(t, s1)
	for i, s := range []*gocuda.Stream{s1, s2, s3} {
		if on, err := s.IsCapturing(); on || err != nil {
			t.Errorf("stream %d is still being captured: %v, %v", i+1, on, err)
		}
	}
	n := g.Nodes()
	if len(n) != 4 || !slices.Equal(n[1].Dependencies(), n[:1]) || !slices.Equal(n[2].Dependencies(), n[:1]) ||
		!slices.Equal(n[3].Dependencies(), n[:3]) { // what the stream has done and what it has waited for
		t.Fatalf("nodes %v", n)
	}
	must(t, runGraph(t, dev, instantiate(t, g)))
	if d != 5 {
		t.Errorf("d = %d", d)
	}
}

func TestCaptureOfLaunchesOfGraphs(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	n := 0
	inner := dev.NewGraph()
	h := one(t)(inner.AddHostNode(nil, func() error { n++; return nil }))
	x := instantiate(t, inner)
	begin(t, s)
	must(t, x.Launch(s))
	must(t, x.HostNodeSetParams(h, func() error { n += 10; return nil }))
	must(t, x.Launch(s))
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(t.Context())
	must(t, x.LaunchContext(ctx, s))
	g := end(t, s)
	for _, c := range g.Nodes() {
		if c.Type() != gocuda.GraphNodeGraph {
			t.Errorf("a %v", c)
		}
	}
	outer := instantiate(t, g)
	must(t, runGraph(t, dev, outer))
	if n != 21 {
		t.Errorf("n = %d", n)
	}
	cancel(why)
	if err := runGraph(t, dev, outer); !errors.Is(err, why) || n != 32 {
		t.Errorf("n = %d, %v", n, err)
	}
}

func TestCaptureKeepsContextAndPriority(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStreamWithPriority(-2)
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(t.Context())
	begin(t, s)
	must(t, s.LaunchContext(ctx, oneThread, gocuda.ThreadFunc(func(t *gocuda.Thread) {
		cancel(why)
		for {
			t.SyncThreads()
		}
	})))
	g := end(t, s)
	if cfg, _, err := g.Nodes()[0].KernelParams(); err != nil || cfg.Priority != -2 {
		t.Errorf("%+v, %v", cfg, err)
	}
	for range 2 { // cancelled while it runs, and before
		if err := runGraph(t, dev, instantiate(t, g)); !errors.Is(err, why) {
			t.Errorf("%v", err)
		}
	}
}

func TestExternalEventsInACapture(t *testing.T) {
	dev := openDevice(t)
	s, other := dev.NewStream(), dev.NewStream()
	e, gate := dev.NewEvent(), dev.NewEvent()
	for _, err := range []error{s.RecordExternal(e), s.WaitExternal(e)} {
		if !errors.Is(err, gocuda.ErrInvalidValue) {
			t.Errorf("outside of a capture: %v", err)
		}
	}
	begin(t, s)
	must(t, s.WaitExternal(gate))
	must(t, s.RecordExternal(e))
	g := end(t, s)
	if n := g.Nodes(); len(n) != 2 || n[0].Type() != gocuda.GraphNodeWaitEvent || n[1].Type() != gocuda.GraphNodeEventRecord {
		t.Fatalf("%v", n)
	}
	release := hold(t, other)
	must(t, other.Record(gate))
	must(t, instantiate(t, g).Launch(s))
	if happened, err := e.Query(); happened || err != nil {
		t.Errorf("%v, %v", happened, err)
	}
	release()
	must(t, e.Synchronize(t.Context()))
}

func TestCaptureInfo(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	if info, err := s.CaptureInfo(); err != nil || info.Status != gocuda.CaptureStatusNone || info.Graph != nil {
		t.Errorf("%+v, %v", info, err)
	}
	begin(t, s)
	must(t, s.AddCallback(func() {}))
	info, err := s.CaptureInfo()
	must(t, err)
	if info.Status != gocuda.CaptureStatusActive || info.ID == 0 || !slices.Equal(info.Dependencies, info.Graph.Nodes()) {
		t.Errorf("%+v", info)
	}
	// A node of one's own, which the rest of the stream waits for.
	own := one(t)(info.Graph.AddEmptyNode(info.Dependencies))
	must(t, s.UpdateCaptureDependencies(nodes(own), false))
	must(t, s.AddCallback(func() {}))
	must(t, s.UpdateCaptureDependencies(info.Graph.Nodes()[:1], true))
	must(t, s.AddCallback(func() {}))
	foreign := one(t)(dev.NewGraph().AddEmptyNode(nil))
	if err := s.UpdateCaptureDependencies(nodes(foreign), false); !errors.Is(err, gocuda.ErrInvalidValue) {
		t.Errorf("a node of another graph: %v", err)
	}
	g := end(t, s)
	n := g.Nodes()
	if g != info.Graph || len(n) != 4 || !slices.Equal(n[2].Dependencies(), nodes(own)) || !slices.Equal(n[3].Dependencies(), nodes(n[2], n[0])) {
		t.Errorf("%v", n)
	}
	begin(t, s)
	again, err := s.CaptureInfo()
	must(t, err)
	if again.ID == info.ID || again.Graph == g {
		t.Error("a second capture is the first one")
	}
	if g := end(t, s); len(g.Nodes()) != 0 {
		t.Errorf("an empty capture: %v", g.Nodes())
	}
	if err := s.UpdateCaptureDependencies(nil, false); !errors.Is(err, gocuda.ErrIllegalState) {
		t.Errorf("without a capture: %v", err)
	}
}

// What can't be captured is refused with its own error, spoils the capture, and leaves streams that work.
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
			must(t, s.AddCallback(func() { t.Error("captured work ran") }))
			if err := c.do(dev, s, e); !errors.Is(err, c.want) {
				t.Errorf("%v", err)
			}
			// From now on everything says so.
			if st := s.CaptureStatus(); st != gocuda.CaptureStatusInvalidated {
				t.Errorf("the status is %v", st)
			}
			nop := func(*gocuda.Thread) {}
			for i, err := range []error{s.LaunchFunc(oneThread, nop), s.AddCallback(func() {}), s.Record(dev.NewEvent()),
				s.Enqueue(func() error { return nil }), second(s.IsCapturing()), s.UpdateCaptureDependencies(nil, false)} {
				if !errors.Is(err, gocuda.ErrStreamCaptureInvalidated) || !errors.Is(err, c.want) {
					t.Errorf("use %d of the stream: %v", i, err)
				}
			}
			if g, err := s.EndCapture(); g != nil || !errors.Is(err, gocuda.ErrStreamCaptureInvalidated) || !errors.Is(err, c.want) {
				t.Errorf("EndCapture: %v", err)
			}
			ran := false
			must(t, s.AddCallback(func() { ran = true }))
			must(t, synchronize(t, s))
			if !ran {
				t.Error("the stream does not work any more")
			}
			must(t, dev.Synchronize(t.Context()))
		})
	}
}

func TestCaptureUnjoined(t *testing.T) {
	dev := openDevice(t)
	s, other := dev.NewStream(), dev.NewStream()
	e := dev.NewEvent()
	begin(t, s)
	must(t, s.AddCallback(func() {}))
	must(t, s.Record(e))
	must(t, other.Wait(e))
	must(t, other.AddCallback(func() {}))
	if g, err := s.EndCapture(); g != nil || !errors.Is(err, gocuda.ErrStreamCaptureUnjoined) {
		t.Errorf("%v", err)
	}
	for _, s := range []*gocuda.Stream{s, other} {
		if st := s.CaptureStatus(); st != gocuda.CaptureStatusNone {
			t.Errorf("the status is %v", st)
		}
		must(t, synchronize(t, s))
	}
	// Its event is of no use any more, until it is recorded again.
	waits := dev.NewGraph()
	one(t)(waits.AddEventWaitNode(nil, e))
	for i, err := range []error{other.Wait(e), second(e.Query()), e.Synchronize(t.Context()), instantiate(t, waits).Launch(s)} {
		if !errors.Is(err, gocuda.ErrCapturedEvent) {
			t.Errorf("use %d of an event of a capture that has ended: %v", i, err)
		}
	}
	must(t, s.Record(e))
	must(t, e.Synchronize(t.Context()))
	// A stream that was forked and has done nothing need not be joined.
	begin(t, s)
	must(t, s.AddCallback(func() {}))
	must(t, s.Record(e))
	must(t, other.Wait(e))
	end(t, s)
}

func TestCaptureMisuse(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	closed := dev.NewStream()
	must(t, closed.Close())
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
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	begin(t, s)
	if err := s.BeginCapture(0); !errors.Is(err, gocuda.ErrIllegalState) {
		t.Errorf("a second capture: %v", err)
	}
	// Wrong arguments are refused as ever, and spoil nothing.
	for i, err := range []error{s.LaunchFunc(grid.Config{}, func(*gocuda.Thread) {}), s.AddCallback(nil), s.Enqueue(nil), s.Record(nil), s.Wait(nil)} {
		if err == nil {
			t.Errorf("wrong argument %d was captured", i)
		}
	}
	must(t, s.Wait(dev.NewEvent())) // never recorded
	must(t, s.Err())
	if g := end(t, s); len(g.Nodes()) != 0 {
		t.Errorf("%v", g.Nodes())
	}
}

func TestWorkQueuedBeforeACaptureGoesOn(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	release := hold(t, s)
	boom := errors.New("boom")
	failWith(t, s, boom)
	begin(t, s)
	must(t, s.AddCallback(func() {}))
	release()
	eventually(t, "the stream has failed", func() bool { return s.Err() != nil })
	if g, err := s.EndCapture(); g != nil || !errors.Is(err, boom) {
		t.Errorf("a capture of a stream that has failed meanwhile: %v", err)
	}
	if st := s.CaptureStatus(); st != gocuda.CaptureStatusNone {
		t.Errorf("the status is %v", st)
	}
}

func TestDeviceClosesDuringACapture(t *testing.T) {
	dev, err := gocuda.NewDevice()
	must(t, err)
	s := dev.NewStream()
	begin(t, s)
	must(t, s.AddCallback(func() { t.Error("ran") }))
	finishes(t, "Close", func() { must(t, dev.Close()) })
	if _, err := s.EndCapture(); !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
		t.Errorf("%v", err)
	}
}

// Random programs on several streams give the result of their calls one after the other, whether they run at once
// or are captured and launched.
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
					must(t, all[s].AddCallback(f))
				} else {
					must(t, all[s].LaunchFunc(oneThread, func(*gocuda.Thread) { f() }))
				}
			}, func(s, e int) {
				marks = append(marks, dev.NewEvent())
				must(t, all[s].Record(marks[e]))
			}, func(s, e int) { must(t, all[s].Wait(marks[e])) }, &got)
		}
		play()
		for _, s := range all {
			must(t, synchronize(t, s))
		}
		if got != want {
			t.Fatalf("seed %d: the streams give %v, want %v", seed, got, want)
		}

		begin(t, all[0])
		fork := dev.NewEvent()
		must(t, all[0].Record(fork))
		for _, s := range all[1:] {
			must(t, s.Wait(fork))
		}
		play()
		for _, s := range all[1:] {
			join := dev.NewEvent()
			must(t, s.Record(join))
			must(t, all[0].Wait(join))
		}
		x := instantiate(t, end(t, all[0]))
		for range 3 {
			got = [streams]uint32{}
			must(t, runGraph(t, dev, x))
			if got != want {
				t.Fatalf("seed %d: the graph gives %v, want %v", seed, got, want)
			}
		}
	}
}
