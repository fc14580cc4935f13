package timeline

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Read returns the events of each process that wrote to a folder, those of a process in the order
// in which they begin.
func Read(folder string) ([][]Event, error) {
	names, err := filepath.Glob(filepath.Join(folder, Pattern))
	if err != nil {
		return nil, err
	}
	var all [][]Event
	for _, n := range names {
		events, err := readFile(n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n, err)
		}
		if len(events) > 0 {
			all = append(all, events)
		}
	}
	slices.SortFunc(all, func(a, b []Event) int { return cmp.Compare(a[0].Begin, b[0].Begin) })
	return all, nil
}

func readFile(name string) ([]Event, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1] // a process that was killed has not written all of its last line
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	events := make([]Event, len(records))
	for i, r := range records {
		if events[i], err = eventOf(r); err != nil {
			return nil, fmt.Errorf("event %d: %w", i, err)
		}
	}
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(b.End, a.End)) })
	return events, nil
}

// eventOf is the inverse of record.
func eventOf(r []string) (e Event, err error) {
	if len(r) != fields {
		return e, fmt.Errorf("it has %d fields, not %d", len(r), fields)
	}
	number := func(text string) int64 {
		n, numErr := strconv.ParseInt(text, 10, 64)
		err = errors.Join(err, numErr)
		return n
	}
	e = Event{
		Kind: r[0], Track: r[1], Name: r[2], Begin: number(r[3]), End: number(r[4]), Grid: r[5], Block: r[6],
		From: int(number(r[7])), To: int(number(r[8])), Bytes: number(r[9]),
	}
	return e, err
}
