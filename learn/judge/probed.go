package judge

import (
	"fmt"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/sanitize"
)

// findings is the sanitize.T of a case: it keeps that there was something.
type findings struct{ found bool }

func (f *findings) Helper()               {}
func (f *findings) Errorf(string, ...any) { f.found = true }
func (f *findings) Fatalf(string, ...any) { f.found = true }

// sanitized runs f and ends the case if the sanitizer has found something. What it has found is in
// its own report, which the runner reads.
func (c *Case) sanitized(f func()) {
	var t findings
	var ended any
	sanitize.Run(&t, func() {
		defer func() { ended = recover() }() // findings say more than the wrong result that follows from them
		f()
	})
	if t.found {
		c.Fail("the sanitizer has found something")
	}
	if ended != nil {
		panic(ended)
	}
}

// counted runs the check of spec, and compares what its launches did with the budget.
func (c *Case) counted(spec Spec) {
	capability := spec.Capability
	if capability == (gocuda.Capability{}) {
		capability = gocuda.Capability{Major: 8}
	}
	n := newCounts(capability, counting.sites)
	counting.begin(n)
	func() {
		defer counting.end()
		defer func() { // also of a kernel that is wrong
			if n.Launches > 0 {
				c.Must(n.picture())
			}
		}()
		spec.Check(c)
	}()
	if n.Launches == 0 {
		c.Fail("no kernel was launched: the work is to be done by one")
	}
	if spec.Count != nil {
		spec.Count(c, n)
	}
}

// AtMost ends the case if m is above limit.
func (c *Case) AtMost(m Metric, limit float64) {
	if m.Value > limit {
		c.overBudget(m, fmt.Sprintf("at most %.4g", limit))
	}
}

// AtLeast ends the case if m is below limit.
func (c *Case) AtLeast(m Metric, limit float64) {
	if m.Value < limit {
		c.overBudget(m, fmt.Sprintf("at least %.4g", limit))
	}
}

func (c *Case) overBudget(m Metric, limit string) {
	where := ""
	if m.Where != "" {
		where = "; most of it at " + m.Where
	}
	c.Fail("%s: %.4g, and it should be %s%s", m.Name, m.Value, limit, where)
}

// Constant tells that the kernel takes s for constant memory, so that loads of s are counted as
// those of the constant cache.
func Constant[T any](c *Case, s []T) []T {
	if counting != nil && len(s) > 0 {
		counting.mu.Lock()
		defer counting.mu.Unlock()
		counting.constants = append(counting.constants, span{uintptr(unsafe.Pointer(&s[0])), uintptr(len(s)) * unsafe.Sizeof(s[0])})
	}
	return s
}
