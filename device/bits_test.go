package device_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// counts finds the results of Clz, Ffs, Popc and Brev in the digits of x.
func counts(x uint64, width int) (clz, ffs, popc int, brev uint64) {
	s := strconv.FormatUint(x, 2)
	s = strings.Repeat("0", width-len(s)) + s
	clz = strings.Index(s, "1")
	if clz < 0 {
		clz = width
	}
	if at := strings.LastIndex(s, "1"); at >= 0 {
		ffs = width - at
	}
	r := make([]byte, width)
	for i := range width {
		r[width-1-i] = s[i]
	}
	brev, _ = strconv.ParseUint(string(r), 2, 64)
	return clz, ffs, strings.Count(s, "1"), brev
}

func TestExhaustiveBits(t *testing.T) {
	all32(t, 10007, func(x uint32) bool {
		clz, ffs, popc, brev := counts(uint64(x), 32)
		if int(device.Clz(x)) != clz || int(device.Ffs(x)) != ffs || int(device.Popc(x)) != popc || uint64(device.Brev(x)) != brev {
			t.Errorf("%#x: Clz %d, Ffs %d, Popc %d, Brev %#x, want %d, %d, %d, %#x", x, device.Clz(x), device.Ffs(x), device.Popc(x), device.Brev(x), clz, ffs, popc, brev)
			return false
		}
		return true
	})
}

func TestBits64(t *testing.T) {
	for x := range pairs64(20000) {
		clz, ffs, popc, brev := counts(x, 64)
		if int(device.Clzll(x)) != clz || int(device.Ffsll(x)) != ffs || int(device.Popcll(x)) != popc || device.Brevll(x) != brev {
			t.Fatalf("%#x: Clzll %d, Ffsll %d, Popcll %d, Brevll %#x, want %d, %d, %d, %#x", x, device.Clzll(x), device.Ffsll(x), device.Popcll(x), device.Brevll(x), clz, ffs, popc, brev)
		}
	}
}

func TestBytePerm(t *testing.T) {
	for s := range uint32(1 << 16) {
		const x, y = 0x83828180, 0x87868584
		got := device.BytePerm(x, y, s|0xabcd0000)
		for i := range 4 {
			// Byte k of the sources has the value 0x80+k.
			if want := 0x80 + s>>(4*i)%8; got>>(8*i)%256 != want {
				t.Fatalf("selector %#x: %#x, byte %d should be %#x", s, got, i, want)
			}
		}
	}
}

// fnsReference walks from bit to bit, as PTX describes fns.
func fnsReference(mask, base uint32, n int32) uint32 {
	if base > 31 {
		return math.MaxUint32
	}
	bit := func(p int) bool { return mask>>p&1 == 1 }
	if n == 0 {
		if bit(int(base)) {
			return base
		}
		return math.MaxUint32
	}
	step, left := 1, int64(n)
	if n < 0 {
		step, left = -1, -left
	}
	for p := int(base); p >= 0 && p < 32; p += step {
		if bit(p) {
			if left--; left == 0 {
				return uint32(p)
			}
		}
	}
	return math.MaxUint32
}

func TestFns(t *testing.T) {
	// The examples of the PTX ISA.
	for _, c := range []struct {
		base uint32
		n    int32
		want uint32
	}{{3, 1, 3}, {3, -1, 3}, {2, 1, 3}, {2, -1, 1}} {
		if got := device.Fns(0xaaaaaaaa, c.base, c.n); got != c.want {
			t.Errorf("Fns(0xaaaaaaaa, %d, %d) = %d, want %d", c.base, c.n, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 4000 {
		mask := r.Uint32()
		if i < len(words32) {
			mask = words32[i]
		}
		for base := range uint32(34) {
			for _, n := range []int32{0, 1, -1, 2, -2, 3, -3, 15, -16, 31, -31, 32, -32, 33, -33, math.MaxInt32, math.MinInt32, int32(r.IntN(33)), -int32(r.IntN(33))} {
				if got, want := device.Fns(mask, base, n), fnsReference(mask, base, n); got != want {
					t.Fatalf("Fns(%#x, %d, %d) = %d, want %d", mask, base, n, got, want)
				}
			}
		}
	}
}

func TestFunnelshift(t *testing.T) {
	for lo, hi := range pairs32(2000) {
		v := unsigned(uint64(hi))
		v.Add(v.Lsh(v, 32), unsigned(uint64(lo)))
		for shift := range uint32(70) {
			if shift == 69 {
				shift = math.MaxUint32
			}
			left := func(n uint32) uint32 {
				return uint32(new(big.Int).Rsh(unsigned(lowBits(new(big.Int).Lsh(v, uint(n)), 64)), 32).Uint64())
			}
			right := func(n uint32) uint32 { return uint32(lowBits(new(big.Int).Rsh(v, uint(n)), 32)) }
			for _, c := range []struct {
				name      string
				got, want uint32
			}{
				{"L", device.FunnelshiftL(lo, hi, shift), left(shift % 32)},
				{"LC", device.FunnelshiftLC(lo, hi, shift), left(min(shift, 32))},
				{"R", device.FunnelshiftR(lo, hi, shift), right(shift % 32)},
				{"RC", device.FunnelshiftRC(lo, hi, shift), right(min(shift, 32))},
			} {
				if c.got != c.want {
					t.Fatalf("Funnelshift%s(%#x, %#x, %d) = %#x, want %#x", c.name, lo, hi, shift, c.got, c.want)
				}
			}
		}
	}
}

// A cast keeps the bits, also those of signaling NaN. math.Float32frombits is the independent way
// here; what is checked is which half goes where.
func TestCasts(t *testing.T) {
	for _, x := range words32 {
		if f := device.UintAsFloat(x); math.Float32bits(f) != x || device.FloatAsUint(f) != x || device.FloatAsInt(f) != int32(x) || math.Float32bits(device.IntAsFloat(int32(x))) != x {
			t.Errorf("%#x becomes %#x", x, math.Float32bits(f))
		}
		for _, y := range words32 {
			f := device.Hiloint2Double(int32(x), int32(y))
			if bits := uint64(x)*(1<<32) + uint64(y); math.Float64bits(f) != bits || uint64(device.DoubleAsLonglong(f)) != bits ||
				math.Float64bits(device.LonglongAsDouble(int64(bits))) != bits {
				t.Fatalf("%#x:%#x becomes %#x", x, y, math.Float64bits(f))
			}
			if device.Double2Hiint(f) != int32(x) || device.Double2Loint(f) != int32(y) {
				t.Fatalf("the halves of %#x:%#x", x, y)
			}
		}
	}
	if device.FloatAsUint(1) != 0x3f800000 || device.Double2Hiint(-1) != -0x40100000 {
		t.Error("IEEE 754 has 1 as 3f800000 and -1 as bff00000 00000000")
	}
}

func ExampleFunnelshiftL() {
	fmt.Printf("%#x\n", device.FunnelshiftL(0x89abcdef, 0x01234567, 8))
	fmt.Printf("%#x\n", device.FunnelshiftL(0x12345678, 0x12345678, 8)) // a rotation
	// Output:
	// 0x23456789
	// 0x34567812
}

func ExampleBytePerm() {
	fmt.Printf("%#x\n", device.BytePerm(0x12345678, 0, 0x0123)) // the other order of bytes
	// Output: 0x78563412
}
