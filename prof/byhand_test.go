package prof_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/prof"
)

// Access patterns whose counts are worked out by hand, on one block of two warps.
var byHand = strings.Replace(program, "import (\n", `import (
	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/device"
`, 1) + `
type particle struct{ x, y, z, w float32 }

var (
	a, b = make([]float32, 4096), make([]float32, 4096)
	ps   = make([]particle, 64)
	fs   = make([]device.Float4, 64)
	h    = make([]int32, 4)
)

func structs(t *gocuda.Thread)  { i := t.ThreadIdx.X; b[i] = ps[i].y }
func vectors(t *gocuda.Thread)  { i := t.ThreadIdx.X; fs[i] = fs[i].Neg() }
func stencil(t *gocuda.Thread)  { i := t.ThreadIdx.X; b[i] = a[i] + a[i+1] + a[i+2] }
func pitched(t *gocuda.Thread)  { x, y := t.ThreadIdx.X, t.ThreadIdx.Y; b[y*32+x] = a[y*33+x] }
func byRows(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	sum := float32(0)
	for k := range 4 {
		sum += a[i*64+k]
	}
	b[i] = sum
}
func sevens(t *gocuda.Thread) { i := t.ThreadIdx.X; b[i] = a[i*7%64] }
func columns(t *gocuda.Thread) {
	s := gocuda.Shared[float32](t, 16*17)
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	s[x*17+y] = 1
}
func doubles(t *gocuda.Thread) {
	s := gocuda.Shared[float64](t, 64)
	s[t.ThreadIdx.X] = 1
}
func histogram(t *gocuda.Thread) { atomic.Add(&h[t.ThreadIdx.X%4], 1) }
func parts(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	if i < 40 {
		b[i] = 1
	}
	for k := 0; k < i%3; k++ {
		b[i] = 2
	}
}

func TestByHand(t *testing.T) {
	for _, k := range []func(*gocuda.Thread){structs, vectors, stencil, byRows, sevens, doubles, histogram, parts} {
		launch(dim(1, 1), dim(64, 1), k)
	}
	launch(dim(1, 1), dim(32, 2), pitched)
	launch(dim(1, 1), dim(16, 4), columns)
}
`

func TestPatternsByHand(t *testing.T) {
	r := profile(t, byHand)
	traffic := func(gpu, kernel, kind, text string) [3]int {
		s := site(t, r.Kernel(kernel), kind, text)
		m := s.Traffic(board(t, gpu))
		return [3]int{s.Requests, m.Transactions, m.Bytes}
	}
	// 32 structs of 16 bytes are 512 bytes: 16 sectors, 4 lines, or 2 segments a half-warp, though
	// 128 bytes are asked for.
	assert.Equal(t, [3]int{2, 2 * 16, 1024}, traffic("ampere", "structs", "load", "ps[i].y"))
	assert.Equal(t, [3]int{2, 2 * 4, 1024}, traffic("fermi", "structs", "load", "ps[i].y"))
	assert.Equal(t, [3]int{2, 2 * 4, 1024}, traffic("gt200", "structs", "load", "ps[i].y"))
	assert.Equal(t, [3]int{2, 64, 64 * 32}, traffic("g80", "structs", "load", "ps[i].y"))
	// The same bytes, all of them asked for.
	assert.Equal(t, [3]int{2, 2 * 16, 1024}, traffic("ampere", "vectors", "load", "fs[i]"))
	assert.InDelta(t, 100, r.Kernel("vectors").LoadEfficiency(), 0)
	// Off by a word or two, a fifth sector is touched.
	for i, text := range []string{"a[i]", "a[i+1]", "a[i+2]"} {
		assert.Equal(t, 2*(4+min(i, 1)), traffic("ampere", "stencil", "load", text)[1], text)
	}
	// Row 1 of 33 words begins in the middle of a sector.
	assert.Equal(t, 4+5, traffic("ampere", "pitched", "load", "a[y*33+x]")[1])
	// Each thread goes along a row of its own: a sector a lane, four times.
	assert.Equal(t, [3]int{8, 256, 8192}, traffic("ampere", "byRows", "load", "a[i*64+k]"))
	// Sevens modulo 64 come to all eight sectors.
	assert.Equal(t, 2*8, traffic("ampere", "sevens", "load", "a[i*7%64]")[1])
	// Columns of rows of 17 words, two at a time: x = 0 of the first and x = 15 of the second are
	// in one bank.
	assert.Equal(t, prof.Passes{Passes: 4, Ideal: 2}, site(t, r.Kernel("columns"), "store", "s[x*17+y]").Passes(r.GPU))
	// Words of 8 bytes take two passes, without conflicts.
	assert.Equal(t, prof.Passes{Passes: 4, Ideal: 4}, site(t, r.Kernel("doubles"), "store", "s[t.ThreadIdx.X]").Passes(r.GPU))
	// Four cells have 8 lanes each.
	s := site(t, r.Kernel("histogram"), "atomic", "&h[t.ThreadIdx.X%4]")
	assert.Equal(t, [3]int{2, 8, 16}, [3]int{s.Requests, s.Addresses, s.Most})
	// The second warp parts at 40. Of a loop of 0, 1 or 2 rounds the head is asked three times, and
	// twice some go on and some don't.
	s = site(t, r.Kernel("parts"), "branch", "i < 40")
	assert.Equal(t, [2]int{2, 1}, [2]int{s.Requests, s.Divergent})
	s = site(t, r.Kernel("parts"), "loop", "k < i%3")
	assert.Equal(t, [2]int{6, 4}, [2]int{s.Requests, s.Divergent})
}
