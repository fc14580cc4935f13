package device

import "math/bits"

// Integer functions: products of which one half is wanted, averages and distances that do not
// overflow on the way, absolute values, minima and maxima. All are exact. CUDA's int is int32,
// unsigned int uint32, long and long long int64.

// Integer is the types of CUDA's integers of 32 and 64 bits.
type Integer interface {
	int32 | uint32 | int64 | uint64
}

// Mul24 returns the low 32 bits of the product of the low 24 bits of x and y, taken with their sign
// (bit 23). CUDA's __mul24.
func Mul24(x, y int32) int32 { return (x << 8 >> 8) * (y << 8 >> 8) }

// Umul24 returns the low 32 bits of the product of the low 24 bits of x and y. CUDA's __umul24.
func Umul24(x, y uint32) uint32 { return (x & 0xffffff) * (y & 0xffffff) }

// Mulhi returns the high 32 bits of the product of 64 bits. CUDA's __mulhi.
func Mulhi(x, y int32) int32 { return int32(int64(x) * int64(y) >> 32) }

// Umulhi returns the high 32 bits of the product of 64 bits. CUDA's __umulhi.
func Umulhi(x, y uint32) uint32 { return uint32(uint64(x) * uint64(y) >> 32) }

// Mul64hi returns the high 64 bits of the product of 128 bits. CUDA's __mul64hi.
func Mul64hi(x, y int64) int64 {
	// A negative x is 2^64 less than the same bits without sign, which adds -2^64 y to the product.
	return int64(Umul64hi(uint64(x), uint64(y))) - (x >> 63 & y) - (y >> 63 & x)
}

// Umul64hi returns the high 64 bits of the product of 128 bits. CUDA's __umul64hi.
func Umul64hi(x, y uint64) uint64 {
	hi, _ := bits.Mul64(x, y)
	return hi
}

// Sad returns |x - y| + z, modulo 2^32: the distance is that of the numbers, up to 2^32-1. CUDA's
// __sad.
func Sad(x, y int32, z uint32) uint32 {
	if x < y {
		return uint32(y) - uint32(x) + z
	}
	return uint32(x) - uint32(y) + z
}

// Usad returns |x - y| + z, modulo 2^32. CUDA's __usad.
func Usad(x, y, z uint32) uint32 {
	if x < y {
		return y - x + z
	}
	return x - y + z
}

// Sad64 is [Sad] in 64 bits, modulo 2^64: PTX's sad.s64.
func Sad64(x, y int64, z uint64) uint64 {
	if x < y {
		return uint64(y) - uint64(x) + z
	}
	return uint64(x) - uint64(y) + z
}

// Usad64 is [Usad] in 64 bits, modulo 2^64: PTX's sad.u64.
func Usad64(x, y, z uint64) uint64 {
	if x < y {
		return y - x + z
	}
	return x - y + z
}

// IntHadd returns the average of x and y, rounded down: floor((x+y)/2). CUDA's __hadd of two int;
// for the __hadd of two __half see Hadd.
func IntHadd(x, y int32) int32 { return x&y + (x^y)>>1 }

// Rhadd returns the average of x and y, rounded up: floor((x+y+1)/2). CUDA's __rhadd.
func Rhadd(x, y int32) int32 { return (x | y) - (x^y)>>1 }

// Uhadd returns the average of x and y, rounded down. CUDA's __uhadd.
func Uhadd(x, y uint32) uint32 { return x&y + (x^y)>>1 }

// Urhadd returns the average of x and y, rounded up. CUDA's __urhadd.
func Urhadd(x, y uint32) uint32 { return (x | y) - (x^y)>>1 }

// Abs returns |x|; the least int32 stays as it is, as in PTX's abs.s32 (it is undefined in C).
// CUDA's abs(int).
func Abs(x int32) int32 {
	if x < 0 {
		return -x
	}
	return x
}

// Labs returns |x|; the least int64 stays as it is. CUDA's labs, where long has 64 bits.
func Labs(x int64) int64 { return Llabs(x) }

// Llabs returns |x|; the least int64 stays as it is. CUDA's llabs and abs(long long).
func Llabs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

// Min returns the lesser of x and y. CUDA's min for integers, in all its overloads. CUDA's min of
// an int and an unsigned int compares as unsigned: convert to say so.
func Min[T Integer](x, y T) T { return min(x, y) }

// Max returns the greater of x and y. CUDA's max for integers, in all its overloads.
func Max[T Integer](x, y T) T { return max(x, y) }

// Umin is CUDA's umin.
func Umin(x, y uint32) uint32 { return Min(x, y) }

// Umax is CUDA's umax.
func Umax(x, y uint32) uint32 { return Max(x, y) }

// Llmin is CUDA's llmin.
func Llmin(x, y int64) int64 { return Min(x, y) }

// Llmax is CUDA's llmax.
func Llmax(x, y int64) int64 { return Max(x, y) }

// Ullmin is CUDA's ullmin.
func Ullmin(x, y uint64) uint64 { return Min(x, y) }

// Ullmax is CUDA's ullmax.
func Ullmax(x, y uint64) uint64 { return Max(x, y) }
