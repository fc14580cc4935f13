package texture

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
	"github.com/gocuda/gocuda/kernels/internal/launchers"
	"github.com/gocuda/gocuda/mem"
)

// Address modes (The CUDA Handbook, 10.5, 10.6 and 10.8): what a texture returns for coordinates
// that are not on it, and between its texels.

// A Window is the part of the plane of a texture that a picture shows, in normalized coordinates:
// the texture is from 0 to 1.
type Window struct{ X0, Y0, X1, Y1 float32 }

// at returns the coordinate of the middle of pixel i of n from a to b. Its operations are rounded
// one by one.
func at(a, b float32, i, n int) float32 {
	step := float32(b-a) / float32(n)
	return a + float32((float32(i)+0.5)*step)
}

// address is the program of one thread: a pixel of the picture. px and py make normalized
// coordinates those of the texture.
//
//gocuda:kernel
func address(t *gocuda.Thread, w, h int, win Window, px, py float32, out []float32, tex *mem.Texture[float32]) {
	for y := t.GlobalY(); y < h; y += t.GridDim.Y * t.BlockDim.Y {
		for x := t.GlobalX(); x < w; x += t.GridDim.X * t.BlockDim.X {
			out[y*w+x] = mem.Tex2D(tex, at(win.X0, win.X1, x, w)*px, at(win.Y0, win.Y1, y, h)*py)
		}
	}
}

// Address draws a window of a texture of tw by th texels into a picture of w by h pixels:
// out[y*w+x] is the texture in the middle of pixel (x, y). Of desc the address modes, the filter,
// the border's colour and NormalizedCoords count. Without the last, coordinates are those of
// texels, and wrap and mirror are clamp, as in CUDA.
func Address(ctx context.Context, on kernels.Launcher, desc mem.TextureDesc, win Window, w, h int, out []float32, tw, th int, texels []float32) error {
	const what = "texture"
	if err := check.Shape(what+", picture", h, w, len(out)); err != nil {
		return err
	}
	if err := check.Shape(what+", texels", th, tw, len(texels)); err != nil {
		return err
	}
	if len(texels) == 0 {
		return check.Invalid(what, "no texels")
	}
	if len(out) == 0 {
		return nil
	}
	px, py := float32(1), float32(1)
	if !desc.NormalizedCoords {
		px, py = float32(tw), float32(th)
	}
	a, err := newArray(on, mem.ArrayDesc{Width: tw, Height: th}, texels)
	if err != nil {
		return err
	}
	return with(on, a, desc, func(tex *mem.Texture[float32]) error {
		return on.Launch(ctx, pixels(w, h), addressKernel(w, h, win, px, py, out, tex))
	})
}

// pixels is the geometry of a picture with a thread for each pixel, as far as every device allows.
func pixels(w, h int) grid.Config {
	cfg := grid.Rect(w, h, 16, 16)
	cfg.Grid.X, cfg.Grid.Y = min(cfg.Grid.X, 65535), min(cfg.Grid.Y, 65535)
	return cfg
}

// newArray allocates an array where on launches, and copies texels to it in the order of the launches.
func newArray[T any](on kernels.Launcher, desc mem.ArrayDesc, texels []T) (*mem.Array[T], error) {
	a, err := mem.AllocArray[T](launchers.Memory(on), desc)
	if err != nil {
		return nil, err
	}
	if err := launchers.InOrder(on, func() error { return mem.CopyToArray(a, texels) }); err != nil {
		a.Free()
		return nil, err
	}
	return a, nil
}

// with makes a texture of a, calls launch with it, and frees a when the launch is over.
func with[R, T any](on kernels.Launcher, a *mem.Array[T], desc mem.TextureDesc, launch func(*mem.Texture[R]) error) error {
	tex, err := mem.NewTexture[R](a, desc)
	if err == nil {
		err = launch(tex)
	}
	if e := launchers.InOrder(on, a.Free); err == nil {
		err = e
	}
	return err
}
