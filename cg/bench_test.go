package cg_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/gocuda/gocuda/cg"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// What one Reduce costs a thread, beside a reduction by shuffles.
func BenchmarkGroupReduce(b *testing.B) {
	const threads, rounds = 256, 64
	out := make([]float32, threads)
	run := func(b *testing.B, kernel func(*gocuda.Thread)) {
		dev, err := gocuda.NewDevice(gocuda.WithExecutor(gocuda.ExecutorCoroutine))
		if err != nil {
			b.Fatal(err)
		}
		defer dev.Close()
		for b.Loop() {
			if err := dev.LaunchFunc(context.Background(), grid.Linear(threads, threads), kernel); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/threads/rounds, "ns/thread")
	}
	for _, size := range []int{8, 32, 256} {
		b.Run(fmt.Sprintf("tile=%d/by=Reduce", size), func(b *testing.B) {
			run(b, func(t *gocuda.Thread) {
				g := cg.TiledPartition(cg.ThisThreadBlock(t), size)
				for range rounds {
					out[t.Rank()] = cg.Reduce(g, float32(t.Rank()), cg.Plus[float32])
				}
			})
		})
	}
	b.Run("tile=32/by=shuffles", func(b *testing.B) {
		run(b, func(t *gocuda.Thread) {
			for range rounds {
				v := float32(t.Rank())
				for d := 16; d > 0; d /= 2 {
					v += gocuda.ShflXorSync(t, gocuda.FullMask, v, d, 32)
				}
				out[t.Rank()] = v
			}
		})
	})
}
