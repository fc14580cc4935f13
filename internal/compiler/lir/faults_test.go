package lir

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A check behind a store keeps a strip from being repeated, unless the launch fails with it. A divergent
// loop, which may be left because it takes long, always does.
func TestFaultsBehindStores(t *testing.T) {
	for _, inLoop := range []bool{false, true} {
		n, store, _, check := ordered(inLoop)
		assert.False(t, n.Faults())
		assert.False(t, n.RestartsOrFaults())
		check.Fault = true
		assert.True(t, n.Faults())
		assert.True(t, n.Fails())
		assert.False(t, n.Restarts())
		assert.True(t, n.RestartsOrFaults())
		assert.Contains(t, n.String(), "(fault)")
		n.Body = append(n.Body, &Loop{While: []Value{check.X}, Body: []Node{store}})
		assert.False(t, n.RestartsOrFaults(), "stores in a loop that may be left")
	}
}
