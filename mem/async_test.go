package mem_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func TestAsyncRunsInTheStreamsTime(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	a, b := filled(t, dev, 1, 1, 1), filled(t, dev, 2, 2, 2)
	host := []int{7, 8}
	back := make([]int, 4)

	require.NoError(t, mem.CopyToDeviceAsync(s, a, host))
	require.NoError(t, mem.CopyAsync(s, b, a))
	require.NoError(t, mem.MemsetAsync(s, part(t, b, 1, 2), 0xff))
	require.NoError(t, mem.CopyToHostAsync(s, back, b))
	slicetest.Equal(t, []int{1, 1, 1}, a.Data(), "something ran at once")
	slicetest.Equal(t, []int{2, 2, 2}, b.Data(), "something ran at once")
	require.Zero(t, back[0], "something ran at once")

	s.run(t)
	slicetest.Equal(t, []int{7, 8, 1}, a.Data(), "CopyToDeviceAsync")
	slicetest.Equal(t, []int{7, -1, 1}, b.Data(), "CopyAsync and MemsetAsync")
	slicetest.Equal(t, []int{7, -1, 1, 0}, back, "CopyToHostAsync")
}

// A source that an earlier entry of the queue writes has its contents only when its turn comes.
func TestAsyncReadsItsSourceWhenItRuns(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	a := filled(t, dev, 1, 2)
	back := make([]int, 2)
	require.NoError(t, mem.CopyToHostAsync(s, back, a))
	a.Data()[0] = 5 // a kernel that runs before the copy
	s.run(t)
	slicetest.Equal(t, []int{5, 2}, back)
}

func TestAsyncReportsWrongArgumentsAtOnce(t *testing.T) {
	dev, elsewhere := newDevice(1<<10), newDevice(1<<10)
	here, there := &stream{device: dev}, &stream{device: elsewhere}
	a, b, short := filled(t, dev, 1, 2), filled(t, dev, 3, 4), filled(t, dev, 5)
	foreign := filled(t, elsewhere, 6, 7)
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"CopyToDeviceAsync, too short", mem.CopyToDeviceAsync(here, a, make([]int, 3)), mem.ErrInvalidValue},
		{"CopyToHostAsync, too short", mem.CopyToHostAsync(here, make([]int, 1), a), mem.ErrInvalidValue},
		{"CopyAsync, too short", mem.CopyAsync(here, short, a), mem.ErrInvalidValue},
		{"CopyAsync, overlap", mem.CopyAsync(here, a, a), mem.ErrOverlap},
		{"CopyAsync, from another device", mem.CopyAsync(here, a, foreign), mem.ErrForeign},
		{"CopyAsync, to another device", mem.CopyAsync(here, foreign, a), mem.ErrForeign},
		{"CopyAsync, another device's stream", mem.CopyAsync(there, a, b), mem.ErrForeign},
		{"CopyToDeviceAsync, another device's stream", mem.CopyToDeviceAsync(there, a, []int{1}), mem.ErrForeign},
		{"CopyToHostAsync, another device's stream", mem.CopyToHostAsync(there, make([]int, 2), a), mem.ErrForeign},
		{"MemsetAsync, another device's stream", mem.MemsetAsync(there, a, 0), mem.ErrForeign},
	} {
		assert.ErrorIs(t, c.err, c.want, c.name)
	}
	assert.Zero(t, len(here.queue)+len(there.queue), "queued copies")
}

// A closed stream takes nothing more; whoever copies on it has to know.
func TestAsyncReturnsTheStreamsError(t *testing.T) {
	closed := errors.New("stream is closed")
	dev := newDevice(1 << 10)
	s := &stream{device: dev, refuse: closed}
	a, b := filled(t, dev, 1, 2), filled(t, dev, 3, 4)
	assert.ErrorIs(t, mem.CopyToDeviceAsync(s, a, []int{7, 7}), closed, "CopyToDeviceAsync")
	assert.ErrorIs(t, mem.CopyToHostAsync(s, make([]int, 2), a), closed, "CopyToHostAsync")
	assert.ErrorIs(t, mem.CopyAsync(s, a, b), closed, "CopyAsync")
	assert.ErrorIs(t, mem.MemsetAsync(s, a, 0), closed, "MemsetAsync")
	slicetest.Equal(t, []int{1, 2}, a.Data(), "refused work was done")
}

// Free doesn't wait for streams, and what they have queued still takes place.
func TestBufferFreedBetweenEnqueueAndRun(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	a, b, c := filled(t, dev, 1, 2), filled(t, dev, 3, 4), filled(t, dev, 0, 0)
	back, part1 := make([]int, 2), make([]int, 1)

	require.NoError(t, mem.CopyToHostAsync(s, back, a))
	require.NoError(t, mem.CopyToHostAsync(s, part1, part(t, a, 1, 2)))
	require.NoError(t, mem.CopyAsync(s, c, b))
	require.NoError(t, a.Free())
	require.NoError(t, b.Free())
	s.run(t)
	slicetest.Equal(t, []int{1, 2}, back, "copied to the host")
	assert.Equal(t, 2, part1[0], "copied to the host")
	slicetest.Equal(t, []int{3, 4}, c.Data(), "copied")
	require.NoError(t, c.Free())
	assert.Zero(t, used(dev), "bytes in use")
}

// What is queued for a freed buffer must not reach the buffer that has its memory now.
func TestQueuedWritesStayOutOfLaterBuffers(t *testing.T) {
	const n = 64
	dev := newDevice(n * 8) // room for one buffer
	s := &stream{device: dev}
	old := alloc[int64](t, dev, n)
	require.NoError(t, mem.MemsetAsync(s, old, 0xee))
	require.NoError(t, mem.CopyToDeviceAsync(s, old, slices.Repeat([]int64{5}, n)))
	require.NoError(t, old.Free())

	now := filled(t, dev, slices.Repeat([]int64{9}, n)...)
	s.run(t)
	slicetest.Each(t, func(int) int64 { return 9 }, now.Data())
}

func TestAsyncZeroLength(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	a, none := filled(t, dev, 1, 2), alloc[int](t, dev, 0)
	require.NoError(t, mem.CopyToDeviceAsync(s, a, nil))
	require.NoError(t, mem.CopyToHostAsync(s, nil, none))
	require.NoError(t, mem.CopyAsync(s, a, none))
	require.NoError(t, mem.CopyAsync(s, none, none))
	require.NoError(t, mem.MemsetAsync(s, none, 3))
	s.run(t)
	slicetest.Equal(t, []int{1, 2}, a.Data())
}
