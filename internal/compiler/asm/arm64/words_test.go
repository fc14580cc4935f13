package arm64

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A sample is a word and what it is said to do.
type sample struct {
	word uint32
	text string
}

// samples returns each instruction in each arrangement that is used, with some registers.
func samples() (list []sample) {
	r := rand.New(rand.NewPCG(1, 2))
	add := func(w uint32, text string) { list = append(list, sample{w, text}) }
	reg := func() int { return r.IntN(32) }
	for _, op := range slices.Sorted(maps.Keys(words)) {
		arrangements := []arrangement{s4, d2}
		switch {
		case words[op].of == bitwise:
			arrangements = []arrangement{b16}
		case op == "mul" || op == "smax" || op == "smin":
			arrangements = []arrangement{s4} // there is none of 64 bits
		}
		for _, a := range arrangements {
			for range 8 {
				add(encode(op, a, reg(), reg(), reg()))
			}
		}
	}
	for op, arrangements := range map[string][]arrangement{"xtn": {h4, s2}, "sqxtn": {h4, s2}, "fcvtl": {s2}, "fcvtn": {s2}, "sshll": {b8, h4, s2}} {
		for _, a := range arrangements {
			for range 8 {
				add(encodeWidth(op, a, reg(), reg()))
			}
		}
	}
	for by := 1; by < 32; by++ {
		add(encodeShift(s4, by, reg(), reg()))
		add(encodeShift(d2, 2*by, reg(), reg()))
	}
	return list
}

// Words are what clang makes of the text beside them.
func TestWords(t *testing.T) {
	clang := ""
	for _, name := range []string{"clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"} {
		if path, err := exec.LookPath(name); err == nil {
			clang = path
			break
		}
	}
	if clang == "" {
		t.Skip("no clang")
	}
	all := samples()
	var text strings.Builder
	for _, s := range all {
		fmt.Fprintf(&text, "%s\n", s.text)
	}
	dir := t.TempDir()
	source, object := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	require.NoError(t, os.WriteFile(source, []byte(text.String()), 0o666))
	out, err := exec.Command(clang, "--target=aarch64-linux-gnu", "-c", "-o", object, source).CombinedOutput()
	if err != nil && strings.Contains(string(out), "target") {
		t.Skip("clang has no aarch64")
	}
	require.NoError(t, err, "%s", out)
	file, err := elf.Open(object)
	require.NoError(t, err)
	defer file.Close()
	code, err := file.Section(".text").Data()
	require.NoError(t, err)
	require.Len(t, code, 4*len(all))
	for i, s := range all {
		assert.Equal(t, fmt.Sprintf("%08x", binary.LittleEndian.Uint32(code[4*i:])), fmt.Sprintf("%08x", s.word), s.text)
	}
}
