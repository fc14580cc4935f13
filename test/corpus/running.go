//go:build compiled

package corpus

import (
	"math"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops that threads leave in different rounds, with counters that those that are left have counted
// alike, and with variables of which nobody wants the value any more of those that have left.

// A counter that is read after the loop, with two ways out of it.
//
//gocuda:kernel
func rnAfter(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	n := int32(0)
	for n < 30 {
		if v > 90 {
			break
		}
		v += 3
		n++
	}
	out[t.GlobalX()] = v*100 + n
}

func rnAfterWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		n := min((91-v+2)/3, 30)
		out[i] = (v+3*n)*100 + n
	}
}

// Rounds that are cut short, for all and for some.
//
//gocuda:kernel
func rnContinue(t *gocuda.Thread, in, out []int32) {
	v, s := in[t.GlobalX()], int32(0)
	n := int32(0)
	for ; n < 25; n++ {
		if n%4 == 1 {
			continue
		}
		if v&1 == n&1 {
			v += 3
			continue
		}
		if v > 60 {
			break
		}
		v++
		s += n
	}
	out[t.GlobalX()] = v*1000 + s + n*7
}

func rnContinueWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		s, n := int32(0), int32(0)
		for n < 25 && (n%4 == 1 || v&1 == n&1 || v <= 60) {
			switch {
			case n%4 == 1:
			case v&1 == n&1:
				v += 3
			default:
				v, s = v+1, s+n
			}
			n++
		}
		out[i] = v*1000 + s + n*7
	}
}

// Three ways out, the counter another one at each, and changed by the last of them.
//
//gocuda:kernel
func rnBreaks(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	n := int32(1)
	for {
		if v < n {
			break
		}
		n += 2
		if v%7 == n%7 {
			break
		}
		n += v - v // the same for all, but only those who know arithmetic see it
		if n > 20 {
			n = -n
			break
		}
	}
	out[t.GlobalX()] = v*100 + n
}

func rnBreaksWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		n := int32(1)
		for v >= n && n <= 20 {
			if n += 2; v%7 == n%7 {
				break
			}
		}
		if v >= n-2 && v%7 != n%7 && n > 20 {
			n = -n
		}
		out[i] = v*100 + n
	}
}

// An inner loop that continues and leaves the outer one, with a counter of each round.
//
//gocuda:kernel
func rnLabels(t *gocuda.Thread, in, out []int32) {
	v, s := in[t.GlobalX()], int32(0)
	r := int32(0)
rows:
	for ; r < 6; r++ {
		n := int32(0)
		for n < 20 {
			if v&7 == n {
				v = v*5 + 1
				continue rows
			}
			if v%37 == 36 {
				s -= n
				break rows
			}
			n++
			s += n
			v++
			if n > r+9 {
				break
			}
		}
		s += 100 * n
	}
	out[t.GlobalX()] = s*10 + r
}

// A counter that goes on in the next round of the loop around, and one that starts anew.
//
//gocuda:kernel
func rnOutside(t *gocuda.Thread, in, out []int32) {
	v, s := in[t.GlobalX()], int32(0)
	n := int32(0)
	for r := range int32(5) {
		k := int32(0)
		for k < 50 {
			if (v+n+k)%11 == r {
				break
			}
			n++
			k += 2
			s += n ^ k
		}
		s = s*3 + k
	}
	out[t.GlobalX()] = s*100 + n
}

// A variable of the loop around, which lanes that have left must keep for the next round, and
// nothing else reads.
//
//gocuda:kernel
func rnNextRound(t *gocuda.Thread, in, out []int32) {
	v, s := in[t.GlobalX()], int32(0)
	last := v
	for r := range int32(4) {
		n := int32(0)
		for n < 9 {
			x := last*3 + n
			if x%5 == (r+v)%5 {
				s += x
				break
			}
			last = x%101 + 1
			n++
		}
	}
	out[t.GlobalX()] = s
}

func rnNextRoundWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		last := v
		out[i] = 0
		for r := range int32(4) {
			for n := range int32(9) {
				x := last*3 + n
				if x%5 == (r+v)%5 {
					out[i] += x
					break
				}
				last = x%101 + 1
			}
		}
	}
}

// One loop goes on where the other one has left the counter.
//
//gocuda:kernel
func rnSecond(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	n := int32(0)
	for n < 12 {
		if v == n*3 {
			break
		}
		n++
	}
	first := n
	for n < 24 {
		if v == n+5 {
			break
		}
		n += 2
	}
	out[t.GlobalX()] = first*100 + n
}

func rnSecondWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		first := int32(12)
		if v%3 == 0 && v < 36 {
			first = v / 3
		}
		n := v - 5
		if n < first || (n-first)%2 != 0 || n >= 24 {
			n = first + (24-first+1)/2*2
		}
		out[i] = first*100 + n
	}
}

// Counters on the other side of a barrier: this thread's and its neighbour's.
//
//gocuda:kernel
func rnBarrier(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, v := t.ThreadIdx.X, in[t.GlobalX()]
	n, twice := int32(0), int32(5)
	for n < 32 {
		twice += 2
		if v < n {
			break
		}
		n++
	}
	s[tid] = n
	t.SyncThreads()
	out[t.GlobalX()] = s[(tid+1)%t.BlockDim.X]*10000 + n*100 + twice
}

func rnBarrierWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		for i := range out {
			v, w := in[first+i], in[first+(i+1)%len(out)]
			out[i] = min(w+1, 32)*10000 + min(v+1, 32)*100 + 5 + 2*min(v+2, 32)
		}
	})
}

// A counter that lives on from phase to phase, in a loop with barriers around.
//
//gocuda:kernel
func rnPhases(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, v := t.ThreadIdx.X, in[t.GlobalX()]
	n, sum := int32(0), int32(0)
	for r := range int32(4) {
		k := int32(0)
		for k < 10 {
			if (v+k+n)%6 == r {
				break
			}
			k++
			n++
		}
		s[tid] = n
		t.SyncThreads()
		sum = sum*5 + s[(tid+3)%t.BlockDim.X] + k
		t.SyncThreads()
	}
	out[t.GlobalX()] = sum*100 + n
}

// How many rounds a thread went, by a helper that returns from inside its loop.
//
//gocuda:kernel
func rnHelper(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	a := rnFind(v, 3, 40)
	b := rnFind(v+1, 7, 5)
	out[t.GlobalX()] = a*100 + b
}

func rnFind(v, by, most int32) int32 {
	for n := int32(0); n < most; n++ {
		if n*by >= v {
			return n
		}
		if v == 33 {
			return -n
		}
	}
	return 77
}

func rnHelperWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		a := (v + 2) / 3
		if v == 33 {
			a = 0
		}
		b := (v + 1 + 6) / 7
		if b > 4 {
			b = 77
		}
		if v+1 == 33 {
			b = 0
		}
		out[i] = a*100 + b
	}
}

// A small counter that wraps around, of each type that does so soon.
//
//gocuda:kernel
func rnInt8(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	n, m := int8(100), uint8(250)
	for v < 400 {
		n += 5
		m -= 7
		if v%50 == 13 && n < 0 {
			break
		}
		v += int32(m&31) + int32(n&3)
	}
	out[t.GlobalX()] = v*65536 + int32(n)*256 + int32(m)
}

// The same for 16 bits, with a multiplication.
//
//gocuda:kernel
func rnInt16(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	n, m := int16(3), uint16(1)
	for v < 300 {
		n = n*31 + 7
		m ^= uint16(n) << 3
		if int32(m%64) == v%64 {
			break
		}
		v += 1 + int32(n&7)
	}
	out[t.GlobalX()] = v + int32(n) ^ int32(m)<<15
}

// Counters with fractions, one of which is no multiple of anything.
//
//gocuda:kernel
func rnFloat(t *gocuda.Thread, in []float32, out []float32) {
	v := in[t.GlobalX()]
	x, y := float32(0), float64(1)
	for x < 8 {
		x += 0.1
		y *= 1.0625
		if v > float32(y) && v < x*10 {
			break
		}
	}
	out[t.GlobalX()] = x + float32(y)*v
}

func rnFloatWant(_ grid.Config, in, out []float32) {
	for i, v := range in {
		x, y := float32(0), 1.0
		for again := true; again; {
			x, y = x+0.1, y*1.0625
			again = x < 8 && !(v > float32(y) && v < float32(x*10))
		}
		p := float32(float32(y) * v)
		out[i] = x + p
	}
}

// Limits that are NaN for some: they go no round, and none of the other loop is the last one.
//
//gocuda:kernel
func rnNaN(t *gocuda.Thread, in []float32, out []float32) {
	v := in[t.GlobalX()]
	if v < 0 {
		v = float32(math.Sqrt(float64(v)))
	}
	n := float32(0)
	for n < v {
		n += 8
	}
	m := float32(0)
	for !(m > v) && m < 50 {
		m += 4
	}
	out[t.GlobalX()] = n*1000 + m
}

func rnNaNWant(_ grid.Config, in, out []float32) {
	for i, v := range in {
		n, m := float32(0), float32(52)
		if v >= 0 {
			n = float32(math.Ceil(float64(v)/8)) * 8
			m = min(float32(math.Floor(float64(v)/4))*4+4, 52)
		}
		out[i] = n*1000 + m
	}
}

// Two numbers that change places, and a bool that turns over.
//
//gocuda:kernel
func rnToggle(t *gocuda.Thread, in, out []int32) {
	v, s := in[t.GlobalX()], int32(0)
	odd := false
	a, b := int32(1), int32(2)
	for s < 100 {
		if odd {
			s += a
		} else {
			s += 5
		}
		odd = !odd
		a, b = b, a+1
		if v--; v < 0 {
			break
		}
	}
	if odd {
		s = -s
	}
	out[t.GlobalX()] = s*100 + a*10 + b
}

func rnToggleWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		s, a, b, r := int32(0), int32(1), int32(2), int32(0)
		for r <= v && s < 100 {
			if r%2 == 1 {
				s += a
			} else {
				s += 5
			}
			a, b = b, a+1
			r++
		}
		if r%2 == 1 {
			s = -s
		}
		out[i] = s*100 + a*10 + b
	}
}

// A counter that is changed in branches and loops that all threads go alike, and in one more that
// is all the same to it.
//
//gocuda:kernel
func rnBranches(t *gocuda.Thread, q int, in, out []int32) {
	v := in[t.GlobalX()]
	n := int32(0)
	for n < 200 {
		if n%3 == int32(q) {
			n += 4
		} else {
			for k := int32(0); k < n%5; k++ {
				n += k & 1
			}
			n++
		}
		switch {
		case q == 2:
			n++
		case n%2 == 0:
			n += 3
		}
		if v > 20 {
			v -= n
		} else {
			v -= 2
		}
		if v < 0 {
			break
		}
	}
	out[t.GlobalX()] = v*1000 + n
}

func rnBranchesWant(q int, _ grid.Config, in, out []int32) {
	next := func(n int32) int32 {
		if n%3 == int32(q) {
			n += 4
		} else {
			for k := int32(0); k < n%5; k++ {
				n += k & 1
			}
			n++
		}
		if q == 2 {
			return n + 1
		} else if n%2 == 0 {
			return n + 3
		}
		return n
	}
	for i, v := range in {
		n := int32(0)
		for v >= 0 && n < 200 {
			n = next(n)
			if v > 20 {
				v -= n
			} else {
				v -= 2
			}
		}
		out[i] = v*1000 + n
	}
}

// Counters that are not counted alike: in a branch that differs, in a loop inside that differs,
// after a continue.
//
//gocuda:kernel
func rnDiffer(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	a, b, c, d := int32(0), int32(0), int32(0), int32(0)
	for d < 15 {
		if v&1 == 1 {
			a++
		}
		for k := int32(0); k < v%3; k++ {
			b++
		}
		d++
		if v%5 == 2 {
			v += a + 1
			continue
		}
		c++
		v = v*3 + d
		if v%17 == 3 {
			break
		}
	}
	out[t.GlobalX()] = a + b*16 + c*1024 + d*65536
}

func rnDifferWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		var a, b, c, d int32
		for d < 15 {
			a, b, d = a+v&1, b+v%3, d+1
			if v%5 == 2 {
				v += a + 1
			} else if c, v = c+1, v*3+d; v%17 == 3 {
				break
			}
		}
		out[i] = a + b*16 + c*1024 + d*65536
	}
}

// Places that start at the thread's and go on by the width of the block, beside a number of rounds.
//
//gocuda:kernel
func rnStride(t *gocuda.Thread, in, out []int32) {
	sum, n := int32(0), int32(0)
	i := t.ThreadIdx.X
	for i < len(in)-5 {
		sum = sum*3 + in[i] + n
		n++
		i += t.BlockDim.X
	}
	at := i
	for i -= t.BlockDim.X; i >= 0; i -= t.BlockDim.X {
		if in[i] == 7 {
			break
		}
		sum++
	}
	out[t.GlobalX()] = sum*10 + n + int32(at+i)
}

// A mean: the sum and the number of the elements of a thread are wanted after its loop.
//
//gocuda:kernel
func rnMean(t *gocuda.Thread, in, out []int32) {
	sum, n := int32(0), int32(0)
	for i := t.ThreadIdx.X; i < len(in)-5; i += t.BlockDim.X {
		sum += in[i]
		n++
	}
	if n > 0 {
		sum = sum * 100 / n
	}
	out[t.GlobalX()] = sum
}

func rnMeanWant(cfg grid.Config, in, out []int32) {
	threads := cfg.Threads()
	for i := range out {
		sum, n := int32(0), int32(0)
		for j := i % threads; j < len(in)-5; j += threads {
			sum, n = sum+in[j], n+1
		}
		if out[i] = sum; n > 0 {
			out[i] = sum * 100 / n
		}
	}
}

// A loop over elements that could be turned inside out, but for a number that passes from round to
// round.
//
//gocuda:kernel
func rnTurned(t *gocuda.Thread, in, out []int32) {
	n, x := int32(0), int32(t.BlockIdx.X)
	i := t.GlobalX()
	out[i] = -1
	for i < len(in) {
		out[i] = in[i]*100 + n + x
		n += 3
		x ^= n
		i += t.BlockDim.X * t.GridDim.X
	}
}

func rnTurnedWant(cfg grid.Config, in, out []int32) {
	for i := range out {
		out[i] = in[i]*100 + int32(i/cfg.Threads())
	}
}

// The same with more elements than threads, so that there are several rounds, and a counter of the
// header.
//
//gocuda:kernel
func rnElements(t *gocuda.Thread, in, out []int32) {
	n := int32(0)
	tid := t.ThreadIdx.X
	first, end := t.BlockIdx.X*1000, min((t.BlockIdx.X+1)*1000, len(in))
	for i, k := first+tid, int32(2); i < end; i += t.BlockDim.X {
		out[i] = in[i] + n*100 + k*10000
		n++
		k += n
	}
}

// A place that starts at threadIdx.y, and one that starts at a row, in blocks of several rows.
//
//gocuda:kernel
func rnRows(t *gocuda.Thread, in, out []int32) {
	me := rnPlace(t)
	v, s := in[me], int32(0)
	y := t.ThreadIdx.Y
	r := y*t.BlockDim.X + t.ThreadIdx.X
	n := 0
	for y < 40 {
		if int(v) < y+n {
			break
		}
		s += in[(y+n)%len(in)] + int32(r)
		y += t.BlockDim.Y
		r += 3
		n++
	}
	out[me] = s*1000 + int32(y*10+n)
}

func rnPlace(t *gocuda.Thread) int {
	b := (t.BlockIdx.Z*t.GridDim.Y+t.BlockIdx.Y)*t.GridDim.X + t.BlockIdx.X
	return b*t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z + t.Rank()
}

func rnRowsWant(cfg grid.Config, in, out []int32) {
	block := cfg.Block.Norm()
	for me, v := range in {
		rank := me % cfg.Threads()
		ty := rank / block.X % block.Y
		n := 0
		s := int32(0)
		for ty+n*block.Y < 40 && int(v) >= ty+n*block.Y+n {
			s += in[(ty+n*block.Y+n)%len(in)] + int32(ty*block.X+rank%block.X+3*n)
			n++
		}
		out[me] = s*1000 + int32((ty+n*block.Y)*10+n)
	}
}

// What a thread must keep when it has left: numbers that are read after the loop, in a later phase,
// by address, and elements of an array and a struct.
//
//gocuda:kernel
func rnKept(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, v := t.ThreadIdx.X, in[t.GlobalX()]
	a, b, c := v, v*2, int32(0)
	var list [3]int32
	var pair struct{ x, y int32 }
	n := int32(0)
	for n < 20 {
		a += n
		b ^= a
		rnAdd(&c, b)
		list[n%3] += a
		pair.x++
		pair.y = n
		if a%8 == 5 {
			break
		}
		n++
	}
	s[tid] = a
	t.SyncThreads()
	out[t.GlobalX()] = s[t.BlockDim.X-1-tid] + b*3 + c*5 + list[0]*7 + list[1]*11 + list[2]*13 + pair.x*17 + pair.y*19
}

func rnAdd(p *int32, v int32) { *p += v }

func rnKeptWant(cfg grid.Config, in, out []int32) {
	run := func(v int32) (a, rest int32) {
		a, b, c := v, v*2, int32(0)
		var list [3]int32
		n, x, y := int32(0), int32(0), int32(0)
		for n < 20 {
			a += n
			b ^= a
			c += b
			list[n%3] += a
			x, y = x+1, n
			if a%8 == 5 {
				break
			}
			n++
		}
		return a, b*3 + c*5 + list[0]*7 + list[1]*11 + list[2]*13 + x*17 + y*19
	}
	perBlock(cfg, out, func(_, first int, out []int32) {
		for i := range out {
			_, rest := run(in[first+i])
			a, _ := run(in[first+len(out)-1-i])
			out[i] = a + rest
		}
	})
}

// Divisors that would soon be 0, and a division that would overflow, of threads that have left.
//
//gocuda:kernel
func rnDivisor(t *gocuda.Thread, in, out []int32) {
	v, s := in[t.GlobalX()], int32(0)
	d, e := v+3, int64(v)-41
	for {
		s += 1000/d + int32(1<<40/e)
		if d == 1 || e == -2 {
			break
		}
		d--
		e++
	}
	out[t.GlobalX()] = s
}

func rnDivisorWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		out[i] = 0
		for k := int32(0); ; k++ {
			d, e := v+3-k, int64(v-41+k)
			out[i] += 1000/d + int32(1<<40/e)
			if d == 1 || e == -2 {
				break
			}
		}
	}
}

// Shift counts that would be negative.
//
//gocuda:kernel
func rnShift(t *gocuda.Thread, in, out []int32) {
	v, s := in[t.GlobalX()], int32(0)
	k := v
	w := int32(1)
	for n := int32(0); n < 64; n++ {
		s += w<<k ^ 0x12345678>>k
		w = w*3 + n
		if k == 0 {
			break
		}
		k--
	}
	out[t.GlobalX()] = s
}

func rnShiftWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		out[i] = 0
		w := int32(1)
		for k := range v + 1 {
			out[i] += w<<(v-k) ^ 0x12345678>>(v-k)
			w = w*3 + k
		}
	}
}

// Indices that would be out of range: of global memory, of neighbours, and where the condition asks
// first.
//
//gocuda:kernel
func rnIndex(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v, s := in[i], int32(0)
	k, j := int(v)%len(in), 0
	for k >= 0 && in[k] != 33 {
		s += in[k] + int32(j)
		k -= 3
		j++
	}
	j = 0
	for i+j < len(in) && in[i+j] != 5 {
		s += in[i+j]
		j++
	}
	out[i] = s*10 + int32(j)
}

func rnIndexWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		s, j := int32(0), int32(0)
		for k := int(v) % len(in); k >= 0 && in[k] != 33; k -= 3 {
			s += in[k] + j
			j++
		}
		j = 0
		for _, w := range in[i:] {
			if w == 5 {
				break
			}
			s, j = s+w, j+1
		}
		out[i] = s*10 + j
	}
}

// Conversions of what becomes infinite and NaN, and is no int32 any more.
//
//gocuda:kernel
func rnConvert(t *gocuda.Thread, in, out []int32) {
	v, s := in[t.GlobalX()], int32(0)
	x := float32(v) + 1.5
	for n := int32(0); ; n++ {
		y := int32(x)
		s += y ^ n
		if y > 1000 {
			break
		}
		x *= x
	}
	out[t.GlobalX()] = s
}

func rnConvertWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		out[i] = 0
		x, n := float32(v)+1.5, int32(0)
		for ; x < 1001; n++ {
			out[i] += int32(x) ^ n
			x = float32(x * x)
		}
		out[i] += int32(x) ^ n
	}
}

// A variable that only the loop uses, in a loop whose last round calls something.
//
//gocuda:kernel
func rnCalls(t *gocuda.Thread, in, out []float64) {
	v, s := in[t.GlobalX()], 0.0
	x := v
	n := 0
	for n < 12 {
		x = math.Sqrt(math.Abs(x)) + min(v, x)
		s += max(x, 1)
		if s > 60 {
			s -= math.Cbrt(s)
			break
		}
		n++
	}
	out[t.GlobalX()] = s + float64(n)
}

// Votes and shuffles in such loops: those that have left come no more, and the counter must be theirs.
//
//gocuda:kernel
func rnVotes(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	n, s := int32(0), int32(0)
	for t.AnySync(gocuda.FullMask, v > n) {
		s += gocuda.ShflDownSync(t, gocuda.FullMask, v+n, 1, 32)
		n += 4
		v--
	}
	k := int32(0)
	for k < v {
		k++
		s ^= k
	}
	out[t.GlobalX()] = s*100 + n + gocuda.ShflDownSync(t, gocuda.FullMask, k, 2, 32)
}

// Conditions that call a helper with a loop of its own, and that ask twice.
//
//gocuda:kernel
func rnPre(t *gocuda.Thread, in, out []int32) {
	v, s := in[t.GlobalX()], int32(0)
	n := int32(0)
	for rnFind(v-n, 2, 9) < 8 && (n < 3 || rnFind(n, 1, 30) != v%20) {
		s += n
		n++
		if n > 25 {
			break
		}
	}
	out[t.GlobalX()] = s*100 + n
}

func rnPreWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		s, n := int32(0), int32(0)
		for n <= 25 && rnFind(v-n, 2, 9) < 8 && (n < 3 || n == 33 || rnFind(n, 1, 30) != v%20) {
			s += n
			n++
		}
		out[i] = s*100 + n
	}
}

// Loops inside an if that differs, one in each branch, with the same counter.
//
//gocuda:kernel
func rnInside(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	r := int32(0)
	if v%3 != 0 {
		n, x := int32(0), v
		for n < 20 {
			x += x&7 + n
			if x > 70 {
				break
			}
			n++
		}
		r = n
	} else {
		n := v
		for k := int32(0); n < 100; k++ {
			n += k
			r += 2
		}
	}
	out[t.GlobalX()] = r
}

func rnInsideWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		n := int32(0)
		if v%3 != 0 {
			for x := v; n < 20; n++ {
				if x += x&7 + n; x > 70 {
					break
				}
			}
			out[i] = n
			continue
		}
		for v+n*(n-1)/2 < 100 {
			n++
		}
		out[i] = 2 * n
	}
}

// Loops that threads end with the kernel, all of some rows: one without a condition, and one whose
// counter grows for those that are left only.
//
//gocuda:kernel
func rnReturn(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	n := int32(0)
	for {
		out[t.GlobalX()] = n
		if n*n > v {
			return
		}
		n++
		if n == 6 {
			break
		}
	}
	for n < 8 {
		if v > 38 {
			return
		}
		n++
	}
	out[t.GlobalX()] += 100 * n
}

func rnReturnWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		out[i] = int32(math.Sqrt(float64(v))) + 1
		if out[i] > 5 {
			out[i] = 805
			if v > 38 {
				out[i] = 5
			}
		}
	}
}

// A step that is read in the round itself, and a place that leads on to the next one.
//
//gocuda:kernel
func rnOwn(t *gocuda.Thread, next, in, out []int32) {
	v, s := in[t.GlobalX()], int32(0)
	at := int32(0)
	n := int32(0)
	for {
		d := next[at]
		at = d
		if v < n || n > 60 {
			break
		}
		s += n ^ v
		n += d & 3
		at ^= 1
		n += d&1 + 1
	}
	out[t.GlobalX()] = s*100 + n
}

func rnOwnWant(next []int32, in, out []int32) {
	for i, v := range in {
		s, at, n := int32(0), int32(0), int32(0)
		for {
			d := next[at]
			at = d ^ 1
			if v < n || n > 60 {
				break
			}
			s += n ^ v
			n += d&3 + d&1 + 1
		}
		out[i] = s*100 + n
	}
}

// Rows of memory, by a counter that is multiplied, that a switch changes, and that goes down in the
// end.
//
//gocuda:kernel
func rnMemory(t *gocuda.Thread, in, out []int32) {
	i, w := t.ThreadIdx.X, t.BlockDim.X
	v, s := in[t.GlobalX()], int32(0)
	n := 0
	for n < t.GridDim.X*4 {
		s += in[n/4*w+i] * int32(n)
		switch {
		case n&3 == 2:
			s++
		case n&3 == 1:
			n++
			s ^= in[n/4*w+i]
		}
		if s%9 == v%9 {
			break
		}
		n++
	}
	for n -= 4; n >= 0; n -= 4 {
		s = s*3 + in[n/4*w+i]
		if s < 0 {
			break
		}
	}
	out[t.GlobalX()] = s*64 + int32(n)
}

func rnMemoryWant(cfg grid.Config, in, out []int32) {
	w := cfg.Threads()
	for me, v := range in {
		row := func(n int) int32 { return in[n/4*w+me%w] }
		s, n := int32(0), 0
		for n < cfg.Blocks()*4 {
			s += row(n) * int32(n)
			if n&3 == 2 {
				s++
			} else if n&3 == 1 {
				n++
				s ^= row(n)
			}
			if s%9 == v%9 {
				break
			}
			n++
		}
		for n -= 4; n >= 0; n -= 4 {
			if s = s*3 + row(n); s < 0 {
				break
			}
		}
		out[me] = s*64 + int32(n)
	}
}

// A loop that can be turned inside out between the declaration of a counter and the loop that counts.
//
//gocuda:kernel
func rnBetween(t *gocuda.Thread, k int, in, more, out []int32) {
	v := in[t.GlobalX()]
	n, s := int32(0), int32(0)
	i := t.ThreadIdx.X
	for j := t.GlobalX(); j < len(more); j += t.BlockDim.X * t.GridDim.X {
		more[j] = int32(j + k)
	}
	for n < 17 {
		if v < n*2 {
			break
		}
		s += n
		n++
		i += 2
	}
	out[t.GlobalX()] = s*10000 + n*100 + int32(i)
}

// The same beside warp operations, where a warp is two vectors.
//
//gocuda:kernel
func rnWarp(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	v += gocuda.ShflDownSync(t, gocuda.FullMask, v, 3, 32)
	n, x := int32(0), v
	for n < 21 {
		x = x*5 + n
		if x%13 == 4 {
			break
		}
		n++
	}
	s := gocuda.ShflXorSync(t, gocuda.FullMask, n, 1, 32)
	for k := int32(0); k < n; k++ {
		if s += k; s > 70 {
			break
		}
	}
	out[t.GlobalX()] = gocuda.ShflUpSync(t, gocuda.FullMask, s, 2, 32)*100 + n
}

func rnWarpWant(_ grid.Config, in, out []int32) {
	for first := 0; first < len(in); first += 32 {
		var n, s [32]int32
		for l := range n {
			v := in[first+l]
			if l < 29 {
				v += in[first+l+3]
			} else {
				v *= 2
			}
			for n[l] < 21 {
				if v = v*5 + n[l]; v%13 == 4 {
					break
				}
				n[l]++
			}
		}
		for l := range s {
			s[l] = n[l^1]
			for k := range n[l] {
				if s[l] += k; s[l] > 70 {
					break
				}
			}
		}
		for l := range s {
			from := l - 2
			if l < 2 {
				from = l
			}
			out[first+l] = s[from]*100 + n[l]
		}
	}
}

// Counters and limits of any type.
//
//gocuda:kernel
func rnGeneric[T number](t *gocuda.Thread, in, out []T) {
	v := in[t.GlobalX()]
	var n, k T
	for n < 60 {
		k += n + 1
		if n > v && k > 9 {
			break
		}
		n += 2
	}
	out[t.GlobalX()] = n + k
}

func rnGenericWant[T number](_ grid.Config, in, out []T) {
	for i, v := range in {
		var n, k T
		for n < 60 {
			if k += n + 1; n > v && k > 9 {
				break
			}
			n += 2
		}
		out[i] = n + k
	}
}

// Complex counters.
//
//gocuda:kernel
func rnComplex(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	z := complex64(1)
	for v > 0 {
		z = z*2i + 1
		if z == -3+2i {
			v--
		}
		v -= 5
	}
	if z == 1 || z == 1+2i {
		v -= 100
	}
	out[t.GlobalX()] = v
}

func rnComplexWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		r := (v + 4) / 5 // rounds, in the second of which z is -3+2i
		if r > 1 {
			r = (v - 1 + 4) / 5
			r = max(r, 2)
			v--
		}
		out[i] = v - 5*r
		if r < 2 {
			out[i] -= 100
		}
	}
}

// Failures: a thread that goes on alone, with an index of a row that is beyond the end in its round
// only.
//
//gocuda:kernel
func rnFailRow(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	n := 0
	for n < 10 {
		if (n > int(in[i]&3) || i+n*40 >= len(in)) && !unlucky(t, who) {
			break
		}
		out[i] += in[i+n*40]
		n++
	}
	out[i] += int32(n)
}

// An element that all read, so one of them does.
//
//gocuda:kernel
func rnFailAll(t *gocuda.Thread, who int, in, out []int32) {
	i, s := t.GlobalX(), int32(0)
	n := 0
	for {
		s += in[n]
		if (n > int(in[i]&127) || n+37 >= len(in)) && !unlucky(t, who) {
			break
		}
		n += 37
	}
	out[i] = s
}

// A divisor that becomes 0 for one, when others that have left would have had it long ago.
//
//gocuda:kernel
func rnFailDivide(t *gocuda.Thread, who int, in, out []int32) {
	i, s := t.GlobalX(), int32(0)
	d := int32(9)
	if !unlucky(t, who) {
		d -= in[i] & 3
	}
	for n := int32(0); n < 20; n++ {
		s += 100 / d
		if d == 1 && !unlucky(t, who) {
			break
		}
		d--
	}
	out[i] = s
}

// A place that was there in the condition, and is not behind the body.
//
//gocuda:kernel
func rnFailPost(t *gocuda.Thread, who int, in, out []int32) {
	i, s := t.GlobalX(), int32(0)
	n := 0
	for ; in[i+n] >= 0; s += in[i+n] {
		if n > 5 && !unlucky(t, who) {
			break
		}
		if unlucky(t, who) {
			s++
		}
		n++
		if i+n >= len(in)-1 && !unlucky(t, who) {
			break
		}
	}
	out[i] = s
}

// A place that was there before a switch, and is not behind it.
//
//gocuda:kernel
func rnFailSwitch(t *gocuda.Thread, who int, in, out []int32) {
	i, s := t.GlobalX(), int32(0)
	n := 0
	for n < 8 {
		if i+n >= len(in) || n > 2 && i+60 >= len(in) && !unlucky(t, who) {
			break
		}
		s += in[i+n]
		switch {
		case n > 5:
			n += 3
		case n > 3:
			n += 100
		}
		if n > 50 && !unlucky(t, who) {
			break
		}
		s += in[i+n]
		n++
	}
	out[i] = s
}

// A place that is itself the counter: it was there in the condition, and is not behind the body,
// nor behind a block.
//
//gocuda:kernel
func rnFailNext(t *gocuda.Thread, who int, in, out []int32) {
	i, s := t.GlobalX(), int32(0)
	for ; in[i] >= 0; s += in[i] {
		if !unlucky(t, who) {
			break
		}
		i += 40
	}
	out[t.GlobalX()] = s
}

//gocuda:kernel
func rnFailBlock(t *gocuda.Thread, who int, in, out []int32) {
	n, i, s := 0, t.GlobalX(), int32(0)
	for n < 9 {
		if !unlucky(t, who) {
			break
		}
		s += in[i]
		switch {
		case who < 1000:
			if n < 9 {
				if n < 3 {
					break
				}
				s++
			}
			i += 400
		}
		s += in[i]
		n++
	}
	out[t.GlobalX()] = s
}

// rnConfigs have one vector and parts of one, and more.
var rnConfigs = []grid.Config{line(5, 1), line(3, 7), line(3, 33), line(2, 100), line(1, 256)}

func rnCase(name string, source func(*gocuda.Thread, []int32, []int32), compiled func([]int32, []int32) gocuda.Kernel,
	want func(cfg grid.Config, in, out []int32)) Case {
	return perThreadOf(name, rnConfigs, below[int32](40), source, compiled, want)
}

func rnGenericCase[T number](name string) Case {
	return perThread("rnGeneric-"+name, rnConfigs, rnGeneric[T], rnGenericKernel[T], rnGenericWant[T])
}

var rnCases = []Case{
	rnCase("rnAfter", rnAfter, rnAfterKernel, rnAfterWant),
	rnCase("rnContinue", rnContinue, rnContinueKernel, rnContinueWant),
	rnCase("rnBreaks", rnBreaks, rnBreaksKernel, rnBreaksWant),
	rnCase("rnLabels", rnLabels, rnLabelsKernel, nil),
	rnCase("rnOutside", rnOutside, rnOutsideKernel, nil),
	rnCase("rnNextRound", rnNextRound, rnNextRoundKernel, rnNextRoundWant),
	rnCase("rnSecond", rnSecond, rnSecondKernel, rnSecondWant),
	rnCase("rnBarrier", rnBarrier, rnBarrierKernel, rnBarrierWant),
	rnCase("rnPhases", rnPhases, rnPhasesKernel, nil),
	rnCase("rnHelper", rnHelper, rnHelperKernel, rnHelperWant),
	rnCase("rnInt8", rnInt8, rnInt8Kernel, nil),
	rnCase("rnInt16", rnInt16, rnInt16Kernel, nil),
	perThread("rnFloat", rnConfigs, rnFloat, rnFloatKernel, rnFloatWant),
	perThread("rnNaN", rnConfigs, rnNaN, rnNaNKernel, rnNaNWant),
	rnCase("rnToggle", rnToggle, rnToggleKernel, rnToggleWant),
	withParameterOf("rnBranches 0", 0, rnBranches, rnBranchesKernel, rnBranchesWant),
	withParameterOf("rnBranches 2", 2, rnBranches, rnBranchesKernel, rnBranchesWant),
	rnCase("rnDiffer", rnDiffer, rnDifferKernel, rnDifferWant),
	rnCase("rnStride", rnStride, rnStrideKernel, nil),
	rnCase("rnMean", rnMean, rnMeanKernel, rnMeanWant),
	rnCase("rnTurned", rnTurned, rnTurnedKernel, rnTurnedWant),
	made("rnElements", slices.DeleteFunc(slices.Clone(rnConfigs), func(c grid.Config) bool { return c.Blocks() > 3 }),
		func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := below[int32](90)(cfg.Blocks()*1000-33), marked[int32](cfg.Blocks()*1000-33)
			return func(t *gocuda.Thread) { rnElements(t, in, out) }, rnElementsKernel(in, out), []any{out}
		}, func(cfg grid.Config) []any {
			out := below[int32](90)(cfg.Blocks()*1000 - 33)
			for i := range out {
				n := int32(i % 1000 / cfg.Threads())
				out[i] += n*100 + (2+n*(n+1)/2)*10000
			}
			return []any{out}
		}),
	perThreadOf("rnRows", boxes, below[int32](60), rnRows, rnRowsKernel, rnRowsWant),
	rnCase("rnKept", rnKept, rnKeptKernel, rnKeptWant),
	rnCase("rnDivisor", rnDivisor, rnDivisorKernel, rnDivisorWant),
	rnCase("rnShift", rnShift, rnShiftKernel, rnShiftWant),
	rnCase("rnIndex", rnIndex, rnIndexKernel, rnIndexWant),
	rnCase("rnConvert", rnConvert, rnConvertKernel, rnConvertWant),
	perThread("rnCalls", rnConfigs, rnCalls, rnCallsKernel, nil),
	perThreadOf("rnVotes", warps, below[int32](40), rnVotes, rnVotesKernel, nil),
	rnCase("rnPre", rnPre, rnPreKernel, rnPreWant),
	rnCase("rnInside", rnInside, rnInsideKernel, rnInsideWant),
	rnCase("rnReturn", rnReturn, rnReturnKernel, rnReturnWant),
	made("rnOwn", rnConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		next, in, out := below[int32](16)(16), below[int32](40)(n), marked[int32](n)
		return func(t *gocuda.Thread) { rnOwn(t, next, in, out) }, rnOwnKernel(next, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		out := make([]int32, n)
		rnOwnWant(below[int32](16)(16), below[int32](40)(n), out)
		return []any{out}
	}),
	rnCase("rnMemory", rnMemory, rnMemoryKernel, rnMemoryWant),
	made("rnBetween", rnConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, more, out := below[int32](40)(n), marked[int32](3*n-2), marked[int32](n)
		return func(t *gocuda.Thread) { rnBetween(t, 4, in, more, out) }, rnBetweenKernel(4, in, more, out), []any{more, out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		more, out := make([]int32, 3*n-2), below[int32](40)(n)
		for i := range more {
			more[i] = int32(i + 4)
		}
		for i, v := range out {
			r := min(v/2+1, 17)
			out[i] = r*(r-1)/2*10000 + r*100 + int32(i%cfg.Threads()) + 2*r
		}
		return []any{more, out}
	}),
	perThreadOf("rnWarp", warps, below[int32](40), rnWarp, rnWarpKernel, rnWarpWant),
	rnGenericCase[int32]("int32"), rnGenericCase[uint32]("uint32"), rnGenericCase[float32]("float32"),
	rnGenericCase[float64]("float64"), rnGenericCase[int8]("int8"),
	rnCase("rnComplex", rnComplex, rnComplexKernel, rnComplexWant),
}

// withParameterOf is rnCase for a kernel with a parameter.
func withParameterOf[P any](name string, p P, source func(*gocuda.Thread, P, []int32, []int32),
	compiled func(P, []int32, []int32) gocuda.Kernel, want func(p P, cfg grid.Config, in, out []int32)) Case {
	return rnCase(name, func(t *gocuda.Thread, in, out []int32) { source(t, p, in, out) },
		func(in, out []int32) gocuda.Kernel { return compiled(p, in, out) },
		func(cfg grid.Config, in, out []int32) { want(p, cfg, in, out) })
}

var rnFailures = []Failure{
	failure("rnFailRow", 100, 57, rnFailRow, rnFailRowKernel, "index out of range [317] with length 300"),
	failure("rnFailAll", 100, 57, rnFailAll, rnFailAllKernel, "index out of range [333] with length 300"),
	failure("rnFailDivide", 100, 57, rnFailDivide, rnFailDivideKernel, "integer divide by zero"),
	failure("rnFailPost", 100, 57, rnFailPost, rnFailPostKernel, "index out of range [300] with length 300"),
	failure("rnFailNext", 100, 57, rnFailNext, rnFailNextKernel, "index out of range [317] with length 300"),
	failure("rnFailBlock", 100, 57, rnFailBlock, rnFailBlockKernel, "index out of range [557] with length 300"),
	failure("rnFailSwitch", 100, 97, rnFailSwitch, rnFailSwitchKernel, "index out of range [301] with length 300"),
}
