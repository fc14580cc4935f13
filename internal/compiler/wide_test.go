package compiler

import "testing"

// Which kernels can't distinguish blocks, so that neighbouring blocks run as one, along x or along
// both axes.
func TestWide(t *testing.T) {
	for _, c := range []struct {
		name, body string
		wide, tall bool
	}{
		{"an index in the grid", "i := t.GlobalX(); if i < n { x[i] = 1 }", true, false},
		{"the same, written out", "i := t.BlockIdx.X*t.BlockDim.X + t.ThreadIdx.X; x[i] = 1", true, false},
		{"the same, the other way round", "i := t.ThreadIdx.X + t.BlockDim.X*t.BlockIdx.X; x[i] = 1", true, false},
		{"by way of variables", "b, d := t.BlockIdx.X, t.BlockDim.X; first := b*d; tid := t.ThreadIdx.X; x[first+tid] = 1", true, false},
		{"two dimensions", "i, j := t.GlobalX(), t.GlobalY(); x[j*n+i] = t.ThreadIdx.Y + t.BlockIdx.Y", true, false},
		{"two dimensions that are indices in the grid", "i, j := t.GlobalX(), t.GlobalY(); if i < n && j < n { x[j*n+i] = t.BlockDim.Y }", true, true},
		{"y written out", "i, dy := t.GlobalX(), t.BlockDim.Y; j := dy*t.BlockIdx.Y; x[(j+t.ThreadIdx.Y)*n+i] = t.ThreadIdx.Z", true, true},
		{"y alone", "x[t.GlobalY()] = 1", false, false},
		{"the size of the block besides", "x[t.GlobalX()] = t.BlockDim.X + t.GridDim.X", true, false},
		{"a return", "i := t.GlobalX(); if i >= n { return }; x[i] = 1", true, false},

		{"nothing but its place in the block", "x[t.ThreadIdx.X] = 1", false, false},
		{"the place in the block besides", "x[t.GlobalX()] = t.ThreadIdx.X", false, false},
		{"the block besides", "x[t.GlobalX()] = t.BlockIdx.X", false, false},
		{"the rank", "x[t.GlobalX()] = t.Rank()", false, false},
		{"another product", "i := t.BlockIdx.X*n + t.ThreadIdx.X; x[i] = 1", false, false},
		{"a barrier", "i := t.GlobalX(); x[i] = 1; t.SyncThreads(); y[i] = x[i]", false, false},
		{"shared memory", "s := gocuda.Shared[int](t, 1); s[0] = 1; x[t.GlobalX()] = s[0]", false, false},
		{"a warp operation", "x[t.GlobalX()] = int(t.BallotSync(gocuda.FullMask, yes))", false, false},
		{"a loop up to what is read", "i := t.GlobalX(); end := x[i+1]; for k := x[i]; k < end; k++ { y[i] += x[k] }", true, false},
		{"the same without variables", "i := t.GlobalX(); for k := x[i]; k < x[i+1]; k++ { y[i] += x[k] }", true, false},
		{"two such loops", "i := t.GlobalX(); end := x[i+1]; for k := 0; k < end; k++ { y[i] += x[k] }; for k := x[i]; k < end; k++ { y[i] -= x[k] }", true, false},
		{"such a loop with a loop in it", "i := t.GlobalX(); end := x[i+1]; for k := 0; k < end; k++ { for l := range n { y[i] += x[k] * l } }", false, false},
		{"a loop in a loop up to what is read", "i := t.GlobalX(); end := x[i+1]; for range n { for k := 0; k < end; k++ { y[i] += x[k] } }", false, false},
		{"a loop up to an argument", "i := t.GlobalX(); for k := 0; k < n; k++ { y[i] += x[k] }", false, false},
		{"a loop that ends elsewhere, too", "i := t.GlobalX(); end := x[i+1]; for k := 0; k < end; k++ { if x[k] == 0 { break }; y[i] += x[k] }", false, false},
		{"a loop", "i := t.GlobalX(); for k := range n { x[i] += k }", false, false},
		{"a method of the thread", `t.Printf("%d", t.GlobalX())`, false, false},
		{"nothing of the place at all", "x[0] = n", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if k := kernelOf(t, c.body); k.wide != c.wide || k.tall != c.tall {
				t.Errorf("wide is %v, tall is %v", k.wide, k.tall)
			}
		})
	}
}
