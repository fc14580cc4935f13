package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/cli"
)

// devicesCommand prints the properties of the host, and a table of the GPUs whose limits it can take.
func devicesCommand(args []string, stdout, stderr io.Writer) int {
	if status, ok := cli.ParseAlone(noFlags("devices"), args, stdout, stderr); !ok {
		return status
	}
	printDevice(stdout, gocuda.Default().Properties())
	fmt.Fprintln(stdout, "\nLimits that a device can be opened with (gocuda.WithGeneration):")
	t := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "generation\tcompute\tSMs\tthreads/block\tblock max\tgrid max\tshared/block\topt-in\tregs/SM\tmemory\tGB/s\tGFLOPS\t")
	for _, g := range gocuda.Generations() {
		d, err := gocuda.NewDevice(gocuda.WithGeneration(g))
		if err != nil {
			fmt.Fprintln(stderr, "gocuda devices:", err)
			return 1
		}
		p := d.Properties()
		fmt.Fprintf(t, "%v\t%d.%d\t%d\t%d\t%v\t%v\t%s\t%s\t%d\t%s\t%s\t%s\t\n", g, p.Major, p.Minor, p.MultiProcessorCount,
			p.MaxThreadsPerBlock, p.MaxThreadsDim, p.MaxGridSize,
			byteSize(int64(p.SharedMemPerBlock)), byteSize(int64(p.SharedMemPerBlockOptin)), p.RegsPerMultiprocessor,
			byteSize(p.TotalGlobalMem), figure(p.PeakBandwidth()/1e9), figure(p.PeakFlops()/1e9))
		if err := d.Close(); err != nil {
			fmt.Fprintln(stderr, "gocuda devices:", err)
			return 1
		}
	}
	if err := t.Flush(); err != nil {
		fmt.Fprintln(stderr, "gocuda devices:", err)
		return 1
	}
	return 0
}

// figure prints a number, or a dash if it is unknown.
func figure(x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", x)
}

// printDevice prints what is known of the host.
func printDevice(w io.Writer, p gocuda.Properties) {
	h := p.Host
	fmt.Fprintf(w, "device      %s\n", p.Name)
	fmt.Fprintf(w, "workers     %d (%d cores, %d logical processors)\n", p.Workers, h.Cores, h.Threads)
	fmt.Fprintf(w, "memory      %s\n", byteSize(p.TotalGlobalMem))
	fmt.Fprintf(w, "caches      L1 %s, L2 %s a core, L3 %s, lines of %d bytes\n",
		byteSize(int64(h.L1D)), byteSize(int64(h.L2)), byteSize(int64(h.L3)), h.CacheLine)
	fmt.Fprintf(w, "vectors     %s\n", strings.Join(h.Features, " "))
	fmt.Fprintf(w, "limits      %d threads a block, block %v, grid %v, shared memory %s a block (%s by opt-in)\n",
		p.MaxThreadsPerBlock, p.MaxThreadsDim, p.MaxGridSize,
		byteSize(int64(p.SharedMemPerBlock)), byteSize(int64(p.SharedMemPerBlockOptin)))
}

// byteSize formats a size in the largest binary unit of which it has at least one.
func byteSize(n int64) string {
	if n <= 0 {
		return "unknown"
	}
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	f, u := float64(n), 0
	for f >= 1024 && u < len(units)-1 {
		f /= 1024
		u++
	}
	return fmt.Sprintf("%.4g %s", f, units[u])
}
