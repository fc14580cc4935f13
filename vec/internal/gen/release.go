package main

import (
	"fmt"
	"strings"
)

// release has what simd/archsimd names, or does, in another way from one Go release to the next: the functions of vec whose text
// differs. There is a file for Go 1.26 and one for later releases. The functions of the other files call them.
func release(later bool) *file {
	constraint := pick(later, "go1.27", "!go1.27")
	about := pick(later, "// What is particular to simd/archsimd from Go 1.27 on.", "// What is particular to simd/archsimd of Go 1.26.")
	imports := []string{"simd/archsimd"}
	if later {
		imports = []string{"math/bits", "simd/archsimd", "unsafe"}
	}
	f := newFileFor(constraint, about, imports...)
	array := pick(later, "Array", "")
	for _, v := range types {
		if v.part() {
			continue
		}
		f.emit(v, `
// Load$T returns s[i:i+$N]. The caller guarantees that they are in range.
func Load$T(s []$E, i int) $T { return archsimd.Load$A$ARRAY(at[[$N]$E](s, i)) }

// Store$T sets s[i:i+$N] to v. The caller guarantees that they are in range.
func Store$T(s []$E, i int, v $T) { v.Store$ARRAY(at[[$N]$E](s, i)) }

// LoadPtr$T returns the elements of *p.
func LoadPtr$T(p *[$N]$E) $T { return archsimd.Load$A$ARRAY(p) }

// StorePtr$T sets *p to the elements of v.
func StorePtr$T(p *[$N]$E, v $T) { v.Store$ARRAY(p) }
`, "$ARRAY", array)
		f.emit(v, `
// Lane$T returns lane k of v; k counts modulo $N.
func Lane$T(v $T, k int) $E {
	var t [$N]$E
	v.Store$ARRAY(&t)
	return t[k&($N-1)]
}

// ToArray$T returns the lanes of v.
func ToArray$T(v $T) (t [$N]$E) {
	v.Store$ARRAY(&t)
	return t
}

// FromArray$T returns the vector with lanes t.
func FromArray$T(t [$N]$E) $T { return archsimd.Load$A$ARRAY(&t) }
`, "$ARRAY", array)
		if v.bits >= 32 {
			masked(f, v, later)
		}
		if v.float() {
			f.emit(v, `
// constant$T loads a constant.
func constant$T(p *[$MAX]$E) $T { return archsimd.Load$A$ARRAY((*[$N]$E)(p[:])) }
`, "$ARRAY", array, "$MAX", fmt.Sprint(512/v.bits))
			roundToEven(f, v, pick(later, "Round", "RoundToEven"))
		}
		if v.signed() && v.shiftsByLane() {
			count := pick(later, "n", "n.As$A()")
			f.emit(v, `
// ShlV$T returns a << n lane by lane.
func ShlV$T(a $T, n $U) $T { return a.ShiftLeft(`+count+`) }
`)
			if v.name != "I64x4" {
				f.emit(v, `
// ShrV$T returns a >> n lane by lane, and fills with the sign.
func ShrV$T(a $T, n $U) $T { return a.ShiftRight(`+count+`) }
`)
			}
		}
		if v.wide() && !v.float() {
			for bits := v.bits / 2; bits >= 8; bits /= 2 {
				to := vec(v.kind, bits, v.n)
				f.emit(v, `
func `+truncation(v, to)+`(a $T) archsimd.$TO { return a.$VERBTo$LANES() }
`, "$VERB", pick(later, "Trunc", "Truncate"), "$TO", to.arch, "$LANES", to.arch[:strings.Index(to.arch, "x")])
			}
		}
	}
	for _, v := range []vtype{vec('F', 64, 2), vec('I', 64, 2), vec('U', 64, 2)} {
		f.emit(v, `
func storePtr$T(p *[2]$E, v archsimd.$A) { v.Store$ARRAY(p) }
`, "$ARRAY", array)
	}
	f.WriteString(strings.ReplaceAll(masksAndTables, "$ARRAY", array))
	f.emit(vec('U', 32, 8), `
// mulEven$T returns the products of the even lanes.
func mulEven$T(a, b $T) U64x4 { return a.$MUL(b) }

// even$T returns the even lanes of a and of b.
func evenU32x4(a, b U32x4) U32x4 { return a.$PAIR(0, 2, 4, 6, b) }
`, "$MUL", pick(later, "MulWidenEven", "MulEvenWiden"), "$PAIR", pick(later, "ConcatPermuteScalars", "SelectFromPair"), "even$T", "evenU32x4")
	if later {
		f.WriteString(`
// crosses reports whether the size bytes from s[i] on are in two pages of 4 KiB.
func crosses[E any](s []E, i int, size uintptr) bool {
	return (uintptr(unsafe.Pointer(unsafe.SliceData(s)))+uintptr(i)*unsafe.Sizeof(s[0]))%4096 > 4096-size
}
`)
	}
	return f
}

// masked has the masked loads and stores of an instruction. Go 1.27 has no masked load: it loads all lanes, also those that are off. That
// is no fault if one lane is on and all are in a page; otherwise the lanes are loaded one by one.
func masked(f *file, v vtype, later bool) {
	body := "return archsimd.LoadMasked$A(near[[$N]$E](s, i), $FROM(m))"
	if later {
		body = fmt.Sprintf("if m&$ALL == 0 || crosses(s, i, %d) {\n\t\treturn loadLanes$T(s, i, m)\n\t}\n\t", v.size()/8) +
			"return archsimd.Load$AArray(near[[$N]$E](s, i)).Masked($FROM(m))"
	}
	f.emit(v, `
// LoadMasked$T returns s[i+k] in each lane k of m, and zero in the others,
// $ABOUT
func LoadMasked$T(s []$E, i int, m Mask) $T {
	$BODY
}

// StoreMasked$T sets s[i+k] to lane k of v for each lane k of m. The other
// elements aren't touched and need not exist.
func StoreMasked$T(s []$E, i int, v $T, m Mask) {
	v.Store$ARRAYMasked(near[[$N]$E](s, i), $FROM(m))
}
`, "$ARRAY", pick(later, "Array", ""),
		"$ABOUT", pick(later, "whose elements have no effect and need not exist.", "whose elements aren't touched and need not exist."),
		"$BODY", body)
	if later {
		loadLanes(f, v)
	}
}

// truncation names the function from v to the lower bits of its lanes.
func truncation(v, to vtype) string { return "truncate" + v.name + "_" + to.name }

// shiftsByLane reports whether there is an instruction that shifts each lane by its own count.
func (v vtype) shiftsByLane() bool { return v.bits >= 32 || v.bits == 16 && v.wide() }

// masksAndTables are in the files of the releases as what they load would otherwise be a call more: where that is put in, Go leaves an
// instruction that does nothing.
const masksAndTables = `
func mask32x8(m Mask) archsimd.Mask32x8 {
	bit := archsimd.LoadInt32x8$ARRAY(&bit32)
	return archsimd.BroadcastInt32x8(int32(m)).And(bit).Equal(bit)
}

func mask32x4(m Mask) archsimd.Mask32x4 {
	bit := archsimd.LoadInt32x4$ARRAY((*[4]int32)(bit32[:]))
	return archsimd.BroadcastInt32x4(int32(m)).And(bit).Equal(bit)
}

func mask64x4(m Mask) archsimd.Mask64x4 {
	bit := archsimd.LoadInt64x4$ARRAY(&bit64)
	return archsimd.BroadcastInt64x4(int64(m)).And(bit).Equal(bit)
}

func mask16x8(m Mask) archsimd.Mask16x8 {
	bit := archsimd.LoadInt16x8$ARRAY((*[8]int16)(bit16[:]))
	return archsimd.BroadcastInt16x8(int16(m)).And(bit).Equal(bit)
}

func mask16x16(m Mask) archsimd.Mask16x16 {
	bit := archsimd.LoadInt16x16$ARRAY(&bit16)
	return archsimd.BroadcastInt16x16(int16(m)).And(bit).Equal(bit)
}

func mask8x16(m Mask) archsimd.Mask8x16 {
	bit := archsimd.LoadInt8x16$ARRAY((*[16]int8)(bit8[:]))
	half := archsimd.LoadInt8x16$ARRAY((*[16]int8)(byte8[:])) // which byte of m a lane looks at
	return archsimd.BroadcastInt16x8(int16(m)).AsInt8x16().PermuteOrZero(half).And(bit).Equal(bit)
}

func mask8x32(m Mask) archsimd.Mask8x32 {
	bit := archsimd.LoadInt8x32$ARRAY(&bit8)
	which := archsimd.LoadInt8x32$ARRAY(&byte8) // both halves have all bytes of m
	return archsimd.BroadcastInt32x8(int32(m)).AsInt8x32().PermuteOrZeroGrouped(which).And(bit).Equal(bit)
}

func (t *shuffleTable) of(b, part int) U32x16 { return archsimd.LoadUint32x16$ARRAY(&t[b&31][part&1]) }

`
