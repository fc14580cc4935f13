package prof_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda/rt/warps"
	overlay "github.com/gocuda/gocuda/internal/probe"
	"github.com/gocuda/gocuda/prof"
)

// program is the start of a user's test file.
const program = `package user

import (
	"context"
	"sync"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func launch(g, b grid.Dim3, k func(*gocuda.Thread)) {
	if err := theDevice().LaunchFunc(context.Background(), grid.Config{Grid: g, Block: b}, k); err != nil {
		panic(err)
	}
}

var options []gocuda.Option

var theDevice = sync.OnceValue(func() *gocuda.Device {
	d, err := gocuda.NewDevice(options...)
	if err != nil {
		panic(err)
	}
	return d
})

func dim(x, y int) grid.Dim3 { return grid.Dim3{X: x, Y: y} }
`

// profile runs the tests of a user's module with one file, under the overlay, and returns what is
// counted.
func profile(t *testing.T, source string, args ...string) *prof.Report {
	t.Helper()
	return profileWith(t, prof.Settings{GPU: "ampere"}, source, args...)
}

func profileWith(t *testing.T, settings prof.Settings, source string, args ...string) *prof.Report {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program")
	}
	r, _ := profileIn(t, userModule(t, source), settings, args...)
	return r
}

// userModule makes a user's module with one test file.
func userModule(t testing.TB, source string) (dir string) {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir = t.TempDir()
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
	return dir
}

// profileIn runs the tests of a module under the overlay, and returns what is counted and printed.
func profileIn(t testing.TB, dir string, settings prof.Settings, args ...string) (r *prof.Report, printed string) {
	t.Helper()
	lay := makeOverlay(t, dir)
	return profileBy(t, lay, settings, dir, append([]string{"go", "test", "-overlay", lay.File, "-count=1", "."}, args...)...)
}

func makeOverlay(t testing.TB, dir string) *overlay.Overlay {
	t.Helper()
	lay, err := overlay.Make(t.Context(), overlay.Options{Dir: dir, Tests: true, Profile: true, Imports: []string{"github.com/gocuda/gocuda/prof"}}, ".")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, lay.Close()) })
	return lay
}

// profileBy runs a command that runs tests under the overlay.
func profileBy(t testing.TB, lay *overlay.Overlay, settings prof.Settings, dir string, args ...string) (r *prof.Report, printed string) {
	t.Helper()
	settings.Folder = t.TempDir()
	text, err := json.Marshal(settings)
	require.NoError(t, err)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), prof.Variable+"="+string(text), warps.TableVariable+"="+lay.Sites)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	g, err := prof.FindGPU(settings.GPU)
	require.NoError(t, err)
	r, err = prof.Read(settings.Folder, g)
	require.NoError(t, err)
	return r, string(out)
}

// profileEach runs the tests of a user's module once with each of the options of the device, and
// returns the reports. The program is built once.
func profileEach(t *testing.T, settings prof.Settings, source string, options ...string) (all []*prof.Report) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := userModule(t, source)
	choice := "package user\n\nimport (\n\t\"os\"\n\n\t\"github.com/gocuda/gocuda/gocuda\"\n)\n\nfunc init() {\n\tswitch os.Getenv(\"OPTION\") {\n"
	for i, option := range options {
		choice += fmt.Sprintf("\tcase \"%d\":\n\t\toptions = append(options, gocuda.%s)\n", i, option)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "options_test.go"), []byte(choice+"\tdefault:\n\t\tpanic(\"no option\")\n\t}\n}\n"), 0o600))
	lay := makeOverlay(t, dir)
	program := filepath.Join(dir, "user.test.exe")
	build := exec.Command("go", "test", "-c", "-overlay", lay.File, "-o", program, ".")
	build.Dir = dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for i := range options {
		t.Setenv("OPTION", strconv.Itoa(i))
		r, _ := profileBy(t, lay, settings, dir, program)
		all = append(all, r)
	}
	return all
}

// site returns the site of a kernel with the text and the kind.
func site(t *testing.T, k *prof.Kernel, kind, text string) *prof.Site {
	t.Helper()
	for _, l := range k.Launches {
		for _, s := range l.Sites {
			if s.Kind == kind && s.Text == text {
				return s
			}
		}
	}
	require.Fail(t, "no site", "%s %s in %s", kind, text, k.Name)
	return nil
}
