package prof_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/prof"
)

// Three reductions of Harris in a block of 128, and transposes by tiles of 32x32 in blocks of 32x8.
// Their counts are worked out by hand: see the tests of package memsys.
const published = program + `
func divergent(t *gocuda.Thread) {
	s := gocuda.Shared[int32](t, 128)
	tid := t.ThreadIdx.X
	s[tid] = int32(tid)
	t.SyncThreads()
	for d := 1; d < t.BlockDim.X; d *= 2 {
		if tid%(2*d) == 0 {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
}

func strided(t *gocuda.Thread) {
	s := gocuda.Shared[int32](t, 128)
	tid := t.ThreadIdx.X
	s[tid] = int32(tid)
	t.SyncThreads()
	for d := 1; d < t.BlockDim.X; d *= 2 {
		if i := 2 * d * tid; i < 128 {
			s[i] += s[i+d]
		}
		t.SyncThreads()
	}
}

func sequential(t *gocuda.Thread) {
	s := gocuda.Shared[int32](t, 128)
	tid := t.ThreadIdx.X
	s[tid] = int32(tid)
	t.SyncThreads()
	for d := t.BlockDim.X / 2; d > 0; d >>= 1 {
		if tid < d {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
}

const n = 1024

func naive(in, out []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		x := t.BlockIdx.X*32 + t.ThreadIdx.X
		y := t.BlockIdx.Y*32 + t.ThreadIdx.Y
		for j := 0; j < 32; j += 8 {
			out[x*n+y+j] = in[(y+j)*n+x]
		}
	}
}

func tiled(in, out []float32, w int) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[float32](t, 32*w)
		x := t.BlockIdx.X*32 + t.ThreadIdx.X
		y := t.BlockIdx.Y*32 + t.ThreadIdx.Y
		for j := range 4 {
			s[(t.ThreadIdx.Y+8*j)*w+t.ThreadIdx.X] = in[(y+8*j)*n+x]
		}
		t.SyncThreads()
		x = t.BlockIdx.Y*32 + t.ThreadIdx.X
		y = t.BlockIdx.X*32 + t.ThreadIdx.Y
		for j := range 4 {
			out[(y+8*j)*n+x] = s[t.ThreadIdx.X*w+t.ThreadIdx.Y+8*j]
		}
	}
}

func padded(in, out []float32) func(*gocuda.Thread) {
	k := tiled(in, out, 33)
	return func(t *gocuda.Thread) { k(t) }
}

func TestPublished(t *testing.T) {
	launch(dim(1, 1), dim(128, 1), divergent)
	launch(dim(1, 1), dim(128, 1), strided)
	launch(dim(1, 1), dim(128, 1), sequential)
	a, b := make([]float32, n*n), make([]float32, n*n)
	launch(dim(n/32, n/32), dim(32, 8), naive(a, b))
	launch(dim(n/32, n/32), dim(32, 8), tiled(a, b, 32))
	launch(dim(n/32, n/32), dim(32, 8), padded(a, b))
}
`

func TestPublishedKernels(t *testing.T) {
	const n = 1024 // of the transposes
	r := profile(t, published)
	for _, c := range []struct {
		name, branch         string
		divergent            int
		efficiency           float64
		requests, wavefronts int
	}{
		{"divergent", "tid%(2*d) == 0", 23, 17.86, 46, 46},
		{"strided", "i < 128", 5, 82.14, 16, 46},
		{"sequential", "tid < d", 5, 82.14, 16, 16},
	} {
		k := r.Kernel(c.name)
		s := site(t, k, "branch", c.branch)
		assert.Equal(t, 28, s.Requests, c.name)
		assert.Equal(t, c.divergent, s.Divergent, c.name)
		assert.InDelta(t, c.efficiency, 100*float64(s.Requests-s.Divergent)/float64(s.Requests), 0.005, c.name)
		assert.Equal(t, c.requests, k.Requests("load", prof.SpaceShared), c.name)
		assert.Equal(t, c.wavefronts, k.Wavefronts("load"), c.name)
	}
	for _, c := range []struct {
		name                string
		load, store, column float64
	}{{"naive", 4, 32, 0}, {"tiled", 4, 4, 32}, {"padded", 4, 4, 1}} {
		k := r.Kernel(c.name)
		assert.InDelta(t, c.load, k.SectorsPerLoad(), 0, c.name)
		assert.InDelta(t, c.store, k.SectorsPerStore(), 0, c.name)
		assert.InDelta(t, c.column, k.SharedPerLoad(), 0, c.name)
	}
	// 64 neighbouring blocks are two rows of tiles: they read 64 rows, and write 64 columns, which
	// are in one page of a row of two, and in one memory partition of a GTX 280.
	l := r.Kernel("naive").Launches[0]
	assert.Equal(t, 2*n*n*4/32, l.Fresh)
	assert.Equal(t, n*n*4/2048+n/64*n, l.Pages)
	assert.Equal(t, n*n*4/8, site(t, r.Kernel("naive"), "load", "in[(y+j)*n+x]").Camped[1])
	store := site(t, r.Kernel("naive"), "store", "out[x*n+y+j]")
	assert.Equal(t, store.Global[1].Bytes, store.Camped[1])
	line := func(text string) string {
		at := strings.Index(published, text)
		return fmt.Sprint("k_test.go:", 1+strings.Count(published[:at], "\n"))
	}
	saidOf := func(name string) string {
		var text []string
		for _, a := range r.Kernel(name).Advise() {
			text = append(text, fmt.Sprint(a.Good, " ", a.Text))
		}
		return strings.Join(text, "\n")
	}
	assert.Contains(t, saidOf("naive"), "false the store of out[x*n+y+j] at "+line("out[x*n+y+j]")+" moves 32 sectors a request where 4 would do: threads of a warp write 1024 elements apart")
	assert.Contains(t, saidOf("tiled"), "true the store of out[(y+8*j)*n+x] at "+line("out[(y+8*j)*n+x]")+" is coalesced: 4 sectors a request, 100 %")
	assert.Contains(t, saidOf("tiled"), "false the load of s[t.ThreadIdx.X*w+t.ThreadIdx.Y+8*j] at "+line("out[(y+8*j)*n+x]")+" takes 32 passes over the banks of shared memory where 1 would do")
	assert.Contains(t, saidOf("padded"), "true the load of s[t.ThreadIdx.X*w+t.ThreadIdx.Y+8*j] at "+line("out[(y+8*j)*n+x]")+" has no bank conflicts: 1 pass")
}

func TestRunWithoutTheOverlay(t *testing.T) {
	called := false
	_, err := prof.Run(func() { called = true })
	assert.ErrorIs(t, err, prof.ErrNotBuilt)
	assert.False(t, called)
	assert.False(t, prof.Active())
}
