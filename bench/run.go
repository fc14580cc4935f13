package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/gocuda/gocuda/internal/host"
)

// Run runs the workloads and calls report with the figures of each workload and size, as they come.
// It stops at the first error: a kernel that fails, a result that is wrong, or ctx; the figures
// that are there by then are reported. What goes wrong in a program in C is no error; its figure is
// left out.
func Run(ctx context.Context, o Options, report func([]Result)) error {
	workloads, err := o.workloads()
	if err != nil {
		return err
	}
	executors, err := o.executors()
	if err != nil {
		return err
	}
	o = o.withDefaults(runtime.GOMAXPROCS(0))
	e, err := newEnv(ctx, o.Workers)
	if err != nil {
		return err
	}
	defer e.close()
	r := &runner{Options: o, env: e, c: &native{note: func(executor, why string) { o.Skipped("", 0, executor, why) }}}
	defer r.c.close()
	for _, w := range workloads {
		for _, size := range o.sizes(w) {
			r.jobs = append(r.jobs, job{w, size})
		}
	}
	if err := r.prepare(executors); err != nil {
		return err
	}
	o.Begin(r.executors)
	r.left = newEstimate(r.jobs, len(r.executors), o)
	for i, j := range r.jobs {
		results, err := r.run(i, j)
		if len(results) > 0 {
			report(results)
		}
		if err != nil {
			return err
		}
		runtime.GC() // the next one should not pay for the garbage of this one
	}
	o.Progress(Progress{Done: len(r.jobs), Total: len(r.jobs)})
	return nil
}

// A job is a workload of one size.
type job struct {
	w    Workload
	size int
}

// A runner runs jobs.
type runner struct {
	Options
	env       env
	c         *native
	jobs      []job
	executors []string // those that there are
	left      *estimate
}

// prepare finds out which executors there are. It builds the programs in C, if a job has any use
// for them.
func (r *runner) prepare(executors []string) error {
	var inC []string
	if slices.ContainsFunc(r.jobs, func(j job) bool { return len(j.w.Sizes) > 0 }) { // the others have no program in C
		for _, e := range executors {
			if e == OpenMP || e == OpenCL {
				inC = append(inC, e)
			}
		}
	}
	if len(inC) > 0 {
		r.Progress(Progress{Total: len(r.jobs), What: "building the programs in C", Left: newEstimate(r.jobs, len(executors), r.Options).left(0, 0)})
		if err := r.c.prepare(r.env.ctx, inC...); err != nil {
			return err
		}
	}
	for _, e := range executors {
		switch {
		case e == SIMD && noVectors() != "":
			r.Skipped("", 0, SIMD, noVectors())
		case slices.Contains(inC, e) && !r.c.has(e): // it has said why
		default:
			r.executors = append(r.executors, e)
		}
	}
	return nil
}

// noVectors says why no form of a kernel has vectors, or "".
func noVectors() string {
	switch {
	case host.VectorBytes() > 0:
		return ""
	case runtime.GOARCH == "arm64":
		return "GODEBUG turns NEON off"
	case runtime.GOARCH != "amd64":
		return "vectors are for amd64 and arm64, and this is " + runtime.GOARCH
	}
	return "the processor has no AVX2 and FMA, or GODEBUG turns them off"
}

// run returns the figures of the i-th job. If there is an error they are those of before.
func (r *runner) run(i int, j job) (results []Result, err error) {
	r.progress(i, 0, "setting up "+title(j.w.Name, j.size))
	p := j.w.problem(r.env, j.size)
	if p.err != nil {
		return nil, fmt.Errorf("%s: %w", title(j.w.Name, j.size), p.err)
	}
	defer r.c.finish()
	timings := map[string]*timing{}
	for _, executor := range r.executors {
		if r.leftOut(j, p, executor) {
			continue
		}
		timings[executor] = &timing{workers: r.Workers}
		if executor == Serial {
			timings[executor].workers = 1
		}
	}
	left := slices.DeleteFunc(slices.Clone(r.executors), func(e string) bool { return timings[e] == nil })
	for round := range r.rounds() {
		for k, executor := range left {
			t := timings[executor]
			if round > 0 && !t.again(r.Runs) {
				continue
			}
			r.progress(i, (float64(round)+float64(k)/float64(len(left)))/float64(r.rounds()), title(j.w.Name, j.size)+" on "+executor)
			if err = r.time(j, p, executor, t); err != nil {
				break
			}
		}
		left = slices.DeleteFunc(left, func(e string) bool { return timings[e].best == 0 })
		if err != nil {
			break
		}
	}
	for _, executor := range left {
		t := timings[executor]
		res := Result{j.w.Name, j.size, executor, t.workers, j.w.figure(p, executor, t.best), j.w.Unit, true, nil}
		for _, d := range t.samples {
			res.Samples = append(res.Samples, j.w.figure(p, executor, d))
		}
		results = append(results, res)
	}
	return results, err
}

// progress says what comes next, in the i-th job, of which a part is done.
func (r *runner) progress(i int, part float64, what string) {
	r.Progress(Progress{Done: i, Total: len(r.jobs), What: what, Left: r.left.left(i, part)})
}

// leftOut reports whether an executor has no figure of the job, and says why if somebody might
// expect one.
func (r *runner) leftOut(j job, p *problem, executor string) bool {
	switch {
	case !p.has(executor):
		if len(r.Options.Executors) > 0 {
			r.Skipped(j.w.Name, j.size, executor, "the workload has none")
		}
		return true
	case p.leftOut[executor] != "":
		r.Skipped(j.w.Name, j.size, executor, p.leftOut[executor])
		return true
	}
	return false
}

// time times a round of an executor. What goes wrong in a program in C is noted, and the executor
// has no figure then.
func (r *runner) time(j job, p *problem, executor string, t *timing) error {
	ctx, before := r.env.ctx, *t
	before.samples, before.round = slices.Clone(t.samples), nil
	var err error
	if executor == OpenMP || executor == OpenCL {
		if err = r.c.time(j.w.Name, j.size, p, executor, r.env, r.Runs, t); err != nil && ctx.Err() == nil {
			r.Skipped(j.w.Name, j.size, executor, err.Error())
			*t = timing{}
			return nil
		}
	} else {
		err = p.time(ctx, executor, t, r.Runs, r.most())
	}
	if ctx.Err() != nil {
		*t = before // the round has not been verified
		return context.Cause(ctx)
	}
	if err != nil {
		*t = timing{}
		return fmt.Errorf("%s on %s: %w", title(j.w.Name, j.size), executor, err)
	}
	t.endRound()
	return nil
}

// enough is how long the timed runs of a round take together at least, if one run is short, unless
// only one run was asked for: a run of some microseconds needs many for a best that means
// something. bench/baseline/host.h has it too.
const enough = 100 * time.Millisecond

// A timing is what is known of the time of an executor.
type timing struct {
	best    time.Duration // of all runs, 0 before the first
	workers int
	samples []time.Duration // of the rounds that have ended: the best of each, or all runs if they are long
	round   []time.Duration // the runs since then
}

// add adds a run that took d.
func (t *timing) add(d time.Duration) {
	if d = max(1, d); t.best == 0 || d < t.best {
		t.best = d
	}
	t.round = append(t.round, d)
}

// endRound makes samples of the runs of a round.
func (t *timing) endRound() {
	if len(t.round) == 0 {
		return
	}
	if best := slices.Min(t.round); best < long {
		t.samples = append(t.samples, best)
	} else {
		t.samples = append(t.samples, t.round...)
	}
	t.round = t.round[:0]
}

// long is the time of a run from which on an executor has all of its runs in one round.
const long = 100 * time.Millisecond

// again reports whether another round is to follow, with runs timed in each.
func (t *timing) again(runs int) bool { return runs > 1 && t.best < long }

// time times a round: several runs after a warm-up, and no more once they have taken as long as
// most. It verifies the result of the last.
func (p *problem) time(ctx context.Context, executor string, t *timing, runs int, most time.Duration) error {
	run := p.run[executor]
	var total time.Duration
	for i := 0; (i <= runs || runs > 1 && total < enough) && total < most; i++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if p.reset != nil {
			p.reset()
		}
		if p.wipe != nil && i == 0 {
			p.wipe(1)
		} else if p.wipe != nil {
			p.wipe(wipeStep)
		}
		begin := time.Now()
		err := run()
		d := time.Since(begin)
		if err != nil {
			return err
		}
		if i == 0 {
			continue // warm now
		}
		total += d
		t.add(d)
	}
	if err := p.check(); err != nil {
		return fmt.Errorf("the result is wrong: %w", err)
	}
	return nil
}
