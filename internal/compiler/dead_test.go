package compiler

import (
	"slices"
	"strings"
	"testing"
)

// listing shows statements in a short form, with nested ones in braces.
func listing(list []Stmt) string {
	var parts []string
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			var ls []string
			for _, l := range s.L {
				if l == nil {
					ls = append(ls, "_")
				} else {
					ls = append(ls, exprText(l))
				}
			}
			parts = append(parts, strings.Join(ls, ", ")+" = "+exprText(s.R))
		case *If:
			p := "if " + exprText(s.Cond) + " {" + listing(s.Then) + "}"
			if len(s.Else) > 0 {
				p += " else {" + listing(s.Else) + "}"
			}
			parts = append(parts, p)
		case *For:
			parts = append(parts, "for "+exprText(s.Cond)+" {"+listing(slices.Concat(s.Pre, s.Body, s.Post))+"}")
		case *Block:
			parts = append(parts, "block {"+listing(s.Body)+"}")
		case *Exit:
			switch {
			case s.To == nil:
				parts = append(parts, "return")
			case s.Continue:
				parts = append(parts, "continue")
			default:
				parts = append(parts, "break")
			}
		case *Barrier:
			parts = append(parts, "sync"+s.Kind)
		case *Alloc:
			parts = append(parts, "alloc")
		case *Do:
			parts = append(parts, exprText(s.X))
		case *Panic:
			parts = append(parts, "panic")
		}
	}
	return strings.Join(parts, "; ")
}

// Unused values are not computed, unless the computation may panic or has side effects.
func TestDeadAssignments(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"v := n * q; _ = v; x[0] = 1", "x[0] = 1"},
		{"v := n * q; w := v + 1; _ = w; x[0] = 1", "x[0] = 1"},
		{"v := 1; v = n; _ = v; x[0] = 1", "x[0] = 1"},
		{"v := math.Sqrt(g); _ = v; x[0] = 1", "x[0] = 1"},
		{"if yes { v := n; _ = v }; x[0] = 1", "x[0] = 1"},
		{"if yes { v := n; _ = v } else { x[1] = 2 }; x[0] = 1", "if yes {} else {x[1] = 2}; x[0] = 1"},

		{"v := x[n]; _ = v", "_ = x[n]"},
		{"_ = x[n]", "_ = x[n]"},
		{"_ = n / q", "_ = (n / q)"},
		{"v := n / q; _ = v", "_ = (n / q)"},
		{"v := n / 2; _ = v", ""},
		{"v := n << q; _ = v", "_ = (n << q)"},
		{"if x[n] > 0 { v := n; _ = v }", "if (x[n] > 0) {}"},
		{"v := pair{n, x[q]}; x[0] = v.a", "vA = n; _ = x[q]; x[0] = vA"},
		{"v := pair{n, q}; x[0] = v.b", "vB = q; x[0] = vB"},

		{"old := atomic.Add(&x[n], 1); _ = old", "_ = github.com/gocuda/gocuda/atomic.Add(&x[n], 1)"},
		{"atomic.Add(&x[n], 1)", "github.com/gocuda/gocuda/atomic.Add(&x[n], 1)"},
		{"v := n; p := &v; *p = q; x[0] = v", "v = n; v = q; x[0] = v"},
		{"x[0] = x[0]", "x[0] = x[0]"},
		{"n = n; x[0] = n", "n2 = n; x[0] = n2"},
		{"t.SyncThreadsCount(x[0] > 1)", "syncCount"},
	} {
		t.Run(c.body, func(t *testing.T) {
			s := snippetOf(t, inKernel(c.body)+"type pair struct{ a, b int }\n")
			k := s.built()
			k.dropDead()
			if got := listing(k.Body); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			if _, err := s.generated(); err != nil {
				t.Errorf("what is generated does not compile: %v", err)
			}
		})
	}
}

// Returns and the code behind them become branches, so that few exits are left. No exit moves over
// a barrier.
func TestTidyExits(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"if yes { return }; x[0] = 1", "if !yes {x[0] = 1}"},
		{"if yes { x[0] = 1; return }; x[0] = 2", "if yes {x[0] = 1} else {x[0] = 2}"},
		{"if yes { return } else { x[0] = 1 }; x[1] = 2", "if !yes {x[0] = 1; x[1] = 2}"},
		{"if yes { x[0] = 1 } else { return }; x[1] = 2", "if yes {x[0] = 1; x[1] = 2}"},
		{"if yes { return }; if n > 3 { return }; x[0] = 1", "if !yes {if (n <= 3) {x[0] = 1}}"},
		{"if yes { if n > 3 { return }; x[1] = 1; return }; x[0] = 1", "if yes {if (n <= 3) {x[1] = 1}} else {x[0] = 1}"},
		{"if yes { if n > 3 { return } }; x[0] = 1", "if yes {if (n > 3) {return}}; x[0] = 1"},
		{"x[0] = 1; return", "x[0] = 1"},
		{"return", ""},
		{"for { if yes { continue }; x[0] = 1 }", "for - {if !yes {x[0] = 1}}"},
		{"for { if yes { break }; x[0] = 1 }", "for !yes {x[0] = 1}"},
		{"for { if yes { return }; x[0] = 1 }", "for - {if yes {return}; x[0] = 1}"},
		{"for { x[0] = 1; continue }", "for - {x[0] = 1}"},
		{"switch n { case 1: x[0] = 1; case 2: if yes { break }; x[0] = 2; default: x[0] = 3 }",
			"if (n == 1) {x[0] = 1} else {if (n == 2) {if !yes {x[0] = 2}} else {x[0] = 3}}"},
		{"x[0] = first(n)", "result = 0; if (n > 3) {result = 1} else {result = 2}; x[0] = result"},

		// A comparison of floats is not replaced by its opposite: with NaN, both are false.
		{"if g < 1 { return }; x[0] = 1", "if !(g < 1) {x[0] = 1}"},
		{"if g >= 1 || n < 3 { return }; x[0] = 1", "if (!(g >= 1) && (n >= 3)) {x[0] = 1}"},
		{"if g == 1 { return }; x[0] = 1", "if (g != 1) {x[0] = 1}"},

		{"if yes { return }; x[0] = 1; t.SyncThreads(); x[1] = 1", "if yes {return}; x[0] = 1; sync; x[1] = 1"},
		{"for { if yes { continue }; t.SyncThreads() }", "for - {if yes {continue}; sync}"},
		{"if yes { t.SyncThreads(); return }; x[1] = 1", "if yes {sync} else {x[1] = 1}"},
	} {
		t.Run(c.body, func(t *testing.T) {
			s := snippetOf(t, inKernel(c.body)+"func first(n int) int {\nif n > 3 {\nreturn 1\n}\nreturn 2\n}\n")
			if got := listing(s.built().Body); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			if _, err := s.generated(); err != nil {
				t.Errorf("what is generated does not compile: %v", err)
			}
		})
	}
}
