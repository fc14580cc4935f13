package compiler

import (
	"fmt"
	"go/format"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/asm/amd64"
	"github.com/gocuda/gocuda/internal/compiler/asm/arm64"
	"github.com/gocuda/gocuda/internal/compiler/gogen"
)

// The files of nests: for each supported architecture a file of assembly and one that declares its
// funcs, and one file for all other architectures.

// machines lists the targets of nests. A nest must have a form for the first; it may lack forms for
// the others.
var machines = slices.Concat(amd64.Machines, arm64.Machines)

var machineNames = func() (names []string) {
	for _, m := range machines {
		names = append(names, m.Name)
	}
	return names
}()

// architectures are the architectures of machines, in order.
var architectures = func() (list []string) {
	for _, m := range machines {
		list = append(list, m.Arch)
	}
	return slices.Compact(list)
}()

// onMachines prints a nest for each machine that is asked for, and for the first. A failure on an
// architecture other than the first machine's does not affect the other machines.
func (b *body) onMachines(n *nested, assemble func(f *asm.File, m *asm.Machine) (bool, error)) error {
	files := map[string]*asm.File{}
	r, fails := n.row, false
	only := b.prog.options.Arch
	for i, m := range machines {
		if i > 0 && only != "" && m.Arch != only {
			continue
		}
		if files[m.Arch] == nil {
			files[m.Arch] = &asm.File{}
		}
		why, args, checks, locals, atoms := n.why, len(r.args), len(r.checks), len(r.locals), maps.Clone(r.atoms)
		done, err := assemble(files[m.Arch], m)
		if m.Arch == machines[0].Arch {
			fails = n.fails
			if err != nil {
				return err
			}
			if !done && i == 0 {
				return nil
			}
		} else if !done || n.fails != fails {
			r.args, r.checks, r.locals, r.atoms = r.args[:args], r.checks[:checks], r.locals[:locals], atoms
			n.why, n.fails = why, fails
			delete(files, m.Arch)
			continue
		}
		if done {
			n.on = append(n.on, m)
		}
	}
	n.asm = files
	return nil
}

// Variables of the generated package that say which vector instructions the machine has: hasNests
// for any that a nest supports, hasWide for AVX-512. The others are for nests that only some
// machines support.
const (
	hasNests      = "gocudaHasVectors"
	hasWide       = "gocudaHasAVX512"
	hasAVX2       = "gocudaHasAVX2" // or AVX-512
	hasWideOrNEON = "gocudaHasAVX512OrNEON"
)

var guards = []string{hasNests, hasWide, hasAVX2, hasWideOrNEON}

// guard is the variable that says whether the machine is one that the nest supports.
func (n *nested) guard() string { return guardOf(n.on) }

func guardOf(on []*asm.Machine) string {
	neon := slices.Contains(on, arm64.NEON)
	switch {
	case slices.Contains(on, amd64.AVX2) && neon:
		return hasNests
	case slices.Contains(on, amd64.AVX2):
		return hasAVX2
	case neon:
		return hasWideOrNEON
	}
	return hasWide
}

// guardsOf declares the guards that a package uses, for arch or, if that is "", for all other
// architectures.
func (f *nestFiles) guardsOf(rt, arch string) string {
	values := map[string]string{hasNests: rt + ".VectorBytes() > 0"}
	switch arch {
	case "amd64":
		values[hasWide] = fmt.Sprintf("%s.VectorBytes() == %d", rt, amd64.AVX512.Bytes)
		values[hasAVX2], values[hasWideOrNEON] = hasNests, hasWide
	case "arm64":
		values[hasWideOrNEON] = hasNests
	default:
		values = nil
	}
	var out strings.Builder
	for i, g := range guards {
		used := i < 2 || slices.ContainsFunc(f.machines, func(on []*asm.Machine) bool { return guardOf(on) == g })
		switch {
		case !used:
		case values[g] == "":
			fmt.Fprintf(&out, "const %s = false\n\n", g)
		case i == 0:
			fmt.Fprintf(&out, "// %s is whether the machine has vectors that assembly here is for.\nvar %s = %s\n\n", g, g, values[g])
		default:
			fmt.Fprintf(&out, "var %s = %s\n\n", g, values[g])
		}
	}
	return out.String()
}

// declarations is the body of the Go file for an architecture, or of the file for those without
// assembly.
func (f *nestFiles) declarations(rt, arch string) string {
	var out strings.Builder
	out.WriteString(f.guardsOf(rt, arch))
	for i, name := range f.funcs {
		params, result, give := fmt.Sprintf("a *%sArgs", name), "", ""
		if f.fails[i] {
			result, give = " int", "return "
		}
		if f.plain[i] != "" {
			params = "vectors bool, " + params
		}
		fmt.Fprintf(&out, "func %s(%s)%s {\n", name, params, result)
		call := func(form string) { fmt.Fprintf(&out, "%s%s%s(a)\n", give, name, form) }
		var forms []string // the forms in assembly
		last := ""
		for _, m := range f.machines[i] {
			if m.Arch == arch {
				forms = append(forms, m.Name)
				last = m.Name
			}
		}
		if f.plain[i] != "" {
			last = "Go"
		}
		switch {
		case len(forms) > 0:
			out.WriteString("switch {\n")
			for _, form := range forms {
				if form == last {
					continue
				}
				cond := hasNests
				if form == amd64.AVX512.Name {
					cond = hasWide
				}
				if f.plain[i] != "" {
					cond += " && vectors"
				}
				fmt.Fprintf(&out, "case %s:\n", cond)
				call(form)
			}
			out.WriteString("default:\n")
			call(last)
			out.WriteString("}\n")
		case last != "":
			call(last)
		case f.fails[i]:
			out.WriteString("return 0\n")
		}
		out.WriteString("}\n\n")
		for _, form := range forms {
			fmt.Fprintf(&out, "//go:noescape\nfunc %s%s(a *%sArgs)%s\n\n", name, form, name, result)
		}
	}
	return out.String()
}

// nestFiles returns the assembly files of a package, and the removal of files that it no longer
// has.
func (p *program) nestFiles(q *pkg, f *nestFiles) ([]File, error) {
	if f == nil || len(f.funcs) == 0 {
		f = &nestFiles{}
	}
	var files []File
	constraint := "//go:build "
	for _, arch := range architectures {
		text, only := f.asm[arch], p.options.Arch
		if text == nil || text.Empty() || only != "" && arch != only {
			files = append(files, q.without(nestSuffix(arch)), q.without(nestAsmSuffix(arch)))
			continue
		}
		file, err := p.declarationFile(q, f, arch, nestSuffix(arch), "")
		if err != nil {
			return nil, err
		}
		assembly := generatedHead + "\n\n" + text.String()
		files = append(files, file, File{filepath.Join(q.dir, q.name+nestAsmSuffix(arch)), []byte(fromASCII(assembly))})
		if constraint != "//go:build " {
			constraint += " && "
		}
		constraint += "!" + arch
	}
	if len(f.funcs) == 0 {
		return append(files, q.without(goNestSuffix), q.without(noNestSuffix)), nil
	}
	plain, err := f.plainFile(q)
	if err != nil {
		return nil, err
	}
	if constraint += "\n\n"; !strings.Contains(constraint, "!") { // all nests are in Go, on all machines
		constraint = ""
	}
	other, err := p.declarationFile(q, f, "", noNestSuffix, constraint)
	return append(files, plain, other), err
}

// declarationFile returns the file of declarations with a suffix.
func (p *program) declarationFile(q *pkg, f *nestFiles, arch, suffix, constraint string) (File, error) {
	pr := p.newPrinter(q)
	pr.printf("%s", f.declarations(pr.rt(), arch))
	data, err := pr.file(filepath.Base(q.testFile(q.name+suffix)), constraint)
	return File{filepath.Join(q.dir, q.name+suffix), data}, err
}

// plainFile returns the file with the nests of a package in Go.
func (f *nestFiles) plainFile(q *pkg) (File, error) {
	text := strings.Join(f.plain, "\n")
	if strings.TrimSpace(text) == "" {
		return q.without(goNestSuffix), nil
	}
	imports := ""
	for _, name := range []string{"math", "unsafe"} {
		if strings.Contains(text, name+".") {
			imports += fmt.Sprintf("%q\n", name)
		}
	}
	if strings.Contains(text, gogen.AtomicName+".") {
		imports += fmt.Sprintf("\n%s %q\n", gogen.AtomicName, atomicPath)
	}
	data, err := format.Source([]byte(fmt.Sprintf("%s\n\npackage %s\n\nimport (\n%s)\n\n%s", generatedHead, q.name, imports, text)))
	if err != nil {
		return File{}, fmt.Errorf("%s: nests in Go do not parse, which is a mistake of gocuda gen: %w", q.path, err)
	}
	return File{filepath.Join(q.dir, q.name+goNestSuffix), []byte(fromASCII(string(data)))}, nil
}
