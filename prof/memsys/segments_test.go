package memsys_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/prof/memsys"
)

// bytesIn returns the bytes that lanes [from, to) ask for within the aligned piece of memory of the
// given size that holds at.
func bytesIn(r memsys.Request, from, to int, at, size uint64) map[uint64]bool {
	bytes := make(map[uint64]bool)
	for lane := from; lane < to; lane++ {
		for b := range uint64(r.Size) {
			if a := r.Addr[lane] + b; r.Active&(1<<lane) != 0 && a/size == at/size {
				bytes[a] = true
			}
		}
	}
	return bytes
}

// On 1.2 and 1.3 each segment that a half-warp touches is one transaction, of the smallest aligned
// piece of 32, 64 or 128 bytes that has all bytes asked for in the segment.
func TestSegmentsAgainstPieces(t *testing.T) {
	forRandom(t, func(r memsys.Request) {
		segment := map[int]uint64{1: 32, 2: 64, 4: 128, 8: 128, 16: 128}[r.Size]
		want := make(map[memsys.Transaction]int)
		for from := 0; from < memsys.Lanes; from += 16 {
			seen := make(map[uint64]bool)
			for lane := from; lane < from+16; lane++ {
				at := r.Addr[lane]
				if r.Active&(1<<lane) == 0 || seen[at/segment] {
					continue
				}
				seen[at/segment] = true
				all := bytesIn(r, from, from+16, at, segment)
				for size := uint64(32); size <= segment; size *= 2 {
					if len(bytesIn(r, from, from+16, at, size)) == len(all) {
						want[memsys.Transaction{Addr: at / size * size, Size: int(size)}]++
						break
					}
				}
			}
		}
		for _, minor := range []int{2, 3} {
			traffic, err := memsys.Global(gocuda.Capability{Major: 1, Minor: minor}, r, memsys.L1)
			require.NoError(t, err)
			got := make(map[memsys.Transaction]int)
			for _, x := range traffic.Transactions {
				got[x]++
			}
			require.Equal(t, want, got, "1.%d %+v", minor, r)
		}
	})
}

// On 2.x and 3.x each line of 128 bytes that a warp of words of 4 bytes, or fewer, touches is a
// transaction; of words of 8 bytes a half-warp's, of 16 bytes a quarter-warp's. Stores go by
// sectors of 32 bytes.
func TestLinesAgainstBytes(t *testing.T) {
	forRandom(t, func(r memsys.Request) {
		lanes := map[int]int{1: 32, 2: 32, 4: 32, 8: 16, 16: 8}[r.Size]
		for path, size := range map[memsys.Path]uint64{memsys.L1: 128, memsys.L2: 32} {
			if r.Store {
				size = 32
			}
			want := 0
			for from := 0; from < memsys.Lanes; from += lanes {
				for at := uint64(0); at < 1<<12*uint64(r.Size); at += size { // forRandom stays below
					for lane := from; lane < from+lanes; lane++ {
						if r.Active&(1<<lane) != 0 && r.Addr[lane]/size == at/size {
							want++
							break
						}
					}
				}
			}
			for _, major := range []int{2, 3} {
				traffic, err := memsys.Global(gocuda.Capability{Major: major}, r, path)
				require.NoError(t, err)
				require.Len(t, traffic.Transactions, want, "%d.0 path %d %+v", major, path, r)
			}
		}
	})
}
