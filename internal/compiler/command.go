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
)

// Command is `gocuda gen`: it gets its arguments and returns the exit status.
func Command(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("gocuda gen", flag.ContinueOnError)
	check := fs.Bool("check", false, "write nothing; fail if a generated file is not up to date")
	strict := fs.Bool("strict", false, "fail if a kernel can't be translated, instead of leaving it on coroutines")
	explain := fs.Bool("explain", false, "say what became of each kernel; write nothing")
	leave := fs.Bool("nosources", false, "don't embed the sources by which a program notices that a kernel is stale")
	dump := fs.String("dump", "", "print kernels, or their loops in all forms that are tried, behind a `pass`; write nothing")
	off := fs.String("off", "", "leave out `passes`, separated by commas: for finding out what they bring")
	capability := fs.String("capability", "", "say where kernels use what GPUs of a compute `capability`, such as 1.0, don't have; write nothing. The exit status is 1 if there is such a place")
	passList := fs.Bool("passes", false, "list the passes")
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: gocuda gen [flags] [packages]\n\n"+
			"Translates the funcs marked //gocuda:kernel of the packages, by default that in the current\n"+
			"folder, and writes the result to *_gocuda.go in each, rows in assembly to *_gocuda_amd64.go and .s (with\n"+
			"*_gocuda_noasm.go for other machines).")
		fs.PrintDefaults()
	}
	fs.SetOutput(stderr)
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if *passList {
		printPasses(stdout)
		return 0
	}
	options := Options{LeaveSources: *leave, Dump: *dump}
	if *off != "" {
		options.Off = strings.Split(*off, ",")
	}
	if err := options.checkPasses(); err != nil {
		Complain(stderr, err)
		return 2
	}
	patterns := fs.Args()
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	if *capability != "" {
		return lacksCommand(*capability, patterns, stdout, stderr)
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
			if !*explain { // which says so itself
				fmt.Fprintf(stderr, "%s: %s stays on coroutines: %s\n", n.Pos, n.Kernel, n.Message)
			}
			if *strict {
				code = 1
			}
		}
		if *dump != "" {
			for _, text := range r.Dumps {
				fmt.Fprintln(stdout, text)
			}
			continue
		}
		if *explain {
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
			if *check {
				fmt.Fprintf(stderr, "%s is not up to date; run gocuda gen\n", Short(f.Path))
				code = 1
				continue
			}
			if *strict && len(r.Fallbacks) > 0 {
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

// InTheWay returns an error if somebody else wrote a file that has the name of one of files.
func InTheWay(files []File) error {
	for _, f := range files {
		if _, _, err := ownFile(f.Path); err != nil && f.Data != nil {
			return err
		}
	}
	return nil
}

// ownFile reads a file that the compiler wrote, if there is one at path. A file there that somebody else wrote, by hand or as a
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

// writtenHere reports whether the compiler wrote a file, by its first line.
func writtenHere(data []byte) bool { return bytes.HasPrefix(data, []byte(generatedHead+"\n")) }

// Complain prints an error, or each of several.
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
