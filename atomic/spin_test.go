package atomic_test

import (
	goatomic "sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/internal/spin"
)

// hooked counts the calls of the hook. It asks to be called again after one operation.
var hooked goatomic.Int64

func init() { spin.OnSpin(func() uint32 { hooked.Add(1); return 1 }) }

// callsOf returns how often the hook is called while f does its operation many times.
func callsOf(f func(i int32)) int {
	const many = 1000
	before := hooked.Load()
	for i := range int32(many) {
		f(i)
	}
	return int(hooked.Load() - before)
}

// The hook hears of operations that change nothing, whatever they are.
func TestOperationsThatChangeNothingAreCounted(t *testing.T) {
	var p int32 = 5
	var u uint64 = 5
	var f float64 = 5
	for name, do := range map[string]func(int32){
		"Add":             func(int32) { atomic.Add(&p, 0) },
		"Add of a float":  func(int32) { atomic.Add(&f, 0) },
		"Sub":             func(int32) { atomic.Sub(&u, 0) },
		"Exch":            func(int32) { atomic.Exch(&p, 5) },
		"Exch of a float": func(int32) { atomic.Exch(&f, 5) },
		"Exch, 64 bits":   func(int32) { atomic.Exch(&u, 5) },
		"Min":             func(int32) { atomic.Min(&p, 6) },
		"Min of many":     func(i int32) { atomic.Min(&p, 6+i) },
		"Max":             func(int32) { atomic.Max(&u, 4) },
		"Inc":             func(int32) { atomic.Inc(new(int32), 0) },
		"Dec":             func(int32) { atomic.Dec(new(int32), 0) },
		"And":             func(int32) { atomic.And(&p, 7) },
		"And, 64 bits":    func(int32) { atomic.And(&u, 7) },
		"Or":              func(int32) { atomic.Or(&p, 4) },
		"Or, 64 bits":     func(int32) { atomic.Or(&u, 4) },
		"Xor":             func(int32) { atomic.Xor(&p, 0) },
		"CAS that fails":  func(int32) { atomic.CAS(&p, 1, 2) },
		"CAS of equals":   func(int32) { atomic.CAS(&p, 5, 5) },
	} {
		assert.GreaterOrEqual(t, callsOf(do), 10, name)
	}
	assert.EqualValues(t, 5, p)
	assert.EqualValues(t, 5, u)
	assert.EqualValues(t, 5, f)
}

// It hears nothing of those that change something.
func TestOperationsThatChangeSomethingAreNotCounted(t *testing.T) {
	var p int32
	for name, do := range map[string]func(int32){
		"Add":  func(int32) { atomic.Add(&p, 1) },
		"Sub":  func(int32) { atomic.Sub(&p, 1) },
		"Exch": func(i int32) { atomic.Exch(&p, ^p) },
		"Min":  func(int32) { atomic.Min(&p, p-1) },
		"Max":  func(int32) { atomic.Max(&p, p+1) },
		"Inc":  func(int32) { p = 1; atomic.Inc(&p, 5) },
		"Dec":  func(int32) { p = 1; atomic.Dec(&p, 5) },
		"And":  func(int32) { p = 3; atomic.And(&p, 1) },
		"Or":   func(int32) { p = 3; atomic.Or(&p, 4) },
		"Xor":  func(int32) { atomic.Xor(&p, 1) },
		"CAS":  func(int32) { atomic.CAS(&p, p, p+1) },
	} {
		assert.Zero(t, callsOf(do), name)
	}
}
