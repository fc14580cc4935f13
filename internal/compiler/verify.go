package compiler

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/passes/bools"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/analysis/passes/nilfunc"
	"golang.org/x/tools/go/analysis/passes/shift"
	"golang.org/x/tools/go/analysis/passes/stringintconv"
	"golang.org/x/tools/go/analysis/passes/unreachable"
	"golang.org/x/tools/go/ast/inspector"
)

// Verification of generated code, as by go build and go vet. A kernel whose code is rejected stays
// on coroutines, with the complaint as the reason.

// vetted are the analyzers of go vet that generated code might fail.
var vetted = []*analysis.Analyzer{assign.Analyzer, bools.Analyzer, copylock.Analyzer, nilfunc.Analyzer, shift.Analyzer, stringintconv.Analyzer, unreachable.Analyzer}

// A complaint is an error about a line of a generated file.
type complaint struct {
	file string
	line int
	fn   string // the top-level declaration that contains the line, or ""
	why  string
}

func (c complaint) Error() string {
	return fmt.Sprintf("%s:%d: %s", filepath.Base(c.file), c.line, c.why)
}

// verify returns the complaints of the type checker and of go vet about the generated Go files of a
// package.
func (p *program) verify(q *pkg, files []File) ([]complaint, error) {
	var parsed []*ast.File // files that are built for amd64
	assembly := slices.ContainsFunc(files, func(f File) bool { return f.Data != nil && strings.HasSuffix(f.Path, nestSuffix("amd64")) })
	for _, f := range files {
		if f.Data == nil || !strings.HasSuffix(f.Path, ".go") || assembly && strings.HasSuffix(f.Path, noNestSuffix) || strings.HasSuffix(f.Path, nestSuffix("arm64")) {
			continue
		}
		syntax, err := parser.ParseFile(p.fset, f.Path, f.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, syntax)
	}
	if len(parsed) == 0 {
		return nil, nil
	}
	return p.verifyFiles(q, parsed), nil
}

// verifyFiles is verify for the files own, which are type-checked together with the package.
func (p *program) verifyFiles(q *pkg, own []*ast.File) []complaint {
	var all []complaint
	complain := func(pos token.Pos, why string) {
		i := slices.IndexFunc(own, func(f *ast.File) bool { return f.FileStart <= pos && pos <= f.FileEnd })
		if i < 0 {
			return // it is about the source
		}
		at := p.fset.PositionFor(pos, false)
		all = append(all, complaint{at.Filename, at.Line, declarationAt(own[i], pos), why})
	}
	info := newInfo()
	conf := types.Config{Importer: p.importer(), Sizes: p.sizes, GoVersion: q.goVersion, Error: func(err error) {
		if e, ok := err.(types.Error); ok {
			complain(e.Pos, e.Msg)
		}
	}}
	checked, _ := conf.Check(q.path, p.fset, slices.Concat(q.files, own), info)
	if len(all) > 0 {
		return all
	}
	vet := func(a *analysis.Analyzer, files []*ast.File, in *inspector.Inspector, report func(analysis.Diagnostic)) {
		pass := &analysis.Pass{
			Analyzer: a, Fset: p.fset, Files: files, Pkg: checked, TypesInfo: info, TypesSizes: p.sizes,
			ResultOf:         map[*analysis.Analyzer]any{inspect.Analyzer: in},
			ReadFile:         os.ReadFile,
			Report:           report,
			ImportObjectFact: func(types.Object, analysis.Fact) bool { return false }, ExportObjectFact: func(types.Object, analysis.Fact) {},
			ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false }, ExportPackageFact: func(analysis.Fact) {},
		}
		a.Run(pass)
	}
	source, generated := inspector.New(q.files), inspector.New(own)
	for _, a := range vetted {
		known := false // whether the source has the same fault, so that it is not reported
		vet(a, q.files, source, func(analysis.Diagnostic) { known = true })
		if !known {
			vet(a, own, generated, func(d analysis.Diagnostic) { complain(d.Pos, d.Message) })
		}
	}
	return all
}

// declarationAt returns the name of the top-level func or variable of f whose declaration contains
// pos.
func declarationAt(f *ast.File, pos token.Pos) string {
	for _, d := range f.Decls {
		if d.Pos() > pos || pos >= d.End() {
			continue
		}
		switch d := d.(type) {
		case *ast.FuncDecl:
			return d.Name.Name
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					return v.Names[0].Name
				}
			}
		}
	}
	return ""
}

// importer returns an importer of the packages that have been loaded.
func (p *program) importer() types.Importer {
	return importFunc(func(path string) (*types.Package, error) {
		switch path {
		case "unsafe":
			return types.Unsafe, nil
		case "embed": // imported for its directive only
			t := types.NewPackage("embed", "embed")
			t.MarkComplete()
			return t, nil
		}
		if t := p.all[path]; t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("%s is not known", path)
	})
}

// newInfo returns a types.Info with all maps that the compiler needs.
func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
	}
}
