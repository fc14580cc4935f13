// Command gocuda compiles kernels, runs ready-made ones, measures this machine, shows its devices, and
// integrates bodies under gravity.
//
//	gocuda bench    run the standard workloads and print a table
//	gocuda gen      translate the kernels of a package into fast Go code
//	gocuda go       run the go command with kernels compiled afresh: go, run, test, vet
//	gocuda devices  print the properties of the host and of the GPUs whose limits it can take
//	gocuda learn    a course in kernels, with exercises that are judged
//	gocuda nbody    integrate the solar system, or bodies of your own
//	gocuda prof     count what a GPU would do with kernels: sectors, bank conflicts, divergence
//	gocuda run      run a kernel on your input
//	gocuda sanitize find mistakes in kernels: races, uninitialized memory, barriers that some threads skip
//	gocuda trace    write a timeline of launches, blocks, copies and memory, for Perfetto
//
// Each subcommand explains its flags with -h.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/gocuda/gocuda/internal/compiler"
	"github.com/gocuda/gocuda/internal/gocommand"
)

// errUsage is an error of the command line that has been reported already.
var errUsage = errors.New("usage")

// commands are the subcommands. Each gets its arguments and returns the exit status.
var commands = []struct {
	name  string
	about string
	run   func(args []string, stdout, stderr io.Writer) int
}{
	{"bench", "run the standard workloads and print a table", benchCommand},
	{"devices", "print the properties of the devices", devicesCommand},
	{"gen", "translate kernels into fast Go code", compiler.Command},
	{"go", "run the go command with kernels compiled afresh", goCommand},
	{"learn", "a course in kernels, with exercises that are judged", learnCommand},
	{"nbody", "integrate the solar system, or bodies of your own", nbody},
	{"prof", "count what a GPU would do with kernels: sectors, bank conflicts, divergence", profCommand},
	{"run", "run a kernel on your input, or on input that it makes", runCommand},
	{"sanitize", "find mistakes in kernels, with their place", sanitizeCommand},
	{"trace", "write a timeline of launches, blocks and copies", traceCommand},
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return 2
	}
	switch args[0] {
	case gocommand.ToolVerb:
		return gocommand.ToolExec(args[1:], stdout, stderr)
	case "help", "-h", "-help", "--help":
		usage(stdout)
		return 0
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(args[1:], stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "gocuda: there is no command %q\n\n", args[0])
	usage(stderr)
	return 2
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: gocuda COMMAND [flags]")
	fmt.Fprintln(w)
	for _, c := range commands {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.about)
	}
	fmt.Fprintln(w, "\nFlags of a command: gocuda COMMAND -h")
}

// parse parses the flags of a subcommand that takes no other arguments. The error is nil, flag.ErrHelp,
// or errUsage, and has been reported.
func parse(fs *flag.FlagSet, args []string, stderr io.Writer) error {
	fs.SetOutput(stderr)
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errUsage
	}
	if fs.NArg() > 0 {
		fmt.Fprintf(stderr, "%s: unexpected argument %q\n", fs.Name(), fs.Arg(0))
		return errUsage
	}
	return nil
}

// status is the exit status for an error of parse.
func status(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	return 2
}

// statusInterrupted is the exit status of a command that Ctrl-C ends: 128 and the number of SIGINT,
// as shells have it.
const statusInterrupted = 130

// failure is the exit status of a command that fails, for one reason or because ctx, which is of
// interruptible, has ended.
func failure(ctx context.Context) int {
	if ctx.Err() != nil {
		return statusInterrupted
	}
	return 1
}

// interruptible returns a context that ends at Ctrl-C.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt)
}

// isTerminal reports whether w is a terminal, where progress can be shown.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
