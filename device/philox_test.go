package device_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// The answers are those of kat_vectors in the distribution of Random123, for philox4x32 with 10 rounds.
func TestPhiloxKnownAnswers(t *testing.T) {
	const all = math.MaxUint32
	for _, v := range []struct {
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{want: [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{all, all, all, all}, [2]uint32{all, all}, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		var got [4]uint32
		got[0], got[1], got[2], got[3] = device.Philox4x32(v.counter[0], v.counter[1], v.counter[2], v.counter[3], v.key[0], v.key[1])
		if got != v.want {
			t.Errorf("counter %x, key %x: %x, want %x", v.counter, v.key, got, v.want)
		}
		// The same by cuRAND's numbers: the key is the seed, the low half of the counter counts
		// blocks of four words, the high half is the subsequence.
		offset := uint64(v.counter[1])<<32 | uint64(v.counter[0])
		if offset < 1<<62 {
			s := device.NewPhilox(uint64(v.key[1])<<32|uint64(v.key[0]), uint64(v.counter[3])<<32|uint64(v.counter[2]), 4*offset)
			if x := s.Uint4(); x != device.MakeUint4(v.want[0], v.want[1], v.want[2], v.want[3]) {
				t.Errorf("counter %x, key %x: %x, want %x", v.counter, v.key, x, v.want)
			}
		}
	}
}

// philoxWord is word n of a subsequence, from the counter it has: n/4 with the subsequence 2^64
// times, modulo 2^128.
func philoxWord(seed uint64, subsequence, n *big.Int) uint32 {
	c := new(big.Int).Lsh(subsequence, 64)
	c.Add(c, new(big.Int).Rsh(n, 2))
	var w [4]uint32
	for i := range w {
		w[i] = uint32(lowBits(new(big.Int).Rsh(c, uint(32*i)), 32))
	}
	w[0], w[1], w[2], w[3] = device.Philox4x32(w[0], w[1], w[2], w[3], uint32(seed), uint32(seed>>32))
	return w[lowBits(n, 2)]
}

// Whatever is called, the words come one after the other.
func TestPhiloxPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	ends := []uint64{0, 1, 3, 4, 5, 1<<34 - 4, 1<<34 - 1, 1<<34 + 1, 1 << 63, math.MaxUint64, math.MaxUint64 - 7}
	for range 3000 {
		seed, subsequence, offset := r.Uint64(), ends[r.IntN(len(ends))], ends[r.IntN(len(ends))]
		s := device.NewPhilox(seed, subsequence, offset)
		sub, n := unsigned(subsequence), unsigned(offset)
		expect := func(got uint32) {
			t.Helper()
			if want := philoxWord(seed, sub, n); got != want {
				t.Fatalf("seed %#x, subsequence %v, word %v: %#x, want %#x", seed, sub, n, got, want)
			}
			n.Add(n, big.NewInt(1))
		}
		for range 12 {
			switch r.IntN(6) {
			case 0, 1:
				expect(s.Uint32())
			case 2:
				x := s.Uint4()
				expect(x.X)
				expect(x.Y)
				expect(x.Z)
				expect(x.W)
			case 3:
				x := s.Uint64()
				expect(uint32(x))
				expect(uint32(x >> 32))
			case 4:
				skip := ends[r.IntN(len(ends))] + uint64(r.IntN(9))
				s.Skipahead(skip)
				n.Add(n, unsigned(skip))
			case 5:
				skip := ends[r.IntN(len(ends))]
				s.SkipaheadSequence(skip)
				sub.Add(sub, unsigned(skip))
			}
		}
	}
}

// Beyond the last word of a sequence comes the next sequence.
func TestPhiloxSequencesAreOne(t *testing.T) {
	s := device.NewPhilox(1, 6, 0)
	for range 4 {
		s.Skipahead(1<<64 - 1)
	}
	s.Skipahead(4 - 1) // 2^66 - 1 words
	next := device.NewPhilox(1, 7, 0)
	s.Uint32()
	if a, b := s.Uint32(), next.Uint32(); a != b {
		t.Errorf("%#x, want %#x", a, b)
	}
	last := device.NewPhilox(1, math.MaxUint64, 0)
	last.SkipaheadSequence(1)
	first := device.NewPhilox(1, 0, 0)
	if a, b := last.Uint32(), first.Uint32(); a != b {
		t.Errorf("after the last sequence %#x, want the first, %#x", a, b)
	}
}

// Uniform numbers as cuRAND's manual and the words have them. big.Float with 24 bits is float32
// arithmetic here, since nothing is subnormal.
func TestPhiloxUniform(t *testing.T) {
	a, b := device.NewPhilox(5, 0, 0), device.NewPhilox(5, 0, 0)
	single := func(x uint32) float32 {
		f := new(big.Float).SetPrec(24).SetUint64(uint64(x))
		f.SetMantExp(f, -32)
		v, _ := f.Add(f, big.NewFloat(0x1p-33)).Float32()
		return v
	}
	double := func(x, y uint32) float64 {
		f := new(big.Float).SetPrec(53).SetUint64(uint64(x) ^ uint64(y)<<21)
		f.SetMantExp(f, -53)
		v, _ := f.Add(f, big.NewFloat(0x1p-54)).Float64()
		return v
	}
	for range 20000 {
		if x, want := a.Uniform(), single(b.Uint32()); x != want || !(x > 0 && x <= 1) {
			t.Fatalf("Uniform %g, want %g", x, want)
		}
		x := b.Uint4()
		if got, want := a.Uniform4(), device.MakeFloat4(single(x.X), single(x.Y), single(x.Z), single(x.W)); got != want {
			t.Fatalf("Uniform4 %v, want %v", got, want)
		}
		if got, want := a.UniformDouble(), float64(uint64(b.Uint32())+1)/(1<<32); got != want {
			t.Fatalf("UniformDouble %g, want %g", got, want)
		}
		x = b.Uint4()
		if got, want := a.Uniform2Double(), device.MakeDouble2(double(x.X, x.Y), double(x.Z, x.W)); got != want {
			t.Fatalf("Uniform2Double %v, want %v", got, want)
		}
		x = b.Uint4()
		y := b.Uint4()
		if got, want := a.Uniform4Double(), device.MakeDouble4(double(x.X, x.Y), double(x.Z, x.W), double(y.X, y.Y), double(y.Z, y.W)); got != want {
			t.Fatalf("Uniform4Double %v, want %v", got, want)
		}
	}
	if single(math.MaxUint32) != 1 || single(0) != 0x1p-33 || double(1<<21-1, math.MaxUint32) != 1 {
		t.Error("the ends of (0, 1]")
	}
}

// nearUlps is whether x is within some units in the last place of want; bits is 24 or 53.
func nearUlps(x, want float64, bits int, ulps float64) bool {
	if x == want {
		return true
	}
	_, e := math.Frexp(want)
	return math.Abs(x-want) <= ulps*math.Ldexp(1, e-bits)
}

// Normal numbers are those of Box and Muller's formula, with the words that cuRAND takes for them.
func TestPhiloxNormal(t *testing.T) {
	for _, offset := range []uint64{0, 1, 2, 3} {
		a, b := device.NewPhilox(7, 1, offset), device.NewPhilox(7, 1, offset)
		polar := func(u, v float64) (float64, float64) {
			r := math.Sqrt(-2 * math.Log(u))
			// Sine and cosine are small where they cancel; reduced by hand they are not wrong there.
			turn := func(v float64) float64 { // sin(pi v)
				v = math.Mod(v, 2)
				sign := 1.0
				if v > 1 {
					v, sign = v-1, -1
				}
				if v > 0.5 {
					v = 1 - v
				}
				if v > 0.25 {
					return sign * math.Cos(math.Pi*(0.5-v))
				}
				return sign * math.Sin(math.Pi*v)
			}
			return r * turn(v), r * turn(v+0.5)
		}
		single := func(x, y uint32) (float64, float64) {
			return polar(float64(float32(float64(float32(x))*0x1p-32+0x1p-33)), (float64(y)+0.5)*0x1p-31)
		}
		double := func(x device.Uint4) (float64, float64) {
			z, w := uint64(x.X)^uint64(x.Y)<<21, uint64(x.Z)^uint64(x.W)<<21
			return polar(float64(z)*0x1p-53+0x1p-54, float64(w)*0x1p-52+0x1p-53)
		}
		check := func(name string, got, want float64, bits int, ulps float64) {
			t.Helper()
			// The reference has an angle that is rounded, which shows where the sine is small.
			if !nearUlps(got, want, bits, ulps) && math.Abs(got-want) > 2e-15 {
				t.Fatalf("%s: %.17g, want %.17g", name, got, want)
			}
		}
		for range 5000 {
			x, y := b.Uint32(), b.Uint32()
			u, v := single(x, y)
			check("Normal", float64(a.Normal()), u, 24, 0.51)
			// The words go on behind a pair; the spare number is kept over other calls.
			z := b.Uint4()
			two, three := single(z.X, z.Y)
			four, five := single(z.Z, z.W)
			n4 := a.Normal4()
			check("Normal4.X", float64(n4.X), two, 24, 0.51)
			check("Normal4.Y", float64(n4.Y), three, 24, 0.51)
			check("Normal4.Z", float64(n4.Z), four, 24, 0.51)
			check("Normal4.W", float64(n4.W), five, 24, 0.51)
			check("Normal, the second", float64(a.Normal()), v, 24, 0.51)
			x, y = b.Uint32(), b.Uint32()
			u, v = single(x, y)
			n2 := a.Normal2()
			check("Normal2.X", float64(n2.X), u, 24, 0.51)
			check("Normal2.Y", float64(n2.Y), v, 24, 0.51)

			u, v = double(b.Uint4())
			check("NormalDouble", a.NormalDouble(), u, 53, 8)
			check("NormalDouble, the second", a.NormalDouble(), v, 53, 8)
			u, v = double(b.Uint4())
			d2 := a.Normal2Double()
			check("Normal2Double.X", d2.X, u, 53, 8)
			check("Normal2Double.Y", d2.Y, v, 53, 8)
			u, v = double(b.Uint4())
			four, five = double(b.Uint4())
			d4 := a.Normal4Double()
			check("Normal4Double.X", d4.X, u, 53, 8)
			check("Normal4Double.Y", d4.Y, v, 53, 8)
			check("Normal4Double.Z", d4.Z, four, 53, 8)
			check("Normal4Double.W", d4.W, five, 53, 8)
		}
	}
}

func TestPhiloxLogNormal(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 6))
	for range 5000 {
		seed := r.Uint64()
		a, b := device.NewPhilox(seed, 0, 0), device.NewPhilox(seed, 0, 0)
		mean, stddev := float32(r.NormFloat64()*30), float32(r.ExpFloat64()*5)
		exp := func(x float32) float64 { return math.Exp(float64(mean + float32(stddev*x))) }
		check := func(name string, got float32, x float32) {
			t.Helper()
			// The rounding to float32, or to a subnormal one.
			if want := exp(x); float32(want) != got && !nearUlps(float64(got), want, 24, 0.51) {
				t.Fatalf("%s(%g, %g): %g, want %g", name, mean, stddev, got, want)
			}
		}
		x := b.Normal2()
		check("LogNormal", a.LogNormal(mean, stddev), x.X)
		check("LogNormal, the second", a.LogNormal(-1000, 0), x.Y) // made by the call before
		x = b.Normal2()
		l2 := a.LogNormal2(mean, stddev)
		check("LogNormal2.X", l2.X, x.X)
		check("LogNormal2.Y", l2.Y, x.Y)
		y := b.Normal4()
		l4 := a.LogNormal4(mean, stddev)
		check("LogNormal4.X", l4.X, y.X)
		check("LogNormal4.Y", l4.Y, y.Y)
		check("LogNormal4.Z", l4.Z, y.Z)
		check("LogNormal4.W", l4.W, y.W)

		m, d := float64(mean), float64(stddev)
		checkDouble := func(name string, got, x float64) {
			t.Helper()
			if want := math.Exp(m + d*x); !nearUlps(got, want, 53, 3) {
				t.Fatalf("%s(%g, %g): %.17g, want %.17g", name, mean, stddev, got, want)
			}
		}
		z := b.Normal2Double()
		checkDouble("LogNormalDouble", a.LogNormalDouble(m, d), z.X)
		checkDouble("LogNormalDouble, the second", a.LogNormalDouble(-1000, 0), z.Y)
		z = b.Normal2Double()
		d2 := a.LogNormal2Double(m, d)
		checkDouble("LogNormal2Double.X", d2.X, z.X)
		checkDouble("LogNormal2Double.Y", d2.Y, z.Y)
		w := b.Normal4Double()
		d4 := a.LogNormal4Double(m, d)
		checkDouble("LogNormal4Double.X", d4.X, w.X)
		checkDouble("LogNormal4Double.Y", d4.Y, w.Y)
		checkDouble("LogNormal4Double.Z", d4.Z, w.Z)
		checkDouble("LogNormal4Double.W", d4.W, w.W)
	}
	s := device.NewPhilox(1, 0, 0)
	for _, c := range []struct{ mean, want float64 }{
		{1000, math.Inf(1)}, {math.Inf(1), math.Inf(1)}, {-1000, 0}, {math.Inf(-1), 0}, {math.NaN(), math.NaN()}, {0, 1}, {709, math.Exp(709)}, {-745, 0x1p-1074},
	} {
		if got := s.LogNormal2Double(c.mean, 0); !sameFloat(got.X, c.want) && !nearUlps(got.X, c.want, 53, 1) {
			t.Errorf("LogNormal2Double(%g, 0) = %g, want %g", c.mean, got.X, c.want)
		}
	}
	// A number that Normal left is not LogNormal's.
	s = device.NewPhilox(1, 0, 0)
	other := s
	s.Normal()
	other.Normal2()
	if a, b := s.LogNormal(0, 1), other.LogNormal(0, 1); a != b {
		t.Errorf("%g, want %g", a, b)
	}
}

// chiSquare tests counts against expectations. With many degrees of freedom chi-square is nearly
// normal, with the mean d and the variance 2d; six sigma and a little is never seen by chance.
func chiSquare(t *testing.T, name string, counts []int, expected []float64) {
	t.Helper()
	var chi, d float64
	var poolCount, poolExpected float64
	for i, n := range counts {
		poolCount += float64(n)
		poolExpected += expected[i]
		if poolExpected < 20 && i < len(counts)-1 {
			continue
		}
		if poolExpected > 0 {
			chi += (poolCount - poolExpected) * (poolCount - poolExpected) / poolExpected
			d++
		}
		poolCount, poolExpected = 0, 0
	}
	d--
	if chi > d+6*math.Sqrt(2*d)+20 || chi < d-6*math.Sqrt(2*d)-20 {
		t.Errorf("%s: chi-square %.1f with %.0f degrees of freedom", name, chi, d)
	}
}

func TestPhiloxDistributions(t *testing.T) {
	const n = 200000
	s := device.NewPhilox(2024, 3, 0)
	uniform, normal, double, expected, even := make([]int, 64), make([]int, 64), make([]int, 64), make([]float64, 64), make([]float64, 64)
	for i := range expected {
		even[i] = n / 64
		// From -4 to 4 in steps of 1/8; the first and the last have the tails.
		cdf := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
		from, to := cdf(float64(i-32)/8), cdf(float64(i-31)/8)
		if i == 0 {
			from = 0
		}
		if i == 63 {
			to = 1
		}
		expected[i] = n * (to - from)
	}
	bin := func(x float64) int { return int(clampInt(int64(math.Floor(x*8)+32), 0, 63)) }
	for range n {
		uniform[min(int(s.Uniform()*64), 63)]++
		normal[bin(float64(s.Normal()))]++
		double[bin(s.NormalDouble())]++
	}
	chiSquare(t, "Uniform", uniform, even)
	chiSquare(t, "Normal", normal, expected)
	chiSquare(t, "NormalDouble", double, expected)
}

func TestPhiloxPoisson(t *testing.T) {
	const n = 100000
	s := device.NewPhilox(99, 0, 0)
	for _, mean := range []float64{1e-3, 0.5, 1, 5, 9.999, 10, 10.5, 12, 30, 100, 1000, 12345.678} {
		// Every k within ten standard deviations, by its probability.
		from := max(0, int(mean-10*math.Sqrt(mean))-20)
		to := int(mean+10*math.Sqrt(mean)) + 20
		counts, expected := make([]int, to-from), make([]float64, to-from)
		for i := range expected {
			k := float64(from + i)
			g, _ := math.Lgamma(k + 1)
			expected[i] = n * math.Exp(k*math.Log(mean)-mean-g)
		}
		for range n {
			k := int(s.Poisson(mean))
			if k < from || k >= to {
				t.Fatalf("Poisson(%g) = %d", mean, k)
			}
			counts[k-from]++
		}
		chiSquare(t, fmt.Sprintf("Poisson(%g)", mean), counts, expected)
	}
	for _, mean := range []float64{1e6, 4e9} {
		var sum, squares float64
		for range n {
			d := float64(s.Poisson(mean)) - mean
			sum += d
			squares += d * d
		}
		// The standard deviation of the mean is sqrt(mean/n), that of the variance sqrt(2/n) of it.
		if z := sum / n / math.Sqrt(mean/n); math.Abs(z) > 6 {
			t.Errorf("Poisson(%g): the mean is %.1f sigma off", mean, z)
		}
		if z := (squares/n/mean - 1) / math.Sqrt(2.0/n); math.Abs(z) > 6 {
			t.Errorf("Poisson(%g): the variance is %.1f sigma off", mean, z)
		}
	}
	for mean, want := range map[float64]uint32{0: 0, -1: 0, math.Inf(-1): 0, math.Inf(1): math.MaxUint32, 1e300: math.MaxUint32, math.SmallestNonzeroFloat64: 0} {
		if got := s.Poisson(mean); got != want {
			t.Errorf("Poisson(%g) = %d, want %d", mean, got, want)
		}
	}
	if got := s.Poisson(math.NaN()); got != 0 {
		t.Errorf("Poisson(NaN) = %d", got)
	}
}

// A *Philox serves math/rand/v2.
func TestPhiloxIsASource(t *testing.T) {
	a, b := device.NewPhilox(1, 2, 3), device.NewPhilox(1, 2, 3)
	perm := rand.New(&a).Perm(1000)
	if !slices.Equal(perm, rand.New(&b).Perm(1000)) {
		t.Error("the same seed gives another permutation")
	}
	slices.Sort(perm)
	for i, x := range perm {
		if i != x {
			t.Fatal("no permutation")
		}
	}
}

func ExamplePhilox() {
	// Words of subsequence 0 and seed 0 are those of the counter 0, 1, ... and the key 0.
	s := device.NewPhilox(0, 0, 0)
	fmt.Printf("%#x %#x\n", s.Uint32(), s.Uint32())
	fmt.Printf("%.6f\n", s.Uniform())
	// Output:
	// 0x6627e8d5 0xe169c58d
	// 0.735713
}

func ExamplePhilox4x32() {
	fmt.Printf("%08x\n", func() (r [4]uint32) {
		r[0], r[1], r[2], r[3] = device.Philox4x32(0, 0, 0, 0, 0, 0)
		return r
	}())
	// Output: [6627e8d5 e169c58d bc57ac4c 9b00dbd8]
}

func BenchmarkPhilox(b *testing.B) {
	s := device.NewPhilox(1, 0, 0)
	var x device.Float4
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"Uint4", func() { x.X += float32(s.Uint4().X) }},
		{"Uniform4", func() { x = x.Add(s.Uniform4()) }},
		{"Normal4", func() { x = x.Add(s.Normal4()) }},
	} {
		b.Run("func="+c.name, func(b *testing.B) {
			b.SetBytes(16)
			for b.Loop() {
				c.f()
			}
		})
	}
}
