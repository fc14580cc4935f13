package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/bench"
	"github.com/gocuda/gocuda/internal/gocommand"
	"github.com/gocuda/gocuda/internal/host"
)

// asCommand is the environment variable that makes the test's program the command gocuda.
const asCommand = "GOCUDA_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if status, ok := gocommand.ServeTools(os.Args[1:], os.Stdout, os.Stderr); ok {
		os.Exit(status)
	}
	if os.Getenv(asCommand) != "" {
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// command runs the command and returns its exit status and what it printed.
func command(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = run(args, &out, &err)
	return status, out.String(), err.String()
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		says   string // on either stream
	}{
		{nil, 2, "usage"},
		{[]string{"help"}, 0, "bench"},
		{[]string{"-h"}, 0, "nbody"},
		{[]string{"fly"}, 2, `no command "fly"`},
		{[]string{"bnech"}, 2, "there is no command \"bnech\"; did you mean bench? (gocuda help lists the commands)\n"},
		{[]string{"help", "bench"}, 0, "-workload"},
		{[]string{"help", "run"}, 0, "mandelbrot"},
		{[]string{"help", "run", "saxpy"}, 0, "usage: gocuda run saxpy"},
		{[]string{"help", "gen"}, 0, "-explain"},
		{[]string{"help", "go"}, 0, "gocuda go test"},
		{[]string{"help", "fly"}, 2, `no command "fly"`},
		{[]string{"help", "help"}, 0, "usage: gocuda COMMAND"},
		{[]string{"bench", "-worklaod", "saxpy"}, 2, "did you mean -workload?"},
		{[]string{"prof", "-gpus", "g80"}, 2, "did you mean -gpu?"},
		{[]string{"gen", "-chek"}, 2, "did you mean -check?"},
		{[]string{"run", "mandelbort"}, 2, "did you mean mandelbrot?"},
		{[]string{"run", "scan", "-verfy"}, 2, "did you mean -verify?"},
		{[]string{"bench", "-compare", "a.json"}, 2, "-compare takes two files"},
		{[]string{"bench", "-compare", "-quick", "a", "b"}, 2, "-compare takes two files"},
		{[]string{"bench", "-compare", "no/a.json", "no/b.json"}, 1, "no/a.json"},
		{[]string{"completion"}, 2, "bash, zsh, fish"},
		{[]string{"completion", "-h"}, 0, "source <(gocuda completion bash)"},
		{[]string{"version", "x"}, 2, `unexpected argument "x"`},
		{[]string{"bench", "-h"}, 0, "-workload"},
		{[]string{"bench", "-nonsense"}, 2, "nonsense"},
		{[]string{"bench", "saxpy"}, 2, `unexpected argument "saxpy"`},
		{[]string{"bench", "-size", "many"}, 2, `"many"`},
		{[]string{"bench", "-size", "0"}, 2, `"0"`},
		{[]string{"bench", "-size", "2^99"}, 2, `"2^99"`},
		{[]string{"bench", "-workers", "-1"}, 2, "-workers"},
		{[]string{"bench", "-runs", "0"}, 2, "-runs"},
		{[]string{"bench", "-workload", "chess"}, 1, `no workload "chess"`},
		{[]string{"bench", "-executor", "serial,fpga"}, 1, `no executor "fpga"; there are [serial goroutines`},
		{[]string{"bench", "-plot", "no/such/directory/file.svg"}, 1, "no/such/directory"},
		{[]string{"bench", "-plot", "file.pdf"}, 2, "file.pdf"},
		{[]string{"bench", "-table", "kirk"}, 2, "there is the table ryoo"},
		{[]string{"bench", "-table", "ryoo", "-json"}, 2, "neither -json nor -plot"},
		{[]string{"bench", "-table", "ryoo", "-size", "64"}, 2, "of its own"},
		{[]string{"bench", "-plot", "file.svg", "-executor", "block,simd"}, 2, "compares with openmp or serial"},
		{[]string{"bench", "-figure", "B.9.9"}, 2, "B.7.3, B.7.4, B.7.5, B.7.6, B.8.15, B.8.16"},
		{[]string{"bench", "-figure", "B.7.6", "-table", "ryoo"}, 2, "-figure has curves of its own"},
		{[]string{"bench", "-figure", "B.7.6", "-executor", "simd"}, 2, "-figure has curves of its own"},
		{[]string{"bench", "-figure", "B.7.6", "-plot", "f.pdf"}, 2, "f.pdf"},
		{[]string{"bench", "-figure", "B.7.5", "-size", "12"}, 1, "figure B.7.5"},
		{[]string{"bench", "-figure", "b.8.15", "-size", "64,100", "-quick"}, 0, "190 GFLOPS"},
		{[]string{"bench", "-quick", "-workload", "saxpy", "-executor", "serial"}, 0, "1048576"},
		{[]string{"learn", "-h"}, 0, "-class"},
		{[]string{"learn", "chekc"}, 2, "check is one"},
		{[]string{"learn", "7"}, 2, "check 7 is one"},
		{[]string{"learn", "-csv", "t.csv"}, 2, "-csv is for -class"},
		{[]string{"learn", "-class", "no/such/folder"}, 1, "no/such/folder"},
		{[]string{"learn", "-class", ".", "-memory", "1"}, 2, "64 MiB"},
		{[]string{"learn", "-class", ".", "all"}, 2, `"all" is not the number`},
		{[]string{"learn", "-class", ".", "99"}, 1, "no exercise 99"},
		{[]string{"learn", "list", "-dir", "no/such/folder"}, 1, "no course in the folder"},
		{[]string{"learn", "init", "a", "b"}, 2, "several folders"},
		{[]string{"learn", "init", "a", "-dir", "b"}, 2, "several folders"},
		{[]string{"learn", "a", "-dir", "b"}, 2, "two folders"},
		{[]string{"learn", "check", "one"}, 2, `"one" is not the number`},
		{[]string{"learn", "check", "1", "2"}, 2, "one exercise at a time"},
		{[]string{"devices", "-x"}, 2, "-x"},
		{[]string{"run"}, 2, "mandelbrot"},
		{[]string{"run", "-h"}, 0, "mandelbrot"},
		{[]string{"run", "chess"}, 2, `no kernel "chess"`},
		{[]string{"run", "saxpy", "-h"}, 0, "-in"},
		{[]string{"run", "mandelbrot", "-in", "x"}, 2, "-in"},
		{[]string{"run", "saxpy", "x"}, 2, `unexpected argument "x"`},
		{[]string{"run", "saxpy", "-size", "0"}, 2, `"0"`},
		{[]string{"run", "saxpy", "-workers", "-1"}, 2, "-workers"},
		{[]string{"run", "saxpy", "-in", "no/such.csv"}, 1, "no/such.csv"},
		{[]string{"run", "scan", "-size", "10", "-verify", "-uncompiled", "-workers", "1"}, 0, "verified"},
	} {
		status, stdout, stderr := command(c.args...)
		if status != c.status || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("gocuda %v: status %d, %q %q", c.args, status, stdout, stderr)
		}
	}
}

// inProcess is the executors that need nothing of the machine.
var inProcess = []string{bench.Serial, bench.Goroutines, bench.Thread, bench.Block}

func TestBenchTable(t *testing.T) {
	status, stdout, stderr := command("bench", "-executor", strings.Join(inProcess, ","), "-workload", "saxpy,scan", "-size", "1000,2^12", "-workers", "2", "-runs", "1")
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if !strings.HasPrefix(lines[0], "device") {
		t.Errorf("the first line is %q", lines[0])
	}
	rows := 0
	for _, l := range lines {
		if f := strings.Fields(l); len(f) > 0 && (f[0] == "saxpy" || f[0] == "scan") {
			rows++
			if f[len(f)-1] != "yes" {
				t.Errorf("not verified: %s", l)
			}
		}
	}
	if want := 2 * 2 * len(inProcess); rows != want {
		t.Errorf("%d rows, want %d\n%s", rows, want, stdout)
	}
}

func TestBenchJSON(t *testing.T) {
	status, stdout, stderr := command("bench", "-json", "-workload", "nbody", "-size", "300", "-runs", "1")
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	executors := map[string]bool{}
	for line := range strings.Lines(stdout) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		// The names that other programs read.
		if r["workload"] != "nbody" || r["size"] != 300.0 || r["unit"] != "GFLOPS" || r["verified"] != true {
			t.Errorf("%s", line)
		}
		if v, ok := r["value"].(float64); !ok || v <= 0 {
			t.Errorf("value in %s", line)
		}
		if _, ok := r["workers"].(float64); !ok {
			t.Errorf("workers in %s", line)
		}
		ratios, _ := r["ratios"].(map[string]any)
		if v, ok := ratios["serial"].(float64); r["executor"] != "serial" && (!ok || v <= 0) {
			t.Errorf("ratios in %s", line)
		}
		machine, _ := r["machine"].(map[string]any)
		if machine["name"] == "" || machine["arch"] != runtime.GOARCH || r["go"] != runtime.Version() {
			t.Errorf("machine in %s", line)
		}
		executors[r["executor"].(string)] = true
	}
	for _, e := range inProcess {
		if !executors[e] {
			t.Errorf("no line for %s", e)
		}
	}

	status, points, stderr := command("bench", "-figure", "b.8.15", "-size", "64", "-quick", "-json")
	require.Zero(t, status, stderr)
	for line := range strings.Lines(points) {
		var p struct {
			Figure  string
			Machine struct{ Arch string }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &p))
		assert.Equal(t, "B.8.15", p.Figure)
		assert.Equal(t, runtime.GOARCH, p.Machine.Arch)
	}

	// What one run writes another one compares with.
	a, b := filepath.Join(t.TempDir(), "a.json"), filepath.Join(t.TempDir(), "b.json")
	require.NoError(t, os.WriteFile(a, []byte(stdout), 0o666))
	require.NoError(t, os.WriteFile(b, []byte(stdout+stdout), 0o666))
	status, table, stderr := command("bench", "-compare", a, b)
	require.Zero(t, status, stderr)
	assert.Regexp(t, `nbody +300 +thread .* GFLOPS +1\.000 +1\+2 +too few samples to tell`, table)
	require.NoError(t, os.WriteFile(b, []byte("{}"), 0o666))
	status, table, stderr = command("bench", "-compare", a, b)
	assert.Equal(t, 1, status)
	assert.Empty(t, table)
	assert.Contains(t, stderr, "b.json: line 1: it names no workload")
}

// What there is no figure of is said, with the true reason, in the JSON mode on the other stream.
func TestBenchNotes(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // without compilers
	args := []string{"bench", "-workload", "launch,saxpy", "-size", "1000", "-executor", "serial,block,simd,openmp,opencl", "-runs", "1"}
	wants := []string{
		"openmp: no C compiler with OpenMP found: install clang and libomp, or gcc\n",
		"opencl: no C compiler found to build its program: install clang or gcc\n",
	}
	switch {
	case host.VectorBytes() > 0:
	case runtime.GOARCH == "arm64":
		wants = append(wants, "simd: GODEBUG turns NEON off\n")
	case runtime.GOARCH != "amd64":
		wants = append(wants, "simd: vectors are for amd64 and arm64, and this is "+runtime.GOARCH+"\n")
	default:
		wants = append(wants, "simd: the processor has no AVX2")
	}
	status, stdout, stderr := command(args...)
	require.Zero(t, status, stderr)
	for _, want := range wants {
		assert.Contains(t, stdout, want)
	}
	// Before the table, which has no columns for them.
	assert.Less(t, strings.Index(stdout, "openmp:"), strings.Index(stdout, "workload"))
	assert.NotContains(t, stdout, "vs openmp")

	status, stdout, stderr = command(append(args, "-json")...)
	require.Zero(t, status, stderr)
	for _, want := range wants {
		assert.Contains(t, stderr, want)
	}
	for line := range strings.Lines(stdout) {
		assert.True(t, json.Valid([]byte(line)), line)
	}

	// A figure of its own that is missing is said below the table.
	status, stdout, stderr = command("bench", "-workload", "mandelbrot", "-size", "10", "-executor", "serial,block", "-runs", "1")
	require.Zero(t, status, stderr)
	assert.Regexp(t, `(?s)mandelbrot +10 +serial.*mandelbrot 10 on block is left out: the workload has none\n$`, stdout)
}

// interruptAt sends the process Ctrl-C when what is said is written, once.
type interruptAt struct {
	bytes.Buffer
	t    *testing.T
	says string
	sent bool
}

func (w *interruptAt) Write(p []byte) (int, error) {
	w.Buffer.Write(p)
	if !w.sent && strings.Contains(w.String(), w.says) {
		w.sent = true
		self, err := os.FindProcess(os.Getpid())
		require.NoError(w.t, err)
		require.NoError(w.t, self.Signal(os.Interrupt))
	}
	return len(p), nil
}

// After Ctrl-C the figures that there are have been printed, and the chart has them.
func TestBenchStopsAtCtrlC(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process can't send itself Ctrl-C")
	}
	chart := filepath.Join(t.TempDir(), "chart.svg")
	// Many sizes, so that it would go on for a long time.
	sizes := "1000" + strings.Repeat(",1000000", 500)
	stdout, stderr := &interruptAt{t: t, says: "saxpy       1000      serial"}, new(bytes.Buffer)
	status := run([]string{"bench", "-workload", "saxpy", "-executor", "serial,block", "-size", sizes, "-plot", chart}, stdout, stderr)
	assert.Equal(t, 130, status)
	assert.True(t, strings.HasSuffix(stderr.String(), "gocuda bench: interrupted\n"), stderr)
	assert.Contains(t, stdout.String(), "saxpy       1000       block", "the other row of the size")
	assert.Less(t, strings.Count(stdout.String(), "\n"), 100)
	svg, err := os.ReadFile(chart)
	require.NoError(t, err)
	assert.Contains(t, string(svg), "saxpy 1000")
}

// Where progress goes to a file, it is a line for each size, with the time that remains.
func TestBenchProgress(t *testing.T) {
	status, _, stderr := command("bench", "-workload", "saxpy,reduce", "-executor", "serial", "-size", "1000,2000", "-runs", "1")
	require.Zero(t, status, stderr)
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	require.Len(t, lines, 4)
	for i, l := range lines {
		assert.Regexp(t, fmt.Sprintf(`^%d of 4: .*(saxpy|reduce) [12]000, about \d+s left$`, i+1), l)
	}
}

func TestBenchMatrix(t *testing.T) {
	path := filepath.Join(t.TempDir(), "small.mtx")
	if err := os.WriteFile(path, []byte("%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 0.5\n3 2 -2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := command("bench", "-json", "-matrix", path, "-workload", "spmv", "-executor", "thread", "-runs", "1")
	if status != 0 || !strings.Contains(stdout, `"size":3,`) {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
	if err := os.WriteFile(path, []byte("no matrix"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr = command("bench", "-matrix", path); status != 1 || !strings.Contains(stderr, path) {
		t.Errorf("no matrix: status %d, %q", status, stderr)
	}
}

func TestBenchPlot(t *testing.T) {
	for name, begins := range map[string]string{"chart.svg": "<?xml", "chart.png": "\x89PNG"} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("something longer"), 10000), 0o666))
		status, _, stderr := command("bench", "-plot", path, "-workload", "saxpy", "-executor", "serial,block", "-size", "1000", "-runs", "1")
		require.Zero(t, status, stderr)
		chart, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(chart), begins), "%.40q", chart)
		assert.NotContains(t, string(chart), "something longer")

		status, _, stderr = command("bench", "-plot", path, "-workload", "launch", "-executor", "openmp,block", "-runs", "1")
		assert.Equal(t, 1, status, "a chart of nothing: the workload has no openmp")
		assert.Contains(t, stderr, "chart")
		again, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, chart, again, "what was there before stays")
	}
	path := filepath.Join(t.TempDir(), "none.svg")
	status, _, _ := command("bench", "-plot", path, "-workload", "chess")
	assert.Equal(t, 1, status)
	assert.NoFileExists(t, path)
}

func TestDevices(t *testing.T) {
	status, stdout, stderr := command("devices")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d: %s", status, stderr)
	}
	for _, want := range []string{"caches", "G80", "(512,512,64)", "GK110", "Hopper", "(2147483647,65535,65535)", "227 KiB"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
}
