package rc5

import (
	"crypto/cipher"
	"encoding/binary"
	"math/bits"

	"github.com/gocuda/gocuda/kernels/internal/check"
)

// BlockSize is the number of bytes of a block.
const BlockSize = 8

// The constants of the key expansion: the odd integers nearest to (e-2) 2^32 and (phi-1) 2^32, with
// the golden ratio phi.
const (
	magicP = 0xb7e15163
	magicQ = 0x9e3779b9
)

// block is RC5-32/r/b with an expanded key of 2r+2 words.
type block []uint32

// New returns the cipher RC5-32/r/b for r rounds and a key of b bytes, each from 0 to 255.
func New(rounds int, key []byte) (cipher.Block, error) {
	if rounds < 0 || rounds > 255 || len(key) > 255 {
		return nil, check.Invalid("RC5", "%d rounds and a key of %d bytes; want 0 to 255 of both", rounds, len(key))
	}
	return expand(rounds, key), nil
}

// expand makes the expanded key.
func expand(rounds int, key []byte) block {
	l := make([]uint32, max((len(key)+3)/4, 1))
	for i, b := range key {
		l[i/4] |= uint32(b) << (i % 4 * 8)
	}
	s := make(block, 2*rounds+2)
	for i := range s {
		s[i] = magicP + uint32(i)*magicQ
	}
	var a, b uint32
	for k := range 3 * max(len(s), len(l)) {
		i, j := k%len(s), k%len(l)
		a = bits.RotateLeft32(s[i]+a+b, 3)
		b = bits.RotateLeft32(l[j]+a+b, int(a+b))
		s[i], l[j] = a, b
	}
	return s
}

// BlockSize implements cipher.Block.
func (s block) BlockSize() int { return BlockSize }

// Encrypt implements cipher.Block. It panics if dst or src is shorter than a block.
func (s block) Encrypt(dst, src []byte) {
	a, b := s.encrypt(binary.LittleEndian.Uint32(src[0:]), binary.LittleEndian.Uint32(src[4:]))
	binary.LittleEndian.PutUint32(dst[0:], a)
	binary.LittleEndian.PutUint32(dst[4:], b)
}

func (s block) encrypt(a, b uint32) (uint32, uint32) {
	a, b = a+s[0], b+s[1]
	for i := 2; i < len(s); i += 2 {
		a = bits.RotateLeft32(a^b, int(b)) + s[i]
		b = bits.RotateLeft32(b^a, int(a)) + s[i+1]
	}
	return a, b
}

// Decrypt implements cipher.Block. It panics if dst or src is shorter than a block.
func (s block) Decrypt(dst, src []byte) {
	a, b := binary.LittleEndian.Uint32(src[0:]), binary.LittleEndian.Uint32(src[4:])
	for i := len(s) - 2; i > 0; i -= 2 {
		b = bits.RotateLeft32(b-s[i+1], -int(a)) ^ a
		a = bits.RotateLeft32(a-s[i], -int(b)) ^ b
	}
	binary.LittleEndian.PutUint32(dst[0:], a-s[0])
	binary.LittleEndian.PutUint32(dst[4:], b-s[1])
}
