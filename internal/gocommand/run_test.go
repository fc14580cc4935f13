package gocommand

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The go command calls this program for its tools while coverage is measured.
func TestMain(m *testing.M) {
	if status, ok := ServeTools(os.Args[1:], os.Stdout, os.Stderr); ok {
		os.Exit(status)
	}
	if len(os.Args) > 1 && os.Args[1] == "as-go" {
		os.Exit(Run(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

const head = `

import "github.com/gocuda/gocuda/gocuda"

`

// A kernel and a func that runs it: the code is generated, so neither builds by itself.
const libSource = "package lib" + head + `//gocuda:kernel
func Scale(t *gocuda.Thread, a float32, x []float32) {
	if i := t.GlobalX(); i < len(x) {
		x[i] *= a
	}
}
`

const mainSource = `package main

import (
	"context"
	"fmt"
	"os"

	"example.com/try/lib"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

//gocuda:kernel
func add(t *gocuda.Thread, a float32, x []float32) {
	if i := t.GlobalX(); i < len(x) {
		x[i] += a
	}
}

func main() {
	ctx, x := context.Background(), []float32{1, 2, 3}
	err := gocuda.Launch(ctx, grid.Linear(3, 32), lib.ScaleKernel(2, x))
	if err == nil {
		err = gocuda.Launch(ctx, grid.Linear(3, 32), addKernel(1, x))
	}
	fmt.Println(x, err, os.Args[1:])
	if len(os.Args) > 1 && os.Args[1] == "fail" {
		os.Exit(3)
	}
}
`

const internalTest = `package lib

import (
	"context"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

//gocuda:kernel
func square(t *gocuda.Thread, x []float32) {
	if i := t.GlobalX(); i < len(x) {
		x[i] *= x[i]
	}
}

func TestInside(t *testing.T) {
	x := []float32{1, 2, 3}
	if err := gocuda.Launch(context.Background(), grid.Linear(3, 32), ScaleKernel(2, x)); err != nil {
		t.Fatal(err)
	}
	if err := gocuda.Launch(context.Background(), grid.Linear(3, 32), squareKernel(x)); err != nil {
		t.Fatal(err)
	}
	if x[0] != 4 || x[1] != 16 || x[2] != 36 {
		t.Fatal(x)
	}
}
`

const externalTest = `package lib_test

import (
	"context"
	"testing"

	"example.com/try/lib"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

//gocuda:kernel
func square(t *gocuda.Thread, x []float32) {
	if i := t.GlobalX(); i < len(x) {
		x[i] *= x[i]
	}
}

func TestOutside(t *testing.T) {
	x := []float32{1, 2, 3}
	if err := gocuda.Launch(context.Background(), grid.Linear(3, 32), lib.ScaleKernel(3, x)); err != nil {
		t.Fatal(err)
	}
	if err := gocuda.Launch(context.Background(), grid.Linear(3, 32), squareKernel(x)); err != nil {
		t.Fatal(err)
	}
	if x[0] != 9 || x[1] != 36 || x[2] != 81 {
		t.Fatal(x)
	}
}
`

// inModule makes a module with these files, and goes there. Nothing else is in its cache.
func inModule(t *testing.T, files map[string]string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod") // the go command adds what gocuda requires
	t.Setenv("GOPROXY", "off")
	t.Setenv(CacheVariable, t.TempDir())
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	write(t, "go.sum", string(sums))
	write(t, "go.mod", fmt.Sprintf("module example.com/try\n\ngo 1.26\n\nrequire github.com/gocuda/gocuda v0.0.0\n\nreplace github.com/gocuda/gocuda => %s\n", root))
	for name, text := range files {
		write(t, name, text)
	}
	out, err := exec.Command("go", "list", "-deps", "-test", "./...").CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Setenv("GOFLAGS", "-trimpath -vet=off") // to be quick; and who writes go.mod or go.sum fails
}

func write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
}

// goCommand runs the go command, which writes nothing into the tree but files whose names contain
// "built".
func goCommand(t *testing.T, line string) (status int, stdout, stderr string) {
	t.Helper()
	before := tree(t)
	var out, err bytes.Buffer
	status = Run(strings.Fields(line), &out, &err)
	assert.Equal(t, before, tree(t), "go %s writes into the tree", line)
	return status, out.String(), err.String()
}

// mustGo runs the go command, which must succeed and say nothing on standard error.
func mustGo(t *testing.T, line string) string {
	t.Helper()
	status, stdout, stderr := goCommand(t, line)
	require.Equal(t, 0, status, "go %s\n%s%s", line, stdout, stderr)
	require.Empty(t, stderr, "go %s", line)
	return stdout
}

// tree returns the texts of all files below the working directory, by name.
func tree(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "built") {
			return err
		}
		data, err := os.ReadFile(path)
		texts[path] = string(data)
		return err
	}))
	return texts
}

func everything() map[string]string {
	return map[string]string{
		"main.go": mainSource, "lib/lib.go": libSource, "lib/in_test.go": internalTest, "lib/out_test.go": externalTest,
	}
}

func TestRunsWhatIsThere(t *testing.T) {
	inModule(t, everything())
	assert.Equal(t, "[3 5 7] <nil> []\n", mustGo(t, "run ."))
	assert.Equal(t, "[3 5 7] <nil> [-- -n 1]\n", mustGo(t, "run . -- -n 1"))
	assert.Equal(t, "[3 5 7] <nil> [x]\n", mustGo(t, "run main.go x"), "named files")
	if runtime.GOOS == "linux" {
		assert.Equal(t, "[3 5 7] <nil> []\n", mustGo(t, "run -exec env ."))
	}
	status, stdout, stderr := goCommand(t, "run . fail")
	assert.Equal(t, 1, status)
	assert.Equal(t, "[3 5 7] <nil> [fail]\n", stdout)
	assert.Equal(t, "exit status 3\n", stderr)

	mustGo(t, "vet ./...")
	mustGo(t, "build -o built.exe")
	out, err := exec.Command("./built.exe").CombinedOutput()
	require.NoError(t, err)
	assert.Equal(t, "[3 5 7] <nil> []\n", string(out))
	tests := mustGo(t, "test -v ./... -count=1")
	assert.Contains(t, tests, "--- PASS: TestInside")
	assert.Contains(t, tests, "--- PASS: TestOutside")
	assert.NotContains(t, mustGo(t, "test -C lib . -v -run TestOut -count=1"), "TestInside")
	assert.Contains(t, mustGo(t, "test -c -o built.test ./lib"), "")
	assert.FileExists(t, "built.test")

	// A change of a source is a change of what runs.
	write(t, "lib/lib.go", strings.Replace(libSource, "*= a", "*= 10 * a", 1))
	assert.Equal(t, "[21 41 61] <nil> []\n", mustGo(t, "run ."))
	status, stdout, _ = goCommand(t, "test ./lib")
	assert.Equal(t, 1, status)
	assert.Contains(t, stdout, "--- FAIL: TestInside")
	// So is one of a helper elsewhere, and of nothing but a name.
	write(t, "help/help.go", "package help\n\nconst Factor = 7\n")
	write(t, "lib/lib.go", strings.NewReplacer("*= a", "*= help.Factor", head, head+"import \"example.com/try/help\"\n\n").Replace(libSource))
	assert.Equal(t, "[8 15 22] <nil> []\n", mustGo(t, "run ."))
	write(t, "help/help.go", "package help\n\nconst Factor = 8\n")
	assert.Equal(t, "[9 17 25] <nil> []\n", mustGo(t, "run ."))
}

// A package that only a test imports, and that imports what is tested: it is there as a variant for
// that test alone.
func TestVariantsForTests(t *testing.T) {
	inModule(t, everything())
	write(t, "dep/dep.go", "package dep\n\nimport (\n\t_ \"example.com/try/lib\"\n\n\t\"github.com/gocuda/gocuda/gocuda\"\n)\n\n"+
		"//gocuda:kernel\nfunc Set(t *gocuda.Thread, x []float32) { x[t.GlobalX()] = 7 }\n")
	write(t, "lib/dep_test.go", `package lib_test

import (
	"context"
	"testing"

	"example.com/try/dep"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func TestDep(t *testing.T) {
	x := make([]float32, 1)
	if err := gocuda.Launch(context.Background(), grid.Linear(1, 1), dep.SetKernel(x)); err != nil || x[0] != 7 {
		t.Fatal(x, err)
	}
}
`)
	assert.Contains(t, mustGo(t, "test -v -run TestDep ./lib"), "--- PASS: TestDep")
}

// The tree is the same by whatever way one comes to it, and a file that is built by its name alone
// has kernels too.
func TestSymlinksAndNamedFiles(t *testing.T) {
	files := everything()
	files["tool/gen.go"] = "//go:build ignore\n\n" + strings.Replace(mainSource, "addKernel(1, x)", "addKernel(10, x)", 1)
	inModule(t, files)
	assert.Equal(t, "[12 14 16] <nil> [a b.go]\n", mustGo(t, "run ./tool/gen.go a b.go"))
	assert.Contains(t, mustGo(t, "test -v lib/lib.go lib/in_test.go"), "--- PASS: TestInside")
	assert.Contains(t, mustGo(t, "test -v lib/out_test.go"), "--- PASS: TestOutside")
	for _, arch := range []string{"amd64", "arm64"} {
		assembly, err := filepath.Glob(filepath.Join(os.Getenv(CacheVariable), "*", "*_"+arch+".s"))
		require.NoError(t, err)
		want := 0 // for other machines
		if arch == runtime.GOARCH {
			want = 1
		}
		assert.Len(t, assembly, want, "of the package, since the file itself can't have any")
	}
	here, err := os.Getwd()
	require.NoError(t, err)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(here, link); err != nil {
		t.Skip(err)
	}
	assert.Equal(t, "[3 5 7] <nil> []\n", mustGo(t, "run -C "+link+" ."))
	t.Chdir(link)
	assert.Equal(t, "[3 5 7] <nil> [x]\n", mustGo(t, "run main.go x"))
	assert.Contains(t, mustGo(t, "test -C lib -count=1"), "ok")
}

func TestRaceAndCoverage(t *testing.T) {
	inModule(t, everything())
	profile := func(line string) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "profile")
		mustGo(t, line+" -coverprofile="+file)
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		return string(data)
	}
	covered := profile("test ./lib")
	assert.Regexp(t, `try/lib/lib.go:7.\S+ 1 1\n`, covered, "the lines of the kernel itself run")
	assert.NotContains(t, covered, "_gocuda")
	assert.Regexp(t, `try/lib/lib.go:6.\S+ 1 64\n`, profile("test -covermode=atomic -coverpkg=./... ./lib"), "each of the threads of both tests")
	mustGo(t, "build -cover -o built.exe .")
	if raceWorks() {
		assert.Contains(t, mustGo(t, "test -race ./lib"), "ok")
	}
}

// raceWorks reports whether the go command can build with -race here.
func raceWorks() bool {
	out, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	return err == nil && strings.TrimSpace(string(out)) == "1" && runtime.GOOS == "linux" && runtime.GOARCH == "amd64"
}

func TestCommittedFilesAreNotUsed(t *testing.T) {
	files := everything()
	const own = "// Code generated by gocuda gen. DO NOT EDIT.\n"
	files["lib/lib_gocuda.go"] = own + "\npackage lib\n\nfunc ScaleKernel() { this is old }\n"
	files["lib/lib_gocuda_simd_amd64.go"] = own + "\npackage lib\n\nfunc old() {}\n"
	files["gone/gone.go"] = "package gone\n"
	files["gone/gone_gocuda.go"] = own + "\npackage gone\n\nvar _ = kernelThatWasDeleted\n"
	inModule(t, files)
	write(t, "main.go", strings.Replace(mainSource, "import (", "import (\n\t_ \"example.com/try/gone\"", 1))
	assert.Equal(t, "[3 5 7] <nil> []\n", mustGo(t, "run ."))
	mustGo(t, "test ./...")
	mustGo(t, "vet ./...")
	// The package had another name before, under which nothing builds beside it.
	write(t, "lib/other_gocuda.go", own+"\npackage other\n")
	assert.Equal(t, "[3 5 7] <nil> []\n", mustGo(t, "run ."))
	require.NoError(t, os.Remove("lib/other_gocuda.go"))

	write(t, "lib/lib_gocuda.go", "package lib\n\nfunc mine() {}\n")
	status, _, stderr := goCommand(t, "run .")
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, "lib_gocuda.go was not written by gocuda gen")
}

func TestWhatTheCompilerRefuses(t *testing.T) {
	files := everything()
	files["lib/lib.go"] += "\n//gocuda:kernel\nfunc Ask(t *gocuda.Thread) { go func() {}() }\n"
	inModule(t, files)
	for range 2 { // the second time the code is in the cache
		status, stdout, stderr := goCommand(t, "run .")
		assert.Equal(t, 0, status)
		assert.Equal(t, "[3 5 7] <nil> []\n", stdout)
		assert.Equal(t, filepath.FromSlash("lib/lib.go")+":13:30: Ask stays on coroutines: goroutines are not translated\n", stderr)
	}
	write(t, "lib/lib.go", strings.Replace(files["lib/lib.go"], "a float32, x []float32)", "a float32, x []float32) int", 1))
	for range 2 {
		status, stdout, stderr := goCommand(t, "run .")
		assert.Equal(t, 1, status)
		assert.Empty(t, stdout)
		assert.Equal(t, "gocuda gen: "+filepath.FromSlash("lib/lib.go")+":6:6: Scale: a kernel has no results\n", stderr)
	}
	write(t, "lib/lib.go", libSource)
	status, _, stderr := goCommand(t, "run ./nowhere")
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, "nowhere", "the go command says it")
	status, _, stderr = goCommand(t, "build -nosuchflag")
	assert.Equal(t, 2, status)
	assert.Contains(t, stderr, "nosuchflag")
}

func TestOverlayOfTheUser(t *testing.T) {
	inModule(t, everything())
	write(t, "elsewhere/lib.go.txt", strings.Replace(libSource, "*= a", "*= 100 * a", 1))
	list, err := json.Marshal(map[string]map[string]string{"Replace": {"lib/lib.go": "elsewhere/lib.go.txt", "lib/gone.go": ""}})
	require.NoError(t, err)
	write(t, "elsewhere/overlay.json", string(list))
	write(t, "lib/gone.go", "package lib\n\nfunc Scale() {}\n")
	assert.Equal(t, "[201 401 601] <nil> []\n", mustGo(t, "run -overlay elsewhere/overlay.json ."))
	t.Setenv("GOFLAGS", "-trimpath -vet=off -overlay=elsewhere/overlay.json")
	assert.Equal(t, "[201 401 601] <nil> []\n", mustGo(t, "run ."))
	t.Setenv("GOFLAGS", "-trimpath -vet=off")
	status, _, stderr := goCommand(t, "run -overlay nowhere.json .")
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, "nowhere.json")
}

func TestTagsAndWorkspaces(t *testing.T) {
	files := everything()
	files["lib/lib.go"] = "//go:build !fast\n\n" + libSource
	files["lib/fast.go"] = "//go:build fast\n\n" + strings.Replace(libSource, "*= a", "*= 5 * a", 1)
	inModule(t, files)
	assert.Equal(t, "[3 5 7] <nil> []\n", mustGo(t, "run ."))
	assert.Equal(t, "[11 21 31] <nil> []\n", mustGo(t, "run -tags fast ."))

	// A workspace with a second module, whose kernels are compiled as well.
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	sum, err := os.ReadFile("go.sum")
	require.NoError(t, err)
	write(t, "second/go.mod", strings.Replace(string(mod), "example.com/try", "example.com/second", 1))
	write(t, "second/go.sum", string(sum))
	write(t, "second/main.go", strings.NewReplacer("import (", "import (\n\"example.com/second/own\"", "addKernel(1, x)", "own.ScaleKernel(0.5, x)").Replace(mainSource))
	write(t, "second/own/own.go", strings.Replace(libSource, "package lib", "package own", 1))
	write(t, "go.work", "go 1.26\n\nuse (\n\t.\n\t./second\n)\n")
	t.Setenv("GOWORK", "")
	assert.Equal(t, "[1 2 3] <nil> []\n", mustGo(t, "run ./second"))
	assert.Equal(t, "[1 2 3] <nil> []\n", mustGo(t, "run -C second ."))
}

// The second call finds everything in the cache, wherever it is made and whatever it builds.
func TestCache(t *testing.T) {
	inModule(t, everything())
	dir := os.Getenv(CacheVariable)
	count := func() (n int) {
		names, err := filepath.Glob(filepath.Join(dir, "*", entryFile))
		require.NoError(t, err)
		return len(names)
	}
	mustGo(t, "build -o built.exe .")
	assert.Equal(t, 2, count())
	mustGo(t, "run .")
	mustGo(t, "build -C lib -o ../built.exe ..")
	assert.Equal(t, 2, count())
	mustGo(t, "vet ./lib")
	assert.Equal(t, 4, count(), "with the kernels of both kinds of tests")
	mustGo(t, "test ./lib")
	assert.Equal(t, 4, count())

	// What is not whole is made again.
	names, err := filepath.Glob(filepath.Join(dir, "*", "lib_gocuda.go"))
	require.NoError(t, err)
	require.Len(t, names, 1)
	require.NoError(t, os.Remove(names[0]))
	assert.Equal(t, "[3 5 7] <nil> []\n", mustGo(t, "run ."))
	assert.FileExists(t, names[0])

	// Old entries go, and nothing else does.
	old := time.Now().Add(-2 * kept)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	write(t, filepath.Join(dir, "mine", "file"), "")
	for _, e := range append([]string{"mine"}, namesOf(entries)...) {
		require.NoError(t, os.Chtimes(filepath.Join(dir, e), old, old))
	}
	mustGo(t, "build -o built.exe .")
	assert.Equal(t, 0+2, count(), "those of the tests are gone, and those in use made again")
	assert.FileExists(t, filepath.Join(dir, "mine", "file"))
}

func namesOf(entries []os.DirEntry) (names []string) {
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A signal goes on to the go command, and its end is the end of this program.
func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("no signals")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	inModule(t, map[string]string{"main.go": `package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	fmt.Println("here")
	io.Copy(io.Discard, os.Stdin)
}
`})
	cmd := exec.Command(self, "as-go", "run", ".")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.ReadFull(out, make([]byte, len("here\n")))
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(os.Interrupt)) // go run leaves that to the program, which does not get it
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	state, err := cmd.Process.Wait() // without the pipes, which the program holds
	require.NoError(t, err)
	assert.Equal(t, 128+15, state.ExitCode())
	in.Close() // the end of the program, which go run has left
}
