package prof

// HongKim is the analytical model of Hong and Kim, "An Analytical Model for a GPU Architecture with
// Memory-level and Thread-level Parallelism Awareness" (ISCA 2009), section 3. The fields have the
// paper's names and are for one warp where nothing else is said.
type HongKim struct {
	Frequency float64 // GHz of the multiprocessors
	Bandwidth float64 // of memory, GB/s
	SMs       int

	MemLatency       float64 // Mem_LD, cycles
	DepartureUncoal  float64 // cycles between transactions of an uncoalesced access
	DepartureCoal    float64 // between coalesced ones of different warps
	IssueCycles      float64 // of an instruction
	LoadBytes        float64 // of a warp's memory instruction
	UncoalPerRequest float64 // transactions of an uncoalesced access

	Blocks, BlocksPerSM, WarpsPerBlock int
	Computing, Uncoal, Coal, Barriers  float64 // instructions
}

// Cycles returns the execution time of the launch in cycles: equations 1 to 26 of the paper.
func (h HongKim) Cycles() float64 {
	mem := h.Uncoal + h.Coal
	comp := h.IssueCycles * (h.Computing + mem)
	n := float64(h.BlocksPerSM * h.WarpsPerBlock)
	rep := float64(h.Blocks) / float64(h.BlocksPerSM*h.SMs)
	if mem == 0 {
		return comp * n * rep
	}
	latUncoal := h.MemLatency + (h.UncoalPerRequest-1)*h.DepartureUncoal
	weight := h.Uncoal / mem
	latency := latUncoal*weight + h.MemLatency*(1-weight)
	departure := h.DepartureUncoal*h.UncoalPerRequest*weight + h.DepartureCoal*(1-weight)
	waiting := latUncoal*h.Uncoal + h.MemLatency*h.Coal

	perWarp := h.Frequency * h.LoadBytes / latency
	mwp := min(latency/departure, h.Bandwidth/(perWarp*float64(h.SMs)), n)
	cwp := min((waiting+comp)/comp, n)
	var cycles float64
	switch {
	case mwp == n && cwp == n:
		cycles = waiting + comp + comp/mem*(mwp-1)
	case cwp >= mwp || comp > waiting:
		cycles = waiting*n/mwp + comp/mem*(mwp-1)
	default:
		cycles = h.MemLatency + comp*n
	}
	return (cycles + departure*(mwp-1)*h.Barriers*float64(h.BlocksPerSM)) * rep
}
