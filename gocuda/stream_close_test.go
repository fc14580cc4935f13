package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

func TestStreamCloseWaitsForItsWork(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	release := hold(t, s)
	ran := false
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	select {
	case err := <-closed:
		t.Fatalf("Close did not wait: %v", err)
	default:
	}
	release()
	finishes(t, "Close", func() {
		assert.NoError(t, <-closed)
	})
	assert.True(t, ran, "Close did not wait for the kernel")
}

func TestStreamCloseReturnsItsError(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	boom := errors.New("boom")
	failWith(t, s, boom)
	assert.ErrorIs(t, s.Close(), boom, "Close")
	assert.NoError(t, dev.Synchronize(context.Background()), "a closed stream still counts")
}

// A call is a method of a stream that a stream which is not open must refuse.
type call struct {
	name string
	f    func() error
}

func calls(s *gocuda.Stream, e *gocuda.Event) []call {
	ctx := context.Background()
	nop := func(*gocuda.Thread) {}
	return []call{
		{"Launch", func() error { return s.Launch(oneThread, gocuda.ThreadFunc(nop)) }},
		{"LaunchFunc", func() error { return s.LaunchFunc(oneThread, nop) }},
		{"LaunchContext", func() error { return s.LaunchContext(ctx, oneThread, gocuda.ThreadFunc(nop)) }},
		{"AddCallback", func() error { return s.AddCallback(func() {}) }},
		{"Enqueue", func() error { return s.Enqueue(func() error { return nil }) }},
		{"Record", func() error { return s.Record(e) }},
		{"Wait", func() error { return s.Wait(e) }},
		{"Query", func() error { _, err := s.Query(); return err }},
		{"Synchronize", func() error { return s.Synchronize(ctx) }},
		{"Err", func() error { return s.Err() }},
		{"Reset", func() error { return s.Reset() }},
		{"Close", func() error { return s.Close() }},
		{"Close again", func() error { return s.Close() }},
	}
}

// recovered returns the error of f, or its panic as one.
func recovered(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return f()
}

func TestUseOfAStreamThatIsNotOpen(t *testing.T) {
	dev := openDevice(t)
	gone, err := gocuda.NewDevice()
	require.NoError(t, err)
	closed, orphan := dev.NewStream(), gone.NewStream()
	orphanEvent := gone.NewEvent()
	require.NoError(t, closed.Close())
	require.NoError(t, gone.Close())
	for _, c := range []struct {
		name   string
		stream *gocuda.Stream
		event  *gocuda.Event
	}{
		{"closed", closed, dev.NewEvent()},
		{"nil", nil, dev.NewEvent()},
		{"of a closed device", orphan, orphanEvent},
		{"made by a closed device", gone.NewStream(), gone.NewEvent()},
		{"default stream of a closed device", gone.DefaultStream(), orphanEvent},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, call := range calls(c.stream, c.event) {
				if c.stream == gone.DefaultStream() && strings.HasPrefix(call.name, "Close") {
					continue // not permitted in any case
				}
				assert.ErrorIs(t, recovered(call.f), gocuda.ErrInvalidResourceHandle, call.name)
			}
		})
	}
	buf, err := mem.Alloc[int](dev, 1)
	require.NoError(t, err)
	assert.ErrorIs(t, mem.MemsetAsync(closed, buf, 0), gocuda.ErrInvalidResourceHandle, "MemsetAsync on a closed stream")
}

func TestDefaultStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.DefaultStream()
	assert.Same(t, dev.DefaultStream(), s, "a device has one default stream")
	assert.Same(t, dev, s.Device(), "a device has one default stream")
	assert.ErrorIs(t, s.Close(), gocuda.ErrNotPermitted, "Close")
	ran := false
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	require.NoError(t, synchronize(t, s))
	assert.True(t, ran, "the default stream did not survive Close")
	// It waits for no other stream, and none waits for it.
	other := dev.NewStream()
	both := meet(2)
	require.NoError(t, s.LaunchFunc(oneThread, both))
	require.NoError(t, other.LaunchFunc(oneThread, both))
	require.NoError(t, synchronize(t, s))
	require.NoError(t, synchronize(t, other))
}

func TestStreamKnowsItsDevice(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	assert.Same(t, dev, s.Device(), "a stream of another device")
	assert.Same(t, dev.Memory(), s.Memory(), "a stream of another device")
}

func TestForeignAndMissingArguments(t *testing.T) {
	dev, other := openDevice(t), openDevice(t)
	s := dev.NewStream()
	foreign := other.NewEvent()
	require.NoError(t, other.NewStream().Record(foreign))
	buf, err := mem.Alloc[int](other, 4)
	require.NoError(t, err)
	own, err := mem.Alloc[int](dev, 4)
	require.NoError(t, err)
	var noFunc gocuda.ThreadFunc
	var noBlock gocuda.BlockFunc
	var noWarp gocuda.WarpFunc
	for _, c := range []struct {
		call string
		err  error
		want error
	}{
		{"Record of a foreign event", s.Record(foreign), gocuda.ErrInvalidResourceHandle},
		{"Record(nil)", s.Record(nil), gocuda.ErrInvalidResourceHandle},
		{"Wait(nil)", s.Wait(nil), gocuda.ErrInvalidResourceHandle},
		{"AddCallback(nil)", s.AddCallback(nil), gocuda.ErrInvalidValue},
		{"Enqueue(nil)", s.Enqueue(nil), gocuda.ErrInvalidValue},
		{"Launch(nil)", s.Launch(oneThread, nil), gocuda.ErrInvalidDeviceFunction},
		{"LaunchFunc(nil)", s.LaunchFunc(oneThread, nil), gocuda.ErrInvalidDeviceFunction},
		{"Launch of a nil ThreadFunc", s.Launch(oneThread, noFunc), gocuda.ErrInvalidDeviceFunction},
		{"Launch of a nil WarpFunc", s.Launch(oneThread, noWarp), gocuda.ErrInvalidDeviceFunction},
		{"Launch of a nil BlockFunc", s.Launch(oneThread, noBlock), gocuda.ErrInvalidDeviceFunction},
		{"LaunchContext(nil kernel)", s.LaunchContext(context.Background(), oneThread, nil), gocuda.ErrInvalidDeviceFunction},
		{"Device.Launch(nil)", dev.Launch(context.Background(), oneThread, nil), gocuda.ErrInvalidDeviceFunction},
		{"Device.LaunchFunc(nil)", dev.LaunchFunc(context.Background(), oneThread, nil), gocuda.ErrInvalidDeviceFunction},
		{"copy to a foreign buffer", mem.CopyToDeviceAsync(s, buf, []int{1}), mem.ErrForeign},
		{"copy that is too long", mem.CopyToDeviceAsync(s, own, make([]int, 5)), mem.ErrInvalidValue},
		{"copy from nil", mem.CopyToHostAsync(s, make([]int, 5), (*mem.Buffer[int])(nil)), mem.ErrInvalidValue},
	} {
		assert.ErrorIs(t, c.err, c.want, c.call)
	}
	require.NoError(t, synchronize(t, s)) // none of this became the stream's error
}

func TestMissingContext(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	e := dev.NewEvent()
	release := hold(t, s) // so that there is something to wait for
	require.NoError(t, s.Record(e))
	var none context.Context
	nop := func(*gocuda.Thread) {}
	for _, call := range []call{
		{"Launch", func() error { return dev.Launch(none, oneThread, gocuda.ThreadFunc(nop)) }},
		{"LaunchFunc", func() error { return dev.LaunchFunc(none, oneThread, nop) }},
		{"Stream.LaunchContext", func() error { return s.LaunchContext(none, oneThread, gocuda.ThreadFunc(nop)) }},
		{"Stream.Synchronize", func() error { return s.Synchronize(none) }},
		{"Device.Synchronize", func() error { return dev.Synchronize(none) }},
		{"Event.Synchronize", func() error { return e.Synchronize(none) }},
	} {
		assert.ErrorIs(t, recovered(call.f), gocuda.ErrInvalidValue, call.name)
	}
	release()
	require.NoError(t, synchronize(t, s)) // it was said at once and did not become the stream's error
}

func TestDeviceCloseEndsItsStreams(t *testing.T) {
	dev, err := gocuda.NewDevice()
	require.NoError(t, err)
	s1, s2 := dev.NewStream(), dev.NewStream()
	release := hold(t, s1)
	ran := 0
	e := dev.NewEvent()
	require.NoError(t, s1.AddCallback(func() { ran++ }))
	require.NoError(t, s1.Record(e))
	require.NoError(t, s2.Wait(e))
	require.NoError(t, s2.AddCallback(func() { ran++ }))
	closed := make(chan error, 1)
	go func() { closed <- dev.Close() }()
	select {
	case err := <-closed:
		t.Fatalf("Close did not wait: %v", err)
	default:
	}
	release()
	finishes(t, "Device.Close", func() {
		assert.NoError(t, <-closed)
	})
	assert.Equal(t, 2, ran, "callbacks that Close waited for")
}
