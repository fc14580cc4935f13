package judge

import (
	"fmt"
	"html"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/prof/memsys"
)

// PictureVariable is the environment variable that names the file for a picture of the accesses
// that are counted.
const PictureVariable = "GOCUDA_LEARN_PICTURE"

// Sizes of a picture, in pixels.
const (
	cell        = 22 // a lane, a sector or a bank
	left        = 20
	panelHeight = 190
	panelsMost  = 12
)

// A panel is the request of a place that is drawn: the one that takes most sectors or passes, of
// equal ones the first.
type panel struct {
	r     *request
	where requestKey
	cost  float64
}

// panels returns a panel for each place with accesses of global or shared memory, by the places'
// order in the source.
func (k *Counts) panels() []panel {
	best := map[int]panel{} // by site, and loads and stores apart
	for key, r := range k.requests {
		p := panel{r: r, where: key}
		switch {
		case r.space == global:
			p.cost = k.sectors(r)
		case r.space == shared:
			p.cost = float64(k.passes(r).Passes)
		default:
			continue
		}
		at := 2 * r.site
		if r.Store {
			at++
		}
		if old, ok := best[at]; !ok || p.cost > old.cost || p.cost == old.cost && before(key, old.where) {
			best[at] = p
		}
	}
	var all []panel
	for _, at := range sortedKeys(best) {
		all = append(all, best[at])
	}
	return all[:min(len(all), panelsMost)]
}

func sortedKeys[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// before reports whether a comes before b: by block, warp and round.
func before(a, b requestKey) bool {
	if a.block != b.block {
		return a.block < b.block
	}
	if a.warp != b.warp {
		return a.warp < b.warp
	}
	return a.visit < b.visit
}

// draw writes an SVG with a panel for each place: the 32 lanes of a warp, and which sectors or
// banks they use.
func (k *Counts) draw(w io.Writer) error {
	panels := k.panels()
	var b strings.Builder
	width := 2*left + 34*cell
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n", width, max(len(panels), 1)*panelHeight+20)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/>`+"\n")
	if len(panels) == 0 {
		fmt.Fprintf(&b, `<text x="%d" y="30">The kernel has accessed no memory.</text>`+"\n", left)
	}
	for i, p := range panels {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", left, 20+i*panelHeight)
		k.drawPanel(&b, p)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (k *Counts) drawPanel(b *strings.Builder, p panel) {
	kind := "loads"
	if p.r.Store {
		kind = "stores"
	}
	if p.r.atomic {
		kind = "atomics"
	}
	what := fmt.Sprintf("%g sectors of 32 bytes of global memory", p.cost)
	if p.r.space == shared {
		what = fmt.Sprintf("%g passes over the banks of shared memory", p.cost)
	}
	fmt.Fprintf(b, `<text y="0" font-weight="bold">%s %s: %s</text>`+"\n", html.EscapeString(k.place(p.r.site)), kind, what)
	fmt.Fprintf(b, `<text y="14" fill="#666">the worst one: block %d, warp %d, round %d</text>`+"\n", p.where.block, p.where.warp, p.where.visit)

	// Which column of the lower row an access goes to, and the lower row's labels.
	var labels []string
	var columns func(addr uint64) []int
	if p.r.space == shared {
		banks := 32
		if k.capability.Major == 1 {
			banks = 16
		}
		for i := range banks {
			labels = append(labels, fmt.Sprint(i))
		}
		columns = func(addr uint64) (to []int) {
			for a := addr; a < addr+uint64(p.r.Size); a += 4 {
				to = append(to, int(a/4)%banks)
			}
			return to
		}
	} else {
		seen := map[uint64]bool{}
		for lane := range memsys.Lanes {
			if p.r.Active>>lane&1 != 0 {
				for s := p.r.Addr[lane] / 32; s <= (p.r.Addr[lane]+uint64(p.r.Size)-1)/32; s++ {
					seen[s] = true
				}
			}
		}
		var sectors []uint64
		for s := range seen {
			sectors = append(sectors, s)
		}
		slices.Sort(sectors)
		for _, s := range sectors {
			labels = append(labels, fmt.Sprintf("+%d", (s-sectors[0])*32))
		}
		columns = func(addr uint64) (to []int) {
			for s := addr / 32; s <= (addr+uint64(p.r.Size)-1)/32; s++ {
				i, _ := slices.BinarySearch(sectors, s)
				to = append(to, i)
			}
			return to
		}
	}

	const lanesAt, targetsAt = 24, 120
	lower := float64(34*cell) / float64(max(len(labels), 34))
	uses := make([]map[uint64]bool, len(labels)) // distinct words at each bank
	for lane := range memsys.Lanes {
		x := lane * cell
		fill := "#eee"
		if p.r.Active>>lane&1 != 0 {
			fill = "#bcd9f7"
			for _, c := range columns(p.r.Addr[lane]) {
				if uses[c] == nil {
					uses[c] = map[uint64]bool{}
				}
				uses[c][p.r.Addr[lane]/4] = true
				fmt.Fprintf(b, `<line x1="%d" y1="%d" x2="%.1f" y2="%d" stroke="#4477aa" stroke-opacity="0.6"/>`+"\n", x+cell/2, lanesAt+cell, (float64(c)+0.5)*lower, targetsAt)
			}
		}
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="#888"/><text x="%d" y="%d" text-anchor="middle">%d</text>`+"\n",
			x, lanesAt, cell-2, cell, fill, x+cell/2-1, lanesAt+15, lane)
	}
	for i, label := range labels {
		fill := "#f4e3b2"
		if p.r.space == shared {
			switch n := len(uses[i]); {
			case n == 0:
				fill = "#eee"
			case n > 1:
				fill = "#f2a5a5" // a conflict
			}
		}
		x := float64(i) * lower
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s" stroke="#888"/>`, x, targetsAt, lower-1, cell, fill)
		fmt.Fprintf(b, `<text transform="translate(%.1f %d) rotate(60)" font-size="8">%s</text>`+"\n", x+lower/2-3, targetsAt+cell+6, label)
	}
}

// picture writes the picture, if one is asked for.
func (k *Counts) picture() error {
	name := os.Getenv(PictureVariable)
	if name == "" {
		return nil
	}
	var b strings.Builder
	if err := k.draw(&b); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(b.String()), 0o666)
}
