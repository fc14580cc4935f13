package gocuda

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gocuda/gocuda/internal/timeline"
)

// What `gocuda trace` is told; see package internal/timeline. It is called only where that is on.

func init() { timeline.Track = currentTrack }

// tracks has the tracks of goroutines that work for streams, by self, and of streams.
var (
	tracks      sync.Map
	streamNames sync.Map
	streamCount atomic.Int32
	workerCount atomic.Int32
)

func currentTrack() string {
	if t, ok := tracks.Load(self()); ok {
		return t.(string)
	}
	return timeline.Host
}

// track returns the name of the stream's track. Streams have numbers in the order in which they are
// made.
func (s *Stream) track() string {
	if s == s.dev.stream {
		return "default stream"
	}
	name, ok := streamNames.Load(s)
	if !ok {
		name, _ = streamNames.LoadOrStore(s, fmt.Sprint("stream ", streamCount.Add(1)))
	}
	return name.(string)
}

// timed says that the calling goroutine works for the stream until the func returned is called.
func (s *Stream) timed() func() {
	g := self()
	tracks.Store(g, s.track())
	return func() { tracks.Delete(g) }
}

// helpGraph helps with a graph, whose nodes are those of no stream if another worker than the
// stream's runs them.
func (w *worker) helpGraph(g graphWork) {
	if timeline.On() {
		id := self()
		tracks.Store(id, "graph")
		defer tracks.Delete(id)
	}
	g.help(w)
}

// timeLaunch notes a launch that has ended.
func (l *launch) timeLaunch() {
	timeline.Add(timeline.Event{
		Kind: timeline.Launch, Track: timeline.Track(), Name: l.name(), Begin: l.began, Grid: fmt.Sprint(l.cfg.Grid), Block: fmt.Sprint(l.cfg.Block),
	})
	l.began = 0
}

// timedSpan is runSpan with a note of it.
func (w *worker) timedSpan(l *launch, from, to int64, place int) {
	begin := timeline.Now()
	w.runSpan(l, from, to, place)
	w.timeBlocks(l, int(from), int(to), begin)
}

// timeBlocks notes blocks that the worker has run since begin.
func (w *worker) timeBlocks(l *launch, from, to int, begin int64) {
	track := timeline.Caller
	if w != &l.own {
		if w.track == 0 {
			w.track = workerCount.Add(1)
		}
		track = fmt.Sprint("worker ", w.track)
	}
	timeline.Add(timeline.Event{Kind: timeline.Blocks, Track: track, Name: l.name(), Begin: begin, From: from, To: to})
}
