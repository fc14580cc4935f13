package rt

const canAsk = true

// ask prefetches the given number of cache lines, at least one, from an address on.
//
//go:noescape
func ask(address uintptr, lines int)
