package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"math"
)

// The tables of the special function unit's model, sfu_tables.go. For each interval the minimax
// quadratic of the function is found by Remez's exchange. Rounding its coefficients to the few bits
// of a word one by one would lose most of what was won. So, as in "enhanced minimax" (Piñeiro,
// Oberman, Muller and Bruguera, IEEE Transactions on Computers 54, 2005), C1 is rounded first and
// C2 makes up for it, then C2 is rounded and C0 makes up for that: here for several C1 and C2 near
// the best, each tried with the integer arithmetic of the unit.

// Units of the arithmetic, as in device/sfu.go.
const (
	sfuInput  = 23 // fraction bits of the operand
	sfuSquare = 30 // fraction bits that are kept of Xl^2
	sfuSum    = 41 // fraction bits of the sum
)

// An sfuTable says how one table is made.
type sfuTable struct {
	name       string
	parts      []func(x float64) float64 // the functions, for x from 0 to 1, one after the other
	entries    int                       // of equal width, for each part
	w0, w1, w2 int                       // bits of the coefficients, without their signs
	p0, p1, p2 int                       // and how many of them are fraction
	result     int                       // fraction bits of a rounded result
	rises      int64                     // 1 if results must not fall, -1 if they must not rise
}

type parts []func(x float64) float64

var sfuTables = []sfuTable{
	{"sfuRcp", parts{func(x float64) float64 { return 1 / (1 + x) }}, 128, 26, 16, 10, 26, 16, 10, 24, -1},
	{"sfuRsqrt", parts{
		func(x float64) float64 { return 1 / math.Sqrt(1+x) },
		func(x float64) float64 { return 1 / math.Sqrt(2+2*x) },
	}, 64, 26, 16, 10, 26, 17, 11, 24, -1},
	{"sfuEx2", parts{math.Exp2}, 64, 26, 16, 10, 25, 15, 11, 23, 1},
	{"sfuLg2", parts{func(x float64) float64 { return math.Log1p(x) / math.Ln2 }}, 64, 26, 16, 10, 26, 15, 10, 24, 1},
	{"sfuSin", parts{func(x float64) float64 { return math.Sin(math.Pi / 2 * x) }}, 64, 26, 15, 11, 26, 14, 10, 24, 0},
}

// solve solves a system of four linear equations by elimination.
func solve(a [4][5]float64) (x [4]float64) {
	for i := range 4 {
		p := i
		for k := i + 1; k < 4; k++ {
			if math.Abs(a[k][i]) > math.Abs(a[p][i]) {
				p = k
			}
		}
		a[i], a[p] = a[p], a[i]
		for k := range 4 {
			if k == i {
				continue
			}
			m := a[k][i] / a[i][i]
			for j := i; j < 5; j++ {
				a[k][j] -= float64(m * a[i][j])
			}
		}
	}
	for i := range 4 {
		x[i] = a[i][4] / a[i][i]
	}
	return x
}

// remez returns the quadratic c0 + c1 t + c2 t^2 of the least largest error from g, for t from 0 to 1.
func remez(g func(t float64) float64) (c [3]float64) {
	at := [4]float64{0, 0.25, 0.75, 1} // the extrema of Chebyshev's cubic
	for range 8 {
		var a [4][5]float64
		sign := 1.0
		for i, t := range at {
			a[i] = [5]float64{1, t, t * t, sign, g(t)}
			sign = -sign
		}
		s := solve(a)
		c = [3]float64{s[0], s[1], s[2]}
		// The ends stay; the inner points go to the extrema near them.
		for i := 1; i <= 2; i++ {
			best, most := at[i], -1.0
			for d := -0.125; d <= 0.125; d += 1.0 / 512 {
				t := at[i] + d
				if e := math.Abs(g(t) - (c[0] + float64(t*(c[1]+float64(t*c[2]))))); t > 0 && t < 1 && e > most {
					best, most = t, e
				}
			}
			at[i] = best
		}
	}
	return c
}

// round returns a sum as a multiple of a unit of the result.
func (s sfuTable) round(sum int64) int64 {
	return (sum + 1<<(sfuSum-s.result-1)) >> (sfuSum - s.result)
}

// sum is C0 + C1 Xl + C2 Xl^2, as the unit adds it up.
func (s sfuTable) sum(c0, c1, c2, x int64) int64 {
	square := x * x >> (2*sfuInput - sfuSquare)
	return c0<<(sfuSum-s.p0) + c1*x<<(sfuSum-sfuInput-s.p1) + c2*square<<(sfuSum-sfuSquare-s.p2)
}

// entry returns the words of entry number k for f.
// before is the rounded result at the end of the entry
// before it.
func (s sfuTable) entry(f func(x float64) float64, k int, before int64) (c0, c1, c2 int64) {
	h := 1 / float64(s.entries)
	from := float64(k) * h
	best := remez(func(t float64) float64 { return f(from + float64(t*h)) })
	b1, b2 := best[1]/h, best[2]/(h*h) // of Xl = t h

	const points = 512
	var low [points + 1]int64 // Xl in units of 2^-23
	var want [points + 1]float64
	width := int64(1) << sfuInput / int64(s.entries)
	for i := range low {
		low[i] = min(int64(i)*width/points, width-1)
		want[i] = math.Ldexp(f(from+math.Ldexp(float64(low[i]), -sfuInput)), sfuSum)
	}
	unit1, unit2 := math.Ldexp(1, -s.p1), math.Ldexp(1, -s.p2)
	unit0 := math.Ldexp(1, sfuSum-s.p0)
	least := math.Inf(1)
	for d1 := -12; d1 <= 12; d1++ {
		n1 := int64(math.Round(b1/unit1)) + int64(d1)
		// On [0, h] the line t is nearest to t^2 + 1/8 among the quadratics without t.
		n2 := int64(math.Round((b2 - (float64(n1)*unit1-b1)/h) / unit2))
		for d2 := int64(-3); d2 <= 3; d2++ {
			lo, hi := math.Inf(1), math.Inf(-1)
			for i, x := range low {
				e := want[i] - float64(s.sum(0, n1, n2+d2, x))
				lo, hi = min(lo, e), max(hi, e)
			}
			n0 := min(math.Round((lo+hi)/2/unit0), float64(int64(1)<<s.w0-1))
			if k == 0 && f(0) == 0 {
				n0 = 0
			} else if k == 0 && f(0) == 1 {
				// So that powers of two come out exact: below 1 what is rounded up to it, else not
				// less. 1/sqrt(x) would have 23.37 good bits then (all words within 40 of the best
				// were tried), which is less than the unit's 23.40, so its powers of four are left
				// a unit low.
				one, near := math.Ldexp(1, s.p0), math.Ldexp(1, s.p0-s.result-1)
				if s.rises > 0 {
					n0 = min(max(n0, one), one+near-1)
				} else if len(s.parts) == 1 {
					n0 = max(n0, one-near)
				}
			}
			first := s.round(int64(n0) << (sfuSum - s.p0))
			if s.rises*(first-before) < 0 {
				continue // than the entry before
			}
			if worst := max(hi-n0*unit0, n0*unit0-lo); worst < least {
				least, c0, c1, c2 = worst, int64(n0), n1, n2+d2
			}
		}
	}
	if c0 < 0 || max(c1, -c1)>>s.w1 != 0 || max(c2, -c2)>>s.w2 != 0 {
		log.Fatalf("%s, entry %d: %d, %d, %d don't fit their words", s.name, k, c0, c1, c2)
	}
	return c0, c1, c2
}

// sfu returns the formatted file of tables.
func sfu() []byte {
	b := bytes.NewBufferString("// Code generated by go run ./internal/gen; DO NOT EDIT.\n\npackage device\n\n")
	for _, s := range sfuTables {
		fmt.Fprintf(b, "var %s = [%d]SFUEntry{\n", s.name, s.entries*len(s.parts))
		last := s.round(int64(s.parts[0](0) * (1 << sfuSum)))
		for _, f := range s.parts {
			for k := range s.entries {
				c0, c1, c2 := s.entry(f, k, last)
				last = s.round(s.sum(c0, c1, c2, 1<<sfuInput/int64(s.entries)-1))
				fmt.Fprintf(b, "{%#07x, %d, %d},", c0, c1, c2)
				if k%4 == 3 {
					b.WriteByte('\n')
				}
			}
		}
		b.WriteString("}\n\n")
	}
	src, err := format.Source(b.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	return src
}
