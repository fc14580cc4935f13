package mem_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

// A box copy against its definition, element by element, for random boxes of random memories on all
// sides.
func TestBoxCopiesAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	dev := newDevice(16 << 20)
	s := &stream{device: dev}
	for k := range 3000 {
		type side struct {
			rows                  mem.Rows[int16]
			data                  []int16
			stride, height, depth int
			x, y, z               int
			free                  func() error
		}
		width, height, depth := r.IntN(7), r.IntN(6), r.IntN(4)
		if k%2 == 0 {
			depth = 1
		}
		make1 := func() side {
			var o side
			o.x, o.y, o.z = r.IntN(4), r.IntN(4), r.IntN(3)
			o.stride, o.height, o.depth = o.x+width+r.IntN(3), o.y+height+r.IntN(3), o.z+depth
			n := o.stride * o.height * o.depth
			o.free = func() error { return nil }
			switch r.IntN(3) {
			case 0:
				if o.depth > 0 && width > 0 && height > 0 && depth > 0 { // the least that will do: nothing behind the last element
					n = ((o.z+depth-1)*o.height+o.y+height-1)*o.stride + o.x + width
				}
				o.data = make([]int16, n)
				o.rows = mem.HostRows(o.data, o.stride, o.height)
			case 1:
				b := alloc[int16](t, dev, n)
				o.data, o.rows, o.free = b.Data(), b.Rows(o.stride, o.height), b.Free
			default:
				p, err := mem.Alloc3D[int16](dev, o.stride, o.height, o.depth)
				require.NoError(t, err)
				o.data, o.rows, o.stride, o.free = p.Data(), p.Rows(), p.Stride(), p.Free
			}
			for i := range o.data {
				o.data[i] = int16(r.Uint32())
			}
			o.rows = o.rows.At(o.x, 0, o.z).At(0, o.y, 0)
			return o
		}
		dst, src := make1(), make1()
		want, source := slices.Clone(dst.data), slices.Clone(src.data)
		for z := range depth {
			for y := range height {
				for x := range width {
					want[((dst.z+z)*dst.height+dst.y+y)*dst.stride+dst.x+x] = src.data[((src.z+z)*src.height+src.y+y)*src.stride+src.x+x]
				}
			}
		}
		switch {
		case k%4 == 0:
			require.NoError(t, mem.Copy2D(dst.rows, src.rows, width, height))
		case k%4 == 1:
			require.NoError(t, mem.Copy3D(dst.rows, src.rows, width, height, depth))
		case k%4 == 2:
			require.NoError(t, mem.Copy2DAsync(s, dst.rows, src.rows, width, height))
			s.run(t)
		default:
			require.NoError(t, mem.Copy3DAsync(s, dst.rows, src.rows, width, height, depth))
			s.run(t)
		}
		require.True(t, slicetest.Equal(t, want, dst.data, "copy %d of %d x %d x %d", k, width, height, depth))
		require.True(t, slicetest.Equal(t, source, src.data, "copy %d of %d x %d x %d", k, width, height, depth))
		require.NoError(t, dst.free())
		require.NoError(t, src.free())
	}
	assert.Zero(t, used(dev), "bytes in use")
}

func TestBoxMemsetAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 4))
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	for k := range 500 {
		width, height, depth := r.IntN(7), r.IntN(6), 1+k%2*r.IntN(3)
		x, y, z := r.IntN(3), r.IntN(3), k%2*r.IntN(3)
		p, err := mem.Alloc3D[uint32](dev, x+width+r.IntN(3), y+height+r.IntN(3), z+depth+r.IntN(2))
		require.NoError(t, err)
		require.NoError(t, mem.Memset3D(p.Rows(), 7, p.Stride(), p.Height(), p.Depth())) // padding included, as CUDA allows
		rows := p.Rows().At(x, y, z)
		switch k % 4 {
		case 0:
			require.NoError(t, mem.Memset2D(rows, 0xab, width, height))
		case 1:
			require.NoError(t, mem.Memset3D(rows, 0xab, width, height, depth))
		case 2:
			require.NoError(t, mem.Memset2DAsync(s, rows, 0xab, width, height))
		case 3:
			require.NoError(t, mem.Memset3DAsync(s, rows, 0xab, width, height, depth))
		}
		s.run(t)
		require.True(t, slicetest.Each(t, func(i int) uint32 {
			col, row, slice := i%p.Stride(), i/p.Stride()%p.Height(), i/p.Stride()/p.Height()
			if col >= x && col < x+width && row >= y && row < y+height && slice >= z && slice < z+depth {
				return 0xabababab
			}
			return 0x07070707
		}, p.Data(), "memset %d", k))
		require.NoError(t, p.Free())
	}
}

func TestRowsThatCannotBe(t *testing.T) {
	dev := newDevice(1 << 20)
	p, err := mem.Alloc3D[int32](dev, 10, 6, 4)
	require.NoError(t, err)
	host := make([]int32, 10*6*4)
	h := mem.HostRows(host, 10, 6)
	b, err := mem.Alloc[int32](dev, 100)
	require.NoError(t, err)
	const most = math.MaxInt
	for _, c := range []struct {
		name    string
		rows    mem.Rows[int32]
		w, h, d int
		want    error
	}{
		{"all", h, 10, 6, 4, nil},
		{"a row too wide", h, 11, 1, 1, mem.ErrInvalidPitch},
		{"as wide as can be", h, most, 1, 1, mem.ErrInvalidPitch},
		{"wider than the rest of a row", h.At(1, 0, 0), 10, 1, 1, mem.ErrInvalidValue},
		{"a row too many", h, 10, 7, 1, mem.ErrInvalidValue},
		{"one more than the rest of a slice", h.At(0, 5, 0), 1, 2, 1, mem.ErrInvalidValue},
		{"a slice too many", h, 10, 6, 5, mem.ErrInvalidValue},
		{"one more than the rest", h.At(0, 0, 3), 10, 6, 2, mem.ErrInvalidValue},
		{"the rest", h.At(0, 0, 3), 10, 6, 1, nil},
		{"slices without end", h, 10, 6, most, mem.ErrInvalidValue},
		{"a place without end", h.At(0, 0, most), 1, 1, 1, mem.ErrInvalidValue},
		{"a place beyond that", h.At(0, 0, most).At(0, 0, most), 1, 1, 1, mem.ErrInvalidValue},
		{"a negative place", h.At(-1, 0, 0), 1, 1, 1, mem.ErrInvalidValue},
		{"one that is negative for a while", h.At(0, -1, 0).At(0, 1, 0), 1, 1, 1, mem.ErrInvalidValue},
		{"back to where it began", h.At(3, 2, 1).At(-3, -2, -1), 10, 6, 4, nil},
		{"negative width", h, -1, 1, 1, mem.ErrInvalidValue},
		{"negative height", h, 1, -1, 1, mem.ErrInvalidValue},
		{"negative depth", h, 1, 1, -1, mem.ErrInvalidValue},
		{"negative stride", mem.HostRows(host, -10, 6), 1, 1, 1, mem.ErrInvalidValue},
		{"negative rows a slice", mem.HostRows(host, 10, -6), 1, 1, 1, mem.ErrInvalidValue},
		{"stride without end", mem.HostRows(host, most, most), 1, 2, 1, mem.ErrInvalidValue},
		{"stride without end, one row", mem.HostRows(host, most, 1), 240, 1, 1, nil},
		{"no memory", mem.HostRows[int32](nil, 10, 6), 1, 1, 1, mem.ErrInvalidValue},
		{"no memory, nothing copied", mem.HostRows[int32](nil, 0, 0), 0, 1, 1, nil},
		{"the zero value", mem.Rows[int32]{}, 1, 1, 1, mem.ErrInvalidPitch},
		{"the last row is short", mem.HostRows(host[:10*5+3], 10, 6), 3, 6, 1, nil},
		{"and too short", mem.HostRows(host[:10*5+3], 10, 6), 4, 6, 1, mem.ErrInvalidValue},
		{"a buffer", b.Rows(10, 10), 10, 10, 1, nil},
		{"more than the buffer", b.Rows(10, 11), 10, 11, 1, mem.ErrInvalidValue},
		{"padding", p.Rows(), p.Stride(), 6, 4, nil},
		{"beyond the padding", p.Rows(), p.Stride() + 1, 1, 1, mem.ErrInvalidPitch},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mem.HostRows(make([]int32, 256*11*5), 256, 11)
			assert.ErrorIs(t, mem.Copy3D(c.rows, o, c.w, c.h, c.d), c.want, "to")
			if max(c.w, c.h, c.d) < most && min(c.w, c.h, c.d) >= 0 { // else the other side can't have it either
				assert.ErrorIs(t, mem.Copy3D(o, c.rows, c.w, c.h, c.d), c.want, "from")
			}
		})
	}
	assert.ErrorIs(t, mem.Memset2D(h, 0, 1, 1), mem.ErrInvalidValue, "Memset2D of a slice")
	assert.ErrorIs(t, mem.Copy2D(mem.HostRows(make([]string, 4), 2, 2), mem.HostRows(make([]string, 4), 2, 2), 1, 1), mem.ErrInvalidValue, "strings")
}

// Two boxes of the same memory overlap if and only if they have an element in common.
func TestBoxOverlapAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 5))
	dev := newDevice(1 << 20)
	b := alloc[byte](t, dev, 400)
	var both, none int
	for range 20000 {
		w, h, d := 1+r.IntN(4), 1+r.IntN(3), 1+r.IntN(2)
		var seen [400]int
		var rows [2]mem.Rows[byte]
		for k := range rows {
			x, y, z := r.IntN(4), r.IntN(3), r.IntN(2)
			stride, height := x+w+r.IntN(3), y+h+r.IntN(2)
			rows[k] = b.Rows(stride, height).At(x, y, z)
			for i := range w * h * d {
				seen[((z+i/w/h)*height+y+i/w%h)*stride+x+i%w] |= 1 << k
			}
		}
		err := mem.Copy3D(rows[0], rows[1], w, h, d)
		if slices.Contains(seen[:], 3) {
			both++
			assert.ErrorIs(t, err, mem.ErrOverlap, "boxes that overlap")
		} else {
			require.NoError(t, err)
			none++
		}
	}
	assert.GreaterOrEqual(t, both, 1000, "too few pairs overlap")
	assert.GreaterOrEqual(t, none, 1000, "too few pairs don't overlap")
}

// What is wrong is said at once; what is right waits for the stream.
func TestBoxAsync(t *testing.T) {
	dev, elsewhere := newDevice(1<<20), newDevice(1<<20)
	s, there := &stream{device: dev}, &stream{device: elsewhere}
	p, err := mem.AllocPitch[int32](dev, 2, 2)
	require.NoError(t, err)
	q, err := mem.AllocPitch[int32](elsewhere, 2, 2)
	require.NoError(t, err)
	host := []int32{1, 2, 3, 4}
	h := mem.HostRows(host, 2, 2)
	for what, err := range map[string]error{
		"Copy2D":                     mem.Copy2D(p.Rows(), q.Rows(), 2, 2),
		"Copy2DAsync":                mem.Copy2DAsync(s, p.Rows(), q.Rows(), 2, 2),
		"Copy2DAsync, other stream":  mem.Copy2DAsync(there, p.Rows(), h, 2, 2),
		"Copy3DAsync, other stream":  mem.Copy3DAsync(there, h, p.Rows(), 2, 2, 1),
		"Memset2DAsync, that stream": mem.Memset2DAsync(there, p.Rows(), 1, 2, 2),
	} {
		assert.ErrorIs(t, err, mem.ErrForeign, what)
	}
	for what, err := range map[string]error{
		"Copy2DAsync":     mem.Copy2DAsync(nil, p.Rows(), h, 2, 2),
		"Copy3DPeerAsync": mem.Copy3DPeerAsync(nil, p.Rows(), h, 2, 2, 1),
		"Memset3DAsync":   mem.Memset3DAsync(nil, p.Rows(), 1, 2, 2, 1),
		"too many rows":   mem.Copy2DAsync(s, p.Rows(), h, 2, 3),
	} {
		assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
	}
	require.Zero(t, len(s.queue)+len(there.queue), "queued copies")

	require.NoError(t, mem.Copy2DAsync(s, p.Rows(), h, 2, 2))
	require.NoError(t, mem.Copy3DPeerAsync(s, q.Rows(), p.Rows(), 2, 2, 1))
	require.NoError(t, mem.Memset2DAsync(s, p.Rows().At(1, 1, 0), 0xff, 1, 1))
	slicetest.Equal(t, []int32{0, 0}, p.Row(0, 0), "the copy did not wait")
	host[3] = 5
	s.run(t)
	slicetest.Equal(t, []int32{1, 2}, p.Row(0, 0))
	slicetest.Equal(t, []int32{3, -1}, p.Row(1, 0))
	slicetest.Equal(t, []int32{1, 2}, q.Row(0, 0), "the peer")
	slicetest.Equal(t, []int32{3, 5}, q.Row(1, 0), "the peer")
	require.NoError(t, mem.Copy3DPeer(p.Rows(), q.Rows(), 2, 2, 1))
	slicetest.Equal(t, []int32{3, 5}, p.Row(1, 0), "Copy3DPeer")
	closed := errors.New("stream is closed")
	s.refuse = closed
	assert.ErrorIs(t, mem.Copy2DAsync(s, p.Rows(), h, 2, 2), closed, "a closed stream")
	assert.ErrorIs(t, mem.Memset2DAsync(s, p.Rows(), 0, 2, 2), closed, "a closed stream")
}
