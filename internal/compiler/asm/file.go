package asm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The assembly file of a package, and the entry of its funcs.

// A File collects the funcs of a package for an architecture, and the constants that they share.
type File struct {
	funcs  []function
	consts map[string]string // DATA directives and routines, by name
	macros map[string]string // #define directives, by name
}

// A function is a func of a file.
type function struct {
	name, kernel string
	machine      *Machine
	args         int    // bytes of arguments and results
	head, body   string // the operands of TEXT behind the name, and the instructions
}

// Empty reports whether the file has no funcs.
func (f *File) Empty() bool { return len(f.funcs) == 0 }

// String returns the text of the file, without its header.
func (f *File) String() string {
	var out strings.Builder
	out.WriteString("#include \"textflag.h\"\n")
	if len(f.macros) > 0 {
		out.WriteString("\n")
	}
	for _, name := range slices.Sorted(maps.Keys(f.macros)) {
		out.WriteString(f.macros[name] + "\n")
	}
	for _, name := range slices.Sorted(maps.Keys(f.consts)) {
		out.WriteString("\n" + f.consts[name])
	}
	// Instances of a generic kernel often have the same instructions: all but the first jump there.
	type text struct{ kernel, head, body string }
	first := map[text]string{}
	for _, fn := range f.funcs {
		fmt.Fprintf(&out, "\n// func %s(a *%sArgs)\n", fn.name, strings.TrimSuffix(fn.name, fn.machine.Name))
		key := text{fn.kernel, fn.head, fn.body}
		if name := first[key]; name != "" {
			fmt.Fprintf(&out, "TEXT ·%s(SB), NOSPLIT|NOFRAME, $0-%d\n\tJMP ·%s(SB)\n", fn.name, fn.args, name)
			continue
		}
		first[key] = fn.name
		fmt.Fprintf(&out, "TEXT ·%s(SB), %s\n%s", fn.name, fn.head, fn.body)
	}
	return out.String()
}

// Add adds the funcs and constants of another file.
func (f *File) Add(g *File) {
	f.funcs = append(f.funcs, g.funcs...)
	for name, text := range g.consts {
		f.Constant(name, text)
	}
	for name, text := range g.macros {
		f.Macro(name, text)
	}
}

// Macro adds a macro with its definition.
func (f *File) Macro(name, text string) {
	if f.macros == nil {
		f.macros = map[string]string{}
	}
	f.macros[name] = text
}

// Constant adds data or a routine with its declaration.
func (f *File) Constant(name, text string) {
	if f.consts == nil {
		f.consts = map[string]string{}
	}
	f.consts[name] = text
}

// Iota adds a table of lane numbers of a size in bytes, and returns its name.
func (f *File) Iota(size int) string {
	name := fmt.Sprintf("gocudaIota%d<>", size)
	var text strings.Builder
	for i := range 64 / size {
		fmt.Fprintf(&text, "DATA %s+%d(SB)/%d, $%d\n", name, i*size, size, i)
	}
	fmt.Fprintf(&text, "GLOBL %s(SB), RODATA|NOPTR, $64\n", name)
	f.Constant(name, text.String())
	return name
}

// Func adds a func for a row. Its argument is the address of a struct, whose first field is the
// number of threads of the row. A strip executes the first of forms that fits. Forms for threads
// inside an interval come first, then those for whole strips anywhere, each for a number of whole
// vectors. The last form is for one vector with inactive lanes.
func (f *File) Func(name string, m *Machine, forms ...*Form) error {
	e := &Emitter{File: f, Machine: m, name: name}
	e.target = m.Target(e)
	tail := forms[len(forms)-1].nest
	e.inside = slices.ContainsFunc(forms, func(f *Form) bool { return f.nest.Inside != [2]int{} })
	for _, f := range forms { // before anything is printed for nothing
		if e.Nest = f.nest; e.place(f) != nil {
			return f.err
		}
	}
	e.target.Enter(tail.Fails())
	e.Line("JMP next")
	var choices []func()
	for i, f := range forms {
		n := f.nest
		form, other := fmt.Sprintf("form%d", i), fmt.Sprintf("other%d", i)
		e.Label(form)
		if err := e.form(f); err != nil {
			return err
		}
		if i+1 < len(forms) {
			e.Line("JMP next")
		}
		threads := m.Lanes(n.Size) * n.Parts
		choices = append(choices, func() {
			switch {
			case n == tail:
				e.target.JumpThreads(0, true, 0, form)
				return
			case n.Inside != [2]int{}:
				e.target.JumpThreads(0, true, n.Inside[0], other)
				e.target.JumpThreads(threads, false, n.Inside[1], form)
				if n.Lanes != 0 { // also for the end of a row that is inside
					e.target.JumpBefore(n.Inside[1], other)
					e.target.JumpThreads(0, true, 0, form)
				}
			default:
				e.target.JumpThreads(threads, false, 0, form)
			}
			e.Label(other)
		})
	}
	e.Label("next")
	for _, c := range choices {
		c()
	}
	result := 0
	if tail.Fails() {
		result = 8
		e.NeedFrame(slotsBegin)
		e.target.Return(All)
		e.Label("fail")
		e.target.Return(Done)
		if slices.ContainsFunc(forms, func(f *Form) bool { return f.nest.Faults() }) {
			e.Label("fault")
			e.target.Return(Fault)
		}
	} else {
		e.target.Return(Nothing)
	}
	if e.most > mostSlots {
		return ErrRegisters
	}
	if head := m.FrameHead; head > 0 && e.frame > 0 {
		e.frame = (e.frame + 2*head - 1) / head * head
	}
	flags := "NOSPLIT"
	if e.frame > 128 { // a func without a stack check may use only few bytes
		flags = "0"
	}
	args := 8 + result
	kernel := name[:max(strings.LastIndex(name, "Nest"), 0)]
	f.funcs = append(f.funcs, function{name, kernel, m, args, fmt.Sprintf("%s, $%d-%d", flags, e.frame, args), alignedFirst(e.target.Tidy(e.out.String()))})
	return nil
}

// alignedFirst moves labels that stand directly before an alignment behind it. Go's assembler does
// not end if a jump forwards goes to an alignment, and the func is laid out twice because another
// jump turns out to be long.
func alignedFirst(text string) string {
	var out strings.Builder
	labels := ""
	for line := range strings.Lines(text) {
		switch {
		case strings.HasSuffix(line, ":\n"):
			labels += line
			continue
		case !strings.HasPrefix(line, "\tPCALIGN "):
			out.WriteString(labels)
			labels = ""
		}
		out.WriteString(line)
	}
	return out.String() + labels
}
