package bench

import (
	"sync"

	"github.com/gocuda/gocuda/kernels"
)

// What a Go programmer writes without this library: the range is split over as many goroutines as there
// are processors.

// split calls f for each of p parts of 0 to n-1, concurrently, and waits.
func split(p, n int, f func(part, from, to int)) {
	var wg sync.WaitGroup
	for i := range p {
		wg.Go(func() { f(i, n*i/p, n*(i+1)/p) })
	}
	wg.Wait()
}

func saxpyGoroutines(p int, a float32, x, y []float32) {
	split(p, len(y), func(_, from, to int) { kernels.SAXPYSerial(a, x[from:to], y[from:to]) })
}

func sumGoroutines(p int, in []float32) float32 {
	sums := make([]float32, p)
	split(p, len(in), func(part, from, to int) { sums[part] = kernels.SumSerial(in[from:to]) })
	return kernels.SumSerial(sums)
}

// scanGoroutines adds up the parts, and scans each from the sum of those before it.
func scanGoroutines(p int, out, in []float32) {
	sums := make([]float32, p)
	split(p, len(in), func(part, from, to int) { sums[part] = kernels.SumSerial(in[from:to]) })
	kernels.ExclusiveScanSerial(sums, sums)
	split(p, len(in), func(part, from, to int) {
		s, out := sums[part], out[from:to]
		for i, v := range in[from:to] {
			s += v
			out[i] = s
		}
	})
}

func nbodyGoroutines(p int, eps float32, bodies []kernels.Body[float32], acc []kernels.Vec3[float32]) {
	split(p, len(bodies), func(_, from, to int) {
		kernels.AccelerationsOf(from, to, eps, bodies, acc)
	})
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
