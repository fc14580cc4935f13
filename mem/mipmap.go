package mem

import (
	"fmt"
	"math"
	"math/bits"
)

// Mipmapped arrays: an array and copies of it, each half as wide, high and deep as the one before,
// which a program fills. A texture of one chooses among them, or blends two, by a level of detail.

// A MipmappedArray is a CUDA mipmapped array, cudaMipmappedArray_t. The zero value and nil are no
// array.
type MipmappedArray[T any] struct {
	buf    *Buffer[T]
	levels []*Array[T]
}

// AllocMipmappedArray allocates an array with a number of levels, CUDA's cudaMallocMipmappedArray.
// Level 0 has the size of desc; each further one has half the width, height and depth, rounded down
// but at least 1, and as many layers. As in CUDA, the number is clamped to the range from 1 to 1 +
// floor(log2(the largest size)).
func AllocMipmappedArray[T any](dev Device, desc ArrayDesc, levels int) (*MipmappedArray[T], error) {
	first, err := describe[T](dev, desc)
	if err != nil {
		return nil, err
	}
	if desc.Flags&ArrayTextureGather != 0 {
		return nil, fmt.Errorf("mem: %w: mipmapped arrays can't be gathered from", ErrInvalidValue)
	}
	largest := max(first.w, first.h)
	if first.shape == shape3D {
		largest = max(largest, first.d)
	}
	levels = min(max(levels, 1), bits.Len(uint(largest)))
	m := &MipmappedArray[T]{}
	var total int64
	var ends []int64
	half := func(n, level int) int {
		if n == 0 {
			return 0
		}
		return max(n>>level, 1)
	}
	for i := range levels {
		a := *first
		a.desc.Width, a.desc.Height = half(desc.Width, i), half(desc.Height, i)
		a.w, a.h = half(first.w, i), half(first.h, i)
		if first.shape == shape3D {
			a.desc.Depth, a.d = half(desc.Depth, i), half(first.d, i)
		}
		total += int64(a.w) * int64(a.h) * int64(a.d)
		ends = append(ends, total)
		m.levels = append(m.levels, &a)
	}
	if total > math.MaxInt {
		return nil, fmt.Errorf("mem: %w: %d texels", ErrInvalidValue, total)
	}
	if m.buf, err = Alloc[T](dev, int(total)); err != nil {
		return nil, err
	}
	from := 0
	for i, a := range m.levels {
		if a.buf, err = m.buf.Slice(from, int(ends[i])); err != nil {
			return nil, err
		}
		from = int(ends[i])
	}
	return m, nil
}

func (m *MipmappedArray[T]) check() error {
	if m == nil || m.buf == nil {
		return fmt.Errorf("mem: %w: no mipmapped array", ErrInvalidValue)
	}
	return m.buf.check()
}

// Levels returns the number of levels.
func (m *MipmappedArray[T]) Levels() int {
	if m == nil {
		return 0
	}
	return len(m.levels)
}

// Level returns a level as an array that shares its memory, CUDA's cudaGetMipmappedArrayLevel.
func (m *MipmappedArray[T]) Level(i int) (*Array[T], error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if i < 0 || i >= len(m.levels) {
		return nil, fmt.Errorf("mem: %w: level %d of %d", ErrInvalidValue, i, len(m.levels))
	}
	return m.levels[i], nil
}

// Free gives the memory of all levels back, CUDA's cudaFreeMipmappedArray.
func (m *MipmappedArray[T]) Free() error {
	if m == nil || m.buf == nil {
		return m.check()
	}
	return m.buf.Free()
}
