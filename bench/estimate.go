package bench

import (
	"math"
	"time"
)

// An estimate says how long the remaining jobs take: their costs by the table of workloads, times
// the ratio of measured time to cost of the jobs that are done.
type estimate struct {
	costs []float64 // seconds, by job
	begin time.Time
	now   func() time.Time
}

func newEstimate(jobs []job, executors int, o Options) *estimate {
	e := &estimate{now: time.Now}
	for _, j := range jobs {
		e.costs = append(e.costs, j.cost(executors, o))
	}
	e.begin = e.now()
	return e
}

// cost is about how many seconds a job takes with two workers on a Zen 5 that does other things too.
func (j job) cost(executors int, o Options) float64 {
	const all = 7 // executors, that the table is for
	elements := math.Pow(float64(max(1, j.size)), max(1, j.w.power))
	run := 1e-9 * j.w.each * elements / all
	return float64(o.rounds()*executors) * (enough.Seconds() + float64(o.Runs+1)*run)
}

// left is how long the rest takes when so much of the i-th job is done.
func (e *estimate) left(i int, part float64) time.Duration {
	var done, rest float64
	for k, c := range e.costs {
		switch {
		case k < i:
			done += c
		case k == i:
			done += part * c
			rest += (1 - part) * c
		default:
			rest += c
		}
	}
	// The costs of the table weigh as much as ten seconds of measured time.
	const trust = 10
	pace := (trust + e.now().Sub(e.begin).Seconds()) / (trust + done)
	return time.Duration(rest * pace * float64(time.Second))
}
