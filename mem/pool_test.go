package mem_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func newPool(t *testing.T, dev mem.Device, props mem.PoolProps) *mem.Pool {
	t.Helper()
	p, err := mem.NewPool(dev, props)
	require.NoError(t, err)
	return p
}

func allocOn[T any](t *testing.T, s mem.Stream, p *mem.Pool, n int) *mem.Buffer[T] {
	t.Helper()
	b, err := mem.AllocFromPoolAsync[T](s, p, n)
	require.NoError(t, err)
	return b
}

// keeping makes a pool that gives nothing back by itself.
func keeping(t *testing.T, dev mem.Device) *mem.Pool {
	t.Helper()
	p := newPool(t, dev, mem.PoolProps{})
	require.NoError(t, p.SetReleaseThreshold(math.MaxInt64))
	return p
}

func wantStats(t *testing.T, what string, p *mem.Pool, want mem.PoolStats) {
	t.Helper()
	assert.Equal(t, want, p.Stats(), what)
}

func at[T any](b *mem.Buffer[T]) unsafe.Pointer { return unsafe.Pointer(&b.Data()[0]) }

// Memory is there from the allocation in the order of the stream to the free, and not for others.
func TestStreamOrder(t *testing.T) {
	dev := newDevice(1 << 20)
	s, other := &stream{device: dev}, &stream{device: dev}
	b, err := mem.AllocAsync[int32](s, 4)
	require.NoError(t, err)
	host := make([]int32, 4)
	assert.ErrorIs(t, mem.CopyToHost(host, b), mem.ErrNotReady, "CopyToHost before")
	assert.ErrorIs(t, mem.CopyToDevice(b, host), mem.ErrNotReady, "CopyToDevice before")
	assert.ErrorIs(t, mem.Memset(part(t, b, 1, 2), 0), mem.ErrNotReady, "Memset of a part before")
	assert.ErrorIs(t, mem.CopyDefault(host, b.Data()), mem.ErrNotReady, "CopyDefault before")
	assert.ErrorIs(t, mem.Copy2D(mem.HostRows(host, 2, 2), b.Rows(2, 2), 2, 2), mem.ErrNotReady, "Copy2D before")
	assert.ErrorIs(t, mem.Memset2D(b.Rows(2, 2), 0, 2, 2), mem.ErrNotReady, "Memset2D before")
	assert.ErrorIs(t, mem.CopyPeer(b, filled(t, dev, int32(1))), mem.ErrNotReady, "CopyPeer before")
	require.NoError(t, mem.MemsetAsync(s, b, 0xff))

	// What another stream does without waiting fails when it is done.
	require.NoError(t, mem.CopyToHostAsync(other, host, b))
	assert.ErrorIs(t, other.queue[0](), mem.ErrNotReady, "another stream, early")
	s.run(t)
	require.NoError(t, mem.CopyToHost(host, b))
	slicetest.Equal(t, []int32{-1, -1, -1, -1}, host)
	require.NoError(t, other.queue[0]())

	require.NoError(t, mem.CopyToHostAsync(s, host, b)) // before the free
	late := part(t, b, 0, 1)
	require.NoError(t, mem.FreeAsync(s, b))
	for what, err := range map[string]error{
		"CopyToHostAsync": mem.CopyToHostAsync(s, host, b),
		"MemsetAsync":     mem.MemsetAsync(other, late, 0),
		"FreeAsync":       mem.FreeAsync(s, b),
		"Free":            b.Free(),
	} {
		assert.ErrorIs(t, err, mem.ErrFreed, what+" after")
	}
	assert.Nil(t, b.Data(), "freed, with data")
	assert.Nil(t, late.Data(), "freed, with data")
	s.run(t)
	assert.ErrorIs(t, other.queue[0](), mem.ErrFreed, "another stream, late")
}

// A stream gets back what it has freed at once, another only when the free has taken place.
func TestReuse(t *testing.T) {
	dev := newDevice(1 << 20)
	p := keeping(t, dev)
	s, other := &stream{device: dev}, &stream{device: dev}
	a := allocOn[byte](t, s, p, 1000)
	first := at(a)
	require.NoError(t, mem.FreeAsync(s, a))
	b := allocOn[byte](t, s, p, 900)
	assert.Equal(t, first, at(b), "the same stream did not get its memory back")
	require.NoError(t, mem.FreeAsync(s, b))
	c := allocOn[byte](t, other, p, 1000)
	assert.NotEqual(t, first, at(c), "another stream got memory that is still in use")
	s.run(t)
	d := allocOn[byte](t, other, p, 1000)
	assert.Equal(t, first, at(d), "another stream did not get memory that was free")
	require.NoError(t, mem.FreeAsync(other, d))
	other.run(t)
	require.NoError(t, p.SetReuseAllowOpportunistic(false))
	assert.NotEqual(t, first, at(allocOn[byte](t, s, p, 1000)), "another stream's memory, without leave")
	assert.NotEqual(t, first, at(allocOn[byte](t, other, p, 100)), "100 bytes got a piece of 1000")
	// 1024 bytes are what 1000 take, in units of Align.
	assert.Equal(t, first, at(allocOn[byte](t, other, p, 1024)), "all of the piece was not used")
}

func TestPoolStats(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	p := newPool(t, dev, mem.PoolProps{})
	a, b := allocOn[byte](t, s, p, 1024), allocOn[byte](t, s, p, 2048)
	wantStats(t, "two", p, mem.PoolStats{Reserved: 3072, ReservedHigh: 3072, Used: 3072, UsedHigh: 3072})
	require.NoError(t, mem.FreeAsync(s, a))
	wantStats(t, "one freed", p, mem.PoolStats{Reserved: 3072, ReservedHigh: 3072, Used: 2048, UsedHigh: 3072})
	require.NoError(t, p.Trim(0))
	wantStats(t, "the free has not taken place", p, mem.PoolStats{Reserved: 3072, ReservedHigh: 3072, Used: 2048, UsedHigh: 3072})
	s.run(t)
	require.NoError(t, p.Trim(3072))
	wantStats(t, "trimmed to what it has", p, mem.PoolStats{Reserved: 3072, ReservedHigh: 3072, Used: 2048, UsedHigh: 3072})
	assert.Equal(t, int64(3072), used(dev), "bytes of the device")
	require.NoError(t, p.Trim(3071))
	wantStats(t, "trimmed", p, mem.PoolStats{Reserved: 2048, ReservedHigh: 3072, Used: 2048, UsedHigh: 3072})
	p.ResetHigh()
	wantStats(t, "reset", p, mem.PoolStats{Reserved: 2048, ReservedHigh: 2048, Used: 2048, UsedHigh: 2048})
	assert.Equal(t, int64(2048), used(dev), "bytes of the device")
	require.NoError(t, b.Free()) // cudaFree
	wantStats(t, "freed at once", p, mem.PoolStats{ReservedHigh: 2048, UsedHigh: 2048})
	assert.ErrorIs(t, mem.FreeAsync(s, b), mem.ErrFreed, "FreeAsync")
	assert.Zero(t, used(dev), "bytes of the device")
}

// The host synchronizes, and pools give back what is over their threshold.
func TestReleaseThreshold(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	p := newPool(t, dev, mem.PoolProps{})
	fill := func() {
		var all []*mem.Buffer[byte]
		for range 4 {
			all = append(all, allocOn[byte](t, s, p, 1024))
		}
		for _, b := range all {
			require.NoError(t, mem.FreeAsync(s, b))
		}
		s.run(t)
	}
	for _, c := range []struct{ threshold, want int64 }{{0, 0}, {1, 0}, {1024, 1024}, {2500, 2048}, {4096, 4096}, {math.MaxInt64, 4096}} {
		require.NoError(t, p.SetReleaseThreshold(c.threshold))
		fill()
		assert.Equal(t, int64(4096), p.Stats().Reserved, "threshold %d: before", c.threshold)
		dev.space.Synchronized()
		assert.Equal(t, c.want, p.Stats().Reserved, "threshold %d: what is kept", c.threshold)
		assert.Equal(t, c.threshold, p.ReleaseThreshold())
	}
}

// What a pool keeps is the device's when it is needed.
func TestDeviceTakesBackWhatPoolsKeep(t *testing.T) {
	dev := newDevice(4096)
	s := &stream{device: dev}
	p := keeping(t, dev)
	require.NoError(t, mem.FreeAsync(s, allocOn[byte](t, s, p, 3000)))
	_, err := mem.Alloc[byte](dev, 4096)
	assert.ErrorIs(t, err, mem.ErrOutOfMemory, "before the free")
	s.run(t)
	all := alloc[byte](t, dev, 4096)
	wantStats(t, "robbed", p, mem.PoolStats{ReservedHigh: 3072, UsedHigh: 3072})
	_, err = mem.AllocFromPoolAsync[byte](s, p, 1)
	assert.ErrorIs(t, err, mem.ErrOutOfMemory, "full")
	wantStats(t, "nothing was got", p, mem.PoolStats{ReservedHigh: 3072, UsedHigh: 3072})
	require.NoError(t, all.Free())
}

func TestPoolMaxSize(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	p := newPool(t, dev, mem.PoolProps{MaxSize: 2048})
	a := allocOn[byte](t, s, p, 1024)
	_, err := mem.AllocFromPoolAsync[byte](s, p, 1025)
	assert.ErrorIs(t, err, mem.ErrOutOfMemory, "over the pool's size")
	require.NoError(t, mem.FreeAsync(s, a))
	s.run(t)
	b := allocOn[byte](t, s, p, 2048) // in place of a
	require.NoError(t, mem.FreeAsync(s, b))
	_, err = mem.NewPool(dev, mem.PoolProps{MaxSize: -1})
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "negative")
}

func TestPoolsOfADevice(t *testing.T) {
	dev, other := newDevice(1<<20), newDevice(1<<20)
	s := &stream{device: dev}
	def, err := mem.DefaultPool(dev)
	require.NoError(t, err)
	cur, err := mem.CurrentPool(dev)
	assert.Same(t, def, cur, "the current pool is not the default one")
	assert.NoError(t, err)
	p, foreign := newPool(t, dev, mem.PoolProps{}), newPool(t, other, mem.PoolProps{})
	assert.ErrorIs(t, mem.SetCurrentPool(dev, foreign), mem.ErrForeign, "another device's")
	assert.ErrorIs(t, mem.SetCurrentPool(dev, nil), mem.ErrInvalidValue, "nil")
	assert.ErrorIs(t, mem.SetCurrentPool(nil, p), mem.ErrInvalidValue, "no device")
	require.NoError(t, mem.SetCurrentPool(dev, p))
	b, err := mem.AllocAsync[byte](s, 128)
	require.NoError(t, err)
	wantStats(t, "current", p, mem.PoolStats{Reserved: 128, ReservedHigh: 128, Used: 128, UsedHigh: 128})
	wantStats(t, "default", def, mem.PoolStats{})

	_, err = mem.AllocFromPoolAsync[byte](s, foreign, 1)
	assert.ErrorIs(t, err, mem.ErrForeign, "another device's pool")
	require.NoError(t, mem.EnablePeerAccess(dev, other))
	require.NoError(t, mem.FreeAsync(s, allocOn[byte](t, s, foreign, 1)))

	assert.ErrorIs(t, def.Close(), mem.ErrInvalidValue, "close the default")
	require.NoError(t, p.Close())
	assert.ErrorIs(t, p.Close(), mem.ErrInvalidValue, "close again")
	assert.ErrorIs(t, mem.SetCurrentPool(dev, p), mem.ErrInvalidValue, "set a closed one")
	_, err = mem.AllocFromPoolAsync[byte](s, p, 1)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "allocate from a closed one")
	cur, _ = mem.CurrentPool(dev)
	assert.Same(t, def, cur, "a closed pool is current")
	// What is allocated stays, and goes when its free has taken place.
	require.NoError(t, mem.MemsetAsync(s, b, 1))
	require.NoError(t, mem.FreeAsync(s, b))
	assert.Equal(t, int64(128), used(dev), "bytes before the free")
	s.run(t)
	assert.Zero(t, used(dev), "bytes after it")
	dev.space.Close()
	_, err = mem.NewPool(dev, mem.PoolProps{})
	assert.ErrorIs(t, err, mem.ErrClosed, "closed device")
	_, err = mem.AllocAsync[int](s, 1)
	assert.ErrorIs(t, err, mem.ErrClosed, "closed device")
}

func TestPoolMisuse(t *testing.T) {
	dev, other := newDevice(1<<20), newDevice(1<<20)
	s := &stream{device: dev}
	var zero mem.Pool
	for _, p := range []*mem.Pool{nil, &zero} {
		_, err := mem.AllocFromPoolAsync[int](s, p, 1)
		for what, err := range map[string]error{
			"AllocFromPoolAsync": err, "Close": p.Close(), "Trim": p.Trim(0),
			"SetReleaseThreshold": p.SetReleaseThreshold(1), "SetReuseAllowOpportunistic": p.SetReuseAllowOpportunistic(true),
		} {
			assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
		}
		p.ResetHigh()
		assert.Equal(t, mem.PoolStats{}, p.Stats(), "no pool has something")
		assert.Zero(t, p.ReleaseThreshold(), "no pool has something")
	}
	p := newPool(t, dev, mem.PoolProps{})
	b := allocOn[int](t, s, p, 4)
	first := func(_ any, err error) error { return err }
	for what, err := range map[string]error{
		"negative":             first(mem.AllocAsync[int](s, -1)),
		"without end":          first(mem.AllocAsync[int](s, math.MaxInt)),
		"strings":              first(mem.AllocAsync[string](s, 1)),
		"no stream":            first(mem.AllocAsync[int](nil, 1)),
		"no stream, from pool": first(mem.AllocFromPoolAsync[int](nil, p, 1)),
		"no device":            first(mem.NewPool(nil, mem.PoolProps{})),
		"no device's default":  first(mem.DefaultPool(nil)),
		"no device's current":  first(mem.CurrentPool(mem.CPU)),
		"trim":                 p.Trim(-1),
		"threshold":            p.SetReleaseThreshold(-1),
		"free nothing":         mem.FreeAsync[int](s, nil),
		"free on nothing":      mem.FreeAsync(nil, b),
		"free a part":          mem.FreeAsync(s, part(t, b, 0, 4)),
		"free from no pool":    mem.FreeAsync(s, alloc[int](t, dev, 1)),
		"free managed memory":  mem.FreeAsync(s, allocManaged[int](t, dev, 1)),
	} {
		assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
	}
	assert.ErrorIs(t, mem.FreeAsync(&stream{device: other}, b), mem.ErrForeign, "free on another device")

	// A stream that refuses has done nothing.
	closed := errors.New("stream is closed")
	no := &stream{device: dev, refuse: closed}
	before := p.Stats()
	_, err := mem.AllocFromPoolAsync[int](no, p, 1000)
	assert.ErrorIs(t, err, closed, "AllocFromPoolAsync")
	assert.ErrorIs(t, mem.FreeAsync(no, b), closed, "FreeAsync")
	require.NoError(t, p.Trim(0))
	got := p.Stats()
	assert.Equal(t, before.Used, got.Used)
	assert.Equal(t, before.Reserved, got.Reserved)
	require.NoError(t, mem.FreeAsync(s, b)) // it can still be freed

	// Freed by a stream that comes first, it was never there.
	early := &stream{device: dev}
	c := allocOn[int](t, s, p, 4)
	require.NoError(t, mem.FreeAsync(early, c))
	assert.ErrorIs(t, early.queue[0](), mem.ErrNotReady, "free before the allocation")

	none := allocOn[int](t, s, p, 0)
	s.run(t)
	require.NoError(t, mem.CopyToDevice(none, nil))
	require.NoError(t, mem.FreeAsync(s, none))
	s.run(t)
}

// The poison of checked mode comes in the order of the stream: what used the memory before still
// finds its own there.
func TestPoolPoison(t *testing.T) {
	dev := &device{mem.NewSpace(1<<20, true)}
	s := &stream{device: dev}
	p := keeping(t, dev)
	back := make([]int32, 4)
	a := allocOn[int32](t, s, p, 4)
	require.NoError(t, mem.CopyToDeviceAsync(s, a, []int32{1, 2, 3, 4}))
	require.NoError(t, mem.CopyToHostAsync(s, back, a))
	first := at(a)
	require.NoError(t, mem.FreeAsync(s, a))
	b := allocOn[int32](t, s, p, 4)
	require.Equal(t, first, at(b), "not the same memory")
	s.run(t)
	slicetest.Equal(t, []int32{1, 2, 3, 4}, back, "before")
	slicetest.Equal(t, []int32{-1, -1, -1, -1}, b.Data(), "then")
}

// A free that a failed stream drops gives its memory to others in the end.
func TestDroppedFree(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	p := keeping(t, dev)
	b := allocOn[byte](t, s, p, 1000)
	require.NoError(t, mem.FreeAsync(s, b))
	s.queue = nil // the stream has failed
	for range 100 {
		runtime.GC()
		require.NoError(t, p.Trim(0))
		if p.Stats().Reserved == 0 {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%+v", p.Stats())
}

// Goroutines with a stream each share a pool.
func TestConcurrentPool(t *testing.T) {
	dev := newDevice(1 << 20)
	p := newPool(t, dev, mem.PoolProps{})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			s := &stream{device: dev}
			for k := range 300 {
				b, err := mem.AllocFromPoolAsync[int32](s, p, 1+(g*31+k*17)%200)
				if !assert.NoError(t, err) {
					return
				}
				x, id := b.Data(), int32(g*1000+k)
				s.queue = append(s.queue, func() error { x[0], x[len(x)-1] = id, id; return nil }, func() error {
					assert.Equal(t, id, x[0])
					assert.Equal(t, id, x[len(x)-1])
					return nil
				})
				assert.NoError(t, mem.FreeAsync(s, b))
				if k%3 == 0 {
					s.run(t)
					dev.space.Synchronized()
				}
			}
			s.run(t)
		})
	}
	wg.Wait()
	require.NoError(t, p.Trim(0))
	st := p.Stats()
	assert.Zero(t, st.Used)
	assert.Zero(t, st.Reserved)
	assert.Zero(t, used(dev), "bytes of the device")
}

// Streams that run in any order never share memory. Each allocation is filled, found as it was
// filled, and freed.
func TestReuseIsSafe(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 2))
		dev := newDevice(1 << 16)
		p := keeping(t, dev)
		if seed%3 == 1 {
			require.NoError(t, p.SetReleaseThreshold(4096))
		}
		streams := [3]*stream{{device: dev}, {device: dev}, {device: dev}}
		reused, places := 0, map[unsafe.Pointer]bool{}
		for id := range int32(400) {
			s := streams[r.IntN(3)]
			n := 1 + r.IntN(600)
			b, err := mem.AllocFromPoolAsync[int32](s, p, n)
			if errors.Is(err, mem.ErrOutOfMemory) {
				for _, s := range streams {
					s.run(t)
				}
				dev.space.Synchronized()
				continue
			}
			require.NoError(t, err)
			if places[at(b)] {
				reused++
			}
			places[at(b)] = true
			x := b.Data()
			require.NoError(t, s.Enqueue(func() error {
				for i := range x {
					x[i] = id
				}
				return nil
			}))
			require.NoError(t, s.Enqueue(func() error {
				slicetest.Each(t, func(int) int32 { return id }, x, "seed %d", seed)
				return nil
			}))
			require.NoError(t, mem.FreeAsync(s, b))
			for range r.IntN(6) { // somebody gets on
				if s := streams[r.IntN(3)]; len(s.queue) > 0 {
					require.NoError(t, s.queue[0]())
					s.queue = s.queue[1:]
				}
			}
			st := p.Stats()
			require.LessOrEqual(t, st.Used, st.Reserved, "seed %d", seed)
			require.Equal(t, used(dev), st.Reserved, "seed %d: bytes of the device", seed)
			require.Zero(t, st.Used, "seed %d", seed)
		}
		assert.GreaterOrEqual(t, reused, 50, "seed %d: too few allocations had used memory", seed)
		for _, s := range streams {
			s.run(t)
		}
		require.NoError(t, p.Close())
		assert.Zero(t, used(dev), "seed %d: bytes of the device", seed)
	}
}
