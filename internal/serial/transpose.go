package serial

// Transpose sets out to the transpose of in, a matrix of rows by cols elements: the reference of
// [dense.Transpose].
func Transpose(rows, cols int, out, in []float32) {
	for i := range rows {
		for j, v := range in[i*cols : (i+1)*cols] {
			out[j*rows+i] = v
		}
	}
}
