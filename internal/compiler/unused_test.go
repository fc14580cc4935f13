package compiler

import (
	"go/format"
	"slices"
	"strings"
	"testing"
)

func TestDropUnused(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"used", "x := f()\ng(x)", "x := f()\ng(x)"},
		{"unused", "x := a + 1\ng(a)", "g(a)"},
		{"one after the other", "x := a + 1\ny := x\ng(a)", "g(a)"},
		{"may panic", "x := s[a]\ny := 1 / a", "_ = s[a]\n_ = 1 / a"},
		{"call", "x := f()", "_ = f()"},
		{"one of two", "x, y := two()\ng(y)", "_, y := two()\ng(y)"},
		{"two of two", "x, y := two()", "_, _ = two()"},
		{"only assigned", "var x int\nx = a\nx = s[a]", "_ = s[a]"},
		{"changed is used", "x := 1\nx += a", "x := 1\nx += a"},
		{"value", "var x = f()", "_ = f()"},
		{"in a loop", "for i := range a {\nx := i\n}", "for range a {\n}"},
		{"range of values", "for _, x := range s {\n}", "for range s {\n}"},
		{"value of a range", "for i, x := range s {\ng(i)\n}", "for i, _ := range s {\ng(i)\n}"},
		{"range", "for i, x := range s {\ng(x)\n}", "for _, x := range s {\ng(x)\n}"},
		{"label", "loop:\nfor a > 0 {\na--\n}", "for a > 0 {\na--\n}"},
		{"label of a jump", "loop:\nfor a > 0 {\nbreak loop\n}", "loop:\n\tfor a > 0 {\n\t\tbreak loop\n\t}"},
		{"same name", "x := a\n{\nx := f()\ng(x)\n}", "{\nx := f()\ng(x)\n}"},
		{"of the package", "global = a", "global = a"},
		{"parameter", "a = 3", "a = 3"},
	} {
		src := func(body string) string { return "var global int\n\nfunc f(a int, s []int) {\n" + body + "\n}\n" }
		got, err := format.Source([]byte(dropUnused(src(c.body))))
		want, err2 := format.Source([]byte(src(c.want)))
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if !slices.Equal(strings.Fields(string(got)), strings.Fields(string(want))) {
			t.Errorf("%s: got\n%s\nnot\n%s", c.name, got, want)
		}
	}
}
