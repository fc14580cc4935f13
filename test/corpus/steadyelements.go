//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Elements that all threads of a row have in common and that are places or limits: rows of a table,
// parts of an array, segments.

// A row of a table for each block along y.
//
//gocuda:kernel
func seRows(t *gocuda.Thread, n int, at []int32, limits []uint16, table, out []float32, marks []int32) {
	c, y := int32(t.GlobalX()), int32(t.BlockIdx.Y)
	if int(c) < n {
		out[y*int32(n)+c] = table[at[y]*int32(n)+c] + table[c]
		marks[y*int32(n)+c] = int32(limits[y])
	}
}

// A part for each block, with a loop up to a limit that is loaded, too, and a place that only some
// blocks have.
//
//gocuda:kernel
func seParts(t *gocuda.Thread, n int, at []int32, limits []uint16, table, out []float32, marks []int32) {
	b := t.GridDim.Linear(t.BlockIdx)
	tid := t.ThreadIdx.X
	first := int(at[b]) * 8
	sum := float32(0)
	for k := 0; k < int(limits[b]); k++ {
		sum += table[first+tid%8] * float32(k)
	}
	if b%3 == 1 {
		sum += table[int(at[b*1000%4000])+tid%8]
	}
	i := b*t.BlockDim.X + tid
	out[i] = sum
	if tid < int(limits[b]) {
		out[i] -= table[first]
	}
}

// What the region stores itself: the element is another one for later threads.
//
//gocuda:kernel
func seStored(t *gocuda.Thread, n int, at []int32, limits []uint16, table, out []float32, marks []int32) {
	b := t.GridDim.Linear(t.BlockIdx)
	i := b*t.BlockDim.X + t.ThreadIdx.X
	base := at[b%7]
	marks[i] = base
	out[i] = table[base]
	if t.ThreadIdx.X == 3 {
		at[b+8] = at[b%7] * 2
	}
}

func seCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n int, at []int32, limits []uint16, table, out []float32, marks []int32)
	type maker = func(n int, at []int32, limits []uint16, table, out []float32, marks []int32) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{{"seRows", seRows, seRowsKernel}, {"seParts", seParts, sePartsKernel}, {"seStored", seStored, seStoredKernel}} {
		for _, s := range []struct{ n, block, down int }{{100, 64, 5}, {64, 32, 3}, {500, 128, 4}, {7, 32, 6}} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.n + s.block - 1) / s.block, Y: s.down}, Block: grid.Dim3{X: s.block}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d, blocks of %d", k.name, s.n, s.block), Configs: []grid.Config{cfg}, Make: func(cfg grid.Config) Instance {
				size := cfg.Blocks() * cfg.Threads()
				at, limits := make([]int32, 4000), make([]uint16, 100)
				table, out, marks := make([]float32, 10*s.n+1000), make([]float32, size), make([]int32, size)
				for i := range at {
					at[i] = int32(i * 7 % 10)
				}
				for i := range limits {
					limits[i] = uint16(i * 5 % 12)
				}
				for i := range table {
					table[i] = float32(i*i%83) - 11
				}
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.n, at, limits, table, out, marks) }),
					Compiled: k.compiled(s.n, at, limits, table, out, marks),
					Outputs:  []any{out, marks, at},
				}
			}})
		}
	}
	return cases
}

// An element that all threads would read, and that only one comes to: it is not there.
//
//gocuda:kernel
func failSteady(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	s := gocuda.Shared[float32](t, 8)
	if i < 8 {
		s[i] = 1
	}
	t.SyncThreads()
	v := s[3]
	if t.ThreadIdx.X == who {
		v = float32(in[t.BlockIdx.X%2*200])
	}
	out[i] = int32(v)
}
