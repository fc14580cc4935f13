package user

import (
	"context"
	"testing"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// Device memory: lifetimes, padding, alignment, and what nobody has written.

func TestAfterFree(t *testing.T) {
	b, err := mem.Alloc[int32](device(), 32)
	must(t, err)
	must(t, mem.Memset(b, 0))
	x := b.Data()
	must(t, b.Free())
	run(1, 32, func(t *gocuda.Thread) {
		x[t.ThreadIdx.X] = 1 // want mem freed error 32
	})
}

func TestAfterFreeRight(t *testing.T) {
	b, err := mem.Alloc[int32](device(), 32)
	must(t, err)
	must(t, mem.Memset(b, 0))
	x := b.Data()
	run(1, 32, func(t *gocuda.Thread) { x[t.ThreadIdx.X]++ })
	must(t, b.Free())
}

func TestPartAfterFree(t *testing.T) {
	b, err := mem.Alloc[int32](device(), 64)
	must(t, err)
	must(t, mem.Memset(b, 0))
	part, err := b.Slice(32, 64)
	must(t, err)
	x := part.Data()
	must(t, b.Free())
	out := make([]int32, 32)
	run(1, 32, func(t *gocuda.Thread) {
		out[t.ThreadIdx.X] = x[t.ThreadIdx.X] // want mem freed error 32
	})
}

func TestDoubleFree(t *testing.T) {
	b, err := mem.Alloc[int32](device(), 64)
	must(t, err)
	must(t, b.Free())
	_ = b.Free() // want mem double-free error 1
}

func padded(t *testing.T, past int) {
	p, err := mem.AllocPitch[float32](device(), 100, 4)
	must(t, err)
	b, err := p.Buffer()
	must(t, err)
	must(t, mem.Memset(b, 0))
	x, stride := p.Data(), p.Stride()
	cfg := grid.Config{Grid: grid.Dim3{X: 4, Y: 4}, Block: grid.Dim3{X: 32}}
	must(t, device().LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		if i := t.GlobalX(); i < 100+past {
			x[t.BlockIdx.Y*stride+i]++ // want mem padding error 4
		}
	}))
	must(t, p.Free())
}

func TestPadding(t *testing.T)      { padded(t, 1) }
func TestPaddingRight(t *testing.T) { padded(t, 0) }

func misaligned(t *testing.T, from int) {
	b, err := mem.Alloc[byte](device(), 64)
	must(t, err)
	must(t, mem.Memset(b, 0))
	x := mem.View[uint32](b.Data()[from : from+32])
	run(1, 8, func(t *gocuda.Thread) {
		x[t.ThreadIdx.X] = 1 // want mem misaligned error 8
	})
	must(t, b.Free())
}

func TestMisaligned(t *testing.T)      { misaligned(t, 1) }
func TestMisalignedRight(t *testing.T) { misaligned(t, 4) }

func TestMisalignedStruct(t *testing.T) {
	raw := make([]byte, 72)
	type pair struct{ a, b int32 }
	x := (*pair)(unsafe.Pointer(&raw[1]))
	run(1, 1, func(t *gocuda.Thread) {
		x.a = 1 // want mem misaligned error 1
	})
}

func TestEarlyAllocation(t *testing.T) {
	dev := device()
	s1, s2 := dev.NewStream(), dev.NewStream()
	b, err := mem.AllocAsync[int32](s1, 32)
	must(t, err)
	x := b.Data()
	must(t, s2.LaunchFunc(line(1, 32), func(t *gocuda.Thread) {
		x[t.ThreadIdx.X] = 1 // want mem early error 32
	}))
	must(t, s2.Synchronize(context.Background()))
	must(t, mem.FreeAsync(s1, b))
	must(t, s1.Close())
	must(t, s2.Close())
}

func TestEarlyAllocationRight(t *testing.T) {
	dev := device()
	s1, s2, e := dev.NewStream(), dev.NewStream(), dev.NewEvent()
	b, err := mem.AllocAsync[int32](s1, 32)
	must(t, err)
	must(t, s1.Record(e))
	must(t, s2.Wait(e))
	x := b.Data()
	must(t, s2.LaunchFunc(line(1, 32), func(t *gocuda.Thread) { x[t.ThreadIdx.X] = 1 }))
	must(t, s2.Record(e))
	must(t, s1.Wait(e))
	must(t, mem.FreeAsync(s1, b))
	must(t, s1.Close())
	must(t, s2.Close())
}

func TestFreedBeside(t *testing.T) {
	dev := device()
	s1, s2, e := dev.NewStream(), dev.NewStream(), dev.NewEvent()
	b, err := mem.AllocAsync[int32](s1, 32)
	must(t, err)
	must(t, s1.Record(e))
	must(t, s2.Wait(e))
	x := b.Data()
	must(t, s2.LaunchFunc(line(1, 32), func(t *gocuda.Thread) {
		x[t.ThreadIdx.X] = 1 // want mem freed error 32
	}))
	must(t, mem.FreeAsync(s1, b))
	must(t, s1.Close())
	must(t, s2.Close())
}

func TestFreedBehindRight(t *testing.T) {
	s := device().NewStream()
	for range 3 {
		b, err := mem.AllocAsync[int32](s, 32)
		must(t, err)
		x := b.Data()
		must(t, s.LaunchFunc(line(1, 32), func(t *gocuda.Thread) { x[t.ThreadIdx.X] = 1 }))
		must(t, mem.FreeAsync(s, b))
	}
	must(t, s.Close())
}

func TestAfterFreeAsync(t *testing.T) {
	s := device().NewStream()
	b, err := mem.AllocAsync[int32](s, 32)
	must(t, err)
	x := b.Data()
	must(t, mem.FreeAsync(s, b))
	must(t, s.LaunchFunc(line(1, 32), func(t *gocuda.Thread) {
		x[t.ThreadIdx.X] = 1 // want mem freed error 32
	}))
	must(t, s.Close())
}

func TestGridTooSmall(t *testing.T) {
	b, err := mem.Alloc[int32](device(), 100)
	must(t, err)
	x, host := b.Data(), make([]int32, 100)
	run(3, 32, func(t *gocuda.Thread) {
		if i := t.GlobalX(); i < 100 {
			x[i] = 1
		}
	})
	must(t, mem.CopyToHost(host, b)) // want init unwritten info 16
	must(t, b.Free())
}

func TestGridTooSmallRight(t *testing.T) {
	b, err := mem.Alloc[int32](device(), 100)
	must(t, err)
	x, host := b.Data(), make([]int32, 100)
	run(4, 32, func(t *gocuda.Thread) {
		if i := t.GlobalX(); i < 100 {
			x[i] = 1
		}
	})
	must(t, mem.CopyToHost(host, b))
	must(t, b.Free())
}

func TestNeverSet(t *testing.T) {
	b, err := mem.Alloc[int32](device(), 4)
	must(t, err)
	x := b.Data()
	run(1, 1, func(t *gocuda.Thread) {
		for i := range x {
			x[3] += x[i] // want init global; init global
		}
	})
	must(t, b.Free())
}

func TestHostSetsRight(t *testing.T) {
	b, err := mem.Alloc[int32](device(), 4)
	must(t, err)
	x := b.Data()
	for i := range x {
		x[i] = int32(i)
	}
	run(1, 4, func(t *gocuda.Thread) { x[t.ThreadIdx.X]++ })
	must(t, b.Free())
}

func TestBytesOfWord(t *testing.T) {
	b, err := mem.Alloc[byte](device(), 8)
	must(t, err)
	x := b.Data()
	out := make([]uint32, 2)
	run(1, 8, func(t *gocuda.Thread) {
		if t.ThreadIdx.X != 5 {
			x[t.ThreadIdx.X] = 1
		}
	})
	w := mem.View[uint32](x)
	run(1, 2, func(t *gocuda.Thread) {
		out[t.ThreadIdx.X] = w[t.ThreadIdx.X] // want init global error 1
	})
	must(t, b.Free())
}

// A thread reads what its neighbour is about to write, and writes there itself: races, and no uninitialised read beside them.
func TestReadThenOverwritten(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = 1
		out[i] = s[i^1] // want race RAW warning
		if i == 24 {
			s[i^1] = 5 // want race WAW warning
		}
	})
}

// Another byte of the word is written without an order: that is no race, and the byte that is read is not set.
func TestByteBesideWritten(t *testing.T) {
	out := make([]uint8, 2)
	run(1, 2, func(t *gocuda.Thread) {
		s := gocuda.Shared[uint8](t, 4)
		if t.ThreadIdx.X == 0 {
			out[0] = s[0] // want init shared error 1
		} else {
			s[1] = 1
		}
	})
}
