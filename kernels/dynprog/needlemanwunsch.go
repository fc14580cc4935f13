package dynprog

import (
	"context"
	"math"
	"math/bits"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The global alignment of two sequences (Needleman and Wunsch, A General Method Applicable to the
// Search for Similarities in the Amino Acid Sequence of Two Proteins, 1970; as a benchmark for GPUs
// in Che et al., Rodinia: A Benchmark Suite for Heterogeneous Computing, 2009). Entry (i, j) of a
// table is the best score of the first i letters of the one and the first j of the other. It needs
// three neighbours:
//
//	score(i, j) = max(score(i-1, j-1) + pair, score(i-1, j) + gap, score(i, j-1) + gap)
//
// All entries of an anti-diagonal, with the same i+j, are independent. The first kernel is a launch
// for each, and a launch costs more than a short anti-diagonal. So the second does a tile of the
// table in a launch, with a barrier after each anti-diagonal in it, and the launches go along the
// anti-diagonals of tiles.
//
// Stored by rows, an anti-diagonal would be scattered over memory. Here it is stored by
// anti-diagonals: entry (i, j) is at (i+j)*pitch+i, where pitch is the number of rows, and
// neighbouring threads have neighbouring entries. What are squares in the table are then
// parallelograms. The tiles here are rectangles in this storage instead: some rows, and all threads
// busy on each of some anti-diagonals. The price is up to twice the memory, with corners that mean
// nothing.
//
// Going back needs no scores, only which of the three neighbours led to an entry. That is stored, a
// byte for each entry, and of the scores only what later tiles need.

const (
	nwThreads = 256 // of a block, and rows of a tile
	nwSteps   = 128 // anti-diagonals of a tile

	nwMaxTable = 1 << 32 // entries of a table, and bytes
)

// Scoring says what an alignment is worth: the sum over its pairs of letters and its gaps.
type Scoring struct {
	Match, Mismatch int32 // of a pair of equal letters, and of different ones
	Gap             int32 // of a letter without partner; it is below 0 as a rule

	// Table, if it is not nil, has the scores of pairs of letters of Alphabet, as BLOSUM62 and the
	// like have them: Table[i*len(Alphabet)+j] for letter i of the first sequence and letter j of
	// the second. Match is not used then, and a pair with a letter that is not in the alphabet
	// scores Mismatch.
	Alphabet string
	Table    []int32
}

// Pair returns the score of letter a of the first sequence and letter b of the second.
func (s *Scoring) Pair(a, b byte) int32 {
	if s.Table == nil {
		if a == b {
			return s.Match
		}
		return s.Mismatch
	}
	i, j := strings.IndexByte(s.Alphabet, a), strings.IndexByte(s.Alphabet, b)
	if i < 0 || j < 0 {
		return s.Mismatch
	}
	return s.Table[i*len(s.Alphabet)+j]
}

// An Alignment is two sequences with gaps, so that they have the same length and letters stand over
// their partners.
type Alignment struct {
	Score int32
	A, B  string // '-' is a gap
}

// nwLetters sets letters to the codes of the rows' sequence, and against to those of the columns'
// in reverse, so that neighbouring threads read neighbouring letters of both. Codes are indices
// into the table of pairs, or the letters themselves if there is none.
//
//gocuda:kernel
func nwLetters(t *gocuda.Thread, codes, letters, against []int32, a, b []byte) {
	for i := t.GlobalX(); i < max(len(a), len(b)); i += t.GridDim.X * t.BlockDim.X {
		if i < len(a) {
			letters[i] = codes[a[i]]
		}
		if i < len(b) {
			against[i] = codes[b[len(b)-1-i]]
		}
	}
}

// The ways that lead to an entry with its score.
const (
	fromPair  = 1 << iota // along the diagonal
	fromAbove             // from row i-1
	fromLeft              // from column j-1
)

// nwNaive is the program of one thread: an entry of anti-diagonal d. lines has the scores of it and
// of the two before it, in turn. pairs has the scores of letters, size of them in a row, or
// nothing, and then match and mismatch are used.
//
//gocuda:kernel
func nwNaive(t *gocuda.Thread, d, rows, columns int, match, mismatch, gap, size int32, pairs, letters, against, lines []int32, ways []uint8) {
	pitch := rows + 1
	now, before, last := d%3*pitch, (d+2)%3*pitch, (d+1)%3*pitch
	for i := t.GlobalX(); i < pitch; i += t.GridDim.X * t.BlockDim.X {
		if i >= d-columns && i <= d {
			v := gap * int32(d)
			if i > 0 && i < d {
				a, b := letters[i-1], against[columns-d+i]
				pair := mismatch
				if len(pairs) > 0 {
					pair = pairs[a*size+b]
				} else if a == b {
					pair = match
				}
				diagonal, above, left := lines[last+i-1]+pair, lines[before+i-1]+gap, lines[before+i]+gap
				v = max(diagonal, above, left)
				var way int32
				if v == diagonal {
					way = fromPair
				}
				if v == above {
					way |= fromAbove
				}
				if v == left {
					way |= fromLeft
				}
				ways[d*pitch+i] = uint8(way)
			}
			lines[now+i] = v
		}
	}
}

// nwTiled does the tiles of one wave. Block x has the x-th tile along the rows, and of those the
// one whose place along the anti-diagonals is wave-x. Three anti-diagonals are in shared memory:
// the one in the making and the two before it. Each has an entry more at its beginning, for the row
// above the tile, which was done in an earlier wave.
//
// What tiles leave to later ones is the scores along their sides: fronts has the last two
// anti-diagonals of each row, and edges the last row of each tile, all anti-diagonals of one after
// another.
//
//gocuda:kernel
func nwTiled(t *gocuda.Thread, wave, rows, columns int, match, mismatch, gap, size int32, pairs, letters, against, fronts, edges []int32, ways []uint8) {
	const line = nwThreads + 1
	s := gocuda.Shared[int32](t, 3*line)
	top := gocuda.Shared[int32](t, nwSteps)
	tid, pitch, diagonals := t.ThreadIdx.X, rows+1, rows+columns+1
	first := t.BlockIdx.X * nwThreads
	i := first + tid
	own := t.BlockIdx.X * diagonals // of edges
	from := (wave - t.BlockIdx.X) * nwSteps
	to := min(from+nwSteps, diagonals, first+nwThreads+columns)
	if from < to && from+nwSteps > first {
		// Scores of entries that don't exist are not used.
		if i < pitch {
			s[(from+1)%3*line+tid+1] = fronts[i]
			s[(from+2)%3*line+tid+1] = fronts[pitch+i]
		}
		if first > 0 && tid < to-from {
			top[tid] = edges[own-diagonals+from+tid]
		}
		if first > 0 && from > 0 && tid == 0 {
			s[(from+1)%3*line] = edges[own-diagonals+from-2]
			s[(from+2)%3*line] = edges[own-diagonals+from-1]
		}
		t.SyncThreads()
		for d := from; d < to; d++ {
			now, before, last := d%3*line, (d+2)%3*line, (d+1)%3*line
			if i < pitch && i >= d-columns && i <= d {
				v := gap * int32(d)
				if i > 0 && i < d {
					a, b := letters[i-1], against[columns-d+i]
					pair := mismatch
					if len(pairs) > 0 {
						pair = pairs[a*size+b]
					} else if a == b {
						pair = match
					}
					diagonal, above, left := s[last+tid]+pair, s[before+tid]+gap, s[before+tid+1]+gap
					v = max(diagonal, above, left)
					var way int32
					if v == diagonal {
						way = fromPair
					}
					if v == above {
						way |= fromAbove
					}
					if v == left {
						way |= fromLeft
					}
					ways[d*pitch+i] = uint8(way)
				}
				s[now+tid+1] = v
			}
			t.SyncThreads() // the anti-diagonal is done
			if tid == 0 {
				s[now] = top[d-from]
				edges[own+d] = s[now+nwThreads]
			}
		}
		if i < pitch {
			fronts[i] = s[(to+1)%3*line+tid+1]
			fronts[pitch+i] = s[(to+2)%3*line+tid+1]
		}
	}
}

// NeedlemanWunsch returns the best global alignment of a and b, of any lengths. Of several with the
// best score it is the one that, seen from the end, prefers a pair to a gap in b, and that to a gap
// in a.
//
// It takes a byte for each pair of a letter of the shorter sequence and one of both together; these
// must not be more than 2³². All scores must fit in 32 bits: the longest alignment's length times
// the largest magnitude in s. NeedlemanWunsch reads results back, so it can't be queued.
func NeedlemanWunsch(ctx context.Context, on kernels.Launcher, s *Scoring, a, b []byte) (Alignment, error) {
	return nwAlign(ctx, on, s, a, b, func(n *nw) (int32, error) {
		diagonals := n.rows + n.columns + 1
		tiles, across := grid.Linear(n.rows+1, nwThreads).Grid.X, grid.Linear(diagonals, nwSteps).Grid.X
		fronts, edges := make([]int32, 2*(n.rows+1)), make([]int32, tiles*diagonals)
		for wave := range tiles + across - 1 {
			cfg := grid.Config{Grid: grid.Dim3{X: min(tiles, wave+1)}, Block: grid.Dim3{X: nwThreads}}
			k := nwTiledKernel(wave, n.rows, n.columns, s.Match, s.Mismatch, s.Gap, n.size, n.pairs, n.letters, n.against, fronts, edges, n.ways)
			if err := on.Launch(ctx, cfg, k); err != nil {
				return 0, err
			}
		}
		return fronts[len(fronts)-1], nil
	})
}

// NeedlemanWunschNaive is [NeedlemanWunsch] with a launch for each anti-diagonal.
func NeedlemanWunschNaive(ctx context.Context, on kernels.Launcher, s *Scoring, a, b []byte) (Alignment, error) {
	return nwAlign(ctx, on, s, a, b, func(n *nw) (int32, error) {
		lines := make([]int32, 3*(n.rows+1))
		cfg := grid.Linear(n.rows+1, nwThreads)
		cfg.Grid.X = min(cfg.Grid.X, 65535)
		for d := range n.rows + n.columns + 1 {
			k := nwNaiveKernel(d, n.rows, n.columns, s.Match, s.Mismatch, s.Gap, n.size, n.pairs, n.letters, n.against, lines, n.ways)
			if err := on.Launch(ctx, cfg, k); err != nil {
				return 0, err
			}
		}
		return lines[(n.rows+n.columns)%3*(n.rows+1)+n.rows], nil
	})
}

// nw is what the kernels work on. The rows are the shorter sequence.
type nw struct {
	rows, columns    int
	size             int32   // of the alphabet, with one more for letters that are not in it
	pairs            []int32 // size*size of them
	letters, against []int32
	ways             []uint8 // to entry (i, j), at (i+j)*(rows+1)+i
}

// nwAlign checks the arguments, lets fill launch what finds the score and the ways to it, and goes
// back along the best way.
func nwAlign(ctx context.Context, on kernels.Launcher, s *Scoring, a, b []byte, fill func(n *nw) (int32, error)) (Alignment, error) {
	const what = "alignment"
	if err := kernels.Waits(what, on); err != nil {
		return Alignment{}, err
	}
	if err := s.check(len(a), len(b)); err != nil {
		return Alignment{}, err
	}
	swapped := len(a) > len(b)
	x, y := a, b
	if swapped {
		x, y = b, a
	}
	n := &nw{rows: len(x), columns: len(y), letters: make([]int32, len(x)), against: make([]int32, len(y))}
	hi, entries := bits.Mul64(uint64(n.rows)+1, uint64(n.rows)+uint64(n.columns)+1)
	if hi != 0 || entries > min(nwMaxTable, math.MaxInt) {
		return Alignment{}, check.Invalid(what, "of %d and %d letters: the table is too large", len(a), len(b))
	}
	n.ways = make([]uint8, entries)
	codes := s.codes(n, swapped)
	cfg := grid.Linear(n.columns, nwThreads)
	cfg.Grid.X = min(cfg.Grid.X, 65535)
	if err := on.Launch(ctx, cfg, nwLettersKernel(codes, n.letters, n.against, x, y)); err != nil {
		return Alignment{}, err
	}
	score, err := fill(n)
	if err != nil {
		return Alignment{}, err
	}
	r := traceBack(a, b, func(i, j int) (pair, gapInB bool) {
		if swapped {
			way := n.ways[(i+j)*(n.rows+1)+j]
			return way&fromPair != 0, way&fromLeft != 0
		}
		way := n.ways[(i+j)*(n.rows+1)+i]
		return way&fromPair != 0, way&fromAbove != 0
	})
	r.Score = score
	return r, nil
}

// codes returns the code of each letter, and sets the scores of pairs of codes if s has a table.
func (s *Scoring) codes(n *nw, swapped bool) []int32 {
	codes := make([]int32, 256)
	if s.Table == nil {
		for c := range codes {
			codes[c] = int32(c)
		}
		return codes
	}
	k := len(s.Alphabet)
	n.size = int32(k + 1)
	n.pairs = make([]int32, (k+1)*(k+1))
	for i := range n.pairs {
		n.pairs[i] = s.Mismatch
	}
	for i := range k {
		for j := range k {
			to := i*(k+1) + j
			if swapped {
				to = j*(k+1) + i
			}
			n.pairs[to] = s.Table[i*k+j]
		}
	}
	for c := range codes {
		codes[c] = int32(k)
		if i := strings.IndexByte(s.Alphabet, byte(c)); i >= 0 {
			codes[c] = int32(i)
		}
	}
	return codes
}

// check returns an error unless s can score alignments of m and n letters.
func (s *Scoring) check(m, n int) error {
	const what = "alignment"
	if s == nil {
		return check.Invalid(what, "no scoring")
	}
	if s.Table != nil {
		if len(s.Alphabet) > 256 {
			return check.Invalid(what, "an alphabet of %d letters", len(s.Alphabet))
		}
		if err := check.Shape(what+", table", len(s.Alphabet), len(s.Alphabet), len(s.Table)); err != nil {
			return err
		}
	}
	var most int64
	for _, v := range append([]int32{s.Match, s.Mismatch, s.Gap}, s.Table...) {
		most = max(most, int64(v), -int64(v))
	}
	if most > 0 && int64(m)+int64(n)+1 > math.MaxInt32/most {
		return check.Invalid(what, "scores of up to %d for %d and %d letters don't fit in 32 bits", most, m, n)
	}
	return nil
}

// traceBack follows the way that led to the last entry of a table back to the first. ways says of
// an entry that is in neither the first row nor the first column whether a pair of letters leads to
// it, and whether a letter of a alone does.
func traceBack(a, b []byte, ways func(i, j int) (pair, gapInB bool)) Alignment {
	i, j := len(a), len(b)
	first, second := make([]byte, i+j), make([]byte, i+j)
	at := i + j
	for i > 0 || j > 0 {
		at--
		first[at], second[at] = '-', '-'
		pair, gapInB := false, j == 0
		if i > 0 && j > 0 {
			pair, gapInB = ways(i, j)
		}
		if pair || gapInB {
			i--
			first[at] = a[i]
		}
		if pair || !gapInB {
			j--
			second[at] = b[j]
		}
	}
	return Alignment{A: string(first[at:]), B: string(second[at:])}
}
