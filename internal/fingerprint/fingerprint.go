// Package fingerprint tells whether declarations in Go source files have changed: their tokens, not
// their comments, positions and layout. The kernel compiler records the fingerprints of all
// declarations that it has read, and the run time compares them with those of the files that the
// program was built from.
//
// It works on tokens, since a program that launches kernels should not have to carry a parser.
package fingerprint

import (
	"go/scanner"
	"go/token"
	"hash/fnv"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Print is the fingerprint of a declaration, a hash of its tokens, and its line.
type Print struct {
	Hash uint64
	Line int
}

// Declarations returns the prints of what a file declares at top level, by name: "f", "T.m" for
// methods, and the names of constants, variables and types. The constants of a group have one
// print, because those without a value depend on the ones before; the variables and types of a
// group have one each. What can't be scanned is left out.
func Declarations(src []byte) map[string]Print {
	f := &file{imports: map[string]string{}, prints: map[string]Print{}}
	f.scan(src)
	for f.at < len(f.tokens) {
		f.declaration()
	}
	return f.prints
}

// An item is a token, without its position in the line.
type item struct {
	tok  token.Token
	text string
	line int
}

// A file is a source under way.
type file struct {
	tokens  []item
	at      int
	imports map[string]string // paths, by name
	prints  map[string]Print
}

// scan fills tokens: with directives, without other comments, and without a semicolon or comma
// before a closing bracket, since layout decides whether there is one.
func (f *file) scan(src []byte) {
	fset := token.NewFileSet()
	tf := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(tf, src, func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return
		case token.COMMENT:
			if !strings.HasPrefix(lit, "//go:") && !strings.HasPrefix(lit, "//gocuda:") {
				continue
			}
		case token.SEMICOLON:
			lit = ";"
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if n := len(f.tokens); n > 0 && (f.tokens[n-1].tok == token.SEMICOLON || f.tokens[n-1].tok == token.COMMA) {
				f.tokens = f.tokens[:n-1]
			}
		}
		if lit == "" {
			lit = tok.String()
		}
		f.tokens = append(f.tokens, item{tok, lit, tf.PositionFor(pos, false).Line})
	}
}

// end returns the index of the token that ends the part beginning at i: a semicolon outside
// brackets, or the closing bracket of the brackets around.
func (f *file) end(i int) int {
	depth := 0
	for ; i < len(f.tokens); i++ {
		switch f.tokens[i].tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if depth--; depth < 0 {
				return i
			}
		case token.SEMICOLON:
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// declaration takes the next declaration, with the directives above it.
func (f *file) declaration() {
	from := f.at
	for f.at < len(f.tokens) && f.tokens[f.at].tok == token.COMMENT {
		f.at++
	}
	if f.at == len(f.tokens) {
		return
	}
	first := f.at
	end := f.end(first)
	kind := f.tokens[first].tok
	grouped := first+1 < end && f.tokens[first+1].tok == token.LPAREN
	switch kind {
	case token.FUNC:
		f.add(f.funcName(first+1, end), from, end, first)
	case token.CONST:
		f.eachSpec(first, end, grouped, func(i, stop int) {
			for _, name := range f.names(i, stop) {
				f.add(name, from, end, first)
			}
		})
	case token.VAR, token.TYPE:
		f.eachSpec(first, end, grouped, func(i, stop int) {
			names := f.names(i, stop)
			if kind == token.TYPE {
				names = names[:min(1, len(names))]
			}
			for _, name := range names {
				f.add(name, i, stop, i)
			}
		})
	case token.IMPORT:
		f.eachSpec(first, end, grouped, func(i, stop int) {
			last := f.tokens[stop-1]
			if last.tok != token.STRING {
				return
			}
			name := f.tokens[i].text
			to, err := strconv.Unquote(last.text)
			if err != nil {
				return
			}
			if stop-i == 1 {
				name = path.Base(to)
			}
			f.imports[name] = to
		})
	}
	f.at = end + 1
}

// eachSpec calls do for each specification of a declaration, which is all of it or one in parentheses.
func (f *file) eachSpec(first, end int, grouped bool, do func(i, stop int)) {
	i := first + 1
	if !grouped {
		if i < end {
			do(i, end)
		}
		return
	}
	for i++; i < end; i++ {
		for i < end && f.tokens[i].tok == token.COMMENT {
			i++
		}
		stop := f.end(i)
		if stop > i {
			do(i, stop)
		}
		i = stop
		if i < end && f.tokens[i].tok == token.RPAREN {
			return
		}
	}
}

// names returns the names that a specification begins with.
func (f *file) names(i, stop int) []string {
	var list []string
	for i < stop && f.tokens[i].tok == token.IDENT {
		list = append(list, f.tokens[i].text)
		if i++; i == stop || f.tokens[i].tok != token.COMMA {
			break
		}
		i++
	}
	return list
}

// funcName returns the name of a func, with its receiver's type before it if it is a method. i is
// behind the word func.
func (f *file) funcName(i, end int) string {
	if i >= end {
		return ""
	}
	if f.tokens[i].tok == token.IDENT {
		return f.tokens[i].text
	}
	receiver := ""
	for depth := 0; i < end; i++ {
		switch t := f.tokens[i]; t.tok {
		case token.LPAREN:
			depth++
		case token.LBRACK: // of type parameters
			depth++
		case token.RBRACK:
			depth--
		case token.RPAREN:
			depth--
		case token.IDENT:
			if depth == 1 {
				receiver = t.text // the last one is the type
			}
		}
		if depth == 0 {
			break
		}
	}
	if i+1 < end && f.tokens[i+1].tok == token.IDENT {
		return receiver + "." + f.tokens[i+1].text
	}
	return ""
}

// add notes the print of the tokens from i to stop under a name. at is where its line is.
func (f *file) add(name string, i, stop, at int) {
	if name == "" || name == "_" {
		return
	}
	h := fnv.New64a()
	for k := i; k < stop; k++ {
		text := f.tokens[k].text
		if f.tokens[k].tok == token.IDENT && k+1 < stop && f.tokens[k+1].tok == token.PERIOD && (k == i || f.tokens[k-1].tok != token.PERIOD) {
			if to := f.imports[text]; to != "" {
				text = to // whatever it is called here
			}
		}
		h.Write([]byte(text))
		h.Write([]byte{0})
	}
	f.prints[name] = Print{h.Sum64(), f.tokens[at].line}
}

// A List is declarations with their hashes, as generated code has them: "name hash name hash", by
// name, the hashes in base 36.
type List string

// MakeList returns the list of some prints.
func MakeList(prints map[string]Print) List {
	var parts []string
	names := make([]string, 0, len(prints))
	for name := range prints {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		parts = append(parts, name, strconv.FormatUint(prints[name].Hash, 36))
	}
	return List(strings.Join(parts, " "))
}

// Changed returns the name of the first declaration in the list whose hash is another in now, or
// that is not in now.
func (l List) Changed(now map[string]Print) (name string, changed bool) {
	fields := strings.Fields(string(l))
	for i := 0; i+1 < len(fields); i += 2 {
		p, ok := now[fields[i]]
		if !ok || strconv.FormatUint(p.Hash, 36) != fields[i+1] {
			return fields[i], true
		}
	}
	return "", false
}
