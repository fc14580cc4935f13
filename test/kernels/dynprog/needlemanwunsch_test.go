package dynprog_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/dynprog"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var alignments = map[string]func(ctx context.Context, on kernels.Launcher, s *dynprog.Scoring, a, b []byte) (dynprog.Alignment, error){
	"tiled": dynprog.NeedlemanWunsch,
	"naive": dynprog.NeedlemanWunschNaive,
	"serial": func(_ context.Context, _ kernels.Launcher, s *dynprog.Scoring, a, b []byte) (dynprog.Alignment, error) {
		return serial.NeedlemanWunsch(s, a, b), nil
	},
}

var unit = &dynprog.Scoring{Match: 1, Mismatch: -1, Gap: -1}

// uneven tells the first sequence from the second, and knows no T.
var uneven = &dynprog.Scoring{Mismatch: -7, Gap: -3, Alphabet: "ACG", Table: []int32{
	5, -4, 1,
	2, 6, -1,
	-2, 0, 4,
}}

func letters(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	v := make([]byte, n)
	for i := range v {
		v[i] = "ACGT"[r.IntN(4)]
	}
	return v
}

// checkAlignment holds an alignment to its sequences and its score.
func checkAlignment(t *testing.T, what string, s *dynprog.Scoring, a, b []byte, got dynprog.Alignment) {
	t.Helper()
	var score int32
	require.Len(t, got.A, len(got.B), "%s: lengths", what)
	for i := range got.A {
		switch x, y := got.A[i], got.B[i]; {
		case x == '-' && y == '-':
			t.Fatalf("%s: a gap over a gap at %d", what, i)
		case x == '-' || y == '-':
			score += s.Gap
		default:
			score += s.Pair(x, y)
		}
	}
	require.Equal(t, score, got.Score, "%s: score of the alignment", what)
	require.Equal(t, string(a), strings.ReplaceAll(got.A, "-", ""), what)
	require.Equal(t, string(b), strings.ReplaceAll(got.B, "-", ""), what)
}

func TestNeedlemanWunschAgainstSerial(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		sizes := [][2]int{{3, 4}, {0, 5}, {0, 0}, {1, 300}, {1, 1}, {40, 7}, {5, 0}, {127, 129}, {255, 256}, {256, 255}, {257, 511}, {700, 30}, {30, 700}, {513, 600}}
		if dev.Slow {
			sizes = sizes[:4]
		}
		for _, size := range sizes {
			a, b := letters(size[0], 1), letters(size[1], 2)
			for _, s := range []*dynprog.Scoring{unit, uneven, {Match: 2, Mismatch: -3, Gap: -2}, {}} {
				want := serial.NeedlemanWunsch(s, a, b)
				checkAlignment(t, "serial", s, a, b, want)
				for name, f := range alignments {
					got, err := f(t.Context(), dev, s, a, b)
					require.NoError(t, err)
					require.Equal(t, want, got, "%s on %s, %v", name, dev.Name, size)
				}
			}
		}
	}
}

// best tries all alignments.
func best(s *dynprog.Scoring, a, b []byte) int32 {
	if len(a) == 0 || len(b) == 0 {
		return s.Gap * int32(len(a)+len(b))
	}
	return max(s.Pair(a[0], b[0])+best(s, a[1:], b[1:]), s.Gap+best(s, a[1:], b), s.Gap+best(s, a, b[1:]))
}

func TestNeedlemanWunschAgainstAllAlignments(t *testing.T) {
	seeds := 20
	if kerneltest.Devices(t)[0].Slow {
		seeds = 3
	}
	for seed := range uint64(seeds) {
		a, b := letters(int(seed%7), seed), letters(int(seed*5%8), seed+100)
		for _, s := range []*dynprog.Scoring{unit, uneven, {Match: 1, Mismatch: -5, Gap: 2}} {
			want := best(s, a, b)
			for name, f := range alignments {
				got, err := f(t.Context(), gocuda.Default(), s, a, b)
				assert.NoError(t, err, "%s: %s and %s: %v", name, a, b, got)
				assert.Equal(t, want, got.Score, "%s: %s and %s: %v", name, a, b, got)
				checkAlignment(t, name, s, a, b, got)
			}
		}
	}
}

// A sequence and itself with letters left out: each costs a gap, and the others match.
func TestNeedlemanWunschOfDeletions(t *testing.T) {
	a := letters(2000, 9)
	var b []byte
	for i, c := range a {
		if i%10 != 3 {
			b = append(b, c)
		}
	}
	s := &dynprog.Scoring{Match: 1, Mismatch: -1000, Gap: -1}
	for _, dev := range kerneltest.Devices(t) {
		if dev.Slow {
			continue // some 4000 by 2000 threads
		}
		for _, p := range [][2][]byte{{a, b}, {b, a}} {
			got, err := dynprog.NeedlemanWunsch(t.Context(), dev, s, p[0], p[1])
			assert.NoError(t, err, dev.Name)
			assert.Equal(t, int32(len(b))-int32(len(a)-len(b)), got.Score, dev.Name)
			checkAlignment(t, dev.Name, s, p[0], p[1], got)
		}
	}
}

func TestNeedlemanWunschRefusesBadArguments(t *testing.T) {
	a := letters(10, 1)
	stream := gocuda.Default().NewStream()
	defer stream.Close()
	for name, f := range alignments {
		if name == "serial" {
			continue
		}
		for i, s := range []*dynprog.Scoring{
			nil,
			{Alphabet: "AC", Table: make([]int32, 3)},
			{Alphabet: strings.Repeat("A", 257), Table: make([]int32, 257*257)},
			{Match: math.MaxInt32},
			{Gap: math.MinInt32},
			{Alphabet: "A", Table: []int32{1 << 27}},
		} {
			_, err := f(t.Context(), gocuda.Default(), s, a, a)
			assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%s, %d", name, i)
		}
		long := make([]byte, 1<<16)
		_, err := f(t.Context(), gocuda.Default(), unit, long, long)
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
		_, err = f(t.Context(), kernels.OnStream(stream), unit, a, a)
		assert.ErrorIs(t, err, gocuda.ErrNotSupported, name)
	}
}
