// Package rerun runs the tests of a package again, with its kernels compiled.
//
// The files of such a package, which call constructors that the compiler makes, have the build tag
// [Tag]. Without it the package has no tests, and its TestMain calls [Run], so that a plain `go
// test` tests compiled kernels. With it the package builds only if there is generated code for all
// its kernels.
package rerun

import (
	"errors"
	"flag"
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
	"testing"
)

// Tag is the build tag of files that need generated code.
const Tag = "compiled"

// tool is the command that runs the go command with generated code.
const tool = "github.com/gocuda/gocuda/test/compiled"

// Run runs the tests of the package in the working directory, as the flags of this test binary say
// and built as it is, and returns the exit status. What it can't know of are the flags -exec, which
// GOFLAGS may have, and -vet: vet is left out.
func Run() int {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return fail(errors.New("the test binary does not say how it was built"))
	}
	if testing.CoverMode() != "" {
		fmt.Fprintln(os.Stderr, "coverage is measured of kernels as they are written: the compiled ones are not run")
	}
	dir, err := os.MkdirTemp("", "gocuda-compiled")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "compiled.exe")
	if err := build(program); err != nil {
		return fail(err)
	}
	flags, others := testFlags(os.Args[1:], flag.CommandLine)
	args := slices.Concat([]string{"test", "-vet=off"}, buildFlags(info.Settings), flags, []string{"."})
	if len(others) > 0 {
		args = append(append(args, "-args"), others...)
	}
	messages := &sieve{to: os.Stderr}
	cmd := exec.Command(program, args...)
	cmd.Stderr = messages
	status, err := run(cmd)
	if err == nil && messages.found && status == 0 {
		err = errors.New("the code of a kernel is refused, so its tests have run the source")
	}
	if err != nil {
		return fail(err)
	}
	return status
}

// refused is in what the compiler says of a kernel whose code it withdraws.
const refused = "generated code is refused"

// A sieve writes to another writer, and finds whether that text was written, also in pieces.
type sieve struct {
	to    io.Writer
	last  string
	found bool
}

func (s *sieve) Write(text []byte) (int, error) {
	s.last += string(text)
	s.found = s.found || strings.Contains(s.last, refused)
	s.last = s.last[max(0, len(s.last)-len(refused)+1):]
	return s.to.Write(text)
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "the tests can't be run with compiled kernels:", err)
	return 1
}

// build builds the tool for the machine that this runs on, whatever the tests are built for.
func build(program string) error {
	host, err := exec.Command("go", "env", "GOHOSTOS", "GOHOSTARCH").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	names := strings.Fields(string(host))
	if len(names) != 2 {
		return fmt.Errorf("go env: %q", host)
	}
	// The hash of the tool is part of those of the generated code. It must not depend on commits,
	// nor on how the tests are built.
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", program, tool)
	cmd.Env = append(os.Environ(), "GOOS="+names[0], "GOARCH="+names[1], "GOFLAGS=")
	status, err := run(cmd)
	if err == nil && status != 0 {
		err = fmt.Errorf("go build: exit status %d", status)
	}
	return err
}

// run runs a command, to which it passes the signals that would end this process, and returns its
// exit status. Messages go to standard error, unless the command has another place for them.
func run(cmd *exec.Cmd) (int, error) {
	cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	if cmd.Stderr == nil {
		cmd.Stderr = os.Stderr
	}
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
			if err != nil && !errors.As(err, &exit) {
				return 0, err
			}
			if status := cmd.ProcessState.ExitCode(); status >= 0 {
				return status, nil
			}
			return 1, errors.New(cmd.ProcessState.String())
		}
	}
}

// buildFlags returns the flags of the go command with which a binary was built, as far as the
// binary says.
func buildFlags(settings []debug.BuildSetting) (flags []string) {
	for _, s := range settings {
		switch s.Key {
		case "-buildmode", "-compiler": // of all test binaries
		default:
			if strings.HasPrefix(s.Key, "-") {
				flags = append(flags, s.Key+"="+s.Value)
			}
		}
	}
	return flags
}

// own are the flags of a test binary that the go command sets for its own purposes.
var own = []string{"fuzzcachedir", "fuzzworker", "gocoverdir", "paniconexit0", "testlogfile"}

// testFlags divides the arguments of a test binary: it returns the flags of go test, and all
// others, which are the tests' own. The flags that a test binary has are known.
func testFlags(args []string, known *flag.FlagSet) (flags, others []string) {
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if args[i] == "--" {
			return flags, append(others, args[i:]...)
		}
		f := known.Lookup(name)
		test, ok := strings.CutPrefix(name, "test.")
		if !ok || f == nil || args[i][0] != '-' {
			others = append(others, args[i])
			continue
		}
		if is, _ := f.Value.(interface{ IsBoolFlag() bool }); !has && is != nil && is.IsBoolFlag() {
			value = "true"
		} else if i+1 < len(args) && !has {
			i++
			value = args[i]
		}
		if !slices.Contains(own, test) {
			flags = append(flags, "-"+test+"="+value)
		}
	}
	return flags, others
}

// WithTag returns arguments of the go command with the tag among their build tags.
func WithTag(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		name, value, has := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case arg == "--" || arg == "-args":
			return slices.Insert(args, 1, "-tags="+Tag)
		case name != "tags" || !strings.HasPrefix(arg, "-"):
		case has:
			args[i] = "-tags=" + Tag + "," + value
			return args
		case i+1 < len(args):
			args[i+1] = Tag + "," + args[i+1]
			return args
		}
	}
	return slices.Insert(args, 1, "-tags="+Tag)
}
