package gocuda_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

func TestPeerAccess(t *testing.T) {
	a, b, old := openDevice(t), openDevice(t), openDevice(t, gocuda.WithGeneration(gocuda.GT200))
	for _, c := range []struct {
		dev, peer *gocuda.Device
		want      bool
	}{{a, b, true}, {b, a, true}, {a, a, false}, {a, old, false}, {old, a, false}, {a, gocuda.Default(), true}} {
		if can, err := c.dev.CanAccessPeer(c.peer); can != c.want || err != nil {
			t.Errorf("CanAccessPeer: %t, %v, want %t", can, err, c.want)
		}
	}
	for _, c := range []struct {
		what      string
		err, want error
	}{
		{"disable before", a.DisablePeerAccess(b), gocuda.ErrPeerAccessNotEnabled},
		{"enable", a.EnablePeerAccess(b), nil},
		{"enable again", a.EnablePeerAccess(b), gocuda.ErrPeerAccessAlreadyEnabled},
		{"disable the reverse", b.DisablePeerAccess(a), gocuda.ErrPeerAccessNotEnabled},
		{"disable", a.DisablePeerAccess(b), nil},
		{"disable again", a.DisablePeerAccess(b), gocuda.ErrPeerAccessNotEnabled},
		{"itself", a.EnablePeerAccess(a), mem.ErrInvalidDevice},
		{"an old one", a.EnablePeerAccess(old), gocuda.ErrPeerAccessUnsupported},
		{"nil", a.EnablePeerAccess(nil), gocuda.ErrInvalidResourceHandle},
		{"of nil", (*gocuda.Device)(nil).EnablePeerAccess(a), gocuda.ErrInvalidResourceHandle},
		{"disable nil", a.DisablePeerAccess(nil), gocuda.ErrInvalidResourceHandle},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", c.what, c.err, c.want)
		}
	}
	must(t, b.Close())
	if _, err := a.CanAccessPeer(b); !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
		t.Errorf("a closed peer: %v", err)
	}
}

// Allocations, kernels and frees of two streams, where an event hands memory from one to the other.
func TestPoolsOnStreams(t *testing.T) {
	const n = 1000
	dev := openDevice(t)
	pool, err := mem.DefaultPool(dev)
	must(t, err)
	s, other := dev.NewStream(), dev.NewStream()
	out := make([]int32, n)
	for round := range int32(20) {
		b, err := mem.AllocAsync[int32](s, n)
		must(t, err)
		x := b.Data()
		must(t, s.LaunchFunc(grid.Linear(n, 128), func(t *gocuda.Thread) {
			if i := t.GlobalX(); i < n {
				x[i] = int32(i) + round
			}
		}))
		filled := dev.NewEvent()
		must(t, s.Record(filled))
		must(t, other.Wait(filled))
		must(t, mem.CopyToHostAsync(other, out, b))
		must(t, mem.FreeAsync(other, b))
	}
	must(t, other.Synchronize(t.Context()))
	for i, v := range out {
		if v != int32(i)+19 {
			t.Fatalf("element %d is %d, want %d", i, v, i+19)
		}
	}
	must(t, dev.Synchronize(t.Context()))
	if st := pool.Stats(); st.Used != 0 || st.Reserved != 0 || st.UsedHigh < 4*n {
		t.Errorf("after synchronizing: %+v", st)
	}
	must(t, pool.SetReleaseThreshold(math.MaxInt64))
	b, err := mem.AllocAsync[int32](s, n)
	must(t, err)
	must(t, mem.FreeAsync(s, b))
	must(t, s.Synchronize(t.Context()))
	if st := pool.Stats(); st.Used != 0 || st.Reserved < 4*n {
		t.Errorf("kept: %+v", st)
	}
}

// Each way to wait lets pools give back what is over their threshold.
func TestSynchronizingReleases(t *testing.T) {
	dev := openDevice(t)
	pool, err := mem.DefaultPool(dev)
	must(t, err)
	for what, wait := range map[string]func(s *gocuda.Stream, e *gocuda.Event) error{
		"stream": func(s *gocuda.Stream, e *gocuda.Event) error { return s.Synchronize(t.Context()) },
		"event":  func(s *gocuda.Stream, e *gocuda.Event) error { return e.Synchronize(t.Context()) },
		"device": func(s *gocuda.Stream, e *gocuda.Event) error { return dev.Synchronize(t.Context()) },
	} {
		s, e := dev.NewStream(), dev.NewEvent()
		b, err := mem.AllocAsync[byte](s, 1000)
		must(t, err)
		must(t, mem.FreeAsync(s, b))
		must(t, s.Record(e))
		must(t, wait(s, e))
		if st := pool.Stats(); st.Reserved != 0 {
			t.Errorf("%s: %+v", what, st)
		}
		must(t, s.Close())
	}
}

// Memory that a stream uses out of order is the stream's error, and Reset makes it usable again.
func TestUseOutOfOrderIsTheStreamsError(t *testing.T) {
	dev := openDevice(t)
	s, other := dev.NewStream(), dev.NewStream()
	start := make(chan struct{})
	must(t, s.AddCallback(func() { <-start }))
	b, err := mem.AllocAsync[byte](s, 100)
	must(t, err)
	must(t, mem.MemsetAsync(other, b, 1)) // without waiting for s
	if err := other.Synchronize(t.Context()); !errors.Is(err, mem.ErrNotReady) {
		t.Errorf("got %v", err)
	}
	close(start)
	must(t, s.Synchronize(t.Context()))
	if err := other.Reset(); !errors.Is(err, mem.ErrNotReady) {
		t.Errorf("Reset: %v", err)
	}
	must(t, mem.MemsetAsync(other, b, 1))
	must(t, mem.FreeAsync(other, b))
	must(t, other.Synchronize(t.Context()))
}

func TestNoStream(t *testing.T) {
	dev := openDevice(t)
	b, err := mem.Alloc[int](dev, 1)
	must(t, err)
	for _, s := range []*gocuda.Stream{nil, {}} {
		_, alloc := mem.AllocAsync[int](s, 1)
		for what, err := range map[string]error{
			"AllocAsync":  alloc,
			"MemsetAsync": mem.MemsetAsync(s, b, 0),
			"Copy2DAsync": mem.Copy2DAsync(s, b.Rows(1, 1), mem.HostRows([]int{1}, 1, 1), 1, 1),
		} {
			if !errors.Is(err, mem.ErrInvalidValue) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

var weights = mem.NewConstant[float32]("weights", 3, 1, 2, 4)

// Constant memory in kernels of all forms, with contents for each device.
func TestConstantMemory(t *testing.T) {
	for name, opts := range map[string][]gocuda.Option{
		"plain": nil, "checked": {gocuda.WithChecked(true)}, "goroutines": {gocuda.WithExecutor(gocuda.ExecutorGoroutine)},
	} {
		t.Run(name, func(t *testing.T) {
			dev := openDevice(t, opts...)
			s := dev.NewStream()
			if n := dev.Properties().TotalConstMem; n != 65536 { // on all GPUs, by the table of compute capabilities
				t.Errorf("%d bytes of constant memory", n)
			}
			w, err := weights.On(dev)
			must(t, err)
			x, y := []float32{1, 2, 3, 4, 5}, make([]float32, 3)
			kernel := func(t *gocuda.Thread) {
				if i := t.GlobalX(); i < len(y) {
					y[i] = 0
					for k := range w.Len() {
						y[i] += w.At(k) * x[i+k]
					}
				}
			}
			must(t, s.LaunchFunc(grid.Linear(3, 32), kernel))
			must(t, s.Synchronize(t.Context()))
			if want := []float32{1 + 4 + 12, 2 + 6 + 16, 3 + 8 + 20}; !slices.Equal(y, want) {
				t.Errorf("got %v, want %v", y, want)
			}
			must(t, mem.CopyToSymbolAsync(s, weights, []float32{0, 1, 0}, 0))
			must(t, s.LaunchFunc(grid.Linear(3, 32), kernel))
			must(t, s.Synchronize(t.Context()))
			if want := x[1:4]; !slices.Equal(y, want) {
				t.Errorf("got %v, want %v", y, want)
			}
		})
	}
}

// Checked mode finds a kernel that writes to constant memory, also one that fails otherwise, and on streams.
func TestConstantMemoryWritten(t *testing.T) {
	dev := openDevice(t, gocuda.WithChecked(true))
	w, err := weights.On(dev)
	must(t, err)
	writes := func(t *gocuda.Thread) {
		if t.GlobalX() == 1 {
			w.Elements[2] = 0
		}
	}
	if err := dev.LaunchFunc(t.Context(), grid.Linear(2, 2), writes); !errors.Is(err, mem.ErrConstantWritten) {
		t.Errorf("got %v", err)
	}
	if w.At(2) != 4 {
		t.Errorf("it is %v now", w.At(2))
	}
	must(t, dev.LaunchFunc(t.Context(), grid.Linear(2, 2), func(*gocuda.Thread) {}))
	err = dev.LaunchFunc(t.Context(), grid.Linear(2, 2), func(t *gocuda.Thread) {
		writes(t)
		t.SyncThreads()
		panic(errors.ErrUnsupported)
	})
	if !errors.Is(err, mem.ErrConstantWritten) || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("got %v", err)
	}
	s := dev.NewStream()
	must(t, s.LaunchFunc(grid.Linear(2, 2), writes))
	if err := s.Synchronize(t.Context()); !errors.Is(err, mem.ErrConstantWritten) {
		t.Errorf("on a stream: %v", err)
	}
}

// Kernels on pitched, page-locked and managed memory.
func TestKindsOfMemoryInKernels(t *testing.T) {
	const w, h = 70, 9
	dev := openDevice(t)
	p, err := mem.AllocPitch[int32](dev, w, h)
	must(t, err)
	locked, err := mem.AllocHost[int32](w*h, mem.HostMapped)
	must(t, err)
	managed, err := mem.AllocManaged[int32](dev, w*h, mem.MemAttachGlobal)
	must(t, err)
	mapped, err := locked.On(dev)
	must(t, err)
	data, stride, in, out := p.Data(), p.Stride(), mapped.Data(), managed.Data()
	for i := range locked.Data() {
		locked.Data()[i] = int32(i)
	}
	cfg := grid.Config{Grid: grid.Dim3{X: 3, Y: 3}, Block: grid.Dim3{X: 32, Y: 4}}
	must(t, dev.LaunchFunc(t.Context(), cfg, func(t *gocuda.Thread) {
		if x, y := t.GlobalX(), t.GlobalY(); x < w && y < h {
			data[y*stride+x] = 2 * in[y*w+x]
		}
	}))
	must(t, mem.Copy2D(managed.Rows(w, h), p.Rows(), w, h))
	for i, v := range out {
		if v != int32(2*i) {
			t.Fatalf("element %d is %d", i, v)
		}
	}
}
