package compiler

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Load and store combining (pass words): the channels of a pixel, or the fields of a small struct,
// are two or four adjacent numbers of 8 or 16 bits per thread. If a thread reads the first and the
// last of them, it reads one word of 16 or 32 bits instead and extracts the numbers by shifts; the
// words of adjacent threads are adjacent. If a thread stores all of them, it stores one word
// (Davidson and Jinturkar, "Memory access coalescing", PLDI 1994). A load moves up to the first load
// of its word, a store down to the last store. Accesses in between must be to other memory: the pass
// sees this from the indices, or adds a check before the nest.

// A channel identifies the words that a load or store is a part of.
type channel struct {
	group, part, stride, every int
	from                       lir.Kind
	on, strides                lir.Value
}

// A combiner combines the loads and stores of a nest.
type combiner struct {
	l      *lowering
	n      *lir.Nest
	groups map[[2]int]int // pointers to words, by the pointer to the numbers and the size of a word in bytes
	before []lir.Node     // constants for the beginning of the nest
	moving map[int]string // the steps of each pointer in loops
	asks   []string       // Go for the checks before the nest
	did    bool
}

// words combines the loads and stores of the nest, and reports whether it has combined any.
func (l *lowering) words() bool {
	c := &combiner{l: l, n: l.n, groups: map[[2]int]int{}, moving: map[int]string{}}
	c.movements(c.n.Body)
	body := lir.MapBlocks(c.n.Body, func(block []*lir.Instr) []*lir.Instr { return c.stores(c.loads(block)) })
	c.n.Body = append(c.before, body...)
	for _, ask := range c.asks {
		l.checkApart(ask)
	}
	if len(c.groups) > 0 {
		c.steps(c.n.Body)
	}
	return c.did
}

// movements records the steps of pointers in loops.
func (c *combiner) movements(list []lir.Node) {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			for _, s := range x.Steps {
				c.moving[s.Group] += fmt.Sprintf("%p %d %d ", x, s.Const, s.Off)
			}
			c.movements(x.Head)
			c.movements(x.Body)
		case *lir.When:
			c.movements(x.Then)
			c.movements(x.Else)
		}
	}
}

// steps gives pointers to words the steps of the pointers that they stand for.
func (c *combiner) steps(list []lir.Node) {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			for _, s := range slices.Clone(x.Steps) {
				for of, g := range c.groups {
					if of[0] == s.Group {
						s := s
						s.Group = g
						x.Steps = append(x.Steps, s)
					}
				}
			}
			slices.SortFunc(x.Steps, func(a, b lir.Step) int { return cmp.Compare(a.Group, b.Group) })
			c.steps(x.Head)
			c.steps(x.Body)
		case *lir.When:
			c.steps(x.Then)
			c.steps(x.Else)
		}
	}
}

// A packed is a word, with the places of its loads or stores in the block by their place in the word.
// Several loads may be of one place.
type packed struct {
	of    channel
	disp  int // of the first place, in bytes
	parts [][]int
}

// wordsOf returns the words that the loads or stores of a block are parts of.
func (c *combiner) wordsOf(block []*lir.Instr, op lir.Op) (list []packed) {
	found := map[channel][]int{}
	var order []channel
	for k, i := range block {
		if i.Op != op || i.From == lir.None || i.Kind.Size() != 4 || i.Imm != 0 || i.Every < 2 || i.Every*i.From.Size() != 2 && i.Every*i.From.Size() != 4 ||
			c.n.Groups[i.Mem.Group].Frame || c.n.Groups[i.Mem.Group].Row != nil {
			continue
		}
		of := channel{i.Mem.Group, i.Mem.Part, i.Mem.Stride, i.Every, i.From, i.On, i.X}
		if op == lir.Scatter {
			of.strides = i.Y
		}
		if found[of] == nil {
			order = append(order, of)
		}
		found[of] = append(found[of], k)
	}
	for _, of := range order {
		places := found[of]
		slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(block[a].Mem.Disp, block[b].Mem.Disp) })
		size := of.from.Size()
		for len(places) > 0 {
			w := packed{of: of, disp: block[places[0]].Mem.Disp, parts: make([][]int, of.every)}
			for len(places) > 0 {
				number := (block[places[0]].Mem.Disp - w.disp) / size
				if number >= of.every {
					break
				}
				w.parts[number] = append(w.parts[number], places[0])
				places = places[1:]
			}
			list = append(list, w)
		}
	}
	return list
}

// loads combines the loads of a block, at the first load of each word.
func (c *combiner) loads(block []*lir.Instr) []*lir.Instr {
	before, instead := map[int]*lir.Instr{}, map[int][]*lir.Instr{}
	for _, w := range c.wordsOf(block, lir.Gather) {
		if w.parts[0] == nil || w.parts[w.of.every-1] == nil {
			continue // the last word may end behind the slice
		}
		places := slices.Sorted(slices.Values(slices.Concat(w.parts...)))
		first, last := places[0], places[len(places)-1]
		if before[first] != nil || c.assigned(block[first:last], w.of.on) || !c.moves(block, first, places, func(k int) (from, to int) { return first, k }) {
			continue
		}
		bytes, bits := w.of.every*w.of.from.Size(), 8*w.of.from.Size()
		load := &lir.Instr{Op: lir.Load, Kind: lir.I32, On: w.of.on, Mem: lir.Mem{Group: c.group(w.of.group, bytes), Disp: w.disp, Part: w.of.part}}
		if bytes == 2 {
			load.From = lir.U16
		}
		load.Dst = c.n.New(lir.I32)
		before[first] = load
		for number, places := range w.parts {
			for _, k := range places {
				instead[k] = c.number(block[k], load.Dst, number*bits, bits)
			}
		}
	}
	if len(before) == 0 {
		return block
	}
	c.did = true
	var out []*lir.Instr
	for k, i := range block {
		if before[k] != nil {
			out = append(out, before[k])
		}
		if instead[k] != nil {
			out = append(out, instead[k]...)
		} else {
			out = append(out, i)
		}
	}
	return out
}

// number returns the instructions that extract from a word the number that i loads.
func (c *combiner) number(i *lir.Instr, word lir.Value, at, bits int) (list []*lir.Instr) {
	do := func(x lir.Instr) lir.Value {
		x.Dst = c.n.New(x.Kind)
		list = append(list, &x)
		return x.Dst
	}
	v := word
	switch {
	case i.From == lir.I8 || i.From == lir.I16:
		if left := 32 - bits - at; left > 0 {
			v = do(lir.Instr{Op: lir.Shl, Kind: lir.I32, X: v, Imm: uint64(left)})
		}
		do(lir.Instr{Op: lir.Shr, Kind: lir.I32, X: v, Imm: uint64(32 - bits)})
	default:
		if at > 0 {
			v = do(lir.Instr{Op: lir.Shr, Kind: lir.I32, X: v, Imm: uint64(at)})
		}
		do(lir.Instr{Op: lir.And, Kind: lir.I32, X: v, Y: c.constant(1<<bits-1, do)})
	}
	list[len(list)-1].Dst = i.Dst
	return list
}

// constant returns a constant. It is defined at the beginning of the nest, or by do in late forms.
func (c *combiner) constant(n uint64, do func(lir.Instr) lir.Value) lir.Value {
	if c.l.late {
		return do(lir.Instr{Op: lir.Const, Kind: lir.I32, Imm: n})
	}
	k := len(c.l.first)
	v := c.l.once(fmt.Sprint("c", n, lir.I32), lir.I32, lir.Instr{Op: lir.Const, Imm: n})[0]
	for _, i := range c.l.first[k:] {
		c.before = append(c.before, i)
	}
	return v
}

// stores combines the stores of a block, at the last store of each word.
func (c *combiner) stores(block []*lir.Instr) []*lir.Instr {
	instead, gone := map[int][]*lir.Instr{}, map[int]bool{}
	for _, w := range c.wordsOf(block, lir.Scatter) {
		if slices.ContainsFunc(w.parts, func(places []int) bool { return len(places) != 1 }) {
			continue
		}
		places := slices.Sorted(slices.Values(slices.Concat(w.parts...)))
		first, last := places[0], places[len(places)-1]
		values := []lir.Value{w.of.on}
		for _, k := range places {
			values = append(values, block[k].X)
		}
		if c.assigned(block[first:last], values...) || !c.moves(block, last, places, func(k int) (from, to int) { return k, last }) {
			continue
		}
		bytes, bits := w.of.every*w.of.from.Size(), 8*w.of.from.Size()
		var list []*lir.Instr
		do := func(x lir.Instr) lir.Value {
			x.Kind, x.Dst = lir.I32, c.n.New(lir.I32)
			list = append(list, &x)
			return x.Dst
		}
		all := lir.Value(0)
		for number, places := range w.parts {
			v := block[places[0]].X
			if number < w.of.every-1 || bytes < 4 { // the shift drops the high bits of the last number
				v = do(lir.Instr{Op: lir.And, X: v, Y: c.constant(1<<bits-1, do)})
			}
			if number > 0 {
				v = do(lir.Instr{Op: lir.Shl, X: v, Imm: uint64(number * bits)})
			}
			if all != 0 {
				v = do(lir.Instr{Op: lir.Or, X: all, Y: v})
			}
			all = v
		}
		store := &lir.Instr{Op: lir.Store, Kind: lir.I32, X: all, On: w.of.on, Mem: lir.Mem{Group: c.group(w.of.group, bytes), Disp: w.disp, Part: w.of.part}}
		if bytes == 2 {
			store.From = lir.U16
		}
		instead[last] = append(list, store)
		for _, k := range places {
			gone[k] = true
		}
	}
	if len(instead) == 0 {
		return block
	}
	c.did = true
	var out []*lir.Instr
	for k, i := range block {
		out = append(out, instead[k]...)
		if !gone[k] {
			out = append(out, i)
		}
	}
	return out
}

// assigned reports whether the block assigns one of values.
func (c *combiner) assigned(block []*lir.Instr, values ...lir.Value) bool {
	return slices.ContainsFunc(block, func(i *lir.Instr) bool { return i.Dst != 0 && slices.Contains(values, i.Dst) })
}

// group returns the pointer to words of size bytes that stands for pointer of.
func (c *combiner) group(of, bytes int) int {
	key := [2]int{of, bytes}
	if _, known := c.groups[key]; !known {
		g := c.n.Groups[of]
		c.n.Groups = append(c.n.Groups, lir.Group{Base: g.Base, Off: g.Off, Size: bytes})
		c.groups[key] = len(c.n.Groups) - 1
	}
	return c.groups[key]
}

// moves reports whether the accesses at places may move to place to, past the instructions in span. It
// records the checks that this needs.
func (c *combiner) moves(block []*lir.Instr, to int, places []int, span func(k int) (from, to int)) bool {
	var asks []string
	for _, k := range places {
		from, last := span(k)
		for j := from; j < last; j++ {
			i := block[j]
			if j == k || j == to || !i.InMemory() || !i.Stores() && !block[k].Stores() || slices.Contains(places, j) {
				continue
			}
			ask, ok := c.apart(i, block[k])
			if !ok {
				return false
			}
			if ask != "" && !slices.Contains(asks, ask) {
				asks = append(asks, ask)
			}
		}
	}
	for _, ask := range asks {
		if !slices.Contains(c.asks, ask) {
			c.asks = append(c.asks, ask)
		}
	}
	return true
}

// apart reports whether two accesses are to different memory, provided that a check holds before the
// nest. ask is Go for that check, or "".
func (c *combiner) apart(a, b *lir.Instr) (ask string, ok bool) {
	if a.Op == lir.Atomic || b.Op == lir.Atomic {
		return "", false
	}
	g, h := c.n.Groups[a.Mem.Group], c.n.Groups[b.Mem.Group]
	if g.Frame || h.Frame {
		return "", g.Frame != h.Frame
	}
	// Different places in words with the same beginnings never overlap, whatever the threads.
	together := g.Off == h.Off && c.moving[a.Mem.Group] == c.moving[b.Mem.Group] && g.Stride == 0 && h.Stride == 0 && a.Mem.Stride == b.Mem.Stride && a.Every == b.Every && a.Every > 0 && a.From == b.From &&
		(a.Mem.Disp-b.Mem.Disp)%(a.Every*a.From.Size()) != 0
	if g.Base == h.Base {
		return "", together && g.Row == nil
	}
	s, t := c.l.sliceOf(c.n, a), c.l.sliceOf(c.n, b)
	if s > t {
		s, t = t, s
	}
	if together {
		return fmt.Sprintf("%s.ApartOrSame(%s, %s)", c.l.b.rt(), s, t), true
	}
	return c.l.apartText(c.l.b, s, t), true
}
