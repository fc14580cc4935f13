//go:build !race

package gocuda

// ForEach runs f for every thread of the block, in the order of their ranks, and returns: the cheapest
// phase that still has a Thread. f may not wait; its barriers and warp operations panic with
// [ErrNotPermitted]. Use Threads for those. The closure f does not escape, so a phase allocates
// nothing.
//
// Under the race detector the threads are goroutines, so that conflicts between them are found.
func (b *Block) ForEach(f func(*Thread)) {
	b.beginPhase()
	defer b.endPhase() // also when the kernel recovers from a panic of f
	if b.each == nil {
		b.each = new(Thread)
	}
	t := b.each
	t.b, t.phase = b, true
	t.BlockIdx, t.BlockDim, t.GridDim = b.BlockIdx, b.BlockDim, b.GridDim
	t.cursor, t.state = b.cursor, 0
	b.inEach = true
	size := b.BlockDim
	id := 0
	for z := range size.Z {
		t.ThreadIdx.Z = z
		for y := range size.Y {
			t.ThreadIdx.Y = y
			for x := range size.X {
				t.ThreadIdx.X = x
				t.id = id
				f(t)
				id++
				if t.state != 0 {
					t.cursor, t.state = b.cursor, 0
				}
			}
		}
	}
	b.inEach = false
}
