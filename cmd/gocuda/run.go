package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gocuda/gocuda/gocuda"
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
	fs := flag.NewFlagSet("gocuda run "+task.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // reported below, in one line
	job := task.Setup(fs)
	var o tasks.Options
	var size string
	var seed uint64
	if task.Takes != "" {
		fs.StringVar(&o.In, "in", "", "read the input from a `file`: "+task.Takes)
	}
	fs.StringVar(&size, "size", "", "the `size` of input that is made (default "+task.Sizes+"); 2^20 is a size too")
	fs.Uint64Var(&seed, "seed", 1, "a `number` that decides what chance brings")
	if task.Gives&tasks.Values != 0 {
		fs.StringVar(&o.Out, "o", "", "write the result to a `file`, in the format of its name: .csv, .txt, .bin, .raw or .mtx")
	}
	if task.Gives&tasks.Picture != 0 {
		fs.StringVar(&o.PNG, "png", "", "draw the result into a PNG `file`")
	}
	fs.BoolVar(&o.Verify, "verify", false, "compare the result with that of the serial reference")
	source := fs.Bool("uncompiled", false, "run the thread kernels as they are written, on coroutines")
	workers := fs.Int("workers", 0, "the `number` of workers (default GOMAXPROCS)")
	if err := fs.Parse(args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			printTask(stdout, task, fs)
			return 0
		}
		return fail(2, fmt.Errorf("%w (gocuda run %s -h explains the flags)", err, task.Name))
	}
	if fs.NArg() > 0 {
		return fail(2, fmt.Errorf("unexpected argument %q", fs.Arg(0)))
	}
	if size != "" {
		if o.Size, err = parseSizes(strings.ReplaceAll(size, "x", ",")); err != nil {
			return fail(2, err)
		}
	}
	if *workers < 0 {
		return fail(2, fmt.Errorf("-workers %d: want 0 or more", *workers))
	}
	dev := gocuda.Default()
	if *workers > 0 {
		if dev, err = gocuda.NewDevice(gocuda.WithWorkers(*workers)); err != nil {
			return fail(1, err)
		}
		defer dev.Close()
	}
	o.On, o.Seed = dev, seed
	if *source {
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
	if err := tasks.Run(ctx, task, job, o, stdout); err != nil {
		return fail(failure(ctx), err)
	}
	return 0
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

// printTask prints the flags of a task.
func printTask(w io.Writer, task *tasks.Task, fs *flag.FlagSet) {
	fmt.Fprintf(w, "usage: gocuda run %s [flags]\n\n%s.\n\n", task.Name, strings.ToUpper(task.About[:1])+task.About[1:])
	fs.SetOutput(w)
	fs.PrintDefaults()
}
