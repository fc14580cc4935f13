package rt

// An Operand is an operand of a warp operation: one for each thread of the block, by rank, or the same for all.
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

// A Meeting is a place of a kernel at which lanes meet.
type Meeting struct {
	Op   string // the name of the operation
	Pos  string // where it stands
	Mask Operand[uint32]
	// Last says that lanes that don't take part here meet nobody any more before they return.
	Last bool
}
