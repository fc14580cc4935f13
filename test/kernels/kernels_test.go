package kernels_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/mem"
	"github.com/gocuda/gocuda/sanitize"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// awkward are lengths around those of blocks and parts, and some that fit nothing.
var awkward = []int{0, 1, 2, 31, 33, 255, 256, 257, 511, 513, 2047, 2048, 2049, 4099, 65537, 300007}

// devices are those on which every kernel has to work.
func devices(t *testing.T) map[string]*gocuda.Device {
	t.Helper()
	all := map[string]*gocuda.Device{"default": gocuda.Default()}
	for name, opts := range map[string][]gocuda.Option{
		"one worker": {gocuda.WithWorkers(1)},
		"shuffled":   {gocuda.WithWorkers(3), gocuda.WithBlockOrder(gocuda.ShuffledOrder(7))},
		"GK104":      {gocuda.WithGeneration(gocuda.GK104)},
		"checked":    {gocuda.WithChecked(true)},
	} {
		d, err := gocuda.NewDevice(opts...)
		require.NoError(t, err)
		t.Cleanup(func() { d.Close() })
		all[name] = d
	}
	if sanitize.Active() || kerneltest.AsWritten && testing.Short() { // kernels run in one way on all of them
		return map[string]*gocuda.Device{"shuffled": all["shuffled"]}
	}
	return all
}

// lengthsFor leaves out what takes long on goroutines.
func lengthsFor(device string, ns []int) []int {
	if device == "checked" || kerneltest.AsWritten {
		return ns[:min(len(ns), 9)]
	}
	return ns
}

// sizesFor is lengthsFor where the sizes are not lengths.
func sizesFor[T any](device string, sizes []T) []T {
	return sizes[:len(lengthsFor(device, awkward[:len(sizes)]))]
}

func randoms(n int) []float32 {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	v := make([]float32, n)
	for i := range v {
		v[i] = r.Float32()*2 - 1
	}
	return v
}

func TestSAXPYAgainstBLAS(t *testing.T) {
	for name, dev := range devices(t) {
		for _, n := range lengthsFor(name, awkward) {
			for _, on := range []kernels.Launcher{dev, kernels.Uncompiled(dev)} {
				x, y := randoms(n), randoms(n + 1)[:n]
				want := append([]float32(nil), y...)
				if n > 0 {
					blas32.Axpy(1.5, blas32.Vector{N: n, Data: x, Inc: 1}, blas32.Vector{N: n, Data: want, Inc: 1})
				}
				require.NoError(t, kernels.SAXPY(t.Context(), on, 1.5, x, y))
				// gonum may fuse the multiplication and the addition; that saves one rounding.
				slicetest.InDelta(t, want, y, 0x1p-22, "%s, %T, n=%d", name, on, n)
			}
		}
	}
}

func TestBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	assert.ErrorIs(t, kernels.SAXPY(ctx, dev, 1, make([]float32, 3), make([]float32, 4)), gocuda.ErrInvalidValue)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	assert.ErrorIs(t, kernels.SAXPY(cancelled, dev, 1, make([]float32, 1000), make([]float32, 1000)), context.Canceled)
}

func TestOnStream(t *testing.T) {
	dev := gocuda.Default()
	s := dev.NewStream()
	defer s.Close()
	const n = 5000
	buf, err := mem.Alloc[float32](dev, n)
	require.NoError(t, err)
	defer buf.Free()
	host := make([]float32, n)
	for i := range host {
		host[i] = float32(i)
	}
	on := kernels.OnStream(s)
	require.NoError(t, errors.Join(
		mem.CopyToDeviceAsync(s, buf, host),
		kernels.SAXPY(t.Context(), on, 2, buf.Data(), buf.Data()),
		mem.CopyToHostAsync(s, host, buf),
		s.Synchronize(t.Context()),
	))
	slicetest.Each(t, func(i int) float32 { return float32(3 * i) }, host)
}

// twoForms is a kernel whose source adds 1 for each thread and whose body adds 1000 for the block.
func twoForms(count *uint32) gocuda.Kernel {
	return rt.Compiled[gocuda.Kernel](&rt.Forms{Name: "twoForms"}, func(t *gocuda.Thread, b *gocuda.Block, p *rt.Phases) {
		if t != nil {
			atomic.Add(count, 1)
			return
		}
		for p.Next() {
			atomic.Add(count, 1000)
		}
	})
}

func TestUncompiledLaunchesTheSource(t *testing.T) {
	cfg := grid.Config{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 16}}
	var count uint32
	assert.NoError(t, kernels.Uncompiled(gocuda.Default()).Launch(t.Context(), cfg, twoForms(&count)))
	assert.Equal(t, uint32(32), count, "threads of the source")
	count = 0
	assert.NoError(t, gocuda.Default().Launch(t.Context(), cfg, twoForms(&count)))
	if !kerneltest.AsWritten {
		assert.Equal(t, uint32(2000), count, "two blocks of the compiled form")
	}
	count = 0
	assert.NoError(t, kernels.Uncompiled(gocuda.Default()).Launch(t.Context(), cfg, gocuda.BlockFunc(func(*gocuda.Block) { atomic.Add(&count, 1) })))
	assert.Equal(t, uint32(2), count, "the block kernel as it is")
}

func TestWaits(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	for _, on := range []kernels.Launcher{kernels.OnStream(s), kernels.Uncompiled(kernels.OnStream(s))} {
		assert.ErrorIs(t, kernels.Waits("this", on), gocuda.ErrNotSupported, "%T", on)
	}
	for _, on := range []kernels.Launcher{gocuda.Default(), kernels.Uncompiled(gocuda.Default())} {
		assert.NoError(t, kernels.Waits("this", on), "%T", on)
	}
}
