package learn

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/prof/memsys"
)

var (
	g80   = gocuda.Capability{Major: 1}
	fermi = gocuda.Capability{Major: 2}
)

// occupancy is that of blocks on a multiprocessor of capability c.
func occupancy(t *testing.T, c gocuda.Capability, threads, regs, shared int) gocuda.Occupancy {
	o, err := c.Occupancy(threads, regs, shared)
	require.NoError(t, err)
	return o
}

// divergence counts the branches of the eight warps of 256 threads. rounds are the conditions that
// a thread meets one after another.
func divergence(rounds ...func(thread int) bool) (b memsys.Branches) {
	for _, taken := range rounds {
		for warp := range 8 {
			var lanes uint32
			for lane := range 32 {
				if taken(warp*32 + lane) {
					lanes |= 1 << lane
				}
			}
			b.Branch(^uint32(0), lanes)
		}
	}
	return b
}

// answers computes the answers of docs/questions.md, by their numbers.
func answers(t *testing.T) (all []string) {
	all = make([]string, 12)
	add := func(number int, format string, args ...any) { all[number-1] = fmt.Sprintf(format, args...) }

	o := occupancy(t, g80, 256, 0, 0)
	add(1, "%d warps: %d of each block", 3*o.Warps/o.Blocks, o.Warps/o.Blocks)

	var sides []string
	for _, side := range []int{8, 16, 32} {
		o := occupancy(t, g80, side*side, 0, 0)
		sides = append(sides, fmt.Sprintf("%[1]dx%[1]d gives %d blocks and %d threads", side, o.Blocks, o.Blocks*side*side))
	}
	add(2, "%s; on capability 2.0 32x32 gives %d threads", strings.Join(sides, ", "), 32*32*occupancy(t, fermi, 32*32, 0, 0).Blocks)

	ten, eleven := occupancy(t, g80, 256, 10, 0), occupancy(t, g80, 256, 11, 0)
	add(3, "with 10 registers %d blocks, %d threads; with 11 registers %d blocks, %d threads", ten.Blocks, ten.Blocks*256, eleven.Blocks, eleven.Blocks*256)

	var by []string
	for stride := 1; stride <= 16; stride++ {
		p, err := memsys.Shared(g80, memsys.Strided(0, stride, 4), memsys.Bank32)
		require.NoError(t, err)
		by = append(by, fmt.Sprint(p.Passes/p.Ideal))
	}
	add(6, "for the strides 1 to 16 a half-warp takes %s passes", strings.Join(by, ", "))

	var interleaved, sequential []func(int) bool
	for s := 1; s < 256; s *= 2 {
		interleaved = append(interleaved, func(i int) bool { return i%(2*s) == 0 })
		sequential = append(sequential, func(i int) bool { return i < s })
	}
	slices.Reverse(sequential)
	a, b := divergence(interleaved...), divergence(sequential...)
	add(9, "of %d branches %d diverge in the first form, and %d in the second", a.Branches, a.Divergent, b.Divergent)

	first, second := divergence(func(i int) bool { return i > 2 }), divergence(func(i int) bool { return i/32 > 2 })
	add(10, "of %d warps %d diverges at the first condition, and %d at the second", first.Branches, first.Divergent, second.Divergent)

	const latency, dispatch, instructions = 200, 4, 4 // cycles, cycles an instruction of a warp, instructions a load
	add(5, "%d warps", (latency+dispatch*instructions-1)/(dispatch*instructions))

	threads := 32
	for occupancy(t, fermi, threads, 0, 0).Fraction() < 1 {
		threads += 32
	}
	regs := 0
	for occupancy(t, fermi, 192, regs+1, 0).Fraction() == 1 {
		regs++
	}
	add(4, "at least %d threads a block, and at most %d registers a thread", threads, regs)

	largest := func(c gocuda.Capability) int {
		n := 1
		for occupancy(t, c, (n+1)*(n+1), 0, 0).Blocks > 0 {
			n++
		}
		return n
	}
	add(11, "N is at most %d on capability 1.0, and %d on 2.0; and one block keeps one multiprocessor busy", largest(g80), largest(fermi))

	cfg := grid.Rect(1000, 1000, 16, 16)
	launched := cfg.Grid.X * cfg.Grid.Y * cfg.Block.X * cfg.Block.Y
	add(12, "%d by %d blocks, with %d threads that have nothing to do", cfg.Grid.X, cfg.Grid.Y, launched-1000*1000)

	const bandwidth = 86.4 // GB/s of a GeForce 8800 GTX
	add(7, "%.1f GFLOPS; with tiles of 16 %.1f GFLOPS", bandwidth/4, 16*bandwidth/4)

	tile := func(n int) int { return occupancy(t, g80, 32, 0, 2*n*n*4).ByShared }
	add(8, "tiles of 16 leave room for %d blocks, tiles of 32 for %d", tile(16), tile(32))
	return all
}

// Each answer in docs/questions.md is the computed one.
func TestAnswersToTheTextsQuestions(t *testing.T) {
	text, err := os.ReadFile("../docs/questions.md")
	require.NoError(t, err)
	var written []string
	for _, m := range regexp.MustCompile(`(?m)^\*\*Answer (\d+):\*\* (.+)\.$`).FindAllStringSubmatch(string(text), -1) {
		assert.Equal(t, fmt.Sprint(len(written)+1), m[1], "the answers' numbers")
		written = append(written, m[2])
	}
	computed := answers(t)
	for i, a := range computed {
		t.Logf("%d: %s", i+1, a)
	}
	assert.Equal(t, computed, written)
}

// The computed answers that the texts print too are those of the texts.
func TestAnswersAreThoseOfTheTexts(t *testing.T) {
	all := answers(t)
	for number, says := range map[int][]string{
		1:  {"24 warps", "8 of each"},                                                       // 8*3 = 24
		2:  {"8x8 gives 8 blocks and 512", "16x16 gives 3 blocks and 768", "32x32 gives 0"}, // "wastes 1/3", "sweet spot", "not even one"
		3:  {"10 registers 3 blocks", "11 registers 2 blocks"},                              // 8192/2560 and 8192/2816
		4:  {"192 threads"},                                                                 // but 16 registers: docs/questions.md says why
		5:  {"13 warps"},
		6:  {"1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1, 2, 1, 16"},        // 2-way for 2, 8-way for 8, none for odd ones
		7:  {"21.6 GFLOPS", "345.6 GFLOPS"},                            // 347.6 there, a slip of 16*21.6
		8:  {"tiles of 16 leave room for 8 blocks, tiles of 32 for 2"}, // "up to 8", "up to two"
		10: {"1 diverges at the first condition, and 0"},               // "example without divergence"
	} {
		for _, s := range says {
			assert.Contains(t, all[number-1], s)
		}
	}
}
