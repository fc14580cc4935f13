package image

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
	"github.com/gocuda/gocuda/kernels/internal/chunk"
	"github.com/gocuda/gocuda/kernels/internal/launchers"
	"github.com/gocuda/gocuda/mem"
)

// A Correlation is a way to compute the normalized cross-correlation: the steps of The CUDA
// Handbook, chapter 15, and what is best on processors. All give the same bits.
type Correlation int

// The ways.
const (
	Separated           Correlation = iota // sums of the window by rows and columns, the image in tiles: [Correlate]
	GlobalMemory                           // image and template in global memory: [CorrelateNaive]
	Textures                               // image and template are textures (15.2)
	ConstantTemplate                       // the image is a texture, the template in constant memory (15.3)
	SharedImage                            // as before, with the part of the image that a block needs in shared memory (15.4)
	MultiprocessorAware                    // as before, with products of 24 bits on compute capability 1.x (15.5.1)
	Unrolled                               // as SharedImage, with four pixels of the template a round (15.5.2)
)

// String names the way.
func (c Correlation) String() string {
	switch c {
	case Separated:
		return "separated"
	case GlobalMemory:
		return "global memory"
	case Textures:
		return "textures"
	case ConstantTemplate:
		return "constant template"
	case SharedImage:
		return "shared image"
	case MultiprocessorAware:
		return "multiprocessor-aware"
	case Unrolled:
		return "unrolled"
	}
	return fmt.Sprintf("Correlation(%d)", int(c))
}

// CorrelateBy is [Correlate] in the given way. What the fast memories have no room for is done in
// another way: a template of more than 65536 bytes does not fit constant memory, and is done by
// Textures; a part of the image that does not fit the shared memory of a block is read from the
// texture, as by ConstantTemplate. Images and templates of the ways with textures can't be larger
// than textures of pitched memory are, 131072 by 65000 pixels.
func CorrelateBy(ctx context.Context, on kernels.Launcher, by Correlation, w, h, tw, th int, out []float32, image, template []uint8) error {
	switch by {
	case Separated:
		return Correlate(ctx, on, w, h, tw, th, out, image, template)
	case GlobalMemory:
		return CorrelateNaive(ctx, on, w, h, tw, th, out, image, template)
	case Textures, ConstantTemplate, SharedImage, MultiprocessorAware, Unrolled:
	default:
		return check.Invalid("normalized cross-correlation", "%v", by)
	}
	if err := correlateCheck(w, h, tw, th, out, image, template); err != nil || len(out) == 0 {
		return err
	}
	picture, err := pixelTexture(on, w, h, image)
	if err != nil {
		return err
	}
	totals, err := launchTotals(ctx, on, template)
	if err != nil {
		return err
	}
	across, down := w-tw+1, h-th+1
	cfg := pixels(across, down, windowX, windowY)
	if by == Textures || len(template) > mem.ConstantBytes {
		pattern, err := pixelTexture(on, tw, th, template)
		if err != nil {
			return err
		}
		return on.Launch(ctx, cfg, correlateTexturesKernel(tw, th, across, down, totals, out, picture, pattern))
	}
	pattern, err := chunk.New[uint8](on).Load(template)
	if err != nil {
		return err
	}
	room, window := launchers.Device(on).Properties(), windowPitch(tw)*(windowY+th-1)
	if by == ConstantTemplate || window > room.SharedMemPerBlock {
		return on.Launch(ctx, cfg, correlateConstantKernel(tw, across, down, totals, out, picture, pattern))
	}
	cfg = tiles(across, down, windowX, windowY, windowX, windowY)
	cfg.SharedBytes = window
	switch {
	case by == Unrolled:
		return on.Launch(ctx, cfg, correlateUnrolledKernel(tw, th, across, down, totals, out, picture, pattern))
	case by == MultiprocessorAware && room.Major == 1: // where 24 bits are multiplied faster than 32 (8.2.1)
		return on.Launch(ctx, cfg, correlateShared24Kernel(tw, th, across, down, totals, out, picture, pattern))
	}
	return on.Launch(ctx, cfg, correlateSharedKernel(tw, th, across, down, totals, out, picture, pattern))
}

// pixelAlign is how many bytes the rows of a texture begin a multiple of apart.
const pixelAlign = 32

// pixelTexture makes a texture of an image of bytes, which is copied in the order of the launches.
func pixelTexture(on kernels.Launcher, w, h int, pixels []uint8) (*mem.Texture[uint8], error) {
	pitch := (w + pixelAlign - 1) / pixelAlign * pixelAlign
	rows := make([]uint8, pitch*h)
	t, err := mem.NewTexture[uint8](mem.Pitch2D[uint8]{Data: rows, Width: w, Height: h, Pitch: pitch}, mem.TextureDesc{
		AddressMode: [3]mem.AddressMode{mem.AddressClamp, mem.AddressClamp},
	})
	if err != nil {
		return nil, err
	}
	return t, launchers.InOrder(on, func() error {
		for y := range h {
			copy(rows[y*pitch:], pixels[y*w:(y+1)*w])
		}
		return nil
	})
}

const windowX, windowY = 32, 8 // a block, with a thread for each position of the template

// windowPitch is the distance between rows of the part of the image in shared memory: a multiple of
// four bytes, an odd number of words, so that neighbouring rows begin in other banks.
func windowPitch(tw int) int {
	words := (windowX + tw - 1 + 3) / 4
	return 4 * (words | 1)
}
