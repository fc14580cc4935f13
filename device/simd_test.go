package device_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// A simdCase is an intrinsic, with what it does to one part: a and b are its numbers with or
// without sign, min and max the ends of their range. all is the word as it should be for a
// comparison.
type simdCase struct {
	name   string
	half   func(a, b uint32) uint32
	byte   func(a, b uint32) uint32
	signed bool
	part   func(a, b, min, max int64) int64
}

func clampInt(x, lo, hi int64) int64 { return min(max(x, lo), hi) }

func absInt(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

func ofOne(f func(a uint32) uint32) func(a, b uint32) uint32 {
	return func(a, _ uint32) uint32 { return f(a) }
}

var simdCases = []simdCase{
	{"Vabs", ofOne(device.Vabs2), ofOne(device.Vabs4), true, func(a, b, lo, hi int64) int64 { return absInt(a) }},
	{"Vabsss", ofOne(device.Vabsss2), ofOne(device.Vabsss4), true, func(a, b, lo, hi int64) int64 { return clampInt(absInt(a), lo, hi) }},
	{"Vneg", ofOne(device.Vneg2), ofOne(device.Vneg4), true, func(a, b, lo, hi int64) int64 { return -a }},
	{"Vnegss", ofOne(device.Vnegss2), ofOne(device.Vnegss4), true, func(a, b, lo, hi int64) int64 { return clampInt(-a, lo, hi) }},
	{"Vadd", device.Vadd2, device.Vadd4, false, func(a, b, lo, hi int64) int64 { return a + b }},
	{"Vaddss", device.Vaddss2, device.Vaddss4, true, func(a, b, lo, hi int64) int64 { return clampInt(a+b, lo, hi) }},
	{"Vaddus", device.Vaddus2, device.Vaddus4, false, func(a, b, lo, hi int64) int64 { return clampInt(a+b, lo, hi) }},
	{"Vsub", device.Vsub2, device.Vsub4, false, func(a, b, lo, hi int64) int64 { return a - b }},
	{"Vsubss", device.Vsubss2, device.Vsubss4, true, func(a, b, lo, hi int64) int64 { return clampInt(a-b, lo, hi) }},
	{"Vsubus", device.Vsubus2, device.Vsubus4, false, func(a, b, lo, hi int64) int64 { return clampInt(a-b, lo, hi) }},
	{"Vabsdiffs", device.Vabsdiffs2, device.Vabsdiffs4, true, func(a, b, lo, hi int64) int64 { return absInt(a - b) }},
	{"Vabsdiffu", device.Vabsdiffu2, device.Vabsdiffu4, false, func(a, b, lo, hi int64) int64 { return absInt(a - b) }},
	{"Vavgs", device.Vavgs2, device.Vavgs4, true, func(a, b, lo, hi int64) int64 {
		// math.Round rounds halves away from zero.
		return int64(math.Round(float64(a+b) / 2))
	}},
	{"Vavgu", device.Vavgu2, device.Vavgu4, false, func(a, b, lo, hi int64) int64 { return (a + b + 1) / 2 }},
	{"Vhaddu", device.Vhaddu2, device.Vhaddu4, false, func(a, b, lo, hi int64) int64 { return (a + b) / 2 }},
	{"Vmaxs", device.Vmaxs2, device.Vmaxs4, true, func(a, b, lo, hi int64) int64 { return max(a, b) }},
	{"Vmaxu", device.Vmaxu2, device.Vmaxu4, false, func(a, b, lo, hi int64) int64 { return max(a, b) }},
	{"Vmins", device.Vmins2, device.Vmins4, true, func(a, b, lo, hi int64) int64 { return min(a, b) }},
	{"Vminu", device.Vminu2, device.Vminu4, false, func(a, b, lo, hi int64) int64 { return min(a, b) }},
	{"Vcmpeq", device.Vcmpeq2, device.Vcmpeq4, false, func(a, b, lo, hi int64) int64 { return allBits(a == b) }},
	{"Vcmpne", device.Vcmpne2, device.Vcmpne4, false, func(a, b, lo, hi int64) int64 { return allBits(a != b) }},
	{"Vcmplts", device.Vcmplts2, device.Vcmplts4, true, func(a, b, lo, hi int64) int64 { return allBits(a < b) }},
	{"Vcmples", device.Vcmples2, device.Vcmples4, true, func(a, b, lo, hi int64) int64 { return allBits(a <= b) }},
	{"Vcmpgts", device.Vcmpgts2, device.Vcmpgts4, true, func(a, b, lo, hi int64) int64 { return allBits(a > b) }},
	{"Vcmpges", device.Vcmpges2, device.Vcmpges4, true, func(a, b, lo, hi int64) int64 { return allBits(a >= b) }},
	{"Vcmpltu", device.Vcmpltu2, device.Vcmpltu4, false, func(a, b, lo, hi int64) int64 { return allBits(a < b) }},
	{"Vcmpleu", device.Vcmpleu2, device.Vcmpleu4, false, func(a, b, lo, hi int64) int64 { return allBits(a <= b) }},
	{"Vcmpgtu", device.Vcmpgtu2, device.Vcmpgtu4, false, func(a, b, lo, hi int64) int64 { return allBits(a > b) }},
	{"Vcmpgeu", device.Vcmpgeu2, device.Vcmpgeu4, false, func(a, b, lo, hi int64) int64 { return allBits(a >= b) }},
	{"Vseteq", device.Vseteq2, device.Vseteq4, false, func(a, b, lo, hi int64) int64 { return -allBits(a == b) }},
	{"Vsetne", device.Vsetne2, device.Vsetne4, false, func(a, b, lo, hi int64) int64 { return -allBits(a != b) }},
	{"Vsetlts", device.Vsetlts2, device.Vsetlts4, true, func(a, b, lo, hi int64) int64 { return -allBits(a < b) }},
	{"Vsetles", device.Vsetles2, device.Vsetles4, true, func(a, b, lo, hi int64) int64 { return -allBits(a <= b) }},
	{"Vsetgts", device.Vsetgts2, device.Vsetgts4, true, func(a, b, lo, hi int64) int64 { return -allBits(a > b) }},
	{"Vsetges", device.Vsetges2, device.Vsetges4, true, func(a, b, lo, hi int64) int64 { return -allBits(a >= b) }},
	{"Vsetltu", device.Vsetltu2, device.Vsetltu4, false, func(a, b, lo, hi int64) int64 { return -allBits(a < b) }},
	{"Vsetleu", device.Vsetleu2, device.Vsetleu4, false, func(a, b, lo, hi int64) int64 { return -allBits(a <= b) }},
	{"Vsetgtu", device.Vsetgtu2, device.Vsetgtu4, false, func(a, b, lo, hi int64) int64 { return -allBits(a > b) }},
	{"Vsetgeu", device.Vsetgeu2, device.Vsetgeu4, false, func(a, b, lo, hi int64) int64 { return -allBits(a >= b) }},
}

// allBits is all bits, or none.
func allBits(c bool) int64 {
	if c {
		return -1
	}
	return 0
}

// partsOf takes a word apart, the lowest first.
func partsOf(x uint32, bits int, signed bool) []int64 {
	var p []int64
	for i := 0; i < 32; i += bits {
		v := int64(x) >> i & (1<<bits - 1)
		if signed && v >= 1<<(bits-1) {
			v -= 1 << bits
		}
		p = append(p, v)
	}
	return p
}

func rangeOf(bits int, signed bool) (lo, hi int64) {
	if signed {
		return -1 << (bits - 1), 1<<(bits-1) - 1
	}
	return 0, 1<<bits - 1
}

// expect checks one word against its parts.
func (c *simdCase) expect(t *testing.T, bits int, f func(a, b uint32) uint32, a, b uint32) {
	lo, hi := rangeOf(bits, c.signed)
	var want uint32
	for i, x := 0, 0; i < 32; i, x = i+bits, x+1 {
		pa, pb := int64(a>>i)&(1<<bits-1), int64(b>>i)&(1<<bits-1)
		if c.signed {
			pa, pb = pa-pa>>(bits-1)<<bits, pb-pb>>(bits-1)<<bits
		}
		want |= uint32(c.part(pa, pb, lo, hi)) & (1<<bits - 1) << i
	}
	if got := f(a, b); got != want {
		t.Fatalf("%s%d(%#08x, %#08x) = %#08x, want %#08x", c.name, 32/bits, a, b, got, want)
	}
}

// All pairs of bytes, in all four places beside others; and all pairs of halves of which one is
// special.
func TestSimdIntrinsics(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, c := range simdCases {
		for p := range 256 * 256 {
			if testing.Short() && p%7 != 0 {
				continue
			}
			a, b := r.Uint32(), r.Uint32()
			at := 8 * (p % 4)
			a, b = a&^(255<<at)|uint32(p&255)<<at, b&^(255<<at)|uint32(p>>8)<<at
			c.expect(t, 8, c.byte, a, b)
		}
		for x, y := range pairs32(20000) {
			c.expect(t, 8, c.byte, x, y)
			c.expect(t, 16, c.half, x, y)
		}
		for x := range uint32(1 << 16) {
			y := []uint32{0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, x, -x & 0xffff, ^x & 0xffff, x ^ 1}[x/7%10]
			c.expect(t, 16, c.half, x|y<<16, y|x<<16)
		}
	}
}

func TestSimdSums(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      func(a, b uint32) uint32
		bits   int
		signed bool
	}{
		{"Vsads2", device.Vsads2, 16, true}, {"Vsads4", device.Vsads4, 8, true},
		{"Vsadu2", device.Vsadu2, 16, false}, {"Vsadu4", device.Vsadu4, 8, false},
	} {
		for a, b := range pairs32(50000) {
			want := int64(0)
			pb := partsOf(b, c.bits, c.signed)
			for i, x := range partsOf(a, c.bits, c.signed) {
				want += absInt(x - pb[i])
			}
			if got := c.f(a, b); got != uint32(want) {
				t.Fatalf("%s(%#x, %#x) = %d, want %d", c.name, a, b, got, want)
			}
		}
	}
}

// A dpxCase is a function of CUDA's DPX list: fold combines parts, relu raises to 0.
func TestDpx(t *testing.T) {
	type fn3 = func(a, b, c uint32) uint32
	s := func(f func(a, b, c int32) int32) fn3 {
		return func(a, b, c uint32) uint32 { return uint32(f(int32(a), int32(b), int32(c))) }
	}
	s2 := func(f func(a, b int32) int32) fn3 {
		return func(a, b, c uint32) uint32 { return uint32(f(int32(a), int32(b))) }
	}
	u2 := func(f func(a, b uint32) uint32) fn3 { return func(a, b, c uint32) uint32 { return f(a, b) } }
	for name, f := range map[string]fn3{
		"viaddmax_s32": s(device.ViaddmaxS32), "viaddmax_s32_relu": s(device.ViaddmaxS32Relu), "viaddmax_u32": device.ViaddmaxU32,
		"viaddmin_s32": s(device.ViaddminS32), "viaddmin_s32_relu": s(device.ViaddminS32Relu), "viaddmin_u32": device.ViaddminU32,
		"viaddmax_s16x2": device.ViaddmaxS16x2, "viaddmax_s16x2_relu": device.ViaddmaxS16x2Relu, "viaddmax_u16x2": device.ViaddmaxU16x2,
		"viaddmin_s16x2": device.ViaddminS16x2, "viaddmin_s16x2_relu": device.ViaddminS16x2Relu, "viaddmin_u16x2": device.ViaddminU16x2,
		"vimax3_s32": s(device.Vimax3S32), "vimax3_s32_relu": s(device.Vimax3S32Relu), "vimax3_u32": device.Vimax3U32,
		"vimin3_s32": s(device.Vimin3S32), "vimin3_s32_relu": s(device.Vimin3S32Relu), "vimin3_u32": device.Vimin3U32,
		"vimax3_s16x2": device.Vimax3S16x2, "vimax3_s16x2_relu": device.Vimax3S16x2Relu, "vimax3_u16x2": device.Vimax3U16x2,
		"vimin3_s16x2": device.Vimin3S16x2, "vimin3_s16x2_relu": device.Vimin3S16x2Relu, "vimin3_u16x2": device.Vimin3U16x2,
		"vimax_s32_relu": s2(device.VimaxS32Relu), "vimin_s32_relu": s2(device.ViminS32Relu),
		"vimax_s16x2_relu": u2(device.VimaxS16x2Relu), "vimin_s16x2_relu": u2(device.ViminS16x2Relu),
	} {
		bits, signed := 32, strings.Contains(name, "_s")
		if strings.Contains(name, "16x2") {
			bits = 16
		}
		for a, b := range pairs32(3000) {
			for _, c := range []uint32{0, 1, a, 0x80007fff, 0x7fff8000, 0x80000000, 0x7fffffff, 0xffffffff} {
				pa, pb, pc := partsOf(a, bits, signed), partsOf(b, bits, signed), partsOf(c, bits, signed)
				var want uint32
				for i := range pa {
					// What wraps around is the sum, before anything is compared.
					xs := []int64{pa[i], pb[i], pc[i]}
					if strings.HasPrefix(name, "viadd") {
						xs = []int64{partsOf(uint32(pa[i]+pb[i]), bits, signed)[0], pc[i]}
					} else if !strings.Contains(name, "3_") {
						xs = xs[:2]
					}
					v := xs[0]
					for _, x := range xs {
						if strings.Contains(name, "max") {
							v = max(v, x)
						} else {
							v = min(v, x)
						}
					}
					if strings.HasSuffix(name, "relu") {
						v = max(v, 0)
					}
					want |= uint32(v) & (1<<bits - 1) << (bits * i)
				}
				if got := f(a, b, c); got != want {
					t.Fatalf("__%s(%#x, %#x, %#x) = %#x, want %#x", name, a, b, c, got, want)
				}
			}
		}
	}
	for a, b := range pairs32(20000) {
		sa, sb := int32(a), int32(b)
		if m, p := device.VibmaxS32(sa, sb); m != max(sa, sb) || p != (sa >= sb) {
			t.Fatalf("VibmaxS32(%d, %d) = %d, %v", sa, sb, m, p)
		}
		if m, p := device.VibminS32(sa, sb); m != min(sa, sb) || p != (sa <= sb) {
			t.Fatalf("VibminS32(%d, %d) = %d, %v", sa, sb, m, p)
		}
		if m, p := device.VibmaxU32(a, b); m != max(a, b) || p != (a >= b) {
			t.Fatalf("VibmaxU32(%d, %d) = %d, %v", a, b, m, p)
		}
		if m, p := device.VibminU32(a, b); m != min(a, b) || p != (a <= b) {
			t.Fatalf("VibminU32(%d, %d) = %d, %v", a, b, m, p)
		}
		for k, f := range []func(a, b uint32) (uint32, bool, bool){device.VibmaxU16x2, device.VibminU16x2, device.VibmaxS16x2, device.VibminS16x2} {
			pa, pb := partsOf(a, 16, k >= 2), partsOf(b, 16, k >= 2)
			var want [2]int64
			var chosen [2]bool
			for i := range pa {
				if k%2 == 0 {
					want[i], chosen[i] = max(pa[i], pb[i]), pa[i] >= pb[i]
				} else {
					want[i], chosen[i] = min(pa[i], pb[i]), pa[i] <= pb[i]
				}
			}
			m, hi, lo := f(a, b)
			if !reflect.DeepEqual(partsOf(m, 16, k >= 2), want[:]) || lo != chosen[0] || hi != chosen[1] {
				t.Fatalf("case %d, %#x, %#x: %#x, %v, %v", k, a, b, m, hi, lo)
			}
		}
	}
}

func ExampleVaddus4() {
	// Brighter by 16, and white stays white.
	fmt.Printf("%#08x\n", device.Vaddus4(0x00f0ff80, 0x10101010))
	// Output: 0x10ffff90
}

func ExampleVsadu4() {
	fmt.Println(device.Vsadu4(0x01020304, 0x04030201)) // 3 + 1 + 1 + 3
	// Output: 8
}

// Beside the intrinsics stands a loop over bytes.
func BenchmarkSimd(b *testing.B) {
	x, y := make([]uint32, 4096), make([]uint32, 4096)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range x {
		x[i], y[i] = r.Uint32(), r.Uint32()
	}
	run := func(name string, f func(a, b uint32) uint32) {
		b.Run("func="+name, func(b *testing.B) {
			b.SetBytes(8 * 4096)
			sum := uint32(0)
			for b.Loop() {
				for i := range x {
					sum += f(x[i], y[i])
				}
			}
			if sum == 1 {
				b.Log(sum)
			}
		})
	}
	run("Vaddus4", device.Vaddus4)
	run("Vaddus4/bytes", func(a, b uint32) (d uint32) {
		for i := 0; i < 32; i += 8 {
			d |= min(a>>i&255+b>>i&255, 255) << i
		}
		return d
	})
	run("Vsads4", device.Vsads4)
	run("Vsads4/bytes", func(a, b uint32) (d uint32) {
		for i := 0; i < 32; i += 8 {
			d += uint32(absInt(int64(int8(a>>i)) - int64(int8(b>>i))))
		}
		return d
	})
}
