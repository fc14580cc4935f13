//go:build compiled

package corpus

import (
	"math/big"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint
}

// All operators on integers of each type, with overflow, and division by values of all signs.
//
//gocuda:kernel
func arithmetic[T integer](t *gocuda.Thread, in, out []T) {
	i := t.GlobalX()
	a, b := in[i], in[(i*7+1)%len(in)]
	r := a + b
	r = r*3 ^ (a - b)
	r += a * b
	r ^= a&b | ^a
	r -= a &^ b
	r = -r
	if b != 0 {
		r += a / b
		r ^= a % b
	}
	r++
	if a < b {
		r += 5
	}
	if a >= b-1 {
		r *= 3
	}
	out[i] = r
}

// arithmeticWant computes without a limit, and wraps around after each step.
func arithmeticWant[T integer](_ grid.Config, in, out []T) {
	of := exact[T]
	x := func() *big.Int { return new(big.Int) }
	five, three, one := big.NewInt(5), big.NewInt(3), big.NewInt(1)
	for i := range in {
		a, b := of(in[i]), of(in[(i*7+1)%len(in)])
		r := wrapped[T](x().Add(a, b))
		r = wrapped[T](x().Xor(x().Mul(of(r), three), x().Sub(a, b)))
		r = wrapped[T](x().Add(of(r), x().Mul(a, b)))
		r = wrapped[T](x().Xor(of(r), x().Or(x().And(a, b), x().Not(a))))
		r = wrapped[T](x().Sub(of(r), x().AndNot(a, b)))
		r = wrapped[T](x().Neg(of(r)))
		if b.Sign() != 0 {
			r = wrapped[T](x().Add(of(r), x().Quo(a, b)))
			r = wrapped[T](x().Xor(of(r), x().Rem(a, b)))
		}
		r = wrapped[T](x().Add(of(r), one))
		if a.Cmp(b) < 0 {
			r = wrapped[T](x().Add(of(r), five))
		}
		if a.Cmp(of(wrapped[T](x().Sub(b, one)))) >= 0 {
			r = wrapped[T](x().Mul(of(r), three))
		}
		out[i] = r
	}
}

// wrapped returns the T that x is modulo 2^64.
func wrapped[T integer](x *big.Int) T {
	mask := new(big.Int).SetUint64(1<<64 - 1)
	return T(new(big.Int).And(x, mask).Uint64())
}

// Shifts of each type, by counts below and beyond its width, of all types.
//
//gocuda:kernel
func shifts[T integer](t *gocuda.Thread, in, out []T) {
	i := t.GlobalX()
	a := in[i]
	n := i % 70
	r := a<<n ^ a>>(n/2)
	r += a << uint8(n*3)
	r ^= a >> uint64(n)
	r -= a << (uint32(in[(i+1)%len(in)]) % 9)
	r ^= a >> int8(n)
	if i%5 == 0 {
		r <<= 3
	}
	r >>= uint16(i % 3)
	r += 1 << n
	out[i] = r
}

// exact returns v as a number without a limit.
func exact[T integer](v T) *big.Int {
	if v < 0 {
		return big.NewInt(int64(v))
	}
	return new(big.Int).SetUint64(uint64(v))
}

func shiftsWant[T integer](_ grid.Config, in, out []T) {
	left := func(v T, n int) T { return wrapped[T](new(big.Int).Lsh(exact(v), uint(n))) }
	right := func(v T, n int) T { return wrapped[T](new(big.Int).Rsh(exact(v), uint(n))) }
	for i, a := range in {
		n := i % 70
		r := left(a, n) ^ right(a, n/2)
		r += left(a, int(uint8(n*3)))
		r ^= right(a, n)
		r -= left(a, int(uint32(in[(i+1)%len(in)])%9))
		r ^= right(a, n)
		if i%5 == 0 {
			r = left(r, 3)
		}
		r = right(r, i%3)
		r += left(1, n)
		out[i] = r
	}
}

// Division and remainder by constants: powers of two, others, negative ones and one.
//
//gocuda:kernel
func divideConstants(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	r := v/1 ^ v/2 ^ v/3 ^ v/7 ^ v/8 ^ v/10 ^ v/1000 ^ v/(1<<30)
	r += v%2 ^ v%3 ^ v%8 ^ v%10 ^ v%641 ^ v%(1<<31-1)
	r ^= v/-1 + v/-2 + v/-3 + v/-8 + v/-1000
	r += v%-1 + v%-2 + v%-7 + v%-16
	out[t.GlobalX()] = r
}

func divideConstantsWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		quo := func(d int64) int32 { return int32(new(big.Int).Quo(exact(v), big.NewInt(d)).Int64()) }
		rem := func(d int64) int32 { return int32(new(big.Int).Rem(exact(v), big.NewInt(d)).Int64()) }
		r := v ^ quo(2) ^ quo(3) ^ quo(7) ^ quo(8) ^ quo(10) ^ quo(1000) ^ quo(1<<30)
		r += rem(2) ^ rem(3) ^ rem(8) ^ rem(10) ^ rem(641) ^ rem(1<<31-1)
		r ^= quo(-1) + quo(-2) + quo(-3) + quo(-8) + quo(-1000)
		r += rem(2) + rem(7) + rem(16)
		out[i] = r
	}
}

// The same without signs, and in the other widths.
//
//gocuda:kernel
func divideConstantsOther(t *gocuda.Thread, in []uint64, out []uint64) {
	v := in[t.GlobalX()]
	w, h, b := uint32(v>>7), uint16(v>>30), uint8(v>>50)
	r := v/3 ^ v/7 ^ v/10 ^ v/(1<<63) ^ v/1_000_000_007
	r += v%3 ^ v%10 ^ v%1024 ^ v%(1<<64-1)
	r ^= uint64(w/3+w/7+w%10+w%641) << 20
	r += uint64(h/3+h%7+h/255) ^ uint64(b/3+b%7+b/16)
	s, k, c := int64(v), int16(v>>3), int8(v>>11)
	r ^= uint64(s/3 + s/-5 + s%7 + s%-1000)
	r += uint64(int64(k/3+k%7+k/-1)) + uint64(int64(c/3+c%7+c/-1))
	out[t.GlobalX()] = r
}

func divideConstantsOtherWant(_ grid.Config, in, out []uint64) {
	// By multiplication and comparison only.
	div := func(v, d uint64) uint64 {
		q := uint64(0)
		for k := 63; k >= 0; k-- {
			if hi, lo := bits.Mul64(q|1<<k, d); hi == 0 && lo <= v {
				q |= 1 << k
			}
		}
		return q
	}
	mod := func(v, d uint64) uint64 { return v - div(v, d)*d }
	signed := func(v, d int64) (q, m int64) {
		x, y := uint64(v), uint64(d)
		if v < 0 {
			x = -x
		}
		if d < 0 {
			y = -y
		}
		q = int64(div(x, y))
		if (v < 0) != (d < 0) {
			q = -q
		}
		return q, v - q*d
	}
	for i, v := range in {
		w, h, b := uint64(uint32(v>>7)), uint64(uint16(v>>30)), uint64(uint8(v>>50))
		r := div(v, 3) ^ div(v, 7) ^ div(v, 10) ^ v>>63 ^ div(v, 1_000_000_007)
		r += mod(v, 3) ^ mod(v, 10) ^ v&1023 ^ mod(v, 1<<64-1)
		r ^= uint64(uint32(div(w, 3)+div(w, 7)+mod(w, 10)+mod(w, 641))) << 20
		r += uint64(uint16(div(h, 3)+mod(h, 7)+div(h, 255))) ^ uint64(uint8(div(b, 3)+mod(b, 7)+b>>4))
		q3, _ := signed(int64(v), 3)
		q5, _ := signed(int64(v), -5)
		_, m7 := signed(int64(v), 7)
		_, m1000 := signed(int64(v), -1000)
		r ^= uint64(q3 + q5 + m7 + m1000)
		k, c := int64(int16(v>>3)), int64(int8(v>>11))
		kq, _ := signed(k, 3)
		_, km := signed(k, 7)
		cq, _ := signed(c, 3)
		_, cm := signed(c, 7)
		r += uint64(int64(int16(kq+km-k))) + uint64(int64(int8(cq+cm-c)))
		out[i] = r
	}
}

// The smallest number divided by -1 is itself, and its remainder 0.
//
//gocuda:kernel
func divideMinimum(t *gocuda.Thread, minus int64, in, out []int64) {
	i := t.GlobalX()
	a8, a16, a32, a64 := int8(-128), int16(-1<<15), int32(-1<<31), int64(-1<<63)
	d := minus
	if i%2 == 0 {
		d = in[i]>>63 | 1 // -1 or 1
	}
	r := int64(a8/int8(d)) ^ int64(a16/int16(d)) ^ int64(a32/int32(d)) ^ a64/d
	r += int64(a8%int8(d)) + int64(a16%int16(d)) + int64(a32%int32(d)) + a64%d
	out[i] = r - in[i]/d
}

// Comparisons without sign, and subtraction below zero.
//
//gocuda:kernel
func unsignedCompare(t *gocuda.Thread, in, out []uint32) {
	i := t.GlobalX()
	a, b := in[i], in[(i+1)%len(in)]
	r := uint32(0)
	if a < b {
		r |= 1
	}
	if a-1 < b-1 {
		r |= 2
	}
	if a > 1<<31 {
		r |= 4
	}
	if a-b > a {
		r |= 8
	}
	if int32(a) < int32(b) {
		r |= 16
	}
	if uint8(a) >= uint8(b) {
		r |= 32
	}
	if int64(a)-int64(b) < 0 {
		r |= 64
	}
	if min(a, b, 1<<30) != max(a, b) {
		r |= 128
	}
	if uint64(a)*uint64(b) > 1<<62 {
		r |= 256
	}
	out[i] = r
}

func unsignedCompareWant(_ grid.Config, in, out []uint32) {
	for i := range in {
		a, b := int64(in[i]), int64(in[(i+1)%len(in)])
		low := func(v int64) int64 { return (v + 1<<32) % (1 << 32) }
		signed := func(v int64) int64 { return (v+1<<31)%(1<<32) - 1<<31 }
		out[i] = 0
		for k, c := range []bool{
			a < b, low(a-1) < low(b-1), a > 1<<31, low(a-b) > a, signed(a) < signed(b), a%256 >= b%256, a < b,
			a != b || a > 1<<30, a != 0 && b > 1<<62/a,
		} {
			if c {
				out[i] |= 1 << k
			}
		}
	}
}

// The functions of math/bits.
//
//gocuda:kernel
func bitFunctions(t *gocuda.Thread, in, out []uint64) {
	i := t.GlobalX()
	v := in[i]
	w, h, b := uint32(v>>9), uint16(v>>21), uint8(v>>33)
	r := bits.OnesCount64(v) + bits.OnesCount32(w)*3 + bits.OnesCount16(h)*5 + bits.OnesCount8(b)*7 + bits.OnesCount(uint(w))
	r = r*31 + bits.LeadingZeros64(v) + bits.LeadingZeros32(w)*3 + bits.LeadingZeros16(h)*5 + bits.LeadingZeros8(b)*7
	r = r*31 + bits.TrailingZeros64(v) + bits.TrailingZeros32(w)*3 + bits.TrailingZeros16(h)*5 + bits.TrailingZeros8(b)*7
	r += bits.Len64(v) + bits.Len32(w) + bits.Len8(b)
	x := bits.RotateLeft64(v, i%130-65) ^ uint64(bits.RotateLeft32(w, -i)) ^ uint64(bits.RotateLeft8(b, 3))
	x += bits.Reverse64(v) ^ uint64(bits.Reverse32(w)) ^ bits.ReverseBytes64(v)>>1
	hi, lo := bits.Mul64(v, x)
	sum, carry := bits.Add64(hi, lo, v&1)
	diff, borrow := bits.Sub64(sum, v, carry)
	out[i] = diff ^ uint64(r) ^ borrow<<60
}

// Numbers that only look random, as kernels make them.
//
//gocuda:kernel
func randomNumbers(t *gocuda.Thread, seed uint64, in, out []uint32) {
	i := t.GlobalX()
	state := seed ^ uint64(i)*0x9e3779b97f4a7c15
	lcg := in[i]
	for range 5 {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		lcg = lcg*1664525 + 1013904223
	}
	h := uint32(2166136261)
	for k := 0; k < 64; k += 8 {
		h = (h ^ uint32(state>>k&0xff)) * 16777619
	}
	out[i] = h ^ lcg>>16
}

// All assignments with an operator.
//
//gocuda:kernel
func assignOps(t *gocuda.Thread, in, out []int16) {
	i := t.GlobalX()
	v, w := in[i], in[len(in)-1-i]
	out[i] = v
	out[i] += w
	out[i] -= 7
	out[i] *= v
	out[i] /= 3
	out[i] %= 1000
	out[i] &= w | 0xff
	out[i] |= 0x10
	out[i] ^= v >> 4
	out[i] <<= 2
	out[i] >>= 1
	out[i] &^= 0x5
	out[i]++
	k := uint8(v)
	k += 200
	k++
	k *= 3
	k -= 250
	k <<= 1
	k--
	out[i] += int16(k)
}

func assignOpsWant(_ grid.Config, in, out []int16) {
	narrow := func(v int) int { return (v&0xffff ^ 0x8000) - 0x8000 }
	for i, x := range in {
		v, w := int(x), int(in[len(in)-1-i])
		r := narrow(v + w)
		r = narrow(r - 7)
		r = narrow(r*v) / 3 % 1000
		r = narrow(r&(w|0xff)|0x10) ^ v>>4
		r = narrow(r*4) >> 1
		r = narrow(r&^5) + 1
		k := (((v+201)*3-250)*2 - 1) & 0xff
		out[i] = int16(narrow(r + k))
	}
}

const (
	unit = 1 << (10 * iota)
	kilo
	mega
	_
	big40 = unit << 40
)

const (
	low, high = iota - 3, -iota * 1.5
	lower, _
)

type color uint8

const (
	red color = iota + 250
	green
	blue
)

// Constants: iota, typed and untyped, larger than any type on the way, rounded where they meet a
// variable.
//
//gocuda:kernel
func constants(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	const local = (big40*big40 + 5) >> 60 / 7
	const half = 1 / 2.0
	const ratio = 7 / 2 * 2.0
	v := in[i]
	v += kilo + mega%1000 + local
	v ^= low + lower<<2
	f := float32(v) * half
	f += ratio + high
	v -= int32(f / mega)
	c := blue + color(v)
	if c > green {
		v += int32(c)
	}
	var u uint8 = 255
	u += 'a' - 'A'
	v ^= int32(u) << 8
	v += int32(len("constant")) + 0x1p4 - 1e2 + 0b101 + 0o17 + 1_000
	v += -5 % 3 * -7 / 2
	const mask = ^uint32(0) >> 4
	out[i] = int32(uint32(v) & mask)
}

func integerCase[T integer](name string) []Case {
	return []Case{
		perThread("arithmetic-"+name, linear, arithmetic[T], arithmeticKernel[T], arithmeticWant[T]),
		perThread("shifts-"+name, linear, shifts[T], shiftsKernel[T], shiftsWant[T]),
	}
}

var integerCases = append(flat(
	integerCase[int8]("int8"), integerCase[int16]("int16"), integerCase[int32]("int32"), integerCase[int64]("int64"),
	integerCase[int]("int"), integerCase[uint8]("uint8"), integerCase[uint16]("uint16"), integerCase[uint32]("uint32"),
	integerCase[uint64]("uint64"), integerCase[uint]("uint"), integerCase[color]("named"),
),
	perThread("divideConstants", linear, divideConstants, divideConstantsKernel, divideConstantsWant),
	perThread("divideConstantsOther", linear, divideConstantsOther, divideConstantsOtherKernel, divideConstantsOtherWant),
	perThread("divideMinimum", linear,
		func(t *gocuda.Thread, in, out []int64) { divideMinimum(t, -1, in, out) },
		func(in, out []int64) gocuda.Kernel { return divideMinimumKernel(-1, in, out) },
		func(_ grid.Config, in, out []int64) {
			for i, v := range in {
				r := int64(-128) ^ -1<<15 ^ -1<<31 ^ -1<<63
				if i%2 == 0 && v >= 0 {
					out[i] = r - v
				} else { // 128 is -128 in 8 bits, and so on
					out[i] = r + v
				}
			}
		}),
	perThread("unsignedCompare", linear, unsignedCompare, unsignedCompareKernel, unsignedCompareWant),
	perThread("bitFunctions", linear, bitFunctions, bitFunctionsKernel, nil),
	withParameter("randomNumbers", linear, uint64(88172645463325252), randomNumbers, randomNumbersKernel, nil),
	perThread("assignOps", linear, assignOps, assignOpsKernel, assignOpsWant),
	perThread("constants", linear, constants, constantsKernel, nil),
)

func flat(lists ...[]Case) (all []Case) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}
