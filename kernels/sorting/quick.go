package sorting

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Quicksort with nested launches (Hoare, Quicksort, 1962; nested parallelism in The CUDA Handbook,
// section 7.5). A block divides its keys by a pivot and launches a block for each side, in streams
// of their own. As in introsort (Musser, Introspective Sorting and Selection Algorithms, 1997) a
// side that is too deep is sorted in another way: here by the thread that would launch it, which
// also is what happens if the queue of launches is full. So every input is sorted, and in n log n
// time.
//
// It teaches nested launches. Radix is much faster.

const (
	quickThreads = 128 // of a block
	quickSmall   = 256 // keys that a block sorts by ranks
	quickDepth   = 20  // launches inside each other, of the 24 that there can be
)

// Quick sorts keys in place, by nested quicksort. Devices of compute capability below 3.5 can't
// launch from kernels. The order is that of [Radix].
func Quick[K Key](ctx context.Context, on kernels.Launcher, order Order, keys []K) error {
	if order != Ascending && order != Descending {
		return check.Invalid("quicksort", "order %d", int(order))
	}
	if len(keys) < 2 {
		return nil
	}
	all, negative := flips[K](order)
	var kernel gocuda.ThreadFunc
	if long[K]() {
		words := bitsOf[uint64](keys)
		kernel = quick[uint64]{all, negative}.kernel(words, make([]uint64, len(words)), 1)
	} else {
		words := bitsOf[uint32](keys)
		kernel = quick[uint32]{uint32(all), uint32(negative)}.kernel(words, make([]uint32, len(words)), 1)
	}
	return on.Launch(ctx, quickConfig, kernel)
}

var quickConfig = grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: quickThreads}}

// A quick compares keys by their ranks; see flips.
type quick[W word] struct{ all, negative W }

func (q quick[W]) rank(key W) W { return flip(key, q.negative) ^ q.all }

// kernel returns the program of a thread of the block that sorts keys. room is as long as keys.
func (q quick[W]) kernel(keys, room []W, depth int) gocuda.ThreadFunc {
	return func(t *gocuda.Thread) {
		if len(keys) <= quickSmall {
			q.byRanks(t, keys)
			return
		}
		less, same := q.partition(t, keys, room)
		if t.ThreadIdx.X > 0 {
			return
		}
		q.launch(t, keys[:less], room[:less], depth+1)
		q.launch(t, keys[less+same:], room[less+same:], depth+1)
	}
}

// launch sorts one side, in a block of its own if that is possible. What else goes wrong is an
// error of the sort.
func (q quick[W]) launch(t *gocuda.Thread, keys, room []W, depth int) {
	if len(keys) < 2 {
		return
	}
	if depth <= quickDepth {
		err := t.LaunchOn(t.NewStream(), quickConfig, q.kernel(keys, room, depth))
		if err == nil {
			return
		}
		if !errors.Is(err, gocuda.ErrLaunchPendingCountExceeded) && !errors.Is(err, gocuda.ErrLaunchMaxDepthExceeded) {
			panic(err)
		}
	}
	slices.SortFunc(keys, func(a, b W) int { return cmp.Compare(q.rank(a), q.rank(b)) })
}

// byRanks sorts few keys: the place of a key is the number of those that come before it.
func (q quick[W]) byRanks(t *gocuda.Thread, keys []W) {
	x := gocuda.Shared[W](t, quickSmall)
	n := len(keys)
	for i := t.ThreadIdx.X; i < n; i += quickThreads {
		x[i] = keys[i]
	}
	t.SyncThreads()
	for i := t.ThreadIdx.X; i < n; i += quickThreads {
		own, place := q.rank(x[i]), 0
		for j := range n {
			if r := q.rank(x[j]); r < own || r == own && j < i {
				place++
			}
		}
		keys[place] = x[i]
	}
}

// partition divides keys by the median of three of them: those before it, those that are the same,
// and those after it. It returns how many there are of the first two kinds. Each thread has a run
// of keys, and counts it first.
func (q quick[W]) partition(t *gocuda.Thread, keys, room []W) (less, same int) {
	counts := [3][]int{gocuda.Shared[int](t, quickThreads), gocuda.Shared[int](t, quickThreads), gocuda.Shared[int](t, quickThreads)}
	totals := gocuda.Shared[int](t, 2)
	tid, n := t.ThreadIdx.X, len(keys)
	three := [3]W{q.rank(keys[0]), q.rank(keys[n/2]), q.rank(keys[n-1])}
	pivot := max(min(three[0], three[1]), min(max(three[0], three[1]), three[2]))
	run := (n + quickThreads - 1) / quickThreads
	own := keys[min(tid*run, n):min((tid+1)*run, n)]
	kind := func(key W) int { return 1 + cmp.Compare(q.rank(key), pivot) }
	var mine [3]int
	for _, key := range own {
		mine[kind(key)]++
	}
	for k := range mine {
		counts[k][tid] = mine[k]
	}
	t.SyncThreads()
	if tid == 0 { // from counts to places: all of a kind are together
		place := 0
		for k := range counts {
			for i, c := range counts[k] {
				counts[k][i] = place
				place += c
			}
			if k < 2 {
				totals[k] = place
			}
		}
	}
	t.SyncThreads()
	place := [3]int{counts[0][tid], counts[1][tid], counts[2][tid]}
	for _, key := range own {
		k := kind(key)
		room[place[k]] = key
		place[k]++
	}
	t.SyncThreads()
	copy(own, room[min(tid*run, n):])
	t.SyncThreads()
	return totals[0], totals[1] - totals[0]
}
