//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels that count and sum with atomic operations in global memory, in few or many elements, and
// with other slices that may have the same memory.

// A number that each thread makes from its index.
func tyHash(i int) uint32 {
	s := uint32(i)*747796405 + 2891336453
	s ^= s >> 16
	s *= 0x7feb352d
	return s ^ s>>15
}

// Points in a circle are counted, and all points.
//
//gocuda:kernel
func tyCircle(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := tyHash(i)
	x, y := int32(s&1023), int32(s>>10&1023)
	if x*x+y*y < 1<<20 {
		atomic.Add(&out[0], 1)
	}
	atomic.Sub(&out[1], x)
}

func tyCircleSerial(n int, in, out []int32) {
	for i := range n {
		s := tyHash(i)
		x, y := int32(s&1023), int32(s>>10&1023)
		if x*x+y*y < 1<<20 {
			out[0]++
		}
		out[1] -= x
	}
}

// A histogram, whose length says how wide its classes are.
//
//gocuda:kernel
func tyClasses(t *gocuda.Thread, n int, in, out []int32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		atomic.Add(&out[int(in[i])*len(out)>>12], in[i]&3+1)
	}
}

func tyClassesSerial(n int, in, out []int32) {
	for _, v := range in[:n] {
		out[int(v)*len(out)>>12] += v&3 + 1
	}
}

// Sums of blocks, in shared memory, and of all of them; with a barrier that some threads leave.
//
//gocuda:kernel
func tyBlocks(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 8)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	if tid < 8 {
		s[tid] = 0
	}
	t.SyncThreads()
	if i < n {
		atomic.Add(&s[in[i]&7], int32(i))
	}
	t.SyncThreads()
	if tid < min(8, len(out)) {
		atomic.Add(&out[tid], s[tid])
	}
}

func tyBlocksSerial(n int, in, out []int32) {
	for i, v := range in[:n] {
		if at := int(v & 7); at < len(out) {
			out[at] += int32(i)
		}
	}
}

// Threads see what they have added, in a slice that has the elements of the other one.
//
//gocuda:kernel
func tySeen(t *gocuda.Thread, n int, in, out []int32, same []int32) {
	if t.GlobalX() != 0 {
		return
	}
	for i := range n {
		atomic.Add(&out[i%2], in[i]&1)
	}
	if same[0]+same[1] > 3 {
		atomic.Add(&out[0], 1000)
	}
}

func tySeenSerial(n int, in, out []int32) {
	for i, v := range in[:n] {
		out[i%2] += v & 1
	}
	if out[0]+out[1] > 3 {
		out[0] += 1000
	}
}

// The same through rows of four numbers, of which the first has the sums.
//
//gocuda:kernel
func tyRow(t *gocuda.Thread, n int, in, out []int32, same [][4]int32) {
	if t.GlobalX() != 0 {
		return
	}
	for i := range n {
		atomic.Add(&out[i%2], in[i]&1)
	}
	if row := same[0]; row[0]+row[1] > 3 {
		atomic.Add(&out[0], 1000)
	}
}

// failSums has a thread that adds to an element which does not exist.
//
//gocuda:kernel
func failSums(t *gocuda.Thread, who int, in, out []int32) {
	at := t.GlobalX() & 7
	if unlucky(t, who) {
		at = 40
	}
	atomic.Add(&out[at], in[t.GlobalX()])
}

func tallyFailures() []Failure {
	return []Failure{failure("failSums", 64, 37,
		func(t *gocuda.Thread, who int, in, out []int32) { failSums(t, who, in, out[:16]) },
		func(who int, in, out []int32) gocuda.Kernel { return failSumsKernel(who, in, out[:16]) }, "index out of range [40] with length 16")}
}

func tallyCases() (cases []Case) {
	for _, k := range []struct {
		name     string
		source   func(t *gocuda.Thread, n int, in, out []int32)
		compiled func(n int, in, out []int32) gocuda.Kernel
		serial   func(n int, in, out []int32)
	}{
		{"tyCircle", tyCircle, tyCircleKernel, tyCircleSerial},
		{"tyClasses", tyClasses, tyClassesKernel, tyClassesSerial},
		{"tyBlocks", tyBlocks, tyBlocksKernel, tyBlocksSerial},
		{"tySeen", func(t *gocuda.Thread, n int, in, out []int32) { tySeen(t, n, in, out, out) },
			func(n int, in, out []int32) gocuda.Kernel { return tySeenKernel(n, in, out, out) }, tySeenSerial},
	} {
		for _, n := range []int{1, 77, 3000} {
			for _, many := range []int{2, 10, 256, 3000} {
				for _, blocks := range []int{(n + 31) / 32, 5} {
					if k.name != "tyClasses" && blocks*32 < n {
						continue
					}
					cfg := grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: 32}}
					cases = append(cases, onNumbers(fmt.Sprintf("%s of %d in %d by %d blocks", k.name, n, many, blocks), cfg, n, many,
						func(t *gocuda.Thread, in, out []int32) { k.source(t, n, in, out) },
						func(in, out []int32) gocuda.Kernel { return k.compiled(n, in, out) },
						func(in, out []int32) { k.serial(n, in, out) }))
				}
			}
		}
	}
	cfg := grid.Config{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 32}}
	return append(cases, Case{Name: "tyRow", Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
		in, rows := []int32{1, 3, 2, 5, 7, 9}, make([][4]int32, 1)
		out := rows[0][:]
		return Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { tyRow(t, len(in), in, out, rows) }),
			Compiled: tyRowKernel(len(in), in, out, rows),
			Outputs:  []any{out},
			Want: func() []any {
				out := make([]int32, 4)
				tySeenSerial(len(in), in, out)
				return []any{out}
			},
		}
	}})
}
