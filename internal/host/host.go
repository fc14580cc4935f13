// Package host tells what the machine is: the processor's name, cores, caches and vector extensions,
// and the size of the memory.
//
// It is our own although github.com/klauspost/cpuid knows more, because everything that programs
// import must do without other modules; docs/architecture.md says why.
package host

import (
	"runtime"
	"sync"
)

// Info describes the machine. What is not known is 0 or empty.
type Info struct {
	Name      string // of the processor
	Cores     int    // physical
	Threads   int    // logical processors that this process may use
	CacheLine int    // bytes
	L1D       int    // bytes, of a core
	L2        int    // bytes, of a core
	L3        int    // bytes, of a group of cores
	Memory    int64  // bytes
	Features  []string
}

// Get returns the description. It is made once.
var Get = sync.OnceValue(func() Info {
	i := Info{Threads: runtime.NumCPU()}
	fromProcessor(&i)
	fromSystem(&i)
	if i.Name == "" {
		i.Name = runtime.GOARCH + " processor"
	}
	if i.Cores == 0 {
		i.Cores = i.Threads
	}
	if i.CacheLine == 0 {
		i.CacheLine = 64
	}
	return i
})
