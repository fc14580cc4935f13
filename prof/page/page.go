// Package page writes a report of the profiler as one web page: launches with their limits and
// roofline, the source with counts a line, and pictures of accesses, banks, buffers and lanes. The
// page has no scripts and loads nothing. It is light or dark as the browser is.
package page

import (
	_ "embed" // for the template
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/prof"
	"github.com/gocuda/gocuda/sanitize"
	findings "github.com/gocuda/gocuda/sanitize/page"
)

//go:embed page.html
var text string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"number": number,
}).Parse(text))

// Write writes the page. Sources are read from the files that the report names, relative to root;
// those that can't be read are shown by the expressions alone. found is what the sanitizer has
// found in the same kernels, or nil if it has not run.
func Write(w io.Writer, r *prof.Report, found *sanitize.Report, root string) error {
	v := view{Report: r, Sanitized: found != nil}
	if found != nil {
		var err error
		if v.Style, v.Findings, err = findings.Part(found, root); err != nil {
			return err
		}
	}
	for i, k := range r.Kernels {
		kv := kernelView{Kernel: k, ID: fmt.Sprint("k", i+1), Advice: k.Advise(), Metrics: k.Metrics()}
		for _, l := range k.Launches {
			lv, err := launchOf(r.GPU, l)
			if err != nil {
				return err
			}
			kv.Launches = append(kv.Launches, lv)
		}
		kv.Sources = sourcesOf(r.GPU, k, root)
		v.Kernels = append(v.Kernels, kv)
	}
	return page.Execute(w, v)
}

// A view is what the template shows.
type view struct {
	Report  *prof.Report
	Kernels []kernelView

	Sanitized bool
	Style     template.CSS
	Findings  template.HTML
}

type kernelView struct {
	*prof.Kernel
	ID       string
	Advice   []prof.Advice
	Metrics  []prof.Metric
	Launches []launchView
	Sources  []sourceView
}

// Efficiencies are the figures of the table of kernels.
func (k kernelView) Efficiencies() []string {
	percent := func(has bool, v float64) string {
		if !has {
			return "–"
		}
		return number(v) + " %"
	}
	return []string{
		percent(k.Requests("load", prof.SpaceGlobal) > 0, k.LoadEfficiency()),
		percent(k.Requests("store", prof.SpaceGlobal) > 0, k.StoreEfficiency()),
		strconv.Itoa(k.BankConflicts()),
		percent(k.Branches() > 0, k.BranchEfficiency()),
		percent(true, k.WarpExecutionEfficiency()),
	}
}

type launchView struct {
	*prof.Launch
	GPU      prof.GPU
	Limits   []limit
	Full     string // the occupancy
	Bounds   []bound
	Limiter  string // of the model
	Time     string
	Roofline template.HTML
	Roof     string // what the roofline says, in words
	Maps     []siteMaps
	Heat     []heatMap
	Mask     maskMap
}

// A bound is one of the model's.
type bound struct {
	Name, Time string
	Binds      bool
}

// A limit is what a resource allows.
type limit struct {
	Resource string
	Blocks   string
	Binds    bool
}

func launchOf(g prof.GPU, l *prof.Launch) (launchView, error) {
	v := launchView{Launch: l, GPU: g}
	if o, err := l.Occupancy(g); err != nil {
		v.Full = err.Error()
	} else {
		v.Full = fmt.Sprintf("%s %%: %d of %d warps in %d blocks on a multiprocessor, limited by %v", number(100*o.Fraction()), o.Warps, o.MaxWarps, o.Blocks, o.LimitedBy)
		for _, r := range []struct {
			name string
			n    int
		}{{"warps", o.ByWarps}, {"blocks", o.ByBlocks}, {"registers", o.ByRegisters}, {"shared memory", o.ByShared}} {
			blocks := "no limit"
			if r.n != math.MaxInt {
				blocks = strconv.Itoa(r.n)
			}
			v.Limits = append(v.Limits, limit{r.name, blocks, r.n == o.Blocks})
		}
	}
	m, err := l.Model(g)
	if err == nil {
		v.Limiter, v.Time = m.Limiter, fmt.Sprintf("%.3g µs", 1e6*m.Seconds)
		for _, b := range m.Bounds() {
			v.Bounds = append(v.Bounds, bound{b.Name, fmt.Sprintf("%.3g µs", 1e6*b.Seconds), b.Name == m.Limiter})
		}
	}
	if v.Roofline, v.Roof, err = roofline(g, l); err != nil {
		return v, err
	}
	for _, s := range l.Sites {
		if len(s.Samples) > 0 {
			v.Maps = append(v.Maps, mapsOf(g, s))
		}
	}
	for _, b := range l.Buffers {
		v.Heat = append(v.Heat, heatOf(b))
	}
	v.Mask = maskOf(l.Steps)
	return v, nil
}

// number prints a figure with as many decimals as it needs, at most two.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
