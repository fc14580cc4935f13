//go:build unix

// Command user runs a kernel that is not compiled, and prints how much processor time it takes and how much memory the program has then.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

const tile = 16

// product is a product of square matrices by tiles.
func product(n int) func() error {
	a, b, c := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
	cfg := grid.Config{Grid: grid.Dim3{X: n / tile, Y: n / tile}, Block: grid.Dim3{X: tile, Y: tile}}
	return func() error {
		return gocuda.LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
			as, bs := gocuda.Shared[[tile]float32](t, tile), gocuda.Shared[[tile]float32](t, tile)
			x, y := t.ThreadIdx.X, t.ThreadIdx.Y
			row, col := t.GlobalY(), t.GlobalX()
			sum := float32(0)
			for m := range n / tile {
				as[y][x] = a[row*n+m*tile+x]
				bs[y][x] = b[(m*tile+y)*n+col]
				t.SyncThreads()
				for k := range tile {
					sum += as[y][k] * bs[k][x]
				}
				t.SyncThreads()
			}
			c[row*n+col] = sum
		})
	}
}

// reduction sums n elements by blocks.
func reduction(n int) func() error {
	const block = 256
	a, sums := make([]float32, n), make([]float32, n/block)
	cfg := grid.Config{Grid: grid.Dim3{X: n / block}, Block: grid.Dim3{X: block}}
	return func() error {
		return gocuda.LaunchFunc(context.Background(), cfg, func(t *gocuda.Thread) {
			s := gocuda.Shared[float32](t, block)
			i := t.ThreadIdx.X
			s[i] = a[t.GlobalX()]
			t.SyncThreads()
			for d := block / 2; d > 0; d /= 2 {
				if i < d {
					s[i] += s[i+d]
				}
				t.SyncThreads()
			}
			if i == 0 {
				sums[t.BlockIdx.X] = s[0]
			}
		})
	}
}

// cpu is the processor time of the program so far: other programs don't count.
func cpu() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func main() {
	run, words := product(256), 3*256*256
	if os.Args[1] == "reduction" {
		run, words = reduction(1<<20), 1<<20+1<<20/256
	}
	best := time.Duration(1 << 62)
	for range 3 {
		begun := cpu()
		if err := run(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		best = min(best, cpu()-begun)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println("MEASURED", best.Nanoseconds(), m.HeapAlloc, words)
	runtime.KeepAlive(run)
}
