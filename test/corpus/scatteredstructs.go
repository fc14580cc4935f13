//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Structs that are stored where each thread has computed it: steps of transforms, buckets,
// particles that are put in order.

type ssComplex struct{ re, im float32 }

func (a ssComplex) times(b ssComplex) ssComplex {
	return ssComplex{a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re}
}

type ssParticle struct {
	pos, vel [2]float32
	cell     int32
	alive    bool
}

// A step of Stockham's transform.
//
//gocuda:kernel
func ssStep(t *gocuda.Thread, n, by int, place []int32, in, out []ssComplex, from, to []ssParticle) {
	j := t.GlobalX()
	if j >= n/2 {
		return
	}
	k := j % by
	a, b := in[j], in[j+n/2].times(in[k])
	d := j/by*by*2 + k
	out[d] = ssComplex{a.re + b.re, a.im + b.im}
	out[d+by] = ssComplex{a.re - b.re, a.im - b.im}
}

// To places from memory: whole structs, copies of them, and ones with arrays and a bool.
//
//gocuda:kernel
func ssPlaces(t *gocuda.Thread, n, by int, place []int32, in, out []ssComplex, from, to []ssParticle) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	at := place[i]
	out[at] = ssComplex{in[i].im * 2, in[i].re}
	p := from[i]
	p.vel[0] += p.pos[1]
	p.pos[0], p.pos[1] = p.pos[1], p.pos[0]
	p.cell += int32(by)
	p.alive = p.alive != (p.cell > 40)
	to[at] = p
}

// Under a guard, some behind others in the same place, and swapped within one array.
//
//gocuda:kernel
func ssSome(t *gocuda.Thread, n, by int, place []int32, in, out []ssComplex, from, to []ssParticle) {
	i := t.GlobalX()
	if i < n && place[i]%3 != 0 {
		at := int(place[i])
		x := out[at]
		out[at] = in[i]
		if x.re <= in[at].re {
			out[at] = ssComplex{x.im, in[at].re}
			to[at] = from[i]
		}
	}
}

func ssCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n, by int, place []int32, in, out []ssComplex, from, to []ssParticle)
	type maker = func(n, by int, place []int32, in, out []ssComplex, from, to []ssParticle) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{{"ssStep", ssStep, ssStepKernel}, {"ssPlaces", ssPlaces, ssPlacesKernel}, {"ssSome", ssSome, ssSomeKernel}} {
		for _, s := range []struct{ n, by, block int }{{1024, 1, 128}, {1024, 4, 64}, {256, 64, 32}, {512, 256, 256}, {2, 1, 32}, {600, 3, 128}} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.n + s.block - 1) / s.block}, Block: grid.Dim3{X: s.block}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d by %d, blocks of %d", k.name, s.n, s.by, s.block), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				n := s.n
				place, in, out := make([]int32, n), make([]ssComplex, n), make([]ssComplex, n+s.by)
				from, to := make([]ssParticle, n), make([]ssParticle, n)
				for i := range n {
					place[i] = int32((i*7 + 3) % n) // n has no factor 7
					in[i] = ssComplex{float32(i%17) - 5, float32(i%13) / 4}
					from[i] = ssParticle{pos: [2]float32{float32(i), float32(-i)}, vel: [2]float32{1, float32(i % 5)}, cell: int32(i % 64), alive: i%3 == 0}
				}
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.n, s.by, place, in, out, from, to) }),
					Compiled: k.compiled(s.n, s.by, place, in, out, from, to),
					Outputs:  []any{out, to},
				}
			}})
		}
	}
	return cases
}

// A place that is out of range in one thread: what others have stored before stays, and no field of
// that thread's.
//
//gocuda:kernel
func failStructPlace(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[ssComplex](t, 64)
	i, tid := t.GlobalX(), t.Rank()
	at := in[i&^63]&63 ^ int32(tid) // a place of its own
	if unlucky(t, who) {
		at += 64
	}
	out[i] = in[i] + 1
	s[at] = ssComplex{float32(i), 1}
	t.SyncThreads()
	out[i] += int32(s[tid&63].im)
}
