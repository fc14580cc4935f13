package randkernel

import (
	"bytes"
	"fmt"
)

// smallSizes says how long the slices of a small kernel are, for n threads with elements: inputs
// times*(n-1)+1+more, and as many more as there are rounds; outputs stores*n.
type smallSizes struct {
	times, more, stores int
	rounds              bool
}

// The parameters of small kernels, and where a program has their values.
const (
	smallParameters = "n, w, h, rounds, p0, p1 int, p2 int32, p3 uint8, p4 int8, p5 uint16, p6 int16, p7 uint32, " +
		"a0, a1, a2 []uint8, c0, c1 []int8, e0, e1 []uint16, g0, g1 []int16, q0 []bool, " +
		"outA []uint8, outC []int8, outE []uint16, outG []int16, outQ []bool"
	smallNames  = "n, w, h, rounds, p0, p1, p2, p3, p4, p5, p6, p7, a0, a1, a2, c0, c1, e0, e1, g0, g1, q0, outA, outC, outE, outG, outQ"
	smallPassed = "a.n, a.w, a.h, a.rounds, a.p0, a.p1, a.p2, a.p3, a.p4, a.p5, a.p6, a.p7, a.a0, a.a1, a.a2, a.c0, a.c1, a.e0, a.e1, a.g0, a.g1, a.q0, a.outA, a.outC, a.outE, a.outG, a.outQ"
)

// smallProgram returns the program that runs small kernels.
func smallProgram(ks []*kernel) []byte {
	var b bytes.Buffer
	b.WriteString(smallPrologue)
	for _, k := range ks {
		k.print(&b)
	}
	b.WriteString("// kernels has each kernel in both forms.\nvar kernels = []entry{\n")
	for _, k := range ks {
		s := k.small
		fmt.Fprintf(&b, "\t{%q, %s, func(a args) gocuda.Kernel {\n\t\treturn %sKernel(%s)\n\t}, %v, %d, %d, %d, %v},\n",
			k.name, k.name, k.name, smallPassed, k.planar, s.times, s.more, s.stores, s.rounds)
	}
	b.WriteString("}\n")
	b.WriteString(smallEpilogue)
	return formatted(b.Bytes())
}

// smallPages is the file that makes memory which ends at a page that nobody may touch, and
// smallNoPages the one for systems without such calls.
const (
	smallPages = `//go:build unix

package main

import "syscall"

// memory returns two pieces of memory of so many bytes: pages that nobody may touch are before the first
// and behind the second.
func memory(size int) (first, last []byte) {
	page := syscall.Getpagesize()
	n := (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, n+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	if err := syscall.Mprotect(all[:page], syscall.PROT_NONE); err != nil {
		panic(err)
	}
	if err := syscall.Mprotect(all[page+n:], syscall.PROT_NONE); err != nil {
		panic(err)
	}
	return all[page:page+size:page+n], all[page+n-size:page+n:page+n]
}
`
	smallNoPages = `//go:build !unix

package main

func memory(size int) (first, last []byte) {
	all := make([]byte, size)
	return all, all
}
`
)

const smallPrologue = `// Random kernels over small integers, which run in both forms and are compared.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

type number interface {
	int | int8 | int16 | int32 | uint8 | uint16 | uint32
}

func choose[T number](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

func abs[T number](a T) T {
	if a < 0 {
		return -a
	}
	return a
}

`

const smallEpilogue = `
type entry struct {
	name                string
	source              func(t *gocuda.Thread, ` + smallParameters + `)
	compiled            func(a args) gocuda.Kernel
	planar              bool
	times, more, stores int
	rounds              bool
}

type args struct {
	n, w, h, rounds, p0, p1 int
	p2                      int32
	p3                      uint8
	p4                      int8
	p5                      uint16
	p6                      int16
	p7                      uint32
	a0, a1, a2              []uint8
	c0, c1                  []int8
	e0, e1                  []uint16
	g0, g1                  []int16
	q0                      []bool
	outA                    []uint8
	outC                    []int8
	outE                    []uint16
	outG                    []int16
	outQ                    []bool
}

// A shape is a geometry with the extent of the data.
type shape struct {
	grid.Config
	w, h, rounds int
}

func line(blocks, threads, w, h, rounds int) shape {
	return shape{grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: threads}}, w, h, rounds}
}

func plane(x, y, w, h, rounds int) shape {
	return shape{grid.Config{Grid: grid.Dim3{X: (w + x - 1) / x, Y: (h + y - 1) / y}, Block: grid.Dim3{X: x, Y: y}}, w, h, rounds}
}

var lines = []shape{
	line(2, 1, 1, 2, 3), line(3, 7, 7, 3, 300), line(2, 16, 15, 2, 1), line(2, 33, 33, 2, 0), line(3, 64, 37, 5, 40), line(3, 100, 130, 2, 9),
	line(2, 130, 257, 1, 17), line(3, 256, 255, 3, 2), line(1, 1024, 1021, 1, 5), line(2, 257, 100, 5, 1000),
}

var planes = []shape{
	plane(5, 3, 7, 4, 9), plane(16, 16, 33, 17, 300), plane(32, 3, 100, 7, 2), plane(64, 2, 130, 5, 1), plane(1, 9, 3, 20, 0), plane(257, 1, 257, 3, 40),
	plane(33, 4, 64, 4, 3), plane(128, 2, 1, 3, 17),
}

var big = int64(1) << 40 // not a constant, which an int of 32 bits does not hold

// values are those of parameters: in and out of the ranges of elements.
var values = []args{
	{p0: 3, p1: 100, p2: 7, p3: 5, p4: 3, p5: 300, p6: -300, p7: 9},
	{p0: 300, p1: -5, p2: -1, p3: 255, p4: -128, p5: 65535, p6: -32768, p7: 1<<32 - 1},
	{p0: int(big), p1: 1_000_000, p2: -129, p3: 8, p4: -1, p5: 256, p6: 255, p7: 256},
	{p0: 0, p1: 127, p2: 128, p3: 0, p4: 0, p5: 0, p6: 0, p7: 0},
	{p0: -1, p1: 256, p2: 255, p3: 128, p4: 127, p5: 32768, p6: 32767, p7: 65535},
	{p0: int(-big), p1: 65536, p2: -32769, p3: 16, p4: -3, p5: 7, p6: -1, p7: 128},
	{p0: 1, p1: -128, p2: 1<<31 - 1, p3: 127, p4: 64, p5: 255, p6: -129, p7: 1 << 31},
	{p0: 257, p1: -32768, p2: -1 << 31, p3: 7, p4: -64, p5: 32767, p6: 128, p7: 3},
}

func hash(k int) uint64 {
	z := uint64(k)*0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// pieces has memory by its number of bytes, with what is in use. Each run takes all of it anew.
var pieces, used = map[int][][2][]byte{}, map[int]int{}

// made returns n elements. Those of runs with an odd number end at a page that nobody may touch, the others begin at one.
func made[T number | bool](n, number, seed int) []T {
	var zero T
	size := n * int(unsafe.Sizeof(zero))
	if used[size] == len(pieces[size]) {
		first, last := memory(size)
		pieces[size] = append(pieces[size], [2][]byte{first, last})
	}
	b := pieces[size][used[size]][number%2]
	used[size]++
	s := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
	_, truth := any(zero).(bool)
	for i := range b {
		h := hash(i + seed*1_000_003)
		switch {
		case truth:
			b[i] = byte(h >> 20 & 1)
		case h%16 < 3:
			b[i] = [...]byte{0, 255, 128, 127}[h>>8%4]
		case seed%3 == 0:
			b[i] = byte(h>>24) >> (h >> 40 % 8)
		default:
			b[i] = byte(h >> 24)
		}
	}
	return s
}

func (k entry) input(s shape, number int) args {
	a := values[number*3%len(values)]
	a.n, a.w, a.h, a.rounds = s.w*s.h, s.w, s.h, s.rounds
	if number >= len(lines) {
		a.rounds = min(a.rounds, number%7)
	}
	n, m := k.times*(a.n-1)+1+k.more, k.stores*a.n
	if k.rounds {
		n += a.rounds
	}
	clear(used)
	a.a0, a.a1, a.a2 = made[uint8](n, number, 1), made[uint8](n, number, 2), made[uint8](n, number, 3)
	a.c0, a.c1 = made[int8](n, number, 4), made[int8](n, number, 6)
	a.e0, a.e1 = made[uint16](n, number, 5), made[uint16](n, number, 9)
	a.g0, a.g1 = made[int16](n, number, 7), made[int16](n, number, 12)
	a.q0 = made[bool](n, number, 8)
	a.outA, a.outC, a.outE, a.outG = made[uint8](m, number, 10), made[int8](m, number, 11), made[uint16](m, number, 13), made[int16](m, number, 14)
	a.outQ = made[bool](m, number, 15)
	return a
}

// text is all that a kernel may have written.
func (a args) text() string {
	var b bytes.Buffer
	add := func(name string, p unsafe.Pointer, n, size int) {
		fmt.Fprintln(&b, name, size)
		b.Write(unsafe.Slice((*byte)(p), n*size))
		fmt.Fprintln(&b)
	}
	add("outA", unsafe.Pointer(unsafe.SliceData(a.outA)), len(a.outA), 1)
	add("outC", unsafe.Pointer(unsafe.SliceData(a.outC)), len(a.outC), 1)
	add("outE", unsafe.Pointer(unsafe.SliceData(a.outE)), len(a.outE), 2)
	add("outG", unsafe.Pointer(unsafe.SliceData(a.outG)), len(a.outG), 2)
	add("outQ", unsafe.Pointer(unsafe.SliceData(a.outQ)), len(a.outQ), 1)
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
	bad := 0
	for _, k := range kernels {
		shapes := lines
		if k.planar {
			shapes = planes
		}
		for number := range 2 * len(shapes) {
			s := shapes[number%len(shapes)]
			run := func(d *gocuda.Device, compiled bool) (args, string) {
				a := k.input(s, number)
				kernel := k.compiled(a)
				if !compiled {
					kernel = gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, ` + smallPassed + `) })
				}
				if err := d.Launch(context.Background(), s.Config, kernel); err != nil {
					return a, "error " + err.Error() + "\n"
				}
				return a, a.text()
			}
			disagree := func(what, text string) {
				fmt.Printf("DISAGREE %s on %v %v, w %d, h %d, number %d, %s: %s\n", k.name, s.Grid, s.Block, s.w, s.h, number, what, text)
				bad++
			}
			_, want := run(coroutines, false)
			if bytes.HasPrefix([]byte(want), []byte("error")) {
				disagree("the source fails", want)
				break
			}
			if a, got := run(coroutines, true); got != want {
				if bytes.HasPrefix([]byte(got), []byte("error")) {
					disagree("compiled", got)
				} else {
					disagree("compiled", difference(a, got, want))
				}
				break
			}
			if checkedToo && number < len(shapes) && s.Config.Threads() < 100 {
				if a, got := run(checked, false); got != want {
					disagree("source, checked", difference(a, got, want))
					break
				}
			}
		}
	}
	if bad > 0 {
		os.Exit(1)
	}
	fmt.Println("all", len(kernels), "agree")
}

var checkedToo = os.Getenv("CHECKED") != ""

// difference returns the first byte in which two texts differ, and the parameters.
func difference(a args, got, want string) string {
	for i := range min(len(got), len(want)) {
		if got[i] == want[i] {
			continue
		}
		at := i
		for _, o := range []struct {
			name    string
			n, size int
		}{{"outA", len(a.outA), 1}, {"outC", len(a.outC), 1}, {"outE", len(a.outE), 2}, {"outG", len(a.outG), 2}, {"outQ", len(a.outQ), 1}} {
			at -= len(o.name) + 3
			if at < o.n*o.size {
				return fmt.Sprintf("byte %d of %s[%d] of %d is %#x, not %#x; rounds %d, p0 to p7 %v", at%o.size, o.name, at/o.size, o.n, got[i], want[i],
					a.rounds, []any{a.p0, a.p1, a.p2, a.p3, a.p4, a.p5, a.p6, a.p7})
			}
			at -= o.n*o.size + 1
		}
	}
	return "another length"
}
`
