package rooms

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A benchmark has a name of its own among all packages. Its parts are called size=65536/exec=simd
// and the like, key by key, so that benchstat can make rows and columns of them.
func TestNamesOfBenchmarks(t *testing.T) {
	folders := map[string]string{} // by the names of benchmarks
	parts := 0
	err := filepath.WalkDir("../..", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case !strings.HasSuffix(file, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			if name := fn.Name.Name; strings.HasPrefix(name, "Benchmark") && fn.Recv == nil {
				assert.Empty(t, folders[name], "%s is also in %s", name, file)
				folders[name] = path.Dir(filepath.ToSlash(file))
			}
			for _, e := range namesOfParts(f, fn) {
				parts++
				assert.True(t, hasKeys(f, fn, e), "%s: the name of a part of %s has a part that is no key=value", file, fn.Name.Name)
			}
		}
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, len(folders), 40)
	assert.Greater(t, parts, 40)
}

// namesOfParts returns the names that fn gives to parts of benchmarks: the arguments of b.Run.
func namesOfParts(f *ast.File, fn *ast.FuncDecl) (list []ast.Expr) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Run" {
			if of, ok := sel.X.(*ast.Ident); ok && of.Name == "b" {
				list = append(list, call.Args[0])
			}
		}
		return true
	})
	return list
}

var (
	verbs  = regexp.MustCompile(`%[a-z]`)
	keyed  = regexp.MustCompile(`^([a-z]+=[^/=]+/)*[a-z]+=[^/=]+$`)
	opened = regexp.MustCompile(`^([a-z]+=[^/=]+/)+$`) // what another name follows
)

// hasKeys reports whether a name consists of keys and values, as far as the file says.
func hasKeys(f *ast.File, fn *ast.FuncDecl, name ast.Expr) bool {
	switch e := name.(type) {
	case *ast.Ident:
		return assignedHaveKeys(f, fn, e)
	case *ast.SelectorExpr: // a field: all literals of the file that look like one are asked for
		return namesHaveKeys(fn)
	case *ast.BinaryExpr:
		if text := textOf(e.X); opened.MatchString(text) {
			return hasKeys(f, fn, e.Y)
		}
	}
	return keyed.MatchString(textOf(name))
}

// textOf returns a name with something in the place of all that the source does not say.
func textOf(name ast.Expr) string {
	switch e := name.(type) {
	case *ast.BasicLit:
		s, _ := strconv.Unquote(e.Value)
		return s
	case *ast.BinaryExpr:
		return textOf(e.X) + textOf(e.Y)
	case *ast.CallExpr:
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Sprintf" {
			return verbs.ReplaceAllString(textOf(e.Args[0]), "x")
		}
	}
	return "x"
}

// assignedHaveKeys is hasKeys for a variable: of all that it is set to, in fn or by those who call it.
func assignedHaveKeys(f *ast.File, fn *ast.FuncDecl, v *ast.Ident) bool {
	all, found := true, false
	parameter, k := -1, 0
	for _, field := range fn.Type.Params.List {
		for _, n := range field.Names {
			if n.Name == v.Name {
				parameter = k
			}
			k++
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if id, ok := n.Lhs[0].(*ast.Ident); ok && id.Name == v.Name && fn.Pos() < n.Pos() && n.Pos() < fn.End() && len(n.Rhs) == 1 {
				all, found = all && keyed.MatchString(textOf(n.Rhs[0])), true
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && parameter >= 0 && id.Name == fn.Name.Name && parameter < len(n.Args) {
				all, found = all && keyed.MatchString(textOf(n.Args[parameter])), true
			}
		}
		return true
	})
	return all && found
}

// namesHaveKeys reports whether the first strings of all literals of structs in fn have keys.
func namesHaveKeys(fn *ast.FuncDecl) bool {
	all, found := true, false
	ast.Inspect(fn, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && lit.Type == nil && len(lit.Elts) > 1 {
			if name, ok := lit.Elts[0].(*ast.BasicLit); ok && name.Kind == token.STRING {
				all, found = all && keyed.MatchString(textOf(name)), true
			}
		}
		return true
	})
	return all && found
}
