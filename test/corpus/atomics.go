//go:build compiled

package corpus

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A histogram in global memory; nobody reads the old values.
//
//gocuda:kernel
func histogram(t *gocuda.Thread, in []uint8, bins []uint32) {
	if i := t.GlobalX(); i < len(in) {
		atomic.Add(&bins[in[i]&15], 1)
	}
}

// A histogram in shared memory first, which each block then adds to the global one.
//
//gocuda:kernel
func histogramShared(t *gocuda.Thread, in []uint8, bins []uint32) {
	s := gocuda.Shared[uint32](t, 16)
	tid := t.ThreadIdx.X
	for k := tid; k < 16; k += t.BlockDim.X {
		s[k] = 0
	}
	t.SyncThreads()
	for i := t.GlobalX(); i < len(in); i += t.BlockDim.X * t.GridDim.X {
		atomic.Add(&s[in[i]&15], 1)
	}
	t.SyncThreads()
	for k := tid; k < 16; k += t.BlockDim.X {
		if s[k] != 0 {
			atomic.Add(&bins[k], s[k])
		}
	}
}

// Every operation on integers on a cell of the block, all threads on the same one; results that do not
// depend on the order.
//
//gocuda:kernel
func atomicShared[T atomic.Integer](t *gocuda.Thread, in, out []T) {
	s := gocuda.Shared[T](t, 10)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	for k := tid; k < 10; k += n {
		s[k] = T(k)
	}
	t.SyncThreads()
	v := in[i]
	atomic.Add(&s[0], v)
	atomic.Sub(&s[1], v)
	atomic.Min(&s[2], v)
	atomic.Max(&s[3], v)
	atomic.And(&s[4], v)
	atomic.Or(&s[5], v)
	atomic.Xor(&s[6], v)
	atomic.Inc(&s[7], 9)
	atomic.Dec(&s[8], 11)
	if v&7 == 3 {
		atomic.Exch(&s[9], 50)
	}
	t.SyncThreads()
	for k := range s {
		out[i] = out[i]*5 + s[k]
	}
}

func atomicSharedWant[T atomic.Integer](cfg grid.Config, in, out []T) {
	perBlock(cfg, out, func(_, first int, out []T) {
		s := []T{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
		for k, v := range in[first : first+len(out)] {
			s[0] += v
			s[1] -= v
			if v < s[2] {
				s[2] = v
			}
			if v > s[3] {
				s[3] = v
			}
			s[4] &= v
			s[5] |= v
			s[6] ^= v
			s[7] = T((7 + k + 1) % 10)
			s[8] = T((12*1000 + 8 - k - 1) % 12)
			if v&7 == 3 {
				s[9] = 50
			}
		}
		for i := range out {
			for _, v := range s {
				out[i] = out[i]*5 + v
			}
		}
	})
}

// The old values are used: every thread gets another number, and what is done with the numbers does not
// depend on who got which.
//
//gocuda:kernel
func atomicTickets(t *gocuda.Thread, in []int32, taken []int32, sum []int64, counter []uint32) {
	next := gocuda.Shared[int32](t, 1)
	n := t.BlockDim.X
	if t.ThreadIdx.X == 0 {
		next[0] = 0
	}
	t.SyncThreads()
	mine := atomic.Add(&next[0], 1)
	atomic.Add(&taken[t.BlockIdx.X*n+int(mine)], 1)
	old := atomic.Inc(&counter[t.BlockIdx.X], 1<<20)
	atomic.Max(&sum[0], int64(old))
	atomic.Add(&sum[1], int64(mine)+int64(old))
	if v := atomic.Exch(&taken[t.GlobalX()], 100); v < 100 {
		atomic.Add(&sum[2], 1)
	}
}

// CUDA programs count with atomicInc and the largest bound. The counters begin just below it.
//
//gocuda:kernel
func atomicCounts(t *gocuda.Thread, in, out []uint32, long []uint64) {
	s := gocuda.Shared[uint32](t, 16)
	tid := t.ThreadIdx.X
	for k := tid; k < 16; k += t.BlockDim.X {
		s[k] = math.MaxUint32 - 2
	}
	t.SyncThreads()
	v := in[t.GlobalX()] % 16
	atomic.Inc(&s[v], math.MaxUint32)
	atomic.Inc(&long[v], math.MaxUint64)
	atomic.Inc(&long[16], math.MaxUint64-1)
	t.SyncThreads()
	out[t.GlobalX()] = s[tid%16]
}

// nearlyFull returns counters for atomicCounts.
func nearlyFull() []uint64 {
	list := make([]uint64, 17)
	for i := range list {
		list[i] = math.MaxUint64 - 3
	}
	return list
}

func atomicCountsWant(cfg grid.Config, in, out []uint32, long []uint64) {
	perBlock(cfg, out, func(_, first int, out []uint32) {
		var s [16]uint32
		for k := range s {
			s[k] = math.MaxUint32 - 2
		}
		for k := range out {
			v := in[first+k] % 16
			s[v]++
			long[v]++
			if long[16]++; long[16] == math.MaxUint64 {
				long[16] = 0
			}
		}
		for k := range out {
			out[k] = s[k%16]
		}
	})
}

// CUDA's compare-and-swap loop, for a maximum of floats by their bits.
//
//gocuda:kernel
func atomicFloatMax(t *gocuda.Thread, in []float32, cell []uint32) {
	v := in[t.GlobalX()]
	old := cell[2] // one that nobody changes
	for {
		if math.Float32frombits(old) >= v {
			break
		}
		was := atomic.CAS(&cell[0], old, math.Float32bits(v))
		if was == old {
			break
		}
		old = was
	}
	atomic.CAS(&cell[1], 7, 8)
}

// A product modulo a prime, by a loop of compare-and-swap on shared memory.
//
//gocuda:kernel
func atomicProduct(t *gocuda.Thread, in, out []uint64) {
	s := gocuda.Shared[uint64](t, 1)
	i := t.GlobalX()
	if t.ThreadIdx.X == 0 {
		s[0] = 1
	}
	t.SyncThreads()
	factor := in[i]%1_000_003 | 1
	assumed, old := uint64(0), uint64(1)
	for assumed != old {
		assumed = old
		old = atomic.CAS(&s[0], assumed, assumed*factor%1_000_033)
	}
	t.SyncThreads()
	out[i] = s[0]
}

// The last block to finish adds up what all have left.
//
//gocuda:kernel
func atomicLastBlock(t *gocuda.Thread, in, partial, result []int32, done []uint32) {
	s := gocuda.Shared[int32](t, 1024)
	last := gocuda.Shared[bool](t, 1)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	s[tid] = in[t.GlobalX()]
	t.SyncThreads()
	if tid == 0 {
		sum := int32(0)
		for k := range n {
			sum += s[k]
		}
		atomic.Exch(&partial[t.BlockIdx.X], sum)
		t.Threadfence()
		last[0] = atomic.Inc(&done[0], uint32(t.GridDim.X-1)) == uint32(t.GridDim.X-1)
	}
	t.SyncThreads()
	if last[0] {
		sum := int32(0)
		for k := tid; k < t.GridDim.X; k += n {
			sum += atomic.Add(&partial[k], 0)
		}
		atomic.Add(&result[0], sum)
	}
}

// Atomics in divergent branches and loops, on cells that the data chooses.
//
//gocuda:kernel
func atomicDivergent(t *gocuda.Thread, in []int32, cells []int64) {
	v := in[t.GlobalX()]
	for k := 0; v != 0 && k < 20; k++ {
		if v&1 != 0 {
			atomic.Add(&cells[k], int64(v))
		} else if v < 0 {
			atomic.Min(&cells[20+k], int64(v))
			if k > 10 {
				return
			}
		}
		v >>= 1
	}
	atomic.Xor(&cells[40+int(uint32(v)%8)], int64(t.GlobalX()))
}

// One thread of each block adds for all of it; and sums of floats that are exact in any order.
//
//gocuda:kernel
func atomicFloats(t *gocuda.Thread, in []int32, sums []float32, sums64 []float64) {
	v := in[t.GlobalX()] & 0xff
	atomic.Add(&sums[v%4], float32(v))
	atomic.Add(&sums64[t.BlockIdx.X], 0.5)
	if n := t.SyncThreadsCount(v > 100); t.ThreadIdx.X == 0 {
		atomic.Add(&sums[4], float32(n))
		atomic.Exch(&sums64[len(sums64)-1-t.BlockIdx.X], float64(n))
	}
}

// A lock-free list is built in global memory, and counted; the order of its elements is anybody's.
//
//gocuda:kernel
func atomicList(t *gocuda.Thread, in []int32, head []int32, next []int32, out []int32) {
	i := t.GlobalX()
	if in[i]%3 == 0 {
		next[i] = atomic.Exch(&head[t.BlockIdx.X], int32(i))
	}
	t.SyncThreads()
	if t.ThreadIdx.X == t.BlockDim.X-1 {
		count, sum := int32(0), int32(0)
		for k := head[t.BlockIdx.X]; k >= 0; k = next[k] {
			count++
			sum += in[k]
		}
		out[2*t.BlockIdx.X], out[2*t.BlockIdx.X+1] = count, sum
	}
}

var atomicCases = append(flat(
	[]Case{atomicCase[int32]("int32"), atomicCase[uint32]("uint32"), atomicCase[int64]("int64"), atomicCase[uint64]("uint64"), atomicCase[int]("int")},
),
	atomicBitsCase[int32]("int32"), atomicBitsCase[uint32]("uint32"), atomicBitsCase[int64]("int64"), atomicBitsCase[uint64]("uint64"), atomicBitsCase[int]("int"),
	atomicRoundsCase(0), atomicRoundsCase(1), atomicRoundsCase(7), atomicRoundsCase(40),
	atomicOnePlaceCase[int32]("int32"), atomicOnePlaceCase[uint32]("uint32"), atomicOnePlaceCase[int64]("int64"), atomicOnePlaceCase[uint64]("uint64"),
	histogramCase("histogram", histogram, histogramKernel, 0),
	histogramCase("histogramShared", histogramShared, histogramSharedKernel, 500),
	made("atomicTickets", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, taken, sum, counter := data[int32](n), make([]int32, n), make([]int64, 3), make([]uint32, cfg.Blocks())
		sum[0] = -1
		return func(t *gocuda.Thread) { atomicTickets(t, in, taken, sum, counter) },
			atomicTicketsKernel(in, taken, sum, counter), []any{sum, counter}
	}, func(cfg grid.Config) []any {
		n := cfg.Threads()
		counter := make([]uint32, cfg.Blocks())
		for i := range counter {
			counter[i] = uint32(n)
		}
		return []any{[]int64{int64(n - 1), int64(cfg.Blocks() * n * (n - 1)), int64(cfg.Blocks() * n)}, counter}
	}),
	made("atomicCounts", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out, long := data[uint32](n), make([]uint32, n), nearlyFull()
		return func(t *gocuda.Thread) { atomicCounts(t, in, out, long) }, atomicCountsKernel(in, out, long), []any{out, long}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		out, long := make([]uint32, n), nearlyFull()
		atomicCountsWant(cfg, data[uint32](n), out, long)
		return []any{out, long}
	}),
	made("atomicFloatMax", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, cell := data[float32](cfg.Blocks()*cfg.Threads()), []uint32{0, 7, 0}
		return func(t *gocuda.Thread) { atomicFloatMax(t, in, cell) }, atomicFloatMaxKernel(in, cell), []any{cell}
	}, func(cfg grid.Config) []any {
		most := float32(0)
		for _, v := range data[float32](cfg.Blocks() * cfg.Threads()) {
			most = max(most, v)
		}
		return []any{[]uint32{math.Float32bits(most), 8, 0}}
	}),
	perThread("atomicProduct", linear, atomicProduct, atomicProductKernel, func(cfg grid.Config, in, out []uint64) {
		perBlock(cfg, out, func(_, first int, out []uint64) {
			p := uint64(1)
			for _, v := range in[first : first+len(out)] {
				p = p * (v%1_000_003 | 1) % 1_000_033
			}
			for i := range out {
				out[i] = p
			}
		})
	}),
	made("atomicLastBlock", anywhere1D, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in := data[int32](cfg.Blocks() * cfg.Threads())
		partial, result, done := make([]int32, cfg.Blocks()), make([]int32, 1), make([]uint32, 1)
		return func(t *gocuda.Thread) { atomicLastBlock(t, in, partial, result, done) },
			atomicLastBlockKernel(in, partial, result, done), []any{partial, result, done}
	}, func(cfg grid.Config) []any {
		partial, result := make([]int32, cfg.Blocks()), make([]int32, 1)
		for i, v := range data[int32](cfg.Blocks() * cfg.Threads()) {
			partial[i/cfg.Threads()] += v
			result[0] += v
		}
		return []any{partial, result, []uint32{0}}
	}),
	made("atomicDivergent", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, cells := data[int32](cfg.Blocks()*cfg.Threads()), make([]int64, 48)
		return func(t *gocuda.Thread) { atomicDivergent(t, in, cells) }, atomicDivergentKernel(in, cells), []any{cells}
	}, func(cfg grid.Config) []any {
		cells := make([]int64, 48)
		for i, v := range data[int32](cfg.Blocks() * cfg.Threads()) {
			func() {
				for k := 0; v != 0 && k < 20; k++ {
					if v&1 != 0 {
						cells[k] += int64(v)
					} else if v < 0 {
						cells[20+k] = min(cells[20+k], int64(v))
						if k > 10 {
							return
						}
					}
					v >>= 1
				}
				cells[40+v&7] ^= int64(i)
			}()
		}
		return []any{cells}
	}),
	made("atomicFloats", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in := data[int32](cfg.Blocks() * cfg.Threads())
		sums, sums64 := make([]float32, 5), make([]float64, 2*cfg.Blocks())
		return func(t *gocuda.Thread) { atomicFloats(t, in, sums, sums64) }, atomicFloatsKernel(in, sums, sums64), []any{sums, sums64}
	}, func(cfg grid.Config) []any {
		sums, sums64 := make([]float32, 5), make([]float64, 2*cfg.Blocks())
		for i, v := range data[int32](cfg.Blocks() * cfg.Threads()) {
			b := i / cfg.Threads()
			v &= 0xff
			sums[v%4] += float32(v)
			sums64[b] += 0.5
			if v > 100 {
				sums[4]++
				sums64[len(sums64)-1-b]++
			}
		}
		return []any{sums, sums64}
	}),
	made("atomicList", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, head, next, out := data[int32](n), make([]int32, cfg.Blocks()), make([]int32, n), make([]int32, 2*cfg.Blocks())
		for i := range head {
			head[i] = -1
		}
		return func(t *gocuda.Thread) { atomicList(t, in, head, next, out) }, atomicListKernel(in, head, next, out), []any{out}
	}, func(cfg grid.Config) []any {
		out := make([]int32, 2*cfg.Blocks())
		for i, v := range data[int32](cfg.Blocks() * cfg.Threads()) {
			if v%3 == 0 {
				out[i/cfg.Threads()*2]++
				out[i/cfg.Threads()*2+1] += v
			}
		}
		return []any{out}
	}),
)

func atomicCase[T atomic.Integer](name string) Case {
	return perThread("atomicShared-"+name, linear, atomicShared[T], atomicSharedKernel[T], atomicSharedWant[T])
}

// histogramCase has so many elements, or one a thread.
func histogramCase(name string, source func(*gocuda.Thread, []uint8, []uint32), compiled func([]uint8, []uint32) gocuda.Kernel, n int) Case {
	input := func(cfg grid.Config) []uint8 {
		if n == 0 {
			return data[uint8](cfg.Blocks()*cfg.Threads() - 2)
		}
		return data[uint8](n)
	}
	return made(name, linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, bins := input(cfg), make([]uint32, 16)
		return func(t *gocuda.Thread) { source(t, in, bins) }, compiled(in, bins), []any{bins}
	}, func(cfg grid.Config) []any {
		bins := make([]uint32, 16)
		for _, v := range input(cfg) {
			bins[v%16]++
		}
		return []any{bins}
	})
}

// All threads, or those with an odd number, add to one place and seek the least and the largest, in
// shared memory and elsewhere.
//
//gocuda:kernel types=int32,uint32,int64,uint64
func atomicOnePlace[T atomic.Integer](t *gocuda.Thread, n int, in []T, out []T, sum *T) {
	s := gocuda.Shared[T](t, 3)
	i := t.GlobalX()
	if t.Rank() == 0 {
		s[0], s[1], s[2] = 0, in[0], in[0]
	}
	t.SyncThreads()
	if i < n {
		v := in[i]
		atomic.Add(sum, v)
		atomic.Sub(&out[0], v*3)
		atomic.Min(&out[1], v)
		if v&1 != 0 {
			atomic.Add(&s[0], v)
			atomic.Add(&out[2], 1)
			atomic.Max(&out[3], v)
		}
		for k := v & 3; k > 0; k-- {
			atomic.Add(&out[4], k)
		}
		atomic.Min(&s[1], v)
		atomic.Max(&s[2], v)
	}
	t.SyncThreads()
	if t.Rank() == 0 {
		atomic.Add(&out[5], s[0])
		atomic.Min(&out[6], s[1])
		atomic.Max(&out[7], s[2])
	}
}

// Operations on bits, by numbers that differ and by such that don't.
//
//gocuda:kernel types=int32,uint32,int64,uint64
func atomicBits[T atomic.Integer](t *gocuda.Thread, n int, in []T, out []T) {
	s := gocuda.Shared[T](t, 3)
	i := t.GlobalX()
	if t.Rank() < 3 {
		s[t.Rank()] = T(t.Rank()) - 1
	}
	t.SyncThreads()
	if i < n {
		v := in[i]
		atomic.And(&out[0], v|3)
		atomic.Or(&out[1], v&12)
		atomic.Xor(&out[2], v)
		atomic.Xor(&out[3], T(n))
		if v&2 != 0 {
			atomic.And(&out[4], v)
			atomic.Or(&out[5], v>>3)
			atomic.Xor(&out[6], v+1)
			atomic.Xor(&out[7], T(n)*3)
			atomic.And(&out[8], T(n))
			atomic.Or(&out[9], T(n))
			atomic.Xor(&s[1], v)
		}
		atomic.And(&s[0], v|1)
		atomic.Or(&s[2], v&6)
		atomic.Xor(&s[1], 5)
	}
	t.SyncThreads()
	if t.Rank() == 0 {
		atomic.And(&out[10], s[0])
		atomic.Xor(&out[11], s[1])
		atomic.Or(&out[12], s[2])
	}
}

func atomicBitsCase[T atomic.Integer](name string) Case {
	start := make([]T, 13)
	for i := range start {
		start[i] = T(1<<7) - T(i*11)
	}
	return made("atomicBits-"+name, linear[1:], func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out := data[T](n), slices.Clone(start)
		return func(t *gocuda.Thread) { atomicBits(t, n-n/7, in, out) }, atomicBitsKernel(n-n/7, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		all := cfg.Blocks() * cfg.Threads()
		n := all - all/7
		in, out := data[T](all), slices.Clone(start)
		for b := range cfg.Blocks() {
			s := []T{0, 0, 1}
			s[0]-- // all bits
			for i := b * cfg.Threads(); i < min((b+1)*cfg.Threads(), n); i++ {
				v := in[i]
				out[0] &= v | 3
				out[1] |= v & 12
				out[2] ^= v
				out[3] ^= T(n)
				if v&2 != 0 {
					out[4] &= v
					out[5] |= v >> 3
					out[6] ^= v + 1
					out[7] ^= T(n) * 3
					out[8] &= T(n)
					out[9] |= T(n)
					s[1] ^= v
				}
				s[0] &= v | 1
				s[2] |= v & 6
				s[1] ^= 5
			}
			out[10] &= s[0]
			out[11] ^= s[1]
			out[12] |= s[2]
		}
		return []any{out}
	})
}

// The same in a loop that several vectors go together, with numbers that are the same for all threads.
//
//gocuda:kernel
func atomicRounds(t *gocuda.Thread, rounds int, in, out []int32) {
	i := t.GlobalX()
	for k := range rounds {
		v := in[i]
		if v > int32(k) {
			atomic.Add(&out[k&3], v*int32(k))
			atomic.Max(&out[4], v-int32(k*k))
			atomic.Sub(&out[5], in[k%2])
		}
		atomic.Min(&out[6], v+int32(k))
		atomic.Add(&out[7], int32(k))
	}
}

func atomicRoundsCase(rounds int) Case {
	return made(fmt.Sprint("atomicRounds ", rounds), linear[1:], func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[int32](cfg.Blocks()*cfg.Threads()), make([]int32, 8)
		return func(t *gocuda.Thread) { atomicRounds(t, rounds, in, out) }, atomicRoundsKernel(rounds, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		in, out := data[int32](cfg.Blocks()*cfg.Threads()), make([]int32, 8)
		for _, v := range in {
			for k := range int32(rounds) {
				if v > k {
					out[k&3] += v * k
					out[4] = max(out[4], v-k*k)
					out[5] -= in[k%2]
				}
				out[6] = min(out[6], v+k)
				out[7] += k
			}
		}
		return []any{out}
	})
}

func atomicOnePlaceCase[T atomic.Integer](name string) Case {
	start := []T{1, 2, 3, 4, 5, 6, 7, 8}
	return made("atomicOnePlace-"+name, linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out, sum := data[T](n), slices.Clone(start), make([]T, 1)
		return func(t *gocuda.Thread) { atomicOnePlace(t, n-n/7, in, out, &sum[0]) }, atomicOnePlaceKernel(n-n/7, in, out, &sum[0]), []any{out, sum}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		in, out, sum := data[T](n), slices.Clone(start), make([]T, 1)
		out[6], out[7] = min(out[6], in[0]), max(out[7], in[0])
		for _, v := range in[:n-n/7] {
			sum[0] += v
			out[0] -= v * 3
			out[1] = min(out[1], v)
			if v&1 != 0 {
				out[5] += v
				out[2]++
				out[3] = max(out[3], v)
			}
			for k := v & 3; k > 0; k-- {
				out[4] += k
			}
			out[6], out[7] = min(out[6], v), max(out[7], v)
		}
		return []any{out, sum}
	})
}
