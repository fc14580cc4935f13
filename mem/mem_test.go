package mem_test

import (
	"errors"
	"math"
	"math/bits"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/gocuda/gocuda/mem"
)

// device is the least that memory can be allocated on.
type device struct{ space *mem.Space }

func (d *device) Memory() *mem.Space { return d.space }

func newDevice(bytes int64) *device { return &device{mem.NewSpace(bytes, false)} }

// stream keeps what is queued until run, so that a test decides what happens between.
type stream struct {
	*device
	queue  []func() error
	refuse error // what Enqueue returns, as a closed stream does
}

func (s *stream) Enqueue(f func() error) error {
	if s.refuse == nil {
		s.queue = append(s.queue, f)
	}
	return s.refuse
}

func (s *stream) run(t *testing.T) {
	t.Helper()
	for _, f := range s.queue {
		if err := f(); err != nil {
			t.Errorf("queued work failed: %v", err)
		}
	}
	s.queue = nil
}

// triple has 12 bytes, which divides neither a cache line nor Align.
type triple struct{ X, Y, Z float32 }

// must is for steps that a test takes for granted.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func alloc[T any](t *testing.T, dev mem.Device, n int) *mem.Buffer[T] {
	t.Helper()
	b, err := mem.Alloc[T](dev, n)
	must(t, err)
	return b
}

func filled[T any](t *testing.T, dev mem.Device, v ...T) *mem.Buffer[T] {
	t.Helper()
	b := alloc[T](t, dev, len(v))
	must(t, mem.CopyToDevice(b, v))
	return b
}

func part[T any](t *testing.T, b *mem.Buffer[T], i, j int) *mem.Buffer[T] {
	t.Helper()
	p, err := b.Slice(i, j)
	must(t, err)
	return p
}

func wantError(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func used(dev mem.Device) int64 {
	free, total := mem.Info(dev)
	return total - free
}

func TestInfoCountsAllocations(t *testing.T) {
	dev := newDevice(1 << 20)
	if free, total := mem.Info(dev); free != 1<<20 || total != 1<<20 {
		t.Fatalf("a new device has %d of %d bytes free", free, total)
	}
	a := alloc[float64](t, dev, 1000)
	if got := used(dev); got < 8000 || got >= 8000+mem.Align {
		t.Errorf("1000 float64 take %d bytes", got)
	}
	b := alloc[triple](t, dev, 100)
	if got := used(dev); got < 9200 || got >= 9200+2*mem.Align {
		t.Errorf("100 triples more make %d bytes", got)
	}
	must(t, a.Free())
	if got := used(dev); got < 1200 || got >= 1200+mem.Align {
		t.Errorf("%d bytes are left for 100 triples", got)
	}
	must(t, b.Free())
	if free, total := mem.Info(dev); free != 1<<20 || total != 1<<20 {
		t.Errorf("with all freed, %d of %d bytes are free", free, total)
	}
}

func TestOutOfMemory(t *testing.T) {
	dev := newDevice(1 << 12)
	_, err := mem.Alloc[byte](dev, 1<<12+1)
	wantError(t, "more than all", err, mem.ErrOutOfMemory)
	if used(dev) != 0 {
		t.Errorf("a failed allocation keeps %d bytes", used(dev))
	}

	all := alloc[uint32](t, dev, 1<<10)
	_, err = mem.Alloc[byte](dev, 1)
	wantError(t, "one more than all", err, mem.ErrOutOfMemory)
	if free, _ := mem.Info(dev); free != 0 {
		t.Errorf("%d bytes free on a full device", free)
	}
	must(t, alloc[uint32](t, dev, 0).Free()) // nothing always fits

	must(t, all.Free())
	must(t, alloc[uint32](t, dev, 1<<10).Free())
}

// unreachable is half of the largest int where that has 64 bits, and all of it where it has 32.
const unreachable = math.MaxInt - math.MaxInt/2*(bits.UintSize/64)

// nearlyLargest is a little less than the largest int where that has 64 bits. Where it has 32 there may be so much memory.
const nearlyLargest = math.MaxInt - 500*(bits.UintSize/64)

func TestSizesThatCannotBe(t *testing.T) {
	small, boundless := newDevice(1<<20), newDevice(math.MaxInt64)
	alloc[byte](t, boundless, 1000) // so that adding to what is used overflows

	_, err := mem.Alloc[int32](small, -1)
	wantError(t, "negative", err, mem.ErrInvalidValue)
	_, err = mem.Alloc[int32](small, math.MinInt)
	wantError(t, "least", err, mem.ErrInvalidValue)

	for _, c := range []struct {
		name string
		do   func(dev mem.Device) error
	}{
		{"largest number of bytes", func(dev mem.Device) error { _, err := mem.Alloc[byte](dev, math.MaxInt); return err }},
		{"nearly the largest", func(dev mem.Device) error { _, err := mem.Alloc[byte](dev, nearlyLargest); return err }},
		{"more than an address can reach", func(dev mem.Device) error { _, err := mem.Alloc[byte](dev, unreachable); return err }},
		{"product is negative", func(dev mem.Device) error { _, err := mem.Alloc[int32](dev, math.MaxInt/4+1); return err }},
		{"product is 0", func(dev mem.Device) error { _, err := mem.Alloc[int64](dev, math.MaxInt/4+1); return err }},
		{"product is small", func(dev mem.Device) error { _, err := mem.Alloc[triple](dev, math.MaxInt/6+2); return err }},
	} {
		for name, dev := range map[string]*device{"small": small, "boundless": boundless} {
			t.Run(c.name+" on a "+name+" device", func(t *testing.T) {
				before := used(dev)
				defer func() {
					if v := recover(); v != nil {
						t.Errorf("panic: %v; %d bytes in use, %d before", v, used(dev), before)
					}
				}()
				if err := c.do(dev); !errors.Is(err, mem.ErrInvalidValue) && !errors.Is(err, mem.ErrOutOfMemory) {
					t.Errorf("got %v", err)
				}
				if used(dev) != before {
					t.Errorf("%d bytes in use, %d before", used(dev), before)
				}
			})
		}
	}
}

func TestElementTypes(t *testing.T) {
	for _, c := range []struct {
		v    any
		want bool
	}{
		{int8(0), true},
		{uint64(0), true},
		{float32(0), true},
		{complex128(0), true},
		{false, true},
		{uintptr(0), true},
		{[4]float64{}, true},
		{triple{}, true},
		{[2]struct{ A, B triple }{}, true},
		{struct{}{}, true},
		{"", false},
		{[]int32(nil), false},
		{map[int]int(nil), false},
		{(*int)(nil), false},
		{unsafe.Pointer(nil), false},
		{(chan int)(nil), false},
		{(func())(nil), false},
		{struct{ V any }{}, false},
		{[3]string{}, false},
		{struct {
			N int
			S [2]struct{ P *int }
		}{}, false},
	} {
		if got := mem.PointerFree(reflect.TypeOf(c.v)); got != c.want {
			t.Errorf("PointerFree(%T) = %t", c.v, got)
		}
	}

	dev := newDevice(1 << 20)
	refused := func(what string, err error) {
		t.Helper()
		wantError(t, what, err, mem.ErrInvalidValue)
	}
	_, err := mem.Alloc[string](dev, 1)
	refused("string", err)
	_, err = mem.Alloc[*int32](dev, 1)
	refused("pointer", err)
	_, err = mem.Alloc[any](dev, 1)
	refused("interface", err)
	_, err = mem.Alloc[struct{ X []float32 }](dev, 0)
	refused("struct with a slice, none of it", err)
	if used(dev) != 0 {
		t.Errorf("refused allocations keep %d bytes", used(dev))
	}
	if b := alloc[struct{}](t, dev, 10); b.Len() != 10 {
		t.Errorf("10 elements of no size have length %d", b.Len())
	}
}

func TestNewMemory(t *testing.T) {
	plain, poisoned := newDevice(1<<20), &device{mem.NewSpace(1<<20, true)}
	for turn := range 2 { // the second time it may be memory that was used before
		x := alloc[int64](t, plain, 1000)
		for i, v := range x.Data() {
			if v != 0 {
				t.Fatalf("turn %d: element %d is %d, want 0", turn, i, v)
			}
		}
		must(t, mem.Memset(x, 0x11))
		must(t, x.Free())

		y := alloc[triple](t, poisoned, 1000)
		for i, v := range y.Data() {
			if v.X == v.X || v.Y == v.Y || v.Z == v.Z {
				t.Fatalf("turn %d: element %d is %v, want NaN", turn, i, v)
			}
		}
		must(t, mem.Memset(y, 0x11))
		must(t, y.Free())
	}
	for i, v := range alloc[int32](t, poisoned, 33).Data() {
		if v != -1 {
			t.Fatalf("poison %d at %d, want -1", v, i)
		}
	}
}

func TestCloseStopsAllocations(t *testing.T) {
	dev := newDevice(1 << 20)
	b := filled(t, dev, 1, 2, 3)
	dev.space.Close()
	_, err := mem.Alloc[int](dev, 1)
	wantError(t, "after Close", err, mem.ErrClosed)
	_, err = mem.Alloc[int](dev, 0)
	wantError(t, "nothing after Close", err, mem.ErrClosed)
	must(t, b.Free()) // only allocations fail
}

// The device has room for ten buffers; of many goroutines that ask at once exactly ten get one.
func TestConcurrentAllocationsShareTheSpace(t *testing.T) {
	dev := newDevice(10 * 1024)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var got []*mem.Buffer[byte]
	for range 64 {
		wg.Go(func() {
			b, err := mem.Alloc[byte](dev, 1024)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				got = append(got, b)
			} else if !errors.Is(err, mem.ErrOutOfMemory) {
				t.Errorf("got %v", err)
			}
		})
	}
	wg.Wait()
	if len(got) != 10 {
		t.Errorf("%d buffers of 1 KiB in 10 KiB", len(got))
	}
	for _, b := range got {
		wg.Go(func() {
			if err := b.Free(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if used(dev) != 0 {
		t.Errorf("%d bytes in use after all are freed", used(dev))
	}
}

func TestConcurrentAllocAndFreeKeepAccounts(t *testing.T) {
	const total = 1 << 16
	dev := newDevice(total)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for k := range 300 {
				b, err := mem.Alloc[triple](dev, (g*37+k*101)%1500)
				if err != nil {
					if !errors.Is(err, mem.ErrOutOfMemory) {
						t.Errorf("got %v", err)
					}
					continue
				}
				if free, all := mem.Info(dev); free < 0 || free > all-int64(b.Len()*12) || all != total {
					t.Errorf("%d of %d bytes free with %d triples allocated", free, all, b.Len())
				}
				if err := b.Free(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if used(dev) != 0 {
		t.Errorf("%d bytes in use after all are freed", used(dev))
	}
}

// Whoever frees first wins; nobody gives the memory back twice.
func TestConcurrentDoubleFree(t *testing.T) {
	dev := newDevice(1 << 20)
	keep := alloc[byte](t, dev, 1000)
	before := used(dev)
	for range 200 {
		b := alloc[byte](t, dev, 5000)
		var wg sync.WaitGroup
		var freed, arrived atomic.Int32
		for range 2 {
			wg.Go(func() {
				for arrived.Add(1); arrived.Load() < 2; { // closer together than a channel brings them
					runtime.Gosched()
				}
				if err := b.Free(); err == nil {
					freed.Add(1)
				} else if !errors.Is(err, mem.ErrFreed) {
					t.Errorf("a later Free: %v", err)
				}
			})
		}
		wg.Wait()
		if freed.Load() != 1 || used(dev) != before {
			t.Fatalf("freed %d times, %d bytes in use, want %d", freed.Load(), used(dev), before)
		}
	}
	must(t, keep.Free())
}
