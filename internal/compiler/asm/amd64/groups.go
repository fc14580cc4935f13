package amd64

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Strided accesses with small strides: reverse order, as x[n-1-i], and every second to fourth
// element, as x[2*i] or the fields of structs. Whole vectors are loaded or stored, and their lanes
// permuted.

// grouped reports whether x is such a load, or such a store if the machine has masks for it.
func (e *emitter) grouped(x *lir.Instr) bool {
	if x.Every == 0 || x.On != 0 || x.From != 0 || x.Kind.Size() != e.Nest.Size {
		return false
	}
	if x.Every > 4 {
		return false
	}
	return x.Every == -1 || x.Op == lir.Gather || e.Masks > 0
}

// vectorsOf returns the offsets, in elements from that of lane 0, of vectors that contain the
// elements of all lanes and none behind the last one.
func (e *emitter) vectorsOf(every int) (begins []int) {
	lanes := e.Lanes(e.Nest.Size)
	if every < 0 {
		return []int{1 - lanes}
	}
	last := every*(lanes-1) + 1 - lanes
	for at := 0; at < last; at += lanes {
		begins = append(begins, at)
	}
	return append(begins, last)
}

// loadGroup prints a load.
func (e *emitter) loadGroup(x *lir.Instr, dst string) {
	e.strided(x)
	size, lanes, begins := x.Kind.Size(), e.Lanes(e.Nest.Size), e.vectorsOf(x.Every)
	place := func(v int) string { return fmt.Sprintf("%d(BX)", x.Mem.Disp+begins[v]*size) }
	// from is the vector that contains lane i's element, and the position in it.
	from := func(i int) (v, at int) {
		for v = len(begins) - 1; v > 0 && x.Every*i < begins[v]; v-- {
		}
		return v, x.Every*i - begins[v]
	}
	if e.Masks > 0 && len(begins) > 1 {
		// The accumulated vector and the next one are the two tables of a permutation; the result
		// overwrites the register of the pattern.
		last, next := e.scratch(), dst
		if len(begins)%2 == 1 {
			last, next = dst, last
		}
		e.Line("VMOVUPS %s, %s", place(0), last)
		for v := 1; v < len(begins); v++ {
			pattern := make([]uint8, lanes)
			for i := range pattern {
				switch of, at := from(i); {
				case of == v:
					pattern[i] = uint8(lanes + at)
				case of < v && v == 1:
					pattern[i] = uint8(at)
				default:
					pattern[i] = uint8(i)
				}
			}
			e.Line("VMOVUPS %s(SB), %s", e.pattern(pattern, size), next)
			e.Line("VPERMI2%s %s, %s, %s", letter(floats(x.Kind)), place(v), last, next)
			last, next = next, last
		}
		return
	}
	for v := range begins {
		pattern, mask := make([]uint8, lanes), 0
		for i := range pattern {
			if of, at := from(i); of == v {
				pattern[i], mask = uint8(at), mask|1<<i
			}
		}
		to := dst
		if v > 0 {
			to = e.scratch()
		}
		e.permute(pattern, place(v), to, x.Kind)
		if v > 0 {
			e.Line("VBLEND%s $%d, %s, %s, %s", letter(floats(x.Kind)), mask, to, dst, dst)
		}
	}
}

// storeGroup prints a store.
func (e *emitter) storeGroup(x *lir.Instr) error {
	e.strided(x)
	size, lanes := x.Kind.Size(), e.Lanes(e.Nest.Size)
	if x.Every == -1 {
		pattern := make([]uint8, lanes)
		for i := range pattern {
			pattern[i] = uint8(lanes - 1 - i)
		}
		e.permute(pattern, e.reg(x.X), e.scratch(), x.Kind)
		e.Line("VMOVUPS %s, %d(BX)", e.scratch(), x.Mem.Disp-(lanes-1)*size)
		return nil
	}
	temp := e.Take()
	if temp == "" {
		return asm.ErrRegisters
	}
	defer func() { e.Give(temp) }()
	for v := range x.Every {
		pattern, mask := make([]uint8, lanes), 0
		for i := range lanes {
			if at := x.Every*i - v*lanes; 0 <= at && at < lanes {
				pattern[at], mask = uint8(i), mask|1<<at
			}
		}
		e.permute(pattern, e.reg(x.X), e.scratch(), x.Kind)
		e.Line("MOVL $%d, %s", mask, temp)
		e.Line("KMOVW %s, %s", temp, e.scratchMask())
		e.Line("VMOVU%s %s, %s, %d(BX)", letter(floats(x.Kind)), e.scratch(), e.scratchMask(), x.Mem.Disp+v*lanes*size)
	}
	return nil
}

// smallGrouped reports whether x accesses every second to fourth number of 8 or 16 bits, as the
// channels of pixels, or loads them in reverse order, and the machine supports it. For a load, the
// numbers of four lanes must be in 16 bytes; for a store, the machine needs byte masks.
func (e *emitter) smallGrouped(x *lir.Instr) bool {
	if x.Every == 0 || x.On != 0 || x.From == 0 || x.Kind.Size() != 4 || e.narrow(x.Kind) {
		return false
	}
	size := x.From.Size()
	if x.Op == lir.Gather {
		return size*(3*max(x.Every, -x.Every)+1) <= 16
	}
	return e.Masks > 0 && x.Every > 0 && x.Every <= 4 && (size == 1 || x.Every == 2)
}

// loadSmallGroup prints a load. Each 128 bits load 16 bytes with the numbers of four lanes, none of
// them behind the last number, and shuffle the bytes.
func (e *emitter) loadSmallGroup(x *lir.Instr, dst string) {
	e.strided(x)
	size, lanes := x.From.Size(), e.Lanes(4)
	step := size * max(x.Every, -x.Every)
	end := step*(lanes-1) + size
	// the offset of a lane's number from the lowest one
	from, disp := func(i int) int { return step * i }, x.Mem.Disp
	if x.Every < 0 {
		from, disp = func(i int) int { return step * (lanes - 1 - i) }, disp-step*(lanes-1)
	}
	signed := x.From == lir.I8 || x.From == lir.I16
	name := strings.ReplaceAll(fmt.Sprintf("gocudaEvery%d_%d_%d", x.Every, size, lanes), "-", "back")
	if end < 16 { // fewer than 16 bytes: two overlapping loads of 8 bytes
		s := fmt.Sprintf("X%d", e.Vectors)
		pattern := make([]byte, 16)
		for i := range pattern {
			if pattern[i] = 0x80; i < lanes {
				if pattern[i] = byte(from(i)); from(i) >= 8 {
					pattern[i] = byte(16 - end + from(i))
				}
			}
		}
		e.Line("VMOVQ %d(BX), %s", disp, s)
		e.Line("VPINSRQ $1, %d(BX), %s, %s", disp+end-8, s, s)
		e.Line("VPSHUFB %s(SB), %s, %s", e.bytes(name+"_packed", pattern), s, s)
		e.Line("%s %s, %s", map[bool]string{false: "VPMOVZXBD", true: "VPMOVSXBD"}[signed], s, dst)
		return
	}
	pattern := make([]byte, 4*lanes)
	for g := range lanes / 4 {
		first := min(from(4*g), from(4*g+3), end-16)
		place := fmt.Sprintf("%d(BX)", disp+first)
		e.loadPart(g, place, dst)
		for i := range 16 {
			pattern[16*g+i] = 0x80
		}
		for i := range 4 {
			for j := range size {
				to := 4*i + j
				if signed {
					to += 4 - size
				}
				pattern[16*g+to] = byte(from(4*g+i) - first + j)
			}
		}
	}
	if signed {
		name += "_high"
	}
	e.Line("VPSHUFB %s(SB), %s, %s", e.bytes(name, pattern), dst, dst)
	if signed {
		e.Line("VPSRAD $%d, %s, %s", 32-8*size, dst, dst)
	}
}

// loadPart prints the load of the n-th 128 bits of a register; the first clears the others.
func (e *emitter) loadPart(n int, place, to string) {
	switch {
	case n == 0:
		e.Line("VMOVUPS %s, X%s", place, to[1:])
	case e.Masks > 0:
		e.Line("VINSERTI32X4 $%d, %s, %s, %s", n, place, to, to)
	default:
		e.Line("VINSERTI128 $%d, %s, %s, %s", n, place, to, to)
	}
}

// storeSmallGroup prints a store under a byte mask.
func (e *emitter) storeSmallGroup(x *lir.Instr) error {
	temp := e.Take()
	if temp == "" {
		return asm.ErrRegisters
	}
	defer func() { e.Give(temp) }()
	e.strided(x)
	size, v, n := x.From.Size(), e.reg(x.X), e.Vectors
	store := func(of string, mask uint64, disp int) {
		e.Line("MOVQ $%#x, %s", mask, temp)
		e.Line("KMOVQ %s, %s", temp, e.scratchMask())
		e.Line("VMOVDQU8 %s, %s, %d(BX)", of, e.scratchMask(), x.Mem.Disp+disp)
	}
	switch step := size * x.Every; {
	case step == 4 && size == 2:
		store(v, 0x3333333333333333, 0)
	case step == 4:
		store(v, 0x1111111111111111, 0)
	case step == 2:
		e.Line("VPMOVDW %s, Y%d", v, n)
		store(fmt.Sprintf("Y%d", n), 0x55555555, 0)
	default: // every third byte
		pattern, mask := make([]byte, 64), uint64(0)
		for i := range pattern {
			pattern[i] = 0x80
			if i%3 == 0 && i < 48 {
				pattern[i], mask = byte(i/3), mask|1<<i
			}
		}
		e.Line("VPMOVDB %s, X%d", v, n)
		e.Line("VSHUFI32X4 $0, Z%d, Z%d, Z%d", n, n, n)
		e.Line("VPSHUFB %s(SB), Z%d, Z%d", e.bytes("gocudaThirds", pattern), n, n)
		store(fmt.Sprintf("Z%d", n), mask, 0)
	}
	return nil
}

// bytes returns the name of a constant; the length of list must be a multiple of 8.
func (e *emitter) bytes(name string, list []byte) string {
	var text strings.Builder
	name += "<>"
	for i := 0; i < len(list); i += 8 {
		fmt.Fprintf(&text, "DATA %s+%d(SB)/8, $%#016x\n", name, i, binary.LittleEndian.Uint64(list[i:]))
	}
	fmt.Fprintf(&text, "GLOBL %s(SB), RODATA|NOPTR, $%d\n", name, len(list))
	e.Constant(name, text.String())
	return name
}

// permute sets lane i of to to lane pattern[i] of from, which may be in memory.
func (e *emitter) permute(pattern []uint8, from, to string, k lir.Kind) {
	if e.Masks == 0 && k.Size() == 8 {
		e.Line("VPERMPD $%d, %s, %s", quarters(pattern), from, to)
		return
	}
	e.Line("VMOVUPS %s(SB), %s", e.pattern(pattern, k.Size()), e.scratch())
	e.Line("VPERM%s %s, %s, %s", letter(floats(k)), from, e.scratch(), to)
}
