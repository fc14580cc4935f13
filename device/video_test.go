package device_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// The reference follows the pseudocode of the PTX ISA in big numbers: partSelectSignExtend, the
// operation, optSaturate, optSecondaryOp, optMerge.

func big2(exp uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), exp) }

// modulo returns x modulo 2^bits, with sign if signed.
func modulo(x *big.Int, bits uint, signed bool) *big.Int {
	r := new(big.Int).Mod(x, big2(bits))
	if signed && r.Bit(int(bits)-1) == 1 {
		r.Sub(r, big2(bits))
	}
	return r
}

func clampBig(x *big.Int, bits uint, signed bool) *big.Int {
	lo, hi := new(big.Int), new(big.Int).Sub(big2(bits), big.NewInt(1))
	if signed {
		hi.Rsh(hi, 1)
		lo.Not(hi)
	}
	if x.Cmp(lo) < 0 {
		return lo
	}
	if x.Cmp(hi) > 0 {
		return hi
	}
	return x
}

// partOf is where a part lies.
func partOf(p device.VideoPart) (bits, at uint) {
	return []uint{32, 8, 8, 8, 8, 16, 16}[p], []uint{0, 0, 8, 16, 24, 0, 16}[p]
}

func videoSelect(x uint32, typ device.VideoType, sel device.VideoPart) *big.Int {
	bits, at := partOf(sel)
	return modulo(new(big.Int).Rsh(unsigned(uint64(x)), at), bits, typ == device.VideoS32)
}

// videoFinish is what follows the operation.
func videoFinish(t *big.Int, m device.Video, c uint32) uint32 {
	signed := m.D == device.VideoS32
	bits, at := uint(32), uint(0)
	merges := m.Then >= device.VideoMergeB0
	if merges {
		bits, at = partOf(device.VideoB0 + device.VideoPart(m.Then-device.VideoMergeB0))
	}
	if m.Sat {
		t = clampBig(t, bits, signed)
	}
	if merges {
		field := new(big.Int).Lsh(modulo(t, bits, false), at)
		rest := unsigned(uint64(c))
		for i := range bits {
			rest.SetBit(rest, int(at+i), 0)
		}
		return uint32(field.Or(field, rest).Uint64())
	}
	t, third := modulo(t, 32, signed), modulo(unsigned(uint64(c)), 32, signed)
	switch m.Then {
	case device.VideoAdd:
		t = new(big.Int).Add(t, third)
	case device.VideoMin:
		if third.Cmp(t) < 0 {
			t = third
		}
	case device.VideoMax:
		if third.Cmp(t) > 0 {
			t = third
		}
	}
	return uint32(lowBits(t, 32))
}

// everyVideo calls f with all combinations of modifiers, and some operands for each.
func everyVideo(n int, f func(m device.Video, a, b, c uint32)) {
	r := rand.New(rand.NewPCG(6, 28))
	word := func() uint32 {
		x := words32[r.IntN(len(words32))]
		if r.IntN(3) == 0 {
			x = r.Uint32()
		}
		return x
	}
	for k := range 8 {
		for asel := device.VideoWord; asel <= device.VideoH1; asel++ {
			for bsel := device.VideoWord; bsel <= device.VideoH1; bsel++ {
				for then := device.VideoResult; then <= device.VideoMergeH1; then++ {
					for _, sat := range []bool{false, true} {
						m := device.Video{D: device.VideoType(k & 1), A: device.VideoType(k >> 1 & 1), B: device.VideoType(k >> 2),
							ASel: asel, BSel: bsel, Sat: sat, Then: then}
						for range n {
							f(m, word(), word(), word())
						}
					}
				}
			}
		}
	}
}

func TestScalarVideo(t *testing.T) {
	ops := []struct {
		name string
		f    func(m device.Video, a, b, c uint32) uint32
		ref  func(z, x, y *big.Int) *big.Int
	}{
		{"vadd", device.PtxVadd, (*big.Int).Add},
		{"vsub", device.PtxVsub, (*big.Int).Sub},
		{"vabsdiff", device.PtxVabsdiff, func(z, x, y *big.Int) *big.Int { return z.Abs(z.Sub(x, y)) }},
		{"vavrg", device.PtxVavrg, func(z, x, y *big.Int) *big.Int { // the magnitude is rounded, halves up
			sum := z.Add(x, y)
			negative := sum.Sign() < 0
			sum.Abs(sum).Add(sum, big.NewInt(1)).Rsh(sum, 1)
			if negative {
				sum.Neg(sum)
			}
			return sum
		}},
		{"vmin", device.PtxVmin, func(z, x, y *big.Int) *big.Int {
			if x.Cmp(y) < 0 {
				return x
			}
			return y
		}},
		{"vmax", device.PtxVmax, func(z, x, y *big.Int) *big.Int {
			if x.Cmp(y) < 0 {
				return y
			}
			return x
		}},
	}
	everyVideo(6, func(m device.Video, a, b, c uint32) {
		x, y := videoSelect(a, m.A, m.ASel), videoSelect(b, m.B, m.BSel)
		for _, op := range ops {
			want := videoFinish(op.ref(new(big.Int), x, y), m, c)
			if got := op.f(m, a, b, c); got != want {
				t.Fatalf("%s %+v of %#x, %#x, %#x = %#x, want %#x", op.name, m, a, b, c, got, want)
			}
		}
		for _, cmp := range comparisons[:6] {
			z := new(big.Int)
			if cmp.ordered(x.Cmp(y)) {
				z.SetInt64(1)
			}
			m := m
			got := device.PtxVset(m, cmp.cmp, a, b, c)
			m.D, m.Sat = device.VideoU32, false
			if want := videoFinish(z, m, c); got != want {
				t.Fatalf("vset.%s %+v of %#x, %#x, %#x = %#x, want %#x", cmp.name, m, a, b, c, got, want)
			}
		}
	})
}

func TestVideoShifts(t *testing.T) {
	n := 0
	everyVideo(4, func(m device.Video, a, b, c uint32) {
		if n++; n%2 == 0 {
			b %= 40 // in all parts: small distances are the usual ones
			b *= 0x01010101
		}
		x, y := videoSelect(a, m.A, m.ASel), videoSelect(b, device.VideoU32, m.BSel).Uint64()
		for mode, distance := range map[device.VideoShift]uint64{device.VideoClamp: min(y, 32), device.VideoWrap: y % 32} {
			want := videoFinish(new(big.Int).Lsh(x, uint(distance)), m, c)
			if got := device.PtxVshl(m, mode, a, b, c); got != want {
				t.Fatalf("vshl %+v mode %d of %#x, %#x, %#x = %#x, want %#x", m, mode, a, b, c, got, want)
			}
			want = videoFinish(new(big.Int).Rsh(x, uint(distance)), m, c)
			if got := device.PtxVshr(m, mode, a, b, c); got != want {
				t.Fatalf("vshr %+v mode %d of %#x, %#x, %#x = %#x, want %#x", m, mode, a, b, c, got, want)
			}
		}
	})
}

// vmadReference is the pseudocode of vmad, with the minus as the manual's text has it: a negation
// of the product, or of c.
func vmadReference(m device.VideoMad, a, b, c uint32) uint32 {
	x, y := videoSelect(a, m.A, m.ASel), videoSelect(b, m.B, m.BSel)
	negAB, negC := m.NegA != m.NegB, m.NegC
	if m.PlusOne {
		negAB, negC = false, false
	}
	signed := m.A == device.VideoS32 || m.B == device.VideoS32 || negAB || negC
	t := new(big.Int).Mul(x, y)
	third := modulo(unsigned(uint64(c)), 32, signed)
	switch {
	case m.PlusOne:
		t.Add(t, big.NewInt(1))
	case negAB:
		t.Neg(t)
	case negC:
		// ~c is a word whose sign is extended; its negative would not be one for the least c.
		third = modulo(unsigned(uint64(^c)), 32, true)
		third.Add(third, big.NewInt(1))
	}
	t.Add(t, third)
	t.Rsh(t, uint(m.Shift))
	if m.Sat {
		t = clampBig(t, 32, signed)
	}
	return uint32(lowBits(t, 32))
}

func TestVmad(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 71))
	word := func() uint32 {
		if r.IntN(2) == 0 {
			return r.Uint32() >> r.IntN(32)
		}
		return words32[r.IntN(len(words32))]
	}
	for k := range 1 << 7 {
		for asel := device.VideoWord; asel <= device.VideoH1; asel++ {
			for bsel := device.VideoWord; bsel <= device.VideoH1; bsel++ {
				for _, shift := range []device.VideoShr{device.VideoShr0, device.VideoShr7, device.VideoShr15} {
					m := device.VideoMad{A: device.VideoType(k & 1), B: device.VideoType(k >> 1 & 1), ASel: asel, BSel: bsel,
						NegA: k&4 != 0, NegB: k&8 != 0, NegC: k&16 != 0, PlusOne: k&32 != 0, Shift: shift, Sat: k&64 != 0}
					for range 12 {
						a, b, c := word(), word(), word()
						if got, want := device.PtxVmad(m, a, b, c), vmadReference(m, a, b, c); got != want {
							t.Fatalf("vmad %+v of %#x, %#x, %#x = %#x, want %#x", m, a, b, c, got, want)
						}
					}
				}
			}
		}
	}
	// The product of the greatest words, with both signs.
	const all = 0xffffffff
	if got := device.PtxVmad(device.VideoMad{Sat: true, NegA: true}, all, all, 0); got != 0x80000000 {
		t.Errorf("-(2^32-1)^2 is clamped to %#x", got)
	}
	if got := device.PtxVmad(device.VideoMad{Sat: true, PlusOne: true}, all, all, all); got != all {
		t.Errorf("(2^32-1)^2 + 2^32 is clamped to %#x", got)
	}
}

func TestVectorVideo(t *testing.T) {
	type instruction = func(m device.VideoSimd, a, b, c uint32) uint32
	ops := []struct {
		name       string
		half, byte instruction
		ref        func(x, y int64) int64
	}{
		{"vadd", device.PtxVadd2, device.PtxVadd4, func(x, y int64) int64 { return x + y }},
		{"vsub", device.PtxVsub2, device.PtxVsub4, func(x, y int64) int64 { return x - y }},
		{"vavrg", device.PtxVavrg2, device.PtxVavrg4, func(x, y int64) int64 {
			if s := x + y; s < 0 {
				return -((-s + 1) / 2)
			}
			return (x + y + 1) / 2
		}},
		{"vabsdiff", device.PtxVabsdiff2, device.PtxVabsdiff4, func(x, y int64) int64 { return absInt(x - y) }},
		{"vmin", device.PtxVmin2, device.PtxVmin4, func(x, y int64) int64 { return min(x, y) }},
		{"vmax", device.PtxVmax2, device.PtxVmax4, func(x, y int64) int64 { return max(x, y) }},
	}
	for _, cmp := range comparisons[:6] {
		ops = append(ops, struct {
			name       string
			half, byte instruction
			ref        func(x, y int64) int64
		}{"vset." + cmp.name,
			func(m device.VideoSimd, a, b, c uint32) uint32 { return device.PtxVset2(m, cmp.cmp, a, b, c) },
			func(m device.VideoSimd, a, b, c uint32) uint32 { return device.PtxVset4(m, cmp.cmp, a, b, c) },
			func(x, y int64) int64 { return -allBits(cmp.ordered(int(x - y))) }})
	}
	r := rand.New(rand.NewPCG(9, 81))
	for range 12000 {
		bits := 8 << r.IntN(2)
		count := 32 / bits
		m := device.VideoSimd{D: device.VideoType(r.IntN(2)), A: device.VideoType(r.IntN(2)), B: device.VideoType(r.IntN(2)),
			Mode: device.VideoMode(r.IntN(3)), Mask: device.VideoMask(r.IntN(1 << count))}
		// What is left out stands for these.
		asel, bsel, masked := []int{0, 1, 2, 3}, []int{count, count + 1, count + 2, count + 3}, int(m.Mask)
		if m.Mask == 0 {
			masked = 15
		}
		for which, sel := range []*device.VideoSelect{&m.ASel, &m.BSel} {
			if r.IntN(4) == 0 {
				continue
			}
			digits := uint32(0)
			for i := range count {
				d := r.IntN(2 * count)
				digits |= uint32(d) << (4 * i)
				if which == 0 {
					asel[i] = d
				} else {
					bsel[i] = d
				}
			}
			*sel = device.VideoParts(digits)
		}
		a, b, c := r.Uint32(), r.Uint32(), r.Uint32()
		if r.IntN(2) == 0 {
			a, b = words32[r.IntN(len(words32))], words32[r.IntN(len(words32))]
		}
		pa := append(partsOf(a, bits, m.A == device.VideoS32), partsOf(b, bits, m.A == device.VideoS32)...)
		pb := append(partsOf(a, bits, m.B == device.VideoS32), partsOf(b, bits, m.B == device.VideoS32)...)
		for _, op := range ops {
			sum, want := int64(c), int64(0)
			for i, pc := range partsOf(c, bits, false) {
				v := op.ref(pa[asel[i]], pb[bsel[i]])
				if m.Mode == device.VideoSat {
					lo, hi := rangeOf(bits, m.D == device.VideoS32)
					v = clampInt(v, lo, hi)
				}
				if masked>>i&1 == 1 {
					sum += v
					pc = v & (1<<bits - 1)
				}
				want += pc << (bits * i)
			}
			if m.Mode == device.VideoAccumulate {
				want = sum
			}
			f := op.byte
			if bits == 16 {
				f = op.half
			}
			if got := f(m, a, b, c); got != uint32(want) {
				t.Fatalf("%s%d %+v of %#x, %#x, %#x = %#x, want %#x", op.name, count, m, a, b, c, got, uint32(want))
			}
		}
	}
}

// CUDA's intrinsics are video instructions with the default modifiers.
func TestIntrinsicsAreVideoInstructions(t *testing.T) {
	s := device.VideoSimd{D: device.VideoS32, A: device.VideoS32, B: device.VideoS32}
	with := func(m device.VideoSimd, mode device.VideoMode) device.VideoSimd { m.Mode = mode; return m }
	var u device.VideoSimd
	for a, b := range pairs32(20000) {
		for _, c := range []struct {
			name      string
			got, want uint32
		}{
			{"__vabsdiffs2", device.Vabsdiffs2(a, b), device.PtxVabsdiff2(s, a, b, 0)},
			{"__vaddss4", device.Vaddss4(a, b), device.PtxVadd4(with(s, device.VideoSat), a, b, 0)},
			{"__vsubus2", device.Vsubus2(a, b), device.PtxVsub2(with(u, device.VideoSat), a, b, 0)},
			{"__vavgs2", device.Vavgs2(a, b), device.PtxVavrg2(s, a, b, 0)},
			{"__vavgu4", device.Vavgu4(a, b), device.PtxVavrg4(u, a, b, 0)},
			{"__vsads2", device.Vsads2(a, b), device.PtxVabsdiff2(with(s, device.VideoAccumulate), a, b, 0)},
			{"__vsadu4", device.Vsadu4(a, b), device.PtxVabsdiff4(with(u, device.VideoAccumulate), a, b, 0)},
			{"__vsetles4", device.Vsetles4(a, b), device.PtxVset4(s, device.CmpLe, a, b, 0)},
		} {
			if c.got != c.want {
				t.Fatalf("%s(%#x, %#x) = %#x, the instruction %#x", c.name, a, b, c.got, c.want)
			}
		}
	}
}

func ExamplePtxVadd() {
	// vadd.s32.u32.s32.sat d.b1, a.b0, b.h1, c: 0xff - 0x0100, into the second byte of c.
	m := device.Video{D: device.VideoS32, B: device.VideoS32, ASel: device.VideoB0, BSel: device.VideoH1, Sat: true, Then: device.VideoMergeB1}
	fmt.Printf("%#08x\n", device.PtxVadd(m, 0xff, 0xff000000, 0x11223344))
	// Output: 0x1122ff44
}

func ExamplePtxVabsdiff4() {
	// The sum of the distances of four bytes, added to a running one.
	m := device.VideoSimd{Mode: device.VideoAccumulate}
	fmt.Println(device.PtxVabsdiff4(m, 0x01020304, 0x04030201, 1000))
	// Output: 1008
}
