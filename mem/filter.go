package mem

import "math"

// From places to a result: the sums of the appendix "Texture Fetching". In two dimensions, with the
// weights α and β,
//
//	tex(x,y) = (1-α)(1-β)T[i,j] + α(1-β)T[i+1,j] + (1-α)βT[i,j+1] + αβT[i+1,j+1]
//
// and so on in three. A product of a texel and its weight is exact in float64; the sum is made in
// float64, in this order, and rounded to float32 at the end. A texel that weighs nothing does not
// count, also if it is an infinity or NaN.

// A spot is the place that a fetch reads: its coordinates, as the program gave them (normalized or
// not), and the layer or face if the resource has these.
type spot struct {
	x, y, z float64
	slice   int
}

// places returns the places of a spot along the dimensions of an image.
func (s *sampler) places(m *image, p spot, linear bool) (x, y, z place) {
	x = locate(p.x, m.w, s.scale, s.modes[0], linear)
	if s.dims > 1 {
		y = locate(p.y, m.h, s.scale, s.modes[1], linear)
	}
	if s.dims > 2 {
		z = locate(p.z, m.d, s.scale, s.modes[2], linear)
	} else {
		z = place{p.slice, p.slice, 0}
	}
	return x, y, z
}

// at returns the index of a texel of an image, -1 if a dimension says border.
func (m *image) at(x, y, z int) int {
	if x|y|z < 0 {
		return -1
	}
	return (z*m.h+y)*m.pitch + x
}

// point returns the index of the texel that p lies in.
func (s *sampler) point(m *image, p spot) int {
	x, y, z := s.places(m, p, false)
	return m.at(x.i, y.i, z.i)
}

// sample returns an image's value at p, filtered.
func (s *sampler) sample(m *image, p spot) [4]float64 {
	if !s.linear {
		return s.texel(m, s.point(m, p))
	}
	if s.seamless {
		return s.sampleSeamless(m, p)
	}
	x, y, z := s.places(m, p, true)
	return s.blend(m, x, y, z)
}

// blend returns the weighted sum of the texels at places.
func (s *sampler) blend(m *image, x, y, z place) [4]float64 {
	sum := s.around(m, x, y, z, false)
	for c := range s.channels {
		if sum[c]-sum[c] != 0 { // not finite
			return s.around(m, x, y, z, true)
		}
	}
	return sum
}

// around returns the weighted sum of blend. With strict it leaves out texels of weight 0.
func (s *sampler) around(m *image, x, y, z place, strict bool) [4]float64 {
	// The sum begins with -0, to which anything can be added without changing it.
	zero := math.Copysign(0, -1)
	sum := [4]float64{zero, zero, zero, zero}
	for c := range s.ends[2] {
		k, w := pick(z, c)
		for b := range s.ends[1] {
			j, v := pick(y, b)
			v *= w
			for a := range s.ends[0] {
				i, u := pick(x, a)
				if weight := u * v; weight != 0 || !strict {
					s.add(&sum, m, m.at(i, j, k), weight)
				}
			}
		}
	}
	return sum
}

// pick returns an end of a place and its weight.
func pick(p place, end int) (int, float64) {
	if end == 0 {
		return p.i, 1 - p.w
	}
	return p.j, p.w
}

// mix returns the weighted sum of texels, by channel.
func (s *sampler) mix(texels [][4]float64, weights []float64) (sum [4]float64) {
	for c := range s.channels {
		r := float64(weights[0] * texels[0][c])
		for i := 1; i < len(texels); i++ {
			r += float64(weights[i] * texels[i][c])
		}
		if r-r != 0 { // not finite: leave out what weighs nothing
			r = 0
			for i := range texels {
				if weights[i] != 0 {
					r += float64(weights[i] * texels[i][c])
				}
			}
		}
		sum[c] = r
	}
	return sum
}

// quickLinear is sample for a texture with s.quick.
func (s *sampler) quickLinear(px, py float32) float32 {
	m := &s.images[0]
	u, v := float64(px), float64(py)
	var x, y place
	if s.clamps {
		// What locate does, without calls and questions.
		w, h := float64(m.w), float64(m.h)
		if s.scale {
			u *= w
			v *= h
		}
		u, v = u-0.5, v-0.5
		// At -1 and below both texels are the first one; also for NaN, since they are so at
		// coordinate 0.
		if !(u > -1) {
			u = -1
		}
		if !(v > -1) {
			v = -1
		}
		if u > w {
			u = w
		}
		if v > h {
			v = h
		}
		fu, fv := math.Floor(u), math.Floor(v)
		i, j := int(fu), int(fv)
		x = place{max(i, 0), i + 1, weight(u - fu)}
		y = place{max(j, 0), j + 1, weight(v - fv)}
		if i >= m.w-1 {
			x.i, x.j = m.w-1, m.w-1
		}
		if j >= m.h-1 {
			y.i, y.j = m.h-1, m.h-1
		}
	} else {
		x = locate(u, m.w, s.scale, s.modes[0], true)
		y = locate(v, m.h, s.scale, s.modes[1], true)
		if x.i|x.j|y.i|y.j < 0 {
			return float32(s.blend(m, x, y, place{})[0])
		}
	}
	t, j0, j1 := m.floats, y.i*m.pitch, y.j*m.pitch
	t00, t10 := float64(t[j0+x.i]), float64(t[j0+x.j])
	t01, t11 := float64(t[j1+x.i]), float64(t[j1+x.j])
	a, b := x.w, y.w
	w00, w10, w01, w11 := (1-a)*(1-b), a*(1-b), (1-a)*b, a*b
	r := float64(w00*t00) + float64(w10*t10) + float64(w01*t01) + float64(w11*t11)
	if r-r != 0 {
		return float32(s.blend(m, x, y, place{})[0])
	}
	return float32(r)
}

// quickPoint returns the index of the texel that (px, py) lies in, for a texture with s.quick and
// s.clamps.
func (s *sampler) quickPoint(px, py float32) int {
	m := &s.images[0]
	u, v := float64(px), float64(py)
	if s.scale {
		u *= float64(m.w)
		v *= float64(m.h)
	}
	// In this order of arguments NaN becomes 0. Truncation is floor: nothing is negative any more.
	if !(u > 0) {
		u = 0
	}
	if !(v > 0) {
		v = 0
	}
	return int(min(v, float64(m.h-1)))*m.pitch + int(min(u, float64(m.w-1)))
}
