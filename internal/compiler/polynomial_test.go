package compiler

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// valueAt evaluates a polynomial.
func valueAt(p poly, at map[string]int64) int64 {
	sum := int64(0)
	for m, n := range p {
		if m != "" {
			for f := range strings.SplitSeq(m, "*") {
				n *= at[f]
			}
		}
		sum += n
	}
	return sum
}

// Sums, products and parts of polynomials have the values that follow from their operands.
func TestPolynomials(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	names := []string{laneSymbol, "c0", "c1", "r0", "r1"}
	random := func() poly {
		p := number(r.Int64N(7) - 3)
		for range r.IntN(3) {
			p = p.plus(poly{names[r.IntN(len(names))]: 1}.times(number(1+r.Int64N(4))), 1)
		}
		return p
	}
	for range 2000 {
		at := map[string]int64{}
		for _, n := range names {
			at[n] = r.Int64N(100) - 50
		}
		p, q := random(), random()
		x, y := valueAt(p, at), valueAt(q, at)
		require.Equal(t, x+y, valueAt(p.plus(q, 1), at))
		require.Equal(t, x-y, valueAt(p.plus(q, -1), at))
		product := p.times(q)
		require.Equal(t, x*y, valueAt(product, at))
		for _, n := range names {
			factor, rest, ok := product.by(n)
			if ok {
				require.Equal(t, x*y, valueAt(factor, at)*at[n]+valueAt(rest, at))
				require.Empty(t, factor[n])
			} else {
				require.True(t, strings.Contains(fmt.Sprint(product), n+"*"+n))
			}
		}
	}
}

// A quotient by a product has the value of the quotient, and there is none where it would not be exact.
func TestQuotientsOfPolynomials(t *testing.T) {
	p := poly{"r0*t": 3, "r0*r1": -2}
	for _, by := range []poly{{"r0": 1}, {"r0": -1}, {"": 1}, {"": -1}} {
		q, ok := p.over(by)
		require.True(t, ok, by)
		assert.Equal(t, p, q.times(by))
	}
	for _, by := range []poly{{"t": 1}, {"r0": 2}, {"r0": 1, "": 1}, {"r0*r1": 1}, {}} {
		_, ok := p.over(by)
		assert.False(t, ok, by)
	}
}

// Facts that are farther from an edge imply those that are nearer.
func TestImpliedFacts(t *testing.T) {
	inside, below := fact{"t": 1, "": 1}, fact{"t": 1, "r0": -1, "": 1} // t >= 0, t >= r0
	assert.True(t, below.implies(inside))
	assert.False(t, inside.implies(below))
	assert.False(t, fact{"t": -1}.implies(inside))
	assert.Equal(t, []fact{below}, strongest([]fact{inside, below}))
	assert.Equal(t, []fact{inside}, strongest([]fact{inside, inside}))
}

// Products of numbers with as many bits, and of counters of 22 bits, don't wrap around when seven of
// them are added.
func TestBitsOfFactors(t *testing.T) {
	for factors := 1; factors <= 4; factors++ {
		for shift := range 24 {
			bits := bitsOfFactors(1<<shift, factors)
			if bits == 0 {
				assert.True(t, shift > 4 || factors > 3)
				continue
			}
			assert.LessOrEqual(t, shift+factors*bits, 60)
			if factors > 1 {
				assert.LessOrEqual(t, shift+22+(factors-1)*bits, 60)
			}
			assert.Equal(t, bits, bitsOfFactors(-1<<shift, factors))
		}
	}
}

// The text of a polynomial is a Go expression.
func TestTextOfPolynomials(t *testing.T) {
	s := &symbols{}
	n, row := s.row("n"), s.row("(y+1)")
	assert.Equal(t, "0", s.text(poly{}))
	assert.Equal(t, "(y+1) + 3*n - 2", s.text(n.times(number(3)).plus(row, 1).plus(number(2), -1)))
	assert.Equal(t, "-n*(y+1) + 1", s.text(number(1).plus(n.times(row), -1)))
	assert.Equal(t, n, s.row("n"), "one symbol for one text")
}

// Which integers are affine in the thread's index and loop counters, and the reasons against nests.
func TestNests(t *testing.T) {
	for _, c := range []struct{ name, body, why string }{
		{"neighbours", "i := t.GlobalX(); if i < n { fs[i] = fs[i]*2 + 1 }", ""},
		{"a sum over rows", "i := t.GlobalX(); if i < n { s := fs[i]; for k := 0; k < q; k++ { s += fs[k*n+i] }; fs[i] = s }", ""},
		{"a step of a constant", "i := t.GlobalX(); if i < n { s := fs[i]; for k := q; k > 2; k -= 3 { s += fs[k*n+i] }; fs[i] = s }", ""},
		{"elements at a distance", "i := t.GlobalX(); if i < n { fs[i] = fs[i*q+1] }", ""},
		{"edges", "i := t.GlobalX(); if i < n { s := fs[i]; if i > 0 { s += fs[i-1] }; fs[i] = s }", ""},
		{"an index from memory", "i := t.GlobalX(); if i < n { fs[i] = fs[x[i]] }", ""},
		{"a place from a number", "i := t.GlobalX(); if i < n*q { x, y := i%n, i/n; if x > 0 && y > 0 { fs[y*n+x] += fs[(y-1)*n+x-1] } }", ""},
		{"bits of a number", "i := t.GlobalX(); if i < n { fs[i] += fs[i>>3] * fs[i&7] }", ""},
		{"indices of 32 bits", "i, m := int32(t.GlobalX()), int32(n); if i < m { fs[i] = fs[i*int32(q)+1] }", ""},
		{"a loop in strides", "s := fs[0]; for i := t.GlobalX(); i < n; i += q { s += fs[i] }; fs[t.GlobalX()] = s", ""},
		{"a search", "lo, hi := 0, n; for lo < hi { m := (lo+hi)>>1; if fs[m] < fs[t.GlobalX()] { lo = m + 1 } else { hi = m } }; x[t.GlobalX()] = lo", ""},
		{"a square", "i := t.GlobalX(); if i < n { fs[i] = fs[i*i] }", "no steady distance"},
		{"one element for all", "if t.GlobalX() < n { fs[q] = 1 }", ""},
		{"elements far apart", "i := t.GlobalX(); if i < n { fs[i*q] = 1 }", ""},
		{"a row a thread", "i := t.GlobalX(); if i < n { for j := 1; j < q; j++ { fs[i*q+j] += 2 * fs[i*q+j-1] } }", ""},
		{"a call", "i := t.GlobalX(); if i < n { fs[i] = float32(math.Gamma(float64(fs[i]))) }", "a call of math.Gamma"},
		{"a loop that lanes leave", "i := t.GlobalX(); if i < n { s := fs[i]; for s < 9 { s += 1 }; fs[i] = s }", ""},
		{"a loop that lanes leave, behind a store", "i := t.GlobalX(); if i < n { fs[i] = 1; s := fs[n-1-i]; for s < 9 { s += 1 }; fs[i] = s }", "stored before"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := snippetOf(t, inKernel(c.body))
			s.prog.options.NoNests = false
			r, err := s.prog.generateBut(s.pkg, nil)
			require.NoError(t, err)
			said := ""
			for _, n := range r.Explain {
				if _, what, found := strings.Cut(n.Message, "phase 1: "); found && strings.Contains(what, "assembly") || strings.Contains(what, "no vectors") {
					said += what + "\n"
				}
			}
			if c.why == "" {
				assert.Regexp(t, `^rows in assembly[^\n]*\n$`, said)
			} else {
				assert.Contains(t, said, c.why)
			}
		})
	}
}
