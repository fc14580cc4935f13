package bodies

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
)

// columns are the fields of a line, in order.
var columns = [...]string{"name", "x", "y", "z", "vx", "vy", "vz", "mass"}

const (
	// MaxBodies is the most bodies that a file may have. One step with so many is 3e14 interactions,
	// days of work; the limit is there for files that are something else.
	MaxBodies = 1 << 24
	// MaxLine is the longest line that a file may have, in bytes.
	MaxLine = 1 << 16
)

// errLongLine ends the reading of a file that has a line longer than MaxLine.
var errLongLine = fmt.Errorf("the line is longer than %d bytes", MaxLine)

// ReadCSV reads bodies. Each line is one:
//
//	name,x,y,z,vx,vy,vz,mass
//
// with place, velocity and mass in any units in which the gravitational constant is 1. The same words
// may stand in the first line, as a header. Lines that begin with # are comments; blank lines are
// skipped, and so is space around a field. A name with a comma, a quote or a leading # stands in double
// quotes. Names are unique, numbers finite, and masses 0 or more; there is at least one body, and at
// most [MaxBodies].
//
// file is the name that errors begin with, followed by line and column; a column is counted in bytes
// from 1.
func ReadCSV(r io.Reader, file string) (System, error) {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) { // what spreadsheets write first
		in.Discard(3)
	}
	lines := &lineReader{r: in, line: 1}
	p := parser{csv: csv.NewReader(lines), file: file, seen: map[string]int{}}
	p.csv.Comment = '#'
	p.csv.FieldsPerRecord = -1 // checked here, with a better message
	p.csv.TrimLeadingSpace = true
	p.csv.ReuseRecord = true
	for first := true; ; {
		fields, err := p.csv.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return System{}, p.readError(err, lines.line)
		}
		if len(fields) == 1 && strings.TrimSpace(fields[0]) == "" {
			continue
		}
		if err := p.record(fields, first); err != nil {
			return System{}, err
		}
		first = false
	}
	if p.sys.Len() == 0 {
		return System{}, p.errorf(lines.line, 1, "no bodies: expected at least one line of %s", strings.Join(columns[:], ","))
	}
	return p.sys, nil
}

// A parser makes bodies of the records of one file.
type parser struct {
	csv  *csv.Reader
	file string
	sys  System
	seen map[string]int // the line of each name
}

func (p *parser) errorf(line, column int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w", p.file, line, column, fmt.Errorf(format, args...))
}

// field is errorf at field i of the current record.
func (p *parser) field(i int, format string, args ...any) error {
	line, column := p.csv.FieldPos(i)
	return p.errorf(line, column, format, args...)
}

// record takes one line: the header, which can only be the first, or a body.
func (p *parser) record(fields []string, first bool) error {
	for i, f := range fields {
		fields[i] = strings.TrimSpace(f)
	}
	if n := len(fields); n != len(columns) {
		return p.field(min(n-1, len(columns)), "expected %d fields separated by commas (%s), found %d",
			len(columns), strings.Join(columns[:], ","), n)
	}
	if first && isHeader(fields) {
		for i, f := range fields {
			if !strings.EqualFold(f, columns[i]) {
				return p.field(i, "the first line has no numbers, so it must be the header %s; found %.40q, expected %q",
					strings.Join(columns[:], ","), f, columns[i])
			}
		}
		return nil
	}
	line, _ := p.csv.FieldPos(0)
	name := fields[0]
	switch before, seen := p.seen[name]; {
	case name == "":
		return p.field(0, "expected a name, found nothing")
	case strings.ContainsFunc(name, unicode.IsControl):
		return p.field(0, "expected a name without line breaks and control characters, found %.40q", name)
	case seen:
		return p.field(0, "expected a new name, but %.40q is also on line %d", name, before)
	case p.sys.Len() == MaxBodies:
		return p.field(0, "expected at most %d bodies", MaxBodies)
	}
	p.seen[strings.Clone(name)] = line // a clone, or the map would keep the whole line
	var v [len(columns)]float64
	for i := 1; i < len(columns); i++ {
		var err error
		if v[i], err = p.number(i, fields[i]); err != nil {
			return err
		}
	}
	if v[7] < 0 {
		return p.field(7, "expected a mass of 0 or more, found %.40s", fields[7])
	}
	p.sys.add(strings.Clone(name), nbody.Body[float64]{X: v[1], Y: v[2], Z: v[3], Mass: v[7]},
		kernels.Vec3[float64]{X: v[4], Y: v[5], Z: v[6]})
	return nil
}

// isHeader reports whether no field but the name is a number.
func isHeader(fields []string) bool {
	for _, f := range fields[1:] {
		if _, err := strconv.ParseFloat(f, 64); err == nil || errors.Is(err, strconv.ErrRange) {
			return false
		}
	}
	return true
}

// number parses field i.
func (p *parser) number(i int, s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case s == "":
		return 0, p.field(i, "expected a number for %s, found nothing", columns[i])
	case errors.Is(err, strconv.ErrRange):
		return 0, p.field(i, "expected a number for %s within the range of float64, found %.40s", columns[i], s)
	case err != nil:
		return 0, p.field(i, "expected a number for %s, found %.40q", columns[i], s)
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, p.field(i, "expected a finite number for %s, found %.40s", columns[i], s)
	}
	return x, nil
}

// readError puts an error of the CSV reader in this package's form. line is as far as the file was
// read.
func (p *parser) readError(err error, line int) error {
	var bad *csv.ParseError
	switch {
	case !errors.As(err, &bad):
		return p.errorf(line, 1, "%w", err)
	case errors.Is(err, csv.ErrBareQuote):
		return p.errorf(bad.Line, bad.Column, `expected no " inside a field that doesn't begin with one`)
	case errors.Is(err, csv.ErrQuote):
		return p.errorf(bad.StartLine, 1, `expected quoted fields to end with " and a comma or the end of the line (a " inside is written "")`)
	}
	return p.errorf(bad.Line, bad.Column, "%w", bad.Err)
}

// A lineReader counts lines, and fails at one longer than MaxLine, which a csv.Reader would collect in
// memory whatever its length.
type lineReader struct {
	r      io.Reader
	line   int // the number of the line that is being read, from 1
	length int // of it, so far
}

func (l *lineReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, c := range p[:n] {
		l.length++
		if c == '\n' {
			l.line++
			l.length = 0
		} else if l.length > MaxLine {
			return i, errLongLine
		}
	}
	return n, err
}
