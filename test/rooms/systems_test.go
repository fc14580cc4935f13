package rooms

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// The commands, and all packages of ours that they are made of, have no type errors on other
// systems. What only a compiler or a linker finds is not looked for: this takes seconds, and a
// build for each system minutes.
func TestTypesOnOtherSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all of the standard library for several systems")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	for _, target := range []string{"linux/arm64", "darwin/arm64", "windows/amd64", "linux/386", "linux/riscv64", "js/wasm"} {
		t.Run(target, func(t *testing.T) {
			system, arch, _ := strings.Cut(target, "/")
			env := []string{"GOOS=" + system, "GOARCH=" + arch, "CGO_ENABLED=0"}
			ours := strings.Fields(goCommand(t, env, "list", "-deps", "-f", "{{with .Module}}{{if .Main}}{{$.ImportPath}}{{end}}{{end}}", "./cmd/...", "./gocuda"))
			require.Contains(t, ours, module+"gocuda")
			require.Contains(t, ours, module+"internal/host")
			loaded, err := packages.Load(&packages.Config{
				// With what it takes to load all dependencies from source: nothing is compiled.
				Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
					packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes,
				Dir: root,
				Env: append(os.Environ(), env...),
				ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
					f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
					if f != nil && !strings.HasPrefix(name, root+string(filepath.Separator)) { // others are right
						for _, d := range f.Decls {
							if d, ok := d.(*ast.FuncDecl); ok {
								d.Body = nil
							}
						}
					}
					return f, err
				},
			}, ours...)
			require.NoError(t, err)
			require.Len(t, loaded, len(ours))
			for _, p := range loaded {
				assert.Empty(t, p.Errors, p.PkgPath)
				assert.NotEmpty(t, p.Syntax, p.PkgPath)
			}
		})
	}
}
