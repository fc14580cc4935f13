package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
	overlay "github.com/gocuda/gocuda/internal/probe"
	"github.com/gocuda/gocuda/sanitize"
)

// sanitizeFlags are what the command line of gocuda sanitize says.
type sanitizeFlags struct {
	settings sanitize.Settings
	tools    string
	output   string
	level    string
	logFile  string
	run      string
	tags     string
	limit    int
	exitCode int
}

// sanitizeCommand implements gocuda sanitize.
func sanitizeCommand(args []string, stdout, stderr io.Writer) int {
	var o sanitizeFlags
	fs := flag.NewFlagSet("gocuda sanitize", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&o.tools, "tool", "mem,race,init,sync", "the `tools` to use")
	fs.StringVar(&o.output, "o", "text", "the `format` of the report: text or json")
	fs.StringVar(&o.level, "print-level", "info", "the least `severity` to print: info, warning, error")
	fs.IntVar(&o.limit, "print-limit", 100, "print at most so many findings, 0 for all")
	fs.IntVar(&o.exitCode, "error-exitcode", 1, "the exit `status` if there are errors")
	fs.StringVar(&o.logFile, "log-file", "", "write the report to this `file`")
	fs.StringVar(&o.settings.Kernel, "kernel-regex", "", "look only at kernels whose name matches")
	fs.IntVar(&o.settings.Skip, "launch-skip", 0, "pass over so many launches")
	fs.IntVar(&o.settings.Count, "launch-count", 0, "look at so many launches, 0 for all")
	fs.StringVar(&o.settings.InitSpace, "initcheck-address-space", "", "global or shared; both if it is empty")
	leak := fs.String("leak-check", "no", "full: report device memory that was never freed")
	fs.StringVar(&o.run, "run", "", "run the program of this `package` in place of tests; its arguments follow --")
	fs.StringVar(&o.tags, "tags", "", "build `tags`, as of the go command")
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: gocuda sanitize [flags] PACKAGES [-- go test flags]\n       gocuda sanitize [flags] -run PACKAGE [-- arguments]")
		fs.PrintDefaults()
	}
	own, rest := args, []string(nil)
	if i := slices.Index(args, "--"); i >= 0 {
		own, rest = args[:i], args[i+1:]
	}
	if err := fs.Parse(own); err != nil {
		return status(err)
	}
	o.settings.Leaks = *leak == "full"
	if err := o.check(fs.Args(), *leak); err != nil {
		fmt.Fprintf(stderr, "gocuda sanitize: %v\n", err)
		return 2
	}
	code, err := o.sanitize(fs.Args(), rest, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "gocuda sanitize: %v\n", err)
		return 1
	}
	return code
}

func (o *sanitizeFlags) check(packages []string, leak string) error {
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
	case o.output != "text" && o.output != "json":
		return fmt.Errorf("there is no format %q", o.output)
	case levels[o.level] == 0:
		return fmt.Errorf("there is no severity %q", o.level)
	case leak != "no" && leak != "full":
		return fmt.Errorf("-leak-check is no or full, not %q", leak)
	case !slices.Contains([]string{"", "global", "shared"}, o.settings.InitSpace):
		return fmt.Errorf("there is no address space %q", o.settings.InitSpace)
	case o.run == "" && len(packages) == 0:
		return errors.New("no packages")
	case o.run != "" && len(packages) > 0:
		return fmt.Errorf("unexpected argument %q beside -run", packages[0])
	case o.settings.Skip < 0 || o.settings.Count < 0 || o.limit < 0:
		return errors.New("numbers must not be negative")
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
	var tags []string
	if o.tags != "" {
		tags = []string{"-tags=" + o.tags}
	}
	if o.run != "" {
		packages = []string{o.run}
	}
	lay, err := overlay.Make(ctx, overlay.Options{Flags: tags, Tests: o.run == "", Imports: []string{sanitizePath}}, packages...)
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
	if o.output == "json" && o.logFile == "" {
		cmd.Stdout = stderr
	}
	cmd.Env = append(os.Environ(), sanitize.Variable+"="+string(settings), probe.SitesVariable+"="+lay.Sites)
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	found, err := sanitize.Read(lay.Dir)
	if err != nil {
		return 0, err
	}
	if err := o.print(found, lay.Unseen, stdout); err != nil {
		return 0, err
	}
	if slices.ContainsFunc(found, func(f sanitize.Finding) bool { return f.Severity == sanitize.SeverityError }) {
		return o.exitCode, nil
	}
	if exit != nil {
		return max(1, exit.ExitCode()), nil
	}
	return 0, nil
}

const sanitizePath = "github.com/gocuda/gocuda/sanitize"

func (o *sanitizeFlags) print(found []sanitize.Finding, unseen []string, stdout io.Writer) (err error) {
	w := stdout
	if o.logFile != "" {
		file, err := os.Create(o.logFile)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		w = file
	}
	shown := slices.DeleteFunc(slices.Clone(found), func(f sanitize.Finding) bool { return f.Severity < levels[o.level] })
	more := 0
	if o.limit > 0 && len(shown) > o.limit {
		more = len(shown) - o.limit
		shown = shown[:o.limit]
	}
	if o.output == "json" {
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(struct {
			Findings []sanitize.Finding `json:"findings"`
			Left     int                `json:"notPrinted"`
			Unseen   []string           `json:"packagesNotSeen"`
		}{shown, more, unseen})
	}
	files := map[string][]string{}
	sanitize.Print(w, shown, func(p sanitize.Place) string {
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
	if more > 0 {
		fmt.Fprintf(w, "%d further findings were not printed\n", more)
	}
	for _, p := range unseen {
		fmt.Fprintf(w, "The accesses of package %s were not seen: it is in the module cache\n", p)
	}
	return nil
}
