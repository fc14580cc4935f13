package texture

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
	"github.com/gocuda/gocuda/mem"
)

// The weights of linear filtering have nine bits, eight of them behind the point (The CUDA
// Handbook, 10.5; CUDA C++ Programming Guide, "Linear Filtering"). So between two texels, however
// finely one looks, a texture has 257 values.

// weights is the program of one thread: a place between the middles of two texels.
//
//gocuda:kernel
func weights(t *gocuda.Thread, out []float32, tex *mem.Texture[float32]) {
	n := len(out)
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		out[i] = mem.Tex1D(tex, 0.5+float32(i)/float32(n))
	}
}

// Weights sets out[i] to what a texture of the two texels from and to has at the fraction
// i/len(out) of the way between their middles.
func Weights(ctx context.Context, on kernels.Launcher, from, to float32, out []float32) error {
	const most = 1 << 24 // float32 counts them exactly
	if len(out) > most {
		return check.Invalid("weights of a texture", "%d places; want at most %d", len(out), most)
	}
	if len(out) == 0 {
		return nil
	}
	a, err := newArray(on, mem.ArrayDesc{Width: 2}, []float32{from, to})
	if err != nil {
		return err
	}
	cfg := grid.Linear(len(out), 256)
	cfg.Grid.X = min(cfg.Grid.X, 65535)
	desc := mem.TextureDesc{AddressMode: [3]mem.AddressMode{mem.AddressClamp}, FilterMode: mem.FilterLinear}
	return with(on, a, desc, func(tex *mem.Texture[float32]) error { return on.Launch(ctx, cfg, weightsKernel(out, tex)) })
}
