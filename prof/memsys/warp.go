package memsys

import "github.com/gocuda/gocuda/gocuda"

// Constant returns how many reads of the constant cache a load is. The cache serves one address at
// a time, for all lanes of a warp, or of a half-warp on 1.x, that ask for it (CUDA C Programming
// Guide 4.2, section 5.3.2.4).
func Constant(c gocuda.Capability, r Request) (int, error) {
	if err := r.check(c); err != nil {
		return 0, err
	}
	n := Lanes
	if c.Major == 1 {
		n = 16
	}
	reads := 0
	for from := range r.groups(n) {
		reads += len(lanesAt(&r, from, n))
	}
	return reads, nil
}

// Contention is how the lanes of an atomic operation meet.
type Contention struct {
	Addresses int // distinct ones
	Most      int // lanes at the address that has most: they follow one another
}

// Contend returns the contention of an atomic operation. The error is that of a request that no GPU
// has.
func Contend(r Request) (Contention, error) {
	if err := r.valid(); err != nil {
		return Contention{}, err
	}
	at := lanesAt(&r, 0, Lanes)
	c := Contention{Addresses: len(at)}
	for _, n := range at {
		c.Most = max(c.Most, n)
	}
	return c, nil
}

// lanesAt counts the active lanes of [from, from+n) by address.
func lanesAt(r *Request, from, n int) map[uint64]int {
	at := make(map[uint64]int)
	for _, a := range r.lanes(from, from+n) {
		at[a]++
	}
	return at
}

// Branches counts branches of warps. The zero value is ready to use.
type Branches struct {
	Branches  int // taken by a warp with at least one active lane
	Divergent int // those at which the active lanes part
}

// Branch counts one branch of a warp: of the lanes in active, those in taken go one way, the others
// the other. A warp without active lanes doesn't branch.
func (b *Branches) Branch(active, taken uint32) {
	if active == 0 {
		return
	}
	b.Branches++
	if taken &= active; taken != 0 && taken != active {
		b.Divergent++
	}
}

// Efficiency is 100 (branches - divergent)/branches: branch_efficiency of nvprof. It is 100 if
// there was no branch.
func (b *Branches) Efficiency() float64 {
	if b.Branches == 0 {
		return 100
	}
	return 100 * float64(b.Branches-b.Divergent) / float64(b.Branches)
}
