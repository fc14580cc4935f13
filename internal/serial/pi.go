package serial

import "github.com/gocuda/gocuda/device"

// Pi estimates pi with n points by the Monte Carlo method: the reference of [stats.Pi]. Coordinates
// are odd numbers below 2^31, and the circle has the radius 2^31; the sums of their squares are
// exact.
func Pi(seed uint64, n int) float64 {
	hits := 0
	for i := range n {
		x, y, x1, y1 := device.Philox4x32(uint32(i/2), uint32(uint64(i)>>33), 0, 0, uint32(seed), uint32(seed>>32))
		if i%2 == 1 {
			x, y = x1, y1
		}
		if a, b := uint64(x>>1|1), uint64(y>>1|1); a*a+b*b < 1<<62 {
			hits++
		}
	}
	return 4 * float64(hits) / float64(n)
}
