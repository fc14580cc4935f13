//go:build !race

package mem

// hasPassed reports whether the stream has come to the free.
func (f *piece) hasPassed() bool { return f.passed.Load() }
