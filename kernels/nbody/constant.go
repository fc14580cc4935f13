package nbody

import (
	"reflect"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/mem"
)

// Chunks in constant memory (The CUDA Handbook, 14.4). Constant memory is for what all threads of a warp read at
// the same time, which is how bodies are read here, and it needs neither tiles nor barriers. But it has 64 KiB,
// room for 4096 bodies of float32. So there is a copy and a launch for each chunk of bodies, which adds to what
// the launches before it left.

// constant is the program of one thread: one body, and the bodies of a chunk. The first chunk begins the sums.
//
//gocuda:kernel fastmath
func constant[T kernels.Float](t *gocuda.Thread, first bool, eps2 T, own []kernels.Body[T], chunk mem.ReadOnly[kernels.Body[T]], acc []kernels.Vec3[T]) {
	if i := t.GlobalX(); i < len(own) {
		me := own[i]
		var a kernels.Vec3[T]
		if !first {
			a = acc[i]
		}
		for j := range chunk.Len() {
			x, y, z := pull(me, chunk.At(j), eps2)
			a.X += x
			a.Y += y
			a.Z += z
		}
		acc[i] = a
	}
}

// chunks is a symbol that has all of constant memory. Each call has its own, in a module of its own, so that calls
// at the same time don't meet in it.
type chunks[T kernels.Float] struct {
	*mem.Constant[kernels.Body[T]]
	on mem.Device // a mem.Stream if copies have to be queued
}

// newChunks makes the symbol for a launcher.
func newChunks[T kernels.Float](on kernels.Launcher) chunks[T] {
	room := mem.ConstantBytes / int(reflect.TypeFor[kernels.Body[T]]().Size())
	return chunks[T]{mem.NewConstantIn[kernels.Body[T]](new(mem.Module), "chunk", room), memoryOf(on)}
}

// load copies bodies to the symbol, in the order of the launches.
func (c chunks[T]) load(bodies []kernels.Body[T]) (mem.ReadOnly[kernels.Body[T]], error) {
	k, err := c.On(c.on)
	if err != nil {
		return k, err
	}
	if s, ok := c.on.(mem.Stream); ok {
		err = mem.CopyToSymbolAsync(s, c.Constant, bodies, 0)
	} else {
		err = mem.CopyToSymbol(c.on, c.Constant, bodies, 0)
	}
	return k.First(len(bodies)), err
}

// memoryOf returns the device or the stream that a launcher launches on. Of one that does not tell, with a method
// Memory as devices have or Unwrap as those have that stand before another one, it is the default device; such a
// launcher must have run its kernels when it returns.
func memoryOf(on kernels.Launcher) mem.Device {
	for {
		switch o := on.(type) {
		case mem.Device:
			return o
		case interface{ Unwrap() kernels.Launcher }:
			on = o.Unwrap()
		default:
			return gocuda.Default()
		}
	}
}
