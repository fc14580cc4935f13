//go:build !race

package mem

import (
	"bytes"
	"sync"
)

type hiddenMutex = sync.Mutex

func same(a, b []byte) bool { return bytes.Equal(a, b) }

// hasPassed reports whether the stream has come to the free.
func (f *piece) hasPassed() bool { return f.passed.Load() }
