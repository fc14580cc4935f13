package main

import "fmt"

// tests has for each type a test that runs all functions of the type against
// scalar Go; the helpers are in vec_test.go. References that are the same for
// all types are generic functions there.
func tests() *file {
	f := newFile("", "math", "math/bits", "testing")
	f.WriteString("var _ = math.Sqrt\n\n")
	for _, v := range types {
		f.emit(v, `
func Test$T(t *testing.T) {
	$NEED(t)
	memory(t, mem[$E]{
		name: "$T",
		n: $N,
		load: func(r, s []$E, i int) { StorePtr$T((*[$N]$E)(r), Load$T(s, i)) },
		store: func(s []$E, i int, v []$E) { Store$T(s, i, LoadPtr$T((*[$N]$E)(v))) },
		loadMasked: func(r, s []$E, i int, m Mask) { Store$T(r, 0, LoadMasked$T(s, i, m)) },
		storeMasked: func(s []$E, i int, v []$E, m Mask) { StoreMasked$T(s, i, Load$T(v, 0), m) },
		gatherStride: func(r, s []$E, i, d int, m Mask) { Store$T(r, 0, GatherStride$T(s, i, d, m)) },
		scatterStride: func(s []$E, i, d int, v []$E, m Mask) { ScatterStride$T(s, i, d, Load$T(v, 0), m) },
		gatherStep: func(r, s []$E, i, d int, m Mask) { Store$T(r, 0, GatherStep$T(s, i, d, m)) },
		scatterStep: func(s []$E, i, d int, v []$E, m Mask) { ScatterStep$T(s, i, d, Load$T(v, 0), m) },
		$GATHERS
	})
	lanes(t, lane[$E]{
		name: "$T",
		n: $N,
		splat: func(r []$E, x $E) { Store$T(r, 0, Splat$T(x)) },
		iota: func(r []$E, x, d $E) { Store$T(r, 0, Iota$T(x, d)) },
		iota1: func(r []$E, x $E) { Store$T(r, 0, Iota$T(x, 1)) },
		lane: func(a []$E, k int) $E { return Lane$T(Load$T(a, 0), k) },
		arrays: func(r, a []$E) {
			x := ToArray$T(Load$T(a, 0))
			Store$T(r, 0, FromArray$T(x))
		},
		sum: func(a []$E) $E { return ReduceAdd$T(Load$T(a, 0)) },
		min: func(a []$E) $E { return ReduceMin$T(Load$T(a, 0)) },
		max: func(a []$E) $E { return ReduceMax$T(Load$T(a, 0)) },
		sel: func(r []$E, m Mask, a, b []$E) { Store$T(r, 0, Select$T(m, Load$T(a, 0), Load$T(b, 0))) },
	})
`, "$NEED", pick(v.wide(), "need512", "need256"), "$GATHERS", gatherTests(v))
		for _, op := range []string{"Eq", "Ne", "Lt", "Le", "Gt", "Ge"} {
			f.emit(v, `	compare(t, "$OP$T", $N, func(a, b []$E) Mask { return $OP$T(Load$T(a, 0), Load$T(b, 0)) }, $ref[$E])`,
				"$OP", op, "$ref", lower(op))
		}
		binary := []string{"Add", "Sub", "Mul", "Min", "Max"}
		unary := []string{"Neg"}
		if v.float() {
			binary = append(binary, "Div")
			for _, op := range []string{"Abs", "Sqrt", "Floor", "Ceil", "Trunc", "RoundToEven"} {
				f.emit(v, `	unary(t, "$OP$T", $N, func(r, a []$E) { Store$T(r, 0, $OP$T(Load$T(a, 0))) }, func(x $E) $E { return $E(math.$OP(float64(x))) })`, "$OP", op)
			}
			f.emit(v, `
	fused(t, "FMA$T", $N, func(r, a, b, c []$E) { Store$T(r, 0, FMA$T(Load$T(a, 0), Load$T(b, 0), Load$T(c, 0))) })
	convert(t, "Bits$T", $N, func(r []$EU, a []$E) { Store$U(r, 0, Bits$T(Load$T(a, 0))) }, math.Float$Bbits)
	convert(t, "FromBits$T", $N, func(r []$E, a []$EU) { Store$T(r, 0, FromBits$T(Load$U(a, 0))) }, math.Float$Bfrombits)
`)
			f.emit(v, `	binary(t, "Copysign$T", $N, func(r, a, b []$E) { Store$T(r, 0, Copysign$T(Load$T(a, 0), Load$T(b, 0))) },
		func(x, y $E) $E { return $E(math.Copysign(float64(x), float64(y))) })`)
		} else {
			f.emit(v, `	foldBits(t, "$T", $N, func(a []$E) $E { return ReduceAnd$T(Load$T(a, 0)) }, func(a []$E) $E { return ReduceOr$T(Load$T(a, 0)) },
		func(a []$E) $E { return ReduceXor$T(Load$T(a, 0)) })`)
			binary = append(binary, "And", "Or", "Xor", "AndNot")
			unary = append(unary, "Not")
			for _, op := range []string{"Shl", "Shr"} {
				f.emit(v, `
	shift(t, "$OP$T", $N, func(r, a []$E, n uint) { Store$T(r, 0, $OP$T(Load$T(a, 0), n)) }, $ref[$E])
	shiftV(t, "$OPV$T", $N, func(r, a []$E, n []$EU) { Store$T(r, 0, $OPV$T(Load$T(a, 0), Load$U(n, 0))) }, $refV[$E, $EU])
	unary(t, "$OP$T by 259", $N, func(r, a []$E) { Store$T(r, 0, $OP$T(Load$T(a, 0), 259)) }, func(x $E) $E { return $ref(x, 259) })
	unary(t, "$OP$T by 3", $N, func(r, a []$E) { Store$T(r, 0, $OP$T(Load$T(a, 0), 3)) }, func(x $E) $E { return $ref(x, 3) })
`, "$OP", op, "$ref", lower(op))
			}
			for _, op := range []string{"Div", "Rem"} {
				f.emit(v, `	divide(t, "$OP$T", $N, func(r, a, b []$E, m Mask) { Store$T(r, 0, $OP$T(Load$T(a, 0), Load$T(b, 0), m)) }, $ref[$E])`,
					"$OP", op, "$ref", lower(op)+"Ref")
			}
			if v.bits >= 32 && v.kind == 'U' {
				for _, op := range [][2]string{{"OnesCount", "OnesCount"}, {"LeadingZeros", "LeadingZeros"}, {"TrailingZeros", "TrailingZeros"},
					{"ReverseBits", "Reverse"}, {"ReverseBytes", "ReverseBytes"}} {
					f.emit(v, `	unary(t, "$OP$T", $N, func(r, a []$E) { Store$T(r, 0, $OP$T(Load$T(a, 0))) }, func(x $E) $E { return $E(bits.$REF$B(x)) })`,
						"$OP", op[0], "$REF", op[1])
				}
			}
			if v.bits >= 32 {
				f.emit(v, `	inRange(t, "InRange$T", $N, func(x []$E, n int, m Mask) bool { return InRange$T(Load$T(x, 0), n, m) })`)
			}
		}
		for _, op := range binary {
			f.emit(v, `	binary(t, "$OP$T", $N, func(r, a, b []$E) { Store$T(r, 0, $OP$T(Load$T(a, 0), Load$T(b, 0))) }, $ref[$E])`,
				"$OP", op, "$ref", lower(op)+"Ref")
		}
		for _, op := range unary {
			f.emit(v, `	unary(t, "$OP$T", $N, func(r, a []$E) { Store$T(r, 0, $OP$T(Load$T(a, 0))) }, $ref[$E])`,
				"$OP", op, "$ref", lower(op)+"Ref")
		}
		if v.bits == 32 {
			f.emit(v, `	permute(t, "Permute$T", $N, func(r, a []$E, x []uint32) { Store$T(r, 0, Permute$T(Load$T(a, 0), LoadU32x$N(x, 0))) })`)
		}
		f.WriteString("}\n\n")
	}
	for _, from := range types {
		f.emit(from, "func TestConvert$T(t *testing.T) {\n\t$NEED(t)", "$NEED", pick(from.wide(), "need512", "need256"))
		narrow := "" // conversions to wide types come last
		for _, to := range types {
			if from.n != to.n || from == to {
				continue
			}
			line := fmt.Sprintf(`	convert(t, "Cvt$T_%s", $N, func(r []%s, a []$E) { Store%[1]s(r, 0, Cvt$T_%[1]s(Load$T(a, 0))) }, func(x $E) %[2]s { return %[2]s(x) })`+"\n",
				to.name, to.elem)
			if to.wide() && !from.wide() {
				narrow += line
			} else {
				f.emit(from, line)
			}
		}
		if narrow != "" {
			f.emit(from, "\tneed512(t)\n"+narrow)
		}
		f.WriteString("}\n\n")
	}
	return f
}

func gatherTests(v vtype) string {
	if v.n > 16 {
		return ""
	}
	s := `
		gather: func(r, s []$E, x []int32, m Mask) { Store$T(r, 0, Gather$T(s, LoadI32x$N(x, 0), m)) },
		scatter: func(s []$E, x []int32, v []$E, m Mask) { Scatter$T(s, LoadI32x$N(x, 0), Load$T(v, 0), m) },`
	if v.n <= 8 {
		s += `
		gather64: func(r, s []$E, x []int64, m Mask) { Store$T(r, 0, Gather64$T(s, LoadI64x$N(x, 0), m)) },
		scatter64: func(s []$E, x []int64, v []$E, m Mask) { Scatter64$T(s, LoadI64x$N(x, 0), Load$T(v, 0), m) },`
	}
	return s
}

func lower(s string) string { return string(s[0]+32) + s[1:] }
