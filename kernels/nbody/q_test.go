package nbody

import (
	"context"
	"fmt"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
)

func run[T kernels.Float](b *testing.B, n int) {
	bodies := make([]kernels.Body[T], n)
	for i := range bodies {
		bodies[i] = kernels.Body[T]{T(i) * 0.01, T(i%17) * 0.3, T(i % 31), 1}
	}
	acc := make([]kernels.Vec3[T], n)
	line := grid.Linear(n, 256)
	rect := grid.Rect(n, q, p, q)
	for _, c := range []struct {
		name string
		cfg  grid.Config
		k    gocuda.Kernel
	}{
		{"naive", line, naiveKernel(T(0.01), bodies, bodies, acc)},
		{"tiled", line, tiledKernel(T(0.01), bodies, bodies, acc)},
		{"several", rect, severalKernel(T(0.01), bodies, bodies, acc)},
		{"constant", line, constantKernel(true, T(0.01), bodies, bodies, acc)},
		{"shuffled", line, shuffledKernel(T(0.01), bodies, bodies, acc)},
	} {
		b.Run(fmt.Sprintf("%T/%s/%d", T(0), c.name, n), func(b *testing.B) {
			for b.Loop() {
				if err := gocuda.Default().Launch(context.Background(), c.cfg, c.k); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n)/float64(n), "ns/pair")
		})
	}
	b.Run("root", func(b *testing.B) {
		for b.Loop() {
			kernels.Accelerations(context.Background(), gocuda.Default(), kernels.Compiled, 0.1, bodies, acc)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n)/float64(n), "ns/pair")
	})
	b.Run("serial", func(b *testing.B) {
		for b.Loop() {
			kernels.AccelerationsSerial(0.1, bodies, acc)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n)/float64(n), "ns/pair")
	})
}
func BenchmarkQ(b *testing.B) {
	run[float32](b, 4096)
	run[float64](b, 2048)
}
