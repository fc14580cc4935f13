package compiler

import (
	"strings"
	"testing"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// Which conjuncts of a condition become bounds of the loop over threads, and which stay. A conjunct
// must not move before one that may panic: the earlier one must be evaluated first, and may panic
// for a thread that the bound would leave out.
func TestGuards(t *testing.T) {
	for _, c := range []struct {
		cond   string
		bounds int
		rest   int
		defect string
	}{
		{"i < n", 1, 0, ""},
		{"i <= n", 1, 0, ""},
		{"i > n", 1, 0, ""},
		{"i >= n", 1, 0, ""},
		{"i == n", 1, 0, ""},
		{"n > i", 1, 0, ""},
		{"i+1 < n", 1, 0, ""},
		{"i < len(x)", 1, 0, ""},
		{"int64(i) < int64(n)", 1, 0, ""},
		{"q <= i && i < n", 2, 0, ""},
		{"i < n && t.ThreadIdx.Y < q", 2, 0, ""},
		{"i < n && yes", 2, 0, ""},
		{"i < n && x[i] > 0", 1, 1, ""},
		{"i < n && x[i] > 0 && i < q", 1, 2, ""},
		{"i < n && q/(i+1) == 2 && i < q", 1, 2, ""},
		{"i < n && i%2 == 0 && i < q", 2, 1, ""},
		{"i != 0 && i < n", 2, 0, ""},
		{"n-1-i >= 0 && q < n-i", 2, 0, ""},

		// A conjunct that may panic comes first.
		{"x[i] > 0 && i < n", 0, 2, ""},
		{"q/(i+1) == 2 && i < n", 0, 2, ""},
		{"1<<q > 5 && i < n", 0, 2, ""},
		{"x[n] > 0 && i < n", 0, 2, ""},

		// Not an interval of threads, or an interval whose end depends on the thread.
		{"i != n", 0, 1, ""},
		{"i%8 < n", 0, 1, ""},
		{"i < n || i == q", 0, 1, ""},
		{"i < x[i]", 0, 1, ""},
		{"i < x[0]", 0, 1, ""},
		{"i < v", 0, 1, ""},
		{"float64(i) < g", 0, 1, ""},
		{"t.ThreadIdx.Y < q", 0, 1, ""},
		{"yes", 0, 1, ""},

		// Steps that may be negative or 0, so that the condition is tested for each thread as well.
		{"2*i < n", 1, 1, ""},
		{"n-2*i > 0", 1, 1, ""},
		{"q*i+n >= 5", 1, 1, ""},
		{"i < n && q*(i+1)-1 < n", 2, 1, ""},
		{"q*i == n", 0, 1, ""},
		{"i*i < n", 0, 1, ""},

		// Types that may wrap around between neighbours.
		{"int32(i) < int32(n)", 0, 1, ""},
		{"uint8(i) < uint8(n)", 0, 1, ""},
		{"uint(i)-uint(q) < uint(n)", 0, 1, ""},
	} {
		t.Run(c.cond, func(t *testing.T) {
			k := kernelOf(t, "i := t.GlobalX(); v := x[i]; if "+c.cond+" { y[i] = v }")
			ifs := stmtsOf[*If](k)
			if len(ifs) != 1 {
				t.Fatalf("%d conditions", len(ifs))
			}
			gs, rest := splitGuards(ifs[0].Cond)
			if len(gs) != c.bounds || len(rest) != c.rest {
				expected(t, c.defect, "%d bounds and %d other terms, want %d and %d", len(gs), len(rest), c.bounds, c.rest)
			}
		})
	}
}

// A panic must happen, and in the right thread.
func TestMayPanic(t *testing.T) {
	for _, c := range []struct {
		expr string
		want bool
	}{
		{"n + q", false}, {"n * q", false}, {"-n", false}, {"n < q", false}, {"n / 4", false}, {"n % 4", false},
		{"n << 3", false}, {"n << uint(q)", false}, {"g / 0.5", false}, {"g / g", false}, {"math.Sqrt(g)", false},
		{"len(x)", false}, {"min(n, q)", false}, {"int32(n)", false}, {"float64(n)", false}, {"n &^ q", false},
		{"n / q", true}, {"n % q", true}, {"n << q", true}, {"n >> q", true}, {"x[n]", true}, {"x[n:]", true},
		{"n + x[0]", true}, {"yes && x[0] > 1", true}, {"*p", true}, {"bx.v", true}, {"a == b", true}, {"[4]int(x)", true},
	} {
		k := translatedKernel(t, "type box struct{ v, w int }\n//gocuda:kernel\nfunc k("+kernelParams+", p *int, bx *box, a, b any) {\nv := "+c.expr+"\nsink = v\n}\n")
		got := false
		for _, s := range stmtsOf[*Assign](k) {
			if l, ok := s.L[0].(*VarRef); ok && l.V.Name == "v" {
				got = mayPanic(s.R)
			}
		}
		if got != c.want {
			t.Errorf("%s may panic: %v", c.expr, got)
		}
	}
}
