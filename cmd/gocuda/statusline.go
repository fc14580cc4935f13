package main

import (
	"fmt"
	"io"
	"time"
)

// A statusLine shows what is being done. On a terminal that is one line, which is drawn again and
// again and goes when there is something else to print. Elsewhere, in a file or a pipe, it is a
// line for each part of the work, and one now and then.
type statusLine struct {
	w        io.Writer
	terminal bool
	shown    bool
	part     int // of the line before
	next     time.Time
	now      func() time.Time
}

// pause is how long nothing is said of the same part of the work, where there is no terminal.
const pause = 10 * time.Second

func newStatusLine(w io.Writer) *statusLine {
	return &statusLine{w: w, terminal: isTerminal(w), part: -1, now: time.Now}
}

// show says what is being done, in the part of the work with that number.
func (s *statusLine) show(part int, what string) {
	if s.terminal {
		fmt.Fprintf(s.w, "\r\x1b[K%s", what) // back to the start of the line, which is erased
		s.shown = true
		return
	}
	if now := s.now(); part != s.part || !now.Before(s.next) {
		fmt.Fprintln(s.w, what)
		s.part, s.next = part, now.Add(pause)
	}
}

// clear takes the line away.
func (s *statusLine) clear() {
	if s.shown {
		fmt.Fprint(s.w, "\r\x1b[K")
		s.shown = false
	}
}

// roughly prints a time that is only an estimate.
func roughly(d time.Duration) string {
	if d < time.Minute {
		return max(time.Second, d.Round(time.Second)).String()
	}
	return d.Round(10 * time.Second).String()
}
