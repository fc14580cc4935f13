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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/arch/arm64/arm64asm"
)

// samples returns each instruction in each arrangement in use, with random registers.
func samples() (list []word) {
	r := rand.New(rand.NewPCG(1, 2))
	add := func(w word) { list = append(list, w) }
	reg := func() int { return r.IntN(32) }
	for _, op := range slices.Sorted(maps.Keys(words)) {
		arrangements := []arrangement{s4, d2}
		switch {
		case words[op].of == bitwise:
			arrangements = []arrangement{b16}
		case op == "mul" || op == "smax" || op == "smin":
			arrangements = []arrangement{s4} // there is no form for 64 bits
		}
		for _, a := range arrangements {
			for range 8 {
				add(encode(op, a, reg(), reg(), reg()))
			}
		}
	}
	narrow := map[string][]arrangement{"xtn": {h4, s2}, "sqxtn": {h4, s2}, "fcvtl": {s2}, "fcvtn": {s2}, "sxtl": {b8, h4, s2}}
	for _, op := range slices.Sorted(maps.Keys(narrow)) {
		for _, a := range narrow[op] {
			for range 8 {
				add(encodeWidth(op, a, reg(), reg()))
			}
		}
	}
	for _, op := range slices.Sorted(maps.Keys(elements)) {
		for _, a := range []arrangement{s4, d2} {
			for range 8 {
				add(encodeElement(op, a, reg(), reg(), reg()))
			}
		}
	}
	for _, op := range slices.Sorted(maps.Keys(longs)) {
		for range 8 {
			add(encodeLong(op, reg(), reg(), reg()))
		}
	}
	for by := 1; by < 32; by++ {
		add(encodeShift(s4, by, reg(), reg()))
		add(encodeShift(d2, 2*by, reg(), reg()))
	}
	return list
}

// The encodings agree with clang's.
func TestWordsClang(t *testing.T) {
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
	for _, w := range all {
		fmt.Fprintf(&text, "%s\n", w.text)
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
	for i, w := range all {
		assert.Equal(t, fmt.Sprintf("%08x", binary.LittleEndian.Uint32(code[4*i:])), fmt.Sprintf("%08x", w.bits()), w.text)
	}
}

// The disassembler of golang.org/x/arch decodes each word to its text.
func TestWordsDisassembled(t *testing.T) {
	for _, w := range samples() {
		inst, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, w.bits()))
		require.NoError(t, err, w.text)
		text := strings.Replace(arm64asm.GNUSyntax(inst), "mvn ", "not ", 1) // aliases of one instruction
		assert.Equal(t, w.text, text, "%08x", w.bits())
	}
}

// Go's assembler expands the macros to their words.
func TestWordsMacros(t *testing.T) {
	all := samples()
	definitions := map[string]string{}
	var lines []string
	for _, w := range all {
		definitions[w.name] = w.definition()
		lines = append(lines, w.String())
	}
	got := assembled(t, "", strings.Join(slices.Sorted(maps.Values(definitions)), "\n")+"\n", lines)
	for i, w := range all {
		assert.Equal(t, fmt.Sprintf("%08x", w.bits()), got[i], "%s", w)
	}
}

// The encodings agree with those of Go 1.27's assembler, which supports these names and operands.
// The test needs that toolchain, or a copy in the module cache, which GOTOOLCHAIN=go1.27.0 go
// version fetches.
func TestWordsGo127(t *testing.T) {
	const toolchain = "go1.27.0"
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOHOSTOS", "GOHOSTARCH", "GOVERSION").Output()
	if err != nil {
		t.Skip("no go command")
	}
	env := strings.Fields(string(out))
	use := toolchain
	if minor := regexp.MustCompile(`^go1\.(\d+)`).FindStringSubmatch(env[3]); minor != nil {
		if n, _ := strconv.Atoi(minor[1]); n >= 27 {
			use = ""
		}
	}
	if use != "" {
		if _, err := os.Stat(filepath.Join(env[0], "golang.org", "toolchain@v0.0.1-"+toolchain+"."+env[1]+"-"+env[2])); err != nil {
			t.Skip("no " + toolchain)
		}
	}
	// That assembler does not support products by element.
	all := slices.DeleteFunc(samples(), func(w word) bool { return strings.Contains(w.text, "[") })
	assert.NotEmpty(t, all)
	var lines []string
	for _, w := range all {
		lines = append(lines, inGo127(w))
	}
	got := assembled(t, use, "", lines)
	for i, w := range all {
		assert.Equal(t, fmt.Sprintf("%08x", w.bits()), got[i], lines[i])
	}
}

var armOperand = regexp.MustCompile(`^v(\d+)\.(\d+)([bhsd])$`)

// inGo127 is a word in the syntax of Go's assembler, converted from Arm's: the operands are
// reversed.
func inGo127(w word) string {
	op, rest, _ := strings.Cut(w.text, " ")
	operands := strings.Split(rest, ", ")
	slices.Reverse(operands)
	for i, o := range operands {
		if m := armOperand.FindStringSubmatch(o); m != nil {
			operands[i] = "V" + m[1] + "." + strings.ToUpper(m[3]) + m[2]
		} else {
			operands[i] = strings.Replace(o, "#", "$", 1)
		}
	}
	return "V" + strings.ToUpper(op) + " " + strings.Join(operands, ", ")
}

var assembledLine = regexp.MustCompile(`(?m)^\s+a\.s:\d+\s+0x[0-9a-f]+\s+([0-9a-f]{8})\s`)

// assembled returns the words, in hexadecimal, to which Go's assembler translates lines.
func assembled(t *testing.T, toolchain, head string, lines []string) []string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "GOFLAGS=", "GOWORK=off")
		if toolchain != "" {
			cmd.Env = append(cmd.Env, "GOTOOLCHAIN="+toolchain)
		}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	text := head + "TEXT ·f(SB), 4, $0-0\n\t" + strings.Join(lines, "\n\t") + "\n\tRET\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.s"), []byte(text), 0o666))
	run("tool", "asm", "-p", "p", "-o", "a.o", "a.s")
	var got []string
	for _, m := range assembledLine.FindAllStringSubmatch(run("tool", "objdump", "a.o"), -1) {
		got = append(got, m[1])
	}
	require.GreaterOrEqual(t, len(got), len(lines))
	return got[:len(lines)]
}
