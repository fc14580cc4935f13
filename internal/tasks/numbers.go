package tasks

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"
)

// Number is the types of numbers in files.
type Number interface {
	~int32 | ~int64 | ~uint8 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Numbers are a table, row by row: see [table].
type Numbers interface {
	// line appends row i in CSV.
	line(to []byte, i int) []byte
	rows() int
	// raw writes all of it, least significant byte first.
	raw(w io.Writer) error
	// market writes the entries in Matrix Market's array form, column by column.
	market(w io.Writer) error
}

// A table is Numbers with cols numbers a row.
type table[T Number] struct {
	cols int
	v    []T
}

// column makes Numbers of a list.
func column[T Number](v []T) Numbers { return table[T]{1, v} }

func (t table[T]) rows() int {
	if t.cols == 0 {
		return 0
	}
	return len(t.v) / t.cols
}

func (t table[T]) line(to []byte, i int) []byte {
	for j, x := range t.v[i*t.cols : (i+1)*t.cols] {
		if j > 0 {
			to = append(to, ',')
		}
		to = appendNumber(to, x)
	}
	return append(to, '\n')
}

// appendNumber writes x so that reading it gives x again.
func appendNumber[T Number](to []byte, x T) []byte {
	switch any(x).(type) {
	case float32:
		return strconv.AppendFloat(to, float64(x), 'g', -1, 32)
	case float64:
		return strconv.AppendFloat(to, float64(x), 'g', -1, 64)
	case uint8, uint32, uint64:
		return strconv.AppendUint(to, uint64(x), 10)
	}
	return strconv.AppendInt(to, int64(x), 10)
}

func (t table[T]) raw(w io.Writer) error { return binary.Write(w, binary.LittleEndian, t.v) }

func (t table[T]) market(w io.Writer) error {
	out := bufio.NewWriter(w)
	kind := "integer"
	var x T
	switch any(x).(type) {
	case float32, float64:
		kind = "real"
	}
	fmt.Fprintf(out, "%%%%MatrixMarket matrix array %s general\n%d %d\n", kind, t.rows(), t.cols)
	var b []byte
	for j := range t.cols {
		for i := range t.rows() {
			b = append(appendNumber(b[:0], t.v[i*t.cols+j]), '\n')
			if _, err := out.Write(b); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// The formats of files of numbers, by the end of their name.
const formats = ".csv or .txt for text, .bin or .raw for numbers as they are in memory, least significant byte first"

// knownFormat returns an error if values can't be written to a file of this name.
func knownFormat(file string) error {
	switch ext(file) {
	case ".csv", ".txt", ".bin", ".raw", ".mtx":
		return nil
	}
	return fmt.Errorf("%s: unknown format; known are %s, and .mtx for Matrix Market", file, formats)
}

func ext(file string) string { return strings.ToLower(filepath.Ext(file)) }

// writeNumbers writes v in the format that the file's name says.
func writeNumbers(w io.Writer, file string, v Numbers) error {
	switch ext(file) {
	case ".bin", ".raw":
		return v.raw(w)
	case ".mtx":
		return v.market(w)
	}
	out := bufio.NewWriter(w)
	var b []byte
	for i := range v.rows() {
		b = v.line(b[:0], i)
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	return out.Flush()
}

// readFile reads a list of numbers from the input, in the format that its name says. All numbers of
// a text count, line by line.
func readFile[T Number](e *Env) (v []T, err error) {
	f, err := e.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	switch ext(e.In) {
	case ".csv", ".txt":
		v, _, err = readCSV[T](f, e.In)
	case ".bin", ".raw":
		v, err = readRaw[T](f, e.In)
	default:
		err = fmt.Errorf("%s: unknown format; known are %s", e.In, formats)
	}
	if err != nil {
		return nil, err
	}
	return v, e.fits(float64(len(v)))
}

// readRaw reads numbers as they are in memory.
func readRaw[T Number](r io.Reader, file string) ([]T, error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var x T
	size := int(unsafe.Sizeof(x))
	if rest := len(all) % size; rest != 0 {
		return nil, fmt.Errorf("%s: byte %d: the last number has %d of the %d bytes of a %T", file, len(all)-rest, rest, size, x)
	}
	v := make([]T, len(all)/size)
	if _, err := binary.Decode(all, binary.LittleEndian, v); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return v, nil
}

// readCSV reads numbers from text: a line has one or several, with commas between them. Blank
// lines, lines that begin with #, and a first line without any number are skipped. It returns the
// numbers of a line too, or -1 if lines have different ones. Errors begin with file, line and
// column; a column is counted in bytes from 1.
func readCSV[T Number](r io.Reader, file string) (v []T, cols int, err error) {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) { // what spreadsheets write first
		in.Discard(3)
	}
	lines := csv.NewReader(in)
	lines.Comment = '#'
	lines.FieldsPerRecord = -1
	lines.TrimLeadingSpace = true
	lines.ReuseRecord = true
	for first := true; ; first = false {
		fields, err := lines.Read()
		if err == io.EOF {
			return v, cols, nil
		}
		if err != nil {
			var bad *csv.ParseError
			if errors.As(err, &bad) {
				return nil, 0, fmt.Errorf("%s:%d:%d: %w", file, bad.Line, bad.Column, bad.Err)
			}
			return nil, 0, err
		}
		if len(fields) == 1 && strings.TrimSpace(fields[0]) == "" || first && isHeader[T](fields) {
			continue
		}
		for i, s := range fields {
			x, err := parseNumber[T](strings.TrimSpace(s))
			if err != nil {
				line, column := lines.FieldPos(i)
				return nil, 0, fmt.Errorf("%s:%d:%d: %w", file, line, column, err)
			}
			v = append(v, x)
		}
		switch {
		case len(v) == len(fields):
			cols = len(fields)
		case cols != len(fields):
			cols = -1
		}
	}
}

// isHeader reports whether no field is a number, or nearly one.
func isHeader[T Number](fields []string) bool {
	for _, s := range fields {
		if s = strings.TrimSpace(s); s == "" || strings.ContainsAny(s[:1], "+-.0123456789") {
			return false
		}
		if _, err := parseNumber[T](s); err == nil { // Inf, NaN
			return false
		}
	}
	return true
}

func parseNumber[T Number](s string) (T, error) {
	var x T
	var err error
	bits := 8 * int(unsafe.Sizeof(x))
	switch any(x).(type) {
	case float32, float64:
		var f float64
		f, err = strconv.ParseFloat(s, bits)
		x = T(f)
	case uint8, uint32, uint64:
		var u uint64
		u, err = strconv.ParseUint(s, 10, bits)
		x = T(u)
	default:
		var i int64
		i, err = strconv.ParseInt(s, 10, bits)
		x = T(i)
	}
	switch {
	case err == nil:
		return x, nil
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is out of the range of a %T", s, x)
	case s == "":
		return 0, errors.New("a number is missing")
	}
	return 0, fmt.Errorf("%q is not a number, of type %T", s, x)
}

// maxSize is the most elements that are made.
const maxSize = 1 << 30

// size returns the sizes of input that is made: those asked for, or standard. A single one asked
// for stands for all.
func (e *Env) size(standard ...int) ([]int, error) {
	s := e.Size
	switch {
	case s == nil:
		return standard, nil
	case len(s) == 1:
		one := s[0]
		s = make([]int, len(standard))
		for i := range s {
			s[i] = one
		}
	case len(s) != len(standard):
		return nil, fmt.Errorf("-size: want %d numbers, have %d", len(standard), len(s))
	}
	n := 1.0
	for _, x := range s {
		n *= float64(x)
	}
	if n > maxSize {
		return nil, fmt.Errorf("-size: %.3g elements are more than the %d that are made", n, maxSize)
	}
	if err := e.fits(n); err != nil {
		return nil, fmt.Errorf("-size: %w", err)
	}
	return s, nil
}

// numbers returns the list of numbers to work on: those of the file, or n by chance, evenly from
// [-1, 1).
func (e *Env) numbers(n int) ([]float32, error) {
	if e.In != "" {
		return readFile[float32](e)
	}
	s, err := e.size(n)
	if err != nil {
		return nil, err
	}
	return e.chance(s[0]), nil
}

// chance returns n numbers from [-1, 1). Each call in a job has other numbers.
func (e *Env) chance(n int) []float32 {
	r := e.random()
	v := make([]float32, n)
	for i := range v {
		v[i] = r.Float32()*2 - 1
	}
	return v
}

// keys returns the numbers to sort: those of the file, or n by chance.
func (e *Env) keys(n int) ([]uint32, error) {
	if e.In != "" {
		return readFile[uint32](e)
	}
	s, err := e.size(n)
	if err != nil {
		return nil, err
	}
	r := e.random()
	v := make([]uint32, s[0])
	for i := range v {
		v[i] = r.Uint32()
	}
	return v, nil
}

// bytes returns the bytes of the file, whatever it is, or n by chance, small ones more often than
// large ones.
func (e *Env) bytes(n int) ([]byte, error) {
	if e.In != "" {
		f, err := e.open()
		if err != nil {
			return nil, err
		}
		defer f.Close()
		v, err := io.ReadAll(f)
		if err != nil {
			return nil, err
		}
		return v, e.fits(float64(len(v)))
	}
	s, err := e.size(n)
	if err != nil {
		return nil, err
	}
	r := e.random()
	v := make([]byte, s[0])
	for i := range v {
		v[i] = byte(r.Uint32() & r.Uint32())
	}
	return v, nil
}

// random returns a generator. Each in a job has another sequence.
func (e *Env) random() *rand.Rand {
	e.Seed++
	return rand.New(rand.NewPCG(e.Seed, 0x60c0da))
}

// near returns an error unless all of got are within tolerance of want.
func near[T ~float32 | ~float64](got, want []T, tolerance float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d numbers, want %d", len(got), len(want))
	}
	for i, w := range want {
		if g := got[i]; math.Abs(float64(g)-float64(w)) > tolerance || math.IsNaN(float64(g)) != math.IsNaN(float64(w)) {
			return fmt.Errorf("number %d is %v, want %v within %.3g", i, g, w, tolerance)
		}
	}
	return nil
}

// same returns an error unless got and want are the same.
func same[T comparable](got, want []T) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d numbers, want %d", len(got), len(want))
	}
	for i, w := range want {
		if got[i] != w {
			return fmt.Errorf("number %d is %v, want %v", i, got[i], w)
		}
	}
	return nil
}

// largest returns the largest magnitude in v, or 0.
func largest(v []float32) float64 {
	m := 0.0
	for _, x := range v {
		m = max(m, math.Abs(float64(x)))
	}
	return m
}
