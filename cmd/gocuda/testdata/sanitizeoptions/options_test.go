// Package user has a few mistakes, for the options of gocuda sanitize.
package user

import (
	"context"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

func run(threads int, k func(*gocuda.Thread)) {
	_ = gocuda.LaunchFunc(context.Background(), grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: threads}}, k)
}

func blockError(t *gocuda.Thread) {
	s := gocuda.Shared[int32](t, 128)
	i := t.ThreadIdx.X
	s[i] = int32(i)
	if i == 0 {
		sum := int32(0)
		for k := range s {
			sum += s[k]
		}
		_ = sum
	}
}

func TestBlockError(t *testing.T) { run(128, blockError) }

func TestWarp(t *testing.T) {
	out := make([]int32, 32)
	run(32, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 32)
		i := t.ThreadIdx.X
		s[i] = int32(i)
		out[i] = s[31-i]
	})
}

func TestSame(t *testing.T) {
	out := make([]int32, 1)
	run(32, func(t *gocuda.Thread) { out[0] = 7 })
}

func TestUnset(t *testing.T) {
	for range 4 {
		run(32, func(t *gocuda.Thread) {
			s := gocuda.Shared[int32](t, 32)
			_ = s[t.ThreadIdx.X]
		})
	}
}

func TestLeak(t *testing.T) {
	b, err := mem.Alloc[byte](gocuda.Default(), 1024)
	if err != nil {
		t.Fatal(err)
	}
	x := b.Data()
	run(512, func(t *gocuda.Thread) { x[t.ThreadIdx.X] = 1 })
}
