package gocuda_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// BenchmarkGraph compares many small kernels, one block of 64 threads each, in a stream and as a
// graph: one after the other, and all at once in the graph. The figure is the time a kernel.
func BenchmarkGraph(b *testing.B) {
	const kernels = 100
	dev := openDevice(b)
	s := dev.NewStream()
	x := make([]float32, 64*kernels)
	cfg := grid.Linear(64, 64)
	kernel := func(k int) gocuda.Kernel {
		part := x[64*k:]
		return gocuda.ThreadFunc(func(t *gocuda.Thread) { part[t.Rank()]++ })
	}
	measure := func(b *testing.B, launch func() error) {
		b.ReportAllocs()
		for b.Loop() {
			if err := launch(); err != nil {
				b.Fatal(err)
			}
			if err := s.Synchronize(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*kernels), "ns/kernel")
		slicetest.Each(b, func(int) float32 { return x[0] }, x)
	}
	var all [kernels]gocuda.Kernel
	for k := range all {
		all[k] = kernel(k)
	}
	b.Run("by=stream", func(b *testing.B) {
		measure(b, func() error {
			for _, k := range all {
				if err := s.Launch(cfg, k); err != nil {
					return err
				}
			}
			return nil
		})
	})
	for _, name := range []string{"chain", "parallel"} {
		b.Run(fmt.Sprintf("by=graph/form=%s", name), func(b *testing.B) {
			g := dev.NewGraph()
			var last []*gocuda.GraphNode
			for _, k := range all {
				n, err := g.AddKernelNode(last, cfg, k)
				require.NoError(b, err)
				if name == "chain" {
					last = []*gocuda.GraphNode{n}
				}
			}
			exec, err := g.Instantiate()
			require.NoError(b, err)
			measure(b, func() error { return exec.Launch(s) })
		})
	}
}
