package prof

import (
	"fmt"
	"strings"
)

// A Model is an estimate of the time of a launch on a GPU, from its exact counts. It is meant for
// comparing and for ratios; docs/model.md compares it with published measurements. Nothing should
// be tested against its times.
//
// Each multiprocessor has an equal share of the blocks. It takes as long as the largest of several
// bounds, and half of the smaller one of issue and memory, since a block can't overlap all of its
// address arithmetic with its own loads:
//
//	issue    instructions by class, times the cycles for which a warp's instruction keeps its units busy
//	shared   passes over the banks
//	cache    bytes between multiprocessors and the L2 cache, from capability 2.0 on
//	bytes    bytes of device memory, those of the busiest partition where partitions take turns
//	latency  of loads and dependent instructions, divided by the warps that are there to hide it
type Model struct {
	Issue, Shared, Cache, Bytes, Latency float64 // seconds

	Seconds float64 // the model's time of one launch
	Limiter string  // the name of the largest bound

	Flops     float64 // operations on floating point of a launch
	Intensity float64 // operations a byte of device memory: the x of the roofline
	GFLOPS    float64 // the y
	GBs       float64 // 10^9 bytes of device memory that threads ask for, a second

	// Ratio is the cycles in which requests of device memory are issued, over those of all other
	// instructions: the "global memory to computation cycles ratio" of Ryoo et al. (PPoPP 2008),
	// table 3.
	Ratio float64
}

// costs are the cycles of a multiprocessor that a warp's instruction takes.
type costs struct {
	plain, imul, idiv, fdiv, special, double, convert, memory float64
	pass                                                      float64 // over the banks
	slot                                                      float64 // of each transaction of a request after the first, on 1.x; later the cache takes them
	depend                                                    float64 // until an instruction's result can be used
	start                                                     float64 // of a block
}

// costsOf returns the costs on a GPU. Those of 1.x are of Nickolls and Kirk, "Graphics and
// Computing GPUs", and of the CUDA C Programming Guide 1.1, section 5.1.1; later ones follow from
// the results a cycle of the guide's tables of throughput.
func (g GPU) costs() costs {
	// A warp of 32 fused multiply-adds is 64 operations.
	plain := 64e-3 * float64(g.SMs) * g.MHz / g.GFLOPS
	switch g.Capability.Major {
	case 1:
		// 622 GFLOPS of GT200 are those of its multiply-adds.
		return costs{plain: plain, imul: 16, idiv: 140, fdiv: 36, special: 32, double: 32, convert: 4, memory: 4, pass: 2, slot: 4, depend: 24, start: 200}
	case 2:
		return costs{plain: plain, imul: 2, idiv: 36, fdiv: 16, special: 8, double: 2, convert: 2, memory: 2, pass: 1, depend: 22, start: 100}
	case 3:
		return costs{plain: plain, imul: 1, idiv: 12, fdiv: 8, special: 1, double: 0.5, convert: 1, memory: 1, pass: 1, depend: 10, start: 50}
	}
	return costs{plain: plain, imul: plain, idiv: 10, fdiv: 5, special: 2, double: 2 * plain, convert: 2, memory: 1, pass: 1, depend: 4, start: 50}
}

// of returns the cycles of an operation of a class.
func (c costs) of(class string) float64 {
	switch class {
	case "imul":
		return c.imul
	case "idiv":
		return c.idiv
	case "fdiv":
		return c.fdiv
	case "ddiv":
		return 8 * c.double
	case "special":
		return c.special
	case "convert":
		return c.convert
	case "dadd", "dmul", "dfma":
		return c.double
	}
	return c.plain
}

const (
	inFlight    = 2   // loads of a warp that wait at the same time
	serial      = 0.5 // the share of issue or memory, whichever is shorter, that the other does not overlap
	cacheFactor = 2.5 // bandwidth of L2, of that of device memory
)

// Model returns the model of a launch of the kernel on a GPU. It is an error if the GPU is only a
// compute capability, or if the block does not fit.
func (l *Launch) Model(g GPU) (Model, error) {
	if g.SMs == 0 {
		return Model{}, fmt.Errorf("prof: there is no model for %s: it needs a board such as volta", g)
	}
	o, err := l.Occupancy(g)
	if err != nil {
		return Model{}, err
	}
	if o.Blocks == 0 {
		return Model{}, fmt.Errorf("prof: a block of %d threads does not fit on %s: too many %v", l.Block.Size(), g.Name, o.LimitedBy)
	}
	if l.Sampled == 0 {
		return Model{}, fmt.Errorf("prof: no block of %s was looked at", l.Kernel)
	}
	c := g.costs()
	var t tally
	for class, n := range l.Ops {
		t.issue += c.of(class) * float64(n)
		t.instructions += float64(n)
	}
	for _, s := range l.Sites {
		t.site(g, c, s)
	}
	compute := t.issue - t.memory
	t.issue += c.start * float64(l.Sampled)
	device := t.bytes
	if g.Capability.Major >= 2 {
		device = 32 * float64(l.Fresh+l.Pages)
	}

	// The counts are those of the blocks looked at, in all launches.
	scale := ratio(l.Blocks, l.Sampled) / float64(l.Count)
	blocks := float64(l.Blocks) / float64(l.Count)
	sms := min(float64(g.SMs), blocks)
	resident := min(float64(o.Blocks), blocks/sms) * float64(l.Warps) / float64(l.Sampled)
	cycles := scale / sms / (g.MHz * 1e6)
	bandwidth := g.GBs * 1e9 * g.Attained
	m := Model{
		Issue:   t.issue * cycles,
		Shared:  t.passes * c.pass * cycles,
		Bytes:   device * scale / bandwidth,
		Latency: (t.loads*g.Latency/inFlight + t.instructions*c.depend) / resident * cycles,
	}
	if g.Capability.Major >= 2 {
		m.Cache = t.moved * scale / (cacheFactor * bandwidth)
	}
	m.Seconds = -1
	for _, b := range m.Bounds() {
		if b.Seconds > m.Seconds {
			m.Seconds, m.Limiter = b.Seconds, b.Name
		}
	}
	m.Seconds += serial * min(m.Issue, max(m.Bytes, m.Cache))
	if m.Limiter != "shared" {
		m.Seconds += serial / 4 * m.Shared
	}
	if compute > 0 {
		m.Ratio = t.memory / compute
	}
	single, double := l.Flops()
	m.Flops = float64(single+double) * scale
	if device > 0 {
		m.Intensity = float64(single+double) / device
	}
	m.GFLOPS = m.Flops / m.Seconds / 1e9
	m.GBs = t.asked * scale / m.Seconds / 1e9
	return m, nil
}

// A Bound is one bound of a [Model].
type Bound struct {
	Name    string
	Seconds float64
}

// Bounds returns the bounds under the names that Limiter has.
func (m Model) Bounds() []Bound {
	return []Bound{{"issue", m.Issue}, {"shared", m.Shared}, {"cache", m.Cache}, {"bytes", m.Bytes}, {"latency", m.Latency}}
}

// A tally adds up what the sites of a launch cost.
type tally struct {
	issue, instructions, passes, bytes, moved, asked, loads float64
	memory                                                  float64 // of issue, requests of device memory
}

func (t *tally) site(g GPU, c costs, s *Site) {
	n := float64(s.Requests)
	switch {
	case s.Kind == "warp" && g.Capability.Major < 7 && strings.Contains(s.Text, "SyncWarp"):
		return // warps are in step
	case s.Space == SpaceGlobal:
		traffic := s.Traffic(g)
		cycles := c.memory*n + c.slot*max(0, float64(traffic.Transactions-traffic.Requests))
		if s.Kind == "atomic" {
			cycles += c.slot * float64(s.Most)
		}
		t.issue += cycles
		t.memory += cycles
		if s.Kind != "store" {
			t.loads += n
		}
		t.moved += float64(traffic.Bytes)
		t.asked += float64(s.Bytes)
		bytes := float64(traffic.Distinct)
		for i, camp := range camps {
			if g.Partitions == camp.partitions {
				bytes = max(bytes, float64(s.Camped[i]*camp.partitions))
			}
		}
		t.bytes += bytes
	case s.Space == SpaceShared:
		p := s.Passes(g)
		t.passes += float64(p.Passes)
		// On 1.x the unit that issues instructions also makes the passes.
		if g.Capability.Major == 1 {
			t.issue += c.pass * float64(p.Passes)
		} else {
			t.issue += c.memory * n
		}
	case s.Space == SpaceConstant:
		t.issue += c.plain * float64(s.Constant[g.constantRule()])
	case s.Kind == "texture":
		t.issue += c.memory * n
		t.loads += n
	case s.Kind == "warp":
		t.issue += c.memory * n
	default:
		t.issue += c.plain * n
	}
	t.instructions += n
}
