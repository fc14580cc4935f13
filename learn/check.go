package learn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/gocuda/gocuda/sanitize"
)

// A Status is what became of a check.
type Status int

// The outcomes of a check. NotRun is no success: it says that nothing has judged the exercise by
// this check.
const (
	Passed Status = iota
	Failed
	NotRun
)

// An Outcome is one check of an exercise.
type Outcome struct {
	Check  string
	Status Status
	Text   string // why it failed, or why it was not run
}

// A Result is an exercise judged. Checks after the first that failed are missing.
type Result struct {
	Outcomes []Outcome
}

// Failed returns the check that failed, or nil.
func (r Result) Failed() *Outcome {
	for i := range r.Outcomes {
		if r.Outcomes[i].Status == Failed {
			return &r.Outcomes[i]
		}
	}
	return nil
}

// Solved reports whether all checks have passed. One that was not run is no success.
func (r Result) Solved() bool { return r.Open() == nil }

// Open returns the first outcome that is no success, or nil.
func (r Result) Open() *Outcome {
	for i := range r.Outcomes {
		if r.Outcomes[i].Status != Passed {
			return &r.Outcomes[i]
		}
	}
	return nil
}

// add adds an outcome and reports whether the next check is to be made.
func (r *Result) add(o Outcome) bool {
	r.Outcomes = append(r.Outcomes, o)
	return o.Status != Failed
}

// Check judges the learner's kernel.go of the exercise. The error is one of the course or the
// machine; what is wrong with the kernel is in the result.
func (c *Course) Check(ctx context.Context, e *Exercise) (res Result, err error) {
	if err := goCommand(); err != nil {
		return res, err
	}
	dir := filepath.Join(c.Dir, e.Name)
	if why := e.readable(filepath.Join(dir, "kernel.go")); why != "" {
		res.add(Outcome{CheckBuild, Failed, why})
		return res, nil
	}
	if err := c.copyOut(e, "kernel_test.go.txt", filepath.Join(dir, "kernel_test.go")); err != nil {
		return res, err
	}
	p, err := c.newProgram()
	if err != nil {
		return res, err
	}
	defer p.Close()
	// The program with the overlay is built meanwhile, and given up if it turns out to be of no use.
	building, stop := context.WithCancel(ctx)
	var probed errgroup.Group
	defer func() {
		stop()
		probed.Wait()
	}()
	if e.probed() {
		probed.Go(func() error { return p.buildProbed(building, c.Dir, "./"+e.Name, "./"+e.Name) })
	}
	err = p.buildPlain(ctx, c.Dir, "./"+e.Name)
	if compile := (errCompile{}); errors.As(err, &compile) {
		res.add(Outcome{CheckBuild, Failed, compile.text})
		return res, nil
	}
	if err != nil {
		return res, err
	}
	match := "^" + e.TestName() + "$"
	plain, res, err := e.judgePlain(ctx, p, dir, match)
	if err != nil || res.Failed() != nil {
		return res, err
	}
	if err := probed.Wait(); err != nil {
		return res, err
	}
	err = e.judgeProbed(ctx, p, dir, match, filepath.Join(dir, PictureFile), plain, &res)
	return res, err
}

// PictureFile is the file in an exercise's folder with the picture of its accesses.
const PictureFile = "accesses.svg"

// ErrNoPicture says that an exercise is not about memory.
var ErrNoPicture = errors.New("nothing is counted in this exercise, so there is no picture of it")

// Picture draws the accesses of the learner's kernel, right or wrong, and returns the file's name.
func (c *Course) Picture(ctx context.Context, e *Exercise) (string, error) {
	if e.Budget == "" {
		return "", ErrNoPicture
	}
	if err := goCommand(); err != nil {
		return "", err
	}
	dir := filepath.Join(c.Dir, e.Name)
	name := filepath.Join(dir, PictureFile)
	if why := e.readable(filepath.Join(dir, "kernel.go")); why != "" {
		return "", errors.New(why)
	}
	if err := c.copyOut(e, "kernel_test.go.txt", filepath.Join(dir, "kernel_test.go")); err != nil {
		return "", err
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	p, err := c.newProgram()
	if err != nil {
		return "", err
	}
	defer p.Close()
	if err := p.buildProbed(ctx, c.Dir, "./"+e.Name, "./"+e.Name); err != nil {
		return "", err
	}
	if p.probed == "" { // the compiler says what is wrong in fewer words
		if err := p.buildPlain(ctx, c.Dir, "./"+e.Name); err != nil {
			return "", err
		}
		return "", errors.New(p.notes)
	}
	r, err := p.runCounted(ctx, dir, "^"+e.TestName()+"$", name)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(name); err != nil {
		o := r.outcome(CheckBudget)
		return "", fmt.Errorf("there is no picture: %s", o.Text)
	}
	return name, nil
}

// judgePlain makes the first checks, for which the program without the overlay will do. It returns
// what that program has said, too: there is more in it for judgeProbed.
func (e *Exercise) judgePlain(ctx context.Context, p *program, dir, match string) (plain run, res Result, err error) {
	res.add(Outcome{CheckBuild, Passed, ""})
	plain, err = p.runPlain(ctx, dir, match)
	if err != nil {
		return plain, res, err
	}
	for _, check := range []string{CheckExample, CheckHidden, CheckOrder} {
		if !res.add(plain.outcome(check)) {
			break
		}
	}
	return plain, res, nil
}

// judgeProbed makes the other checks, with the overlay. All before them have passed.
func (e *Exercise) judgeProbed(ctx context.Context, p *program, dir, match, picture string, plain run, res *Result) error {
	// The sanitizer comes before checked mode: it says more about a mistake than the wrong result
	// that the mistake may have there.
	if e.Sanitize {
		o, err := e.sanitized(ctx, p, dir, match)
		if err != nil || !res.add(o) {
			return err
		}
	}
	if !res.add(plain.outcome(CheckChecked)) {
		return nil
	}
	if plain.err != nil {
		res.add(Outcome{CheckChecked, Failed, "the program ended badly: " + lastWords(plain.out, plain.err)})
		return nil
	}
	if e.Budget != "" {
		if p.probed == "" {
			res.add(Outcome{CheckBudget, NotRun, p.notes})
			return nil
		}
		if picture != "" {
			if err := os.Remove(picture); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		counted, err := p.runCounted(ctx, dir, match, picture)
		if err != nil {
			return err
		}
		o := counted.outcome(CheckBudget)
		if _, err := os.Stat(picture); o.Status == Failed && err == nil {
			o.Text += "; drawn in " + filepath.Base(picture)
		}
		res.add(o)
	}
	return nil
}

// sanitized is the check by the sanitizer. If it fails, it has the name of the tool that has found
// something.
func (e *Exercise) sanitized(ctx context.Context, p *program, dir, match string) (Outcome, error) {
	if p.probed == "" {
		return Outcome{CheckSanitize, NotRun, p.notes}, nil
	}
	r, err := p.runSanitized(ctx, dir, match)
	if err != nil {
		return Outcome{}, err
	}
	o := r.outcome(CheckSanitize)
	if len(r.findings) > 0 {
		f := r.findings[0]
		// A barrier that some threads miss comes first: races and undefined memory follow from it.
		if i := slices.IndexFunc(r.findings, func(f sanitize.Finding) bool { return f.Tool == "sync" }); i >= 0 {
			f = r.findings[i]
		}
		o = Outcome{f.Tool, Failed, findingSentence(f)}
	}
	return o, nil
}

// readable says why the learner's file can't be judged, or "".
func (e *Exercise) readable(name string) string {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "kernel.go is missing: " + e.bringBack()
	}
	if err != nil {
		return err.Error()
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return "kernel.go is not a text: it has bytes of value zero in it; " + e.bringBack()
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "kernel.go", text, 0); err != nil {
		first, _, _ := strings.Cut(err.Error(), " (and ")
		return "kernel.go is not Go yet: " + first
	}
	return ""
}

// bringBack is how a learner gets the stub.
func (e *Exercise) bringBack() string {
	return fmt.Sprintf("the key r, or gocuda learn reset %d, brings the first text back", e.Number)
}

// goCommand reports whether there is a go command to build with.
func goCommand() error {
	if _, err := exec.LookPath("go"); err != nil {
		return errors.New("there is no go command on the path: the exercises are built with it")
	}
	return nil
}
