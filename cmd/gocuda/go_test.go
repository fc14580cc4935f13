package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/gocommand"
)

// Package gocommand has the tests of what gocuda go does; here it is asked for as users do.
func TestGoCommandLines(t *testing.T) {
	for _, c := range []struct {
		status int
		says   string
		args   []string
	}{
		{2, "usage: gocuda go build|install|run|test|vet", nil},
		{0, "usage: gocuda go build|install|run|test|vet", []string{"-h"}},
		{2, "gocuda go: go mod builds no kernels; there are build, install, run, test, vet.", []string{"mod", "tidy"}},
	} {
		status, stdout, stderr := command(append([]string{"go"}, c.args...)...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, stdout+stderr, c.says, c.args)
	}
}

// Programs whose kernels nobody has generated code of can be run, tested, and looked at with all tools.
func TestToolsWithoutGeneratedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	t.Setenv(gocommand.CacheVariable, t.TempDir())
	userModule(t, "testdata/uncommitted")
	trace := filepath.Join(t.TempDir(), "trace.json")
	for _, c := range []struct {
		status int
		says   string
		line   string
	}{
		{0, "[1 2 3 3]", "go run ."},
		{0, "--- PASS: TestPrefix", "go test -v ."},
		{0, "ERROR SUMMARY: 0 errors", "sanitize ."},
		{0, "[1 2 3 3]", "sanitize -run ."},
		{0, "main.prefix", "prof -run ."},
		{0, "the timeline is in", "trace -o " + trace + " ."},
	} {
		status, stdout, stderr := command(strings.Fields(c.line)...)
		assert.Equal(t, c.status, status, "%s: %s%s", c.line, stdout, stderr)
		assert.Contains(t, stdout+stderr, c.says, c.line)
	}
	data, err := os.ReadFile(trace)
	require.NoError(t, err)
	assert.Contains(t, string(data), "main.reset", "the kernel of the test")
	generated, err := filepath.Glob("*_gocuda*")
	require.NoError(t, err)
	assert.Empty(t, generated)
}
