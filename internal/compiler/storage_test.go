package compiler

import "testing"

// The storage of v.
func TestStorage(t *testing.T) {
	const (
		own    = "in its phase"
		once   = "once for the block"
		each   = "once for each thread"
		anew   = "computed anew in each phase"
		unseen = "not at all"
	)
	for _, c := range []struct {
		name, body string
		want       string
	}{
		{"of one phase", "i := t.GlobalX(); v := x[i]; y[i] = v; t.SyncThreads(); x[i] = y[i]", own},
		{"of one phase, assigned twice", "i := t.GlobalX(); v := x[i]; v *= v; y[i] = v; t.SyncThreads(); x[i] = y[i]", own},
		{"the same for all, in two phases", "v := n*q; i := t.GlobalX(); y[i] = v; t.SyncThreads(); x[i] = v", once},
		{"the same for all, changed between", "v := n; i := t.GlobalX(); y[i] = v; t.SyncThreads(); v *= 2; x[i] = v", once},
		{"the same for all, from memory", "v := x[n]; i := t.GlobalX(); y[i] = v; t.SyncThreads(); x[i] = v", once},
		{"counter of a loop with barriers", "i := t.GlobalX(); for v := range n { y[i] = v; t.SyncThreads() }", once},
		{"shared memory", "v := gocuda.Shared[int](t, 8); v[t.Rank()%8] = 1; t.SyncThreads(); x[t.Rank()] = v[0]", once},

		{"from memory, across a barrier", "i := t.GlobalX(); v := x[i]; t.SyncThreads(); y[i] = v", each},
		{"assigned in one phase and read two later", "i := t.GlobalX(); v := x[i]; t.SyncThreads(); y[i] = 1; t.SyncThreads(); y[i] = v", each},
		{"a sum over rounds with barriers", "i := t.GlobalX(); v := 0; for range n { v += x[i]; t.SyncThreads() }; y[i] = v", each},
		{"the same in value, but of divergent control", "i := t.GlobalX(); v := 0; if x[i] > 0 { v = 1 }; t.SyncThreads(); y[i] = v", each},
		{"an array across a barrier", "i := t.GlobalX(); var v [4]int; v[i%4] = 1; t.SyncThreads(); y[i] = v[1]", each},
		{"a division, that may panic", "i := t.GlobalX(); v := i / n; y[i] = v; t.SyncThreads(); x[i] = v", each},
		{"a shift, that may panic", "i := t.GlobalX(); v := i >> n; y[i] = v; t.SyncThreads(); x[i] = v", each},
		{"the condition of a loop of the block", "i := t.GlobalX(); v := x[i]; for v > 0 { t.SyncThreads(); v-- }", each},
		{"the vote of a barrier", "i := t.GlobalX(); v := x[i] > 0; c := t.SyncThreadsCount(v); x[i] = c", each},
		{"the index, changed", "v := t.GlobalX(); x[v] = 1; t.SyncThreads(); if n > 3 { v++ }; x[v] = 2", each},
		{"the index, another variable from the barrier on", "v := t.GlobalX(); x[v] = 1; t.SyncThreads(); v++; x[v] = 2", anew},

		{"the index", "v := t.GlobalX(); x[v] = 1; t.SyncThreads(); y[v] = 2", anew},
		{"something cheap made of the index", "i := t.GlobalX(); v := 2*i + n; x[v] = 1; t.SyncThreads(); y[v] = 2", anew},
		{"division by a constant", "i := t.GlobalX(); v := i / 4; x[v] = 1; t.SyncThreads(); y[v] = 2", anew},
		{"a comparison", "v := t.GlobalX() < n; if v { x[0] = 1 }; t.SyncThreads(); if v { x[1] = 2 }", anew},

		{"nobody reads it", "i := t.GlobalX(); v := n; v = i; _ = v; x[i] = 1", unseen},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := kernelOf(t, c.body)
			v := varNamed(t, k, "v")
			got := unseen
			for _, s := range stmtsOf[*Assign](k) {
				for _, l := range s.L {
					if l == nil {
						continue
					}
					if w, _ := assigned(l); w == v {
						got = own
					}
				}
			}
			for _, s := range stmtsOf[*Alloc](k) {
				if s.Dst == v {
					got = own
				}
			}
			switch {
			case v.value != nil:
				got = anew
			case v.common:
				got = once
			case v.spread:
				got = each
			}
			if got != c.want {
				t.Errorf("v lives %s, want %s", got, c.want)
			}
		})
	}
}

// The address of a variable may be used as long as there is one copy of the variable.
func TestStorageOfAddresses(t *testing.T) {
	for _, c := range []struct {
		name, body string
		reason     string
		defect     string
	}{
		{"pointer that the compiler follows", "v := t.Rank(); p := &v; t.SyncThreads(); *p = 3; x[t.Rank()] = v", "", ""},
		{"slice of an array of one phase", "i := t.Rank(); var v [4]int; s := v[:]; s[i%4] = i; x[i] = v[1]", "",
			"slices of private arrays are refused even without a barrier"},
		{"argument of a func that may keep it", "v := t.Rank(); fmt.Sscan(``, &v); t.SyncThreads(); x[t.Rank()] = v", "may keep the address of v across a barrier", ""},
		{"argument of a func that may keep it, in one phase", "v := t.Rank(); fmt.Sscan(``, &v); x[t.Rank()] = v", "", ""},
		{"argument of an atomic operation", "v := t.Rank(); atomic.Add(&v, 1); t.SyncThreads(); x[t.Rank()] = v", "", ""},
		{"slice of an array across a barrier", "var v [4]int; s := v[:]; t.SyncThreads(); s[0] = 3; x[t.Rank()] = v[0]", "kept across a barrier", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := snippetOf(t, inKernel(c.body)).kernels()[0]
			if (c.reason == "") != (k.Reason == "") || c.reason != "" && !contains(k.Reason, c.reason) {
				expected(t, c.defect, "reason %q, want %q", k.Reason, c.reason)
			}
		})
	}
}
