package main

import "github.com/gocuda/gocuda/gocuda"

// The transposes of Ruetsch and Micikevicius, "Optimizing Matrix Transpose in CUDA" (2009), by
// tiles of 32x32 in blocks of 32x8.

const (
	side = 2048 // of the matrices
	tile = 32
	rows = 8 // of a block
)

func simpleCopy(in, out []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		at := (t.BlockIdx.Y*tile+t.ThreadIdx.Y)*side + t.BlockIdx.X*tile + t.ThreadIdx.X
		for j := 0; j < tile; j += rows {
			out[at+j*side] = in[at+j*side]
		}
	}
}

func sharedCopy(in, out []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[float32](t, tile*tile)
		x, y := t.ThreadIdx.X, t.ThreadIdx.Y
		at := (t.BlockIdx.Y*tile+y)*side + t.BlockIdx.X*tile + x
		for j := 0; j < tile; j += rows {
			s[(y+j)*tile+x] = in[at+j*side]
		}
		t.SyncThreads()
		for j := 0; j < tile; j += rows {
			out[at+j*side] = s[(y+j)*tile+x]
		}
	}
}

func naiveTranspose(in, out []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		x, y := t.BlockIdx.X*tile+t.ThreadIdx.X, t.BlockIdx.Y*tile+t.ThreadIdx.Y
		for j := 0; j < tile; j += rows {
			out[x*side+y+j] = in[(y+j)*side+x]
		}
	}
}

// tiledTranspose goes through a tile whose rows have the given width: tile, or one more without
// bank conflicts.
func tiledTranspose(in, out []float32, width int) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) { tileBy(t, in, out, width, t.BlockIdx.X, t.BlockIdx.Y) }
}

// diagonalTranspose lets blocks that run at the same time use different memory partitions.
func diagonalTranspose(in, out []float32) func(*gocuda.Thread) {
	return func(t *gocuda.Thread) {
		tileBy(t, in, out, tile+1, (t.BlockIdx.X+t.BlockIdx.Y)%t.GridDim.X, t.BlockIdx.X)
	}
}

func tileBy(t *gocuda.Thread, in, out []float32, width, bx, by int) {
	s := gocuda.Shared[float32](t, tile*(tile+1))
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	from := (by*tile+y)*side + bx*tile + x
	to := (bx*tile+y)*side + by*tile + x
	for j := 0; j < tile; j += rows {
		s[(y+j)*width+x] = in[from+j*side]
	}
	t.SyncThreads()
	for j := 0; j < tile; j += rows {
		out[to+j*side] = s[x*width+y+j]
	}
}
