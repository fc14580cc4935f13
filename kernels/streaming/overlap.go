package streaming

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
	"github.com/gocuda/gocuda/kernels/internal/launchers"
	"github.com/gocuda/gocuda/mem"
)

// Overlap of copies and kernels (The CUDA Handbook, 6.5, concurrencyMemcpyKernel.cu): a kernel
// whose work can be set runs after its copies in one stream, and in parts on several streams. The
// gain depends on the ratio of copies and work: at best, the times of copy, kernel and copy become
// that of the longest.

const workThreads = 256

// work is the program of one thread: elements in steps of the grid, each through a chain of rounds
// operations that no compiler can shorten.
//
//gocuda:kernel
func work(t *gocuda.Thread, rounds int, out, in []uint32) {
	for i := t.GlobalX(); i < len(in); i += t.GridDim.X * t.BlockDim.X {
		v := in[i]
		for range rounds {
			v = v*1664525 + 1013904223
		}
		out[i] = v
	}
}

// Overlap sets out to in after so many rounds of work on each element, and measures it in one
// stream and, in parts, on several. The result is that of the second run. Of the second run only
// Total is known, unless all is one part.
func Overlap(ctx context.Context, on kernels.Launcher, o Options, rounds int, out, in []uint32) (sequential, overlapped Times, err error) {
	const what = "overlap of copies and kernels"
	if err := check.Lengths(what, len(in), len(out)); err != nil {
		return sequential, overlapped, err
	}
	if rounds < 0 {
		return sequential, overlapped, check.Invalid(what, "%d rounds", rounds)
	}
	if o, err = o.filled(what, len(in)); err != nil {
		return sequential, overlapped, err
	}
	if err := kernels.Waits(what, on); err != nil {
		return sequential, overlapped, err
	}
	if len(in) == 0 {
		return sequential, overlapped, nil
	}
	err = locked(in, out, func() error {
		v := overlap{ctx, on, launchers.Device(on), rounds, out, in}
		return v.buffers(func(src, dst *mem.Buffer[uint32]) error {
			if sequential, err = v.run(1, len(in), false, src, dst); err != nil {
				return err
			}
			if err := touch(dst); err != nil { // so that the second result is its own
				return err
			}
			overlapped, err = v.run(o.Streams, o.Part, o.Breaks, src, dst)
			return err
		})
	})
	return sequential, overlapped, err
}

// An overlap is a call of Overlap.
type overlap struct {
	ctx     context.Context
	on      kernels.Launcher
	dev     *gocuda.Device
	rounds  int
	out, in []uint32
}

// buffers calls f with memory of the device for in and out.
func (v overlap) buffers(f func(src, dst *mem.Buffer[uint32]) error) error {
	src, err := mem.Alloc[uint32](v.dev, len(v.in))
	if err != nil {
		return err
	}
	defer src.Free()
	dst, err := mem.Alloc[uint32](v.dev, len(v.out))
	if err != nil {
		return err
	}
	defer dst.Free()
	if err := touch(src, dst); err != nil {
		return err
	}
	return f(src, dst)
}

// run does all parts, each after the other on its stream. With one part it tells copies and kernel
// apart.
func (v overlap) run(streams, size int, breaks bool, src, dst *mem.Buffer[uint32]) (t Times, err error) {
	err = onStreams(v.dev, streams, func(all []*gocuda.Stream) error {
		queues := make([]*queue, len(all))
		for i, s := range all {
			queues[i] = newQueue(s)
		}
		start := time.Now()
		for from, k := 0, 0; from < len(v.in); from, k = from+size, k+1 {
			to := from + min(size, len(v.in)-from)
			q := queues[k%len(queues)]
			d, e1 := src.Slice(from, to)
			r, e2 := dst.Slice(from, to)
			if err := errors.Join(e1, e2); err != nil {
				return err
			}
			cfg := grid.Linear(to-from, workThreads)
			cfg.Grid.X = min(cfg.Grid.X, 65535)
			q.mark()
			q.do(mem.CopyToDeviceAsync(q.s, d, v.in[from:to]))
			q.mark()
			q.do(launchers.OnStream(v.on, q.s).Launch(v.ctx, cfg, workKernel(v.rounds, r.Data(), d.Data())))
			q.mark()
			q.do(mem.CopyToHostAsync(q.s, v.out[from:to], r))
			q.mark()
			if breaks {
				q.do(v.dev.DefaultStream().Record(v.dev.NewEvent()))
			}
		}
		for _, q := range queues {
			between, err := q.wait(v.ctx)
			if err != nil {
				return err
			}
			if size == len(v.in) && len(between) == 3 {
				t.In, t.Kernel, t.Out = between[0], between[1], between[2]
			}
		}
		t.Total = time.Since(start)
		t.AtOnce, err = atOnce(queues)
		return err
	})
	return t, err
}

// marks is how many events a part has: before and behind its two copies and its kernel.
const marks = 4

// atOnce returns how many parts were under way at the same time at most, by their first and last
// events. A part that begins when another ends comes after it.
func atOnce(queues []*queue) (most int, err error) {
	type change struct {
		at time.Duration
		by int
	}
	var changes []change
	for _, q := range queues {
		for i := 0; i+marks <= len(q.events); i += marks {
			for k, by := range map[int]int{i: 1, i + marks - 1: -1} {
				at, err := q.events[k].Since(queues[0].events[0])
				if err != nil {
					return 0, err
				}
				changes = append(changes, change{at, by})
			}
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), a.by-b.by) })
	now := 0
	for _, c := range changes {
		now += c.by
		most = max(most, now)
	}
	return most, nil
}
