package main

import "fmt"

// lanes has reductions and permutations, and single lanes and arrays of vectors that fill a part of a register.
func lanes() *file {
	f := newFile("// Single lanes, arrays, reductions and permutations.", "simd/archsimd")
	for _, v := range types {
		if !v.float() {
			foldBits(f, v)
		}
		if v.part() {
			lanesPart(f, v)
			continue
		}
		reductions(f, v)
		switch {
		case v.bits == 32 && v.n == 4:
			f.emit(v, `
// Reverse$T returns lane $N-1-k of v in lane k.
func Reverse$T(v $T) $T { return v$AS.PermuteScalars(3, 2, 1, 0)$BACK }

// Permute$T returns v[idx[k]] in lane k; indices count modulo $N.
func Permute$T(v $T, idx U32x$N) $T {
	var x archsimd.$LONG
	var i archsimd.Uint32x8
	return x.SetLo(v).SetHi(v).Permute(i.SetLo(idx)).GetLo()
}
`, "$AS", pick(v.float(), ".AsInt32x4()", ""), "$BACK", pick(v.float(), ".AsFloat32x4()", ""), "$LONG", vec(v.kind, 32, 8).arch)
		case v.bits == 32:
			f.emit(v, `
// Reverse$T returns lane $N-1-k of v in lane k.
func Reverse$T(v $T) $T { return v.Permute(LoadPtrU32x$N(&down$N)) }

// Permute$T returns v[idx[k]] in lane k; indices count modulo $N.
func Permute$T(v $T, idx U32x$N) $T { return v.Permute(idx) }
`)
		case v.bits == 64:
			f.emit(v, fmt.Sprintf(`
// Reverse$T returns lane $N-1-k of v in lane k.
func Reverse$T(v $T) $T {
	return v.AsUint32x%[1]d().Permute(LoadPtrU32x%[1]d(&downPairs%[1]d)).As$A()
}
`, 2*v.n))
			if v.wide() {
				f.emit(v, `
// Permute$T returns v[idx[k]] in lane k; indices count modulo $N.
func Permute$T(v $T, idx U64x$N) $T { return v.Permute(idx) }
`)
			}
		}
	}
	return f
}

// foldBits has reductions by operations on bits.
func foldBits(f *file, v vtype) {
	for _, r := range []struct{ name, about, op string }{
		{"And", "the bits that all lanes have", "&"},
		{"Or", "the bits that some lane has", "|"},
		{"Xor", "the bits that an odd number of lanes have", "^"},
	} {
		f.emit(v, `
// Reduce$OP$T returns $ABOUT.
func Reduce$OP$T(v $T) $E {
	t := ToArray$T(v)
	x := t[0]
	for _, y := range t[1:] {
		x $SIGN= y
	}
	return x
}
`, "$OP", r.name, "$ABOUT", r.about, "$SIGN", r.op)
	}
}

// reductions fold the upper half onto the lower one until one lane is left.
func reductions(f *file, v vtype) {
	for _, r := range []struct{ name, about, method, scalar string }{
		{"Add", "the sum of all lanes", "Add", "%s + %s"},
		{"Min", "the smallest lane", "Min", "min(%s, %s)"},
		{"Max", "the largest lane", "Max", "max(%s, %s)"},
	} {
		name := "Reduce" + r.name + "$T"
		text := "// " + name + " returns " + r.about
		switch {
		case r.name == "Add" && v.float():
			text += ". It adds the upper half of the\n// lanes to the lower half, until one is left"
		case r.name != "Add" && v.float():
			text += ", as Go's " + r.scalar[:3] + " orders them"
		case r.name == "Add":
			text += "; it wraps around"
		}
		text += ".\nfunc " + name + "(v $T) $E {\n"
		x, n := "v", v.n
		// Fold in registers where that is one instruction.
		direct := r.name == "Add" || !v.float() && v.bits < 64
		for size := v.size(); direct && size > 128; size /= 2 {
			n /= 2
			text += fmt.Sprintf("\tv%d := %s.GetLo().%s(%s.GetHi())\n", n, x, r.method, x)
			x = fmt.Sprintf("v%d", n)
		}
		store := pick(n == 2, "storePtr", "StorePtr") + vec(v.kind, v.bits, n).name
		text += fmt.Sprintf("\tvar t [%d]$E\n\t%s(&t, %s)\n", n, store, x)
		for n > 2 {
			n /= 2
			for k := range n {
				text += fmt.Sprintf("\tt[%d] = "+r.scalar+"\n", k, fmt.Sprintf("t[%d]", k), fmt.Sprintf("t[%d]", k+n))
			}
		}
		text += "\treturn " + fmt.Sprintf(r.scalar, "t[0]", "t[1]") + "\n}\n"
		f.emit(v, text)
	}
}
