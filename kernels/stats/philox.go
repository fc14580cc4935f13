package stats

// Random numbers from a counter (Salmon, Moraes, Dror and Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, 2011).
// A usual generator has a state, and each number comes out of the one before; threads would have to wait for
// each other, or each have a state of its own, and then the numbers depend on how many threads there are.
// Philox is a function instead, a weak cipher: number i is the encryption of i. Any thread can have any number, at
// any time. cuRAND has it as CURAND_RNG_PSEUDO_PHILOX4_32_10.

// The multipliers of Philox4x32 and the steps of its key, from the paper. The steps are the fractions of the golden
// ratio and of the root of 3, in 32 bits.
const (
	philoxM0, philoxM1 = 0xD2511F53, 0xCD9E8D57
	philoxW0, philoxW1 = 0x9E3779B9, 0xBB67AE85
)

// Philox4x32 is Philox4x32-10: it makes four random words of a counter of four words and a key of two. Kernels can
// call it. It passes the tests of TestU01's BigCrush, and is not for
// cryptography.
func Philox4x32(c0, c1, c2, c3, k0, k1 uint32) (r0, r1, r2, r3 uint32) {
	for range 10 {
		p0, p1 := uint64(philoxM0)*uint64(c0), uint64(philoxM1)*uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k0, uint32(p1), uint32(p0>>32)^c3^k1, uint32(p0)
		k0 += philoxW0
		k1 += philoxW1
	}
	return c0, c1, c2, c3
}
