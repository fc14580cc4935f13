package bench

// Applications returns the applications by which Ryoo et al. (PPoPP 2008) measured the GeForce 8800 GTX, in the order of the
// report. They are beside the standard workloads: a run without names leaves them out.
func Applications() []Workload {
	return []Workload{
		{Name: "sad", About: "4x4 sums of absolute differences at 33x33 offsets, and the 41 block sizes of H.264; a macroblock a block", Sizes: []int{256}, Quick: 64, Unit: "Gdiff/s", side: true, each: 9000, power: 2, setup: setupSAD},
		{Name: "rpes", About: "two-electron integrals of s shells of three primitives, a quartet of shells a thread", Sizes: []int{1 << 20}, Quick: 1 << 14, Unit: "Mint/s", each: 20000, setup: setupRPES},
	}
}

// everyWorkload returns all workloads that have names.
func everyWorkload() []Workload { return append(Workloads(), Applications()...) }

// groups are names for several workloads.
var groups = map[string]func() []Workload{"standard": Workloads, "applications": Applications}
