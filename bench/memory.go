package bench

import "github.com/gocuda/gocuda/internal/host"

// tooLarge returns a problem that there is not enough memory for, or nil: Go can't recover from running out of it. The workload
// takes so many bytes for each element, all allocations counted, and the extents multiply to the number of elements.
func tooLarge(bytes float64, extents ...int) *problem {
	for _, n := range extents {
		bytes *= float64(n)
	}
	if err := host.Need(bytes, "the data"); err != nil {
		return &problem{err: err}
	}
	return nil
}
