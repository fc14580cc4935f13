// Command ladder runs the kernels of published comparisons and prints what the papers measured
// beside the time of the profiler's model. It has to be built by gocuda prof:
//
//	go run ./cmd/gocuda prof -sections model -run ./internal/ladder -- -o docs/model.md
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/prof"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "", "write the tables to this `file`; else to the standard output")
	flag.Parse()
	if err := run(*out); err != nil {
		log.Fatal("ladder: ", err)
	}
}

func run(name string) error {
	all, err := ladders()
	if err != nil {
		return err
	}
	text := document(all)
	if name == "" {
		fmt.Print(text)
	} else if err := os.WriteFile(name, []byte(text), 0o644); err != nil { //nolint:gosec // a document
		return err
	}
	return check(all)
}

// profile runs a kernel and returns its launch.
func profile(name string, g, b grid.Dim3, registers int, k func(*gocuda.Thread)) (*prof.Launch, error) {
	var failed error
	r, err := prof.Run(func() {
		failed = gocuda.LaunchFunc(context.Background(), grid.Config{Grid: g, Block: b}, k)
	})
	if err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, fmt.Errorf("%s: %w", name, failed)
	}
	l := r.Kernels[0].Launches[0]
	l.Registers = registers
	return l, nil
}
