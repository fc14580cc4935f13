//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels for whole blocks at a time, for lines and for rows that are funcs of their own.

// planeConfigs have rows of whole vectors, several and one, and rows that are none.
var planeConfigs = []grid.Config{
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 8}},
	{Grid: grid.Dim3{X: 1, Y: 2}, Block: grid.Dim3{X: 32, Y: 12}},
	{Grid: grid.Dim3{X: 1, Y: 3}, Block: grid.Dim3{X: 16, Y: 3}},
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 20, Y: 6}},
	{Grid: grid.Dim3{X: 1, Y: 2}, Block: grid.Dim3{X: 8, Y: 8}},
}

// One row, neither the first two nor the last, reads elsewhere.
//
//gocuda:kernel
func plOneRow(t *gocuda.Thread, which, off int, in, out []float32) {
	i := t.GlobalY()*32 + t.ThreadIdx.X
	if t.ThreadIdx.Y == which {
		out[i] = in[i+off]
	} else {
		out[i] = in[i] * 2
	}
}

// One row in four writes elsewhere.
//
//gocuda:kernel
func plSomeRows(t *gocuda.Thread, off int, in, out []float32) {
	i := t.GlobalY()*32 + t.ThreadIdx.X
	if t.ThreadIdx.Y&3 != 2 {
		out[i] = in[i]
	} else {
		out[i+off] = in[i] * 2
	}
}

type plLimits struct {
	row, ty, tz, lo, hi int
	m                   float32
}

// Fields that are called as what the printer calls rows.
//
//gocuda:kernel
func plFields(t *gocuda.Thread, p plLimits, in, out []float32) {
	s := gocuda.Shared[float32](t, 512)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	s[ty*32+tx] = 1
	t.SyncThreads()
	if tx < p.hi && ty+p.tz < p.row && p.lo > 0 && ty < p.ty {
		out[t.GlobalY()*32+tx] = in[ty*32+tx]*p.m + s[ty*32+tx]
	}
}

// Guards that are linear in threadIdx.y, by int64 and by sums that wrap around.
//
//gocuda:kernel
func plWraps(t *gocuda.Thread, a, b int64, c uint, d int, in, out []float32) {
	s := gocuda.Shared[float32](t, 512)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	s[ty*32+tx] = 1
	t.SyncThreads()
	if int64(ty)*5+a <= b && int(uint(ty)-c) < d {
		out[t.GlobalY()*32+tx] = in[tx] + s[ty*32+tx]
	}
}

// A condition of the block in a loop that threads go through together: what is read under it may
// not exist.
//
//gocuda:kernel
func plNever(t *gocuda.Thread, n, off int, in, out []float32) {
	var s float32
	for k := 0; k < n; k++ {
		if t.BlockIdx.Y == 77 {
			s += in[t.ThreadIdx.X+off]
		}
		s += in[k+t.ThreadIdx.X]
	}
	out[t.GlobalY()*32+t.ThreadIdx.X] = s
}

// Another name for a slice, declared in a loop.
//
//gocuda:kernel
func plOtherName(t *gocuda.Thread, n int, in, out []float32) {
	var s float32
	for range n {
		z := in
		for i := range 5 {
			s += z[i] * in[t.ThreadIdx.X]
		}
	}
	out[t.GlobalY()*32+t.ThreadIdx.X] = s
}

// Names that end as those of the printer do.
//
//gocuda:kernel
func plNameEnds(t *gocuda.Thread, subblockX int, in, out []float32) {
	n := int(in[t.ThreadIdx.X]) & 7
	var s float32
	for k := range n {
		s += in[k] + float32(subblockX*t.BlockDim.X)
	}
	out[t.GlobalY()*32+t.ThreadIdx.X] = s
}

// Lines with limits of zero and less, of which the base is nowhere, with counters twice and in steps.
//
//gocuda:kernel
func plLines(t *gocuda.Thread, n, off int, in, out []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	var s float32
	for i := 0; i < n; i++ {
		b := off * 2
		c := b + i
		s += in[b+i]*in[i*32+tx] + in[c] + in[i+i] + in[c+i] + in[2*i+off] + in[off+1+i] + in[i+(off-1)]
	}
	for i := 0; i < n; i += 3 {
		s += in[off+i] * in[i*32+tx]
	}
	for j := range n {
		for i := range j {
			s += in[off+i]*in[i*32+tx] + in[j*32+i] + in[j+i]
		}
	}
	out[t.GlobalY()*32+tx] = s + float32(ty)
}

// Loops of a known number of rounds that add to four sums and more, with indices that grow in all ways.
//
//gocuda:kernel
func plSums(t *gocuda.Thread, off int, in, out []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	var a, b, c, d, e float32
	for i := range 16 {
		v := in[off+i]
		a += v * in[i*32+tx]
		b -= in[(i+off)*2-1] * in[(tx+i)*3+off]
		c += in[15-i+tx] * v
		d += in[i+i+off]
		e += float32(i) * in[off]
	}
	for i := 0; i < 24; i += 3 {
		j := i*2 + tx
		a += in[j+1] * in[off+i]
		c -= in[i+off+tx]
	}
	for i := range 12 {
		d += in[off+i*5] * in[tx+i*5]
		e = e + in[tx+(i+2)*off]
	}
	for i := range 6 {
		a += in[i+tx]
		b += in[i*off]
		c += in[i]
		d -= in[tx]
	}
	out[t.GlobalY()*32+tx] = a + b*c - d/e + float32(ty)
}

// planeCase is a case of a kernel that gets 800 elements, in the middle of others, to read and room
// for all rows.
func planeCase(name string, source func(t *gocuda.Thread, in, out []float32), compiled func(in, out []float32) gocuda.Kernel) Case {
	return made(name, planeConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, all := data[float32](800), marked[float32](3000)
		out := all[1000:1800:1800]
		return func(t *gocuda.Thread) { source(t, in, out) }, compiled(in, out), []any{all}
	}, nil)
}

func planeCases() (cases []Case) {
	const least, most = -1 << 63, 1<<63 - 1
	for _, n := range []int{0, 5, 9} {
		cases = append(cases, planeCase(fmt.Sprint("plOneRow ", n), func(t *gocuda.Thread, in, out []float32) { plOneRow(t, 99, 5000, in, out) },
			func(in, out []float32) gocuda.Kernel { return plOneRowKernel(99, 5000, in, out) }))
		p := plLimits{row: n + 3, ty: 9 - n, tz: n / 5, lo: n, hi: 2*n + 3, m: 3}
		cases = append(cases, planeCase(fmt.Sprint("plFields ", n), func(t *gocuda.Thread, in, out []float32) { plFields(t, p, in, out) },
			func(in, out []float32) gocuda.Kernel { return plFieldsKernel(p, in, out) }))
		cases = append(cases, planeCase(fmt.Sprint("plNever ", n), func(t *gocuda.Thread, in, out []float32) { plNever(t, n, 5000, in, out) },
			func(in, out []float32) gocuda.Kernel { return plNeverKernel(n, 5000, in, out) }))
		cases = append(cases, planeCase(fmt.Sprint("plOtherName ", n), func(t *gocuda.Thread, in, out []float32) { plOtherName(t, n, in, out) },
			func(in, out []float32) gocuda.Kernel { return plOtherNameKernel(n, in, out) }))
		cases = append(cases, planeCase(fmt.Sprint("plNameEnds ", n), func(t *gocuda.Thread, in, out []float32) { plNameEnds(t, n, in, out) },
			func(in, out []float32) gocuda.Kernel { return plNameEndsKernel(n, in, out) }))
	}
	for _, a := range []int64{least, least + 9, -5, 0, most - 20, most - 3, most} {
		for _, b := range []int64{least + 3, 0, 12, most} {
			cases = append(cases, planeCase(fmt.Sprint("plWraps ", a, " ", b), func(t *gocuda.Thread, in, out []float32) { plWraps(t, a, b, uint(-b), 9, in, out) },
				func(in, out []float32) gocuda.Kernel { return plWrapsKernel(a, b, uint(-b), 9, in, out) }))
		}
	}
	for _, c := range [][2]int{{0, 7000}, {-4, 7000}, {least, -7000}, {0, 0}, {5, 1}, {12, 40}} {
		cases = append(cases, planeCase(fmt.Sprint("plLines ", c), func(t *gocuda.Thread, in, out []float32) { plLines(t, c[0], c[1], in, out) },
			func(in, out []float32) gocuda.Kernel { return plLinesKernel(c[0], c[1], in, out) }))
	}
	for _, off := range []int{1, 17, 48} {
		cases = append(cases, planeCase(fmt.Sprint("plSums ", off), func(t *gocuda.Thread, in, out []float32) { plSums(t, off, in, out) },
			func(in, out []float32) gocuda.Kernel { return plSumsKernel(off, in, out) }))
	}
	return cases
}

// planeFailure is a kernel whose row 5 or 2 fails, in a block of 8 rows.
func planeFailure(name, text string, thread grid.Dim3, source func(t *gocuda.Thread, in, out []float32), compiled func(in, out []float32) gocuda.Kernel) Failure {
	return Failure{Name: name, Config: planeConfigs[0], Thread: thread, Text: text, Make: func(cfg grid.Config) Instance {
		in, all := data[float32](800), marked[float32](3000)
		out := all[1000:1800:1800]
		return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, in, out) }), Compiled: compiled(in, out), Outputs: []any{all}}
	}}
}

// The last row writes outside, and shares what it reads with the three before it.
//
//gocuda:kernel
func plRanks(t *gocuda.Thread, off int, in, out []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	acc := float32(0)
	for i := 0; i < 16; i++ {
		acc += in[ty*16+i] * in[i*16+tx]
	}
	out[t.Rank()+off] = acc
}

var planeFailures = []Failure{
	planeFailure("plRanks", "index out of range [800] with length 800", grid.Dim3{X: 15, Y: 7},
		func(t *gocuda.Thread, in, out []float32) { plRanks(t, 800-127, in, out) },
		func(in, out []float32) gocuda.Kernel { return plRanksKernel(800-127, in, out) }),
	planeFailure("plOneRow", "index out of range [800] with length 800", grid.Dim3{X: 15, Y: 5},
		func(t *gocuda.Thread, in, out []float32) { plOneRow(t, 5, 800-5*32-15, in, out) },
		func(in, out []float32) gocuda.Kernel { return plOneRowKernel(5, 800-5*32-15, in, out) }),
	planeFailure("plSomeRows", "index out of range [800] with length 800", grid.Dim3{X: 15, Y: 6},
		func(t *gocuda.Thread, in, out []float32) { plSomeRows(t, 800-6*32-15, in, out) },
		func(in, out []float32) gocuda.Kernel { return plSomeRowsKernel(800-6*32-15, in, out) }),
}
