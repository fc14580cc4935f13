package rpes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/rpes"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// integrals computes all integrals of shells.
func integrals[T kernels.Float](t *testing.T, on kernels.Launcher, shells []rpes.Shell) []T {
	t.Helper()
	v := make([]T, rpes.Count(rpes.Functions(shells)))
	require.NoError(t, rpes.Integrals(t.Context(), on, shells, v))
	return v
}

// serial computes them in float64.
func reference(shells []rpes.Shell) []float64 {
	v := make([]float64, rpes.Count(rpes.Functions(shells)))
	serial.RPESIntegrals(shells, v)
	return v
}

// unit is the largest relative error of one rounding to T.
func unit[T kernels.Float]() float64 {
	if T(1)+T(0x1p-40) == 1 {
		return 0x1p-24
	}
	return 0x1p-53
}

// size is a bound of an integral's absolute contributions, for tolerances: sums of primitives, each
// at most its own repulsion with itself (Schwarz), with coefficients without their signs.
func sizes(shells []rpes.Shell) []float64 {
	positive := make([]rpes.Shell, len(shells))
	for i, s := range shells {
		positive[i] = s
		positive[i].Coefficients = nil
		for _, c := range s.Coefficients {
			positive[i].Coefficients = append(positive[i].Coefficients, math.Abs(c))
		}
	}
	v := reference(positive)
	n := rpes.Functions(shells)
	out := make([]float64, len(v))
	for i := range n {
		for j := range i + 1 {
			for k := range n {
				for l := range k + 1 {
					own := math.Sqrt(v[rpes.Index(i, j, i, j)] * v[rpes.Index(k, l, k, l)])
					out[rpes.Index(i, j, k, l)] = own
				}
			}
		}
	}
	return out
}

// random makes shells at random places, with random exponents: of so many primitives each, s and p
// in turn.
func random(n, primitives int) []rpes.Shell {
	r := rand.New(rand.NewPCG(9, uint64(n)))
	shells := make([]rpes.Shell, n)
	for i := range shells {
		s := &shells[i]
		s.L = i % 2
		for d := range s.Center {
			s.Center[d] = 3 * r.NormFloat64()
		}
		for range primitives {
			s.Exponents = append(s.Exponents, math.Exp(2*r.NormFloat64()))
			s.Coefficients = append(s.Coefficients, r.NormFloat64())
		}
	}
	return shells
}

func water() []rpes.Atom { // the geometry of Crawford's programming projects, in bohr
	return []rpes.Atom{{Symbol: "O", At: [3]float64{0, -0.143225816552, 0}}, {Symbol: "H", At: [3]float64{1.638036840407, 1.136548822547, 0}}, {Symbol: "H", At: [3]float64{-1.638036840407, 1.136548822547, 0}}}
}

func TestIndex(t *testing.T) {
	n := 4
	seen := map[int][4]int{}
	for i := range n {
		for j := range i + 1 {
			for k := range n {
				for l := range k + 1 {
					p, q := i*(i+1)/2+j, k*(k+1)/2+l
					at := rpes.Index(i, j, k, l)
					for _, other := range []int{rpes.Index(j, i, k, l), rpes.Index(i, j, l, k), rpes.Index(j, i, l, k), rpes.Index(k, l, i, j), rpes.Index(l, k, i, j), rpes.Index(k, l, j, i), rpes.Index(l, k, j, i)} {
						require.Equal(t, at, other)
					}
					if before, ok := seen[at]; ok && p >= q {
						require.Fail(t, "twice", "%v and %v", before, [4]int{i, j, k, l})
					}
					if p >= q {
						seen[at] = [4]int{i, j, k, l}
					}
				}
			}
		}
	}
	assert.Len(t, seen, rpes.Count(n))
	assert.Equal(t, 0, rpes.Count(-1))
	assert.Equal(t, 0, rpes.Count(1<<20))
}

// H2 of Szabo and Ostlund, Modern Quantum Chemistry, table 3.5 and appendix B: R = 1.4, zeta 1.24.
func TestHydrogenMolecule(t *testing.T) {
	exponents, coefficients := []float64{.168856, .623913, 3.42525}, []float64{.444635, .535328, .154329}
	shells := []rpes.Shell{{Center: [3]float64{}, Exponents: exponents, Coefficients: coefficients}, {Center: [3]float64{1.4, 0, 0}, Exponents: exponents, Coefficients: coefficients}}
	for _, dev := range kerneltest.Devices(t) {
		check := func(v []float64, tol float64) {
			for _, c := range []struct {
				i, j, k, l int
				want       float64
			}{{0, 0, 0, 0, .774608}, {0, 0, 1, 1, .569678}, {1, 0, 0, 0, .444109}, {1, 0, 1, 0, .297029}, {1, 1, 1, 1, .774608}, {1, 0, 1, 1, .444109}} {
				assert.InDelta(t, c.want, v[rpes.Index(c.i, c.j, c.k, c.l)], tol, "%s: %+v", dev.Name, c)
			}
		}
		check(integrals[float64](t, dev, shells), 1e-6)
		narrow := integrals[float32](t, dev, shells)
		wide := make([]float64, len(narrow))
		for i, v := range narrow {
			wide[i] = float64(v)
		}
		check(wide, 2e-6)
	}
	check := reference(shells)
	assert.InDelta(t, .774608, check[0], 1e-6)
}

// The reference against an independent way, contracted, with p functions everywhere.
func TestSerialAgainstMcMurchieDavidson(t *testing.T) {
	shells := random(4, 2)
	shells[3].Center = shells[1].Center // on one center
	if kerneltest.Devices(t)[0].Slow {
		shells = shells[:3]
	}
	got, functions := reference(shells), expand(shells)
	n := len(functions)
	for i := range n {
		for j := range i + 1 {
			for k := range i + 1 {
				for l := range k + 1 {
					if (i+j+k+l)%3 > 0 && n > 5 {
						continue // a third of them
					}
					want, size := repulsion(functions[i], functions[j], functions[k], functions[l])
					require.InDelta(t, want, got[rpes.Index(i, j, k, l)], 1e-12*size+1e-15, "(%d %d|%d %d)", i, j, k, l)
				}
			}
		}
	}
}

// A p function is the derivative of an s function by its center: p_x = d s/d A_x / sqrt(a), of
// normalized primitives. So integrals with p functions are derivatives of integrals of s functions.
func TestPShellsAreDerivatives(t *testing.T) {
	s := random(4, 1)
	for i := range s {
		s[i].L = 0
		s[i].Coefficients[0] = 1
		s[i].Exponents[0] = min(s[i].Exponents[0], 2)
		for d := range 3 {
			s[i].Center[d] /= 4
		}
	}
	f := func(move [4][3]float64) float64 {
		moved := append([]rpes.Shell(nil), s...)
		for i := range moved {
			for d := range 3 {
				moved[i].Center[d] += move[i][d]
			}
		}
		return reference(moved)[rpes.Index(0, 1, 2, 3)]
	}
	const h = 1e-3
	p := append([]rpes.Shell(nil), s...)
	p[0].L = 1
	got := integrals[float64](t, gocuda.Default(), p) // functions 0, 1, 2 are p, and 3, 4, 5 are s
	scale := f([4][3]float64{})
	require.Greater(t, math.Abs(scale), 0.01)
	for x := range 3 {
		var far, near float64
		for _, step := range []struct{ by, w float64 }{{h, 1}, {-h, -1}} {
			var m [4][3]float64
			m[0][x] = step.by
			near += step.w * f(m)
			m[0][x] = 2 * step.by
			far += step.w * f(m)
		}
		want := (8*near - far) / (12 * h) / math.Sqrt(s[0].Exponents[0])
		assert.InDelta(t, want, got[rpes.Index(x, 3, 4, 5)], 1e-10*math.Abs(scale), "axis %d", x)
	}
	p[2].L = 1
	got = integrals[float64](t, gocuda.Default(), p) // functions 4, 5, 6 are p as well
	for x := range 3 {
		for y := range 3 {
			sum := 0.0
			for _, a := range []float64{1, -1} {
				for _, b := range []float64{1, -1} {
					var m [4][3]float64
					m[0][x], m[2][y] = a*h, b*h
					sum += a * b * f(m)
				}
			}
			want := sum / (4 * h * h) / math.Sqrt(s[0].Exponents[0]*s[2].Exponents[0])
			assert.InDelta(t, want, got[rpes.Index(x, 3, 4+y, 7)], 1e-5*math.Abs(scale), "axes %d, %d", x, y)
		}
	}
}

func TestIntegralsAgainstSerial(t *testing.T) {
	t.Run("float32", testIntegrals[float32])
	t.Run("float64", testIntegrals[float64])
}

func testIntegrals[T kernels.Float](t *testing.T) {
	type molecule struct {
		name   string
		shells []rpes.Shell
	}
	var all []molecule
	add := func(name string, shells []rpes.Shell) { all = append(all, molecule{name, shells}) }
	h := func(n int) (s []rpes.Shell) {
		for i := range n {
			s = append(s, rpes.Slater(0, [3]float64{1.4 * float64(i), float64(i*i%7) / 3, 0}, 1.24))
		}
		return s
	}
	add("nothing", nil)
	add("one atom", h(1))
	add("one p shell", []rpes.Shell{rpes.Slater(1, [3]float64{1, 2, 3}, 1.72)})
	o, err := rpes.STO3G(water())
	require.NoError(t, err)
	add("water", o)
	add("random", random(3, 2))
	add("far apart", []rpes.Shell{rpes.Slater(1, [3]float64{}, 2.25), rpes.Slater(1, [3]float64{90, -80, 70}, 1.72), rpes.Slater(0, [3]float64{300, 0, 0}, 7.66)})
	add("different lengths", append(random(2, 1), random(1, 3)...))
	add("eleven atoms, 66 pairs", h(11))
	add("random of six shells", random(6, 1))
	wants, tolerances := map[string][]float64{}, map[string][]float64{}
	for _, dev := range kerneltest.Devices(t) {
		few := len(all)
		if dev.Slow {
			few = 3
		}
		for _, m := range all[:few] {
			if wants[m.name] == nil {
				wants[m.name], tolerances[m.name] = reference(m.shells), sizes(m.shells)
			}
			got := integrals[T](t, dev, m.shells)
			slicetest.Within(t, wants[m.name], got, func(i int) float64 { return 64*unit[T]()*tolerances[m.name][i] + 1e-37 }, "%s, %s", dev.Name, m.name)
		}
	}
}

// The integrals do not depend on the order of the atoms: all eight ways to write one are computed
// as others are.
func TestEightfoldSymmetry(t *testing.T) {
	shells := random(5, 2)
	order := []int{3, 0, 4, 2, 1}
	other := make([]rpes.Shell, len(shells))
	var first []int
	n := 0
	for _, s := range shells {
		first = append(first, n)
		n += 2*s.L + 1
	}
	place, at := make([]int, n), 0 // of each function in the other order
	for k, i := range order {
		other[k] = shells[i]
		for c := range 2*shells[i].L + 1 {
			place[first[i]+c] = at
			at++
		}
	}
	a, b, tol := integrals[float64](t, gocuda.Default(), shells), integrals[float64](t, gocuda.Default(), other), sizes(shells)
	for i := range n {
		for j := range n {
			for k := range n {
				for l := range n {
					at := rpes.Index(i, j, k, l)
					require.InDelta(t, a[at], b[rpes.Index(place[i], place[j], place[k], place[l])], 128*0x1p-53*tol[at], "(%d %d|%d %d)", i, j, k, l)
				}
			}
		}
	}
}

// Moving all shells by the same vector changes nothing, and turning them by a quarter around z
// turns the p functions.
func TestInvariance(t *testing.T) {
	shells := random(4, 2)
	moved, turned := append([]rpes.Shell(nil), shells...), append([]rpes.Shell(nil), shells...)
	for i, s := range shells {
		moved[i].Center = [3]float64{s.Center[0] + 4, s.Center[1] - 2, s.Center[2] + 8}
		turned[i].Center = [3]float64{-s.Center[1], s.Center[0], s.Center[2]}
	}
	a, b, c, tol := integrals[float64](t, gocuda.Default(), shells), integrals[float64](t, gocuda.Default(), moved), integrals[float64](t, gocuda.Default(), turned), sizes(shells)
	// The centers are rounded when they are moved.
	slicetest.Within(t, a, b, func(i int) float64 { return 1e-13 * tol[i] }, "moved")
	// x becomes y, and y becomes -x. Function i of shells 0 s, 1 p, 2 s, 3 p.
	to, sign := []int{0, 2, 1, 3, 4, 6, 5, 7}, []float64{1, 1, -1, 1, 1, 1, -1, 1}
	for i := range 8 {
		for j := range 8 {
			for k := range 8 {
				for l := range 8 {
					at := rpes.Index(i, j, k, l)
					s := sign[i] * sign[j] * sign[k] * sign[l]
					require.InDelta(t, a[at], s*c[rpes.Index(to[i], to[j], to[k], to[l])], 128*0x1p-53*tol[at], "(%d %d|%d %d)", i, j, k, l)
				}
			}
		}
	}
}

// Basis Set Exchange, STO-3G: the exponents as they are published.
func TestSTO3G(t *testing.T) {
	for symbol, want := range map[string][][]float64{
		"H":  {{3.425250914, 0.6239137298, 0.1688554040}},
		"He": {{6.362421394, 1.158922999, 0.3136497915}},
		"C":  {{71.61683735, 13.04509632, 3.530512160}, {2.941249355, 0.6834830964, 0.2222899159}},
		"N":  {{99.10616896, 18.05231239, 4.885660238}, {3.780455879, 0.8784966449, 0.2857143744}},
		"O":  {{130.7093214, 23.80886605, 6.443608313}, {5.033151319, 1.169596125, 0.3803889600}},
	} {
		shells, err := rpes.STO3G([]rpes.Atom{{Symbol: symbol, At: [3]float64{1, 2, 3}}})
		require.NoError(t, err)
		if len(want) == 2 {
			want = append(want, want[1])
		}
		require.Len(t, shells, len(want))
		for i, s := range shells {
			assert.Equal(t, i/2, s.L)
			assert.InEpsilonSlice(t, want[i], s.Exponents, 2e-9, symbol)
			// A function is normalized: its overlap with itself is 1.
			norm := 0.0
			for k, a := range s.Exponents {
				for l, b := range s.Exponents {
					norm += s.Coefficients[k] * s.Coefficients[l] * math.Pow(2*math.Sqrt(a*b)/(a+b), 1.5+float64(s.L))
				}
			}
			assert.InDelta(t, 1, norm, 1e-6, "%s, shell %d", symbol, i)
		}
	}
	_, err := rpes.STO3G([]rpes.Atom{{Symbol: "H", At: [3]float64{}}, {Symbol: "Fe", At: [3]float64{}}})
	assert.ErrorIs(t, err, gocuda.ErrNotSupported)
	assert.ErrorContains(t, err, "atom 1")
}

func TestBoys(t *testing.T) {
	for _, x := range []float64{0, 1e-9, 0.1, 1, 5, 20, 39.9, 40, 100, 1000} {
		got := rpes.Boys(5, x)
		for m, f := range got {
			assert.InEpsilon(t, simpson(m, x), f, 1e-11, "F_%d(%v)", m, x)
		}
	}
	for _, m := range []int{0, 3} {
		assert.Equal(t, 1/float64(2*m+1), rpes.Boys(m, 0)[m])
	}
}

func TestPlanOnAStream(t *testing.T) {
	shells, err := rpes.STO3G(water())
	require.NoError(t, err)
	if kerneltest.Devices(t)[0].Slow {
		shells = shells[:2]
	}
	p, err := rpes.NewPlan[float64](shells)
	require.NoError(t, err)
	s := gocuda.Default().NewStream()
	defer s.Close()
	require.NoError(t, p.Run(t.Context(), kernels.OnStream(s)))
	require.NoError(t, s.Synchronize(t.Context()))
	got := make([]float64, rpes.Count(rpes.Functions(shells)))
	require.NoError(t, p.Collect(got))
	slicetest.Equal(t, integrals[float64](t, gocuda.Default(), shells), got)
	assert.ErrorIs(t, p.Collect(got[1:]), gocuda.ErrInvalidValue)
	assert.ErrorIs(t, rpes.Integrals(t.Context(), kernels.OnStream(s), shells, got), gocuda.ErrNotSupported)
	var empty rpes.Plan[float32]
	assert.NoError(t, empty.Run(t.Context(), gocuda.Default()))
	assert.NoError(t, empty.Collect(nil))
}

func TestArguments(t *testing.T) {
	good := func() rpes.Shell { return rpes.Slater(0, [3]float64{}, 1) }
	for name, change := range map[string]func(s *rpes.Shell){
		"no primitives":   func(s *rpes.Shell) { s.Exponents = nil },
		"lengths":         func(s *rpes.Shell) { s.Coefficients = s.Coefficients[1:] },
		"exponent":        func(s *rpes.Shell) { s.Exponents[1] = -1 },
		"exponent NaN":    func(s *rpes.Shell) { s.Exponents[1] = math.NaN() },
		"coefficient Inf": func(s *rpes.Shell) { s.Coefficients = []float64{1, 2, math.Inf(1)} },
		"center":          func(s *rpes.Shell) { s.Center[2] = math.NaN() },
	} {
		s := good()
		change(&s)
		err := rpes.Integrals(t.Context(), gocuda.Default(), []rpes.Shell{good(), s}, make([]float64, 6))
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
		assert.ErrorContains(t, err, "shell 1", name)
	}
	d := good()
	d.L = 2
	assert.ErrorIs(t, rpes.Integrals(t.Context(), gocuda.Default(), []rpes.Shell{d}, make([]float64, 1)), gocuda.ErrNotSupported)
	assert.ErrorIs(t, rpes.Integrals(t.Context(), gocuda.Default(), []rpes.Shell{good()}, make([]float64, 2)), gocuda.ErrInvalidValue)
	_, err := rpes.NewPlan[float32](random(1, 33))
	assert.ErrorIs(t, err, gocuda.ErrNotSupported)
	assert.Equal(t, "4", fmt.Sprint(rpes.Functions([]rpes.Shell{good(), rpes.Slater(1, [3]float64{}, 1)})))
}
