package gocuda_test

import (
	"bytes"
	"context"
	"io"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// watched is a kernel with a name that is found nowhere else in a trace.
type watched struct {
	gocuda.ThreadFunc
	name string
}

func (w watched) KernelName() string { return w.name }

func TestTraceShowsLaunchesAndBlocks(t *testing.T) {
	if trace.IsEnabled() {
		t.Skip("a trace is being taken already")
	}
	dev := openDevice(t)
	run := func(name string) {
		k := watched{func(t *gocuda.Thread) { t.SyncThreads() }, name}
		require.NoError(t, dev.Launch(context.Background(), grid.Linear(4*32, 32), k))
		s := dev.NewStream()
		require.NoError(t, s.Launch(grid.Linear(4*32, 32), watched{k.ThreadFunc, name + "-in-a-stream"}))
		require.NoError(t, synchronize(t, s))
	}
	run("before-the-trace")
	var buf bytes.Buffer
	require.NoError(t, trace.Start(&buf))
	run("within-the-trace")
	trace.Stop()
	run("after-the-trace")
	for text, want := range map[string]bool{
		"within-the-trace":             true,
		"within-the-trace-in-a-stream": true,
		"\x05block":                    true, // the regions: a string has its length in front
		"before-the-trace":             false,
		"after-the-trace":              false,
	} {
		assert.Equal(t, want, bytes.Contains(buf.Bytes(), []byte(text)), "%q in the trace", text)
	}
}

// underWatch calls look from a frame that goroutine profiles show.
//
//go:noinline
func underWatch(look func()) { look() }

// labelsHere returns the label line of each goroutine that is inside underWatch; it is empty for one
// without labels.
func labelsHere() []string {
	var buf bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&buf, 1)
	var all []string
	for record := range strings.SplitSeq(buf.String(), "\n\n") {
		if !strings.Contains(record, "gocuda_test.underWatch") {
			continue
		}
		labels := ""
		for line := range strings.Lines(record) {
			if strings.HasPrefix(line, "# labels:") {
				labels = line
			}
		}
		all = append(all, labels)
	}
	return all
}

// profiled turns CPU profiling on for a test.
func profiled(t *testing.T) {
	t.Helper()
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		t.Cleanup(pprof.StopCPUProfile)
	} // otherwise somebody else profiles the tests, which is as good
}

// looker is a kernel of which one thread of one block looks at the labels.
func looker(f func()) gocuda.ThreadFunc {
	return func(t *gocuda.Thread) {
		t.SyncThreads()
		if t.GlobalX() == 77 {
			underWatch(f)
		}
		t.SyncThreads()
	}
}

func TestProfiledKernelsCarryLabels(t *testing.T) {
	profiled(t)
	for _, exec := range executors {
		dev := openDevice(t, gocuda.WithExecutor(exec), gocuda.WithWorkers(2))
		var mu sync.Mutex
		var seen []string
		look := func() {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, labelsHere()...)
		}
		check := func(what string, want ...string) {
			t.Helper()
			assert.NotZero(t, len(seen), "%v, %s: the kernel is not in the profile", exec, what)
			for _, labels := range seen {
				for _, w := range want {
					assert.Contains(t, labels, w, "%v, %s: labels", exec, what)
				}
			}
			seen = nil
		}
		ctx := context.Background()
		cfg := grid.Linear(8*32, 32)
		mustLaunch := func(ctx context.Context, k gocuda.Kernel) {
			t.Helper()
			require.NoError(t, dev.Launch(ctx, cfg, k))
		}

		mustLaunch(ctx, watched{func(t *gocuda.Thread) {
			if t.GlobalX() == 77 {
				underWatch(look)
			}
		}, "first"})
		check("without barriers", `"kernel":"first"`)

		// The goroutines of the barrier are used again for the next kernel, under its name.
		for _, name := range []string{"second", "third", "fourth"} {
			mustLaunch(ctx, watched{looker(look), name})
			check("behind a barrier", `"kernel":"`+name+`"`)
		}

		s := dev.NewStream()
		require.NoError(t, s.Launch(cfg, watched{looker(look), "fifth"}))
		require.NoError(t, synchronize(t, s))
		check("in a stream", `"kernel":"fifth"`)

		// The labels of the caller's context are kept, and gone with the launch.
		labelled := pprof.WithLabels(ctx, pprof.Labels("request", "42"))
		mustLaunch(labelled, watched{looker(look), "sixth"})
		check("with labels of the caller", `"kernel":"sixth"`, `"request":"42"`)
		mustLaunch(ctx, watched{func(t *gocuda.Thread) {
			if t.GlobalX() == 77 {
				underWatch(func() {
					look()
					for _, labels := range labelsHere() {
						if strings.Contains(labels, "request") {
							panic("labels of an earlier launch: " + labels)
						}
					}
				})
			}
		}, "seventh"})
		check("after a launch with labels", `"kernel":"seventh"`)

		require.NoError(t, dev.Launch(ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) {
			if b.BlockIdx.X == 5 {
				underWatch(look)
			}
		})))
		check("a block kernel", `"kernel":"gocuda_test.TestProfiledKernelsCarryLabels.`)
	}
}

func TestLaunchLeavesTheCallersLabelsAlone(t *testing.T) {
	profiled(t)
	dev := openDevice(t)
	pprof.Do(context.Background(), pprof.Labels("caller", "me"), func(ctx context.Context) {
		for range 5 {
			require.NoError(t, dev.Launch(context.Background(), grid.Linear(64, 32), watched{looker(func() {}), "inner"}))
			underWatch(func() {
				for _, labels := range labelsHere() {
					assert.Contains(t, labels, `"caller":"me"`, "after a launch")
					assert.NotContains(t, labels, "inner", "after a launch")
				}
			})
		}
	})
}
