package gocuda_test

import (
	"fmt"
	"runtime"
	"strconv"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

var widths = []int{1, 2, 4, 8, 16, 32}

// source is the lane that a shuffle reads, by the definition of shfl.sync in the PTX ISA. kind is i for
// idx, u for up, d for down and x for bfly.
func source(kind byte, lane, b, width int) int {
	segment := lane &^ (width - 1)
	last := segment | (width - 1)
	var j int
	var valid bool
	switch b &= 31; kind {
	case 'u':
		j = lane - b
		valid = j >= segment
	case 'd':
		j = lane + b
		valid = j <= last
	case 'x':
		j = lane ^ b
		valid = j <= last
	case 'i':
		j = segment | b&(width-1)
		valid = j <= last
	}
	if !valid {
		return lane
	}
	return j
}

func shuffle[T any](t *gocuda.Thread, kind byte, mask uint32, v T, b, width int) T {
	switch kind {
	case 'u':
		return gocuda.ShflUpSync(t, mask, v, b, width)
	case 'd':
		return gocuda.ShflDownSync(t, mask, v, b, width)
	case 'x':
		return gocuda.ShflXorSync(t, mask, v, b, width)
	}
	return gocuda.ShflSync(t, mask, v, b, width)
}

type shuffleCase struct {
	kind     byte
	b, width int
	from     [32]int
}

// shuffleCases are all shuffles with the given deltas or lanes that read none but the first live lanes.
func shuffleCases(live int, bs []int) (cs []shuffleCase) {
	for _, kind := range []byte("iudx") {
		for _, width := range widths {
		next:
			for _, b := range bs {
				c := shuffleCase{kind: kind, b: b, width: width}
				for lane := range live {
					if c.from[lane] = source(kind, lane, b, width); c.from[lane] >= live {
						continue next
					}
				}
				cs = append(cs, c)
			}
		}
	}
	return cs
}

// liveLanes is the number of lanes of the warp of a thread, in a block of n.
func liveLanes(n, rank int) int { return min(32, n-rank/32*32) }

// casesFor returns the cases for a thread's warp.
func casesFor(n int, bs []int) func(rank int) []shuffleCase {
	whole, partial := shuffleCases(32, bs), shuffleCases(n%32, bs)
	return func(rank int) []shuffleCase {
		if liveLanes(n, rank) == 32 {
			return whole
		}
		return partial
	}
}

func shuffleRows() []row {
	var every []int
	for b := -40; b <= 70; b++ {
		every = append(every, b)
	}
	some := []int{-33, -32, -31, -1, 0, 1, 2, 3, 7, 16, 17, 31, 32, 33, 64}
	one := []grid.Config{{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 32}}}
	return []row{
		noComplaint("all shuffles", one, shuffles(every)),
		noComplaint("shuffles in partial warps", []grid.Config{
			{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 80}},
			{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 7, Y: 5}},
			{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 4, Y: 3, Z: 2}},
			{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 31}},
			{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 1}},
		}, shuffles(some)),
		noComplaint("each lane reads a lane of its own choice", wholeWarps(), shuffleGather),
		noComplaint("shuffles of many types", shapes, shuffleTypes),
		noComplaint("shuffles in blocks of several warps that are not in step", shapes, shuffleOutOfStep),
	}
}

func shuffles(bs []int) func(cfg grid.Config) func(*gocuda.Thread) string {
	return func(cfg grid.Config) func(*gocuda.Thread) string {
		cases := casesFor(cfg.Threads(), bs)
		return func(t *gocuda.Thread) string {
			r := rankOf(t)
			lane := r % 32
			for i, c := range cases(r) {
				// the value names the operation as well as the thread
				got := shuffle(t, c.kind, gocuda.FullMask, i*2048+r, c.b, c.width)
				if want := i*2048 + r - lane + c.from[lane]; got != want {
					return fmt.Sprintf("kind %c, b %d, width %d: got lane %d of operation %d, want lane %d of %d",
						c.kind, c.b, c.width, got%32, got/2048, c.from[lane], i)
				}
			}
			return ""
		}
	}
}

func shuffleGather(cfg grid.Config) func(*gocuda.Thread) string {
	return func(t *gocuda.Thread) string {
		r := rankOf(t)
		lane := r % 32
		for i := range 12 {
			width := widths[i%len(widths)]
			b := mix(i, r, 8)%100 - 50
			got := gocuda.ShflSync(t, gocuda.FullMask, uint16(r+i), b, width)
			if want := uint16(r - lane + source('i', lane, b, width) + i); got != want {
				return fmt.Sprintf("source %d of width %d: got %d, want %d", b, width, got, want)
			}
		}
		return ""
	}
}

type (
	twoFields struct {
		a int8
		b float64
	}
	withPointers struct {
		name string
		list []int
	}
	celsius float32
)

// shuffleTypes changes the type with every operation, so that a size left from the one before shows.
func shuffleTypes(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		r := rankOf(t)
		live := liveLanes(n, r)
		lane := r % 32
		if n == 33 && r == 3 && blockOf(t) == 1 {
			defer runtime.GC()
		}
		for i := range 2 {
			b := (5*i + 1) % live
			o := r - lane + b
			const m = gocuda.FullMask
			if got, want := gocuda.ShflSync(t, m, int8(r), b, 32), int8(o); got != want {
				return differ("int8", got, want)
			}
			if got, want := gocuda.ShflSync(t, m, float64(r)/3, b, 32), float64(o)/3; got != want {
				return differ("float64", got, want)
			}
			f := float32(r)
			if got, want := gocuda.ShflSync(t, m, [3]float32{f, -f, f / 2}, b, 32), ([3]float32{float32(o), -float32(o), float32(o) / 2}); got != want {
				return differ("[3]float32", got, want)
			}
			if got, want := gocuda.ShflSync(t, m, "thread "+strconv.Itoa(r), b, 32), "thread "+strconv.Itoa(o); got != want {
				return differ("string", got, want)
			}
			if got, want := gocuda.ShflSync(t, m, twoFields{int8(r), float64(r)}, b, 32), (twoFields{int8(o), float64(o)}); got != want {
				return differ("struct", got, want)
			}
			if got := gocuda.ShflSync(t, m, withPointers{strconv.Itoa(r), []int{r}}, b, 32); got.name != strconv.Itoa(o) || got.list[0] != o {
				return fmt.Sprint("struct with pointers: ", got, " of thread ", o)
			}
			if got, want := gocuda.ShflSync(t, m, r%2 == 0, b, 32), o%2 == 0; got != want {
				return differ("bool", got, want)
			}
			if got, want := gocuda.ShflSync[any](t, m, celsius(r), b, 32), any(celsius(o)); got != want {
				return differ("any", got, want)
			}
			if got := gocuda.ShflSync(t, m, &[]int{r}[0], b, 32); *got != o {
				return differ("*int", *got, o)
			}
			if got, want := gocuda.ShflSync(t, m, struct{}{}, b, 32), struct{}{}; got != want {
				return "struct{}"
			}
			if got, want := gocuda.ShflSync(t, m, [100]int{0: r, 99: -r}, b, 32), ([100]int{0: o, 99: -o}); got != want {
				return "a large array is torn"
			}
			if got, want := gocuda.ShflSync(t, m, complex(f, f), b, 32), complex(float32(o), float32(o)); got != want {
				return differ("complex64", got, want)
			}
			up := max(lane-1, 0)
			if got, want := gocuda.ShflUpSync(t, m, uint8(r), 1, 32), uint8(r-lane+up); got != want {
				return differ("up of uint8", got, want)
			}
			if got, want := gocuda.ShflUpSync(t, m, strconv.Itoa(r), 1, 32), strconv.Itoa(r-lane+up); got != want {
				return differ("up of string", got, want)
			}
		}
		return ""
	}
}

// shuffleOutOfStep: each warp does a different number of operations between two barriers.
func shuffleOutOfStep(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		r := rankOf(t)
		live := liveLanes(n, r)
		first := r / 32 * 32
		for round := range 3 {
			for i := range mix(r/32, round, blockOf(t)) % 5 {
				src := (i + round) % live
				if got, want := gocuda.ShflSync(t, gocuda.FullMask, r*10+i, src, 32), (first+src)*10+i; got != want {
					return differ(fmt.Sprintf("round %d operation %d", round, i), got, want)
				}
			}
			if got := t.SyncThreadsCount(true); got != n {
				return differ("threads at the barrier", got, n)
			}
		}
		return ""
	}
}
