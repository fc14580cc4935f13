package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
)

// nbodyGoroutines is the serial reference with one goroutine a processor.
func nbodyGoroutines(eps float32, bodies []nbody.Body[float32], acc []kernels.Vec3[float32]) {
	forParts(len(bodies), func(_, from, to int) { serial.AccelerationsOf(from, to, eps, bodies, acc) })
}

func BenchmarkNBodyForms(b *testing.B) {
	const eps = 0.05
	for _, n := range []int{512, 4096, 16384} {
		bodies, acc, want := make([]nbody.Body[float32], n), make([]kernels.Vec3[float32], n), make([]kernels.Vec3[float32], n)
		for i, v := range randomBodies(n) {
			bodies[i] = nbody.Body[float32]{X: float32(v.X), Y: float32(v.Y), Z: float32(v.Z), Mass: float32(v.Mass)}
		}
		nbodyGoroutines(eps, bodies, want)
		run := func(name string, f func() error) {
			b.Run(fmt.Sprintf("size=%d/exec=%s", n, name), func(b *testing.B) {
				clear(acc)
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(20e-9*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds(), "GFLOPS")
				slicetest.EqualFunc(b, want, acc, func(want, got kernels.Vec3[float32]) bool {
					return math.Abs(float64(got.X-want.X)) <= 1e-4*float64(n)
				})
			})
		}
		for m := nbody.Global; m <= nbody.Blocks; m++ {
			run(m.String(), func() error { return nbody.Accelerations(b.Context(), gocuda.Default(), m, eps, bodies, acc) })
		}
		on := make([]kernels.Launcher, runtime.GOMAXPROCS(0))
		for i := range on {
			dev, err := gocuda.NewDevice(gocuda.WithWorkers(1))
			require.NoError(b, err)
			defer dev.Close()
			on[i] = dev
		}
		run("devices", func() error { return nbody.AccelerationsOn(b.Context(), on, nbody.Global, eps, bodies, acc) })
		run("goroutines", func() error { nbodyGoroutines(eps, bodies, acc); return nil })
	}
}

func randomBodies(n int) []nbody.Body[float64] {
	r := rand.New(rand.NewPCG(5, uint64(n)))
	b := make([]nbody.Body[float64], n)
	for i := range b {
		b[i] = nbody.Body[float64]{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64(), Mass: r.Float64()}
	}
	return b
}
