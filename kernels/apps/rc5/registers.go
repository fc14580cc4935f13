package rc5

import (
	"math/bits"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
)

// The expanded key in registers (Ryoo et al., table 3: 42 registers a thread and no shared memory).
// The 26 words of the expanded key and the 3 of the key are variables, because arrays are in
// memory, and so the rounds of the expansion are written out: three times through the expanded key,
// and at the same time 26 times through the key. The third time makes the words in the order in
// which the encryption needs them, so both go together and fewer words are alive.

const registerThreads = 256 // of a block

// registers tries n keys, and puts the smallest thread whose key is right into found[0]. Threads
// that are right by chance in the first word do the second.
//
//gocuda:kernel
func registers(t *gocuda.Thread, n int, contest, found []uint32) {
	i := t.GlobalX()
	hit := false
	if i < n {
		number := contest[lowNumber] + uint32(i)
		l1 := contest[keySecond] | bits.ReverseBytes32(number)<<8
		l2 := number & 0xff
		s0, l0 := mix(magicP, contest[keyFirst], 0, 0)
		s1, l1 := mix((magicP+magicQ)&0xffffffff, l1, s0, l0)
		s2, l2 := mix((magicP+2*magicQ)&0xffffffff, l2, s1, l1)
		s3, l0 := mix((magicP+3*magicQ)&0xffffffff, l0, s2, l2)
		s4, l1 := mix((magicP+4*magicQ)&0xffffffff, l1, s3, l0)
		s5, l2 := mix((magicP+5*magicQ)&0xffffffff, l2, s4, l1)
		s6, l0 := mix((magicP+6*magicQ)&0xffffffff, l0, s5, l2)
		s7, l1 := mix((magicP+7*magicQ)&0xffffffff, l1, s6, l0)
		s8, l2 := mix((magicP+8*magicQ)&0xffffffff, l2, s7, l1)
		s9, l0 := mix((magicP+9*magicQ)&0xffffffff, l0, s8, l2)
		s10, l1 := mix((magicP+10*magicQ)&0xffffffff, l1, s9, l0)
		s11, l2 := mix((magicP+11*magicQ)&0xffffffff, l2, s10, l1)
		s12, l0 := mix((magicP+12*magicQ)&0xffffffff, l0, s11, l2)
		s13, l1 := mix((magicP+13*magicQ)&0xffffffff, l1, s12, l0)
		s14, l2 := mix((magicP+14*magicQ)&0xffffffff, l2, s13, l1)
		s15, l0 := mix((magicP+15*magicQ)&0xffffffff, l0, s14, l2)
		s16, l1 := mix((magicP+16*magicQ)&0xffffffff, l1, s15, l0)
		s17, l2 := mix((magicP+17*magicQ)&0xffffffff, l2, s16, l1)
		s18, l0 := mix((magicP+18*magicQ)&0xffffffff, l0, s17, l2)
		s19, l1 := mix((magicP+19*magicQ)&0xffffffff, l1, s18, l0)
		s20, l2 := mix((magicP+20*magicQ)&0xffffffff, l2, s19, l1)
		s21, l0 := mix((magicP+21*magicQ)&0xffffffff, l0, s20, l2)
		s22, l1 := mix((magicP+22*magicQ)&0xffffffff, l1, s21, l0)
		s23, l2 := mix((magicP+23*magicQ)&0xffffffff, l2, s22, l1)
		s24, l0 := mix((magicP+24*magicQ)&0xffffffff, l0, s23, l2)
		s25, l1 := mix((magicP+25*magicQ)&0xffffffff, l1, s24, l0)
		s0, l2 = mix(s0, l2, s25, l1)
		s1, l0 = mix(s1, l0, s0, l2)
		s2, l1 = mix(s2, l1, s1, l0)
		s3, l2 = mix(s3, l2, s2, l1)
		s4, l0 = mix(s4, l0, s3, l2)
		s5, l1 = mix(s5, l1, s4, l0)
		s6, l2 = mix(s6, l2, s5, l1)
		s7, l0 = mix(s7, l0, s6, l2)
		s8, l1 = mix(s8, l1, s7, l0)
		s9, l2 = mix(s9, l2, s8, l1)
		s10, l0 = mix(s10, l0, s9, l2)
		s11, l1 = mix(s11, l1, s10, l0)
		s12, l2 = mix(s12, l2, s11, l1)
		s13, l0 = mix(s13, l0, s12, l2)
		s14, l1 = mix(s14, l1, s13, l0)
		s15, l2 = mix(s15, l2, s14, l1)
		s16, l0 = mix(s16, l0, s15, l2)
		s17, l1 = mix(s17, l1, s16, l0)
		s18, l2 = mix(s18, l2, s17, l1)
		s19, l0 = mix(s19, l0, s18, l2)
		s20, l1 = mix(s20, l1, s19, l0)
		s21, l2 = mix(s21, l2, s20, l1)
		s22, l0 = mix(s22, l0, s21, l2)
		s23, l1 = mix(s23, l1, s22, l0)
		s24, l2 = mix(s24, l2, s23, l1)
		s25, l0 = mix(s25, l0, s24, l2)
		s0, l1 = mix(s0, l1, s25, l0)
		a := contest[plainFirst] + s0
		s1, l2 = mix(s1, l2, s0, l1)
		b := contest[plainSecond] + s1
		s2, l0 = mix(s2, l0, s1, l2)
		a = half(a, b, s2)
		s3, l1 = mix(s3, l1, s2, l0)
		b = half(b, a, s3)
		s4, l2 = mix(s4, l2, s3, l1)
		a = half(a, b, s4)
		s5, l0 = mix(s5, l0, s4, l2)
		b = half(b, a, s5)
		s6, l1 = mix(s6, l1, s5, l0)
		a = half(a, b, s6)
		s7, l2 = mix(s7, l2, s6, l1)
		b = half(b, a, s7)
		s8, l0 = mix(s8, l0, s7, l2)
		a = half(a, b, s8)
		s9, l1 = mix(s9, l1, s8, l0)
		b = half(b, a, s9)
		s10, l2 = mix(s10, l2, s9, l1)
		a = half(a, b, s10)
		s11, l0 = mix(s11, l0, s10, l2)
		b = half(b, a, s11)
		s12, l1 = mix(s12, l1, s11, l0)
		a = half(a, b, s12)
		s13, l2 = mix(s13, l2, s12, l1)
		b = half(b, a, s13)
		s14, l0 = mix(s14, l0, s13, l2)
		a = half(a, b, s14)
		s15, l1 = mix(s15, l1, s14, l0)
		b = half(b, a, s15)
		s16, l2 = mix(s16, l2, s15, l1)
		a = half(a, b, s16)
		s17, l0 = mix(s17, l0, s16, l2)
		b = half(b, a, s17)
		s18, l1 = mix(s18, l1, s17, l0)
		a = half(a, b, s18)
		s19, l2 = mix(s19, l2, s18, l1)
		b = half(b, a, s19)
		s20, l0 = mix(s20, l0, s19, l2)
		a = half(a, b, s20)
		s21, l1 = mix(s21, l1, s20, l0)
		b = half(b, a, s21)
		s22, l2 = mix(s22, l2, s21, l1)
		a = half(a, b, s22)
		s23, l0 = mix(s23, l0, s22, l2)
		b = half(b, a, s23)
		s24, l1 = mix(s24, l1, s23, l0)
		a = half(a, b, s24)
		s25, _ = mix(s25, l2, s24, l1)
		hit = a == contest[cipherFirst] && half(b, a, s25) == contest[cipherSecond]
	}
	if t.SyncThreadsOr(hit) {
		if hit {
			atomic.Min(&found[0], uint32(i))
		}
	}
}
