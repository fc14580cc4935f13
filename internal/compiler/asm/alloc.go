package asm

import (
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Register allocation: linear scan, with spilling to the frame.

// An interval is a live interval: from a value's first assignment to its last use, by the numbers
// of instructions.
type interval struct {
	v          lir.Value
	start, end int
}

// A scratch is memory for the scans of a nest. There is one scan for each spilled value.
type scratch struct {
	start, end, count []int // of a value, and how many intervals begin at an instruction
	at                []int // the register of each value, or none
	list, active      []interval
	first             []*lir.Instr
	free              [2][]int
}

const none = -1

// cleared returns a slice of n zeros, in the memory of s if it suffices.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}

// intervalsOf returns the live intervals of the values of n. A value that is assigned before a loop
// and used in it is live until the end of the loop.
func (s *scratch) intervalsOf(n *lir.Nest) []interval {
	s.start, s.end = cleared(s.start, len(n.Kinds)), cleared(s.end, len(n.Kinds))
	start, end := s.start, s.end
	pos := 1
	if n.Lanes != 0 {
		start[n.Lanes], end[n.Lanes] = pos, pos
	}
	var visit func(list []lir.Node)
	visit = func(list []lir.Node) {
		for _, x := range list {
			pos++
			switch x := x.(type) {
			case *lir.Instr:
				for _, v := range x.Uses() {
					end[v] = pos
				}
				if x.Op == lir.Gather {
					end[x.X]++ // the result must be in another register
				}
				for _, v := range x.Temps {
					// temporaries are live at the same time, and must not share registers with
					// operands
					start[v], end[v] = pos, pos+1
					for _, u := range x.Uses() {
						end[u] = max(end[u], pos+1)
					}
				}
				if v := x.Dst; v != 0 {
					if start[v] == 0 {
						start[v] = pos
					}
					end[v] = pos
				}
			case *lir.Loop:
				first := pos
				visit(x.Head)
				for _, v := range x.While {
					end[v] = pos
				}
				visit(x.Body)
				for _, v := range x.Left {
					end[v] = pos
				}
				pos++
				for v := range end {
					if start[v] != 0 && start[v] < first && end[v] > first {
						end[v] = pos
					}
				}
			case *lir.When:
				for _, v := range x.Any {
					end[v] = pos
				}
				visit(x.Then)
				visit(x.Else)
			}
		}
	}
	visit(n.Body)
	// by start and value: a counting sort, since positions are small numbers
	s.count = cleared(s.count, pos+2)
	at := s.count
	for _, first := range start {
		at[first+1]++
	}
	at[1] = 0 // of values that are not assigned
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
	s.list = cleared(s.list, at[pos+1])
	for v, first := range start {
		if first != 0 {
			s.list[at[first]] = interval{lir.Value(v), first, end[v]}
			at[first]++
		}
	}
	return s.list
}

// allocate assigns registers to the values of n, by linear scan (Poletto and Sarkar, 1999). By value,
// it returns a number below m.Vectors or, for masks in registers of their own, below m.Masks.
func allocate(n *lir.Nest, m *Machine) (at []int, err error) {
	var s scratch
	_, err = s.scan(n, m)
	return s.at, err
}

// allocateSpilling is allocate with spilling: values are kept in the frame, from base on. It spills
// the values with the least use per length of the live interval (Chaitin, 1982, divides by the
// degree in the interference graph instead). It returns the number of bytes of the frame. Values
// used in nested loops are spilled only if n.Deep is set.
func allocateSpilling(n *lir.Nest, m *Machine, base int) (at []int, bytes int, err error) {
	size, most := m.Bytes, mostSpilled
	if n.Deep {
		most = mostDeep
	}
	// computed once: reloaded values live for one instruction, and are never spilled
	var weight, length []int
	var s scratch
	for {
		crowd, err := s.scan(n, m)
		if err == nil || bytes >= most {
			return s.at, bytes, err
		}
		if weight == nil {
			weight = weights(n, n.Deep)
			length = make([]int, len(weight))
			for _, i := range s.intervalsOf(n) {
				length[i.v] = min(i.end-i.start+1, longLived)
			}
		}
		best := lir.Value(0)
		for _, v := range crowd {
			if int(v) < len(weight) && weight[v] != 0 && (best == 0 || weight[v]*length[best] < weight[best]*length[v]) {
				best = v
			}
		}
		if best == 0 {
			return nil, bytes, err
		}
		spill(n, best, base+bytes)
		weight[best] = 0
		if m.Masks > 0 && n.Kinds[best] == lir.Mask {
			bytes += 8
		} else {
			bytes += size
		}
	}
}

// crowded reports whether more than a third of the instructions in list, with 8 iterations per
// loop, are spills and reloads.
func crowded(list []lir.Node) bool {
	moved, all := 0, 0
	var visit func(list []lir.Node, weight int)
	visit = func(list []lir.Node, weight int) {
		for _, x := range list {
			switch x := x.(type) {
			case *lir.Instr:
				if all += weight; x.Op == lir.Spill || x.Op == lir.Reload {
					moved += weight
				}
			case *lir.Loop:
				visit(x.Head, 8*weight)
				visit(x.Body, 8*weight)
			case *lir.When:
				visit(x.Then, weight)
				visit(x.Else, weight)
			}
		}
	}
	visit(list, 1)
	return 3*moved > all
}

const (
	longLived   = 16          // instructions; longer live intervals count as this length
	mostSpilled = 48 * 64     // bytes of the frame
	mostDeep    = 4 * 48 * 64 // the same where the alternative is plain Go
)

// weights returns the number of uses and assignments of each value, with 8 iterations per loop. It
// is 0 for values that can't be spilled. Unless deep is set these include values used in nested
// loops, and the masks of divergent loops.
func weights(n *lir.Nest, deep bool) []int {
	deepest := 1
	if deep {
		deepest = 8
	}
	sum, never := make([]int, len(n.Kinds)), make([]bool, len(n.Kinds))
	never[n.Lanes] = true
	var visit func(list []lir.Node, depth int)
	visit = func(list []lir.Node, depth int) {
		for _, x := range list {
			switch x := x.(type) {
			case *lir.Instr:
				weight := 1 << min(3*depth, 15)
				for _, v := range x.Uses() {
					sum[v] += weight
					never[v] = never[v] || depth > deepest || x.Op == lir.Spill // a spilled value
				}
				for _, v := range x.Temps {
					never[v] = true
				}
				if x.Dst != 0 {
					sum[x.Dst] += weight
					never[x.Dst] = never[x.Dst] || depth > deepest || x.Op == lir.Reload
				}
			case *lir.Loop:
				for _, v := range x.While {
					sum[v] += 1 << min(3*depth, 15)
					never[v] = never[v] || !deep
				}
				visit(x.Head, depth+1)
				visit(x.Body, depth+1)
			case *lir.When:
				for _, v := range x.Any {
					sum[v] += 8
					never[v] = never[v] || depth > deepest
				}
				visit(x.Then, depth)
				visit(x.Else, depth)
			}
		}
	}
	visit(n.Body, 0)
	for v := range sum {
		if never[v] {
			sum[v] = 0
		}
	}
	return sum
}

// spill keeps v in the frame at off: it is saved after every assignment, and reloaded for each use.
func spill(n *lir.Nest, v lir.Value, off int) {
	reload := func(list *[]lir.Node) lir.Value {
		again := n.New(n.Kinds[v])
		*list = append(*list, &lir.Instr{Op: lir.Reload, Kind: n.Kinds[v], Dst: again, Imm: uint64(off)})
		return again
	}
	uses := func(x *lir.Instr) bool { return x.X == v || x.Y == v || x.Z == v || x.On == v || x.Dst == v }
	var rewrite func(list []lir.Node) []lir.Node
	rewrite = func(list []lir.Node) []lir.Node {
		var out []lir.Node // nil as long as list stays as it is
		for i, x := range list {
			changes := false
			switch x := x.(type) {
			case *lir.Instr:
				changes = uses(x)
			case *lir.When:
				changes = slices.Contains(x.Any, v)
			}
			if changes && out == nil {
				out = append(make([]lir.Node, 0, len(list)+len(list)/8+2), list[:i]...)
			}
			switch x := x.(type) {
			case *lir.Instr:
				if !changes {
					break
				}
				var again lir.Value
				for _, use := range []*lir.Value{&x.X, &x.Y, &x.Z, &x.On} {
					if *use != v {
						continue
					}
					if again == 0 {
						again = reload(&out)
					}
					*use = again
				}
				out = append(out, x)
				if x.Dst == v {
					x.Dst = n.New(n.Kinds[v]) // a new value, with a short live interval
					out = append(out, &lir.Instr{Op: lir.Spill, Kind: n.Kinds[v], X: x.Dst, Imm: uint64(off)})
				}
				continue
			case *lir.Loop:
				x.Head, x.Body = rewrite(x.Head), rewrite(x.Body)
				for i := range x.While {
					if x.While[i] != v {
						continue
					}
					if len(x.Left) == 0 {
						x.Left = slices.Clone(x.While)
					}
					x.While[i], x.Left[i] = reload(&x.Head), reload(&x.Body)
				}
			case *lir.When:
				x.Then, x.Else = rewrite(x.Then), rewrite(x.Else)
				for i := range x.Any {
					if x.Any[i] == v {
						x.Any[i] = reload(&out)
					}
				}
			}
			if out != nil {
				out = append(out, x)
			}
		}
		if out == nil {
			return list
		}
		return out
	}
	n.Body = rewrite(n.Body)
}

// scan is the linear scan. If there are not enough registers, it returns the values that are live
// at the same time as crowd.
func (s *scratch) scan(n *lir.Nest, m *Machine) (crowd []lir.Value, err error) {
	s.at = cleared(s.at, len(n.Kinds))
	for v := range s.at {
		s.at[v] = none
	}
	for i, count := range []int{m.Vectors, m.Masks} {
		s.free[i] = s.free[i][:0]
		for r := count - 1; r >= 0; r-- {
			s.free[i] = append(s.free[i], r)
		}
	}
	at, free := s.at, &s.free
	class := func(v lir.Value) int {
		if n.Kinds[v] == lir.Mask && m.Masks > 0 {
			return 1
		}
		return 0
	}
	s.noteFirsts(n)
	active := s.active[:0]
	defer func() { s.active = active }()
	for _, i := range s.intervalsOf(n) {
		active = slices.DeleteFunc(active, func(a interval) bool {
			if a.end > i.start {
				return false
			}
			c := class(a.v)
			free[c] = append(free[c], at[a.v])
			return true
		})
		c := class(i.v)
		last := len(free[c]) - 1
		if last < 0 {
			for _, a := range append(active, i) {
				if class(a.v) == c {
					crowd = append(crowd, a.v)
				}
			}
			return crowd, ErrRegisters
		}
		take := last
		if x := s.first[i.v]; x != nil && m.Near != nil {
			near, apart := m.Near(x)
			take = choose(free[c], at, near, apart)
		}
		at[i.v] = free[c][take]
		free[c] = slices.Delete(free[c], take, take+1)
		active = append(active, i)
	}
	return nil, nil
}

// noteFirsts finds the first assignment of each value.
func (s *scratch) noteFirsts(n *lir.Nest) {
	s.first = cleared(s.first, len(n.Kinds))
	lir.Walk(n.Body, func(x *lir.Instr) {
		if x.Dst != 0 && s.first[x.Dst] == nil {
			s.first[x.Dst] = x
		}
	})
}

// choose returns the index of the free register that a value takes: one that a value of near had,
// or else the last one that no value of apart had, or else the last one.
func choose(free, at []int, near, apart []lir.Value) int {
	index := func(v lir.Value) int { return slices.Index(free, at[v]) } // none is nowhere
	for _, v := range near {
		if k := index(v); k >= 0 {
			return k
		}
	}
	for k := len(free) - 1; k >= 0; k-- {
		if !slices.ContainsFunc(apart, func(v lir.Value) bool { return index(v) == k }) {
			return k
		}
	}
	return len(free) - 1
}
