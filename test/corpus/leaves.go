//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Helpers that return from within loops, rows of their own length in columns, arrays of a thread's
// own and of the package, and quotients of what memory has.

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

var (
	lvSteps9  = [9]int{0, 1, 0, -1, 0, 1, -1, -1, 1}
	lvWeights = [25]float32{1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1}
	lvTable   = []int32{3, 1, 4, 1, 5, 9, 2, 6}
)

type lvState struct {
	at, by [3]int32
	n      int32
}

// Tables of the package: by the counter of an unrolled loop, by that of another one, and by numbers
// from memory.
//
//gocuda:kernel
func lvTables(t *gocuda.Thread, m int, in, out []int32) {
	i := t.GlobalX()
	n := len(out)
	var sum int32
	var w float32
	for k := 0; k < 9; k++ {
		j := (i - lvSteps9[k] + n) % n
		sum = sum*3 + in[j]*int32([9]int{0, 3, 4, 1, 2, 7, 8, 5, 6}[k])
	}
	for k := 0; k < 25; k++ {
		w += lvWeights[k] * float32(in[(i+k*m)%n]&15)
	}
	out[i] = sum + int32(w) + lvTable[in[i]&7] + lvTable[m%8]
}

// Arrays in arrays and in structs, copied as a whole.
//
//gocuda:kernel
func lvArrays(t *gocuda.Thread, m int, in, out []int32) {
	i := t.GlobalX()
	var a [3][3]int32
	for x := range a {
		for y := range a[x] {
			a[x][y] = in[i]>>x + int32(y*m)
		}
	}
	b := a
	for x := 0; x < 3; x++ {
		for y := 0; y < 3; y++ {
			b[y][x] += a[(x+1)%3][(y+2)%3] * a[(x+2)%3][(y+1)%3]
		}
	}
	s := lvState{at: [3]int32{b[0][1], b[1][2], b[2][0]}, n: int32(m)}
	for r := 0; r < m; r++ {
		for d := 0; d < 3; d++ {
			s.by[d] += s.at[(d+1)%3] & 7
			s.at[d] -= s.by[d]
		}
	}
	var row [17]int32
	for j := range row {
		row[j] = int32(j) * s.n
	}
	for r := 0; r < m; r++ {
		last := row[0]
		row[0] = int32(r + 1)
		for j := 1; j <= 16; j++ {
			v := min(row[j]+1, row[j-1]+in[i]&3, last+int32(j&r))
			last, row[j] = row[j], v
		}
	}
	out[i] = s.at[0] ^ s.at[1]<<3 ^ s.by[2] ^ row[16]<<7 ^ b[2][2]
}

// What is named in a loop with barriers, and used behind them.
//
//gocuda:kernel
func lvNamed(t *gocuda.Thread, m int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	n := len(in)
	var sum int32
	for z := 0; z < 2*m; z += 2 {
		at := tid + z*3
		for k := 0; k < 2; k++ {
			from := (at + k) % n
			s[tid] = in[from] + int32(at)
			t.SyncThreads()
			sum = sum*5 + s[(tid+z)%t.BlockDim.X] - int32(from+k*z)
			t.SyncThreads()
		}
	}
	out[i] = sum
}

// lvBin returns in which of the bins v is, below all of them or above: returns before a loop, in it
// and behind it.
func lvBin(v int32, edges []int32) int {
	if len(edges) == 0 || v < edges[0] {
		if v == -3 {
			return -2
		}
		v++
		if v > 100 {
			return -3
		}
	}
	for k := 1; k < len(edges); k++ {
		if v < edges[k] {
			return k - 1
		}
		if v == edges[k]*2 {
			break
		}
	}
	if v&1 == 1 {
		return len(edges)
	}
	return len(edges) - 1
}

// lvSign returns before its loop in one arm, and goes on in the other.
func lvSign(v int32, edges []int32) int32 {
	if v < 0 {
		return -1
	}
	for k := range edges {
		if v < edges[k] {
			return int32(k)
		}
	}
	return 7
}

//gocuda:kernel
func lvBins(t *gocuda.Thread, m int, in, out []int32) {
	i := t.GlobalX()
	edges := in[:min(m, len(in))]
	out[i] = int32(lvBin(in[i]-in[0], edges))*3 + lvSign(in[i], edges)
}

//gocuda:kernel
func lvSigns(t *gocuda.Thread, m int, in, out []int32) {
	if i := t.GlobalX(); i+m < len(in) {
		out[i] = lvSign(in[i+m]-in[m], in) + 10*lvSign(-in[i], in[m:])
	}
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
		{"lvTables", lvTables, lvTablesKernel}, {"lvArrays", lvArrays, lvArraysKernel}, {"lvNamed", lvNamed, lvNamedKernel},
		{"lvBins", lvBins, lvBinsKernel}, {"lvSigns", lvSigns, lvSignsKernel},
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
