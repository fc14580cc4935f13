package mem_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/mem"
)

func TestAttributes(t *testing.T) {
	dev := newDevice(1 << 20)
	buf := alloc[triple](t, dev, 100)
	managed, err := mem.AllocManaged[triple](dev, 100, mem.MemAttachGlobal)
	require.NoError(t, err)
	host := allocHost[triple](t, 100, 0)
	own := make([]triple, 100)
	for _, c := range []struct {
		name   string
		data   []triple
		kind   mem.MemoryType
		memory *mem.Space
		text   string
	}{
		{"device", buf.Data(), mem.MemoryTypeDevice, dev.space, "Device"},
		{"managed", managed.Data(), mem.MemoryTypeManaged, dev.space, "Managed"},
		{"page-locked", host.Data(), mem.MemoryTypeHost, nil, "Host"},
		{"unregistered", own, mem.MemoryTypeUnregistered, nil, "Unregistered"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, i := range []int{0, 1, 57, 99} {
				at, err := mem.AttributesOf(&c.data[i])
				require.NoError(t, err)
				of, err := mem.AttributesOfSlice(c.data[i:])
				require.NoError(t, err)
				y, err := mem.AttributesOf(&c.data[i].Y) // a part of an element
				require.NoError(t, err)
				assert.True(t, at == of && at == y, "element %d: %+v, its slice %+v, its Y %+v", i, at, of, y)
				base, size, err := mem.AddressRange(&c.data[i])
				if c.kind == mem.MemoryTypeUnregistered {
					assert.ErrorIs(t, err, mem.ErrNotFound, "AddressRange")
					assert.Zero(t, at, "element %d", i)
					continue
				}
				require.NoError(t, err)
				want := mem.PointerAttributes{Type: c.kind, Memory: c.memory, Base: unsafe.Pointer(&c.data[0]), Size: 1200}
				assert.True(t, at == want, "element %d: %+v, want %+v", i, at, want)
				assert.Equal(t, want.Base, base, "element %d", i)
				assert.Equal(t, int64(1200), size, "element %d", i)
			}
			assert.Equal(t, c.text, c.kind.String())
		})
	}
	data := buf.Data()
	require.NoError(t, buf.Free())
	at, err := mem.AttributesOfSlice(data)
	assert.NoError(t, err, "freed memory")
	assert.Equal(t, mem.MemoryTypeUnregistered, at.Type, "freed memory")
	_, err = mem.AttributesOf[int](nil)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "nil")
	_, err = mem.AttributesOfSlice(own[:0])
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "no elements")
	_, _, err = mem.AddressRange[int](nil)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "nil")
}

// A program that loses a buffer loses room on the device, as in CUDA, but not the host's memory.
func TestQueriesKeepNoMemory(t *testing.T) {
	const size, many = 8 << 20, 64
	dev := newDevice(size * many)
	var m0, m1 runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m0)
	for range many {
		at, err := mem.AttributesOfSlice(alloc[byte](t, dev, size).Data())
		require.NoError(t, err)
		require.Equal(t, int64(size), at.Size)
	}
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m1)
	assert.LessOrEqual(t, int64(m1.HeapAlloc)-int64(m0.HeapAlloc), int64(size*many/2), "bytes that are kept of what was lost")
	free, _ := mem.Info(dev)
	assert.Zero(t, free, "free bytes of a device whose buffers were lost")
	// Where lost buffers were, others are found.
	other := newDevice(size * many)
	for n := range 200 {
		b := alloc[byte](t, other, 1+n*1000)
		at, err := mem.AttributesOf(&b.Data()[n])
		require.NoError(t, err)
		require.Equal(t, int64(1+n*1000), at.Size)
		require.Same(t, other.space, at.Memory)
		clear(b.Data())
		require.NoError(t, b.Free())
	}
}

// Many buffers that come and go, against a list of them.
func TestQueriesAgainstAList(t *testing.T) {
	var wg sync.WaitGroup
	for seed := range uint64(3) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, 9))
			dev := newDevice(1 << 30)
			var all []*mem.Buffer[int32]
			for range 3000 {
				if len(all) > 0 && r.IntN(5) < 2 {
					k := r.IntN(len(all))
					data := all[k].Data()
					assert.NoError(t, all[k].Free())
					at, err := mem.AttributesOfSlice(data)
					assert.NoError(t, err, "freed")
					assert.Equal(t, mem.MemoryTypeUnregistered, at.Type, "freed")
					all = slices.Delete(all, k, k+1)
				} else {
					b, err := mem.Alloc[int32](dev, 1+r.IntN(300))
					if !assert.NoError(t, err) {
						return
					}
					all = append(all, b)
				}
				if len(all) == 0 {
					continue
				}
				b := all[r.IntN(len(all))]
				at, err := mem.AttributesOf(&b.Data()[r.IntN(b.Len())])
				assert.NoError(t, err, "buffer of %d", b.Len())
				assert.Equal(t, unsafe.Pointer(&b.Data()[0]), at.Base, "buffer of %d", b.Len())
				assert.Equal(t, int64(4*b.Len()), at.Size, "buffer of %d", b.Len())
				assert.Same(t, dev.space, at.Memory, "buffer of %d", b.Len())
			}
			for _, b := range all {
				assert.NoError(t, b.Free())
			}
		})
	}
	wg.Wait()
}
