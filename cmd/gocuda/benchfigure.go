package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gocuda/gocuda/bench"
	"github.com/gocuda/gocuda/gocuda"
)

// runFigure is gocuda bench -figure: the sweep of a figure of a text, as a table, as JSON or as a
// chart.
func runFigure(o *benchFlags, stdout, stderr io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintln(stderr, "gocuda bench:", err)
		return 1
	}
	f, err := bench.FindFigure(o.figure)
	if err != nil {
		fail(err)
		return 2
	}
	chart, err := reserve(o.plot)
	if err != nil {
		return fail(err)
	}
	defer chart.abandon()
	signals, stop := interruptible()
	defer stop()
	context.AfterFunc(signals, stop) // a second Ctrl-C ends the process
	line := newStatusLine(stderr)
	o.Progress = func(p bench.Progress) {
		line.clear()
		if p.What != "" {
			line.show(p.Done, fmt.Sprintf("%d of %d: %s", p.Done+1, p.Total, p.What))
		}
	}
	var left []string
	o.Skipped = func(_ string, size int, curve, why string) {
		left = append(left, fmt.Sprintf("%s is left out at size %d: it %s", curve, size, why))
	}
	ctx, end := context.WithCancelCause(signals)
	defer end(nil)
	out := json.NewEncoder(stdout)
	var points []bench.SweepPoint
	err = f.Run(ctx, o.Options, func(p bench.SweepPoint) {
		points = append(points, p)
		if o.asJSON {
			line.clear()
			if err := out.Encode(struct {
				bench.SweepPoint
				bench.Origin
			}{p, origin()}); err != nil {
				end(err) // nobody reads any more
			}
		}
	})
	line.clear()
	if err != nil && signals.Err() != nil {
		err = errors.New("interrupted")
	}
	if !o.asJSON && len(points) > 0 {
		printDevice(stdout, gocuda.Default().Properties())
		fmt.Fprintln(stdout)
		if e := f.Write(stdout, points); e != nil {
			err = errors.Join(err, e)
		}
		for _, what := range left {
			fmt.Fprintln(stdout, what)
		}
	}
	if o.plot != "" && len(points) > 0 {
		var drawn bytes.Buffer
		e := f.Plot(&drawn, o.plot, points)
		if e == nil {
			e = chart.commit(func(w io.Writer) error { _, err := drawn.WriteTo(w); return err })
		}
		if e != nil {
			err = errors.Join(err, fmt.Errorf("the chart: %w", e))
		}
	}
	if err != nil {
		fail(err)
		return failure(signals)
	}
	return 0
}
