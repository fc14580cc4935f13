//go:build compiled

package corpus

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels in which a thread has a row of a matrix that it stores to as it goes along: sums,
// recurrences, eliminations. Rows are long and short, and some are apart by a power of two.

// Running sums.
//
//gocuda:kernel
func rsSums(t *gocuda.Thread, rows, m int, a, b, c []float64) {
	i := t.GlobalX()
	if i < rows {
		sum := 0.0
		for j := 0; j < m; j++ {
			sum += a[i*m+j]
			c[i*m+j] = sum
		}
	}
}

// Tridiagonal systems, forward and back (Thomas, 1949).
//
//gocuda:kernel
func rsThomas(t *gocuda.Thread, rows, m int, a, b, c []float32) {
	i := t.GlobalX()
	if i >= rows || m == 0 {
		return
	}
	for j := 1; j < m; j++ {
		w := a[i*m+j] / (b[i*m+j-1] + 3)
		b[i*m+j] -= w * a[i*m+j-1]
		c[i*m+j] -= w * c[i*m+j-1]
	}
	c[i*m+m-1] /= b[i*m+m-1] + 3
	for j := m - 2; j >= 0; j-- {
		c[i*m+j] = (c[i*m+j] - a[i*m+j]*c[i*m+j+1]) / (b[i*m+j] + 3)
	}
}

// A recurrence of two steps, and what comes next is looked at.
//
//gocuda:kernel
func rsSteps(t *gocuda.Thread, rows, m int, a, b, c []int32) {
	row := t.GlobalX() * m
	if t.GlobalX() < rows {
		for j := 2; j < m-1; j++ {
			at := row + j
			a[at] = a[at-1] + 3*a[at-2] - a[at+1]
			a[at] ^= b[at]
			c[at] = a[at] + a[at-1]
		}
	}
}

// The same backwards, with elements of 64 bits.
//
//gocuda:kernel
func rsBack(t *gocuda.Thread, rows, m int, a, b, c []int64) {
	i := t.GlobalX()
	if i < rows {
		for j := m - 3; j > 0; j-- {
			a[i*m+j] += a[i*m+j+2]<<1 - a[i*m+j-1]
		}
	}
}

// All rows but the first are reduced by the first.
//
//gocuda:kernel
func rsReduce(t *gocuda.Thread, rows, m int, a, b, c []float32) {
	i := t.GlobalX()
	if i == 0 || i >= rows || m == 0 {
		return
	}
	f := a[i*m] / (a[0] + 2)
	for j := 0; j < m; j++ {
		a[i*m+j] -= f * a[j]
	}
}

// Only some elements are stored.
//
//gocuda:kernel
func rsSome(t *gocuda.Thread, rows, m int, a, b, c []float32) {
	i := t.GlobalX()
	if i < rows {
		for j := 0; j < m; j++ {
			if a[i*m+j] > b[i*m+j] {
				c[i*m+j] = a[i*m+j]
			}
		}
	}
}

// The largest of what was so far, with where it is.
//
//gocuda:kernel
func rsPeaks(t *gocuda.Thread, rows, m int, a, b, c []int32) {
	i := t.GlobalX()
	if i < rows {
		best := int32(-1 << 31)
		for j := 0; j < m; j++ {
			if a[i*m+j] > best {
				best = a[i*m+j]
				b[i*m] = int32(j)
			}
			c[i*m+j] = best
		}
	}
}

// Rows of a plane of threads each: y has the layer.
//
//gocuda:kernel
func rsLayers(t *gocuda.Thread, rows, m int, a, b, c []float32) {
	i, k := t.GlobalX(), t.GlobalY()
	if i < rows && k < 3 {
		for j := 1; j < m; j++ {
			c[(k*rows+i)*m+j] = 0.5*c[(k*rows+i)*m+j-1] + a[i*m+j]
		}
	}
}

// Elements far apart once, and in a loop of few.
//
//gocuda:kernel
func rsOnce(t *gocuda.Thread, rows, m int, a, b, c []float32) {
	i := t.GlobalX()
	if i < rows && m > 2 {
		c[i*m+m/2] = a[i*m] / (b[i*m+1] + 3)
	}
}

func rsSumsWant(a, b, c []float64) {
	s := 0.0
	for j, v := range a {
		s += v
		c[j] = s
	}
}

func rsThomasWant(a, b, c []float32) {
	m := len(a)
	for j := range m {
		if j > 0 {
			w := a[j] / (b[j-1] + 3)
			b[j] = b[j] - w*a[j-1]
			c[j] = c[j] - w*c[j-1]
		}
	}
	if m == 0 {
		return
	}
	last := c[m-1] / (b[m-1] + 3)
	c[m-1] = last
	for j := m - 2; j >= 0; j-- {
		last = (c[j] - a[j]*last) / (b[j] + 3)
		c[j] = last
	}
}

func rsStepsWant(a, b, c []int32) {
	for j := 2; j < len(a)-1; j++ {
		v := (a[j-1] + 3*a[j-2] - a[j+1]) ^ b[j]
		a[j], c[j] = v, v+a[j-1]
	}
}

func rsBackWant(a, b, c []int64) {
	for j := len(a) - 3; j > 0; j-- {
		a[j] = a[j] + 2*a[j+2] - a[j-1]
	}
}

func rsSomeWant(a, b, c []float32) {
	for j := range a {
		if a[j] > b[j] {
			c[j] = a[j]
		}
	}
}

func rsPeaksWant(a, b, c []int32) {
	for j := range a {
		c[j] = slices.Max(a[:j+1])
	}
	if len(a) > 0 {
		b[0] = int32(slices.Index(a, slices.Max(a)))
	}
}

func rsOnceWant(a, b, c []float32) {
	if m := len(a); m > 2 {
		c[m/2] = a[0] / (b[1] + 3)
	}
}

func rsCases() (cases []Case) {
	for _, m := range []int{0, 1, 2, 3, 7, 8, 15, 16, 17, 18, 31, 33, 64, 100, 128, 1024} {
		rowCases(&cases, "rsSums", m, rsSums, rsSumsKernel, rsSumsWant)
		rowCases(&cases, "rsThomas", m, rsThomas, rsThomasKernel, rsThomasWant)
		rowCases(&cases, "rsSteps", m, rsSteps, rsStepsKernel, rsStepsWant)
		rowCases(&cases, "rsBack", m, rsBack, rsBackKernel, rsBackWant)
		rowCases(&cases, "rsReduce", m, rsReduce, rsReduceKernel, nil)
		rowCases(&cases, "rsSome", m, rsSome, rsSomeKernel, rsSomeWant)
		rowCases(&cases, "rsPeaks", m, rsPeaks, rsPeaksKernel, rsPeaksWant)
		rowCases(&cases, "rsLayers", m, rsLayers, rsLayersKernel, nil)
		rowCases(&cases, "rsOnce", m, rsOnce, rsOnceKernel, rsOnceWant)
	}
	return cases
}

// rowCases adds the cases of a kernel on matrices with rows of m elements: three matrices, and one
// that is all three. want does a row.
func rowCases[T any](cases *[]Case, name string, m int, source func(*gocuda.Thread, int, int, []T, []T, []T), compiled func(int, int, []T, []T, []T) gocuda.Kernel, want func(a, b, c []T)) {
	cfgs := []grid.Config{line(1, 1), line(2, 33), line(1, 100), line(3, 64), {Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 17, Y: 2}}}
	for _, one := range []bool{false, true} {
		if one && name == "rsLayers" {
			continue // threads would store what others read
		}
		of := func(cfg grid.Config) (rows int, ms [3][]T) {
			rows = cfg.Grid.X*cfg.Block.X - 1
			for i := range ms {
				ms[i] = rsNumbers[T](3*max(rows, 1)*m+1, i)
				if one {
					ms[i] = ms[0]
				}
			}
			return rows, ms
		}
		var serial func(cfg grid.Config) []any
		if want != nil && !one {
			serial = func(cfg grid.Config) []any {
				rows, ms := of(cfg)
				for i := range rows {
					want(ms[0][i*m:(i+1)*m], ms[1][i*m:(i+1)*m], ms[2][i*m:(i+1)*m])
				}
				return []any{ms[0], ms[1], ms[2]}
			}
		}
		cs := cfgs
		if name != "rsLayers" {
			cs = cfgs[:4]
		}
		*cases = append(*cases, made(fmt.Sprint(name, " ", m, " ", one), cs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			rows, ms := of(cfg)
			return func(t *gocuda.Thread) { source(t, rows, m, ms[0], ms[1], ms[2]) }, compiled(rows, m, ms[0], ms[1], ms[2]), []any{ms[0], ms[1], ms[2]}
		}, serial))
	}
}

// rsNumbers are small numbers.
func rsNumbers[T any](n, seed int) []T {
	s := make([]T, n)
	for i := range s {
		h := int(hash(i+seed*1_000_003) % 64)
		switch p := any(&s[i]).(type) {
		case *float32:
			*p = float32(h) / 16
		case *float64:
			*p = float64(h) / 16
		case *int32:
			*p = int32(h) - 20
		case *int64:
			*p = int64(h) - 20
		}
	}
	return s
}
