package loopasm

import (
	"strings"
	"testing"
)

// rewritten returns what becomes of a func with this body, and why a loop of it stays in Go.
func rewritten(params, body string) (text, assembly, why string) {
	f := New("vec")
	f.refused = func(w string) { why = w }
	text, _ = f.Rewrite("func f("+params+") {\n"+body+"\n}\n", "f")
	return text, f.Assembly(), why
}

// root is a loop whose counter goes up to hi, with more statements.
func root(counter, more string) string {
	return "for ; " + counter + " < hi; " + counter + "++ {\nv := vec.SqrtF32x8(vec.LoadPtrF32x8(p))\n" + more + "\nvec.StorePtrF32x8(p, v)\np = vec.Step(p, 32)\n}"
}

// Loops whose meaning in assembly would not be that in Go stay there.
func TestLoopsThatStay(t *testing.T) {
	const params = "hi int, p *[8]float32, q *float32, flag bool, s int"
	for _, c := range []struct{ name, params, body, why string }{
		{"a counter of another type", "hi int32, p *[8]float32", "k := int32(0)\n" + root("k", ""), "its counter"},
		{"a parameter of another type", "k, hi uint, p *[8]float32", root("k", ""), "its counter"},
		{"a counter of a type that is not known", "p *[8]float32", "hi := size()\nk := hi - 5\n" + root("k", ""), "its counter"},
		{"a named type called like a variable", "hi num, p *[8]float32", "var k num\n" + root("k", ""), "its counter"},
		{"a name that is another variable in the loop", params, "k := 0\nvar last vec.F32x8\n" +
			root("k", "last = v\nif flag {\nlast := vec.AddF32x8(v, v)\nv = last\n}") + "\nkeep(last)", "a name that has two meanings"},
		{"a number of memory that the loop may change", params, "k := 0\n" + root("k", "v = vec.AddF32x8(v, vec.SplatF32x8(-*q))"), "a number"},
		{"a field of what may be a pointer", "hi int, p *[8]float32, b *body", "k := 0\n" + root("k", "v = vec.AddF32x8(v, vec.SplatF32x8(b.mass))"), "a number"},
		{"a number of memory that is not always read", params, "k := 0\n" +
			root("k", "m := vec.GtF32x8(v, v)\nif m != 0 {\nv = vec.SelectF32x8(m, vec.SplatF32x8(*q), v)\n}\nq = vec.Step(q, 4)"), "a load under a condition"},
		{"the same by way of a variable", params, "k := 0\n" +
			root("k", "m := vec.GtF32x8(v, v)\nif m != 0 {\nx := *q\nv = vec.SelectF32x8(m, vec.SplatF32x8(x), v)\n}\nq = vec.Step(q, 4)"), "a load under a condition"},
		{"a shift that may panic", params, "k := 0\n" + root("k", "v = vec.AddF32x8(v, vec.SplatF32x8(float32(1<<s)))"), "a number"},
		{"lanes of one mask where two are asked for", params, "k := 0\n" +
			root("k", "a := vec.GtF32x8(v, v)\nb := vec.LtF32x8(v, v)\nif a&b != 0 {\nv = vec.SelectF32x8(a, vec.AddF32x8(v, v), v)\n}"), "a branch"},
		{"a mask with other lanes than the one around it", params, "k := 0\n" +
			root("k", "a := vec.GtF32x8(v, v)\nb := vec.LtF32x8(v, v)\nif a != 0 {\nif b != 0 {\nv = vec.SelectF32x8(b, vec.AddF32x8(v, v), v)\n}\n}"),
			"a mask that may have lanes that another one has not"},
		{"a mask of a func around it", "hi int, p *[8]float32", "m := vec.Mask(0xff)\nfunc(m vec.Mask) {\nk := 0\n" + root("k", "v = vec.SelectF32x8(m, v, v)") + "\n}(1)", "a mask"},
		{"products of int64", "hi int, p *[4]int64, x, y vec.I64x4", "k := 0\nfor ; k < hi; k++ {\nvec.StorePtrI64x4(p, x.Mul(y))\np = vec.Step(p, 32)\n}", "an operation of integers"},
	} {
		text, assembly, why := rewritten(c.params, c.body)
		if assembly != "" || why != c.why {
			t.Errorf("%s: %q, not %q\n%s", c.name, why, c.why, text)
		}
	}
}

// Loops like those of TestLoopsThatStay that can be put into assembly are.
func TestLoopsThatGo(t *testing.T) {
	const params = "hi int, p *[8]float32, q *float32, flag bool"
	for _, c := range []struct{ name, params, body string }{
		{"a counter with a type", params, "var k int\n" + root("k", "")},
		{"a constant", params, "const lo = 0\nk := lo\n" + root("k", "")},
		{"a parameter", "k, hi int, p *[8]float32", root("k", "")},
		{"a sum", params, "from := max(first, 3)\nk := hi + from\n" + root("k", "")},
		{"a number of memory that moves on", params, "k := 0\n" + root("k", "v = vec.AddF32x8(v, vec.SplatF32x8(*q))\nq = vec.Step(q, 4)")},
		{"a field", "hi int, p *[8]float32, b body", "k := 0\nvar v vec.F32x8\nfor ; k < hi; k++ {\nv = vec.AddF32x8(v, vec.SplatF32x8(b.mass))\n}\nkeep(v)"},
		{"one of two masks", params, "k := 0\n" +
			root("k", "a := vec.GtF32x8(v, v)\nb := vec.LtF32x8(v, v)\nif a|b != 0 {\nv = vec.SelectF32x8(a, vec.AddF32x8(v, v), v)\n}")},
		{"a mask within the one around it", params, "k := 0\n" +
			root("k", "a := vec.GtF32x8(v, v)\nb := a & vec.LtF32x8(v, v)\nif a != 0 {\nif b != 0 {\nv = vec.SelectF32x8(b, vec.AddF32x8(v, v), v)\n}\n}")},
	} {
		if _, assembly, why := rewritten(c.params, c.body); assembly == "" {
			t.Errorf("%s: %s", c.name, why)
		}
	}
}

// The counter moves on whatever it is called, and a limit that is far below it makes no rounds.
func TestCounters(t *testing.T) {
	text, _, why := rewritten("hi int, p *[8]float32", "rounds := 0\n"+root("rounds", ""))
	for _, want := range []string{"for rounds_ := min((hi - rounds + 0) / 1, 16384); rounds < hi && rounds_ >= ", "rounds += rounds_ * 1\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s: there is no %q in\n%s", why, want, text)
		}
	}
}
