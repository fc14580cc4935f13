package device_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// words32 are words where something may go wrong: ends of all lengths of integers, and single bits.
var words32 = func() []uint32 {
	w := []uint32{0, 1, 2, 3, 5, 7, 0x7f, 0x80, 0x81, 0xff, 0x100, 0x7fff, 0x8000, 0x8001, 0xffff, 0x10000, 0x7fffff, 0x800000,
		0xffffff, 0x1000000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x80007fff,
		0x12345678, 0xdeadbeef, 0x00ff00ff, 0xff00ff00}
	for b := range 32 {
		w = append(w, 1<<b)
	}
	return w
}()

// words are n pairs of words: all pairs of words32, then random ones with many equal, close and
// extreme bytes.
func pairs32(n int) func(func(x, y uint32) bool) {
	return func(yield func(x, y uint32) bool) {
		for _, x := range words32 {
			for _, y := range words32 {
				if !yield(x, y) {
					return
				}
			}
		}
		r := rand.New(rand.NewPCG(3, 5))
		odd := func() uint32 {
			x := r.Uint32()
			for b := range 4 {
				if r.IntN(3) == 0 {
					x = x&^(0xff<<(8*b)) | []uint32{0, 1, 0x7f, 0x80, 0x81, 0xff}[r.IntN(6)]<<(8*b)
				}
			}
			return x
		}
		for range n {
			x, y := odd(), odd()
			if r.IntN(4) == 0 {
				y = x ^ 1<<r.IntN(32)
			}
			if !yield(x, y) {
				return
			}
		}
	}
}

// pairs64 is the same for 64 bits.
func pairs64(n int) func(func(x, y uint64) bool) {
	return func(yield func(x, y uint64) bool) {
		var w []uint64
		for _, x := range words32 {
			w = append(w, uint64(x), uint64(x)<<32, uint64(x)<<32|0xffffffff, ^uint64(x))
		}
		for _, x := range w {
			for _, y := range w {
				if !yield(x, y) {
					return
				}
			}
		}
		r := rand.New(rand.NewPCG(7, 11))
		for range n {
			if !yield(r.Uint64()>>r.IntN(64), r.Uint64()>>r.IntN(64)) {
				return
			}
		}
	}
}

// lowBits returns x modulo 2^bits, as big numbers have it: never negative.
func lowBits(x *big.Int, bits uint) uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), bits)
	return new(big.Int).Mod(x, m).Uint64()
}

func unsigned(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

func TestIntegerProducts(t *testing.T) {
	// sext24 reads 24 bits with their sign as a sum of powers of two, the top one negative.
	sext24 := func(x uint32) int64 { return int64(x&0x7fffff) - int64(x>>23&1)<<23 }
	for x, y := range pairs32(100000) {
		sx, sy := int32(x), int32(y)
		if got, want := device.Mul24(sx, sy), int32(uint32(uint64(sext24(x)*sext24(y)))); got != want {
			t.Fatalf("Mul24(%#x, %#x) = %#x, want %#x", x, y, got, want)
		}
		if got, want := device.Umul24(x, y), uint32(uint64(x%(1<<24))*uint64(y%(1<<24))%(1<<32)); got != want {
			t.Fatalf("Umul24(%#x, %#x) = %#x, want %#x", x, y, got, want)
		}
		s := new(big.Int).Mul(big.NewInt(int64(sx)), big.NewInt(int64(sy)))
		if got, want := device.Mulhi(sx, sy), new(big.Int).Rsh(s, 32); int64(got) != want.Int64() {
			t.Fatalf("Mulhi(%d, %d) = %d, want %d", sx, sy, got, want)
		}
		u := new(big.Int).Mul(unsigned(uint64(x)), unsigned(uint64(y)))
		if got, want := device.Umulhi(x, y), u.Rsh(u, 32); uint64(got) != want.Uint64() {
			t.Fatalf("Umulhi(%d, %d) = %d, want %d", x, y, got, want)
		}
	}
	for x, y := range pairs64(100000) {
		s := new(big.Int).Mul(big.NewInt(int64(x)), big.NewInt(int64(y)))
		if got, want := device.Mul64hi(int64(x), int64(y)), s.Rsh(s, 64); got != want.Int64() {
			t.Fatalf("Mul64hi(%d, %d) = %d, want %d", int64(x), int64(y), got, want)
		}
		u := new(big.Int).Mul(unsigned(x), unsigned(y))
		if got, want := device.Umul64hi(x, y), u.Rsh(u, 64); got != want.Uint64() {
			t.Fatalf("Umul64hi(%d, %d) = %d, want %d", x, y, got, want)
		}
	}
}

func TestIntegerDistances(t *testing.T) {
	distance := func(x, y, z *big.Int, bits uint) uint64 {
		d := new(big.Int).Sub(x, y)
		return lowBits(d.Add(d.Abs(d), z), bits)
	}
	for x, y := range pairs32(50000) {
		for _, z := range []uint32{0, 1, x, 0xffffffff} {
			want := distance(big.NewInt(int64(int32(x))), big.NewInt(int64(int32(y))), unsigned(uint64(z)), 32)
			if got := device.Sad(int32(x), int32(y), z); uint64(got) != want {
				t.Fatalf("Sad(%d, %d, %d) = %d, want %d", int32(x), int32(y), z, got, want)
			}
			want = distance(unsigned(uint64(x)), unsigned(uint64(y)), unsigned(uint64(z)), 32)
			if got := device.Usad(x, y, z); uint64(got) != want {
				t.Fatalf("Usad(%d, %d, %d) = %d, want %d", x, y, z, got, want)
			}
		}
	}
	for x, y := range pairs64(50000) {
		z := x ^ y
		if got, want := device.Sad64(int64(x), int64(y), z), distance(big.NewInt(int64(x)), big.NewInt(int64(y)), unsigned(z), 64); got != want {
			t.Fatalf("Sad64(%d, %d, %d) = %d, want %d", int64(x), int64(y), z, got, want)
		}
		if got, want := device.Usad64(x, y, z), distance(unsigned(x), unsigned(y), unsigned(z), 64); got != want {
			t.Fatalf("Usad64(%d, %d, %d) = %d, want %d", x, y, z, got, want)
		}
	}
}

func TestIntegerAverages(t *testing.T) {
	half := func(sum int64) int64 { return int64(math.Floor(float64(sum) / 2)) } // exact: the sum has 34 bits
	for x, y := range pairs32(200000) {
		sx, sy := int64(int32(x)), int64(int32(y))
		for _, c := range []struct {
			name      string
			got, want int64
		}{
			{"IntHadd", int64(device.IntHadd(int32(x), int32(y))), half(sx + sy)},
			{"Rhadd", int64(device.Rhadd(int32(x), int32(y))), half(sx + sy + 1)},
			{"Uhadd", int64(device.Uhadd(x, y)), half(int64(x) + int64(y))},
			{"Urhadd", int64(device.Urhadd(x, y)), half(int64(x) + int64(y) + 1)},
		} {
			if c.got != c.want {
				t.Fatalf("%s(%#x, %#x) = %d, want %d", c.name, x, y, c.got, c.want)
			}
		}
	}
}

func TestAbsMinMax(t *testing.T) {
	for x, want := range map[int32]int32{0: 0, 5: 5, -5: 5, math.MaxInt32: math.MaxInt32, -math.MaxInt32: math.MaxInt32, math.MinInt32: math.MinInt32} {
		if got := device.Abs(x); got != want {
			t.Errorf("Abs(%d) = %d", x, got)
		}
	}
	for x, want := range map[int64]int64{0: 0, 5: 5, -5: 5, math.MaxInt64: math.MaxInt64, -math.MaxInt64: math.MaxInt64, math.MinInt64: math.MinInt64} {
		if got := device.Llabs(x); got != want {
			t.Errorf("Llabs(%d) = %d", x, got)
		}
		if got := device.Labs(x); got != want {
			t.Errorf("Labs(%d) = %d", x, got)
		}
	}
	for x, y := range pairs32(1000) {
		sx, sy := int32(x), int32(y)
		if device.Min(sx, sy) != min(sx, sy) || device.Max(sx, sy) != max(sx, sy) || device.Umin(x, y) != min(x, y) ||
			device.Umax(x, y) != max(x, y) || device.Min(x, y) != min(x, y) || device.Max(x, y) != max(x, y) {
			t.Fatalf("minima and maxima of %#x and %#x", x, y)
		}
	}
	for x, y := range pairs64(1000) {
		sx, sy := int64(x), int64(y)
		if device.Llmin(sx, sy) != min(sx, sy) || device.Llmax(sx, sy) != max(sx, sy) || device.Ullmin(x, y) != min(x, y) || device.Ullmax(x, y) != max(x, y) {
			t.Fatalf("minima and maxima of %#x and %#x", x, y)
		}
	}
}

func ExampleMul24() {
	// Only 24 bits count, and bit 23 is the sign.
	fmt.Println(device.Mul24(0x7f000003, 5), device.Mul24(0x00ffffff, 5), device.Umul24(0x00ffffff, 5))
	// Output: 15 -5 83886075
}
