package timeline

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is written is read again, whatever the names are.
func TestRead(t *testing.T) {
	events := []Event{
		{Kind: Launch, Track: Host, Name: "main.add[int,\"x\"]", Begin: 7, End: 9, Grid: "(4, 1, 1)", Block: "(32, 1, 1)"},
		{Kind: Blocks, Track: "worker 1", Name: "two\nlines", Begin: 8, End: 9, From: 3, To: 1 << 30},
		{Kind: Copy, Track: "stream 2", Begin: 1 << 60, End: 1<<60 + 1, Bytes: 1 << 40},
		{Kind: Memory, Track: "memory, µ", Begin: 1 << 61, End: 1 << 61, Bytes: -1},
	}
	dir := t.TempDir()
	var err error
	file, err = os.Create(filepath.Join(dir, "timeline-1.csv"))
	require.NoError(t, err)
	for i := range events {
		Add(events[i])
		events[i].End = 0
	}
	require.NoError(t, file.Close())
	file = nil
	all, err := Read(dir)
	require.NoError(t, err)
	require.Len(t, all, 1)
	for i := range all[0] {
		assert.NotZero(t, all[0][i].End)
		all[0][i].End = 0
	}
	assert.Equal(t, events, all[0])
}

// A process that was killed leaves a line that ends early; what is before it counts.
func TestReadAfterAKill(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "timeline-1.csv"), []byte("launch,host,k,7000,9000,,,0,0,0\nlaunch,host,k,7000,9000,,,0,0,1"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "timeline-2.csv"), nil, 0o600))
	all, err := Read(dir)
	require.NoError(t, err)
	assert.Equal(t, [][]Event{{{Kind: Launch, Track: Host, Name: "k", Begin: 7000, End: 9000}}}, all)

	for _, text := range []string{"no events\n", "launch,host,k,7000,now,,,0,0,0\n", "\"\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "timeline-3.csv"), []byte(text), 0o600))
		_, err = Read(dir)
		assert.ErrorContains(t, err, "timeline-3.csv")
	}
}

func TestItIsOff(t *testing.T) {
	assert.False(t, On())
	assert.Equal(t, Host, Track())
}
