package learn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A Submission is what a learner has handed in, judged.
type Submission struct {
	Learner string // the name of the learner's folder
	Marks   []Mark // one for each exercise of the Class
	Err     error  // why the learner's exercises could not be judged, or nil
}

// A Mark is one exercise of a learner.
type Mark struct {
	Exercise *Exercise
	Begun    bool   // whether there is a kernel.go that is not the stub
	Result   Result // if it is begun
}

// Solved reports whether it is solved.
func (m Mark) Solved() bool { return m.Begun && m.Result.Solved() }

// Solved is the number of exercises that the learner has solved, and begun that of those that were
// begun.
func (s Submission) Solved() (solved, begun int) {
	for _, m := range s.Marks {
		if m.Begun {
			begun++
		}
		if m.Solved() {
			solved++
		}
	}
	return solved, begun
}

// A Class is a folder of submissions: a folder for each learner, with folders of exercises such as
// 01_map/kernel.go, or with one folder that has these. Of an exercise's folder all Go files count
// but the tests.
type Class struct {
	Folder    string
	Local     string // as for [Create]
	Limits    Limits
	Exercises []*Exercise // nil is all
}

// Judge judges the submissions one after another, and calls each for every one. Each program runs
// in a process group of its own with the class's limits. The folder is only read.
func (c Class) Judge(ctx context.Context, each func(Submission)) error {
	if !groups {
		return errors.New("a class can't be judged on this system: it has no process groups and limits")
	}
	if err := goCommand(); err != nil {
		return err
	}
	if c.Exercises == nil {
		var err error
		if c.Exercises, err = Exercises(); err != nil {
			return err
		}
	}
	c.Limits = c.Limits.orDefault()
	entries, err := os.ReadDir(c.Folder)
	if err != nil {
		return err
	}
	learners := 0
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if entry.Type()&fs.ModeSymlink != 0 { // it may lead anywhere
			learners++
			s := c.empty(entry.Name())
			s.Err = errors.New("this is a link, and no folder")
			each(s)
			continue
		}
		if !entry.IsDir() {
			continue
		}
		learners++
		s := c.submission(ctx, entry.Name())
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		each(s)
	}
	if learners == 0 {
		return fmt.Errorf("%s has no folders of learners", c.Folder)
	}
	return nil
}

// empty is a submission with nothing in it.
func (c Class) empty(learner string) Submission {
	s := Submission{Learner: learner}
	for _, e := range c.Exercises {
		s.Marks = append(s.Marks, Mark{Exercise: e})
	}
	return s
}

// submission judges one learner.
func (c Class) submission(ctx context.Context, learner string) Submission {
	s := c.empty(learner)
	dir, err := os.MkdirTemp("", "gocuda-learn-class-")
	if err != nil {
		s.Err = err
		return s
	}
	defer os.RemoveAll(dir)
	course := &Course{Dir: dir, Exercises: c.Exercises, limits: &c.Limits}
	if s.Err = course.makeModule(c.Local); s.Err != nil {
		return s
	}
	var begun []*variant
	marks := map[*variant]*Mark{}
	root := c.root(filepath.Join(c.Folder, learner))
	for i, e := range c.Exercises {
		files, why, err := handedIn(filepath.Join(root, e.Name))
		if err != nil {
			s.Err = err
			return s
		}
		stub, err := e.Text("kernel.go.txt")
		if err != nil {
			s.Err = err
			return s
		}
		if why == "" && (files["kernel.go"] == nil || string(files["kernel.go"]) == string(stub)) {
			continue
		}
		mark := &s.Marks[i]
		mark.Begun = true
		if why != "" {
			mark.Result.add(Outcome{CheckBuild, Failed, why})
			continue
		}
		v := &variant{e: e, folder: e.Name, text: files["kernel.go"], more: files}
		marks[v] = mark
		begun = append(begun, v)
	}
	if s.Err = course.judgeAll(ctx, begun); s.Err == nil {
		for _, v := range begun {
			marks[v].Result = v.res
		}
	}
	return s
}

// root is the folder with the exercises' folders: dir, or the one folder in it that has some.
func (c Class) root(dir string) string {
	has := func(dir string) bool {
		return slices.ContainsFunc(c.Exercises, func(e *Exercise) bool {
			info, err := os.Lstat(filepath.Join(dir, e.Name))
			return err == nil && info.IsDir()
		})
	}
	if has(dir) {
		return dir
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return dir
	}
	for _, entry := range entries {
		if inner := filepath.Join(dir, entry.Name()); entry.IsDir() && has(inner) {
			return inner
		}
	}
	return dir
}

// handedInMost is the size up to which a learner's file is read, in bytes.
const handedInMost = 1 << 20

// handedIn reads the Go files of an exercise's folder but its tests. why says why they can't be
// judged, or is "".
func handedIn(dir string) (files map[string][]byte, why string, err error) {
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err == nil && !info.IsDir() {
		return nil, "this is no folder", nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, "", err
	}
	files = map[string][]byte{}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			continue
		}
		info, err := entry.Info()
		switch {
		case err != nil:
			return nil, "", err
		case !info.Mode().IsRegular(): // a link may lead anywhere
			return nil, name + " is no regular file", nil
		case info.Size() > handedInMost:
			return nil, fmt.Sprintf("%s has %d bytes, more than %d", name, info.Size(), handedInMost), nil
		}
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, "", err
		}
	}
	if len(files) > 0 && files["kernel.go"] == nil {
		return nil, "kernel.go is missing", nil
	}
	return files, "", nil
}

// judgeAll judges exercises of one learner. They are built into one program, as those of Verify
// are. What does not build so, or ends before it has come to a result, is judged once more by
// itself: another exercise may have done that.
func (c *Course) judgeAll(ctx context.Context, begun []*variant) error {
	if len(begun) == 0 {
		return nil
	}
	for _, v := range begun {
		if err := c.unpack(v); err != nil {
			return err
		}
	}
	again := begun
	p, err := c.buildVariants(ctx, begun)
	if errors.Is(err, syscall.ENOSPC) {
		return err
	}
	if err == nil {
		defer p.Close()
		if starts(ctx, p, c.Dir) {
			if again, err = c.judgeTogether(ctx, p, begun); err != nil {
				return err
			}
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, v := range again {
		var err error
		if v.res, err = c.Check(ctx, v.e); err != nil {
			return err
		}
	}
	return nil
}

// starts reports whether the program comes to its tests, which an init function may prevent.
func starts(ctx context.Context, p *program, dir string) bool {
	r, err := p.runPlain(ctx, dir, "^$")
	return err == nil && r.err == nil && strings.Contains(r.out, "PASS")
}

// judgeTogether judges what is built into p, and returns those that do not build or have ended early.
func (c *Course) judgeTogether(ctx context.Context, p *program, begun []*variant) (again []*variant, err error) {
	if err := c.judgeBuilt(ctx, p, begun); err != nil {
		return nil, err
	}
	for _, v := range begun {
		if f := v.res.Failed(); f != nil && (f.Check == CheckBuild || strings.Contains(f.Text, endedEarly)) {
			again = append(again, v)
		}
	}
	return again, nil
}

// unpack writes the files of an exercise into its folder of the course, for Check.
func (c *Course) unpack(v *variant) error {
	folder := filepath.Join(c.Dir, v.e.Name)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for name, text := range v.more {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
