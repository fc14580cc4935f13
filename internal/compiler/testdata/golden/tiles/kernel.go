// Package tiles is a two-dimensional block whose rows use the same values, and are taken several at a time.
package tiles

import "github.com/gocuda/gocuda/gocuda"

const tile = 16

//gocuda:kernel fastmath
func product(t *gocuda.Thread, a, b, c []float32, n int) {
	as := gocuda.Shared[float32](t, tile*tile)
	bs := gocuda.Shared[float32](t, tile*tile)
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	row, col := t.GlobalY(), t.GlobalX()
	var sum float32
	for k := 0; k < n; k += tile {
		as[y*tile+x] = a[row*n+k+x]
		bs[y*tile+x] = b[(k+y)*n+col]
		t.SyncThreads()
		for j := range tile {
			sum += as[y*tile+j] * bs[j*tile+x]
		}
		t.SyncThreads()
	}
	c[row*n+col] = sum
}
