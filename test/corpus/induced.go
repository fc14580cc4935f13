//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Counters of 32 bits in loops that threads leave one by one: their limit keeps them from wrapping
// around.

// A word in a text: how much of it is at each place.
//
//gocuda:kernel
func idSearch(t *gocuda.Thread, n, m int32, in, other []int32, text []uint8, out, more []int32) {
	i := int32(t.GlobalX())
	if i+m > n {
		return
	}
	ok := int32(1)
	for j := int32(0); j < m; j++ {
		if text[i+j]&3 != text[j]&3 {
			ok = -j
			break
		}
	}
	out[i] = ok
}

// The first row of a matrix that has a number above a limit in this column; the counter is read
// behind the loop.
//
//gocuda:kernel
func idFirstRow(t *gocuda.Thread, n, m int32, in, other []int32, text []uint8, out, more []int32) {
	col := int32(t.GlobalX())
	if col >= n {
		return
	}
	var row, seen int32
	for row = 0; row < m; row++ {
		v := in[row*n+col]
		if v > 40 {
			break
		}
		seen += v
	}
	out[col], more[col] = row, seen
}

// Steps down a table, while something is left: two conditions, a while loop, and a counter without
// a sign.
//
//gocuda:kernel
func idStairs(t *gocuda.Thread, n, m int32, in, other []int32, text []uint8, out, more []int32) {
	i := int32(t.GlobalX())
	if i >= n {
		return
	}
	left, s := in[i], int32(0)
	for s < m && left > 0 {
		left -= other[s] & 7
		s++
	}
	for u := uint32(0); u < uint32(m) && left < 100; u++ {
		at := u + uint32(i)
		left += int32(text[at%uint32(n)]) + int32(u)
	}
	out[i], more[i] = s, left
}

// The nearest neighbour within a window, row by row, until one is near enough: a loop in another.
//
//gocuda:kernel
func idWindow(t *gocuda.Thread, n, m int32, in, other []int32, text []uint8, out, more []int32) {
	i := int32(t.GlobalX())
	if i >= n-m {
		return
	}
	best, where := int32(1<<30), int32(-1)
	for y := int32(0); y < m && best > 2; y++ {
		base := y * n
		for x := int32(0); x < m; x++ {
			k := base + x
			d := in[k+i] - other[i]
			if d < 0 {
				d = -d
			}
			if d < best {
				best, where = d, x+y*m
			}
			if best == 0 {
				break
			}
		}
	}
	out[i], more[i] = best, where
}

// Limits that a number of 32 bits just has: the loops end by what they find.
//
//gocuda:kernel
func idFar(t *gocuda.Thread, n, m int32, in, other []int32, text []uint8, out, more []int32) {
	i := int32(t.GlobalX())
	if i >= n {
		return
	}
	const most = 1<<31 - 1
	j := int32(most - 5)
	for ; j < most; j++ {
		if j&7 == in[i]&7 {
			break
		}
	}
	out[i] = j
	k := int32(-1 << 31)
	for ; k < most && k+(1<<30) < in[i]-(1<<30); k++ {
	}
	more[i] = k
}

// Limits that are the low bits of an int: it is not what it was converted from.
//
//gocuda:kernel
func idCast(t *gocuda.Thread, n, m int32, in, other []int32, text []uint8, out, more []int32) {
	i := int32(t.GlobalX())
	if i >= n {
		return
	}
	far := int(m) - int(n)*65536*65536
	sum := int32(0)
	for j := int32(0); j < int32(far); j++ {
		v := in[j*n+i]
		if v > 50 {
			break
		}
		sum += v
	}
	for j := 0; j < int(int32(far)); j++ {
		sum += 100 * other[j]
	}
	out[i] = sum
	sum = 0
	for u := uint32(0); u < uint32(far); u++ {
		if other[u] > 30 {
			break
		}
		sum += other[u]
	}
	more[i] = sum
}

func idCastSerial(n, m int, in []int32, text []uint8, out, more []int32) {
	other := make([]int32, n)
	for i := range other {
		other[i] = int32(i * i % 61)
	}
	for i := range n {
		for j := 0; j < m && in[j*n+i] <= 50; j++ {
			out[i] += in[j*n+i]
		}
		for _, v := range other[:m] {
			out[i] += 100 * v
		}
		for j := 0; j < m && other[j] <= 30; j++ {
			more[i] += other[j]
		}
	}
}

// Loops whose counters are moved otherwise, too, or begin at what has been loaded: left as they are.
//
//gocuda:kernel
func idMoved(t *gocuda.Thread, n, m int32, in, other []int32, text []uint8, out, more []int32) {
	i := int32(t.GlobalX())
	if i >= n {
		return
	}
	sum := int32(0)
	for j := int32(0); j < m; j++ {
		if text[j]&1 == 0 {
			continue
		}
		if in[i] > 50 && sum > 9 {
			break
		}
		if in[i]&1 == 1 {
			j++
		}
		sum += j
	}
	for j := in[i] & 7; j < m; j++ {
		if other[j] < sum {
			break
		}
		sum -= j
	}
	for j := int32(0); j < m; j += 3 {
		if sum += j; sum > 60 {
			break
		}
	}
	for j := int32(0); j <= m; j++ {
		if sum -= j; sum < 0 {
			break
		}
	}
	out[i] = sum
}

func idSearchSerial(n, m int, in []int32, text []uint8, out, _ []int32) {
	for i := 0; i+m <= n && i < n; i++ {
		same := 0
		for same < m && (text[i+same]^text[same])&3 == 0 {
			same++
		}
		if out[i] = 1; same < m {
			out[i] = -int32(same)
		}
	}
}

func idFirstRowSerial(n, m int, in []int32, text []uint8, out, more []int32) {
	for col := range n {
		for row := 0; row < m && in[row*n+col] <= 40; row++ {
			out[col]++
			more[col] += in[row*n+col]
		}
	}
}

func idFarSerial(n, m int, in []int32, text []uint8, out, more []int32) {
	for i := range n {
		out[i] = 1<<31 - 1 // where no number from 2^31-6 on is the same modulo 8
		for j := 1<<31 - 2; j >= 1<<31-6; j-- {
			if j%8 == int(in[i])%8 {
				out[i] = int32(j)
			}
		}
		more[i] = -1<<31 + in[i]
	}
}

func idCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n, m int32, in, other []int32, text []uint8, out, more []int32)
	type maker = func(n, m int32, in, other []int32, text []uint8, out, more []int32) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
		serial   func(n, m int, in []int32, text []uint8, out, more []int32)
	}{
		{"idSearch", idSearch, idSearchKernel, idSearchSerial},
		{"idFirstRow", idFirstRow, idFirstRowKernel, idFirstRowSerial},
		{"idStairs", idStairs, idStairsKernel, nil},
		{"idWindow", idWindow, idWindowKernel, nil},
		{"idFar", idFar, idFarKernel, idFarSerial},
		{"idCast", idCast, idCastKernel, idCastSerial},
		{"idMoved", idMoved, idMovedKernel, nil},
	} {
		for _, s := range []struct{ n, m, block int }{{1000, 12, 128}, {77, 1, 64}, {300, 20, 256}, {64, 0, 32}} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.n + s.block - 1) / s.block}, Block: grid.Dim3{X: s.block}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d and %d, blocks of %d", k.name, s.n, s.m, s.block), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				in, other, text := make([]int32, s.n*(s.m+1)), make([]int32, s.n), make([]uint8, s.n)
				out, more := make([]int32, s.n), make([]int32, s.n)
				for i := range in {
					in[i] = int32(uint32(i+1) * 2654435761 >> 9 % 64)
				}
				for i := range other {
					other[i], text[i] = int32(i*i%61), uint8(i*i/5)
				}
				made := Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, int32(s.n), int32(s.m), in, other, text, out, more) }),
					Compiled: k.compiled(int32(s.n), int32(s.m), in, other, text, out, more),
					Outputs:  []any{out, more},
				}
				if k.serial != nil {
					made.Want = func() []any {
						out, more := make([]int32, s.n), make([]int32, s.n)
						k.serial(s.n, s.m, in, text, out, more)
						return []any{out, more}
					}
				}
				return made
			}})
		}
	}
	return cases
}

// A thread whose row is shorter: it panics in the round in which the others go on.
//
//gocuda:kernel
func failInduced(t *gocuda.Thread, who int, in, out []int32) {
	i := int32(t.GlobalX())
	base := int32(0)
	if unlucky(t, who) {
		base = int32(len(in)) - 3
	}
	j := int32(0)
	for ; j < 9; j++ {
		if in[base+j] == -1 {
			break
		}
	}
	out[i] = j
}
