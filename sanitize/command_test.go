package sanitize_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	overlay "github.com/gocuda/gocuda/internal/probe"
	"github.com/gocuda/gocuda/sanitize"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
)

// findings runs the tests of a user's module with one file, under the overlay, and returns what is found.
func findings(t *testing.T, source string) []sanitize.Finding {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"go.mod":    "module user\n\ngo 1.26\n\nrequire github.com/gocuda/gocuda v0.0.0\n\nreplace github.com/gocuda/gocuda => " + root + "\n",
		"go.sum":    string(sum),
		"k_test.go": source,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	tidy := exec.Command("go", "mod", "tidy")
	tidy.Dir = dir
	out, err := tidy.CombinedOutput()
	require.NoError(t, err, "%s", out)
	lay, err := overlay.Make(t.Context(), overlay.Options{Dir: dir, Tests: true, Imports: []string{"github.com/gocuda/gocuda/sanitize"}}, ".")
	require.NoError(t, err)
	defer func() { assert.NoError(t, lay.Close()) }()
	settings, err := json.Marshal(sanitize.Settings{Race: true, Init: true, Sync: true, Mem: true, Folder: lay.Dir})
	require.NoError(t, err)
	cmd := exec.Command("go", "test", "-overlay", lay.File, "-count=1", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), sanitize.Variable+"="+string(settings), probe.SitesVariable+"="+lay.Sites)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("%s", out)
	}
	found, err := sanitize.Read(lay.Dir)
	require.NoError(t, err)
	return found
}

const program = `package user

import (
	"context"
	"testing"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

var _ = atomic.Add[int32]

func run(g, b int, k func(*gocuda.Thread)) {
	_ = gocuda.LaunchFunc(context.Background(), grid.Config{Grid: grid.Dim3{X: g}, Block: grid.Dim3{X: b}}, k)
}
`

// The programs of the manual of compute-sanitizer and of the tests of Oclgrind, with what those tools say of them.
func TestProgramsWithKnownAnswers(t *testing.T) {
	type answer struct {
		name, body string
		tool       string
		severity   sanitize.Severity // 0: nothing is found by the tool
		count      int               // 0: any
	}
	answers := []answer{
		{"BlockError", `in, out := make([]int32, 128), make([]int32, 1)
	run(1, 128, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = in[i] + int32(i)
		if i == 0 {
			for k := range s { out[0] += s[k] }
		}
	})`, "race", sanitize.SeverityError, 508},
		{"BlockRight", `in, out := make([]int32, 128), make([]int32, 1)
	run(1, 128, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 128)
		i := t.ThreadIdx.X
		s[i] = in[i] + int32(i)
		t.SyncThreads()
		if i == 0 {
			for _, v := range s { out[0] += v }
		}
	})`, "", 0, 0},
		{"WarpError", `out := make([]int32, 2)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		if i%32 == 0 {
			for k := range 32 { out[i/32] += s[i+k] }
		}
		t.SyncThreads()
	})`, "race", sanitize.SeverityWarning, 248},
		{"WarpRight", `out := make([]int32, 2)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		t.SyncWarp(gocuda.FullMask)
		if i%32 == 0 {
			for k := range 32 { out[i/32] += s[i+k] }
		}
	})`, "", 0, 0},
		{"Divergent", `run(1, 64, func(t *gocuda.Thread) {
		for r := range 16 {
			if t.ThreadIdx.X+r*64 < 1008 { t.SyncThreads() }
		}
	})`, "sync", sanitize.SeverityError, 32},
		{"EarlyReturn", `run(1, 64, func(t *gocuda.Thread) {
		if t.ThreadIdx.X > 40 { return }
		t.SyncThreads()
	})`, "", 0, 0},
		{"Neighbour", `data := []int32{1, 2, 3, 4}
	run(1, 4, func(t *gocuda.Thread) {
		if i := t.GlobalX(); i > 0 { data[i] = data[i-1] + 1 }
	})`, "race", sanitize.SeverityWarning, 0},
		{"BlocksWriteOneCell", `data := make([]int32, 1)
	run(4, 1, func(t *gocuda.Thread) { data[0] = int32(t.GlobalX()) + 1 })`, "race", sanitize.SeverityError, 4},
		{"SameValue", `data := make([]int32, 1)
	run(1, 4, func(t *gocuda.Thread) { data[0] = 0 })`, "race", sanitize.SeverityInfo, 4},
		{"Broadcast", `value, out, data := make([]int32, 1), make([]int32, 4), make([]int32, 4)
	run(4, 1, func(t *gocuda.Thread) {
		i := t.GlobalX()
		out[i] = value[0]
		data[i]++
	})`, "", 0, 0},
		{"ReadOfOtherGroup", `data, out := make([]int32, 1), make([]int32, 2)
	run(2, 1, func(t *gocuda.Thread) {
		out[t.BlockIdx.X] = data[0]
		if t.BlockIdx.X == 1 { data[0] = 7 }
	})`, "race", sanitize.SeverityError, 4},
		{"AtomicThenPlain", `d, out := make([]int32, 1), make([]int32, 1)
	run(1, 4, func(t *gocuda.Thread) {
		atomic.Add(&d[0], 1)
		if t.ThreadIdx.X == 3 { out[0] = d[0] }
	})`, "race", sanitize.SeverityWarning, 4},
		{"Atomics", `d := make([]int32, 1)
	run(4, 64, func(t *gocuda.Thread) { atomic.Add(&d[0], 1) })`, "", 0, 0},
		{"LastBlock", `part, n, out := make([]int32, 4), make([]int32, 1), make([]int32, 1)
	run(4, 1, func(t *gocuda.Thread) {
		part[t.BlockIdx.X] = 1
		t.Threadfence()
		if atomic.Add(&n[0], 1) == 3 {
			for _, v := range part { out[0] += v }
		}
	})`, "", 0, 0},
		{"UnsetShared", `out := make([]int32, 32)
	run(1, 32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		out[t.ThreadIdx.X] = s[t.ThreadIdx.X]
	})`, "init", sanitize.SeverityError, 32},
	}
	var source strings.Builder
	source.WriteString(program)
	for _, a := range answers {
		source.WriteString("\nfunc Test" + a.name + "(t *testing.T) {\n\t" + a.body + "\n}\n")
	}
	found := findings(t, source.String())
	for _, a := range answers {
		t.Run(a.name, func(t *testing.T) {
			var of []sanitize.Finding
			for _, f := range found {
				if strings.Contains(f.Kernel, "Test"+a.name+".") && (a.tool == "" || f.Tool == a.tool) {
					of = append(of, f)
				}
			}
			if a.tool == "" {
				assert.Empty(t, of)
				return
			}
			require.Len(t, of, 1)
			assert.Equal(t, a.severity, of[0].Severity)
			if a.count > 0 {
				assert.Equal(t, a.count, of[0].Count)
			}
			assert.Contains(t, of[0].First.File, "k_test.go")
			assert.Positive(t, of[0].First.Line)
		})
	}
}
