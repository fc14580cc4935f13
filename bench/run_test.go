package bench

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// What has been timed when a run is interrupted is reported, and nothing of it is not verified.
func TestInterruptedRunReportsWhatThereIs(t *testing.T) {
	enough := errors.New("enough")
	for stopAt, want := range map[string][]string{
		"saxpy 1000 on serial": nil,
		"saxpy 1000 on block":  {Serial, Goroutines},
		"setting up saxpy 50":  {Serial, Goroutines, Block},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		var got []string
		err := Run(ctx, Options{
			Workloads: []string{"saxpy"}, Executors: []string{Serial, Goroutines, Block}, Sizes: []int{1000, 50}, Runs: 2,
			Progress: func(p Progress) {
				if p.What == stopAt {
					cancel(enough)
				}
			},
		}, func(results []Result) {
			for _, r := range results {
				assert.Equal(t, 1000, r.Size)
				assert.Positive(t, r.Value)
				got = append(got, r.Executor)
			}
		})
		assert.ErrorIs(t, err, enough, stopAt)
		assert.Equal(t, want, got, stopAt)
	}
}

func TestProgressCountsWorkloads(t *testing.T) {
	var seen []Progress
	o := Options{
		Workloads: []string{"saxpy", "reduce"}, Executors: []string{Serial}, Sizes: []int{1000, 2000}, Runs: 1,
		Progress: func(p Progress) { seen = append(seen, p) },
	}
	begun := 0
	o.Begin = func(executors []string) {
		begun++
		assert.Equal(t, []string{Serial}, executors)
		assert.Empty(t, seen, "nothing has been done")
	}
	require.NoError(t, Run(t.Context(), o, func([]Result) {}))
	assert.Equal(t, 1, begun)
	for i, p := range seen[:len(seen)-1] {
		assert.Equal(t, 4, p.Total)
		assert.Positive(t, p.Left)
		if i > 0 {
			assert.GreaterOrEqual(t, p.Done, seen[i-1].Done)
		}
	}
	assert.Equal(t, Progress{Done: 4, Total: 4}, seen[len(seen)-1])
}

// Every workload has a size for -quick, smaller than the standard ones.
func TestQuickSizes(t *testing.T) {
	for _, w := range everyWorkload() {
		size := Options{Quick: true}.sizes(w)
		if len(w.Sizes) == 0 {
			assert.Equal(t, []int{0}, size, w.Name)
			continue
		}
		assert.Equal(t, []int{w.Quick}, size, w.Name)
		assert.Positive(t, w.Quick, w.Name)
		assert.LessOrEqual(t, w.Quick, w.Sizes[len(w.Sizes)-1]/2, w.Name)
	}
}

// A run that takes long is timed once where time is short.
func TestMostEndsARound(t *testing.T) {
	calls := 0
	p := &problem{
		run:   map[string]func() error{Serial: func() error { calls++; return nil }},
		check: func() error { return nil },
	}
	require.NoError(t, p.time(t.Context(), Serial, new(timing), 5, 1))
	assert.Equal(t, 2, calls, "a warm-up and a timed run")
}

func TestEstimate(t *testing.T) {
	now := time.Unix(0, 0)
	e := &estimate{costs: []float64{10, 30, 60}, begin: now, now: func() time.Time { return now }}
	left := func(i int, part float64, elapsed time.Duration) time.Duration {
		now = e.begin.Add(elapsed)
		return e.left(i, part)
	}
	assert.Equal(t, 100*time.Second, left(0, 0, 0), "at first it is what the table says")
	assert.InDelta(t, 60*time.Second, left(2, 0, 40*time.Second), 1e6, "which is right")
	assert.InDelta(t, 75*time.Second, left(1, 0.5, 25*time.Second), 1e6)
	assert.Greater(t, left(2, 0, 80*time.Second), 90*time.Second, "all takes twice as long")
	assert.Less(t, left(2, 0, 20*time.Second), 40*time.Second, "half as long")
	assert.Zero(t, left(2, 1, time.Hour))

	// More of everything takes longer.
	w := Workloads()[0]
	small := job{w, 1000}.cost(7, Options{Runs: 5})
	assert.Greater(t, job{w, 1 << 26}.cost(7, Options{Runs: 5}), 5*small)
	assert.Greater(t, small, job{w, 1000}.cost(3, Options{Runs: 5}))
	assert.Greater(t, small, job{w, 1000}.cost(7, Options{Runs: 5, Quick: true}))
}

// The figures stand below their headings, whatever their length.
func TestTableColumns(t *testing.T) {
	var out bytes.Buffer
	table := NewTable(&out, []string{Serial, Thread, OpenMP})
	require.NoError(t, table.Add([]Result{
		{"matmul-naive", 1 << 26, Serial, 1, 123456.789, "Melem/s", true, nil},
		{"matmul-naive", 1 << 26, Thread, 16, 0.00061728394, "Melem/s", false, nil},
	}))
	require.NoError(t, table.Add([]Result{{"launch", 0, Serial, 1, 2, "us", true, nil}}))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, lines, 4)
	for _, l := range lines {
		assert.Len(t, l, len(lines[0]))
	}
	assert.Equal(t, strings.Fields("workload size executor workers figure unit vs serial vs openmp verified"), strings.Fields(lines[0]))
	assert.Equal(t, strings.Fields("matmul-naive 67108864 thread 16 0.0006173 Melem/s 5e-09 - NO"), strings.Fields(lines[2]))
	assert.Equal(t, strings.Fields("launch - serial 1 2 us 1 - yes"), strings.Fields(lines[3]))

	full := errors.New("the disk is full")
	assert.ErrorIs(t, NewTable(writeFails{full}, nil).Add(nil), full)
}

// Whoever asks for the programs of an executor at the same time gets the same ones, which are built
// once.
func TestProgramsAreBuiltOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	counter := filepath.Join(t.TempDir(), "count")
	// A compiler that counts, and whose program does nothing.
	script := "#!/bin/sh\necho once >>" + counter + "\nwhile [ \"$1\" != -o ]; do shift; done\nprintf '#!/bin/sh\\n' >\"$2\"\n/bin/chmod +x \"$2\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gcc"), []byte(script), 0o755))
	c := &native{}
	defer c.close()
	got := make([][]program, 8)
	var group errgroup.Group
	for i := range got {
		group.Go(func() (err error) {
			got[i], err = c.of(t.Context(), []string{OpenMP, OpenCL}[i%2])
			return err
		})
	}
	require.NoError(t, group.Wait())
	for i := range got {
		require.Len(t, got[i], 1)
		assert.Equal(t, got[i%2], got[i])
		assert.FileExists(t, got[i][0].path)
	}
	count, err := os.ReadFile(counter)
	require.NoError(t, err)
	assert.Equal(t, "once\nonce\n", string(count), "one for each executor")

	// A build that is given up leaves nothing behind that the next one would take for the programs.
	c = &native{}
	defer c.close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = c.of(ctx, OpenMP)
	assert.ErrorIs(t, err, context.Canceled)
	programs, err := c.of(t.Context(), OpenMP)
	require.NoError(t, err)
	assert.Len(t, programs, 1)
}

// A round of short runs is a sample, its best; each long run is one.
func TestSamples(t *testing.T) {
	var tm timing
	for _, d := range []time.Duration{5, 3, 2 * long} { // one of them was held up
		tm.add(d)
	}
	tm.endRound()
	tm.add(4)
	tm.endRound()
	tm.endRound()
	assert.Equal(t, []time.Duration{3, 4}, tm.samples)
	tm = timing{}
	tm.add(2 * long)
	tm.add(long)
	tm.endRound()
	assert.Equal(t, []time.Duration{2 * long, long}, tm.samples)
	assert.Equal(t, long, tm.best)
}
