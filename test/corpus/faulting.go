//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels that store, change what they have stored, and only then load a place from memory, or divide
// by a number from there. A strip of threads can't be repeated from its beginning if that fails.

// faBlock is the number of threads of a block.
const faBlock = 64

// Rows of a matrix are exchanged, one pair after the other; places has their numbers.
//
//gocuda:kernel
func faSwap(t *gocuda.Thread, n int, places, in, out []int32) {
	const rows = 6
	w, i := n/rows, t.GlobalX()
	if i < w {
		for c := 0; c < rows; c++ {
			r := int(places[c]) % rows
			v := out[c*w+i]
			out[c*w+i] = out[r*w+i]
			out[r*w+i] = v + int32(c)
		}
	}
}

func faSwapSerial(n int, places, in, out []int32) {
	const rows = 6
	w := n / rows
	for c := range rows {
		a, b := out[c*w:][:w], out[int(places[c])%rows*w:][:w]
		for i := range a {
			v := a[i]
			a[i] = b[i]
			b[i] = v + int32(c)
		}
	}
}

// Each thread has four numbers of its own, and keeps the larger one of each and of another thread's.
//
//gocuda:kernel
func faLargest(t *gocuda.Thread, n int, places, in, out []int32) {
	i := t.GlobalX()
	if i >= n/4 {
		return
	}
	best := int32(-1)
	for k := 0; k < 4; k++ {
		v := out[k*(n/4)+i]
		if v < 0 {
			continue
		}
		if other := in[places[(i+k)%n]]; other > v {
			v = other
			out[k*(n/4)+i] = v
		}
		if v > best {
			best = v
		}
	}
	if best > 40 {
		out[i] = best
	}
}

// Each thread counts in eight places of its own.
//
//gocuda:kernel
func faOwnCounts(t *gocuda.Thread, n int, places, in, out []int32) {
	if i := t.GlobalX(); i < n/8 {
		for k := 0; k < 12; k++ {
			at := in[places[(i+3*k)%n]] & 7
			out[8*i+int(at)] += int32(k)
		}
	}
}

func faOwnCountsSerial(n int, places, in, out []int32) {
	for i := range n / 8 {
		for k := range 12 {
			out[8*i+int(in[places[(i+3*k)%n]]&7)] += int32(k)
		}
	}
}

// What is stored is divided, then multiplied by what a place in memory says.
//
//gocuda:kernel
func faQuotients(t *gocuda.Thread, n int, places, in, out []int32) {
	if i := t.GlobalX(); i < n {
		out[i] = out[i] + 100*in[i]
		out[i] = out[i] / (in[places[i]] + 1)
		out[i] = out[i]*3 + in[3*(places[i]/4)]
	}
}

func faQuotientsSerial(n int, places, in, out []int32) {
	for i := range n {
		out[i] = (out[i]+100*in[i])/(in[places[i]]+1)*3 + in[3*(places[i]/4)]
	}
}

// A number is found in a list again and again, and each time the list changes.
//
//gocuda:kernel
func faChain(t *gocuda.Thread, n int, places, in, out []int32) {
	next := gocuda.Shared[int32](t, faBlock*4)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	for k := range 4 {
		next[4*tid+k] = int32(4*tid + (k*3+tid)%4)
	}
	if i < n {
		at, sum := 4*tid+int(in[i])%4, int32(0)
		for k := range 5 {
			to := next[at]
			next[at] = int32(4*tid + (int(to)+k)%4)
			sum = 2*sum + places[to] + to
			at = 4*tid + (at+1)%4
		}
		out[i] = sum
	}
}

func faultingCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n int, places, in, out []int32)
	for _, k := range []struct {
		name     string
		source   kernel
		compiled func(n int, places, in, out []int32) gocuda.Kernel
		serial   func(n int, places, in, out []int32)
	}{
		{"faSwap", faSwap, faSwapKernel, faSwapSerial},
		{"faLargest", faLargest, faLargestKernel, nil},
		{"faOwnCounts", faOwnCounts, faOwnCountsKernel, faOwnCountsSerial},
		{"faQuotients", faQuotients, faQuotientsKernel, faQuotientsSerial},
		{"faChain", faChain, faChainKernel, nil},
	} {
		for _, n := range []int{8, 77, 500, 1003, 5004} {
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d", k.name, n), Configs: []grid.Config{grid.Linear(n, faBlock)}, Make: func(grid.Config) Instance {
				places, in, out := make([]int32, max(n, 4*faBlock)), make([]int32, n), make([]int32, n)
				for i := range places {
					places[i] = int32(uint32(i+7) * 2654435761 >> 8 % uint32(n))
				}
				begin := func() []int32 {
					for i := range out {
						out[i] = int32(i%91) - 5
					}
					return out
				}
				for i := range in {
					in[i] = int32(uint32(i+1) * 2246822519 >> 25)
				}
				made := Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, n, places, in, out) }),
					Compiled: k.compiled(n, places, in, begin()),
					Outputs:  []any{out},
				}
				if k.serial != nil {
					made.Want = func() []any {
						out = make([]int32, n)
						begin()
						k.serial(n, places, in, out)
						return []any{out}
					}
				}
				return made
			}})
		}
	}
	return cases
}

// One thread fails in the last of three rounds, each of which has changed what it has stored.
//
//gocuda:kernel
func failBehind(t *gocuda.Thread, who, kind int, in, out []int32) {
	i, n := t.GlobalX(), len(in)
	one := unlucky(t, who)
	for k := range 3 {
		out[i] = out[i]*2 + 1
		p := int(in[(i+k)%n]) % n
		if one && k == 2 && kind < 3 {
			p = n + 5
		}
		switch kind {
		case 0:
			out[i] += in[int32(p)]
		case 1:
			out[i] += in[4*(int32(p)/4)]
		case 2:
			out[int32(i)/8*8+int32(i)%8] += 7
			out[i] += in[int32(p)]
		case 3:
			by := in[(i+k)%n] + 1
			if one && k == 2 {
				by = 0
			}
			out[i] += 1000 / by
		}
	}
}

// Each thread counts in two places of its own, and one of them then in a place that the block's array does
// not have.
//
//gocuda:kernel
func failCount(t *gocuda.Thread, who int, in, out []int32) {
	counts := gocuda.Shared[int32](t, 128)
	tid, i, n := t.ThreadIdx.X, t.GlobalX(), int32(len(in))
	counts[tid], counts[tid+64] = 0, 0
	t.SyncThreads()
	for k := range int32(2) {
		at := int32(tid) + 64*(in[i]>>k&1)
		if k == 1 && unlucky(t, who) {
			at = n
		}
		counts[at] += k
		out[i] += counts[tid]
	}
}
