package dynprog_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/dynprog"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var none = float32(math.Inf(1))

var shortest = map[string]func(ctx context.Context, on kernels.Launcher, n int, dist []float32, via []int32) error{
	"tiled": dynprog.FloydWarshall,
	"naive": dynprog.FloydWarshallNaive,
	"serial": func(_ context.Context, _ kernels.Launcher, n int, dist []float32, via []int32) error {
		serial.FloydWarshall(n, dist, via)
		return nil
	},
}

// tooSlow says whether to leave something out on a device that runs each thread as a goroutine:
// what launches once for each vertex has too many of them.
func tooSlow(dev kerneltest.Device, name string, n int) bool {
	return dev.Slow && n > 7 && name != "tiled"
}

// graph makes a graph with n vertices and about the given number of edges for each, whose weights
// are integers from 0 on. With heights, weights of both signs make no negative cycle: the heights
// cancel around it.
func graph(n, edges int, heights bool) []float32 {
	r := rand.New(rand.NewPCG(uint64(n), uint64(edges)))
	h := make([]int, n)
	for i := range h {
		if heights {
			h[i] = r.IntN(50)
		}
	}
	dist := make([]float32, n*n)
	for i := range n {
		for j := range n {
			switch {
			case i == j:
			case r.IntN(n) < edges:
				dist[i*n+j] = float32(r.IntN(20) + h[i] - h[j])
			default:
				dist[i*n+j] = none
			}
		}
	}
	return dist
}

// byGonum returns what gonum says of the weights, and whether there is no negative cycle.
func byGonum(n int, dist []float32) ([]float32, bool) {
	g := simple.NewWeightedDirectedGraph(0, math.Inf(1))
	for i := range n {
		g.AddNode(simple.Node(i))
	}
	for i := range n {
		for j := range n {
			if w := float64(dist[i*n+j]); i != j && !math.IsInf(w, 1) {
				g.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(i), T: simple.Node(j), W: w})
			}
		}
	}
	all, ok := path.FloydWarshall(g)
	want := make([]float32, n*n)
	for i := range want {
		want[i] = float32(all.Weight(int64(i/n), int64(i%n)))
	}
	return want, ok
}

func TestFloydWarshallAgainstGonum(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{7, 0, 1, 33, 2, 31, 32, 64, 65, 97}, 4) {
			for _, edges := range dev.Sizes([]int{3, 1, n}, 1) {
				for _, heights := range []bool{false, true} {
					weights := graph(n, edges, heights)
					want, ok := byGonum(n, weights)
					require.True(t, ok, "the test's graph has a negative cycle")
					for name, f := range shortest {
						if tooSlow(dev, name, n) {
							continue
						}
						dist, alone, via := slices.Clone(weights), slices.Clone(weights), make([]int32, n*n)
						require.NoError(t, errors.Join(f(t.Context(), dev, n, dist, via), f(t.Context(), dev, n, alone, nil)))
						slicetest.Equal(t, want, dist, "%s on %s, n %d, %d edges, heights %v", name, dev.Name, n, edges, heights)
						slicetest.Equal(t, want, alone, "%s on %s, n %d, %d edges, heights %v", name, dev.Name, n, edges, heights)
						require.Less(t, dynprog.NegativeCycle(n, dist), 0, "%s on %s, n %d, %d edges, heights %v", name, dev.Name, n, edges, heights)
						for i := range n {
							for j := range n {
								checkPath(t, name+" on "+dev.Name, n, weights, dist, via, i, j)
							}
						}
					}
				}
			}
		}
	}
}

// checkPath holds the path to the distance.
func checkPath(t *testing.T, what string, n int, weights, dist []float32, via []int32, i, j int) {
	t.Helper()
	p, err := dynprog.Path(n, via, i, j)
	if err != nil { // by hand: there are many paths
		t.Fatalf("%s, n %d: from %d to %d: %v", what, n, i, j, err)
	}
	if dist[i*n+j] == none {
		if len(p) > 0 {
			t.Fatalf("%s, n %d: from %d to %d: a path where there is none, %v", what, n, i, j, p)
		}
		return
	}
	var length float32
	for k := range p[1:] {
		length += weights[p[k]*n+p[k+1]]
	}
	if p[0] != i || p[len(p)-1] != j || length != dist[i*n+j] {
		t.Fatalf("%s, n %d: from %d to %d: path %v of length %v, want %v", what, n, i, j, p, length, dist[i*n+j])
	}
}

// On a circle of edges of 1 the distance is the number of steps forward.
func TestFloydWarshallOnACircle(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{40, 5, 300}, 2) {
			for name, f := range shortest {
				if tooSlow(dev, name, n) {
					continue
				}
				dist, via := slices.Repeat([]float32{none}, n*n), make([]int32, n*n)
				for i := range n {
					dist[i*n+(i+1)%n] = 1 // and none from a vertex to itself
				}
				require.NoError(t, f(t.Context(), dev, n, dist, via))
				// From a vertex to itself it is the way round.
				steps := func(i int) float32 { return float32((i%n-i/n+n-1)%n + 1) }
				slicetest.Each(t, steps, dist, "%s on %s", name, dev.Name)
				for i := range dist {
					if p, err := dynprog.Path(n, via, i/n, i%n); i/n != i%n && (err != nil || len(p) != int(steps(i))+1) {
						t.Fatalf("%s on %s: from %d to %d: path %v, %v", name, dev.Name, i/n, i%n, p, err)
					}
				}
			}
		}
	}
}

// Weights that are no integers: a distance is a sum of at most n-1 of them, all positive.
func TestFloydWarshallRounding(t *testing.T) {
	const n = 70
	weights := kerneltest.Uniform[float32](n * n)
	for i, v := range weights {
		weights[i] = 1.5 + v
		if i%n != (i/n+1)%n && i%7 > 0 {
			weights[i] = none
		}
	}
	want, _ := byGonum(n, weights)
	dev := kerneltest.Devices(t)[0]
	for name, f := range shortest {
		if tooSlow(dev, name, n) {
			continue
		}
		dist := slices.Clone(weights)
		for i := range n {
			dist[i*n+i] = 0
		}
		require.NoError(t, f(t.Context(), dev, n, dist, nil))
		slicetest.Within(t, want, dist, func(i int) float64 { return n * float64(want[i]) / (1 << 24) }, name)
	}
}

func TestNegativeCycle(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{3, 33, 64, 100}, 2) {
			weights := graph(n, 3, true)
			at := []int{n / 3, n - 1, 0} // three vertices of a cycle of -1
			for k, from := range at {
				weights[from*n+at[(k+1)%3]] = float32(1 - k) // 1, 0 and -1 ...
			}
			weights[at[2]*n+at[0]]-- // ... and one less
			_, ok := byGonum(n, weights)
			require.False(t, ok, "the test's graph has no negative cycle")
			for name, f := range shortest {
				if tooSlow(dev, name, n) {
					continue
				}
				dist, via := slices.Clone(weights), make([]int32, n*n)
				require.NoError(t, f(t.Context(), dev, n, dist, via))
				assert.GreaterOrEqual(t, dynprog.NegativeCycle(n, dist), 0, "%s on %s, n %d: it was not found", name, dev.Name, n)
				for i := range n { // whatever via says, following it ends
					_, _ = dynprog.Path(n, via, i, (i+1)%n)
				}
			}
		}
	}
}

func TestFloydWarshallOnStream(t *testing.T) {
	n := 50
	if kerneltest.Devices(t)[0].Slow {
		n = 5
	}
	s := gocuda.Default().NewStream()
	defer s.Close()
	weights := graph(n, 3, false)
	want, _ := byGonum(n, weights)
	for name, f := range shortest {
		dist := slices.Clone(weights)
		err := errors.Join(f(t.Context(), kernels.OnStream(s), n, dist, nil), s.Synchronize(t.Context()))
		assert.NoError(t, err, name)
		slicetest.Equal(t, want, dist, name)
	}
}

func TestFloydWarshallRefusesBadArguments(t *testing.T) {
	v := make([]float32, 9)
	for name, f := range shortest {
		if name == "serial" {
			continue
		}
		for i, err := range []error{
			f(t.Context(), gocuda.Default(), 2, v, nil),
			f(t.Context(), gocuda.Default(), -3, v, nil),
			f(t.Context(), gocuda.Default(), math.MaxInt/2+1, v[:0], nil),
			f(t.Context(), gocuda.Default(), 3, v, make([]int32, 8)),
		} {
			assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%s, %d", name, i)
		}
	}
}

func TestPathRefusesBadArguments(t *testing.T) {
	via := []int32{0, 1, 0, 1}
	for _, a := range []struct {
		n, from, to int
		via         []int32
	}{{2, 0, 2, via}, {2, -1, 0, via}, {2, 2, 0, via}, {3, 0, 1, via}, {-2, 0, 1, via},
		{3, 0, 1, []int32{0, 2, 2, 0, 0, 0, 0, 0, 0}}, {2, 0, 1, []int32{0, 5, 0, 0}}} {
		_, err := dynprog.Path(a.n, a.via, a.from, a.to)
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, a)
	}
	assert.Equal(t, -1, dynprog.NegativeCycle(3, nil))
}
