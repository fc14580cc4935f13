package main

import "github.com/gocuda/gocuda/gocuda"

// The seven reductions of Harris, "Optimizing Parallel Reduction in CUDA" (2007), in blocks of 128.

const block = 128

// interleaved is reduction 1: threads whose number is a multiple of 2 d add what is d away.
func interleaved(in, out []int32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, block)
		tid := t.ThreadIdx.X
		s[tid] = in[t.BlockIdx.X*block+tid]
		t.SyncThreads()
		for d := 1; d < block; d *= 2 {
			if tid%(2*d) == 0 {
				s[tid] += s[tid+d]
			}
			t.SyncThreads()
		}
		if tid == 0 {
			out[t.BlockIdx.X] = s[0]
		}
	}
}

// strided is reduction 2: neighbouring threads work, on words 2 d apart.
func strided(in, out []int32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, block)
		tid := t.ThreadIdx.X
		s[tid] = in[t.BlockIdx.X*block+tid]
		t.SyncThreads()
		for d := 1; d < block; d *= 2 {
			if i := 2 * d * tid; i < block {
				s[i] += s[i+d]
			}
			t.SyncThreads()
		}
		if tid == 0 {
			out[t.BlockIdx.X] = s[0]
		}
	}
}

// sequential is reduction 3: neighbouring threads work on neighbouring words.
func sequential(in, out []int32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, block)
		tid := t.ThreadIdx.X
		s[tid] = in[t.BlockIdx.X*block+tid]
		t.SyncThreads()
		for d := block / 2; d > 0; d >>= 1 {
			if tid < d {
				s[tid] += s[tid+d]
			}
			t.SyncThreads()
		}
		if tid == 0 {
			out[t.BlockIdx.X] = s[0]
		}
	}
}

// firstAdd is reduction 4: each thread adds two elements as it loads them.
func firstAdd(in, out []int32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, block)
		tid := t.ThreadIdx.X
		i := t.BlockIdx.X*2*block + tid
		s[tid] = in[i] + in[i+block]
		t.SyncThreads()
		for d := block / 2; d > 0; d >>= 1 {
			if tid < d {
				s[tid] += s[tid+d]
			}
			t.SyncThreads()
		}
		if tid == 0 {
			out[t.BlockIdx.X] = s[0]
		}
	}
}

// lastWarp is reduction 5: the last six steps are those of one warp, without a loop.
func lastWarp(in, out []int32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, block)
		tid := t.ThreadIdx.X
		i := t.BlockIdx.X*2*block + tid
		s[tid] = in[i] + in[i+block]
		t.SyncThreads()
		for d := block / 2; d > 32; d >>= 1 {
			if tid < d {
				s[tid] += s[tid+d]
			}
			t.SyncThreads()
		}
		if tid < 32 {
			warpTree(t, s, tid)
		}
		if tid == 0 {
			out[t.BlockIdx.X] = s[0]
		}
	}
}

// unrolled is reduction 6: no loop is left.
func unrolled(in, out []int32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, block)
		tid := t.ThreadIdx.X
		i := t.BlockIdx.X*2*block + tid
		s[tid] = in[i] + in[i+block]
		t.SyncThreads()
		if tid < 64 {
			s[tid] += s[tid+64]
		}
		t.SyncThreads()
		if tid < 32 {
			warpTree(t, s, tid)
		}
		if tid == 0 {
			out[t.BlockIdx.X] = s[0]
		}
	}
}

// several is reduction 7: each thread adds several elements first.
func several(in, out []int32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, block)
		tid := t.ThreadIdx.X
		sum := int32(0)
		step := 2 * block * t.GridDim.X
		for i := t.BlockIdx.X*2*block + tid; i < len(in); i += step {
			sum += in[i] + in[i+block]
		}
		s[tid] = sum
		t.SyncThreads()
		if tid < 64 {
			s[tid] += s[tid+64]
		}
		t.SyncThreads()
		if tid < 32 {
			warpTree(t, s, tid)
		}
		if tid == 0 {
			out[t.BlockIdx.X] = s[0]
		}
	}
}

// warpTree adds up 64 words by one warp, whose lanes are in step.
func warpTree(t *gocuda.Thread, s []int32, tid int) {
	add(t, s, tid, 32)
	add(t, s, tid, 16)
	add(t, s, tid, 8)
	add(t, s, tid, 4)
	add(t, s, tid, 2)
	add(t, s, tid, 1)
}

func add(t *gocuda.Thread, s []int32, tid, d int) {
	v := s[tid] + s[tid+d]
	t.SyncWarp(^uint32(0))
	s[tid] = v
	t.SyncWarp(^uint32(0))
}
