package sanitize

import (
	"fmt"

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

// String returns Info, Warning or Error.
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

// String returns the file and the line.
func (p Place) String() string {
	if p.File == "" {
		return "an unknown place"
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// A Thread is a thread of a launch.
type Thread struct {
	Block  grid.Dim3 `json:"block"`
	Thread grid.Dim3 `json:"thread"`
	Host   bool      `json:"host,omitempty"` // no thread, but the host or a copy
}

// String names the thread as compute-sanitizer does.
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
	Launch   int       `json:"launch,omitempty"` // from 1, among those of its kernel
	Count    int       `json:"count"`            // of races: distinct bytes; else how often
	Bytes    int       `json:"bytes,omitempty"`  // of leaks and unused memory
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
