package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The program in README.md runs as it is after the command that the README has for it, runs the
// same after its kernel has been compiled, and with the line that the README gives it runs what was
// compiled.
func TestProgramOfTheREADME(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	require.Len(t, blocks, 2, "a program, and a line for it")
	program, line := blocks[0][1], blocks[1][1]

	dir := t.TempDir()
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o666))
	}
	goCommand := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		// All modules are here, as the test has been built: nobody has to be asked for any.
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOSUMDB=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "go %v: %s", args, out)
		return string(out)
	}
	get := regexp.MustCompile("(?m)^go (get .*)").FindStringSubmatch(string(text))
	require.NotNil(t, get)
	require.Contains(t, string(text), "`go mod init example.com/hello`")
	goCommand("mod", "init", "example.com/hello")
	goCommand("mod", "edit", "-replace=github.com/gocuda/gocuda="+root)
	goCommand(strings.Fields(get[1])...)
	write(program)

	const want = "[12 24 36] <nil>\n"
	assert.Contains(t, string(text), "prints `"+strings.TrimSpace(want)+"`")
	assert.Equal(t, want, goCommand("run", "."))
	goCommand("generate")
	assert.FileExists(t, filepath.Join(dir, "main_gocuda.go"))
	goCommand("vet", ".")
	assert.Equal(t, want, goCommand("run", "."))

	compiled := regexp.MustCompile(`(?m)^\terr := .*\n`).ReplaceAllString(program, line)
	require.NotEqual(t, program, compiled)
	write(compiled)
	assert.Equal(t, want, goCommand("run", "."))
}
