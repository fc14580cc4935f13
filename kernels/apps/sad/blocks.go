package sad

// The offsets of a search and the blocks of a macroblock.

const (
	Range      = 16          // the most that an offset goes to each side, in pixels
	Side       = 2*Range + 1 // offsets along x, and along y
	Offsets    = Side * Side // of a search: offset (dx, dy) is number (dy+Range)*Side + dx+Range
	BlockCount = 41          // blocks of a macroblock, of all sizes
)

// A Block is a part of a macroblock that can have a motion vector of its own: its place in it and
// its size, in pixels.
type Block struct{ X, Y, W, H int }

// Where the blocks of a size begin in Blocks.
const (
	from4x8   = 16
	from8x4   = from4x8 + 8
	from8x8   = from8x4 + 8
	from8x16  = from8x8 + 4
	from16x8  = from8x16 + 2
	from16x16 = from16x8 + 2
)

// Blocks returns the blocks of a macroblock: 16 of 4x4, 8 of 4x8 (4 wide and 8 high), 8 of 8x4, 4
// of 8x8, 2 of 8x16, 2 of 16x8 and the whole. Those of a size are in the order of their rows.
func Blocks() [BlockCount]Block {
	var all [BlockCount]Block
	n := 0
	for _, s := range [][2]int{{4, 4}, {4, 8}, {8, 4}, {8, 8}, {8, 16}, {16, 8}, {16, 16}} {
		for y := 0; y < 16; y += s[1] {
			for x := 0; x < 16; x += s[0] {
				all[n] = Block{x, y, s[0], s[1]}
				n++
			}
		}
	}
	return all
}

// larger adds up the sums of all larger blocks at an offset, each as the sum of two that are half
// as large. The sum of the first block at that offset is sads[p].
func larger(sads []uint16, p int) {
	for r := range 2 {
		for c := range 4 {
			sads[(from4x8+4*r+c)*Offsets+p] = sads[(8*r+c)*Offsets+p] + sads[(8*r+4+c)*Offsets+p]
		}
	}
	for b := range 8 {
		sads[(from8x4+b)*Offsets+p] = sads[2*b*Offsets+p] + sads[(2*b+1)*Offsets+p]
	}
	for r := range 2 {
		for c := range 2 {
			sads[(from8x8+2*r+c)*Offsets+p] = sads[(from8x4+4*r+c)*Offsets+p] + sads[(from8x4+4*r+2+c)*Offsets+p]
		}
	}
	for b := range 2 {
		sads[(from8x16+b)*Offsets+p] = sads[(from8x8+b)*Offsets+p] + sads[(from8x8+2+b)*Offsets+p]
		sads[(from16x8+b)*Offsets+p] = sads[(from8x8+2*b)*Offsets+p] + sads[(from8x8+2*b+1)*Offsets+p]
	}
	sads[from16x16*Offsets+p] = sads[from16x8*Offsets+p] + sads[(from16x8+1)*Offsets+p]
}
