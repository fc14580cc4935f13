package bench

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
)

// A Comparison is the figures of one row in two files.
type Comparison struct {
	Workload string
	Size     int
	Executor string
	Unit     string
	A, B     float64 // medians of the samples
	Ratio    float64 // B over A, or A over B where less is better: above 1 the second file is the better one
	N        [2]int  // how many samples there are
	// P is how likely samples of one and the same population differ as much or more: the two-sided
	// test of Mann and Whitney (1947). It is 1 where there are too few samples to tell.
	P float64
}

// significant is the level of P below which a ratio is no noise.
const significant = 0.05

// drift is the relative difference that two runs of one program may have even if the rounds of each
// agree: it comes from where memory and code happen to lie.
const drift = 0.01

// fewest is how many samples both files must have for a P below significant: with n of each the
// least one is 2/C(2n, n).
const fewest = 4

// Noise says why the ratio may come from noise alone, or "".
func (c Comparison) Noise() string {
	switch {
	case min(c.N[0], c.N[1]) < fewest:
		return fmt.Sprintf("too few samples to tell, %d of each are the least", fewest)
	case c.P > significant:
		return fmt.Sprintf("within the noise (p=%.2f)", c.P)
	case math.Abs(c.Ratio-1) < drift:
		return "within the noise (a hundredth)"
	}
	return ""
}

// rowKey is what makes rows of two files the same.
type rowKey struct {
	workload string
	size     int
	executor string
	workers  int
}

// Compare compares the figures of two files, row by row. Rows that only one of them has are in
// alone, with the file. It is an error if workloads, sizes or workers differ.
func Compare(a, b []Record) (rows []Comparison, alone []string, err error) {
	samples := [2]map[rowKey][]float64{{}, {}}
	jobs := [2]map[string]bool{{}, {}}
	var order []rowKey
	units := map[string]string{}
	for i, list := range [][]Record{a, b} {
		for _, r := range list {
			k := rowKey{r.Workload, r.Size, r.Executor, r.Workers}
			if samples[0][k] == nil && samples[1][k] == nil {
				order = append(order, k)
			}
			samples[i][k] = append(samples[i][k], r.Samples...)
			jobs[i][title(r.Workload, r.Size)] = true
			units[r.Workload] = r.Unit
		}
	}
	for i, name := range []string{"first", "second"} {
		var missing []string
		for job := range jobs[1-i] {
			if !jobs[i][job] {
				missing = append(missing, job)
			}
		}
		if len(missing) > 0 {
			slices.Sort(missing)
			return nil, nil, fmt.Errorf("the files are of different workloads: the %s has no %s", name, strings.Join(missing, ", "))
		}
	}
	less := map[string]bool{}
	for _, w := range everyWorkload() {
		less[w.Name] = w.Less
	}
	for _, k := range order {
		x, y := samples[0][k], samples[1][k]
		if len(x) == 0 || len(y) == 0 {
			file := "first"
			if len(x) == 0 {
				file = "second"
			}
			alone = append(alone, fmt.Sprintf("%s on %s, with %d workers: only in the %s file", title(k.workload, k.size), k.executor, k.workers, file))
			continue
		}
		c := Comparison{k.workload, k.size, k.executor, units[k.workload], middle(x), middle(y), 0, [2]int{len(x), len(y)}, mannWhitney(x, y)}
		if c.Ratio = c.B / c.A; less[k.workload] {
			c.Ratio = c.A / c.B
		}
		rows = append(rows, c)
	}
	if len(rows) == 0 {
		return nil, nil, fmt.Errorf("the files have no row in common: %s", strings.Join(alone, "; "))
	}
	return rows, alone, nil
}

// WriteComparison prints the comparison of two files as a table, with the geometric mean of the
// ratios of each executor.
func WriteComparison(w io.Writer, a, b []Record) error {
	rows, alone, err := Compare(a, b)
	if err != nil {
		return err
	}
	var out strings.Builder
	for i, list := range [][]Record{a, b} {
		fmt.Fprintf(&out, "%c: %s; gocuda %s, %s\n", 'a'+i, list[0].Machine, cmp.Or(list[0].Version, "of no known version"), list[0].Go)
	}
	if !reflect.DeepEqual(a[0].Machine, b[0].Machine) {
		out.WriteString("The machines differ, and so the ratios are also theirs.\n")
	}
	out.WriteString("Ratios of medians: above 1, b is better.\n\n")
	t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "workload\tsize\texecutor\ta\tb\tunit\tratio\tn\t")
	logs := map[string][]float64{}
	var executors []string
	for _, c := range rows {
		size := "-"
		if c.Size > 0 {
			size = fmt.Sprint(c.Size)
		}
		noise := c.Noise()
		if noise != "" {
			noise = "  " + noise
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%.3f\t%d+%d\t%s\n", c.Workload, size, c.Executor, digits(c.A), digits(c.B), c.Unit, c.Ratio, c.N[0], c.N[1], noise)
		if logs[c.Executor] == nil {
			executors = append(executors, c.Executor)
		}
		logs[c.Executor] = append(logs[c.Executor], math.Log(c.Ratio))
	}
	t.Flush()
	out.WriteString("\nGeometric means of the ratios:")
	for _, e := range executors {
		sum := 0.0
		for _, l := range logs[e] {
			sum += l
		}
		fmt.Fprintf(&out, " %s %.3f", e, math.Exp(sum/float64(len(logs[e]))))
	}
	out.WriteString("\n")
	for _, l := range alone {
		out.WriteString(l + "\n")
	}
	_, err = io.WriteString(w, out.String())
	return err
}

// middle returns the middle of some numbers, or the mean of the two in the middle.
func middle(list []float64) float64 {
	s := slices.Sorted(slices.Values(list))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// mannWhitney returns the two-sided probability of the test of Mann and Whitney (Annals of
// Mathematical Statistics 18, 1947): that the ranks of two samples differ so much by chance. Equal
// numbers have the mean of their ranks. It counts all ways of dealing the ranks as long as there
// are few, and uses the normal approximation, with its corrections for ties and continuity, beyond.
func mannWhitney(x, y []float64) float64 {
	n, m := len(x), len(y)
	all := slices.Sorted(slices.Values(slices.Concat(x, y)))
	twice := map[float64]int{} // twice the rank of a number, which is whole
	ties := 0.0
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j] == all[i] {
			j++
		}
		twice[all[i]] = i + 1 + j
		k := float64(j - i)
		ties += k*k*k - k
		i = j
	}
	sum := 0
	for _, v := range x {
		sum += twice[v]
	}
	mean := n * (n + m + 1) // twice that of the sum of ranks
	off := sum - mean
	if off < 0 {
		off = -off
	}
	if off == 0 {
		return 1
	}
	if n+m <= 40 {
		// ways[k] has, by twice the sum of ranks, in how many ways k numbers can be x.
		ways := make([]map[int]float64, n+1)
		for k := range ways {
			ways[k] = map[int]float64{}
		}
		ways[0][0] = 1
		for _, v := range all {
			for k := n; k > 0; k-- {
				for s, c := range ways[k-1] {
					ways[k][s+twice[v]] += c
				}
			}
		}
		total, extreme := 0.0, 0.0
		for s, c := range ways[n] {
			total += c
			if d := s - mean; d >= off || -d >= off {
				extreme += c
			}
		}
		return extreme / total
	}
	N := float64(n + m)
	variance := float64(n) * float64(m) / 12 * (N + 1 - ties/(N*(N-1)))
	z := (float64(off)/2 - 0.5) / math.Sqrt(variance)
	return math.Erfc(z / math.Sqrt2)
}
