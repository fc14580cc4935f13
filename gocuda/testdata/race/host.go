package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// What the host does after it has queued work and before it has waited for it is not ordered with the work, whatever else the
// host calls meanwhile. The program "host" goes through all of it and asks the race detector after each pair of accesses whether
// it has reported them.

// A hidden is a signal that orders nobody.
type hidden chan struct{}

//go:norace
func (h hidden) signal() {
	runtime.RaceDisable()
	close(h)
	runtime.RaceEnable()
}

//go:norace
func (h hidden) wait() {
	runtime.RaceDisable()
	<-h
	runtime.RaceEnable()
}

// A host is what the calls of a case work with.
type host struct {
	dev      *gocuda.Device
	s, other *gocuda.Stream
	event    *gocuda.Event // recorded behind the work
	buf, tmp *mem.Buffer[int]
	managed  *mem.Buffer[int]
	symbol   *mem.Constant[int]
	graph    *gocuda.GraphExec
	worked   *gocuda.GraphExec // what the work has launched, if that is a graph
}

func newHost(dev *gocuda.Device) *host {
	h := &host{dev: dev, s: dev.NewStream(), other: dev.NewStream(), event: dev.NewEvent()}
	var err error
	h.buf, err = mem.Alloc[int](dev, 4)
	must(err)
	h.tmp, err = mem.AllocAsync[int](h.other, 4)
	must(err)
	must(h.other.Synchronize(ctx))
	h.managed, err = mem.AllocManaged[int](dev, 4, mem.MemAttachGlobal)
	must(err)
	h.symbol = mem.NewConstantIn[int](new(mem.Module), "symbol", 4)
	g := dev.NewGraph()
	_, err = g.AddKernelNode(nil, shape(1, 1), gocuda.ThreadFunc(nothing))
	must(err)
	h.graph, err = g.Instantiate()
	must(err)
	return h
}

// hostCalls are what the host may do in between. None of it waits for the work.
var hostCalls = map[string]func(h *host){
	"nothing":              func(h *host) {},
	"Stream.Launch":        func(h *host) { must(h.s.LaunchFunc(shape(2, 2), nothing)) },
	"Stream.Launch, other": func(h *host) { must(h.other.LaunchFunc(shape(2, 2), nothing)); must(h.other.Synchronize(ctx)) },
	"Stream.Launch, cooperative": func(h *host) {
		must(h.other.LaunchCooperative(ctx, shape(1, 2), gocuda.ThreadFunc(nothing)))
		must(h.other.Synchronize(ctx))
	},
	"Launch": func(h *host) { must(h.dev.LaunchFunc(ctx, shape(3, 2), nothing)) },
	"Launch of a new kernel": func(h *host) {
		must(h.dev.Launch(ctx, shape(1, 1), gocuda.BlockFunc(func(b *gocuda.Block) { b.Threads(nothing) })))
	},
	"Launch, printing": func(h *host) {
		must(h.dev.LaunchFunc(ctx, shape(1, 1), func(t *gocuda.Thread) { t.Printf("line\n") }))
	},
	"Launch, failing": func(h *host) {
		if h.dev.LaunchFunc(ctx, shape(1, 1), func(t *gocuda.Thread) { panic("on purpose") }) == nil {
			stop("no error")
		}
	},
	"Launch, urgent": func(h *host) {
		cfg := shape(3, 2)
		cfg.Priority = -5
		must(h.dev.LaunchFunc(ctx, cfg, nothing))
	},
	"Launch, with a timeout": func(h *host) {
		cfg := shape(3, 2)
		cfg.Timeout = time.Hour
		must(h.dev.LaunchFunc(ctx, cfg, nothing))
	},
	"Launch with a child": func(h *host) {
		must(h.dev.LaunchFunc(ctx, shape(1, 1), func(t *gocuda.Thread) { must(t.LaunchFunc(shape(1, 1), nothing)) }))
	},
	"Stream.AddCallback": func(h *host) { must(h.s.AddCallback(func() {})) },
	"NewStream":          func(h *host) { must(h.dev.NewStream().Close()) },
	"NewDevice": func(h *host) {
		dev, err := gocuda.NewDevice()
		must(err)
		must(dev.LaunchFunc(ctx, shape(1, 1), nothing))
		must(dev.Close())
	},
	"Record and Wait": func(h *host) {
		e := h.dev.NewEvent()
		must(h.other.Record(e))
		must(h.s.Wait(e))
		must(e.Synchronize(ctx))
	},
	"Record behind it":  func(h *host) { must(h.s.Record(h.dev.NewEvent())) },
	"Err":               func(h *host) { must(h.s.Err()) },
	"Device.Properties": func(h *host) { h.dev.Properties() },
	"copies": func(h *host) {
		must(mem.CopyToDevice(h.buf, []int{1}))
		must(mem.MemsetAsync(h.s, h.buf, 1))
		must(mem.CopyToDeviceAsync(h.s, h.buf, []int{1, 2}))
		must(mem.CopyToHostAsync(h.other, make([]int, 4), h.tmp))
		must(h.other.Synchronize(ctx))
	},
	"AllocAsync and FreeAsync": func(h *host) {
		b, err := mem.AllocAsync[int](h.s, 4)
		must(err)
		must(mem.MemsetAsync(h.s, b, 1))
		must(mem.FreeAsync(h.s, b))
	},
	"graph": func(h *host) { must(h.graph.Launch(h.s)) },
	"graph, other": func(h *host) {
		must(h.graph.Launch(h.other))
		must(h.other.Synchronize(ctx))
	},
	"prefetch and advice": func(h *host) {
		must(mem.PrefetchAsync(h.s, h.managed, mem.CPU))
		must(mem.AttachAsync(h.s, h.managed, mem.MemAttachSingle))
		time.Sleep(time.Millisecond)
		must(mem.Advise(h.managed, mem.AdviseSetReadMostly, nil))
		_, err := mem.RangeAttributesOf(h.managed)
		must(err)
		_, _, err = mem.Attachment(h.managed)
		must(err)
	},
	"memory of a pool, of another stream": func(h *host) {
		p, err := mem.NewPool(h.dev, mem.PoolProps{})
		must(err)
		b, err := mem.AllocFromPoolAsync[int](h.s, p, 4)
		must(err)
		must(mem.FreeAsync(h.s, b))
		time.Sleep(time.Millisecond)
		b, err = mem.AllocFromPoolAsync[int](h.other, p, 4)
		must(err)
		must(mem.FreeAsync(h.other, b))
	},
	"constant": func(h *host) {
		must(mem.CopyToSymbolAsync(h.s, h.symbol, []int{1}, 0))
		time.Sleep(time.Millisecond)
		must(mem.CopyToSymbol(h.dev, h.symbol, []int{2}, 1))
	},
	"capture": func(h *host) {
		must(h.other.BeginCapture(gocuda.CaptureModeGlobal))
		must(h.other.LaunchFunc(shape(1, 1), nothing))
		g, err := h.other.EndCapture()
		must(err)
		_, err = g.Instantiate()
		must(err)
	},
}

// pending are calls that find out that work has not ended. They don't wait for it either.
var pending = map[string]func(h *host){
	"Stream.Query": func(h *host) {
		if done, err := h.s.Query(); done || err != nil {
			stop("Query: ", done, err)
		}
	},
	"Event.Query": func(h *host) {
		if done, err := h.event.Query(); done || err != nil {
			stop("Query: ", done, err)
		}
	},
	"Event.Since": func(h *host) {
		if _, err := h.event.Since(h.event); err == nil {
			stop("Since: no error")
		}
	},
}

// works are what can be queued; each runs f, or has f's access in it.
var works = map[string]func(h *host, f func()){
	"kernel": func(h *host, f func()) { must(h.s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { f() })) },
	"kernel of many threads": func(h *host, f func()) {
		must(h.s.LaunchFunc(shape(3, 40), func(t *gocuda.Thread) {
			if t.GlobalX() == 50 {
				f()
			}
		}))
	},
	"block kernel": func(h *host, f func()) {
		must(h.s.Launch(shape(1, 1), gocuda.BlockFunc(func(*gocuda.Block) { f() })))
	},
	"cooperative kernel": func(h *host, f func()) {
		must(h.s.LaunchCooperative(ctx, shape(1, 1), gocuda.ThreadFunc(func(*gocuda.Thread) { f() })))
	},
	"child": func(h *host, f func()) {
		must(h.s.LaunchFunc(shape(1, 1), func(t *gocuda.Thread) {
			must(t.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { f() }))
		}))
	},
	"callback": func(h *host, f func()) { must(h.s.AddCallback(f)) },
	"enqueued": func(h *host, f func()) { must(h.s.Enqueue(func() error { f(); return nil })) },
	"graph": func(h *host, f func()) {
		g := h.dev.NewGraph()
		_, err := g.AddKernelNode(nil, shape(1, 1), gocuda.ThreadFunc(func(*gocuda.Thread) { f() }))
		must(err)
		x, err := g.Instantiate()
		must(err)
		h.worked = x
		must(x.Launch(h.s))
	},
	"host node": func(h *host, f func()) {
		g := h.dev.NewGraph()
		first, err := g.AddEmptyNode(nil)
		must(err)
		_, err = g.AddHostNode([]*gocuda.GraphNode{first}, func() error { f(); return nil })
		must(err)
		x, err := g.Instantiate()
		must(err)
		must(x.Launch(h.s))
	},
}

func write(v *int) { *v = 1 }
func read(v *int)  { sink = *v }

var sink int

type access func(v *int)

// hostFirst makes the host's access while the work waits in the queue. What is queued behind a kernel that waits is taken from
// the queue after the host's access.
func hostFirst(h *host, work func(*host, func()), call func(*host), mine, theirs access) {
	v, ready := new(int), make(hidden)
	must(h.s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { ready.wait() }))
	work(h, func() { theirs(v) })
	must(h.s.Record(h.event))
	call(h)
	mine(v)
	ready.signal()
	must(h.s.Synchronize(ctx))
}

// workFirst makes the host's access when the work has made its own and has not ended.
func workFirst(h *host, work func(*host, func()), call func(*host), mine, theirs access) {
	v, done, ended := new(int), make(hidden), make(hidden)
	work(h, func() { theirs(v); done.signal(); ended.wait() })
	must(h.s.Record(h.event))
	done.wait()
	call(h)
	mine(v)
	ended.signal()
	must(h.s.Synchronize(ctx))
}

// workEnded makes the host's access when the stream is idle again, without that it was asked.
func workEnded(h *host, work func(*host, func()), call func(*host), mine, theirs access) {
	v, done := new(int), make(hidden)
	work(h, func() { theirs(v); done.signal() })
	must(h.s.Record(h.event))
	done.wait()
	time.Sleep(time.Millisecond)
	call(h)
	mine(v)
	must(h.s.Synchronize(ctx))
}

// is returns *first, which is false from then on.
//
//go:norace
func is(first *bool) bool {
	was := *first
	*first = false
	return was
}

type timing func(h *host, work func(*host, func()), call func(*host), mine, theirs access)

var timings = map[string]timing{"host first": hostFirst, "work first": workFirst, "work ended": workEnded}

// hostAccesses prints the cases in which no race was reported.
func hostAccesses(dev *gocuda.Device) {
	missed := 0
	try := func(name string, f func()) {
		for range 3 {
			n := runtime.RaceErrors()
			f()
			if runtime.RaceErrors() > n {
				return
			}
		}
		fmt.Println("missed:", name)
		missed++
	}
	for when, run := range timings {
		for name, call := range hostCalls {
			try(name+", "+when, func() { run(newHost(dev), works["kernel"], call, write, write) })
			try(name+", "+when+", read", func() { run(newHost(dev), works["kernel"], call, read, write) })
		}
		for name, work := range works {
			try(name+", "+when+", nothing", func() { run(newHost(dev), work, hostCalls["nothing"], write, read) })
			try(name+", "+when+", Stream.Launch", func() { run(newHost(dev), work, hostCalls["Stream.Launch"], write, write) })
		}
		try("the same graph, "+when, func() {
			first := true
			work := func(h *host, f func()) {
				works["graph"](h, func() {
					if is(&first) {
						f()
					}
				})
			}
			run(newHost(dev), work, func(h *host) { must(h.worked.Launch(h.other)) }, write, write)
		})
		for name, call := range pending {
			if when != "work ended" {
				try(name+", "+when, func() { run(newHost(dev), works["kernel"], call, write, write) })
			}
		}
	}
	try("source of a copy", func() {
		h, ready := newHost(dev), make(hidden)
		src := make([]int, 4)
		must(h.s.AddCallback(ready.wait))
		must(mem.CopyToDeviceAsync(h.s, h.buf, src))
		src[3] = 1
		ready.signal()
		must(h.s.Synchronize(ctx))
	})
	try("destination of a copy", func() {
		h, done, ended := newHost(dev), make(hidden), make(hidden)
		dst := make([]int, 4)
		must(mem.CopyToHostAsync(h.s, dst, h.buf))
		must(h.s.AddCallback(func() { done.signal(); ended.wait() }))
		done.wait()
		sink = dst[2]
		ended.signal()
		must(h.s.Synchronize(ctx))
	})
	for name, c := range map[string]struct{ queue, access func(h *host) }{
		"memset": {
			func(h *host) { must(mem.MemsetAsync(h.s, h.buf, 1)) },
			func(h *host) { must(mem.CopyToHost(make([]int, 4), h.buf)) },
		},
		"memset of managed memory": {
			func(h *host) { must(mem.Memset2DAsync(h.s, h.managed.Rows(2, 2), 1, 2, 2)) },
			func(h *host) { read(&h.managed.Data()[3]) },
		},
		"copy between buffers": {
			func(h *host) { must(mem.CopyAsync(h.s, h.managed, h.buf)) },
			func(h *host) { must(mem.CopyToDevice(h.buf, []int{1})) },
		},
		"copy of rows": {
			func(h *host) { must(mem.Copy2DAsync(h.s, h.buf.Rows(2, 2), h.managed.Rows(2, 2), 2, 2)) },
			func(h *host) { write(&h.managed.Data()[0]) },
		},
		"copy to a symbol": {
			func(h *host) { must(mem.CopyToSymbolAsync(h.s, h.symbol, []int{1}, 1)) },
			func(h *host) { must(mem.CopyFromSymbol(h.dev, make([]int, 4), h.symbol, 0)) },
		},
	} {
		try(name+", first", func() {
			h, ready := newHost(dev), make(hidden)
			must(h.s.AddCallback(ready.wait))
			c.queue(h)
			c.access(h)
			ready.signal()
			must(h.s.Synchronize(ctx))
		})
		try(name+", last", func() {
			h, done, ended := newHost(dev), make(hidden), make(hidden)
			c.queue(h)
			must(h.s.AddCallback(func() { done.signal(); ended.wait() }))
			done.wait()
			c.access(h)
			ended.signal()
			must(h.s.Synchronize(ctx))
		})
	}
	try("two hosts", func() {
		// The one host has queued something when the other does, which does not order what comes before and behind.
		v, first, second := new(int), make(hidden), make(hidden)
		a, b := newHost(dev), newHost(dev)
		go func() {
			write(v)
			must(a.s.LaunchFunc(shape(1, 1), nothing))
			must(a.dev.LaunchFunc(ctx, shape(1, 1), nothing))
			first.signal()
		}()
		first.wait()
		must(b.s.LaunchFunc(shape(1, 1), nothing))
		must(b.dev.LaunchFunc(ctx, shape(1, 1), nothing))
		write(v)
		second.signal()
		must(b.s.Synchronize(ctx))
	})
	try("kernels of two hosts", func() {
		v, first := new(int), make(hidden)
		a, b := newHost(dev), newHost(dev)
		go func() {
			must(a.s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { write(v) }))
			must(a.s.Synchronize(ctx))
			first.signal()
		}()
		first.wait()
		must(b.s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { write(v) }))
		must(b.s.Synchronize(ctx))
	})
	try("streams, one after the other", func() {
		v, first := new(int), make(hidden)
		h := newHost(dev)
		must(h.s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { write(v); first.signal() }))
		first.wait()
		time.Sleep(time.Millisecond)
		must(h.other.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { write(v) }))
		must(dev.Synchronize(ctx))
	})
	try("launch on a stream and without", func() {
		v, first := new(int), make(hidden)
		h := newHost(dev)
		must(h.s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { write(v); first.signal() }))
		first.wait()
		time.Sleep(time.Millisecond)
		must(dev.LaunchFunc(ctx, shape(1, 1), func(*gocuda.Thread) { write(v) }))
		must(dev.Synchronize(ctx))
	})
	try("branches of a graph", func() {
		v, first := new(int), make(hidden)
		g := dev.NewGraph()
		_, err := g.AddKernelNode(nil, shape(1, 1), gocuda.ThreadFunc(func(*gocuda.Thread) { write(v); first.signal() }))
		must(err)
		_, err = g.AddKernelNode(nil, shape(1, 1), gocuda.ThreadFunc(func(*gocuda.Thread) { first.wait(); write(v) }))
		must(err)
		x, err := g.Instantiate()
		must(err)
		s := dev.NewStream()
		must(x.Launch(s))
		must(s.Synchronize(ctx))
	})
	try("launches that wait for room", func() {
		// The fillers take most of the budget of the process. The first of the others is let in since nothing moves then, the
		// second when the first has ended.
		const blocks = 300
		cfg := shape(blocks, 1)
		cfg.Workers = 1 // in the order of the blocks: what happens long before something else is forgotten
		v, in, ended := new(int), make(hidden), make(hidden)
		var all sync.WaitGroup
		for range 15 {
			all.Go(func() {
				must(dev.LaunchFunc(ctx, cfg, func(t *gocuda.Thread) {
					if t.BlockIdx.X == 0 {
						ended.wait()
					}
				}))
			})
		}
		var two sync.WaitGroup
		two.Go(func() {
			must(dev.LaunchFunc(ctx, cfg, func(t *gocuda.Thread) {
				switch t.BlockIdx.X {
				case 0:
					in.signal()
				case blocks - 1:
					write(v)
				}
			}))
		})
		two.Go(func() {
			in.wait()
			must(dev.LaunchFunc(ctx, cfg, func(t *gocuda.Thread) {
				if t.BlockIdx.X == 0 {
					write(v)
				}
			}))
		})
		two.Wait()
		ended.signal()
		all.Wait()
	})
	if missed > 0 {
		stop(missed, " races were missed")
	}
}

// waits are the ways to find out that work has ended. Behind each of them the host may access what the work has.
var waits = map[string]func(h *host){
	"Synchronize":        func(h *host) { must(h.s.Synchronize(ctx)) },
	"Device.Synchronize": func(h *host) { must(h.dev.Synchronize(ctx)) },
	"Event.Synchronize":  func(h *host) { must(h.event.Synchronize(ctx)) },
	"Close":              func(h *host) { must(h.s.Close()) },
	"Reset":              func(h *host) { must(h.s.Reset()) },
	"Query": func(h *host) {
		for done := false; !done; runtime.Gosched() {
			done, _ = h.s.Query()
		}
	},
	"Event.Query": func(h *host) {
		for done := false; !done; runtime.Gosched() {
			done, _ = h.event.Query()
		}
	},
	"Event.Since": func(h *host) {
		for {
			if _, err := h.event.Since(h.event); err == nil {
				return
			}
			runtime.Gosched()
		}
	},
	"callback": func(h *host) {
		done := make(chan struct{})
		must(h.s.AddCallback(func() { close(done) }))
		<-done
	},
	"other stream": func(h *host) {
		must(h.other.Wait(h.event))
		must(h.other.Synchronize(ctx))
	},
	"launch in the stream": func(h *host) {
		v := 0
		must(h.s.LaunchFunc(grid.Linear(1, 1), func(*gocuda.Thread) { v = 1 }))
		must(h.s.Synchronize(ctx))
		equal(v, 1)
	},
}

func init() {
	clean["host-waits"] = func(dev *gocuda.Device) {
		for name, wait := range waits {
			for what, work := range works {
				for _, early := range []bool{true, false} {
					h, v := newHost(dev), 1
					work(h, func() { v *= 10 })
					work(h, func() { v++ })
					must(h.s.Record(h.event))
					if early { // others have their say in between
						must(h.dev.LaunchFunc(ctx, shape(1, 1), nothing))
					}
					wait(h)
					if v != 11 {
						stop(name, " ", what, ": ", v)
					}
					v = 5
					if name != "Close" {
						work(h, func() { v++ }) // after what the host has done
						must(h.s.Synchronize(ctx))
						equal(v, 6)
					}
				}
			}
		}
	}
	// A device that is closed has done all, also what nobody has waited for.
	clean["device-closed"] = func(*gocuda.Device) {
		dev, err := gocuda.NewDevice()
		must(err)
		x, y := 0, 0
		done := make(hidden)
		s := dev.NewStream()
		must(s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { x = 1 }))
		must(s.AddCallback(func() { y = 1; done.signal() }))
		done.wait()
		must(dev.Close())
		equal(x+y, 2)
	}
	// Device.Synchronize also orders the host after streams that had ended before.
	clean["device-synchronize-idle-streams"] = func(dev *gocuda.Device) {
		x := 0
		done := make(hidden)
		s := dev.NewStream()
		must(s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { x = 1; done.signal() }))
		done.wait()
		time.Sleep(time.Millisecond)
		must(dev.Synchronize(ctx))
		equal(x, 1)
	}
	clean["error-of-a-stream"] = func(dev *gocuda.Device) {
		s := dev.NewStream()
		must(s.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { panic(fmt.Errorf("error %d", 1)) }))
		for {
			if err := s.Err(); err != nil {
				equal(len(err.Error()) > 0, true)
				break
			}
			runtime.Gosched()
		}
		equal(s.LaunchFunc(shape(1, 1), nothing) != nil, true)
	}
	// Nodes of a graph come after those that they wait for, the stream after all of them.
	clean["graph"] = func(dev *gocuda.Device) {
		v, w := 0, 0
		g := dev.NewGraph()
		thread := func(f func()) gocuda.Kernel { return gocuda.ThreadFunc(func(*gocuda.Thread) { f() }) }
		first, err := g.AddKernelNode(nil, shape(1, 1), thread(func() { v, w = v+1, w+1 }))
		must(err)
		left, err := g.AddKernelNode([]*gocuda.GraphNode{first}, shape(1, 1), thread(func() { v++ }))
		must(err)
		right, err := g.AddHostNode([]*gocuda.GraphNode{first}, func() error { w++; return nil })
		must(err)
		empty, err := g.AddEmptyNode([]*gocuda.GraphNode{left, right})
		must(err)
		_, err = g.AddKernelNode([]*gocuda.GraphNode{empty}, shape(1, 1), thread(func() { v += w }))
		must(err)
		x, err := g.Instantiate()
		must(err)
		s, other := dev.NewStream(), dev.NewStream()
		must(x.Launch(s))
		must(x.Launch(other)) // after the other one
		must(other.LaunchFunc(shape(1, 1), func(*gocuda.Thread) { v++ }))
		must(other.Synchronize(ctx))
		equal(v, 11)
	}
}
