package kernels

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// ScanRuns: each thread has a run of neighbours for itself. In the first kernel it adds them up, in
// the second it scans them from the sum of all runs before its own. Threads share nothing and meet
// no barrier, and elements are read twice, where ScanSeveral reads them three times. On a GPU it is
// the wrong way: what the threads of a warp read lies far apart. On a CPU a few threads go side by
// side, and far apart is where they should read: with runs of 256 elements the eight that are added
// up at a time share two pages, of which the processor reads one line after the other ahead, and
// 2^26 elements take 1.5 times as long.

const (
	scanRun       = 4096 // elements of a thread
	scanRunBlock  = 8    // threads
	scanRunsBlock = scanRun * scanRunBlock
)

// sumRuns reports the sum of a thread's run.
//
//gocuda:kernel
func sumRuns[T Number](t *gocuda.Thread, n int, in, sums []T) {
	i := t.GlobalX()
	from := i * scanRun
	var sum T
	if (t.BlockIdx.X+1)*scanRunsBlock <= n { // but for the last block
		for k := range scanRun {
			sum += in[from+k]
		}
	} else {
		for k := from; k < min(from+scanRun, n); k++ {
			sum += in[k]
		}
	}
	sums[i] = sum
}

// scanRuns scans a thread's run from the sum of all runs before it, in before.
//
//gocuda:kernel
func scanRuns[T Number](t *gocuda.Thread, inclusive bool, n int, out, in, before []T) {
	i := t.GlobalX()
	from := i * scanRun
	sum := before[i]
	if (t.BlockIdx.X+1)*scanRunsBlock <= n {
		for k := range scanRun {
			v := sum
			sum += in[from+k]
			if inclusive {
				v = sum
			}
			out[from+k] = v
		}
	} else {
		for k := from; k < min(from+scanRun, n); k++ {
			v := sum
			sum += in[k]
			if inclusive {
				v = sum
			}
			out[k] = v
		}
	}
}

// scanRunsLevels scans an array, a segment at a time: it adds up the runs, scans the sums, and
// scans each run from the sum before it.
func scanRunsLevels[T Number](ctx context.Context, on Launcher, form Form, inclusive bool, out, in []T) error {
	blocks := func(n int) grid.Config {
		return grid.Config{Grid: grid.Linear(n, scanRunsBlock).Grid, Block: grid.Dim3{X: scanRunBlock}}
	}
	scan := func(cfg grid.Config, out, in, before []T) error {
		n := len(in)
		k := either(form, scanRunsKernel(inclusive, n, out, in, before))
		return on.Launch(ctx, cfg, k)
	}
	if len(in) <= scanRun {
		return scan(grid.Linear(min(len(in), 1), 1), out, in, make([]T, 1))
	}
	return bySegments(out, in, blocks(len(in)).Grid.X*scanRunBlock, scanRun, segmentScan[T]{
		add: func(in, sums []T) error {
			n := len(in)
			k := either(form, sumRunsKernel(n, in, sums))
			return on.Launch(ctx, blocks(n), k)
		},
		level: func(sums []T) error { return scanRunsLevels(ctx, on, form, true, sums, sums) },
		scan:  func(out, in, before []T) error { return scan(blocks(len(in)), out, in, before) },
	})
}
