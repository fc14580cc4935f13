package gocuda_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A stmt is a statement of a random kernel. Such a kernel is a tree that every thread interprets, and
// that a serial model runs for all threads of a block in lockstep. A thread has one variable. Barriers
// stand where all threads come that have not returned; in branches and loops that lanes take on their
// own there are only warp operations, of the lanes that are there.
type stmt struct {
	op           stmtKind
	a, b         int
	body, orElse []stmt
}

type stmtKind int

const (
	opWork stmtKind = iota // compute on the variable
	opSync                 // the kinds of barrier
	opCount
	opAnd
	opOr
	opExchange // write to shared memory, and read what another thread wrote
	opBallot   // the warp operations
	opLeader   // a shuffle from the first lane that is there
	opReduce
	opMatch
	opReturn    // some threads return
	opIfBlock   // a branch that the block decides
	opLoopBlock // a loop as long as the block says
	opIfLane    // a branch that each thread decides
	opLoopLane  // a loop as long as the lane says
	opCall      // the body in a deferred function
)

func randomProgram(r *rand.Rand, depth int, barrier bool) (prog []stmt) {
	for range 2 + r.IntN(5) {
		s := stmt{a: r.IntN(1000), b: 2 + r.IntN(5)}
		switch s.op = stmtKind(r.IntN(int(opCall) + 1)); s.op {
		case opSync, opCount, opAnd, opOr, opExchange:
			if !barrier {
				s.op = opWork
			}
		case opReturn:
			if r.IntN(3) > 0 {
				s.op = opReduce
			}
		case opIfBlock, opLoopBlock, opIfLane, opLoopLane, opCall:
			if depth == 0 {
				s.op = opLeader
				break
			}
			inner := barrier && s.op != opIfLane && s.op != opLoopLane
			s.body = randomProgram(r, depth-1, inner)
			s.orElse = randomProgram(r, depth-1, inner)
		}
		prog = append(prog, s)
	}
	return prog
}

func stmtHash(v uint32, a int) uint32 { return uint32(mix(int(v), a, 77)) }

// A walker is a thread in its program.
type walker struct {
	t      *gocuda.Thread
	shared []uint32
	n, r   int
	v      uint32
}

// run returns false if the thread must return.
func (w *walker) run(prog []stmt, mask uint32) bool {
	t, block := w.t, blockOf(w.t)
	for i := range prog {
		s := &prog[i]
		pred := stmtHash(w.v, s.a)%uint32(s.b) == 0
		switch s.op {
		case opWork:
			w.v = stmtHash(w.v, s.a)
		case opSync:
			t.SyncThreads()
		case opCount:
			w.v += uint32(t.SyncThreadsCount(pred))
		case opAnd:
			if t.SyncThreadsAnd(!pred) {
				w.v++
			}
		case opOr:
			if t.SyncThreadsOr(pred) {
				w.v += 2
			}
		case opExchange:
			w.shared[w.r] = w.v
			t.SyncThreads()
			w.v ^= w.shared[(w.r+s.a)%w.n]
			t.SyncThreads()
		case opBallot:
			w.v ^= t.BallotSync(mask, pred)
		case opLeader:
			there := t.BallotSync(mask, true)
			w.v = stmtHash(gocuda.ShflSync(t, there, w.v, bits.TrailingZeros32(there), 32), w.r)
		case opReduce:
			w.v += gocuda.ReduceAddSync(t, mask, w.v)
		case opMatch:
			w.v ^= gocuda.MatchAnySync(t, mask, w.v%uint32(s.b))
		case opReturn:
			if (w.r+s.a)%(3*s.b) == 0 {
				return false
			}
		case opIfBlock:
			body := s.body
			if (block+s.a)%2 == 0 {
				body = s.orElse
			}
			if !w.run(body, mask) {
				return false
			}
		case opLoopBlock:
			for range (block + s.a) % 4 {
				if !w.run(s.body, mask) {
					return false
				}
			}
		case opIfLane:
			taken := t.BallotSync(mask, pred)
			if pred {
				if !w.run(s.body, taken) {
					return false
				}
			} else if !w.run(s.orElse, mask&^taken) {
				return false
			}
		case opLoopLane:
			m := mask
			for k := 0; ; k++ {
				m = t.BallotSync(m, k < (w.r+s.a)%s.b)
				if k >= (w.r+s.a)%s.b {
					break
				}
				if !w.run(s.body, m) {
					return false
				}
			}
		case opCall:
			ok := false
			func() {
				defer func() { ok = w.run(s.body, mask) }()
			}()
			if !ok {
				return false
			}
		}
	}
	return true
}

// A blockModel is a block that runs serially, all threads a statement at a time.
type blockModel struct {
	block    int
	v        []uint32
	shared   []uint32
	returned []bool
}

// run runs prog for the threads in who that have not returned.
func (m *blockModel) run(prog []stmt, who []int) {
	for i := range prog {
		s := &prog[i]
		live := who[:0:0]
		pred := make([]bool, len(m.v))
		count := 0
		for _, r := range who {
			if m.returned[r] {
				continue
			}
			live = append(live, r)
			if pred[r] = stmtHash(m.v[r], s.a)%uint32(s.b) == 0; pred[r] {
				count++
			}
		}
		// warp calls f with the threads of each warp
		warp := func(f func(ranks []int)) {
			for from := 0; from < len(live); {
				to := from
				for to < len(live) && live[to]/32 == live[from]/32 {
					to++
				}
				f(live[from:to])
				from = to
			}
		}
		switch s.op {
		case opWork:
			for _, r := range live {
				m.v[r] = stmtHash(m.v[r], s.a)
			}
		case opCount:
			for _, r := range live {
				m.v[r] += uint32(count)
			}
		case opAnd:
			for _, r := range live {
				m.v[r] += uint32(pick(count == 0, 1, 0))
			}
		case opOr:
			for _, r := range live {
				m.v[r] += uint32(pick(count > 0, 2, 0))
			}
		case opExchange:
			for _, r := range live {
				m.shared[r] = m.v[r]
			}
			for _, r := range live {
				m.v[r] ^= m.shared[(r+s.a)%len(m.v)]
			}
		case opBallot:
			warp(func(ranks []int) {
				var ballot uint32
				for _, r := range ranks {
					if pred[r] {
						ballot |= 1 << (r % 32)
					}
				}
				for _, r := range ranks {
					m.v[r] ^= ballot
				}
			})
		case opLeader:
			warp(func(ranks []int) {
				leader := m.v[ranks[0]]
				for _, r := range ranks {
					m.v[r] = stmtHash(leader, r)
				}
			})
		case opReduce:
			warp(func(ranks []int) {
				var sum uint32
				for _, r := range ranks {
					sum += m.v[r]
				}
				for _, r := range ranks {
					m.v[r] += sum
				}
			})
		case opMatch:
			warp(func(ranks []int) {
				same := map[uint32]uint32{}
				for _, r := range ranks {
					same[m.v[r]%uint32(s.b)] |= 1 << (r % 32)
				}
				for _, r := range ranks {
					m.v[r] ^= same[m.v[r]%uint32(s.b)]
				}
			})
		case opReturn:
			for _, r := range live {
				m.returned[r] = (r+s.a)%(3*s.b) == 0
			}
		case opIfBlock:
			if (m.block+s.a)%2 == 0 {
				m.run(s.orElse, live)
			} else {
				m.run(s.body, live)
			}
		case opLoopBlock:
			for range (m.block + s.a) % 4 {
				m.run(s.body, live)
			}
		case opIfLane:
			var yes, no []int
			for _, r := range live {
				if pred[r] {
					yes = append(yes, r)
				} else {
					no = append(no, r)
				}
			}
			m.run(s.body, yes)
			m.run(s.orElse, no)
		case opLoopLane:
			for k := 0; len(live) > 0; k++ {
				var in []int
				for _, r := range live {
					if k < (r+s.a)%s.b {
						in = append(in, r)
					}
				}
				m.run(s.body, in)
				live = in
			}
		case opCall:
			m.run(s.body, live)
		}
	}
}

// randomRows are kernels that nobody thought of, the same ones in each run.
func randomRows() (rows []row) {
	cfgs := []grid.Config{
		{Grid: grid.Dim3{X: 4}, Block: grid.Dim3{X: 80}},
		{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 4, Y: 3, Z: 2}},
		{Grid: grid.Dim3{X: 5}, Block: grid.Dim3{X: 33}},
		{Grid: grid.Dim3{X: 4}, Block: grid.Dim3{X: 32}},
	}
	for seed := range uint64(15) {
		prog := randomProgram(rand.New(rand.NewPCG(seed, 2)), 3, true)
		rows = append(rows, perSlot(fmt.Sprint("random kernel ", seed), cfgs, func(cfg grid.Config) (func([]uint32) gocuda.Kernel, func(block, rank int) uint32) {
			n := cfg.Threads()
			build := func(out []uint32) gocuda.Kernel {
				return gocuda.ThreadFunc(func(t *gocuda.Thread) {
					w := &walker{t: t, shared: gocuda.Shared[uint32](t, n), n: n, r: rankOf(t)}
					w.v = uint32(slot(t))
					w.shared[w.r] = 5 // for who reads what a thread left that never wrote again
					w.run(prog, gocuda.FullMask)
					out[slot(t)] = w.v
				})
			}
			models := make([]*blockModel, cfg.Blocks())
			for b := range models {
				m := &blockModel{b, make([]uint32, n), make([]uint32, n), make([]bool, n)}
				var all []int
				for r := range n {
					m.v[r], m.shared[r] = uint32(b*n+r), 5
					all = append(all, r)
				}
				m.run(prog, all)
				models[b] = m
			}
			return build, func(block, rank int) uint32 { return models[block].v[rank] }
		}))
	}
	return rows
}
