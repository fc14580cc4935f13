package device_test

import (
	"flag"
	"runtime"
	"sync"
	"testing"
)

// With -exhaustive, tests that could go through all 2^32 inputs do:
//
//	go test ./device -run Exhaustive -exhaustive -timeout 4h
//
// Without, they take a sample: each exponent's ends and middle, and one input in some thousands.
var exhaustive = flag.Bool("exhaustive", false, "go through all 2^32 inputs")

// all32 calls f for 32-bit patterns, from several goroutines: all 2^32 with -exhaustive, else about
// one in every (a prime is best), and those within 64 of a multiple of 2^23, where the exponent of
// a float32 changes, and of 2^22, the middle. f reports an error and returns false to stop.
func all32(t *testing.T, every uint32, f func(bits uint32) bool) {
	t.Helper()
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	var stop sync.Once
	stopped := make(chan struct{})
	call := func(x uint32) bool {
		if f(x) {
			return true
		}
		stop.Do(func() { close(stopped) })
		return false
	}
	halted := func() bool {
		select {
		case <-stopped:
			return true
		default:
			return false
		}
	}
	step := uint64(every)
	if *exhaustive || every == 0 {
		step = 1
	}
	for w := range workers {
		wg.Go(func() {
			// Shares are pieces of 2^22 patterns.
			for piece := uint64(w); piece < 1<<10; piece += uint64(workers) {
				if halted() {
					return
				}
				from, to := piece<<22, (piece+1)<<22
				for x := (from + step - 1) / step * step; x < to; x += step {
					if !call(uint32(x)) {
						return
					}
				}
				if step == 1 {
					continue
				}
				for d := range uint64(64) {
					if !call(uint32(from+d)) || !call(uint32(to-1-d)) {
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestAll32(t *testing.T) {
	var mu sync.Mutex
	seen := map[uint32]bool{}
	all32(t, 100003, func(x uint32) bool {
		mu.Lock()
		defer mu.Unlock()
		seen[x] = true
		return true
	})
	for _, x := range []uint32{0, 1, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff, 0x80000000, 0xff800000, 0xffffffff, 0x3f800000, 100003} {
		if !seen[x] && !*exhaustive {
			t.Errorf("%#x was left out", x)
		}
	}
}
