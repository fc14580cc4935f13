//go:build compiled

package corpus

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Parts of a matrix: loops under a condition that is true for the threads on one side of a
// diagonal, or in a band.

// Scores of queries and keys, of those that are not behind the query (causal attention).
//
//gocuda:kernel
func tgScores(t *gocuda.Thread, n, m int, a, b, out []float32, ints []int32, sums []int32) {
	j, i := t.GlobalX(), t.GlobalY()
	if i >= n || j >= n {
		return
	}
	if j > i {
		out[i*n+j] = -1e9
		return
	}
	dot := float32(0)
	for d := 0; d < m; d++ {
		dot += a[i*m+d] * b[j*m+d]
	}
	out[i*n+j] = dot * 0.125
	sums[i*n+j]++
}

func tgScoresSerial(n, m int, a, b, out []float32, ints, sums []int32) {
	for i := range n {
		for j := range n {
			if out[i*n+j] = -1e9; j > i {
				continue
			}
			dot := float32(0)
			for d := range m {
				product := a[i*m+d] * b[j*m+d]
				dot += product
			}
			out[i*n+j] = dot * 0.125
			sums[i*n+j]++
		}
	}
}

// Products of a matrix and its transpose, of which the upper triangle is stored, and its mirror image.
//
//gocuda:kernel
func tgGram(t *gocuda.Thread, n, m int, a, b, out []float32, ints []int32, sums []int32) {
	j, i := t.GlobalX(), t.GlobalY()
	if i < n && j < n && i <= j {
		sum, same := int32(0), int32(0)
		for k := 0; k < m; k++ {
			u, v := ints[i*m+k], ints[j*m+k]
			sum += u * v
			same = max(same, u-v)
		}
		sums[i*n+j] = sum
		if i < j {
			sums[j*n+i] = sum + same
		}
	}
}

func tgGramSerial(n, m int, a, b, out []float32, ints, sums []int32) {
	for i := range n {
		for j := i; j < n; j++ {
			sum, most := int32(0), int32(0)
			for k, u := range ints[i*m : i*m+m] {
				v := ints[j*m+k]
				sum += u * v
				if u-v > most {
					most = u - v
				}
			}
			sums[i*n+j] = sum
			if i != j {
				sums[j*n+i] = sum + most
			}
		}
	}
}

// A band around the diagonal, by columns of one matrix.
//
//gocuda:kernel
func tgBand(t *gocuda.Thread, n, m int, a, b, out []float32, ints []int32, sums []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= n || y >= n {
		return
	}
	if x >= y-m && x <= y+m {
		sum, first := float32(0), float32(1)
		for k := 0; k < m; k++ {
			first = a[x*m+k]
			sum += first * b[y*m+k]
		}
		out[y*n+x] = sum + first
	} else {
		out[y*n+x] = 0.5
	}
}

// Rows above the own: the condition keeps the last threads from elements that do not exist.
//
//gocuda:kernel
func tgGuarded(t *gocuda.Thread, n, m int, a, b, out []float32, ints []int32, sums []int32) {
	j, i := t.GlobalX(), t.GlobalY()
	if i >= n || j >= n {
		return
	}
	sum := int32(-1)
	if j+1 < n && i < n-1 {
		sum = 0
		for k := 0; k < m; k++ {
			sum += ints[(j+1)*m+k] ^ ints[(i+1)*m+k]
		}
	}
	sums[i*n+j] = sum
}

// A number that has been there before the branch, and a division in the loop by what some threads
// have 0.
//
//gocuda:kernel
func tgDivided(t *gocuda.Thread, n, m int, a, b, out []float32, ints []int32, sums []int32) {
	j, i := t.GlobalX(), t.GlobalY()
	if i >= n || j >= n {
		return
	}
	sum := int32(j)
	by := int32(max(i-j, 0))
	if j < i {
		for k := 0; k < m; k++ {
			sum += ints[j*m+k] / by
		}
		rest := int32(0)
		for k := 0; k < m; k++ {
			rest += ints[j*m+k] % by
		}
		sum ^= rest
	}
	sums[i*n+j] = sum
}

// An anti-diagonal: only the threads on one side of it have elements.
//
//gocuda:kernel
func tgAnti(t *gocuda.Thread, n, m int, a, b, out []float32, ints []int32, sums []int32) {
	j, i := t.GlobalX(), t.GlobalY()
	if i >= n || j >= n {
		return
	}
	sum := float32(0)
	if i+j < n {
		part := float32(1)
		for k := 0; k < m; k++ {
			part += a[(i+j)*m+k] * b[j*m+k]
		}
		sum = part
	}
	out[i*n+j] = sum
}

func tgCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n, m int, a, b, out []float32, ints []int32, sums []int32)
	for _, k := range []struct {
		name     string
		source   kernel
		compiled func(n, m int, a, b, out []float32, ints []int32, sums []int32) gocuda.Kernel
		serial   func(n, m int, a, b, out []float32, ints, sums []int32)
	}{
		{"tgScores", tgScores, tgScoresKernel, tgScoresSerial},
		{"tgGram", tgGram, tgGramKernel, tgGramSerial},
		{"tgBand", tgBand, tgBandKernel, nil},
		{"tgGuarded", tgGuarded, tgGuardedKernel, nil},
		{"tgDivided", tgDivided, tgDividedKernel, nil},
		{"tgAnti", tgAnti, tgAntiKernel, nil},
	} {
		for _, s := range []struct{ n, m, x, y int }{{64, 20, 32, 8}, {50, 33, 16, 16}, {37, 16, 64, 4}, {16, 5, 16, 16}, {70, 1, 8, 8}, {33, 0, 32, 4}} {
			cfg := grid.Rect(s.n, s.n, s.x, s.y)
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d and %d, blocks of %d by %d", k.name, s.n, s.m, s.x, s.y), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				a, b, ints := make([]float32, s.n*s.m), make([]float32, s.n*s.m), make([]int32, s.n*s.m)
				out, sums := make([]float32, s.n*s.n), make([]int32, s.n*s.n)
				for i := range a {
					a[i], b[i], ints[i] = float32(i*i%101)/16-3, float32(i*7%89)/8-5, int32(i*i%1009)-500
				}
				made := Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.n, s.m, a, b, out, ints, sums) }),
					Compiled: k.compiled(s.n, s.m, a, b, out, ints, sums),
					Outputs:  []any{out, sums},
				}
				if k.serial != nil {
					made.Want = func() []any {
						out, sums := make([]float32, s.n*s.n), make([]int32, s.n*s.n)
						k.serial(s.n, s.m, slices.Clone(a), slices.Clone(b), out, slices.Clone(ints), sums)
						return []any{out, sums}
					}
				}
				return made
			}})
		}
	}
	return cases
}
