package gocuda_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// A printer is the writer of a device. Calls of Write must not overlap, so it needs no lock.
type printer struct {
	t    *testing.T
	busy atomic.Bool
	buf  bytes.Buffer
}

func (p *printer) Write(b []byte) (int, error) {
	assert.False(p.t, p.busy.Swap(true), "calls of Write overlap")
	defer p.busy.Store(false)
	return p.buf.Write(b)
}

// lines returns the lines that were printed, sorted, and forgets them.
func (p *printer) lines() []string {
	text := strings.TrimSuffix(p.buf.String(), "\n")
	p.buf.Reset()
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return lines
}

// onPrinters runs f on each executor, with a device that prints to p.
func onPrinters(t *testing.T, f func(t *testing.T, dev *gocuda.Device, p *printer)) {
	for _, exec := range executors {
		t.Run(exec.String(), func(t *testing.T) {
			p := &printer{t: t}
			f(t, openDevice(t, gocuda.WithExecutor(exec), gocuda.WithWorkers(3), gocuda.WithOutput(p)), p)
		})
	}
}

// want checks that exactly the given lines were printed, in any order.
func (p *printer) want(t *testing.T, lines []string) {
	t.Helper()
	slices.Sort(lines)
	got := p.lines()
	slicetest.Equal(t, lines, got, "%d lines, want %d:\n%s", len(got), len(lines), strings.Join(got[:min(len(got), 20)], "\n"))
}

func TestPrintedLinesAreWhole(t *testing.T) {
	onPrinters(t, func(t *testing.T, dev *gocuda.Device, p *printer) {
		var want []string
		for b := range 20 {
			for r := range 64 {
				want = append(want, fmt.Sprintf("block %d thread %d", b, r), fmt.Sprintf("and %d again", r))
			}
		}
		require.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(20*64, 64), func(t *gocuda.Thread) {
			t.Printf("block %d thread %d\n", t.BlockIdx.X, t.Rank())
			t.Printf("and %d again\n", t.Rank())
		}))
		p.want(t, want)
	})
}

func TestPartsOfALineAreJoinedPerThread(t *testing.T) {
	onPrinters(t, func(t *testing.T, dev *gocuda.Device, p *printer) {
		var want []string
		for r := range 3 * 64 {
			want = append(want, fmt.Sprintf("%d: one, two, three", r), fmt.Sprintf("%d: four", r))
		}
		require.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(3*64, 64), func(t *gocuda.Thread) {
			t.Printf("%d: one, ", t.GlobalX())
			t.SyncThreads() // the others come in between
			t.Printf("two, ")
			t.SyncWarp(gocuda.FullMask)
			t.Printf("three\n%d: ", t.GlobalX())
			t.SyncThreads()
			t.Printf("four\n")
		}))
		p.want(t, want)
	})
}

func TestLinesOfOneThreadKeepTheirOrder(t *testing.T) {
	onPrinters(t, func(t *testing.T, dev *gocuda.Device, p *printer) {
		require.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(64, 64), func(t *gocuda.Thread) {
			for i := range 10 {
				t.Printf("%d %d\n", t.Rank(), i)
				if i%3 == 0 {
					t.SyncThreads()
				}
			}
		}))
		next := make([]int, 64)
		for line := range strings.Lines(p.buf.String()) {
			var rank, i int
			_, err := fmt.Sscanf(line, "%d %d\n", &rank, &i)
			require.NoError(t, err, "line %q", line)
			require.Equal(t, next[rank], i, "line %q", line)
			next[rank]++
		}
		slicetest.Each(t, func(int) int { return 10 }, next, "lines of a thread")
	})
}

func TestUnfinishedLineIsPrintedAtTheEnd(t *testing.T) {
	onPrinters(t, func(t *testing.T, dev *gocuda.Device, p *printer) {
		require.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(64, 64), func(t *gocuda.Thread) {
			if t.Rank() == 5 {
				t.Printf("no newline")
			}
		}))
		p.want(t, []string{"no newline"})
		// Even of a thread that does not end well.
		dev.LaunchFunc(context.Background(), grid.Linear(64, 64), func(t *gocuda.Thread) {
			if t.Rank() == 5 {
				t.Printf("whole\n")
				t.Printf("last words")
				panic("on purpose")
			}
		})
		p.want(t, []string{"last words", "whole"})
	})
}

func TestWarpsAndBlocksPrintToo(t *testing.T) {
	onPrinters(t, func(t *testing.T, dev *gocuda.Device, p *printer) {
		ctx := context.Background()
		require.NoError(t, dev.Launch(ctx, grid.Linear(3*50, 50), gocuda.WarpFunc(func(w *gocuda.Warp) {
			w.Printf("block %d ", w.BlockIdx.X)
			w.SyncThreads()
			w.Printf("warp %d\n", w.WarpID())
		})))
		p.want(t, []string{"block 0 warp 0", "block 0 warp 1", "block 1 warp 0", "block 1 warp 1", "block 2 warp 0", "block 2 warp 1"})
		require.NoError(t, dev.Launch(ctx, grid.Linear(3*50, 50), gocuda.BlockFunc(func(b *gocuda.Block) {
			b.Printf("block %d", b.BlockIdx.X)
			b.ForEach(func(t *gocuda.Thread) {
				if t.Rank() == 7 {
					t.Printf("seven of %d\n", t.BlockIdx.X)
				}
			})
			b.Printf(" of %d\n", b.GridDim.X)
		})))
		p.want(t, []string{"block 0 of 3", "block 1 of 3", "block 2 of 3", "seven of 0", "seven of 1", "seven of 2"})
	})
}

// A faultyWriter fails while broken is set.
type faultyWriter struct{ broken error }

func (w *faultyWriter) Write(b []byte) (int, error) {
	if w.broken != nil {
		return 0, w.broken
	}
	return len(b), nil
}

func TestErrorOfTheWriterBecomesTheLaunchs(t *testing.T) {
	for _, exec := range executors {
		w := &faultyWriter{}
		dev := openDevice(t, gocuda.WithExecutor(exec), gocuda.WithOutput(w))
		hello := func(fail error) error {
			return dev.LaunchFunc(context.Background(), grid.Linear(128, 64), func(t *gocuda.Thread) {
				t.Printf("hello\n")
				if t.Rank() == 3 && fail != nil {
					panic(fail)
				}
			})
		}
		require.NoError(t, hello(nil))
		full, boom := errors.New("disk full"), errors.New("boom")
		w.broken = full
		assert.ErrorIs(t, hello(nil), full, exec)
		assert.ErrorIs(t, hello(boom), boom, exec) // the kernel's own error is the better one
		s := dev.NewStream()
		require.NoError(t, s.LaunchFunc(grid.Linear(64, 64), func(t *gocuda.Thread) { t.Printf("hello\n") }))
		assert.ErrorIs(t, synchronize(t, s), full, "%v: in a stream", exec)
		w.broken = nil
		require.NoError(t, hello(nil)) // the next launch begins anew
	}
}

type panickingWriter struct{}

func (panickingWriter) Write(b []byte) (int, error) { panic("the writer gives up") }

// A panic of the writer is the launch's error like one of the kernel, and as little the process's end.
func TestPanicOfTheWriterBecomesTheLaunchs(t *testing.T) {
	for _, exec := range executors {
		dev := openDevice(t, gocuda.WithExecutor(exec), gocuda.WithOutput(panickingWriter{}))
		for _, end := range []string{"\n", ""} {
			finishes(t, "a launch whose writer panics", func() {
				assert.Error(t, dev.LaunchFunc(context.Background(), grid.Linear(64, 64), func(t *gocuda.Thread) {
					t.Printf("hello%s", end)
					t.SyncThreads()
				}), "%v: no error after hello%q", exec, end)
			})
		}
	}
}
