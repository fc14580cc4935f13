package compiler

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Tiles: rounds of a loop that copy tiles from global to shared memory and then add up products of what these have. Within them
// nobody else reads the tiles, so all rounds but the last one can read where they come from, and keep their sums in registers:
// a product of 1024 by 1024 takes the time of one without tiles. The last round is as written and leaves the tiles as all rounds would.

var (
	filled   = regexp.MustCompile(`^vec\.CopyRowsOnce\((.*)\)$`)
	sumCall  = regexp.MustCompile(`\bvec\.((?:Add)?Products\w+)\(`)
	harmless = regexp.MustCompile(`^(for|if|} else) .*{$|^}$|^var \w+ \w+$|^\w+ := |^(\w+) = max\(\w+, \w+\)$|^vec\.(Add)?Products\w+\(`)
)

// A phase is what a round does up to a barrier, as text.
type phase struct {
	text   string
	filled bool // it copies from global to shared memory, and has no products
}

// throughTiles prints the rounds that can be done at once, without the last one, if phases are those of a product in tiles. What follows goes on with
// the round whose variable round has.
func (b *body) throughTiles(phases []phase, round, last, by string) (text string, ok bool) {
	products := slices.IndexFunc(phases, func(p phase) bool { return !p.filled })
	if products <= 0 || slices.ContainsFunc(phases[products:], func(p phase) bool { return p.filled }) {
		return "", false
	}
	tiles, sums := "", ""
	for _, p := range phases[:products] {
		for line := range strings.Lines(p.text) {
			m := filled.FindStringSubmatch(strings.TrimSpace(line))
			if m == nil {
				return "", false // a tile that is the same in each round
			}
			tiles += fmt.Sprintf("vec.TileOf(%s),\n", m[1])
		}
	}
	for _, p := range phases[products:] {
		sums += p.text
	}
	for line := range strings.Lines(codeOf(sums)) {
		if line = strings.TrimSpace(line); line != "" && !harmless.MatchString(line) {
			return "", false // it may store what is copied
		}
	}
	all := uniqueName(b.names, "tiles")
	text = fmt.Sprintf("%s := vec.NewTiles((%s-%s)/%s,\n%s)\n", all, last, round, by, tiles)
	text += fmt.Sprintf("for %s.Next() {\n%sp.Barrier()\n}\n", all, sumCall.ReplaceAllString(sums, all+".$1("))
	return text + fmt.Sprintf("%s += %s.Done() * %s\n", round, all, by), true
}
