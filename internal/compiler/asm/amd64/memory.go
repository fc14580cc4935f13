package amd64

import (
	"fmt"
	"math"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Loads and stores, gathers, scatters and transposed tiles.

// address returns the operand of a memory access, and prints the computation of its pointer if that
// is not in a register.
func (e *emitter) address(m lir.Mem) string {
	g := e.Nest.Groups[m.Group]
	r := e.Ptr[m.Group]
	switch {
	case g.Row != nil:
		r = "BX"
		e.row(g.Row, r)
		e.addDistance(m.Group, r)
	case r == "" || strings.HasSuffix(r, "(SP)"):
		r = "BX"
		e.Pointer(m.Group, r)
	}
	if m.Uniform {
		return fmt.Sprintf("%d(%s)", m.Disp, r)
	}
	return fmt.Sprintf("%d(%s)(DX*%d)", m.Disp+m.Part*e.Lanes(e.Nest.Size)*g.Size, r, g.Size)
}

// row sets a register to the beginning of a row.
func (e *emitter) row(of *lir.Row, to string) {
	r := e.Ptr[of.Group]
	if r == "" || asm.InFrame(r) {
		e.Pointer(of.Group, to)
		r = to
	}
	e.Line("MOVQ %d(%s), %s", of.Disp, r, to)
}

// addDistance adds the distance that is the pointer g of rows to a register.
func (e *emitter) addDistance(g int, to string) {
	if r := e.Ptr[g]; r != "" { // perhaps in the frame
		e.Line("ADDQ %s, %s", r, to)
	} else {
		e.Line("ADDQ %d(AX), %s", e.Nest.Groups[g].Off, to)
	}
}

// Prefetch prefetches a line into the second-level cache: rows a page apart would evict each other
// from the first.
func (e *emitter) Prefetch(m lir.Mem) { e.Line("PREFETCHT1 %s", e.address(m)) }

// putBool prints a store of bools.
func (e *emitter) putBool(x *lir.Instr) error {
	a, v := e.address(x.Mem), e.reg(x.X)
	s := e.Vectors
	if e.Masks > 0 {
		ones, w := "gocudaOnes<>", map[int]string{1: "Z", 2: "Y"}[e.Nest.Size]
		if w == "" {
			w = "X"
		}
		text := ""
		for i := range 8 {
			text += fmt.Sprintf("DATA %s+%d(SB)/8, $0x0101010101010101\n", ones, 8*i)
		}
		e.Constant(ones, text+fmt.Sprintf("GLOBL %s(SB), RODATA|NOPTR, $64\n", ones))
		e.Line("VMOVDQU8.Z %s(SB), %s, %s%d", ones, v, w, s)
		on := e.scratchMask()
		if x.On != 0 {
			on = e.reg(x.On)
		} else {
			e.Line("KXNOR%[1]s %[2]s, %[2]s, %[2]s", e.maskLetter(), on)
			if n := e.Lanes(e.Nest.Size); n < 16 {
				e.Line("KSHIFTRW $%d, %s, %s", 16-n, on, on)
			}
		}
		e.Line("VMOVDQU8 %s%d, %s, %s", w, s, on, a)
		return nil
	}
	if e.tiny() {
		return e.putBoolLanes(x, a)
	}
	temp := e.Take()
	bytes := e.Take()
	if temp == "" || bytes == "" {
		return asm.ErrRegisters
	}
	defer func() { e.Give(bytes, temp) }()
	// A mask becomes one byte of ones or zeros per lane.
	narrow := func(v lir.Value, to string) {
		e.Line("VEXTRACTI128 $1, %s, X%d", e.reg(v), s)
		e.Line("VPACKSSDW X%d, X%d, X%d", s, e.At[v], s)
		e.Line("VPACKSSWB X%d, X%d, X%d", s, s, s)
		if e.Nest.Size == 8 { // two bytes per lane
			e.Line("VPACKSSWB X%d, X%d, X%d", s, s, s)
		}
		e.Line("VMOVQ X%d, %s", s, to)
	}
	move, and, xor := "MOVQ", "ANDQ", "XORQ"
	if e.Nest.Size == 8 {
		move, and, xor = "MOVL", "ANDL", "XORL"
	}
	pattern := "$0x0101010101010101"
	if e.Nest.Size == 8 {
		pattern = "$0x01010101"
	}
	narrow(x.X, bytes)
	e.Line("MOVQ %s, %s", pattern, temp)
	e.Line("%s %s, %s", and, temp, bytes)
	if x.On != 0 {
		// Inactive lanes keep their bytes: old ^ ((old ^ new) & on).
		narrow(x.On, temp)
		e.Line("%s %s, %s", xor, a, bytes)
		e.Line("%s %s, %s", and, temp, bytes)
		e.Line("%s %s, %s", xor, a, bytes)
	}
	e.Line("%s %s, %s", move, bytes, a)
	return nil
}

// putBoolLanes is putBool for AVX2 with lanes of 8 and 16 bits.
func (e *emitter) putBoolLanes(x *lir.Instr, a string) error {
	s, w := e.Vectors, map[int]string{1: "Y", 2: "X"}[e.Nest.Size]
	if len(x.Temps) == 0 {
		return asm.ErrMissing
	}
	ones := "gocudaOnes32<>"
	e.Constant(ones, fmt.Sprintf("DATA %[1]s+0(SB)/8, $0x0101010101010101\nDATA %[1]s+8(SB)/8, $0x0101010101010101\nDATA %[1]s+16(SB)/8, $0x0101010101010101\nDATA %[1]s+24(SB)/8, $0x0101010101010101\nGLOBL %[1]s(SB), RODATA|NOPTR, $32\n", ones))
	// bytes sets a register to a byte for each lane of a mask.
	bytes := func(v lir.Value, to int) {
		if e.Nest.Size == 1 {
			e.Line("VMOVAPS Y%d, Y%d", e.At[v], to)
			return
		}
		e.Line("VEXTRACTI128 $1, Y%d, X%d", e.At[v], to)
		e.Line("VPACKSSWB X%d, X%d, X%d", to, e.At[v], to)
	}
	bytes(x.X, s)
	e.Line("VPAND %s(SB), %s%d, %s%d", ones, w, s, w, s)
	if x.On != 0 { // inactive lanes keep their bytes
		t := e.At[x.Temps[0]]
		bytes(x.On, t)
		e.Line("VPXOR %s, %s%d, %s%d", a, w, s, w, s)
		e.Line("VPAND %s%d, %s%d, %s%d", w, t, w, s, w, s)
		e.Line("VPXOR %s, %s%d, %s%d", a, w, s, w, s)
	}
	e.Line("VMOVDQU %s%d, %s", w, s, a)
	return nil
}

// strided sets BX to the address of lane 0's element, or where lanes have rows of their own, of its row's
// header.
func (e *emitter) strided(x *lir.Instr) {
	at := x.Mem.Group
	row := e.Nest.Groups[at].Row
	if row != nil && row.Lanes {
		at = row.Group
	}
	if row != nil && !row.Lanes {
		e.NeedFrame(asm.LanesAt + 8)
		e.row(row, "BX")
		e.addDistance(at, "BX")
		e.Line("MOVQ BX, %d(SP)", asm.LanesAt)
	}
	e.Line("LEAQ %d(DX), BX", x.Mem.Part*e.Lanes(e.Nest.Size))
	e.Line("IMULQ %d(AX), BX", x.Mem.Stride)
	switch r := e.Ptr[at]; {
	case row != nil && !row.Lanes:
		e.Line("ADDQ %d(SP), BX", asm.LanesAt)
	case r != "": // perhaps in the frame
		e.Line("ADDQ %s, BX", r)
	default:
		e.Line("ADDQ %d(AX), BX", e.Nest.Groups[at].Base)
		e.Line("ADDQ %d(AX), BX", e.Nest.Groups[at].Off)
	}
}

// ofLane sets a register to the address of a lane's element in a row of its own; BX is as strided leaves
// it.
func (e *emitter) ofLane(x *lir.Instr, l lane, to string) {
	row := e.Nest.Groups[x.Mem.Group].Row
	if l.isKnown {
		e.Line("MOVQ %d(BX), %s", row.Disp, to)
		if l.number < e.Lanes(e.Nest.Size)-1 {
			e.Line("ADDQ %d(AX), BX", x.Mem.Stride)
		}
	} else {
		e.Line("MOVQ %s, %s", l.at, to)
		e.Line("IMULQ %d(AX), %s", x.Mem.Stride, to)
		e.Line("MOVQ %d(BX)(%s*1), %s", row.Disp, to, to)
	}
	e.addDistance(x.Mem.Group, to)
}

// ofRows reports whether the lanes of x have rows of their own.
func (e *emitter) ofRows(x *lir.Instr) bool {
	row := e.Nest.Groups[x.Mem.Group].Row
	return row != nil && row.Lanes
}

// loadRows prints a load by lanes with rows of their own, lane by lane, through the frame.
func (e *emitter) loadRows(x *lir.Instr, dst string) error {
	e.strided(x)
	e.NeedFrame(e.Bytes)
	if x.On != 0 {
		e.Line("VXORPS X%d, X%[1]d, X%[1]d", e.Vectors)
		e.Line("VMOVUPS %s, 0(SP)", e.scratch())
	}
	load, store := "MOVL", "MOVL"
	switch x.From {
	case lir.U8:
		load = "MOVBLZX"
	case lir.I8:
		load = "MOVBLSX"
	case lir.U16:
		load = "MOVWLZX"
	case lir.I16:
		load = "MOVWLSX"
	default:
		if x.Kind.Size() == 8 {
			load, store = "MOVQ", "MOVQ"
		}
	}
	err := e.eachLane(x.On, func(l lane, temp string) {
		e.ofLane(x, l, temp)
		e.Line("%s %d(%s), %s", load, x.Mem.Disp, temp, temp)
		e.Line("%s %s, %s", store, temp, l.of(0, "SP", x.Kind.Size()))
	})
	e.Line("VMOVUPS 0(SP), %s", dst)
	return err
}

// storeRows prints a store by lanes with rows of their own.
func (e *emitter) storeRows(x *lir.Instr) error {
	e.strided(x)
	e.NeedFrame(e.Bytes)
	e.Line("VMOVUPS %s, 0(SP)", e.reg(x.X))
	value := e.Take()
	if value == "" {
		return asm.ErrRegisters
	}
	defer func() { e.Give(value) }()
	load, store := "MOVL", "MOVL"
	switch {
	case x.From != 0:
		store = map[int]string{1: "MOVB", 2: "MOVW"}[x.From.Size()]
	case x.Kind.Size() == 8:
		load, store = "MOVQ", "MOVQ"
	}
	return e.eachLane(x.On, func(l lane, temp string) {
		e.Line("%s %s, %s", load, l.of(0, "SP", x.Kind.Size()), value)
		e.ofLane(x, l, temp)
		e.Line("%s %s, %d(%s)", store, value, x.Mem.Disp, temp)
	})
}

// gather prints a gather.
func (e *emitter) gather(x *lir.Instr, dst string) {
	if e.grouped(x) {
		e.loadGroup(x, dst)
		return
	}
	e.strided(x)
	defer e.swaps(x, x.X, func(place string) { e.loadSwapped(x, place, dst) })()
	op := "VGATHER" + e.indexLetter(x.X) + letter(x.Kind)
	place := fmt.Sprintf("%d(BX)(%s*%d)", x.Mem.Disp, e.reg(x.X), x.Kind.Size())
	if e.Masks > 0 {
		if x.On != 0 {
			e.Line("KMOVW %s, %s", e.reg(x.On), e.scratchMask())
		} else {
			e.Line("KXNORW %s, %s, %s", e.scratchMask(), e.scratchMask(), e.scratchMask())
		}
		e.Line("VPXORD %s, %s, %s", dst, dst, dst)
		e.Line("%s %s, %s, %s", op, place, e.scratchMask(), dst)
		return
	}
	s := e.scratchOf(x.Kind)
	if x.On == 0 {
		e.Line("VPCMPEQD %s, %s, %s", s, s, s)
	} else if m := e.maskOf(x.Kind, x.On); m != s {
		e.Line("VMOVAPS %s, %s", m, s)
	}
	e.Line("VPXOR %s, %s, %s", dst, dst, dst)
	e.Line("%s %s, %s, %s", op, s, place, dst)
}

// swaps prints an access of lanes to the elements of an aligned vector in another order, if the access is one (see
// lir.Instr.Swaps), behind what strided prints. do prints it for the place of that vector, which begins at the offset
// of lane 0 without its low bits. The access of other lanes is to be printed before what swaps returns is called.
func (e *emitter) swaps(x *lir.Instr, index lir.Value, do func(place string)) (end func()) {
	size := x.Kind.Size()
	if x.Swaps == 0 || x.From != 0 || size != e.Nest.Size || e.Nest.Kinds[index].Size() != 4 {
		return func() {}
	}
	at := e.Take()
	if at == "" {
		return func() {}
	}
	others, behind := e.NewLabel(), e.NewLabel()
	e.Line("CMPQ %d(AX), $0", x.Swaps)
	e.Line("JEQ %s", others)
	e.Line("VMOVD X%d, %s", e.At[index], at)
	e.Line("ANDL $%d, %s", -e.Lanes(size), at)
	do(fmt.Sprintf("%d(BX)(%s*%d)", x.Mem.Disp, at, size))
	e.Give(at)
	e.Line("JMP %s", behind)
	e.Label(others)
	return func() { e.Label(behind) }
}

// order returns the register that controls a permutation of vectors by the low bits of an index, and the instruction
// for it. With elements of 8 bytes that is the scratch register, and temp is overwritten: AVX2 permutes their halves.
func (e *emitter) order(k lir.Kind, index lir.Value, temp string) (by, permute string) {
	if k.Size() == 4 {
		return e.reg(index), "VPERMPS"
	}
	s := fmt.Sprintf("%s%d", e.whole(), e.Vectors)
	e.Line("VPMOVZXDQ %s, %s", e.reg(index), s)
	if e.Masks > 0 {
		return s, "VPERMPD"
	}
	e.Line("VPADDQ %s, %s, %s", s, s, s)
	e.Line("VPSLLQ $32, %s, %s", s, temp)
	e.Line("VPOR %s, %s, %s", temp, s, s)
	e.Line("VPOR %s(SB), %s, %s", e.doubles(1<<32), s, s)
	return s, "VPERMPS"
}

// loadSwapped prints a load of the vector at a place, and its permutation. A mask is permuted as well: the lanes of a
// permutation by S ^ i are exchanged in pairs, so that the same one takes them there and back.
func (e *emitter) loadSwapped(x *lir.Instr, place, dst string) {
	by, permute := e.order(x.Kind, x.X, dst)
	switch {
	case x.On == 0:
		e.Line("%s %s, %s, %s", permute, place, by, dst)
		return
	case e.Masks > 0:
		e.permutedMask(x, by, dst)
		e.Line("VMOVU%s.Z %s, %s, %s", letter(x.Kind), place, e.scratchMask(), dst)
	default:
		e.Line("%s %s, %s, %s", permute, e.reg(x.On), by, dst)
		e.Line("VMASKMOV%s %s, %s, %s", letter(x.Kind), place, dst, dst)
	}
	e.Line("%s %s, %s, %s", permute, dst, by, dst)
}

// storeSwapped prints a permutation and a store of a vector.
func (e *emitter) storeSwapped(x *lir.Instr, place string) {
	temp, s := fmt.Sprintf("%s%d", e.whole(), e.At[x.Temps[0]]), fmt.Sprintf("%s%d", e.whole(), e.Vectors)
	by, permute := e.order(x.Kind, x.Y, temp)
	switch {
	case x.On == 0:
		e.Line("%s %s, %s, %s", permute, e.reg(x.X), by, s)
		e.Line("VMOVUPS %s, %s", s, place)
	case e.Masks > 0:
		e.permutedMask(x, by, temp)
		e.Line("%s %s, %s, %s", permute, e.reg(x.X), by, s)
		e.Line("VMOVU%s %s, %s, %s", letter(x.Kind), s, e.scratchMask(), place)
	default: // as in storeMasked
		end, all := e.NewLabel(), e.NewLabel()
		e.Line("%s %s, %s, %s", permute, e.reg(x.On), by, temp)
		e.Line("VTEST%s %s, %s", letter(x.Kind), temp, temp)
		e.Line("JEQ %s", end)
		e.Line("%s %s, %s, %s", permute, e.reg(x.X), by, s)
		e.Line("VTEST%s %s(SB), %s", letter(x.Kind), e.doubles(math.MaxUint64), temp)
		e.Line("JCS %s", all)
		e.Line("VMASKMOV%s %s, %s, %s", letter(x.Kind), s, temp, place)
		e.Line("JMP %s", end)
		e.Label(all)
		e.Line("VMOVUPS %s, %s", s, place)
		e.Label(end)
	}
}

// permutedMask sets the scratch mask to the mask of an access with its lanes permuted. It overwrites temp.
func (e *emitter) permutedMask(x *lir.Instr, by, temp string) {
	q := map[int]string{4: "D", 8: "Q"}[x.Kind.Size()]
	e.Line("VPMOVM2%s %s, %s", q, e.reg(x.On), temp)
	e.Line("VPERM%s %s, %s, %s", q, temp, by, temp)
	e.Line("VPMOV%s2M %s, %s", q, temp, e.scratchMask())
}

// indexLetter is the part of an instruction's name for the size of indices.
func (e *emitter) indexLetter(index lir.Value) string {
	if e.Nest.Kinds[index].Size() == 8 {
		return "Q"
	}
	return "D"
}

// scatter prints a scatter. With all lanes active it is a store for each: LU of matrices of 8 by 8 took
// 1.3 ms with the instruction, and 0.89 so (Zen 4).
func (e *emitter) scatter(x *lir.Instr) error {
	switch {
	case e.ofRows(x):
		return e.storeRows(x)
	case e.grouped(x):
		return e.storeGroup(x)
	case e.smallGrouped(x):
		return e.storeSmallGroup(x)
	}
	e.strided(x)
	defer e.swaps(x, x.Y, func(place string) { e.storeSwapped(x, place) })()
	if e.Masks > 0 && x.From == 0 && x.On != 0 {
		op := "VSCATTER" + e.indexLetter(x.Y) + letter(x.Kind)
		if x.On != 0 {
			e.Line("KMOVW %s, %s", e.reg(x.On), e.scratchMask())
		} else {
			e.Line("KXNORW %s, %s, %s", e.scratchMask(), e.scratchMask(), e.scratchMask())
		}
		e.Line("%s %s, %s, %d(BX)(%s*%d)", op, e.reg(x.X), e.scratchMask(), x.Mem.Disp, e.reg(x.Y), x.Kind.Size())
		return nil
	}
	// Lane by lane, through the frame.
	e.NeedFrame(2 * e.Bytes)
	e.Line("VMOVUPS %s, 0(SP)", e.reg(x.X))
	anyIndex := x.Imm != 0
	if anyIndex {
		e.Line("VMOVUPS %s, %d(SP)", e.reg(x.Y), e.Bytes)
	}
	move, index := "MOVL", "MOVLQSX"
	store, scale := move, x.Kind.Size()
	switch {
	case x.From != 0:
		store, scale = map[int]string{1: "MOVB", 2: "MOVW"}[x.From.Size()], x.From.Size()
	case x.Kind.Size() == 8:
		move, store = "MOVQ", "MOVQ"
	}
	if e.Nest.Kinds[x.Y].Size() == 8 {
		index = "MOVQ"
	}
	return e.eachLane(x.On, func(l lane, temp string) {
		e.Line("%s %s, %s", move, l.of(0, "SP", x.Kind.Size()), temp)
		at := fmt.Sprintf("%d(BX)", x.Mem.Disp)
		switch {
		case anyIndex:
			e.Line("%s %s, %s", index, l.of(e.Bytes, "SP", e.Nest.Kinds[x.Y].Size()), l.at)
			at = fmt.Sprintf("%d(BX)(%s*%d)", x.Mem.Disp, l.at, scale)
		case l.isKnown && x.Every != 0:
			at = fmt.Sprintf("%d(BX)", x.Mem.Disp+l.number*x.Every*scale)
		case l.isKnown:
		default:
			e.Line("IMULQ %d(AX), %s", x.Mem.Stride, l.at)
			at = fmt.Sprintf("%d(BX)(%s*1)", x.Mem.Disp, l.at)
		}
		e.Line("%s %s, %s", store, temp, at)
		if l.isKnown && !anyIndex && x.Every == 0 && l.number < e.Lanes(e.Nest.Size)-1 {
			e.Line("ADDQ %d(AX), BX", x.Mem.Stride)
		}
	})
}

// tile prints the transposition of a square between memory and the frame. Rows are loaded in pieces
// of 128 bits. A vector collects the pieces of rows that belong in its lanes, from the same
// columns; then each group of pieces is transposed in registers.
func (e *emitter) tile(x *lir.Instr) error {
	if e.narrow(x.Kind) {
		return asm.ErrMissing
	}
	frame := e.Take()
	if frame == "" {
		return asm.ErrRegisters
	}
	defer func() { e.Give(frame) }()
	size := x.Kind.Size()
	in := 16 / size // elements of a piece, and rows of a small square
	pieces := e.Bytes / 16
	reg := func(i int, kind string) string { return fmt.Sprintf("%s%d", kind, e.At[x.Temps[i]]) }
	e.Frame(int(x.Imm), frame)
	back, last := x.Op == lir.Untile, pieces*in-1
	// BX points to the next row of memory, or to its header.
	next := func(row int) {
		if row < last {
			e.Line("ADDQ %d(AX), BX", x.Mem.Stride)
		}
	}
	begin, rows := "BX", e.ofRows(x)
	if rows {
		if begin = e.Take(); begin == "" {
			return asm.ErrRegisters
		}
		defer func() { e.Give(begin) }()
	}
	enter := func() {
		if rows {
			e.Line("MOVQ %d(BX), %s", e.Nest.Groups[x.Mem.Group].Row.Disp, begin)
			e.addDistance(x.Mem.Group, begin)
		}
	}
	from := func(row, c int) string { return fmt.Sprintf("%d(%s)", x.Mem.Disp+16*c, begin) }
	store := func(row int, r string) { e.Line("VMOVUPS %s, %d(%s)", r, row*e.Bytes, frame) }
	if back {
		from = func(row, c int) string { return fmt.Sprintf("%d(%s)", row*e.Bytes+16*c, frame) }
		store = func(row int, r string) {
			enter()
			e.Line("VMOVUPS %s, %d(%s)", r, x.Mem.Disp, begin)
			next(row)
		}
		e.strided(x)
	}
	insert := "VINSERTF128"
	if e.Masks > 0 {
		insert = "VINSERTF32X4"
	}
	together := e.Columns
	for first := 0; first < pieces; first += together {
		if !back {
			e.strided(x)
		}
		for j := range pieces {
			for r := range in {
				if !back {
					enter()
				}
				// a row's pieces are in one cache line, and rows may evict each other
				for c := range together {
					at := from(j*in+r, first+c)
					if j == 0 {
						e.Line("VMOVUPS %s, %s", at, reg(c*in+r, "X"))
					} else {
						e.Line("%s $%d, %s, %s, %s", insert, j, at, reg(c*in+r, e.whole()), reg(c*in+r, e.whole()))
					}
				}
				if !back {
					next(j*in + r)
				}
			}
		}
		for c := range together {
			v := func(i int) string { return reg(c*in+i, e.whole()) }
			t := func(i int) string { return reg(together*in+i, e.whole()) }
			e.squares(in, v, t, func(row int, r string) { store(in*(first+c)+row, r) })
		}
	}
	return nil
}

// squares transposes small squares of in rows, which are side by side in the registers v, and stores the
// new rows. The registers t are temporaries.
func (e *emitter) squares(in int, v, t func(i int) string, store func(row int, r string)) {
	if in == 2 {
		e.Line("VUNPCKLPD %s, %s, %s", v(1), v(0), t(0))
		e.Line("VUNPCKHPD %s, %s, %s", v(1), v(0), t(1))
		store(0, t(0))
		store(1, t(1))
		return
	}
	e.Line("VUNPCKLPS %s, %s, %s", v(1), v(0), t(0))
	e.Line("VUNPCKHPS %s, %s, %s", v(1), v(0), t(1))
	e.Line("VUNPCKLPS %s, %s, %s", v(3), v(2), t(2))
	e.Line("VUNPCKHPS %s, %s, %s", v(3), v(2), t(3))
	for k, op := range []string{"VUNPCKLPD", "VUNPCKHPD", "VUNPCKLPD", "VUNPCKHPD"} {
		e.Line("%s %s, %s, %s", op, t(2+k/2), t(k/2), v(k))
		store(k, v(k))
	}
}
