package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/sanitize"
)

// userModule goes to a module of a user with the files of a folder.
func userModule(t *testing.T, from string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	text := strings.Replace(string(mod), "module github.com/gocuda/gocuda", "module user", 1) +
		"\nrequire github.com/gocuda/gocuda v0.0.0\n\nreplace github.com/gocuda/gocuda => " + filepath.ToSlash(root) + "\n"
	require.NoError(t, os.CopyFS(dir, os.DirFS(from)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o600))
	sum, err := os.ReadFile("../../go.sum")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o600))
	t.Chdir(dir)
}

// A want is a report that a comment of the source asks for.
type want struct {
	place    string // file:line
	words    []string
	optional bool
	met      bool
}

func (w *want) String() string { return w.place + ": " + strings.Join(w.words, " ") }

// wants returns what the comments of the Go files in a folder ask for.
func wants(t *testing.T, dir string) []*want {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var all []*want
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for i, line := range strings.Split(string(text), "\n") {
			code, list, ok := strings.Cut(line, "// want ")
			if !ok || strings.TrimSpace(code) == "//" {
				continue
			}
			for _, text := range strings.Split(list, ";") {
				text, optional := strings.CutPrefix(strings.TrimSpace(text), "?")
				all = append(all, &want{
					place: fmt.Sprintf("%s:%d", filepath.Base(file), i+1), words: strings.Fields(text), optional: optional,
				})
			}
		}
	}
	return all
}

// meets reports whether a finding has the words of w: of the tool, the kind, the severity and the count.
func (w *want) meets(f sanitize.Finding) bool {
	at := func(p sanitize.Place) bool { return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line) == w.place }
	has := []string{f.Tool, strings.Trim(f.Kind, "_"), strings.ToLower(f.Severity.String()), strconv.Itoa(f.Count)}
	return (at(f.First) || at(f.Other)) && !slices.ContainsFunc(w.words, func(x string) bool { return !slices.Contains(has, x) })
}

// compare says what is reported beyond the wants, and what is wanted and not reported.
func compare(wants []*want, found []sanitize.Finding) (beyond, missing []string) {
	for _, f := range found {
		fits := func(may func(*want) bool) bool {
			for _, w := range wants {
				if may(w) && w.meets(f) {
					w.met = true
					return true
				}
			}
			return false
		}
		if !fits(func(w *want) bool { return !w.met && !w.optional }) && !fits(func(w *want) bool { return w.met || w.optional }) {
			beyond = append(beyond, fmt.Sprintf("%v %v: %s %s %v %d of %s: %s", f.First, f.Other, f.Tool, f.Kind, f.Severity, f.Count, f.Kernel, f.Text))
		}
	}
	for _, w := range wants {
		if !w.met && !w.optional {
			missing = append(missing, w.String())
		}
	}
	return beyond, missing
}

// report runs gocuda sanitize with JSON output.
func report(t *testing.T, code int, args ...string) (found []sanitize.Finding, text string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, code, sanitizeCommand(append([]string{"-o", "json", "-print-limit", "0"}, args...), &stdout, &stderr), "%s", &stderr)
	var out struct{ Findings []sanitize.Finding }
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &out))
	return out.Findings, stdout.String()
}

// Every mistake of testdata/sanitize is found at its line, and nothing else is.
func TestSanitizeMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	userModule(t, "testdata/sanitize")
	found, text := report(t, 7, "-error-exitcode", "7", ".")
	beyond, missing := compare(wants(t, "."), found)
	assert.Empty(t, beyond, "reported, and not wanted")
	assert.Empty(t, missing, "not reported")
	for _, f := range found {
		assert.NotContains(t, f.Kernel, "Right", "%v", f)
	}
	_, again := report(t, 7, "-error-exitcode", "7", ".")
	assert.True(t, text == again, "two runs differ")

	var stdout, stderr bytes.Buffer
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
