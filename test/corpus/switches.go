//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A switch on the block, with barriers in some cases, several values in one, and the default in the
// middle.
//
//gocuda:kernel
func switchBarriers(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	s[tid] = v
	switch t.BlockIdx.X {
	case 0:
		t.SyncThreads()
		v = s[(tid+1)%n]
	default:
		v = 9
	case 1, 3:
		t.SyncThreads()
		w := s[(tid+1)%n]
		t.SyncThreads()
		s[tid] = w
		t.SyncThreads()
		v = s[(tid+1)%n]
	case 2:
	}
	out[t.GlobalX()] = v
}

// Fallthrough from one case with a barrier to the next.
//
//gocuda:kernel
func switchFallthrough(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	switch b := t.BlockIdx.X; b {
	case 2:
		s[tid] = v
		t.SyncThreads()
		v = s[(tid+b)%n]
		t.SyncThreads()
		fallthrough
	case 1:
		s[tid] = v
		t.SyncThreads()
		v += s[(tid+1)%n]
		fallthrough
	case 0:
		v++
	default:
		v = 0
	}
	out[t.GlobalX()] = v
}

// A switch without a tag, whose cases are tried from above; a break leaves the switch, not the loop.
//
//gocuda:kernel
func switchNoTag(t *gocuda.Thread, limit int32, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	for k := int32(0); k < limit; k++ {
		switch {
		case k == 1:
			v *= 3
			if limit > 2 {
				break
			}
			v = 0
		case k < 3:
			s[tid] = v
			t.SyncThreads()
			v = s[(tid+1)%n]
			t.SyncThreads()
		case k == 2:
			v = 0
		case k == 4:
			continue
		default:
			v -= k
		}
		v ^= k
	}
	out[t.GlobalX()] = v
}

func switchNoTagWant(limit int32, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		for i := range out {
			// Rounds 0 and 2 shift by one; the rest is local.
			v := in[first+(i+2)%n] ^ 0
			v = v*3 ^ 1
			v ^= 2
			for k := int32(3); k < limit; k++ {
				if k != 4 {
					v = (v - k) ^ k
				}
			}
			out[i] = v
		}
	})
}

// Every thread takes its own case; no barrier inside, but around.
//
//gocuda:kernel
func switchDivergent(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	switch v & 7 {
	case 0, 5:
		v = 1
	case 1:
		v = v<<3 | 4
		fallthrough
	case 2:
		v += 100
	case 3:
		if v < 0 {
			break
		}
		v = -v
	case int32(n & 7):
		v = 77
	default:
		v--
	}
	s[tid] = v
	t.SyncThreads()
	switch w := s[(tid+1)%n]; {
	case w < 0 && v < 0:
		v = w
	case w > v:
		v = w - v
	}
	out[t.GlobalX()] = v
}

func switchDivergentWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		f := func(v int32) int32 {
			k := v & 7
			switch {
			case k == 0 || k == 5:
				return 1
			case k == 1:
				return (v<<3 | 4) + 100
			case k == 2:
				return v + 100
			case k == 3 && v < 0:
				return v
			case k == 3:
				return -v
			case k == int32(n&7):
				return 77
			}
			return v - 1
		}
		for i := range out {
			v, w := f(in[first+i]), f(in[first+(i+1)%n])
			if w < 0 && v < 0 {
				v = w
			} else if w > v {
				v = w - v
			}
			out[i] = v
		}
	})
}

// A switch in a loop, with break and continue of the loop by label.
//
//gocuda:kernel
func switchInLoop(t *gocuda.Thread, program string, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
run:
	for pc := 0; pc < len(program); pc++ {
		switch program[pc] {
		case '+':
			v++
			continue run
		case 's':
			s[tid] = v
			t.SyncThreads()
			v = s[(tid+1)%n]
		case 'x':
			s[tid] = v
			t.SyncThreads()
			v ^= s[n-1-tid]
		case 'h':
			break run
		}
		t.SyncThreads()
	}
	out[t.GlobalX()] = v
}

// A switch over strings and one over booleans.
//
//gocuda:kernel
func switchOther(t *gocuda.Thread, op string, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	switch v > 0 {
	case true:
		v /= 2
	case i%2 == 0:
		v += 2
	}
	switch op {
	case "neg":
		t.SyncThreads()
		v = -v
	case "inc":
		v++
	}
	out[i] = v
}

var switchCases = []Case{
	perThread("switchBarriers", []grid.Config{line(5, 1), line(5, 33), line(5, 100)}, switchBarriers, switchBarriersKernel,
		func(cfg grid.Config, in, out []int32) {
			perBlock(cfg, out, func(b, first int, out []int32) {
				n := len(out)
				for i := range out {
					out[i] = [5]int32{in[first+(i+1)%n], in[first+(i+2)%n], in[first+i], in[first+(i+2)%n], 9}[b]
				}
			})
		}),
	perThread("switchFallthrough", []grid.Config{line(4, 7), line(4, 33), line(4, 255)}, switchFallthrough, switchFallthroughKernel,
		func(cfg grid.Config, in, out []int32) {
			perBlock(cfg, out, func(b, first int, out []int32) {
				n := len(out)
				for i := range out {
					switch b {
					case 0:
						out[i] = in[first+i] + 1
					case 1:
						out[i] = in[first+i] + in[first+(i+1)%n] + 1
					case 2:
						out[i] = in[first+(i+2)%n] + in[first+(i+3)%n] + 1
					default:
						out[i] = 0
					}
				}
			})
		}),
	withParameter("switchNoTag", linear, int32(7), switchNoTag, switchNoTagKernel, switchNoTagWant),
	perThread("switchDivergent", linear, switchDivergent, switchDivergentKernel, switchDivergentWant),
	withParameter("switchInLoop", linear, "s++x+s?xh+++", switchInLoop, switchInLoopKernel, func(_ string, cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			n := len(out)
			at := func(i int) int32 { return in[first+(i+n)%n] }
			// The program in three steps, s++ and x+ and s?xh.
			step1 := func(i int) int32 { return at(i+1) + 2 }
			step2 := func(i int) int32 {
				i = (i + n) % n
				return (step1(i) ^ step1(n-1-i)) + 1
			}
			for i := range out {
				out[i] = step2(i+1) ^ step2(n-i)
			}
		})
	}),
	withParameter("switchOther", linear, "neg", switchOther, switchOtherKernel, func(_ string, cfg grid.Config, in, out []int32) {
		for i, v := range in {
			if v > 0 {
				v /= 2
			} else if i%2 == 1 {
				v += 2
			}
			out[i] = -v
		}
	}),
}
