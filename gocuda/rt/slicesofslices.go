package rt

import (
	"cmp"
	"slices"
	"unsafe"
)

// Slices of slices. Nests with pointers to their rows need to know that all rows have the same length,
// and which rows have no memory in common. Each worker finds that out once a launch, and only if a form
// with vector instructions is wanted.

// mostFacts is the number of facts that are remembered. A body that needs more determines the others again
// for each share of blocks.
const mostFacts = 8

// Facts are what a worker has found out about the arguments of a launch.
type facts struct {
	known  uint8
	values [mostFacts]int
}

// Fact returns what f does, for the k-th fact of the launch that a body needs; -1 if no form with vector
// instructions is wanted.
func (p *Phases) Fact(k int, f func() int) int {
	switch {
	case !p.Vectors:
		return -1
	case k >= mostFacts:
		return f()
	case p.facts.known>>k&1 == 0:
		p.facts.values[k] = f()
		p.facts.known |= 1 << k
	}
	return p.facts.values[k]
}

// Holds is Fact for a condition; false if no form with vector instructions is wanted.
func (p *Phases) Holds(k int, f func() bool) bool {
	return p.Fact(k, func() int {
		if f() {
			return 1
		}
		return 0
	}) > 0
}

// Width returns the length of all rows, or -1 if they have several.
func Width[R ~[]T, T any](rows []R) int {
	width := 0
	for i, r := range rows {
		if i > 0 && len(r) != width {
			return -1
		}
		width = len(r)
	}
	return width
}

// A span is the memory of a slice, from its first byte up to but not including end.
type span struct{ begin, end uintptr }

func spanOf[T any](s []T) span {
	var t T
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	return span{begin, begin + uintptr(len(s))*unsafe.Sizeof(t)}
}

// spansOf returns the memory of rows that are not empty.
func spansOf[R ~[]T, T any](rows []R) []span {
	list := make([]span, 0, len(rows))
	for _, r := range rows {
		if s := spanOf(r); s.begin < s.end {
			list = append(list, s)
		}
	}
	return list
}

// hullOf is the smallest span that contains the memory of all rows that are not empty.
func hullOf[R ~[]T, T any](rows []R) span {
	all := span{^uintptr(0), 0}
	for _, r := range rows {
		if s := spanOf(r); s.begin < s.end {
			all.begin, all.end = min(all.begin, s.begin), max(all.end, s.end)
		}
	}
	return all
}

func (s span) apart(t span) bool { return s.end <= t.begin || t.end <= s.begin }

// RowsApart reports whether no row has memory in common with a slice.
func RowsApart[R ~[]T, T, U any](rows []R, s []U) bool {
	of := spanOf(s)
	return len(s) == 0 || !slices.ContainsFunc(rows, func(r R) bool { return len(r) > 0 && !spanOf(r).apart(of) })
}

// AllRowsApart reports whether no row of one slice has memory in common with a row of another one.
// Rows of the same slice may have.
func AllRowsApart[R ~[]T, S ~[]U, T, U any](rows []R, others []S) bool {
	if hullOf(rows).apart(hullOf(others)) {
		return true
	}
	// In the order of their beginnings, each row must begin behind the ends of all others so far.
	a, b := spansOf(rows), spansOf(others)
	for _, list := range [][]span{a, b} {
		slices.SortFunc(list, func(s, t span) int { return cmp.Compare(s.begin, t.begin) })
	}
	var endA, endB uintptr
	for len(a) > 0 && len(b) > 0 {
		if a[0].begin <= b[0].begin {
			if endA = max(endA, a[0].end); a[0].begin < endB || endA > b[0].begin {
				return false
			}
			a = a[1:]
		} else {
			if endB = max(endB, b[0].end); b[0].begin < endA || endB > a[0].begin {
				return false
			}
			b = b[1:]
		}
	}
	return (len(a) == 0 || a[0].begin >= endB) && (len(b) == 0 || b[0].begin >= endA)
}
