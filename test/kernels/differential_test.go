package kernels_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/kernels/reduction"
	"github.com/gocuda/gocuda/kernels/scan"
	"github.com/gocuda/gocuda/kernels/sorting"
	"github.com/gocuda/gocuda/kernels/sparse"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// Every kernel of the package, and some of the packages below it, do the same in all their forms, bit
// for bit: compiled with vectors, compiled to plain Go, and as they are written, on coroutines.

// A differential is a problem whose host function launches one or more kernels, for elements of one
// type.
type differential struct {
	name  string
	of    string // the type
	sizes []int
	// set makes the problem of a size. whole asks for small whole numbers, of which all products
	// and sums are exact in any order, so that the reference gives the same bits too.
	set func(n int, whole bool) instance
	// fast, of kernels marked fastmath, is how much results may differ at a size. Without it not
	// one bit may.
	fast func(n int, whole bool) float64
}

type instance struct {
	run    func(on kernels.Launcher) error
	serial func()
	// got are the slices that run writes to, and want those of serial.
	got, want []any
}

// lengths are awkward for blocks that have so many elements each.
func lengths(block int) []int {
	ns := []int{0, 1, 7, 33, block - 1, block, block + 1, 3*block + 5, 1<<16 + 3}
	slices.Sort(ns)
	return slices.Compact(ns)
}

// squares are those of matrices and pictures, around tiles of 16 and 32.
var squares = []int{0, 1, 7, 16, 17, 31, 33, 67, 131}

// values returns n numbers: all bits of integers, fractions, or small whole numbers.
func values[T kernels.Number](n int, seed uint64, whole bool) []T {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	v := make([]T, n)
	for i := range v {
		f := r.Float64()*2 - 1
		switch half := T(1) / T(2); {
		case whole:
			v[i] = T(int(f * 3))
		case half == 0:
			v[i] = T(r.Uint64() >> 1)
		case i%5 == 3:
			v[i] = T(math.Copysign(0, -1))
		default:
			v[i] = T(f)
		}
	}
	return v
}

// guard is how many elements there are around a result, which no kernel may write to.
const guard = 5

// guarded returns room for a result of v, and all with the elements around.
func guarded[T any](around T, v []T) (inner []T, all any) {
	a := slices.Concat(slices.Repeat([]T{around}, guard), v, slices.Repeat([]T{around}, guard))
	return a[guard : guard+len(v) : guard+len(v)], a
}

// numbers are the problems of kernels for any number.
func numbers[T kernels.Number]() []differential {
	of := fmt.Sprintf("%T", T(0))
	all := []differential{
		{name: "add", of: of, sizes: lengths(256), set: func(n int, whole bool) instance {
			a, b := values[T](n, 1, whole), values[T](n, 2, whole)
			got, allGot := guarded(9, make([]T, n))
			want, allWant := guarded(9, make([]T, n))
			return instance{
				func(on kernels.Launcher) error { return kernels.Add(context.Background(), on, got, a, b) },
				func() { serial.Add(want, a, b) },
				[]any{allGot}, []any{allWant},
			}
		}},
		{name: "reverse", of: of, sizes: lengths(2 * 256), set: func(n int, whole bool) instance {
			got, allGot := guarded(9, values[T](n, 3, whole))
			want, allWant := guarded(9, values[T](n, 3, whole))
			return instance{
				func(on kernels.Launcher) error { return kernels.Reverse(context.Background(), on, got) },
				func() { serial.Reverse(want) },
				[]any{allGot}, []any{allWant},
			}
		}},
	}
	for _, s := range []struct {
		method scan.Method
		block  int
	}{
		{scan.ScanThenFan, 256}, {scan.Blelloch, 256}, {scan.TwoPass, 256 * 64}, {scan.Warps, 256 * 64}, {scan.Runs, 8 * 4096},
	} {
		for _, inclusive := range []bool{true, false} {
			name, sizes := fmt.Sprintf("scan/%v/inclusive=%v", s.method, inclusive), lengths(s.block)
			if !inclusive {
				sizes = sizes[:len(sizes)-1] // takes long on coroutines, and differs little
			}
			all = append(all, differential{name: name, of: of, sizes: sizes, set: func(n int, whole bool) instance {
				in := values[T](n, 5, whole)
				got, allGot := guarded(9, make([]T, n))
				want, allWant := guarded(9, make([]T, n))
				plain, parallel := serial.ExclusiveScan[T, scan.Sum[T]], scan.Exclusive[T, scan.Sum[T]]
				if inclusive {
					plain, parallel = serial.InclusiveScan[T, scan.Sum[T]], scan.Inclusive[T, scan.Sum[T]]
				}
				return instance{
					func(on kernels.Launcher) error {
						return parallel(context.Background(), on, s.method, scan.Sum[T]{}, got, in)
					},
					func() { plain(scan.Sum[T]{}, want, in) },
					[]any{allGot}, []any{allWant},
				}
			}})
		}
	}
	return all
}

// sums are the problems of kernels for numbers that atomic operations add.
func sums[T atomic.Number]() []differential {
	of := fmt.Sprintf("%T", T(0))
	return []differential{
		{name: "sum", of: of, sizes: lengths(1 << 16), set: func(n int, whole bool) instance {
			in := values[T](n, 4, whole)
			got, want := make([]T, 1), make([]T, 1)
			return instance{
				func(on kernels.Launcher) error {
					return reduction.Sum(context.Background(), on, reduction.TwoPass, got, in)
				},
				func() { want[0] = serial.Sum(in) },
				[]any{got}, []any{want},
			}
		}},
	}
}

// fractions are the problems of kernels for floating-point numbers.
func fractions[T kernels.Float]() []differential {
	of := fmt.Sprintf("%T", T(0))
	return []differential{
		{name: "saxpy", of: of, sizes: lengths(256), set: func(n int, whole bool) instance {
			a, x := T(1.7), values[T](n, 8, whole)
			if whole {
				a = 3
			}
			got, allGot := guarded(9, values[T](n, 9, whole))
			want, allWant := guarded(9, values[T](n, 9, whole))
			return instance{
				func(on kernels.Launcher) error { return kernels.SAXPY(context.Background(), on, a, x, got) },
				func() { serial.SAXPY(a, x, want) },
				[]any{allGot}, []any{allWant},
			}
		}},
	}
}

// others are the problems of kernels for one type.
func others() []differential {
	type transposer = func(ctx context.Context, on kernels.Launcher, rows, cols int, out, in []float32) error
	var all []differential
	for name, f := range map[string]transposer{
		"transpose": dense.Transpose, "transposeNaive": dense.TransposeNaive, "transposeTiled": dense.TransposeTiled,
	} {
		all = append(all, differential{name: name, sizes: squares, set: func(n int, whole bool) instance {
			rows, cols := n, n+n/3
			in := values[float32](rows*cols, 10, whole)
			got, allGot := guarded(9, make([]float32, rows*cols))
			want, allWant := guarded(9, make([]float32, rows*cols))
			return instance{
				func(on kernels.Launcher) error { return f(context.Background(), on, rows, cols, got, in) },
				func() { serial.Transpose(rows, cols, want, in) },
				[]any{allGot}, []any{allWant},
			}
		}})
	}
	for _, method := range []dense.Method{dense.Tiled16, dense.Naive} {
		name := "matmul, " + method.String()
		all = append(all, differential{name: name, sizes: squares, set: func(m int, whole bool) instance {
			n, k := m+m/5, m+m/3
			a, b := values[float32](m*k, 11, whole), values[float32](k*n, 12, whole)
			got, allGot := guarded(9, make([]float32, m*n))
			want, allWant := guarded(9, make([]float32, m*n))
			return instance{
				func(on kernels.Launcher) error {
					return dense.MatMul(context.Background(), on, method, m, n, k, a, b, got)
				},
				func() { serial.MatMul(m, n, k, a, b, want) },
				[]any{allGot}, []any{allWant},
			}
		}, fast: func(m int, whole bool) float64 {
			if whole {
				return 0 // fused or not
			}
			return outOf(m + m/3)
		}})
	}
	return append(all,
		differential{name: "fdtd", sizes: squares, set: func(n int, whole bool) instance {
			set := func() (f *kernels.FDTD, all []any) {
				w, h := n, n+n/3
				f = &kernels.FDTD{Width: w, Height: h, Ch: 0.6}
				if whole {
					f.Ch = 0.5
				}
				for i, field := range []*[]float32{&f.Ez, &f.Hx, &f.Hy, &f.Ce} {
					v := values[float32](w*h, 13+uint64(i), whole)
					if field == &f.Ce {
						for i := range v {
							v[i] = max(v[i], -v[i]) / 4
						}
					}
					inner, guarded := guarded(9, v)
					*field, all = inner, append(all, guarded)
				}
				return f, all
			}
			got, allGot := set()
			want, allWant := set()
			return instance{
				func(on kernels.Launcher) error {
					for range 3 {
						if err := kernels.FDTDStep(context.Background(), on, got); err != nil {
							return err
						}
					}
					return nil
				},
				func() {
					for range 3 {
						serial.FDTDStep(want)
					}
				},
				allGot, allWant,
			}
		}},
		differential{name: "mandelbrot", sizes: squares, set: func(n int, whole bool) instance {
			w, h := n, n+n/3
			got, allGot := guarded(9, make([]int32, w*h))
			want, allWant := guarded(9, make([]int32, w*h))
			return instance{
				func(on kernels.Launcher) error {
					return kernels.Mandelbrot(context.Background(), on, w, h, -2, -1.2, 0.7, 1.1, 50, got)
				},
				func() { serial.Mandelbrot(w, h, -2, -1.2, 0.7, 1.1, 50, want) },
				[]any{allGot}, []any{allWant},
			}
		}},
		differential{name: "null", sizes: lengths(256), set: func(n int, whole bool) instance {
			return instance{
				func(on kernels.Launcher) error { return kernels.Null(context.Background(), on, grid.Linear(n, 256)) },
				func() {}, nil, nil,
			}
		}},
		differential{name: "barriers", sizes: lengths(64), set: func(n int, whole bool) instance {
			got, allGot := guarded(9, values[int](n, 23, whole))
			want, allWant := guarded(9, values[int](n, 23, whole))
			return instance{
				func(on kernels.Launcher) error { return kernels.Barriers(context.Background(), on, 64, n%9, got) },
				func() { serial.Barriers(n%9, want) },
				[]any{allGot}, []any{allWant},
			}
		}},
		differential{name: "histogram", sizes: lengths(256), set: func(n int, whole bool) instance {
			data := values[uint8](n, 17, whole) // whole numbers are few, so threads meet at the counters
			got, allGot := guarded(9, values[uint32](256, 18, whole))
			want, allWant := guarded(9, values[uint32](256, 18, whole))
			return instance{
				func(on kernels.Launcher) error { return kernels.Histogram(context.Background(), on, data, got) },
				func() { serial.Histogram(data, want) },
				[]any{allGot}, []any{allWant},
			}
		}},
		differential{name: "spmv", sizes: lengths(128), set: func(n int, whole bool) instance {
			m := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int32, 1, n+1)}
			for i := range n {
				for j := range i * 7 % 13 { // rows are of different lengths, some empty
					m.Col = append(m.Col, int32((i*31+j*j*17)%n))
				}
				m.RowPtr = append(m.RowPtr, int32(len(m.Col)))
			}
			m.Val = values[float32](len(m.Col), 19, whole)
			x := values[float32](n, 20, whole)
			got, allGot := guarded(9, make([]float32, n))
			want, allWant := guarded(9, make([]float32, n))
			return instance{
				func(on kernels.Launcher) error { return sparse.SpMV(context.Background(), on, m, x, got) },
				func() { serial.SpMV(m, x, want) },
				[]any{allGot}, []any{allWant},
			}
		}},
		differential{name: "blackScholes", sizes: lengths(256), set: func(n int, whole bool) instance {
			price, strike, years := options(n)
			got1, allGot1 := guarded(9, make([]float32, n))
			got2, allGot2 := guarded(9, make([]float32, n))
			want1, allWant1 := guarded(9, make([]float32, n))
			want2, allWant2 := guarded(9, make([]float32, n))
			return instance{
				func(on kernels.Launcher) error {
					return kernels.BlackScholes(context.Background(), on, 0.02, 0.3, price, strike, years, got1, got2)
				},
				func() { serial.BlackScholes(0.02, 0.3, price, strike, years, want1, want2) },
				[]any{allGot1, allGot2}, []any{allWant1, allWant2},
			}
		},
			// A price is the difference of two terms of the size of the share and the strike, 130
			// together at most.
			fast: func(int, bool) float64 { return 16 * 130 * 0x1p-24 }},
		differential{name: "radixSort", sizes: lengths(1 << 14), set: func(n int, whole bool) instance {
			got, allGot := guarded(9, values[uint32](n, 21, whole))
			want, allWant := guarded(9, values[uint32](n, 21, whole))
			gotValues, allGotValues := guarded(9, values[uint32](n, 22, false))
			wantValues, allWantValues := guarded(9, values[uint32](n, 22, false))
			return instance{
				func(on kernels.Launcher) error {
					return sorting.RadixPairs(context.Background(), on, sorting.Ascending, got, gotValues)
				},
				func() { serial.RadixSortPairs(sorting.Ascending, want, wantValues) },
				[]any{allGot, allGotValues}, []any{allWant, allWantValues},
			}
		}},
	)
}

// outOf is the error that a sum of k products of numbers up to 1 can have, in float32.
func outOf(k int) float64 { return float64(k+1) * float64(k) * 0x1p-24 }

func differentials() []differential {
	return slices.Concat(numbers[float32](), numbers[float64](), numbers[int32](), numbers[uint32](), numbers[int](),
		sums[float32](), sums[float64](), sums[int32](), sums[uint32](), sums[int](),
		fractions[float32](), fractions[float64](), others())
}

func TestFormsAgree(t *testing.T) {
	source := kernels.Uncompiled(gocuda.Default())
	devices := kerneltest.Devices(t)
	for _, d := range differentials() {
		t.Run(strings.TrimSuffix(d.name+"/"+d.of, "/"), func(t *testing.T) {
			few := min(d.sizes[6], 600) // for what takes long on goroutines
			for _, n := range d.sizes {
				if n > few && kerneltest.AsWritten {
					break
				}
				for _, whole := range []bool{true, false} {
					integers := strings.Contains(d.of, "int")
					if whole && (integers || n > few && n < d.sizes[len(d.sizes)-1]) {
						continue // sums of all integers are exact; and of long arrays one is enough
					}
					tol := 0.
					if d.fast != nil {
						tol = d.fast(n, whole)
					}
					want := d.set(n, whole)
					require.NoError(t, want.run(source))
					if want.serial != nil && (whole || integers || tol > 0) {
						want.serial()
						require.Empty(t, differ(want.got, want.want, tol), "n=%d, whole numbers %v: the source form and the reference", n, whole)
					}
					for _, dev := range devices {
						if n > few && dev.Slow || dev.Name == "coroutines" {
							continue
						}
						got := d.set(n, whole)
						require.NoError(t, got.run(dev))
						require.Empty(t, differ(got.got, want.got, tol), "%s, n=%d, whole numbers %v: compiled and source form", dev.Name, n, whole)
					}
				}
			}
		})
	}
}

// differ says where results differ by more than tol, or in any bit if that is 0.
func differ(got, want []any, tol float64) string {
	var bad func(g, w reflect.Value) bool
	bad = func(g, w reflect.Value) bool {
		switch {
		case g.CanInt():
			return g.Int() != w.Int()
		case g.CanUint():
			return g.Uint() != w.Uint()
		case g.CanFloat() && tol > 0:
			return !(math.Abs(g.Float()-w.Float()) <= tol)
		case g.CanFloat():
			return math.Float64bits(g.Float()) != math.Float64bits(w.Float())
		}
		for i := range g.NumField() {
			if bad(g.Field(i), w.Field(i)) {
				return true
			}
		}
		return false
	}
	for k := range want {
		if same(got[k], want[k]) {
			continue
		}
		g, w := reflect.ValueOf(got[k]), reflect.ValueOf(want[k])
		for i := range w.Len() {
			if bad(g.Index(i), w.Index(i)) {
				return fmt.Sprintf("result %d, element %d is %v and %v", k, i-guard, g.Index(i), w.Index(i))
			}
		}
	}
	return ""
}

// same reports whether slices of numbers have the same bits, without reflection for each element.
func same(got, want any) bool {
	switch got := got.(type) {
	case []float32:
		return slices.EqualFunc(got, want.([]float32), func(g, w float32) bool { return math.Float32bits(g) == math.Float32bits(w) })
	case []float64:
		return slices.EqualFunc(got, want.([]float64), func(g, w float64) bool { return math.Float64bits(g) == math.Float64bits(w) })
	case []int32:
		return slices.Equal(got, want.([]int32))
	case []uint32:
		return slices.Equal(got, want.([]uint32))
	case []int:
		return slices.Equal(got, want.([]int))
	}
	return false
}

// A names notes which kernels would be launched.
type names map[string]bool

func (s names) Launch(_ context.Context, cfg grid.Config, k gocuda.Kernel) error {
	if k, ok := k.(gocuda.Named); ok && cfg.Blocks() > 0 {
		s[k.KernelName()] = true
	}
	return nil
}

// A kernel that is added to the package has to be compared too, in the types that its form with
// vectors has.
func TestFormsOfAllKernelsAreCompared(t *testing.T) {
	if kerneltest.AsWritten {
		t.Skip("nothing is launched, and the list is the same as without the race detector")
	}
	compared := map[string]names{}
	for _, d := range differentials() {
		if compared[d.of] == nil {
			compared[d.of] = names{}
		}
		require.NoError(t, d.set(d.sizes[len(d.sizes)-1], true).run(compared[d.of]))
	}
	files, err := filepath.Glob("../../kernels/*.go")
	require.NoError(t, err)
	found := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Doc == nil || !slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//gocuda:kernel") }) {
				continue
			}
			found++
			types := []string{""}
			if p := fn.Type.TypeParams; p != nil {
				types = map[string][]string{
					"Number": {"float32", "float64", "int32", "uint32", "int"},
					"Float":  {"float32", "float64"},
				}[fmt.Sprint(p.List[0].Type)]
				assert.NotNil(t, types, "%s: no types are known for %v", fn.Name.Name, p.List[0].Type)
			}
			for _, of := range types {
				assert.True(t, compared[of]["kernels."+fn.Name.Name], "the forms of %s[%s] are not compared", fn.Name.Name, of)
			}
		}
	}
	assert.NotZero(t, found, "there are no kernels")
}
