package mem_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/gocuda/gocuda/mem"
)

func address(b []byte) uintptr { return reflect.ValueOf(b).Pointer() }

func TestArenaPieces(t *testing.T) {
	var a mem.Arena
	if a.Room() != 0 {
		t.Errorf("an empty arena holds %d bytes", a.Room())
	}
	sizes := []int{1, 127, 128, 129, 4, 0, 1000, 12, 48 << 10, 3, 100_000}
	for turn := range 4 { // it grows in the first turn; all are held to the same
		total := 0
		var pieces [][]byte
		for k, n := range sizes {
			p := a.Alloc(n)
			if len(p) != n {
				t.Fatalf("turn %d: asked for %d bytes, got %d", turn, n, len(p))
			}
			if n > 0 && address(p)%128 != 0 {
				t.Errorf("turn %d: %d bytes begin at %#x", turn, n, address(p))
			}
			mem.Fill(p, byte(k+1))
			pieces = append(pieces, p)
			total += n
		}
		for k, p := range pieces { // growth must neither move nor reuse what was handed out
			for i, v := range p {
				if v != byte(k+1) {
					t.Fatalf("turn %d: piece %d holds %d at %d", turn, k, v, i)
				}
			}
		}
		a.Reset()
		if a.Room() < total {
			t.Errorf("turn %d: %d bytes are kept of %d", turn, a.Room(), total)
		}
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
	if slices.Contains(q, 1) {
		t.Errorf("the neighbour holds %v", q)
	}
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
	if &p[0] != &q[0] || q[0] != 3 || q[999] != 4 {
		t.Errorf("1000 bytes at %p, then at %p", p, q)
	}
	a.Reset()
	if q := a.Alloc(8); &p[0] != &q[0] {
		t.Error("fewer bytes begin elsewhere")
	}
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
	if n := testing.AllocsPerRun(100, func() {
		if block() {
			t.Error("an array has moved")
		}
	}); n != 0 {
		t.Errorf("%v allocations a block", n)
	}
	if a.Room() != room {
		t.Errorf("the arena grew from %d to %d bytes", room, a.Room())
	}
}

// Blocks that ask for more and more: every array is whole at once, and from then on a block of any
// size seen so far is served without growing.
func TestArenaGrowth(t *testing.T) {
	var a mem.Arena
	block := func(n int) {
		small, large := a.Alloc(16), a.Alloc(n)
		mem.Fill(small, 1)
		mem.Fill(large, 2)
		if len(large) != n || slices.Contains(small, 2) {
			t.Fatalf("%d bytes: got %d, and the small array holds %v", n, len(large), small)
		}
		a.Reset()
	}
	sizes := []int{64, 1 << 10, 1 << 14, 1 << 18}
	for _, n := range sizes {
		block(n)
		if a.Room() < n+16 {
			t.Errorf("the arena holds %d bytes after a block of %d", a.Room(), n+16)
		}
	}
	if allocs := testing.AllocsPerRun(10, func() {
		for _, n := range sizes {
			block(n)
		}
	}); allocs != 0 {
		t.Errorf("%v allocations for what was served before", allocs)
	}
}
