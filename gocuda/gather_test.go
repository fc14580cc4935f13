package gocuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
)

func TestGatherSync(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for _, n := range []int{1, 31, 64, 77} {
			require.NoError(t, launchOne(t, dev, n, func(t *gocuda.Thread) {
				lane, warp := t.LaneID(), t.WarpID()
				exist := min(32, n-32*warp)
				// Lanes meet in halves, thirds and all together, so that results of different
				// groups are alive at once.
				for round, mask := range []uint32{0x55555555 << (lane % 2), [3]uint32{0x49249249, 0x92492492, 0x24924924}[lane%3], gocuda.FullMask} {
					all, who := gocuda.GatherSync(t, mask, [2]int{t.Rank(), round})
					for i := range 32 {
						in := mask>>i&1 != 0 && i < exist
						if in != (who>>i&1 != 0) {
							panic("who")
						}
						if in && all[i] != [2]int{32*warp + i, round} {
							panic(all[i])
						}
					}
				}
			}))
		}
		err := launchOne(t, dev, 32, func(t *gocuda.Thread) {
			if t.LaneID() == 0 {
				gocuda.GatherSync(t, gocuda.FullMask, 1)
			} else {
				gocuda.GatherSync(t, gocuda.FullMask, "one")
			}
		})
		wantError(t, err, gocuda.ErrWarpDivergence)
	})
}

// Ranges that overlap only in whole blocks of threads, used in turn, and threads that have returned.
func TestGatherRange(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		const n = 256
		require.NoError(t, launchOne(t, dev, n, func(t *gocuda.Thread) {
			i := t.Rank()
			if i%7 == 3 {
				return
			}
			for round := range 4 {
				for _, size := range []int{64, 1, 128, 256, 32} {
					first := i / size * size
					r := gocuda.GatherRange(t, first, size, 10*i+round)
					if r.Len() != size {
						panic("length")
					}
					for k := range size {
						v, ok := r.At(k)
						if gone := (first+k)%7 == 3; ok == gone || ok && v != 10*(first+k)+round {
							panic([]any{i, size, k, v, ok})
						}
					}
				}
				t.SyncRange(i/64*64, 64)
			}
		}))
	})
}

func TestMisuseOfRanges(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for _, c := range [][2]int{{-1, 10}, {0, 0}, {0, 65}, {1, 32}, {0, -1}} {
			err := launchOne(t, dev, 64, func(t *gocuda.Thread) {
				if t.Rank() == 0 {
					t.SyncRange(c[0], c[1])
				}
			})
			assert.ErrorIs(t, err, gocuda.ErrInvalidValue, c)
		}
		err := launchOne(t, dev, 64, func(t *gocuda.Thread) {
			if t.Rank() < 32 {
				t.SyncRange(0, 64)
			} else {
				t.SyncThreads()
			}
		})
		wantError(t, err, gocuda.ErrBarrierDeadlock, "32 threads (the first is 0) wait in SyncRange", "SyncThreads")
	})
}
