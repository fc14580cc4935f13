package prof_test

import (
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/prof"
)

const overhead = program + `
const n, tile = 256, 16

func product(a, b, c []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		as := gocuda.Shared[float32](t, tile*tile)
		bs := gocuda.Shared[float32](t, tile*tile)
		tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
		row, col := t.BlockIdx.Y*tile+ty, t.BlockIdx.X*tile+tx
		var sum float32
		for m := 0; m < n; m += tile {
			as[ty*tile+tx] = a[row*n+m+tx]
			bs[ty*tile+tx] = b[(m+ty)*n+col]
			t.SyncThreads()
			for k := 0; k < tile; k++ {
				sum += as[ty*tile+k] * bs[k*tile+tx]
			}
			t.SyncThreads()
		}
		c[row*n+col] = sum
	}
}

func reduce(in, out []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[float32](t, 256)
		tid := t.ThreadIdx.X
		i := t.BlockIdx.X*512 + tid
		s[tid] = in[i] + in[i+256]
		t.SyncThreads()
		for d := 128; d > 0; d >>= 1 {
			if tid < d {
				s[tid] += s[tid+d]
			}
			t.SyncThreads()
		}
		if tid == 0 {
			out[t.BlockIdx.X] = s[0]
		}
	}
}

func init() { options = append(options, gocuda.WithWorkers(1)) }

func BenchmarkProduct(b *testing.B) {
	x, y, z := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
	for b.Loop() {
		launch(dim(n/tile, n/tile), dim(tile, tile), product(x, y, z))
	}
}

func BenchmarkReduction(b *testing.B) {
	x, y := make([]float32, 1<<20), make([]float32, 1<<20/512)
	for b.Loop() {
		launch(dim(1<<20/512, 1), dim(256, 1), reduce(x, y))
	}
}
`

// BenchmarkOverhead reports how many times as long as without the profiler a product of 256x256 by
// tiles, and a reduction of 2^20 elements, take under it. The kernels are not compiled, and have
// one worker.
func BenchmarkOverhead(b *testing.B) {
	dir := userModule(b, overhead)
	flags := []string{"-run", "none", "-bench", ".", "-benchtime", "3x"}
	for b.Loop() {
		cmd := exec.Command("go", append([]string{"test", "."}, flags...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(b, err, "%s", out)
		plain := nanoseconds(b, string(out))
		_, printed := profileIn(b, dir, prof.Settings{GPU: "ampere"}, flags...)
		for name, ns := range nanoseconds(b, printed) {
			b.ReportMetric(ns/plain[name], name+"-times")
		}
	}
}

// nanoseconds returns the times of benchmarks that were printed, by name.
func nanoseconds(b *testing.B, printed string) map[string]float64 {
	times := map[string]float64{}
	for _, m := range regexp.MustCompile(`Benchmark([A-Za-z]+)\S*\s+\d+\s+([\d.]+) ns/op`).FindAllStringSubmatch(printed, -1) {
		ns, err := strconv.ParseFloat(m[2], 64)
		require.NoError(b, err)
		times[m[1]] = ns
	}
	require.Len(b, times, 2, "%s", printed)
	return times
}
