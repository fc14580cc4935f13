package mem_test

import (
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func allocHost[T any](t *testing.T, n int, flags mem.HostFlags) *mem.HostBuffer[T] {
	t.Helper()
	h, err := mem.AllocHost[T](n, flags)
	require.NoError(t, err)
	return h
}

func TestHostFlagsAreCUDAs(t *testing.T) { // driver_types.h
	assert.Zero(t, mem.HostDefault)
	assert.Equal(t, mem.HostFlags(1), mem.HostPortable)
	assert.Equal(t, mem.HostFlags(2), mem.HostMapped)
	assert.Equal(t, mem.HostFlags(4), mem.HostWriteCombined)
}

func TestAllocHost(t *testing.T) {
	dev := newDevice(1 << 20)
	for flags := range mem.HostFlags(8) {
		h := allocHost[float32](t, 1000, flags)
		assert.Len(t, h.Data(), 1000)
		assert.Equal(t, 1000, h.Len())
		got, err := h.Flags()
		of, err2 := mem.HostFlagsOf(h.Data()[7:])
		assert.NoError(t, errors.Join(err, err2))
		assert.Equal(t, [2]mem.HostFlags{flags, flags}, [2]mem.HostFlags{got, of})
		at, err := mem.AttributesOfSlice(h.Data()[999:])
		require.NoError(t, err)
		assert.Equal(t, mem.MemoryTypeHost, at.Type)
		assert.Nil(t, at.Memory)
		assert.Equal(t, int64(4000), at.Size)
		require.NoError(t, h.Free())
		assert.Nil(t, h.Data(), "freed, with data")
		assert.ErrorIs(t, h.Free(), mem.ErrFreed, "second Free")
		_, err = h.Flags()
		assert.ErrorIs(t, err, mem.ErrFreed, "Flags")
		_, err = h.On(dev)
		assert.ErrorIs(t, err, mem.ErrFreed, "On")
	}
	assert.Zero(t, used(dev), "memory of the host takes bytes of a device")
	for what, err := range map[string]error{
		"negative": func() error { _, err := mem.AllocHost[int](-1, 0); return err }(),
		"too many": func() error { _, err := mem.AllocHost[int](math.MaxInt, 0); return err }(),
		"flags":    func() error { _, err := mem.AllocHost[int](1, 8); return err }(),
		"strings":  func() error { _, err := mem.AllocHost[string](1, 0); return err }(),
	} {
		assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
	}
	var none *mem.HostBuffer[int]
	_, err := none.On(dev)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "On of nil")
	assert.ErrorIs(t, none.Free(), mem.ErrInvalidValue, "Free of nil")
	assert.Nil(t, none.Data(), "nil has data")
	assert.Zero(t, none.Len(), "nil has data")
}

// Mapped memory is one memory under two names.
func TestMappedHostMemory(t *testing.T) {
	a, b := newDevice(1<<20), newDevice(1<<20)
	h := allocHost[int32](t, 4, mem.HostMapped)
	onA, err := h.On(a)
	require.NoError(t, err)
	onB, err := mem.MapHost(b, h.Data()[1:3])
	require.NoError(t, err)
	onA.Data()[1] = 5 // a kernel
	assert.Equal(t, int32(5), h.Data()[1], "host")
	assert.Equal(t, int32(5), onB.Data()[0], "other device")
	// It is memory of every device, so copies go between them without peer access.
	dst := filled(t, b, int32(0), 0, 0, 0)
	require.NoError(t, mem.Copy(dst, onA))
	s := &stream{device: b}
	require.NoError(t, mem.CopyToHostAsync(s, make([]int32, 4), onA))
	require.NoError(t, mem.MemsetAsync(s, onA, 0xff))
	s.run(t)
	slicetest.Equal(t, []int32{0, 5, 0, 0}, dst.Data(), "copied")
	slicetest.Equal(t, []int32{-1, -1, -1, -1}, h.Data(), "set")
	assert.Equal(t, mem.MemoryTypeHost, onA.Type())
	assert.ErrorIs(t, onA.Free(), mem.ErrInvalidValue, "Free of the mapping")
	require.NoError(t, h.Free())
	assert.ErrorIs(t, mem.Memset(onB, 0), mem.ErrFreed, "mapping of freed memory")
	_, err = h.On(nil)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "no device")
}

func TestHostRegister(t *testing.T) {
	dev := newDevice(1 << 20)
	x := make([]int64, 100)
	_, err := mem.MapHost(dev, x)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "MapHost before")
	_, err = mem.HostFlagsOf(x)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "HostFlagsOf before")
	assert.ErrorIs(t, mem.HostUnregister(x), mem.ErrHostMemoryNotRegistered, "HostUnregister before")

	require.NoError(t, mem.HostRegister(x[20:40], mem.HostPortable|mem.HostMapped))
	for _, c := range []struct{ i, j int }{{20, 40}, {20, 21}, {39, 40}, {30, 31}, {0, 21}, {39, 100}, {0, 100}} {
		assert.ErrorIs(t, mem.HostRegister(x[c.i:c.j], 0), mem.ErrHostMemoryAlreadyRegistered, "registered again")
	}
	require.NoError(t, mem.HostRegister(x[40:50], 0)) // neighbours are none
	require.NoError(t, mem.HostRegister(x[10:20], 0))
	flags, err := mem.HostFlagsOf(x[39:])
	assert.Equal(t, mem.HostPortable|mem.HostMapped, flags)
	assert.NoError(t, err)
	assert.ErrorIs(t, mem.HostUnregister(x[21:40]), mem.ErrHostMemoryNotRegistered, "not its beginning")
	assert.ErrorIs(t, mem.HostUnregister(x), mem.ErrHostMemoryNotRegistered, "before its beginning")

	b, err := mem.MapHost(dev, x[25:40])
	require.NoError(t, err)
	require.NoError(t, mem.CopyToDevice(b, []int64{7}))
	assert.Equal(t, int64(7), x[25], "the mapping has its own memory")
	_, err = mem.MapHost(dev, x[25:41])
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "more than is registered")

	require.NoError(t, mem.HostUnregister(x[20:40]))
	assert.ErrorIs(t, mem.HostUnregister(x[20:40]), mem.ErrHostMemoryNotRegistered, "again")
	assert.ErrorIs(t, mem.Memset(b, 0), mem.ErrFreed, "the mapping")
	require.NoError(t, mem.HostRegister(x[20:40], 0))
	for _, s := range [][]int64{x[10:], x[20:], x[40:]} {
		require.NoError(t, mem.HostUnregister(s))
	}

	buf := filled(t, dev, 1, 2)
	assert.ErrorIs(t, mem.HostRegister(buf.Data(), 0), mem.ErrInvalidValue, "memory of a device")
	assert.ErrorIs(t, mem.HostRegister(allocHost[int](t, 3, 0).Data()[1:], 0), mem.ErrHostMemoryAlreadyRegistered, "page-locked memory")
	assert.ErrorIs(t, mem.HostRegister(x[:0], 0), mem.ErrInvalidValue, "nothing")
	assert.ErrorIs(t, mem.HostRegister[int](nil, 0), mem.ErrInvalidValue, "nil")
	assert.ErrorIs(t, mem.HostRegister(x, mem.HostWriteCombined), mem.ErrInvalidValue, "write-combined")
	assert.ErrorIs(t, mem.HostRegister([]string{"a"}, 0), mem.ErrInvalidValue, "strings")
	assert.ErrorIs(t, mem.HostUnregister(allocHost[int](t, 3, 0).Data()), mem.ErrHostMemoryNotRegistered, "HostUnregister of page-locked memory")
}

// Memory that no collector knows can be registered as well.
var global [1000]uint16

func TestHostRegisterOfAVariable(t *testing.T) {
	require.NoError(t, mem.HostRegister(global[:], 0))
	at, err := mem.AttributesOf(&global[999])
	require.NoError(t, err)
	assert.Equal(t, mem.MemoryTypeHost, at.Type)
	assert.Equal(t, int64(2000), at.Size)
	require.NoError(t, mem.HostUnregister(global[:]))
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
			default:
				require.ErrorIs(t, err, mem.ErrHostMemoryAlreadyRegistered)
			}
		}
		require.NoError(t, mem.HostUnregister(x[won:]))
	}
}
