package lbm

import "github.com/gocuda/gocuda/gocuda"

// halo is the program of one thread: it copies a cell of the box to its ghost on the other side.
// Direction q of cell i is f[i*cell+q*direction].
//
//gocuda:kernel
func halo(t *gocuda.Thread, first, count, cell, direction int, ghosts, origins []int32, f []float32) {
	if k := t.GlobalX(); k < count {
		to, from := cell*int(ghosts[first+k]), cell*int(origins[first+k])
		for q := range directions {
			f[to+q*direction] = f[from+q*direction]
		}
	}
}
