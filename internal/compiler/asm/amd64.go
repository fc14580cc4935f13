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
var errMissing = errors.New("the machine has no such instruction")

// Func adds a func of a row: fast for strips of so many whole vectors, and then tail for one vector of which some lanes may be off. It has
// the address of its arguments as argument; the first of them is how many threads the row has.
func (f *File) Func(name string, m *Machine, fast, tail *lir.Nest) error {
	e := &emitter{File: f, Machine: m, name: name}
	e.line("TEXT ·%s(SB), NOSPLIT, $0-8", name)
	e.line("MOVQ a+0(FP), AX")
	e.line("XORL DX, DX")
	lanes := m.Lanes(tail.Size)
	if fast != nil {
		e.line("JMP whole")
		e.label("strip")
		if err := e.nest(fast); err != nil {
			return err
		}
		e.line("ADDQ $%d, DX", lanes*fast.Parts)
		e.label("whole")
		e.line("LEAQ %d(DX), BX", lanes*fast.Parts)
		e.line("CMPQ BX, 0(AX)")
		e.line("JLE strip")
	}
	e.line("JMP rest")
	e.label("part")
	if err := e.nest(tail); err != nil {
		return err
	}
	e.line("ADDQ $%d, DX", lanes)
	e.label("rest")
	e.line("CMPQ DX, 0(AX)")
	e.line("JLT part")
	e.line("VZEROUPPER")
	e.line("RET")
	fmt.Fprintf(&f.text, "\n// func %s(a *%sArgs)\n%s", name, strings.TrimSuffix(name, m.Name), e.out.String())
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
	free   []string
	ptr    map[int]string // registers of pointers
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
	at, err := allocate(n, e.vectors, e.masks)
	if err != nil {
		return err
	}
	e.n, e.at, e.free, e.ptr = n, at, slices.Clone(pool), map[int]string{}
	slices.Reverse(e.free)
	if n.Lanes != 0 {
		e.line("MOVQ 0(AX), BX")
		e.line("SUBQ DX, BX")
		e.below(e.reg(n.Lanes))
	}
	// Pointers outside loops have registers if the loops leave some.
	var top []int
	for g := range n.Groups {
		if usedAt(n.Body, g, false) {
			top = append(top, g)
		}
	}
	if len(top)+need(n.Body) <= len(pool) {
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
			if deep && usedAt(x.Body, g, deep) {
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
func need(list []lir.Node) int {
	most := 0
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			seen := map[int]bool{}
			lir.Walk(x.Body, func(i *lir.Instr) {
				if i.InMemory() {
					seen[i.Mem.Group] = true
				}
			})
			most = max(most, 1+len(seen)+need(x.Body))
		case *lir.When:
			most = max(most, need(x.Then), need(x.Else))
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
	e.line("MOVQ %d(AX), %s", e.n.Groups[g].Base, r)
	e.line("ADDQ %d(AX), %s", e.n.Groups[g].Off, r)
}

func (e *emitter) list(list []lir.Node) error {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if err := e.instr(x); err != nil {
				return fmt.Errorf("%v: %w", x, err)
			}
		case *lir.Loop:
			if err := e.loop(x); err != nil {
				return err
			}
		case *lir.When:
			otherwise, end := e.newLabel(), e.newLabel()
			e.line("CMPQ %d(AX), $0", x.Off)
			e.line("JEQ %s", otherwise)
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

func (e *emitter) loop(l *lir.Loop) error {
	free, outer := slices.Clone(e.free), maps.Clone(e.ptr)
	defer func() { e.free, e.ptr = free, outer }()
	moves := map[int]lir.Step{}
	for _, s := range l.Steps {
		moves[s.Group] = s
	}
	count := e.take()
	var groups []int
	for g := range e.n.Groups {
		if usedAt(l.Body, g, true) {
			groups = append(groups, g)
		}
	}
	top, end := e.newLabel(), e.newLabel()
	if count == "" {
		return errRegisters
	}
	e.line("MOVQ %d(AX), %s", l.Trips, count)
	e.line("TESTQ %s, %s", count, count)
	e.line("JLE %s", end)
	for _, g := range groups {
		_, moving := moves[g]
		was := e.ptr[g]
		if was != "" && !moving {
			continue
		}
		r := e.take()
		if r == "" {
			return errRegisters
		}
		if was != "" {
			e.line("MOVQ %s, %s", was, r)
		} else {
			e.begin(g, r)
		}
		e.ptr[g] = r
	}
	e.line("PCALIGN $32")
	e.label(top)
	if err := e.list(l.Body); err != nil {
		return err
	}
	for _, g := range groups {
		s, moving := moves[g]
		switch {
		case !moving:
		case s.Off >= 0:
			e.line("ADDQ %d(AX), %s", s.Off, e.ptr[g])
		default:
			e.line("ADDQ $%d, %s", s.Const, e.ptr[g])
		}
	}
	e.line("DECQ %s", count)
	e.line("JNZ %s", top)
	e.label(end)
	return nil
}

// reg returns the register of a value.
func (e *emitter) reg(v lir.Value) string {
	if e.n.Kinds[v] == lir.Mask && e.masks > 0 {
		return fmt.Sprintf("K%d", e.at[v]+1)
	}
	return fmt.Sprintf("%s%d", e.Machine.reg, e.at[v])
}

func (e *emitter) scratch() string     { return fmt.Sprintf("%s%d", e.Machine.reg, e.vectors) }
func (e *emitter) scratchMask() string { return fmt.Sprintf("K%d", e.masks+1) }

// address prints an element, after what makes its pointer if that has no register.
func (e *emitter) address(m lir.Mem) string {
	g := e.n.Groups[m.Group]
	r := e.ptr[m.Group]
	if r == "" {
		r = "BX"
		e.begin(m.Group, r)
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
		e.line("VBROADCASTS%s %s, %s", letter8(size), e.address(x.Mem), dst)
	case lir.Strides:
		name := "gocudaIota4<>"
		if size == 8 {
			name = "gocudaIota8<>"
		}
		e.iota(name, size)
		s := e.scratch()
		e.line("VPBROADCAST%s %d(AX), %s", q, x.Mem.Disp, s)
		if size == 4 {
			e.line("VPMULLD %s(SB), %s, %s", name, s, dst)
		} else {
			e.line("VPMULDQ %s(SB), %s, %s", name, s, dst)
		}
	case lir.Gather:
		e.gather(x, dst)
	case lir.Load:
		a := e.address(x.Mem)
		switch {
		case x.On == 0:
			e.line("VMOVU%s %s, %s", letter(x.Kind), a, dst)
		case wide:
			e.line("VMOVU%s.Z %s, %s, %s", letter(x.Kind), a, r(x.On), dst)
		default:
			e.line("VMASKMOV%s %s, %s, %s", letter(x.Kind), a, r(x.On), dst)
		}
	case lir.Store:
		a := e.address(x.Mem)
		switch {
		case x.On == 0:
			e.line("VMOVU%s %s, %s", letter(x.Kind), r(x.X), a)
		case wide:
			e.line("VMOVU%s %s, %s, %s", letter(x.Kind), r(x.X), r(x.On), a)
		default:
			e.line("VMASKMOV%s %s, %s, %s", letter(x.Kind), r(x.X), r(x.On), a)
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
		if x.Op == lir.Div || x.Op == lir.Mul && size == 8 {
			return errMissing
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
		if op == "VPSRA" && size == 8 && !wide {
			return errMissing
		}
		e.line("%s%s $%d, %s, %s", op, q, x.Imm, r(x.X), dst)
	case lir.Neg:
		s := e.scratch()
		if !x.Kind.IsFloat() {
			e.splat(0, size, s)
			e.line("VPSUB%s %s, %s, %s", q, r(x.X), s, dst)
			break
		}
		e.splat(1<<(8*size-1), size, s)
		e.line("VPXOR%s %s, %s, %s", map[bool]string{true: q}[wide], s, r(x.X), dst)
	case lir.Abs:
		s := e.scratch()
		e.splat(1<<(8*size-1)-1, size, s)
		e.line("VPAND%s %s, %s, %s", map[bool]string{true: q}[wide], s, r(x.X), dst)
	case lir.Sqrt:
		e.line("VSQRT%s %s, %s", letter(x.Kind), r(x.X), dst)
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
		if x.Kind.IsFloat() || size == 8 {
			return errMissing
		}
		sign := "U"
		if x.Kind.IsSigned() {
			sign = "S"
		}
		e.line("VP%s%s%s %s, %s, %s", op, sign, q, r(x.Y), r(x.X), dst)
	case lir.Convert:
		switch {
		case x.From == lir.I32 && x.Kind == lir.F32:
			e.line("VCVTDQ2PS %s, %s", r(x.X), dst)
		case x.From.Size() == x.Kind.Size() && !x.From.IsFloat() && !x.Kind.IsFloat():
			e.line("VMOVAPS %s, %s", r(x.X), dst)
		default:
			return errMissing
		}
	case lir.Cmp:
		return e.compare(x, dst)
	case lir.Within:
		e.within(x, dst)
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
			e.line("VBLENDV%s %s, %s, %s, %s", letter(x.Kind), r(x.X), r(x.Y), r(x.Z), dst)
		}
	default:
		return errMissing
	}
	return nil
}

// strided makes BX the pointer to the element of the first lane.
func (e *emitter) strided(x *lir.Instr) {
	g := e.n.Groups[x.Mem.Group]
	e.line("LEAQ %d(DX), BX", x.Mem.Part*e.Lanes(e.n.Size))
	e.line("IMULQ %d(AX), BX", x.Mem.Stride)
	if r := e.ptr[x.Mem.Group]; r != "" {
		e.line("ADDQ %s, BX", r)
	} else {
		e.line("ADDQ %d(AX), BX", g.Base)
		e.line("ADDQ %d(AX), BX", g.Off)
	}
}

// gather prints a load of elements at distances.
func (e *emitter) gather(x *lir.Instr, dst string) {
	e.strided(x)
	op := "VGATHERD" + letter(x.Kind)
	if x.Kind.Size() == 8 {
		op = "VGATHERQPD"
	}
	place := fmt.Sprintf("%d(BX)(%s*%d)", x.Mem.Disp, e.reg(x.X), x.Kind.Size())
	s := e.scratch()
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
	if x.On != 0 {
		e.line("VMOVAPS %s, %s", e.reg(x.On), s)
	} else {
		e.line("VPCMPEQD %s, %s, %s", s, s, s)
	}
	e.line("VPXOR %s, %s, %s", dst, dst, dst)
	e.line("%s %s, %s, %s", op, s, place, dst)
}

func (e *emitter) compare(x *lir.Instr, dst string) error {
	r, k := e.reg, x.From
	q := "D"
	if k.Size() == 8 {
		q = "Q"
	}
	switch {
	case k.IsFloat():
		imm := [...]int{0, 4, 0x11, 0x12, 0x1e, 0x1d}[x.Pred]
		e.line("VCMP%s $%d, %s, %s, %s", letter(k), imm, r(x.Y), r(x.X), dst)
	case e.masks > 0:
		imm := [...]int{0, 4, 1, 2, 6, 5}[x.Pred]
		u := "U"
		if k.IsSigned() {
			u = ""
		}
		e.line("VPCMP%s%s $%d, %s, %s, %s", u, q, imm, r(x.Y), r(x.X), dst)
	default:
		a, b := r(x.X), r(x.Y)
		not := x.Pred == lir.Ne || x.Pred == lir.Le || x.Pred == lir.Ge
		switch x.Pred {
		case lir.Eq, lir.Ne:
			e.line("VPCMPEQ%s %s, %s, %s", q, b, a, dst)
		default:
			if !k.IsSigned() {
				return errMissing
			}
			if x.Pred == lir.Lt || x.Pred == lir.Ge { // b > a
				a, b = b, a
			}
			e.line("VPCMPGT%s %s, %s, %s", q, b, a, dst)
		}
		if not {
			s := e.scratch()
			e.line("VPCMPEQD %s, %s, %s", s, s, s)
			e.line("VPXOR %s, %s, %s", s, dst, dst)
		}
	}
	return nil
}

func (e *emitter) within(x *lir.Instr, dst string) {
	first := x.Part * e.Lanes(e.n.Size)
	bound := func(off int) {
		e.line("MOVQ %d(AX), BX", off)
		e.line("SUBQ DX, BX")
		if first > 0 {
			e.line("SUBQ $%d, BX", first)
		}
	}
	bound(int(x.Imm))
	e.below(dst)
	bound(x.Mem.Disp)
	if e.masks > 0 {
		e.below(e.scratchMask())
		e.line("KANDNW %s, %s, %s", dst, e.scratchMask(), dst)
		return
	}
	e.below(e.scratch())
	e.line("VANDNPS %s, %s, %s", dst, e.scratch(), dst)
}

// Add adds the funcs and constants of another file.
func (f *File) Add(g *File) {
	f.text.WriteString(g.text.String())
	for name, text := range g.consts {
		f.constant(name, text)
	}
}
