package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/loops.golden anew")

func TestInnerLoops(t *testing.T) {
	const text = `TEXT ·one(SB), 0, $0-8
	XORL DX, DX
	JMP next
form0:
	MOVQ 8(AX), CX
	PCALIGN $32
l1:
	VMOVUPS 0(R8)(DX*4), Z6
l2:
	VADDPS Z6, Z6, Z6
	DECQ BX
	JNE l2
l3:
	VMULPS Z6, Z6, Z7
	TESTQ BX, BX
	JLE l4
	CBZ R2, l3
l4:
	CMPQ CX, 8(AX)
	JLT l1
next:
	JGE form0
	RET
TEXT shared<>(SB), 0, $0
l1:
	JMP l1
TEXT ·straight(SB), 0, $0-8
	RET
`
	assert.Equal(t, "one: 3 4\n", innerLoops(text))
}

// The instructions of the inner loops of the standard workloads, on all machines. A pass that makes
// them more shows here, where no time could.
func TestInnerLoopsOfTheStandardWorkloads(t *testing.T) {
	var got strings.Builder
	for _, arch := range []string{"amd64", "arm64"} {
		text, err := os.ReadFile("../../kernels/kernels_gocuda_" + arch + ".s")
		require.NoError(t, err)
		got.WriteString(innerLoops(string(text)))
	}
	const golden = "testdata/loops.golden"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	before := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i < len(before) && line != before[i] {
			t.Errorf("%s, before %s; go test ./test/counts -update writes the file anew", line, before[i])
			return
		}
	}
	assert.Equal(t, string(want), got.String())
}
