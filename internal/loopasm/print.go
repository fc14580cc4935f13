package loopasm

import (
	"fmt"
	"slices"
	"strings"
)

// A File collects the assembly of a package.
type File struct {
	vec       string // the name of package vec
	funcs     strings.Builder
	decls     strings.Builder
	constants map[string]bool
	data      strings.Builder

	// For tests.
	refused   func(why string)    // is told why loops stay in Go
	registers int                 // may be used
	choose    func([]*code) *code // chooses another code than the cheapest
}

func (f *File) refuse(why string) {
	if f.refused != nil {
		f.refused(why)
	}
}

// New returns a File for code in which package vec has this name.
func New(vec string) *File {
	return &File{vec: vec, registers: registers, constants: map[string]bool{}}
}

// Assembly returns the assembly, or "" if there is none.
func (f *File) Assembly() string {
	if f.funcs.Len() == 0 {
		return ""
	}
	data := f.data.String()
	if data != "" {
		data += "\n"
	}
	return "#include \"textflag.h\"\n#include \"funcdata.h\"\n\n" + data + strings.TrimSuffix(f.funcs.String(), "\n")
}

// Declarations returns the declarations of the funcs in Go.
func (f *File) Declarations() string { return f.decls.String() }

// pointerRegisters are what pointers have. The stack is reached by SI, the rounds are counted in CX.
var pointerRegisters = []string{"AX", "BX", "DX", "DI", "R8", "R9", "R10", "R11", "R12", "R13"}

const (
	slotRegister = "SI"
	roundCounter = "CX"
	slotSize     = 32
)

// A printed is a func with what Go needs to call it.
type printed struct {
	name  string
	slots []*value // what Go puts into slots, in order; carried variables are behind them
}

// print adds the func of a program.
func (f *File) print(name string, p *program, c *code) printed {
	out := printed{name: name}
	for _, v := range p.inputs {
		if _, pinned := c.pinned[v]; pinned || c.inMem[v] > 0 {
			out.slots = append(out.slots, v)
		}
	}
	regs := map[*pointer]string{}
	params := []string{"rounds int"}
	offset := 8
	param := func(name, typ string) (place string) {
		params = append(params, name+" "+typ)
		offset += 8
		return fmt.Sprintf("%s+%d(FP)", name, offset-8)
	}
	slots := make([]string, len(out.slots)+len(p.carried)) // where their addresses are
	for k := range slots {
		slots[k] = param(fmt.Sprintf("slot%d", k), f.vec+".Address")
	}
	var loads, moves []string
	for k, q := range p.pointers {
		regs[q] = pointerRegisters[k]
		loads = append(loads, fmt.Sprintf("MOVQ %s, %s", param(fmt.Sprintf("p%d", k), f.vec+".Address"), regs[q]))
	}
	for k, q := range p.pointers {
		switch {
		case q.by != "":
			moves = append(moves, fmt.Sprintf("ADDQ %s, %s", param(fmt.Sprintf("by%d", k), "int"), regs[q]))
		case q.step == 128:
			moves = append(moves, fmt.Sprintf("SUBQ $-128, %s", regs[q])) // its constant has a byte
		case q.step != 0:
			moves = append(moves, fmt.Sprintf("ADDQ $%d, %s", q.step, regs[q]))
		}
	}
	signature := fmt.Sprintf("func %s(%s)", name, strings.Join(params, ", "))
	fmt.Fprintf(&f.decls, "//go:noescape\n%s\n\n", signature)

	frame := 0
	if c.slots > 0 {
		frame = (c.slots + 1) * slotSize
	}
	w := &f.funcs
	line := func(format string, args ...any) { fmt.Fprintf(w, "\t"+format+"\n", args...) }
	fmt.Fprintf(w, "// %s\nTEXT ·%s(SB), NOSPLIT, $%d-%d\n", signature, name, frame, offset)
	if frame > 0 {
		line("NO_LOCAL_POINTERS")
		line("LEAQ stack-%d(SP), %s", frame, slotRegister)
		line("ADDQ $%d, %s", slotSize-1, slotRegister)
		line("ANDQ $~%d, %s", slotSize-1, slotRegister)
	}
	// take brings a vector to a register, and give brings one back.
	take := func(slot, reg int) {
		line("MOVQ %s, %s", slots[slot], roundCounter)
		line("VMOVUPS (%s), Y%d", roundCounter, reg)
	}
	give := func(slot, reg int) {
		line("MOVQ %s, %s", slots[slot], roundCounter)
		line("VMOVUPS Y%d, (%s)", reg, roundCounter)
	}
	onStack := func(slot int) string { return fmt.Sprintf("%d(%s)", (slot-1)*slotSize, slotRegister) }
	// What goes to the stack passes through a register, so it comes first.
	for k, v := range out.slots {
		if s := c.inMem[v]; s > 0 {
			take(k, 0)
			line("VMOVAPS Y0, %s", onStack(s))
		}
	}
	for k, h := range c.homes {
		if h.reg < 0 {
			take(len(out.slots)+k, 0)
			line("VMOVAPS Y0, %s", onStack(h.mem.slot))
		}
	}
	for k, h := range c.homes {
		if h.reg >= 0 {
			take(len(out.slots)+k, h.reg)
		}
	}
	for k, v := range out.slots {
		if r, ok := c.pinned[v]; ok {
			take(k, r)
		}
	}
	operand := func(o place) string {
		switch {
		case o.reg >= 0:
			return fmt.Sprintf("Y%d", o.reg)
		case o.mem.load != nil:
			at := o.mem.load.at
			if at.more == 0 {
				return fmt.Sprintf("(%s)", regs[at.pointer])
			}
			return fmt.Sprintf("%d(%s)", at.more, regs[at.pointer])
		case o.mem.number != nil:
			return f.constant(o.mem.number)
		}
		return onStack(o.mem.slot)
	}
	for _, v := range p.values {
		if r, ok := c.pinned[v]; ok && v.op == opConst {
			line("VMOVUPS %s, Y%d", f.constant(v), r)
		}
	}
	for _, l := range loads {
		line("%s", l)
	}
	line("MOVQ rounds+0(FP), %s", roundCounter)
	line("PCALIGN $32")
	fmt.Fprintf(w, "round:\n")
	for _, i := range c.body {
		var ops []string // Go has them the other way round
		if i.imm >= 0 {
			ops = append(ops, fmt.Sprintf("$%d", i.imm))
		}
		for _, o := range slices.Backward(i.ops) {
			ops = append(ops, operand(o))
		}
		line("%s %s", i.name, strings.Join(ops, ", "))
	}
	for _, m := range moves {
		line("%s", m)
	}
	line("DECQ %s", roundCounter)
	line("JNZ  round")
	// Those on the stack pass through a register that has been stored.
	for k, h := range c.homes {
		if h.reg >= 0 {
			give(len(out.slots)+k, h.reg)
		}
	}
	for k, h := range c.homes {
		if h.reg < 0 {
			line("VMOVAPS %s, Y0", onStack(h.mem.slot))
			give(len(out.slots)+k, 0)
		}
	}
	line("VZEROUPPER")
	line("RET\n")
	return out
}

// constant returns the name of a vector of constants, in memory.
func (f *File) constant(v *value) string {
	size := v.kind.size()
	name := fmt.Sprintf("·all%d_%x<>", 8*size, v.bits[0])
	if len(v.bits) > 1 {
		var digits []string
		for _, b := range v.bits {
			digits = append(digits, fmt.Sprint(b))
		}
		name = fmt.Sprintf("·each%d_%s<>", 8*size, strings.Join(digits, "_"))
	}
	if !f.constants[name] {
		f.constants[name] = true
		for lane := range v.kind.lanes() {
			fmt.Fprintf(&f.data, "DATA %s+%d(SB)/%d, $%#x\n", name, lane*size, size, v.bits[lane%len(v.bits)])
		}
		fmt.Fprintf(&f.data, "GLOBL %s(SB), RODATA|NOPTR, $%d\n", name, slotSize)
	}
	return name + "(SB)"
}
