package bench

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every curve is measured and verified, at sizes that fit no block where the problem allows them.
func TestFigures(t *testing.T) {
	for _, f := range Figures() {
		sizes := []int{1, 33, 70}
		if f.Name == "B.7.5" {
			sizes = []int{2, 64}
		}
		seen := map[string]int{}
		var points []SweepPoint
		require.NoError(t, f.Run(t.Context(), Options{Sizes: sizes, Quick: true, Runs: 1, Workers: 2}, func(p SweepPoint) {
			assert.Equal(t, []any{f.Name, f.Unit, true}, []any{p.Figure, p.Unit, p.Verified})
			assert.Positive(t, p.Value, "%s, %s", f.Name, p.Curve)
			seen[p.Curve]++
			points = append(points, p)
		}))
		for _, c := range f.Curves {
			assert.Equal(t, len(sizes), seen[c.Name], "%s, %s", f.Name, c.Name)
		}
		var table strings.Builder
		require.NoError(t, f.Write(&table, points))
		assert.Contains(t, table.String(), f.Title)
		for _, name := range []string{"f.svg", "f.png"} {
			var chart bytes.Buffer
			require.NoError(t, f.Plot(&chart, name, points), f.Name)
			if name == "f.png" {
				_, err := png.Decode(&chart)
				assert.NoError(t, err, f.Name)
				continue
			}
			for _, p := range f.Points {
				assert.Contains(t, chart.String(), strings.Fields(p.What)[0], f.Name)
			}
		}
		assert.Error(t, f.Plot(new(bytes.Buffer), "f.svg", nil))
	}
}

// Results of which nothing was computed, or of which one element is wrong, are found.
func TestFiguresVerify(t *testing.T) {
	e, err := newEnv(t.Context(), 1)
	require.NoError(t, err)
	defer e.close()
	for _, f := range Figures() {
		for _, c := range f.Curves {
			p := c.setup(e, 64, true)
			require.NoError(t, p.err)
			if p.reset != nil {
				p.reset()
			}
			if p.wipe != nil {
				p.wipe(1)
			}
			assert.Error(t, p.check(), "%s, %s: nothing was computed", f.Name, c.Name)
			require.NoError(t, p.run[curve]())
			assert.NoError(t, p.check(), "%s, %s", f.Name, c.Name)
			if p.wipe != nil && f.Name != "B.7.5" { // of transforms only some points are checked
				p.wipe(1 << 30) // the first element
				assert.Error(t, p.check(), "%s, %s: the first element is wrong", f.Name, c.Name)
			}
		}
	}
}

// What Nickolls and Kirk say in B.7 and B.8, in words.
func TestNumbersOfFigures(t *testing.T) {
	for name, want := range map[string][]FigurePoint{
		"B.7.3": {{0, 206, ""}}, "B.7.4": {{0, 192, ""}, {0, 44.65, ""}}, "B.7.5": nil, "B.7.6": nil,
		"B.8.15": {{1024, 90, ""}, {1024, 190, ""}, {16384, 242, ""}}, "B.8.16": {{0, 0.2, ""}, {0, 2, ""}},
	} {
		f, err := FindFigure(strings.ToLower(name))
		require.NoError(t, err)
		require.Len(t, f.Points, len(want), name)
		for i, w := range want {
			assert.Equal(t, w.Size, f.Points[i].Size, name)
			assert.InDelta(t, w.Value, f.Points[i].Value, 0.01, name)
		}
		if len(want) == 0 {
			assert.NotEmpty(t, f.Notes, name)
		}
	}
	_, err := FindFigure("B.1.1")
	assert.ErrorContains(t, err, "B.8.16")
}

func TestFigureTable(t *testing.T) {
	f, err := FindFigure("B.7.6")
	require.NoError(t, err)
	points := []SweepPoint{
		{Curve: compiledRadix, Size: 1024, Value: 1}, {Curve: goMerge, Size: 1024, Value: 100}, // below 8192 pairs
		{Curve: compiledRadix, Size: 8192, Value: 60}, {Curve: goMerge, Size: 8192, Value: 20}, {Curve: goRadix, Size: 8192, Value: 30},
		{Curve: compiledRadix, Size: 16384, Value: 120}, {Curve: goMerge, Size: 16384, Value: 10}, {Curve: goRadix, Size: 16384, Value: 15},
	}
	var out strings.Builder
	require.NoError(t, f.Write(&out, points))
	lines := strings.Split(out.String(), "\n")
	assert.Equal(t, []string{"1024", "1", "-", "100"}, strings.Fields(lines[3]))
	assert.Equal(t, []string{"8192", "60", "30", "20"}, strings.Fields(lines[4]))
	assert.Contains(t, out.String(), "is 6 times as fast as sorted parts, merged, and 4 times", "geometric means")
}

func TestMergeOfParts(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 5, 8} {
		e, err := newEnv(t.Context(), workers)
		require.NoError(t, err)
		for _, n := range []int{0, 1, 2, 7, 1000} {
			p := figureMerge(e, n, false)
			p.reset()
			require.NoError(t, p.run[curve]())
			assert.NoError(t, p.check(), "%d workers, %d pairs", workers, n)
		}
		require.NoError(t, e.close())
	}
}

// Sizes beyond what a curve is run at are said to be left out.
func TestFigureLeavesOut(t *testing.T) {
	f := Figure{Name: "X", Unit: "GFLOPS", Curves: []Curve{
		{Name: "short", Most: 10, setup: figureSerialBodies}, {Name: "long", setup: figureSerialBodies},
	}}
	var skipped, run []string
	o := Options{Sizes: []int{8, 16}, Runs: 1, Skipped: func(_ string, size int, curve, why string) { skipped = append(skipped, curve) }}
	require.NoError(t, f.Run(t.Context(), o, func(p SweepPoint) { run = append(run, p.Curve) }))
	assert.Equal(t, []string{"short"}, skipped)
	assert.Equal(t, []string{"short", "long", "long"}, run)
}
