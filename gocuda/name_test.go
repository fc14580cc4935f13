package gocuda_test

import (
	"context"
	"errors"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// table is shorter than the block, so that thread 17 of block 3 is the first one to reach beyond it.
var table = make([]int, 256)

func outOfRange(t *gocuda.Thread) {
	if t.BlockIdx.X == 3 && t.ThreadIdx.X >= 17 {
		table[239+t.ThreadIdx.X]++ // no constant, for which Go 1.26 says 0 on arm64
	}
}

func genericKernel[T any](*gocuda.Thread) { panic("on purpose") }

type saxpyArgs struct{ n int }

func (a saxpyArgs) byValue(t *gocuda.Thread)    { panic(a.n) }
func (a *saxpyArgs) byPointer(t *gocuda.Thread) { panic(a.n) }

// customKernel has a RunBlock of its own.
type customKernel struct{}

func (*customKernel) RunBlock(b *gocuda.Block) {
	b.Threads(func(*gocuda.Thread) { panic("on purpose") })
}

// namedKernel chooses its name.
type namedKernel struct{ customKernel }

func (*namedKernel) KernelName() string { return "my kernel, the third" }

// kernelError launches a kernel that fails and returns its error.
func kernelError(t *testing.T, cfg grid.Config, k gocuda.Kernel) *gocuda.KernelError {
	t.Helper()
	err := gocuda.Launch(context.Background(), cfg, k)
	var ke *gocuda.KernelError
	require.ErrorAs(t, err, &ke)
	return ke
}

func TestKernelErrorReadsAsDocumented(t *testing.T) {
	ke := kernelError(t, grid.Linear(5*64, 64), gocuda.ThreadFunc(outOfRange))
	const want = "kernel gocuda_test.outOfRange (name_test.go:21): block (3,0,0) thread (17,0,0): index out of range [256] with length 256"
	assert.EqualError(t, ke, want)
	assert.Contains(t, string(ke.Stack), "name_test.go", "the stack leads to the kernel")
}

func TestKernelNames(t *testing.T) {
	args := saxpyArgs{7}
	for _, c := range []struct {
		kind   string
		kernel gocuda.Kernel
		want   string // a regular expression
	}{
		{"function", gocuda.ThreadFunc(outOfRange), `gocuda_test\.outOfRange`},
		{"generic function", gocuda.ThreadFunc(genericKernel[int]), `gocuda_test\.genericKernel(\[.*\])?`},
		{"method of a value", gocuda.ThreadFunc(args.byValue), `gocuda_test\.saxpyArgs\.byValue`},
		{"method of a pointer", gocuda.ThreadFunc((&args).byPointer), `gocuda_test\.\(\*saxpyArgs\)\.byPointer`},
		{"closure", gocuda.ThreadFunc(func(*gocuda.Thread) { panic(args) }), `gocuda_test\.TestKernelNames\.func\d+`},
		{"block function", gocuda.BlockFunc(func(*gocuda.Block) { panic(args) }), `gocuda_test\.TestKernelNames\.func\d+`},
		{"warp function", gocuda.WarpFunc(func(*gocuda.Warp) { panic(args) }), `gocuda_test\.TestKernelNames\.func\d+`},
		{"type", &customKernel{}, `\*?gocuda_test\.customKernel`},
		{"type with a name of its own", &namedKernel{}, `my kernel, the third`},
	} {
		got := kernelError(t, grid.Linear(5*64, 64), c.kernel).Kernel
		if !regexp.MustCompile("^" + c.want + "$").MatchString(got) {
			t.Errorf("a %s is called %q, want %s", c.kind, got, c.want)
		}
	}
}

func TestStreamKernelsHaveTheSameNames(t *testing.T) {
	s := openDevice(t).NewStream()
	must(t, s.LaunchFunc(grid.Linear(5*64, 64), outOfRange))
	var ke *gocuda.KernelError
	if err := synchronize(t, s); !errors.As(err, &ke) || ke.Kernel != "gocuda_test.outOfRange" {
		t.Errorf("%v", err)
	}
}

func TestKernelErrorSaysWhichPartOfTheBlock(t *testing.T) {
	boom := errors.New("boom")
	cfg := grid.Config{Grid: grid.Dim3{X: 2, Y: 3}, Block: grid.Dim3{X: 10, Y: 5, Z: 2}}
	last := grid.Dim3{X: 1, Y: 2}
	for _, c := range []struct {
		name   string
		kernel gocuda.Kernel
		unit   gocuda.Unit
		thread grid.Dim3
	}{
		{"thread", gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.BlockIdx == last && t.ThreadIdx == (grid.Dim3{X: 3, Y: 4, Z: 1}) {
				panic(boom)
			}
		}), gocuda.UnitThread, grid.Dim3{X: 3, Y: 4, Z: 1}},
		{"warp", gocuda.WarpFunc(func(w *gocuda.Warp) {
			if w.BlockIdx == last && w.WarpID() == 2 { // it begins with thread 64, which is (4,1,1)
				panic(boom)
			}
		}), gocuda.UnitWarp, grid.Dim3{X: 4, Y: 1, Z: 1}},
		{"block", gocuda.BlockFunc(func(b *gocuda.Block) {
			if b.BlockIdx == last {
				panic(boom)
			}
		}), gocuda.UnitBlock, grid.Dim3{}},
		{"thread of a phase", gocuda.BlockFunc(func(b *gocuda.Block) {
			b.ForEach(func(t *gocuda.Thread) {
				if b.BlockIdx == last && t.Rank() == 7 {
					panic(boom)
				}
			})
		}), gocuda.UnitThread, grid.Dim3{X: 7}},
	} {
		ke := kernelError(t, cfg, c.kernel)
		if ke.BlockIdx != last || ke.Unit != c.unit || ke.ThreadIdx != c.thread || ke.Value != any(boom) || !errors.Is(ke, boom) {
			t.Errorf("%s: block %v, unit %v, thread %v, value %v", c.name, ke.BlockIdx, ke.Unit, ke.ThreadIdx, ke.Value)
		}
	}
}
