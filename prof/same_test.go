package prof_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/prof"
)

// text is the report as it is printed and as JSON.
func text(t *testing.T, r *prof.Report) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, r.Print(&b, nil, nil))
	require.NoError(t, r.WriteJSON(&b))
	return b.String()
}

// Counts don't depend on the executor, the order of blocks or the number of workers.
func TestSameBytes(t *testing.T) {
	options := []string{
		"WithWorkers(1)", "WithWorkers(1)", "WithWorkers(3)", "WithExecutor(gocuda.ExecutorGoroutine)", "WithBlockOrder(gocuda.ShuffledOrder(7))", "WithChecked(true)",
	}
	all := profileEach(t, prof.Settings{GPU: "ampere"}, flow, options...)
	want := text(t, all[0])
	for i, r := range all {
		assert.True(t, want == text(t, r), "another report with %s", options[i])
	}
}
