package prof_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/prof"
)

// Further access patterns by hand, on one block of two warps: what differs between the generations.
var byHandMore = program + `
var (
	a, b = make([]float32, 4096), make([]float32, 4096)
	c, e = make([]int16, 64), make([]int16, 64)
	h    = make([]int32, 4)
)

func swapped(t *gocuda.Thread) { i := t.ThreadIdx.X; b[i] = a[i^1] }
func shifted(t *gocuda.Thread) { i := t.ThreadIdx.X; b[i] = a[i+8] }
func shorts(t *gocuda.Thread)  { i := t.ThreadIdx.X; e[i] = c[i] }
func threes(t *gocuda.Thread)  { i := t.ThreadIdx.X; b[3*i] = a[3*i] }
func patches(t *gocuda.Thread) { b[t.Rank()] = a[t.ThreadIdx.X*64+t.ThreadIdx.Y] }
func groups(t *gocuda.Thread) {
	s := gocuda.Shared[float32](t, 64)
	i := t.ThreadIdx.X
	s[i] = 1
	t.SyncThreads()
	b[i] = s[i/8]
}
func sixes(t *gocuda.Thread) {
	s := gocuda.Shared[float32](t, 384)
	i := t.ThreadIdx.X
	s[6*i] = 1
}
func spread(t *gocuda.Thread) {
	s := gocuda.Shared[float64](t, 128)
	i := t.ThreadIdx.X
	s[2*i] = 1
}
func uniform(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	if i/32 == 0 {
		b[i] = 1
	} else {
		b[i] = 2
	}
}
func quarters(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	for k := 0; k < i/16; k++ {
		b[i] += 1
	}
}
func leaving(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	if i%32 >= 24 {
		return
	}
	b[i] = 1
	if i < 32 {
		return
	}
	b[i] = 2
}

func TestByHand(t *testing.T) {
	for _, k := range []func(*gocuda.Thread){swapped, shifted, shorts, threes, groups, sixes, spread, uniform, quarters, leaving} {
		launch(dim(1, 1), dim(64, 1), k)
	}
	launch(dim(1, 1), dim(8, 8), patches)
}
`

func TestMorePatternsByHand(t *testing.T) {
	r := profile(t, byHandMore)
	for _, c := range []struct {
		gpu, kernel, kind, text string
		transactions, bytes     int
	}{
		// Neighbours change places: the same segments, but no lane k has word k, as 1.0 asks.
		{"ampere", "swapped", "load", "a[i^1]", 8, 256},
		{"gt200", "swapped", "load", "a[i^1]", 4, 256},
		{"g80", "swapped", "load", "a[i^1]", 64, 64 * 32},
		// Bytes 32 to 159 and 160 to 287: whole sectors, and two lines for each warp. Half-warps
		// begin at the bytes 32, 96, 160 and 224. The first one has both halves of the segment from
		// 0: 128 bytes. The second one has 32 bytes of that, and 32 of the next.
		{"ampere", "shifted", "load", "a[i+8]", 8, 256},
		{"fermi", "shifted", "load", "a[i+8]", 4, 512},
		{"gt200", "shifted", "load", "a[i+8]", 2 * 3, 2 * (128 + 32 + 32)},
		{"g80", "shifted", "load", "a[i+8]", 64, 64 * 32},
		// 2 bytes a lane: 64 bytes of a warp, 32 of a half-warp.
		{"ampere", "shorts", "load", "c[i]", 4, 128},
		{"fermi", "shorts", "load", "c[i]", 2, 256},
		{"gt200", "shorts", "load", "c[i]", 4, 128},
		{"g80", "shorts", "load", "c[i]", 64, 64 * 32},
		// 384 bytes of a warp. Of the half-warps' 192 bytes, the first ones are a segment of 128
		// and a half, the second ones a half and a segment.
		{"ampere", "threes", "load", "a[3*i]", 24, 768},
		{"fermi", "threes", "load", "a[3*i]", 6, 768},
		{"gt200", "threes", "load", "a[3*i]", 8, 768},
		{"fermi", "threes", "store", "b[3*i]", 24, 768},
		// A warp has 8 columns of 4 rows, turned: 16 bytes in each of 8 rows, which are 256 bytes
		// apart.
		{"ampere", "patches", "load", "a[t.ThreadIdx.X*64+t.ThreadIdx.Y]", 16, 512},
		{"fermi", "patches", "load", "a[t.ThreadIdx.X*64+t.ThreadIdx.Y]", 16, 2048},
	} {
		m := site(t, r.Kernel(c.kernel), c.kind, c.text).Traffic(board(t, c.gpu))
		assert.Equal(t, [2]int{c.transactions, c.bytes}, [2]int{m.Transactions, m.Bytes}, "%s, %s", c.kernel, c.gpu)
	}
	for _, c := range []struct {
		gpu, kernel, kind, text string
		passes, ideal           int
	}{
		// Four words of 8 lanes: one pass. On 1.x a half-warp has two words, one of which is
		// broadcast in each pass.
		{"ampere", "groups", "load", "s[i/8]", 2, 2},
		{"fermi", "groups", "load", "s[i/8]", 2, 2},
		{"g80", "groups", "load", "s[i/8]", 8, 4},
		// 6 and 32 have the divisor 2, as have 6 and 16.
		{"ampere", "sixes", "store", "s[6*i]", 4, 2},
		{"g80", "sixes", "store", "s[6*i]", 8, 4},
		// Half-warps of 8 bytes, 16 apart: lanes i and i+8 are in the same banks.
		{"ampere", "spread", "store", "s[2*i]", 8, 4},
	} {
		assert.Equal(t, prof.Passes{Passes: c.passes, Ideal: c.ideal}, site(t, r.Kernel(c.kernel), c.kind, c.text).Passes(board(t, c.gpu)), "%s, %s", c.kernel, c.gpu)
	}
	for _, c := range []struct {
		kernel, kind, text          string
		requests, divergent, active int
	}{
		{"uniform", "branch", "i/32 == 0", 2, 0, 64},
		// Lanes of 0, 1, 2 and 3 rounds: the first warp asks twice and parts at the first time, the
		// second one asks four times and parts at the third.
		{"quarters", "loop", "k < i/16", 6, 2, 32 + 16 + 3*32 + 16},
		{"leaving", "branch", "i%32 >= 24", 2, 2, 64},
		{"leaving", "branch", "i < 32", 2, 0, 48},
	} {
		s := site(t, r.Kernel(c.kernel), c.kind, c.text)
		assert.Equal(t, [3]int{c.requests, c.divergent, c.active}, [3]int{s.Requests, s.Divergent, s.Lanes}, c.kernel)
	}
}
