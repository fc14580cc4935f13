package fingerprint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const source = `// Package p has all kinds of declarations.
package p

import (
	"math"
	m "math/bits"
)

import "fmt"

const (
	A = iota
	B // two
	C
)

const D = 1

var x, y = 1, 2

var (
	u int
	v = map[string]int{
		"a": 1,
	}
)

type T struct{ a, b int }

type (
	U []T
	V[K comparable] map[K]T
)

// f does something.
func f(a, b int) (int, error) {
	for i := range a { // a comment
		b += i
	}
	return b, fmt.Errorf("%d %v", m.OnesCount(uint(b)), math.Pi)
}

//gocuda:kernel
func (t *T) get() int { return t.a }

func (V[K]) none() {}

func (v V[K]) some(k K) T { return v[k] }
`

func TestDeclarations(t *testing.T) {
	got := Declarations([]byte(source))
	var names []string
	for name := range got {
		names = append(names, name)
	}
	assert.ElementsMatch(t, []string{"A", "B", "C", "D", "x", "y", "u", "v", "T", "U", "V", "f", "T.get", "V.none", "V.some"}, names)
	assert.Equal(t, got["A"].Hash, got["C"].Hash)
	assert.NotEqual(t, got["u"].Hash, got["v"].Hash)
	for name, text := range map[string]string{"f": "func f(", "T.get": "func (t *T) get", "u": "u int", "D": "const D"} {
		before, _, found := strings.Cut(source, text)
		require.True(t, found)
		assert.Equal(t, 1+strings.Count(before, "\n"), got[name].Line, name)
	}
}

// replaced returns the source with one text for another, which must be there.
func replaced(t *testing.T, old, by string) map[string]Print {
	t.Helper()
	require.Contains(t, source, old)
	return Declarations([]byte(strings.Replace(source, old, by, 1)))
}

func TestChanges(t *testing.T) {
	before := Declarations([]byte(source))
	all := MakeList(before)
	for _, c := range []struct{ old, by, changed string }{
		{"// f does something.\n", "", ""},
		{"// a comment", "", ""},
		{"func f(a, b int) (int, error) {", "func f(\n\ta, b int,\n) (int, error) {\n", ""},
		{"for i := range a { // a comment\n\t\tb += i\n\t}", "for i := range a { b += i; }", ""},
		{"{ a, b int }", "{\n\ta, b int\n}", ""},
		{"m \"math/bits\"", "bits \"math/bits\"", "f"}, // and f still calls m.OnesCount
		{"\"math\"\n", "\"strings\"\n\t\"math\"\n", ""},
		{"b += i", "b -= i", "f"},
		{"A = iota", "A = iota + 1", "A"},
		{"B // two", "B\n\tBB", "A"},
		{"D = 1", "D = 2", "D"},
		{"x, y = 1, 2", "x, y = 2, 1", "x"},
		{"u int", "u int32", "u"},
		{"\"a\": 1,", "\"a\": 2,", "v"},
		{"struct{ a, b int }", "struct{ a, c int }", "T"},
		{"U []T", "U [3]T", "U"},
		{"return t.a", "return t.b", "T.get"},
		{"//gocuda:kernel\n", "//gocuda:kernel fastmath\n", "T.get"},
		{"func (v V[K]) some", "func (v V[K]) other", "V.some"},
	} {
		name, changed := all.Changed(replaced(t, c.old, c.by))
		assert.Equal(t, c.changed != "", changed, "%q to %q", c.old, c.by)
		assert.Equal(t, c.changed, name, "%q to %q", c.old, c.by)
	}
	// An import under another name is the same if it is used under that name.
	renamed := Declarations([]byte(strings.NewReplacer("m \"math", "other \"math", "m.Ones", "other.Ones").Replace(source)))
	_, changed := all.Changed(renamed)
	assert.False(t, changed)
}

// Whatever is in the file, nothing panics.
func FuzzDeclarations(f *testing.F) {
	f.Add([]byte(source))
	for _, s := range []string{"", "package", "func", "func (", "type (", "const (\nA", "import (\n\"", "func (a.b) c()", "var )", "//gocuda:x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		MakeList(Declarations(src)).Changed(nil)
	})
}
