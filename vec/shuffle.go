//go:build goexperiment.simd && amd64

package vec

// Shuffles of a warp, whose 32 lanes are in two vectors of 16: lo has lanes 0 to 15. Each func returns one of
// the two vectors of the result, of lanes 16*part to 16*part+15. They need AVX-512.

// A Shuffle is a way in which lanes of a warp read from each other; see [SourceU32x8].
type Shuffle int

// The shuffles of CUDA: __shfl_sync, and those with up, down and xor in their names.
const (
	ByIdx Shuffle = iota
	ByUp
	ByDown
	ByXor
)

// A shuffleTable has, for each argument of a kind of shuffle, the lane that each lane reads.
type shuffleTable [32][2][16]uint32

var shflIndex, shflUpIndex, shflDownIndex, shflXorIndex shuffleTable

func init() {
	for b := range 32 {
		for lane := range 32 {
			part, k := lane/16, lane%16
			up, down := lane-b, lane+b
			if up < 0 {
				up = lane
			}
			if down > 31 {
				down = lane
			}
			shflIndex[b][part][k] = uint32(b)
			shflUpIndex[b][part][k] = uint32(up)
			shflDownIndex[b][part][k] = uint32(down)
			shflXorIndex[b][part][k] = uint32(lane ^ b)
		}
	}
}

// ShflF32x16 returns what the lanes of a part read from lane b, of which 5 bits count.
func ShflF32x16(lo, hi F32x16, b, part int) F32x16 {
	if b&16 != 0 {
		lo = hi
	}
	return lo.Permute(shflIndex.of(b, 0))
}

// ShflUpF32x16 returns what the lanes of a part read from the lane b below, or their own value if there is
// none.
func ShflUpF32x16(lo, hi F32x16, b, part int) F32x16 {
	if b&31 == 16 {
		return lo
	}
	if part == 0 {
		return lo.Permute(shflUpIndex.of(b, 0))
	}
	return lo.ConcatPermute(hi, shflUpIndex.of(b, 1))
}

// ShflDownF32x16 returns what the lanes of a part read from the lane b above, or their own value if there is
// none.
func ShflDownF32x16(lo, hi F32x16, b, part int) F32x16 {
	if b&31 == 16 {
		return hi
	}
	if part == 1 {
		return hi.Permute(shflDownIndex.of(b, 1))
	}
	return lo.ConcatPermute(hi, shflDownIndex.of(b, 0))
}

// ShflXorF32x16 returns what the lanes of a part read from the lane whose number differs in the bits of b.
func ShflXorF32x16(lo, hi F32x16, b, part int) F32x16 {
	if b>>4&1 != part {
		lo = hi
	}
	return lo.Permute(shflXorIndex.of(b, part))
}

// ShflI32x16 is [ShflF32x16] for another type.
func ShflI32x16(lo, hi I32x16, b, part int) I32x16 {
	if b&16 != 0 {
		lo = hi
	}
	return lo.Permute(shflIndex.of(b, 0))
}

// ShflUpI32x16 is [ShflUpF32x16] for another type.
func ShflUpI32x16(lo, hi I32x16, b, part int) I32x16 {
	if b&31 == 16 {
		return lo
	}
	if part == 0 {
		return lo.Permute(shflUpIndex.of(b, 0))
	}
	return lo.ConcatPermute(hi, shflUpIndex.of(b, 1))
}

// ShflDownI32x16 is [ShflDownF32x16] for another type.
func ShflDownI32x16(lo, hi I32x16, b, part int) I32x16 {
	if b&31 == 16 {
		return hi
	}
	if part == 1 {
		return hi.Permute(shflDownIndex.of(b, 1))
	}
	return lo.ConcatPermute(hi, shflDownIndex.of(b, 0))
}

// ShflXorI32x16 is [ShflXorF32x16] for another type.
func ShflXorI32x16(lo, hi I32x16, b, part int) I32x16 {
	if b>>4&1 != part {
		lo = hi
	}
	return lo.Permute(shflXorIndex.of(b, part))
}

// ShflU32x16 is [ShflF32x16] for another type.
func ShflU32x16(lo, hi U32x16, b, part int) U32x16 {
	if b&16 != 0 {
		lo = hi
	}
	return lo.Permute(shflIndex.of(b, 0))
}

// ShflUpU32x16 is [ShflUpF32x16] for another type.
func ShflUpU32x16(lo, hi U32x16, b, part int) U32x16 {
	if b&31 == 16 {
		return lo
	}
	if part == 0 {
		return lo.Permute(shflUpIndex.of(b, 0))
	}
	return lo.ConcatPermute(hi, shflUpIndex.of(b, 1))
}

// ShflDownU32x16 is [ShflDownF32x16] for another type.
func ShflDownU32x16(lo, hi U32x16, b, part int) U32x16 {
	if b&31 == 16 {
		return hi
	}
	if part == 1 {
		return hi.Permute(shflDownIndex.of(b, 1))
	}
	return lo.ConcatPermute(hi, shflDownIndex.of(b, 0))
}

// ShflXorU32x16 is [ShflXorF32x16] for another type.
func ShflXorU32x16(lo, hi U32x16, b, part int) U32x16 {
	if b>>4&1 != part {
		lo = hi
	}
	return lo.Permute(shflXorIndex.of(b, part))
}
