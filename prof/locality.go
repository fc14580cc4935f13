package prof

import (
	"slices"

	"github.com/gocuda/gocuda/gocuda/rt/warps"
	"github.com/gocuda/gocuda/prof/memsys"
)

// What the model needs to know of addresses: memory partitions that many blocks use at the same
// time, and sectors and pages that neighbouring blocks share.

// neighbours is the number of blocks, one after another in the grid, that count as running at the
// same time.
const neighbours = 64

// camps are the GPUs whose memory partitions take turns: the rule for transactions, and the number
// of partitions of 256 bytes.
var camps = [2]struct{ rule, partitions int }{{rule10, 6}, {rule12, 8}}

// place notes where the transactions of a rule go.
func (res *result) place(rule int, moves []memsys.Transaction, base uint64) {
	for i, camp := range camps {
		if camp.rule != rule {
			continue
		}
		n := uint64(camp.partitions)
		for k, m := range moves {
			if !slices.Contains(moves[:k], m) {
				res.parts[i][(m.Addr>>8%n+n-base>>8%n)%n] += m.Size
			}
		}
	}
	if rule == ruleNow {
		for _, m := range moves {
			res.sectors = append(res.sectors, int64(m.Addr>>5)-int64(base>>5))
		}
	}
}

// distinct is the bytes of the transactions of a request, repeated ones counted once.
func distinct(moves []memsys.Transaction) int {
	seen := map[memsys.Transaction]bool{}
	n := 0
	for _, m := range moves {
		if !seen[m] {
			seen[m] = true
			n += m.Size
		}
	}
	return n
}

// camp counts the bytes of a request by partition, for a group of neighbouring blocks.
func (s *Site) camp(res *result, wave int, base uint64) {
	for i, camp := range camps {
		if missing := wave + 1 - len(s.waves[i]); missing > 0 {
			s.waves[i] = append(s.waves[i], make([][8]int, missing)...)
		}
		first := int(base >> 8 % uint64(camp.partitions))
		for p, bytes := range res.parts[i][:camp.partitions] {
			s.waves[i][wave][(first+p)%camp.partitions] += bytes
		}
	}
}

func (s *Site) sumWaves() {
	for i, waves := range s.waves {
		for _, bytes := range waves {
			most := 0
			for _, n := range bytes {
				most = max(most, n)
			}
			s.Camped[i] += most
		}
	}
	s.waves = [2][][8]int{}
}

// A wave is a group of neighbouring blocks of a launch.
type wave struct {
	sectors, pages seen
	left           int // blocks that have not ended
}

// join returns the wave of a block.
func (c *collector) join(g *group, b *warps.Block) *wave {
	at := b.Index / neighbours
	w := g.waves[at]
	if w != nil {
		return w
	}
	if last := len(c.spare) - 1; last >= 0 {
		w = c.spare[last]
		c.spare = c.spare[:last]
	} else {
		w = &wave{}
	}
	all := b.Launch.Grid.Size()
	for i := at * neighbours; i < min(all, (at+1)*neighbours); i++ {
		if c.looksAt(i, all) {
			w.left++
		}
	}
	if g.waves == nil {
		g.waves = map[int]*wave{}
	}
	g.waves[at] = w
	return w
}

// quit takes a block out of its wave.
func (c *collector) quit(st *blockState) {
	if st.wave.left--; st.wave.left > 0 {
		return
	}
	delete(st.group.waves, st.index/neighbours)
	st.wave.sectors.clear()
	st.wave.pages.clear()
	c.spare = append(c.spare, st.wave)
}

// move records the sectors and pages of a request to an object, loads and stores apart.
func (w *wave) move(g *group, res *result, object uintptr, base uint64, store bool) {
	first := int64(base >> 5)
	way := int64(0)
	if store {
		way = 1
	}
	for _, n := range res.sectors {
		n += first
		if w.sectors.insert(piece{object, n<<1 | way}) {
			g.Fresh++
			if w.pages.insert(piece{object, n>>6<<1 | way}) {
				g.Pages++
			}
		}
	}
}

// seen is a set of pieces of memory: a hash table with open addressing, in which an entry without
// an object is empty.
type seen struct {
	table []piece
	count int
}

// A piece is a sector or page of an object. number is twice its number in the object, and one more
// for stores.
type piece struct {
	object uintptr
	number int64
}

func (s *seen) clear() {
	clear(s.table)
	s.count = 0
}

// insert reports whether the piece was not in the set.
func (s *seen) insert(p piece) bool {
	if 2*s.count >= len(s.table) {
		old := s.table
		s.table, s.count = make([]piece, max(256, 2*len(old))), 0
		for _, p := range old {
			if p != (piece{}) {
				s.insert(p)
			}
		}
	}
	mask := uint64(len(s.table) - 1)
	for i := (uint64(p.object) + uint64(p.number)) * 0x9e3779b97f4a7c15 >> 20 & mask; ; i = (i + 1) & mask {
		switch s.table[i] {
		case p:
			return false
		case piece{}:
			s.table[i] = p
			s.count++
			return true
		}
	}
}
