package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/gocuda/gocuda/bench"
)

// benchOutput prints what comes of gocuda bench, as it comes.
type benchOutput struct {
	stdout, notes io.Writer
	line          *statusLine
	json          *json.Encoder // nil for a table
	table         *bench.Table  // nil for a table of a text
	all           []bench.Result
	later         []string // notes that come below the table
}

// begin prints the head of the table.
func (o *benchOutput) begin(executors []string) {
	o.line.clear()
	if o.json == nil {
		fmt.Fprintln(o.stdout)
		o.table = bench.NewTable(o.stdout, executors)
	}
}

// progress shows how far the command is.
func (o *benchOutput) progress(p bench.Progress) {
	if p.What == "" {
		o.line.clear()
		return
	}
	what := fmt.Sprintf("%d of %d: %s", p.Done+1, p.Total, p.What)
	if p.Left > 0 {
		what += ", about " + roughly(p.Left) + " left"
	}
	o.line.show(p.Done, what)
}

// skipped says what there is no figure of, below the table once it has begun.
func (o *benchOutput) skipped(workload string, size int, executor, why string) {
	if size > 0 {
		workload = fmt.Sprint(workload, " ", size)
	}
	if workload != "" {
		executor = workload + " on " + executor + " is left out"
	}
	o.later = append(o.later, executor+": "+why)
	if o.table == nil {
		o.finish()
	}
}

// report prints the figures of a workload and size.
func (o *benchOutput) report(results []bench.Result) error {
	o.all = append(o.all, results...)
	o.line.clear()
	switch {
	case o.json == nil && o.table == nil: // they are for a table of another kind
		return nil
	case o.json == nil:
		return o.table.Add(results)
	}
	for _, r := range bench.Records(results, origin()) {
		if err := o.json.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// finish prints the notes that have waited.
func (o *benchOutput) finish() {
	o.line.clear()
	for _, note := range o.later {
		fmt.Fprintln(o.notes, note)
	}
	o.later = nil
}
