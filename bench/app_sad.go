package bench

import (
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/sad"
)

// The workload sad: all sums of absolute differences of a square frame. The kernel is that through
// shared memory.

func setupSAD(e env, n int) *problem {
	if p := tooLarge(4*sad.BlockCount*sad.Offsets/256.0, n+15, n+15); p != nil {
		return p
	}
	across, down := sad.Macroblocks(n, n)
	blocks := across * down
	cur, ref := host.Apart[uint8](n*n), host.Apart[uint8](n*n)
	for i, v := range random(n * n) {
		ref[i] = uint8(256 * v)
	}
	for i := range cur { // moved by (3, 2), and darker
		cur[i] = ref[min(i/n+2, n-1)*n+min(i%n+3, n-1)] / 8 * 7
	}
	got, want := host.Apart[uint16](blocks*sad.BlockCount*sad.Offsets), host.Apart[uint16](blocks*sad.BlockCount*sad.Offsets)
	serial.SADs(n, n, cur, ref, want)
	return &problem{
		run: map[string]func() error{
			Serial: func() error { serial.SADs(n, n, cur, ref, got); return nil },
			Goroutines: func() error {
				split(e.workers, blocks, func(_, from, to int) { serial.SADsOf(from, to, n, n, cur, ref, got) })
				return nil
			},
		},
		kernel: func(on kernels.Launcher) error {
			return sad.SADs(e.ctx, on, sad.Window, n, n, cur, ref, got)
		},
		port:   func(on kernels.Launcher) error { return sad.SADs(e.ctx, on, sad.Texture, n, n, cur, ref, got) },
		native: &exchange{in: arrays(of(cur), of(ref)), out: arrays(of(got))},
		amount: everywhere(1e-9 * 16 * 16 * sad.Offsets * float64(blocks)),
		wipe:   wiping(got),
		check:  func() error { return same("sads", got, want) },
	}
}
