package rt

const canAsk = true

// ask asks for so many lines of the cache, one at least, from an address on.
//
//go:noescape
func ask(address uintptr, lines int)
