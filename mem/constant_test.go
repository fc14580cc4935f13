package mem_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"weak"

	"github.com/gocuda/gocuda/mem"
)

var (
	coef  = mem.NewConstant[float32]("coef", 5, 1, 2)
	table = mem.NewConstant[triple]("table", 3)
)

func TestConstantIsADevicesOwn(t *testing.T) {
	a, b := newDevice(0), newDevice(0) // constant memory counts against no device's memory
	if coef.Len() != 5 || coef.Size() != 20 || table.Size() != 36 || coef.Err() != nil {
		t.Errorf("%d elements, %d and %d bytes, %v", coef.Len(), coef.Size(), table.Size(), coef.Err())
	}
	must(t, mem.CopyToSymbol(a, coef, []float32{7, 8}, 1))
	for _, c := range []struct {
		dev  *device
		want []float32
	}{{a, []float32{1, 7, 8, 0, 0}}, {b, []float32{1, 2, 0, 0, 0}}} {
		k, err := coef.On(c.dev)
		must(t, err)
		got := make([]float32, k.Len())
		for i := range got {
			got[i] = k.At(i)
		}
		back := make([]float32, 3)
		must(t, mem.CopyFromSymbol(c.dev, back, coef, 2))
		if !slices.Equal(got, c.want) || !slices.Equal(back, c.want[2:]) {
			t.Errorf("a kernel reads %v, the host %v, want %v", got, back, c.want)
		}
		if f := k.First(2); f.Len() != 2 || f.At(1) != c.want[1] {
			t.Errorf("the first two are %v", f)
		}
		at, err := coef.Address(c.dev)
		must(t, err)
		attr, err := mem.AttributesOf(at)
		must(t, err)
		if *at != c.want[0] || attr.Type != mem.MemoryTypeDevice || attr.Memory != c.dev.space || attr.Size < 20 {
			t.Errorf("its address is of %v, %+v", *at, attr)
		}
	}
	wantError(t, "index", recovered(func() { k, _ := coef.On(a); k.At(5) }), errPanic)
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
	must(t, mem.CopyToSymbolAsync(s, table, src.Data(), 2)) // from device memory
	must(t, mem.CopyFromSymbolAsync(s, dst, table, 1))
	k, err := table.On(s)
	must(t, err)
	if k.At(2) != (triple{}) {
		t.Errorf("at once: %v", k.At(2))
	}
	src.Data()[0].X = 5
	s.run(t)
	if k.At(2) != (triple{5, 2, 3}) || !slices.Equal(dst, []triple{{}, {5, 2, 3}}) {
		t.Errorf("got %v, %v", k.At(2), dst)
	}
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
			wantError(t, what, err, mem.ErrInvalidSymbol)
		}
		if c.Len() != 0 || c.Size() != 0 {
			t.Errorf("no symbol has %d elements, %d bytes", c.Len(), c.Size())
		}
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
		wantError(t, what, err, mem.ErrInvalidValue)
	}
	must(t, mem.CopyToSymbol(dev, coef, nil, 5))
	k, err := coef.On(dev)
	must(t, err)
	wantError(t, "onto itself", mem.CopyToSymbol(dev, coef, k.Elements[1:3], 0), mem.ErrOverlap)
	if len(s.queue) != 0 {
		t.Error("wrong copies were queued")
	}
	closed := newDevice(1 << 10)
	closed.space.Close()
	_, err = coef.On(closed)
	wantError(t, "closed device", err, mem.ErrClosed)
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
		if c.want == nil && c.err != nil || !errors.Is(c.err, c.want) {
			t.Errorf("got %v, want %v", c.err, c.want)
		}
	}
	var full mem.Module
	mem.NewConstantIn[[65535]byte](&full, "g", 1)
	c := mem.NewConstantIn[int16](&full, "h", 1)
	_, err := c.On(newDevice(0))
	wantError(t, "its use", err, mem.ErrConstantMemory)
	wantError(t, "a copy", mem.CopyToSymbol(newDevice(0), c, nil, 0), mem.ErrConstantMemory)
}

// A kernel that writes is found on a device in checked mode, once, and the host's copies are not.
func TestConstantWritten(t *testing.T) {
	dev, plain := &device{mem.NewSpace(0, true)}, newDevice(0)
	c := mem.NewConstantIn[int32](new(mem.Module), "c", 6, 1, 2, 3)
	k, err := c.On(dev)
	must(t, err)
	must(t, mem.CopyToSymbol(dev, c, []int32{9, 9}, 4))
	must(t, dev.space.CheckConstants())
	k.Elements[4] = 0
	wantError(t, "written", dev.space.CheckConstants(), mem.ErrConstantWritten)
	must(t, dev.space.CheckConstants())
	if k.At(4) != 9 || k.At(0) != 1 || k.At(3) != 0 {
		t.Errorf("restored to %v", k.Elements)
	}
	none := mem.NewConstantIn[int32](new(mem.Module), "none", 0)
	if _, err := none.On(dev); err != nil {
		t.Error(err)
	}
	if p, err := none.Address(dev); p != nil || err != nil {
		t.Errorf("nothing is at %p, %v", p, err)
	}
	must(t, mem.CopyToSymbol(dev, none, nil, 0))
	must(t, dev.space.CheckConstants())
	if _, err := mem.NewConstantIn[struct{}](new(mem.Module), "e", 3).On(dev); err != nil {
		t.Error(err)
	}
	if k, err = c.On(plain); err != nil {
		t.Error(err)
	}
	must(t, plain.space.CheckConstants())
}

// A symbol that lives as long as the program keeps no device.
func TestConstantKeepsNoDevice(t *testing.T) {
	space := func() weak.Pointer[mem.Space] {
		dev := newDevice(1 << 10)
		must(t, mem.CopyToSymbol(dev, coef, []float32{1}, 0))
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
				if err := mem.CopyToSymbol(dev, c, []int64{int64(k)}, g); err != nil {
					t.Error(err)
				}
				if err := dev.space.CheckConstants(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	k, err := c.On(dev)
	must(t, err)
	for g := range 8 {
		if k.At(g) != 199 {
			t.Errorf("element %d is %d", g, k.At(g))
		}
	}
}
