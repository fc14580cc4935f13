//go:build compiled

package devicekernels

import (
	"math"
	"math/rand/v2"
	"reflect"
)

// Inputs: the values at which functions of this kind change what they do, in many pairings, and
// random ones.

// specials is special values of float64; those of float32 and the halves follow from them.
var specials = func() []float64 {
	s := []float64{0, 1, 0.5, 2, 1.5, 3, 7, 10, 100, 0.1, 1e-3, 1e-8, 1e-20, 1e-30, 4, 0.75, 0.99999994, 1.0000001, 2.5, 5.5, 29, 33, 88.5, 89, 104,
		128, 149.5, 709.5, 745, 0.347, 0.693, math.Pi, math.Pi / 2, math.Pi / 4, math.E, 1e5, 105615, 1e10, 1e20, 65504, 65519, 65520, 6e-8, 6.1e-5,
		1<<23 - 0.5, 1 << 23, 1<<24 + 2, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 52, 1 << 53, 1<<62 + 1<<20, 1 << 63, 1 << 64,
		math.MaxFloat32, 0x1p-126, 0x1p-127, 0x1p-149, 0x1.8p-149, math.MaxFloat64, 0x1p-1022, 0x1p-1023, math.SmallestNonzeroFloat64, math.Inf(1)}
	for _, x := range s {
		s = append(s, -x)
	}
	return append(s, math.Copysign(0, -1), math.NaN())
}()

// inputs returns n numbers of the type T, the same for each seed.
func inputs[T any](n int, seed uint64) []T {
	r := rand.New(rand.NewPCG(seed, 1))
	s := make([]T, n)
	v := reflect.ValueOf(s)
	for i := range n {
		fill(v.Index(i), r)
	}
	return s
}

func fill(v reflect.Value, r *rand.Rand) {
	x := r.Uint64()
	kind := r.Uint32N(8)
	size := uint(v.Type().Size()) * 8
	switch {
	case v.CanInt():
		v.SetInt(int64(word(x, kind, size)) << (64 - size) >> (64 - size))
	case v.CanUint():
		v.SetUint(word(x, kind, size))
	case v.CanFloat() && kind < 2:
		v.SetFloat(specials[x%uint64(len(specials))])
	case v.CanFloat() && kind < 4: // any pattern
		if size == 32 {
			v.SetFloat(float64(math.Float32frombits(uint32(x))))
		} else {
			v.SetFloat(math.Float64frombits(x))
		}
	case v.CanFloat() && kind < 6: // where most functions are neither 0 nor infinite
		v.SetFloat(r.NormFloat64() * math.Exp2(float64(x%8)))
	case v.CanFloat():
		v.SetFloat(r.Float64()*2 - 1)
	case v.Kind() == reflect.Bool:
		v.SetBool(x&1 != 0)
	case v.Kind() == reflect.Array:
		for k := range v.Len() {
			fill(v.Index(k), r)
		}
	case v.Kind() == reflect.Struct:
		for k := range v.NumField() {
			fill(v.Field(k), r)
		}
	default:
		panic("devicekernels: no inputs of type " + v.Type().String())
	}
}

// word returns an integer of so many bits. They may be numbers in half precision, of which the
// first kinds are the special ones.
func word(x uint64, kind uint32, size uint) uint64 {
	mask := uint64(1)<<(size-1)<<1 - 1
	switch kind {
	case 0: // near 0, of both signs
		return uint64(int64(x%129)-64) & mask
	case 1: // the ends
		return (uint64(1)<<(size-1) + x%5 - 2) & mask
	case 2: // few bits, as of a shift
		return x & 0x3f & mask
	case 3: // as halves: an exponent of 0 or all ones
		if x>>32&1 == 0 {
			return x & 0x83ff83ff83ff83ff & mask
		}
		return (x&0x83ff83ff83ff83ff | 0x7c007c007c007c00) & mask
	}
	return x & mask
}
