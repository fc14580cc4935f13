// Command gocuda compiles kernels, runs ready-made ones, measures this machine, shows its devices, and
// integrates bodies under gravity.
//
//	gocuda bench       run the standard workloads and print a table, or compare two runs
//	gocuda completion  print what makes bash, zsh or fish complete this command
//	gocuda devices     print the properties of the host and of the GPUs whose limits it can take
//	gocuda gen         translate the kernels of a package into fast Go code
//	gocuda go          run the go command with kernels compiled afresh: go, run, test, vet
//	gocuda help        explain a command
//	gocuda learn       a course in kernels, with exercises that are judged
//	gocuda nbody       integrate the solar system, or bodies of your own
//	gocuda prof        count what a GPU would do with kernels: sectors, bank conflicts, divergence
//	gocuda run         run a kernel on your input
//	gocuda sanitize    find mistakes in kernels: races, uninitialized memory, barriers that some threads skip
//	gocuda trace       write a timeline of launches, blocks, copies and memory, for Perfetto
//	gocuda version     print what this program is, and what it uses of the machine
//
// Each subcommand explains its flags with -h.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/gocuda/gocuda/internal/cli"
	"github.com/gocuda/gocuda/internal/compiler"
	"github.com/gocuda/gocuda/internal/gocommand"
)

// A subcommand gets its arguments and returns the exit status.
type subcommand struct {
	name  string
	about string
	run   func(args []string, stdout, stderr io.Writer) int
	// flags returns the flags behind the word that follows the name, or "" if there is none. It is
	// nil if the command has none.
	flags func(word string) *flag.FlagSet
	// words returns what may follow the name besides flags. It is nil if that is packages, files or
	// nothing.
	words func() []string
}

// commands returns the subcommands, by name.
func commands() []subcommand {
	return []subcommand{
		{"bench", "run the standard workloads and print a table, or compare two runs", benchCommand, always(first(benchFlagSet)), nil},
		{"completion", "print what makes a shell complete this command", completionCommand, nil, shellNames},
		{"devices", "print the properties of the devices", devicesCommand, nil, nil},
		{"gen", "translate kernels into fast Go code", compiler.Command, always(compiler.Flags), nil},
		{"go", "run the go command with kernels compiled afresh", goCommand, nil, func() []string { return gocommand.Verbs }},
		{"help", "explain a command", helpCommand, nil, commandNames},
		{"learn", "a course in kernels, with exercises that are judged", learnCommand, always(first(learnFlags)), func() []string { return learnCommands }},
		{"nbody", "integrate the solar system, or bodies of your own", nbody, always(first(nbodyFlagSet)), nil},
		{"prof", "count what a GPU would do with kernels: sectors, bank conflicts, divergence", profCommand, always(first(profFlagSet)), nil},
		{"run", "run a kernel on your input, or on input that it makes", runCommand, runFlagsOf, taskNames},
		{"sanitize", "find mistakes in kernels, with their place", sanitizeCommand, always(first(sanitizeFlagSet)), nil},
		{"trace", "write a timeline of launches, blocks and copies", traceCommand, always(first(traceFlagSet)), nil},
		{"version", "print what this program is, and what it uses of the machine", versionCommand, nil, nil},
	}
}

// always returns the same flags whatever the word before them.
func always(flags func() *flag.FlagSet) func(string) *flag.FlagSet {
	return func(string) *flag.FlagSet { return flags() }
}

// first adapts a func that also returns the settings that its flags set: it drops these.
func first[T any](flags func() (*flag.FlagSet, T)) func() *flag.FlagSet {
	return func() *flag.FlagSet {
		fs, _ := flags()
		return fs
	}
}

// noFlags returns the flags of a command that has none.
func noFlags(name string) *flag.FlagSet { return cli.New("gocuda " + name) }

func commandNames() (names []string) {
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

// findCommand returns a subcommand by its name, or nil.
func findCommand(name string) *subcommand {
	for _, c := range commands() {
		if c.name == name {
			return &c
		}
	}
	return nil
}

func main() {
	if status, ok := gocommand.ServeTools(os.Args[1:], os.Stdout, os.Stderr); ok {
		os.Exit(status)
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return 2
	}
	switch args[0] {
	case completeVerb:
		return complete(args[1:], stdout)
	case "-h", "-help", "--help":
		usage(stdout)
		return 0
	case "-version", "--version":
		return versionCommand(args[1:], stdout, stderr)
	}
	c := findCommand(args[0])
	if c == nil {
		return noCommand(args[0], stderr)
	}
	return c.run(args[1:], stdout, stderr)
}

// noCommand says that there is no command of a name, and which one may be meant. It returns the
// exit status.
func noCommand(name string, stderr io.Writer) int {
	if meant := cli.Nearest(name, commandNames()); meant != "" {
		fmt.Fprintf(stderr, "gocuda: there is no command %q; did you mean %s? (gocuda help lists the commands)\n", name, meant)
		return 2
	}
	fmt.Fprintf(stderr, "gocuda: there is no command %q\n\n", name)
	usage(stderr)
	return 2
}

// helpCommand explains a command, by its own flag -h.
func helpCommand(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		usage(stdout)
		return 0
	}
	c := findCommand(args[0])
	if c == nil {
		return noCommand(args[0], stderr)
	}
	return c.run(append(args[1:], "-h"), stdout, stderr)
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: gocuda COMMAND [flags]")
	fmt.Fprintln(w)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s  %s\n", c.name, c.about)
	}
	fmt.Fprintln(w, "\nFlags of a command: gocuda help COMMAND")
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

// interruptible returns a context that ends at Ctrl-C, and when the process is told to end, so that
// it can remove its files.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
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
