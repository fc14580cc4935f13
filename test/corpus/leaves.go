//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Helpers that return from within loops, rows of their own length in columns, arrays that threads keep across barriers, and quotients of what memory has.

func lvFirst(s []int32, from, to, want int) int {
	for i := from; i < to; i++ {
		if int(s[i]) == want {
			return i
		}
	}
	return -1
}

func lvSteps(v, most int) (steps int, ended bool) {
	for i := 0; i < most; i++ {
		if v == 1 {
			return i, true
		}
		if v%2 == 0 {
			v /= 2
		} else {
			v = 3*v + 1
		}
		if v > 100000 {
			return -i, false
		}
	}
	return most, v == 1
}

func lvPair(s []int32, n, want int) (int, int) {
	for i := 0; i < n; i++ {
		for j := i + 1; j < n; j++ {
			if int(s[i]+s[j]) == want {
				return i, j
			}
		}
	}
	return -1, n
}

//gocuda:kernel
func lvFinds(t *gocuda.Thread, m int, in, out []int32) {
	i := t.GlobalX()
	at := lvFirst(in, m, len(in), i%11)
	out[i] = int32(at)*3 + int32(m)
}

//gocuda:kernel
func lvCounts(t *gocuda.Thread, m int, in, out []int32) {
	i := t.GlobalX()
	n, ok := lvSteps(i%97+1, 20*m)
	if ok {
		out[i] = int32(n)
	} else {
		out[i] = int32(-1000 - n)
	}
}

//gocuda:kernel
func lvPairs(t *gocuda.Thread, m int, in, out []int32) {
	i := t.GlobalX()
	a, b := lvPair(in, min(len(in), 9), i%23-m)
	out[i] = int32(a*100 + b)
}

//gocuda:kernel
func lvColumns(t *gocuda.Thread, m int, in, out []int32) {
	i := t.GlobalX()
	n := len(out)
	var sum int32
	for k := 0; k < int(in[i]&3); k++ {
		if k*n+i < len(in) {
			sum = sum*7 + in[k*n+i]
		}
	}
	for k := 0; k < int(in[i]&1)*m; k++ {
		sum += in[(i+k)%n] * int32(k)
	}
	out[i] = sum
}

//gocuda:kernel
func lvKept(t *gocuda.Thread, m int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	var acc [4]int32
	var more [7]float32
	for r := 0; r < m; r++ {
		s[tid] = in[i] + int32(r)
		t.SyncThreads()
		for u := 0; u < 4; u++ {
			acc[u] += s[(tid+u)%t.BlockDim.X] * int32(u+1)
		}
		for u := range more {
			if u%2 == 0 || tid > 3 {
				more[u] += float32(s[tid]) * 0.5
			}
		}
		t.SyncThreads()
	}
	out[i] = acc[0] ^ acc[1] ^ acc[2] ^ acc[3] + int32(more[1]-more[6])
}

//gocuda:kernel
func lvSearch(t *gocuda.Thread, m int, in, out []int32) {
	i := t.GlobalX()
	lo, hi := 0, len(in)
	for lo < hi {
		mid := (lo + hi) / 2
		if mid*m < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	v := int64(in[i]) * -12345
	out[i] = int32(lo) + int32(v/16) + int32(v%64)
}

func lvCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, m int, in, out []int32)
	type made = func(m int, in, out []int32) gocuda.Kernel
	for _, k := range []struct {
		name   string
		source kernel
		made   made
	}{
		{"lvFinds", lvFinds, lvFindsKernel}, {"lvCounts", lvCounts, lvCountsKernel}, {"lvPairs", lvPairs, lvPairsKernel},
		{"lvColumns", lvColumns, lvColumnsKernel}, {"lvKept", lvKept, lvKeptKernel}, {"lvSearch", lvSearch, lvSearchKernel},
	} {
		for _, m := range []int{0, 1, 2, 5} {
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d", k.name, m), Configs: linear, Make: func(cfg grid.Config) Instance {
				in, out := data[int32](cfg.Blocks()*cfg.Threads()), make([]int32, cfg.Blocks()*cfg.Threads())
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, m, in, out) }),
					Compiled: k.made(m, in, out),
					Outputs:  []any{out},
				}
			}})
		}
	}
	return cases
}
