package mem_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func address(b []byte) uintptr { return reflect.ValueOf(b).Pointer() }

func TestArenaPieces(t *testing.T) {
	var a mem.Arena
	assert.Zero(t, a.Room(), "room of an empty arena")
	sizes := []int{1, 127, 128, 129, 4, 0, 1000, 12, 48 << 10, 3, 100_000}
	for turn := range 4 { // it grows in the first turn; all are held to the same
		total := 0
		var pieces [][]byte
		for k, n := range sizes {
			p := a.Alloc(n)
			require.Len(t, p, n, "turn %d", turn)
			if n > 0 {
				assert.Zero(t, address(p)%128, "turn %d: %d bytes begin at %#x", turn, n, address(p))
			}
			mem.Fill(p, byte(k+1))
			pieces = append(pieces, p)
			total += n
		}
		for k, p := range pieces { // growth must neither move nor reuse what was handed out
			slicetest.Each(t, func(int) byte { return byte(k + 1) }, p, "turn %d: piece %d", turn, k)
		}
		a.Reset()
		assert.GreaterOrEqual(t, a.Room(), total, "turn %d: what is kept", turn)
	}
}

// Appending to one array must not write into the next.
func TestArenaPiecesEndWhereTheyEnd(t *testing.T) {
	a := warm(1 << 12)
	p := a.Alloc(100)
	q := a.Alloc(100)
	mem.Fill(q, 7)
	for range 100 {
		p = append(p, 1)
	}
	assert.NotContains(t, q, byte(1), "the neighbour")
}

// warm returns an arena that has found its size: it may take the first turn to learn what is asked
// of it.
func warm(n int) *mem.Arena {
	a := new(mem.Arena)
	a.Alloc(n)
	a.Reset()
	return a
}

// A block that asks for what the one before it had gets the same memory, with the same contents.
func TestArenaIsReused(t *testing.T) {
	a := warm(1000)
	p := a.Alloc(1000)
	p[0], p[999] = 3, 4
	a.Reset()
	q := a.Alloc(1000)
	assert.Same(t, &q[0], &p[0], "the bytes are elsewhere")
	assert.Equal(t, byte(3), q[0])
	assert.Equal(t, byte(4), q[999])
	a.Reset()
	assert.Same(t, &a.Alloc(8)[0], &p[0], "fewer bytes begin elsewhere")
}

func TestArenaIsFreeOfCharge(t *testing.T) {
	a := warm(0)
	var at [6]*byte // where each array was in the turn before
	block := func() (moved bool) {
		a.Reset()
		for k, n := range [...]int{4096, 12, 1, 640, 128, 3} {
			p := a.Alloc(n)
			moved = moved || at[k] != &p[0]
			at[k] = &p[0]
		}
		return moved
	}
	block()
	block()
	room := a.Room()
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if block() {
			t.Error("an array has moved")
		}
	}), "allocations a block")
	assert.Equal(t, room, a.Room(), "the arena grew")
}

// Blocks that ask for more and more: every array is whole at once, and from then on a block of any
// size seen so far is served without growing.
func TestArenaGrowth(t *testing.T) {
	var a mem.Arena
	block := func(n int) {
		small, large := a.Alloc(16), a.Alloc(n)
		mem.Fill(small, 1)
		mem.Fill(large, 2)
		if len(large) != n || slices.Contains(small, 2) { // an assertion would allocate
			t.Fatalf("%d bytes: got %d, and the small array holds %v", n, len(large), small)
		}
		a.Reset()
	}
	sizes := []int{64, 1 << 10, 1 << 14, 1 << 18}
	for _, n := range sizes {
		block(n)
		assert.GreaterOrEqual(t, a.Room(), n+16)
	}
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		for _, n := range sizes {
			block(n)
		}
	}), "allocations for what was served before")
}
