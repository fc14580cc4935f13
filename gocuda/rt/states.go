package rt

import "encoding/binary"

// The states of the threads of a block, a byte each. They are processed eight at a time, since
// eight neighbours mostly have the same state.

// eachByte times a byte is eight of it.
const eachByte = 0x0101010101010101

// hasZero reports whether one of the eight bytes of w is 0.
func hasZero(w uint64) bool { return (w-eachByte)&^w&(0x80*eachByte) != 0 }

// exchange replaces the bytes of s that are from by to, and returns their number.
func exchange(s []uint8, from, to uint8) (n int) {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		switch w := binary.LittleEndian.Uint64(s[i:]) ^ eachByte*uint64(from); {
		case w == 0:
			binary.LittleEndian.PutUint64(s[i:], eachByte*uint64(to))
			n += 8
		case hasZero(w):
			n += exchangeEach(s[i:i+8], from, to)
		}
	}
	return n + exchangeEach(s[i:], from, to)
}

func exchangeEach(s []uint8, from, to uint8) (n int) {
	for i, x := range s {
		if x == from {
			s[i] = to
			n++
		}
	}
	return n
}

// count returns how many bytes of s are x.
func count(s []uint8, x uint8) (n int) {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		switch w := binary.LittleEndian.Uint64(s[i:]) ^ eachByte*uint64(x); {
		case w == 0:
			n += 8
		case hasZero(w):
			n += countEach(s[i:i+8], x)
		}
	}
	return n + countEach(s[i:], x)
}

func countEach(s []uint8, x uint8) (n int) {
	for _, y := range s {
		if y == x {
			n++
		}
	}
	return n
}

// aliveIn returns the index of the first 0 in s, the index behind the last 0, and whether all bytes
// between are 0. Without a 0 it returns len(s) twice.
func aliveIn(s []uint8) (from, to int, all bool) {
	for to = len(s); from+8 <= to && !hasZero(binary.LittleEndian.Uint64(s[from:])); from += 8 {
	}
	for from < to && s[from] != 0 {
		from++
	}
	for to-8 >= from && !hasZero(binary.LittleEndian.Uint64(s[to-8:])) {
		to -= 8
	}
	for to > from && s[to-1] != 0 {
		to--
	}
	i := from
	for ; i+8 <= to; i += 8 {
		if binary.LittleEndian.Uint64(s[i:]) != 0 {
			return from, to, false
		}
	}
	for ; i < to; i++ {
		if s[i] != 0 {
			return from, to, false
		}
	}
	return from, to, true
}
