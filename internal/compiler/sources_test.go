package compiler

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const staleSource = `package main

import (
	"context"
	"errors"
	"fmt"

	"example.com/kernels/other"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

const factor = 2

type pair struct{ a, b int }

func (p pair) sum() int { return p.a + p.b }

var table = [4]int{1, 2, 3, 4}

func twice[T int | float64](x T) T { return x * 2 }

//gocuda:kernel
func byConst(t *gocuda.Thread, y []int) { y[t.Rank()] = factor }

//gocuda:kernel
func byType(t *gocuda.Thread, y []int) {
	p := pair{a: 1}
	y[t.Rank()] = p.a
}

//gocuda:kernel
func byMethod(t *gocuda.Thread, y []int) { y[t.Rank()] = pair{1, 2}.sum() }

//gocuda:kernel
func byVar(t *gocuda.Thread, y []int) { y[t.Rank()] = table[1] }

//gocuda:kernel
func byGeneric(t *gocuda.Thread, y []int) { y[t.Rank()] = twice(3) }

//gocuda:kernel
func byOther(t *gocuda.Thread, y []int) { y[t.Rank()] = other.Value() }

//gocuda:kernel
func untouched(t *gocuda.Thread, y []int) { y[t.Rank()] = 7 }

func main() {
	for _, k := range []func([]int) gocuda.Kernel{byConstKernel, byTypeKernel, byMethodKernel, byVarKernel, byGenericKernel, byOtherKernel, untouchedKernel} {
		y := make([]int, 1)
		err := gocuda.Launch(context.Background(), grid.Linear(1, 1), k(y))
		fmt.Println(y[0], errors.Is(err, gocuda.ErrStaleKernel), err)
	}
}
`

const otherSource = "package other\n\nconst value = 5\n\n// Value is a number.\nfunc Value() int { return value }\n"

// A kernel that is older than a declaration from which it was made does not run.
func TestStaleKernels(t *testing.T) {
	if raceEnabled || testing.Short() {
		t.Skip("it builds programs")
	}
	edited := strings.NewReplacer("factor = 2", "factor = 3", "{ a, b int }", "{ a, b, c int }", "return p.a + p.b", "return p.a - p.b",
		"{1, 2, 3, 4}", "{1, 3, 3, 4}", "x * 2", "x * 3", "pair{1, 2}", "pair{1, 2, 0}", "func main", "// Much\n// more\n// text.\nfunc main").Replace(staleSource)
	inModule(t, map[string]string{"main.go": staleSource, "other/other.go": otherSource})
	run := func(args ...string) []string {
		t.Helper()
		out, err := exec.Command("go", append([]string{"run"}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	fresh := []string{"2 false <nil>", "1 false <nil>", "3 false <nil>", "2 false <nil>", "6 false <nil>", "5 false <nil>", "7 false <nil>"}
	again := []string{"3 false <nil>", "1 false <nil>", "-1 false <nil>", "3 false <nil>", "9 false <nil>", "6 false <nil>", "7 false <nil>"}
	mustGen(t, ".")
	assert.Equal(t, fresh, run("."))

	write(t, "main.go", edited)
	write(t, "other/other.go", strings.Replace(otherSource, "value = 5", "value = 6", 1))
	got := run(".")
	require.Len(t, got, len(fresh))
	for i, l := range got[:6] {
		assert.True(t, strings.HasPrefix(l, "0 true gocuda: launch of main.by"), l)
		assert.Contains(t, l, "gocuda gen", i)
	}
	assert.Contains(t, got[0], "factor has changed (main.go:13)")
	assert.Contains(t, got[5], "value has changed (other.go:3)")
	assert.Equal(t, fresh[6], got[6], "moved lines don't matter")
	// If the program does not know where it was built, only its own package is compared.
	assert.Equal(t, fresh[5], run("-trimpath", ".")[5])

	mustGen(t, ".")
	assert.Equal(t, again, run("."))

	// Without embedded sources the files are compared, if they are older than the program.
	mustGen(t, "-nosources", ".")
	assert.NotContains(t, files(t)["main_gocuda.go"], "go:embed")
	assert.Equal(t, again, run("."))
	require.NoError(t, exec.Command("go", "build", "-o", "program", ".").Run())
	write(t, "main.go", staleSource)
	out, err := exec.Command("./program").CombinedOutput()
	require.NoError(t, err)
	assert.Equal(t, strings.Join(again, "\n")+"\n", string(out), "an edit after the build is no matter of the program")
	assert.True(t, strings.HasPrefix(run(".")[0], "0 true"))
	os.Remove("program")
}
