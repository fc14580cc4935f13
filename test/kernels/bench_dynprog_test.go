package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/dynprog"
)

// benchmarkGraph makes a dense graph whose distances are small integers.
func benchmarkGraph(n int) []float32 {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	dist := make([]float32, n*n)
	for i := range n {
		for j := range n {
			if i != j {
				dist[i*n+j] = float32(1 + r.IntN(1000))
			}
		}
	}
	return dist
}

func BenchmarkFloydWarshall(b *testing.B) {
	for _, n := range []int{256, 1024} {
		edges := benchmarkGraph(n)
		want := slices.Clone(edges)
		require.NoError(b, dynprog.FloydWarshall(b.Context(), gocuda.Default(), n, want, nil))
		run := func(name string, f func(b *testing.B, dist []float32)) {
			b.Run(fmt.Sprintf("size=%d/exec=%s", n, name), func(b *testing.B) {
				dist := make([]float32, n*n)
				for b.Loop() {
					copy(dist, edges)
					f(b, dist)
				}
				b.ReportMetric(float64(n)*float64(n)*float64(n)*float64(b.N)/1e9/b.Elapsed().Seconds(), "Gpath/s")
				slicetest.Equal(b, want, dist, "not the distances")
			})
		}
		run("gocuda", func(b *testing.B, dist []float32) {
			if err := dynprog.FloydWarshall(b.Context(), gocuda.Default(), n, dist, nil); err != nil {
				b.Fatal(err)
			}
		})
		run("gocuda-paths", func(b *testing.B, dist []float32) {
			if err := dynprog.FloydWarshall(b.Context(), gocuda.Default(), n, dist, make([]int32, n*n)); err != nil {
				b.Fatal(err)
			}
		})
		run("naive", func(b *testing.B, dist []float32) {
			if err := dynprog.FloydWarshallNaive(b.Context(), gocuda.Default(), n, dist, nil); err != nil {
				b.Fatal(err)
			}
		})
		run("goroutines", func(_ *testing.B, dist []float32) {
			procs := runtime.GOMAXPROCS(0)
			for k := range n {
				var wg sync.WaitGroup
				for p := range procs {
					wg.Go(func() {
						via := dist[k*n : (k+1)*n]
						for i := n * p / procs; i < n*(p+1)/procs; i++ {
							if i == k {
								continue
							}
							row := dist[i*n : (i+1)*n][:len(via)]
							in := row[k]
							for j, v := range via {
								if d := in + v; d < row[j] {
									row[j] = d
								}
							}
						}
					})
				}
				wg.Wait()
			}
		})
		if n <= 256 {
			g := simple.NewWeightedDirectedGraph(0, math.Inf(1))
			for i := range n {
				g.AddNode(simple.Node(i))
			}
			for i := range n {
				for j := range n {
					if i != j {
						g.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(i), T: simple.Node(j), W: float64(edges[i*n+j])})
					}
				}
			}
			run("gonum", func(b *testing.B, dist []float32) {
				all, ok := path.FloydWarshall(g)
				require.True(b, ok, "a negative cycle")
				for i := range dist {
					dist[i] = float32(all.Weight(int64(i/n), int64(i%n)))
				}
			})
		}
	}
}

func BenchmarkNeedlemanWunsch(b *testing.B) {
	s := &dynprog.Scoring{Match: 2, Mismatch: -1, Gap: -2}
	for _, n := range []int{512, 4096} {
		r := rand.New(rand.NewPCG(2, uint64(n)))
		seqA, seqB := make([]byte, n), make([]byte, n)
		for i := range n {
			seqA[i], seqB[i] = "ACGT"[r.IntN(4)], "ACGT"[r.IntN(4)]
		}
		want := serial.NeedlemanWunsch(s, seqA, seqB)
		run := func(name string, f func() int32) {
			b.Run(fmt.Sprintf("size=%d/exec=%s", n, name), func(b *testing.B) {
				var score int32
				for b.Loop() {
					score = f()
				}
				b.ReportMetric(float64(n)*float64(n)*float64(b.N)/1e6/b.Elapsed().Seconds(), "Mcell/s")
				assert.Equal(b, want.Score, score, "score")
			})
		}
		run("gocuda", func() int32 {
			got, err := dynprog.NeedlemanWunsch(b.Context(), gocuda.Default(), s, seqA, seqB)
			if err != nil {
				b.Fatal(err)
			}
			return got.Score
		})
		run("naive", func() int32 {
			got, err := dynprog.NeedlemanWunschNaive(b.Context(), gocuda.Default(), s, seqA, seqB)
			if err != nil {
				b.Fatal(err)
			}
			return got.Score
		})
		run("goroutines", func() int32 { return alignByGoroutines(s, seqA, seqB) })
	}
}

// alignByGoroutines fills a table by rows: a goroutine for a band of columns, which tells the next
// one how many rows it has done. It returns the score only.
func alignByGoroutines(s *dynprog.Scoring, a, b []byte) int32 {
	const rows = 64 // to do before telling
	w := len(b) + 1
	table := make([]int32, (len(a)+1)*w)
	for j := range w {
		table[j] = s.Gap * int32(j)
	}
	procs := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	var before chan struct{}
	for p := range procs {
		wait, done := before, make(chan struct{}, len(a)/rows+1)
		before = done
		wg.Go(func() {
			from, to := 1+len(b)*p/procs, 1+len(b)*(p+1)/procs
			for i := 1; i <= len(a); i++ {
				if wait != nil && i%rows == 1 {
					<-wait
				}
				row, above, c := table[i*w:(i+1)*w], table[(i-1)*w:i*w], a[i-1]
				if p == 0 {
					row[0] = s.Gap * int32(i)
				}
				left, corner := row[from-1], above[from-1]
				for j := from; j < to; j++ {
					pair := s.Mismatch
					if b[j-1] == c {
						pair = s.Match
					}
					up := above[j]
					left = max(corner+pair, up+s.Gap, left+s.Gap)
					row[j], corner = left, up
				}
				if i%rows == 0 || i == len(a) {
					done <- struct{}{}
				}
			}
		})
	}
	wg.Wait()
	return table[len(table)-1]
}
