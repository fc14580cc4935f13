package user

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// Races between launches, and of the host and of copies with them.

func add(a []int32, v int32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		a[t.GlobalX()] += v // want race WAW error
	}
}

func addRight(a []int32, v int32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) { a[t.GlobalX()] += v }
}

func TestTwoStreams(t *testing.T) {
	dev := device()
	s1, s2 := dev.NewStream(), dev.NewStream()
	a := make([]int32, 64)
	must(t, s1.LaunchFunc(line(2, 32), add(a, 1)))
	must(t, s2.LaunchFunc(line(2, 32), add(a, 2)))
	must(t, s1.Close())
	must(t, s2.Close())
}

func TestTwoStreamsEventRight(t *testing.T) {
	dev := device()
	s1, s2, e := dev.NewStream(), dev.NewStream(), dev.NewEvent()
	a := make([]int32, 64)
	must(t, s1.LaunchFunc(line(2, 32), addRight(a, 1)))
	must(t, s1.Record(e))
	must(t, s2.Wait(e))
	must(t, s2.LaunchFunc(line(2, 32), addRight(a, 2)))
	must(t, s1.Close())
	must(t, s2.Close())
}

func TestTwoStreamsSynchronizeRight(t *testing.T) {
	dev := device()
	s1, s2 := dev.NewStream(), dev.NewStream()
	a := make([]int32, 64)
	must(t, s1.LaunchFunc(line(2, 32), addRight(a, 1)))
	must(t, s1.Synchronize(context.Background()))
	must(t, s2.LaunchFunc(line(2, 32), addRight(a, 2)))
	must(t, s1.Close())
	must(t, s2.Close())
}

// The garbage collector gives the memory of a launch that has ended to a later one of another stream.
func TestReusedMemoryRight(t *testing.T) {
	dev := device()
	s1, s2 := dev.NewStream(), dev.NewStream()
	const n = 1 << 16
	var ran atomic.Int32
	address := func() uintptr { // a isn't used after it
		a := make([]int32, n)
		must(t, s1.LaunchFunc(line(1, 32), func(t *gocuda.Thread) {
			a[t.GlobalX()]++
			ran.Add(1)
		}))
		return uintptr(unsafe.Pointer(&a[0]))
	}()
	for ran.Load() < 32 {
		time.Sleep(time.Millisecond)
	}
	var others [][]int32
	for range 50 {
		runtime.GC()
		b := make([]int32, n)
		if uintptr(unsafe.Pointer(&b[0])) == address {
			must(t, s2.LaunchFunc(line(1, 32), addRight(b, 1)))
			break
		}
		others = append(others, b)
		time.Sleep(time.Millisecond)
	}
	runtime.KeepAlive(others)
	must(t, s1.Close())
	must(t, s2.Close())
}

func TestOneStreamRight(t *testing.T) {
	s := device().NewStream()
	a := make([]int32, 64)
	for k := range 10 {
		must(t, s.LaunchFunc(line(2, 32), addRight(a, int32(k))))
	}
	must(t, s.Synchronize(context.Background()))
	if a[5] != 45 {
		t.Error(a[5])
	}
	must(t, s.Close())
}

func TestEventTooEarly(t *testing.T) {
	dev := device()
	s1, s2, e := dev.NewStream(), dev.NewStream(), dev.NewEvent()
	a := make([]int32, 64)
	must(t, s1.Record(e)) // before the launch that it should stand for
	must(t, s1.LaunchFunc(line(2, 32), func(t *gocuda.Thread) {
		a[t.GlobalX()] = 1
	}))
	must(t, s2.Wait(e))
	out := make([]int32, 64)
	must(t, s2.LaunchFunc(line(2, 32), func(t *gocuda.Thread) {
		out[t.GlobalX()] = a[t.GlobalX()] // want race RAW error
	}))
	must(t, s1.Close())
	must(t, s2.Close())
}

func TestHostReadsEarly(t *testing.T) {
	s := device().NewStream()
	a := make([]int32, 64)
	must(t, s.LaunchFunc(line(2, 32), func(t *gocuda.Thread) {
		a[t.GlobalX()] = 1
	}))
	sum := int32(0)
	for i := range a {
		sum += a[i] // want race RAW error
	}
	must(t, s.Synchronize(context.Background()))
	_ = sum
	must(t, s.Close())
}

func TestHostReadsEarlyRight(t *testing.T) {
	s := device().NewStream()
	a := make([]int32, 64)
	must(t, s.LaunchFunc(line(2, 32), func(t *gocuda.Thread) { a[t.GlobalX()] = 1 }))
	must(t, s.Synchronize(context.Background()))
	sum := int32(0)
	for i := range a {
		sum += a[i]
	}
	_ = sum
	must(t, s.Close())
}

func TestHostWritesManaged(t *testing.T) {
	dev := device()
	b, err := mem.AllocManaged[int32](dev, 64, mem.MemAttachGlobal)
	must(t, err)
	x, y := b.Data(), make([]int32, 64)
	for i := range x {
		x[i] = 1
	}
	s := dev.NewStream()
	must(t, s.LaunchFunc(line(2, 32), func(t *gocuda.Thread) {
		y[t.GlobalX()] = x[t.GlobalX()]
	}))
	x[3] = 2 // want race error 4
	must(t, s.Synchronize(context.Background()))
	must(t, s.Close())
	must(t, b.Free())
}

func TestHostWritesManagedRight(t *testing.T) {
	dev := device()
	b, err := mem.AllocManaged[int32](dev, 64, mem.MemAttachGlobal)
	must(t, err)
	x, y := b.Data(), make([]int32, 64)
	for i := range x {
		x[i] = 1
	}
	s, e := dev.NewStream(), dev.NewEvent()
	must(t, s.LaunchFunc(line(2, 32), func(t *gocuda.Thread) { y[t.GlobalX()] = x[t.GlobalX()] }))
	must(t, s.Record(e))
	must(t, e.Synchronize(context.Background()))
	x[3] = 2
	must(t, s.Close())
	must(t, b.Free())
}

func TestHostPollsRight(t *testing.T) {
	dev := device()
	s, e := dev.NewStream(), dev.NewEvent()
	a := make([]int32, 32)
	must(t, s.LaunchFunc(line(1, 32), func(t *gocuda.Thread) { a[t.GlobalX()] = 1 }))
	must(t, s.Record(e))
	for {
		happened, err := e.Query()
		must(t, err)
		if happened {
			break
		}
	}
	a[0]++
	must(t, s.Close())
}

func TestCallbackRight(t *testing.T) {
	s := device().NewStream()
	a, done := make([]int32, 32), make(chan int)
	must(t, s.LaunchFunc(line(1, 32), func(t *gocuda.Thread) { a[t.GlobalX()] = 1 }))
	must(t, s.AddCallback(func() { a[0]++; close(done) }))
	<-done
	a[1]++
	must(t, s.LaunchFunc(line(1, 32), func(t *gocuda.Thread) { a[t.GlobalX()] = 2 }))
	must(t, s.Close())
}

func TestCallbackBesideStream(t *testing.T) {
	dev := device()
	s1, s2 := dev.NewStream(), dev.NewStream()
	a := make([]int32, 32)
	must(t, s1.LaunchFunc(line(1, 32), func(t *gocuda.Thread) { a[t.GlobalX()] = 1 }))
	must(t, s2.AddCallback(func() {
		a[0] = 5 // want race error 4
	}))
	must(t, s1.Close())
	must(t, s2.Close())
}

func TestCopyBesideLaunch(t *testing.T) {
	dev := device()
	b, err := mem.Alloc[int32](dev, 32)
	must(t, err)
	must(t, mem.Memset(b, 0))
	s1, s2 := dev.NewStream(), dev.NewStream()
	x, host := b.Data(), make([]int32, 32)
	must(t, s1.LaunchFunc(line(1, 32), func(t *gocuda.Thread) { x[t.GlobalX()] = 1 }))
	must(t, mem.CopyToHostAsync(s2, host, b)) // want race error 128
	must(t, s1.Close())
	must(t, s2.Close())
	must(t, b.Free())
}

func TestCopyBehindLaunchRight(t *testing.T) {
	dev := device()
	b, err := mem.Alloc[int32](dev, 32)
	must(t, err)
	s := dev.NewStream()
	x, host := b.Data(), make([]int32, 32)
	must(t, mem.MemsetAsync(s, b, 0))
	must(t, s.LaunchFunc(line(1, 32), func(t *gocuda.Thread) { x[t.GlobalX()]++ }))
	must(t, mem.CopyToHostAsync(s, host, b))
	must(t, s.Synchronize(context.Background()))
	if host[3] != 1 {
		t.Error(host[3])
	}
	must(t, s.Close())
	must(t, b.Free())
}

func TestSourceChangedEarly(t *testing.T) {
	dev := device()
	b, err := mem.Alloc[int32](dev, 32)
	must(t, err)
	s, host := dev.NewStream(), make([]int32, 32)
	must(t, mem.CopyToDeviceAsync(s, b, host))
	host[0] = 7 // want race error 4
	must(t, s.Close())
	must(t, b.Free())
}

func graph(t *testing.T, a []int32, ordered bool) {
	dev := device()
	g := dev.NewGraph()
	one, err := g.AddKernelNode(nil, line(1, 32), gocuda.ThreadFunc(func(t *gocuda.Thread) {
		a[t.GlobalX()] = 1
	}))
	must(t, err)
	var deps []*gocuda.GraphNode
	if ordered {
		deps = append(deps, one)
	}
	_, err = g.AddKernelNode(deps, line(1, 32), gocuda.ThreadFunc(func(t *gocuda.Thread) {
		a[t.GlobalX()] *= 2 // want race error 128
	}))
	must(t, err)
	x, err := g.Instantiate()
	must(t, err)
	s := dev.NewStream()
	must(t, x.Launch(s))
	must(t, s.Close())
}

func TestGraphBranches(t *testing.T)      { graph(t, make([]int32, 32), false) }
func TestGraphBranchesRight(t *testing.T) { graph(t, make([]int32, 32), true) }

func TestLaunchesRight(t *testing.T) {
	a := make([]int32, 64)
	for k := range 5 {
		run(2, 32, addRight(a, int32(k)))
		a[0]++
	}
}

func TestDefaultStreamRight(t *testing.T) {
	dev := device()
	a := make([]int32, 64)
	must(t, dev.DefaultStream().LaunchFunc(line(2, 32), addRight(a, 1)))
	must(t, dev.DefaultStream().LaunchFunc(line(2, 32), addRight(a, 2)))
	must(t, dev.Synchronize(context.Background()))
	a[0]++
}

func TestLaunchBesideStream(t *testing.T) {
	dev := device()
	s, a, out := dev.NewStream(), make([]int32, 64), make([]int32, 64)
	must(t, s.LaunchFunc(line(2, 32), func(t *gocuda.Thread) { a[t.GlobalX()] = 1 }))
	run(2, 32, func(t *gocuda.Thread) {
		out[t.GlobalX()] = a[t.GlobalX()] // want race RAW error 256
	})
	must(t, s.Close())
}

// One launch sets device memory, and another one that nothing orders with it reads the memory. Whichever comes first, it is a race and
// no uninitialised read.
func setBeside(t *testing.T, readsFirst bool) {
	dev := device()
	b, err := mem.Alloc[int32](dev, 64)
	must(t, err)
	a, out := b.Data(), make([]int32, 64)
	s1, s2 := dev.NewStream(), dev.NewStream()
	launches := []func(){
		func() {
			must(t, s1.LaunchFunc(line(2, 32), func(t *gocuda.Thread) {
				a[t.GlobalX()] = 1
			}))
		},
		func() {
			must(t, s2.LaunchFunc(line(2, 32), func(t *gocuda.Thread) {
				out[t.GlobalX()] = a[t.GlobalX()] // want race RAW error
			}))
		},
	}
	if readsFirst {
		launches[0], launches[1] = launches[1], launches[0]
	}
	for _, launch := range launches {
		launch()
	}
	must(t, s1.Close())
	must(t, s2.Close())
}

func TestSetBeside(t *testing.T)      { setBeside(t, false) }
func TestSetBesideLater(t *testing.T) { setBeside(t, true) }

// Nobody sets it: that is an uninitialised read, though another launch is under way.
func TestUnsetBesideOther(t *testing.T) {
	dev := device()
	b, err := mem.Alloc[int32](dev, 64)
	must(t, err)
	a, out, other := b.Data(), make([]int32, 64), make([]int32, 64)
	s1, s2 := dev.NewStream(), dev.NewStream()
	must(t, s1.LaunchFunc(line(2, 32), func(t *gocuda.Thread) {
		out[t.GlobalX()] = a[t.GlobalX()] // want init global error 64
	}))
	must(t, s2.LaunchFunc(line(2, 32), func(t *gocuda.Thread) { other[t.GlobalX()] = 1 }))
	must(t, s1.Close())
	must(t, s2.Close())
}
