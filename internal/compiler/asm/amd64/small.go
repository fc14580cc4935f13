package amd64

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Loads and stores of numbers of 8 and 16 bits, which occupy 32 bits in registers.

// extend is the load of such a number into an integer register.
func extend(k lir.Kind) string {
	return map[lir.Kind]string{lir.U8: "MOVBLZX", lir.I8: "MOVBLSX", lir.U16: "MOVWLZX", lir.I16: "MOVWLSX"}[k]
}

// loadSmall prints a load of neighbours.
func (e *emitter) loadSmall(x *lir.Instr, dst string) error {
	op := map[lir.Kind]string{lir.U8: "VPMOVZXBD", lir.I8: "VPMOVSXBD", lir.U16: "VPMOVZXWD", lir.I16: "VPMOVSXWD"}[x.From]
	whole := func() { e.Line("%s %s, %s", op, e.address(x.Mem), dst) }
	if x.On == 0 {
		whole()
		return nil
	}
	if e.Masks > 0 {
		e.Line("%s.Z %s, %s, %s", op, e.address(x.Mem), e.reg(x.On), dst)
		return nil
	}
	lanes := func() error {
		s := e.scratchOf(x.Kind)
		e.splat(0, 4, s)
		e.Line("VMOVUPS %s, 0(SP)", s)
		e.Line("LEAQ %s, BX", e.address(x.Mem))
		err := e.eachLane(x.On, func(l lane, temp string) {
			e.Line("%s %s, %s", extend(x.From), l.of(0, "BX", x.From.Size()), temp)
			e.Line("MOVL %s, %s", temp, l.of(0, "SP", 4))
		})
		e.NeedFrame(e.Bytes)
		e.Line("VMOVUPS 0(SP), %s", dst)
		return err
	}
	if e.narrow(x.Kind) {
		return e.whereAll(x.On, whole, lanes)
	}
	return e.inPage(x, x.From.Size(), func() {
		e.Line("%s %s, %s", op, e.address(x.Mem), e.scratch())
		e.Line("VANDPS %s, %s, %s", e.reg(x.On), e.scratch(), dst)
	}, lanes)
}

// inPage prints a masked load by a machine without masks for it. A whole vector, of elements of a size in
// bytes, may be read if a lane is active and all bytes are in one page: that page is mapped, as the active
// lane's byte is. The bytes of inactive lanes are discarded.
func (e *emitter) inPage(x *lir.Instr, size int, all func(), lanes func() error) error {
	slow, end := e.NewLabel(), e.NewLabel()
	e.Line("LEAQ %s, BX", e.address(x.Mem))
	e.Line("ANDL $%d, BX", pageBytes-1)
	e.Line("CMPL BX, $%d", pageBytes-e.Lanes(e.Nest.Size)*size)
	e.Line("JHI %s", slow)
	e.any([]lir.Value{x.On})
	e.Line("JEQ %s", slow)
	all()
	e.Line("JMP %s", end)
	e.Label(slow)
	err := lanes()
	e.Label(end)
	return err
}

// pageBytes is the size of the smallest pages of amd64.
const pageBytes = 4096

// whereAll prints a branch on whether all lanes of a mask are active. AVX2 has no masked stores of
// numbers of 8 and 16 bits, but most vectors have no inactive lane.
func (e *emitter) whereAll(mask lir.Value, all func(), otherwise func() error) error {
	whole, end := e.NewLabel(), e.NewLabel()
	e.laneBits(mask, "BX")
	e.Line("CMPL BX, $%d", int32(uint32(1<<e.Lanes(e.Nest.Size)-1)))
	e.Line("JEQ %s", whole)
	if err := otherwise(); err != nil {
		return err
	}
	e.Line("JMP %s", end)
	e.Label(whole)
	all()
	e.Label(end)
	return nil
}

// A lane is a lane in a lane-by-lane operation: its number is a constant, or in the register at.
type lane struct {
	number  int
	isKnown bool
	at      string // a register that the operation may overwrite
}

// of is the lane's element of an array with elements of size bytes, which begins disp bytes behind
// the register's address.
func (l lane) of(disp int, register string, size int) string {
	if l.isKnown {
		return fmt.Sprintf("%d(%s)", disp+l.number*size, register)
	}
	return fmt.Sprintf("%d(%s)(%s*%d)", disp, register, l.at, size)
}

// eachLane prints an operation for every active lane in turn, with a temporary register.
func (e *emitter) eachLane(mask lir.Value, do func(l lane, temp string)) error {
	temp, at := e.Take(), e.Take()
	if temp == "" || at == "" {
		return asm.ErrRegisters
	}
	defer func() { e.Give(temp, at) }()
	if mask == 0 {
		for i := range e.Lanes(e.Nest.Size) {
			do(lane{i, true, at}, temp)
		}
		return nil
	}
	on := e.Take()
	if on == "" {
		return asm.ErrRegisters
	}
	defer func() { e.Give(on) }()
	if e.Masks > 0 {
		e.Line("KMOVW %s, %s", e.reg(mask), on)
		if lanes := e.Lanes(e.Nest.Size); lanes < 16 {
			e.Line("ANDL $%d, %s", 1<<lanes-1, on)
		}
	} else {
		e.laneBits(mask, on)
	}
	top, end := e.NewLabel(), e.NewLabel()
	e.Line("TESTL %s, %s", on, on)
	e.Line("JEQ %s", end)
	e.Label(top)
	e.Line("TZCNTL %s, %s", on, at)
	do(lane{at: at}, temp)
	e.Line("BLSRL %s, %s", on, on)
	e.Line("JNE %s", top)
	e.Label(end)
	return nil
}

// storeSmall prints a store of neighbours.
func (e *emitter) storeSmall(x *lir.Instr) error {
	v, size := e.reg(x.X), x.From.Size()
	switch {
	case e.Masks > 0:
		op, a := map[int]string{1: "VPMOVDB", 2: "VPMOVDW"}[size], e.address(x.Mem)
		if x.On == 0 {
			e.Line("%s %s, %s", op, v, a)
		} else {
			e.Line("%s %s, %s, %s", op, v, e.reg(x.On), a)
		}
		return nil
	case x.On == 0:
		e.storeAllSmall(x)
		return nil
	}
	return e.whereAll(x.On, func() { e.storeAllSmall(x) }, func() error {
		e.NeedFrame(e.Bytes)
		e.Line("VMOVUPS %s, 0(SP)", v)
		move := map[int]string{1: "MOVB", 2: "MOVW"}[size]
		e.Line("LEAQ %s, BX", e.address(x.Mem))
		return e.eachLane(x.On, func(l lane, temp string) {
			e.Line("MOVL %s, %s", l.of(0, "SP", 4), temp)
			e.Line("%s %s, %s", move, temp, l.of(0, "BX", size))
		})
	})
}

// storeMasked prints a masked store for AVX2. Some processors take a dozen cycles for the
// instruction, even if no lane is active: then it is skipped, and if all lanes are active an
// unmasked store takes its place.
func (e *emitter) storeMasked(x *lir.Instr) error {
	end := e.NewLabel()
	e.any([]lir.Value{x.On})
	e.Line("JEQ %s", end)
	err := e.whereAll(x.On, func() { e.Line("VMOVU%s %s, %s", letter(x.Kind), e.reg(x.X), e.address(x.Mem)) }, func() error {
		mask := e.maskOf(x.Kind, x.On)
		e.Line("VMASKMOV%s %s, %s, %s", letter(x.Kind), e.reg(x.X), mask, e.address(x.Mem))
		return nil
	})
	e.Label(end)
	return err
}

// storeAllSmall prints a store of all lanes for AVX2.
func (e *emitter) storeAllSmall(x *lir.Instr) {
	v, a, size := e.reg(x.X), e.address(x.Mem), x.From.Size()
	// The low bytes are collected in each 128 bits, then those of both halves are joined.
	name, pattern := "gocudaBytes<>", [2]string{"0xffffffff0c080400", "0xffffffffffffffff"}
	if size == 2 {
		name, pattern = "gocudaWords<>", [2]string{"0x0d0c090805040100", "0xffffffffffffffff"}
	}
	e.Constant(name, fmt.Sprintf("DATA %s+0(SB)/8, $%s\nDATA %s+8(SB)/8, $%s\nDATA %s+16(SB)/8, $%s\nDATA %s+24(SB)/8, $%s\nGLOBL %s(SB), RODATA|NOPTR, $32\n",
		name, pattern[0], name, pattern[1], name, pattern[0], name, pattern[1], name))
	s := e.Vectors
	if e.narrow(x.Kind) {
		e.Line("VPSHUFB %s(SB), %s, X%d", name, v, s)
		e.Line("%s X%d, %s", map[int]string{1: "VMOVD", 2: "VMOVQ"}[size], s, a)
		return
	}
	e.Line("VPSHUFB %s(SB), %s, Y%d", name, v, s)
	if size == 1 {
		// The 4 bytes of the high half are moved behind those of the low half.
		e.Line("VPERMQ $0x08, Y%d, Y%d", s, s)
		e.Line("VPSHUFD $0x08, X%d, X%d", s, s)
		e.Line("VMOVQ X%d, %s", s, a)
		return
	}
	e.Line("VPERMQ $0x08, Y%d, Y%d", s, s)
	e.Line("VMOVDQU X%d, %s", s, a)
}

// gatherSmall prints a gather. It loads the aligned 4 bytes that contain each number, which are
// mapped since the number is, and shifts the number to the upper end and down again.
func (e *emitter) gatherSmall(x *lir.Instr, dst string) error {
	if e.Nest.Kinds[x.X].Size() != 4 {
		return asm.ErrMissing
	}
	size := x.From.Size()
	low := e.Take()
	if low == "" {
		return asm.ErrRegisters
	}
	defer func() { e.Give(low) }()
	w, s := e.width(x.Kind), e.scratchOf(x.Kind)
	at, shift := fmt.Sprintf("%s%d", w, e.At[x.Temps[0]]), fmt.Sprintf("%s%d", w, e.At[x.Temps[1]])
	e.strided(x)
	e.Line("ADDQ $%d, BX", x.Mem.Disp)
	e.Line("MOVQ BX, %s", low)
	e.Line("ANDQ $3, %s", low)
	e.Line("ANDQ $-4, BX")
	if e.Masks > 0 {
		e.Line("VPBROADCASTD %s, %s", low, s)
	} else {
		e.Line("VMOVD %s, X%d", low, e.Vectors)
		e.Line("VPBROADCASTD X%d, %s", e.Vectors, s)
	}
	bytes := e.reg(x.X)
	if size == 2 {
		e.Line("VPSLLD $1, %s, %s", bytes, shift)
		bytes = shift
	}
	e.Line("VPADDD %s, %s, %s", s, bytes, shift)
	e.Line("VPSRAD $2, %s, %s", shift, at)
	// The shift is 8 times 3 - n for bytes, and 2 - n for words, where n is the offset in the 4
	// bytes.
	e.splat(uint64(4-size), 4, s)
	q := map[bool]string{true: "D"}[e.Masks > 0]
	e.Line("VPANDN%s %s, %s, %s", q, s, shift, shift)
	e.Line("VPSLLD $3, %s, %s", shift, shift)
	mask := s
	if e.Masks > 0 {
		mask = e.scratchMask()
		if x.On != 0 {
			e.Line("KMOVW %s, %s", e.reg(x.On), mask)
		} else {
			e.Line("KXNORW %s, %s, %s", mask, mask, mask)
		}
		e.Line("VPXORD %s, %s, %s", dst, dst, dst)
		e.Line("VPGATHERDD 0(BX)(%s*4), %s, %s", at, mask, dst)
	} else {
		if x.On == 0 {
			e.Line("VPCMPEQD %s, %s, %s", s, s, s)
		} else if m := e.maskOf(x.Kind, x.On); m != s {
			e.Line("VMOVAPS %s, %s", m, s)
		}
		e.Line("VPXOR %s, %s, %s", dst, dst, dst)
		e.Line("VPGATHERDD %s, 0(BX)(%s*4), %s", s, at, dst)
	}
	e.Line("VPSLLVD %s, %s, %s", shift, dst, dst)
	down := "VPSRLD"
	if x.From == lir.I8 || x.From == lir.I16 {
		down = "VPSRAD"
	}
	e.Line("%s $%d, %s, %s", down, 32-8*size, dst, dst)
	return nil
}
