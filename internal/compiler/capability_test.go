package compiler

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// lacking marks each line, behind "// want", with the compute capability that it needs by the
// sources of features.go, and a word of the expected report.
const lacking = `package lacking

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/cg"
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"

	"lacking/helper"
)

const half = 0.5 // no double: the compiler computes it

type point struct {
	x float32
	w float64
}

func (p *point) scale(by float32) {
	p.x *= by
	p.w *= 2 // want 1.3 double
}

//gocuda:kernel
func plain(t *gocuda.Thread, n int, x, y []float32) {
	s := gocuda.Shared[float32](t, 32)
	if i := t.GlobalX(); i < n {
		s[t.Rank()%32] = float32(math.Pi) * half * x[i]
		y[i] = device.FaddRN(s[0], device.FmulRZ(x[i], 2)) + device.Sqrtf(x[i]) + device.FastSinf(x[i])
	}
	t.SyncThreads()
	t.Threadfence()
	var m [8]int64
	m[n%8]++
}

//gocuda:kernel
func doubles(t *gocuda.Thread, n int, x []float64, y []float32, p []point, q []point) {
	var a float64 // want 1.3 double
	_ = len(x)
	y[0] = float32(math.Sqrt(float64(y[1]))) // want 1.3 double
	p[0].x = 1
	p[1].w = 1 // want 1.3 double
	q[0].scale(2)
	_ = a // want 1.3 double
}

//gocuda:kernel
func atomics(t *gocuda.Thread, i32 []int32, u64 []uint64, ints []int, f []float32, d []float64) {
	s := gocuda.Shared[int32](t, 4)
	l := gocuda.Shared[int64](t, 4)
	g := gocuda.DynamicShared[float32](t)
	part := s[1:]
	p := &part[2]
	var later []int32
	later = part
	atomic.Add(&i32[0], 1)          // want 1.1 global
	atomic.Max(&i32[1], 1)          // want 1.1 global
	atomic.Add(&s[0], 1)            // want 1.2 shared
	atomic.CAS(p, 1, 2)             // want 1.2 shared
	atomic.Inc((*uint32)(nil), 1)   // want 1.1 global
	atomic.Or(&later[1], 1)         // want 1.2 shared
	atomic.Add(&u64[0], 1)          // want 1.2 64
	atomic.Exch(&ints[0], 1)        // want 1.2 64
	atomic.Add(&l[0], 1)            // want 2.0 64
	atomic.Min(&u64[0], 1)          // want 3.5 64
	atomic.Xor(&l[0], 1)            // want 3.5 64
	atomic.Add(&f[0], 1)            // want 2.0 float
	atomic.Add(&g[0], 1)            // want 2.0 float
	atomic.Exch(&f[0], 1)           // want 1.1 global
	atomic.Add(&d[0], float64(t.Rank())) // want 6.0 double
	add(i32)
	other(s)
}

func add(v []int32) {
	atomic.Add(&v[0], 1) // want 1.1 global
}

func other(v []int32) {
	atomic.Add(&v[0], 1) // want 1.2 shared
}

//gocuda:kernel
func warps(t *gocuda.Thread, v []int32) {
	t.AnySync(gocuda.FullMask, true)                           // want 1.2 votes
	t.AllSync(gocuda.FullMask, true)                           // want 1.2 votes
	t.BallotSync(gocuda.FullMask, true)                        // want 2.0 ballots
	t.SyncThreadsCount(true)                                   // want 2.0 votes
	t.BarSync(1, 32)                                           // want 2.0 named
	t.Printf("%d", 1)                                          // want 2.0 output
	t.Assert(true)                                             // want 2.0 assert
	_ = t.LanemaskLT()                                         // want 2.0 masks
	v[0] = gocuda.ShflSync(t, gocuda.FullMask, v[0], 0, 32)    // want 3.0 shuffles
	v[1] = gocuda.ShflDownSync(t, gocuda.FullMask, v[0], 0, 32) // want 3.0 shuffles
	gocuda.MatchAnySync(t, gocuda.FullMask, v[0])              // want 7.0 matches
	t.Nanosleep(1)                                             // want 7.0 Nanosleep
	gocuda.ReduceAddSync(t, gocuda.FullMask, v[0])             // want 8.0 reductions
	t.LaunchFunc(grid.Linear(1, 1), func(t *gocuda.Thread) {   // want 3.5 launches
		t.AnySync(1, true) // want 1.2 votes
	})
	t.SyncGrid()                             // want 6.0 grid
	b := &gocuda.Shared[gocuda.Barrier](t, 1)[0]
	b.Init(t, 1)                             // want 7.0 barrier
	cg.TiledPartition(cg.ThisThreadBlock(t), 8) // want 3.0 groups
	cg.ThisGrid(t)                           // want 6.0 grid
	_ = gocuda.Malloc[int32](t, 1)           // want 2.0 allocated
	_ = make([]int32, 3)                     // want 2.0 allocated
}

//gocuda:kernel
func functions(t *gocuda.Thread, x []float32, i []uint32, tex *mem.Texture[float32], surf *mem.Surface[float32]) {
	x[0] = device.FaddRU(x[0], 1)              // want 2.0 directed
	x[0] = device.FdivRN(x[0], 1)              // want 2.0 division
	x[0] = device.FmafRN(x[0], 1, 2)           // want 2.0 fused
	i[0] = device.PtxBfe(i[0], 1, 2)           // want 2.0 fields
	i[0] = device.FunnelshiftL(i[0], i[1], 3)  // want 3.5 funnel
	h := device.Float2Half(x[0])
	h = device.Hadd(h, h)                      // want 5.3 halves
	x[0] = device.Half2Float(h)
	_ = device.Float2Bfloat16(x[0])            // want 8.0 bfloat16
	_ = device.Hypotf(x[0], 1)
	x[1] = mem.Tex2D(tex, x[0], 1)
	x[1] = mem.Tex2DLayered(tex, x[0], 1, 2)   // want 2.0 layered
	mem.Surf2Dwrite(x[0], surf, 0, 1, mem.BoundaryTrap)          // want 2.0 surfaces
	i[1] = uint32(device.Popc(i[0])) + device.Vadd4(i[0], i[1])
	x[2] = helper.Thrice(x[2])
	x[2] = helper.Deep(x[2])
}

//gocuda:kernel
func generic[T float32 | float64](t *gocuda.Thread, x []T) {
	x[0] *= 2 // float32 has it
	x[0] = helper.Thrice(x[0])
}

//gocuda:kernel
func always[T ~float64](t *gocuda.Thread, x []T) {
	x[0] *= 2 // want 1.3 double
}

//gocuda:kernel
func recursive(t *gocuda.Thread, x []int) { x[0] = factorial(x[1]) }

func factorial(n int) int {
	if n < 2 {
		return 1
	}
	return n * factorial(n-1) // want 2.0 recursion
}

// Not marked, and kernels all the same.
func unmarked(w *gocuda.Warp) {
	w.BallotSync(gocuda.FullMask, gocuda.Lanes[bool]{}) // want 2.0 ballots
}

var literal = func(b *gocuda.Block) {
	b.ForEach(func(t *gocuda.Thread) {
		t.Printf("x") // want 2.0 output
	})
}

// Host is no kernel.
func Host(x float64) {
	fmt.Println(x*2, make([]int, 3))
	atomic.Add(new(int64), 1)
	_ = plainKernel(1, nil, nil)
}
`

const lackingHelper = `package helper

func Twice[T float32 | float64](x T) T {
	return 2 * x // want 1.3 double
}

// Thrice is called with float32 alone.
func Thrice[T float32 | float64](x T) T { return 3 * x }

func Deep(x float32) float32 {
	return float32(Twice(float64(x))) // want 1.3 double
}
`

func TestCapability(t *testing.T) {
	inModule(t, map[string]string{"lacking.go": strings.ReplaceAll(lacking, "lacking/helper", "example.com/kernels/helper"), "helper/helper.go": lackingHelper})
	want := regexp.MustCompile(`// want (\d+)\.(\d+) (\S+)`)
	sources := map[string]string{"lacking.go": lacking, "helper/helper.go": lackingHelper}
	for _, c := range []gocuda.Capability{{Major: 1}, {Major: 1, Minor: 2}, {Major: 2}, {Major: 5, Minor: 3}, {Major: 9}} {
		expected := map[string]string{}
		for file, text := range sources {
			for i, line := range strings.Split(text, "\n") {
				if m := want.FindStringSubmatch(line); m != nil {
					var since gocuda.Capability
					fmt.Sscan(m[1], &since.Major)
					fmt.Sscan(m[2], &since.Minor)
					if before(c, since) {
						expected[fmt.Sprintf("%s:%d", file, i+1)] = fmt.Sprintf("%s since compute capability %v, not in %v", m[3], since, c)
					}
				}
			}
		}
		var stdout, stderr bytes.Buffer
		code := Command([]string{"-capability", c.String(), "."}, &stdout, &stderr)
		if (code == 1) != (len(expected) > 0) || stderr.Len() > 0 {
			t.Fatalf("%v: status %d, %s", c, code, stderr.String())
		}
		where := regexp.MustCompile(`^(\S+:\d+):\d+: (.*)$`)
		got := map[string]bool{}
		for line := range strings.Lines(stdout.String()) {
			m := where.FindStringSubmatch(strings.TrimSpace(line))
			if m == nil {
				t.Fatalf("%v: a line without a place: %s", c, line)
			}
			word, rest, _ := strings.Cut(expected[m[1]], " ")
			if word == "" || !strings.Contains(m[2], word) {
				t.Errorf("%v: said %q, want %q", c, strings.TrimSpace(line), expected[m[1]])
			}
			got[m[1]] = got[m[1]] || strings.HasSuffix(m[2], rest)
		}
		var missed []string
		for at, what := range expected {
			if !got[at] {
				missed = append(missed, at+": "+what)
			}
		}
		sort.Strings(missed)
		if len(missed) > 0 {
			t.Errorf("%v: not said:\n%s", c, strings.Join(missed, "\n"))
		}
	}
}

func TestCapabilityThatIsNone(t *testing.T) {
	inModule(t, map[string]string{"good.go": goodSource})
	for _, text := range []string{"1.4", "G80", "1", "0.9"} {
		var stdout, stderr bytes.Buffer
		if code := Command([]string{"-capability", text}, &stdout, &stderr); code != 2 || !strings.Contains(stderr.String(), "there are 1.0, 1.1") {
			t.Errorf("-capability %s: status %d, %s", text, code, stderr.String())
		}
	}
	var stdout, stderr bytes.Buffer
	if code := Command([]string{"-capability", "1.0"}, &stdout, &stderr); code != 0 || stdout.Len()+stderr.Len() > 0 {
		t.Errorf("status %d, %s%s", code, stdout.String(), stderr.String())
	}
	if code := Command([]string{"-capability", "1.0", "./nowhere"}, &stdout, &stderr); code != 1 || stderr.Len() == 0 {
		t.Errorf("no such package: status %d", code)
	}
}

// The check of the source and the devices at run time require the same capabilities.
func TestCapabilityAgreesWithDevices(t *testing.T) {
	full := gocuda.FullMask
	calls := map[string]func(t *gocuda.Thread){
		"AnySync": func(t *gocuda.Thread) { t.AnySync(full, true) }, "AllSync": func(t *gocuda.Thread) { t.AllSync(full, true) },
		"BallotSync": func(t *gocuda.Thread) { t.BallotSync(full, true) }, "SyncThreadsCount": func(t *gocuda.Thread) { t.SyncThreadsCount(true) },
		"SyncThreadsAnd": func(t *gocuda.Thread) { t.SyncThreadsAnd(true) }, "SyncThreadsOr": func(t *gocuda.Thread) { t.SyncThreadsOr(true) },
		"BarSync": func(t *gocuda.Thread) { t.BarSync(1, 32) }, "BarRedCount": func(t *gocuda.Thread) { t.BarRedCount(1, 32, true) },
		"Printf": func(t *gocuda.Thread) { t.Printf("") }, "Assert": func(t *gocuda.Thread) { t.Assert(true) },
		"Nanosleep": func(t *gocuda.Thread) { t.Nanosleep(0) }, "LaunchFunc": launchChild,
		"ShflSync":      func(t *gocuda.Thread) { gocuda.ShflSync(t, full, 1, 0, 32) },
		"ShflXorSync":   func(t *gocuda.Thread) { gocuda.ShflXorSync(t, full, 1, 0, 32) },
		"MatchAnySync":  func(t *gocuda.Thread) { gocuda.MatchAnySync(t, full, 1) },
		"MatchAllSync":  func(t *gocuda.Thread) { gocuda.MatchAllSync(t, full, 1) },
		"ReduceAddSync": func(t *gocuda.Thread) { gocuda.ReduceAddSync(t, full, int32(1)) },
		"ReduceOrSync":  func(t *gocuda.Thread) { gocuda.ReduceOrSync(t, full, uint32(1)) },
		"Malloc":        func(t *gocuda.Thread) { gocuda.Malloc[int](t, 1) },
		"IsGlobal":      func(t *gocuda.Thread) { gocuda.IsGlobal(t, new(int)) },
	}
	for _, g := range gocuda.Generations()[1:] {
		dev, err := gocuda.NewDevice(gocuda.WithGeneration(g))
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Close()
		p := dev.Properties()
		for name, call := range calls {
			f, ok := methods[name]
			if !ok {
				f, ok = functions[name]
			}
			if !ok {
				t.Errorf("%s is in no table", name)
			}
			err := dev.LaunchFunc(t.Context(), grid.Linear(32, 32), call)
			if err != nil && !errors.Is(err, gocuda.ErrNotSupported) {
				t.Fatal(name, err)
			}
			if lacks := before(gocuda.Capability{Major: p.Major, Minor: p.Minor}, f.since); lacks != (err != nil) {
				t.Errorf("%s on %v: since %v, and a launch has %v", name, g, f.since, err)
			}
		}
	}
}

func launchChild(t *gocuda.Thread) {
	if err := t.LaunchFunc(grid.Linear(1, 1), func(*gocuda.Thread) {}); err != nil {
		panic(err)
	}
}
