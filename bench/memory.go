package bench

import "github.com/gocuda/gocuda/internal/host"

// tooLarge returns a problem with an error if there is not enough memory for it, and else nil: Go
// can't recover from running out of memory. The workload takes bytes bytes for each element, all
// allocations counted; the product of the extents is the number of elements.
func tooLarge(bytes float64, extents ...int) *problem {
	for _, n := range extents {
		bytes *= float64(n)
	}
	if err := host.Need(bytes, "the data"); err != nil {
		return &problem{err: err}
	}
	return nil
}
