package bench

// Applications returns the applications by which Ryoo et al. (PPoPP 2008) measured the GeForce 8800
// GTX, in the order of the report. They are beside the standard workloads: a run without names
// leaves them out.
func Applications() []Workload {
	all := []Workload{
		{Name: "cp", About: "Coulomb potential of 5000 atoms, eight points a thread, blocks of 16x8", Sizes: []int{256}, Quick: 128, Unit: "Mpair/s", side: true, each: 5e4, power: 2, setup: setupCP},
		{Name: "mriq", About: "MRI-Q, 2048 samples, a voxel a thread, blocks of 256", Sizes: []int{1 << 14}, Quick: 1 << 12, Unit: "Mpair/s", each: 2e5, setup: setupMRIQ},
		{Name: "mrifhd", About: "MRI-FHD, 2048 samples, a voxel a thread, blocks of 256", Sizes: []int{1 << 14}, Quick: 1 << 12, Unit: "Mpair/s", each: 2e5, setup: setupMRIFHD},
		{Name: "lbm", About: "D3Q19 BGK in a cavity with a moving lid, a thread a cell, a launch a step", Sizes: []int{64, 128}, Quick: 32, Unit: "Mcell/s", cube: true, each: 4000, power: 3, setup: setupLBM},
		{Name: "tpacf", About: "pairs of points on the sky by their angle, a point a thread, blocks of 64", Sizes: []int{4096}, Quick: 2048, Unit: "Mpair/s", each: 120, power: 2, setup: setupTPACF},
		{Name: "rc5", About: "keys of RC5-72, a key a thread, blocks of 128", Sizes: []int{1 << 20}, Quick: 1 << 18, Unit: "Mkey/s", each: 5000, setup: setupRC5},
		{Name: "sad", About: "4x4 sums of absolute differences at 33x33 offsets, and the 41 block sizes of H.264; a macroblock a block", Sizes: []int{256}, Quick: 64, Unit: "Gdiff/s", side: true, each: 9000, power: 2, setup: setupSAD},
		{Name: "pns", About: "Petri nets of 512 places, 2000 steps, a net a thread, blocks of 16", Sizes: []int{4096}, Quick: 512, Unit: "Mstep/s", each: 500000, setup: setupPNS},
		{Name: "fem", About: "explicit dynamics of a block in linear tetrahedra, a thread an element and a thread a node", Sizes: []int{32, 64}, Quick: 24, Unit: "Melem/s", cube: true, each: 6000, power: 3, setup: setupFEM},
		{Name: "rpes", About: "two-electron integrals of s shells of three primitives, a quartet of shells a thread", Sizes: []int{1 << 20}, Quick: 1 << 14, Unit: "Mint/s", each: 20000, setup: setupRPES},
	}
	for i := range all {
		all[i].noOpenCL = true
	}
	return all
}

// everyWorkload returns all workloads that have names.
func everyWorkload() []Workload { return append(Workloads(), Applications()...) }

// groups are names for several workloads.
var groups = map[string]func() []Workload{"standard": Workloads, "applications": Applications}
