// Package host tells what the machine is: the processor's name, cores, caches and vector extensions,
// and the size of the memory.
package host

import (
	"os"
	"runtime"
	"sync"
)

// Info describes the machine. What is not known is 0 or empty.
type Info struct {
	Name      string   // of the processor
	Cores     int      // physical
	Threads   int      // logical processors that this process may use
	CacheLine int      // bytes
	L1D       int      // bytes, of a core
	L2        int      // bytes, of a core
	L3        int      // bytes, of a group of cores
	Memory    int64    // bytes
	Features  []string // vector extensions, less those that GODEBUG turns off
}

// Get returns the description. It is made once.
var Get = sync.OnceValue(func() Info { return describe(os.Getenv("GODEBUG")) })

// describe makes the description for a value of GODEBUG.
func describe(debug string) Info {
	i := Info{Threads: runtime.NumCPU()}
	fromProcessor(&i, debug)
	// A virtual machine may pass on how many cores the whole machine has.
	if i.Cores > i.Threads {
		i.Cores = 0
	}
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
}
