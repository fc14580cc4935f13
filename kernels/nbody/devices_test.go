package nbody_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/kerneltest"
	"github.com/gocuda/gocuda/kernels/nbody"
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
				if err := nbody.AccelerationsOn(t.Context(), all[:k], method, 0.05, bodies, acc); err != nil {
					t.Fatal(err)
				}
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
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	on := []kernels.Launcher{gocuda.Default(), dev, dev} // more than bodies
	if err := nbody.LeapfrogOn(t.Context(), on, nbody.Tiled, steps, dt, 0, bodies, vel, acc); err != nil {
		t.Fatal(err)
	}
	serial, vel2 := circle(1)
	nbody.LeapfrogSerial(steps, dt, 0, serial, vel2, acc)
	if tol := float64(steps*steps) * 40 * 0x1p-53; !(math.Hypot(bodies[1].X-serial[1].X, bodies[1].Y-serial[1].Y) <= tol) {
		t.Errorf("at %v, want %v", bodies[1], serial[1])
	}
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
	if err := nbody.AccelerationsOn(t.Context(), on, nbody.Global, 0.1, bodies, acc); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{2, 1, 1} { // blocks of 256
		if got := on[i].(*shares).blocks.Load(); got != want {
			t.Errorf("device %d has %d blocks, want %d", i, got, want)
		}
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
	if !errors.Is(err, first) || !a.ended || !b.ended || strings.Count(err.Error(), "device") != 1 || !strings.Contains(err.Error(), "device 1: first") {
		t.Errorf("%v, %v, %v", err, a.ended, b.ended)
	}

	x, y := make(chan bool), make(chan bool)
	err = nbody.LeapfrogOn(t.Context(), []kernels.Launcher{together{x, y, first}, together{y, x, last}}, nbody.Tiled, 3, 1, 0, bodies, vel, acc)
	if !errors.Is(err, first) || !errors.Is(err, last) {
		t.Errorf("%v, want both errors", err)
	}

	// A device that is closed, and what it says.
	dev, err := gocuda.NewDevice()
	if err != nil {
		t.Fatal(err)
	}
	dev.Close()
	err = nbody.AccelerationsOn(t.Context(), []kernels.Launcher{&patient{}, dev}, nbody.Global, 0, bodies, acc)
	if !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
		t.Error(err)
	}

	// A context that ends while they work.
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	a, b = &patient{}, &patient{}
	cancel(cause)
	err = nbody.AccelerationsOn(ctx, []kernels.Launcher{a, b}, nbody.Tiled, 0, bodies, acc)
	if !errors.Is(err, cause) || !a.ended || !b.ended {
		t.Errorf("%v, %v, %v", err, a.ended, b.ended)
	}

	s := gocuda.Default().NewStream()
	defer s.Close()
	err = nbody.AccelerationsOn(t.Context(), []kernels.Launcher{gocuda.Default(), kernels.OnStream(s)}, nbody.Tiled, 0, bodies, acc)
	if !errors.Is(err, gocuda.ErrNotSupported) {
		t.Error(err)
	}
}

func ExampleAccelerationsOn() {
	// Two devices of one worker each, instead of one with all.
	var on []kernels.Launcher
	for range 2 {
		dev, err := gocuda.NewDevice(gocuda.WithWorkers(1))
		if err != nil {
			fmt.Println(err)
			return
		}
		defer dev.Close()
		on = append(on, dev)
	}
	bodies := []kernels.Body[float64]{{X: -1, Mass: 4}, {}, {X: 1, Mass: 4}}
	acc := make([]kernels.Vec3[float64], len(bodies))
	if err := nbody.AccelerationsOn(context.Background(), on, nbody.Tiled, 0, bodies, acc); err != nil {
		fmt.Println(err)
	}
	for _, a := range acc {
		fmt.Println(a.X)
	}
	// Output:
	// 1
	// 0
	// -1
}

func ExampleLeapfrogOn() {
	devices := []kernels.Launcher{gocuda.Default(), gocuda.Default()}
	bodies := []kernels.Body[float64]{{Mass: 1}, {X: 1}} // half a circle
	vel, acc := []kernels.Vec3[float64]{{}, {Y: 1}}, make([]kernels.Vec3[float64], 2)
	err := nbody.LeapfrogOn(context.Background(), devices, nbody.Global, 100, math.Pi/100, 0, bodies, vel, acc)
	fmt.Printf("%+.3f %v\n", bodies[1].X, err)
	// Output: -1.000 <nil>
}
