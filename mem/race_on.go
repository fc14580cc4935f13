//go:build race

package mem

import (
	"runtime"
	"sync"
)

// A hiddenMutex is hidden from the race detector and orders nothing, as that of package gocuda. The
// data that it guards is only accessed in functions marked go:norace.
type hiddenMutex struct{ mu sync.Mutex }

//go:norace
func (m *hiddenMutex) Lock() {
	runtime.RaceDisable()
	m.mu.Lock()
}

//go:norace
func (m *hiddenMutex) Unlock() {
	m.mu.Unlock()
	runtime.RaceEnable()
}

// same is bytes.Equal, which would tell the race detector.
//
//go:norace
func same(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// hasPassed reports whether the stream has come to the free. The race detector does not see it,
// since a caller that asks has not waited for the stream.
func (f *piece) hasPassed() bool {
	runtime.RaceDisable()
	defer runtime.RaceEnable()
	return f.passed.Load()
}
