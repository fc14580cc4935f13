package gocuda

import (
	"fmt"
	"math/bits"
)

// Order is the order in which the blocks of a grid begin. CUDA promises none, so a correct kernel
// gives the same result in all; a device with another order than the natural one helps to find out.
type Order struct {
	kind orderKind
	seed uint64
}

type orderKind uint8

const (
	orderNatural orderKind = iota
	orderReversed
	orderShuffled
	orderColumns // the natural order with y before x
)

// NaturalOrder begins with block 0 and goes up. It is the default.
func NaturalOrder() Order { return Order{} }

// ReversedOrder begins with the last block and goes down.
func ReversedOrder() Order { return Order{kind: orderReversed} }

// ShuffledOrder is an order that looks random and depends only on seed and the number of blocks.
func ShuffledOrder(seed uint64) Order { return Order{orderShuffled, seed} }

// String names the order.
func (o Order) String() string {
	switch o.kind {
	case orderReversed:
		return "reversed"
	case orderShuffled:
		return fmt.Sprintf("shuffled(%d)", o.seed)
	}
	return "natural"
}

// A blockOrder is an order of a certain number of blocks.
type blockOrder struct {
	Order
	n    uint64
	half uint // bits of each half of a number, in a shuffled order
	x, y int  // blocks along x and y, in an order by columns
}

func (o Order) over(blocks int) blockOrder {
	return blockOrder{Order: o, n: uint64(blocks), half: uint(bits.Len64(uint64(blocks)-1)+1) / 2}
}

// at returns the linear index of the k-th block to begin. It is hidden from the race detector
// because sight calls it while launches come and go, without synchronization.
//
//go:norace
func (o *blockOrder) at(k int) int {
	switch o.kind {
	case orderReversed:
		return int(o.n) - 1 - k
	case orderShuffled:
		return o.shuffled(k)
	case orderColumns:
		plane := o.x * o.y
		return k/plane*plane + k%plane/o.y + k%o.y*o.x
	}
	return k
}

// shuffled applies a permutation of 0 to n-1 that needs no memory: a Feistel network permutes the
// numbers of 2*half bits, at most 4n of them, and is repeated until the result is below n. (Black and
// Rogaway, Ciphers with Arbitrary Finite Domains, 2002, call it cycle walking.)
//
//go:norace
func (o *blockOrder) shuffled(k int) int {
	mask := uint64(1)<<o.half - 1
	v := uint64(k)
	for {
		l, r := v>>o.half, v&mask
		for round := range uint64(4) {
			l, r = r, l^(mix(r+o.seed+round*0x9e3779b97f4a7c15)&mask)
		}
		v = l<<o.half | r
		if v < o.n {
			return int(v)
		}
	}
}

// mix is the output function of SplitMix64 (Steele, Lea, Flood, 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
