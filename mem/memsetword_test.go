package mem_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// A buffer of bytes shows what memsets of words write and what they leave.
func TestMemsetWords(t *testing.T) {
	d := kernelDevice(t)
	b, err := mem.Alloc[byte](d, 400)
	require.NoError(t, err)
	whole := b.Data()
	s := d.NewStream()
	sets := map[string]func(part *mem.Buffer[byte]) error{
		"MemsetD16": func(p *mem.Buffer[byte]) error { return mem.MemsetD16(p, 0xabcd) },
		"MemsetD32": func(p *mem.Buffer[byte]) error { return mem.MemsetD32(p, 0x89abcdef) },
		"MemsetD16Async": func(p *mem.Buffer[byte]) error {
			if err := mem.MemsetD16Async(s, p, 0xabcd); err != nil {
				return err
			}
			return s.Synchronize(t.Context())
		},
		"MemsetD32Async": func(p *mem.Buffer[byte]) error {
			if err := mem.MemsetD32Async(s, p, 0x89abcdef); err != nil {
				return err
			}
			return s.Synchronize(t.Context())
		},
	}
	for name, set := range sets {
		size := 2
		var value [4]byte
		binary.NativeEndian.PutUint16(value[:], 0xabcd)
		if name == "MemsetD32" || name == "MemsetD32Async" {
			size = 4
			binary.NativeEndian.PutUint32(value[:], 0x89abcdef)
		}
		for from := range 9 {
			for _, n := range []int{0, 1, 2, 3, 4, 6, 8, 60, 62, 64, 66, 68, 130, 131, 200} {
				clear(whole)
				part, err := b.Slice(from, from+n)
				require.NoError(t, err)
				err = set(part)
				if n > 0 && (n%size != 0 || from%size != 0) {
					assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%s of %d bytes from %d", name, n, from)
					n = 0
				} else {
					assert.NoError(t, err, "%s of %d bytes from %d", name, n, from)
				}
				want := make([]byte, len(whole))
				for i := range n {
					want[from+i] = value[i%size]
				}
				require.Equal(t, want, whole, "%s of %d bytes from %d", name, n, from)
			}
		}
	}
	floats, err := mem.Alloc[float32](d, 7)
	require.NoError(t, err)
	require.NoError(t, mem.MemsetD32(floats, 0x3fc00000))
	assert.Equal(t, []float32{1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5}, floats.Data())
	require.NoError(t, floats.Free())
	assert.ErrorIs(t, mem.MemsetD32(floats, 0), mem.ErrFreed)
}

func TestMemset2DWords(t *testing.T) {
	d := kernelDevice(t)
	b, err := mem.Alloc[uint16](d, 60)
	require.NoError(t, err)
	require.NoError(t, mem.Memset2DD32(b.Rows(10, 6).At(2, 1, 0), 0x00070007, 4, 3))
	require.NoError(t, mem.Memset2DD16(b.Rows(10, 6).At(9, 0, 0), 9, 1, 6))
	for i, v := range b.Data() {
		x, y, want := i%10, i/10, uint16(0)
		if x >= 2 && x < 6 && y >= 1 && y < 4 {
			want = 7
		}
		if x == 9 {
			want = 9
		}
		assert.Equal(t, want, v, "x %d, y %d", x, y)
	}
	assert.ErrorIs(t, mem.Memset2DD32(b.Rows(10, 6), 1, 3, 2), gocuda.ErrInvalidValue)
	assert.ErrorIs(t, mem.Memset2DD32(b.Rows(10, 6).At(1, 0, 0), 1, 2, 2), gocuda.ErrInvalidValue)
	odd, err := mem.Alloc[uint16](d, 9)
	require.NoError(t, err)
	assert.ErrorIs(t, mem.Memset2DD32(odd.Rows(3, 3), 1, 2, 3), gocuda.ErrInvalidValue, "the second row begins in a word")
	assert.Equal(t, make([]uint16, 9), odd.Data(), "nothing is written if a row is wrong")
}
