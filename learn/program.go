package learn

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
	overlay "github.com/gocuda/gocuda/internal/probe"
	"github.com/gocuda/gocuda/learn/judge"
	"github.com/gocuda/gocuda/sanitize"
)

// exe is how the names of programs end.
var exe = map[bool]string{true: ".exe"}[runtime.GOOS == "windows"]

// A program is the tests of exercises, built twice: as they are, and with the probe overlay, which
// sees each access.
type program struct {
	temp   string // the folder of the programs and of what they write
	plain  string // the program's file
	probed string // that with the overlay, or "" if there is none
	sites  string // the list of the overlay's places
	notes  string // why there is no program with the overlay
	limits *Limits
}

// errCompile is an error of the compiler, with its output.
type errCompile struct{ text string }

func (e errCompile) Error() string { return e.text }

// newProgram makes the folder of a program that is not built yet. Close removes it.
func (c *Course) newProgram() (*program, error) {
	temp, err := os.MkdirTemp("", "gocuda-learn-")
	if err != nil {
		return nil, err
	}
	return &program{temp: temp, limits: c.limits}, nil
}

// buildPlain makes the program without the overlay. The error is an errCompile if the compiler has
// found a mistake.
func (p *program) buildPlain(ctx context.Context, dir, pattern string) error {
	p.plain = filepath.Join(p.temp, "exercise.test"+exe)
	out, err := p.goCommand(ctx, dir, "test", "-c", "-o", p.plain, pattern)
	if err != nil && out != "" {
		return errCompile{strings.TrimPrefix(compileErrors(out, err), buildFailed)}
	}
	return err
}

// buildProbed makes the program with the overlay, which is of the packages that are named. Where
// there can be none p.notes says why, and the error is nil.
func (p *program) buildProbed(ctx context.Context, dir, pattern string, overlaid ...string) error {
	lay, err := overlay.Make(ctx, overlay.Options{Dir: dir, Tests: true, Imports: []string{modulePath + "/sanitize"}, Env: p.buildEnv()}, overlaid...)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && noSpace(err.Error()):
		return fmt.Errorf("%s%w", buildFailed, syscall.ENOSPC)
	case err != nil:
		p.notes = err.Error()
		return nil
	}
	// The list of places stays; the rewritten sources are needed for the build alone.
	defer lay.Close()
	p.probed = filepath.Join(p.temp, "probed.test"+exe)
	out, err := p.goCommand(ctx, dir, "test", "-c", "-overlay", lay.File, "-o", p.probed, pattern)
	if err != nil {
		p.probed = ""
		if out == "" {
			return err
		}
		p.notes = compileErrors(out, err)
		return nil
	}
	p.sites = filepath.Join(p.temp, "sites")
	return os.Rename(lay.Sites, p.sites)
}

// goCommand runs the go command, whose first argument is build or test. If it fails for a reason
// that is not in the sources, there is an error and no output.
func (p *program) goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	args = slices.Insert(args, 1, smallBuild...)
	out, err := runLimited(ctx, p.limits.forBuild(), dir, p.buildEnv(), "go", args...)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(err, errLimit):
		return "", err
	case err != nil && noSpace(out):
		return "", fmt.Errorf("%s%w", buildFailed, syscall.ENOSPC)
	case err != nil && out == "":
		return "", errors.New(buildFailed + err.Error())
	}
	return out, err
}

// smallBuild leaves out what is for debuggers: a third of a package, and of a program.
var smallBuild = []string{"-gcflags=course/...=-dwarf=false", "-ldflags=-s -w"}

// position is how a message about a place in a Go file begins.
var position = regexp.MustCompile(`\.go:\d+`)

// noSpace reports whether the output of a command says that a disk is full. A message about a
// source may quote that.
func noSpace(out string) bool {
	for line := range strings.Lines(out) {
		if (strings.Contains(line, syscall.ENOSPC.Error()) || strings.Contains(line, "not enough space on the disk")) && !position.MatchString(line) {
			return true
		}
	}
	return false
}

// buildEnv lets the go command write into the program's folder: a build that is stopped leaves its
// files behind.
func (p *program) buildEnv() []string { return []string{"GOTMPDIR=" + p.temp} }

// Close removes the programs.
func (p *program) Close() { os.RemoveAll(p.temp) }

// A run is what one run of a program has said.
type run struct {
	reports  map[string]judge.Report
	findings []sanitize.Finding // of the sanitizer, without mere remarks
	out      string
	err      error
}

// runPlain runs the tests that match, in the folder dir.
func (p *program) runPlain(ctx context.Context, dir, match string) (run, error) {
	return p.run(ctx, p.plain, dir, match, nil)
}

// runSanitized runs the tests under the sanitizer.
func (p *program) runSanitized(ctx context.Context, dir, match string) (run, error) {
	folder, err := os.MkdirTemp(p.temp, "findings-")
	if err != nil {
		return run{}, err
	}
	defer os.RemoveAll(folder)
	settings, err := json.Marshal(sanitize.Settings{Race: true, Init: true, Sync: true, Mem: true, Folder: folder})
	if err != nil {
		return run{}, err
	}
	r, err := p.run(ctx, p.probed, dir, match, []string{sanitize.Variable + "=" + string(settings), probe.SitesVariable + "=" + p.sites})
	if err != nil {
		return r, err
	}
	found, err := sanitize.Read(folder, dir)
	for _, f := range found {
		if f.Severity > sanitize.SeverityInfo {
			r.findings = append(r.findings, f)
		}
	}
	return r, err
}

// runCounted runs the tests with their accesses counted. picture is the file for a drawing of them,
// or "".
func (p *program) runCounted(ctx context.Context, dir, match, picture string) (run, error) {
	return p.run(ctx, p.probed, dir, match, []string{judge.CountVariable + "=1", judge.PictureVariable + "=" + picture, probe.SitesVariable + "=" + p.sites})
}

func (p *program) run(ctx context.Context, file, dir, match string, env []string) (r run, err error) {
	reports, err := os.CreateTemp(p.temp, "reports-")
	if err != nil {
		return r, err
	}
	reports.Close()
	defer os.Remove(reports.Name())
	env = append(env, judge.ReportVariable+"="+reports.Name())
	key := rand.Text()
	limits := p.limits.forRun()
	limits.stdin = key
	r.out, r.err = runLimited(ctx, limits, dir, env, file, "-test.v", "-test.failfast", "-test.timeout", "50s", "-test.run", match)
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	if errors.Is(r.err, errLimit) {
		return r, r.err
	}
	if r.err != nil && noSpace(r.out) {
		return r, fmt.Errorf("%w: the program could not write its files", syscall.ENOSPC)
	}
	r.reports, err = readReports(reports.Name(), key)
	return r, err
}

// endedEarly begins what is said of a program that has not come to a check.
const endedEarly = "the program ended early: "

// outcome is the check's outcome in a run; what ended the program is the reason if it did not come
// to the check.
func (r *run) outcome(check string) Outcome {
	switch report, ok := r.reports[check]; {
	case !ok:
		return Outcome{check, Failed, endedEarly + lastWords(r.out, r.err)}
	case !report.Passed:
		return Outcome{check, Failed, report.Sentence()}
	}
	return Outcome{check, Passed, ""}
}

func readReports(name, key string) (map[string]judge.Report, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := judge.ReadReports(f, []byte(key))
	seen := map[string]judge.Report{}
	for _, r := range all {
		seen[r.Check] = r
	}
	return seen, err
}

// buildFailed begins what is said of a failed build.
const buildFailed = "the build failed: "

// compileErrors is the compiler's output without the lines that say nothing to a learner.
func compileErrors(out string, err error) string {
	var lines []string
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "FAIL") {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return buildFailed + err.Error()
	}
	return buildFailed + strings.Join(lines[:min(len(lines), 5)], "\n  ")
}

// learnersLine is a line of the learner's file in the stack of a crash.
var learnersLine = regexp.MustCompile(`[/\\](kernel\.go:\d+)`)

// lastWords is the first line of a crash's output, with the learner's line that it came from, or
// how the program ended.
func lastWords(out string, err error) string {
	at := 0
	for line := range strings.Lines(out) {
		for _, begin := range []string{"panic: ", "fatal error: ", "signal: "} {
			if strings.HasPrefix(line, begin) {
				words := strings.TrimSpace(line)
				if m := learnersLine.FindStringSubmatch(out[at:]); m != nil {
					words += "; at " + m[1]
				}
				return words
			}
		}
		at += len(line)
	}
	if err != nil {
		return err.Error()
	}
	return "it left without a word (os.Exit?)"
}

// findingSentence tells of a finding of the sanitizer.
func findingSentence(f sanitize.Finding) string {
	at := func(p sanitize.Place) string {
		s := fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line)
		if p.Text != "" {
			s += " (" + p.Text + ")"
		}
		return s
	}
	if strings.Contains(f.Text, "Divergent thread") {
		return fmt.Sprintf("the threads of a block do not all come to the same barrier: they part at %s, and %v is one of %d there (%s)",
			at(f.First), f.Threads[0], f.Count, f.Text)
	}
	if f.Tool != "race" {
		return fmt.Sprintf("%s at %s by %v", f.Text, at(f.First), f.Threads[0])
	}
	return fmt.Sprintf("a race (%s): %v and %v use the same element, and nothing orders them; %s at %s, %s at %s",
		f.Kind, f.Threads[0], f.Threads[1], strings.ToLower(f.Access[0]), at(f.First), strings.ToLower(f.Access[1]), at(f.Other))
}
