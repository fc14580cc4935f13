// Package perfetto writes timelines for Perfetto and chrome://tracing. The runtime does not import
// it, and so does without encoding/json.
package perfetto

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/timeline"
)

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

// Write writes the events of processes as JSON that Perfetto and chrome://tracing show.
func Write(w io.Writer, processes [][]timeline.Event) error {
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
				out = append(out, eventOf(e, pid, tid, zero))
			}
		}
		for _, e := range events {
			if e.Kind == timeline.Memory {
				out = append(out, chromeEvent{
					Name: e.Track, Cat: timeline.Memory, Phase: "C", Time: float64(e.End-zero) / 1e3, PID: pid, Args: map[string]any{"bytes": e.Bytes},
				})
			}
		}
	}
	return json.NewEncoder(w).Encode(map[string]any{"displayTimeUnit": "ms", "traceEvents": out})
}

func eventOf(e timeline.Event, pid, tid int, zero int64) chromeEvent {
	dur := float64(e.End-e.Begin) / 1e3
	c := chromeEvent{Name: e.Name, Cat: e.Kind, Phase: "X", Time: float64(e.Begin-zero) / 1e3, Dur: &dur, PID: pid, TID: tid}
	switch e.Kind {
	case timeline.Launch:
		c.Args = map[string]any{"grid": e.Grid, "block": e.Block}
	case timeline.Blocks:
		c.Args = map[string]any{"first block": e.From, "blocks": e.To - e.From}
	case timeline.Copy:
		c.Args = map[string]any{"bytes": e.Bytes}
		if dur > 0 {
			c.Args["GB/s"] = float64(e.Bytes) / dur / 1e3
		}
	}
	return c
}

// lanes returns the events by track. Those of one track that overlap without one being in the other
// go to several, since a thread of the format does one thing at a time.
func lanes(events []timeline.Event) map[string][]timeline.Event {
	tracks := map[string][]timeline.Event{}
	ends := map[string][][]int64{} // by track, lane by lane, the ends of the events that are open
	for _, e := range events {
		if e.Kind == timeline.Memory {
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
		for i, prefix := range []string{timeline.Host, "default stream", "stream", "graph", timeline.Caller, "worker"} {
			if strings.HasPrefix(s, prefix) {
				return i
			}
		}
		return 9
	}
	return cmp.Or(rank(a)-rank(b), len(a)-len(b), cmp.Compare(a, b))
}
