package learn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

const modulePath = "github.com/gocuda/gocuda"

// A Course is a learner's folder.
type Course struct {
	Dir       string
	Exercises []*Exercise

	limits *Limits // of the programs, besides the time; nil is none
}

// State is what the course remembers, in the file .gocuda-learn.json of its folder.
type State struct {
	Current int          // the number of the current exercise
	Solved  map[int]bool // those that have passed all checks
	Hints   map[int]int  // how many hints have been shown
}

const stateFile = ".gocuda-learn.json"

// ErrNoCourse says that a folder has no course in it.
var ErrNoCourse = errors.New("there is no course in the folder; gocuda learn init makes one")

// Create makes a course in dir, or completes the one that is there: files that exist stay as they
// are. local is the folder of the gocuda module to build with; "" is the version that this command
// was built from.
func Create(dir, local string) (*Course, error) {
	exercises, err := Exercises()
	if err != nil {
		return nil, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &Course{Dir: dir, Exercises: exercises}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if err := c.makeModule(local); err != nil {
		return nil, err
	}
	for _, e := range exercises {
		for _, f := range [][2]string{{"README.md", "README.md"}, {"kernel.go", "kernel.go.txt"}, {"kernel_test.go", "kernel_test.go.txt"}} {
			name := filepath.Join(dir, e.Name, f[0])
			if _, err := os.Stat(name); err == nil {
				continue
			}
			if err := c.copyOut(e, f[1], name); err != nil {
				return nil, err
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, stateFile)); errors.Is(err, fs.ErrNotExist) {
		return c, c.Save(&State{Current: exercises[0].Number})
	}
	return c, nil
}

// Begin opens the course in dir, and makes it first if the folder is missing or empty. It makes
// none among files of another kind.
func Begin(dir, local string) (*Course, error) {
	c, err := Open(dir)
	if err == nil || !errors.Is(err, ErrNoCourse) {
		return c, err
	}
	files, readErr := os.ReadDir(dir)
	if readErr != nil && !errors.Is(readErr, fs.ErrNotExist) {
		return nil, readErr
	}
	if len(files) > 0 {
		return nil, fmt.Errorf("%s has files, and no course: name an empty folder, or a new one", dir)
	}
	return Create(dir, local)
}

// Open returns the course in dir.
func Open(dir string) (*Course, error) {
	exercises, err := Exercises()
	if err != nil {
		return nil, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, stateFile)); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoCourse)
	}
	return &Course{Dir: dir, Exercises: exercises}, nil
}

// Docs is the folder that the exercises' texts call docs/: that of the module which the course is
// built with. It is "" if the go command doesn't find it.
func (c *Course) Docs(ctx context.Context) string {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", modulePath)
	cmd.Dir = c.Dir
	out, err := cmd.Output()
	dir := filepath.Join(strings.TrimSpace(string(out)), "docs")
	if _, statErr := os.Stat(dir); err != nil || statErr != nil {
		return ""
	}
	return dir
}

// Exercise returns the exercise of a number.
func (c *Course) Exercise(number int) (*Exercise, error) {
	for _, e := range c.Exercises {
		if e.Number == number {
			return e, nil
		}
	}
	return nil, fmt.Errorf("there is no exercise %d; gocuda learn list prints all", number)
}

// Next returns the exercise to go on with after e: the first one behind it that is not solved, or
// else the first one of all, or nil.
func (c *Course) Next(s *State, e *Exercise) *Exercise {
	at := slices.Index(c.Exercises, e)
	for d := 1; d <= len(c.Exercises); d++ {
		if next := c.Exercises[(at+d)%len(c.Exercises)]; !s.Solved[next.Number] {
			return next
		}
	}
	return nil
}

func (c *Course) copyOut(e *Exercise, from, to string) error {
	text, err := e.Text(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}

// Reset gives the exercise its stub back. What was there is kept beside it, as kernel.go.old.
func (c *Course) Reset(e *Exercise) error {
	name := filepath.Join(c.Dir, e.Name, "kernel.go")
	if err := os.Rename(name, name+".old"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return c.copyOut(e, "kernel.go.txt", name)
}

// Load reads the state. A file that can't be read as one is an error that says what to do.
func (c *Course) Load() (*State, error) {
	text, err := os.ReadFile(filepath.Join(c.Dir, stateFile))
	if err != nil {
		return nil, err
	}
	s := new(State)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s is damaged (%v): delete it and run gocuda learn init, which keeps your exercises", stateFile, err)
	}
	if s.Solved == nil {
		s.Solved = map[int]bool{}
	}
	if s.Hints == nil {
		s.Hints = map[int]int{}
	}
	return s, nil
}

// Save writes the state: whole, or not at all.
func (c *Course) Save(s *State) error {
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	name := filepath.Join(c.Dir, stateFile)
	if err := os.WriteFile(name+".new", append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// makeModule writes go.mod and go.sum unless there is a go.mod.
func (c *Course) makeModule(local string) error {
	if _, err := os.Stat(filepath.Join(c.Dir, "go.mod")); err == nil {
		return nil
	}
	if local == "" {
		version := moduleVersion()
		if source := sourceFolder(); version == "" && source != "" {
			return c.makeModule(source)
		}
		if version == "" {
			return fmt.Errorf("this command was built from a working copy of %s, which has no version: name the copy's folder with -local", modulePath)
		}
		if err := os.WriteFile(filepath.Join(c.Dir, "go.mod"), []byte("module course\n\ngo 1.26\n"), 0o666); err != nil {
			return err
		}
		cmd := exec.Command("go", "get", modulePath+"/learn/judge@"+version)
		cmd.Dir = c.Dir
		if out, err := cmd.CombinedOutput(); err != nil {
			os.Remove(filepath.Join(c.Dir, "go.mod"))
			return fmt.Errorf("go get %s@%s: %w\n%s", modulePath, version, err, bytes.TrimSpace(out))
		}
		return nil
	}
	local, err := filepath.Abs(local)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(local, "go.mod"))
	if err != nil {
		return fmt.Errorf("-local: %w", err)
	}
	// The requirements are those of the module itself, so that nothing has to be looked up.
	const line = "module " + modulePath + "\n"
	if !strings.HasPrefix(string(text), line) {
		return fmt.Errorf("-local: %s is not the folder of %s", local, modulePath)
	}
	mod := "module course\n" + string(text[len(line):]) +
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", modulePath, strconv.Quote(local))
	sum, err := os.ReadFile(filepath.Join(local, "go.sum"))
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(c.Dir, "go.sum"), sum, 0o666),
		os.WriteFile(filepath.Join(c.Dir, "go.mod"), []byte(mod), 0o666))
}

// moduleVersion is the version of the gocuda module in this command, or "" if it is of a working copy.
func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	modules := append([]*debug.Module{&info.Main}, info.Deps...)
	i := slices.IndexFunc(modules, func(m *debug.Module) bool { return m.Path == modulePath })
	if i < 0 || !strings.HasPrefix(modules[i].Version, "v") || modules[i].Sum == "" { // without a sum it was built from a repository
		return ""
	}
	return modules[i].Version
}

// sourceFolder is the working copy that this command was built from, if it is still there, or "".
func sourceFolder() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return ""
	}
	dir := filepath.Dir(filepath.Dir(file)) // of learn/course.go
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !strings.HasPrefix(string(text), "module "+modulePath+"\n") {
		return ""
	}
	return dir
}
