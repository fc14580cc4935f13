package mem

import "math"

// From coordinates to texels: the appendix "Texture Fetching" of the CUDA C++ Programming Guide.
// The formulas are for one dimension of N texels. x is the coordinate in texels: N times the
// coordinate that the program gave if that is normalized.
//
//	point:   T[i], i = floor(x)
//	linear:  (1-α)T[i] + αT[i+1], i = floor(xB), α = frac(xB), xB = x - 0.5
//	α is kept in 9 bits of which 8 are a fraction, so that 1 is among its values.
//
// The guide does not say how α is rounded to 8 bits. Here it is rounded to nearest, halves up; if
// it were truncated it could never be 1. Outside the texture the address mode replaces
//
//	clamp:   x by 0 or N-1
//	border:  the texel by the border color
//	wrap:    x by N*frac(x/N)
//	mirror:  x by N*frac(x/N) if floor(x/N) is even, else by N*(1-frac(x/N))
//
// With linear filtering, clamp, wrap and border apply to each of the texels i and i+1, since x
// alone may be inside while one of them is not. Mirrored, the texel beyond an end is the one at the
// end.
//
// The computation is exact: the product of a float32 and N < 2^18 fits a float64, and so do all
// numbers near a value at which the rounding of α changes. A coordinate that is NaN counts as 0, as
// it does when converted to an integer. For wrap and mirror, which are not defined for it, an
// infinite coordinate counts as 0 too.

// A place is where a coordinate falls along one dimension: texels i and j, with j weighing w. An
// index of -1 is the border.
type place struct {
	i, j int
	w    float64 // a multiple of 1/256
}

// locate returns the place of the coordinate u in n texels, for linear filtering if linear, else
// with j = i and w = 0.
func locate(u float64, n int, scale bool, mode AddressMode, linear bool) place {
	if u != u {
		u = 0
	}
	size := float64(n)
	if scale && (mode == AddressWrap || mode == AddressMirror) {
		return repeat(u, size, mode == AddressMirror, linear)
	}
	if scale {
		u *= size
	}
	if !linear {
		i := math.Floor(u)
		if mode == AddressBorder && (i < 0 || i >= size) {
			return place{-1, -1, 0}
		}
		k := int(min(max(i, 0), size-1))
		return place{k, k, 0}
	}
	// Outside of [-1, N] both texels are outside on the same side.
	v := min(max(u-0.5, -1), size)
	f := math.Floor(v)
	p := place{int(f), int(f) + 1, weight(v - f)}
	if mode == AddressBorder {
		return place{bordered(p.i, n), bordered(p.j, n), p.w}
	}
	return place{clamped(p.i, n), clamped(p.j, n), p.w}
}

// weight rounds a fraction to 8 bits.
func weight(frac float64) float64 { return math.Floor(frac*256+0.5) * (1.0 / 256) }

func clamped(i, n int) int { return min(max(i, 0), n-1) }

func bordered(i, n int) int {
	if i >= n {
		return -1
	}
	return max(i, -1)
}

// repeat is locate for wrap and mirror. u is normalized. N*frac(u) is u*N - floor(u)*N, and what is wanted of it is
// its integer part, which is the difference of two integers that float64 has exactly, and its fraction, which is that of
// u*N.
func repeat(u, size float64, mirror, linear bool) place {
	if math.Abs(u) >= 1<<24 {
		u = 0 // an even number, as is every float32 from here on, or an infinity
	}
	turns := math.Floor(u)
	start := turns * size
	x := u * size
	n := int(size)
	reversed := mirror && turns-2*math.Floor(turns/2) == 1
	if !linear {
		i := math.Floor(x) - start
		if reversed {
			i = size - (math.Ceil(x) - start)
		}
		k := clamped(int(i), n)
		return place{k, k, 0}
	}
	if reversed {
		// xB = N - (x-start) - 0.5, counted from the other end.
		c := math.Ceil(x + 0.5)
		i := int(size - (c - start))
		return place{clamped(i, n), clamped(i+1, n), weight(c - (x + 0.5))}
	}
	v := x - 0.5
	f := math.Floor(v)
	i := int(f - start) // -1 to N-1
	if mirror {
		return place{clamped(i, n), clamped(i+1, n), weight(v - f)}
	}
	j := i + 1
	if i < 0 {
		i = n - 1
	}
	if j >= n {
		j = 0
	}
	return place{i, j, weight(v - f)}
}
