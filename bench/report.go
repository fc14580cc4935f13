package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// ratios returns a function that compares a figure with that of another executor for the same
// workload and size: above 1 is better, whether the figure is a speed or a time. It is not ok if
// there is none.
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
	for _, wl := range everyWorkload() {
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

// ratioBases are the executors to which others are compared.
var ratioBases = []string{Serial, Goroutines, OpenMP, OpenCL}

// A Table prints figures as they come, with the ratio of each to those of serial, goroutines,
// openmp and opencl, as far as there are such, of the same workload and size: above 1 is better.
type Table struct {
	w     io.Writer
	bases []string
	err   error
}

// columns are those of all tables before the ratios, with their widths: of the longest names, and
// of numbers that are as long.
var columns = []struct {
	name  string
	width int
}{{"workload", 12}, {"size", 9}, {"executor", 10}, {"workers", 7}, {"figure", 9}, {"unit", 7}}

// NewTable prints the heading of a table of the given executors.
func NewTable(w io.Writer, executors []string) *Table {
	t := &Table{w: w}
	var heading []any
	for _, c := range columns {
		heading = append(heading, c.name)
	}
	for _, base := range ratioBases {
		if slices.Contains(executors, base) {
			t.bases = append(t.bases, base)
			heading = append(heading, "vs "+base)
		}
	}
	t.line(append(heading, "verified"))
	return t
}

// line prints a line of the table, unless one before could not be printed.
func (t *Table) line(cells []any) {
	var s strings.Builder
	for i, cell := range cells {
		width := len("verified")
		switch {
		case i < len(columns):
			width = columns[i].width
		case i < len(columns)+len(t.bases):
			width = len("vs ") + len(t.bases[i-len(columns)])
		}
		fmt.Fprintf(&s, "  %*v", width, cell)
	}
	if t.err == nil {
		_, t.err = fmt.Fprintln(t.w, s.String()[2:])
	}
}

// Add prints the figures of a workload and size. The error is of the first line that could not be
// printed.
func (t *Table) Add(results []Result) error {
	ratio := ratios(results)
	for _, r := range results {
		size, verified := "-", "yes"
		if r.Size > 0 {
			size = fmt.Sprint(r.Size)
		}
		if !r.Verified {
			verified = "NO"
		}
		cells := []any{r.Workload, size, r.Executor, r.Workers, digits(r.Value), r.Unit}
		for _, base := range t.bases {
			if x, ok := ratio(r, base); ok {
				cells = append(cells, fmt.Sprintf("%.3g", x))
			} else {
				cells = append(cells, "-")
			}
		}
		t.line(append(cells, verified))
	}
	return t.err
}

// digits writes a figure with four digits, or with all before the point.
func digits(v float64) string {
	if v >= 1e4 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}
