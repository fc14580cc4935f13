package compiler

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A program is the packages of one run of the compiler: those asked for and all that they import. What is
// not of the standard library is read from source, so that helpers of other packages can be looked
// into; the standard library comes as export data.
type program struct {
	dir   string // that messages are relative to
	fset  *token.FileSet
	pkgs  map[string]*pkg // by import path
	decls map[*types.Func]funcDecl
	rare  []*ast.FuncDecl // helpers that a directive keeps from being inlined in Go, and that are inlined here

	failed []error         // of packages that can't be translated, which keep no other from it
	unread map[string]bool // packages of these that others can't import
}

// A pkg is a package that was read from source.
type pkg struct {
	dir    string
	path   string
	name   string
	files  []*ast.File
	types  *types.Package
	info   *types.Info
	errs   []types.Error
	target bool
	inTest map[string]bool // what its tests declare
}

// declares reports whether the package declares the name, or its tests do.
func (q *pkg) declares(name string) bool {
	return q.types.Scope().Lookup(name) != nil || q.inTest[name]
}

type funcDecl struct {
	pkg  *pkg
	decl *ast.FuncDecl
}

// listed is what `go list -json` tells of a package.
type listed struct {
	Dir         string
	ImportPath  string
	Name        string
	Export      string
	Standard    bool
	DepOnly     bool
	GoFiles     []string
	TestGoFiles []string
	CgoFiles    []string
	ImportMap   map[string]string
	Module      *struct{ GoVersion string }
	Error       *struct{ Err string }
}

// isGenerated reports whether a file is one that the compiler wrote.
func isGenerated(name string) bool {
	return strings.HasSuffix(name, plainSuffix) || strings.HasSuffix(name, simdSuffix) || strings.HasSuffix(name, asmSuffix)
}

// load reads the packages that match patterns, as the go command understands them in dir. What keeps only some of them from being
// translated is in failed.
func load(dir string, patterns []string) (*program, error) {
	args := append([]string{"list", "-e", "-deps", "-export",
		"-json=Dir,ImportPath,Name,Export,Standard,DepOnly,GoFiles,TestGoFiles,CgoFiles,ImportMap,Module,Error", "--"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	// What is translated must not depend on the experiment: its files are the compiler's own.
	cmd.Env = append(os.Environ(), "GOEXPERIMENT="+withoutSIMD(os.Getenv("GOEXPERIMENT")))
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil && out.Len() == 0 {
		if s := strings.TrimSpace(stderr.String()); s != "" {
			return nil, errors.New(s)
		}
		return nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	p := &program{dir: abs, fset: token.NewFileSet(), pkgs: map[string]*pkg{}, decls: map[*types.Func]funcDecl{}, unread: map[string]bool{}}
	exports := map[string]string{}
	std := importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		if f := exports[path]; f != "" {
			return os.Open(f)
		}
		return nil, fmt.Errorf("no export data of %s", path)
	})
	found := 0
	for dec := json.NewDecoder(&out); ; {
		var l listed
		if err := dec.Decode(&l); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		exports[l.ImportPath] = l.Export
		if len(l.CgoFiles) > 0 && !l.DepOnly {
			found++
			q := &pkg{}
			for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
				if f, _ := parser.ParseFile(token.NewFileSet(), filepath.Join(l.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution); f != nil {
					q.files = append(q.files, f)
				}
			}
			if q.hasKernels() {
				p.failed = append(p.failed, fmt.Errorf("%s uses cgo; move its kernels to a package that does not", l.ImportPath))
			}
		}
		if l.Standard || len(l.CgoFiles) > 0 {
			continue
		}
		if !l.DepOnly {
			found++
			if len(l.GoFiles) == 0 {
				if l.Error != nil && l.Name == "" {
					p.failed = append(p.failed, errors.New(l.Error.Err))
				}
				continue
			}
		}
		if err := p.check(l, std); err != nil {
			p.failed = append(p.failed, err)
		}
	}
	if found == 0 && p.failed == nil {
		return nil, fmt.Errorf("no packages match %s", strings.Join(patterns, " "))
	}
	return p, nil
}

func withoutSIMD(experiments string) string {
	list := strings.Split(experiments, ",")
	list = slices.DeleteFunc(list, func(s string) bool { return s == "simd" || s == "" })
	return strings.Join(list, ",")
}

// addNames adds the names that f declares for its package.
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

// check parses and type-checks a package whose imports have been checked before.
func (p *program) check(l listed, std types.Importer) error {
	q := &pkg{dir: l.Dir, path: l.ImportPath, name: l.Name, target: !l.DepOnly}
	for _, name := range l.GoFiles {
		if isGenerated(name) {
			continue
		}
		f, err := parser.ParseFile(p.fset, filepath.Join(l.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			p.unread[q.path] = true
			if list, ok := err.(scanner.ErrorList); ok {
				for _, e := range list {
					e.Pos.Filename = p.shortName(e.Pos.Filename)
				}
			}
			return err
		}
		q.files = append(q.files, f)
	}
	if len(q.files) > 0 {
		q.name = q.files[0].Name.Name // and not that of a generated file
	}
	if q.target {
		q.inTest = map[string]bool{}
		for _, name := range l.TestGoFiles {
			// Tests that don't parse are for the compiler to tell.
			if f, _ := parser.ParseFile(token.NewFileSet(), filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution); f != nil {
				addNames(f, q.inTest)
			}
		}
	}
	q.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, Implicits: map[ast.Node]types.Object{},
	}
	missing := ""
	conf := types.Config{
		Importer: importFunc(func(path string) (*types.Package, error) {
			if to := l.ImportMap[path]; to != "" {
				path = to
			}
			if p.unread[path] {
				missing = path
				return nil, fmt.Errorf("%s is not known", path)
			}
			if q := p.pkgs[path]; q != nil {
				return q.types, nil
			}
			return std.Import(path)
		}),
		Sizes: types.SizesFor("gc", "amd64"),
		Error: func(err error) {
			if e, ok := err.(types.Error); ok {
				q.errs = append(q.errs, e)
			}
		},
	}
	if l.Module != nil && l.Module.GoVersion != "" {
		conf.GoVersion = "go" + l.Module.GoVersion
	}
	// Errors are no failure yet: the package may call constructors that are not written yet.
	q.types, _ = conf.Check(l.ImportPath, p.fset, q.files, q.info)
	if missing != "" {
		p.unread[q.path] = true
		if q.target && q.hasKernels() {
			return fmt.Errorf("%s is not translated: it imports %s, which has errors", q.path, missing)
		}
		return nil
	}
	p.pkgs[l.ImportPath] = q
	for _, f := range q.files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if obj, ok := q.info.Defs[fd.Name].(*types.Func); ok {
					p.decls[obj] = funcDecl{q, fd}
				}
			}
		}
	}
	return nil
}

// hasKernels reports whether there is a func with a directive in q.
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

// targets returns the packages asked for, by path.
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

type importFunc func(string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }
