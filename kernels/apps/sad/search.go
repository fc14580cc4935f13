package sad

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// A Method is a way to read the reference frame. Both give the same sums.
type Method int

// The methods.
const (
	Window  Method = iota // through shared memory
	Texture               // through a texture, as the paper's port
)

// String names the method.
func (m Method) String() string {
	switch m {
	case Window:
		return "window"
	case Texture:
		return "texture"
	}
	return fmt.Sprintf("Method(%d)", int(m))
}

// Macroblocks returns how many macroblocks a frame has in a row and in a column.
func Macroblocks(w, h int) (across, down int) { return (w + 15) / 16, (h + 15) / 16 }

// maxGrid is the number of blocks that every device can launch along x, and along y.
const maxGrid = 65535

// SADs sets sads to the sums of absolute differences of all blocks at all offsets: that of block b
// at offset p of macroblock m is sads[(m*BlockCount+b)*Offsets+p], where macroblocks are numbered
// row by row. cur and ref are the current and the reference frame, of w by h pixels, row by row.
func SADs(ctx context.Context, on kernels.Launcher, method Method, w, h int, cur, ref []uint8, sads []uint16) error {
	if err := valid(method, w, h, cur, ref); err != nil {
		return err
	}
	across, down := Macroblocks(w, h)
	if err := check.Shape("motion search, sums", across*down, BlockCount*Offsets, len(sads)); err != nil {
		return err
	}
	if w == 0 || h == 0 {
		return nil
	}
	run, err := method.open(ctx, on, w, h, cur, ref)
	if err != nil {
		return err
	}
	const row = BlockCount * Offsets
	for first := 0; first < down; first += maxGrid {
		n := min(down-first, maxGrid)
		if err := run(first, n, sads[first*across*row:(first+n)*across*row]); err != nil {
			return err
		}
	}
	return nil
}

// valid returns an error unless the arguments of a search make sense.
func valid(method Method, w, h int, cur, ref []uint8) error {
	if method < Window || method > Texture {
		return check.Invalid("motion search", "%v", method)
	}
	if err := check.Shape("motion search, current frame", h, w, len(cur)); err != nil {
		return err
	}
	if err := check.Shape("motion search, reference frame", h, w, len(ref)); err != nil {
		return err
	}
	const most = 16 * maxGrid // as many macroblocks as a grid has room for, and float32 counts texels exactly
	if w > most || h > most {
		return check.Invalid("motion search", "a frame of %d by %d pixels; want at most %d", w, h, most)
	}
	return nil
}

// open returns a func that launches the kernels for the sums of n rows of macroblocks, the first of
// which is given.
func (m Method) open(ctx context.Context, on kernels.Launcher, w, h int, cur, ref []uint8) (func(first, n int, sads []uint16) error, error) {
	across, _ := Macroblocks(w, h)
	if m == Window {
		return func(first, n int, sads []uint16) error {
			cfg := grid.Config{Grid: grid.Dim3{X: across, Y: n}, Block: grid.Dim3{X: windowX, Y: windowY}}
			return on.Launch(ctx, cfg, windowKernel(w, h, first, cur, ref, sads))
		}, nil
	}
	tex, err := newTexture(w, h, ref)
	if err != nil {
		return nil, fmt.Errorf("kernels: motion search: %w", err)
	}
	return func(first, n int, sads []uint16) error {
		cfg := grid.Config{Grid: grid.Dim3{X: across, Y: n}, Block: grid.Dim3{X: textureX, Y: textureY}}
		if err := on.Launch(ctx, cfg, textureKernel(w, h, first, cur, tex, sads)); err != nil {
			return err
		}
		for blocks := across * n; blocks > 0; blocks -= maxGrid {
			some := min(blocks, maxGrid)
			cfg := grid.Linear(Offsets, 128)
			cfg.Grid.Y = some
			if err := on.Launch(ctx, cfg, addKernel(sads[:some*BlockCount*Offsets])); err != nil {
				return err
			}
			sads = sads[some*BlockCount*Offsets:]
		}
		return nil
	}, nil
}

// A Vector is the offset of the least sum of a block, and that sum.
type Vector struct {
	DX, DY int16
	SAD    uint16
}

// Search sets vectors to the best offset of each block: that of block b of macroblock m is
// vectors[m*BlockCount+b]. Of several offsets with the least sum it is the shortest, and of these
// the first, row by row. The other arguments are those of [SADs].
//
// Search reads results back, so it can't be queued.
func Search(ctx context.Context, on kernels.Launcher, method Method, w, h int, cur, ref []uint8, vectors []Vector) error {
	if err := valid(method, w, h, cur, ref); err != nil {
		return err
	}
	across, down := Macroblocks(w, h)
	if err := check.Shape("motion search, vectors", across*down, BlockCount, len(vectors)); err != nil {
		return err
	}
	if err := kernels.Waits("motion search", on); err != nil {
		return err
	}
	if w == 0 || h == 0 {
		return nil
	}
	run, err := method.open(ctx, on, w, h, cur, ref)
	if err != nil {
		return err
	}
	// The sums of a frame would need hundreds of times its memory, so rows of macroblocks are
	// searched in turn.
	rows := min(down, max(1, chunkBlocks/across))
	if err := host.Need(float64(rows)*float64(across)*2*BlockCount*Offsets, "the sums of a motion search"); err != nil {
		return err
	}
	sads, keys := make([]uint16, rows*across*BlockCount*Offsets), make([]uint32, rows*across*BlockCount)
	offsets := order()
	var ranks [Offsets]uint16
	for i, p := range offsets {
		ranks[p] = uint16(i)
	}
	for first := 0; first < down; first += rows {
		n := min(rows, down-first)
		blocks := n * across * BlockCount
		some := sads[:blocks*Offsets]
		if err := run(first, n, some); err != nil {
			return err
		}
		if err := best(ctx, on, ranks[:], some, keys[:blocks]); err != nil {
			return err
		}
		for i, key := range keys[:blocks] {
			p := offsets[key&0xffff%Offsets]
			vectors[first*across*BlockCount+i] = Vector{int16(p%Side - Range), int16(p/Side - Range), uint16(key >> 16)}
		}
	}
	return nil
}

// chunkBlocks is about how many macroblocks are searched at once: the sums of one are 87 KiB.
const chunkBlocks = 64

// order returns the offsets with the shortest first, and of these in their own order.
func order() []int {
	all := make([]int, Offsets)
	for i := range all {
		all[i] = i
	}
	square := func(p int) int {
		dx, dy := p%Side-Range, p/Side-Range
		return dx*dx + dy*dy
	}
	slices.SortStableFunc(all, func(a, b int) int { return square(a) - square(b) })
	return all
}
