package serial

// AXPY sets y to a x + y, as [sparse.AXPY] does.
func AXPY(a float32, x, y []float32) {
	for i, v := range x {
		y[i] = a*v + y[i]
	}
}

// XPAY sets y to x + a y, as [sparse.XPAY] does.
func XPAY(a float32, x, y []float32) {
	for i, v := range x {
		y[i] = v + a*y[i]
	}
}

// Dot returns the dot product of x and y, as [sparse.Dot] does. It adds up in float64.
func Dot(x, y []float32) float64 {
	total := 0.0
	for i, v := range x {
		total += float64(v) * float64(y[i])
	}
	return total
}
