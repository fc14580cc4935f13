// Package lib has kernels of many forms.
package lib

import (
	"github.com/gocuda/gocuda/gocuda"
)

// A Step is done by all threads.
type Step[T any] interface{ Do(t *gocuda.Thread, s []T) }

// Reverse reverses.
type Reverse[T int32 | float64] struct{ Wait bool }

// Do is a Step.
func (r Reverse[T]) Do(t *gocuda.Thread, a []T) {
	s := gocuda.Shared[T](t, len(a))
	i := t.ThreadIdx.X
	s[i] = a[i] // want race RAW error 512
	if r.Wait {
		t.SyncThreads()
	}
	a[i] = s[len(a)-1-i]
}

// Kernel makes a kernel of steps.
func Kernel[T any](a []T, steps ...Step[T]) gocuda.Kernel {
	return gocuda.ThreadFunc(func(t *gocuda.Thread) {
		for _, s := range steps {
			s.Do(t, a)
			t.SyncThreads()
		}
	})
}
