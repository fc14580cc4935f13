//go:build race

package mem

import "runtime"

// hasPassed reports whether the stream has come to the free. To ask is not to wait for it: the race detector does not see it.
func (f *piece) hasPassed() bool {
	runtime.RaceDisable()
	defer runtime.RaceEnable()
	return f.passed.Load()
}
