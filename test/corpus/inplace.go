//go:build compiled

package corpus

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops that threads leave one by one and that keep what they compute in elements.

// The steps until 1 is reached by Collatz's rule.
//
//gocuda:kernel
func inSteps(t *gocuda.Thread, n, steps []int32) {
	i := t.GlobalX()
	if i >= len(n) {
		return
	}
	v := n[i]
	steps[i] = 0
	for v > 1 {
		if v%2 == 0 {
			v /= 2
		} else {
			v = 3*v + 1
		}
		steps[i]++
	}
}

// Elements have values already, and threads without a step must leave theirs alone.
//
//gocuda:kernel
func inMoreSteps(t *gocuda.Thread, n, steps []int32) {
	i := t.GlobalX()
	if i >= len(n) {
		return
	}
	for v := n[i]; v > 1; {
		if v&1 == 0 {
			v >>= 1
		} else {
			v = 3*v + 1
			steps[i] += 2
		}
	}
}

// A pointer to the element.
//
//gocuda:kernel
func inPointer(t *gocuda.Thread, n, steps []int32) {
	i := t.GlobalX()
	if i < len(n) {
		v, p := n[i], &steps[i]
		*p = -v
		for *p < 40 && v > 0 {
			v -= v>>2 + 1
			*p += 3
		}
	}
}

// Newton's steps in place, which end by a break; the number of steps is another element.
//
//gocuda:kernel
func inRoots(t *gocuda.Thread, a []float32, x []float32, steps []int32) {
	i := t.GlobalX()
	if i >= len(a) {
		return
	}
	x[i] = a[i]
	steps[i] = 0
	for {
		d := (x[i] - a[i]/x[i]) / 2
		if d < 1e-4 && d > -1e-4 || steps[i] > 20 {
			break
		}
		x[i] -= d
		steps[i]++
	}
}

// Euclid's algorithm in two elements.
//
//gocuda:kernel
func inGCD(t *gocuda.Thread, a, b []int32) {
	if i := t.GlobalX(); i < len(a) {
		for b[i] != 0 {
			a[i], b[i] = b[i], a[i]%b[i]
		}
	}
}

// What an element was before it was counted up is used after it.
//
//gocuda:kernel
func inBefore(t *gocuda.Thread, n, steps, last []int32) {
	i := t.GlobalX()
	if i >= len(n) {
		return
	}
	v, k := n[i], 0
	w := int32(0)
	for v > 3 {
		k = int(steps[i])
		w = steps[i]
		steps[i]++
		v -= v / 3
	}
	last[i] = int32(k)*1000 + w
}

// The loop reads the same slice, or another that may be the same memory, at other places.
//
//gocuda:kernel
func inNext(t *gocuda.Thread, n, steps, other []int32) {
	i := t.GlobalX()
	if i >= len(n) {
		return
	}
	v := n[i]
	for v > 1 {
		v -= other[i]>>8&1 + 1 + v>>1
		steps[i] += 256
	}
}

// Elements in reverse, under a condition, with the state in an array.
//
//gocuda:kernel
func inReverse(t *gocuda.Thread, n []int32, hits []float64) {
	i := t.GlobalX()
	if i >= len(n) {
		return
	}
	at := len(n) - 1 - i
	z := [2]float64{float64(n[i]) / 64, 1}
	for z[0] < 30 && z[1] < 30 {
		if z[0] > z[1] {
			hits[at] += z[0]
		}
		z = [2]float64{z[0] + z[1], z[1] * 1.5}
	}
}

// Small integers wrap around.
//
//gocuda:kernel
func inBytes(t *gocuda.Thread, n []int32, bytes []uint8) {
	i := t.GlobalX()
	if i >= len(n) {
		return
	}
	bytes[i] = uint8(n[i] * 7)
	for v := n[i]; v > 0 && bytes[i] != 3; v-- {
		bytes[i] += 49
	}
}

// Some threads return between the store and the loop.
//
//gocuda:kernel
func inBetween(t *gocuda.Thread, n, steps []int32) {
	i := t.GlobalX()
	if i >= len(n) {
		return
	}
	v := n[i]
	steps[i] = 7
	if v&3 == 1 {
		return
	}
	for v > 1 {
		v -= v>>2 + 1
		steps[i]++
	}
}

// Two loops, and a store that only some threads have done before.
//
//gocuda:kernel
func inTwice(t *gocuda.Thread, n, steps []int32) {
	i := t.GlobalX()
	if i >= len(n) {
		return
	}
	v := n[i]
	if v%3 == 0 {
		steps[i] = 5
	}
	for v > 100 {
		v -= v>>2 + 1
		steps[i]++
	}
	for v > 1 {
		v -= v>>1 + 1
		steps[i] += 100
	}
}

// The loop is in another one.
//
//gocuda:kernel
func inOuter(t *gocuda.Thread, n, steps, last []int32) {
	i := t.GlobalX()
	if i >= len(n) {
		return
	}
	for k := int32(0); k < 3; k++ {
		v := n[i] >> k
		last[i] = k
		for v > 1 {
			v -= v>>2 + 1
			steps[i]++
			last[i] += v
		}
	}
}

type inCount struct {
	Sum   float32
	Steps int32
}

// Fields of structs.
//
//gocuda:kernel
func inFields(t *gocuda.Thread, n []int32, c []inCount) {
	i := t.GlobalX()
	if i >= len(n) {
		return
	}
	v := n[i]
	c[i].Sum = 0
	c[i].Steps = 0
	for v > 1 {
		if c[i].Sum > 500 {
			break
		}
		c[i].Sum += float32(v) / 4
		c[i].Steps++
		v -= v>>3 + 1
	}
}

// A thread that has steps has no element; others without an element have no steps.
//
//gocuda:kernel
func failNoElement(t *gocuda.Thread, who int, in, out []int32) {
	i, bad := t.GlobalX(), t.BlockDim.X+who
	v, some := in[i]&63+5, out[:bad]
	if i > bad {
		v = 0
	}
	for v > 1 {
		v -= v>>1 + 1
		some[i]++
	}
}

func inFailures() []Failure {
	return []Failure{failure("failNoElement", 64, 37, failNoElement, failNoElementKernel, "index out of range [101] with length 101")}
}

func inSerial(n []int32, f func(i int)) {
	for i := range n {
		f(i)
	}
}

func inCases() (cases []Case) {
	for _, size := range []int{1, 15, 64, 203} {
		n, start, positive := make([]int32, size), make([]int32, size), make([]float32, size)
		for i := range n {
			n[i] = int32(uint32(i+3)*2654435761>>20)%977 - 40
			start[i] = int32(i*37%23) - 5
			positive[i] = float32(i*i%71) + 0.25
		}
		cfg := grid.Config{Grid: grid.Dim3{X: (size + 63) / 64}, Block: grid.Dim3{X: 64}}
		add := func(name string, make func() Instance) {
			cases = append(cases, Case{Name: fmt.Sprint(name, " ", size), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance { return make() }})
		}
		collatz := func(v int32) (all, odd int32) {
			for v > 1 {
				all++
				if v%2 == 0 {
					v /= 2
				} else {
					v, odd = 3*v+1, odd+1
				}
			}
			return all, odd
		}
		add("inSteps", func() Instance {
			out := make([]int32, size)
			return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { inSteps(t, n, out) }), inStepsKernel(n, out), []any{out}, func() []any {
				want := make([]int32, size)
				inSerial(n, func(i int) { want[i], _ = collatz(n[i]) })
				return []any{want}
			}}
		})
		add("inMoreSteps", func() Instance {
			out := slices.Clone(start)
			return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { inMoreSteps(t, n, out) }), inMoreStepsKernel(n, out), []any{out}, func() []any {
				want := slices.Clone(start)
				inSerial(n, func(i int) { _, odd := collatz(n[i]); want[i] += 2 * odd })
				return []any{want}
			}}
		})
		add("inPointer", func() Instance {
			out := slices.Clone(start)
			return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { inPointer(t, n, out) }), inPointerKernel(n, out), []any{out}, nil}
		})
		add("inRoots", func() Instance {
			x, steps := make([]float32, size), slices.Clone(start)
			return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { inRoots(t, positive, x, steps) }), inRootsKernel(positive, x, steps), []any{x, steps}, nil}
		})
		add("inGCD", func() Instance {
			a, b := make([]int32, size), make([]int32, size)
			for i := range a {
				a[i], b[i] = n[i]*6, start[i]*15
			}
			return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { inGCD(t, a, b) }), inGCDKernel(a, b), []any{a, b}, func() []any {
				want := make([]int32, size)
				inSerial(n, func(i int) {
					x, y := n[i]*6, start[i]*15
					for y != 0 {
						x, y = y, x%y
					}
					want[i] = x
				})
				return []any{want, make([]int32, size)}
			}}
		})
		add("inBefore", func() Instance {
			steps, last := slices.Clone(start), slices.Clone(start)
			return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { inBefore(t, n, steps, last) }), inBeforeKernel(n, steps, last), []any{steps, last}, func() []any {
				want, end := slices.Clone(start), make([]int32, size)
				inSerial(n, func(i int) {
					for v := n[i]; v > 3; v -= v / 3 {
						end[i] = want[i] * 1001
						want[i]++
					}
				})
				return []any{want, end}
			}}
		})
		for _, same := range []bool{false, true} {
			add(fmt.Sprint("inNext, the same is ", same), func() Instance {
				steps, other := slices.Clone(start), slices.Clone(start)
				if same {
					other = steps
				}
				return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { inNext(t, n, steps, other) }), inNextKernel(n, steps, other), []any{steps}, func() []any {
					want, from := slices.Clone(start), slices.Clone(start)
					if same {
						from = want
					}
					inSerial(n, func(i int) {
						for v := n[i]; v > 1; want[i] += 256 {
							v -= from[i]>>8&1 + 1 + v>>1
						}
					})
					return []any{want}
				}}
			})
		}
		add("inReverse", func() Instance {
			hits := make([]float64, size)
			return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { inReverse(t, n, hits) }), inReverseKernel(n, hits), []any{hits}, nil}
		})
		for name, k := range map[string]struct {
			source   func(t *gocuda.Thread, n, steps []int32)
			compiled func(n, steps []int32) gocuda.Kernel
		}{"inBetween": {inBetween, inBetweenKernel}, "inTwice": {inTwice, inTwiceKernel}} {
			add(name, func() Instance {
				steps := slices.Clone(start)
				return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, n, steps) }), k.compiled(n, steps), []any{steps}, nil}
			})
		}
		add("inOuter", func() Instance {
			steps, last := slices.Clone(start), slices.Clone(start)
			return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { inOuter(t, n, steps, last) }), inOuterKernel(n, steps, last), []any{steps, last}, nil}
		})
		add("inFields", func() Instance {
			c := make([]inCount, size)
			for i := range c {
				c[i] = inCount{float32(i), int32(-i)}
			}
			return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { inFields(t, n, c) }), inFieldsKernel(n, c), []any{c}, nil}
		})
		add("inBytes", func() Instance {
			bytes := make([]uint8, size)
			return Instance{gocuda.ThreadFunc(func(t *gocuda.Thread) { inBytes(t, n, bytes) }), inBytesKernel(n, bytes), []any{bytes}, func() []any {
				want := make([]uint8, size)
				inSerial(n, func(i int) {
					want[i] = uint8(n[i] * 7)
					for v := n[i]; v > 0 && want[i] != 3; v-- {
						want[i] += 49
					}
				})
				return []any{want}
			}}
		})
	}
	return cases
}
