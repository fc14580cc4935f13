package compiler

import (
	"fmt"
	"strings"
	"testing"
)

// plainForm returns the plain form of a kernel with this body.
func plainForm(t *testing.T, body string) string {
	t.Helper()
	s := snippetOf(t, inKernel(body))
	r, err := s.prog.generate(s.pkg)
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Files[0].Data)
}

// Which loops of a thread are outlined.
func TestRuns(t *testing.T) {
	const many = "from := t.GlobalX()*n; to := from + q; a, b, c, d := x[1:], y[2:], x[3:], y[4:]; "
	for _, c := range []struct {
		name, body string
		run        bool
	}{
		{"neighbours, many values", many + "for i := from; i < to; i++ { a[b[i]&7] = c[i] + d[i] }", true},
		{"with a branch", many + "for i := from; i < to; i++ { if c[i] > 3 { a[b[i]&7] = c[i] + d[i] } }", true},
		{"a private array", many + "var h [8]int; for i := from; i < to; i++ { h[c[i]&7] += d[i] + a[i] + b[i] }; x[from] = h[3]", true},
		{"a pointer to one", many + "var h [8]int; p := &h; for i := from; i < to; i++ { p[c[i]&7] += d[i] + a[i] + b[i] }; x[from] = h[3]", true},

		{"few values", "from := t.GlobalX()*n; for i := from; i < from+q; i++ { x[i] = 1 }", false},
		{"no neighbours", many + "for i := from; i < to; i++ { a[b[i*2]&7] = c[i*2] + d[i*2] }", false},
		{"another step", many + "for i := from; i < to; i += 2 { a[b[i]&7] = c[i] + d[i] }", false},
		{"the counter changes", many + "for i := from; i < to; i++ { a[b[i]&7] = c[i] + d[i]; if c[i] == 1 { i++ } }", false},
		{"the end changes", many + "for i := from; i < to; i++ { a[b[i]&7] = c[i] + d[i]; to -= c[i] & 1 }", false},
		{"an exit", many + "for i := from; i < to; i++ { a[b[i]&7] = c[i] + d[i]; if c[i] == 9 { break } }", false},
		{"a loop inside", many + "for i := from; i < to; i++ { for range c[i] { a[b[i]&7] += d[i] } }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			plain := plainForm(t, c.body)
			if run := strings.Contains(plain, "a loop of a thread"); run != c.run {
				t.Errorf("a loop of its own: %v\n%s", run, plain)
			}
		})
	}
}

// Which threads of ragged rows take the end of the preceding row as the beginning of their own, and
// prefetch elements of later rows.
func TestHandOn(t *testing.T) {
	const loop = "for j := from[me]; j < from[me+1]; j++ { sum += val[j] }; "
	for _, c := range []struct {
		name, params, body string
		on                 bool
	}{
		{"rows side by side", "from []int32, val, y []float32", loop + "y[me] = sum", true},
		{"the end first", "from []int32, val, y []float32", "end := from[me+1]; for j := from[me]; j < end; j++ { sum += val[j] }; y[me] = sum", true},
		{"further on", "from []int32, val, y []float32", "for j := from[me+2]; j < from[me+3]; j++ { sum += val[j] }; y[me] = sum", true},
		{"few store", "from []int32, val, y []float32", loop + "if sum > 1e30 { y[0] = sum }", true},
		{"of 64 bits, and unsigned", "from []uint, val, y []float32", loop + "y[me] = sum", true},
		{"two arrays", "from, to []int32, val, y []float32", "for j := from[me]; j < to[me+1]; j++ { sum += val[j] }; y[me] = sum", false},
		{"a gap", "from []int32, val, y []float32", "for j := from[me]; j < from[me+2]; j++ { sum += val[j] }; y[me] = sum", false},
		{"every second", "from []int32, val, y []float32", "for j := from[2*me]; j < from[2*me+1]; j++ { sum += val[j] }; y[me] = sum", false},
		{"ends are stored", "from []int32, val []float32, y []int32", loop + "y[me] = int32(sum)", false},
		{"ends may be stored", "from []int32, val []float32, y []T", loop + "y[me] = T(sum)", false},
		{"no ends are stored", "from []uint32, val []float32, y []T", loop + "y[me] = T(sum)", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := snippetOf(t, fmt.Sprintf("//gocuda:kernel\nfunc k[T int32 | float32](t *gocuda.Thread, %s, _ []T) {\nme := t.GlobalX()\nvar sum float32\n%s\n}\n",
				c.params, c.body)).generated()
			if err != nil {
				t.Fatal(err)
			}
			if on := strings.Contains(text, "before = read"); on != c.on {
				t.Errorf("handed on: %v\n%s", on, text)
			}
			if ahead := strings.Contains(text, "rt.Ahead(val, "); ahead != c.on {
				t.Errorf("asked for: %v\n%s", ahead, text)
			}
		})
	}
}

// Which loops of a thread are outlined because of the register pressure of the row around them.
func TestCrowded(t *testing.T) {
	const head = "tile := gocuda.Shared[float32](t, 64); tx := t.ThreadIdx.X; me := t.GlobalX(); tile[tx] = fs[me]; " +
		"a, b, c, d := fs[me+1], fs[me+2], fs[me+3], fs[me+4]; t.SyncThreads(); "
	const tail = "; fs[me] = a"
	for _, c := range []struct {
		name, body string
		apart      bool
	}{
		{"four values", "for k := range 64 { a += b*c / (tile[k] + d) }", true},
		{"in a branch", "if n > 3 { for k := range 64 { a += b*c / (tile[k] + d) } }", true},
		{"two sums", "for k := range 64 { a += c / (tile[k] + d); b += a }; a += b", true},

		{"three values", "_ = c; for k := range 64 { a += b / (tile[k] + d) }", false},
		{"nothing slow", "for k := range 64 { a += b*c * (tile[k] + d) }", false},
		{"few rounds", "for k := range 8 { a += b*c / (tile[k] + d) }", false},
		{"threads leave", "for k := range 64 { if tile[k] > a { break }; a += b*c / (tile[k] + d) }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := snippetOf(t, inKernel(head+c.body+tail)).generated()
			if err != nil {
				t.Fatal(err)
			}
			if apart := strings.Contains(text, ": a loop of a thread."); apart != c.apart {
				t.Errorf("a func of its own: %v\n%s", apart, text)
			}
		})
	}
}

// The row conditions of the plain form, the number of jammed threads, and constant offsets in
// addresses.
func TestRowForms(t *testing.T) {
	const sums = "i := t.GlobalX(); s := gocuda.Shared[float32](t, 256); var a, b, c, d float32; "
	const rounds = "for k := range 16 { v := s[t.ThreadIdx.X+k]; a += v; b += v*2; c += v*3; d += v*4 }; fs[i] = a+b+c+d"
	for _, c := range []struct {
		name, body, text string
		has              bool
	}{
		{"the last round of eight", "s := gocuda.Shared[float32](t, 256); for r := 0; r < 32; r += 8 { fs[t.ThreadIdx.X+r] = s[r] * 2 }",
			"(32-1)", false},
		{"what the other branch needs", "i := t.GlobalX(); if n == 0 { fs[i] = 1 } else { x[i] = 1 }", "!(!(n == 0)) ||", true},
		{"a constant of an index", "s := gocuda.Shared[float32](t, 256); var a float32; for k := range 16 { a += s[t.ThreadIdx.X+k+64] }; fs[t.GlobalX()] = a",
			", 64))", true},
		{"four sums", sums + rounds, "nth += 2", true},
		{"four sums and more beside them", sums + "p, z := fs[i], fs[i+1]; if p > 2 { p = z; z = 3 }; " + rounds + "+p+z", "nth += 2", true},
		{"five sums and more beside them", sums + "p, z := fs[i], fs[i+1]; if p > 2 { p = z; z = 3 }; e := p; " +
			"for k := range 16 { v := s[t.ThreadIdx.X+k]; a += v; b += v*2; c += v*3; d += v*4; e += v*5 }; fs[i] = a+b+c+d+e+p+z", "nth += 2", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			plain := plainForm(t, c.body)
			if got := strings.Contains(plain, c.text); got != c.has {
				t.Errorf("%q: %v\n%s", c.text, got, plain)
			}
		})
	}
}
