// Package chunk brings arrays through constant memory in chunks that fit it.
package chunk

import (
	"reflect"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/launchers"
	"github.com/gocuda/gocuda/mem"
)

// A Symbol has all of constant memory. Each call of a host function has its own, in a module of its
// own, so that calls at the same time don't meet in it.
type Symbol[T any] struct {
	*mem.Constant[T]
	on mem.Device // a mem.Stream if copies have to be queued
}

// New makes the symbol for a launcher.
func New[T any](on kernels.Launcher) Symbol[T] {
	room := mem.ConstantBytes / int(reflect.TypeFor[T]().Size())
	return Symbol[T]{mem.NewConstantIn[T](new(mem.Module), "chunk", room), launchers.Memory(on)}
}

// Load copies src to the symbol, in the order of the launches. It has Len elements at most.
func (s Symbol[T]) Load(src []T) (mem.ReadOnly[T], error) {
	k, err := s.On(s.on)
	if err != nil {
		return k, err
	}
	if stream, ok := s.on.(mem.Stream); ok {
		err = mem.CopyToSymbolAsync(stream, s.Constant, src, 0)
	} else {
		err = mem.CopyToSymbol(s.on, s.Constant, src, 0)
	}
	return k.First(len(src)), err
}

// Each loads src chunk by chunk, and calls launch for each with the chunk. first says that it is
// the first, which there is even if src is empty.
func (s Symbol[T]) Each(src []T, launch func(first bool, chunk mem.ReadOnly[T]) error) error {
	for j := 0; j == 0 || j < len(src); j += s.Len() {
		part, err := s.Load(src[j:min(j+s.Len(), len(src))])
		if err != nil {
			return err
		}
		if err := launch(j == 0, part); err != nil {
			return err
		}
	}
	return nil
}
