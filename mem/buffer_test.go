package mem_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
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
		assert.Len(t, x, n)
		assert.Equal(t, n, b.Len())
		assert.Zero(t, reflect.ValueOf(x).Pointer()%128, "%d elements begin at %p", n, x)
		require.NoError(t, b.Free())
	}
}

func TestBuffersAreDisjoint(t *testing.T) {
	dev := newDevice(1 << 20)
	var all []*mem.Buffer[byte]
	for n := range 40 {
		b := alloc[byte](t, dev, 7*n+1)
		require.NoError(t, mem.Memset(b, byte(n)))
		all = append(all, b)
	}
	for n, b := range all {
		slicetest.Each(t, func(int) byte { return byte(n) }, b.Data(), "buffer %d", n)
	}
}

func TestZeroLength(t *testing.T) {
	dev := newDevice(1 << 10)
	b := alloc[triple](t, dev, 0)
	assert.Zero(t, b.Len())
	assert.Empty(t, b.Data())
	assert.Zero(t, used(dev), "bytes in use")
	require.NoError(t, mem.CopyToDevice(b, nil))
	require.NoError(t, mem.CopyToHost(nil, b))
	require.NoError(t, mem.Copy(b, b)) // no memory is no shared memory
	require.NoError(t, mem.Memset(b, 1))
	require.NoError(t, b.Free())
	assert.ErrorIs(t, b.Free(), mem.ErrFreed, "second Free")
}

func TestNoBuffer(t *testing.T) {
	var zero mem.Buffer[int32]
	one := filled[int32](t, newDevice(1<<10), 7)
	s := &stream{device: newDevice(1 << 10)}
	for name, b := range map[string]*mem.Buffer[int32]{"nil": nil, "zero value": &zero} {
		t.Run(name, func(t *testing.T) {
			assert.Zero(t, b.Len())
			assert.Nil(t, b.Data())
			_, err := b.Slice(0, 0)
			assert.ErrorIs(t, err, mem.ErrInvalidValue, "Slice")
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
				assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
			}
		})
	}
}

func TestFree(t *testing.T) {
	dev := newDevice(1 << 10)
	s := &stream{device: dev}
	b := filled[int32](t, dev, 1, 2, 3)
	other := filled[int32](t, dev, 4, 5, 6)
	require.NoError(t, b.Free())
	assert.Nil(t, b.Data(), "a freed buffer has data")
	assert.Equal(t, 3, b.Len(), "length of a freed buffer")
	host := make([]int32, 3)
	_, err := b.Slice(0, 1)
	assert.ErrorIs(t, err, mem.ErrFreed, "Slice")
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
		assert.ErrorIs(t, err, mem.ErrFreed, what)
	}
	assert.Empty(t, s.queue, "copies of a freed buffer were queued")
	slicetest.Equal(t, []int32{4, 5, 6}, other.Data(), "the other buffer")
	require.NoError(t, other.Free())
	assert.Zero(t, used(dev), "bytes in use")
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
				assert.ErrorIs(t, err, mem.ErrInvalidValue, "Slice")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, len(c.want), p.Len())
			slicetest.Equal(t, c.want, p.Data())
		})
	}
}

func TestSliceOfSlice(t *testing.T) {
	dev := newDevice(1 << 10)
	b := filled(t, dev, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	before := used(dev)
	p := part(t, b, 2, 8) // 2 to 7
	q := part(t, p, 1, 4) // 3 to 5
	slicetest.Equal(t, []int{3, 4, 5}, q.Data())
	// The bounds are those of the part, though the memory goes on.
	_, err := p.Slice(0, 7)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "more than the part")
	_, err = q.Slice(2, 4)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "more than the part's part")

	// All of them are the same memory, and none of them is new memory.
	q.Data()[0] = 33
	require.NoError(t, mem.CopyToDevice(part(t, q, 2, 3), []int{55}))
	b.Data()[4] = 44
	want := []int{33, 44, 55}
	slicetest.Equal(t, want, q.Data(), "the part")
	slicetest.Equal(t, want, b.Data()[3:6], "the buffer")
	assert.Equal(t, before, used(dev), "parts take memory")
	// Appending to a part's elements must not write into the rest of the buffer.
	_ = append(q.Data(), 99)
	assert.Equal(t, 6, b.Data()[6], "the element behind the part")
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
		assert.Error(t, p.Free(), "%s: freed", name)
	}
	assert.Equal(t, before, used(dev), "bytes in use")
	slicetest.Equal(t, []int{0, 1, 2, 3}, b.Data())
	require.NoError(t, b.Free())
}

func TestPartsDieWithTheirBuffer(t *testing.T) {
	dev := newDevice(1 << 10)
	b := filled(t, dev, 0, 1, 2, 3)
	p := part(t, b, 1, 3)
	q := part(t, p, 1, 2)
	require.NoError(t, b.Free())
	for _, c := range []struct {
		name string
		b    *mem.Buffer[int]
		n    int
	}{{"part", p, 2}, {"part's part", q, 1}} {
		assert.Nil(t, c.b.Data(), c.name)
		assert.Equal(t, c.n, c.b.Len(), c.name)
		assert.ErrorIs(t, mem.CopyToHost(make([]int, 2), c.b), mem.ErrFreed, c.name+" to host")
		assert.ErrorIs(t, mem.Memset(c.b, 0), mem.ErrFreed, c.name+" Memset")
		_, err := c.b.Slice(0, 1)
		assert.ErrorIs(t, err, mem.ErrFreed, c.name+" Slice")
		assert.Error(t, c.b.Free(), "%s: freed", c.name)
	}
	assert.Zero(t, used(dev), "bytes in use")
}
