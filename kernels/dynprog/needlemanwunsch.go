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

// The global alignment of two sequences (Needleman and Wunsch, A General Method Applicable to the Search for
// Similarities in the Amino Acid Sequence of Two Proteins, 1970; as a benchmark for GPUs in Che et al., Rodinia: A
// Benchmark Suite for Heterogeneous Computing, 2009). Entry (i, j) of a table is the best score of the first i
// letters of the one and the first j of the other. It needs three neighbours:
//
//	score(i, j) = max(score(i-1, j-1) + pair, score(i-1, j) + gap, score(i, j-1) + gap)
//
// All entries of an anti-diagonal, with the same i+j, are independent. The first kernel is a launch for each. Most
// are over before they are worth it; so the second does a tile in a launch, with a barrier after each
// anti-diagonal, and the launches go along the anti-diagonals of tiles.
//
// Stored by rows, an anti-diagonal would be scattered over memory. Here it is stored by anti-diagonals: entry (i, j) is
// at (i+j)*pitch+i, where pitch is the number of rows, and neighbouring threads have neighbouring entries. What
// are squares in the table are then parallelograms. The tiles here are rectangles in this storage
// instead: some rows, and all threads busy on each of some anti-diagonals. The price is a table of up to twice
// the size, with corners that mean nothing.

const (
	nwThreads = 256 // of a block, and rows of a tile
	nwSteps   = 128 // anti-diagonals of a tile

	nwMaxTable = 1 << 32 // entries of a table: 16 GiB
)

// Scoring says what an alignment is worth: the sum over its pairs of letters and its gaps.
type Scoring struct {
	Match, Mismatch int32 // of a pair of equal letters, and of different ones
	Gap             int32 // of a letter without partner; it is below 0 as a rule

	// Table, if it is not nil, has the scores of pairs of letters of Alphabet, as BLOSUM62 and the like have them:
	// Table[i*len(Alphabet)+j] for letter i of the first sequence and letter j of the second. Match is not used
	// then, and a pair with a letter that is not in the alphabet scores Mismatch.
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

// An Alignment is two sequences with gaps, so that they have the same length and letters stand over their partners.
type Alignment struct {
	Score int32
	A, B  string // '-' is a gap
}

// nwLetters sets letters to the codes of the rows' sequence, and against to those of the columns' in reverse, so that
// neighbouring threads read neighbouring letters of both. Codes are indices into the table of pairs, or the
// letters themselves if there is none.
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

// nwNaive is the program of one thread: an entry of anti-diagonal d. pairs has the scores of letters, size of them in a
// row, or nothing, and then match and mismatch are used.
//
//gocuda:kernel
func nwNaive(t *gocuda.Thread, d, rows, columns int, match, mismatch, gap, size int32, pairs, letters, against, table []int32) {
	pitch := rows + 1
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
				v = max(table[(d-2)*pitch+i-1]+pair, table[(d-1)*pitch+i-1]+gap, table[(d-1)*pitch+i]+gap)
			}
			table[d*pitch+i] = v
		}
	}
}

// nwTiled does the tiles of one wave. Block x has the x-th tile along the rows, and of those the one whose place along the
// anti-diagonals is wave-x. Three anti-diagonals are in shared memory: the one in the making and the two before it. Each has
// an entry more at its beginning, for the row above the tile, whose tile has been done in an earlier wave.
//
//gocuda:kernel
func nwTiled(t *gocuda.Thread, wave, rows, columns int, match, mismatch, gap, size int32, pairs, letters, against, table []int32) {
	const line = nwThreads + 1
	s := gocuda.Shared[int32](t, 3*line)
	above := gocuda.Shared[int32](t, nwSteps)
	tid, pitch := t.ThreadIdx.X, rows+1
	first := t.BlockIdx.X * nwThreads
	i := first + tid
	from := (wave - t.BlockIdx.X) * nwSteps
	to := min(from+nwSteps, rows+columns+1, first+nwThreads+columns)
	if from >= 0 && from < to && from+nwSteps > first {
		// The two anti-diagonals before the tile. Entries that don't exist are not used.
		if from > 0 && i < pitch {
			s[(from+2)%3*line+tid+1] = table[(from-1)*pitch+i]
			s[(from+1)%3*line+tid+1] = table[(from-2)*pitch+i]
		}
		if first > 0 {
			if tid == 0 && from > 0 {
				s[(from+2)%3*line] = table[(from-1)*pitch+first-1]
				s[(from+1)%3*line] = table[(from-2)*pitch+first-1]
			}
			if tid < to-from {
				above[tid] = table[(from+tid)*pitch+first-1]
			}
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
					v = max(s[last+tid]+pair, s[before+tid]+gap, s[before+tid+1]+gap)
				}
				s[now+tid+1] = v
				table[d*pitch+i] = v
			}
			if tid == 0 {
				s[now] = above[d-from]
			}
			t.SyncThreads()
		}
	}
}

// NeedlemanWunsch returns the best global alignment of a and b, of any lengths. Of several with the best score it is the one
// that, seen from the end, prefers a pair to a gap in b, and that to a gap in a.
//
// The table takes four bytes for each pair of a letter of the shorter sequence and one of both together; it must
// not have more than 2³² entries. All scores must fit in 32 bits: the longest alignment's length times the largest
// magnitude in s. NeedlemanWunsch reads the table back, so it can't be queued.
func NeedlemanWunsch(ctx context.Context, on kernels.Launcher, s *Scoring, a, b []byte) (Alignment, error) {
	return nwAlign(ctx, on, s, a, b, func(n *nw) error {
		tiles, across := grid.Linear(n.rows+1, nwThreads).Grid.X, grid.Linear(n.rows+n.columns+1, nwSteps).Grid.X
		for wave := range tiles + across - 1 {
			cfg := grid.Config{Grid: grid.Dim3{X: min(tiles, wave+1)}, Block: grid.Dim3{X: nwThreads}}
			k := nwTiledKernel(wave, n.rows, n.columns, s.Match, s.Mismatch, s.Gap, n.size, n.pairs, n.letters, n.against, n.table)
			if err := on.Launch(ctx, cfg, k); err != nil {
				return err
			}
		}
		return nil
	})
}

// NeedlemanWunschNaive is [NeedlemanWunsch] with a launch for each anti-diagonal.
func NeedlemanWunschNaive(ctx context.Context, on kernels.Launcher, s *Scoring, a, b []byte) (Alignment, error) {
	return nwAlign(ctx, on, s, a, b, func(n *nw) error {
		cfg := grid.Linear(n.rows+1, nwThreads)
		cfg.Grid.X = min(cfg.Grid.X, 65535)
		for d := range n.rows + n.columns + 1 {
			k := nwNaiveKernel(d, n.rows, n.columns, s.Match, s.Mismatch, s.Gap, n.size, n.pairs, n.letters, n.against, n.table)
			if err := on.Launch(ctx, cfg, k); err != nil {
				return err
			}
		}
		return nil
	})
}

// nw is what the kernels work on. The rows are the shorter sequence.
type nw struct {
	rows, columns    int
	size             int32   // of the alphabet, with one more for letters that are not in it
	pairs            []int32 // size*size of them
	letters, against []int32
	table            []int32
}

// nwAlign checks the arguments, lets fill launch what fills the table, and goes back along the best way.
func nwAlign(ctx context.Context, on kernels.Launcher, s *Scoring, a, b []byte, fill func(n *nw) error) (Alignment, error) {
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
	hi, entries := bits.Mul(uint(n.rows+1), uint(n.rows+n.columns+1))
	if hi != 0 || entries > nwMaxTable {
		return Alignment{}, check.Invalid(what, "of %d and %d letters: the table is too large", len(a), len(b))
	}
	n.table = make([]int32, entries)
	codes := s.codes(n, swapped)
	cfg := grid.Linear(n.columns, nwThreads)
	cfg.Grid.X = min(cfg.Grid.X, 65535)
	if err := on.Launch(ctx, cfg, nwLettersKernel(codes, n.letters, n.against, x, y)); err != nil {
		return Alignment{}, err
	}
	if err := fill(n); err != nil {
		return Alignment{}, err
	}
	return traceBack(s, a, b, func(i, j int) int32 {
		if swapped {
			return n.table[(i+j)*(n.rows+1)+j]
		}
		return n.table[(i+j)*(n.rows+1)+i]
	}), nil
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

// traceBack follows the way that led to the last entry of a table back to the first.
func traceBack(s *Scoring, a, b []byte, score func(i, j int) int32) Alignment {
	i, j := len(a), len(b)
	first, second := make([]byte, i+j), make([]byte, i+j)
	at := i + j
	for i > 0 || j > 0 {
		at--
		first[at], second[at] = '-', '-'
		v := score(i, j)
		pair := i > 0 && j > 0 && v == score(i-1, j-1)+s.Pair(a[i-1], b[j-1])
		up := !pair && i > 0 && v == score(i-1, j)+s.Gap
		if pair || up {
			i--
			first[at] = a[i]
		}
		if !up {
			j--
			second[at] = b[j]
		}
	}
	return Alignment{Score: score(len(a), len(b)), A: string(first[at:]), B: string(second[at:])}
}

// NeedlemanWunschSerial is the reference, with a table by rows.
func NeedlemanWunschSerial(s *Scoring, a, b []byte) Alignment {
	w := len(b) + 1
	table := make([]int32, (len(a)+1)*w)
	for i := range len(a) + 1 {
		for j := range w {
			switch {
			case i == 0 || j == 0:
				table[i*w+j] = s.Gap * int32(i+j)
			default:
				table[i*w+j] = max(table[(i-1)*w+j-1]+s.Pair(a[i-1], b[j-1]), table[(i-1)*w+j]+s.Gap, table[i*w+j-1]+s.Gap)
			}
		}
	}
	return traceBack(s, a, b, func(i, j int) int32 { return table[i*w+j] })
}
