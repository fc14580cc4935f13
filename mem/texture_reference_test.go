package mem_test

import (
	"math"
	"math/big"

	"github.com/gocuda/gocuda/mem"
)

// A slow texture in rational numbers: the formulas of the appendix "Texture Fetching" of the CUDA
// C++ Programming Guide, one after the other, to compare the fast one with.

// half stands for half precision: mem goes by the name of the type.
type Half uint16

var (
	ratHalf = big.NewRat(1, 2)
	ratOne  = big.NewRat(1, 1)
)

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func ratFloor(x *big.Rat) *big.Int { // Div rounds down for a positive divisor
	return new(big.Int).Div(x.Num(), x.Denom())
}

func ratFrac(x *big.Rat) *big.Rat {
	return new(big.Rat).Sub(x, new(big.Rat).SetInt(ratFloor(x)))
}

// A reference has what a texture has. texel gives a channel of a texel as the filter sees it.
type reference struct {
	w, h, d    int // of one layer
	dims       int
	modes      [3]mem.AddressMode
	linear     bool
	normalized bool
	border     [4]float32
	texel      func(x, y, z, c int) *big.Rat
}

// fold returns the coordinate in texels, x in the guide's appendix: N*frac and so on.
func (r *reference) fold(u *big.Rat, n int, mode mem.AddressMode) *big.Rat {
	if !r.normalized {
		return u
	}
	x := new(big.Rat).Set(u)
	switch mode {
	case mem.AddressWrap:
		x = ratFrac(u)
	case mem.AddressMirror:
		x = ratFrac(u)
		if ratFloor(u).Bit(0) == 1 {
			x.Sub(ratOne, x)
		}
	}
	return x.Mul(x, rat(float64(n)))
}

// outside says what stands for texel i of n: another index, or -1 for the border.
func (r *reference) outside(i *big.Int, n int, mode mem.AddressMode) int {
	if i.Sign() >= 0 && i.Cmp(big.NewInt(int64(n))) < 0 {
		return int(i.Int64())
	}
	switch {
	case mode == mem.AddressBorder:
		return -1
	case mode == mem.AddressWrap && r.normalized:
		return int(new(big.Int).Mod(i, big.NewInt(int64(n))).Int64())
	case i.Sign() < 0:
		return 0
	}
	return n - 1
}

// along returns the texels along one dimension and their weights.
func (r *reference) along(u float64, n int, mode mem.AddressMode) ([]int, []*big.Rat) {
	x := r.fold(rat(u), n, mode)
	if !r.linear {
		return []int{r.outside(ratFloor(x), n, mode)}, []*big.Rat{ratOne}
	}
	xb := new(big.Rat).Sub(x, ratHalf)
	i := ratFloor(xb)
	// α*256 to the nearest integer.
	a := ratFrac(xb)
	a.Mul(a, big.NewRat(256, 1)).Add(a, ratHalf)
	alpha := new(big.Rat).SetFrac(ratFloor(a), big.NewInt(256))
	next := new(big.Int).Add(i, big.NewInt(1))
	return []int{r.outside(i, n, mode), r.outside(next, n, mode)}, []*big.Rat{new(big.Rat).Sub(ratOne, alpha), alpha}
}

// at returns a channel of the texture at a place; layer is added to z of textures with less than
// three dimensions.
func (r *reference) at(u [3]float64, layer, c int) *big.Rat {
	sizes := [3]int{r.w, r.h, r.d}
	index := [3][]int{{0}, {0}, {layer}}
	weight := [3][]*big.Rat{{ratOne}, {ratOne}, {ratOne}}
	for k := range r.dims {
		index[k], weight[k] = r.along(u[k], sizes[k], r.modes[k])
	}
	sum := new(big.Rat)
	for kz, z := range index[2] {
		for ky, y := range index[1] {
			for kx, x := range index[0] {
				w := new(big.Rat).Mul(weight[0][kx], weight[1][ky])
				w.Mul(w, weight[2][kz])
				t := rat(float64(r.border[c]))
				if x >= 0 && y >= 0 && z >= 0 {
					t = r.texel(x, y, z, c)
				}
				sum.Add(sum, w.Mul(w, t))
			}
		}
	}
	return sum
}

// rounded reports whether got is want rounded to float32, give or take what a float64 loses of
// numbers up to largest.
func rounded(got float32, want *big.Rat, largest float64) bool {
	f, exact := want.Float32()
	if got == f && (exact || f != 0) {
		return true
	}
	if got-got != 0 {
		return false
	}
	up, down := float64(math.Nextafter32(f, inf32)), float64(math.Nextafter32(f, -inf32))
	ulp := max(up-float64(f), float64(f)-down)
	d := new(big.Rat).Sub(rat(float64(got)), want)
	return d.Abs(d).Cmp(rat(ulp/2+largest*0x1p-50)) <= 0
}

var inf32 = float32(math.Inf(1))

// ratOf is q rounded to float32, as texels are that come from integers.
func ratOf(num, den int64) *big.Rat {
	f, _ := big.NewRat(num, den).Float32()
	return rat(float64(f))
}

// halfValue is the value of a finite half by the definition of IEEE 754.
func halfValue(h Half) *big.Rat {
	exp, frac := int(h>>10&31), float64(h&1023)
	v := math.Ldexp(frac, -24)
	if exp > 0 {
		v = math.Ldexp(1024+frac, exp-25)
	}
	if h>>15 != 0 {
		v = -v
	}
	return rat(v)
}
