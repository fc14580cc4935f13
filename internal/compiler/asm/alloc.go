package asm

import (
	"cmp"
	"errors"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// errRegisters says that a nest has more values at a time than there are registers.
var errRegisters = errors.New("there are not enough registers")

// An interval is where a value lives: from its first assignment to its last use, by the number of the instruction.
type interval struct {
	v          lir.Value
	start, end int
}

// intervalsOf returns where the values of n live. What is assigned before a loop and used in it lives until the end of the loop.
func intervalsOf(n *lir.Nest) []interval {
	start, end := make([]int, len(n.Kinds)), make([]int, len(n.Kinds))
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
					end[x.X]++ // the result can't take its register
				}
				for _, v := range x.Temps {
					start[v], end[v] = pos, pos+1 // at the same time
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
	var list []interval
	for v := range start {
		if start[v] != 0 {
			list = append(list, interval{lir.Value(v), start[v], end[v]})
		}
	}
	slices.SortFunc(list, func(a, b interval) int { return cmp.Or(a.start-b.start, int(a.v-b.v)) })
	return list
}

// allocate gives the values of n registers, by linear scan (Poletto and Sarkar, 1999): numbers below vectors, and for masks below
// masks, if these have registers of their own.
func allocate(n *lir.Nest, vectors, masks int) (map[lir.Value]int, error) {
	at := map[lir.Value]int{}
	free := [2][]int{}
	for i, count := range []int{vectors, masks} {
		for r := count - 1; r >= 0; r-- {
			free[i] = append(free[i], r)
		}
	}
	class := func(v lir.Value) int {
		if n.Kinds[v] == lir.Mask && masks > 0 {
			return 1
		}
		return 0
	}
	var active []interval
	for _, i := range intervalsOf(n) {
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
			return nil, errRegisters
		}
		at[i.v], free[c] = free[c][last], free[c][:last]
		active = append(active, i)
	}
	return at, nil
}
