//go:build compiled

package corpus

import "github.com/gocuda/gocuda/gocuda"

// Loops of the block in which some threads go on to the next round early, so that those wait, and
// all leave by a break, a break out of the loop around, or a return.

//gocuda:kernel
func reBreak(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	block := int32(t.BlockIdx.X)
	sum := int32(0)
	for k := int32(0); k < 4; k++ {
		if t.SyncThreadsOr(in[i] > k*40) {
			if in[i] > 90 {
				sum += 100
				continue
			}
		}
		sum += in[i] & 7
		if k >= block {
			break
		}
	}
	out[i] = sum
}

//gocuda:kernel
func reOuter(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	block := int32(t.BlockIdx.X)
	sum := int32(0)
outer:
	for j := int32(0); j < 3; j++ {
		for k := int32(0); k < 3; k++ {
			if t.SyncThreadsOr(in[i] > k*40+j) {
				if in[i]&3 == 3 {
					sum += 100
					continue
				}
			}
			if k > block {
				sum += 1000
				break outer
			}
			if j == 1 && k == 1 {
				sum += 5
				continue outer
			}
			sum += in[i] & 7
		}
		sum += 10000
	}
	out[i] = sum
}

//gocuda:kernel
func reReturn(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	block := int32(t.BlockIdx.X)
	for k := int32(0); k < 3; k++ {
		if t.SyncThreadsOr(in[i] > k*40) {
			if in[i]&1 == 1 {
				out[i] += 3
				continue
			}
		}
		out[i] += in[i] & 7
		if k == block {
			return
		}
	}
	out[i] += 1000
}

// Conditions that only the run can tell to be the same for all.
//
//gocuda:kernel
func reAgree(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	block := t.BlockIdx.X
	same := int32(t.ThreadIdx.X+2) - int32(t.ThreadIdx.X)
	sum := int32(0)
	t.SyncThreads()
	for k := int32(0); k < 4; k++ {
		if t.SyncThreadsAnd(i >= len(in)-3*int(k)) {
			if same > in[block] {
				sum += 100
				continue
			}
		}
		sum += in[i] & 7
		if same+k > int32(block) {
			break
		}
	}
	t.SyncThreads()
	out[i] = sum
}

// The same within a loop, which is left or gone on with.
//
//gocuda:kernel
func reAgreeTwice(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	same := int32(t.ThreadIdx.X+2) - int32(t.ThreadIdx.X)
	sum := int32(0)
outer:
	for j := int32(0); j < 3; j++ {
		for k := int32(0); k < 3; k++ {
			if t.SyncThreadsAnd(in[i] > k*40+j-900) {
				if same > in[t.BlockIdx.X]>>j {
					sum += 100
					continue
				}
			}
			if same+j+k == 5 {
				sum += 1000
				break outer
			}
			if same+k == 3+j {
				sum += 5
				continue outer
			}
			sum += in[i] & 7
		}
		sum += 10000
	}
	out[i] = sum
}

var roundEndCases = []Case{
	perThread("reBreak", linear, reBreak, reBreakKernel, nil),
	perThread("reOuter", linear, reOuter, reOuterKernel, nil),
	perThread("reReturn", linear, reReturn, reReturnKernel, nil),
	perThread("reAgree", linear, reAgree, reAgreeKernel, nil),
	perThread("reAgreeTwice", linear, reAgreeTwice, reAgreeTwiceKernel, nil),
}
