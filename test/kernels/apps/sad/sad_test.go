package sad_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/sad"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var methods = []sad.Method{sad.Window, sad.Texture}

// noise is a frame in which no two places look alike.
func noise(w, h int, seed uint64) []uint8 {
	r := rand.New(rand.NewPCG(seed, uint64(w*h)))
	v := make([]uint8, w*h)
	for i := range v {
		v[i] = uint8(r.Uint32())
	}
	return v
}

// moved is ref shifted: pixel (x, y) is pixel (x+dx, y+dy) of ref, or the nearest one inside.
func moved(w, h int, ref []uint8, dx, dy int) []uint8 {
	v := make([]uint8, w*h)
	for i := range v {
		v[i] = ref[min(max(i/w+dy, 0), h-1)*w+min(max(i%w+dx, 0), w-1)]
	}
	return v
}

// direct is the sum of a block by its definition.
func direct(w, h int, cur, ref []uint8, x0, y0 int, b sad.Block, dx, dy int) int {
	at := func(v []uint8, x, y int) int { return int(v[min(max(y, 0), h-1)*w+min(max(x, 0), w-1)]) }
	sum := 0
	for y := y0 + b.Y; y < y0+b.Y+b.H; y++ {
		for x := x0 + b.X; x < x0+b.X+b.W; x++ {
			d := at(cur, x, y) - at(ref, x+dx, y+dy)
			if d < 0 {
				d = -d
			}
			sum += d
		}
	}
	return sum
}

// all are the sums of a whole frame by their definition.
func all(w, h int, cur, ref []uint8) []uint16 {
	var sums []uint16
	across, down := sad.Macroblocks(w, h)
	for m := range across * down {
		for _, b := range sad.Blocks() {
			for dy := -16; dy <= 16; dy++ {
				for dx := -16; dx <= 16; dx++ {
					sums = append(sums, uint16(direct(w, h, cur, ref, 16*(m%across), 16*(m/across), b, dx, dy)))
				}
			}
		}
	}
	return sums
}

// The sizes of the standard: 41 blocks, and those of each size cover the macroblock once.
func TestBlocks(t *testing.T) {
	count := map[[2]int]int{}
	covered := map[[2]int][16][16]int{}
	for _, b := range sad.Blocks() {
		size := [2]int{b.W, b.H}
		count[size]++
		c := covered[size]
		for y := b.Y; y < b.Y+b.H; y++ {
			for x := b.X; x < b.X+b.W; x++ {
				c[y][x]++
			}
		}
		covered[size] = c
	}
	assert.Equal(t, map[[2]int]int{{4, 4}: 16, {4, 8}: 8, {8, 4}: 8, {8, 8}: 4, {8, 16}: 2, {16, 8}: 2, {16, 16}: 1}, count)
	for size, c := range covered {
		for _, row := range c {
			for _, n := range row {
				require.Equal(t, 1, n, size)
			}
		}
	}
}

func TestSADsByDefinition(t *testing.T) {
	sizes := [][2]int{{1, 1}, {16, 16}, {17, 5}, {0, 3}, {31, 33}, {33, 47}, {48, 16}, {100, 20}}
	wants := map[[2]int][]uint16{}
	for _, dev := range kerneltest.Devices(t) {
		for _, method := range methods {
			few := len(sizes)
			if dev.Slow {
				few = 4
			}
			for _, s := range sizes[:few] {
				w, h := s[0], s[1]
				cur, ref := noise(w, h, 1), noise(w, h, 2)
				want := wants[s]
				if want == nil {
					want = all(w, h, cur, ref)
					wants[s] = want
				}
				got := make([]uint16, len(want))
				require.NoError(t, sad.SADs(t.Context(), dev, method, w, h, cur, ref, got))
				slicetest.Equal(t, want, got, "%s, %v, %dx%d", dev.Name, method, w, h)
			}
		}
	}
}

func TestSerialByDefinition(t *testing.T) {
	for _, s := range [][2]int{{1, 1}, {20, 35}, {0, 0}} {
		cur, ref := noise(s[0], s[1], 1), noise(s[0], s[1], 2)
		want := all(s[0], s[1], cur, ref)
		got := make([]uint16, len(want))
		serial.SADs(s[0], s[1], cur, ref, got)
		slicetest.Equal(t, want, got, "%v", s)
	}
}

// The largest sum has 16 bits: white against black.
func TestLargestSum(t *testing.T) {
	white := make([]uint8, 16*16)
	for i := range white {
		white[i] = 255
	}
	got := make([]uint16, sad.BlockCount*sad.Offsets)
	require.NoError(t, sad.SADs(t.Context(), gocuda.Default(), sad.Window, 16, 16, white, make([]uint8, 16*16), got))
	for b, block := range sad.Blocks() {
		assert.EqualValues(t, 255*block.W*block.H, got[b*sad.Offsets+7], "block %d", b)
	}
}

// Of a frame that is the reference shifted by (dx, dy), all blocks find that vector, with the sum 0.
func TestShiftedFrame(t *testing.T) {
	const w, h = 48, 48
	ref := noise(w, h, 3)
	across, down := sad.Macroblocks(w, h)
	for _, dev := range kerneltest.Devices(t) {
		for _, method := range methods {
			for k, d := range [][2]int{{5, -3}, {0, 0}, {-16, 16}, {16, 0}, {-1, -16}} {
				if k > 0 && dev.Slow {
					break
				}
				what := fmt.Sprintf("%s, %v, %v", dev.Name, method, d)
				cur := moved(w, h, ref, d[0], d[1])
				vectors := make([]sad.Vector, across*down*sad.BlockCount)
				require.NoError(t, sad.Search(t.Context(), dev, method, w, h, cur, ref, vectors))
				for m := range across * down {
					for b, block := range sad.Blocks() {
						v := vectors[m*sad.BlockCount+b]
						require.Zero(t, v.SAD, what)
						x, y := 16*(m%across)+block.X, 16*(m/across)+block.Y
						if x+d[0] < 0 || y+d[1] < 0 || x+block.W+d[0] > w || y+block.H+d[1] > h {
							continue // where pixels are repeated, several offsets fit
						}
						require.Equal(t, sad.Vector{DX: int16(d[0]), DY: int16(d[1])}, v, "%s: macroblock %d, block %d", what, m, b)
					}
				}
			}
		}
	}
}

// Parts of a frame that move differently are found by the blocks that have nothing else in them.
func TestTwoMotions(t *testing.T) {
	const w, h = 96, 96
	ref := noise(w, h, 4)
	cur := moved(w, h, ref, 2, 7)
	other := moved(w, h, ref, -9, 1)
	for y := 40; y < 48; y++ { // the lower left 8x8 of macroblock (2, 2)
		copy(cur[y*w+32:y*w+40], other[y*w+32:y*w+40])
	}
	across, down := sad.Macroblocks(w, h)
	vectors := make([]sad.Vector, across*down*sad.BlockCount)
	require.NoError(t, sad.Search(t.Context(), gocuda.Default(), sad.Window, w, h, cur, ref, vectors))
	for b, block := range sad.Blocks() {
		v := vectors[(2*across+2)*sad.BlockCount+b]
		switch {
		case block.X < 8 && block.X+block.W <= 8 && block.Y >= 8:
			assert.Equal(t, sad.Vector{DX: -9, DY: 1}, v, block)
		case block.X >= 8 || block.Y+block.H <= 8:
			assert.Equal(t, sad.Vector{DX: 2, DY: 7}, v, block)
		}
	}
}

// In a frame of one colour every offset fits, and the shortest is taken; so it is with the reference.
func TestTies(t *testing.T) {
	const w, h = 33, 18
	grey := make([]uint8, w*h)
	stripes := make([]uint8, w*h) // the same again after 4 pixels
	for i := range stripes {
		stripes[i] = uint8(i % w % 4 * 50)
	}
	across, down := sad.Macroblocks(w, h)
	got, want := make([]sad.Vector, across*down*sad.BlockCount), make([]sad.Vector, across*down*sad.BlockCount)
	for _, dev := range kerneltest.Devices(t) {
		require.NoError(t, sad.Search(t.Context(), dev, sad.Window, w, h, grey, grey, got))
		slicetest.Equal(t, want, got, dev.Name)
	}
	require.NoError(t, sad.Search(t.Context(), gocuda.Default(), sad.Window, w, h, stripes, moved(w, h, stripes, 2, 0), got))
	serial.SADSearch(w, h, stripes, moved(w, h, stripes, 2, 0), want)
	slicetest.Equal(t, want, got)
	assert.EqualValues(t, [3]int{-2, 0, 0}, [3]int{int(got[sad.BlockCount].DX), int(got[sad.BlockCount].DY), int(got[sad.BlockCount].SAD)}, "the first of (-2, 0) and (2, 0)")
}

// More macroblocks than are searched at once.
func TestSearchOfALargeFrame(t *testing.T) {
	w, h := 9*16+3, 8*16+9
	if kerneltest.Devices(t)[0].Slow {
		w, h = 40, 30
	}
	ref := noise(w, h, 5)
	cur := moved(w, h, ref, 3, 3)
	across, down := sad.Macroblocks(w, h)
	got, want := make([]sad.Vector, across*down*sad.BlockCount), make([]sad.Vector, across*down*sad.BlockCount)
	require.NoError(t, sad.Search(t.Context(), gocuda.Default(), sad.Window, w, h, cur, ref, got))
	serial.SADSearch(w, h, cur, ref, want)
	slicetest.Equal(t, want, got)
}

func TestArguments(t *testing.T) {
	on, ctx := gocuda.Default(), t.Context()
	f, sums, vectors := make([]uint8, 16*16), make([]uint16, sad.BlockCount*sad.Offsets), make([]sad.Vector, sad.BlockCount)
	for name, err := range map[string]error{
		"method":           sad.SADs(ctx, on, 7, 16, 16, f, f, sums),
		"negative":         sad.SADs(ctx, on, sad.Window, -16, -16, f, f, sums),
		"current":          sad.SADs(ctx, on, sad.Window, 16, 16, f[1:], f, sums),
		"reference":        sad.SADs(ctx, on, sad.Window, 16, 16, f, f[1:], sums),
		"sums":             sad.SADs(ctx, on, sad.Window, 16, 16, f, f, sums[1:]),
		"too wide":         sad.SADs(ctx, on, sad.Window, 16<<16, 1, make([]uint8, 16<<16), make([]uint8, 16<<16), sums),
		"vectors":          sad.Search(ctx, on, sad.Texture, 16, 16, f, f, vectors[1:]),
		"search, nil":      sad.Search(ctx, on, sad.Window, 16, 16, nil, f, vectors),
		"search, a method": sad.Search(ctx, on, -1, 16, 16, f, f, vectors),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
	s := gocuda.Default().NewStream()
	defer s.Close()
	assert.ErrorIs(t, sad.Search(ctx, kernels.OnStream(s), sad.Window, 16, 16, f, f, vectors), gocuda.ErrNotSupported)
	require.NoError(t, sad.SADs(ctx, kernels.OnStream(s), sad.Texture, 16, 16, noise(16, 16, 1), f, sums))
	require.NoError(t, s.Synchronize(ctx))
	want := make([]uint16, len(sums))
	serial.SADs(16, 16, noise(16, 16, 1), f, want)
	slicetest.Equal(t, want, sums)
}

// A whole film, frame by frame. testdata/waves.y4m is a pattern of waves that moves by (2, -1) from
// frame to frame.
func TestFilm(t *testing.T) {
	f, err := os.Open("../../../../kernels/apps/sad/testdata/waves.y4m")
	require.NoError(t, err)
	defer f.Close()
	r, err := sad.NewReader(f, f.Name())
	require.NoError(t, err)
	w, h := r.Width, r.Height
	across, down := sad.Macroblocks(w, h)
	ref, cur := make([]uint8, w*h), make([]uint8, w*h)
	vectors := make([]sad.Vector, across*down*sad.BlockCount)
	require.NoError(t, r.Next(ref))
	frames := 1
	for ; r.Next(cur) == nil; frames++ {
		require.NoError(t, sad.Search(t.Context(), gocuda.Default(), sad.Texture, w, h, cur, ref, vectors))
		for i, v := range vectors {
			b, m := sad.Blocks()[i%sad.BlockCount], i/sad.BlockCount
			x, y := 16*(m%across), 16*(m/across)
			require.EqualValues(t, direct(w, h, cur, ref, x, y, b, int(v.DX), int(v.DY)), v.SAD, "frame %d, block %d", frames, i)
			require.LessOrEqual(t, int(v.SAD), direct(w, h, cur, ref, x, y, b, 2, -1), "frame %d, block %d", frames, i)
			require.LessOrEqual(t, int(v.SAD), direct(w, h, cur, ref, x, y, b, -2, 1), "frame %d, block %d", frames, i)
		}
		ref, cur = cur, ref
	}
	assert.Equal(t, 4, frames)
}
