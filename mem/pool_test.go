package mem_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/gocuda/gocuda/mem"
)

func newPool(t *testing.T, dev mem.Device, props mem.PoolProps) *mem.Pool {
	t.Helper()
	p, err := mem.NewPool(dev, props)
	must(t, err)
	return p
}

func allocOn[T any](t *testing.T, s mem.Stream, p *mem.Pool, n int) *mem.Buffer[T] {
	t.Helper()
	b, err := mem.AllocFromPoolAsync[T](s, p, n)
	must(t, err)
	return b
}

// keeping makes a pool that gives nothing back by itself.
func keeping(t *testing.T, dev mem.Device) *mem.Pool {
	t.Helper()
	p := newPool(t, dev, mem.PoolProps{})
	must(t, p.SetReleaseThreshold(math.MaxInt64))
	return p
}

func wantStats(t *testing.T, what string, p *mem.Pool, want mem.PoolStats) {
	t.Helper()
	if got := p.Stats(); got != want {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

func at[T any](b *mem.Buffer[T]) unsafe.Pointer { return unsafe.Pointer(&b.Data()[0]) }

// Memory is there from the allocation in the order of the stream to the free, and not for others.
func TestStreamOrder(t *testing.T) {
	dev := newDevice(1 << 20)
	s, other := &stream{device: dev}, &stream{device: dev}
	b, err := mem.AllocAsync[int32](s, 4)
	must(t, err)
	host := make([]int32, 4)
	wantError(t, "CopyToHost before", mem.CopyToHost(host, b), mem.ErrNotReady)
	wantError(t, "CopyToDevice before", mem.CopyToDevice(b, host), mem.ErrNotReady)
	wantError(t, "Memset of a part before", mem.Memset(part(t, b, 1, 2), 0), mem.ErrNotReady)
	wantError(t, "CopyDefault before", mem.CopyDefault(host, b.Data()), mem.ErrNotReady)
	wantError(t, "Copy2D before", mem.Copy2D(mem.HostRows(host, 2, 2), b.Rows(2, 2), 2, 2), mem.ErrNotReady)
	wantError(t, "Memset2D before", mem.Memset2D(b.Rows(2, 2), 0, 2, 2), mem.ErrNotReady)
	wantError(t, "CopyPeer before", mem.CopyPeer(b, filled(t, dev, int32(1))), mem.ErrNotReady)
	must(t, mem.MemsetAsync(s, b, 0xff))

	// What another stream does without waiting fails when it is done.
	must(t, mem.CopyToHostAsync(other, host, b))
	wantError(t, "another stream, early", other.queue[0](), mem.ErrNotReady)
	s.run(t)
	must(t, mem.CopyToHost(host, b))
	if !slices.Equal(host, []int32{-1, -1, -1, -1}) {
		t.Errorf("got %v", host)
	}
	must(t, other.queue[0]())

	must(t, mem.CopyToHostAsync(s, host, b)) // before the free
	late := part(t, b, 0, 1)
	must(t, mem.FreeAsync(s, b))
	for what, err := range map[string]error{
		"CopyToHostAsync": mem.CopyToHostAsync(s, host, b),
		"MemsetAsync":     mem.MemsetAsync(other, late, 0),
		"FreeAsync":       mem.FreeAsync(s, b),
		"Free":            b.Free(),
	} {
		wantError(t, what+" after", err, mem.ErrFreed)
	}
	if b.Data() != nil || late.Data() != nil {
		t.Error("freed, with data")
	}
	s.run(t)
	wantError(t, "another stream, late", other.queue[0](), mem.ErrFreed)
}

// A stream gets back what it has freed at once, another only when the free has taken place.
func TestReuse(t *testing.T) {
	dev := newDevice(1 << 20)
	p := keeping(t, dev)
	s, other := &stream{device: dev}, &stream{device: dev}
	a := allocOn[byte](t, s, p, 1000)
	first := at(a)
	must(t, mem.FreeAsync(s, a))
	b := allocOn[byte](t, s, p, 900)
	if at(b) != first {
		t.Error("the same stream did not get its memory back")
	}
	must(t, mem.FreeAsync(s, b))
	c := allocOn[byte](t, other, p, 1000)
	if at(c) == first {
		t.Error("another stream got memory that is still in use")
	}
	s.run(t)
	d := allocOn[byte](t, other, p, 1000)
	if at(d) != first {
		t.Error("another stream did not get memory that was free")
	}
	must(t, mem.FreeAsync(other, d))
	other.run(t)
	must(t, p.SetReuseAllowOpportunistic(false))
	if e := allocOn[byte](t, s, p, 1000); at(e) == first {
		t.Error("another stream's memory, without leave")
	}
	if e := allocOn[byte](t, other, p, 100); at(e) == first {
		t.Error("100 bytes got a piece of 1000")
	}
	if e := allocOn[byte](t, other, p, 1024); at(e) != first { // what 1000 bytes take, in units of Align
		t.Error("all of the piece was not used")
	}
}

func TestPoolStats(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	p := newPool(t, dev, mem.PoolProps{})
	a, b := allocOn[byte](t, s, p, 1024), allocOn[byte](t, s, p, 2048)
	wantStats(t, "two", p, mem.PoolStats{Reserved: 3072, ReservedHigh: 3072, Used: 3072, UsedHigh: 3072})
	must(t, mem.FreeAsync(s, a))
	wantStats(t, "one freed", p, mem.PoolStats{Reserved: 3072, ReservedHigh: 3072, Used: 2048, UsedHigh: 3072})
	must(t, p.Trim(0))
	wantStats(t, "the free has not taken place", p, mem.PoolStats{Reserved: 3072, ReservedHigh: 3072, Used: 2048, UsedHigh: 3072})
	s.run(t)
	must(t, p.Trim(3072))
	wantStats(t, "trimmed to what it has", p, mem.PoolStats{Reserved: 3072, ReservedHigh: 3072, Used: 2048, UsedHigh: 3072})
	if used(dev) != 3072 {
		t.Errorf("%d bytes of the device", used(dev))
	}
	must(t, p.Trim(3071))
	wantStats(t, "trimmed", p, mem.PoolStats{Reserved: 2048, ReservedHigh: 3072, Used: 2048, UsedHigh: 3072})
	p.ResetHigh()
	wantStats(t, "reset", p, mem.PoolStats{Reserved: 2048, ReservedHigh: 2048, Used: 2048, UsedHigh: 2048})
	if used(dev) != 2048 {
		t.Errorf("%d bytes of the device", used(dev))
	}
	must(t, b.Free()) // cudaFree
	wantStats(t, "freed at once", p, mem.PoolStats{ReservedHigh: 2048, UsedHigh: 2048})
	wantError(t, "FreeAsync", mem.FreeAsync(s, b), mem.ErrFreed)
	if used(dev) != 0 {
		t.Errorf("%d bytes of the device", used(dev))
	}
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
			must(t, mem.FreeAsync(s, b))
		}
		s.run(t)
	}
	for _, c := range []struct{ threshold, want int64 }{{0, 0}, {1, 0}, {1024, 1024}, {2500, 2048}, {4096, 4096}, {math.MaxInt64, 4096}} {
		must(t, p.SetReleaseThreshold(c.threshold))
		fill()
		if got := p.Stats().Reserved; got != 4096 {
			t.Errorf("threshold %d: %d bytes before", c.threshold, got)
		}
		dev.space.Synchronized()
		if got := p.Stats().Reserved; got != c.want || p.ReleaseThreshold() != c.threshold {
			t.Errorf("threshold %d: %d bytes are kept, want %d", c.threshold, got, c.want)
		}
	}
}

// What a pool keeps is the device's when it is needed.
func TestDeviceTakesBackWhatPoolsKeep(t *testing.T) {
	dev := newDevice(4096)
	s := &stream{device: dev}
	p := keeping(t, dev)
	must(t, mem.FreeAsync(s, allocOn[byte](t, s, p, 3000)))
	_, err := mem.Alloc[byte](dev, 4096)
	wantError(t, "before the free", err, mem.ErrOutOfMemory)
	s.run(t)
	all := alloc[byte](t, dev, 4096)
	wantStats(t, "robbed", p, mem.PoolStats{ReservedHigh: 3072, UsedHigh: 3072})
	_, err = mem.AllocFromPoolAsync[byte](s, p, 1)
	wantError(t, "full", err, mem.ErrOutOfMemory)
	wantStats(t, "nothing was got", p, mem.PoolStats{ReservedHigh: 3072, UsedHigh: 3072})
	must(t, all.Free())
}

func TestPoolMaxSize(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	p := newPool(t, dev, mem.PoolProps{MaxSize: 2048})
	a := allocOn[byte](t, s, p, 1024)
	_, err := mem.AllocFromPoolAsync[byte](s, p, 1025)
	wantError(t, "over the pool's size", err, mem.ErrOutOfMemory)
	must(t, mem.FreeAsync(s, a))
	s.run(t)
	b := allocOn[byte](t, s, p, 2048) // in place of a
	must(t, mem.FreeAsync(s, b))
	_, err = mem.NewPool(dev, mem.PoolProps{MaxSize: -1})
	wantError(t, "negative", err, mem.ErrInvalidValue)
}

func TestPoolsOfADevice(t *testing.T) {
	dev, other := newDevice(1<<20), newDevice(1<<20)
	s := &stream{device: dev}
	def, err := mem.DefaultPool(dev)
	must(t, err)
	if cur, err := mem.CurrentPool(dev); cur != def || err != nil {
		t.Errorf("the current pool is not the default one: %v", err)
	}
	p, foreign := newPool(t, dev, mem.PoolProps{}), newPool(t, other, mem.PoolProps{})
	wantError(t, "another device's", mem.SetCurrentPool(dev, foreign), mem.ErrForeign)
	wantError(t, "nil", mem.SetCurrentPool(dev, nil), mem.ErrInvalidValue)
	wantError(t, "no device", mem.SetCurrentPool(nil, p), mem.ErrInvalidValue)
	must(t, mem.SetCurrentPool(dev, p))
	b, err := mem.AllocAsync[byte](s, 128)
	must(t, err)
	wantStats(t, "current", p, mem.PoolStats{Reserved: 128, ReservedHigh: 128, Used: 128, UsedHigh: 128})
	wantStats(t, "default", def, mem.PoolStats{})

	_, err = mem.AllocFromPoolAsync[byte](s, foreign, 1)
	wantError(t, "another device's pool", err, mem.ErrForeign)
	must(t, mem.EnablePeerAccess(dev, other))
	must(t, mem.FreeAsync(s, allocOn[byte](t, s, foreign, 1)))

	wantError(t, "close the default", def.Close(), mem.ErrInvalidValue)
	must(t, p.Close())
	wantError(t, "close again", p.Close(), mem.ErrInvalidValue)
	wantError(t, "set a closed one", mem.SetCurrentPool(dev, p), mem.ErrInvalidValue)
	_, err = mem.AllocFromPoolAsync[byte](s, p, 1)
	wantError(t, "allocate from a closed one", err, mem.ErrInvalidValue)
	if cur, _ := mem.CurrentPool(dev); cur != def {
		t.Error("a closed pool is current")
	}
	// What is allocated stays, and goes when its free has taken place.
	must(t, mem.MemsetAsync(s, b, 1))
	must(t, mem.FreeAsync(s, b))
	if used(dev) != 128 {
		t.Errorf("%d bytes before the free", used(dev))
	}
	s.run(t)
	if used(dev) != 0 {
		t.Errorf("%d bytes after it", used(dev))
	}
	dev.space.Close()
	_, err = mem.NewPool(dev, mem.PoolProps{})
	wantError(t, "closed device", err, mem.ErrClosed)
	_, err = mem.AllocAsync[int](s, 1)
	wantError(t, "closed device", err, mem.ErrClosed)
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
			wantError(t, what, err, mem.ErrInvalidValue)
		}
		p.ResetHigh()
		if p.Stats() != (mem.PoolStats{}) || p.ReleaseThreshold() != 0 {
			t.Error("no pool has something")
		}
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
		wantError(t, what, err, mem.ErrInvalidValue)
	}
	wantError(t, "free on another device", mem.FreeAsync(&stream{device: other}, b), mem.ErrForeign)

	// A stream that refuses has done nothing.
	closed := errors.New("stream is closed")
	no := &stream{device: dev, refuse: closed}
	before := p.Stats()
	_, err := mem.AllocFromPoolAsync[int](no, p, 1000)
	wantError(t, "AllocFromPoolAsync", err, closed)
	wantError(t, "FreeAsync", mem.FreeAsync(no, b), closed)
	must(t, p.Trim(0))
	if got := p.Stats(); got.Used != before.Used || got.Reserved != before.Reserved {
		t.Errorf("%+v, before %+v", got, before)
	}
	must(t, mem.FreeAsync(s, b)) // it can still be freed

	// Freed by a stream that comes first, it was never there.
	early := &stream{device: dev}
	c := allocOn[int](t, s, p, 4)
	must(t, mem.FreeAsync(early, c))
	wantError(t, "free before the allocation", early.queue[0](), mem.ErrNotReady)

	none := allocOn[int](t, s, p, 0)
	s.run(t)
	must(t, mem.CopyToDevice(none, nil))
	must(t, mem.FreeAsync(s, none))
	s.run(t)
}

// The poison of checked mode comes in the order of the stream: what used the memory before still finds its own there.
func TestPoolPoison(t *testing.T) {
	dev := &device{mem.NewSpace(1<<20, true)}
	s := &stream{device: dev}
	p := keeping(t, dev)
	back := make([]int32, 4)
	a := allocOn[int32](t, s, p, 4)
	must(t, mem.CopyToDeviceAsync(s, a, []int32{1, 2, 3, 4}))
	must(t, mem.CopyToHostAsync(s, back, a))
	first := at(a)
	must(t, mem.FreeAsync(s, a))
	b := allocOn[int32](t, s, p, 4)
	if at(b) != first {
		t.Fatal("not the same memory")
	}
	s.run(t)
	if !slices.Equal(back, []int32{1, 2, 3, 4}) || !slices.Equal(b.Data(), []int32{-1, -1, -1, -1}) {
		t.Errorf("before %v, then %v", back, b.Data())
	}
}

// A free that a failed stream drops gives its memory to others in the end.
func TestDroppedFree(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	p := keeping(t, dev)
	b := allocOn[byte](t, s, p, 1000)
	must(t, mem.FreeAsync(s, b))
	s.queue = nil // the stream has failed
	for range 100 {
		runtime.GC()
		must(t, p.Trim(0))
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
				if err != nil {
					t.Error(err)
					return
				}
				x, id := b.Data(), int32(g*1000+k)
				s.queue = append(s.queue, func() error { x[0], x[len(x)-1] = id, id; return nil }, func() error {
					if x[0] != id || x[len(x)-1] != id {
						t.Errorf("%d and %d instead of %d", x[0], x[len(x)-1], id)
					}
					return nil
				})
				if err := mem.FreeAsync(s, b); err != nil {
					t.Error(err)
				}
				if k%3 == 0 {
					s.run(t)
					dev.space.Synchronized()
				}
			}
			s.run(t)
		})
	}
	wg.Wait()
	must(t, p.Trim(0))
	if st := p.Stats(); st.Used != 0 || st.Reserved != 0 || used(dev) != 0 {
		t.Errorf("%+v, %d bytes of the device", st, used(dev))
	}
}

// Streams that run in any order never share memory. Each allocation is filled, found as it was filled, and freed.
func TestReuseIsSafe(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 2))
		dev := newDevice(1 << 16)
		p := keeping(t, dev)
		if seed%3 == 1 {
			must(t, p.SetReleaseThreshold(4096))
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
			must(t, err)
			if places[at(b)] {
				reused++
			}
			places[at(b)] = true
			x := b.Data()
			must(t, s.Enqueue(func() error {
				for i := range x {
					x[i] = id
				}
				return nil
			}))
			must(t, s.Enqueue(func() error {
				if i := slices.IndexFunc(x, func(v int32) bool { return v != id }); i >= 0 {
					t.Errorf("seed %d: allocation %d has a %d of another", seed, id, x[i])
				}
				return nil
			}))
			must(t, mem.FreeAsync(s, b))
			for range r.IntN(6) { // somebody gets on
				if s := streams[r.IntN(3)]; len(s.queue) > 0 {
					must(t, s.queue[0]())
					s.queue = s.queue[1:]
				}
			}
			if st := p.Stats(); st.Used > st.Reserved || st.Reserved != used(dev) || st.Used != 0 {
				t.Fatalf("seed %d: %+v, %d bytes of the device", seed, st, used(dev))
			}
		}
		if reused < 50 {
			t.Errorf("seed %d: only %d allocations had used memory", seed, reused)
		}
		for _, s := range streams {
			s.run(t)
		}
		must(t, p.Close())
		if used(dev) != 0 {
			t.Errorf("seed %d: %d bytes of the device", seed, used(dev))
		}
	}
}
