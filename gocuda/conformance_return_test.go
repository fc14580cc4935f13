package gocuda_test

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// leavers are ways for the threads of a block of n to return early: the number of rounds, each with a
// barrier, that a thread takes part in.
var leavers = []struct {
	name   string
	rounds func(n, block, rank int) int
}{
	{"nobody returns early", func(n, block, rank int) int { return 4 }},
	{"every third returns at once", func(n, block, rank int) int { return 4 * min(rank%3, 1) }},
	{"all but the first return", func(n, block, rank int) int { return pick(rank == 0, 4, 0) }},
	{"all but the last return", func(n, block, rank int) int { return pick(rank == n-1, 4, 0) }},
	{"all but one return later", func(n, block, rank int) int { return pick(rank == n/2, 5, 2) }},
	{"the first returns", func(n, block, rank int) int { return pick(rank == 0, 0, 4) }},
	{"the last returns", func(n, block, rank int) int { return pick(rank == n-1, 0, 4) }},
	{"whole warps return", func(n, block, rank int) int { return 4 * (rank / 32 % 2) }},
	{"the first warp returns later", func(n, block, rank int) int { return pick(rank < 32, 1, 4) }},
	{"one after the other", func(n, block, rank int) int { return rank % 9 }},
	{"one after the other, from the end", func(n, block, rank int) int { return (n - rank) % 9 }},
	{"all at once", func(n, block, rank int) int { return block % 3 }},
	{"at random", func(n, block, rank int) int { return mix(n, block, rank) % 6 }},
}

func pick(cond bool, yes, no int) int {
	if cond {
		return yes
	}
	return no
}

func returnRows() (rows []row) {
	for _, l := range leavers {
		rows = append(rows,
			leavingExchange("exchange over barriers: "+l.name, l.rounds),
			leavingVotes("barriers that vote: "+l.name, l.rounds))
	}
	return rows
}

// leavingExchange: in each round those who are still there write and, past a barrier, read what the
// next one of them wrote.
func leavingExchange(name string, rounds func(n, block, rank int) int) row {
	return perThread(name, shapes, func(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
		n := cfg.Threads()
		// partner of each thread in each round of each block, by thread and round
		partners := make([][][]int, cfg.Blocks())
		for b := range partners {
			partners[b] = make([][]int, n)
			for i := 0; ; i++ {
				var live []int
				for r := range n {
					if rounds(n, b, r) > i {
						live = append(live, r)
					}
				}
				if live == nil {
					break
				}
				for k, r := range live {
					partners[b][r] = append(partners[b][r], live[(k+1)%len(live)])
				}
			}
		}
		body := func(t *gocuda.Thread) int {
			s := gocuda.Shared[int](t, n)
			b, r := blockOf(t), rankOf(t)
			sum := 0
			for i, partner := range partners[b][r] {
				s[r] = mix(i, b, r) % 1000
				t.SyncThreads()
				sum += (i + 1) * s[partner]
				t.SyncThreads()
			}
			return sum
		}
		return body, func(block, rank int) int {
			sum := 0
			for i, partner := range partners[block][rank] {
				sum += (i + 1) * (mix(i, block, partner) % 1000)
			}
			return sum
		}
	})
}

// leavingVotes: the four kinds of barrier in turn. Who has returned doesn't vote.
func leavingVotes(name string, rounds func(n, block, rank int) int) row {
	return noComplaint(name, shapes, func(cfg grid.Config) func(*gocuda.Thread) string {
		n := cfg.Threads()
		// Or is mostly false and And mostly true where one thread in n decides.
		pred := func(i, block, rank int) bool {
			h := mix(i, block, rank)
			return []bool{h%2 == 0, h%(2*n) == 0, h%(2*n) != 0}[i%3]
		}
		type tally struct{ count, live int }
		tallies := make([][]tally, cfg.Blocks())
		for b := range tallies {
			tallies[b] = make([]tally, 3*9)
			for r := range n {
				for i := range 3 * rounds(n, b, r) {
					tallies[b][i].live++
					if pred(i, b, r) {
						tallies[b][i].count++
					}
				}
			}
		}
		return func(t *gocuda.Thread) string {
			b, r := blockOf(t), rankOf(t)
			for i := range 3 * rounds(n, b, r) {
				p, want := pred(i, b, r), tallies[b][i]
				if i%4 == 0 {
					t.SyncThreads()
				}
				switch i % 3 {
				case 0:
					if got := t.SyncThreadsCount(p); got != want.count {
						return fmt.Sprintf("round %d: SyncThreadsCount is %d, want %d of %d", i, got, want.count, want.live)
					}
				case 1:
					if got := t.SyncThreadsOr(p); got != (want.count > 0) {
						return fmt.Sprintf("round %d: SyncThreadsOr is %v, though %d of %d are true", i, got, want.count, want.live)
					}
				case 2:
					if got := t.SyncThreadsAnd(p); got != (want.count == want.live) {
						return fmt.Sprintf("round %d: SyncThreadsAnd is %v, though %d of %d are true", i, got, want.count, want.live)
					}
				}
			}
			return ""
		}
	})
}
