package compiler

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Source names that generated code uses otherwise. These tests only require that the code compiles;
// TestRun checks the results.
func TestNamesOfParameters(t *testing.T) {
	known := map[string]string{
		"vector": "the constructor has a variable vector",
		"kBody":  "the names of what is generated are not kept free", "kForms": "the names of what is generated are not kept free",
	}
	names := append([]string{"f", "ok", "vector", "k", "kBody", "kKernel", "kForms", "len", "min", "int", "any", "error", "main", "init"}, printerNames...)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			thread := "t"
			if name == thread {
				thread = "th"
			}
			s := snippetOf(t, fmt.Sprintf("//gocuda:kernel\nfunc k(%[2]s *gocuda.Thread, out []float32, %[1]s float32) {\nout[%[2]s.GlobalX()] = %[1]s\n}\n", name, thread))
			out, err := s.generated()
			if err != nil {
				expected(t, known[name], "what is generated does not compile: %v", err)
				return
			}
			// All forms get the constructor's parameter, so nothing in the constructor may shadow
			// it.
			p := s.kernels()[0].Params[1].Name
			head, _, _ := strings.Cut(out, "return rt.Compiled")
			if contains(head, ", "+p+" :=") || contains(head, p+", ") && contains(head, p+", ok :=") || contains(head, "var "+p+" ") {
				expected(t, known[name], "%s has another meaning in the constructor:\n%s", p, head)
			}
		})
	}
}

func TestNamesOfVariables(t *testing.T) {
	for _, c := range []struct {
		name, text string
		defect     string
		refused    string // the reason why it is not translated
	}{
		{"of the printer", inKernel("tx := t.ThreadIdx.X; row := t.ThreadIdx.Y; rank := row*8 + tx; lo, hi := 0, n; for ; lo < hi; lo++ { x[rank] = row + tx }"), "", ""},
		{"of loops and labels", inKernel("threads := n; blocks := q\nloop:\nfor block := range n {\nfor first := range q { if block > first { continue loop }; x[threads+first] = blocks } }"), "", ""},
		{"of arrays of variables", inKernel("v := x[t.Rank()]; vOf := y[t.Rank()]; t.SyncThreads(); x[t.Rank()] = v + vOf"), "", ""},
		{"of votes", inKernel("votes := t.SyncThreadsCount(x[t.Rank()] > 1); got := t.SyncThreadsOr(yes); if got { x[t.Rank()] = votes }"), "", ""},
		{"hidden ones", inKernel("v := n; { v := v + 1; if v := v * 2; v > 3 { x[v] = v }; y[v] = v }; x[v] = v; for v := range v { x[v]++ }"), "", ""},
		{"of a helper and its caller", inKernel("i, v := 1, 2; x[i] = add(v, i) + add(i, v)") + "func add(i, v int) int {\nn := i\nn += v\nreturn n\n}\n", "", ""},
		{"of fields", inKernel("vX := n; v := point{n, q}; vY := v.X; x[vX] = vY + v.Y") + "type point struct{ X, Y int }\n", "", ""},
		{"of builtins", inKernel("len := n; cap := len + 1; true := cap; int := true; x[0] = int"), "", ""},
		{"of packages", inKernel("math := n; gocuda := math; x[0] = gocuda"), "", ""},
		{"of a package that only a helper's file imports", inKernel("v := uint32(n); bits := 3; x[0] = helper.Ones(v) + bits"),
			"the name of a package that the inlined helper needs is not kept free", ""},
		{"of the package", inKernel("k := n; mine := k; x[0] = mine + total") + "var total = 3\n\nfunc mine() {}\n", "", ""},
		{"not in ASCII", inKernel("größe := n; ß := größe; x[ß] = größe"), "", ""},
		{"types of the package like the printer's", "type row struct{ b, p int }\n\ntype b []row\n\n//gocuda:kernel\nfunc k(t *gocuda.Thread, x b) {\nx[t.Rank()].p = x[t.Rank()].b\n}\n", "", ""},
		{"funcs of the package like the printer's", "func m(v int) int {\ndefer func() {}()\nreturn v\n}\n\nfunc hi(v int) int {\ndefer func() {}()\nreturn v\n}\n\nfunc b(v int) int {\ndefer func() {}()\nreturn v\n}\n" +
			inKernel("i := t.GlobalX(); if i < n { x[i] = m(hi(b(i))) }"), "a func of the package whose name the printer uses is hidden", ""},
		{"type parameters like the printer's", "//gocuda:kernel\nfunc k[b, p ~float32](t *gocuda.Thread, x []b, y []p) {\ni := t.GlobalX()\nif i < len(x) { x[i] = b(y[i]) }\n}\n",
			"", ""},
		{"type parameters like builtins", "//gocuda:kernel\nfunc k[len ~float32, int ~int32 | ~int64, S ~[]len](t *gocuda.Thread, x S, y []int) {\ni := t.GlobalX()\nif i < cap(x) { x[i] += len(y[i]) }\n}\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := snippetOf(t, c.text)
			if k := s.kernels()[0]; k.Reason != "" && c.refused == "" || !contains(k.Reason, c.refused) {
				t.Fatalf("not translated: %q, want %q", k.Reason, c.refused)
			}
			if _, err := s.generated(); err != nil {
				expected(t, c.defect, "what is generated does not compile: %v", err)
			}
		})
	}
}

// No two variables of a kernel have the same name.
func TestNamesAreUnique(t *testing.T) {
	k := translatedKernel(t, inKernel("v := n; { v := v + 1; x[v] = add(v, v) }; x[v] = add(n, v)")+"func add(v, n int) int {\nx := v\nx += n\nreturn x\n}\n")
	seen := map[string]bool{}
	for _, v := range k.Vars {
		if seen[v.Name] {
			t.Errorf("two variables are called %s", v.Name)
		}
		seen[v.Name] = true
	}
}

// A package and its tests may declare names of packages that the generated files import.
func TestNamesOfImports(t *testing.T) {
	if raceEnabled {
		t.Skip("it compiles, which has nothing to do with races")
	}
	inModule(t, map[string]string{
		"types/k.go": `package types

import "github.com/gocuda/gocuda/gocuda"

type vec struct{ x, y, z float32 }

func (a vec) dot(b vec) float32 { return a.x*b.x + a.y*b.y + a.z*b.z }

var vec2 = vec{1, 2, 3}

//gocuda:kernel
func dots(t *gocuda.Thread, a []vec, s []float32) {
	if i := t.GlobalX(); i < len(s) {
		if s[i] > 1 {
			t.Printf("vec.x and vec are %v\n", s[i])
		}
		s[i] = a[i].dot(vec2) + vec{1, 2, 3}.x
	}
}

//gocuda:kernel
func scale(t *gocuda.Thread, s []float32) {
	if i := t.GlobalX(); i < len(s) {
		s[i] *= vec2.x
	}
}
`,
		"aliases/k.go": `package aliases

import (
	m "math"

	cu "github.com/gocuda/gocuda/gocuda"
)

type gocuda struct{}

type math float32

//gocuda:kernel
func roots(t *cu.Thread, a []math, s []float64) {
	if i := t.GlobalX(); i < len(s) {
		s[i] = m.Cbrt(float64(a[i]))
	}
}
`,
		"tests/k.go": `package tests

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func scale(t *gocuda.Thread, s []int32) {
	if i := t.GlobalX(); i < len(s) && s[i] != 3 {
		s[i] = 100 / s[i]
	}
}
`,
		"tests/k_test.go": `package tests

import "testing"

type vec [3]int

func bits(x vec) int { return x[0] }

func TestBits(t *testing.T) { bits(vec{}) }
`,
		"builtins/k.go": `package builtins

import "github.com/gocuda/gocuda/gocuda"

func min(a, b float32) float32 { return a*b - 1 }

//gocuda:kernel
func max(t *gocuda.Thread, a, b, out []float32) {
	if i := t.GlobalX(); i < 100 {
		out[i] = a[i]
		if b[i] > a[i] {
			out[i] = b[i]
		}
	}
}

//gocuda:kernel
func least(t *gocuda.Thread, n int, a []float32) {
	s := gocuda.Shared[float32](t, 256)
	if i := t.GlobalX(); i < n {
		s[t.Rank()] = min(a[i], 3)
	}
	t.SyncThreads()
	if i := t.GlobalX(); i > 0 && i < n && s[t.Rank()] > 1 {
		a[i] += s[255-t.Rank()]
	}
}
`,
		"first/units/units.go": "package units\n\ntype Length float32\n\nvar Log []any\n\nfunc Note(v Length) { Log = append(Log, v) }\n",
		"other/units/units.go": "package units\n\ntype Length float64\n\nvar Log []any\n\nfunc Note(v Length) { Log = append(Log, v) }\n",
		"twins/k.go": `package twins

import (
	"github.com/gocuda/gocuda/gocuda"

	"example.com/kernels/first/units"
	long "example.com/kernels/other/units"
)

//gocuda:kernel
func first(t *gocuda.Thread, s []units.Length) {
	var most units.Length = 3
	if i := t.GlobalX(); i < len(s) {
		s[i] += most
		units.Note(s[i])
	}
}

//gocuda:kernel
func other(t *gocuda.Thread, s []long.Length) {
	var most long.Length = 4
	if i := t.GlobalX(); i < len(s) {
		s[i] += most
		long.Note(s[i])
	}
}

//gocuda:kernel
func both(t *gocuda.Thread, s []units.Length, d []long.Length) {
	if i := t.GlobalX(); i < len(s) && i < len(d) {
		d[i] = long.Length(s[i]) + 1
		units.Note(s[i])
		long.Note(d[i])
	}
}
`,
	})
	mustGen(t, "./types", "./aliases", "./tests", "./builtins", "./twins")
	mustGen(t, "-check", "./types", "./aliases", "./tests", "./builtins", "./twins")
	if out, err := exec.Command("go", "vet", "./...").CombinedOutput(); err != nil {
		t.Errorf("what is generated does not compile: %v\n%s", err, out)
	}
}

// If the package declares a func with the name of a generated one, the generated func gets another
// name.
func TestNamesOfGeneratedFuncs(t *testing.T) {
	s := snippetOf(t, `
//gocuda:kernel
func k[T ~float32 | ~float64](t *gocuda.Thread, x []T) {
	if i := t.GlobalX(); i < len(x) {
		x[i] = x[i]*2 + 1
	}
}

//gocuda:kernel
func m(t *gocuda.Thread, x []float32) {
	if i := t.GlobalX(); i < len(x) {
		x[i] *= 3
	}
}

func kBodyRow1()           {}
func kBody_float32_()      {}
func kBody_float32_Row1()  {}
func kNest1()              {}
func mBodyRow1()           {}
func mNest1AVX2()          {}
func mNest1Args()          {}
`)
	s.prog.options.NoNests = false
	r, err := s.prog.generate(s.pkg)
	require.NoError(t, err)
	assert.Empty(t, r.Fallbacks)
	rows := 0
	for _, n := range r.Explain {
		assert.NotContains(t, n.Message, "mistake")
		if strings.Contains(n.Message, "rows in assembly") {
			rows++
		}
	}
	assert.Equal(t, 3, rows, "for two types, and m")
}
