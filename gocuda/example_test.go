package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

func Example() {
	const n, a = 1000, 2
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i), 1
	}
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(n, 256), func(t *gocuda.Thread) {
		if i := t.GlobalX(); i < n {
			y[i] = a*x[i] + y[i]
		}
	})
	fmt.Println(y[1], y[999], err)
	// Output: 3 1999 <nil>
}

// The sum of each block of 256 elements, as a thread kernel: the tree of the CUDA texts. The block's
// threads fold halves onto halves, with a barrier after each round.
func ExampleThreadFunc() {
	in, sums := numbers(1024), make([]int, 4)
	kernel := gocuda.ThreadFunc(func(t *gocuda.Thread) {
		s := gocuda.Shared[int](t, 256)
		tid := t.Rank()
		s[tid] = in[t.GlobalX()]
		t.SyncThreads()
		for d := 128; d > 0; d /= 2 {
			if tid < d {
				s[tid] += s[tid+d]
			}
			t.SyncThreads()
		}
		if tid == 0 {
			sums[t.BlockIdx.X] = s[0]
		}
	})
	err := gocuda.Launch(context.Background(), grid.Linear(1024, 256), kernel)
	fmt.Println(sums, err)
	// Output: [32640 98176 163712 229248] <nil>
}

// The same sum as a warp kernel. Each warp folds its 32 lanes by shuffles, and the first warp adds up
// what the warps found.
func ExampleWarpFunc() {
	in, sums := numbers(1024), make([]int, 4)
	kernel := gocuda.WarpFunc(func(w *gocuda.Warp) {
		s := gocuda.Shared[int](w, 8)
		var v gocuda.Lanes[int]
		for lane := range v {
			v[lane] = in[w.GlobalX(lane)]
		}
		for d := 16; d > 0; d /= 2 {
			o := gocuda.WarpShflXor(w, gocuda.FullMask, v, d, 32)
			for lane := range v {
				v[lane] += o[lane]
			}
		}
		s[w.WarpID()] = v[0]
		w.SyncThreads()
		if w.WarpID() == 0 {
			for _, x := range s {
				sums[w.BlockIdx.X] += x
			}
		}
	})
	err := gocuda.Launch(context.Background(), grid.Linear(1024, 256), kernel)
	fmt.Println(sums, err)
	// Output: [32640 98176 163712 229248] <nil>
}

// The same sum as a block kernel: the barriers are where one loop ends and the next begins, and the
// guard `tid < d` has become the bound of a loop.
func ExampleBlockFunc() {
	in, sums := numbers(1024), make([]int, 4)
	kernel := gocuda.BlockFunc(func(b *gocuda.Block) {
		s := gocuda.Shared[int](b, 256)
		b.ForEach(func(t *gocuda.Thread) {
			s[t.Rank()] = in[t.GlobalX()]
		})
		for d := 128; d > 0; d /= 2 {
			for tid := range d {
				s[tid] += s[tid+d]
			}
		}
		sums[b.BlockIdx.X] = s[0]
	})
	err := gocuda.Launch(context.Background(), grid.Linear(1024, 256), kernel)
	fmt.Println(sums, err)
	// Output: [32640 98176 163712 229248] <nil>
}

func numbers(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

// A kernel with its arguments as fields, like a handler of net/http.
type scale struct {
	by   int
	data []int
}

func (k scale) RunBlock(b *gocuda.Block) {
	b.Threads(func(t *gocuda.Thread) {
		if i := t.GlobalX(); i < len(k.data) {
			k.data[i] *= k.by
		}
	})
}

func ExampleKernel() {
	data := []int{1, 2, 3, 4, 5}
	err := gocuda.Launch(context.Background(), grid.Linear(len(data), 32), scale{10, data})
	fmt.Println(data, err)
	// Output: [10 20 30 40 50] <nil>
}

func ExampleShflDownSync() {
	var sum int
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(32, 32), func(t *gocuda.Thread) {
		v := t.LaneID()
		for d := 16; d > 0; d /= 2 {
			v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
		}
		if t.LaneID() == 0 {
			sum = v
		}
	})
	fmt.Println(sum, err)
	// Output: 496 <nil>
}

func ExampleThread_BallotSync() {
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(32, 32), func(t *gocuda.Thread) {
		even := t.BallotSync(gocuda.FullMask, t.LaneID()%2 == 0)
		if t.LaneID() == 0 {
			t.Printf("%032b\n", even)
		}
	})
	fmt.Println(err)
	// Output:
	// 01010101010101010101010101010101
	// <nil>
}

func ExampleThread_SyncThreadsCount() {
	data := []int{3, -1, 4, -1, 5, -9, 2, 6}
	var negative int
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(len(data), 8), func(t *gocuda.Thread) {
		n := t.SyncThreadsCount(data[t.Rank()] < 0)
		if t.Rank() == 0 {
			negative = n
		}
	})
	fmt.Println(negative, err)
	// Output: 3 <nil>
}

func ExampleMatchAnySync() {
	keys := []int{7, 3, 7, 7}
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(4, 4), func(t *gocuda.Thread) {
		same := gocuda.MatchAnySync(t, gocuda.FullMask, keys[t.Rank()])
		t.Printf("%d: %04b\n", keys[t.Rank()], same)
	})
	fmt.Println(err)
	// Unordered output:
	// 7: 1101
	// 3: 0010
	// 7: 1101
	// 7: 1101
	// <nil>
}

func ExampleDynamicShared() {
	in := []int32{5, 6, 7, 8}
	cfg := grid.Linear(4, 4)
	cfg.SharedBytes = 4 * 4 // four elements of four bytes
	out := make([]int32, 4)
	err := gocuda.LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		s := gocuda.DynamicShared[int32](t)
		s[t.Rank()] = in[t.Rank()]
		t.SyncThreads()
		out[t.Rank()] = s[3-t.Rank()]
	})
	fmt.Println(out, err)
	// Output: [8 7 6 5] <nil>
}

func ExampleNewDevice() {
	// The limits of a GeForce 8800 from 2006: 512 threads a block.
	dev, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.G80))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	err = dev.LaunchFunc(context.Background(), grid.Linear(1024, 1024), func(*gocuda.Thread) {})
	fmt.Println(errors.Is(err, gocuda.ErrMaxThreadsPerBlock) || errors.Is(err, gocuda.ErrMaxThreadsDim))
	// Output: true
}

func ExampleKernelError() {
	data := make([]int, 100)
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(128, 32), func(t *gocuda.Thread) {
		if i := t.GlobalX(); i <= 100 { // should be <
			data[i] = i
		}
	})
	var kernel *gocuda.KernelError
	if errors.As(err, &kernel) {
		fmt.Println(kernel.BlockIdx, kernel.ThreadIdx, kernel.Value)
	}
	// Output: (3,0,0) (4,0,0) runtime error: index out of range [100] with length 100
}

func ExampleStream() {
	dev := gocuda.Default()
	s := dev.NewStream()
	defer s.Close()
	host := []float32{1, 2, 3, 4}
	buf, err := mem.Alloc[float32](dev, len(host))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer buf.Free()
	x := buf.Data()

	// All of this is queued; nothing waits until Synchronize.
	for _, err := range []error{
		mem.CopyToDeviceAsync(s, buf, host),
		s.LaunchFunc(grid.Linear(len(x), 32), func(t *gocuda.Thread) {
			if i := t.GlobalX(); i < len(x) {
				x[i] *= x[i]
			}
		}),
		mem.CopyToHostAsync(s, host, buf),
		s.Synchronize(context.Background()),
	} {
		if err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(host)
	// Output: [1 4 9 16]
}

func ExampleEvent() {
	dev := gocuda.Default()
	s := dev.NewStream()
	defer s.Close()
	start, stop := dev.NewEvent(), dev.NewEvent()
	s.Record(start)
	s.AddCallback(func() { time.Sleep(time.Millisecond) })
	s.Record(stop)
	if err := stop.Synchronize(context.Background()); err != nil {
		fmt.Println(err)
	}
	d, err := stop.Since(start)
	fmt.Println(d >= time.Millisecond, err)
	// Output: true <nil>
}

// The last block to finish adds up what all have found. A ticket from an atomic counter tells it.
func ExampleThread_Threadfence() {
	const blocks = 8
	partial := make([]int, blocks)
	var tickets uint32
	var total int
	cfg := grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: 1}}
	err := gocuda.LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		partial[t.BlockIdx.X] = t.BlockIdx.X * t.BlockIdx.X
		t.Threadfence()
		if atomic.Inc(&tickets, blocks-1) == blocks-1 {
			for _, p := range partial {
				total += p
			}
		}
	})
	fmt.Println(total, err)
	// Output: 140 <nil>
}
