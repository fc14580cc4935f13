package serial

// Histogram adds to counts[v] how often the byte v occurs in data, as [kernels.Histogram] counts it.
// counts has 256 elements.
func Histogram(data []byte, counts []uint32) {
	for _, v := range data {
		counts[v]++
	}
}
