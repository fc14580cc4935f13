package overlay

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The go command and this package have the same of an overlay.
func TestReadIsAsTheGoCommandDoes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("go.mod", "module example.com/m\n\ngo 1.26\n")
	write("a/main.go", "package main\n\nfunc main() { println(1) }\n")
	write("a/gone.go", "package main\n\nfunc main() {}\n")
	write("b/text", "package main\n\nfunc main() { println(2) }\n")
	write("overlay.json", `{"Replace": {"a/main.go": "b/text", "./a/../a/gone.go": ""}}`)
	cmd := exec.Command("go", "run", "-overlay", "overlay.json", "./a")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, "2\n", string(out))

	files, err := Read(dir, "overlay.json")
	require.NoError(t, err)
	main, gone := filepath.Join(dir, "a", "main.go"), filepath.Join(dir, "a", "gone.go")
	assert.Equal(t, Files{main: filepath.Join(dir, "b", "text"), gone: ""}, files)
	text, err := files.ReadFile(main)
	require.NoError(t, err)
	assert.Contains(t, string(text), "println(2)")
	_, err = files.ReadFile(gone)
	require.ErrorIs(t, err, os.ErrNotExist)
	text, err = files.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "module")
	texts, err := files.Texts()
	require.NoError(t, err)
	assert.Contains(t, string(texts[main]), "println(2)")
	assert.Contains(t, string(texts[gone]), "//go:build ignore")

	data, err := files.JSON()
	require.NoError(t, err)
	write("again.json", string(data))
	again, err := Read("/", filepath.Join(dir, "again.json"))
	require.NoError(t, err)
	assert.Equal(t, files, again)
}

func TestReadWhatIsNone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "overlay.json")
	_, err := Read("", file)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(file, []byte("{"), 0o666))
	_, err = Read("", file)
	require.ErrorContains(t, err, "overlay.json")
	_, err = Files{"a": filepath.Join(t.TempDir(), "none")}.Texts()
	require.ErrorIs(t, err, os.ErrNotExist)
}
