package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/prof"
)

// A ladder is what a paper measured of kernels that do the same, beside the model.
type ladder struct {
	Title string
	Unit  string // ms, GB/s or GFLOPS
	Rungs []rung
}

type rung struct {
	Name     string
	Measured float64
	Model    float64
	Limiter  string
}

// elements is the size of the published reductions.
const elements = 1 << 22

// ladders runs all kernels.
func ladders() ([]ladder, error) {
	var all []ladder
	for _, f := range []func() ([]ladder, error){reductions, transposes, products} {
		some, err := f()
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func model(l *prof.Launch, gpu string) (prof.Model, error) {
	g, err := prof.FindGPU(gpu)
	if err != nil {
		return prof.Model{}, err
	}
	return l.Model(g)
}

// reductions runs the first six kernels on a sixteenth of the elements: their blocks all do the
// same, so the time is that of 16 such launches. A block of the seventh adds 2048 elements, as many
// as there are.
func reductions() ([]ladder, error) {
	l := ladder{Title: "Reductions of 2^22 int32, Harris (2007), GeForce 8800 GTX", Unit: "ms"}
	for _, k := range []struct {
		name     string
		measured float64
		kernel   func(in, out []int32) func(*gocuda.Thread)
		each     int // elements a block
	}{
		{"1: interleaved, with %", 8.054, interleaved, block},
		{"2: strided, bank conflicts", 3.456, strided, block},
		{"3: sequential", 1.722, sequential, block},
		{"4: first add during load", 0.965, firstAdd, 2 * block},
		{"5: last warp unrolled", 0.536, lastWarp, 2 * block},
		{"6: all unrolled", 0.381, unrolled, 2 * block},
		{"7: several elements a thread", 0.268, several, 2048},
	} {
		n := elements / 16
		in, out := make([]int32, n), make([]int32, n/k.each)
		for i := range in {
			in[i] = int32(i%7 - 3)
		}
		launch, err := profile(k.name, grid.Dim3{X: n / k.each}, grid.Dim3{X: block}, 10, k.kernel(in, out))
		if err != nil {
			return nil, err
		}
		if sum(out) != sum(in) {
			return nil, fmt.Errorf("reduction %s is wrong", k.name)
		}
		m, err := model(launch, "g80")
		if err != nil {
			return nil, err
		}
		l.Rungs = append(l.Rungs, rung{k.name, k.measured, 16e3 * m.Seconds, m.Limiter})
	}
	return []ladder{l}, nil
}

func sum(x []int32) (s int64) {
	for _, v := range x {
		s += int64(v)
	}
	return s
}

func transposes() ([]ladder, error) {
	in, out := make([]float32, side*side), make([]float32, side*side)
	for i := range in {
		in[i] = float32(i)
	}
	type kernel struct {
		name      string
		measured  [3]float64
		kernel    func(*gocuda.Thread)
		transpose bool
	}
	all := []ladder{
		{Title: "Transposes of 2048x2048 float32, Ruetsch and Micikevicius (2009), GeForce GTX 280", Unit: "GB/s"},
		{Title: "The same, Tesla M2090", Unit: "GB/s"},
		{Title: "The same, Tesla K20X", Unit: "GB/s"},
	}
	for _, k := range []kernel{
		{"simple copy", [3]float64{96.9, 125.2, 147.6}, simpleCopy(in, out), false},
		{"copy through shared memory", [3]float64{80.9, 110.6, 130.5}, sharedCopy(in, out), false},
		{"naive", [3]float64{2.2, 61.5, 92.0}, naiveTranspose(in, out), true},
		{"tiled", [3]float64{16.5, 92.8, 114.0}, tiledTranspose(in, out, tile), true},
		{"padded", [3]float64{16.6, 103.2, 112.6}, tiledTranspose(in, out, tile+1), true},
		{"diagonal", [3]float64{69.5, 81.4, 106.7}, diagonalTranspose(in, out), true},
	} {
		clear(out)
		l, err := profile(k.name, grid.Dim3{X: side / tile, Y: side / tile}, grid.Dim3{X: tile, Y: rows}, 12, k.kernel)
		if err != nil {
			return nil, err
		}
		for i, v := range out {
			want := in[i]
			if k.transpose {
				want = in[i%side*side+i/side]
			}
			if v != want {
				return nil, fmt.Errorf("transpose %s is wrong at %d", k.name, i)
			}
		}
		for i, gpu := range []string{"gt200", "fermi", "kepler"} {
			m, err := model(l, gpu)
			if err != nil {
				return nil, err
			}
			all[i].Rungs = append(all[i].Rungs, rung{k.name, k.measured[i], m.GBs, m.Limiter})
		}
	}
	return all, nil
}

func products() ([]ladder, error) {
	a, b, c := make([]float32, cols*depth), make([]float32, depth*cols), make([]float32, cols*cols)
	for i := range a {
		a[i], b[i] = float32(i%5), float32(i%3)
	}
	l := ladder{Title: "Matrix products of 4096x4096 float32, Ryoo et al. (2008), GeForce 8800 GTX", Unit: "GFLOPS"}
	for _, k := range []struct {
		name      string
		measured  float64
		registers int
		kernel    func(*gocuda.Thread)
	}{
		{"naive", 10.58, 10, naiveProduct(a, b, c)},
		{"tiles of 16x16", 46.49, 10, tiledProduct(a, b, c)},
		{"tiles, unrolled", 91.14, 9, unrolledProduct(a, b, c)},
		{"tiles, unrolled, prefetch", 87.10, 11, prefetchProduct(a, b, c)},
	} {
		clear(c)
		launch, err := profile(k.name, grid.Dim3{X: cols / width, Y: cols / width}, grid.Dim3{X: width, Y: width}, k.registers, k.kernel)
		if err != nil {
			return nil, err
		}
		for i, v := range c {
			want := float32(0)
			for k := range depth {
				want += a[i/cols*depth+k] * b[k*cols+i%cols] // small integers: exact
			}
			if v != want {
				return nil, fmt.Errorf("product %s is wrong at %d", k.name, i)
			}
		}
		m, err := model(launch, "g80")
		if err != nil {
			return nil, err
		}
		l.Rungs = append(l.Rungs, rung{k.name, k.measured, m.GFLOPS, m.Limiter})
	}
	return []ladder{l}, nil
}

// The model has to keep the order of rungs that differ by more than a tenth, and the ratio of
// neighbours that do within this factor.
const (
	apart  = 1.1
	factor = 1.6
)

// check returns where the model is not as good as it has to be.
func check(all []ladder) error {
	var wrong []error
	for _, l := range all {
		for i, a := range l.Rungs {
			for k, b := range l.Rungs[:i] {
				measured, modelled := a.Measured/b.Measured, a.Model/b.Model
				if max(measured, 1/measured) <= apart {
					continue
				}
				if (measured > 1) != (modelled > 1) {
					wrong = append(wrong, fmt.Errorf("%s: %q and %q are the other way round", l.Title, b.Name, a.Name))
				}
				if off := modelled / measured; k == i-1 && max(off, 1/off) > factor {
					wrong = append(wrong, fmt.Errorf("%s: the ratio of %q to %q is %.2f, measured was %.2f", l.Title, a.Name, b.Name, modelled, measured))
				}
			}
		}
	}
	return errors.Join(wrong...)
}

// document is docs/model.md.
func document(all []ladder) string {
	var b strings.Builder
	b.WriteString(preface)
	for _, l := range all {
		fmt.Fprintf(&b, "\n## %s\n\n| kernel | measured, %s | model, %s | ratio to the row above, measured | model | limiter |\n| --- | --- | --- | --- | --- | --- |\n", l.Title, l.Unit, l.Unit)
		for i, r := range l.Rungs {
			measured, modelled := "", ""
			if i > 0 {
				measured, modelled = digits(r.Measured/l.Rungs[i-1].Measured), digits(r.Model/l.Rungs[i-1].Model)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.Name, digits(r.Measured), digits(r.Model), measured, modelled, r.Limiter)
		}
	}
	h := prof.HongKim{
		Frequency: 1, Bandwidth: 80, SMs: 16, MemLatency: 420, DepartureUncoal: 10, DepartureCoal: 4, IssueCycles: 4, LoadBytes: 128,
		UncoalPerRequest: 32, Blocks: 80, BlocksPerSM: 5, WarpsPerBlock: 4, Computing: 27, Uncoal: 6, Barriers: 6,
	}
	fmt.Fprintf(&b, hongKim, h.Cycles())
	return b.String()
}

// digits prints three significant digits.
func digits(v float64) string {
	decimals := max(0, 2-int(math.Floor(math.Log10(v))))
	return fmt.Sprintf("%.*f", decimals, v)
}

const preface = `# The model of the profiler

` + "`gocuda prof -sections model`" + ` estimates the time of a launch from its exact counts. The estimate is for orders and ratios of
kernels. This page holds it against published measurements. It is written by

    go run ./cmd/gocuda prof -sections model -run ./internal/ladder -- -o docs/model.md

which runs the kernels of the papers under the profiler, checks their results, and fails unless the model keeps the order of all kernels that
differ by more than 10 %, and the ratio of neighbours that do within a factor of 1.6.

A multiprocessor takes as long as the largest of five bounds: the issue of instructions, passes over the banks of shared memory, bytes
through the L2 cache, bytes of device memory, and latency that the resident warps don't hide. Half of the issue time, and an
eighth of the passes, are added where something else is the bound. The costs of instructions are
those of the guides; what a copy attains of the peak bandwidth is the first row of each table of transposes, and the last of the reductions.
Instructions are those of the Go source by class, not those of a compiler for GPUs.
`

const hongKim = `
## Hong and Kim (2009)

` + "`prof.HongKim`" + ` is the analytical model of Hong and Kim. For the worked example of their paper, 50738 cycles, it gives %.0f.
`
