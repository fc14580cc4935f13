package main

// memory has the loads and stores of neighbouring elements but those that differ between Go releases.
func memory() *file {
	f := newFile("// Loads and stores of neighbouring elements.", "math/bits", "unsafe")
	for _, v := range types {
		if v.part() {
			memoryPart(f, v)
		}
		if v.bits >= 32 {
			continue
		}
		maskedByLane(f, v)
	}
	return f
}

// maskedByLane has the masked loads and stores without an instruction.
func maskedByLane(f *file, v vtype) {
	f.emit(v, `
// LoadMasked$T returns s[i+k] in each lane k of m, and zero in the others,
// whose elements aren't touched and need not exist.
func LoadMasked$T(s []$E, i int, m Mask) $T {
	if m&$ALL == $ALL {
		return Load$T(s, i)
	}
	return loadLanes$T(s, i, m)
}

// StoreMasked$T sets s[i+k] to lane k of v for each lane k of m. The other
// elements aren't touched and need not exist.
func StoreMasked$T(s []$E, i int, v $T, m Mask) {
	if m&$ALL == $ALL {
		Store$T(s, i, v)
		return
	}
	storeLanes$T(s, i, v, m)
}

func storeLanes$T(s []$E, i int, v $T, m Mask) {
	var t [$N]$E
	StorePtr$T(&t, v)
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m))
		*at[$E](s, i+k) = t[k&($N-1)]
	}
}
`)
	loadLanes(f, v)
}

// loadLanes has the masked load that takes lane by lane.
func loadLanes(f *file, v vtype) {
	f.emit(v, `
func loadLanes$T(s []$E, i int, m Mask) $T {
	var t [$N]$E
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m))
		t[k&($N-1)] = *at[$E](s, i+k)
	}
	return LoadPtr$T(&t)
}
`)
}
