package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/sanitize"
)

// A mistakeRow is a row of the table of mistakes in docs/sanitizer.md.
type mistakeRow struct {
	test          string
	race, checked bool
	tools         []string // of gocuda sanitize
	info          bool     // which say no more than that
}

// mistakeTable reads the table: mistake, test, race detector, checked mode, tools of gocuda sanitize.
func mistakeTable(t *testing.T) (rows []mistakeRow) {
	t.Helper()
	text, err := os.ReadFile("../../docs/sanitizer.md")
	require.NoError(t, err)
	row := regexp.MustCompile("(?m)^\\|[^|]*\\| `(Test\\w+)` \\|([^|]*)\\|([^|]*)\\|([^|]*)\\|$")
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		cell := func(i int, yes string) bool {
			c := strings.TrimSpace(m[i])
			assert.Contains(t, []string{"", yes}, c, m[0])
			return c != ""
		}
		tools, info := strings.CutSuffix(strings.TrimSpace(m[4]), " (info)")
		r := mistakeRow{test: m[1], race: cell(2, "yes"), checked: cell(3, "error"), tools: strings.Split(tools, ", "), info: info}
		assert.NotEmpty(t, r.tools, m[0])
		rows = append(rows, r)
	}
	return rows
}

// TestMistakeTable holds the table to what the race detector, checked mode and gocuda sanitize say
// of the mistakes, and of their corrected twins.
func TestMistakeTable(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	rows := mistakeTable(t)
	require.Greater(t, len(rows), 30)
	userModule(t, "testdata/sanitize")
	funcs := funcsOf(t, ".")
	var names []string
	for _, r := range rows {
		require.Contains(t, funcs, r.test)
		names = append(names, r.test)
		if funcs[r.test+"Right"] != nil {
			names = append(names, r.test+"Right")
		}
	}
	run := "^(" + strings.Join(names, "|") + ")$"

	t.Run("sanitize", func(t *testing.T) {
		found, _ := reportOfMistakes(t)
		for _, r := range rows {
			var tools []string
			for _, f := range found {
				if (funcs[r.test].has(f.First) || funcs[r.test].has(f.Other)) && f.Severity >= r.least() && !slices.Contains(tools, f.Tool) {
					tools = append(tools, f.Tool)
				}
			}
			assert.Subset(t, tools, r.tools, r.test)
		}
	})
	t.Run("checked", func(t *testing.T) {
		t.Setenv("CHECKED", "1")
		said, _ := testOutput(t, nil, run)
		for _, r := range rows {
			assert.Equal(t, r.checked, strings.Contains(said[r.test], "the launch fails: "), "%s: %s", r.test, said[r.test])
			assert.NotContains(t, said[r.test+"Right"], "the launch fails: ")
			assert.NotContains(t, said[r.test+"Right"], "--- FAIL", "%s", r.test)
		}
	})
	t.Run("race", func(t *testing.T) {
		if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || strings.TrimSpace(string(out)) != "1" {
			t.Skip("the race detector needs cgo")
		}
		said, all := testOutput(t, []string{"-race"}, run)
		if strings.Contains(all, "-race is not supported") || strings.Contains(all, "requires cgo") || strings.Contains(all, "C compiler") {
			t.Skip("the race detector is not available")
		}
		for _, r := range rows {
			assert.Equal(t, r.race, strings.Contains(said[r.test], "DATA RACE"), "%s: %s", r.test, said[r.test])
			assert.NotContains(t, said[r.test+"Right"], "DATA RACE")
		}
	})
}

// least is the severity that a finding has at least.
func (r mistakeRow) least() sanitize.Severity {
	if r.info {
		return sanitize.SeverityInfo
	}
	return sanitize.SeverityWarning
}

// testOutput runs tests, and returns what each of them prints, and all.
func testOutput(t *testing.T, flags []string, run string) (said map[string]string, all string) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command("go", append(append([]string{"test", "-vet=off", "-count=1", "-v", "-run=" + run}, flags...), ".")...)
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // mistakes fail
	said = map[string]string{}
	for _, part := range strings.Split(out.String(), "=== RUN ")[1:] {
		name, _, _ := strings.Cut(part, "\n")
		said[strings.TrimSpace(name)] += part
	}
	if len(said) == 0 {
		t.Log(&out)
	}
	return said, out.String()
}

// source is the lines of a test and of the functions that it uses.
type source map[string]bool

func (s source) has(p sanitize.Place) bool {
	return s[fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line)]
}

// funcsOf returns the source of each function in a folder, with that of the functions of the folder
// that it names.
func funcsOf(t *testing.T, dir string) map[string]source {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	fset := token.NewFileSet()
	decls := map[string]*ast.FuncDecl{}
	for _, file := range files {
		f, err := parser.ParseFile(fset, file, nil, 0)
		require.NoError(t, err)
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				decls[d.Name.Name] = d
			}
		}
	}
	all := map[string]source{}
	var add func(to source, d *ast.FuncDecl)
	add = func(to source, d *ast.FuncDecl) {
		from, end := fset.Position(d.Pos()), fset.Position(d.End())
		line := func(n int) string { return fmt.Sprintf("%s:%d", filepath.Base(from.Filename), n) }
		if to[line(from.Line)] {
			return
		}
		for n := from.Line; n <= end.Line; n++ {
			to[line(n)] = true
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && decls[id.Name] != nil {
				add(to, decls[id.Name])
			}
			return true
		})
	}
	for name, d := range decls {
		all[name] = source{}
		add(all[name], d)
	}
	return all
}
