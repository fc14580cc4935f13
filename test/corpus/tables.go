//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Long rows of threads that add to places of shared memory which their data choose: the compiler
// adds to several tables.

// tbPart returns the part of n elements that a block has.
func tbPart(t *gocuda.Thread, n int) (first, end int) {
	part := (n + t.GridDim.X - 1) / t.GridDim.X
	first = t.BlockIdx.X * part
	return first, min(first+part, n)
}

// One for each byte.
//
//gocuda:kernel
func tbBytes(t *gocuda.Thread, in []uint8, out []int64) {
	s := gocuda.Shared[uint32](t, 256)
	tid := t.ThreadIdx.X
	for k := tid; k < 256; k += t.BlockDim.X {
		s[k] = 4294967295 // so that it wraps around
	}
	t.SyncThreads()
	first, end := tbPart(t, len(in))
	for i := first + tid; i < end; i += t.BlockDim.X {
		atomic.Add(&s[in[i]], 1)
	}
	t.SyncThreads()
	for k := tid; k < 256; k += t.BlockDim.X {
		out[t.BlockIdx.X*256+k] = int64(s[k])
	}
}

// What is added is of the data too, and below zero.
//
//gocuda:kernel
func tbWeights(t *gocuda.Thread, in []uint8, out []int64) {
	s := gocuda.Shared[int64](t, 16)
	tid := t.ThreadIdx.X
	for k := tid; k < 16; k += t.BlockDim.X {
		s[k] = int64(k)
	}
	t.SyncThreads()
	first, end := tbPart(t, len(in))
	for i := first + tid; i < end; i += t.BlockDim.X {
		v := in[i]
		atomic.Add(&s[v>>4], int64(v&15)-9)
	}
	t.SyncThreads()
	for k := tid; k < 16; k += t.BlockDim.X {
		out[t.BlockIdx.X*256+k] = s[k]
	}
}

// Two sums a thread, in one table and in another.
//
//gocuda:kernel
func tbTwo(t *gocuda.Thread, in []uint8, out []int64) {
	s := gocuda.Shared[int32](t, 16)
	u := gocuda.Shared[int32](t, 256)
	tid := t.ThreadIdx.X
	for k := tid; k < 256; k += t.BlockDim.X {
		u[k] = 0
		if k < 16 {
			s[k] = 0
		}
	}
	t.SyncThreads()
	first, end := tbPart(t, len(in))
	for i := first + tid; i < end; i += t.BlockDim.X {
		v := in[i]
		atomic.Add(&s[v&15], 2)
		atomic.Add(&s[v>>4], 3)
		atomic.Add(&u[v], 1)
	}
	t.SyncThreads()
	for k := tid; k < 256; k += t.BlockDim.X {
		out[t.BlockIdx.X*256+k] = int64(u[k])*1000 + int64(s[k&15])
	}
}

// A table that is read where it is added to: each thread has places of its own.
//
//gocuda:kernel
func tbOwn(t *gocuda.Thread, in []uint8, out []int64) {
	s := gocuda.Shared[int32](t, 256)
	tid := t.ThreadIdx.X
	for k := tid; k < 256; k += t.BlockDim.X {
		s[k] = int32(k)
	}
	t.SyncThreads()
	first, end := tbPart(t, len(in))
	for i := first + tid; i < end; i += t.BlockDim.X {
		own := uint8(tid)
		s[own] += int32(in[i]) + s[own]&7
	}
	t.SyncThreads()
	for k := tid; k < 256; k += t.BlockDim.X {
		out[t.BlockIdx.X*256+k] = int64(s[k])
	}
}

// tbSums returns what the blocks have counted: each adds one byte to the sums of its block.
func tbSums(cfg grid.Config, in []uint8, start func(k int) int64, each func(thread int, v uint8, s []int64), finish func(k int, s []int64) int64) []int64 {
	out := marked[int64](cfg.Blocks() * 256)
	part := (len(in) + cfg.Blocks() - 1) / cfg.Blocks()
	for b := range cfg.Blocks() {
		s := make([]int64, 512)
		for k := range s {
			s[k] = start(k)
		}
		for i, v := range in[min(b*part, len(in)):min((b+1)*part, len(in))] {
			each(i%cfg.Threads(), v, s)
		}
		for k := range 256 {
			if v := finish(k, s); v != tbUnset {
				out[b*256+k] = v
			}
		}
	}
	return out
}

const tbUnset = -1 << 62

var tbKernels = []struct {
	name     string
	source   func(t *gocuda.Thread, in []uint8, out []int64)
	compiled func(in []uint8, out []int64) gocuda.Kernel
	start    func(k int) int64
	each     func(thread int, v uint8, s []int64)
	finish   func(k int, s []int64) int64
}{
	{"tbBytes", tbBytes, tbBytesKernel,
		func(int) int64 { return 4294967295 },
		func(_ int, v uint8, s []int64) { s[v]++ },
		func(k int, s []int64) int64 { return s[k] % (1 << 32) }},
	{"tbWeights", tbWeights, tbWeightsKernel,
		func(k int) int64 { return int64(k) },
		func(_ int, v uint8, s []int64) { s[v/16] += int64(v%16) - 9 },
		func(k int, s []int64) int64 {
			if k >= 16 {
				return tbUnset
			}
			return s[k]
		}},
	{"tbTwo", tbTwo, tbTwoKernel,
		func(int) int64 { return 0 },
		func(_ int, v uint8, s []int64) { s[v]++; s[256+int(v%16)] += 2; s[256+int(v/16)] += 3 },
		func(k int, s []int64) int64 { return s[k]*1000 + s[256+k%16] }},
	{"tbOwn", tbOwn, tbOwnKernel,
		func(k int) int64 { return int64(k) },
		func(thread int, v uint8, s []int64) { s[thread] += int64(v) + s[thread]%8 },
		func(k int, s []int64) int64 { return s[k] }},
}

func tbCases() (cases []Case) {
	configs := []grid.Config{
		{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 256}},
		{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 64}},
		{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 33}},
	}
	for _, k := range tbKernels {
		for _, n := range []int{0, 1, 255, 4096, 30011} {
			for _, values := range []struct {
				name string
				mask uint8
			}{{"all values", 255}, {"two values", 0x21}} {
				in := data[uint8](n)
				for i := range in {
					in[i] &= values.mask
				}
				cases = append(cases, made(fmt.Sprint(k.name, " ", n, ", ", values.name), configs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
					out := marked[int64](cfg.Blocks() * 256)
					return func(t *gocuda.Thread) { k.source(t, in, out) }, k.compiled(in, out), []any{out}
				}, func(cfg grid.Config) []any { return []any{tbSums(cfg, in, k.start, k.each, k.finish)} }))
			}
		}
	}
	return cases
}
