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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
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
		assert.NoError(t, f(), "queued work failed")
	}
	s.queue = nil
}

// triple has 12 bytes, which divides neither a cache line nor Align.
type triple struct{ X, Y, Z float32 }

func alloc[T any](t *testing.T, dev mem.Device, n int) *mem.Buffer[T] {
	t.Helper()
	b, err := mem.Alloc[T](dev, n)
	require.NoError(t, err)
	return b
}

func filled[T any](t *testing.T, dev mem.Device, v ...T) *mem.Buffer[T] {
	t.Helper()
	b := alloc[T](t, dev, len(v))
	require.NoError(t, mem.CopyToDevice(b, v))
	return b
}

func part[T any](t *testing.T, b *mem.Buffer[T], i, j int) *mem.Buffer[T] {
	t.Helper()
	p, err := b.Slice(i, j)
	require.NoError(t, err)
	return p
}

func used(dev mem.Device) int64 {
	free, total := mem.Info(dev)
	return total - free
}

// assertUsed asserts that so many allocations take so many bytes, and what their beginnings are
// rounded up by.
func assertUsed(t *testing.T, dev mem.Device, bytes, allocations int64) {
	t.Helper()
	assert.GreaterOrEqual(t, used(dev), bytes)
	assert.Less(t, used(dev), bytes+allocations*mem.Align)
}

func TestInfoCountsAllocations(t *testing.T) {
	dev := newDevice(1 << 20)
	free, total := mem.Info(dev)
	require.Equal(t, [2]int64{1 << 20, 1 << 20}, [2]int64{free, total}, "a new device")
	a := alloc[float64](t, dev, 1000)
	assertUsed(t, dev, 8000, 1)
	b := alloc[triple](t, dev, 100)
	assertUsed(t, dev, 9200, 2)
	require.NoError(t, a.Free())
	assertUsed(t, dev, 1200, 1)
	require.NoError(t, b.Free())
	assert.Zero(t, used(dev), "with all freed")
}

func TestOutOfMemory(t *testing.T) {
	dev := newDevice(1 << 12)
	_, err := mem.Alloc[byte](dev, 1<<12+1)
	assert.ErrorIs(t, err, mem.ErrOutOfMemory, "more than all")
	assert.Zero(t, used(dev), "bytes that a failed allocation keeps")

	all := alloc[uint32](t, dev, 1<<10)
	_, err = mem.Alloc[byte](dev, 1)
	assert.ErrorIs(t, err, mem.ErrOutOfMemory, "one more than all")
	free, _ := mem.Info(dev)
	assert.Zero(t, free, "free bytes of a full device")
	require.NoError(t, alloc[uint32](t, dev, 0).Free()) // nothing always fits

	require.NoError(t, all.Free())
	require.NoError(t, alloc[uint32](t, dev, 1<<10).Free())
}

// unreachable is half of the largest int where that has 64 bits, and all of it where it has 32.
const unreachable = math.MaxInt - math.MaxInt/2*(bits.UintSize/64)

// nearlyLargest is a little less than the largest int where that has 64 bits. Where it has 32 there
// may be so much memory.
const nearlyLargest = math.MaxInt - 500*(bits.UintSize/64)

func TestSizesThatCannotBe(t *testing.T) {
	small, boundless := newDevice(1<<20), newDevice(math.MaxInt64)
	alloc[byte](t, boundless, 1000) // so that adding to what is used overflows

	_, err := mem.Alloc[int32](small, -1)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "negative")
	_, err = mem.Alloc[int32](small, math.MinInt)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "least")

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
				if err := c.do(dev); !errors.Is(err, mem.ErrInvalidValue) {
					assert.ErrorIs(t, err, mem.ErrOutOfMemory)
				}
				assert.Equal(t, before, used(dev), "bytes in use")
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
		assert.Equal(t, c.want, mem.PointerFree(reflect.TypeOf(c.v)), "PointerFree(%T)", c.v)
	}

	dev := newDevice(1 << 20)
	refused := func(what string, err error) {
		t.Helper()
		assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
	}
	_, err := mem.Alloc[string](dev, 1)
	refused("string", err)
	_, err = mem.Alloc[*int32](dev, 1)
	refused("pointer", err)
	_, err = mem.Alloc[any](dev, 1)
	refused("interface", err)
	_, err = mem.Alloc[struct{ X []float32 }](dev, 0)
	refused("struct with a slice, none of it", err)
	assert.Zero(t, used(dev), "bytes that refused allocations keep")
	assert.Equal(t, 10, alloc[struct{}](t, dev, 10).Len(), "length of 10 elements of no size")
}

func TestNewMemory(t *testing.T) {
	plain, poisoned := newDevice(1<<20), &device{mem.NewSpace(1<<20, true)}
	for turn := range 2 { // the second time it may be memory that was used before
		x := alloc[int64](t, plain, 1000)
		slicetest.Each(t, func(int) int64 { return 0 }, x.Data(), "turn %d", turn)
		require.NoError(t, mem.Memset(x, 0x11))
		require.NoError(t, x.Free())

		y := alloc[triple](t, poisoned, 1000)
		nan := func(_, v triple) bool { return v.X != v.X && v.Y != v.Y && v.Z != v.Z }
		slicetest.EqualFunc(t, y.Data(), y.Data(), nan, "turn %d: no poison", turn)
		require.NoError(t, mem.Memset(y, 0x11))
		require.NoError(t, y.Free())
	}
	slicetest.Each(t, func(int) int32 { return -1 }, alloc[int32](t, poisoned, 33).Data(), "poison")
}

func TestCloseStopsAllocations(t *testing.T) {
	dev := newDevice(1 << 20)
	b := filled(t, dev, 1, 2, 3)
	dev.space.Close()
	_, err := mem.Alloc[int](dev, 1)
	assert.ErrorIs(t, err, mem.ErrClosed, "after Close")
	_, err = mem.Alloc[int](dev, 0)
	assert.ErrorIs(t, err, mem.ErrClosed, "nothing after Close")
	require.NoError(t, b.Free()) // only allocations fail
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
			} else {
				assert.ErrorIs(t, err, mem.ErrOutOfMemory)
			}
		})
	}
	wg.Wait()
	assert.Len(t, got, 10, "buffers of 1 KiB in 10 KiB")
	for _, b := range got {
		wg.Go(func() {
			assert.NoError(t, b.Free())
		})
	}
	wg.Wait()
	assert.Zero(t, used(dev), "bytes in use after all are freed")
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
					assert.ErrorIs(t, err, mem.ErrOutOfMemory)
					continue
				}
				free, all := mem.Info(dev)
				assert.GreaterOrEqual(t, free, int64(0), "free bytes")
				assert.LessOrEqual(t, free, all-int64(b.Len()*12), "free bytes, with %d triples allocated", b.Len())
				assert.Equal(t, int64(total), all)
				assert.NoError(t, b.Free())
			}
		})
	}
	wg.Wait()
	assert.Zero(t, used(dev), "bytes in use after all are freed")
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
				} else {
					assert.ErrorIs(t, err, mem.ErrFreed, "a later Free")
				}
			})
		}
		wg.Wait()
		require.Equal(t, int32(1), freed.Load(), "how often it is freed")
		require.Equal(t, before, used(dev), "bytes in use")
	}
	require.NoError(t, keep.Free())
}
