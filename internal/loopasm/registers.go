package loopasm

import (
	"cmp"
	"math"
	"slices"
)

// A step makes a value, or stores one.
type step struct {
	v    *value
	st   *store
	fold *value // the argument that is a load, done by the same instruction
}

// schedule returns the steps of a round. A value is made right before what needs it first, with what it needs before it,
// and a load is part of the instruction that uses it if that is the only one. No load passes a store.
func (p *program) schedule() []*step {
	var list []*step
	made := map[*value]bool{}
	var emit func(v *value)
	emit = func(v *value) {
		if made[v] {
			return
		}
		made[v] = true
		if v.op == opInput || v.op == opConst {
			return
		}
		s := &step{v: v}
		for k, a := range v.args {
			if s.fold == nil && a.op == opLoad && a.uses == 1 && !made[a] && v.takesMemory(k) {
				s.fold = a
				made[a] = true
			} else {
				emit(a)
			}
		}
		list = append(list, s)
	}
	for i := range p.stores {
		st := &p.stores[i]
		emit(st.v)
		for _, v := range p.values {
			if (v.op == opLoad || v.op == opSplat) && v.uses > 0 && v.seq < st.seq {
				emit(v)
			}
		}
		list = append(list, &step{st: st})
	}
	for _, c := range p.carried {
		emit(c.last)
	}
	return list
}

// order returns the arguments of an instruction with two, besides its result, in Intel's order, of which the second may be in memory, and whether
// they can change places.
func (v *value) order() (first, second int, swap bool) {
	switch v.op {
	case opAdd, opMul, opAnd, opOr, opXor, opEqual, opMin, opMax:
		return 0, 1, true
	case opBlend, opAlign, opPermute, opPick:
		return 1, 0, false
	}
	return 0, 1, false
}

// takesMemory reports whether the instruction that makes v can take its k-th argument from memory.
func (v *value) takesMemory(k int) bool {
	if len(v.args) == 1 || v.op == opFMA {
		return true
	}
	_, second, swap := v.order()
	return k == second || swap && k < 2
}

// registers is how many there are.
const registers = 16

// A place is a register, if reg is not negative, or memory.
type place struct {
	reg int
	mem memory
}

// memory is an address: slot or constant is set, or a load's.
type memory struct {
	slot   int // on the stack, from 1 on
	number *value
	load   *value
}

// An instruction is what is printed: the operands as in Intel's manuals, the result first.
type instruction struct {
	name string
	ops  []place
	imm  int // behind the operands, if it is not negative
}

// A code is a program with registers.
type code struct {
	body   []instruction
	pinned map[*value]int // inputs that stay in registers
	homes  []place        // of carried variables
	slots  int
	cost   float64
	inMem  map[*value]int // the slots of inputs
}

// allocate returns the cheapest code that is found with so many registers, or another one that choose prefers, or nil.
func (p *program) allocate(registers int, choose func([]*code) *code) *code {
	steps := p.schedule()
	// What is used most should stay in registers.
	uses := map[*value]int{}
	for _, s := range steps {
		if s.v != nil {
			for _, a := range s.v.args {
				if a.op == opInput || a.op == opConst {
					uses[a]++
				}
			}
		}
	}
	for _, c := range p.carried {
		delete(uses, c.first)
	}
	var keep []*value
	for _, v := range p.values {
		if uses[v] > 0 {
			keep = append(keep, v)
		}
	}
	slices.SortStableFunc(keep, func(a, b *value) int { return cmp.Compare(uses[b], uses[a]) })
	var found []*code
	for homes := min(len(p.carried), registers); homes >= 0; homes-- {
		for pins := min(len(keep), registers-homes); pins >= 0; pins-- {
			if c := p.try(steps, registers, homes, keep[:pins]); c != nil {
				found = append(found, c)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	if choose != nil {
		return choose(found)
	}
	return slices.MinFunc(found, func(a, b *code) int { return cmp.Compare(a.cost, b.cost) })
}

// An allocator gives registers to the values of a round.
type allocator struct {
	*program
	*code
	steps []*step
	now   int

	registers int
	owner     [registers]*value
	fixed     [registers]bool // pinned, or the home of a carried variable
	next      map[*value][]int
	where     map[*value]int // registers, from 1 on
	slot      map[*value]int // where it is on the stack, from 1 on
	home      map[*value]int // of what carried variables end with: the register, from 1 on
	stored    []bool         // carried variables that are on the stack as they end
	locked    []int
	failed    bool
}

// mostSlots is how many vectors a func may have on the stack, of the 792 bytes that the linker lets one have that does not look whether
// the stack is large enough: a func that does can be stopped there, and the pointers that it is called with may
// point behind what they belong to, where the garbage collector takes offence.
const mostSlots = 23

// forever is later than any step.
const forever = math.MaxInt

// try returns the code with so many registers, the first carried variables in some of them, and the given inputs and constants.
func (p *program) try(steps []*step, registers, homes int, pins []*value) *code {
	a := &allocator{registers: registers, program: p, code: &code{pinned: map[*value]int{}, inMem: map[*value]int{}}, steps: steps,
		next: map[*value][]int{}, where: map[*value]int{}, slot: map[*value]int{}, home: map[*value]int{}}
	for i, s := range steps {
		if s.st != nil {
			a.next[s.st.v] = append(a.next[s.st.v], i)
			continue
		}
		for _, x := range s.v.args {
			if x != s.fold {
				a.next[x] = append(a.next[x], i)
			}
		}
	}
	reg := 0
	a.stored = make([]bool, len(p.carried))
	for k, c := range p.carried {
		a.next[c.last] = append(a.next[c.last], len(steps))
		if k < homes {
			a.homes = append(a.homes, place{reg: reg})
			a.put(c.first, reg)
			a.fixed[reg] = true
			if a.home[c.last] == 0 {
				a.home[c.last] = reg + 1
			}
			reg++
			continue
		}
		a.slots++
		a.homes = append(a.homes, place{reg: -1, mem: memory{slot: a.slots}})
		a.slot[c.first] = a.slots
	}
	for _, v := range pins {
		a.pinned[v] = reg
		a.put(v, reg)
		a.fixed[reg] = true
		reg++
	}
	for _, v := range p.inputs {
		if _, ok := a.pinned[v]; !ok && len(a.next[v]) > 0 {
			a.slots++
			a.slot[v], a.inMem[v] = a.slots, a.slots
		}
	}
	for a.now = range steps {
		a.step(steps[a.now])
		a.locked = nil
		a.bringHome(steps[a.now].v)
		if a.failed {
			return nil
		}
	}
	a.now = len(steps)
	a.end()
	if a.failed || a.slots > mostSlots {
		return nil
	}
	for _, i := range a.body {
		a.cost++
		for _, o := range i.ops {
			if o.reg < 0 && o.mem.load == nil {
				a.cost += 0.25
			}
		}
	}
	return a.code
}

func (a *allocator) put(v *value, reg int) {
	a.owner[reg] = v
	a.where[v] = reg + 1
}

// left returns the next step that uses v, now or later.
func (a *allocator) left(v *value) int {
	for len(a.next[v]) > 0 && a.next[v][0] < a.now {
		a.next[v] = a.next[v][1:]
	}
	if len(a.next[v]) == 0 {
		return forever
	}
	return a.next[v][0]
}

// dies reports whether nothing after this step uses v.
func (a *allocator) dies(v *value) bool {
	uses := a.next[v]
	return len(uses) == 0 || uses[len(uses)-1] <= a.now
}

// mem returns where v is in memory, if it is.
func (a *allocator) mem(v *value) (memory, bool) {
	switch {
	case a.slot[v] > 0:
		return memory{slot: a.slot[v]}, true
	case v.op == opConst:
		return memory{number: v}, true
	}
	return memory{}, false
}

// at returns where v is, in a register rather than in memory.
func (a *allocator) at(v *value, s *step) place {
	if v == s.fold {
		return place{reg: -1, mem: memory{load: v}}
	}
	if r := a.where[v]; r > 0 {
		a.locked = append(a.locked, r-1)
		return place{reg: r - 1}
	}
	m, ok := a.mem(v)
	if !ok {
		panic("a value that is nowhere")
	}
	return place{reg: -1, mem: m}
}

func (a *allocator) emit(name string, ops ...place) {
	a.body = append(a.body, instruction{name, ops, -1})
}

// free returns a register that nothing is in, or takes one from the value that is used last.
func (a *allocator) free() int {
	best, when := -1, -1
	for r := range a.registers {
		v := a.owner[r]
		if a.fixed[r] || slices.Contains(a.locked, r) {
			continue
		}
		if v == nil {
			best = r
			break
		}
		if n := a.left(v); n > when {
			best, when = r, n
		}
	}
	if best < 0 {
		a.failed = true
		return 0
	}
	if v := a.owner[best]; v != nil {
		if _, ok := a.mem(v); !ok && a.left(v) != forever {
			a.slots++
			a.slot[v] = a.slots
			a.emit("VMOVAPS", place{reg: -1, mem: memory{slot: a.slots}}, place{reg: best})
		}
		delete(a.where, v)
		a.owner[best] = nil
	}
	a.locked = append(a.locked, best)
	return best
}

// load brings an operand into a register.
func (a *allocator) load(v *value, o place) place {
	if o.reg >= 0 {
		return o
	}
	r := a.free()
	a.emit("VMOVUPS", place{reg: r}, o)
	if o.mem.load == nil {
		a.put(v, r)
	}
	return place{reg: r}
}

// release frees the registers of values that end here.
func (a *allocator) release(vs ...*value) {
	for _, v := range vs {
		if r := a.where[v]; r > 0 && a.dies(v) {
			if _, pinned := a.pinned[v]; !pinned {
				a.owner[r-1] = nil
				delete(a.where, v)
			}
		}
	}
}

// result gives v a register: that where it belongs at the end of the round, if that is free, or another.
func (a *allocator) result(v *value) int {
	r := -1
	if h := a.home[v]; h > 0 && a.owner[h-1] == nil {
		r = h - 1
	} else {
		a.locked = nil // the operands have been read when the result is written
		r = a.free()
	}
	a.put(v, r)
	return r
}

func (a *allocator) step(s *step) {
	if s.st != nil {
		o := a.load(s.st.v, a.at(s.st.v, s))
		a.emit("VMOVUPS", place{reg: -1, mem: memory{load: &value{at: s.st.at}}}, o)
		a.release(s.st.v)
		return
	}
	v := s.v
	switch v.op {
	case opZero:
		r := a.result(v)
		a.emit("VXORPS", place{reg: r}, place{reg: r}, place{reg: r})
	case opLoad:
		r := a.result(v)
		a.emit("VMOVUPS", place{reg: r}, place{reg: -1, mem: memory{load: v}})
	case opSplat:
		r := a.result(v)
		a.emit(mnemonic(v), place{reg: r}, place{reg: -1, mem: memory{load: v}})
	case opFMA:
		a.fma(s)
	case opSqrt, opRSqrt, opFloat, opRound, opPermil:
		o := a.at(v.args[0], s)
		a.release(v.args...)
		r := a.result(v)
		a.emit(mnemonic(v), place{reg: r}, o)
		a.immediate(v)
	default:
		a.binary(s)
	}
}

// immediate puts the constant of v into the last instruction, if it has one.
func (a *allocator) immediate(v *value) {
	switch v.op {
	case opRound, opPermil, opBlend, opAlign, opHalves, opCmp:
		a.body[len(a.body)-1].imm = v.imm
	}
}

func (a *allocator) binary(s *step) {
	v := s.v
	first, second, swap := v.order()
	x, y := a.at(v.args[first], s), a.at(v.args[second], s)
	if x.reg < 0 && y.reg >= 0 && swap {
		x, y = y, x
	} else {
		x = a.load(v.args[first], x)
	}
	if v.args[first] == v.args[second] {
		y = x
	}
	ops := []place{{}, x, y}
	if v.op == opPick {
		ops = append(ops, a.load(v.args[2], a.at(v.args[2], s)))
	}
	a.release(v.args...)
	ops[0] = place{reg: a.result(v)}
	a.emit(mnemonic(v), ops...)
	a.immediate(v)
}

// fma chooses the form of a fused multiply-add: of its three operands one is overwritten, and one may be in memory.
func (a *allocator) fma(s *step) {
	v := s.v
	o := [3]place{a.at(v.args[0], s), a.at(v.args[1], s), a.at(v.args[2], s)}
	for k := range o {
		for j := range k {
			if v.args[j] == v.args[k] && o[k].reg < 0 && o[j].reg < 0 {
				o[j] = a.load(v.args[j], o[j])
				o[k] = o[j]
			}
		}
	}
	// Two in memory: all but the last are loaded.
	for k := range o {
		rest := 0
		for j := k + 1; j < 3; j++ {
			if o[j].reg < 0 {
				rest++
			}
		}
		if o[k].reg < 0 && rest > 0 {
			o[k] = a.load(v.args[k], o[k])
		}
	}
	over := -1
	better := func(k int) bool {
		x := v.args[k]
		if o[k].reg < 0 || !a.dies(x) {
			return false
		}
		if _, pinned := a.pinned[x]; pinned {
			return false
		}
		if count(v.args, x) > 1 {
			return false // it is a factor of itself
		}
		if a.fixed[o[k].reg] && a.home[v] != o[k].reg+1 {
			return false // the home of something else
		}
		return over < 0 || a.home[v] == o[k].reg+1
	}
	for _, k := range []int{2, 0, 1} {
		if better(k) {
			over = k
		}
	}
	var r int
	if over >= 0 {
		r = o[over].reg
		a.release(v.args...)
		a.put(v, r)
	} else {
		// One is copied first.
		over = 2
		for k := range o {
			if o[k].reg < 0 {
				over = k
			}
		}
		if h := a.home[v]; h > 0 && a.owner[h-1] == nil {
			r = h - 1
		} else {
			r = a.free()
		}
		move := "VMOVAPS"
		if o[over].reg < 0 {
			move = "VMOVUPS"
		}
		a.emit(move, place{reg: r}, o[over])
		a.release(v.args...)
		a.put(v, r)
	}
	x, y, z := o[0], o[1], o[2]
	form, second, third := "231", x, y
	switch over {
	case 2:
		if x.reg < 0 {
			second, third = y, x
		}
	case 1:
		x, y = y, x
		fallthrough
	case 0:
		// The first is overwritten, y is the other factor.
		form, second, third = "213", y, z
		if y.reg < 0 {
			form, second, third = "132", z, y
		}
	}
	suffix := "PS"
	if v.kind.size() == 8 {
		suffix = "PD"
	}
	a.emit("VFMADD"+form+suffix, place{reg: r}, second, third)
}

func count(list []*value, x *value) int {
	n := 0
	for _, y := range list {
		if y == x {
			n++
		}
	}
	return n
}

// end moves what carried variables end with to where the next round looks for it.
func (a *allocator) end() {
	type move struct {
		from place
		to   int
	}
	for k, c := range a.carried {
		if c.last != c.first && a.isFirst(c.last) && a.where[c.last] == 0 {
			a.failed = true // what another one on the stack began with, and may not be any more
			return
		}
		if h := a.homes[k]; h.reg < 0 && !a.stored[k] && c.last != c.first {
			a.locked = nil
			a.emit("VMOVAPS", h, a.load(c.last, a.at(c.last, &step{})))
		}
	}
	// These come when nothing takes registers any more.
	var moves []move
	for k, c := range a.carried {
		if h := a.homes[k]; h.reg >= 0 {
			if c.last != c.first && a.isFirst(c.last) && a.where[c.last] == 0 {
				a.failed = true // as above: storing others may have taken its register
				return
			}
			if o := a.at(c.last, &step{}); o.reg != h.reg {
				moves = append(moves, move{o, h.reg})
			}
		}
	}
	// Those whose target nobody reads come first.
	for len(moves) > 0 {
		at := slices.IndexFunc(moves, func(m move) bool {
			return !slices.ContainsFunc(moves, func(n move) bool { return n.from.reg == m.to })
		})
		if at < 0 {
			// A ring: one of them goes to another register first.
			r := a.free()
			if a.failed {
				return
			}
			a.emit("VMOVAPS", place{reg: r}, moves[0].from)
			moves[0].from = place{reg: r}
			continue
		}
		m := moves[at]
		name := "VMOVAPS"
		if m.from.reg < 0 {
			name = "VMOVUPS"
		}
		a.emit(name, place{reg: m.to}, m.from)
		moves = slices.Delete(moves, at, at+1)
	}
}

// bringHome stores v where it belongs at the end of the round, if that is on the stack and nobody wants what is there any more.
func (a *allocator) bringHome(v *value) {
	if v == nil {
		return
	}
	for k, c := range a.carried {
		if c.last != v || a.homes[k].reg >= 0 || !a.dies(c.first) || slices.ContainsFunc(a.carried, func(d *carried) bool { return d.last == c.first }) {
			continue
		}
		a.emit("VMOVAPS", a.homes[k], place{reg: a.where[v] - 1})
		a.stored[k] = true
		uses := a.next[v]
		at := slices.Index(uses, len(a.steps))
		a.next[v] = slices.Delete(slices.Clone(uses), at, at+1)
		if a.slot[v] == 0 {
			a.slot[v] = a.homes[k].mem.slot
		}
	}
	a.release(v)
}

// isFirst reports whether a carried variable begins the round with v.
func (a *allocator) isFirst(v *value) bool {
	return slices.ContainsFunc(a.carried, func(c *carried) bool { return c.first == v })
}

// names are the instructions for floats and masks, for which PS or PD follows, and for integers, for which D or Q does.
var names = map[op][2]string{
	opSplat: {"VBROADCAST", "VPBROADCAST"},
	opAdd:   {"VADD", "VPADD"},
	opSub:   {"VSUB", "VPSUB"},
	opMul:   {"VMUL", "VPMULL"},
	opDiv:   {"VDIV", ""},
	opSqrt:  {"VSQRT", ""},
	opRSqrt: {"VRSQRT", ""},
	opRound: {"VROUND", ""},
	opCmp:   {"VCMP", ""},
	opEqual: {"", "VPCMPEQ"},
	opMore:  {"", "VPCMPGT"},
	opShl:   {"", "VPSLLV"},
}

// whole are those that are the same for all sizes, of floats and of integers.
var whole = map[op][2]string{
	opAnd:    {"VANDPS", "VPAND"},
	opOr:     {"VORPS", "VPOR"},
	opXor:    {"VXORPS", "VPXOR"},
	opHalves: {"VPERM2F128", "VPERM2I128"},
	opAlign:  {"VPALIGNR", "VPALIGNR"},
	opFloat:  {"VCVTDQ2PS", ""},
}

// mnemonic returns the name of the instruction that makes v.
func mnemonic(v *value) string {
	k := v.kind
	switch v.op {
	case opEqual, opMore: // a mask of integers
		k = v.args[0].kind
	}
	column, suffix := 0, [2]string{"PS", "D"}
	if k.size() == 8 {
		suffix = [2]string{"PD", "Q"}
	}
	if !k.float() {
		column = 1
	}
	unsigned := k[0] == 'U'
	switch v.op {
	case opSplat:
		if column == 0 {
			return "VBROADCASTS" + suffix[0][1:]
		}
	case opBlend:
		if column == 1 && k.size() == 4 {
			return "VPBLENDD"
		}
		return "VBLEND" + suffix[0]
	case opPick:
		return "VBLENDV" + suffix[0]
	case opPermil:
		return [2]string{"VPERMILPS", "VPSHUFD"}[column]
	case opPermute:
		return [2]string{"VPERMPS", "VPERMD"}[column]
	case opMin, opMax:
		name := map[op]string{opMin: "VPMIN", opMax: "VPMAX"}[v.op]
		return name + map[bool]string{false: "S", true: "U"}[unsigned] + "D"
	case opShr:
		if unsigned {
			return "VPSRLV" + suffix[1]
		}
		return "VPSRAVD"
	}
	if n, ok := whole[v.op]; ok && n[column] != "" {
		return n[column]
	}
	if n, ok := names[v.op]; ok && n[column] != "" {
		return n[column] + suffix[column]
	}
	panic("an operation without an instruction: " + string(v.op))
}
