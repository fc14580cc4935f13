package asm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// liveAt returns, for each point of a nest, the values that are needed later: by running through all loops twice.
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

// random makes a nest of loops around operations of which each reads values that there are.
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
				known = known[:outer] // what a loop declares is not seen after it
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

// nearest wants the result of a sum where its second term was, and that of a product not where its first factor was.
func nearest(x *lir.Instr) (near, apart []lir.Value) {
	switch x.Op {
	case lir.Add:
		return []lir.Value{x.Y}, nil
	case lir.Mul:
		return nil, []lir.Value{x.X}
	}
	return nil, nil
}

// requireApart fails if values of n that are needed at the same time share a register, or have one that there is not.
func requireApart(t *testing.T, n *lir.Nest, at map[lir.Value]int, registers int) {
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

// Values that are needed at the same time have registers of their own, also around the ends of loops.
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

// Values that are kept in the frame are stored after they are assigned and loaded before they are used, so that with few registers a nest
// computes what it does with many; and what is left has registers of its own.
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

// run returns what the operations of n give, one after the other, where loads give numbers of their own and loops go round twice.
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

// The index of a gather is not where its result goes, which the instruction does not allow.
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
