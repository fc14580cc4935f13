package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A traceEvent is an event of Chrome's format.
type traceEvent struct {
	Name, Cat, Ph string
	Ts            float64
	Dur           *float64
	Pid, Tid      int
	Args          map[string]any
}

func readTrace(t *testing.T, file string) (events []traceEvent, tracks map[int]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var all struct{ TraceEvents []traceEvent }
	require.NoError(t, json.Unmarshal(data, &all))
	tracks = map[int]string{}
	for _, e := range all.TraceEvents {
		if e.Ph == "M" && e.Name == "thread_name" {
			tracks[e.Tid] = e.Args["name"].(string)
		}
	}
	return all.TraceEvents, tracks
}

func TestTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	userModule(t, "testdata/trace")
	var out, errs bytes.Buffer
	require.Equal(t, 0, run([]string{"trace", "-o", "t.json", "."}, &out, &errs), "%s%s", &out, &errs)
	events, tracks := readTrace(t, "t.json")
	launches, copies := map[string]int{}, map[string]int{}
	blocks := 0.0
	var memory []float64
	ends := map[int]float64{}
	var spans []traceEvent
	for _, e := range events {
		switch e.Cat {
		case "launch":
			launches[tracks[e.Tid]]++
			assert.Equal(t, "(64,1,1)", e.Args["grid"])
			assert.Contains(t, e.Name, "increment")
			spans = append(spans, e)
		case "copy":
			copies[tracks[e.Tid]]++
			assert.InDelta(t, 4096, e.Args["bytes"], 0)
		case "memory":
			assert.Equal(t, "C", e.Ph)
			memory = append(memory, e.Args["bytes"].(float64))
		}
		if e.Cat == "launch" || e.Cat == "copy" { // a stream does one thing after another
			require.NotNil(t, e.Dur)
			assert.GreaterOrEqual(t, e.Ts, ends[e.Tid]-0.01, "%s in %s", e.Name, tracks[e.Tid])
			ends[e.Tid] = e.Ts + *e.Dur
		}
	}
	for _, e := range events {
		if e.Cat != "blocks" {
			continue
		}
		blocks += e.Args["blocks"].(float64)
		inside := false
		for _, l := range spans {
			inside = inside || l.Name == e.Name && l.Ts-0.01 <= e.Ts && e.Ts+*e.Dur <= l.Ts+*l.Dur+0.01
		}
		assert.True(t, inside, "blocks outside of their launch")
		assert.Contains(t, tracks[e.Tid], "worker")
	}
	assert.Equal(t, map[string]int{"stream 1": 3, "stream 2": 3, "host": 1}, launches)
	assert.Equal(t, map[string]int{"stream 1": 3}, copies)
	assert.InDelta(t, 7*64, blocks, 0)
	assert.Equal(t, []float64{4096, 0}, memory)
}

func TestTraceWhatCannotBe(t *testing.T) {
	var out, errs bytes.Buffer
	assert.Equal(t, 2, run([]string{"trace"}, &out, &errs))
	assert.Contains(t, errs.String(), "no packages")
	assert.Equal(t, 2, run([]string{"trace", "-run", ".", "x"}, &out, &errs))
	if testing.Short() {
		return
	}
	userModule(t, "testdata/trace")
	errs.Reset()
	assert.Equal(t, 1, run([]string{"trace", ".", "--", "-run", "None"}, &out, &errs))
	assert.Contains(t, errs.String(), "nothing has been launched")
	assert.NoFileExists(t, "trace.json")
}
