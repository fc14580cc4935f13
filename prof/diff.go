package prof

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Diff writes how the metrics of the kernels changed from one report to another.
func Diff(w io.Writer, before, after *Report) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if before.GPU.Name != after.GPU.Name {
		fmt.Fprintf(out, "The first report is for %s, the second for %s\n", before.GPU, after.GPU)
	}
	for _, k := range before.Kernels {
		other := after.find(k.Name)
		if other == nil {
			fmt.Fprintf(out, "%s\tis only in the first report\n", k.Name)
			continue
		}
		fmt.Fprintf(out, "%s\n", k.Name)
		same := true
		seen := map[string]bool{}
		for _, m := range k.Metrics() {
			seen[m.Nvprof] = true
			v, ok := other.Metric(m.Nvprof)
			switch {
			case !ok:
				fmt.Fprintf(out, "  %s\t%s\t->\tnone\n", m.Nvprof, figure(m.Value))
			case v != m.Value && m.Value != 0:
				fmt.Fprintf(out, "  %s\t%s\t->\t%s\t%+.1f %%\n", m.Nvprof, figure(m.Value), figure(v), 100*(v-m.Value)/m.Value)
			case v != m.Value:
				fmt.Fprintf(out, "  %s\t%s\t->\t%s\n", m.Nvprof, figure(m.Value), figure(v))
			default:
				continue
			}
			same = false
		}
		for _, m := range other.Metrics() {
			if !seen[m.Nvprof] {
				same = false
				fmt.Fprintf(out, "  %s\tnone\t->\t%s\n", m.Nvprof, figure(m.Value))
			}
		}
		if same {
			fmt.Fprintln(out, "  no change")
		}
	}
	for _, k := range after.Kernels {
		if before.find(k.Name) == nil {
			fmt.Fprintf(out, "%s\tis only in the second report\n", k.Name)
		}
	}
	return out.Flush()
}
