package learn

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// course makes a course in an empty folder, built with this working copy.
func course(t *testing.T) *Course {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	require.NoError(t, goCommand())
	c, err := Create(t.TempDir(), "..")
	require.NoError(t, err)
	return c
}

func TestExercisesAreWhole(t *testing.T) {
	all, err := Exercises()
	require.NoError(t, err)
	last := 0
	teaching, err := os.ReadFile("../docs/teaching.md")
	require.NoError(t, err)
	assert.Len(t, all, 40)
	headings := regexp.MustCompile(`(?m)^## .*$`)
	section := regexp.MustCompile(`"[^"]+"`)
	docs := regexp.MustCompile(`docs/(\w+\.md)`)
	for _, e := range all {
		assert.Regexp(t, fmt.Sprintf(`(?m)^\| %d \| [^|]+\| [^|]+\| [^|]+\|$`, e.Number), string(teaching), "%s is not in docs/teaching.md", e.Name)
		assert.Greater(t, e.Number, last, e.Name)
		last = e.Number
		assert.GreaterOrEqual(t, len(e.Hints), 2, e.Name)
		assert.Contains(t, []int{2, 3, 4}, len(e.Mistakes), e.Name)
		for f, lines := range map[string]int{"README.md": 60, "kernel.go.txt": 60, "kernel_test.go.txt": 100} {
			text, err := e.Text(f)
			require.NoError(t, err, e.Name)
			assert.Less(t, bytes.Count(text, []byte("\n")), lines, "%s: %s is too long to be read at once", e.Name, f)
		}
		for _, m := range e.Mistakes {
			_, err := e.Planted(m)
			assert.NoError(t, err)
		}
		// The pages that it names exist, and have the sections.
		text, err := e.Text("README.md")
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			var sections []string
			for _, m := range docs.FindAllStringSubmatch(line, -1) {
				page, err := os.ReadFile("../docs/" + m[1])
				require.NoError(t, err, e.Name)
				sections = append(sections, headings.FindAllString(string(page), -1)...)
			}
			if !strings.HasPrefix(line, "Read ") {
				continue
			}
			for _, name := range section.FindAllString(line, -1) {
				assert.Contains(t, sections, "## "+strings.Trim(name, `"`), "%s: %s", e.Name, line)
			}
		}
	}
}

// One exercise of each kind: caught by results, by the sanitizer as a race, and by it at a barrier.
func TestVerify(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	var out bytes.Buffer
	wrong, _, err := Verify(t.Context(), "..", []int{3, 10, 11}, &out)
	require.NoError(t, err)
	assert.Zero(t, wrong, out.String())
	assert.Contains(t, out.String(), "03_guard: the solution passes")
}

func TestLearnersFilesAreAnsweredWithASentence(t *testing.T) {
	c := course(t)
	e, err := c.Exercise(1)
	require.NoError(t, err)
	const head = "package ex01\n\nimport \"github.com/gocuda/gocuda/gocuda\"\n\n"
	type answer struct{ name, text, check, want string }
	says := func(t *testing.T, test answer, res Result) {
		f := res.Failed()
		require.NotNil(t, f)
		assert.Equal(t, test.check, f.Check)
		assert.Contains(t, f.Text, test.want)
	}
	for _, test := range []answer{
		{"a type error", head + "func AddTen(t *gocuda.Thread, out, in []int32) { out[0] = \"x\" }\n", CheckBuild, "kernel.go:5:"},
		{"half a program", head + "func AddTen(", CheckBuild, "not Go yet: kernel.go:5:"},
		{"bytes", "\x00\xff\x7fELF", CheckBuild, "not a text"},
		{"an empty file", "", CheckBuild, "not Go yet"},
		{"one thread at work", head + "func AddTen(t *gocuda.Thread, out, in []int32) {\n\tif t.ThreadIdx.X > 0 {\n\t\treturn\n\t}\n\tfor i := range out {\n\t\tout[i] = in[i] + 10\n\t}\n}\n", CheckBudget, "elements written by one thread: 8, and it should be at most 1; most of it at kernel.go:10"},
		{"an exit", "package ex01\n\nimport (\n\t\"os\"\n\n\t\"github.com/gocuda/gocuda/gocuda\"\n)\n\nfunc AddTen(t *gocuda.Thread, out, in []int32) { os.Exit(0) }\n", CheckExample, "ended early"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(filepath.Join(c.Dir, e.Name, "kernel.go"), []byte(test.text), 0o666))
			res, err := c.Check(t.Context(), e)
			require.NoError(t, err)
			says(t, test, res)
		})
	}
	// These are built into one program, as those of a class are.
	var all []*variant
	answers := []answer{
		{"a panic", head + "func AddTen(t *gocuda.Thread, out, in []int32) {\n\tpanic(\"no\")\n}\n", CheckExample, "size 8: no; block (0,0,0) thread (0,0,0); at kernel.go:6"},
		{"an endless loop", head + "func AddTen(t *gocuda.Thread, out, in []int32) {\n\tfor {\n\t}\n}\n", CheckExample, "timed out"},
		{"an endless loop with stores", head + "func AddTen(t *gocuda.Thread, out, in []int32) {\n\tfor {\n\t\tout[0]++\n\t}\n}\n", CheckExample, "the launch timed out after 3s: block (0,0,0) is still running"},
		{"a crash", head + "func AddTen(t *gocuda.Thread, out, in []int32) {\n\tgo func() { panic(\"no\") }()\n\tselect {}\n}\n", CheckExample, "panic: no; at kernel.go:6"},
		{"an input that is changed", head + "func AddTen(t *gocuda.Thread, out, in []int32) {\n\tin[t.ThreadIdx.X] += 10\n\tout[t.ThreadIdx.X] = in[t.ThreadIdx.X]\n}\n", CheckExample, "changes its input"},
	}
	for i, test := range answers {
		all = append(all, &variant{e: e, folder: fmt.Sprintf("%s_%d", e.Name, i), text: []byte(test.text)})
	}
	require.NoError(t, c.judgeVariants(t.Context(), all))
	for i, test := range answers {
		t.Run(test.name, func(t *testing.T) { says(t, test, all[i].res) })
	}
	t.Run("no file", func(t *testing.T) {
		require.NoError(t, os.Remove(filepath.Join(c.Dir, e.Name, "kernel.go")))
		res, err := c.Check(t.Context(), e)
		require.NoError(t, err)
		require.NotNil(t, res.Failed())
		assert.Contains(t, res.Failed().Text, "missing")
		require.NoError(t, c.Reset(e))
		res, err = c.Check(t.Context(), e)
		require.NoError(t, err)
		assert.Equal(t, CheckExample, res.Failed().Check)
	})
}

func TestCreateKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	c, err := Create(dir, "..")
	require.NoError(t, err)
	name := filepath.Join(dir, c.Exercises[0].Name, "kernel.go")
	require.NoError(t, os.WriteFile(name, []byte("mine"), 0o666))
	require.NoError(t, c.Save(&State{Current: 2, Solved: map[int]bool{1: true}}))
	c, err = Create(dir, "..")
	require.NoError(t, err)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(text))
	s, err := c.Load()
	require.NoError(t, err)
	assert.Equal(t, 2, s.Current)
	assert.True(t, s.Solved[1])

	require.NoError(t, c.Reset(c.Exercises[0]))
	old, err := os.ReadFile(name + ".old")
	require.NoError(t, err)
	assert.Equal(t, "mine", string(old))

	require.NoError(t, os.WriteFile(filepath.Join(dir, stateFile), []byte("{"), 0o666))
	_, err = c.Load()
	assert.ErrorContains(t, err, "damaged")
	_, err = Open(t.TempDir())
	assert.ErrorIs(t, err, ErrNoCourse)
	_, err = Create(t.TempDir(), t.TempDir())
	assert.Error(t, err)
}
