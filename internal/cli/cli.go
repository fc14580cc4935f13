// Package cli is what the commands of gocuda have in common: reading flags, and guessing what a
// mistyped word was meant to be.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Parse reads the flags of a command. If that is the end of it, because help is asked for or
// something is wrong, the status is the one to exit with, and ok is false. Help goes to stdout.
// What is wrong goes to stderr, in one line.
func Parse(fs *flag.FlagSet, args []string, stdout, stderr io.Writer) (status int, ok bool) {
	fs.SetOutput(io.Discard)
	err := fs.Parse(args)
	switch {
	case err == nil:
		return 0, true
	case errors.Is(err, flag.ErrHelp):
		fs.SetOutput(stdout)
		fs.Usage()
		return 0, false
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		if meant := Nearest(name, Flags(fs)); meant != "" {
			text += "; did you mean -" + meant + "?"
		}
	}
	fmt.Fprintf(stderr, "%s: %s (%[1]s -h explains the flags)\n", fs.Name(), text)
	return 2, false
}

// ParseMixed is Parse for flags that may also stand behind other arguments, or between them. It
// returns these. All that follow the argument -- are among them.
func ParseMixed(fs *flag.FlagSet, args []string, stdout, stderr io.Writer) (words []string, status int, ok bool) {
	for {
		if status, ok = Parse(fs, args, stdout, stderr); !ok {
			return nil, status, false
		}
		rest := fs.Args()
		if read := len(args) - len(rest); len(rest) == 0 || read > 0 && args[read-1] == "--" {
			return append(words, rest...), 0, true
		}
		words, args = append(words, rest[0]), rest[1:]
	}
}

// ParseAlone is Parse for a command that takes no other arguments.
func ParseAlone(fs *flag.FlagSet, args []string, stdout, stderr io.Writer) (status int, ok bool) {
	if status, ok = Parse(fs, args, stdout, stderr); ok && fs.NArg() > 0 {
		fmt.Fprintf(stderr, "%s: unexpected argument %q (%[1]s -h explains the flags)\n", fs.Name(), fs.Arg(0))
		return 2, false
	}
	return status, ok
}

// New returns the flags, none yet, of a command that takes no other arguments.
func New(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.Usage = func() {
		if len(Flags(fs)) == 0 {
			fmt.Fprintf(fs.Output(), "usage: %s\n", fs.Name())
			return
		}
		fmt.Fprintf(fs.Output(), "usage: %s [flags]\n\n", fs.Name())
		fs.PrintDefaults()
	}
	return fs
}

// Flags returns the names of the flags, in order.
func Flags(fs *flag.FlagSet) (names []string) {
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// IsSwitch reports whether a flag has no value.
func IsSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// Nearest returns the one of words that word was probably meant to be, or "": it differs in a
// letter, or in one more for each five, and not in all.
func Nearest(word string, words []string) (nearest string) {
	least := 0
	for _, w := range words {
		d := Distance(word, w)
		if d <= len(w)/5+1 && d < min(len(word), len(w)) && (nearest == "" || d < least) {
			nearest, least = w, d
		}
	}
	return nearest
}

// Distance is the number of letters to insert, delete or replace to make b of a: the edit distance
// of Levenshtein.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0]++
		for j := range len(b) {
			replace := corner
			if a[i] != b[j] {
				replace++
			}
			corner = row[j+1]
			row[j+1] = min(replace, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
}
