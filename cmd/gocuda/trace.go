package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"

	"github.com/gocuda/gocuda/internal/cli"
	"github.com/gocuda/gocuda/internal/perfetto"
	"github.com/gocuda/gocuda/internal/timeline"
)

// traceFlags are what the command line of gocuda trace says.
type traceFlags struct {
	out, run, tags string
}

// traceFlagSet returns the flags, and the settings that they set.
func traceFlagSet() (*flag.FlagSet, *traceFlags) {
	o := &traceFlags{}
	fs := flag.NewFlagSet("gocuda trace", flag.ContinueOnError)
	fs.StringVar(&o.out, "o", "trace.json", "write the timeline to this `file`, for https://ui.perfetto.dev and chrome://tracing")
	fs.StringVar(&o.run, "run", "", "run the program of this `package` in place of tests; its arguments follow --")
	fs.StringVar(&o.tags, "tags", "", "build `tags`, as of the go command")
	fs.Usage = func() {
		fmt.Fprintln(fs.Output(), "usage: gocuda trace [flags] PACKAGES [-- go test flags]\n       gocuda trace [flags] -run PACKAGE [-- arguments]")
		fs.PrintDefaults()
	}
	return fs, o
}

// traceCommand implements gocuda trace.
func traceCommand(args []string, stdout, stderr io.Writer) int {
	fs, o := traceFlagSet()
	own, rest := splitArguments(args)
	packages, status, ok := cli.ParseMixed(fs, own, stdout, stderr)
	if !ok {
		return status
	}
	if err := checkTarget(o.run, packages); err != nil {
		fmt.Fprintf(stderr, "gocuda trace: %v\n", err)
		return 2
	}
	ctx, stop := interruptible()
	defer stop()
	code, err := o.trace(ctx, packages, rest, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "gocuda trace: %v\n", err)
		return failure(ctx)
	}
	return code
}

// trace runs the program or the tests and writes the timeline. It returns the exit status.
func (o *traceFlags) trace(ctx context.Context, packages, rest []string, stdout, stderr io.Writer) (code int, err error) {
	folder, err := os.MkdirTemp("", "gocuda-trace")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	argv := []string{"test", "-count=1", "-p=1"}
	if o.run != "" {
		argv = []string{"run"}
		packages = []string{o.run}
	}
	var tags []string
	if o.tags != "" {
		tags = []string{"-tags=" + o.tags}
	}
	generated, err := missingCode(ctx, tags, packages, o.run == "", false, stderr)
	if err != nil {
		return 0, err
	}
	if len(generated.Replace) > 0 {
		file, err := generated.OverlayFile()
		if err != nil {
			return 0, err
		}
		tags = append(tags, "-overlay="+file)
	}
	argv = append(argv, tags...)
	cmd := exec.CommandContext(ctx, "go", slices.Concat(argv, packages, rest)...)
	cmd.Stdout, cmd.Stderr, cmd.Stdin = stdout, stderr, os.Stdin
	cmd.Env = append(os.Environ(), timeline.Variable+"="+folder)
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	if exit != nil {
		code = max(1, exit.ExitCode())
	}
	processes, err := timeline.Read(folder)
	if err != nil {
		return 0, err
	}
	if len(processes) == 0 {
		if code != 0 {
			return code, nil // the go command has said why
		}
		return 0, errors.New("nothing has been launched, copied or allocated")
	}
	if err := writeFile(o.out, func(w io.Writer) error { return perfetto.Write(w, processes) }); err != nil {
		return 0, err
	}
	fmt.Fprintf(stderr, "gocuda trace: the timeline is in %s\n", o.out)
	return code, nil
}
