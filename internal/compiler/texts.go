package compiler

import (
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Queries and edits of generated code as text.

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// joined returns the conjunction of conditions, with each conjunct once: go vet reports duplicates.
func joined(conds []string) string {
	var terms []string
	seen := map[string]bool{}
	for _, c := range conds {
		for _, t := range conjuncts(c) {
			if key := formatted(t); !seen[key] {
				seen[key] = true
				terms = append(terms, t)
			}
		}
	}
	return strings.Join(terms, " && ")
}

// formatted returns an expression in gofmt's format.
func formatted(text string) string {
	var out strings.Builder
	if e, err := parser.ParseExpr(text); err == nil && format.Node(&out, token.NewFileSet(), e) == nil {
		return out.String()
	}
	return text
}

// conjuncts splits a condition at each && outside parentheses.
func conjuncts(cond string) []string {
	var terms []string
	depth, start := 0, 0
	for i := 0; i < len(cond); i++ {
		switch c := cond[i]; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == '"':
			for i++; i < len(cond) && cond[i] != '"'; i++ {
				if cond[i] == '\\' {
					i++
				}
			}
		case depth == 0 && strings.HasPrefix(cond[i:], " || "):
			return []string{cond}
		case depth == 0 && strings.HasPrefix(cond[i:], " && "):
			terms = append(terms, cond[start:i])
			i += len(" && ") - 1
			start = i + 1
		}
	}
	return append(terms, cond[start:])
}

// endsInJump reports whether text ends with a break or a continue.
func endsInJump(text string) bool {
	text = strings.TrimSpace(text)
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.HasPrefix(last, "break ") || strings.HasPrefix(last, "continue ")
}

func isNumber(s string) bool { _, err := strconv.Atoi(s); return err == nil }

// containsWord reports whether text uses a name.
func containsWord(text, name string) bool {
	if !strings.Contains(text, name) {
		return false
	}
	text = codeOf(text)
	for i := 0; ; {
		j := strings.Index(text[i:], name)
		if j < 0 {
			return false
		}
		j += i
		end := j + len(name)
		if (j == 0 || !identByte(text[j-1]) && text[j-1] != '.') && (end == len(text) || !identByte(text[end])) {
			return true
		}
		i = end
	}
}

// codeOf returns text with its strings and its //line comments blanked.
func codeOf(text string) string {
	if !strings.ContainsAny(text, "\"/") {
		return text
	}
	out := []byte(text)
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					out[i] = ' '
					i++
				}
				out[i] = ' '
			}
		case out[i] == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// own marks names of the user's package until the file is complete. It distinguishes them from
// equal names in printerNames.
const own = "\u02c7"

// keepOwn renames those printerNames that the package declares as well.
func (b *body) keepOwn(text string) string {
	for _, n := range printerNames {
		if b.root.types.Scope().Lookup(n) != nil && strings.Contains(text, own+"."+n) {
			text = renamed(text, n, uniqueName(b.names, n))
		}
	}
	return text
}

// predeclared are the predeclared names that generated code uses without alternatives; for min and
// max there are some.
var predeclared = []string{"bool", "byte", "float32", "float64", "int", "int8", "int16", "int32", "int64", "string",
	"uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "append", "cap", "clear", "copy", "len", "make", "new", "panic", "true", "false", "nil"}

// keepOwnBuiltins replaces calls of min and max if the package declares these names. It returns an
// error if the package declares another predeclared name in use.
func (p *printer) keepOwnBuiltins(text string) (string, error) {
	for n, to := range map[string]string{"min": "Least", "max": "Most"} {
		if p.root.declares(n) && containsWord(text, n) {
			text = renamed(text, n, p.rt()+"."+to)
		}
	}
	names := predeclared
	if p.complex {
		names = append(slices.Clone(names), "complex", "real", "imag", "complex64", "complex128")
	}
	for _, n := range names {
		if p.root.declares(n) && containsWord(text, n) {
			return "", fmt.Errorf("%s: the package declares %s, which the generated code needs as Go's", p.root.path, n)
		}
	}
	return text, nil
}

// keepOwnPackages renames the imported packages whose names the package declares, and replaces
// placeholders by names.
func (p *printer) keepOwnPackages(text string) string {
	for _, path := range slices.Sorted(maps.Keys(p.imports)) {
		n := p.imports[path]
		name := n
		if strings.HasPrefix(n, placeholder) {
			name = ascii(p.prog.importedName(path))
		} else if !p.root.declares(n) {
			continue
		}
		to := name
		for i := 2; p.root.declares(fromASCII(to)) || containsWord(text, to) || token.IsKeyword(to); i++ {
			to = fmt.Sprintf("%s%d", name, i)
		}
		text = renamed(text, n, to)
		p.imports[path] = to
	}
	return text
}

// renamed replaces the name n in code, except where it is a field or a part of a longer name.
func renamed(text, n, to string) string {
	code := codeOf(text)
	var out strings.Builder
	last := 0
	for i := 0; ; {
		j := strings.Index(code[i:], n)
		if j < 0 {
			break
		}
		j += i
		i = j + len(n)
		if (j == 0 || !identByte(code[j-1]) && code[j-1] != '.') && (i == len(code) || !identByte(code[i])) {
			out.WriteString(text[last:j])
			out.WriteString(to)
			last = i
		}
	}
	out.WriteString(text[last:])
	return out.String()
}

func identByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// useAll adds a use for those variables in names that text declares and never reads, since Go
// rejects unused variables. A loop that is printed twice declares them twice.
func useAll(text string, names []string) string {
	if len(names) == 0 {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	type assignment struct {
		targets []string
		rest    string // the line without them
		defines bool
	}
	all := make([]assignment, len(lines))
	for i, l := range lines {
		code := codeOf(l)
		all[i].rest = code
		if m := assignsTo.FindStringSubmatch(code); m != nil {
			all[i] = assignment{strings.Split(m[1], ", "), code[len(m[0]):], m[2] == ":="}
		}
	}
	var uses []string
	for _, name := range names {
		defined, read := false, false
		for _, a := range all {
			defined = defined || a.defines && slices.Contains(a.targets, name)
			if read = containsWord(a.rest, name); read {
				break
			}
		}
		if defined && !read {
			uses = append(uses, name)
		}
	}
	if len(uses) == 0 {
		return text
	}
	var out strings.Builder
	for i, l := range lines {
		out.WriteString(l)
		for _, name := range all[i].targets {
			if all[i].defines && slices.Contains(uses, name) {
				out.WriteString("_ = " + name + "\n")
			}
		}
	}
	return out.String()
}

// assignsTo matches the variables that a line assigns, and the operator.
var assignsTo = regexp.MustCompile(`^\s*(\w+(?:, \w+)*) (\S*=) `)

func paren(s string) string {
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && !identByte(c) && c != '.':
			return "(" + s + ")"
		}
	}
	return s
}

// unparen removes parentheses around all of s.
func unparen(s string) string {
	for len(s) > 1 && s[0] == '(' && s[len(s)-1] == ')' {
		depth := 0
		for i := range len(s) - 1 {
			switch s[i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				return s // the first parenthesis is closed before the end
			}
		}
		s = s[1 : len(s)-1]
	}
	return s
}

// replaceWord replaces a name that is not a field.
func replaceWord(text, name, by string) string {
	return regexp.MustCompile(`(^|[^.\w])`+name+`\b`).ReplaceAllString(text, "${1}"+by)
}

// distinct returns list without duplicates.
func distinct(list []string) []string {
	var once []string
	for _, s := range list {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}
