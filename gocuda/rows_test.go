package gocuda_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// The sums are those of the loops that the threads have, bit for bit: the order of additions is the same.
func TestAddProducts(t *testing.T) {
	if !gocuda.HasWideInts {
		t.Skip("for ints of 64 bits")
	}
	t.Run("float32", testAddProducts[float32])
	t.Run("float64", testAddProducts[float64])
}

func testAddProducts[T float32 | float64](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []T {
		s := make([]T, n)
		for i := range s {
			s[i] = T(r.NormFloat64())
		}
		return s
	}
	for _, rows := range []int{1, 3, 4, 16, 33} {
		for _, threads := range []int{1, 7, 8, 15, 16, 17, 24, 40} {
			for _, n := range []int{1, 15, 16, 17, 32, 50} {
				for _, c := range []struct{ aRow, aStep, bStep int }{{n, 1, threads}, {n + 3, 1, 16}, {1, rows, 101}, {-n, 1, 0}, {0, 0, 16}, {n, -1, -threads}} {
					aSize, bSize := n*max(c.aStep, -c.aStep)+rows*max(c.aRow, -c.aRow)+1, n*max(c.bStep, -c.bStep)+threads
					a, b := random(2*aSize+1), random(2*bSize+1)
					first, from := aSize, bSize
					got := random(rows * threads)
					want := slices.Clone(got)
					for row := range rows {
						for x := range threads {
							for i := range n {
								want[row*threads+x] += T(a[first+row*c.aRow+i*c.aStep] * b[from+i*c.bStep+x])
							}
						}
					}
					gocuda.AddProducts(got, a, first, first+c.aRow, c.aStep, b, from, c.bStep, rows, threads, n)
					slicetest.Equal(t, want, got, "%d rows of %d threads, %d rounds, steps %v", rows, threads, n, c)
				}
			}
		}
	}
}

func TestCopyRows(t *testing.T) {
	if !gocuda.HasWideInts {
		t.Skip("for ints of 64 bits")
	}
	t.Run("uint8", testCopyRows[uint8])
	t.Run("float32", testCopyRows[float32])
	t.Run("float64", testCopyRows[float64])
}

func testCopyRows[T uint8 | float32 | float64](t *testing.T) {
	for _, n := range []int{0, 1, 4, 8, 16, 17, 32, 64} {
		for _, rows := range []int{0, 1, 2, 9} {
			for _, step := range [][2]int{{n, n}, {n + 1, 100}, {-n, 64}, {70, -n}, {n, 0}} {
				dst, src := make([]T, 2000), make([]T, 2000)
				for i := range src {
					src[i] = T(i%100 + 1)
				}
				want := slices.Clone(dst)
				first, from := 1000, 990
				for r := range rows {
					copy(want[first+r*step[0]:], src[from+r*step[1]:][:n])
				}
				gocuda.CopyRows(dst, first, first+step[0], src, from, from+step[1], rows, n)
				slicetest.Equal(t, want, dst, "%d rows of %d, %v apart", rows, n, step)
			}
		}
	}
}

// Tiles, and sixteen rows of sixteen threads of a matrix.
func BenchmarkAddProducts(b *testing.B) {
	for _, n := range []int{4, 8, 12, 16, 1024} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := min(n, 16)
			sums, x, y := make([]float32, 256), make([]float32, 16*n), make([]float32, n*n)
			for i := range x {
				x[i] = 1
			}
			for i := range y {
				y[i] = 1
			}
			for b.Loop() {
				clear(sums)
				gocuda.AddProducts(sums, x, 0, n, 1, y, 0, n, w, w, n)
			}
			slicetest.Each(b, func(int) float32 { return float32(n) }, sums[:w*w])
			b.ReportMetric(2*float64(w*w*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
		})
	}
}
