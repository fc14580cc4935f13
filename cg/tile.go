package cg

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A Tile is a part of a block: CUDA's thread_block_tile, and its coalesced_group.
//
// Within a warp it is lanes, and its operations are the warp operations with those lanes as their
// mask. Larger ones, of 64 to 1024 threads, are whole warps that follow each other; they can't use
// all operations, as in CUDA.
type Tile struct {
	t         *gocuda.Thread
	mask      uint32 // the lanes; 0 of a tile of more than 32 threads, or of a block
	first     int    // the rank in the block of its first thread, unless it is coalesced
	size      int
	rank      int
	coalesced bool // chosen at run time
	metaRank  int
	metaSize  int
}

// A CoalescedGroup is a tile whose lanes were chosen at run time: CUDA's coalesced_group.
type CoalescedGroup = Tile

// Sync waits for all threads of the tile, and makes what they wrote visible to each other.
func (g Tile) Sync() {
	if g.mask == 0 {
		g.t.SyncRange(g.first, g.size)
		return
	}
	g.t.SyncWarp(g.mask)
}

// Size returns the number of threads of the tile.
func (g Tile) Size() int { return g.size }

// ThreadRank returns the number of the thread in the tile, from 0.
func (g Tile) ThreadRank() int { return g.rank }

// MetaGroupRank returns the number of the tile among the tiles of its parent, from 0. Tiles of a
// [LabeledPartition] are numbered in the order of their first threads. In a [BinaryPartition] with
// two tiles, the tile for true has number 1.
func (g Tile) MetaGroupRank() int { return g.metaRank }

// MetaGroupSize returns the number of tiles that its parent was divided into.
func (g Tile) MetaGroupSize() int { return g.metaSize }

func (g Tile) part() Tile { return g }

// TiledPartition divides a group into tiles of size threads each, in the order of their ranks, and
// returns the caller's: CUDA's tiled_partition. size is 1, 2, 4, 8, 16 or 32; of a block, or of a
// tile of one, it may also be 64 to
// 1024. If the number of threads is no multiple of size the last tile is smaller.
//
// Other sizes, and those larger than the parent tile's, are a [gocuda.ErrInvalidValue].
func TiledPartition(parent Part, size int) Tile {
	p := parent.part()
	most := 1024
	if p.mask != 0 {
		most = grid.WarpSize
	}
	if size < 1 || size > most || size&(size-1) != 0 {
		panic(fmt.Errorf("%w: tiles of %d threads, which is no power of two up to %d", gocuda.ErrInvalidValue, size, most))
	}
	_, block := parent.(ThreadBlock)
	if size > p.size && !block && !p.coalesced {
		panic(fmt.Errorf("%w: tiles of %d threads in a tile of %d", gocuda.ErrInvalidValue, size, p.size))
	}
	k := p.rank / size
	from, to := k*size, min((k+1)*size, p.size)
	g := Tile{
		t: p.t, first: p.first + from, size: to - from, rank: p.rank - from, coalesced: p.coalesced,
		metaRank: k, metaSize: (p.size + size - 1) / size,
	}
	switch {
	case p.coalesced:
		for r, m := 0, p.mask; m != 0; r, m = r+1, m&(m-1) {
			if r >= from && r < to {
				g.mask |= m & -m
			}
		}
	case g.size <= grid.WarpSize:
		g.mask = uint32(1<<g.size-1) << (g.first % grid.WarpSize)
	}
	return g
}

// CoalescedThreads returns the threads of the warp that come to this call together, CUDA's
// coalesced_threads.
//
// In CUDA these are the active threads, of which only the caller is certain. In gocuda the thread
// waits until every other lane of its warp has come to the same call, waits elsewhere, or has
// returned. The lanes that came to the call are the group, as in a warp in lockstep. See
// [gocuda.Thread.ActiveMask].
func CoalescedThreads(t *gocuda.Thread) Tile {
	return coalesced(t, t.ActiveMaskFrom(1), 0, 1)
}

func coalesced(t *gocuda.Thread, mask uint32, metaRank, metaSize int) Tile {
	below := mask & (1<<t.LaneID() - 1)
	return Tile{
		t: t, mask: mask, size: bits.OnesCount32(mask), rank: bits.OnesCount32(below), coalesced: true,
		metaRank: metaRank, metaSize: metaSize,
	}
}

// LabeledPartition divides a tile within a warp into the threads with equal labels and returns the
// caller's: CUDA's labeled_partition. A tile larger than a warp is a [gocuda.ErrInvalidValue].
func LabeledPartition[T gocuda.Integer](parent Tile, label T) Tile {
	parent.warpOnly("LabeledPartition")
	mask := gocuda.MatchAnySync(parent.t, parent.mask, label)
	first := mask & -mask
	leaders := parent.t.BallotSync(parent.mask, first == 1<<parent.t.LaneID())
	return coalesced(parent.t, mask, bits.OnesCount32(leaders&(first-1)), bits.OnesCount32(leaders))
}

// BinaryPartition divides a tile within a warp into the threads for which pred is true and the
// others, and returns the caller's: CUDA's binary_partition. If all agree there is one group.
func BinaryPartition(parent Tile, pred bool) Tile {
	parent.warpOnly("BinaryPartition")
	all := parent.mask
	trues := parent.t.BallotSync(all, pred)
	falses := all &^ trues
	switch {
	case pred && falses == 0:
		return coalesced(parent.t, trues, 0, 1)
	case pred:
		return coalesced(parent.t, trues, 1, 2)
	case trues == 0:
		return coalesced(parent.t, falses, 0, 1)
	}
	return coalesced(parent.t, falses, 0, 2)
}

// warpOnly panics if the tile is larger than a warp.
func (g Tile) warpOnly(what string) {
	if g.mask == 0 {
		panic(fmt.Errorf("%w: %s of a tile of %d threads, which is no part of a warp", gocuda.ErrInvalidValue, what, g.size))
	}
}

// lane returns the lane of the thread with a rank of the tile.
func (g Tile) lane(rank int) int {
	if !g.coalesced {
		return g.first%grid.WarpSize + rank
	}
	m := g.mask
	for ; rank > 0; rank-- {
		m &= m - 1
	}
	return bits.TrailingZeros32(m)
}

// pack turns a set of lanes into a set of ranks.
func (g Tile) pack(lanes uint32) uint32 {
	if !g.coalesced {
		return lanes & g.mask >> (g.first % grid.WarpSize)
	}
	var ranks uint32
	for r, m := 0, g.mask; m != 0; r, m = r+1, m&(m-1) {
		if lanes&m&-m != 0 {
			ranks |= 1 << r
		}
	}
	return ranks
}
