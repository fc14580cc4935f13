//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// Kernels that read constant memory and textures, and write surfaces. Reads of constant memory
// become loads, and so do those of textures that are read as they are (texels.go); the others stay
// calls of package mem, one for each thread.

// spFilter is a filter of three texels on each row, and a barrier between reading and writing.
//
//gocuda:kernel
func spFilter(t *gocuda.Thread, weights mem.ReadOnly[float32], in *mem.Texture[float32], out *mem.Surface[float32], seen []float32) {
	x, y := t.GlobalX(), int(t.BlockIdx.Y)
	sum := float32(0)
	for k := range weights.Len() {
		sum += weights.At(k) * mem.Tex2D(in, float32(x+k)-0.5, float32(y)+0.5)
	}
	before := mem.Surf2Dread(out, 4*x, y, mem.BoundaryZero)
	t.SyncThreads()
	if x%3 != 0 {
		mem.Surf2Dwrite(sum, out, 4*x, y, mem.BoundaryZero)
	}
	seen[y*t.GridDim.X*t.BlockDim.X+x] = sum - before
}

// spRGBA reads texels of four bytes as they are and as floats, and linear memory with some indices
// out of range.
//
//gocuda:kernel
func spRGBA(t *gocuda.Thread, colors *mem.Texture[[4]float32], bytes *mem.Texture[[4]uint8], table *mem.Texture[int32], out []float32) {
	i := t.GlobalX()
	c := mem.Tex1D(colors, float32(i)*0.37)
	b := mem.Tex1D(bytes, float32(i)*0.37)
	v := c[0] + 2*c[1] - c[3]*float32(b[2])
	if i&1 == 0 {
		v += float32(mem.Tex1Dfetch(table, int(b[0])-3))
	}
	out[i] = v
}

// spaceDevice is the memory of the cases.
type spaceDevice struct{ space *mem.Space }

func (d spaceDevice) Memory() *mem.Space { return d.space }

var spWeights = mem.NewConstantIn[float32](new(mem.Module), "spWeights", 3, 0.25, 0.5, 0.25)

var spaceCases = []Case{
	{Name: "spaces: filter", Configs: []grid.Config{
		{Grid: grid.Dim3{X: 2, Y: 3}, Block: grid.Dim3{X: 32}}, {Grid: grid.Dim3{X: 1, Y: 5}, Block: grid.Dim3{X: 37}},
	}, Make: func(cfg grid.Config) Instance {
		dev := spaceDevice{mem.NewSpace(1<<20, false)}
		w, h := cfg.Grid.X*cfg.Block.X-5, cfg.Grid.Y // some threads are beyond the end
		texels := make([]float32, w*h)
		for i := range texels {
			texels[i] = float32(i * i % 257)
		}
		p := must(mem.AllocPitch[float32](dev, w, h))
		check(mem.Copy2D(p.Rows(), mem.HostRows(texels, w, h), w, h))
		in := must(mem.NewTexture[float32](p, mem.TextureDesc{AddressMode: [3]mem.AddressMode{mem.AddressBorder, mem.AddressClamp}}))
		a := must(mem.AllocArray[float32](dev, mem.ArrayDesc{Width: w, Height: h, Flags: mem.ArraySurfaceLoadStore}))
		check(mem.CopyToArray(a, texels))
		out := must(mem.NewSurface[float32](a))
		weights := must(spWeights.On(dev))
		seen := make([]float32, cfg.Blocks()*cfg.Threads())
		want := func() []any {
			r := make([]float32, len(seen))
			row := cfg.Grid.X * cfg.Block.X
			at := func(x, y int) float32 {
				if x < 0 || x >= w {
					return 0
				}
				return texels[y*w+x]
			}
			for i := range r {
				x, y := i%row, i/row
				r[i] = 0.25*at(x-1, y) + 0.5*at(x, y) + 0.25*at(x+1, y) - at(x, y)
			}
			return []any{r}
		}
		return Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { spFilter(t, weights, in, out, seen) }),
			Compiled: spFilterKernel(weights, in, out, seen),
			Outputs:  []any{seen},
			Want:     want,
		}
	}},
	{Name: "spaces: colors", Configs: []grid.Config{grid.Linear(200, 64), grid.Linear(33, 33)}, Make: func(cfg grid.Config) Instance {
		dev := spaceDevice{mem.NewSpace(1<<20, false)}
		a := must(mem.AllocArray[[4]uint8](dev, mem.ArrayDesc{Width: 40}))
		texels, table := make([][4]uint8, 40), make([]int32, 30)
		for i := range texels {
			texels[i] = [4]uint8{uint8(i), uint8(7 * i), uint8(255 - i), uint8(i * i)}
		}
		for i := range table {
			table[i] = int32(1 << i)
		}
		check(mem.CopyToArray(a, texels))
		colors := must(mem.NewTexture[[4]float32](a, mem.TextureDesc{FilterMode: mem.FilterLinear, ReadMode: mem.ReadNormalizedFloat}))
		bytes := must(mem.NewTexture[[4]uint8](a, mem.TextureDesc{}))
		linear := must(mem.NewTexture[int32](mem.Linear[int32]{Data: table}, mem.TextureDesc{}))
		out := make([]float32, cfg.Blocks()*cfg.Threads())
		return Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { spRGBA(t, colors, bytes, linear, out) }),
			Compiled: spRGBAKernel(colors, bytes, linear, out),
			Outputs:  []any{out},
		}
	}},
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
