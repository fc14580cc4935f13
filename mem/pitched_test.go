package mem_test

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
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
		require.NoError(t, err)
		want := 0 // the first multiple of unit that the row fits into
		for want < width*size {
			want += unit
		}
		assert.Equal(t, want, p.Pitch(), "pitch of rows of %d", width)
		assert.Equal(t, want, p.Stride()*size, "stride of rows of %d", width)
		assert.Zero(t, p.Pitch()%mem.PitchAlign)
		assert.Equal(t, width, p.Width())
		assert.Equal(t, 3, p.Height())
		assert.Equal(t, 1, p.Depth())
		assert.Len(t, p.Data(), 3*p.Stride())
		assert.Equal(t, int64(3*want), used(dev)-before, "bytes of rows of %d", width)
		require.NoError(t, p.Free())
	}
}

func TestPitchedRows(t *testing.T) {
	dev := newDevice(1 << 20)
	p, err := mem.Alloc3D[int32](dev, 5, 3, 2)
	require.NoError(t, err)
	for z := range 2 {
		for y := range 3 {
			row := p.Row(y, z)
			require.Len(t, row, 5, "row %d of slice %d", y, z)
			require.Equal(t, 5, cap(row), "row %d of slice %d, with what is behind", y, z)
			for x := range row {
				row[x] = int32(100*z + 10*y + x + 1)
			}
		}
	}
	// What the formula of the package says.
	slicetest.Each(t, func(i int) int32 {
		x, y, z := i%p.Stride(), i/p.Stride()%3, i/p.Stride()/3
		if x < 5 {
			return int32(100*z + 10*y + x + 1)
		}
		return 0
	}, p.Data())
	for _, at := range [][2]int{{-1, 0}, {3, 0}, {0, -1}, {0, 2}} {
		assert.Nil(t, p.Row(at[0], at[1]), "row %d of slice %d", at[0], at[1])
	}
	b, err := p.Buffer()
	require.NoError(t, err)
	assert.ErrorIs(t, b.Free(), mem.ErrInvalidValue, "Free of its buffer")
	require.NoError(t, p.Free())
	assert.Nil(t, p.Data())
	assert.Nil(t, p.Row(0, 0))
	assert.Nil(t, b.Data())
	assert.Zero(t, used(dev), "bytes in use")
	assert.ErrorIs(t, p.Free(), mem.ErrFreed, "second Free")
	_, err = p.Buffer()
	assert.ErrorIs(t, err, mem.ErrFreed, "Buffer")
	assert.ErrorIs(t, mem.Memset2D(p.Rows(), 0, 1, 1), mem.ErrFreed, "Memset2D")
}

func TestPitchedSizesThatCannotBe(t *testing.T) {
	dev := newDevice(math.MaxInt64)
	for _, c := range [][3]int{
		{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {math.MinInt, 1, 1},
		{math.MaxInt, 1, 1}, {math.MaxInt, 2, 1}, {1, math.MaxInt, 1}, {1, 1, math.MaxInt}, {1, math.MaxInt, math.MaxInt},
		{math.MaxInt / 4, 4, 1}, {1 << 15, math.MaxInt / 4, 4}, {math.MaxInt, math.MaxInt, math.MaxInt},
	} {
		_, err := mem.Alloc3D[float64](dev, c[0], c[1], c[2])
		assert.ErrorIs(t, err, mem.ErrInvalidValue, "Alloc3D")
	}
	for _, c := range [][3]int{{0, 0, 0}, {0, 5, 5}, {5, 0, 5}, {5, 5, 0}} {
		p, err := mem.Alloc3D[float64](dev, c[0], c[1], c[2])
		require.NoError(t, err)
		assert.Empty(t, p.Data(), "%v", c)
		require.NoError(t, mem.Copy3D(p.Rows(), mem.HostRows[float64](nil, 0, 0), c[0], c[1], c[2]))
		require.NoError(t, p.Free())
	}
	_, err := mem.AllocPitch[string](dev, 1, 1)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "strings")
	_, err = mem.AllocPitch[int](nil, 1, 1)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "no device")
	small := newDevice(1000)
	_, err = mem.AllocPitch[byte](small, 1, 2)
	assert.ErrorIs(t, err, mem.ErrOutOfMemory, "two rows of 512 bytes in 1000")
}

func TestNoPitched(t *testing.T) {
	var zero mem.Pitched[int32]
	for name, p := range map[string]*mem.Pitched[int32]{"nil": nil, "zero value": &zero} {
		assert.Zero(t, p.Width(), "%s has something", name)
		assert.Zero(t, p.Height(), "%s has something", name)
		assert.Zero(t, p.Depth(), "%s has something", name)
		assert.Zero(t, p.Stride(), "%s has something", name)
		assert.Zero(t, p.Pitch(), "%s has something", name)
		assert.Nil(t, p.Data(), "%s has something", name)
		assert.Nil(t, p.Row(0, 0), "%s has a row", name)
		_, err := p.Buffer()
		assert.ErrorIs(t, err, mem.ErrInvalidValue, name)
		assert.ErrorIs(t, p.Free(), mem.ErrInvalidValue, name)
		assert.ErrorIs(t, mem.Copy2D(p.Rows(), mem.HostRows([]int32{1}, 1, 1), 1, 1), mem.ErrInvalidValue, name)
		assert.ErrorIs(t, mem.Copy2D(mem.HostRows([]int32{1}, 1, 1), p.Rows(), 1, 1), mem.ErrInvalidValue, name)
		assert.ErrorIs(t, mem.Memset2D(p.Rows(), 1, 1, 1), mem.ErrInvalidValue, name)
	}
}

func TestPitchedIsPoisoned(t *testing.T) {
	dev := &device{mem.NewSpace(1<<20, true)}
	p, err := mem.AllocPitch[float32](dev, 7, 7)
	require.NoError(t, err)
	slicetest.EqualFunc(t, p.Data(), p.Data(), func(_, v float32) bool { return v != v }, "no poison")
}
