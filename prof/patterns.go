package prof

import (
	"math/bits"

	"github.com/gocuda/gocuda/gocuda/rt/warps"
	"github.com/gocuda/gocuda/prof/memsys"
)

// The transactions and passes of a request depend on its lowest address modulo 256 and on the
// distances of the others from it. A few such patterns occur again and again, so their results are
// kept.

// mostPatterns is how many results are kept, of each kind.
const mostPatterns = 1 << 14

// A line is the pattern of a request whose addresses are equally spaced.
type line struct {
	active uint32
	low    uint8
	size   uint8
	store  bool
	shared bool
	stride int
}

// A scatter is any other.
type scatter struct {
	line
	rel [32]int64
}

// A result is what each rule makes of a request.
type result struct {
	global [globalRules]Traffic
	shared [sharedRules]Passes
	// Relative to the address of the lowest lane: bytes by memory partition, of the rules of
	// camping, and sectors.
	parts   [2][8]int
	sectors []int64
}

type patterns struct {
	lines    map[line]*result
	scatters map[scatter]*result
}

func newPatterns() patterns {
	return patterns{map[line]*result{}, map[scatter]*result{}}
}

// of returns the result of a request for words of the given size. base is the address of its lowest
// lane, in device or shared memory, rel the distances of the others from it, nil if they are
// equally spaced.
func (p *patterns) of(r *warps.Request, base uint64, rel *[32]int64, size int, store, shared bool) *result {
	k := line{active: r.Active, low: uint8(base), size: uint8(size), store: store, shared: shared}
	if rel == nil {
		k.stride = r.Stride
		if r.Active&(r.Active-1) == 0 {
			k.stride = 0
		}
		res := p.lines[k]
		if res == nil {
			q := memsys.Request{Active: r.Active, Size: size, Store: store}
			lowest := bits.TrailingZeros32(r.Active)
			for m := r.Active; m != 0; m &= m - 1 {
				lane := bits.TrailingZeros32(m)
				q.Addr[lane] = base + 1<<50 + uint64(r.Stride*(lane-lowest))
			}
			res = evaluate(q, base+1<<50, shared)
			if len(p.lines) >= mostPatterns {
				clear(p.lines)
			}
			p.lines[k] = res
		}
		return res
	}
	s := scatter{line: k, rel: *rel}
	res := p.scatters[s]
	if res == nil {
		q := memsys.Request{Active: r.Active, Size: size, Store: store}
		for m := r.Active; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			q.Addr[lane] = base + 1<<50 + uint64(rel[lane])
		}
		res = evaluate(q, base+1<<50, shared)
		if len(p.scatters) >= mostPatterns {
			clear(p.scatters)
		}
		p.scatters[s] = res
	}
	return res
}

// evaluate applies all rules. base is the address of the lowest lane.
func evaluate(q memsys.Request, base uint64, shared bool) *result {
	res := &result{}
	// An address that is not a multiple of the size is that of a value whose type has a smaller
	// alignment.
	for lane := range q.Addr {
		q.Addr[lane] &^= uint64(q.Size - 1)
	}
	if shared {
		for i, rule := range sharedRuleOf {
			if p, err := memsys.Shared(rule.c, q, rule.width); err == nil {
				res.shared[i] = Passes{p.Passes, p.Ideal}
			}
		}
		return res
	}
	for i, rule := range globalRuleOf {
		if t, err := memsys.Global(rule.c, q, rule.path); err == nil {
			res.global[i] = Traffic{t.Requests, len(t.Transactions), t.Bytes, distinct(t.Transactions)}
			res.place(i, t.Transactions, base)
		}
	}
	return res
}
