package host

import "unsafe"

// apartBytes is how much further apart than their size Apart puts large slices. It has few factors
// of 2: a radix sort whose keys and values were 2^k + 65536 bytes apart took 2.3 times as long as
// with this.
const apartBytes = 40 << 10

// Apart is make([]T, n) for slices that are used together, element by element. The allocator puts large
// ones one after the other, so those of 2^k bytes begin 2^k bytes apart, and the same elements of all of
// them compete for the same places in the caches and their tables: y[i] = a*x[i] + y[i] on two slices
// of 256 MiB each took 1.6 times as long on a processor of the Zen 4 kind as on slices that were
// anything from 128 bytes to a megabyte further apart. malloc puts its header between them.
func Apart[T any](n int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if n < 0 || size == 0 || n < apartBytes/size {
		return make([]T, n)
	}
	return make([]T, n+apartBytes/size)[:n:n]
}
