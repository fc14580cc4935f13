// Package kernels has ready-made kernels: to use, and to look up how a thing is done.
//
// Each file is about one problem and reads from top to bottom: the kernel as a CUDA text has it, a
// thread kernel, which shows the idea; and the host function that picks the geometry and launches.
// The kernels are translated by `gocuda gen`, and the host functions launch what came of that;
// [Uncompiled] launches them as they are written. The tests compare them with the loops of package
// internal/serial.
//
// This package has the first kernels of a course and what all kernels share. The packages below it
// have a subject each: reduction, scan, sorting, dense, sparse, fft, image, nbody, dynprog and
// stats. docs/kernels.md lists all.
//
// The host functions take plain slices. Data of a mem.Buffer is one: pass buf.Data(). Lengths may be
// anything, 0 included. They launch on a [Launcher]: a device, which waits, or [OnStream], which
// queues.
//
//	err := kernels.SAXPY(ctx, gocuda.Default(), 2, x, y)                 // waits
//	err = kernels.SAXPY(ctx, kernels.OnStream(s), 2, buf.Data(), dst.Data()) // queues
package kernels

//go:generate go run ../cmd/gocuda-gen .

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
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

// Memory and Enqueue make it a mem.Stream, for methods that copy between launches.
func (o onStream) Memory() *mem.Space { return o.s.Memory() }

func (o onStream) Enqueue(f func() error) error { return o.s.Enqueue(f) }

// Device returns the stream's device.
func (o onStream) Device() *gocuda.Device { return o.s.Device() }

// Stream returns the stream.
func (o onStream) Stream() *gocuda.Stream { return o.s }

// Uncompiled makes a Launcher that launches thread kernels as they are written, on coroutines,
// instead of what `gocuda gen` made of them: to study them, and to compare one with the other.
// Kernels of other kinds are launched as they are.
func Uncompiled(on Launcher) Launcher { return uncompiled{on} }

type uncompiled struct{ on Launcher }

// Unwrap returns the launcher behind it.
func (u uncompiled) Unwrap() Launcher { return u.on }

func (u uncompiled) Launch(ctx context.Context, cfg grid.Config, kernel gocuda.Kernel) error {
	if source := gocuda.Source(kernel); source != nil {
		kernel = source
	}
	return u.on.Launch(ctx, cfg, kernel)
}

// Waits returns an error that wraps gocuda.ErrNotSupported if on queues its launches, as [OnStream]
// does. Host functions call it that read results back between launches or after them. what names
// the problem.
func Waits(what string, on Launcher) error {
	switch o := on.(type) {
	case uncompiled:
		return Waits(what, o.on)
	case onStream:
		return fmt.Errorf("kernels: %s: %w: it reads results back, and a stream would queue it", what, gocuda.ErrNotSupported)
	}
	return nil
}

// Float is the floating-point types.
type Float interface{ ~float32 | ~float64 }

// Number is the types that have a sum.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// A Vec3 is a vector in space, CUDA's float3.
type Vec3[T Float] struct{ X, Y, Z T }

// An Operator is an associative operation and its identity: Combine(Identity(), v) and Combine(v,
// Identity()) are v. It need not be commutative. Combine is called by many threads at a time, so it
// must not change anything. Package scan has the usual ones.
type Operator[T any] interface {
	Identity() T
	Combine(a, b T) T
}
