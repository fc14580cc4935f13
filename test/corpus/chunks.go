//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Parts of an array, the last of them shorter, and windows that an edge cuts: limits by if, behind
// which a loop goes from the one to the other.

// A checksum for each part.
//
//gocuda:kernel
func ckSums(t *gocuda.Thread, part int, in []uint32, out []uint32) {
	c := t.GlobalX()
	start := c * part
	if start >= len(in) {
		return
	}
	end := start + part
	if end > len(in) {
		end = len(in)
	}
	a, b := uint32(1), uint32(0)
	for i := start; i < end; i++ {
		a = (a + in[i]&255) % 65521
		b = (b + a) % 65521
	}
	out[c] = b<<16 | a
}

// The largest number of a window around each thread; both ends are declared before either has its
// limit.
//
//gocuda:kernel
func ckWindow(t *gocuda.Thread, part int, in []uint32, out []uint32) {
	i, n := t.GlobalX(), len(in)
	if i >= n {
		return
	}
	lo, hi := i-part, i+part
	best := uint32(0)
	if lo < 0 {
		lo = 0
	}
	if hi >= n {
		hi = n - 1
	}
	for k := lo; k <= hi; k++ {
		best = max(best, in[k])
	}
	out[i] = best
}

// A limit that changes between the declaration and the comparison, and one that is read there.
//
//gocuda:kernel
func ckMoved(t *gocuda.Thread, part int, in []uint32, out []uint32) {
	i := int32(t.GlobalX())
	n := int32(len(in))
	if i >= n {
		return
	}
	end := i + int32(part)
	limit := i + 2
	limit = limit + limit%7
	if end > limit {
		end = limit
	}
	other := i * 2
	twice := other + 1
	if other >= n {
		other = n - 1
	}
	sum := uint32(twice)
	for k := i; k < min(end, n); k++ {
		sum = sum*5 + in[k]
	}
	out[i] = sum ^ in[other]
}

func ckSumsSerial(part int, in, out []uint32) {
	for c := 0; c*part < len(in) && c < len(out); c++ {
		a, b := uint32(1), uint32(0)
		for _, v := range in[c*part : min(len(in), (c+1)*part)] {
			a = (a + v%256) % 65521
			b = (b + a) % 65521
		}
		out[c] = b<<16 + a
	}
}

func ckWindowSerial(part int, in, out []uint32) {
	for i := range in {
		for k, v := range in {
			if k >= i-part && k <= i+part && v > out[i] {
				out[i] = v
			}
		}
	}
}

func ckCases() (cases []Case) {
	for _, k := range []struct {
		name     string
		source   func(t *gocuda.Thread, part int, in, out []uint32)
		compiled func(part int, in, out []uint32) gocuda.Kernel
		serial   func(part int, in, out []uint32)
	}{{"ckSums", ckSums, ckSumsKernel, ckSumsSerial}, {"ckWindow", ckWindow, ckWindowKernel, ckWindowSerial}, {"ckMoved", ckMoved, ckMovedKernel, nil}} {
		for _, s := range []struct{ n, part, block int }{{1000, 7, 128}, {300, 64, 32}, {65, 1, 64}, {50, 100, 64}} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.n + s.block - 1) / s.block}, Block: grid.Dim3{X: s.block}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d, %d", k.name, s.n, s.part), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				in, out := make([]uint32, s.n), make([]uint32, s.n)
				for i := range in {
					in[i] = uint32(i+1) * 2654435761 >> 12
				}
				made := Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.part, in, out) }),
					Compiled: k.compiled(s.part, in, out),
					Outputs:  []any{out},
				}
				if k.serial != nil {
					made.Want = func() []any {
						out := make([]uint32, s.n)
						k.serial(s.part, in, out)
						return []any{out}
					}
				}
				return made
			}})
		}
	}
	return cases
}
