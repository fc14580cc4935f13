package gocuda_test

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// turned is a row whose kernel moves the elements of a shared array by one place, as often as a block
// meets turn. Each place then tells how often that was: times says it serially.
func turned(name string, kernel func(t *gocuda.Thread, turn func()), times func(block int) int) row {
	return perThread(name, shapes, func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
		n := cfg.Threads()
		body := func(t *gocuda.Thread) int {
			s := gocuda.Shared[int](t, n)
			r := rankOf(t)
			s[r] = r
			t.SyncThreads()
			kernel(t, func() {
				v := s[(r+1)%n]
				t.SyncThreads()
				s[r] = v
				t.SyncThreads()
			})
			return s[r]
		}
		return body, func(block, rank int) int { return (rank + times(block)) % n }
	})
}

func barrierRows() []row {
	return []row{
		perThread("no barrier", shapes, func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
			return func(t *gocuda.Thread) int { return mix(blockOf(t), rankOf(t), 0) },
				func(block, rank int) int { return mix(block, rank, 0) }
		}),
		perThread("one barrier", shapes, func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
			n := cfg.Threads()
			body := func(t *gocuda.Thread) int {
				s := gocuda.Shared[int](t, n)
				s[rankOf(t)] = mix(blockOf(t), rankOf(t), 1)
				t.SyncThreads()
				return s[n-1-rankOf(t)]
			}
			return body, func(block, rank int) int { return mix(block, n-1-rank, 1) }
		}),
		perThread("barrier orders global memory", shapes, func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
			n := cfg.Threads()
			global := make([]int, cfg.Blocks()*n)
			body := func(t *gocuda.Thread) int {
				b, r := blockOf(t), rankOf(t)
				global[b*n+r] = mix(b, r, 2)
				t.SyncThreads()
				v := global[b*n+(r+n/2)%n]
				t.SyncThreads()
				global[b*n+r] = -1 // for the next launch
				return v
			}
			return body, func(block, rank int) int { return mix(block, (rank+n/2)%n, 2) }
		}),
		turned("barrier in a loop as long as the block's data says", func(t *gocuda.Thread, turn func()) {
			for range mix(blockOf(t), 0, 3) % 7 {
				turn()
			}
		}, func(block int) int { return mix(block, 0, 3) % 7 }),
		perThread("two barriers in a uniform branch", shapes, func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
			n := cfg.Threads()
			body := func(t *gocuda.Thread) int {
				s := gocuda.Shared[int](t, n)
				r, b := rankOf(t), blockOf(t)
				s[r] = r
				if b%2 == 0 {
					t.SyncThreads()
					v := s[(r+3)%n]
					t.SyncThreads()
					s[r] = v + 1
				}
				return s[r]
			}
			return body, func(block, rank int) int {
				if block%2 == 0 {
					return (rank+3)%n + 1
				}
				return rank
			}
		}),
		turned("barriers in loops in branches in loops", func(t *gocuda.Thread, turn func()) {
			b := blockOf(t)
			for i := range b%3 + 2 {
				if i%2 == b%2 {
					for j := 0; j < i+2; j++ {
						turn()
						if j%2 == 1 {
							for k := 3; k > j; k-- {
								turn()
							}
						}
					}
				} else {
					turn()
				}
				turn()
			}
		}, func(b int) (n int) {
			for i := range b%3 + 2 {
				n += 2
				if i%2 == b%2 {
					n += i + 1
					for j := 1; j < i+2; j += 2 {
						n += max(3-j, 0)
					}
				}
			}
			return n
		}),
		turned("loops that are left or begun anew before a barrier", func(t *gocuda.Thread, turn func()) {
			limit := blockOf(t) % 5
			for i := 0; ; i++ {
				if i == limit {
					break
				}
				turn()
				if i%2 == 0 {
					continue
				}
				turn()
			}
		}, func(b int) int { return b%5 + b%5/2 }),
		turned("leaving two loops at once", func(t *gocuda.Thread, turn func()) {
			b := blockOf(t)
		outer:
			for i := range 4 {
				for j := range 4 {
					if i*4+j == b*3%16 {
						break outer
					}
					if j == 2 {
						continue outer
					}
					turn()
				}
			}
		}, func(b int) int { // rounds of 2 turns: j is 0 and 1, at 2 the round ends
			at := b * 3 % 16
			if at%4 == 3 { // never met
				return 8
			}
			return at/4*2 + at%4
		}),
		turned("barriers in the cases of a switch", func(t *gocuda.Thread, turn func()) {
			switch blockOf(t) % 4 {
			case 0:
				turn()
				fallthrough
			case 1:
				turn()
			case 2:
				turn()
				turn()
				turn()
			}
		}, func(b int) int { return []int{2, 1, 3, 0}[b%4] }),
		turned("barrier in a helper", func(t *gocuda.Thread, turn func()) {
			twice(turn)
		}, func(int) int { return 2 }),
		turned("barrier in a helper in a loop", func(t *gocuda.Thread, turn func()) {
			for i := 0; i <= blockOf(t); i++ {
				twice(turn)
			}
		}, func(b int) int { return 2 * (b + 1) }),
		turned("barrier deep in a recursion", func(t *gocuda.Thread, turn func()) {
			if deep(t, 1+blockOf(t)%3*7, turn) < 0 {
				panic("never")
			}
		}, func(b int) int { return 2 * (1 + b%3*7) }),
		turned("barrier in deferred functions", func(t *gocuda.Thread, turn func()) {
			defer turn()
			defer t.SyncThreads()
			turn()
		}, func(int) int { return 2 }),
		turned("barrier in the body of a range over a function", func(t *gocuda.Thread, turn func()) {
			for range slices.Values([]int{1, 2, 3}) {
				turn()
			}
		}, func(int) int { return 3 }),
		turned("blocks that differ in the number of barriers", func(t *gocuda.Thread, turn func()) {
			if blockOf(t)%2 == 1 {
				for range blockOf(t) {
					turn()
				}
			}
		}, func(b int) int { return b % 2 * b }),
		noComplaint("fences are no barriers, and the clock does not go back", shapes, func(grid.Config) func(*gocuda.Thread) string {
			return func(t *gocuda.Thread) string {
				before := t.Clock()
				if t.LaneID()%2 == 0 {
					t.Threadfence()
					t.ThreadfenceBlock()
					t.ThreadfenceSystem()
				}
				t.SyncThreads()
				if after := t.Clock(); after < before {
					return fmt.Sprintf("the clock went from %d to %d", before, after)
				}
				return ""
			}
		}),
		differentBlocks(),
		valuesAlive(),
		ownIterator(),
		recoveredPanic(),
		waiting(),
	}
}

func twice(f func()) {
	f()
	f()
}

// deep calls turn on the way down and on the way up, with much on the stack.
func deep(t *gocuda.Thread, depth int, turn func()) int {
	var frame [64]int
	for i := range frame {
		frame[i] = depth*64 + i
	}
	turn()
	if depth > 1 {
		deep(t, depth-1, turn)
	}
	turn()
	for i, v := range frame {
		if v != depth*64+i {
			panic("the stack was overwritten")
		}
	}
	return frame[0]
}

// Blocks with nothing in common, so that nothing may be concluded from one block for the next.
func differentBlocks() row {
	cfgs := []grid.Config{
		{Grid: grid.Dim3{X: 40}, Block: grid.Dim3{X: 33}},
		{Grid: grid.Dim3{X: 8, Y: 5}, Block: grid.Dim3{X: 7, Y: 5}},
		{Grid: grid.Dim3{X: 40}, Block: grid.Dim3{X: 1}},
	}
	return perThread("blocks with nothing in common", cfgs, func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
		n := cfg.Threads()
		kind := func(b int) int { return mix(b, 0, 4) % 5 }
		body := func(t *gocuda.Thread) int {
			b, r := blockOf(t), rankOf(t)
			switch kind(b) {
			case 1: // one thread leaves at once
				if r == b%n {
					return -1
				}
				return t.SyncThreadsCount(true)
			case 2: // many barriers
				sum := 0
				for i := range 20 {
					sum += t.SyncThreadsCount((r+i)%2 == 0)
				}
				return sum
			case 3: // a warp operation
				return int(t.BallotSync(gocuda.FullMask, r%2 == 0))
			case 4: // shared memory
				s := gocuda.Shared[int](t, n)
				s[r] = b + r
				t.SyncThreads()
				return s[n-1-r]
			}
			return r
		}
		return body, func(b, r int) int {
			switch kind(b) {
			case 1:
				if r == b%n {
					return -1
				}
				return n - 1
			case 2:
				return 10*((n+1)/2) + 10*(n/2)
			case 3:
				mask := 0
				for l := range min(32, n-r/32*32) {
					mask |= (1 - l%2) << l
				}
				return mask
			case 4:
				return b + n - 1 - r
			}
			return r
		}
	})
}

func valuesAlive() row {
	type state struct {
		f    float64
		name string
		list []int
	}
	return noComplaint("values alive over barriers", shapes, func(cfg grid.Config) func(*gocuda.Thread) string {
		return func(t *gocuda.Thread) (complaint string) {
			r, b := rankOf(t), blockOf(t)
			var array [32]int
			for i := range array {
				array[i] = mix(r, b, i)
			}
			s := state{float64(r) / 3, strconv.Itoa(r * 7), nil}
			small, wide, cplx := int8(r), uint64(r)<<40, complex(float64(r), float64(b))
			count := 0
			add := func() { count++ }
			defer func() {
				if count != 5 {
					complaint = fmt.Sprintf("the closure counted %d", count)
				}
			}()
			for i := range 5 {
				s.list = append(s.list, i*r)
				t.SyncThreads()
				add()
			}
			for i := range array {
				if array[i] != mix(r, b, i) {
					return "a local array changed"
				}
			}
			if !slices.Equal(s.list, []int{0, r, 2 * r, 3 * r, 4 * r}) || s.f != float64(r)/3 || s.name != strconv.Itoa(r*7) {
				return fmt.Sprint("a local struct is now ", s)
			}
			if small != int8(r) || wide != uint64(r)<<40 || cplx != complex(float64(r), float64(b)) {
				return "a local variable changed"
			}
			return ""
		}
	})
}

// A kernel may use coroutines of its own.
func ownIterator() row {
	return perThread("a kernel's own iter.Pull between barriers", upTo(80), func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
		body := func(t *gocuda.Thread) int {
			next, stop := iter.Pull(func(yield func(int) bool) {
				for i := rankOf(t); yield(i); i += 10 {
				}
			})
			defer stop()
			sum := 0
			for range 3 {
				v, _ := next()
				t.SyncThreads()
				sum += v
			}
			return sum
		}
		return body, func(_, rank int) int { return 3*rank + 30 }
	})
}

// A panic that the kernel recovers from is its own affair.
func recoveredPanic() row {
	return perThread("a thread that recovers goes on to the barrier", shapes, func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
		n := cfg.Threads()
		body := func(t *gocuda.Thread) int {
			recovered := false
			func() {
				defer func() { recovered = recover() != nil }()
				if rankOf(t)%3 == 1 {
					panic("caught")
				}
				t.SyncWarp(1 << t.LaneID())
			}()
			return t.SyncThreadsCount(recovered)
		}
		return body, func(int, int) int { return (n + 1) / 3 }
	})
}

// Each thread waits for the one after it, which an executor that runs them in order has to arrange.
func waiting() row {
	return row{"waiting for another thread with Nanosleep", upTo(80), func(cfg grid.Config) func(*gocuda.Device) (gocuda.Kernel, func() error) {
		n := cfg.Threads()
		return func(*gocuda.Device) (gocuda.Kernel, func() error) {
			done := make([]int32, cfg.Blocks()*n)
			kernel := gocuda.ThreadFunc(func(t *gocuda.Thread) {
				i := slot(t)
				if rankOf(t) < n-1 {
					for atomic.Add(&done[i+1], 0) == 0 {
						t.Nanosleep(time.Nanosecond)
					}
				}
				atomic.Add(&done[i], 1)
			})
			return kernel, func() error {
				for i, v := range done {
					if v != 1 {
						return fmt.Errorf("thread %d ended %d times", i, v)
					}
				}
				return nil
			}
		}
	}}
}
