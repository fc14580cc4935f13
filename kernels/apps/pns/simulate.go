package pns

import (
	"github.com/gocuda/gocuda/gocuda"
)

// One thread simulates the nets of one sequence of random numbers, one after the other. The states
// of the generators are in global memory, interleaved by block. A block goes in rounds: its threads
// twist their states together, and then each plays with its 624 numbers. Threads need different
// counts of numbers for their steps, and those that have finished wait. The nets are in global
// memory too, each for itself: which place a thread chooses is chance, so neighbours would not read
// neighbours however the nets lie.
//
// Whether a transition fires is chance as well, and no processor foretells it. So each transition
// takes and gives the smaller of its two counts of tokens, or one if they are larger: nothing if it
// does not fire.
//
// A thread goes on until its steps are done. A net of up to 3 columns can't come to a state in
// which no transition fires: all of their states have been gone through, and a test does it for 2
// columns. Of larger nets no such state is known; a launch ends with its context at the latest.

const threads = 16 // of a block: their states are 40 KiB, which a first-level cache holds

// A corner is the places around a place that its transition takes a token from, or gives one to.
type corner struct{ above, below, right int32 }

// simulate is the program of one thread. The first word of each state is the seed. It leaves, for
// each of the runs of a thread, the sum of the squares of the tokens of places less one, and the
// most tokens of a place.
//
//gocuda:kernel
func simulate(t *gocuda.Thread, generators, places, steps, runs int, around []corner, states []uint32, nets []int32,
	squares []int64, most []int32) {
	tid, i := t.ThreadIdx.X, t.GlobalX()
	state := states[t.BlockIdx.X*words*threads : (t.BlockIdx.X+1)*words*threads]
	seed(tid, state)
	t.SyncThreads()
	for q := range places {
		nets[i*places+q] = 1
	}
	run, left := 0, steps
	if i >= generators {
		run = runs
	}
	for t.SyncThreadsOr(run < runs) {
		twist(tid, state)
		t.SyncThreads()
		net := nets[i*places : (i+1)*places]
		for k := 0; k < words && run < runs; k++ {
			p := int(float32(state[k*threads+tid]) / (1 << 32) * float32(places))
			if p >= places {
				continue
			}
			a := around[p]
			fires := min(net[a.above], net[p], 1)
			net[a.above] -= fires
			net[p] -= fires
			net[a.below] += fires
			net[a.right] += fires
			left -= int(fires)
			if left == 0 {
				var sum int64
				var top int32
				for q := range places {
					c := net[q]
					sum += int64(c-1) * int64(c-1)
					top = max(top, c)
					net[q] = 1
				}
				squares[i*runs+run], most[i*runs+run] = sum, top
				run++
				left = steps
			}
		}
	}
}

// corners returns what is around all places of a net with n columns. Above and below is column c of
// row r-1 and of row r+1 in even rows, and column c+1 in odd ones.
func corners(n int) []corner {
	all := make([]corner, 2*n*n)
	for p := range all {
		row, c := p/n, p%n
		right := (c + 1) % n
		column := c
		if row%2 == 1 {
			column = right
		}
		above, below := (row+2*n-1)%(2*n), (row+1)%(2*n)
		all[p] = corner{int32(above*n + column), int32(below*n + column), int32(row*n + right)}
	}
	return all
}
