package mem_test

import (
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/gocuda/gocuda/mem"
)

func allocHost[T any](t *testing.T, n int, flags mem.HostFlags) *mem.HostBuffer[T] {
	t.Helper()
	h, err := mem.AllocHost[T](n, flags)
	must(t, err)
	return h
}

func TestHostFlagsAreCUDAs(t *testing.T) { // driver_types.h
	if mem.HostDefault != 0 || mem.HostPortable != 1 || mem.HostMapped != 2 || mem.HostWriteCombined != 4 {
		t.Error(mem.HostDefault, mem.HostPortable, mem.HostMapped, mem.HostWriteCombined)
	}
}

func TestAllocHost(t *testing.T) {
	dev := newDevice(1 << 20)
	for flags := range mem.HostFlags(8) {
		h := allocHost[float32](t, 1000, flags)
		if len(h.Data()) != 1000 || h.Len() != 1000 {
			t.Errorf("length %d", h.Len())
		}
		got, err := h.Flags()
		of, err2 := mem.HostFlagsOf(h.Data()[7:])
		if got != flags || err != nil || of != flags || err2 != nil {
			t.Errorf("flags %d and %d (%v, %v), want %d", got, of, err, err2, flags)
		}
		at, err := mem.AttributesOfSlice(h.Data()[999:])
		must(t, err)
		if at.Type != mem.MemoryTypeHost || at.Memory != nil || at.Size != 4000 {
			t.Errorf("it is %+v", at)
		}
		must(t, h.Free())
		if h.Data() != nil {
			t.Error("freed, with data")
		}
		wantError(t, "second Free", h.Free(), mem.ErrFreed)
		_, err = h.Flags()
		wantError(t, "Flags", err, mem.ErrFreed)
		_, err = h.On(dev)
		wantError(t, "On", err, mem.ErrFreed)
	}
	if used(dev) != 0 {
		t.Errorf("memory of the host takes %d bytes of a device", used(dev))
	}
	for what, err := range map[string]error{
		"negative": func() error { _, err := mem.AllocHost[int](-1, 0); return err }(),
		"too many": func() error { _, err := mem.AllocHost[int](math.MaxInt, 0); return err }(),
		"flags":    func() error { _, err := mem.AllocHost[int](1, 8); return err }(),
		"strings":  func() error { _, err := mem.AllocHost[string](1, 0); return err }(),
	} {
		wantError(t, what, err, mem.ErrInvalidValue)
	}
	var none *mem.HostBuffer[int]
	_, err := none.On(dev)
	wantError(t, "On of nil", err, mem.ErrInvalidValue)
	wantError(t, "Free of nil", none.Free(), mem.ErrInvalidValue)
	if none.Data() != nil || none.Len() != 0 {
		t.Error("nil has data")
	}
}

// Mapped memory is one memory under two names.
func TestMappedHostMemory(t *testing.T) {
	a, b := newDevice(1<<20), newDevice(1<<20)
	h := allocHost[int32](t, 4, mem.HostMapped)
	onA, err := h.On(a)
	must(t, err)
	onB, err := mem.MapHost(b, h.Data()[1:3])
	must(t, err)
	onA.Data()[1] = 5 // a kernel
	if h.Data()[1] != 5 || onB.Data()[0] != 5 {
		t.Errorf("host %v, other device %v", h.Data(), onB.Data())
	}
	// It is memory of every device, so copies go between them without peer access.
	dst := filled(t, b, int32(0), 0, 0, 0)
	must(t, mem.Copy(dst, onA))
	s := &stream{device: b}
	must(t, mem.CopyToHostAsync(s, make([]int32, 4), onA))
	must(t, mem.MemsetAsync(s, onA, 0xff))
	s.run(t)
	if !slices.Equal(dst.Data(), []int32{0, 5, 0, 0}) || !slices.Equal(h.Data(), []int32{-1, -1, -1, -1}) {
		t.Errorf("copied %v, set %v", dst.Data(), h.Data())
	}
	if onA.Type() != mem.MemoryTypeHost {
		t.Errorf("it is of type %v", onA.Type())
	}
	wantError(t, "Free of the mapping", onA.Free(), mem.ErrInvalidValue)
	must(t, h.Free())
	wantError(t, "mapping of freed memory", mem.Memset(onB, 0), mem.ErrFreed)
	_, err = h.On(nil)
	wantError(t, "no device", err, mem.ErrInvalidValue)
}

func TestHostRegister(t *testing.T) {
	dev := newDevice(1 << 20)
	x := make([]int64, 100)
	_, err := mem.MapHost(dev, x)
	wantError(t, "MapHost before", err, mem.ErrInvalidValue)
	_, err = mem.HostFlagsOf(x)
	wantError(t, "HostFlagsOf before", err, mem.ErrInvalidValue)
	wantError(t, "HostUnregister before", mem.HostUnregister(x), mem.ErrHostMemoryNotRegistered)

	must(t, mem.HostRegister(x[20:40], mem.HostPortable|mem.HostMapped))
	for _, c := range []struct{ i, j int }{{20, 40}, {20, 21}, {39, 40}, {30, 31}, {0, 21}, {39, 100}, {0, 100}} {
		wantError(t, "registered again", mem.HostRegister(x[c.i:c.j], 0), mem.ErrHostMemoryAlreadyRegistered)
	}
	must(t, mem.HostRegister(x[40:50], 0)) // neighbours are none
	must(t, mem.HostRegister(x[10:20], 0))
	if flags, err := mem.HostFlagsOf(x[39:]); flags != mem.HostPortable|mem.HostMapped || err != nil {
		t.Errorf("flags %d, %v", flags, err)
	}
	wantError(t, "not its beginning", mem.HostUnregister(x[21:40]), mem.ErrHostMemoryNotRegistered)
	wantError(t, "before its beginning", mem.HostUnregister(x), mem.ErrHostMemoryNotRegistered)

	b, err := mem.MapHost(dev, x[25:40])
	must(t, err)
	must(t, mem.CopyToDevice(b, []int64{7}))
	if x[25] != 7 {
		t.Errorf("the mapping has its own memory")
	}
	_, err = mem.MapHost(dev, x[25:41])
	wantError(t, "more than is registered", err, mem.ErrInvalidValue)

	must(t, mem.HostUnregister(x[20:40]))
	wantError(t, "again", mem.HostUnregister(x[20:40]), mem.ErrHostMemoryNotRegistered)
	wantError(t, "the mapping", mem.Memset(b, 0), mem.ErrFreed)
	must(t, mem.HostRegister(x[20:40], 0))
	for _, s := range [][]int64{x[10:], x[20:], x[40:]} {
		must(t, mem.HostUnregister(s))
	}

	buf := filled(t, dev, 1, 2)
	wantError(t, "memory of a device", mem.HostRegister(buf.Data(), 0), mem.ErrInvalidValue)
	wantError(t, "page-locked memory", mem.HostRegister(allocHost[int](t, 3, 0).Data()[1:], 0), mem.ErrHostMemoryAlreadyRegistered)
	wantError(t, "nothing", mem.HostRegister(x[:0], 0), mem.ErrInvalidValue)
	wantError(t, "nil", mem.HostRegister[int](nil, 0), mem.ErrInvalidValue)
	wantError(t, "write-combined", mem.HostRegister(x, mem.HostWriteCombined), mem.ErrInvalidValue)
	wantError(t, "strings", mem.HostRegister([]string{"a"}, 0), mem.ErrInvalidValue)
	wantError(t, "HostUnregister of page-locked memory", mem.HostUnregister(allocHost[int](t, 3, 0).Data()), mem.ErrHostMemoryNotRegistered)
}

// Memory that no collector knows can be registered as well.
var global [1000]uint16

func TestHostRegisterOfAVariable(t *testing.T) {
	must(t, mem.HostRegister(global[:], 0))
	at, err := mem.AttributesOf(&global[999])
	must(t, err)
	if at.Type != mem.MemoryTypeHost || at.Size != 2000 {
		t.Errorf("it is %+v", at)
	}
	must(t, mem.HostUnregister(global[:]))
}

// Of many that register the same memory at the same time one succeeds.
func TestConcurrentHostRegister(t *testing.T) {
	x := make([]byte, 1<<10)
	for range 100 {
		var wg sync.WaitGroup
		results := make([]error, 4)
		for k := range results {
			wg.Go(func() { results[k] = mem.HostRegister(x[k:], 0) })
		}
		wg.Wait()
		won := -1
		for k, err := range results {
			switch {
			case err == nil && won >= 0:
				t.Fatalf("%d and %d have registered the same memory", won, k)
			case err == nil:
				won = k
			case !errors.Is(err, mem.ErrHostMemoryAlreadyRegistered):
				t.Fatal(err)
			}
		}
		must(t, mem.HostUnregister(x[won:]))
	}
}
