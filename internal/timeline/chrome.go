package timeline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Read returns the events of each process that wrote to a folder, those of a process in the order
// in which they begin.
func Read(folder string) ([][]Event, error) {
	names, err := filepath.Glob(filepath.Join(folder, Pattern))
	if err != nil {
		return nil, err
	}
	var all [][]Event
	for _, n := range names {
		events, err := readFile(n)
		if err != nil {
			return nil, err
		}
		if len(events) > 0 {
			all = append(all, events)
		}
	}
	slices.SortFunc(all, func(a, b []Event) int { return cmp.Compare(a[0].Begin, b[0].Begin) })
	return all, nil
}

func readFile(name string) (events []Event, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for d := json.NewDecoder(f); ; {
		var e Event
		switch err := d.Decode(&e); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // a process that was killed has not written its last line
			slices.SortStableFunc(events, func(a, b Event) int { return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(b.End, a.End)) })
			return events, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		events = append(events, e)
	}
}

// A chromeEvent is an event of the format of Chrome's trace viewer, which Perfetto reads ("Trace
// Event Format", 2016). Times are in microseconds.
type chromeEvent struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	Time  float64        `json:"ts"`
	Dur   *float64       `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	Args  map[string]any `json:"args,omitempty"`
}

// WriteChrome writes the events of processes as JSON that Perfetto and chrome://tracing show.
func WriteChrome(w io.Writer, processes [][]Event) error {
	var out []chromeEvent
	var zero int64
	if len(processes) > 0 {
		zero = processes[0][0].Begin
	}
	for i, events := range processes {
		pid := i + 1
		out = append(out, chromeEvent{Name: "process_name", Phase: "M", PID: pid, Args: map[string]any{"name": fmt.Sprint("process ", pid)}})
		tracks := lanes(events)
		names := make([]string, 0, len(tracks))
		for name := range tracks {
			names = append(names, name)
		}
		slices.SortFunc(names, compareTracks)
		for k, name := range names {
			tid := k + 1
			out = append(out,
				chromeEvent{Name: "thread_name", Phase: "M", PID: pid, TID: tid, Args: map[string]any{"name": name}},
				chromeEvent{Name: "thread_sort_index", Phase: "M", PID: pid, TID: tid, Args: map[string]any{"sort_index": tid}})
			for _, e := range tracks[name] {
				out = append(out, e.chrome(pid, tid, zero))
			}
		}
		for _, e := range events {
			if e.Kind == Memory {
				out = append(out, chromeEvent{
					Name: e.Track, Cat: Memory, Phase: "C", Time: float64(e.End-zero) / 1e3, PID: pid, Args: map[string]any{"bytes": e.Bytes},
				})
			}
		}
	}
	return json.NewEncoder(w).Encode(map[string]any{"displayTimeUnit": "ms", "traceEvents": out})
}

func (e Event) chrome(pid, tid int, zero int64) chromeEvent {
	dur := float64(e.End-e.Begin) / 1e3
	c := chromeEvent{Name: e.Name, Cat: e.Kind, Phase: "X", Time: float64(e.Begin-zero) / 1e3, Dur: &dur, PID: pid, TID: tid}
	switch e.Kind {
	case Launch:
		c.Args = map[string]any{"grid": e.Grid, "block": e.Block}
	case Blocks:
		c.Args = map[string]any{"first block": e.From, "blocks": e.To - e.From}
	case Copy:
		c.Args = map[string]any{"bytes": e.Bytes}
		if dur > 0 {
			c.Args["GB/s"] = float64(e.Bytes) / dur / 1e3
		}
	}
	return c
}

// lanes returns the events by track. Those of one track that overlap without one being in the other
// go to several, since a thread of the format does one thing at a time.
func lanes(events []Event) map[string][]Event {
	tracks := map[string][]Event{}
	ends := map[string][][]int64{} // by track, lane by lane, the ends of the events that are open
	for _, e := range events {
		if e.Kind == Memory {
			continue
		}
		lane := 0
		for ; lane < len(ends[e.Track]); lane++ {
			open := ends[e.Track][lane]
			for len(open) > 0 && open[len(open)-1] <= e.Begin {
				open = open[:len(open)-1]
			}
			ends[e.Track][lane] = open
			if len(open) == 0 || e.End <= open[len(open)-1] {
				break
			}
		}
		if lane == len(ends[e.Track]) {
			ends[e.Track] = append(ends[e.Track], nil)
		}
		ends[e.Track][lane] = append(ends[e.Track][lane], e.End)
		name := e.Track
		if lane > 0 {
			name = fmt.Sprintf("%s, %d", e.Track, lane+1)
		}
		tracks[name] = append(tracks[name], e)
	}
	return tracks
}

// compareTracks puts the host first, then streams, graphs, and workers, by number.
func compareTracks(a, b string) int {
	rank := func(s string) int {
		for i, prefix := range []string{Host, "default stream", "stream", "graph", Caller, "worker"} {
			if strings.HasPrefix(s, prefix) {
				return i
			}
		}
		return 9
	}
	return cmp.Or(rank(a)-rank(b), len(a)-len(b), cmp.Compare(a, b))
}
