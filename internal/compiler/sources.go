package compiler

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/internal/fingerprint"
)

// Fingerprints of sources. Generated code contains a fingerprint of each declaration that a kernel
// was made from, so that a program detects stale kernels; see gocuda.ErrStaleKernel. The package's
// own files are embedded in the program.

// readFor returns the declarations outside the standard library from which k was made, by package
// and name: its func, the inlined helpers, and the types, constants and variables that these use.
func (p *program) readFor(k *Kernel) map[*pkg]map[string]fingerprint.Print {
	found := map[*pkg]map[string]fingerprint.Print{}
	add := func(q *pkg, pos token.Pos, name string) bool {
		if found[q] == nil {
			found[q] = map[string]fingerprint.Print{}
		}
		if _, ok := found[q][name]; ok {
			return false
		}
		print, ok := p.prints(q, p.fset.Position(pos).Filename)[name]
		if ok {
			found[q][name] = print
		}
		return ok
	}
	var look func(q *pkg, n ast.Node)
	look = func(q *pkg, n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			obj := q.info.Uses[id]
			if obj == nil || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
				return true
			}
			of := p.pkgs[obj.Pkg().Path()]
			if _, isFunc := obj.(*types.Func); isFunc || of == nil || of.path == corePath || of.path == gridPath || of.path == atomicPath {
				return true // fixed by the version of the module
			}
			if spec := of.specOf(obj); spec != nil && add(of, obj.Pos(), obj.Name()) {
				look(of, spec)
			}
			return true
		})
	}
	for _, d := range k.read {
		if add(d.pkg, d.decl.Pos(), declaredName(d.decl)) {
			look(d.pkg, d.decl)
		}
	}
	return found
}

// prints returns the fingerprints of the declarations in a file of q.
func (p *program) prints(q *pkg, file string) map[string]fingerprint.Print {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.prints == nil {
		q.prints = map[string]map[string]fingerprint.Print{}
	}
	if q.prints[file] == nil {
		q.prints[file] = fingerprint.Declarations(q.sources[file])
	}
	return q.prints[file]
}

// declaredName returns the name of a func; for a method, with its receiver's type.
func declaredName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}

// specOf returns the declaration of a type, a constant or a variable of the package; for a
// constant, of its whole group.
func (q *pkg) specOf(obj types.Object) ast.Node {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.specs == nil {
		q.specs = map[types.Object]ast.Node{}
		for _, f := range q.files {
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, s := range g.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						q.specs[q.info.Defs[s.Name]] = s
					case *ast.ValueSpec:
						for _, n := range s.Names {
							q.specs[q.info.Defs[n]] = s
							if g.Tok == token.CONST {
								q.specs[q.info.Defs[n]] = g
							}
						}
					}
				}
			}
		}
	}
	return q.specs[obj]
}

// A sourceList is the packages from which the kernels of a file were made.
type sourceList struct {
	files map[*pkg]map[string]bool // the files with these declarations
	names map[*pkg]string          // the names of their variables in generated code
	reads map[string]map[*pkg]fingerprint.List
	embed bool
}

// newSourceList returns the source list of kernels.
func (p *program) newSourceList(q *pkg, kernels []*Kernel) *sourceList {
	l := &sourceList{files: map[*pkg]map[string]bool{}, names: map[*pkg]string{}, reads: map[string]map[*pkg]fingerprint.List{}, embed: !p.options.LeaveSources && !p.options.Fresh}
	for _, k := range kernels {
		if k.Reason != "" && k.lockstep == "" {
			continue
		}
		l.reads[k.Name] = map[*pkg]fingerprint.List{}
		for of, prints := range p.readFor(k) {
			l.reads[k.Name][of] = fingerprint.MakeList(prints)
			if l.files[of] == nil {
				l.files[of] = map[string]bool{}
			}
			for name := range prints {
				for file := range of.sources {
					if _, ok := p.prints(of, file)[name]; ok {
						l.files[of][file] = true
					}
				}
			}
		}
	}
	taken := map[string]bool{}
	for _, n := range q.types.Scope().Names() {
		taken[n] = true
	}
	maps.Copy(taken, q.inTest)
	for _, of := range l.packages() {
		l.names[of] = uniqueName(taken, ascii(of.name)+map[bool]string{true: "Test"}[q.tests != NoTests]+"Sources")
	}
	return l
}

// packages returns the packages of the list, by path.
func (l *sourceList) packages() []*pkg {
	return slices.SortedFunc(maps.Keys(l.files), func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
}

// readText prints the Read field of a kernel's forms.
func (l *sourceList) readText(p *printer, k *Kernel) string {
	var parts []string
	for _, of := range l.packages() {
		if list := l.reads[k.Name][of]; list != "" {
			parts = append(parts, fmt.Sprintf("{Of: %s, Declared: %q}", l.names[of], list))
		}
	}
	if parts == nil || p.prog.options.Fresh {
		return ""
	}
	return fmt.Sprintf(", Read: []%s.Read{%s}", p.rt(), strings.Join(parts, ", "))
}

// print prints the variables for the packages.
func (l *sourceList) print(p *printer) {
	for _, of := range l.packages() {
		own := of == p.root
		var files []string
		for _, file := range slices.Sorted(maps.Keys(l.files[of])) {
			base := filepath.Base(file)
			text := ""
			if own && l.embed {
				name := fmt.Sprintf("%sText%d", l.names[of], len(files)+1)
				p.printf("//go:embed %s\nvar %s string\n\n", embedPattern(base), name)
				p.embeds = true
				text = ", Text: " + name
			}
			files = append(files, fmt.Sprintf("{Name: %q%s}", base, text))
		}
		p.printf("// %s is the source of what was compiled.\n", l.names[of])
		p.printf("var %s = %s.Sources(%d, %s.SourceFiles{\nPath: %q,\n", l.names[of], p.rt(), rt.Version, p.rt(), of.path)
		if !own {
			from := p.root.dir
			if of.module != p.root.module {
				p.printf("Module: %q,\n", of.module)
				from = of.root
			}
			if rel, err := filepath.Rel(from, of.dir); err == nil {
				p.printf("Dir: %q,\n", filepath.ToSlash(rel))
			}
		}
		p.printf("Files: []%s.SourceFile{\n%s,\n},\n})\n\n", p.rt(), strings.Join(files, ",\n"))
	}
}

// embedPattern returns the pattern for a file in a go:embed directive.
func embedPattern(name string) string {
	if strings.ContainsAny(name, " \"`*?[\\") {
		return fmt.Sprintf("%q", strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(name))
	}
	return name
}
