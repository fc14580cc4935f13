package bench

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Table writes results as a table, with the ratio of each figure to those of serial and goroutines of the
// same workload and size: above 1 is better.
func Table(w io.Writer, results []Result) error {
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
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "workload\tsize\texecutor\tworkers\tfigure\tunit\tvs serial\tvs goroutines\tverified\t")
	for _, r := range results {
		ratio := func(to string) string {
			base, ok := value[key{r.Workload, r.Size, to}]
			if !ok || base == 0 || r.Value == 0 {
				return "-"
			}
			if less[r.Workload] {
				return fmt.Sprintf("%.3g", base/r.Value)
			}
			return fmt.Sprintf("%.3g", r.Value/base)
		}
		size := "-"
		if r.Size > 0 {
			size = fmt.Sprint(r.Size)
		}
		verified := "yes"
		if !r.Verified {
			verified = "NO"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%.4g\t%s\t%s\t%s\t%s\t\n",
			r.Workload, size, r.Executor, r.Workers, r.Value, r.Unit, ratio(Serial), ratio(Goroutines), verified)
	}
	return t.Flush()
}
