package mem_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/gocuda/gocuda/mem"
)

func TestAsyncRunsInTheStreamsTime(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	a, b := filled(t, dev, 1, 1, 1), filled(t, dev, 2, 2, 2)
	host := []int{7, 8}
	back := make([]int, 4)

	must(t, mem.CopyToDeviceAsync(s, a, host))
	must(t, mem.CopyAsync(s, b, a))
	must(t, mem.MemsetAsync(s, part(t, b, 1, 2), 0xff))
	must(t, mem.CopyToHostAsync(s, back, b))
	if !slices.Equal(a.Data(), []int{1, 1, 1}) || !slices.Equal(b.Data(), []int{2, 2, 2}) || back[0] != 0 {
		t.Fatalf("something ran at once: %v, %v, %v", a.Data(), b.Data(), back)
	}

	s.run(t)
	if want := []int{7, 8, 1}; !slices.Equal(a.Data(), want) {
		t.Errorf("CopyToDeviceAsync: %v, want %v", a.Data(), want)
	}
	if want := []int{7, -1, 1}; !slices.Equal(b.Data(), want) {
		t.Errorf("CopyAsync and MemsetAsync: %v, want %v", b.Data(), want)
	}
	if want := []int{7, -1, 1, 0}; !slices.Equal(back, want) {
		t.Errorf("CopyToHostAsync: %v, want %v", back, want)
	}
}

// A source that an earlier entry of the queue writes has its contents only when its turn comes.
func TestAsyncReadsItsSourceWhenItRuns(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	a := filled(t, dev, 1, 2)
	back := make([]int, 2)
	must(t, mem.CopyToHostAsync(s, back, a))
	a.Data()[0] = 5 // a kernel that runs before the copy
	s.run(t)
	if want := []int{5, 2}; !slices.Equal(back, want) {
		t.Errorf("got %v, want %v", back, want)
	}
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
		wantError(t, c.name, c.err, c.want)
	}
	if n := len(here.queue) + len(there.queue); n != 0 {
		t.Errorf("%d wrong copies were queued", n)
	}
}

// A closed stream takes nothing more; whoever copies on it has to know.
func TestAsyncReturnsTheStreamsError(t *testing.T) {
	closed := errors.New("stream is closed")
	dev := newDevice(1 << 10)
	s := &stream{device: dev, refuse: closed}
	a, b := filled(t, dev, 1, 2), filled(t, dev, 3, 4)
	wantError(t, "CopyToDeviceAsync", mem.CopyToDeviceAsync(s, a, []int{7, 7}), closed)
	wantError(t, "CopyToHostAsync", mem.CopyToHostAsync(s, make([]int, 2), a), closed)
	wantError(t, "CopyAsync", mem.CopyAsync(s, a, b), closed)
	wantError(t, "MemsetAsync", mem.MemsetAsync(s, a, 0), closed)
	if !slices.Equal(a.Data(), []int{1, 2}) {
		t.Errorf("refused work was done: %v", a.Data())
	}
}

// Free doesn't wait for streams, and what they have queued still takes place.
func TestBufferFreedBetweenEnqueueAndRun(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	a, b, c := filled(t, dev, 1, 2), filled(t, dev, 3, 4), filled(t, dev, 0, 0)
	back, part1 := make([]int, 2), make([]int, 1)

	must(t, mem.CopyToHostAsync(s, back, a))
	must(t, mem.CopyToHostAsync(s, part1, part(t, a, 1, 2)))
	must(t, mem.CopyAsync(s, c, b))
	must(t, a.Free())
	must(t, b.Free())
	s.run(t)
	if !slices.Equal(back, []int{1, 2}) || part1[0] != 2 {
		t.Errorf("copied %v and %v to the host, want [1 2] and [2]", back, part1)
	}
	if !slices.Equal(c.Data(), []int{3, 4}) {
		t.Errorf("copied %v, want [3 4]", c.Data())
	}
	must(t, c.Free())
	if used(dev) != 0 {
		t.Errorf("%d bytes in use", used(dev))
	}
}

// What is queued for a freed buffer must not reach the buffer that has its memory now.
func TestQueuedWritesStayOutOfLaterBuffers(t *testing.T) {
	const n = 64
	dev := newDevice(n * 8) // room for one buffer
	s := &stream{device: dev}
	old := alloc[int64](t, dev, n)
	must(t, mem.MemsetAsync(s, old, 0xee))
	must(t, mem.CopyToDeviceAsync(s, old, slices.Repeat([]int64{5}, n)))
	must(t, old.Free())

	now := filled(t, dev, slices.Repeat([]int64{9}, n)...)
	s.run(t)
	for i, v := range now.Data() {
		if v != 9 {
			t.Fatalf("element %d is %#x, want 9", i, v)
		}
	}
}

func TestAsyncZeroLength(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	a, none := filled(t, dev, 1, 2), alloc[int](t, dev, 0)
	must(t, mem.CopyToDeviceAsync(s, a, nil))
	must(t, mem.CopyToHostAsync(s, nil, none))
	must(t, mem.CopyAsync(s, a, none))
	must(t, mem.CopyAsync(s, none, none))
	must(t, mem.MemsetAsync(s, none, 3))
	s.run(t)
	if !slices.Equal(a.Data(), []int{1, 2}) {
		t.Errorf("got %v, want [1 2]", a.Data())
	}
}
