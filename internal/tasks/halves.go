package tasks

import (
	"flag"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/halves"
)

var halvesTask = Task{
	"halves", "float32 as half precision, case by case",
	"a list of float32; without a file floats evenly over all bits, or all of them with -size 2^32",
	"2^20", Values, halvesJob, 6, 2,
}

// halvesPart is how many floats are converted at a time if there are too many for the memory.
const halvesPart = 1 << 22

func halvesJob(fs *flag.FlagSet) Job {
	return func(e *Env) (*Result, error) {
		if e.In == "" && len(e.Size) == 1 && uint64(e.Size[0]) == 1<<32 {
			return e.allHalves()
		}
		var in []float32
		var err error
		if e.In != "" {
			in, err = e.numbers(0)
		} else {
			in, err = e.floats()
		}
		if err != nil {
			return nil, err
		}
		out := make([]uint16, len(in))
		if err := e.timed(func() error { return halves.Convert(e.Ctx, e.On, out, in) }); err != nil {
			return nil, err
		}
		c := newHalfCases()
		c.add(out, in)
		numbers := make([]uint32, len(out))
		for i, h := range out {
			numbers[i] = uint32(h)
		}
		r := &Result{Numbers: column(numbers), Verify: func() error {
			want := make([]uint16, len(in))
			serial.Halves(want, in)
			return same(out, want)
		}}
		r.printf("floats    %d", len(in))
		r.Lines = append(r.Lines, c.lines()...)
		return r, nil
	}
}

// floats returns floats whose bits are evenly over all that there are.
func (e *Env) floats() ([]float32, error) {
	s, err := e.size(1 << 20)
	if err != nil {
		return nil, err
	}
	in := make([]float32, s[0])
	for i := range in {
		in[i] = math.Float32frombits(uint32(uint64(i) << 32 / uint64(len(in))))
	}
	return in, nil
}

// allHalves converts all 2^32 floats, part by part, and compares each with the reference if that is
// asked for.
func (e *Env) allHalves() (*Result, error) {
	if e.Out != "" {
		return nil, fmt.Errorf("-o %s: all floats are more than a file should have", e.Out)
	}
	in, out, want := make([]float32, halvesPart), make([]uint16, halvesPart), make([]uint16, halvesPart)
	c := newHalfCases()
	var wrong error
	const parts = 1 << 32 / halvesPart
	for p := range parts {
		if err := e.step(p, parts, "part"); err != nil {
			return nil, err
		}
		for i := range in {
			in[i] = math.Float32frombits(uint32(p*halvesPart + i))
		}
		if err := e.timed(func() error { return halves.Convert(e.Ctx, e.On, out, in) }); err != nil {
			return nil, err
		}
		c.add(out, in)
		if e.Verify && wrong == nil {
			serial.Halves(want, in)
			wrong = same(out, want)
		}
	}
	r := &Result{Verify: func() error { return wrong }}
	r.printf("floats    all %d", uint64(parts*halvesPart))
	r.Lines = append(r.Lines, c.lines()...)
	return r, nil
}

// halfCases counts the cases of conversions.
type halfCases struct {
	count   [halves.NaN + 1]uint64
	low     [halves.NaN + 1]uint32  // the least bits of each, without the sign
	high    [halves.NaN + 1]uint32  // the most
	largest [halves.NaN + 1]float64 // error, in the distance of neighbouring halves
}

func newHalfCases() *halfCases {
	c := new(halfCases)
	for k := range c.low {
		c.low[k] = math.MaxUint32
	}
	return c
}

// add counts conversions of in to out.
func (c *halfCases) add(out []uint16, in []float32) {
	for i, x := range in {
		bits := math.Float32bits(x) &^ (1 << 31)
		k := halves.CaseOf(bits)
		c.count[k]++
		c.low[k], c.high[k] = min(c.low[k], bits), max(c.high[k], bits)
		if k <= halves.Normal {
			unit := math.Ldexp(1, max(math.Ilogb(float64(x)), -14)-10)
			off := math.Abs(device.Half2Double(device.Half(out[i]))-float64(x)) / unit
			c.largest[k] = max(c.largest[k], off)
		}
	}
}

// lines are a table of the cases that there are.
func (c *halfCases) lines() []string {
	lines := []string{"case           floats  smallest               largest                error"}
	for k := halves.Zero; k <= halves.NaN; k++ {
		if c.count[k] == 0 {
			continue
		}
		number := func(bits uint32) string { return fmt.Sprintf("%08x %-13.7g", bits, math.Float32frombits(bits)) }
		line := fmt.Sprintf("%-9s %11d  %s %s", k, c.count[k], number(c.low[k]), number(c.high[k]))
		if k <= halves.Normal {
			line += fmt.Sprintf(" %.4f ulp", c.largest[k])
		}
		lines = append(lines, line)
	}
	return lines
}
