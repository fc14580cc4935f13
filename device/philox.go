package device

// Random numbers from a counter (Salmon, Moraes, Dror and Shaw, Parallel Random Numbers: As Easy as
// 1, 2, 3, 2011). A usual generator has a state, and computes each number from the one before.
// Threads that share a state must wait for each other. If each thread has a state of its own, the
// numbers depend on how many threads there are. Philox is a function instead, a weak cipher: number
// i is the encryption of i. Any thread can have any number, at any time. cuRAND has it as
// CURAND_RNG_PSEUDO_PHILOX4_32_10, and with its device functions as curandStatePhilox4_32_10_t,
// which is [Philox] here.

// The multipliers of Philox4x32 and the steps of its key, from the paper. The steps are the
// fractions of the golden ratio and of the root of 3, in 32 bits.
const (
	philoxM0, philoxM1 = 0xD2511F53, 0xCD9E8D57
	philoxW0, philoxW1 = 0x9E3779B9, 0xBB67AE85
)

// Philox4x32 is Philox4x32-10: it makes four random words of a counter of four words and a key of
// two. It passes the tests of TestU01's BigCrush, and is not for cryptography. cuRAND's
// curand_Philox4x32_10.
func Philox4x32(c0, c1, c2, c3, k0, k1 uint32) (r0, r1, r2, r3 uint32) {
	for range 10 {
		p0, p1 := uint64(philoxM0)*uint64(c0), uint64(philoxM1)*uint64(c2)
		c0, c1, c2, c3 = uint32(p1>>32)^c1^k0, uint32(p1), uint32(p0>>32)^c3^k1, uint32(p0)
		k0 += philoxW0
		k1 += philoxW1
	}
	return c0, c1, c2, c3
}

// Philox is a place in one of 2^64 sequences of random numbers, of 2^66 words each: cuRAND's
// curandStatePhilox4_32_10_t. Words, and uniform numbers, are those that cuRAND's device functions
// give for the same seed, subsequence, offset and calls. A kernel makes one for each thread, in a
// variable:
//
//	s := device.NewPhilox(seed, uint64(t.GlobalX()), 0)
//	x := s.Uniform()
//
// It is a value, and a copy goes its own way from where it was copied. It is not safe for several
// goroutines. The zero Philox is no generator: use [NewPhilox]. Its fields are exported so that it
// can be stored, and because gocuda gen keeps such a struct in variables; leave them to the
// methods.
type Philox struct {
	Counter       Uint4 // of the words in Out
	Key           Uint2
	Out           Uint4
	Used          uint32  // how many words of Out have been taken: 0 to 3
	Spare         float32 // the second number of a pair
	SpareOf       uint32  // and of which distribution it is
	SpareDouble   float64
	SpareDoubleOf uint32
}

// The distribution of the spare number: Box and Muller's method makes two numbers at a time, and
// the second is kept as the spare.
const (
	spareNone = iota
	spareNormal
	spareLogNormal
)

// NewPhilox returns the generator of a seed, at a place in one of its sequences. Threads with the
// same seed should have different subsequences, or places that are further apart than what they
// take: offset words are skipped. cuRAND's curand_init.
func NewPhilox(seed, subsequence, offset uint64) Philox {
	s := Philox{
		Counter: Uint4{0, 0, uint32(subsequence), uint32(subsequence >> 32)},
		Key:     Uint2{uint32(seed), uint32(seed >> 32)},
	}
	s.Skipahead(offset)
	return s
}

// block sets Out to the four random words of the counter.
func (s *Philox) block() {
	s.Out.X, s.Out.Y, s.Out.Z, s.Out.W = Philox4x32(s.Counter.X, s.Counter.Y, s.Counter.Z, s.Counter.W, s.Key.X, s.Key.Y)
}

// advance adds n to the counter. A sequence that is used up goes on with the next.
func (s *Philox) advance(n uint64) {
	low := uint64(s.Counter.Y)<<32 | uint64(s.Counter.X)
	high := uint64(s.Counter.W)<<32 | uint64(s.Counter.Z)
	low += n
	if low < n {
		high++
	}
	s.Counter = Uint4{uint32(low), uint32(low >> 32), uint32(high), uint32(high >> 32)}
}

// next adds 1 to the counter and sets Out to its random words.
func (s *Philox) next() {
	s.Counter.X++
	if s.Counter.X == 0 {
		s.Counter.Y++
		if s.Counter.Y == 0 {
			s.Counter.Z++
			if s.Counter.Z == 0 {
				s.Counter.W++
			}
		}
	}
	s.block()
}

// Skipahead skips n words. The spare number of the normal distributions stays, as in cuRAND.
// cuRAND's skipahead.
func (s *Philox) Skipahead(n uint64) {
	s.Used += uint32(n & 3)
	blocks := n / 4
	if s.Used > 3 {
		s.Used -= 4
		blocks++
	}
	s.advance(blocks)
	s.block()
}

// SkipaheadSequence goes n sequences on, to the same place. cuRAND's skipahead_sequence.
func (s *Philox) SkipaheadSequence(n uint64) {
	high := uint64(s.Counter.W)<<32 | uint64(s.Counter.Z)
	high += n
	s.Counter.Z, s.Counter.W = uint32(high), uint32(high>>32)
	s.block()
}

// Uint32 returns the next word, of 32 random bits. cuRAND's curand.
func (s *Philox) Uint32() uint32 {
	r := s.Out.X
	if s.Used == 1 {
		r = s.Out.Y
	}
	if s.Used == 2 {
		r = s.Out.Z
	}
	s.Used++
	if s.Used == 4 {
		r = s.Out.W
		s.Used = 0
		s.next()
	}
	return r
}

// Uint4 returns the next four words. It costs little more than one. cuRAND's curand4.
func (s *Philox) Uint4() Uint4 {
	a := s.Out
	s.next()
	b := s.Out
	if s.Used == 1 {
		return Uint4{a.Y, a.Z, a.W, b.X}
	}
	if s.Used == 2 {
		return Uint4{a.Z, a.W, b.X, b.Y}
	}
	if s.Used == 3 {
		return Uint4{a.W, b.X, b.Y, b.Z}
	}
	return a
}

// Uint64 returns the next two words, the first below the second. With it a *Philox is a Source of
// math/rand/v2.
func (s *Philox) Uint64() uint64 {
	low := uint64(s.Uint32())
	return uint64(s.Uint32())<<32 | low
}

// philoxUniform32 returns (x + 1/2) / 2^32, in float32 arithmetic as cuRAND's: x is rounded first,
// the sum again.
func philoxUniform32(x uint32) float32 { return float32(float32(x)*0x1p-32) + 0x1p-33 }

// philoxUniform64 is the same of 53 bits made of two words, as cuRAND has them.
func philoxUniform64(x, y uint32) float64 {
	return float64(float64(uint64(x)^uint64(y)<<21)*0x1p-53) + 0x1p-54
}

// Uniform returns a number from (0, 1]: never 0, and 1 included. cuRAND's curand_uniform.
func (s *Philox) Uniform() float32 { return philoxUniform32(s.Uint32()) }

// Uniform4 returns four numbers from (0, 1]. cuRAND's curand_uniform4.
func (s *Philox) Uniform4() Float4 {
	x := s.Uint4()
	return Float4{philoxUniform32(x.X), philoxUniform32(x.Y), philoxUniform32(x.Z), philoxUniform32(x.W)}
}

// UniformDouble returns a number from (0, 1] made of one word: (x+1) / 2^32, so it has 32 bits
// only. cuRAND's curand_uniform_double.
func (s *Philox) UniformDouble() float64 { return float64(float64(s.Uint32())*0x1p-32) + 0x1p-32 }

// Uniform2Double returns two numbers from (0, 1] with 53 bits. cuRAND's curand_uniform2_double.
func (s *Philox) Uniform2Double() Double2 {
	x := s.Uint4()
	return Double2{philoxUniform64(x.X, x.Y), philoxUniform64(x.Z, x.W)}
}

// Uniform4Double returns four numbers from (0, 1] with 53 bits. cuRAND's curand_uniform4_double.
func (s *Philox) Uniform4Double() Double4 {
	x := s.Uint4()
	y := s.Uint4()
	return Double4{philoxUniform64(x.X, x.Y), philoxUniform64(x.Z, x.W),
		philoxUniform64(y.X, y.Y), philoxUniform64(y.Z, y.W)}
}
