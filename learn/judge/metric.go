package judge

import (
	"math/bits"

	"github.com/gocuda/gocuda/prof/memsys"
)

// A Metric is a count, and the place of the source that contributes most to it.
type Metric struct {
	Name  string
	Value float64
	Where string // "" if there is no such place
}

// sum adds up f over the requests that are wanted, and finds the site with the largest share.
func (k *Counts) sum(name string, wanted func(*request) bool, f func(*request) float64) Metric {
	m := Metric{Name: name}
	by := map[int]float64{}
	for _, r := range k.order {
		if wanted(r) {
			v := f(r)
			m.Value += v
			by[r.site] += v
		}
	}
	m.Where = k.largest(by)
	return m
}

// mean is the sum of f over the requests that are wanted by their number; its place is the one with
// the largest mean.
func (k *Counts) mean(name string, wanted func(*request) bool, f func(*request) float64) Metric {
	m := Metric{Name: name}
	total, n := map[int]float64{}, map[int]float64{}
	all := 0.0
	for _, r := range k.order {
		if wanted(r) {
			v := f(r)
			m.Value += v
			all++
			total[r.site] += v
			n[r.site]++
		}
	}
	if all > 0 {
		m.Value /= all
	}
	for site := range total {
		total[site] /= n[site]
	}
	m.Where = k.largest(total)
	return m
}

// largest is the place of the site with the largest value, of equal ones the first in the source.
func (k *Counts) largest(by map[int]float64) string {
	best := -1
	for site, v := range by {
		if best < 0 || v > by[best] || v == by[best] && site < best {
			best = site
		}
	}
	return k.place(best)
}

func isLoad(where space) func(*request) bool {
	return func(r *request) bool { return r.space == where && !r.Store && !r.atomic }
}

func isStore(where space) func(*request) bool {
	return func(r *request) bool { return r.space == where && r.Store }
}

func (k *Counts) sectors(r *request) float64 {
	t, err := memsys.Global(k.capability, r.Request, memsys.L2)
	if err != nil {
		panic(err) // Split has made the request a legal one
	}
	return float64(len(t.Transactions))
}

func (k *Counts) passes(r *request) memsys.Passes {
	p, err := memsys.Shared(k.capability, r.Request, memsys.Bank32)
	if err != nil {
		panic(err)
	}
	return p
}

func lanes(r *request) float64 { return float64(bits.OnesCount32(r.Active)) }

// LoadSectors is the number of 32-byte sectors that a warp's load of global memory moves, on average.
func (k *Counts) LoadSectors() Metric {
	return k.mean("sectors a global load", isLoad(global), k.sectors)
}

// StoreSectors is the number of 32-byte sectors that a warp's store to global memory moves, on average.
func (k *Counts) StoreSectors() Metric {
	return k.mean("sectors a global store", isStore(global), k.sectors)
}

// TotalLoadSectors is the number of 32-byte sectors that all loads of global memory move.
func (k *Counts) TotalLoadSectors() Metric {
	return k.sum("sectors of all global loads", isLoad(global), k.sectors)
}

// Loads is the number of loads of global memory, each thread counted.
func (k *Counts) Loads() Metric { return k.sum("global loads", isLoad(global), lanes) }

// Stores is the number of stores to global memory, each thread counted.
func (k *Counts) Stores() Metric { return k.sum("global stores", isStore(global), lanes) }

// AccessesOfAThread is the number of loads, stores and atomics, of any memory, by the thread that
// makes most of them in a launch. It shows whether the threads share the work.
func (k *Counts) AccessesOfAThread() Metric {
	return k.busiest("accesses of memory by one thread", func(a *activity) int { return a.accesses })
}

// ElementsOfAThread is the number of elements of global memory that are written by the thread which
// writes most of them in a launch.
func (k *Counts) ElementsOfAThread() Metric {
	return k.busiest("elements written by one thread", func(a *activity) int { return len(a.written) })
}

// busiest is the largest f of a thread.
func (k *Counts) busiest(name string, f func(*activity) int) Metric {
	most := &activity{}
	for _, a := range k.threads {
		if f(a) > f(most) {
			most = a
		}
	}
	by := map[int]float64{}
	for site, n := range most.sites {
		by[site] = float64(n)
	}
	return Metric{Name: name, Value: float64(f(most)), Where: k.largest(by)}
}

// Atomics is the number of atomic operations on global memory, each thread counted.
func (k *Counts) Atomics() Metric {
	return k.sum("global atomics", func(r *request) bool { return r.space == global && r.atomic }, lanes)
}

// SharedLoads is the number of loads of shared memory, each thread counted.
func (k *Counts) SharedLoads() Metric { return k.sum("shared loads", isLoad(shared), lanes) }

// SharedAccesses is the number of loads, stores and atomics of shared memory, each thread counted.
func (k *Counts) SharedAccesses() Metric {
	return k.sum("shared accesses", func(r *request) bool { return r.space == shared }, lanes)
}

// ExcessPasses is the number of passes over the banks of shared memory that bank conflicts cause.
func (k *Counts) ExcessPasses() Metric {
	return k.sum("passes for bank conflicts", func(r *request) bool { return r.space == shared && !r.atomic },
		func(r *request) float64 { return float64(k.passes(r).Excess()) })
}

// SharedPasses is the number of passes over the banks of shared memory that a warp's access takes,
// on average.
func (k *Counts) SharedPasses() Metric {
	return k.mean("passes a shared access", func(r *request) bool { return r.space == shared && !r.atomic },
		func(r *request) float64 { return float64(k.passes(r).Passes) })
}

// ConstantPasses is the number of reads of the constant cache that a warp's load takes, on average.
func (k *Counts) ConstantPasses() Metric {
	return k.mean("passes a constant load", isLoad(constant), func(r *request) float64 {
		n, err := memsys.Constant(k.capability, r.Request)
		if err != nil {
			panic(err)
		}
		return float64(n)
	})
}

// BarriersPerBlock is the number of barriers that a block passes, on average: of its thread that
// passes most.
func (k *Counts) BarriersPerBlock() Metric {
	most := map[int]int{}
	for at, n := range k.barriers {
		most[at.block] = max(most[at.block], n)
	}
	total := 0
	for _, n := range most {
		total += n
	}
	return Metric{Name: "barriers a block", Value: float64(total) / float64(max(k.Blocks, 1))}
}

// SharedBytes is the shared memory of the block that has most of it, in bytes.
func (k *Counts) SharedBytes() Metric {
	most := 0
	for _, spans := range k.shared {
		n := 0
		for _, s := range spans {
			n += int(s.n)
		}
		most = max(most, n)
	}
	return Metric{Name: "bytes of shared memory a block", Value: float64(most)}
}

// BranchEfficiency is 100 times the branches of warps at which all active lanes go one way, by all
// branches.
func (k *Counts) BranchEfficiency() Metric {
	var all memsys.Branches
	by := map[int]float64{}
	for key, b := range k.branches {
		before := all.Divergent
		all.Branch(b.active, b.taken)
		by[key.site] += float64(all.Divergent - before)
	}
	return Metric{Name: "branch efficiency in percent", Value: all.Efficiency(), Where: k.largest(by)}
}
