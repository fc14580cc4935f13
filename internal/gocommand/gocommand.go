// Package gocommand runs the go command on packages whose kernels are compiled afresh.
//
// The generated code is never written beside its source. It lies in a cache, and the go command
// finds it by an overlay, see `go help build`. Generated files that are in the tree are hidden by
// it, so what is built is never older than its source:
//
//	Arguments   what a command line of the go command builds
//	Generate    the generated code for it, from the cache or from the compiler
//	Run         both, and then the go command itself
package gocommand

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/gocuda/gocuda/internal/compiler"
	"github.com/gocuda/gocuda/internal/overlay"
)

// Verbs are the commands of the go command that Run understands.
var Verbs = []string{"build", "install", "run", "test", "vet"}

// Run runs the go command with the arguments args, of which the first is one of Verbs, and with the
// kernels of the packages that it builds compiled afresh. It returns the exit status: that of the
// go command, 128 and the number of the signal that ended it, or 1 if kernels can't be compiled.
func Run(args []string, stdout, stderr io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintln(stderr, "gocuda go:", err)
		return 1
	}
	a := parse(args)
	if a.dir != "" {
		// The go command calls the folder by its real name after -C.
		if dir, err := filepath.Abs(a.dir); err == nil {
			if dir, err = filepath.EvalSymlinks(dir); err == nil {
				a.dir = dir
			}
		}
	}
	env, err := readEnvironment(a.dir)
	if err != nil {
		return fail(err)
	}
	var replaced overlay.Files
	if file := cmp.Or(a.overlay, env.flag("overlay")); file != "" {
		if replaced, err = overlay.Read(a.dir, file); err != nil {
			return fail(err)
		}
	}
	covers := a.covers || env.has(coverFlags...)
	races := a.races || env.has("race")
	code, err := Generate(context.Background(), Request{
		Dir: a.dir, Flags: a.build, Patterns: a.patterns(), Tests: a.verb == "test" || a.verb == "vet", Overlay: replaced,
		Written: covers || races, // the runtime runs what is written under the race detector
	})
	if code != nil {
		code.Report(stderr)
	}
	if err != nil {
		compiler.Complain(stderr, err)
		return 1
	}
	if len(code.Replace) > 0 {
		file, err := code.OverlayFile()
		if err != nil {
			return fail(err)
		}
		flags := []string{"-overlay=" + file}
		if covers {
			flag, err := coverWith(file, a.toolexec, env.flag("toolexec"))
			if err != nil {
				return fail(err)
			}
			flags = append(flags, flag)
		}
		args = a.with(flags, code.Named)
	}
	debug.FreeOSMemory() // for the go command: the compiler may have taken gigabytes
	cmd := exec.Command("go", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	status, err := runPassingSignals(cmd)
	if err != nil {
		return fail(err)
	}
	return status
}

// runPassingSignals runs a command, to which it passes the signals that would end this process. It
// returns the exit status.
func runPassingSignals(cmd *exec.Cmd) (int, error) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			cmd.Process.Signal(s) // if that fails the process has ended, or the system has no signals
		case err := <-ended:
			var exit *exec.ExitError
			switch {
			case err == nil:
				return 0, nil
			case !errors.As(err, &exit):
				return 0, err
			}
			if s, ok := exit.Sys().(syscall.WaitStatus); ok && s.Signaled() {
				return 128 + int(s.Signal()), nil
			}
			return exit.ExitCode(), nil
		}
	}
}

// IsVerb reports whether Run understands a command of the go command.
func IsVerb(name string) bool { return slices.Contains(Verbs, name) }

// isGoFile reports whether an argument names a source file instead of a package.
func isGoFile(arg string) bool { return strings.HasSuffix(arg, ".go") }
