package typecheck

import (
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// module makes a module with these files, and returns its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	files["go.mod"] = "module example.com/m\n\ngo 1.26\n"
	for name, text := range files {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	return dir
}

// check lists all packages of a module and their tests, and has those whose path ends with one of
// the names read from source. It returns all by their ID.
func check(t *testing.T, dir string, source ...string) map[string]*packages.Package {
	t.Helper()
	cfg := &packages.Config{Mode: Listed, Dir: dir, Tests: true, Fset: token.NewFileSet()}
	roots, err := packages.Load(cfg, "./...")
	require.NoError(t, err)
	require.NoError(t, Packages(cfg, roots, types.SizesFor("gc", runtime.GOARCH), func(p *packages.Package) bool {
		for _, name := range source {
			if strings.HasSuffix(p.PkgPath, "/"+name) {
				return true
			}
		}
		return false
	}))
	all := map[string]*packages.Package{}
	packages.Visit(roots, nil, func(p *packages.Package) { all[p.ID] = p })
	return all
}

// declared describes what a package declares for others.
func declared(p *types.Package) (list []string) {
	for _, name := range p.Scope().Names() {
		if o := p.Scope().Lookup(name); o.Exported() {
			list = append(list, types.ObjectString(o, nil))
		}
	}
	return list
}

func files() map[string]string {
	return map[string]string{
		"low/low.go":        "package low\n\nimport \"strings\"\n\ntype List[T any] struct{ Of []T }\n\nfunc Up(s string) *strings.Builder { return nil }\n",
		"mid/mid.go":        "package mid\n\nimport \"example.com/m/low\"\n\nfunc Names() (l low.List[string]) { return }\n",
		"top/top.go":        "package top\n\nimport (\n\t\"strings\"\n\t\"example.com/m/low\"\n\t\"example.com/m/mid\"\n)\n\nvar Of low.List[string] = mid.Names()\n\nvar B *strings.Builder = low.Up(\"\")\n",
		"mid/in_test.go":    "package mid\n\nvar More = Names().Of\n",
		"mid/out_test.go":   "package mid_test\n\nimport \"example.com/m/mid\"\n\nvar Same = mid.More\n",
		"wrong/wrong.go":    "package wrong\n\nvar Text string = 1\n\ntype T struct{}\n",
		"syntax/syntax.go":  "package syntax\n\nfunc {\n",
		"wronger/user.go":   "package wronger\n\nimport \"example.com/m/wrong\"\n\nvar T wrong.T\n",
		"wronger/second.go": "package wronger\n\nvar U = undefined\n",
	}
}

// Packages declare the same whether they come from source or from export data, and a type is one
// type to all that use it.
func TestTypesAreThoseOfTheSource(t *testing.T) {
	dir := module(t, files())
	cfg := &packages.Config{Dir: dir, Tests: true, Mode: Listed | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo}
	roots, err := packages.Load(cfg, "./low", "./mid", "./top")
	require.NoError(t, err)
	for _, source := range [][]string{{"top"}, {"low", "mid", "top"}, {"mid"}, {"low"}, nil} {
		got := check(t, dir, source...)
		seen := 0
		packages.Visit(roots, nil, func(want *packages.Package) {
			p := got[want.ID]
			if strings.HasSuffix(want.ID, ".test") || want.PkgPath == "unsafe" {
				return
			}
			seen++
			assert.Equal(t, declared(want.Types), declared(p.Types), "%s: %q", want.ID, source)
			assert.Empty(t, p.Errors, "%s: %q", want.ID, source)
		})
		assert.Greater(t, seen, 10)
		assert.Nil(t, got["strings"].Syntax)
		for _, name := range source {
			p := got["example.com/m/"+name]
			require.Len(t, p.Syntax, 1)
			assert.NotEmpty(t, p.TypesInfo.Defs)
		}
		if len(source) > 0 && source[0] == "low" { // what imports it comes from source too
			assert.NotNil(t, got["example.com/m/top"].Syntax)
			assert.NotNil(t, got["example.com/m/mid [example.com/m/mid.test]"].Syntax)
		}
		if len(source) == 1 && source[0] == "top" {
			assert.Nil(t, got["example.com/m/low"].Syntax)
		}
	}
}

// Mistakes are in the package's errors; a package that does not build is read from source unasked.
func TestMistakes(t *testing.T) {
	all := check(t, module(t, files()), "wronger", "syntax")
	texts := func(name string) (list []string) {
		for _, e := range all["example.com/m/"+name].Errors {
			list = append(list, e.Msg)
		}
		return list
	}
	assert.Contains(t, strings.Join(texts("wronger"), "\n"), "undefined: undefined")
	assert.Len(t, all["example.com/m/wronger"].TypeErrors, 1, "it finds wrong.T")
	assert.Contains(t, strings.Join(texts("wrong"), "\n"), "cannot use 1")
	assert.NotNil(t, all["example.com/m/wrong"].Types.Scope().Lookup("T"))
	assert.Contains(t, strings.Join(texts("syntax"), "\n"), "expected 'IDENT'")
	assert.Empty(t, texts("low"))
}
