package bandwidth_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/bandwidth"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var accesses = [][2]int{{1, 0}, {1, 3}, {2, 0}, {3, 2}, {32, 31}, {1000, 0}, {1 << 30, 1}}

// total is the sum of every stride-th element, the plain way.
func total[T bandwidth.Word](v []T, stride, offset int) (s T) {
	for i, x := range v {
		if i >= offset && (i-offset)%stride == 0 {
			s += x
		}
	}
	return s
}

func testWords[T bandwidth.Word](t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{0, 1, 300, 5000, 600_011}, 4) {
			in := make([]T, n)
			for i := range in {
				in[i] = T(r.Uint64())
			}
			for _, a := range accesses {
				stride, offset := a[0], a[1]
				if offset > 0 && offset >= n {
					continue
				}
				sums, want := make([]T, bandwidth.Sums(n, stride, offset)), make([]T, bandwidth.Sums(n, stride, offset))
				require.NoError(t, bandwidth.Read(t.Context(), dev, stride, offset, sums, in))
				serial.StridedRead(stride, offset, want, in)
				slicetest.Equal(t, want, sums, "%d elements, %v on %s", n, a, dev.Name)
				assert.Equal(t, total(in, stride, offset), total(sums, 1, 0), "%d elements, %v on %s", n, a, dev.Name)

				out := slices.Clone(in)
				require.NoError(t, bandwidth.Write(t.Context(), dev, stride, offset, T(7), out))
				slicetest.Each(t, func(i int) T {
					if i >= offset && (i-offset)%stride == 0 {
						return T(7) + T((i-offset)/stride)
					}
					return in[i] // between the accesses nothing is written
				}, out, "%d elements, %v on %s", n, a, dev.Name)
				plain := slices.Clone(in)
				serial.StridedWrite(stride, offset, T(7), plain)
				slicetest.Equal(t, out, plain)
			}
		}
	}
}

func TestBytes(t *testing.T)   { testWords[uint8](t) }
func TestShorts(t *testing.T)  { testWords[uint16](t) }
func TestWords(t *testing.T)   { testWords[uint32](t) }
func TestDoubles(t *testing.T) { testWords[uint64](t) }

func TestWideWords(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 16))
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{0, 1, 300, 5000, 300_011}, 4) {
			in := make([]device.Uint4, n)
			for i := range in {
				in[i] = device.Uint4{X: r.Uint32(), Y: r.Uint32(), Z: r.Uint32(), W: r.Uint32()}
			}
			for _, a := range accesses {
				stride, offset := a[0], a[1]
				if offset > 0 && offset >= n {
					continue
				}
				sums, want := make([]device.Uint4, bandwidth.Sums(n, stride, offset)), make([]device.Uint4, bandwidth.Sums(n, stride, offset))
				require.NoError(t, bandwidth.ReadWide(t.Context(), dev, stride, offset, sums, in))
				serial.StridedReadWide(stride, offset, want, in)
				slicetest.Equal(t, want, sums, "%d elements, %v on %s", n, a, dev.Name)
				out, value := slices.Clone(in), device.Uint4{X: 1, Y: 2, Z: 3, W: 4}
				require.NoError(t, bandwidth.WriteWide(t.Context(), dev, stride, offset, value, out))
				slicetest.Each(t, func(i int) device.Uint4 {
					if i >= offset && (i-offset)%stride == 0 {
						return device.Uint4{X: 1 + uint32((i-offset)/stride), Y: 2, Z: 3, W: 4}
					}
					return in[i]
				}, out, "%d elements, %v on %s", n, a, dev.Name)
				plain := slices.Clone(in)
				serial.StridedWriteWide(stride, offset, value, plain)
				slicetest.Equal(t, out, plain)
			}
		}
	}
}

func TestAccessesRefuseBadArguments(t *testing.T) {
	in, ctx, dev := make([]uint32, 10), t.Context(), gocuda.Default()
	for i, err := range []error{
		bandwidth.Read(ctx, dev, 0, 0, make([]uint32, 10), in),
		bandwidth.Read(ctx, dev, 1, 10, nil, in),
		bandwidth.Read(ctx, dev, 1, -1, nil, in),
		bandwidth.Read(ctx, dev, 2, 0, make([]uint32, 4), in),
		bandwidth.Write(ctx, dev, -1, 0, 1, in),
		bandwidth.Write(ctx, dev, 1, 11, 1, in),
		bandwidth.ReadWide(ctx, dev, 1, 0, make([]device.Uint4, 1), nil),
		bandwidth.WriteWide(ctx, dev, 0, 0, device.Uint4{}, nil),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%d", i)
	}
}
