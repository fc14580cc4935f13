package gocuda

import (
	"fmt"

	"github.com/gocuda/gocuda/grid"
)

// Profiler triggers: counters of the device that a kernel increments, one for a warp that comes to
// a place in its program. CUDA's __prof_trigger; The CUDA Handbook, 8.6.3.

// ProfTriggers is how many counters a device has: prof_trigger_00 to prof_trigger_07. CUDA has
// eight more, which it keeps to itself.
const ProfTriggers = 8

// profTriggers is the counters of a device. Nothing that a kernel does orders its threads.
type profTriggers struct {
	mu     hiddenMutex
	counts [ProfTriggers]uint64
}

//go:norace
func (p *profTriggers) add(counter int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[counter]++
}

// ProfTriggers returns the counters, which begin at 0 when the device is opened or
// [Device.ResetProfTriggers] is called.
//
//go:norace
func (d *Device) ProfTriggers() [ProfTriggers]uint64 {
	d.triggers.mu.Lock()
	defer d.triggers.mu.Unlock()
	return d.triggers.counts
}

// ResetProfTriggers sets all counters to 0.
//
//go:norace
func (d *Device) ResetProfTriggers() {
	d.triggers.mu.Lock()
	defer d.triggers.mu.Unlock()
	d.triggers.counts = [ProfTriggers]uint64{}
}

// ProfTrigger increments a counter of the device by 1 for the warp, CUDA's __prof_trigger(counter).
// Lanes of a warp that come to the same call for the k-th time in their lives count as one, as the
// lanes of a GPU do that run it together: a loop counts as often as the lane with the most rounds
// passes it. A counter out of 0 to 7 is an [ErrInvalidValue].
func (t *Thread) ProfTrigger(counter int) {
	checkTrigger(counter)
	t.trigger(counter, caller(2))
}

// ProfTrigger increments a counter of the device by 1; see [Thread.ProfTrigger].
func (w *Warp) ProfTrigger(counter int) {
	checkTrigger(counter)
	w.b.launch.dev.triggers.add(counter)
}

func checkTrigger(counter int) {
	if counter < 0 || counter >= ProfTriggers {
		panic(fmt.Errorf("%w: profiler trigger %d of 0 to %d", ErrInvalidValue, counter, ProfTriggers-1))
	}
}

// A triggerSite is a call of ProfTrigger that lanes of a warp have come to.
type triggerSite struct {
	counter int
	site    uintptr
	passed  [grid.WarpSize]uint32 // how often each lane has
	most    uint32
}

// trigger is ProfTrigger of a thread at a place of its program.
//
//go:norace
func (s *strand) trigger(counter int, site uintptr) {
	b := s.b
	if b.threads != nil {
		b.threads.lock()
		defer b.threads.unlock()
	}
	p := b.triggerSite(s.id/grid.WarpSize, counter, site)
	n := &p.passed[s.id%grid.WarpSize]
	*n++
	if *n > p.most {
		p.most = *n
		b.launch.dev.triggers.add(counter)
	}
}

// triggerSite finds the site, or makes it. Kernels have few of them; a map would tell the race
// detector of accesses.
//
//go:norace
func (b *Block) triggerSite(warp, counter int, site uintptr) *triggerSite {
	if b.triggered == nil {
		b.triggered = make([][]*triggerSite, b.NumWarps())
	}
	for _, p := range b.triggered[warp] {
		if p.counter == counter && p.site == site {
			return p
		}
	}
	p := &triggerSite{counter: counter, site: site}
	b.triggered[warp] = append(b.triggered[warp], p)
	return p
}
