//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Floats that become an int and then something small: levels of a picture, places in a table, bins.
// Some of them have no int, or a large one.

//gocuda:kernel
func qtBytes(t *gocuda.Thread, n int, a, table []float32, out []int32, levels []byte) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := int(a[i]*255 + 0.5)
	if v > 255 {
		v = 255
	} else if v < 0 {
		v = 0
	}
	levels[i] = uint8(v)
	out[i] = int32(byte(int(a[i] * 3)))
}

//gocuda:kernel
func qtClamped(t *gocuda.Thread, n int, a, table []float32, out []int32, levels []byte) {
	i := t.GlobalX()
	if i < n {
		levels[i] = byte(min(max(int(a[i]*100), 0), 200))
		k := int(a[i])
		if k < -3 {
			k = -k
		}
		k = min(k, 900)
		out[i] = int32(k*2 - 1)
	}
}

// Between two elements of a table.
//
//gocuda:kernel
func qtTable(t *gocuda.Thread, n int, a, table []float32, out []int32, levels []byte) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	at := a[i] * 0.5
	if !(at >= 0 && at < float32(len(table)-1)) {
		out[i] = -1
		return
	}
	k := int(at)
	f := at - float32(k)
	out[i] = int32((table[k]*(1-f) + table[k+1]*f) * 1000)
}

// In a loop that stores before the next one converts.
//
//gocuda:kernel
func qtRounds(t *gocuda.Thread, n int, a, table []float32, out []int32, levels []byte) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	for r := range 3 {
		v := int(a[(i+r)%n] * 7)
		levels[i] += byte(v)
		out[i] += int32(v & 1023)
	}
	sum := 0
	for j := range 20 {
		sum += int(a[i]) - j
	}
	out[i] ^= int32(sum)
}

func qtCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n int, a, table []float32, out []int32, levels []byte)
	type maker = func(n int, a, table []float32, out []int32, levels []byte) gocuda.Kernel
	large := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1 << 29, -1 << 29, 1<<29 - 32, 3e9, -3e9, 1 << 31, -1 << 31, 1e18, -1e19, 1e30, 1 << 62}
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{{"qtBytes", qtBytes, qtBytesKernel}, {"qtClamped", qtClamped, qtClampedKernel}, {"qtTable", qtTable, qtTableKernel}, {"qtRounds", qtRounds, qtRoundsKernel}} {
		for _, s := range []struct{ n, block, every int }{{1000, 128, 0}, {77, 64, 0}, {512, 256, 5}, {300, 64, 97}, {64, 32, 1}} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.n + s.block - 1) / s.block}, Block: grid.Dim3{X: s.block}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d, blocks of %d, %d", k.name, s.n, s.block, s.every), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				a, table, out, levels := make([]float32, s.n), make([]float32, 50), make([]int32, s.n), make([]byte, s.n)
				for i := range a {
					a[i] = float32(i*i%290)/35 - 1.5
					if s.every > 0 && i%s.every == s.every-1 {
						a[i] = large[i/s.every%len(large)]
					}
				}
				for i := range table {
					table[i] = float32(i*i%17) / 4
				}
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.n, a, table, out, levels) }),
					Compiled: k.compiled(s.n, a, table, out, levels),
					Outputs:  []any{out, levels},
				}
			}})
		}
	}
	return cases
}
