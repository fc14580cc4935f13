// Package asm prints nests as Go assembly for amd64, with AVX2 or AVX-512.
package asm

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// A Machine is a set of vector instructions.
type Machine struct {
	Name    string
	Bytes   int // of a register
	vectors int // registers that values may have
	masks   int // and masks; none if these are vectors
	reg     string
}

// One vector and one mask register are left for the steps of an operation.
var (
	AVX512 = &Machine{"AVX512", 64, 31, 6, "Z"}
	AVX2   = &Machine{"AVX2", 32, 15, 0, "Y"}
)

// Lanes returns how many elements of so many bytes a vector has.
func (m *Machine) Lanes(size int) int { return m.Bytes / size }

// A File collects the funcs of a package, and the constants that they share.
type File struct {
	text   strings.Builder
	consts map[string]string // data directives by name
}

// Empty reports whether there is no func.
func (f *File) Empty() bool { return f.text.Len() == 0 }

// String returns the text of the file, without its head.
func (f *File) String() string {
	var out strings.Builder
	out.WriteString("#include \"textflag.h\"\n")
	for _, name := range slices.Sorted(maps.Keys(f.consts)) {
		out.WriteString("\n" + f.consts[name])
	}
	out.WriteString(f.text.String())
	return out.String()
}

// errMissing says that a machine lacks an instruction.
var errMissing = errors.New("an operation that the machine has no instruction for")

// Func adds a func of a row. It has the address of its arguments as argument; the first of them is how many threads the row has. A strip takes
// the first of forms that fits: one that is for threads inside of others alone, for strips of so many whole vectors; such strips wherever they are; and at
// last one vector of which some lanes may be off.
func (f *File) Func(name string, m *Machine, forms ...*lir.Nest) error {
	e := &emitter{File: f, Machine: m, name: name}
	e.line("MOVQ a+0(FP), AX")
	e.line("XORL DX, DX")
	tail := forms[len(forms)-1]
	if tail.Fails() {
		e.line("MOVQ $%d, %d(SP)", mostRounds, budgetAt)
	}
	lanes := m.Lanes(tail.Size)
	e.line("JMP next")
	choice := &emitter{}
	for i, n := range forms {
		e.label(fmt.Sprintf("form%d", i))
		if err := e.nest(n); err != nil {
			return err
		}
		e.line("ADDQ $%d, DX", lanes*n.Parts)
		if i+1 < len(forms) {
			e.line("JMP next")
		}
		switch {
		case n == tail:
			choice.line("CMPQ DX, 0(AX)")
			choice.line("JLT form%d", i)
			continue
		case n.Inside != [2]int{}:
			choice.line("CMPQ DX, %d(AX)", n.Inside[0])
			choice.line("JLT other%d", i)
			choice.line("LEAQ %d(DX), BX", lanes*n.Parts)
			choice.line("CMPQ BX, %d(AX)", n.Inside[1])
		default:
			choice.line("LEAQ %d(DX), BX", lanes*n.Parts)
			choice.line("CMPQ BX, 0(AX)")
		}
		choice.line("JLE form%d", i)
		choice.label(fmt.Sprintf("other%d", i))
	}
	e.label("next")
	e.out.WriteString(choice.out.String())
	e.line("VZEROUPPER")
	result := 0
	if tail.Fails() {
		result = 8
		e.frame = max(e.frame, slotsBegin)
		e.line("MOVQ 0(AX), DX")
		e.line("MOVQ DX, ret+8(FP)")
		e.line("RET")
		e.label("fail")
		e.line("VZEROUPPER")
		e.line("MOVQ DX, ret+8(FP)")
	}
	e.line("RET")
	if e.most > mostSlots {
		return errRegisters
	}
	flags := "NOSPLIT"
	if e.frame > 128 { // a func that does not look whether its stack is large enough has few bytes
		flags = "0"
	}
	fmt.Fprintf(&f.text, "\n// func %s(a *%sArgs)\nTEXT ·%s(SB), %s, $%d-%d\n%s", name, strings.TrimSuffix(name, m.Name), name, flags, e.frame, 8+result, e.out.String())
	return nil
}

// pool is the registers for pointers and counters. AX has the arguments, DX the thread in the row, and BX is for addresses.
var pool = []string{"CX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13", "R15", "R14"}

type emitter struct {
	*File
	*Machine
	name   string
	out    strings.Builder
	n      *lir.Nest
	at     map[lir.Value]int
	labels int
	frame  int // bytes
	slots  int // places in it that are taken
	most   int // and were at the same time
	free   []string
	ptr    map[int]string // registers of pointers
	round  map[*lir.Loop]string
	counts map[*lir.Loop]bool // the loops whose rounds are terms
}

func (e *emitter) line(format string, args ...any) {
	fmt.Fprintf(&e.out, "\t"+format+"\n", args...)
}

func (e *emitter) label(name string) { fmt.Fprintf(&e.out, "%s:\n", name) }

func (e *emitter) newLabel() string {
	e.labels++
	return fmt.Sprintf("l%d", e.labels)
}

// nest prints one strip.
func (e *emitter) nest(n *lir.Nest) error {
	// Behind the tiles there is room for values without a register.
	base := TilesBegin
	if n.Tiles > 0 {
		base += n.Tiles + 64 // they begin at a cache line
		e.frame = max(e.frame, base)
	}
	at, bytes, err := allocateSpilling(n, e.vectors, e.masks, base)
	if err != nil {
		return err
	}
	if bytes > 0 {
		e.frame = max(e.frame, base+bytes)
	}
	e.n, e.at, e.free, e.ptr = n, at, slices.Clone(pool), map[int]string{}
	e.round, e.counts = map[*lir.Loop]string{}, lir.Counted(n.Body)
	slices.Reverse(e.free)
	if n.Lanes != 0 {
		e.line("MOVQ 0(AX), BX")
		e.line("SUBQ DX, BX")
		e.below(e.reg(n.Lanes))
	}
	// Pointers outside loops have registers if the loops leave some.
	var top []int
	for g := range n.Groups {
		if usedAt(n.Body, g, false) { // not those of loops alone
			top = append(top, g)
		}
	}
	if len(top)+e.need(n.Body) <= len(pool) {
		for _, g := range top {
			e.ptr[g] = e.take()
			e.begin(g, e.ptr[g])
		}
	}
	return e.list(n.Body)
}

// usedAt reports whether list has accesses by the pointer g; those in loops count if deep.
func usedAt(list []lir.Node, g int, deep bool) bool {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if x.InMemory() && x.Mem.Group == g {
				return true
			}
		case *lir.Loop:
			if deep && (usedAt(x.Head, g, deep) || usedAt(x.Body, g, deep)) {
				return true
			}
		case *lir.When:
			if usedAt(x.Then, g, deep) || usedAt(x.Else, g, deep) {
				return true
			}
		}
	}
	return false
}

// need is how many registers the loops in list take at most.
func (e *emitter) need(list []lir.Node) int {
	most := 0
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			seen := map[int]bool{}
			for g := range e.n.Groups {
				if usedAt(x.Head, g, false) || usedAt(x.Body, g, false) {
					seen[g] = true
				}
			}
			own := 1
			if e.counts[x] && len(x.Trips.Terms) > 0 {
				own = 2
			}
			most = max(most, own+len(seen)+max(e.need(x.Head), e.need(x.Body)))
		case *lir.When:
			most = max(most, e.need(x.Then), e.need(x.Else))
		}
	}
	return most
}

func (e *emitter) take() string {
	last := len(e.free) - 1
	if last < 0 {
		return ""
	}
	r := e.free[last]
	e.free = e.free[:last]
	return r
}

// begin prints what makes register r the pointer g at its beginning.
func (e *emitter) begin(g int, r string) {
	if e.n.Groups[g].Frame {
		e.framed(e.n.Groups[g].Off, r)
		return
	}
	e.line("MOVQ %d(AX), %s", e.n.Groups[g].Base, r)
	e.line("ADDQ %d(AX), %s", e.n.Groups[g].Off, r)
}

// framed prints what makes register r a place in the frame, which is the beginning of a cache line if the offset is.
func (e *emitter) framed(off int, r string) {
	e.line("LEAQ %d(SP), %s", off+63, r)
	e.line("ANDQ $-64, %s", r)
}

func (e *emitter) list(list []lir.Node) error {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if err := e.instr(x); err != nil {
				if err == errRegisters {
					return err // which of the instructions it is says nothing to the reader of the kernel
				}
				return fmt.Errorf("%v: %w", x, err)
			}
		case *lir.Loop:
			if err := e.loop(x); err != nil {
				return err
			}
		case *lir.When:
			otherwise, end := e.newLabel(), e.newLabel()
			for _, c := range x.Conds {
				if len(c.Terms) == 0 {
					e.line("CMPQ %d(AX), $0", c.Off)
				} else {
					if err := e.scalar(c, "BX"); err != nil {
						return err
					}
					e.line("TESTQ BX, BX")
				}
				e.line("JLE %s", otherwise)
			}
			if len(x.Any) > 0 {
				e.any(x.Any)
				e.line("JEQ %s", otherwise)
			}
			if err := e.list(x.Then); err != nil {
				return err
			}
			if len(x.Else) > 0 {
				e.line("JMP %s", end)
			}
			e.label(otherwise)
			if len(x.Else) > 0 {
				if err := e.list(x.Else); err != nil {
					return err
				}
				e.label(end)
			}
		}
	}
	return nil
}

// any sets the flags to whether no lane of masks is on.
func (e *emitter) any(masks []lir.Value) {
	all := e.reg(masks[0])
	for i, m := range masks[1:] {
		s := e.scratch()
		if e.masks > 0 {
			s = e.scratchMask()
			if i == len(masks)-2 {
				e.line("KORTESTW %s, %s", all, e.reg(m))
				return
			}
			e.line("KORW %s, %s, %s", all, e.reg(m), s)
		} else {
			e.line("VORPS %s, %s, %s", all, e.reg(m), s)
		}
		all = s
	}
	if e.masks > 0 {
		e.line("KORTESTW %s, %s", all, all)
	} else {
		e.line("VPTEST %s, %s", all, all)
	}
}

func (e *emitter) loop(l *lir.Loop) error {
	free, outer := slices.Clone(e.free), maps.Clone(e.ptr)
	defer func() { e.free, e.ptr = free, outer }()
	moves := map[int]lir.Step{}
	for _, s := range l.Steps {
		moves[s.Group] = s
	}
	var groups []int
	for g := range e.n.Groups {
		if usedAt(l.Head, g, true) || usedAt(l.Body, g, true) {
			groups = append(groups, g)
		}
	}
	top, end := e.newLabel(), e.newLabel()
	// Rounds are counted down to 0, or up to the limit if something asks for their number.
	count, limit, counted := "", fmt.Sprintf("%d(AX)", l.Trips.Off), e.counts[l]
	outermost := e.slots
	defer func() { e.slots = outermost }()
	if len(l.While) > 0 {
		if counted {
			if count = e.take(); count == "" {
				return errRegisters
			}
			e.line("XORL %s, %s", count, count)
			e.round[l] = count
		}
		counted = false
	} else if few := len(e.free) < fewFree; few && !counted && hasLoop(l.Body) {
		count = e.slot()
		if err := e.scalar(l.Trips, "BX"); err != nil {
			return err
		}
		e.line("TESTQ BX, BX")
		e.line("JLE %s", end)
		e.line("MOVQ BX, %s", count)
	} else {
		if count = e.take(); count == "" {
			return errRegisters
		}
		if err := e.scalar(l.Trips, count); err != nil {
			return err
		}
		e.line("TESTQ %s, %s", count, count)
		e.line("JLE %s", end)
	}
	if counted {
		if len(l.Trips.Terms) > 0 {
			if limit = e.take(); limit == "" {
				return errRegisters
			}
			e.line("MOVQ %s, %s", count, limit)
		}
		e.line("XORL %s, %s", count, count)
		e.round[l] = count
	}
	var saved []string // registers and where they are until the loop has ended
	for _, g := range groups {
		_, moving := moves[g]
		was := e.ptr[g]
		inFrame := strings.HasSuffix(was, "(SP)")
		if !usedAt(l.Head, g, false) && !usedAt(l.Body, g, false) { // only loops inside have accesses by it
			if !moving {
				continue
			}
			slot := e.slot()
			if was == "" || inFrame {
				e.pointer(g, "BX")
				e.line("MOVQ BX, %s", slot)
			} else {
				e.line("MOVQ %s, %s", was, slot)
			}
			e.ptr[g] = slot
			continue
		}
		if was != "" && !inFrame {
			if !moving {
				continue
			}
			if len(e.free) < fewFree {
				slot := e.slot()
				e.line("MOVQ %s, %s", was, slot)
				saved = append(saved, slot, was)
				continue
			}
		}
		r := e.take()
		if r == "" {
			return errRegisters
		}
		if was != "" && !inFrame {
			e.line("MOVQ %s, %s", was, r)
		} else {
			e.pointer(g, r)
		}
		e.ptr[g] = r
	}
	e.line("PCALIGN $32")
	e.label(top)
	out := e.newLabel()
	if len(l.While) > 0 {
		for _, c := range l.Conds {
			if err := e.scalar(c, "BX"); err != nil {
				return err
			}
			e.line("TESTQ BX, BX")
			e.line("JLE %s", out)
		}
		if err := e.list(l.Head); err != nil {
			return err
		}
		e.any(l.While)
		e.line("JEQ %s", out)
	}
	if err := e.list(l.Body); err != nil {
		return err
	}
	for _, g := range groups {
		s, moving := moves[g]
		switch {
		case !moving:
		case s.Off >= 0 && strings.HasSuffix(e.ptr[g], "(SP)"):
			e.line("MOVQ %d(AX), BX", s.Off)
			e.line("ADDQ BX, %s", e.ptr[g])
		case s.Off >= 0:
			e.line("ADDQ %d(AX), %s", s.Off, e.ptr[g])
		default:
			e.line("ADDQ $%d, %s", s.Const, e.ptr[g])
		}
	}
	if len(l.While) > 0 {
		if count != "" {
			e.line("INCQ %s", count)
		}
		e.line("DECQ %d(SP)", budgetAt)
		e.line("JZ fail")
		e.line("JMP %s", top)
		e.label(out)
	} else if counted {
		e.line("INCQ %s", count)
		e.line("CMPQ %s, %s", count, limit)
		e.line("JLT %s", top)
	} else {
		e.line("DECQ %s", count)
		e.line("JNZ %s", top)
	}
	for i := 0; i < len(saved); i += 2 {
		e.line("MOVQ %s, %s", saved[i], saved[i+1])
	}
	e.label(end)
	return nil
}

// pointer prints what makes register r the pointer g, which has none.
func (e *emitter) pointer(g int, r string) {
	if at := e.ptr[g]; at != "" {
		e.line("MOVQ %s, %s", at, r)
	} else {
		e.begin(g, r)
	}
}

// fewFree is how many free registers are so few that what loops around others need lies in the frame.
const fewFree = 8

// Slots are the part of the frame where registers are kept: behind what scatters use, and before tiles.
const (
	slotsBegin = 160
	mostSlots  = 24
	TilesBegin = slotsBegin + 8*mostSlots
)

// budgetAt is where in the frame the rounds are that loops without a known end may still go.
const budgetAt = slotsBegin - 8

// mostRounds is how many rounds the loops without a known end of a call go before the call is given up: some milliseconds.
const mostRounds = 1 << 20

// slot returns a place in the frame for a register.
func (e *emitter) slot() string {
	at := slotsBegin + 8*e.slots
	e.slots++
	e.most = max(e.most, e.slots)
	e.frame = max(e.frame, at+8)
	return fmt.Sprintf("%d(SP)", at)
}

// hasLoop reports whether there is a loop in list.
func hasLoop(list []lir.Node) bool {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			return true
		case *lir.When:
			if hasLoop(x.Then) || hasLoop(x.Else) {
				return true
			}
		}
	}
	return false
}

// scalar prints what makes register r the integer s.
func (e *emitter) scalar(s lir.Scalar, r string) error {
	e.line("MOVQ %d(AX), %s", s.Off, r)
	for _, t := range s.Terms {
		round := e.round[t.Loop]
		if t.Off < 0 && t.Const == 1 {
			e.line("ADDQ %s, %s", round, r)
			continue
		}
		if t.Off < 0 && t.Const == -1 {
			e.line("SUBQ %s, %s", round, r)
			continue
		}
		temp := e.take()
		if temp == "" {
			return errRegisters
		}
		if t.Off >= 0 {
			e.line("MOVQ %s, %s", round, temp)
			e.line("IMULQ %d(AX), %s", t.Off, temp)
		} else {
			e.line("IMUL3Q $%d, %s, %s", t.Const, round, temp)
		}
		e.line("ADDQ %s, %s", temp, r)
		e.free = append(e.free, temp)
	}
	return nil
}

// reg returns the register of a value.
func (e *emitter) reg(v lir.Value) string {
	if e.n.Kinds[v] == lir.Mask && e.masks > 0 {
		return fmt.Sprintf("K%d", e.at[v]+1)
	}
	return fmt.Sprintf("%s%d", e.width(e.n.Kinds[v]), e.at[v])
}

// narrow reports whether values of a kind take half a register, as there are others of twice the size.
func (e *emitter) narrow(k lir.Kind) bool { return k.Size() == 4 && e.n.Size == 8 }

// width is the letter of registers with values of a kind.
func (e *emitter) width(k lir.Kind) string {
	if e.narrow(k) {
		return map[string]string{"Z": "Y", "Y": "X"}[e.Machine.reg]
	}
	return e.Machine.reg
}

func (e *emitter) scratch() string             { return fmt.Sprintf("%s%d", e.Machine.reg, e.vectors) }
func (e *emitter) scratchOf(k lir.Kind) string { return fmt.Sprintf("%s%d", e.width(k), e.vectors) }
func (e *emitter) scratchMask() string         { return fmt.Sprintf("K%d", e.masks+1) }

// maskOf returns a mask for values of a kind: where masks are vectors, those of narrow values are halved, in the scratch register.
func (e *emitter) maskOf(k lir.Kind, mask lir.Value) string {
	if e.masks > 0 || !e.narrow(k) {
		return e.reg(mask)
	}
	e.halve(e.at[mask], e.vectors)
	return e.scratchOf(k)
}

// halve prints what makes the low halves of the elements of a vector of 256 bits a vector of 128 bits.
func (e *emitter) halve(from, to int) {
	e.line("VEXTRACTF128 $1, Y%d, X%d", from, e.vectors)
	e.line("VSHUFPS $0x88, X%d, X%d, X%d", e.vectors, from, to)
}

// address prints an element, after what makes its pointer if that has no register.
func (e *emitter) address(m lir.Mem) string {
	g := e.n.Groups[m.Group]
	r := e.ptr[m.Group]
	if r == "" || strings.HasSuffix(r, "(SP)") {
		r = "BX"
		e.pointer(m.Group, r)
	}
	if m.Uniform {
		return fmt.Sprintf("%d(%s)", m.Disp, r)
	}
	return fmt.Sprintf("%d(%s)(DX*%d)", m.Disp+m.Part*e.Lanes(e.n.Size)*g.Size, r, g.Size)
}

// letter is what instructions of floats end in.
func letter(k lir.Kind) string {
	if k.Size() == 8 {
		return "PD"
	}
	return "PS"
}

// below makes mask the lanes whose number is below BX.
func (e *emitter) below(mask string) {
	s := e.scratch()
	name, q := "gocudaIota4<>", "D"
	if e.n.Size == 8 {
		name, q = "gocudaIota8<>", "Q"
	}
	e.iota(name, e.n.Size)
	if e.masks > 0 {
		e.line("VPBROADCAST%s BX, %s", q, s)
		e.line("VPCMP%s $6, %s(SB), %s, %s", q, name, s, mask)
		return
	}
	e.line("VMOVQ BX, X%d", e.vectors)
	e.line("VPBROADCAST%s X%d, %s", q, e.vectors, s)
	e.line("VPCMPGT%s %s(SB), %s, %s", q, name, s, mask)
}

// iota makes a table of the numbers of lanes known.
func (f *File) iota(name string, size int) {
	var text strings.Builder
	for i := range 64 / size {
		fmt.Fprintf(&text, "DATA %s+%d(SB)/%d, $%d\n", name, i*size, size, i)
	}
	fmt.Fprintf(&text, "GLOBL %s(SB), RODATA|NOPTR, $64\n", name)
	f.constant(name, text.String())
}

func (f *File) constant(name, text string) {
	if f.consts == nil {
		f.consts = map[string]string{}
	}
	f.consts[name] = text
}

// splat prints what makes all lanes of a register a number of so many bytes.
func (e *emitter) splat(bits uint64, size int, r string) {
	if bits == 0 {
		e.line("%s %s, %s, %s", map[bool]string{true: "VPXORD", false: "VPXOR"}[e.masks > 0], r, r, r)
		return
	}
	name := fmt.Sprintf("gocudaConst%d_%x<>", size, bits)
	e.constant(name, fmt.Sprintf("DATA %s+0(SB)/%d, $%#x\nGLOBL %s(SB), RODATA|NOPTR, $%d\n", name, size, bits, name, size))
	e.line("VBROADCASTS%s %s(SB), %s", letter8(size), name, r)
}

func letter8(size int) string {
	if size == 8 {
		return "D"
	}
	return "S"
}

func (e *emitter) instr(x *lir.Instr) error {
	dst := ""
	if x.Dst != 0 {
		dst = e.reg(x.Dst)
	}
	r := e.reg
	wide := e.masks > 0 // AVX-512
	size := x.Kind.Size()
	q := "D"
	if size == 8 {
		q = "Q"
	}
	logic := func(op string) {
		if wide {
			op += q
		}
		e.line("VP%s %s, %s, %s", op, r(x.Y), r(x.X), dst)
	}
	switch x.Op {
	case lir.Const:
		e.splat(x.Imm, size, dst)
	case lir.Arg:
		e.line("VBROADCASTS%s %d(AX), %s", letter8(size), x.Mem.Disp, dst)
	case lir.Broadcast:
		if x.From != 0 {
			e.line("%s %s, BX", extend(x.From), e.address(x.Mem))
			if wide {
				e.line("VPBROADCASTD BX, %s", dst)
			} else {
				e.line("VMOVD BX, X%d", e.at[x.Dst])
				e.line("VPBROADCASTD X%d, %s", e.at[x.Dst], dst)
			}
			break
		}
		e.line("VBROADCASTS%s %s, %s", letter8(size), e.address(x.Mem), dst)
	case lir.Strides:
		name := "gocudaIota4<>"
		if size == 8 {
			name = "gocudaIota8<>"
		}
		e.iota(name, size)
		s := e.scratchOf(x.Kind)
		e.line("VPBROADCAST%s %d(AX), %s", q, x.Mem.Disp, s)
		if size == 4 {
			e.line("VPMULLD %s(SB), %s, %s", name, s, dst)
		} else {
			e.line("VPMULDQ %s(SB), %s, %s", name, s, dst)
		}
	case lir.Gather:
		if x.From != 0 {
			return e.gatherSmall(x, dst)
		}
		e.gather(x, dst)
	case lir.Scatter:
		return e.scatter(x)
	case lir.Atomic:
		return e.atomic(x)
	case lir.Tile, lir.Untile:
		return e.tile(x)
	case lir.Load:
		if x.From != 0 {
			return e.loadSmall(x, dst)
		}
		a := e.address(x.Mem)
		switch {
		case x.On == 0:
			e.line("VMOVU%s %s, %s", letter(x.Kind), a, dst)
		case wide:
			e.line("VMOVU%s.Z %s, %s, %s", letter(x.Kind), a, r(x.On), dst)
		default:
			e.line("VMASKMOV%s %s, %s, %s", letter(x.Kind), a, e.maskOf(x.Kind, x.On), dst)
		}
	case lir.Store:
		if x.From != 0 {
			return e.storeSmall(x)
		}
		a := e.address(x.Mem)
		switch {
		case x.On == 0:
			e.line("VMOVU%s %s, %s", letter(x.Kind), r(x.X), a)
		case wide:
			e.line("VMOVU%s %s, %s, %s", letter(x.Kind), r(x.X), r(x.On), a)
		default:
			e.line("VMASKMOV%s %s, %s, %s", letter(x.Kind), r(x.X), e.maskOf(x.Kind, x.On), a)
		}
	case lir.Move:
		switch {
		case dst == r(x.X):
		case x.Kind == lir.Mask && wide:
			e.line("KMOVW %s, %s", r(x.X), dst)
		default:
			e.line("VMOVAPS %s, %s", r(x.X), dst)
		}
	case lir.Add, lir.Sub, lir.Mul, lir.Div:
		op := [...]string{"ADD", "SUB", "MUL", "DIV"}[x.Op-lir.Add]
		if x.Kind.IsFloat() {
			e.line("V%s%s %s, %s, %s", op, letter(x.Kind), r(x.Y), r(x.X), dst)
			break
		}
		if x.Op == lir.Div {
			return e.divide(x)
		}
		if x.Op == lir.Mul && size == 8 && !wide {
			e.multiply64(x)
			break
		}
		if x.Op == lir.Mul {
			op = "MULL"
		}
		e.line("VP%s%s %s, %s, %s", op, q, r(x.Y), r(x.X), dst)
	case lir.And:
		logic("AND")
	case lir.Or:
		logic("OR")
	case lir.Xor:
		logic("XOR")
	case lir.Shl, lir.Shr:
		op := "VPSLL"
		if x.Op == lir.Shr {
			op = "VPSRL"
			if x.Kind.IsSigned() {
				op = "VPSRA"
			}
		}
		if op == "VPSRA" && size == 8 && !wide { // the sign goes on to the left of what is shifted
			s := e.scratchOf(x.Kind)
			e.line("VPSRLQ $%d, %s, %s", x.Imm, r(x.X), dst)
			e.splat(1<<(63-x.Imm), 8, s)
			e.line("VPXOR %s, %s, %s", s, dst, dst)
			e.line("VPSUBQ %s, %s, %s", s, dst, dst)
			break
		}
		e.line("%s%s $%d, %s, %s", op, q, x.Imm, r(x.X), dst)
	case lir.Neg:
		s := e.scratchOf(x.Kind)
		if !x.Kind.IsFloat() {
			e.splat(0, size, s)
			e.line("VPSUB%s %s, %s, %s", q, r(x.X), s, dst)
			break
		}
		e.splat(1<<(8*size-1), size, s)
		e.line("VPXOR%s %s, %s, %s", map[bool]string{true: q}[wide], s, r(x.X), dst)
	case lir.Abs:
		s := e.scratchOf(x.Kind)
		e.splat(1<<(8*size-1)-1, size, s)
		e.line("VPAND%s %s, %s, %s", map[bool]string{true: q}[wide], s, r(x.X), dst)
	case lir.Sqrt:
		e.line("VSQRT%s %s, %s", letter(x.Kind), r(x.X), dst)
	case lir.Recip, lir.Rsqrt:
		if x.Kind != lir.F32 {
			return errMissing
		}
		op := map[lir.Op]string{lir.Recip: "RCP", lir.Rsqrt: "RSQRT"}[x.Op]
		if wide {
			op += "14"
		}
		e.line("V%sPS %s, %s", op, r(x.X), dst)
	case lir.Floor, lir.Ceil, lir.Trunc, lir.RoundToEven:
		mode := map[lir.Op]int{lir.Floor: 9, lir.Ceil: 10, lir.Trunc: 11, lir.RoundToEven: 8}[x.Op]
		if wide {
			e.line("VRNDSCALE%s $%d, %s, %s", letter(x.Kind), mode, r(x.X), dst)
		} else {
			e.line("VROUND%s $%d, %s, %s", letter(x.Kind), mode, r(x.X), dst)
		}
	case lir.Least:
		// The instruction gives its second operand if one is a NaN or both are zeros. Of both orders together every bit of a NaN and the
		// sign of -0 are there.
		s := e.scratchOf(x.Kind)
		e.line("VMIN%s %s, %s, %s", letter(x.Kind), r(x.Y), r(x.X), s)
		e.line("VMIN%s %s, %s, %s", letter(x.Kind), r(x.X), r(x.Y), dst)
		e.line("VPOR%s %s, %s, %s", map[bool]string{true: q}[wide], s, dst, dst)
	case lir.Most:
		// Zeros want the bits that are in both orders; then a NaN is added where there is one.
		s := e.scratchOf(x.Kind)
		e.line("VMAX%s %s, %s, %s", letter(x.Kind), r(x.Y), r(x.X), s)
		e.line("VMAX%s %s, %s, %s", letter(x.Kind), r(x.X), r(x.Y), r(x.Temps[0]))
		e.line("VPAND%s %s, %s, %s", map[bool]string{true: q}[wide], s, r(x.Temps[0]), r(x.Temps[0]))
		e.line("VADD%s %s, %s, %s", letter(x.Kind), r(x.Y), r(x.X), s) // a NaN if one is
		if wide {
			m := e.scratchMask()
			e.line("VCMP%s $3, %s, %s, %s", letter(x.Kind), r(x.Y), r(x.X), m)
			e.line("VBLENDM%s %s, %s, %s, %s", letter(x.Kind), s, r(x.Temps[0]), m, dst)
		} else {
			e.line("VCMP%s $3, %s, %s, %s", letter(x.Kind), r(x.Y), r(x.X), r(x.Temps[1]))
			e.line("VBLENDV%s %s, %s, %s, %s", letter(x.Kind), r(x.Temps[1]), s, r(x.Temps[0]), dst)
		}
	case lir.ShlBy, lir.ShrBy:
		if size != 4 {
			return errMissing
		}
		op := "VPSLLV"
		if x.Op == lir.ShrBy {
			op = "VPSRLV"
			if x.Kind.IsSigned() {
				op = "VPSRAV"
			}
		}
		e.line("%sD %s, %s, %s", op, r(x.Y), r(x.X), dst)
	case lir.Bits:
		if dst != r(x.X) {
			e.line("VMOVAPS %s, %s", r(x.X), dst)
		}
	case lir.FMA, lir.FNMA, lir.FMS:
		op := [...]string{"VFMADD", "VFNMADD", "VFMSUB"}[x.Op-lir.FMA]
		a, b, c := r(x.X), r(x.Y), r(x.Z)
		switch {
		case dst == c:
			e.line("%s231%s %s, %s, %s", op, letter(x.Kind), b, a, dst)
		case dst == a:
			e.line("%s213%s %s, %s, %s", op, letter(x.Kind), c, b, dst)
		case dst == b:
			e.line("%s213%s %s, %s, %s", op, letter(x.Kind), c, a, dst)
		default:
			e.line("VMOVAPS %s, %s", c, dst)
			e.line("%s231%s %s, %s, %s", op, letter(x.Kind), b, a, dst)
		}
	case lir.Min, lir.Max:
		op := [...]string{"MIN", "MAX"}[x.Op-lir.Min]
		if x.Kind.IsFloat() || size == 8 && !wide {
			return errMissing
		}
		sign := "U"
		if x.Kind.IsSigned() {
			sign = "S"
		}
		e.line("VP%s%s%s %s, %s, %s", op, sign, q, r(x.Y), r(x.X), dst)
	case lir.Convert:
		return e.convert(x, dst)
	case lir.Cmp:
		return e.compare(x, dst)
	case lir.Within:
		return e.within(x, dst)
	case lir.Whole:
		if err := e.scalar(x.Bounds[0], "BX"); err != nil {
			return err
		}
		e.line("NEGQ BX")
		e.line("SARQ $63, BX")
		if wide {
			e.line("KMOVW BX, %s", dst)
		} else {
			e.line("VMOVQ BX, X%d", e.at[x.Dst])
			e.line("VPBROADCASTQ X%d, %s", e.at[x.Dst], dst)
		}
	case lir.Spill, lir.Reload:
		at, v := fmt.Sprintf("%d(SP)", x.Imm), r(x.X|x.Dst)
		move := "VMOVUPS"
		if x.Kind == lir.Mask && wide {
			move = "KMOVW"
		}
		if x.Op == lir.Spill {
			e.line("%s %s, %s", move, v, at)
		} else {
			e.line("%s %s, %s", move, at, v)
		}
	case lir.Check:
		e.any([]lir.Value{x.X})
		e.line("JNE fail")
	case lir.Index:
		return e.index(x, dst)
	case lir.Bools:
		a, at := e.address(x.Mem), e.at[x.Dst]
		if wide {
			s := fmt.Sprintf("%d", e.vectors)
			if e.n.Size == 8 {
				e.line("VPMOVZXBQ %s, Z%s", a, s)
				e.line("VPTESTMQ Z%s, Z%s, %s", s, s, dst)
			} else {
				e.line("VPMOVZXBD %s, Z%s", a, s)
				e.line("VPTESTMD Z%s, Z%s, %s", s, s, dst)
			}
			break
		}
		q := "D"
		if e.n.Size == 8 {
			q = "Q"
		}
		e.line("VPMOVZXB%s %s, Y%d", q, a, at)
		e.splat(0, e.n.Size, e.scratch())
		e.line("VPCMPGT%s %s, %s, %s", q, e.scratch(), dst, dst)
	case lir.PutBool:
		return e.putBool(x)
	case lir.MaskOr:
		if wide {
			e.line("KORW %s, %s, %s", r(x.Y), r(x.X), dst)
		} else {
			e.line("VORPS %s, %s, %s", r(x.Y), r(x.X), dst)
		}
	case lir.MaskAnd:
		if wide {
			e.line("KANDW %s, %s, %s", r(x.Y), r(x.X), dst)
		} else {
			e.line("VANDPS %s, %s, %s", r(x.Y), r(x.X), dst)
		}
	case lir.MaskNot: // X and not Y
		if wide {
			e.line("KANDNW %s, %s, %s", r(x.X), r(x.Y), dst)
		} else {
			e.line("VANDNPS %s, %s, %s", r(x.X), r(x.Y), dst)
		}
	case lir.Select:
		if wide {
			e.line("VBLENDM%s %s, %s, %s, %s", letter(x.Kind), r(x.Y), r(x.Z), r(x.X), dst)
		} else {
			e.line("VBLENDV%s %s, %s, %s, %s", letter(x.Kind), e.maskOf(x.Kind, x.X), r(x.Y), r(x.Z), dst)
		}
	case lir.Shuffle:
		return e.shuffle(x)
	case lir.Ballot:
		e.ballot(x)
	default:
		return errMissing
	}
	return nil
}

// divide prints a quotient of integers of 32 bits, as that of floats of 64, which have them and their quotient exactly enough.
func (e *emitter) divide(x *lir.Instr) error {
	wide := e.masks > 0
	if x.Kind.Size() != 4 || !x.Kind.IsSigned() && !wide {
		return errMissing
	}
	to, back := "VCVTDQ2PD", "VCVTTPD2DQ"
	if !x.Kind.IsSigned() {
		to, back = "VCVTUDQ2PD", "VCVTTPD2UDQ"
	}
	half := map[string]string{"Z": "Y", "Y": "X"}[e.Machine.reg]
	if !wide {
		back += "Y"
	}
	a, b, d, t, u, s := e.at[x.X], e.at[x.Y], e.at[x.Dst], e.at[x.Temps[0]], e.at[x.Temps[1]], e.vectors
	of := func(a, b, d int) { // by way of d and u
		e.line("%s %s%d, %s%d", to, half, b, e.Machine.reg, u)
		e.line("%s %s%d, %s%d", to, half, a, e.Machine.reg, d)
		e.line("VDIVPD %s%d, %s%d, %s%d", e.Machine.reg, u, e.Machine.reg, d, e.Machine.reg, d)
		e.line("%s %s%d, %s%d", back, e.Machine.reg, d, half, d)
	}
	if e.narrow(x.Kind) {
		of(a, b, t)
		e.line("VMOVAPS %s%d, %s%d", half, t, half, d)
		return nil
	}
	extract, insert := "VEXTRACTI128", "VINSERTI128"
	if wide {
		extract, insert = "VEXTRACTI64X4", "VINSERTI64X4"
	}
	e.line("%s $1, %s%d, %s%d", extract, e.Machine.reg, a, half, t)
	e.line("%s $1, %s%d, %s%d", extract, e.Machine.reg, b, half, s)
	of(t, s, t)
	of(a, b, s)
	e.line("%s $1, %s%d, %s%d, %s%d", insert, half, t, e.Machine.reg, s, e.Machine.reg, d)
	return nil
}

// multiply64 prints the product of integers of 64 bits, of those of their halves.
func (e *emitter) multiply64(x *lir.Instr) {
	a, b, s, t := e.reg(x.X), e.reg(x.Y), e.scratch(), e.reg(x.Temps[0])
	e.line("VPSRLQ $32, %s, %s", a, s)
	e.line("VPMULUDQ %s, %s, %s", b, s, s)
	e.line("VPSRLQ $32, %s, %s", b, t)
	e.line("VPMULUDQ %s, %s, %s", a, t, t)
	e.line("VPADDQ %s, %s, %s", t, s, s)
	e.line("VPSLLQ $32, %s, %s", s, s)
	e.line("VPMULUDQ %s, %s, %s", b, a, t)
	e.line("VPADDQ %s, %s, %s", t, s, e.reg(x.Dst))
}

// convert prints a conversion, which gives what Go's does on amd64.
func (e *emitter) convert(x *lir.Instr, dst string) error {
	type pair struct{ from, to lir.Kind }
	from, wide := e.reg(x.X), e.masks > 0
	// Where the source is larger than the result, the instruction's name says how large unless that is 512 bits.
	long := map[bool]string{false: "Y"}[wide]
	name, needsWide := "", false
	switch (pair{x.From, x.Kind}) {
	case pair{lir.I32, lir.F32}:
		name = "VCVTDQ2PS"
	case pair{lir.F32, lir.I32}: // what has no int32 becomes the least one
		name = "VCVTTPS2DQ"
	case pair{lir.U32, lir.F32}:
		name, needsWide = "VCVTUDQ2PS", true
	case pair{lir.F32, lir.F64}:
		name = "VCVTPS2PD"
	case pair{lir.F64, lir.F32}:
		name = "VCVTPD2PS" + long
	case pair{lir.I32, lir.F64}:
		name = "VCVTDQ2PD"
	case pair{lir.F64, lir.I32}:
		name = "VCVTTPD2DQ" + long
	case pair{lir.U32, lir.F64}: // as the low bits of the fraction of 2^52, which is taken away
		s := e.scratchOf(x.Kind)
		e.line("VPMOVZXDQ %s, %s", from, dst)
		e.splat(0x4330000000000000, 8, s)
		e.line("VPOR%s %s, %s, %s", map[bool]string{true: "Q"}[wide], s, dst, dst)
		e.line("VSUBPD %s, %s, %s", s, dst, dst)
		return nil
	case pair{lir.I64, lir.F64}:
		name, needsWide = "VCVTQQ2PD", true
	case pair{lir.I64, lir.F32}:
		name, needsWide = "VCVTQQ2PS", true
	case pair{lir.F64, lir.I64}:
		name, needsWide = "VCVTTPD2QQ", true
	case pair{lir.F32, lir.I64}:
		name, needsWide = "VCVTTPS2QQ", true
	case pair{lir.I32, lir.I64}, pair{lir.I32, lir.U64}:
		name = "VPMOVSXDQ"
	case pair{lir.U32, lir.I64}, pair{lir.U32, lir.U64}:
		name = "VPMOVZXDQ"
	case pair{lir.I64, lir.I32}, pair{lir.I64, lir.U32}, pair{lir.U64, lir.I32}, pair{lir.U64, lir.U32}:
		if !wide {
			e.halve(e.at[x.X], e.at[x.Dst])
			return nil
		}
		name = "VPMOVQD"
	default:
		if x.From.Size() != x.Kind.Size() || x.From.IsFloat() || x.Kind.IsFloat() {
			return errMissing
		}
		name = "VMOVAPS"
	}
	if needsWide && !wide {
		return errMissing
	}
	e.line("%s %s, %s", name, from, dst)
	return nil
}

// index prints the numbers of a sequence that goes on from lane to lane.
func (e *emitter) index(x *lir.Instr, dst string) error {
	size := x.Kind.Size()
	name, q := "gocudaIota4<>", "D"
	if size == 8 {
		name, q = "gocudaIota8<>", "Q"
	}
	e.iota(name, size)
	splat := func(to string, number int) {
		if e.masks > 0 {
			e.line("VPBROADCAST%s BX, %s", q, to)
			return
		}
		e.line("VMOVQ BX, X%d", number)
		e.line("VPBROADCAST%s X%d, %s", q, number, to)
	}
	temp := e.take()
	if temp == "" {
		return errRegisters
	}
	defer func() { e.free = append(e.free, temp) }()
	step := x.Bounds[1]
	if err := e.scalar(step, "BX"); err != nil {
		return err
	}
	splat(dst, e.at[x.Dst])
	if size == 4 {
		e.line("VPMULLD %s(SB), %s, %s", name, dst, dst)
	} else {
		e.line("VPMULDQ %s(SB), %s, %s", name, dst, dst) // a step has 32 bits
	}
	e.line("LEAQ %d(DX), %s", x.Part*e.Lanes(e.n.Size), temp)
	e.line("IMULQ BX, %s", temp)
	if err := e.scalar(x.Bounds[0], "BX"); err != nil {
		return err
	}
	e.line("ADDQ %s, BX", temp)
	splat(e.scratchOf(x.Kind), e.vectors)
	e.line("VPADD%s %s, %s, %s", q, e.scratchOf(x.Kind), dst, dst)
	return nil
}

// putBool prints a store of bytes.
func (e *emitter) putBool(x *lir.Instr) error {
	a, v := e.address(x.Mem), e.reg(x.X)
	s := e.vectors
	if e.masks > 0 {
		e.constant("gocudaOnes<>", "DATA gocudaOnes<>+0(SB)/8, $0x0101010101010101\nDATA gocudaOnes<>+8(SB)/8, $0x0101010101010101\nGLOBL gocudaOnes<>(SB), RODATA|NOPTR, $16\n")
		e.line("VMOVDQU8.Z gocudaOnes<>(SB), %s, X%d", v, s)
		on := e.scratchMask()
		if x.On != 0 {
			on = e.reg(x.On)
		} else {
			e.line("KXNORW %s, %s, %s", on, on, on)
			if n := e.Lanes(e.n.Size); n < 16 {
				e.line("KSHIFTRW $%d, %s, %s", 16-n, on, on)
			}
		}
		e.line("VMOVDQU8 X%d, %s, %s", s, on, a)
		return nil
	}
	temp := e.take()
	bytes := e.take()
	if temp == "" || bytes == "" {
		return errRegisters
	}
	defer func() { e.free = append(e.free, bytes, temp) }()
	// A mask becomes a byte of ones or zeros a lane.
	narrow := func(v lir.Value, to string) {
		e.line("VEXTRACTI128 $1, %s, X%d", e.reg(v), s)
		e.line("VPACKSSDW X%d, X%d, X%d", s, e.at[v], s)
		e.line("VPACKSSWB X%d, X%d, X%d", s, s, s)
		if e.n.Size == 8 { // two bytes a lane
			e.line("VPACKSSWB X%d, X%d, X%d", s, s, s)
		}
		e.line("VMOVQ X%d, %s", s, to)
	}
	move, and, xor := "MOVQ", "ANDQ", "XORQ"
	if e.n.Size == 8 {
		move, and, xor = "MOVL", "ANDL", "XORL"
	}
	pattern := "$0x0101010101010101"
	if e.n.Size == 8 {
		pattern = "$0x01010101"
	}
	narrow(x.X, bytes)
	e.line("MOVQ %s, %s", pattern, temp)
	e.line("%s %s, %s", and, temp, bytes)
	if x.On != 0 {
		// What is off stays as it is: old ^ ((old ^ new) & on).
		narrow(x.On, temp)
		e.line("%s %s, %s", xor, a, bytes)
		e.line("%s %s, %s", and, temp, bytes)
		e.line("%s %s, %s", xor, a, bytes)
	}
	e.line("%s %s, %s", move, bytes, a)
	return nil
}

// strided makes BX the pointer to the element of the first lane.
func (e *emitter) strided(x *lir.Instr) {
	g := e.n.Groups[x.Mem.Group]
	e.line("LEAQ %d(DX), BX", x.Mem.Part*e.Lanes(e.n.Size))
	e.line("IMULQ %d(AX), BX", x.Mem.Stride)
	if r := e.ptr[x.Mem.Group]; r != "" { // or a place in the frame
		e.line("ADDQ %s, BX", r)
	} else {
		e.line("ADDQ %d(AX), BX", g.Base)
		e.line("ADDQ %d(AX), BX", g.Off)
	}
}

// gather prints a load of elements at distances.
func (e *emitter) gather(x *lir.Instr, dst string) {
	if e.grouped(x) {
		e.loadGroup(x, dst)
		return
	}
	e.strided(x)
	op := "VGATHER" + e.indexLetter(x.X) + letter(x.Kind)
	place := fmt.Sprintf("%d(BX)(%s*%d)", x.Mem.Disp, e.reg(x.X), x.Kind.Size())
	if e.masks > 0 {
		if x.On != 0 {
			e.line("KMOVW %s, %s", e.reg(x.On), e.scratchMask())
		} else {
			e.line("KXNORW %s, %s, %s", e.scratchMask(), e.scratchMask(), e.scratchMask())
		}
		e.line("VPXORD %s, %s, %s", dst, dst, dst)
		e.line("%s %s, %s, %s", op, place, e.scratchMask(), dst)
		return
	}
	s := e.scratchOf(x.Kind)
	if x.On == 0 {
		e.line("VPCMPEQD %s, %s, %s", s, s, s)
	} else if m := e.maskOf(x.Kind, x.On); m != s {
		e.line("VMOVAPS %s, %s", m, s)
	}
	e.line("VPXOR %s, %s, %s", dst, dst, dst)
	e.line("%s %s, %s, %s", op, s, place, dst)
}

// indexLetter says how large indices are.
func (e *emitter) indexLetter(index lir.Value) string {
	if e.n.Kinds[index].Size() == 8 {
		return "Q"
	}
	return "D"
}

// scatter prints a store of elements at distances.
func (e *emitter) scatter(x *lir.Instr) error {
	if e.grouped(x) {
		return e.storeGroup(x)
	}
	e.strided(x)
	if e.masks > 0 && x.From == 0 {
		op := "VSCATTER" + e.indexLetter(x.Y) + letter(x.Kind)
		if x.On != 0 {
			e.line("KMOVW %s, %s", e.reg(x.On), e.scratchMask())
		} else {
			e.line("KXNORW %s, %s, %s", e.scratchMask(), e.scratchMask(), e.scratchMask())
		}
		e.line("%s %s, %s, %d(BX)(%s*%d)", op, e.reg(x.X), e.scratchMask(), x.Mem.Disp, e.reg(x.Y), x.Kind.Size())
		return nil
	}
	// One after the other, by way of the frame.
	temp, at, on := e.take(), "", ""
	if temp == "" {
		return errRegisters
	}
	defer func() { e.free = append(e.free, temp) }()
	e.frame = max(e.frame, 2*e.Bytes)
	e.line("VMOVUPS %s, 0(SP)", e.reg(x.X))
	anyIndex := x.Imm != 0
	if anyIndex {
		if at = e.take(); at == "" {
			return errRegisters
		}
		defer func() { e.free = append(e.free, at) }()
		e.line("VMOVUPS %s, %d(SP)", e.reg(x.Y), e.Bytes)
	}
	if x.On != 0 {
		if on = e.take(); on == "" {
			return errRegisters
		}
		defer func() { e.free = append(e.free, on) }()
		if e.masks > 0 {
			e.line("KMOVW %s, %s", e.reg(x.On), on)
		} else {
			e.line("VMOVMSKP%s %s, %s", letter8(e.n.Size), e.reg(x.On), on)
		}
	}
	move, index := "MOVL", "MOVLQSX"
	store, scale := move, x.Kind.Size()
	switch {
	case x.From != 0:
		store, scale = map[int]string{1: "MOVB", 2: "MOVW"}[x.From.Size()], x.From.Size()
	case x.Kind.Size() == 8:
		move, store = "MOVQ", "MOVQ"
	}
	if e.n.Kinds[x.Y].Size() == 8 {
		index = "MOVQ"
	}
	lanes := e.Lanes(e.n.Size)
	for i := range lanes {
		skip := ""
		if on != "" {
			skip = e.newLabel()
			e.line("BTL $%d, %s", i, on)
			e.line("JCC %s", skip)
		}
		e.line("%s %d(SP), %s", move, i*x.Kind.Size(), temp)
		if anyIndex {
			e.line("%s %d(SP), %s", index, e.Bytes+i*e.n.Kinds[x.Y].Size(), at)
			e.line("%s %s, %d(BX)(%s*%d)", store, temp, x.Mem.Disp, at, scale)
		} else {
			e.line("%s %s, %d(BX)", store, temp, x.Mem.Disp)
		}
		if skip != "" {
			e.label(skip)
		}
		if i < lanes-1 && !anyIndex {
			e.line("ADDQ %d(AX), BX", x.Mem.Stride)
		}
	}
	return nil
}

// tile prints the transposition of a square, on its way from rows of memory to the frame or back. Rows come in pieces of 128 bits, of which each
// vector takes those that lie in the same columns and belong in its lanes; then the pieces are transposed in their places.
func (e *emitter) tile(x *lir.Instr) error {
	if e.narrow(x.Kind) {
		return errMissing
	}
	frame := e.take()
	if frame == "" {
		return errRegisters
	}
	defer func() { e.free = append(e.free, frame) }()
	size := x.Kind.Size()
	in := 16 / size // elements in a piece, and rows of a small square
	pieces := e.Bytes / 16
	reg := func(i int, kind string) string { return fmt.Sprintf("%s%d", kind, e.at[x.Temps[i]]) }
	e.framed(int(x.Imm), frame)
	back, last := x.Op == lir.Untile, pieces*in-1
	// BX is the row of memory that comes next.
	next := func(row int) {
		if row < last {
			e.line("ADDQ %d(AX), BX", x.Mem.Stride)
		}
	}
	from := func(row, c int) string { return fmt.Sprintf("%d(BX)", x.Mem.Disp+16*c) }
	store := func(row int, r string) { e.line("VMOVUPS %s, %d(%s)", r, row*e.Bytes, frame) }
	if back {
		from = func(row, c int) string { return fmt.Sprintf("%d(%s)", row*e.Bytes+16*c, frame) }
		store = func(row int, r string) {
			e.line("VMOVUPS %s, %d(BX)", r, x.Mem.Disp)
			next(row)
		}
		e.strided(x)
	}
	insert := "VINSERTF128"
	if e.masks > 0 {
		insert = "VINSERTF32X4"
	}
	together := Columns(e.Machine)
	for first := 0; first < pieces; first += together {
		if !back {
			e.strided(x)
		}
		for j := range pieces {
			for r := range in {
				for c := range together { // a row is in one cache line, and rows may drive each other's out
					at := from(j*in+r, first+c)
					if j == 0 {
						e.line("VMOVUPS %s, %s", at, reg(c*in+r, "X"))
					} else {
						e.line("%s $%d, %s, %s, %s", insert, j, at, reg(c*in+r, e.Machine.reg), reg(c*in+r, e.Machine.reg))
					}
				}
				if !back {
					next(j*in + r)
				}
			}
		}
		for c := range together {
			v := func(i int) string { return reg(c*in+i, e.Machine.reg) }
			t := func(i int) string { return reg(together*in+i, e.Machine.reg) }
			if in == 2 {
				e.line("VUNPCKLPD %s, %s, %s", v(1), v(0), t(0))
				e.line("VUNPCKHPD %s, %s, %s", v(1), v(0), t(1))
				store(in*(first+c), t(0))
				store(in*(first+c)+1, t(1))
				continue
			}
			e.line("VUNPCKLPS %s, %s, %s", v(1), v(0), t(0))
			e.line("VUNPCKHPS %s, %s, %s", v(1), v(0), t(1))
			e.line("VUNPCKLPS %s, %s, %s", v(3), v(2), t(2))
			e.line("VUNPCKHPS %s, %s, %s", v(3), v(2), t(3))
			for k, op := range []string{"VUNPCKLPD", "VUNPCKHPD", "VUNPCKLPD", "VUNPCKHPD"} {
				e.line("%s %s, %s, %s", op, t(2+k/2), t(k/2), v(k))
				store(in*(first+c)+k, v(k))
			}
		}
	}
	return nil
}

// Columns returns how many columns of pieces of 128 bits a Tile reads together.
func Columns(m *Machine) int {
	if m.masks > 0 {
		return m.Bytes / 16
	}
	return 1
}

// TileTemps returns how many vectors the steps of a Tile of elements of so many bytes take.
func TileTemps(m *Machine, size int) int {
	in := 16 / size
	return Columns(m)*in + in
}

func (e *emitter) compare(x *lir.Instr, dst string) error {
	r, k := e.reg, x.From
	q := "D"
	if k.Size() == 8 {
		q = "Q"
	}
	if e.masks > 0 {
		if k.IsFloat() {
			e.line("VCMP%s $%d, %s, %s, %s", letter(k), floatPreds[x.Pred], r(x.Y), r(x.X), dst)
			return nil
		}
		imm := [...]int{0, 4, 1, 2, 6, 5}[x.Pred]
		u := "U"
		if k.IsSigned() {
			u = ""
		}
		e.line("VPCMP%s%s $%d, %s, %s, %s", u, q, imm, r(x.Y), r(x.X), dst)
		return nil
	}
	whole := dst
	dst = fmt.Sprintf("%s%d", e.width(k), e.at[x.Dst])
	a, b := r(x.X), r(x.Y)
	not := x.Pred == lir.Ne || x.Pred == lir.Le || x.Pred == lir.Ge
	switch {
	case k.IsFloat():
		e.line("VCMP%s $%d, %s, %s, %s", letter(k), floatPreds[x.Pred], b, a, dst)
		not = false
	case x.Pred == lir.Eq || x.Pred == lir.Ne:
		e.line("VPCMPEQ%s %s, %s, %s", q, b, a, dst)
	case k.IsSigned():
		if x.Pred == lir.Lt || x.Pred == lir.Ge { // b > a
			a, b = b, a
		}
		e.line("VPCMPGT%s %s, %s, %s", q, b, a, dst)
	case k.Size() == 4: // a <= b if it is the smaller one
		op := "VPMINUD"
		if x.Pred == lir.Lt || x.Pred == lir.Ge {
			op = "VPMAXUD"
		}
		s := e.scratchOf(k)
		e.line("%s %s, %s, %s", op, b, a, s)
		e.line("VPCMPEQD %s, %s, %s", s, a, dst)
		not = x.Pred == lir.Lt || x.Pred == lir.Gt
	default:
		return errMissing
	}
	if not {
		s := e.scratchOf(k)
		e.line("VPCMPEQD %s, %s, %s", s, s, s)
		e.line("VPXOR %s, %s, %s", s, dst, dst)
	}
	if e.narrow(k) {
		e.line("VPMOVSXDQ %s, %s", dst, whole)
	}
	return nil
}

// floatPreds are the comparisons of floats, as instructions number them: false for NaN, but for the second.
var floatPreds = [...]int{0, 4, 0x11, 0x12, 0x1e, 0x1d}

// within prints a mask of the lanes between two bounds.
func (e *emitter) within(x *lir.Instr, dst string) error {
	first := x.Part * e.Lanes(e.n.Size)
	bound := func(s lir.Scalar) error {
		if err := e.scalar(s, "BX"); err != nil {
			return err
		}
		e.line("SUBQ DX, BX")
		if first > 0 {
			e.line("SUBQ $%d, BX", first)
		}
		if len(s.Terms) == 0 {
			return nil // it is between 0 and the number of threads
		}
		temp := e.take()
		if temp == "" {
			return errRegisters
		}
		for _, c := range []struct {
			limit int
			move  string
		}{{0, "CMOVQLT"}, {127, "CMOVQGT"}} {
			e.line("MOVL $%d, %s", c.limit, temp)
			e.line("CMPQ BX, %s", temp)
			e.line("%s %s, BX", c.move, temp)
		}
		e.free = append(e.free, temp)
		return nil
	}
	if err := bound(x.Bounds[1]); err != nil {
		return err
	}
	e.below(dst)
	if err := bound(x.Bounds[0]); err != nil {
		return err
	}
	if e.masks > 0 {
		e.below(e.scratchMask())
		e.line("KANDNW %s, %s, %s", dst, e.scratchMask(), dst)
		return nil
	}
	e.below(e.scratch())
	e.line("VANDNPS %s, %s, %s", dst, e.scratch(), dst)
	return nil
}

// Add adds the funcs and constants of another file.
func (f *File) Add(g *File) {
	f.text.WriteString(g.text.String())
	for name, text := range g.consts {
		f.constant(name, text)
	}
}
