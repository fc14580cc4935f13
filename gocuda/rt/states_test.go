package rt

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is done eight bytes at a time is what is done byte by byte.
func TestStates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		s := make([]uint8, r.IntN(40))
		for i := range s {
			if i > 0 && r.IntN(8) > 0 {
				s[i] = s[i-1]
			} else {
				s[i] = uint8(r.IntN(3))
			}
		}
		n, from, to, all := 0, len(s), 0, true
		for i, x := range s {
			switch x {
			case 0:
				from, to = min(from, i), i+1
			case 1:
				n++
			}
		}
		from = min(from, max(to, from))
		if to == 0 {
			to = from
		}
		for _, x := range s[from:to] {
			all = all && x == 0
		}
		require.Equal(t, n, count(s, 1), "%v", s)
		gotFrom, gotTo, gotAll := aliveIn(s)
		require.Equal(t, []any{from, to, all}, []any{gotFrom, gotTo, gotAll}, "%v", s)
		want := slices.Clone(s)
		for i, x := range want {
			if x == 1 {
				want[i] = 200
			}
		}
		require.Equal(t, n, exchange(s, 1, 200))
		require.Equal(t, want, s)
	}
}
