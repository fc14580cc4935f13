package main

import (
	"context"
	"sync"
	"time"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
)

// neighbours is the kernel of most programs: each thread writes its element and, after sync, reads
// that of another thread.
func neighbours(s []int, distance int, before, sync func(*gocuda.Thread)) func(*gocuda.Thread) {
	out := make([]int, len(s))
	return func(t *gocuda.Thread) {
		before(t)
		s[t.Rank()] = t.Rank()
		sync(t)
		out[t.Rank()] = s[(t.Rank()+distance)%len(s)]
	}
}

func nothing(*gocuda.Thread) {}

// between are calls that order nobody. Each makes two programs: thread 0 writes before the call and
// thread 1 reads after it, and the other way round, so that whoever runs first, in one of them the
// write comes first.
var between = map[string]func(*gocuda.Thread){
	"Shared":           func(t *gocuda.Thread) { gocuda.Shared[int](t, 10) },
	"DynamicShared":    func(t *gocuda.Thread) { gocuda.DynamicShared[int](t) },
	"Printf":           func(t *gocuda.Thread) { t.Printf("thread %d of %v\n", t.Rank(), t.BlockDim) },
	"Printf-part":      func(t *gocuda.Thread) { t.Printf("part") },
	"Threadfence":      func(t *gocuda.Thread) { t.Threadfence() },
	"ThreadfenceBlock": func(t *gocuda.Thread) { t.ThreadfenceBlock(); t.ThreadfenceSystem() },
	"NewStream":        func(t *gocuda.Thread) { t.NewStream() },
	"Clock":            func(t *gocuda.Thread) { t.Clock() },
	"Nanosleep":        func(t *gocuda.Thread) { t.Nanosleep(time.Microsecond) },
	"Nanosleep-long":   func(t *gocuda.Thread) { t.Nanosleep(300 * time.Microsecond) },
	"ActiveMask":       func(t *gocuda.Thread) { t.ActiveMask() },
	"Assert":           func(t *gocuda.Thread) { t.Assert(t.Rank() >= 0, "rank ", t.Rank()) },
	"SyncWarp-alone":   func(t *gocuda.Thread) { t.SyncWarp(1 << t.LaneID()) },
	"vote-alone":       func(t *gocuda.Thread) { t.AnySync(1<<t.LaneID(), true) },
}

func init() {
	for name, call := range between {
		for writer, suffix := range []string{"/up", "/down"} {
			racy[name+suffix] = func(dev *gocuda.Device) {
				x, y := 0, 0
				run(dev, 2, func(t *gocuda.Thread) {
					if t.Rank() == writer {
						x = 1
						call(t)
					} else {
						call(t)
						y = x
					}
				})
				_ = y
			}
		}
		racy[name+"/first"] = func(dev *gocuda.Device) {
			run(dev, 64, neighbours(make([]int, 64), 1, call, nothing))
		}
	}
}

// racy are programs with a race that must be reported every time.
var racy = map[string]program{
	"no-barrier": func(dev *gocuda.Device) {
		run(dev, 64, neighbours(make([]int, 64), 1, nothing, nothing))
	},
	"no-barrier-in-shared-memory": func(dev *gocuda.Device) {
		out := make([]int, 64)
		run(dev, 64, func(t *gocuda.Thread) {
			s := gocuda.Shared[int](t, 64)
			s[t.Rank()] = t.Rank()
			out[t.Rank()] = s[(t.Rank()+1)%64]
		})
	},
	"no-barrier-in-dynamic-shared-memory": func(dev *gocuda.Device) {
		out := make([]int, 64)
		run(dev, 64, func(t *gocuda.Thread) {
			s := gocuda.DynamicShared[int](t)
			s[t.Rank()] = t.Rank()
			out[t.Rank()] = s[(t.Rank()+1)%64]
		})
	},
	"no-barrier-in-a-later-block": func(dev *gocuda.Device) {
		out := make([]int, 10*64)
		runBlocks(dev, 10, 64, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			s := gocuda.Shared[int](t, 64)
			s[t.Rank()] = t.Rank()
			if t.BlockIdx.X != 9 {
				t.SyncThreads()
			}
			out[t.GlobalX()] = s[(t.Rank()+1)%64]
		}))
	},
	"barrier-too-early": func(dev *gocuda.Device) {
		run(dev, 64, neighbours(make([]int, 64), 1, func(t *gocuda.Thread) { t.SyncThreads() }, nothing))
	},
	"one-barrier-a-round": func(dev *gocuda.Device) {
		s := make([]int, 64)
		run(dev, 64, func(t *gocuda.Thread) {
			for range 3 {
				v := s[(t.Rank()+1)%64]
				t.SyncThreads()
				s[t.Rank()] = v + 1 // the next round reads it
			}
		})
	},
	"no-syncwarp": func(dev *gocuda.Device) {
		run(dev, 32, neighbours(make([]int, 32), 1, nothing, nothing))
	},
	"syncwarp-of-half-a-warp": func(dev *gocuda.Device) {
		run(dev, 32, neighbours(make([]int, 32), 16, nothing, func(t *gocuda.Thread) {
			t.SyncWarp(0xffff << (t.LaneID() / 16 * 16))
		}))
	},
	"syncwarp-of-another-warp": func(dev *gocuda.Device) {
		run(dev, 64, neighbours(make([]int, 64), 32, nothing, func(t *gocuda.Thread) { t.SyncWarp(gocuda.FullMask) }))
	},
	"shuffle-in-another-warp": func(dev *gocuda.Device) {
		run(dev, 64, neighbours(make([]int, 64), 32, nothing, func(t *gocuda.Thread) {
			gocuda.ShflXorSync(t, gocuda.FullMask, 1, 1, 32)
		}))
	},
	"counter": func(dev *gocuda.Device) {
		n := 0
		run(dev, 64, func(*gocuda.Thread) { n++ })
	},
	"counter-of-blocks": func(dev *gocuda.Device) {
		n := 0
		runBlocks(dev, 64, 1, gocuda.ThreadFunc(func(*gocuda.Thread) { n++ }))
	},
	"atomic-and-plain": func(dev *gocuda.Device) {
		var n, out int32
		run(dev, 2, func(t *gocuda.Thread) {
			if t.Rank() == 0 {
				atomic.Add(&n, 1)
			} else {
				out = n
			}
		})
		_ = out
	},
	"two-blocks-write": func(dev *gocuda.Device) {
		out := make([]int, 1)
		runBlocks(dev, 2, 32, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.Rank() == 0 {
				out[0] = t.BlockIdx.X
			}
		}))
	},
	"two-blocks-write-and-read": func(dev *gocuda.Device) {
		x, y := 0, 0
		runBlocks(dev, 2, 32, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			t.SyncThreads()
			if t.GlobalX() == 0 {
				x = 1
			} else if t.GlobalX() == 40 {
				y = x
			}
			t.SyncThreads()
		}))
		_ = y
	},
	"two-block-bodies-write": func(dev *gocuda.Device) {
		out := make([]int, 1)
		runBlocks(dev, 2, 32, gocuda.BlockFunc(func(b *gocuda.Block) { out[0] = b.BlockIdx.X }))
	},
	"two-blocks-of-warps-write": func(dev *gocuda.Device) {
		out := make([]int, 1)
		runBlocks(dev, 2, 32, gocuda.WarpFunc(func(w *gocuda.Warp) { out[0] = w.BlockIdx.X }))
	},
	// What has ended long ago is not forgotten, as far as the race detector goes back: it tells some 250 goroutines
	// apart at a time, and takes a later one for an earlier one then and when.
	"distant-blocks": func(dev *gocuda.Device) {
		out := make([]int, 1)
		runBlocks(dev, 5, 32, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.GlobalX() == 0 || t.GlobalX() == 4*32 {
				out[0] = t.GlobalX()
			}
		}))
	},
	"distant-block-bodies": func(dev *gocuda.Device) {
		out := make([]int, 1)
		runBlocks(dev, 100, 1, gocuda.BlockFunc(func(b *gocuda.Block) {
			if b.BlockIdx.X == 0 || b.BlockIdx.X == 99 {
				out[0] = b.BlockIdx.X
			}
		}))
	},
	"foreach": func(dev *gocuda.Device) {
		runBlocks(dev, 1, 64, gocuda.BlockFunc(func(b *gocuda.Block) {
			s := gocuda.Shared[int](b, 64)
			b.ForEach(func(t *gocuda.Thread) { s[t.Rank()] = 1 })
			b.ForEach(func(t *gocuda.Thread) { s[t.Rank()] += s[(t.Rank()+1)%64] })
		}))
	},
	"foreach-captured": func(dev *gocuda.Device) {
		runBlocks(dev, 1, 64, gocuda.BlockFunc(func(b *gocuda.Block) {
			sum := 0
			b.ForEach(func(t *gocuda.Thread) { sum += t.Rank() })
		}))
	},
	"threads-of-a-phase": func(dev *gocuda.Device) {
		runBlocks(dev, 1, 64, gocuda.BlockFunc(func(b *gocuda.Block) {
			b.Threads(neighbours(make([]int, 64), 1, nothing, nothing))
		}))
	},
	"warps": func(dev *gocuda.Device) {
		out := make([]int, 4)
		runBlocks(dev, 1, 128, gocuda.WarpFunc(func(w *gocuda.Warp) {
			s := gocuda.Shared[int](w, 4)
			s[w.WarpID()] = 1
			out[w.WarpID()] = s[(w.WarpID()+1)%4]
		}))
	},
	// Neither kernel ends before both have made their access: an end could order the other's beginning.
	"two-streams": func(dev *gocuda.Device) {
		x := make([]int, 1)
		both := meet(2)
		s1, s2 := dev.NewStream(), dev.NewStream()
		must(s1.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { x[0] = 1; both() }))
		must(s2.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { x[0] = 2; both() }))
		must(dev.Synchronize(context.Background()))
	},
	"two-launches-at-once": func(dev *gocuda.Device) {
		x := make([]int, 1)
		both := meet(2)
		var wg sync.WaitGroup
		for i := range 2 {
			wg.Go(func() { run(dev, 1, func(*gocuda.Thread) { x[0] = i; both() }) })
		}
		wg.Wait()
	},
	"event-recorded-too-early": func(dev *gocuda.Device) {
		x, y := 0, 0
		both := meet(2)
		s1, s2 := dev.NewStream(), dev.NewStream()
		e := dev.NewEvent()
		must(s1.Record(e))
		must(s1.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { x = 1; both() }))
		must(s2.Wait(e))
		must(s2.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { y = x; both() }))
		must(dev.Synchronize(context.Background()))
		_ = y
	},
	"host-does-not-wait": func(dev *gocuda.Device) {
		x := 0
		begun := make(chan struct{})
		s := dev.NewStream()
		must(s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { close(begun); x = 1 }))
		<-begun // otherwise the host may well be first
		y := x
		must(s.Synchronize(context.Background()))
		_ = y
	},
}

// meet returns a func that returns once n goroutines have called it.
func meet(n int) func() {
	var all sync.WaitGroup
	all.Add(n)
	return func() { all.Done(); all.Wait() }
}
