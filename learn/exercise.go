package learn

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// The folders of the exercises. Their Go files end in .txt: they are no packages of this module.
//
//go:embed exercises
var embedded embed.FS

// The checks, in the order in which they are made. All but the first are subtests of package judge.
// The sanitizer's check has the name of one of its tools if that has found something: race, init,
// sync or mem.
const (
	CheckBuild    = "build"
	CheckExample  = "example"
	CheckHidden   = "hidden"
	CheckOrder    = "order"
	CheckSanitize = "sanitize"
	CheckChecked  = "checked"
	CheckBudget   = "budget"
)

// An Exercise is one folder of exercises. The folder has README.md, kernel.go.txt (the stub),
// kernel_test.go.txt, solution.go.txt and exercise.json, which is this struct.
type Exercise struct {
	Title    string
	Sanitize bool   // whether the exercise is judged by the sanitizer
	Budget   string // the exact counts that are allowed, in words; "" is none
	Hints    []string
	Mistakes []Mistake

	Number int    `json:"-"`
	Name   string `json:"-"` // the folder's name, such as 01_map
}

// A Mistake is one that learners make: the solution with pieces exchanged. Verify shows that Check
// catches it.
type Mistake struct {
	Name    string
	Check   string
	Replace []string // old and new by turns; each old stands in the solution once
}

// Exercises returns all exercises by number.
func Exercises() ([]*Exercise, error) {
	folders, err := fs.ReadDir(embedded, "exercises")
	if err != nil {
		return nil, err
	}
	var all []*Exercise
	for _, f := range folders {
		text, err := embedded.ReadFile(path.Join("exercises", f.Name(), "exercise.json"))
		if err != nil {
			return nil, err
		}
		e := &Exercise{Name: f.Name()}
		if err := json.Unmarshal(text, e); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		number, _, _ := strings.Cut(f.Name(), "_")
		if e.Number, err = strconv.Atoi(number); err != nil {
			return nil, fmt.Errorf("the folder %s has no number: %w", f.Name(), err)
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *Exercise) int { return a.Number - b.Number })
	return all, nil
}

// TestName is the name of the exercise's test.
func (e *Exercise) TestName() string { return fmt.Sprintf("TestEx%02d", e.Number) }

// probed reports whether a check needs to see the accesses.
func (e *Exercise) probed() bool { return e.Sanitize || e.Budget != "" }

// Text returns a file of the exercise's folder.
func (e *Exercise) Text(file string) ([]byte, error) {
	return embedded.ReadFile(path.Join("exercises", e.Name, file))
}

// Planted returns the solution with the mistake m in it.
func (e *Exercise) Planted(m Mistake) ([]byte, error) {
	text, err := e.Text("solution.go.txt")
	if err != nil {
		return nil, err
	}
	s := string(text)
	if len(m.Replace) == 0 || len(m.Replace)%2 != 0 {
		return nil, fmt.Errorf("%s: mistake %s has no pairs of pieces", e.Name, m.Name)
	}
	for i := 0; i < len(m.Replace); i += 2 {
		if n := strings.Count(s, m.Replace[i]); n != 1 {
			return nil, fmt.Errorf("%s: mistake %s: the solution has %q %d times, not once", e.Name, m.Name, m.Replace[i], n)
		}
		s = strings.Replace(s, m.Replace[i], m.Replace[i+1], 1)
	}
	return []byte(s), nil
}
