package compiler

import (
	"regexp"
	"slices"
)

// Planes: blocks of two dimensions go through a tile of memory, a short row of threads to a row of the tile. What
// must hold for a row costs more there than the row itself: the guards at the edge of the grid, the bounds of
// the arrays. Both are mostly linear in threadIdx.y, so they hold for all rows if they do for the first, the second
// and the last; then the whole block runs as a loop with nothing in it but the work. Otherwise each row asks for itself.

// A plane is a region printed for a whole block.
type plane struct {
	round *Var // the variable of the loop around it, if that is printed with it

	bent bool // some of that may be other than linear in threadIdx.y, or in round

}

// straight reports whether the index of l is linear in threadIdx.y, and in the variable of the loop around.
func (pl *plane) straight(v *vector, l *Index) bool {
	if pl == nil || shapeOf(l.I)[1] == noStep || shapeOf(l.X)[1] != 0 || !v.linearIn(l.I, pl.round) {
		return false
	}
	for _, w := range v.counting {
		if v.countsWith(v.ranges[w], pl.round) {
			return false
		}
	}
	return true
}

// differs reports whether a condition may differ between rows, or between rounds.
func (pl *plane) differs(cond string) bool {
	return rowWord.MatchString(cond) || pl.round != nil && containsWord(cond, pl.round.Name)
}

// rowWord matches what differs between rows. Names of fields may be the same.
var rowWord = regexp.MustCompile(`(^|[^.\w])(ty|ty_[2-8]|row)\b`)

// replaceWord puts something in the place of a name, which is no field.
func replaceWord(text, name, by string) string {
	return regexp.MustCompile(`(^|[^.\w])`+name+`\b`).ReplaceAllString(text, "${1}"+by)
}

// distinct returns what there is in list, once each.
func distinct(list []string) []string {
	var once []string
	for _, s := range list {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}
