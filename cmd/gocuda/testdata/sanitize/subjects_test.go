package user

import (
	"math"
	"sync"
	"testing"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// Mistakes in kernels of various subjects.

// oddEven sorts the elements of a block by exchanges of neighbours.
func oddEven(data []int32, barrier bool) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = data[i]
		t.SyncThreads()
		for phase := range 64 {
			if j := i + 1; i%2 == phase%2 && j < 64 && s[i] > s[j] { // want race error
				s[i], s[j] = s[j], s[i] // want race error
			}
			if barrier {
				t.SyncThreads()
			}
		}
		t.SyncThreads()
		data[i] = s[i]
	}
}

func reversed(n int) []int32 {
	a := make([]int32, n)
	for i := range a {
		a[i] = int32(n - i)
	}
	return a
}

func TestOddEvenSort(t *testing.T) { run(1, 64, oddEven(reversed(64), false)) }

// butterflies is one pass of a Walsh-Hadamard transform, and the passes before it.
func TestButterflies(t *testing.T) {
	data := make([]int32, 128)
	run(1, 128, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = data[i]
		for h := 1; h < 128; h *= 2 {
			t.SyncThreads()
			x, y := s[i], s[i^h] // want race WAR
			if i&h != 0 {
				x = -x
			}
			s[i] = x + y
		}
		data[i] = s[i]
	})
}

func TestButterfliesRight(t *testing.T) {
	data := make([]int32, 128)
	run(1, 128, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = data[i]
		for h := 1; h < 128; h *= 2 {
			t.SyncThreads()
			x, y := s[i], s[i^h]
			t.SyncThreads()
			if i&h != 0 {
				x = -x
			}
			s[i] = x + y
		}
		data[i] = s[i]
	})
}

// A flag in a bit of a byte: neighbours write the same byte.
func TestBitmask(t *testing.T) {
	bits, in := make([]byte, 8), reversed(64)
	run(1, 64, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		if in[i]%3 == 0 {
			bits[i/8] |= 1 << (i % 8) // want race
		}
	})
}

func TestBitmaskRight(t *testing.T) {
	bits, in := make([]uint32, 2), reversed(64)
	run(1, 64, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		if in[i]%3 == 0 {
			atomic.Or(&bits[i/32], 1<<(i%32))
		}
	})
}

// Booleans side by side are cells of their own.
func TestBooleansRight(t *testing.T) {
	seen, in := make([]bool, 64), reversed(64)
	run(1, 64, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		seen[i] = in[i]%3 == 0
	})
}

// A sum in a variable that the kernel captures.
func TestCapturedSum(t *testing.T) {
	in, sum := reversed(64), int32(0)
	run(2, 32, func(t *gocuda.Thread) {
		sum += in[t.GlobalX()] // want race error
	})
	_ = sum
}

func TestCapturedSumRight(t *testing.T) {
	in, sum := reversed(64), int32(0)
	run(2, 32, func(t *gocuda.Thread) {
		atomic.Add(&sum, in[t.GlobalX()])
	})
	_ = sum
}

// Append to a slice that the kernel captures.
func TestCapturedAppend(t *testing.T) {
	in := reversed(64)
	var out []int32
	run(2, 32, func(t *gocuda.Thread) {
		if v := in[t.GlobalX()]; v%2 == 0 {
			out = append(out, v) // want race error
		}
	})
	_ = out
}

func TestCapturedAppendRight(t *testing.T) {
	in, out, n := reversed(64), make([]int32, 64), int32(0)
	run(2, 32, func(t *gocuda.Thread) {
		if v := in[t.GlobalX()]; v%2 == 0 {
			out[atomic.Add(&n, 1)] = v
		}
	})
}

// The end of a queue that blocks move without atomics.
func TestQueue(t *testing.T) {
	queue, tail := make([]int32, 128), make([]int32, 1)
	run(4, 32, func(t *gocuda.Thread) {
		if t.ThreadIdx.X == 0 {
			at := tail[0]    // want race
			tail[0] = at + 1 // want race
			queue[at] = int32(t.BlockIdx.X)
		}
	})
}

// An entry of a hash table: looked at and then taken, without compare-and-swap.
func TestHashTable(t *testing.T) {
	table, keys := make([]int32, 16), reversed(32)
	run(4, 8, func(t *gocuda.Thread) {
		key := keys[t.GlobalX()]
		for at := key % 16; ; at = (at + 1) % 16 {
			if table[at] == 0 { // want race
				table[at] = key // want race
				return
			}
			if table[at]%16 == key%16 { // want ?race
				return
			}
		}
	})
}

func TestHashTableRight(t *testing.T) {
	table, keys := make([]int32, 64), reversed(32)
	run(4, 8, func(t *gocuda.Thread) {
		key := keys[t.GlobalX()]
		for at := key % 64; ; at = (at + 1) % 64 {
			if old := atomic.CAS(&table[at], 0, key); old == 0 || old == key {
				return
			}
		}
	})
}

// Tiles that are loaded while the ones before are used, into the same array.
func TestPrefetch(t *testing.T) {
	in, out := make([]float32, 256), make([]float32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[float32](t, 64)
		i := t.ThreadIdx.X
		next, sum := in[i], float32(0)
		for k := range 4 {
			s[i] = next // want race
			t.SyncThreads()
			if k < 3 {
				next = in[(k+1)*64+i]
			}
			for j := range s {
				sum += s[j] // want ?race
			}
		}
		out[i] = sum
	})
}

func TestPrefetchRight(t *testing.T) {
	in, out := make([]float32, 256), make([]float32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := [2][]float32{gocuda.Shared[float32](t, 64), gocuda.Shared[float32](t, 64)}
		i := t.ThreadIdx.X
		next, sum := in[i], float32(0)
		for k := range 4 {
			s[k%2][i] = next
			t.SyncThreads()
			if k < 3 {
				next = in[(k+1)*64+i]
			}
			for j := range 64 {
				sum += s[k%2][j]
			}
		}
		out[i] = sum
	})
}

// Of two events the wrong one is waited for.
func TestWrongEvent(t *testing.T) {
	dev := device()
	s1, s2, e1, e2 := dev.NewStream(), dev.NewStream(), dev.NewEvent(), dev.NewEvent()
	a, b := make([]int32, 64), make([]int32, 64)
	must(t, s1.Record(e1))
	must(t, s1.LaunchFunc(line(2, 32), func(t *gocuda.Thread) {
		a[t.GlobalX()] = 1 // want race RAW error
	}))
	must(t, s1.Record(e2))
	must(t, s2.Wait(e1))
	must(t, s2.LaunchFunc(line(2, 32), func(t *gocuda.Thread) { b[t.GlobalX()] = a[63-t.GlobalX()] }))
	must(t, s1.Close())
	must(t, s2.Close())
}

// The threads of even numbers set their element, and all read that of a neighbour.
func TestEvenThreadsSet(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		if i%2 == 0 {
			s[i] = int32(i)
		}
		t.SyncThreads()
		out[i] = s[i^1] // want init shared error 32
	})
}

func TestEvenThreadsSetRight(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		if i%2 == 0 {
			s[i], s[i+1] = int32(i), int32(-i)
		}
		t.SyncThreads()
		out[i] = s[i^1]
	})
}

// Bins that are cleared by a block of fewer threads than there are bins.
func TestBinsNotAllCleared(t *testing.T) {
	bins := make([]int32, 96)
	run(2, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 96)
		i := t.ThreadIdx.X
		s[i] = 0
		t.SyncThreads()
		atomic.Add(&s[(i*3)%96], 1) // want init shared error
		t.SyncThreads()
		for k := i; k < 96; k += 64 {
			atomic.Add(&bins[k], s[k]) // want ?init shared error
		}
	})
}

func TestBinsNotAllClearedRight(t *testing.T) {
	bins := make([]int32, 96)
	run(2, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 96)
		i := t.ThreadIdx.X
		for k := i; k < 96; k += 64 {
			s[k] = 0
		}
		t.SyncThreads()
		atomic.Add(&s[(i*3)%96], 1)
		t.SyncThreads()
		for k := i; k < 96; k += 64 {
			atomic.Add(&bins[k], s[k])
		}
	})
}

// The lower triangle of a matrix is set, and all of it is read.
func TestTriangle(t *testing.T) {
	m, err := mem.Alloc[float32](device(), 16*16)
	must(t, err)
	out := make([]float32, 16)
	a := m.Data()
	run(1, 16, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		for j := range i + 1 {
			a[i*16+j] = 1
		}
	})
	run(1, 16, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		for j := range 16 {
			out[i] += a[i*16+j] // want init global error 120
		}
	})
	must(t, m.Free())
}

func TestTriangleRight(t *testing.T) {
	m, err := mem.Alloc[float32](device(), 16*16)
	must(t, err)
	out := make([]float32, 16)
	a := m.Data()
	run(1, 16, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		for j := range i + 1 {
			a[i*16+j] = 1
		}
	})
	run(1, 16, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		for j := range i + 1 {
			out[i] += a[i*16+j]
		}
	})
	must(t, m.Free())
}

// A barrier behind a condition in the same expression.
func TestShortCircuit(t *testing.T) {
	in, out := reversed(48), make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		if i < 48 && t.SyncThreadsCount(in[i] > 9) > 3 { // want sync error
			out[i] = 1
		}
	})
}

func TestShortCircuitRight(t *testing.T) {
	in, out := reversed(48), make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		if many := t.SyncThreadsCount(i < 48 && in[min(i, 47)] > 9) > 3; i < 48 && many {
			out[i] = 1
		}
	})
}

// descend calls itself as often as the element of the thread asks for.
func descend(t *gocuda.Thread, depth int32) {
	if depth > 0 { // want sync error
		t.SyncThreads()
		descend(t, depth-1)
	}
}

func TestDepth(t *testing.T) {
	in := reversed(64)
	run(1, 64, func(t *gocuda.Thread) {
		descend(t, in[t.ThreadIdx.X]/32)
		in[t.ThreadIdx.X]++
		t.SyncThreads()
	})
}

func descendRight(t *gocuda.Thread, depth int32) {
	if depth > 0 {
		t.SyncThreads()
		descendRight(t, depth-1)
	}
}

func TestDepthRight(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) { descendRight(t, 3) })
}

// A barrier that is deferred is passed by all, however they leave.
func TestDeferredRight(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		func() {
			defer t.SyncThreads()
			if i%2 == 0 {
				s[i] = 1
				return
			}
			s[i] = 2
		}()
		out[i] = s[63-i]
	})
}

// Part of a warp synchronises all of it.
func TestHalfWarpSync(t *testing.T) {
	out := make([]int32, 32)
	run(1, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		if i < 16 {
			t.SyncWarp(gocuda.FullMask) // want sync
			out[i] = s[i+16]            // want ?race
		}
		t.SyncThreads()
	})
}

// Diagonals of a table, one after another: those of the block before are not finished.
func TestDiagonals(t *testing.T) {
	table := make([]int32, 65*65)
	run(2, 32, func(t *gocuda.Thread) {
		i := t.GlobalX() + 1
		for d := range 127 {
			if j := d - i + 2; j >= 1 && j <= 64 {
				table[i*65+j] = 1 + max(table[(i-1)*65+j], table[i*65+j-1]) // want race error; ?race warning
			}
			t.SyncThreads()
		}
	})
}

func TestDiagonalsRight(t *testing.T) {
	table := make([]int32, 65*65)
	run(1, 64, func(t *gocuda.Thread) {
		i := t.GlobalX() + 1
		for d := range 127 {
			if j := d - i + 2; j >= 1 && j <= 64 {
				table[i*65+j] = 1 + max(table[(i-1)*65+j], table[i*65+j-1])
			}
			t.SyncThreads()
		}
	})
}

// One thread is outside, and the others wait for it at a barrier.
func TestOutOfRangeBeforeBarrier(t *testing.T) {
	in, out := make([]float32, 63), make([]float32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[float32](t, 64)
		i := t.ThreadIdx.X
		s[i] = in[i] // want mem error 1
		t.SyncThreads()
		out[i] = float32(math.Sqrt(float64(s[(i+1)%64])))
	})
}

// A lock of Go orders what is done under it.
func TestMutexRight(t *testing.T) {
	var mu sync.Mutex
	sum := make([]int32, 1)
	run(4, 32, func(t *gocuda.Thread) {
		mu.Lock()
		sum[0]++
		mu.Unlock()
	})
}

// A lock and its deferred end, of a struct with the lock in it, and behind a pointer.
func TestLocksRight(t *testing.T) {
	type counter struct {
		sync.RWMutex
		n [4]int32
	}
	c, p := counter{}, &sync.Mutex{}
	most := int32(0)
	run(4, 32, func(t *gocuda.Thread) {
		func() {
			c.Lock()
			defer c.Unlock()
			c.n[t.ThreadIdx.X%4]++
		}()
		c.RLock()
		v := c.n[0]
		c.RUnlock()
		p.Lock()
		most = max(most, v)
		p.Unlock()
	})
}

// Two locks for one cell.
func TestTwoLocks(t *testing.T) {
	var locks [2]sync.Mutex
	sum := make([]int32, 1)
	run(4, 32, func(t *gocuda.Thread) {
		mu := &locks[t.ThreadIdx.X%2]
		mu.Lock()
		sum[0]++ // want race
		mu.Unlock()
	})
}

func TestMapOfAllRight(t *testing.T) {
	weights, out := map[int32]int32{0: 1, 1: 5, 2: 3, 3: 7}, make([]int32, 64)
	run(2, 32, func(t *gocuda.Thread) {
		own := map[int32]int32{}
		own[0]++
		out[t.GlobalX()] = weights[int32(t.GlobalX()%4)] + own[0]
	})
}

// A map that all threads write.
func TestMapOfAll(t *testing.T) {
	in, counts := reversed(64), map[int32]int{}
	run(2, 32, func(t *gocuda.Thread) {
		counts[in[t.GlobalX()]%4]++ // want race
	})
}
