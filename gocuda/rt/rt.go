// Package rt is the run-time library of code that `gocuda gen` generates. No other code should call
// it: it changes with the generator, and its funcs don't check what generated code has made sure
// of.
//
// [Compiled] makes a kernel from its [Forms], which are the same for all launches, and from a func
// with its arguments. The body of a compiled kernel goes through the blocks of a worker with its
// [Phases], and through the threads of each block in loops. rows.go computes the bounds of these
// loops: which threads meet a condition, whether indices are in range. vectors.go has what calls of
// assembly need, lanes.go the warp operations.
package rt

import (
	"fmt"
	"runtime"
)

// Version is the version of the interface between generated code and this package. Generated code
// names the version that it was made for, and panics when the program starts if this is another.
const Version = 1

// Sources returns the declarations in files, for the generated file that calls it when the program
// starts. It panics if that was made for another version of this package.
func Sources(version int, files SourceFiles) *PackageSource {
	pc, file, _, ok := runtime.Caller(1)
	if version != Version {
		panic(fmt.Sprintf("gocuda: the compiled kernels of package %s are for version %d of gocuda/rt, and this is version %d: run `gocuda gen` of the same release in that package, and build again",
			files.Path, version, Version))
	}
	function := ""
	if ok {
		function = runtime.FuncForPC(pc).Name()
	}
	return newSources(files, function, file)
}

// NewCompiled and NewSource make kernels of package gocuda, which sets them: the one is a
// func(*Forms, func(*gocuda.Thread, *gocuda.Block, *Phases)) gocuda.Kernel, the other a func(forms
// *Forms, source func(*gocuda.Thread), copied bool) gocuda.Kernel. This package does not import
// gocuda, since that calls it.
var NewCompiled, NewSource any

// Compiled returns a kernel that was compiled, a gocuda.Kernel. run has three forms of it, with a
// *gocuda.Thread and a *gocuda.Block. With a thread it is the source, for that thread. Without one
// it does for the whole block what the source does for each of its threads: with vector
// instructions if there is such a form and [Phases].Vectors is set.
func Compiled[Kernel, Thread, Block any](forms *Forms, run func(*Thread, *Block, *Phases)) Kernel {
	return NewCompiled.(func(*Forms, func(*Thread, *Block, *Phases)) Kernel)(forms, run)
}

// Uncompiled returns a thread kernel that could not be translated, under its name.
func Uncompiled[Kernel, Thread any](name string, source func(*Thread)) Kernel {
	return NewSource.(func(*Forms, func(*Thread), bool) Kernel)(&Forms{Name: name}, source, false)
}

// Copied returns a thread kernel that runs as a changed copy of its source: with the lanes of warps
// in lockstep.
func Copied[Kernel, Thread any](forms *Forms, source func(*Thread)) Kernel {
	return NewSource.(func(*Forms, func(*Thread), bool) Kernel)(forms, source, true)
}

// Vector returns the func of type F among the forms with vector instructions: the form of a generic
// kernel that fits its types.
func Vector[F any](forms *Forms) (F, bool) {
	for _, f := range forms.Vectors {
		if f, ok := f.(F); ok {
			return f, true
		}
	}
	var none F
	return none, false
}

// CurrentThread returns the current thread, a *gocuda.Thread, for what a compiled kernel leaves to
// the methods of Thread.
func CurrentThread[Thread any](p *Phases) *Thread { return p.Engine.Thread().(*Thread) }
