package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/gocuda/rt/warps"
	"github.com/gocuda/gocuda/internal/cli"
	rewriting "github.com/gocuda/gocuda/internal/probe"
	"github.com/gocuda/gocuda/prof"
	"github.com/gocuda/gocuda/prof/page"
	"github.com/gocuda/gocuda/sanitize"
)

// profFlags are what the command line of gocuda prof says.
type profFlags struct {
	settings          prof.Settings
	gpu               prof.GPU
	sections, metrics []string
	json, csv, html   string
	run, tags         string

	blocks, sectionList, metricList string // as they are given
	diff                            bool

	races bool // the page has what the sanitizer finds
}

const profPath = "github.com/gocuda/gocuda/prof"

// profFlagSet returns the flags, and the settings that they set.
func profFlagSet() (*flag.FlagSet, *profFlags) {
	o := &profFlags{}
	fs := flag.NewFlagSet("gocuda prof", flag.ContinueOnError)
	fs.StringVar(&o.settings.GPU, "gpu", "ampere", "count as on this `GPU`: g80, gt200, fermi, kepler, volta, ampere, hopper, or a capability such as 8.6")
	fs.StringVar(&o.blocks, "blocks", "all", "look at this `number` of blocks of each launch, spread over the grid, or at all")
	fs.StringVar(&o.sectionList, "sections", "", "print only these `sections`: "+strings.Join(prof.Sections, ","))
	fs.StringVar(&o.metricList, "metrics", "", "print only these `metrics`, under nvprof's names or those of Nsight Compute")
	fs.StringVar(&o.json, "json", "", "write the report to this `file`, for -diff and for programs")
	fs.StringVar(&o.csv, "csv", "", "write the metrics to this `file`")
	fs.StringVar(&o.html, "html", "", "write the report to this `file` as a web page with pictures")
	fs.BoolVar(&o.races, "races", true, "with -html: run the tests under the sanitizer too, and draw the races that it finds; with -run only if it is given")
	fs.StringVar(&o.settings.Kernel, "kernel-regex", "", "look only at kernels whose name matches")
	fs.IntVar(&o.settings.Registers, "registers", 0, "registers a thread, for the occupancy; 0: they don't limit it")
	fs.StringVar(&o.run, "run", "", "run the program of this `package` in place of tests; its arguments follow --")
	fs.StringVar(&o.tags, "tags", "", "build `tags`, as of the go command")
	fs.BoolVar(&o.diff, "diff", false, "compare two files of -json")
	fs.Usage = func() {
		fmt.Fprintln(fs.Output(), "usage: gocuda prof [flags] PACKAGES [-- go test flags]\n       gocuda prof [flags] -run PACKAGE [-- arguments]\n       gocuda prof -diff old.json new.json")
		fs.PrintDefaults()
	}
	return fs, o
}

// profCommand implements gocuda prof.
func profCommand(args []string, stdout, stderr io.Writer) int {
	fs, o := profFlagSet()
	own, rest := splitArguments(args)
	packages, status, ok := cli.ParseMixed(fs, own, stdout, stderr)
	if !ok {
		return status
	}
	if o.diff {
		return profDiff(packages, stdout, stderr)
	}
	if err := o.check(packages, o.blocks, o.sectionList, o.metricList); err != nil {
		fmt.Fprintf(stderr, "gocuda prof: %v\n", err)
		return 2
	}
	if given := false; o.run != "" { // a program does not run twice unasked
		fs.Visit(func(f *flag.Flag) { given = given || f.Name == "races" })
		o.races = o.races && given
	}
	ctx, stop := interruptible()
	defer stop()
	code, err := o.profile(ctx, packages, rest, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "gocuda prof: %v\n", err)
		return failure(ctx)
	}
	return code
}

func profDiff(files []string, stdout, stderr io.Writer) int {
	if len(files) != 2 {
		fmt.Fprintln(stderr, "gocuda prof: -diff takes two files")
		return 2
	}
	var reports [2]*prof.Report
	for i, f := range files {
		var err error
		if reports[i], err = prof.ReadFile(f); err != nil {
			fmt.Fprintf(stderr, "gocuda prof: %v\n", err)
			return 1
		}
	}
	if err := prof.Diff(stdout, reports[0], reports[1]); err != nil {
		fmt.Fprintf(stderr, "gocuda prof: %v\n", err)
		return 1
	}
	return 0
}

func (o *profFlags) check(packages []string, blocks, sections, metrics string) (err error) {
	if o.gpu, err = prof.FindGPU(o.settings.GPU); err != nil {
		return err
	}
	if blocks != "all" {
		if o.settings.Blocks, err = strconv.Atoi(blocks); err != nil || o.settings.Blocks < 1 {
			return fmt.Errorf("-blocks is a number or all, not %q", blocks)
		}
	}
	o.settings.Pictures = o.html != ""
	if sections != "" {
		o.sections = strings.Split(sections, ",")
	}
	if metrics != "" {
		o.metrics = strings.Split(metrics, ",")
	}
	for _, s := range o.sections {
		if !slices.Contains(prof.Sections, s) {
			return fmt.Errorf("there is no section %q: %s", s, strings.Join(prof.Sections, ","))
		}
	}
	if o.settings.Registers < 0 {
		return errors.New("the number of registers must not be negative")
	}
	if err := checkTarget(o.run, packages); err != nil {
		return err
	}
	_, err = regexp.Compile(o.settings.Kernel)
	return err
}

// profile builds, runs and reports. It returns the exit status.
func (o *profFlags) profile(ctx context.Context, packages, rest []string, stdout, stderr io.Writer) (code int, err error) {
	var tags []string
	if o.tags != "" {
		tags = []string{"-tags=" + o.tags}
	}
	if o.run != "" {
		packages = []string{o.run}
	}
	generated, err := missingCode(ctx, tags, packages, o.run == "", true, stderr)
	if err != nil {
		return 0, err
	}
	lay, err := rewriting.Make(ctx, rewriting.Options{Overlay: generated.Replace, Flags: tags, Tests: o.run == "", Imports: []string{profPath}, Profile: true}, packages...)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, lay.Close()) }()
	if lay.Files == 0 {
		return 0, errors.New("none of the packages has a kernel that can be looked at")
	}
	o.settings.Folder = lay.Dir
	settings, err := json.Marshal(o.settings)
	if err != nil {
		return 0, err
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
	cmd.Stdout, cmd.Stderr, cmd.Stdin = stderr, stderr, os.Stdin
	if o.run != "" {
		cmd.Stdout = stdout
	}
	cmd.Env = append(os.Environ(), prof.Variable+"="+string(settings), warps.TableVariable+"="+lay.Sites)
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	report, err := prof.Read(lay.Dir, o.gpu)
	if err != nil {
		return 0, err
	}
	for _, p := range lay.Unseen {
		report.Notes = append(report.Notes, fmt.Sprintf("The accesses of package %s were not seen: it is in the module cache", p))
	}
	var found *sanitize.Report
	if o.html != "" && o.races && len(report.Kernels) > 0 {
		if found, err = o.findRaces(ctx, packages, rest); err != nil {
			return 0, fmt.Errorf("the run under the sanitizer: %w (-races=false leaves it out)", err)
		}
	}
	if err := o.write(report, found, stdout); err != nil {
		return 0, err
	}
	if exit != nil {
		return max(1, exit.ExitCode()), nil
	}
	if len(report.Kernels) == 0 {
		return 0, errors.New("no kernel has run")
	}
	return 0, nil
}

// findRaces runs the same once more, under the sanitizer. What it prints has been seen.
func (o *profFlags) findRaces(ctx context.Context, packages, rest []string) (*sanitize.Report, error) {
	s := &sanitizeFlags{
		tools: "mem,race,init,sync", report: "analysis", output: "text", level: "info", leak: "no", run: o.run, tags: o.tags,
		settings: sanitize.Settings{Kernel: o.settings.Kernel},
	}
	if o.run != "" {
		packages = nil
	}
	if err := s.check(packages); err != nil {
		return nil, err
	}
	var said bytes.Buffer
	r, _, err := s.find(ctx, packages, rest, io.Discard, &said)
	if err != nil {
		return nil, errors.Join(err, errors.New(strings.TrimSpace(said.String())))
	}
	return r, nil
}

func (o *profFlags) write(r *prof.Report, found *sanitize.Report, stdout io.Writer) error {
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{{o.json, r.WriteJSON}, {o.csv, r.WriteCSV}, {o.html, func(w io.Writer) error { return page.Write(w, r, found, ".") }}} {
		if f.name == "" {
			continue
		}
		if err := writeFile(f.name, f.write); err != nil {
			return err
		}
	}
	return r.Print(stdout, o.sections, o.metrics)
}
