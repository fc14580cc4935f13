package bench

import (
	"math/rand/v2"
	"slices"

	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/sorting"
)

// The workloads on whole numbers: histogram and radixsort.

func setupHistogram(e env, n int) *problem {
	if p := tooLarge(2, n); p != nil {
		return p
	}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	data := host.Apart[byte](n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	counts, want := make([]uint32, 256), make([]uint32, 256)
	serial.Histogram(data, want)
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { serial.Histogram(data, counts); return nil },
			Goroutines: func() error { histogramGoroutines(e.workers, data, counts); return nil },
		},
		kernel: func(on kernels.Launcher) error {
			return kernels.Histogram(e.ctx, on, data, counts)
		},
		native: &exchange{in: arrays(of(data)), out: arrays(of(counts))},
		amount: everywhere(1e-6 * float64(n)),
		reset:  func() { clear(counts) },
		check:  func() error { return same("counts", counts, want) },
	}
}

func setupRadixSort(e env, n int) *problem {
	if p := tooLarge(73, n); p != nil {
		return p
	}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	keys0, values0 := host.Apart[uint32](n), host.Apart[uint32](n)
	for i := range keys0 {
		keys0[i], values0[i] = r.Uint32(), uint32(i)
	}
	keys, values := host.Apart[uint32](n), host.Apart[uint32](n)
	wantKeys, wantValues := slices.Clone(keys0), slices.Clone(values0)
	radixSortSerial(wantKeys, wantValues)
	room := newSortRoom(e.workers, n)
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { radixSortSerial(keys, values); return nil },
			Goroutines: func() error { radixSortGoroutines(e.workers, keys, values, room); return nil },
		},
		kernel: func(on kernels.Launcher) error {
			return sorting.RadixPairs(e.ctx, on, sorting.Ascending, keys, values)
		},
		native: &exchange{in: arrays(of(keys0), of(values0)), out: arrays(of(keys), of(values))},
		amount: everywhere(1e-6 * float64(n)),
		reset: func() {
			refill(keys, keys0)
			refill(values, values0)
		},
		check: func() error {
			if err := same("keys", keys, wantKeys); err != nil {
				return err
			}
			return same("values", values, wantValues) // equal keys stay in order
		},
	}
}
