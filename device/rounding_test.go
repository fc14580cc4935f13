package device_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// The reference for everything that rounds: an exact value, or one cut off far behind the last
// place with a note that it was, is put on the grid of a format by integer arithmetic.

// One case in thin is run. Under the race detector, which has nothing to find in functions of
// numbers, that saves most of the time.
var thin = func() int {
	if raceEnabled {
		return 13
	}
	return 1
}()

// A mode is the suffix of CUDA's names.
type mode int

const (
	rn mode = iota
	rz
	ru
	rd
)

var modeNames = [...]string{"RN", "RZ", "RU", "RD"}

// A format has numbers with prec bits, all multiples of 2^least, below 2^top.
type format struct {
	prec, least, top int
}

var (
	binary16 = format{11, -24, 16}
	binary32 = format{24, -149, 128}
	binary64 = format{53, -1074, 1024}
	bfloat16 = format{8, -133, 128}
)

// A value is exact, or cut off towards zero behind some hundred bits.
type value struct {
	v   *big.Float
	cut bool
}

// round puts a value other than 0 on the grid.
func (f format) round(x value, m mode) float64 {
	negative := x.v.Signbit()
	exp := x.v.MantExp(nil) // |v| is in [2^(exp-1), 2^exp)
	grid := max(exp-f.prec, f.least)
	// n counts quarters of the grid, and more says that there is something behind.
	scaled := new(big.Float).SetMantExp(new(big.Float).Abs(x.v), 2-grid)
	n, acc := scaled.Int(nil)
	more := x.cut || acc != big.Exact
	quarters := new(big.Int).And(n, big.NewInt(3)).Int64()
	n.Rsh(n, 2)
	var away bool
	switch m {
	case rn:
		away = quarters > 2 || quarters == 2 && (more || n.Bit(0) == 1)
	case ru:
		away = !negative && (quarters != 0 || more)
	case rd:
		away = negative && (quarters != 0 || more)
	}
	if away {
		n.Add(n, big.NewInt(1))
	}
	largest := math.Ldexp(float64(uint64(1)<<f.prec-1), f.top-f.prec)
	result := math.Inf(1)
	if n.BitLen()+grid <= f.top {
		result = math.Ldexp(float64(n.Uint64()), grid)
	} else if m == rz || m == ru && negative || m == rd && !negative {
		result = largest
	}
	if negative {
		result = -result
	}
	return result
}

func exactFloat(x float64) *big.Float { return new(big.Float).SetPrec(6000).SetFloat64(x) }

func exactSum(a, b, _ float64) value {
	return value{v: exactFloat(a).Add(exactFloat(a), exactFloat(b))}
}

func exactProduct(a, b, _ float64) value {
	return value{v: exactFloat(a).Mul(exactFloat(a), exactFloat(b))}
}

func exactFused(a, b, c float64) value {
	v := exactProduct(a, b, 0).v
	return value{v: v.Add(v, exactFloat(c))}
}

func exactQuotient(a, b, _ float64) value {
	v := new(big.Float).SetPrec(300).SetMode(big.ToZero).Quo(exactFloat(a), exactFloat(b))
	return value{v, v.Acc() != big.Exact}
}

// exactRoot is the floor of the root of an integer with at least 300 bits.
func exactRoot(a, _, _ float64) value {
	fraction, exp := math.Frexp(a)
	n, _ := big.NewFloat(math.Ldexp(fraction, 53)).Int(nil) // a = n * 2^(exp-53)
	shift := uint(301)
	if (exp-53-int(shift))%2 != 0 {
		shift++
	}
	n.Lsh(n, shift)
	root := new(big.Int).Sqrt(n)
	cut := new(big.Int).Mul(root, root).Cmp(n) != 0
	return value{new(big.Float).SetMantExp(new(big.Float).SetInt(root), (exp-53-int(shift))/2), cut}
}

// exactRootReciprocal: 1/root is wrong behind bit 140 or so, and never exact unless the root is.
func exactRootReciprocal(a, _, _ float64) value {
	root := exactRoot(a, 0, 0)
	v := new(big.Float).SetPrec(140).SetMode(big.ToZero).Quo(big.NewFloat(1), root.v)
	return value{v, root.cut || v.Acc() != big.Exact}
}

// A rounded is an operation in its four modes. A float32 is passed as the float64 of the same value.
type rounded struct {
	name  string
	arity int
	format
	modes []func(a, b, c float64) float64
	exact func(a, b, c float64) value
	plain func(a, b, c float64) float64 // what IEEE 754 says of infinities, NaN, and 0 in products and quotients
	sum   bool                          // zero is a sum
}

func one32(fs ...func(x float32) float32) (modes []func(a, b, c float64) float64) {
	for _, f := range fs {
		modes = append(modes, func(a, _, _ float64) float64 { return float64(f(float32(a))) })
	}
	return modes
}

func two32(fs ...func(x, y float32) float32) (modes []func(a, b, c float64) float64) {
	for _, f := range fs {
		modes = append(modes, func(a, b, _ float64) float64 { return float64(f(float32(a), float32(b))) })
	}
	return modes
}

func three32(fs ...func(x, y, z float32) float32) (modes []func(a, b, c float64) float64) {
	for _, f := range fs {
		modes = append(modes, func(a, b, c float64) float64 { return float64(f(float32(a), float32(b), float32(c))) })
	}
	return modes
}

func one64(fs ...func(x float64) float64) (modes []func(a, b, c float64) float64) {
	for _, f := range fs {
		modes = append(modes, func(a, _, _ float64) float64 { return f(a) })
	}
	return modes
}

func two64(fs ...func(x, y float64) float64) (modes []func(a, b, c float64) float64) {
	for _, f := range fs {
		modes = append(modes, func(a, b, _ float64) float64 { return f(a, b) })
	}
	return modes
}

func three64(fs ...func(x, y, z float64) float64) []func(a, b, c float64) float64 { return fs }

var (
	plainSum      = func(a, b, _ float64) float64 { return a + b }
	plainDiff     = func(a, b, _ float64) float64 { return a - b }
	plainProduct  = func(a, b, _ float64) float64 { return a * b }
	plainFused    = func(a, b, c float64) float64 { return math.FMA(a, b, c) }
	plainQuotient = func(a, b, _ float64) float64 { return a / b }
	plainRcp      = func(a, _, _ float64) float64 { return 1 / a }
	plainRoot     = func(a, _, _ float64) float64 { return math.Sqrt(a) }
	plainRsqrt    = func(a, _, _ float64) float64 { return 1 / math.Sqrt(a) }

	exactDifference = func(a, b, _ float64) value { return exactSum(a, -b, 0) }
	exactReciprocal = func(a, _, _ float64) value { return exactQuotient(1, a, 0) }
)

var roundedOps = []rounded{
	{"Fadd", 2, binary32, two32(device.FaddRN, device.FaddRZ, device.FaddRU, device.FaddRD), exactSum, plainSum,
		true},
	{"Fsub", 2, binary32, two32(device.FsubRN, device.FsubRZ, device.FsubRU, device.FsubRD), exactDifference,
		plainDiff, true},
	{"Fmul", 2, binary32, two32(device.FmulRN, device.FmulRZ, device.FmulRU, device.FmulRD), exactProduct,
		plainProduct, false},
	{"Fmaf", 3, binary32, three32(device.FmafRN, device.FmafRZ, device.FmafRU, device.FmafRD), exactFused,
		plainFused, true},
	{"Fdiv", 2, binary32, two32(device.FdivRN, device.FdivRZ, device.FdivRU, device.FdivRD), exactQuotient,
		plainQuotient, false},
	{"Frcp", 1, binary32, one32(device.FrcpRN, device.FrcpRZ, device.FrcpRU, device.FrcpRD), exactReciprocal,
		plainRcp, false},
	{"Fsqrt", 1, binary32, one32(device.FsqrtRN, device.FsqrtRZ, device.FsqrtRU, device.FsqrtRD), exactRoot,
		plainRoot, false},
	{"Frsqrt", 1, binary32, one32(device.FrsqrtRN), exactRootReciprocal, plainRsqrt, false},
	{"Dadd", 2, binary64, two64(device.DaddRN, device.DaddRZ, device.DaddRU, device.DaddRD), exactSum, plainSum,
		true},
	{"Dsub", 2, binary64, two64(device.DsubRN, device.DsubRZ, device.DsubRU, device.DsubRD), exactDifference,
		plainDiff, true},
	{"Dmul", 2, binary64, two64(device.DmulRN, device.DmulRZ, device.DmulRU, device.DmulRD), exactProduct,
		plainProduct, false},
	{"Fma", 3, binary64, three64(device.FmaRN, device.FmaRZ, device.FmaRU, device.FmaRD), exactFused,
		plainFused, true},
	{"Ddiv", 2, binary64, two64(device.DdivRN, device.DdivRZ, device.DdivRU, device.DdivRD), exactQuotient,
		plainQuotient, false},
	{"Drcp", 1, binary64, one64(device.DrcpRN, device.DrcpRZ, device.DrcpRU, device.DrcpRD), exactReciprocal,
		plainRcp, false},
	{"Dsqrt", 1, binary64, one64(device.DsqrtRN, device.DsqrtRZ, device.DsqrtRU, device.DsqrtRD), exactRoot,
		plainRoot, false},
}

// sameNumber compares values and the sign of zero; all NaN are the same. onGrid rounds x, 0 or not
// a subnormal float64, to f by float64 arithmetic, which is exact for formats of at most 26 bits,
// with one of package math's roundings.
func (f format) onGrid(x float64, integer func(float64) float64) float64 {
	if !finite(x) || x == 0 {
		return x
	}
	power := func(k int) float64 { return math.Float64frombits(uint64(k+1023) << 52) }
	grid := max(int(math.Float64bits(x)>>52&0x7ff)-1023-(f.prec-1), f.least)
	y := math.Copysign(integer(x*power(-grid))*power(grid), x)
	if math.Abs(y) >= power(f.top) { // overflow, if the mode goes beyond the largest number
		y = math.Copysign(math.Inf(1), x)
		if math.Abs(integer(math.Copysign(0.5, x))) == 0 && integer(math.Copysign(1.5, x)) != math.Copysign(2, x) {
			y = math.Copysign(power(f.top)-power(f.top-f.prec), x)
		}
	}
	return y
}

func sameNumber(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

func finite(x float64) bool { return x-x == 0 }

// check compares all modes of an operation for one input.
func (op *rounded) check(t *testing.T, a, b, c float64) {
	plain := op.plain(a, b, c)
	special := !finite(a) || !finite(b) || !finite(c) || plain != plain
	switch op.name {
	case "Fdiv", "Ddiv":
		special = special || b == 0
	case "Frcp", "Drcp", "Fsqrt", "Dsqrt", "Frsqrt":
		special = special || a == 0
	}
	var exact value
	if !special {
		exact = op.exact(a, b, c)
	}
	for m, f := range op.modes {
		var want float64
		switch {
		case special:
			want = plain
		case exact.v.Sign() != 0:
			want = op.round(exact, mode(m))
		case !op.sum || !sumOfSigns(op, a, b, c):
			want = plain // 0 with the sign of a product, or of equal zeros
		case mode(m) == rd:
			want = math.Copysign(0, -1)
		}
		if got := f(a, b, c); !sameNumber(got, want) {
			t.Errorf("%s%s%v = %x, want %x", op.name, modeNames[m], fmt.Sprintf("(%x, %x, %x)", a, b, c), got, want)
		}
	}
}

// sumOfSigns says whether a sum that is zero has summands with different signs.
func sumOfSigns(op *rounded, a, b, c float64) bool {
	switch op.name {
	case "Fsub", "Dsub":
		b = -b
	case "Fma", "Fmaf":
		return math.Signbit(a) != math.Signbit(b) != math.Signbit(c)
	}
	return math.Signbit(a) != math.Signbit(b)
}

// corners are the numbers around every change of the format, both signs.
func (f format) corners() []float64 {
	one := 1 + math.Ldexp(1, 1-f.prec)
	largest := math.Ldexp(float64(uint64(1)<<f.prec-1), f.top-f.prec)
	normal := math.Ldexp(1, f.least+f.prec-1)
	least := math.Ldexp(1, f.least)
	all := []float64{0, math.Inf(1), math.NaN(), 1, one, 2 - math.Ldexp(1, 1-f.prec), 3, 0.5, 1.5, least,
		3 * least, 2 * least,
		normal, normal - least, normal + least, 1.5 * normal, largest, largest / 2, math.Ldexp(1, f.top-1),
		math.Ldexp(1, f.top-1-f.prec), math.Ldexp(1, f.top/2), math.Ldexp(one, -f.top/2),
		math.Ldexp(1, -f.prec), math.Ldexp(one, f.least/2)}
	for _, x := range all {
		all = append(all, -x)
	}
	return all
}

// random is a number of the format: any pattern, near a power of two, or with few bits, which makes
// ties.
func (f format) random(r *rand.Rand) float64 {
	significand := r.Uint64N(1 << (f.prec - 1))
	switch r.IntN(4) {
	case 0:
		significand = r.Uint64N(16)
	case 1:
		significand = 1<<(f.prec-1) - 1 - r.Uint64N(16)
	case 2:
		significand &= -(1 << r.IntN(f.prec-1))
	}
	significand |= 1 << (f.prec - 1)
	exp := f.least + r.IntN(f.top-f.least-f.prec+1)
	if r.IntN(8) == 0 { // subnormal
		significand >>= r.IntN(f.prec)
		exp = f.least
	}
	return math.Copysign(math.Ldexp(float64(significand), exp), float64(r.IntN(2))-0.5)
}

// fit rounds a float64 to the format somehow.
func (f format) fit(x float64) float64 {
	switch f {
	case binary16, bfloat16:
		if !finite(x) || x == 0 {
			return x
		}
		return f.round(value{v: exactFloat(x)}, rn)
	case binary32:
		return float64(float32(x))
	}
	return x
}

// near is x, moved by some last places.
func (f format) near(r *rand.Rand, x float64) float64 {
	return f.fit(x + float64(r.IntN(9)-4)*math.Ldexp(math.Abs(x), r.IntN(8)-3-f.prec))
}

// operands are random, and often such that something happens.
func (op *rounded) operands(r *rand.Rand) (a, b, c float64) {
	f := op.format
	a, b, c = f.random(r), f.random(r), f.random(r)
	edges := [...]float64{math.Ldexp(1, f.top-1), math.Ldexp(1, f.least), math.Ldexp(1, f.least+f.prec-1), 1,
		math.Ldexp(1, f.top-f.prec)}
	edge := edges[r.IntN(len(edges))] * (1 + r.Float64())
	switch kind := r.IntN(4); op.name {
	case "Fadd", "Dadd", "Fsub", "Dsub":
		switch kind {
		case 0: // cancel
			b = f.near(r, -a)
		case 1: // within some binades of each other
			b = f.near(r, math.Ldexp(b/math.Abs(b), math.Ilogb(a)+r.IntN(2*f.prec)-f.prec))
		case 2:
			a = f.near(r, edge)
			b = f.fit(math.Ldexp(b/a, math.Ilogb(a)))
		}
	case "Fmul", "Dmul":
		switch kind {
		case 0, 1: // land at an edge
			b = f.near(r, edge/a)
		}
	case "Fdiv", "Ddiv":
		switch kind {
		case 0:
			b = f.near(r, a/edge)
		case 1: // exact or nearly
			b = f.fit(math.Ldexp(float64(r.IntN(1<<12)+1), r.IntN(20)-10))
			a = f.near(r, f.fit(math.Ldexp(float64(r.IntN(1<<11)+1), r.IntN(20)-10))*b)
		}
	case "Fma", "Fmaf":
		switch kind {
		case 0:
			c = f.near(r, -a*b)
		case 1:
			c = f.fit(math.Ldexp(f.random(r)/f.random(r), math.Ilogb(a)+math.Ilogb(b)+r.IntN(4*f.prec)-2*f.prec))
		case 2:
			b = f.near(r, edge/a)
			c = f.near(r, []float64{-a * b, edge, math.Ldexp(a*b, -f.prec), -edge, math.Ldexp(1, f.least)}[r.IntN(5)])
		}
		if r.IntN(4) == 0 { // a product of few bits, which c brings to a tie or next to one
			a = f.fit(math.Ldexp(float64(r.IntN(64)+1), r.IntN(2*f.prec)))
			b = f.fit(math.Ldexp(float64(r.IntN(64)+1), r.IntN(2*f.prec)))
			c = f.near(r, math.Ldexp(a*b, r.IntN(4*f.prec)-2*f.prec))
		}
	case "Fsqrt", "Dsqrt":
		a = math.Abs(a)
		if kind == 0 { // a square of few bits, or next to one
			n := float64(r.Uint64N(1 << (f.prec / 2)))
			a = f.near(r, n*n)
		}
	case "Frsqrt":
		a = math.Abs(a)
	}
	if op.arity < 3 {
		c = 0
	}
	if op.arity < 2 {
		b = 0
	}
	return a, b, c
}

func TestRoundedArithmetic(t *testing.T) {
	for i := range roundedOps {
		op := &roundedOps[i]
		t.Run(op.name, func(t *testing.T) {
			t.Parallel()
			none := []float64{0}
			second, third := none, none
			if op.arity > 1 {
				second = op.corners()
			}
			if op.arity > 2 {
				third = op.corners()
			}
			for _, a := range op.corners() {
				for _, b := range second {
					for _, c := range third {
						op.check(t, a, b, c)
					}
				}
			}
			r := rand.New(rand.NewPCG(3, uint64(i)))
			cases := 50000 / thin
			if *exhaustive {
				cases = 1 << 23
			}
			for range cases {
				a, b, c := op.operands(r)
				op.check(t, a, b, c)
				if t.Failed() {
					return
				}
			}
		})
	}
}

// The directed functions must not be the same function: each mode has to be right where the others
// are wrong.
func TestModesDiffer(t *testing.T) {
	third := []float32{device.FdivRD(1, 3), device.FdivRU(1, 3)}
	if math.Float32bits(third[0])+1 != math.Float32bits(third[1]) {
		t.Errorf("1/3 is between %x and %x", third[0], third[1])
	}
	if got := device.FaddRD(1, -1); !sameNumber(float64(got), math.Copysign(0, -1)) {
		t.Error("1 - 1 is -0 in round-down mode")
	}
	if got := device.FmulRZ(math.MaxFloat32, -2); got != -math.MaxFloat32 {
		t.Errorf("overflow towards zero: %g", got)
	}
	if got := device.DmulRU(5e-324, 5e-324); got != 5e-324 {
		t.Errorf("underflow upwards: %g", got)
	}
}
