package user

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// increment is launched with 64 blocks.
func increment(x []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) { x[t.GlobalX()]++ }
}

// The first stream copies 4096 bytes and launches, three times; the second launches three times. Then the host does once.
func TestStreams(t *testing.T) {
	d, err := gocuda.NewDevice()
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	first, second := d.NewStream(), d.NewStream()
	b, err := mem.Alloc[float32](d, 1024)
	require.NoError(t, err)
	host, other := make([]float32, 1024), make([]float32, 2048)
	cfg := grid.Config{Grid: grid.Dim3{X: 64}, Block: grid.Dim3{X: 16}}
	for range 3 {
		require.NoError(t, second.LaunchFunc(cfg, increment(other)))
		require.NoError(t, mem.CopyToDeviceAsync(first, b, host))
		require.NoError(t, first.LaunchFunc(cfg, increment(b.Data())))
	}
	require.NoError(t, d.Synchronize(context.Background()))
	require.NoError(t, d.LaunchFunc(context.Background(), cfg, increment(b.Data())))
	require.NoError(t, b.Free())
}
