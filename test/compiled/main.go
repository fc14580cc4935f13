// Command compiled is `gocuda go` for the packages of this module whose kernels are compiled when
// they are built: the files of these have the build tag compiled, and their generated code is in no
// folder of the tree.
//
//	go run ./test/compiled vet ./test/corpus
//	go run ./test/compiled test -run TestNames -race ./test/corpus
//
// It builds when the generated code of the ready-made kernels does not.
package main

import (
	"fmt"
	"os"

	"github.com/gocuda/gocuda/internal/gocommand"
	"github.com/gocuda/gocuda/test/internal/rerun"
)

func main() {
	if status, ok := gocommand.ServeTools(os.Args[1:], os.Stdout, os.Stderr); ok {
		os.Exit(status)
	}
	args := os.Args[1:]
	if len(args) == 0 || !gocommand.IsVerb(args[0]) {
		fmt.Fprintf(os.Stderr, "usage: compiled COMMAND ARGUMENTS..., as the go command; the commands are %q\n", gocommand.Verbs)
		os.Exit(2)
	}
	os.Exit(gocommand.Run(rerun.WithTag(args), os.Stdout, os.Stderr))
}
