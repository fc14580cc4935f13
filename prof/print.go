package prof

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Sections are the parts of a printed report.
var Sections = []string{"advice", "sites", "instructions", "branches", "memory", "atomics", "shared", "constant", "texture", "barriers", "occupancy", "model"}

// Print writes the report as text. Only the given sections and metrics are printed; all if there
// are none.
func (r *Report) Print(w io.Writer, sections, metrics []string) error {
	wants := func(s string) bool {
		return len(metrics) == 0 && (len(sections) == 0 || slices.Contains(sections, s))
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "Counts for %s\n", r.GPU)
	for _, k := range r.Kernels {
		fmt.Fprintf(out, "\n%s\n", k.Name)
		for _, l := range k.Launches {
			fmt.Fprintf(out, "  %s\n", l)
		}
		if wants("advice") {
			for _, a := range k.Advise() {
				mark := "!"
				if a.Good {
					mark = "+"
				}
				fmt.Fprintf(out, "  %s %s\n", mark, a.Text)
			}
		}
		if wants("sites") {
			k.printSites(out)
		}
		for _, m := range k.Metrics() {
			if wants(m.Section) || slices.Contains(metrics, m.Nvprof) || slices.Contains(metrics, m.Compute) {
				fmt.Fprintf(out, "  %s\t%s\t%s\n", m.Nvprof, figure(m.Value)+unitOf(m.Unit), m.Compute)
			}
		}
		if wants("instructions") {
			fmt.Fprintf(out, "  operations by class, of the source and not SASS:\t%s\n", k.classes())
		}
		if wants("occupancy") {
			k.printOccupancy(out)
		}
		if wants("model") {
			k.printModel(out)
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(out, "\n%s\n", n)
	}
	return out.Flush()
}

func unitOf(u string) string {
	if u == "" {
		return ""
	}
	return " " + u
}

// figure prints a number with two decimals if it is not whole.
func figure(v float64) string {
	if v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

func (g GPU) String() string {
	if g.Name == g.Capability.String() {
		return "compute capability " + g.Name
	}
	return fmt.Sprintf("%s, compute capability %v", g.Name, g.Capability)
}

func (l *Launch) String() string {
	s := fmt.Sprintf("%d x grid %v, block %v: %d threads in %d warps", l.Count, l.Grid, l.Block, l.Threads, l.Warps)
	if l.Count == 1 {
		s = strings.TrimPrefix(s, "1 x ")
	}
	if l.Sampled < l.Blocks {
		s += fmt.Sprintf("; %d of %d blocks were looked at, and the counts are of these", l.Sampled, l.Blocks)
	}
	return s
}

func (k *Kernel) classes() string {
	all := map[string]int{}
	for _, l := range k.Launches {
		for class, n := range l.Ops {
			all[class] += n
		}
	}
	var parts []string
	for _, class := range sortedKeys(all) {
		parts = append(parts, fmt.Sprintf("%s %d", class, all[class]))
	}
	return strings.Join(parts, ", ")
}

func sortedKeys(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (k *Kernel) printSites(w io.Writer) {
	for _, l := range k.Launches {
		if len(k.Launches) > 1 {
			fmt.Fprintf(w, "  sites of grid %v, block %v\n", l.Grid, l.Block)
		}
		for _, s := range l.Sites {
			fmt.Fprintf(w, "  %s:%d\t%s\t%s\t%s\n", s.File, s.Line, strings.TrimSpace(s.Space+" "+s.Kind), s.Text, s.figures(k.gpu))
		}
	}
}

// figures says what a site did.
func (s *Site) figures(g GPU) string {
	f := fmt.Sprintf("%d requests, %s lanes", s.Requests, number(ratio(s.Lanes, s.Requests)))
	switch {
	case s.Space == SpaceGlobal:
		t := s.Traffic(g)
		f += fmt.Sprintf(", %s %s a request, %d bytes moved of %d asked for", number(ratio(t.Transactions, s.Requests)), g.Unit(s.Kind != "load"), t.Bytes, s.Bytes)
	case s.Space == SpaceShared:
		p := s.Passes(g)
		f += fmt.Sprintf(", %d passes, %d by conflicts", p.Passes, p.Passes-p.Ideal)
	case s.Space == SpaceConstant:
		f += fmt.Sprintf(", %d reads", s.Constant[g.constantRule()])
	case s.IsBranch():
		f = fmt.Sprintf("%d branches, %d divergent, %s lanes", s.Requests, s.Divergent, number(ratio(s.Lanes, s.Requests)))
	}
	if s.Kind == "atomic" {
		f += fmt.Sprintf(", %s addresses and at most %s lanes at one", number(ratio(s.Addresses, s.Requests)), number(ratio(s.Most, s.Requests)))
	}
	return f
}

func (k *Kernel) printOccupancy(w io.Writer) {
	for _, l := range k.Launches {
		o, err := l.Occupancy(k.gpu)
		if err != nil {
			fmt.Fprintf(w, "  occupancy:\t%v\n", err)
			continue
		}
		regs := "registers not counted"
		if l.Registers > 0 {
			regs = fmt.Sprintf("%d registers a thread", l.Registers)
		}
		fmt.Fprintf(w, "  theoretical occupancy of block %v:\t%s %%, %d of %d warps in %d blocks, limited by %v (%d bytes of shared memory, %s)\n",
			l.Block, number(100*o.Fraction()), o.Warps, o.MaxWarps, o.Blocks, o.LimitedBy, l.SharedBytes, regs)
	}
}

func (k *Kernel) printModel(w io.Writer) {
	for _, l := range k.Launches {
		m, err := l.Model(k.gpu)
		if err != nil {
			fmt.Fprintf(w, "  model:\t%s\n", strings.TrimPrefix(err.Error(), "prof: "))
			continue
		}
		fmt.Fprintf(w, "  model, %s, of a launch of grid %v, block %v:\t%s, limited by %s\n", k.gpu.Name, l.Grid, l.Block, duration(m.Seconds), m.Limiter)
		var bounds []string
		for _, b := range m.Bounds() {
			bounds = append(bounds, b.Name+" "+duration(b.Seconds))
		}
		fmt.Fprintf(w, "    bounds:\t%s\n", strings.Join(bounds, ", "))
		if m.Flops > 0 {
			fmt.Fprintf(w, "    roofline:\t%.3g GFLOPS at %.3g operations a byte of device memory\n", m.GFLOPS, m.Intensity)
		}
	}
}

// duration prints a time with three digits.
func duration(s float64) string {
	switch {
	case s >= 1:
		return fmt.Sprintf("%.3g s", s)
	case s >= 1e-3:
		return fmt.Sprintf("%.3g ms", 1e3*s)
	}
	return fmt.Sprintf("%.3g us", 1e6*s)
}

// WriteJSON writes the report in the form that [ReadFile] reads.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteCSV writes the metrics, a line each.
func (r *Report) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"kernel", "section", "nvprof", "nsight compute", "value", "unit"}); err != nil {
		return err
	}
	for _, k := range r.Kernels {
		for _, m := range k.Metrics() {
			if err := c.Write([]string{k.Name, m.Section, m.Nvprof, m.Compute, strconv.FormatFloat(m.Value, 'g', -1, 64), m.Unit}); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}
