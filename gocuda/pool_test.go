package gocuda

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A helper that looks for work in vain looks for less long the next time, and for as long as at
// first once there was work, or a launch came just when it had given up.
func TestLooksInVain(t *testing.T) {
	if raceEnabled {
		t.Skip("helpers don't look for work")
	}
	p := newPool(func() int { return 2 })
	for _, want := range []int32{1, 2, 3, 4, 4} {
		p.look(p.opened.Load())
		assert.Equal(t, want, p.vain.Load())
	}
	assert.WithinDuration(t, time.Now(), p.slept, time.Minute)

	p.hopeLocked(p.slept.Add(20 * time.Millisecond))
	assert.EqualValues(t, 4, p.vain.Load(), "a launch after a pause")
	p.hopeLocked(p.slept.Add(time.Millisecond))
	assert.Zero(t, p.vain.Load(), "a launch at once")

	p.look(p.opened.Load())
	p.look(p.opened.Load() - 1)
	assert.Zero(t, p.vain.Load(), "there was a launch")
	assert.Zero(t, p.looking.Load())
	assert.False(t, p.watched.Load())
}
