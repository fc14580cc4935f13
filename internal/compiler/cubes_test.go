package compiler

import (
	"strings"
	"testing"
)

// In which loops sums of cubes are kept without their factor.
func TestLeanSums(t *testing.T) {
	const head = "me := t.GlobalX(); w := fs[me]; var a, b float32; "
	const root = "d := fs[j] - w; d2 := d*d + 1; inv := 1 / float32(math.Sqrt(float64(d2))); s := fs[j+1] * inv * inv * inv; "
	const tail = "; fs[me] = a + 2*b"
	for _, c := range []struct {
		name, body string
		lean       bool
	}{
		{"a sum", "for j := range n { " + root + "a += d * s }", true},
		{"two sums", "for j := range n { " + root + "a += d * s; b += s }", true},
		{"the sum on the right", "for j := range n { " + root + "a = s*3*d + a }", true},
		{"two products at once", "for j := range n { " + root + "a += d*s + 2*s }", true},
		{"where it is not zero", "for j := range n { " + root + "if d2 != 2 { a += d * s } }", true},
		{"all in a branch", "for j := range n { if j != 3 { " + root + "a += d * s } }", true},
		{"two cubes", "for j := range n { " + root + "inv2 := 1 / float32(math.Sqrt(float64(d2))); s2 := 2 * inv2 * inv2 * inv2; a += d*s + d*s2 }", true},
		{"left early by all", "for j := range n { if fs[3*j] < 0 { break }; " + root + "a += d * s }", true},
		{"loops in loops", "for k := range n { for j := range n { " + root + "a += d * s }; b += a * float32(k) }", true},

		{"few rounds", "for j := range 7 { " + root + "a += d * s }", false},
		{"not in a loop", "j := n; " + root + "a += d * s", false},
		{"taken away", "for j := range n { " + root + "a -= d * s }", false},
		{"and something else", "for j := range n { " + root + "a += d*s + 1 }", false},
		{"added something else elsewhere", "for j := range n { " + root + "a += d * s; a += 1 }", false},
		{"used for something else", "for j := range n { " + root + "a += d * s; b = max(b, s) }", false},
		{"squared", "for j := range n { " + root + "a += s * s }", false},
		{"twice the sum", "for j := range n { " + root + "a += d*s + a }", false},
		{"the sum is read", "for j := range n { " + root + "a += d * s; if a > 9 { b++ } }", false},
		{"the sum is set back", "for j := range n { " + root + "a += d * s; if j == 9 { a = 0 } }", false},
		{"a sum of the round", "for j := range n { " + root + "e := w; e += d * s; fs[n+me] = e }", false},
		{"lanes leave", "for j := range n { if fs[me+j] < 0 { break }; " + root + "a += d * s }", false},
		{"some lanes", "if w > 1 { for j := range n { " + root + "a += d * s } }", false},
		{"returns from it", "for j := range n { if fs[3*j] < 0 { return }; " + root + "a += d * s }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := generatedOf(snippetOf(t, strings.Replace(inKernel(head+c.body+tail), "kernel", "kernel fastmath", 1)))
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range []string{"F32x16", "F32x8"} {
				if n := strings.Count(r, "vec.OverCubeLean"+kind+"("); (n > 0) != c.lean || strings.Contains(r, "vec.OverCubeRough"+kind+"(") == c.lean {
					t.Errorf("%s: %d cubes are lean\n%s", kind, n, r)
				}
				begun, ended := strings.Count(r, "LeanBegin"+kind+"("), strings.Count(r, "LeanEnd"+kind+"(")
				if begun != ended || c.lean != (begun > 0) {
					t.Errorf("%s: %d sums begun and %d ended", kind, begun, ended)
				}
			}
		})
	}
}

// generatedOf returns the file with vectors of a snippet.
func generatedOf(s *snippet) (string, error) {
	r, err := s.prog.generate(s.pkg)
	if err != nil {
		return "", err
	}
	for _, f := range r.Files {
		if strings.HasSuffix(f.Path, simdSuffix) {
			return string(f.Data), nil
		}
	}
	return "", nil
}
