package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/bench"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// benchCommand runs the standard workloads.
func benchCommand(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("gocuda bench", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "print one JSON object a line instead of a table")
	workload := fs.String("workload", "", "`names` of the workloads to run, separated by commas (default all)")
	executor := fs.String("executor", "", "`names` of the executors, separated by commas: "+strings.Join(bench.Executors(), ", ")+" (default all)")
	size := fs.String("size", "", "`sizes` to run instead of the standard ones, separated by commas; 2^20 is a size too")
	workers := fs.Int("workers", 0, "number of workers (default GOMAXPROCS)")
	matrix := fs.String("matrix", "", "a Matrix Market `file` with the matrix for spmv (default the Laplacian of a grid)")
	plot := fs.String("plot", "", "draw a bar chart of the ratios to openmp, or else to serial, into an SVG `file`")
	runs := fs.Int("runs", 5, "timed runs of each figure at least, of which the best counts")
	if err := parse(fs, args, stderr); err != nil {
		return status(err)
	}
	o := bench.Options{Workers: *workers, Runs: *runs}
	var err error
	if o.Sizes, err = parseSizes(*size); err != nil {
		fmt.Fprintln(stderr, "gocuda bench:", err)
		return 2
	}
	if *workload != "" {
		o.Workloads = strings.Split(*workload, ",")
	}
	if *executor != "" {
		o.Executors = strings.Split(*executor, ",")
	}
	if *workers < 0 || *runs < 1 {
		fmt.Fprintln(stderr, "gocuda bench: -workers must not be negative, and -runs at least 1")
		return 2
	}

	if *matrix != "" {
		if o.Matrix, err = readMatrix(*matrix); err != nil {
			fmt.Fprintln(stderr, "gocuda bench:", err)
			return 1
		}
	}
	var plotFile *os.File
	if *plot != "" {
		// To find out now, and not after minutes, whether it can be written.
		if plotFile, err = os.OpenFile(*plot, os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
			fmt.Fprintln(stderr, "gocuda bench:", err)
			return 1
		}
		defer plotFile.Close()
	}

	if isTerminal(stderr) {
		o.Progress = func(done, total int, what string) {
			fmt.Fprintf(stderr, "\r\x1b[K") // back to the start of the line, which is erased
			if done < total {
				fmt.Fprintf(stderr, "%d of %d: %s", done+1, total, what)
			}
		}
	}
	var notes []string
	o.Skipped = func(workload string, size int, executor, why string) {
		if workload == "" {
			notes = append(notes, executor+": "+why)
			return
		}
		if size > 0 {
			workload = fmt.Sprint(workload, " ", size)
		}
		notes = append(notes, fmt.Sprintf("%s on %s is left out: %s", workload, executor, why))
	}
	if !*asJSON {
		printDevice(stdout, gocuda.Default().Properties())
		fmt.Fprintln(stdout)
	}

	ctx, stop := interruptible()
	defer stop()
	var results []bench.Result
	encoder := json.NewEncoder(stdout)
	var writeErr error
	err = bench.Run(ctx, o, func(r bench.Result) {
		results = append(results, r)
		if *asJSON && writeErr == nil {
			if writeErr = encoder.Encode(r); writeErr != nil {
				stop() // nobody reads any more
			}
		}
	})
	if writeErr != nil {
		err = writeErr
	}
	if o.Progress != nil && err != nil {
		fmt.Fprintln(stderr)
	}
	if !*asJSON && len(results) > 0 {
		if err := bench.Table(stdout, results); err != nil {
			fmt.Fprintln(stderr, "gocuda bench:", err)
			return 1
		}
	}
	for _, n := range notes {
		if *asJSON {
			fmt.Fprintln(stderr, n)
		} else {
			fmt.Fprintln(stdout, n)
		}
	}
	if plotFile != nil {
		if e := writePlot(plotFile, results); e != nil {
			err = errors.Join(err, fmt.Errorf("the chart: %w", e))
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, "gocuda bench:", err)
		return 1
	}
	return 0
}

func readMatrix(path string) (*kernels.CSR, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := kernels.ReadMatrixMarket(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// writePlot replaces what is in the file by a chart of the results.
func writePlot(f *os.File, results []bench.Result) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	if err := bench.Plot(f, results); err != nil {
		return err
	}
	return f.Close()
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
