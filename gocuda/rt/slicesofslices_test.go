package rt_test

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
)

func TestWidth(t *testing.T) {
	assert.Equal(t, 0, rt.Width([][]int(nil)))
	assert.Equal(t, 0, rt.Width([][]int{nil, {}}))
	assert.Equal(t, 3, rt.Width([][]int{{1, 2, 3}, make([]int, 3, 7)}))
	assert.Equal(t, -1, rt.Width([][]int{{1, 2, 3}, {1, 2}, {1, 2, 3}}))
	assert.Equal(t, -1, rt.Width([][]int{nil, {1}}))
}

// Rows of random places in one array are compared element by element.
func TestRowsApart(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]int16, 60)
	cut := func(many, longest int) (rows [][]int16, has map[int]bool) {
		has = map[int]bool{}
		for range many {
			begin := r.IntN(len(all) - longest)
			end := begin + r.IntN(longest+1)
			rows = append(rows, all[begin:end])
			for i := begin; i < end; i++ {
				has[i] = true
			}
		}
		return rows, has
	}
	seen := map[bool]int{}
	for range 20000 {
		a, inA := cut(r.IntN(5), 6)
		b, inB := cut(r.IntN(5), 6)
		one, inOne := cut(1, 9)
		apart := func(x, y map[int]bool) bool {
			for i := range x {
				if y[i] {
					return false
				}
			}
			return true
		}
		assert.Equal(t, apart(inA, inB), rt.AllRowsApart(a, b), "%v %v", inA, inB)
		assert.Equal(t, apart(inA, inOne), rt.RowsApart(a, one[0]), "%v %v", inA, inOne)
		seen[apart(inA, inB)]++
	}
	assert.Greater(t, seen[true], 1000)
	assert.Greater(t, seen[false], 1000)
}

// A fact is found out once a launch and kernel, and not at all where no vectors are wanted.
func TestFacts(t *testing.T) {
	var p rt.Phases
	var hurry atomic.Bool
	var kernel uint32
	asked := 0
	for launch := range uint64(2) {
		kernel++
		for range 3 {
			p.Start(oneBlock{}, grid.Dim3{X: 1, Y: 1, Z: 1}, 1, &hurry, launch, kernel, true, true)
			assert.Equal(t, int(launch)+7, p.Fact(1, func() int { asked++; return int(launch) + 7 }))
			assert.False(t, p.Holds(2, func() bool { return false }))
			assert.True(t, p.Holds(3, func() bool { return true }))
			assert.Equal(t, 5, p.Fact(100, func() int { return 5 }))
		}
	}
	assert.Equal(t, 2, asked)
	kernel++
	p.Start(oneBlock{}, grid.Dim3{X: 1, Y: 1, Z: 1}, 1, &hurry, 1, kernel, true, true)
	assert.Equal(t, 9, p.Fact(1, func() int { return 9 }))
	p.Start(oneBlock{}, grid.Dim3{X: 1, Y: 1, Z: 1}, 1, &hurry, 2, 0, false, true)
	assert.Equal(t, -1, p.Fact(1, func() int { asked++; return 7 }))
	assert.False(t, p.Holds(3, func() bool { return true }))
	assert.Equal(t, 2, asked)
}
