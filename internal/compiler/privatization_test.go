package compiler

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Sums are private unless the kernel may see them, or may wait until others have seen them.
func TestPrivatize(t *testing.T) {
	inModule(t, map[string]string{"k.go": `package k

import (
	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
)

var table [8]int32

type history struct{ last [8]int32 }

//gocuda:kernel
func adds(t *gocuda.Thread, x []float32, n []int32) {
	if x[t.GlobalX()] > 0 {
		atomic.Add(&n[0], 1)
	}
}

//gocuda:kernel
func addsFromOther(t *gocuda.Thread, other, n []int32) { atomic.Add(&n[0], other[t.GlobalX()]) }

//gocuda:kernel
func addsFromShared(t *gocuda.Thread, n []int32) {
	s := gocuda.Shared[[8]int32](t, 4)
	atomic.Add(&s[1][t.ThreadIdx.X&7], 1)
	t.SyncThreads()
	atomic.Add(&n[t.ThreadIdx.X&7], s[1][t.ThreadIdx.X&7])
}

//gocuda:kernel
func reads(t *gocuda.Thread, n []int32) { atomic.Add(&n[0], n[1]) }

//gocuda:kernel
func waits(t *gocuda.Thread, n []int32, flag []uint32) {
	atomic.Add(&n[0], 1)
	for atomic.Add(&flag[0], 0) == 0 {
	}
}

//gocuda:kernel
func readsRows(t *gocuda.Thread, n []int32, rows [][8]int32) { atomic.Add(&n[0], rows[0][1]) }

//gocuda:kernel
func readsFields(t *gocuda.Thread, n []int32, of []history) { atomic.Add(&n[0], of[0].last[1]) }

//gocuda:kernel
func readsTable(t *gocuda.Thread, n []int32) { atomic.Add(&n[0], table[t.ThreadIdx.X&7]) }

//gocuda:kernel
func readsPointer(t *gocuda.Thread, n []int32, one *int32) { atomic.Add(&n[0], *one) }
`})
	results, err := Generate(".", []string{"."}, Options{Record: true})
	require.NoError(t, err)
	for kernel, want := range map[string]bool{
		"adds": true, "addsFromOther": true, "addsFromShared": true, "reads": false, "waits": false,
		"readsRows": false, "readsFields": false, "readsTable": false, "readsPointer": true,
	} {
		assert.Equal(t, want, slices.Contains(results[0].Worked[kernel], "privatize"), kernel)
	}
}
