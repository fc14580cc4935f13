package main

// memory has the loads and stores of neighbouring elements.
func memory() *file {
	f := newFile("// Loads and stores of neighbouring elements.", "math/bits", "simd/archsimd", "unsafe")
	for _, v := range types {
		loadLanes := "archsimd.Load$A(&t)"
		storeLanes := "v.Store(&t)"
		if v.part() {
			memoryPart(f, v)
			loadLanes, storeLanes = "LoadPtr$T(&t)", "StorePtr$T(&t, v)"
		} else {
			f.emit(v, `
// Load$T returns s[i:i+$N]. The caller guarantees that they are in range.
func Load$T(s []$E, i int) $T { return archsimd.Load$A(at[[$N]$E](s, i)) }

// Store$T sets s[i:i+$N] to v. The caller guarantees that they are in range.
func Store$T(s []$E, i int, v $T) { v.Store(at[[$N]$E](s, i)) }

// LoadPtr$T returns the elements of *p.
func LoadPtr$T(p *[$N]$E) $T { return archsimd.Load$A(p) }

// StorePtr$T sets *p to the elements of v.
func StorePtr$T(p *[$N]$E, v $T) { v.Store(p) }
`)
		}
		switch {
		case v.bits >= 32:
			f.emit(v, `
// LoadMasked$T returns s[i+k] in each lane k of m, and zero in the others,
// whose elements aren't touched and need not exist.
func LoadMasked$T(s []$E, i int, m Mask) $T {
	return archsimd.LoadMasked$A(near[[$N]$E](s, i), $FROM(m))
}

// StoreMasked$T sets s[i+k] to lane k of v for each lane k of m. The other
// elements aren't touched and need not exist.
func StoreMasked$T(s []$E, i int, v $T, m Mask) {
	v.StoreMasked(near[[$N]$E](s, i), $FROM(m))
}
`)
		default:
			f.emit(v, `
// LoadMasked$T returns s[i+k] in each lane k of m, and zero in the others,
// whose elements aren't touched and need not exist.
func LoadMasked$T(s []$E, i int, m Mask) $T {
	if m&$ALL == $ALL {
		return Load$T(s, i)
	}
	return loadLanes$T(s, i, m)
}

func loadLanes$T(s []$E, i int, m Mask) $T {
	var t [$N]$E
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m))
		t[k&($N-1)] = *at[$E](s, i+k)
	}
	return $LOAD
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
	$STORE
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m))
		*at[$E](s, i+k) = t[k&($N-1)]
	}
}
`, "$LOAD", loadLanes, "$STORE", storeLanes)
		}
	}
	return f
}
