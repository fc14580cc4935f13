package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// Two kernels that don't wait for each other, between a copy to the device and one back.
func ExampleGraph() {
	const n = 1000
	dev := gocuda.Default()
	in, out := make([]int32, n), make([]int32, n)
	buf, err := mem.Alloc[int32](dev, n)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer buf.Free()
	x := buf.Data()
	double := func(from int) gocuda.Kernel { // of a half
		return gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if i := t.GlobalX(); i < n/2 {
				x[from+i] *= 2
			}
		})
	}

	g := dev.NewGraph()
	up, err1 := g.AddMemcpyNode(nil, func(s mem.Stream) error { return mem.CopyToDeviceAsync(s, buf, in) })
	after := []*gocuda.GraphNode{up}
	a, err2 := g.AddKernelNode(after, grid.Linear(n/2, 128), double(0))
	b, err3 := g.AddKernelNode(after, grid.Linear(n/2, 128), double(n/2))
	_, err4 := g.AddMemcpyNode([]*gocuda.GraphNode{a, b}, func(s mem.Stream) error { return mem.CopyToHostAsync(s, out, buf) })
	exec, err5 := g.Instantiate()
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		fmt.Println(err)
		return
	}

	s := dev.NewStream()
	defer s.Close()
	for round := range 3 {
		in[1], in[n-1] = int32(round), int32(10*round)
		if err := errors.Join(exec.Launch(s), s.Synchronize(context.Background())); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(out[1], out[n-1])
	}
	// Output:
	// 0 0
	// 2 20
	// 4 40
}

// What a program does on streams becomes a graph. The second stream is captured from where it waits
// for the first.
func ExampleStream_BeginCapture() {
	dev := gocuda.Default()
	s1, s2 := dev.NewStream(), dev.NewStream()
	defer s1.Close()
	defer s2.Close()
	fork, join := dev.NewEvent(), dev.NewEvent()
	var a, b int

	err := errors.Join(
		s1.BeginCapture(gocuda.CaptureModeGlobal),
		s1.AddCallback(func() { a++ }),
		s1.Record(fork),
		s2.Wait(fork),
		s2.AddCallback(func() { b += a }),
		s2.Record(join),
		s1.Wait(join),
		s1.AddCallback(func() { fmt.Println(a, b) }),
	)
	g, err2 := s1.EndCapture()
	if err := errors.Join(err, err2); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(g.Nodes()), "nodes")
	exec, err := g.Instantiate()
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		if err := exec.Launch(s1); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(s1.Synchronize(context.Background()))
	// Output:
	// 3 nodes
	// 1 1
	// 2 3
	// 3 6
	// <nil>
}

func ExampleTimeoutError() {
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	cfg := grid.Linear(4*32, 32)
	cfg.Timeout = 100 * time.Millisecond
	err = dev.LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		for t.BlockIdx.X == 1 { // for ever
			t.SyncThreads()
		}
	})
	var late *gocuda.TimeoutError
	if errors.As(err, &late) {
		fmt.Println(late.Stopped, "stopped,", late.Pending, "not begun")
	}
	fmt.Println(errors.Is(err, gocuda.ErrLaunchTimeout))
	// Output:
	// [(1,0,0)] stopped, 2 not begun
	// true
}
