//go:build compiled

package devicekernels

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// elements is no multiple of what a vector holds, nor of a block.
const elements = 4999

func launch(t testing.TB, d *gocuda.Device, n int, k gocuda.Kernel) {
	t.Helper()
	cfg := grid.Config{Grid: grid.Dim3{X: (n + threads - 1) / threads}, Block: grid.Dim3{X: threads}}
	if err := d.Launch(context.Background(), cfg, k); err != nil {
		t.Fatal(err)
	}
}

func newDevice(t testing.TB, executor gocuda.Executor) *gocuda.Device {
	t.Helper()
	d, err := gocuda.NewDevice(gocuda.WithExecutor(executor))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// What the compiler makes of a function gives the bits that calling it gives. Which NaN it is is
// left open.
func TestCompiledAndCalledAgree(t *testing.T) {
	n, executor := elements, gocuda.ExecutorCoroutine
	if raceEnabled { // both forms are the source, on goroutines: that they have no races is all there is to see
		n, executor = 100, gocuda.ExecutorGoroutine
	}
	d := newDevice(t, executor)
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			want, got := c.Make(n), c.Make(n)
			if _, ok := got.Compiled.(gocuda.ThreadFunc); ok {
				t.Error("not compiled")
			}
			launch(t, d, n, want.Source)
			launch(t, d, n, got.Compiled)
			for i := range want.Outputs {
				a, b := reflect.ValueOf(got.Outputs[i]), reflect.ValueOf(want.Outputs[i])
				last := -1
				for k := range b.Len() {
					if !same(a.Index(k), b.Index(k)) && k/n != last { // the first of each function
						last = k / n
						t.Errorf("output %d, function %d, element %d: compiled %v (%x), called %v (%x)", i, k/n, k%n,
							a.Index(k), bitsOf(a.Index(k)), b.Index(k), bitsOf(b.Index(k)))
					}
				}
			}
		})
	}
}

func bitsOf(v reflect.Value) uint64 {
	switch {
	case v.Kind() == reflect.Float32:
		return uint64(math.Float32bits(float32(v.Float())))
	case v.CanFloat():
		return math.Float64bits(v.Float())
	case v.CanInt():
		return uint64(v.Int())
	case v.CanUint():
		return v.Uint()
	}
	return 0
}

// same compares bit for bit, but takes every NaN for the same.
func same(a, b reflect.Value) bool {
	switch {
	case a.CanFloat():
		x, y := a.Float(), b.Float()
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	case a.Kind() == reflect.Uint16 && strings.HasSuffix(a.Type().Name(), "alf"):
		x, y := a.Uint(), b.Uint()
		return x == y || x&0x7fff > 0x7c00 && y&0x7fff > 0x7c00
	case a.Kind() == reflect.Uint16 && a.Type().Name() == "Bfloat16":
		x, y := a.Uint(), b.Uint()
		return x == y || x&0x7fff > 0x7f80 && y&0x7fff > 0x7f80
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// leftOut is functions that no kernel calls. They are made as others that some kernel does call,
// and each would cost 5 to 40 kB of generated code; all were compiled once and agreed.
var leftOut = regexp.MustCompile(`^(Nanf?|SFUEvaluate|TrigQuadrant|TrigReduction|TrigReductionLow|TrigReductionf|TrigQuadrantf|` +
	`H2(ceil|cos|div|exp|exp10|exp2|floor|log|log10|log2|rcp|rint|rsqrt|sin|tanh|trunc)|H(abs|neg|add|mul|sub|isnan)2|H(add|mul|sub)2RN|H(add|sub)2Sat|Hfma2(Sat)?|Hm(ax|in)2(NaN)?|Hb?(ge|gt|le|lt|ne)u?2(Mask)?|Hequ2(Mask)?|Hbequ2|` +
	`(Half|Bfloat16)2((Short|Ushort|LL|ULL)R[NUD]|(Char|Uchar)RZ|(Int|Uint)R[UD])|(Short|Ushort|LL|ULL)2(Half|Bfloat16)R[ZUD]|(Int|Uint)2(Half|Bfloat16)R[UD]|Bfloat162(Short|Ushort|LL|ULL)RZ|(Short|Ushort|LL|ULL)2Bfloat16RN|` +
	`(Erfc|Erfcinv|Erfcx|Erfinv|Normcdf|Normcdfinv|Lgamma|Tgamma|CylBesselI[01]|[JY][01n]|Acosh|Asinh|Atanh|Cosh|Tanh|Log10|Log2|Exp10|Acos|Rcbrt|Norm3d|Rnorm3d|Rhypot|Norm4d|Rnorm4d|Cospi|Sinpi|Sincospi)|` +
	`(Erfinvf|Erfcinvf|Normcdfinvf|Cospif|Sinpif)|` +
	`D(sub|rcp)R[NZUD]|D(add|mul|div|sqrt)R[NZD]|FmaR[NZD]|F(sub|rcp|sqrt)R[NZD]|` +
	`V(set|cmp)(ge|gt|le|lt|ne)[su]?2|V(cmp)(ge|le|lt|ne)[su]?4|V(set)(ge|gt|le)[su]?4|V(abs|neg|max|min|avg|hadd|sad|absdiff)[su]?2|` +
	`Vi(addmin|max3|addmax|min3)S16x2|Vi(addmin|max3)[SU]32|Vi(addmin|max3)U16x2|Vi(min|max)S(16x2|32)Relu|Vib(max|min)U(32|16x2)|` +
	`PtxVavrg|PtxV(sub|absdiff|max|avrg)2|PtxV(add|sub|min|max|set)4|PtxM(ax|in)(NaN)?XorsignAbsF32|` +
	`(U?LL)2(Float|Double)R[NUD]|(Float|Double)2U?LLR[NUD]|` +
	`H(cos|exp|exp10|log|log10|log2|rcp|rint|rsqrt|tanh|ceil|trunc)|H(ne|gt|ge|le|equ|gtu|ltu|leu)|HaddRN|HmulRN|HsubRN|H(add|sub)Sat|Hmax|HminNaN|HfmaSat|Hcmadd|Hmul2Sat|` +
	`Vcmp(eq|gt)[su]?2|V(add|sub)(ss|us)?2|Vset(lt|ne)[su]?[24]|Vcmpgts4|Vsetequ?2|Vneg(ss)?2|Vabsss2)$`)

// A function that makes a vector needs none.
var makes = regexp.MustCompile(`^Make.*[1-4]$`)

// Every function of package device is called by a kernel, or left out above.
func TestAllFunctionsAreCalled(t *testing.T) {
	called := map[string]bool{}
	walk := func(dir string, f func(ast.Node) bool) {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "_gocuda") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, f)
		}
	}
	walk(".", func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "device" {
				called[s.Sel.Name] = true
			}
		}
		return true
	})
	all := 0
	walk("../../device", func(n ast.Node) bool {
		f, ok := n.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !f.Name.IsExported() {
			return true
		}
		all++
		if name := f.Name.Name; !makes.MatchString(name) && called[name] == leftOut.MatchString(name) {
			t.Errorf("%s: called by a kernel is %[2]v, and in the list of what is left out is %[2]v", name, called[name])
		}
		return false
	})
	t.Logf("%d functions, %d are called", all, len(called))
	if all < 800 {
		t.Errorf("only %d functions were found", all)
	}
}
