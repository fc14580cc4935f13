package mem

import (
	"fmt"
	"sync"

	"github.com/gocuda/gocuda/internal/timeline"
)

// What `gocuda trace` is told; see package internal/timeline.

// timed notes a copy or fill of so many bytes: defer timed(name, bytes)().
func timed(name string, bytes int) func() {
	if !timeline.On() {
		return func() {}
	}
	begin := timeline.Now()
	return func() {
		timeline.Add(timeline.Event{Kind: timeline.Copy, Track: timeline.Track(), Name: name, Begin: begin, Bytes: int64(bytes)})
	}
}

var spaces struct {
	mu    sync.Mutex
	names map[*Space]string
}

// timeUse notes the bytes in use. s is locked.
func (s *Space) timeUse() {
	if !timeline.On() {
		return
	}
	spaces.mu.Lock()
	name, ok := spaces.names[s]
	if !ok {
		name = "device memory"
		if n := len(spaces.names); n > 0 {
			name = fmt.Sprint("device memory ", n+1)
		} else {
			spaces.names = map[*Space]string{}
		}
		spaces.names[s] = name
	}
	spaces.mu.Unlock()
	now := timeline.Now()
	timeline.Add(timeline.Event{Kind: timeline.Memory, Track: name, Name: name, Begin: now, Bytes: s.used})
}
