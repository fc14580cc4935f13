package rpes_test

import (
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/rpes"
)

func TestReadXYZ(t *testing.T) {
	got, err := rpes.ReadXYZ(strings.NewReader("2\r\na title, 3 4\r\n  he 0 -1.5e0\t0.529177210903 0.1\r\nO 1 2 3\r\n\r\n  \n"), "f")
	require.NoError(t, err)
	want := []rpes.Atom{{Symbol: "He", At: [3]float64{0, -1.5 / 0.529177210903, 1}}, {Symbol: "O", At: [3]float64{1 / 0.529177210903, 2 / 0.529177210903, 3 / 0.529177210903}}}
	require.Len(t, got, len(want))
	for i := range want {
		assert.Equal(t, want[i].Symbol, got[i].Symbol)
		assert.InDeltaSlice(t, want[i].At[:], got[i].At[:], 1e-14)
	}
	got, err = rpes.ReadXYZ(strings.NewReader("0\n\n"), "f")
	assert.NoError(t, err)
	assert.Empty(t, got)
}

func TestXYZErrors(t *testing.T) {
	for text, says := range map[string]string{
		"":                         "f:1:1: ",
		"two\n":                    "f:1:1: ",
		" -1\n\n":                  "f:1:2: ",
		"1 2\n\n":                  "f:1:1: ",
		"1":                        "f:2:1: ",
		"1\ntitle\n":               "f:3:1: ",
		"2\ntitle\nH 0 0 0\n":      "f:4:1: ",
		"1\ntitle\nH 0 0\n":        "f:3:6: ",
		"1\ntitle\n\n":             "f:3:1: ",
		"1\ntitle\nH 0 0x 0\n":     "f:3:5: ",
		"1\ntitle\n  H 0 0  NaN\n": "f:3:10: ",
		"1\ntitle\nH 1e99 0 0\n":   "f:3:3: ",
		"1\ntitle\n Fe 0 0 0\n":    "f:3:2: ",
		"1\nt\nH 0 0 0\n H 0 0 1":  "f:4:2: ",
		"99999999999\n\nH 0 0 0\n": "f:1:1: ",
	} {
		_, err := rpes.ReadXYZ(strings.NewReader(text), "f")
		assert.ErrorContains(t, err, says, "%q", text)
		want := gocuda.ErrInvalidValue
		if strings.Contains(text, "Fe") || strings.HasSuffix(text, "1") && len(text) > 2 {
			want = gocuda.ErrNotSupported
		}
		assert.ErrorIs(t, err, want, "%q", text)
	}
	_, err := rpes.ReadXYZ(iotest.ErrReader(iotest.ErrTimeout), "f")
	assert.ErrorIs(t, err, iotest.ErrTimeout)
	_, err = rpes.ReadXYZ(strings.NewReader(strings.Repeat("1", 1<<17)), "f")
	assert.ErrorContains(t, err, "f:1:1: ")
}

func FuzzReadXYZ(f *testing.F) {
	f.Add("2\ntitle\nH 0 0 0\nHe 1 2 3\n")
	f.Add("2147483647\n\nH 0 0 0")
	f.Fuzz(func(t *testing.T, text string) {
		molecule, err := rpes.ReadXYZ(strings.NewReader(text), "f")
		if err == nil {
			_, err = rpes.STO3G(molecule)
			assert.NoError(t, err)
		} else {
			assert.True(t, strings.HasPrefix(err.Error(), "f:"), "%v", err)
		}
	})
}

// From a file to Szabo and Ostlund's integrals.
func TestFile(t *testing.T) {
	f, err := os.Open("../../../../kernels/apps/rpes/testdata/hydrogen.xyz")
	require.NoError(t, err)
	defer f.Close()
	molecule, err := rpes.ReadXYZ(f, f.Name())
	require.NoError(t, err)
	shells, err := rpes.STO3G(molecule)
	require.NoError(t, err)
	v := integrals[float64](t, gocuda.Default(), shells) // the book's exponents have six digits
	assert.InDelta(t, .774608, v[rpes.Index(0, 0, 0, 0)], 3e-6)
	assert.InDelta(t, .569678, v[rpes.Index(0, 0, 1, 1)], 3e-6)
	assert.InDelta(t, .444109, v[rpes.Index(1, 0, 0, 0)], 3e-6)
	assert.InDelta(t, .297029, v[rpes.Index(1, 0, 1, 0)], 3e-6)
}
