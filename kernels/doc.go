// Package kernels has ready-made kernels: to use, and to look up how a thing is done.
//
// Each file is about one problem and reads from top to bottom: the kernel as a CUDA text has it, a
// thread kernel, which shows the idea; the same as a block kernel, which is how it is fast on
// processors; the host function that picks the geometry and launches; and the serial reference.
//
// The host functions take plain slices. Data of a mem.Buffer is one: pass buf.Data(). Lengths may be
// anything, 0 included. They launch on a [Launcher]: a device, which waits, or [OnStream], which
// queues.
//
//	err := kernels.SAXPY(ctx, gocuda.Default(), 2, x, y)                 // waits
//	err = kernels.SAXPY(ctx, kernels.OnStream(s), 2, buf.Data(), dst.Data()) // queues
package kernels

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A Launcher is where the host functions of this package launch: a *gocuda.Device, or a stream by way
// of [OnStream].
type Launcher interface {
	Launch(ctx context.Context, cfg grid.Config, kernel gocuda.Kernel) error
}

// OnStream makes a Launcher of a stream. Launches are queued; what goes wrong in a kernel comes back
// from the stream's Synchronize. The slices must be left alone until then.
func OnStream(s *gocuda.Stream) Launcher { return onStream{s} }

type onStream struct{ s *gocuda.Stream }

func (o onStream) Launch(ctx context.Context, cfg grid.Config, kernel gocuda.Kernel) error {
	return o.s.LaunchContext(ctx, cfg, kernel)
}

// Form chooses between the two ways in which most problems here are solved. They give the same result
// up to rounding.
type Form int

const (
	// Blocks is block kernels: fast. It is what the functions without a Form use.
	Blocks Form = iota
	// Threads is thread kernels: CUDA's own way of writing, for study and comparison.
	Threads
)

// String names the form.
func (f Form) String() string {
	if f == Threads {
		return "threads"
	}
	return "blocks"
}

// Float is the floating-point types.
type Float interface{ ~float32 | ~float64 }

// Number is the types that have a sum.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// lengths returns an error unless the lengths of two arguments are the same.
func lengths(what string, a, b int) error {
	if a != b {
		return fmt.Errorf("kernels: %s: %w: lengths %d and %d differ", what, gocuda.ErrInvalidValue, a, b)
	}
	return nil
}
