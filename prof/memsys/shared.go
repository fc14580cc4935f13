package memsys

import (
	"slices"

	"github.com/gocuda/gocuda/gocuda"
)

// BankWidth is the mode of the banks of shared memory on 3.x: cudaSharedMemConfig. Other capabilities
// have banks of four bytes and ignore it.
type BankWidth int

// The modes of the banks.
const (
	Bank32 BankWidth = iota // successive words of 32 bits in successive banks: cudaSharedMemBankSizeFourByte
	Bank64                  // successive words of 64 bits: cudaSharedMemBankSizeEightByte
)

// Passes is what the banks of shared memory make of a request.
type Passes struct {
	Passes int // wavefronts: how often the banks are accessed
	Ideal  int // passes without conflicts, one for each group of lanes that is served alone
}

// Excess is the number of passes that bank conflicts cause.
func (p Passes) Excess() int { return p.Passes - p.Ideal }

// Shared returns the passes of a load or store of shared memory. The rules by capability c (CUDA C
// Programming Guide 4.2, sections F.3.3, F.4.3 and F.5.3):
//
//   - 1.x: 16 banks of 32 bits serve half-warps. A pass of a load serves all lanes on the word of the lowest
//     waiting lane, by broadcast, and one lane of each other bank. Lanes that store to one address are one
//     store. Words of 8 and 16 bits conflict within 32 bits; those of 64 and 128 bits are two and four
//     requests of 32 bits.
//   - 2.x: 32 banks serve a warp; lanes on one word don't conflict.
//   - 3.x with [Bank32]: as 2.x, and the words i and i+32 of an aligned segment of 64 words don't conflict.
//     With [Bank64]: the banks are 64 bits wide.
//   - 5.x and later: as 2.x.
//
// From 2.x on as many lanes are served together as ask for one word of each bank: for banks of 32
// bits half a warp of 8-byte words and a quarter of 16-byte words. The guide's one conflict more
// for words of 128 bits on 2.x is not counted.
func Shared(c gocuda.Capability, r Request, width BankWidth) (Passes, error) {
	if err := r.check(c); err != nil {
		return Passes{}, err
	}
	if c.Major == 1 {
		return shared1(&r), nil
	}
	bank, segment := 4, 4 // bytes of a bank's word, and of a piece that a bank serves at once
	n := byWidth(r.Size)
	if c.Major == 3 && width == Bank64 {
		bank, segment = 8, 8
		n = min(Lanes, 2*n)
	}
	together := uint64(segment)
	if c.Major == 3 && width == Bank32 {
		together = 64 * 4
	}
	var p Passes
	for from := range r.groups(n) {
		p.Ideal++
		var pieces [32][]uint64 // by bank, the pieces that lanes ask for
		for _, a := range r.lanes(from, from+n) {
			for at := a; at < a+uint64(r.Size); at += uint64(min(bank, r.Size)) {
				b := at / uint64(bank) % 32
				if piece := at / together; !slices.Contains(pieces[b], piece) {
					pieces[b] = append(pieces[b], piece)
				}
			}
		}
		p.Passes += longest(pieces[:])
	}
	return p, nil
}

// longest is the length of the longest list.
func longest(lists [][]uint64) int {
	n := 0
	for _, l := range lists {
		n = max(n, len(l))
	}
	return n
}

// shared1 is the rule of 1.x.
func shared1(r *Request) Passes {
	var p Passes
	for from := range r.groups(16) {
		for part := 0; part < max(r.Size, 4); part += 4 {
			p.Ideal++
			// Lanes on one address are one access: of a store because one of them is done, of a
			// load of fewer than 32 bits because nothing else is asked for in the word.
			var waiting []uint64
			loadsWords := !r.Store && r.Size >= 4
			for _, a := range r.lanes(from, from+16) {
				a += uint64(part)
				if loadsWords || !slices.Contains(waiting, a) {
					waiting = append(waiting, a)
				}
			}
			for len(waiting) > 0 {
				p.Passes++
				waiting = pass1(waiting, loadsWords)
			}
		}
	}
	return p
}

// pass1 returns which of the waiting addresses a pass over the 16 banks of 1.x leaves.
func pass1(waiting []uint64, broadcast bool) (left []uint64) {
	var busy [16]bool
	word := waiting[0] / 4
	if broadcast {
		busy[word%16] = true
	}
	for _, a := range waiting {
		bank := a / 4 % 16
		switch {
		case broadcast && a/4 == word:
		case busy[bank]:
			left = append(left, a)
		default:
			busy[bank] = true
		}
	}
	return left
}
