package bench

import (
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
	"github.com/gocuda/gocuda/kernels/sparse"
)

// What a Go programmer writes without this library: the range is split over as many goroutines as there
// are processors.

// split calls f for each of p parts of 0 to n-1, concurrently, and waits.
func split(p, n int, f func(part, from, to int)) {
	var group errgroup.Group
	for i := range p {
		group.Go(func() error {
			f(i, n*i/p, n*(i+1)/p)
			return nil
		})
	}
	group.Wait()
}

func saxpyGoroutines(p int, a float32, x, y []float32) {
	split(p, len(y), func(_, from, to int) { serial.SAXPY(a, x[from:to], y[from:to]) })
}

func sumGoroutines(p int, in []float32) float32 {
	sums := make([]float32, p)
	split(p, len(in), func(part, from, to int) { sums[part] = serial.Sum(in[from:to]) })
	return serial.Sum(sums)
}

func scanSerial(out, in []float32) {
	var s float32
	for i, v := range in {
		s += v
		out[i] = s
	}
}

// scanGoroutines adds up the parts, and scans each from the sum of those before it.
func scanGoroutines(p int, out, in []float32) {
	sums := make([]float32, p)
	split(p, len(in), func(part, from, to int) { sums[part] = serial.Sum(in[from:to]) })
	var before float32
	for i, s := range sums {
		sums[i] = before
		before += s
	}
	split(p, len(in), func(part, from, to int) {
		s, out := sums[part], out[from:to]
		for i, v := range in[from:to] {
			s += v
			out[i] = s
		}
	})
}

func nbodyGoroutines(p int, eps float32, bodies []nbody.Body[float32], acc []kernels.Vec3[float32]) {
	split(p, len(bodies), func(_, from, to int) {
		serial.AccelerationsOf(from, to, eps, bodies, acc)
	})
}

// matmulGoroutines takes two rows of B at a time. With one, as serial.MatMul has it, the
// inner loop is so short that its speed halves or doubles with the place that the linker gives it.
func matmulGoroutines(p, n int, a, b, c []float32) {
	split(p, n, func(_, from, to int) {
		for row := from; row < to; row++ {
			sums := c[row*n : (row+1)*n]
			clear(sums)
			av := a[row*n : (row+1)*n]
			for i := 0; i+1 < n; i += 2 {
				a0, a1 := av[i], av[i+1]
				b0, b1 := b[i*n:][:len(sums)], b[(i+1)*n:][:len(sums)]
				for col := range sums {
					sums[col] += a0*b0[col] + a1*b1[col]
				}
			}
			if n%2 > 0 {
				for col, bv := range b[(n-1)*n:] {
					sums[col] += av[n-1] * bv
				}
			}
		}
	})
}

// transposeGoroutines goes over tiles, so that it uses up a line of the cache before it goes.
func transposeGoroutines(p, n int, out, in []float32) {
	const tile = 16
	tiles := (n + tile - 1) / tile
	split(p, tiles, func(_, from, to int) {
		for i0 := from * tile; i0 < min(to*tile, n); i0 += tile {
			for j0 := 0; j0 < n; j0 += tile {
				for i := i0; i < min(i0+tile, n); i++ {
					for j := j0; j < min(j0+tile, n); j++ {
						out[i*n+j] = in[j*n+i]
					}
				}
			}
		}
	})
}

func spmvGoroutines(p int, m *sparse.CSR, x, y []float32) {
	split(p, m.Rows, func(_, from, to int) {
		part := *m
		part.Rows, part.RowPtr = to-from, m.RowPtr[from:to+1]
		serial.SpMV(&part, x, y[from:to])
	})
}

// histogramGoroutines adds to counts, as serial.Histogram does.
func histogramGoroutines(p int, data []byte, counts []uint32) {
	parts := make([][256]uint32, p)
	split(p, len(data), func(part, from, to int) {
		var mine [256]uint32
		for _, v := range data[from:to] {
			mine[v]++
		}
		parts[part] = mine
	})
	for _, part := range parts {
		for v, n := range part {
			counts[v] += n
		}
	}
}

// mandelbrotGoroutines gives out rows one by one, because some take far longer than others.
func mandelbrotGoroutines(p, n int, x0, y0, x1, y1 float32, most int32, out []int32) {
	dx, dy := (x1-x0)/float32(n), (y1-y0)/float32(n)
	var next atomic.Int64
	split(p, p, func(_, _, _ int) {
		for {
			py := int(next.Add(1)) - 1
			if py >= n {
				return
			}
			offY := (float32(py) + 0.5) * dy
			cy := y0 + offY
			for px := range n {
				offX := (float32(px) + 0.5) * dx
				cx := x0 + offX
				var x, y float32
				var k int32
				for ; k < most; k++ {
					xx, yy, xy := x*x, y*y, x*y
					if xx+yy > 4 {
						break
					}
					x = xx - yy + cx
					y = xy + xy + cy
				}
				out[py*n+px] = k
			}
		}
	})
}

// fdtdGoroutines is one step.
func fdtdGoroutines(p int, f *kernels.FDTD) {
	w, h := f.Width, f.Height
	split(p, h, func(_, from, to int) {
		for row := from; row < to; row++ {
			ez, hx, hy := f.Ez[row*w:(row+1)*w], f.Hx[row*w:(row+1)*w], f.Hy[row*w:(row+1)*w]
			if row < h-1 {
				below := f.Ez[(row+1)*w : (row+2)*w]
				for x := range hx {
					hx[x] -= f.Ch * (below[x] - ez[x])
				}
			}
			for x := range w - 1 {
				hy[x] += f.Ch * (ez[x+1] - ez[x])
			}
		}
	})
	split(p, h, func(_, from, to int) {
		for row := max(from, 1); row < min(to, h-1); row++ {
			ez, ce := f.Ez[row*w:(row+1)*w], f.Ce[row*w:(row+1)*w]
			hx, hy, above := f.Hx[row*w:(row+1)*w], f.Hy[row*w:(row+1)*w], f.Hx[(row-1)*w:row*w]
			for x := 1; x < w-1; x++ {
				ez[x] += ce[x] * ((hy[x] - hy[x-1]) - (hx[x] - above[x]))
			}
		}
	})
}

// A sortRoom is what radixSortGoroutines needs beside its pairs. It is made once, as package sorting does.
type sortRoom struct {
	keys, values []uint32
	places       [][256]uint32
}

func newSortRoom(p, n int) *sortRoom {
	return &sortRoom{host.Apart[uint32](n), host.Apart[uint32](n), make([][256]uint32, p)}
}

// radixSortGoroutines sorts by the least digit of 8 bits first. Each part moves its pairs to places
// that no other part has.
func radixSortGoroutines(p int, keys, values []uint32, room *sortRoom) {
	n := len(keys)
	keys2, values2, places := room.keys, room.values, room.places
	for shift := uint(0); shift < 32; shift += 8 {
		// A closure would reach variables that change by way of pointers, in each round of its loops.
		keys, values, keysOut, valuesOut := keys, values, keys2, values2
		if shift/8%2 == 1 {
			keys, values, keysOut, valuesOut = keys2, values2, keys, values
		}
		split(p, n, func(part, from, to int) {
			places[part] = countDigits(shift, keys[from:to])
		})
		var next uint32
		for d := range 256 {
			for part := range places {
				next, places[part][d] = next+places[part][d], next
			}
		}
		split(p, n, func(part, from, to int) {
			scatterDigits(shift, keys[from:to], values[from:to], keysOut, valuesOut, places[part])
		})
	}
}

// radixSortSerial is the same sort in one goroutine.
func radixSortSerial(keys, values []uint32) {
	keys2, values2 := host.Apart[uint32](len(keys)), host.Apart[uint32](len(keys))
	for shift := 0; shift < 32; shift += 8 {
		var places [256]int
		for _, key := range keys {
			places[uint8(key>>shift)]++
		}
		next := 0
		for d, count := range places {
			places[d] = next
			next += count
		}
		for i, key := range keys {
			d := uint8(key >> shift)
			keys2[places[d]], values2[places[d]] = key, values[i]
			places[d]++
		}
		keys, values, keys2, values2 = keys2, values2, keys, values
	}
}

func countDigits(shift uint, keys []uint32) (counts [256]uint32) {
	for _, key := range keys {
		counts[uint8(key>>(shift%32))]++
	}
	return counts
}

func scatterDigits(shift uint, keys, values, keysOut, valuesOut []uint32, place [256]uint32) {
	values = values[:len(keys)]
	for i, key := range keys {
		d := uint8(key >> (shift % 32))
		to := place[d]
		place[d]++
		keysOut[to], valuesOut[to] = key, values[i]
	}
}

// A condBarrier is a reusable barrier of goroutines, as textbooks have it.
type condBarrier struct {
	mu      sync.Mutex
	cond    sync.Cond
	n       int
	arrived int
	round   int
}

func newCondBarrier(n int) *condBarrier {
	b := &condBarrier{n: n}
	b.cond.L = &b.mu
	return b
}

func (b *condBarrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.arrived++
	if b.arrived == b.n {
		b.arrived = 0
		b.round++
		b.cond.Broadcast()
		return
	}
	for round := b.round; round == b.round; {
		b.cond.Wait()
	}
}
