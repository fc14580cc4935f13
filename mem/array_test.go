package mem_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func TestChannelDescOf(t *testing.T) {
	type uchar4 struct{ X, Y, Z, W uint8 }
	type half2 struct{ X, Y Half }
	ok := func(got mem.ChannelDesc, err error) mem.ChannelDesc {
		require.NoError(t, err)
		return got
	}
	for _, c := range []struct {
		got  mem.ChannelDesc
		kind mem.ChannelKind
		bits int
		n    int
	}{
		{ok(mem.ChannelDescOf[int8]()), mem.ChannelSigned, 8, 1},
		{ok(mem.ChannelDescOf[uint16]()), mem.ChannelUnsigned, 16, 1},
		{ok(mem.ChannelDescOf[[2]int32]()), mem.ChannelSigned, 32, 2},
		{ok(mem.ChannelDescOf[[4]float32]()), mem.ChannelFloat, 32, 4},
		{ok(mem.ChannelDescOf[float4]()), mem.ChannelFloat, 32, 4},
		{ok(mem.ChannelDescOf[uchar4]()), mem.ChannelUnsigned, 8, 4},
		{ok(mem.ChannelDescOf[Half]()), mem.ChannelFloat, 16, 1},
		{ok(mem.ChannelDescOf[half2]()), mem.ChannelFloat, 16, 2},
	} {
		assert.Equal(t, (mem.ChannelDesc{Kind: c.kind, Bits: c.bits, Channels: c.n}), c.got)
	}
	bad := func(_ mem.ChannelDesc, err error) error { return err }
	for name, err := range map[string]error{
		"3 channels":  bad(mem.ChannelDescOf[[3]float32]()),
		"a triple":    bad(mem.ChannelDescOf[triple]()),
		"64 bits":     bad(mem.ChannelDescOf[float64]()),
		"int":         bad(mem.ChannelDescOf[int]()),
		"bool":        bad(mem.ChannelDescOf[bool]()),
		"string":      bad(mem.ChannelDescOf[string]()),
		"nothing":     bad(mem.ChannelDescOf[struct{}]()),
		"no channels": bad(mem.ChannelDescOf[[0]uint8]()),
		"mixed":       bad(mem.ChannelDescOf[struct{ A, B any }]()),
		"signs differ": bad(mem.ChannelDescOf[struct {
			A int8
			B uint8
		}]()),
		"sizes differ": bad(mem.ChannelDescOf[struct {
			A uint16
			B uint8
		}]()),
		"array of two":  bad(mem.ChannelDescOf[[2][2]uint8]()),
		"uintptr":       bad(mem.ChannelDescOf[uintptr]()),
		"pointer":       bad(mem.ChannelDescOf[*float32]()),
		"complex float": bad(mem.ChannelDescOf[complex64]()),
	} {
		assert.ErrorIs(t, err, mem.ErrInvalidValue, name)
	}
}

func TestArrayCountsAgainstTheDevice(t *testing.T) {
	dev := newDevice(1 << 16)
	a := array[[4]uint8](t, dev, mem.ArrayDesc{Width: 100, Height: 50}, nil)
	assertUsed(t, dev, 20000, 1)
	_, err := mem.AllocArray[float32](dev, mem.ArrayDesc{Width: 16384})
	assert.ErrorIs(t, err, mem.ErrOutOfMemory, "more than is left")
	assert.Equal(t, mem.ArrayDesc{Width: 100, Height: 50}, a.Desc())
	assert.Equal(t, mem.ChannelDesc{Kind: mem.ChannelUnsigned, Bits: 8, Channels: 4}, a.Channel())
	require.NoError(t, a.Free())
	assert.Zero(t, used(dev), "bytes in use")
	assert.ErrorIs(t, a.Free(), mem.ErrFreed, "second Free")
	assert.ErrorIs(t, (*mem.Array[uint8])(nil).Free(), mem.ErrInvalidValue, "Free of nil")
	assert.ErrorIs(t, new(mem.Array[uint8]).Free(), mem.ErrInvalidValue, "Free of nothing")
}

func TestArrayIsPoisonedInCheckedMode(t *testing.T) {
	dev := &device{mem.NewSpace(1<<16, true)}
	a := array[uint16](t, dev, mem.ArrayDesc{Width: 3}, nil)
	got := make([]uint16, 3)
	require.NoError(t, mem.CopyFromArray(got, a))
	slicetest.Equal(t, []uint16{0xffff, 0xffff, 0xffff}, got, "undefined texels")
}

func TestAllocArrayErrors(t *testing.T) {
	dev := newDevice(math.MaxInt64)
	layered, cube := mem.ArrayLayered, mem.ArrayCubemap
	for _, d := range []mem.ArrayDesc{
		{}, {Width: -1}, {Width: 1, Height: -1}, {Width: 1, Height: 1, Depth: -1}, {Height: 1},
		{Width: 4, Depth: 4},                                           // depth without height
		{Width: 4, Height: 4, Flags: layered},                          // no layers
		{Width: 4, Height: 5, Depth: 6, Flags: cube},                   // not square
		{Width: 4, Height: 4, Depth: 5, Flags: cube},                   // not six faces
		{Width: 4, Height: 4, Depth: 12, Flags: cube},                  // two cubes without layers
		{Width: 4, Height: 4, Depth: 8, Flags: cube | layered},         // no whole cubes
		{Width: 4, Height: 4, Flags: cube | layered},                   // none
		{Width: 4, Height: 4, Flags: 1 << 7},                           // an unknown flag
		{Width: 4, Flags: mem.ArrayTextureGather},                      // 1-D
		{Width: 4, Height: 4, Depth: 4, Flags: mem.ArrayTextureGather}, // 3-D
		{Width: 4, Height: 4, Depth: 1, Flags: mem.ArrayTextureGather | layered},
	} {
		_, err := mem.AllocArray[uint8](dev, d)
		assert.ErrorIs(t, err, mem.ErrInvalidValue, "%+v", d)
		_, err = mem.AllocMipmappedArray[uint8](dev, d, 1)
		assert.ErrorIs(t, err, mem.ErrInvalidValue, "mipmapped %+v", d)
	}
	_, err := mem.AllocArray[float64](dev, mem.ArrayDesc{Width: 1})
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "float64")
	_, err = mem.AllocArray[uint8](nil, mem.ArrayDesc{Width: 1})
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "no device")
	_, err = mem.AllocArray[uint8](&device{}, mem.ArrayDesc{Width: 1})
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "no memory")
	closed := newDevice(1 << 10)
	closed.space.Close()
	_, err = mem.AllocArray[uint8](closed, mem.ArrayDesc{Width: 1})
	assert.ErrorIs(t, err, mem.ErrClosed, "closed")
}

// The limits of the CUDA guide's table, each met and passed by one. A device without memory tells
// one from the other: what is within the limits is out of memory.
func TestArrayLimits(t *testing.T) {
	layered, cube, surf, gather := mem.ArrayLayered, mem.ArrayCubemap, mem.ArraySurfaceLoadStore, mem.ArrayTextureGather
	for _, c := range []struct {
		major, minor int
		largest      mem.ArrayDesc
	}{
		{1, 3, mem.ArrayDesc{Width: 8192}},
		{1, 0, mem.ArrayDesc{Width: 65536, Height: 32768}},
		{1, 0, mem.ArrayDesc{Width: 2048, Height: 2048, Depth: 2048}},
		{1, 0, mem.ArrayDesc{Width: 8192, Height: 8192, Depth: 512, Flags: layered}},
		{2, 0, mem.ArrayDesc{Width: 65536, Height: 65535}},
		{2, 1, mem.ArrayDesc{Width: 2048, Height: 2048, Depth: 2048}},
		{3, 0, mem.ArrayDesc{Width: 65536}},
		{3, 0, mem.ArrayDesc{Width: 65536, Height: 65536}},
		{3, 5, mem.ArrayDesc{Width: 4096, Height: 4096, Depth: 4096}},
		{3, 5, mem.ArrayDesc{Width: 16384, Height: 16384, Depth: 6, Flags: cube}},
		{3, 5, mem.ArrayDesc{Width: 16384, Height: 16384, Depth: 2046, Flags: cube | layered}},
		{3, 5, mem.ArrayDesc{Width: 16384, Height: 16384, Flags: gather}},
		{3, 5, mem.ArrayDesc{Width: 65536, Height: 32768, Flags: surf}},
		{5, 2, mem.ArrayDesc{Width: 16384, Depth: 2048, Flags: layered | surf}},
		{7, 0, mem.ArrayDesc{Width: 131072}},
		{7, 0, mem.ArrayDesc{Width: 32768, Flags: surf}},
		{8, 6, mem.ArrayDesc{Width: 131072, Height: 65536}},
		{9, 0, mem.ArrayDesc{Width: 16384, Height: 16384, Depth: 16384, Flags: surf}},
		{9, 0, mem.ArrayDesc{Width: 32768, Height: 32768, Flags: gather}},
		{0, 0, mem.ArrayDesc{Width: 32768, Depth: 2048, Flags: layered}},
		{0, 0, mem.ArrayDesc{Width: 32768, Height: 32768, Depth: 2048, Flags: layered}},
		{0, 0, mem.ArrayDesc{Width: 32768, Height: 32768, Depth: 6, Flags: cube | surf}},
		{0, 0, mem.ArrayDesc{Width: 32768, Height: 32768, Depth: 2046, Flags: cube | layered | surf}},
	} {
		dev := newDevice(0)
		dev.space.SetCapability(c.major, c.minor)
		name := fmt.Sprintf("%d.%d: %+v", c.major, c.minor, c.largest)
		_, err := mem.AllocArray[uint8](dev, c.largest)
		if math.MaxInt == math.MaxInt64 {
			assert.ErrorIs(t, err, mem.ErrOutOfMemory, name)
		}
		wider := c.largest
		wider.Width++
		if wider.Flags&cube != 0 {
			wider.Height++
		}
		_, err = mem.AllocArray[uint8](dev, wider)
		assert.ErrorIs(t, err, mem.ErrInvalidValue, name+", wider")
		if c.largest.Height > 0 && c.largest.Flags&cube == 0 {
			higher := c.largest
			higher.Height++
			_, err = mem.AllocArray[uint8](dev, higher)
			assert.ErrorIs(t, err, mem.ErrInvalidValue, name+", higher")
		}
		if c.largest.Depth > 6 {
			deeper := c.largest
			deeper.Depth += 6
			_, err = mem.AllocArray[uint8](dev, deeper)
			assert.ErrorIs(t, err, mem.ErrInvalidValue, name+", deeper")
		}
	}
	old := newDevice(1 << 20)
	old.space.SetCapability(1, 3)
	for _, d := range []mem.ArrayDesc{
		{Width: 4, Height: 4, Depth: 6, Flags: cube}, {Width: 4, Flags: surf}, {Width: 4, Height: 4, Flags: gather},
	} {
		_, err := mem.AllocArray[uint8](old, d)
		assert.ErrorIs(t, err, mem.ErrInvalidValue, "1.3: %+v", d)
	}
	l := old.space.TextureLimits()
	assert.Equal(t, mem.TextureLimitsOf(1, 3), l, "limits")
	assert.Zero(t, l.MaxSurface1D, "limits")
	assert.Equal(t, mem.TextureLimitsOf(9, 0), (*mem.Space)(nil).TextureLimits(), "limits without a device")
	// Linear memory has limits of its own; 2^27 bytes are too many to try.
	assert.Equal(t, 1<<27, mem.TextureLimitsOf(7, 0).MaxTexture1DLinear, "linear memory")
	assert.Equal(t, 1<<28, mem.TextureLimitsOf(7, 5).MaxTexture1DLinear, "linear memory")
}

// block3 is an array as a slice and its size, to copy with plain loops.
type block3 struct {
	texels  []int32
	w, h, d int
}

func (m *block3) at(x, y, z int) *int32 { return &m.texels[(z*m.h+y)*m.w+x] }

func TestCopyArrayAgainstLoops(t *testing.T) {
	dev := newDevice(1 << 24)
	s := &stream{device: dev}
	r := rand.New(rand.NewPCG(8, 9))
	random := func(n int) []int32 {
		v := make([]int32, n)
		for i := range v {
			v[i] = int32(r.Uint32())
		}
		return v
	}
	shapes := []mem.ArrayDesc{
		{Width: 17}, {Width: 5, Height: 7}, {Width: 3, Height: 4, Depth: 5}, {Width: 1, Height: 1, Depth: 1},
		{Width: 9, Depth: 4, Flags: mem.ArrayLayered}, {Width: 4, Height: 4, Depth: 12, Flags: mem.ArrayLayered | mem.ArrayCubemap},
	}
	for range 2000 {
		d := shapes[r.IntN(len(shapes))]
		m := block3{w: d.Width, h: max(d.Height, 1), d: max(d.Depth, 1)}
		m.texels = random(m.w * m.h * m.d)
		a := array(t, dev, d, m.texels)

		// A box somewhere in it.
		x, y, z := r.IntN(m.w), r.IntN(m.h), r.IntN(m.d)
		e := mem.Extent{Width: r.IntN(m.w-x) + 1, Height: r.IntN(m.h-y) + 1, Depth: r.IntN(m.d-z) + 1}
		// And a place for it in linear memory, with room around.
		lx, ly, lz := r.IntN(3), r.IntN(3), r.IntN(3)
		pitch, rows := lx+e.Width+r.IntN(3), ly+e.Height+r.IntN(3)
		linear := random(((lz+e.Depth-1)*rows+ly+e.Height-1)*pitch + lx + e.Width)
		place := mem.ArrayPlace[int32]{X: lx, Y: ly, Z: lz, Pitch: pitch, Rows: rows}
		buf := filled(t, dev, linear...)
		if r.IntN(2) == 0 {
			place.Buffer = buf
		} else {
			place.Host = slices.Clone(linear)
		}
		if r.IntN(4) == 0 && e.Height == 1 {
			e.Height = 0 // means 1
		}
		c := mem.ArrayCopy[int32]{Extent: e}
		there := mem.ArrayPlace[int32]{Array: a, X: x, Y: y, Z: z}
		to := r.IntN(2) == 0
		if to {
			c.Dst, c.Src = there, place
		} else {
			c.Dst, c.Src = place, there
		}
		if r.IntN(2) == 0 {
			require.NoError(t, mem.CopyArray(c))
		} else {
			require.NoError(t, mem.CopyArrayAsync(s, c))
			s.run(t)
		}

		for k := range e.Depth {
			for j := range max(e.Height, 1) {
				for i := range e.Width {
					p := &linear[((lz+k)*rows+ly+j)*pitch+lx+i]
					q := m.at(x+i, y+j, z+k)
					if to {
						*q = *p
					} else {
						*p = *q
					}
				}
			}
		}
		got := make([]int32, len(m.texels))
		require.NoError(t, mem.CopyFromArray(got, a))
		require.True(t, slicetest.Equal(t, m.texels, got, "%+v of %+v: the array", c, d))
		flat := place.Host
		if flat == nil {
			flat = buf.Data()
		}
		require.True(t, slicetest.Equal(t, linear, flat, "%+v of %+v: linear memory", c, d))
		require.NoError(t, a.Free())
		require.NoError(t, buf.Free())
	}
}

func TestCopyBetweenArrays(t *testing.T) {
	dev := newDevice(1 << 20)
	texels := []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9}
	a := array(t, dev, mem.ArrayDesc{Width: 3, Height: 3}, texels)
	b := array(t, dev, mem.ArrayDesc{Width: 2, Height: 2, Depth: 2}, make([]uint8, 8))
	require.NoError(t, mem.CopyArray(mem.ArrayCopy[uint8]{
		Dst:    mem.ArrayPlace[uint8]{Array: b, Z: 1},
		Src:    mem.ArrayPlace[uint8]{Array: a, X: 1, Y: 1},
		Extent: mem.Extent{Width: 2, Height: 2},
	}))
	got := make([]uint8, 8)
	require.NoError(t, mem.CopyFromArray(got, b))
	slicetest.Equal(t, []uint8{0, 0, 0, 0, 5, 6, 8, 9}, got)
	// Within one array: apart, and not.
	within := func(x, y, w, h int) error {
		return mem.CopyArray(mem.ArrayCopy[uint8]{
			Dst:    mem.ArrayPlace[uint8]{Array: a, X: x, Y: y},
			Src:    mem.ArrayPlace[uint8]{Array: a},
			Extent: mem.Extent{Width: w, Height: h},
		})
	}
	require.NoError(t, within(1, 0, 1, 3))
	require.NoError(t, within(0, 2, 3, 1))
	require.NoError(t, within(1, 1, 0, 2)) // nothing
	assert.ErrorIs(t, within(0, 0, 3, 3), mem.ErrOverlap, "onto itself")
	assert.ErrorIs(t, within(1, 1, 2, 2), mem.ErrOverlap, "partly")
	got = make([]uint8, 9)
	require.NoError(t, mem.CopyFromArray(got, a))
	slicetest.Equal(t, []uint8{1, 1, 3, 4, 4, 6, 1, 1, 3}, got)
}

func TestCopyArrayErrors(t *testing.T) {
	dev, elsewhere := newDevice(1<<20), newDevice(1<<20)
	s, other := &stream{device: dev}, &stream{device: elsewhere}
	a := array(t, dev, mem.ArrayDesc{Width: 4, Height: 4}, make([]int32, 16))
	b := array(t, elsewhere, mem.ArrayDesc{Width: 4, Height: 4}, make([]int32, 16))
	gone := array[int32](t, dev, mem.ArrayDesc{Width: 4, Height: 4}, nil)
	require.NoError(t, gone.Free())
	freed := alloc[int32](t, dev, 16)
	require.NoError(t, freed.Free())
	host := make([]int32, 16)
	type place = mem.ArrayPlace[int32]
	box := mem.Extent{Width: 2, Height: 2}
	for _, c := range []struct {
		name     string
		dst, src place
		e        mem.Extent
		want     error
	}{
		{"nothing", place{}, place{}, box, mem.ErrInvalidValue},
		{"no source", place{Array: a}, place{}, box, mem.ErrInvalidValue},
		{"two sources", place{Array: a}, place{Array: a, Host: host}, box, mem.ErrInvalidValue},
		{"no array", place{Host: host}, place{Buffer: filled(t, dev, host...)}, box, mem.ErrInvalidValue},
		{"negative width", place{Array: a}, place{Host: host}, mem.Extent{Width: -1}, mem.ErrInvalidValue},
		{"negative height", place{Array: a}, place{Host: host}, mem.Extent{Width: 1, Height: -1}, mem.ErrInvalidValue},
		{"negative place", place{Array: a, X: -1}, place{Host: host}, box, mem.ErrInvalidValue},
		{"off the right", place{Array: a, X: 3}, place{Host: host}, box, mem.ErrInvalidValue},
		{"off the bottom", place{Array: a, Y: 3}, place{Host: host}, box, mem.ErrInvalidValue},
		{"off the depth", place{Array: a, Z: 1}, place{Host: host}, box, mem.ErrInvalidValue},
		{"overflow", place{Array: a, X: math.MaxInt}, place{Host: host}, mem.Extent{Width: math.MaxInt}, mem.ErrInvalidValue},
		{"pitch of an array", place{Array: a, Pitch: 4}, place{Host: host}, box, mem.ErrInvalidValue},
		{"pitch too small", place{Array: a}, place{Host: host, Pitch: 1}, box, mem.ErrInvalidPitch},
		{"rows too few", place{Array: a}, place{Host: host, Rows: 1}, box, mem.ErrInvalidValue},
		{"negative pitch", place{Array: a}, place{Host: host, Pitch: -4}, box, mem.ErrInvalidValue},
		{"host too short", place{Array: a}, place{Host: host[:3]}, box, mem.ErrInvalidValue},
		{"host too short by its pitch", place{Array: a}, place{Host: host, Pitch: 15}, box, mem.ErrInvalidValue},
		{"huge pitch", place{Array: a}, place{Host: host, Pitch: math.MaxInt}, box, mem.ErrInvalidValue},
		{"huge rows", place{Array: a}, place{Host: host, Rows: math.MaxInt, Z: 2}, box, mem.ErrInvalidValue},
		{"huge place", place{Array: a}, place{Host: host, Y: math.MaxInt, Z: math.MaxInt}, box, mem.ErrInvalidValue},
		{"freed array", place{Array: gone}, place{Host: host}, box, mem.ErrFreed},
		{"freed buffer", place{Array: a}, place{Buffer: freed}, box, mem.ErrFreed},
		{"zero array", place{Array: new(mem.Array[int32])}, place{Host: host}, box, mem.ErrInvalidValue},
		{"another device's array", place{Array: a}, place{Array: b}, box, mem.ErrForeign},
		{"another device's buffer", place{Buffer: filled(t, elsewhere, host...)}, place{Array: a}, box, mem.ErrForeign},
	} {
		copy := mem.ArrayCopy[int32]{Dst: c.dst, Src: c.src, Extent: c.e}
		assert.ErrorIs(t, mem.CopyArray(copy), c.want, c.name)
		assert.ErrorIs(t, mem.CopyArrayAsync(s, copy), c.want, c.name+", async")
	}
	// No columns are nothing to copy, from wherever.
	require.NoError(t, mem.CopyArray(mem.ArrayCopy[int32]{Dst: place{Array: a, X: 4, Y: 1}, Src: place{Host: host[:0], Y: 9},
		Extent: mem.Extent{Height: 3}}))
	good := mem.ArrayCopy[int32]{Dst: place{Array: a}, Src: place{Host: host}, Extent: box}
	assert.ErrorIs(t, mem.CopyArrayAsync(nil, good), mem.ErrInvalidValue, "no stream")
	assert.ErrorIs(t, mem.CopyArrayAsync(other, good), mem.ErrForeign, "another device's stream")
	for name, err := range map[string]error{
		"CopyToArray, too few":       mem.CopyToArray(a, host[:15]),
		"CopyToArray, too many":      mem.CopyToArray(a, make([]int32, 17)),
		"CopyToArray, nil":           mem.CopyToArray(nil, host),
		"CopyFromArray, too short":   mem.CopyFromArray(host[:15], a),
		"CopyFromArray, nil":         mem.CopyFromArray(host, nil),
		"CopyToArrayAsync, too few":  mem.CopyToArrayAsync(s, a, host[:15]),
		"CopyFromArrayAsync, no one": mem.CopyFromArrayAsync(nil, host, a),
	} {
		assert.ErrorIs(t, err, mem.ErrInvalidValue, name)
	}
	assert.Zero(t, len(s.queue)+len(other.queue), "queued copies")
}

func TestCopyArrayAsync(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	a := array(t, dev, mem.ArrayDesc{Width: 3}, []int32{1, 2, 3})
	host, back := []int32{7, 8, 9}, make([]int32, 3)
	require.NoError(t, mem.CopyToArrayAsync(s, a, host))
	require.NoError(t, mem.CopyFromArrayAsync(s, back, a))
	host[2] = 10 // it is read when its turn comes
	now := make([]int32, 3)
	require.NoError(t, mem.CopyFromArray(now, a))
	slicetest.Equal(t, []int32{1, 2, 3}, now, "something ran at once")
	assert.Zero(t, back[0], "something ran at once")
	require.NoError(t, a.Free()) // what is queued still takes place
	s.run(t)
	slicetest.Equal(t, []int32{7, 8, 10}, back, "copied")
}

func TestMipmappedArray(t *testing.T) {
	dev := newDevice(1 << 20)
	m, err := mem.AllocMipmappedArray[uint16](dev, mem.ArrayDesc{Width: 20, Height: 5}, 99)
	require.NoError(t, err)
	sizes := [][2]int{{20, 5}, {10, 2}, {5, 1}, {2, 1}, {1, 1}}
	require.Equal(t, len(sizes), m.Levels())
	texels := 0
	for i, want := range sizes {
		a, err := m.Level(i)
		require.NoError(t, err)
		d := a.Desc()
		assert.Equal(t, [3]int{want[0], want[1], 0}, [3]int{d.Width, d.Height, d.Depth}, "level %d", i)
		n := want[0] * want[1]
		require.NoError(t, mem.CopyToArray(a, slices.Repeat([]uint16{uint16(i)}, n)))
		texels += n
		assert.ErrorIs(t, a.Free(), mem.ErrInvalidValue, "Free of a level")
	}
	assertUsed(t, dev, int64(2*texels), 1)
	for i, s := range sizes { // no level has written to another
		a, err := m.Level(i)
		require.NoError(t, err)
		got := make([]uint16, s[0]*s[1])
		require.NoError(t, mem.CopyFromArray(got, a))
		slicetest.Each(t, func(int) uint16 { return uint16(i) }, got, "level %d", i)
	}
	first, err := m.Level(0)
	require.NoError(t, err)
	for _, i := range []int{-1, 5} {
		_, err := m.Level(i)
		assert.ErrorIs(t, err, mem.ErrInvalidValue, fmt.Sprint("level ", i))
	}
	require.NoError(t, m.Free())
	assert.ErrorIs(t, mem.CopyToArray(first, make([]uint16, 100)), mem.ErrFreed, "copy to a level of what is freed")
	_, err = m.Level(0)
	assert.ErrorIs(t, err, mem.ErrFreed, "level of what is freed")
	assert.ErrorIs(t, m.Free(), mem.ErrFreed, "second Free")
	assert.ErrorIs(t, (*mem.MipmappedArray[uint8])(nil).Free(), mem.ErrInvalidValue, "Free of nil")
	assert.Zero(t, (*mem.MipmappedArray[uint8])(nil).Levels(), "levels of nil")

	for _, c := range []struct {
		desc         mem.ArrayDesc
		ask, want    int
		lastW, lastH int
		lastD        int
	}{
		{mem.ArrayDesc{Width: 1}, 5, 1, 1, 0, 0},
		{mem.ArrayDesc{Width: 8}, 0, 1, 8, 0, 0},
		{mem.ArrayDesc{Width: 8}, -3, 1, 8, 0, 0},
		{mem.ArrayDesc{Width: 8}, 3, 3, 2, 0, 0},
		{mem.ArrayDesc{Width: 2, Height: 3, Depth: 9}, 99, 4, 1, 1, 1},
		{mem.ArrayDesc{Width: 4, Height: 4, Depth: 9, Flags: mem.ArrayLayered}, 99, 3, 1, 1, 9}, // layers stay
		{mem.ArrayDesc{Width: 4, Height: 4, Depth: 6, Flags: mem.ArrayCubemap}, 99, 3, 1, 1, 6},
	} {
		m, err := mem.AllocMipmappedArray[uint8](dev, c.desc, c.ask)
		require.NoError(t, err)
		a, err := m.Level(m.Levels() - 1)
		require.NoError(t, err)
		d := a.Desc()
		assert.Equal(t, c.want, m.Levels(), "%+v, %d levels asked for", c.desc, c.ask)
		assert.Equal(t, [3]int{c.lastW, c.lastH, c.lastD}, [3]int{d.Width, d.Height, d.Depth}, "%+v, %d levels asked for: the last", c.desc, c.ask)
		require.NoError(t, m.Free())
	}
	_, err = mem.AllocMipmappedArray[uint8](dev, mem.ArrayDesc{Width: 2, Height: 2, Flags: mem.ArrayTextureGather}, 1)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "gather")
	_, err = mem.AllocMipmappedArray[float32](newDevice(100), mem.ArrayDesc{Width: 64}, 2)
	assert.ErrorIs(t, err, mem.ErrOutOfMemory, "no room")
}
