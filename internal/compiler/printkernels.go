package compiler

import (
	"go/ast"
	"maps"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/gocuda/gocuda/internal/compiler/asm"
)

// The texts of the kernels of a package, which are made at the same time. Each kernel has a printer of its own; what
// these have collected is joined in the order of the source, so that the files do not depend on what was done first.

// A kernelText is a kernel with its func of a block, and those of its forms.
type kernelText struct {
	k         *Kernel
	body      string
	instances instances
	pr        *printer
}

// printKernels translates the kernels of q, without those in refused, and returns their texts in the order of the
// source, and a printer that knows what they use.
func (p *program) printKernels(q *pkg, refused map[string]string) (*printer, []*kernelText) {
	var decls []*ast.FuncDecl
	for _, f := range q.kernelFiles() {
		decls = slices.AppendSeq(decls, kernelsOf(f))
	}
	slices.SortStableFunc(decls, func(a, b *ast.FuncDecl) int {
		x, y := p.fset.Position(a.Name.Pos()), p.fset.Position(b.Name.Pos())
		if c := strings.Compare(x.Filename, y.Filename); c != 0 {
			return c
		}
		return x.Line - y.Line
	})
	pr, texts := p.newPrinter(q), make([]*kernelText, len(decls))
	if !p.options.NoNests && q.tests != ExternalTests {
		pr.nests = &nestFiles{}
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, d := range decls {
		own := pr.fork()
		g.Go(func() error {
			texts[i] = own.kernelText(d, refused)
			return nil
		})
	}
	_ = g.Wait() // there are no errors: what can't be translated has a reason
	for _, t := range texts {
		if pr.join(t) {
			continue
		}
		// Packages of the same name: they get their names one kernel after another.
		nests := pr.nests
		pr = p.newPrinter(q)
		if nests != nil {
			pr.nests = &nestFiles{}
		}
		for i, d := range decls {
			own := pr.fork()
			own.imports, own.names = pr.imports, pr.names
			texts[i] = own.kernelText(d, refused)
			pr.join(texts[i])
		}
		break
	}
	return pr, texts
}

// kernelText translates a kernel.
func (p *printer) kernelText(d *ast.FuncDecl, refused map[string]string) *kernelText {
	k := p.prog.kernelOf(p.root, d, refused)
	t := &kernelText{k: k, pr: p}
	if k.Reason == "" {
		t.body = p.bodyText(k, p.bodyName(k))
	}
	if k.Reason == "" && k.TypeParams.Len() > 0 && p.nests != nil {
		t.instances = p.instances(k)
	}
	return t
}

// kernelOf translates a kernel up to its text. One in refused gets a reason in place of one.
func (p *program) kernelOf(q *pkg, d *ast.FuncDecl, refused map[string]string) *Kernel {
	words, _ := directive(d)
	var k *Kernel
	if isLockstep(words) {
		k = &Kernel{Name: d.Name.Name, Pos: d.Name.Pos(), decl: d, words: words, read: []funcDecl{{q, d}}, lockstep: d.Name.Name + lockstepSuffix}
		k.refuse(k.Pos, lockstepReason)
		if refused[k.Name] != "" {
			k.lockstep = ""
		}
	} else if p.options.Uncompiled {
		k = &Kernel{Name: d.Name.Name, Pos: d.Name.Pos()}
		k.refuse(k.Pos, asWritten)
	} else {
		k = translate(p, q, d, words, nil)
	}
	if why := refused[k.Name]; why != "" && k.Reason == "" {
		k.refuse(k.Pos, "its generated code is refused, which is a mistake of gocuda gen: "+why)
	}
	k.signature(p, q, d)
	return k
}

// fork returns a printer for one kernel of a file.
func (p *printer) fork() *printer {
	own := &printer{prog: p.prog, root: p.root, imports: map[string]string{}, names: maps.Clone(p.names), forked: true}
	if p.nests != nil {
		own.nests = &nestFiles{}
	}
	return own
}

// join adds what the text of a kernel uses to what the file does. It returns false if the text calls imported packages
// by other names than the file, or different ones by the same.
func (p *printer) join(t *kernelText) bool {
	for path, name := range t.pr.imports {
		if known, ok := p.imports[path]; ok && known != name {
			return false
		}
		for other, taken := range p.imports {
			if taken == name && other != path {
				return false
			}
		}
	}
	for path, name := range t.pr.imports {
		p.imports[path], p.names[name] = name, true
	}
	p.complex = p.complex || t.pr.complex
	for _, table := range t.pr.tables {
		name := p.tableName(t.k, table.text)
		for _, text := range []*string{&t.body, &t.instances.bodies} {
			*text = strings.ReplaceAll(*text, own+"."+table.name, own+"."+name)
		}
	}
	if p.nests != nil {
		p.nests.add(t.pr.nests)
	}
	t.pr = nil
	return true
}

// add adds the nests of g.
func (f *nestFiles) add(g *nestFiles) {
	for arch, file := range g.asm {
		f.addFile(arch, file)
	}
	f.types, f.funcs, f.machines = append(f.types, g.types...), append(f.funcs, g.funcs...), append(f.machines, g.machines...)
	f.fails, f.plain = append(f.fails, g.fails...), append(f.plain, g.plain...)
}

// addFile adds the funcs of a file for an architecture.
func (f *nestFiles) addFile(arch string, file *asm.File) {
	if f.asm == nil {
		f.asm = map[string]*asm.File{}
	}
	if f.asm[arch] == nil {
		f.asm[arch] = &asm.File{}
	}
	f.asm[arch].Add(file)
}
