//go:build compiled

package corpus

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels written against the compiler, each with the one assumption of it that it breaks.

// Parameters of the kernel that are exchanged in one assignment.
//
//gocuda:kernel
func advSwapParameters(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	in, out = out, in
	in[i] = out[i] * 2
}

// An index made of a variable that changes between the definition of the index and its use.
//
//gocuda:kernel
func advStaleBase(t *gocuda.Thread, in, out []int32) {
	base := 1
	idx := base + t.Rank()
	s := gocuda.Shared[int32](t, 1024+8)
	s[idx] = in[t.GlobalX()]
	t.SyncThreads()
	base = len(in)%7 + 2
	out[t.GlobalX()] = s[idx] + int32(base)
}

// The same in one phase, and with a slice that has changed as well.
//
//gocuda:kernel
func advStaleSlice(t *gocuda.Thread, in, out []int32) {
	w, x := 2, in
	j := t.GlobalX() + w
	w = 5
	x = x[w%len(x):]
	if j < len(x) {
		out[j] = x[j] + int32(w)
	}
}

// The start of a grid-stride loop made of a variable that changes before the loop.
//
//gocuda:kernel
func advStaleStart(t *gocuda.Thread, in, out []int32) {
	base := 0
	start := base + t.GlobalX()
	base = len(in)
	for i := start; i < len(in); i += t.BlockDim.X * t.GridDim.X {
		out[i] = in[i] + int32(base)
	}
}

// All threads of one branch return, and those of the other wait for their turn.
//
//gocuda:kernel
func advLostElse(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	if t.ThreadIdx.X%4 != 1 {
		t.SyncThreads()
		if in[i] >= 0 {
			if len(in) > 0 {
				return
			}
			out[i] = 3
		}
		t.SyncThreads()
		out[i] = 1
	} else {
		out[i] = 5
	}
}

// Some threads leave a loop early, and later all others return from inside it.
//
//gocuda:kernel
func advLostBreak(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	k := int32(0)
	for ; k < 10; k++ {
		t.SyncThreads()
		if in[i]%2 == 0 {
			if in[i] > -1 {
				break
			}
			out[i]++
		}
		t.SyncThreads()
		if k == 3 {
			if in[i] >= 0 {
				return
			}
			out[i]++
		}
		t.SyncThreads()
	}
	out[i] = in[i] + k
}

// Some threads continue a loop behind its last barrier: all come to the barrier of the next round.
//
//gocuda:kernel
func advContinue(t *gocuda.Thread, in, out []int32) {
	x := in[t.GlobalX()]
	for range 3 {
		t.SyncThreads()
		if x > 30 {
			if x > 60 {
				x -= 7
				continue
			}
			x++
		}
		x += 3
	}
	out[t.GlobalX()] = x
}

// Some threads return early from a helper, behind its only barrier; all come to the caller's.
//
//gocuda:kernel
func advHelperReturn(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	s[t.Rank()] = advWait(t, in[t.GlobalX()])
	t.SyncThreads()
	out[t.GlobalX()] = s[(t.Rank()+1)%t.BlockDim.X]
}

func advWait(t *gocuda.Thread, x int32) int32 {
	t.SyncThreads()
	if x > 30 {
		if x > 60 {
			return x * 2
		}
		x++
	}
	return x + 5
}

// Some threads break out of a switch, behind its only barrier; all come to the next one.
//
//gocuda:kernel
func advSwitchBreak(t *gocuda.Thread, in, out []int32) {
	x := in[t.GlobalX()]
	switch {
	case len(in) > 0:
		t.SyncThreads()
		if x > 10 {
			if x > 50 {
				break
			}
			x += 3
		}
		x += 100
	default:
		x = 0
	}
	t.SyncThreads()
	out[t.GlobalX()] = x
}

// A slice literal is each thread's own, even if its first elements are the same for all.
//
//gocuda:kernel
func advLiteral(t *gocuda.Thread, in, out []int32) {
	q := []int32{0, 0}
	q[0] += in[t.GlobalX()]
	q[1] = q[0] * 2
	y := q[1]
	out[t.GlobalX()] = y
}

// And so are the arguments of a variadic func.
//
//gocuda:kernel
func advVariadic(t *gocuda.Thread, in, out []int32) {
	x := advSet(in[t.GlobalX()], 1, 2)
	out[t.GlobalX()] = x
}

func advSet(v int32, p ...int32) int32 {
	p[0] = v
	return p[0] + p[1]
}

// Each round of a loop has a variable of its own.
//
//gocuda:kernel
func advLoopPointers(t *gocuda.Thread, in, out []int32) {
	var p [3]*int32
	for k := int32(0); k < 3; k++ {
		p[k] = &k
	}
	out[t.GlobalX()] = *p[0] + *p[1]*10 + *p[2]*100 + in[t.GlobalX()]
}

// Calls are made from left to right: the first one does not see what the second one changes.
//
//gocuda:kernel
func advCallOrder(t *gocuda.Thread, in, out []float64) {
	i := t.GlobalX()
	out[i] = in[i]
	out[i] = math.Pow(out[i], 2) + advBump(&out[i])
}

func advBump(p *float64) float64 {
	*p++
	return *p
}

// So are logical operations.
//
//gocuda:kernel
func advLogicOrder(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	out[t.GlobalX()] = advBits(v > 40 && v < 90, advGrow(&v))
}

func advGrow(p *int32) bool {
	*p += 50
	return *p > 60
}

func advBits(a, b bool) (n int32) {
	if a {
		n++
	}
	if b {
		n += 2
	}
	return n
}

type advPair struct{ x, y int32 }

// A func that can't be looked into gets two pointers to the same struct.
//
//gocuda:kernel
func advSamePointers(t *gocuda.Thread, in, out []int32) {
	s := advPair{in[t.GlobalX()], 2}
	advBoth(&s, &s, 2)
	out[t.GlobalX()] = s.x + s.y
}

func advBoth(a, b *advPair, k int) {
	a.x++
	b.y += 2
	b.x *= 3
	if k > 0 {
		advBoth(a, b, k-1)
	}
}

// The negation of a comparison that is a run of lanes.
//
//gocuda:kernel
func advNotEqual(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	if !(t.ThreadIdx.X == 3) {
		out[i] = in[i] * 2
	}
	out[i]++
}

// Conditions that are compared, under a mask.
//
//gocuda:kernel
func advBoolsDiffer(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	ok, w := v > 50, v*3
	if ok != (w < 100) {
		w = 7
	}
	ok2 := v < 80
	if w > 10 {
		ok2 = ok != (v < 30)
	}
	if ok2 {
		w++
	}
	out[i] = w
}

// A value that is the same for all rows of a tile, loaded under a condition that is not.
//
//gocuda:kernel
func advRowMask(t *gocuda.Thread, in, out []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	acc := float32(0)
	for k := range 4 {
		acc += in[tx] * in[ty*16+k]
		if ty != 0 && tx < 100 {
			q := in[tx+k]
			acc += q * 2
		}
	}
	out[t.Rank()] = acc
}

// What is the same for all threads must not be computed when no thread is left to do it.
//
//gocuda:kernel
func advNobodyLoads(t *gocuda.Thread, in, out []int32) {
	none := in[:0]
	v := in[t.GlobalX()]
	for k := range 4 {
		v *= 2
		if v > -100000 {
			if v > -90000 {
				break
			}
			v = 3
		}
		v += none[k]
	}
	out[t.GlobalX()] = v
}

// The same for a division.
//
//gocuda:kernel
func advNobodyDivides(t *gocuda.Thread, in, out []int32) {
	zero := int32(len(in) - len(out))
	v := in[t.GlobalX()]
	for {
		if v > -5 {
			if v > -6 {
				break
			}
			v++
		}
		v += 5 / zero
	}
	out[t.GlobalX()] = v
}

// Unsigned numbers beyond the largest int, one more for each thread, as floats.
//
//gocuda:kernel
func advUnsignedFloat(t *gocuda.Thread, in, out []float32) {
	u := uint64(t.ThreadIdx.X) + 1<<63
	out[t.GlobalX()] = in[t.GlobalX()] + float32(u) + float32(uint(t.ThreadIdx.X)-5)
}

// A guard whose left side overflows.
//
//gocuda:kernel
func advWrap(t *gocuda.Thread, in, out []int32) {
	if t.ThreadIdx.X+math.MaxInt-4 < 0 {
		out[t.GlobalX()] = in[t.GlobalX()]
	}
}

// What follows made code that does not compile.

type advIndex int

// Guards of 64-bit types that are not int.
//
//gocuda:kernel
func advGuard64(t *gocuda.Thread, in, out []int32) {
	if i := int64(t.GlobalX()); i < int64(len(in)-5) {
		out[i] = in[i]
	}
	if advIndex(t.ThreadIdx.X) >= 3 {
		out[t.GlobalX()]++
	}
	for i := int64(t.GlobalX()); i < int64(len(in)); i += int64(t.BlockDim.X * t.GridDim.X) {
		out[i] += 2
	}
}

// An index of type int64, lane by lane.
//
//gocuda:kernel
func advLane64(t *gocuda.Thread, in, out []float32) {
	i := int64(t.GlobalX())
	v := in[i] * 2
	v += in[i]
	v *= v
	v = v*3 + in[i]
	v = v*v - in[i]
	v -= in[i] * 7
	if v > 10 {
		v += float32(math.Sin(float64(v) + float64(i)))
	}
	out[i] = v
}

// Text that mentions names of variables.
//
//gocuda:kernel
func advText(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	if i == 3 {
		t.Printf("thread i of ty\n")
	}
	if i < 0 {
		panic("tz or i")
	}
	out[t.GlobalX()] = in[t.GlobalX()]
}

type row [4]int32

type state struct{ rank, lo int32 }

// Types, variables and funcs of the package with names that the generated code uses.
//
//gocuda:kernel
func advPackageNames(t *gocuda.Thread, in, out []int32) {
	var r row
	i := t.GlobalX()
	r[i%4] = in[i]
	s := [2]state{{1, 2}, {3, 4}}
	out[i] = votes(in[i]&7) + r[1] + lane[i%3] + s[i%2].rank
}

var lane = []int32{1, 2, 3}

func votes(n int32) int32 {
	if n < 2 {
		return n
	}
	return votes(n-1) + votes(n-2)
}

// A type parameter with such a name.
//
//gocuda:kernel
func advTypeName[rank int32 | float32](t *gocuda.Thread, in, out []rank) {
	var a rank
	a = in[t.GlobalX()] + 2
	out[t.GlobalX()] = rank(a)
}

// Names as the compiler makes them for several rows.
//
//gocuda:kernel
func advRowNames(t *gocuda.Thread, in, out []float32) {
	acc, acc_2 := float32(0), float32(1)
	for k := range t.BlockDim.X {
		acc += in[t.ThreadIdx.Y*t.BlockDim.X+k] * in[t.ThreadIdx.X]
		acc_2 += acc * in[k]
	}
	out[t.Rank()] = acc + acc_2
}

// Several rows of a block with three dimensions, and the third in a value and in a guard.
//
//gocuda:kernel
func advRowDepth(t *gocuda.Thread, in, out []float32) {
	w := t.BlockDim.X
	if t.ThreadIdx.X < w-1 && t.ThreadIdx.Z != 5 {
		acc := float32(0)
		for k := 0; k < w; k++ {
			acc += in[t.ThreadIdx.Y*w+k]*in[t.ThreadIdx.X] + float32(t.ThreadIdx.Z)
		}
		out[t.Rank()] = acc
	}
}

// A loop whose bound is the variable of the loop around it, with several rows: what the compiler
// wrote was not the same each time.
//
//gocuda:kernel
func advTriangle(t *gocuda.Thread, in, out []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	acc := float32(0)
	for i := 0; i < 16; i++ {
		for j := 0; j < i; j++ {
			acc += in[ty*16+j] * in[tx]
		}
	}
	out[t.Rank()] = acc
}

// A branch with nothing in it, and a condition that must be computed.
//
//gocuda:kernel
func advEmptyIf(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	out[i] = in[i] * 3
	if in[i] > 3 {
	}
	out[i] += in[i] * 5
}

// A helper with an early return, in a region that is printed for whole vectors and for parts of one.
//
//gocuda:kernel
func advTwice(t *gocuda.Thread, in, out []float32) {
	out[t.GlobalX()] = advClamp(in[t.GlobalX()])
}

func advClamp(v float32) float32 {
	if v > 5 {
		if v > 20 {
			return 20
		}
		v++
	}
	return v * 3
}

// The same with a return of the kernel.
//
//gocuda:kernel
func advReturnInside(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	if in[i] > 0 {
		if in[i] > 50 {
			return
		}
		out[i] = 1
	}
	out[i] += in[i] * 2
}

// A variable of an interface type that begins as a constant.
//
//gocuda:kernel
func advInterface(t *gocuda.Thread, in, out []int32) {
	var e any = 5
	if in[t.GlobalX()] > 3 {
		e = 2.5
	}
	if e == any(5) {
		out[t.GlobalX()] = 1
	}
}

// An index that is unsigned and one more for each thread: what Go says of it is not a negative number.
//
//gocuda:kernel
func advFailUnsigned(t *gocuda.Thread, who int, in, out []int32) {
	if unlucky(t, who) {
		out[t.GlobalX()] = in[uint(t.ThreadIdx.X)-uint(who)-5]
	}
}

// An index that is made unsigned from an int32.
//
//gocuda:kernel
func advFailNegative(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	if unlucky(t, who) {
		out[i] = -5
	}
	out[i] = in[uint(out[i])] + 1
}

// An element that does not exist, in a row that is not the first of those taken together.
//
//gocuda:kernel
func advFailRow(t *gocuda.Thread, who int, in, out []int32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	few := in[:14]
	acc := int32(0)
	for k := range 4 {
		acc += in[tx] * in[ty*16+k]
		if in[t.Rank()] > -500 && t.BlockIdx.X == 1 && t.Rank() == who {
			j := int(in[k]) - int(in[k])
			acc += few[tx+j]
		}
	}
	out[t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y+t.Rank()] = acc
}

// advTiles is one block that several rows can be taken of at a time.
var advTiles = []grid.Config{
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 4}},
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 16}},
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 4, Z: 2}},
}

var adversarialCases = []Case{
	perThread("advSwapParameters", linear, advSwapParameters, advSwapParametersKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v * 2
		}
	}),
	perThreadOf("advStaleBase", linear, below[int32](100), advStaleBase, advStaleBaseKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v + int32(len(in)%7+2)
		}
	}),
	perThreadOf("advStaleSlice", linear, below[int32](100), advStaleSlice, advStaleSliceKernel, nil),
	perThreadOf("advStaleStart", linear, below[int32](100), advStaleStart, advStaleStartKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v + int32(len(in))
		}
	}),
	perThreadOf("advLostElse", linear, below[int32](100), advLostElse, advLostElseKernel, func(cfg grid.Config, in, out []int32) {
		for i := range in {
			if i%cfg.Threads()%4 == 1 {
				out[i] = 5
			}
		}
	}),
	perThreadOf("advLostBreak", linear, below[int32](100), advLostBreak, advLostBreakKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			if v%2 == 0 {
				out[i] = v
			}
		}
	}),
	perThreadOf("advContinue", linear, below[int32](100), advContinue, advContinueKernel, nil),
	perThreadOf("advHelperReturn", linear, below[int32](100), advHelperReturn, advHelperReturnKernel, nil),
	perThreadOf("advSwitchBreak", linear, below[int32](100), advSwitchBreak, advSwitchBreakKernel, nil),
	perThread("advLiteral", linear, advLiteral, advLiteralKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v * 2
		}
	}),
	perThread("advVariadic", linear, advVariadic, advVariadicKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v + 2
		}
	}),
	perThread("advLoopPointers", linear, advLoopPointers, advLoopPointersKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v + 210
		}
	}),
	perThread("advCallOrder", linear, advCallOrder, advCallOrderKernel, func(_ grid.Config, in, out []float64) {
		for i, v := range in {
			out[i] = math.Pow(v, 2) + (v + 1)
		}
	}),
	perThreadOf("advLogicOrder", linear, below[int32](100), advLogicOrder, advLogicOrderKernel, nil),
	perThreadOf("advSamePointers", linear, below[int32](100), advSamePointers, advSamePointersKernel, nil),
	perThread("advNotEqual", linear, advNotEqual, advNotEqualKernel, nil),
	perThreadOf("advBoolsDiffer", linear, below[int32](100), advBoolsDiffer, advBoolsDifferKernel, nil),
	perThread("advRowMask", advTiles, advRowMask, advRowMaskKernel, nil),
	perThreadOf("advNobodyLoads", linear, below[int32](100), advNobodyLoads, advNobodyLoadsKernel, nil),
	perThreadOf("advNobodyDivides", linear, below[int32](100), advNobodyDivides, advNobodyDividesKernel, nil),
	perThread("advUnsignedFloat", linear, advUnsignedFloat, advUnsignedFloatKernel, nil),
	perThread("advWrap", linear, advWrap, advWrapKernel, nil),
	perThread("advGuard64", linear[2:], advGuard64, advGuard64Kernel, nil),
	perThread("advLane64", linear, advLane64, advLane64Kernel, nil),
	printing(perThread("advText", linear, advText, advTextKernel, nil)),
	perThread("advPackageNames", linear, advPackageNames, advPackageNamesKernel, nil),
	perThread("advTypeName", linear, advTypeName[float32], advTypeNameKernel[float32], nil),
	perThread("advRowNames", advTiles, advRowNames, advRowNamesKernel, nil),
	perThread("advRowDepth", advTiles, advRowDepth, advRowDepthKernel, nil),
	perThread("advTriangle", advTiles[1:2], advTriangle, advTriangleKernel, nil),
	perThread("advEmptyIf", linear, advEmptyIf, advEmptyIfKernel, nil),
	perThread("advTwice", linear, advTwice, advTwiceKernel, nil),
	perThread("advReturnInside", linear, advReturnInside, advReturnInsideKernel, nil),
	perThread("advInterface", linear, advInterface, advInterfaceKernel, nil),
}

var adversarialFailures = []Failure{
	failure("advFailUnsigned", 100, 20, advFailUnsigned, advFailUnsignedKernel, "index out of range [18446744073709551611] with length 300"),
	failure("advFailNegative", 100, 20, advFailNegative, advFailNegativeKernel, "index out of range [18446744073709551611] with length 300"),
	{
		Name: "advFailRow", Config: grid.Config{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 16, Y: 4}},
		Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 15, Y: 2}, Text: "index out of range [15] with length 14",
		Make: func(cfg grid.Config) Instance {
			n := cfg.Blocks() * cfg.Threads()
			in, out := positive(n), make([]int32, n)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { advFailRow(t, 47, in, out) }),
				Compiled: advFailRowKernel(47, in, out),
			}
		},
	},
}
