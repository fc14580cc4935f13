package lbm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// A Kind is what a cell is.
type Kind uint8

// The kinds of cells.
const (
	Fluid Kind = iota
	Solid
	Lid // fluid that the collision gives the velocity of the lid
)

// A Geometry is a box of X by Y by Z cells. Cell (x, y, z) is Cells[(z*Y+y)*X+x].
type Geometry struct {
	X, Y, Z int
	Cells   []Kind
}

// maxCells is the most cells of a box, ghosts included: the copies of ghosts have indices of 32 bits.
const maxCells = math.MaxInt32

// bytesPerCell is what [New] and the slices of the caller take for a cell, with ghosts: two copies
// of the populations, the bits of a cell, and what the caller has.
const bytesPerCell = 2*4*directions + 4 + 1

// Validate returns an error unless the sizes are positive and fit Cells, and all cells are of known
// kinds.
func (g *Geometry) Validate() error {
	if err := validSize(g.X, g.Y, g.Z); err != nil {
		return err
	}
	if len(g.Cells) != g.X*g.Y*g.Z {
		return check.Invalid("LBM", "%d by %d by %d cells in a slice of length %d", g.X, g.Y, g.Z, len(g.Cells))
	}
	for i, k := range g.Cells {
		if k > Lid {
			return check.Invalid("LBM", "cell %d is of kind %d", i, k)
		}
	}
	return nil
}

// validSize returns an error unless x by y by z cells are a possible box.
func validSize(x, y, z int) error {
	if x < 1 || y < 1 || z < 1 || x > maxCells || y > maxCells || z > maxCells {
		return check.Invalid("LBM", "a box of %d by %d by %d cells", x, y, z)
	}
	cells := (float64(x) + 2) * (float64(y) + 2) * (float64(z) + 2)
	if cells > maxCells {
		return check.Invalid("LBM", "a box of %d by %d by %d cells, more than 32 bits can count", x, y, z)
	}
	return host.Need(cells*bytesPerCell, fmt.Sprintf("a box of %d by %d by %d cells", x, y, z))
}

// Cavity returns a box of which the outermost cells are solid, with a lid below the top one: the
// second layer from above in z. As in 470.lbm a cell of fluid is between the lid and the walls at
// its sides, where it would press into them.
func Cavity(x, y, z int) (Geometry, error) {
	if err := validSize(x, y, z); err != nil {
		return Geometry{}, err
	}
	g := Geometry{x, y, z, make([]Kind, x*y*z)}
	for i := range g.Cells {
		cx, cy, cz := i%x, i/x%y, i/(x*y)
		switch {
		case cx == 0 || cx == x-1 || cy == 0 || cy == y-1 || cz == 0 || cz == z-1:
			g.Cells[i] = Solid
		case cz == z-2 && cx > 1 && cx < x-2 && cy > 1 && cy < y-2:
			g.Cells[i] = Lid
		}
	}
	return g, nil
}

// Standard is the flow of 470.lbm.
var Standard = Flow{Omega: 1.95, Lid: kernels.Vec3[float32]{X: 0.005, Y: 0.002}}

// Read reads a geometry and its flow, in the format that the package comment describes. What the
// file does not say of the flow is as in [Standard]. Errors begin with name, line and column, which
// counts bytes from 1, and wrap gocuda.ErrInvalidValue.
func Read(r io.Reader, name string) (Geometry, Flow, error) {
	in := reader{name: name, lines: bufio.NewScanner(r), flow: Standard}
	in.lines.Buffer(nil, 1<<24) // the longest line
	if err := in.read(); err != nil {
		return Geometry{}, Flow{}, err
	}
	return in.g, in.flow, nil
}

// A reader reads one file.
type reader struct {
	name  string
	lines *bufio.Scanner
	line  int
	g     Geometry
	flow  Flow
}

// wrong returns an error at a column of the line in hand.
func (r *reader) wrong(column int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w: %s", r.name, r.line, column, gocuda.ErrInvalidValue, fmt.Sprintf(format, args...))
}

// A word is a part of a line, with the column where it begins.
type word struct {
	text   string
	column int
}

// next returns the next line that is neither blank nor a comment, and its words. At the end of the
// file there are none.
func (r *reader) next() (text string, words []word, err error) {
	for r.lines.Scan() {
		r.line++
		text = strings.TrimRight(r.lines.Text(), " \t\r")
		if strings.HasPrefix(text, ";") || text == "" {
			continue
		}
		at := 0
		for _, f := range strings.Fields(text) {
			at += strings.Index(text[at:], f)
			words = append(words, word{f, at + 1})
			at += len(f)
			if len(words) > 8 {
				break // no line has so many
			}
		}
		return text, words, nil
	}
	r.line++
	if err := r.lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return "", nil, r.wrong(1, "the line is too long")
	} else if err != nil {
		return "", nil, fmt.Errorf("%s:%d:1: %w", r.name, r.line, err)
	}
	return "", nil, nil
}

func (r *reader) read() error {
	_, words, err := r.next()
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return r.wrong(1, "the file ends before the size")
	}
	if words[0].text != "size" {
		return r.wrong(words[0].column, "%q in the place of the size", words[0].text)
	}
	var size [3]int
	if err := r.counts(words, size[:]); err != nil {
		return err
	}
	r.g.X, r.g.Y, r.g.Z = size[0], size[1], size[2]
	if err := validSize(r.g.X, r.g.Y, r.g.Z); err != nil {
		return fmt.Errorf("%s:%d:%d: %w", r.name, r.line, words[1].column, err)
	}
	times, y := 1, 0
	for {
		text, words, err := r.next()
		if err != nil {
			return err
		}
		if len(words) == 0 {
			break
		}
		layers := len(r.g.Cells) / (r.g.X * r.g.Y)
		switch first := words[0]; first.text {
		case "omega", "lid", "force":
			if len(r.g.Cells) > 0 {
				return r.wrong(first.column, "%s comes before the layers", first.text)
			}
			if err := r.setting(words); err != nil {
				return err
			}
		case "times":
			if y > 0 {
				return r.wrong(first.column, "times in the middle of a layer")
			}
			var n [1]int
			if err := r.counts(words, n[:]); err != nil {
				return err
			}
			if times = n[0]; times > r.g.Z-layers {
				return r.wrong(words[1].column, "%d layers more are more than %d in all", times, r.g.Z)
			}
		default:
			if layers >= r.g.Z {
				return r.wrong(1, "more than %d layers", r.g.Z)
			}
			if err := r.row(text); err != nil {
				return err
			}
			if y++; y == r.g.Y {
				layer := r.g.Cells[len(r.g.Cells)-r.g.X*r.g.Y:]
				for ; times > 1; times-- {
					r.g.Cells = append(r.g.Cells, layer...)
				}
				y = 0
			}
		}
	}
	if y > 0 {
		return r.wrong(1, "the file ends after %d of the %d lines of a layer", y, r.g.Y)
	}
	if layers := len(r.g.Cells) / (r.g.X * r.g.Y); layers < r.g.Z {
		return r.wrong(1, "the file ends after %d of %d layers", layers, r.g.Z)
	}
	return nil
}

// counts reads as many positive numbers as to has places, behind the first word.
func (r *reader) counts(words []word, to []int) error {
	if len(words) != 1+len(to) {
		return r.wrong(words[0].column, "%s has %d numbers, want %d", words[0].text, len(words)-1, len(to))
	}
	for i, w := range words[1:] {
		n, err := strconv.ParseInt(w.text, 10, 32)
		if err != nil || n < 1 {
			return r.wrong(w.column, "%q is no number from 1 to %d", w.text, math.MaxInt32)
		}
		to[i] = int(n)
	}
	return nil
}

// setting reads a line of the flow.
func (r *reader) setting(words []word) error {
	want := map[string][]*float32{
		"omega": {&r.flow.Omega},
		"lid":   {&r.flow.Lid.X, &r.flow.Lid.Y, &r.flow.Lid.Z},
		"force": {&r.flow.Force.X, &r.flow.Force.Y, &r.flow.Force.Z},
	}[words[0].text]
	if len(words) != 1+len(want) {
		return r.wrong(words[0].column, "%s has %d numbers, want %d", words[0].text, len(words)-1, len(want))
	}
	for i, w := range words[1:] {
		v, err := strconv.ParseFloat(w.text, 32)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return r.wrong(w.column, "%q is no number", w.text)
		}
		*want[i] = float32(v)
	}
	if o := r.flow.Omega; !(o >= 0 && o < 2) {
		return r.wrong(words[1].column, "omega %v is not from 0 to below 2", o)
	}
	return nil
}

// row reads a line of cells.
func (r *reader) row(text string) error {
	for i := range len(text) {
		if i == r.g.X {
			return r.wrong(i+1, "more than %d cells in a line", r.g.X)
		}
		k, ok := map[byte]Kind{'.': Fluid, '#': Solid, '~': Lid}[text[i]]
		if !ok {
			return r.wrong(i+1, "%q is neither . nor # nor ~", text[i])
		}
		r.g.Cells = append(r.g.Cells, k)
	}
	if len(text) < r.g.X {
		return r.wrong(len(text)+1, "the line ends after %d of %d cells", len(text), r.g.X)
	}
	return nil
}
