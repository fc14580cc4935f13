package bench

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two-sided critical values of U at 5 %, from the table in the textbooks (Milton, Journal of the
// American Statistical Association 59, 1964).
func TestMannWhitneyAgainstThePublishedTable(t *testing.T) {
	for _, c := range []struct{ n, m, critical int }{
		{4, 4, 0}, {5, 5, 2}, {6, 6, 5}, {8, 8, 13}, {10, 10, 23}, {4, 10, 5}, {5, 8, 6}, {20, 20, 127}, {12, 15, 49},
	} {
		// Samples with a U that is asked for: u pairs of them are the wrong way round.
		sample := func(u int) (x, y []float64) {
			for i := range c.m {
				y = append(y, float64(10*(i+1)))
			}
			for range c.n {
				k := min(u, c.m)
				u -= k
				x = append(x, float64(10*k)+5-float64(len(x))/100)
			}
			return x, y
		}
		x, y := sample(c.critical)
		assert.LessOrEqual(t, mannWhitney(x, y), 0.05, "%+v", c)
		assert.InDelta(t, mannWhitney(x, y), mannWhitney(y, x), 1e-12, "%+v", c)
		x, y = sample(c.critical + 1)
		assert.Greater(t, mannWhitney(x, y), 0.05, "%+v", c)
	}
	assert.InDelta(t, 2.0/70, mannWhitney([]float64{1, 2, 3, 4}, []float64{5, 6, 7, 8}), 1e-12, "1 of C(8, 4) ways, on each side")
	assert.Equal(t, 1.0, mannWhitney([]float64{1, 1, 1, 1}, []float64{1, 1, 1, 1}))
	// Beyond the exact counts: the approximation is near them.
	x, y := make([]float64, 20), make([]float64, 20)
	for i := range x {
		x[i], y[i] = float64(2*i), float64(2*i+7)
	}
	exact := mannWhitney(x, y)
	more := mannWhitney(append(x, 100), append(y, 101))
	assert.InDelta(t, exact, more, 0.05)
}

var here = Origin{Machine{Name: "one", Cores: 2, Processors: 2, OS: "linux", Arch: "amd64"}, "go1.26", "v1"}

func recordsOf(workload string, size int, executor string, samples ...float64) Record {
	unit := map[string]string{"saxpy": "GB/s", "launch": "us", "nbody": "GFLOPS"}[workload]
	return Record{Result: Result{workload, size, executor, 2, samples[0], unit, true, samples}, Ratios: map[string]float64{}, Origin: here}
}

func TestCompare(t *testing.T) {
	a := []Record{
		recordsOf("saxpy", 1000, Serial, 10, 11, 9, 10), recordsOf("saxpy", 1000, SIMD, 40, 41, 42, 39), recordsOf("launch", 0, Thread, 2, 2.1, 1.9, 2),
		recordsOf("saxpy", 1000, OpenMP, 30, 31, 32, 33),
	}
	b := []Record{
		recordsOf("saxpy", 1000, Serial, 10.2, 9.9, 10.1, 9.8), recordsOf("saxpy", 1000, SIMD, 80, 82), recordsOf("launch", 0, Thread, 4, 4, 4, 4),
		recordsOf("saxpy", 1000, SIMD, 81, 83), // of a second run
	}
	rows, alone, err := Compare(a, b)
	require.NoError(t, err)
	require.Len(t, rows, 3)
	assert.Equal(t, []string{"saxpy 1000 on openmp, with 2 workers: only in the first file"}, alone)
	assert.InDelta(t, 1, rows[0].Ratio, 0.01)
	assert.Contains(t, rows[0].Noise(), "within the noise")
	assert.InDelta(t, 81.5/40.5, rows[1].Ratio, 1e-12)
	assert.Equal(t, [2]int{4, 4}, rows[1].N)
	assert.Empty(t, rows[1].Noise())
	assert.InDelta(t, 0.5, rows[2].Ratio, 1e-12, "twice the time is half as good")
	assert.Empty(t, rows[2].Noise())

	var out strings.Builder
	require.NoError(t, WriteComparison(&out, a, b))
	assert.Regexp(t, `saxpy +1000 +simd +40.5 +81.5 +GB/s +2.012 +4\+4 *\n`, out.String())
	assert.Regexp(t, `saxpy +1000 +serial .* 4\+4 +within the noise \(p=[01]\.\d\d\)\n`, out.String())
	assert.NotContains(t, out.String(), "machines differ")
	assert.Contains(t, out.String(), "Geometric means of the ratios: serial 1.000 simd 2.012 thread 0.500\n")

	b[0].Machine.Name, b[1].Machine.Name, b[2].Machine.Name, b[3].Machine.Name = "two", "two", "two", "two"
	out.Reset()
	require.NoError(t, WriteComparison(&out, a, b))
	assert.Contains(t, out.String(), "The machines differ")

	_, _, err = Compare(a, b[:2])
	require.ErrorContains(t, err, "different workloads: the second has no launch")
	_, _, err = Compare(a[:1], append(b[:1:1], recordsOf("nbody", 64, SIMD, 1), recordsOf("saxpy", 2000, SIMD, 1)))
	require.ErrorContains(t, err, "the first has no nbody 64, saxpy 2000")
	_, _, err = Compare(a[:1], b[1:2])
	require.ErrorContains(t, err, "no row in common")
	few, _, err := Compare([]Record{recordsOf("saxpy", 1000, SIMD, 1)}, []Record{recordsOf("saxpy", 1000, SIMD, 9)})
	require.NoError(t, err)
	assert.Contains(t, few[0].Noise(), "too few samples")
	near, _, err := Compare([]Record{recordsOf("saxpy", 1000, SIMD, 100, 100.1, 100.2, 100.3)}, []Record{recordsOf("saxpy", 1000, SIMD, 100.7, 100.8, 100.9, 101)})
	require.NoError(t, err)
	assert.Equal(t, "within the noise (a hundredth)", near[0].Noise())
}

func TestRecordsHaveRatios(t *testing.T) {
	list := Records([]Result{
		{"launch", 0, Serial, 1, 2, "us", true, []float64{2}}, {"launch", 0, Thread, 2, 0.5, "us", true, []float64{0.5}},
	}, here)
	require.Len(t, list, 2)
	assert.Empty(t, list[0].Ratios)
	assert.Equal(t, map[string]float64{Serial: 4}, list[1].Ratios)
}

func TestReadRecords(t *testing.T) {
	text := func(list ...Record) string {
		var out strings.Builder
		for _, r := range list {
			line, err := json.Marshal(r)
			require.NoError(t, err)
			out.Write(append(line, '\n'))
		}
		return out.String()
	}
	good := []Record{recordsOf("saxpy", 1000, Serial, 10, 11), recordsOf("launch", 0, Thread, 2)}
	got, err := ReadRecords(strings.NewReader(text(good...) + "\n"))
	require.NoError(t, err)
	assert.Equal(t, good, got)

	other := recordsOf("launch", 0, Thread, 2)
	other.Machine.Name = "two"
	wrong := recordsOf("launch", 0, Thread, 2)
	wrong.Verified = false
	old := recordsOf("launch", 0, Thread, 2)
	old.Samples = nil
	point, err := json.Marshal(SweepPoint{Figure: "B.7.3", Curve: "x", Size: 1, Workers: 1, Value: 1, Unit: "GFLOPS", Verified: true})
	require.NoError(t, err)
	for want, given := range map[string]string{
		"it has no figures":                     "",
		"line 2: ":                              text(good[0]) + "workload\n",
		"line 1: it names no workload":          "{}",
		"it is a point of -figure":              string(point),
		`there is no workload "none"`:           strings.Replace(text(good[0]), "saxpy", "none", 1),
		`there is no executor "none"`:           strings.Replace(text(good[0]), "serial", "none", 1),
		"the unit of saxpy is GB/s":             strings.Replace(text(good[0]), "GB/s", "us", 1),
		"it has no verified figure":             text(wrong),
		"it has no figures of rounds (samples)": text(old),
		"line 3: it is of two":                  text(good...) + text(other),
	} {
		_, err := ReadRecords(strings.NewReader(given))
		require.ErrorContains(t, err, want)
	}
	assert.False(t, math.IsNaN(got[0].Value))
}
