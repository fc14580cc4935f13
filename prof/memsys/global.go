package memsys

import (
	"slices"

	"github.com/gocuda/gocuda/gocuda"
)

// A Path is the way of a load on a GPU of capability 2.x or 3.x. Other capabilities have one way.
type Path int

// The paths.
const (
	L1 Path = iota // cached in L1, in lines of 128 bytes; stores never are
	L2             // past L1, in sectors of 32 bytes
)

// A Transaction is one transfer of an aligned piece of device memory.
type Transaction struct {
	Addr uint64 // of the first byte
	Size int    // bytes: 32, 64 or 128
}

// Traffic is what a request moves.
type Traffic struct {
	Requests     int           // parts that a GPU treats one after the other: the warp, or its halves or quarters
	Transactions []Transaction // in the order of the lanes that cause them
	Bytes        int           // moved by all transactions
	Useful       int           // asked for by the lanes
}

// Efficiency is 100 times the bytes asked for over the bytes moved: gld_efficiency and
// gst_efficiency of nvprof. It is above 100 if lanes share bytes, and 0 if nothing was moved.
func (t Traffic) Efficiency() float64 {
	if t.Bytes == 0 {
		return 0
	}
	return 100 * float64(t.Useful) / float64(t.Bytes)
}

func (t *Traffic) move(addr uint64, size int) {
	t.Transactions = append(t.Transactions, Transaction{addr, size})
	t.Bytes += size
}

// Global returns the traffic of a load or store of global memory. The rules by capability c (CUDA C
// Programming Guide 4.2, sections F.3.2, F.4.2 and F.5.2):
//
//   - 1.0, 1.1: lane k of a half-warp must access word k of an aligned segment of 16 words of 4, 8 or 16
//     bytes. If all active lanes do, that is one transaction of 64 bytes, one of 128, or two of 128.
//     Otherwise each lane causes one of 32 bytes.
//   - 1.2, 1.3: the segment of the lowest active lane's address serves all lanes of the half-warp in it, and
//     so on until none is left. A segment has 32 bytes for words of 1 byte, 64 for 2, else 128, and is
//     halved down to 32 while one half is enough.
//   - 2.x, 3.x: the lines of 128 bytes through L1, or sectors of 32 bytes for stores and past L1, of each
//     request: a warp of words up to 4 bytes, half a warp of 8, a quarter of 16.
//   - 5.x and later: the distinct sectors of 32 bytes of the warp.
func Global(c gocuda.Capability, r Request, path Path) (Traffic, error) {
	if err := r.check(c); err != nil {
		return Traffic{}, err
	}
	t := Traffic{Useful: r.Useful()}
	switch {
	case c.Major == 1 && c.Minor <= 1:
		for from := range r.groups(16) {
			t.Requests++
			t.inOrder(&r, from)
		}
	case c.Major == 1:
		for from := range r.groups(16) {
			t.Requests++
			t.segments(&r, from)
		}
	case c.Major <= 3:
		piece := 32
		if path == L1 && !r.Store {
			piece = 128
		}
		n := byWidth(r.Size)
		for from := range r.groups(n) {
			t.Requests++
			t.pieces(&r, from, n, piece)
		}
	default:
		for from := range r.groups(Lanes) {
			t.Requests++
			t.pieces(&r, from, Lanes, 32)
		}
	}
	return t, nil
}

// inOrder is the rule of 1.0 and 1.1 for the half-warp from lane from on.
func (t *Traffic) inOrder(r *Request, from int) {
	segment := uint64(16 * r.Size)
	var base uint64
	first, ordered := true, r.Size >= 4
	for lane, a := range r.lanes(from, from+16) {
		b := a - uint64((lane-from)*r.Size)
		if first {
			base, first = b, false
			ordered = ordered && b%segment == 0
		}
		ordered = ordered && b == base
	}
	if !ordered {
		for _, a := range r.lanes(from, from+16) {
			t.move(a/32*32, 32)
		}
		return
	}
	size := min(segment, 128)
	for at := uint64(0); at < segment; at += size {
		t.move(base+at, int(size))
	}
}

// segments is the rule of 1.2 and 1.3 for the half-warp from lane from on.
func (t *Traffic) segments(r *Request, from int) {
	whole := uint64(min(32*r.Size, 128))
	left := r.Active >> from & 0xffff
	for left != 0 {
		var at, low, high uint64
		size := whole
		first := true
		for lane, a := range r.lanes(from, from+16) {
			bit := uint32(1) << (lane - from)
			if left&bit == 0 {
				continue
			}
			if first {
				at, low, high, first = a/whole*whole, a, a, false
			}
			if a/whole*whole == at {
				left &^= bit
				low, high = min(low, a), max(high, a)
			}
		}
		for size > 32 {
			half := size / 2
			if low/half != (high+uint64(r.Size)-1)/half {
				break
			}
			at, size = low/half*half, half
		}
		t.move(at, int(size))
	}
}

// pieces moves each aligned piece that lanes of [from, from+n) touch, once.
func (t *Traffic) pieces(r *Request, from, n, size int) {
	begin := len(t.Transactions)
	for _, a := range r.lanes(from, from+n) {
		piece := Transaction{a / uint64(size) * uint64(size), size}
		if !slices.Contains(t.Transactions[begin:], piece) {
			t.move(piece.Addr, size)
		}
	}
}

// Partitions returns how many transactions go to each of n memory partitions that take turns every
// width bytes of the address. A GTX 280 has 8 partitions of 256 bytes. Concurrent warps whose
// transactions meet in few partitions wait for each other: partition camping (Ruetsch and
// Micikevicius, "Optimizing Matrix Transpose in CUDA", 2009). The result is nil unless n and width
// are positive.
func Partitions(transactions []Transaction, n, width int) []int {
	if n <= 0 || width <= 0 {
		return nil
	}
	counts := make([]int, n)
	for _, t := range transactions {
		counts[t.Addr/uint64(width)%uint64(n)]++
	}
	return counts
}
