package fft

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"sync"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
	"github.com/gocuda/gocuda/kernels/internal/launchers"
)

// A Direction is a sign of the exponent and a scale.
type Direction int

const (
	// Forward has a minus in the exponent and no scale, as Coefficients of gonum's fourier.CmplxFFT.
	Forward Direction = iota
	// Backward has a plus in the exponent and no scale: after Forward it gives n times what one
	// began with. It is CUFFT_INVERSE of CUDA, FFTW_BACKWARD of FFTW and Sequence of gonum's
	// fourier.CmplxFFT.
	Backward
	// Inverse is Backward divided by n, the inverse of Forward.
	Inverse
)

// String names the direction.
func (d Direction) String() string {
	switch d {
	case Forward:
		return "forward"
	case Backward:
		return "backward"
	case Inverse:
		return "inverse"
	}
	return fmt.Sprintf("Direction(%d)", int(d))
}

// A Plan has the tables for transforms of one length, CUDA's cufftPlan1d. Make it once and use it
// often: that takes longer than a transform. It can be used by several goroutines at the same time.
type Plan struct {
	n       int
	lgN     uint
	lgRadix uint
	roots   table   // of order 64
	medium  table   // between the steps of kernel medium
	blocks  table   // of kernel largeFirst, the first butterfly of each block
	within  table   // and the 16 butterflies of a block
	next    []round // of kernel largeNext

	all     func() table // the roots of order n, for TransformPasses
	scratch sync.Pool    // of *scratch
}

// A round is one launch of kernel largeNext.
type round struct {
	lgS, lgR uint
	factors  table
}

// A table is of complex numbers, real and imaginary parts apart.
type table struct{ re, im []float32 }

// newTable makes a table of the given length. Entry i is the root of unity of order n with the
// number that the func returns.
func newTable(length, n int, number func(i int) int) table {
	t := table{make([]float32, length), make([]float32, length)}
	for i := range t.re {
		t.re[i], t.im[i] = root(n, number(i))
	}
	return t
}

// root is exp(-2 pi i k / n), rounded to single precision. The angle is reduced to an eighth of a
// circle before it is rounded, so the roots at its axes and diagonals are exact.
func root(n, k int) (re, im float32) {
	k &= n - 1
	octant := 8 * k / n
	quarter := (octant + 1) / 2 // the nearest axis
	sin, cos := math.Sincos(2 * math.Pi * (float64(k)/float64(n) - float64(quarter)/4))
	switch quarter & 3 {
	case 1:
		sin, cos = cos, -sin
	case 2:
		sin, cos = -sin, -cos
	case 3:
		sin, cos = -cos, sin
	}
	return float32(cos), float32(-sin)
}

// NewPlan makes a plan for transforms of n points. n must be a power of two, from 1.
func NewPlan(n int) (*Plan, error) { return NewPlanRadix(n, 0) }

// NewPlanRadix is [NewPlan] with the largest radix of a pass in registers: 2, 4, 8, 16, or 0 for
// what is usually fastest.
func NewPlanRadix(n, radix int) (*Plan, error) {
	const what = "FFT"
	if n < 1 || n&(n-1) != 0 {
		return nil, check.Invalid(what, "length %d is not a power of two", n)
	}
	if n > 1<<30 {
		return nil, check.Invalid(what, "length %d is above 2^30", n)
	}
	p := &Plan{n: n, lgN: uint(bits.TrailingZeros(uint(n)))}
	switch radix {
	case 0:
		p.lgRadix = 4
	case 2, 4, 8, 16:
		p.lgRadix = uint(bits.TrailingZeros(uint(radix)))
	default:
		return nil, check.Invalid(what, "radix %d is not 0, 2, 4, 8 or 16", radix)
	}
	p.roots = newTable(points, points, func(i int) int { return i })
	if n > points && n <= tile {
		// The tile has 16 rows, and the columns of one transform after those of the one before.
		p.medium = newTable(tile, n, func(i int) int { return i / points * (i % points % (n / 16)) })
	}
	if n > tile {
		p.blocks = newTable(n/lanes, n, func(i int) int { return i / points * lanes * (i % points) })
		p.within = newTable(tile, n, func(i int) int { return i / points * (i % points) })
		p.next = rounds(p.lgN)
	}
	p.all = sync.OnceValue(func() table { return newTable(n, n, func(i int) int { return i }) })
	p.scratch.New = func() any { return new(scratch) }
	return p, nil
}

// rounds divides the passes after the first among as few launches as there can be, of nearly equal
// radix.
func rounds(lgN uint) []round {
	var all []round
	for lgS := uint(lgPoint); lgS < lgN; {
		left := lgN - lgS
		launches := (left + lgPoint - 1) / lgPoint
		r := round{lgS: lgS, lgR: (left + launches - 1) / launches}
		n := 1 << (lgN - lgS)
		r.factors = newTable(n, n, func(i int) int { return i >> r.lgR * (i & (1<<r.lgR - 1)) })
		all = append(all, r)
		lgS += r.lgR
	}
	return all
}

// Len is the number of points of a transform.
func (p *Plan) Len() int { return p.n }

// Transform transforms src to dst, which have the same length, a multiple of p.Len(): each p.Len()
// numbers in a row are a transform of their own. dst and src may be the same slice, and must not
// overlap otherwise.
func (p *Plan) Transform(ctx context.Context, on kernels.Launcher, dir Direction, dst, src []complex64) error {
	if err := p.check(dir, len(dst), len(src)); err != nil || len(src) == 0 {
		return err
	}
	in, out := parts(src), parts(dst)
	return p.launch(ctx, on, dir, len(src), true, table{in, in[1:]}, table{out, out[1:]})
}

// TransformSplit is [Plan.Transform] with real and imaginary parts in slices of their own, which
// saves taking them apart: up to half of the time where there are vectors. All four have the same
// length. dstRe and dstIm may be srcRe and srcIm.
func (p *Plan) TransformSplit(ctx context.Context, on kernels.Launcher, dir Direction,
	dstRe, dstIm, srcRe, srcIm []float32) error {
	if err := p.checkSplit(dir, dstRe, dstIm, srcRe, srcIm); err != nil || len(srcRe) == 0 {
		return err
	}
	return p.launch(ctx, on, dir, len(srcRe), false, table{srcRe, srcIm}, table{dstRe, dstIm})
}

func (p *Plan) check(dir Direction, dst, src int) error {
	if p == nil || p.n == 0 {
		return check.Invalid("FFT", "the plan was not made by NewPlan")
	}
	if dir < Forward || dir > Inverse {
		return check.Invalid("FFT", "%v", dir)
	}
	if src&(p.n-1) != 0 {
		return check.Invalid("FFT", "length %d is not a multiple of %d", src, p.n)
	}
	return check.Lengths("FFT", dst, src)
}

func (p *Plan) checkSplit(dir Direction, dstRe, dstIm, srcRe, srcIm []float32) error {
	if err := p.check(dir, len(dstRe), len(srcRe)); err != nil {
		return err
	}
	if err := check.Lengths("FFT, source", len(srcRe), len(srcIm)); err != nil {
		return err
	}
	return check.Lengths("FFT, result", len(dstRe), len(dstIm))
}

// launch launches what a plan consists of. With pairs the real parts of in and out are at even
// places, and so are the imaginary parts.
func (p *Plan) launch(ctx context.Context, on kernels.Launcher, dir Direction, total int, pairs bool, in, out table) error {
	scale := float32(1)
	if dir == Inverse {
		scale = 1 / float32(p.n)
	}
	if dir != Forward {
		// Exchanging real and imaginary parts of what goes in and what comes out changes the sign
		// of the exponent.
		in.re, in.im, out.re, out.im = in.im, in.re, out.im, out.re
	}
	cfg := grid.Config{Grid: gridOf(total, tile), Block: grid.Dim3{X: lanes, Y: rows}}
	w := p.roots
	if p.n <= points {
		return on.Launch(ctx, cfg, smallKernel(p.lgN, p.lgRadix, total, scale, pairs, w.re, w.im,
			in.re, in.im, out.re, out.im))
	}
	if p.n <= tile {
		return on.Launch(ctx, cfg, mediumKernel(p.lgN, p.lgRadix, total, scale, pairs, w.re, w.im,
			p.medium.re, p.medium.im, in.re, in.im, out.re, out.im))
	}
	s := p.borrow(total, min(len(p.next), 2))
	err := on.Launch(ctx, cfg, largeFirstKernel(p.lgN, p.lgRadix, pairs, w.re, w.im,
		p.blocks.re, p.blocks.im, p.within.re, p.within.im, in.re, in.im, s[0].re, s[0].im))
	if err != nil {
		return err
	}
	for i, r := range p.next {
		from, to, pairs, factor := s[i%2], s[(i+1)%2], pairs, scale
		if i < len(p.next)-1 {
			pairs, factor = false, 1
		} else {
			to = out
		}
		err := on.Launch(ctx, cfg, largeNextKernel(p.lgN, r.lgS, r.lgR, p.lgRadix, factor, pairs, w.re, w.im,
			r.factors.re, r.factors.im, from.re, from.im, to.re, to.im))
		if err != nil {
			return err
		}
	}
	return launchers.GiveBack(on, &p.scratch, s)
}

// TransformPasses is [Plan.TransformSplit] with a launch for each pass, all of the plan's radix or
// less. It is for comparison. dstRe and dstIm must not overlap srcRe and srcIm.
func (p *Plan) TransformPasses(ctx context.Context, on kernels.Launcher, dir Direction,
	dstRe, dstIm, srcRe, srcIm []float32) error {
	if err := p.checkSplit(dir, dstRe, dstIm, srcRe, srcIm); err != nil || len(srcRe) == 0 {
		return err
	}
	in, out, total := table{srcRe, srcIm}, table{dstRe, dstIm}, len(srcRe)
	if dir != Forward {
		in.re, in.im, out.re, out.im = in.im, in.re, out.im, out.re
	}
	if p.n == 1 {
		w := p.roots
		cfg := grid.Config{Grid: gridOf(total, tile), Block: grid.Dim3{X: lanes, Y: rows}}
		return on.Launch(ctx, cfg, smallKernel(0, p.lgRadix, total, 1, false, w.re, w.im, in.re, in.im, out.re, out.im))
	}
	s, w := p.borrow(total, 2), p.all()
	for lgS, i := uint(0), 0; lgS < p.lgN; i++ {
		lgR := min(p.lgRadix, p.lgN-lgS)
		to := s[i%2]
		if lgS+lgR == p.lgN {
			to = out
		}
		cfg := grid.Config{Grid: gridOf(total>>lgR, passThreads), Block: grid.Dim3{X: passThreads}}
		err := on.Launch(ctx, cfg, passKernel(p.lgN, lgS, lgR, total, w.re, w.im, in.re, in.im, to.re, to.im))
		if err != nil {
			return err
		}
		in = to
		lgS += lgR
	}
	if dir == Inverse {
		cfg := grid.Config{Grid: gridOf(total, passThreads), Block: grid.Dim3{X: passThreads}}
		if err := on.Launch(ctx, cfg, scaledKernel(total, 1/float32(p.n), out.re, out.im)); err != nil {
			return err
		}
	}
	return launchers.GiveBack(on, &p.scratch, s)
}

// gridOf is the grid of blocks that do the given number of elements each. A dimension of a grid has
// at most 65535 blocks, so large grids have two.
func gridOf(n, each int) grid.Dim3 {
	const width = 1 << 15
	blocks := (n + each - 1) / each
	return grid.Dim3{X: min(blocks, width), Y: (blocks + width - 1) / width}
}

// scratch is what lies between two launches.
type scratch [2]table

// borrow returns scratch memory with the given number of tables of the given length.
func (p *Plan) borrow(length, tables int) *scratch {
	s := p.scratch.Get().(*scratch)
	for i := range tables {
		if len(s[i].re) < length {
			s[i] = table{make([]float32, length), make([]float32, length)}
		}
	}
	return s
}
