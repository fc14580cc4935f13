package fem

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// colours of a mesh share no node, and have all elements.
func checkColours(t *testing.T, m *Mesh) int {
	b, err := New(m, []Material{{Young: 1, Density: 1}})
	require.NoError(t, err)
	b.colour()
	seen := make([]bool, m.Elements())
	for c := range len(b.colours) - 1 {
		of := map[int32]bool{}
		for _, e := range b.order[b.colours[c]:b.colours[c+1]] {
			assert.False(t, seen[e], "element %d twice", e)
			seen[e] = true
			for _, node := range m.Tets[4*e : 4*e+4] {
				assert.False(t, of[node], "colour %d has node %d twice", c, node)
				of[node] = true
			}
		}
	}
	assert.NotContains(t, seen, false)
	return len(b.colours) - 1
}

func TestColours(t *testing.T) {
	m, err := Block(4, 3, 5, 1)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, checkColours(t, m), 24, "24 elements meet at an inner node")
	// More elements at a node than a word has bits.
	fan := &Mesh{Points: []float64{0, 0, 0}}
	for i := range 150 {
		x := float64(i)
		fan.Points = append(fan.Points, 1, x, 0, 1, x, 1, 2, x, 1)
		fan.Tets = append(fan.Tets, 0, int32(3*i+1), int32(3*i+2), int32(3*i+3))
	}
	fan.Points[1] = -1
	assert.Equal(t, 150, checkColours(t, fan))
}
