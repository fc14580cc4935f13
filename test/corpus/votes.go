//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The three barriers with a vote, their results stored.
//
//gocuda:kernel
func votePlain(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	a := t.SyncThreadsCount(v%2 == 0)
	b := t.SyncThreadsAnd(v > -2_000_000_000)
	c := t.SyncThreadsOr(v%16 == 3)
	r := int32(a) * 4
	if b {
		r |= 1
	}
	if c {
		r |= 2
	}
	out[i] = r ^ v
}

func votePlainWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		a, b, c := int32(0), int32(1), int32(0)
		for _, v := range in[first : first+len(out)] {
			if v%2 == 0 {
				a++
			}
			if v <= -2_000_000_000 {
				b = 0
			}
			if v%16 == 3 {
				c = 2
			}
		}
		for i := range out {
			out[i] = (a*4 | b | c) ^ in[first+i]
		}
	})
}

// Votes as conditions of ifs that have barriers inside.
//
//gocuda:kernel
func voteIf(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v := in[i]
	if t.SyncThreadsCount(v < 0) > n/2 {
		s[tid] = v
		t.SyncThreads()
		v = s[(tid+1)%n]
	} else if !t.SyncThreadsAnd(v != 0) {
		s[tid] = -v
		t.SyncThreads()
		v = s[n-1-tid]
	}
	out[i] = v
}

func voteIfWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		negative, zero := 0, false
		for _, v := range in[first : first+n] {
			if v < 0 {
				negative++
			}
			zero = zero || v == 0
		}
		for i := range out {
			switch {
			case negative > n/2:
				out[i] = in[first+(i+1)%n]
			case zero:
				out[i] = -in[first+n-1-i]
			default:
				out[i] = in[first+i]
			}
		}
	})
}

// The vote is the condition of a loop: it goes on until no thread has anything left to do.
//
//gocuda:kernel
func voteLoop(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i] & 0xff
	rounds := int32(0)
	for t.SyncThreadsOr(v > 1) {
		rounds++
		switch {
		case v <= 1:
		case v%2 == 0:
			v /= 2
		default:
			v = 3*v + 1
		}
	}
	out[i] = rounds*8 + v
}

func voteLoopWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		most := int32(0)
		for _, v := range in[first : first+len(out)] {
			v &= 0xff
			steps := int32(0)
			for ; v > 1; steps++ {
				if v%2 == 0 {
					v /= 2
				} else {
					v = 3*v + 1
				}
			}
			most = max(most, steps)
		}
		for i := range out {
			out[i] = most*8 + min(in[first+i]&0xff, 1)
		}
	})
}

// The vote stands after && and ||, so that it takes place in some rounds only.
//
//gocuda:kernel
func voteShortCircuit(t *gocuda.Thread, rounds int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v, count := in[i], int32(0)
	for k := 0; k < rounds && t.SyncThreadsOr(v&(1<<k) != 0); k++ {
		if k == 2 || t.SyncThreadsAnd(v > int32(k)) || t.SyncThreadsCount(v&1 == 0)%2 == 0 && k%2 == 1 {
			count += int32(k)
			s[tid] = v
			t.SyncThreads()
			v = s[(tid+1)%n]
		}
		count++
	}
	out[i] = v ^ count
}

func voteShortCircuitWant(rounds int, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n, moved, count := len(out), 0, int32(0)
		at := func(i int) int32 { return in[first+(i+moved)%n] }
		exists := func(f func(v int32) bool) bool {
			for i := range out {
				if f(at(i)) {
					return true
				}
			}
			return false
		}
		even := 0
		for i := range out {
			if at(i)&1 == 0 {
				even++
			}
		}
		for k := 0; k < rounds && exists(func(v int32) bool { return v&(1<<k) != 0 }); k++ {
			all := !exists(func(v int32) bool { return v <= int32(k) })
			if k == 2 || all || even%2 == 0 && k%2 == 1 {
				count += int32(k)
				moved++
			}
			count++
		}
		for i := range out {
			out[i] = at(i) ^ count
		}
	})
}

// The count is used as a number: as an index, as a trip count, in a switch and as an argument.
//
//gocuda:kernel
func voteNumber(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	v := in[i]
	s[tid] = v
	few := min(t.SyncThreadsCount(v%5 == 0), 6)
	v += s[(tid+few)%n]
	for k := range few {
		t.SyncThreads()
		s[tid] += int32(k)
	}
	switch t.SyncThreadsCount(tid%2 == 0) % 3 {
	case 0:
		v ^= s[(tid+1)%n]
	case 1:
		w := s[n-1-tid]
		t.SyncThreads()
		s[tid] = w
		t.SyncThreads()
		v -= s[(tid+1)%n]
	}
	out[i] = v
}

func voteNumberWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n, few := len(out), 0
		for _, v := range in[first : first+n] {
			if v%5 == 0 && few < 6 {
				few++
			}
		}
		more := int32(few * (few - 1) / 2)
		for i := range out {
			out[i] = in[first+i] + in[first+(i+few)%n]
			switch (n + 1) / 2 % 3 {
			case 0:
				out[i] ^= in[first+(i+1)%n] + more
			case 1:
				out[i] -= in[first+n-1-(i+1)%n] + more
			}
		}
	})
}

// A vote with a predicate that has effects of its own, in a helper.
//
//gocuda:kernel
func voteEffects(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i] & 63
	rounds := 0
	for !t.SyncThreadsAnd(shrink(&v)) {
		rounds++
	}
	out[i] = v*100 + int32(rounds)
}

func shrink(v *int32) bool {
	*v -= 5
	return *v < 10
}

// The loop ends by a vote between barriers, CUDA's way to iterate until nothing changes.
//
//gocuda:kernel
func voteFixpoint(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	s[tid] = in[i]
	t.SyncThreads()
	rounds := int32(0)
	for {
		v := s[tid]
		changed := false
		if w := s[(tid+1)%n]; w > v && rounds < 40 {
			v, changed = w, true
		}
		t.SyncThreads()
		s[tid] = v
		if !t.SyncThreadsOr(changed) {
			break
		}
		rounds++
	}
	out[i] = s[n-1-tid] ^ rounds
}

func voteFixpointWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		s := append([]int32(nil), in[first:first+n]...)
		rounds := int32(0)
		for changed := true; changed; rounds++ {
			changed = false
			next := make([]int32, n)
			for i := range s {
				next[i] = s[i]
				if w := s[(i+1)%n]; w > s[i] && rounds < 40 {
					next[i], changed = w, true
				}
			}
			s = next
		}
		for i := range out {
			out[i] = s[n-1-i] ^ (rounds - 1)
		}
	})
}

var voteCases = []Case{
	perThread("votePlain", anywhere1D, votePlain, votePlainKernel, votePlainWant),
	perThread("voteIf", linear, voteIf, voteIfKernel, voteIfWant),
	perThread("voteLoop", linear, voteLoop, voteLoopKernel, voteLoopWant),
	withParameter("voteShortCircuit", linear, 9, voteShortCircuit, voteShortCircuitKernel, voteShortCircuitWant),
	perThread("voteNumber", linear, voteNumber, voteNumberKernel, voteNumberWant),
	perThread("voteEffects", linear, voteEffects, voteEffectsKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			most := int32(0)
			for _, v := range in[first : first+len(out)] {
				most = max(most, v&63)
			}
			rounds := int32(0)
			for most -= 5; most >= 10; most -= 5 {
				rounds++
			}
			for i := range out {
				out[i] = (in[first+i]&63-5*(rounds+1))*100 + rounds
			}
		})
	}),
	perThread("voteFixpoint", linear, voteFixpoint, voteFixpointKernel, voteFixpointWant),
}

// anywhere1D has long grids too.
var anywhere1D = append([]grid.Config{line(70, 2), line(20, 31)}, linear...)
