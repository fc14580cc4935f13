package gocuda_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// raceFound is the exit code that GORACE below asks for.
const raceFound = 66

// racePrograms builds testdata/race with the race detector.
func racePrograms(t *testing.T) (path string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs programs")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	path = filepath.Join(t.TempDir(), "race.exe")
	out, err := exec.Command("go", "build", "-race", "-o", path, "./testdata/race").CombinedOutput()
	if err != nil {
		if regexp.MustCompile(`requires cgo|not supported|C compiler .* not found`).Match(out) {
			t.Skipf("no race detector here: %s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// runRace runs a program and returns its exit code and output. Procs is GOMAXPROCS, or empty for
// what is set outside.
func runRace(t *testing.T, procs, path string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(),
		"GORACE=halt_on_error=0 exitcode=66 atexit_sleep_ms=0 suppress_equal_stacks=0 suppress_equal_addresses=0")
	if procs != "" {
		cmd.Env = append(cmd.Env, "GOMAXPROCS="+procs)
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// Racy kernels are reported by Go's race detector, and their corrected twins never. The programs are in
// testdata/race.
//
// On one processor a race is reported every time. On several, two accesses at the same instant can
// both miss each other: the detector looks a word's last accesses up and writes its own down
// without a lock. Of the programs here, with nothing between two threads but one call, that was up
// to one run in 800, on two processors. So there a run may be repeated, a few times.
func TestRaceDetector(t *testing.T) {
	const tries = 5
	path := racePrograms(t)
	code, list := runRace(t, "", path, "list")
	if code != 0 || !strings.Contains(list, "racy") || !strings.Contains(list, "clean") {
		t.Fatalf("exit code %d\n%s", code, list)
	}
	// Processes are what takes the time here, so a few runs must do. Each uses another schedule.
	for line := range strings.Lines(list + "clean all\nclean checked all\n") {
		kind, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		t.Run(kind+"/"+name, func(t *testing.T) {
			t.Parallel()
			for _, run := range []struct{ procs, workers string }{{"1", "1"}, {"", "1"}, {"", "2"}} {
				code, out := runRace(t, run.procs, path, name, run.workers)
				for try := 1; try < tries && kind == "racy" && code == 0 && run.procs != "1"; try++ {
					code, out = runRace(t, run.procs, path, name, run.workers)
				}
				switch {
				case kind == "racy" && code != raceFound:
					t.Fatalf("%s workers: exit code %d, the race was not reported\n%s", run.workers, code, out)
				case kind == "clean" && code != 0:
					t.Fatalf("%s workers: exit code %d\n%s", run.workers, code, out[:min(len(out), 4000)])
				}
			}
		})
	}
}

// What the host does between queueing work and waiting for it is not ordered with the work,
// whatever it calls meanwhile, and a race is reported. The program tries all calls, and prints what
// was missed.
//
// When some 250 goroutines have been, the race detector may know the host by the number that a
// thread gets next. So a case that was missed is tried again.
func TestRaceDetectorSeesTheHost(t *testing.T) {
	path := racePrograms(t)
	for _, run := range []struct{ name, procs, workers string }{
		{"host", "1", "1"}, {"host", "", "1"}, {"host", "", "2"}, {"checked host", "", "2"},
	} {
		// On a busy machine the detector may forget an access before the other one comes.
		for try := 1; ; try++ {
			code, out := runRace(t, run.procs, path, run.name, run.workers)
			missed := regexp.MustCompile(`(?m)^missed: .*`).FindAllString(out, -1)
			if len(missed) > 0 && try < 3 {
				continue
			}
			assert.Empty(t, missed, "%s, %s workers", run.name, run.workers)
			assert.Equal(t, raceFound, code, "%s, %s workers: %s", run.name, run.workers, out[max(0, len(out)-2000):])
			break
		}
	}
}
