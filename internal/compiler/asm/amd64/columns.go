package amd64

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Columns: several fields of structs, as p[i].X, p[i].Y and p[i].Z of every eighth number. In place of a
// gather for each, 16 bytes of each lane's struct are loaded, transposed in registers, and go to the
// frame. Six fields of 2^15 structs of eight floats took 72 us with gathers and 26 so (Zen 4).

// fewestColumns is the least number of gathers that one transposition replaces.
const fewestColumns = 2

// mostColumnBytes is the most room in the frame for columns.
const mostColumnBytes = 4 << 10

// inColumns reports whether x is a gather of a field that may be loaded with others.
func (e *emitter) inColumns(x *lir.Instr) bool {
	return x.Op == lir.Gather && x.Every > 4 && x.On == 0 && x.From == 0 && x.Kind.Size() == e.Nest.Size && x.Imm == 0 && !e.ofRows(x)
}

// A columner replaces such gathers in a nest.
type columner struct {
	*emitter
	n     *lir.Nest
	group int // the pointer to the frame, or -1
}

// inBlock replaces them in a basic block. Those that belong together take the place of the first one.
func (c *columner) inBlock(block []*lir.Instr) (out []*lir.Instr) {
	before := map[*lir.Instr][]*lir.Instr{} // what is inserted before an instruction
	gone := map[*lir.Instr]bool{}
	for k, first := range block {
		if !c.inColumns(first) || gone[first] {
			continue
		}
		ofSame := func(x *lir.Instr) bool { // it accesses a field of the same structs
			return x.Indexed() && x.From == 0 && x.Kind.Size() == first.Kind.Size() && x.Every == first.Every && x.Mem.Group == first.Mem.Group && x.Mem.Stride == first.Mem.Stride
		}
		together, stored := []*lir.Instr{first}, map[int]bool{}
		touched := map[lir.Value]bool{} // values that instructions since first use or define
		row := first.Every * first.Kind.Size()
		for _, x := range block[k+1:] {
			field := ((x.Mem.Disp-first.Mem.Disp)%row + row) % row
			if c.inColumns(x) && ofSame(x) && x.Mem.Part == first.Mem.Part && !gone[x] {
				if stored[field] || touched[x.Dst] {
					break
				}
				together = append(together, x)
			} else if x.Stores() {
				if x.Op != lir.Scatter || !ofSame(x) {
					break
				}
				stored[field] = true
			}
			touched[x.Dst] = true
			for _, v := range x.Uses() {
				touched[v] = true
			}
		}
		if list := c.transposed(together, gone); len(list) > 0 {
			before[first] = list
		}
	}
	for _, x := range block {
		out = append(out, before[x]...)
		if !gone[x] {
			out = append(out, x)
		}
	}
	return out
}

// transposed returns the instructions that replace those of some gathers that lie in the same 16 bytes of
// each struct, and marks these gathers as gone.
func (c *columner) transposed(together []*lir.Instr, gone map[*lir.Instr]bool) (list []*lir.Instr) {
	slices.SortStableFunc(together, func(x, y *lir.Instr) int { return x.Mem.Disp - y.Mem.Disp })
	size := together[0].Kind.Size()
	low, high := together[0].Mem.Disp, together[len(together)-1].Mem.Disp+size
	for len(together) > 0 {
		first, many := together[0], 0
		for many < len(together) && together[many].Mem.Disp+size <= first.Mem.Disp+16 {
			many++
		}
		columns := 16 / size
		if many < fewestColumns || c.n.Tiles+columns*c.Bytes > mostColumnBytes {
			together = together[1:]
			continue
		}
		imm := asm.TilesBegin + c.n.Tiles
		c.n.Tiles += columns * c.Bytes
		temps := make([]lir.Value, 2*columns)
		for i := range temps {
			temps[i] = c.n.New(first.Kind)
		}
		mem := first.Mem
		mem.Disp = min(first.Mem.Disp, max(high-16, low))
		// Where the fields are fewer than 16 bytes, those of the last lane end with the last field, since
		// the slice may end there. Behind the others, there is the next lane's struct.
		back := max(mem.Disp+16-high, 0) / size
		list = append(list, &lir.Instr{Op: lir.Columns, Kind: first.Kind, Mem: mem, Imm: uint64(imm), Temps: temps, Part: back})
		if c.group < 0 {
			c.n.Groups = append(c.n.Groups, lir.Group{Frame: true, Off: asm.TilesBegin, Size: size})
			c.group = len(c.n.Groups) - 1
		}
		for _, x := range together[:many] {
			disp := imm - asm.TilesBegin + (x.Mem.Disp-mem.Disp)/size*c.Bytes
			list = append(list, &lir.Instr{Op: lir.Load, Kind: x.Kind, Dst: x.Dst, Mem: lir.Mem{Group: c.group, Disp: disp, Uniform: true}})
			gone[x] = true
		}
		together = together[many:]
	}
	return list
}

// transpose prints the transposition of 16 bytes of each lane's struct to the frame.
func (e *emitter) transpose(x *lir.Instr) error {
	frame := e.Take()
	if frame == "" {
		return asm.ErrRegisters
	}
	defer func() { e.Give(frame) }()
	e.Frame(int(x.Imm), frame)
	size := x.Kind.Size()
	in, pieces := 16/size, e.Bytes/16
	reg := func(i int, kind string) string { return fmt.Sprintf("%s%d", kind, e.At[x.Temps[i]]) }
	insert := "VINSERTF128"
	if e.Masks > 0 {
		insert = "VINSERTF32X4"
	}
	e.strided(x)
	last := pieces*in - 1
	for j := range pieces {
		for r := range in {
			at := fmt.Sprintf("%d(BX)", x.Mem.Disp)
			if j*in+r == last && x.Part > 0 {
				at = fmt.Sprintf("X%d", e.Vectors)
				e.Line("VMOVUPS %d(BX), %s", x.Mem.Disp-x.Part*size, at)
				e.rotate(x.Part, size, at)
			}
			if j == 0 {
				e.Line("VMOVUPS %s, %s", at, reg(r, "X"))
			} else {
				e.Line("%s $%d, %s, %s, %s", insert, j, at, reg(r, e.whole()), reg(r, e.whole()))
			}
			if j*in+r < last {
				e.Line("ADDQ %d(AX), BX", x.Mem.Stride)
			}
		}
	}
	v := func(i int) string { return reg(i, e.whole()) }
	t := func(i int) string { return reg(in+i, e.whole()) }
	e.squares(in, v, t, func(row int, r string) { e.Line("VMOVUPS %s, %d(%s)", r, row*e.Bytes, frame) })
	return nil
}

// rotate moves the numbers of 16 bytes down by so many places.
func (e *emitter) rotate(by, size int, x string) {
	if size == 8 {
		e.Line("VPERMILPD $1, %s, %s", x, x)
		return
	}
	imm := 0
	for i := range 4 {
		imm |= min(i+by, 3) << (2 * i)
	}
	e.Line("VPERMILPS $%d, %s, %s", imm, x, x)
}
