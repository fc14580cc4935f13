package rt

// An Operand is an operand of a warp operation: one for each thread of the block, by rank, or the
// same for all.
type Operand[T any] struct {
	Each []T
	All  T
}

// Of returns the operand of a thread.
func (l *Operand[T]) Of(rank int) T {
	if l.Each != nil {
		return l.Each[rank]
	}
	return l.All
}

// A Meeting is a warp operation at a place of a kernel.
type Meeting struct {
	Op   string // the name of the operation
	Pos  string // its line in the source
	Mask Operand[uint32]
	// Last says that lanes which don't take part here take part in no later operation.
	Last bool
}
