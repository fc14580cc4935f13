package amd64_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	assert.ErrorIs(t, f.Func("k", amd64.AVX2, asm.NewForm(n)), asm.ErrMissing)
	assert.True(t, f.Empty())
}

// Spilled values do not cross cache lines: their places are multiples of the vector's length behind a
// register that has been rounded up to a line, and inside the frame.
func TestSpilledValuesAreAligned(t *testing.T) {
	n := &lir.Nest{Parts: 1, Size: 4, Groups: []lir.Group{{Base: 8, Off: 32, Size: 4}}}
	var all []lir.Value
	for i := range 40 { // more than there are registers
		v := n.New(lir.F32)
		n.Body = append(n.Body, &lir.Instr{Op: lir.Load, Kind: lir.F32, Dst: v, Mem: lir.Mem{Disp: 256 * i}})
		all = append(all, v)
	}
	sum := n.New(lir.F32)
	n.Body = append(n.Body, &lir.Instr{Op: lir.Move, Kind: lir.F32, Dst: sum, X: all[0]})
	for range 2 {
		for _, v := range all {
			n.Body = append(n.Body, &lir.Instr{Op: lir.Add, Kind: lir.F32, Dst: sum, X: sum, Y: v})
		}
	}
	n.Body = append(n.Body, &lir.Instr{Op: lir.Store, Kind: lir.F32, X: sum})
	for _, m := range amd64.Machines {
		var f asm.File
		require.NoError(t, f.Func("k", m, asm.NewForm(n)))
		text := f.String()
		aligned := regexp.MustCompile(`LEAQ (\d+)\(SP\), (\w+)\n\tANDQ \$-64, (\w+)\n`).FindStringSubmatch(text)
		require.Len(t, aligned, 4, text)
		require.Equal(t, aligned[2], aligned[3])
		frame := number(t, regexp.MustCompile(`TEXT ·k\(SB\), \w+, \$(\d+)-8`).FindStringSubmatch(text)[1])
		places := regexp.MustCompile(`VMOVUPS [XYZ]\d+, (\d+)\(`+aligned[2]+`\)\n`).FindAllStringSubmatch(text, -1)
		require.NotEmpty(t, places, text)
		for _, p := range places {
			at := number(t, p[1])
			assert.Zero(t, at%m.Bytes)
			assert.LessOrEqual(t, number(t, aligned[1])+at+m.Bytes, frame)
		}
		assert.NotRegexp(t, `VMOVUPS [XYZ]\d+, \d+\(SP\)`, text)
	}
}

func number(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}
