package main

import "fmt"

// convert has the conversions between all types with the same lanes.
func convert() *file {
	f := newFile("// Conversions between types with the same number of lanes.")
	for _, from := range types {
		for _, to := range types {
			if from.n != to.n || from == to {
				continue
			}
			body := conversion("a", from, to)
			if from.bits != to.bits && from.n > 4 && !to.wide() {
				body = settled(body, to)
			}
			f.emit(from, `
// Cvt$T_$TO converts as Go's $TE(x) does.
func Cvt$T_$TO(a $T) $TO { return $BODY }
`, "$TO", to.name, "$TE", to.elem, "$BODY", body)
		}
	}
	return f
}

// settled prints a, a value that is narrower or wider than what it was made of, so that it is chosen by as many bits
// of a mask as it has itself. See settledUint8x16.
func settled(a string, to vtype) string {
	u := to.as('U').arch
	if to.arch == u {
		return "settled" + u + "(" + a + ")"
	}
	return fmt.Sprintf("settled%s(%s.As%s()).As%s()", u, a, u, to.arch)
}

func conversion(a string, from, to vtype) string {
	as := func(x string, from, to vtype) string {
		if from == to {
			return x
		}
		return fmt.Sprintf("%s.As%s()", x, to.arch)
	}
	long := func(v vtype) string {
		return map[byte]string{'F': "Float", 'I': "Int", 'U': "Uint"}[v.kind] + fmt.Sprint(v.bits)
	}
	i32 := vec('I', 32, from.n)
	switch {
	case from.part() || to.part():
		return partConversion(a, from, to)
	case !from.float() && !to.float():
		switch {
		case from.bits < to.bits:
			mid := vec(from.kind, to.bits, to.n)
			return as(fmt.Sprintf("%s.ExtendTo%s()", a, long(mid)), mid, to)
		case from.bits > to.bits && from.wide():
			mid := vec(from.kind, to.bits, to.n)
			return as(truncation(from, mid)+"("+a+")", mid, to)
		case from.n == 4 && from.bits > to.bits:
			return as("narrow32x4("+as(a, from, from.as('U'))+")", to.as('U'), to)
		case from.bits > to.bits:
			// narrow16x8 and narrow8x16 give the unsigned type.
			return as(fmt.Sprintf("narrow%dx%d(%s)", to.bits, to.n, as(a, from, from.as('I'))), to.as('U'), to)
		}
		return as(a, from, to)

	case !from.float(): // to a float
		switch {
		case from.bits < 32:
			return conversion(conversion(a, from, i32), i32, to)
		case from.name == "U32x8" && to.name == "F32x8":
			return "floatsU32x8(" + a + ")"
		case from.n == 4 && (from.bits == 64 || from.kind == 'U'):
			return pick(to.bits == 32, "singles", "floats") + from.name + "(" + a + ")"
		}
		return fmt.Sprintf("%s.ConvertTo%s()", a, long(to))

	case to.float():
		return fmt.Sprintf("%s.ConvertTo%s()", a, long(to))

	case to.bits < 32: // as the compiler does, through int32
		return conversion(conversion(a, from, i32), i32, to)
	case to.bits == 64 && from.n == 4 && from.bits == 32:
		return conversion(a+".ConvertToFloat64()", vec('F', 64, 4), to)
	case to.signed() && from.name == "F64x4" && to.bits == 64:
		return "intsF64x4(" + a + ")"
	case to.signed():
		return fmt.Sprintf("%s.ConvertTo%s()", a, long(to))
	case from.name == "F64x8" && to.bits == 32: // through int64
		return "truncateI64x8_I32x8(" + a + ".ConvertToInt64()).AsUint32x8()"
	case from.name == "F64x4" && to.bits == 32:
		return "uints32F64x4(" + a + ")"
	case from.name == "F32x8" && to.bits == 64:
		return "uintsF64x8(" + a + ".ConvertToFloat64())"
	}
	return "uints" + from.name + "(" + a + ")"
}
