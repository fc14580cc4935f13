package mem

import "math"

// Cubemaps: six square textures that are the faces of a cube, read by a direction. The face is the
// one that the direction passes through, and the coordinates on it are (s/m+1)/2 and (t/m+1)/2,
// with m, s and t by the table of the section "Cubemap Textures" of the CUDA C++ Programming Guide:
//
//	                          face  m   s   t
//	|x| > |y|, |z|   x >= 0   0     x  -z  -y
//	                 x < 0    1    -x   z  -y
//	|y| > |x|, |z|   y >= 0   2     y   x   z
//	                 y < 0    3    -y   x  -z
//	|z| > |x|, |y|   z >= 0   4     z   x  -y
//	                 z < 0    5    -z  -x  -y
//
// The guide leaves directions out that point at an edge or a corner of the cube. Here z goes before
// y and y before x, as in Direct3D. The direction of no length, and one that has NaN or an infinity
// in it, is (0, 0, 1).

// faceOf returns the face that a direction passes through and m, s and t.
func faceOf(x, y, z float64) (face int, m, s, t float64) {
	ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z)
	v := z
	switch {
	case az >= ax && az >= ay:
		face = 4
	case ay >= ax:
		face, v = 2, y
	default:
		face, v = 0, x
	}
	if v < 0 {
		face++
	}
	m, s, t = onFace(face, x, y, z)
	return face, m, s, t
}

// onFace is the table.
func onFace(face int, x, y, z float64) (m, s, t float64) {
	switch face {
	case 0:
		return x, -z, -y
	case 1:
		return -x, z, -y
	case 2:
		return y, x, z
	case 3:
		return -y, x, -z
	case 4:
		return z, x, -y
	}
	return -z, -x, -y
}

// cubeSpot returns the place of a direction on its face. The quotients are rounded to float64.
func cubeSpot(x, y, z float32) spot {
	dx, dy, dz := float64(x), float64(y), float64(z)
	if sum := dx + dy + dz; sum-sum != 0 || dx == 0 && dy == 0 && dz == 0 {
		dx, dy, dz = 0, 0, 1
	}
	face, m, s, t := faceOf(dx, dy, dz)
	return spot{x: (s/m + 1) / 2, y: (t/m + 1) / 2, slice: face}
}

// cubeSlope returns how a direction that moves by d moves the spot on its face: the derivative of
// (s/m+1)/2.
func cubeSlope(x, y, z float32, d [3]float32) slope {
	// Directions that cubeSpot replaces have no slope.
	if x-x != 0 || y-y != 0 || z-z != 0 || x == 0 && y == 0 && z == 0 {
		return slope{}
	}
	face, m, s, t := faceOf(float64(x), float64(y), float64(z))
	dm, ds, dt := onFace(face, float64(d[0]), float64(d[1]), float64(d[2]))
	return slope{(float64(ds*m) - float64(s*dm)) / (2 * m * m), (float64(dt*m) - float64(t*dm)) / (2 * m * m)}
}

// cube reports whether the texture is a cubemap.
func (s *sampler) cube() bool { return s.shape == shapeCubemap || s.shape == shapeCubemapLayered }

// sampleSeamless is sample for seamless cubemaps. p.slice is six times the layer, plus the face.
func (s *sampler) sampleSeamless(m *image, p spot) [4]float64 {
	n := m.w
	// Unlike locate, keep what lies one beyond the edge.
	x, y := overEdge(p.x, n), overEdge(p.y, n)
	var texels [4][4]float64
	var weights [4]float64
	corner := -1
	for c := range 4 {
		i, u := pick(x, c&1)
		j, v := pick(y, c>>1)
		weights[c] = u * v
		outX, outY := i < 0 || i >= n, j < 0 || j >= n
		if outX && outY {
			corner = c
			continue
		}
		face, i, j := p.slice%6, i, j
		if outX || outY {
			face, i, j = across(face, i, j, n)
		}
		texels[c] = s.texel(m, m.at(i, j, p.slice/6*6+face))
	}
	if corner >= 0 {
		// Three faces meet in a corner, so there is no fourth texel: it is the mean of the other
		// three, as OpenGL recommends. CUDA does not say.
		for ch := range s.channels {
			var sum float64
			for c := range texels {
				if c != corner {
					sum += texels[c][ch]
				}
			}
			texels[corner][ch] = sum / 3
		}
	}
	return s.mix(texels[:], weights[:])
}

// overEdge is locate with a normalized coordinate and linear filtering, but leaves -1 and n alone.
func overEdge(u float64, n int) place {
	v := float64(u*float64(n)) - 0.5 // u is in [0, 1]
	f := math.Floor(v)
	return place{int(f), int(f) + 1, weight(v - f)}
}

// across returns the texel on the adjacent face that continues (i, j) of a face, where one of i and
// j is -1 or n. In units of half a texel, a face of n by n texels is the plane at distance n from
// the center; its texels have their centers at odd or even numbers s and t from -(n-1) to n-1.
// Folded over the edge, the texel beyond it lies at distance n-1 along the old axis, on the plane
// at n of the new one.
func across(face, i, j, n int) (int, int, int) {
	s, t, m := 2*i+1-n, 2*j+1-n, n-1
	s, t = min(max(s, -n), n), min(max(t, -n), n)
	// The inverse of the table above.
	var x, y, z int
	switch face {
	case 0:
		x, y, z = m, -t, -s
	case 1:
		x, y, z = -m, -t, s
	case 2:
		x, y, z = s, m, t
	case 3:
		x, y, z = s, -m, -t
	case 4:
		x, y, z = s, -t, m
	default:
		x, y, z = -s, -t, -m
	}
	next, _, fs, ft := faceOf(float64(x), float64(y), float64(z))
	return next, (int(fs) + n - 1) / 2, (int(ft) + n - 1) / 2
}
