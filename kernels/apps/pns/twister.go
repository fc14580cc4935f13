package pns

// The Mersenne twister MT19937: 624 words of state, all of which are replaced at once, so that
// threads do it together, between draws of the old words and of the new. The state of the threads
// of a block is interleaved: word k of thread t is at k*threads+t, and threads that are neighbours
// read and write neighbours.

const (
	words  = 624
	middle = 397
)

// seed fills the state of a thread, at tid of state, from its first word.
func seed(tid int, state []uint32) {
	x := state[tid]
	for k := 1; k < words; k++ {
		x = 1812433253*(x^x>>30) + uint32(k)
		state[k*threads+tid] = x
	}
}

// twist replaces the state.
func twist(tid int, state []uint32) {
	x := state[tid]
	for k := range words - middle {
		next := state[(k+1)*threads+tid]
		state[k*threads+tid] = state[(k+middle)*threads+tid] ^ blend(x, next)
		x = next
	}
	for k := words - middle; k < words-1; k++ {
		next := state[(k+1)*threads+tid]
		state[k*threads+tid] = state[(k+middle-words)*threads+tid] ^ blend(x, next)
		x = next
	}
	state[(words-1)*threads+tid] = state[(middle-1)*threads+tid] ^ blend(x, state[tid])
}

// blend is the twist of the highest bit of x and the other bits of next.
func blend(x, next uint32) uint32 {
	y := x&0x80000000 | next&0x7fffffff
	return y>>1 ^ -(y&1)&0x9908b0df
}
