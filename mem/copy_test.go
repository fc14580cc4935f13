package mem_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func TestCopies(t *testing.T) {
	for _, c := range []struct {
		name     string
		dst, src []int32
		want     []int32 // nil if dst is too short
	}{
		{"same length", []int32{1, 2, 3}, []int32{7, 8, 9}, []int32{7, 8, 9}},
		{"larger destination keeps its tail", []int32{1, 2, 3, 4}, []int32{7, 8}, []int32{7, 8, 3, 4}},
		{"destination too short", []int32{1, 2}, []int32{7, 8, 9}, nil},
		{"no destination", []int32{}, []int32{7}, nil},
		{"no source", []int32{1, 2}, []int32{}, []int32{1, 2}},
		{"nothing to nothing", []int32{}, []int32{}, []int32{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dev := newDevice(1 << 10)
			check := func(what string, err error, got []int32) {
				t.Helper()
				if c.want == nil {
					assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
					slicetest.Equal(t, c.dst, got, "%s failed, and has changed something", what)
				} else {
					assert.NoError(t, err, what)
					slicetest.Equal(t, c.want, got, what)
				}
			}
			src := filled(t, dev, c.src...)

			dst := filled(t, dev, c.dst...)
			err := mem.CopyToDevice(dst, c.src)
			check("CopyToDevice", err, dst.Data())

			dst = filled(t, dev, c.dst...)
			err = mem.Copy(dst, src)
			check("Copy", err, dst.Data())

			host := slices.Clone(c.dst)
			err = mem.CopyToHost(host, src)
			check("CopyToHost", err, host)

			slicetest.Equal(t, c.src, src.Data(), "the source")
		})
	}
}

// A copy is a copy: neither side sees later changes of the other.
func TestCopiesAreIndependent(t *testing.T) {
	dev := newDevice(1 << 10)
	host := []float32{1, 2}
	a := filled(t, dev, host...)
	b := alloc[float32](t, dev, 2)
	require.NoError(t, mem.Copy(b, a))
	back := make([]float32, 2)
	require.NoError(t, mem.CopyToHost(back, b))
	host[0], a.Data()[0], b.Data()[0] = 10, 20, 30
	slicetest.Equal(t, []float32{10, 20, 30, 1}, []float32{host[0], a.Data()[0], b.Data()[0], back[0]})
}

// Copies move bits: a NaN keeps its payload and 0 its sign.
func TestCopiesKeepBits(t *testing.T) {
	dev := newDevice(1 << 10)
	host := []float32{math.Float32frombits(0x7fc01234), math.Float32frombits(0x80000000)}
	a := filled(t, dev, host...)
	b := alloc[float32](t, dev, 2)
	require.NoError(t, mem.Copy(b, a))
	back := make([]float32, 2)
	require.NoError(t, mem.CopyToHost(back, b))
	slicetest.EqualBits(t, host, back)
}

func TestCopiesOfParts(t *testing.T) {
	dev := newDevice(1 << 10)
	b := filled(t, dev, triple{0, 0, 0}, triple{1, 1, 1}, triple{2, 2, 2}, triple{3, 3, 3})
	require.NoError(t, mem.CopyToDevice(part(t, b, 1, 3), []triple{{7, 8, 9}}))
	host := make([]triple, 2)
	require.NoError(t, mem.CopyToHost(host, part(t, b, 1, 3)))
	slicetest.Equal(t, []triple{{7, 8, 9}, {2, 2, 2}}, host)
	// The room is that of the part, not of the buffer behind it.
	assert.ErrorIs(t, mem.CopyToDevice(part(t, b, 0, 1), host), mem.ErrInvalidValue, "beyond the part")
	assert.ErrorIs(t, mem.Copy(part(t, b, 0, 1), part(t, b, 2, 4)), mem.ErrInvalidValue, "beyond the part")
}

func TestCopyBetweenDevices(t *testing.T) {
	a, b := newDevice(1<<10), newDevice(1<<10)
	x, y := filled(t, a, 1, 2), filled(t, b, 3, 4)
	assert.ErrorIs(t, mem.Copy(x, y), mem.ErrForeign, "Copy")
	assert.ErrorIs(t, mem.Copy(part(t, y, 0, 1), part(t, x, 0, 1)), mem.ErrForeign, "Copy")
	slicetest.Equal(t, []int{1, 2}, x.Data())
	slicetest.Equal(t, []int{3, 4}, y.Data())
	// A device is its memory: two values that stand for the same one are no different devices.
	z := filled(t, &device{a.space}, 5, 6)
	require.NoError(t, mem.Copy(x, z))
	slicetest.Equal(t, []int{5, 6}, x.Data())
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		name           string
		d0, d1, s0, s1 int
		want           error
	}{
		{"itself", 0, 8, 0, 8, mem.ErrOverlap},
		{"same part", 2, 5, 2, 5, mem.ErrOverlap},
		{"forwards by one", 1, 4, 0, 3, mem.ErrOverlap},
		{"backwards by one", 0, 3, 1, 4, mem.ErrOverlap},
		{"last element", 0, 4, 3, 7, mem.ErrOverlap},
		{"source within", 0, 8, 2, 5, mem.ErrOverlap},
		{"neighbours", 0, 4, 4, 8, nil},
		{"neighbours, other way", 4, 8, 0, 4, nil},
		{"apart", 0, 2, 5, 7, nil},
		{"no elements", 0, 8, 3, 3, nil},
		{"no elements of itself", 3, 3, 3, 3, nil},
		// Only the beginning of the destination is written, and that is not in the source.
		{"destination has room up to the source's end", 0, 8, 5, 8, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dev := newDevice(1 << 10)
			b := filled(t, dev, 0, 1, 2, 3, 4, 5, 6, 7)
			want := slices.Clone(b.Data())
			if c.want == nil {
				copy(want[c.d0:c.d1], want[c.s0:c.s1])
			}
			err := mem.Copy(part(t, b, c.d0, c.d1), part(t, b, c.s0, c.s1))
			assert.ErrorIs(t, err, c.want, "Copy")
			slicetest.Equal(t, want, b.Data())
			s := &stream{device: dev}
			err = mem.CopyAsync(s, part(t, b, c.d0, c.d1), part(t, b, c.s0, c.s1))
			assert.ErrorIs(t, err, c.want, "CopyAsync")
		})
	}
}

// The slice of a buffer is the buffer, so a program can hand it over as host memory.
func TestOverlapWithTheBuffersOwnSlice(t *testing.T) {
	b := filled(t, newDevice(1<<10), 0, 1, 2, 3)
	assert.ErrorIs(t, mem.CopyToDevice(part(t, b, 0, 2), b.Data()[1:3]), mem.ErrOverlap, "CopyToDevice")
	assert.ErrorIs(t, mem.CopyToHost(b.Data()[1:3], part(t, b, 0, 2)), mem.ErrOverlap, "CopyToHost")
	require.NoError(t, mem.CopyToDevice(part(t, b, 0, 2), b.Data()[2:4]))
	require.NoError(t, mem.CopyToHost(b.Data()[1:2], part(t, b, 3, 4)))
	slicetest.Equal(t, []int{2, 3, 2, 3}, b.Data())
}

func TestMemset(t *testing.T) {
	dev := newDevice(1 << 10)
	i := alloc[int32](t, dev, 5)
	require.NoError(t, mem.Memset(i, 0x01))
	slicetest.Equal(t, slices.Repeat([]int32{0x01010101}, 5), i.Data())
	require.NoError(t, mem.Memset(part(t, i, 1, 3), 0xff))
	slicetest.Equal(t, []int32{0x01010101, -1, -1, 0x01010101, 0x01010101}, i.Data())
	x := alloc[triple](t, dev, 3)
	require.NoError(t, mem.Memset(x, 0x40))
	v := math.Float32frombits(0x40404040)
	slicetest.Equal(t, slices.Repeat([]triple{{v, v, v}}, 3), x.Data())
	require.NoError(t, mem.Memset(x, 0))
	slicetest.Equal(t, make([]triple, 3), x.Data())
	require.NoError(t, mem.Memset(alloc[struct{}](t, dev, 3), 1))
}

func TestFill(t *testing.T) {
	for n := range 300 {
		b := bytes.Repeat([]byte{9}, n+2)
		mem.Fill(b[1:n+1], 0xab)
		want := append(append([]byte{9}, bytes.Repeat([]byte{0xab}, n)...), 9)
		slicetest.Equal(t, want, b, "%d bytes", n)
	}
}

func TestView(t *testing.T) {
	dev := newDevice(1 << 10)
	raw := filled[byte](t, dev, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0).Data()
	triples := mem.View[triple](raw)
	require.Len(t, triples, 2)
	assert.NotZero(t, triples[1].X)
	assert.Zero(t, triples[1].Y)
	v := mem.View[uint32](raw)
	require.Len(t, v, 6)
	v[1] = 0xffffffff
	slicetest.Equal(t, []byte{0xff, 0xff, 0xff, 0xff}, raw[4:8], "the view is no view: %v", raw[:12])
	assert.Empty(t, mem.View[float64](nil), "no bytes")
}
