// Command run launches kernels in both forms and says for each whether they agree. Its kernels are those at
// which a compiler errs without anybody seeing it in the generated code.
package main

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

//gocuda:kernel
func parameterOK(t *gocuda.Thread, x []float32, ok bool) {
	if ok {
		x[t.GlobalX()] = 1
	}
}

//gocuda:kernel
func guardOverflow(t *gocuda.Thread, x []float32, big int) {
	i := t.GlobalX()
	if i+big < 5 {
		x[i] = 1
	}
}

//gocuda:kernel
func indexOverflow(t *gocuda.Thread, x []float32, big int) {
	i := t.GlobalX()
	x[i] = x[i+big] + 1
}

//gocuda:kernel
func literalSlice(t *gocuda.Thread, x []float32) {
	i := t.GlobalX()
	s := []float32{0, 0}
	s[0] = float32(i)
	v := s[0]
	x[i] = v
}

func negative(v float32) float32 { return -v }

//gocuda:kernel
func negativeZero(t *gocuda.Thread, x []float32) {
	x[t.GlobalX()] = negative(0)
}

func sum(a, b, c float32) float32 { return a + b + c }

//gocuda:kernel
func roundedConstants(t *gocuda.Thread, x []float32) {
	x[t.GlobalX()] = sum(16777216, 1, 1) // each sum is rounded
}

//gocuda:kernel
func notANumber(t *gocuda.Thread, x []float32, v float32) {
	i := t.GlobalX()
	if v < 1 {
		return
	}
	x[i] = 1
	if v != v {
		x[i] = 2
	}
}

//gocuda:kernel
func panicsFirst(t *gocuda.Thread, x []float32, n int) {
	i := t.GlobalX()
	if x[i*2] == 0 && i < n {
		x[i] = 1
	}
}

//gocuda:kernel
func dividesFirst(t *gocuda.Thread, x []float32, n, zero int) {
	i := t.GlobalX()
	if i < n {
		return
	}
	v := i / zero
	x[i] = float32(v)
}

//gocuda:kernel
func wholeLoop(t *gocuda.Thread, x []float32, n int) {
	k := 0
	for k < t.ThreadIdx.X {
		k++
	}
	t.SyncThreads()
	if k < n {
		x[t.GlobalX()] = float32(k)
	}
}

//gocuda:kernel
func narrowIndex(t *gocuda.Thread, x []float32) {
	i := uint8(t.GlobalX() + 250)
	x[i%16] = float32(i)
}

type pair struct{ a, b float32 }

func (p *pair) add(v float32) *pair {
	p.a += v
	return p
}

func (p *pair) double() *pair {
	p.a *= 2
	p.b = p.a
	return p
}

//gocuda:kernel
func chainedMethods(t *gocuda.Thread, x []float32) {
	i := t.GlobalX()
	p := pair{a: float32(i)}
	p.add(3).double()
	x[i] = p.a + 100*p.b
}

func either(a, b *pair, first bool) *pair {
	if first {
		return a
	}
	return b
}

//gocuda:kernel
func chosenPointer(t *gocuda.Thread, x []float32) {
	i := t.GlobalX()
	var p, q pair
	either(&p, &q, i%2 == 0).a = 7
	x[i] = p.a + 100*q.a
}

// next changes what it is given, and is too odd to be looked into.
func next(p *pair) float32 {
	defer func() { p.b++ }()
	return p.b
}

//gocuda:kernel
func opaqueCalls(t *gocuda.Thread, x []float32) {
	i := t.GlobalX()
	p := pair{b: float32(i)}
	x[i] = next(&p) + 100*next(&p) + 10000*p.b
}

const size = 24

type scale float32

func (s scale) of(v float32) float32 { return float32(s) * v }

type series []float32

func (s series) sum(from ...int) (sum float32) {
	for _, i := range from {
		sum += s[i]
	}
	return sum
}

// careful stays a call.
func (s series) careful(i int) float32 {
	defer func() {}()
	return s[i] * 3
}

type holder struct {
	pair
	by scale
}

func (p *pair) raise(v float32) {
	p.a += v
	p.b = p.a
}

func (p pair) product() float32 { return p.a * p.b }

type raiser interface{ raise(v float32) }

type crate[T any] struct{ v T }

func (c crate[T]) get() T { return c.v }

func (c *crate[T]) set(v T) { c.v = v }

func total[A interface {
	*pair
	raiser
}](a A, p *pair, v float32) float32 {
	A.raise(a, v)
	return p.a
}

//gocuda:kernel
func methodExpressions(t *gocuda.Thread, x []float32) {
	i := (*gocuda.Thread).GlobalX(t)
	p := pair{float32(i), 1}
	(*pair).raise(&p, 3)
	h := holder{p, 2}
	(*holder).raise(&h, holder.product(h))
	s := gocuda.Shared[float32](t, size)
	s[i] = scale.of(h.by, p.a) + (*scale).of(&h.by, p.b) + scale.of(0.5, 3)
	(*gocuda.Thread).SyncThreads(t)
	c := crate[float32]{s[(i+1)%size]}
	(*crate[float32]).set(&c, crate[float32].get(c)+total(&p, &p, 1))
	x[i] = crate[float32].get(c) + series.sum(s, 1, i, 3) + series.sum(x) + series.sum([]float32{1, 2}, []int{1, 0}...) + series.careful(s, i)
}

func main() {
	cfg := grid.Linear(size, size)
	nan := float32(math.NaN())
	for _, c := range []struct {
		name     string
		source   func(t *gocuda.Thread, x []float32)
		compiled func(x []float32) gocuda.Kernel
	}{
		{"parameterOK", func(t *gocuda.Thread, x []float32) { parameterOK(t, x, false) }, func(x []float32) gocuda.Kernel { return parameterOKKernel(x, false) }},
		{"guardOverflow", func(t *gocuda.Thread, x []float32) { guardOverflow(t, x, math.MaxInt-3) }, func(x []float32) gocuda.Kernel { return guardOverflowKernel(x, math.MaxInt-3) }},
		{"indexOverflow", func(t *gocuda.Thread, x []float32) { indexOverflow(t, x, math.MaxInt-3) }, func(x []float32) gocuda.Kernel { return indexOverflowKernel(x, math.MaxInt-3) }},
		{"literalSlice", literalSlice, literalSliceKernel},
		{"chainedMethods", chainedMethods, chainedMethodsKernel},
		{"chosenPointer", chosenPointer, chosenPointerKernel},
		{"opaqueCalls", opaqueCalls, opaqueCallsKernel},
		{"methodExpressions", methodExpressions, methodExpressionsKernel},
		{"negativeZero", negativeZero, negativeZeroKernel},
		{"roundedConstants", roundedConstants, roundedConstantsKernel},
		{"notANumber", func(t *gocuda.Thread, x []float32) { notANumber(t, x, nan) }, func(x []float32) gocuda.Kernel { return notANumberKernel(x, nan) }},
		{"panicsFirst", func(t *gocuda.Thread, x []float32) { panicsFirst(t, x, 2) }, func(x []float32) gocuda.Kernel { return panicsFirstKernel(x, 2) }},
		{"dividesFirst", func(t *gocuda.Thread, x []float32) { dividesFirst(t, x, 20, 0) }, func(x []float32) gocuda.Kernel { return dividesFirstKernel(x, 20, 0) }},
		{"wholeLoop", func(t *gocuda.Thread, x []float32) { wholeLoop(t, x, 7) }, func(x []float32) gocuda.Kernel { return wholeLoopKernel(x, 7) }},
		{"narrowIndex", narrowIndex, narrowIndexKernel},
	} {
		a, b := make([]float32, size), make([]float32, size)
		// There is one block, so it is the same thread that fails.
		got := func(k gocuda.Kernel) string {
			err := gocuda.Launch(context.Background(), cfg, k)
			if err == nil {
				return "no error"
			}
			text := err.Error() // the name of the kernel comes first
			for i := range text {
				if i > 0 && text[i-1] == ':' {
					return text[i:]
				}
			}
			return text
		}
		x := got(gocuda.ThreadFunc(func(t *gocuda.Thread) { c.source(t, a) }))
		y := got(c.compiled(b))
		// What is left behind by a kernel that fails is nobody's business.
		for i := range a {
			if x == y && x == "no error" && math.Float32bits(a[i]) != math.Float32bits(b[i]) {
				x, y = fmt.Sprint(a), fmt.Sprint(b)
			}
		}
		if x == y {
			fmt.Printf("%s agrees\n", c.name)
		} else {
			fmt.Printf("%s differs: %s | %s\n", c.name, x, y)
		}
	}
}
