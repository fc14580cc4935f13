package nesttest_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/cpuid/v2"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/asm/amd64"
	"github.com/gocuda/gocuda/internal/compiler/asm/arm64"
	"github.com/gocuda/gocuda/internal/compiler/gogen"
	"github.com/gocuda/gocuda/internal/compiler/lir"
	"github.com/gocuda/gocuda/internal/compiler/nesttest"
)

// program is a command that calls the funcs of nests with arguments from its input, and prints what
// they store.
const program = `package main

import (
	"encoding/json"
	"os"
	"unsafe"
)

type arguments struct {
	Ints   map[int]int
	Bits   map[int]uint64
	Slices map[int][]byte
}

func elements[T any](b []byte) []T {
	var e T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(e)))
}

func number[T any](b uint64) T { return *(*T)(unsafe.Pointer(&b)) }

func main() {
	var all []arguments
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil {
		panic(err)
	}
	var out [][]byte
	for _, c := range calls {
		in := all[c.of]
		stored := append([]byte(nil), in.Slices[56]...)
		c.run(in, stored)
		out = append(out, stored)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}

type call struct {
	of  int
	run func(in arguments, stored []byte)
}
`

// atomics replaces package atomic in a program of one goroutine.
const atomics = `package atomic

import "cmp"

type integer interface{ ~int32 | ~uint32 }

func Add[T integer | ~float32 | ~float64](p *T, v T) { *p += v }
func And[T integer](p *T, v T)                       { *p &= v }
func Or[T integer](p *T, v T)                        { *p |= v }
func Xor[T integer](p *T, v T)                       { *p ^= v }
func Min[T cmp.Ordered](p *T, v T)                   { *p = min(*p, v) }
func Max[T cmp.Ordered](p *T, v T)                   { *p = max(*p, v) }
`

var goTypes = map[lir.Kind]string{lir.F32: "float32", lir.F64: "float64", lir.I32: "int32", lir.U32: "uint32"}

// argsOf declares the arguments of nests of kind k, and a func that makes them.
func argsOf(k lir.Kind) string {
	t, number := goTypes[k], goTypes[k]
	get := fmt.Sprintf("number[%s](in.Bits[%%d])", t)
	if k.Size() == 4 {
		number, get = "[2]"+t, fmt.Sprintf("[2]%s{%s}", t, get)
	}
	var fields, values strings.Builder
	add := func(off int, typ, value string) {
		fmt.Fprintf(&fields, "a%d %s\n", off, typ)
		fmt.Fprintf(&values, "a%d: %s,\n", off, value)
	}
	for _, off := range []int{8, 32} {
		add(off, "[]"+t, fmt.Sprintf("elements[%s](in.Slices[%d])", t, off))
	}
	add(56, "[]"+t, fmt.Sprintf("elements[%s](stored)", t))
	for off := 80; off < 168; off += 8 {
		add(off, "int", fmt.Sprintf("in.Ints[%d]", off))
	}
	for off := 168; off < 192; off += 8 {
		add(off, number, fmt.Sprintf(get, off))
	}
	for off := 192; off < 288; off += 8 {
		add(off, "int", fmt.Sprintf("in.Ints[%d]", off))
	}
	return fmt.Sprintf("type %sArgs struct {\nmany int\n%s}\n\nfunc %sOf(in arguments, stored []byte) *%sArgs {\nreturn &%sArgs{\nmany: in.Ints[0],\n%s}\n}\n",
		t, fields.String(), t, t, t, values.String())
}

// optimised returns a nest after the passes that all nests go through.
func optimised(t *testing.T, n *lir.Nest) *lir.Nest {
	t.Helper()
	require.NoError(t, n.Verify())
	lir.Number(n, n.Late)
	lir.DropDead(n)
	lir.Hoist(n, n.Late)
	require.NoError(t, n.Verify())
	return n
}

// Random nests give the same results in plain Go and in assembly, after all passes, as in the
// interpreter before them.
func TestRandomNests(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		t.Run(arch, func(t *testing.T) { randomNests(t, arch) })
	}
}

// machinesOf returns the machines of an architecture on which programs can run here, and the
// command of an emulator if one is needed.
func machinesOf(t *testing.T, arch string) (list []*asm.Machine, by []string) {
	t.Helper()
	switch {
	case runtime.GOARCH == "arm64":
		list = arm64.Machines
	case arch == "arm64":
		qemu, err := exec.LookPath("qemu-aarch64-static")
		if err == nil && runtime.GOOS == "linux" {
			return arm64.Machines, []string{qemu}
		}
	case cpuid.CPU.Supports(cpuid.AVX2, cpuid.FMA3):
		list = append(list, amd64.AVX2)
		if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VL) {
			list = append(list, amd64.AVX512)
		}
	}
	if arch != runtime.GOARCH {
		t.Skipf("no way to run programs for %s", arch)
	}
	return list, nil
}

// made returns what makes the nest of a seed: every third is a plane.
func made(seed uint64) func(seed uint64, k lir.Kind, parts int, masked bool) *lir.Nest {
	if seed%3 == 2 {
		return nesttest.NewPlane
	}
	return nesttest.New
}

func randomNests(t *testing.T, arch string) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	seeds := uint64(60)
	if testing.Short() {
		seeds = 15
	}
	machines, by := machinesOf(t, arch)
	var inputs []*nesttest.Arguments
	var want [][]byte
	var nests, calls, decls strings.Builder
	var names []string
	var kinds []lir.Kind
	var file asm.File
	expanded := 0
	for seed := range seeds {
		random := made(seed)
		for _, k := range []lir.Kind{lir.F32, lir.I32, lir.U32, lir.F64} {
			name := fmt.Sprintf("n%d%v", seed, k)
			args := goTypes[k] + "Args"
			a := nesttest.NewArguments(rand.New(rand.NewPCG(seed, uint64(k))), k, 1+int(seed*7)%45)
			inputs = append(inputs, a)
			stored := &nesttest.Arguments{Ints: a.Ints, Bits: a.Bits, Slices: map[int][]byte{8: a.Slices[8], 32: a.Slices[32], 56: slices.Clone(a.Slices[56])}}
			done, err := nesttest.Run(random(seed, k, 1, false), stored)
			require.NoError(t, err)
			require.Equal(t, a.Ints[0], done)
			want = append(want, stored.Slices[56])
			form := func(parts int, masked bool) *lir.Nest { return optimised(t, random(seed, k, parts, masked)) }
			note := func(fn string) {
				names, kinds = append(names, fn), append(kinds, k)
				fmt.Fprintf(&calls, "{%d, func(in arguments, stored []byte) { %s(%sOf(in, stored)) }},\n", len(inputs)-1, fn, goTypes[k])
			}
			text, err := gogen.Func(name+"Go", args, false, false, form(4, false), form(1, false))
			require.NoError(t, err, "%s: %v", name, random(seed, k, 1, false))
			nests.WriteString(text + "\n")
			note(name + "Go")
			text, err = gogen.Func(name+"Alone", args, false, false, form(1, false))
			require.NoError(t, err, "%s: %v", name, random(seed, k, 1, false))
			if strings.Contains(text, "m := min(many-at") {
				expanded++
			}
			nests.WriteString(text + "\n")
			note(name + "Alone")
			for _, machine := range machines {
				m := machine.Name
				if err := file.Func(name+m, machine, asm.NewForm(form(2, false)), asm.NewForm(form(1, true))); err != nil {
					t.Logf("%s%s: %v", name, m, err) // an operation that the machine lacks, or too few registers
					continue
				}
				fmt.Fprintf(&decls, "//go:noescape\nfunc %s%s(a *%s)\n\n", name, m, args)
				note(name + m)
			}
		}
	}
	require.Greater(t, len(names), len(inputs)*len(machines)/2, "most have assembly")
	require.NotZero(t, expanded, "some have loops that threads go through together")
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	var types strings.Builder
	for _, k := range []lir.Kind{lir.F32, lir.I32, lir.U32, lir.F64} {
		types.WriteString(argsOf(k) + "\n")
	}
	write("go.mod", "module nests\n\ngo 1.26\n")
	write("main.go", program+"\n"+types.String()+"\nvar calls = []call{\n"+calls.String()+"}\n")
	write("nests.go", "package main\n\nimport (\n\"math\"\n\"unsafe\"\n\n"+gogen.AtomicName+" \"nests/atomic\"\n)\n\nvar _ = math.Pi\n\n"+nests.String())
	require.NoError(t, os.Mkdir(filepath.Join(dir, "atomic"), 0o777))
	write("atomic/atomic.go", atomics)
	if !file.Empty() {
		write("nests_"+arch+".go", "package main\n\n"+decls.String())
		write("nests_"+arch+".s", file.String())
	}
	in, err := json.Marshal(inputs)
	require.NoError(t, err)
	build := exec.Command("go", "build", "-o", "nests.exe", ".")
	build.Dir, build.Stderr = dir, os.Stderr
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOOS="+runtime.GOOS, "GOARCH="+arch)
	require.NoError(t, build.Run())
	command := append(by, filepath.Join(dir, "nests.exe"))
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(in)), os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	var got [][]byte
	require.NoError(t, json.Unmarshal(out, &got))
	require.Len(t, got, len(names))
	for i, name := range names {
		seed := 0
		_, err := fmt.Sscanf(name, "n%d", &seed)
		require.NoError(t, err)
		at := 4*seed + slices.Index([]lir.Kind{lir.F32, lir.I32, lir.U32, lir.F64}, kinds[i])
		if d := differs(got[i], want[at], kinds[i]); d >= 0 {
			t.Errorf("%s: element %d differs\n%v", name, d, made(uint64(seed))(uint64(seed), kinds[i], 1, false))
		}
	}
}

// differs returns the index of the first element that differs, or -1. All NaNs count as equal.
func differs(got, want []byte, k lir.Kind) int {
	size := k.Size()
	for i := 0; i < len(want); i += size {
		if slices.Equal(got[i:i+size], want[i:i+size]) {
			continue
		}
		nan := false
		switch k {
		case lir.F32:
			nan = isNaN(float64(math.Float32frombits(binary.LittleEndian.Uint32(got[i:])))) && isNaN(float64(math.Float32frombits(binary.LittleEndian.Uint32(want[i:]))))
		case lir.F64:
			nan = isNaN(math.Float64frombits(binary.LittleEndian.Uint64(got[i:]))) && isNaN(math.Float64frombits(binary.LittleEndian.Uint64(want[i:])))
		}
		if !nan {
			return i / size
		}
	}
	return -1
}

func isNaN(x float64) bool { return x != x }
