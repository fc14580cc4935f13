package compiler

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Code that the type checker or go vet rejects is found, with the kernel that it belongs to.
func TestVerify(t *testing.T) {
	s := snippetOf(t, inKernel("if i := t.GlobalX(); i < n { x[i]++ }"))
	r, err := s.prog.generate(s.pkg)
	require.NoError(t, err)
	for _, c := range []struct{ name, body, says string }{
		{"nothing", "", ""},
		{"types", "var a int = 1.5\n_ = a\n", "truncated"},
		{"a condition twice", "a, b := 1, 2\nif a < b && a < b {\n}\n", "redundant and"},
		{"an assignment to itself", "a := 1\na = a\n", "self-assignment"},
		{"what is not reached", "for {\n}\nprintln()\n", "unreachable code"},
		{"a shift that is too far", "a := int8(1)\n_ = a << 9\n", "too small for shift"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(string(r.Files[0].Data), "func kBody(", "func kBodyRow7() {\n"+c.body+"}\n\nfunc kBody(", 1)
			complaints, err := s.prog.verify(s.pkg, []File{{r.Files[0].Path, []byte(text)}})
			require.NoError(t, err)
			if c.says == "" {
				assert.Empty(t, complaints)
				return
			}
			require.NotEmpty(t, complaints)
			assert.Equal(t, "kBodyRow7", complaints[0].fn)
			assert.Contains(t, complaints[0].why, c.says)
		})
	}
}

// A kernel whose code is rejected stays on coroutines; the other kernels of the package are
// unaffected.
func TestRefused(t *testing.T) {
	s := snippetOf(t, inKernel("if i := t.GlobalX(); i < n { x[i]++ }")+
		"//gocuda:kernel\nfunc other(t *gocuda.Thread, x []int) {\nfor i, j := t.GlobalX(), 0; i < cap(x); i, j = i+j, j+1 { x[i] = j }\n}\n\nconst false = 1\n")
	r, err := s.prog.generate(s.pkg)
	require.NoError(t, err)
	for _, n := range r.Fallbacks {
		assert.Contains(t, n.Message, "the package declares false")
	}
	assert.Equal(t, 2, r.Kernels)
	assert.Contains(t, string(r.Files[0].Data), `rt.Uncompiled[gocuda.Kernel]("snippet.other"`)
	_, err = s.generated()
	require.NoError(t, err)
}
