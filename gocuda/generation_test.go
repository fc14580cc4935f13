package gocuda_test

import (
	"context"
	"errors"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// generations are the numbers of the CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability", and of each GPU's data sheet. Grids of devices of compute capability 1.x have two
// dimensions, so their z is 1.
var generations = []struct {
	gen          gocuda.Generation
	name         string // a part of the GPU's name
	major, minor int

	gridX, gridZ            int
	blockXY, threads        int
	shared, optIn, sharedSM int // KiB
	regs                    int // of a block and of a multiprocessor
	threadsSM, blocksSM     int
	sms, cores              int // multiprocessors, and lanes of each
	l2                      int // KiB
}{
	{gocuda.G80, "8800 GTX", 1, 0, 65535, 1, 512, 512, 16, 16, 16, 8 << 10, 768, 8, 16, 8, 0},
	{gocuda.GT200, "GTX 280", 1, 3, 65535, 1, 512, 512, 16, 16, 16, 16 << 10, 1024, 8, 30, 8, 0},
	{gocuda.Fermi, "GTX 480", 2, 0, 65535, 65535, 1024, 1024, 48, 48, 48, 32 << 10, 1536, 8, 15, 32, 768},
	{gocuda.GK104, "GTX 680", 3, 0, math.MaxInt32, 65535, 1024, 1024, 48, 48, 48, 64 << 10, 2048, 16, 8, 192, 512},
	{gocuda.GK110, "K40", 3, 5, math.MaxInt32, 65535, 1024, 1024, 48, 48, 48, 64 << 10, 2048, 16, 15, 192, 1536},
	{gocuda.Volta, "V100", 7, 0, math.MaxInt32, 65535, 1024, 1024, 48, 96, 96, 64 << 10, 2048, 32, 80, 64, 6144},
	{gocuda.GA100, "A100", 8, 0, math.MaxInt32, 65535, 1024, 1024, 48, 163, 164, 64 << 10, 2048, 32, 108, 64, 40960},
	{gocuda.GA102, "RTX 3090", 8, 6, math.MaxInt32, 65535, 1024, 1024, 48, 99, 100, 64 << 10, 1536, 16, 82, 128, 6144},
	{gocuda.Hopper, "H100", 9, 0, math.MaxInt32, 65535, 1024, 1024, 48, 227, 228, 64 << 10, 2048, 32, 132, 128, 51200},
}

func TestGenerationsHaveTheGuidesNumbers(t *testing.T) {
	require.Len(t, gocuda.Generations(), len(generations)+1)
	assert.Equal(t, gocuda.Host, gocuda.Generations()[0])
	for _, g := range generations {
		t.Run(g.gen.String(), func(t *testing.T) {
			p := openDevice(t, gocuda.WithGeneration(g.gen)).Properties()
			assert.Equal(t, g.gen, p.Generation)
			assert.Contains(t, p.Name, g.name)
			for _, c := range []struct {
				what      string
				got, want any
			}{
				{"Major", p.Major, g.major},
				{"Minor", p.Minor, g.minor},
				{"WarpSize", p.WarpSize, 32},
				{"MaxThreadsPerBlock", p.MaxThreadsPerBlock, g.threads},
				{"MaxThreadsDim", p.MaxThreadsDim, grid.Dim3{X: g.blockXY, Y: g.blockXY, Z: 64}},
				{"MaxGridSize", p.MaxGridSize, grid.Dim3{X: g.gridX, Y: 65535, Z: g.gridZ}},
				{"SharedMemPerBlock", p.SharedMemPerBlock, g.shared << 10},
				{"SharedMemPerBlockOptin", p.SharedMemPerBlockOptin, g.optIn << 10},
				{"SharedMemPerMultiprocessor", p.SharedMemPerMultiprocessor, g.sharedSM << 10},
				{"RegsPerBlock", p.RegsPerBlock, g.regs},
				{"RegsPerMultiprocessor", p.RegsPerMultiprocessor, g.regs},
				{"MaxThreadsPerMultiProcessor", p.MaxThreadsPerMultiProcessor, g.threadsSM},
				{"MaxBlocksPerMultiProcessor", p.MaxBlocksPerMultiProcessor, g.blocksSM},
				{"MultiProcessorCount", p.MultiProcessorCount, g.sms},
				{"CoresPerMultiprocessor", p.CoresPerMultiprocessor, g.cores},
				{"L2CacheSize", p.L2CacheSize, g.l2 << 10},
			} {
				assert.Equal(t, c.want, c.got, c.what)
			}
			// What a GPU pretends to be does not change what runs the kernels.
			host := gocuda.Default().Properties()
			assert.Equal(t, host.Host.Name, p.Host.Name, "the host")
			assert.Equal(t, host.Workers, p.Workers, "the host")
			l := p.Limits()
			assert.Equal(t, p.MaxThreadsPerBlock, l.MaxThreadsPerBlock)
			assert.Equal(t, p.MaxThreadsDim, l.MaxThreadsDim)
			assert.Equal(t, p.MaxGridSize, l.MaxGridSize)
			assert.Equal(t, p.SharedMemPerBlock, l.SharedPerBlock)
			assert.Equal(t, p.SharedMemPerBlockOptin, l.SharedPerBlockOptIn)
		})
	}
}

// Every limit is a wall: what stands at it is accepted, one more is refused with the limit's own error.
func TestLimitsAreEnforcedAtTheBoundary(t *testing.T) {
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for _, g := range generations {
		t.Run(g.gen.String(), func(t *testing.T) {
			dev := openDevice(t, gocuda.WithGeneration(g.gen))
			one := grid.Dim3{X: 1}
			oddY := map[int]int{512: 19, 1024: 25}[g.threads] // 27*19 is 513, 41*25 is 1025
			for _, c := range []struct {
				name     string
				at, over grid.Config
				want     []error // any of these for over
			}{
				{"threads", grid.Config{Grid: one, Block: grid.Dim3{X: g.threads / 2, Y: 2}},
					grid.Config{Grid: one, Block: grid.Dim3{X: (g.threads + 1) / oddY, Y: oddY}},
					[]error{gocuda.ErrMaxThreadsPerBlock}},
				{"block x", grid.Config{Grid: one, Block: grid.Dim3{X: g.blockXY}},
					grid.Config{Grid: one, Block: grid.Dim3{X: g.blockXY + 1}},
					[]error{gocuda.ErrMaxThreadsDim, gocuda.ErrMaxThreadsPerBlock}}, // it is both
				{"block y", grid.Config{Grid: one, Block: grid.Dim3{X: 1, Y: g.blockXY}},
					grid.Config{Grid: one, Block: grid.Dim3{X: 1, Y: g.blockXY + 1}},
					[]error{gocuda.ErrMaxThreadsDim, gocuda.ErrMaxThreadsPerBlock}},
				{"block z", grid.Config{Grid: one, Block: grid.Dim3{X: 1, Y: 1, Z: 64}},
					grid.Config{Grid: one, Block: grid.Dim3{X: 1, Y: 1, Z: 65}},
					[]error{gocuda.ErrMaxThreadsDim}},
				{"grid y", grid.Config{Grid: grid.Dim3{X: 1, Y: 65535}, Block: one},
					grid.Config{Grid: grid.Dim3{X: 1, Y: 65536}, Block: one},
					[]error{gocuda.ErrMaxGridSize}},
				{"grid z", grid.Config{Grid: grid.Dim3{X: 1, Y: 1, Z: g.gridZ}, Block: one},
					grid.Config{Grid: grid.Dim3{X: 1, Y: 1, Z: g.gridZ + 1}, Block: one},
					[]error{gocuda.ErrMaxGridSize}},
				{"shared", grid.Config{Grid: one, Block: one, SharedBytes: g.shared << 10},
					grid.Config{Grid: one, Block: one, SharedBytes: g.shared<<10 + 1},
					[]error{gocuda.ErrSharedMemPerBlock}},
				{"shared, opt-in", grid.Config{Grid: one, Block: one, SharedBytes: g.optIn << 10, SharedOptIn: true},
					grid.Config{Grid: one, Block: one, SharedBytes: g.optIn<<10 + 1, SharedOptIn: true},
					[]error{gocuda.ErrSharedMemPerBlock}},
			} {
				if c.at.Blocks() > 1 { // that it is accepted can be seen without running all of them
					assert.ErrorIs(t, dev.LaunchFunc(stopped, c.at, func(*gocuda.Thread) {}), context.Canceled, "%s at the limit", c.name)
				} else {
					threads := 0
					assert.NoError(t, dev.Launch(context.Background(), c.at, gocuda.BlockFunc(func(b *gocuda.Block) {
						threads = b.Size()
					})), "%s at the limit", c.name)
					assert.Equal(t, c.at.Threads(), threads, "%s at the limit", c.name)
				}
				refused(t, dev, c.name, c.over, c.want...)
			}
			whole := grid.Config{Grid: grid.Dim3{X: g.gridX, Y: 65535, Z: g.gridZ}, Block: one}
			want := context.Canceled
			if strconv.IntSize == 32 { // the number of its blocks is no int
				want = gocuda.ErrMaxGridSize
			}
			assert.ErrorIs(t, dev.LaunchFunc(stopped, whole, func(*gocuda.Thread) {}), want, "grid at the limit")
			refused(t, dev, "grid x", grid.Config{Grid: grid.Dim3{X: g.gridX + 1}, Block: one}, gocuda.ErrMaxGridSize)
		})
	}
}

// refused checks that dev refuses cfg with one of the errors in want, before anything runs.
func refused(t *testing.T, dev *gocuda.Device, name string, cfg grid.Config, want ...error) {
	t.Helper()
	err := dev.LaunchFunc(context.Background(), cfg, func(*gocuda.Thread) { t.Errorf("%s over the limit ran", name) })
	ok := false
	for _, w := range want {
		ok = ok || errors.Is(err, w)
	}
	assert.True(t, ok, "%s over the limit", name)
	assert.ErrorIs(t, err, gocuda.ErrInvalidConfiguration, "%s over the limit", name)
}

func TestSharedArraysCountAgainstTheLimit(t *testing.T) {
	for _, exec := range executors {
		dev := openDevice(t, gocuda.WithGeneration(gocuda.G80), gocuda.WithExecutor(exec))
		use := func(dynamic, static int) error {
			return dev.LaunchFunc(context.Background(), grid.Config{
				Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 64}, SharedBytes: dynamic,
			}, func(t *gocuda.Thread) {
				gocuda.Shared[byte](t, static)[t.Rank()] = 1
			})
		}
		require.NoError(t, use(0, 16<<10))
		require.NoError(t, use(8<<10, 8<<10))
		for _, c := range [][2]int{{0, 16<<10 + 1}, {8 << 10, 8<<10 + 1}, {16 << 10, 64}, {0, math.MaxInt}} {
			err := use(c[0], c[1])
			var ke *gocuda.KernelError
			assert.ErrorIs(t, err, gocuda.ErrSharedMemPerBlock, "%v: %d dynamic and %d static bytes of 16 KiB", exec, c[0], c[1])
			assert.ErrorAs(t, err, &ke, "%v: %d dynamic and %d static bytes of 16 KiB", exec, c[0], c[1])
		}
		assert.Error(t, use(0, -1), "%v: a shared array of negative length", exec)
		require.NoError(t, use(0, 16<<10)) // and the device is none the worse for it
	}
}

// A grid need not be walked, or even be numbered, to fail in its first block.
func TestHugeGridsCanFail(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("such grids are refused, since their blocks can't be numbered by an int")
	}
	boom := errors.New("boom")
	huge := grid.Config{Grid: grid.Dim3{X: math.MaxInt32, Y: 65535, Z: 65535}, Block: grid.Dim3{X: 1}}
	for _, order := range []gocuda.Order{gocuda.NaturalOrder(), gocuda.ReversedOrder(), gocuda.ShuffledOrder(3)} {
		for _, workers := range []int{1, 2, 5} {
			dev := openDevice(t, gocuda.WithBlockOrder(order), gocuda.WithWorkers(workers))
			finishes(t, "a launch that fails at once", func() {
				err := dev.Launch(context.Background(), huge, gocuda.BlockFunc(func(b *gocuda.Block) { panic(boom) }))
				var ke *gocuda.KernelError
				assert.ErrorIs(t, err, boom, order)
				if !assert.ErrorAs(t, err, &ke, order) {
					return
				}
				i := ke.BlockIdx
				assert.True(t, i.X >= 0 && i.X < math.MaxInt32 && i.Y >= 0 && i.Y < 65535 && i.Z >= 0 && i.Z < 65535, "%v: block %v failed", order, i)
			})
		}
	}
}
