package compiler

import (
	"strings"
	"testing"
)

// Shapes along x, y and z.
var (
	sameForAll = shape{}
	alongX     = shape{1, 0, 0}
	differsX   = shape{noStep, 0, 0}
)

func TestShapeOfExpressions(t *testing.T) {
	for _, c := range []struct {
		expr string
		want shape
	}{
		// Uniform values.
		{"3", sameForAll},
		{"n*q + 1", sameForAll},
		{"len(x)", sameForAll},
		{"t.BlockIdx.X*t.BlockDim.X + t.GridDim.Y", sameForAll},
		{"x[n]", sameForAll},
		{"math.Sqrt(g)", sameForAll},
		{"n < q && yes", sameForAll},
		{"x[1:n]", sameForAll},

		// The index, and operations that keep its steps.
		{"t.ThreadIdx.X", alongX},
		{"t.ThreadIdx.Y", shape{0, 1, 0}},
		{"t.ThreadIdx.Z", shape{0, 0, 1}},
		{"t.GlobalX()", alongX},
		{"t.GlobalY()", shape{0, 1, 0}},
		{"t.GlobalX() + n", alongX},
		{"n + t.GlobalX()", alongX},
		{"t.GlobalX() - n", alongX},
		{"n - t.ThreadIdx.X", shape{-1, 0, 0}},
		{"-t.ThreadIdx.X", shape{-1, 0, 0}},
		{"+t.ThreadIdx.X", alongX},
		{"4*t.ThreadIdx.X + 3", shape{4, 0, 0}},
		{"t.ThreadIdx.X * -2", shape{-2, 0, 0}},
		{"t.ThreadIdx.X << 3", shape{8, 0, 0}},
		{"t.ThreadIdx.X + t.ThreadIdx.X", shape{2, 0, 0}},
		{"t.ThreadIdx.X + 16*t.ThreadIdx.Y", shape{1, 16, 0}},
		{"int64(t.ThreadIdx.X)", alongX},
		{"uint(t.ThreadIdx.X) + 1", alongX},

		// Steps that are the same everywhere, but not known at compile time.
		{"n * t.ThreadIdx.X", shape{someStep, 0, 0}},
		{"t.GlobalY()*n + t.GlobalX()", shape{1, someStep, 0}},
		{"t.Rank()", shape{1, someStep, someStep}},

		// Irregular values, which differ along no axis without need.
		{"t.ThreadIdx.X / 2", differsX},
		{"t.ThreadIdx.X % 4", differsX},
		{"t.ThreadIdx.X & 7", differsX},
		{"t.ThreadIdx.X >> 1", differsX},
		{"t.ThreadIdx.X * t.ThreadIdx.X", differsX},
		{"n << t.ThreadIdx.X", differsX},
		{"t.ThreadIdx.X * t.ThreadIdx.Y", shape{noStep, noStep, 0}},
		{"x[t.ThreadIdx.X]", differsX},
		{"x[t.ThreadIdx.Y*n]", shape{0, noStep, 0}},
		{"x[t.ThreadIdx.X:]", differsX},
		{"min(t.ThreadIdx.X, n)", differsX},
		{"t.ThreadIdx.X < n", differsX},
		{"t.ThreadIdx.Y == 0", shape{0, noStep, 0}},
		{"t.ThreadIdx.X < n || t.ThreadIdx.Z < n", shape{noStep, 0, noStep}},
		{"float64(t.ThreadIdx.X)", differsX},
		{"t.LaneID()", varying},
		{"t.WarpID()", varying},
		{"t.Clock()", varying},

		// 32-bit integers may wrap around between two threads.
		{"int32(t.ThreadIdx.X)", differsX},
		{"uint8(t.ThreadIdx.X) + 1", differsX},
	} {
		// the last statement keeps the threads from being numbered through
		k := kernelOf(t, "v := "+c.expr+"\nsink = v\nsink = t.ThreadIdx.Y")
		if got := varNamed(t, k, "v").Shape; got != c.want {
			t.Errorf("%s has shape %v, want %v", c.expr, got, c.want)
		}
	}
}

// A value may be uniform although its operands are not. The block can't compute it, so its shape
// must not be 0.
func TestShapeOfWhatCancels(t *testing.T) {
	const zero = "a product with the constant 0 counts as the same for all threads, and is then computed where there is no thread"
	for _, c := range []struct{ expr, defect string }{
		{"t.ThreadIdx.X - t.ThreadIdx.X", ""},
		{"t.ThreadIdx.X - (t.ThreadIdx.X + n)", ""},
		{"t.ThreadIdx.X * 0", zero},
		{"t.Rank()*0 + 4", zero},
	} {
		t.Run(c.expr, func(t *testing.T) {
			s := snippetOf(t, inKernel("v := "+c.expr+"\nx[v] = v"))
			if sh := varNamed(t, s.kernels()[0], "v").Shape; sh.uniform() {
				expected(t, c.defect, "the shape is that of a value that does not depend on the thread")
			}
			if _, err := s.generated(); err != nil {
				expected(t, c.defect, "what is generated does not compile: %v", err)
			}
		})
	}
}

// The shape of v, by the assignments to it and the conditions around them.
func TestShapeOfVariables(t *testing.T) {
	for _, c := range []struct {
		name string
		body string
		want shape
	}{
		{"two values, the same for all", "v := n; if q > 3 { v = q }", sameForAll},
		{"two values with one step", "v := t.ThreadIdx.X; if q > 3 { v = t.ThreadIdx.X + n }", alongX},
		{"two values with two steps", "v := t.ThreadIdx.X; if q > 3 { v = 2*t.ThreadIdx.X }", shape{someStep, 0, 0}},
		{"under a condition that differs", "v := 0; if x[t.ThreadIdx.X] > 3 { v = 1 }", differsX},
		{"under one that differs along y", "v := 0; if t.ThreadIdx.Y > 3 { v = 1 }", shape{0, noStep, 0}},
		{"in the else of one", "v := 0; if t.ThreadIdx.X > 3 { x[0] = 1 } else { v = 1 }", differsX},
		{"under two", "v := 0; if t.ThreadIdx.X > 3 { if t.ThreadIdx.Y > 3 { v = 1 } }", shape{noStep, noStep, 0}},
		{"declared inside", "if t.ThreadIdx.X > 3 { v := n; sink = v }; v2 := 0; v2++", sameForAll},
		{"short circuit with effects", "v := 0; if t.ThreadIdx.X > 3 && set(&v) { x[0] = 1 }", differsX},
		{"switch", "v := 0; switch t.ThreadIdx.X { case 1: v = 1; case 2: v = 2 }", differsX},
		{"after an early return", "if t.ThreadIdx.X > 3 { return }; v := n", sameForAll},

		{"counter of a loop", "for v := 0; v < n; v++ { x[v] = 1 }", sameForAll},
		{"counter that begins at the index", "for v := t.ThreadIdx.X; v < n; v += 32 { x[v] = 1 }", alongX},
		{"counter of a loop with a bound that differs", "for v := 0; v < t.ThreadIdx.X; v++ { x[v] = 1 }", sameForAll},
		{"the same, seen after the loop", "v := 0; for ; v < t.ThreadIdx.X; v++ { x[v] = 1 }", differsX},
		{"sum in a loop of the same length for all", "v := 0; for i := range n { v += i }", sameForAll},
		{"sum in a loop that differs", "v := 0; for i := 0; i < t.ThreadIdx.X; i++ { v += n }", differsX},
		{"loop with a break that differs", "v := 0; for i := range n { if i > t.ThreadIdx.X { break }; v++ }", differsX},
		{"behind a continue that differs", "v := 0; for i := range n { if i > t.ThreadIdx.X { continue }; v = i }", differsX},
		{"before a continue that differs", "v := 0; for i := range n { v = i; if i > t.ThreadIdx.X { continue }; x[i] = 1 }", sameForAll},
		{"break out of two loops", "v := 0\nouter:\nfor i := range n { for j := range q { if i*j > t.ThreadIdx.X { break outer } }; v = i }", differsX},
		{"inner loop differs, outer does not", "v := 0; for i := range n { for j := 0; j < t.ThreadIdx.X; j++ { x[j] = 1 }; v = i }", sameForAll},
		{"loop inside a condition that differs", "v := 0; if t.ThreadIdx.X > 2 { for i := range n { v = i } }", differsX},
		{"loop without a condition", "v := 0; for { v++; if v > x[t.ThreadIdx.X] { break } }", differsX},
		{"given on in a loop", "u, v := 0, 0; for range n { v = u; u = t.ThreadIdx.X }", shape{someStep, 0, 0}},

		{"result of a helper that returns early", "v := pick(t, n, q)", differsX},
		{"result of a helper that does not ask the thread", "v := larger(n, q)", sameForAll},
		{"argument that the helper changes", "v := count(n)", sameForAll},
		{"vote", "v := t.SyncThreadsCount(x[t.ThreadIdx.X] > 0)", sameForAll},
		{"shared memory", "v := gocuda.Shared[int](t, 4)", sameForAll},
		{"element of shared memory", "s := gocuda.Shared[int](t, 4); v := s[t.ThreadIdx.X]", differsX},
		{"array, assigned where the thread says", "var v [4]int; v[t.ThreadIdx.X%4] = 1", differsX},
		{"array, filled the same for all", "var v [4]int; for i := range v { v[i] = i }", sameForAll},
		{"given to a func that is not looked into", "v := 0; got, _ := fmt.Sscan(\"1\", &v); x[0] = got", varying},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := c.body
			if !strings.Contains(body, "for v :=") && !strings.Contains(body, "{ v := ") {
				body += "\nsink = v"
			}
			if c.name == "declared inside" {
				body += "\nsink = v2"
			}
			k := translatedKernel(t, inKernel(body)+`
func set(p *int) bool { *p = 7; return true }

func pick(t *gocuda.Thread, a, b int) int {
	if t.ThreadIdx.X > 3 {
		return a
	}
	return b
}

func larger(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func count(n int) int {
	k := 0
	for n > 0 {
		n--
		k++
	}
	return k
}
`)
			if got := varNamed(t, k, "v").Shape; got != c.want {
				t.Errorf("shape %v, want %v", got, c.want)
			}
		})
	}
}

// The fields of a struct are variables of their own.
func TestShapeOfFields(t *testing.T) {
	k := translatedKernel(t, inKernel("p := pair{t.ThreadIdx.X, n}; p.a += q; x[p.a] = p.b")+"type pair struct{ a, b int }\n")
	if s := varNamed(t, k, "pA").Shape; s != alongX {
		t.Errorf("p.a has shape %v", s)
	}
	if s := varNamed(t, k, "pB").Shape; s != sameForAll {
		t.Errorf("p.b has shape %v", s)
	}
}

// A slice that a thread allocates belongs to that thread, whatever its elements are.
func TestShapeOfAllocations(t *testing.T) {
	for _, c := range []struct{ body, defect string }{
		{"s := make([]int, 4); s[0] = t.ThreadIdx.X; v := s[0]", ""},
		{"s := new(int); *s = t.ThreadIdx.X; v := *s", ""},
		{"var s []int; s = append(s, t.ThreadIdx.X); v := s[0]", ""},
		{"s := []int{0, 0}; s[0] = t.ThreadIdx.X; v := s[0]", "the slice of a literal counts as the same for all threads"},
	} {
		t.Run(c.body, func(t *testing.T) {
			k := kernelOf(t, c.body+"\nx[t.ThreadIdx.X] = v")
			if varNamed(t, k, "v").Shape.uniform() {
				expected(t, c.defect, "v counts as the same for all threads")
			}
		})
	}
}
