//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// What the compiler puts into another order: checks before stores, reads before loops, and
// assignments behind barriers.

// A store in one branch, and in the other one an index from memory, of a slice that is made in the
// branch.
//
//gocuda:kernel
func odRoutes(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	far := int32(0)
	if unlucky(t, who) {
		far = 1000
	}
	if in[i]%3 == 0 && far == 0 {
		out[i] = 7
		out[i] += in[i]
	} else {
		cell := out[i : i+1]
		cell[in[i]%1+far] -= in[i]
		out[i] += 2 * cell[0]
	}
}

// The same with the index at the end of a loop that both need.
//
//gocuda:kernel
func odCosts(t *gocuda.Thread, in, table []int32, out []float32) {
	i, n := t.GlobalX(), len(in)
	var cost float32
	for k := range 5 {
		d := float32(in[(i+k)%n] - in[k%n])
		cost += d * d
	}
	if cost < 40 {
		out[2*i] = cost
	} else {
		out[2*i+int(table[in[i]&3])] = cost
		out[2*i] -= 1
	}
}

type odAtom struct{ v, x, y, z float32 }

// Boxes of fewer particles than there are threads: loops in strides that begin anew behind each
// barrier, with sums in fields.
//
//gocuda:kernel
func odBoxes(t *gocuda.Thread, boxes int, in []odAtom, out []odAtom) {
	mine, other := gocuda.Shared[odAtom](t, 20), gocuda.Shared[float32](t, 20)
	tx := t.ThreadIdx.X
	w := tx
	first := 20 * t.BlockIdx.X
	for w < 20 {
		mine[w] = in[first+w]
		w += t.BlockDim.X
	}
	w = tx
	t.SyncThreads()
	for k := 0; k < boxes; k++ {
		from := 20 * ((t.BlockIdx.X + k) % boxes)
		for w < 20 {
			other[w] = in[from+w].v
			w += t.BlockDim.X
		}
		w = tx
		t.SyncThreads()
		for w < 20 {
			for j := 0; j < 20; j++ {
				d := mine[w].x - other[j]
				out[first+w].v += mine[w].v * d
				out[first+w].y -= mine[w].z + d
				out[first+w].z = d
			}
			w += t.BlockDim.X
		}
		w = tx
		t.SyncThreads()
	}
}

// Numbers of the thread's own from a generator with large factors.
//
//gocuda:kernel
func odNumbers(t *gocuda.Thread, in []uint32, out []float32) {
	i := t.GlobalX()
	state := in[i] ^ uint32(i)*2654435761
	sum := float32(0)
	for range 4 + i%3 {
		state = state*1664525 + 1013904223
		sum += float32(state>>8) / (1 << 24)
	}
	out[i] = sum + float32(int32(i)*-1640531527>>20)
}

// Running sums along a row, of which slices are made in a branch.
//
//gocuda:kernel
func odRows(t *gocuda.Thread, w int, in, out []float32) {
	y := t.GlobalX()
	if y%7 != 3 {
		in, out = in[y*w:y*w+w], out[y*w:y*w+w]
		s := in[0] * 2
		for x := 0; x < w-1; x++ {
			s += in[x+1]
			s -= in[max(x-2, 0)]
			out[x] = s
		}
		out[w-1] = s
	}
}

// Triangles: inner loops that have no round in the first rounds of outer ones.
//
//gocuda:kernel
func odTriangles(t *gocuda.Thread, in, out []float32) {
	row := t.GlobalX() * 8
	for i := 0; i < 8; i++ {
		v := in[row+i]
		for j := 0; j < i; j++ {
			v -= out[row+j] * in[i*8+j]
		}
		for j := 0; j < i-3; j++ {
			v += out[row+j+2]
		}
		out[row+i] = v / 16
	}
}

// What a variable begins with is looked at before it is the thread's index at all barriers.
//
//gocuda:kernel
func odFirst(t *gocuda.Thread, in, out []int32) {
	cells := gocuda.Shared[int32](t, 64)
	tx, i := t.ThreadIdx.X, t.GlobalX()
	w := int(in[i]) % 5
	in[i] = 7
	out[i] = int32(w) + in[i]
	w = tx
	t.SyncThreads()
	for w < 64 {
		cells[w] = int32(w * w)
		w += t.BlockDim.X
	}
	w = tx
	t.SyncThreads()
	out[i] += cells[63-w%64]
}

// Two loops that both depend on the same one around them, and a read at the largest index that both
// have.
//
//gocuda:kernel
func odBothInner(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	var s float32
	for r := 0; r < 4; r++ {
		for j := 0; j < r; j++ {
			for k := 0; k < r; k++ {
				s += in[(j+k)*len(out)+i]
			}
		}
	}
	out[i] = s
}

// An index from memory that is looked up in a loop without stores, out of range in one thread.
//
//gocuda:kernel
func odLooked(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	q := int(in[i]) % len(in)
	if unlucky(t, who) {
		q = 1 << 28
	}
	var s int32
	for k := 0; k < 3; k++ {
		s += in[q] * int32(k+1)
	}
	out[i] = s
}

var odTable = []int32{1, 0, 1, 1}

var odFailures = []Failure{
	failure("odRoutes", 33, 7, odRoutes, odRoutesKernel, "index out of range"),
	failure("odLooked", 33, 7, odLooked, odLookedKernel, "index out of range"),
	failure("odRoutes", 64, 40, odRoutes, odRoutesKernel, "index out of range"),
}

// odCase is a case with as many elements of the output for each thread as each says.
func odCase[A, B any](name string, each int, input func(n int) []A, source func(*gocuda.Thread, []A, []B), compiled func(blocks int, in []A, out []B) gocuda.Kernel) Case {
	return Case{Name: name, Configs: linear, Make: func(cfg grid.Config) Instance {
		n := cfg.Blocks() * cfg.Threads()
		in, out := input(n), marked[B](each*n)
		return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, in, out) }), Compiled: compiled(cfg.Blocks(), in, out), Outputs: []any{out}}
	}}
}

func odCases() []Case {
	matrix := func(n int) []float32 { return data[float32](8 * max(n, 8)) }
	atoms := func(n int) []odAtom {
		a := make([]odAtom, 20*n)
		for i := range a {
			a[i] = odAtom{float32(i % 5), float32(i % 7), float32(i%11) - 4, float32(i % 3)}
		}
		return a
	}
	return []Case{
		odCase("odCosts", 2, data[int32], func(t *gocuda.Thread, in []int32, out []float32) { odCosts(t, in, odTable, out) },
			func(_ int, in []int32, out []float32) gocuda.Kernel { return odCostsKernel(in, odTable, out) }),
		odCase("odFirst", 1, data[int32], odFirst, func(_ int, in, out []int32) gocuda.Kernel { return odFirstKernel(in, out) }),
		odCase("odBothInner", 1, matrix, odBothInner, func(_ int, in, out []float32) gocuda.Kernel { return odBothInnerKernel(in, out) }),
		odCase("odNumbers", 1, data[uint32], odNumbers, func(_ int, in []uint32, out []float32) gocuda.Kernel { return odNumbersKernel(in, out) }),
		odCase("odTriangles", 8, matrix, odTriangles, func(_ int, in, out []float32) gocuda.Kernel { return odTrianglesKernel(in, out) }),
		odCase("odRows", 8, matrix, func(t *gocuda.Thread, in, out []float32) { odRows(t, 8, in, out) },
			func(_ int, in, out []float32) gocuda.Kernel { return odRowsKernel(8, in, out) }),
		odCase("odBoxes", 20, atoms, func(t *gocuda.Thread, in, out []odAtom) { odBoxes(t, t.GridDim.X, in, out) },
			func(blocks int, in, out []odAtom) gocuda.Kernel { return odBoxesKernel(blocks, in, out) }),
	}
}
