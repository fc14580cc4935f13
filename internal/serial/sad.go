package serial

import (
	"slices"

	"github.com/gocuda/gocuda/kernels/apps/sad"
)

// SADs sets sads to the sums of absolute differences of all blocks at all offsets: the reference of
// [sad.SADs].
func SADs(w, h int, cur, ref []uint8, sads []uint16) {
	across, down := sad.Macroblocks(w, h)
	SADsOf(0, across*down, w, h, cur, ref, sads)
}

// SADsOf is [SADs] for the macroblocks from up to but not including to. It sets their sums alone.
// Programs that share the work among goroutines call it.
func SADsOf(from, to, w, h int, cur, ref []uint8, sads []uint16) {
	across, _ := sad.Macroblocks(w, h)
	for m := from; m < to; m++ {
		macroblock(w, h, m%across, m/across, cur, ref, sads[m*sad.BlockCount*sad.Offsets:(m+1)*sad.BlockCount*sad.Offsets])
	}
}

// SADSearch sets vectors to the best offset of each block: the reference of [sad.Search].
func SADSearch(w, h int, cur, ref []uint8, vectors []sad.Vector) {
	across, down := sad.Macroblocks(w, h)
	sads, offsets := make([]uint16, sad.BlockCount*sad.Offsets), shortestFirst()
	for m := range across * down {
		macroblock(w, h, m%across, m/across, cur, ref, sads)
		for b := range sad.BlockCount {
			least := offsets[0]
			for _, p := range offsets {
				if sads[b*sad.Offsets+p] < sads[b*sad.Offsets+least] {
					least = p
				}
			}
			vectors[m*sad.BlockCount+b] = sad.Vector{DX: int16(least%sad.Side - sad.Range), DY: int16(least/sad.Side - sad.Range), SAD: sads[b*sad.Offsets+least]}
		}
	}
}

// macroblock computes the sums of macroblock (mx, my).
func macroblock(w, h, mx, my int, cur, ref []uint8, sads []uint16) {
	pixel := func(frame []uint8, x, y int) int { return int(frame[min(max(y, 0), h-1)*w+min(max(x, 0), w-1)]) }
	var a [16 * 16]int
	for i := range a {
		a[i] = pixel(cur, 16*mx+i%16, 16*my+i/16)
	}
	var window [48 * 48]int
	for i := range window {
		window[i] = pixel(ref, 16*mx-sad.Range+i%48, 16*my-sad.Range+i/48)
	}
	for p := range sad.Offsets {
		dx, dy := p%sad.Side, p/sad.Side // from the corner of the window
		for b := range 16 {
			sum := 0
			for y := b / 4 * 4; y < b/4*4+4; y++ {
				for x := b % 4 * 4; x < b%4*4+4; x++ {
					d := a[y*16+x] - window[(y+dy)*48+x+dx]
					sum += max(d, -d)
				}
			}
			sads[b*sad.Offsets+p] = uint16(sum)
		}
		for _, of := range halvesOf {
			sads[of.whole*sad.Offsets+p] = sads[of.first*sad.Offsets+p] + sads[of.second*sad.Offsets+p]
		}
	}
}

// halvesOf has, for each block larger than 4x4, two smaller blocks that make it up: its halves. They
// come before it.
var halvesOf = func() (all []struct{ whole, first, second int }) {
	blocks := sad.Blocks()
	for i, b := range blocks {
		if b.W == 4 && b.H == 4 {
			continue
		}
		first, second := b, b
		if b.W > b.H {
			first.W, second.X, second.W = b.W/2, b.X+b.W/2, b.W/2
		} else {
			first.H, second.Y, second.H = b.H/2, b.Y+b.H/2, b.H/2
		}
		all = append(all, struct{ whole, first, second int }{i, slices.Index(blocks[:], first), slices.Index(blocks[:], second)})
	}
	return all
}()

// shortestFirst returns the offsets, with the shortest first, and of these in their own order.
func shortestFirst() []int {
	var all []int
	for i := range sad.Offsets {
		all = append(all, i)
	}
	square := func(p int) int {
		dx, dy := p%sad.Side-sad.Range, p/sad.Side-sad.Range
		return dx*dx + dy*dy
	}
	slices.SortStableFunc(all, func(a, b int) int { return square(a) - square(b) })
	return all
}
