package tasks

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"io"
	"math"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/dynprog"
	"github.com/gocuda/gocuda/kernels/stats"
)

// The tasks on chance, clusters, graphs and sequences.

func otherTasks() []Task {
	return []Task{
		{"pi", "pi by points thrown at a square", "", "2^24", 0, pi, 0, 0},
		{"kmeans", "clusters of points, by Lloyd's algorithm", "points in CSV, the coordinates of one a line; five clouds without a file", "10000", Values | Picture, kmeans, 37, 160},
		{"paths", "the shortest paths between all vertices of a graph", takesMatrix + ", of the weights of edges, with inf where there is none", "200", Values, paths, 13, 1},
		{"align", "the best alignment of two sequences", "two sequences, a line each; letters by chance without a file", "1000", 0, align, 3, 5},
		halvesTask,
	}
}

func pi(fs *flag.FlagSet) Job {
	return func(e *Env) (*Result, error) {
		s, err := e.size(1 << 24)
		if err != nil {
			return nil, err
		}
		var got float64
		err = e.timed(func() error {
			got, err = stats.Pi(e.Ctx, e.On, e.Seed, s[0])
			return err
		})
		if err != nil {
			return nil, err
		}
		r := &Result{Verify: func() error { return near([]float64{got}, []float64{serial.Pi(e.Seed, s[0])}, 0) }}
		r.printf("points    %d", s[0])
		r.printf("pi        %.6f, with a standard deviation of %.2g", got, math.Sqrt(math.Pi*(4-math.Pi)/float64(s[0])))
		return r, nil
	}
}

func kmeans(fs *flag.FlagSet) Job {
	k := fs.Int("k", 5, "the `number` of clusters")
	rounds := fs.Int("rounds", 100, "the most `rounds`")
	return func(e *Env) (*Result, error) {
		m, err := e.points(10000)
		if err != nil {
			return nil, err
		}
		n, dims := m.rows, m.cols
		if *k < 1 || *k > n {
			return nil, fmt.Errorf("-k %d: want 1 to %d, the number of points", *k, n)
		}
		points := make([]float32, n*dims) // coordinate by coordinate
		for i := range n {
			for d := range dims {
				points[d*n+i] = m.v[i*dims+d]
			}
		}
		centres, labels := make([]float32, *k*dims), make([]int32, n)
		var did stats.Clusters
		err = e.timed(func() error {
			if err := stats.KMeansPlusPlus(e.Ctx, e.On, e.Seed, dims, points, centres); err != nil {
				return err
			}
			did, err = stats.KMeans(e.Ctx, e.On, dims, *rounds, points, centres, labels)
			return err
		})
		if err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(labels), Verify: func() error {
			c, l := make([]float32, len(centres)), make([]int32, n)
			serial.KMeansPlusPlus(e.Seed, dims, points, c)
			serial.KMeans(dims, *rounds, points, c, l)
			return same(labels, l)
		}}
		r.printf("points    %d in %d dimensions; the file has the cluster of each", n, dims)
		r.printf("rounds    %d, inertia %.6g", did.Rounds, did.Inertia)
		for i := range *k {
			r.printf("centre    %v", centres[i*dims:(i+1)*dims])
		}
		r.Picture = func() image.Image { return clusters(n, dims, points, labels) }
		return r, nil
	}
}

// points returns a point a row: those of the file, or n in five clouds in the plane.
func (e *Env) points(n int) (matrix, error) {
	if e.In != "" {
		return e.matrix(0, 0)
	}
	s, err := e.size(n)
	if err != nil {
		return matrix{}, err
	}
	r := e.random()
	m := newMatrix(s[0], 2)
	for i := range m.rows {
		a := 2 * math.Pi * float64(i%5) / 5
		m.v[2*i] = float32(math.Cos(a) + 0.2*r.NormFloat64())
		m.v[2*i+1] = float32(math.Sin(a) + 0.2*r.NormFloat64())
	}
	return m, nil
}

func paths(fs *flag.FlagSet) Job {
	from := fs.Int("from", 0, "print the path from this `vertex`, from 0")
	to := fs.Int("to", -1, "and to this `vertex` (default the last)")
	method := tiledFlag(fs)
	return func(e *Env) (*Result, error) {
		m, err := e.graph(200)
		if err != nil {
			return nil, err
		}
		n := m.rows
		if m.cols != n {
			return nil, fmt.Errorf("%v: the weights of a graph are a square matrix", m)
		}
		end := *to
		if end < 0 {
			end = n - 1
		}
		before := append([]float32(nil), m.v...)
		via := make([]int32, n*n)
		f := dynprog.FloydWarshall
		if method.is == "naive" {
			f = dynprog.FloydWarshallNaive
		}
		if err := e.timed(func() error { return f(e.Ctx, e.On, n, m.v, via) }); err != nil {
			return nil, err
		}
		if v := dynprog.NegativeCycle(n, m.v); v >= 0 {
			return nil, fmt.Errorf("there is a cycle of negative length through vertex %d", v)
		}
		r := &Result{Numbers: m.numbers(), Verify: func() error {
			want, size := before, largestFinite(before)
			serial.FloydWarshall(n, want, nil)
			return near(m.v, want, 2*float64(n)*0x1p-24*float64(n)*size)
		}}
		r.printf("vertices  %d", n)
		if n == 0 {
			return r, nil
		}
		path, err := dynprog.Path(n, via, *from, end)
		if err != nil {
			return nil, err
		}
		r.printf("distance  %v from %d to %d", m.v[*from*n+end], *from, end)
		r.printf("path      %v", path)
		return r, nil
	}
}

// largestFinite is largest without the infinite ones.
func largestFinite(v []float32) float64 {
	m := 0.0
	for _, x := range v {
		if x := math.Abs(float64(x)); !math.IsInf(x, 0) {
			m = max(m, x)
		}
	}
	return m
}

// graph returns the weights of the file, or those of a graph with n vertices and five edges from each.
func (e *Env) graph(n int) (matrix, error) {
	if e.In != "" {
		return e.matrix(0, 0)
	}
	s, err := e.size(n)
	if err != nil {
		return matrix{}, err
	}
	if n = s[0]; n > 1<<15 {
		return matrix{}, fmt.Errorf("-size %d: want at most %d vertices", n, 1<<15)
	}
	if err := e.fits(float64(n) * float64(n)); err != nil {
		return matrix{}, fmt.Errorf("-size: %w", err)
	}
	r := e.random()
	m := newMatrix(n, n)
	for i := range m.v {
		m.v[i] = float32(math.Inf(1))
	}
	for i := range n {
		for range 5 {
			m.v[i*n+r.IntN(n)] = float32(1 + r.IntN(100))
		}
		m.v[i*n+i] = 0
	}
	return m, nil
}

func align(fs *flag.FlagSet) Job {
	match := fs.Int("match", 1, "the `score` of a pair of equal letters")
	mismatch := fs.Int("mismatch", -1, "the `score` of a pair of different letters")
	gap := fs.Int("gap", -1, "the `score` of a letter without partner")
	method := tiledFlag(fs)
	return func(e *Env) (*Result, error) {
		for _, s := range []int{*match, *mismatch, *gap} {
			if s < -1000 || s > 1000 {
				return nil, fmt.Errorf("a score of %d: want -1000 to 1000", s)
			}
		}
		a, b, err := e.sequences(1000)
		if err != nil {
			return nil, err
		}
		if err := e.fits(float64(len(a)) * float64(len(b))); err != nil {
			return nil, err
		}
		scoring := &dynprog.Scoring{Match: int32(*match), Mismatch: int32(*mismatch), Gap: int32(*gap)}
		var got dynprog.Alignment
		err = e.timed(func() error {
			if method.is == "naive" {
				got, err = dynprog.NeedlemanWunschNaive(e.Ctx, e.On, scoring, a, b)
			} else {
				got, err = dynprog.NeedlemanWunsch(e.Ctx, e.On, scoring, a, b)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		r := &Result{Verify: func() error {
			if want := serial.NeedlemanWunsch(scoring, a, b); got != want {
				return fmt.Errorf("an alignment with score %d, want that with %d", got.Score, want.Score)
			}
			return nil
		}}
		r.printf("letters   %d and %d", len(a), len(b))
		r.printf("score     %d", got.Score)
		const line = 70
		for i := 0; i < len(got.A) && i < 10*line; i += line {
			j := min(i+line, len(got.A))
			r.printf("%9d %s\n          %s", i, got.A[i:j], got.B[i:j])
		}
		if len(got.A) > 10*line {
			r.printf("          and %d letters more", len(got.A)-10*line)
		}
		return r, nil
	}
}

// sequences returns the two lines of the file, or two sequences of about n letters, the second made
// from the first.
func (e *Env) sequences(n int) (a, b []byte, err error) {
	if e.In != "" {
		f, err := e.open()
		if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		text, err := io.ReadAll(f)
		if err != nil {
			return nil, nil, err
		}
		var lines [][]byte
		for i, line := range bytes.Split(text, []byte("\n")) {
			line = bytes.TrimRight(line, "\r")
			if len(line) == 0 || line[0] == '#' || line[0] == '>' { // a comment, or the name of a sequence in FASTA
				continue
			}
			if len(lines) == 2 {
				return nil, nil, fmt.Errorf("%s:%d:1: a third sequence; want two, a line each", e.In, i+1)
			}
			lines = append(lines, line)
		}
		if len(lines) < 2 {
			return nil, nil, fmt.Errorf("%s: the file ends after %d of two sequences", e.In, len(lines))
		}
		return lines[0], lines[1], nil
	}
	s, err := e.size(n)
	if err != nil {
		return nil, nil, err
	}
	const letters = "ACGT"
	r := e.random()
	for range s[0] {
		c := letters[r.IntN(4)]
		a = append(a, c)
		switch r.IntN(20) {
		case 0: // left out
		case 1:
			b = append(b, c, letters[r.IntN(4)])
		case 2:
			b = append(b, letters[r.IntN(4)])
		default:
			b = append(b, c)
		}
	}
	return a, b, nil
}
