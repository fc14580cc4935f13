package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/prof"
)

// RyooCounts is what the profiler's model of a GeForce 8800 GTX makes of the exact counts of an
// application: what table 3 of Ryoo et al. says of it in the columns "ratio of global memory to
// computation cycles" and "architectural bottleneck(s)".
type RyooCounts struct {
	Row        RyooRow
	Kernel     string  // the one that takes most of the model's time, without its package
	Ratio      float64 // [prof.Model.Ratio] of it
	Bottleneck string
	Note       string // what of the paper's configuration the kernel here can't have
}

// ryooSizes are the sizes at which the applications are counted: the threads of a kernel do the
// same at larger ones, except that the pairs, samples and steps of a thread are more.
var ryooSizes = map[string]int{
	"matmul-tiled": 64, "sad": 32, "lbm": 16, "rc5": 512, "fem": 8, "rpes": 512, "pns": 16, "saxpy": 1 << 12, "tpacf": 256, "fdtd": 64,
	"mriq": 256, "mrifhd": 256, "cp": 32,
}

// ProfileRyoo runs the applications of table 3 under the profiler, with the kernels of the paper's
// ports in source form, and returns their rows. The program has to be built by gocuda prof, else it
// is prof.ErrNotBuilt.
func ProfileRyoo(ctx context.Context) (all []RyooCounts, err error) {
	if !prof.Active() {
		return nil, prof.ErrNotBuilt
	}
	e, err := newEnv(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	for _, row := range RyooTable() {
		c, err := profileRyooRow(e, row)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.Workload, err)
		}
		all = append(all, c)
	}
	return all, nil
}

func profileRyooRow(e env, row RyooRow) (RyooCounts, error) {
	all := everyWorkload()
	i := slices.IndexFunc(all, func(w Workload) bool { return w.Name == row.Workload })
	p := all[i].setup(e, ryooSizes[row.Workload])
	if p.err != nil {
		return RyooCounts{}, p.err
	}
	if p.reset != nil {
		p.reset()
	}
	var failed error
	report, err := prof.Run(func() {
		if p.port != nil {
			failed = p.port(kernels.Uncompiled(e.dev))
		} else {
			failed = p.kernel(kernels.Uncompiled(e.dev))
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return RyooCounts{}, err
	}
	return countsOf(row, report)
}

// countsOf picks the kernel that takes most of the model's time.
func countsOf(row RyooRow, r *prof.Report) (RyooCounts, error) {
	gpu, err := prof.FindGPU("g80")
	if err != nil {
		return RyooCounts{}, err
	}
	c, most := RyooCounts{Row: row}, 0.0
	for _, k := range r.Kernels {
		for _, l := range k.Launches {
			full, note := fill(*l, row, gpu)
			m, err := full.Model(gpu)
			if err != nil {
				return RyooCounts{}, err
			}
			if t := m.Seconds * float64(full.Count); t > most {
				most = t
				c.Kernel, c.Ratio, c.Note = k.Name[strings.LastIndexAny(k.Name, "./")+1:], m.Ratio, note
				if c.Bottleneck, err = bottleneck(full, m, gpu); err != nil {
					return RyooCounts{}, err
				}
			}
		}
	}
	if most == 0 {
		return RyooCounts{}, fmt.Errorf("prof: no kernel of %s has run", row.Workload)
	}
	return c, nil
}

// fill returns a launch with the paper's registers, if its blocks fit with them, and with enough
// blocks of the same kind to fill the GPU.
func fill(l prof.Launch, row RyooRow, gpu prof.GPU) (prof.Launch, string) {
	note := ""
	l.Registers = row.Registers
	if o, err := l.Occupancy(gpu); err != nil || o.Blocks == 0 {
		l.Registers = 0
		note = fmt.Sprintf("blocks of %d threads don't fit with %d registers: none assumed", l.Block.Size(), row.Registers)
	}
	const waves = 8 // blocks of a multiprocessor, several times
	if need := gpu.SMs * 8 * waves * l.Count; l.Blocks < need {
		l.Blocks *= (need + l.Blocks - 1) / l.Blocks
	}
	return l, note
}

// bottleneck names the limiter of a model in the paper's words.
func bottleneck(l prof.Launch, m prof.Model, gpu prof.GPU) (string, error) {
	switch m.Limiter {
	case "issue":
		return "instruction issue", nil
	case "shared":
		return "shared memory banks", nil
	case "bytes":
		return "global memory bandwidth", nil
	}
	o, err := l.Occupancy(gpu)
	return fmt.Sprintf("latency: threads limited by %v", o.LimitedBy), err
}

// WriteRyooCounts prints the columns of table 3 that the profiler knows, beside the paper's.
func WriteRyooCounts(w io.Writer, all []RyooCounts) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%-8s %-13s %-22s %9s %9s  %-31s %s\n", "", "", "", "memory/compute", "", "bottleneck", "")
	fmt.Fprintf(&out, "%-8s %-13s %-22s %9s %9s  %-31s %s\n", "paper", "workload", "kernel", "paper", "here", "paper", "here")
	for _, c := range all {
		here := c.Bottleneck
		if c.Note != "" {
			here += " (" + c.Note + ")"
		}
		fmt.Fprintf(&out, "%-8s %-13s %-22s %9.4g %9.2g  %-31s %s\n", c.Row.Name, c.Row.Workload, c.Kernel, c.Row.Ratio, c.Ratio, c.Row.Bottleneck, here)
	}
	_, err := io.WriteString(w, out.String())
	return err
}
