package compiler

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	goodSource = `package good

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func double(t *gocuda.Thread, x []float32) {
	i := t.GlobalX()
	if i < len(x) {
		x[i] *= 2
	}
}

// Kernel uses what is not generated yet.
func Kernel(x []float32) gocuda.Kernel { return doubleKernel(x) }
`
	mixedSource = `package mixed

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func first(t *gocuda.Thread, x []float32) { x[t.GlobalX()] = 1 }

//gocuda:kernel
func second(t *gocuda.Thread, x []float32) {
	go func() { x[t.GlobalX()] = 1 }()
}
`
	noneSource = `package none

import "github.com/gocuda/gocuda/gocuda"

func rank(t *gocuda.Thread) int { return t.Rank() }
`
)

// inModule creates a module for a test and changes to its folder.
func inModule(t *testing.T, files map[string]string) {
	t.Helper()
	dir, err := writeModule(files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
}

// gen runs gocuda gen.
func gen(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = Command(args, &out, &err)
	return status, out.String(), err.String()
}

// mustGen runs gocuda gen, which must succeed and print nothing.
func mustGen(t *testing.T, args ...string) {
	t.Helper()
	if status, stdout, stderr := gen(args...); status != 0 || stdout+stderr != "" {
		t.Fatalf("gocuda gen %v: status %d\n%s%s", args, status, stdout, stderr)
	}
}

// files returns all files below the working directory, by name.
func files(t *testing.T) map[string]string {
	t.Helper()
	m := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		m[filepath.ToSlash(path)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// changes returns the names of the files that differ, sorted, with + for new and - for removed
// ones.
func changes(before, after map[string]string) string {
	var list []string
	for name, text := range after {
		if old, ok := before[name]; !ok {
			list = append(list, "+"+name)
		} else if old != text {
			list = append(list, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			list = append(list, "-"+name)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const bothGood = "+good/good_gocuda.go +good/good_gocuda_amd64.go +good/good_gocuda_amd64.s +good/good_gocuda_arm64.go +good/good_gocuda_arm64.s +good/good_gocuda_nests.go +good/good_gocuda_noasm.go"

func TestCommandWrites(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": goodSource, "none/none.go": noneSource})
	before := files(t)
	mustGen(t, "./...")
	generated := files(t)
	if got := changes(before, generated); got != bothGood {
		t.Errorf("it wrote %q", got)
	}
	info, err := os.Stat("good/good_gocuda.go")
	if err != nil {
		t.Fatal(err)
	}

	// A second run has nothing to do, and keeps the files' modification times.
	mustGen(t, "./...")
	if got := changes(generated, files(t)); got != "" {
		t.Errorf("a second run changed %q", got)
	}
	if again, err := os.Stat("good/good_gocuda.go"); err != nil || again.ModTime() != info.ModTime() {
		t.Errorf("a second run wrote the same file again (%v)", err)
	}
	mustGen(t, "-check", "./...")

	// Generated files are no input: they may be stale, broken or of another package.
	for _, text := range []string{"", "package", "package other\n", "package good\n\nfunc double() {}\n", "package good\n\nvar x int = \"a\"\n"} {
		text = generatedHead + "\n" + text
		write(t, "good/good_gocuda.go", text)
		write(t, "good/good_gocuda_amd64.s", text)
		if status, _, stderr := gen("./good"); status != 0 {
			t.Errorf("from %q: status %d\n%s", text, status, stderr)
		} else if got := changes(generated, files(t)); got != "" {
			t.Errorf("from %q: %q differ", text, got)
		}
	}

	// The default is the package in the working directory.
	os.Remove("good/good_gocuda.go")
	t.Chdir("good")
	mustGen(t)
	t.Chdir("..")
	if got := changes(generated, files(t)); got != "" {
		t.Errorf("in the folder of the package: %q differ", got)
	}

	// The result compiles.
	if raceEnabled {
		return
	}
	if out, err := exec.Command("go", "vet", "./...").CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

func TestCommandCheck(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": goodSource, "mixed/mixed.go": mixedSource, "none/none.go": noneSource})
	stale := func(what string, want ...string) {
		t.Helper()
		before := files(t)
		status, stdout, stderr := gen("-check", "./good", "./none")
		if status != 1 || stdout != "" || strings.Count(stderr, "\n") != len(want) {
			t.Errorf("%s: status %d\n%s%s", what, status, stdout, stderr)
		}
		for _, name := range want {
			if !strings.Contains(stderr, filepath.FromSlash(name)+" is not up to date") {
				t.Errorf("%s: %q does not name %s", what, stderr, name)
			}
		}
		if got := changes(before, files(t)); got != "" {
			t.Errorf("%s: it changed %s", what, got)
		}
	}
	stale("never generated", "good/good_gocuda.go", "good/good_gocuda_amd64.go", "good/good_gocuda_amd64.s", "good/good_gocuda_arm64.go", "good/good_gocuda_arm64.s", "good/good_gocuda_nests.go", "good/good_gocuda_noasm.go")
	mustGen(t, "./good", "./none")
	mustGen(t, "-check", "./good", "./none")

	write(t, "good/good.go", strings.Replace(goodSource, "*= 2", "*= 3", 1))
	stale("changed source", "good/good_gocuda.go", "good/good_gocuda_amd64.s", "good/good_gocuda_arm64.s", "good/good_gocuda_nests.go")
	write(t, "good/good.go", goodSource)
	mustGen(t, "-check", "./good", "./none")

	text := files(t)["good/good_gocuda.go"]
	write(t, "good/good_gocuda.go", text+"\n")
	stale("changed by hand", "good/good_gocuda.go")
	write(t, "good/good_gocuda.go", text)

	write(t, "none/none_gocuda.go", "package none\n")
	mustGen(t, "-check", "./good", "./none") // a file that gocuda gen did not write
	write(t, "none/none_gocuda.go", generatedHead+"\n\npackage none\n")
	stale("a file that should not be there", "none/none_gocuda.go")
	os.Remove("none/none_gocuda.go")

	// A package with a kernel on coroutines can be up to date.
	gen("./mixed")
	if status, _, stderr := gen("-check", "./mixed"); status != 0 || !strings.Contains(stderr, "second stays on coroutines") {
		t.Errorf("with a fallback: status %d, %s", status, stderr)
	}
}

func TestCommandStrict(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": goodSource, "mixed/mixed.go": mixedSource})
	before := files(t)
	status, stdout, stderr := gen("-strict", "./...")
	if want := filepath.FromSlash("mixed/mixed.go") + ":10:2: second stays on coroutines: goroutines are not translated\n"; status != 1 || stdout != "" || stderr != want {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	// The correct package is written, the other is not.
	after := files(t)
	if got := changes(before, after); got != bothGood {
		t.Errorf("it wrote %q", got)
	}
	mustGen(t, "-strict", "./good")

	// Without -strict such a kernel is no failure.
	status, _, lenient := gen("./...")
	if status != 0 || lenient != stderr {
		t.Errorf("without -strict: status %d\n%s", status, lenient)
	}
	if got := changes(after, files(t)); got != "+mixed/mixed_gocuda.go +mixed/mixed_gocuda_amd64.go +mixed/mixed_gocuda_amd64.s +mixed/mixed_gocuda_arm64.go +mixed/mixed_gocuda_arm64.s +mixed/mixed_gocuda_nests.go +mixed/mixed_gocuda_noasm.go" {
		t.Errorf("without -strict it wrote %q", got)
	}
	if text := files(t)["mixed/mixed_gocuda.go"]; !strings.Contains(text, "rt.Uncompiled[gocuda.Kernel](\"mixed.second\"") || !strings.Contains(text, "rt.Forms{Name: \"mixed.first\", Traits: rt.CompiledRows | rt.CompiledEnding,") {
		t.Errorf("one kernel of two is compiled:\n%s", text)
	}
}

func TestCommandExplain(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": goodSource, "mixed/mixed.go": mixedSource, "none/none.go": noneSource})
	before := files(t)
	status, stdout, stderr := gen("-explain", "./...")
	if status != 0 {
		t.Errorf("status %d\n%s", status, stderr)
	}
	for _, want := range []string{
		"good/good.go:6:6: double: 1 phase\n",
		"good/good.go:8:2: double: phase 1: the condition became the bounds of the loop over threads\n",
		"good/good.go:8:2: double: phase 1: rows in assembly; expected cost, for 1 in plain Go: 0.",
		"mixed/mixed.go:6:6: first: 1 phase\n",
		"mixed/mixed.go:10:2: second: not translated: goroutines are not translated\n",
	} {
		if !strings.Contains(filepath.ToSlash(stdout), want) {
			t.Errorf("it does not say %q:\n%s", want, stdout)
		}
	}
	if got := changes(before, files(t)); got != "" {
		t.Errorf("it changed %s", got)
	}
	if status, _, _ := gen("-explain", "-strict", "./mixed"); status != 1 {
		t.Errorf("with -strict: status %d", status)
	}
}

func TestCommandRemoves(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": goodSource, "none/none.go": noneSource, "none/other_gocuda.txt": "mine"})
	mustGen(t, "./good")
	write(t, "good/good.go", "package good\n")
	before := files(t)
	mustGen(t, "./...")
	if got := changes(before, files(t)); got != "-good/good_gocuda.go -good/good_gocuda_amd64.go -good/good_gocuda_amd64.s -good/good_gocuda_arm64.go -good/good_gocuda_arm64.s -good/good_gocuda_nests.go -good/good_gocuda_noasm.go" {
		t.Errorf("it removed %q", got)
	}
}

// The names of generated files contain the name of the package. When the package is renamed, so are
// they.
func TestCommandRenamed(t *testing.T) {
	for _, source := range []string{"a.go", "z.go"} { // sorted before and after the generated files
		t.Run(source, func(t *testing.T) {
			inModule(t, map[string]string{
				"good/" + source:     goodSource,
				"user/user.go":       "package user\n\nimport better \"example.com/kernels/good\"\n\nvar Double = better.Kernel\n",
				"good/old_gocuda.go": "// Code generated by gocuda gen. DO NOT EDIT.\n\npackage old\n",
			})
			before := files(t)
			mustGen(t, "./...")
			if got := changes(before, files(t)); got != bothGood+" -good/old_gocuda.go" {
				t.Errorf("beside a file of its own of another package it changed %q", got)
			}

			write(t, "good/"+source, strings.Replace(goodSource, "package good", "package better", 1))
			before = files(t)
			status, _, stderr := gen("-check", "./...")
			if status != 1 || strings.Count(stderr, " is not up to date; run gocuda gen\n") != 14 {
				t.Errorf("-check: status %d\n%s", status, stderr)
			}
			if got := changes(before, files(t)); got != "" {
				t.Errorf("-check changed %q", got)
			}
			mustGen(t, "./...")
			after := files(t)
			if got := changes(before, after); got != "+good/better_gocuda.go +good/better_gocuda_amd64.go +good/better_gocuda_amd64.s +good/better_gocuda_arm64.go +good/better_gocuda_arm64.s +good/better_gocuda_nests.go +good/better_gocuda_noasm.go -good/good_gocuda.go -good/good_gocuda_amd64.go -good/good_gocuda_amd64.s -good/good_gocuda_arm64.go -good/good_gocuda_arm64.s -good/good_gocuda_nests.go -good/good_gocuda_noasm.go" {
				t.Errorf("it changed %q", got)
			}
			if text := after["good/better_gocuda.go"]; !strings.Contains(text, "\npackage better\n") {
				t.Errorf("the package of the new file:\n%s", text)
			}
			mustGen(t, "-check", "./...")
			if raceEnabled {
				return
			}
			if out, err := exec.Command("go", "vet", "./...").CombinedOutput(); err != nil {
				t.Errorf("go vet: %v\n%s", err, out)
			}
		})
	}
}

// A package that is only partly renamed is an error, and its generated files are kept.
func TestCommandHalfRenamed(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": goodSource, "good/help.go": "package good\n"})
	mustGen(t, "./good")
	write(t, "good/help.go", "package better\n")
	before := files(t)
	status, _, stderr := gen("./good")
	if want := "gocuda gen: " + filepath.FromSlash("good/help.go") + ":1:9: the package is better here and good in " + filepath.FromSlash("good/good.go") + "\n"; status != 1 || stderr != want {
		t.Errorf("status %d\n%s", status, stderr)
	}
	if got := changes(before, files(t)); got != "" {
		t.Errorf("it changed %q", got)
	}
}

// If files are named on the command line, the folder may contain files of other packages.
func TestCommandNamedFiles(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": goodSource, "good/old_gocuda.go": "// Code generated by gocuda gen. DO NOT EDIT.\n\npackage old\n"})
	before := files(t)
	mustGen(t, "good/good.go")
	if got := changes(before, files(t)); got != bothGood {
		t.Errorf("it changed %q", got)
	}
}

// When the last kernel is removed, -check reports that the generated files should be removed. So it
// does when the whole source is removed.
func TestCommandCheckRemoves(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": goodSource, "none/none.go": noneSource})
	mustGen(t, "./good")
	for _, last := range []func(){
		func() { write(t, "good/good.go", "package good\n") },
		func() { write(t, "good/good.go", "package better\n") },
		func() { os.Remove("good/good.go") },
	} {
		last()
		before := files(t)
		status, stdout, stderr := gen("-check", "./...")
		want := ""
		for _, name := range []string{"good_gocuda.go", "good_gocuda_amd64.go", "good_gocuda_amd64.s", "good_gocuda_arm64.go", "good_gocuda_arm64.s", "good_gocuda_nests.go", "good_gocuda_noasm.go"} {
			want += filepath.Join("good", name) + " is not up to date; run gocuda gen\n"
		}
		if status != 1 || stdout != "" || stderr != want {
			t.Errorf("status %d\n%s%s", status, stdout, stderr)
		}
		if got := changes(before, files(t)); got != "" {
			t.Errorf("-check changed %q", got)
		}
	}
	before := files(t)
	mustGen(t, "./...")
	if got := changes(before, files(t)); got != "-good/good_gocuda.go -good/good_gocuda_amd64.go -good/good_gocuda_amd64.s -good/good_gocuda_arm64.go -good/good_gocuda_arm64.s -good/good_gocuda_nests.go -good/good_gocuda_noasm.go" {
		t.Errorf("it changed %q", got)
	}
}

// Files of vector code are removed when no longer needed.
func TestCommandRemovesVectors(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": goodSource})
	mustGen(t, "./good")
	write(t, "good/good.go", strings.Replace(goodSource, "x[i] *= 2", "panic(x[i])", 1))
	before := files(t)
	mustGen(t, "./good")
	if got := changes(before, files(t)); got != "-good/good_gocuda_amd64.go -good/good_gocuda_amd64.s -good/good_gocuda_arm64.go -good/good_gocuda_arm64.s -good/good_gocuda_nests.go -good/good_gocuda_noasm.go good/good_gocuda.go" {
		t.Errorf("it changed %q", got)
	}
}

func TestCommandErrors(t *testing.T) {
	inModule(t, map[string]string{
		"good/good.go":     goodSource,
		"syntax/syntax.go": "package syntax\n\nfunc broken( {\n",
		"method/method.go": "package method\n\nimport \"github.com/gocuda/gocuda/gocuda\"\n\ntype box struct{}\n\n//gocuda:kernel\nfunc (box) run(t *gocuda.Thread) {}\n",
		"cycle/cycle.go":   "package cycle\n\nimport _ \"example.com/kernels/cycle\"\n",
	})
	before := files(t)
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"-h"}, 0, "-strict"},
		{[]string{"-nonsense"}, 2, "nonsense"},
		{[]string{"./nowhere"}, 1, "nowhere"},
		{[]string{"./nowhere/..."}, 1, "./nowhere/..."},
		{[]string{"example.com/kernels/nowhere"}, 1, "example.com/kernels/nowhere"},
		{[]string{"./syntax"}, 1, filepath.FromSlash("syntax/syntax.go") + ":3:"},
		{[]string{"./method"}, 1, filepath.FromSlash("method/method.go") + ":8:12: run: a method can't be a kernel"},
	} {
		status, stdout, stderr := gen(c.args...)
		if status != c.status || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("gocuda gen %v: status %d\n%s%s", c.args, status, stdout, stderr)
		}
		if status == 1 && !strings.HasPrefix(stderr, "gocuda gen: ") {
			t.Errorf("gocuda gen %v does not say who complains: %s", c.args, stderr)
		}
	}
	if got := changes(before, files(t)); got != "" {
		t.Errorf("something was written: %s", got)
	}
}

// All packages with errors are reported, and the others are written.
func TestCommandErrorsOfSome(t *testing.T) {
	kernel := func(pkg, imports string) string {
		return strings.NewReplacer("package good", "package "+pkg, "import ", "import _ \"example.com/kernels/"+imports+"\"\nimport ").Replace(goodSource)
	}
	inModule(t, map[string]string{
		"good/good.go":   goodSource,
		"syntax/a.go":    "package syntax\n\nfunc broken( {\n",
		"directive/d.go": strings.Replace(goodSource, "//gocuda:kernel", "//gocuda:kernel fast", 1) + "\n//gocuda:kernel\nvar x int\n",
		"cgo/c.go":       strings.Replace(goodSource, "import", "import \"C\"\nimport", 1),
		"cgo/plain/c.go": "package plain\n\nimport \"C\"\n\nvar x C.int\n",
		"user/u.go":      kernel("user", "syntax"),
		"users/u.go":     kernel("users", "user"),
		"none/none.go":   "package none\n\nimport _ \"example.com/kernels/syntax\"\n",
		"unhurt/u.go":    kernel("unhurt", "directive"),
	})
	t.Setenv("CGO_ENABLED", "1")
	before := files(t)
	const unhurt = "+unhurt/unhurt_gocuda.go +unhurt/unhurt_gocuda_amd64.go +unhurt/unhurt_gocuda_amd64.s +unhurt/unhurt_gocuda_arm64.go +unhurt/unhurt_gocuda_arm64.s +unhurt/unhurt_gocuda_nests.go +unhurt/unhurt_gocuda_noasm.go"
	want := []string{
		"gocuda gen: " + filepath.FromSlash("directive/d.go") + ":16:1: //gocuda:kernel has no effect above a var",
		"gocuda gen: " + filepath.FromSlash("directive/d.go") + ":6:6: double: //gocuda:kernel has no option \"fast\"",
		"gocuda gen: " + filepath.FromSlash("syntax/a.go") + ":3:14: ",
		"gocuda gen: example.com/kernels/cgo uses cgo; move its kernels to a package that does not",
		"gocuda gen: example.com/kernels/user is not translated: it imports example.com/kernels/syntax, which has errors",
		"gocuda gen: example.com/kernels/users is not translated: it imports example.com/kernels/user, which has errors",
	}
	complaints := func(stderr string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(stderr, w) {
				t.Errorf("it does not say %q:\n%s", w, stderr)
			}
		}
		if n := strings.Count(stderr, "gocuda gen: "); n != len(want) {
			t.Errorf("%d complaints, want %d:\n%s", n, len(want), stderr)
		}
	}
	status, stdout, stderr := gen("-explain", "./...")
	if status != 1 || !strings.Contains(stdout, "double: 1 phase\n") {
		t.Errorf("-explain: status %d\n%s", status, stdout)
	}
	complaints(stderr)
	status, _, stderr = gen("-check", "./...")
	if status != 1 || strings.Count(stderr, "is not up to date") != 14 {
		t.Errorf("-check: status %d\n%s", status, stderr)
	}
	complaints(stderr)
	if got := changes(before, files(t)); got != "" {
		t.Errorf("it changed %q", got)
	}
	status, _, stderr = gen("./...")
	if status != 1 {
		t.Errorf("status %d", status)
	}
	complaints(stderr)
	if got := changes(before, files(t)); got != bothGood+" "+unhurt {
		t.Errorf("it changed %q", got)
	}
	// So is an error in an imported package.
	if status, _, stderr := gen("./good", "./user", "./nowhere"); status != 1 || !strings.Contains(stderr, "a.go:3:14: ") || !strings.Contains(stderr, want[4]) ||
		!strings.Contains(stderr, "nowhere") || strings.Count(stderr, "gocuda gen: ") != 3 {
		t.Errorf("status %d\n%s", status, stderr)
	}
}

// A type error elsewhere in the package, or in a kernel, is left to the go command to report.
func TestCommandTypeErrors(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": goodSource + "\nvar wrong int = \"a\"\n"})
	mustGen(t, "./good")
	write(t, "good/good.go", strings.Replace(goodSource, "x[i] *= 2", "x[i] = \"a\"", 1))
	status, _, stderr := gen("-strict", "./good")
	if status != 1 || !strings.Contains(stderr, filepath.FromSlash("good/good.go")+":9:10: double stays on coroutines: cannot use \"a\"") {
		t.Errorf("status %d\n%s", status, stderr)
	}
}

// Packages of all kinds: a command, one of several files, and one whose tests contain kernels.
func TestCommandPackages(t *testing.T) {
	kernel := func(pkg, name string) string {
		return strings.NewReplacer("package good", "package "+pkg, "double", name, "func Kernel(", "func "+name+"Maker(").Replace(goodSource)
	}
	inModule(t, map[string]string{
		"cmd/main.go":        kernel("main", "run") + "\nfunc main() {}\n",
		"several/b.go":       kernel("several", "second"),
		"several/a.go":       kernel("several", "first"),
		"several/c_test.go":  kernel("several", "tested"),
		"several/d_plan9.go": kernel("several", "other"),
		"go-name/x.go":       kernel("name", "named"),
	})
	before := files(t)
	mustGen(t, "./...")
	after := files(t)
	if got := changes(before, after); got != "+cmd/main_gocuda.go +cmd/main_gocuda_amd64.go +cmd/main_gocuda_amd64.s +cmd/main_gocuda_arm64.go +cmd/main_gocuda_arm64.s +cmd/main_gocuda_nests.go +cmd/main_gocuda_noasm.go +go-name/name_gocuda.go +go-name/name_gocuda_amd64.go +go-name/name_gocuda_amd64.s +go-name/name_gocuda_arm64.go +go-name/name_gocuda_arm64.s +go-name/name_gocuda_nests.go +go-name/name_gocuda_noasm.go +several/several_gocuda.go +several/several_gocuda_amd64.go +several/several_gocuda_amd64.s +several/several_gocuda_arm64.go +several/several_gocuda_arm64.s +several/several_gocuda_nests.go +several/several_gocuda_noasm.go" {
		t.Errorf("it wrote %q", got)
	}
	// Kernels are in the order of files and lines; files with build constraints are excluded.
	text := after["several/several_gocuda.go"]
	a, b := strings.Index(text, "func firstKernel("), strings.Index(text, "func secondKernel(")
	if a < 0 || b < a || strings.Contains(text, "testedKernel") || strings.Contains(text, "otherKernel") {
		t.Errorf("the kernels of a package of several files:\n%s", text)
	}
}

// The output for a package does not depend on the other packages of the run.
func TestCommandPackagesAlone(t *testing.T) {
	const named = `package named

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func scale(t *gocuda.Thread, x []float32) {
	scale, other := float32(2), float32(3)
	if i := t.GlobalX(); i < len(x) {
		x[i] = x[i]*scale + other
	}
}
`
	const another = `package other

import (
	"example.com/kernels/other/scale"

	"github.com/gocuda/gocuda/gocuda"
)

//gocuda:kernel
func twice(t *gocuda.Thread, x []float32) {
	if i := t.GlobalX(); i < len(x) {
		x[i] = scale.Twice(x[i])
	}
}
`
	const helper = `package scale

// Twice doubles.
func Twice(x float32) float32 { return x + x }
`
	inModule(t, map[string]string{"named/named.go": named, "other/other.go": another, "other/scale/scale.go": helper})
	mustGen(t, "./named")
	alone := files(t)
	mustGen(t, "./...")
	together := files(t)
	for name, text := range alone {
		if together[name] != text {
			t.Errorf("%s is another when more packages are translated: %s", name, changes(alone, together))
		}
	}
}

// Files that gocuda gen did not write are kept, whatever their names.
func TestCommandOverwritesNothing(t *testing.T) {
	const mine = "package good\n\n// by hand\nvar kept = 1\n"
	inModule(t, map[string]string{"good/good.go": "package good\n", "good/good_gocuda.go": mine, "other/other.go": goodSource})
	before := files(t)
	mustGen(t, "./good")
	if got := changes(before, files(t)); got != "" {
		t.Errorf("without kernels it changed %q", got)
	}
	names := []string{"good_gocuda.go", "good_gocuda_amd64.go", "good_gocuda_amd64.s", "good_gocuda_arm64.go", "good_gocuda_arm64.s", "good_gocuda_nests.go", "good_gocuda_noasm.go"}
	for _, name := range names {
		os.RemoveAll("good")
		os.Mkdir("good", 0o777)
		write(t, "good/good.go", goodSource)
		if strings.HasSuffix(name, ".s") {
			write(t, "good/"+name, "// by hand\n")
		} else {
			write(t, "good/"+name, mine)
		}
		before := files(t)
		for _, args := range [][]string{{"./good"}, {"-check", "./good"}} {
			status, _, stderr := gen(args...)
			if status != 1 || !strings.Contains(stderr, filepath.FromSlash("good/"+name)+" was not written by gocuda gen") {
				t.Errorf("%s, %v: status %d\n%s", name, args, status, stderr)
			}
		}
		if got := changes(before, files(t)); got != "" {
			t.Errorf("beside %s it changed %q", name, got)
		}
	}

	// Links are not followed.
	os.RemoveAll("good")
	os.Mkdir("good", 0o777)
	write(t, "good/good.go", goodSource)
	write(t, "target.go", generatedHead+"\n\npackage good\n")
	if err := os.Symlink("../target.go", "good/good_gocuda.go"); err != nil {
		t.Skip(err)
	}
	before = files(t)
	status, _, stderr := gen("./good")
	if status != 1 || !strings.Contains(stderr, "is no regular file") {
		t.Errorf("a link: status %d\n%s", status, stderr)
	}
	if files(t)["target.go"] != before["target.go"] {
		t.Error("a link was followed")
	}
}

// A misspelt directive is a warning.
func TestCommandMisspelt(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": strings.Replace(goodSource, "//gocuda:kernel", "//gocuda:kernal fastmath", 1)})
	status, _, stderr := gen("./good")
	want := filepath.FromSlash("good/good.go") + ":5:1: //gocuda:kernal is no directive, and does nothing; there is //gocuda:kernel\n"
	if status != 0 || stderr != want {
		t.Errorf("status %d\n%s", status, stderr)
	}
}

// The option novectors leaves a kernel in plain Go.
func TestCommandNoVectors(t *testing.T) {
	inModule(t, map[string]string{"good/good.go": strings.Replace(goodSource, "//gocuda:kernel", "//gocuda:kernel novectors", 1)})
	before := files(t)
	mustGen(t, "./good")
	if got := changes(before, files(t)); got != "+good/good_gocuda.go" {
		t.Errorf("it wrote %q", got)
	}
	if _, stdout, _ := gen("-explain", "./good"); !strings.Contains(stdout, "phase 1: no vectors, since it has the option novectors") {
		t.Errorf("-explain:\n%s", stdout)
	}
}
