// Package amd64 generates instructions for nests on amd64, with AVX2 or AVX-512.
package amd64

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// One vector and one mask register are reserved as temporaries.
var (
	AVX512 = &asm.Machine{Name: "AVX512", Arch: "amd64", Bytes: 64, Vectors: 31, Masks: 6, Columns: 4, Totals: 8, ByteMasks: true, SmallLanes: true, Pool: pool, Target: target}
	AVX2   = &asm.Machine{Name: "AVX2", Arch: "amd64", Bytes: 32, Vectors: 15, Columns: 1, Totals: 8, SmallLanes: true, Pool: pool, Target: target}
)

// Machines lists the instruction sets, the best first.
var Machines = []*asm.Machine{AVX512, AVX2}

// pool is the registers for pointers and counters. AX points to the arguments, DX is the current
// thread in the row, and BX is for addresses.
var pool = []string{"CX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13", "R15", "R14"}

type emitter struct{ *asm.Emitter }

func target(e *asm.Emitter) asm.Target { return &emitter{e} }

// reg returns the register of a value.
func (e *emitter) reg(v lir.Value) string {
	if e.Nest.Kinds[v] == lir.Mask && e.Masks > 0 {
		return fmt.Sprintf("K%d", e.At[v]+1)
	}
	return fmt.Sprintf("%s%d", e.width(e.Nest.Kinds[v]), e.At[v])
}

// narrow reports whether values of a kind occupy half a register, because other values of the nest
// have twice their size.
func (e *emitter) narrow(k lir.Kind) bool { return k.Size() == 4 && e.Nest.Size == 8 }

// width is the prefix of registers for values of a kind.
func (e *emitter) width(k lir.Kind) string {
	if e.narrow(k) {
		return e.half()
	}
	return e.whole()
}

// whole is the prefix of whole registers, and half that of their low halves.
func (e *emitter) whole() string {
	if e.Masks > 0 {
		return "Z"
	}
	return "Y"
}

func (e *emitter) half() string {
	if e.Masks > 0 {
		return "Y"
	}
	return "X"
}

func (e *emitter) scratch() string             { return fmt.Sprintf("%s%d", e.whole(), e.Vectors) }
func (e *emitter) scratchOf(k lir.Kind) string { return fmt.Sprintf("%s%d", e.width(k), e.Vectors) }
func (e *emitter) scratchMask() string         { return fmt.Sprintf("K%d", e.Masks+1) }

// maskOf returns a mask for values of a kind. If masks are vectors, the mask of narrow values is
// narrowed into the scratch register.
func (e *emitter) maskOf(k lir.Kind, mask lir.Value) string {
	if e.Masks > 0 || !e.narrow(k) {
		return e.reg(mask)
	}
	e.halve(e.At[mask], e.Vectors)
	return e.scratchOf(k)
}

// halve narrows the 64-bit elements of a 256-bit vector to the 32-bit elements of a 128-bit vector.
func (e *emitter) halve(from, to int) {
	e.Line("VEXTRACTF128 $1, Y%d, X%d", from, e.Vectors)
	e.Line("VSHUFPS $0x88, X%d, X%d, X%d", e.Vectors, from, to)
}

// letter is the suffix of float instructions.
func letter(k lir.Kind) string {
	if k.Size() == 8 {
		return "PD"
	}
	return "PS"
}

// splat sets all lanes of a register to a constant of size bytes.
func (e *emitter) splat(bits uint64, size int, r string) {
	if bits == 0 {
		e.Line("%s %s, %s, %s", map[bool]string{true: "VPXORD", false: "VPXOR"}[e.Masks > 0], r, r, r)
		return
	}
	name := fmt.Sprintf("gocudaConst%d_%x<>", size, bits)
	e.Constant(name, fmt.Sprintf("DATA %s+0(SB)/%d, $%#x\nGLOBL %s(SB), RODATA|NOPTR, $%d\n", name, size, bits, name, size))
	if size < 4 {
		e.Line("VPBROADCAST%s %s(SB), %s", sizeLetter(size), name, r)
		return
	}
	e.Line("VBROADCASTS%s %s(SB), %s", letter8(size), name, r)
}

// doubles makes a vector of AVX2 known whose lanes are a number of 64 bits, and returns its name.
func (e *emitter) doubles(bits uint64) string {
	name := fmt.Sprintf("gocudaConst8x4_%x<>", bits)
	text := ""
	for i := range 4 {
		text += fmt.Sprintf("DATA %s+%d(SB)/8, $%#x\n", name, 8*i, bits)
	}
	e.Constant(name, text+fmt.Sprintf("GLOBL %s(SB), RODATA|NOPTR, $32\n", name))
	return name
}

func letter8(size int) string {
	if size == 8 {
		return "D"
	}
	return "S"
}

// Instr prints an instruction.
func (e *emitter) Instr(x *lir.Instr) error {
	dst := ""
	if x.Dst != 0 {
		dst = e.reg(x.Dst)
	}
	if e.tiny() && x.Kind != lir.Mask {
		if done, err := e.instrOfLanes(x, dst); done {
			return err
		}
	}
	r := e.reg
	wide := e.Masks > 0 // AVX-512
	size := x.Kind.Size()
	q := "D"
	if size == 8 {
		q = "Q"
	}
	logic := func(op string) {
		if wide {
			op += q
		}
		y, bcst := e.operand(x)
		e.Line("VP%s%s %s, %s, %s", op, bcst, y, r(x.X), dst)
	}
	switch x.Op {
	case lir.Const:
		e.splat(x.Imm, size, dst)
	case lir.Arg:
		e.Line("VBROADCASTS%s %d(AX), %s", letter8(size), x.Mem.Disp, dst)
	case lir.Broadcast:
		if x.From != 0 {
			e.Line("%s %s, BX", extend(x.From), e.address(x.Mem))
			if wide {
				e.Line("VPBROADCASTD BX, %s", dst)
			} else {
				e.Line("VMOVD BX, X%d", e.At[x.Dst])
				e.Line("VPBROADCASTD X%d, %s", e.At[x.Dst], dst)
			}
			break
		}
		e.Line("VBROADCASTS%s %s, %s", letter8(size), e.address(x.Mem), dst)
	case lir.Strides:
		name := e.Iota(size)
		s := e.scratchOf(x.Kind)
		e.Line("VPBROADCAST%s %d(AX), %s", q, x.Mem.Disp, s)
		if size == 4 {
			e.Line("VPMULLD %s(SB), %s, %s", name, s, dst)
		} else {
			e.Line("VPMULDQ %s(SB), %s, %s", name, s, dst)
		}
	case lir.Gather:
		switch {
		case e.ofRows(x):
			return e.loadRows(x, dst)
		case e.smallGrouped(x):
			e.loadSmallGroup(x, dst)
			return nil
		case x.From != 0:
			return e.gatherSmall(x, dst)
		}
		e.gather(x, dst)
	case lir.Scatter:
		return e.scatter(x)
	case lir.Atomic:
		return e.atomic(x)
	case lir.Tile, lir.Untile:
		return e.tile(x)
	case lir.Columns:
		return e.transpose(x)
	case lir.Load:
		if x.From != 0 {
			return e.loadSmall(x, dst)
		}
		a := e.address(x.Mem)
		switch {
		case x.On == 0:
			e.Line("VMOVU%s %s, %s", letter(x.Kind), a, dst)
		case wide:
			e.Line("VMOVU%s.Z %s, %s, %s", letter(x.Kind), a, r(x.On), dst)
		default:
			e.Line("VMASKMOV%s %s, %s, %s", letter(x.Kind), a, e.maskOf(x.Kind, x.On), dst)
		}
	case lir.Store:
		if x.From != 0 {
			return e.storeSmall(x)
		}
		if x.On != 0 && !wide {
			return e.storeMasked(x)
		}
		a := e.address(x.Mem)
		if x.On == 0 {
			e.Line("VMOVU%s %s, %s", letter(x.Kind), r(x.X), a)
		} else {
			e.Line("VMOVU%s %s, %s, %s", letter(x.Kind), r(x.X), r(x.On), a)
		}
	case lir.Total:
		e.total(x)
	case lir.Move:
		switch {
		case dst == r(x.X):
		case x.Kind == lir.Mask && wide:
			e.Line("KMOV%s %s, %s", e.maskLetter(), r(x.X), dst)
		default:
			e.Line("VMOVAPS %s, %s", r(x.X), dst)
		}
	case lir.Add, lir.Sub, lir.Mul, lir.Div:
		op := [...]string{"ADD", "SUB", "MUL", "DIV"}[x.Op-lir.Add]
		if x.Kind.IsFloat() {
			y, bcst := e.operand(x)
			e.Line("V%s%s%s %s, %s, %s", op, letter(x.Kind), bcst, y, r(x.X), dst)
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
		y, bcst := e.operand(x)
		e.Line("VP%s%s%s %s, %s, %s", op, q, bcst, y, r(x.X), dst)
	case lir.MulHi:
		if size == 8 {
			e.multiplyHigh64(x)
		} else {
			e.multiplyHigh32(x)
		}
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
		// AVX2 has no such shift; sign bits are inserted on the left
		if op == "VPSRA" && size == 8 && !wide {
			s := e.scratchOf(x.Kind)
			e.Line("VPSRLQ $%d, %s, %s", x.Imm, r(x.X), dst)
			e.splat(1<<(63-x.Imm), 8, s)
			e.Line("VPXOR %s, %s, %s", s, dst, dst)
			e.Line("VPSUBQ %s, %s, %s", s, dst, dst)
			break
		}
		e.Line("%s%s $%d, %s, %s", op, q, x.Imm, r(x.X), dst)
	case lir.Neg:
		s := e.scratchOf(x.Kind)
		if !x.Kind.IsFloat() {
			e.splat(0, size, s)
			e.Line("VPSUB%s %s, %s, %s", q, r(x.X), s, dst)
			break
		}
		e.splat(1<<(8*size-1), size, s)
		e.Line("VPXOR%s %s, %s, %s", map[bool]string{true: q}[wide], s, r(x.X), dst)
	case lir.Abs:
		s := e.scratchOf(x.Kind)
		e.splat(1<<(8*size-1)-1, size, s)
		e.Line("VPAND%s %s, %s, %s", map[bool]string{true: q}[wide], s, r(x.X), dst)
	case lir.Sqrt:
		e.Line("VSQRT%s %s, %s", letter(x.Kind), r(x.X), dst)
	case lir.Recip, lir.Rsqrt:
		if x.Kind != lir.F32 {
			return asm.ErrMissing
		}
		op := map[lir.Op]string{lir.Recip: "RCP", lir.Rsqrt: "RSQRT"}[x.Op]
		if wide {
			op += "14"
		}
		e.Line("V%sPS %s, %s", op, r(x.X), dst)
	case lir.Floor, lir.Ceil, lir.Trunc, lir.RoundToEven:
		mode := map[lir.Op]int{lir.Floor: 9, lir.Ceil: 10, lir.Trunc: 11, lir.RoundToEven: 8}[x.Op]
		if wide {
			e.Line("VRNDSCALE%s $%d, %s, %s", letter(x.Kind), mode, r(x.X), dst)
		} else {
			e.Line("VROUND%s $%d, %s, %s", letter(x.Kind), mode, r(x.X), dst)
		}
	case lir.Least:
		// If one operand is NaN, or both are zeros, the instruction returns its second source.
		// ORing the results of both operand orders gives the bits of a NaN and the sign of -0.
		s := e.scratchOf(x.Kind)
		e.Line("VMIN%s %s, %s, %s", letter(x.Kind), r(x.Y), r(x.X), s)
		e.Line("VMIN%s %s, %s, %s", letter(x.Kind), r(x.X), r(x.Y), dst)
		e.Line("VPOR%s %s, %s, %s", map[bool]string{true: q}[wide], s, dst, dst)
	case lir.Most:
		// For zeros the results of both orders are ANDed; then a NaN is merged in.
		s := e.scratchOf(x.Kind)
		e.Line("VMAX%s %s, %s, %s", letter(x.Kind), r(x.Y), r(x.X), s)
		e.Line("VMAX%s %s, %s, %s", letter(x.Kind), r(x.X), r(x.Y), r(x.Temps[0]))
		e.Line("VPAND%s %s, %s, %s", map[bool]string{true: q}[wide], s, r(x.Temps[0]), r(x.Temps[0]))
		e.Line("VADD%s %s, %s, %s", letter(x.Kind), r(x.Y), r(x.X), s) // NaN if one operand is
		if wide {
			m := e.scratchMask()
			e.Line("VCMP%s $3, %s, %s, %s", letter(x.Kind), r(x.Y), r(x.X), m)
			e.Line("VBLENDM%s %s, %s, %s, %s", letter(x.Kind), s, r(x.Temps[0]), m, dst)
		} else {
			e.Line("VCMP%s $3, %s, %s, %s", letter(x.Kind), r(x.Y), r(x.X), r(x.Temps[1]))
			e.Line("VBLENDV%s %s, %s, %s, %s", letter(x.Kind), r(x.Temps[1]), s, r(x.Temps[0]), dst)
		}
	case lir.ShlBy, lir.ShrBy:
		op, letter := "VPSLLV", map[int]string{4: "D", 8: "Q"}[size]
		if letter == "" {
			return asm.ErrMissing
		}
		if x.Op == lir.ShrBy {
			op = "VPSRLV"
			if x.Kind.IsSigned() {
				op = "VPSRAV"
			}
		}
		// AVX2 has no such shift; the sign bit is shifted as well, and subtracted
		if op == "VPSRAV" && size == 8 && !wide {
			s := e.scratchOf(x.Kind)
			e.splat(1<<63, 8, s)
			e.Line("VPSRLVQ %s, %s, %s", r(x.Y), s, s)
			e.Line("VPSRLVQ %s, %s, %s", r(x.Y), r(x.X), dst)
			e.Line("VPXOR %s, %s, %s", s, dst, dst)
			e.Line("VPSUBQ %s, %s, %s", s, dst, dst)
			break
		}
		e.Line("%s%s %s, %s, %s", op, letter, r(x.Y), r(x.X), dst)
	case lir.Bits:
		if dst != r(x.X) {
			e.Line("VMOVAPS %s, %s", r(x.X), dst)
		}
	case lir.FMA, lir.FNMA, lir.FMS:
		op := [...]string{"VFMADD", "VFNMADD", "VFMSUB"}[x.Op-lir.FMA]
		a, c := r(x.X), r(x.Z)
		b, bcst := e.operand(x)
		switch {
		case x.Fold != 0 && dst == a && dst != c:
			e.Line("%s132%s%s %s, %s, %s", op, letter(x.Kind), bcst, b, c, dst)
		case x.Fold != 0:
			if dst != c {
				e.Line("VMOVAPS %s, %s", c, dst)
			}
			e.Line("%s231%s%s %s, %s, %s", op, letter(x.Kind), bcst, b, a, dst)
		case dst == c:
			e.Line("%s231%s %s, %s, %s", op, letter(x.Kind), b, a, dst)
		case dst == a:
			e.Line("%s213%s %s, %s, %s", op, letter(x.Kind), c, b, dst)
		case dst == b:
			e.Line("%s213%s %s, %s, %s", op, letter(x.Kind), c, a, dst)
		default:
			e.Line("VMOVAPS %s, %s", c, dst)
			e.Line("%s231%s %s, %s, %s", op, letter(x.Kind), b, a, dst)
		}
	case lir.Min, lir.Max:
		op := [...]string{"MIN", "MAX"}[x.Op-lir.Min]
		if x.Kind.IsFloat() || size == 8 && !wide {
			return asm.ErrMissing
		}
		sign := "U"
		if x.Kind.IsSigned() {
			sign = "S"
		}
		y, bcst := e.operand(x)
		e.Line("VP%s%s%s%s %s, %s, %s", op, sign, q, bcst, y, r(x.X), dst)
	case lir.Convert:
		return e.convert(x, dst)
	case lir.Cmp:
		return e.compare(x, dst)
	case lir.Within:
		return e.within(x, dst)
	case lir.Whole:
		if err := e.Scalar(x.Bounds[0], "BX"); err != nil {
			return err
		}
		e.Line("NEGQ BX")
		e.Line("SARQ $63, BX")
		if wide {
			e.Line("KMOV%s BX, %s", e.maskLetter(), dst)
		} else {
			e.Line("VMOVQ BX, X%d", e.At[x.Dst])
			e.Line("VPBROADCASTQ X%d, %s", e.At[x.Dst], dst)
		}
	case lir.Spill, lir.Reload:
		at, v := fmt.Sprintf("%d(SP)", x.Imm), r(x.X|x.Dst)
		if e.Spills != "" {
			at = fmt.Sprintf("%d(%s)", int(x.Imm)-e.SpillsAt, e.Spills)
		}
		move := "VMOVUPS"
		if x.Kind == lir.Mask && wide {
			move = "KMOV" + e.maskLetter()
		}
		if x.Op == lir.Spill {
			e.Line("%s %s, %s", move, v, at)
		} else {
			e.Line("%s %s, %s", move, at, v)
		}
	case lir.Check:
		e.any([]lir.Value{x.X})
		e.Line("JNE %s", asm.Exit(x))
	case lir.Index:
		return e.index(x, dst)
	case lir.Bools:
		a, at := e.address(x.Mem), e.At[x.Dst]
		q, load := sizeLetter(e.Nest.Size), "VPMOVZXB"+sizeLetter(e.Nest.Size)
		if e.Nest.Size == 1 {
			load = map[bool]string{true: "VMOVDQU8", false: "VMOVDQU"}[wide]
		}
		if wide {
			s := fmt.Sprintf("%d", e.Vectors)
			e.Line("%s %s, Z%s", load, a, s)
			e.Line("VPTESTM%s Z%s, Z%s, %s", q, s, s, dst)
			break
		}
		e.Line("%s %s, Y%d", load, a, at)
		e.splat(0, 4, e.scratch())
		e.Line("VPCMPGT%s %s, %s, %s", q, e.scratch(), dst, dst)
	case lir.PutBool:
		return e.putBool(x)
	case lir.MaskOr:
		if wide {
			e.Line("KOR%s %s, %s, %s", e.maskLetter(), r(x.Y), r(x.X), dst)
		} else {
			e.Line("VORPS %s, %s, %s", r(x.Y), r(x.X), dst)
		}
	case lir.MaskAnd:
		if wide {
			e.Line("KAND%s %s, %s, %s", e.maskLetter(), r(x.Y), r(x.X), dst)
		} else {
			e.Line("VANDPS %s, %s, %s", r(x.Y), r(x.X), dst)
		}
	case lir.MaskNot: // X and not Y
		if wide {
			e.Line("KANDN%s %s, %s, %s", e.maskLetter(), r(x.X), r(x.Y), dst)
		} else {
			e.Line("VANDNPS %s, %s, %s", r(x.X), r(x.Y), dst)
		}
	case lir.Select:
		switch {
		case x.Fold != 0: // inactive lanes keep their contents
			if r(x.Z) != dst {
				e.Line("VMOVAPS %s, %s", r(x.Z), dst)
			}
			move := "VMOVU" + letter(x.Kind)
			if x.Fold == lir.Broadcast {
				move = "VBROADCASTS" + letter8(size)
			}
			e.Line("%s %s, %s, %s", move, e.address(x.Mem), r(x.X), dst)
		case wide:
			e.Line("VBLENDM%s %s, %s, %s, %s", letter(x.Kind), r(x.Y), r(x.Z), r(x.X), dst)
		default:
			e.Line("VBLENDV%s %s, %s, %s, %s", letter(x.Kind), e.maskOf(x.Kind, x.X), r(x.Y), r(x.Z), dst)
		}
	case lir.Shuffle:
		return e.shuffle(x)
	case lir.Ballot:
		e.ballot(x)
	default:
		return asm.ErrMissing
	}
	return nil
}

// index prints an arithmetic sequence over the lanes.
func (e *emitter) index(x *lir.Instr, dst string) error {
	size := x.Kind.Size()
	name, q := e.Iota(size), "D"
	if size == 8 {
		q = "Q"
	}
	splat := func(to string, number int) {
		if e.Masks > 0 {
			e.Line("VPBROADCAST%s BX, %s", q, to)
			return
		}
		e.Line("VMOVQ BX, X%d", number)
		e.Line("VPBROADCAST%s X%d, %s", q, number, to)
	}
	temp := e.Take()
	if temp == "" {
		return asm.ErrRegisters
	}
	defer func() { e.Give(temp) }()
	step := x.Bounds[1]
	if err := e.Scalar(step, "BX"); err != nil {
		return err
	}
	splat(dst, e.At[x.Dst])
	if size == 4 {
		e.Line("VPMULLD %s(SB), %s, %s", name, dst, dst)
	} else {
		e.Line("VPMULDQ %s(SB), %s, %s", name, dst, dst) // the step fits in 32 bits
	}
	e.Line("LEAQ %d(DX), %s", x.Part*e.Lanes(e.Nest.Size), temp)
	e.Line("IMULQ BX, %s", temp)
	if err := e.Scalar(x.Bounds[0], "BX"); err != nil {
		return err
	}
	e.Line("ADDQ %s, BX", temp)
	splat(e.scratchOf(x.Kind), e.Vectors)
	e.Line("VPADD%s %s, %s, %s", q, e.scratchOf(x.Kind), dst, dst)
	return nil
}
