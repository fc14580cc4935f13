package rt

import (
	"sync"
	"sync/atomic"
)

// Forms is what `gocuda gen` has made of a kernel, the same for all its launches.
type Forms struct {
	Name    string // what errors, traces and profiles call the kernel
	Traits  Traits
	Vectors []any // the forms with vector instructions that the machine can run: funcs, one for each type
	Read    []Read

	Info  atomic.Value // what package gocuda knows of it: its name as errors and profiles have it
	fresh atomic.Bool  // Stale has found that the kernel is not stale
	once  sync.Once
	old   error // what Stale returns
}

// Traits is what `gocuda gen` knows of a kernel.
type Traits uint8

const (
	// CompiledRows is for bodies that use [Phases.NextRow] or [Phases.NextBox]: threads have little
	// to do, and blocks are cheap in large numbers.
	CompiledRows Traits = 1 << iota
	// CompiledCalling is for kernels that call functions which `gocuda gen` could not look into.
	// These may end their goroutine by runtime.Goexit, which must not be that of the caller of a
	// launch.
	CompiledCalling
	// CompiledEnding is for kernels whose blocks are known to end soon: in loops whose trip count
	// is not known they call [Phases.Poll]. Other kernels can't run on the goroutine of a caller
	// whose context may be done.
	CompiledEnding
	// CompiledColumns is for bodies that use [Phases.NextBox] and are fast where blocks that are
	// neighbours along y are run together.
	CompiledColumns
	// CompiledVotes is for kernels with barriers that count votes, such as SyncThreadsOr.
	CompiledVotes
)
