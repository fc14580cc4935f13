package page

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/prof"
	"github.com/gocuda/gocuda/prof/memsys"
)

// Pictures are made of cells, in units of the template.
const (
	cell    = 11
	lanes   = memsys.Lanes
	marginX = 92 // for what a row is
	marginY = 16
)

// A box is a filled cell.
type box struct {
	X, Y, W, H int
	Class      string
	Title      string
}

// A label is text beside a row or column.
type label struct {
	X, Y int
	Text string
	End  bool // it ends at X
}

// A picture is drawn as SVG.
type picture struct {
	Width, Height int
	Boxes         []box
	Labels        []label
	Alt           string
}

// siteMaps are the pictures of a site.
type siteMaps struct {
	*prof.Site
	ID      string
	Figures string // of the whole site
	Maps    []siteMap
}

type siteMap struct {
	Caption string
	picture
}

func (s siteMaps) Place() string { return fmt.Sprintf("%s:%d", path.Base(s.File), s.Line) }

func mapsOf(g prof.GPU, s *prof.Site) siteMaps {
	v := siteMaps{Site: s, ID: fmt.Sprintf("s%d%s%s", s.ID, s.Kind, s.Space), Figures: figures(g, s)}
	for _, p := range s.Samples {
		q := memsys.Request{Active: p.Active, Size: p.Word, Store: s.Kind != "load"}
		for lane, a := range p.Addr {
			q.Addr[lane] = uint64(a) &^ uint64(p.Word-1)
		}
		m := siteMap{}
		what := ""
		if s.Space == prof.SpaceShared {
			m.picture, what = bankMap(g, q)
		} else {
			m.picture, what = accessMap(g, q)
		}
		m.Caption = fmt.Sprintf("warp %d, round %d: %s", p.Warp, p.Round, what)
		m.Alt = m.Caption
		v.Maps = append(v.Maps, m)
	}
	return v
}

// figures says what the requests of a site come to.
func figures(g prof.GPU, s *prof.Site) string {
	if s.Space == prof.SpaceShared {
		p := s.Passes(g)
		return fmt.Sprintf("%s a request, %d by conflicts", several(ratio(p.Passes, s.Requests), "pass", "passes"), p.Passes-p.Ideal)
	}
	t := s.Traffic(g)
	unit := g.Unit(s.Kind != "load")
	return several(ratio(t.Transactions, s.Requests), strings.TrimSuffix(unit, "s"), unit) + " a request"
}

// A row is a transaction and the lanes that it serves.
type row struct {
	memsys.Transaction
	lanes uint32
}

// rowsOf returns the transactions of a request, group of lanes by group, in the order of addresses.
func rowsOf(g prof.GPU, q memsys.Request) ([]row, error) {
	together := lanes
	switch g.Capability.Major {
	case 1:
		together = lanes / 2
	case 2, 3:
		together = min(lanes, 4*lanes/q.Size)
	}
	var rows []row
	for from := 0; from < lanes; from += together {
		part := q
		part.Active &= uint32(uint64(1)<<together-1) << from
		t, err := g.Coalesce(part)
		if err != nil {
			return nil, err
		}
		// On 1.0 and 1.1 each lane of a request that is not coalesced has a transaction of its own.
		alone := g.Capability.Major == 1 && g.Capability.Minor < 2 && len(t.Transactions) > 0 && t.Transactions[0].Size == 32
		var group []row
		waiting := part.Active
		for _, move := range t.Transactions {
			r := row{Transaction: move}
			for m := waiting; m != 0; m &= m - 1 {
				lane := bits.TrailingZeros32(m)
				if a := q.Addr[lane]; a < move.Addr+uint64(move.Size) && a+uint64(q.Size) > move.Addr {
					r.lanes |= 1 << lane
					if alone {
						waiting &^= 1 << lane
						break
					}
				}
			}
			group = append(group, r)
		}
		slices.SortStableFunc(group, func(a, b row) int { return cmp.Compare(a.Addr, b.Addr) })
		rows = append(rows, group...)
	}
	return rows, nil
}

// used is the number of bytes of a transaction that lanes ask for.
func (r row) used(q memsys.Request) int {
	bytes := map[uint64]bool{}
	for m := r.lanes; m != 0; m &= m - 1 {
		a := q.Addr[bits.TrailingZeros32(m)]
		for b := max(a, r.Addr); b < min(a+uint64(q.Size), r.Addr+uint64(r.Size)); b++ {
			bytes[b] = true
		}
	}
	return len(bytes)
}

// accessMap has a column for each lane and a row for each transaction.
func accessMap(g prof.GPU, q memsys.Request) (picture, string) {
	rows, err := rowsOf(g, q)
	if err != nil {
		return picture{}, err.Error()
	}
	p := frame(len(rows), "lane")
	moved := 0
	for i, r := range rows {
		moved += r.Size
		y := marginY + i*cell
		p.Labels = append(p.Labels,
			label{X: marginX - 4, Y: y + cell - 1, Text: fmt.Sprintf("byte %d", r.Addr), End: true},
			label{X: marginX + lanes*cell + 4, Y: y + cell - 1, Text: fmt.Sprintf("%d of %d bytes used", r.used(q), r.Size)})
		for m := r.lanes; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			p.Boxes = append(p.Boxes, box{marginX + lane*cell, y, cell - 1, cell - 1, "hit", fmt.Sprintf("lane %d, byte %d", lane, q.Addr[lane])})
		}
	}
	p.Width += 110
	unit := strings.TrimSuffix(g.Unit(q.Store), "s")
	return p, fmt.Sprintf("%s, %d bytes moved of %d asked for", plural(len(rows), unit, unit+"s"), moved, q.Useful())
}

// bankMap has a column for each lane and a row for each bank.
func bankMap(g prof.GPU, q memsys.Request) (picture, string) {
	s, err := g.Bank(q)
	if err != nil {
		return picture{}, err.Error()
	}
	banks := g.Banks()
	p := frame(banks, "lane")
	words := make([]map[uint64]bool, banks)
	for lane := range lanes {
		if q.Active>>lane&1 == 0 {
			continue
		}
		for w := q.Addr[lane] / 4; w <= (q.Addr[lane]+uint64(q.Size)-1)/4; w++ {
			b := int(w % uint64(banks))
			if words[b] == nil {
				words[b] = map[uint64]bool{}
			}
			words[b][w] = true
			p.Boxes = append(p.Boxes, box{marginX + lane*cell, marginY + b*cell, cell - 1, cell - 1, "hit", fmt.Sprintf("lane %d, word %d", lane, w)})
		}
	}
	for b, w := range words {
		y := marginY + b*cell
		p.Labels = append(p.Labels, label{X: marginX - 4, Y: y + cell - 1, Text: fmt.Sprintf("bank %d", b), End: true})
		if len(w) > 0 {
			p.Labels = append(p.Labels, label{X: marginX + lanes*cell + 4, Y: y + cell - 1, Text: plural(len(w), "word", "words")})
		}
	}
	p.Width += 60
	return p, plural(s.Passes, "pass", "passes") + fmt.Sprintf(", %d without conflicts", s.Ideal)
}

func plural(n int, one, more string) string { return several(float64(n), one, more) }

func several(n float64, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + more
}

// frame is a picture with a column for each lane and so many rows.
func frame(rows int, column string) picture {
	p := picture{Width: marginX + lanes*cell + 4, Height: marginY + rows*cell + 2}
	p.Boxes = append(p.Boxes, box{marginX - 1, marginY - 1, lanes*cell + 1, rows*cell + 1, "field", ""})
	for lane := 0; lane < lanes; lane += 8 {
		p.Labels = append(p.Labels, label{X: marginX + lane*cell, Y: marginY - 4, Text: fmt.Sprint(column, " ", lane)})
	}
	return p
}

// heatMap is the cells of a buffer, in rows.
type heatMap struct {
	*prof.Buffer
	Reads, Writes, Shared picture
	MostRead, MostWritten int
	Several               int // cells that more than one block accesses
}

const heatColumns = 64

func heatOf(b *prof.Buffer) heatMap {
	v := heatMap{Buffer: b, MostRead: slices.Max(b.Reads), MostWritten: slices.Max(b.Writes)}
	v.Reads = cells(b, b.Reads, v.MostRead, "read", "reads")
	v.Writes = cells(b, b.Writes, v.MostWritten, "write", "writes")
	v.Shared = cells(b, b.Blocks, 2, "several", "blocks, 2 for more")
	for _, n := range b.Blocks {
		if n > 1 {
			v.Several++
		}
	}
	return v
}

func (h heatMap) Cells() int { return len(h.Buffer.Blocks) }

// cells draws counts, of which none is above most, as boxes of eight strengths.
func cells(b *prof.Buffer, counts []int, most int, class, what string) picture {
	const size = 5
	rows := (len(counts) + heatColumns - 1) / heatColumns
	p := picture{Width: heatColumns*size + 2, Height: rows*size + 2, Alt: what + " of " + b.Name}
	p.Boxes = append(p.Boxes, box{0, 0, p.Width, p.Height, "field", ""})
	for i, n := range counts {
		if n == 0 {
			continue
		}
		strength := int(math.Ceil(8 * float64(n) / float64(most)))
		p.Boxes = append(p.Boxes, box{1 + i%heatColumns*size, 1 + i/heatColumns*size, size - 1, size - 1, fmt.Sprint(class, " q", strength), fmt.Sprintf("bytes %d to %d: %d %s", i*b.Unit, (i+1)*b.Unit-1, n, what)})
	}
	return p
}

// maskMap is the lanes of a warp, an instruction a row.
type maskMap struct {
	picture
	Steps int
}

func maskOf(steps []prof.Step) maskMap {
	const row, left = 12, 330
	m := maskMap{Steps: len(steps)}
	m.Width, m.Height = left+lanes*cell+4, marginY+len(steps)*row+2
	for lane := 0; lane < lanes; lane += 8 {
		m.Labels = append(m.Labels, label{X: left + lane*cell, Y: marginY - 4, Text: fmt.Sprint("lane ", lane)})
	}
	for i, s := range steps {
		y := marginY + i*row
		m.Labels = append(m.Labels, label{X: left - 6, Y: y + 9, End: true, Text: shorten(fmt.Sprintf("%s:%d %s %s", path.Base(s.File), s.Line, s.Kind, s.Text), 52)})
		for lane := range lanes {
			class := "off"
			switch {
			case s.Active>>lane&1 == 0:
			case s.Taken>>lane&1 != 0:
				class = "hit"
			case s.Taken != 0:
				class = "other"
			default:
				class = "hit"
			}
			m.Boxes = append(m.Boxes, box{left + lane*cell, y, cell - 1, row - 2, class, ""})
		}
	}
	m.Alt = "active lanes by instruction"
	return m
}

func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
