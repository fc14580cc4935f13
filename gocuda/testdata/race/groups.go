package main

import (
	"github.com/gocuda/gocuda/gocuda"
)

// Programs about barriers of parts of a block, of the grid, and about kernels that launch kernels.

// cooperate runs a cooperative launch on a device that has room for it. The test's own may be small.
func cooperate(blocks, threads int, kernel func(*gocuda.Thread)) {
	dev, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.Volta), gocuda.WithWorkers(1))
	must(err)
	must(dev.LaunchCooperative(ctx, shape(blocks, threads), gocuda.ThreadFunc(kernel)))
	must(dev.Close())
}

// withBarrier gives every thread the block's Barrier of count arrivals.
func withBarrier(count int, f func(t *gocuda.Thread, bar *gocuda.Barrier)) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		bar := &gocuda.Shared[gocuda.Barrier](t, 1)[0]
		if t.Rank() == 0 {
			bar.Init(t, count)
		}
		t.SyncThreads()
		f(t, bar)
	}
}

func init() {
	// None of these orders threads.
	for name, call := range map[string]func(*gocuda.Thread){
		"Arrive":     func(t *gocuda.Thread) { t.Arrive() },
		"BarArrive":  func(t *gocuda.Thread) { t.BarArrive(1+t.Rank()%15, 32) },
		"SyncRange":  func(t *gocuda.Thread) { t.SyncRange(t.Rank(), 1) },
		"GatherSync": func(t *gocuda.Thread) { gocuda.GatherSync(t, 1<<t.LaneID(), 1) },
		"Launch":     func(t *gocuda.Thread) { must(t.LaunchFunc(shape(1, 1), nothing)) },
		"Launch-error": func(t *gocuda.Thread) {
			if t.LaunchFunc(shape(1, 5000), nothing) == nil {
				stop("launched")
			}
		},
	} {
		racy[name+"/first"] = func(dev *gocuda.Device) {
			run(dev, 64, neighbours(make([]int, 64), 1, call, nothing))
		}
	}
	racy["named-barriers-of-two-halves"] = func(dev *gocuda.Device) {
		run(dev, 64, neighbours(make([]int, 64), 32, nothing, func(t *gocuda.Thread) { t.BarSync(t.WarpID(), 32) }))
	}
	racy["barrier-object-without-wait"] = func(dev *gocuda.Device) {
		x := make([]int, 64)
		run(dev, 64, withBarrier(64, func(t *gocuda.Thread, bar *gocuda.Barrier) {
			neighbours(x, 1, nothing, func(t *gocuda.Thread) { bar.Arrive(t, 1) })(t)
		}))
	}
	racy["barrier-object-without-syncthreads"] = func(dev *gocuda.Device) {
		run(dev, 2, func(t *gocuda.Thread) {
			bar := &gocuda.Shared[gocuda.Barrier](t, 1)[0]
			if t.Rank() == 0 {
				bar.Init(t, 2)
			} else {
				_ = *bar
			}
		})
	}
	racy["grid-without-barrier"] = func(*gocuda.Device) {
		x := make([]int, 4)
		cooperate(4, 1, func(t *gocuda.Thread) {
			x[t.BlockIdx.X] = 1
			t.SyncThreads()
			_ = x[(t.BlockIdx.X+1)%4]
			t.SyncGrid()
		})
	}
	racy["grid-arrive-without-wait"] = func(*gocuda.Device) {
		x := make([]int, 4)
		cooperate(4, 1, func(t *gocuda.Thread) {
			x[t.BlockIdx.X] = 1
			tok := t.ArriveGrid()
			_ = x[(t.BlockIdx.X+1)%4]
			t.WaitGrid(tok)
		})
	}
	racy["child-and-parent"] = func(dev *gocuda.Device) {
		run(dev, 1, func(t *gocuda.Thread) {
			x := 0
			must(t.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { x = 1 }))
			_ = x
		})
	}
	racy["children-of-two-streams"] = func(dev *gocuda.Device) {
		x := 0
		run(dev, 1, func(t *gocuda.Thread) {
			for range 2 {
				must(t.LaunchOn(t.NewStream(), shape(1, 1), gocuda.ThreadFunc(func(*gocuda.Thread) { x++ })))
			}
		})
	}
	racy["children-of-two-blocks"] = func(dev *gocuda.Device) {
		x := 0
		runBlocks(dev, 2, 1, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			must(t.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { x++ }))
		}))
	}
	racy["child-of-another-thread"] = func(dev *gocuda.Device) {
		run(dev, 2, func(t *gocuda.Thread) {
			x := gocuda.Shared[int](t, 1)
			if t.Rank() == 0 {
				x[0] = 1 // the child does not see it for certain
			} else {
				must(t.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { x[0]++ }))
			}
		})
	}

	clean["split-barrier"] = rotate(64, 1, func(t *gocuda.Thread) { t.Wait(t.Arrive()) })
	clean["named-barrier"] = rotate(64, 33, func(t *gocuda.Thread) { t.BarSync(3, 64) })
	clean["named-barrier-of-all"] = rotate(70, 33, func(t *gocuda.Thread) { t.BarRedCount(3, 0, true) })
	clean["barrier-zero"] = rotate(64, 33, func(t *gocuda.Thread) { t.BarSync(0, 64) })
	clean["range"] = rotate(50, 20, func(t *gocuda.Thread) { t.SyncRange(0, 50) })
	clean["gather"] = rotate(32, 1, func(t *gocuda.Thread) { gocuda.GatherSync(t, gocuda.FullMask, "x") })
	clean["gather-of-a-range"] = rotate(64, 1, func(t *gocuda.Thread) {
		all := gocuda.GatherRange(t, 0, 64, []int{t.Rank()})
		for k := range all.Len() {
			v, ok := all.At(k)
			t.Assert(ok && v[0] == k)
		}
	})
	clean["barrier-object"] = func(dev *gocuda.Device) {
		x := make([]int, 64)
		run(dev, 64, withBarrier(64, func(t *gocuda.Thread, bar *gocuda.Barrier) {
			for round := range 4 {
				x[t.Rank()]++
				switch tok := bar.Arrive(t, 1); round {
				case 0:
					bar.Wait(t, tok)
				case 1:
					bar.WaitParity(t, false) // four phases a round
				default:
					for !bar.TestWait(t, tok) {
					}
				}
				t.Assert(x[(t.Rank()+1)%64] == round+1)
				bar.ArriveAndWait(t)
				bar.ArriveAndWait(t)
				bar.ArriveAndWait(t)
			}
		}))
	}
	clean["returned-threads"] = func(dev *gocuda.Device) {
		x := make([]int, 64)
		run(dev, 64, func(t *gocuda.Thread) {
			x[t.Rank()] = 1
			switch t.Rank() % 4 {
			case 0:
				return
			case 1:
				t.Arrive()
				return
			}
			t.Wait(t.Arrive())
			t.Assert(x[t.Rank()/4*4] == 1 && x[t.Rank()/4*4+1] == 1)
		})
		run(dev, 64, func(t *gocuda.Thread) {
			x[t.Rank()] = 3
			if t.Rank()%4 == 0 {
				return
			}
			for range 100 * (t.Rank() % 2) { // some see the others gone already
				t.Nanosleep(0)
			}
			t.BarSync(2, 0)
			t.Assert(x[t.Rank()/4*4] == 3)
			t.Wait(t.Arrive())
			t.SyncRange(32*t.WarpID(), 32)
			t.Assert(x[t.Rank()/4*4] == 3)
		})
		cooperate(4, 8, func(t *gocuda.Thread) {
			x[t.GlobalX()] = 2
			if t.Rank() == 3 {
				return
			}
			if t.Rank() == 4 {
				t.ArriveGrid()
				return
			}
			t.SyncGrid()
			t.Assert(x[(t.GlobalX()/8*8+8+3)%32] == 2 && x[(t.GlobalX()/8*8+8+4)%32] == 2)
		})
	}
	clean["grid-barrier"] = func(*gocuda.Device) {
		x := make([]int, 4*33)
		cooperate(4, 33, func(t *gocuda.Thread) {
			i := t.GlobalX()
			for round := range 4 {
				x[i] = round
				if round%2 == 0 {
					t.SyncGrid()
				} else {
					t.WaitGrid(t.ArriveGrid())
				}
				t.Assert(x[(i+40)%len(x)] == round)
				t.SyncGrid()
			}
		})
	}
	clean["children"] = func(dev *gocuda.Device) {
		x := make([]int, 6)
		y := 0
		runBlocks(dev, 2, 3, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			p := &x[t.GlobalX()]
			*p = 1 // seen by the child
			child := func(t *gocuda.Thread) {
				*p++
				must(t.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { *p++ }))
			}
			must(t.LaunchFunc(shape(1, 1), child))
			t.Nanosleep(1000)
			must(t.LaunchFunc(shape(1, 1), child))
			if t.GlobalX() == 5 {
				for range 2 {
					must(t.LaunchOn(gocuda.StreamTailLaunch(), shape(1, 1), gocuda.ThreadFunc(func(*gocuda.Thread) {
						for _, v := range x {
							y += v
						}
					})))
				}
			}
		}))
		equal(y, 2*6*5)
	}
}
