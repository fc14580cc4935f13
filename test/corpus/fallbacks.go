//go:build compiled

package corpus

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// What follows can't be translated, or need not be; it must work all the same.

// A helper that calls itself.
//
//gocuda:kernel
func recursion(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	s[t.ThreadIdx.X] = fibonacci(in[t.GlobalX()] & 7)
	t.SyncThreads()
	out[t.GlobalX()] = s[(t.ThreadIdx.X+1)%t.BlockDim.X]
}

func fibonacci(n int32) int32 {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

// Helpers that call each other, with barriers.
//
//gocuda:kernel
func mutualRecursion(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	out[t.GlobalX()] = ping(t, s, in[t.GlobalX()], 4)
}

func ping(t *gocuda.Thread, s []int32, v int32, n int) int32 {
	if n == 0 {
		return v
	}
	s[t.ThreadIdx.X] = v
	t.SyncThreads()
	return pong(t, s, s[(t.ThreadIdx.X+1)%t.BlockDim.X], n)
}

func pong(t *gocuda.Thread, s []int32, v int32, n int) int32 {
	t.SyncThreads()
	return ping(t, s, v+1, n-1)
}

// A map of the thread's own, and one that is read only.
//
//gocuda:kernel
func maps(t *gocuda.Thread, names map[string]int32, in, out []int32) {
	seen := map[int32]int{}
	for k := range 6 {
		seen[in[(t.GlobalX()+k)%len(in)]&3]++
	}
	t.SyncThreads()
	v, ok := names[[...]string{"a", "b", "c"}[t.GlobalX()%3]]
	if !ok {
		v = -1
	}
	delete(seen, 2)
	out[t.GlobalX()] = int32(len(seen)*100+seen[1]) + v
}

// A goroutine and channels that only this thread knows.
//
//gocuda:kernel
func goroutines(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	c := make(chan int32, 1)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c <- v * 2
	}()
	wg.Wait()
	select {
	case w := <-c:
		v = w
	default:
		v = 0
	}
	close(c)
	for range c {
		v = 0
	}
	t.SyncThreads()
	out[t.GlobalX()] = v
}

// Deferred calls, and a panic that the kernel recovers from.
//
//gocuda:kernel
func deferred(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	defer func() { out[i] += 5 }()
	for k := range 3 {
		defer func() { out[i] = out[i]*2 + int32(k) }()
	}
	out[i] = caught(in, i) + 1
	t.SyncThreads()
	if i%2 == 0 {
		return
	}
	out[i]++
}

func caught(in []int32, i int) (v int32) {
	defer func() {
		if recover() != nil {
			v = -9
		}
	}()
	return in[i+len(in)/2]
}

// Interfaces: dynamic calls, type switches, comparison.
//
//gocuda:kernel
func interfaces(t *gocuda.Thread, extra any, in, out []int32) {
	i := t.GlobalX()
	var s fmt.Stringer = name(in[i] & 3)
	if i%2 == 0 {
		s = &label{"even"}
	}
	r := int32(len(s.String()))
	switch s := s.(type) {
	case name:
		r += int32(s) * 10
	case *label:
		r += 100
	}
	if n, ok := extra.(int32); ok && s != nil {
		r += n
	}
	out[i] = r
}

type name int32

func (n name) String() string { return strings.Repeat("n", int(n)) }

type label struct{ text string }

func (l *label) String() string { return l.text }

// Functions as parameters and in a table.
//
//gocuda:kernel
func functionValues(t *gocuda.Thread, f func(int32) int32, in, out []int32) {
	i := t.GlobalX()
	table := []func(int32) int32{f, func(v int32) int32 { return v ^ int32(i) }, fibonacciSmall}
	out[i] = table[i%3](in[i])
	var none func()
	if none == nil && i == 0 {
		out[i]++
	}
}

func fibonacciSmall(v int32) int32 { return fibonacci(v & 3) }

// A loop over an iterator, and package slices.
//
//gocuda:kernel
func iterators(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	sum := int32(0)
	for k, v := range everySecond(in) {
		if k > 10 {
			break
		}
		if v == 0 {
			continue
		}
		sum += v ^ int32(i)
	}
	part := slices.Clone(in[i:min(i+4, len(in))])
	slices.Sort(part)
	k, found := slices.BinarySearch(part, in[i])
	if found {
		sum += int32(k)
	}
	out[i] = sum + slices.Max(part)
}

func everySecond(in []int32) iter.Seq2[int, int32] {
	return func(yield func(int, int32) bool) {
		for i := 0; i < len(in); i += 2 {
			if !yield(i, in[i]) {
				return
			}
		}
	}
}

// The thread's methods as values, and the thread in a struct.
//
//gocuda:kernel
func methodValues(t *gocuda.Thread, in, out []int32) {
	wait := t.SyncThreads
	c := struct {
		t *gocuda.Thread
		s []int32
	}{t, gocuda.Shared[int32](t, 1024)}
	c.s[c.t.ThreadIdx.X] = in[c.t.GlobalX()]
	wait()
	v := c.s[(t.ThreadIdx.X+1)%t.BlockDim.X]
	(*gocuda.Thread).SyncThreads(c.t)
	out[t.GlobalX()] = v
}

// Strings are made.
//
//gocuda:kernel
func stringsMade(t *gocuda.Thread, in []int32, out []int32) {
	i := t.GlobalX()
	s := fmt.Sprintf("%d:%v", in[i], i%2 == 0) + strings.ToUpper("x")
	b := []byte(s)
	b[0] = '_'
	for _, c := range string(b) {
		out[i] = out[i]*31 + c
	}
	if s > "5" {
		out[i]++
	}
}

// A goto out of a loop with barriers, and one back to before a barrier.
//
//gocuda:kernel
func gotoBarriers(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v, k := in[i], 0
again:
	s[tid] = v
	t.SyncThreads()
	v = s[(tid+1)%n] + 1
	t.SyncThreads()
	if k++; k < 3 {
		goto again
	}
	for {
		if k++; k > 5 {
			goto done
		}
		t.SyncThreads()
	}
done:
	out[i] = v + int32(k)
}

var fallbackCases = []Case{
	perThread("recursion", linear, recursion, recursionKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = [8]int32{0, 1, 1, 2, 3, 5, 8, 13}[in[first+(i+1)%len(out)]&7]
			}
		})
	}),
	perThread("mutualRecursion", linear, mutualRecursion, mutualRecursionKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = in[first+(i+4)%len(out)] + 4
			}
		})
	}),
	withParameter("maps", short, map[string]int32{"a": 1000, "c": 3000}, maps, mapsKernel, nil),
	perThread("goroutines", short, goroutines, goroutinesKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v + v
		}
	}),
	perThread("deferred", short, deferred, deferredKernel, func(_ grid.Config, in, out []int32) {
		for i := range out {
			v := int32(-9)
			if k := i + len(in)/2; k < len(in) {
				v = in[k]
			}
			v += 1 + int32(i%2)
			out[i] = ((v*2+2)*2+1)*2 + 5
		}
	}),
	withParameter("interfaces", short, any(int32(7)), interfaces, interfacesKernel, func(_ any, _ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v&3*11 + 7
			if i%2 == 0 {
				out[i] = 111
			}
		}
	}),
	withParameter("functionValues", short, func(v int32) int32 { return v / 3 }, functionValues, functionValuesKernel, nil),
	perThread("iterators", short, iterators, iteratorsKernel, nil),
	perThread("methodValues", short, methodValues, methodValuesKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = in[first+(i+1)%len(out)]
			}
		})
	}),
	perThread("stringsMade", short, stringsMade, stringsMadeKernel, nil),
	perThread("gotoBarriers", linear, gotoBarriers, gotoBarriersKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = in[first+(i+3)%len(out)] + 9
			}
		})
	}),
}
