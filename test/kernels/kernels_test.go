package kernels_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/floats"

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

// small are those that thread kernels with many barriers get through quickly.
var small = awkward[:13]

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
			for _, form := range []kernels.Form{kernels.Blocks, kernels.Threads} {
				x, y := randoms(n), randoms(n + 1)[:n]
				want := append([]float32(nil), y...)
				if n > 0 {
					blas32.Axpy(1.5, blas32.Vector{N: n, Data: x, Inc: 1}, blas32.Vector{N: n, Data: want, Inc: 1})
				}
				require.NoError(t, kernels.SAXPYForm(t.Context(), dev, form, 1.5, x, y))
				// gonum may fuse the multiplication and the addition; that saves one rounding.
				slicetest.InDelta(t, want, y, 0x1p-22, "%s, %v, n=%d", name, form, n)
			}
		}
	}
}

func TestScanOfIntegersIsExact(t *testing.T) {
	for name, dev := range devices(t) {
		for _, method := range []kernels.ScanMethod{kernels.ScanBlocks, kernels.ScanHillisSteele, kernels.ScanWorkEfficient, kernels.ScanSeveral, kernels.ScanWarps, kernels.ScanRuns} {
			ns := awkward
			if method != kernels.ScanBlocks {
				ns = small
			}
			for _, n := range lengthsFor(name, ns) {
				for _, inclusive := range []bool{true, false} {
					in := make([]int64, n)
					for i := range in {
						in[i] = int64(i*i%1009) - 400
					}
					out, want := make([]int64, n), make([]int64, n)
					if inclusive {
						kernels.InclusiveScanSerial(want, in)
					} else {
						kernels.ExclusiveScanSerial(want, in)
					}
					require.NoError(t, kernels.Scan(t.Context(), dev, method, inclusive, out, in))
					slicetest.Equal(t, want, out, "%s, %v, inclusive %v, n=%d", name, method, inclusive, n)
					// in place
					require.NoError(t, kernels.Scan(t.Context(), dev, method, inclusive, in, in))
					slicetest.Equal(t, want, in, "%s, %v, in place, n=%d", name, method, n)
				}
			}
		}
	}
}

// Warps take more rows of longer arrays, and still longer ones are scanned in segments, of which
// the last one is of any length.
func TestScanOfLongArrays(t *testing.T) {
	if testing.Short() || kerneltest.AsWritten {
		t.Skip("long")
	}
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(2))
	require.NoError(t, err)
	defer dev.Close()
	for _, n := range []int{600_001, 1<<20 - 3, 1 << 20, 3<<20 + 77, 4 << 20, 4<<20 + 1, 5 << 20, 5<<20 + 16384, 6<<20 - 7} {
		in := make([]int32, n)
		for i := range in {
			in[i] = int32(i*i%1009) - 400
		}
		out, want := make([]int32, n), make([]int32, n)
		for _, method := range []kernels.ScanMethod{kernels.ScanSeveral, kernels.ScanWarps, kernels.ScanRuns} {
			for _, inclusive := range []bool{true, false} {
				if inclusive {
					kernels.InclusiveScanSerial(want, in)
				} else {
					kernels.ExclusiveScanSerial(want, in)
				}
				require.NoError(t, kernels.Scan(t.Context(), dev, method, inclusive, out, in))
				slicetest.Equal(t, want, out, "%v, inclusive %v, n=%d", method, inclusive, n)
			}
		}
	}
}

// More parts than a block has elements make more than two levels.
func TestScanOverManyLevels(t *testing.T) {
	if testing.Short() || kerneltest.AsWritten {
		t.Skip("long")
	}
	const n = 256*256 + 300 // three levels of 256 for Hillis and Steele
	in := make([]int, n)
	for i := range in {
		in[i] = i % 7
	}
	out := make([]int, n)
	require.NoError(t, kernels.Scan(t.Context(), gocuda.Default(), kernels.ScanHillisSteele, true, out, in))
	sum := 0
	slicetest.Each(t, func(i int) int { sum += in[i]; return sum }, out)
}

func TestScanAgainstCumSum(t *testing.T) {
	for _, n := range awkward {
		in := make([]float64, n)
		for i, v := range randoms(n) {
			in[i] = float64(v)
		}
		out, want := make([]float64, n), make([]float64, n)
		floats.CumSum(want, in)
		require.NoError(t, kernels.InclusiveScan(t.Context(), gocuda.Default(), out, in))
		// Both err by at most n roundings of partial sums that are at most n.
		slicetest.InDelta(t, want, out, float64(n)*float64(n)*0x1p-53, "n=%d", n)
	}
}

func TestSum(t *testing.T) {
	for name, dev := range devices(t) {
		for _, form := range []kernels.Form{kernels.Blocks, kernels.Threads} {
			for _, n := range lengthsFor(name, small) {
				in := make([]uint32, n)
				var want uint32
				for i := range in {
					in[i] = uint32(i) * 2654435761 // wraps around
					want += in[i]
				}
				got, err := kernels.SumForm(t.Context(), dev, form, in)
				require.NoError(t, err, "%s, %v, n=%d", name, form, n)
				require.Equal(t, want, got, "%s, %v, n=%d", name, form, n)
			}
		}
	}
	big := make([]float64, 300007)
	for i, v := range randoms(len(big)) {
		big[i] = float64(v)
	}
	got, err := kernels.Sum(t.Context(), gocuda.Default(), big)
	require.NoError(t, err)
	require.InDelta(t, floats.SumCompensated(big), got, 1e-10)
}

// Beyond 2^20 elements the blocks of the compiled kernel have more each, and beyond 2^22 there are
// more blocks.
func TestLargeSum(t *testing.T) {
	if kerneltest.AsWritten {
		t.Skip("there the compiled kernel runs its source")
	}
	in := make([]uint32, 1<<24+70001)
	sums := make([]uint32, len(in)+1) // of the elements before
	for i := range in {
		in[i] = uint32(i) * 2654435761
		sums[i+1] = sums[i] + in[i]
	}
	for _, n := range []int{1 << 20, 1<<20 + 1, 1<<21 - 1, 1 << 21, 3<<20 + 5, 1 << 22, 1<<22 + 1, 1 << 24, len(in)} {
		got, err := kernels.SumForm(t.Context(), gocuda.Default(), kernels.Compiled, in[:n])
		assert.NoError(t, err)
		assert.Equal(t, sums[n], got, "n=%d", n)
	}
}

func randomBodies(n int) []kernels.Body[float64] {
	r := rand.New(rand.NewPCG(5, uint64(n)))
	b := make([]kernels.Body[float64], n)
	for i := range b {
		b[i] = kernels.Body[float64]{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64(), Mass: r.Float64()}
	}
	return b
}

func TestAccelerations(t *testing.T) {
	for name, dev := range devices(t) {
		for _, form := range []kernels.Form{kernels.Blocks, kernels.Threads} {
			for _, eps := range []float64{0, 0.05} {
				for _, n := range lengthsFor(name, []int{0, 1, 2, 3, 255, 256, 257, 511, 769}) {
					bodies := randomBodies(n)
					got, want := make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], n)
					kernels.AccelerationsSerial(eps, bodies, want)
					require.NoError(t, kernels.Accelerations(t.Context(), dev, form, eps, bodies, got))
					slicetest.EqualFunc(t, want, got, func(want, got kernels.Vec3[float64]) bool {
						d := math.Hypot(math.Hypot(got.X-want.X, got.Y-want.Y), got.Z-want.Z)
						return d <= 1e-9*(1+math.Hypot(math.Hypot(want.X, want.Y), want.Z))
					}, "%s, %v, eps=%v, n=%d", name, form, eps, n)
				}
			}
		}
	}
}

// Two bodies of mass 1 at distance 2 attract each other with 1/4, by Newton's law.
func TestNewtonsLaw(t *testing.T) {
	bodies := []kernels.Body[float32]{{X: -1, Mass: 1}, {X: 1, Mass: 1}}
	acc := make([]kernels.Vec3[float32], 2)
	for _, form := range []kernels.Form{kernels.Blocks, kernels.Threads} {
		require.NoError(t, kernels.Accelerations(t.Context(), gocuda.Default(), form, 0, bodies, acc))
		assert.Equal(t, kernels.Vec3[float32]{X: 0.25}, acc[0], form)
		assert.Equal(t, kernels.Vec3[float32]{X: -0.25}, acc[1], form)
	}
}

// Distances whose cube leaves the range of float32 although the force does not.
func TestAccelerationsFarAndNear(t *testing.T) {
	for _, scale := range []float32{1e-18, 1e-12, 1, 1e12, 1e18} {
		bodies := []kernels.Body[float32]{
			{X: 1 * scale, Mass: scale * scale}, {X: -2 * scale, Mass: scale * scale}, {Y: 3 * scale, Mass: scale * scale}, {Z: 5e-3 * scale, Mass: scale * scale},
		}
		got, want := make([]kernels.Vec3[float32], 4), make([]kernels.Vec3[float32], 4)
		kernels.AccelerationsSerial(0, bodies, want)
		require.NoError(t, kernels.Accelerations(t.Context(), gocuda.Default(), kernels.Blocks, 0, bodies, got))
		slicetest.EqualFunc(t, want, got, func(want, got kernels.Vec3[float32]) bool {
			return math.Abs(float64(got.X-want.X)) <= 1e-4*math.Abs(float64(want.X))
		}, "scale %g", scale)
	}
}

// The momentum of a closed system stays what it was, whatever the method.
func TestNBodyStepKeepsMomentum(t *testing.T) {
	const n, dt = 300, 1e-3
	bodies := randomBodies(n)
	vel, acc := make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], n)
	serial := append([]kernels.Body[float64](nil), bodies...)
	vel2, acc2 := make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], n)
	for range 10 {
		require.NoError(t, kernels.NBodyStep(t.Context(), gocuda.Default(), kernels.Blocks, dt, 0.1, bodies, vel, acc))
		kernels.NBodyStepSerial(dt, 0.1, serial, vel2, acc2)
	}
	var px float64
	for i, b := range bodies {
		px += b.Mass * vel[i].X
		require.InDelta(t, serial[i].X, b.X, 1e-9, "body %d", i)
	}
	assert.InDelta(t, 0, px, 1e-9, "momentum")
}

func TestBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	for name, err := range map[string]error{
		"saxpy":     kernels.SAXPY(ctx, dev, 1, make([]float32, 3), make([]float32, 4)),
		"scan":      kernels.InclusiveScan(ctx, dev, make([]int, 3), make([]int, 4)),
		"method":    kernels.Scan(ctx, dev, 99, true, make([]int, 3), make([]int, 3)),
		"nbody":     kernels.Accelerations(ctx, dev, kernels.Blocks, 0, make([]kernels.Body[float32], 2), nil),
		"softening": kernels.Accelerations(ctx, dev, kernels.Blocks, -1, make([]kernels.Body[float32], 2), make([]kernels.Vec3[float32], 2)),
		"step":      kernels.NBodyStep(ctx, dev, kernels.Blocks, 1, 0, make([]kernels.Body[float32], 2), nil, make([]kernels.Vec3[float32], 2)),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err := kernels.Sum(cancelled, dev, make([]int, 1000))
	assert.ErrorIs(t, err, context.Canceled, "cancelled")
}

func TestOnStream(t *testing.T) {
	dev := gocuda.Default()
	s := dev.NewStream()
	defer s.Close()
	const n = 5000
	buf, err := mem.Alloc[int32](dev, n)
	require.NoError(t, err)
	defer buf.Free()
	host := make([]int32, n)
	for i := range host {
		host[i] = 1
	}
	on := kernels.OnStream(s)
	require.NoError(t, errors.Join(
		mem.CopyToDeviceAsync(s, buf, host),
		kernels.Scan(t.Context(), on, kernels.ScanWorkEfficient, true, buf.Data(), buf.Data()),
		mem.CopyToHostAsync(s, host, buf),
		s.Synchronize(t.Context()),
	))
	slicetest.Each(t, func(i int) int32 { return int32(i + 1) }, host)
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
