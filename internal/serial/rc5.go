package serial

import (
	"encoding/binary"
	"math/bits"

	"github.com/gocuda/gocuda/kernels/apps/rc5"
)

// RC5Search looks for the smallest key of RC5-32/12/9 that encrypts the known block, among n keys
// from first on, and reports whether there is one: the reference of [rc5.Search]. n must not be more
// than there are.
func RC5Search(first rc5.Key, n uint64, known rc5.Known) (rc5.Key, bool) {
	word := func(p []byte) uint32 { return binary.LittleEndian.Uint32(p) }
	a, b := word(known.Plain[:])^word(known.IV[:]), word(known.Plain[4:])^word(known.IV[4:])
	cipherA, cipherB := word(known.Cipher[:]), word(known.Cipher[4:])
	for ; n > 0; n-- {
		if x, y := rc5Encrypt(first, a, b); x == cipherA && y == cipherB {
			return first, true
		}
		first = first.Plus(1)
	}
	return rc5.Key{}, false
}

// rc5Encrypt expands a key and encrypts one block, without memory of its own (Rivest, The RC5
// Encryption Algorithm, 1994).
func rc5Encrypt(key rc5.Key, a, b uint32) (uint32, uint32) {
	const (
		words  = 2*12 + 2 // of the expanded key, for 12 rounds
		magicP = 0xb7e15163
		magicQ = 0x9e3779b9
	)
	l := [3]uint32{binary.LittleEndian.Uint32(key[:]), binary.LittleEndian.Uint32(key[4:]), uint32(key[8])}
	var s [words]uint32
	for i := range s {
		s[i] = magicP + uint32(i)*magicQ
	}
	var x, y uint32
	for k, j := 0, 0; k < 3; k++ {
		for i := range s {
			x = bits.RotateLeft32(s[i]+x+y, 3)
			y = bits.RotateLeft32(l[j]+x+y, int(x+y))
			s[i], l[j] = x, y
			if j++; j == 3 {
				j = 0
			}
		}
	}
	a, b = a+s[0], b+s[1]
	for i := 2; i < words; i += 2 {
		a = bits.RotateLeft32(a^b, int(b)) + s[i]
		b = bits.RotateLeft32(b^a, int(a)) + s[i+1]
	}
	return a, b
}
