package bench

// Applications returns the applications by which Ryoo et al. (PPoPP 2008) measured the GeForce 8800 GTX, in the order of the
// report. They are beside the standard workloads: a run without names leaves them out.
func Applications() []Workload {
	return []Workload{
		{Name: "tpacf", About: "pairs of points on the sky by their angle, a point a thread, blocks of 64", Sizes: []int{4096}, Quick: 2048, Unit: "Mpair/s", each: 120, power: 2, setup: setupTPACF},
		{Name: "pns", About: "Petri nets of 512 places, 2000 steps, a net a thread, blocks of 16", Sizes: []int{4096}, Quick: 512, Unit: "Mstep/s", each: 500000, setup: setupPNS},
		{Name: "rc5", About: "keys of RC5-72, a key a thread, blocks of 128", Sizes: []int{1 << 20}, Quick: 1 << 18, Unit: "Mkey/s", each: 5000, setup: setupRC5},
	}
}

// everyWorkload returns all workloads that have names.
func everyWorkload() []Workload { return append(Workloads(), Applications()...) }

// groups are names for several workloads.
var groups = map[string]func() []Workload{"standard": Workloads, "applications": Applications}
