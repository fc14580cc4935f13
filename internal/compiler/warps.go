package compiler

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Warp operations with vectors, in sections: the values of a warp are in two vectors of 16 lanes or four of 8, which are the parts of
// the strip. A shuffle is a permutation of these, a vote the bits of masks.

// warpLanes is how many lanes a warp has.
const warpLanes = 32

// warp prints a warp operation of a whole warp.
func (v *vector) warp(s *Warp) {
	if !v.full || v.mask != v.strip || v.parts*v.lanes != warpLanes || v.axis != 0 {
		panic(noVector{"a warp operation is under a condition that may differ between lanes"})
	}
	if s.Mask != nil {
		v.allLanes(s.Mask)
	}
	for _, w := range results(s) {
		if !isBool(w.Type) && !v.holds(w.Type) {
			panic(noVector{"the result of a warp operation has no vectors of this many lanes"})
		}
	}
	switch s.Op {
	case "SyncWarp":
	case "ActiveMask":
		v.active = append(v.active, s.Dst)
		v.setLanes(s.Dst, func(int) string { return v.splatMask("1<<32 - 1") })
	case "BallotSync":
		name := v.ballot(s.Args[0])
		v.setLanes(s.Dst, func(int) string { return v.splatMask(name) })
	case "AllSync", "AnySync":
		cond := v.ballot(s.Args[0]) + map[string]string{"AllSync": " == 1<<32-1", "AnySync": " != 0"}[s.Op]
		v.setLanes(s.Dst, func(int) string { return fmt.Sprintf("%s.If(%s)", v.vecName(), cond) })
	case "ShflSync", "ShflUpSync", "ShflDownSync", "ShflXorSync":
		v.shuffle(s)
	case "MatchAnySync", "MatchAllSync":
		v.match(s)
	default:
		v.reduceWarp(s)
	}
}

// allLanes sees to it that a mask is FullMask: it is, or a condition of the row says so.
func (v *vector) allLanes(mask Expr) {
	written := useOf(v.r.stmts).written
	for {
		if n, ok := constInt(mask); ok && n == 1<<warpLanes-1 {
			return
		}
		r, ok := mask.(*VarRef)
		if !ok || r.V.addr {
			panic(noVector{"the mask of a warp operation is not known to be FullMask"})
		}
		v.leftOut(r.V)
		switch w := r.V; {
		case slices.Contains(v.active, w):
			return // all lanes are
		case written[w]:
		case w.Param, w.common && w.Shape.uniform():
			v.require(fmt.Sprintf("%s == 1<<32-1", v.name(w)))
			return
		case w.spread:
			dimX := v.use("dimX")
			v.require(fmt.Sprintf("%s.AllLanes(%s[row*%s:][:%s])", v.core(), v.array[w], dimX, dimX))
			return
		}
		mask = v.k.single[r.V]
	}
}

// setLanes gives the result of a warp operation to a variable, part by part.
func (v *vector) setLanes(w *Var, text func(part int) string) {
	part := 0
	v.each(true, func() {
		v.printf("%s := %s\n_ = %s\n", v.name(w), text(part), v.name(w))
		v.born[w] = v.mask
		part++
	})
}

// splatMask prints the same set of lanes for all of them.
func (v *vector) splatMask(text string) string {
	return fmt.Sprintf("%s.SplatU32x%d(%s)", v.vecName(), v.lanes, text)
}

// ballot puts the lanes of the warp for which a predicate holds into a variable.
func (v *vector) ballot(e Expr) string {
	return v.lanesOfWarp("ballot", func(int) string { return v.maskOf(e) })
}

// lanesOfWarp puts the lanes for which the masks of the parts stand into a variable.
func (v *vector) lanesOfWarp(name string, mask func(part int) string) string {
	name = v.fresh(name)
	var list []string
	v.each(true, func() {
		bits := v.fresh("half")
		v.printf("%s := uint32(%s) & %#x\n", bits, mask(len(list)), uint32(1)<<v.lanes-1)
		if len(list) > 0 {
			bits = fmt.Sprintf("%s<<%d", bits, len(list)*v.lanes)
		}
		list = append(list, bits)
	})
	v.printf("%s := %s\n", name, strings.Join(list, " | "))
	v.native += v.weight
	return name
}

// operands puts the parts of an operand into variables.
func (v *vector) operands(e Expr) []string {
	var names []string
	v.each(true, func() {
		half := v.fresh("half")
		v.printf("%s := %s\n", half, v.value(e))
		names = append(names, half)
	})
	return names
}

// shuffle prints a shuffle.
func (v *vector) shuffle(s *Warp) {
	no := func(why string) { panic(noVector{why}) }
	width, known := constInt(s.Args[2])
	groups := fmt.Sprint(width)
	switch {
	case !known:
		groups = v.widthOf(s.Args[2])
	case width < 1 || width > warpLanes || width&(width-1) != 0:
		no("the width of a shuffle is not allowed")
	}
	index := "U32"
	switch kind := elem(s.T); kind {
	case "F32", "I32", "U32":
	case "F64", "I64", "U64":
		index = "U64"
	default:
		no("a shuffle of a type that has neither 32 nor 64 bits")
	}
	if mayPanic(s.Args[1]) {
		no("the number of a shuffle may panic")
	}
	v.native += v.weight
	from := func(name string) string { return fmt.Sprintf("%s.%s%sx%d", v.vecName(), name, index, v.lanes) }
	kind := map[string]string{"ShflSync": "ByIdx", "ShflUpSync": "ByUp", "ShflDownSync": "ByDown", "ShflXorSync": "ByXor"}[s.Op]
	if sh := shapeOf(s.Args[1]); !sh.uniform() && sh[0] != 0 {
		// Each lane has a number of its own.
		if kind != "ByIdx" {
			no("a shuffle by numbers that differ between lanes")
		}
		t := s.Args[1].Type()
		if !v.holds(t) || elem(t) == "" {
			no("the numbers of a shuffle have no vectors of this many lanes")
		}
		parts := v.operands(s.Args[0])
		numbers := v.operands(s.Args[1])
		v.setLanes(s.Dst, func(part int) string {
			b := numbers[part]
			if own := elem(t); own != index {
				b = fmt.Sprintf("%s.Cvt%sx%d_%sx%d(%s)", v.vecName(), own, v.lanes, index, v.lanes, b)
			}
			return fmt.Sprintf("%s(%s, %s(%s, %s, %d))", v.vec("Warp", s.T), strings.Join(parts, ", "), from("SourceOf"), b, groups, part)
		})
		return
	}
	parts := v.operands(s.Args[0])
	by := v.simpleText(v.intText(s.Args[1]))
	short := v.lanes == 16 && width == warpLanes
	first := "" // of all parts, if all lanes read from one
	v.setLanes(s.Dst, func(part int) string {
		if first != "" {
			return first
		}
		if kind == "ByIdx" && known && width == warpLanes {
			first = v.name(s.Dst)
		}
		if short {
			if text, ok := v.ahead.shuffle(v, s, parts, part); ok {
				return text
			}
			return fmt.Sprintf("%s(%s, %s, %s, %d)", v.vec(strings.TrimSuffix(s.Op, "Sync"), s.T), parts[0], parts[1], by, part)
		}
		idx := fmt.Sprintf("%s(%s.%s, %s, %s, %d)", from("Source"), v.vecName(), kind, by, groups, part)
		n, isConst := constInt(s.Args[1])
		if !isConst || !known {
			return fmt.Sprintf("%s(%s, %s)", v.vec("Warp", s.T), strings.Join(parts, ", "), idx)
		}
		// Which parts it reads from is known.
		var of []int
		second := uint32(0)
		same := true
		for lane := range v.lanes {
			from := sourceLane(kind, part*v.lanes+lane, int(n), int(width))
			same = same && from == part*v.lanes+lane
			p := from / v.lanes
			if !slices.Contains(of, p) {
				of = append(of, p)
			}
			if p != of[0] {
				second |= 1 << lane
			}
		}
		for p, name := range parts {
			if !slices.Contains(of, p) && part == 0 {
				v.printf("_ = %s\n", name)
			}
		}
		idx = v.all(idx)
		switch {
		case same:
			return parts[part]
		case len(of) == 1:
			return fmt.Sprintf("%s(%s, %s)", v.vec("Permute", s.T), parts[of[0]], idx)
		case len(of) == 2 && v.lanes == 8:
			permute := v.vec("Permute", s.T)
			return fmt.Sprintf("%s(%#x, %s(%s, %s), %s(%s, %s))", v.vec("Select", s.T), second, permute, parts[of[1]], idx, permute, parts[of[0]], idx)
		}
		return fmt.Sprintf("%s(%s, %s)", v.vec("Warp", s.T), strings.Join(parts, ", "), idx)
	})
}

// widthOf returns the width of a shuffle that only the run knows. That it is one is a condition of the row.
func (v *vector) widthOf(e Expr) string {
	written := useOf(v.r.stmts).written
	ok := shapeOf(e).uniform() && !mayPanic(e) && !loads(e)
	walkExpr(e, func(x Expr) {
		if r, isVar := x.(*VarRef); isVar {
			ok = ok && !r.V.addr && !written[r.V] && (r.V.Param || r.V.common)
		}
	})
	if !ok {
		panic(noVector{"the width of a shuffle changes between warp operations"})
	}
	width := v.intText(e)
	v.require(fmt.Sprintf("%s.IsWidth(%s)", v.core(), width))
	return v.simpleText(width)
}

// sourceLane returns the lane that a lane reads from in a shuffle by b in groups of width lanes.
func sourceLane(kind string, lane, b, width int) int {
	b &= warpLanes - 1
	first := lane &^ (width - 1)
	from := lane
	switch kind {
	case "ByIdx":
		return first + b&(width-1)
	case "ByUp":
		from = lane - b
		if from < first {
			return lane
		}
	case "ByDown":
		from = lane + b
	case "ByXor":
		from = lane ^ b
	}
	if from >= first+width {
		return lane
	}
	return from
}

// match prints MatchAnySync and MatchAllSync, which compare the bits of what lanes have.
func (v *vector) match(s *Warp) {
	t := s.T
	kind := elem(t)
	if kind == "" || !v.holds(t) {
		panic(noVector{"a match of a type without vectors of this many lanes"})
	}
	parts := v.operands(s.Args[0])
	if isFloat(t) {
		own := kind
		kind = "U" + kind[1:]
		for i, p := range parts {
			parts[i] = fmt.Sprintf("%s.Bits%sx%d(%s)", v.vecName(), own, v.lanes, p)
		}
	}
	fn := func(verb string) string { return fmt.Sprintf("%s.%s%sx%d", v.vecName(), verb, kind, v.lanes) }
	bits := v.fresh("bits")
	v.printf("var %s [%d]%s\n", bits, warpLanes, elemGo[kind])
	for i, p := range parts {
		v.printf("%s(%s[:], %d, %s)\n", fn("Store"), bits, i*v.lanes, p)
	}
	equal := func(x string) string {
		var list []string
		for i := range parts {
			m := fmt.Sprintf("uint32(%s(%s(%s[:], %d), %s))", fn("Eq"), fn("Load"), bits, i*v.lanes, x)
			if i > 0 {
				m = fmt.Sprintf("%s<<%d", m, i*v.lanes)
			}
			list = append(list, m)
		}
		return strings.Join(list, " | ")
	}
	v.native += v.weight * len(parts)
	if s.Op == "MatchAllSync" {
		same := v.fresh("same")
		v.printf("%s := %s\nif %s != 1<<32-1 {\n%s = 0\n}\n", same, equal(fmt.Sprintf("%s(%s[0])", fn("Splat"), bits)), same, same)
		v.setLanes(s.Dst, func(int) string { return v.splatMask(same) })
		if s.All != nil {
			v.setLanes(s.All, func(int) string { return fmt.Sprintf("%s.If(%s != 0)", v.vecName(), same) })
		}
		return
	}
	// One value after the other, of the lanes that no value has been of.
	v.setLanes(s.Dst, func(int) string { return v.splatMask("0") })
	rest, same := v.fresh("rest"), v.fresh("same")
	v.printf("for %s := uint32(1<<32 - 1); %s != 0; {\n", rest, rest)
	v.printf("%s := %s\n", same, equal(fmt.Sprintf("%s(%s[%s.TrailingZeros32(%s)])", fn("Splat"), bits, v.importName("math/bits", "bits"), rest)))
	part := 0
	v.each(true, func() {
		v.printf("%s = %s.SelectU32x%d(%s.Mask(%s>>%d), %s, %s)\n", v.name(s.Dst), v.vecName(), v.lanes, v.vecName(), same, part*v.lanes, v.splatMask(same), v.name(s.Dst))
		part++
	})
	v.printf("%s &^= %s\n}\n", rest, same)
}

// reduceWarp prints ReduceAddSync and its like.
func (v *vector) reduceWarp(s *Warp) {
	verb := strings.TrimSuffix(strings.TrimPrefix(s.Op, "Reduce"), "Sync")
	if !slices.Contains([]string{"Add", "Min", "Max", "And", "Or", "Xor"}, verb) {
		panic(noVector{s.Op + " has no form with vectors"})
	}
	if elem(s.T) == "" || !v.holds(s.T) {
		panic(noVector{"a reduction of a type without vectors of this many lanes"})
	}
	parts := v.operands(s.Args[0])
	sum := parts[0]
	for _, p := range parts[1:] {
		sum = fmt.Sprintf("%s(%s, %s)", v.vec(verb, s.T), sum, p)
	}
	total := v.fresh("total")
	v.printf("%s := %s(%s)\n", total, v.vec("Reduce"+verb, s.T), sum)
	v.native += v.weight * bits.Len(uint(v.lanes))
	v.setLanes(s.Dst, func(int) string { return fmt.Sprintf("%s(%s)", v.vec("Splat", s.T), total) })
}
