package mem_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/gocuda/gocuda/mem"
)

func TestAlignment(t *testing.T) {
	dev := newDevice(64 << 20)
	t.Run("byte", func(t *testing.T) { testAlignment[byte](t, dev) })
	t.Run("int16", func(t *testing.T) { testAlignment[int16](t, dev) })
	t.Run("float32", func(t *testing.T) { testAlignment[float32](t, dev) })
	t.Run("complex128", func(t *testing.T) { testAlignment[complex128](t, dev) })
	t.Run("triple", func(t *testing.T) { testAlignment[triple](t, dev) })
	t.Run("3 bytes", func(t *testing.T) { testAlignment[[3]byte](t, dev) })
	t.Run("200 bytes", func(t *testing.T) { testAlignment[[25]float64](t, dev) })
}

func testAlignment[T any](t *testing.T, dev mem.Device) {
	for _, n := range []int{1, 2, 3, 5, 7, 8, 10, 11, 31, 32, 33, 42, 100, 127, 128, 129, 1000, 4096, 4097, 65537} {
		b := alloc[T](t, dev, n)
		x := b.Data()
		if len(x) != n || b.Len() != n {
			t.Errorf("%d elements: Data has %d, Len says %d", n, len(x), b.Len())
		}
		if at := reflect.ValueOf(x).Pointer(); at%128 != 0 {
			t.Errorf("%d elements begin at %#x", n, at)
		}
		must(t, b.Free())
	}
}

func TestBuffersAreDisjoint(t *testing.T) {
	dev := newDevice(1 << 20)
	var all []*mem.Buffer[byte]
	for n := range 40 {
		b := alloc[byte](t, dev, 7*n+1)
		must(t, mem.Memset(b, byte(n)))
		all = append(all, b)
	}
	for n, b := range all {
		for i, v := range b.Data() {
			if v != byte(n) {
				t.Fatalf("buffer %d holds %d at %d", n, v, i)
			}
		}
	}
}

func TestZeroLength(t *testing.T) {
	dev := newDevice(1 << 10)
	b := alloc[triple](t, dev, 0)
	if b.Len() != 0 || len(b.Data()) != 0 || used(dev) != 0 {
		t.Errorf("length %d, data %v, %d bytes in use", b.Len(), b.Data(), used(dev))
	}
	must(t, mem.CopyToDevice(b, nil))
	must(t, mem.CopyToHost(nil, b))
	must(t, mem.Copy(b, b)) // no memory is no shared memory
	must(t, mem.Memset(b, 1))
	must(t, b.Free())
	wantError(t, "second Free", b.Free(), mem.ErrFreed)
}

func TestNoBuffer(t *testing.T) {
	var zero mem.Buffer[int32]
	one := filled[int32](t, newDevice(1<<10), 7)
	s := &stream{device: newDevice(1 << 10)}
	for name, b := range map[string]*mem.Buffer[int32]{"nil": nil, "zero value": &zero} {
		t.Run(name, func(t *testing.T) {
			if b.Len() != 0 || b.Data() != nil {
				t.Errorf("length %d, data %v", b.Len(), b.Data())
			}
			_, err := b.Slice(0, 0)
			wantError(t, "Slice", err, mem.ErrInvalidValue)
			for what, err := range map[string]error{
				"Free":                 b.Free(),
				"Memset":               mem.Memset(b, 0),
				"CopyToDevice":         mem.CopyToDevice(b, nil),
				"CopyToHost":           mem.CopyToHost(nil, b),
				"Copy to it":           mem.Copy(b, one),
				"Copy from it":         mem.Copy(one, b),
				"MemsetAsync":          mem.MemsetAsync(s, b, 0),
				"CopyToDeviceAsync":    mem.CopyToDeviceAsync(s, b, nil),
				"CopyToHostAsync":      mem.CopyToHostAsync(s, nil, b),
				"CopyAsync, from, to":  mem.CopyAsync(s, b, b),
				"Copy from and to it ": mem.Copy(b, b),
			} {
				wantError(t, what, err, mem.ErrInvalidValue)
			}
		})
	}
}

func TestFree(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	b := filled[int32](t, dev, 1, 2, 3)
	other := filled[int32](t, dev, 4, 5, 6)
	must(t, b.Free())
	if b.Data() != nil {
		t.Errorf("a freed buffer has data %v", b.Data())
	}
	if b.Len() != 3 {
		t.Errorf("a freed buffer of 3 has length %d", b.Len())
	}
	host := make([]int32, 3)
	_, err := b.Slice(0, 1)
	wantError(t, "Slice", err, mem.ErrFreed)
	for what, err := range map[string]error{
		"Free":              b.Free(),
		"Memset":            mem.Memset(b, 0),
		"CopyToDevice":      mem.CopyToDevice(b, host),
		"CopyToHost":        mem.CopyToHost(host, b),
		"Copy to it":        mem.Copy(b, other),
		"Copy from it":      mem.Copy(other, b),
		"MemsetAsync":       mem.MemsetAsync(s, b, 0),
		"CopyToDeviceAsync": mem.CopyToDeviceAsync(s, b, host),
		"CopyToHostAsync":   mem.CopyToHostAsync(s, host, b),
		"CopyAsync to it":   mem.CopyAsync(s, b, other),
		"CopyAsync from it": mem.CopyAsync(s, other, b),
	} {
		wantError(t, what, err, mem.ErrFreed)
	}
	if len(s.queue) != 0 {
		t.Errorf("%d copies of a freed buffer were queued", len(s.queue))
	}
	if want := []int32{4, 5, 6}; !slices.Equal(other.Data(), want) {
		t.Errorf("the other buffer holds %v, want %v", other.Data(), want)
	}
	must(t, other.Free())
	if used(dev) != 0 {
		t.Errorf("%d bytes in use", used(dev))
	}
}

func TestSliceBounds(t *testing.T) {
	dev := newDevice(1 << 10)
	b := filled(t, dev, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	for _, c := range []struct {
		name string
		i, j int
		want []int // nil for an error
	}{
		{"all", 0, 10, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"begin", 0, 3, []int{0, 1, 2}},
		{"middle", 4, 6, []int{4, 5}},
		{"end", 9, 10, []int{9}},
		{"empty at the begin", 0, 0, []int{}},
		{"empty at the end", 10, 10, []int{}},
		{"beyond the end", 5, 11, nil},
		{"empty beyond the end", 11, 11, nil},
		{"negative", -1, 5, nil},
		{"both negative", -2, -1, nil},
		{"backwards", 6, 5, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := b.Slice(c.i, c.j)
			if c.want == nil {
				wantError(t, "Slice", err, mem.ErrInvalidValue)
				return
			}
			must(t, err)
			if p.Len() != len(c.want) || !slices.Equal(p.Data(), c.want) {
				t.Errorf("length %d of %v, want %v", p.Len(), p.Data(), c.want)
			}
		})
	}
}

func TestSliceOfSlice(t *testing.T) {
	dev := newDevice(1 << 10)
	b := filled(t, dev, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	before := used(dev)
	p := part(t, b, 2, 8) // 2 to 7
	q := part(t, p, 1, 4) // 3 to 5
	if want := []int{3, 4, 5}; !slices.Equal(q.Data(), want) {
		t.Errorf("got %v, want %v", q.Data(), want)
	}
	// The bounds are those of the part, though the memory goes on.
	_, err := p.Slice(0, 7)
	wantError(t, "more than the part", err, mem.ErrInvalidValue)
	_, err = q.Slice(2, 4)
	wantError(t, "more than the part's part", err, mem.ErrInvalidValue)

	// All of them are the same memory, and none of them is new memory.
	q.Data()[0] = 33
	must(t, mem.CopyToDevice(part(t, q, 2, 3), []int{55}))
	b.Data()[4] = 44
	if want := []int{33, 44, 55}; !slices.Equal(q.Data(), want) || !slices.Equal(b.Data()[3:6], want) {
		t.Errorf("the part holds %v, the buffer %v, want %v", q.Data(), b.Data()[3:6], want)
	}
	if used(dev) != before {
		t.Errorf("parts take %d bytes", used(dev)-before)
	}
	// Appending to a part's elements must not write into the rest of the buffer.
	if _ = append(q.Data(), 99); b.Data()[6] != 6 {
		t.Errorf("the element behind the part is %d", b.Data()[6])
	}
}

func TestPartsCannotBeFreed(t *testing.T) {
	dev := newDevice(1 << 10)
	b := filled(t, dev, 0, 1, 2, 3)
	before := used(dev)
	for name, p := range map[string]*mem.Buffer[int]{
		"part":        part(t, b, 1, 3),
		"begin":       part(t, b, 0, 2),
		"all of it":   part(t, b, 0, 4),
		"none of it":  part(t, b, 0, 0),
		"part's part": part(t, part(t, b, 1, 3), 0, 1),
	} {
		if err := p.Free(); err == nil {
			t.Errorf("%s: freed", name)
		}
	}
	if used(dev) != before || !slices.Equal(b.Data(), []int{0, 1, 2, 3}) {
		t.Errorf("%d bytes in use, want %d; data %v", used(dev), before, b.Data())
	}
	must(t, b.Free())
}

func TestPartsDieWithTheirBuffer(t *testing.T) {
	dev := newDevice(1 << 10)
	b := filled(t, dev, 0, 1, 2, 3)
	p := part(t, b, 1, 3)
	q := part(t, p, 1, 2)
	must(t, b.Free())
	for _, c := range []struct {
		name string
		b    *mem.Buffer[int]
		n    int
	}{{"part", p, 2}, {"part's part", q, 1}} {
		if c.b.Data() != nil || c.b.Len() != c.n {
			t.Errorf("%s: data %v, length %d, want none of %d", c.name, c.b.Data(), c.b.Len(), c.n)
		}
		wantError(t, c.name+" to host", mem.CopyToHost(make([]int, 2), c.b), mem.ErrFreed)
		wantError(t, c.name+" Memset", mem.Memset(c.b, 0), mem.ErrFreed)
		_, err := c.b.Slice(0, 1)
		wantError(t, c.name+" Slice", err, mem.ErrFreed)
		if c.b.Free() == nil {
			t.Errorf("%s: freed", c.name)
		}
	}
	if used(dev) != 0 {
		t.Errorf("%d bytes in use", used(dev))
	}
}
