package compiler

import (
	"strings"
	"testing"
)

// Which calls at x and at -x are computed together: how many of both, and how many apart, are in one printing of a row of
// vectors.
func TestMirror(t *testing.T) {
	const head = "i := t.GlobalX(); d := fs[i]; var e float32; "
	const tail = "; fs[i] = e"
	for _, c := range []struct {
		name, body   string
		both, single int
	}{
		{"at once", "e = erfc(d) - erfc(-d)", 1, 0},
		{"the other first", "e = erfc(-d) - erfc(d)", 1, 0},
		{"one after the other", "e = erfc(d); e += 2*erfc(-d)", 1, 0},
		{"a helper", "e = normal(d) * 3; e -= normal(-d)", 1, 0},
		{"a product with minus a constant", "e = erfc(d*0.7); e -= erfc(d*-0.7)", 1, 0},
		{"quotients", "e = erfc(d/3); e -= erfc(-d/3); e += erfc(d/-3)", 1, 0},
		{"through variables", "p := -d; r, s := p*3, d*3; e = erfc(r); e += erfc(s)", 1, 0},
		{"of a sum", "e = erfc(d+1); e -= erfc(-(d+1))", 1, 0},
		{"the same twice", "e = erfc(d); e -= 2*erfc(d)", 0, 1},
		{"two pairs", "p := d+1; e = erfc(d) + erfc(p); e -= erfc(-d) * erfc(-p)", 2, 0},
		{"both in a branch", "if d > 1 { e = erfc(d); e -= erfc(-d) }", 1, 0},
		{"the second in a branch", "e = erfc(d); if d > 1 { e -= erfc(-d) }", 1, 0},
		{"both in a loop", "for range n { e += erfc(d); e -= 2*erfc(-d); d += 1 }", 1, 0},
		{"assigned under a condition in between, and put back", "p := d; e = erfc(p); if d > 1 { p = 3 }; p = d; e -= erfc(-p)", 1, 0},

		{"other values", "e = erfc(d); e -= erfc(-d*2)", 0, 2},
		{"a sum of the negative", "e = erfc(d+1); e -= erfc(-d+1)", 0, 2},
		{"assigned in between", "e = erfc(d); d += 1; e -= erfc(-d)", 0, 2},
		{"assigned under a condition in between", "e = erfc(d); if fs[i+1] > 1 { d = 3 }; e -= erfc(-d)", 0, 2},
		{"assigned in a loop in between", "e = erfc(d); for range n { d += 2 }; e -= erfc(-d)", 0, 2},
		{"on both sides", "if d > 1 { e = erfc(d) } else { e = erfc(-d) }", 0, 2},
		{"the first in a branch", "if d > 1 { e = erfc(d) }; e += erfc(-d)", 0, 2},
		{"the second in a loop", "e = erfc(d); for range n { e += erfc(-d) }", 0, 2},
		{"from memory", "e = erfc(fs[i]); e -= erfc(-fs[i])", 0, 2},
		{"assigned by a pointer", "p := &d; e = erfc(d); *p = fs[i+1]; e -= erfc(-d)", 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := snippetOf(t, strings.Replace(inKernel(head+c.body+tail), "kernel", "kernel fastmath", 1)+`
func erfc(x float32) float32 { return float32(math.Erfc(float64(x))) }

func normal(x float32) float32 { return 0.5 * erfc(-x*(math.Sqrt2/2)) }
`)
			r, err := s.prog.generate(s.pkg)
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, f := range r.Files {
				if strings.HasSuffix(f.Path, simdSuffix) {
					text = string(f.Data)
				}
			}
			// The form for masks is the last one of those with 16 lanes.
			if at := strings.LastIndex(text, "vec.First(min(hi-tx, 16))"); at >= 0 {
				text = text[at:]
			}
			both, single := strings.Count(text, "vec.ErfcBothF32x16("), strings.Count(text, "vec.ErfcF32x16(")
			if both != c.both || single != c.single {
				t.Errorf("%d together and %d apart, want %d and %d\n%s", both, single, c.both, c.single, text)
			}
		})
	}
}
