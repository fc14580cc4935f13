package rt

import (
	"math"
	"math/bits"
	"unsafe"
)

// BitsOf returns the bits of v, which has 1, 2, 4 or 8 bytes.
func BitsOf[T any](v T) uint64 {
	p := unsafe.Pointer(&v)
	switch unsafe.Sizeof(v) {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	default:
		return *(*uint64)(p)
	}
}

// MulHigh32 returns the high half of x*y, as bits.Mul32 does.
func MulHigh32(x, y uint32) uint32 {
	high, _ := bits.Mul32(x, y)
	return high
}

// MulHigh64 returns the high half of x*y, as bits.Mul64 does.
func MulHigh64(x, y uint64) uint64 {
	high, _ := bits.Mul64(x, y)
	return high
}

// Carry32 returns the carry of x+y+carry, as bits.Add32 does.
func Carry32(x, y, carry uint32) uint32 {
	_, out := bits.Add32(x, y, carry)
	return out
}

// Carry64 returns the carry of x+y+carry, as bits.Add64 does.
func Carry64(x, y, carry uint64) uint64 {
	_, out := bits.Add64(x, y, carry)
	return out
}

// Borrow32 returns the borrow of x-y-borrow, as bits.Sub32 does.
func Borrow32(x, y, borrow uint32) uint32 {
	_, out := bits.Sub32(x, y, borrow)
	return out
}

// Borrow64 returns the borrow of x-y-borrow, as bits.Sub64 does.
func Borrow64(x, y, borrow uint64) uint64 {
	_, out := bits.Sub64(x, y, borrow)
	return out
}

// Sincos32 returns the sine and the cosine of x, rounded.
func Sincos32(x float64) (sin, cos float32) {
	s, c := math.Sincos(x)
	return float32(s), float32(c)
}
