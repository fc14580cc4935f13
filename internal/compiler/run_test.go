package compiler

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The kernels of testdata/run give the same results from source and compiled, with and without rows
// in assembly.
func TestRun(t *testing.T) {
	if raceEnabled || testing.Short() {
		t.Skip("it builds and runs a program; with the race detector compiled kernels run in their source form anyway")
	}
	known := map[string]string{
		"guardOverflow": "a guard whose sum wraps around is an error when it has become a bound",
	}
	text, err := os.ReadFile("testdata/run/main.go")
	if err != nil {
		t.Fatal(err)
	}
	inModule(t, map[string]string{"main.go": string(text)})
	if status, _, stderr := gen(); status != 0 { // some may stay on coroutines
		t.Fatal(stderr)
	}
	for name, setting := range map[string]string{"AVX-512": "", "AVX2": "cpu.avx512f=off", "plain": "cpu.avx512f=off,cpu.avx2=off"} {
		cmd := exec.Command("go", "run", ".")
		cmd.Env = append(os.Environ(), "GODEBUG="+setting)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if n := strings.Count(string(text), "//gocuda:kernel\n"); len(lines) != n {
			t.Errorf("%s: %d lines of %d kernels\n%s", name, len(lines), n, out)
		}
		for _, l := range lines {
			kernel, verdict, _ := strings.Cut(l, " ")
			t.Run(name+"/"+kernel, func(t *testing.T) {
				if verdict != "agrees" {
					expected(t, known[kernel], "%s", verdict)
				}
			})
		}
	}
}
