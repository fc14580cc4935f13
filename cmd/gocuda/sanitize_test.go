package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/sanitize"
)

// userModule goes to a module of a user with the files of a folder.
func userModule(t testing.TB, from string) {
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

// meets reports whether a finding has the words of w: of the tool, the kind, the severity and the
// count.
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

// reportOfMistakes is the report of all tests of testdata/sanitize, in whose folder the test is. It
// is made once.
func reportOfMistakes(t *testing.T) (found []sanitize.Finding, text string) {
	t.Helper()
	if mistakes.text == "" {
		mistakes.found, mistakes.text = report(t, 7, "-error-exitcode", "7", ".")
	}
	return mistakes.found, mistakes.text
}

var mistakes struct {
	found []sanitize.Finding
	text  string
}

// Every mistake of testdata/sanitize is found at its line, and nothing else is.
func TestSanitizeMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	userModule(t, "testdata/sanitize")
	found, text := reportOfMistakes(t)
	beyond, missing := compare(wants(t, "."), found)
	assert.Empty(t, beyond, "reported, and not wanted")
	assert.Empty(t, missing, "not reported")
	for _, f := range found {
		assert.NotContains(t, f.Kernel, "Right", "%v", f)
	}
	_, again := report(t, 7, "-error-exitcode", "7", ".")
	assert.Equal(t, text, again, "two runs differ")

	var stdout, stderr bytes.Buffer
	assert.Zero(t, sanitizeCommand([]string{".", "--", "-run=Right$"}, &stdout, &stderr), "%s", &stderr)
	assert.Contains(t, stdout.String(), "ERROR SUMMARY: 0 errors")
}

// The options, on a few mistakes whose reports are known.
func TestSanitizeOptions(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	userModule(t, "testdata/sanitizeoptions")
	text := func(code int, args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		assert.Equal(t, code, sanitizeCommand(append(args, "."), &stdout, &stderr), "%s", &stderr)
		return stdout.String()
	}
	t.Run("text and web page", func(t *testing.T) {
		got := text(1, "-html", "report.html", "-kernel-regex", "blockError")
		assert.Contains(t, got, "Error: Race reported between Write access at user.blockError options_test.go:20\n        s[i] = int32(i)\n        s[i]\n"+
			"    and Read access at user.blockError options_test.go:24 [508 hazards]\n        sum += s[k]\n        s[k]\n")
		assert.Contains(t, got, "RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\nERROR SUMMARY: 1 error\n")
		data, err := os.ReadFile("report.html")
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(string(data), `<figure class="race">`))
		assert.Contains(t, string(data), "SyncThreads() is missing between lines 20 and ")
	})
	t.Run("all", func(t *testing.T) {
		got := text(1, "-leak-check", "full", "-track-unused-memory")
		assert.Contains(t, got, "RACECHECK SUMMARY: 3 hazards displayed (1 error, 1 warning)")
		assert.Contains(t, got, "LEAK SUMMARY: 1024 bytes leaked in 1 allocation\n")
		assert.Contains(t, got, "Warning: Unused memory in an allocation of 1024 bytes: not written 512 bytes, 50% of it at options_test.go:57")
		assert.Contains(t, got, fmt.Sprintf("ERROR SUMMARY: %d errors", 1+4*32+1))
	})
	t.Run("hazards", func(t *testing.T) {
		found, _ := report(t, 1, "-report", "hazard", "-kernel-regex", "blockError", ".")
		require.Len(t, found, 1)
		places := map[string]bool{}
		for _, h := range found[0].Hazards {
			places[h.Where] = true
			assert.Equal(t, "RAW", h.Kind)
			assert.Zero(t, h.Threads[1].Thread.X)
		}
		assert.Len(t, places, 508)
		got := text(1, "-report", "hazard", "-print-limit", "3", "-kernel-regex", "blockError")
		assert.Equal(t, 3, strings.Count(got, "Potential RAW hazard detected at byte"))
		assert.NotContains(t, got, "Race reported")
	})
	t.Run("levels and limits", func(t *testing.T) {
		got := text(1, "-tool", "race", "-print-level", "warning")
		assert.Contains(t, got, "Warning: Race reported")
		assert.NotContains(t, got, "Info: Race reported")
		assert.Contains(t, text(1, "-print-limit", "1"), "findings not printed")
	})
	t.Run("launches", func(t *testing.T) {
		got := text(0, "-kernel-regex", "TestUnset", "-launch-skip", "1000")
		assert.Contains(t, got, "ERROR SUMMARY: 0 errors")
		found, _ := report(t, 9, "-error-exitcode", "9", "-tool", "init", "-launch-skip", "4", "-launch-count", "2", ".")
		require.Len(t, found, 1)
		assert.Equal(t, 2*32, found[0].Count, "of four launches, the fifth and sixth of the process")
		found, _ = report(t, 0, "-tool", "init", "-initcheck-address-space", "global", ".")
		assert.Empty(t, found)
	})
	t.Run("log file and suppressions", func(t *testing.T) {
		assert.NotContains(t, text(1, "-log-file", "log", "-generate-suppressions", "known.json"), "SUMMARY")
		data, err := os.ReadFile("log")
		require.NoError(t, err)
		assert.Contains(t, string(data), "ERROR SUMMARY")
		assert.Contains(t, text(0, "-suppressions", "known.json"), "ERROR SUMMARY: 0 errors")
		// Lines move, and other mistakes come.
		source, err := os.ReadFile("options_test.go")
		require.NoError(t, err)
		moved := strings.Replace(string(source), "func run(", "// run runs.\n\nfunc run(", 1)
		moved = strings.Replace(moved, "s[31-i]", "s[30-i+1]", 1)
		require.NoError(t, os.WriteFile("options_test.go", []byte(moved), 0o600))
		var stdout, stderr bytes.Buffer
		assert.Zero(t, sanitizeCommand([]string{"-suppressions", "known.json", "."}, &stdout, &stderr))
		assert.Contains(t, stdout.String(), "RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)\n3 findings suppressed\nERROR SUMMARY: 0 errors")
		require.NoError(t, os.WriteFile("options_test.go", source, 0o600))

		for _, wrong := range []string{"{", "[{}]", `[{"tol": "race"}]`} {
			require.NoError(t, os.WriteFile("wrong.json", []byte(wrong), 0o600))
			stderr.Reset()
			assert.Equal(t, 1, sanitizeCommand([]string{"-suppressions", "wrong.json", "."}, &stdout, &stderr), wrong)
			assert.Contains(t, stderr.String(), "suppressions")
		}
	})
	t.Run("SARIF", func(t *testing.T) {
		checkSARIF(t, text(1, "-o", "sarif", "-leak-check", "full"))
	})
}

// checkSARIF checks what the schema of SARIF 2.1.0 requires of the parts that a report has.
func checkSARIF(t *testing.T, text string) {
	t.Helper()
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &log), text)
	assert.Equal(t, "2.1.0", log.Version)
	require.Len(t, log.Runs, 1)
	driver := log.Runs[0].Tool.Driver
	assert.NotEmpty(t, driver.Name)
	var places []string
	for _, r := range log.Runs[0].Results {
		assert.NotEmpty(t, r.Message.Text)
		assert.Contains(t, []string{"none", "note", "warning", "error"}, r.Level)
		require.Less(t, r.RuleIndex, len(driver.Rules))
		assert.Equal(t, r.RuleID, driver.Rules[r.RuleIndex].ID)
		for _, l := range r.Locations {
			assert.Positive(t, l.PhysicalLocation.Region.StartLine)
			places = append(places, fmt.Sprintf("%s %s %s:%d", r.RuleID, r.Level, l.PhysicalLocation.ArtifactLocation.URI, l.PhysicalLocation.Region.StartLine))
		}
	}
	assert.ElementsMatch(t, []string{
		"init error options_test.go:51", "mem error options_test.go:57", "race error options_test.go:20",
		"race warning options_test.go:37", "race note options_test.go:44",
	}, places)
}

func TestSanitizeRefuses(t *testing.T) {
	for _, args := range [][]string{
		nil, {"-tool", "luck", "."}, {"-o", "xml", "."}, {"-print-level", "loud", "."}, {"-kernel-regex", "(", "."},
		{"-launch-skip", "-1", "."}, {"-leak-check", "some", "."}, {"-run", "./x", "./y"}, {"-report", "some", "."},
		{"-initcheck-address-space", "local", "."}, {"-no-such-flag"},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 2, sanitizeCommand(args, &stdout, &stderr), "%q", args)
		assert.NotEmpty(t, stderr.String())
	}
}

func TestSanitizeFlagsAreDocumented(t *testing.T) {
	var stdout, stderr bytes.Buffer
	assert.Zero(t, sanitizeCommand([]string{"-h"}, &stdout, &stderr))
	doc, err := os.ReadFile("../../docs/sanitizer.md")
	require.NoError(t, err)
	flags := regexp.MustCompile(`(?m)^  (-[a-z-]+)`).FindAllStringSubmatch(stdout.String(), -1)
	require.Greater(t, len(flags), 10)
	for _, f := range flags {
		assert.Regexp(t, "(?m)^\\|[^|]*`"+f[1]+"\\b", string(doc))
	}
}

// Ready-made kernels have no mistakes, and no false reports. CONTRIBUTING.md has the command for
// all of them. Tests are left out whose kernels are all in others too.
func TestSanitizeKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	t.Chdir("../..")
	found, text := report(t, 0, "-suppressions", "test/kernels/sanitize.json", "./test/kernels/fft", "./test/kernels/scan", "./test/kernels/sorting",
		"./test/kernels/stats", "./test/kernels/texture",
		"--", "-short", "-skip", "TestInverseOfForward|TestLargestAndSmallest|TestOnlyNeighboursAreCombined|TestAgainstGonum")
	assert.Empty(t, found, text)
}

// Each suppression is of a kernel that there is.
func TestSuppressionsOfKernels(t *testing.T) {
	file, err := os.Open("../../test/kernels/sanitize.json")
	require.NoError(t, err)
	defer file.Close()
	all, err := sanitize.ReadSuppressions(file)
	require.NoError(t, err)
	for _, s := range all {
		assert.Equal(t, "init", s.Tool)
		pkg, kernel, _ := strings.Cut(s.Kernel, ".")
		sources, err := filepath.Glob("../../kernels/" + pkg + "/*.go")
		require.NoError(t, err)
		assert.True(t, slices.ContainsFunc(sources, func(name string) bool {
			text, err := os.ReadFile(name)
			return err == nil && bytes.Contains(text, []byte("//gocuda:kernel")) && bytes.Contains(text, []byte("func "+kernel))
		}), s.Kernel)
	}
}

// A module of several packages, with a dependency, kernels in interfaces and in generic types,
// files with build tags, and tests that run at the same time. The dependency is a folder at first,
// and is vendored then.
func TestSanitizeModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	userModule(t, "testdata/sanitizemodule")
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("go.mod", append(mod, "\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => ./dep\n"...), 0o600))
	require.NoError(t, os.WriteFile("dep/go.mod", []byte("module example.com/dep\n\ngo 1.26\n\nrequire github.com/gocuda/gocuda v0.0.0\n"), 0o600))

	check := func(t *testing.T, found []sanitize.Finding, dirs ...string) {
		t.Helper()
		var all []*want
		for _, dir := range dirs {
			for _, w := range wants(t, dir) {
				if !strings.HasPrefix(w.place, "fast.go") {
					all = append(all, w)
				}
			}
		}
		beyond, missing := compare(all, found)
		assert.Empty(t, beyond)
		assert.Empty(t, missing)
	}
	t.Run("packages", func(t *testing.T) {
		found, text := report(t, 1, "./...")
		check(t, found, "lib", "dep")
		_, again := report(t, 1, "./...")
		assert.True(t, text == again, "two runs differ:\n%s\n%s", text, again)
	})
	t.Run("tags", func(t *testing.T) {
		found, _ := report(t, 0, "./lib", "--", "-run=TestSum")
		assert.Empty(t, found)
		found, _ = report(t, 1, "-tags", "fast", "./lib", "--", "-run=TestSum")
		require.Len(t, found, 1)
		assert.Equal(t, "fast.go", filepath.Base(found[0].First.File))
	})
	t.Run("program", func(t *testing.T) {
		plain, err := exec.Command("go", "run", "./app", "wait").Output()
		require.NoError(t, err)
		assert.Contains(t, string(plain), "[4 3 2 1] <nil> [wait]\n")
		var stdout, stderr bytes.Buffer
		assert.Zero(t, sanitizeCommand([]string{"-run", "./app", "--", "wait"}, &stdout, &stderr), "%s", &stderr)
		assert.Equal(t, string(plain)+"ERROR SUMMARY: 0 errors\n", stdout.String())
		found, _ := report(t, 0, "-run", "./app")
		require.Len(t, found, 1)
		assert.Equal(t, sanitize.SeverityWarning, found[0].Severity, "its block is one warp")
	})
	t.Run("vendored", func(t *testing.T) {
		out, err := exec.Command("go", "mod", "vendor").CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.NoError(t, os.RemoveAll("dep")) // the vendored source is what counts
		before, err := os.ReadFile("go.mod")
		require.NoError(t, err)
		found, _ := report(t, 1, "./lib")
		check(t, found, "lib", "vendor/example.com/dep")
		after, err := os.ReadFile("go.mod")
		require.NoError(t, err)
		assert.Equal(t, before, after)
		assert.NoFileExists(t, "vendor/example.com/dep/go.mod")
	})
}
