package mem

import "unsafe"

// Access to texels for compiled kernels, from textures that return elements of memory unchanged.

// Points returns the texels of a 2-D texture for point sampling at clamped coordinates in texels,
// if [Tex2D] returns them unchanged. right and bottom are the largest coordinates, pitch the number
// of texels from row to row. The texel at (x, y) is element int(v)*pitch+int(u), where u is x
// clamped to 0 and right, v is y clamped to 0 and bottom, and NaN is 0. For a texture that is read
// in another way, or may not be read, there are no texels. Code that `gocuda gen` writes calls it.
func (t *Texture[R]) Points() (texels []R, right, bottom float32, pitch int32) {
	if t == nil || t.shape != shape2D || len(t.images) != 1 || !t.plain || t.linear || t.scale || !t.clamps || !t.usable() {
		return nil, 0, 0, 0
	}
	m := &t.images[0]
	if m.h*m.pitch >= 1<<29 {
		return nil, 0, 0, 0
	}
	return texelsOf[R](m), float32(m.w - 1), float32(m.h - 1), int32(m.pitch)
}

// Linear returns the elements of a texture of linear memory, if [Tex1Dfetch] returns them
// unchanged, and else none. Code that `gocuda gen` writes calls it.
func (t *Texture[R]) Linear() []R {
	if t == nil || len(t.images) != 1 || t.shape != shapeLinear || !t.plain || !t.usable() {
		return nil
	}
	m := &t.images[0]
	return texelsOf[R](m)[:m.w]
}

// usable reports whether the memory of the texture may be read.
func (s *sampler) usable() bool { return s.use.Load() == usable && !s.destroyed.Load() }

// texelsOf is an image whose texels are an R.
func texelsOf[R any](m *image) []R {
	return unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(m.raw))), len(m.raw)/m.size)
}
