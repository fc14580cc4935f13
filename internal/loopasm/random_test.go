package loopasm

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var (
	seed  = flag.Uint64("seed", 1, "where random loops begin")
	loops = flag.Int("loops", 200, "how many random loops there are")
)

// Random loops do the same in Go and in assembly, bit for bit, with the registers that are thought best and with some
// others, of which there are few. They read and write the same arrays at different distances, carry more
// variables than there are registers, select by masks and shuffle.
func TestRandomLoops(t *testing.T) {
	t.Run("best", func(t *testing.T) { randomLoops(t, registers, nil) })
	r := rand.New(rand.NewPCG(*seed, 3))
	t.Run("any", func(t *testing.T) {
		randomLoops(t, 6, func(list []*code) *code { return list[r.IntN(len(list))] })
	})
}

func randomLoops(t *testing.T, registers int, choose func([]*code) *code) {
	if runtime.GOARCH != "amd64" || testing.Short() {
		t.Skip("it builds a program with vectors")
	}
	g := &generator{Rand: rand.New(rand.NewPCG(*seed, 2))}
	var plain, assembled, calls strings.Builder
	file := New("vec")
	file.registers, file.choose = registers, choose
	reasons := map[string]int{}
	file.refused = func(why string) { reasons[why]++ }
	put := 0
	for n := range *loops {
		text := g.fn(n)
		plain.WriteString(text)
		text = strings.Replace(text, fmt.Sprintf("func plain%d(", n), fmt.Sprintf("func loop%d(", n), 1)
		text, _ = file.Rewrite(text, fmt.Sprintf("loop%d", n))
		if strings.Contains(text, fmt.Sprintf("loop%dLoop1(", n)) {
			put++
		}
		assembled.WriteString(text)
		fmt.Fprintf(&calls, "compare(%d, plain%d, loop%d)\n", n, n, n)
	}
	// A func that looks whether the stack is large enough can be stopped there, with pointers that lead nowhere.
	if funcs := strings.Count(file.Assembly(), "\nTEXT "); funcs < put || funcs != strings.Count(file.Assembly(), ", NOSPLIT, ") {
		t.Errorf("%d funcs, of which not all are NOSPLIT", funcs)
	}
	if least := map[bool]int{false: 90, true: 50}[registers < 16]; put*100 < *loops*least {
		t.Errorf("only %d of %d loops are in assembly: %v", put, *loops, reasons)
	}
	dir, err := os.MkdirTemp("testdata", "tmp")
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.Mkdir("testdata", 0o777); err == nil {
			dir, err = os.MkdirTemp("testdata", "tmp")
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const head = "//go:build goexperiment.simd\n\npackage main\n\nimport \"github.com/gocuda/gocuda/vec\"\n\nvar _ = vec.Splat" + "F32x8\n\n"
	write("plain.go", head+plain.String())
	write("loops_amd64.go", head+assembled.String()+file.Declarations())
	write("loops_amd64.s", "//go:build goexperiment.simd\n\n"+file.Assembly())
	write("main.go", strings.Replace(mainProgram, "CALLS", calls.String(), 1))
	for _, args := range [][]string{{"vet", "-asmdecl"}, {"run"}} {
		cmd := exec.Command("go", append(args, "./"+filepath.ToSlash(dir))...)
		cmd.Env = append(os.Environ(), "GOEXPERIMENT=simd")
		out, err := cmd.CombinedOutput()
		if err != nil || args[0] == "run" && !bytes.HasSuffix(out, []byte("done\n")) {
			t.Fatalf("go %s: %v\n%s", args[0], err, out)
		}
	}
}

// mainProgram runs each loop in both forms on the same data.
const mainProgram = `//go:build goexperiment.simd

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"unsafe"

	"github.com/gocuda/gocuda/vec"
)

const size = 6000

func bits[E any](x E) (b uint64, nan bool) {
	switch x := any(x).(type) {
	case float32:
		return uint64(math.Float32bits(x)), x != x
	case float64:
		return math.Float64bits(x), x != x
	}
	switch unsafe.Sizeof(x) {
	case 4:
		return uint64(*(*uint32)(unsafe.Pointer(&x))), false
	}
	return *(*uint64)(unsafe.Pointer(&x)), false
}

func compare[E int32 | uint32 | int64 | uint64 | float32 | float64](n int, plain, loop func(rounds, stride int, flag bool, s E, x, y []E, res []E)) {
	for try := range 6 {
		r := rand.New(rand.NewPCG(uint64(n), uint64(try)))
		fill := func(n int) []E {
			list := make([]E, n)
			for i := range list {
				list[i] = E(r.IntN(40)) - 20
				if r.IntN(2) == 0 {
					list[i] += E(r.Float64() * 8)
				}
			}
			return list
		}
		rounds, stride, flag, s := r.IntN(60), r.IntN(12), try%2 == 0, fill(1)[0]
		x, y, res := fill(size), fill(size), fill(200)
		x2, y2, res2 := append([]E(nil), x...), append([]E(nil), y...), append([]E(nil), res...)
		plain(rounds, stride, flag, s, x, y, res)
		loop(rounds, stride, flag, s, x2, y2, res2)
		for name, pair := range map[string][2][]E{"x": {x, x2}, "y": {y, y2}, "res": {res, res2}} {
			for i, want := range pair[0] {
				a, nan1 := bits(want)
				b, nan2 := bits(pair[1][i])
				if a != b && !(nan1 && nan2) {
					fmt.Printf("loop %d, %d rounds: %s[%d] is %v, want %v\n", n, rounds, name, i, pair[1][i], want)
					os.Exit(1)
				}
			}
		}
	}
}

func main() {
	if !vec.HasAVX2() {
		fmt.Println("done")
		return
	}
	CALLS
	fmt.Println("done")
}
`

// A generator writes random loops.
type generator struct {
	*rand.Rand
	kind   kind
	elem   string
	out    strings.Builder
	locals []string
	masks  []string
	next   int
}

func (g *generator) printf(format string, args ...any) { fmt.Fprintf(&g.out, format, args...) }

func (g *generator) name(prefix string) string {
	g.next++
	return fmt.Sprintf("%s%d", prefix, g.next)
}

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

// fn returns a func with a loop.
func (g *generator) fn(n int) string {
	g.kind = pick(g, kind("F32x8"), "F32x8", "I32x8", "U32x8", "F64x4", "I64x4", "U64x4")
	g.elem = map[kind]string{"F32x8": "float32", "I32x8": "int32", "U32x8": "uint32", "F64x4": "float64", "I64x4": "int64", "U64x4": "uint64"}[g.kind]
	g.out.Reset()
	g.locals, g.masks = nil, nil
	lanes := g.kind.lanes()
	g.printf("func plain%d(rounds, stride int, flag bool, s %s, x, y []%s, res []%s) {\n", n, g.elem, g.elem, g.elem)
	g.printf("m := vec.Mask(1<<%d - 1)\nall := vec.Splat%s(s)\n", lanes, g.kind)
	if g.kind.size() == 4 {
		for k := range 6 {
			g.printf("idx%d := vec.SourceU32x8(vec.%s, %d, %d, %d)\n", k, pick(g, "ByUp", "ByDown", "ByXor", "ByIdx"), g.IntN(32), 1<<g.IntN(6), g.IntN(4))
			g.printf("_ = idx%d\n", k)
		}
	}
	carried := pick(g, 0, 1, 2, 3, 5, 12, 16, 18, 24)
	for k := range carried {
		g.printf("c%d := vec.LoadPtr%s(vec.Place[[%d]%s](res, %d))\n", k, g.kind, lanes, g.elem, k*8)
	}
	g.printf("_, _, _, _, _, _ = m, all, s, stride, flag, y\n")
	pointers := 1 + g.IntN(5)
	for k := range pointers {
		g.printf("at%d := vec.Place[[%d]%s](%s, %d)\n", k, lanes, g.elem, pick(g, "x", "x", "y"), 100+g.IntN(20))
	}
	g.printf("next := vec.Place[%s](y, %d)\n", g.elem, 50+g.IntN(20))
	g.printf("tx := 0\nhi := rounds*%d + %d\n", lanes, g.IntN(lanes))
	g.printf("for ; tx+%d <= hi; tx += %d {\n", lanes, lanes)
	for k := range carried {
		g.locals = append(g.locals, fmt.Sprintf("c%d", k))
	}
	g.locals = append(g.locals, "all")
	for range 3 + g.IntN(14) {
		g.stmt(carried, pointers)
	}
	g.printf("vec.StorePtr%s(at0, %s)\n", g.kind, g.value(2))
	turn := g.IntN(3) == 0 // what carried variables begin with goes to others
	for k := range carried {
		switch {
		case turn:
			g.printf("c%d = %s\n", g.IntN(carried), g.value(g.IntN(3)/2))
		case g.IntN(4) > 0:
			g.printf("c%d = %s\n", k, g.value(1))
		}
	}
	for k := range pointers {
		if k > 0 && g.IntN(6) == 0 {
			g.printf("at%d = vec.Step(at%d, stride*%d)\n", k, k, 4*g.kind.size())
		} else {
			g.printf("at%d = vec.Step(at%d, %d)\n", k, k, pick(g, 32, 32, 64, 128, 8))
		}
	}
	g.printf("next = vec.Step(next, %d)\n}\n", pick(g, 4, 16)*g.kind.size()/4)
	for k := range carried {
		g.printf("vec.StorePtr%s(vec.Place[[%d]%s](res, %d), c%d)\n", g.kind, lanes, g.elem, k*8, k)
	}
	g.printf("}\n\n")
	return g.out.String()
}

func (g *generator) address(pointers int) string {
	k := g.IntN(pointers)
	if g.IntN(2) == 0 {
		return fmt.Sprintf("at%d", k)
	}
	return fmt.Sprintf("vec.Step(at%d, %d)", k, g.IntN(40)*g.kind.size()-64)
}

func (g *generator) stmt(carried, pointers int) {
	declare := func(e string) {
		n := g.name("v")
		g.printf("%s := %s\n_ = %s\n", n, e, n)
		g.locals = append(g.locals, n)
	}
	switch g.IntN(12) {
	case 0, 1:
		declare(fmt.Sprintf("vec.LoadPtr%s(%s)", g.kind, g.address(pointers)))
	case 2:
		declare(fmt.Sprintf("vec.Splat%s(*vec.Step(next, %d))", g.kind, g.IntN(4)*g.kind.size()))
	case 3:
		n := g.name("q")
		g.printf("%s := *next\n", n)
		declare(fmt.Sprintf("vec.Splat%s(%s)", g.kind, n))
	case 4:
		g.printf("vec.StorePtr%s(%s, %s)\n", g.kind, g.address(pointers), g.value(2))
	case 5:
		if carried > 0 {
			g.printf("c%d = %s\n", g.IntN(carried), g.value(2))
		}
	case 6:
		if verbs := g.comparisons(); len(verbs) > 0 {
			n := g.name("m")
			g.printf("%s := m & vec.%s%s(%s, %s)\n_ = %s\n", n, pick(g, verbs...), g.kind, g.value(1), g.value(1), n)
			g.masks = append(g.masks, n)
		}
	case 7:
		if len(g.masks) > 0 && len(g.locals) > 1 {
			m, v := pick(g, g.masks...), pick(g, g.locals...)
			if v == "all" {
				break
			}
			n := g.name("t")
			g.printf("if %s != 0 {\n%s := %s\n%s = vec.Select%s(%s, %s, %s)\n}\n", m, n, g.value(1), v, g.kind, m, n, v)
		}
	case 8:
		if v := pick(g, g.locals...); v != "all" {
			g.printf("if flag {\n%s = %s\n}", v, g.value(1))
			if g.IntN(2) == 0 {
				g.printf(" else {\n%s = %s\n}", v, g.value(1))
			}
			g.printf("\n")
		}
	default:
		declare(g.value(3))
	}
}

func (g *generator) comparisons() []string {
	if g.kind[0] == 'U' {
		return []string{"Eq", "Ne"}
	}
	return []string{"Eq", "Ne", "Lt", "Le", "Gt", "Ge"}
}

// value returns an expression.
func (g *generator) value(depth int) string {
	if depth == 0 || g.IntN(5) == 0 {
		return pick(g, g.locals...)
	}
	f := func(verb string, n int) string {
		var args []string
		for range n {
			args = append(args, g.value(depth-1))
		}
		return fmt.Sprintf("vec.%s%s(%s)", verb, g.kind, strings.Join(args, ", "))
	}
	if g.kind.size() == 4 && g.IntN(4) == 0 {
		one := fmt.Sprintf("vec.Permute%s(%s, idx%d)", g.kind, g.value(depth-1), g.IntN(6))
		if g.IntN(2) == 0 {
			return one
		}
		return fmt.Sprintf("vec.Select%s(%#x, %s, vec.Permute%s(%s, idx%d))", g.kind, g.IntN(256), one, g.kind, g.value(depth-1), g.IntN(6))
	}
	if g.IntN(8) == 0 {
		on := fmt.Sprintf("vec.Mask(%#x)", g.IntN(1<<g.kind.lanes()))
		if len(g.masks) > 0 && g.IntN(2) == 0 {
			on = pick(g, g.masks...)
			if g.IntN(3) == 0 {
				on = fmt.Sprintf("%s%s%s", on, pick(g, " & ", " | ", " &^ "), pick(g, g.masks...))
			}
		}
		return fmt.Sprintf("vec.Select%s(%s, %s, %s)", g.kind, on, g.value(depth-1), g.value(depth-1))
	}
	if g.kind.float() {
		if g.kind == "F32x8" && g.IntN(12) == 0 {
			return pick(g, f("RSqrtRough", 1), f("OverCubeRough", 2), f("OverCubeLean", 2))
		}
		switch g.IntN(9) {
		case 0, 1:
			return fmt.Sprintf("%s.MulAdd(%s, %s)", g.value(depth-1), g.value(depth-1), g.value(depth-1))
		case 2, 3:
			return fmt.Sprintf("%s.%s(%s)", g.value(depth-1), pick(g, "Add", "Sub", "Mul"), g.value(depth-1))
		case 4:
			return f(pick(g, "Sqrt", "Neg", "Abs", "Floor", "Ceil", "Trunc", "RoundToEven"), 1)
		case 5:
			return f(pick(g, "Min", "Max"), 2)
		}
		return f(pick(g, "Add", "Sub", "Mul", "Div"), 2)
	}
	verbs := []string{"Add", "Sub", "And", "Or", "Xor", "Add", "Sub"}
	if g.kind.size() == 4 {
		verbs = append(verbs, "Mul", "Min", "Max")
	}
	return f(pick(g, verbs...), 2)
}
