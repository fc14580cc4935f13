package bench

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
)

// A RyooRow is a line of table 3 of Ryoo et al., Optimization Principles and Application
// Performance Evaluation of a Multithreaded GPU Using CUDA (PPoPP 2008): an application on a
// GeForce 8800 GTX, against one core of an Opteron 248 of 2.2 GHz.
type RyooRow struct {
	Name       string  // the paper's
	Workload   string  // ours, of [Workloads] or [Applications]
	Threads    int     // at once on the 16 multiprocessors
	Registers  int     // of a thread
	Shared     float64 // bytes of shared memory a thread
	Ratio      float64 // of the cycles of global memory to those of computation
	Bottleneck string
	Speedup    float64 // of the kernel
}

// RyooTable returns table 3, in its order.
func RyooTable() []RyooRow {
	return []RyooRow{
		{"Mat Mul", "matmul-tiled", 12288, 9, 8.1, 0.276, "instruction issue", 7},
		{"H.264", "sad", 3936, 30, 55.1, 0.006, "register file, cache latencies", 20.2},
		{"LBM", "lbm", 3200, 32, 84.2, 0.415, "shared memory capacity", 12.5},
		{"RC5-72", "rc5", 3072, 42, 0.3, 0, "instruction issue", 17.1},
		{"FEM", "fem", 4096, 18, 61, 1.135, "global memory bandwidth", 11},
		{"RPES", "rpes", 4096, 23, 24.8, 0.01, "instruction issue", 210},
		{"PNS", "pns", 2048, 32, 9.9, 0.241, "global memory capacity", 24},
		{"SAXPY", "saxpy", 12288, 7, 0.3, 0.375, "global memory bandwidth", 19.4},
		{"TPACF", "tpacf", 4096, 24, 52.2, 0.0002, "shared memory capacity", 60.2},
		{"FDTD", "fdtd", 12288, 11, 8.1, 0.516, "global memory bandwidth", 10.5},
		{"MRI-Q", "mriq", 8192, 11, 20.1, 0.008, "instruction issue", 457},
		{"MRI-FHD", "mrifhd", 8192, 12, 20.1, 0.006, "instruction issue", 316},
		{"CP", "cp", 6144, 20, 0.4, 0.0005, "instruction issue", 102},
	}
}

// ryooMultiprocessors is how many the GeForce 8800 GTX has.
const ryooMultiprocessors = 16

// Blocks returns the block sizes, in threads, with which the multiprocessors of capability 1.0 have
// as many threads at once as the paper says, by [gocuda.Capability.Occupancy], and the largest
// number of threads at once with any block size. There are none if the row contradicts the limits
// that the paper gives: 8192 registers, 16 KiB of shared memory, 768 threads and 8 blocks a
// multiprocessor.
func (r RyooRow) Blocks() (blocks []int, most int, err error) {
	for threads := 1; threads <= 512; threads++ {
		o, err := gocuda.Capability{Major: 1}.Occupancy(threads, r.Registers, int(math.Round(r.Shared*float64(threads))))
		if err != nil {
			return nil, 0, err
		}
		n := o.Blocks * threads * ryooMultiprocessors
		if n == r.Threads {
			blocks = append(blocks, threads)
		}
		most = max(most, n)
	}
	return blocks, most, nil
}

// WriteRyoo prints table 3 with the speed-up of the executor simd over serial beside the paper's,
// as far as results has them; of a workload with several sizes the last one counts.
func WriteRyoo(w io.Writer, results []Result) error {
	ratio := ratios(results)
	ours := map[string]string{}
	for _, r := range results {
		if v, ok := ratio(r, Serial); ok && r.Executor == SIMD {
			ours[r.Workload] = digits(v)
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%-8s %-13s %8s %8s  %7s %9s %7s %7s  %-31s %s\n", "", "", "speed-up", "speed-up", "", "shared B", "threads", "memory/", "", "blocks with as many threads")
	fmt.Fprintf(&out, "%-8s %-13s %8s %8s  %7s %9s %7s %7s  %-31s %s\n", "paper", "workload", "paper", "here", "regs", "a thread", "at once", "compute", "bottleneck", "at once, by the calculator")
	for _, r := range RyooTable() {
		blocks, most, err := r.Blocks()
		if err != nil {
			return err
		}
		sizes := strings.Trim(fmt.Sprint(blocks), "[]")
		if len(blocks) == 0 {
			sizes = fmt.Sprintf("none: with %d registers and %g bytes a thread, %d fit at most", r.Registers, r.Shared, most)
		}
		here := ours[r.Workload]
		if here == "" {
			here = "-"
		}
		fmt.Fprintf(&out, "%-8s %-13s %8.4g %8s  %7d %9.4g %7d %7.4g  %-31s %s\n", r.Name, r.Workload, r.Speedup, here, r.Registers, r.Shared, r.Threads, r.Ratio, r.Bottleneck, sizes)
	}
	_, err := io.WriteString(w, out.String())
	return err
}
