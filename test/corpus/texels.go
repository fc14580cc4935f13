//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// Fetches from textures that are read as they are, which are elements, and from others, which the
// run finds to be none.

// txTurned reads texels that each thread has chosen, some of them beyond the edges or at no number.
//
//gocuda:kernel
func txTurned(t *gocuda.Thread, w, h int, c float32, in *mem.Texture[float32], out []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		u, v := float32(x-w/2), float32(y-h/2)
		out[y*w+x] = mem.Tex2D(in, float32(u*c)-float32(v*0.6)+float32(w/2), float32(u*0.6)+float32(v*c)+float32(h/2))
	}
}

// txEdges reads a window of bytes around each pixel, through a closure, in loops and in a branch.
//
//gocuda:kernel
func txEdges(t *gocuda.Thread, w, h int, c float32, in *mem.Texture[uint8], out []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	at := func(dx, dy int) int32 { return int32(mem.Tex2D(in, float32(x+dx)+0.5, float32(y+dy)+c)) }
	sum := at(1, -1) + 2*at(1, 0) + at(1, 1) - at(-1, -1) - 2*at(-1, 0) - at(-1, 1)
	for j := -2; j <= 2; j += 2 {
		for i := range 3 {
			if v := at(i*j, j-i); v > 100 {
				sum += v * int32(j)
			} else if sum > 0 && at(j, i) > v {
				sum -= 3
			}
		}
	}
	out[y*w+x] = float32(sum)
}

// A txTwo is two textures of linear memory.
type txTwo struct{ numbers, places *mem.Texture[int32] }

// txLinear reads linear memory beside the threads and at places that are themselves read, beyond
// both ends, and a structure's.
//
//gocuda:kernel
func txLinear(t *gocuda.Thread, n, by int, of txTwo, values *mem.Texture[float32], out []float32) {
	i := t.GlobalX()
	if i < n {
		k := int(mem.Tex1Dfetch(of.places, i))
		sum := mem.Tex1Dfetch(values, i-by) - mem.Tex1Dfetch(values, i+by) + mem.Tex1Dfetch(values, k)
		out[i] = sum + float32(mem.Tex1Dfetch(of.numbers, k-by))
	}
}

// txModes are ways to read a texture; only those of the first two leave texels as they are.
var txModes = []mem.TextureDesc{
	{},
	{AddressMode: [3]mem.AddressMode{mem.AddressClamp, mem.AddressMirror}},
	{AddressMode: [3]mem.AddressMode{mem.AddressBorder, mem.AddressClamp}},
	{NormalizedCoords: true},
	{FilterMode: mem.FilterLinear},
}

func txCases() (cases []Case) {
	for _, s := range [][2]int{{1, 1}, {37, 21}, {96, 5}} {
		w, h := s[0], s[1]
		pitch := (w + 31) / 32 * 32
		floats, bytes := make([]float32, pitch*h), make([]uint8, pitch*h)
		for i := range floats {
			floats[i], bytes[i] = float32(i*i%1031)/7, uint8(i*i*7)
		}
		cfg := grid.Config{Grid: grid.Dim3{X: (w + 15) / 16, Y: (h + 7) / 8}, Block: grid.Dim3{X: 16, Y: 8}}
		for m, desc := range txModes {
			in := must(mem.NewTexture[float32](mem.Pitch2D[float32]{Data: floats, Width: w, Height: h, Pitch: pitch}, desc))
			desc.FilterMode = mem.FilterPoint
			small := must(mem.NewTexture[uint8](mem.Pitch2D[uint8]{Data: bytes, Width: w, Height: h, Pitch: pitch}, desc))
			for _, c := range []float32{0.8, -3, 1e30, float32(math.NaN()), float32(math.Inf(1))} {
				name := fmt.Sprintf("of %d by %d, way %d, %v", w, h, m, c)
				cases = append(cases, Case{Name: "txTurned " + name, Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
					out := make([]float32, w*h)
					return Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { txTurned(t, w, h, c, in, out) }),
						Compiled: txTurnedKernel(w, h, c, in, out), Outputs: []any{out},
					}
				}}, Case{Name: "txEdges " + name, Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
					out := make([]float32, w*h)
					return Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { txEdges(t, w, h, c, small, out) }),
						Compiled: txEdgesKernel(w, h, c, small, out), Outputs: []any{out},
					}
				}})
			}
		}
		places := make([]int32, w*h)
		for i := range places {
			places[i] = int32(i*31%(w*h+9)) - 4
		}
		of := txTwo{must(mem.NewTexture[int32](mem.Linear[int32]{Data: places[:(w*h+1)/2]}, mem.TextureDesc{})), must(mem.NewTexture[int32](mem.Linear[int32]{Data: places}, mem.TextureDesc{}))}
		values := must(mem.NewTexture[float32](mem.Linear[float32]{Data: floats}, mem.TextureDesc{}))
		for _, by := range []int{0, 3, math.MaxInt, math.MinInt} {
			cases = append(cases, Case{Name: fmt.Sprintf("txLinear of %d by %d", w*h, by), Configs: []grid.Config{grid.Linear(w*h, 64)}, Make: func(grid.Config) Instance {
				out := make([]float32, w*h)
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { txLinear(t, w*h, by, of, values, out) }),
					Compiled: txLinearKernel(w*h, by, of, values, out), Outputs: []any{out},
				}
			}})
		}
	}
	return cases
}
