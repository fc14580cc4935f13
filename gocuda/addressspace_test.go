package gocuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

var spaceCoef = mem.NewConstant[float32]("spaceCoef", 4)

func TestAddressSpaces(t *testing.T) {
	for _, executor := range []gocuda.Executor{gocuda.ExecutorCoroutine, gocuda.ExecutorGoroutine} {
		dev := openDevice(t, gocuda.WithExecutor(executor))
		buf, err := mem.Alloc[int32](dev, 10)
		require.NoError(t, err)
		constant, err := spaceCoef.On(dev)
		require.NoError(t, err)
		plain := make([]int64, 3)
		type kinds struct{ global, shared, constant, local bool }
		var got []kinds
		ask := func(s gocuda.Scope, v any) {
			switch p := v.(type) {
			case *int32:
				got = append(got, kinds{gocuda.IsGlobal(s, p), gocuda.IsShared(s, p), gocuda.IsConstant(s, p), gocuda.IsLocal(s, p)})
			case *int64:
				got = append(got, kinds{gocuda.IsGlobal(s, p), gocuda.IsShared(s, p), gocuda.IsConstant(s, p), gocuda.IsLocal(s, p)})
			case *float32:
				got = append(got, kinds{gocuda.IsGlobal(s, p), gocuda.IsShared(s, p), gocuda.IsConstant(s, p), gocuda.IsLocal(s, p)})
			case **int32:
				got = append(got, kinds{gocuda.IsGlobal(s, p), gocuda.IsShared(s, p), gocuda.IsConstant(s, p), gocuda.IsLocal(s, p)})
			}
		}
		cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 8}, SharedBytes: 12}
		for range 2 { // memory of blocks is used again
			got = nil
			require.NoError(t, dev.LaunchFunc(t.Context(), cfg, func(t *gocuda.Thread) {
				s := gocuda.Shared[int32](t, 5)
				d := gocuda.DynamicShared[float32](t)
				pointers := gocuda.Shared[*int32](t, 2)
				if t.Rank() != 7 {
					return
				}
				data := buf.Data()
				for _, p := range []any{&data[0], &data[9], &plain[1]} {
					ask(t, p)
				}
				for _, p := range []any{&s[0], &s[4], &d[0], &d[2], &pointers[1]} {
					ask(t, p)
				}
				ask(t, &constant.Elements[3])
				ask(t, (*int32)(nil))
			}))
			g, s := kinds{global: true}, kinds{shared: true}
			require.Equal(t, []kinds{g, g, g, s, s, s, s, s, {constant: true}, {}}, got)
		}
		got = nil
		var before *int32
		require.NoError(t, dev.Launch(t.Context(), cfg, gocuda.BlockFunc(func(b *gocuda.Block) {
			s, l := gocuda.Shared[int32](b, 3), gocuda.Local[int32](b)
			before = &s[0]
			ask(b, &s[2])
			ask(b, &l[7])
		})))
		require.Equal(t, []kinds{{shared: true}, {local: true}}, got)

		// Memory of a block that has ended is nobody's shared memory.
		require.NoError(t, dev.LaunchFunc(t.Context(), grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1}}, func(th *gocuda.Thread) {
			assert.False(t, gocuda.IsShared(th, before))
		}))
	}
	require.ErrorIs(t, openDevice(t, gocuda.WithGeneration(gocuda.GT200)).LaunchFunc(t.Context(), oneThread, func(t *gocuda.Thread) {
		x := 1
		gocuda.IsGlobal(t, &x)
	}), gocuda.ErrNotSupported)
}
