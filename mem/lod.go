package mem

import "math"

// Levels of detail. The level that a fetch asks for, plus the bias, is clamped to the range of the
// texture and to the existing levels. With point filtering between levels the nearest level is read
// (halves up). With linear filtering the two levels around it are read; the weight of the second
// has 8 bits of fraction, as the weights between texels have. The CUDA C++ Programming Guide has no
// formulas for this; these are the ones of Direct3D and OpenGL.

// atLevel returns the texture's value at p for a level of detail.
func (s *sampler) atLevel(p spot, lod float64) [4]float64 {
	first, second, w := s.levels(lod)
	if w == 0 {
		return s.sample(&s.images[first], p)
	}
	a, b := s.sample(&s.images[first], p), s.sample(&s.images[second], p)
	return s.mix([][4]float64{a, b}, []float64{1 - w, w})
}

// levels returns the two levels for a level of detail and the weight of the second.
func (s *sampler) levels(lod float64) (first, second int, w float64) {
	last := len(s.images) - 1
	if last == 0 {
		return 0, 0, 0
	}
	if lod != lod {
		lod = 0
	}
	lod = min(max(lod+s.bias, s.minLevel), s.maxLevel)
	lod = min(max(lod, 0), float64(last))
	if !s.mipLinear {
		n := int(math.Floor(lod + 0.5))
		return n, n, 0
	}
	f := math.Floor(lod)
	first = int(f)
	w = weight(lod - f)
	if w == 1 {
		return first + 1, first + 1, 0
	}
	return first, min(first+1, last), w
}

// A slope is how far a coordinate moves from one thread to the next along one axis of the screen:
// dPdx or dPdy.
type slope [3]float64

// length returns the length of a slope in texels of the largest level.
func (s *sampler) length(d slope) float64 {
	m := &s.images[0]
	size := [3]float64{float64(m.w), float64(m.h), float64(m.d)}
	if !s.scale {
		size = [3]float64{1, 1, 1}
	}
	var sum float64
	for i := range s.dims {
		sum += float64(d[i] * d[i] * size[i] * size[i])
	}
	return math.Sqrt(sum)
}

// isotropic returns the level of detail for slopes: log2 of the length of the longer one.
func (s *sampler) isotropic(dx, dy slope) float64 {
	long := max(s.length(dx), s.length(dy))
	if !(long <= math.MaxFloat64) { // an infinity or NaN
		return 0
	}
	return math.Log2(long)
}

// atGradient returns the texture's value at p when p moves by dx and dy. The level of detail is
// log2 of the length of the longer one in texels, and 0 for slopes that are not finite. With
// anisotropy, and linear filtering of 2-D and 3-D textures, the footprint is taken as N samples
// along the longer one, N being the ratio of the lengths, rounded up and at most MaxAnisotropy,
// each with the level of a footprint as long as an N-th. The formulas are those of the OpenGL
// extension EXT_texture_filter_anisotropic; CUDA documents none.
func (s *sampler) atGradient(p spot, dx, dy slope) [4]float64 {
	long, short, along := s.length(dx), s.length(dy), dx
	if short > long {
		long, short, along = short, long, dy
	}
	if s.aniso == 1 || !s.linear || s.dims == 1 || s.cube() || !(long > 0 && long <= math.MaxFloat64) || short != short {
		return s.atLevel(p, s.isotropic(dx, dy))
	}
	n := s.aniso
	if short*float64(s.aniso) > long {
		n = int(math.Ceil(long / short))
	}
	lod := math.Log2(long / float64(n))
	var texels [16][4]float64
	var weights [16]float64
	for i := range n {
		step := float64(i+1)/float64(n+1) - 0.5
		q := p
		q.x += float64(along[0] * step)
		q.y += float64(along[1] * step)
		q.z += float64(along[2] * step)
		texels[i], weights[i] = s.atLevel(q, lod), 1
	}
	sum := s.mix(texels[:n], weights[:n])
	for c := range sum {
		sum[c] /= float64(n)
	}
	return sum
}
