//go:build compiled

package corpus

import (
	"reflect"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A Case is a kernel with the geometries to run it on.
type Case struct {
	Name    string
	Configs []grid.Config
	// Make returns the kernel with fresh inputs and outputs, which are the same in each call. An
	// instance serves for one launch.
	Make func(cfg grid.Config) Instance
	// Prints says that the kernel prints, and that its lines are an output too, in any order.
	Prints bool
	// Races says that threads store the same value in the same place, which the race detector reports.
	Races bool
}

// An Instance is a kernel with its arguments, in both forms. Only one of them is to be run.
type Instance struct {
	Source   gocuda.Kernel // the function itself
	Compiled gocuda.Kernel // what the compiler's constructor returns
	Outputs  []any         // slices that the kernel writes
	Want     func() []any  // what they must be, computed serially; nil where nobody wrote it
}

// A Failure is a kernel of which one thread fails.
type Failure struct {
	Name   string
	Config grid.Config
	Make   func(cfg grid.Config) Instance
	Block  grid.Dim3 // who fails
	Thread grid.Dim3
	Text   string // what the text of the panic value contains
	Is     error  // what the error matches, if it is not a runtime.Error
}

// A Divergence is a kernel whose threads don't all come to the same barrier, in a way that only the run
// can show.
type Divergence struct {
	Name   string
	Config grid.Config
	Make   func(cfg grid.Config) Instance
}

// thinned returns every third case, and all of kernels that have few: so many sizes and limits take minutes.
func thinned(cases []Case) (some []Case) {
	many := map[string]int{}
	for _, c := range cases {
		kernel, _, _ := strings.Cut(c.Name, " ")
		if many[kernel]%3 == 0 || many[kernel] < 4 {
			some = append(some, c)
		}
		many[kernel]++
	}
	return some
}

// Cases returns all cases.
func Cases() []Case {
	return slices.Concat(
		barrierCases, loopCases, switchCases, returnCases, helperCases, privateCases, voteCases,
		geometryCases, guardCases, divergentCases, integerCases, conversionCases, floatCases, valueCases,
		structCases, statementCases, sharedCases, atomicCases, warpCases, nameCases, aliasCases,
		genericCases, classicCases, fallbackCases, printCases, foundCases, roundsCases,
		adversarialCases, wmCases, wmCases2, wmCases3, ufCases, rwCases(), ruCases, rgCases, grCases, planeCases(), dwCases, olCases, smCases(), tbCases(), cbCases(), pdCases(), nestCases(), nestPlaneCases(), phCases(), tlCases(), wrCases(), nativeCases, spaceCases, mixedCases, rnCases, ctCases, tmCases, diCases(), byCases, wvCases(), wkCases(), warpPlaceCases, laneMaskCases, roundEndCases, dcCases, adCases, rsCases(), aaCases(), sqCases(), paCases(), warpVectors, slicedRows, edges, acCases(), odCases(), wnCases(), eyCases(), cwCases(), cwStridedCases(), akCases(), tlReturnCases(), sgCases(), agCases(), wcCases(), qtCases(), qrCases(), sbCases(), shCases(), dvCases(), pxCases(), tgCases(), idCases(), toCases(), suCases(), faultingCases(), reflectedCases(), gridStrideCases(), countingCases(), referenceCases(), tallyCases(), rpCases(), cxCases, rtCases(), flCases(), inCases(), wdCases(), ckCases(), dzCases(), seCases(), rvCases(), ssCases(), chCases(), limCases(), limTypeCases(), opCases(), spCases(), lvCases(), txCases(), ovAllCases(), siCases(), unCases(), uoCases(), rangeTestCases(), warpSharedCases(), conditionCases(), selCases(), localArrayCases(), numberedCases(), blockStrideCases(), quotientPlaneCases(), thinned(marchCases()), effectCases(), thinned(guardReturnCases()), pointeeCases(), pointerParamCases(), severalResultCases,
	)
}

// Failures returns all kernels that fail.
func Failures() []Failure {
	return slices.Concat(failures, adversarialFailures, wmFailures, ufFailures, rwFailures, rwFailures2, ruFailures, rgFailures, grFailures, planeFailures, wrapFailures, dwFailures, smFailures, phFailures, mixedFailures, rnFailures, wrFailures, foundFailures, diFailures, wkFailures, npFailures, aaFailures, slicedFailures, edgeFailures, odFailures, ovFailures, cwFailures, referenceFailures(), tallyFailures(), rpFailures(), inFailures(), siFailures(), unFailures(), uoFailures(), selFailures(), conditionFailures(), localArrayFailures(), numberedFailures(), blockStrideFailures(), quotientPlaneFailures(), marchFailures(), effectFailures(), guardReturnFailures(), pointerParamFailures())
}

// Divergences returns all kernels with a divergent barrier.
func Divergences() []Divergence { return divergences }

// perThread is a case of a kernel with an input and an output of one element a thread. The elements
// of the output are marked at first. want, if there is one, fills in the output that is expected.
func perThread[A, B any](name string, cfgs []grid.Config,
	source func(*gocuda.Thread, []A, []B), compiled func([]A, []B) gocuda.Kernel,
	want func(cfg grid.Config, in []A, out []B)) Case {
	return perThreadOf(name, cfgs, data[A], source, compiled, want)
}

// perThreadOf is perThread with an input of one's own.
func perThreadOf[A, B any](name string, cfgs []grid.Config, input func(n int) []A,
	source func(*gocuda.Thread, []A, []B), compiled func([]A, []B) gocuda.Kernel,
	want func(cfg grid.Config, in []A, out []B)) Case {
	return Case{Name: name, Configs: cfgs, Make: func(cfg grid.Config) Instance {
		n := cfg.Blocks() * cfg.Threads()
		in, out := input(n), marked[B](n)
		x := Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, in, out) }),
			Compiled: compiled(in, out),
			Outputs:  []any{out},
		}
		if want != nil {
			x.Want = func() []any {
				w := marked[B](n)
				want(cfg, input(n), w)
				return []any{w}
			}
		}
		return x
	}}
}

// guarded is a case of a kernel with n input and n output elements, and more threads than that.
func guarded[A, B any](name string, cfgs []grid.Config,
	source func(*gocuda.Thread, int, []A, []B), compiled func(int, []A, []B) gocuda.Kernel,
	want func(cfg grid.Config, in []A, out []B)) Case {
	return Case{Name: name, Configs: cfgs, Make: func(cfg grid.Config) Instance {
		n := cfg.Blocks() * cfg.Threads()
		n -= n/6 + 1
		in, out := data[A](n), marked[B](n)
		x := Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, n, in, out) }),
			Compiled: compiled(n, in, out),
			Outputs:  []any{out},
		}
		if want != nil {
			x.Want = func() []any {
				w := marked[B](n)
				want(cfg, data[A](n), w)
				return []any{w}
			}
		}
		return x
	}}
}

// onNumbers is a case of a kernel with n numbers of 12 bits, and an output of so many elements. serial,
// if there is one, computes what is expected.
func onNumbers(name string, cfg grid.Config, n, size int,
	source func(t *gocuda.Thread, in, out []int32), compiled func(in, out []int32) gocuda.Kernel, serial func(in, out []int32)) Case {
	return Case{Name: name, Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
		in, out := make([]int32, n), make([]int32, size)
		for i := range in {
			in[i] = int32(uint32(i+1) * 2654435761 >> 20)
		}
		x := Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, in, out) }),
			Compiled: compiled(in, out),
			Outputs:  []any{out},
		}
		if serial != nil {
			x.Want = func() []any {
				out := make([]int32, size)
				serial(in, out)
				return []any{out}
			}
		}
		return x
	}}
}

// made is a case whose arguments are made by hand. build returns both forms of the kernel and the
// outputs;
// want, if there is one, returns what the outputs must be.
func made(name string, cfgs []grid.Config,
	build func(cfg grid.Config) (source func(*gocuda.Thread), compiled gocuda.Kernel, outputs []any),
	want func(cfg grid.Config) []any) Case {
	return Case{Name: name, Configs: cfgs, Make: func(cfg grid.Config) Instance {
		source, compiled, outputs := build(cfg)
		x := Instance{Source: gocuda.ThreadFunc(source), Compiled: compiled, Outputs: outputs}
		if want != nil {
			x.Want = func() []any { return want(cfg) }
		}
		return x
	}}
}

// Geometries. Blocks have less than a warp, a warp and a bit, no multiple of 8 or 16, and up to 1000
// threads, in one to three dimensions.
var (
	// linear is one-dimensional.
	linear = []grid.Config{line(5, 1), line(3, 7), line(3, 33), line(2, 100), line(2, 255), line(2, 256), line(1, 1000)}
	// short is for kernels that take long.
	short = []grid.Config{line(3, 1), line(2, 33), line(2, 100)}
	// powers is for kernels that need a power of two.
	powers = []grid.Config{line(3, 1), line(3, 2), line(2, 16), line(2, 64), line(2, 256), line(1, 512)}
	// warps is for kernels that need whole warps.
	warps = []grid.Config{line(3, 32), line(2, 64), line(2, 96), line(1, 256)}
	// boxes has all numbers of dimensions.
	boxes = []grid.Config{
		line(3, 33),
		{Grid: grid.Dim3{X: 2, Y: 3}, Block: grid.Dim3{X: 5, Y: 3}},
		{Grid: grid.Dim3{X: 1, Y: 2}, Block: grid.Dim3{X: 16, Y: 16}},
		{Grid: grid.Dim3{X: 2, Y: 1, Z: 2}, Block: grid.Dim3{X: 3, Y: 5, Z: 7}},
		{Grid: grid.Dim3{X: 1, Y: 2, Z: 3}, Block: grid.Dim3{X: 1, Y: 1, Z: 9}},
		{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 8, Y: 4, Z: 2}},
	}
	// anywhere is both.
	anywhere = slices.Concat(linear, boxes)
)

func line(blocks, threads int) grid.Config {
	return grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: threads}}
}

// withShared returns the geometries with dynamic shared memory of so many bytes a thread.
func withShared(bytes int, cfgs []grid.Config) []grid.Config {
	cfgs = slices.Clone(cfgs)
	for i, c := range cfgs {
		cfgs[i].SharedBytes = bytes * c.Threads()
	}
	return cfgs
}

// perBlock calls f for each block with the number of its first thread and its part of out.
func perBlock[T any](cfg grid.Config, out []T, f func(block, first int, out []T)) {
	n := cfg.Threads()
	for b := range cfg.Blocks() {
		f(b, b*n, out[min(b*n, len(out)):min((b+1)*n, len(out))])
	}
}

// hash is the output function of SplitMix64 (Steele, Lea, Flood, 2014).
func hash(k int) uint64 {
	z := uint64(k)*0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// data returns n numbers that look random and are always the same: integers of the whole range of their
// type, the ends of it among them, and floating-point numbers from -100 to 100.
func data[T any](n int) []T { return dataFrom[T](n, 0) }

// dataFrom is data with other numbers for each seed.
func dataFrom[T any](n, seed int) []T {
	s := make([]T, n)
	v := reflect.ValueOf(s)
	for i := range n {
		fill(v.Index(i), i, seed)
	}
	return s
}

func fill(v reflect.Value, i, seed int) {
	h := hash(i + seed*1_000_003)
	switch {
	case v.CanInt():
		size := uint(v.Type().Bits())
		switch h % 19 {
		case 0:
			v.SetInt(0)
		case 1:
			v.SetInt(-1)
		case 2:
			v.SetInt(-1 << (size - 1))
		case 3:
			v.SetInt(1<<(size-1) - 1)
		default:
			v.SetInt(int64(h) >> (64 - size))
		}
	case v.CanUint():
		size := uint(v.Type().Bits())
		switch h % 19 {
		case 0:
			v.SetUint(0)
		case 1:
			v.SetUint(1 << (size - 1))
		case 2:
			v.SetUint(1<<size - 1)
		default:
			v.SetUint(h >> (64 - size))
		}
	case v.CanFloat():
		v.SetFloat(float64(h%200_001)/1000 - 100)
	case v.Kind() == reflect.Bool:
		v.SetBool(h%3 == 0)
	case v.Kind() == reflect.Array:
		for k := range v.Len() {
			fill(v.Index(k), i*v.Len()+k, seed+1)
		}
	case v.Kind() == reflect.Struct:
		for k := range v.NumField() {
			fill(v.Field(k), i*v.NumField()+k, seed+2)
		}
	}
}

// marked returns n elements that show when nobody writes them.
func marked[T any](n int) []T {
	s := make([]T, n)
	v := reflect.ValueOf(s)
	for i := range n {
		switch e := v.Index(i); {
		case e.CanInt():
			e.SetInt(-77)
		case e.CanUint():
			e.SetUint(177)
		case e.CanFloat():
			e.SetFloat(-77.25)
		}
	}
	return s
}

// below returns inputs from 0 to limit-1.
func below[T int | int32 | int64 | uint32 | float32 | float64](limit int) func(n int) []T {
	return func(n int) []T {
		s := make([]T, n)
		for i := range s {
			s[i] = T(hash(i+7) % uint64(limit))
		}
		return s
	}
}
