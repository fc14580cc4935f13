package serial

// A twister is the Mersenne twister MT19937 (Matsumoto and Nishimura 1998): 624 words of state, all of
// which are replaced at once.
type twister struct {
	state [624]uint32
	next  int
}

func newTwister(seed uint32) *twister {
	g := &twister{next: len(twister{}.state)}
	g.state[0] = seed
	for k := 1; k < len(g.state); k++ {
		x := g.state[k-1]
		g.state[k] = 1812433253*(x^x>>30) + uint32(k)
	}
	return g
}

// draw returns the next number, without tempering.
func (g *twister) draw() uint32 {
	if s := &g.state; g.next == len(s) {
		for k := range s {
			y := s[k]&0x80000000 | s[(k+1)%len(s)]&0x7fffffff
			s[k] = s[(k+397)%len(s)] ^ y>>1 ^ -(y&1)&0x9908b0df
		}
		g.next = 0
	}
	g.next++
	return g.state[g.next-1]
}
