package rerun

import (
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/overlay"
)

func TestWithTag(t *testing.T) {
	for args, want := range map[string]string{
		"test":                           "test -tags=compiled",
		"test -v ./a":                    "test -tags=compiled -v ./a",
		"test -tags=a,b -v ./a":          "test -tags=compiled,a,b -v ./a",
		"test -v --tags a ./a":           "test -v --tags compiled,a ./a",
		"test -tags= .":                  "test -tags=compiled, .",
		"test . -args -tags=a":           "test -tags=compiled . -args -tags=a",
		"run -race ./a -- -tags=a":       "run -tags=compiled -race ./a -- -tags=a",
		"test tags -run=-tags=a -v tags": "test -tags=compiled tags -run=-tags=a -v tags",
	} {
		given := strings.Fields(args)
		assert.Equal(t, strings.Fields(want), WithTag(given))
		assert.Equal(t, strings.Fields(args), given, "the arguments change")
	}
}

func TestFlagsOfTheTests(t *testing.T) {
	for args, want := range map[string][2]string{
		"-test.v=true -test.run=A/b=c -test.paniconexit0 x": {"-v=true -run=A/b=c", "x"},
		"-test.v -test.run A -test.short -test.count 3":     {"-v=true -run=A -short=true -count=3", ""},
		"-test.timeout=10m0s -seeds=2 -first 3 -test.v":     {"-timeout=10m0s -v=true", "-seeds=2 -first 3"},
		"-test.testlogfile=/tmp/log -test.fuzz=F":           {"-fuzz=F", ""},
		"-a -- -test.v": {"", "-a -- -test.v"},
	} {
		flags, others := testFlags(strings.Fields(args), flag.CommandLine)
		assert.Equal(t, want, [2]string{strings.Join(flags, " "), strings.Join(others, " ")}, args)
	}
}

// goTest runs go test on a package with a kernel, and returns what it prints and its exit status.
func goTest(t *testing.T, env []string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"test", "-count=1"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// A package is tested with its kernels compiled, built as the go command has been told, and with
// the same flags and arguments.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	const pkg = "./testdata/kernel"
	out, status := goTest(t, []string{"GODEBUG=cpu.avx2=off"}, "-v", "-run", "Double", "-short", "-gcflags=-N", "-tags=other", pkg, "-word=hello", "a", "b")
	require.Zero(t, status, out)
	for _, want := range []string{"=== RUN   TestDouble", "-tags=compiled,other", "-gcflags=-N", "word hello arguments [a b] short true GODEBUG cpu.avx2=off"} {
		assert.Contains(t, out, want)
	}
	assert.NotContains(t, out, "TestFails")

	out, status = goTest(t, nil, pkg)
	assert.Equal(t, 1, status, out)
	assert.Contains(t, out, "as it should")

	profile := filepath.Join(t.TempDir(), "cover.out")
	out, status = goTest(t, nil, "-run", "Fails", "-coverprofile", profile, pkg)
	assert.Equal(t, 1, status, out)
	assert.Contains(t, out, "the compiled ones are not run")
}

// A constructor that the compiler does not make fails the tests: nothing runs in its place.
func TestRunWithoutConstructor(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	const pkg = "testdata/kernel"
	name, err := filepath.Abs(filepath.Join(pkg, "kernel.go"))
	require.NoError(t, err)
	source, err := os.ReadFile(name)
	require.NoError(t, err)
	dir := t.TempDir()
	without := filepath.Join(dir, "kernel.go")
	require.NoError(t, os.WriteFile(without, []byte(strings.Replace(string(source), "//gocuda:kernel\n", "", 1)), 0o666))
	data, err := overlay.Files{name: without}.JSON()
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, data, 0o666))
	out, status := goTest(t, []string{"GOFLAGS=-overlay=" + file}, "./"+pkg)
	assert.Equal(t, 1, status, out)
	assert.Contains(t, out, "doubleKernel")
}

// The message about refused code is found in one piece and in two, and everything is passed on.
func TestSieve(t *testing.T) {
	for _, pieces := range [][]string{
		{"a.go:1:2: k stays on coroutines: its generated code is refused, which is\n"},
		{"k stays: its generated co", "de is refu", "sed, which is\n"},
	} {
		var out strings.Builder
		s := &sieve{to: &out}
		for _, p := range pieces {
			n, err := s.Write([]byte(p))
			require.NoError(t, err)
			assert.Equal(t, len(p), n)
		}
		assert.True(t, s.found)
		assert.Equal(t, strings.Join(pieces, ""), out.String())
	}
	s := &sieve{to: io.Discard}
	_, err := s.Write([]byte("a.go:1:2: k stays on coroutines: visit calls itself\n"))
	require.NoError(t, err)
	assert.False(t, s.found)
}
