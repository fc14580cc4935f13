package rpes

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
)

// The XYZ format for molecules, of the program XMol (Minnesota Supercomputer Center): the number of
// atoms, a line for the title, and a line for each atom with its symbol and its place in ångström.
// What stands behind is left alone.
//
//	3
//	water
//	O   0.000  0.000  0.117
//	H   0.000  0.757 -0.471
//	H   0.000 -0.757 -0.471

// Bohr is the unit of length of atoms in ångström (CODATA 2018).
const Bohr = 0.529177210903

// ReadXYZ reads a molecule in the XYZ format, to the end. Errors begin with name and have the line
// and the column. What the format does not allow is gocuda.ErrInvalidValue; elements that [STO3G]
// does not know, and files of several molecules, are gocuda.ErrNotSupported.
func ReadXYZ(r io.Reader, name string) ([]Atom, error) {
	x := xyzReader{lines: bufio.NewScanner(r), name: name}
	f, err := x.next()
	if err != nil {
		return nil, err
	}
	if len(f) != 1 {
		return nil, x.fail(1, "%w: want the number of atoms", gocuda.ErrInvalidValue)
	}
	count, err := strconv.ParseUint(f[0].text, 10, 31)
	if err != nil {
		return nil, x.fail(f[0].column, "%w: %q is no number of atoms", gocuda.ErrInvalidValue, f[0].text)
	}
	if _, err := x.next(); err != nil {
		return nil, err
	}
	var molecule []Atom
	for uint64(len(molecule)) < count {
		f, err := x.next()
		if err != nil {
			return nil, err
		}
		if len(f) < 4 {
			return nil, x.fail(x.length+1, "%w: want a symbol, x, y and z, have %d words", gocuda.ErrInvalidValue, len(f))
		}
		symbol := f[0].text
		a := Atom{Symbol: strings.ToUpper(symbol[:1]) + strings.ToLower(symbol[1:])}
		if _, ok := find(a.Symbol); !ok {
			return nil, x.fail(f[0].column, "%w: element %q; there are H, He, C, N and O", gocuda.ErrNotSupported, symbol)
		}
		for d := range 3 {
			v, err := strconv.ParseFloat(f[d+1].text, 64)
			if err != nil || v-v != 0 || math.Abs(v) > maxPlace {
				return nil, x.fail(f[d+1].column, "%w: %q is no coordinate from %v to %v", gocuda.ErrInvalidValue, f[d+1].text, -maxPlace, maxPlace)
			}
			a.At[d] = v / Bohr
		}
		molecule = append(molecule, a)
	}
	for {
		f, err := x.next()
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return molecule, nil
		case err != nil:
			return nil, err
		case len(f) > 0:
			return nil, x.fail(f[0].column, "%w: more than the %d atoms of the first line, or a second molecule", gocuda.ErrNotSupported, count)
		}
	}
}

const maxPlace = 1e5 // ångström

// An xyzReader reads lines and says where something is.
type xyzReader struct {
	lines  *bufio.Scanner
	name   string
	line   int
	length int // of the line, in bytes
}

// A field is a word of a line, and its column, from 1.
type field struct {
	text   string
	column int
}

// next returns the words of the next line. At the end it is an error that wraps io.ErrUnexpectedEOF.
func (x *xyzReader) next() ([]field, error) {
	x.line++
	if !x.lines.Scan() {
		x.length = 0
		if err := x.lines.Err(); err != nil {
			return nil, x.fail(1, "%w", err)
		}
		return nil, x.fail(1, "%w: the file ends early: %w", gocuda.ErrInvalidValue, io.ErrUnexpectedEOF)
	}
	text := x.lines.Text()
	x.length = len(text)
	var fields []field
	rest, at := text, 1
	for {
		trimmed := strings.TrimLeft(rest, " \t\r")
		at += len(rest) - len(trimmed)
		if trimmed == "" {
			return fields, nil
		}
		end := strings.IndexAny(trimmed, " \t\r")
		if end < 0 {
			end = len(trimmed)
		}
		fields = append(fields, field{trimmed[:end], at})
		rest, at = trimmed[end:], at+end
	}
}

func (x *xyzReader) fail(column int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: "+format, append([]any{x.name, x.line, column}, args...)...)
}
