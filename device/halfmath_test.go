package device_test

import (
	"math"
	"math/big"
	"sync"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// The references are power series in 128 bits. They are right to about 110 bits; a result that has
// no more than 50 of the first 100 is taken for exact, since no other value of a half comes so near
// to a short one.
const seriesBits = 128

func toReal(x float64) *big.Float          { return new(big.Float).SetPrec(seriesBits).SetFloat64(x) }
func newReal() *big.Float                  { return new(big.Float).SetPrec(seriesBits) }
func mulReal(x, y *big.Float) *big.Float   { return newReal().Mul(x, y) }
func addReal(x, y *big.Float) *big.Float   { return newReal().Add(x, y) }
func quoReal(x, y *big.Float) *big.Float   { return newReal().Quo(x, y) }
func shift(x *big.Float, n int) *big.Float { return newReal().SetMantExp(x, n) }

// small says that a term no longer counts.
func small(term, sum *big.Float) bool {
	return term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-seriesBits
}

// arctanhSeries is s + s^3/3 + s^5/5 + ..., with the signs of arctan if alternating.
func arctanhSeries(s *big.Float, alternating bool) *big.Float {
	square := mulReal(s, s)
	if alternating {
		square.Neg(square)
	}
	sum, power := newReal().Set(s), newReal().Set(s)
	for k := 3.0; ; k += 2 {
		power = mulReal(power, square)
		term := quoReal(power, toReal(k))
		if small(term, sum) {
			return sum
		}
		sum = addReal(sum, term)
	}
}

var (
	realLn2  = sync.OnceValue(func() *big.Float { return shift(arctanhSeries(quoReal(toReal(1), toReal(3)), false), 1) })
	realLn10 = sync.OnceValue(func() *big.Float { return realLog(toReal(10)) })
	// Machin's formula: pi/4 = 4 arctan(1/5) - arctan(1/239).
	realPi = sync.OnceValue(func() *big.Float {
		a := shift(arctanhSeries(quoReal(toReal(1), toReal(5)), true), 2)
		b := arctanhSeries(quoReal(toReal(1), toReal(239)), true)
		return shift(newReal().Sub(a, b), 2)
	})
)

// realExp is e^x by the series for x/2^16, squared 16 times.
func realExp(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return toReal(1)
	}
	r := shift(x, -16)
	sum, term := toReal(1), toReal(1)
	for k := 1.0; ; k++ {
		term = quoReal(mulReal(term, r), toReal(k))
		if small(term, sum) {
			break
		}
		sum = addReal(sum, term)
	}
	for range 16 {
		sum = mulReal(sum, sum)
	}
	return sum
}

// realLog is the logarithm of x > 0: e * ln 2 + 2 arctanh((m-1)/(m+1)), x = m * 2^e.
func realLog(x *big.Float) *big.Float {
	m := newReal()
	e := x.MantExp(m)
	if m.Cmp(toReal(0.75)) < 0 {
		m, e = shift(m, 1), e-1
	}
	s := quoReal(newReal().Sub(m, toReal(1)), addReal(m, toReal(1)))
	if s.Sign() == 0 && e == 0 {
		return newReal()
	}
	log := newReal()
	if s.Sign() != 0 {
		log = shift(arctanhSeries(s, false), 1)
	}
	if e != 0 {
		log = addReal(log, mulReal(toReal(float64(e)), realLn2()))
	}
	return log
}

// realSin is the sine of x + quarter*pi/2.
func realSin(x float64, quarter int) *big.Float {
	half := shift(realPi(), -1)
	n := math.RoundToEven(x / (math.Pi / 2))
	r := newReal().Sub(toReal(x), mulReal(toReal(n), half))
	quadrant := (int(n) + quarter) & 3
	// r + ..., or 1 - ...
	term, k := newReal().Set(r), 1.0
	if quadrant&1 == 1 {
		term, k = toReal(1), 0
	}
	sum := newReal()
	square := newReal().Neg(mulReal(r, r))
	for ; sum.Sign() == 0 || !small(term, sum); k += 2 {
		sum = addReal(sum, term)
		term = quoReal(mulReal(term, square), toReal((k+1)*(k+2)))
		if term.Sign() == 0 {
			break
		}
	}
	if quadrant >= 2 {
		sum.Neg(sum)
	}
	return sum
}

// realTanh is 1 - 2/(e^2x + 1), for small x by the series of arctanh, solved by Newton's method.
func realTanh(x float64) *big.Float {
	if x == 0 {
		return newReal()
	}
	if math.Abs(x) >= 0.01 {
		return newReal().Sub(toReal(1), quoReal(toReal(2), addReal(realExp(toReal(2*x)), toReal(1))))
	}
	y := toReal(x)
	for range 4 { // y -= (arctanh(y) - x) * (1 - y^2)
		d := newReal().Sub(arctanhSeries(y, false), toReal(x))
		y = newReal().Sub(y, mulReal(d, newReal().Sub(toReal(1), mulReal(y, y))))
	}
	return y
}

func TestHalfMath(t *testing.T) {
	base10 := func(x *big.Float) *big.Float { return quoReal(x, realLn10()) }
	for _, c := range []struct {
		name  string
		f     func(device.Half) device.Half
		plain func(float64) float64        // for infinities, NaN, and where the function has no finite value
		real  func(x float64) *big.Float   // for the others
		usual func(x float64) (valid bool) // says which
	}{
		{"Hsqrt", device.Hsqrt, math.Sqrt, func(x float64) *big.Float { return newReal().Sqrt(toReal(x)) },
			func(x float64) bool { return x > 0 }},
		{"Hrsqrt", device.Hrsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) },
			func(x float64) *big.Float { return quoReal(toReal(1), newReal().Sqrt(toReal(x))) },
			func(x float64) bool { return x > 0 }},
		{"Hrcp", device.Hrcp, func(x float64) float64 { return 1 / x },
			func(x float64) *big.Float { return quoReal(toReal(1), toReal(x)) }, func(x float64) bool { return x != 0 }},
		{"Hexp", device.Hexp, math.Exp, within(20, func(x float64) *big.Float { return realExp(toReal(x)) }), always},
		{"Hexp2", device.Hexp2, math.Exp2, within(30, func(x float64) *big.Float {
			n := math.Floor(x)
			return shift(realExp(mulReal(toReal(x-n), realLn2())), int(n))
		}), always},
		{"Hexp10", device.Hexp10, func(x float64) float64 { return math.Pow(10, x) },
			within(10, func(x float64) *big.Float {
				return realExp(mulReal(toReal(x), realLn10()))
			}), always},
		{"Hlog", device.Hlog, math.Log, func(x float64) *big.Float { return realLog(toReal(x)) },
			func(x float64) bool { return x > 0 }},
		{"Hlog2", device.Hlog2, math.Log2,
			func(x float64) *big.Float { return quoReal(realLog(toReal(x)), realLn2()) },
			func(x float64) bool { return x > 0 }},
		{"Hlog10", device.Hlog10, math.Log10, func(x float64) *big.Float { return base10(realLog(toReal(x))) },
			func(x float64) bool { return x > 0 }},
		{"Hsin", device.Hsin, math.Sin, odd(func(x float64) *big.Float { return realSin(x, 0) }), nonzero},
		{"Hcos", device.Hcos, math.Cos, even(func(x float64) *big.Float { return realSin(x, 1) }), nonzero},
		{"Htanh", device.Htanh, math.Tanh, odd(within(20, realTanh)), nonzero},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			nearest := math.Inf(1) // the least distance of an inexact value from the middle of two halves, relative
			for i := 0; i < 1<<16; i += thin {
				x := decode(device.Half(i))
				got := c.f(device.Half(i))
				if !finite(x) || !c.usual(x) {
					if want := c.plain(x); !likeHalf(got, want) {
						t.Errorf("%s(%x) = %#04x, want %x", c.name, x, got, want)
					}
					continue
				}
				// Package math is right to some 50 bits, so that it decides unless the value is
				// near a middle. All inputs would take seconds.
				if p := c.plain(x); !*exhaustive && i%16 != 0 && p != 0 && p-p == 0 {
					if v := toReal(p); fromMiddle(v) > 0x1p-38 {
						if want := binary16.round(value{v: v, cut: true}, rn); !likeHalf(got, want) {
							t.Errorf("%s(%x) = %#04x, want %x", c.name, x, got, want)
						}
						continue
					}
				}
				v := c.real(x)
				short := new(big.Float).SetPrec(100).Set(v)
				exact := value{v: v, cut: true}
				want := 0.0
				if short.MinPrec() <= 50 {
					exact = value{v: short}
				} else {
					nearest = min(nearest, fromMiddle(v))
				}
				if exact.v.Sign() != 0 {
					want = binary16.round(exact, rn)
				}
				if !likeHalf(got, want) {
					t.Errorf("%s(%x) = %#04x, want %x", c.name, x, got, want)
				}
			}
			if nearest < 0x1p-40 {
				t.Errorf("%s: a value is within 2^%.0f of the middle of two halves", c.name, math.Log2(nearest))
			}
		})
	}
}

// within computes f for x in [-limit, limit] only; behind, the result overflows or does not change.
func within(limit float64, f func(float64) *big.Float) func(float64) *big.Float {
	low, high := sync.OnceValue(func() *big.Float { return f(-limit) }),
		sync.OnceValue(func() *big.Float { return f(limit) })
	return func(x float64) *big.Float {
		switch {
		case x <= -limit:
			return low()
		case x >= limit:
			return high()
		}
		return f(x)
	}
}

// even computes f for each |x| once.
func even(f func(float64) *big.Float) func(float64) *big.Float {
	known := map[float64]*big.Float{}
	return func(x float64) *big.Float {
		x = math.Abs(x)
		if known[x] == nil {
			known[x] = f(x)
		}
		return known[x]
	}
}

func odd(f func(float64) *big.Float) func(float64) *big.Float {
	f = even(f)
	return func(x float64) *big.Float {
		y := newReal().Set(f(x))
		if x < 0 {
			y.Neg(y)
		}
		return y
	}
}

func always(float64) bool    { return true }
func nonzero(x float64) bool { return x != 0 }

// fromMiddle is the distance of v from the nearest middle of two halves, as a part of v.
func fromMiddle(v *big.Float) float64 {
	grid := max(v.MantExp(nil)-11, -24)
	scaled := shift(newReal().Abs(v), 1-grid) // middles are the odd numbers
	n, _ := scaled.Int(nil)
	if n.Bit(0) == 0 {
		n.SetBit(n, 0, 1)
	}
	d := newReal().Sub(scaled, newReal().SetInt(n))
	part, _ := quoReal(d.Abs(d), scaled).Float64()
	return part
}

func TestHalfRounding(t *testing.T) {
	for i := range 1 << 16 {
		h := device.Half(i)
		x := decode(h)
		for _, c := range []struct {
			name string
			got  device.Half
			want float64
		}{
			{"Hceil", device.Hceil(h), math.Ceil(x)}, {"Hfloor", device.Hfloor(h), math.Floor(x)},
			{"Htrunc", device.Htrunc(h), math.Trunc(x)}, {"Hrint", device.Hrint(h), math.RoundToEven(x)},
		} {
			if !likeHalf(c.got, c.want) {
				t.Errorf("%s(%x) = %#04x, want %x", c.name, x, c.got, c.want)
			}
		}
	}
}
