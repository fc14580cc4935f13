package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/cli"
)

// answers returns what may stand in the place of the last word.
func answers(words ...string) (list []string) {
	var out bytes.Buffer
	complete(words, &out)
	for line := range strings.Lines(out.String()) {
		word, _, _ := strings.Cut(line, "\t")
		list = append(list, word)
	}
	return list
}

func TestComplete(t *testing.T) {
	assert.Equal(t, commandNames(), answers(""))
	assert.Equal(t, []string{"sanitize"}, answers("sa"))
	assert.Subset(t, answers("run", "m"), []string{"mandelbrot", "matmul"})
	assert.Contains(t, answers("run", "saxpy", "-"), "-verify")
	assert.Equal(t, []string{"--verify"}, answers("run", "saxpy", "--ver"))
	assert.Equal(t, []string{"bench"}, answers("help", "be"))
	assert.Equal(t, []string{"test"}, answers("go", "t"))
	assert.Equal(t, []string{"fish"}, answers("completion", "f"))
	assert.Empty(t, answers("bench", "-plot", ""), "a file")
	assert.Contains(t, answers("bench", "-json", "-q"), "-quick", "behind a switch")
	assert.Empty(t, answers("go", "test", ""), "a package")
	assert.Empty(t, answers("nosuch", "-"))
	assert.Empty(t, answers("prof", ".", "--", "-"))
	assert.Empty(t, answers())
}

// All flags that a command explains are completed, and no others.
func TestAllFlagsAreCompleted(t *testing.T) {
	explained := regexp.MustCompile(`(?m)^  -([a-z-]+)`)
	for _, c := range commands() {
		for _, word := range []string{"", "saxpy"} {
			args := []string{c.name, word, "-h"}
			typed := []string{c.name, word, "-"}
			if word == "" {
				args, typed = []string{c.name, "-h"}, []string{c.name, "-"}
			}
			if (word != "") != (c.name == "run") || c.flags == nil {
				continue
			}
			status, stdout, stderr := command(args...)
			require.Zero(t, status, "%s: %s", c.name, stderr)
			var want []string
			for _, m := range explained.FindAllStringSubmatch(stdout, -1) {
				want = append(want, "-"+m[1])
			}
			assert.NotEmpty(t, want, c.name)
			assert.Equal(t, want, answers(typed...), c.name)
		}
	}
	fs := flag.NewFlagSet("x", flag.ContinueOnError)
	fs.Bool("a", false, "")
	fs.Int("b", 0, "")
	assert.True(t, cli.IsSwitch(fs.Lookup("a")))
	assert.False(t, cli.IsSwitch(fs.Lookup("b")))
}

// The shells themselves complete a line, by their scripts.
func TestShellsComplete(t *testing.T) {
	dir := t.TempDir()
	program, err := os.Executable()
	require.NoError(t, err)
	if err := os.Symlink(program, filepath.Join(dir, "gocuda")); err != nil {
		t.Skip(err)
	}
	t.Setenv(asCommand, "1")
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for shell, script := range map[string]string{
		"bash": `source <(gocuda completion bash)
COMP_WORDS=(gocuda bench -work); COMP_CWORD=2; _gocuda; echo "${COMPREPLY[@]}"
COMP_WORDS=(gocuda sanit); COMP_CWORD=1; _gocuda; echo "${COMPREPLY[@]}"`,
		"zsh": `compdef() { :; }
_describe() { print -l -- "${(@P)2%%:*}" | tr '\n' ' '; print; }
source <(gocuda completion zsh)
words=(gocuda bench -work); CURRENT=3; _gocuda
words=(gocuda sanit); CURRENT=2; _gocuda`,
		"fish": `gocuda completion fish | source
complete -C 'gocuda bench -work' | cut -f1 | string join ' '
complete -C 'gocuda sanit' | cut -f1`,
	} {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip("there is none")
			}
			cmd := exec.Command(shell, "-c", script)
			cmd.Env = append(os.Environ(), "HOME="+dir)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			var words []string
			for line := range strings.Lines(string(out)) {
				words = append(words, strings.TrimSpace(line))
			}
			assert.Equal(t, []string{"-workers -workload", "sanitize"}, words)
		})
	}
}
