package streaming

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
	"github.com/gocuda/gocuda/kernels/internal/launchers"
	"github.com/gocuda/gocuda/mem"
)

// A Method is a way to run a kernel on data of the host (The CUDA Handbook, chapter 11). All give
// the same bits.
type Method int

// The methods.
const (
	Copied       Method = iota // copies that wait, from and to memory of the host that may be paged (11.1)
	Asynchronous               // copies from and to page-locked memory, queued in one stream (11.2)
	Streams                    // the data in parts, each on a stream that takes turns with the others (11.3)
	Mapped                     // no copies: the kernel works on page-locked memory of the host (11.4)
)

// String names the method.
func (m Method) String() string {
	switch m {
	case Copied:
		return "copied"
	case Asynchronous:
		return "asynchronous"
	case Streams:
		return "streams"
	case Mapped:
		return "mapped"
	}
	return fmt.Sprintf("Method(%d)", int(m))
}

// Times are what events measured. Where copies and kernels take turns in several streams, and where
// there are no copies, only Total is known.
type Times struct {
	In, Kernel, Out, Total time.Duration

	AtOnce int // of [Overlap]: how many parts were under way at the same time at most
}

// Options are the settings of [Streams]; zero stands for the default.
type Options struct {
	Streams int // how many there are (default 4)
	Part    int // how many elements a stream takes at a time (default a sixteenth of all, rounded up)

	// Breaks makes [Overlap] record an event in the device's default stream behind each part. On a
	// device with [gocuda.WithLegacyStream] all streams wait for it, and nothing overlaps: The CUDA
	// Handbook, 6.5.3.
	Breaks bool
}

func (o Options) filled(what string, n int) (Options, error) {
	if o.Streams < 0 || o.Streams > 1024 || o.Part < 0 {
		return o, check.Invalid(what, "%d streams, parts of %d", o.Streams, o.Part)
	}
	if o.Streams == 0 {
		o.Streams = 4
	}
	if o.Part == 0 {
		o.Part = max(1, (n+15)/16)
	}
	return o, nil
}

// SAXPY computes y[i] = a*x[i] + y[i] for all i, for x and y of the host. It waits for the result,
// so that on can't be a stream. What page-locked memory needs is locked for the time of the call.
func SAXPY(ctx context.Context, on kernels.Launcher, method Method, o Options, a float32, x, y []float32) (Times, error) {
	const what = "SAXPY"
	var t Times
	if err := check.Lengths(what, len(x), len(y)); err != nil {
		return t, err
	}
	if method < Copied || method > Mapped {
		return t, check.Invalid(what, "%v", method)
	}
	o, err := o.filled(what, len(x))
	if err != nil {
		return t, err
	}
	if err := kernels.Waits(what, on); err != nil {
		return t, err
	}
	if len(x) == 0 {
		return t, nil
	}
	p := saxpy{ctx: ctx, on: on, dev: launchers.Device(on), a: a, x: x, y: y}
	if method == Copied {
		return p.copied()
	}
	if err := locked(x, y, func() error {
		switch method {
		case Asynchronous:
			t, err = p.asynchronous()
		case Streams:
			t, err = p.streams(o)
		default:
			t, err = p.mapped()
		}
		return err
	}); err != nil {
		return Times{}, err
	}
	return t, nil
}

// locked calls f while two arrays are page-locked.
func locked[T any](x, y []T, f func() error) error {
	for _, s := range [][]T{x, y} {
		switch err := mem.HostRegister(s, mem.HostMapped); {
		case err == nil:
			defer mem.HostUnregister(s)
		case !errors.Is(err, mem.ErrHostMemoryAlreadyRegistered):
			return err
		}
	}
	return f()
}

// A saxpy is a call of SAXPY.
type saxpy struct {
	ctx  context.Context
	on   kernels.Launcher
	dev  *gocuda.Device
	a    float32
	x, y []float32
}

// buffers allocates memory of the device for x and y, and calls f with it.
func (p saxpy) buffers(f func(x, y *mem.Buffer[float32]) error) error {
	x, err := mem.Alloc[float32](p.dev, len(p.x))
	if err != nil {
		return err
	}
	defer x.Free()
	y, err := mem.Alloc[float32](p.dev, len(p.y))
	if err != nil {
		return err
	}
	defer y.Free()
	if err := touch(x, y); err != nil {
		return err
	}
	return f(x, y)
}

// copied is stream1Device.cu of the text. The copies wait, so the clock of the host will do.
func (p saxpy) copied() (t Times, err error) {
	err = p.buffers(func(x, y *mem.Buffer[float32]) error {
		start := time.Now()
		if err := errors.Join(mem.CopyToDevice(x, p.x), mem.CopyToDevice(y, p.y)); err != nil {
			return err
		}
		in := time.Now()
		if err := kernels.SAXPY(p.ctx, p.on, p.a, x.Data(), y.Data()); err != nil {
			return err
		}
		kernel := time.Now()
		if err := mem.CopyToHost(p.y, y); err != nil {
			return err
		}
		out := time.Now()
		t = Times{In: in.Sub(start), Kernel: kernel.Sub(in), Out: out.Sub(kernel), Total: out.Sub(start)}
		return nil
	})
	return t, err
}

// asynchronous is stream2Async.cu.
func (p saxpy) asynchronous() (t Times, err error) {
	err = p.buffers(func(x, y *mem.Buffer[float32]) error {
		return onStreams(p.dev, 1, func(all []*gocuda.Stream) error {
			s := all[0]
			q := newQueue(s)
			q.mark()
			q.do(mem.CopyToDeviceAsync(s, x, p.x))
			q.do(mem.CopyToDeviceAsync(s, y, p.y))
			q.mark()
			q.do(kernels.SAXPY(p.ctx, launchers.OnStream(p.on, s), p.a, x.Data(), y.Data()))
			q.mark()
			q.do(mem.CopyToHostAsync(s, p.y, y))
			q.mark()
			between, err := q.wait(p.ctx)
			if err == nil {
				t = Times{In: between[0], Kernel: between[1], Out: between[2], Total: between[0] + between[1] + between[2]}
			}
			return err
		})
	})
	return t, err
}

// streams is stream3Streams.cu: while one stream copies, another one computes. Parts of a stream
// follow one another.
func (p saxpy) streams(o Options) (t Times, err error) {
	err = p.buffers(func(x, y *mem.Buffer[float32]) error {
		return onStreams(p.dev, o.Streams, func(all []*gocuda.Stream) error {
			start := time.Now()
			var parts []part
			for from, k := 0, 0; from < len(p.x); from, k = from+o.Part, k+1 {
				parts = append(parts, part{all[k%len(all)], from, from + min(o.Part, len(p.x)-from)})
			}
			// Breadth first, as the text has it: on a GPU with one queue for copies, a copy back
			// would hold up the copies behind it.
			for _, r := range parts {
				dx, e1 := x.Slice(r.from, r.to)
				dy, e2 := y.Slice(r.from, r.to)
				if err := errors.Join(e1, e2); err != nil {
					return err
				}
				if err := errors.Join(mem.CopyToDeviceAsync(r.on, dx, p.x[r.from:r.to]), mem.CopyToDeviceAsync(r.on, dy, p.y[r.from:r.to])); err != nil {
					return err
				}
			}
			for _, r := range parts {
				on := launchers.OnStream(p.on, r.on)
				if err := kernels.SAXPY(p.ctx, on, p.a, x.Data()[r.from:r.to], y.Data()[r.from:r.to]); err != nil {
					return err
				}
			}
			for _, r := range parts {
				dy, err := y.Slice(r.from, r.to)
				if err != nil {
					return err
				}
				if err := mem.CopyToHostAsync(r.on, p.y[r.from:r.to], dy); err != nil {
					return err
				}
			}
			err := waitAll(p.ctx, all)
			t.Total = time.Since(start)
			return err
		})
	})
	return t, err
}

// mapped is stream4Mapped.cu.
func (p saxpy) mapped() (t Times, err error) {
	x, err := mem.MapHost(p.dev, p.x) // cudaHostGetDevicePointer
	if err != nil {
		return t, err
	}
	y, err := mem.MapHost(p.dev, p.y)
	if err != nil {
		return t, err
	}
	start := time.Now()
	err = kernels.SAXPY(p.ctx, p.on, p.a, x.Data(), y.Data())
	t.Total = time.Since(start)
	return t, err
}
