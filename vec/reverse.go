//go:build goexperiment.simd && amd64

package vec

// The lanes that ReverseF32x8 and its kin read: 32-bit ones one by one, 64-bit ones as pairs.
var (
	down8       = [8]uint32{7, 6, 5, 4, 3, 2, 1, 0}
	down16      = [16]uint32{15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}
	downPairs8  = [8]uint32{6, 7, 4, 5, 2, 3, 0, 1}
	downPairs16 = [16]uint32{14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1}
)
