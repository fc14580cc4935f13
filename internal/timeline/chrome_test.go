package timeline

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What overlaps goes to several lanes; what is inside something else stays in its lane.
func TestLanes(t *testing.T) {
	e := func(name string, begin, end int64) Event {
		return Event{Kind: Launch, Track: Host, Name: name, Begin: begin, End: end}
	}
	tracks := lanes([]Event{e("a", 0, 10), e("in a", 2, 4), e("also in a", 4, 10), e("b", 5, 15), e("c", 6, 9), e("after a", 10, 12), {Kind: Memory, Track: "memory"}})
	names := map[string][]string{}
	for track, events := range tracks {
		for _, e := range events {
			names[track] = append(names[track], e.Name)
		}
	}
	assert.Equal(t, map[string][]string{"host": {"a", "in a", "also in a", "c", "after a"}, "host, 2": {"b"}}, names)
}

// A process that was killed leaves a line that ends early; what is before it counts.
func TestReadAfterAKill(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "timeline-1.json"), []byte(`{"Kind":"launch","Track":"host","Name":"k","Begin":7000,"End":9000}
{"Kind":"launch","Tra`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "timeline-2.json"), nil, 0o600))
	all, err := Read(dir)
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, []Event{{Kind: Launch, Track: Host, Name: "k", Begin: 7000, End: 9000}}, all[0])
	var b bytes.Buffer
	require.NoError(t, WriteChrome(&b, all))
	var out struct {
		TraceEvents []map[string]any
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &out))
	last := out.TraceEvents[len(out.TraceEvents)-1]
	assert.Equal(t, "X", last["ph"])
	assert.InDelta(t, 0, last["ts"], 0)
	assert.InDelta(t, 2, last["dur"], 0, "microseconds")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "timeline-3.json"), []byte("no events"), 0o600))
	_, err = Read(dir)
	assert.ErrorContains(t, err, "timeline-3.json")
}

func TestItIsOff(t *testing.T) {
	assert.False(t, On())
	assert.Equal(t, Host, Track())
}
