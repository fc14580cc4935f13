package sorting

import (
	"fmt"
	"unsafe"
)

// The order of numbers and the order of their bits. Radix sort knows only unsigned integers. Signed
// ones and floating-point numbers can be mapped to such that are in the same order (Herf, Radix
// Tricks, 2001):
//
//   - in two's complement, turn the sign bit around: then negative numbers come first;
//   - in IEEE 754, a sign bit and a size, turn the sign bit around and, if the number is negative, all other
//     bits too, since among negative numbers the one with the larger size is the smaller one;
//   - to sort downwards, turn around all bits of that.
//
// The keys themselves are never changed: the mapping is applied each time a digit is taken from one.

// Key is the types of keys and of values. They are 32 or 64 bits long.
type Key interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Order is the direction of a sort.
type Order int

const (
	Ascending  Order = iota // the smallest first
	Descending              // the largest first
)

// String names the order.
func (o Order) String() string {
	switch o {
	case Ascending:
		return "ascending"
	case Descending:
		return "descending"
	}
	return fmt.Sprintf("Order(%d)", int(o))
}

// word is what keys and values are inside: their bits.
type word interface{ uint32 | uint64 }

// flips returns the mapping for keys of type K: which bits are turned around in all numbers, and which
// besides in negative ones.
func flips[K Key](order Order) (all, negative uint64) {
	var zero K
	top := uint64(1) << (8*unsafe.Sizeof(zero) - 1)
	switch {
	case K(1)/2 != 0: // a fraction
		all, negative = top, top-1
	case zero-1 < 0:
		all = top
	}
	if order == Descending {
		all = ^all
	}
	return all, negative
}

// flip turns around the bits negative of a key with a sign bit. There is only something in negative
// if that bit has a meaning, and then it is all bits below it.
func flip[W word](key, negative W) W {
	if key > negative {
		key ^= negative
	}
	return key
}

// long says whether T has 64 bits.
func long[T any]() bool {
	var zero T
	return unsafe.Sizeof(zero) == 8
}

// bitsOf is the memory of s seen as words. It must be long enough, and aligned, for those.
func bitsOf[W word, T any](s []T) []W {
	var w W
	var t T
	n := len(s) * int(unsafe.Sizeof(t)) / int(unsafe.Sizeof(w))
	return unsafe.Slice((*W)(unsafe.Pointer(unsafe.SliceData(s))), n)
}
