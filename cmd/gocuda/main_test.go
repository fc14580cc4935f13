package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocuda/gocuda/bench"
)

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
		executors[r["executor"].(string)] = true
	}
	for _, e := range inProcess {
		if !executors[e] {
			t.Errorf("no line for %s", e)
		}
	}
}

// What there is no figure of is said, in the JSON mode on the other stream.
func TestBenchNotes(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // without compilers
	args := []string{"bench", "-workload", "launch,saxpy", "-size", "1000", "-executor", "serial,openmp", "-runs", "1"}
	for _, asJSON := range []bool{false, true} {
		status, where, stderr := command(args...)
		if asJSON {
			status, _, stderr = command(append(args, "-json")...)
			where = stderr
		}
		if status != 0 {
			t.Fatalf("status %d: %s", status, stderr)
		}
		for _, want := range []string{"launch on openmp is left out: the workload has none\n", "openmp: left out, because there is no C compiler"} {
			if !strings.Contains(where, want) {
				t.Errorf("no %q in\n%s", want, where)
			}
		}
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
	path := filepath.Join(t.TempDir(), "chart.svg")
	if err := os.WriteFile(path, bytes.Repeat([]byte("something longer"), 1000), 0o666); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := command("bench", "-plot", path, "-workload", "saxpy", "-executor", "serial,block", "-size", "1000", "-runs", "1")
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	svg, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(svg); !strings.HasPrefix(s, "<svg ") || !strings.HasSuffix(s, "</svg>\n") || !strings.Contains(s, "saxpy 1000 on block") {
		t.Errorf("the chart is %s", svg)
	}
	status, _, stderr = command("bench", "-plot", path, "-workload", "saxpy", "-executor", "block", "-size", "1000", "-runs", "1")
	if status != 1 || !strings.Contains(stderr, "chart") {
		t.Errorf("a chart of nothing: status %d, %q", status, stderr)
	}
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
