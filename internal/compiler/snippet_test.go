package compiler

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Snippets: kernels as strings in the tests. They are type-checked with the packages of this
// checkout, which are loaded once.

// snippetImports maps the names of the packages that snippets may use to their paths.
var snippetImports = map[string]string{
	"gocuda": corePath, "grid": gridPath, "atomic": atomicPath,
	"cg":     groupsPath,
	"helper": "example.com/kernels/helper",
	"math":   "math", "bits": "math/bits", "fmt": "fmt", "slices": "slices", "sort": "sort", "sync": "sync", "time": "time",
}

// writeModule writes a module that uses this checkout, and returns its folder.
func writeModule(files map[string]string) (dir string, err error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return "", err
	}
	if dir, err = os.MkdirTemp("", "kernels"); err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	files = maps.Clone(files)
	// The user's go.mod needs the requirements of this module as well; `go mod tidy` would add
	// them.
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(string(own), "\n")
	files["go.mod"] = fmt.Sprintf("module example.com/kernels\n%s\nrequire github.com/gocuda/gocuda v0.0.0\n\nreplace github.com/gocuda/gocuda => %s\n", rest, root)
	files["go.sum"] = string(sums)
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// snippetBase is a program with all packages that snippets import.
var snippetBase = sync.OnceValues(func() (*program, error) {
	src := "package base\n\nimport (\n"
	for _, path := range slices.Sorted(maps.Values(snippetImports)) {
		src += fmt.Sprintf("_ %q\n", path)
	}
	dir, err := writeModule(map[string]string{
		"base/base.go": src + ")\n",
		// A helper in another package, which imports a package that snippets don't.
		"helper/helper.go": "package helper\n\nimport \"math/bits\"\n\nfunc Ones(v uint32) int { return bits.OnesCount32(v) }\n",
	})
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if old, ok := os.LookupEnv("GOWORK"); ok {
		defer os.Setenv("GOWORK", old)
	} else {
		defer os.Unsetenv("GOWORK")
	}
	os.Setenv("GOWORK", "off")
	p, err := load(dir, []string{"./base"}, Options{})
	if err != nil {
		return nil, err
	}
	return p, nil
})

// A snippet is a type-checked source with kernels.
type snippet struct {
	t    *testing.T
	prog *program
	pkg  *pkg
}

var snippets int

// snippetOf type-checks a file, to which it adds the package clause and the imports.
func snippetOf(t *testing.T, text string) *snippet {
	t.Helper()
	shared, err := snippetBase()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{dir: t.TempDir(), fset: shared.fset, pkgs: maps.Clone(shared.pkgs), decls: maps.Clone(shared.decls),
		all: maps.Clone(shared.all), sizes: shared.sizes, goroot: shared.goroot, options: Options{NoNests: true}}
	head := "package snippet\n\nimport (\n"
	for _, name := range slices.Sorted(maps.Keys(snippetImports)) {
		if containsWord(text, name) && strings.Contains(text, name+".") || name == "gocuda" {
			head += fmt.Sprintf("%q\n", snippetImports[name])
		}
	}
	text = head + ")\n\nvar sink any\n\nvar _ *gocuda.Thread\n\n" + text
	if err := os.WriteFile(filepath.Join(p.dir, "kernel.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	snippets++
	path := fmt.Sprintf("example.com/snippet%d", snippets)
	q := &pkg{dir: p.dir, path: path, name: "snippet", target: true}
	f, err := parser.ParseFile(p.fset, filepath.Join(p.dir, "kernel.go"), nil, parseMode)
	if err != nil {
		t.Fatal(err)
	}
	q.files = []*ast.File{f}
	q.sources = map[string][]byte{filepath.Join(p.dir, "kernel.go"): []byte(text)}
	q.info = newInfo()
	conf := types.Config{Importer: p.importer(), Sizes: types.SizesFor("gc", "amd64"), Error: func(err error) {
		q.errs = append(q.errs, err.(types.Error))
	}}
	q.types, _ = conf.Check(path, p.fset, q.files, q.info)
	p.pkgs[path] = q
	p.declare(q)
	return &snippet{t, p, q}
}

// kernels translates the kernels of a snippet.
func (s *snippet) kernels() []*Kernel {
	var list []*Kernel
	for _, d := range s.pkg.files[0].Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			if words, ok := directive(fd); ok {
				list = append(list, translate(s.prog, s.pkg, fd, words, nil))
			}
		}
	}
	return list
}

// built returns the only kernel of a snippet, before all passes.
func (s *snippet) built() *Kernel {
	s.t.Helper()
	for _, d := range s.pkg.files[0].Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			if words, ok := directive(fd); ok {
				k := build(s.prog, s.pkg, fd, words, nil)
				if k.Reason != "" {
					s.t.Fatalf("not translated: %s", k.Reason)
				}
				return k
			}
		}
	}
	s.t.Fatal("no kernel")
	return nil
}

// generated returns the generated Go file of a snippet, type-checked together with the snippet.
func (s *snippet) generated() (text string, err error) {
	r, err := s.prog.generate(s.pkg)
	if err != nil {
		return "", err
	}
	f, err := parser.ParseFile(s.prog.fset, "generated.go", r.Files[0].Data, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	conf := types.Config{Sizes: types.SizesFor("gc", "amd64"), Importer: s.prog.importer()}
	_, err = conf.Check("example.com/both", s.prog.fset, append(slices.Clone(s.pkg.files), f), nil)
	return string(r.Files[0].Data), err
}

// translatedKernel returns the only kernel of a snippet, which must be translated into code that
// compiles.
func translatedKernel(t *testing.T, text string) *Kernel {
	t.Helper()
	s := snippetOf(t, text)
	list := s.kernels()
	if len(list) != 1 {
		t.Fatalf("%d kernels", len(list))
	}
	k := list[0]
	if k.Reason != "" {
		t.Fatalf("not translated: %s", k.Reason)
	}
	if _, err := s.generated(); err != nil {
		t.Fatalf("what is generated does not compile: %v", err)
	}
	return k
}

// kernelOf is translatedKernel for the body of a kernel with the parameters kernelParams.
func kernelOf(t *testing.T, body string) *Kernel {
	t.Helper()
	return translatedKernel(t, inKernel(body))
}

// kernelParams are the parameters of the kernels that inKernel makes.
const kernelParams = "t *gocuda.Thread, x, y []int, fs []float32, n, q int, yes bool, g float64"

func inKernel(body string) string {
	return "//gocuda:kernel\nfunc k(" + kernelParams + ") {\n" + body + "\n}\n"
}

// varNamed returns the variable of k with this name.
func varNamed(t *testing.T, k *Kernel, name string) *Var {
	t.Helper()
	for _, v := range k.Vars {
		if v.Name == name {
			return v
		}
	}
	t.Fatalf("there is no variable %s", name)
	return nil
}

// stmtsOf returns the statements of k that have type S.
func stmtsOf[S Stmt](k *Kernel) []S {
	var list []S
	walk(k.Body, func(s Stmt) {
		if x, ok := s.(S); ok {
			list = append(list, x)
		}
	})
	return list
}

// expected reports a failure, or skips the test if the failure is a known defect.
func expected(t *testing.T, defect string, format string, args ...any) {
	t.Helper()
	if defect != "" {
		t.Skipf("known defect: %s: %s", defect, fmt.Sprintf(format, args...))
	}
	t.Errorf(format, args...)
}

var markers = regexp.MustCompile(`(?m)^.*// HERE.*$`)

// marked returns the line of the snippet with the comment HERE.
func (s *snippet) marked(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.prog.dir, "kernel.go"))
	if err != nil {
		t.Fatal(err)
	}
	at := markers.FindAllIndex(data, -1)
	if len(at) != 1 {
		t.Fatalf("%d lines are marked", len(at))
	}
	return 1 + strings.Count(string(data[:at[0][0]]), "\n")
}

func (s *snippet) position(pos token.Pos) token.Position { return s.prog.fset.Position(pos) }
