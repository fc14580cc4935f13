package atomic_test

import (
	"fmt"
	"math"
	"sync"

	"github.com/gocuda/gocuda/atomic"
)

// Add returns the old value, so it hands out places in an array: each caller has its own. This is
// how kernels append to a list.
func ExampleAdd() {
	numbers := []int{4, 11, 8, 3, 6, 7}
	even := make([]int, len(numbers))
	var n int32
	for _, v := range numbers { // a kernel does this with one thread an element
		if v%2 == 0 {
			even[atomic.Add(&n, 1)] = v
		}
	}
	fmt.Println(n, even[:n])
	// Output: 3 [4 8 6]
}

// A histogram: many threads count into few cells.
func ExampleAdd_histogram() {
	text := "she sells sea shells"
	var count [256]uint32
	var wg sync.WaitGroup
	for _, c := range []byte(text) {
		wg.Go(func() { atomic.Add(&count[c], 1) })
	}
	wg.Wait()
	fmt.Println(count['s'], count['e'], count['l'])
	// Output: 6 4 4
}

// Inc runs from 0 to its bound and begins again: the places of a ring of four.
func ExampleInc() {
	var next uint32
	for range 6 {
		fmt.Print(atomic.Inc(&next, 3), " ")
	}
	fmt.Println()
	// Output: 0 1 2 3 0 1
}

func ExampleDec() {
	next := uint32(3)
	for range 6 {
		fmt.Print(atomic.Dec(&next, 3), " ")
	}
	fmt.Println()
	// Output: 3 2 1 0 3 2
}

// Any operation that CUDA doesn't have can be made of CAS: read, compute, and store if nobody came
// between. Here it is the maximum of floats, in their bits.
func ExampleCAS() {
	largest := math.Float32bits(float32(math.Inf(-1)))
	atomicMax := func(p *uint32, v float32) {
		old := atomic.Or(p, 0) // reads
		for math.Float32frombits(old) < v {
			assumed := old
			if old = atomic.CAS(p, assumed, math.Float32bits(v)); old == assumed {
				return
			}
		}
	}
	var wg sync.WaitGroup
	for _, v := range []float32{2.5, -1, 8.25, 3} {
		wg.Go(func() { atomicMax(&largest, v) })
	}
	wg.Wait()
	fmt.Println(math.Float32frombits(largest))
	// Output: 8.25
}

// Or returns what was there before, so exactly one of the threads that set a flag learns that it
// was the first.
func ExampleOr() {
	var done uint32
	const ready = 1 << 4
	first := atomic.Or(&done, ready)&ready == 0
	again := atomic.Or(&done, ready)&ready == 0
	fmt.Println(first, again)
	// Output: true false
}
