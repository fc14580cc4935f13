package dynprog

import (
	"context"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Shortest paths between all pairs of vertices (Floyd, Algorithm 97: Shortest Path, 1962; Warshall,
// 1962), first as a launch for each vertex, then in tiles (Venkataraman, Sahni and Mukhopadhyaya, A
// Blocked All-Pairs Shortest-Paths Algorithm, 2003; Katz and Kider, All-Pairs Shortest-Paths for
// Large Graphs on the GPU, 2008). Round k lets paths go through vertex k: the way from i to j
// becomes the shorter of what it was and the way from i to k and on to j.
//
// The naive kernel reads three numbers for an addition and a comparison. The tiled one does the
// rounds of a whole tile of vertices at once, in three phases, since the ways into and out of the
// tile's vertices come first:
//
//  1. the tile on the diagonal, in shared memory with a barrier for each round;
//  2. the tiles beside it and those above and below it, which need it and themselves;
//  3. all others, which need one of those beside and one of those above or below. Nearly all of the work is
//     here, and it is that of a product of matrices, with + for * and min for +.
//
// In round k the row k and the column k stay as they are, or else threads would race with those
// that read them. Without negative cycles nothing would change there: the way from k to k is not
// below 0.

const (
	fwTile       = 32        // the width and the height of a tile
	fwX, fwY     = fwTile, 8 // a block; a thread has four elements of a tile
	fwTileSquare = fwTile * fwTile
)

// fwStart sets what via says of edges.
//
//gocuda:kernel
func fwStart(t *gocuda.Thread, n int, dist []float32, via []int32) {
	i, j := t.GlobalY(), t.GlobalX()
	if i < n && j < n {
		between := int32(j)
		if dist[i*n+j] > math.MaxFloat32 {
			between = -1
		}
		via[i*n+j] = between
	}
}

// fwNaive is round k for one thread: one element of the matrix. via may be empty.
//
//gocuda:kernel
func fwNaive(t *gocuda.Thread, n, k int, dist []float32, via []int32) {
	i, j := t.GlobalY(), t.GlobalX()
	if i < n && j < n && i != k && j != k {
		if d := dist[i*n+k] + dist[k*n+j]; d < dist[i*n+j] {
			dist[i*n+j] = d
			if len(via) > 0 {
				via[i*n+j] = int32(k)
			}
		}
	}
}

// fwDiagonal is the first phase of a round of tiles: one block, for the tile k on the diagonal.
// What lies beyond the matrix is without edges.
//
//gocuda:kernel
func fwDiagonal(t *gocuda.Thread, n, k int, dist []float32, via []int32) {
	d := gocuda.Shared[float32](t, fwTileSquare)
	between := gocuda.Shared[int32](t, fwTileSquare)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	first := k * fwTile
	for r := 0; r < fwTile; r += fwY {
		at, from := (ty+r)*fwTile+tx, (first+ty+r)*n+first+tx
		v := float32(math.Inf(1))
		if first+ty+r < n && first+tx < n {
			v = dist[from]
		}
		d[at], between[at] = v, -1
	}
	t.SyncThreads()
	for m := range fwTile {
		for r := 0; r < fwTile; r += fwY {
			at, in := (ty+r)*fwTile+tx, (ty+r)*fwTile+m
			if ty+r != m && tx != m {
				if v := d[in] + d[m*fwTile+tx]; v < d[at] {
					d[at], between[at] = v, int32(first+m)
				}
			}
		}
		t.SyncThreads()
	}
	for r := 0; r < fwTile; r += fwY {
		at, to := (ty+r)*fwTile+tx, (first+ty+r)*n+first+tx
		if first+ty+r < n && first+tx < n {
			dist[to] = d[at]
			if len(via) > 0 && between[at] >= 0 {
				via[to] = between[at]
			}
		}
	}
}

// fwRelax shortens the ways of tile (row, column) by those through the vertices of tile k: into
// them from tile (row, k), and out of them from tile (k, column). One of the two may be the tile
// itself, and the other is then the one on the diagonal: what that says of ways inside is final, so
// there is no need of rounds.
func fwRelax(t *gocuda.Thread, n, k, row, column int, dist []float32, via []int32) {
	in := gocuda.Shared[float32](t, fwTileSquare)
	out := gocuda.Shared[float32](t, fwTileSquare)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	i, j, first := row*fwTile, column*fwTile, k*fwTile
	for r := 0; r < fwTile; r += fwY {
		at := (ty+r)*fwTile + tx
		a, b := float32(math.Inf(1)), float32(math.Inf(1))
		if i+ty+r < n && first+tx < n {
			a = dist[(i+ty+r)*n+first+tx]
		}
		if first+ty+r < n && j+tx < n {
			b = dist[(first+ty+r)*n+j+tx]
		}
		in[at], out[at] = a, b
	}
	t.SyncThreads()
	y, x := i+ty, j+tx
	if x < n {
		// Beyond the matrix nothing gets shorter.
		d0, d1, d2, d3 := float32(math.Inf(-1)), float32(math.Inf(-1)), float32(math.Inf(-1)), float32(math.Inf(-1))
		if y < n {
			d0 = dist[y*n+x]
		}
		if y+fwY < n {
			d1 = dist[(y+fwY)*n+x]
		}
		if y+2*fwY < n {
			d2 = dist[(y+2*fwY)*n+x]
		}
		if y+3*fwY < n {
			d3 = dist[(y+3*fwY)*n+x]
		}
		if len(via) == 0 {
			for m := range fwTile {
				at, b := ty*fwTile+m, out[m*fwTile+tx]
				if v := in[at] + b; v < d0 {
					d0 = v
				}
				if v := in[at+fwY*fwTile] + b; v < d1 {
					d1 = v
				}
				if v := in[at+2*fwY*fwTile] + b; v < d2 {
					d2 = v
				}
				if v := in[at+3*fwY*fwTile] + b; v < d3 {
					d3 = v
				}
			}
		} else {
			s0, s1, s2, s3 := int32(-1), int32(-1), int32(-1), int32(-1)
			for m := range fwTile {
				at, b := ty*fwTile+m, out[m*fwTile+tx]
				if v := in[at] + b; v < d0 {
					d0, s0 = v, int32(first+m)
				}
				if v := in[at+fwY*fwTile] + b; v < d1 {
					d1, s1 = v, int32(first+m)
				}
				if v := in[at+2*fwY*fwTile] + b; v < d2 {
					d2, s2 = v, int32(first+m)
				}
				if v := in[at+3*fwY*fwTile] + b; v < d3 {
					d3, s3 = v, int32(first+m)
				}
			}
			if s0 >= 0 {
				via[y*n+x] = s0
			}
			if s1 >= 0 {
				via[(y+fwY)*n+x] = s1
			}
			if s2 >= 0 {
				via[(y+2*fwY)*n+x] = s2
			}
			if s3 >= 0 {
				via[(y+3*fwY)*n+x] = s3
			}
		}
		if y < n {
			dist[y*n+x] = d0
		}
		if y+fwY < n {
			dist[(y+fwY)*n+x] = d1
		}
		if y+2*fwY < n {
			dist[(y+2*fwY)*n+x] = d2
		}
		if y+3*fwY < n {
			dist[(y+3*fwY)*n+x] = d3
		}
	}
}

// fwCross is the second phase: blocks with y = 0 do the tiles beside the diagonal one, those with y
// = 1 the ones above and below it.
//
//gocuda:kernel
func fwCross(t *gocuda.Thread, n, k int, dist []float32, via []int32) {
	row, column := k, t.BlockIdx.X
	if column >= k {
		column++
	}
	if t.BlockIdx.Y == 1 {
		row, column = column, row
	}
	fwRelax(t, n, k, row, column, dist, via)
}

// fwRest is the third phase: all tiles that are neither in row k nor in column k.
//
//gocuda:kernel
func fwRest(t *gocuda.Thread, n, k int, dist []float32, via []int32) {
	row, column := t.BlockIdx.Y, t.BlockIdx.X
	if row >= k {
		row++
	}
	if column >= k {
		column++
	}
	fwRelax(t, n, k, row, column, dist, via)
}

// FloydWarshall replaces the weights of the edges of a graph with n vertices by the lengths of the
// shortest paths: dist[i*n+j] is the weight of the edge from i to j, and becomes the distance.
// Where there is no edge, and no path, it is +Inf. The diagonal is 0 as a rule; a vertex with more
// there gets the length of the shortest cycle through it, if that is less. Weights may be negative,
// but not NaN or -Inf. Where a cycle is negative there are no shortest paths, and the distances
// mean nothing; [NegativeCycle] tells.
//
// If via is not nil it has n*n elements as well, whatever their values, and comes to say how the
// paths go: via[i*n+j] is j if the path is the edge, -1 if there is none, and otherwise a vertex
// between. [Path] puts them together.
//
// A distance is a sum of weights along a path, in some order: with those that are integers, and
// distances up to 2²⁴, it is exact, and otherwise of n-1 roundings. Of several paths of one length
// it may be any.
func FloydWarshall(ctx context.Context, on kernels.Launcher, n int, dist []float32, via []int32) error {
	if err := fwBegin(ctx, on, n, dist, via); err != nil {
		return err
	}
	tiles := (n + fwTile - 1) / fwTile
	block := grid.Dim3{X: fwX, Y: fwY}
	for k := range tiles {
		if err := on.Launch(ctx, grid.Config{Grid: grid.Dim3{X: 1}, Block: block}, fwDiagonalKernel(n, k, dist, via)); err != nil {
			return err
		}
		if err := on.Launch(ctx, grid.Config{Grid: grid.Dim3{X: tiles - 1, Y: 2}, Block: block}, fwCrossKernel(n, k, dist, via)); err != nil {
			return err
		}
		rest := grid.Config{Grid: grid.Dim3{X: tiles - 1, Y: max(tiles-1, 1)}, Block: block}
		if err := on.Launch(ctx, rest, fwRestKernel(n, k, dist, via)); err != nil {
			return err
		}
	}
	return nil
}

// FloydWarshallNaive is [FloydWarshall] with a launch for each vertex and no shared memory.
func FloydWarshallNaive(ctx context.Context, on kernels.Launcher, n int, dist []float32, via []int32) error {
	if err := fwBegin(ctx, on, n, dist, via); err != nil {
		return err
	}
	for k := range n {
		if err := on.Launch(ctx, grid.Rect(n, n, fwX, fwY), fwNaiveKernel(n, k, dist, via)); err != nil {
			return err
		}
	}
	return nil
}

// fwBegin checks the arguments, and launches fwStart.
func fwBegin(ctx context.Context, on kernels.Launcher, n int, dist []float32, via []int32) error {
	if err := check.Shape("shortest paths", n, n, len(dist)); err != nil {
		return err
	}
	if via == nil {
		return nil
	}
	if err := check.Lengths("shortest paths, via", len(dist), len(via)); err != nil {
		return err
	}
	return on.Launch(ctx, grid.Rect(n, n, fwX, fwY), fwStartKernel(n, dist, via))
}

// NegativeCycle returns a vertex of a graph that a cycle of negative length goes through, or -1 if
// there is none. dist is what [FloydWarshall] left of the weights.
func NegativeCycle(n int, dist []float32) int {
	for i := 0; i < n && i*n+i < len(dist); i++ {
		if dist[i*n+i] < 0 {
			return i
		}
	}
	return -1
}

// Path returns the vertices of the shortest path between two vertices, with both of them, or none
// if there is no path. via is what [FloydWarshall] set. It is an error if there is no such vertex,
// or if the path does not end, as it may not after negative cycles.
//
// A table of first steps would be simpler to follow. But where cycles have the length 0, tiles can
// leave steps in it that lead round them for ever: the tiles of a round find paths of one length by
// different vertices. A vertex between is always one that an earlier phase has found the ways to.
func Path(n int, via []int32, from, to int) ([]int, error) {
	if err := check.Shape("path", n, n, len(via)); err != nil {
		return nil, err
	}
	if from < 0 || from >= n || to < 0 || to >= n {
		return nil, check.Invalid("path", "from %d to %d of %d vertices", from, to, n)
	}
	if from == to {
		return []int{from}, nil
	}
	if via[from*n+to] < 0 {
		return nil, nil
	}
	path := []int{from}
	for ahead := []int{to}; len(ahead) > 0; { // vertices that the path has yet to come to, the nearest last
		end := ahead[len(ahead)-1]
		k := int(via[path[len(path)-1]*n+end])
		switch {
		case k < 0 || k >= n || len(path)+len(ahead) > 2*n:
			return nil, check.Invalid("path", "there is no end of it from %d to %d", from, to)
		case k == end:
			path, ahead = append(path, end), ahead[:len(ahead)-1]
		default:
			ahead = append(ahead, k)
		}
	}
	return path, nil
}
