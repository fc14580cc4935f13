package rpes

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
)

// The basis STO-3G (Hehre, Stewart and Pople, Self-Consistent Molecular-Orbital Methods I, J. Chem.
// Phys. 51, 2657, 1969): each Slater function, exp(-zeta r) or r exp(-zeta r), is replaced by the
// three Gaussians that fit it best. Table I of the paper has the fits for zeta = 1; exponents for
// another zeta are zeta² times as large, and coefficients are the same. The 2s and the 2p functions
// share exponents. The standard zetas are those of the paper, and of He of the Gaussian programs,
// from which the Basis Set Exchange (basissetexchange.org) has its table.

var (
	exponents1s = []float64{2.227660584, 0.4057711562, 0.1098175104}
	exponents2  = []float64{0.9942027297, 0.2310313334, 0.07513856000}

	coefficients1s = []float64{0.1543289673, 0.5353281423, 0.4446345422}
	coefficients2s = []float64{-0.09996722919, 0.3995128261, 0.7001154689}
	coefficients2p = []float64{0.1559162750, 0.6076837186, 0.3919573931}
)

// An element has the zetas of its 1s function, and of its 2s and 2p functions, 0 if there are none.
type element struct {
	symbol       string
	charge       int
	zeta1, zeta2 float64
}

var elements = []element{{"H", 1, 1.24, 0}, {"He", 2, 1.69, 0}, {"C", 6, 5.67, 1.72}, {"N", 7, 6.67, 1.95}, {"O", 8, 7.66, 2.25}}

// An Atom is a nucleus at a place, in bohr.
type Atom struct {
	Symbol string // H, He, C, N or O
	At     [3]float64
}

// find returns what is known of an element.
func find(symbol string) (element, bool) {
	for _, e := range elements {
		if e.symbol == symbol {
			return e, true
		}
	}
	return element{}, false
}

// STO3G returns the shells of a molecule in the basis STO-3G: 1s of each atom, and 2s and 2p of C,
// N and O behind it. Other elements are gocuda.ErrNotSupported.
func STO3G(molecule []Atom) ([]Shell, error) {
	var shells []Shell
	for i, a := range molecule {
		e, ok := find(a.Symbol)
		if !ok {
			return nil, fmt.Errorf("kernels: STO-3G: atom %d: %w: element %q; there are H, He, C, N and O", i, gocuda.ErrNotSupported, a.Symbol)
		}
		shells = append(shells, Slater(0, a.At, e.zeta1))
		if e.zeta2 > 0 {
			shells = append(shells,
				Shell{0, a.At, scaled(exponents2, e.zeta2), coefficients2s},
				Shell{1, a.At, scaled(exponents2, e.zeta2), coefficients2p})
		}
	}
	return shells, nil
}

// Slater returns the three Gaussians for the 1s function exp(-zeta r), or for l = 1 the 2p
// functions (x, y, z) exp(-zeta r).
func Slater(l int, at [3]float64, zeta float64) Shell {
	if l == 1 {
		return Shell{1, at, scaled(exponents2, zeta), coefficients2p}
	}
	return Shell{0, at, scaled(exponents1s, zeta), coefficients1s}
}

// scaled returns the exponents of functions that are zeta times as steep.
func scaled(exponents []float64, zeta float64) []float64 {
	v := make([]float64, len(exponents))
	for i, a := range exponents {
		v[i] = a * zeta * zeta
	}
	return v
}
