package mem

// ReadOnly is what a kernel has of constant memory: elements to read. It is a value and is passed
// as an argument.
//
// Its field is exported for one reason: the code that gocuda gen writes has to name it, wherever it
// is. With At, an element costs what an element of a slice costs, and one that all threads read is
// loaded once for a vector of them. Nothing else should use the field. A kernel that writes through
// it is found in checked mode: its launch ends with [ErrConstantWritten], and the symbol is as it
// was before.
type ReadOnly[T any] struct{ Elements []T }

// At returns element i.
func (r ReadOnly[T]) At(i int) T { return r.Elements[i] }

// Len returns the number of elements.
func (r ReadOnly[T]) Len() int { return len(r.Elements) }

// First returns the first n elements, for kernels that need fewer than there are. n may not exceed Len.
func (r ReadOnly[T]) First(n int) ReadOnly[T] { return ReadOnly[T]{r.Elements[:n:n]} }
