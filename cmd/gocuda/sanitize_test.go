package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/sanitize"
)

// userModule goes to a module of a user with the kernels of testdata/sanitize.
func userModule(t *testing.T) {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	text := strings.Replace(string(mod), "module github.com/gocuda/gocuda", "module user", 1) +
		"\nrequire github.com/gocuda/gocuda v0.0.0\n\nreplace github.com/gocuda/gocuda => " + filepath.ToSlash(root) + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o600))
	for from, to := range map[string]string{"../../go.sum": "go.sum", "testdata/sanitize/mistakes_test.go": "mistakes_test.go"} {
		data, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, to), data, 0o600))
	}
	t.Chdir(dir)
}

// The mistakes and what must be found of each; those whose name ends in Right must be clean. Counts are bytes that other
// threads access, from the shape of the kernel.
func TestSanitizeMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	userModule(t)
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 7, sanitizeCommand([]string{"-o", "json", "-error-exitcode", "7", "."}, &stdout, &stderr), "%s", &stderr)
	var report struct{ Findings []sanitize.Finding }
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &report))
	found := map[string]bool{}
	for _, f := range report.Findings {
		name := strings.Split(f.Kernel, ".")[1]
		assert.False(t, strings.HasSuffix(name, "Right"), "%+v", f)
		assert.Equal(t, "mistakes_test.go", filepath.Base(f.First.File))
		found[name+" "+f.Tool+" "+f.Kind+" "+f.Severity.String()] = true
		switch {
		case name == "TestBlockError" && f.Tool == "race":
			assert.Equal(t, 127*4, f.Count)
			assert.Equal(t, "s[k]", f.Other.Text)
		case name == "TestWarp" && f.Tool == "race":
			assert.Equal(t, 2*31*4, f.Count)
		case name == "TestSync":
			assert.Equal(t, 32, f.Count)
			assert.Equal(t, 32, f.Threads[0].Thread.X, "warp 1")
		case name == "TestEarly":
			assert.Equal(t, 24, f.Count)
		}
	}
	for _, want := range []string{
		"TestReverse race RAW Error", "TestReduce race WAR Error", "TestHistogram race WAW Error", "TestBlocks race WAW Error",
		"TestRank race WAW Error", "TestWarpSum race WAR Warning", "TestCounter init __shared__ Error", "TestBranch sync warp Error",
		"TestEarly init __shared__ Error", "TestBlockError race RAW Error", "TestWarp race RAW Warning", "TestSync sync warp Error",
	} {
		assert.True(t, found[want], "%s was not found: %v", want, found)
	}
	var again bytes.Buffer
	sanitizeCommand([]string{"-o", "json", "."}, &again, &stderr)
	assert.Equal(t, stdout.String(), again.String(), "two runs")

	stdout.Reset()
	assert.Zero(t, sanitizeCommand([]string{".", "--", "-run=Right$"}, &stdout, &stderr), "%s", &stderr)
	assert.Contains(t, stdout.String(), "ERROR SUMMARY: 0 errors")
}

func TestSanitizeRefuses(t *testing.T) {
	for _, args := range [][]string{
		nil, {"-tool", "luck", "."}, {"-o", "xml", "."}, {"-print-level", "loud", "."}, {"-kernel-regex", "(", "."},
		{"-launch-skip", "-1", "."}, {"-leak-check", "some", "."}, {"-run", "./x", "./y"},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 2, sanitizeCommand(args, &stdout, &stderr), "%q", args)
		assert.NotEmpty(t, stderr.String())
	}
}
