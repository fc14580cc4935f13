package compiler

import (
	"strconv"
	"strings"
	"testing"
)

// The output of -explain for a kernel without vectors: its phases, where its variables live, and
// the votes of the threads, each with its position.
func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string // "line: message", with line numbers of the body
		not        []string
	}{
		{"a map", "i := t.GlobalX()\nx[i] = 1",
			[]string{"0: 1 phase"}, []string{"the same for all", "kept", "asked", "leave"}},
		{"a guard", "i := t.GlobalX()\nif i < n {\nx[i] = 1\n}",
			[]string{"0: 1 phase", "2: phase 1: the condition became the bounds of the loop over threads"}, nil},
		{"storage", "i := t.GlobalX()\nu := n * q\nv := x[i]\ny[i] = u\nt.SyncThreads()\nx[i] = u + v",
			[]string{"0: 2 phases", "0: the same for all threads: u", "0: kept for each thread from phase to phase: v"}, []string{"leave"}},
		{"names", "b := x[t.GlobalX()] + n\nt.SyncThreads()\ny[t.GlobalX()] = b\nfor b := range 3 {\nt.SyncThreads()\nx[t.GlobalX()] += b\n}",
			[]string{"0: kept for each thread from phase to phase: b"}, []string{"b2"}},
		{"values without names", "v := x[t.GlobalX()]\ny[t.GlobalX()] = v + gocuda.ShflSync(t, gocuda.FullMask, v*2, 3, 32)",
			[]string{"0: kept for each thread from phase to phase: v, 2 values without a name"}, []string{"operand", "lanes"}},
		{"a question", "i := t.GlobalX()\nif x[i] > 0 {\nt.SyncThreads()\n}\nt.SyncThreads()",
			[]string{"0: 0 phases", "2: all threads are asked whether they agree on the condition"}, []string{"they need not"}},
		{"a question to which answers may differ", "i := t.GlobalX()\nif x[i] > 0 {\nt.SyncThreads()\n}",
			[]string{"2: all threads are asked whether they agree on the condition; they need not, since no barrier follows"}, nil},
		{"a question in each round", "i := t.GlobalX()\nfor k := 0; k < x[i]; k++ {\nt.SyncThreads()\n}\nt.SyncThreads()",
			[]string{"2: all threads are asked in each round whether they agree on the condition"}, []string{"they need not"}},
		{"an early return", "i := t.GlobalX()\nif x[i] > n {\nreturn\n}\nt.SyncThreads()\ny[i] = 1",
			[]string{"0: 2 phases", "0: threads may leave before others, so each phase asks who is left"}, nil},
		{"not translated", "x[0] = 1\ngo func() {}()", []string{"2: not translated: goroutines are not translated"}, []string{"phase"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := snippetOf(t, inKernel(c.body))
			k := s.kernels()[0]
			first := s.position(k.Pos).Line
			var got []string
			for _, n := range k.explain(s.prog, s.pkg) {
				if n.Kernel != "k" || n.Pos.Filename != "kernel.go" || n.Pos.Column < 1 {
					t.Errorf("%v is said of %s", n, n.Kernel)
				}
				got = append(got, strconv.Itoa(n.Pos.Line-first)+": "+n.Message)
			}
			all := strings.Join(got, "\n") + "\n"
			for _, w := range c.want {
				if !strings.Contains(all, w+"\n") {
					t.Errorf("it does not say %q:\n%s", w, all)
				}
			}
			for _, w := range c.not {
				if strings.Contains(all, w) {
					t.Errorf("it speaks of %q:\n%s", w, all)
				}
			}
		})
	}
}
