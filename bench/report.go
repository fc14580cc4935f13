package bench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// ratios returns a function that compares a figure with that of another executor for the same workload and
// size: above 1 is better, whether the figure is a speed or a time. It is not ok if there is none.
func ratios(results []Result) func(r Result, to string) (ratio float64, ok bool) {
	type key struct {
		workload string
		size     int
		executor string
	}
	value := map[key]float64{}
	for _, r := range results {
		value[key{r.Workload, r.Size, r.Executor}] = r.Value
	}
	less := map[string]bool{}
	for _, wl := range Workloads() {
		less[wl.Name] = wl.Less
	}
	return func(r Result, to string) (float64, bool) {
		base := value[key{r.Workload, r.Size, to}]
		if base == 0 || r.Value == 0 {
			return 0, false
		}
		if less[r.Workload] {
			return base / r.Value, true
		}
		return r.Value / base, true
	}
}

// Table writes results as a table, with the ratio of each figure to those of serial, goroutines, openmp and
// opencl, as far as there are such, of the same workload and size: above 1 is better.
func Table(w io.Writer, results []Result) error {
	ratio := ratios(results)
	var bases []string
	for _, base := range []string{Serial, Goroutines, OpenMP, OpenCL} {
		if slices.ContainsFunc(results, func(r Result) bool { return r.Executor == base }) {
			bases = append(bases, base)
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "workload\tsize\texecutor\tworkers\tfigure\tunit\t")
	for _, base := range bases {
		fmt.Fprintf(t, "vs %s\t", base)
	}
	fmt.Fprintln(t, "verified\t")
	for _, r := range results {
		size := "-"
		if r.Size > 0 {
			size = fmt.Sprint(r.Size)
		}
		verified := "yes"
		if !r.Verified {
			verified = "NO"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%s\t", r.Workload, size, r.Executor, r.Workers, digits(r.Value), r.Unit)
		for _, base := range bases {
			if x, ok := ratio(r, base); ok {
				fmt.Fprintf(t, "%.3g\t", x)
			} else {
				fmt.Fprint(t, "-\t")
			}
		}
		fmt.Fprintf(t, "%s\t\n", verified)
	}
	return t.Flush()
}

// digits writes a figure with four digits, or with all before the point.
func digits(v float64) string {
	if v >= 1e4 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}
