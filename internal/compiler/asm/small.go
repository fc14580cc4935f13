package asm

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Numbers of 8 and 16 bits, which have 32 in registers.

// extend is the instruction that reads one into a register.
func extend(k lir.Kind) string {
	return map[lir.Kind]string{lir.U8: "MOVBLZX", lir.I8: "MOVBLSX", lir.U16: "MOVWLZX", lir.I16: "MOVWLSX"}[k]
}

// loadSmall prints a load of neighbours.
func (e *emitter) loadSmall(x *lir.Instr, dst string) error {
	op := map[lir.Kind]string{lir.U8: "VPMOVZXBD", lir.I8: "VPMOVSXBD", lir.U16: "VPMOVZXWD", lir.I16: "VPMOVSXWD"}[x.From]
	a := e.address(x.Mem)
	if x.On == 0 {
		e.line("%s %s, %s", op, a, dst)
		return nil
	}
	if e.masks > 0 {
		e.line("%s.Z %s, %s, %s", op, a, e.reg(x.On), dst)
		return nil
	}
	s := e.scratchOf(x.Kind)
	e.splat(0, 4, s)
	e.line("VMOVUPS %s, 0(SP)", s)
	err := e.eachLane(x.On, func(i int, temp string) {
		e.line("%s %s, %s", extend(x.From), e.laneAddress(x, i), temp)
		e.line("MOVL %s, %d(SP)", temp, 4*i)
	})
	e.frame = max(e.frame, e.Bytes)
	e.line("VMOVUPS 0(SP), %s", dst)
	return err
}

// laneAddress is where the element of lane i is.
func (e *emitter) laneAddress(x *lir.Instr, i int) string {
	m := x.Mem
	m.Disp += i * x.From.Size()
	return e.address(m)
}

// eachLane prints what is done for each lane that is on, one after the other, with a register.
func (e *emitter) eachLane(mask lir.Value, do func(i int, temp string)) error {
	temp, on := e.take(), ""
	if temp == "" {
		return errRegisters
	}
	defer func() { e.free = append(e.free, temp) }()
	if mask != 0 {
		if on = e.take(); on == "" {
			return errRegisters
		}
		defer func() { e.free = append(e.free, on) }()
		e.line("VMOVMSKP%s %s, %s", letter8(e.n.Size), e.reg(mask), on)
	}
	for i := range e.Lanes(e.n.Size) {
		skip := e.newLabel()
		if on != "" {
			e.line("BTL $%d, %s", i, on)
			e.line("JCC %s", skip)
		}
		do(i, temp)
		if on != "" {
			e.label(skip)
		}
	}
	return nil
}

// storeSmall prints a store of neighbours.
func (e *emitter) storeSmall(x *lir.Instr) error {
	v, a, size := e.reg(x.X), e.address(x.Mem), x.From.Size()
	if e.masks > 0 {
		op := map[int]string{1: "VPMOVDB", 2: "VPMOVDW"}[size]
		if x.On == 0 {
			e.line("%s %s, %s", op, v, a)
		} else {
			e.line("%s %s, %s, %s", op, v, e.reg(x.On), a)
		}
		return nil
	}
	if x.On != 0 {
		e.frame = max(e.frame, e.Bytes)
		e.line("VMOVUPS %s, 0(SP)", v)
		move := map[int]string{1: "MOVB", 2: "MOVW"}[size]
		return e.eachLane(x.On, func(i int, temp string) {
			e.line("MOVL %d(SP), %s", 4*i, temp)
			e.line("%s %s, %s", move, temp, e.laneAddress(x, i))
		})
	}
	// The low bytes of the numbers of each 128 bits are put together, and then those of both.
	name, pattern := "gocudaBytes<>", [2]string{"0xffffffff0c080400", "0xffffffffffffffff"}
	if size == 2 {
		name, pattern = "gocudaWords<>", [2]string{"0x0d0c090805040100", "0xffffffffffffffff"}
	}
	e.constant(name, fmt.Sprintf("DATA %s+0(SB)/8, $%s\nDATA %s+8(SB)/8, $%s\nDATA %s+16(SB)/8, $%s\nDATA %s+24(SB)/8, $%s\nGLOBL %s(SB), RODATA|NOPTR, $32\n",
		name, pattern[0], name, pattern[1], name, pattern[0], name, pattern[1], name))
	s := e.vectors
	if e.narrow(x.Kind) {
		e.line("VPSHUFB %s(SB), %s, X%d", name, v, s)
		e.line("%s X%d, %s", map[int]string{1: "VMOVD", 2: "VMOVQ"}[size], s, a)
		return nil
	}
	e.line("VPSHUFB %s(SB), %s, Y%d", name, v, s)
	if size == 1 {
		// The 4 bytes of the high half go behind those of the low one.
		e.line("VPERMQ $0x08, Y%d, Y%d", s, s)
		e.line("VPSHUFD $0x08, X%d, X%d", s, s)
		e.line("VMOVQ X%d, %s", s, a)
		return nil
	}
	e.line("VPERMQ $0x08, Y%d, Y%d", s, s)
	e.line("VMOVDQU X%d, %s", s, a)
	return nil
}

// gatherSmall prints a load at distances: of the four bytes around each number that are aligned, which are in memory where it is. The number
// is shifted to their upper end, and from there down.
func (e *emitter) gatherSmall(x *lir.Instr, dst string) error {
	if e.n.Kinds[x.X].Size() != 4 {
		return errMissing
	}
	size := x.From.Size()
	low := e.take()
	if low == "" {
		return errRegisters
	}
	defer func() { e.free = append(e.free, low) }()
	w, s := e.width(x.Kind), e.scratchOf(x.Kind)
	at, shift := fmt.Sprintf("%s%d", w, e.at[x.Temps[0]]), fmt.Sprintf("%s%d", w, e.at[x.Temps[1]])
	e.strided(x)
	e.line("ADDQ $%d, BX", x.Mem.Disp)
	e.line("MOVQ BX, %s", low)
	e.line("ANDQ $3, %s", low)
	e.line("ANDQ $-4, BX")
	if e.masks > 0 {
		e.line("VPBROADCASTD %s, %s", low, s)
	} else {
		e.line("VMOVD %s, X%d", low, e.vectors)
		e.line("VPBROADCASTD X%d, %s", e.vectors, s)
	}
	bytes := e.reg(x.X)
	if size == 2 {
		e.line("VPSLLD $1, %s, %s", bytes, shift)
		bytes = shift
	}
	e.line("VPADDD %s, %s, %s", s, bytes, shift)
	e.line("VPSRAD $2, %s, %s", shift, at)
	// By 8 times 3 - n, or 2 - n, for byte n of the four.
	e.splat(uint64(4-size), 4, s)
	q := map[bool]string{true: "D"}[e.masks > 0]
	e.line("VPANDN%s %s, %s, %s", q, s, shift, shift)
	e.line("VPSLLD $3, %s, %s", shift, shift)
	mask := s
	if e.masks > 0 {
		mask = e.scratchMask()
		if x.On != 0 {
			e.line("KMOVW %s, %s", e.reg(x.On), mask)
		} else {
			e.line("KXNORW %s, %s, %s", mask, mask, mask)
		}
		e.line("VPXORD %s, %s, %s", dst, dst, dst)
		e.line("VPGATHERDD 0(BX)(%s*4), %s, %s", at, mask, dst)
	} else {
		if x.On == 0 {
			e.line("VPCMPEQD %s, %s, %s", s, s, s)
		} else if m := e.maskOf(x.Kind, x.On); m != s {
			e.line("VMOVAPS %s, %s", m, s)
		}
		e.line("VPXOR %s, %s, %s", dst, dst, dst)
		e.line("VPGATHERDD %s, 0(BX)(%s*4), %s", s, at, dst)
	}
	e.line("VPSLLVD %s, %s, %s", shift, dst, dst)
	down := "VPSRLD"
	if x.From == lir.I8 || x.From == lir.I16 {
		down = "VPSRAD"
	}
	e.line("%s $%d, %s, %s", down, 32-8*size, dst, dst)
	return nil
}
