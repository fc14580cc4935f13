package judge

import (
	"fmt"
	"sync"

	"github.com/gocuda/gocuda/gocuda"
)

// watched finds the threads that change one element of an output, by its value before and after
// each thread.
//
// With barriers, the threads of a block take turns, and an element may change while several of them
// are under way. Then the writer stays unnamed.
type watched struct {
	slice   string
	element int

	mu      sync.Mutex
	wrapped bool // a launch has been watched; without one nothing is known of the writer
	changed []string
}

func (w *watched) wrap(kernel func(*gocuda.Thread), outputs map[string]func(int) any) func(*gocuda.Thread) {
	value := outputs[w.slice]
	if value == nil {
		return kernel
	}
	w.wrapped = true
	return func(t *gocuda.Thread) {
		before := value(w.element)
		kernel(t)
		if value(w.element) != before {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.changed = append(w.changed, fmt.Sprintf("block %v thread %v", t.BlockIdx, t.ThreadIdx))
		}
	}
}

// String is the clause on the writer: "" if it is not certain.
func (w *watched) String() string {
	if !w.wrapped {
		return ""
	}
	switch len(w.changed) {
	case 0:
		return "it is what was there before the launch: no thread has changed it"
	case 1:
		return "written by " + w.changed[0]
	}
	return ""
}
