package gocuda_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
)

func TestLegacyStreamWaitsForOthers(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	a, b := dev.NewStream(), dev.NewStreamWithPriority(-1)
	releaseA, releaseB := hold(t, a), hold(t, b)
	x, y, sum := 0, 0, 0
	require.NoError(t, a.LaunchFunc(oneThread, func(*gocuda.Thread) { x = 1 }))
	require.NoError(t, b.AddCallback(func() { y = 2 }))
	null := dev.DefaultStream()
	require.NoError(t, null.LaunchFunc(oneThread, func(*gocuda.Thread) { sum = x + y }))
	releaseA()
	done, err := null.Query()
	require.NoError(t, err)
	assert.False(t, done, "a stream that was busy holds up the default stream")
	releaseB()
	require.NoError(t, synchronize(t, null))
	assert.Equal(t, 3, sum)
}

func TestLegacyStreamHoldsUpOthers(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	null := dev.DefaultStream()
	release := hold(t, null)
	x, y := 0, 0
	require.NoError(t, null.AddCallback(func() { x = 1 }))
	s := dev.NewStream()
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { y = x + 1 }))
	done, err := s.Query()
	require.NoError(t, err)
	assert.False(t, done)
	release()
	require.NoError(t, synchronize(t, s))
	assert.Equal(t, 2, y)
}

// Where nothing is queued on it, the default stream is no bond between the others.
func TestLegacyStreamLeavesOthersApart(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	a, b := dev.NewStream(), dev.NewStream()
	release := hold(t, a)
	ran := false
	require.NoError(t, b.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	require.NoError(t, synchronize(t, b))
	assert.True(t, ran)
	release()
}

func TestNonBlockingStreams(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	free, err := dev.NewStreamWithFlagsAndPriority(gocuda.StreamNonBlocking, -2)
	require.NoError(t, err)
	assert.Equal(t, gocuda.StreamNonBlocking, free.Flags())
	assert.Equal(t, -2, free.Priority())
	null := dev.DefaultStream()

	release := hold(t, free)
	ran := 0
	require.NoError(t, null.LaunchFunc(oneThread, func(*gocuda.Thread) { ran++ }))
	require.NoError(t, synchronize(t, null), "the default stream does not wait for it")
	release()
	require.NoError(t, synchronize(t, free))

	release = hold(t, null)
	require.NoError(t, free.LaunchFunc(oneThread, func(*gocuda.Thread) { ran++ }))
	require.NoError(t, synchronize(t, free), "it does not wait for the default stream")
	release()
	assert.Equal(t, 2, ran)

	_, err = dev.NewStreamWithFlags(2)
	require.ErrorIs(t, err, gocuda.ErrInvalidValue)
	s, err := dev.NewStreamWithFlags(gocuda.StreamDefault)
	require.NoError(t, err)
	assert.Equal(t, gocuda.StreamDefault, s.Flags())
	_, err = (*gocuda.Device)(nil).NewStreamWithFlags(gocuda.StreamDefault)
	require.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle)
}

// To wait for the default stream is to wait for what its next work would wait for.
func TestLegacyStreamSynchronizesWithOthers(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	s, null := dev.NewStream(), dev.DefaultStream()
	release := hold(t, s)
	x := 0
	require.NoError(t, s.AddCallback(func() { x = 1 }))
	done, err := null.Query()
	require.NoError(t, err)
	assert.False(t, done)
	release()
	require.NoError(t, synchronize(t, null))
	assert.Equal(t, 1, x)
	done, err = null.Query()
	require.NoError(t, err)
	assert.True(t, done)
}

// An event in the default stream is a mark behind all streams: the timing of 6.2.3.
func TestLegacyStreamEvents(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	a, b := dev.NewStream(), dev.NewStream()
	release := hold(t, a)
	e := dev.NewEvent()
	require.NoError(t, dev.DefaultStream().Record(e))
	ran := false
	require.NoError(t, b.AddCallback(func() { ran = true }))
	happened, err := e.Query()
	require.NoError(t, err)
	assert.False(t, happened)
	release()
	require.NoError(t, e.Synchronize(t.Context()))
	require.NoError(t, synchronize(t, b))
	assert.True(t, ran)
}

func TestLegacyStreamFailures(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	a, b, null := dev.NewStream(), dev.NewStream(), dev.DefaultStream()
	cause := errors.New("a disk is full")
	fails := func() error { return cause }
	reset := func() {
		for _, s := range []*gocuda.Stream{a, null, b} {
			_ = s.Reset()
		}
	}

	require.NoError(t, a.Enqueue(fails))
	ran := false
	_ = null.AddCallback(func() { ran = true })
	require.ErrorIs(t, synchronize(t, null), cause)
	assert.False(t, ran, "what it waited for never happened")
	reset()
	require.NoError(t, null.AddCallback(func() { ran = true }))
	require.NoError(t, synchronize(t, null))
	assert.True(t, ran)

	require.NoError(t, null.Enqueue(fails))
	_ = b.AddCallback(func() { ran = false })
	require.ErrorIs(t, synchronize(t, b), cause)
	assert.True(t, ran)
	reset()
	require.NoError(t, synchronize(t, b))

	// A stream that is closed has told its error, and is gone.
	require.NoError(t, a.Enqueue(fails))
	require.ErrorIs(t, a.Close(), cause)
	require.NoError(t, null.AddCallback(func() { ran = false }))
	require.NoError(t, synchronize(t, null))
	assert.False(t, ran)
}

func TestLegacyStreamAndCaptures(t *testing.T) {
	dev := openDevice(t, gocuda.WithLegacyStream(true))
	null := dev.DefaultStream()
	require.ErrorIs(t, null.BeginCapture(gocuda.CaptureModeGlobal), gocuda.ErrStreamCaptureUnsupported)
	s := dev.NewStream()
	require.NoError(t, s.BeginCapture(gocuda.CaptureModeRelaxed))
	require.ErrorIs(t, null.AddCallback(func() {}), gocuda.ErrStreamCaptureImplicit)
	_, err := s.EndCapture()
	require.ErrorIs(t, err, gocuda.ErrStreamCaptureInvalidated)
	require.ErrorIs(t, err, gocuda.ErrStreamCaptureImplicit)

	free, err := dev.NewStreamWithFlags(gocuda.StreamNonBlocking)
	require.NoError(t, err)
	require.NoError(t, free.BeginCapture(gocuda.CaptureModeGlobal))
	require.NoError(t, null.AddCallback(func() {}))
	require.NoError(t, synchronize(t, null))
	_, err = free.EndCapture()
	require.NoError(t, err)
}

// Random work on several streams: each piece notes when it begins and ends, and the rule is asked
// of all pairs.
func TestLegacyStreamOrder(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 8))
		dev := openDevice(t, gocuda.WithLegacyStream(true))
		streams := []*gocuda.Stream{dev.DefaultStream()}
		for i := range 4 {
			flags := gocuda.StreamDefault
			if i == 3 {
				flags = gocuda.StreamNonBlocking
			}
			s, err := dev.NewStreamWithFlags(flags)
			require.NoError(t, err)
			streams = append(streams, s)
		}
		type piece struct{ stream, begin, end int }
		var mu sync.Mutex
		clock := 0
		tick := func(at *int) {
			mu.Lock()
			defer mu.Unlock()
			clock++
			*at = clock
		}
		pieces := make([]piece, 60)
		for i := range pieces {
			p := &pieces[i]
			if p.stream = r.IntN(len(streams)); r.IntN(3) == 0 {
				p.stream = 0
			}
			s := streams[p.stream]
			if p.stream == 0 && r.IntN(3) == 0 {
				require.NoError(t, dev.LaunchFunc(t.Context(), oneThread, func(*gocuda.Thread) { tick(&p.begin); tick(&p.end) }))
			} else if r.IntN(2) == 0 {
				require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) { tick(&p.begin); tick(&p.end) }))
			} else {
				require.NoError(t, s.AddCallback(func() { tick(&p.begin); tick(&p.end) }))
			}
		}
		require.NoError(t, dev.Synchronize(t.Context()))
		for i, p := range pieces {
			require.NotZero(t, p.end)
			for _, q := range pieces[i+1:] {
				if p.stream == q.stream || p.stream == 0 && q.stream != 4 || q.stream == 0 && p.stream != 4 {
					require.Less(t, p.end, q.begin, fmt.Sprintf("seed %d: a piece of stream %d and a later one of stream %d", seed, p.stream, q.stream))
				}
			}
		}
	}
}

// Without the option the default stream waits for nobody.
func TestDefaultStreamIsNoLegacyStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	release := hold(t, s)
	ran := false
	require.NoError(t, dev.DefaultStream().AddCallback(func() { ran = true }))
	require.NoError(t, synchronize(t, dev.DefaultStream()))
	assert.True(t, ran)
	release()
}
