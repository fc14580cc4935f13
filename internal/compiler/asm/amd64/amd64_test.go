package amd64_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/asm/amd64"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// An operation that the machine has no instruction for is an error, and adds nothing to the file.
func TestMissing(t *testing.T) {
	n := &lir.Nest{Parts: 1, Size: 8, Groups: []lir.Group{{Base: 8, Off: 32, Size: 8}}}
	x := n.New(lir.I64)
	n.Body = []lir.Node{
		&lir.Instr{Op: lir.Load, Kind: lir.I64, Dst: x},
		&lir.Instr{Op: lir.Div, Kind: lir.I64, Dst: x, X: x, Y: x},
	}
	var f asm.File
	assert.ErrorIs(t, f.Func("k", amd64.AVX2, n), asm.ErrMissing)
	assert.True(t, f.Empty())
}
