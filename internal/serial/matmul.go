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
// does: by rows, that is the product of the transposed matrices, in the other order.
func MatMulColumns(m, n, k int, a, b, c []float32) { MatMul(n, m, k, b, a, c) }
