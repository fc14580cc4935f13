package mem_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/mem"
)

// onCube returns the point of the cube from -1 to 1 that (s, t) of a face is, both from -1 to 1:
// where each face lies, by the conventions that CUDA shares with OpenGL and Direct3D. It is the
// inverse of the guide's table.
func onCube(face int, s, t float64) [3]float64 {
	switch face {
	case 0:
		return [3]float64{1, -t, -s}
	case 1:
		return [3]float64{-1, -t, s}
	case 2:
		return [3]float64{s, 1, t}
	case 3:
		return [3]float64{s, -1, -t}
	case 4:
		return [3]float64{s, -t, 1}
	}
	return [3]float64{-s, -t, -1}
}

// cube is a cubemap with a random texel everywhere.
func cube(t testing.TB, dev mem.Device, n, layers int) (*mem.Array[float32], []float32) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), uint64(layers)))
	texels := make([]float32, 6*layers*n*n)
	for i := range texels {
		texels[i] = float32(r.IntN(1<<12) - 1<<11)
	}
	d := mem.ArrayDesc{Width: n, Height: n, Depth: 6 * layers, Flags: mem.ArrayCubemap}
	if layers > 1 {
		d.Flags |= mem.ArrayLayered
	}
	return array(t, dev, d, texels), texels
}

func TestTexCubemapFaces(t *testing.T) {
	dev := newDevice(1 << 20)
	const n, layers = 5, 3
	a, texels := cube(t, dev, n, 1)
	point := texture[float32](t, a, mem.TextureDesc{})
	linear := texture[float32](t, a, mem.TextureDesc{FilterMode: mem.FilterLinear, SeamlessCubemap: true})
	b, many := cube(t, dev, n, layers)
	layered := texture[float32](t, b, mem.TextureDesc{})
	for face := range 6 {
		for j := range n {
			for i := range n {
				p := onCube(face, float64(2*i+1-n)/n, float64(2*j+1-n)/n)
				for _, length := range []float64{1, 1e-30, 7e30} {
					x, y, z := float32(p[0]*length), float32(p[1]*length), float32(p[2]*length)
					want := texels[(face*n+j)*n+i]
					require.Equal(t, want, mem.TexCubemap(point, x, y, z), "point: face %d (%d, %d)", face, i, j)
					require.Equal(t, want, mem.TexCubemapLod(linear, x, y, z, 3), "linear: face %d (%d, %d)", face, i, j) // there is one level
					for layer := -1; layer <= layers; layer++ {
						want := many[((min(max(layer, 0), layers-1)*6+face)*n+j)*n+i]
						name := fmt.Sprintf("layer %d face %d (%d, %d)", layer, face, i, j)
						require.Equal(t, want, mem.TexCubemapLayered(layered, x, y, z, layer), name)
						require.Equal(t, want, mem.TexCubemapLayeredLod(layered, x, y, z, layer, 0), "with level: %s", name)
					}
				}
			}
		}
	}
}

// The guide's table has no row for ties. What there is must be one of the faces that meet; here z
// goes before y before x. A direction that is none is +z.
func TestTexCubemapTies(t *testing.T) {
	dev := newDevice(1 << 20)
	a := array(t, dev, mem.ArrayDesc{Width: 1, Height: 1, Depth: 6, Flags: mem.ArrayCubemap}, []int8{0, 1, 2, 3, 4, 5})
	tex := texture[int8](t, a, mem.TextureDesc{})
	nan := float32(math.NaN())
	for _, c := range []struct {
		x, y, z float32
		want    int8
	}{
		{1, 0, 0, 0}, {-1, 0, 0, 1}, {0, 1, 0, 2}, {0, -1, 0, 3}, {0, 0, 1, 4}, {0, 0, -1, 5},
		{1, 1, 1, 4}, {1, 1, -1, 5}, {1, 1, 0, 2}, {-1, -1, 0.5, 3}, {-3, 1, 3, 4}, {-3, 1, -3, 5},
		{0, 0, 0, 4}, {nan, 1, 0, 4}, {1, nan, nan, 4}, {inf32, 0, 0, 4}, {-inf32, inf32, 0, 4},
		{math.MaxFloat32, math.MaxFloat32 / 2, -math.MaxFloat32 / 2, 0}, {0, math.SmallestNonzeroFloat32, 0, 2},
	} {
		assert.Equal(t, c.want, mem.TexCubemap(tex, c.x, c.y, c.z), "face of (%v, %v, %v)", c.x, c.y, c.z)
	}
}

// Without seamless filtering a face is a 2-D texture with normalized coordinates, in each address mode.
func TestTexCubemapFacesAreTextures(t *testing.T) {
	dev := newDevice(1 << 20)
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1, 2, 8} { // powers of two, so that quotients which matter are exact
		a, texels := cube(t, dev, n, 1)
		for mode := range mem.AddressBorder + 1 {
			tex := texture[float32](t, a, mem.TextureDesc{AddressMode: [3]mem.AddressMode{mode, mode},
				FilterMode: mem.FilterLinear, BorderColor: [4]float32{77}})
			for range 400 {
				face := r.IntN(6)
				const m = 1 << 6
				s, u := r.IntN(2*m-1)-m+1, r.IntN(2*m-1)-m+1 // not on an edge
				p := onCube(face, float64(s)/m, float64(u)/m)
				k := float64(r.IntN(100) + 1)
				got := mem.TexCubemap(tex, float32(p[0]*k), float32(p[1]*k), float32(p[2]*k))
				ref := reference{w: n, h: n, d: 6, dims: 2, modes: [3]mem.AddressMode{mode, mode}, linear: true,
					normalized: true, border: [4]float32{77},
					texel: func(x, y, z, _ int) *big.Rat { return rat(float64(texels[(z*n+y)*n+x])) }}
				want := ref.at([3]float64{(float64(s)/m + 1) / 2, (float64(u)/m + 1) / 2}, face, 0)
				if !rounded(got, want, 1e4) {
					f, _ := want.Float32()
					t.Fatalf("%d texels, mode %d, face %d (%d/64, %d/64): %v, want %v", n, mode, face, s, u, got, f)
				}
			}
		}
	}
}

// On an edge the two texels that touch there weigh the same, and in a corner all three. Who touches
// is found by the distance of centers on the cube.
func TestTexCubemapSeamless(t *testing.T) {
	dev := newDevice(1 << 20)
	for _, n := range []int{1, 2, 4, 5} {
		a, texels := cube(t, dev, n, 1)
		tex := texture[float32](t, a, mem.TextureDesc{FilterMode: mem.FilterLinear, SeamlessCubemap: true,
			AddressMode: [3]mem.AddressMode{mem.AddressBorder, mem.AddressMirror}}) // which do not count
		type texel struct {
			at [3]float64
			v  float32
		}
		var all []texel
		for face := range 6 {
			for j := range n {
				for i := range n {
					all = append(all, texel{
						onCube(face, float64(2*i+1-n)/float64(n), float64(2*j+1-n)/float64(n)),
						texels[(face*n+j)*n+i],
					})
				}
			}
		}
		// around returns the texels whose centers are at a distance from p, along the cube's
		// surface: on the same edge point the distance is along one axis, in a corner along two.
		around := func(p [3]float64, axes int) (sum float64, found int) {
			for _, q := range all {
				var d2 float64
				for k := range 3 {
					d2 += (p[k] - q.at[k]) * (p[k] - q.at[k])
				}
				if math.Abs(d2*float64(n*n)-float64(axes)) < 1e-9 {
					sum += float64(q.v)
					found++
				}
			}
			return sum / float64(found), found
		}
		see := func(p [3]float64, axes, touching int) {
			t.Helper()
			want, found := around(p, axes)
			require.Equal(t, touching, found, "how many texels touch at %v", p)
			got := mem.TexCubemap(tex, float32(p[0]), float32(p[1]), float32(p[2]))
			assert.InDelta(t, want, got, 1e-3, "%d texels: at %v", n, p)
		}
		for face := range 6 {
			for k := range n {
				along := float64(2*k+1-n) / float64(n)
				for _, side := range []float64{-1, 1} {
					see(onCube(face, side, along), 1, 2)
					see(onCube(face, along, side), 1, 2)
					see(onCube(face, side, -side), 2, 3)
					see(onCube(face, side, side), 2, 3)
				}
			}
		}
		// From either side of an edge the value is nearly the same: it doesn't jump.
		r := rand.New(rand.NewPCG(3, 3))
		for range 500 {
			face, along := r.IntN(6), r.Float64()*2-1
			p := onCube(face, 1, along)
			q := onCube(face, 1-1e-4, along)
			for k := range 3 {
				q[k] = 2*p[k] - q[k]
			}
			o := onCube(face, 1-1e-4, along)
			in := mem.TexCubemap(tex, float32(o[0]), float32(o[1]), float32(o[2]))
			out := mem.TexCubemap(tex, float32(q[0]), float32(q[1]), float32(q[2]))
			// A step of a weight, 1/256, of a difference of at most 4096, in each direction.
			require.InDelta(t, out, in, 3*16+1, "%d texels: at the edge of face %d at %v", n, face, along)
		}
	}
}
