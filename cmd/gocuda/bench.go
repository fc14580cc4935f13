package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/bench"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/cli"
	"github.com/gocuda/gocuda/kernels/sparse"
	"github.com/gocuda/gocuda/prof"
)

// benchFlags is the command line of gocuda bench.
type benchFlags struct {
	bench.Options
	asJSON  bool
	plot    string // a file, or ""
	table   string // the name of a table of a text, or ""
	figure  string // the name of a figure of a text, or ""
	compare bool   // two files of -json

	workloads, executors, sizes, matrix string // as they are given
}

// benchFlagSet returns the flags, and the settings that they set.
func benchFlagSet() (*flag.FlagSet, *benchFlags) {
	o := &benchFlags{}
	fs := cli.New("gocuda bench")
	fs.Usage = func() {
		fmt.Fprint(fs.Output(), "usage: gocuda bench [flags]\n       gocuda bench -compare a.json b.json\n\n")
		fs.PrintDefaults()
	}
	fs.BoolVar(&o.asJSON, "json", false, "print one JSON object a line instead of a table: figure, ratios, the figures of the rounds, and the machine")
	fs.BoolVar(&o.compare, "compare", false, "compare two files of -json, row by row: gocuda bench -compare a.json b.json")
	fs.BoolVar(&o.Quick, "quick", false, "run all workloads on smaller sizes and less often, in half a minute")
	fs.StringVar(&o.workloads, "workload", "", "`names` of the workloads to run, separated by commas; standard or applications are all of those (default standard)")
	fs.StringVar(&o.executors, "executor", "", "`names` of the executors, separated by commas: "+strings.Join(bench.Executors(), ", ")+" (default all)")
	fs.StringVar(&o.sizes, "size", "", "`sizes` to run instead of the standard ones, separated by commas; 2^20 is a size too")
	fs.IntVar(&o.Workers, "workers", 0, "number of workers (default GOMAXPROCS)")
	fs.StringVar(&o.matrix, "matrix", "", "a Matrix Market `file` with the matrix for spmv (default the Laplacian of a grid)")
	fs.StringVar(&o.plot, "plot", "", "draw a bar chart of the ratios to openmp, or else to serial, into a `file`, .svg or .png")
	fs.StringVar(&o.table, "table", "", "print a `table` of a text with our figures beside its own: ryoo is table 3 of Ryoo et al. (PPoPP 2008), the applications")
	fs.StringVar(&o.figure, "figure", "", "measure a `figure` of Nickolls and Kirk over its sizes, B.7.3 to B.7.6, B.8.15 or B.8.16, beside the text's numbers; -plot draws it")
	fs.IntVar(&o.Runs, "runs", 0, "timed runs of each figure at least, of which the best counts (default 5, and 3 with -quick)")
	return fs, o
}

// parseBench reads the command line. If done is true, the command ends with the status exit.
func parseBench(args []string, stdout, stderr io.Writer) (o *benchFlags, exit int, done bool) {
	fs, o := benchFlagSet()
	if exit, ok := cli.Parse(fs, args, stdout, stderr); !ok {
		return o, exit, true
	}
	fail := func(exit int, err error) (*benchFlags, int, bool) {
		fmt.Fprintln(stderr, "gocuda bench:", err)
		return o, exit, true
	}
	var err error
	if o.compare {
		if fs.NArg() != 2 || fs.NFlag() > 1 {
			return fail(2, errors.New("-compare takes two files, and no other flags"))
		}
		return o, compareFiles(fs.Arg(0), fs.Arg(1), stdout, stderr), true
	}
	if fs.NArg() > 0 {
		return fail(2, fmt.Errorf("unexpected argument %q (gocuda bench -h explains the flags)", fs.Arg(0)))
	}
	if o.Sizes, err = parseSizes(o.sizes); err != nil {
		return fail(2, err)
	}
	if o.workloads != "" {
		o.Workloads = strings.Split(o.workloads, ",")
	}
	if o.executors != "" {
		o.Executors = strings.Split(o.executors, ",")
	}
	runsGiven := false
	fs.Visit(func(f *flag.Flag) { runsGiven = runsGiven || f.Name == "runs" })
	if o.Workers < 0 || runsGiven && o.Runs < 1 {
		return fail(2, errors.New("-workers must not be negative, and -runs at least 1"))
	}
	if o.plot != "" && !bench.CanPlot(o.plot) {
		return fail(2, fmt.Errorf("-plot %s: a chart is an .svg or a .png file", o.plot))
	}
	if o.figure != "" {
		if o.table != "" || o.matrix != "" || len(o.Executors)+len(o.Workloads) > 0 {
			return fail(2, errors.New("-figure has curves of its own, and neither -table, -matrix, -workload nor -executor"))
		}
		return o, 0, false
	}
	if o.plot != "" && len(o.Executors) > 0 && !slices.Contains(o.Executors, bench.OpenMP) && !slices.Contains(o.Executors, bench.Serial) {
		return fail(2, fmt.Errorf("-plot %s: a chart compares with openmp or serial, and -executor names neither", o.plot))
	}
	if o.table != "" {
		if o.table != "ryoo" {
			return fail(2, fmt.Errorf("-table %s: there is the table ryoo", o.table))
		}
		if o.asJSON || o.plot != "" || len(o.Executors)+len(o.Workloads)+len(o.Sizes) > 0 {
			return fail(2, errors.New("-table has workloads, sizes and executors of its own, and neither -json nor -plot"))
		}
		o.Executors = []string{bench.Serial, bench.SIMD}
		for _, r := range bench.RyooTable() {
			o.Workloads = append(o.Workloads, r.Workload)
		}
	}
	if o.matrix != "" {
		if o.Matrix, err = readMatrix(o.matrix); err != nil {
			return fail(1, err)
		}
	}
	return o, 0, false
}

// benchCommand runs workloads.
func benchCommand(args []string, stdout, stderr io.Writer) int {
	o, exit, done := parseBench(args, stdout, stderr)
	if done {
		return exit
	}
	if o.figure != "" {
		return runFigure(o, stdout, stderr)
	}
	if o.table != "" && prof.Active() {
		return countTable(stdout, stderr)
	}
	fail := func(err error) int {
		fmt.Fprintln(stderr, "gocuda bench:", err)
		return 1
	}
	chart, err := reserve(o.plot) // to find out now, and not after minutes, whether it can be written
	if err != nil {
		return fail(err)
	}
	defer chart.abandon()

	signals, stop := interruptible()
	defer stop()
	context.AfterFunc(signals, stop) // a second Ctrl-C ends the process
	out := &benchOutput{stdout: stdout, notes: stdout, line: newStatusLine(stderr)}
	if o.asJSON {
		out.notes, out.json = stderr, json.NewEncoder(stdout)
	} else {
		printDevice(stdout, gocuda.Default().Properties())
	}
	o.Begin, o.Progress, o.Skipped = out.begin, out.progress, out.skipped
	if o.table != "" {
		o.Begin = nil
	}
	ctx, end := context.WithCancelCause(signals)
	defer end(nil)
	err = bench.Run(ctx, o.Options, func(results []bench.Result) {
		if err := out.report(results); err != nil {
			end(err) // nobody reads any more
		}
	})
	out.finish()
	if err != nil && signals.Err() != nil {
		err = errors.New("interrupted")
	}
	if o.table != "" && err == nil {
		fmt.Fprintln(stdout)
		err = bench.WriteRyoo(stdout, out.all)
	}
	if o.plot != "" && (err == nil || len(out.all) > 0) {
		if e := plotTo(chart, o.plot, out.all); e != nil {
			err = errors.Join(err, fmt.Errorf("the chart: %w", e))
		}
	}
	if err != nil {
		fail(err)
		return failure(signals)
	}
	return 0
}

// plotTo draws a chart into a file, which stays as it is if there is nothing to draw.
func plotTo(file *output, name string, results []bench.Result) error {
	var drawn bytes.Buffer
	if err := bench.Plot(&drawn, name, results); err != nil {
		return err
	}
	return file.commit(func(w io.Writer) error {
		_, err := drawn.WriteTo(w)
		return err
	})
}

func readMatrix(path string) (*sparse.CSR, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := sparse.ReadMatrixMarket(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// parseSizes reads sizes such as 1000,2^20.
func parseSizes(s string) ([]int, error) {
	if s == "" {
		return nil, nil
	}
	var sizes []int
	for _, f := range strings.Split(s, ",") {
		n, err := strconv.Atoi(f)
		if power, ok := strings.CutPrefix(f, "2^"); ok {
			var p int
			p, err = strconv.Atoi(power)
			if err == nil && (p < 0 || p > 40) {
				err = strconv.ErrRange
			}
			n = 1 << max(0, min(p, 40))
		}
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-size: %q is no positive number", f)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// countTable prints the columns of the table that the profiler knows, in a program that gocuda prof
// has built.
func countTable(stdout, stderr io.Writer) int {
	ctx, stop := interruptible()
	defer stop()
	rows, err := bench.ProfileRyoo(ctx)
	if err == nil {
		err = bench.WriteRyooCounts(stdout, rows)
	}
	if err != nil {
		fmt.Fprintln(stderr, "gocuda bench:", err)
		return 1
	}
	return 0
}
