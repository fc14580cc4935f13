package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page of gocuda prof has the counts and, of a second run under the sanitizer, the race. A
// program does not run twice unasked.
func TestProfPageHasRaces(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	userModule(t, "testdata/prof")
	for _, c := range []struct {
		args  []string
		races int
	}{
		{[]string{"."}, 1},
		{[]string{"-races=false", "."}, 0},
		{[]string{"-run", "./app"}, 0},
		{[]string{"-races", "-run", "./app"}, 1},
	} {
		var out, log bytes.Buffer
		status := run(append([]string{"prof", "-html", "page.html"}, c.args...), &out, &log)
		require.Zero(t, status, "%v\n%s%s", c.args, &out, &log)
		page, err := os.ReadFile("page.html")
		require.NoError(t, err)
		assert.Equal(t, c.races, bytes.Count(page, []byte(`<figure class="race">`)), "%v", c.args)
		assert.Contains(t, string(page), "sectors a request", "%v", c.args)
		assert.LessOrEqual(t, bytes.Count(out.Bytes(), []byte("the program runs")), 1)
	}
}
