// The conformance suite: a table of kernels, each with a check against its result computed serially,
// run by every executor, in several orders of the blocks, with few and many workers. All of them must
// give CUDA's answer. The rows are in the conformance files named after what they are about.

package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A launch that takes longer than watchdog hangs.
const watchdog = 60 * time.Second

// A row is one kernel of the table.
type row struct {
	name   string
	shapes []grid.Config
	// prepare is called once a shape, to compute what is expected. What it returns is called once a
	// launch, and makes the kernel with fresh outputs and the check of those outputs.
	prepare func(cfg grid.Config) func(d *gocuda.Device) (kernel gocuda.Kernel, check func() error)
}

func conformanceRows() []row {
	return slices.Concat(
		indexRows(), barrierRows(), returnRows(), sharedRows(), shuffleRows(), divergentRows(),
		voteRows(), matchRows(), activeRows(), scanRows(), atomicRows(), nestedRows(), warpRows(),
		blockRows(), typeRows(), randomRows(),
	)
}

// shapes are the geometries that most rows run on: fractions of a warp, whole warps, warps and a bit,
// the largest block, and all numbers of dimensions.
var shapes = []grid.Config{
	{Grid: grid.Dim3{X: 9}, Block: grid.Dim3{X: 1}},
	{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 31}},
	{Grid: grid.Dim3{X: 4}, Block: grid.Dim3{X: 32}},
	{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 33}},
	{Grid: grid.Dim3{X: 5}, Block: grid.Dim3{X: 80}},
	{Grid: grid.Dim3{X: 2, Y: 3}, Block: grid.Dim3{X: 7, Y: 5}},
	{Grid: grid.Dim3{X: 2, Y: 3, Z: 2}, Block: grid.Dim3{X: 4, Y: 3, Z: 2}},
	{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 256}},
	{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 16, Y: 16}},
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 1024}},
	{Grid: grid.Dim3{X: 1, Y: 1, Z: 2}, Block: grid.Dim3{X: 8, Y: 8, Z: 16}},
}

// upTo returns the shapes of at most so many threads a block, for rows that would take long otherwise.
func upTo(threads int) []grid.Config {
	return slices.DeleteFunc(slices.Clone(shapes), func(c grid.Config) bool { return c.Threads() > threads })
}

// wholeWarps returns the shapes without a partial last warp.
func wholeWarps() []grid.Config {
	return slices.DeleteFunc(slices.Clone(shapes), func(c grid.Config) bool { return c.Threads()%32 != 0 })
}

func withDynamic(bytes int, cfgs []grid.Config) []grid.Config {
	cfgs = slices.Clone(cfgs)
	for i := range cfgs {
		cfgs[i].SharedBytes = bytes
	}
	return cfgs
}

// perSlot is a row whose kernel gives one result a thread. build makes the kernel that puts the result
// of a thread into out[slot]; want computes it for thread rank of block number block, both linear.
func perSlot[T comparable](name string, shapes []grid.Config,
	setup func(cfg grid.Config) (build func(out []T) gocuda.Kernel, want func(block, rank int) T)) row {
	return row{name, shapes, func(cfg grid.Config) func(*gocuda.Device) (gocuda.Kernel, func() error) {
		build, f := setup(cfg)
		n := cfg.Threads()
		want := make([]T, cfg.Blocks()*n)
		for i := range want {
			want[i] = f(i/n, i%n)
		}
		return func(*gocuda.Device) (gocuda.Kernel, func() error) {
			got := make([]T, len(want))
			return build(got), func() error {
				for i := range got {
					if got[i] != want[i] {
						return fmt.Errorf("block %d thread %d: got %v, want %v", i/n, i%n, got[i], want[i])
					}
				}
				return nil
			}
		}
	}}
}

// perThread is a row whose kernel is a thread kernel that returns its result. It also sees to it that
// each thread runs exactly once.
func perThread[T comparable](name string, shapes []grid.Config,
	setup func(cfg grid.Config) (body func(t *gocuda.Thread) T, want func(block, rank int) T)) row {
	type once struct {
		runs   int
		result T
	}
	return perSlot(name, shapes, func(cfg grid.Config) (func([]once) gocuda.Kernel, func(block, rank int) once) {
		body, want := setup(cfg)
		build := func(out []once) gocuda.Kernel {
			return gocuda.ThreadFunc(func(t *gocuda.Thread) {
				o := &out[slot(t)]
				o.runs++
				o.result = body(t)
			})
		}
		return build, func(block, rank int) once { return once{1, want(block, rank)} }
	})
}

// noComplaint is a row whose threads compare what they get themselves, and return what is wrong.
func noComplaint(name string, shapes []grid.Config, setup func(cfg grid.Config) func(t *gocuda.Thread) string) row {
	return perThread(name, shapes, func(cfg grid.Config) (func(*gocuda.Thread) string, func(block, rank int) string) {
		return setup(cfg), func(int, int) string { return "" }
	})
}

// blockOf and rankOf number blocks and threads by CUDA's formula, slot the threads of the grid.

func blockOf(t *gocuda.Thread) int { return linear(t.GridDim, t.BlockIdx) }
func rankOf(t *gocuda.Thread) int  { return linear(t.BlockDim, t.ThreadIdx) }
func sizeOf(t *gocuda.Thread) int  { return t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z }
func slot(t *gocuda.Thread) int    { return blockOf(t)*sizeOf(t) + rankOf(t) }

func linear(size, i grid.Dim3) int { return i.X + size.X*(i.Y+size.Y*i.Z) }

// unlinear is the inverse of linear.
func unlinear(size grid.Dim3, i int) grid.Dim3 {
	x, y := max(size.X, 1), max(size.Y, 1)
	return grid.Dim3{X: i % x, Y: i / x % y, Z: i / x / y}
}

// mix makes a number out of three that looks random, from 0 to 2^31-1.
func mix(a, b, c int) int {
	h := uint64(a)*0x9e3779b97f4a7c15 ^ uint64(b)*0xbf58476d1ce4e5b9 ^ uint64(c)*0x94d049bb133111eb
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return int(h >> 33)
}

// A testDevice is a gocuda.Device and what it was opened with.
type testDevice struct {
	*gocuda.Device
	executor gocuda.Executor
	checked  bool
	order    gocuda.Order
	workers  int
	// The diagonal of orders and workers, numbered from 1, has each of them at least once.
	diagonal int
}

func (d *testDevice) String() string {
	mode := ""
	if d.checked {
		mode = ", checked"
	}
	return fmt.Sprintf("%v%s, %v, %d workers", d.executor, mode, d.order, d.workers)
}

func (d *testDevice) open(t testing.TB) {
	t.Helper()
	var err error
	d.Device, err = gocuda.NewDevice(gocuda.WithExecutor(d.executor), gocuda.WithChecked(d.checked),
		gocuda.WithBlockOrder(d.order), gocuda.WithWorkers(d.workers))
	require.NoError(t, err)
}

// openDevices opens a device with every combination of the settings, or those on the diagonal.
func openDevices(t *testing.T, diagonal bool) []*testDevice {
	var ds []*testDevice
	for _, checked := range []bool{false, true} {
		for _, e := range []gocuda.Executor{gocuda.ExecutorCoroutine, gocuda.ExecutorGoroutine} {
			for i, o := range []gocuda.Order{gocuda.NaturalOrder(), gocuda.ReversedOrder(), gocuda.ShuffledOrder(1), gocuda.ShuffledOrder(20260)} {
				for j, w := range []int{1, 2, 7} {
					d := &testDevice{executor: e, checked: checked, order: o, workers: w}
					if i%3 == j {
						d.diagonal = 1 + i
					}
					if d.diagonal > 0 || !diagonal {
						d.open(t)
						ds = append(ds, d)
					}
				}
			}
		}
	}
	t.Cleanup(func() {
		for _, d := range ds {
			assert.NoError(t, d.Close(), "%v: close", d)
		}
	})
	return ds
}

// launch is Launch with the watchdog. A device that hangs is replaced.
func (d *testDevice) launch(ctx context.Context, t testing.TB, cfg grid.Config, k gocuda.Kernel) error {
	t.Helper()
	done := make(chan error, 1)
	go func(dev *gocuda.Device) { done <- dev.Launch(ctx, cfg, k) }(d.Device)
	timer := time.NewTimer(watchdog)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		stacks := make([]byte, 1<<16)
		stacks = stacks[:runtime.Stack(stacks, true)]
		d.open(t)
		t.Fatalf("%v: the launch hangs\n%s", d, stacks)
		return nil
	}
}

// run launches a row's kernel and checks the result.
func (d *testDevice) run(t testing.TB, cfg grid.Config, fresh func(*gocuda.Device) (gocuda.Kernel, func() error)) error {
	t.Helper()
	kernel, check := fresh(d.Device)
	if err := d.launch(context.Background(), t, cfg, kernel); err != nil {
		return err
	}
	return check()
}

// runLess says to run less of everything.
func runLess() bool { return underRace || testing.Short() }

// chosen reports whether the nth row of the table runs its kth shape on d. One small shape of each
// row meets all combinations, which is another one from row to row. The rest meet, with each
// executor, one point of the diagonal, also another one from row to row; so do large shapes, in
// some of the rows. Where less is run, half of the small shapes are left out of a row, each of them
// in every second row.
func (d *testDevice) chosen(r row, nth, k int) bool {
	small := 0
	for small < len(r.shapes) && r.shapes[small].Threads() < 256 {
		small++
	}
	switch large := r.shapes[k].Threads() >= 256; {
	case small > 0 && k == nth%small:
		return d.diagonal > 0 || !runLess()
	case large && small > 0 && ((nth+k)%2 > 0 || runLess() && (nth+k)%4 > 0):
		return false
	case !large && runLess() && (nth/4+k)%2 > 0:
		return false
	default:
		return d.diagonal == 1+(nth+k)%4
	}
}

func TestConformance(t *testing.T) {
	devices := openDevices(t, false)
	for nth, r := range conformanceRows() {
		t.Run(r.name, func(t *testing.T) {
			for k, cfg := range r.shapes {
				fresh := r.prepare(cfg)
				for _, d := range devices {
					if !d.chosen(r, nth, k) {
						continue
					}
					assert.NoError(t, d.run(t, cfg, fresh), "%v: grid %v, block %v", d, cfg.Grid, cfg.Block)
				}
				if t.Failed() {
					return // the other shapes would say the same
				}
			}
		})
	}
}

// Launches of one device that run at the same time don't disturb each other.
func TestConformanceSideBySide(t *testing.T) {
	for _, d := range openDevices(t, true) {
		if d.workers == 1 {
			continue
		}
		var wg sync.WaitGroup
		table := conformanceRows()
		step := 2
		if runLess() {
			step = 9
		}
		for g := range 4 {
			wg.Go(func() {
				for i := range len(table) / step {
					r := table[(i*step+g*len(table)/4)%len(table)]
					cfg := r.shapes[(i+g)%len(r.shapes)]
					if cfg.Threads() > 100 {
						cfg = r.shapes[0]
					}
					kernel, check := r.prepare(cfg)(d.Device)
					err := d.Launch(context.Background(), cfg, kernel)
					if err == nil {
						err = check()
					}
					assert.NoError(t, err, "%v: %s: block %v", d, r.name, cfg.Block)
				}
			})
		}
		wg.Wait()
	}
}

// The default device, a stream, and a goroutine that is locked to its thread of the operating system
// run the same kernels.
func TestConformanceOfTheWaysToLaunch(t *testing.T) {
	dev := gocuda.Default()
	stream := dev.NewStream()
	defer stream.Close()
	urgent := dev.NewStreamWithPriority(-3)
	defer urgent.Close()
	ways := map[string]func(grid.Config, gocuda.Kernel) error{
		"default device": func(cfg grid.Config, k gocuda.Kernel) error {
			return gocuda.Launch(context.Background(), cfg, k)
		},
		"stream": func(cfg grid.Config, k gocuda.Kernel) error {
			if err := stream.Launch(cfg, k); err != nil {
				return err
			}
			return stream.Synchronize(context.Background())
		},
		"urgent stream": func(cfg grid.Config, k gocuda.Kernel) error {
			return errors.Join(urgent.Launch(cfg, k), urgent.Synchronize(context.Background()))
		},
		"with attributes": func(cfg grid.Config, k gocuda.Kernel) error {
			cfg.Timeout, cfg.Workers, cfg.Priority = time.Hour, 3, -1
			return dev.Launch(context.Background(), cfg, k)
		},
		"graph": func(cfg grid.Config, k gocuda.Kernel) error {
			err := errors.Join(stream.BeginCapture(gocuda.CaptureModeGlobal), stream.Launch(cfg, k))
			g, err2 := stream.EndCapture()
			if err := errors.Join(err, err2); err != nil {
				return err
			}
			x, err := g.Instantiate()
			if err != nil {
				return err
			}
			return errors.Join(x.Launch(stream), stream.Synchronize(context.Background()))
		},
		"locked thread": func(cfg grid.Config, k gocuda.Kernel) error {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			return dev.Launch(context.Background(), cfg, k)
		},
	}
	for name, launch := range ways {
		for i, r := range conformanceRows() {
			cfg := r.shapes[i%len(r.shapes)]
			if cfg.Threads() > 100 && runLess() {
				cfg = r.shapes[0]
			}
			kernel, check := r.prepare(cfg)(dev)
			err := launch(cfg, kernel)
			if err == nil {
				err = check()
			}
			assert.NoError(t, err, "%s: %s: block %v", name, r.name, cfg.Block)
		}
	}
}
