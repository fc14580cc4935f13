package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// printed is what kernels have printed.
var printed bytes.Buffer

var ctx = context.Background()

// rotate checks that sync lets each of n threads see what the one distance further has written.
func rotate(n, distance int, sync func(*gocuda.Thread)) program {
	return func(dev *gocuda.Device) {
		out := make([]int, 3*n)
		runBlocks(dev, 3, n, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			s := gocuda.Shared[int](t, n)
			r := t.Rank()
			for range 3 {
				s[r] = r
				sync(t)
				v := s[(r+distance)%n]
				sync(t)
				out[t.GlobalX()] = v
			}
		}))
		for i, v := range out {
			equal(v, (i%n+distance)%n)
		}
	}
}

// clean are programs without a race, of which none may be reported.
var clean = map[string]program{
	"barrier":       rotate(64, 1, func(t *gocuda.Thread) { t.SyncThreads() }),
	"barrier-count": rotate(70, 33, func(t *gocuda.Thread) { t.SyncThreadsCount(true) }),
	"barrier-and":   rotate(64, 1, func(t *gocuda.Thread) { t.SyncThreadsAnd(true) }),
	"barrier-or":    rotate(64, 1, func(t *gocuda.Thread) { t.SyncThreadsOr(false) }),
	"syncwarp":      rotate(32, 1, func(t *gocuda.Thread) { t.SyncWarp(gocuda.FullMask) }),
	"syncwarp-part": rotate(20, 7, func(t *gocuda.Thread) { t.SyncWarp(gocuda.FullMask) }),
	"shuffle":       rotate(32, 1, func(t *gocuda.Thread) { gocuda.ShflSync(t, gocuda.FullMask, 1, 0, 32) }),
	"shuffle-of-structs": rotate(32, 1, func(t *gocuda.Thread) {
		type pair struct {
			a string
			b [5]int
		}
		p := gocuda.ShflXorSync(t, gocuda.FullMask, pair{a: strings.Repeat("x", t.LaneID())}, 1, 32)
		t.Assert(len(p.a) == t.LaneID()^1)
	}),
	"ballot":    rotate(32, 1, func(t *gocuda.Thread) { t.BallotSync(gocuda.FullMask, true) }),
	"all":       rotate(32, 1, func(t *gocuda.Thread) { t.AllSync(gocuda.FullMask, true) }),
	"match-any": rotate(32, 1, func(t *gocuda.Thread) { gocuda.MatchAnySync(t, gocuda.FullMask, t.LaneID()) }),
	"match-all": rotate(32, 1, func(t *gocuda.Thread) { gocuda.MatchAllSync(t, gocuda.FullMask, 1.0) }),
	"reduce":    rotate(32, 1, func(t *gocuda.Thread) { gocuda.ReduceAddSync(t, gocuda.FullMask, 1) }),
	"barrier-beside-warp-operations": rotate(96, 5, func(t *gocuda.Thread) {
		gocuda.ShflUpSync(t, gocuda.FullMask, 1, 1, 32)
		t.Threadfence()
		t.SyncThreads()
		t.ActiveMask()
	}),

	// Threads that have returned count as arrived, and what they wrote before is seen.
	"early-return": func(dev *gocuda.Device) {
		out := make([]int, 64)
		runBlocks(dev, 3, 64, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			s := gocuda.Shared[int](t, 64)
			r := t.Rank()
			s[r] = r
			if r%3 == 0 {
				return
			}
			t.SyncThreads()
			v := s[(r+1)%64]
			if r%3 == 1 {
				return
			}
			t.SyncThreads()
			if t.BlockIdx.X == 1 {
				out[r] = v + s[(r+2)%64]
			}
		}))
		for r := 2; r < 60; r += 3 {
			equal(out[r], 2*r+3)
		}
	},
	"early-return-of-lanes": func(dev *gocuda.Device) {
		out := make([]int, 32)
		run(dev, 32, func(t *gocuda.Thread) {
			s := gocuda.Shared[int](t, 32)
			s[t.Rank()] = t.Rank()
			if t.Rank()%2 == 0 {
				return
			}
			t.SyncWarp(gocuda.FullMask)
			out[t.Rank()] = s[t.Rank()-1]
		})
		equal(out[31], 30)
	},
	"atomic-counter": func(dev *gocuda.Device) {
		var n int32
		var last float64
		runBlocks(dev, 4, 64, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			atomic.Add(&n, 1)
			atomic.Add(&last, 0.5)
		}))
		equal(n, 256)
		equal(last, 128)
	},
	"atomic-flag": func(dev *gocuda.Device) {
		var flag int32
		x := 0
		out := make([]int, 64)
		run(dev, 64, func(t *gocuda.Thread) {
			if t.Rank() == 63 {
				x = 42
				atomic.Exch(&flag, 1)
			}
			for atomic.Add(&flag, 0) == 0 {
				t.Nanosleep(1)
			}
			out[t.Rank()] = x
		})
		equal(out[0], 42)
	},
	"long-sleep": func(dev *gocuda.Device) {
		runBlocks(dev, 2, 8, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			for range 3 {
				t.Nanosleep(300 * time.Microsecond)
			}
		}))
	},
	// The pattern of CUDA's threadFenceReduction sample: the last block adds up what the others left.
	"last-block": func(dev *gocuda.Device) {
		var done uint32
		parts := make([]int, 8)
		total := 0
		runBlocks(dev, 8, 32, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			last := gocuda.Shared[bool](t, 1)
			if t.Rank() == 0 {
				parts[t.BlockIdx.X] = t.BlockIdx.X
				t.Threadfence()
				last[0] = atomic.Inc(&done, 7) == 7
			}
			t.SyncThreads()
			if last[0] && t.Rank() == 31 {
				for _, v := range parts {
					total += v
				}
			}
		}))
		equal(total, 28)
	},
	// Blocks and launches get the same memory one after another.
	"shared-memory-again": func(dev *gocuda.Device) {
		for range 3 {
			runBlocks(dev, 20, 64, gocuda.ThreadFunc(func(t *gocuda.Thread) {
				s, d := gocuda.Shared[int](t, 64), gocuda.DynamicShared[int](t)
				p := gocuda.Shared[*int](t, 64)
				s[t.Rank()], d[63-t.Rank()], p[t.Rank()] = 1, 2, new(int)
				t.SyncThreads()
				*p[63-t.Rank()] = s[63-t.Rank()] + d[t.Rank()]
			}))
		}
	},
	"block-kernel": func(dev *gocuda.Device) {
		out := make([]int, 8)
		runBlocks(dev, 8, 64, gocuda.BlockFunc(func(b *gocuda.Block) {
			s, l := gocuda.Shared[int](b, 64), gocuda.Local[int](b)
			b.ForEach(func(t *gocuda.Thread) { s[t.Rank()] = t.Rank(); l[t.Rank()] = 1 })
			for d := 32; d > 0; d /= 2 {
				for i := range d {
					s[i] += s[i+d]
				}
			}
			b.Threads(func(t *gocuda.Thread) {
				l[t.Rank()] += s[0]
				t.SyncThreads()
				t.Assert(l[63-t.Rank()] == 2017)
			})
			b.Warps(func(w *gocuda.Warp) { l[w.WarpID()]++ })
			b.ForEach(func(t *gocuda.Thread) {
				if t.Rank() == 1 {
					out[b.BlockIdx.X] = l[1]
				}
			})
		}))
		equal(out[7], 2018)
	},
	"warp-kernel": func(dev *gocuda.Device) {
		out := make([]int, 4)
		runBlocks(dev, 3, 128, gocuda.WarpFunc(func(w *gocuda.Warp) {
			s := gocuda.Shared[int](w, 4)
			s[w.WarpID()] = w.WarpID()
			w.SyncThreads()
			if w.BlockIdx.X == 2 {
				out[w.WarpID()] = s[3-w.WarpID()]
			}
		}))
		equal(out[0], 3)
	},
	"printf": func(dev *gocuda.Device) {
		printed.Reset()
		runBlocks(dev, 4, 32, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			t.Printf("thread ")
			t.SyncThreads()
			t.Printf("%d of block %d\n", t.Rank(), t.BlockIdx.X)
		}))
		equal(strings.Count(printed.String(), "\n"), 128)
		equal(strings.Count(printed.String(), "thread 31 of block 3\n"), 1)
	},
	"two-launches": func(dev *gocuda.Device) {
		x := make([]int, 256)
		for i := range x {
			x[i] = i
		}
		for range 2 {
			runBlocks(dev, 4, 64, gocuda.ThreadFunc(func(t *gocuda.Thread) { x[t.GlobalX()]++ }))
			runBlocks(dev, 4, 64, gocuda.ThreadFunc(func(t *gocuda.Thread) { x[255-t.GlobalX()]++ }))
		}
		equal(x[255], 259)
	},
	"two-launches-in-a-stream": func(dev *gocuda.Device) {
		x := make([]int, 256)
		s := dev.NewStream()
		must(s.LaunchFunc(shape(4, 64), func(t *gocuda.Thread) { x[t.GlobalX()] = 1 }))
		must(s.LaunchFunc(shape(4, 64), func(t *gocuda.Thread) { x[255-t.GlobalX()]++ }))
		must(s.AddCallback(func() { x[0]++ }))
		must(s.Synchronize(ctx))
		equal(x[0], 3)
		must(s.Close())
	},
	"event-between-streams": func(dev *gocuda.Device) {
		x, y := make([]int, 64), 0
		s1, s2 := dev.NewStream(), dev.NewStream()
		e, done := dev.NewEvent(), dev.NewEvent()
		must(s1.LaunchFunc(shape(1, 64), func(t *gocuda.Thread) { x[t.Rank()] = 1 }))
		must(s1.Record(e))
		must(s2.Wait(e))
		must(s2.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { y = x[63] }))
		must(s2.Record(done))
		must(done.Synchronize(ctx))
		equal(y, 1)
	},
	"query-tells-the-host": func(dev *gocuda.Device) {
		x, y := 0, 0
		s := dev.NewStream()
		e := dev.NewEvent()
		must(s.LaunchFunc(shape(2, 32), func(t *gocuda.Thread) {
			if t.GlobalX() == 40 {
				x = 1
			}
		}))
		must(s.Record(e))
		must(s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { y = 1 }))
		for done := false; !done; {
			done, _ = e.Query()
		}
		equal(x, 1)
		for done := false; !done; {
			done, _ = s.Query()
		}
		equal(y, 1)
	},
	"device-synchronize": func(dev *gocuda.Device) {
		x := make([]int, 20)
		for i := range x {
			must(dev.NewStream().LaunchFunc(shape(1, 1), func(*gocuda.Thread) { x[i] = i }))
		}
		must(dev.Synchronize(ctx))
		equal(x[19], 19)
	},
	"closed-streams": func(dev *gocuda.Device) {
		x := 0
		s := dev.NewStream()
		must(s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { x = 1 }))
		must(s.Close())
		equal(x, 1)
	},
	"copies": func(dev *gocuda.Device) {
		buf, err := mem.Alloc[int](dev, 64)
		must(err)
		src, dst := make([]int, 64), make([]int, 64)
		x := buf.Data()
		s := dev.NewStream()
		must(mem.CopyToDeviceAsync(s, buf, src))
		must(s.LaunchFunc(shape(1, 64), func(t *gocuda.Thread) { x[t.Rank()]++ }))
		must(mem.CopyToHostAsync(s, dst, buf))
		must(s.Synchronize(ctx))
		src[0], dst[0] = 1, dst[0]+1
		equal(dst[0], 2)
		must(buf.Free())
	},
	// A launch that fails has ended as well.
	"panic": func(dev *gocuda.Device) {
		for range 3 {
			x := make([]int, 4*64)
			boom := errors.New("boom")
			err := dev.LaunchFunc(ctx, shape(4, 64), func(t *gocuda.Thread) {
				x[t.GlobalX()] = 1
				t.SyncThreads()
				if t.Rank() > 40 {
					panic(boom)
				}
				t.SyncThreads()
			})
			equal(errors.Is(err, boom), true)
			for i := range x {
				x[i]++
			}
		}
	},
	"cancelled": func(dev *gocuda.Device) {
		x := make([]int, 64)
		c, cancel := context.WithCancel(ctx)
		err := dev.LaunchFunc(c, shape(1, 64), func(t *gocuda.Thread) {
			for i := 0; ; i++ {
				x[(t.Rank()+i)%64]++
				t.SyncThreads()
				if t.Rank() == 5 && i == 3 {
					cancel()
				}
			}
		})
		equal(errors.Is(err, context.Canceled), true)
		x[0]++
	},
	"nested": func(dev *gocuda.Device) {
		x := make([]int, 64)
		var failed error
		run(dev, 1, func(*gocuda.Thread) {
			x[5] = 1
			failed = dev.LaunchFunc(ctx, shape(1, 64), func(t *gocuda.Thread) { x[t.Rank()]++ })
			x[5]++
		})
		must(failed)
		equal(x[5], 3)
	},
	"many-goroutines": func(dev *gocuda.Device) {
		var wg sync.WaitGroup
		x := make([]int, 8)
		for i := range x {
			wg.Go(func() {
				for range 3 {
					run(dev, 32, func(t *gocuda.Thread) {
						v := gocuda.ReduceAddSync(t, gocuda.FullMask, 1)
						t.SyncThreads()
						if t.Rank() == 7 {
							x[i] += v
						}
					})
				}
			})
		}
		wg.Wait()
		equal(x[7], 96)
	},
}

// misuses are kernels in which many threads fail at once. The errors must be made without a race.
var misuses = map[error]func(*gocuda.Thread){
	gocuda.ErrBarrierDeadlock: func(t *gocuda.Thread) {
		if t.Rank() < 16 {
			t.SyncThreads()
		} else {
			t.SyncWarp(gocuda.FullMask)
		}
	},
	gocuda.ErrBarrierDivergence: func(t *gocuda.Thread) {
		if t.Rank()%2 == 0 {
			t.SyncThreads()
		} else {
			t.SyncThreadsOr(true)
		}
	},
	gocuda.ErrWarpDivergence: func(t *gocuda.Thread) {
		if t.Rank()%2 == 0 {
			t.SyncWarp(gocuda.FullMask)
		} else {
			t.AnySync(gocuda.FullMask, true)
		}
	},
	gocuda.ErrInactiveLane: func(t *gocuda.Thread) {
		if t.LaneID() < 16 {
			gocuda.ShflSync(t, gocuda.FullMask, 1, 20, 32)
		}
	},
	gocuda.ErrInvalidMask:       func(t *gocuda.Thread) { t.SyncWarp(2 << (t.LaneID() % 31)) },
	gocuda.ErrSharedMismatch:    func(t *gocuda.Thread) { gocuda.Shared[int](t, 1+t.Rank()%2) },
	gocuda.ErrSharedMemPerBlock: func(t *gocuda.Thread) { gocuda.Shared[int](t, 1<<20) },
	gocuda.ErrInvalidValue:      func(t *gocuda.Thread) { gocuda.Shared[int](t, -1) },
	gocuda.ErrAssert:            func(t *gocuda.Thread) { t.Assert(false, "thread ", t.Rank(), " of ", t.BlockDim) },
}

func init() {
	for want, kernel := range misuses {
		clean[strings.ReplaceAll(want.Error(), " ", "-")] = func(dev *gocuda.Device) {
			x := make([]int, 64)
			err := dev.LaunchFunc(ctx, shape(2, 64), func(t *gocuda.Thread) {
				if t.BlockIdx.X == 0 {
					x[t.Rank()]++
				}
				kernel(t)
			})
			equal(errors.Is(err, want), true)
			x[0]++
		}
	}
}
