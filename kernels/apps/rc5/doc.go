// Package rc5 searches for the key of a text that was encrypted with RC5, by trying keys: the work
// of distributed.net's project RC5-72, with the part of it that Ryoo et al. ported (Optimization
// Principles and Application Performance Evaluation of a Multithreaded GPU Using CUDA, PPoPP 2008).
//
// RC5 is a block cipher of additions, exclusive ors and rotations by amounts that depend on the
// data (Rivest, The RC5 Encryption Algorithm, 1994). RC5-w/r/b has words of w bits, two of which
// are a block, r rounds and keys of b bytes. The bytes of a word go from the lowest to the highest.
// [New] makes the cipher RC5-32/r/b for any r and b, as a crypto/cipher.Block, so that the modes of
// package cipher work with it.
//
// [Search] is for RC5-32/12/9, the cipher of RSA's challenge of 1997 with 72 bits. There each text
// is in CBC mode and begins with "The unkn", so the first block of the cipher text tells a right
// key from a wrong one. One thread tries one key. It expands the key to 26 words in registers,
// encrypts the block and compares. Nothing is in memory but what all threads share, and nothing is
// written but the right key.
//
// Keys are numbers of 9 bytes, the first of which is the highest; a search goes upwards from any key.
package rc5

//go:generate go run ../../../cmd/gocuda-gen .
