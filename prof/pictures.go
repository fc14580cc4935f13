package prof

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/gocuda/rt/warps"
)

// Limits of the data that pictures are drawn of. It is recorded only with Settings.Pictures.

const (
	mostSamples = 8    // of a site
	mostSteps   = 256  // of a launch
	mostCells   = 1024 // of a buffer
)

// A Sample is one request of a site, as it was.
type Sample struct {
	Warp   int    // of block 0
	Round  int    // of the innermost loop, from 0
	Active uint32 // lanes
	Word   int    // bytes a lane
	Addr   []int  // in bytes from the start of the array, by lane; 0 for those that are not active
}

// A Step is one instruction of warp 0 of block 0.
type Step struct {
	File   string
	Line   int
	Kind   string // as of [Site]
	Text   string
	Active uint32 // lanes
	Taken  uint32 `json:",omitempty"` // of branches: those for which the condition holds
}

// A Buffer is the accesses to an array in device memory, by cells of Unit bytes from its start.
type Buffer struct {
	Name   string // what the source calls it where it is first accessed
	Unit   int    // bytes a cell: a power of two
	Reads  []int  // of lanes
	Writes []int
	Blocks []int // 0: no block, 1: one, 2: several
	owner  []int // block of a cell that only one has accessed
	site   int   // the first one
	count  int   // accesses by that, to order buffers of one site
}

// sample keeps the first requests of the lowest warp of block 0 that comes to the site.
func (s *Site) sample(r *warps.Request, base uint64, rel *[32]int64, word int) {
	if len(s.Samples) > 0 && s.Samples[0].Warp > r.Warp {
		s.Samples = nil
	}
	if len(s.Samples) == mostSamples || len(s.Samples) > 0 && s.Samples[0].Warp < r.Warp {
		return
	}
	p := Sample{Warp: r.Warp, Round: r.Round, Active: r.Active, Word: word, Addr: make([]int, 32)}
	lowest := bits.TrailingZeros32(r.Active)
	for m := r.Active; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if rel != nil {
			p.Addr[lane] = int(int64(base) + rel[lane])
		} else {
			p.Addr[lane] = int(int64(base) + int64(r.Stride*(lane-lowest)))
		}
	}
	s.Samples = append(s.Samples, p)
}

// step notes an instruction if it is one of warp 0 of block 0.
func (c *collector) step(st *blockState, warp, site int, kind string, active, taken uint32) {
	if !st.first || warp != 0 || len(st.group.Steps) == mostSteps {
		return
	}
	t := &c.table.Sites[site]
	st.group.Steps = append(st.group.Steps, Step{t.File, t.Line, kind, t.Text, active, taken})
}

// heat counts the accesses of a request in the buffers.
func (c *collector) heat(st *blockState, r *warps.Request, size int, read, write bool) {
	g := st.group
	if g.heat == nil {
		g.heat = map[uintptr]*Buffer{}
	}
	for m := r.Active; m != 0; m &= m - 1 {
		a := r.At(bits.TrailingZeros32(m))
		from := c.found[r.Site].base
		if f := c.found[r.Site]; from == 0 || a < f.low || a > f.high {
			from = c.objectOf(a)
		}
		b := g.heat[from]
		if b == nil {
			b = &Buffer{Unit: 4, site: r.Site}
			g.heat[from] = b
		}
		if r.Site < b.site {
			b.site, b.count = r.Site, 0
		}
		if r.Site == b.site {
			b.count++
		}
		b.access(int(a-from), size, st.index, read, write)
	}
}

// access counts one access of a lane to the bytes [at, at+size).
func (b *Buffer) access(at, size, block int, read, write bool) {
	for (at+size-1)/b.Unit >= mostCells {
		b.coarsen()
	}
	for cell := at / b.Unit; cell <= (at+size-1)/b.Unit; cell++ {
		b.grow(cell + 1)
		if read {
			b.Reads[cell]++
		}
		if write {
			b.Writes[cell]++
		}
		switch {
		case b.Blocks[cell] == 0:
			b.Blocks[cell], b.owner[cell] = 1, block
		case b.owner[cell] != block:
			b.Blocks[cell] = 2
		}
	}
}

func (b *Buffer) grow(n int) {
	for _, p := range []*[]int{&b.Reads, &b.Writes, &b.Blocks, &b.owner} {
		if missing := n - len(*p); missing > 0 {
			*p = append(*p, make([]int, missing)...)
		}
	}
}

// coarsen doubles the size of the cells.
func (b *Buffer) coarsen() {
	n := len(b.Reads)
	b.grow(n + n%2)
	for i := range (n + 1) / 2 {
		b.Reads[i] = b.Reads[2*i] + b.Reads[2*i+1]
		b.Writes[i] = b.Writes[2*i] + b.Writes[2*i+1]
		x, y := 2*i, 2*i+1
		if b.Blocks[x] == 0 {
			x, y = y, x
		}
		b.Blocks[i], b.owner[i] = b.Blocks[x], b.owner[x]
		if b.Blocks[y] == 2 || b.Blocks[y] == 1 && b.owner[y] != b.owner[x] {
			b.Blocks[i] = 2
		}
	}
	n = (n + 1) / 2
	b.Reads, b.Writes, b.Blocks, b.owner = b.Reads[:n], b.Writes[:n], b.Blocks[:n], b.owner[:n]
	b.Unit *= 2
}

// merge adds the counts of another buffer, whose blocks are those of another launch.
func (b *Buffer) merge(o *Buffer) {
	o = o.clone()
	for b.Unit < o.Unit {
		b.coarsen()
	}
	for o.Unit < b.Unit {
		o.coarsen()
	}
	b.grow(len(o.Reads))
	for i := range o.Reads {
		b.Reads[i] += o.Reads[i]
		b.Writes[i] += o.Writes[i]
		b.Blocks[i] = max(b.Blocks[i], o.Blocks[i])
	}
}

func (b *Buffer) clone() *Buffer {
	n := *b
	n.Reads, n.Writes, n.Blocks, n.owner = slices.Clone(b.Reads), slices.Clone(b.Writes), slices.Clone(b.Blocks), slices.Clone(b.owner)
	n.grow(len(n.Reads)) // those that were read from a file have no owners
	return &n
}

// buffers returns what was counted by object, those with one name added up.
func (c *collector) buffers(g *group) []*Buffer {
	var all []*Buffer
	for _, b := range g.heat {
		b.Name = nameOf(c.table.Sites[b.site].Text)
		all = append(all, b)
	}
	// The order does not use addresses, which differ from run to run.
	slices.SortFunc(all, func(a, b *Buffer) int {
		return cmp.Or(a.site-b.site, b.count-a.count, len(b.Reads)*b.Unit-len(a.Reads)*a.Unit, slices.Compare(a.Reads, b.Reads), slices.Compare(a.Writes, b.Writes))
	})
	var out []*Buffer
	for _, b := range all {
		out = addBuffer(out, b)
	}
	return out
}

func addBuffer(to []*Buffer, b *Buffer) []*Buffer {
	for _, o := range to {
		if o.Name == b.Name {
			o.merge(b)
			return to
		}
	}
	return append(to, b.clone())
}

// nameOf returns the array of an expression such as out[i].x.
func nameOf(text string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(text, "*&("), "[")
	return name
}

// compareSamples orders the samples of a site, so that those of concurrent launches don't depend on
// which ends first.
func compareSamples(a, b []Sample) int {
	return slices.CompareFunc(a, b, func(a, b Sample) int {
		return cmp.Or(a.Warp-b.Warp, a.Round-b.Round, cmp.Compare(b.Active, a.Active), a.Word-b.Word, slices.Compare(a.Addr, b.Addr))
	})
}

func compareSteps(a, b []Step) int {
	return slices.CompareFunc(a, b, func(a, b Step) int {
		return cmp.Or(cmp.Compare(b.Active, a.Active), cmp.Compare(b.Taken, a.Taken), a.Line-b.Line, cmp.Compare(a.Text, b.Text))
	})
}
