package prof_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/prof"
)

// Layouts and widths by hand, on one block of two warps: words of 1, 8, 12 and 16 bytes,
// permutations, missing lanes, tiles, constants.
var byHandLayouts = strings.Replace(program, "import (\n", `import (
	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/mem"
`, 1) + `
type point struct{ x, y, z float32 }

var (
	a, b   = make([]float32, 4096), make([]float32, 4096)
	bs, cs = make([]byte, 256), make([]byte, 256)
	ds     = make([]float64, 128)
	ps     = make([]point, 64)
	fs     = make([]device.Float4, 128)
	h      = make([]int32, 8)
	table  = mem.NewConstant[float32]("table", 16)
)

func backwards(t *gocuda.Thread) { i := t.ThreadIdx.X; b[i] = a[63-i] }
func fourths(t *gocuda.Thread)   { i := t.ThreadIdx.X; cs[i] = bs[4*i] }
func doubles(t *gocuda.Thread)   { i := t.ThreadIdx.X; b[i] = float32(ds[i+1]) }
func halves(t *gocuda.Thread)    { i := t.ThreadIdx.X; b[i] = a[i*33%64] }
func points(t *gocuda.Thread)    { i := t.ThreadIdx.X; b[i] = ps[i].z }
func everyFourth(t *gocuda.Thread) {
	if i := t.ThreadIdx.X; i%4 == 0 {
		b[i] = 1
	}
}
func wide(t *gocuda.Thread) { i := t.ThreadIdx.X; b[i] = fs[2*i].X }
func whole(t *gocuda.Thread) { i := t.ThreadIdx.X; v := fs[2*i]; b[i] = v.X + v.W }
func rounds(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	for k := 0; k < 4; k++ {
		if i < k*16 {
			break
		}
		b[i] += 1
	}
}
func fives(t *gocuda.Thread) {
	s := gocuda.Shared[float32](t, 64)
	i := t.ThreadIdx.X
	s[i*5%64] = 1
}
func uneven(t *gocuda.Thread) {
	s := gocuda.Shared[float32](t, 128)
	i := t.ThreadIdx.X
	s[2*i+i&1] = 1
}
func column(t *gocuda.Thread) {
	s := gocuda.Shared[float32](t, 256)
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	s[x*16+y] = 1
}
func lookup(c mem.ReadOnly[float32]) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) { i := t.ThreadIdx.X; b[i] = c.At(i % 3) }
}
func eighths(t *gocuda.Thread) { atomic.Add(&h[t.ThreadIdx.X/8], 1) }

func TestByHand(t *testing.T) {
	for _, k := range []func(*gocuda.Thread){backwards, fourths, doubles, halves, points, everyFourth, wide, whole, rounds, fives, uneven, eighths} {
		launch(dim(1, 1), dim(64, 1), k)
	}
	launch(dim(1, 1), dim(16, 16), column)
	c, err := table.On(theDevice())
	if err != nil {
		t.Fatal(err)
	}
	launch(dim(1, 1), dim(64, 1), lookup(c))
}
`

func TestLayoutsByHand(t *testing.T) {
	r := profile(t, byHandLayouts)
	for _, c := range []struct {
		gpu, kernel, kind, text string
		transactions, bytes     int
	}{
		// 128 bytes of a warp, the last ones first.
		{"hopper", "backwards", "load", "a[63-i]", 8, 256},
		{"fermi", "backwards", "load", "a[63-i]", 2, 256},
		{"gt200", "backwards", "load", "a[63-i]", 4, 256},
		{"g80", "backwards", "load", "a[63-i]", 64, 64 * 32},
		// Bytes 0, 4 to 124 of a warp, and 64 bytes of a half-warp: two segments of 32.
		{"hopper", "fourths", "load", "bs[4*i]", 8, 256},
		{"fermi", "fourths", "load", "bs[4*i]", 2, 256},
		{"gt200", "fourths", "load", "bs[4*i]", 8, 256},
		{"g80", "fourths", "load", "bs[4*i]", 64, 64 * 32},
		// Bytes 8 to 263: nine sectors. Half-warps, which Fermi asks for one by one, have 8 to 135
		// and 136 to 263: two lines each, and on 1.2 a segment of 128 bytes and 32 bytes of the
		// next.
		{"volta", "doubles", "load", "ds[i+1]", 18, 18 * 32},
		{"fermi", "doubles", "load", "ds[i+1]", 8, 8 * 128},
		{"gt200", "doubles", "load", "ds[i+1]", 8, 4 * (128 + 32)},
		{"g80", "doubles", "load", "ds[i+1]", 64, 64 * 32},
		// Even words of the first half, odd ones of the second half of 256 bytes, or the other way
		// round. A half-warp has 64 bytes in each half.
		{"ampere", "halves", "load", "a[i*33%64]", 16, 512},
		{"fermi", "halves", "load", "a[i*33%64]", 4, 512},
		{"gt200", "halves", "load", "a[i*33%64]", 8, 512},
		{"g80", "halves", "load", "a[i*33%64]", 64, 64 * 32},
		// A word of 12 bytes touches every sector of 384 bytes. A half-warp has 192 bytes: a
		// segment and a half.
		{"ampere", "points", "load", "ps[i].z", 24, 768},
		{"fermi", "points", "load", "ps[i].z", 6, 768},
		{"gt200", "points", "load", "ps[i].z", 8, 4 * (128 + 64)},
		{"g80", "points", "load", "ps[i].z", 64, 64 * 32},
		// Lanes may be missing on 1.0, and the segment is moved as a whole.
		{"ampere", "everyFourth", "store", "b[i]", 8, 256},
		{"fermi", "everyFourth", "store", "b[i]", 8, 256},
		{"gt200", "everyFourth", "store", "b[i]", 4, 256},
		{"g80", "everyFourth", "store", "b[i]", 4, 256},
		// A sector for each lane: whether 4 bytes of it are asked for or 16. Fermi asks for a warp
		// of words of 4 bytes and for quarters of one of 16.
		{"ampere", "wide", "load", "fs[2*i].X", 64, 2048},
		{"fermi", "wide", "load", "fs[2*i].X", 16, 2048},
		{"gt200", "wide", "load", "fs[2*i].X", 16, 2048},
		{"ampere", "whole", "load", "fs[2*i]", 64, 2048},
		{"fermi", "whole", "load", "fs[2*i]", 16, 2048},
		{"gt200", "whole", "load", "fs[2*i]", 16, 2048},
		{"g80", "whole", "load", "fs[2*i]", 64, 64 * 32},
	} {
		m := site(t, r.Kernel(c.kernel), c.kind, c.text).Traffic(board(t, c.gpu))
		assert.Equal(t, [2]int{c.transactions, c.bytes}, [2]int{m.Transactions, m.Bytes}, "%s, %s", c.kernel, c.gpu)
	}
	for _, c := range []struct {
		gpu, kernel, text string
		passes, ideal     int
	}{
		// An odd stride.
		{"hopper", "fives", "s[i*5%64]", 2, 2},
		{"fermi", "fives", "s[i*5%64]", 2, 2},
		{"g80", "fives", "s[i*5%64]", 4, 4},
		// Words 0, 3, 4, 7, 8 and so on: lane i+16 comes to the bank of lane i, and on 16 banks
		// lane i+8 does. On Kepler they are words i and i+32 of 64.
		{"hopper", "uneven", "s[2*i+i&1]", 4, 2},
		{"kepler", "uneven", "s[2*i+i&1]", 2, 2},
		{"g80", "uneven", "s[2*i+i&1]", 8, 4},
		// A warp has two rows of 16, written down the columns of rows of 16 words: 8 words in each
		// of the banks 0, 16, 1, 17. Of these 0 and 32, 64 and 96 and so on don't conflict on
		// Kepler. On 16 banks a half-warp has one bank.
		{"hopper", "column", "s[x*16+y]", 8 * 8, 8},
		{"kepler", "column", "s[x*16+y]", 8 * 4, 8},
		{"g80", "column", "s[x*16+y]", 16 * 16, 16},
	} {
		assert.Equal(t, prof.Passes{Passes: c.passes, Ideal: c.ideal}, site(t, r.Kernel(c.kernel), "store", c.text).Passes(board(t, c.gpu)), "%s, %s", c.kernel, c.gpu)
	}
	for _, c := range []struct {
		kernel, kind, text          string
		requests, divergent, active int
	}{
		{"everyFourth", "branch", "i%4 == 0", 2, 2, 64},
		// Before round k lanes below 16 k leave. The first warp asks whether to leave in rounds 0,
		// 1 and 2, and parts in round 1. The second one parts in round 3, and half of it asks for a
		// fifth round.
		{"rounds", "branch", "i < k*16", 3 + 4, 2, 32 + 32 + 16 + 4*32},
		{"rounds", "loop", "k < 4", 3 + 5, 0, 32 + 32 + 16 + 4*32 + 16},
	} {
		s := site(t, r.Kernel(c.kernel), c.kind, c.text)
		assert.Equal(t, [3]int{c.requests, c.divergent, c.active}, [3]int{s.Requests, s.Divergent, s.Lanes}, c.kernel)
	}
	// Three addresses of the constant cache, one after another; on 1.x for each half-warp.
	reads := [2]int{}
	for _, l := range r.Kernel("lookup").Launches {
		for _, s := range l.Sites {
			if s.Space == prof.SpaceConstant {
				reads[0] += s.Constant[0]
				reads[1] += s.Constant[1]
			}
		}
	}
	assert.Equal(t, [2]int{12, 6}, reads)
	// A warp has 8 lanes on each of four cells.
	s := site(t, r.Kernel("eighths"), "atomic", "&h[t.ThreadIdx.X/8]")
	assert.Equal(t, [3]int{2, 8, 16}, [3]int{s.Requests, s.Addresses, s.Most})
}
