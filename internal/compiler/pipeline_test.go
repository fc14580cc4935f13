package compiler

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Names of passes are unique, and each pass follows those that it needs.
func TestPassTable(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range passes {
		assert.False(t, seen[p.name], "two passes are called %s", p.name)
		assert.NotEmpty(t, p.about, p.name)
		for _, n := range p.needs {
			assert.True(t, seen[n], "%s needs %s, which comes later", p.name, n)
		}
		seen[p.name] = true
	}
}

func TestPassNames(t *testing.T) {
	inModule(t, map[string]string{"k.go": "package k\n"})
	for args, want := range map[string]string{
		"-dump nothing":    `there is no pass "nothing"; there are pointers,`,
		"-off tiles,other": `there is no pass "other"`,
		"-off lower":       "pass lower can't be turned off",
	} {
		status, _, stderr := gen(strings.Fields(args)...)
		assert.Equal(t, 2, status, args)
		assert.Contains(t, stderr, want, args)
	}
	status, stdout, _ := gen("-passes")
	assert.Zero(t, status)
	for _, p := range passes {
		assert.Contains(t, stdout, p.name+" ")
	}
}

// rowSums is a kernel with a matrix row per thread; the other kernels are for passes that no
// ready-made kernel needs.
const rowSums = `package k

import (
	gcatomic "github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
)

//gocuda:kernel
func paired(t *gocuda.Thread, n []int32) { gcatomic.Add(&n[t.ThreadIdx.X&1], 1) }

//gocuda:kernel
func sums(t *gocuda.Thread, n int, a, out []float32) {
	i := t.GlobalX()
	if i < n {
		last := n
		last = n - 1
		_ = last
		var s float32
		for j := 0; j < n; j++ {
			s += a[i*n+j]
		}
		out[i] = s
	}
}
`

const others = `
//gocuda:kernel
func unrolled(t *gocuda.Thread, n int, x, y []int32) {
	i := t.GlobalX()
	var sum int32
	j := 0
	for ; j+1 < n; j += 2 {
		sum += x[i+j]
		sum += x[i+j+1]
	}
	for ; j < n; j++ {
		sum += x[i+j]
	}
	y[i] = sum
}

//gocuda:kernel
func fourEach(t *gocuda.Thread, n int, x, y []int32) {
	i := 4 * t.GlobalX()
	if i+4 <= n {
		y[i] = 3 * x[i]
		y[i+1] = 3 * x[i+1]
		y[i+2] = 3 * x[i+2]
		y[i+3] = 3 * x[i+3]
	} else {
		for ; i < n; i++ {
			y[i] = 3 * x[i]
		}
	}
}

// Points are counted.
//
//gocuda:kernel
func tallied(t *gocuda.Thread, x []float32, n []int32) {
	if i := t.GlobalX(); i < len(x) && x[i] > 0 {
		gcatomic.Add(&n[0], 1)
	}
}

// Threads behind the end return before the barrier.
//
//gocuda:kernel
func guarded(t *gocuda.Thread, n int, x, y []float32) {
	s := gocuda.Shared[float32](t, 64)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	if i >= n {
		return
	}
	s[tid] = x[i]
	t.SyncThreads()
	y[i] = s[tid^1]
}

// An index advances from plane to plane.
//
//gocuda:kernel
func marched(t *gocuda.Thread, n, depth int, x, y []float32) {
	s := gocuda.Shared[float32](t, 64)
	tid := t.ThreadIdx.X
	at := t.GlobalX()
	for z := 0; z < depth; z++ {
		s[tid] = x[at]
		t.SyncThreads()
		y[at] = s[63-tid]
		t.SyncThreads()
		at += n
	}
}

type springs struct {
	X, V []float32
	Many int
}

// A parameter that is only read.
//
//gocuda:kernel
func relaxed(t *gocuda.Thread, s *springs, out []float32) {
	if i := t.GlobalX(); i > 0 && i < s.Many {
		out[i] = s.X[i-1] + s.V[i]
	}
}

// Rows of two slices of slices, of which a loop chooses one.
//
//gocuda:kernel
func rowsOf(t *gocuda.Thread, a, b, c [][]float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if y < len(c) && x < len(c[y]) {
		sum := float32(0)
		for k := range b {
			sum += a[y][k] * b[k][x]
		}
		c[y][x] = sum
	}
}

// Products of rows on one side of the diagonal.
//
//gocuda:kernel
func triangular(t *gocuda.Thread, n, m int, a, b, c []float32) {
	j, i := t.GlobalX(), t.GlobalY()
	if i >= n || j >= n || j > i {
		return
	}
	sum := float32(0)
	for k := 0; k < m; k++ {
		sum += a[i*m+k] * b[j*m+k]
	}
	c[i*n+j] = sum
}

type point struct{ x, y float32 }

// Points in an array of the thread's own.
//
//gocuda:kernel
func turned(t *gocuda.Thread, n int, a, b []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var p [4]point
	for k := range 4 {
		p[k] = point{a[i+k*n], a[i]}
	}
	for k := 1; k < 4; k++ {
		p[k] = point{-p[k].y, p[k].x + p[k-1].y}
	}
	b[i] = p[1].x + p[2].y*p[3].x
}

// Pixels of four bytes with their red and blue exchanged.
//
//gocuda:kernel
func exchanged(t *gocuda.Thread, n int, a, b []uint8) {
	i := t.GlobalX()
	if i < n {
		b[4*i], b[4*i+1], b[4*i+2], b[4*i+3] = a[4*i+2], a[4*i+1], a[4*i], a[4*i+3]
	}
}

// Neighbours along y, of which the last has none.
//
//gocuda:kernel
func columns(t *gocuda.Thread, n int, a, b []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < n && y < n {
		b[x*n+y] = 2 * a[x*n+y]
	}
}

//gocuda:kernel
func clamped(t *gocuda.Thread, n int, a, b []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	j := i + 1
	if j > n-1 {
		j = n - 1
	}
	b[i] = a[j]
}

// A mean of bytes around a place, which is kept inside.
//
//gocuda:kernel
func blurred(t *gocuda.Thread, w, h, r int, a, b []uint8) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	sum := 0
	for j := -r; j <= r; j++ {
		yy := y + j
		if yy < 0 {
			yy = 0
		} else if yy > h-1 {
			yy = h - 1
		}
		for i := max(0, x-r); i <= min(w-1, x+r); i++ {
			sum += int(a[yy*w+i])
		}
	}
	b[y*w+x] = uint8(sum / ((2*r + 1) * (2*r + 1)))
}

func firstOf(v int32, s []int32) int {
	for i := range s {
		if s[i] == v {
			return i
		}
	}
	return -1
}

//gocuda:kernel
func found(t *gocuda.Thread, a, b, c []int32) {
	i := t.GlobalX()
	c[i] = int32(firstOf(a[i], b))
}

//gocuda:kernel
func reused(t *gocuda.Thread, a, b []float32) {
	i := t.GlobalX()
	v := 2 * a[i]
	b[i] = v
	v = 3
}

//gocuda:kernel
func product(t *gocuda.Thread, n int, a, b, c []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < n && y < n {
		for k := 0; k < n; k++ {
			c[y*n+x] += a[y*n+k] * b[k*n+x]
		}
	}
}

type matrix struct {
	cols int
	data []float32
}

func (m matrix) put(i, j int, v float32) { m.data[i*m.cols+j] = v }
func (m *matrix) has(j int) bool         { return j < m.cols }

//gocuda:kernel
func method(t *gocuda.Thread, m matrix) {
	if m.has(t.GlobalX()) {
		m.put(t.GlobalY(), t.GlobalX(), 1)
	}
}

//gocuda:kernel
func halved(t *gocuda.Thread, sums []float32) {
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	for half := 1; half < t.BlockDim.Y; half *= 2 {
		if y%(2*half) == 0 && y+half < t.BlockDim.Y {
			sums[y*32+x] += sums[(y+half)*32+x]
		}
		t.SyncThreads()
	}
}

//gocuda:kernel
func counted(t *gocuda.Thread, n int32, in []byte, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	s[t.ThreadIdx.X] = 0
	t.SyncThreads()
	for i := int32(t.GlobalX()); i < n; i += int32(t.GridDim.X * t.BlockDim.X) {
		s[in[i]]++
	}
	t.SyncThreads()
	out[t.ThreadIdx.X] = s[t.ThreadIdx.X]
}

//gocuda:kernel
func spread(t *gocuda.Thread, n int, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := float32(0)
	for j := range n {
		if j != i {
			d := in[j] - in[i]
			s += d * d
		}
	}
	out[i] = s
}

//gocuda:kernel
func firstAbove(t *gocuda.Thread, n int, in, limits []float32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	for k := range in {
		if in[k] > limits[i] {
			out[i] = int32(k)
			return
		}
	}
	out[i] = -1
}

//gocuda:kernel
func ring(t *gocuda.Thread, n int, in, out []float32) {
	if i := t.GlobalX(); i < n {
		out[i] = in[(i-1+n)%n] + in[(i+1)%n]
	}
}

//gocuda:kernel
func searched(t *gocuda.Thread, n, m int32, text, word []byte, same []int32) {
	i := int32(t.GlobalX())
	if i > n-m {
		return
	}
	j := int32(0)
	for j < m && text[i+j] == word[j] {
		j++
	}
	same[i] = j
}

//gocuda:kernel
func weighted(t *gocuda.Thread, in, out []float32) {
	weights := [3]float32{1, 2, 1}
	if i := t.GlobalX(); i > 0 && i < len(in)-1 {
		s := float32(0)
		for k := range 3 {
			s += weights[k] * in[i+k-1]
		}
		out[i] = s
	}
}

//gocuda:kernel
func inner(t *gocuda.Thread, w uint32, in, out []float32) {
	if x := uint32(t.GlobalX()); x-1 < w-2 {
		out[x] = in[x-1] + in[x+1]
	}
}

//gocuda:kernel
func framed(t *gocuda.Thread, w int, in, out []float32) {
	x := t.GlobalX()
	if x >= w {
		return
	}
	edge := x == 0
	if x == w-1 {
		edge = true
	}
	if edge {
		out[x] = 0
	} else {
		out[x] = in[x]
	}
}

type series struct{ values []float32 }

//gocuda:kernel
func doubled(t *gocuda.Thread, s series) {
	if i := t.GlobalX(); i < len(s.values) {
		s.values[i] *= 2
	}
}

//gocuda:kernel
func limited(t *gocuda.Thread, low float32, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = 2 * in[i]
		if out[i] < low {
			out[i] = low
		}
	}
}

//gocuda:kernel
func mixed(t *gocuda.Thread, in, out []uint32) {
	var w [64]uint32
	i := t.GlobalX()
	for k := range 16 {
		w[k] = in[16*i+k]
	}
	for k := 16; k < 64; k++ {
		w[k] = w[k-16] + w[k-7]^w[k-2]
	}
	out[i] = w[63]
}

//gocuda:kernel
func halves(t *gocuda.Thread, d int, in, out []float32) {
	s := gocuda.Shared[float32](t, 256)
	i := t.ThreadIdx.X
	s[i] = in[i]
	t.SyncThreads()
	var other float32
	if i < d {
		other = s[i+d]
	}
	t.SyncThreads()
	if i < d {
		s[i] += other
	}
	t.SyncThreads()
	out[i] = s[i]
}

//gocuda:kernel
func haloed(t *gocuda.Thread, n int, in, out []float32) {
	s := gocuda.Shared[float32](t, 257)
	tx, i := t.ThreadIdx.X, t.GlobalX()
	if i < n {
		s[tx+1] = in[i]
		if tx == 0 && i > 0 {
			s[0] = in[i-1]
		}
	}
	t.SyncThreads()
	if i < n {
		out[i] = s[tx]
	}
}

//gocuda:kernel
func numbered(t *gocuda.Thread, in, out []float32) {
	i := t.ThreadIdx.Y*16 + t.ThreadIdx.X
	out[i] = 2 * in[i]
}

//gocuda:kernel
func filled(t *gocuda.Thread, w, h int, in, out []float32) {
	s := gocuda.Shared[float32](t, 20*20)
	x0, y0 := t.BlockIdx.X*16-2, t.BlockIdx.Y*16-2
	for i := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X; i < 20*20; i += t.BlockDim.X * t.BlockDim.Y {
		s[i] = in[max(0, min(y0+i/20, h-1))*w+max(0, min(x0+i%20, w-1))]
	}
	t.SyncThreads()
	out[(t.BlockIdx.Y*16+t.ThreadIdx.Y)*w+t.BlockIdx.X*16+t.ThreadIdx.X] = s[(t.ThreadIdx.Y+4)*20+t.ThreadIdx.X]
}

//gocuda:kernel
func butterflies(t *gocuda.Thread, n int, in, out []float32) {
	s := gocuda.Shared[float32](t, 512)
	tid := t.ThreadIdx.X
	s[2*tid], s[2*tid+1] = in[2*tid], in[2*tid+1]
	for half := 1; half < n; half *= 2 {
		t.SyncThreads()
		i := 2*tid - tid&(half-1)
		x, y := s[i], s[i+half]
		s[i], s[i+half] = x+y, x-y
	}
	t.SyncThreads()
	out[2*tid], out[2*tid+1] = s[2*tid], s[2*tid+1]
}
`

// A dump shows the kernel after a kernel pass and the nests after a nest pass, and no files are
// written. A pass that is off changes nothing.
func TestDump(t *testing.T) {
	inModule(t, map[string]string{"k.go": rowSums})
	dumped := func(args ...string) string {
		status, stdout, stderr := gen(args...)
		require.Zero(t, status, stderr)
		_, err := os.Stat("k_gocuda.go")
		assert.Error(t, err, "a dump writes files")
		return stdout
	}
	assert.NotContains(t, dumped("-dump", "clamps"), "last = ")
	assert.Contains(t, dumped("-dump", "clamps", "-off", "dead"), "last = (n - 1)")
	assert.Contains(t, dumped("-dump", "fission"), "for each thread")
	loops := dumped("-dump", "motion")
	assert.Contains(t, loops, "nest ")
	assert.Contains(t, loops, "tile.f32")
	assert.NotContains(t, dumped("-dump", "motion", "-off", "tiles"), "tile.f32")
}

// The code is correct without any of the optional passes.
func TestPassesOff(t *testing.T) {
	if raceEnabled || testing.Short() {
		t.Skip("it builds and runs a program")
	}
	text, err := os.ReadFile("testdata/run/main.go")
	require.NoError(t, err)
	inModule(t, map[string]string{"main.go": string(text)})
	var off []string
	for _, p := range passes {
		if !p.must {
			off = append(off, p.name)
		}
	}
	status, _, stderr := gen("-off", strings.Join(off, ","))
	require.Zero(t, status, stderr)
	out, err := exec.Command("go", "run", ".").CombinedOutput()
	require.NoError(t, err, string(out))
	for l := range strings.Lines(string(out)) {
		kernel, verdict, _ := strings.Cut(strings.TrimSpace(l), " ")
		if kernel != "guardOverflow" { // it fails once the guard is a loop bound
			assert.Equal(t, "agrees", verdict, kernel)
		}
	}
}

// The passes that change each ready-made kernel are recorded, so that a pass that stops working is
// noticed.
func TestPassesWork(t *testing.T) {
	if raceEnabled || testing.Short() {
		t.Skip("it takes some ten seconds")
	}
	results, err := Generate("../..", []string{"./kernels/..."}, Options{Record: true})
	require.NoError(t, err)
	var out strings.Builder
	for _, r := range results {
		for _, name := range slices.Sorted(maps.Keys(r.Worked)) {
			fmt.Fprintf(&out, "%s.%s: %s\n", r.Package[strings.LastIndexByte(r.Package, '/')+1:], name, strings.Join(r.Worked[name], " "))
		}
	}
	const golden = "testdata/passes.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), out.String(), "see the change with -update and git diff")

	inModule(t, map[string]string{"k.go": rowSums + others})
	more, err := Generate(".", []string{"."}, Options{Record: true})
	require.NoError(t, err)
	small := map[string][]string{"sums": {"tiles"}, "columns": {"swap"}, "clamped": {"clamps"}, "blurred": {"choices", "clip", "narrow"}, "found": {"returns"}, "reused": {"dead2"}, "product": {"promote"}, "halved": {"remainders"}, "method": {"copies"}, "weighted": {"constants"}, "firstAbove": {"tails", "returns"}, "searched": {"induction"}, "ring": {"wraps"}, "spread": {"agree"}, "counted": {"counters"}, "exchanged": {"words"}, "triangular": {"speculate"}, "turned": {"records"}, "relaxed": {"pointers"}, "tallied": {"privatize"}, "rowsOf": {"rowpointers"}, "unrolled": {"reroll"}, "fourEach": {"uncoarsen"}, "limited": {"forward", "ifconvert"}, "inner": {"ranges"}, "framed": {"flags"}, "doubled": {"fields"},
		"mixed": {"local"}, "halves": {"sink"}, "haloed": {"onethread"}, "numbered": {"linear"}, "filled": {"blockstride"}, "butterflies": {"planes"}, "guarded": {"guardreturns"}, "marched": {"ivs"}}
	for kernel, passes := range small {
		assert.Subset(t, more[0].Worked[kernel], passes, kernel)
	}
	for _, p := range passes {
		if !slices.ContainsFunc(slices.Collect(maps.Values(small)), func(list []string) bool { return slices.Contains(list, p.name) }) {
			assert.Regexp(t, ` `+p.name+`\b`, out.String(), "a pass that works on no kernel")
		}
	}
}
