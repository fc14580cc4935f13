package main

import "fmt"

// indexed has gathers, scatters and their check of bounds.
func indexed() *file {
	f := newFile("// Gathers and scatters, and the check of the indices before them.", "math/bits", "simd/archsimd")
	for _, v := range types {
		if v.bits >= 32 && !v.float() {
			inRange(f, v)
		}
	}
	for _, v := range types {
		gather, strided := gather, strided
		if v.part() {
			gather, strided = gatherPart, stridedPart
		}
		if v.n <= 16 {
			gather(f, v, "", vec('I', 32, v.n))
		}
		if v.n <= 8 {
			gather(f, v, "64", vec('I', 64, v.n))
		}
		strided(f, v)
		steps(f, v)
	}
	return f
}

func inRange(f *file, v vtype) {
	bound := "uint64(n)"
	if v.bits == 32 {
		bound = "uint32(min(n, 1<<31))"
	}
	if v.bits == 32 && !v.signed() {
		f.emit(v, `
// InRange$T reports whether 0 <= idx < n in all lanes of m.
func InRange$T(idx $T, n int, m Mask) bool {
	return n > 1<<32-1 || m&^Lt$T(idx, archsimd.Broadcast$A(uint32(n)))&$ALL == 0
}
`)
		return
	}
	f.emit(v, `
// InRange$T reports whether 0 <= idx < n in all lanes of m.
func InRange$T(idx $T, n int, m Mask) bool {
	return m&^Lt$U(idx$AS, archsimd.Broadcast$AU($BOUND))&$ALL == 0
}
`, "$AS", pick(v.signed(), ".As"+v.as('U').arch+"()", ""), "$BOUND", bound)
}

// gather loads through general registers: lanes are put together there to
// words of 64 bits, and these to a vector. Through an array in memory it would
// take a quarter more time, as a load that spans several stores waits for them.
// Elements are loaded and stored as unsigned integers, floats too: the scalar
// loads of floats are SSE instructions, slow between AVX ones.
func gather(f *file, v vtype, form string, idx vtype) {
	f.emit(v, `
// Gather$F$T returns s[idx[k]] in each lane k of m and zero in the others. The
// caller guarantees that the indices of m are in range.
func Gather$F$T(s []$E, idx $X, m Mask) $T {
	var zero $T
	var x [$N]$XE
	m &= $ALL
	if m != $ALL {
		if m == 0 {
			return zero
		}
		// The lanes that are off look where one that is on does.
		StorePtr$X(&x, idx)
		on := x[bits.TrailingZeros32(uint32(m))&($N-1)]
		idx = Select$X(m, idx, Splat$X(on))
	}
	StorePtr$X(&x, idx)
	$WORDS
	if m != $ALL {
		v = Select$T(m, v, zero)
	}
	return v
}

// Scatter$F$T sets s[idx[k]] to lane k of v for each lane k of m, in the order
// of the lanes. The caller guarantees that the indices of m are in range.
func Scatter$F$T(s []$E, idx $X, v $T, m Mask) {
	var x [$N]$XE
	var t [$N]$EU
	StorePtr$X(&x, idx)
	StorePtr$U(&t, v$AS)
	m &= $ALL
	if m == $ALL {
		$SET
		return
	}
	for ; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m)) & ($N - 1)
		*at[$EU](s, int(x[k])) = t[k]
	}
}
`, "$F", form, "$XE", idx.elem, "$X", idx.name,
		"$WORDS", words(v, "int(x[%d])"),
		"$BACK", pick(v.kind == 'U', "", ".As"+v.arch+"()"),
		"$AS", pick(v.kind == 'U', "", ".As"+v.as('U').arch+"()"),
		"$SET", each(v.n, "*at[$EU](s, int(x[%d])) = t[%[1]d]"))
}

func strided(f *file, v vtype) {
	f.emit(v, `
// GatherStride$T returns s[i+k*stride] in each lane k of m and zero in the
// others. The caller guarantees that the elements of m are in range.
func GatherStride$T(s []$E, i, stride int, m Mask) $T {
	if m&$ALL == $ALL {
		$WORDS
		return v
	}
	var t [$N]$EU
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m)) & ($N - 1)
		t[k] = *at[$EU](s, i+k*stride)
	}
	return LoadPtr$U(&t)$BACK
}

// ScatterStride$T sets s[i+k*stride] to lane k of v for each lane k of m, in
// the order of the lanes. The caller guarantees that the elements of m are in
// range.
func ScatterStride$T(s []$E, i, stride int, v $T, m Mask) {
	var t [$N]$EU
	StorePtr$U(&t, v$AS)
	if m&$ALL == $ALL {
		$SET
		return
	}
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m)) & ($N - 1)
		*at[$EU](s, i+k*stride) = t[k]
	}
}
`, "$WORDS", words(v, "i+%d*stride"),
		"$BACK", pick(v.kind == 'U', "", ".As"+v.arch+"()"),
		"$AS", pick(v.kind == 'U', "", ".As"+v.as('U').arch+"()"),
		"$SET", each(v.n, "*at[$EU](s, i+%d*stride) = t[%[1]d]"))
}

func steps(f *file, v vtype) {
	f.emit(v, `
// GatherStep$T is GatherStride$T for a distance that only the run knows: neighbours are loaded as such.
func GatherStep$T(s []$E, i, stride int, m Mask) $T {
	if stride == 1 {
		return LoadMasked$T(s, i, m)
	}
	return GatherStride$T(s, i, stride, m)
}

// ScatterStep$T is ScatterStride$T for a distance that only the run knows.
func ScatterStep$T(s []$E, i, stride int, v $T, m Mask) {
	if stride == 1 {
		StoreMasked$T(s, i, v, m)
		return
	}
	ScatterStride$T(s, i, stride, v, m)
}
`)
}

// words loads the element at each index into v, by way of 64-bit words.
func words(v vtype, index string) string {
	s, list := "", ""
	for k := range v.n {
		load := "uint64(*at[$EU](s, " + fmt.Sprintf(index, k) + "))"
		word, shift := k*v.bits/64, k*v.bits%64
		if shift == 0 {
			s += fmt.Sprintf("\nw%d := %s", word, load)
			list += pick(list == "", "", ", ") + fmt.Sprintf("w%d", word)
		} else {
			s += fmt.Sprintf(" |\n%s<<%d", load, shift)
		}
	}
	n := v.size() / 64
	return s + fmt.Sprintf("\nv := words%d(%s)%s", n, list, pick(v.arch == fmt.Sprintf("Uint64x%d", n), "", ".As"+v.arch+"()"))
}

// each unrolls a line over the lanes.
func each(n int, line string) string {
	s := ""
	for k := range n {
		s += fmt.Sprintf(line, k) + "\n"
	}
	return s
}
