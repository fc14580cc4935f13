package mem_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

// kernelDevice is a device to launch on.
func kernelDevice(t testing.TB, opts ...gocuda.Option) *gocuda.Device {
	t.Helper()
	dev, err := gocuda.NewDevice(append([]gocuda.Option{gocuda.WithMemory(1 << 24)}, opts...)...)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, dev.Close())
	})
	return dev
}

// Many threads read one texture and write one surface, in several launches at once.
func TestTextureToSurfaceInKernels(t *testing.T) {
	dev := kernelDevice(t, gocuda.WithWorkers(4))
	const w, h = 67, 31
	texels := make([]float32, w*h)
	for i := range texels {
		texels[i] = float32(i % 97)
	}
	src := array(t, dev, mem.ArrayDesc{Width: w, Height: h}, texels)
	dst := array[float32](t, dev, mem.ArrayDesc{Width: w, Height: h, Flags: mem.ArraySurfaceLoadStore}, nil)
	tex := texture[float32](t, src, mem.TextureDesc{AddressMode: [3]mem.AddressMode{mem.AddressClamp, mem.AddressClamp},
		FilterMode: mem.FilterLinear})
	surf := surface[float32](t, dst)
	cfg := grid.Config{Grid: grid.Dim3{X: (w + 15) / 16, Y: (h + 7) / 8}, Block: grid.Dim3{X: 16, Y: 8}}
	// At the corner of a texel, linear filtering is the mean of the four that meet there.
	err := dev.LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		x, y := t.GlobalX(), t.GlobalY()
		if x < w && y < h {
			mem.Surf2Dwrite(mem.Tex2D(tex, float32(x+1), float32(y+1)), surf, 4*x, y, mem.BoundaryTrap)
		}
	})
	require.NoError(t, err)
	got := make([]float32, w*h)
	require.NoError(t, mem.CopyFromArray(got, dst))
	at := func(x, y int) float32 { return texels[min(y, h-1)*w+min(x, w-1)] }
	slicetest.Each(t, func(k int) float32 {
		x, y := k%w, k/w
		return (at(x, y) + at(x+1, y) + at(x, y+1) + at(x+1, y+1)) / 4
	}, got)
}

// A trap is the error of the thread that went astray.
func TestSurfaceTrapNamesTheThread(t *testing.T) {
	dev := kernelDevice(t, gocuda.WithWorkers(1))
	a := array[float32](t, dev, mem.ArrayDesc{Width: 40, Flags: mem.ArraySurfaceLoadStore}, nil)
	surf := surface[float32](t, a)
	err := dev.LaunchFunc(context.Background(), grid.Linear(48, 16), func(t *gocuda.Thread) {
		mem.Surf1Dwrite(1, surf, 4*t.GlobalX(), mem.BoundaryTrap) // without the guard for x < 40
	})
	var k *gocuda.KernelError
	require.ErrorAs(t, err, &k)
	require.ErrorIs(t, err, mem.ErrSurfaceBounds)
	assert.Equal(t, 2, k.BlockIdx.X)
	assert.GreaterOrEqual(t, k.ThreadIdx.X, 8, "threads below 8 of block 2 are in range")
}

func TestFetchFromFreedMemoryInAKernel(t *testing.T) {
	dev := kernelDevice(t)
	a := array(t, dev, mem.ArrayDesc{Width: 4}, []float32{1, 2, 3, 4})
	tex := texture[float32](t, a, mem.TextureDesc{})
	require.NoError(t, a.Free())
	err := dev.LaunchFunc(context.Background(), grid.Linear(1, 1), func(t *gocuda.Thread) { mem.Tex1D(tex, 0) })
	var k *gocuda.KernelError
	assert.ErrorAs(t, err, &k)
	assert.ErrorIs(t, err, mem.ErrFreed)
	err = dev.LaunchFunc(context.Background(), grid.Linear(1, 1), func(t *gocuda.Thread) { mem.Tex1D((*mem.Texture[float32])(nil), 0) })
	assert.ErrorAs(t, err, &k, "a nil texture")
}

// A device has the texture limits of the GPU that it stands for.
func TestDeviceTextureLimits(t *testing.T) {
	for g, want := range map[gocuda.Generation]int{gocuda.G80: 8192, gocuda.GK110: 65536, gocuda.Hopper: 131072, gocuda.Host: 131072} {
		dev := kernelDevice(t, gocuda.WithGeneration(g))
		assert.Equal(t, want, dev.Memory().TextureLimits().MaxTexture1D, g)
	}
}

// An image is turned by a quarter: each thread asks the texture for the place that its pixel comes
// from.
func ExampleTex2D() {
	const w, h = 5, 5
	image := strings.Join([]string{
		"#####",
		"#....",
		"####.",
		"#....",
		"#....",
	}, "")
	dev := gocuda.Default()
	arr, err := mem.AllocArray[uint8](dev, mem.ArrayDesc{Width: w, Height: h}) // cudaMallocArray
	if err != nil {
		fmt.Println(err)
		return
	}
	defer arr.Free()
	if err := mem.CopyToArray(arr, []byte(image)); err != nil { // cudaMemcpy2DToArray
		fmt.Println(err)
		return
	}
	tex, err := mem.NewTexture[uint8](arr, mem.TextureDesc{ // cudaCreateTextureObject
		AddressMode: [3]mem.AddressMode{mem.AddressClamp, mem.AddressClamp},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tex.Destroy()

	out := make([]byte, w*h)
	sin, cos := math.Sincos(math.Pi / 2)
	s, c := float32(sin), float32(cos)
	err = gocuda.LaunchFunc(context.Background(), grid.Config{Block: grid.Dim3{X: w, Y: h}, Grid: grid.Dim3{X: 1}},
		func(t *gocuda.Thread) {
			x, y := t.GlobalX(), t.GlobalY()
			u, v := float32(x)+0.5-w/2.0, float32(y)+0.5-h/2.0 // the pixel's center, from the image's
			out[y*w+x] = mem.Tex2D(tex, c*u+s*v+w/2.0, -s*u+c*v+h/2.0)
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	for y := range h {
		fmt.Println(string(out[y*w : (y+1)*w]))
	}
	// Output:
	// #####
	// ..#.#
	// ..#.#
	// ..#.#
	// ....#
}

// A table lookup as the CUDA guide's appendix on texture fetching has it: a function from 0 to R is
// given by N values, and tex((N-1)/R*x + 0.5) lies on the lines between them.
func ExampleTex1D() {
	table := []float32{0, 10, 40, 90} // 10 times the squares of 0 to 3
	dev := gocuda.Default()
	arr, err := mem.AllocArray[float32](dev, mem.ArrayDesc{Width: len(table)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer arr.Free()
	if err := mem.CopyToArray(arr, table); err != nil {
		fmt.Println(err)
		return
	}
	tex, err := mem.NewTexture[float32](arr, mem.TextureDesc{
		AddressMode: [3]mem.AddressMode{mem.AddressClamp},
		FilterMode:  mem.FilterLinear,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range []float32{-1, 0, 0.5, 1, 2.25, 3, 4} {
		fmt.Print(mem.Tex1D(tex, x+0.5), " ")
	}
	fmt.Println()
	// Output: 0 0 5 10 52.5 90 90
}

// Bytes become colors from 0 to 1, and a coordinate from 0 to 1 is across the whole texture, which
// repeats.
func ExampleTextureDesc() {
	pixels := mem.Pitch2D[[4]uint8]{ // no array is needed: a texture can read pitched memory
		Data:  [][4]uint8{{255, 0, 0, 255}, {0, 0, 255, 255}},
		Width: 2, Height: 1,
	}
	tex, err := mem.NewTexture[[4]float32](pixels, mem.TextureDesc{
		AddressMode:      [3]mem.AddressMode{mem.AddressWrap, mem.AddressWrap},
		FilterMode:       mem.FilterLinear,
		ReadMode:         mem.ReadNormalizedFloat,
		NormalizedCoords: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mem.Tex2D(tex, 0.25, 0), mem.Tex2D(tex, 0.5, 0), mem.Tex2D(tex, 10.75, 0))
	// Output: [1 0 0 1] [0.5 0 0.5 1] [0 0 1 1]
}

// A kernel draws into an array. The x coordinate of a surface counts bytes.
func ExampleSurf2Dwrite() {
	dev := gocuda.Default()
	const w, h = 4, 2
	arr, err := mem.AllocArray[int32](dev, mem.ArrayDesc{Width: w, Height: h, Flags: mem.ArraySurfaceLoadStore})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer arr.Free()
	surf, err := mem.NewSurface[int32](arr) // cudaCreateSurfaceObject
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 8, Y: 2}} // more threads than texels
	err = gocuda.LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
		x, y := t.GlobalX(), t.GlobalY()
		mem.Surf2Dwrite(int32(10*y+x), surf, 4*x, y, mem.BoundaryZero) // what is out of range is dropped
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	out := make([]int32, w*h)
	fmt.Println(mem.CopyFromArray(out, arr), out)
	// Output: <nil> [0 1 2 3 10 11 12 13]
}

// A part of a layer goes to an array, as with cudaMemcpy3D.
func ExampleCopyArray() {
	dev := gocuda.Default()
	arr, err := mem.AllocArray[uint8](dev, mem.ArrayDesc{Width: 3, Height: 2, Depth: 2, Flags: mem.ArrayLayered})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer arr.Free()
	if err := mem.CopyToArray(arr, make([]uint8, 12)); err != nil {
		fmt.Println(err)
		return
	}
	err = mem.CopyArray(mem.ArrayCopy[uint8]{
		Dst:    mem.ArrayPlace[uint8]{Array: arr, X: 1, Z: 1}, // from the second texel of the second layer on
		Src:    mem.ArrayPlace[uint8]{Host: []uint8{1, 2, 0, 0, 3, 4}, Pitch: 4},
		Extent: mem.Extent{Width: 2, Height: 2},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	out := make([]uint8, 12)
	fmt.Println(mem.CopyFromArray(out, arr), out)
	// Output: <nil> [0 0 0 0 0 0 0 1 2 0 3 4]
}
