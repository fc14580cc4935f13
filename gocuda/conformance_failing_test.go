package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A failingKernel must come back with an error, from every executor, and leave the device able to run
// the next one.
type failingKernel struct {
	name   string
	cfg    grid.Config // 4 blocks of 64 threads if not given
	kernel func(m *marks) gocuda.Kernel

	want error        // what errors.Is finds, if anything
	at   *blamedPlace // what the KernelError blames, if that is certain
	text []string     // parts of the error's text
	when condition    // where it must fail
	// says reports what else is wrong with the error.
	says func(err error, ke *gocuda.KernelError) string
	// marked is how many of the marks the text must name as a file and a line.
	marked int
}

type blamedPlace struct {
	unit          gocuda.Unit
	block, thread grid.Dim3
}

type condition int

const (
	always condition = iota
	checkedOnly
	withoutRace
)

func (c condition) met(d *testDevice) bool {
	return c == always || c == checkedOnly && d.checked || c == withoutRace && !underRace
}

// marks remember lines of a kernel.
type marks [2]atomic.Int64

// next notes the line after the caller's.
func (m *marks) next(i int) {
	_, _, line, _ := runtime.Caller(1)
	m[i].Store(int64(line) + 1)
}

// A titled kernel has a name, since that of a function literal is the compiler's affair.
type titled struct{ gocuda.Kernel }

func (titled) KernelName() string { return "conformance.kernel" }

func threadsOf(f func(t *gocuda.Thread)) func(*marks) gocuda.Kernel {
	return func(*marks) gocuda.Kernel { return gocuda.ThreadFunc(f) }
}

func threadAt(x, y int) *blamedPlace {
	return &blamedPlace{gocuda.UnitThread, grid.Dim3{X: x}, grid.Dim3{X: y}}
}

func testFailures(t *testing.T, failures []failingKernel) {
	devices := openDevices(t, true)
	good := scanRows()[1]
	goodShape := grid.Config{Grid: grid.Dim3{X: 8}, Block: grid.Dim3{X: 33}}
	afterwards := good.prepare(goodShape)
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			cfg := f.cfg
			if cfg.Block.X == 0 {
				cfg = grid.Config{Grid: grid.Dim3{X: 4}, Block: grid.Dim3{X: 64}, SharedBytes: f.cfg.SharedBytes}
			}
			for _, d := range devices {
				if !f.when.met(d) {
					continue
				}
				var m marks
				err := d.launch(context.Background(), t, cfg, titled{f.kernel(&m)})
				if complaint := f.wrong(err, &m); complaint != "" {
					t.Errorf("%v: %s; the error is: %v", d, complaint, err)
				}
				if err := d.run(t, goodShape, afterwards); err != nil {
					t.Fatalf("%v: a kernel launched afterwards: %v", d, err)
				}
			}
		})
	}
}

// wrong reports what is wrong with the error of a failure.
func (f *failingKernel) wrong(err error, m *marks) string {
	if err == nil {
		return "there is no error"
	}
	var ke *gocuda.KernelError
	if !errors.As(err, &ke) {
		return "errors.As finds no KernelError"
	}
	if ke.Kernel != "conformance.kernel" {
		return fmt.Sprintf("the kernel is %q", ke.Kernel)
	}
	if f.want != nil && !errors.Is(err, f.want) {
		return fmt.Sprintf("errors.Is does not find %T", f.want)
	}
	if !strings.HasPrefix(filepath.Base(ke.File), "conformance_") || !strings.HasSuffix(ke.File, "_test.go") || ke.Line == 0 {
		return fmt.Sprintf("the place is %s:%d", ke.File, ke.Line)
	}
	prefix := fmt.Sprintf("kernel conformance.kernel (%s:%d): block %v", filepath.Base(ke.File), ke.Line, ke.BlockIdx)
	if ke.Unit == gocuda.UnitThread {
		prefix += fmt.Sprintf(" thread %v: ", ke.ThreadIdx)
	}
	if !strings.HasPrefix(err.Error(), prefix) {
		return fmt.Sprintf("the text does not begin with %q", prefix)
	}
	if f.at != nil && *f.at != (blamedPlace{ke.Unit, ke.BlockIdx, ke.ThreadIdx}) {
		return fmt.Sprintf("unit %d, block %v, thread %v are blamed", ke.Unit, ke.BlockIdx, ke.ThreadIdx)
	}
	for _, part := range f.text {
		if !strings.Contains(err.Error(), part) {
			return fmt.Sprintf("the text does not say %q", part)
		}
	}
	for i := range f.marked {
		if part := fmt.Sprintf("_test.go:%d", m[i].Load()); !strings.Contains(err.Error(), part) {
			return fmt.Sprintf("the text does not say %q", part)
		}
	}
	if f.at != nil && !strings.Contains(string(ke.Stack), "/conformance_") {
		return fmt.Sprintf("the stack does not lead to the kernel:\n%s", ke.Stack)
	}
	if f.says != nil {
		return f.says(err, ke)
	}
	return ""
}
