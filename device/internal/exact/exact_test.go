package exact_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device/internal/exact"
)

type num = *big.Float

func parse(t *testing.T, s string) num {
	t.Helper()
	f, _, err := big.ParseFloat(s, 10, 400, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// near reports whether got is want within 2^-bits of it.
func near(got, want num, bits int) bool {
	d := exact.Sub(got, want)
	if d.Sign() == 0 {
		return true
	}
	return want.Sign() != 0 && d.MantExp(nil) <= want.MantExp(nil)-bits
}

// Constants to 50 digits: OEIS A000796, A002162, A002392, A001620.
func TestConstants(t *testing.T) {
	for _, c := range []struct {
		name string
		got  num
		want string
	}{
		{"Pi", exact.Pi(), "3.14159265358979323846264338327950288419716939937510"},
		{"Ln2", exact.Ln2(), "0.69314718055994530941723212145817656807550013436025"},
		{"Ln10", exact.Ln10(), "2.30258509299404568401799145468436420760110148862877"},
		{"Euler", exact.Euler(), "0.57721566490153286060651209008240243104215933593992"},
	} {
		if !near(c.got, parse(t, c.want), 160) {
			t.Errorf("%s = %.50g, want %s", c.name, c.got, c.want)
		}
	}
}

func order(n int, f func(int, num) num) func(num) num {
	return func(x num) num { return f(n, x) }
}

// Values to 40 digits by mpmath 1.3, an independent library, at the exact value of each float64.
func TestTable(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(num) num
		x    float64
		want string
	}{
		{"Exp", exact.Exp, 1.0, "2.718281828459045235360287471352662497757"},
		{"Exp", exact.Exp, -700.5, "5.980196118639791206412107330495100047981e-305"},
		{"Exp", exact.Exp, 1e-300, "1.0"},
		{"Expm1", exact.Expm1, 1e-300, "1.000000000000000025059091835208759685696e-300"},
		{"Expm1", exact.Expm1, -0.25, "-2.211992169285951317548297330216793527032e-1"},
		{"Expm1", exact.Expm1, 50.0, "5.184705528587072464086453322933485384827e+21"},
		{"Log", exact.Log, 2.0, "6.931471805599453094172321214581765680755e-1"},
		{"Log", exact.Log, 1e+300, "6.907755278982137052579021966605136811507e+2"},
		{"Log", exact.Log, 1.0000000000000002, "2.220446049250312834328230454615487925982e-16"},
		{"Log1p", exact.Log1p, -0.9999999999999999, "-3.6736800569677101399113302437283358108e+1"},
		{"Log1p", exact.Log1p, 1e-300, "1.000000000000000025059091835208759685696e-300"},
		{"Log1p", exact.Log1p, 0.3, "2.62364264467491043495318874379750203632e-1"},
		{"Log2", exact.Log2, 3.0, "1.58496250072115618145373894394781650876"},
		{"Log10", exact.Log10, 3.0, "4.771212547196624372950279032551153092001e-1"},
		{"Cbrt", exact.Cbrt, -2.0, "-1.259921049894873164767210607278228350570"},
		{"Exp2", exact.Exp2, 0.3, "1.231144413344916275025146360092407093706"},
		{"Exp10", exact.Exp10, 0.3, "1.995262314968879550345909042811413385535"},
		{"Sin", exact.Sin, 1.0, "8.414709848078965066525023216302989996226e-1"},
		{"Sin", exact.Sin, 5.319372648326541e+255, "9.999999999999999999999999999999999998902e-1"},
		{"Sin", exact.Sin, 1e+308, "4.533964905016491165541812701990494883508e-1"},
		{"Sin", exact.Sin, -3.141592653589793, "-1.224646799147353177226065932274997997083e-16"},
		{"Cos", exact.Cos, 1.0, "5.403023058681397174009366074429766037323e-1"},
		{"Cos", exact.Cos, 5.319372648326541e+255, "-4.687165924254627611122582801963884398778e-19"},
		{"Cos", exact.Cos, -1e+22, "5.232147853951389454975944733847094921409e-1"},
		{"Tan", exact.Tan, 1.0, "1.557407724654902230506974807458360173087"},
		{"Tan", exact.Tan, 1.5707963267948966, "1.633123935319536975596773704152891653086e+16"},
		{"Sinpi", exact.Sinpi, 0.3, "8.090169943749474036011167665330884372446e-1"},
		{"Sinpi", exact.Sinpi, -1e-300, "-3.141592653589793317188102198403311960443e-300"},
		{"Sinpi", exact.Sinpi, 4503599627370495.5, "-1.0"},
		{"Sinpi", exact.Sinpi, 1.75, "-7.071067811865475244008443621048490392848e-1"},
		{"Cospi", exact.Cospi, 0.3, "5.877852522924731573861548449791291541214e-1"},
		{"Cospi", exact.Cospi, 2.25, "7.071067811865475244008443621048490392848e-1"},
		{"Asin", exact.Asin, 0.5, "5.235987755982988730771072305465838140329e-1"},
		{"Asin", exact.Asin, 0.9999999999999999, "1.570796311893735425383665303776316016594"},
		{"Asin", exact.Asin, -1e-300, "-1.000000000000000025059091835208759685696e-300"},
		{"Acos", exact.Acos, 0.5, "1.047197551196597746154214461093167628066"},
		{"Acos", exact.Acos, 0.9999999999999999, "1.49011611938476563878634354255046159224e-8"},
		{"Acos", exact.Acos, -0.5, "2.094395102393195492308428922186335256131"},
		{"Atan", exact.Atan, 1e-300, "1.000000000000000025059091835208759685696e-300"},
		{"Atan", exact.Atan, 1.0, "7.853981633974483096156608458198757210493e-1"},
		{"Atan", exact.Atan, -1e+300, "-1.570796326794896619231321691639751442099"},
		{"Atan", exact.Atan, 0.5, "4.636476090008061162142562314612144020285e-1"},
		{"Sinh", exact.Sinh, 0.001, "1.000000166666675020816890532764576785913e-3"},
		{"Sinh", exact.Sinh, -2.0, "-3.626860407847018767668213982801261704886"},
		{"Sinh", exact.Sinh, 700.0, "5.071160273675022547276647976156338076023e+303"},
		{"Cosh", exact.Cosh, 0.001, "1.000000500000041666668076372265538311943"},
		{"Cosh", exact.Cosh, -2.0, "3.762195691083631459562213477773746108294"},
		{"Cosh", exact.Cosh, 700.0, "5.071160273675022547276647976156338076023e+303"},
		{"Tanh", exact.Tanh, 0.001, "9.999996666668000207626926629550768958706e-4"},
		{"Tanh", exact.Tanh, -2.0, "-9.64027580075816883946413724100923150255e-1"},
		{"Tanh", exact.Tanh, 20.0, "9.999999999999999915032914894168220454386e-1"},
		{"Asinh", exact.Asinh, 1e-300, "1.000000000000000025059091835208759685696e-300"},
		{"Asinh", exact.Asinh, -2.0, "-1.443635475178810342493276740273105269406"},
		{"Asinh", exact.Asinh, 1e+200, "4.612101657793690820827486452708413792897e+2"},
		{"Acosh", exact.Acosh, 1.0000000000000002, "2.107342425544701550354780375182800088393e-8"},
		{"Acosh", exact.Acosh, 2.0, "1.316957896924816708625046347307968444027"},
		{"Acosh", exact.Acosh, 10000000000.0, "2.371899811050040214959464666830181864409e+1"},
		{"Atanh", exact.Atanh, 0.001, "1.000000333333533354292893115725891767912e-3"},
		{"Atanh", exact.Atanh, -0.9999999999999999, "-1.871497387511852332650969166374185305708e+1"},
		{"Erf", exact.Erf, 1e-300, "1.128379167095512602172316076304365057618e-300"},
		{"Erf", exact.Erf, 0.5, "5.204998778130465376827466538919645287365e-1"},
		{"Erf", exact.Erf, -3.0, "-9.999779095030014145586272238704176796202e-1"},
		{"Erf", exact.Erf, 14.0, "1.0"},
		{"Erfc", exact.Erfc, -2.0, "1.995322265018952734162069256367252928611"},
		{"Erfc", exact.Erfc, 0.5, "4.795001221869534623172533461080354712635e-1"},
		{"Erfc", exact.Erfc, 5.0, "1.537459794428034850188343485383378890118e-12"},
		{"Erfc", exact.Erfc, 12.9, "2.336659258695422017300276220073046590035e-74"},
		{"Erfc", exact.Erfc, 13.1, "1.269467136491077974593073990665961109318e-76"},
		{"Erfc", exact.Erfc, 27.0, "5.237048923789255685016067682849547090934e-319"},
		{"Erfcx", exact.Erfcx, -3.0, "1.620598885399958662546957408405020630904e+4"},
		{"Erfcx", exact.Erfcx, 0.5, "6.156903441929258748707934226837419367823e-1"},
		{"Erfcx", exact.Erfcx, 12.9, "4.360538445831917850453796910165897550436e-2"},
		{"Erfcx", exact.Erfcx, 13.1, "4.294350635909062234444200818054894249866e-2"},
		{"Erfinv", exact.Erfinv, 0.5, "4.76936276204469873381418353643130559809e-1"},
		{"Erfinv", exact.Erfinv, -0.99, "-1.821386367718449455872802051270319717557"},
		{"Erfinv", exact.Erfinv, 1e-300, "8.862269254527580358571256534259430638763e-301"},
		{"Normcdf", exact.Normcdf, -1.0, "1.586552539314570514147674543679620775221e-1"},
		{"Normcdf", exact.Normcdf, 2.0, "9.772498680518207927997173628334665625282e-1"},
		{"Tgamma", exact.Tgamma, 0.5, "1.772453850905516027298167483341145182798"},
		{"Tgamma", exact.Tgamma, 5.0, "2.4e+1"},
		{"Tgamma", exact.Tgamma, -1.5, "2.363271801207354703064223311121526910397"},
		{"Tgamma", exact.Tgamma, 100.25, "2.948466281838769970009845211069601753954e+156"},
		{"Tgamma", exact.Tgamma, 1e-300, "9.999999999999999749409081647912409422619e+299"},
		{"Lgamma", exact.Lgamma, 0.5, "5.723649429247000870717136756765293558236e-1"},
		{"Lgamma", exact.Lgamma, 1.0000000000000002, "-1.281676242696000840264646457728320976417e-16"},
		{"Lgamma", exact.Lgamma, 100.25, "3.602845596377642349684133059592857003915e+2"},
		{"Lgamma", exact.Lgamma, -2.5, "-5.624371649767405067259453009765428412294e-2"},
		{"Lgamma", exact.Lgamma, -2.4570247382208006, "5.619192358950096450912568516947339310819e-17"},
		{"Lgamma", exact.Lgamma, -100.5, "-3.649009683094273518227565704629957760343e+2"},
		{"Jn", order(0, exact.Jn), 1.0, "7.651976865579665514497175261026632209093e-1"},
		{"Jn", order(0, exact.Jn), 2.404825557695773, "-6.108765259736730397081979074235388478631e-17"},
		{"Jn", order(0, exact.Jn), 99.5, "-1.954306640744078355662028783561435705159e-2"},
		{"Jn", order(0, exact.Jn), 100.5, "5.443657381441359098961863479632061625369e-2"},
		{"Jn", order(1, exact.Jn), 1.0, "4.400505857449335159596822037189149131274e-1"},
		{"Jn", order(1, exact.Jn), 7.0, "-4.682823482345832699113806196312999553417e-3"},
		{"Jn", order(1, exact.Jn), 250.0, "-4.326903841033074951080911453265756846258e-2"},
		{"Jn", order(20, exact.Jn), 3.0, "1.227594673799298649572727859826874033748e-15"},
		{"Jn", order(20, exact.Jn), 50.0, "-1.167043527595797373414581890625995044871e-1"},
		{"Jn", order(20, exact.Jn), 150.0, "6.34472409538619729332876395536808275345e-2"},
		{"Yn", order(0, exact.Yn), 1.0, "8.825696421567695798292676602351516282782e-2"},
		{"Yn", order(0, exact.Yn), 0.8935769662791675, "-2.33892792840621031186921539341542974885e-17"},
		{"Yn", order(0, exact.Yn), 99.5, "-7.756401519388381423118058283259357060273e-2"},
		{"Yn", order(0, exact.Yn), 100.5, "-5.80612275703557485071687408440020540222e-2"},
		{"Yn", order(0, exact.Yn), 1e-05, "-7.403160283701970080519318914162004510868"},
		{"Yn", order(1, exact.Yn), 1.0, "-7.812128213002887165471500000479648205499e-1"},
		{"Yn", order(1, exact.Yn), 7.0, "-3.026672370241848700607681695583949683413e-1"},
		{"Yn", order(1, exact.Yn), 250.0, "2.596699218548458226149275236006899756293e-2"},
		{"Yn", order(20, exact.Yn), 3.0, "-1.311354004175744639729337123612220944171e+13"},
		{"Yn", order(20, exact.Yn), 50.0, "1.644263394811577765001393446167824596349e-2"},
		{"Yn", order(20, exact.Yn), 150.0, "-1.602462905256034496615916964562403068849e-2"},
		{"In", order(0, exact.In), 1.0, "1.266065877752008335598244625214717537608"},
		{"In", order(0, exact.In), 50.0, "2.932553783849336326654675079456853858051e+20"},
		{"In", order(1, exact.In), 1.0, "5.651591039924850272076960276098633073289e-1"},
		{"In", order(1, exact.In), 50.0, "2.903078590103556796751433255432087978298e+20"},
		{"Erfcinv", exact.Erfcinv, 1e-100, "15.06557470259264570374256652547838125952"},
		{"Erfcinv", exact.Erfcinv, 0.75, "0.2253120550121781047250140139522775547821"},
	} {
		if got := c.f(exact.New(c.x)); !near(got, parse(t, c.want), 125) {
			t.Errorf("%s(%g) = %.40g, want %s", c.name, c.x, got, c.want)
		}
	}
}

// Values of Abramowitz and Stegun, Handbook of Mathematical Functions: tables 4.6, 6.1, 7.1, 9.1
// and 9.8.
func TestAbramowitzStegun(t *testing.T) {
	for _, c := range []struct {
		name string
		got  num
		want float64
		unit float64 // of the last digit printed
	}{
		{"gamma(1.5)", exact.Tgamma(exact.New(1.5)), 0.8862269255, 1e-10},
		{"erf(0.5)", exact.Erf(exact.New(0.5)), 0.5204998778, 1e-10},
		{"erf(1)", exact.Erf(exact.New(1)), 0.8427007929, 1e-10},
		{"J0(1)", exact.Jn(0, exact.New(1)), 0.765197686557967, 1e-15},
		{"J1(1)", exact.Jn(1, exact.New(1)), 0.4400505857, 1e-10},
		{"Y0(1)", exact.Yn(0, exact.New(1)), 0.0882569642, 1e-10},
		{"Y1(1)", exact.Yn(1, exact.New(1)), -0.7812128213, 1e-10},
	} {
		if g, _ := c.got.Float64(); math.Abs(g-c.want) > 0.51*c.unit {
			t.Errorf("%s = %.16g, the table has %.16g", c.name, g, c.want)
		}
	}
}

func TestIdentities(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	one := exact.New(1)
	for range 60 {
		x := exact.New(math.Ldexp(r.Float64()+0.5, r.IntN(40)-20))
		s, c := exact.Sincos(x)
		if sum := exact.Add(exact.Mul(s, s), exact.Mul(c, c)); !near(sum, one, 300) {
			t.Errorf("sin^2 + cos^2 = %g at %g", sum, x)
		}
		if y := exact.Exp(exact.Log(x)); !near(y, x, 290) {
			t.Errorf("e^log(%g) = %g", x, y)
		}
		if y := exact.Tan(exact.Atan(x)); !near(y, x, 250) {
			t.Errorf("tan(atan(%g)) = %g", x, y)
		}
		if y := exact.Sinh(exact.Asinh(x)); !near(y, x, 250) {
			t.Errorf("sinh(asinh(%g)) = %g", x, y)
		}
		z := exact.New(r.Float64()*30 + 0.1)
		if a, b := exact.Tgamma(exact.Add(z, one)), exact.Mul(z, exact.Tgamma(z)); !near(a, b, 250) {
			t.Errorf("gamma(z+1) = %g, z gamma(z) = %g at %g", a, b, z)
		}
		// The Wronskian, DLMF 10.5.2, on both sides of where Hankel's expansion takes over.
		b := exact.New(r.Float64() * 200)
		w := exact.Sub(exact.Mul(exact.Jn(1, b), exact.Yn(0, b)), exact.Mul(exact.Jn(0, b), exact.Yn(1, b)))
		if want := exact.Quo(exact.New(2), exact.Mul(exact.Pi(), b)); !near(w, want, 150) {
			t.Errorf("the Wronskian is %g, not %g, at %g", w, want, b)
		}
		y := exact.New(r.Float64())
		if v := exact.Erf(exact.Erfinv(y)); !near(v, y, 190) {
			t.Errorf("erf(erfinv(%g)) = %g", y, v)
		}
	}
}

func TestUlps(t *testing.T) {
	third := exact.Quo(exact.New(1), exact.New(3))
	huge := exact.Mul(exact.New(math.MaxFloat64), exact.New(4))
	half := exact.Mul(exact.New(math.SmallestNonzeroFloat64), exact.New(0.5))
	for i, c := range []struct {
		got  float64
		want num
		ulps float64
	}{
		{1, exact.New(1), 0},
		{1 + 0x1p-52, exact.New(1), 1},
		{1 - 0x1p-53, exact.New(1), 0.5}, // of the place above 1
		{1.0 / 3, third, 1.0 / 3},
		{0, half, 0.5},
		{math.SmallestNonzeroFloat64, half, 0.5},
		{math.Inf(1), huge, 0},
		{math.MaxFloat64, huge, 1},
		{math.Inf(1), exact.New(math.MaxFloat64), 1},
		{math.Inf(-1), huge, 0x1p54},
		{math.NaN(), third, math.Inf(1)},
	} {
		if g := exact.Ulps(c.got, c.want); math.Abs(g-c.ulps) > 1e-12 {
			t.Errorf("%d: Ulps(%g, %g) = %g, want %g", i, c.got, c.want, g, c.ulps)
		}
	}
	if g := exact.Ulps32(1+0x1p-23, exact.New(1)); g != 1 {
		t.Errorf("Ulps32 = %g, want 1", g)
	}
}
