//go:build goexperiment.simd && amd64

package vec

import "unsafe"

// An Address is a pointer to anything, as loops in assembly get it that `gocuda gen` writes.
type Address = unsafe.Pointer

// AddressOf returns p as an Address.
func AddressOf[A any](p *A) Address { return unsafe.Pointer(p) }
