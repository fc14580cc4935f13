// Package timeline notes when a program's launches, blocks and copies ran, and how much device
// memory was in use, for `gocuda trace`. It is off, and costs a comparison, unless the environment
// names a folder to write to.
package timeline

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

// Variable is the environment variable with the folder into which each process writes a file.
const Variable = "GOCUDA_TRACE"

// Pattern is the names of the files: comma-separated values, a line for each [Event].
const Pattern = "timeline-*.csv"

// The kinds of events.
const (
	Launch = "launch"
	Blocks = "blocks"
	Copy   = "copy" // or a fill
	Memory = "memory"
)

// The tracks of what belongs to no stream or worker. Their events may overlap.
const (
	Host   = "host"
	Caller = "caller" // blocks on the goroutine that launched
)

// An Event is something that took from Begin to End, in nanoseconds since 1970.
type Event struct {
	Kind       string
	Track      string
	Name       string
	Begin, End int64
	Grid       string // of launches
	Block      string
	From, To   int   // of blocks: the first one, and the one after the last, in the order in which they begin
	Bytes      int64 // of a copy, or in use
}

const fields = 10

func (e *Event) record() []string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return []string{
		e.Kind, e.Track, e.Name, number(e.Begin), number(e.End), e.Grid, e.Block, number(int64(e.From)), number(int64(e.To)), number(e.Bytes),
	}
}

// mostBlocks is how many events of blocks a process writes: a program that runs for long would fill
// the disk.
const mostBlocks = 1 << 20

var (
	on    bool
	start time.Time

	mu      sync.Mutex
	file    *os.File
	waiting bytes.Buffer // events of blocks, until something ends that they are a part of
	blocks  int
)

// Track returns the track of the stream whose work the calling goroutine does, else Host. Package
// gocuda sets it.
var Track = func() string { return Host }

func init() {
	folder := os.Getenv(Variable)
	if folder == "" {
		return
	}
	f, err := os.CreateTemp(folder, Pattern)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", Variable, err))
	}
	file, start, on = f, time.Now(), true
}

// On reports whether events are noted.
func On() bool { return on }

// Now returns the time, in nanoseconds since 1970, by a clock that is never set back.
func Now() int64 { return start.UnixNano() + int64(time.Since(start)) }

// Add notes an event, whose End is set to now.
func Add(e Event) {
	e.End = Now()
	line := e.record()
	mu.Lock()
	defer mu.Unlock()
	if e.Kind == Blocks {
		if blocks++; blocks > mostBlocks {
			return
		}
	}
	w := csv.NewWriter(&waiting) // writing to memory does not fail
	_ = w.Write(line)
	w.Flush()
	if e.Kind == Blocks && waiting.Len() < 1<<16 {
		return
	}
	// A program may exit without notice, so that what has been noted must be in the file.
	if _, err := waiting.WriteTo(file); err != nil {
		panic(fmt.Sprintf("gocuda trace: %v", err))
	}
}
