package prof

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// An Advice is one sentence about a kernel, with its numbers and place. Good is praise.
type Advice struct {
	Kernel string
	File   string
	Line   int
	Good   bool
	Cost   int // excess sectors, passes or lanes, to sort by
	Text   string
}

// Advise says what the kernel does well and badly on its GPU.
func (k *Kernel) Advise() []Advice {
	var out []Advice
	for _, l := range k.Launches {
		for _, s := range l.Sites {
			switch {
			case s.Space == SpaceGlobal && s.Kind != "atomic":
				out = append(out, k.coalescing(s)...)
			case s.Space == SpaceShared && s.Kind != "atomic":
				out = append(out, k.banks(s)...)
			case s.Space == SpaceConstant:
				out = append(out, k.constants(s)...)
			case s.Kind == "atomic":
				out = append(out, k.contention(s)...)
			case s.IsBranch():
				out = append(out, k.divergence(s)...)
			}
		}
		out = append(out, k.fullness(l)...)
	}
	slices.SortStableFunc(out, func(a, b Advice) int {
		if a.Good != b.Good {
			if a.Good {
				return 1
			}
			return -1
		}
		return cmp.Or(b.Cost-a.Cost, cmp.Compare(a.File, b.File), a.Line-b.Line)
	})
	// Launches of several sizes say the same.
	return slices.CompactFunc(out, func(a, b Advice) bool { return a.Text == b.Text })
}

func (k *Kernel) say(s *Site, good bool, cost int, format string, args ...any) []Advice {
	return []Advice{{k.Name, s.File, s.Line, good, cost, fmt.Sprintf(format, args...)}}
}

func (s *Site) place() string { return fmt.Sprintf("%s:%d", path.Base(s.File), s.Line) }

// number prints a figure with as many decimals as it needs, at most one.
func number(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

// least is how many transactions the requests of a site would take if its lanes accessed
// neighbouring words.
func (s *Site) least(g GPU) int {
	t := s.Traffic(g)
	if s.Requests == 0 {
		return 0
	}
	unit := 32
	switch g.globalRule(s.Kind != "load") {
	case rule10, rule12:
		// One segment a half-warp of words up to 8 bytes, two of 16.
		each := max(1, s.Word*16/128)
		return max(t.Requests, t.Requests*each)
	case ruleL1:
		unit = 128
	}
	// The mean number of bytes a request asks for, in units.
	bytes := (s.Bytes + s.Requests - 1) / s.Requests
	if s.Step == s.Word { // lanes that are missing leave holes
		bytes = 32 * s.Word
	}
	return s.Requests * max(1, (bytes+unit-1)/unit)
}

func (k *Kernel) coalescing(s *Site) []Advice {
	t := s.Traffic(k.gpu)
	least := s.least(k.gpu)
	per, best := ratio(t.Transactions, s.Requests), ratio(least, s.Requests)
	unit := k.gpu.Unit(s.Kind != "load")
	if s.Lanes == s.Requests { // a lane each has nothing to share
		return nil
	}
	if float64(t.Transactions) > 1.2*float64(least) && t.Bytes > s.Bytes {
		why := "the lanes of a warp access addresses with no order: sort or stage the data, or go through shared memory"
		switch {
		case s.Irregular || s.Step == 0:
		case s.Step%s.Word == 0 && abs(s.Step) > s.Word:
			why = fmt.Sprintf("threads of a warp %s %d elements apart; let neighbouring threads access neighbouring elements, or go through shared memory",
				verb(s.Kind), abs(s.Step)/s.Word)
		case s.Step == s.Word:
			why = "the first address is not aligned: pad the rows, or begin the array at a multiple of 128 bytes"
		case s.Step == -s.Word:
			why = "threads of a warp go backwards"
		}
		return k.say(s, false, t.Transactions-least, "the %s of %s at %s moves %s %s a request where %s would do: %s",
			s.Kind, s.Text, s.place(), number(per), unit, number(best), why)
	}
	if s.Requests > 0 && t.Transactions <= least && s.Step == s.Word {
		return k.say(s, true, 0, "the %s of %s at %s is coalesced: %s %s a request, %s %% of the bytes moved are asked for",
			s.Kind, s.Text, s.place(), number(per), unit, number(100*ratio(s.Bytes, t.Bytes)))
	}
	return nil
}

func abs(n int) int { return max(n, -n) }

func verb(kind string) string {
	if kind == "store" {
		return "write"
	}
	return "read"
}

func (k *Kernel) banks(s *Site) []Advice {
	p := s.Passes(k.gpu)
	per, best := ratio(p.Passes, s.Requests), ratio(p.Ideal, s.Requests)
	if p.Passes > p.Ideal {
		why := "let the lanes of a warp access different banks"
		if !s.Irregular && s.Step != 0 && s.Step%4 == 0 {
			why = fmt.Sprintf("neighbouring lanes are %d words apart, of %d banks; pad the rows by a word, or let neighbouring lanes access neighbouring words",
				abs(s.Step)/4, k.gpu.Banks())
		}
		return k.say(s, false, p.Passes-p.Ideal, "the %s of %s at %s takes %s passes over the banks of shared memory where %s would do: %s",
			s.Kind, s.Text, s.place(), number(per), number(best), why)
	}
	if s.Requests > 0 && s.Lanes > s.Requests && (s.Irregular || s.Step != 0) {
		return k.say(s, true, 0, "the %s of %s at %s has no bank conflicts: %s %s a request", s.Kind, s.Text, s.place(), number(per), plural(per, "pass", "passes"))
	}
	return nil
}

func plural(n float64, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

func (k *Kernel) constants(s *Site) []Advice {
	reads := s.Constant[k.gpu.constantRule()]
	least := s.Requests
	if k.gpu.Capability.Major == 1 {
		least *= 2
	}
	if reads > least {
		return k.say(s, false, reads-least, "the load of %s at %s reads constant memory %s times a request, since lanes of a warp ask for different addresses: use shared memory or a texture",
			s.Text, s.place(), number(ratio(reads, s.Requests)))
	}
	return nil
}

func (k *Kernel) contention(s *Site) []Advice {
	if most := ratio(s.Most, s.Requests); most >= 2 {
		return k.say(s, false, s.Most-s.Requests, "the atomic operation on %s at %s has %s lanes of a warp at one address, one after another: add up within the warp or block first",
			s.Text, s.place(), number(most))
	}
	return nil
}

func (k *Kernel) divergence(s *Site) []Advice {
	if s.Divergent*4 > s.Requests {
		return k.say(s, false, s.Divergent, "the lanes of a warp part at %d of %d branches of %s at %s: let the condition be the same for all of a warp, such as by the warp's number",
			s.Divergent, s.Requests, s.Text, s.place())
	}
	return nil
}

func (k *Kernel) fullness(l *Launch) []Advice {
	o, err := l.Occupancy(k.gpu)
	if err != nil {
		return nil
	}
	switch {
	case o.Blocks == 0:
		return []Advice{{k.Name, "", 0, false, 1 << 20, fmt.Sprintf("a block of %d threads with %d bytes of shared memory does not fit on a multiprocessor of %s: too many %v",
			l.Block.Size(), l.SharedBytes, k.gpu.Name, o.LimitedBy)}}
	case o.Fraction() < 0.5:
		return []Advice{{k.Name, "", 0, false, 0, fmt.Sprintf("%d of %d warps fit on a multiprocessor, an occupancy of %s %%, limited by %v: %s",
			o.Warps, o.MaxWarps, number(100*o.Fraction()), o.LimitedBy, "change the size of the block or what it takes of that")}}
	}
	return nil
}
