package gocuda_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func capability(major, minor int) gocuda.Capability {
	return gocuda.Capability{Major: major, Minor: minor}
}

func TestOccupancyOfPublishedExamples(t *testing.T) {
	const warps, blocks, regs, shared = gocuda.ResourceWarps, gocuda.ResourceBlocks, gocuda.ResourceRegisters, gocuda.ResourceShared
	for _, c := range []struct {
		major, minor          int
		threads, regs, shared int
		blocks                int
		percent               float64 // rounded, as the texts have it
		limit                 gocuda.Resource
		from                  string
	}{
		{1, 0, 256, 10, 4096, 3, 100, warps | regs, "Ryoo et al., PPoPP 2008, section 4"},
		{1, 0, 256, 11, 4096, 2, 67, regs, "Ryoo et al., PPoPP 2008, section 4"},
		{1, 1, 128, 12, 0, 5, 83, regs, "CUDA C Best Practices Guide 3.2, section 4.2"},
		{1, 1, 256, 12, 0, 2, 67, regs, "CUDA C Best Practices Guide 3.2, section 4.2"},
		{7, 0, 128, 37, 0, 12, 75, regs, "CUDA C++ Best Practices Guide 12, Calculating Occupancy"},
		{7, 0, 320, 37, 0, 4, 63, regs, "CUDA C++ Best Practices Guide 12, Calculating Occupancy"},
		{7, 0, 256, 32, 0, 8, 100, warps | regs, "the same: up to 32 registers for all 2048 threads"},
		{8, 0, 1024, 33, 0, 1, 50, regs, "33 registers are 1280 a warp; 48 warps fit, and not 64"},
		{8, 6, 1024, 32, 0, 1, 67, warps, "1536 threads a multiprocessor"},
		{9, 0, 256, 32, 48 << 10, 4, 50, shared, "49 KiB a block with the system's, of 228"},
		{9, 0, 32, 16, 0, 32, 50, blocks, "32 slots for blocks"},
		{2, 0, 192, 16, 0, 8, 100, warps | blocks, "1536 threads in 8 blocks, the guide's compute capability 2.x"},
		{5, 3, 1024, 64, 0, 0, 0, regs, "a block of Jetson TX1 has 32768 registers"},
		{5, 0, 1024, 64, 0, 1, 50, regs, "and 65536 elsewhere"},
		{8, 0, 128, 16, 163 << 10, 1, 6, shared, "all of the 164 KiB with the system's one"},
		{8, 0, 128, 16, 163<<10 + 1, 0, 0, shared, "and one byte more"},
		{3, 0, 128, 64, 0, 0, 0, regs, "63 registers are the most for a thread of 3.0"},
		{3, 5, 128, 64, 0, 8, 50, regs, "255 are since 3.5"},
		{1, 3, 513, 8, 0, 0, 0, warps, "512 threads a block"},
	} {
		name := fmt.Sprintf("%d.%d with %d threads, %d registers, %d bytes (%s)", c.major, c.minor, c.threads, c.regs, c.shared, c.from)
		o, err := capability(c.major, c.minor).Occupancy(c.threads, c.regs, c.shared)
		require.NoError(t, err)
		assert.Equal(t, c.blocks, o.Blocks, name)
		assert.Equal(t, c.percent, math.Round(100*o.Fraction()), name)
		assert.Equal(t, c.limit, o.LimitedBy, name)
		n, err := capability(c.major, c.minor).MaxActiveBlocks(c.threads, c.regs, c.shared)
		assert.NoError(t, err, "MaxActiveBlocks")
		assert.Equal(t, o.Blocks, n, "MaxActiveBlocks")
	}
}

// capabilities are the numbers of the guide's table "Technical Specifications per Compute
// Capability", with the units of the CUDA Occupancy Calculator's sheet "GPU Data". They are kept
// apart from the package's, to be compared.
var capabilities = []struct {
	cc                              string
	warps, blocks, regs, regsBlock  int // warps and blocks; registers in Ki
	regsThread                      int
	sharedSM, sharedBlock, reserved int // KiB
	regsUnit, parts, sharedUnit     int
}{
	{"1.0", 24, 8, 8, 8, 124, 16, 16, 0, 256, 2, 512},
	{"1.1", 24, 8, 8, 8, 124, 16, 16, 0, 256, 2, 512},
	{"1.2", 32, 8, 16, 16, 124, 16, 16, 0, 512, 2, 512},
	{"1.3", 32, 8, 16, 16, 124, 16, 16, 0, 512, 2, 512},
	{"2.0", 48, 8, 32, 32, 63, 48, 48, 0, 64, 2, 128},
	{"2.1", 48, 8, 32, 32, 63, 48, 48, 0, 64, 2, 128},
	{"3.0", 64, 16, 64, 64, 63, 48, 48, 0, 256, 4, 256},
	{"3.2", 64, 16, 64, 32, 255, 48, 48, 0, 256, 4, 256},
	{"3.5", 64, 16, 64, 64, 255, 48, 48, 0, 256, 4, 256},
	{"3.7", 64, 16, 128, 64, 255, 112, 48, 0, 256, 4, 256},
	{"5.0", 64, 32, 64, 64, 255, 64, 48, 0, 256, 4, 256},
	{"5.2", 64, 32, 64, 64, 255, 96, 48, 0, 256, 4, 256},
	{"5.3", 64, 32, 64, 32, 255, 64, 48, 0, 256, 4, 256},
	{"6.0", 64, 32, 64, 64, 255, 64, 48, 0, 256, 2, 256},
	{"6.1", 64, 32, 64, 64, 255, 96, 48, 0, 256, 4, 256},
	{"6.2", 64, 32, 64, 32, 255, 64, 48, 0, 256, 4, 256},
	{"7.0", 64, 32, 64, 64, 255, 96, 96, 0, 256, 4, 256},
	{"7.2", 64, 32, 64, 64, 255, 96, 96, 0, 256, 4, 256},
	{"7.5", 32, 16, 64, 64, 255, 64, 64, 0, 256, 4, 256},
	{"8.0", 64, 32, 64, 64, 255, 164, 163, 1, 256, 4, 128},
	{"8.6", 48, 16, 64, 64, 255, 100, 99, 1, 256, 4, 128},
	{"8.7", 48, 16, 64, 64, 255, 164, 163, 1, 256, 4, 128},
	{"8.9", 48, 24, 64, 64, 255, 100, 99, 1, 256, 4, 128},
	{"9.0", 64, 32, 64, 64, 255, 228, 227, 1, 256, 4, 128},
}

// The multiprocessor is filled block by block here, and warp by warp, until something runs out.
func TestOccupancyIsWhatFillsAMultiprocessor(t *testing.T) {
	all := gocuda.Capabilities()
	require.Len(t, all, len(capabilities))
	up := func(n, unit int) int {
		for n%unit != 0 {
			n++
		}
		return n
	}
	for i, m := range capabilities {
		c := all[i]
		assert.Equal(t, m.cc, c.String())
		maxThreads := 1024
		if c.Major == 1 {
			maxThreads = 512
		}
		fill := func(threads, regs, shared int) (blocks int) {
			warps := (threads + 31) / 32
			if threads > maxThreads || regs > m.regsThread || shared > m.sharedBlock<<10 {
				return 0
			}
			if c.Major > 1 && up(warps, m.parts)*up(32*regs, m.regsUnit) > m.regsBlock<<10 {
				return 0
			}
			slots, smem, file := m.warps, m.sharedSM<<10, m.regs<<10
			parts := make([]int, m.parts) // their shares of the file, which 1.x has in one piece
			for p := range parts {
				parts[p] = file / m.parts
			}
			for turn := 0; blocks < m.blocks; blocks++ {
				if slots -= warps; slots < 0 {
					return
				}
				if smem -= up(shared+m.reserved<<10, m.sharedUnit); smem < 0 {
					return
				}
				if c.Major == 1 {
					if file -= up(up(warps, 2)*32*regs, m.regsUnit); file < 0 {
						return
					}
					continue
				}
				for range warps { // to each part in turn
					p := turn % m.parts
					if parts[p] -= up(32*regs, m.regsUnit); parts[p] < 0 {
						return
					}
					turn++
				}
			}
			return
		}
		for _, threads := range []int{1, 31, 32, 33, 64, 96, 100, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 511, 512, 513, 640, 768, 992, 1024, 1025, math.MaxInt} {
			for _, regs := range []int{0, 1, 2, 7, 8, 9, 10, 11, 16, 20, 21, 24, 31, 32, 33, 37, 40, 63, 64, 65, 80, 96, 124, 125, 128, 160, 255, 256, math.MaxInt} {
				for _, shared := range []int{0, 1, 127, 128, 129, 512, 513, 1000, 2048, 4096, 5000, 8192, 12345, 16384, 16385, 24 << 10, 32 << 10, 48 << 10, 48<<10 + 1, 64 << 10, 99 << 10, 227 << 10, 228 << 10, math.MaxInt} {
					o, err := c.Occupancy(threads, regs, shared)
					require.NoError(t, err)
					want := fill(threads, regs, shared)
					if o.Blocks != want || o.MaxWarps != m.warps || want > 0 && o.Warps != want*((threads+31)/32) {
						t.Fatalf("%v with %d threads, %d registers, %d bytes: %+v, want %d blocks", c, threads, regs, shared, o, want)
					}
					if least := min(o.ByWarps, o.ByBlocks, o.ByRegisters, o.ByShared); o.Blocks != least || o.LimitedBy == 0 {
						t.Fatalf("%v with %d threads, %d registers, %d bytes: %+v does not say why", c, threads, regs, shared, o)
					}
				}
			}
		}
	}
}

func TestMaxPotentialBlockSizeIsTheBestOfAll(t *testing.T) {
	perThread := func(bytes int) func(int) int { return func(threads int) int { return bytes * threads } }
	for _, c := range gocuda.Capabilities() {
		for _, regs := range []int{0, 10, 21, 32, 37, 63} {
			for name, shared := range map[string]func(int) int{"none": nil, "8 a thread": perThread(8), "64 a thread": perThread(64),
				"a tile": func(int) int { return 10 << 10 }} {
				for _, limit := range []int{0, 1, 32, 100, 256, 500, 2000} {
					blocks, threads, err := c.MaxPotentialBlockSize(regs, shared, limit)
					require.NoError(t, err)
					most, best := 0, 0
					for n := 1; n <= 1024 && (limit == 0 || n <= limit); n++ {
						if n%32 != 0 && n != limit {
							continue
						}
						bytes := 0
						if shared != nil {
							bytes = shared(n)
						}
						k, err := c.MaxActiveBlocks(n, regs, bytes)
						require.NoError(t, err)
						if k*n >= most && k > 0 {
							most, best = k*n, n
						}
					}
					assert.Equal(t, best, threads, "%v, %d registers, %s, limit %d: threads of a block", c, regs, name, limit)
					assert.Equal(t, most, blocks*threads, "%v, %d registers, %s, limit %d: threads", c, regs, name, limit)
				}
			}
		}
	}
	// cudaOccupancyMaxPotentialBlockSize on a V100 with few registers: 2048 threads in blocks of 1024.
	blocks, threads, err := capability(7, 0).MaxPotentialBlockSize(16, nil, 0)
	assert.Equal(t, 2, blocks, "V100")
	assert.Equal(t, 1024, threads, "V100")
	assert.NoError(t, err, "V100")
	blocks, threads, err = capability(7, 0).MaxPotentialBlockSize(256, nil, 0)
	assert.Zero(t, blocks, "with 256 registers nothing fits")
	assert.Zero(t, threads, "with 256 registers nothing fits")
	assert.NoError(t, err, "with 256 registers nothing fits")
}

func TestOccupancyOfWrongArguments(t *testing.T) {
	boom := errors.New("boom")
	v100 := capability(7, 0)
	blocks := func(_, _ int, err error) error { return err }
	only := func(_ gocuda.Occupancy, err error) error { return err }
	dev := openDevice(t, gocuda.WithGeneration(gocuda.Volta))
	var none *gocuda.Device
	ten := grid.Linear(10, 10)
	for name, c := range map[string]struct{ err, want error }{
		"no threads":            {only(v100.Occupancy(0, 1, 0)), gocuda.ErrInvalidValue},
		"negative threads":      {only(v100.Occupancy(-1, 1, 0)), gocuda.ErrInvalidValue},
		"negative registers":    {only(v100.Occupancy(1, -1, 0)), gocuda.ErrInvalidValue},
		"negative shared":       {only(v100.Occupancy(1, 1, -1)), gocuda.ErrInvalidValue},
		"capability 4.0":        {only(capability(4, 0).Occupancy(1, 1, 0)), gocuda.ErrInvalidValue},
		"capability 0.0":        {blocks(gocuda.Capability{}.MaxPotentialBlockSize(1, nil, 0)), gocuda.ErrInvalidValue},
		"negative limit":        {blocks(v100.MaxPotentialBlockSize(1, nil, -1)), gocuda.ErrInvalidValue},
		"negative result":       {blocks(v100.MaxPotentialBlockSize(1, func(int) int { return -1 }, 0)), gocuda.ErrInvalidValue},
		"panic":                 {blocks(v100.MaxPotentialBlockSize(1, func(int) int { panic(boom) }, 0)), boom},
		"nil device":            {only(none.Occupancy(ten, 1)), gocuda.ErrInvalidResourceHandle},
		"nil device, potential": {blocks(none.MaxPotentialBlockSize(1, nil, 0)), gocuda.ErrInvalidResourceHandle},
		"invalid launch":        {only(dev.Occupancy(grid.Linear(10, 2000), 1)), gocuda.ErrInvalidConfiguration},
		"registers of a device": {only(dev.Occupancy(ten, -1)), gocuda.ErrInvalidValue},
	} {
		assert.ErrorIs(t, c.err, c.want, name)
	}
}

func TestOccupancyOfDevices(t *testing.T) {
	cfg := grid.Linear(1<<20, 256)
	cfg.SharedBytes = 48 << 10
	for _, c := range []struct {
		gen    gocuda.Generation
		regs   int
		blocks int
	}{{gocuda.Hopper, 32, 4}, {gocuda.Volta, 32, 2}, {gocuda.GK110, 32, 1}, {gocuda.Host, 1000, 1}} {
		dev := openDevice(t, gocuda.WithGeneration(c.gen))
		n, err := dev.MaxActiveBlocks(cfg, c.regs)
		assert.Equal(t, c.blocks, n, c.gen)
		assert.NoError(t, err, c.gen)
		p := dev.Properties()
		blocks, threads, err := dev.MaxPotentialBlockSize(16, nil, 0)
		assert.NoError(t, err, c.gen)
		assert.Zero(t, blocks%p.MultiProcessorCount, "%v: %d blocks of %d threads", c.gen, blocks, threads)
		assert.Equal(t, p.MultiProcessorCount*p.MaxThreadsPerMultiProcessor, blocks*threads, "%v: %d blocks of %d threads", c.gen, blocks, threads)
	}
}

func ExampleCapability_Occupancy() {
	g80 := gocuda.Capability{Major: 1, Minor: 0}
	for _, regs := range []int{10, 11} { // the matrix multiplication of Ryoo et al., and one register more
		o, err := g80.Occupancy(256, regs, 4096)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d registers: %d blocks, %.0f %%, limited by %v\n", regs, o.Blocks, 100*o.Fraction(), o.LimitedBy)
	}
	// Output:
	// 10 registers: 3 blocks, 100 %, limited by warps, registers
	// 11 registers: 2 blocks, 67 %, limited by registers
}
