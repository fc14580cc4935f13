package compiler

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/scanner"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/gocuda/gocuda/internal/cli"
)

// The command `gocuda gen`.

// commandFlags holds the command line of `gocuda gen`.
type commandFlags struct {
	check, strict, explain, leave, passes bool
	dump, off, capability                 string
}

// Flags returns the flags of `gocuda gen`.
func Flags() *flag.FlagSet { return new(commandFlags).set() }

// set returns a flag set whose flags set o.
func (o *commandFlags) set() *flag.FlagSet {
	fs := flag.NewFlagSet("gocuda gen", flag.ContinueOnError)
	fs.BoolVar(&o.check, "check", false, "write nothing; fail if a generated file is not up to date")
	fs.BoolVar(&o.strict, "strict", false, "fail if a kernel can't be translated, instead of leaving it on coroutines")
	fs.BoolVar(&o.explain, "explain", false, "say what became of each kernel; write nothing")
	fs.BoolVar(&o.leave, "nosources", false, "don't embed the sources by which a program notices that a kernel is stale")
	fs.StringVar(&o.dump, "dump", "", "print kernels, or their loops in all forms that are tried, behind a `pass`; write nothing")
	fs.StringVar(&o.off, "off", "", "leave out `passes`, separated by commas: for finding out what they bring")
	fs.StringVar(&o.capability, "capability", "", "say where kernels use what GPUs of a compute `capability`, such as 1.0, don't have; write nothing. The exit status is 1 if there is such a place")
	fs.BoolVar(&o.passes, "passes", false, "list the passes")
	fs.Usage = func() {
		fmt.Fprintln(fs.Output(), "usage: gocuda gen [flags] [packages]\n\n"+
			"Translates the funcs marked //gocuda:kernel of the packages, by default that in the current\n"+
			"folder, and writes the result to *_gocuda.go in each, rows in assembly to *_gocuda_amd64.go and .s (with\n"+
			"*_gocuda_noasm.go for other machines).")
		fs.PrintDefaults()
	}
	return fs
}

// Command runs `gocuda gen` with the given arguments and returns the exit status.
func Command(args []string, stdout, stderr io.Writer) int {
	var o commandFlags
	fs := o.set()
	if status, ok := cli.Parse(fs, args, stdout, stderr); !ok {
		return status
	}
	if o.passes {
		printPasses(stdout)
		return 0
	}
	options := Options{LeaveSources: o.leave, Dump: o.dump, Unwritten: o.explain || o.dump != ""}
	if o.off != "" {
		options.Off = strings.Split(o.off, ",")
	}
	if err := options.checkPasses(); err != nil {
		Complain(stderr, err)
		return 2
	}
	patterns := fs.Args()
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	if o.capability != "" {
		return lacksCommand(o.capability, patterns, stdout, stderr)
	}
	results, err := Generate(".", patterns, options)
	code := 0
	if err != nil {
		Complain(stderr, err)
		code = 1
	}
	for _, r := range results {
		for _, n := range r.Warnings {
			fmt.Fprintln(stderr, n)
		}
		for _, n := range r.Fallbacks {
			if !o.explain { // -explain reports these itself
				fmt.Fprintf(stderr, "%s: %s stays on coroutines: %s\n", n.Pos, n.Kernel, n.Message)
			}
			if o.strict {
				code = 1
			}
		}
		if o.dump != "" {
			for _, text := range r.Dumps {
				fmt.Fprintln(stdout, text)
			}
			continue
		}
		if o.explain {
			for _, n := range r.Explain {
				fmt.Fprintln(stdout, n)
			}
			continue
		}
		if err := InTheWay(r.Files); err != nil {
			Complain(stderr, err)
			code = 1
			continue
		}
		for _, f := range r.Files {
			old, exists, err := ownFile(f.Path)
			if err != nil || exists == (f.Data != nil) && bytes.Equal(old, f.Data) {
				continue
			}
			if o.check {
				fmt.Fprintf(stderr, "%s is not up to date; run gocuda gen\n", Short(f.Path))
				code = 1
				continue
			}
			if o.strict && len(r.Fallbacks) > 0 {
				continue
			}
			if f.Data == nil {
				err = os.Remove(f.Path)
			} else {
				err = os.WriteFile(f.Path, f.Data, 0o666)
			}
			if err != nil {
				fmt.Fprintf(stderr, "gocuda gen: %v\n", err)
				return 1
			}
		}
	}
	return code
}

// printPasses prints the table of passes.
func printPasses(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range passes {
		note := ""
		if p.must {
			note = " (always)"
		}
		fmt.Fprintf(t, "%s\t%s%s\n", p.name, p.about, note)
	}
	t.Flush()
}

// InTheWay returns an error if a file that the compiler did not write has the name of one of files.
func InTheWay(files []File) error {
	for _, f := range files {
		if _, _, err := ownFile(f.Path); err != nil && f.Data != nil {
			return err
		}
	}
	return nil
}

// ownFile reads the file at path, if the compiler wrote it. A file that it did not write, or a
// link, is an error.
func ownFile(path string) (data []byte, exists bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if !info.Mode().IsRegular() {
		return nil, false, fmt.Errorf("%s is no regular file; gocuda gen would write a file of that name", Short(path))
	}
	if data, err = os.ReadFile(path); err != nil {
		return nil, false, err
	}
	if !writtenHere(data) {
		return nil, false, fmt.Errorf("%s was not written by gocuda gen, which would write a file of that name: rename it", Short(path))
	}
	return data, true, nil
}

// writtenHere reports whether the compiler wrote a file, judging by its first line.
func writtenHere(data []byte) bool { return bytes.HasPrefix(data, []byte(generatedHead+"\n")) }

// Complain prints an error, or each error of a list.
func Complain(w io.Writer, err error) {
	switch err := err.(type) {
	case scanner.ErrorList:
		for _, e := range err {
			Complain(w, e)
		}
	case interface{ Unwrap() []error }:
		for _, e := range err.Unwrap() {
			Complain(w, e)
		}
	default:
		fmt.Fprintf(w, "gocuda gen: %v\n", err)
	}
}

// Short returns a path relative to the working directory if that is shorter.
func Short(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}
