package compiler

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/gocuda/gocuda/internal/fingerprint"
	"github.com/gocuda/gocuda/internal/typecheck"
)

// Loading of packages, by golang.org/x/tools/go/packages and package typecheck. The packages to translate
// and all that they import are parsed and type-checked from source, so that helpers can be inlined;
// of the standard library the types are enough.
//
// Generated files are left out, and so is the package name in them. A package with syntax errors is
// recorded as an error (`program.failed`), and so is a package with kernels that imports it. Type
// errors are recorded per position: the package may call constructors that do not exist yet. A
// kernel that contains a type error stays on coroutines, with the type checker's message; the build
// will report the error.

// A program is the packages of one run of the compiler: those to translate and all that they
// import. Packages outside the standard library have their syntax, so that their funcs can be
// inlined.
type program struct {
	dir   string // messages are relative to this folder
	fset  *token.FileSet
	pkgs  map[string]*pkg // by import path
	decls map[*types.Func]funcDecl

	options Options

	failed []error // the errors of packages that can't be translated; other packages still can

	all    map[string]*types.Package // by import path, including the standard library
	sizes  types.Sizes
	goroot string

	dirs  sync.Once
	byDir map[string]*pkg // see pkgOf
}

// A pkg is a package outside the standard library.
type pkg struct {
	dir    string
	path   string
	name   string
	files  []*ast.File // without generated ones
	types  *types.Package
	info   *types.Info
	errs   []types.Error
	target bool
	inTest map[string]bool // names declared by its tests
	tests  TestFiles       // the test files to translate, instead of the package itself
	test   map[*ast.File]bool

	goVersion string
	module    string            // its module's path
	root      string            // its module's folder
	sources   map[string][]byte // the contents of its files, by name

	// The following is computed on demand, by packages that are translated concurrently.
	mu     sync.Mutex
	prints map[string]map[string]fingerprint.Print // fingerprints of declarations, by file and name
	specs  map[types.Object]ast.Node               // see specOf
}

// declares reports whether the package, or one of its tests, declares the name.
func (q *pkg) declares(name string) bool {
	return q.types.Scope().Lookup(name) != nil || q.inTest[name]
}

type funcDecl struct {
	pkg  *pkg
	decl *ast.FuncDecl
}

// isGenerated reports whether a file has the name of a generated file.
func isGenerated(name string) bool {
	return slices.ContainsFunc(slices.Concat(fileSuffixes, formerSuffixes, slices.Collect(maps.Values(testSuffixes))), func(s string) bool { return strings.HasSuffix(name, s) })
}

// parseMode is the mode for parsing sources.
const parseMode = parser.ParseComments | parser.SkipObjectResolution

// A loader loads packages.
type loader struct {
	*program
	bare bool // parses no bodies of funcs

	mu      sync.Mutex // guards syntax and sources, since files are parsed concurrently
	syntax  map[string]scanner.ErrorList
	sources map[string][]byte
	unread  map[*packages.Package]bool // packages that have syntax errors, or import such a package
}

// load loads the packages that match patterns, which are those of the go command in dir. The failed
// field of the result holds the errors of packages that can't be translated.
func load(dir string, patterns []string, options Options) (*program, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	p := &program{dir: abs, fset: token.NewFileSet(), pkgs: map[string]*pkg{}, decls: map[*types.Func]funcDecl{}, all: map[string]*types.Package{}, options: options}
	l := &loader{program: p, syntax: map[string]scanner.ErrorList{}, sources: map[string][]byte{}, unread: map[*packages.Package]bool{}}
	replaced, err := options.Overlay.Texts()
	if err != nil {
		return nil, err
	}
	env := exec.Command("go", "env", "GOROOT", "GOARCH")
	env.Dir = dir
	out, err := env.Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	root, arch, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	p.goroot, p.sizes = strings.TrimSpace(root)+string(filepath.Separator), types.SizesFor("gc", arch)
	cfg := &packages.Config{
		Mode:       typecheck.Listed,
		Dir:        dir,
		Fset:       p.fset,
		ParseFile:  l.parse,
		BuildFlags: options.Flags,
		Overlay:    replaced,
		Tests:      options.Tests != NoTests,
	}
	matched, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	matched = options.Tests.only(matched)
	if err := typecheck.Packages(cfg, matched, p.sizes, func(m *packages.Package) bool { return len(m.GoFiles) > 0 && !l.standard(m.GoFiles[0]) }); err != nil {
		return nil, err
	}
	packages.Visit(matched, nil, func(m *packages.Package) {
		p.all[m.PkgPath] = m.Types
		l.add(m, slices.Contains(matched, m))
	})
	if len(matched) == 0 && p.failed == nil {
		return nil, fmt.Errorf("no packages match %s", strings.Join(patterns, " "))
	}
	return p, nil
}

// parse parses a source file. It skips generated files, and drops the bodies of the standard
// library's funcs.
func (l *loader) parse(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	if isGenerated(name) && writtenHere(src) {
		return nil, nil
	}
	f, err := parser.ParseFile(fset, name, src, parseMode)
	if list, ok := err.(scanner.ErrorList); ok && l.syntax != nil {
		for _, e := range list {
			e.Pos.Filename = l.shortName(e.Pos.Filename)
		}
		l.mu.Lock()
		l.syntax[name] = list
		l.mu.Unlock()
	}
	if !l.bare && !l.standard(name) {
		l.mu.Lock()
		l.sources[name] = src
		l.mu.Unlock()
	}
	if f != nil && (l.bare || l.standard(name)) {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				fd.Body = nil
			}
		}
	}
	return f, err
}

// standard reports whether a file belongs to the standard library.
func (l *loader) standard(name string) bool { return strings.HasPrefix(name, l.goroot) }

// add adds a package to the program, after all of its imports.
func (l *loader) add(m *packages.Package, target bool) {
	if len(m.GoFiles) > 0 && l.standard(m.GoFiles[0]) || m.PkgPath == "unsafe" {
		return
	}
	dir := m.Dir
	if dir == "" && len(m.GoFiles) > 0 {
		dir = filepath.Dir(m.GoFiles[0])
	}
	q := &pkg{dir: dir, path: m.PkgPath, name: m.Name, types: m.Types, info: m.TypesInfo, errs: m.TypeErrors, target: target}
	if target {
		q.tests, q.test = l.options.Tests, map[*ast.File]bool{}
		for _, f := range m.Syntax {
			q.test[f] = f != nil && strings.HasSuffix(l.fset.PositionFor(f.FileStart, false).Filename, "_test.go")
		}
	}
	if m.Module != nil {
		q.module, q.root = m.Module.Path, m.Module.Dir
		if m.Module.GoVersion != "" {
			q.goVersion = "go" + m.Module.GoVersion
		}
	}
	q.sources = map[string][]byte{}
	for _, name := range m.CompiledGoFiles {
		q.sources[name] = l.sources[name]
	}
	q.files = slices.DeleteFunc(slices.Clone(m.Syntax), func(f *ast.File) bool { return f == nil })
	switch {
	case usesCgo(m):
		// The go command rewrites files that use cgo, so their positions and syntax differ from the
		// source.
		if target && l.cgoKernels(m) {
			l.failed = append(l.failed, fmt.Errorf("%s uses cgo; move its kernels to a package that does not", m.PkgPath))
		}
		return
	case target && len(m.GoFiles) == 0:
		for _, e := range m.Errors {
			if m.Name == "" {
				l.failed = append(l.failed, errors.New(e.Msg))
			}
		}
		return
	}
	for _, name := range m.CompiledGoFiles {
		if list := l.syntax[name]; list != nil {
			l.unread[m] = true
			l.failed = append(l.failed, list)
			return
		}
	}
	for path, to := range m.Imports {
		if l.unread[to] {
			l.unread[m] = true
			if target && q.hasKernels() {
				l.failed = append(l.failed, fmt.Errorf("%s is not translated: it imports %s, which has errors", q.path, path))
			}
			return
		}
	}
	if len(q.files) > 0 && q.files[0].Name.Name != q.name {
		l.renamed(q) // a generated file still has the former name
	}
	if target {
		q.inTest = testNames(q.dir)
	}
	l.pkgs[q.path], l.all[q.path] = q, q.types
	l.declare(q)
}

// renamed type-checks a package again, under the name in its own files.
func (l *loader) renamed(q *pkg) {
	q.name, q.errs = q.files[0].Name.Name, nil
	q.info = newInfo()
	conf := types.Config{
		Importer: l.importer(),
		Sizes:    l.sizes,
		Error:    func(err error) { q.errs = append(q.errs, err.(types.Error)) },
	}
	conf.GoVersion = q.goVersion
	q.types, _ = conf.Check(q.path, l.fset, q.files, q.info)
}

// declare records the funcs of a package.
func (p *program) declare(q *pkg) {
	for _, f := range q.files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if obj, ok := q.info.Defs[fd.Name].(*types.Func); ok {
					p.decls[obj] = funcDecl{q, fd}
				}
			}
		}
	}
}

// usesCgo reports whether a package imports "C".
func usesCgo(m *packages.Package) bool {
	return slices.ContainsFunc(m.CompiledGoFiles, func(name string) bool { return !slices.Contains(m.GoFiles, name) })
}

// cgoKernels reports whether the sources of a package that uses cgo contain kernels.
func (l *loader) cgoKernels(m *packages.Package) bool {
	q := &pkg{}
	for _, name := range m.GoFiles {
		if f, _ := parser.ParseFile(token.NewFileSet(), name, nil, parseMode); f != nil {
			q.files = append(q.files, f)
		}
	}
	return q.hasKernels()
}

// testNames returns the names that the tests in a folder declare. Syntax errors in tests are
// ignored; the build reports them.
func testNames(dir string) map[string]bool {
	names := map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, name := range files {
		if f, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution); f != nil {
			addNames(f, names)
		}
	}
	return names
}

// addNames adds the package-level names that f declares.
func addNames(f *ast.File, names map[string]bool) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
}

// hasKernels reports whether q contains a func with a directive.
func (q *pkg) hasKernels() bool {
	for _, f := range q.files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if _, ok := directive(fd); ok {
					return true
				}
			}
		}
	}
	return false
}

// errorIn returns the first error of the type checker between two positions.
func (q *pkg) errorIn(from, to token.Pos) error {
	for _, e := range q.errs {
		if from <= e.Pos && e.Pos <= to && !e.Soft {
			return e
		}
	}
	return nil
}

// targets returns the packages to translate, sorted by path.
func (p *program) targets() []*pkg {
	var list []*pkg
	for _, q := range p.pkgs {
		if q.target {
			list = append(list, q)
		}
	}
	slices.SortFunc(list, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	return list
}

// An importFunc is a types.Importer.
type importFunc func(string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }
