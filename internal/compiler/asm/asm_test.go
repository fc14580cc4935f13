package asm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// liveAt returns the values that are live at each point of a nest, by executing all loops twice.
func liveAt(n *lir.Nest) [][]lir.Value {
	var run []*lir.Instr
	var visit func(list []lir.Node)
	visit = func(list []lir.Node) {
		for _, x := range list {
			switch x := x.(type) {
			case *lir.Instr:
				run = append(run, x)
			case *lir.Loop:
				visit(x.Body)
				visit(x.Body)
			}
		}
	}
	visit(n.Body)
	live := map[lir.Value]bool{}
	var points [][]lir.Value
	for i := len(run) - 1; i >= 0; i-- {
		delete(live, run[i].Dst)
		for _, v := range run[i].Uses() {
			live[v] = true
		}
		var list []lir.Value
		for v := range live {
			list = append(list, v)
		}
		points = append(points, list)
	}
	return points
}

// random makes a nest of loops and operations, each of which reads values that are in scope.
func random(r *rand.Rand) *lir.Nest {
	n := &lir.Nest{Parts: 1, Size: 4, Groups: []lir.Group{{Base: 8, Off: 32, Size: 4}}}
	var known []lir.Value
	pick := func() lir.Value { return known[r.IntN(len(known))] }
	var list func(depth, count int) []lir.Node
	list = func(depth, count int) (nodes []lir.Node) {
		for range count {
			switch {
			case len(known) == 0 || r.IntN(4) == 0:
				known = append(known, n.New(lir.F32))
				nodes = append(nodes, &lir.Instr{Op: lir.Load, Kind: lir.F32, Dst: known[len(known)-1]})
			case depth < 3 && r.IntN(6) == 0:
				outer := len(known)
				nodes = append(nodes, &lir.Loop{Trips: lir.Scalar{Off: 40}, Body: list(depth+1, 1+r.IntN(6))})
				known = known[:outer] // values of a loop are out of scope behind it
			case r.IntN(3) == 0:
				nodes = append(nodes, &lir.Instr{Op: lir.Add, Kind: lir.F32, Dst: pick(), X: pick(), Y: pick()})
			default:
				x, y := pick(), pick()
				known = append(known, n.New(lir.F32))
				nodes = append(nodes, &lir.Instr{Op: lir.Mul, Kind: lir.F32, Dst: known[len(known)-1], X: x, Y: y})
			}
		}
		return nodes
	}
	n.Body = list(0, 12)
	return n
}

// nearest prefers the register of a sum's second operand for its result, and avoids that of a
// product's first operand.
func nearest(x *lir.Instr) (near, apart []lir.Value) {
	switch x.Op {
	case lir.Add:
		return []lir.Value{x.Y}, nil
	case lir.Mul:
		return nil, []lir.Value{x.X}
	}
	return nil, nil
}

// requireApart fails if two values of n that are live at the same time share a register, or if a
// register does not exist.
func requireApart(t *testing.T, n *lir.Nest, at []int, registers int) {
	t.Helper()
	for _, live := range liveAt(n) {
		taken := map[int]lir.Value{}
		for _, v := range live {
			other, both := taken[at[v]]
			require.False(t, both, "v%d and v%d are both in register %d\n%v", v, other, at[v], n)
			require.Less(t, at[v], registers)
			taken[at[v]] = v
		}
	}
}

// Values that are live at the same time have different registers, also across the back edges of
// loops.
func TestAllocate(t *testing.T) {
	given, refused := 0, 0
	for seed := range uint64(2000) {
		n := random(rand.New(rand.NewPCG(seed, 0)))
		require.NoError(t, n.Verify())
		at, err := allocate(n, &Machine{Vectors: 9, Near: nearest})
		if err != nil {
			refused++
			continue
		}
		given++
		requireApart(t, n, at, 9)
	}
	assert.Greater(t, given, 100)
	assert.Greater(t, refused, 20, "there are always enough registers")
}

// Spilled values are stored after each assignment and reloaded before each use, so that a nest
// computes the same with few registers as with many; and the remaining values have registers of
// their own.
func TestAllocateSpilling(t *testing.T) {
	spilled, refused := 0, 0
	for seed := range uint64(2000) {
		n, few := random(rand.New(rand.NewPCG(seed, 0))), random(rand.New(rand.NewPCG(seed, 0)))
		at, bytes, err := allocateSpilling(few, &Machine{Bytes: 64, Vectors: 6, Near: nearest}, 256)
		if err != nil {
			refused++
			continue
		}
		require.NoError(t, few.Verify())
		requireApart(t, few, at, 6)
		require.Equal(t, run(n), run(few), "seed %d\n%v\n%v", seed, n, few)
		slots := map[uint64]bool{}
		lir.Walk(few.Body, func(i *lir.Instr) {
			if i.Op == lir.Spill {
				slots[i.Imm] = true
				require.True(t, i.Imm >= 256 && i.Imm+64 <= uint64(256+bytes))
			}
		})
		require.Equal(t, bytes, len(slots)*64)
		spilled += len(slots)
	}
	assert.Greater(t, spilled, 200)
	assert.Greater(t, refused, 20, "the innermost of several loops is spilled, too")
}

// run returns the results of the operations of n in order. Each load gives another number, and
// loops execute twice.
func run(n *lir.Nest) []float64 {
	values, frame, loads := make([]float64, len(n.Kinds)), map[uint64]float64{}, 0.0
	var trace []float64
	var visit func(list []lir.Node)
	visit = func(list []lir.Node) {
		for _, x := range list {
			switch x := x.(type) {
			case *lir.Instr:
				switch x.Op {
				case lir.Load:
					loads++
					values[x.Dst] = loads
				case lir.Add:
					values[x.Dst] = math.Mod(values[x.X]+values[x.Y], 1009)
				case lir.Mul:
					values[x.Dst] = math.Mod(values[x.X]*values[x.Y], 1013)
				case lir.Spill:
					frame[x.Imm] = values[x.X]
					continue
				case lir.Reload:
					values[x.Dst] = frame[x.Imm]
					continue
				}
				trace = append(trace, values[x.Dst])
			case *lir.Loop:
				visit(x.Body)
				visit(x.Body)
			}
		}
	}
	visit(n.Body)
	return trace
}

// The result of a gather does not overwrite its index, which the instruction does not allow.
func TestGatherApart(t *testing.T) {
	n := &lir.Nest{Parts: 1, Size: 4, Groups: []lir.Group{{Base: 8, Off: 32, Size: 4}}}
	at, x := n.New(lir.I32), n.New(lir.F32)
	n.Body = []lir.Node{
		&lir.Instr{Op: lir.Strides, Kind: lir.I32, Dst: at, Mem: lir.Mem{Disp: 40}},
		&lir.Instr{Op: lir.Gather, Kind: lir.F32, Dst: x, X: at},
		&lir.Instr{Op: lir.Store, Kind: lir.F32, X: x},
	}
	regs, err := allocate(n, &Machine{Vectors: 4})
	require.NoError(t, err)
	assert.NotEqual(t, regs[at], regs[x])
}

func TestAlignedFirst(t *testing.T) {
	assert.Equal(t, "\tJLE l1\n\tPCALIGN $32\nl1:\nl2:\n\tJMP l2\nl3:\n", alignedFirst("\tJLE l1\nl1:\n\tPCALIGN $32\nl2:\n\tJMP l2\nl3:\n"))
	same := "l1:\n\tKMOVW K1, K2\n\tPCALIGN $32\nl2:\n\tJMP l1\n"
	assert.Equal(t, same, alignedFirst(same))
}
