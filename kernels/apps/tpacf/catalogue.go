package tpacf

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// A Catalogue is points on the sky as unit vectors, one coordinate of all points after the other. X
// points to right ascension 0 and declination 0, Z to the pole.
type Catalogue[T kernels.Float] struct{ X, Y, Z []T }

// NewCatalogue makes the unit vectors of right ascensions and declinations in degrees. A right
// ascension may be any finite number, a declination is from -90 to 90.
func NewCatalogue[T kernels.Float](ra, dec []float64) (Catalogue[T], error) {
	n := len(ra)
	if err := check.Lengths("angular correlation, right ascensions and declinations", n, len(dec)); err != nil {
		return Catalogue[T]{}, err
	}
	c := Catalogue[T]{make([]T, n), make([]T, n), make([]T, n)}
	for i := range ra {
		if err := onSky(ra[i], dec[i]); err != nil {
			return Catalogue[T]{}, check.Invalid("angular correlation", "point %d: %v", i, err)
		}
		sinA, cosA := math.Sincos(math.Mod(ra[i], 360) * math.Pi / 180)
		sinD, cosD := math.Sincos(dec[i] * math.Pi / 180)
		c.X[i], c.Y[i], c.Z[i] = T(cosD*cosA), T(cosD*sinA), T(sinD)
	}
	return c, nil
}

// onSky returns an error if there is no such point.
func onSky(ra, dec float64) error {
	switch {
	case math.IsNaN(ra) || math.IsInf(ra, 0):
		return fmt.Errorf("%v degrees are no right ascension", ra)
	case !(math.Abs(dec) <= 90):
		return fmt.Errorf("a declination of %v degrees is not between -90 and 90", dec)
	}
	return nil
}

// Len returns the number of points.
func (c Catalogue[T]) Len() int { return len(c.X) }

// valid returns an error unless all points are unit vectors. More than roundings apart from that,
// products would not be cosines.
func (c Catalogue[T]) valid(what string) error {
	if len(c.Y) != len(c.X) || len(c.Z) != len(c.X) {
		return check.Invalid("angular correlation", "%s has %d, %d and %d coordinates", what, len(c.X), len(c.Y), len(c.Z))
	}
	if len(c.X) > math.MaxInt32 {
		return check.Invalid("angular correlation", "%s has %d points, more than %d", what, len(c.X), math.MaxInt32)
	}
	for i := range c.X {
		x, y, z := float64(c.X[i]), float64(c.Y[i]), float64(c.Z[i])
		if !(math.Abs(x*x+y*y+z*z-1) <= 1e-6) {
			return check.Invalid("angular correlation", "point %d of %s, (%v, %v, %v), is no unit vector", i, what, x, y, z)
		}
	}
	return nil
}

// The names of columns that are known, in small letters.
var (
	raNames  = []string{"ra", "raj2000", "ra_j2000", "_raj2000", "ra_deg", "right_ascension", "right ascension"}
	decNames = []string{"dec", "de", "dej2000", "dec_j2000", "_dej2000", "dec_deg", "declination"}
)

// ReadCSV reads right ascensions and declinations in degrees from text with commas, a point a line,
// to the end of r. Lines that begin with # are comments. The first line may name the columns: then
// those named ra and dec, or as catalogues name them else, are read, and there may be others.
// Without names they are the first two.
//
// An error begins with the name of the file, the line and the column, which is counted in bytes
// from 1, and wraps gocuda.ErrInvalidValue unless r failed.
func ReadCSV(r io.Reader, name string) (ra, dec []float64, err error) {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) { // what spreadsheets write first
		in.Discard(3)
	}
	lines := csv.NewReader(in)
	lines.Comment = '#'
	lines.FieldsPerRecord = -1
	lines.TrimLeadingSpace = true
	lines.ReuseRecord = true
	wrong := func(line, column int, format string, args ...any) error {
		return fmt.Errorf("%s:%d:%d: %w: %s", name, line, column, gocuda.ErrInvalidValue, fmt.Sprintf(format, args...))
	}
	columns := [2]int{0, 1}
	what := [2]string{"right ascension", "declination"}
	for first := true; ; first = false {
		fields, err := lines.Read()
		if err == io.EOF {
			return ra, dec, nil
		}
		if err != nil {
			var bad *csv.ParseError
			if errors.As(err, &bad) {
				return nil, nil, wrong(bad.Line, bad.Column, "%v", bad.Err)
			}
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(fields) == 1 && strings.TrimSpace(fields[0]) == "" {
			continue
		}
		if first && named(fields) {
			for k, names := range [2][]string{raNames, decNames} {
				columns[k] = slices.IndexFunc(fields, func(s string) bool {
					return slices.Contains(names, strings.ToLower(strings.TrimSpace(s)))
				})
				if columns[k] < 0 {
					line, column := lines.FieldPos(0)
					return nil, nil, wrong(line, column, "no column is named as one of the %ss: %s", what[k], strings.Join(names, ", "))
				}
			}
			continue
		}
		var at [2]float64
		for k, c := range columns {
			if c >= len(fields) {
				line, column := lines.FieldPos(len(fields) - 1)
				return nil, nil, wrong(line, column, "the line has %d columns, and the %s is column %d", len(fields), what[k], c+1)
			}
			line, column := lines.FieldPos(c)
			s := strings.TrimSpace(fields[c])
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return nil, nil, wrong(line, column, "%q is no %s in degrees", s, what[k])
			}
			at[k] = v
		}
		if err := onSky(at[0], 0); err != nil {
			line, column := lines.FieldPos(columns[0])
			return nil, nil, wrong(line, column, "%v", err)
		}
		if err := onSky(0, at[1]); err != nil {
			line, column := lines.FieldPos(columns[1])
			return nil, nil, wrong(line, column, "%v", err)
		}
		ra, dec = append(ra, at[0]), append(dec, at[1])
	}
}

// named reports whether a first line has names and no numbers.
func named(fields []string) bool {
	for _, s := range fields {
		if _, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil {
			return false
		}
	}
	// A number with a slip of the pen is an error and not a name.
	first := strings.TrimSpace(fields[0])
	return first == "" || !strings.ContainsAny(first[:1], "+-.0123456789")
}
