package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Names of variables in generated code.

// reservedNames returns the names that variables of a kernel must not have.
func reservedNames(root *pkg) map[string]bool {
	m := map[string]bool{"_": true, "gocuda": true, "rt": true, "grid": true, "math": true, "init": true, "main": true}
	for _, n := range types.Universe.Names() {
		m[n] = true
	}
	for _, n := range root.types.Scope().Names() {
		m[n] = true
	}
	for _, q := range root.types.Imports() {
		m[q.Name()] = true
	}
	for _, n := range printerNames {
		m[n] = true
	}
	return m
}

// Generated code is ASCII until the file is complete: every other letter is encoded by its number
// between marks.

// ascii encodes the letters of a name, or of code without strings, that are not ASCII.
func ascii(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf && string(r) != own }) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf || string(r) == own {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, "Zu%xuZ", r)
		}
	}
	return out.String()
}

var letterInASCII = regexp.MustCompile(`Zu([0-9a-f]+)uZ`)

// fromASCII decodes the letters that ascii has encoded in code.
func fromASCII(text string) string {
	code := codeOf(text)
	var out strings.Builder
	last := 0
	for _, m := range letterInASCII.FindAllStringSubmatchIndex(code, -1) {
		n, err := strconv.ParseInt(code[m[2]:m[3]], 16, 32)
		if err != nil {
			continue
		}
		out.WriteString(text[last:m[0]])
		out.WriteRune(rune(n))
		last = m[1]
	}
	out.WriteString(text[last:])
	return out.String()
}

// uniqueName returns an unused name derived from the given one, and marks it as used.
func uniqueName(used map[string]bool, name string) string {
	if name == "" || name == "_" {
		name = "v"
	}
	name = ascii(name)
	taken := func(n string) bool { return used[n] || token.IsKeyword(n) }
	n := name
	if taken(n) {
		// Used numbers are mostly the first ones, so the next is found by bisection.
		number := func(i int) string { return fmt.Sprintf("%s%d", name, i) }
		free := 2
		for taken(number(free)) {
			free *= 2
		}
		n = number(free/2 + 1 + sort.Search(free-free/2-1, func(i int) bool { return !taken(number(free/2 + 1 + i)) }))
	}
	used[n] = true
	return n
}

// renameTypeParams renames the type parameters of k if generated code uses one of their names. It
// returns the replacements, or nil.
func (k *Kernel) renameTypeParams() map[*types.TypeParam]types.Type {
	taken := func(name string) bool {
		return slices.Contains(printerNames, name) || slices.Contains(predeclared, name) || name == "min" || name == "max" || k.names[name]
	}
	bad := false
	for tp := range k.TypeParams.TypeParams() {
		bad = bad || taken(tp.Obj().Name())
	}
	if !bad {
		return nil
	}
	stand := map[*types.TypeParam]types.Type{}
	var list []*types.TypeParam
	for tp := range k.TypeParams.TypeParams() {
		name := tp.Obj().Name()
		if taken(name) {
			name = uniqueName(k.names, "T")
		}
		obj := types.NewTypeName(tp.Obj().Pos(), tp.Obj().Pkg(), name, nil)
		other := types.NewTypeParam(obj, nil)
		stand[tp] = other
		list = append(list, other)
	}
	for i, other := range list {
		other.SetConstraint(substType(k.TypeParams.At(i).Constraint(), stand))
	}
	k.printed = types.NewSignatureType(nil, nil, list, nil, nil, false).TypeParams()
	return stand
}

// printedParams returns the type parameters of k under their names in generated code.
func (k *Kernel) printedParams() *types.TypeParamList {
	if k.printed != nil {
		return k.printed
	}
	return k.TypeParams
}
