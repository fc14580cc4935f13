package loopasm

import (
	"fmt"
	"go/ast"
	"slices"
)

// Shuffles by constants. What package vec does with permutations and selections of them, as between the vectors of a
// warp, becomes the cheapest instructions that are found for where each lane is from.

// A source is a lane of a vector.
type source struct {
	v    *value
	lane int
}

// permutation returns the lanes of x in another order.
func (b *builder) permutation(x *value, lanes ast.Expr) *value {
	list, ok := b.lanesOf(lanes)
	if !ok {
		idx := b.want(b.value(lanes), "U32x8")
		return b.add(&value{op: opPermute, kind: x.kind, args: []*value{x, idx}})
	}
	from := make([]source, len(list))
	for k, lane := range list {
		from[k] = b.origin(x, lane)
	}
	return b.shuffled(x.kind, from)
}

// select2 returns the lanes on of x, and the others of y.
func (b *builder) select2(k kind, on uint64, x, y *value) *value {
	from := make([]source, k.lanes())
	for lane := range from {
		if on>>lane&1 != 0 {
			from[lane] = b.origin(x, lane)
		} else {
			from[lane] = b.origin(y, lane)
		}
	}
	if v, ok := b.find(k, from); ok {
		return v
	}
	return b.add(&value{op: opBlend, kind: k, args: []*value{x, y}, imm: int(on)})
}

// origin returns where a lane of x is from: x itself, or what x is a shuffle of. What has some lanes of each of two is there to be used.
func (b *builder) origin(x *value, lane int) source {
	if x.from != nil && x.op != opBlend {
		return x.from[lane]
	}
	return source{x, lane}
}

// lanesOf returns the lanes that a vector of constants has: what vec.SourceU32x8 returns for a shuffle of a warp.
func (b *builder) lanesOf(e ast.Expr) ([]int, bool) {
	if id, ok := e.(*ast.Ident); ok {
		if b.locals[id.Name] || b.changed[id.Name] {
			return nil, false
		}
		e = b.defs(id.Name)
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 4 || b.source(call.Fun) != b.vec+".SourceU32x8" {
		return nil, false
	}
	by, ok1 := number(call.Args[1])
	width, ok2 := number(call.Args[2])
	part, ok3 := number(call.Args[3])
	if !ok1 || !ok2 || !ok3 {
		return nil, false
	}
	by &= 31
	list := make([]int, 8)
	for k := range list {
		lane := 8*part + k
		first := lane &^ (width - 1)
		from := lane
		switch b.source(call.Args[0]) {
		case b.vec + ".ByIdx":
			from = first + by&(width-1)
		case b.vec + ".ByUp":
			if lane-by >= first {
				from = lane - by
			}
		case b.vec + ".ByDown":
			if lane+by < first+width {
				from = lane + by
			}
		case b.vec + ".ByXor":
			if lane^by < first+width {
				from = lane ^ by
			}
		default:
			return nil, false
		}
		list[k] = from % 8
	}
	return list, true
}

// shuffled returns a vector whose lanes are from at most two others.
func (b *builder) shuffled(k kind, from []source) *value {
	if v, ok := b.find(k, from); ok {
		return v
	}
	// Each source is permuted by itself.
	var result *value
	on := 0
	for _, x := range sources(from) {
		bits := make([]uint64, len(from))
		lanes := 0
		for lane, s := range from {
			if s.v == x {
				bits[lane] = uint64(s.lane)
				lanes |= 1 << lane
			}
		}
		v := b.add(&value{op: opPermute, kind: k, args: []*value{x, b.constant("U32x8", bits...)}})
		if result == nil {
			result, on = v, lanes
		} else {
			result = b.add(&value{op: opBlend, kind: k, args: []*value{result, v}, imm: on})
		}
	}
	result.from = from
	return result
}

func sources(from []source) []*value {
	var list []*value
	for _, s := range from {
		if !slices.Contains(list, s.v) {
			list = append(list, s.v)
		}
	}
	return list
}

// A move makes a vector of one or two others, in one instruction.
type move struct {
	op   op
	imm  int
	args []int // which of those that there are
	out  []source
}

// find returns a vector with these lanes that takes one instruction or two of those which are done in one cycle or three, if there is one.
// A permutation of all lanes takes six, and a register for their numbers.
func (b *builder) find(k kind, from []source) (*value, bool) {
	in := sources(from)
	if len(in) > 2 {
		return nil, false
	}
	have := make([][]source, len(in))
	for i, x := range in {
		for lane := range from {
			have[i] = append(have[i], source{x, lane})
		}
		if slices.Equal(have[i], from) {
			return x, true
		}
	}
	if k.size() != 4 {
		return nil, false
	}
	if m, ok := oneMove(have, from); ok {
		return b.apply(k, m, in), true
	}
	for _, m := range crossings(have) {
		if n, ok := oneMove(append(have[:len(have):len(have)], m.out), from); ok {
			return b.apply(k, n, append(in[:len(in):len(in)], b.apply(k, m, in))), true
		}
	}
	return nil, false
}

// apply makes a move.
func (b *builder) apply(k kind, m move, have []*value) *value {
	v := &value{op: m.op, kind: k, imm: m.imm, from: m.out}
	key := fmt.Sprintf("%s %d", m.op, m.imm)
	for _, a := range m.args {
		v.args = append(v.args, have[a])
		key += fmt.Sprintf(" %p", have[a])
	}
	if b.memo[key] == nil {
		b.memo[key] = b.add(v)
	}
	return b.memo[key]
}

// oneMove returns the move that makes from of vectors of eight lanes.
func oneMove(have [][]source, from []source) (move, bool) {
	for i, x := range have {
		// The lanes of each half in an order, the same in both.
		imm, ok := 0, true
		for k := range 4 {
			at := -1
			for lane := range 4 {
				if x[lane] == from[k] && x[4+lane] == from[4+k] {
					at = lane
				}
			}
			ok = ok && at >= 0
			imm |= at << (2 * k)
		}
		if ok {
			return move{opPermil, imm, []int{i}, from}, true
		}
		for j, y := range have[:i] {
			// Some lanes of each.
			imm, ok := 0, true
			for lane, s := range from {
				switch s {
				case x[lane]:
					imm |= 1 << lane
				case y[lane]:
				default:
					ok = false
				}
			}
			if ok {
				return move{opBlend, imm, []int{i, j}, from}, true
			}
		}
	}
	for _, m := range crossings(have) {
		if slices.Equal(m.out, from) {
			return m, true
		}
	}
	return move{}, false
}

// crossings returns the moves between halves and between vectors of eight lanes.
func crossings(have [][]source) []move {
	var list []move
	for i, x := range have {
		for j, y := range have {
			// A half of x, and one of y behind it.
			for imm := range 4 {
				lo, hi := imm&1, imm>>1
				out := append(slices.Clone(x[4*lo:4*lo+4]), y[4*hi:4*hi+4]...)
				list = append(list, move{opHalves, lo | (2+hi)<<4, []int{i, j}, out})
			}
			// In each half, the last lanes of x, and the first of y behind them.
			for n := 1; n < 4; n++ {
				var out []source
				for half := 0; half < 8; half += 4 {
					out = append(out, x[half+n:half+4]...)
					out = append(out, y[half:half+n]...)
				}
				list = append(list, move{opAlign, 4 * n, []int{i, j}, out})
			}
		}
	}
	return list
}
