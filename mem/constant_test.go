package mem_test

import (
	"errors"
	"math"
	"runtime"
	"sync"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

var (
	coef  = mem.NewConstant[float32]("coef", 5, 1, 2)
	table = mem.NewConstant[triple]("table", 3)
)

func TestConstantIsADevicesOwn(t *testing.T) {
	a, b := newDevice(0), newDevice(0) // constant memory counts against no device's memory
	assert.Equal(t, 5, coef.Len())
	assert.Equal(t, 20, coef.Size())
	assert.Equal(t, 36, table.Size())
	assert.NoError(t, coef.Err())
	require.NoError(t, mem.CopyToSymbol(a, coef, []float32{7, 8}, 1))
	for _, c := range []struct {
		dev  *device
		want []float32
	}{{a, []float32{1, 7, 8, 0, 0}}, {b, []float32{1, 2, 0, 0, 0}}} {
		k, err := coef.On(c.dev)
		require.NoError(t, err)
		got := make([]float32, k.Len())
		for i := range got {
			got[i] = k.At(i)
		}
		back := make([]float32, 3)
		require.NoError(t, mem.CopyFromSymbol(c.dev, back, coef, 2))
		slicetest.Equal(t, c.want, got, "what a kernel reads")
		slicetest.Equal(t, c.want[2:], back, "what the host reads")
		f := k.First(2)
		assert.Equal(t, 2, f.Len(), "the first two")
		assert.Equal(t, c.want[1], f.At(1), "the first two")
		at, err := coef.Address(c.dev)
		require.NoError(t, err)
		attr, err := mem.AttributesOf(at)
		require.NoError(t, err)
		assert.Equal(t, c.want[0], *at)
		assert.Equal(t, mem.MemoryTypeDevice, attr.Type)
		assert.Same(t, c.dev.space, attr.Memory)
		assert.GreaterOrEqual(t, attr.Size, int64(20))
	}
	assert.ErrorIs(t, recovered(func() { k, _ := coef.On(a); k.At(5) }), errPanic, "index")
}

var errPanic = errors.New("panic")

func recovered(f func()) (err error) {
	defer func() {
		if recover() != nil {
			err = errPanic
		}
	}()
	f()
	return nil
}

func TestConstantCopiesTakeTheirTurn(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	src, dst := filled(t, dev, triple{1, 2, 3}), make([]triple, 2)
	require.NoError(t, mem.CopyToSymbolAsync(s, table, src.Data(), 2)) // from device memory
	require.NoError(t, mem.CopyFromSymbolAsync(s, dst, table, 1))
	k, err := table.On(s)
	require.NoError(t, err)
	assert.Equal(t, triple{}, k.At(2), "at once")
	src.Data()[0].X = 5
	s.run(t)
	assert.Equal(t, triple{5, 2, 3}, k.At(2))
	slicetest.Equal(t, []triple{{}, {5, 2, 3}}, dst)
}

func TestConstantErrors(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	var zero mem.Constant[float32]
	for _, c := range []*mem.Constant[float32]{nil, &zero} {
		_, on := c.On(dev)
		_, at := c.Address(dev)
		for what, err := range map[string]error{
			"Err": c.Err(), "On": on, "Address": at,
			"CopyToSymbol":        mem.CopyToSymbol(dev, c, nil, 0),
			"CopyFromSymbol":      mem.CopyFromSymbol(dev, nil, c, 0),
			"CopyToSymbolAsync":   mem.CopyToSymbolAsync(s, c, nil, 0),
			"CopyFromSymbolAsync": mem.CopyFromSymbolAsync(s, nil, c, 0),
		} {
			assert.ErrorIs(t, err, mem.ErrInvalidSymbol, what)
		}
		assert.Zero(t, c.Len())
		assert.Zero(t, c.Size())
	}
	x := make([]float32, 9)
	_, noDevice := coef.On(nil)
	for what, err := range map[string]error{
		"too long":              mem.CopyToSymbol(dev, coef, x[:6], 0),
		"too long from there":   mem.CopyToSymbol(dev, coef, x[:2], 4),
		"negative":              mem.CopyToSymbol(dev, coef, x[:1], -1),
		"least":                 mem.CopyToSymbolAsync(s, coef, x[:1], math.MinInt),
		"behind the end":        mem.CopyToSymbolAsync(s, coef, nil, 6),
		"without end":           mem.CopyFromSymbol(dev, x[:1], coef, math.MaxInt),
		"read too much":         mem.CopyFromSymbolAsync(s, x[:5], coef, 1),
		"no device":             noDevice,
		"copy to no device":     mem.CopyToSymbol(nil, coef, x[:1], 0),
		"copy on no stream":     mem.CopyToSymbolAsync(nil, coef, x[:1], 0),
		"copy from on no such":  mem.CopyFromSymbolAsync(nil, x[:1], coef, 0),
		"negative size":         mem.NewConstantIn[float32](new(mem.Module), "c", -1).Err(),
		"size without end":      mem.NewConstantIn[float32](new(mem.Module), "c", math.MaxInt).Err(),
		"no module":             mem.NewConstantIn[float32](nil, "c", 1).Err(),
		"strings":               mem.NewConstantIn[string](new(mem.Module), "c", 1).Err(),
		"more values than room": mem.NewConstantIn[int](new(mem.Module), "c", 1, 1, 2).Err(),
	} {
		assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
	}
	require.NoError(t, mem.CopyToSymbol(dev, coef, nil, 5))
	k, err := coef.On(dev)
	require.NoError(t, err)
	assert.ErrorIs(t, mem.CopyToSymbol(dev, coef, k.Elements[1:3], 0), mem.ErrOverlap, "onto itself")
	assert.Empty(t, s.queue, "wrong copies were queued")
	closed := newDevice(1 << 10)
	closed.space.Close()
	_, err = coef.On(closed)
	assert.ErrorIs(t, err, mem.ErrClosed, "closed device")
}

// A module has 64 KiB, and symbols are aligned within as in C.
func TestConstantMemoryRunsOut(t *testing.T) {
	var m mem.Module
	for _, c := range []struct {
		err  error
		want error
	}{
		{mem.NewConstantIn[byte](&m, "a", 65536+1).Err(), mem.ErrConstantMemory},
		{mem.NewConstantIn[byte](&m, "b", 65536-17).Err(), nil}, // 17 are left
		{mem.NewConstantIn[float64](&m, "c", 3).Err(), mem.ErrConstantMemory},
		{mem.NewConstantIn[float64](&m, "d", 2).Err(), nil}, // at the next multiple of 8
		{mem.NewConstantIn[byte](&m, "e", 1).Err(), mem.ErrConstantMemory},
		{mem.NewConstantIn[byte](&m, "f", 0).Err(), nil},
		{mem.NewConstantIn[byte](new(mem.Module), "another module", 65536).Err(), nil},
	} {
		assert.ErrorIs(t, c.err, c.want)
	}
	var full mem.Module
	mem.NewConstantIn[[65535]byte](&full, "g", 1)
	c := mem.NewConstantIn[int16](&full, "h", 1)
	_, err := c.On(newDevice(0))
	assert.ErrorIs(t, err, mem.ErrConstantMemory, "its use")
	assert.ErrorIs(t, mem.CopyToSymbol(newDevice(0), c, nil, 0), mem.ErrConstantMemory, "a copy")
}

// A kernel that writes is found on a device in checked mode, once, and the host's copies are not.
func TestConstantWritten(t *testing.T) {
	dev, plain := &device{mem.NewSpace(0, true)}, newDevice(0)
	c := mem.NewConstantIn[int32](new(mem.Module), "c", 6, 1, 2, 3)
	k, err := c.On(dev)
	require.NoError(t, err)
	require.NoError(t, mem.CopyToSymbol(dev, c, []int32{9, 9}, 4))
	require.NoError(t, dev.space.CheckConstants())
	k.Elements[4] = 0
	assert.ErrorIs(t, dev.space.CheckConstants(), mem.ErrConstantWritten, "written")
	require.NoError(t, dev.space.CheckConstants())
	assert.Equal(t, int32(9), k.At(4), "restored to %v", k.Elements)
	assert.Equal(t, int32(1), k.At(0), "restored to %v", k.Elements)
	assert.Zero(t, k.At(3), "restored to %v", k.Elements)
	none := mem.NewConstantIn[int32](new(mem.Module), "none", 0)
	_, err = none.On(dev)
	assert.NoError(t, err)
	p, err := none.Address(dev)
	assert.Nil(t, p, "nothing has an address")
	assert.NoError(t, err)
	require.NoError(t, mem.CopyToSymbol(dev, none, nil, 0))
	require.NoError(t, dev.space.CheckConstants())
	_, err = mem.NewConstantIn[struct{}](new(mem.Module), "e", 3).On(dev)
	assert.NoError(t, err)
	k, err = c.On(plain)
	assert.NoError(t, err)
	require.NoError(t, plain.space.CheckConstants())
}

// A symbol that lives as long as the program keeps no device.
func TestConstantKeepsNoDevice(t *testing.T) {
	space := func() weak.Pointer[mem.Space] {
		dev := newDevice(1 << 10)
		require.NoError(t, mem.CopyToSymbol(dev, coef, []float32{1}, 0))
		return weak.Make(dev.space)
	}()
	for range 10 {
		runtime.GC()
		if space.Value() == nil {
			return
		}
	}
	t.Error("the device is still there")
}

func TestConcurrentConstants(t *testing.T) {
	dev := &device{mem.NewSpace(0, true)}
	c := mem.NewConstantIn[int64](new(mem.Module), "c", 64)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for k := range 200 {
				assert.NoError(t, mem.CopyToSymbol(dev, c, []int64{int64(k)}, g))
				assert.NoError(t, dev.space.CheckConstants())
			}
		})
	}
	wg.Wait()
	k, err := c.On(dev)
	require.NoError(t, err)
	for g := range 8 {
		assert.Equal(t, int64(199), k.At(g), "element %d", g)
	}
}
