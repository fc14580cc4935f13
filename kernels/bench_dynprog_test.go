package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"

	"github.com/gocuda/gocuda/gocuda"
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
		if err := dynprog.FloydWarshall(b.Context(), gocuda.Default(), n, want, nil); err != nil {
			b.Fatal(err)
		}
		run := func(name string, f func(b *testing.B, dist []float32)) {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				dist := make([]float32, n*n)
				for b.Loop() {
					copy(dist, edges)
					f(b, dist)
				}
				b.ReportMetric(float64(n)*float64(n)*float64(n)*float64(b.N)/1e9/b.Elapsed().Seconds(), "Gpath/s")
				if !slices.Equal(dist, want) {
					b.Error("not the distances")
				}
			})
		}
		run("gocuda", func(b *testing.B, dist []float32) {
			if err := dynprog.FloydWarshall(b.Context(), gocuda.Default(), n, dist, nil); err != nil {
				b.Fatal(err)
			}
		})
		run("gocuda-steps", func(b *testing.B, dist []float32) {
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
				if !ok {
					b.Fatal("a negative cycle")
				}
				for i := range dist {
					dist[i] = float32(all.Weight(int64(i/n), int64(i%n)))
				}
			})
		}
	}
}
