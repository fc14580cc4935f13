package perfetto

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/timeline"
)

// What overlaps goes to several lanes; what is inside something else stays in its lane.
func TestLanes(t *testing.T) {
	e := func(name string, begin, end int64) timeline.Event {
		return timeline.Event{Kind: timeline.Launch, Track: timeline.Host, Name: name, Begin: begin, End: end}
	}
	tracks := lanes([]timeline.Event{e("a", 0, 10), e("in a", 2, 4), e("also in a", 4, 10), e("b", 5, 15), e("c", 6, 9), e("after a", 10, 12), {Kind: timeline.Memory, Track: "memory"}})
	names := map[string][]string{}
	for track, events := range tracks {
		for _, e := range events {
			names[track] = append(names[track], e.Name)
		}
	}
	assert.Equal(t, map[string][]string{"host": {"a", "in a", "also in a", "c", "after a"}, "host, 2": {"b"}}, names)
}

// Times are microseconds since the first event.
func TestWrite(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Write(&b, [][]timeline.Event{{{Kind: timeline.Launch, Track: timeline.Host, Name: "k", Begin: 7000, End: 9000}}}))
	var out struct {
		TraceEvents []map[string]any
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &out))
	last := out.TraceEvents[len(out.TraceEvents)-1]
	assert.Equal(t, "X", last["ph"])
	assert.InDelta(t, 0, last["ts"], 0)
	assert.InDelta(t, 2, last["dur"], 0, "microseconds")
}
