package compiler

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The kernels of testdata/lockstep give what lanes in lockstep give, with all executors and under the race detector. Without the option
// they don't.
func TestLockstep(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs programs")
	}
	text, err := os.ReadFile("testdata/lockstep/main.go")
	if err != nil {
		t.Fatal(err)
	}
	run := func(t *testing.T, text string, flags ...string) (string, error) {
		inModule(t, map[string]string{"main.go": text})
		if status, _, stderr := gen(); status != 0 {
			t.Fatal(stderr)
		}
		out, err := exec.Command("go", append(append([]string{"run"}, flags...), ".")...).CombinedOutput()
		return string(out), err
	}
	t.Run("executors", func(t *testing.T) {
		if out, err := run(t, string(text)); err != nil || out != "all agree\n" {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("race detector", func(t *testing.T) {
		if !raceEnabled {
			t.Skip("there may be no C compiler")
		}
		if out, err := run(t, string(text), "-race"); err != nil || out != "all agree\n" {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("without the option", func(t *testing.T) {
		if out, err := run(t, strings.ReplaceAll(string(text), "//gocuda:kernel lockstep", "//gocuda:kernel")); err == nil {
			t.Errorf("%s", out)
		}
	})
}
