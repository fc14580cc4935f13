package serial

import (
	"slices"

	"github.com/gocuda/gocuda/kernels/dynprog"
)

// NeedlemanWunsch returns an alignment of a and b with the best score, from a table of scores by
// rows: the reference of [dynprog.NeedlemanWunsch]. There may be several. It is the one that, from
// the end, prefers pairs to gaps, and gaps in b to gaps in a.
func NeedlemanWunsch(s *dynprog.Scoring, a, b []byte) dynprog.Alignment {
	w := len(b) + 1
	table := make([]int32, (len(a)+1)*w)
	for i := range len(a) + 1 {
		for j := range w {
			switch {
			case i == 0 || j == 0:
				table[i*w+j] = s.Gap * int32(i+j)
			default:
				table[i*w+j] = max(table[(i-1)*w+j-1]+s.Pair(a[i-1], b[j-1]), table[(i-1)*w+j]+s.Gap, table[i*w+j-1]+s.Gap)
			}
		}
	}
	var first, second []byte // from the end
	for i, j := len(a), len(b); i > 0 || j > 0; {
		v := table[i*w+j]
		x, y := byte('-'), byte('-')
		switch {
		case i > 0 && j > 0 && v == table[(i-1)*w+j-1]+s.Pair(a[i-1], b[j-1]):
			i, j = i-1, j-1
			x, y = a[i], b[j]
		case j == 0 || i > 0 && v == table[(i-1)*w+j]+s.Gap:
			i--
			x = a[i]
		default:
			j--
			y = b[j]
		}
		first, second = append(first, x), append(second, y)
	}
	slices.Reverse(first)
	slices.Reverse(second)
	return dynprog.Alignment{Score: table[len(table)-1], A: string(first), B: string(second)}
}
