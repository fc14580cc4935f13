package device

import "math/bits"

// Bits: counting, finding, reversing, and choosing bytes. Results that count are int32, as CUDA's
// int. The functions take unsigned words, where some of CUDA's are declared with int: only the bits
// matter.

// Brev returns x with the order of its bits reversed. CUDA's __brev.
func Brev(x uint32) uint32 { return bits.Reverse32(x) }

// Brevll is [Brev] in 64 bits. CUDA's __brevll.
func Brevll(x uint64) uint64 { return bits.Reverse64(x) }

// BytePerm returns four of the eight bytes of x and y: byte i of the result is byte s>>(4i)&7,
// counted from the lowest of x, 0, to the highest of y, 7. Other bits of s are ignored. CUDA's
// __byte_perm. [PtxPrmt] also replicates signs.
func BytePerm(x, y, s uint32) uint32 {
	return permByte(x, y, s) | permByte(x, y, s>>4)<<8 | permByte(x, y, s>>8)<<16 | permByte(x, y, s>>12)<<24
}

// permByte returns byte s&7 of x and y.
func permByte(x, y, s uint32) uint32 {
	word := x ^ (x^y)&-(s>>2&1)
	return word >> (s & 3 * 8) & 0xff
}

// Clz returns how many zeros are before the highest set bit of x, 32 for 0. CUDA's __clz.
func Clz(x uint32) int32 { return int32(bits.LeadingZeros32(x)) }

// Clzll is [Clz] in 64 bits, 64 for 0. CUDA's __clzll.
func Clzll(x uint64) int32 { return int32(bits.LeadingZeros64(x)) }

// Ffs returns the position of the lowest set bit of x, counted from 1, and 0 for 0. CUDA's __ffs.
func Ffs(x uint32) int32 {
	if x == 0 {
		return 0
	}
	return int32(bits.TrailingZeros32(x)) + 1
}

// Ffsll is [Ffs] in 64 bits. CUDA's __ffsll.
func Ffsll(x uint64) int32 {
	if x == 0 {
		return 0
	}
	return int32(bits.TrailingZeros64(x)) + 1
}

// Popc returns how many bits of x are set. CUDA's __popc.
func Popc(x uint32) int32 { return int32(bits.OnesCount32(x)) }

// Popcll is [Popc] in 64 bits. CUDA's __popcll.
func Popcll(x uint64) int32 { return int32(bits.OnesCount64(x)) }

// Fns returns the position of the n-th set bit of mask, looking from bit base up for n > 0 and down
// for n < 0; base counts if it is set. For n = 0 it is base itself, if that is set. Without such a
// bit the result is 0xffffffff. CUDA's __fns and PTX's fns.b32; above 31 base is undefined there,
// and here there is no such bit.
func Fns(mask, base uint32, n int32) uint32 {
	const none = 0xffffffff
	if base > 31 {
		return none
	}
	if n == 0 {
		if mask>>base&1 != 0 {
			return base
		}
		return none
	}
	m, count := mask>>base, uint32(n)
	if n < 0 {
		// Down from base is up in the reversed word.
		m, count = bits.Reverse32(mask)>>(31-base), -uint32(n)
	}
	if count > uint32(bits.OnesCount32(m)) {
		return none
	}
	// Take the lowest set bit away until it is the one. At most 31 times: count is at most 32 here.
	for range 31 {
		if count > 1 {
			m &= m - 1
			count--
		}
	}
	if n < 0 {
		return base - uint32(bits.TrailingZeros32(m))
	}
	return base + uint32(bits.TrailingZeros32(m))
}
