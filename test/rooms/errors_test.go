package rooms

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/cg"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// An error has one value, whichever package exports it: of the exported variables Err... with the
// same name, in all packages, one has a value of its own and the others are set to that of another
// package.
func TestErrorsAreOne(t *testing.T) {
	made := map[string][]string{} // the folders that make an error of their own, by name
	found := map[string]int{}
	for _, folder := range order {
		files, err := filepath.Glob("../../" + folder + "/*.go")
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			for name, value := range errorsOf(f) {
				found[name]++
				if sel, ok := value.(*ast.SelectorExpr); !ok || sel.Sel.Name != name {
					made[name] = append(made[name], folder)
				}
			}
		}
	}
	require.Greater(t, len(found), 50)
	require.Greater(t, found["ErrInvalidValue"], 1)
	for name, folders := range made {
		assert.Len(t, folders, 1, "%s is made in %v", name, folders)
	}
	for name := range found {
		assert.NotEmpty(t, made[name], name)
	}
}

// errorsOf returns the package-level variables of f whose names are those of exported errors, with
// their values.
func errorsOf(f *ast.File) map[string]ast.Expr {
	all := map[string]ast.Expr{}
	for _, d := range f.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, s := range gen.Specs {
			s := s.(*ast.ValueSpec)
			for i, name := range s.Names {
				if strings.HasPrefix(name.Name, "Err") && i < len(s.Values) {
					all[name.Name] = s.Values[i]
				}
			}
		}
	}
	return all
}

// What one package returns is found by the value of another, and a special error by the general one.
func TestErrorsOfOnePackageAreThoseOfAnother(t *testing.T) {
	dev, err := gocuda.NewDevice()
	require.NoError(t, err)
	_, negative := mem.Alloc[int](dev, -1)
	_, none := mem.Alloc[int](nil, 1)
	require.NoError(t, dev.Close())
	_, closed := mem.Alloc[int](dev, 1)
	var launcher *gocuda.Device
	buf := []int{1}
	for _, c := range []struct {
		err   error
		kinds []error
	}{
		{negative, []error{gocuda.ErrInvalidValue, mem.ErrInvalidValue}},
		{none, []error{gocuda.ErrInvalidResourceHandle, mem.ErrInvalidResourceHandle, mem.ErrInvalidValue}},
		{launcher.Launch(t.Context(), grid.Linear(1, 1), gocuda.ThreadFunc(func(*gocuda.Thread) {})), []error{mem.ErrInvalidResourceHandle}},
		{closed, []error{gocuda.ErrInvalidResourceHandle, mem.ErrClosed}},
		{dev.LaunchFunc(t.Context(), grid.Linear(1, 1), func(*gocuda.Thread) {}), []error{gocuda.ErrInvalidResourceHandle, mem.ErrClosed}},
		{dev.NewStream().Synchronize(t.Context()), []error{gocuda.ErrInvalidResourceHandle, mem.ErrClosed}},
		{mem.ErrForeign, []error{mem.ErrInvalidDevice}},
		{mem.ErrOverlap, []error{mem.ErrInvalidValue}},
		{cgMistake(buf), []error{mem.ErrInvalidValue, gocuda.ErrInvalidValue}},
	} {
		for _, kind := range c.kinds {
			assert.ErrorIs(t, c.err, kind)
		}
	}
}

// cgMistake returns the error of a tile of 3 threads.
func cgMistake(out []int) error {
	return gocuda.LaunchFunc(context.Background(), grid.Linear(32, 32), func(t *gocuda.Thread) {
		out[0] = cg.TiledPartition(cg.ThisThreadBlock(t), 3).Size()
	})
}
