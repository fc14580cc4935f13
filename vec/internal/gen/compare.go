package main

// compare has the comparisons and Select.
func compare() *file {
	f := newFile("// Comparisons, which give a Mask, and Select, which takes one.")
	for _, v := range types {
		if v.part() {
			g := new(file)
			g.raw = true
			compareAll(g, v.full())
			wrap(f, v, g.String())
			continue
		}
		compareAll(f, v)
	}
	return f
}

func compareAll(f *file, v vtype) {
	for _, c := range comparisons(v) {
		f.emit(v, `
// $C$T returns the lanes with a $OP b.
func $C$T(a, b $T) Mask { return $BODY }
`, "$C", c.name, "$OP", c.op, "$BODY", c.body)
	}
	f.emit(v, `
// Select$T returns a in the lanes of m and b in the others.
func Select$T(m Mask, a, b $T) $T { return a.Merge(b, $FROM(m)) }
`)
}

type comparison struct{ name, op, body string }

// comparisons picks for each comparison the fewest instructions: below 512
// bits there are only "equal" and "greater" of signed numbers, so "not" is
// done to the scalar mask, and an unsigned x >= y is max(x, y) == x.
func comparisons(v vtype) []comparison {
	bitsOf := func(mask string) string {
		if v.bits == 16 && !v.wide() {
			return "bits16x$N(" + mask + ".ToInt16x$N())"
		}
		return "Mask(" + mask + ".ToBits())"
	}
	not := func(body string) string { return "$ALL ^ " + body }
	eq := bitsOf("a.Equal(b)")
	if v.wide() || v.float() {
		return []comparison{
			{"Eq", "==", eq},
			{"Ne", "!=", bitsOf("a.NotEqual(b)")},
			{"Lt", "<", bitsOf("a.Less(b)")},
			{"Le", "<=", bitsOf("a.LessEqual(b)")},
			{"Gt", ">", bitsOf("a.Greater(b)")},
			{"Ge", ">=", bitsOf("a.GreaterEqual(b)")},
		}
	}
	if v.signed() || v.bits == 64 {
		gt, lt := bitsOf("a.Greater(b)"), bitsOf("b.Greater(a)")
		return []comparison{
			{"Eq", "==", eq},
			{"Ne", "!=", not(eq)},
			{"Lt", "<", lt},
			{"Le", "<=", not(gt)},
			{"Gt", ">", gt},
			{"Ge", ">=", not(lt)},
		}
	}
	le, ge := bitsOf("a.Min(b).Equal(a)"), bitsOf("a.Max(b).Equal(a)")
	return []comparison{
		{"Eq", "==", eq},
		{"Ne", "!=", not(eq)},
		{"Lt", "<", not(ge)},
		{"Le", "<=", le},
		{"Gt", ">", not(le)},
		{"Ge", ">=", ge},
	}
}
