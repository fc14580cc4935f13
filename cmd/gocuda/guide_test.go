package main

import (
	"bytes"
	"errors"
	"go/format"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/gocommand"
)

// A piece is a block of code of a page, with the words behind its fence.
type piece struct{ language, file, text string }

// piecesOf returns the blocks of code of a page, in order.
func piecesOf(t *testing.T, page string) (list []piece) {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, m := range regexp.MustCompile("(?ms)^```(\\w*)(?: ([\\w./]+))?\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		list = append(list, piece{m[1], m[2], m[3]})
	}
	return list
}

// The programs of docs/guide.md are complete: they build as they are, print what the guide says,
// and pass their tests.
func TestProgramsOfTheGuide(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	pieces := piecesOf(t, "../../docs/guide.md")
	t.Setenv(gocommand.CacheVariable, t.TempDir())
	userModule(t, "testdata/empty")
	outputs := map[string]string{} // by folder
	tested := map[string]bool{}
	for i, p := range pieces {
		if p.language == "text" {
			require.Equal(t, "main.go", path.Base(pieces[i-1].file), "whose output is %q?", p.text)
			outputs[path.Dir(pieces[i-1].file)] = p.text
		}
		if p.language != "go" {
			continue
		}
		require.NotEmpty(t, p.file, "a program without a name:\n%s", p.text)
		require.NoError(t, os.MkdirAll(path.Dir(p.file), 0o777))
		require.NoError(t, os.WriteFile(p.file, []byte(p.text), 0o666))
		formatted, err := format.Source([]byte(p.text))
		require.NoError(t, err, p.file)
		assert.Equal(t, string(formatted), p.text, "%s is not formatted", p.file)
		tested[path.Dir(p.file)] = tested[path.Dir(p.file)] || strings.HasSuffix(p.file, "_test.go")
	}
	require.Greater(t, len(outputs), 10)

	must := func(args ...string) string {
		t.Helper()
		status, stdout, stderr := command(args...)
		require.Zero(t, status, "gocuda %s: %s%s", strings.Join(args, " "), stdout, stderr)
		return stdout
	}
	bin := t.TempDir() + string(filepath.Separator)
	must("go", "vet", "./...")
	must("go", "build", "-o", bin, "./...")
	for _, p := range pieces {
		folder := path.Dir(p.file)
		if p.language != "go" || path.Base(p.file) != "main.go" {
			continue
		}
		want, ok := outputs[folder]
		assert.True(t, ok, "the guide does not say what %s prints", p.file)
		out, err := exec.Command(filepath.Join(bin, folder)).CombinedOutput()
		assert.NoError(t, err, p.file)
		assert.Equal(t, want, string(out), p.file)
	}
	list := []string{"go", "test"}
	for folder, has := range tested {
		if has {
			list = append(list, "./"+folder)
		}
	}
	require.Greater(t, len(list), 2)
	must(list...)
	assert.Contains(t, must("go", "test", "-run", "^$", "-bench", ".", "-benchtime", "1x", "./blur"), "BenchmarkBlur/exec=compiled/block=256")

	t.Run("mistakes", func(t *testing.T) {
		status, stdout, stderr := command("sanitize", "./mistakes")
		assert.Equal(t, 1, status, stderr)
		for _, line := range []string{"mistakes_test.go:20", "mistakes_test.go:21", "mistakes_test.go:29"} {
			assert.Contains(t, stdout, line)
		}
	})
	t.Run("race", func(t *testing.T) {
		if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || strings.TrimSpace(string(out)) != "1" {
			t.Skip("-race needs cgo")
		}
		must("go", "test", "-race", "./server")
		status, stdout, _ := command("go", "test", "-race", "./mistakes")
		assert.Equal(t, 1, status)
		assert.Contains(t, stdout, "--- FAIL: TestRotate")
		assert.Contains(t, stdout, "--- FAIL: TestCount")
	})
	t.Run("coverage", func(t *testing.T) {
		assert.Contains(t, must("go", "test", "-cover", "./blur"), "coverage: 100.0% of statements")
	})
	t.Run("committed", func(t *testing.T) { // what the recipe for continuous integration checks
		must("gen", "./saxpy", "./blur", "./server")
		must("gen", "-check", "./...")
		cmd := exec.Command("go", "run", "./saxpy")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Equal(t, outputs["saxpy"], string(out))
		text, err := os.ReadFile("saxpy/main.go")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("saxpy/main.go", bytes.Replace(text, []byte("a*x[i] + y[i]"), []byte("a*x[i] - y[i]"), 1), 0o666))
		status, _, stderr := command("gen", "-check", "./...")
		assert.Equal(t, 1, status)
		assert.Contains(t, stderr, "is not up to date")
		out, err = exec.Command("go", "run", "./saxpy").CombinedOutput()
		require.NoError(t, err)
		assert.Contains(t, string(out), "older than its source")
		assert.Contains(t, must("go", "run", "./saxpy"), "[-8 -16 -24] <nil>")
	})
}

// Commands that the guide and the README name exist, and so do their flags.
func TestCommandsOfTheGuide(t *testing.T) {
	line := regexp.MustCompile("(?m)^(?:\\$ |- run: )?(?:gocuda|go run ./cmd/gocuda) ([^#\n]*)")
	inline := regexp.MustCompile("`gocuda ([^`\n]*)`")
	seen := 0
	for _, page := range []string{"../../docs/guide.md", "../../README.md"} {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range append(line.FindAllStringSubmatch(string(text), -1), inline.FindAllStringSubmatch(string(text), -1)...) {
			words := strings.Fields(m[1])
			if len(words) == 0 || words[0] == "COMMAND" {
				continue
			}
			seen++
			assert.NoError(t, knownCommand(words), "%s: gocuda %s", page, m[1])
		}
	}
	assert.Greater(t, seen, 25)
	assert.Error(t, knownCommand([]string{"bnech"}))
	assert.Error(t, knownCommand([]string{"gen", "-chek"}))
	assert.Error(t, knownCommand([]string{"go", "tset"}))
}

// knownCommand returns an error if there is no such command, or if it has no such flag.
func knownCommand(words []string) error {
	c := findCommand(words[0])
	switch {
	case c == nil && words[0] == "-h":
		return nil
	case c == nil:
		return errors.New("there is no such command")
	case c.name == "go":
		if len(words) > 1 && !gocommand.IsVerb(words[1]) {
			return errors.New("gocuda go does not know it")
		}
		return nil
	case c.flags == nil:
		return nil
	}
	sub := ""
	if len(words) > 1 {
		sub = words[1]
	}
	fs := c.flags(sub)
	if fs == nil {
		return nil
	}
	for _, w := range words[1:] {
		if name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "="); strings.HasPrefix(w, "-") && name != "h" && fs.Lookup(name) == nil {
			return errors.New("it has no flag " + w)
		}
	}
	return nil
}
