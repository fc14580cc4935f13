package rooms

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// A parser of files that several systems have, each of which is parsed once.
type fileParser struct {
	root  string // of our own files; others are right, and their funcs have no bodies
	fset  *token.FileSet
	mu    sync.Mutex
	files map[string]*parsed
}

// A parsed file, once it is.
type parsed struct {
	once sync.Once
	file *ast.File
	err  error
}

func (p *fileParser) parse(name string) (*ast.File, error) {
	p.mu.Lock()
	f := p.files[name]
	if f == nil {
		f = &parsed{}
		p.files[name] = f
	}
	p.mu.Unlock()
	f.once.Do(func() {
		f.file, f.err = parser.ParseFile(p.fset, name, nil, parser.SkipObjectResolution)
		if f.file != nil && !strings.HasPrefix(name, p.root+string(filepath.Separator)) {
			for _, d := range f.file.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					d.Body = nil
				}
			}
		}
	})
	return f.file, f.err
}

// An importFunc is a types.Importer.
type importFunc func(string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }

// The commands, and all packages of ours that they are made of, have no type errors on other
// systems. What only a compiler or a linker finds is not looked for: this takes seconds, and a
// build for each system minutes.
func TestTypesOnOtherSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all of the standard library for several systems")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	files := &fileParser{root: root, fset: token.NewFileSet(), files: map[string]*parsed{}}
	for _, target := range []string{"linux/arm64", "darwin/arm64", "windows/amd64", "linux/386", "linux/riscv64", "js/wasm"} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			system, arch, _ := strings.Cut(target, "/")
			listed, err := packages.Load(&packages.Config{
				// All dependencies are read from source: nothing is compiled.
				Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
				Dir:  root,
				Env:  append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0"),
			}, "./cmd/...", "./gocuda")
			require.NoError(t, err)
			var ours []string
			known := map[*packages.Package]*types.Package{}
			packages.Visit(listed, nil, func(p *packages.Package) { // imports come first
				if p.PkgPath == "unsafe" {
					known[p] = types.Unsafe
					return
				}
				own := p.Module != nil && p.Module.Main
				if own {
					ours = append(ours, p.PkgPath)
				}
				assert.Empty(t, p.Errors, p.PkgPath)
				conf := types.Config{
					Importer: importFunc(func(path string) (*types.Package, error) { return known[p.Imports[path]], nil }),
					Sizes:    types.SizesFor("gc", arch),
					Error:    func(err error) { assert.True(t, !own, "%s: %v", p.PkgPath, err) },
				}
				if p.Module != nil && p.Module.GoVersion != "" {
					conf.GoVersion = "go" + p.Module.GoVersion
				}
				var syntax []*ast.File
				for _, name := range p.CompiledGoFiles {
					f, err := files.parse(name)
					require.NoError(t, err)
					syntax = append(syntax, f)
				}
				assert.NotEmpty(t, syntax, p.PkgPath)
				known[p], _ = conf.Check(p.PkgPath, files.fset, syntax, nil)
			})
			require.True(t, slices.Contains(ours, module+"gocuda"))
			require.True(t, slices.Contains(ours, module+"internal/host"))
		})
	}
}
