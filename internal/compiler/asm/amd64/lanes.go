package amd64

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Nests with lanes of 8 and 16 bits: the instructions for bytes and words, and what these lack.

// tiny reports whether the lanes of the nest have 8 or 16 bits.
func (e *emitter) tiny() bool { return e.Nest.Size < 4 }

// sizeLetter is the suffix of instructions for integers of a size in bytes.
func sizeLetter(size int) string { return map[int]string{1: "B", 2: "W", 4: "D", 8: "Q"}[size] }

// maskLetter is the suffix of instructions for whole masks of the nest.
func (e *emitter) maskLetter() string {
	switch n := e.Lanes(e.Nest.Size); {
	case n > 32:
		return "Q"
	case n > 16:
		return "D"
	}
	return "W"
}

// instrOfLanes prints an instruction for values of 8 or 16 bits, and reports whether x is one. Bit
// operations and masks are those of other sizes.
func (e *emitter) instrOfLanes(x *lir.Instr, dst string) (done bool, err error) {
	r, size, wide := e.reg, x.Kind.Size(), e.Masks > 0
	q := sizeLetter(size)
	sign := map[bool]string{true: "S", false: "U"}[x.Kind.IsSigned()]
	three := func(op string) {
		y, _ := e.operand(x)
		e.Line("%s %s, %s, %s", op, y, r(x.X), dst)
	}
	switch x.Op {
	case lir.Const:
		e.splat(x.Imm, size, dst)
	case lir.Arg:
		e.Line("VPBROADCAST%s %d(AX), %s", q, x.Mem.Disp, dst)
	case lir.Broadcast:
		if x.From == 0 {
			e.Line("VPBROADCAST%s %s, %s", q, e.address(x.Mem), dst)
			break
		}
		e.Line("%s %s, BX", extend(x.From), e.address(x.Mem))
		if wide {
			e.Line("VPBROADCAST%s BX, %s", q, dst)
		} else {
			e.Line("VMOVD BX, X%d", e.At[x.Dst])
			e.Line("VPBROADCAST%s X%d, %s", q, e.At[x.Dst], dst)
		}
	case lir.Load:
		return true, e.loadLanes(x, dst)
	case lir.Gather:
		e.loadLaneGroup(x, dst)
	case lir.Store:
		return true, e.storeLanes(x)
	case lir.Add:
		three("VPADD" + q)
	case lir.Sub:
		three("VPSUB" + q)
	case lir.AddSat, lir.SubSat:
		name := map[lir.Op]string{lir.AddSat: "ADD", lir.SubSat: "SUB"}[x.Op]
		if sign == "U" {
			name += "U"
		}
		three("VP" + name + "S" + q)
	case lir.Mul:
		if size == 1 {
			return true, asm.ErrMissing
		}
		three("VPMULLW")
	case lir.MulHi:
		if size == 1 {
			return true, asm.ErrMissing
		}
		three(map[string]string{"S": "VPMULHW", "U": "VPMULHUW"}[sign])
	case lir.Min, lir.Max:
		three(map[lir.Op]string{lir.Min: "VPMIN", lir.Max: "VPMAX"}[x.Op] + sign + q)
	case lir.Neg:
		s := e.scratch()
		e.splat(0, 4, s)
		e.Line("VPSUB%s %s, %s, %s", q, r(x.X), s, dst)
	case lir.Div:
		return true, e.divideWords(x)
	case lir.Shl, lir.Shr:
		e.shiftLanes(x, dst)
	case lir.ShlBy, lir.ShrBy:
		if size == 1 || !wide {
			return true, asm.ErrMissing
		}
		op := "VPSLLVW"
		if x.Op == lir.ShrBy {
			op = map[string]string{"S": "VPSRAVW", "U": "VPSRLVW"}[sign]
		}
		e.Line("%s %s, %s, %s", op, r(x.Y), r(x.X), dst)
	case lir.Select:
		switch {
		case x.Fold != 0: // inactive lanes keep their contents
			if r(x.Z) != dst {
				e.Line("VMOVAPS %s, %s", r(x.Z), dst)
			}
			e.Line("VMOVDQU%d %s, %s, %s", 8*size, e.address(x.Mem), r(x.X), dst)
		case wide:
			e.Line("VPBLENDM%s %s, %s, %s, %s", q, r(x.Y), r(x.Z), r(x.X), dst)
		default:
			e.Line("VPBLENDVB %s, %s, %s, %s", r(x.X), r(x.Y), r(x.Z), dst)
		}
	default:
		return false, nil
	}
	return true, nil
}

// shiftLanes prints a shift by a constant.
func (e *emitter) shiftLanes(x *lir.Instr, dst string) {
	op := "VPSRLW"
	switch {
	case x.Op == lir.Shl:
		op = "VPSLLW"
	case x.Kind == lir.I16:
		op = "VPSRAW"
	}
	e.Line("%s $%d, %s, %s", op, x.Imm, e.reg(x.X), dst)
}

// loadLanes prints a load of neighbours.
func (e *emitter) loadLanes(x *lir.Instr, dst string) error {
	move := func(mask, dst string) {
		op := map[lir.Kind]string{lir.U8: "VPMOVZXBW", lir.I8: "VPMOVSXBW"}[x.From]
		switch {
		case op != "":
		case e.Masks > 0:
			op = fmt.Sprintf("VMOVDQU%d", 8*x.Kind.Size())
		default:
			op = "VMOVDQU"
		}
		if mask == "" {
			e.Line("%s %s, %s", op, e.address(x.Mem), dst)
		} else {
			e.Line("%s.Z %s, %s, %s", op, e.address(x.Mem), mask, dst)
		}
	}
	switch {
	case x.On == 0:
		move("", dst)
		return nil
	case e.Masks > 0:
		move(e.reg(x.On), dst)
		return nil
	}
	size := x.Kind.Size()
	if x.From != 0 {
		size = x.From.Size()
	}
	return e.inPage(x, size, func() {
		move("", e.scratch())
		e.Line("VANDPS %s, %s, %s", e.reg(x.On), e.scratch(), dst)
	}, func() error {
		s := e.scratch()
		e.splat(0, 4, s)
		e.Line("VMOVUPS %s, 0(SP)", s)
		e.Line("LEAQ %s, BX", e.address(x.Mem))
		load := extend(x.From)
		if x.From == 0 {
			load = map[int]string{1: "MOVBLZX", 2: "MOVWLZX"}[size]
		}
		err := e.eachLane(x.On, func(l lane, temp string) {
			e.Line("%s %s, %s", load, l.of(0, "BX", size), temp)
			e.Line("MOV%s %s, %s", sizeMove(x.Kind.Size()), temp, l.of(0, "SP", x.Kind.Size()))
		})
		e.NeedFrame(e.Bytes)
		e.Line("VMOVUPS 0(SP), %s", dst)
		return err
	})
}

// sizeMove is the suffix of moves between integer registers and memory.
func sizeMove(size int) string { return map[int]string{1: "B", 2: "W", 4: "L", 8: "Q"}[size] }

// storeLanes prints a store of neighbours.
func (e *emitter) storeLanes(x *lir.Instr) error {
	v, a := e.reg(x.X), e.address(x.Mem)
	if e.Masks > 0 {
		op := fmt.Sprintf("VMOVDQU%d", 8*x.Kind.Size())
		if x.From != 0 {
			op = "VPMOVWB"
		}
		if x.On == 0 {
			e.Line("%s %s, %s", op, v, a)
		} else {
			e.Line("%s %s, %s, %s", op, v, e.reg(x.On), a)
		}
		return nil
	}
	all := func() {
		if x.From == 0 {
			e.Line("VMOVDQU %s, %s", v, e.address(x.Mem))
			return
		}
		// the low bytes, in range, are packed in each 128 bits, and the halves are joined
		s := e.Vectors
		e.splat(0x00ff, 2, e.scratch())
		e.Line("VPAND %s, Y%d, Y%d", v, s, s)
		e.Line("VPACKUSWB Y%d, Y%d, Y%d", s, s, s)
		e.Line("VPERMQ $0x08, Y%d, Y%d", s, s)
		e.Line("VMOVDQU X%d, %s", s, e.address(x.Mem))
	}
	if x.On == 0 {
		all()
		return nil
	}
	return e.whereAll(x.On, all, func() error {
		size := x.Kind.Size()
		if x.From != 0 {
			size = x.From.Size()
		}
		e.NeedFrame(e.Bytes)
		e.Line("VMOVUPS %s, 0(SP)", v)
		e.Line("LEAQ %s, BX", e.address(x.Mem))
		return e.eachLane(x.On, func(l lane, temp string) {
			e.Line("%s %s, %s", map[int]string{1: "MOVBLZX", 2: "MOVWLZX"}[x.Kind.Size()], l.of(0, "SP", x.Kind.Size()), temp)
			e.Line("MOV%s %s, %s", sizeMove(size), temp, l.of(0, "BX", size))
		})
	})
}

// loadLaneGroup prints a load of every second to fourth number, or in reverse order. Each 128 bits of the
// result take bytes from one or several loads of 16 bytes, none of which are behind the last number. For
// bytes that become words AVX-512 permutes words, and shifts the byte that is meant to their top.
func (e *emitter) loadLaneGroup(x *lir.Instr, dst string) {
	e.strided(x)
	to, size := x.Kind.Size(), x.Kind.Size()
	if x.From != 0 {
		size = x.From.Size()
	}
	lanes := e.Lanes(to)
	signed := x.From == lir.I8
	step, disp := size*x.Every, x.Mem.Disp
	name := fmt.Sprintf("gocudaEvery%d_%d_%d_%d", x.Every, size, to, lanes)
	if x.Every < 0 {
		name = fmt.Sprintf("gocudaBack%d_%d_%d", size, to, lanes)
	}
	down := map[bool]string{true: "VPSRAW", false: "VPSRLW"}[signed]
	if e.Masks > 0 && to == 2 && size == 1 && x.Every > 2 {
		second := step*(lanes-1) + 1 - 64
		var words, shifts []byte
		for i := range lanes {
			at, table := step*i, 0
			if at >= 64 {
				at, table = at-second, 32
			}
			words = append(words, byte(table+at/2), 0)
			shifts = append(shifts, byte(8-at%2*8), 0)
		}
		e.Line("VMOVDQU8 %d(BX), %s", disp, dst)
		e.Line("VMOVDQU8 %s(SB), %s", e.bytes(name+"_words", words), e.scratch())
		e.Line("VPERMI2W %d(BX), %s, %s", disp+second, dst, e.scratch())
		e.Line("VPSLLVW %s(SB), %s, %s", e.bytes(name+"_shifts", shifts), e.scratch(), dst)
		e.Line("%s $8, %s, %s", down, dst, dst)
		return
	}
	in := 16 / to // lanes in 128 bits
	// the offset of a lane's number from the lowest one
	from := func(i int) int { return step * i }
	if x.Every < 0 {
		from, disp = func(i int) int { return step * (i + 1 - lanes) }, disp+step*(lanes-1)
	}
	end := max(from(0), from(lanes-1)) + size
	span := max(from(0), from(in-1)) - min(from(0), from(in-1)) + size
	for load := range (span + 15) / 16 {
		target := dst
		if load > 0 {
			target = e.scratch()
		}
		pattern := make([]byte, to*lanes)
		for g := range lanes / in {
			low := min(from(in*g), from(in*g+in-1))
			first := min(low+16*load, low+max(span-16, 0), end-16)
			place := fmt.Sprintf("%d(BX)", disp+first)
			e.loadPart(g, place, target)
			for i := range 16 {
				pattern[16*g+i] = 0x80
			}
			for i := range in {
				at := from(in*g+i) - first
				// a number may be in two loads: it is taken from the first
				if before := from(in*g+i) - min(low+16*(load-1), low+max(span-16, 0), end-16); at < 0 || at+size > 16 || load > 0 && before >= 0 && before+size <= 16 {
					continue
				}
				for j := range size {
					k := to*i + j
					if signed {
						k++
					}
					pattern[16*g+k] = byte(at + j)
				}
			}
		}
		e.Line("VPSHUFB %s(SB), %s, %s", e.bytes(fmt.Sprintf("%s_%d%v", name, load, signed), pattern), target, target)
		if load > 0 {
			e.Line("VPOR%s %s, %s, %s", map[bool]string{true: "D"}[e.Masks > 0], target, dst, dst)
		}
	}
	if signed {
		e.Line("%s $8, %s, %s", down, dst, dst)
	}
}

// laneBits sets an integer register to a bit for each lane of a mask that is a vector. It overwrites the
// scratch register where lanes have 16 bits.
func (e *emitter) laneBits(mask lir.Value, to string) {
	switch e.Nest.Size {
	case 1:
		e.Line("VPMOVMSKB %s, %s", e.reg(mask), to)
	case 2:
		e.Line("VEXTRACTI128 $1, %s, X%d", e.reg(mask), e.Vectors)
		e.Line("VPACKSSWB X%d, X%d, X%d", e.Vectors, e.At[mask], e.Vectors)
		e.Line("VPMOVMSKB X%d, %s", e.Vectors, to)
	default:
		e.Line("VMOVMSKP%s %s, %s", letter8(e.Nest.Size), e.reg(mask), to)
	}
}

// divideWords prints a quotient of 16-bit integers, of which float32 represents the operands exactly. The
// quotient of two such integers is no nearer to the next larger integer than a rounding error.
func (e *emitter) divideWords(x *lir.Instr) error {
	if x.Kind.Size() != 2 || len(x.Temps) < 2 {
		return asm.ErrMissing
	}
	wide, s := e.Masks > 0, e.Vectors
	extend := map[bool]string{true: "VPMOVSXWD", false: "VPMOVZXWD"}[x.Kind.IsSigned()]
	w, half := e.whole(), e.half()
	t, u := e.At[x.Temps[0]], e.At[x.Temps[1]]
	of := func(a, b, d, u int) { // the quotients of half a vector each, in 32 bits
		for _, p := range [][2]int{{b, u}, {a, d}} {
			e.Line("%s %s%d, %s%d", extend, half, p[0], w, p[1])
			e.Line("VCVTDQ2PS %s%d, %s%d", w, p[1], w, p[1])
		}
		e.Line("VDIVPS %s%d, %s%d, %s%d", w, u, w, d, w, d)
		e.Line("VCVTTPS2DQ %s%d, %s%d", w, d, w, d)
	}
	extract := "VEXTRACTI128"
	if wide {
		extract = "VEXTRACTI64X4"
	}
	a, b, d := e.At[x.X], e.At[x.Y], e.At[x.Dst]
	e.Line("%s $1, %s%d, %s%d", extract, w, a, half, t)
	e.Line("%s $1, %s%d, %s%d", extract, w, b, half, s)
	of(t, s, t, u)
	of(a, b, s, u)
	if wide {
		e.Line("VPMOVDW Z%d, Y%d", t, t)
		e.Line("VPMOVDW Z%d, Y%d", s, s)
		e.Line("VINSERTI64X4 $1, Y%d, Z%d, Z%d", t, s, d)
		return nil
	}
	// the low words of each 128 bits are collected, then the 64-bit pieces put in order
	words := "gocudaLowWords<>"
	e.Constant(words, fmt.Sprintf("DATA %[1]s+0(SB)/8, $0x0d0c090805040100\nDATA %[1]s+8(SB)/8, $0x0d0c090805040100\nDATA %[1]s+16(SB)/8, $0x0d0c090805040100\nDATA %[1]s+24(SB)/8, $0x0d0c090805040100\nGLOBL %[1]s(SB), RODATA|NOPTR, $32\n", words))
	e.Line("VPSHUFB %s(SB), Y%d, Y%d", words, t, t)
	e.Line("VPSHUFB %s(SB), Y%d, Y%d", words, s, s)
	e.Line("VPUNPCKLQDQ Y%d, Y%d, Y%d", t, s, d)
	e.Line("VPERMQ $0xd8, Y%d, Y%d", d, d)
	return nil
}
