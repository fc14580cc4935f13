//go:build compiled

package corpus

import "github.com/gocuda/gocuda/gocuda"

// Kernels that fail in a line of which the stack should tell.

//gocuda:kernel
func stackStore(t *gocuda.Thread, n int, at []int32, out []float32) {
	i := t.GlobalX()
	if i < n {
		v := float32(i)
		v *= 2
		out[at[i]] = v // fails in stackStore
	}
}

//gocuda:kernel
func stackPhases(t *gocuda.Thread, n int, at []int32, out []float32) {
	s := gocuda.Shared[float32](t, 64)
	r := t.Rank()
	if r < 64 {
		s[r] = float32(r)
	}
	t.SyncThreads()
	i := t.GlobalX()
	if i < n {
		out[i] = s[r%64]
		v := s[63-r%64]
		for k := range 3 {
			v += float32(k)
			v += out[at[i]] // fails in stackPhases
		}
		out[i] = v
	}
	t.SyncThreads()
	if i < n {
		out[i] += s[r%64]
	}
}

//gocuda:kernel
func stackDivide(t *gocuda.Thread, n int, at []int32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	a := at[i]
	b := a - at[40]
	c := a + 3
	d := c / b // fails in stackDivide
	out[i] = float32(d)
}

//gocuda:kernel
func stackRagged(t *gocuda.Thread, n int, at []int32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	sum := float32(1)
	for j := at[i]; j < at[i+1]; j++ {
		sum += 1
		sum += out[j] // fails in stackRagged
	}
	if sum < 0 {
		out[0] = sum
	}
}
