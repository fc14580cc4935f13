package main

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/gocuda/gocuda/bench"
)

// origin is what makes the figures of this program.
func origin() bench.Origin {
	return bench.Origin{Machine: bench.ThisMachine(), Go: runtime.Version(), Version: thisVersion().String()}
}

// compareFiles is gocuda bench -compare. It returns the exit status.
func compareFiles(a, b string, stdout, stderr io.Writer) int {
	var lists [2][]bench.Record
	for i, name := range []string{a, b} {
		var err error
		if lists[i], err = readRecords(name); err != nil {
			fmt.Fprintln(stderr, "gocuda bench:", err)
			return 1
		}
	}
	if err := bench.WriteComparison(stdout, lists[0], lists[1]); err != nil {
		fmt.Fprintln(stderr, "gocuda bench:", err)
		return 1
	}
	return 0
}

func readRecords(name string) ([]bench.Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := bench.ReadRecords(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}
