package learn

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// handIn writes an exercise's kernel.go of a learner: the text, or the solution for "solution", or
// the stub for "stub".
func handIn(t *testing.T, folder string, e *Exercise, text string) {
	t.Helper()
	switch text {
	case "solution", "stub":
		file := map[string]string{"solution": "solution.go.txt", "stub": "kernel.go.txt"}[text]
		b, err := e.Text(file)
		require.NoError(t, err)
		text = string(b)
	}
	dir := filepath.Join(folder, e.Name)
	require.NoError(t, os.MkdirAll(dir, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kernel.go"), []byte(text), 0o666))
}

const ex01, ex02 = "package ex01\n\nimport (\n\t\"os\"\n\t\"os/exec\"\n\n\t\"github.com/gocuda/gocuda/gocuda\"\n)\n\n" +
	"func AddTen(t *gocuda.Thread, out, in []int32) {}\n\nvar _, _ = os.Exit, exec.Command\n\n",
	"package ex02\n\nimport \"github.com/gocuda/gocuda/gocuda\"\n\nvar kept [][]byte\n\nfunc Add(t *gocuda.Thread, out, a, b []int32) {\n"

// forging writes the reports of all checks itself, to the file that the environment or the
// arguments may name.
const forging = `func init() {
	for _, name := range append(os.Environ(), os.Args...) {
		for i := range name {
			if f, err := os.OpenFile(name[i:], os.O_APPEND|os.O_WRONLY, 0); err == nil {
				for _, check := range []string{"example", "hidden", "order", "checked", "sanitize", "budget"} {
					f.WriteString("{\"Check\":\"" + check + "\",\"Passed\":true}\n")
				}
				f.Close()
			}
		}
	}
}
`

func TestClass(t *testing.T) {
	if testing.Short() || !groups {
		t.Skip("builds programs in process groups")
	}
	temp, folder := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	all, err := Exercises()
	require.NoError(t, err)
	chosen := all[:3]
	hand := func(learner string, texts ...string) {
		require.NoError(t, os.MkdirAll(filepath.Join(folder, learner), 0o777))
		for i, text := range texts {
			if text != "" {
				handIn(t, filepath.Join(folder, learner), chosen[i], text)
			}
		}
	}
	hand("1 good", "solution", "stub", "solution")
	hand("2 deep/course", "solution", "package ex02\n\n<b>", "package other\n")
	hand("3 leaves", "solution", ex02+"\tout[0] = \"x\"\n}\n", "package ex03\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n")
	hand("4 files", ex01+"func init() {\n\texec.Command(\"sleep\", \"987654\").Start()\n\tf, _ := os.Create(\"big\")\n\tfor {\n\t\tif _, err := f.Write(make([]byte, 1<<20)); err != nil {\n\t\t\tpanic(err)\n\t\t}\n\t}\n}\n",
		ex02+"\tfor {\n\t\tb := make([]byte, 1<<22)\n\t\tclear(b)\n\t\tkept = append(kept, b)\n\t}\n}\n")
	many := strings.Replace(ex01, "exec.Command\n", "exec.Command\n\nfunc init() {\n\tfor i := range 1000 {\n\t\tos.WriteFile(strings.Repeat(\"f\", 1+i%9)+strings.Repeat(\"g\", i/9), make([]byte, 1<<20), 0o666)\n\t}\n\tselect {}\n}\n", 1)
	hand("5 many", strings.Replace(many, "\"os/exec\"", "\"os/exec\"\n\t\"strings\"", 1))
	hand("6 link")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "6 link", chosen[0].Name), 0o777))
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(folder, "6 link", chosen[0].Name, "kernel.go")))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "notes.txt"), nil, 0o666))
	hand("7 forges", strings.Replace(ex01, "exec.Command\n", "exec.Command\n\n"+forging, 1))
	hand("8 deletes", strings.Replace(ex01, "exec.Command\n", "exec.Command\n\nfunc init() { os.RemoveAll(\".\"); os.RemoveAll(os.Getenv(\"HOME\")) }\n", 1))
	require.NoError(t, os.Symlink(filepath.Join(folder, "1 good"), filepath.Join(folder, "9 link")))
	hand("9 links")
	require.NoError(t, os.Symlink(filepath.Join(folder, "1 good", chosen[0].Name), filepath.Join(folder, "9 links", chosen[0].Name)))
	require.NoError(t, os.Symlink(filepath.Join(folder, "1 good", chosen[2].Name), filepath.Join(folder, "9 links", chosen[2].Name)))

	var class []Submission
	c := Class{Folder: folder, Local: "..", Limits: Limits{Time: 20 * time.Second, Memory: 256 << 20, Disk: 16 << 20}, Exercises: chosen}
	require.NoError(t, c.Judge(t.Context(), func(s Submission) {
		if s.Learner == "9 link" {
			require.ErrorContains(t, s.Err, "a link")
			return
		}
		require.NoError(t, s.Err, s.Learner)
		class = append(class, s)
	}))

	says := map[string][3]string{
		"1 good":   {"solved", "", "solved"},
		"2 deep":   {"solved", "not Go yet", "found packages"},
		"3 leaves": {"solved", "cannot use", "undefined: "},
		"4 files":  {"file too large", "out of memory", ""},
		"5 many":   {"its files have", "", ""},
		"6 link":   {"no regular file", "", ""},
		// The text of the check example is of no interest here, but it has failed.
		"7 forges":  {"example FAILED", "", ""},
		"8 deletes": {"FAILED", "", ""},
		"9 links":   {"no folder", "", "no folder"},
	}
	if runtime.GOOS != "linux" {
		delete(says, "4 files")
	}
	require.Len(t, class, 9)
	for _, s := range class {
		for i, want := range says[s.Learner] {
			cell := s.Marks[i].Cell()
			assert.Contains(t, cell, want, s.Learner)
			assert.Equal(t, want == "", cell == "", "%s: %s", s.Learner, cell)
			assert.Equal(t, want == "solved", s.Marks[i].Solved())
		}
	}
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	assert.Empty(t, left, "temporary files are left")
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		line, _ := os.ReadFile(name)
		assert.NotEqual(t, "sleep\x00987654\x00", string(line), "a learner's process is left running")
	}
	handed, err := filepath.Glob(filepath.Join(folder, "*", "*", "*"))
	require.NoError(t, err)
	for _, name := range handed {
		if !strings.Contains(name, "2 deep") {
			assert.Equal(t, "kernel.go", filepath.Base(name), "the submissions have a new file")
		}
	}
}

func TestClassWithoutLearners(t *testing.T) {
	if !groups {
		t.Skip("no process groups")
	}
	none := func(Submission) { t.Fail() }
	assert.ErrorContains(t, Class{Folder: t.TempDir()}.Judge(t.Context(), none), "no folders of learners")
	assert.ErrorIs(t, Class{Folder: filepath.Join(t.TempDir(), "missing")}.Judge(t.Context(), none), os.ErrNotExist)
}

// A table is read back by the readers of the standard library.
func TestTables(t *testing.T) {
	all, err := Exercises()
	require.NoError(t, err)
	chosen := all[:4]
	mark := func(i int, outcomes ...Outcome) Mark {
		return Mark{Exercise: chosen[i], Begun: outcomes != nil, Result: Result{Outcomes: outcomes}}
	}
	class := []Submission{
		{Learner: "=1+1", Marks: []Mark{mark(0, Outcome{CheckBuild, Passed, ""}), mark(1, Outcome{CheckHidden, Failed, "\"<script>\x1b,\n  two\""}), mark(2),
			mark(3, Outcome{CheckExample, Passed, ""}, Outcome{CheckBudget, NotRun, "no overlay"})}},
		{Learner: "Zoë", Marks: []Mark{mark(0), mark(1), mark(2), mark(3)}, Err: errors.New("the disk is full")},
	}
	var b bytes.Buffer
	require.NoError(t, WriteCSV(&b, chosen, class))
	rows, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	const disk = "not judged: the disk is full"
	assert.Equal(t, [][]string{
		{"learner", "solved", "01_map", "02_zip", "03_guard", "04_map2d"},
		{"'=1+1", "1", "solved", "hidden FAILED: \"<script>\ufffd, two\"", "", "budget not run: no overlay"},
		{"Zoë", "0", disk, disk, disk, disk},
	}, rows)

	b.Reset()
	require.NoError(t, WriteHTML(&b, chosen, class))
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(b.String(), "<!DOCTYPE html>")))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var cells []string
	var text strings.Builder
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			assert.NotEqual(t, "script", x.Name.Local)
			text.Reset()
		case xml.CharData:
			text.Write(x)
		case xml.EndElement:
			if x.Name.Local == "td" {
				cells = append(cells, text.String())
			}
		}
	}
	assert.Equal(t, []string{"=1+1", "1", "\u2713", "\u2717", "", "?", "Zoë", "0", "?", "?", "?", "?"}, cells)
	assert.Contains(t, b.String(), fmt.Sprintf("<li>2. %s: hidden FAILED: &#34;&lt;script&gt;", chosen[1].Title))
}
