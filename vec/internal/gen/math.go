package main

import (
	_ "embed"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strings"

	"github.com/gocuda/gocuda/vec/internal/high"
)

// The sources of the mathematical functions, once for all vectors of an
// element type. Beyond the names that emit puts in they know K(name), the load
// of a constant, and POLY(name, x), a polynomial in x by Horner's rule.
var (
	//go:embed math32.tmpl
	math32 string
	//go:embed math64.tmpl
	math64 string
)

// A scalar is a constant of the functions.
type scalar struct {
	name  string
	bits  int
	value float64
}

// rest returns x less its parts.
func rest(x *big.Float, parts ...float64) float64 {
	for _, p := range parts {
		x = high.Sub(x, high.Float(p))
	}
	f, _ := x.Float64()
	return f
}

var scalars = func() []scalar {
	ln2, log2e, halfPi := high.Ln2(), high.Quo(one(), high.Ln2()), high.Scale(high.Pi(), -1)
	third, sqrtPi := high.Quo(one(), high.Int(3)), root(high.Pi())
	f := func(x *big.Float) float64 { return rest(x) }
	f32 := func(x *big.Float) float64 { return float64(float32(rest(x))) }
	short := func(bits int) float64 { // ln 2 rounded to few bits, whose products with exponents are exact
		y, _ := new(big.Float).SetPrec(uint(bits)).Set(ln2).Float64()
		return y
	}
	a, b := f(halfPi), rest(halfPi, f(halfPi))
	a32 := f32(halfPi)
	b32 := float64(float32(rest(halfPi, a32)))
	// An ulp less than 5/3. With it leanBegin32 and leanEnd32, as rounded, have a product of 1 - 6e-14, so that sums that are
	// multiplied by both time and again don't drift. Of 5/3 as rounded it is 1 + 2e-8.
	const fiveThirds = 0x1.aaaaa8p0
	return []scalar{
		{"zero32", 32, 0},
		{"one32", 32, 1},
		{"two32", 32, 2},
		{"minusTwo32", 32, -2},
		{"half32", 32, 0.5},
		{"minusHalf32", 32, -0.5},
		{"minusThreeHalves32", 32, -1.5},
		{"fiveHalves32", 32, 2.5},
		{"minusFiveThirds32", 32, -fiveThirds},
		{"fiveHalvesRough32", 32, 0x1.400004p+01},
		{"minusFiveThirdsRough32", 32, -0x1.aaaaaep+00},
		{"leanBegin32", 32, 1 - fiveThirds},
		{"leanEnd32", 32, 1 / (1 - fiveThirds)},
		{"four32", 32, 4},
		{"expLo32", 32, -104},
		{"expHi32", 32, 89},
		{"exp2Lo32", 32, -151},
		{"exp2Hi32", 32, 129},
		{"log2e32", 32, f32(log2e)},
		{"log2eLo32", 32, rest(log2e, f32(log2e))},
		{"minusLn2Hi32", 32, -f32(ln2)},
		{"minusLn2Lo32", 32, -rest(ln2, f32(ln2))},
		{"ln2Short32", 32, short(15)},
		{"ln2Rest32", 32, rest(ln2, short(15))},
		{"minusLn2Short32", 32, -short(15)},
		{"minusLn2Rest32", 32, -rest(ln2, short(15))},
		{"two25_32", 32, 1 << 25},
		{"minus25_32", 32, -25},
		{"round32", 32, 0x3p22}, // adding it leaves whole numbers in the low bits
		{"twoOverPi32", 32, f(high.Quo(one(), halfPi))},
		{"minusPio2A32", 32, -a32},
		{"minusPio2B32", 32, -b32},
		{"minusPio2C32", 32, -rest(halfPi, a32, b32)},
		{"reduceMax32", 32, 1 << 17},
		{"tanhSmall32", 32, 0.625},
		{"tanhBig32", 32, 12},

		{"zero64", 64, 0},
		{"half64", 64, 0.5},
		{"one64", 64, 1},
		{"two64", 64, 2},
		{"minusOne64", 64, -1},
		{"minusTwo64", 64, -2},
		{"minusHalf64", 64, -0.5},
		{"expLo64", 64, -746},
		{"expHi64", 64, 710},
		{"exp2Lo64", 64, -1076},
		{"exp2Hi64", 64, 1025},
		{"log2e64", 64, f(log2e)},
		{"log2eLo64", 64, rest(log2e, f(log2e))},
		{"minusLn2Hi64", 64, -f(ln2)},
		{"minusLn2Lo64", 64, -rest(ln2, f(ln2))},
		{"ln2Short64", 64, short(42)},
		{"ln2Rest64", 64, rest(ln2, short(42))},
		{"minNormal64", 64, 0x1p-1022},
		{"two54_64", 64, 1 << 54},
		{"minus54_64", 64, -54},
		{"round64", 64, 0x3p51},           // adding it leaves whole numbers in the low bits
		{"exponent64", 64, 0x1p52 + 1023}, // the number with bits 1<<52 exponent + e, less e
		{"tanhSmall64", 64, 0.625},
		{"tanhBig64", 64, 24},
		{"twoOverPi64", 64, f(high.Quo(one(), halfPi))},
		{"minusPio2A64", 64, -a},
		{"minusPio2B64", 64, -b},
		{"minusPio2C64", 64, -rest(halfPi, a, b)},
		{"reduceMax64", 64, 1 << 30},
		{"third64", 64, f(third)},
		{"thirdLo64", 64, rest(third, f(third))},
		{"powLo64", 64, -800},
		{"powHi64", 64, 800},
		{"powHalf64", 64, 200},
		{"minusPowHalf64", 64, -200},
		{"erfcK64", 64, 4},
		{"minusErfcK64", 64, -4},
		{"sqrtPi64", 64, f(sqrtPi)},
		{"sqrtPiLo64", 64, rest(sqrtPi, f(sqrtPi))},
		{"erfcBig64", 64, 27.3},
		{"erfcK32", 32, 3},
		{"minusErfcK32", 32, -3},
		{"erfcBig32", 32, 10.1},
		{"minusLog2e32", 32, -f(log2e)},
	}
}()

// consts has the constants, each as often as the longest vector has lanes:
// so they are loaded in one instruction, mostly as an operand of another.
func consts() *file {
	f := newFile("// Constants of the mathematical functions; the polynomials are in internal/gen.")
	array := func(bits int, x float64) string {
		s := fmt.Sprintf("%x", x)
		if x == math.Trunc(x) && math.Abs(x) < 1<<24 {
			s = fmt.Sprint(int64(x))
		}
		return "{" + strings.Repeat(s+", ", 512/bits-1) + s + "}"
	}
	typ := func(bits int) string { return fmt.Sprintf("[%d]float%d", 512/bits, bits) }
	f.WriteString("var (\n")
	for _, c := range scalars {
		value := c.value
		if c.bits == 32 {
			value = float64(float32(value))
		}
		fmt.Fprintf(f, "%s = %s%s\n", c.name, typ(c.bits), array(c.bits, value))
	}
	f.WriteString(")\n\n")
	for _, p := range polys {
		fmt.Fprintf(f, "var %s = [...]%s{\n", p.name, typ(p.bits))
		for _, c := range p.coefficients() {
			fmt.Fprintf(f, "%s,\n", array(p.bits, c))
		}
		f.WriteString("}\n\n")
	}
	// 2/pi in words of 64 bits, for arguments of any size.
	f.WriteString("// twoOverPi has the bits of 2/pi, from 64 before the point.\nvar twoOverPi = [...]uint64{\n0,\n")
	x := high.TwoOverPi()
	for range 21 {
		x.SetMantExp(x, 64)
		word, _ := x.Uint64()
		fmt.Fprintf(f, "%#016x,\n", word)
		x.Sub(x, new(big.Float).SetUint64(word))
	}
	f.WriteString("}\n")
	return f
}

var (
	kPattern    = regexp.MustCompile(`K\((\w+)\)`)
	polyPattern = regexp.MustCompile(`POLY\((\w+), (\w+)\)`)
)

const (
	sinCosHalves = `s0, c0 := sinCos$HALF(x.GetLo().ConvertToFloat64())
	s1, c1 := sinCos$HALF(x.GetHi().ConvertToFloat64())
	sin = sin.SetLo(s0.ConvertToFloat32()).SetHi(s1.ConvertToFloat32())
	cos = cos.SetLo(c0.ConvertToFloat32()).SetHi(c1.ConvertToFloat32())`
	sinCosWhole = `s, c := sinCosF64x4(x.ConvertToFloat64())
	sin, cos = s.ConvertToFloat32(), c.ConvertToFloat32()`
	powHalves = `var r $T
	r = r.SetLo(powHalf$HALF(a.GetLo().ConvertToFloat64(), y.GetLo().ConvertToFloat64()).ConvertToFloat32()).
		SetHi(powHalf$HALF(a.GetHi().ConvertToFloat64(), y.GetHi().ConvertToFloat64()).ConvertToFloat32())`
	// erfc32 sets y to erfc(|x|) in a func with named results.
	erfc32 = `a := Abs$T(x)
	a = K(erfcBig32).Merge(a, a.Greater(K(erfcBig32)))
	b := Neg$T(a)
	u := K(one32).Div(a.Add(K(erfcK32)))
	t := a.Add(K(minusErfcK32)).Mul(u)
	t = t.MulAdd(b, t.Add(K(one32)).MulAdd(K(minusErfcK32), a)).MulAdd(u, t) // a-3 - t (a+3) is its error
	if never {
		return
	}
	p := POLY(erfc32, t)
	y := p.Mul(u)
	// e^-a^2 = 2^n e^r. The product with n is exact, and the square is within a sum.
	n := a.Mul(b).MulAdd(K(log2e32), K(round32)).Sub(K(round32))
	r := a.MulAdd(b, n.Mul(K(minusLn2Short32)))
	r = n.MulAdd(K(minusLn2Rest32), r)
	q := POLY(exp32, r)
	y = scale$T(q.Mul(r).MulAdd(r, r).MulAdd(y, y), n)`
	powWhole = `r := powHalfF64x4(a.ConvertToFloat64(), y.ConvertToFloat64()).ConvertToFloat32()`
)

// mathematics has the functions themselves, for the vectors of a float.
func mathematics(bits int) *file {
	known := map[string]bool{}
	for _, c := range scalars {
		known[c.name] = true
	}
	terms := map[string]int{}
	for _, p := range polys {
		terms[p.name] = p.n
	}
	f := newFile("// The mathematical functions, from internal/gen/math"+fmt.Sprint(bits)+".tmpl.", "simd/archsimd")
	source := strings.ReplaceAll(pick(bits == 32, math32, math64), "$TAIL", erfc32)
	for _, v := range types {
		if !v.float() || v.bits != bits {
			continue
		}
		load := func(element string) string { return fmt.Sprintf("constant%s(&%s)", v.name, element) }
		text := polyPattern.ReplaceAllStringFunc(source, func(s string) string {
			m := polyPattern.FindStringSubmatch(s)
			n := terms[m[1]]
			if n == 0 {
				panic("no polynomial " + m[1])
			}
			r := load(fmt.Sprintf("%s[%d]", m[1], n-1))
			for k := n - 2; k >= 0; k-- {
				r += ".\nMulAdd(" + m[2] + ", " + load(fmt.Sprintf("%s[%d]", m[1], k)) + ")"
			}
			return r
		})
		text = kPattern.ReplaceAllStringFunc(text, func(s string) string {
			name := kPattern.FindStringSubmatch(s)[1]
			if !known[name] {
				panic("no constant " + name)
			}
			return load(name)
		})
		// Of float32, what is computed in float64: in halves, but for the shortest vector.
		sinCos, pow := sinCosHalves, powHalves
		if v.n == 4 {
			sinCos, pow = sinCosWhole, powWhole
		}
		f.emit(v, text, "$SINCOS", strings.ReplaceAll(sinCos, "$HALF", vec('F', 64, v.n/2).name),
			"$POW", strings.ReplaceAll(pow, "$HALF", vec('F', 64, v.n/2).name),
			"$RSQRTERROR", pick(v.wide(), "2", "4"), "$RECIPERROR", pick(v.wide(), "1.5", "4"),
			"$DENORMAL", pick(v.wide(), "Denormal x are numbers.", "Denormal x count as zero."))
	}
	return f
}
