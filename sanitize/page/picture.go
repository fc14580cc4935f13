package page

import (
	"fmt"
	"strings"

	"github.com/gocuda/gocuda/sanitize"
)

// A picture shows two threads, the cell, and what is missing between their accesses. Time goes down.
type picture struct {
	Threads [2]string
	Steps   [2]step // the earlier one first
	Cell    string
	Missing string
	Caption string
}

// A step is an access of one of the threads.
type step struct {
	Right bool // by the second thread
	Word  string
	Text  string
	Place string
	Write bool
	Y     int
}

// X is where the box of the step begins, in units of the template.
func (s step) X() int {
	if s.Right {
		return 470
	}
	return 20
}

// Edge is the side of the box that the cell is on.
func (s step) Edge() int {
	if s.Right {
		return 470
	}
	return 250
}

// Side is the side of the cell that the box is on.
func (s step) Side() int {
	if s.Right {
		return 430
	}
	return 290
}

func draw(f sanitize.Finding, g gap) *picture {
	p := &picture{Cell: f.Where, Missing: "nothing orders them"}
	if p.Cell == "" {
		p.Cell = "one cell"
	}
	places := [2]sanitize.Place{f.First, f.Other}
	for i := range 2 {
		p.Threads[i] = f.Threads[i].String()
		p.Steps[i] = step{
			Right: i == 1, Word: f.Access[i], Write: f.Access[i] != "Read", Text: places[i].Text, Place: short(places[i]), Y: 60 + 130*i,
		}
	}
	if g.Round { // the first place is reached again
		p.Steps[0].Place += " (next round)"
		p.Steps[0], p.Steps[1] = p.Steps[1], p.Steps[0]
		p.Steps[0].Y, p.Steps[1].Y = p.Steps[1].Y, p.Steps[0].Y
	}
	switch {
	case g.Round:
		p.Missing = fmt.Sprintf("%s is missing after line %d", g.Call, g.After)
	case g.After > 0:
		p.Missing = fmt.Sprintf("%s is missing between lines %d and %d", g.Call, g.After, g.Before)
	case g.Call != "":
		p.Missing = g.Call + " is missing"
	}
	who := func(s step) string {
		if s.Right {
			return p.Threads[1]
		}
		return p.Threads[0]
	}
	p.Caption = fmt.Sprintf("%s: %s by %s at %s, %s by %s at %s; %s", p.Cell,
		strings.ToLower(p.Steps[0].Word), who(p.Steps[0]), p.Steps[0].Place,
		strings.ToLower(p.Steps[1].Word), who(p.Steps[1]), p.Steps[1].Place, p.Missing)
	return p
}
