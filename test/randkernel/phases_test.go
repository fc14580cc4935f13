package randkernel

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/sanitize"
)

// Kernels in phases: accesses with barriers between them, of which a model knows what each thread
// does in which phase. The model lists all pairs of accesses that no barrier orders. It knows
// nothing of clocks: it compares every access with every other one.

// A phaseOp is a statement: an access, a barrier, or a loop.
type phaseOp struct {
	kind   string // "read", "write", "atomic", "block", "warp", "loop"
	array  int
	index  func(tid, n, k int) int
	who    func(tid, n int) bool
	text   string // of the statement, with %d for its number
	value  int
	rounds int
	body   []*phaseOp
	line   int // of the source
}

// phaseArrays are the arrays of a kernel: their declarations, and the bytes of an element.
var phaseArrays = []struct {
	name  string
	bytes int
}{{"s0", 4}, {"s1", 8}, {"g0", 4}}

// newAccess returns a random access.
func newAccess(r *rand.Rand, value int) *phaseOp {
	c := 1 + r.IntN(40)
	indices := []struct {
		text string
		f    func(tid, n, k int) int
	}{
		{"tid", func(tid, n, k int) int { return tid }},
		{"tid", func(tid, n, k int) int { return tid }},
		{fmt.Sprintf("(tid+%d)%%n", c), func(tid, n, k int) int { return (tid + c) % n }},
		{fmt.Sprintf("(tid+k*%d)%%n", c), func(tid, n, k int) int { return (tid + k*c) % n }},
		{"n-1-tid", func(tid, n, k int) int { return n - 1 - tid }},
		{"tid^1", func(tid, n, k int) int { return tid ^ 1 }},
		{"tid/2", func(tid, n, k int) int { return tid / 2 }},
		{fmt.Sprint(c), func(tid, n, k int) int { return c }},
	}
	conds := []struct {
		text string
		f    func(tid, n int) bool
	}{
		{"", func(tid, n int) bool { return true }},
		{"", func(tid, n int) bool { return true }},
		{fmt.Sprintf("tid < %d", c), func(tid, n int) bool { return tid < c }},
		{fmt.Sprintf("tid == %d", c), func(tid, n int) bool { return tid == c }},
		{"tid%2 == 0", func(tid, n int) bool { return tid%2 == 0 }},
		{"tid >= 32", func(tid, n int) bool { return tid >= 32 }},
	}
	i, w := indices[r.IntN(len(indices))], conds[r.IntN(len(conds))]
	p := &phaseOp{kind: []string{"read", "read", "write", "atomic"}[r.IntN(4)], array: r.IntN(len(phaseArrays)), index: i.f, who: w.f, value: value}
	a := phaseArrays[p.array].name
	at := a + "[" + i.text + "]"
	if a == "g0" {
		at = "g0[base+" + i.text + "]"
	}
	switch p.kind {
	case "read":
		p.text = "sum += int64(" + at + ")"
	case "write":
		p.text = fmt.Sprintf("%s = %d + int%d(tid)", at, 1000*value, phaseArrays[p.array].bytes*8)
	case "atomic":
		p.text = "atomic.Add(&" + at + ", 1)"
	}
	if w.text != "" {
		p.text = "if " + w.text + " { " + p.text + " }"
	}
	return p
}

// A phaseKernel is a kernel in phases.
type phaseKernel struct {
	name    string
	threads int
	body    []*phaseOp
}

const phaseBlocks = 2

// A trace is an access of the model.
type trace struct {
	op    *phaseOp
	tid   int
	block int // barriers of the block before it
	warp  int // barriers of its warp before it
	at    int // index
}

// run returns what the threads of a block do. Barriers of gone are left out.
func (k *phaseKernel) run(gone *phaseOp) (all []trace) {
	block, warp := 0, 0
	var walk func(list []*phaseOp, round int)
	walk = func(list []*phaseOp, round int) {
		for _, p := range list {
			switch {
			case p == gone:
			case p.kind == "block":
				block++
				warp++
			case p.kind == "warp":
				warp++
			case p.kind == "loop":
				for r := range p.rounds {
					walk(p.body, r)
				}
			default:
				for tid := range k.threads {
					if p.who(tid, k.threads) {
						all = append(all, trace{p, tid, block, warp, p.index(tid, k.threads, round)})
					}
				}
			}
		}
	}
	walk(k.body, 0)
	return all
}

// A hazard is a pair of places with a race.
type hazard struct {
	first, other int // lines, in the order of the program
	kind         string
	severity     sanitize.Severity
	bytes        int
}

func (h hazard) compare(o hazard) int {
	return cmp.Or(cmp.Compare(h.first, o.first), cmp.Compare(h.other, o.other), cmp.Compare(h.kind, o.kind))
}

// eachRace calls f for each pair of accesses to one element of which one writes and that nothing
// orders, until f returns false.
func (k *phaseKernel) eachRace(gone *phaseOp, f func(x, y trace) bool) {
	cells := make([][]trace, len(phaseArrays)*k.threads)
	for _, x := range k.run(gone) {
		c := x.op.array*k.threads + x.at
		for i := len(cells[c]) - 1; i >= 0; i-- {
			y := cells[c][i]
			if y.block != x.block {
				break // as are those before it
			}
			ordered := x.tid == y.tid || x.tid/32 == y.tid/32 && x.warp != y.warp
			if !ordered && (x.op.kind != "read" || y.op.kind != "read") && (x.op.kind != "atomic" || y.op.kind != "atomic") && !f(x, y) {
				return
			}
		}
		cells[c] = append(cells[c], x)
	}
}

// racy reports whether the kernel has a race.
func (k *phaseKernel) racy() bool {
	found := false
	k.eachRace(nil, func(x, y trace) bool {
		found = true
		return false
	})
	return found
}

// hazards returns the races of the kernel.
func (k *phaseKernel) hazards(gone *phaseOp) []hazard {
	type pair struct{ a, b *phaseOp }
	found := map[pair]*hazard{}
	places := map[pair]map[[2]int]bool{}
	k.eachRace(gone, func(x, y trace) bool {
		if x.op.line < y.op.line {
			x, y = y, x
		}
		p := pair{y.op, x.op}
		h := found[p]
		if h == nil {
			letter := func(x trace) string { return map[bool]string{true: "R", false: "W"}[x.op.kind == "read"] }
			h = &hazard{first: y.op.line, other: x.op.line, kind: letter(x) + "A" + letter(y)}
			found[p], places[p] = h, map[[2]int]bool{}
		}
		s := sanitize.SeverityWarning
		if x.tid/32 != y.tid/32 {
			s = sanitize.SeverityError
		}
		h.severity = max(h.severity, s)
		places[p][[2]int{x.op.array, x.at}] = true
		return true
	})
	var all []hazard
	for p, h := range found {
		h.bytes = len(places[p]) * phaseArrays[p.a.array].bytes * phaseBlocks
		all = append(all, *h)
	}
	slices.SortFunc(all, hazard.compare)
	return all
}

// barriersOf returns the barriers in a list and the loops of it.
func barriersOf(list []*phaseOp) (all []*phaseOp) {
	for _, p := range list {
		if p.kind == "block" || p.kind == "warp" {
			all = append(all, p)
		}
		all = append(all, barriersOf(p.body)...)
	}
	return all
}

// newPhases returns a random kernel without races.
func newPhases(r *rand.Rand, name string) *phaseKernel {
	k := &phaseKernel{name: name, threads: 64 + 32*r.IntN(3)}
	barrier := func() *phaseOp {
		if r.IntN(4) == 0 {
			return &phaseOp{kind: "warp", text: "t.SyncWarp(gocuda.FullMask)"}
		}
		return &phaseOp{kind: "block", text: "t.SyncThreads()"}
	}
	value := 0
	number := func() {
		line := 0
		var walk func(list []*phaseOp)
		walk = func(list []*phaseOp) {
			for _, p := range list {
				line++
				p.line = line
				walk(p.body)
			}
		}
		walk(k.body)
	}
	// fill adds accesses and barriers to a list, so far as no race comes of it.
	var fill func(list *[]*phaseOp, count, depth int)
	fill = func(list *[]*phaseOp, count, depth int) {
		for range count {
			if depth > 0 && r.IntN(5) == 0 {
				loop := &phaseOp{kind: "loop", rounds: 2 + r.IntN(2)}
				*list = append(*list, loop)
				fill(&loop.body, 4+r.IntN(4), depth-1)
				loop.body = append(loop.body, &phaseOp{kind: "block", text: "t.SyncThreads()"})
				continue
			}
			value++
			a := newAccess(r, value)
			*list = append(*list, a)
			number()
			for tries := 0; k.racy(); tries++ {
				*list = (*list)[:len(*list)-1]
				if tries > 0 { // a barrier before it doesn't help
					break
				}
				*list = append(*list, barrier(), a)
				number()
				if k.racy() {
					*list = (*list)[:len(*list)-1]
					*list = append(*list, a)
				}
			}
		}
	}
	for i := range phaseArrays {
		at := "tid"
		if phaseArrays[i].name == "g0" {
			at = "base+tid"
		}
		k.body = append(k.body, &phaseOp{
			kind: "write", array: i, text: fmt.Sprintf("%s[%s] = 1", phaseArrays[i].name, at),
			index: func(tid, n, k int) int { return tid }, who: func(tid, n int) bool { return true },
		})
	}
	k.body = append(k.body, &phaseOp{kind: "block", text: "t.SyncThreads()"})
	fill(&k.body, 5+r.IntN(8), 1)
	return k
}

// A phaseVariant is a kernel with a barrier left out, or none.
type phaseVariant struct {
	k        *phaseKernel
	gone     *phaseOp
	name     string
	want     []hazard
	from, to int // lines
}

// phaseProgram returns a program of kernels in phases, each as it is and with a barrier left out.
func phaseProgram(r *rand.Rand, kernels int) (src []byte, variants []*phaseVariant) {
	return phaseProgramOf(kernels, func(name string) (*phaseKernel, []*phaseOp) {
		k := newPhases(r, name)
		barriers := barriersOf(k.body)
		forms := []*phaseOp{nil}
		for range min(3, len(barriers)) {
			if gone := barriers[r.IntN(len(barriers))]; !slices.Contains(forms, gone) {
				forms = append(forms, gone)
			}
		}
		return k, forms
	})
}

// phaseProgramOf returns a program of the kernels that form returns, each without each of the
// barriers that it returns.
func phaseProgramOf(kernels int, form func(name string) (*phaseKernel, []*phaseOp)) (src []byte, variants []*phaseVariant) {
	var b bytes.Buffer
	b.WriteString("package main\n\nimport (\n\"context\"\n\"fmt\"\n\"github.com/gocuda/gocuda/atomic\"\n\"github.com/gocuda/gocuda/gocuda\"\n\"github.com/gocuda/gocuda/grid\"\n)\n")
	for i := range kernels {
		k, forms := form(fmt.Sprint("p", i))
		for j, gone := range forms {
			v := &phaseVariant{k: k, gone: gone, name: fmt.Sprintf("%s_%d", k.name, j)}
			v.print(&b)
			v.want = k.hazards(gone)
			variants = append(variants, v)
		}
	}
	b.WriteString("func main() {\nrun := func(name string, n int, f func(*gocuda.Thread, []int32, []int64)) {\n" +
		fmt.Sprintf("g, out := make([]int32, n*%d), make([]int64, n*%d)\n", phaseBlocks, phaseBlocks) +
		fmt.Sprintf("err := gocuda.LaunchFunc(context.Background(), grid.Config{Grid: grid.Dim3{X: %d}, Block: grid.Dim3{X: n}}, func(t *gocuda.Thread) { f(t, g, out) })\n", phaseBlocks) +
		"fmt.Println(\"DIGEST\", name, err)\n}\n")
	for _, v := range variants {
		fmt.Fprintf(&b, "run(%q, %d, %s)\n", v.name, v.k.threads, v.name)
	}
	b.WriteString("_ = atomic.Add[int32]\n}\n")
	return b.Bytes(), variants
}

// print writes the source and notes the lines.
func (v *phaseVariant) print(b *bytes.Buffer) {
	line := func() int { return 1 + bytes.Count(b.Bytes(), []byte("\n")) }
	fmt.Fprintf(b, "func %s(t *gocuda.Thread, g0 []int32, out []int64) {\ntid, n := t.ThreadIdx.X, t.BlockDim.X\nbase, k, sum := t.BlockIdx.X*n, 0, int64(0)\n"+
		"s0, s1 := gocuda.Shared[int32](t, n), gocuda.Shared[int64](t, n)\n_, _, _ = k, s0, s1\n", v.name)
	v.from = line()
	defer func() { v.to = line() }()
	var walk func(list []*phaseOp)
	walk = func(list []*phaseOp) {
		for _, p := range list {
			p.line = line()
			switch {
			case p == v.gone:
			case p.kind == "loop":
				fmt.Fprintf(b, "for k := range %d {\n_ = k\n", p.rounds)
				walk(p.body)
				b.WriteString("}\n")
			default:
				b.WriteString(p.text + "\n")
			}
		}
	}
	walk(v.k.body)
	b.WriteString("out[base+tid] = sum\n}\n\n")
}

// TestSanitizerFindsRemovedBarriers holds the races that gocuda sanitize reports to those of the
// model: none in a kernel as it is, and with a barrier left out pairs of places that it no longer
// orders, with their kind. Of a thread that does the same to a cell in two places the sanitizer may
// name only one, so pairs and bytes may be fewer than the model's.
//
//	GOFLAGS=-gcflags=-N GOCUDA_RANDOM_SANITIZE=10000:10200:500 go test -run FindsRemovedBarriers -v -timeout 5h ./test/randkernel
//
// takes 100000 kernels: none was reported, all of the 128600 with a barrier less that orders
// something were, and none of the 117299 with one less that orders nothing.
func TestSanitizerFindsRemovedBarriers(t *testing.T) {
	if testing.Short() {
		t.Skip("in short mode")
	}
	binary := sanitizer(t)
	clean, racy, same, exact := 0, 0, 0, 0
	from, to, kernels := sanitizerSeeds(t, 0, 2, 30)
	for seed := from; seed < to; seed++ {
		src, variants := phaseProgram(rand.New(rand.NewPCG(seed, 33)), kernels)
		probed, found := runProbed(t, binary, src, nil)
		require.Len(t, probed, len(variants))
		for _, line := range probed {
			assert.True(t, strings.HasSuffix(line, " <nil>"), "seed %d: %s", seed, line)
		}
		for _, v := range variants {
			var got []hazard
			for _, f := range found {
				if f.First.Line >= v.from && f.First.Line <= v.to {
					assert.Equal(t, "race", f.Tool, "%v", f)
					assert.Equal(t, "main.go", filepath.Base(f.First.File))
					got = append(got, hazard{f.First.Line, f.Other.Line, f.Kind, f.Severity, f.Count})
				}
			}
			if slices.SortFunc(got, hazard.compare); slices.Equal(v.want, got) {
				exact++
			}
			assert.Equal(t, len(v.want) > 0, len(got) > 0, "seed %d, %s: %v, not %v", seed, v.name, got, v.want)
			for _, h := range got {
				i, ok := slices.BinarySearchFunc(v.want, h, hazard.compare)
				if assert.True(t, ok, "seed %d, %s: %v, not one of %v", seed, v.name, h, v.want) {
					assert.LessOrEqual(t, h.bytes, v.want[i].bytes)
					assert.LessOrEqual(t, h.severity, v.want[i].severity)
				}
			}
			switch {
			case v.gone == nil:
				clean++
				require.Empty(t, v.want)
			case len(v.want) > 0:
				racy++
			default:
				same++
			}
		}
		t.Logf("seed %d: %d kernels without races so far, %d with a barrier less, %d with one less that orders nothing", seed, clean, racy, same)
	}
	assert.Positive(t, same, "barriers that order nothing")
	assert.Greater(t, racy, 20)
	t.Logf("of %d kernels, %d are reported with all pairs and all bytes", clean+racy+same, exact)
}
