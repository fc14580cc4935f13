// Package kerneltest has what the tests of the kernels share: the devices that a kernel has to work
// on, and lengths that fit nothing.
package kerneltest

import (
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/sanitize"
)

// AsWritten says that compiled kernels run as they are written, all threads in Go: under the race
// detector, and in programs that gocuda sanitize has built.
var AsWritten = raceEnabled || sanitize.Active()

// A Device is somewhere to launch, under a name for messages. Slow ones run each thread as a goroutine:
// use small sizes there, as [Sizes] does.
type Device struct {
	Name string
	kernels.Launcher
	Slow bool
}

// Unwrap returns what it launches on.
func (d Device) Unwrap() kernels.Launcher { return d.Launcher }

// Devices are those on which every kernel has to work: with vectors, in plain Go, on coroutines, in
// checked mode, with one worker, in shuffled order, and with the limits of the first generation
// that has all that kernels ask for, shuffles included. They are closed when the test ends.
func Devices(t testing.TB) []Device {
	t.Helper()
	open := func(opts ...gocuda.Option) *gocuda.Device {
		d, err := gocuda.NewDevice(opts...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		return d
	}
	all := []Device{
		{"default", gocuda.Default(), AsWritten},
		{"plain Go", open(gocuda.WithVectors(false)), AsWritten},
		{"shuffled", open(gocuda.WithWorkers(3), gocuda.WithBlockOrder(gocuda.ShuffledOrder(7))), AsWritten},
		{"GK104, one worker", open(gocuda.WithWorkers(1), gocuda.WithGeneration(gocuda.GK104)), AsWritten},
		{"coroutines", kernels.Uncompiled(gocuda.Default()), true},
		{"checked", open(gocuda.WithChecked(true)), true},
	}
	switch {
	case sanitize.Active():
		return all[:1] // they differ in nothing there
	case AsWritten && testing.Short():
		return all[2:3]
	case AsWritten:
		// Compiled kernels run as their source, a goroutine a thread, on all of them.
		return []Device{all[0], all[2]}
	}
	return all
}

// Sizes leaves out of sizes what takes long on a slow device: all but the first few.
func (d Device) Sizes(sizes []int, few int) []int {
	if d.Slow {
		return sizes[:min(len(sizes), few)]
	}
	return sizes
}

// Around returns lengths that are awkward for blocks of n: nothing, one, a prime or two, and n and its
// multiples with one more and one less, smallest first.
func Around(n int) []int {
	all := []int{0, 1, 2, 7}
	for _, v := range []int{n - 1, n, n + 1, 2*n - 1, 2 * n, 2*n + 1, 5*n + 3, 16*n + 1, 37*n - 5} {
		if v > all[len(all)-1] {
			all = append(all, v)
		}
	}
	return all
}

// Uniform returns n numbers in [-1, 1), the same every time for the same n.
func Uniform[T kernels.Float](n int) []T {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	v := make([]T, n)
	for i := range v {
		v[i] = T(r.Float64()*2 - 1)
	}
	return v
}
