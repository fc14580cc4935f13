package rooms

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	linkOfTexts    = regexp.MustCompile(`\[(\w+)\]\(\.\./([^)]+)\)`)
	commandOfTexts = regexp.MustCompile("`gocuda ([^`]+)`")
)

// rowsOfTexts returns the rows of the tables of docs/texts.md, without their headings.
func rowsOfTexts(t *testing.T) []string {
	text, err := os.ReadFile("../../docs/texts.md")
	require.NoError(t, err)
	var rows []string
	for line := range strings.SplitSeq(string(text), "\n") {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| ---") && !strings.HasPrefix(line, "| text |") {
			rows = append(rows, line)
		}
	}
	return rows
}

// declares reports whether Go source declares a name at the top level.
func declares(source, name string) bool {
	return regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |const |var |\t)` + name + `\b[^:]`).MatchString(source)
}

// Every row of docs/texts.md has a program: a declaration where the link says, whose tests are in
// its package, or a command.
func TestProgramsOfTheTextsExist(t *testing.T) {
	rows := rowsOfTexts(t)
	require.Greater(t, len(rows), 60)
	for _, row := range rows {
		links := linkOfTexts.FindAllStringSubmatch(row, -1)
		if len(links) == 0 && !commandOfTexts.MatchString(row) {
			t.Errorf("no program: %s", row)
		}
		for _, link := range links {
			source, err := os.ReadFile(filepath.Join("../..", link[2]))
			if assert.NoError(t, err) && !declares(string(source), link[1]) {
				t.Errorf("%s does not declare %s", link[2], link[1])
			}
		}
	}
	assert.False(t, declares("func SAXPYForm() {}\n", "SAXPY"), "the test sees nothing")
}

// Every command of docs/texts.md succeeds.
func TestCommandsOfTheTextsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command and runs it some forty times")
	}
	program := filepath.Join(t.TempDir(), "gocuda")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", program, "../../cmd/gocuda").CombinedOutput()
	require.NoError(t, err, string(out))
	ran := 0
	for _, row := range rowsOfTexts(t) {
		for _, command := range commandOfTexts.FindAllStringSubmatch(row, -1) {
			ran++
			run := exec.Command(program, strings.Fields(command[1])...)
			run.Dir = t.TempDir() // where nothing may be left behind
			out, err := run.CombinedOutput()
			assert.NoError(t, err, "gocuda %s: %s", command[1], out)
			assert.Contains(t, string(out), "verified", "gocuda %s", command[1])
			left, err := os.ReadDir(run.Dir)
			require.NoError(t, err)
			assert.Empty(t, left, "gocuda %s leaves files behind", command[1])
		}
	}
	assert.Greater(t, ran, 30)
}
