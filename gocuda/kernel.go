package gocuda

import (
	"reflect"
	"runtime"
	"strings"
)

// A Kernel is what a launch runs: RunBlock is called once for each block of the grid, for several
// blocks at the same time and in any order.
//
// Kernels are mostly written as one of three kinds of function, which the adapters [ThreadFunc],
// [WarpFunc] and [BlockFunc] make into Kernels. A type of one's own may implement RunBlock to carry
// its arguments as fields; RunBlock then uses b.Threads, b.Warps or b.ForEach, as often as it likes.
type Kernel interface {
	RunBlock(b *Block)
}

// A ThreadFunc is a thread kernel: CUDA's kernel, the program of one thread. It may use barriers, warp
// operations and shared memory anywhere.
type ThreadFunc func(*Thread)

// RunBlock calls f for every thread of the block: b.Threads(f).
func (f ThreadFunc) RunBlock(b *Block) { b.Threads(f) }

// A WarpFunc is a warp kernel: the program of a warp, which sees its 32 lanes at once.
type WarpFunc func(*Warp)

// RunBlock calls f for every warp of the block: b.Warps(f).
func (f WarpFunc) RunBlock(b *Block) { b.Warps(f) }

// A BlockFunc is a block kernel: the program of a block.
type BlockFunc func(*Block)

// RunBlock calls f(b).
func (f BlockFunc) RunBlock(b *Block) { f(b) }

// A Named kernel chooses the name under which it appears in errors, traces and profiles. Others have
// the name of their function or type.
type Named interface {
	KernelName() string
}

// isNil reports whether k is nil or an adapter around a nil function.
func isNil(k Kernel) bool {
	switch f := k.(type) {
	case nil:
		return true
	case ThreadFunc:
		return f == nil
	case WarpFunc:
		return f == nil
	case BlockFunc:
		return f == nil
	}
	return false
}

// kernelKey identifies a kernel: two closures of one func literal have the same code.
type kernelKey struct {
	code uintptr
	typ  reflect.Type
	name string
}

// infoOf returns what is known of a kernel: its name and the pprof labels made of it. The first launch
// of a kernel makes it, later ones look it up.
func infoOf(k Kernel) *kernelInfo {
	c, ok := k.(*compiled)
	if !ok || raceEnabled {
		return infoFor(keyOf(k))
	}
	info, _ := c.forms.Info.Load().(*kernelInfo)
	if info == nil {
		info = infoFor(keyOf(k))
		c.forms.Info.Store(info)
	}
	return info
}

func keyOf(k Kernel) (key kernelKey) {
	switch f := k.(type) {
	case ThreadFunc:
		key.code = reflect.ValueOf(f).Pointer()
	case WarpFunc:
		key.code = reflect.ValueOf(f).Pointer()
	case BlockFunc:
		key.code = reflect.ValueOf(f).Pointer()
	case Named:
		key.name = f.KernelName()
	default:
		key.typ = reflect.TypeOf(k)
	}
	return key
}

// info makes the kernelInfo of the kernels with the key, for infoFor, which keeps it.
func (key kernelKey) info() *kernelInfo {
	name := key.name
	if key.typ != nil {
		name = key.typ.String()
	} else if f := runtime.FuncForPC(key.code); f != nil {
		name = strings.TrimSuffix(shortName(f.Name()), "-fm") // of a method value
	}
	return newKernelInfo(name)
}
