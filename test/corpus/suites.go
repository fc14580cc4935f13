//go:build compiled

package corpus

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels in the manner of benchmark suites: nodes of a tree, which are structs with arrays; points of
// a disk whose places are stored before their pixels are loaded; and hashes, whose helpers rotate by
// a parameter.

// A suNode is a node of a B+ tree.
type suNode struct {
	keys [9]int32
	vals [9]int32
}

// Each block looks in a node of its own, whose number comes from memory, with a thread a key.
//
//gocuda:kernel
func suTree(t *gocuda.Thread, n int, nodes []suNode, in, out []int32) {
	i, key := t.GlobalX(), t.ThreadIdx.X%8
	if i >= n {
		return
	}
	start := in[i] & 63
	if nodes[in[t.BlockIdx.X]&3].keys[key] <= start && nodes[in[t.BlockIdx.X]&3].keys[key+1] > start {
		out[i] = nodes[in[i]&3].vals[key] + 1
	}
}

func suTreeSerial(n int, nodes []suNode, in, out []int32) {
	for i := range n {
		start, key := in[i]&63, i%suBlock%8
		node := nodes[in[i/suBlock]&3]
		if node.keys[key] <= start && node.keys[key+1] > start {
			out[i] = nodes[in[i]&3].vals[key] + 1
		}
	}
}

// suBlock is the number of threads of a block.
const suBlock = 96

// Rows of arrays, of which data choose the row and the column.
//
//gocuda:kernel
func suRows(t *gocuda.Thread, n int, nodes []suNode, in, out []int32) {
	rows := gocuda.Shared[[8]int32](t, suBlock)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	for k := range 8 {
		rows[tid][k] = int32(tid - k)
	}
	t.SyncThreads()
	if i < n {
		w := in[i] & 255
		out[i] = rows[w/8][w%8] + 3*rows[in[i]&31][(tid+1)&7]
	}
}

// A suCell has arrays of arrays.
type suCell struct {
	n int32
	m [4][3]int32
}

//gocuda:kernel
func suCells(t *gocuda.Thread, n int, nodes []suNode, in, out []int32) {
	cells := gocuda.Shared[suCell](t, suBlock)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	for j := range 4 {
		for k := range 3 {
			cells[tid].m[j][k] = int32(100*tid + 10*j + k)
		}
	}
	cells[tid].n = int32(tid)
	t.SyncThreads()
	if i < n {
		c := in[i] & 31
		out[i] = cells[c].m[in[i]>>5&3][in[i]&15%3] - cells[31-c].n
	}
}

// Places are stored, and then pixels are loaded from them.
//
//gocuda:kernel
func suDisk(t *gocuda.Thread, n int, nodes []suNode, in, out []int32) {
	const points = 5
	at := gocuda.Shared[int32](t, suBlock*points)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	if i < n {
		for k := range points {
			p := in[i]&63 + int32(3*k)
			if int(p) >= n {
				p = 0
			}
			at[tid*points+k] = p
		}
		sum := int32(0)
		for k := range points {
			sum = 3*sum + in[at[tid*points+k]]
		}
		out[i] = sum
	}
}

func suDiskSerial(n int, nodes []suNode, in, out []int32) {
	for i := range n {
		for k := range 5 {
			p := int(in[i]&63) + 3*k
			if p >= n {
				p = 0
			}
			out[i] = 3*out[i] + in[p]
		}
	}
}

func suTurn(a, b, x uint32, s uint) uint32 {
	a += (b ^ x) + 0x9e3779b9
	return (a<<s | a>>(32-s)) + b
}

func suTurn64(a uint64, s int) uint64 { return a<<s | a>>(64-s) }

// A hash of several rounds. Its helpers get the numbers of bits as constants.
//
//gocuda:kernel
func suHash(t *gocuda.Thread, n int, nodes []suNode, in, out []int32) {
	i := t.GlobalX()
	if i < n {
		a, b, w := uint32(in[i]), uint32(i), uint64(in[i])
		for k := 0; k < 3+n%2; k++ {
			a = suTurn(a, b, 3, 7)
			b = suTurn(b, a, uint32(k), 12)
			a = suTurn(a, b, 5, 31)
			w = suTurn64(w, 17) ^ suTurn64(w, 5) + uint64(a)
		}
		out[i] = int32(a ^ b ^ uint32(w>>32) ^ uint32(w))
	}
}

func suHashSerial(n int, nodes []suNode, in, out []int32) {
	turn := func(a, b, x uint32, s int) uint32 { return bits.RotateLeft32(a+(b^x)+0x9e3779b9, s) + b }
	for i := range n {
		a, b, w := uint32(in[i]), uint32(i), uint64(in[i])
		for k := range 3 + n%2 {
			a = turn(a, b, 3, 7)
			b = turn(b, a, uint32(k), 12)
			a = turn(a, b, 5, 31)
			w = bits.RotateLeft64(w, 17) ^ bits.RotateLeft64(w, 5) + uint64(a)
		}
		out[i] = int32(a ^ b ^ uint32(w>>32) ^ uint32(w))
	}
}

// A suPoint is an element of an array that a thread has of its own.
type suPoint struct {
	x, y int32
	odd  float32
}

func suTurned(p suPoint) suPoint { return suPoint{-p.y, p.x, 1 - p.odd} }

func suButterflies(a *[4]suPoint) {
	for j := 1; j < 4; j++ {
		a[j] = suTurned(a[j])
	}
	a[0], a[2] = suPoint{x: a[0].x + a[2].x, y: a[0].y + a[2].y}, suPoint{a[0].x - a[2].x, a[0].y - a[2].y, 1}
	a[1] = suPoint{a[1].y, a[1].x, a[3].odd}
}

// Points in an array of the thread's own, which live across barriers, as in a Fourier transform.
//
//gocuda:kernel
func suPoints(t *gocuda.Thread, n int, nodes []suNode, in, out []int32) {
	s := gocuda.Shared[int32](t, 4*suBlock)
	all := gocuda.Shared[suPoint](t, suBlock)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	var data [4]suPoint
	var mine int32
	if i < n {
		mine = in[i]
	}
	all[tid] = suPoint{mine, int32(tid), float32(mine & 1)}
	t.SyncThreads()
	for k := 0; k < 4; k++ {
		data[k] = all[(tid+k)%suBlock]
		data[k].x += int32(k)
	}
	suButterflies(&data)
	for k := 0; k < 4; k++ {
		s[k*suBlock+tid] = data[k].x
	}
	t.SyncThreads()
	for k := 0; k < 4; k++ {
		data[k].x = s[k*suBlock+(tid^k)]
	}
	if mine > 100 {
		data[3] = data[1]
	}
	suButterflies(&data)
	sum := int32(0)
	for k := 0; k < 4; k++ {
		sum = 5*sum + 3*data[k].x - data[k].y
		if data[k].odd > 0.5 {
			sum++
		}
	}
	all[tid] = data[2]
	if i < n {
		out[i] = sum + all[tid].x
	}
}

// Sums down the columns of a matrix of five rows, each of which is stored.
//
//gocuda:kernel
func suColumns(t *gocuda.Thread, n int, nodes []suNode, in, out []int32) {
	w, i := n/5, t.GlobalX()
	if i < w {
		sum := int32(0)
		for k := 0; k < 5; k++ {
			sum += in[k*w+i]
			out[k*w+i] = sum
		}
	}
}

func suColumnsSerial(n int, nodes []suNode, in, out []int32) {
	w := n / 5
	for i := range 5 * w {
		out[i] = in[i]
		if i >= w {
			out[i] += out[i-w]
		}
	}
}

func suCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n int, nodes []suNode, in, out []int32)
	for _, k := range []struct {
		name     string
		source   kernel
		compiled func(n int, nodes []suNode, in, out []int32) gocuda.Kernel
		serial   func(n int, nodes []suNode, in, out []int32)
	}{
		{"suTree", suTree, suTreeKernel, suTreeSerial},
		{"suRows", suRows, suRowsKernel, nil},
		{"suCells", suCells, suCellsKernel, nil},
		{"suDisk", suDisk, suDiskKernel, suDiskSerial},
		{"suHash", suHash, suHashKernel, suHashSerial},
		{"suPoints", suPoints, suPointsKernel, nil},
		{"suColumns", suColumns, suColumnsKernel, suColumnsSerial},
	} {
		for _, n := range []int{1, 77, 96, 500, 1001, 7003} {
			cfg := grid.Linear(n, suBlock)
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d", k.name, n), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				nodes, in, out := make([]suNode, 4), make([]int32, n), make([]int32, n)
				for i := range in {
					in[i] = int32(uint32(i+1) * 2654435761 >> 20)
				}
				for i := range nodes {
					for j := range nodes[i].keys {
						nodes[i].keys[j], nodes[i].vals[j] = int32(8*j-i), int32(100*i+j)
					}
				}
				made := Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, n, nodes, in, out) }),
					Compiled: k.compiled(n, nodes, in, out),
					Outputs:  []any{out},
				}
				if k.serial != nil {
					made.Want = func() []any {
						out := make([]int32, n)
						k.serial(n, nodes, in, out)
						return []any{out}
					}
				}
				return made
			}})
		}
	}
	return cases
}

// One thread takes a column that the arrays don't have.
//
//gocuda:kernel
func failColumn(t *gocuda.Thread, who int, in, out []int32) {
	rows := gocuda.Shared[[8]int32](t, 4)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	if tid < 4 {
		for k := range 8 {
			rows[tid][k] = int32(tid + k)
		}
	}
	t.SyncThreads()
	column := in[i] & 7
	if unlucky(t, who) {
		column += 8
	}
	out[i] = rows[in[i]&3][column]
}

// One thread has stored a place that does not exist before it loads from there.
//
//gocuda:kernel
func failDisk(t *gocuda.Thread, who int, in, out []int32) {
	at := gocuda.Shared[int32](t, 1024)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	p := in[i] % int32(len(in))
	if unlucky(t, who) {
		p = int32(len(in)) + 3
	}
	at[tid] = p
	sum := int32(0)
	for k := range 2 {
		sum += in[at[tid]] + int32(k)
	}
	out[i] = sum
}
