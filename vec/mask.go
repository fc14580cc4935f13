//go:build goexperiment.simd && amd64

package vec

import "simd/archsimd"

// A Mask is a set of lanes: bit i is lane i.
type Mask uint32

// First returns the mask of the lanes below n: none for n <= 0, all for large n.
func First(n int) Mask { return Mask(uint64(1)<<min(uint(max(n, 0)), 32) - 1) }

// From a Mask to the masks of archsimd. With 512 bits that is a move to a mask
// register; narrower vectors without AVX-512 spread the mask over all lanes and
// test in each lane its own bit; these are in the files of the releases.

var (
	bit64 = [4]int64{1, 2, 4, 8}
	bit32 = [8]int32{1, 2, 4, 8, 16, 32, 64, 128}
	bit16 = [16]int16{
		1, 2, 4, 8, 16, 32, 64, 128,
		1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, -1 << 15,
	}
	bit8 = [32]int8{
		1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128,
		1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128,
	}
	byte8 = [32]int8{
		0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
		2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
	}
)

func mask32x16(m Mask) archsimd.Mask32x16 { return archsimd.Mask32x16FromBits(uint16(m)) }

func mask64x8(m Mask) archsimd.Mask64x8 { return archsimd.Mask64x8FromBits(uint8(m)) }

func mask16x32(m Mask) archsimd.Mask16x32 { return archsimd.Mask16x32FromBits(uint32(m)) }

// bits16x8 returns the sign bits of v. There is no instruction for 16-bit
// lanes; those for 32-bit ones have their sign where the short ones had it.
func bits16x8(v archsimd.Int16x8) Mask {
	var zero archsimd.Int32x8
	return Mask(zero.Greater(v.ExtendToInt32()).ToBits())
}

var (
	oddLo = [16]int8{1, 3, 5, 7, 9, 11, 13, 15, -1, -1, -1, -1, -1, -1, -1, -1}
	oddHi = [16]int8{-1, -1, -1, -1, -1, -1, -1, -1, 1, 3, 5, 7, 9, 11, 13, 15}
)

// bits16x16 returns the sign bits of v: it brings the upper bytes together and
// asks for theirs.
func bits16x16(v archsimd.Int16x16) Mask {
	var zero archsimd.Int8x16
	lo := v.GetLo().AsInt8x16().PermuteOrZero(LoadPtrI8x16(&oddLo))
	hi := v.GetHi().AsInt8x16().PermuteOrZero(LoadPtrI8x16(&oddHi))
	return Mask(zero.Greater(lo.Or(hi)).ToBits())
}
