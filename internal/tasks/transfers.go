package tasks

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"time"
	"unsafe"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/bandwidth"
	"github.com/gocuda/gocuda/kernels/streaming"
)

// The tasks on the way of data: copies with kernels, and words of memory.

func transferTasks() []Task {
	return []Task{
		{"streaming", "y = a x + y with copies to a device and back, in four ways", takesNumbers + ", for x; y is by chance", "2^20", Values, saxpyStreaming, 24, 8},
		{"overlap", "copies and a kernel one after another, and side by side on several streams", "", "2^20", Values, overlap, 16, 4},
		{"bandwidth", "the speed of memory, by the width of words and by stride", "", "2^22", 0, bandwidths, 17, 33},
	}
}

// streamFlags adds the flags of streams.
func streamFlags(fs *flag.FlagSet) *streaming.Options {
	o := new(streaming.Options)
	fs.IntVar(&o.Streams, "streams", 4, "the `number` of streams")
	fs.IntVar(&o.Part, "part", 0, "how many elements a stream takes at a `time` (default a sixteenth of all)")
	return o
}

// timeLine says how long something took, and its steps if they are known.
func timeLine(what string, t streaming.Times) string {
	line := fmt.Sprintf("%-13s %v", what, round(t.Total))
	if t.In+t.Kernel+t.Out > 0 {
		line += fmt.Sprintf(": copies in %v, kernel %v, copy back %v", round(t.In), round(t.Kernel), round(t.Out))
	}
	return line
}

func saxpyStreaming(fs *flag.FlagSet) Job {
	a := fs.Float64("a", 2, "the factor `a`")
	o := streamFlags(fs)
	method := choose[name](fs, "method", "how the data come to the device", "all", "copied", "asynchronous", "streams", "mapped")
	return func(e *Env) (*Result, error) {
		x, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		before := e.chance(len(x))
		r := &Result{}
		r.printf("elements  %d", len(x))
		var got [][]float32
		y := make([]float32, len(x))
		for m := streaming.Copied; m <= streaming.Mapped; m++ {
			if method.is != "all" && string(method.is) != m.String() {
				continue
			}
			copy(y, before)
			var t streaming.Times
			err := e.timed(func() (err error) {
				t, err = streaming.SAXPY(e.Ctx, e.On, m, *o, float32(*a), x, y)
				return err
			})
			if err != nil {
				return nil, fmt.Errorf("%v: %w", m, err)
			}
			r.Lines = append(r.Lines, timeLine(m.String(), t))
			// All methods give the same bits, so one result stands for all that are equal to it.
			if !slices.ContainsFunc(got, func(g []float32) bool { return slices.Equal(g, y) }) {
				got = append(got, slices.Clone(y))
			}
		}
		r.Numbers = column(y)
		r.Verify = func() error {
			want := before
			serial.SAXPY(float32(*a), x, want)
			bound := 0x1p-23 * (1 + math.Abs(*a)*largest(x) + largest(want)) // see saxpy
			for _, g := range got {
				if err := near(g, want, bound); err != nil {
					return err
				}
			}
			return nil
		}
		return r, nil
	}
}

func overlap(fs *flag.FlagSet) Job {
	rounds := fs.Int("rounds", 64, "the `number` of operations on each element")
	o := streamFlags(fs)
	fs.BoolVar(&o.Breaks, "breaks", false, "record an event in CUDA's NULL stream behind each part, so that nothing overlaps")
	return func(e *Env) (*Result, error) {
		if o.Breaks {
			before := e.On
			dev, on, err := e.legacy()
			if err != nil {
				return nil, err
			}
			defer dev.Close()
			e.On = on
			defer func() { e.On = before }()
		}
		s, err := e.size(1 << 20)
		if err != nil {
			return nil, err
		}
		in, out := make([]uint32, s[0]), make([]uint32, s[0])
		random := e.random()
		for i := range in {
			in[i] = random.Uint32()
		}
		var alone, together streaming.Times
		err = e.timed(func() error {
			alone, together, err = streaming.Overlap(e.Ctx, e.On, *o, *rounds, out, in)
			return err
		})
		if err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(out), Verify: func() error {
			want := make([]uint32, len(in))
			serial.Overlap(*rounds, want, in)
			return same(out, want)
		}}
		r.printf("elements  %d, %d operations on each", len(in), *rounds)
		r.Lines = append(r.Lines, timeLine("one stream", alone), timeLine(fmt.Sprint(o.Streams, " streams"), together))
		r.printf("at once   %d of the parts at most", together.AtOnce)
		if together.Total > 0 {
			r.printf("gain      %.2f", alone.Total.Seconds()/together.Total.Seconds())
		}
		return r, nil
	}
}

// legacy opens a device with CUDA's NULL stream, and as many workers as that of e.On has. on
// launches on it as e.On does.
func (e *Env) legacy() (dev *gocuda.Device, on kernels.Launcher, err error) {
	inner := e.On
	if c, ok := inner.(counting); ok {
		inner = c.Launcher
	}
	own, compiled := inner.(*gocuda.Device)
	for next := inner; own == nil; {
		u, ok := next.(interface{ Unwrap() kernels.Launcher })
		if !ok {
			own = gocuda.Default()
			break
		}
		next = u.Unwrap()
		own, _ = next.(*gocuda.Device)
	}
	if dev, err = gocuda.NewDevice(gocuda.WithLegacyStream(true), gocuda.WithWorkers(own.Properties().Workers)); err != nil {
		return nil, nil, err
	}
	on = dev
	if !compiled {
		on = kernels.Uncompiled(dev)
	}
	return dev, counting{on, e}, nil
}

func bandwidths(fs *flag.FlagSet) Job {
	offset := fs.Int("offset", 0, "the first `word` that is used")
	times := fs.Int("times", 3, "how `often` each is measured, for the best")
	return func(e *Env) (*Result, error) {
		s, err := e.size(1 << 22)
		if err != nil {
			return nil, err
		}
		n := s[0]
		if *offset < 0 || *offset > 0 && *offset >= n/16 || *times < 1 || *times > 1000 {
			return nil, fmt.Errorf("-offset %d -times %d: want 0 to %d words of 16 bytes, and 1 to 1000 times", *offset, *times, max(n/16-1, 0))
		}
		m := &accesses{e: e, offset: *offset, times: *times}
		m.printf("bytes     %d, from word %d on; GB/s of the words that are used", n, *offset)
		head := "stride        "
		for _, stride := range accessStrides {
			head += fmt.Sprintf("%8d", stride)
		}
		m.Lines = append(m.Lines, head)
		m.Verify = func() error { return m.wrong }
		rows := []func() error{
			func() error { return accessed[uint8](m, n) }, func() error { return accessed[uint16](m, n/2) },
			func() error { return accessed[uint32](m, n/4) }, func() error { return accessed[uint64](m, n/8) },
			func() error { return accessedWide(m, n/16) },
		}
		for i, row := range rows {
			if err := e.step(i, len(rows), "width"); err != nil {
				return nil, err
			}
			if err := row(); err != nil {
				return nil, err
			}
		}
		return &m.Result, nil
	}
}

var accessStrides = []int{1, 2, 4, 8, 16, 32}

// accesses are the measurements of bandwidth.
type accesses struct {
	Result
	e             *Env
	offset, times int
	wrong         error // the first mismatch, if results are verified
}

// best measures f several times and returns the speed of so many bytes.
func (m *accesses) best(bytes int, f func() error) (string, error) {
	best := time.Duration(math.MaxInt64)
	for range m.times {
		before := m.e.took
		if err := m.e.timed(f); err != nil {
			return "", err
		}
		best = min(best, m.e.took-before)
	}
	return fmt.Sprintf("%8.3g", float64(bytes)/float64(max(best, 1))), nil
}

// row measures reads and writes at each stride. check compares, after each.
func (m *accesses) row(width, n int, read, write func(stride int) error, checkRead, checkWrite func(stride int) error) error {
	for _, kind := range []struct {
		what       string
		run, check func(stride int) error
	}{{"read", read, checkRead}, {"write", write, checkWrite}} {
		line := fmt.Sprintf("%-5s %2d bytes", kind.what, width)
		for _, stride := range accessStrides {
			speed, err := m.best(width*bandwidth.Count(n, stride, m.offset), func() error { return kind.run(stride) })
			if err != nil {
				return err
			}
			line += speed
			if m.e.Verify && m.wrong == nil {
				if err := kind.check(stride); err != nil {
					m.wrong = fmt.Errorf("%s at stride %d: %w", line[:14], stride, err)
				}
			}
		}
		m.Lines = append(m.Lines, line)
	}
	return nil
}

// accessed measures words of n elements.
func accessed[T bandwidth.Word](m *accesses, n int) error {
	in, out, random := make([]T, n), make([]T, n), m.e.random()
	for i := range in {
		in[i] = T(random.Uint64())
	}
	room := make([]T, bandwidth.Sums(n, 1, 0))
	var sums []T
	width := int(unsafe.Sizeof(T(0)))
	return m.row(width, n,
		func(stride int) error {
			sums = room[:bandwidth.Sums(n, stride, m.offset)]
			return bandwidth.Read(m.e.Ctx, m.e.On, stride, m.offset, sums, in)
		},
		func(stride int) error { return bandwidth.Write(m.e.Ctx, m.e.On, stride, m.offset, T(stride), out) },
		func(stride int) error {
			want := make([]T, len(sums))
			serial.StridedRead(stride, m.offset, want, in)
			return same(sums, want)
		},
		func(stride int) error {
			want := slices.Clone(out)
			serial.StridedWrite(stride, m.offset, T(stride), want)
			return same(out, want)
		})
}

// accessedWide is accessed for words of 16 bytes.
func accessedWide(m *accesses, n int) error {
	in, out, random := make([]device.Uint4, n), make([]device.Uint4, n), m.e.random()
	for i := range in {
		in[i] = device.Uint4{X: random.Uint32(), Y: random.Uint32(), Z: random.Uint32(), W: random.Uint32()}
	}
	room := make([]device.Uint4, bandwidth.Sums(n, 1, 0))
	var sums []device.Uint4
	return m.row(16, n,
		func(stride int) error {
			sums = room[:bandwidth.Sums(n, stride, m.offset)]
			return bandwidth.ReadWide(m.e.Ctx, m.e.On, stride, m.offset, sums, in)
		},
		func(stride int) error {
			return bandwidth.WriteWide(m.e.Ctx, m.e.On, stride, m.offset, device.Uint4{X: uint32(stride), Y: 1, Z: 2, W: 3}, out)
		},
		func(stride int) error {
			want := make([]device.Uint4, len(sums))
			serial.StridedReadWide(stride, m.offset, want, in)
			return same(sums, want)
		},
		func(stride int) error {
			want := slices.Clone(out)
			serial.StridedWriteWide(stride, m.offset, device.Uint4{X: uint32(stride), Y: 1, Z: 2, W: 3}, want)
			return same(out, want)
		})
}
