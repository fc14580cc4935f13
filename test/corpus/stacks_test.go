//go:build compiled

package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The stack of a thread that failed begins, in this package, with the line of its statement, in all
// forms of a kernel.
func TestStacksNameTheLine(t *testing.T) {
	source, err := os.ReadFile("stacks.go")
	if err != nil {
		t.Fatal(err)
	}
	const n = 100
	at := make([]int32, n+1)
	for i := range at {
		at[i] = int32(i)
	}
	at[40] = 77777
	frame := regexp.MustCompile(`test/corpus\.(\w+)[^\n]*\n\t(\S*?)(\w+\.go):(\d+)`)
	for _, c := range []struct {
		name   string
		kernel func(n int, at []int32, out []float32) gocuda.Kernel
	}{
		{"stackStore", stackStoreKernel},
		{"stackPhases", stackPhasesKernel},
		{"stackDivide", stackDivideKernel},
		{"stackRagged", stackRaggedKernel},
	} {
		line := 1 + strings.Count(string(source[:bytes.Index(source, []byte("// fails in "+c.name))]), "\n")
		for _, m := range append(machines(t), checkedMachine(t)) {
			var failed *gocuda.KernelError
			err := m.launch(t, grid.Linear(n, 128), c.kernel(n, at, make([]float32, n)))
			if !errors.As(err, &failed) {
				t.Fatalf("%s, %s: %v", c.name, m.name, err)
			}
			f := frame.FindSubmatch(failed.Stack)
			if f == nil || string(f[3]) != "stacks.go" || string(f[4]) != fmt.Sprint(line) {
				t.Errorf("%s, %s: %q is where it failed, not line %d\n%s", c.name, m.name, f, line, failed.Stack)
			}
		}
	}
}
