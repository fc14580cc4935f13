package prof_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/prof"
)

// Kernels whose control flow or accesses are of many kinds.
var flow = strings.Replace(program, "import (\n", `import (
	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/mem"
`, 1) + flowKernels

const flowKernels = `
var a, b = make([]float32, 4096), make([]float32, 4096)

// breaks: lane i leaves the loop in round i%4: loads 4 requests with 32,24,16,8 lanes (break before load in round).
func breaks(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	for k := 0; k < 100; k++ {
		if k == i%4 {
			break
		}
		b[i] = a[k*32+i]
	}
	b[i] = 1
}

// continues: lanes with (k+i)%2==0 skip
func continues(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	for k := range 6 {
		if (k+i)%2 == 0 {
			continue
		}
		b[i] = a[k*32+i]
	}
	b[i] = 1
}

func returns(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	if i >= 20 {
		return
	}
	b[i] = 1
}

func switches(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	switch i % 3 {
	case 0:
		b[i] = 1
	case 1:
		b[i] = 2
	}
	b[i] = 3
}

func help(x []float32, i int) float32 { return x[i] }

func sum(x []float32, lo, hi int) float32 {
	if hi-lo == 1 {
		return x[lo]
	}
	m := (lo + hi) / 2
	return sum(x, lo, m) + sum(x, m, hi)
}

// helpers: two call sites; odd lanes only the second
func helpers(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	v := float32(0)
	if i%2 == 0 {
		v = help(a, i)
	}
	v += help(a, i+32)
	b[i] = v
}

// recursion: 8 leaves each; loads 8 requests of 32 lanes each.
func recursion(t *gocuda.Thread) {
	b[t.ThreadIdx.X] = sum(a, 0, 8)
}

func outer(t *gocuda.Thread) {
	i := t.ThreadIdx.X
loop:
	for k := 0; k < 3; k++ {
		for m := range 4 {
			if m == 2 && i < 16 {
				continue loop
			}
			if k == 2 {
				break loop
			}
			b[i] = a[m]
		}
	}
	b[i] = 0
}

type vec struct{ x, y, z float32 }

var vs = make([]vec, 64)
var fs = make([]device.Float4, 64)
var ds = make([]float64, 64)
var bs = make([]byte, 64)
var cs = make([]complex64, 64)

func structs(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	v := vs[i]
	f := fs[i]
	d := ds[i]
	c := bs[i]
	z := cs[i]
	_, _, _, _, _ = v, f, d, c, z
}

func field(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	b[i] = vs[i].y
	vs[i].z += 2
}

var counts = make([]int32, 64)

func atomics(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	atomic.Add(&counts[i/8], 1)
	atomic.Add(&counts[0], 1)
}

var coef = mem.NewConstant[float32]("coef", 64)

func constants(c mem.ReadOnly[float32]) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		b[i] = c.At(5) + c.At(i) + c.At(i/16)
	}
}

func gotos(t *gocuda.Thread) {
	i, k := t.ThreadIdx.X, 0
again:
	b[i] = float32(k)
	if k++; k < 3 {
		goto again
	}
}

func forever(t *gocuda.Thread) {
	i, k := t.ThreadIdx.X, 0
	for {
		b[i] = 1
		if k++; k > i/8 {
			break
		}
	}
}

func shuffles(t *gocuda.Thread) {
	v := gocuda.ShflDownSync(t, gocuda.FullMask, t.ThreadIdx.X, 16, 32)
	b[t.ThreadIdx.X] = float32(v)
}

func condload(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	k := 0
	for a[k*32+i] == 0 && k < 5 {
		k++
	}
	for j := i; j < 32; j++ {
		b[i] = a[j]
	}
}

type row struct{ data [][]float32 }

var rows = row{[][]float32{make([]float32, 64), make([]float32, 64), make([]float32, 64)}}

func rowsof(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	b[i] = rows.data[i%3][i]
}

type scale struct {
	k float32
	x []float32
}

func (s *scale) thread(t *gocuda.Thread) { i := t.GlobalX(); s.x[i] *= s.k }

func ranges(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	s := a[:4]
	var v float32
	for _, x := range s {
		v += x
	}
	b[i] = v
	copy(b[i*2:i*2+2], a[i*2:i*2+2])
}

func closures(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	f := func(k int) { b[k] = 1 }
	if i < 8 {
		f(i)
	}
	f(i + 32)
}

func partial(t *gocuda.Thread) { b[t.GlobalX()] = 1 }

func selects(t *gocuda.Thread) {
	i := t.ThreadIdx.X
	c := make(chan int, 1)
	c <- i
	select {
	case k := <-c:
		help(a, k)
		b[k] = help(a, k)
	default:
		b[i+32] = help(a, i)
	}
}

func TestAll(t *testing.T) {
	one, w := dim(1, 1), dim(32, 1)
	for _, k := range []func(*gocuda.Thread){breaks, continues, returns, switches, helpers, recursion, outer, structs, field, atomics, gotos, forever, shuffles, condload, rowsof, ranges, closures, selects} {
		launch(one, w, k)
	}
	d := theDevice()
	c, err := coef.On(d)
	if err != nil {
		t.Fatal(err)
	}
	launch(one, w, constants(c))
	launch(one, w, (&scale{2, b}).thread)
	launch(dim(2, 1), dim(40, 1), partial)
	err = d.Launch(context.Background(), grid.Config{Grid: one, Block: dim(64, 1)}, gocuda.BlockFunc(func(bl *gocuda.Block) {
		b[0] = 1
		bl.Threads(func(t *gocuda.Thread) { b[t.ThreadIdx.X] = 1 })
		bl.ForEach(func(t *gocuda.Thread) { b[t.ThreadIdx.X+64] = 1 })
		bl.Warps(func(w *gocuda.Warp) { b[w.WarpID()] = 1 })
	}))
	if err != nil {
		t.Fatal(err)
	}
}
`

// The counts are worked out by hand: requests and lanes of all of them, then sectors, divergent
// branches or the like.
func TestControlFlow(t *testing.T) {
	r := profile(t, flow)
	for _, c := range []struct {
		kernel, kind, text string
		requests, lanes    int
		more               string
	}{
		{"breaks", "loop", "k < 100", 4, 80, "0 divergent"}, // lanes leave by the break, not at the head
		{"breaks", "branch", "k == i%4", 4, 80, "3 divergent"},
		{"breaks", "load", "a[k*32+i]", 3, 48, "12 sectors"},
		{"continues", "loop", "for k := range 6", 7, 224, "0 divergent"},
		{"continues", "load", "a[k*32+i]", 6, 96, "24 sectors"},
		{"returns", "store", "b[i]", 1, 20, "3 sectors"},
		{"switches", "switch", "switch i % 3", 1, 32, "1 divergent"},
		{"helpers", "load", "x[i]", 2, 48, "8 sectors"},
		{"recursion", "branch", "hi-lo == 1", 15, 480, "0 divergent"},
		{"recursion", "load", "x[lo]", 8, 256, "8 sectors"},
		{"outer", "loop", "k < 3", 3, 96, "0 divergent"},
		{"outer", "loop", "for m := range 4", 11, 288, "0 divergent"},
		{"outer", "branch", "m == 2 && i < 16", 9, 256, "2 divergent"},
		{"outer", "load", "a[m]", 8, 192, "8 sectors"},
		{"structs", "load", "vs[i]", 3, 96, "36 sectors"}, // three words of 4 bytes, 12 bytes apart
		{"structs", "load", "fs[i]", 1, 32, "16 sectors"}, // a float4 is one access of 16 bytes
		{"structs", "load", "ds[i]", 1, 32, "8 sectors"},
		{"structs", "load", "bs[i]", 1, 32, "1 sectors"},
		{"structs", "load", "cs[i]", 1, 32, "8 sectors"},
		{"field", "load", "vs[i].y", 1, 32, "12 sectors"},
		{"field", "store", "vs[i].z", 1, 32, "12 sectors"},
		{"atomics", "atomic", "&counts[i/8]", 1, 32, "4 addresses, 8 at one"},
		{"atomics", "atomic", "&counts[0]", 1, 32, "1 addresses, 32 at one"},
		{"constants", "load", "c.At(5)", 1, 32, "1 reads"},
		{"constants", "load", "c.At(i)", 1, 32, "32 reads"},
		{"constants", "load", "c.At(i/16)", 1, 32, "2 reads"},
		{"gotos", "store", "b[i]", 3, 96, "12 sectors"},
		{"forever", "store", "b[i]", 4, 80, "10 sectors"},
		{"shuffles", "warp", "gocuda.ShflDownSync(t, gocuda.FullMask, t.ThreadIdx.X, 16, 32)", 1, 32, ""},
		{"condload", "load", "a[k*32+i]", 6, 192, "24 sectors"},
		{"condload", "loop", "j < 32", 33, 560, "31 divergent"},
		{"rowsof", "load", "rows.data[i%3][i]", 1, 32, "12 sectors"},
		{"rowsof", "load", "rows.data[i%3]", 1, 32, "2 sectors"}, // pointers of 8 bytes, 24 apart, as slices are here
		{"ranges", "load", "s", 4, 128, "4 sectors"},
		{"ranges", "store", "copy(b[i*2:i*2+2], a[i*2:i*2+2])", 2, 64, "16 sectors"},
		{"closures", "store", "b[k]", 2, 40, "5 sectors"},
		{"selects", "load", "x[i]", 2, 64, "8 sectors"},
		{"selects", "store", "b[k]", 1, 32, "4 sectors"},
		{"scale", "load", "s.x[i]", 1, 32, "4 sectors"},
		{"partial", "store", "b[t.GlobalX()]", 4, 80, "10 sectors"},
		{"TestAll", "store", "b[t.ThreadIdx.X+64]", 2, 64, "8 sectors"},
		{"TestAll", "store", "b[w.WarpID()]", 2, 2, "2 sectors"},
	} {
		s := site(t, r.Kernel(c.kernel), c.kind, c.text)
		name := c.kernel + " " + c.text
		assert.Equal(t, c.requests, s.Requests, name)
		assert.Equal(t, c.lanes, s.Lanes, name)
		switch {
		case s.Kind == "atomic":
			assert.Equal(t, c.more, fmt.Sprintf("%d addresses, %d at one", s.Addresses, s.Most), name)
		case s.Space == prof.SpaceGlobal:
			assert.Equal(t, c.more, fmt.Sprintf("%d sectors", s.Global[4].Transactions), name)
		case s.Space == prof.SpaceConstant:
			assert.Equal(t, c.more, fmt.Sprintf("%d reads", s.Constant[1]), name)
		case c.more != "":
			assert.Equal(t, c.more, fmt.Sprintf("%d divergent", s.Divergent), name)
		}
	}
	_, err := r.Lookup("absent")
	assert.ErrorContains(t, err, "no kernel \"absent\" has run; there were: user.breaks, user.continues")
	assert.Panics(t, func() { r.Kernel("absent") })
}
