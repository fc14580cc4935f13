package rpes

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Count returns how many two-electron integrals of n functions there are but for symmetry: (ij|kl)
// = (ji|kl) = (ij|lk) = (ji|lk) = (kl|ij) and so on, eight in all. It is 0 if they are more than an
// int can count.
func Count(n int) int {
	if n < 0 || n > 1<<15 {
		return 0
	}
	pairs := n * (n + 1) / 2
	return pairs * (pairs + 1) / 2
}

// Index returns where (ij|kl) is among the integrals that differ, as they are usually numbered:
// with p = i(i+1)/2 + j for i >= j, and q of k and l, it is p(p+1)/2 + q for p >= q.
func Index(i, j, k, l int) int {
	p, q := max(i, j)*(max(i, j)+1)/2+min(i, j), max(k, l)*(max(k, l)+1)/2+min(k, l)
	return max(p, q)*(max(p, q)+1)/2 + min(p, q)
}

// Integrals sets values to the two-electron integrals of the functions of all shells, in hartree:
//
//	(ij|kl) = integral over r and s of f_i(r) f_j(r) f_k(s) f_l(s)/|r-s|.
//
// [Index] says where each is, and [Count] how many there are. float32 is the precision of the
// paper; for chemistry it mostly takes float64. The error of an integral is at most 64 roundings
// (2^-24 or 2^-53) of the sum of the absolute contributions of all primitives. There may be 65535
// pairs of shells of a kind (s with s, p with s, p with p).
//
// It reads results back, so it can't be queued.
func Integrals[T kernels.Float](ctx context.Context, on kernels.Launcher, shells []Shell, values []T) error {
	p, err := NewPlan[T](shells)
	if err != nil {
		return err
	}
	if err := check.Lengths("two-electron integrals", len(values), Count(Functions(shells))); err != nil {
		return err
	}
	if err := kernels.Waits("two-electron integrals", on); err != nil {
		return err
	}
	if err := p.Run(ctx, on); err != nil {
		return err
	}
	return p.Collect(values)
}

// A Plan has what is computed of shells in advance, and room for the integrals as the kernels leave
// them: to compute them more than once, or on a stream. Its zero value is a plan for no shells.
type Plan[T kernels.Float] struct {
	functions int
	prims     int // primitive pairs of a pair of shells; short ones have pairs of weight 0 besides
	first     []int
	pairs     [3][]pair // of kind ss, ps and pp
	bra, ket  [3][]T
	classes   []class[T]
}

// A pair of shells: i has the p functions if one has.
type pair struct{ i, j int }

// The kinds of pairs, by the number of p shells.
var (
	numbers    = [3]int{numbersSS, numbersPS, numbersPP}
	components = [3]int{1, 3, 9}
)

// A class of quartets has the same kinds of pairs on the left and on the right.
type class[T kernels.Float] struct {
	left, right int
	moment      int // the highest F_m that the roots are made of
	kernel      func(prims, stride, outStride int, terms int32, table, bra, ket, out []T) gocuda.Kernel
	stride      int // of a pair on the left, in out
	table, out  []T
}

// NewPlan makes a plan for the integrals of the functions of all shells.
func NewPlan[T kernels.Float](shells []Shell) (*Plan[T], error) {
	p := &Plan[T]{functions: Functions(shells)}
	longest := 0
	for i, s := range shells {
		if err := s.valid(i); err != nil {
			return nil, err
		}
		longest = max(longest, len(s.Exponents))
	}
	p.prims = longest * longest
	if p.prims > 1<<10 {
		return nil, fmt.Errorf("kernels: two-electron integrals: %w: shells of %d primitives; want at most 32", gocuda.ErrNotSupported, longest)
	}
	at := 0
	for _, s := range shells {
		p.first = append(p.first, at)
		at += s.functions()
	}
	for i, a := range shells {
		for j, b := range shells {
			if a.L > b.L || a.L == b.L && i >= j {
				p.pairs[a.L+b.L] = append(p.pairs[a.L+b.L], pair{i, j})
			}
		}
	}
	for kind, pairs := range p.pairs {
		if len(pairs) > 65535 {
			return nil, fmt.Errorf("kernels: two-electron integrals: %w: %d pairs of shells of a kind; want at most 65535", gocuda.ErrNotSupported, len(pairs))
		}
		if err := host.Need(2*16*float64(len(pairs))*float64(p.prims*numbers[kind]), "pairs of shells"); err != nil {
			return nil, err
		}
	}
	p.classes = []class[T]{
		{left: 0, right: 0, moment: 0, kernel: ssssKernel[T]},
		{left: 1, right: 0, moment: 1, kernel: psssKernel[T]},
		{left: 1, right: 1, moment: 3, kernel: pspsKernel[T]},
		{left: 2, right: 0, moment: 3, kernel: ppssKernel[T]},
		{left: 2, right: 1, moment: 3, kernel: pppsKernel[T]},
		{left: 2, right: 2, moment: 5, kernel: ppppKernel[T]},
	}
	need := 0.0
	for _, c := range p.classes {
		need += float64(len(p.pairs[c.left])) * float64(tiles(len(p.pairs[c.right]))) * float64(8*tile*components[c.left]*components[c.right])
	}
	if err := host.Need(need, "two-electron integrals"); err != nil {
		return nil, err
	}
	for kind, pairs := range p.pairs {
		p.bra[kind], p.ket[kind] = p.numbersOf(shells, kind, pairs)
	}
	for i := range p.classes {
		c := &p.classes[i]
		left, right := len(p.pairs[c.left]), tiles(len(p.pairs[c.right]))
		c.stride = right * components[c.left] * components[c.right] * tile
		c.out = make([]T, left*c.stride)
		if len(c.out) > 0 {
			c.table = boysTable[T](c.moment)
		}
	}
	return p, nil
}

// Block returns the integrals of a class as the kernels leave them, and how many numbers there are for each pair on the left: the class
// of quartets with so many p shells on the left and so many on the right, no more than on the left. They go by tiles of 64
// pairs on the right, and in a tile by components. Of pairs that are both of s shells, (ij|kl) is element p*stride + q, for
// p = i(i+1)/2 + j and q of k and l; what is beyond a row's tile with q = p is not set.
func (p *Plan[T]) Block(left, right int) (values []T, stride int) {
	for _, c := range p.classes {
		if c.left == left && c.right == right {
			return c.out, c.stride
		}
	}
	return nil, 0
}

func tiles(pairs int) int { return (pairs + tile - 1) / tile }

// numbersOf returns what the kernels need of pairs, on the left and on the right. All is computed
// in float64.
func (p *Plan[T]) numbersOf(shells []Shell, kind int, pairs []pair) (bra, ket []T) {
	n := numbers[kind]
	bra, ket = make([]T, len(pairs)*p.prims*n), make([]T, tiles(len(pairs))*p.prims*n*tile)
	for i := range ket { // what is behind the last pair has weight 0
		if i/tile%n == 0 {
			ket[i] = 1
		}
	}
	for number, both := range pairs {
		a, b := shells[both.i], shells[both.j]
		for m := range p.prims {
			v := [numbersPP]float64{0: 1}
			i, j := m/len(b.Exponents), m%len(b.Exponents)
			if i < len(a.Exponents) {
				v = primitives(a, b, i, j)
			}
			for k := range n {
				bra[(number*p.prims+m)*n+k] = T(v[k])
				ket[((number/tile*p.prims+m)*n+k)*tile+number%tile] = T(v[k])
			}
		}
	}
	return bra, ket
}

// primitives returns the numbers of a pair of primitives: the exponent and the center of their
// product, the factor, and how far the center is from those of both.
func primitives(a, b Shell, i, j int) [numbersPP]float64 {
	x, y := a.Exponents[i], b.Exponents[j]
	p := x + y
	v := [numbersPP]float64{0: p}
	square := 0.0
	for d := range 3 {
		between := a.Center[d] - b.Center[d]
		square += between * between
		v[1+d] = (x*a.Center[d] + y*b.Center[d]) / p
		v[5+d] = -y / p * between
		v[8+d] = x / p * between
	}
	factor := math.Sqrt(2*math.Pow(math.Pi, 2.5)) / p
	v[4] = factor * a.Coefficients[i] * norm(a.L, x) * b.Coefficients[j] * norm(b.L, y) * math.Exp(-x*y/p*square)
	return v
}

// Run computes the integrals. On a stream it queues, and [Plan.Collect] must wait.
func (p *Plan[T]) Run(ctx context.Context, on kernels.Launcher) error {
	for _, c := range p.classes {
		if len(c.out) == 0 {
			continue
		}
		cfg := grid.Config{Grid: grid.Dim3{X: tiles(len(p.pairs[c.right])), Y: len(p.pairs[c.left])}, Block: grid.Dim3{X: tile}}
		k := c.kernel(p.prims, p.prims*numbers[c.right]*tile, c.stride, boysTerms[T](), c.table, p.bra[c.left], p.ket[c.right], c.out)
		if err := on.Launch(ctx, cfg, k); err != nil {
			return err
		}
	}
	return nil
}

// Collect sets values to the integrals that Run has left, in the order of [Index].
func (p *Plan[T]) Collect(values []T) error {
	if err := check.Lengths("two-electron integrals", len(values), Count(p.functions)); err != nil {
		return err
	}
	for _, c := range p.classes {
		nl, nr := components[c.left], components[c.right]
		for ij, left := range p.pairs[c.left] {
			for kl, right := range p.pairs[c.right] {
				if c.left == c.right && kl > ij {
					break
				}
				at := ij*c.stride + kl/tile*nl*nr*tile + kl%tile
				for n := range nl * nr {
					i, j := p.functionsOf(c.left, left, n/nr)
					k, l := p.functionsOf(c.right, right, n%nr)
					values[Index(i, j, k, l)] = c.out[at+n*tile]
				}
			}
		}
	}
	return nil
}

// functionsOf returns the functions of a component of a pair.
func (p *Plan[T]) functionsOf(kind int, both pair, component int) (i, j int) {
	i, j = p.first[both.i], p.first[both.j]
	switch kind {
	case 1:
		i += component
	case 2:
		i += component / 3
		j += component % 3
	}
	return i, j
}
