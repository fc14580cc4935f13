package gocuda

import "unsafe"

// A launch that runs on the goroutine of its caller must restore the pprof labels that the
// goroutine had. runtime/pprof can set labels but not read those of a goroutine: its own users
// restore them from a context, and the context of a launch need not hold them. runtime/pprof itself
// calls these two funcs; the runtime promises to keep them (issue 67401 of Go).

//go:linkname goroutineLabels runtime/pprof.runtime_getProfLabel
func goroutineLabels() unsafe.Pointer

//go:linkname setGoroutineLabels runtime/pprof.runtime_setProfLabel
func setGoroutineLabels(labels unsafe.Pointer)
