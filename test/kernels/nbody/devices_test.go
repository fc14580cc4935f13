package nbody_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

func TestAccelerationsOnSeveralDevices(t *testing.T) {
	var all []kernels.Launcher
	for _, dev := range kerneltest.Devices(t) {
		all = append(all, dev)
	}
	all = append(all, all[0]) // one twice
	sizes := []int{0, 1, 2, 5, 65, 127}
	if kerneltest.Devices(t)[0].Slow {
		sizes = sizes[1:4]
	}
	for k := 1; k <= len(all); k++ {
		for _, method := range methods {
			for _, n := range sizes {
				bodies, wide := cloud[float32](n)
				acc := make([]kernels.Vec3[float32], n)
				require.NoError(t, nbody.AccelerationsOn(t.Context(), all[:k], method, 0.05, bodies, acc))
				checkAccelerations(t, fmt.Sprintf("%d devices, %v, n=%d", k, method, n), 0.05, wide, acc)
			}
		}
	}
}

func TestLeapfrogOnSeveralDevices(t *testing.T) {
	steps := 200
	if kerneltest.Devices(t)[0].Slow {
		steps = 10
	}
	dt := 2 * math.Pi / float64(steps)
	bodies, vel := circle(1)
	acc := make([]kernels.Vec3[float64], 2)
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(1))
	require.NoError(t, err)
	defer dev.Close()
	on := []kernels.Launcher{gocuda.Default(), dev, dev} // more than bodies
	require.NoError(t, nbody.LeapfrogOn(t.Context(), on, nbody.Tiled, steps, dt, 0, bodies, vel, acc))
	plain, vel2 := circle(1)
	serial.Leapfrog(steps, dt, 0, plain, vel2, acc)
	assert.LessOrEqual(t, math.Hypot(bodies[1].X-plain[1].X, bodies[1].Y-plain[1].Y), float64(steps*steps)*40*0x1p-53, "at %v, want %v", bodies[1], plain[1])
}

// shares counts the bodies that each launch is for.
type shares struct {
	blocks atomic.Int64
	kernels.Launcher
}

func (s *shares) Launch(ctx context.Context, cfg grid.Config, k gocuda.Kernel) error {
	s.blocks.Add(int64(cfg.Grid.X))
	return s.Launcher.Launch(ctx, cfg, k)
}

func TestDevicesHaveEqualShares(t *testing.T) {
	bodies, _ := cloud[float32](3*256 + 1)
	acc := make([]kernels.Vec3[float32], len(bodies))
	on := make([]kernels.Launcher, 3)
	for i := range on {
		on[i] = &shares{Launcher: gocuda.Default()}
	}
	require.NoError(t, nbody.AccelerationsOn(t.Context(), on, nbody.Global, 0.1, bodies, acc))
	for i, want := range []int64{2, 1, 1} { // blocks of 256
		assert.Equal(t, want, on[i].(*shares).blocks.Load(), "blocks of device %d", i)
	}
}

// patient works until it is told to stop.
type patient struct{ ended bool }

func (p *patient) Launch(ctx context.Context, _ grid.Config, _ gocuda.Kernel) error {
	<-ctx.Done()
	p.ended = true
	return context.Cause(ctx)
}

// broken fails.
type broken struct{ err error }

func (b broken) Launch(context.Context, grid.Config, gocuda.Kernel) error { return b.err }

// together fails once both have begun.
type together struct {
	mine, other chan bool
	err         error
}

func (m together) Launch(context.Context, grid.Config, gocuda.Kernel) error {
	close(m.mine)
	<-m.other
	return m.err
}

func TestADeviceThatFailsStopsTheOthers(t *testing.T) {
	bodies, _ := cloud[float32](10)
	vel, acc := make([]kernels.Vec3[float32], 10), make([]kernels.Vec3[float32], 10)
	first, last := errors.New("first"), errors.New("last")

	a, b := &patient{}, &patient{}
	err := nbody.AccelerationsOn(t.Context(), []kernels.Launcher{a, broken{first}, b}, nbody.Tiled, 0, bodies, acc)
	// Both had ended, or this would be a race besides.
	assert.ErrorIs(t, err, first)
	assert.True(t, a.ended)
	assert.True(t, b.ended)
	assert.Equal(t, 1, strings.Count(err.Error(), "device"))
	assert.ErrorContains(t, err, "device 1: first")

	x, y := make(chan bool), make(chan bool)
	err = nbody.LeapfrogOn(t.Context(), []kernels.Launcher{together{x, y, first}, together{y, x, last}}, nbody.Tiled, 3, 1, 0, bodies, vel, acc)
	assert.ErrorIs(t, err, first)
	assert.ErrorIs(t, err, last)

	// A device that is closed, and what it says.
	dev, err := gocuda.NewDevice()
	require.NoError(t, err)
	dev.Close()
	err = nbody.AccelerationsOn(t.Context(), []kernels.Launcher{&patient{}, dev}, nbody.Global, 0, bodies, acc)
	assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle)

	// A context that ends while they work.
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	a, b = &patient{}, &patient{}
	cancel(cause)
	err = nbody.AccelerationsOn(ctx, []kernels.Launcher{a, b}, nbody.Tiled, 0, bodies, acc)
	assert.ErrorIs(t, err, cause)
	assert.True(t, a.ended)
	assert.True(t, b.ended)

	s := gocuda.Default().NewStream()
	defer s.Close()
	err = nbody.AccelerationsOn(t.Context(), []kernels.Launcher{gocuda.Default(), kernels.OnStream(s)}, nbody.Tiled, 0, bodies, acc)
	assert.ErrorIs(t, err, gocuda.ErrNotSupported)
}
