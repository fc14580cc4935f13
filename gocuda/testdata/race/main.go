// Command race runs one small program by name, for TestRaceDetector. "list" prints the names.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A program runs kernels on a device and checks their results.
type program func(dev *gocuda.Device)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "list" {
		for _, name := range slices.Sorted(maps.Keys(racy)) {
			fmt.Println("racy", name)
		}
		for _, name := range slices.Sorted(maps.Keys(clean)) {
			fmt.Println("clean", name)
		}
		return
	}
	if len(os.Args) != 3 {
		stop("usage: race list, or race name workers, or race 'checked name' workers")
	}
	workers, err := strconv.Atoi(os.Args[2])
	must(err)
	name, checked := strings.CutPrefix(os.Args[1], "checked ")
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(workers), gocuda.WithOutput(&printed), gocuda.WithChecked(checked))
	must(err)
	switch {
	case racy[name] != nil:
		racy[name](dev)
	case clean[name] != nil:
		clean[name](dev)
	case name == "host":
		hostAccesses(dev)
		os.Exit(0) // it has counted the reports itself
	case name == "all": // what one leaves behind must not trouble the next
		for range 3 {
			for _, name := range slices.Sorted(maps.Keys(clean)) {
				clean[name](dev)
			}
		}
	default:
		stop("no such program: ", name)
	}
	must(dev.Close())
}

func stop(what ...any) {
	fmt.Fprintln(os.Stderr, what...)
	os.Exit(1)
}

func must(err error) {
	if err != nil {
		stop(err)
	}
}

// equal stops the program if a result is wrong.
func equal[T comparable](got, want T) {
	if got != want {
		stop("got ", got, ", want ", want)
	}
}

// run launches a thread kernel of one block.
func run(dev *gocuda.Device, threads int, kernel func(*gocuda.Thread)) {
	runBlocks(dev, 1, threads, gocuda.ThreadFunc(kernel))
}

func runBlocks(dev *gocuda.Device, blocks, threads int, k gocuda.Kernel) {
	must(dev.Launch(context.Background(), shape(blocks, threads), k))
}

func shape(blocks, threads int) grid.Config {
	return grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: threads}, SharedBytes: 1024}
}
