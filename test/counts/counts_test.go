package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goListing has a form for many threads, with a loop whose masked part has a fast way of 3
// instructions and a slow one, and a form for few.
const goListing = `
TEXT ·someNEON(SB), NOSPLIT, $0-8
	MOVD a+0(FP), R0
	JMP next
form0:
	MOVD 8(R0), R4
	PCALIGN $16
l1:
	FLDPQ 0(R5), (F0, F1)
	VFADD_S4(5, 1, 5)
	CMN $1, R6
	BNE l2
	FSTPQ (F5, F6), 0(R5)
	JMP l3
l2:
	VST1 V5.S[0], (R3)
	VST1 V5.S[1], (R3)
	VST1 V5.S[2], (R3)
	VST1 V5.S[3], (R3)
	FMOVQ F6, 16(R5)
l3:
	VFMLA V1.S4, V2.S4, V3.S4
	SUB $1, R4
	CBNZ R4, l1
	JMP next
form1:
	FMOVQ F5, 0(R5)
	ADD $4, R1
next:
	ADD $16, R1, R2
	BLE form0
other0:
	BLT form1
	RET
`

// armListing has a loop for 8 numbers and one for what is left.
const armListing = `
some.omp_outlined:                      // @some.omp_outlined
	cbz	x9, .LBB0_3
.LBB0_1:                                // =>This Inner Loop Header: Depth=1
	ldp	q1, q2, [x8]
	subs	x9, x9, #8
	fmla	v1.4s, v0.4s, v2.4s
	stp	q1, q2, [x8], #32
	b.ne	.LBB0_1
.LBB0_2:
	ldr	s1, [x8]
	fmadd	s1, s1, s0, s2
	str	s1, [x8], #4
	str	x1, [sp, #16]                   // 8-byte Folded Spill
	cbnz	x9, .LBB0_2
.LBB0_3:
	ret
`

func count(t *testing.T, text, name, unit string) (cost, bool) {
	t.Helper()
	u, ok := parseUnit(unit)
	require.True(t, ok)
	blocks, ok := parse(text, nil)[name]
	require.True(t, ok)
	return innermost(blocks, u)
}

func TestInnermost(t *testing.T) {
	tests := []struct {
		text, name, unit string
		elements         float64
		instructions     int
	}{
		{goListing, "someNEON", "store4", 8, 9}, // the fast way: the others have more instructions
		{goListing, "someNEON", "fadd", 4, 9},
		{goListing, "someNEON", "fmla/2", 2, 9},
		{goListing, "someNEON", "load4", 8, 9},
		{armListing, "some.omp_outlined", "store4", 8, 5},
		{armListing, "some.omp_outlined", "store4@2", 1, 5}, // what is kept in the frame is no result
		{armListing, "some.omp_outlined", "fmla|fmadd", 4, 5},
		{armListing, "some.omp_outlined", "load8", 4, 5},
	}
	for _, test := range tests {
		c, found := count(t, test.text, test.name, test.unit)
		assert.True(t, found, test.unit)
		assert.Equal(t, cost{test.elements, test.instructions}, c, "%s %s", test.name, test.unit)
	}
	_, found := count(t, armListing, "some.omp_outlined", "fdiv")
	assert.False(t, found)
	_, found = count(t, armListing, "some.omp_outlined", "store4@3")
	assert.False(t, found)
}

func TestTable(t *testing.T) {
	rows, err := parseTable("# nothing\n\na: f.s x store4 + 0.5* g.s y fmla|fmls/2 = z load4@2\n")
	require.NoError(t, err)
	require.Len(t, rows, 1)
	assert.Equal(t, "a", rows[0].name)
	assert.Equal(t, loop{"g.s", "y", unit{ops: []string{"fmla", "fmls"}, each: 2}, 0.5}, rows[0].ours[1])
	assert.Equal(t, []loop{{"", "z", unit{load: 4, each: 1, which: 2}, 1}}, rows[0].c)
	for _, bad := range []string{"a: f.s x store4", "a: x store4 = z store4", "f.s x store4 = z store4", "a: f.s x store = z s!", "a: q* f.s x store4 = z store4"} {
		_, err := parseTable(bad)
		assert.Error(t, err, bad)
	}
}

// The loops of the standard workloads are there, and on the whole they have no more than 1.2 times
// the instructions of those in C.
func TestStandard(t *testing.T) {
	clang, err := findClang()
	if err != nil {
		t.Skip(err)
	}
	if _, err := compileC(clang, filepath.FromSlash("../../bench/baseline/openmp.c")); err != nil {
		t.Skip("no headers of C for arm64")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	var out strings.Builder
	mean, err := run(&out, "", filepath.FromSlash("../../bench/baseline/openmp.c"), filepath.FromSlash("../.."), clang)
	require.NoError(t, err)
	assert.Contains(t, out.String(), "saxpy")
	assert.LessOrEqual(t, mean, 1.2, out.String())
}
