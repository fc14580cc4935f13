package gocommand

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler"
	"github.com/gocuda/gocuda/internal/overlay"
)

// Coverage. The go command gives the files of a package to the tool cover, which knows of no
// overlay; and nobody wants to know which lines of generated code run. So while coverage is
// measured this program stands between the two, as -toolexec: files of an overlay that the compiler
// wrote are copied instead, and others are read where they are. Kernels run as they are written
// meanwhile.

// coverFlags are the flags of the go command that have coverage measured.
var coverFlags = []string{"cover", "covermode", "coverpkg", "coverprofile"}

// toolVerb is the argument by which the go command calls this program for one of its tools.
const toolVerb = "go-tool"

// servesTools is set in programs whose first act is ServeTools. Any other one must not be called by
// the go command: it would do whatever it does, for each tool.
var servesTools bool

// ServeTools runs a tool of the go command if that is what this program has been called for. The
// main func of a program that uses Run begins with it: args are the arguments of the program. If ok
// is true, it exits with the status.
func ServeTools(args []string, stdout, stderr io.Writer) (status int, ok bool) {
	servesTools = true
	if len(args) == 0 || args[0] != toolVerb {
		return 0, false
	}
	status, err := toolExec(args[1:], stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "gocuda go:", err)
		status = 1
	}
	return status, true
}

// coverWith returns the flag -toolexec for coverage with an overlay. One that was there before is
// called by it.
func coverWith(file string, before ...string) (string, error) {
	if !servesTools {
		return "", errors.New("coverage is measured by the command gocuda alone")
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	for _, s := range []string{self, file} {
		if strings.ContainsAny(s, "'\"") {
			return "", fmt.Errorf("coverage: the go command can't be told of %s, because of its quotes", s)
		}
	}
	flag := fmt.Sprintf("-toolexec='%s' %s '%s'", self, toolVerb, file)
	if more := cmp.Or(before...); more != "" {
		flag += " " + more
	}
	return flag, nil
}

// toolExec runs a tool of the go command: args are the overlay, the tool and its arguments. It
// returns the exit status.
func toolExec(args []string, stdout, stderr io.Writer) (int, error) {
	if len(args) < 2 {
		return 0, errors.New("no tool")
	}
	tool := slices.Clone(args[1:])
	for i, arg := range tool {
		if name := strings.TrimSuffix(filepath.Base(arg), ".exe"); name != "cover" {
			continue
		}
		clean, err := uncover(args[0], tool[i+1:])
		if err != nil {
			return 0, err
		}
		defer clean()
		break
	}
	cmd := exec.Command(tool[0], slices.DeleteFunc(tool[1:], func(arg string) bool { return arg == "" })...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	return runPassingSignals(cmd)
}

// uncover changes the arguments of the tool cover: files of the overlay are read where they are,
// and those that the compiler wrote are copied and become empty arguments. The files that are
// written stand in a list, the first one of the tool's own and then one for each file that is read.
// The func removes what was made.
func uncover(file string, args []string) (clean func(), err error) {
	clean = func() {}
	replaced, err := overlay.Read("", file)
	if err != nil {
		return clean, err
	}
	list := slices.IndexFunc(args, func(arg string) bool { return strings.TrimLeft(arg, "-") == "outfilelist" })
	if list < 0 || list+1 == len(args) {
		return clean, nil // it is asked for its version
	}
	data, err := os.ReadFile(args[list+1])
	if err != nil {
		return clean, err
	}
	written := strings.Split(strings.TrimSpace(string(data)), "\n")
	first := len(args) - (len(written) - 1) // of the files that are read, which come last
	if first <= list+1 {
		return clean, fmt.Errorf("cover is called in a way that is not known: %q", args)
	}
	kept := written[:1]
	for i, to := range written[1:] {
		by := replaced[args[first+i]]
		if by == "" {
			kept = append(kept, to)
			continue
		}
		text, err := os.ReadFile(by)
		switch {
		case err != nil:
			return clean, err
		case compiler.IsOwn(text):
			if err := os.WriteFile(to, text, 0o666); err != nil {
				return clean, err
			}
			args[first+i] = ""
		default:
			args[first+i], kept = by, append(kept, to)
		}
	}
	out, err := os.CreateTemp("", "gocuda-cover")
	if err != nil {
		return clean, err
	}
	clean = func() { os.Remove(out.Name()) }
	_, err = out.WriteString(strings.Join(kept, "\n") + "\n")
	args[list+1] = out.Name()
	return clean, errors.Join(err, out.Close())
}
