// Package randkernel writes random kernels that are well-defined, to hold the executors and the
// compiler to the same answers.
//
// A kernel of it has no data race and no undefined behaviour, whatever is left out of it:
//
//   - An element of shared memory, or of global memory that the block shares, is written by one thread
//     only: each array has a permutation of the threads that says whose it is. What others wrote is read
//     only inside a section, which begins and ends with a barrier, and in which nobody writes the array.
//   - Barriers stand where all threads come that have not returned: conditions around them are made of
//     values that are the same in the whole block.
//   - In branches and loops that threads take on their own there are only private variables, the thread's
//     own elements, inputs, and atomics whose order does not matter.
//   - Indices are taken modulo the length or guarded, divisors are odd, shift counts unsigned, loops
//     bounded, and floating-point numbers become integers only when they fit. Products are rounded before
//     they are added, so that no processor fuses the two.
//
// Kernels are of three families. Full kernels (gen.go) have barriers and warp operations
// everywhere, plain kernels (plain.go) the loops of common programs, and language kernels
// (language.go) the corners of Go. Small kernels (small.go), over integers of 8 and 16 bits, are programs
// of their own: they have other parameters.
//
// A kernel is a tree, which is random, and which a test can shrink: any statement may be deleted
// and the kernel remains well-defined.
package randkernel

import (
	"bytes"
	"fmt"
	"go/format"
	"math/rand/v2"
)

// Source returns a program of the given number of random kernels, the same for the same arguments.
// The program runs each of them on coroutines, as goroutines in checked mode, and in the form that
// the kernel compiler's constructor returns, on blocks of several shapes, and exits with status 1
// if they disagree. Each disagreement is a line that begins with "DISAGREE" and the name of the
// kernel. With the environment variable DIGESTS it runs the source of each kernel once for each
// shape and prints a digest of the outputs.
//
// The constructors are not part of it: `gocuda gen` writes them.
func Source(seed uint64, kernels int) []byte {
	return program(random(seed, kernels))
}

// random returns random kernels, named k0, k1, ...: full ones, plain ones and language kernels in
// turn. The seed says which come first, so that small programs have them all.
func random(seed uint64, kernels int) []*kernel {
	ks := make([]*kernel, kernels)
	for i := range ks {
		r, name := rand.New(rand.NewPCG(seed, uint64(i))), fmt.Sprint("k", i)
		switch (seed + uint64(i)) % 3 {
		case 0:
			ks[i] = newKernel(r, name)
		case 1:
			ks[i] = newPlain(r, name)
		case 2:
			ks[i] = newLanguage(r, name)
		}
	}
	return ks
}

// program returns the program that runs the kernels.
func program(ks []*kernel) []byte {
	if ks[0].small != nil {
		return smallProgram(ks)
	}
	var b bytes.Buffer
	b.WriteString(prologue + languagePrologue)
	for _, k := range ks {
		k.print(&b)
	}
	b.WriteString("// kernels has each kernel in both forms.\nvar kernels = []entry{\n")
	for _, k := range ks {
		fmt.Fprintf(&b, "\t{%q, %s, func(a args) gocuda.Kernel {\n\t\treturn %sKernel(%s)\n\t}, %s, %v},\n", k.name, k.name, k.name, passed, k.shapes(), k.long)
	}
	fmt.Fprintf(&b, "}\n\nconst longInput = %d\n", longInput)
	b.WriteString(epilogue)
	return formatted(b.Bytes())
}

// standIn returns what the compiler would write if it could translate nothing.
func standIn(ks []*kernel) []byte {
	var b bytes.Buffer
	b.WriteString("package main\n\nimport \"github.com/gocuda/gocuda/gocuda\"\n\n")
	for _, k := range ks {
		parameters, names := parameters, names
		if k.small != nil {
			parameters, names = smallParameters, smallNames
		}
		fmt.Fprintf(&b, "func %sKernel(%s) gocuda.Kernel {\n\treturn gocuda.ThreadFunc(func(t *gocuda.Thread) { %s(t, %s) })\n}\n\n",
			k.name, parameters, k.name, names)
	}
	return formatted(b.Bytes())
}

func formatted(src []byte) []byte {
	if out, err := format.Source(src); err == nil {
		return out
	}
	return src // the compiler says what is wrong
}

// The parameters of all kernels, their names, and where a program has their values.
const (
	parameters = "p0 int, p1 int32, in0 []int32, in1 []float32, in2 []uint8, in3 []int64, in4 []float64, " +
		"scratch0 []int32, scratch1 []float64, out0 []int32, out1 []float32, out2 []uint8, out3 []int64, out4 []float64, counters []uint32"
	names = "p0, p1, in0, in1, in2, in3, in4, scratch0, scratch1, out0, out1, out2, out3, out4, counters"

	passed = "a.p0, a.p1, a.in0, a.in1, a.in2, a.in3, a.in4, a.scratch0, a.scratch1, a.out0, a.out1, a.out2, a.out3, a.out4, a.counters"
)

// prologue is the beginning of a program: what kernels call.
const prologue = `// Random kernels, which run in both forms and are compared.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/bits"
	"os"
	"unsafe"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

type number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// whole returns f as an integer if it fits.
func whole(f float64) int64 {
	if !(f > -1e15 && f < 1e15) {
		return 7
	}
	return int64(f)
}

func choose[T number](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

// record is a variable of several types.
type record struct {
	a int32
	b float32
	c uint8
	d [3]int16
}

func (r record) sum() int32 { return r.a + int32(r.c) - int32(r.d[1]) }

func (r *record) bump(v int32) {
	r.a += v
	r.c++
	r.d[uint32(v)%3] -= int16(v)
}

// pass hands v to another thread through s, of which a thread owns the element own.
func pass[T number](t *gocuda.Thread, s []T, own, from int, v T) T {
	s[own] = v
	t.SyncThreads()
	v = s[from]
	t.SyncThreads()
	return v
}

`

// epilogue is the end: it runs the kernels.
const epilogue = `
type entry struct {
	name     string
	source   func(t *gocuda.Thread, ` + parameters + `)
	compiled func(a args) gocuda.Kernel
	shapes   []grid.Config
	long     bool // inputs and outputs have more elements than there are threads
}

type args struct {
	p0                 int
	p1                 int32
	in0                []int32
	in1                []float32
	in2                []uint8
	in3                []int64
	in4                []float64
	scratch0           []int32
	scratch1           []float64
	out0               []int32
	out1               []float32
	out2               []uint8
	out3               []int64
	out4               []float64
	counters           []uint32
}

func hash(k int) uint64 {
	z := uint64(k)*0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// inputs has inputs as long as kernels need them.
var inputs = func() (a args) {
	for i := range longInput {
		h := hash(i)
		a.in0 = append(a.in0, int32(h)>>(h>>32%31))
		a.in1 = append(a.in1, float32(h%20001)/100-100)
		a.in2 = append(a.in2, uint8(h>>17))
		a.in3 = append(a.in3, int64(h)>>(h>>40%63))
		a.in4 = append(a.in4, float64(h%200001)/1000-100)
	}
	return a
}()

// input returns arguments for so many threads, the same each time.
func input(blocks, threads int, long bool) args {
	a, n := inputs, blocks*threads
	a.p0, a.p1 = threads/2, int32(threads)-3
	if long {
		n = 3*n + 5
	} else {
		a.in0, a.in1, a.in2, a.in3, a.in4 = a.in0[:n:n], a.in1[:n:n], a.in2[:n:n], a.in3[:n:n], a.in4[:n:n]
	}
	a.scratch0, a.scratch1 = make([]int32, n), make([]float64, n)
	a.out0, a.out1, a.out2 = make([]int32, n), make([]float32, n), make([]uint8, n)
	a.out3, a.out4, a.counters = make([]int64, n), make([]float64, n), make([]uint32, 16*blocks)
	return a
}

// text is all that a kernel has written. It shows every bit but those of NaN.
func (a args) text() string {
	var b bytes.Buffer
	line := func(name string, n int, at func(i int) any) {
		for i := range n {
			fmt.Fprintln(&b, name, i, at(i))
		}
	}
	float := func(f float64) any {
		if f != f {
			return "NaN"
		}
		return fmt.Sprintf("%v (%#x)", f, math.Float64bits(f))
	}
	line("out0", len(a.out0), func(i int) any { return a.out0[i] })
	line("out1", len(a.out1), func(i int) any { return float(float64(a.out1[i])) })
	line("out2", len(a.out2), func(i int) any { return a.out2[i] })
	line("out3", len(a.out3), func(i int) any { return a.out3[i] })
	line("out4", len(a.out4), func(i int) any { return float(a.out4[i]) })
	line("counters", len(a.counters), func(i int) any { return a.counters[i] })
	return b.String()
}

func device(opts ...gocuda.Option) *gocuda.Device {
	d, err := gocuda.NewDevice(opts...)
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	return d
}

func main() {
	coroutines := device(gocuda.WithExecutor(gocuda.ExecutorCoroutine), gocuda.WithWorkers(1))
	checked := device(gocuda.WithChecked(true))
	shuffled := device(gocuda.WithExecutor(gocuda.ExecutorCoroutine), gocuda.WithWorkers(2), gocuda.WithBlockOrder(gocuda.ShuffledOrder(3)))
	if os.Getenv("DIGESTS") != "" {
		digests(coroutines)
		return
	}
	bad := 0
	for _, k := range kernels {
		for _, cfg := range k.shapes {
			run := func(d *gocuda.Device, compiled bool) string {
				a := input(cfg.Blocks(), cfg.Threads(), k.long)
				kernel := k.compiled(a)
				if !compiled {
					kernel = gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, ` + passed + `) })
				}
				if err := d.Launch(context.Background(), cfg, kernel); err != nil {
					return "error " + err.Error() + "\n"
				}
				return a.text()
			}
			want := run(coroutines, false)
			if bytes.HasPrefix([]byte(want), []byte("error")) {
				fmt.Printf("DISAGREE %s on %v %v: the source fails: %s", k.name, cfg.Grid, cfg.Block, want)
				bad++
				break
			}
			ok := true
			for _, other := range []struct {
				name     string
				d        *gocuda.Device
				compiled bool
			}{
				{"source, checked", checked, false},
				{"compiled", coroutines, true},
				{"compiled, 2 workers, shuffled", shuffled, true},
			} {
				if other.d == checked && cfg.Threads() > 100 {
					continue
				}
				if got := run(other.d, other.compiled); got != want {
					fmt.Printf("DISAGREE %s on %v %v, %s: %s\n", k.name, cfg.Grid, cfg.Block, other.name, difference(got, want))
					ok = false
					break
				}
			}
			if !ok {
				bad++
				break
			}
		}
	}
	if bad > 0 {
		os.Exit(1)
	}
	fmt.Println("all", len(kernels), "agree")
}

// digests runs the source of each kernel and prints a digest of what it has written.
func digests(d *gocuda.Device) {
	for _, k := range kernels {
		for _, cfg := range k.shapes {
			a := input(cfg.Blocks(), cfg.Threads(), k.long)
			kernel := gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, ` + passed + `) })
			err := d.Launch(context.Background(), cfg, kernel)
			fmt.Printf("DIGEST %s %v %v %x %v\n", k.name, cfg.Grid, cfg.Block, sha256.Sum256([]byte(a.text())), err)
		}
	}
}

// difference returns the first line in which two texts differ.
func difference(got, want string) string {
	a, b := bytes.Split([]byte(got), []byte("\n")), bytes.Split([]byte(want), []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf("%s, not %s", a[i], b[i])
		}
	}
	return "another number of lines"
}

var _ = bits.Len
var _ = math.Pi
var _ = atomic.Add[int32]
`
