package prof

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/prof/memsys"
)

// A GPU is one whose rules the counts follow. Figures of the board are from its data sheet; they
// are zero if only the capability is known, and matter to the model alone.
type GPU struct {
	Name       string
	Capability gocuda.Capability
	SMs        int     // multiprocessors
	MHz        float64 // of the arithmetic units
	GFLOPS     float64 // peak of float32, a fused multiply-add being two
	GBs        float64 // peak of device memory, in 10^9 bytes a second
	Latency    float64 // of device memory, in cycles
	Attained   float64 // the share of GBs attained at best: fitted to docs/model.md for the oldest four, else assumed
	Partitions int     // memory partitions, interleaved every 256 bytes; 0: addresses are hashed over them
}

// GPUs are the boards with names, oldest first.
var GPUs = []GPU{
	{"g80", gocuda.Capability{Major: 1}, 16, 1350, 345.6, 86.4, 500, 0.73, 6},
	{"gt200", gocuda.Capability{Major: 1, Minor: 3}, 30, 1296, 622, 141.7, 500, 0.78, 8},
	{"fermi", gocuda.Capability{Major: 2}, 16, 1300, 1331, 177, 600, 0.85, 0},
	{"kepler", gocuda.Capability{Major: 3, Minor: 5}, 14, 732, 3935, 250, 500, 0.68, 0},
	{"volta", gocuda.Capability{Major: 7}, 80, 1530, 15700, 900, 450, 0.85, 0},
	{"ampere", gocuda.Capability{Major: 8}, 108, 1410, 19500, 1555, 500, 0.85, 0},
	{"hopper", gocuda.Capability{Major: 9}, 132, 1980, 67000, 3350, 550, 0.85, 0},
}

// FindGPU returns the GPU of a name in [GPUs], or of a compute capability such as "8.6".
func FindGPU(name string) (GPU, error) {
	for _, g := range GPUs {
		if g.Name == strings.ToLower(name) {
			return g, nil
		}
	}
	major, minor, ok := strings.Cut(name, ".")
	a, err1 := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	c := gocuda.Capability{Major: a, Minor: b}
	if ok && err1 == nil && err2 == nil {
		if _, err := c.Occupancy(32, 0, 0); err == nil {
			for _, g := range GPUs {
				if g.Capability == c {
					return g, nil
				}
			}
			return GPU{Name: c.String(), Capability: c}, nil
		}
	}
	var names []string
	for _, g := range GPUs {
		names = append(names, g.Name)
	}
	return GPU{}, fmt.Errorf("prof: there is no GPU %q: %s, or a compute capability such as 8.6", name, strings.Join(names, ", "))
}

// The rules for global memory, in the order of [Site.Global].
const (
	rule10  = iota // 1.0 and 1.1
	rule12         // 1.2 and 1.3
	ruleL1         // 2.x and 3.x, loads through L1
	ruleL2         // 2.x and 3.x past L1
	ruleNow        // 5.x and later
	globalRules
)

var globalRuleOf = [globalRules]struct {
	c    gocuda.Capability
	path memsys.Path
}{
	{gocuda.Capability{Major: 1}, memsys.L2}, {gocuda.Capability{Major: 1, Minor: 2}, memsys.L2},
	{gocuda.Capability{Major: 2}, memsys.L1}, {gocuda.Capability{Major: 2}, memsys.L2}, {gocuda.Capability{Major: 8}, memsys.L2},
}

// The rules for shared memory, in the order of [Site.Shared].
const (
	banks16 = iota // 1.x
	banks32        // 2.x, 5.x and later
	banks3x        // 3.x, 32-bit mode
	banks64        // 3.x, 64-bit mode
	sharedRules
)

var sharedRuleOf = [sharedRules]struct {
	c     gocuda.Capability
	width memsys.BankWidth
}{
	{gocuda.Capability{Major: 1}, memsys.Bank32}, {gocuda.Capability{Major: 2}, memsys.Bank32},
	{gocuda.Capability{Major: 3}, memsys.Bank32}, {gocuda.Capability{Major: 3}, memsys.Bank64},
}

// globalRule is the index of the rule of a capability. Loads of 3.x are not cached in L1 by
// default; those of 2.x are.
func (g GPU) globalRule(store bool) int {
	switch c := g.Capability; {
	case c.Major == 1 && c.Minor < 2:
		return rule10
	case c.Major == 1:
		return rule12
	case c.Major == 2 && !store:
		return ruleL1
	case c.Major <= 3:
		return ruleL2
	}
	return ruleNow
}

func (g GPU) sharedRule() int {
	switch g.Capability.Major {
	case 1:
		return banks16
	case 3:
		return banks3x
	}
	return banks32
}

func (g GPU) constantRule() int {
	if g.Capability.Major == 1 {
		return 0
	}
	return 1
}

// Coalesce returns the transactions of one request.
func (g GPU) Coalesce(q memsys.Request) (memsys.Traffic, error) {
	rule := globalRuleOf[g.globalRule(q.Store)]
	return memsys.Global(rule.c, q, rule.path)
}

// Bank returns the passes over the banks of shared memory of one request.
func (g GPU) Bank(q memsys.Request) (memsys.Passes, error) {
	rule := sharedRuleOf[g.sharedRule()]
	return memsys.Shared(rule.c, q, rule.width)
}

// Banks is the number of banks of shared memory, of 4 bytes each.
func (g GPU) Banks() int {
	if g.Capability.Major == 1 {
		return 16
	}
	return 32
}

// Unit names what a request moves.
func (g GPU) Unit(store bool) string {
	switch g.globalRule(store) {
	case rule10, rule12:
		return "transactions"
	case ruleL1:
		return "lines"
	}
	return "sectors"
}
