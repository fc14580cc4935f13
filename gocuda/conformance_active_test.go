package gocuda_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func wrongMask(where string, got, want uint32) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("active mask %s: got %#x, want %#x", where, got, want)
}

// ActiveMask is what a warp in lockstep gives.
func activeRows() []row {
	type setup = func(cfg grid.Config) func(*gocuda.Thread) string
	// warpKernel is a setup from a function of a thread, its lane and the mask of the lanes that exist
	warpKernel := func(f func(t *gocuda.Thread, lane int, live uint32) string) setup {
		return func(cfg grid.Config) func(*gocuda.Thread) string {
			n := cfg.Threads()
			return func(t *gocuda.Thread) string { return f(t, rankOf(t)%32, liveMask(n, rankOf(t))) }
		}
	}
	const thirds, quarters = 0x49249249, 0x11111111
	return []row{
		noComplaint("ActiveMask at the top", shapes, warpKernel(func(t *gocuda.Thread, lane int, live uint32) string {
			return wrongMask("at the top", t.ActiveMask(), live)
		})),
		noComplaint("ActiveMask in the branches", shapes, warpKernel(func(t *gocuda.Thread, lane int, live uint32) string {
			var complaint string
			if lane%3 == 0 {
				complaint = wrongMask("of the branch", t.ActiveMask(), live&thirds)
			} else {
				complaint = wrongMask("of the other branch", t.ActiveMask(), live&^thirds)
			}
			return complaint + wrongMask("behind the branches", t.ActiveMask(), live)
		})),
		noComplaint("ActiveMask after an early return", shapes, warpKernel(func(t *gocuda.Thread, lane int, live uint32) string {
			if lane%4 == 0 {
				return ""
			}
			return wrongMask("after the return", t.ActiveMask(), live&^quarters)
		})),
		noComplaint("ActiveMask in a loop of different lengths", shapes, warpKernel(func(t *gocuda.Thread, lane int, live uint32) string {
			complaint := ""
			for i := range lane%4 + 1 {
				want := live
				for l := range 32 {
					if l%4 < i {
						want &^= 1 << l
					}
				}
				complaint += wrongMask(fmt.Sprint("in round ", i), t.ActiveMask(), want)
			}
			return complaint
		})),
		noComplaint("ActiveMask while others wait at a barrier", shapes, warpKernel(func(t *gocuda.Thread, lane int, live uint32) string {
			complaint := ""
			for range 2 {
				if lane < 16 {
					complaint += wrongMask("of the lower half", t.ActiveMask(), live&0xffff)
				}
				t.SyncThreads()
			}
			return complaint
		})),
		noComplaint("ActiveMask while others work with a mask of their own", shapes, warpKernel(func(t *gocuda.Thread, lane int, live uint32) string {
			complaint := ""
			if lane%2 == 0 {
				complaint = wrongMask("of the even lanes", t.ActiveMask(), live&0x55555555)
			} else {
				for i := range 3 {
					complaint += differ("sum of the odd lanes", gocuda.ReduceOrSync(t, 0xaaaaaaaa, i), i)
				}
			}
			t.SyncWarp(gocuda.FullMask)
			return complaint + wrongMask("together again", t.ActiveMask(), live)
		})),
		noComplaint("ActiveMask as the mask of what follows", shapes, warpKernel(func(t *gocuda.Thread, lane int, live uint32) string {
			if lane%3 != 0 {
				return ""
			}
			m := t.ActiveMask()
			sum := 0
			for l := range 32 {
				if m>>l&1 == 1 {
					sum += l
				}
			}
			t.SyncWarp(m)
			return differ("sum over the active lanes", gocuda.ReduceAddSync(t, m, lane), sum) +
				wrongMask("after the sum", t.ActiveMask(), live&thirds)
		})),
	}
}

// A lane that asks who is with it does not wait for threads that sleep until they hear from it.
func TestActiveMaskDoesntWaitForSleepers(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		for name, asks := range map[string]func(rank int) bool{
			"one lane":   func(rank int) bool { return rank == 5 },
			"whole warp": func(rank int) bool { return rank/32 == 1 },
		} {
			var asked, gaveUp int32
			deadline := time.Now().Add(20 * time.Second)
			err := d.launch(context.Background(), t, grid.Linear(64, 64), gocuda.ThreadFunc(func(t *gocuda.Thread) {
				if asks(t.Rank()) {
					m := t.ActiveMask()
					t.Assert(m>>t.LaneID()&1 == 1, "the caller is not in its active mask")
					atomic.Exch(&asked, 1)
					return
				}
				for i := 0; atomic.Add(&asked, 0) == 0; i++ {
					if i%1000 == 999 && time.Now().After(deadline) { // far longer than it can take
						atomic.Exch(&gaveUp, 1)
						return
					}
					t.Nanosleep(time.Nanosecond)
				}
			}))
			assert.NoError(t, err, name)
			assert.Zero(t, gaveUp, "%s: the sleepers gave up", name)
		}
	})
}

// warpScan returns the inclusive sum over the lanes up to the caller's.
func warpScan(t *gocuda.Thread, v int) int {
	for d := 1; d < 32; d *= 2 {
		if o := gocuda.ShflUpSync(t, gocuda.FullMask, v, d, 32); t.LaneID() >= d {
			v += o
		}
	}
	return v
}

func scanRows() []row {
	value := func(block, rank, tile int) int { return mix(block, rank, tile)%100 - 30 }
	return []row{
		perThread("scan of a warp", shapes, func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
			body := func(t *gocuda.Thread) int { return warpScan(t, value(blockOf(t), rankOf(t), 0)) }
			return body, func(block, rank int) int {
				sum := 0
				for r := rank / 32 * 32; r <= rank; r++ {
					sum += value(block, r, 0)
				}
				return sum
			}
		}),
		// each block scans three tiles, carrying the sum on
		perThread("scan of a block, of shuffles and shared memory, in a loop", shapes, func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
			n := cfg.Threads()
			warps := (n + 31) / 32
			body := func(t *gocuda.Thread) int {
				sums := gocuda.Shared[int](t, 32)
				carry := gocuda.Shared[int](t, 1)
				b, r := blockOf(t), rankOf(t)
				if r == 0 {
					carry[0] = 0
				}
				result := 0
				for tile := range 3 {
					v := warpScan(t, value(b, r, tile))
					if r%32 == 31 || r == n-1 {
						sums[r/32] = v
					}
					t.SyncThreads()
					if r < 32 {
						s := 0
						if r < warps {
							s = sums[r]
						}
						if s = warpScan(t, s); r < warps {
							sums[r] = s
						}
					}
					t.SyncThreads()
					v += carry[0]
					if r >= 32 {
						v += sums[r/32-1]
					}
					result = result*3 + v
					t.SyncThreads()
					if r == n-1 {
						carry[0] = v
					}
				}
				return result
			}
			// the scan of all tiles, once for each block
			scans := make([][]int, cfg.Blocks())
			for b := range scans {
				sum := 0
				for tile := range 3 {
					for r := range n {
						sum += value(b, r, tile)
						scans[b] = append(scans[b], sum)
					}
				}
			}
			return body, func(block, rank int) int {
				s := scans[block]
				return (s[rank]*3+s[n+rank])*3 + s[2*n+rank]
			}
		}),
		perThread("reduction to the last warp, then shuffles", shapes, func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
			n := cfg.Threads()
			body := func(t *gocuda.Thread) int {
				s := gocuda.Shared[int](t, 1024)
				b, r := blockOf(t), rankOf(t)
				for i := r; i < 1024; i += n {
					s[i] = 0
				}
				t.SyncThreads()
				s[r] = value(b, r, 0)
				t.SyncThreads()
				for d := 512; d >= 32; d /= 2 {
					for i := r; i < d; i += n {
						s[i] += s[i+d]
					}
					t.SyncThreads()
				}
				if r < 32 {
					v := s[r]
					if n < 32 { // lanes that don't exist can't be read
						v = gocuda.ReduceAddSync(t, gocuda.FullMask, v)
					} else {
						for d := 16; d > 0; d /= 2 {
							v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
						}
					}
					if r == 0 {
						s[0] = v
					}
				}
				t.SyncThreads()
				return s[0]
			}
			sums := make([]int, cfg.Blocks())
			for b := range sums {
				for r := range n {
					sums[b] += value(b, r, 0)
				}
			}
			return body, func(block, rank int) int { return sums[block] }
		}),
	}
}
