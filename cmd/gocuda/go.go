package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/gocuda/gocuda/internal/gocommand"
)

const goUsage = `usage: gocuda go build|install|run|test|vet ARGUMENTS

Runs the go command with these arguments, and with the kernels of all that it builds compiled afresh. The generated code is kept
in a cache, out of the tree: nothing has to be generated or committed, and nothing is older than its source. Generated files that
are in the tree are not used. Kernels in test files are compiled too.

	gocuda go run . -n 1000
	gocuda go test -race ./...
	gocuda go test -run '^$' -bench . ./kernels

The cache is the folder gocuda in the user's folder for caches, or the one that the variable GOCUDACACHE names.
`

// goCommand implements gocuda go.
func goCommand(args []string, stdout, stderr io.Writer) int {
	switch {
	case len(args) == 0:
		fmt.Fprint(stderr, goUsage)
		return 2
	case args[0] == "-h" || args[0] == "-help" || args[0] == "--help" || args[0] == "help":
		fmt.Fprint(stdout, goUsage)
		return 0
	case !gocommand.IsVerb(args[0]):
		fmt.Fprintf(stderr, "gocuda go: go %s builds no kernels; there are %s. For all else there is the go command itself.\n",
			args[0], strings.Join(gocommand.Verbs, ", "))
		return 2
	}
	return gocommand.Run(args, stdout, stderr)
}

// missingCode returns the generated code of kernels in packages where the tree has none, for
// commands that build programs. If written is true it has the kernels run as they are written.
func missingCode(ctx context.Context, flags, packages []string, tests, written bool, stderr io.Writer) (*gocommand.Code, error) {
	code, err := gocommand.Generate(ctx, gocommand.Request{Flags: flags, Patterns: packages, Tests: tests, Written: written, Missing: true})
	if code != nil {
		code.Report(stderr)
	}
	return code, err
}
