package bench

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A Figure is a figure of Nickolls and Kirk, Graphics and Computing GPUs, as a sweep over sizes.
type Figure struct {
	Name   string // as B.7.6
	Title  string
	X      string // what a size is
	Unit   string // of the speed
	Sizes  []int
	Quick  []int // the sizes with Options.Quick
	Curves []Curve
	// Points are the numbers that the text gives. Most of what its figures show, it gives as curves
	// only.
	Points []FigurePoint
	Notes  []string // what the text says of its curves
	// remark says what ours are in the terms of a note; it may be nil.
	remark func(points []SweepPoint) string
}

// A Curve is a way to solve the problem of a figure.
type Curve struct {
	Name string
	// Most is the largest size that is run, beyond which it takes too long; 0 for any.
	Most int
	// one says that one worker runs it.
	one bool
	// setup makes the problem of a size, of which the executor named curve is run. quick is
	// Options.Quick.
	setup func(e env, n int, quick bool) *problem
}

// curve is the executor of the problems of curves.
const curve = "curve"

// A FigurePoint is a number of the text.
type FigurePoint struct {
	Size  int // 0 if the text says none
	Value float64
	What  string
}

// A SweepPoint is a measured point of a figure. It is a line of the report in JSON.
type SweepPoint struct {
	Figure   string  `json:"figure"`
	Curve    string  `json:"curve"`
	Size     int     `json:"size"`
	Workers  int     `json:"workers"`
	Value    float64 `json:"value"`
	Unit     string  `json:"unit"`
	Verified bool    `json:"verified"`
}

// FindFigure returns the figure with a name.
func FindFigure(name string) (*Figure, error) {
	all := Figures()
	var names []string
	for i := range all {
		if strings.EqualFold(all[i].Name, name) {
			return &all[i], nil
		}
		names = append(names, all[i].Name)
	}
	return nil, fmt.Errorf("there is no figure %q; there are %s", name, strings.Join(names, ", "))
}

// Run measures all curves and calls report with each point. Of o the sizes, Quick, Workers, Runs
// and Progress count; so does Skipped, which is called for what takes too long. It stops at the
// first error; a wrong result is one.
func (f *Figure) Run(ctx context.Context, o Options, report func(SweepPoint)) error {
	sizes := f.Sizes
	if o.Quick {
		sizes = f.Quick
	}
	if len(o.Sizes) > 0 {
		sizes = o.Sizes
	}
	o = o.withDefaults(runtime.GOMAXPROCS(0))
	e, err := newEnv(ctx, o.Workers)
	if err != nil {
		return err
	}
	defer e.close()
	most := 2 * time.Second // of a point: there are many
	if o.Quick {
		most = 200 * time.Millisecond
	}
	for i, n := range sizes {
		for _, c := range f.Curves {
			o.Progress(Progress{Done: i, Total: len(sizes), What: fmt.Sprintf("%s, size %d", c.Name, n)})
			if c.Most > 0 && n > c.Most {
				o.Skipped(f.Name, n, c.Name, "takes too long")
				continue
			}
			p := c.setup(e, n, o.Quick)
			if p.err != nil {
				return fmt.Errorf("figure %s, %s, size %d: %w", f.Name, c.Name, n, p.err)
			}
			var t timing
			if err := p.time(ctx, curve, &t, o.Runs, most); err != nil {
				return fmt.Errorf("figure %s, %s, size %d: %w", f.Name, c.Name, n, err)
			}
			workers := o.Workers
			if c.one {
				workers = 1
			}
			report(SweepPoint{f.Name, c.Name, n, workers, p.amount[curve] / t.best.Seconds(), f.Unit, true})
			runtime.GC()
		}
	}
	o.Progress(Progress{Done: len(sizes), Total: len(sizes)})
	return nil
}

// Write prints the points as a table, a line for each size, and below it what the text says.
func (f *Figure) Write(w io.Writer, points []SweepPoint) error {
	var out strings.Builder
	fmt.Fprintf(&out, "figure %s: %s, in %s\n\n%-12s", f.Name, f.Title, f.Unit, f.X)
	for _, c := range f.Curves {
		fmt.Fprintf(&out, "  %*s", len(c.Name), c.Name)
	}
	fmt.Fprintln(&out)
	for _, n := range sizesOf(points) {
		fmt.Fprintf(&out, "%-12d", n)
		for _, c := range f.Curves {
			cell := "-"
			if i := slices.IndexFunc(points, func(p SweepPoint) bool { return p.Curve == c.Name && p.Size == n }); i >= 0 {
				cell = digits(points[i].Value)
			}
			fmt.Fprintf(&out, "  %*s", len(c.Name), cell)
		}
		fmt.Fprintln(&out)
	}
	fmt.Fprintln(&out, "\nthe text:")
	for _, p := range f.Points {
		at := ""
		if p.Size > 0 {
			at = fmt.Sprintf(" at %d", p.Size)
		}
		fmt.Fprintf(&out, "  %s%s: %.4g %s\n", p.What, at, p.Value, f.Unit)
	}
	for _, note := range f.Notes {
		fmt.Fprintln(&out, "  "+note)
	}
	if f.remark != nil {
		if r := f.remark(points); r != "" {
			fmt.Fprintln(&out, "here:\n  "+r)
		}
	}
	fmt.Fprintf(&out, "verified: the results of all %d points\n", len(points))
	_, err := io.WriteString(w, out.String())
	return err
}

// sizesOf returns the sizes of points, each once, in order.
func sizesOf(points []SweepPoint) (sizes []int) {
	for _, p := range points {
		sizes = append(sizes, p.Size)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// ratioOf returns the geometric mean of one curve over another, over the sizes from least on that
// both have; 0 if there are none.
func ratioOf(points []SweepPoint, over, under string, least int) float64 {
	sum, count := 0.0, 0
	for _, p := range points {
		for _, q := range points {
			if p.Curve == over && q.Curve == under && p.Size == q.Size && p.Size >= least {
				sum += math.Log(p.Value / q.Value)
				count++
			}
		}
	}
	if count == 0 {
		return 0
	}
	return math.Exp(sum / float64(count))
}
