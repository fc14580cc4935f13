package sorting

import (
	"sync"

	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/launchers"
)

// A room is what a sort needs beside its keys and values. To allocate it anew can take longer than
// the sort. It is kept for the next one until the garbage collector wants it.
type room struct{ keys, keys2, values, counts []uint64 }

var rooms = sync.Pool{New: func() any { return new(room) }}

// part returns n words of memory, which it makes longer if need be.
func part[W word](memory *[]uint64, n int) []W {
	if !long[W]() {
		n += n & 1
	}
	need := n
	if !long[W]() {
		need /= 2
	}
	if cap(*memory) < need {
		*memory = host.Apart[uint64](need)
	}
	return bitsOf[W]((*memory)[:need])[:n]
}

// leave gives the room back when all launches before have ended.
func (r *room) leave(on kernels.Launcher) error { return launchers.GiveBack(on, &rooms, r) }
