package gocuda_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func TestPeerAccess(t *testing.T) {
	a, b, old := openDevice(t), openDevice(t), openDevice(t, gocuda.WithGeneration(gocuda.GT200))
	for _, c := range []struct {
		dev, peer *gocuda.Device
		want      bool
	}{{a, b, true}, {b, a, true}, {a, a, false}, {a, old, false}, {old, a, false}, {a, gocuda.Default(), true}} {
		can, err := c.dev.CanAccessPeer(c.peer)
		assert.Equal(t, c.want, can, "CanAccessPeer")
		assert.NoError(t, err, "CanAccessPeer")
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
		assert.ErrorIs(t, c.err, c.want, c.what)
	}
	require.NoError(t, b.Close())
	_, err := a.CanAccessPeer(b)
	assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle, "a closed peer")
}

// Allocations, kernels and frees of two streams, where an event hands memory from one to the other.
func TestPoolsOnStreams(t *testing.T) {
	const n = 1000
	dev := openDevice(t)
	pool, err := mem.DefaultPool(dev)
	require.NoError(t, err)
	s, other := dev.NewStream(), dev.NewStream()
	out := make([]int32, n)
	for round := range int32(20) {
		b, err := mem.AllocAsync[int32](s, n)
		require.NoError(t, err)
		x := b.Data()
		require.NoError(t, s.LaunchFunc(grid.Linear(n, 128), func(t *gocuda.Thread) {
			if i := t.GlobalX(); i < n {
				x[i] = int32(i) + round
			}
		}))
		filled := dev.NewEvent()
		require.NoError(t, s.Record(filled))
		require.NoError(t, other.Wait(filled))
		require.NoError(t, mem.CopyToHostAsync(other, out, b))
		require.NoError(t, mem.FreeAsync(other, b))
	}
	require.NoError(t, other.Synchronize(t.Context()))
	slicetest.Each(t, func(i int) int32 { return int32(i) + 19 }, out)
	require.NoError(t, dev.Synchronize(t.Context()))
	st := pool.Stats()
	assert.Zero(t, st.Used, "after synchronizing")
	assert.Zero(t, st.Reserved, "after synchronizing")
	assert.GreaterOrEqual(t, st.UsedHigh, int64(4*n), "after synchronizing")
	require.NoError(t, pool.SetReleaseThreshold(math.MaxInt64))
	b, err := mem.AllocAsync[int32](s, n)
	require.NoError(t, err)
	require.NoError(t, mem.FreeAsync(s, b))
	require.NoError(t, s.Synchronize(t.Context()))
	st = pool.Stats()
	assert.Zero(t, st.Used, "kept")
	assert.GreaterOrEqual(t, st.Reserved, int64(4*n), "kept")
}

// Each way to wait lets pools give back what is over their threshold.
func TestSynchronizingReleases(t *testing.T) {
	dev := openDevice(t)
	pool, err := mem.DefaultPool(dev)
	require.NoError(t, err)
	for what, wait := range map[string]func(s *gocuda.Stream, e *gocuda.Event) error{
		"stream": func(s *gocuda.Stream, e *gocuda.Event) error { return s.Synchronize(t.Context()) },
		"event":  func(s *gocuda.Stream, e *gocuda.Event) error { return e.Synchronize(t.Context()) },
		"device": func(s *gocuda.Stream, e *gocuda.Event) error { return dev.Synchronize(t.Context()) },
	} {
		s, e := dev.NewStream(), dev.NewEvent()
		b, err := mem.AllocAsync[byte](s, 1000)
		require.NoError(t, err)
		require.NoError(t, mem.FreeAsync(s, b))
		require.NoError(t, s.Record(e))
		require.NoError(t, wait(s, e))
		assert.Zero(t, pool.Stats().Reserved, what)
		require.NoError(t, s.Close())
	}
}

// Memory that a stream uses out of order is the stream's error, and Reset makes it usable again.
func TestUseOutOfOrderIsTheStreamsError(t *testing.T) {
	dev := openDevice(t)
	s, other := dev.NewStream(), dev.NewStream()
	start := make(chan struct{})
	require.NoError(t, s.AddCallback(func() { <-start }))
	b, err := mem.AllocAsync[byte](s, 100)
	require.NoError(t, err)
	require.NoError(t, mem.MemsetAsync(other, b, 1)) // without waiting for s
	assert.ErrorIs(t, other.Synchronize(t.Context()), mem.ErrNotReady)
	close(start)
	require.NoError(t, s.Synchronize(t.Context()))
	assert.ErrorIs(t, other.Reset(), mem.ErrNotReady, "Reset")
	require.NoError(t, mem.MemsetAsync(other, b, 1))
	require.NoError(t, mem.FreeAsync(other, b))
	require.NoError(t, other.Synchronize(t.Context()))
}

func TestNoStream(t *testing.T) {
	dev := openDevice(t)
	b, err := mem.Alloc[int](dev, 1)
	require.NoError(t, err)
	for _, s := range []*gocuda.Stream{nil, {}} {
		_, alloc := mem.AllocAsync[int](s, 1)
		for what, err := range map[string]error{
			"AllocAsync":  alloc,
			"MemsetAsync": mem.MemsetAsync(s, b, 0),
			"Copy2DAsync": mem.Copy2DAsync(s, b.Rows(1, 1), mem.HostRows([]int{1}, 1, 1), 1, 1),
		} {
			assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
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
			assert.Equal(t, 65536, dev.Properties().TotalConstMem) // on all GPUs, by the table of compute capabilities
			w, err := weights.On(dev)
			require.NoError(t, err)
			x, y := []float32{1, 2, 3, 4, 5}, make([]float32, 3)
			kernel := func(t *gocuda.Thread) {
				if i := t.GlobalX(); i < len(y) {
					y[i] = 0
					for k := range w.Len() {
						y[i] += w.At(k) * x[i+k]
					}
				}
			}
			require.NoError(t, s.LaunchFunc(grid.Linear(3, 32), kernel))
			require.NoError(t, s.Synchronize(t.Context()))
			slicetest.Equal(t, []float32{1 + 4 + 12, 2 + 6 + 16, 3 + 8 + 20}, y)
			require.NoError(t, mem.CopyToSymbolAsync(s, weights, []float32{0, 1, 0}, 0))
			require.NoError(t, s.LaunchFunc(grid.Linear(3, 32), kernel))
			require.NoError(t, s.Synchronize(t.Context()))
			slicetest.Equal(t, x[1:4], y)
		})
	}
}

// Checked mode finds a kernel that writes to constant memory, also one that fails otherwise, and on
// streams.
func TestConstantMemoryWritten(t *testing.T) {
	dev := openDevice(t, gocuda.WithChecked(true))
	w, err := weights.On(dev)
	require.NoError(t, err)
	writes := func(t *gocuda.Thread) {
		if t.GlobalX() == 1 {
			w.Elements[2] = 0
		}
	}
	assert.ErrorIs(t, dev.LaunchFunc(t.Context(), grid.Linear(2, 2), writes), mem.ErrConstantWritten)
	assert.Equal(t, float32(4), w.At(2))
	require.NoError(t, dev.LaunchFunc(t.Context(), grid.Linear(2, 2), func(*gocuda.Thread) {}))
	err = dev.LaunchFunc(t.Context(), grid.Linear(2, 2), func(t *gocuda.Thread) {
		writes(t)
		t.SyncThreads()
		panic(errors.ErrUnsupported)
	})
	assert.ErrorIs(t, err, mem.ErrConstantWritten)
	assert.ErrorIs(t, err, errors.ErrUnsupported)
	s := dev.NewStream()
	require.NoError(t, s.LaunchFunc(grid.Linear(2, 2), writes))
	assert.ErrorIs(t, s.Synchronize(t.Context()), mem.ErrConstantWritten, "on a stream")
}

// Kernels on pitched, page-locked and managed memory.
func TestKindsOfMemoryInKernels(t *testing.T) {
	const w, h = 70, 9
	dev := openDevice(t)
	p, err := mem.AllocPitch[int32](dev, w, h)
	require.NoError(t, err)
	locked, err := mem.AllocHost[int32](w*h, mem.HostMapped)
	require.NoError(t, err)
	managed, err := mem.AllocManaged[int32](dev, w*h, mem.MemAttachGlobal)
	require.NoError(t, err)
	mapped, err := locked.On(dev)
	require.NoError(t, err)
	data, stride, in, out := p.Data(), p.Stride(), mapped.Data(), managed.Data()
	for i := range locked.Data() {
		locked.Data()[i] = int32(i)
	}
	cfg := grid.Config{Grid: grid.Dim3{X: 3, Y: 3}, Block: grid.Dim3{X: 32, Y: 4}}
	require.NoError(t, dev.LaunchFunc(t.Context(), cfg, func(t *gocuda.Thread) {
		if x, y := t.GlobalX(), t.GlobalY(); x < w && y < h {
			data[y*stride+x] = 2 * in[y*w+x]
		}
	}))
	require.NoError(t, mem.Copy2D(managed.Rows(w, h), p.Rows(), w, h))
	slicetest.Each(t, func(i int) int32 { return int32(2 * i) }, out)
}
