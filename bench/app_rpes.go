package bench

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/rpes"
)

// The workload rpes: all two-electron integrals of hydrogen atoms in the basis STO-3G, in float32.
// All are of s shells. The size is the number of integrals; the number of atoms is the smallest
// that has as many integrals.

func setupRPES(e env, size int) *problem {
	// 24 for the results, of which the kernel's are a square of pairs, and the lists of pairs
	// besides, which small sizes have more of.
	if p := tooLarge(60, size); p != nil {
		return p
	}
	n := 1
	for rpes.Count(n) < size {
		n++
	}
	side := 2.5 * math.Cbrt(float64(n)) // bohr
	places := random(3 * n)
	shells := make([]rpes.Shell, n)
	for i := range shells {
		shells[i] = rpes.Slater(0, [3]float64{side * float64(places[3*i]), side * float64(places[3*i+1]), side * float64(places[3*i+2])}, 1.24)
	}
	plan, err := rpes.NewPlan[float32](shells)
	if err != nil {
		return &problem{err: err}
	}
	got, stride := plan.Block(0, 0)
	count := n * (n + 1) / 2
	want, plain := make([]float64, rpes.Count(n)), make([]float64, rpes.Count(n))
	serial.RPESIntegrals(shells, want)
	fresh := false // the result is in serial, and not in got
	take := func(f func()) func() error {
		return func() error {
			fresh = true
			f()
			return nil
		}
	}
	return &problem{
		run: map[string]func() error{
			Serial: take(func() { serial.RPESIntegrals(shells, plain) }),
			Goroutines: take(func() {
				// The later a pair, the more pairs are before it: equal parts end where the roots do.
				split(e.workers, e.workers, func(part, _, _ int) {
					end := func(k int) int { return int(math.Sqrt(float64(k)/float64(e.workers)) * float64(count)) }
					serial.RPESIntegralsOf(end(part), end(part+1), shells, plain)
				})
			}),
		},
		kernel: func(on kernels.Launcher) error {
			fresh = false
			return plan.Run(e.ctx, on)
		},
		native: &exchange{
			in:  arrays(of(rpesCenters(shells)), of(shells[0].Exponents), of(shells[0].Coefficients)),
			out: arrays(of(got)),
		},
		amount: everywhere(1e-6 * float64(len(want))),
		wipe: func(step int) {
			fresh = false
			wiping(got)(step)
			wiping(plain)(step)
		},
		check: func() error {
			// Each integral is a sum of 81 positive numbers, and at most 64 roundings off.
			for p := range count {
				for q := range p + 1 {
					v, w := float64(got[p*stride+q]), want[p*(p+1)/2+q]
					if fresh {
						v = plain[p*(p+1)/2+q]
					}
					if !(math.Abs(v-w) <= 64*0x1p-24*w+1e-30) {
						return fmt.Errorf("the integral of pairs %d and %d is %v, the reference is %v", p, q, v, w)
					}
				}
			}
			return nil
		},
	}
}

// rpesCenters returns the centers of shells, one after the other.
func rpesCenters(shells []rpes.Shell) []float64 {
	var v []float64
	for _, s := range shells {
		v = append(v, s.Center[:]...)
	}
	return v
}
