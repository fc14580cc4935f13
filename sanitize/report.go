package sanitize

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/grid"
)

// A Severity says how bad a finding is.
type Severity int

// The severities: a race whose result can't differ, a race within a warp, and everything else.
const (
	SeverityInfo Severity = iota + 1
	SeverityWarning
	SeverityError
)

func (s Severity) String() string {
	return [...]string{"", "Info", "Warning", "Error"}[max(0, min(s, SeverityError))]
}

// A Place is a place of the source.
type Place struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"column,omitempty"`
	Text string `json:"text,omitempty"` // the expression
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// A Thread is a thread of a launch.
type Thread struct {
	Block  grid.Dim3 `json:"block"`
	Thread grid.Dim3 `json:"thread"`
	Host   bool      `json:"host,omitempty"` // no thread, but the host or a copy
}

func (t Thread) String() string {
	if t.Host {
		return "the host"
	}
	return fmt.Sprintf("thread (%d,%d,%d) in block (%d,%d,%d)",
		t.Thread.X, t.Thread.Y, t.Thread.Z, t.Block.X, t.Block.Y, t.Block.Z)
}

// A Finding is what a tool has found in a launch, at one place or at a pair of them.
type Finding struct {
	Tool     string    `json:"tool"` // race, init, sync, mem
	Kind     string    `json:"kind"` // of races: RAW, WAR, WAW by the order of the two places in the program
	Severity Severity  `json:"severity"`
	Kernel   string    `json:"kernel,omitempty"`
	Launch   int       `json:"launch,omitempty"` // from 1
	Count    int       `json:"count"`            // of races: distinct bytes; else how often
	Text     string    `json:"message,omitempty"`
	First    Place     `json:"first"`
	Other    Place     `json:"other"`
	Access   [2]string `json:"access"`          // of races: what is done at the places
	Threads  [2]Thread `json:"threads"`         // of races: the first pair; else the first and the last thread
	Where    string    `json:"where,omitempty"` // what memory it is, of the first

	OtherKernel string   `json:"otherKernel,omitempty"` // of a race between launches: that of the second place
	OtherLaunch int      `json:"otherLaunch,omitempty"`
	Hazards     []Hazard `json:"hazards,omitempty"` // in hazard mode
}

// A Hazard is one byte that two threads race for.
type Hazard struct {
	Kind    string    `json:"kind"`
	Where   string    `json:"where,omitempty"`
	Threads [2]Thread `json:"threads"`
}

// Read returns the findings of the processes that wrote to a folder. Those of the same places in several launches are one.
func Read(folder string) ([]Finding, error) {
	files, err := filepath.Glob(filepath.Join(folder, "findings*"))
	if err != nil {
		return nil, err
	}
	type key struct {
		tool, kind, kernel, text string
		first, other             Place
	}
	all := map[key]*Finding{}
	var found []*Finding
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		live := map[string]Finding{}
		in := bufio.NewScanner(file)
		in.Buffer(nil, 1<<24)
		for in.Scan() {
			var f Finding
			if err := json.Unmarshal(in.Bytes(), &f); err != nil {
				return nil, err
			}
			if f.Tool == "leak" {
				if f.Kind == "alloc" {
					live[f.Text] = f
				} else {
					delete(live, f.Text)
				}
				continue
			}
			k := key{f.Tool, f.Kind, f.Kernel, f.Text, f.First, f.Other}
			if old := all[k]; old != nil {
				old.Count += f.Count
				old.Severity = max(old.Severity, f.Severity)
				continue
			}
			all[k] = &f
			found = append(found, &f)
		}
		if err := in.Err(); err != nil {
			return nil, err
		}
		if err := file.Close(); err != nil {
			return nil, err
		}
		for _, f := range live {
			found = append(found, &Finding{Tool: "mem", Kind: "leak", Severity: SeverityError, Count: 1, First: f.First,
				Text: fmt.Sprintf("Leaked %d bytes", f.Count)})
		}
	}
	slices.SortStableFunc(found, func(f, g *Finding) int {
		return cmp.Or(strings.Compare(f.Tool, g.Tool), strings.Compare(f.First.File, g.First.File), f.First.Line-g.First.Line,
			f.First.Col-g.First.Col, strings.Compare(f.Other.File, g.Other.File), f.Other.Line-g.Other.Line, f.Other.Col-g.Other.Col,
			strings.Compare(f.Kernel, g.Kernel), strings.Compare(f.Text, g.Text))
	})
	var out []Finding
	for _, f := range found {
		out = append(out, *f)
	}
	return out, nil
}

// Print writes findings as text, with their source lines, which source returns, and a summary.
func Print(w io.Writer, findings []Finding, source func(Place) string) {
	var hazards, errs, warnings, leaked, leaks, all int
	for _, f := range findings {
		switch f.Tool {
		case "race":
			hazards++
			switch f.Severity {
			case SeverityError:
				errs++
			case SeverityWarning:
				warnings++
			}
			fmt.Fprintf(w, "%v: Race reported between %s access at %s %v\n", f.Severity, f.Access[0], f.Kernel, f.First)
			show(w, f.First, source)
			fmt.Fprintf(w, "    and %s access at %s %v [%d hazards]\n", f.Access[1], f.Kernel, f.Other, f.Count)
			show(w, f.Other, source)
			fmt.Fprintf(w, "    %s; first: %v and %v, launch %d\n", f.Kind, f.Threads[0], f.Threads[1], f.Launch)
		default:
			if f.Kind == "leak" {
				n := 0
				fmt.Sscanf(f.Text, "Leaked %d bytes", &n)
				leaked += n
				leaks++
				fmt.Fprintf(w, "%s at %v\n", f.Text, f.First)
				continue
			}
			all += f.Count
			fmt.Fprintf(w, "Error: %s at %v by %v\n", f.Text, f.First, f.Threads[0])
			show(w, f.First, source)
			fmt.Fprintf(w, "    kernel %s, launch %d; %d times, the last by %v\n", f.Kernel, f.Launch, f.Count, f.Threads[1])
		}
	}
	if hazards > 0 {
		fmt.Fprintf(w, "RACECHECK SUMMARY: %d hazards displayed (%d errors, %d warnings)\n", hazards, errs, warnings)
	}
	if leaks > 0 {
		fmt.Fprintf(w, "LEAK SUMMARY: %d bytes leaked in %d allocations\n", leaked, leaks)
	}
	fmt.Fprintf(w, "ERROR SUMMARY: %d errors\n", all+errs+leaks)
}

func show(w io.Writer, p Place, source func(Place) string) {
	if line := strings.TrimSpace(source(p)); line != "" {
		fmt.Fprintf(w, "        %s\n", line)
	}
	if p.Text != "" {
		fmt.Fprintf(w, "        %s\n", p.Text)
	}
}
