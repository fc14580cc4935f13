// Package text reads text files of words and numbers, with errors that say where they are:
// name:line:column.
package text

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/gocuda/gocuda/gocuda"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 1 << 20

// A Reader reads lines.
type Reader struct {
	name  string
	lines *bufio.Scanner
	line  int
}

// NewReader reads from r, which messages call name.
func NewReader(r io.Reader, name string) *Reader {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	return &Reader{name: name, lines: lines}
}

// Next reads the next line, and reports whether there is one.
func (r *Reader) Next() bool {
	r.line++
	return r.lines.Scan()
}

// Text returns the line without its end.
func (r *Reader) Text() string { return r.lines.Text() }

// Err returns what kept Next from reading, or nil at the end of the file.
func (r *Reader) Err() error {
	err := r.lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		return r.Invalid(1, "the line has more than %d bytes", maxLine)
	}
	if err != nil {
		return r.At(1, err)
	}
	return nil
}

// Invalid returns an error at a column, in bytes from 1, of the line in hand. It wraps
// gocuda.ErrInvalidValue.
func (r *Reader) Invalid(column int, format string, args ...any) error {
	return r.At(column, fmt.Errorf("%w: %s", gocuda.ErrInvalidValue, fmt.Sprintf(format, args...)))
}

// At returns an error with the place before it.
func (r *Reader) At(column int, err error) error {
	return fmt.Errorf("%s:%d:%d: %w", r.name, r.line, column, err)
}

// A Word is what stands between blanks.
type Word struct {
	Text   string
	Column int // of its first byte, from 1
}

// Words returns the words of the line, up to the first byte of a comment. No comments begin with 0.
func (r *Reader) Words(comment byte) []Word {
	var words []Word
	line, start := r.Text(), -1
	for i := 0; i <= len(line); i++ {
		end := i == len(line) || comment != 0 && line[i] == comment
		if end || line[i] == ' ' || line[i] == '\t' || line[i] == '\r' {
			if start >= 0 {
				words = append(words, Word{line[start:i], start + 1})
			}
			start = -1
			if end {
				break
			}
		} else if start < 0 {
			start = i
		}
	}
	return words
}

// Float returns the number that a word is. what names it. NaN and what a float32 can't hold are errors.
func (r *Reader) Float(w Word, what string) (float32, error) {
	v, err := strconv.ParseFloat(w.Text, 32)
	switch {
	case errors.Is(err, strconv.ErrRange) || err == nil && (math.IsInf(v, 0) || math.IsNaN(v)):
		return 0, r.Invalid(w.Column, "%s %s is not a float32", what, w.Text)
	case w.Text == "":
		return 0, r.Invalid(w.Column, "%s is missing", what)
	case err != nil:
		return 0, r.Invalid(w.Column, "%q is no number, for %s", w.Text, what)
	}
	return float32(v), nil
}

// Int returns the whole number from low to high that a word is.
func (r *Reader) Int(w Word, what string, low, high int) (int, error) {
	v, err := strconv.Atoi(w.Text)
	if err != nil || v < low || v > high {
		return 0, r.Invalid(w.Column, "%q is no %s from %d to %d", w.Text, what, low, high)
	}
	return v, nil
}
