//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops that only compute, and that threads leave one by one: those that have left may go on with
// the others where nobody asks for what they compute, and several vectors go together. The kernels
// differ in what is asked for.

// ctConfigs are blocks whose rows are several vectors, one, and less than that.
var ctConfigs = []grid.Config{
	{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 32, Y: 8}},
	{Grid: grid.Dim3{X: 1, Y: 3}, Block: grid.Dim3{X: 64, Y: 4}},
	{Grid: grid.Dim3{X: 3, Y: 1}, Block: grid.Dim3{X: 16, Y: 5}},
	{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 10, Y: 3}},
	line(3, 100), line(2, 256), line(1, 33),
}

func ctPlace(t *gocuda.Thread) int { return t.GlobalY()*t.GridDim.X*t.BlockDim.X + t.GlobalX() }

// How many steps of Collatz's it takes to come to 1: the loop has no limit.
//
//gocuda:kernel
func ctSteps(t *gocuda.Thread, in, out []int32) {
	me := ctPlace(t)
	v, n := in[me]%1000, int32(0)
	if v < 0 {
		v = -v
	}
	for v > 1 {
		v = v>>1 + (v&1)*(v+1)
		n++
	}
	out[me] = n
}

// What a thread has computed when it leaves, by one of two ways, is wanted after the loop.
//
//gocuda:kernel
func ctWays(t *gocuda.Thread, in, out []int32) {
	me := ctPlace(t)
	x, way := in[me], int32(7)
	var n int32
	for {
		if n == 50 {
			way = 3
			break
		}
		if x&15 == 0 {
			way = x
			break
		}
		x = x*5 + n
		n++
		if x&31 == 9 {
			way = -n
			break
		}
	}
	out[me] = x ^ way*1000 ^ n*100000
}

// Eight bytes a number and a counter of one byte that wraps around.
//
//gocuda:kernel
func ctWrap(t *gocuda.Thread, in, out []float64) {
	me := ctPlace(t)
	x := in[me]
	if !(x < 1e3 && x > -1e3) {
		x = 3
	}
	n := int8(100)
	for ; n != 99; n++ {
		x = x*0.75 - 0.25
		if x > -1.0625 && x < -0.9375 {
			break
		}
	}
	out[me] = x + float64(n)*4
}

// The number of rounds, an int, and a float that counts as well, in a loop inside a loop: the
// numbers of the last time go on.
//
//gocuda:kernel
func ctTwice(t *gocuda.Thread, in, out []int32) {
	me := ctPlace(t)
	x, total := in[me]&1023, 0
	var last float32
	for k := range 3 {
		n, f := 0, float32(k)
		for x < 5000 {
			x += x>>3 + 11
			f += 0.5
			n++
		}
		total += n
		last += f
		x >>= 2
	}
	out[me] = int32(total)*1000 + int32(last*2) + x
}

// The same, and nobody but the loop inside asks for the number, which goes on from where the last
// time ended.
//
//gocuda:kernel
func ctOn(t *gocuda.Thread, in, out []int32) {
	me := ctPlace(t)
	x, n := in[me]&1023, int32(0)
	for k := int32(1); k < 4; k++ {
		for x < k*2000 {
			x += x>>3 + 11
			n++
		}
	}
	out[me] = n
}

// Between two barriers, with a shift that has no vector form.
//
//gocuda:kernel
func ctShift(t *gocuda.Thread, in, out []int32) {
	me := ctPlace(t)
	v, by := in[me], uint32(in[me])
	t.SyncThreads()
	for j := int(by % 6); j > 0; j-- {
		v = int32(int16(j)<<(by%70)) + 3
	}
	t.SyncThreads()
	out[me] = v
}

// Rounds with barriers around them, whose number nobody asks for.
//
//gocuda:kernel
func ctRounds(t *gocuda.Thread, in, out []int32) {
	me := ctPlace(t)
	out[me] = in[me]
	t.SyncThreads()
	for k := 0; k < 4; k++ {
		out[me] >>= 2
	}
	t.SyncThreads()
}

// Neither does a thread go on that was never in the loop, nor is its number changed.
//
//gocuda:kernel
func ctSome(t *gocuda.Thread, in, out []int32) {
	me := ctPlace(t)
	x, n := in[me], int32(-1)
	if me%3 != 1 {
		n = 5
		for x > 0 && n < 40 {
			x -= x>>2 + 1
			n++
		}
	}
	out[me] = n*7 + x
}

// A thread knows before the loop whether it will leave early, and its numbers have a type with a name.
//
//gocuda:kernel
func ctFlag(t *gocuda.Thread, in, out []int32) {
	me := ctPlace(t)
	type level int32
	x, n := level(in[me]), int32(0)
	soon := x&3 == 2
	for n < 30 {
		if soon && n > 7 || x < 0 {
			break
		}
		x = x*3 - level(n)
		n++
	}
	out[me] = int32(x) ^ n<<20
}

// The root of a number by Newton's method, with multiplications and additions that may be fused.
//
//gocuda:kernel fastmath
func ctRoot(t *gocuda.Thread, in, out []float32) {
	me := ctPlace(t)
	a := in[me]
	if !(a > 0 && a < 1e6) {
		a = 2
	}
	a = float32(int32(a)&63 + 1)
	x := a
	for range 60 {
		next := (x + a/float32(x)) * 0.5
		if next >= x {
			break
		}
		x = next
	}
	out[me] = x
}

func ctData(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i*i*2654435 + i*77 - 5000)
	}
	return s
}

// ctCase is a case whose threads each compute one.
func ctCase[T any](name string, input func(int) []T, source func(*gocuda.Thread, []T, []T), compiled func(in, out []T) gocuda.Kernel, one func(me int, x T) T) Case {
	return perThreadOf(name, ctConfigs, input, source, compiled, func(_ grid.Config, in, out []T) {
		for i, x := range in {
			out[i] = one(i, x)
		}
	})
}

var ctCases = []Case{
	ctCase("ctSteps", ctData, ctSteps, ctStepsKernel, func(_ int, x int32) int32 {
		x %= 1000
		x = max(x, -x)
		n := int32(0)
		for ; x > 1; n++ {
			if x%2 == 0 {
				x /= 2
			} else {
				x = (3*x + 1) / 2
			}
		}
		return n
	}),
	ctCase("ctWays", ctData, ctWays, ctWaysKernel, func(_ int, x int32) int32 {
		for n := int32(0); n < 50; n++ {
			if x&15 == 0 {
				return x ^ x*1000 ^ n*100000
			}
			if x = x*5 + n; x&31 == 9 {
				return x ^ -(n+1)*1000 ^ (n+1)*100000
			}
		}
		return x ^ 3000 ^ 5000000
	}),
	ctCase("ctWrap", data[float64], ctWrap, ctWrapKernel, func(_ int, x float64) float64 {
		if !(x < 1e3 && x > -1e3) {
			x = 3
		}
		for k := range 255 {
			x = x*0.75 - 0.25
			if x > -1.0625 && x < -0.9375 {
				return x + float64(int8(100+k))*4
			}
		}
		return x + 99*4
	}),
	ctCase("ctShift", ctData, ctShift, ctShiftKernel, func(_ int, x int32) int32 {
		if by := uint32(x); by%6 > 0 {
			return int32(int16(1)<<(by%70)) + 3
		}
		return x
	}),
	ctCase("ctRounds", ctData, ctRounds, ctRoundsKernel, func(_ int, x int32) int32 { return x >> 8 }),
	ctCase("ctOn", ctData, ctOn, ctOnKernel, func(_ int, x int32) int32 {
		x &= 1023
		n := int32(0)
		for ; x < 6000; n++ {
			x += x>>3 + 11
		}
		return n
	}),
	ctCase("ctTwice", ctData, ctTwice, ctTwiceKernel, func(_ int, x int32) int32 {
		x &= 1023
		total, twice := int32(0), int32(0)
		for k := int32(0); k < 3; k++ {
			twice += 2 * k
			for ; x < 5000; x += x/8 + 11 {
				total, twice = total+1, twice+1
			}
			x /= 4
		}
		return total*1000 + twice + x
	}),
	ctCase("ctSome", ctData, ctSome, ctSomeKernel, func(me int, x int32) int32 {
		if me%3 == 1 {
			return -7 + x
		}
		n := int32(5)
		for ; x > 0 && n < 40; n++ {
			x -= x/4 + 1
		}
		return n*7 + x
	}),
	ctCase("ctFlag", ctData, ctFlag, ctFlagKernel, func(_ int, x int32) int32 {
		soon := x&3 == 2
		n := int32(0)
		for ; n < 30 && x >= 0 && !(soon && n > 7); n++ {
			x = x*3 - n
		}
		return x ^ n<<20
	}),
	perThread("ctRoot", ctConfigs, ctRoot, ctRootKernel, nil),
}
