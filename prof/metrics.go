package prof

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
)

// A Metric is a figure of a kernel under the names that NVIDIA's tools give it.
type Metric struct {
	Section string
	Nvprof  string
	Compute string // Nsight Compute
	Value   float64
	Unit    string // "", %, bytes
}

// sum adds up f over the sites of a kind and space; an empty string stands for all.
func (k *Kernel) sum(kind, space string, f func(s *Site) int) int {
	n := 0
	for _, l := range k.Launches {
		for _, s := range l.Sites {
			if (kind == "" || s.Kind == kind) && (space == "" || s.Space == space) {
				n += f(s)
			}
		}
	}
	return n
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Requests returns the number of requests of warps: kind is load, store or atomic, space global,
// shared or constant.
func (k *Kernel) Requests(kind, space string) int {
	return k.sum(kind, space, func(s *Site) int { return s.Requests })
}

// Transactions returns what the global loads or stores of the kernel move: sectors of 32 bytes on
// the GPUs since 3.x; on 1.x transactions of 32 to 128 bytes, and lines of 128 bytes for loads on
// 2.x.
func (k *Kernel) Transactions(kind string) int {
	return k.sum(kind, SpaceGlobal, func(s *Site) int { return s.Traffic(k.gpu).Transactions })
}

// BytesMoved returns the bytes of the [Kernel.Transactions].
func (k *Kernel) BytesMoved(kind string) int {
	return k.sum(kind, SpaceGlobal, func(s *Site) int { return s.Traffic(k.gpu).Bytes })
}

// BytesAsked returns the bytes that threads ask of memory.
func (k *Kernel) BytesAsked(kind, space string) int {
	return k.sum(kind, space, func(s *Site) int { return s.Bytes })
}

// Traffic is what a site of global memory moves on a GPU.
func (s *Site) Traffic(g GPU) Traffic {
	if len(s.Global) == 0 {
		return Traffic{}
	}
	return s.Global[g.globalRule(s.Kind != "load")]
}

// Passes is what the banks of a GPU make of a site of shared memory.
func (s *Site) Passes(g GPU) Passes {
	if len(s.Shared) == 0 {
		return Passes{}
	}
	return s.Shared[g.sharedRule()]
}

// Excess is the number of passes that bank conflicts cause on a GPU.
func (s *Site) Excess(g GPU) int { p := s.Passes(g); return p.Passes - p.Ideal }

// SectorsPerLoad returns the transactions a request of the global loads, 0 if there are none. It is
// 4 for neighbouring words of 4 bytes.
func (k *Kernel) SectorsPerLoad() float64 {
	return ratio(k.Transactions("load"), k.Requests("load", SpaceGlobal))
}

// SectorsPerStore is [Kernel.SectorsPerLoad] for stores.
func (k *Kernel) SectorsPerStore() float64 {
	return ratio(k.Transactions("store"), k.Requests("store", SpaceGlobal))
}

// LoadEfficiency returns 100 times the bytes that global loads ask for over those that are moved.
func (k *Kernel) LoadEfficiency() float64 {
	return 100 * ratio(k.BytesAsked("load", SpaceGlobal), k.BytesMoved("load"))
}

// StoreEfficiency is [Kernel.LoadEfficiency] for stores.
func (k *Kernel) StoreEfficiency() float64 {
	return 100 * ratio(k.BytesAsked("store", SpaceGlobal), k.BytesMoved("store"))
}

// Wavefronts returns the passes over the banks of shared memory; kind is load, store or atomic, or
// empty for all.
func (k *Kernel) Wavefronts(kind string) int {
	return k.sum(kind, SpaceShared, func(s *Site) int { return s.Passes(k.gpu).Passes })
}

// BankConflicts returns the passes beyond those without conflicts.
func (k *Kernel) BankConflicts() int {
	return k.sum("", SpaceShared, func(s *Site) int { return s.Excess(k.gpu) })
}

// SharedPerLoad returns the passes a request of the loads of shared memory.
func (k *Kernel) SharedPerLoad() float64 {
	return ratio(k.Wavefronts("load"), k.Requests("load", SpaceShared))
}

// SharedPerStore is [Kernel.SharedPerLoad] for stores.
func (k *Kernel) SharedPerStore() float64 {
	return ratio(k.Wavefronts("store"), k.Requests("store", SpaceShared))
}

// IsBranch reports whether a site is a branch of a warp.
func (s *Site) IsBranch() bool { return s.Kind == "branch" || s.Kind == "loop" || s.Kind == "switch" }

// Branches returns how often warps came to a branch: an if, a loop's head or a switch.
func (k *Kernel) Branches() int {
	return k.sum("", "", func(s *Site) int {
		if s.IsBranch() {
			return s.Requests
		}
		return 0
	})
}

// Divergent returns how often the lanes of a warp parted at a branch.
func (k *Kernel) Divergent() int {
	return k.sum("", "", func(s *Site) int { return s.Divergent })
}

// BranchEfficiency returns 100 (branches - divergent)/branches.
func (k *Kernel) BranchEfficiency() float64 {
	if k.Branches() == 0 {
		return 100
	}
	return 100 * ratio(k.Branches()-k.Divergent(), k.Branches())
}

// Instructions returns the operations of warps, and of threads: those of the source by class,
// accesses, branches, barriers. They are not SASS instructions.
func (k *Kernel) Instructions() (warps, threads int) {
	for _, l := range k.Launches {
		w, t := l.instructions()
		warps, threads = warps+w, threads+t
	}
	return warps, threads
}

func (l *Launch) instructions() (warps, threads int) {
	for _, n := range l.Ops {
		warps += n
	}
	threads = l.ThreadOps
	for _, s := range l.Sites {
		warps += s.Requests
		threads += s.Lanes
	}
	return warps, threads
}

// WarpExecutionEfficiency returns 100 times the mean share of active lanes.
func (k *Kernel) WarpExecutionEfficiency() float64 {
	w, t := k.Instructions()
	return 100 * ratio(t, 32*w)
}

// Flops returns the operations of threads on float32 and on float64, a fused multiply-add being two.
func (k *Kernel) Flops() (single, double int) {
	for _, l := range k.Launches {
		s, d := l.Flops()
		single, double = single+s, double+d
	}
	return single, double
}

// Flops is [Kernel.Flops] of a launch.
func (l *Launch) Flops() (single, double int) {
	for class, n := range l.ThreadFlops {
		if class[1:] == "fma" {
			n *= 2
		}
		if class[0] == 'f' {
			single += n
		} else {
			double += n
		}
	}
	return single, double
}

// BytesMoved returns the bytes that the accesses of the launch to device memory move on a GPU.
func (l *Launch) BytesMoved(g GPU) int {
	n := 0
	for _, s := range l.Sites {
		n += s.Traffic(g).Bytes
	}
	return n
}

// Occupancy returns the occupancy of the launch on a GPU, with the registers per thread of the
// run's settings.
func (l *Launch) Occupancy(g GPU) (gocuda.Occupancy, error) {
	return g.Capability.Occupancy(l.Block.Size(), l.Registers, l.SharedBytes)
}

// Metrics returns the metrics of the kernel, without those that don't apply to it.
func (k *Kernel) Metrics() []Metric {
	var out []Metric
	add := func(section, nvprof, compute string, v float64, unit string) {
		if !math.IsNaN(v) {
			out = append(out, Metric{section, nvprof, compute, v, unit})
		}
	}
	warps, threads := k.Instructions()
	add("instructions", "inst_executed", "smsp__inst_executed.sum", float64(warps), "")
	add("instructions", "thread_inst_executed", "smsp__thread_inst_executed.sum", float64(threads), "")
	add("instructions", "warp_execution_efficiency", "smsp__thread_inst_executed_per_inst_executed.ratio", k.WarpExecutionEfficiency(), "%")
	if s, d := k.Flops(); s+d > 0 {
		add("instructions", "flop_count_sp", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum x2 + fadd + fmul", float64(s), "")
		add("instructions", "flop_count_dp", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum x2 + dadd + dmul", float64(d), "")
	}
	if n := k.Branches(); n > 0 {
		add("branches", "branch", "smsp__sass_branch_targets.sum", float64(n), "")
		add("branches", "divergent_branch", "smsp__sass_branch_targets_threads_divergent.sum", float64(k.Divergent()), "")
		add("branches", "branch_efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct", k.BranchEfficiency(), "%")
	}
	for _, m := range []struct{ kind, nv, nc string }{{"load", "gld", "ld"}, {"store", "gst", "st"}} {
		n := k.Requests(m.kind, SpaceGlobal)
		if n == 0 {
			continue
		}
		add("memory", m.nv+"_request", "l1tex__t_requests_pipe_lsu_mem_global_op_"+m.nc+".sum", float64(n), "")
		add("memory", m.nv+"_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_"+m.nc+".sum", float64(k.Transactions(m.kind)), "")
		add("memory", m.nv+"_transactions_per_request", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_"+m.nc+".ratio",
			ratio(k.Transactions(m.kind), n), "")
		add("memory", m.nv+"_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_"+m.nc+".pct",
			100*ratio(k.BytesAsked(m.kind, SpaceGlobal), k.BytesMoved(m.kind)), "%")
		add("memory", m.nv+"_bytes", "l1tex__t_bytes_pipe_lsu_mem_global_op_"+m.nc+".sum", float64(k.BytesMoved(m.kind)), "bytes")
	}
	if n := k.Requests("atomic", ""); n > 0 {
		most := k.sum("atomic", "", func(s *Site) int { return s.Most })
		add("atomics", "atomic_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", float64(n), "")
		add("atomics", "atomic_replays_per_request", "lanes at the address that has most, a request", ratio(most, n), "")
	}
	for _, kind := range []string{"load", "store"} {
		n := k.Requests(kind, SpaceShared)
		if n == 0 {
			continue
		}
		short := map[string]string{"load": "ld", "store": "st"}[kind]
		add("shared", "shared_"+kind, "smsp__inst_executed_op_shared_"+short+".sum", float64(n), "")
		add("shared", "shared_"+kind+"_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"+short+".sum", float64(k.Wavefronts(kind)), "")
		add("shared", "shared_"+kind+"_transactions_per_request", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"+short+".sum / requests",
			ratio(k.Wavefronts(kind), n), "")
	}
	if k.Requests("", SpaceShared) > 0 {
		add("shared", "shared_bank_conflicts", "derived__memory_l1_wavefronts_shared_excessive", float64(k.BankConflicts()), "")
	}
	if n := k.Requests("load", SpaceConstant); n > 0 {
		reads := k.sum("load", SpaceConstant, func(s *Site) int { return s.Constant[k.gpu.constantRule()] })
		add("constant", "constant_requests", "idc__requests.sum", float64(n), "")
		add("constant", "constant_reads_per_request", "idc__request_cycles_active.sum / requests", ratio(reads, n), "")
	}
	if n := k.Requests("texture", ""); n > 0 {
		add("texture", "tex_requests", "l1tex__texin_requests.sum", float64(n), "")
	}
	if n := k.Requests("barrier", ""); n > 0 {
		add("barriers", "sync", "smsp__inst_executed_pipe_adu.sum", float64(n), "")
	}
	if n := k.Requests("warp", ""); n > 0 {
		add("barriers", "inter_thread_communication", "smsp__inst_executed_op_shuffle.sum", float64(n), "")
	}
	o, err := k.Launches[0].Occupancy(k.gpu)
	if err == nil && o.MaxWarps > 0 {
		add("occupancy", "theoretical_occupancy", "sm__maximum_warps_per_active_cycle_pct", 100*o.Fraction(), "%")
	}
	return out
}

// Metric returns the figure with the name, of nvprof or of Nsight Compute.
func (k *Kernel) Metric(name string) (float64, bool) {
	for _, m := range k.Metrics() {
		if m.Nvprof == name || m.Compute == name {
			return m.Value, true
		}
	}
	return 0, false
}
