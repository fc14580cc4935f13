// Package sparse is the product of a sparse matrix and a vector: rows of different lengths, indices from memory.
package sparse

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func product(t *gocuda.Thread, rows int, begin, col []int32, val, x, y []float32) {
	row := t.GlobalX()
	if row >= rows {
		return
	}
	sum := float32(0)
	for j := begin[row]; j < begin[row+1]; j++ {
		sum += val[j] * x[col[j]]
	}
	y[row] = sum
}
