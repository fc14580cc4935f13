package compiler

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The kernels of testdata/lockstep give the results of lanes in lockstep, with all executors and
// under the race detector. Without the option they don't.
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

// A statement that lockstep does not support is an error with its position.
func TestLockstepErrors(t *testing.T) {
	for want, body := range map[string]string{
		"main.go:9:2: k: a kernel in lockstep can't have goto":                              "\tgoto end\nend:\n\ts[0] = 1",
		"main.go:9:2: k: a kernel in lockstep can't have a go or defer statement":           "\tdefer func() {}()",
		"main.go:9:2: k: a kernel in lockstep can't have a call of set, which stores":       "\tset(s, 1)",
		"main.go:9:7: k: a kernel in lockstep can't have a func literal that stores":        "\tf := func() { s[0] = 1 }\n\tf()",
		"main.go:9:2: k: a kernel in lockstep can't have the builtin copy":                  "\tcopy(s, s[1:])",
		"main.go:9:2: k: a kernel in lockstep can't have several atomic operations":         "\ts[0] = atomic.Add(&s[1], 1) + atomic.Add(&s[2], 1)",
		"main.go:9:32: k: a kernel in lockstep can't have a store to memory between rounds": "",
		"main.go:9:6: k: a kernel in lockstep can't have a second t":                        "\tfor t := range 3 {\n\t\ts[t] = 1\n\t}",
	} {
		if body == "" {
			body, want = "\tfor i := range 2 {\n\t\tfor s[1] = 0; s[1] < 3; s[1]++ {\n\t\t\ts[i] = 1\n\t\t}\n\t}", "main.go:10:27: k: a kernel in lockstep can't have a store to memory between the rounds"
		}
		t.Run(want, func(t *testing.T) {
			inModule(t, map[string]string{"main.go": "package main\n\nimport (\n\t\"github.com/gocuda/gocuda/atomic\"\n\t\"github.com/gocuda/gocuda/gocuda\"\n)\n" +
				"//gocuda:kernel lockstep\nfunc k(t *gocuda.Thread, s []int32) {\n" + body + "\n}\n\nfunc set(s []int32, v int32) { s[v] = v }\n\nfunc main() { _ = atomic.Add[int32] }\n"})
			if status, _, stderr := gen(); status == 0 || !strings.Contains(stderr, want) {
				t.Errorf("status %d: %s", status, stderr)
			}
			if _, err := os.Stat("main_gocuda_lockstep.go"); err == nil {
				t.Error("there is a copy")
			}
		})
	}
}
