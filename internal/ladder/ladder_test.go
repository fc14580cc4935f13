package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// docs/model.md is what the command writes, and the model keeps order and ratios of the published
// measurements.
func TestPublishedLadders(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a program under the profiler")
	}
	file := filepath.Join(t.TempDir(), "model.md")
	cmd := exec.Command("go", "run", "./cmd/gocuda", "prof", "-sections", "model", "-run", "./internal/ladder", "--", "-o", file)
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	kept, err := os.ReadFile(filepath.Join("..", "..", "docs", "model.md"))
	require.NoError(t, err)
	if runtime.GOARCH == "amd64" { // others fuse multiplications and additions, which may change a last digit
		assert.Equal(t, string(kept), string(written))
	}
}

func TestCheckFindsWhatIsOff(t *testing.T) {
	l := func(models ...float64) []ladder {
		measured := []float64{100, 95, 50}
		out := ladder{Title: "x"}
		for i, m := range models {
			out.Rungs = append(out.Rungs, rung{Name: string(rune('a' + i)), Measured: measured[i], Model: m})
		}
		return []ladder{out}
	}
	assert.NoError(t, check(l(100, 95, 50)))
	assert.NoError(t, check(l(1, 1.1, 0.6)), "the first two may change places")
	assert.ErrorContains(t, check(l(1, 0.4, 0.5)), `"b" and "c" are the other way round`)
	assert.ErrorContains(t, check(l(100, 95, 29)), "the ratio of")
	assert.ErrorContains(t, check(l(100, 95, 93)), "the ratio of")
}

// Without the overlay nothing is counted, and the command says so.
func TestWithoutTheProfiler(t *testing.T) {
	assert.ErrorContains(t, run(filepath.Join(t.TempDir(), "model.md")), "not built by gocuda prof")
}
