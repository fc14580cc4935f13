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
