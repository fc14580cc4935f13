package gocuda

import "unsafe"

// A launch that runs on the goroutine of its caller leaves that with the pprof labels that it had. runtime/pprof can set labels
// but not say which ones a goroutine has, since its own users put them back from their context. The context of a launch need not have
// them. These two funcs are what runtime/pprof calls itself; the runtime promises to keep them (issue 67401 of Go).

//go:linkname goroutineLabels runtime/pprof.runtime_getProfLabel
func goroutineLabels() unsafe.Pointer

//go:linkname setGoroutineLabels runtime/pprof.runtime_setProfLabel
func setGoroutineLabels(labels unsafe.Pointer)
