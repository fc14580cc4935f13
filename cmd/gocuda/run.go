package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/cli"
	"github.com/gocuda/gocuda/internal/tasks"
	"github.com/gocuda/gocuda/kernels"
)

const runUsage = `usage: gocuda run KERNEL [flags]

Runs a ready-made kernel on input that it makes, or on a file of yours, and says what came of it.
gocuda run KERNEL -h explains the flags of a kernel. There are:

`

// runCommand runs a kernel. It returns the exit status: 2 for a wrong command line, 130 after
// Ctrl-C, 1 for everything else that fails.
func runCommand(args []string, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		fmt.Fprintln(stderr, "gocuda run:", err)
		return status
	}
	if len(args) == 0 {
		printTasks(stderr)
		return 2
	}
	switch args[0] {
	case "-h", "-help", "--help", "help":
		printTasks(stdout)
		return 0
	}
	task, err := tasks.Find(args[0])
	if err != nil {
		return fail(2, err)
	}
	fs, o, job := runFlagSet(task)
	if status, ok := cli.ParseAlone(fs, args[1:], stdout, stderr); !ok {
		return status
	}
	if o.size != "" {
		if o.Size, err = parseSizes(strings.ReplaceAll(o.size, "x", ",")); err != nil {
			return fail(2, err)
		}
	}
	if o.workers < 0 {
		return fail(2, fmt.Errorf("-workers %d: want 0 or more", o.workers))
	}
	dev := gocuda.Default()
	if o.workers > 0 {
		if dev, err = gocuda.NewDevice(gocuda.WithWorkers(o.workers)); err != nil {
			return fail(1, err)
		}
		defer dev.Close()
	}
	o.On = dev
	if o.uncompiled {
		o.On = kernels.Uncompiled(dev)
	}
	if line := newStatusLine(stderr); line.terminal {
		o.Progress = func(what string) {
			line.clear()
			if what != "" {
				line.show(0, task.Name+": "+what)
			}
		}
	}
	ctx, stop := interruptible()
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process
	if err := tasks.Run(ctx, task, job, o.Options, stdout); err != nil {
		return fail(failure(ctx), err)
	}
	return 0
}

// runFlags is the command line of a kernel.
type runFlags struct {
	tasks.Options
	size       string
	uncompiled bool
	workers    int
}

// runFlagSet returns the flags of a kernel, the settings that they set, and the job that runs it.
func runFlagSet(task *tasks.Task) (*flag.FlagSet, *runFlags, tasks.Job) {
	o := &runFlags{}
	fs := flag.NewFlagSet("gocuda run "+task.Name, flag.ContinueOnError)
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "usage: gocuda run %s [flags]\n\n%s.\n\n", task.Name, strings.ToUpper(task.About[:1])+task.About[1:])
		fs.PrintDefaults()
	}
	job := task.Setup(fs)
	if task.Takes != "" {
		fs.StringVar(&o.In, "in", "", "read the input from a `file`: "+task.Takes)
	}
	fs.StringVar(&o.size, "size", "", "the `size` of input that is made (default "+task.Sizes+"); 2^20 is a size too")
	fs.Uint64Var(&o.Seed, "seed", 1, "the `seed` of input that is random")
	if task.Gives&tasks.Values != 0 {
		fs.StringVar(&o.Out, "o", "", "write the result to a `file`, in the format of its name: .csv, .txt, .bin, .raw or .mtx")
	}
	if task.Gives&tasks.Picture != 0 {
		fs.StringVar(&o.PNG, "png", "", "draw the result into a PNG `file`")
	}
	fs.BoolVar(&o.Verify, "verify", false, "compare the result with that of the serial reference")
	fs.BoolVar(&o.uncompiled, "uncompiled", false, "run the thread kernels as they are written, on coroutines")
	fs.IntVar(&o.workers, "workers", 0, "the `number` of workers (default GOMAXPROCS)")
	return fs, o, job
}

// runFlagsOf returns the flags of a kernel by its name, or nil.
func runFlagsOf(name string) *flag.FlagSet {
	task, err := tasks.Find(name)
	if err != nil {
		return nil
	}
	fs, _, _ := runFlagSet(task)
	return fs
}

// taskNames are the kernels that can be run.
func taskNames() (names []string) {
	for _, t := range tasks.All() {
		names = append(names, t.Name)
	}
	return names
}

// printTasks prints what can be run.
func printTasks(w io.Writer) {
	fmt.Fprint(w, runUsage)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, task := range tasks.All() {
		fmt.Fprintf(t, "  %s\t%s\n", task.Name, task.About)
	}
	t.Flush()
}
