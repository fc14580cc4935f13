package cp_test

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/cp"
)

func atom(x, y, z, charge float32) cp.Atom { return cp.Atom{X: x, Y: y, Z: z, Charge: charge} }

func TestReadPQR(t *testing.T) {
	f, err := os.Open("../../../../kernels/apps/cp/testdata/water.pqr")
	require.NoError(t, err)
	defer f.Close()
	atoms, err := cp.ReadPQR(f, "water.pqr")
	require.NoError(t, err)
	assert.Equal(t, []cp.Atom{atom(0, 0, 0, -0.834), atom(0.757, 0.586, 0, 0.417), atom(-0.757, 0.586, 0, 0.417)}, atoms)
}

func TestReadPQRErrors(t *testing.T) {
	for text, says := range map[string][2]string{
		"":                                     {"f:1:1: ", "ends without an atom"},
		"REMARK\nTER\n":                        {"f:3:1: ", "ends without an atom"},
		"\n ATOM 1 O WAT 1 0 0 0 1":            {"f:2:2: ", "an atom of 9 words"},
		"ATOM 1 O WAT A 1 0 0 0 1 1 1":         {"f:1:1: ", "an atom of 12 words"},
		"ATOM 1 O WAT 1 0 b 0 1 1":             {"f:1:18: ", `"b" is no number, for y`},
		"ATOM 1 O WAT A 1 0 0 0 -1x 1":         {"f:1:24: ", `"-1x" is no number, for the charge`},
		"ATOM 1 O WAT A 1 0 0 0 -1 r":          {"f:1:27: ", `"r" is no number, for the radius`},
		"ATOM 1 O WAT A 1 1e99 0 0 -1 1":       {"f:1:18: ", "x 1e99 is not a float32"},
		"HETATM 1 O WAT A 1 0 0 inf -1 1\n":    {"f:1:24: ", "z inf is not a float32"},
		"TER\n" + strings.Repeat("x", 1<<20+1): {"f:2:1: ", "more than"},
	} {
		_, err := cp.ReadPQR(strings.NewReader(text), "f")
		require.ErrorIs(t, err, gocuda.ErrInvalidValue, text)
		assert.True(t, strings.HasPrefix(err.Error(), says[0]), "%q: %v, want it at %s", text, err, says[0])
		assert.ErrorContains(t, err, says[1], text)
	}
}

func TestReadPDB(t *testing.T) {
	f, err := os.Open("../../../../kernels/apps/cp/testdata/dipeptide.pdb")
	require.NoError(t, err)
	defer f.Close()
	atoms, err := cp.ReadPDB(f, "dipeptide.pdb")
	require.NoError(t, err)
	want := []cp.Atom{
		atom(-1, 2, 0.5, 1), atom(0, 2.5, 0.25, 0), atom(1, 1.5, 0, 0), atom(1.25, 0.5, 0, 0), atom(0.125, 7.5, 0.25, 1), // lysine, the first of its chain
		atom(2, 2, 0.5, 0), atom(3, 2.5, 0.25, 0), atom(4.25, 0.5, 0, -0.5), atom(4.5, 2.5, 0, -0.5), atom(3, 5.5, 0, -0.5), atom(4, 5.5, 0, -0.5), // aspartate, the last
		atom(-5, 0, 0, 2), atom(-6, 0, 0, 0), atom(-7, 0, 0, 1), // zinc, and a ligand with a charge of its own
		atom(8, 8, 0, -0.5), atom(8, 9, -0.5, 0), // a nucleotide
	}
	assert.Equal(t, want, atoms)
}

func TestReadPDBErrors(t *testing.T) {
	const zinc = "HETATM   14 ZN    ZN A 101      -5.000   0.000   0.000"
	for text, says := range map[string][2]string{
		"":         {"f:1:1: ", "ends without an atom"},
		"END\nATO": {"f:3:1: ", "ends without an atom"},
		"ATOM":     {"f:1:31: ", "x is missing"},
		zinc[:46]:  {"f:1:47: ", "z is missing"},
		"\n" + zinc[:30] + "  -5.0x0   0.000   0.000":            {"f:2:33: ", `"-5.0x0" is no number, for x`},
		zinc[:30] + "  -5.000    1 2   0.000":                    {"f:1:43: ", `"1 2" is no number, for y`},
		zinc[:30] + "  -5.000 \t  1.0   0.000":                   {"f:1:40: ", "is no number, for y"},
		zinc + "  1.00  0.00          ZN+2":                      {"f:1:79: ", `"+2" is no charge`},
		zinc + "  1.00  0.00          ZN 2\n":                    {"f:1:80: ", `"2" is no charge`},
		"ATOM      1  CA  ALA A   1       0.000   2.500   0.250": {"f:2:1: ", "none of the 1 atoms has a formal charge"},
		"ATOM      1  CA  ALA A   1       0.000   2.500     nan": {"f:1:52: ", "z nan is not a float32"},
	} {
		_, err := cp.ReadPDB(strings.NewReader(text), "f")
		require.ErrorIs(t, err, gocuda.ErrInvalidValue, text)
		assert.True(t, strings.HasPrefix(err.Error(), says[0]), "%q: %v, want it at %s", text, err, says[0])
		assert.ErrorContains(t, err, says[1], text)
	}
}

// An acid end whose O is not there has its charge all the same.
func TestReadPDBLoneOXT(t *testing.T) {
	atoms, err := cp.ReadPDB(strings.NewReader("ATOM      1  OXT ALA A   1       0.000   2.500   0.250\r\n"), "f")
	require.NoError(t, err)
	assert.Equal(t, []cp.Atom{atom(0, 2.5, 0.25, -1)}, atoms)
}

func FuzzReadPQR(f *testing.F) {
	f.Add("ATOM 1 O WAT A 1 0 0 0 -1 1")
	f.Add("HETATM 1 O WAT 1 0 0 1e9 -1 1\nTER")
	f.Fuzz(func(t *testing.T, text string) { checkRead(t, text, cp.ReadPQR) })
}

func FuzzReadPDB(f *testing.F) {
	b, err := os.ReadFile("../../../../kernels/apps/cp/testdata/dipeptide.pdb")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(b))
	f.Add("ATOM      1  OXT ALA A   1       0.000   2.500   0.250\r\nENDMDL")
	f.Fuzz(func(t *testing.T, text string) { checkRead(t, text, cp.ReadPDB) })
}

// checkRead holds a reader to giving either atoms or an error with a place.
func checkRead(t *testing.T, text string, read func(r io.Reader, name string) ([]cp.Atom, error)) {
	atoms, err := read(strings.NewReader(text), "f")
	if err != nil {
		assert.True(t, strings.HasPrefix(err.Error(), "f:"), "%v", err)
		return
	}
	assert.NotEmpty(t, atoms)
	for _, a := range atoms {
		for _, v := range []float32{a.X, a.Y, a.Z, a.Charge} {
			assert.True(t, v-v == 0, "%v", a)
		}
	}
}
