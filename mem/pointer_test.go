package mem_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/gocuda/gocuda/mem"
)

func TestAttributes(t *testing.T) {
	dev := newDevice(1 << 20)
	buf := alloc[triple](t, dev, 100)
	managed, err := mem.AllocManaged[triple](dev, 100, mem.MemAttachGlobal)
	must(t, err)
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
				must(t, err)
				of, err := mem.AttributesOfSlice(c.data[i:])
				must(t, err)
				y, err := mem.AttributesOf(&c.data[i].Y) // a part of an element
				must(t, err)
				if at != of || at != y {
					t.Errorf("element %d: %+v, its slice %+v, its Y %+v", i, at, of, y)
				}
				base, size, err := mem.AddressRange(&c.data[i])
				if c.kind == mem.MemoryTypeUnregistered {
					wantError(t, "AddressRange", err, mem.ErrNotFound)
					if at != (mem.PointerAttributes{}) {
						t.Errorf("element %d: %+v", i, at)
					}
					continue
				}
				must(t, err)
				want := mem.PointerAttributes{Type: c.kind, Memory: c.memory, Base: unsafe.Pointer(&c.data[0]), Size: 1200}
				if at != want || base != want.Base || size != 1200 {
					t.Errorf("element %d: %+v, range %p of %d, want %+v", i, at, base, size, want)
				}
			}
			if c.kind.String() != c.text {
				t.Errorf("type %v", c.kind)
			}
		})
	}
	data := buf.Data()
	must(t, buf.Free())
	at, err := mem.AttributesOfSlice(data)
	if err != nil || at.Type != mem.MemoryTypeUnregistered {
		t.Errorf("freed memory is %+v, %v", at, err)
	}
	_, err = mem.AttributesOf[int](nil)
	wantError(t, "nil", err, mem.ErrInvalidValue)
	_, err = mem.AttributesOfSlice(own[:0])
	wantError(t, "no elements", err, mem.ErrInvalidValue)
	_, _, err = mem.AddressRange[int](nil)
	wantError(t, "nil", err, mem.ErrInvalidValue)
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
		if err != nil || at.Size != size {
			t.Fatal(at, err)
		}
	}
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m1)
	if grown := int64(m1.HeapAlloc) - int64(m0.HeapAlloc); grown > size*many/2 {
		t.Errorf("%d bytes are kept of %d that were lost", grown, size*many)
	}
	if free, _ := mem.Info(dev); free != 0 {
		t.Errorf("%d bytes are free of a device whose buffers were lost", free)
	}
	// Where lost buffers were, others are found.
	other := newDevice(size * many)
	for n := range 200 {
		b := alloc[byte](t, other, 1+n*1000)
		at, err := mem.AttributesOf(&b.Data()[n])
		if err != nil || at.Size != int64(1+n*1000) || at.Memory != other.space {
			t.Fatalf("buffer %d: %+v, %v", n, at, err)
		}
		clear(b.Data())
		must(t, b.Free())
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
					if err := all[k].Free(); err != nil {
						t.Error(err)
					}
					if at, err := mem.AttributesOfSlice(data); err != nil || at.Type != mem.MemoryTypeUnregistered {
						t.Errorf("freed: %+v, %v", at, err)
					}
					all = slices.Delete(all, k, k+1)
				} else {
					b, err := mem.Alloc[int32](dev, 1+r.IntN(300))
					if err != nil {
						t.Error(err)
						return
					}
					all = append(all, b)
				}
				if len(all) == 0 {
					continue
				}
				b := all[r.IntN(len(all))]
				at, err := mem.AttributesOf(&b.Data()[r.IntN(b.Len())])
				if err != nil || at.Base != unsafe.Pointer(&b.Data()[0]) || at.Size != int64(4*b.Len()) || at.Memory != dev.space {
					t.Errorf("buffer of %d: %+v, %v", b.Len(), at, err)
				}
			}
			for _, b := range all {
				if err := b.Free(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
