package mem_test

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/gocuda/gocuda/mem"
)

func TestPitch(t *testing.T) {
	dev := newDevice(64 << 20)
	t.Run("byte", func(t *testing.T) { testPitch[byte](t, dev, 512) })
	t.Run("int16", func(t *testing.T) { testPitch[int16](t, dev, 512) })
	t.Run("float32", func(t *testing.T) { testPitch[float32](t, dev, 512) })
	t.Run("complex128", func(t *testing.T) { testPitch[complex128](t, dev, 512) })
	t.Run("3 bytes", func(t *testing.T) { testPitch[[3]byte](t, dev, 1536) })
	t.Run("triple", func(t *testing.T) { testPitch[triple](t, dev, 1536) })          // 12 and 512
	t.Run("200 bytes", func(t *testing.T) { testPitch[[25]float64](t, dev, 12800) }) // 8*25 and 8*64
	t.Run("1024 bytes", func(t *testing.T) { testPitch[[256]float32](t, dev, 1024) })
}

// testPitch knows the least common multiple of 512 and the size of T.
func testPitch[T any](t *testing.T, dev mem.Device, unit int) {
	var z T
	size := int(unsafe.Sizeof(z))
	for _, width := range []int{0, 1, 2, 31, 127, 128, 129, 511, 512, 513, 1000} {
		before := used(dev)
		p, err := mem.AllocPitch[T](dev, width, 3)
		must(t, err)
		want := 0 // the first multiple of unit that the row fits into
		for want < width*size {
			want += unit
		}
		if p.Pitch() != want || p.Stride()*size != want || p.Pitch()%mem.PitchAlign != 0 {
			t.Errorf("rows of %d: pitch %d, stride %d, want %d bytes", width, p.Pitch(), p.Stride(), want)
		}
		if p.Width() != width || p.Height() != 3 || p.Depth() != 1 || len(p.Data()) != 3*p.Stride() {
			t.Errorf("%d x %d x %d, %d elements", p.Width(), p.Height(), p.Depth(), len(p.Data()))
		}
		if got := used(dev) - before; got != int64(3*want) {
			t.Errorf("rows of %d take %d bytes, want %d", width, got, 3*want)
		}
		must(t, p.Free())
	}
}

func TestPitchedRows(t *testing.T) {
	dev := newDevice(1 << 20)
	p, err := mem.Alloc3D[int32](dev, 5, 3, 2)
	must(t, err)
	for z := range 2 {
		for y := range 3 {
			row := p.Row(y, z)
			if len(row) != 5 || cap(row) != 5 {
				t.Fatalf("row %d of slice %d has %d elements, %d with what is behind", y, z, len(row), cap(row))
			}
			for x := range row {
				row[x] = int32(100*z + 10*y + x + 1)
			}
		}
	}
	// What the formula of the package says.
	for i, v := range p.Data() {
		x, y, z := i%p.Stride(), i/p.Stride()%3, i/p.Stride()/3
		want := int32(0)
		if x < 5 {
			want = int32(100*z + 10*y + x + 1)
		}
		if v != want {
			t.Fatalf("element (%d,%d,%d) is %d, want %d", x, y, z, v, want)
		}
	}
	for _, at := range [][2]int{{-1, 0}, {3, 0}, {0, -1}, {0, 2}} {
		if r := p.Row(at[0], at[1]); r != nil {
			t.Errorf("row %d of slice %d is %v", at[0], at[1], r)
		}
	}
	b, err := p.Buffer()
	must(t, err)
	wantError(t, "Free of its buffer", b.Free(), mem.ErrInvalidValue)
	must(t, p.Free())
	if p.Data() != nil || p.Row(0, 0) != nil || b.Data() != nil || used(dev) != 0 {
		t.Errorf("freed, with data %v, %v and %v, %d bytes used", p.Data(), p.Row(0, 0), b.Data(), used(dev))
	}
	wantError(t, "second Free", p.Free(), mem.ErrFreed)
	_, err = p.Buffer()
	wantError(t, "Buffer", err, mem.ErrFreed)
	wantError(t, "Memset2D", mem.Memset2D(p.Rows(), 0, 1, 1), mem.ErrFreed)
}

func TestPitchedSizesThatCannotBe(t *testing.T) {
	dev := newDevice(math.MaxInt64)
	for _, c := range [][3]int{
		{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {math.MinInt, 1, 1},
		{math.MaxInt, 1, 1}, {math.MaxInt, 2, 1}, {1, math.MaxInt, 1}, {1, 1, math.MaxInt}, {1, math.MaxInt, math.MaxInt},
		{math.MaxInt / 4, 4, 1}, {1 << 15, math.MaxInt / 4, 4}, {math.MaxInt, math.MaxInt, math.MaxInt},
	} {
		_, err := mem.Alloc3D[float64](dev, c[0], c[1], c[2])
		wantError(t, "Alloc3D", err, mem.ErrInvalidValue)
	}
	for _, c := range [][3]int{{0, 0, 0}, {0, 5, 5}, {5, 0, 5}, {5, 5, 0}} {
		p, err := mem.Alloc3D[float64](dev, c[0], c[1], c[2])
		must(t, err)
		if len(p.Data()) != 0 {
			t.Errorf("%v has %d elements", c, len(p.Data()))
		}
		must(t, mem.Copy3D(p.Rows(), mem.HostRows[float64](nil, 0, 0), c[0], c[1], c[2]))
		must(t, p.Free())
	}
	_, err := mem.AllocPitch[string](dev, 1, 1)
	wantError(t, "strings", err, mem.ErrInvalidValue)
	_, err = mem.AllocPitch[int](nil, 1, 1)
	wantError(t, "no device", err, mem.ErrInvalidValue)
	small := newDevice(1000)
	_, err = mem.AllocPitch[byte](small, 1, 2)
	wantError(t, "two rows of 512 bytes in 1000", err, mem.ErrOutOfMemory)
}

func TestNoPitched(t *testing.T) {
	var zero mem.Pitched[int32]
	for name, p := range map[string]*mem.Pitched[int32]{"nil": nil, "zero value": &zero} {
		if p.Width() != 0 || p.Height() != 0 || p.Depth() != 0 || p.Stride() != 0 || p.Pitch() != 0 || p.Data() != nil {
			t.Errorf("%s has something", name)
		}
		if p.Row(0, 0) != nil {
			t.Errorf("%s has a row", name)
		}
		_, err := p.Buffer()
		wantError(t, name, err, mem.ErrInvalidValue)
		wantError(t, name, p.Free(), mem.ErrInvalidValue)
		wantError(t, name, mem.Copy2D(p.Rows(), mem.HostRows([]int32{1}, 1, 1), 1, 1), mem.ErrInvalidValue)
		wantError(t, name, mem.Copy2D(mem.HostRows([]int32{1}, 1, 1), p.Rows(), 1, 1), mem.ErrInvalidValue)
		wantError(t, name, mem.Memset2D(p.Rows(), 1, 1, 1), mem.ErrInvalidValue)
	}
}

func TestPitchedIsPoisoned(t *testing.T) {
	dev := &device{mem.NewSpace(1<<20, true)}
	p, err := mem.AllocPitch[float32](dev, 7, 7)
	must(t, err)
	if i := slices.IndexFunc(p.Data(), func(v float32) bool { return v == v }); i >= 0 {
		t.Errorf("element %d is %v", i, p.Data()[i])
	}
}
