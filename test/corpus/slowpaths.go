//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Helpers with a slow path for few arguments, which vectors leave to plain Go.

//gocuda:kernel
func spSin(t *gocuda.Thread, x, y []float32) {
	if i := t.GlobalX(); i < len(x) {
		y[i] = device.Sinf(x[i])
	}
}

//gocuda:kernel
func spWave(t *gocuda.Thread, x, y []float32) {
	if i := t.GlobalX(); i < len(x) {
		s, c := device.Sincosf(x[i] * 3)
		y[i] = s*c + device.Cosf(x[i])
	}
}

//gocuda:kernel
func spTan(t *gocuda.Thread, x, y []float32) {
	if i := t.GlobalX(); i < len(x) {
		y[i] = device.Tanf(x[i])
	}
}

//gocuda:kernel
func spSin64(t *gocuda.Thread, x, y []float64) {
	if i := t.GlobalX(); i < len(x) {
		y[i] = device.Sin(x[i])
	}
}

// spRoot takes another way for numbers below zero, after it has stored something.
//
//gocuda:kernel
func spRoot(t *gocuda.Thread, x, y []float32) {
	i := t.GlobalX()
	if i >= len(x) {
		return
	}
	s := float32(0)
	for k := 0; k < 3; k++ {
		v := x[(i+k)%len(x)]
		if v < 0 {
			s += spSlow(v)
		} else {
			s += v * 0.5
		}
	}
	y[i] = s
}

// spSlow is the rare way.
//
//go:noinline
func spSlow(v float32) float32 { return float32(math.Cbrt(float64(v))) }

// spCases returns a case for each kernel and range of arguments.
func spCases() (cases []Case) {
	for _, s := range []struct {
		n int
		f func(i int) float64
	}{
		{300, func(i int) float64 { return float64(i-150) * 0.1 }}, {1000, func(i int) float64 { return float64(i) * 31.7 }},
		{257, func(i int) float64 { return float64(math.Float32frombits(uint32(i) * 16711935)) }}, {64, func(i int) float64 { return math.Exp(float64(i)) }}, {1, func(int) float64 { return 1e30 }},
	} {
		for _, k := range []struct {
			name   string
			source func(t *gocuda.Thread, x, y []float32)
			made   func(x, y []float32) gocuda.Kernel
		}{{"spSin", spSin, spSinKernel}, {"spWave", spWave, spWaveKernel}, {"spTan", spTan, spTanKernel}, {"spRoot", spRoot, spRootKernel}} {
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d", k.name, s.n), Configs: []grid.Config{grid.Linear(s.n, 96)}, Make: func(grid.Config) Instance {
				x, y := make([]float32, s.n), make([]float32, s.n)
				for i := range x {
					x[i] = float32(s.f(i))
				}
				return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, x, y) }), Compiled: k.made(x, y), Outputs: []any{y}}
			}})
		}
		cases = append(cases, Case{Name: fmt.Sprintf("spSin64 of %d", s.n), Configs: []grid.Config{grid.Linear(s.n, 96)}, Make: func(grid.Config) Instance {
			x, y := make([]float64, s.n), make([]float64, s.n)
			for i := range x {
				x[i] = s.f(i) * 1000
			}
			return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { spSin64(t, x, y) }), Compiled: spSin64Kernel(x, y), Outputs: []any{y}}
		}})
	}
	return cases
}
