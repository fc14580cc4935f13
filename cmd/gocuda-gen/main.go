// Command gocuda-gen is `gocuda gen` alone: it translates the kernels of packages into fast Go code.
//
//	go run -mod=mod github.com/gocuda/gocuda/cmd/gocuda-gen .
//
// It builds in seconds, since it has none of the ready-made kernels that the command gocuda has. So
// it can also write their generated code anew when what is there does not build.
package main

import (
	"os"

	"github.com/gocuda/gocuda/internal/compiler"
)

func main() { os.Exit(compiler.Command(os.Args[1:], os.Stdout, os.Stderr)) }
