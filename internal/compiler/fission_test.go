package compiler

import (
	"strings"
	"testing"
)

// outline shows the program of a block:
//
//	phase       a loop over threads; "phase<" with a guard as bounds, "phase^" if threads may leave
//	once        code that runs once per block
//	sync, alloc barriers and shared arrays
//	if, for     statements that control the block; "?" if the threads vote, "~" if they may disagree
//	leave       an exit that all threads take together
func outline(list []node) string {
	var parts []string
	add := func(s string) { parts = append(parts, s) }
	mark := func(asks, parts bool) string {
		s := ""
		if asks {
			s += "?"
		}
		if asks && parts {
			s += "~"
		}
		return s
	}
	for _, n := range list {
		switch n := n.(type) {
		case *region:
			s := "phase"
			if n.bound != nil {
				s += "<"
			}
			if len(n.exits) > 0 {
				s += "^"
			}
			add(s)
		case *once:
			if len(parts) == 0 || parts[len(parts)-1] != "once" {
				add("once")
			}
		case *syncThreads:
			add("sync" + n.s.Kind)
		case *meet:
			add("meet")
		case *alloc:
			add("alloc")
		case *leave:
			add("leave")
		case *scope:
			add("block{" + outline(n.body) + "}")
		case *branch:
			s := "if" + mark(n.asks, n.parts) + "{" + outline(n.then) + "}"
			if len(n.els) > 0 {
				s += "else{" + outline(n.els) + "}"
			}
			add(s)
		case *loop:
			head := ""
			if len(n.pre) > 0 {
				head = outline(n.pre) + ": "
			}
			tail := ""
			if len(n.post) > 0 {
				tail = "; " + outline(n.post)
			}
			add("for" + mark(n.asks, n.parts) + "{" + head + outline(n.body) + tail + "}")
		}
	}
	return strings.Join(parts, " ")
}

func TestFission(t *testing.T) {
	for _, c := range []struct {
		name    string
		body    string
		want    string
		tracked bool // a thread may finish before others
	}{
		{"nothing", "", "", false},
		{"no barrier", "i := t.GlobalX(); x[i] = 1", "phase", false},
		{"straight code", "i := t.GlobalX(); x[i] = 1; t.SyncThreads(); y[i] = x[i+1]; t.SyncThreads(); x[i] = y[i]",
			"phase sync phase sync phase", false},
		{"two barriers at once", "i := t.GlobalX(); x[i] = 1; t.SyncThreads(); t.SyncThreads(); y[i] = x[i+1]",
			"phase sync sync phase", false},
		{"shared memory", "s := gocuda.Shared[int](t, 8); s[t.Rank()%8] = 1; t.SyncThreads(); x[t.Rank()] = s[0]",
			"alloc phase sync phase", false},
		{"votes", "i := t.GlobalX(); c := t.SyncThreadsCount(x[i] > 0); if t.SyncThreadsOr(y[i] > c) { x[i] = c }",
			"syncCount once syncOr phase", false},
		{"what is the same is done once", "k := n*q + 1; i := t.GlobalX(); x[i] = k", "once phase", false},

		// Conditions.
		{"condition that is the same", "i := t.GlobalX(); if n > 3 { x[i] = 1; t.SyncThreads(); y[i] = x[i+1] }",
			"if{phase sync phase}", false},
		{"both branches", "i := t.GlobalX(); if n > 3 { x[i] = 1; t.SyncThreads() } else { t.SyncThreads(); x[i] = 2 }",
			"if{phase sync}else{sync phase}", false},
		{"condition of the block", "i := t.GlobalX(); if t.BlockIdx.X == 0 { x[i] = 1; t.SyncThreads(); y[i] = x[i+1] }",
			"if{phase sync phase}", false},
		{"condition that may differ, a barrier follows", "i := t.GlobalX(); if x[i] > 0 { t.SyncThreads() }; y[i] = 1; t.SyncThreads(); x[i] = 1",
			"if?{sync} phase sync phase", false},
		{"condition that may differ, no barrier follows", "i := t.GlobalX(); if x[i] > 0 { t.SyncThreads(); y[i] = 1 }; y[i] = 2",
			"if?~{sync phase} phase", true},
		{"condition that may differ, barriers in both branches", "i := t.GlobalX(); if x[i] > 0 { t.SyncThreads(); y[i] = 1 } else { t.SyncThreads() }",
			"if?{sync phase}else{sync}", false},
		{"condition that may differ, in a loop with barriers", "i := t.GlobalX(); for range n { if x[i] > 0 { t.SyncThreads() } }",
			"once for{if?{sync}; once}", false},

		// Loops.
		{"loop of the same length", "i := t.GlobalX(); for k := 0; k < n; k++ { x[i] = k; t.SyncThreads(); y[i] = x[i+1]; t.SyncThreads() }",
			"once for{phase sync phase sync; once}", false},
		{"loop in a loop", "i := t.GlobalX(); for k := range n { for j := range k { x[i] = j; t.SyncThreads() } }",
			"once for{once for{phase sync; once}; once}", false},
		{"loop whose length may differ, nothing follows", "i := t.GlobalX(); for k := 0; k < x[i]; k++ { y[i] = k; t.SyncThreads() }",
			"once for?~{phase sync; once}", true},
		{"loop whose length may differ, a barrier follows", "i := t.GlobalX(); for k := 0; k < x[i]; k++ { y[i] = k; t.SyncThreads() }; t.SyncThreads()",
			"once for?{phase sync; once} sync", false},
		{"loop without a barrier stays in its phase", "i := t.GlobalX(); t.SyncThreads(); for k := 0; k < x[i]; k++ { y[i] += k }",
			"sync phase", false},
		{"barrier in a helper in a loop", "for k := range n { swapOver(t, x, k) }",
			"once for{once sync phase sync; once}", false},

		// Leaving.
		{"break for all", "i := t.GlobalX(); for k := range n { if k > q { break }; x[i] = k; t.SyncThreads() }",
			"once for{if{leave} phase sync; once}", false},
		{"break for some, no barrier follows", "i := t.GlobalX(); for k := range n { if x[i] > k { break }; t.SyncThreads(); x[i] = k }",
			"once for{phase^ sync phase; once}", true},
		{"return with nothing behind it", "i := t.GlobalX(); if i >= n { return }; x[i] = 1", "phase<", false},
		{"return before a barrier", "i := t.GlobalX(); if i >= n { return }; x[i] = 1; t.SyncThreads(); y[i] = x[i-1]",
			"if{phase sync phase}else{phase^ sync phase}", false},
		{"return before a barrier, by data", "i := t.GlobalX(); if x[i] < 0 { return }; x[i] = 1; t.SyncThreads(); y[i] = x[i-1]",
			"phase^ sync phase", true},
		{"return of all", "i := t.GlobalX(); if n == 0 { return }; x[i] = 1; t.SyncThreads(); y[i] = x[i-1]",
			"if{leave} phase sync phase", false},
		{"return in a loop with barriers", "i := t.GlobalX(); for k := range n { if x[i] == k { return }; t.SyncThreads() }",
			"once for{phase^ sync; once}", true},

		// Warp operations.
		{"a shuffle", "v := y[t.Rank()]; v += gocuda.ShflDownSync(t, gocuda.FullMask, v, 1, 32); x[t.Rank()] = v",
			"phase meet phase", false},
		{"a vote between barriers", "t.SyncThreads(); x[t.Rank()] = int(t.BallotSync(gocuda.FullMask, yes)); t.SyncThreads()",
			"sync meet phase sync", false},
		{"shuffles in a loop", "v := y[t.Rank()]; for d := 16; d > 0; d /= 2 { v += gocuda.ShflXorSync(t, gocuda.FullMask, v, d, 32) }; x[t.Rank()] = v",
			"phase once for{meet phase; once} phase", false},
		{"a loop of another number of rounds for each warp", "for k := range t.WarpID() { t.SyncWarp(gocuda.FullMask); x[t.Rank()] = k }",
			"once for?~{meet phase; once}", true},
		{"a branch of some warps", "if t.WarpID() == 0 { t.SyncWarp(gocuda.FullMask); x[t.Rank()] = 1 }; t.SyncThreads()",
			"if?~{meet phase} sync", true},

		// Guards.
		{"guard", "i := t.GlobalX(); if i < n { x[i] = 1 }", "phase<", false},
		{"two guards", "i := t.GlobalX(); if i < n { x[i] = 1 }; if i < q { y[i] = 1 }", "phase< phase<", false},
		{"guard behind something else", "i := t.GlobalX(); x[i] = 1; if i < q { y[i] = 1 }", "phase phase<", false},
		{"guard that needs what is before it", "i := t.GlobalX(); v := x[i]; if i < q { y[i] = v }", "phase", false},
		{"guard with an else", "i := t.GlobalX(); if i < q { y[i] = 1 } else { x[i] = 1 }", "phase", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := translatedKernel(t, inKernel(c.body)+`
func swapOver(t *gocuda.Thread, x []int, k int) {
	v := x[k]
	t.SyncThreads()
	x[t.Rank()] = v
	t.SyncThreads()
}
`)
			if got := outline(k.nodes); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			if k.tracked != c.tracked {
				t.Errorf("threads may be done before others: %v", k.tracked)
			}
			// phases for blocks that do not pass a guard as a whole are not counted
			once, _, _ := strings.Cut(outline(k.nodes), "else{phase^")
			if n := strings.Count(once, "phase"); k.phases != n {
				t.Errorf("%d phases are counted, there are %d", k.phases, n)
			}
		})
	}
}

// A loop of a thread over its elements is interchanged with the loop over threads if only its
// counter is carried from iteration to iteration.
func TestInterchange(t *testing.T) {
	for _, c := range []struct {
		name, body string
		turned     bool
	}{
		{"map", "for i := t.GlobalX(); i < n; i += t.GridDim.X*t.BlockDim.X { x[i] = y[i] }", true},
		{"a variable of the round", "for i := t.GlobalX(); i < n; i += q { v := y[i]; x[i] = v * v }", true},
		{"a loop in the round", "for i := t.GlobalX(); i < n; i += q { v := 0; for k := range 3 { v += y[i+k] }; x[i] = v }", true},
		{"a sum over the rounds", "v := 0; for i := t.GlobalX(); i < n; i += q { v += y[i] }; x[t.GlobalX()] = v", false},
		{"break", "for i := t.GlobalX(); i < n; i += q { if y[i] == 0 { break }; x[i] = 1 }", false},
		{"return", "for i := t.GlobalX(); i < n; i += q { if y[i] == 0 { return }; x[i] = 1 }", false},
		{"the counter is changed inside", "for i := t.GlobalX(); i < n; i += q { x[i] = 1; i++ }", false},
		{"the counter is seen after the loop", "i := t.GlobalX(); for ; i < n; i += q { x[i] = 1 }; y[t.GlobalX()] = i", false},
		{"another limit each round", "for i := t.GlobalX(); i < x[0]; i += q { x[i] = 1 }", false},
		{"another step for each thread", "for i := t.GlobalX(); i < n; i += t.GlobalX() { x[i] = 1 }", false},
		{"from the limit down", "for i := t.GlobalX(); i > n; i -= q { x[i] = 1 }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := kernelOf(t, c.body)
			// Only a loop that controls the block is a node.
			if got := strings.Contains(outline(k.nodes), "for{"); got != c.turned {
				t.Errorf("turned inside out: %v; %s", got, outline(k.nodes))
			}
		})
	}
}
