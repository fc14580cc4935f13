package rooms

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// notListed are exported funcs of the kernels that docs/kernels.md need not have: they are no kernels.
var notListed = regexp.MustCompile(`^(OnStream|Uncompiled|Waits)$`)

// Every host function of the kernels is in the list of them, and every file that the list points to
// exists.
func TestAllKernelsAreListed(t *testing.T) {
	text, err := os.ReadFile("../../docs/kernels.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, word := range regexp.MustCompile(`[A-Za-z0-9.]+`).FindAllString(string(text), -1) {
		listed[strings.Trim(word, ".")] = true
	}
	for _, link := range regexp.MustCompile(`\]\((\.\./[^)]*)\)`).FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(filepath.Join("../../docs", link[1])); err != nil {
			t.Error(err)
		}
	}
	funcs := 0
	err = filepath.WalkDir("../../kernels", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "internal" {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "_gocuda") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !fn.Name.IsExported() || notListed.MatchString(fn.Name.Name) {
				continue
			}
			funcs++
			name := fn.Name.Name
			if f.Name.Name != "kernels" {
				name = f.Name.Name + "." + name
			}
			if !listed[name] {
				t.Errorf("%s: %s is not in docs/kernels.md", file, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if funcs < 60 {
		t.Errorf("only %d funcs were found", funcs)
	}
}
