package cli

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	words := []string{"bench", "gen", "go", "run", "sanitize", "o", "workload"}
	for word, want := range map[string]string{
		"bnech": "bench", "benchh": "bench", "genn": "gen", "rum": "run", "santize": "sanitize", "wrokload": "workload", "Run": "run",
		"x": "", "fly": "", "og": "", "workloads": "workload", "": "", "sanitary": "",
	} {
		assert.Equal(t, want, Nearest(word, words), word)
	}
	assert.Equal(t, 3, Distance("kitten", "sitting"))
	assert.Equal(t, 4, Distance("", "four"))
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		ok     bool
		stdout string
		stderr string
	}{
		{[]string{"-size", "3"}, 0, true, "", ""},
		{[]string{"-h"}, 0, false, "usage: gocuda x [flags]\n\n  -quick\n    \tbe quick\n  -size int\n    \tthe size\n", ""},
		{[]string{"-sise", "3"}, 2, false, "", "gocuda x: flag provided but not defined: -sise; did you mean -size? (gocuda x -h explains the flags)\n"},
		{[]string{"-z"}, 2, false, "", "gocuda x: flag provided but not defined: -z (gocuda x -h explains the flags)\n"},
		{[]string{"-size"}, 2, false, "", "gocuda x: flag needs an argument: -size (gocuda x -h explains the flags)\n"},
		{[]string{"y"}, 2, false, "", "gocuda x: unexpected argument \"y\" (gocuda x -h explains the flags)\n"},
	} {
		fs := New("gocuda x")
		fs.Int("size", 0, "the size")
		fs.Bool("quick", false, "be quick")
		var out, err bytes.Buffer
		status, ok := ParseAlone(fs, c.args, &out, &err)
		assert.Equal(t, c.status, status, c.args)
		assert.Equal(t, c.ok, ok, c.args)
		assert.Equal(t, c.stdout, out.String(), c.args)
		assert.Equal(t, c.stderr, err.String(), c.args)
	}
}

func TestParseMixed(t *testing.T) {
	for _, c := range []struct {
		args, words []string
		size        int
		quick, ok   bool
	}{
		{nil, nil, 0, false, true},
		{[]string{"a", "b"}, []string{"a", "b"}, 0, false, true},
		{[]string{"-size", "3", "a"}, []string{"a"}, 3, false, true},
		{[]string{"a", "-size", "3"}, []string{"a"}, 3, false, true},
		{[]string{"a", "-quick", "b", "-size=3", "c"}, []string{"a", "b", "c"}, 3, true, true},
		{[]string{"a", "--", "-quick", "b"}, []string{"a", "-quick", "b"}, 0, false, true},
		{[]string{"-size", "--", "a"}, nil, 0, false, false},
		{[]string{"a", "-size"}, nil, 0, false, false},
		{[]string{"a", "-none"}, nil, 0, false, false},
	} {
		fs := New("gocuda x")
		size := fs.Int("size", 0, "the size")
		quick := fs.Bool("quick", false, "be quick")
		var out, err bytes.Buffer
		words, status, ok := ParseMixed(fs, c.args, &out, &err)
		assert.Equal(t, c.ok, ok, c.args)
		if !ok {
			assert.Equal(t, 2, status)
			assert.NotEmpty(t, err.String())
			continue
		}
		assert.Equal(t, c.words, words, c.args)
		assert.Equal(t, c.size, *size, c.args)
		assert.Equal(t, c.quick, *quick, c.args)
	}
}
