package cg_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/cg"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// onExecutors runs f on a large device of each executor.
func onExecutors(t *testing.T, f func(t *testing.T, dev *gocuda.Device)) {
	for _, e := range []gocuda.Executor{gocuda.ExecutorCoroutine, gocuda.ExecutorGoroutine} {
		t.Run(e.String(), func(t *testing.T) {
			dev, err := gocuda.NewDevice(gocuda.WithExecutor(e), gocuda.WithGeneration(gocuda.Volta))
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			f(t, dev)
		})
	}
}

func launch(t *testing.T, dev *gocuda.Device, threads int, k func(*gocuda.Thread)) {
	t.Helper()
	if err := dev.LaunchFunc(context.Background(), grid.Linear(threads, threads), k); err != nil {
		t.Fatal(err)
	}
}

func fails(t *testing.T, dev *gocuda.Device, threads int, want error, k func(*gocuda.Thread)) {
	t.Helper()
	if err := dev.LaunchFunc(context.Background(), grid.Linear(threads, threads), k); !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
}

// expect fails the kernel. What it says comes back as the launch's error.
func expect[T comparable](what string, got, want T) {
	if got != want {
		panic(fmt.Sprintf("%s: %v, want %v", what, got, want))
	}
}

// A model is a tile as a list of the ranks of its threads in the block.
type model []int

// checkExchanges compares every operation of tile g with the model, in a thread that is the rank-th
// of it. values are what the threads of the block give.
func checkExchanges(g cg.Tile, m model, rank int, values []int64, rng *rand.Rand) {
	n := len(m)
	val := func(r int) int64 { return values[m[r]] }
	mine := val(rank)
	expect("size", g.Size(), n)
	expect("rank", g.ThreadRank(), rank)

	var ballot, same uint32
	anyOdd, allOdd, allSame := false, true, true
	for r := range n {
		odd := val(r)&1 != 0
		anyOdd, allOdd = anyOdd || odd, allOdd && odd
		if r < 32 && odd {
			ballot |= 1 << r
		}
		if r < 32 && val(r) == mine {
			same |= 1 << r
		}
		allSame = allSame && val(r) == val(0)
	}
	expect("any", g.Any(mine&1 != 0), anyOdd)
	expect("all", g.All(mine&1 != 0), allOdd)

	src := rng.IntN(n)
	expect("shfl", cg.Shfl(g, mine, src), val(src))

	// Every prefix, folded by loops. The operation is not commutative: strings would do, but are slow.
	join := func(a, b [2]int64) [2]int64 { return [2]int64{a[0] * b[0], a[1]*b[0] + b[1]} }
	elem := func(r int) [2]int64 { return [2]int64{val(r) | 1, val(r)} }
	var up, total, down [2]int64
	for r := range n {
		if r == 0 {
			total = elem(0)
		} else {
			total = join(total, elem(r))
		}
		if r == rank {
			up = total
		}
		if r == rank-1 {
			down = total
		}
	}
	if rank == 0 {
		down = [2]int64{-1, -2}
	}
	expect("reduce", cg.Reduce(g, elem(rank), join), total)
	expect("inclusive scan", cg.InclusiveScan(g, elem(rank), join), up)
	expect("exclusive scan", cg.ExclusiveScan(g, elem(rank), join, [2]int64{-1, -2}), down)

	var sum, least, most, and, or, xor int64
	for r := range n {
		v := val(r)
		if r == 0 {
			least, most, and = v, v, v
		}
		sum, least, most, and, or, xor = sum+v, min(least, v), max(most, v), and&v, or|v, xor^v
	}
	expect("plus", cg.Reduce(g, mine, cg.Plus[int64]), sum)
	expect("less", cg.Reduce(g, mine, cg.Less[int64]), least)
	expect("greater", cg.Reduce(g, mine, cg.Greater[int64]), most)
	expect("and", cg.Reduce(g, mine, cg.BitAnd[int64]), and)
	expect("or", cg.Reduce(g, mine, cg.BitOr[int64]), or)
	expect("xor", cg.Reduce(g, mine, cg.BitXor[int64]), xor)

	once := 0
	cg.InvokeOne(g, func() { once++ })
	expect("invoke one", once == 1, rank == 0)
	expect("broadcast", cg.InvokeOneBroadcast(g, func() int64 { return mine }), val(0))
	cg.Sync(g)
	if n > 32 {
		return
	}
	expect("ballot", g.Ballot(mine&1 != 0), ballot)
	expect("match any", cg.MatchAny(g, mine), same)
	ranks, is := cg.MatchAll(g, mine)
	expect("match all", is, allSame)
	if is {
		expect("match all", ranks, uint32(1<<n-1))
	} else {
		expect("match all", ranks, 0)
	}
	delta := rng.IntN(33)
	from := rank
	if r := rank - delta%32; r >= 0 {
		from = r
	}
	expect("shfl up", cg.ShflUp(g, mine, delta), val(from))
	from = rank
	if r := rank + delta%32; r < n {
		from = r
	}
	expect("shfl down", cg.ShflDown(g, mine, delta), val(from))
}

func randomValues(rng *rand.Rand, n int) []int64 {
	x := make([]int64, n)
	small := rng.IntN(3) > 0
	for i := range x {
		x[i] = rng.Int64N(1<<40) - 1<<39
		if small {
			x[i] = rng.Int64N(3)
		}
	}
	return x
}

// All tiles of all sizes, of blocks and of tiles, in blocks that they divide and in others.
func TestTiledPartition(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for _, n := range []int{1, 7, 32, 33, 64, 100, 256, 512} {
			for _, size := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512} {
				if n > 100 && size < 32 && raceMode {
					continue
				}
				values := randomValues(rand.New(rand.NewPCG(uint64(n), uint64(size))), n)
				launch(t, dev, n, func(t *gocuda.Thread) {
					i := t.Rank()
					block := cg.ThisThreadBlock(t)
					g := cg.TiledPartition(block, size)
					var m model
					for k := i / size * size; k < min(n, (i/size+1)*size); k++ {
						m = append(m, k)
					}
					rng := rand.New(rand.NewPCG(uint64(i/size), 1))
					checkExchanges(g, m, i%size, values, rng)
					expect("meta rank", g.MetaGroupRank(), i/size)
					expect("meta size", g.MetaGroupSize(), (n+size-1)/size)
					if half := size / 2; half > 0 && len(m) == size {
						h := cg.TiledPartition(g, half)
						expect("meta rank", h.MetaGroupRank(), i%size/half)
						expect("meta size", h.MetaGroupSize(), 2)
						checkExchanges(h, m[i%size/half*half:][:half], i%half, values, rng)
					}
				})
			}
		}
	})
}

// ShflXor, and sources taken modulo the size, are those of the hardware's shuffles with a width.
func TestShflXorAndModulo(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for size := 1; size <= 32; size *= 2 {
			launch(t, dev, 64, func(t *gocuda.Thread) {
				g := cg.TiledPartition(cg.ThisThreadBlock(t), size)
				base := t.Rank() / size * size
				for x := range size {
					expect("xor", cg.ShflXor(g, t.Rank(), x), base+(t.Rank()-base)^x)
				}
				for src := range 100 {
					expect("modulo", cg.Shfl(g, t.Rank(), src), base+src%size)
				}
			})
		}
	})
}

// Random partitions of warps: by labels, by predicates, and again into tiles.
func TestLabeledAndBinaryPartition(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for seed := range uint64(20) {
			rng := rand.New(rand.NewPCG(seed, 7))
			n := 1 + rng.IntN(70)
			size := 1 << rng.IntN(6)
			kinds := 1 + rng.Int64N(5)
			values := randomValues(rng, n)
			labels := make([]int64, n)
			for i := range labels {
				labels[i] = rng.Int64N(kinds) - 2
			}
			launch(t, dev, n, func(t *gocuda.Thread) {
				i := t.Rank()
				tile := cg.TiledPartition(cg.ThisThreadBlock(t), size)
				first := i / size * size
				g := cg.LabeledPartition(tile, labels[i])
				var m model
				var order []int64
				for k := first; k < min(n, first+size); k++ {
					if labels[k] == labels[i] {
						m = append(m, k)
					}
					if !slices.Contains(order, labels[k]) {
						order = append(order, labels[k])
					}
				}
				rank := slices.Index(m, i)
				checkExchanges(g, m, rank, values, rand.New(rand.NewPCG(seed, uint64(m[0]))))
				expect("meta size", g.MetaGroupSize(), len(order))
				expect("meta rank", g.MetaGroupRank(), slices.Index(order, labels[i]))

				// Of the group, those with odd values and the others.
				b := cg.BinaryPartition(g, values[i]&1 != 0)
				var half model
				for _, k := range m {
					if values[k]&1 == values[i]&1 {
						half = append(half, k)
					}
				}
				checkExchanges(b, half, slices.Index(half, i), values, rand.New(rand.NewPCG(seed, uint64(half[0]))))
				metaSize, metaRank := 2, int(values[i]&1)
				if len(half) == len(m) {
					metaSize, metaRank = 1, 0
				}
				expect("meta size", b.MetaGroupSize(), metaSize)
				expect("meta rank", b.MetaGroupRank(), metaRank)

				// Tiles of a coalesced group have consecutive ranks.
				p := cg.TiledPartition(b, 4)
				r := b.ThreadRank()
				part := half[r/4*4 : min(len(half), r/4*4+4)]
				checkExchanges(p, part, r%4, values, rand.New(rand.NewPCG(seed, uint64(part[0]))))
			})
		}
	})
}

// Threads that take different ways are different groups.
func TestCoalescedThreads(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for seed := range uint64(10) {
			rng := rand.New(rand.NewPCG(seed, 3))
			n := 1 + rng.IntN(100)
			way := make([]int, n)
			for i := range way {
				way[i] = rng.IntN(4)
			}
			values := randomValues(rng, n)
			launch(t, dev, n, func(t *gocuda.Thread) {
				i := t.Rank()
				var g cg.CoalescedGroup
				switch way[i] {
				case 0:
					return
				case 1:
					g = cg.CoalescedThreads(t)
				case 2:
					g = cg.CoalescedThreads(t)
				default:
					g = cg.CoalescedThreads(t)
				}
				var m model
				for k := i / 32 * 32; k < min(n, i/32*32+32); k++ {
					if way[k] == way[i] {
						m = append(m, k)
					}
				}
				checkExchanges(g, m, slices.Index(m, i), values, rand.New(rand.NewPCG(seed, uint64(m[0]))))
				expect("meta size", g.MetaGroupSize(), 1)
			})
		}
	})
}

func TestThreadBlockAndGrid(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		cfg := grid.Config{Grid: grid.Dim3{X: 2, Y: 3}, Block: grid.Dim3{X: 4, Y: 2, Z: 3}}
		x := make([]int, 6*24)
		kernel := gocuda.ThreadFunc(func(t *gocuda.Thread) {
			b, g := cg.ThisThreadBlock(t), cg.ThisGrid(t)
			expect("size", b.Size(), 24)
			expect("rank", b.ThreadRank(), t.ThreadIdx.X+4*t.ThreadIdx.Y+8*t.ThreadIdx.Z)
			expect("index", b.ThreadIndex(), t.ThreadIdx)
			expect("group", b.GroupIndex(), t.BlockIdx)
			expect("threads", b.DimThreads(), t.BlockDim)
			expect("size", g.Size(), 144)
			expect("blocks", g.NumBlocks(), 6)
			expect("block", g.BlockRank(), t.BlockIdx.X+2*t.BlockIdx.Y)
			expect("block", g.BlockIndex(), t.BlockIdx)
			expect("dim", g.DimBlocks(), t.GridDim)
			expect("valid", g.IsValid(), true)
			expect("rank", g.ThreadRank(), g.BlockRank()*24+b.ThreadRank())
			x[g.ThreadRank()] = 1
			tok := b.BarrierArrive()
			b.BarrierWait(tok)
			for r := b.ThreadRank(); r < 24; r++ {
				expect("block's barrier", x[g.BlockRank()*24+r], 1)
			}
			b.Sync()
			g.Sync()
			for r := range x {
				expect("grid's barrier", x[r], 1)
			}
			g.BarrierWait(g.BarrierArrive())
		})
		if err := dev.LaunchCooperative(context.Background(), cfg, kernel); err != nil {
			t.Error(err)
		}
		fails(t, dev, 1, gocuda.ErrNotPermitted, func(t *gocuda.Thread) {
			expect("valid", cg.ThisGrid(t).IsValid(), false)
			cg.Sync(cg.ThisGrid(t))
		})
	})
}

func TestUpdates(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for _, size := range []int{1, 8, 32, 64} {
			const n = 192
			var all, in, ex int32
			taken := make([]int32, 3*n)
			launch(t, dev, n, func(t *gocuda.Thread) {
				g := cg.TiledPartition(cg.ThisThreadBlock(t), size)
				v := int32(t.Rank() % 3)
				cg.ReduceUpdate(g, &all, v)
				end := cg.InclusiveScanUpdate(g, &in, v)
				start := cg.ExclusiveScanUpdate(g, &ex, v)
				for k := range v { // places that nobody else gets
					atomic.Add(&taken[start+k], 1)
					atomic.Add(&taken[end-1-k], 1)
				}
			})
			if all != n || in != n || ex != n {
				t.Fatal(all, in, ex)
			}
			for i, k := range taken {
				if want := map[bool]int32{true: 2}[i < n]; k != want {
					t.Fatalf("tiles of %d: place %d was taken %d times", size, i, k)
				}
			}
		}
	})
}

func TestMemcpyAsync(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for _, n := range []int{0, 1, 31, 100, 1000} {
			src := make([]int, n)
			for i := range src {
				src[i] = i + 1
			}
			launch(t, dev, 77, func(t *gocuda.Thread) {
				s := gocuda.Shared[int](t, n)
				b := cg.ThisThreadBlock(t)
				cg.MemcpyAsync(b, s, src)
				cg.Wait(b)
				if !slices.Equal(s, src) {
					panic("copy")
				}
			})
		}
		fails(t, dev, 8, gocuda.ErrInvalidValue, func(t *gocuda.Thread) {
			cg.MemcpyAsync(cg.ThisThreadBlock(t), make([]int, 3), make([]int, 4))
		})
	})
}

func TestMisuse(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		tile := func(t *gocuda.Thread, size int) cg.Tile { return cg.TiledPartition(cg.ThisThreadBlock(t), size) }
		for name, c := range map[string]struct {
			want   error
			kernel func(t *gocuda.Thread)
		}{
			"tiles of 0":            {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { tile(t, 0) }},
			"tiles of -1":           {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { tile(t, -1) }},
			"tiles of 3":            {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { tile(t, 3) }},
			"tiles of 2048":         {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { tile(t, 2048) }},
			"larger than its tile":  {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { cg.TiledPartition(tile(t, 8), 16) }},
			"64 of coalesced":       {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { cg.TiledPartition(cg.CoalescedThreads(t), 64) }},
			"ballot of 64":          {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { tile(t, 64).Ballot(true) }},
			"match any of 64":       {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { cg.MatchAny(tile(t, 64), 1) }},
			"match all of 64":       {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { cg.MatchAll(tile(t, 64), 1) }},
			"up in 64":              {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { cg.ShflUp(tile(t, 64), 1, 1) }},
			"down in 64":            {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { cg.ShflDown(tile(t, 64), 1, 1) }},
			"xor in 64":             {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { cg.ShflXor(tile(t, 64), 1, 1) }},
			"xor of coalesced":      {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { cg.ShflXor(cg.CoalescedThreads(t), 1, 1) }},
			"labels in 64":          {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { cg.LabeledPartition(tile(t, 64), 1) }},
			"predicates in 64":      {gocuda.ErrInvalidValue, func(t *gocuda.Thread) { cg.BinaryPartition(tile(t, 64), true) }},
			"shfl from 64 in 64":    {gocuda.ErrInactiveLane, func(t *gocuda.Thread) { cg.Shfl(tile(t, 64), 1, 64) }},
			"shfl from -1 in 64":    {gocuda.ErrInactiveLane, func(t *gocuda.Thread) { cg.Shfl(tile(t, 64), 1, -1) }},
			"shfl beyond coalesced": {gocuda.ErrInactiveLane, func(t *gocuda.Thread) { cg.Shfl(cg.BinaryPartition(tile(t, 32), t.Rank()%32 < 5), 1, 30) }},
			"shfl from a thread that returned": {gocuda.ErrInactiveLane, func(t *gocuda.Thread) {
				if t.Rank() == 3 {
					return
				}
				cg.Shfl(tile(t, 64), 1, 3)
			}},
			"different ways": {gocuda.ErrBarrierDeadlock, func(t *gocuda.Thread) {
				if t.Rank() < 10 {
					cg.Sync(tile(t, 64))
				}
				cg.Sync(cg.ThisThreadBlock(t))
			}},
		} {
			t.Run(name, func(t *testing.T) { fails(t, dev, 64, c.want, c.kernel) })
		}
		// A panic of an operator is the kernel's.
		boom := errors.New("boom")
		for _, size := range []int{8, 64} {
			fails(t, dev, 64, boom, func(t *gocuda.Thread) {
				cg.Reduce(tile(t, size), t.Rank(), func(a, b int) int { panic(boom) })
			})
		}
		err := dev.Launch(context.Background(), grid.Linear(64, 64), gocuda.BlockFunc(func(b *gocuda.Block) {
			b.ForEach(func(t *gocuda.Thread) { tile(t, 8).Sync() })
		}))
		if !errors.Is(err, gocuda.ErrNotPermitted) {
			t.Error(err)
		}
	})
}

// Threads that have returned are left out of reductions and scans.
func TestReturnedThreadsAreLeftOut(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for _, size := range []int{16, 32, 128} {
			launch(t, dev, 128, func(t *gocuda.Thread) {
				i := t.Rank()
				if i%5 == 0 {
					return
				}
				g := cg.TiledPartition(cg.ThisThreadBlock(t), size)
				total, below := 0, 0
				for k := i / size * size; k < i/size*size+size; k++ {
					if k%5 != 0 {
						total += k
						if k < i {
							below += k
						}
					}
				}
				expect("sum", cg.Reduce(g, i, cg.Plus[int]), total)
				expect("scan", cg.InclusiveScan(g, i, cg.Plus[int]), below+i)
				expect("scan", cg.ExclusiveScan(g, i, cg.Plus[int], 0), below)
				expect("all", g.All(i%5 != 0), true)
			})
		}
	})
}
