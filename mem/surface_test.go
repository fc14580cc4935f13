package mem_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func surface[T any](t testing.TB, res mem.SurfaceResource) *mem.Surface[T] {
	t.Helper()
	s, err := mem.NewSurface[T](res)
	require.NoError(t, err)
	return s
}

// access calls the functions for the array's shape.
func access[T any](d mem.ArrayDesc) (read func(s *mem.Surface[T], x, y, z int, m mem.BoundaryMode) T,
	write func(v T, s *mem.Surface[T], x, y, z int, m mem.BoundaryMode)) {
	type surf = *mem.Surface[T]
	type mode = mem.BoundaryMode
	layered, cube := d.Flags&mem.ArrayLayered != 0, d.Flags&mem.ArrayCubemap != 0
	switch {
	case cube && layered:
		return mem.SurfCubemapLayeredread[T], mem.SurfCubemapLayeredwrite[T]
	case cube:
		return mem.SurfCubemapread[T], mem.SurfCubemapwrite[T]
	case layered && d.Height > 0:
		return mem.Surf2DLayeredread[T], mem.Surf2DLayeredwrite[T]
	case layered:
		return func(s surf, x, _, z int, m mode) T { return mem.Surf1DLayeredread(s, x, z, m) },
			func(v T, s surf, x, _, z int, m mode) { mem.Surf1DLayeredwrite(v, s, x, z, m) }
	case d.Depth > 0:
		return mem.Surf3Dread[T], mem.Surf3Dwrite[T]
	case d.Height > 0:
		return func(s surf, x, y, _ int, m mode) T { return mem.Surf2Dread(s, x, y, m) },
			func(v T, s surf, x, y, _ int, m mode) { mem.Surf2Dwrite(v, s, x, y, m) }
	}
	return func(s surf, x, _, _ int, m mode) T { return mem.Surf1Dread(s, x, m) },
		func(v T, s surf, x, _, _ int, m mode) { mem.Surf1Dwrite(v, s, x, m) }
}

var surfaceShapes = []mem.ArrayDesc{
	{Width: 7}, {Width: 5, Height: 3}, {Width: 3, Height: 4, Depth: 2}, {Width: 1},
	{Width: 5, Depth: 3, Flags: mem.ArrayLayered}, {Width: 2, Height: 3, Depth: 4, Flags: mem.ArrayLayered},
	{Width: 3, Height: 3, Depth: 6, Flags: mem.ArrayCubemap},
	{Width: 2, Height: 2, Depth: 12, Flags: mem.ArrayCubemap | mem.ArrayLayered},
}

func TestSurfaceReadsAndWrites(t *testing.T) {
	dev := newDevice(1 << 20)
	r := rand.New(rand.NewPCG(2, 3))
	const size = 4 // bytes of a texel; x counts bytes
	for _, d := range surfaceShapes {
		d.Flags |= mem.ArraySurfaceLoadStore
		w, h, depth := d.Width, max(d.Height, 1), max(d.Depth, 1)
		texels := make([]float32, w*h*depth)
		for i := range texels {
			texels[i] = float32(i + 1)
		}
		a := array(t, dev, d, texels)
		s := surface[float32](t, a)
		read, write := access[float32](d)
		for range 3000 {
			x, y, z := r.IntN(w+4)-2, r.IntN(h+4)-2, r.IntN(depth+4)-2
			if d.Height == 0 {
				y = 0
			}
			if d.Depth == 0 {
				z = 0
			}
			inside := x >= 0 && x < w && y >= 0 && y < h && z >= 0 && z < depth
			mode := mem.BoundaryMode(r.IntN(3))
			near := &texels[(min(max(z, 0), depth-1)*h+min(max(y, 0), h-1))*w+min(max(x, 0), w-1)]
			v := r.Float32()
			if r.IntN(2) == 0 {
				if !inside && mode == mem.BoundaryTrap {
					assert.ErrorIs(t, panics(t, func() { write(v, s, x*size, y, z, mode) }), mem.ErrSurfaceBounds, "write")
					continue
				}
				write(v, s, x*size, y, z, mode)
				if inside || mode == mem.BoundaryClamp {
					*near = v
				}
				continue
			}
			if !inside && mode == mem.BoundaryTrap {
				assert.ErrorIs(t, panics(t, func() { read(s, x*size, y, z, mode) }), mem.ErrSurfaceBounds, "read")
				continue
			}
			want := *near
			if !inside && mode == mem.BoundaryZero {
				want = 0
			}
			require.Equal(t, want, read(s, x*size, y, z, mode), "%+v: (%d, %d, %d) with mode %d", d, x, y, z, mode)
		}
		got := make([]float32, len(texels))
		require.NoError(t, mem.CopyFromArray(got, a))
		slicetest.Equal(t, texels, got, "%+v", d)
		require.NoError(t, s.Destroy())
		require.NoError(t, a.Free())
	}
}

// x counts bytes whatever is accessed, and what is accessed need not be a texel.
func TestSurfaceElementsOfOtherSizes(t *testing.T) {
	dev := newDevice(1 << 20)
	a := array(t, dev, mem.ArrayDesc{Width: 4, Height: 2, Flags: mem.ArraySurfaceLoadStore}, [][4]uint8{
		{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}, {16}, {20}, {24}, {28}})
	assert.Equal(t, uint8(9), mem.Surf2Dread(surface[uint8](t, a), 9, 0, mem.BoundaryTrap), "byte 9")
	pairs := surface[[2]uint8](t, a)
	assert.Equal(t, [2]uint8{6, 7}, mem.Surf2Dread(pairs, 6, 0, mem.BoundaryTrap), "bytes 6 and 7")
	rows := surface[[4][4]uint8](t, a) // 16 bytes
	assert.Equal(t, [4][4]uint8{{16}, {20}, {24}, {28}}, mem.Surf2Dread(rows, 0, 1, mem.BoundaryTrap), "row 1")
	// The nearest element is the last whole one.
	assert.Equal(t, [2]uint8{14, 15}, mem.Surf2Dread(pairs, 400, 0, mem.BoundaryClamp), "clamped")
	mem.Surf2Dwrite([2]uint8{98, 99}, pairs, -2, 9, mem.BoundaryClamp)
	mem.Surf2Dwrite([2]uint8{1, 1}, pairs, 16, 0, mem.BoundaryZero) // the row ends at 16: this is not row 1
	got := make([][4]uint8, 8)
	require.NoError(t, mem.CopyFromArray(got, a))
	assert.Equal(t, [4]uint8{98, 99, 0, 0}, got[4], "clamped write")
	// Not multiplying x by the size is the classic mistake. Where it can be seen it is an error.
	assert.ErrorIs(t, panics(t, func() { mem.Surf2Dread(pairs, 3, 0, mem.BoundaryZero) }), mem.ErrInvalidValue, "misaligned")
	assert.ErrorIs(t, panics(t, func() { mem.Surf2Dread(pairs, -1, 0, mem.BoundaryClamp) }), mem.ErrInvalidValue, "misaligned and out of range")
	for _, x := range []int{16, -2, math.MaxInt - 1, math.MinInt} {
		assert.ErrorIs(t, panics(t, func() { mem.Surf2Dread(pairs, x, 0, mem.BoundaryTrap) }), mem.ErrSurfaceBounds, "trap")
		assert.Equal(t, [2]uint8{}, mem.Surf2Dread(pairs, x, 0, mem.BoundaryZero), "zero mode at %d", x)
	}
	assert.ErrorIs(t, panics(t, func() { mem.Surf2Dread(pairs, 16, 0, 7) }), mem.ErrSurfaceBounds, "an unknown mode traps")
}

func TestSurfaceOfMipmapLevel(t *testing.T) {
	dev := newDevice(1 << 20)
	m, err := mem.AllocMipmappedArray[uint8](dev, mem.ArrayDesc{Width: 4, Height: 4, Flags: mem.ArraySurfaceLoadStore}, 3)
	require.NoError(t, err)
	level, err := m.Level(1)
	require.NoError(t, err)
	s := surface[uint8](t, level)
	mem.Surf2Dwrite(9, s, 1, 1, mem.BoundaryTrap)
	assert.ErrorIs(t, panics(t, func() { mem.Surf2Dwrite(9, s, 2, 1, mem.BoundaryTrap) }), mem.ErrSurfaceBounds, "beyond the level")
	tex := texture[uint8](t, m, mem.TextureDesc{NormalizedCoords: true, MaxMipmapLevelClamp: 2})
	assert.Equal(t, uint8(9), mem.Tex2DLod(tex, 0.75, 0.75, 1), "the texture")
	require.NoError(t, m.Free())
	assert.ErrorIs(t, panics(t, func() { mem.Surf2Dread(s, 0, 0, mem.BoundaryTrap) }), mem.ErrFreed, "freed")
}

func TestSurfaceErrors(t *testing.T) {
	dev := newDevice(1 << 20)
	plain := array[float32](t, dev, mem.ArrayDesc{Width: 4}, nil)
	a := array[float32](t, dev, mem.ArrayDesc{Width: 3, Flags: mem.ArraySurfaceLoadStore}, nil)
	bad := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"nothing":           bad(mem.NewSurface[float32](nil)),
		"nil array":         bad(mem.NewSurface[float32]((*mem.Array[float32])(nil))),
		"without the flag":  bad(mem.NewSurface[float32](plain)),
		"pointers":          bad(mem.NewSurface[*float32](a)),
		"3 bytes":           bad(mem.NewSurface[[3]uint8](a)),
		"32 bytes":          bad(mem.NewSurface[[4]float64](a)),
		"0 bytes":           bad(mem.NewSurface[struct{}](a)),
		"rows don't divide": bad(mem.NewSurface[float64](a)),
	} {
		assert.ErrorIs(t, err, mem.ErrInvalidValue, name)
	}
	s := surface[float32](t, a)
	trap := mem.BoundaryTrap
	for name, f := range map[string]func(){
		"Surf2Dread":              func() { mem.Surf2Dread(s, 0, 0, trap) },
		"Surf3Dwrite":             func() { mem.Surf3Dwrite(1, s, 0, 0, 0, trap) },
		"Surf1DLayeredread":       func() { mem.Surf1DLayeredread(s, 0, 0, trap) },
		"Surf2DLayeredwrite":      func() { mem.Surf2DLayeredwrite(1, s, 0, 0, 0, trap) },
		"SurfCubemapread":         func() { mem.SurfCubemapread(s, 0, 0, 0, trap) },
		"SurfCubemapLayeredwrite": func() { mem.SurfCubemapLayeredwrite(1, s, 0, 0, 0, trap) },
	} {
		assert.ErrorIs(t, panics(t, f), mem.ErrInvalidValue, name+" of a 1-D surface")
	}
	require.NoError(t, s.Destroy())
	assert.ErrorIs(t, panics(t, func() { mem.Surf1Dread(s, 0, trap) }), mem.ErrFreed, "a destroyed surface")
	assert.ErrorIs(t, s.Destroy(), mem.ErrFreed, "second Destroy")
	assert.ErrorIs(t, (*mem.Surface[int8])(nil).Destroy(), mem.ErrInvalidValue, "Destroy of nil")
	assert.ErrorIs(t, new(mem.Surface[int8]).Destroy(), mem.ErrInvalidValue, "Destroy of nothing")
	s = surface[float32](t, a)
	require.NoError(t, a.Free())
	assert.ErrorIs(t, panics(t, func() { mem.Surf1Dread(s, 0, trap) }), mem.ErrFreed, "a surface of a freed array")
	_, err := mem.NewSurface[float32](a)
	assert.ErrorIs(t, err, mem.ErrFreed, "a surface of a freed array")
}
