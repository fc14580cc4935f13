package device

import "math"

// The inverses of the error functions. With w = -log(1-x^2), erfinv(x)/x is a smooth function of w
// where w is small, and of its root where it is large; it grows with the root (the form is that of
// M. Giles, Approximating the erfinv function, GPU Computing Gems 2011). w reaches 745, for the
// complement of a subnormal number.

// erfinvNear is erfinv(x)/x with d = w - 2.875, for w <= 5.7, within 2^-53.
func erfinvNear(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(-0x1.a13592576c26p-66, dd, 0x1.b943f7843e68ap-59)
	p = math.FMA(p, dd, -0x1.abcc6c9e8f334p-53)
	p = math.FMA(p, dd, 0x1.80cd278abf75fp-48)
	p = math.FMA(p, dd, 0x1.072cd1708a15cp-43)
	p = math.FMA(p, dd, -0x1.7cf9c6e96028bp-36)
	p = math.FMA(p, dd, 0x1.37e2fb2573612p-30)
	p = math.FMA(p, dd, -0x1.1fbfbc06d00d2p-26)
	p = math.FMA(p, dd, -0x1.20b8e99480fb1p-19)
	p = math.FMA(p, dd, 0x1.a8d1013d29376p-13)
	p = math.FMA(p, dd, -0x1.624a460b14b37p-8)
	p = math.FMA(p, dd, 0x1.97df3f3ad5facp+0)
	q := math.FMA(0x1.968e85a3c021dp-68, dd, -0x1.d3e1eebe28984p-62)
	q = math.FMA(q, dd, 0x1.1716802028843p-57)
	q = math.FMA(q, dd, 0x1.7a9a6cbe09b3fp-51)
	q = math.FMA(q, dd, -0x1.2337e20cf349p-44)
	q = math.FMA(q, dd, 0x1.6d16f268f6407p-39)
	q = math.FMA(q, dd, -0x1.30ac476bb5a3dp-39)
	q = math.FMA(q, dd, -0x1.d86e39054fb0ap-28)
	q = math.FMA(q, dd, 0x1.f90517d2d5aadp-22)
	q = math.FMA(q, dd, -0x1.79aac450041acp-17)
	q = math.FMA(q, dd, -0x1.ea89c251cca68p-11)
	q = math.FMA(q, dd, 0x1.f1b6ac5ac8dep-3)
	return math.FMA(q, d, p)
}

// erfinvMiddle is erfinv(x)/x with d = sqrt(w) - 3.1875, for sqrt(w) between 2.375 and 4, within
// 2^-53.4.
func erfinvMiddle(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(0x1.0d7afd31a5bacp-27, dd, 0x1.75be914743d4p-29)
	p = math.FMA(p, dd, -0x1.a685610ff0cc6p-22)
	p = math.FMA(p, dd, 0x1.6fb127504a08ep-20)
	p = math.FMA(p, dd, 0x1.c12a4f10b9717p-18)
	p = math.FMA(p, dd, -0x1.cbf9f3b23480bp-15)
	p = math.FMA(p, dd, -0x1.84c6d9f21c07cp-16)
	p = math.FMA(p, dd, 0x1.22e600090dc9p-10)
	p = math.FMA(p, dd, 0x1.936e61b4faf97p-9)
	p = math.FMA(p, dd, 0x1.9231e1df892ffp-8)
	p = math.FMA(p, dd, 0x1.82b2b64c9249bp+1)
	q := math.FMA(-0x1.af6273404c1a5p-26, dd, 0x1.334e5841afc34p-23)
	q = math.FMA(q, dd, 0x1.382d7e5470c13p-22)
	q = math.FMA(q, dd, -0x1.60a6f0fec8c34p-18)
	q = math.FMA(q, dd, 0x1.2b4f206a82408p-17)
	q = math.FMA(q, dd, 0x1.a4d7c1f972802p-14)
	q = math.FMA(q, dd, -0x1.754c27ab5be8bp-12)
	q = math.FMA(q, dd, -0x1.0ffbc1396ca32p-9)
	q = math.FMA(q, dd, -0x1.234c6b540189p-8)
	q = math.FMA(q, dd, 0x1.01299a9ecf575p+0)
	return math.FMA(q, d, p)
}

// erfinvFar is erfinv(x)/(x sqrt(w)) with d = 1/sqrt(w) - 0.1875, for sqrt(w) between 4 and 9,
// within 2^-53.6.
func erfinvFar(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(-0x1.db8c59967be7ap+36, dd, 0x1.9d55fba39c6b8p+31)
	p = math.FMA(p, dd, -0x1.176132c87388ap+25)
	p = math.FMA(p, dd, -0x1.6f9cd8873bab5p+17)
	p = math.FMA(p, dd, 0x1.15aa8a9156b1ep+13)
	p = math.FMA(p, dd, -0x1.f5f2c82f6218p+3)
	p = math.FMA(p, dd, -0x1.8ff73144cf1ep+2)
	p = math.FMA(p, dd, -0x1.5968dc82c251cp+0)
	p = math.FMA(p, dd, -0x1.80c6c6add5d3ep-5)
	p = math.FMA(p, dd, 0x1.f1eb20b89d196p-1)
	q := math.FMA(-0x1.d5d36cbc30bfcp+38, dd, 0x1.0ca220439484fp+31)
	q = math.FMA(q, dd, 0x1.d8026c63d3ab2p+27)
	q = math.FMA(q, dd, -0x1.913268492dcfdp+22)
	q = math.FMA(q, dd, 0x1.ed8fe70e89ed6p+15)
	q = math.FMA(q, dd, 0x1.154ef242bb153p+10)
	q = math.FMA(q, dd, 0x1.6f8d72ccd3e4ep+4)
	q = math.FMA(q, dd, 0x1.2b85c5beed5e2p+1)
	q = math.FMA(q, dd, 0x1.a538e114d2a68p-1)
	q = math.FMA(q, dd, -0x1.9b3b7c2cf077ep-3)
	return math.FMA(q, d, p)
}

// erfinvFarthest is erfinv(x)/(x sqrt(w)) with d = 1/sqrt(w) - 0.078125, for sqrt(w) between 9 and
// 27.5, within 2^-56.
func erfinvFarthest(d float64) float64 {
	dd := float64(d * d)
	p := math.FMA(-0x1.4b1703a20ef7bp+44, dd, -0x1.78bb62bfe6ac4p+40)
	p = math.FMA(p, dd, -0x1.af494d5c8a049p+32)
	p = math.FMA(p, dd, -0x1.5d1053ec7b63bp+26)
	p = math.FMA(p, dd, -0x1.e8b1adff10084p+19)
	p = math.FMA(p, dd, -0x1.99efdd74e7a3fp+13)
	p = math.FMA(p, dd, -0x1.bff7bd2653c17p+7)
	p = math.FMA(p, dd, -0x1.b4a2205918bbbp+2)
	p = math.FMA(p, dd, -0x1.e2bd0f06d5bf6p-2)
	p = math.FMA(p, dd, 0x1.fc32ac3aaa298p-1)
	q := math.FMA(0x1.e637638bc2d53p+52, dd, -0x1.77f2dcf2b9d3p+44)
	q = math.FMA(q, dd, 0x1.384899af6d7cap+37)
	q = math.FMA(q, dd, 0x1.78077f20e684ep+29)
	q = math.FMA(q, dd, 0x1.1eb9a74c1ccp+23)
	q = math.FMA(q, dd, 0x1.b4f13206bcdfcp+16)
	q = math.FMA(q, dd, 0x1.9a28cdbb6723ep+10)
	q = math.FMA(q, dd, 0x1.14af87646630ap+5)
	q = math.FMA(q, dd, 0x1.0d94881a2c4aap+1)
	q = math.FMA(q, dd, -0x1.35ba1a48012bap-3)
	return math.FMA(q, d, p)
}

// erfinvRatio returns erfinv(x)/x for w = -log(1-x^2).
func erfinvRatio(w float64) float64 {
	if w <= 5.7 {
		return erfinvNear(w - 2.875)
	}
	s := math.Sqrt(w)
	if s <= 4 {
		return erfinvMiddle(s - 3.1875)
	}
	if s <= 9 {
		return float64(s * erfinvFar(1/s-0.1875))
	}
	return float64(s * erfinvFarthest(1/s-0.078125))
}

// Erfinv returns x with erf(x) = y: CUDA's erfinv. It is infinite at 1 and -1, and NaN beyond.
// The largest error found is 2.60 ulp; the bound is 5.
func Erfinv(y float64) float64 {
	a := math.Abs(y)
	if !(a < 1) {
		if a == 1 {
			return math.Copysign(math.Inf(1), y)
		}
		return math.NaN()
	}
	// 1-a is exact from 1/2 on; below, an error of w beside 1 is one of the ratio.
	return float64(y * erfinvRatio(-Log(float64((1-a)*(1+a)))))
}

// Erfcinv returns x with erfc(x) = y: CUDA's erfcinv. It is infinite at 0 and 2, and NaN outside.
// The largest error found is 3.15 ulp; the bound is 8.
func Erfcinv(y float64) float64 {
	if y > 0.5 {
		return Erfinv(1 - y) // exact
	}
	if !(y > 0) {
		if y == 0 {
			return math.Inf(1)
		}
		return math.NaN()
	}
	return float64((1 - y) * erfinvRatio(-Log(float64(y*(2-y)))))
}

// Normcdfinv returns x with Normcdf(x) = y: CUDA's normcdfinv. It is infinite at 0 and 1, and NaN
// outside. The largest error found is 3.83 ulp; the bound is 8.
func Normcdfinv(y float64) float64 {
	const rootH, rootL = 0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54 // sqrt(2)
	e := Erfcinv(2 * y)
	if e == 0 || e-e != 0 {
		return 0 - e
	}
	return -math.FMA(e, rootH, float64(e*rootL))
}
