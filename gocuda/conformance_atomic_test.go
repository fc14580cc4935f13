package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// everyOnce complains unless all counts are one.
func everyOnce(what string, counts []int32) error {
	for i, c := range counts {
		if c != 1 {
			return fmt.Errorf("%s: %d came %d times", what, i, c)
		}
	}
	return nil
}

func wantEqual[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("%s: got %v, want %v", what, got, want)
	}
	return nil
}

func atomicRows() []row {
	return []row{
		{"atomic tickets", shapes, atomicTickets},
		{"atomics of all threads on one cell", shapes, atomicResults},
		perThread("histogram in shared memory", shapes, sharedHistogram),
		{"the last block sums up", slices.Concat(shapes, []grid.Config{{Grid: grid.Dim3{X: 70}, Block: grid.Dim3{X: 33}}}), lastBlock},
		{"a mutex around plain memory", shapes, mutexed},
	}
}

// atomicTickets: the old values that an operation returns are all different.
func atomicTickets(cfg grid.Config) func(*gocuda.Device) (gocuda.Kernel, func() error) {
	total := cfg.Blocks() * cfg.Threads()
	return func(*gocuda.Device) (gocuda.Kernel, func() error) {
		var cells struct {
			sub     uint64 // those of 64 bits first, for systems of 32 bits
			exch    int64
			halfway float64
			add     int32
			float   float32
			inc     uint32
			dec     uint32
			both    int
		}
		cells.sub = uint64(total - 1)
		seen := func() []int32 { return make([]int32, total) }
		add, sub, float, inc, dec, both, half, exch := seen(), seen(), seen(), seen(), seen(), seen(), seen(), make([]int32, total+1)
		kernel := gocuda.ThreadFunc(func(t *gocuda.Thread) {
			i := slot(t)
			add[atomic.Add(&cells.add, 1)]++
			sub[atomic.Sub(&cells.sub, 1)]++
			float[int(atomic.Add(&cells.float, 1))]++
			inc[atomic.Inc(&cells.inc, uint32(total-1))]++
			dec[atomic.Dec(&cells.dec, uint32(total-1))]++
			exch[atomic.Exch(&cells.exch, int64(i+1))]++
			half[int(2*atomic.Add(&cells.halfway, 0.5))]++
			if i%2 == 0 {
				both[atomic.Add(&cells.both, 1)]++
				return
			}
			for {
				old := atomic.Add(&cells.both, 0)
				if atomic.CAS(&cells.both, old, old+1) == old {
					both[old]++
					return
				}
			}
		})
		return kernel, func() error {
			exch[cells.exch]++
			return errors.Join(
				everyOnce("Add", add), everyOnce("Sub", sub), everyOnce("Add of float32", float), everyOnce("Inc", inc),
				everyOnce("Dec", dec), everyOnce("Exch", exch), everyOnce("Add and CAS", both), everyOnce("Add of float64", half),
				wantEqual("Add", cells.add, int32(total)), wantEqual("Sub", cells.sub, ^uint64(0)), wantEqual("Inc", cells.inc, 0), wantEqual("Dec", cells.dec, 0))
		}
	}
}

func atomicResults(cfg grid.Config) func(*gocuda.Device) (gocuda.Kernel, func() error) {
	type cells struct {
		sub        int64 // those of 64 bits first, for systems of 32 bits
		most       int64
		leastU     uint64
		or, xor    uint64
		float      float64
		wrap       uint32
		least      int32
		mostU      uint32
		and        uint32
		inc5       uint32
		dec5       uint32
		cas        int32
		lastWinner int32
	}
	start := cells{least: 1 << 30, most: -1 << 62, leastU: ^uint64(0), and: ^uint32(0), lastWinner: -1}
	want := start
	total := cfg.Blocks() * cfg.Threads()
	for i := range total {
		h := mix(i, 1, 1)
		want.wrap--
		want.sub -= int64(h)
		want.least = min(want.least, int32(h)-1<<30)
		want.most = max(want.most, -int64(h)<<20)
		want.leastU = min(want.leastU, uint64(h)<<33)
		want.mostU = max(want.mostU, uint32(h)<<1)
		want.and &^= 1 << (h % 40)
		want.or |= 1 << (h % 64)
		want.xor ^= 1 << (h % 64)
		want.cas += 3
		want.float += float64(h % 1000)
	}
	want.inc5 = uint32(total % 5)
	want.dec5 = uint32((5 - total%5) % 5)
	want.lastWinner = 0
	return func(*gocuda.Device) (gocuda.Kernel, func() error) {
		c := start
		var winners []int32
		won := make([]bool, total)
		kernel := gocuda.ThreadFunc(func(t *gocuda.Thread) {
			i := slot(t)
			h := mix(i, 1, 1)
			atomic.Add(&c.wrap, ^uint32(0))
			atomic.Sub(&c.sub, int64(h))
			atomic.Min(&c.least, int32(h)-1<<30)
			atomic.Max(&c.most, -int64(h)<<20)
			atomic.Min(&c.leastU, uint64(h)<<33)
			atomic.Max(&c.mostU, uint32(h)<<1)
			atomic.And(&c.and, ^uint32(1<<(h%40)))
			atomic.Or(&c.or, uint64(1)<<(h%64))
			atomic.Xor(&c.xor, uint64(1)<<(h%64))
			atomic.Inc(&c.inc5, 4)
			atomic.Dec(&c.dec5, 4)
			atomic.Add(&c.float, float64(h%1000))
			for old := atomic.Add(&c.cas, 0); ; {
				seen := atomic.CAS(&c.cas, old, old+3)
				if seen == old {
					break
				}
				old = seen
			}
			won[i] = atomic.CAS(&c.lastWinner, -1, 0) == -1
		})
		return kernel, func() error {
			for i, w := range won {
				if w {
					winners = append(winners, int32(i))
				}
			}
			return errors.Join(wantEqual("cells", c, want), wantEqual("threads that won", len(winners), 1))
		}
	}
}

func sharedHistogram(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
	const bins = 16
	n := cfg.Threads()
	bin := func(block, rank, round int) int { return mix(block, rank, round) % bins }
	counts := make([][bins]int, cfg.Blocks())
	for b := range counts {
		for r := range n {
			for i := range 3 {
				counts[b][bin(b, r, i)]++
			}
		}
	}
	body := func(t *gocuda.Thread) int {
		s := gocuda.Shared[int32](t, bins)
		b, r := blockOf(t), rankOf(t)
		for i := r; i < bins; i += n {
			s[i] = 0
		}
		t.SyncThreads()
		for i := range 3 {
			atomic.Add(&s[bin(b, r, i)], 1)
		}
		t.SyncThreads()
		return int(s[r%bins])
	}
	return body, func(block, rank int) int { return counts[block][rank%bins] }
}

// lastBlock is the sum of CUDA's threadFenceReduction sample: all threads write, the block takes a
// ticket, and the block with the last one adds up what all wrote.
func lastBlock(cfg grid.Config) func(*gocuda.Device) (gocuda.Kernel, func() error) {
	n, blocks := cfg.Threads(), cfg.Blocks()
	want := 0
	for i := range blocks * n {
		want += mix(i, 0, 9) % 1000
	}
	return func(*gocuda.Device) (gocuda.Kernel, func() error) {
		partial := make([]int, blocks*n)
		sums := make([]int, n) // of the last block's threads
		var ticket uint32
		var last int32
		kernel := gocuda.ThreadFunc(func(t *gocuda.Thread) {
			amLast := gocuda.Shared[bool](t, 1)
			i, r := slot(t), rankOf(t)
			partial[i] = mix(i, 0, 9) % 1000
			t.Threadfence()
			t.SyncThreads()
			if r == 0 {
				amLast[0] = atomic.Inc(&ticket, uint32(blocks-1)) == uint32(blocks-1)
			}
			t.SyncThreads()
			if !amLast[0] {
				return
			}
			for j := r; j < len(partial); j += n {
				sums[r] += partial[j]
			}
			if t.SyncThreadsCount(true) == n && r == 0 {
				atomic.Add(&last, 1)
			}
		})
		return kernel, func() error {
			sum := 0
			for _, s := range sums {
				sum += s
			}
			return errors.Join(wantEqual("sum", sum, want), wantEqual("last blocks", last, 1), wantEqual("ticket", ticket, 0))
		}
	}
}

// mutexed: a kernel may lock what other blocks use, as long as it does not wait for threads meanwhile.
func mutexed(cfg grid.Config) func(*gocuda.Device) (gocuda.Kernel, func() error) {
	n, blocks := cfg.Threads(), cfg.Blocks()
	return func(*gocuda.Device) (gocuda.Kernel, func() error) {
		var mu sync.Mutex
		runs := map[int]int{}
		kernel := gocuda.ThreadFunc(func(t *gocuda.Thread) {
			for range 2 {
				mu.Lock()
				runs[blockOf(t)]++
				mu.Unlock()
				t.SyncThreads()
			}
		})
		return kernel, func() error {
			for b := range blocks {
				if err := wantEqual("count", runs[b], 2*n); err != nil {
					return err
				}
			}
			return nil
		}
	}
}

func nestedRows() []row {
	small := []grid.Config{
		{Grid: grid.Dim3{X: 5}, Block: grid.Dim3{X: 1}},
		{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 33}},
		{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 4, Y: 3, Z: 2}},
	}
	return []row{
		{"a thread launches a grid, its block waits", upTo(256), nestedByOne},
		{"every thread launches a grid", small, nestedByAll},
		{"launches within launches", small, nestedDeep},
		{"a block kernel launches grids", small, nestedByBlock},
	}
}

// nestedByOne: thread 0 of each block launches two blocks that use barriers, and the others of its
// block read what they wrote.
func nestedByOne(cfg grid.Config) func(*gocuda.Device) (gocuda.Kernel, func() error) {
	n, blocks := cfg.Threads(), cfg.Blocks()
	return func(d *gocuda.Device) (gocuda.Kernel, func() error) {
		child, out := make([]int, blocks*16), make([]int, blocks*n)
		errs := make([]error, blocks)
		kernel := gocuda.ThreadFunc(func(t *gocuda.Thread) {
			s := gocuda.Shared[int](t, n)
			b, r := blockOf(t), rankOf(t)
			s[r] = r
			if r == n-1 {
				errs[b] = d.LaunchFunc(context.Background(), grid.Linear(16, 8), func(c *gocuda.Thread) {
					s := gocuda.Shared[int](c, 8)
					s[c.Rank()] = b*100 + c.GlobalX()
					c.SyncThreads()
					child[b*16+c.GlobalX()] = s[7-c.Rank()]
				})
			}
			t.SyncThreads()
			out[slot(t)] = child[b*16+r%16] + s[n-1-r] // the child has shared memory of its own
		})
		return kernel, func() error {
			for i, got := range out {
				b, c := i/n, i%n%16
				if err := wantEqual(fmt.Sprintf("block %d thread %d", b, i%n), got, b*100+c/8*8+7-c%8+n-1-i%n); err != nil {
					return err
				}
			}
			return errors.Join(errs...)
		}
	}
}

func nestedByAll(cfg grid.Config) func(*gocuda.Device) (gocuda.Kernel, func() error) {
	total := cfg.Threads() * cfg.Blocks()
	return func(d *gocuda.Device) (gocuda.Kernel, func() error) {
		counts := make([]int32, total)
		errs := make([]error, total)
		kernel := gocuda.ThreadFunc(func(t *gocuda.Thread) {
			i := slot(t)
			t.SyncThreads()
			errs[i] = d.LaunchFunc(context.Background(), grid.Linear(6, 3), func(c *gocuda.Thread) {
				if c.SyncThreadsCount(true) == 3 {
					atomic.Add(&counts[i], 1)
				}
			})
			t.SyncThreads()
		})
		return kernel, func() error {
			for i, c := range counts {
				if err := wantEqual(fmt.Sprint("children of thread ", i), c, 6); err != nil {
					return err
				}
			}
			return errors.Join(errs...)
		}
	}
}

func nestedDeep(cfg grid.Config) func(*gocuda.Device) (gocuda.Kernel, func() error) {
	return func(d *gocuda.Device) (gocuda.Kernel, func() error) {
		var leaves int32
		var launch func(depth int) error
		launch = func(depth int) error {
			return d.LaunchFunc(context.Background(), grid.Linear(4, 2), func(t *gocuda.Thread) {
				t.SyncThreads()
				if t.Rank() == 1 && depth > 0 {
					if err := launch(depth - 1); err != nil {
						panic(err)
					}
				}
				if t.SyncThreadsOr(depth == 0) {
					atomic.Add(&leaves, 1)
				}
			})
		}
		kernel := gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if rankOf(t) == 0 {
				if err := launch(2); err != nil {
					panic(err)
				}
			}
			t.SyncThreads()
		})
		// each of 2 blocks launches, twice over, and the last grids have 4 threads
		return kernel, func() error { return wantEqual("leaves", leaves, int32(cfg.Blocks()*2*2*4)) }
	}
}

// nestedByBlock: from the body of a block kernel, and from within a phase.
func nestedByBlock(cfg grid.Config) func(*gocuda.Device) (gocuda.Kernel, func() error) {
	return func(d *gocuda.Device) (gocuda.Kernel, func() error) {
		var count int32
		child := gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.SyncThreadsCount(true) == 4 {
				atomic.Add(&count, 1)
			}
		})
		launch := func() {
			if err := d.Launch(context.Background(), grid.Linear(8, 4), child); err != nil {
				panic(err)
			}
		}
		kernel := gocuda.BlockFunc(func(b *gocuda.Block) {
			launch()
			b.ForEach(func(t *gocuda.Thread) {
				if t.Rank() == b.Size()-1 {
					launch()
				}
			})
			b.Warps(func(w *gocuda.Warp) {
				if w.WarpID() == 0 {
					launch()
				}
				w.SyncThreads()
			})
		})
		return kernel, func() error { return wantEqual("children", count, int32(cfg.Blocks()*3*8)) }
	}
}
