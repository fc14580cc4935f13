package rt_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/gocuda/rt"
)

func TestFar(t *testing.T) {
	const far = 8 << 20 // bytes
	here := runtime.GOARCH == "amd64"
	for _, c := range []struct {
		got, want bool
	}{
		{rt.Far[int32](nil), false},
		{rt.Far(make([]int32, far/4-1)), false},
		{rt.Far(make([]int32, far/4)), here},
		{rt.Far(make([]byte, far/4)), false},
		{rt.Far(make([]complex128, far/16)), here},
		{rt.Far(make([][3]byte, far/3)), false},
		{rt.Far(make([][3]byte, far/3+1)), here},
		{rt.Far(make([]struct{}, math.MaxInt)), false},
	} {
		assert.Equal(t, c.want, c.got, "%+v", c)
	}
}

// What is asked for need not exist, and to ask for much takes no longer than for little: without
// the limit some of these would not end.
func TestAheadOfNothing(t *testing.T) {
	s := make([]int32, 1<<22)
	ends := []int{math.MinInt, math.MinInt + 1, math.MinInt / 4, -1, 0, 1, len(s) - 1, len(s), math.MaxInt / 4, math.MaxInt - 1, math.MaxInt}
	for _, from := range ends {
		for _, to := range ends {
			rt.Ahead(s, from, to)
			rt.Ahead(s, int8(from), int8(to))
			rt.Ahead(s, int32(from), int32(to))
			rt.Ahead(s, uint32(from), uint32(to))
			rt.Ahead(s, uintptr(from), uintptr(to))
		}
	}
	rt.Ahead(make([][5000]byte, 4000), 0, math.MaxInt)
	rt.Ahead(make([]struct{}, math.MaxInt), 0, math.MaxInt)
}
