package streaming_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/streaming"
	"github.com/gocuda/gocuda/mem"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var methods = []streaming.Method{streaming.Copied, streaming.Asynchronous, streaming.Streams, streaming.Mapped}

var options = []streaming.Options{{}, {Streams: 1, Part: 1 << 20}, {Streams: 3, Part: 100}, {Streams: 7, Part: 33}}

// Small whole numbers, on which float32 is exact, whether or not an operation is fused.
func whole(n int) []float32 {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.IntN(201) - 100)
	}
	return v
}

func TestSAXPYFourWays(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{0, 1, 31, 257, 1000, 70001}, 5) {
			x, y := whole(n), whole(n + 1)[:n]
			want := make([]float32, n)
			for i := range want {
				want[i] = 3*x[i] + y[i]
			}
			for _, method := range methods {
				for _, o := range options {
					if method != streaming.Streams && o != (streaming.Options{}) {
						continue
					}
					gotX, got := slices.Clone(x), slices.Clone(y)
					times, err := streaming.SAXPY(t.Context(), dev, method, o, 3, gotX, got)
					require.NoError(t, err, "%v %+v", method, o)
					slicetest.Equal(t, want, got, "%v, %+v, %d elements on %s", method, o, n, dev.Name)
					slicetest.Equal(t, x, gotX, "%v: x", method)
					assert.GreaterOrEqual(t, times.Total, times.In+times.Kernel+times.Out)
					if n > 0 {
						assert.Positive(t, times.Total)
						_, err := mem.HostFlagsOf(got)
						assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%v leaves memory page-locked", method)
					}
				}
			}
		}
	}
}

// Memory that the program has page-locked stays so.
func TestSAXPYOnPageLockedMemory(t *testing.T) {
	x, err := mem.AllocHost[float32](1000, mem.HostMapped)
	require.NoError(t, err)
	defer x.Free()
	y := make([]float32, 1000)
	require.NoError(t, mem.HostRegister(y, mem.HostDefault))
	defer mem.HostUnregister(y)
	copy(x.Data(), whole(1000))
	for i, method := range methods {
		_, err := streaming.SAXPY(t.Context(), gocuda.Default(), method, streaming.Options{}, 1, x.Data(), y)
		require.NoError(t, err, "%v", method)
		slicetest.Each(t, func(k int) float32 { return float32(i+1) * x.Data()[k] }, y, "%v", method)
	}
	_, err = mem.HostFlagsOf(y)
	assert.NoError(t, err)
}

func TestOverlap(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{0, 1, 257, 5000, 100003}, 4) {
			for _, rounds := range []int{0, 1, 5} {
				for _, o := range options {
					in := make([]uint32, n)
					for i := range in {
						in[i] = uint32(i) * 2654435761
					}
					// k rounds of the generator at once: a^k v + c (a^k-1)/(a-1), modulo 2^32.
					power, sum := uint32(1), uint32(0)
					for range rounds {
						power, sum = power*1664525, sum*1664525+1013904223
					}
					out := make([]uint32, n)
					alone, together, err := streaming.Overlap(t.Context(), dev, o, rounds, out, in)
					require.NoError(t, err)
					slicetest.Each(t, func(i int) uint32 { return power*in[i] + sum }, out, "%d rounds, %+v on %s", rounds, o, dev.Name)
					if n > 0 {
						assert.Positive(t, alone.Total)
						assert.Positive(t, together.Total)
						assert.GreaterOrEqual(t, alone.Total, alone.In+alone.Kernel+alone.Out)
					}
					want := make([]uint32, n)
					serial.Overlap(rounds, want, in)
					slicetest.Equal(t, want, out)
				}
			}
		}
	}
}

// With an event in the NULL stream behind each part, no part begins before the one before it has ended.
func TestOverlapWithBreaks(t *testing.T) {
	dev, err := gocuda.NewDevice(gocuda.WithLegacyStream(true))
	require.NoError(t, err)
	defer func() { assert.NoError(t, dev.Close()) }()
	for _, n := range []int{0, 1, 5000, 100003} {
		for _, streams := range []int{1, 3, 8} {
			in, out, want := make([]uint32, n), make([]uint32, n), make([]uint32, n)
			for i := range in {
				in[i] = uint32(i) * 2654435761
			}
			o := streaming.Options{Streams: streams, Part: n/20 + 1, Breaks: true}
			_, together, err := streaming.Overlap(t.Context(), dev, o, 3, out, in)
			require.NoError(t, err)
			serial.Overlap(3, want, in)
			slicetest.Equal(t, want, out)
			assert.Equal(t, min(n, 1), together.AtOnce)
		}
	}
}

// Nothing stays behind, whatever goes wrong: the memory of the device is free, that of the host not
// page-locked.
func TestStreamingCleansUp(t *testing.T) {
	dev, err := gocuda.NewDevice(gocuda.WithMemory(1 << 20))
	require.NoError(t, err)
	defer func() { assert.NoError(t, dev.Close()) }()
	why := errors.New("enough")
	stopped, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	calls := map[string]func(ctx context.Context, on kernels.Launcher, n int) error{
		"overlap": func(ctx context.Context, on kernels.Launcher, n int) error {
			_, _, err := streaming.Overlap(ctx, on, streaming.Options{}, 2, make([]uint32, n), make([]uint32, n))
			return err
		},
	}
	for _, m := range methods {
		calls[m.String()] = func(ctx context.Context, on kernels.Launcher, n int) error {
			_, err := streaming.SAXPY(ctx, on, m, streaming.Options{}, 2, make([]float32, n), make([]float32, n))
			return err
		}
	}
	for name, call := range calls {
		assert.ErrorIs(t, call(stopped, dev, 1000), why, name)
		assert.ErrorIs(t, call(t.Context(), failing{dev, why}, 1000), why, name)
		if name != "mapped" { // which needs no memory of the device
			assert.ErrorIs(t, call(t.Context(), dev, 1<<18), mem.ErrOutOfMemory, name)
		}
		assert.NoError(t, call(t.Context(), dev, 1000), name)
		free, total := mem.Info(dev)
		assert.Equal(t, total, free, name)
	}
}

// A failing launcher launches nothing.
type failing struct {
	*gocuda.Device
	err error
}

func (f failing) Launch(context.Context, grid.Config, gocuda.Kernel) error { return f.err }

func (f failing) Unwrap() kernels.Launcher { return f.Device }

func TestStreamingRefusesBadArguments(t *testing.T) {
	one := make([]float32, 1)
	s := gocuda.Default().NewStream()
	defer s.Close()
	saxpy := func(on kernels.Launcher, m streaming.Method, o streaming.Options, x, y []float32) error {
		_, err := streaming.SAXPY(t.Context(), on, m, o, 1, x, y)
		return err
	}
	assert.ErrorIs(t, saxpy(gocuda.Default(), streaming.Copied, streaming.Options{}, one, nil), gocuda.ErrInvalidValue)
	assert.ErrorIs(t, saxpy(gocuda.Default(), streaming.Mapped+1, streaming.Options{}, one, one), gocuda.ErrInvalidValue)
	assert.ErrorIs(t, saxpy(gocuda.Default(), streaming.Streams, streaming.Options{Part: -1}, one, one), gocuda.ErrInvalidValue)
	assert.ErrorIs(t, saxpy(gocuda.Default(), streaming.Streams, streaming.Options{Streams: -1}, one, one), gocuda.ErrInvalidValue)
	assert.ErrorIs(t, saxpy(kernels.OnStream(s), streaming.Streams, streaming.Options{}, one, one), gocuda.ErrNotSupported)
	_, _, err := streaming.Overlap(t.Context(), gocuda.Default(), streaming.Options{}, -1, nil, nil)
	assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
	_, _, err = streaming.Overlap(t.Context(), gocuda.Default(), streaming.Options{}, 0, make([]uint32, 1), nil)
	assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
	_, _, err = streaming.Overlap(t.Context(), kernels.OnStream(s), streaming.Options{}, 0, nil, nil)
	assert.ErrorIs(t, err, gocuda.ErrNotSupported)
}
