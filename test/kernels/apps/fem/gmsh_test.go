package fem_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/fem"
)

func TestReadGmsh(t *testing.T) {
	f, err := os.Open("../../../../kernels/apps/fem/testdata/two.msh")
	require.NoError(t, err)
	defer f.Close()
	m, err := fem.ReadGmsh(f, "two.msh")
	require.NoError(t, err)
	assert.Equal(t, []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1.5}, m.Points)
	assert.Equal(t, []int32{0, 1, 2, 3, 1, 2, 3, 4}, m.Tets)
	assert.Equal(t, []int32{7, 8}, m.Region)
	assert.Equal(t, map[fem.Group]string{{Dim: 3, Tag: 7}: "soft core", {Dim: 2, Tag: 1}: "foot"}, m.Names)
	assert.Equal(t, map[fem.Group][]int32{{Dim: 2, Tag: 1}: {0, 1, 2}, {Dim: 0, Tag: 3}: {4}, {Dim: 1, Tag: 0}: {3, 4}}, m.Groups)
	require.NoError(t, m.Validate())
	_, err = fem.New(m, []fem.Material{steel})
	require.NoError(t, err)
}

const (
	format = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
	nodes  = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n5 0 0 1\n$EndNodes\n" // 7 lines
)

func TestReadGmshErrors(t *testing.T) {
	elements := func(lines string) string {
		return format + nodes + "$Elements\n1\n" + lines + "\n$EndElements\n"
	}
	for text, says := range map[string]string{
		"":                                        "f:1:1: ",
		"nonsense":                                "f:1:1: ",
		" $Nodes\n":                               "f:1:2: ",
		"$MeshFormat\n":                           "f:2:1: ",
		"$MeshFormat\n2.2 0\n":                    "f:2:6: ",
		"$MeshFormat\n2.2 0 8\n$End\n":            "f:3:1: ",
		format:                                    "f:4:1: ",
		format + format:                           "f:4:1: ",
		format + "$EndNodes":                      "f:4:1: ",
		format + "$Elements\n0\n":                 "f:4:1: ",
		format + "$Nodes\nx\n":                    "f:5:1: ",
		format + "$Nodes\n-1\n":                   "f:5:1: ",
		format + "$Nodes\n99999999999\n":          "f:5:1: ",
		format + "$Nodes\n2000000000\n":           "f:6:1: ",
		format + "$Nodes\n1\n1 0 0\n":             "f:6:6: ",
		format + "$Nodes\n1\n1 0 nan 0\n":         "f:6:5: ",
		format + "$Nodes\n1\n1 0 1e999 0\n":       "f:6:5: ",
		format + "$Nodes\n1\n0 0 0 0\n":           "f:6:1: ",
		format + "$Nodes\n2\n1 0 0 0\n1 1 1 1\n":  "f:7:1: ",
		format + "$Nodes\n2\n1 0 0 0\n$EndNodes":  "f:7:1: ",
		format + "$Nodes\n1\n1 0 0 0\n2 0 0 0\n":  "f:7:1: ",
		format + "$Other\n1\n":                    "f:6:1: ",
		format + "$PhysicalNames\n1\n3 1 x\n":     "f:6:5: ",
		format + "$PhysicalNames\n1\n4 1 \"x\"\n": "f:6:1: ",
		format + nodes:                            "f:11:1: ",
		elements("1 4 2 0 0 1 2 3 4"):             "f:13:17: ", // no node 4
		elements("1 4 2 0 0 1 2 3"):               "f:13:16: ",
		elements("1 4 2 0 0 1 2 3 5 5"):           "f:13:19: ",
		elements("1 4 2 0 0 1 2 3 3"):             "f:13:17: ",
		elements("1 4 9999 0"):                    "f:13:5: ",
		elements("1 2 2 -1 0 1 2 3"):              "f:13:7: ",
		elements("1 4"):                           "f:13:4: ",
		elements("1 x 0"):                         "f:13:3: ",
	} {
		_, err := fem.ReadGmsh(strings.NewReader(text), "f")
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%q", text)
		if assert.Error(t, err, "%q", text) {
			assert.True(t, strings.HasPrefix(err.Error(), says), "%q: %v, want %s", text, err, says)
		}
	}
	for text, says := range map[string]string{
		"$MeshFormat\n4.1 0 8\n":          "f:2:1: ",
		"$MeshFormat\n2.2 1 8\n":          "f:2:5: ",
		elements("1 5 0 1 2 3 4 5 6 7 8"): "f:13:3: ",
		elements("1 11 0 1 2 3 5"):        "f:13:3: ",
	} {
		_, err := fem.ReadGmsh(strings.NewReader(text), "f")
		assert.ErrorIs(t, err, gocuda.ErrNotSupported, "%q", text)
		assert.ErrorContains(t, err, says, "%q", text)
	}
	flat := strings.Replace(elements("9 4 0 1 2 3 5"), "5 0 0 1", "5 1 1 0", 1)
	_, err := fem.ReadGmsh(strings.NewReader(flat), "f")
	assert.ErrorContains(t, err, "f:13:1: ")
	_, err = fem.ReadGmsh(strings.NewReader(format+strings.Repeat("x", 1<<21)), "f")
	assert.ErrorContains(t, err, "f:4:1: ")
	broken := errors.New("broken")
	_, err = fem.ReadGmsh(iotest.ErrReader(broken), "f")
	assert.ErrorIs(t, err, broken)
}

// Whatever the file, there is an error with a place or a mesh that is right.
func FuzzReadGmsh(f *testing.F) {
	two, err := os.ReadFile("../../../../kernels/apps/fem/testdata/two.msh")
	require.NoError(f, err)
	f.Add(two)
	f.Add([]byte(format + "$Nodes\n2000000000\n1 0 0 0\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := fem.ReadGmsh(bytes.NewReader(data), "f")
		if err == nil {
			err = m.Validate()
			if err != nil {
				t.Error(err)
			}
		} else if !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("no place in %v", err)
		}
	})
}
