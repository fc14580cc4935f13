// Package typecheck type-checks packages that golang.org/x/tools/go/packages has listed. Those that are
// looked into are read from source. All else, above all the standard library, comes from the export
// data in the build cache, which takes a tenth of the time.
package typecheck

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/types"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/packages"
)

// Listed is the mode by which packages are listed for Packages.
const Listed = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule

// A loader is one call of Packages.
type loader struct {
	cfg     *packages.Config
	sizes   types.Sizes
	sources map[*packages.Package]chan struct{} // those that are read from source; closed when that is done
}

// Packages gives types to the roots and to all that they import: with syntax and what
// packages.NeedTypesInfo means to those for which source is true, to variants for a test, and to
// those that import one of these. The go command compiles the others, if nobody has; one that it
// can't compile, or whose export data is that of another version of Go, is read from source too.
// What is wrong with a package is in its Errors. Test binaries get nothing.
//
// The configuration is that by which the roots have been listed, with a file set. Its flags have to
// name an overlay by which packages that are not read from source differ from the tree.
func Packages(cfg *packages.Config, roots []*packages.Package, sizes types.Sizes, source func(*packages.Package) bool) error {
	l := &loader{cfg: cfg, sizes: sizes, sources: map[*packages.Package]chan struct{}{}}
	var all []*packages.Package // imports come first
	packages.Visit(roots, nil, func(p *packages.Package) {
		switch {
		case strings.HasSuffix(p.ID, ".test"):
		case p.PkgPath == "unsafe":
			p.Types = types.Unsafe
		default:
			all = append(all, p)
			l.choose(p, source(p) || p.ID != p.PkgPath)
		}
	})
	if err := l.export(slices.DeleteFunc(slices.Clone(all), func(p *packages.Package) bool { return l.sources[p] != nil })); err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(p *packages.Package) bool { return !l.choose(p, p.Types == nil) })
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range all {
		group.Go(func() error { // it waits for earlier ones only
			defer close(l.sources[p])
			l.check(p)
			return nil
		})
	}
	group.Wait()
	if cfg.Context != nil && cfg.Context.Err() != nil {
		return context.Cause(cfg.Context)
	}
	return nil
}

// choose reports whether a package is read from source: because it has to be, or because of what it
// imports.
func (l *loader) choose(p *packages.Package, has bool) bool {
	for _, q := range p.Imports {
		has = has || l.sources[q] != nil
	}
	if has && l.sources[p] == nil {
		l.sources[p] = make(chan struct{})
	}
	return has
}

// export reads the export data of packages. Those without any get no types.
func (l *loader) export(all []*packages.Package) error {
	files := map[string]string{}
	var unknown []string
	for _, p := range all {
		if file, ok := standard.Load(l.key(p)); ok && p.Module == nil {
			files[p.PkgPath] = file.(string)
		} else {
			unknown = append(unknown, p.PkgPath)
		}
	}
	for some := range slices.Chunk(unknown, 200) { // a command line has its limits
		if err := l.exportFiles(some, files); err != nil {
			return err
		}
	}
	from := importer.ForCompiler(l.cfg.Fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	for _, p := range all {
		if files[p.PkgPath] == "" {
			continue
		}
		if t, err := from.Import(p.PkgPath); err == nil {
			p.Types = t
			if p.Module == nil {
				standard.Store(l.key(p), files[p.PkgPath])
			}
		}
	}
	return nil
}

// standard has the files with the export data of packages of the standard library, by key. They are
// the same in all modules.
var standard sync.Map

// key is what the export data of a package of the standard library depends on.
func (l *loader) key(p *packages.Package) string {
	env := l.cfg.Env
	if env == nil {
		env = os.Environ()
	}
	words := slices.Concat(p.GoFiles[:min(1, len(p.GoFiles))], l.cfg.BuildFlags)
	for _, v := range env {
		if strings.HasPrefix(v, "GO") || strings.HasPrefix(v, "CGO") {
			words = append(words, v)
		}
	}
	return strings.Join(append(words, p.PkgPath), "\n")
}

// exportFiles asks the go command for the files with the export data of packages.
func (l *loader) exportFiles(paths []string, files map[string]string) error {
	args := slices.Concat([]string{"list", "-e", "-export", "-pgo=off", "-buildvcs=false"}, l.cfg.BuildFlags,
		[]string{"-f", "{{.ImportPath}}\t{{.Export}}", "--"}, paths)
	ctx := cmp.Or(l.cfg.Context, context.Background())
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = l.cfg.Dir, l.cfg.Env
	if cmd.Env != nil && cmd.Dir != "" {
		cmd.Env = append(slices.Clone(cmd.Env), "PWD="+cmd.Dir) // the name that the folder has for the go command
	}
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
			err = errors.New(string(bytes.TrimSpace(exit.Stderr)))
		}
		return fmt.Errorf("go list: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		if path, file, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
			files[path] = file
		}
	}
	return nil
}

// check parses a package and checks its types, the latter when those that it imports are ready.
func (l *loader) check(p *packages.Package) {
	p.Fset, p.TypesSizes = l.cfg.Fset, l.sizes
	p.Types = types.NewPackage(p.PkgPath, p.Name)
	p.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	for _, name := range p.CompiledGoFiles {
		f, err := l.parse(name)
		if err != nil {
			report(p, err)
		}
		if f != nil {
			p.Syntax = append(p.Syntax, f)
		}
	}
	for _, q := range p.Imports {
		if done := l.sources[q]; done != nil {
			<-done
		}
	}
	conf := types.Config{
		Importer: importFunc(func(path string) (*types.Package, error) {
			q := p.Imports[path]
			switch {
			case path == "unsafe":
				return types.Unsafe, nil
			case q == nil:
				return nil, fmt.Errorf("%s is not known", path)
			}
			return q.Types, nil
		}),
		Sizes: l.sizes,
		Error: func(err error) { report(p, err) },
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	if err := types.NewChecker(&conf, p.Fset, p.Types, p.TypesInfo).Files(p.Syntax); err != nil && len(p.Errors) == 0 {
		report(p, err)
	}
}

// parse parses a file, with the configuration's func if there is one.
func (l *loader) parse(name string) (*ast.File, error) {
	text, ok := l.cfg.Overlay[name]
	if !ok {
		var err error
		if text, err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	if l.cfg.ParseFile != nil {
		return l.cfg.ParseFile(l.cfg.Fset, name, text)
	}
	return parser.ParseFile(l.cfg.Fset, name, text, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
}

// report adds an error to those of a package.
func report(p *packages.Package, err error) {
	switch err := err.(type) {
	case scanner.ErrorList:
		for _, e := range err {
			p.Errors = append(p.Errors, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
		}
	case types.Error:
		p.TypeErrors = append(p.TypeErrors, err)
		p.Errors = append(p.Errors, packages.Error{Pos: err.Fset.Position(err.Pos).String(), Msg: err.Msg, Kind: packages.TypeError})
	default:
		p.Errors = append(p.Errors, packages.Error{Pos: "-", Msg: err.Error()})
	}
}

// An importFunc is a types.Importer.
type importFunc func(string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }
