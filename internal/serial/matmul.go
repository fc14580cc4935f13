package serial

// MatMul sets c to a b, as [dense.MatMul] does: a has m by k elements, b k by n and c m by n, row by
// row. It adds the products of an element in the same order as the kernels, but goes along the rows
// of b, where the textbook's third loop would go down its columns and miss the cache at every step.
func MatMul(m, n, k int, a, b, c []float32) {
	for row := range m {
		sums := c[row*n : (row+1)*n]
		clear(sums)
		for i, av := range a[row*k : (row+1)*k] {
			for col, bv := range b[i*n : (i+1)*n] {
				sums[col] += av * bv
			}
		}
	}
}

// MatMulColumns sets c to a b for matrices that are stored column by column, as [dense.MatMulColumns]
// does. It goes down the columns.
func MatMulColumns(m, n, k int, a, b, c []float32) {
	for col := range n {
		sums := c[col*m : (col+1)*m]
		clear(sums)
		for i, bv := range b[col*k : (col+1)*k] {
			for row, av := range a[i*m : (i+1)*m] {
				sums[row] += av * bv
			}
		}
	}
}
