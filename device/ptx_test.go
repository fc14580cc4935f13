package device_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// ptxArithmetic checks the integer arithmetic of one type against big numbers.
func ptxArithmetic[T device.PtxInteger](t *testing.T, bits uint, number func(T) *big.Int, word func(uint64) T, xs func(func(x, y uint64) bool)) {
	t.Helper()
	same := func(name string, a, b T, got T, want *big.Int) {
		t.Helper()
		if number(got).Cmp(number(word(lowBits(want, bits)))) != 0 {
			t.Fatalf("%s(%d, %d) in %T = %d, want %d", name, a, b, got, got, want)
		}
	}
	for x, y := range xs {
		a, b := word(x), word(y)
		na, nb := number(a), number(b)
		d := new(big.Int).Sub(na, nb)
		same("PtxSad", a, b, device.PtxSad(a, b, a), d.Add(d.Abs(d), na))
		if nb.Sign() == 0 {
			same("PtxDiv", a, b, device.PtxDiv(a, b), big.NewInt(-1))
			same("PtxRem", a, b, device.PtxRem(a, b), big.NewInt(-1))
			continue
		}
		q, r := new(big.Int).QuoRem(na, nb, new(big.Int))
		same("PtxDiv", a, b, device.PtxDiv(a, b), q)
		same("PtxRem", a, b, device.PtxRem(a, b), r)
	}
}

// pairs16 is every pair of numbers that matters in 16 bits, and some.
func pairs16(f func(x, y uint64) bool) {
	for _, x := range words32 {
		for y := uint32(0); y < 1<<16; y += 77 {
			if !f(uint64(x), uint64(y)) || !f(uint64(y), uint64(x)) {
				return
			}
		}
	}
}

func words64(f func(x, y uint64) bool) {
	for x, y := range pairs32(20000) {
		if !f(uint64(x), uint64(y)) {
			return
		}
	}
}

func TestPtxIntegerArithmetic(t *testing.T) {
	ptxArithmetic(t, 16, func(x int16) *big.Int { return big.NewInt(int64(x)) }, func(x uint64) int16 { return int16(x) }, pairs16)
	ptxArithmetic(t, 16, func(x uint16) *big.Int { return big.NewInt(int64(x)) }, func(x uint64) uint16 { return uint16(x) }, pairs16)
	ptxArithmetic(t, 32, func(x int32) *big.Int { return big.NewInt(int64(x)) }, func(x uint64) int32 { return int32(x) }, words64)
	ptxArithmetic(t, 32, func(x uint32) *big.Int { return big.NewInt(int64(x)) }, func(x uint64) uint32 { return uint32(x) }, words64)
	ptxArithmetic(t, 64, big.NewInt, func(x uint64) int64 { return int64(x) }, pairs64(20000))
	ptxArithmetic(t, 64, unsigned, func(x uint64) uint64 { return x }, pairs64(20000))
	if got := device.PtxRem(int32(math.MinInt32), -1); got != 0 {
		t.Errorf("the least int32 rem -1 is %d", got)
	}
	if got := device.PtxDiv(int64(math.MinInt64), -1); got != math.MinInt64 {
		t.Errorf("the least int64 by -1 is %d", got)
	}
	if device.PtxRem(uint16(5), 0) != 0xffff || device.PtxRem(int64(5), 0) != -1 {
		t.Error("a remainder by zero has all bits set")
	}
	if device.PtxAbs(int16(-32768)) != -32768 || device.PtxAbs(int16(-7)) != 7 || device.PtxAbs(int32(7)) != 7 || device.PtxAbs(int64(math.MinInt64)) != math.MinInt64 {
		t.Error("PtxAbs")
	}
	if device.PtxNeg(int16(-32768)) != -32768 || device.PtxNeg(int16(-7)) != 7 || device.PtxNeg(int32(7)) != -7 || device.PtxNeg(int64(math.MinInt64)) != math.MinInt64 {
		t.Error("PtxNeg")
	}
	if device.PtxCnot(uint16(0)) != 1 || device.PtxCnot(uint32(0)) != 1 || device.PtxCnot(uint64(0)) != 1 ||
		device.PtxCnot(uint16(1)) != 0 || device.PtxCnot(uint32(1<<31)) != 0 || device.PtxCnot(uint64(1<<63)) != 0 {
		t.Error("PtxCnot")
	}
}

var (
	ptxNaN       = float32(math.NaN())
	ptxInf       = float32(math.Inf(1))
	ptxMinusZero = float32(math.Copysign(0, -1)) // -0
)

var ptxFloats = []float32{0, ptxMinusZero, 1, -1, 2, -2, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-127, math.MaxFloat32, -math.MaxFloat32, ptxInf, -ptxInf,
	ptxNaN, math.Float32frombits(0x7f800001), math.Float32frombits(0xffc12345), 0.1, -0.1, 1 + 0x1p-23}

// minReference is the semantics of min and max in the PTX ISA; zeros are ordered by a key on top.
func minReference(a, b float32, greatest, nan, xorsignAbs bool) uint32 {
	sign := math.Signbit(float64(a)) != math.Signbit(float64(b))
	if xorsignAbs {
		a, b = float32(math.Abs(float64(a))), float32(math.Abs(float64(b)))
	}
	na, nb := math.IsNaN(float64(a)), math.IsNaN(float64(b))
	var d float32
	switch {
	case na && nb || nan && (na || nb):
		return 0x7fffffff
	case na:
		d = b
	case nb:
		d = a
	default:
		// Go's math.Min and math.Max order zeros too.
		if greatest {
			d = float32(math.Max(float64(a), float64(b)))
		} else {
			d = float32(math.Min(float64(a), float64(b)))
		}
	}
	if xorsignAbs {
		d = float32(math.Abs(float64(d)))
		if sign {
			d = -d
		}
	}
	return math.Float32bits(d)
}

func TestPtxMinMax(t *testing.T) {
	check := func(a, b float32) {
		t.Helper()
		for _, c := range []struct {
			name                      string
			f                         func(a, b float32) float32
			greatest, nan, xorsignAbs bool
		}{
			{"PtxMinF32", device.PtxMinF32, false, false, false},
			{"PtxMaxF32", device.PtxMaxF32, true, false, false},
			{"PtxMinNaNF32", device.PtxMinNaNF32, false, true, false},
			{"PtxMaxNaNF32", device.PtxMaxNaNF32, true, true, false},
			{"PtxMinXorsignAbsF32", device.PtxMinXorsignAbsF32, false, false, true},
			{"PtxMaxXorsignAbsF32", device.PtxMaxXorsignAbsF32, true, false, true},
			{"PtxMinNaNXorsignAbsF32", device.PtxMinNaNXorsignAbsF32, false, true, true},
			{"PtxMaxNaNXorsignAbsF32", device.PtxMaxNaNXorsignAbsF32, true, true, true},
		} {
			if got, want := math.Float32bits(c.f(a, b)), minReference(a, b, c.greatest, c.nan, c.xorsignAbs); got != want {
				t.Fatalf("%s(%g, %g) = %#x, want %#x", c.name, a, b, got, want)
			}
		}
		if a != a && b != b {
			if x := device.PtxMinF64(float64(a), float64(b)); x == x {
				t.Fatalf("PtxMinF64(NaN, NaN) = %g", x)
			}
			if x := device.PtxMaxF64(float64(a), float64(b)); x == x {
				t.Fatalf("PtxMaxF64(NaN, NaN) = %g", x)
			}
			return
		}
		for _, c := range []struct {
			name     string
			f        func(a, b float64) float64
			greatest bool
		}{{"PtxMinF64", device.PtxMinF64, false}, {"PtxMaxF64", device.PtxMaxF64, true}} {
			want := float64(math.Float32frombits(minReference(a, b, c.greatest, false, false)))
			if got := c.f(float64(a), float64(b)); math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%s(%g, %g) = %g, want %g", c.name, a, b, got, want)
			}
		}
	}
	for _, a := range ptxFloats {
		for _, b := range ptxFloats {
			check(a, b)
		}
	}
	r := rand.New(rand.NewPCG(1, 9))
	for range 100000 {
		check(math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32()))
	}
}

// comparisons is the tables of comparison operators in the PTX ISA: the ordered ones are false with
// NaN, the unordered ones true.
var comparisons = []struct {
	name      string
	cmp       device.Cmp
	ordered   func(order int) bool // of -1, 0, 1
	unordered bool
}{
	{"eq", device.CmpEq, func(o int) bool { return o == 0 }, false},
	{"ne", device.CmpNe, func(o int) bool { return o != 0 }, false},
	{"lt", device.CmpLt, func(o int) bool { return o < 0 }, false},
	{"le", device.CmpLe, func(o int) bool { return o <= 0 }, false},
	{"gt", device.CmpGt, func(o int) bool { return o > 0 }, false},
	{"ge", device.CmpGe, func(o int) bool { return o >= 0 }, false},
	{"equ", device.CmpEqu, func(o int) bool { return o == 0 }, true},
	{"neu", device.CmpNeu, func(o int) bool { return o != 0 }, true},
	{"ltu", device.CmpLtu, func(o int) bool { return o < 0 }, true},
	{"leu", device.CmpLeu, func(o int) bool { return o <= 0 }, true},
	{"gtu", device.CmpGtu, func(o int) bool { return o > 0 }, true},
	{"geu", device.CmpGeu, func(o int) bool { return o >= 0 }, true},
	{"num", device.CmpNum, func(int) bool { return true }, false},
	{"nan", device.CmpNan, func(int) bool { return false }, true},
	{"lo", device.CmpLo, func(o int) bool { return o < 0 }, false},
	{"ls", device.CmpLs, func(o int) bool { return o <= 0 }, false},
	{"hi", device.CmpHi, func(o int) bool { return o > 0 }, false},
	{"hs", device.CmpHs, func(o int) bool { return o >= 0 }, false},
}

func TestPtxSet(t *testing.T) {
	for _, c := range comparisons {
		for _, a := range ptxFloats {
			for _, b := range ptxFloats {
				want := c.unordered
				if !math.IsNaN(float64(a)) && !math.IsNaN(float64(b)) {
					want = c.ordered(big.NewFloat(float64(a)).Cmp(big.NewFloat(float64(b))))
				}
				if got := device.PtxSetp(c.cmp, a, b); got != want {
					t.Errorf("setp.%s.f32 %g, %g = %v", c.name, a, b, got)
				}
				if got := device.PtxSetp(c.cmp, float64(a), float64(b)); got != want {
					t.Errorf("setp.%s.f64 %g, %g = %v", c.name, a, b, got)
				}
				u, i, f := device.PtxSet[uint32](c.cmp, a, b), device.PtxSet[int32](c.cmp, a, b), device.PtxSet[float32](c.cmp, a, b)
				if want && (u != 0xffffffff || i != -1 || f != 1) || !want && (u != 0 || i != 0 || math.Float32bits(f) != 0) {
					t.Errorf("set.%s %g, %g = %#x, %d, %g, want %v", c.name, a, b, u, i, f, want)
				}
			}
		}
		for _, x := range words32 {
			for _, y := range words32 {
				if got := device.PtxSetp(c.cmp, int32(x), int32(y)); got != c.ordered(big.NewInt(int64(int32(x))).Cmp(big.NewInt(int64(int32(y))))) {
					t.Errorf("setp.%s.s32 %#x, %#x = %v", c.name, x, y, got)
				}
				if got := device.PtxSetp(c.cmp, x, y); got != c.ordered(big.NewInt(int64(x)).Cmp(big.NewInt(int64(y)))) {
					t.Errorf("setp.%s.u32 %#x, %#x = %v", c.name, x, y, got)
				}
			}
		}
	}
}

func TestPtxSelect(t *testing.T) {
	if device.PtxSelp(1, 2, true) != 1 || device.PtxSelp(1, 2, false) != 2 {
		t.Error("PtxSelp")
	}
	for c, want := range map[int32]string{0: "a", 1: "a", -1: "b", math.MinInt32: "b", math.MaxInt32: "a"} {
		if got := device.PtxSlct("a", "b", c); got != want {
			t.Errorf("slct by %d is %s", c, got)
		}
	}
	for _, c := range ptxFloats {
		want := "b"
		if c > 0 || c == 0 { // NaN selects b, -0 selects a
			want = "a"
		}
		if got := device.PtxSlct("a", "b", c); got != want {
			t.Errorf("slct by %g is %s", c, got)
		}
	}
}

// bfeReference is the loop over bits of the PTX ISA.
func bfeReference(a uint64, b, c uint32, width int, signed bool) (d uint64) {
	msb, pos, length := width-1, int(b&0xff), int(c&0xff)
	bit := func(i int) uint64 { return a >> i & 1 }
	var sbit uint64
	if signed && length > 0 {
		sbit = bit(min(pos+length-1, msb))
	}
	for i := 0; i <= msb; i++ {
		v := sbit
		if i < length && pos+i <= msb {
			v = bit(pos + i)
		}
		d |= v << i
	}
	return d
}

func bfiReference(a, b uint64, c, d uint32, width int) uint64 {
	msb, pos, length := width-1, int(c&0xff), int(d&0xff)
	for i := 0; i < length && pos+i <= msb; i++ {
		b = b&^(1<<(pos+i)) | a>>i&1<<(pos+i)
	}
	return b
}

func TestPtxBitFields(t *testing.T) {
	var places []uint32
	for p := range uint32(70) {
		places = append(places, p)
	}
	places = append(places, 127, 128, 254, 255, 256, 257, 0x1ff, 0xffffffff)
	r := rand.New(rand.NewPCG(4, 4))
	for n := range 30 {
		a, b := r.Uint64(), r.Uint64()
		switch n {
		case 0:
			a, b = 0, math.MaxUint64
		case 1:
			a, b = math.MaxUint64, 0
		case 2:
			a = 1<<63 | 1<<31
		}
		for _, pos := range places {
			for _, length := range places {
				a32, b32 := uint32(a), uint32(b)
				for _, c := range []struct {
					name      string
					got, want uint64
				}{
					{"bfe.u32", uint64(device.PtxBfe(a32, pos, length)), bfeReference(uint64(a32), pos, length, 32, false)},
					{"bfe.s32", uint64(uint32(device.PtxBfe(int32(a32), pos, length))), bfeReference(uint64(a32), pos, length, 32, true)},
					{"bfe.u64", device.PtxBfe(a, pos, length), bfeReference(a, pos, length, 64, false)},
					{"bfe.s64", uint64(device.PtxBfe(int64(a), pos, length)), bfeReference(a, pos, length, 64, true)},
					{"bfi.b32", uint64(device.PtxBfi(a32, b32, pos, length)), bfiReference(uint64(a32), uint64(b32), pos, length, 32)},
					{"bfi.b64", device.PtxBfi(a, b, pos, length), bfiReference(a, b, pos, length, 64)},
				} {
					if c.got != c.want {
						t.Fatalf("%s of %#x, %#x at %d, %d bits = %#x, want %#x", c.name, a, b, pos, length, c.got, c.want)
					}
				}
			}
		}
	}
}

// The references are the pseudocode of the PTX ISA, bit by bit.
func TestPtxFindAndMask(t *testing.T) {
	bfind := func(x *big.Int) uint32 {
		if x.Sign() < 0 {
			x = new(big.Int).Not(x)
		}
		return uint32(x.BitLen() - 1)
	}
	bmsk := func(pos, count uint32) (d uint32) {
		for i := range uint64(32) {
			if i >= uint64(pos) && i < uint64(pos)+uint64(count) {
				d |= 1 << i
			}
		}
		return d
	}
	szext := func(a, count uint32, signed bool) uint32 {
		if count >= 32 {
			return a
		}
		if count == 0 {
			return 0
		}
		return uint32(lowBits(modulo(unsigned(uint64(a)), uint(count), signed), 32))
	}
	for x, y := range pairs32(3000) {
		if got, want := device.PtxBfind(x), bfind(unsigned(uint64(x))); got != want {
			t.Fatalf("bfind.u32 %#x = %d, want %d", x, got, want)
		}
		if got, want := device.PtxBfind(int32(x)), bfind(big.NewInt(int64(int32(x)))); got != want {
			t.Fatalf("bfind.s32 %#x = %d, want %d", x, got, want)
		}
		z := uint64(y)<<32 | uint64(x)
		if got, want := device.PtxBfind(z), bfind(unsigned(z)); got != want {
			t.Fatalf("bfind.u64 %#x = %d, want %d", z, got, want)
		}
		if got, want := device.PtxBfind(int64(z)), bfind(big.NewInt(int64(z))); got != want {
			t.Fatalf("bfind.s64 %#x = %d, want %d", z, got, want)
		}
		sext24 := func(x uint32) int64 { return int64(x&0x7fffff) - int64(x>>23&1)<<23 }
		if got, want := device.PtxMul24Hi(x, y), uint32(uint64(x&0xffffff)*uint64(y&0xffffff)>>16); got != want {
			t.Fatalf("mul24.hi.u32 %#x, %#x = %#x, want %#x", x, y, got, want)
		}
		if got, want := device.PtxMul24Hi(int32(x), int32(y)), int32(uint32(lowBits(big.NewInt(sext24(x)*sext24(y)), 48)>>16)); got != want {
			t.Fatalf("mul24.hi.s32 %#x, %#x = %#x, want %#x", x, y, got, want)
		}
		for _, n := range []uint32{0, 1, 7, 8, 31, 32, 33, 63, 64, 255, 0xffffffff, y % 40} {
			if got, want := device.PtxSzextClamp(x, n), szext(x, n, false); got != want {
				t.Fatalf("szext.clamp.u32 %#x, %d = %#x, want %#x", x, n, got, want)
			}
			if got, want := uint32(device.PtxSzextClamp(int32(x), n)), szext(x, n, true); got != want {
				t.Fatalf("szext.clamp.s32 %#x, %d = %#x, want %#x", x, n, got, want)
			}
			if got, want := device.PtxSzextWrap(x, n), szext(x, n%32, false); got != want {
				t.Fatalf("szext.wrap.u32 %#x, %d = %#x, want %#x", x, n, got, want)
			}
			if got, want := uint32(device.PtxSzextWrap(int32(x), n)), szext(x, n%32, true); got != want {
				t.Fatalf("szext.wrap.s32 %#x, %d = %#x, want %#x", x, n, got, want)
			}
		}
	}
	places := []uint32{32, 33, 63, 64, 255, 0x80000000, 0xffffffff}
	for p := range uint32(32) {
		places = append(places, p)
	}
	for _, pos := range places {
		for _, count := range places {
			if got, want := device.PtxBmskClamp(pos, count), bmsk(pos, count); got != want {
				t.Errorf("bmsk.clamp %d, %d = %#x, want %#x", pos, count, got, want)
			}
			if got, want := device.PtxBmskWrap(pos, count), bmsk(pos%32, count%32); got != want {
				t.Errorf("bmsk.wrap %d, %d = %#x, want %#x", pos, count, got, want)
			}
		}
	}
	if device.PtxBmskWrap(1, 2) != 6 { // the example of the PTX ISA
		t.Error("bmsk.wrap 1, 2 is 6")
	}
}

func TestPtxLop3(t *testing.T) {
	// The examples of the PTX ISA: the table is the function of three constants.
	a, b, c := uint32(0xdeadbeef), uint32(0x12345678), uint32(0x0ff0a5a5)
	for lut, want := range map[uint8]uint32{0x80: a & b & c, 0xfe: a | b | c, 0x40: a & b &^ c, 0x1a: (a&b | c) ^ a, 0x96: a ^ b ^ c, 0: 0, 0xff: math.MaxUint32} {
		if got := device.PtxLop3(a, b, c, lut); got != want {
			t.Errorf("lop3 %#x = %#x, want %#x", lut, got, want)
		}
	}
	for lut := range 256 {
		var want uint32
		for i := range 32 {
			want |= uint32(lut>>(a>>i&1<<2|b>>i&1<<1|c>>i&1)&1) << i
		}
		if got := device.PtxLop3(a, b, c, uint8(lut)); got != want {
			t.Errorf("lop3 %#x = %#x, want %#x", lut, got, want)
		}
	}
}

func TestPtxPrmt(t *testing.T) {
	bytes := [8]uint32{0x80, 0x01, 0xff, 0x7f, 0x84, 0x05, 0xc6, 0x07}
	var a, b uint32
	for i := range 4 {
		a |= bytes[i] << (8 * i)
		b |= bytes[4+i] << (8 * i)
	}
	for s := range uint32(1 << 16) {
		got := device.PtxPrmt(a, b, s|0x50000)
		for i := range 4 {
			nibble := s >> (4 * i) & 15
			want := bytes[nibble&7]
			if nibble >= 8 {
				want = []uint32{0, 0xff}[want>>7]
			}
			if got>>(8*i)&0xff != want {
				t.Fatalf("prmt %#x = %#x, byte %d should be %#x", s, got, i, want)
			}
		}
	}
	// The table of modes in the PTX ISA: the source of the bytes of the result, the highest first,
	// for c = 0 to 3.
	for _, m := range []struct {
		name string
		f    func(a, b, c uint32) uint32
		from [4]string
	}{
		{"f4e", device.PtxPrmtF4e, [4]string{"3210", "4321", "5432", "6543"}},
		{"b4e", device.PtxPrmtB4e, [4]string{"5670", "6701", "7012", "0123"}},
		{"rc8", device.PtxPrmtRc8, [4]string{"0000", "1111", "2222", "3333"}},
		{"ecl", device.PtxPrmtEcl, [4]string{"3210", "3211", "3222", "3333"}},
		{"ecr", device.PtxPrmtEcr, [4]string{"0000", "1110", "2210", "3210"}},
		{"rc16", device.PtxPrmtRc16, [4]string{"1010", "3232", "1010", "3232"}},
	} {
		for c, from := range m.from {
			var want uint32
			for _, digit := range from {
				want = want<<8 | bytes[digit-'0']
			}
			for _, c := range []uint32{uint32(c), uint32(c) + 4, uint32(c) + 0xfffffff0} {
				if got := m.f(a, b, c); got != want {
					t.Errorf("prmt.%s by %d = %#x, want %#x", m.name, c, got, want)
				}
			}
		}
	}
}

func TestDotProducts(t *testing.T) {
	lane := func(x uint32, bits, i int, signed bool) int64 {
		v := int64(x>>(bits*i)) & (1<<bits - 1)
		if signed && v >= 1<<(bits-1) {
			v -= 1 << bits
		}
		return v
	}
	for a, b := range pairs32(20000) {
		for _, c := range []uint32{0, 0x7fffffff, 0xffffffff} {
			for k := range 4 {
				sa, sb := k&1 != 0, k&2 != 0
				four, lo, hi := int64(c), int64(c), int64(c)
				for i := range 4 {
					four += lane(a, 8, i, sa) * lane(b, 8, i, sb)
				}
				for i := range 2 {
					lo += lane(a, 16, i, sa) * lane(b, 8, i, sb)
					hi += lane(a, 16, i, sa) * lane(b, 8, 2+i, sb)
				}
				var got [3]uint32
				switch k {
				case 0:
					got = [3]uint32{device.Dp4a(a, b, c), device.Dp2aLo(a, b, c), device.Dp2aHi(a, b, c)}
				case 1:
					a := int32(a)
					got = [3]uint32{uint32(device.Dp4a(a, b, int32(c))), uint32(device.Dp2aLo(a, b, int32(c))), uint32(device.Dp2aHi(a, b, int32(c)))}
				case 2:
					b := int32(b)
					got = [3]uint32{uint32(device.Dp4a(a, b, int32(c))), uint32(device.Dp2aLo(a, b, int32(c))), uint32(device.Dp2aHi(a, b, int32(c)))}
				case 3:
					a, b := int32(a), int32(b)
					got = [3]uint32{uint32(device.Dp4a(a, b, int32(c))), uint32(device.Dp2aLo(a, b, int32(c))), uint32(device.Dp2aHi(a, b, int32(c)))}
				}
				if want := [3]uint32{uint32(four), uint32(lo), uint32(hi)}; got != want {
					t.Fatalf("dp4a, dp2a.lo, dp2a.hi of %#x, %#x, %#x, signed %v, %v = %#x, want %#x", a, b, c, sa, sb, got, want)
				}
			}
		}
	}
}

func ExamplePtxBfe() {
	x := uint32(0xabcd)
	fmt.Printf("%#x %d\n", device.PtxBfe(x, 4, 8), device.PtxBfe(int32(x), 4, 8))
	// Output: 0xbc -68
}

func ExamplePtxSet() {
	nan := float32(math.NaN())
	fmt.Printf("%#x %#x %g\n", device.PtxSet[uint32](device.CmpLt, nan, 1), device.PtxSet[uint32](device.CmpLtu, nan, 1), device.PtxSet[float32](device.CmpLe, 1, 1.0))
	// Output: 0x0 0xffffffff 1
}

func ExampleDp4a() {
	// 1*5 + 2*6 + 3*7 + 4*8 + 100.
	fmt.Println(device.Dp4a(uint32(0x04030201), uint32(0x08070605), uint32(100)))
	// -0xf8f9fb has the bytes ff 07 06 05, and as an int32 the first is -1: 1*5 + 2*6 + 3*7 - 4 + 100.
	fmt.Println(device.Dp4a(int32(0x04030201), int32(-0xf8f9fb), int32(100)))
	// Output:
	// 170
	// 134
}
