package compiler

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Slices that are copied by way of others are the same ones in each run: the order of a map does not
// show.
func TestCopiesOfCopies(t *testing.T) {
	inModule(t, map[string]string{"k.go": `package k

import "github.com/gocuda/gocuda/gocuda"

type arrays struct{ a, b []float32 }

//gocuda:kernel
func exchanged(t *gocuda.Thread, g arrays, out []float32) {
	i := t.GlobalX()
	g.a, g.b = g.b, g.a
	v := g.a[i]
	l := g
	l.a = l.b[1:]
	t.SyncThreads()
	out[i] = v + l.a[i] + g.b[i]
}
`})
	var first []byte
	for range 10 { // enough for two orders to turn up
		results, err := Generate(".", []string{"."}, Options{})
		require.NoError(t, err)
		var all []byte
		for _, f := range results[0].Files {
			all = append(all, f.Data...)
		}
		if first == nil {
			first = all
		}
		require.Equal(t, string(first), string(all))
	}
	assert.NotEmpty(t, first)
}
