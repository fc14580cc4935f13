//go:build race

package gocuda

// ForEach runs f for every thread of the block. See foreach.go for what it is without the race
// detector.
func (b *Block) ForEach(f func(*Thread)) {
	b.Threads(func(t *Thread) {
		t.phase = true
		defer func() { t.phase = false }() // the Thread may serve another phase
		f(t)
	})
}
