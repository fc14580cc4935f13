package rc5

import (
	"math/bits"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
)

// The expanded key in shared memory, a word of all threads after the other, so that the threads of
// a warp have different banks. That needs few registers, and loops instead of lines. A step of the
// expansion waits for the one before it, and no step waits for memory, so loads and stores cost
// little: it is the faster one here.

const sharedThreads = 128 // of a block, which takes 13 KiB

// shared does what registers does. start is the expanded key before the expansion.
//
//gocuda:kernel
func shared(t *gocuda.Thread, n int, contest, start, found []uint32) {
	words, wrong := gocuda.Shared[uint32](t, keyWords*sharedThreads), gocuda.Shared[uint32](t, sharedThreads)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	if i < n {
		number := contest[lowNumber] + uint32(i)
		// x, y and z are the words of the key, x the next.
		x, y, z := contest[keyFirst], contest[keySecond]|bits.ReverseBytes32(number)<<8, number&0xff
		var s, l uint32
		for j := range keyWords {
			s, l = mix(start[j], x, s, l)
			x, y, z = y, z, l
			words[j*sharedThreads+tid] = s
		}
		for j := range keyWords {
			s, l = mix(words[j*sharedThreads+tid], x, s, l)
			x, y, z = y, z, l
			words[j*sharedThreads+tid] = s
		}
		s, l = mix(words[tid], x, s, l)
		x, y, z = y, z, l
		a := contest[plainFirst] + s
		s, l = mix(words[sharedThreads+tid], x, s, l)
		x, y, z = y, z, l
		b := contest[plainSecond] + s
		for j := 2; j < keyWords; j += 2 {
			s, l = mix(words[j*sharedThreads+tid], x, s, l)
			x, y, z = y, z, l
			a = half(a, b, s)
			s, l = mix(words[(j+1)*sharedThreads+tid], x, s, l)
			x, y, z = y, z, l
			b = half(b, a, s)
		}
		wrong[tid] = (a ^ contest[cipherFirst]) | (b ^ contest[cipherSecond])
	}
	t.SyncThreads()
	if i < n && wrong[tid] == 0 {
		atomic.Min(&found[0], uint32(i))
	}
}
