package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
	"github.com/gocuda/gocuda/internal/cli"
	rewriting "github.com/gocuda/gocuda/internal/probe"
	"github.com/gocuda/gocuda/sanitize"
	"github.com/gocuda/gocuda/sanitize/page"
)

// sanitizeFlags are what the command line of gocuda sanitize says.
type sanitizeFlags struct {
	settings sanitize.Settings
	tools    string
	report   string
	output   string
	level    string
	leak     string
	logFile  string
	html     string
	suppress string // a file
	generate string // likewise
	run      string
	tags     string
	limit    int
	exitCode int
}

// sanitizeFlagSet returns the flags, and the settings that they set.
func sanitizeFlagSet() (*flag.FlagSet, *sanitizeFlags) {
	o := &sanitizeFlags{}
	fs := flag.NewFlagSet("gocuda sanitize", flag.ContinueOnError)
	fs.StringVar(&o.tools, "tool", "mem,race,init,sync", "the `tools` to use")
	fs.StringVar(&o.report, "report", "analysis", "how to report races: `analysis` by pairs of places, hazard each byte, or all")
	fs.StringVar(&o.output, "o", "text", "the `format` of the report: text, json or sarif")
	fs.StringVar(&o.level, "print-level", "info", "the least `severity` to print: info, warning, error")
	fs.IntVar(&o.limit, "print-limit", 100, "print at most so many findings, and hazards of each, 0 for all")
	fs.IntVar(&o.exitCode, "error-exitcode", 1, "the exit `status` if there are errors")
	fs.StringVar(&o.logFile, "log-file", "", "write the report to this `file`")
	fs.StringVar(&o.html, "html", "", "write the report to this `file` as a web page too, with a picture of each race")
	fs.StringVar(&o.suppress, "suppressions", "", "leave out what this `file` describes")
	fs.StringVar(&o.generate, "generate-suppressions", "", "write to this `file` what describes all that was found")
	fs.StringVar(&o.settings.Kernel, "kernel-regex", "", "look only at kernels whose name matches")
	fs.IntVar(&o.settings.Skip, "launch-skip", 0, "pass over so many launches of each process")
	fs.IntVar(&o.settings.Count, "launch-count", 0, "look at so many launches of each process, 0 for all")
	fs.StringVar(&o.settings.InitSpace, "initcheck-address-space", "", "global or shared; both if it is empty")
	fs.StringVar(&o.leak, "leak-check", "no", "full: report device memory that was never freed")
	fs.BoolVar(&o.settings.Unused, "track-unused-memory", false, "report device memory that was never written")
	fs.StringVar(&o.run, "run", "", "run the program of this `package` in place of tests; its arguments follow --")
	fs.StringVar(&o.tags, "tags", "", "build `tags`, as of the go command")
	fs.Usage = func() {
		fmt.Fprintln(fs.Output(), "usage: gocuda sanitize [flags] PACKAGES [-- go test flags]\n       gocuda sanitize [flags] -run PACKAGE [-- arguments]")
		fs.PrintDefaults()
	}
	return fs, o
}

// sanitizeCommand implements gocuda sanitize.
func sanitizeCommand(args []string, stdout, stderr io.Writer) int {
	fs, o := sanitizeFlagSet()
	own, rest := splitArguments(args)
	packages, status, ok := cli.ParseMixed(fs, own, stdout, stderr)
	if !ok {
		return status
	}
	if err := o.check(packages); err != nil {
		fmt.Fprintf(stderr, "gocuda sanitize: %v\n", err)
		return 2
	}
	code, err := o.sanitize(packages, rest, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "gocuda sanitize: %v\n", err)
		return 1
	}
	return code
}

// check returns what is wrong with the command line, and completes the settings.
func (o *sanitizeFlags) check(packages []string) error {
	for _, t := range strings.Split(o.tools, ",") {
		switch t {
		case "race":
			o.settings.Race = true
		case "init":
			o.settings.Init = true
		case "sync":
			o.settings.Sync = true
		case "mem":
			o.settings.Mem = true
		default:
			return fmt.Errorf("there is no tool %q", t)
		}
	}
	switch {
	case !slices.Contains([]string{"analysis", "hazard", "all"}, o.report):
		return fmt.Errorf("there is no report %q", o.report)
	case !slices.Contains([]string{"text", "json", "sarif"}, o.output):
		return fmt.Errorf("there is no format %q", o.output)
	case levels[o.level] == 0:
		return fmt.Errorf("there is no severity %q", o.level)
	case o.leak != "no" && o.leak != "full":
		return fmt.Errorf("-leak-check is no or full, not %q", o.leak)
	case !slices.Contains([]string{"", "global", "shared"}, o.settings.InitSpace):
		return fmt.Errorf("there is no address space %q", o.settings.InitSpace)
	case o.settings.Skip < 0 || o.settings.Count < 0 || o.limit < 0:
		return errors.New("numbers must not be negative")
	}
	if err := checkTarget(o.run, packages); err != nil {
		return err
	}
	o.settings.Leaks = o.leak == "full"
	if o.report != "analysis" {
		o.settings.Hazards = o.limit
		if o.limit == 0 {
			o.settings.Hazards = math.MaxInt32
		}
	}
	_, err := regexp.Compile(o.settings.Kernel)
	return err
}

var levels = map[string]sanitize.Severity{
	"info": sanitize.SeverityInfo, "warning": sanitize.SeverityWarning, "error": sanitize.SeverityError,
}

// sanitize builds, runs and reports. It returns the exit status.
func (o *sanitizeFlags) sanitize(packages, rest []string, stdout, stderr io.Writer) (code int, err error) {
	ctx, stop := interruptible()
	defer stop()
	known, err := o.known()
	if err != nil {
		return 0, err
	}
	report, exit, err := o.find(ctx, packages, rest, stdout, stderr)
	if err != nil {
		return 0, err
	}
	if o.generate != "" {
		if err := writeFile(o.generate, func(w io.Writer) error {
			return sanitize.WriteSuppressions(w, sanitize.SuppressionsOf(report.Findings))
		}); err != nil {
			return 0, err
		}
	}
	report.Findings, report.Suppressed = sanitize.Suppress(report.Findings, known)
	failed := slices.ContainsFunc(report.Findings, func(f sanitize.Finding) bool { return f.Severity == sanitize.SeverityError })
	if err := o.print(report, stdout); err != nil {
		return 0, err
	}
	if failed {
		return o.exitCode, nil
	}
	return exit, nil
}

// find builds and runs the tests of the packages, or the program. It returns the report of all that
// was found, and the exit status of the go command.
func (o *sanitizeFlags) find(ctx context.Context, packages, rest []string, stdout, stderr io.Writer) (report *sanitize.Report, status int, err error) {
	var tags []string
	if o.tags != "" {
		tags = []string{"-tags=" + o.tags}
	}
	if o.run != "" {
		packages = []string{o.run}
	}
	generated, err := missingCode(ctx, tags, packages, o.run == "", true, stderr)
	if err != nil {
		return nil, 0, err
	}
	lay, err := rewriting.Make(ctx, rewriting.Options{Overlay: generated.Replace, Flags: tags, Tests: o.run == "", Imports: []string{sanitizePath}}, packages...)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, lay.Close()) }()
	if lay.Files == 0 {
		return nil, 0, errors.New("none of the packages has a kernel that can be looked at")
	}
	o.settings.Folder = lay.Dir
	settings, err := json.Marshal(o.settings)
	if err != nil {
		return nil, 0, err
	}
	tags = append(tags, lay.Flags...)
	var argv []string
	if o.run != "" {
		argv = append(append([]string{"run", "-overlay", lay.File}, tags...), o.run)
		argv = append(argv, rest...)
	} else {
		argv = append([]string{"test", "-overlay", lay.File, "-count=1", "-p=1", "-vet=off"}, tags...)
		argv = append(append(argv, packages...), rest...)
	}
	cmd := exec.CommandContext(ctx, "go", argv...)
	cmd.Stdout, cmd.Stderr, cmd.Stdin = stdout, stderr, os.Stdin
	if o.output != "text" && o.logFile == "" {
		cmd.Stdout = stderr
	}
	cmd.Env = append(os.Environ(), sanitize.Variable+"="+string(settings), probe.SitesVariable+"="+lay.Sites)
	var exit *exec.ExitError
	switch err := cmd.Run(); {
	case errors.As(err, &exit):
		status = max(1, exit.ExitCode())
	case err != nil:
		return nil, 0, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, 0, err
	}
	report = &sanitize.Report{Unseen: lay.Unseen, Accesses: lay.Accesses, Hazards: o.report != "analysis", Groups: o.report != "hazard"}
	report.Findings, err = sanitize.Read(lay.Dir, dir)
	return report, status, err
}

const sanitizePath = "github.com/gocuda/gocuda/sanitize"

// known reads the file of suppressions, if there is one.
func (o *sanitizeFlags) known() ([]sanitize.Suppression, error) {
	if o.suppress == "" {
		return nil, nil
	}
	file, err := os.Open(o.suppress)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	known, err := sanitize.ReadSuppressions(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.suppress, err)
	}
	return known, nil
}

func writeFile(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// print prints the report, with what the flags leave out of it.
func (o *sanitizeFlags) print(r *sanitize.Report, stdout io.Writer) error {
	r.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f sanitize.Finding) bool { return f.Severity < levels[o.level] })
	if o.limit > 0 && len(r.Findings) > o.limit {
		r.Left = len(r.Findings) - o.limit
		r.Findings = r.Findings[:o.limit]
	}
	if o.html != "" {
		if err := writeFile(o.html, func(w io.Writer) error { return page.Write(w, r, ".") }); err != nil {
			return err
		}
	}
	if o.logFile != "" {
		return writeFile(o.logFile, func(w io.Writer) error { return o.printTo(w, r) })
	}
	return o.printTo(stdout, r)
}

func (o *sanitizeFlags) printTo(w io.Writer, r *sanitize.Report) error {
	switch o.output {
	case "json":
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(r)
	case "sarif":
		return r.SARIF(w)
	}
	files := map[string][]string{}
	r.Print(w, func(p sanitize.Place) string {
		if p.File == "" {
			return ""
		}
		lines, ok := files[p.File]
		if !ok {
			text, _ := os.ReadFile(p.File) // without its text a place is still a place
			lines = strings.Split(string(text), "\n")
			files[p.File] = lines
		}
		if p.Line < 1 || p.Line > len(lines) {
			return ""
		}
		return lines[p.Line-1]
	})
	return nil
}
