package gocuda_test

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// Producers fill a buffer and consumers empty it, with two named barriers for each of two buffers:
// the example of bar.arrive in the PTX ISA manual, made longer.
func TestProducersAndConsumers(t *testing.T) {
	const half, rounds = 64, 20
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		got := make([][half]int, rounds)
		require.NoError(t, launchOne(t, dev, 2*half, func(t *gocuda.Thread) {
			buffers := [2][]int{gocuda.Shared[int](t, half), gocuda.Shared[int](t, half)}
			const full, empty = 1, 3
			for r := range rounds {
				k := r % 2
				if i := t.Rank(); i < half {
					if r >= 2 {
						t.BarSync(empty+k, 2*half)
					}
					buffers[k][i] = 1000*r + i
					t.BarArrive(full+k, 2*half)
				} else {
					t.BarSync(full+k, 2*half)
					got[r][i-half] = buffers[k][2*half-1-i]
					if r < rounds-2 {
						t.BarArrive(empty+k, 2*half)
					}
				}
			}
		}))
		for r := range got {
			slicetest.Each(t, func(i int) int { return 1000*r + half - 1 - i }, got[r][:], "round %d", r)
		}
	})
}

// Warps meet at different barriers at the same time, all 16 of them.
func TestAllNamedBarriers(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		x, y := make([]int, 1024), make([]int, 1024)
		require.NoError(t, launchOne(t, dev, 1024, func(t *gocuda.Thread) {
			id := t.Rank() / 64
			for range 3 {
				x[t.Rank()]++
				t.BarSync(id, 64)
				y[t.Rank()] += x[t.Rank()^63]
				t.BarSync(id, 64)
			}
		}))
		slicetest.Each(t, func(int) int { return 1 + 2 + 3 }, y)
	})
}

func TestReductionsAtNamedBarriers(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for _, n := range []int{32, 64, 33, 95, 256} {
			for _, threads := range []int{0, (n + 31) / 32 * 32} {
				for _, trues := range []uint64{0, 1, 1<<n - 1, 0xdeadbeefcafef00d} {
					pred := func(i int) bool { return bits.RotateLeft64(trues, -i)&1 != 0 }
					count := 0
					for i := range n {
						if pred(i) {
							count++
						}
					}
					require.NoError(t, launchOne(t, dev, n, func(t *gocuda.Thread) {
						p := pred(t.Rank())
						for id := range 3 {
							if got := t.BarRedCount(id, threads, p); got != count {
								panic("count")
							}
							if got := t.BarRedAnd(id, threads, p); got != (count == n) {
								panic("and")
							}
							if got := t.BarRedOr(id, threads, p); got != (count > 0) {
								panic("or")
							}
						}
					}))
				}
			}
		}
	})
}

// Barrier 0 of all threads is that of SyncThreads.
func TestBarrierZeroIsSyncThreads(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		x := make([]int, 128)
		require.NoError(t, launchOne(t, dev, 128, func(t *gocuda.Thread) {
			x[t.Rank()] = t.Rank()
			switch t.Rank() % 3 {
			case 0:
				t.SyncThreads()
			case 1:
				t.BarSync(0, 0)
			default:
				t.BarSync(0, 128)
			}
			if x[127-t.Rank()] != 127-t.Rank() {
				panic("not synchronized")
			}
		}))
	})
}

// Threads that return count where all are meant, and nowhere else.
func TestReturnAtNamedBarriers(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		require.NoError(t, launchOne(t, dev, 96, func(t *gocuda.Thread) {
			if t.Rank()%2 == 0 {
				return
			}
			t.BarSync(2, 0)
			if n := t.BarRedCount(3, 0, true); n != 48 {
				panic(n)
			}
		}))
		err := launchOne(t, dev, 96, func(t *gocuda.Thread) {
			if t.Rank() != 5 {
				t.BarSync(2, 96)
			}
		})
		wantError(t, err, gocuda.ErrBarrierDeadlock, "95 threads (the first is 0) wait in BarSync of barrier 2")
	})
}

func TestMisuseOfNamedBarriers(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for name, c := range map[string]struct {
			kernel func(*gocuda.Thread)
			want   error
		}{
			"number -1":         {func(t *gocuda.Thread) { t.BarSync(-1, 32) }, gocuda.ErrInvalidValue},
			"number 16":         {func(t *gocuda.Thread) { t.BarSync(16, 32) }, gocuda.ErrInvalidValue},
			"33 threads":        {func(t *gocuda.Thread) { t.BarSync(1, 33) }, gocuda.ErrInvalidValue},
			"-32 threads":       {func(t *gocuda.Thread) { t.BarSync(1, -32) }, gocuda.ErrInvalidValue},
			"too many threads":  {func(t *gocuda.Thread) { t.BarSync(1, 128) }, gocuda.ErrInvalidValue},
			"arrive of nobody":  {func(t *gocuda.Thread) { t.BarArrive(1, 0) }, gocuda.ErrInvalidValue},
			"arrive at 20":      {func(t *gocuda.Thread) { t.BarArrive(20, 32) }, gocuda.ErrInvalidValue},
			"different numbers": {func(t *gocuda.Thread) { t.BarSync(1, 64+t.Rank()%2*32) }, gocuda.ErrBarrierDivergence},
			"all and some":      {func(t *gocuda.Thread) { t.BarSync(1, t.Rank()%2*96) }, gocuda.ErrBarrierDivergence},
			"sync and reduce": {func(t *gocuda.Thread) {
				if t.Rank() == 0 {
					t.BarSync(1, 96)
				}
				t.BarRedCount(1, 96, true)
			}, gocuda.ErrBarrierDivergence},
			"barrier 0 twice": {func(t *gocuda.Thread) {
				if t.Rank() < 10 {
					t.BarSync(0, 64)
				}
				t.SyncThreads()
			}, gocuda.ErrBarrierDivergence},
		} {
			err := launchOne(t, dev, 96, c.kernel)
			assert.ErrorIs(t, err, c.want, name)
		}
	})
}
