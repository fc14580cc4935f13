package device_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/device/internal/exact"
)

// The float64 math library against big numbers. Each function is tried at random points of some
// spans, half of them spread evenly over the numbers of a span and half over their representations
// (so over all exponents), and at its hard points and their neighbours. With -exhaustive there are
// sixty times as many points. -v reports the largest errors.

type big64 = *big.Float

// A span64 of arguments, and how many points to try.
type span64 struct {
	from, to float64
	n        int
}

type unary64 struct {
	name  string
	f     func(float64) float64
	exact func(big64) big64
	bound float64 // table 8.13 of The CUDA Handbook, or the CUDA C++ Programming Guide
	found float64 // the largest error that the comment states
	spans []span64
	hard  []float64
}

const (
	least64 = math.SmallestNonzeroFloat64
	most64  = math.MaxFloat64
)

func unaries64() []unary64 {
	positive := []span64{{least64, most64, 3000}, {0.5, 2, 3000}, {0.99, 1.01, 1000}}
	angles := []span64{{-most64, most64, 3000}, {-10, 10, 4000}, {-2e6, 2e6, 2000}, {1e15, 1e17, 1000}}
	// 6381956970095103*2^797 is next to a multiple of pi/2 among all float64 (J.-M. Muller,
	// Elementary Functions); the others are multiples of pi/4 and what follows 2^20.
	turns := []float64{0x1.6ac5b262ca1ffp+849, 5.31937264832654141671e+255, math.Pi / 2, math.Pi, 3 * math.Pi / 2, 2 * math.Pi, math.Pi / 4, 3 * math.Pi / 4,
		22, 355, 1 << 20, 1<<20 + 1, 0x1p1023, 0x1.921fb54442d18p+20, 0x1.921fb54442d18p+21, 1e22, least64, 0x1p-1022, 11.0 / 7 * 1e5}
	units := []span64{{-1, 1, 4000}, {-1, -0.49, 1000}, {0.49, 1, 1000}}
	return []unary64{
		{"Sin", device.Sin, exact.Sin, 1, 0.81, angles, turns},
		{"Cos", device.Cos, exact.Cos, 1, 0.75, angles, turns},
		{"Tan", device.Tan, exact.Tan, 2, 0.89, angles, turns},
		{"Sinpi", device.Sinpi, exact.Sinpi, 1, 0.74, []span64{{-most64, most64, 3000}, {-3, 3, 4000}, {1e6, 1e16, 1000}}, []float64{0.25, 0.5, 0.75, 1, 1.25, least64, 0x1p-1022, 1e-310, 0x1p-1000, 0x1p52, 0x1p51 + 0.5}},
		{"Cospi", device.Cospi, exact.Cospi, 2, 0.71, []span64{{-most64, most64, 3000}, {-3, 3, 4000}, {1e6, 1e16, 1000}}, []float64{0.25, 0.5, 0.75, 1, 1.25, least64, 0x1p52, 0x1p51 + 0.5}},
		{"Asin", device.Asin, exact.Asin, 2, 0.62, units, []float64{0.5, -0.5, 1, -1, least64, 0x1p-27}},
		{"Acos", device.Acos, exact.Acos, 2, 0.61, units, []float64{0.5, -0.5, 1, -1, least64, 0x1p-27}},
		{"Atan", device.Atan, exact.Atan, 2, 0.63, []span64{{-most64, most64, 2000}, {-4, 4, 5000}}, []float64{0.4375, 0.6875, 1.1875, 2.4375, 1, least64, most64}},
		{"Sinh", device.Sinh, exact.Sinh, 1, 0.56, []span64{{-711, 711, 4000}, {-3, 3, 4000}}, []float64{22, 0.3466, 0.173, 710.4758600739439, 710.475860073944, 0x1p-28, least64, 711}},
		{"Cosh", device.Cosh, exact.Cosh, 1, 0.73, []span64{{-711, 711, 4000}, {-3, 3, 4000}}, []float64{22, 0.3466, 710.4758600739439, 710.475860073944, least64, 711}},
		{"Tanh", device.Tanh, exact.Tanh, 1, 0.57, []span64{{-20, 20, 4000}, {-1, 1, 4000}}, []float64{19.5, 19.06, 0.173, 0x1p-28, least64, 700}},
		{"Asinh", device.Asinh, exact.Asinh, 2, 0.86, []span64{{-most64, most64, 2000}, {-4, 4, 5000}}, []float64{0x1p28, 0x1p-28, least64, most64}},
		{"Acosh", device.Acosh, exact.Acosh, 2, 1.60, []span64{{1, most64, 2000}, {1, 4, 4000}, {1, 1.001, 2000}}, []float64{1, 0x1p28, most64}},
		{"Atanh", device.Atanh, exact.Atanh, 2, 0.51, units, []float64{0x1p-28, least64, 0x1p-1022, 1 - 0x1p-53}},
		{"Exp", device.Exp, exact.Exp, 1, 0.77, []span64{{-746, 710, 5000}, {-1, 1, 3000}, {-746, -708, 1000}}, []float64{709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412, -708.3964185322641, 0.34657359027997264, least64, 0x1p-54}},
		{"Exp2", device.Exp2, exact.Exp2, 1, 0.75, []span64{{-1076, 1024, 5000}, {-1, 1, 3000}, {-1076, -1021, 1000}}, []float64{1024, 1023.9999999999999, -1075, -1074.9999999999998, -1074, -1022, 0.5, least64}},
		{"Exp10", device.Exp10, exact.Exp10, 1, 0.75, []span64{{-324, 309, 5000}, {-1, 1, 3000}, {-324, -307, 1000}}, []float64{308.25471555991674, 308.2547155599168, -323.6072453387798, -323.60724533877976, 22, -5, least64}},
		{"Expm1", device.Expm1, exact.Expm1, 1, 0.87, []span64{{-60, 710, 4000}, {-2, 2, 5000}}, []float64{709.782712893384, 709.7827128933841, 0.34657359027997264, -0.34657359027997264, 36.7368005696771, 37, 38, least64, 0x1p-54, -37.42994775023704}},
		{"Log", device.Log, exact.Log, 1, 0.79, positive, []float64{1, math.Sqrt2, math.Sqrt2 / 2, least64, 0x1p-1022, most64, math.E}},
		{"Log2", device.Log2, exact.Log2, 1, 0.51, positive, []float64{1, math.Sqrt2, math.Sqrt2 / 2, least64, 0x1p-1022, most64}},
		{"Log10", device.Log10, exact.Log10, 1, 0.51, positive, []float64{1, math.Sqrt2, math.Sqrt2 / 2, least64, 0x1p-1022, most64, 1e22}},
		{"Log1p", device.Log1p, exact.Log1p, 1, 0.81, []span64{{-1 + 0x1p-53, most64, 3000}, {-0.9, 3, 4000}, {-0.01, 0.01, 2000}}, []float64{-1 + 0x1p-53, math.Sqrt2 - 1, math.Sqrt2/2 - 1, least64, 0x1p-54, 0x1p53, most64}},
		{"Sqrt", device.Sqrt, exact.Sqrt, 0.5, 0.5, []span64{{least64, most64, 2000}, {1, 4, 2000}}, nil},
		{"Rsqrt", device.Rsqrt, func(x big64) big64 { return exact.Quo(exact.New(1), exact.Sqrt(x)) }, 1, 0.51, []span64{{least64, most64, 4000}, {1, 4, 4000}}, []float64{1, 2, 4, least64, 0x1p-1000, 0x1p-1022, most64}},
		{"Cbrt", device.Cbrt, exact.Cbrt, 1, 0.57, []span64{{-most64, most64, 2000}, {1, 8, 4000}}, []float64{1, 8, 27, 1e9, least64, 0x1p-1022, most64}},
		{"Rcbrt", device.Rcbrt, func(x big64) big64 { return exact.Quo(exact.New(1), exact.Cbrt(x)) }, 1, 0.80, []span64{{-most64, most64, 2000}, {1, 8, 4000}}, []float64{1, 8, 27, 1e9, least64, 0x1p-1022, most64}},
		{"Erf", device.Erf, exact.Erf, 2, 0.88, []span64{{-6.5, 6.5, 3000}, {-2, 2, 3000}}, []float64{0.5, 1, 6, least64, 0x1p-1022, 1e-310, 0x1p-1000}},
		{"Erfc", device.Erfc, exact.Erfc, 4, 2.80, []span64{{-7, 28, 3000}, {0, 2, 2000}, {26, 28, 500}}, []float64{0.5, 26.543258454250983, 27.226017111108366, 27.3, least64}},
		{"Erfcx", device.Erfcx, exact.Erfcx, 3, 2.37, []span64{{-26.7, 28, 3000}, {-2, 2, 2000}, {28, most64, 500}}, []float64{0.5, -0.5, -26.628, 0x1p30, 3, most64, least64}},
		{"Normcdf", device.Normcdf, exact.Normcdf, 5, 3.19, []span64{{-38.6, 9, 3000}, {-3, 3, 3000}}, []float64{0, -0.7071067811865476, -37.5, -38.4, -38.5, least64}},
		{"Erfinv", device.Erfinv, exact.Erfinv, 5, 2.60, []span64{{-1 + 0x1p-53, 1 - 0x1p-53, 400}, {0.4, 1 - 0x1p-53, 300}}, []float64{0.5, 0.99832, 0.9983, 0.9999999, 1 - 0x1p-53, least64}},
		{"Erfcinv", device.Erfcinv, exact.Erfcinv, 8, 3.15, []span64{{least64, 1, 400}, {0, 2 - 0x1p-52, 400}}, []float64{0.5, 1, 1.5, 2 - 0x1p-52, least64, 0x1p-1022, 1e-7, 6e-36}},
		{"Normcdfinv", device.Normcdfinv, exact.Normcdfinv, 8, 3.83, []span64{{least64, 1, 400}, {0.001, 1 - 0x1p-53, 400}}, []float64{0.25, 0.5, 0.75, 1 - 0x1p-53, least64, 0x1p-1022}},
		{"Tgamma", device.Tgamma, exact.Tgamma, 8, 2.13, []span64{{-186, 172, 3000}, {-5, 13, 3000}, {-1, 1, 1000}}, []float64{0.5, 1, 1.5, 2, 2.5, 3, 12, 13, 20, 171.62437695630272, 171.6243769563028, -170.5, -177.78, -183.5, -0.5, 5.7e-309, 0x1p-60, least64 + 0x1p-1022, 1.4616321449683622}},
		{"Lgamma", device.Lgamma, exact.Lgamma, 4, 2.20, []span64{{-2, most64, 2000}, {0, 14, 3000}, {0.9, 2.1, 2000}, {-2, 0, 1000}, {12, 1e4, 500}}, []float64{0.5, 1 - 0x1p-53, 1 + 0x1p-52, 1.5, 2 - 0x1p-52, 2 + 0x1p-51, 2.5, 3, 12, 2.5e305, 2.556e305, 0x1p1000, least64, 1e-20, -1e-20, -1 + 0x1p-53}},
		// The zeros below -2. Table 8.13 of The CUDA Handbook has 4 ulp, with footnote 4: more
		// inside (-11.001, -2.2637).
		{"LgammaNegative", device.Lgamma, exact.Lgamma, 4, 1.26, []span64{{-12, -2, 3000}, {-200, -2, 2000}, {-0x1p60, -2, 500}}, []float64{-2.7476826467274127, -2.4570247382208006,
			-3.955294284858598, -3.14358088834998, -4.991544640560048, -4.039361839740537, -5.998607480080875, -5.0082181683225935,
			-6.999801507890638, -6.001385294453155, -7.999975197095821, -7.000198333407325, -8.999997244250977, -8.000024800270682,
			-9.99999972442663, -9.000002755714823, -12.000000000002087, -12.99999999983941, -16.000000000000046, -17.000000000000004, -2.5, -3.5, -30.000000000000004}},
		{"J0", device.J0, func(x big64) big64 { return exact.Jn(0, x) }, 7, 3.69, []span64{{0, 8, 2500}}, []float64{2.404825557695773, 5.520078110286311, 1.5, 4, 7, least64}},
		{"J1", device.J1, func(x big64) big64 { return exact.Jn(1, x) }, 7, 2.66, []span64{{least64, 8, 2500}}, []float64{3.8317059702075125, 7.015586669815619, 2, 5.4, least64, 0x1p-1022}},
		{"Y0", device.Y0, func(x big64) big64 { return exact.Yn(0, x) }, 7, 2.89, []span64{{least64, 8, 1000}, {0.3, 8, 1500}}, []float64{0.8935769662791675, 3.957678419314858, 7.086051060301773, 0.6, 1.3, 2.3, 5.5, least64}},
		{"Y1", device.Y1, func(x big64) big64 { return exact.Yn(1, x) }, 7, 3.58, []span64{{least64, 8, 1000}, {0.3, 8, 1500}}, []float64{2.197141326031017, 5.429681040794135, 1.3, 3.7, 7, 0x1p-500, least64, 4e-309}},
		{"CylBesselI0", device.CylBesselI0, func(x big64) big64 { return exact.In(0, x) }, 6, 2.66, []span64{{0, 714, 300}, {0, 40, 500}}, []float64{30, 713.98, 713.99, least64}},
		{"CylBesselI1", device.CylBesselI1, func(x big64) big64 { return exact.In(1, x) }, 6, 2.69, []span64{{least64, 714, 300}, {0, 40, 500}}, []float64{30, 713.98, 713.99, least64, 0x1p-1022}},
	}
}

// ordered maps float64 to integers in the same order, and back.
func ordered(x float64) int64 {
	b := int64(math.Float64bits(x))
	if b < 0 {
		return math.MinInt64 - b
	}
	return b
}

func unordered(n int64) float64 {
	if n < 0 {
		return math.Float64frombits(uint64(math.MinInt64 - n))
	}
	return math.Float64frombits(uint64(n))
}

// points returns arguments of a function.
func (u unary64) points(r *rand.Rand) []float64 {
	var list []float64
	for _, s := range u.spans {
		n := times64(s.n)
		a, b := ordered(s.from), ordered(s.to)
		for i := range n {
			var x float64
			if f := r.Float64(); i%2 == 0 {
				x = s.from*(1-f) + s.to*f
			} else {
				x = unordered(a + int64(r.Uint64N(uint64(b-a)+1)))
			}
			if x >= s.from && x <= s.to {
				list = append(list, x)
			}
		}
	}
	lo, hi := u.spans[0].from, u.spans[0].to
	for _, s := range u.spans {
		lo, hi = min(lo, s.from), max(hi, s.to)
	}
	for _, h := range u.hard {
		for _, x := range []float64{h, -h} {
			up, down := x, x
			for range 4 {
				for _, v := range []float64{up, down} {
					if v >= lo && v <= hi {
						list = append(list, v)
					}
				}
				up, down = math.Nextafter(up, math.Inf(1)), math.Nextafter(down, math.Inf(-1))
			}
		}
	}
	return list
}

// worst64 calls err for all points from several goroutines and returns the largest result with its
// point.
func worst64[P any](points []P, err func(P) float64) (largest float64, at P) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(points); i += workers {
				e := err(points[i])
				mu.Lock()
				if e > largest || e != e {
					largest, at = e, points[i]
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return largest, at
}

func TestMath64(t *testing.T) {
	for _, u := range unaries64() {
		t.Run(u.name, func(t *testing.T) {
			list := u.points(rand.New(rand.NewPCG(uint64(len(u.name)), 64)))
			e, at := worst64(list, func(x float64) float64 {
				if x == 0 || u.pole(x) {
					return 0 // special values have their own test
				}
				return exact.Ulps(u.f(x), u.exact(exact.New(x)))
			})
			t.Logf("%s: %d points, at most %.3f ulp, at %x (%g)", u.name, len(list), e, at, at)
			if !(e <= u.bound) {
				t.Errorf("%s(%x) = %x is off by %.2f ulp, more than %g", u.name, at, u.f(at), e, u.bound)
			}
			if !(e <= u.found) {
				t.Errorf("%s(%x) = %x is off by %.3f ulp, more than its comment says, %g", u.name, at, u.f(at), e, u.found)
			}
		})
	}
}

// pole reports whether the function has no finite value at x.
func (u unary64) pole(x float64) bool {
	switch u.name {
	case "Tgamma", "Lgamma", "LgammaNegative":
		return x < 0 && math.Trunc(x) == x
	case "Erfinv", "Atanh":
		return x == 1 || x == -1
	case "Erfcinv":
		return x == 2
	case "Normcdfinv":
		return x == 1
	}
	return false
}
