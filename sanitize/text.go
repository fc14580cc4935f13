package sanitize

import (
	"fmt"
	"io"
	"strings"
)

// A Report is what is printed of a run.
type Report struct {
	Findings   []Finding      `json:"findings"`
	Suppressed []Finding      `json:"suppressed,omitempty"`
	Left       int            `json:"notPrinted"` // findings beyond the limit
	Unseen     []string       `json:"packagesNotSeen"`
	Accesses   map[string]int `json:"accessesNotSeen,omitempty"` // in the source of each of these packages

	Hazards bool `json:"-"` // print the single hazards of races
	Groups  bool `json:"-"` // print races by their pairs of places
}

// Print writes a report as text, with the source lines, which source returns, and a summary.
func (r *Report) Print(w io.Writer, source func(Place) string) {
	p := printer{w: w, source: source}
	for _, f := range r.Findings {
		p.finding(r, f)
	}
	if p.hazards > 0 {
		fmt.Fprintf(w, "RACECHECK SUMMARY: %s displayed (%s, %s)\n", number(p.hazards, "hazard"), number(p.errs, "error"), number(p.warnings, "warning"))
	}
	if p.leaks > 0 {
		fmt.Fprintf(w, "LEAK SUMMARY: %d bytes leaked in %s\n", p.leaked, number(p.leaks, "allocation"))
	}
	if n := len(r.Suppressed); n > 0 {
		fmt.Fprintf(w, "%s suppressed\n", number(n, "finding"))
	}
	fmt.Fprintf(w, "ERROR SUMMARY: %s\n", number(p.others+p.errs+p.leaks, "error"))
	if r.Left > 0 {
		fmt.Fprintf(w, "%s not printed\n", number(r.Left, "finding"))
	}
	for _, u := range r.Unseen {
		fmt.Fprintf(w, "%s in package %s were not seen: it is in the module cache\n", number(r.Accesses[u], "access"), u)
	}
}

func number(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

type printer struct {
	w      io.Writer
	source func(Place) string

	hazards, errs, warnings int // races
	leaks, leaked           int
	others                  int // errors of other tools
}

func (p *printer) finding(r *Report, f Finding) {
	switch {
	case f.Tool == "race":
		p.hazards++
		switch f.Severity {
		case SeverityError:
			p.errs++
		case SeverityWarning:
			p.warnings++
		}
		if r.Groups || !r.Hazards {
			p.race(f)
		}
		if r.Hazards {
			for _, h := range f.Hazards {
				p.hazard(f, h)
			}
		}
	case f.Kind == "leak":
		p.leaks += f.Count
		p.leaked += f.Bytes
		fmt.Fprintf(p.w, "%s at %v\n", f.Text, f.First)
		p.show(f.First)
	default:
		if f.Severity == SeverityError {
			p.others += f.Count
		}
		p.other(f)
	}
}

func (p *printer) race(f Finding) {
	second := f.OtherKernel
	if second == "" {
		second = f.Kernel
	}
	fmt.Fprintf(p.w, "%v: Race reported between %s access at %s %v\n", f.Severity, f.Access[0], f.Kernel, f.First)
	p.show(f.First)
	fmt.Fprintf(p.w, "    and %s access at %s %v [%d hazards]\n", f.Access[1], second, f.Other, f.Count)
	p.show(f.Other)
	fmt.Fprintf(p.w, "    %s; first: %v and %v", f.Kind, f.Threads[0], f.Threads[1])
	if f.Where != "" {
		fmt.Fprintf(p.w, ", %s", f.Where)
	}
	fmt.Fprintf(p.w, "; %s\n", launches(f))
}

func launches(f Finding) string {
	switch {
	case f.OtherLaunch > 0 && f.Launch > 0:
		return fmt.Sprintf("launches %d and %d", f.Launch, f.OtherLaunch)
	case f.Launch+f.OtherLaunch > 0:
		return fmt.Sprintf("launch %d", f.Launch+f.OtherLaunch)
	}
	return "no launch"
}

func (p *printer) hazard(f Finding, h Hazard) {
	where := h.Where
	if where != "" {
		where = " at " + where
	}
	fmt.Fprintf(p.w, "%v: Potential %s hazard detected%s\n", f.Severity, h.Kind, where)
	fmt.Fprintf(p.w, "    %s by %v at %v\n    %s by %v at %v\n", f.Access[0], h.Threads[0], f.First, f.Access[1], h.Threads[1], f.Other)
}

func (p *printer) other(f Finding) {
	fmt.Fprintf(p.w, "%v: %s at %v", f.Severity, f.Text, f.First)
	if f.Kernel == "" || f.Kernel == "host" {
		fmt.Fprintln(p.w)
	} else if f.Kind == "unwritten" {
		fmt.Fprintf(p.w, "\n    kernel %s, launch %d, wrote to it\n", f.Kernel, f.Launch)
	} else {
		fmt.Fprintf(p.w, " by %v\n", f.Threads[0])
	}
	p.show(f.First)
	if f.Other.File != "" {
		fmt.Fprintf(p.w, "    %s %v\n", otherRole(f), f.Other)
		p.show(f.Other)
	}
	if f.Where != "" {
		fmt.Fprintf(p.w, "    %s\n", f.Where)
	}
	if f.Launch > 0 && f.Kind != "unwritten" {
		fmt.Fprintf(p.w, "    kernel %s, launch %d; %s, the last by %v\n", f.Kernel, f.Launch, number(f.Count, "time"), f.Threads[1])
	}
}

// otherRole says what the second place of a finding is.
func otherRole(f Finding) string {
	switch f.Kind {
	case "freed", "double-free":
		return "freed at"
	case "early", "unwritten":
		return "allocated at"
	}
	return "others at"
}

// show prints the line of a place and its expression.
func (p *printer) show(at Place) {
	if line := strings.TrimSpace(p.source(at)); line != "" {
		fmt.Fprintf(p.w, "        %s\n", line)
	}
	if at.Text != "" {
		fmt.Fprintf(p.w, "        %s\n", at.Text)
	}
}
