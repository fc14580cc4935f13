package compiler

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// The directive //gocuda:kernel and its options: fastmath; novectors, for plain Go only; lockstep,
// for code written before compute capability 7.0; and types=float32,int8, the types for which a
// generic kernel gets vector code.

// directive returns the words behind //gocuda:kernel in a func's doc comment, and whether it has
// that directive.
func directive(d *ast.FuncDecl) (words []string, ok bool) {
	if d.Doc == nil {
		return nil, false
	}
	for _, c := range d.Doc.List {
		if words, ok := directiveOf(c, "//"); ok {
			return words, true
		}
	}
	return nil, false
}

// directiveOf returns the words behind mark+"gocuda:kernel" in c, and whether c begins with that.
func directiveOf(c *ast.Comment, mark string) (words []string, ok bool) {
	rest, ok := strings.CutPrefix(c.Text, mark+"gocuda:kernel")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return nil, false
	}
	return strings.Fields(rest), true
}

// spacedDirective reports whether c is a directive with a space behind the slashes. Other words
// than options make it prose.
func spacedDirective(c *ast.Comment) bool {
	words, ok := directiveOf(c, "// ")
	return ok && !slices.ContainsFunc(words, func(w string) bool { return !isOption(w) })
}

// misspelt returns a warning for each comment in f that looks like a directive but is none.
func (p *program) misspelt(q *pkg, f *ast.File) (list []Note) {
	for _, g := range f.Comments {
		for _, c := range g.List {
			rest, ok := strings.CutPrefix(c.Text, "//gocuda:")
			if !ok {
				continue
			}
			word, _, _ := strings.Cut(strings.ReplaceAll(rest, "\t", " "), " ")
			if word != "kernel" {
				list = append(list, Note{p.relative(q, c.Pos()), "", fmt.Sprintf("//gocuda:%s is no directive, and does nothing; there is //gocuda:kernel", word)})
			}
		}
	}
	return list
}

// checkDirectives returns an error for each directive in f that does nothing.
func (p *program) checkDirectives(q *pkg, f *ast.File) (errs scanner.ErrorList) {
	bad := func(c *ast.Comment, format string, args ...any) {
		errs.Add(p.relative(q, c.Pos()), fmt.Sprintf(format, args...))
	}
	funcs, above := map[*ast.CommentGroup]string{}, map[*ast.CommentGroup]string{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			funcs[d.Doc] = d.Name.Name
		case *ast.GenDecl:
			above[d.Doc] = word(d)
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					above[v.Doc] = word(d)
				}
			}
		}
	}
	for _, g := range f.Comments {
		name, ofFunc := funcs[g]
		found := false
		for _, c := range g.List {
			_, exact := directiveOf(c, "//")
			spaced := (ofFunc || above[g] == "a var") && spacedDirective(c)
			if !exact && !spaced {
				continue
			}
			if !ofFunc {
				where := "here"
				for _, d := range f.Decls {
					if d.Pos() < c.Pos() && c.Pos() < d.End() {
						where = "inside " + word(d)
					}
				}
				if above[g] != "" {
					where = "above " + above[g]
				}
				bad(c, "//gocuda:kernel has no effect %s; it belongs directly above a func", where)
				continue
			}
			switch {
			case spaced:
				bad(c, "%s: a directive has no space after the slashes; write //gocuda:kernel", name)
			case found:
				bad(c, "%s: two directives; write one, with all options", name)
			}
			found = true
		}
	}
	return errs
}

// word returns the kind of a declaration, with its article.
func word(d ast.Decl) string {
	g, ok := d.(*ast.GenDecl)
	switch {
	case !ok:
		return "a func"
	case g.Tok == token.IMPORT:
		return "an import"
	}
	return "a " + g.Tok.String()
}

// isOption reports whether w may stand after //gocuda:kernel.
func isOption(w string) bool {
	return w == "fastmath" || w == "novectors" || w == "lockstep" || strings.HasPrefix(w, "types=")
}

// numeric are the types that elements of vectors may have.
var numeric = []types.BasicKind{types.Float32, types.Float64, types.Int32, types.Uint32, types.Int, types.Int64, types.Uint64, types.Uint,
	types.Int16, types.Uint16, types.Int8, types.Uint8}

// A generic kernel gets vector code for all numeric types in its constraint, if these are at most
// fewTypes, and otherwise for the first usualTypes of them: each type costs code that is compiled
// whether it is used or not.
const (
	fewTypes   = 6
	usualTypes = 5
)

// mostInstances is the largest number of type combinations for which a kernel with several type
// parameters gets vector code.
const mostInstances = 16

// option returns the value of the option with the given name.
func option(words []string, name string) (value string, ok bool) {
	for _, w := range words {
		if value, ok := strings.CutPrefix(w, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// checkOptions returns an error if the options of a kernel of type t make no sense.
func checkOptions(words []string, t types.Type) error {
	for i, w := range words {
		name, _, _ := strings.Cut(w, "=")
		if !isOption(w) {
			return fmt.Errorf("//gocuda:kernel has no option %q; there are fastmath, novectors, lockstep and, for generic kernels, types=float32,int8", w)
		}
		if slices.ContainsFunc(words[:i], func(x string) bool { return x == name || strings.HasPrefix(x, name+"=") }) {
			return fmt.Errorf("//gocuda:kernel has the option %s twice", name)
		}
	}
	list, ok := option(words, "types")
	if !ok {
		return nil
	}
	sig, ok := t.(*types.Signature)
	if !ok || sig.TypeParams().Len() == 0 {
		return fmt.Errorf("the option types is for generic kernels")
	}
	var seen []types.BasicKind
	for name := range strings.SplitSeq(list, ",") {
		kind, ok := kindOf(name)
		if !ok {
			return fmt.Errorf("the option types lists %q, which is no numeric type that vectors hold", name)
		}
		if slices.Contains(seen, kind) {
			return fmt.Errorf("the option types lists %s twice", name)
		}
		seen = append(seen, kind)
		allowed := false
		for tp := range sig.TypeParams().TypeParams() {
			allowed = allowed || satisfies(kind, tp)
		}
		if !allowed {
			return fmt.Errorf("the option types lists %s, which no type parameter may be", name)
		}
	}
	return nil
}

// kindOf returns the numeric type with this name.
func kindOf(name string) (types.BasicKind, bool) {
	switch name {
	case "byte":
		return types.Uint8, true
	case "rune":
		return types.Int32, true
	}
	for _, k := range numeric {
		if types.Typ[k].Name() == name {
			return k, true
		}
	}
	return 0, false
}

func satisfies(kind types.BasicKind, tp *types.TypeParam) bool {
	c, ok := tp.Constraint().Underlying().(*types.Interface)
	return ok && types.Satisfies(types.Typ[kind], c)
}

// candidates returns the types for which a type parameter gets vector code.
func (k *Kernel) candidates(tp *types.TypeParam) []types.BasicKind {
	var list []types.BasicKind
	if names, ok := option(k.words, "types"); ok {
		for name := range strings.SplitSeq(names, ",") {
			if kind, ok := kindOf(name); ok && satisfies(kind, tp) {
				list = append(list, kind)
			}
		}
		return list
	}
	for _, kind := range numeric {
		if satisfies(kind, tp) {
			list = append(list, kind)
		}
	}
	if len(list) > fewTypes {
		list = slices.DeleteFunc(list, func(kind types.BasicKind) bool { return !slices.Contains(numeric[:usualTypes], kind) })
	}
	return list
}

// instances returns the type arguments for which a kernel gets vector code: none if it is not
// generic, otherwise all combinations of candidates or, if these are too many, the same type for
// all parameters.
func (k *Kernel) instances() []map[*types.TypeParam]types.Type {
	list := []map[*types.TypeParam]types.Type{nil}
	for tp := range k.TypeParams.TypeParams() {
		var longer []map[*types.TypeParam]types.Type
		for _, m := range list {
			for _, kind := range k.candidates(tp) {
				with := map[*types.TypeParam]types.Type{tp: types.Typ[kind]}
				for p, t := range m {
					with[p] = t
				}
				longer = append(longer, with)
			}
		}
		list = longer
	}
	if len(list) <= mostInstances {
		return list
	}
	return slices.DeleteFunc(list, func(m map[*types.TypeParam]types.Type) bool {
		first := m[k.TypeParams.At(0)]
		for _, t := range m {
			if t != first {
				return true
			}
		}
		return false
	})
}

// leftOut returns, for -explain, the types of a type parameter that get no vector code.
func (k *Kernel) leftOut(tp *types.TypeParam) string {
	var names []string
	with := k.candidates(tp)
	for _, kind := range numeric {
		if satisfies(kind, tp) && !slices.Contains(with, kind) {
			names = append(names, types.Typ[kind].Name())
		}
	}
	return strings.Join(names, ", ")
}
