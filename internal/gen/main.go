// Command gen is `gocuda gen` alone. It needs no generated code to build, so it can write that anew when
// what is there does not build.
package main

import (
	"os"

	"github.com/gocuda/gocuda/internal/compiler"
)

func main() { os.Exit(compiler.Command(os.Args[1:], os.Stdout, os.Stderr)) }
