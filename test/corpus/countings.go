//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops that count in other ways than textbooks do: downwards, with unsigned counters, by powers of
// two, or over the threads' ranks.

// coBlock is the number of threads of a block.
const coBlock = 64

// Histograms of residues, by grid-stride loops that count downwards, to a limit that belongs to the
// loop or does not.
//
//gocuda:kernel
func coDown(t *gocuda.Thread, n int, in, out []int32) {
	for i := n - 1 - t.GlobalX(); i >= 0; i -= t.GridDim.X * t.BlockDim.X {
		atomic.Add(&out[uint32(in[i])%uint32(len(out))], 1)
	}
	for i := n - t.GlobalX(); i > 5; i -= t.GridDim.X * t.BlockDim.X {
		atomic.Add(&out[0], in[i-1]&3)
	}
}

func coDownSerial(n int, in, out []int32) {
	for i, v := range in[:n] {
		out[uint32(v)%uint32(len(out))]++
		if i >= 5 {
			out[0] += v & 3
		}
	}
}

// A guard whose left side falls along the row, and one whose right side does.
//
//gocuda:kernel
func coMirrored(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if n-1-i >= 0 && 3 <= n-i {
		out[i] = in[n-1-i] - in[i]
	}
	if left := n - 2 - i; left == 7 {
		out[n-1] = int32(left + i)
	}
}

func coMirroredSerial(n int, in, out []int32) {
	for i := range n {
		if n-i >= 3 {
			out[i] = in[n-1-i] - in[i]
		}
	}
	if n >= 9 {
		out[n-1] = int32(n - 2)
	}
}

// A guard that falls along the row, above a limit that may be the least integer.
//
//gocuda:kernel
func coAbove(t *gocuda.Thread, n, least int, in, out []int32) {
	if i := t.GlobalX(); n-1-i > least && i < n {
		out[i] = in[i] + 1
	}
}

func coAboveSerial(n int, in, out []int32) {
	for i := range n {
		out[i] = in[i] + 1
	}
}

// A grid-stride loop with an unsigned counter, up to a limit that is included.
//
//gocuda:kernel
func coUnsigned(t *gocuda.Thread, n int, in, out []int32) {
	many, stride := uint32(n), uint32(t.GridDim.X*t.BlockDim.X)
	for i := uint32(t.GlobalX()); i < many; i += stride {
		atomic.Add(&out[uint32(in[i])%uint32(len(out))], int32(i%7))
	}
	for i := t.GlobalX() + 2; i <= n-3; i += t.GridDim.X * t.BlockDim.X {
		atomic.Add(&out[1], in[i]>>4)
	}
}

func coUnsignedSerial(n int, in, out []int32) {
	for i, v := range in[:n] {
		out[uint32(v)%uint32(len(out))] += int32(i % 7)
		if i >= 2 && i <= n-3 {
			out[1] += v >> 4
		}
	}
}

// The sum of a block by halves that are powers of two; out has a sum for each block.
//
//gocuda:kernel
func coPowers(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, coBlock)
	r := t.Rank()
	s[r] = 0
	if i := t.GlobalX(); i < n {
		s[r] = in[i]
	}
	t.SyncThreads()
	for k := 5; k >= 0; k-- {
		if r < 1<<k {
			s[r] += s[r+1<<k]
		}
		t.SyncThreads()
	}
	if b := t.BlockIdx.X; r == 0 && b < len(out) {
		out[b] = s[0]
	}
}

// The same with distances that grow, by a shift whose limit is the distance, between elements that
// are ever further apart.
//
//gocuda:kernel
func coApart(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, coBlock)
	tid := t.ThreadIdx.X
	s[tid] = 0
	if i := t.GlobalX(); i < n {
		s[tid] = in[i]
	}
	t.SyncThreads()
	for k := 0; 1<<k < coBlock; k++ {
		if at := tid << (k + 1); at < coBlock {
			s[at] += s[at+1<<k]
		}
		t.SyncThreads()
	}
	if b := t.BlockIdx.X; tid == 0 && b < len(out) {
		out[b] = s[0]
	}
}

// The work-efficient scan of a block, whose last element is the sum.
//
//gocuda:kernel
func coScan(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, coBlock)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	s[tid] = 0
	if i < n {
		s[tid] = in[i]
	}
	for d := 1; d < coBlock; d *= 2 {
		t.SyncThreads()
		if at := (tid+1)*2*d - 1; at < coBlock {
			s[at] += s[at-d]
		}
	}
	for d := coBlock / 4; d > 0; d /= 2 {
		t.SyncThreads()
		if at := (tid+1)*2*d - 1; at+d < coBlock {
			s[at+d] += s[at]
		}
	}
	t.SyncThreads()
	if b := t.BlockIdx.X; tid == coBlock-1 && b < len(out) {
		out[b] = s[tid]
	}
}

func coSumsSerial(n int, in, out []int32) {
	for b := range out {
		for i := coBlock * b; i < min(coBlock*(b+1), n); i++ {
			out[b] += in[i]
		}
	}
}

// A block of one row of threads copies a tile of few rows.
//
//gocuda:kernel
func coTile(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 8*coBlock)
	tid, width := t.ThreadIdx.X, t.GridDim.X*t.BlockDim.X
	index := t.GlobalX()
	for y := range 8 {
		s[y*coBlock+tid] = int32(y)
	}
	if tid == 0 {
		s[0] = -1
	}
	for y := range 8 {
		if at := index + y*width; at < n {
			s[y*coBlock+tid] = in[at]
		}
	}
	t.SyncThreads()
	for y := 0; y < 8; y++ {
		if at := index + y*width; at < n && at < len(out) {
			out[at] = s[(7-y)*coBlock+(tid^1)]
		}
	}
}

// countingCases has the kernels with and without a serial form; what they get has the same length as
// the input, as many elements as there are blocks, or a few.
func countingCases() (cases []Case) {
	for _, k := range []struct {
		name     string
		source   func(t *gocuda.Thread, n int, in, out []int32)
		compiled func(n int, in, out []int32) gocuda.Kernel
		serial   func(n int, in, out []int32)
		size     func(n, blocks int) int
	}{
		{"coDown", coDown, coDownKernel, coDownSerial, func(int, int) int { return 13 }},
		{"coMirrored", coMirrored, coMirroredKernel, coMirroredSerial, nil},
		{"coAbove", func(t *gocuda.Thread, n int, in, out []int32) { coAbove(t, n, math.MinInt, in, out) },
			func(n int, in, out []int32) gocuda.Kernel { return coAboveKernel(n, math.MinInt, in, out) }, coAboveSerial, nil},
		{"coUnsigned", coUnsigned, coUnsignedKernel, coUnsignedSerial, func(int, int) int { return 13 }},
		{"coPowers", coPowers, coPowersKernel, coSumsSerial, func(_, blocks int) int { return blocks }},
		{"coApart", coApart, coApartKernel, coSumsSerial, func(_, blocks int) int { return blocks }},
		{"coScan", coScan, coScanKernel, coSumsSerial, func(_, blocks int) int { return blocks }},
		{"coTile", coTile, coTileKernel, nil, nil},
	} {
		for _, n := range []int{9, 63, 1000, 4099} {
			for _, blocks := range []int{1, 3, 65} {
				if (k.name == "coMirrored" || k.name == "coAbove") && blocks*coBlock < n {
					continue
				}
				cfg := grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: coBlock}}
				size := n
				if k.size != nil {
					size = k.size(n, blocks)
				}
				var serial func(in, out []int32)
				if k.serial != nil {
					serial = func(in, out []int32) { k.serial(n, in, out) }
				}
				cases = append(cases, onNumbers(fmt.Sprintf("%s of %d in %d blocks", k.name, n, blocks), cfg, n, size,
					func(t *gocuda.Thread, in, out []int32) { k.source(t, n, in, out) },
					func(in, out []int32) gocuda.Kernel { return k.compiled(n, in, out) }, serial))
			}
		}
	}
	return cases
}
