package learn

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gocuda/gocuda/learn/judge"
)

// Limits of one program that is run.
const (
	buildLimit = 5 * time.Minute // the first build makes the standard library for the race detector
	runLimit   = 60 * time.Second
	outputMax  = 1 << 20 // bytes of output that are kept
)

// A Status is what became of a check.
type Status int

// The outcomes of a check. NotRun is no success: it says that nothing has judged the exercise by this check.
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

func (r *Result) add(check string, s Status, text string) {
	r.Outcomes = append(r.Outcomes, Outcome{check, s, text})
}

// Check judges the learner's kernel.go of the exercise. The error is one of the course or the machine; what is wrong
// with the kernel is in the result.
func (c *Course) Check(ctx context.Context, e *Exercise) (Result, error) {
	return c.checkFolder(ctx, e, e.Name)
}

// checkFolder judges the package in the folder of that name, whose test it writes anew.
func (c *Course) checkFolder(ctx context.Context, e *Exercise, folder string) (res Result, err error) {
	dir := filepath.Join(c.Dir, folder)
	if why := readable(filepath.Join(dir, "kernel.go")); why != "" {
		res.add(CheckBuild, Failed, why)
		return res, nil
	}
	if err := c.copyOut(e, "kernel_test.go.txt", filepath.Join(dir, "kernel_test.go")); err != nil {
		return res, err
	}
	temp, err := os.MkdirTemp("", "gocuda-learn-")
	if err != nil {
		return res, err
	}
	defer os.RemoveAll(temp)

	program := filepath.Join(temp, "exercise.test")
	out, err := c.goTest(ctx, program, folder)
	if ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	if err != nil {
		res.add(CheckBuild, Failed, compileErrors(out, err))
		return res, nil
	}
	res.add(CheckBuild, Passed, "")

	reports := filepath.Join(temp, "reports")
	out, err = runLimited(ctx, runLimit, dir, []string{judge.ReportVariable + "=" + reports}, program, "-test.v", "-test.failfast", "-test.timeout", "50s")
	if ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	seen, readErr := readReports(reports)
	if readErr != nil {
		return res, readErr
	}
	take := func(check string) bool {
		r, ok := seen[check]
		switch {
		case !ok:
			res.add(check, Failed, "the program ended early: "+lastWords(out, err))
		case !r.Passed:
			res.add(check, Failed, r.Sentence())
		default:
			res.add(check, Passed, "")
		}
		return ok && r.Passed
	}
	if !take(CheckExample) || !take(CheckHidden) || !take(CheckOrder) {
		return res, nil
	}
	// The race detector comes before checked mode, where threads are goroutines too: it says more about a race than
	// the wrong result that the race may have there.
	if e.Race {
		o, err := c.checkRace(ctx, e, folder, temp)
		if err != nil {
			return res, err
		}
		res.Outcomes = append(res.Outcomes, o)
		if o.Status == Failed {
			return res, nil
		}
	}
	if !take(CheckChecked) {
		return res, nil
	}
	if err != nil {
		res.add(CheckChecked, Failed, "the program ended badly: "+lastWords(out, err))
		return res, nil
	}
	if e.Budget != "" {
		res.Outcomes = append(res.Outcomes, checkBudget(e))
	}
	return res, nil
}

// readable says why the learner's file can't be judged, or "".
func readable(name string) string {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "kernel.go is missing: gocuda learn reset brings the stub back"
	}
	if err != nil {
		return err.Error()
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return "kernel.go is not a text: it has bytes of value zero in it; gocuda learn reset brings the stub back"
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "kernel.go", text, 0); err != nil {
		first, _, _ := strings.Cut(err.Error(), " (and ")
		return "kernel.go is not Go yet: " + first
	}
	return ""
}

func (c *Course) goTest(ctx context.Context, program, folder string, flags ...string) (string, error) {
	args := append(append([]string{"test", "-c", "-o", program}, flags...), "./"+folder)
	return runLimited(ctx, buildLimit, c.Dir, nil, "go", args...)
}

// compileErrors is the compiler's output without the lines that say nothing to a learner.
func compileErrors(out string, err error) string {
	var lines []string
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "FAIL") {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return "the build failed: " + err.Error()
	}
	return "the build failed: " + strings.Join(lines[:min(len(lines), 5)], "\n  ")
}

// lastWords is the first line of a crash's output, or how the program ended.
func lastWords(out string, err error) string {
	for line := range strings.Lines(out) {
		for _, begin := range []string{"panic: ", "fatal error: ", "signal: "} {
			if strings.HasPrefix(line, begin) {
				return strings.TrimSpace(line)
			}
		}
	}
	if err != nil {
		return err.Error()
	}
	return "it left without a word (os.Exit?)"
}

func readReports(name string) (map[string]judge.Report, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	seen := map[string]judge.Report{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var r judge.Report
		if json.Unmarshal(lines.Bytes(), &r) == nil {
			seen[r.Check] = r
		}
	}
	return seen, lines.Err()
}

var kernelLine = regexp.MustCompile(`/kernel\.go:(\d+)`)

// checkRace runs the hidden shapes in a program that is built with the race detector.
func (c *Course) checkRace(ctx context.Context, e *Exercise, folder, temp string) (Outcome, error) {
	program := filepath.Join(temp, "race.test")
	if out, err := c.goTest(ctx, program, folder, "-race"); err != nil {
		if ctx.Err() != nil {
			return Outcome{}, context.Cause(ctx)
		}
		return Outcome{CheckRace, NotRun, "the race detector can't be built here: " + compileErrors(out, err)}, nil
	}
	reports := filepath.Join(temp, "race.reports")
	out, err := runLimited(ctx, runLimit, filepath.Join(c.Dir, folder), []string{"GORACE=halt_on_error=1", judge.ReportVariable + "=" + reports}, program, "-test.run", "/hidden", "-test.timeout", "50s")
	if ctx.Err() != nil {
		return Outcome{}, context.Cause(ctx)
	}
	if err == nil {
		return Outcome{CheckRace, Passed, ""}, nil
	}
	if !strings.Contains(out, "WARNING: DATA RACE") {
		seen, readErr := readReports(reports)
		if readErr != nil {
			return Outcome{}, readErr
		}
		if r, ok := seen[CheckHidden]; ok && !r.Passed {
			return Outcome{CheckRace, Failed, "with threads in any order: " + r.Sentence()}, nil
		}
		return Outcome{CheckRace, Failed, "under the race detector: " + lastWords(out, err)}, nil
	}
	return Outcome{CheckRace, Failed, raceSentence(out)}, nil
}

// raceSentence names the two lines of the first race in out.
func raceSentence(out string) string {
	_, out, _ = strings.Cut(out, "WARNING: DATA RACE")
	first, rest, _ := strings.Cut(out, "Previous ")
	second, _, _ := strings.Cut(rest, "Goroutine ")
	what := func(section string) string {
		kind := "reads"
		if strings.Contains(strings.ToLower(section[:min(len(section), 60)]), "write") {
			kind = "writes"
		}
		if m := kernelLine.FindStringSubmatch(section); m != nil {
			return fmt.Sprintf("%s it at kernel.go:%s", kind, m[1])
		}
		return kind + " it outside kernel.go"
	}
	return fmt.Sprintf("a race: two threads touch the same element, and nothing orders them; one %s, the other %s", what(strings.TrimSpace(first)), what("Previous "+rest[:len(second)]))
}

// checkBudget is where exact counts are compared with the exercise's budget. Nothing here counts the accesses of a
// kernel yet, so the check does not run, and says so.
func checkBudget(e *Exercise) Outcome {
	return Outcome{CheckBudget, NotRun, "nothing counts accesses yet (" + e.Budget + ")"}
}

// goCommand reports whether there is a go command to build with.
func goCommand() error {
	if _, err := exec.LookPath("go"); err != nil {
		return errors.New("there is no go command on the path: the exercises are built with it")
	}
	return nil
}
