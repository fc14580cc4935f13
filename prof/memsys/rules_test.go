package memsys_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/prof/memsys"
)

// capabilities has one of each kind of memory system.
var capabilities = []gocuda.Capability{{Major: 1}, {Major: 1, Minor: 1}, {Major: 1, Minor: 2}, {Major: 1, Minor: 3},
	{Major: 2}, {Major: 2, Minor: 1}, {Major: 3}, {Major: 3, Minor: 5}, {Major: 5}, {Major: 7}, {Major: 8}, {Major: 9}}

const base = 256 * 1000

// request is a load of a whole warp, lane i at address at(i).
func request(size int, at func(i int) int) memsys.Request {
	r := memsys.Request{Active: ^uint32(0), Size: size}
	for i := range r.Addr {
		r.Addr[i] = uint64(base + at(i)*size)
	}
	return r
}

// The figures follow from the rules of the CUDA C Programming Guide 4.2, appendix F, worked out by
// hand and compared with its figure F-1: useful bytes, then transactions and bytes of 1.0/1.1, of
// 1.2/1.3, of 2.x and 3.x through L1, and in sectors.
func TestCoalescing(t *testing.T) {
	even := request(4, func(i int) int { return i })
	even.Active = 0x55555555
	for _, c := range []struct {
		name    string
		r       memsys.Request
		useful  int
		figures [4][2]int
	}{
		{"a[i]", request(4, func(i int) int { return i }), 128, [4][2]int{{2, 128}, {2, 128}, {1, 128}, {4, 128}}},
		{"a[i+1]", request(4, func(i int) int { return i + 1 }), 128, [4][2]int{{32, 1024}, {3, 224}, {2, 256}, {5, 160}}},
		{"a[31-i]", request(4, func(i int) int { return 31 - i }), 128, [4][2]int{{32, 1024}, {2, 128}, {1, 128}, {4, 128}}},
		{"a[2i]", request(4, func(i int) int { return 2 * i }), 128, [4][2]int{{32, 1024}, {2, 256}, {2, 256}, {8, 256}}},
		{"a[8i]", request(4, func(i int) int { return 8 * i }), 128, [4][2]int{{32, 1024}, {8, 1024}, {8, 1024}, {32, 1024}}},
		{"a[1024i]", request(4, func(i int) int { return 1024 * i }), 128, [4][2]int{{32, 1024}, {32, 1024}, {32, 4096}, {32, 1024}}},
		{"a[0]", request(4, func(int) int { return 0 }), 128, [4][2]int{{32, 1024}, {2, 64}, {1, 128}, {1, 32}}},
		{"even lanes", even, 64, [4][2]int{{2, 128}, {2, 128}, {1, 128}, {4, 128}}},
		{"bytes", request(1, func(i int) int { return i }), 32, [4][2]int{{32, 1024}, {2, 64}, {1, 128}, {1, 32}}},
		{"d[i]", request(8, func(i int) int { return i }), 256, [4][2]int{{2, 256}, {2, 256}, {2, 256}, {8, 256}}},
		{"two rows of 16", request(4, func(i int) int { return i/16*1024 + i%16 }), 128, [4][2]int{{2, 128}, {2, 128}, {2, 256}, {4, 128}}},
		{"words of 16 bytes", request(16, func(i int) int { return i }), 512, [4][2]int{{4, 512}, {4, 512}, {4, 512}, {16, 512}}},
	} {
		for _, cc := range capabilities {
			for _, path := range []memsys.Path{memsys.L1, memsys.L2} {
				column := 3
				switch {
				case cc.Major == 1 && cc.Minor < 2:
					column = 0
				case cc.Major == 1:
					column = 1
				case cc.Major <= 3 && path == memsys.L1:
					column = 2
				}
				got, err := memsys.Global(cc, c.r, path)
				require.NoError(t, err)
				assert.Equal(t, c.figures[column], [2]int{len(got.Transactions), got.Bytes}, "%s on %v, path %v", c.name, cc, path)
				assert.Equal(t, c.useful, got.Useful, c.name)
			}
		}
	}
}

// Passes of 1.x, 2.x, 3.x with banks of 32 bits, and of 64.
func TestBankConflicts(t *testing.T) {
	for _, c := range []struct {
		name    string
		r       memsys.Request
		figures [4]int
	}{
		{"s[i]", request(4, func(i int) int { return i }), [4]int{2, 1, 1, 1}},
		{"s[3i]", request(4, func(i int) int { return 3 * i }), [4]int{2, 1, 1, 2}},
		{"s[2i]", request(4, func(i int) int { return 2 * i }), [4]int{4, 2, 1, 1}},
		{"s[4i]", request(4, func(i int) int { return 4 * i }), [4]int{8, 4, 2, 2}},
		{"s[16i]", request(4, func(i int) int { return 16 * i }), [4]int{32, 16, 8, 8}},
		{"s[32i]", request(4, func(i int) int { return 32 * i }), [4]int{32, 32, 16, 16}},
		{"s[33i]", request(4, func(i int) int { return 33 * i }), [4]int{2, 1, 1, 1}},
		{"s[0]", request(4, func(int) int { return 0 }), [4]int{2, 1, 1, 1}},
		{"s[i/2]", request(4, func(i int) int { return i / 2 }), [4]int{4, 1, 1, 1}},
		{"bytes", request(1, func(i int) int { return i }), [4]int{8, 1, 1, 1}},
		{"d[i]", request(8, func(i int) int { return i }), [4]int{8, 2, 2, 1}},
	} {
		passes := func(cc gocuda.Capability, w memsys.BankWidth) int {
			p, err := memsys.Shared(cc, c.r, w)
			require.NoError(t, err)
			return p.Passes
		}
		for _, cc := range capabilities {
			want := c.figures[1]
			switch cc.Major {
			case 1:
				want = c.figures[0]
			case 3:
				assert.Equal(t, c.figures[3], passes(cc, memsys.Bank64), "%s on %v, banks of 64 bits", c.name, cc)
				want = c.figures[2]
			}
			assert.Equal(t, want, passes(cc, memsys.Bank32), "%s on %v", c.name, cc)
		}
	}
}

// The branch and the shared loads of three reductions of Harris (a block of 128, seven rounds, 32
// banks).
func TestReductions(t *testing.T) {
	const block = 128
	for _, c := range []struct {
		name                string
		divergent           int
		efficiency          float64
		requests, wavefront int // of the loads of the partner's element and of the own one; 0: not asked
		index               func(tid, s int) (own, partner int, active bool)
		descending          bool
	}{
		{"interleaved, divergent", 23, 17.86, 0, 0, func(tid, s int) (int, int, bool) { return tid, tid + s, tid%(2*s) == 0 }, false},
		{"interleaved, strided", 5, 82.14, 16, 46, func(tid, s int) (int, int, bool) { return 2 * s * tid, 2*s*tid + s, 2*s*tid < block }, false},
		{"sequential", 5, 82.14, 16, 16, func(tid, s int) (int, int, bool) { return tid, tid + s, tid < s }, true},
	} {
		var b memsys.Branches
		requests, wavefronts := 0, 0
		for round := range 7 {
			s := 1 << round
			if c.descending {
				s = block / 2 >> round
			}
			for warp := range block / memsys.Lanes {
				own, partner := memsys.Request{Size: 4}, memsys.Request{Size: 4}
				for lane := range memsys.Lanes {
					o, p, active := c.index(warp*memsys.Lanes+lane, s)
					if active {
						own.Active |= 1 << lane
						own.Addr[lane], partner.Addr[lane] = uint64(4*o), uint64(4*p)
					}
				}
				partner.Active = own.Active
				b.Branch(^uint32(0), own.Active)
				for _, r := range []memsys.Request{own, partner} {
					p, err := memsys.Shared(gocuda.Capability{Major: 8}, r, memsys.Bank32)
					require.NoError(t, err)
					requests += p.Ideal
					wavefronts += p.Passes
				}
			}
		}
		assert.Equal(t, 28, b.Branches, c.name)
		assert.Equal(t, c.divergent, b.Divergent, c.name)
		assert.InDelta(t, c.efficiency, b.Efficiency(), 0.005, c.name)
		if c.requests > 0 {
			assert.Equal(t, [2]int{c.requests, c.wavefront}, [2]int{requests, wavefronts}, c.name)
		}
	}
}

// The slow statements below go byte by byte, or try each piece of memory, instead of lane by lane.

func TestSectorsAgainstBytes(t *testing.T) {
	forRandom(t, func(r memsys.Request) {
		touched := make(map[uint64]bool)
		for lane := range memsys.Lanes {
			for b := range r.Size {
				if r.Active&(1<<lane) != 0 {
					touched[(r.Addr[lane]+uint64(b))/32] = true
				}
			}
		}
		got, err := memsys.Global(gocuda.Capability{Major: 9}, r, memsys.L1)
		require.NoError(t, err)
		require.Len(t, got.Transactions, len(touched), "%+v", r)
	})
}

// On every capability the transactions are aligned, and hold each byte that a lane asks for.
func TestTransactionsHoldWhatIsAskedFor(t *testing.T) {
	forRandom(t, func(r memsys.Request) {
		for _, cc := range capabilities {
			got, err := memsys.Global(cc, r, memsys.L1)
			require.NoError(t, err)
			for _, x := range got.Transactions {
				require.Zero(t, x.Addr%uint64(x.Size), "%v %+v", cc, r)
			}
			for lane := range memsys.Lanes {
				if r.Active&(1<<lane) == 0 {
					continue
				}
				held := false
				for _, x := range got.Transactions {
					held = held || x.Addr <= r.Addr[lane] && r.Addr[lane]+uint64(r.Size) <= x.Addr+uint64(x.Size)
				}
				require.True(t, held, "lane %d on %v: %+v", lane, cc, r)
			}
		}
	})
}

// A bank gives one word of its own a pass: count, bank after bank, the words that are asked of it.
func TestPassesAgainstWords(t *testing.T) {
	forRandom(t, func(r memsys.Request) {
		group := map[int]int{1: 32, 2: 32, 4: 32, 8: 16, 16: 8}[r.Size]
		want := 0
		for from := 0; from < memsys.Lanes; from += group {
			most := 0
			for bank := range uint64(32) {
				words := make(map[uint64]bool)
				for lane := from; lane < from+group; lane++ {
					for b := range uint64(r.Size) {
						if w := (r.Addr[lane] + b) / 4; r.Active&(1<<lane) != 0 && w%32 == bank {
							words[w] = true
						}
					}
				}
				most = max(most, len(words))
			}
			want += most
		}
		for _, major := range []int{2, 5, 9} {
			got, err := memsys.Shared(gocuda.Capability{Major: major}, r, memsys.Bank32)
			require.NoError(t, err)
			require.Equal(t, want, got.Passes, "%d.0 %+v", major, r)
		}
	})
}

// forRandom calls f with requests of all sizes, of dense and of scattered addresses and of some lanes.
func forRandom(t *testing.T, f func(r memsys.Request)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		r := memsys.Request{Active: rng.Uint32() | rng.Uint32(), Size: 1 << rng.IntN(5), Store: rng.IntN(2) == 0}
		span := 1 << (3 + rng.IntN(10))
		for lane := range r.Addr {
			r.Addr[lane] = uint64(rng.IntN(span) * r.Size)
		}
		f(r)
	}
}

func TestWhatNoGPUCan(t *testing.T) {
	odd := memsys.Strided(2, 1, 4)
	_, err := memsys.Global(gocuda.Capability{Major: 8}, odd, memsys.L2)
	assert.ErrorContains(t, err, "lane 0 accesses 4 bytes at 0x2")
	_, err = memsys.Shared(gocuda.Capability{Major: 8}, memsys.Strided(0, 1, 12), memsys.Bank32)
	assert.ErrorContains(t, err, "12 bytes")
	_, err = memsys.Constant(gocuda.Capability{Major: 1, Minor: 7}, memsys.Strided(0, 1, 4))
	assert.ErrorContains(t, err, "no compute capability 1.7")
	_, err = memsys.Contend(memsys.Request{})
	assert.Error(t, err)
}

func TestNoActiveLaneMovesNothing(t *testing.T) {
	for _, cc := range capabilities {
		got, err := memsys.Global(cc, memsys.Request{Size: 4}, memsys.L1)
		require.NoError(t, err)
		assert.Zero(t, got.Requests+len(got.Transactions)+got.Bytes)
		p, err := memsys.Shared(cc, memsys.Request{Size: 4}, memsys.Bank32)
		require.NoError(t, err)
		assert.Zero(t, p.Passes)
	}
}

func TestSplit(t *testing.T) {
	for _, c := range [][4]int{{12, 4, 4, 3}, {16, 16, 16, 1}, {16, 4, 4, 4}, {24, 8, 8, 3}, {32, 16, 16, 2}, {3, 1, 1, 3}, {0, 4, 0, 0}} {
		word, n := memsys.Split(c[0], c[1])
		assert.Equal(t, [2]int{c[2], c[3]}, [2]int{word, n}, "%d bytes, aligned to %d", c[0], c[1])
	}
}

func TestConstantCacheServesOneAddress(t *testing.T) {
	for _, c := range []struct {
		r           memsys.Request
		half, whole int
	}{
		{request(4, func(int) int { return 7 }), 2, 1},
		{request(4, func(i int) int { return i }), 32, 32},
		{request(4, func(i int) int { return i % 4 }), 8, 4},
	} {
		got, err := memsys.Constant(gocuda.Capability{Major: 1, Minor: 3}, c.r)
		require.NoError(t, err)
		assert.Equal(t, c.half, got)
		got, err = memsys.Constant(gocuda.Capability{Major: 3}, c.r)
		require.NoError(t, err)
		assert.Equal(t, c.whole, got)
	}
}

func TestContention(t *testing.T) {
	got, err := memsys.Contend(request(4, func(i int) int { return max(0, i-20) }))
	require.NoError(t, err)
	assert.Equal(t, memsys.Contention{Addresses: 12, Most: 21}, got)
}

// A column of a matrix of 2048 float32 a row stays in one partition of a GTX 280.
func TestPartitionCamping(t *testing.T) {
	gtx280 := gocuda.Capability{Major: 1, Minor: 3}
	column, err := memsys.Global(gtx280, memsys.Strided(0, 2048, 4), memsys.L2)
	require.NoError(t, err)
	assert.Equal(t, []int{32, 0, 0, 0, 0, 0, 0, 0}, memsys.Partitions(column.Transactions, 8, 256))
	diagonal, err := memsys.Global(gtx280, memsys.Strided(0, 2048+64, 4), memsys.L2)
	require.NoError(t, err)
	assert.Equal(t, []int{4, 4, 4, 4, 4, 4, 4, 4}, memsys.Partitions(diagonal.Transactions, 8, 256))
	assert.Nil(t, memsys.Partitions(nil, 0, 256))
}

// The store of a naive transpose, and the same through shared memory.
func ExampleGlobal() {
	ampere := gocuda.Capability{Major: 8}
	for _, stride := range []int{1024, 1} {
		r := memsys.Strided(0, stride, 4)
		r.Store = true
		t, err := memsys.Global(ampere, r, memsys.L2)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d sectors, %.1f %% of their bytes asked for\n", len(t.Transactions), t.Efficiency())
	}
	// Output:
	// 32 sectors, 12.5 % of their bytes asked for
	// 4 sectors, 100.0 % of their bytes asked for
}

// A column of a tile of 32 columns, and of one that is padded to 33.
func ExampleShared() {
	for _, columns := range []int{32, 33} {
		p, err := memsys.Shared(gocuda.Capability{Major: 8}, memsys.Strided(0, columns, 4), memsys.Bank32)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Passes, p.Excess())
	}
	// Output:
	// 32 31
	// 1 0
}
