package user

import (
	"testing"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// The programs of the manual and samples of compute-sanitizer, and of the tests of Oclgrind.

func TestBlockError(t *testing.T) {
	in, out := make([]int32, 128), make([]int32, 1)
	run(1, 128, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = in[i] + int32(i)
		if i == 0 {
			sum := int32(0)
			for k := range s {
				sum += s[k] // want race RAW error 508
			}
			out[0] = sum
		}
	})
}

func TestBlockErrorRight(t *testing.T) {
	in, out := make([]int32, 128), make([]int32, 1)
	run(1, 128, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = in[i] + int32(i)
		t.SyncThreads()
		if i == 0 {
			sum := int32(0)
			for _, v := range s {
				sum += v
			}
			out[0] = sum
		}
	})
}

func TestWarpError(t *testing.T) {
	out := make([]int32, 2)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		w := gocuda.Shared[int32](t, 2)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		if i%32 == 0 {
			w[i/32] = 0
			for k := range 32 {
				w[i/32] += s[i+k] // want race RAW warning 248
			}
		}
		t.SyncThreads()
		if i == 0 {
			out[0] = w[0] + w[1]
		}
	})
}

func TestWarpErrorRight(t *testing.T) {
	out := make([]int32, 2)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		t.SyncWarp(gocuda.FullMask)
		if i%32 == 0 {
			for k := range 32 {
				out[i/32] += s[i+k]
			}
		}
	})
}

func TestHalfSet(t *testing.T) {
	in, err := mem.Alloc[int32](device(), 64)
	must(t, err)
	part, err := in.Slice(0, 16)
	must(t, err)
	must(t, mem.Memset(part, 0)) // 64 bytes, not 64 elements
	out, err := mem.Alloc[int32](device(), 64)
	must(t, err)
	a, b := in.Data(), out.Data()
	run(2, 32, func(t *gocuda.Thread) {
		i := t.GlobalX()
		b[i] = a[i] // want init global error 48
	})
	must(t, in.Free())
	must(t, out.Free())
}

func TestHalfSetRight(t *testing.T) {
	in, err := mem.Alloc[int32](device(), 64)
	must(t, err)
	must(t, mem.Memset(in, 0))
	out, err := mem.Alloc[int32](device(), 64)
	must(t, err)
	a, b := in.Data(), out.Data()
	run(2, 32, func(t *gocuda.Thread) {
		i := t.GlobalX()
		b[i] = a[i]
	})
	must(t, in.Free())
	must(t, out.Free())
}

func TestDivergentThreads(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		for r := range 16 {
			offset := t.ThreadIdx.X + r*64
			if offset < 1008 { // want sync warp error 32
				t.SyncThreads()
			}
		}
	})
}

func TestDivergentThreadsRight(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		for r := range 16 {
			if r*64 < 1008 {
				t.SyncThreads()
			}
		}
	})
}

func TestIllegalMask(t *testing.T) {
	run(1, 32, func(t *gocuda.Thread) {
		if t.ThreadIdx.X < 17 {
			t.SyncWarp(0xffff) // want sync arguments error
		}
	})
}

func TestIllegalMaskRight(t *testing.T) {
	run(1, 32, func(t *gocuda.Thread) {
		if t.ThreadIdx.X < 16 {
			t.SyncWarp(0xffff)
		}
	})
}

func suballocation(t *testing.T, threads int, f func(*mem.Buffer[byte])) {
	pool, err := mem.Alloc[byte](device(), 1024)
	must(t, err)
	must(t, mem.Memset(pool, 0))
	part, err := pool.Slice(0, 63)
	must(t, err)
	a := part.Data()
	f(pool)
	run(1, threads, func(t *gocuda.Thread) {
		a[t.ThreadIdx.X] = 1 // want mem error 1
	})
}

func TestSuballocation(t *testing.T)      { suballocation(t, 64, func(p *mem.Buffer[byte]) {}) }
func TestSuballocationRight(t *testing.T) { suballocation(t, 63, func(p *mem.Buffer[byte]) {}) }

func TestIncrementByOne(t *testing.T) {
	data := []int32{1, 2, 3, 4}
	run(1, 4, func(t *gocuda.Thread) {
		if i := t.GlobalX(); i > 0 {
			data[i] = data[i-1] + 1 // want race WAR warning; ?race RAW warning
		}
	})
}

func TestInterGroup(t *testing.T) {
	data := make([]int32, 1)
	run(4, 1, func(t *gocuda.Thread) { data[0] = int32(t.GlobalX()) + 1 }) // want race WAW error 4
}

func TestSameValue(t *testing.T) {
	data := make([]int32, 1)
	run(1, 4, func(t *gocuda.Thread) { data[0] = 0 }) // want race WAW info 4
}

func TestBroadcastRight(t *testing.T) {
	value, out, data := make([]int32, 1), make([]int32, 4), make([]int32, 4)
	run(4, 1, func(t *gocuda.Thread) {
		i := t.GlobalX()
		out[i] = value[0]
		data[i]++
	})
}

func TestReadOfOtherGroup(t *testing.T) {
	data, out := make([]int32, 1), make([]int32, 2)
	run(2, 1, func(t *gocuda.Thread) {
		out[t.BlockIdx.X] = data[0]
		if t.BlockIdx.X == 1 {
			data[0] = 7 // want race WAR error 4
		}
	})
}

func TestOwnGroupRight(t *testing.T) {
	out := make([]int32, 4)
	data := make([]int32, 16)
	run(4, 4, func(t *gocuda.Thread) {
		data[t.GlobalX()] = int32(t.GlobalX())
		t.SyncThreads()
		if t.ThreadIdx.X == 0 {
			for k := range 4 {
				out[t.BlockIdx.X] += data[t.BlockIdx.X*4+k]
			}
		}
	})
}

func TestAtomicThenPlain(t *testing.T) {
	d, out := make([]int32, 1), make([]int32, 1)
	run(1, 4, func(t *gocuda.Thread) {
		atomic.Add(&d[0], 1)
		if t.ThreadIdx.X == 3 {
			out[0] = d[0] // want race RAW warning 4
		}
	})
}

func TestAtomicsRight(t *testing.T) {
	d := make([]int32, 1)
	run(4, 64, func(t *gocuda.Thread) { atomic.Add(&d[0], 1) })
}

func TestPlainThenAtomics(t *testing.T) {
	d := make([]int32, 1)
	run(2, 4, func(t *gocuda.Thread) {
		if t.GlobalX() == 0 {
			d[0] = 0 // want race WAW error 4
		}
		t.SyncThreads()
		atomic.Add(&d[0], 1)
	})
}

func TestPlainThenAtomicsRight(t *testing.T) {
	d := make([]int32, 2)
	run(2, 4, func(t *gocuda.Thread) {
		if t.ThreadIdx.X == 0 {
			d[t.BlockIdx.X] = 0
		}
		t.SyncThreads()
		atomic.Add(&d[t.BlockIdx.X], 1)
	})
}

func TestZeroThenSum(t *testing.T) {
	out := make([]int32, 1)
	run(1, 4, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 4)
		l := t.ThreadIdx.X
		s[l] = 0
		t.SyncThreads()
		s[l] = int32(l)
		if l == 0 {
			x := int32(0)
			for k := range 4 {
				x += s[k] // want race RAW warning 12
			}
			out[0] = x
		}
	})
}

func TestBarrierInBranch(t *testing.T) {
	run(1, 4, func(t *gocuda.Thread) {
		if t.ThreadIdx.X != 0 { // want sync warp error 4
			t.SyncThreads()
		}
	})
}

func TestLastBlockRight(t *testing.T) {
	part, n, out := make([]int32, 4), make([]int32, 1), make([]int32, 1)
	run(4, 1, func(t *gocuda.Thread) {
		part[t.BlockIdx.X] = 1
		t.Threadfence()
		if atomic.Add(&n[0], 1) == 3 {
			for _, v := range part {
				out[0] += v
			}
		}
	})
}

func TestLastBlock(t *testing.T) {
	part, n, out := make([]int32, 4), make([]int32, 1), make([]int32, 1)
	run(4, 1, func(t *gocuda.Thread) {
		part[t.BlockIdx.X] = 1
		if atomic.Add(&n[0], 1) == 3 {
			for k := range part {
				out[0] += part[k] // want race RAW error 12
			}
		}
	})
}

func TestReturnRight(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		if t.ThreadIdx.X > 40 {
			return
		}
		t.SyncThreads()
	})
}
