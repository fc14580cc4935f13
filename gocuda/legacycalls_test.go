package gocuda_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// A legacyCall is a call without a stream on a device.
type legacyCall struct {
	name string
	call func() error
}

// legacyCalls are those that CUDA has in the order of the NULL stream.
func legacyCalls(t testing.TB, dev *gocuda.Device) []legacyCall {
	t.Helper()
	const w, h = 8, 4
	buffer := func() *mem.Buffer[int32] {
		b, err := mem.Alloc[int32](dev, w*h)
		require.NoError(t, err)
		return b
	}
	desc := mem.ArrayDesc{Width: w, Height: h}
	arrays := [3]*mem.Array[int32]{}
	for i := range arrays {
		var err error
		arrays[i], err = mem.AllocArray[int32](dev, desc)
		require.NoError(t, err)
	}
	pitched, err := mem.AllocPitch[int32](dev, w, h)
	require.NoError(t, err)
	mipmapped, err := mem.AllocMipmappedArray[int32](dev, desc, 2)
	require.NoError(t, err)
	a, b, freed, host := buffer(), buffer(), buffer(), make([]int32, w*h)
	symbol, constant := mem.NewVariable[int32]("v", w), mem.NewConstantIn[int32](new(mem.Module), "c", w)
	rows := func() mem.Rows[int32] { return a.Rows(w, h) }
	nothing := func(*gocuda.Thread) {}
	return []legacyCall{
		{"Launch", func() error { return dev.Launch(t.Context(), oneThread, gocuda.ThreadFunc(nothing)) }},
		{"LaunchFunc", func() error { return dev.LaunchFunc(t.Context(), oneThread, nothing) }},
		{"LaunchCooperative", func() error { return dev.LaunchCooperativeFunc(t.Context(), oneThread, nothing) }},
		{"CopyToDevice", func() error { return mem.CopyToDevice(a, host) }},
		{"CopyToHost", func() error { return mem.CopyToHost(host, a) }},
		{"Copy", func() error { return mem.Copy(a, b) }},
		{"CopyPeer", func() error { return mem.CopyPeer(a, b) }},
		{"CopyDefault to the host", func() error { return mem.CopyDefault(host, b.Data()) }},
		{"CopyDefault to the device", func() error { return mem.CopyDefault(a.Data(), host) }},
		{"Copy2D", func() error { return mem.Copy2D(rows(), mem.HostRows(host, w, h), w, h) }},
		{"Copy3D", func() error { return mem.Copy3D(mem.HostRows(host, w, h), rows(), w, h, 1) }},
		{"Copy3DPeer", func() error { return mem.Copy3DPeer(rows(), b.Rows(w, h), w, h, 1) }},
		{"CopyToArray", func() error { return mem.CopyToArray(arrays[0], host) }},
		{"CopyFromArray", func() error { return mem.CopyFromArray(host, arrays[0]) }},
		{"CopyArray", func() error {
			return mem.CopyArray(mem.ArrayCopy[int32]{Dst: mem.ArrayPlace[int32]{Array: arrays[0]}, Src: mem.ArrayPlace[int32]{Array: arrays[1]}, Extent: mem.Extent{Width: w, Height: h}})
		}},
		{"CopyToSymbol", func() error { return mem.CopyToSymbol(dev, symbol, host[:w], 0) }},
		{"CopyFromSymbol", func() error { return mem.CopyFromSymbol(dev, host[:w], symbol, 0) }},
		{"CopyToSymbol of a constant", func() error { return mem.CopyToSymbol(dev, constant, host[:w], 0) }},
		{"CopyFromSymbol of a constant", func() error { return mem.CopyFromSymbol(dev, host[:w], constant, 0) }},
		{"Memset", func() error { return mem.Memset(a, 1) }},
		{"MemsetD16", func() error { return mem.MemsetD16(a, 1) }},
		{"MemsetD32", func() error { return mem.MemsetD32(a, 1) }},
		{"Memset2D", func() error { return mem.Memset2D(rows(), 1, w, h) }},
		{"Memset3D", func() error { return mem.Memset3D(rows(), 1, w, h, 1) }},
		{"Memset2DD16", func() error { return mem.Memset2DD16(rows(), 1, w, h) }},
		{"Memset2DD32", func() error { return mem.Memset2DD32(rows(), 1, w, h) }},
		{"Free", freed.Free},
		{"Free of an array", arrays[2].Free},
		{"Free of pitched memory", pitched.Free},
		{"Free of a mipmapped array", mipmapped.Free},
	}
}

// Calls without a stream wait for the work of blocking streams, and for that of the default stream.
func TestLegacyStreamOrdersCallsWithoutAStream(t *testing.T) {
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		defer dev.Close()
		for _, s := range []*gocuda.Stream{dev.NewStream(), dev.DefaultStream()} {
			for _, c := range legacyCalls(t, dev) {
				release := hold(t, s)
				done := make(chan error, 1)
				go func() { done <- c.call() }()
				synctest.Wait()
				select {
				case <-done:
					t.Errorf("%s does not wait", c.name)
					release()
				default:
					release()
					assert.NoError(t, <-done, c.name)
				}
				require.NoError(t, synchronize(t, s))
			}
		}
	}, gocuda.WithLegacyStream(true))
}

// They wait neither for streams that take no part, nor on a device without the option.
func TestCallsWithoutAStreamWaitForNothingElse(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	free, err := dev.NewStreamWithFlags(gocuda.StreamNonBlocking)
	require.NoError(t, err)
	release := hold(t, free)
	for _, c := range legacyCalls(t, dev) {
		require.NoError(t, c.call(), c.name)
	}
	release()

	dev = openDevice(t)
	release, releaseNull := hold(t, dev.NewStream()), hold(t, dev.DefaultStream())
	for _, c := range legacyCalls(t, dev) {
		require.NoError(t, c.call(), c.name)
	}
	release()
	releaseNull()
}

// What is queued on blocking streams during a launch waits for it.
func TestLegacyStreamLaunchHoldsUpOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		defer dev.Close()
		for name, launch := range map[string]func(func(*gocuda.Thread)) error{
			"Launch":            func(k func(*gocuda.Thread)) error { return dev.LaunchFunc(t.Context(), oneThread, k) },
			"LaunchCooperative": func(k func(*gocuda.Thread)) error { return dev.LaunchCooperativeFunc(t.Context(), oneThread, k) },
		} {
			gate, done := make(chan struct{}), make(chan error, 1)
			x := 0
			go func() {
				done <- launch(func(*gocuda.Thread) {
					<-gate
					x = 1
				})
			}()
			synctest.Wait()
			s := dev.NewStream()
			seen := -1
			require.NoError(t, s.AddCallback(func() { seen = x }))
			synctest.Wait()
			finished, err := s.Query()
			require.NoError(t, err)
			assert.False(t, finished, name)
			close(gate)
			require.NoError(t, <-done)
			require.NoError(t, synchronize(t, s))
			assert.Equal(t, 1, seen, name)
		}
	}, gocuda.WithLegacyStream(true))
}

// A kernel, a callback and a node of a graph don't wait for themselves.
func TestLegacyStreamCallsInWork(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	buf, err := mem.Alloc[int32](dev, 4)
	require.NoError(t, err)
	ran := 0
	calls := func() {
		if err := dev.LaunchFunc(context.Background(), oneThread, func(*gocuda.Thread) { ran++ }); err != nil {
			panic(err)
		}
		if err := mem.Memset(buf, byte(ran)); err != nil {
			panic(err)
		}
	}
	want := 0
	for _, s := range []*gocuda.Stream{dev.NewStream(), dev.DefaultStream()} {
		require.NoError(t, s.AddCallback(calls))
		require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { calls() }))
		g := dev.NewGraph()
		_, err := g.AddHostNode(nil, func() error { calls(); return nil })
		require.NoError(t, err)
		require.NoError(t, instantiate(t, g).Launch(s))
		require.NoError(t, synchronize(t, s))
		want += 3
		assert.Equal(t, want, ran)
	}
	require.NoError(t, dev.LaunchFunc(t.Context(), oneThread, func(*gocuda.Thread) { calls() }))
	assert.Equal(t, want+1, ran)
	assert.Equal(t, byte(ran), byte(buf.Data()[0]))
}

func TestLegacyStreamCallsAfterFailures(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	s, null := dev.NewStream(), dev.DefaultStream()
	cause := errors.New("a disk is full")
	for _, failing := range []*gocuda.Stream{s, null} {
		calls := legacyCalls(t, dev)
		require.NoError(t, failing.Enqueue(func() error { return cause }))
		for _, c := range calls {
			if c.name[:4] == "Free" {
				assert.NoError(t, c.call(), c.name)
			} else {
				assert.ErrorIs(t, c.call(), cause, c.name)
			}
		}
		_, _ = s.Reset(), null.Reset()
		assert.NoError(t, calls[0].call())
	}
	// A launch that fails is the caller's.
	require.ErrorIs(t, dev.LaunchFunc(t.Context(), oneThread, func(*gocuda.Thread) { panic(cause) }), cause)
	require.NoError(t, null.Err())
	require.NoError(t, dev.LaunchFunc(t.Context(), oneThread, func(*gocuda.Thread) {}))
}

func TestLegacyStreamCallsAndCaptures(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	s := dev.NewStream()
	for _, c := range legacyCalls(t, dev) {
		require.NoError(t, s.BeginCapture(gocuda.CaptureModeRelaxed))
		err := c.call()
		if c.name[:4] != "Free" {
			assert.ErrorIs(t, err, gocuda.ErrStreamCaptureImplicit, c.name)
		}
		_, err = s.EndCapture()
		assert.ErrorIs(t, err, gocuda.ErrStreamCaptureInvalidated, c.name)
	}
}

func TestLegacyStreamLaunchIsCancelledWhileItWaits(t *testing.T) {
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		defer dev.Close()
		s := dev.NewStream()
		release := hold(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		ran := false
		go func() { done <- dev.LaunchFunc(ctx, oneThread, func(*gocuda.Thread) { ran = true }) }()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
		release()
		require.NoError(t, synchronize(t, dev.DefaultStream()))
		assert.False(t, ran)
	}, gocuda.WithLegacyStream(true))
}

// Copies between two devices, in both directions at once, take turns of both.
func TestLegacyStreamsOfTwoDevices(t *testing.T) {
	var dev [2]*gocuda.Device
	var buf [2]*mem.Buffer[int64]
	for i := range dev {
		dev[i] = openDevice(t, gocuda.WithLegacyStream(true))
		var err error
		buf[i], err = mem.Alloc[int64](dev[i], 100)
		require.NoError(t, err)
	}
	a := dev[1].NewStream()
	release := hold(t, a)
	require.NoError(t, mem.MemsetAsync(a, buf[1], 7))
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			for range 200 {
				assert.NoError(t, mem.CopyPeer(buf[i], buf[1-i]))
			}
		})
	}
	release()
	wg.Wait()
	assert.Equal(t, buf[0].Data(), buf[1].Data())
}
