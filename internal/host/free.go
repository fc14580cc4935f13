package host

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// Free returns how many bytes this process can still allocate: the least of what the machine has
// free and of what limits leave it, those of the process (ulimit -v and -d), of its control groups
// and of the Go runtime (GOMEMLIMIT). A part is kept back for what the runtime needs beside. Where
// nothing is known it is what the address space leaves. Other processes may take of it at any time:
// it is for sizes that are out of the question.
func Free() int64 {
	free := int64(math.MaxInt)
	if math.MaxInt == math.MaxInt32 {
		free = 2 << 30 // of an address space of 4 GiB, which has holes
	}
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		free = min(free, limit-inUse())
	}
	free = min(free, systemFree())
	const kept = 64 << 20
	return max(0, free-free/16-kept)
}

// ErrOutOfMemory is that of package mem.
var ErrOutOfMemory = errors.New("out of memory")

// Need returns an ErrOutOfMemory if so many bytes can't be had. It is asked before anything is
// allocated whose size comes from a user: Go can't recover from running out of memory. what says
// for what, such as "a matrix of 5 rows".
func Need(bytes float64, what string) error {
	if bytes < 64<<20 { // not worth the question
		return nil
	}
	if free := Free(); bytes > float64(free) {
		return fmt.Errorf("%w: %s: %s are needed, and %s are free", ErrOutOfMemory, what, inUnits(bytes), inUnits(float64(free)))
	}
	return nil
}

// inUnits writes a number of bytes with three digits.
func inUnits(bytes float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	for bytes >= 1000 && len(units) > 1 { // not 1024: there are never four digits
		bytes, units = bytes/1024, units[1:]
	}
	return fmt.Sprintf("%.3g %s", bytes, units[0])
}

// inUse returns how many bytes the Go runtime has of the system, as GOMEMLIMIT counts.
func inUse() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}
