package randkernel

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/sanitize"
)

// Further families of random kernels of which a model knows what gocuda sanitize has to report:
// memory that only some threads set, and barriers under conditions. GOCUDA_RANDOM_SANITIZE asks for
// more of them, as for TestSanitizer.

// unset makes kernels in phases whose shared arrays only some threads set at first. Arrays with
// atomics stay as they are: which of several atomics comes first is not determined.
func unset(r *rand.Rand, k *phaseKernel) {
	atomics := map[int]bool{}
	var walk func(list []*phaseOp)
	walk = func(list []*phaseOp) {
		for _, p := range list {
			atomics[p.array] = atomics[p.array] || p.kind == "atomic"
			walk(p.body)
		}
	}
	walk(k.body)
	for _, p := range k.body[:len(phaseArrays)] {
		if phaseArrays[p.array].name == "g0" || atomics[p.array] {
			continue
		}
		c := 1 + r.IntN(k.threads)
		switch r.IntN(4) {
		case 0:
			p.who, p.text = func(tid, n int) bool { return tid < c }, fmt.Sprintf("if tid < %d { %s }", c, p.text)
		case 1:
			p.who, p.text = func(tid, n int) bool { return tid%3 == 0 }, "if tid%3 == 0 { "+p.text+" }"
		case 2:
			p.who, p.text = func(tid, n int) bool { return tid != c }, fmt.Sprintf("if tid != %d { %s }", c, p.text)
		}
	}
}

// unsetReads returns how many reads of shared memory that nobody has set there are in each line. Of
// a kernel without races, the order of the statements decides.
func (k *phaseKernel) unsetReads() map[int]int {
	set, reads := map[[2]int]bool{}, map[int]int{}
	for _, x := range k.run(nil) {
		at := [2]int{x.op.array, x.at}
		switch {
		case x.op.kind != "read":
			set[at] = true
		case phaseArrays[x.op.array].name != "g0" && !set[at]:
			reads[x.op.line] += phaseBlocks
		}
	}
	return reads
}

// TestSanitizerFindsUnsetMemory compares the reads of undefined shared memory that gocuda sanitize
// reports, by line and number, with those of the model.
func TestSanitizerFindsUnsetMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("in short mode")
	}
	binary := sanitizer(t)
	from, to, kernels := sanitizerSeeds(t, 0, 1, 60)
	clean, faulty := 0, 0
	for seed := from; seed < to; seed++ {
		r := rand.New(rand.NewPCG(seed, 34))
		src, variants := phaseProgramOf(kernels, func(name string) (*phaseKernel, []*phaseOp) {
			k := newPhases(r, name)
			unset(r, k)
			return k, []*phaseOp{nil}
		})
		_, found := runProbed(t, binary, src, nil)
		for _, v := range variants {
			got := map[int]int{}
			for _, f := range found {
				if f.First.Line >= v.from && f.First.Line <= v.to {
					assert.Equal(t, "init", f.Tool, "seed %d, %s: %v", seed, v.name, f)
					assert.Equal(t, sanitize.SeverityError, f.Severity)
					got[f.First.Line] += f.Count
				}
			}
			want := v.k.unsetReads()
			assert.Equal(t, want, got, "seed %d, %s", seed, v.name)
			if len(want) == 0 {
				clean++
			} else {
				faulty++
			}
		}
		t.Logf("seed %d: %d kernels that set all they read so far, %d that don't", seed, clean, faulty)
	}
	assert.Positive(t, clean)
	assert.Positive(t, faulty)
}

// A syncOp is a barrier, or a branch or a loop with further statements.
type syncOp struct {
	kind   string // "barrier", "if", "for"
	text   string // of the condition, or of the number of rounds
	holds  func(tid, block, k int) int
	body   []*syncOp
	orElse []*syncOp
}

// syncBody returns random statements. Conditions may be those of a thread, of a warp or of a block.
func syncBody(r *rand.Rand, depth int) (list []*syncOp) {
	truth := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	c := 1 + r.IntN(63)
	conds := []*syncOp{
		{text: "block == 0", holds: func(tid, block, k int) int { return truth(block == 0) }},
		{text: "n > 3", holds: func(tid, block, k int) int { return 1 }},
		{text: "k%2 == 0", holds: func(tid, block, k int) int { return truth(k%2 == 0) }},
		{text: fmt.Sprintf("tid < %d", c), holds: func(tid, block, k int) int { return truth(tid < c) }},
		{text: "tid/32 == 0", holds: func(tid, block, k int) int { return truth(tid/32 == 0) }},
		{text: "tid < 64", holds: func(tid, block, k int) int { return 1 }},
	}
	rounds := []*syncOp{
		{text: "3", holds: func(tid, block, k int) int { return 3 }},
		{text: "1 + block", holds: func(tid, block, k int) int { return 1 + block }},
		{text: "2 + n%3", holds: func(tid, block, k int) int { return 2 + 64%3 }},
		{text: "1 + tid/32", holds: func(tid, block, k int) int { return 1 + tid/32 }},
		{text: "1 + tid%2", holds: func(tid, block, k int) int { return 1 + tid%2 }},
	}
	for range 1 + r.IntN(3) {
		switch x := r.IntN(4); {
		case depth == 0 || x == 0:
			list = append(list, &syncOp{kind: "barrier"})
		case x == 1:
			p := *rounds[r.IntN(len(rounds))]
			if r.IntN(2) == 0 {
				p = *rounds[r.IntN(3)] // the same for all
			}
			p.kind, p.body = "for", syncBody(r, depth-1)
			list = append(list, &p)
		default:
			p := *conds[r.IntN(len(conds))]
			if r.IntN(2) == 0 {
				p = *conds[r.IntN(3)]
			}
			p.kind, p.body = "if", syncBody(r, depth-1)
			if r.IntN(3) == 0 {
				p.orElse = syncBody(r, depth-1)
			}
			list = append(list, &p)
		}
	}
	return list
}

func printSync(b *bytes.Buffer, list []*syncOp) {
	for _, p := range list {
		switch p.kind {
		case "barrier":
			b.WriteString("t.SyncThreads()\n")
		case "for":
			fmt.Fprintf(b, "for k := range %s {\n_ = k\n", p.text)
			printSync(b, p.body)
			b.WriteString("}\n")
		case "if":
			fmt.Fprintf(b, "if %s {\n", p.text)
			printSync(b, p.body)
			if p.orElse != nil {
				b.WriteString("} else {\n")
				printSync(b, p.orElse)
			}
			b.WriteString("}\n")
		}
	}
}

// passes returns the barriers that a thread comes to, in order.
func passes(list []*syncOp, tid, block, k int) (all []*syncOp) {
	for _, p := range list {
		switch {
		case p.kind == "barrier":
			all = append(all, p)
		case p.kind == "for":
			for round := range p.holds(tid, block, k) {
				all = append(all, passes(p.body, tid, block, round)...)
			}
		case p.holds(tid, block, k) != 0:
			all = append(all, passes(p.body, tid, block, k)...)
		default:
			all = append(all, passes(p.orElse, tid, block, k)...)
		}
	}
	return all
}

// TestSanitizerFindsDivergentBarriers has barriers under conditions and in loops. gocuda sanitize
// reports a kernel if and only if the threads of a block don't all come to the same barriers.
func TestSanitizerFindsDivergentBarriers(t *testing.T) {
	if testing.Short() {
		t.Skip("in short mode")
	}
	binary := sanitizer(t)
	from, to, kernels := sanitizerSeeds(t, 0, 1, 100)
	clean, faulty := 0, 0
	for seed := from; seed < to; seed++ {
		r := rand.New(rand.NewPCG(seed, 35))
		var b, calls bytes.Buffer
		b.WriteString("package main\n\nimport (\n\"context\"\n\"fmt\"\n\"github.com/gocuda/gocuda/gocuda\"\n\"github.com/gocuda/gocuda/grid\"\n)\n\n")
		var bodies [][]*syncOp
		var ends []int // the line behind each kernel
		for i := range kernels {
			body := syncBody(r, 3)
			bodies = append(bodies, body)
			fmt.Fprintf(&b, "func q%d(t *gocuda.Thread, out []int32) {\ntid, n, block, k := t.ThreadIdx.X, t.BlockDim.X, t.BlockIdx.X, 0\n_, _, _, _ = tid, n, block, k\n", i)
			printSync(&b, body)
			b.WriteString("t.SyncThreads()\nout[t.GlobalX()] = 1\n}\n\n")
			ends = append(ends, bytes.Count(b.Bytes(), []byte("\n")))
			fmt.Fprintf(&calls, "run(\"q%d\", q%[1]d)\n", i)
		}
		b.WriteString("func main() {\nrun := func(name string, f func(*gocuda.Thread, []int32)) {\nout := make([]int32, 128)\n" +
			"err := gocuda.LaunchFunc(context.Background(), grid.Config{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 64}}, func(t *gocuda.Thread) { f(t, out) })\n" +
			"fmt.Println(\"DIGEST\", name, err)\n}\n" + calls.String() + "}\n")
		_, found := runProbed(t, binary, b.Bytes(), nil)
		for i, body := range bodies {
			same := true
			for block := range 2 {
				first := passes(body, 0, block, 0)
				for tid := range 64 {
					same = same && slices.Equal(first, passes(body, tid, block, 0))
				}
			}
			start := 0
			if i > 0 {
				start = ends[i-1]
			}
			var got []string
			for _, f := range found {
				if f.First.Line > start && f.First.Line <= ends[i] {
					assert.Equal(t, "sync", f.Tool, "seed %d, q%d: %v", seed, i, f)
					got = append(got, fmt.Sprintf("%d: %s", f.First.Line, f.Text))
				}
			}
			if !assert.Equal(t, same, len(got) == 0, "seed %d, q%d: %v", seed, i, got) {
				lines := strings.Split(b.String(), "\n")
				t.Log(strings.Join(lines[start:ends[i]], "\n"))
			}
			if same {
				clean++
			} else {
				faulty++
			}
		}
		t.Logf("seed %d: %d kernels so far whose threads come to the same barriers, %d whose threads don't", seed, clean, faulty)
	}
	assert.Greater(t, clean, 10)
	assert.Greater(t, faulty, 10)
}
