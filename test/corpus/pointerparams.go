//go:build compiled

package corpus

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"unsafe"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Parameters that are pointers: to numbers, to structs with arrays in them, and to arrays. Most of the
// kernels are run with pointers that lead into the slices and the structs of other parameters too. No
// result depends on the order of threads: a number is stored and read by the same thread, or there is a
// barrier between.

type ppCelsius float32

// A ppHead is embedded in ppParams.
type ppHead struct {
	Count int32
	Flag  bool
	Alpha float32
}

type ppInner struct {
	Bias float32
	K    [4]int32
	Deep struct{ A [3]float32 }
}

type ppKnot struct {
	At float32
	N  int32
}

// ppParams has all that a kernel's parameters are made of.
type ppParams struct {
	ppHead
	W      [9]float32
	M      [3][3]float64
	Table  [16]int32
	Hist   [16]int32
	Inner  ppInner
	Knots  [4]ppKnot
	In     []float32
	Out    []float32
	Name   string
	N      int
	Scale  float32
	Levels [4]uint8
}

type ppBody struct{ At, Mass float32 }

// ppLink is the link of a list.
type ppLink struct {
	V    float32
	Next *ppLink
}

// ppArgs is the arguments of all kernels, of which each takes some.
type ppArgs struct {
	N       int
	P, Q    *ppParams
	A, B    *float32
	C, D    *int32
	Found   *bool
	Inner   *ppInner
	X, Y    []int32
	In, Out []float32
	Bodies  []ppBody
	Array   *[256]int32
	Rows    *[4][8]float32
	Limit   *int
	List    *ppLink
	Options *ppOptional
}

// A number behind a pointer is a factor.
//
//gocuda:kernel
func ppScale(t *gocuda.Thread, n int, a *float32, in, out []float32) {
	i := t.GlobalX()
	if i < n {
		out[i] = in[i] * *a
	}
}

func ppScaleSerial(_ grid.Config, a *ppArgs) {
	f := *a.A
	for i := range a.N {
		a.Out[i] = a.In[i] * f
	}
}

// Many threads store the same value under a condition.
//
//gocuda:kernel
func ppFound(t *gocuda.Thread, n int, found *bool, x []int32) {
	i := t.GlobalX()
	if i < n && x[i]&7 == 3 {
		*found = true
	}
}

func ppFoundSerial(_ grid.Config, a *ppArgs) {
	for _, v := range a.X[:a.N] {
		if v&7 == 3 {
			*a.Found = true
		}
	}
}

// One thread assigns the number, and all of its own element.
//
//gocuda:kernel
func ppLast(t *gocuda.Thread, n int, c *int32, x, y []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	y[i] = x[i] + 1
	if i == n-1 {
		*c = x[i] ^ y[i]
		y[i] += 5
	}
}

func ppLastSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		a.Y[i] = a.X[i] + 1
	}
	*a.C = a.X[a.N-1] ^ a.Y[a.N-1]
	a.Y[a.N-1] += 5
}

// All threads add to one number, and some to another one.
//
//gocuda:kernel
func ppAdd(t *gocuda.Thread, n int, c, d *int32, x []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	atomic.Add(c, x[i])
	if x[i]&1 != 0 {
		atomic.Sub(d, 3)
	}
}

func ppAddSerial(_ grid.Config, a *ppArgs) {
	for _, v := range a.X[:a.N] {
		*a.C += v
		if v&1 != 0 {
			*a.D -= 3
		}
	}
}

// The result of the addition is a place in a slice.
//
//gocuda:kernel
func ppTicket(t *gocuda.Thread, n int, c *int32, x, y []int32) {
	i := t.GlobalX()
	if i < n && x[i]%3 == 0 {
		y[atomic.Add(c, 1)] = 1
	}
}

func ppTicketSerial(_ grid.Config, a *ppArgs) {
	for _, v := range a.X[:a.N] {
		if v%3 == 0 {
			a.Y[*a.C] = 1
			*a.C++
		}
	}
}

// The other operations, with results that are used and results that are not.
//
//gocuda:kernel
func ppExtremes(t *gocuda.Thread, n int, c, d *int32, p *ppParams, x []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	atomic.Max(c, x[i])
	atomic.Min(d, x[i])
	atomic.Or(&p.Table[2], x[i]&0xff)
	atomic.And(&p.Table[3], x[i]|0xff)
	atomic.Xor(&p.Inner.K[1], x[i])
	if atomic.CAS(&p.Table[4], 1000, 1001) == 1000 {
		atomic.Add(&p.Table[5], 1)
	}
	atomic.Exch(&p.Inner.K[2], 77)
}

func ppExtremesSerial(_ grid.Config, a *ppArgs) {
	p := a.P
	p.Table[4], p.Table[5], p.Inner.K[2] = 1001, p.Table[5]+1, 77
	for _, v := range a.X[:a.N] {
		*a.C, *a.D = max(*a.C, v), min(*a.D, v)
		p.Table[2] |= v & 0xff
		p.Table[3] &= v | 0xff
		p.Inner.K[1] ^= v
	}
}

// A block's first thread changes the number in some phases, and all read it in others.
//
//gocuda:kernel
func ppPhase(t *gocuda.Thread, n int, a *float32, in, out []float32) {
	i := t.ThreadIdx.X
	if i == 0 {
		*a = in[0] + 2
	}
	t.SyncThreads()
	v := *a
	t.SyncThreads()
	if i < n {
		out[i] = in[i] * v
	}
	t.SyncThreads()
	if i == 0 {
		*a += 1
	}
	t.SyncThreads()
	w := *a
	t.SyncThreads()
	if i < n {
		out[i] += w
	}
}

func ppPhaseSerial(_ grid.Config, a *ppArgs) {
	*a.A = a.In[0] + 2
	v := *a.A
	for i := range a.N {
		a.Out[i] = a.In[i] * v
	}
	*a.A++
	w := *a.A
	for i := range a.N {
		a.Out[i] += w
	}
}

// The number is read in each round, between barriers, when it may have been stored in the round before.
//
//gocuda:kernel
func ppRounds(t *gocuda.Thread, n int, a, b *float32, in, out []float32) {
	i := t.ThreadIdx.X
	for k := range 5 {
		v := *a - *b
		t.SyncThreads()
		if i < n {
			out[i] = in[i] + v + float32(k)
		}
		t.SyncThreads()
	}
}

func ppRoundsSerial(_ grid.Config, a *ppArgs) {
	for k := range 5 {
		v := *a.A - *a.B
		for i := range a.N {
			a.Out[i] = a.In[i] + v + float32(k)
		}
	}
}

// Only the thread that stores an element reads it through the pointer, behind the store.
//
//gocuda:kernel
func ppOwn(t *gocuda.Thread, n int, c *int32, x, y []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	y[i] = x[i] * 3
	if i == 3 {
		*c += 5
		y[i+n] = *c
	}
	y[i] ^= 9
	if i == 3 {
		y[i+n+1] = *c
	}
}

func ppOwnSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		a.Y[i] = a.X[i] * 3
		if i == 3 {
			*a.C += 5
			a.Y[i+a.N] = *a.C
		}
		a.Y[i] ^= 9
		if i == 3 {
			a.Y[i+a.N+1] = *a.C
		}
	}
}

// One thread has a loop in which both numbers may be elements of the slices.
//
//gocuda:kernel
func ppRunning(t *gocuda.Thread, n int, a, b *float32, in, out []float32) {
	if t.GlobalX() != 0 {
		return
	}
	for i := range n {
		*a += in[i] * 0.5
		out[i] = out[i] + *b
		*b = *a - out[i]*0.25
	}
}

func ppRunningSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		*a.A += float32(a.In[i] * 0.5)
		a.Out[i] += *a.B
		*a.B = *a.A - float32(a.Out[i]*0.25)
	}
}

// All is alone: a polynomial in place.
//
//gocuda:kernel
func ppInPlace(t *gocuda.Thread, n int, a, b *float32, out []float32) {
	for i := t.GlobalX(); i < n; i++ {
		out[i] = out[i]**a*0.125 + *b
	}
}

func ppInPlaceSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		a.Out[i] = float32(a.Out[i]**a.A*0.125) + *a.B
	}
}

// Numbers are swapped and copied.
//
//gocuda:kernel
func ppSwap(t *gocuda.Thread, a, b *float32, c, d *int32, out []float32) {
	if t.GlobalX() == 0 {
		*a, *b = *b, *a
		*c = *d + 1
		*d++
		out[1] = *a
		out[2] = *b
		*a = out[3]
		out[4] = *b
	}
}

func ppSwapSerial(_ grid.Config, a *ppArgs) {
	*a.A, *a.B = *a.B, *a.A
	*a.C = *a.D + 1
	*a.D++
	a.Out[1] = *a.A
	a.Out[2] = *a.B
	*a.A = a.Out[3]
	a.Out[4] = *a.B
}

// The number may be a field of a body of which another field is stored.
//
//gocuda:kernel
func ppBodies(t *gocuda.Thread, n int, a *float32, bodies []ppBody, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	bodies[i].At += bodies[i].Mass * *a
	out[i] = bodies[i].At - *a
}

func ppBodiesSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		b := &a.Bodies[i]
		b.At += float32(b.Mass * *a.A)
		a.Out[i] = b.At - *a.A
	}
}

// It may be the field that is stored, in another phase.
//
//gocuda:kernel
func ppMasses(t *gocuda.Thread, n int, a *float32, bodies []ppBody) {
	i := t.ThreadIdx.X
	for range 3 {
		v := *a
		t.SyncThreads()
		if i < n {
			b := &bodies[i]
			b.Mass = b.Mass*0.5 + v
			b.At -= b.Mass
		}
		t.SyncThreads()
	}
}

func ppMassesSerial(_ grid.Config, a *ppArgs) {
	for range 3 {
		v := *a.A
		for i := range a.N {
			b := &a.Bodies[i]
			b.Mass = float32(b.Mass*0.5) + v
			b.At -= b.Mass
		}
	}
}

// One of two names of a number is changed, and the other one read.
//
//gocuda:kernel
func ppAlpha(t *gocuda.Thread, n int, p *ppParams, a *float32, in, out []float32) {
	if t.GlobalX() > 0 {
		return
	}
	for i := range n {
		p.Alpha += in[i]
		out[i] = *a
		*a -= 2
		out[i] += p.Alpha * 0.5
	}
}

func ppAlphaSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		a.P.Alpha += a.In[i]
		a.Out[i] = *a.A
		*a.A -= 2
		a.Out[i] += float32(a.P.Alpha * 0.5)
	}
}

// The weights of a filter are an array in a struct, whose index is the counter of a loop.
//
//gocuda:kernel
func ppFilter(t *gocuda.Thread, n int, p *ppParams, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := p.Inner.Bias
	for k := range p.W {
		s += p.W[k] * in[i+k]
	}
	out[i] = s * p.Scale
}

func ppFilterSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		s := a.P.Inner.Bias
		for k, w := range a.P.W {
			s += float32(w * a.In[i+k])
		}
		a.Out[i] = s * a.P.Scale
	}
}

// A thread does it for all elements, which may be the weights.
//
//gocuda:kernel
func ppFilterAlone(t *gocuda.Thread, n int, p *ppParams, in, out []float32) {
	for i := t.GlobalX(); i < n; i++ {
		s := float32(0)
		for k := range p.W {
			s += p.W[k] * in[min(i+k, len(in)-1)] * 0.125
		}
		out[i] = s
	}
}

func ppFilterAloneSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		s := float32(0)
		for k := range a.P.W {
			s += float32(a.P.W[k] * a.In[min(i+k, len(a.In)-1)] * 0.125)
		}
		a.Out[i] = s
	}
}

// Indices are constants, and data.
//
//gocuda:kernel
func ppLookup(t *gocuda.Thread, n int, p *ppParams, x, y []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := p.Table[x[i]&15]*p.Table[0] + p.Table[15]
	if p.Flag {
		v += int32(p.Levels[x[i]>>4&3]) - p.Inner.K[3]
	}
	if len(p.Name) > 3 {
		v ^= int32(p.Name[x[i]>>2&3])
	}
	y[i] = v + int32(p.N)
}

func ppLookupSerial(_ grid.Config, a *ppArgs) {
	p := a.P
	for i, x := range a.X[:a.N] {
		v := p.Table[x&15]*p.Table[0] + p.Table[15]
		if p.Flag {
			v += int32(p.Levels[x>>4&3]) - p.Inner.K[3]
		}
		a.Y[i] = (v ^ int32(p.Name[x>>2&3])) + int32(p.N)
	}
}

// Range loops over the arrays' elements, and a number that counts.
//
//gocuda:kernel
func ppRange(t *gocuda.Thread, n int, p *ppParams, in, out []float32) {
	i := t.GlobalX()
	if i < n {
		s, f := float32(0), 0.0
		for _, w := range p.W {
			s = s*0.5 + w*in[i]
		}
		for y, row := range p.M {
			for x, m := range row {
				if x != y {
					f += m
				}
			}
		}
		for k, knot := range p.Knots {
			if in[i] > knot.At {
				s += float32(knot.N) * float32(k)
			}
		}
		out[i] = s + float32(f)
	}
}

func ppRangeSerial(_ grid.Config, a *ppArgs) {
	p := a.P
	for i, v := range a.In[:a.N] {
		s := float32(0)
		for _, w := range p.W {
			s = float32(s*0.5) + float32(w*v)
		}
		f := p.M[0][1] + p.M[0][2] + p.M[1][0] + p.M[1][2] + p.M[2][0] + p.M[2][1]
		for k, knot := range p.Knots {
			if v > knot.At {
				s += float32(float32(knot.N) * float32(k))
			}
		}
		a.Out[i] = s + float32(f)
	}
}

// Copies of arrays and of structs, of which a thread changes its own.
//
//gocuda:kernel
func ppCopies(t *gocuda.Thread, n int, p *ppParams, x, y []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	table, inner := p.Table, p.Inner
	table[x[i]&15] += 100
	inner.K[1] = x[i]
	inner.Deep.A[2]++
	s := int32(0)
	for k, v := range table {
		s = s*3 + v ^ inner.K[k&3]
	}
	whole := *p
	whole.Hist[3] = s
	y[i] = whole.Hist[3] + whole.Hist[x[i]>>4&15] + int32(inner.Deep.A[2]) - int32(p.Inner.Deep.A[2])
}

func ppCopiesSerial(_ grid.Config, a *ppArgs) {
	for i, x := range a.X[:a.N] {
		k := [4]int32{a.P.Inner.K[0], x, a.P.Inner.K[2], a.P.Inner.K[3]}
		s := int32(0)
		for j, v := range a.P.Table {
			if j == int(x&15) {
				v += 100
			}
			s = s*3 + v ^ k[j&3]
		}
		hist := a.P.Hist
		hist[3] = s
		a.Y[i] = s + hist[x>>4&15] + 1
	}
}

// Parts of the arrays as slices, and pointers to their elements.
//
//gocuda:kernel
func ppParts(t *gocuda.Thread, n int, p *ppParams, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	part := p.W[2:5]
	s := float32(len(part) + cap(part))
	for k := range part {
		s -= part[k] * in[i+k]
	}
	for k := range p.W[:7] {
		w := &p.W[k]
		s += *w
	}
	knot := &p.Knots[i&3]
	if in[i] < 0 {
		knot = &p.Knots[0]
	}
	out[i] = s + knot.At
}

func ppPartsSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		s := float32(3 + 7)
		for k := range 3 {
			s -= float32(a.P.W[2+k] * a.In[i+k])
		}
		for k := range 7 {
			s += a.P.W[k]
		}
		k := i & 3
		if a.In[i] < 0 {
			k = 0
		}
		a.Out[i] = s + a.P.Knots[k].At
	}
}

// Counters in the struct.
//
//gocuda:kernel
func ppHist(t *gocuda.Thread, n int, p *ppParams, x []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	atomic.Add(&p.Hist[x[i]&15], 1)
	if x[i] < 0 {
		atomic.Add(&p.Count, 1)
	}
	atomic.Add(&p.Knots[x[i]>>8&3].N, p.Table[x[i]>>4&15])
}

func ppHistSerial(_ grid.Config, a *ppArgs) {
	for _, x := range a.X[:a.N] {
		a.P.Hist[x&15]++
		if x < 0 {
			a.P.Count++
		}
		a.P.Knots[x>>8&3].N += a.P.Table[x>>4&15]
	}
}

// A thread assigns to fields and elements, which all read behind a barrier.
//
//gocuda:kernel
func ppAssign(t *gocuda.Thread, n int, p *ppParams, in, out []float32) {
	i := t.ThreadIdx.X
	if i == 0 {
		p.Scale = in[0]
		p.Flag = !p.Flag
		p.W[3] = p.W[4] + 1
		p.M[1][2]++
		p.Inner.Deep.A[1] -= p.W[3]
		p.Levels[2] += 200
		p.Knots[1] = ppKnot{p.W[3], p.Count}
		p.Count++
		p.Name = "abcdefg"
	}
	t.SyncThreads()
	if i < n {
		v := in[i]*p.Scale + p.W[3] + float32(p.M[1][2])
		if p.Flag {
			v += p.Inner.Deep.A[1] + float32(p.Levels[2])
		}
		out[i] = v + p.Knots[1].At*float32(p.Knots[1].N) + float32(len(p.Name))
	}
}

func ppAssignSerial(_ grid.Config, a *ppArgs) {
	p := a.P
	p.Scale, p.Flag, p.W[3], p.M[1][2] = a.In[0], !p.Flag, p.W[4]+1, p.M[1][2]+1
	p.Inner.Deep.A[1] -= p.W[3]
	p.Levels[2] += 200
	p.Knots[1] = ppKnot{p.W[3], p.Count}
	p.Count++
	p.Name = "abcdefg"
	for i := range a.N {
		v := float32(a.In[i]*p.Scale) + p.W[3] + float32(p.M[1][2])
		if p.Flag {
			v += p.Inner.Deep.A[1] + float32(p.Levels[2])
		}
		a.Out[i] = v + float32(p.Knots[1].At*float32(p.Knots[1].N)) + float32(7)
	}
}

func (p *ppParams) weight(k int) float32  { return p.W[k] + p.Inner.Bias }
func (p *ppParams) place(v int32) *int32  { return &p.Hist[v&15] }
func (p *ppParams) count(v int32)         { atomic.Add(p.place(v), 1) }
func (in *ppInner) sum(x float32) float32 { return in.Bias*x + in.Deep.A[0] + in.Deep.A[2] }
func (h *ppHead) scaled(v float32) float32 {
	if !h.Flag {
		return v
	}
	return v * h.Alpha
}

// Methods with pointer receivers, of the struct and of those in it.
//
//gocuda:kernel
func ppMethods(t *gocuda.Thread, n int, p *ppParams, x []int32, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := p.scaled(in[i])
	for k := range 3 {
		s += p.weight(3 * k)
	}
	p.count(x[i])
	out[i] = s - p.Inner.sum(in[i])
}

func ppMethodsSerial(_ grid.Config, a *ppArgs) {
	p := a.P
	for i, v := range a.In[:a.N] {
		s := v
		if p.Flag {
			s *= p.Alpha
		}
		for k := range 3 {
			s += p.W[3*k] + p.Inner.Bias
		}
		p.Hist[a.X[i]&15]++
		a.Out[i] = s - (float32(p.Inner.Bias*v) + p.Inner.Deep.A[0] + p.Inner.Deep.A[2])
	}
}

func ppAddTo(to *float32, v float32)         { *to += v }
func ppMix(a, b *float32, v float32) float32 { return *a*v + *b }
func ppOf(p *ppParams, k int) *float32       { return &p.W[k] }

// Helpers take pointers to what the kernel has of its own, to elements, and the parameters.
//
//gocuda:kernel
func ppHelpers(t *gocuda.Thread, n int, p *ppParams, a *float32, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var s, f float32 = 1, 2
	ppAddTo(&s, in[i])
	ppAddTo(&f, *a)
	out[i] = ppMix(&s, &f, *ppOf(p, 4)) + ppMix(a, ppOf(p, i&7), in[i])
	ppAddTo(&out[i], p.W[8])
}

func ppHelpersSerial(_ grid.Config, a *ppArgs) {
	for i, v := range a.In[:a.N] {
		s, f := 1+v, 2+*a.A
		a.Out[i] = (float32(s*a.P.W[4]) + f) + (float32(*a.A*v) + a.P.W[i&7])
		a.Out[i] += a.P.W[8]
	}
}

// One thread adds to elements of the arrays by a helper.
//
//gocuda:kernel
func ppHelped(t *gocuda.Thread, n int, p *ppParams, a *float32, out []float32) {
	if t.GlobalX() != 0 {
		return
	}
	for i := range n {
		ppAddTo(a, 1)
		ppAddTo(ppOf(p, i%9), *a)
		ppAddTo(&out[i], p.W[2])
	}
}

func ppHelpedSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		*a.A++
		a.P.W[i%9] += *a.A
		a.Out[i] += a.P.W[2]
	}
}

// Each thread has an element of an array of its own, which may be that of a slice.
//
//gocuda:kernel
func ppElements(t *gocuda.Thread, p *ppParams, y []int32, in, out []float32) {
	i := t.GlobalX()
	if i >= len(p.W) {
		return
	}
	out[i] = in[i]
	p.W[i] += 2
	out[i] *= 3
	in[i+9] = p.W[i]
	y[i] = 4
	atomic.Add(&p.Hist[i], 5)
	y[i] *= 2
	p.Hist[i]++
	p.Table[i] = y[i] + p.Hist[i]
}

func ppElementsSerial(cfg grid.Config, a *ppArgs) {
	for i := range min(cfg.Blocks()*cfg.Threads(), 9) {
		a.Out[i] = a.In[i]
		a.P.W[i] += 2
		a.Out[i] *= 3
		a.In[i+9] = a.P.W[i]
		a.Y[i] = 4
		a.P.Hist[i] += 5
		a.Y[i] *= 2
		a.P.Hist[i]++
		a.P.Table[i] = a.Y[i] + a.P.Hist[i]
	}
}

// Two pointers to structs, which may be the same one, of which one is read and the other one stored.
//
//gocuda:kernel
func ppShift(t *gocuda.Thread, n int, p, q *ppParams, in, out []float32) {
	if t.GlobalX() != 0 {
		return
	}
	for i := range min(n, 20) {
		for k := 1; k < len(p.W); k++ {
			q.W[k] = p.W[k-1]*0.5 + in[i]
		}
		q.Scale += 1
		out[i] = p.Scale + p.W[7]
	}
}

func ppShiftSerial(_ grid.Config, a *ppArgs) {
	p, q := a.P, a.Q
	for i := range min(a.N, 20) {
		for k := 1; k < 9; k++ {
			q.W[k] = float32(p.W[k-1]*0.5) + a.In[i]
		}
		q.Scale++
		a.Out[i] = p.Scale + p.W[7]
	}
}

// The same by the threads of a block, in phases.
//
//gocuda:kernel
func ppExchange(t *gocuda.Thread, n int, p, q *ppParams, in, out []float32) {
	i := t.ThreadIdx.X
	for k := range 4 {
		s := p.Scale
		for j := range p.W {
			s += p.W[j]
		}
		t.SyncThreads()
		if i < 9 {
			q.W[i] = q.W[i]*0.5 + float32(k)
		}
		if i == 0 {
			q.Scale = s
		}
		t.SyncThreads()
		if i < n {
			out[i] = in[i]*p.W[3] + s
		}
		t.SyncThreads()
	}
}

func ppExchangeSerial(cfg grid.Config, a *ppArgs) {
	p, q := a.P, a.Q
	for k := range 4 {
		s := p.Scale
		for _, w := range p.W {
			s += w
		}
		for i := range min(9, cfg.Threads()) {
			q.W[i] = float32(q.W[i]*0.5) + float32(k)
		}
		q.Scale = s
		for i := range a.N {
			a.Out[i] = float32(a.In[i]*p.W[3]) + s
		}
	}
}

// Assignments of whole arrays and structs, and copies between them and slices.
//
//gocuda:kernel
func ppWhole(t *gocuda.Thread, p, q *ppParams, in, out []float32) {
	if t.GlobalX() != 0 {
		return
	}
	w := p.W
	w[0] = 5
	q.W = w
	q.Inner = p.Inner
	q.Inner.K[0]++
	p.M[0] = q.M[2]
	q.M[2][0] = p.M[0][0] + 1
	copy(p.W[3:], in[:4])
	copy(out, q.W[1:])
	out[9] = p.W[3] + float32(p.Inner.K[0])
	p.Knots[2] = q.Knots[1]
	p.ppHead = q.ppHead
	q.Count++
	out[8] = float32(p.Count)
}

func ppWholeSerial(_ grid.Config, a *ppArgs) {
	p, q := a.P, a.Q
	first, rest := float32(5), p.W[1:]
	for k, v := range rest {
		q.W[k+1] = v
	}
	q.W[0] = first
	q.Inner = p.Inner
	q.Inner.K[0]++
	p.M[0] = q.M[2]
	q.M[2][0] = p.M[0][0] + 1
	copy(p.W[3:], a.In[:4])
	copy(a.Out, q.W[1:])
	a.Out[9] = p.W[3] + float32(p.Inner.K[0])
	p.Knots[2] = q.Knots[1]
	p.ppHead = q.ppHead
	q.Count++
	a.Out[8] = float32(p.Count)
}

// A pointer to a struct in the other one.
//
//gocuda:kernel
func ppNested(t *gocuda.Thread, n int, p *ppParams, inner *ppInner, x, y []int32) {
	if t.GlobalX() != 0 {
		return
	}
	for i := range n {
		p.Inner.K[i&3] += x[i]
		y[i] = inner.K[1] ^ inner.K[i&3]
		inner.Deep.A[2] += 1
		inner.K[2]--
		y[i] += int32(p.Inner.Deep.A[2]) + p.Inner.K[2]
	}
}

func ppNestedSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		a.P.Inner.K[i&3] += a.X[i]
		a.Y[i] = a.Inner.K[1] ^ a.Inner.K[i&3]
		a.Inner.Deep.A[2]++
		a.Inner.K[2]--
		a.Y[i] += int32(a.P.Inner.Deep.A[2]) + a.P.Inner.K[2]
	}
}

// An array behind a pointer: its length, elements at indices of data, a loop, a part.
//
//gocuda:kernel
func ppArray(t *gocuda.Thread, n int, table *[256]int32, x, y []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := table[x[i]&255] + int32(len(table))
	for k := range table {
		if k > 9 {
			break
		}
		s ^= table[k] << k
	}
	for k, v := range table[i&7 : 12] {
		s += v * int32(k)
	}
	y[i] = s
}

func ppArraySerial(_ grid.Config, a *ppArgs) {
	for i, x := range a.X[:a.N] {
		s := a.Array[x&255] + 256
		for k := range 10 {
			s ^= a.Array[k] << k
		}
		for k := i & 7; k < 12; k++ {
			s += a.Array[k] * int32(k-i&7)
		}
		a.Y[i] = s
	}
}

// Its elements are stored, one by each thread, and may be those of a slice.
//
//gocuda:kernel
func ppArrayOwn(t *gocuda.Thread, table *[256]int32, x, y []int32) {
	for i := t.GlobalX(); i < len(table); i += t.GridDim.X * t.BlockDim.X {
		table[i] = table[i]*3 + x[i&7]
		y[i] ^= 21
		table[i]++
	}
}

func ppArrayOwnSerial(_ grid.Config, a *ppArgs) {
	for i := range a.Array {
		a.Array[i] = a.Array[i]*3 + a.X[i&7]
		a.Y[i] ^= 21
		a.Array[i]++
	}
}

// Rows of an array behind a pointer.
//
//gocuda:kernel
func ppRowsOf(t *gocuda.Thread, n int, rows *[4][8]float32, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := float32(0)
	for y := range rows {
		for x := range rows[y] {
			s += rows[y][x] * in[i+x]
		}
	}
	row := &rows[i&3]
	for _, v := range row {
		s -= v
	}
	last := rows[3]
	out[i] = s + last[i&7]
}

func ppRowsOfSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		s := float32(0)
		for y := range 4 {
			for x := range 8 {
				s += float32(a.Rows[y][x] * a.In[i+x])
			}
		}
		for x := range 8 {
			s -= a.Rows[i&3][x]
		}
		a.Out[i] = s + a.Rows[3][i&7]
	}
}

type ppFit[T float32 | float64] struct {
	C   [4]T
	At  T
	Sum int32
}

func (f *ppFit[T]) value(x T) (v T) {
	for k := range f.C {
		v = v*x + f.C[k]
	}
	return v
}

// Pointers to a type parameter, and to a struct of such.
//
//gocuda:kernel
func ppGeneric[T float32 | float64](t *gocuda.Thread, n int, fit *ppFit[T], scale *T, in, out []T) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := fit.value(in[i]-fit.At) * *scale
	if v > 0 {
		atomic.Add(&fit.Sum, 1)
	}
	out[i] = v
}

func ppGenericOf[T float32 | float64](name string) Case {
	return made(name, ppLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := ppMany(cfg)
		in, out, scale := data[T](n), marked[T](n), new(T)
		*scale = 0.75
		fit := &ppFit[T]{C: [4]T{0.5, -1, 3, 2.25}, At: 4}
		return func(t *gocuda.Thread) { ppGeneric(t, n, fit, scale, in, out) }, ppGenericKernel(n, fit, scale, in, out),
			[]any{out, unsafe.Slice(&fit.Sum, 1)}
	}, func(cfg grid.Config) []any {
		n := ppMany(cfg)
		in, out, sum := data[T](n), marked[T](n), int32(0)
		for i, x := range in {
			x -= 4
			v := T(0)
			for _, c := range []T{0.5, -1, 3, 2.25} {
				v = T(v*x) + c
			}
			out[i] = v * 0.75
			if out[i] > 0 {
				sum++
			}
		}
		return []any{out, []int32{sum}}
	})
}

// Any number of rows, with a weight each.
//
//gocuda:kernel
func ppVariadic(t *gocuda.Thread, n int, p *ppParams, out []float32, rows ...[]float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := p.Scale
	for k, row := range rows {
		s += row[i] * p.W[k]
	}
	out[i] = s
}

func ppVariadicSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		a.Out[i] = a.P.Scale + float32(a.In[i]*a.P.W[0]) + float32(a.In[i+1]*a.P.W[1]) + float32(a.In[i+2]*a.P.W[2])
	}
}

// A bias that may be missing, and parameters that may.
//
//gocuda:kernel
func ppBias(t *gocuda.Thread, n int, bias *float32, p *ppParams, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i]
	if bias != nil {
		v += *bias
	}
	if p == nil {
		v *= 2
	} else {
		for k := range p.W {
			v += p.W[k]
		}
	}
	out[i] = v
}

func ppBiasSerial(_ grid.Config, a *ppArgs) {
	for i, v := range a.In[:a.N] {
		if a.A != nil {
			v += *a.A
		}
		if a.P != nil {
			for _, w := range a.P.W {
				v += w
			}
		} else {
			v *= 2
		}
		a.Out[i] = v
	}
}

// Pointers that no thread uses may be nil.
//
//gocuda:kernel
func ppUnused(t *gocuda.Thread, n, m int, a *float32, c *int32, p *ppParams, table *[256]int32, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := in[i]
	for k := range m {
		s += *a + p.W[k] + float32(table[k])
	}
	if in[i] > 1000 {
		s += p.Scale - *a + p.Inner.Deep.A[1] + float32(table[i&255])
		atomic.Add(c, 1)
	}
	for k := range table {
		s += float32(k & 1)
	}
	out[i] = s + float32(len(table)+len(p.W))
}

func ppUnusedSerial(_ grid.Config, a *ppArgs) {
	for i, v := range a.In[:a.N] {
		for range 128 {
			v++
		}
		a.Out[i] = v + 265
	}
}

// Pointers are compared, and one of them is chosen.
//
//gocuda:kernel
func ppChosen(t *gocuda.Thread, n int, p, q *ppParams, a, b *float32, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	c := a
	if in[i] < 0 {
		c = b
	}
	v := *c * in[i]
	if a == b {
		v += 100
	}
	if p == q {
		v -= 50
	}
	from := p
	if i&1 == 1 {
		from = q
	}
	out[i] = v + from.W[i%9] + from.Scale
}

func ppChosenSerial(_ grid.Config, a *ppArgs) {
	for i, v := range a.In[:a.N] {
		f := *a.A
		if v < 0 {
			f = *a.B
		}
		v *= f
		if a.A == a.B {
			v += 100
		}
		if a.P == a.Q {
			v -= 50
		}
		from := []*ppParams{a.P, a.Q}[i&1]
		a.Out[i] = v + from.W[i%9] + from.Scale
	}
}

// Limits of a guard and of loops are behind pointers, and the guard's is in a struct.
//
//gocuda:kernel
func ppLimits(t *gocuda.Thread, limit *int, p *ppParams, x, y []int32) {
	i := t.GlobalX()
	if i >= *limit {
		return
	}
	s := int32(0)
	for k := 0; k < p.N; k++ {
		s = s*5 + x[i+k]
	}
	for k := *limit - 1; k > *limit-i%4; k-- {
		s ^= x[k]
	}
	y[i] = s
}

func ppLimitsSerial(cfg grid.Config, a *ppArgs) {
	for i := range min(*a.Limit, cfg.Blocks()*cfg.Threads()) {
		s := int32(0)
		for k := range a.P.N {
			s = s*5 + a.X[i+k]
		}
		for k := 1; k < i%4; k++ {
			s ^= a.X[*a.Limit-k]
		}
		a.Y[i] = s
	}
}

// The limit of a loop changes in it.
//
//gocuda:kernel
func ppMoving(t *gocuda.Thread, c *int32, y []int32) {
	if t.GlobalX() != 0 {
		return
	}
	for k := int32(0); k < *c; k++ {
		if k < 5 {
			y[k&15] = 9 - k
		} else if k&1 == 0 {
			*c--
		}
		y[k&7+8] += *c
	}
}

func ppMovingSerial(_ grid.Config, a *ppArgs) {
	k := int32(0)
	for {
		if k >= *a.C {
			return
		}
		if k < 5 {
			a.Y[k] = 9 - k
		} else if k%2 == 0 {
			*a.C--
		}
		a.Y[k%8+8] += *a.C
		k++
	}
}

// Slices in the struct, which may be parts of its own arrays.
//
//gocuda:kernel
func ppSlices(t *gocuda.Thread, p *ppParams) {
	if t.GlobalX() != 0 {
		return
	}
	for i := range p.Out {
		p.Out[i] = p.In[i]*p.W[3] + p.W[i%9]*0.5
		p.Scale += p.Out[i]
	}
}

func ppSlicesSerial(_ grid.Config, a *ppArgs) {
	p := a.P
	for i := 0; i < len(p.Out); i++ {
		p.Out[i] = float32(p.In[i]*p.W[3]) + float32(p.W[i%9]*0.5)
		p.Scale += p.Out[i]
	}
}

// The same by all threads, which store elsewhere.
//
//gocuda:kernel
func ppSlicesOf(t *gocuda.Thread, p *ppParams) {
	i := t.GlobalX()
	if i < len(p.Out) && i < len(p.In) {
		p.Out[i] = p.In[i]*p.W[3] - p.Scale
	}
}

func ppSlicesOfSerial(cfg grid.Config, a *ppArgs) {
	for i := range min(len(a.P.Out), len(a.P.In), cfg.Blocks()*cfg.Threads()) {
		a.P.Out[i] = float32(a.P.In[i]*a.P.W[3]) - a.P.Scale
	}
}

// Sums of blocks by shared memory and of warps by shuffles are added to numbers behind pointers.
//
//gocuda:kernel
func ppSums(t *gocuda.Thread, n int, c, d *int32, p *ppParams, x []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	v := int32(0)
	if i < n {
		v = x[i]*p.Table[1] + *d
	}
	s[tid] = v
	t.SyncThreads()
	for far := 512; far > 0; far /= 2 {
		if tid < far && tid+far < t.BlockDim.X {
			s[tid] += s[tid+far]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		atomic.Add(c, s[0])
	}
	most := gocuda.ReduceMaxSync(t, t.ActiveMask(), v)
	if t.LaneID() == 0 {
		atomic.Add(&p.Count, most)
	}
}

func ppSumsSerial(cfg grid.Config, a *ppArgs) {
	add := *a.D
	of := func(i int) int32 {
		if i >= a.N {
			return 0
		}
		return a.X[i]*a.P.Table[1] + add
	}
	for first := 0; first < cfg.Blocks()*cfg.Threads(); first += cfg.Threads() {
		for w := 0; w < cfg.Threads(); w += 32 {
			most := of(first + w)
			for k := w; k < min(w+32, cfg.Threads()); k++ {
				*a.C += of(first + k)
				most = max(most, of(first+k))
			}
			a.P.Count += most
		}
	}
}

// Warps add by shuffles.
//
//gocuda:kernel
func ppWarps(t *gocuda.Thread, n int, c *int32, p *ppParams, x, y []int32) {
	i := t.GlobalX()
	v := p.Table[i&15]
	if i < n {
		v += x[i]
	}
	for far := 16; far > 0; far /= 2 {
		v += gocuda.ShflDownSync(t, gocuda.FullMask, v, far, 32)
	}
	if t.LaneID() == 0 {
		atomic.Add(c, v)
		y[i/32] = v
	}
}

func ppWarpsSerial(cfg grid.Config, a *ppArgs) {
	for first := 0; first < cfg.Blocks()*cfg.Threads(); first += 32 {
		s := int32(0)
		for i := first; i < first+32; i++ {
			s += a.P.Table[i&15]
			if i < a.N {
				s += a.X[i]
			}
		}
		*a.C += s
		a.Y[first/32] = s
	}
}

// A convolution in two dimensions, in slices of a grid of three.
//
//gocuda:kernel
func ppConvolve(t *gocuda.Thread, w, h int, p *ppParams, a *float32, in, out []float32) {
	x, y, z := t.GlobalX(), t.GlobalY(), t.GlobalZ()
	if x >= w || y >= h || z > 1 {
		return
	}
	s := 0.0
	for dy := range p.M {
		for dx := range p.M[dy] {
			yy, xx := min(max(y+dy-1, 0), h-1), min(max(x+dx-1, 0), w-1)
			s += p.M[dy][dx] * float64(in[yy*w+xx])
		}
	}
	out[(z*h+y)*w+x] = float32(s) + *a*float32(z)
}

func ppConvolveSerial(w, h int, cfg grid.Config, a *ppArgs) {
	for z := range min(2, max(1, cfg.Grid.Z)*max(1, cfg.Block.Z)) {
		for y := range h {
			for x := range w {
				s := 0.0
				for k := range 9 {
					yy, xx := min(max(y+k/3-1, 0), h-1), min(max(x+k%3-1, 0), w-1)
					s += float64(a.P.M[k/3][k%3] * float64(a.In[yy*w+xx]))
				}
				a.Out[(z*h+y)*w+x] = float32(s) + float32(*a.A*float32(z))
			}
		}
	}
}

// A loop with the stride of the grid, with numbers of several kinds and parts of structs.
//
//gocuda:kernel
func ppStride(t *gocuda.Thread, n int, p *ppParams, inner *ppInner, a *float32, in, out []float32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		out[i] = in[i]**a + p.W[0] - inner.Bias*p.Inner.Deep.A[i%3]
	}
}

func ppStrideSerial(_ grid.Config, a *ppArgs) {
	for i, v := range a.In[:a.N] {
		a.Out[i] = float32(v**a.A) + a.P.W[0] - float32(a.Inner.Bias*a.P.Inner.Deep.A[i%3])
	}
}

// Numbers of other types.
//
//gocuda:kernel
func ppTypes(t *gocuda.Thread, c *ppCelsius, b *uint8, l *int64, u *uint32, d *float64, f *bool, s *int16, in, out []float32) {
	i := t.GlobalX()
	if i >= len(in) {
		return
	}
	v := in[i] + float32(*c) - float32(*b) + float32(*d)*0.5
	if *f {
		v -= float32(*s)
	}
	out[i] = v
	atomic.Add(l, int64(i)<<33)
	atomic.Xor(u, uint32(i)*2654435761)
}

// Numbers of these types are changed by one thread, and read by all in the next phase.
//
//gocuda:kernel
func ppTypesSet(t *gocuda.Thread, c *ppCelsius, b *uint8, l *int64, u *uint32, d *float64, f *bool, s *int16, in, out []float32) {
	i := t.ThreadIdx.X
	for k := range 3 {
		if i == 0 {
			*c = *c*0.5 + ppCelsius(k)
			*b += 100
			*l = *l*int64(*b) - 7
			*u ^= *u << 13
			*d -= float64(*c)
			*f = !*f
			*s *= 300
		}
		t.SyncThreads()
		if i < len(in) {
			v := in[i] + float32(*c) - float32(*b) + float32(*d)*0.5
			if *f {
				v -= float32(*s) + float32(*l&255)
			}
			out[i] = v + float32(*u>>24)
		}
		t.SyncThreads()
	}
}

func ppTypesOf(name string, cfgs []grid.Config, set bool) Case {
	type all struct {
		C ppCelsius
		B uint8
		F bool
		S int16
		U uint32
		L int64
		D float64
	}
	first := all{21.5, 200, true, -3, 5, 1 << 40, 0.1}
	c := made(name, cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := ppMany(cfg)
		in, out, v := data[float32](n), marked[float32](n), []all{first}
		x := &v[0]
		if set {
			return func(t *gocuda.Thread) { ppTypesSet(t, &x.C, &x.B, &x.L, &x.U, &x.D, &x.F, &x.S, in, out) },
				ppTypesSetKernel(&x.C, &x.B, &x.L, &x.U, &x.D, &x.F, &x.S, in, out), []any{out, v}
		}
		return func(t *gocuda.Thread) { ppTypes(t, &x.C, &x.B, &x.L, &x.U, &x.D, &x.F, &x.S, in, out) },
			ppTypesKernel(&x.C, &x.B, &x.L, &x.U, &x.D, &x.F, &x.S, in, out), []any{out, v}
	}, func(cfg grid.Config) []any {
		n := ppMany(cfg)
		in, out, x := data[float32](n), marked[float32](n), first
		for i, v := range in {
			out[i] = v + float32(x.C) - float32(x.B) + float32(float32(x.D)*0.5) - float32(x.S)
			x.L += int64(i) << 33
			x.U ^= uint32(i) * 2654435761
		}
		return []any{out, []all{x}}
	})
	if set {
		of := c.Make
		c.Make = func(cfg grid.Config) Instance {
			x := of(cfg)
			x.Want = nil
			return x
		}
	}
	return c
}

// ppAccount has a lock.
type ppAccount struct {
	mu    sync.Mutex
	Total int32
	Seen  [4]int32
	Rates [3]int32
}

// Sums under a lock.
//
//gocuda:kernel
func ppLocked(t *gocuda.Thread, n int, acc *ppAccount, x []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := x[i] * acc.Rates[i%3]
	acc.mu.Lock()
	acc.Total += v
	acc.Seen[x[i]&3]++
	acc.mu.Unlock()
}

// A struct with a lock that the kernel doesn't use.
//
//gocuda:kernel
func ppUnlocked(t *gocuda.Thread, n int, acc *ppAccount, x, y []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	for _, r := range acc.Rates {
		y[i] += x[i] * r
	}
	atomic.Add(&acc.Seen[x[i]&3], 1)
}

func ppAccountOf(name string, locked bool) Case {
	return made(name, ppLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := ppMany(cfg)
		x, y, acc := data[int32](n), marked[int32](n), &ppAccount{Rates: [3]int32{3, 5, -7}}
		outs := []any{y, unsafe.Slice(&acc.Total, 1), acc.Seen[:]}
		if locked {
			return func(t *gocuda.Thread) { ppLocked(t, n, acc, x) }, ppLockedKernel(n, acc, x), outs
		}
		return func(t *gocuda.Thread) { ppUnlocked(t, n, acc, x, y) }, ppUnlockedKernel(n, acc, x, y), outs
	}, func(cfg grid.Config) []any {
		n := ppMany(cfg)
		y, seen, total := marked[int32](n), make([]int32, 4), int32(0)
		for i, v := range data[int32](n) {
			seen[v&3]++
			if locked {
				total += v * []int32{3, 5, -7}[i%3]
			} else {
				y[i] += v
			}
		}
		return []any{y, []int32{total}, seen}
	})
}

// Links of a list, by pointers in structs.
//
//gocuda:kernel
func ppLinks(t *gocuda.Thread, n int, list *ppLink, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := in[i]
	for l := list; l != nil; l = l.Next {
		s = s*0.5 + l.V
	}
	out[i] = s
}

func ppLinksSerial(_ grid.Config, a *ppArgs) {
	for i, s := range a.In[:a.N] {
		for _, v := range []float32{3, -1, 0.5} {
			s = float32(s*0.5) + v
		}
		a.Out[i] = s
	}
}

// The numbers of a slice behind a pointer.
//
//gocuda:kernel
func ppSliceOf(t *gocuda.Thread, in *[]float32, out *[]float32) {
	i := t.GlobalX()
	if i < len(*in) {
		(*out)[i] = (*in)[i] * 2
	}
}

func ppSliceOfSerial(cfg grid.Config, a *ppArgs) {
	for i := range min(len(a.In), cfg.Blocks()*cfg.Threads()) {
		a.Out[i] = a.In[i] * 2
	}
}

// What was added is read behind a barrier, by the same name or by another.
//
//gocuda:kernel
func ppAdded(t *gocuda.Thread, n int, c, d *int32, p, q *ppParams, x, y []int32) {
	i := t.ThreadIdx.X
	for k := range 2 {
		if i < n {
			atomic.Add(c, x[i])
			atomic.Add(&p.Hist[x[i]&15], 1)
		}
		t.SyncThreads()
		if i < n {
			y[i] = *d ^ q.Hist[x[i]&15] + q.Count + y[n+k] ^ q.Table[7] + q.Hist[k]
		}
		t.SyncThreads()
	}
}

func ppAddedSerial(_ grid.Config, a *ppArgs) {
	n := a.N
	for k := range 2 {
		for _, v := range a.X[:n] {
			*a.C += v
			a.P.Hist[v&15]++
		}
		for i, v := range a.X[:n] {
			a.Y[i] = *a.D ^ a.Q.Hist[v&15] + a.Q.Count + a.Y[n+k] ^ a.Q.Table[7] + a.Q.Hist[k]
		}
	}
}

// One thread adds and reads, in a loop.
//
//gocuda:kernel
func ppCounted(t *gocuda.Thread, n int, c, d *int32, p *ppParams, x, y []int32) {
	if t.GlobalX() != 0 {
		return
	}
	for i := range n {
		atomic.Add(c, x[i])
		y[i] += *d
		atomic.Sub(&p.Hist[i&15], 2)
		old := atomic.Exch(d, int32(i))
		*c += old ^ y[i/2] + p.Hist[0]
	}
}

func ppCountedSerial(_ grid.Config, a *ppArgs) {
	for i := range a.N {
		*a.C += a.X[i]
		a.Y[i] += *a.D
		a.P.Hist[i&15] -= 2
		old := *a.D
		*a.D = int32(i)
		*a.C += old ^ a.Y[i/2] + a.P.Hist[0]
	}
}

// All threads store the same number, and read it.
//
//gocuda:kernel
func ppUniform(t *gocuda.Thread, n int, c *int32, a *float32, p *ppParams, x, y []int32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	*c = 5
	*a = p.Inner.Bias
	y[i] = x[i] + *c
	p.Table[9] = 3
	y[i] ^= p.Table[9]
	out[i] = *a
}

func ppUniformSerial(_ grid.Config, a *ppArgs) {
	*a.C, *a.A, a.P.Table[9] = 5, a.P.Inner.Bias, 3
	for i := range a.N {
		a.Y[i] = a.X[i] + 5 ^ 3
		a.Out[i] = *a.A
	}
}

// Slices in the struct are replaced by one thread, under another name.
//
//gocuda:kernel
func ppReplaced(t *gocuda.Thread, n int, p, q *ppParams, out []float32) {
	if t.GlobalX() == 0 {
		for i := range n {
			out[i] = p.In[0] + float32(len(p.In)+p.N)
			q.In = q.In[1:]
			q.N += 3
			p.Out[i] = out[i]
			if i == 20 {
				q.Out = q.In[:len(p.Out)-20]
				q.N = -20
			}
		}
	}
}

func ppReplacedSerial(_ grid.Config, a *ppArgs) {
	p, q := a.P, a.Q
	for i := range a.N {
		a.Out[i] = p.In[0] + float32(len(p.In)+p.N)
		q.In, q.N = q.In[1:], q.N+3
		p.Out[i] = a.Out[i]
		if i == 20 {
			q.Out, q.N = q.In[:len(p.Out)-20], -20
		}
	}
}

// They are replaced in one phase, and read in the next one.
//
//gocuda:kernel
func ppReplacedOnce(t *gocuda.Thread, n int, p, q *ppParams) {
	i := t.ThreadIdx.X
	if i < n {
		p.Out[i] = p.In[i] * p.W[2]
	}
	t.SyncThreads()
	if i == 0 {
		q.In, q.Out = q.Out, q.In
		q.N = n / 2
		q.W[2] = 7
	}
	t.SyncThreads()
	if i < p.N {
		p.Out[i] -= p.In[i] * p.W[2]
	}
}

func ppReplacedOnceSerial(cfg grid.Config, a *ppArgs) {
	p, q := a.P, a.Q
	for i := range a.N {
		p.Out[i] = p.In[i] * p.W[2]
	}
	q.In, q.Out, q.N, q.W[2] = q.Out, q.In, a.N/2, 7
	for i := range min(p.N, cfg.Threads()) {
		p.Out[i] -= float32(p.In[i] * p.W[2])
	}
}

// The two pointers change places in each round.
//
//gocuda:kernel
func ppPingPong(t *gocuda.Thread, n int, p, q *ppParams, in, out []float32) {
	i := t.ThreadIdx.X
	for range 3 {
		v := p.W[(i+1)%9] + p.Scale
		t.SyncThreads()
		if i < 9 {
			q.W[i] = v * 0.5
		}
		t.SyncThreads()
		p, q = q, p
	}
	if i < n {
		out[i] = p.W[i%9] - q.W[8]*in[i]
	}
}

func ppPingPongSerial(cfg grid.Config, a *ppArgs) {
	p, q := a.P, a.Q
	for range 3 {
		w := p.W
		for i := range min(9, cfg.Threads()) {
			q.W[i] = (w[(i+1)%9] + p.Scale) * 0.5
		}
		p, q = q, p
	}
	for i := range a.N {
		a.Out[i] = p.W[i%9] - float32(q.W[8]*a.In[i])
	}
}

// Closures and variables lead to the parameters; a parameter is assigned to.
//
//gocuda:kernel
func ppClosures(t *gocuda.Thread, n int, p *ppParams, a, b *float32, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	weight := func(k int) float32 { return p.W[k] + *a }
	if n&1 == 1 {
		a = b
	}
	inner, row := &p.Inner, p.M[1][:]
	v := weight(i&7) - inner.Bias
	if i&1 == 0 {
		inner = &ppInner{Bias: v}
	}
	for k := range row {
		v += float32(row[k])
	}
	out[i] = v*in[i] + (*inner).Bias - (&p.Inner).Deep.A[1]
}

func ppClosuresSerial(_ grid.Config, a *ppArgs) {
	f := *a.A
	if a.N&1 == 1 {
		f = *a.B
	}
	p := a.P
	for i := range a.N {
		v := p.W[i&7] + f - p.Inner.Bias
		bias := p.Inner.Bias
		if i&1 == 0 {
			bias = v
		}
		for _, m := range p.M[1] {
			v += float32(m)
		}
		a.Out[i] = float32(v*a.In[i]) + bias - p.Inner.Deep.A[1]
	}
}

// Arrays, structs and numbers are compared; a switch; a number that is an index.
//
//gocuda:kernel
func ppCompared(t *gocuda.Thread, n int, p, q *ppParams, c, d *int32, x, y []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := x[int(*d)+i] + min(*c, *d)
	if p.W == q.W && p.Inner == q.Inner {
		v += 1000
	}
	switch *c & 3 {
	case 0:
		v *= 2
	case 1, 3:
		v -= p.Table[*d&15]
	default:
		v <<= uint(*d & 7)
	}
	if p.Table[x[i]&15] > *c || p.Knots[1] != q.Knots[x[i]&3] {
		v /= *d
	}
	y[i] = v
}

func ppComparedSerial(_ grid.Config, a *ppArgs) {
	p, q, c, d := a.P, a.Q, *a.C, *a.D
	for i, x := range a.X[:a.N] {
		v := a.X[int(d)+i] + min(c, d)
		if p == q {
			v += 1000
		}
		if c&3 == 0 {
			v *= 2
		} else if c&1 == 1 {
			v -= p.Table[d&15]
		} else {
			v <<= d & 7
		}
		if p.Table[x&15] > c || p.Knots[1] != q.Knots[x&3] {
			v /= d
		}
		a.Y[i] = v
	}
}

// A tile of rows behind a pointer, which the threads of a block in two dimensions change in phases.
//
//gocuda:kernel
func ppTile(t *gocuda.Thread, rows *[4][8]float32, a *float32, in []float32) {
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	on := x < 8 && y < 4
	for k := range 3 {
		v := *a
		if on {
			v += rows[(y+1)&3][x] - rows[y][(x+k)&7]
		}
		t.SyncThreads()
		if on {
			rows[y][x] = v*0.5 + in[y*8+x]
		}
		t.SyncThreads()
	}
}

func ppTileSerial(_ grid.Config, a *ppArgs) {
	for k := range 3 {
		old, v := *a.Rows, *a.A
		for y := range 4 {
			for x := range 8 {
				a.Rows[y][x] = float32((v+(old[(y+1)&3][x]-old[y][(x+k)&7]))*0.5) + a.In[y*8+x]
			}
		}
	}
}

type (
	ppRef   *float32
	ppLut   [32]uint8
	ppAlias = float32
)

func (l *ppLut) at(v int32) int32 { return int32(l[v&31]) }

// Pointers to other things: named arrays and pointers, structs without a name and of other packages,
// arrays of structs, texts, complex numbers, pointers.
//
//gocuda:kernel
func ppOthers(t *gocuda.Thread, n int, ref ppRef, lut *ppLut, anon *struct{ A [3]int32 }, dim *grid.Dim3, knots *[4]ppKnot,
	text *string, z *complex64, pp **int32, alias *ppAlias, r *rune, one *[1]int32, none *[0]int32, x, y []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := lut.at(x[i]) + anon.A[i%3] + int32(dim.Y) + knots[x[i]&3].N
	for k := range knots {
		if knots[k].At > *ref {
			v += knots[k].N
		}
	}
	v = v*3 + int32((*text)[i%len(*text)]) + int32(real(*z**z)) ^ **pp
	for _, w := range none {
		v += w
	}
	for _, w := range lut[3:7] {
		v -= int32(w)
	}
	y[i] = v + int32(*alias*4) + *r + one[0]
}

func ppOthersOf(name string) Case {
	var (
		f    float32 = 5
		lut  ppLut
		anon = struct{ A [3]int32 }{[3]int32{4, -5, 6}}
		dim  = grid.Dim3{X: 1, Y: 2}
		kn   = [4]ppKnot{{1, 2}, {30, 4}, {-5, 6}, {70, 8}}
		text = "a text"
		z    = complex64(3 + 2i)
		c    = int32(77)
		pc   = &c
		r    = 'x'
		one  = [1]int32{9}
	)
	for k := range lut {
		lut[k] = uint8(k * k)
	}
	return made(name, ppLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := ppMany(cfg)
		x, y := data[int32](n), marked[int32](n)
		return func(t *gocuda.Thread) {
				ppOthers(t, n, &f, &lut, &anon, &dim, &kn, &text, &z, &pc, &f, &r, &one, nil, x, y)
			},
			ppOthersKernel(n, &f, &lut, &anon, &dim, &kn, &text, &z, &pc, &f, &r, &one, nil, x, y), []any{y}
	}, func(cfg grid.Config) []any {
		n := ppMany(cfg)
		y := marked[int32](n)
		for i, x := range data[int32](n) {
			v := int32(uint8((x&31)*(x&31))) + []int32{4, -5, 6}[i%3] + 2 + []int32{2, 4, 6, 8}[x&3] + 12
			v = v*3 + int32("a text"[i%6]) + 5 ^ 77
			y[i] = v - 9 - 16 - 25 - 36 + 20 + 'x' + 9
		}
		return []any{y}
	})
}

// Numbers that all threads add to, with a type parameter and a struct with pointers.
//
//gocuda:kernel
func ppGenericSums[T ~int32 | ~uint32 | ~int64](t *gocuda.Thread, n int, sum, most *T, to *struct{ A, B *T }, in []T) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	atomic.Add(sum, in[i])
	atomic.Max(most, in[i])
	if in[i]&1 == 0 {
		atomic.Add(to.A, 1)
	} else {
		atomic.Add(to.B, 1)
	}
}

func ppGenericSumsOf[T ~int32 | ~uint32 | ~int64](name string, same bool) Case {
	args := func() ([]T, *struct{ A, B *T }) {
		v := make([]T, 4)
		to := &struct{ A, B *T }{&v[2], &v[3]}
		if same {
			to.B = &v[2]
		}
		return v, to
	}
	return made(name, ppLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := ppMany(cfg)
		in := data[T](n)
		v, to := args()
		return func(t *gocuda.Thread) { ppGenericSums(t, n, &v[0], &v[1], to, in) }, ppGenericSumsKernel(n, &v[0], &v[1], to, in), []any{v}
	}, func(cfg grid.Config) []any {
		v, to := args()
		for _, x := range data[T](ppMany(cfg)) {
			v[0] += x
			v[1] = max(v[1], x)
			if x&1 == 0 {
				*to.A++
			} else {
				*to.B++
			}
		}
		return []any{v}
	})
}

// A block's threads store elements of a struct's array by data, and read others behind a barrier. Parts
// of the array have limits from arguments.
//
//gocuda:kernel
func ppScatter(t *gocuda.Thread, lo, hi int, p, q *ppParams, x, y []int32) {
	i := t.ThreadIdx.X
	part := p.Table[lo:hi]
	for k := range 3 {
		if i < 16 {
			p.Hist[(i*5+k)&15] = q.Table[i] + x[i]
		}
		t.SyncThreads()
		if i < len(part) {
			part[i] ^= q.Hist[x[i]&15]
		}
		t.SyncThreads()
		y[i] += q.Table[x[i]&15] - q.Hist[i&15]
		t.SyncThreads()
	}
}

func ppScatterSerial(cfg grid.Config, a *ppArgs) {
	p, q := a.P, a.Q
	for k := range 3 {
		for i := range min(16, cfg.Threads()) {
			p.Hist[(i*5+k)&15] = q.Table[i] + a.X[i]
		}
		for i := range min(8, cfg.Threads()) {
			p.Table[3+i] ^= q.Hist[a.X[i]&15]
		}
		for i := range cfg.Threads() {
			a.Y[i] += q.Table[a.X[i]&15] - q.Hist[i&15]
		}
	}
}

// A flag that makes threads return, and a limit in a struct that one pointer changes for the next phase.
//
//gocuda:kernel
func ppFlag(t *gocuda.Thread, n int, found *bool, p *ppParams, limit *int, x, y []int32) {
	i := t.ThreadIdx.X
	for k := 0; k < *limit; k++ {
		if !*found && i < p.N {
			y[i] += x[i] * int32(k+1)
		}
		t.SyncThreads()
		if i == 0 {
			*found = x[k]&1 == 1
			p.N--
		}
		t.SyncThreads()
	}
	if *found {
		return
	}
	y[i] = -y[i]
}

func ppFlagSerial(cfg grid.Config, a *ppArgs) {
	for k := 0; k < *a.Limit; k++ {
		for i := range min(a.P.N, cfg.Threads()) {
			if !*a.Found {
				a.Y[i] += a.X[i] * int32(k+1)
			}
		}
		*a.Found = a.X[k]&1 == 1
		a.P.N--
	}
	for i := range cfg.Threads() {
		if !*a.Found {
			a.Y[i] = -a.Y[i]
		}
	}
}

// ppOptional is pointers, of which some are nil.
type ppOptional struct {
	Factor *float32
	Bias   *[4]float32
	Of     *ppOptional
	Pairs  [3]struct {
		At *int32
		By [2]float32
	}
}

// They are compared with nil, and followed.
//
//gocuda:kernel
func ppPointers(t *gocuda.Thread, n int, o *ppOptional, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i]
	if o.Factor != nil {
		v *= *o.Factor
	}
	if o.Of != nil && o.Of.Bias != nil {
		v += o.Of.Bias[i&3]
	}
	for k := range o.Pairs {
		if at := o.Pairs[k].At; at != nil {
			v -= o.Pairs[k].By[*at&1]
		}
	}
	out[i] = v
}

func ppPointersSerial(_ grid.Config, a *ppArgs) {
	for i, v := range a.In[:a.N] {
		a.Out[i] = float32(v*1.5) + []float32{1, 2, 3, 4}[i&3] - 7
	}
}

func ppOptions() *ppOptional {
	f, one := float32(1.5), int32(1)
	o := &ppOptional{Factor: &f, Of: &ppOptional{Bias: &[4]float32{1, 2, 3, 4}}}
	o.Pairs[1].At, o.Pairs[1].By[1] = &one, 7
	return o
}

// Numbers behind pointers are used where a thread's own number says, and in both arms.
//
//gocuda:kernel
func ppBranches(t *gocuda.Thread, n int, a, b *float32, c *int32, p *ppParams, x []int32, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i]
	if x[i] > *c {
		if v > *a {
			v = *a - v
		} else if v < *b {
			v = *b * v
		}
	} else {
		switch {
		case v > p.Scale:
			v /= p.Scale
		case v < -*a:
			v += p.Knots[1].At
		case p.Flag:
			v -= p.W[8]
		}
	}
	for k := 0; v > 10**a && k < 9; k++ {
		v *= 0.5
	}
	out[i] = v
}

func ppBranchesSerial(_ grid.Config, a *ppArgs) {
	p := a.P
	for i, v := range a.In[:a.N] {
		switch {
		case a.X[i] > *a.C && v > *a.A:
			v = *a.A - v
		case a.X[i] > *a.C && v < *a.B:
			v *= *a.B
		case a.X[i] > *a.C:
		case v > p.Scale:
			v /= p.Scale
		case v < -*a.A:
			v += p.Knots[1].At
		case p.Flag:
			v -= p.W[8]
		}
		for k := 0; v > 10**a.A && k < 9; k++ {
			v /= 2
		}
		a.Out[i] = v
	}
}

// A loop of each thread stores its own elements, of which one is the number behind the pointer: that of
// the only thread, or none.
//
//gocuda:kernel
func ppLoops(t *gocuda.Thread, n int, a *float32, c *int32, y []int32, out []float32) {
	first := t.GlobalX() * n
	for k := range n {
		out[first+k] = float32(k)**a + 1
		y[first+k] = *c - int32(k)
		if k&3 == 1 {
			out[first+k] += *a
			y[first+k/2] += *c
		}
	}
}

func ppLoopsSerial(_ grid.Config, a *ppArgs) {
	for k := range a.N {
		a.Out[k] = float32(float32(k)**a.A) + 1
		a.Y[k] = *a.C - int32(k)
		if k&3 == 1 {
			a.Out[k] += *a.A
			a.Y[k/2] += *a.C
		}
	}
}

// A minimum with its place, one thread for each part, and the results in structs.
//
//gocuda:kernel
func ppNearest(t *gocuda.Thread, n int, p *ppParams, inner *ppInner, in []float32, y []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	best, at := float32(math.Inf(1)), int32(-1)
	for k := range p.Knots {
		d := p.Knots[k].At - in[i]
		if d < 0 {
			d = -d
		}
		if d < best {
			best, at = d, int32(k)
		}
	}
	y[i] = at
	if at >= 0 {
		y[i] += p.Knots[at].N * 10
		atomic.Add(&inner.K[at], 1)
	}
}

func ppNearestSerial(_ grid.Config, a *ppArgs) {
	for i, v := range a.In[:a.N] {
		at := 0
		for k, knot := range a.P.Knots {
			if math.Abs(float64(knot.At-v)) < math.Abs(float64(a.P.Knots[at].At-v)) {
				at = k
			}
		}
		a.Y[i] = int32(at) + a.P.Knots[at].N*10
		a.Inner.K[at]++
	}
}

// In each round the threads of a block read the arrays, and store in slices, which may be the arrays.
//
//gocuda:kernel
func ppThrough(t *gocuda.Thread, n int, p *ppParams, x, y []int32, in, out []float32) {
	i := t.ThreadIdx.X
	for k := range 3 {
		s, h := p.Inner.Bias, p.Table[k]+p.Inner.K[2]
		for j := range p.W {
			s += p.W[j] * 0.25
		}
		t.SyncThreads()
		if i < n {
			out[i] = in[i] + s
			y[i] = x[i] ^ h
		}
		t.SyncThreads()
	}
}

func ppThroughSerial(_ grid.Config, a *ppArgs) {
	for k := range 3 {
		s, h := a.P.Inner.Bias, a.P.Table[k]+a.P.Inner.K[2]
		for _, w := range a.P.W {
			s += float32(w * 0.25)
		}
		for i := range a.N {
			a.Out[i] = a.In[i] + s
			a.Y[i] = a.X[i] ^ h
		}
	}
}

// failPointee has a number that is missing, which only the unlucky thread uses.
//
//gocuda:kernel
func failPointee(t *gocuda.Thread, who, kind int, a *int32, p *ppParams, table *[256]int32, in, out []int32) {
	i := t.GlobalX()
	out[i] = in[i] + 1
	if unlucky(t, who) {
		switch kind {
		case 0:
			out[i] += *a
		case 1:
			*a = in[i]
		case 2:
			atomic.Add(a, in[i])
		case 3:
			out[i] += p.Table[in[i]&15]
		case 4:
			p.Table[3] = 1
		case 5:
			atomic.Add(&p.Hist[in[i]&15], 1)
		case 6:
			for _, v := range p.Table {
				out[i] += v
			}
		case 7:
			table[in[i]&255]++
		case 8:
			part := table[2:5]
			out[i] = int32(len(part))
		case 9:
			at := &p.Inner.K[in[i]&3]
			if in[i] < 0 {
				*at = 2
			}
		case 10:
			whole := *p
			out[i] = whole.Count
		case 11:
			out[i] = p.Inner.K[in[i]+4] // the pointer is looked at first, or the index
		case 12:
			out[i] += p.Inner.K[in[i]&3] + *a
		case 13:
			out[i] = table[in[i]] // an index of which most are too large
		case 14:
			for k := range in[i] {
				out[i] += p.Table[k&15] + *a
			}
		case 15:
			old := *p
			old.Count++
			*p = old
		}
	}
}

// failBeyond has indices beyond the arrays.
//
//gocuda:kernel
func failBeyond(t *gocuda.Thread, who, kind int, p *ppParams, table *[256]int32, in, out []int32) {
	i := t.GlobalX()
	at := int(in[i] & 15)
	if unlucky(t, who) {
		at = 256
	}
	switch kind {
	case 0:
		out[i] = p.Table[min(at, 16)]
	case 1:
		out[i] = table[at]
	case 2:
		atomic.Add(&p.Hist[min(at, 17)], 1)
	case 3:
		if at == 256 {
			p.Inner.K[at&15+4] = 1
		}
	case 4:
		for k := range 8 {
			out[i] += table[at+k]
		}
	}
}

// failBlock has a number that is missing, which all threads of a block use.
//
//gocuda:kernel
func failBlock(t *gocuda.Thread, kind int, a *int32, p *ppParams, in, out []int32) {
	i := t.GlobalX()
	out[i] = in[i] + 1
	if t.BlockIdx.X == 1 {
		switch kind {
		case 0:
			out[i] += *a
		case 1:
			out[i] += p.Table[3] * in[i]
		case 2:
			for k := range p.Table {
				out[i] += p.Table[k]
			}
		}
	}
}

func pointerParamFailures() (all []Failure) {
	const missing = "invalid memory address or nil pointer dereference"
	for kind, name := range []string{"load", "store", "add", "table", "element", "hist", "range", "array", "part", "address", "copy", "index", "two", "large", "loop", "both"} {
		text := missing
		if name == "index" || name == "large" {
			text = ""
		}
		all = append(all, failure("failPointee-"+name, 64, 37,
			func(t *gocuda.Thread, who int, in, out []int32) { failPointee(t, who, kind, nil, nil, nil, in, out) },
			func(who int, in, out []int32) gocuda.Kernel {
				return failPointeeKernel(who, kind, nil, nil, nil, in, out)
			}, text))
	}
	for kind, text := range []string{"index out of range [16] with length 16", "index out of range [256] with length 256", "index out of range [17] with length 16", "index out of range [4] with length 4", "index out of range [256] with length 256"} {
		all = append(all, failure("failBeyond-"+string(rune('0'+kind)), 64, 41,
			func(t *gocuda.Thread, who int, in, out []int32) {
				failBeyond(t, who, kind, new(ppParams), new([256]int32), in, out)
			},
			func(who int, in, out []int32) gocuda.Kernel {
				return failBeyondKernel(who, kind, new(ppParams), new([256]int32), in, out)
			}, text))
	}
	for kind := range 3 {
		all = append(all, failure("failBlock-"+string(rune('0'+kind)), 64, 0,
			func(t *gocuda.Thread, who int, in, out []int32) { failBlock(t, kind, nil, nil, in, out) },
			func(who int, in, out []int32) gocuda.Kernel { return failBlockKernel(kind, nil, nil, in, out) }, missing))
	}
	return all
}

// ppVariants say which arguments are the same, by name.
var ppVariants = map[string]func(a *ppArgs){
	"":              func(a *ppArgs) {},
	"a=in0":         func(a *ppArgs) { a.A = &a.In[0] },
	"a=in2":         func(a *ppArgs) { a.A = &a.In[2] },
	"a=out3":        func(a *ppArgs) { a.A = &a.Out[3] },
	"a=behind":      func(a *ppArgs) { a.A = &a.Out[a.N+2] },
	"same out3":     func(a *ppArgs) { a.A, a.In[3] = &a.Out[3], 1 },
	"a=b":           func(a *ppArgs) { a.B = a.A },
	"a=b=out3":      func(a *ppArgs) { a.A, a.B = &a.Out[3], &a.Out[3] },
	"a=out0 b=3":    func(a *ppArgs) { a.A, a.B = &a.Out[0], &a.Out[3] },
	"a=out4 b=1":    func(a *ppArgs) { a.A, a.B = &a.Out[4], &a.Out[1] },
	"a=alpha":       func(a *ppArgs) { a.A = &a.P.Alpha },
	"a=scale":       func(a *ppArgs) { a.A = &a.P.Scale },
	"a=w2":          func(a *ppArgs) { a.A = &a.P.W[2] },
	"a=bias":        func(a *ppArgs) { a.A = &a.P.Inner.Bias },
	"a=mass":        func(a *ppArgs) { a.A = &a.Bodies[2].Mass },
	"a=at":          func(a *ppArgs) { a.A = &a.Bodies[a.N].At },
	"c=d":           func(a *ppArgs) { a.D = a.C },
	"c=y3":          func(a *ppArgs) { a.C = &a.Y[3] },
	"c=behind":      func(a *ppArgs) { a.C = &a.Y[2*a.N+5] },
	"c=count":       func(a *ppArgs) { a.C = &a.P.Count },
	"c=table":       func(a *ppArgs) { a.C, a.D = &a.P.Table[7], &a.P.Table[8] },
	"c=hist":        func(a *ppArgs) { a.C, a.D = &a.P.Hist[0], &a.P.Inner.K[0] },
	"c=y n=12":      func(a *ppArgs) { a.C = &a.Y[2]; *a.C = 12 },
	"c=20":          func(a *ppArgs) { *a.C = 20 },
	"p=q":           func(a *ppArgs) { a.Q = a.P },
	"p=q a=b":       func(a *ppArgs) { a.Q, a.B = a.P, a.A },
	"in=w":          func(a *ppArgs) { a.N, a.In = 1, a.P.W[:] },
	"out=w":         func(a *ppArgs) { a.N, a.Out = min(a.N, 9), a.P.W[:] },
	"in=out=w":      func(a *ppArgs) { a.N, a.Out, a.In = min(a.N, 7), a.P.W[2:], a.P.W[1:] },
	"in=out":        func(a *ppArgs) { a.In = a.Out },
	"own":           func(a *ppArgs) { a.Out, a.Y = a.P.W[:], a.P.Hist[:] },
	"own q":         func(a *ppArgs) { a.Out, a.Y = a.Q.W[:], a.Q.Hist[:] },
	"in=p.w":        func(a *ppArgs) { a.In = a.P.W[2:] },
	"limit=p.n":     func(a *ppArgs) { a.Limit = &a.P.N },
	"inner":         func(a *ppArgs) { a.Inner = &a.P.Inner },
	"y=array":       func(a *ppArgs) { a.Y = a.Array[:] },
	"x=array":       func(a *ppArgs) { a.N, a.X = min(a.N, 256), a.Array[:] },
	"in=rows":       func(a *ppArgs) { a.N, a.In = 1, a.Rows[1][:] },
	"c=yn":          func(a *ppArgs) { a.C = &a.Y[a.N] },
	"c=q.count":     func(a *ppArgs) { a.C = &a.Q.Count },
	"c=table7":      func(a *ppArgs) { a.C = &a.Q.Table[7] },
	"c=q.hist0":     func(a *ppArgs) { a.C = &a.Q.Hist[0] },
	"c=q.hist1 p=q": func(a *ppArgs) { a.C, a.P = &a.Q.Hist[1], a.Q },
	"y=table":       func(a *ppArgs) { a.N, a.Y = min(a.N, 16), a.P.Table[:] },
	"y=k":           func(a *ppArgs) { a.N, a.Y = min(a.N, 4), a.P.Inner.K[:] },
	"c=x9":          func(a *ppArgs) { a.C = &a.X[9] },
	"d=y6":          func(a *ppArgs) { a.D = &a.Y[6] },
	"c=last":        func(a *ppArgs) { a.C = &a.Y[a.N-1] },
	"c=x last":      func(a *ppArgs) { a.C = &a.X[a.N-1] },
	"same":          func(a *ppArgs) {},
	"same c=behind": func(a *ppArgs) { a.C, a.A = &a.Y[a.N+1], &a.Out[a.N+1] },
	"same a=scale":  func(a *ppArgs) { a.C, a.A = &a.P.Count, &a.P.Scale },
	"same table":    func(a *ppArgs) { a.C, a.A = &a.P.Hist[9], &a.P.Inner.Bias },
	"long": func(a *ppArgs) {
		a.P.Out = append(a.P.Out, a.P.Out...)
		a.P.In = append(a.P.In, a.P.In...)
		a.Q.In = append(a.Q.In, a.Q.In...)
	},
	"long p=q":   func(a *ppArgs) { a.P.Out = append(a.P.Out, a.P.Out...); a.P.In = append(a.P.In, a.P.In...); a.Q = a.P },
	"c=d=9":      func(a *ppArgs) { a.C = a.D; *a.C = 9 },
	"a=row":      func(a *ppArgs) { a.A = &a.Rows[2][5] },
	"x=p.table":  func(a *ppArgs) { a.X = append(append([]int32{}, a.P.Table[:]...), a.X...) },
	"limit=5":    func(a *ppArgs) { *a.Limit = 5; a.P.N = 21 },
	"p.n=5":      func(a *ppArgs) { a.Limit = &a.P.N; a.P.N = 9 },
	"no a":       func(a *ppArgs) { a.A = nil },
	"no p":       func(a *ppArgs) { a.P = nil },
	"no a no p":  func(a *ppArgs) { a.A, a.P = nil, nil },
	"none":       func(a *ppArgs) { a.A, a.C, a.P, a.Array = nil, nil, nil, nil },
	"p.in=w":     func(a *ppArgs) { a.P.In, a.P.Out = a.P.W[:], a.P.Out[:min(len(a.P.Out), 9)] },
	"p.out=w":    func(a *ppArgs) { a.P.Out = a.P.W[3:] },
	"p.out=p.in": func(a *ppArgs) { a.P.Out = a.P.In[1:] },
}

// ppFresh returns arguments of which no two are the same, for n threads.
func ppFresh(n int) *ppArgs {
	params := func(seed int) *ppParams {
		p := new(ppParams)
		copy(p.W[:], dataFrom[float32](9, seed))
		for k := range p.M {
			copy(p.M[k][:], dataFrom[float64](3, seed+k))
		}
		copy(p.Table[:], dataFrom[int32](16, seed))
		p.Table[4] = 1000
		copy(p.Inner.K[:], dataFrom[int32](4, seed+9))
		copy(p.Inner.Deep.A[:], []float32{1, -3, 8})
		copy(p.Knots[:], []ppKnot{{-20, 3}, {50, -1}, {10, 7}, {0, 2}})
		copy(p.Levels[:], []uint8{3, 200, 100, 7})
		p.In, p.Out = dataFrom[float32](n+16, seed), marked[float32](n+2)
		p.Name, p.N, p.Scale, p.Flag, p.Alpha, p.Inner.Bias, p.Count = "name", 4, 0.75, true, 1.25, 2.5, 40
		return p
	}
	number, other, c, d, limit := float32(1.5), float32(-0.25), int32(0), int32(7), n
	a := &ppArgs{
		N: n, P: params(1), Q: params(2), A: &number, B: &other, C: &c, D: &d, Found: new(bool), Inner: &params(3).Inner,
		X: dataFrom[int32](n+264, 5), Y: marked[int32](2*n + 264), In: dataFrom[float32](n+264, 6), Out: marked[float32](2*n + 264),
		Bodies: dataFrom[ppBody](n+8, 7), Array: new([256]int32), Rows: new([4][8]float32), Limit: &limit,
		Options: ppOptions(), List: &ppLink{3, &ppLink{-1, &ppLink{0.5, nil}}},
	}
	copy(a.Array[:], dataFrom[int32](256, 8))
	for k := range a.Rows {
		copy(a.Rows[k][:], dataFrom[float32](8, 9+k))
	}
	return a
}

// change changes some of what pointers lead to when the kernel has been made: the launch counts.
func (a *ppArgs) change() {
	if a.A != nil {
		*a.A += 0.5
	}
	if a.P != nil {
		a.P.W[1] *= 1.5
		a.P.Table[6] ^= 5
		a.P.Inner.Bias += 2
		a.P.M[1][1] = 3
	}
	if a.Array != nil {
		a.Array[5] = 17
	}
	a.Rows[1][2] = 4
}

// outputs returns all that a kernel may store.
func (a *ppArgs) outputs() []any {
	all := []any{a.X, a.Y, a.In, a.Out, a.Bodies, unsafe.Slice(a.D, 1), unsafe.Slice(a.B, 1), unsafe.Slice(a.Found, 1), unsafe.Slice(a.Inner, 1)}
	if a.A != nil {
		all = append(all, unsafe.Slice(a.A, 1))
	}
	if a.C != nil {
		all = append(all, unsafe.Slice(a.C, 1))
	}
	if a.Array != nil {
		all = append(all, a.Array[:])
	}
	for _, p := range []*ppParams{a.P, a.Q} {
		if p != nil {
			all = append(all, unsafe.Slice(&p.ppHead, 1), p.W[:], p.M[:], p.Table[:], p.Hist[:], unsafe.Slice(&p.Inner, 1), p.Knots[:],
				p.In, p.Out, unsafe.Slice(&p.Name, 1), unsafe.Slice(&p.Scale, 1), p.Levels[:])
		}
	}
	return all
}

var (
	ppLines  = []grid.Config{line(1, 1), line(2, 33), line(3, 200), line(1, 1000)}
	ppBlocks = []grid.Config{line(1, 7), line(1, 33), line(1, 255)}
	ppAlone  = []grid.Config{line(1, 1)}
	ppOnes   = []grid.Config{line(1, 1), line(2, 40)}
	ppWarped = []grid.Config{line(1, 32), line(3, 96)}
	ppFlat   = []grid.Config{{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 8, Y: 4}}, {Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 11, Y: 7}}}
	ppBoxes  = []grid.Config{
		{Grid: grid.Dim3{X: 3, Y: 2}, Block: grid.Dim3{X: 16, Y: 8}},
		{Grid: grid.Dim3{X: 2, Y: 2, Z: 2}, Block: grid.Dim3{X: 20, Y: 7, Z: 1}},
		{Grid: grid.Dim3{X: 9, Y: 4}, Block: grid.Dim3{X: 5, Y: 3, Z: 3}},
	}
)

// ppMany returns how many elements there are for a grid: a few less than threads.
func ppMany(cfg grid.Config) int {
	n := cfg.Blocks() * cfg.Threads()
	return n - n/6
}

func pointerParamCases() (cases []Case) {
	addOf := func(name string, cfgs []grid.Config, many func(grid.Config) int, source func(*gocuda.Thread, *ppArgs),
		compiled func(*ppArgs) gocuda.Kernel, serial func(grid.Config, *ppArgs), variants []string) {
		for _, v := range variants {
			args := func(cfg grid.Config) *ppArgs {
				a := ppFresh(many(cfg))
				ppVariants[v](a)
				return a
			}
			cases = append(cases, Case{
				Name: strings.TrimSpace(name + " " + v), Configs: cfgs, Races: name == "ppFound" || strings.HasPrefix(v, "same"),
				Make: func(cfg grid.Config) Instance {
					a := args(cfg)
					x := Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, a) }),
						Compiled: compiled(a),
						Outputs:  a.outputs(),
						Want: func() []any {
							a := args(cfg)
							want := a.outputs() // the kernel may replace slices in structs
							a.change()
							serial(cfg, a)
							return want
						},
					}
					a.change()
					return x
				},
			})
		}
	}
	add := func(name string, cfgs []grid.Config, source func(*gocuda.Thread, *ppArgs), compiled func(*ppArgs) gocuda.Kernel,
		serial func(grid.Config, *ppArgs), variants ...string) {
		addOf(name, cfgs, ppMany, source, compiled, serial, variants)
	}
	// one is for kernels of which one thread does all.
	one := func(name string, cfgs []grid.Config, source func(*gocuda.Thread, *ppArgs), compiled func(*ppArgs) gocuda.Kernel,
		serial func(grid.Config, *ppArgs), variants ...string) {
		addOf(name, cfgs, func(grid.Config) int { return 40 }, source, compiled, serial, variants)
	}
	type thread = gocuda.Thread
	type kernel = gocuda.Kernel
	add("ppScale", ppLines, func(t *thread, a *ppArgs) { ppScale(t, a.N, a.A, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppScaleKernel(a.N, a.A, a.In, a.Out) }, ppScaleSerial, "", "a=in0", "a=in2", "a=behind", "a=alpha", "same out3")
	add("ppFound", ppLines, func(t *thread, a *ppArgs) { ppFound(t, a.N, a.Found, a.X) },
		func(a *ppArgs) kernel { return ppFoundKernel(a.N, a.Found, a.X) }, ppFoundSerial, "")
	add("ppLast", ppLines, func(t *thread, a *ppArgs) { ppLast(t, a.N, a.C, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppLastKernel(a.N, a.C, a.X, a.Y) }, ppLastSerial, "", "c=behind", "c=count", "c=table", "c=last", "c=x last")
	add("ppAdd", ppLines, func(t *thread, a *ppArgs) { ppAdd(t, a.N, a.C, a.D, a.X) },
		func(a *ppArgs) kernel { return ppAddKernel(a.N, a.C, a.D, a.X) }, ppAddSerial, "", "c=d", "c=behind", "c=table", "c=hist")
	add("ppTicket", ppLines, func(t *thread, a *ppArgs) { ppTicket(t, a.N, a.C, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppTicketKernel(a.N, a.C, a.X, a.Y) }, ppTicketSerial, "", "c=hist")
	add("ppExtremes", ppLines, func(t *thread, a *ppArgs) { ppExtremes(t, a.N, a.C, a.D, a.P, a.X) },
		func(a *ppArgs) kernel { return ppExtremesKernel(a.N, a.C, a.D, a.P, a.X) }, ppExtremesSerial, "", "c=table", "c=count")
	add("ppPhase", ppBlocks, func(t *thread, a *ppArgs) { ppPhase(t, a.N, a.A, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppPhaseKernel(a.N, a.A, a.In, a.Out) }, ppPhaseSerial, "", "a=in0", "a=out3", "a=behind", "in=out")
	add("ppRounds", ppBlocks, func(t *thread, a *ppArgs) { ppRounds(t, a.N, a.A, a.B, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppRoundsKernel(a.N, a.A, a.B, a.In, a.Out) }, ppRoundsSerial, "", "a=out3", "a=b", "a=b=out3", "a=out0 b=3")
	add("ppOwn", ppLines, func(t *thread, a *ppArgs) { ppOwn(t, a.N, a.C, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppOwnKernel(a.N, a.C, a.X, a.Y) }, ppOwnSerial, "", "c=y3", "c=behind")
	one("ppRunning", ppOnes, func(t *thread, a *ppArgs) { ppRunning(t, a.N, a.A, a.B, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppRunningKernel(a.N, a.A, a.B, a.In, a.Out) }, ppRunningSerial, "", "a=b", "a=b=out3", "a=out0 b=3", "a=out4 b=1", "a=in2")
	one("ppInPlace", ppAlone, func(t *thread, a *ppArgs) { ppInPlace(t, a.N, a.A, a.B, a.Out) },
		func(a *ppArgs) kernel { return ppInPlaceKernel(a.N, a.A, a.B, a.Out) }, ppInPlaceSerial, "", "a=b", "a=b=out3", "a=out0 b=3", "a=out4 b=1")
	one("ppSwap", ppOnes, func(t *thread, a *ppArgs) { ppSwap(t, a.A, a.B, a.C, a.D, a.Out) },
		func(a *ppArgs) kernel { return ppSwapKernel(a.A, a.B, a.C, a.D, a.Out) }, ppSwapSerial, "", "a=b", "c=d", "a=b=out3", "a=out0 b=3", "a=out4 b=1")
	add("ppBodies", ppLines, func(t *thread, a *ppArgs) { ppBodies(t, a.N, a.A, a.Bodies, a.Out) },
		func(a *ppArgs) kernel { return ppBodiesKernel(a.N, a.A, a.Bodies, a.Out) }, ppBodiesSerial, "", "a=mass", "a=at")
	add("ppMasses", ppBlocks, func(t *thread, a *ppArgs) { ppMasses(t, a.N, a.A, a.Bodies) },
		func(a *ppArgs) kernel { return ppMassesKernel(a.N, a.A, a.Bodies) }, ppMassesSerial, "", "a=mass", "a=at")
	one("ppAlpha", ppOnes, func(t *thread, a *ppArgs) { ppAlpha(t, a.N, a.P, a.A, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppAlphaKernel(a.N, a.P, a.A, a.In, a.Out) }, ppAlphaSerial, "", "a=alpha", "a=out3", "a=w2")
	add("ppFilter", ppLines, func(t *thread, a *ppArgs) { ppFilter(t, a.N, a.P, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppFilterKernel(a.N, a.P, a.In, a.Out) }, ppFilterSerial, "", "in=w")
	one("ppFilterAlone", ppAlone, func(t *thread, a *ppArgs) { ppFilterAlone(t, a.N, a.P, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppFilterAloneKernel(a.N, a.P, a.In, a.Out) }, ppFilterAloneSerial, "", "out=w", "in=out=w")
	add("ppLookup", ppLines, func(t *thread, a *ppArgs) { ppLookup(t, a.N, a.P, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppLookupKernel(a.N, a.P, a.X, a.Y) }, ppLookupSerial, "")
	add("ppRange", ppLines, func(t *thread, a *ppArgs) { ppRange(t, a.N, a.P, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppRangeKernel(a.N, a.P, a.In, a.Out) }, ppRangeSerial, "", "in=w")
	add("ppCopies", ppLines, func(t *thread, a *ppArgs) { ppCopies(t, a.N, a.P, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppCopiesKernel(a.N, a.P, a.X, a.Y) }, ppCopiesSerial, "")
	add("ppParts", ppLines, func(t *thread, a *ppArgs) { ppParts(t, a.N, a.P, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppPartsKernel(a.N, a.P, a.In, a.Out) }, ppPartsSerial, "", "in=w")
	add("ppHist", ppLines, func(t *thread, a *ppArgs) { ppHist(t, a.N, a.P, a.X) },
		func(a *ppArgs) kernel { return ppHistKernel(a.N, a.P, a.X) }, ppHistSerial, "")
	add("ppAssign", ppBlocks, func(t *thread, a *ppArgs) { ppAssign(t, a.N, a.P, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppAssignKernel(a.N, a.P, a.In, a.Out) }, ppAssignSerial, "", "in=w")
	add("ppMethods", ppLines, func(t *thread, a *ppArgs) { ppMethods(t, a.N, a.P, a.X, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppMethodsKernel(a.N, a.P, a.X, a.In, a.Out) }, ppMethodsSerial, "", "in=w")
	add("ppHelpers", ppLines, func(t *thread, a *ppArgs) { ppHelpers(t, a.N, a.P, a.A, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppHelpersKernel(a.N, a.P, a.A, a.In, a.Out) }, ppHelpersSerial, "", "a=w2", "a=in0", "a=behind")
	one("ppHelped", ppOnes, func(t *thread, a *ppArgs) { ppHelped(t, a.N, a.P, a.A, a.Out) },
		func(a *ppArgs) kernel { return ppHelpedKernel(a.N, a.P, a.A, a.Out) }, ppHelpedSerial, "", "a=w2", "a=out3")
	add("ppElements", ppLines, func(t *thread, a *ppArgs) { ppElements(t, a.P, a.Y, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppElementsKernel(a.P, a.Y, a.In, a.Out) }, ppElementsSerial, "", "own", "own q")
	one("ppShift", ppOnes, func(t *thread, a *ppArgs) { ppShift(t, a.N, a.P, a.Q, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppShiftKernel(a.N, a.P, a.Q, a.In, a.Out) }, ppShiftSerial, "", "p=q")
	add("ppExchange", ppBlocks, func(t *thread, a *ppArgs) { ppExchange(t, a.N, a.P, a.Q, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppExchangeKernel(a.N, a.P, a.Q, a.In, a.Out) }, ppExchangeSerial, "", "p=q")
	one("ppWhole", ppOnes, func(t *thread, a *ppArgs) { ppWhole(t, a.P, a.Q, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppWholeKernel(a.P, a.Q, a.In, a.Out) }, ppWholeSerial, "", "p=q", "in=p.w")
	one("ppNested", ppOnes, func(t *thread, a *ppArgs) { ppNested(t, a.N, a.P, a.Inner, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppNestedKernel(a.N, a.P, a.Inner, a.X, a.Y) }, ppNestedSerial, "", "inner")
	add("ppArray", ppLines, func(t *thread, a *ppArgs) { ppArray(t, a.N, a.Array, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppArrayKernel(a.N, a.Array, a.X, a.Y) }, ppArraySerial, "", "x=array")
	add("ppArrayOwn", ppLines, func(t *thread, a *ppArgs) { ppArrayOwn(t, a.Array, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppArrayOwnKernel(a.Array, a.X, a.Y) }, ppArrayOwnSerial, "", "y=array")
	add("ppRowsOf", ppLines, func(t *thread, a *ppArgs) { ppRowsOf(t, a.N, a.Rows, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppRowsOfKernel(a.N, a.Rows, a.In, a.Out) }, ppRowsOfSerial, "", "in=rows")
	add("ppVariadic", ppLines, func(t *thread, a *ppArgs) { ppVariadic(t, a.N, a.P, a.Out, a.In, a.In[1:], a.In[2:]) },
		func(a *ppArgs) kernel { return ppVariadicKernel(a.N, a.P, a.Out, a.In, a.In[1:], a.In[2:]) }, ppVariadicSerial, "", "in=w")
	add("ppBias", ppLines, func(t *thread, a *ppArgs) { ppBias(t, a.N, a.A, a.P, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppBiasKernel(a.N, a.A, a.P, a.In, a.Out) }, ppBiasSerial, "", "no a", "no p", "no a no p", "a=w2", "a=behind")
	add("ppUnused", ppLines, func(t *thread, a *ppArgs) { ppUnused(t, a.N, 0, a.A, a.C, a.P, a.Array, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppUnusedKernel(a.N, 0, a.A, a.C, a.P, a.Array, a.In, a.Out) }, ppUnusedSerial, "", "none")
	add("ppChosen", ppLines, func(t *thread, a *ppArgs) { ppChosen(t, a.N, a.P, a.Q, a.A, a.B, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppChosenKernel(a.N, a.P, a.Q, a.A, a.B, a.In, a.Out) }, ppChosenSerial, "", "a=b", "p=q a=b", "a=w2")
	add("ppLimits", ppLines, func(t *thread, a *ppArgs) { ppLimits(t, a.Limit, a.P, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppLimitsKernel(a.Limit, a.P, a.X, a.Y) }, ppLimitsSerial, "", "limit=p.n")
	one("ppMoving", ppOnes, func(t *thread, a *ppArgs) { ppMoving(t, a.C, a.Y) },
		func(a *ppArgs) kernel { return ppMovingKernel(a.C, a.Y) }, ppMovingSerial, "c=20", "c=y n=12")
	one("ppSlices", ppOnes, func(t *thread, a *ppArgs) { ppSlices(t, a.P) },
		func(a *ppArgs) kernel { return ppSlicesKernel(a.P) }, ppSlicesSerial, "", "p.in=w", "p.out=w", "p.out=p.in")
	add("ppSlicesOf", ppLines, func(t *thread, a *ppArgs) { ppSlicesOf(t, a.P) },
		func(a *ppArgs) kernel { return ppSlicesOfKernel(a.P) }, ppSlicesOfSerial, "", "p.in=w")
	add("ppSums", ppLines, func(t *thread, a *ppArgs) { ppSums(t, a.N, a.C, a.D, a.P, a.X) },
		func(a *ppArgs) kernel { return ppSumsKernel(a.N, a.C, a.D, a.P, a.X) }, ppSumsSerial, "", "c=behind")
	add("ppWarps", ppWarped, func(t *thread, a *ppArgs) { ppWarps(t, a.N, a.C, a.P, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppWarpsKernel(a.N, a.C, a.P, a.X, a.Y) }, ppWarpsSerial, "", "c=behind", "c=count")
	add("ppStride", ppLines, func(t *thread, a *ppArgs) { ppStride(t, a.N, a.P, a.Inner, a.A, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppStrideKernel(a.N, a.P, a.Inner, a.A, a.In, a.Out) }, ppStrideSerial, "", "inner", "a=bias", "a=in2", "a=scale")
	add("ppSliceOf", ppLines, func(t *thread, a *ppArgs) { ppSliceOf(t, &a.In, &a.Out) },
		func(a *ppArgs) kernel { return ppSliceOfKernel(&a.In, &a.Out) }, ppSliceOfSerial, "")
	add("ppLinks", ppLines, func(t *thread, a *ppArgs) { ppLinks(t, a.N, a.List, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppLinksKernel(a.N, a.List, a.In, a.Out) }, ppLinksSerial, "")
	for _, size := range [][2]int{{33, 12}, {40, 11}, {1, 1}} {
		w, h := size[0], size[1]
		add(fmt.Sprintf("ppConvolve %d,%d", w, h), ppBoxes, func(t *thread, a *ppArgs) { ppConvolve(t, w, h, a.P, a.A, a.In, a.Out) },
			func(a *ppArgs) kernel { return ppConvolveKernel(w, h, a.P, a.A, a.In, a.Out) },
			func(cfg grid.Config, a *ppArgs) { ppConvolveSerial(w, h, cfg, a) }, "", "a=alpha", "a=in2")
	}
	add("ppAdded", ppBlocks, func(t *thread, a *ppArgs) { ppAdded(t, a.N, a.C, a.D, a.P, a.Q, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppAddedKernel(a.N, a.C, a.D, a.P, a.Q, a.X, a.Y) }, ppAddedSerial, "", "c=d", "p=q", "c=yn", "c=q.count", "c=table7", "c=q.hist0", "c=q.hist1 p=q")
	one("ppCounted", ppOnes, func(t *thread, a *ppArgs) { ppCounted(t, a.N, a.C, a.D, a.P, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppCountedKernel(a.N, a.C, a.D, a.P, a.X, a.Y) }, ppCountedSerial, "", "c=d", "c=y3", "c=x9", "d=y6", "c=hist")
	add("ppUniform", ppLines, func(t *thread, a *ppArgs) { ppUniform(t, a.N, a.C, a.A, a.P, a.X, a.Y, a.Out) },
		func(a *ppArgs) kernel { return ppUniformKernel(a.N, a.C, a.A, a.P, a.X, a.Y, a.Out) }, ppUniformSerial, "same", "same c=behind", "same a=scale", "same table")
	one("ppReplaced", ppOnes, func(t *thread, a *ppArgs) { ppReplaced(t, a.N, a.P, a.Q, a.Out) },
		func(a *ppArgs) kernel { return ppReplacedKernel(a.N, a.P, a.Q, a.Out) }, ppReplacedSerial, "long", "long p=q")
	add("ppReplacedOnce", ppBlocks, func(t *thread, a *ppArgs) { ppReplacedOnce(t, a.N, a.P, a.Q) },
		func(a *ppArgs) kernel { return ppReplacedOnceKernel(a.N, a.P, a.Q) }, ppReplacedOnceSerial, "", "p=q")
	add("ppPingPong", ppBlocks, func(t *thread, a *ppArgs) { ppPingPong(t, a.N, a.P, a.Q, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppPingPongKernel(a.N, a.P, a.Q, a.In, a.Out) }, ppPingPongSerial, "", "p=q")
	add("ppClosures", ppLines, func(t *thread, a *ppArgs) { ppClosures(t, a.N, a.P, a.A, a.B, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppClosuresKernel(a.N, a.P, a.A, a.B, a.In, a.Out) }, ppClosuresSerial, "", "a=w2", "a=b")
	add("ppCompared", ppLines, func(t *thread, a *ppArgs) { ppCompared(t, a.N, a.P, a.Q, a.C, a.D, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppComparedKernel(a.N, a.P, a.Q, a.C, a.D, a.X, a.Y) }, ppComparedSerial, "", "p=q", "c=d=9")
	add("ppTile", ppFlat, func(t *thread, a *ppArgs) { ppTile(t, a.Rows, a.A, a.In) },
		func(a *ppArgs) kernel { return ppTileKernel(a.Rows, a.A, a.In) }, ppTileSerial, "", "a=row")
	add("ppScatter", ppBlocks, func(t *thread, a *ppArgs) { ppScatter(t, 3, 11, a.P, a.Q, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppScatterKernel(3, 11, a.P, a.Q, a.X, a.Y) }, ppScatterSerial, "", "p=q", "x=p.table")
	add("ppFlag", ppBlocks, func(t *thread, a *ppArgs) { ppFlag(t, a.N, a.Found, a.P, a.Limit, a.X, a.Y) },
		func(a *ppArgs) kernel { return ppFlagKernel(a.N, a.Found, a.P, a.Limit, a.X, a.Y) }, ppFlagSerial, "limit=5", "p.n=5")
	add("ppBranches", ppLines, func(t *thread, a *ppArgs) { ppBranches(t, a.N, a.A, a.B, a.C, a.P, a.X, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppBranchesKernel(a.N, a.A, a.B, a.C, a.P, a.X, a.In, a.Out) }, ppBranchesSerial, "", "a=b", "a=w2", "c=count")
	one("ppLoops", ppAlone, func(t *thread, a *ppArgs) { ppLoops(t, a.N, a.A, a.C, a.Y, a.Out) },
		func(a *ppArgs) kernel { return ppLoopsKernel(a.N, a.A, a.C, a.Y, a.Out) }, ppLoopsSerial, "", "a=out3", "c=y3")
	add("ppNearest", ppLines, func(t *thread, a *ppArgs) { ppNearest(t, a.N, a.P, a.Inner, a.In, a.Y) },
		func(a *ppArgs) kernel { return ppNearestKernel(a.N, a.P, a.Inner, a.In, a.Y) }, ppNearestSerial, "", "inner")
	add("ppPointers", ppLines, func(t *thread, a *ppArgs) { ppPointers(t, a.N, a.Options, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppPointersKernel(a.N, a.Options, a.In, a.Out) }, ppPointersSerial, "")
	add("ppThrough", ppBlocks, func(t *thread, a *ppArgs) { ppThrough(t, a.N, a.P, a.X, a.Y, a.In, a.Out) },
		func(a *ppArgs) kernel { return ppThroughKernel(a.N, a.P, a.X, a.Y, a.In, a.Out) }, ppThroughSerial, "", "out=w", "y=table", "y=k")
	cases = append(cases, ppGenericOf[float32]("ppGeneric float32"), ppGenericOf[float64]("ppGeneric float64"),
		ppTypesOf("ppTypes", ppLines, false), ppTypesOf("ppTypesSet", ppBlocks, true),
		ppOthersOf("ppOthers"), ppGenericSumsOf[int32]("ppGenericSums int32", false), ppGenericSumsOf[uint32]("ppGenericSums uint32", true),
		ppGenericSumsOf[int64]("ppGenericSums int64", false), ppAccountOf("ppLocked", true), ppAccountOf("ppUnlocked", false))
	return cases
}
