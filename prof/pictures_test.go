package prof_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/prof"
)

// What pictures are made of: the transpose without tiles reads rows and writes columns of 1024
// float32, in four rounds; a row of 4096 bytes is a cell of a buffer, and 32 blocks use it.
func TestPictures(t *testing.T) {
	r := profileWith(t, prof.Settings{GPU: "ampere", Pictures: true}, published)
	k := r.Kernel("naive")
	load, store := site(t, k, "load", "in[(y+j)*n+x]"), site(t, k, "store", "out[x*n+y+j]")
	require.Len(t, load.Samples, 4)
	require.Len(t, store.Samples, 4)
	for round := range 4 {
		l, s := load.Samples[round], store.Samples[round]
		assert.Equal(t, []any{0, round, ^uint32(0), 4}, []any{l.Warp, l.Round, l.Active, l.Word})
		assert.Equal(t, []any{0, round, ^uint32(0), 4}, []any{s.Warp, s.Round, s.Active, s.Word})
		for lane := range 32 {
			assert.Equal(t, 4*(1024*8*round+lane), l.Addr[lane])
			assert.Equal(t, 4*(1024*lane+8*round), s.Addr[lane])
		}
	}
	buffers := k.Launches[0].Buffers
	require.Len(t, buffers, 2)
	in, out := buffers[0], buffers[1]
	if in.Name != "in" {
		in, out = out, in
	}
	assert.Equal(t, []any{"in", 4096, "out", 4096}, []any{in.Name, in.Unit, out.Name, out.Unit})
	require.Len(t, in.Reads, 1024)
	require.Len(t, out.Writes, 1024)
	for i := range 1024 {
		assert.Equal(t, []int{1024, 0, 2}, []int{in.Reads[i], in.Writes[i], in.Blocks[i]})
		assert.Equal(t, []int{0, 1024, 2}, []int{out.Reads[i], out.Writes[i], out.Blocks[i]})
	}

	// In round r of the reduction lanes whose number is a multiple of 2^(r+1) take the branch.
	var taken []uint32
	for _, s := range r.Kernel("divergent").Launches[0].Steps {
		if s.Kind == "branch" {
			assert.Equal(t, ^uint32(0), s.Active)
			taken = append(taken, s.Taken)
		}
	}
	assert.Equal(t, []uint32{0x55555555, 0x11111111, 0x01010101, 0x00010001, 1, 1, 1}, taken)
}

// Pictures are the same for each executor and order, also of several launches at the same time.
func TestPicturesAreTheSame(t *testing.T) {
	source := strings.Replace(flow, "var options", `func TestSideBySide(t *testing.T) {
	var w sync.WaitGroup
	for i := range 4 {
		w.Go(func() { launch(dim(8, 1), dim(64, 1), func(t *gocuda.Thread) { if k := t.GlobalX(); k%(i+2) == 0 { b[k] = a[k*(i+1)] } }) })
	}
	w.Wait()
}

var options`, 1)
	options := []string{"WithWorkers(1)", "WithWorkers(3)", "WithExecutor(gocuda.ExecutorGoroutine)", "WithBlockOrder(gocuda.ShuffledOrder(7))"}
	all := profileEach(t, prof.Settings{GPU: "ampere", Pictures: true}, source, options...)
	want := text(t, all[0])
	assert.Contains(t, want, `"Samples"`)
	assert.Contains(t, want, `"Buffers"`)
	for i, r := range all {
		assert.True(t, want == text(t, r), "other pictures with %s", options[i])
	}
}
