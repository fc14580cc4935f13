//go:build compiled

package devicekernels

import (
	"testing"
	"time"

	"github.com/gocuda/gocuda/gocuda"
)

// BenchmarkFastInKernels compares the fast functions with the exact ones, each compiled into a
// kernel over 2^16 elements from 0 to 10. It reports ns/element of both, and their quotient.
func BenchmarkFastInKernels(b *testing.B) {
	const n = 240 * 273 // some 2^16
	d, err := gocuda.NewDevice(gocuda.WithWorkers(1))
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := d.Close(); err != nil {
			b.Error(err)
		}
	}()
	in, out := make([]float32, n), make([]float32, n)
	for i := range in {
		in[i] = float32(i%1000) / 100
	}
	for _, p := range fastPairs {
		b.Run("func="+p.name, func(b *testing.B) {
			// The two take turns, so that what slows the machine down slows both.
			var least [2]time.Duration
			kernels := [2]gocuda.Kernel{p.fast(in, out), p.exact(in, out)}
			for b.Loop() {
				for i, k := range kernels {
					start := time.Now()
					launch(b, d, n, k)
					if took := time.Since(start); least[i] == 0 || took < least[i] {
						least[i] = took
					}
				}
			}
			b.ReportMetric(float64(least[0])/n, "ns-fast/element")
			b.ReportMetric(float64(least[1])/n, "ns-exact/element")
			b.ReportMetric(float64(least[0])/float64(least[1]), "fast/exact")
		})
	}
}
