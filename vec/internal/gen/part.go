package main

import (
	"fmt"
	"regexp"
	"strings"
)

// Vectors that fill a part of a register of 128 bits: 8- and 16-bit elements beside larger ones of the same number of lanes. They are
// in the lower lanes of the full register, and what the upper ones have means nothing. All but loads, stores, masks and
// what looks at single lanes is done by the functions of the full vectors.

// part reports whether v fills a part of a register.
func (v vtype) part() bool { return v.size() < 128 }

// full is the type that fills the register of v.
func (v vtype) full() vtype { return vec(v.kind, v.bits, max(v.n, 128/v.bits)) }

func memoryPart(f *file, v vtype) {
	word := pick(v.size() == 64, "uint64", "uint32")
	load := pick(v.size() == 64, "words2(*(*uint64)($P), 0)", "word($P)")
	store := pick(v.size() == 64, "AsUint64x2", "AsUint32x4")
	f.emit(v, `
// Load$T returns s[i:i+$N]. The caller guarantees that they are in range.
func Load$T(s []$E, i int) $T { return LoadPtr$T(at[[$N]$E](s, i)) }

// Store$T sets s[i:i+$N] to v. The caller guarantees that they are in range.
func Store$T(s []$E, i int, v $T) { StorePtr$T(at[[$N]$E](s, i), v) }

// LoadPtr$T returns the elements of *p.
func LoadPtr$T(p *[$N]$E) $T { return $LOAD.As$A() }

// StorePtr$T sets *p to the elements of v.
func StorePtr$T(p *[$N]$E, v $T) { *(*$WORD)(unsafe.Pointer(p)) = v.$STORE().GetElem(0) }
`, "$LOAD", strings.ReplaceAll(load, "$P", "unsafe.Pointer(p)"), "$WORD", word, "$STORE", store)
}

// A wrapped func is one of a full vector that serves a part as well.
var wrappedFunc = regexp.MustCompile(`(?m)^// (\w+?)\$T returns (?s:(.+?))\nfunc \w+\$T\((.*?)\) (\$T|\$U|Mask) `)

// wrap writes the functions of text, which are those of full vectors, as calls of them.
func wrap(f *file, v vtype, text string) {
	full := v.full()
	for _, m := range wrappedFunc.FindAllStringSubmatch(text, -1) {
		name, about, params, result := m[1], m[2], m[3], m[4]
		var args []string
		for p := range strings.SplitSeq(params, ", ") {
			arg := strings.Fields(p)[0]
			if p == "m Mask" && (name == "Div" || name == "Rem") {
				arg = "m&$ALL"
			}
			args = append(args, arg)
		}
		call := fmt.Sprintf("%s%s(%s)", name, full.name, strings.Join(args, ", "))
		if result == "Mask" {
			call += " & $ALL"
		}
		f.emit(v, fmt.Sprintf("// %[1]s$T returns %[2]s\nfunc %[1]s$T(%[3]s) %[4]s { return %[5]s }\n", name, about, params, result, call))
	}
}

func lanesPart(f *file, v vtype) {
	f.emit(v, `
// Lane$T returns lane k of v; k counts modulo $N.
func Lane$T(v $T, k int) $E {
	var t [$N]$E
	StorePtr$T(&t, v)
	return t[k&($N-1)]
}

// ToArray$T returns the lanes of v.
func ToArray$T(v $T) (t [$N]$E) {
	StorePtr$T(&t, v)
	return t
}

// FromArray$T returns the vector with lanes t.
func FromArray$T(t [$N]$E) $T { return LoadPtr$T(&t) }

// ReduceAdd$T returns the sum of all lanes; it wraps around.
func ReduceAdd$T(v $T) $E {
	t := ToArray$T(v)
	sum := t[0]
	for _, x := range t[1:] {
		sum += x
	}
	return sum
}

// ReduceMin$T returns the smallest lane.
func ReduceMin$T(v $T) $E {
	t := ToArray$T(v)
	least := t[0]
	for _, x := range t[1:] {
		least = min(least, x)
	}
	return least
}

// ReduceMax$T returns the largest lane.
func ReduceMax$T(v $T) $E {
	t := ToArray$T(v)
	most := t[0]
	for _, x := range t[1:] {
		most = max(most, x)
	}
	return most
}
`)
}

func gatherPart(f *file, v vtype, form string, idx vtype) {
	f.emit(v, `
// Gather$F$T returns s[idx[k]] in each lane k of m and zero in the others. The
// caller guarantees that the indices of m are in range.
func Gather$F$T(s []$E, idx $X, m Mask) $T {
	var x [$N]$XE
	var t [$N]$E
	StorePtr$X(&x, idx)
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m)) & ($N - 1)
		t[k] = *at[$E](s, int(x[k]))
	}
	return LoadPtr$T(&t)
}

// Scatter$F$T sets s[idx[k]] to lane k of v for each lane k of m, in the order
// of the lanes. The caller guarantees that the indices of m are in range.
func Scatter$F$T(s []$E, idx $X, v $T, m Mask) {
	var x [$N]$XE
	StorePtr$X(&x, idx)
	t := ToArray$T(v)
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m)) & ($N - 1)
		*at[$E](s, int(x[k])) = t[k]
	}
}
`, "$F", form, "$XE", idx.elem, "$X", idx.name)
}

func stridedPart(f *file, v vtype) {
	f.emit(v, `
// GatherStride$T returns s[i+k*stride] in each lane k of m and zero in the
// others. The caller guarantees that the elements of m are in range.
func GatherStride$T(s []$E, i, stride int, m Mask) $T {
	var t [$N]$E
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m)) & ($N - 1)
		t[k] = *at[$E](s, i+k*stride)
	}
	return LoadPtr$T(&t)
}

// ScatterStride$T sets s[i+k*stride] to lane k of v for each lane k of m, in
// the order of the lanes. The caller guarantees that the elements of m are in
// range.
func ScatterStride$T(s []$E, i, stride int, v $T, m Mask) {
	t := ToArray$T(v)
	for m &= $ALL; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(uint32(m)) & ($N - 1)
		*at[$E](s, i+k*stride) = t[k]
	}
}
`)
}

// partConversion is conversion where one of the types is a part.
func partConversion(a string, from, to vtype) string {
	as := func(x string, from, to vtype) string {
		if from == to {
			return x
		}
		return fmt.Sprintf("%s.As%s()", x, to.arch)
	}
	mid := vec('I', 32, from.n)
	long := map[byte]string{'I': "Int", 'U': "Uint"}
	switch {
	case from.float() || to.float(): // through int32, as the compiler does
		return conversion(conversion(a, from, mid), mid, to)
	case from.bits < to.bits:
		extended := vec(from.kind, to.bits, to.n)
		lanes := to.full().size() / to.bits
		if to.part() {
			lanes = 128 / to.bits
		}
		return as(fmt.Sprintf("%s.ExtendLo%dTo%s%d()", a, lanes, long[from.kind], to.bits), extended, to)
	case from.bits == to.bits:
		return as(a, from, to)
	case from.wide():
		mid := vec(from.kind, to.bits, to.n)
		return as(truncation(from, mid)+"("+a+")", mid, to)
	}
	for from.size() > 128 { // to half the size
		half := vec('U', from.bits/2, from.n)
		a, from = conversion(a, from, half), half
	}
	if from.bits == to.bits {
		return as(a, from, to)
	}
	lower := map[[2]int]string{{32, 16}: "pairsLo", {16, 8}: "evenLo", {32, 8}: "quartersLo"}[[2]int{from.bits, to.bits}]
	return as(fmt.Sprintf("%s.AsUint8x16().PermuteOrZero(LoadPtrI8x16(&%s))", a, lower), vec('U', 8, 16), to.full())
}
