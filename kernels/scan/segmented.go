package scan

import "github.com/gocuda/gocuda/kernels"

// The segmented scan: many scans at a time, of segments that lie side by side in one array,
// whatever their lengths are. It needs no kernel of its own. A scan of pairs will do, of a value
// and whether a segment begins there, by an operation that forgets what comes before a beginning;
// it is associative if the values' is (Schwartz, Ultracomputers, 1980; Sengupta et al., Scan
// Primitives for GPU Computing, 2007, section 2.2).

// Flagged is an element of a segmented scan. Head says that a segment begins with it.
type Flagged[T any] struct {
	Value T
	Head  bool
}

// Segmented is the Operator of an inclusive segmented scan by Op: Value of each element of the
// result is what the values from the last head up to it combine to.
type Segmented[T any, O kernels.Operator[T]] struct{ Op O }

// Identity returns the identity of Op, which is no head.
func (s Segmented[T, O]) Identity() Flagged[T] { return Flagged[T]{Value: s.Op.Identity()} }

// Combine combines two runs of elements: if there is a head in the second, the first does not matter.
func (s Segmented[T, O]) Combine(a, b Flagged[T]) Flagged[T] {
	if b.Head {
		return b
	}
	return Flagged[T]{s.Op.Combine(a.Value, b.Value), a.Head}
}
