//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels for rows of threads: blocks side by side, guards, variables used again, strides and
// narrow indices.

// blocks2 has many small blocks, in one to three dimensions.
var manyBlocks = []grid.Config{
	line(1000, 1), line(333, 7), line(40, 32), line(9, 100),
	{Grid: grid.Dim3{X: 7, Y: 5}, Block: grid.Dim3{X: 3, Y: 2}},
	{Grid: grid.Dim3{X: 5, Y: 3, Z: 2}, Block: grid.Dim3{X: 16, Y: 2, Z: 3}},
	{Grid: grid.Dim3{X: 1, Y: 4}, Block: grid.Dim3{X: 33, Y: 1}},
	{Grid: grid.Dim3{X: 6, Y: 4}, Block: grid.Dim3{X: 32, Y: 8}},
}

// The start of the block is in a variable, which is all that is used of the block.
//
//gocuda:kernel
func rwStart(t *gocuda.Thread, in, out []int32) {
	start := t.BlockIdx.X * t.BlockDim.X
	tx := t.ThreadIdx.X
	i := start + tx
	j := tx + start
	if i < len(in) {
		out[i] = in[j]*2 + int32(i)
	}
}

// The start of the block is used by itself too.
//
//gocuda:kernel
func rwStartToo(t *gocuda.Thread, in, out []int32) {
	start := t.BlockIdx.X * t.BlockDim.X
	i := start + t.ThreadIdx.X
	out[i] = in[i] + int32(start)
}

// Sizes are used for other things: what they say must stay true.
//
//gocuda:kernel
func rwSizes(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	b := i / t.BlockDim.X
	r := i % t.BlockDim.X
	out[i] = in[b*t.BlockDim.X+(t.BlockDim.X-1-r)] + int32(t.GridDim.X*1000+b*10+r)
}

// Two and three dimensions, with blockIdx.y and z used freely.
//
//gocuda:kernel
func rwPlanes(t *gocuda.Thread, in, out []int32) {
	w, h := t.BlockDim.X*t.GridDim.X, t.BlockDim.Y*t.GridDim.Y
	x, y, z := t.GlobalX(), t.GlobalY(), t.BlockIdx.Z*t.BlockDim.Z+t.ThreadIdx.Z
	i := (z*h+y)*w + x
	v := in[i] + int32(t.BlockIdx.Y*7+t.ThreadIdx.Y*3+t.BlockIdx.Z)
	if x > 0 && y < h-1 {
		v -= in[i-1] ^ in[i+w]
	}
	out[i] = v
}

func rwPlanesWant(cfg grid.Config, in, out []int32) {
	w, h, d := cfg.Grid.Norm().X*cfg.Block.Norm().X, cfg.Grid.Norm().Y*cfg.Block.Norm().Y, cfg.Grid.Norm().Z*cfg.Block.Norm().Z
	for z := range d {
		for y := range h {
			for x := range w {
				i := x + w*(y+h*z)
				by := cfg.Block.Norm().Y
				v := in[i] + int32(y/by*7+y%by*3+z/cfg.Block.Norm().Z)
				if x >= 1 && y+1 < h {
					v -= in[i-1] ^ in[i+w]
				}
				out[i] = v
			}
		}
	}
}

// Early returns, private arrays and atomics, without loops.
//
//gocuda:kernel
func rwReturns(t *gocuda.Thread, n int, in []int32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var h [3]int32
	h[i%3] = in[i]
	if h[0] > 0 {
		atomic.Add(&out[0], h[0]&0xff)
		return
	}
	if i == 0 {
		return
	}
	out[i] = h[1]*3 + h[2]*5 + 1
}

func rwReturnsWant(cfg grid.Config, in, out []int32) {
	for i := range out {
		switch {
		case i%3 == 0 && in[i] > 0:
			out[0] += in[i] & 0xff
		case i == 0:
		case i%3 == 0:
			out[i] = 1
		case i%3 == 1:
			out[i] = in[i]*3 + 1
		default:
			out[i] = in[i]*5 + 1
		}
	}
}

// The index as a value of narrow types, which wrap around within a long row.
//
//gocuda:kernel
func rwNarrowValues(t *gocuda.Thread, in []float32, out []float32) {
	i := t.GlobalX()
	a, b, c := uint8(i), int8(i), int16(i*37)
	out[i] = in[i] + float32(a) - float32(b)*2 + float32(c)*4 + float32(i*100)
	if uint8(i) < 3 || i == 77 {
		out[i] = float32(int8(i+3) >> 1)
	}
}

// Divides by an element, of which one is zero; the variant says in which dimension the threads are.
//
//gocuda:kernel
func rwFailDivide(t *gocuda.Thread, w int, in, out []int32) {
	i := t.BlockIdx.Y*w + t.GlobalX()
	out[i] = 1000 / in[i]
}

// One index is too large.
//
//gocuda:kernel
func rwFailIndex(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	out[i] = in[out[i]]
}

// An explicit panic in one thread.
//
//gocuda:kernel
func rwFailPanic(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	if in[i] == 0 {
		panic(i)
	}
	out[i] = in[i]
}

// In a plane: the last row is one short.
//
//gocuda:kernel
func rwFailPlane(t *gocuda.Thread, w int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	out[y*w+x] = in[y*w+x] * 2
}

// A guarded access that is out of range for one thread: the first beyond what the slice has.
//
//gocuda:kernel
func rwFailGuarded(t *gocuda.Thread, lo, hi int, in, out []int32) {
	x := t.GlobalX()
	out[x] = 1
	if x > lo && x < hi {
		out[x] += in[x+1]
	}
}

// A guarded access reads before the start of the slice in one thread.
//
//gocuda:kernel
func rwFailBefore(t *gocuda.Thread, lo, hi int, in, out []int32) {
	x := t.GlobalX()
	out[x] = in[x]
	if x >= lo && x < hi {
		out[x] += in[x-2]
	}
}

// Guards.

// Guards with bounds of all kinds beside statements without.
//
//gocuda:kernel
func rwGuards(t *gocuda.Thread, a, b int, in, out []int32) {
	x := t.GlobalX()
	out[x] = in[x] + 1
	if x > a && x < b-1 {
		out[x] += in[x-1] * in[x+1]
	}
	if x >= b {
		out[x] ^= 0x55
	}
	if x <= a {
		out[x] -= 1000
	}
}

func rwGuardsWant(a, b int, in, out []int32) {
	for x := range out {
		out[x] = in[x] + 1
		if a < x && x < b-1 {
			out[x] += in[x-1] * in[x+1]
		}
		if b <= x {
			out[x] ^= 0x55
		}
		if a >= x {
			out[x] -= 1000
		}
	}
}

// The same with values in vectors, two guards that exclude each other, and one in another.
//
//gocuda:kernel
func rwGuardsApart(t *gocuda.Thread, a, b int, in, out []float32) {
	x := t.GlobalX()
	v := in[x] * 2
	if x < a {
		v += in[x+b]
	}
	if x > b {
		v -= in[x-b]
		if x < b+a {
			v *= 3
			out[x] = v
		}
		v += 0.5
	}
	out[x] = v
}

func rwGuardsApartWant(a, b int, in, out []float32) {
	for x := range out {
		v := in[x] * 2
		if x < a {
			v += in[x+b]
		}
		if x > b {
			v -= in[x-b]
			if x-b < a {
				v *= 3
			}
			v += 0.5
		}
		out[x] = v
	}
}

// Guards with an else, in both forms, and an else that is guarded.
//
//gocuda:kernel
func rwGuardElse(t *gocuda.Thread, a, b int, in, out []int32) {
	x := t.GlobalX()
	if x > a && x < b {
		out[x] = in[x-a]
	} else {
		out[x] = -in[x]
	}
	if x < b {
		out[x]++
	} else if x < b+a {
		out[x] += in[x-b] * 2
	} else {
		out[x] = 3
	}
	if !(x >= a) {
		out[x] *= 2
	}
}

func rwGuardElseWant(a, b int, in, out []int32) {
	for x := range out {
		out[x] = -in[x]
		if a < x && x < b {
			out[x] = in[x-a]
		}
		switch {
		case x < b:
			out[x]++
		case x-b < a:
			out[x] += in[x-b] * 2
		default:
			out[x] = 3
		}
		if x < a {
			out[x] *= 2
		}
	}
}

// A plane with conditions about rows and about columns; slices that are just long enough.
//
//gocuda:kernel
func rwInner(t *gocuda.Thread, w, h int, in, inner, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	i := y*w + x
	if x < w && y < h {
		out[i] = in[i]
	}
	if x > 0 && x < w-1 && y > 0 && y < h-1 {
		out[i] += in[i-1] + in[i+1] + in[i-w] + in[i+w] + inner[(y-1)*(w-2)+x-1]
	}
	if y == h-1 && x < w {
		out[i] ^= 1
	}
	if y > 1 && y < h {
		if x > 2 && x < w-3 {
			out[i] *= 3
		}
	}
}

func rwInnerCase(cfg grid.Config, w, h int) Case {
	return made(fmt.Sprintf("rwInner-%dx%d-%v", w, h, cfg.Block), []grid.Config{cfg}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, inner, out := data[int32](w*h), dataFrom[int32](max(w-2, 0)*max(h-2, 0), 5), marked[int32](w*h)
		return func(t *gocuda.Thread) { rwInner(t, w, h, in, inner, out) }, rwInnerKernel(w, h, in, inner, out), []any{out}
	}, func(cfg grid.Config) []any {
		in, inner, out := data[int32](w*h), dataFrom[int32](max(w-2, 0)*max(h-2, 0), 5), marked[int32](w*h)
		next := 0
		for y := range h {
			for x := range w {
				i := y*w + x
				out[i] = in[i]
				if x != 0 && y != 0 && x+1 != w && y+1 != h {
					out[i] += in[i-1] + in[i+1] + in[i-w] + in[i+w] + inner[next]
					next++
				}
				if y+1 == h {
					out[i] ^= 1
				}
				if y >= 2 && x >= 3 && x+3 < w {
					out[i] *= 3
				}
			}
		}
		return []any{out}
	})
}

// A guard whose bound changes in the kernel, for each thread alike or not.
//
//gocuda:kernel
func rwMoving(t *gocuda.Thread, a, b int, in, out []int32) {
	x := t.GlobalX()
	n := a
	out[x] = in[x]
	if x < n {
		out[x] += 1
	}
	n = b
	if x < n {
		out[x] += 10
	}
	if in[x] > 0 {
		n++
	}
	if x > n {
		out[x] += 100
	}
}

// A guard around a loop, and one in a loop, whose bound is the counter.
//
//gocuda:kernel
func rwGuardLoops(t *gocuda.Thread, a, b int, in, out []int32) {
	x := t.GlobalX()
	sum := in[x]
	if x >= a && x < b {
		for k := -2; k <= 2; k++ {
			sum += in[x-a+k+2] * int32(k)
		}
	}
	for k := range 4 {
		if x > k+a && x < b-k {
			sum += in[x-k]
		}
		sum ^= int32(k)
	}
	out[x] = sum
}

func rwGuardLoopsWant(a, b int, in, out []int32) {
	for x := range out {
		sum := in[x]
		if a <= x && x < b {
			y := x - a
			sum += -2*in[y] - in[y+1] + in[y+3] + 2*in[y+4]
		}
		for k := range 4 {
			if x-k > a && x+k < b {
				sum += in[x-k]
			}
			sum ^= int32(k)
		}
		out[x] = sum
	}
}

// Variables that are used again.

// A place is another one after each barrier, and depends on itself.
//
//gocuda:kernel
func rwAgain(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 4096)
	n := t.BlockDim.X
	x := t.ThreadIdx.X
	y := t.GlobalX()
	s[x] = in[y]
	t.SyncThreads()
	x = n - 1 - x
	v := s[x]
	x = x*2 + n
	s[x] = v + 1
	t.SyncThreads()
	y, x = x, y
	v = v*2 + s[(y-n+2)%(2*n)+n]
	x = x * 1
	out[x] = v
}

func rwAgainWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		for i := range out {
			v := in[first+n-1-i]
			at := (n - 1 - i + 1) % n // the next place after this thread's, all around
			out[i] = v*2 + in[first+at] + 1
		}
	})
}

// A variable of a loop body is assigned anew after a continue, and the counter in the body.
//
//gocuda:kernel
func rwAgainLoop(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	r := int32(0)
	for k := 0; k < 40; k++ {
		x := in[(i+k)%len(in)] & 31
		if x > 24 {
			r++
			continue
		}
		x = x*2 + int32(k)
		k = k + int(x&1)
		r = r*3 + x
		x = r & 7
		k = k * 2
		if x == 5 {
			break
		}
		r += x
	}
	out[i] = r
}

func rwAgainLoopWant(_ grid.Config, in, out []int32) {
	for i := range out {
		r, k := int32(0), 0
		for k < 40 {
			a := in[(i+k)%len(in)] & 31
			if a > 24 {
				r++
				k++
				continue
			}
			b := a*2 + int32(k)
			r = r*3 + b
			if r&7 == 5 {
				break
			}
			r += r & 7
			k = (k+int(b&1))*2 + 1
		}
		out[i] = r
	}
}

// Loops whose post and condition use what the body assigns anew.
//
//gocuda:kernel
func rwAgainPost(t *gocuda.Thread, n int32, in, out []int32) {
	i := t.GlobalX()
	step := in[i]&3 + 1
	total := int32(0)
	for x := int32(0); x < n; x += step {
		total += x
		step = step%4 + 1
		total ^= step
		step = step + x&1
	}
	for y := n; ; {
		y = y/2 - 1
		total += y
		if y < 3 {
			break
		}
		y = y + total&1
	}
	step = total * 2
	total = step + 1
	out[i] = total
}

func rwAgainPostWant(n int32, cfg grid.Config, in, out []int32) {
	for i := range out {
		s, sum := in[i]&3+1, int32(0)
		x := int32(0)
		for x < n {
			sum += x
			a := s%4 + 1
			sum ^= a
			s = a + (x & 1)
			x += s
		}
		y := n
		for {
			z := y/2 - 1
			sum += z
			if z < 3 {
				break
			}
			y = z + (sum & 1)
		}
		out[i] = sum*2 + 1
	}
}

// Closures see the variable as it is when they are called; so does a helper with a pointer.
//
//gocuda:kernel
func rwAgainClosure(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	get := func() int32 { return v * 3 }
	add := func(d int32) { v += d }
	a := get()
	v = v + 5
	b := get()
	add(2)
	v = v * 2
	c := get()
	w := v
	w = w ^ 1
	p := &w
	w = w + 7
	*p += 100
	w = *p * 2
	rwBump(&w)
	v = w
	out[i] = a ^ b ^ c ^ v ^ get()
}

func rwBump(p *int32) { *p = *p + 1 }

func rwAgainClosureWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		c := (v + 7) * 2
		w := (c^1+107)*2 + 1
		out[i] = v*3 ^ (v+5)*3 ^ c*3 ^ w ^ w*3
	}
}

// Variables that are assigned anew in branches, around barriers: structs and arrays.
//
//gocuda:kernel
func rwAgainBranch(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	s := gocuda.Shared[int32](t, 1024)
	p := advPair{in[i], 1}
	h := [2]int32{in[i], 2}
	if n > 3 {
		q := p
		s[t.ThreadIdx.X] = q.x
		t.SyncThreads()
		q = advPair{s[t.BlockDim.X-1-t.ThreadIdx.X], 4}
		q.y += q.x
		t.SyncThreads()
		p.y = q.y
		q = p
		h = [2]int32{q.y, h[0]}
	}
	h[1]++
	t.SyncThreads()
	p = advPair{p.y, p.x}
	p.x--
	h = [2]int32{h[1], p.x}
	out[i] = p.x + p.y*3 + h[0]*5 + h[1]*7
}

func rwAgainBranchWant(n int, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		for i := range out {
			v := in[first+i]
			px, h := int32(0), int32(3)
			if n > 3 {
				px, h = in[first+len(out)-1-i]+3, v+1
			}
			out[i] = px + v*3 + h*5 + px*7
		}
	})
}

// The values of all threads alike, assigned anew between barriers, in a loop.
//
//gocuda:kernel
func rwAgainUniform(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	off, x := n, in[i]
	for k := 0; k < 3; k++ {
		d := off + k
		s[tid] = x
		t.SyncThreads()
		x = x*3 + s[(tid+d)%t.BlockDim.X]
		d = d*d + off
		t.SyncThreads()
		s[tid] = x
		off = d % 11
		t.SyncThreads()
		d = off + 1
		x += s[(tid+d)%t.BlockDim.X]
		t.SyncThreads()
	}
	off = off * 2
	out[i] = x + int32(off)
}

func rwAgainUniformWant(n int, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		size, off := len(out), n
		x := append([]int32(nil), in[first:first+size]...)
		round := func(d int, factor int32) {
			y := make([]int32, size)
			for i := range y {
				y[i] = x[i]*factor + x[(i+d)%size]
			}
			x = y
		}
		for k := range 3 {
			d := off + k
			round(d, 3)
			off = (d*d + off) % 11
			round(off+1, 1)
		}
		for i := range out {
			out[i] = x[i] + int32(off*2)
		}
	})
}

// Strides.

// Steps of three, of minus one and of minus two, in loads and in stores.
//
//gocuda:kernel
func rwStrides(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	out[i*3] = in[n-1-i]
	out[i*3+1] = in[i*3+1] + in[2*(n-i)-2]
	out[3*n-1-3*i] = in[i] * 2
}

func rwStridesCase[T int32 | float32](name string, source func(*gocuda.Thread, int, []T, []T), compiled func(int, []T, []T) gocuda.Kernel, cut int) Case {
	return made(name, linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out := data[T](3*n), marked[T](3*n)
		return func(t *gocuda.Thread) { source(t, n, in, out) }, compiled(n, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		in, out := data[T](3*n), marked[T](3*n)
		for k := range out {
			switch i := k / 3; k % 3 {
			case 0:
				out[k] = in[n-i-1]
			case 1:
				out[k] = in[k] + in[2*(n-i-1)]
			default:
				out[k] = in[n-i-1] * 2
			}
		}
		return []any{out}
	})
}

// The same for floats, which are vectors.
//
//gocuda:kernel
func rwStridesFloat(t *gocuda.Thread, n int, in, out []float32) {
	i := t.GlobalX()
	a := in[n-1-i]
	b := in[i*3+1] + in[2*(n-i)-2]
	out[i*3] = a
	out[i*3+1] = b
	out[3*n-1-3*i] = in[i] * 2
}

// Rows of 33 in shared memory, filled by columns and read by rows in a loop, and a guard about the
// row below.
//
//gocuda:kernel
func rwPadded(t *gocuda.Thread, w, h int, in, out []float32) {
	s := gocuda.Shared[float32](t, 32*33)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	x, y := t.BlockIdx.X*32+tx, t.BlockIdx.Y*32+ty
	for j := 0; j < 32; j += 8 {
		if x < w && y+j < h {
			s[(ty+j)*33+tx] = in[(y+j)*w+x]
		}
	}
	t.SyncThreads()
	x, y = t.BlockIdx.Y*32+tx, t.BlockIdx.X*32+ty
	for j := 0; j < 32; j += 8 {
		if x < h && y+j < w {
			out[(y+j)*h+x] = s[tx*33+ty+j]
		}
	}
}

func rwPaddedCase(w, h int) Case {
	cfg := grid.Config{Grid: grid.Dim3{X: (w + 31) / 32, Y: (h + 31) / 32}, Block: grid.Dim3{X: 32, Y: 8}}
	return made(fmt.Sprintf("rwPadded-%dx%d", w, h), []grid.Config{cfg}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[float32](w*h), marked[float32](w*h)
		return func(t *gocuda.Thread) { rwPadded(t, w, h, in, out) }, rwPaddedKernel(w, h, in, out), []any{out}
	}, func(grid.Config) []any {
		in, out := data[float32](w*h), marked[float32](w*h)
		for y := range h {
			for x := range w {
				out[x*h+y] = in[y*w+x]
			}
		}
		return []any{out}
	})
}

// A row of a table for each thread, walked through by all together, at steps of 5 and of -5.
//
//gocuda:kernel
func rwTable(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	sum := int32(0)
	for k := 0; k < 5; k++ {
		sum = sum*3 + in[i*5+k] - in[(n-1-i)*5+k]
		for j := k; j < 5; j++ {
			sum += in[i*5+4-j]
		}
	}
	out[i] = sum
}

func rwTableCase() Case {
	return made("rwTable", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out := data[int32](5*n), marked[int32](n)
		return func(t *gocuda.Thread) { rwTable(t, n, in, out) }, rwTableKernel(n, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		in, out := data[int32](5*n), marked[int32](n)
		for i := range out {
			a, b := in[i*5:i*5+5], in[(n-1-i)*5:(n-i)*5]
			r := int32(0)
			for k := range a {
				r = r*3 + a[k] - b[k]
				for m := range 5 - k {
					r += a[m]
				}
			}
			out[i] = r
		}
		return []any{out}
	})
}

// Narrow indices: of a byte, of some bits, of a shifted half, of a remainder.
//
//gocuda:kernel
func rwNarrow(t *gocuda.Thread, table []int32, in []int32, out []int32) {
	i := t.GlobalX()
	v := in[i]
	b := uint8(v)
	h := uint16(v) >> 8
	r := table[b] + table[h]*3 + table[v&15]*5 + table[uint32(v)%100]*7
	r += table[uint32(v)>>26] + table[(v>>3)&63&(v|1)]*9 + table[uint8(v>>24)&0x7f]
	if v > 0 {
		r ^= table[uint8(v+200)]
	}
	var own [16]int32
	own[v&7] = 5
	own[8+(v&3)] = r
	out[i] = own[v&15] + own[8|v&3] + r
}

func rwNarrowWant(table, in, out []int32) {
	for i, v := range in {
		u := uint32(v)
		r := table[u%256] + table[u/256%256]*3 + table[u%16]*5 + table[u%100]*7
		r += table[u/(1<<26)] + table[u/8%64&(u|1)]*9 + table[u>>24%128&127]
		if v > 0 {
			r ^= table[(u+200)%256]
		}
		own := int32(0)
		switch {
		case u%16 == u%8:
			own = 5
		case u%16 == 8+u%4:
			own = r
		}
		out[i] = own + r + r
	}
}

// Histograms: the thread counts in a table of its own part of shared memory, at a place the data
// choose.
//
//gocuda:kernel
func rwCounts(t *gocuda.Thread, in []uint8, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	for k := t.ThreadIdx.X; k < 256; k += t.BlockDim.X {
		s[k] = 0
	}
	t.SyncThreads()
	atomic.Add(&s[in[t.GlobalX()]], 1)
	t.SyncThreads()
	out[t.GlobalX()] = s[in[t.GlobalX()]]*1000 + s[in[t.GlobalX()]>>4]
}

// A byte chooses from an array that is too short, for one thread.
//
//gocuda:kernel
func rwFailByte(t *gocuda.Thread, table, in, out []int32) {
	i := t.GlobalX()
	out[i] = table[uint8(in[i])] * 2
}

//gocuda:kernel
func rwFailBits(t *gocuda.Thread, table, in, out []int32) {
	i := t.GlobalX()
	k := in[i] & 15
	out[i] = table[k] + table[k>>1]
}

//gocuda:kernel
func rwFailHalf(t *gocuda.Thread, table, in, out []int32) {
	i := t.GlobalX()
	out[i] = table[uint16(in[i])>>8&0xff] + 1
}

// A byte with a sign, which is negative for one thread.
//
//gocuda:kernel
func rwFailSigned(t *gocuda.Thread, table, in, out []int32) {
	i := t.GlobalX()
	out[i] = table[int8(in[i]&255)]
}

// Steps of three and of minus one, too far in one thread.
//
//gocuda:kernel
func rwFailStride(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	out[i] = in[i*3+1]
}

//gocuda:kernel
func rwFailReverse(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	out[i] = in[n-1-i]
}

//gocuda:kernel
func rwFailReverseStore(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	out[n-1-2*i] = v
}

// rwFailing is a kernel that fails in one thread, with arguments by hand.
func rwFailing(name string, cfg grid.Config, block, thread grid.Dim3, text string,
	build func() (func(*gocuda.Thread), gocuda.Kernel)) Failure {
	return Failure{Name: name, Config: cfg, Block: block, Thread: thread, Text: text, Make: func(grid.Config) Instance {
		source, compiled := build()
		return Instance{Source: gocuda.ThreadFunc(source), Compiled: compiled}
	}}
}

// with returns n positive numbers, one of which is another.
func rwWith(n, at int, v int32) []int32 {
	in := positive(n)
	in[at] = v
	return in
}

// rwTables is a failure of a kernel with a table of some length: thread at has v, the others have
// small.
func rwTables(name string, length, at int, v, small int32, source func(t *gocuda.Thread, table, in, out []int32),
	compiled func(table, in, out []int32) gocuda.Kernel, text string) Failure {
	return rwFailing(name, line(7, 40), grid.Dim3{X: at / 40}, grid.Dim3{X: at % 40}, text, func() (func(*gocuda.Thread), gocuda.Kernel) {
		table, in, out := make([]int32, length), make([]int32, 280), make([]int32, 280)
		for i := range in {
			in[i] = int32(i) % small
		}
		in[at] = v
		return func(t *gocuda.Thread) { source(t, table, in, out) }, compiled(table, in, out)
	})
}

var rwFailures = []Failure{
	rwFailing("rwFailDivide", line(40, 8), grid.Dim3{X: 37}, grid.Dim3{X: 5}, "integer divide by zero", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := rwWith(320, 37*8+5, 0), make([]int32, 320)
		return func(t *gocuda.Thread) { rwFailDivide(t, 0, in, out) }, rwFailDivideKernel(0, in, out)
	}),
	rwFailing("rwFailDivide-2D", grid.Config{Grid: grid.Dim3{X: 9, Y: 4}, Block: grid.Dim3{X: 7}}, grid.Dim3{X: 6, Y: 2}, grid.Dim3{X: 3}, "integer divide by zero", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := rwWith(4*63, 2*63+6*7+3, 0), make([]int32, 4*63)
		return func(t *gocuda.Thread) { rwFailDivide(t, 63, in, out) }, rwFailDivideKernel(63, in, out)
	}),
	rwFailing("rwFailIndex", line(100, 3), grid.Dim3{X: 51}, grid.Dim3{X: 2}, "index out of range [1234] with length 300", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(300), make([]int32, 300)
		out[51*3+2] = 1234
		return func(t *gocuda.Thread) { rwFailIndex(t, in, out) }, rwFailIndexKernel(in, out)
	}),
	rwFailing("rwFailPanic", line(30, 20), grid.Dim3{X: 29}, grid.Dim3{X: 0}, "580", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := rwWith(600, 580, 0), make([]int32, 600)
		return func(t *gocuda.Thread) { rwFailPanic(t, in, out) }, rwFailPanicKernel(in, out)
	}),
	rwFailing("rwFailPanic-single", line(200, 1), grid.Dim3{X: 123}, grid.Dim3{X: 0}, "123", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := rwWith(200, 123, 0), make([]int32, 200)
		return func(t *gocuda.Thread) { rwFailPanic(t, in, out) }, rwFailPanicKernel(in, out)
	}),
	rwFailing("rwFailPlane", grid.Config{Grid: grid.Dim3{X: 5, Y: 3}, Block: grid.Dim3{X: 8, Y: 4}}, grid.Dim3{X: 4, Y: 2}, grid.Dim3{X: 7, Y: 3}, "index out of range [479] with length 479", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(479), make([]int32, 480)
		return func(t *gocuda.Thread) { rwFailPlane(t, 40, in, out) }, rwFailPlaneKernel(40, in, out)
	}),
	rwFailing("rwFailPlane-store", grid.Config{Grid: grid.Dim3{X: 5, Y: 3}, Block: grid.Dim3{X: 8, Y: 4}}, grid.Dim3{X: 4, Y: 2}, grid.Dim3{X: 7, Y: 3}, "index out of range [479] with length 479", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(480), make([]int32, 479)
		return func(t *gocuda.Thread) { rwFailPlane(t, 40, in, out) }, rwFailPlaneKernel(40, in, out)
	}),
	rwFailing("rwFailGuarded", line(10, 30), grid.Dim3{X: 6}, grid.Dim3{X: 19}, "index out of range [200] with length 200", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(200), make([]int32, 300)
		return func(t *gocuda.Thread) { rwFailGuarded(t, 3, 200, in, out) }, rwFailGuardedKernel(3, 200, in, out)
	}),
	rwFailing("rwFailGuarded-first", line(10, 30), grid.Dim3{}, grid.Dim3{X: 0}, "index out of range [1] with length 0", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(0), make([]int32, 300)
		return func(t *gocuda.Thread) { rwFailGuarded(t, -1, 1, in, out) }, rwFailGuardedKernel(-1, 1, in, out)
	}),
	rwFailing("rwFailBefore", line(10, 32), grid.Dim3{}, grid.Dim3{X: 1}, "index out of range [-1]", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(320), make([]int32, 320)
		return func(t *gocuda.Thread) { rwFailBefore(t, 1, 300, in, out) }, rwFailBeforeKernel(1, 300, in, out)
	}),
	rwTables("rwFailByte", 255, 161, 511, 254, rwFailByte, rwFailByteKernel, "index out of range [255] with length 255"),
	rwTables("rwFailBits", 10, 40, 10, 10, rwFailBits, rwFailBitsKernel, "index out of range [10] with length 10"),
	rwTables("rwFailBits-last", 15, 279, -1, 15, rwFailBits, rwFailBitsKernel, "index out of range [15] with length 15"),
	rwTables("rwFailHalf", 3, 279, 0x7803ff, 700, rwFailHalf, rwFailHalfKernel, "index out of range [3] with length 3"),
	rwTables("rwFailSigned", 256, 100, 128, 127, rwFailSigned, rwFailSignedKernel, "index out of range [-128]"),
	rwFailing("rwFailStride", line(10, 33), grid.Dim3{X: 9}, grid.Dim3{X: 32}, "index out of range [988] with length 988", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(988), make([]int32, 330)
		return func(t *gocuda.Thread) { rwFailStride(t, in, out) }, rwFailStrideKernel(in, out)
	}),
	rwFailing("rwFailReverse", line(10, 33), grid.Dim3{X: 9}, grid.Dim3{X: 32}, "index out of range [-1]", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(330), make([]int32, 330)
		return func(t *gocuda.Thread) { rwFailReverse(t, 329, in, out) }, rwFailReverseKernel(329, in, out)
	}),
	rwFailing("rwFailReverse-first", line(10, 33), grid.Dim3{}, grid.Dim3{}, "index out of range [330] with length 330", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(330), make([]int32, 330)
		return func(t *gocuda.Thread) { rwFailReverse(t, 331, in, out) }, rwFailReverseKernel(331, in, out)
	}),
	rwFailing("rwFailReverseStore", line(10, 33), grid.Dim3{X: 9}, grid.Dim3{X: 32}, "index out of range [-1]", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(330), make([]int32, 660)
		return func(t *gocuda.Thread) { rwFailReverseStore(t, 658, in, out) }, rwFailReverseStoreKernel(658, in, out)
	}),
}

var rwFailures2 = []Failure{
	rwFailing("rwFailUnsigned", line(3, 33), grid.Dim3{}, grid.Dim3{}, "index out of range [18446744073709551615] with length 400", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(400), make([]int32, 99)
		return func(t *gocuda.Thread) { rwFailUnsigned(t, in, out) }, rwFailUnsignedKernel(in, out)
	}),
	rwFailing("rwFailUnsigned1", line(1, 33), grid.Dim3{}, grid.Dim3{}, "index out of range [18446744073709551615] with length 400", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(400), make([]int32, 99)
		return func(t *gocuda.Thread) { rwFailUnsigned1(t, in, out) }, rwFailUnsigned1Kernel(in, out)
	}),
	rwFailing("rwFailInner", grid.Config{Grid: grid.Dim3{X: 4, Y: 3}, Block: grid.Dim3{X: 10, Y: 4}}, grid.Dim3{X: 3, Y: 2}, grid.Dim3{X: 8, Y: 2}, "index out of range [480] with length 480", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := data[float32](480), make([]float32, 480)
		return func(t *gocuda.Thread) { rwFailInner(t, 40, 12, in, out) }, rwFailInnerKernel(40, 12, in, out)
	}),
	rwFailing("rwFailGuardDivide", line(20, 9), grid.Dim3{X: 11}, grid.Dim3{X: 2}, "integer divide by zero", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := rwWith(180, 100, 1000000), make([]int32, 180)
		return func(t *gocuda.Thread) { rwFailGuardDivide(t, 10, 150, in, out) }, rwFailGuardDivideKernel(10, 150, in, out)
	}),
	rwFailing("rwFailAgain", line(1, 100), grid.Dim3{}, grid.Dim3{X: 99}, "index out of range [-1]", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(100), make([]int32, 100)
		return func(t *gocuda.Thread) { rwFailAgain(t, 98, in, out) }, rwFailAgainKernel(98, in, out)
	}),
	rwFailing("rwFailColumns", grid.Config{Grid: grid.Dim3{X: 4, Y: 3}, Block: grid.Dim3{X: 10}}, grid.Dim3{X: 3, Y: 2}, grid.Dim3{X: 7}, "index out of range [417] with length 417", func() (func(*gocuda.Thread), gocuda.Kernel) {
		in, out := positive(417), make([]int32, 480)
		return func(t *gocuda.Thread) { rwFailColumns(t, 38, 11, in, out) }, rwFailColumnsKernel(38, 11, in, out)
	}),
}

// rwBounds makes a case of a kernel with two bounds for each pair of them.
func rwBounds[T any](name string, source func(t *gocuda.Thread, a, b int, in, out []T), compiled func(a, b int, in, out []T) gocuda.Kernel,
	want func(a, b int, in, out []T), pairs ...[2]int) []Case {
	var cases []Case
	for _, p := range pairs {
		a, b := p[0], p[1]
		cases = append(cases, made(fmt.Sprintf("%s-%d-%d", name, a, b), []grid.Config{line(5, 1), line(3, 7), line(9, 33), line(2, 100), line(1, 300)},
			func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				n := cfg.Blocks() * cfg.Threads()
				in, out := data[T](n+64), marked[T](n)
				return func(t *gocuda.Thread) { source(t, a, b, in, out) }, compiled(a, b, in, out), []any{out}
			}, func(cfg grid.Config) []any {
				n := cfg.Blocks() * cfg.Threads()
				out := marked[T](n)
				want(a, b, data[T](n+64), out)
				return []any{out}
			}))
	}
	return cases
}

// A limit that means none, and is not looked at then.
//
//gocuda:kernel
func rwSentinel(t *gocuda.Thread, a, b int, in, out []int32) {
	x := t.GlobalX()
	out[x] = in[x]
	if a < 1000 && x+a < b {
		out[x] += in[x+a]
	}
	if b < 1000 {
		if x+b > a-b {
			out[x] *= 3
		}
	}
}

func rwSentinelWant(a, b int, in, out []int32) {
	for x := range out {
		out[x] = in[x]
		if a < 1000 {
			if x+a < b {
				out[x] += in[x+a]
			}
		}
		if b < 1000 {
			if x+b > a-b {
				out[x] *= 3
			}
		}
	}
}

// Bounds that are computed: halves, lengths, conversions, the larger of two.
//
//gocuda:kernel
func rwComputed(t *gocuda.Thread, a, b int, in, out []float32) {
	x := t.GlobalX()
	v := in[x]
	if x < len(in)/2 {
		v += in[x*2]
	}
	if x+1 < len(out) && x >= max(a, 0)>>1 {
		v -= in[x+1]
	}
	if int64(x) > int64(int32(a)) && x <= min(b, len(in)-3) {
		v *= in[x+2]
	}
	if x-a < b && x != b && x-a >= 0 {
		v += 3
	}
	if y := x - b; y >= 0 && y < 20 {
		v += in[y]
	}
	out[x] = v
}

func rwComputedWant(a, b int, in, out []float32) {
	for x := range out {
		v := in[x]
		if x < len(in)/2 {
			v += in[2*x]
		}
		if x < len(out)-1 && x >= max(a, 0)/2 {
			v -= in[x+1]
		}
		if x > a && x <= b && x <= len(in)-3 {
			v *= in[x+2]
		}
		if x >= a && x < a+b && x != b {
			v += 3
		}
		if x >= b && x < b+20 {
			v += in[x-b]
		}
		out[x] = v
	}
}

// Guards behind a return, in a branch that depends on the data, and around an assignment of what
// they guard.
//
//gocuda:kernel
func rwBehind(t *gocuda.Thread, a, b int, in, out []float32) {
	x := t.GlobalX()
	v := in[x] + 1
	out[x] = v
	if v > 20 {
		if x > a && x < b {
			v = in[x-a] * 2
			if x > a+5 {
				v = in[x-a-5] + v
			}
		}
		out[x] += v
		v = 1
	}
	if x > b {
		return
	}
	if x > 0 {
		out[x] = out[x]*2 + v - in[x-1]
	}
}

func rwBehindWant(a, b int, in, out []float32) {
	for x := range out {
		v := in[x] + 1
		out[x] = v
		if v > 20 {
			if x > a && x < b {
				v = in[x-a] * 2
				if x-5 > a {
					v = in[x-a-5] + v
				}
			}
			out[x] += v
			v = 1
		}
		if x <= b && x != 0 {
			out[x] = out[x]*2 + v - in[x-1]
		}
	}
}

// A stencil in three dimensions, of one statement per direction.
//
//gocuda:kernel
func rwVolume(t *gocuda.Thread, w, h, d int, in, out []float32) {
	x, y, z := t.GlobalX(), t.GlobalY(), t.GlobalZ()
	if x >= w || y >= h || z >= d {
		return
	}
	i := (z*h+y)*w + x
	v := in[i] * 6
	if x > 0 {
		v -= in[i-1]
	}
	if x < w-1 {
		v -= in[i+1]
	}
	if y > 0 {
		v -= in[i-w]
	}
	if y < h-1 {
		v -= in[i+w]
	}
	if z > 0 {
		v -= in[i-w*h]
	}
	if z < d-1 {
		v -= in[i+w*h]
	}
	out[i] = v
}

// The same with one condition for the inner part and no return.
//
//gocuda:kernel
func rwVolumeInner(t *gocuda.Thread, w, h, d int, in, out []float32) {
	x, y, z := t.GlobalX(), t.GlobalY(), t.GlobalZ()
	i := (z*h+y)*w + x
	inside := x < w && y < h && z < d
	if inside {
		out[i] = in[i] * 6
	}
	if z >= 1 && z <= d-2 && y >= 1 && y <= h-2 {
		if x >= 1 && x <= w-2 {
			out[i] -= in[i-1]
			out[i] -= in[i+1]
			out[i] -= in[i-w]
			out[i] -= in[i+w]
			out[i] -= in[i-w*h]
			out[i] -= in[i+w*h]
		}
	}
}

func rwVolumeCase(name string, inner bool, w, h, d int, block grid.Dim3, source func(t *gocuda.Thread, w, h, d int, in, out []float32),
	compiled func(w, h, d int, in, out []float32) gocuda.Kernel) Case {
	b := block.Norm()
	cfg := grid.Config{Grid: grid.Dim3{X: (w + b.X - 1) / b.X, Y: (h + b.Y - 1) / b.Y, Z: (d + b.Z - 1) / b.Z}, Block: block}
	return made(fmt.Sprintf("%s-%dx%dx%d-%v", name, w, h, d, block), []grid.Config{cfg}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[float32](w*h*d), marked[float32](w*h*d)
		return func(t *gocuda.Thread) { source(t, w, h, d, in, out) }, compiled(w, h, d, in, out), []any{out}
	}, func(grid.Config) []any {
		in, out := data[float32](w*h*d), marked[float32](w*h*d)
		for i := range out {
			x, y, z := i%w, i/w%h, i/(w*h)
			v := in[i] * 6
			if !inner || x > 0 && y > 0 && z > 0 && x < w-1 && y < h-1 && z < d-1 {
				for axis, size := range []int{w, h, d} {
					at, step := []int{x, y, z}[axis], []int{1, w, w * h}[axis]
					if at > 0 {
						v -= in[i-step]
					}
					if at+1 < size {
						v -= in[i+step]
					}
				}
			}
			out[i] = v
		}
		return []any{out}
	})
}

// Steps from a place that is so far out that the last index wraps around.
//
//gocuda:kernel
func rwFailWrap(t *gocuda.Thread, a int, in, out []float32) {
	x := t.GlobalX()
	out[x] = in[a+x*3]
}

//gocuda:kernel
func rwFailWrapBack(t *gocuda.Thread, a int, in, out []float32) {
	x := t.GlobalX()
	out[x] = in[a-x]
}

// A loop with so many rounds that its last index wraps around.
//
//gocuda:kernel
func rwFailWrapLoop(t *gocuda.Thread, n int, in, out []float32) {
	x := t.GlobalX()
	sum := float32(0)
	for k := 0; k < n; k++ {
		sum += in[x+k*64]
	}
	out[x] = sum
}

// The same with a step for each thread.
//
//gocuda:kernel
func rwFailWrapStore(t *gocuda.Thread, a int, in, out []float32) {
	x := t.GlobalX()
	out[a+x*2] = in[x]
}

// Steps under guards, from places that are in range only there.
//
//gocuda:kernel
func rwStrideGuard(t *gocuda.Thread, a, b int, in, out []float32) {
	x := t.GlobalX()
	v := in[x]
	if x >= a && x < b {
		v += in[(x-a)*3%64]
		v -= in[2*(b-1-x)]
		v *= in[(x-a)*2+1]
	}
	out[x] = v
}

func rwStrideGuardWant(a, b int, in, out []float32) {
	for x := range out {
		v := in[x]
		if x >= a && x < b {
			v += in[(x-a)*3%64]
			v -= in[2*(b-1-x)]
			v *= in[(x-a)*2+1]
		}
		out[x] = v
	}
}

// Steps along rows of a block with two dimensions, in a loop that loads what the rows share.
//
//gocuda:kernel
func rwStridePlane(t *gocuda.Thread, in, out []float32) {
	s := gocuda.Shared[float32](t, 32*33*2)
	tx, ty, w := t.ThreadIdx.X, t.ThreadIdx.Y, t.BlockDim.X
	s[ty*33*2+tx*2] = in[slotOf(t)]
	s[ty*33*2+tx*2+1] = float32(tx - ty)
	t.SyncThreads()
	sum := float32(0)
	for k := 0; k < w; k++ {
		sum += s[ty*66+k*2] * s[ty*66+2*(w-1-tx)]
		sum -= s[ty*66+1+tx*2]
	}
	out[slotOf(t)] = sum
}

func rwStridePlaneWant(cfg grid.Config, in, out []float32) {
	w := cfg.Block.X
	for i := range out {
		row := in[i/w*w : i/w*w+w]
		tx, ty := i%w, i/w%cfg.Block.Norm().Y
		for _, v := range row {
			out[i] += v * row[w-1-tx]
			out[i] -= float32(tx - ty)
		}
	}
}

// Names of parameters and of the package that the generated code uses.
//
//gocuda:kernel
func rwNames(t *gocuda.Thread, many, nth, lo, hi int, part, originX []int32) {
	tx := t.GlobalX()
	originX[tx] = part[tx] + int32(lo+hi)
	if tx > many && tx < nth {
		originX[tx] += part[tx-1]*to + from[tx%2]
	}
}

var (
	from = [2]int32{3, 4}
	to   = int32(7)
)

// Parameters called as the bounds of the middle.
//
//gocuda:kernel
func rwNames2(t *gocuda.Thread, from, to int, in, out []float32) {
	rank := t.GlobalX()
	nth := in[rank] * 2
	if rank > from && rank < to {
		nth += in[rank-1]
	}
	out[rank] = nth
	m := in[rank] > 0
	if m {
		out[rank]++
	}
}

func rwNames2Want(a, b int, in, out []float32) {
	for x := range out {
		v := in[x] * 2
		if x > a && x < b {
			v += in[x-1]
		}
		if in[x] > 0 {
			v++
		}
		out[x] = v
	}
}

// A row guard and one about columns, as an inner function's result and as a variable.
//
//gocuda:kernel
func rwGuardNamed(t *gocuda.Thread, w, h int, in, out []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	i := y*w + x
	inner := func(d int) bool { return x >= d && x < w-d && y >= d && y < h-d }
	all := x < w && y < h
	if all {
		out[i] = in[i]
	}
	if inner(1) {
		out[i] += in[i-1] * in[i+w]
	}
	if ok := inner(2); ok && all {
		out[i] -= in[i-2*w] * in[i+2]
	}
	if !inner(0) {
		return
	}
	out[i] *= 2
}

// Many blocks, and the place of a thread in its block by way of the whole struct.
//
//gocuda:kernel
func rwWhole(t *gocuda.Thread, in, out []int32) {
	b, d, at := t.BlockIdx, t.BlockDim, t.ThreadIdx
	i := b.X*d.X + at.X
	d.X = 5
	out[i] = in[i] + int32(i%d.X)
}

// An index without a sign that wraps around for the first thread.
//
//gocuda:kernel
func rwFailUnsigned(t *gocuda.Thread, in, out []int32) {
	i := uint(t.GlobalX())
	out[i] = in[i*3-1]
}

// The same with the thread's index alone.
//
//gocuda:kernel
func rwFailUnsigned1(t *gocuda.Thread, in, out []int32) {
	i := uint(t.ThreadIdx.X)
	out[i] = in[i-1]
}

// An inner guard lets one thread of the last row through that it should not.
//
//gocuda:kernel
func rwFailInner(t *gocuda.Thread, w, h int, in, out []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	out[y*w+x] = in[y*w+x]
	if y > 0 && y < h-1 {
		if x > 0 && x < w-1 {
			out[y*w+x] += in[(y+1)*w+x+2] + in[(y-1)*w+x-1]
		}
	}
}

// A division under a guard, by zero in one thread.
//
//gocuda:kernel
func rwFailGuardDivide(t *gocuda.Thread, a, b int, in, out []int32) {
	x := t.GlobalX()
	out[x] = in[x]
	if x > a && x < b {
		out[x] += 100 / (in[x-1] - 1000000)
	}
}

// A variable used again behind a barrier as an index, which is out of range the second time.
//
//gocuda:kernel
func rwFailAgain(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	x := t.ThreadIdx.X
	s[x] = in[t.GlobalX()]
	t.SyncThreads()
	x = n - x
	v := s[x]
	x = t.GlobalX() * 2
	out[x/2] = v
}

// A loop over columns with a store that is out of range for the last of them in the last thread.
//
//gocuda:kernel
func rwFailColumns(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.BlockIdx.Y*4
	for j := range 4 {
		if x < w && y+j < h {
			out[(y+j)*w+x] = in[(y+j)*w+x] + int32(j)
		}
	}
}

// The values of a table by a byte, as vectors of floats.
//
//gocuda:kernel
func rwBytes(t *gocuda.Thread, table []float32, in []uint8, out []float32) {
	i := t.GlobalX()
	b := in[i]
	v := table[b]*2 + table[b>>3]
	b = b*3 + 1
	v -= table[b&^1&0x7e]
	b ^= 0xf0
	if b < 100 {
		v *= table[b]
	}
	out[i] = v + table[uint16(b)<<1&0x1fe>>1]
}

func rwCases() []Case {
	cases := []Case{
		perThread("rwStart", linear, rwStart, rwStartKernel, func(_ grid.Config, in, out []int32) {
			for i, v := range in {
				out[i] = v*2 + int32(i)
			}
		}),
		perThread("rwStart-many", manyBlocks[:4], rwStart, rwStartKernel, nil),
		perThread("rwStartToo", append(linear[:7:7], manyBlocks[:4]...), rwStartToo, rwStartTooKernel, func(cfg grid.Config, in, out []int32) {
			for i, v := range in {
				out[i] = v + int32(i-i%cfg.Threads())
			}
		}),
		perThread("rwSizes", append(linear[:7:7], manyBlocks[:4]...), rwSizes, rwSizesKernel, func(cfg grid.Config, in, out []int32) {
			perBlock(cfg, out, func(b, first int, out []int32) {
				for i := range out {
					out[i] = in[first+len(out)-1-i] + int32(cfg.Blocks()*1000+b*10+i)
				}
			})
		}),
		perThread("rwPlanes", append(manyBlocks[:8:8], boxes...), rwPlanes, rwPlanesKernel, rwPlanesWant),
		guarded("rwReturns", append(linear[1:7:7], manyBlocks[:4]...), rwReturns, rwReturnsKernel, rwReturnsWant),
		perThread("rwNarrowValues", append(linear[:7:7], manyBlocks[:4]...), rwNarrowValues, rwNarrowValuesKernel, func(_ grid.Config, in, out []float32) {
			for i, v := range in {
				out[i] = v + float32(i%256) - float32((i+128)%256-128)*2 + float32((i*37+32768)%65536-32768)*4 + float32(i*100)
				if i%256 < 3 || i == 77 {
					out[i] = float32(((i+3+128)%256-128+1000)/2 - 500)
				}
			}
		}),
		perThread("rwAgain", linear, rwAgain, rwAgainKernel, rwAgainWant),
		perThread("rwAgainLoop", linear, rwAgainLoop, rwAgainLoopKernel, rwAgainLoopWant),
		withParameter("rwAgainPost-50", linear, int32(50), rwAgainPost, rwAgainPostKernel, rwAgainPostWant),
		withParameter("rwAgainPost-0", linear, int32(0), rwAgainPost, rwAgainPostKernel, rwAgainPostWant),
		perThread("rwAgainClosure", linear, rwAgainClosure, rwAgainClosureKernel, rwAgainClosureWant),
		withParameter("rwAgainBranch-4", linear, 4, rwAgainBranch, rwAgainBranchKernel, rwAgainBranchWant),
		withParameter("rwAgainBranch-3", linear, 3, rwAgainBranch, rwAgainBranchKernel, rwAgainBranchWant),
		withParameter("rwAgainUniform", linear, 5, rwAgainUniform, rwAgainUniformKernel, rwAgainUniformWant),
		rwStridesCase("rwStrides", rwStrides, rwStridesKernel, 0),
		rwStridesCase("rwStridesFloat", rwStridesFloat, rwStridesFloatKernel, 0),
		rwPaddedCase(32, 32), rwPaddedCase(70, 45), rwPaddedCase(31, 100), rwPaddedCase(1, 33), rwPaddedCase(64, 9),
		rwTableCase(),
		perThread("rwCounts", linear, rwCounts, rwCountsKernel, func(cfg grid.Config, in []uint8, out []int32) {
			perBlock(cfg, out, func(_, first int, out []int32) {
				var n [256]int32
				for i := range out {
					n[in[first+i]]++
				}
				for i := range out {
					out[i] = n[in[first+i]]*1000 + n[in[first+i]/16]
				}
			})
		}),
	}
	table := dataFrom[int32](256, 9)
	for _, length := range []int{256, 257} {
		table := append([]int32(nil), table...)
		table = append(table, 3)[:length]
		cases = append(cases, perThread(fmt.Sprintf("rwNarrow-%d", length), linear,
			func(t *gocuda.Thread, in, out []int32) { rwNarrow(t, table, in, out) },
			func(in, out []int32) gocuda.Kernel { return rwNarrowKernel(table, in, out) },
			func(_ grid.Config, in, out []int32) { rwNarrowWant(table, in, out) }))
	}
	for _, c := range []grid.Config{
		{Grid: grid.Dim3{X: 3, Y: 3}, Block: grid.Dim3{X: 16, Y: 16}},
		{Grid: grid.Dim3{X: 6, Y: 12}, Block: grid.Dim3{X: 8, Y: 4}},
		{Grid: grid.Dim3{X: 2, Y: 48}, Block: grid.Dim3{X: 33, Y: 1}},
	} {
		for _, s := range [][2]int{{48, 48}, {40, 33}, {3, 3}, {2, 20}, {1, 1}, {33, 1}, {37, 2}, {17, 17}} {
			cases = append(cases, rwInnerCase(c, s[0], s[1]))
		}
	}
	cases = append(cases, rwBounds("rwGuards", rwGuards, rwGuardsKernel, rwGuardsWant,
		[2]int{0, 5}, [2]int{0, 0}, [2]int{10, 3}, [2]int{3, 1000}, [2]int{400, -5}, [2]int{20, 21}, [2]int{0, 66}, [2]int{31, 33}, [2]int{1 << 40, -1 << 40}, [2]int{math.MaxInt, math.MinInt}, [2]int{0, math.MinInt}, [2]int{2, math.MaxInt})...)
	cases = append(cases, rwBounds("rwGuardsApart", rwGuardsApart, rwGuardsApartKernel, rwGuardsApartWant,
		[2]int{5, 5}, [2]int{0, 3}, [2]int{40, 20}, [2]int{3, 60}, [2]int{-1, 0}, [2]int{1000, 8})...)
	cases = append(cases, rwBounds("rwGuardElse", rwGuardElse, rwGuardElseKernel, rwGuardElseWant,
		[2]int{5, 9}, [2]int{0, 0}, [2]int{60, 20}, [2]int{1, 1000}, [2]int{0, 33})...)
	cases = append(cases, rwBounds("rwSentinel", rwSentinel, rwSentinelKernel, rwSentinelWant,
		[2]int{5, 60}, [2]int{math.MaxInt, 40}, [2]int{0, math.MaxInt}, [2]int{math.MaxInt - 3, math.MaxInt - 5})...)
	cases = append(cases, rwBounds("rwComputed", rwComputed, rwComputedKernel, rwComputedWant,
		[2]int{5, 60}, [2]int{0, 0}, [2]int{33, 66}, [2]int{7, 1000}, [2]int{100, 5}, [2]int{250, 290})...)
	cases = append(cases, rwBounds("rwBehind", rwBehind, rwBehindKernel, rwBehindWant,
		[2]int{5, 60}, [2]int{0, 0}, [2]int{33, 66}, [2]int{7, 1000}, [2]int{100, 5})...)
	for _, b := range []grid.Dim3{{X: 16, Y: 4}, {X: 8, Y: 4, Z: 2}, {X: 33}, {X: 5, Y: 3, Z: 7}} {
		for _, s := range [][3]int{{16, 8, 4}, {37, 9, 5}, {1, 6, 3}, {20, 1, 1}, {3, 3, 3}} {
			cases = append(cases, rwVolumeCase("rwVolume", false, s[0], s[1], s[2], b, rwVolume, rwVolumeKernel))
			if s[0]%b.X+s[1]%max(b.Y, 1) == 0 || s[0] == 37 {
				cases = append(cases, rwVolumeCase("rwVolumeInner", true, s[0], s[1], s[2], b, rwVolumeInner, rwVolumeInnerKernel))
			}
		}
	}
	cases = append(cases, perThread("rwWhole", append(linear[:7:7], manyBlocks[:4]...), rwWhole, rwWholeKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v + int32(i%5)
		}
	}), perThread("rwStart-thousands", []grid.Config{line(20000, 3), line(3000, 33)}, rwStart, rwStartKernel, nil))
	floats := data[float32](256)
	cases = append(cases, perThread("rwBytes", linear, func(t *gocuda.Thread, in []uint8, out []float32) { rwBytes(t, floats, in, out) },
		func(in []uint8, out []float32) gocuda.Kernel { return rwBytesKernel(floats, in, out) },
		func(_ grid.Config, in []uint8, out []float32) {
			for i, b := range in {
				v := floats[b]*2 + floats[b/8]
				c := (int(b)*3 + 1) % 256
				v -= floats[c/2*2%128]
				c ^= 0xf0
				if c < 100 {
					v *= floats[c]
				}
				out[i] = v + floats[c]
			}
		}))
	cases = append(cases, rwBounds("rwStrideGuard", rwStrideGuard, rwStrideGuardKernel, rwStrideGuardWant,
		[2]int{0, 30}, [2]int{5, 37}, [2]int{0, 0}, [2]int{30, 3}, [2]int{-1, 0}, [2]int{1, 33})...)
	cases = append(cases, rwBounds("rwNames2", rwNames2, rwNames2Kernel, rwNames2Want, [2]int{3, 40}, [2]int{0, 1000})...)
	cases = append(cases, rwBounds("rwNames", func(t *gocuda.Thread, a, b int, in, out []int32) { rwNames(t, a, b, 5, 6, in, out) },
		func(a, b int, in, out []int32) gocuda.Kernel { return rwNamesKernel(a, b, 5, 6, in, out) },
		func(a, b int, in, out []int32) {
			for x := range out {
				out[x] = in[x] + 11
				if x > a && x < b {
					out[x] += in[x-1]*7 + int32(3+x%2)
				}
			}
		}, [2]int{3, 40}, [2]int{0, 1000})...)
	cases = append(cases, perThread("rwStridePlane", []grid.Config{
		{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 32, Y: 32}}, {Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 16, Y: 4}}, {Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 7, Y: 5}}, line(2, 33),
	}, rwStridePlane, rwStridePlaneKernel, func(cfg grid.Config, in, out []float32) {
		clear(out)
		rwStridePlaneWant(cfg, in, out)
	}))
	for _, s := range [][2]int{{48, 48}, {40, 33}, {3, 3}, {1, 1}, {17, 4}} {
		w, h := s[0], s[1]
		cases = append(cases, made(fmt.Sprintf("rwGuardNamed-%dx%d", w, h), []grid.Config{
			{Grid: grid.Dim3{X: 3, Y: 3}, Block: grid.Dim3{X: 16, Y: 16}}, {Grid: grid.Dim3{X: 7, Y: 24}, Block: grid.Dim3{X: 7, Y: 2}},
		}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[float32](w*h), marked[float32](w*h)
			return func(t *gocuda.Thread) { rwGuardNamed(t, w, h, in, out) }, rwGuardNamedKernel(w, h, in, out), []any{out}
		}, func(grid.Config) []any {
			in, out := data[float32](w*h), marked[float32](w*h)
			for i := range out {
				x, y := i%w, i/w
				edge := min(x, y, w-1-x, h-1-y)
				v := in[i]
				if edge >= 1 {
					v += in[i-1] * in[i+w]
				}
				if edge >= 2 {
					v -= in[i-2*w] * in[i+2]
				}
				out[i] = v * 2
			}
			return []any{out}
		}))
	}
	cases = append(cases, rwBounds("rwMoving", rwMoving, rwMovingKernel, func(a, b int, in, out []int32) {
		for x := range out {
			out[x] = in[x]
			if x < a {
				out[x]++
			}
			n := b
			if x < n {
				out[x] += 10
			}
			if in[x] > 0 {
				n = b + 1
			}
			if n < x {
				out[x] += 100
			}
		}
	}, [2]int{5, 9}, [2]int{0, 0}, [2]int{60, 20}, [2]int{1000, -1000})...)
	cases = append(cases, rwBounds("rwGuardLoops", rwGuardLoops, rwGuardLoopsKernel, rwGuardLoopsWant,
		[2]int{5, 9}, [2]int{0, 0}, [2]int{60, 20}, [2]int{0, 1000}, [2]int{2, 40}, [2]int{33, 66})...)
	return cases
}
