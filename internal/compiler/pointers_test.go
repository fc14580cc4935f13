package compiler

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Structs are copied for blocks unless they have locks, or a kernel may store to them otherwise than to numbers that are
// their fields.
func TestByValue(t *testing.T) {
	inModule(t, map[string]string{"k.go": `package k

import (
	"sync"

	"github.com/gocuda/gocuda/gocuda"
)

type held struct{ yes bool }

func (h *held) Lock()   { h.yes = true }
func (h *held) Unlock() { h.yes = false }

type plain struct {
	X []float32
	N int
}

type locked struct {
	plain
	mu sync.Mutex
}

type ownLock struct {
	plain
	h held
}

//gocuda:kernel
func reads(t *gocuda.Thread, s *plain) { s.X[t.GlobalX()] = float32(s.N) }

//gocuda:kernel
func table(t *gocuda.Thread, s *[4]float32) { s[t.GlobalX()&3] = 1 }

//gocuda:kernel
func locks(t *gocuda.Thread, s *locked) { s.X[t.GlobalX()] = 1 }

//gocuda:kernel
func ownLocks(t *gocuda.Thread, s *ownLock) { s.X[t.GlobalX()] = 1 }

//gocuda:kernel
func stores(t *gocuda.Thread, s *plain) {
	if t.GlobalX() == 3 {
		s.N++
	}
	s.X[t.GlobalX()] = 1
}

//gocuda:kernel
func storesAll(t *gocuda.Thread, s *plain) {
	s.X[t.GlobalX()] = float32(s.N)
	*s = plain{}
}

//gocuda:kernel
func storesSlice(t *gocuda.Thread, s *plain) {
	s.X[t.GlobalX()] = float32(s.N)
	s.X = nil
}

//gocuda:kernel
func asksForNil(t *gocuda.Thread, x []int, n *int) {
	if n != nil {
		x[t.GlobalX()] = *n
	}
}

//gocuda:kernel
func storesElsewhere(t *gocuda.Thread, s *plain, all []plain) {
	all[t.GlobalX()].N = s.N
}

//gocuda:kernel
func addresses(t *gocuda.Thread, s *plain, n *int) {
	*n = s.N
}
`})
	results, err := Generate(".", []string{"."}, Options{Record: true})
	require.NoError(t, err)
	for kernel, want := range map[string]bool{"reads": true, "table": true, "locks": false, "ownLocks": false, "stores": true, "addresses": true,
		"storesAll": false, "storesSlice": false, "storesElsewhere": false, "asksForNil": false} {
		assert.Equal(t, want, slices.Contains(results[0].Worked[kernel], "pointers"), kernel)
	}
}

// Arrays that pointers lead to are slices if their copies are only read before something is stored.
func TestCopiesOfArrays(t *testing.T) {
	for body, slice := range map[string]bool{
		"for k, w := range p.W { s += w * x[k] }; x[i] = s":                               true,
		"w := p.W; x[i] = w[0] + w[i&3]":                                                  true,
		"w := p.W; x[i] = w[0]; x[i] += w[1]":                                             false,
		"w := p.W; x[i] = 1; s = w[0]; x[i] += s":                                         false,
		"for k, w := range p.W { s += w; x[k] = s }":                                      false,
		"for y, row := range p.M { for c, m := range row { s += m * x[y+c] } }; x[i] = s": true,
		"row := p.M[1]; x[i] = row[0]":                                                    true,
		"k := 0; for k < 3 { row := p.M[k]; s += row[1]; k++ }; x[i] = s":                 true,
		"w := p.W; t.SyncThreads(); x[i] = w[0]":                                          false,
		"w := p.W; atomic.Add(&y[0], 1); x[i] = w[0]":                                     false,
		"w := p.W; w[1] = s; x[i] = w[0] + w[1]":                                          false,
		"for range 3 { w := p.W; s += w[0] }; x[i] = s":                                   true,
		"for range 3 { w := p.W; x[i] = w[0] }":                                           true,
		"w := p.W; for range 3 { x[i] += w[0] }":                                          false,
		"w := p.W; v := p.W; x[i] = w[0]; x[i] += v[0]":                                   false,
		"if i > 3 { w := p.W; s = w[0] } else { w := p.W; s = w[1] }; x[i] = s":           true,
		"f := *p; x[i] = f.W[0] + f.M[1][1]":                                              true,
	} {
		s := snippetOf(t, "type par struct { W [4]float32; M [3][3]float32 }\n\n//gocuda:kernel\nfunc k(t *gocuda.Thread, p *par, x []float32, y []int32) {\ni, s := t.GlobalX(), float32(0)\n"+body+"\n_ = s\n}\n")
		k := s.kernels()[0]
		made := slices.ContainsFunc(k.Params, func(v *Var) bool { return k.from[v] != "" })
		assert.Equal(t, slice, made, body)
	}
}

// Rows of arrays of arrays are copied where they are, if an index may be out of range: it fails there.
func TestCopiesOfRows(t *testing.T) {
	for body, kept := range map[string]bool{
		"row := p.M[i]; x[i] = row[0]":                                       true,
		"k := 0; for ; k < 2; k++ { s++ }; row := p.M[k]; x[i] = row[1] + s": true,
		"for k := range 3 { row := p.M[k]; s += row[1] }; x[i] = s":          false,
		"for k := range 4 { row := p.M[k%3]; s += row[1] }; x[i] = s":        true,
		"row := p.M[2]; x[i] = row[0]":                                       false,
	} {
		s := snippetOf(t, "type par struct { M [3][3]float32 }\n\n//gocuda:kernel\nfunc k(t *gocuda.Thread, p *par, x []float32) {\ni, s := t.GlobalX(), float32(0)\n"+body+"\n_ = s\n}\n")
		k := s.kernels()[0]
		is := anyStmt(k.Body, func(s Stmt) bool {
			a, ok := s.(*Assign)
			return ok && a.Def && isArray(a.R.Type())
		})
		assert.Equal(t, kept, is, body)
	}
}
