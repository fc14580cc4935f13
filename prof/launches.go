package prof

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gocuda/gocuda/gocuda/rt/warps"
)

// launches are the launches of a run, those of the same kernel, grid and block added up.
type launches []*Launch

func (all *launches) add(l *Launch) {
	i := slices.IndexFunc(*all, func(o *Launch) bool { return o.Kernel == l.Kernel && o.Grid == l.Grid && o.Block == l.Block })
	if i < 0 {
		*all = append(*all, l.clone())
		return
	}
	(*all)[i].add(l)
}

// compare orders launches by kernel, grid, block and counts.
func (l *Launch) compare(o *Launch) int {
	return cmp.Or(cmp.Compare(l.Kernel, o.Kernel), l.Grid.Size()-o.Grid.Size(), l.Block.Size()-o.Block.Size(), l.Threads-o.Threads, l.ThreadOps-o.ThreadOps)
}

// report makes a report of launches.
func (all launches) report(g GPU) *Report {
	r := &Report{GPU: g}
	for _, l := range all {
		k := r.find(l.Kernel)
		if k == nil {
			k = &Kernel{Name: l.Kernel, gpu: g}
			r.Kernels = append(r.Kernels, k)
		}
		k.Launches = append(k.Launches, l)
	}
	return r
}

func (r *Report) find(name string) *Kernel {
	for _, k := range r.Kernels {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// swap returns the list of ended launches, and puts another list in its place.
func (c *collector) swap(with launches) (ended launches) {
	warps.Locked(func() { ended, c.ended = c.ended, with })
	return ended
}

func (l *Launch) clone() *Launch {
	n := *l
	n.Ops, n.ThreadFlops = maps.Clone(l.Ops), maps.Clone(l.ThreadFlops)
	n.Buffers = nil
	for _, b := range l.Buffers {
		n.Buffers = append(n.Buffers, b.clone())
	}
	n.Sites = nil
	for _, s := range l.Sites {
		n.Sites = append(n.Sites, s.clone())
	}
	return &n
}

func (s *Site) clone() *Site {
	n := *s
	n.Samples = slices.Clone(s.Samples)
	n.Global, n.Shared = slices.Clone(s.Global), slices.Clone(s.Shared)
	return &n
}

// add adds the counts of launches of the same kernel, grid and block.
func (l *Launch) add(o *Launch) {
	l.Count += o.Count
	l.Blocks += o.Blocks
	l.Sampled += o.Sampled
	l.SharedBytes = max(l.SharedBytes, o.SharedBytes)
	l.Warps += o.Warps
	l.Threads += o.Threads
	l.ThreadOps += o.ThreadOps
	l.Fresh += o.Fresh
	l.Pages += o.Pages
	for class, n := range o.Ops {
		l.Ops[class] += n
	}
	for class, n := range o.ThreadFlops {
		l.ThreadFlops[class] += n
	}
	for _, s := range o.Sites {
		i := slices.IndexFunc(l.Sites, func(t *Site) bool { return t.ID == s.ID && t.Kind == s.Kind && t.Space == s.Space })
		if i < 0 {
			l.Sites = append(l.Sites, s.clone())
		} else {
			l.Sites[i].add(s)
		}
	}
	slices.SortStableFunc(l.Sites, (*Site).compare)
	if len(l.Steps) == 0 || len(o.Steps) > 0 && compareSteps(o.Steps, l.Steps) < 0 {
		l.Steps = o.Steps
	}
	for _, b := range o.Buffers {
		l.Buffers = addBuffer(l.Buffers, b)
	}
}

func (s *Site) compare(o *Site) int {
	return cmp.Or(cmp.Compare(s.File, o.File), s.Line-o.Line, s.Col-o.Col, cmp.Compare(s.Kind, o.Kind), cmp.Compare(s.Space, o.Space), s.ID-o.ID)
}

// add adds the counts of the same site.
func (s *Site) add(o *Site) {
	s.Requests += o.Requests
	s.Lanes += o.Lanes
	s.Bytes += o.Bytes
	s.Word = o.Word
	for i, t := range o.Global {
		u := &s.Global[i]
		u.Requests, u.Transactions, u.Bytes, u.Distinct = u.Requests+t.Requests, u.Transactions+t.Transactions, u.Bytes+t.Bytes, u.Distinct+t.Distinct
	}
	for i, p := range o.Shared {
		s.Shared[i].Passes += p.Passes
		s.Shared[i].Ideal += p.Ideal
	}
	for i, n := range o.Constant {
		s.Constant[i] += n
	}
	for i, n := range o.Camped {
		s.Camped[i] += n
	}
	s.Addresses += o.Addresses
	s.Most += o.Most
	s.Divergent += o.Divergent
	if len(s.Samples) == 0 || len(o.Samples) > 0 && compareSamples(o.Samples, s.Samples) < 0 {
		s.Samples = o.Samples
	}
	switch {
	case o.Irregular || o.Stepped && s.Stepped && o.Step != s.Step:
		s.Irregular, s.Step = true, 0
	case !s.Stepped && !s.Irregular:
		s.Stepped, s.Step = o.Stepped, o.Step
	}
}
