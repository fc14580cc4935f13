//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops in which the threads of a block share out elements, with more in a round than a store: atomic operations, inner
// loops, panics; and with counters, arrays and rows that are used in unusual ways.

// A store and an atomic operation in each round.
//
//gocuda:kernel
func efCounts(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	count := gocuda.Shared[int32](t, 1)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	if tid == 0 {
		count[0] = 0
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		s[i] = in[first+i]
		atomic.Add(&count[0], int32(i%3))
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = s[n-1-i] + count[0]
	}
}

func efCountsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		count := int32(0)
		for i := range n {
			count += int32(i % 3)
		}
		for i := range n {
			out[i] = in[n-1-i] + count
		}
	})
}

// A loop under a guard on the number of the thread, whose indices are used otherwise too.
//
//gocuda:kernel
func efGuard(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	tid, nt := ty*t.BlockDim.X+tx, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	few := min(n, nt) - 1
	if tid < few {
		s[tid] = 3
		for k := 0; k < 4; k++ {
			s[tid] += in[first+tid] * int32(k)
		}
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		v := int32(-1)
		if i < few {
			v = s[few-1-i]
		}
		out[first+i] = v + int32(ty*100+tx)
	}
}

func efGuardSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt, bx := cfg.Threads(), cfg.Block.X
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		few := min(n, nt) - 1
		for i := range n {
			tid := i % nt
			out[i] = -1 + int32(tid/bx*100+tid%bx)
			if i < few {
				out[i] += 4 + in[few-1-i]*6
			}
		}
	})
}

// The counter is used behind a barrier.
//
//gocuda:kernel
func efBehind(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	i := tid
	for ; i < n; i += nt {
		s[i] = in[first+i]
	}
	t.SyncThreads()
	for j := tid; j < n; j += nt {
		out[first+j] = s[n-1-j] + int32(i)
	}
}

func efBehindSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for j := range n {
			i := j % nt
			for i < n {
				i += nt
			}
			out[j] = in[n-1-j] + int32(i)
		}
	})
}

// Two names that may be one array: a later round of the same thread overwrites what another one has stored.
//
//gocuda:kernel
func efAlias(t *gocuda.Thread, n, w, h int, in, out []int32) {
	a, b := gocuda.Shared[int32](t, 2048), gocuda.Shared[int32](t, 2048)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	if w > 0 {
		a = b
	}
	for i := tid; i < n; i += nt {
		a[i] = in[first+i]
		b[i+nt] = -in[first+i]
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = a[i]
	}
}

func efAliasSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) { copy(out, in) })
}

// Values of the block that change within a phase, between what threads do by parts of their number.
//
//gocuda:kernel
func efMoves(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid := t.ThreadIdx.X + t.BlockDim.X*t.ThreadIdx.Y
	nt := t.BlockDim.X * t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	off := 0
	for k := 0; k < 3; k++ {
		if off+tid < n && tid/8*8+7-tid%8 < n {
			a := in[first+tid/8*8+7-tid%8]
			off2 := off + tid
			out[first+off2] = a + int32(k)
		}
		off += nt
		t.SyncThreads()
	}
	if tid == 0 {
		for i := off; i < n; i++ {
			out[first+i] = 0
		}
	}
}

func efMovesSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range n {
			k, tid := i/nt, i%nt
			switch from := tid/8*8 + 7 - tid%8; {
			case k >= 3:
				out[i] = 0
			case from < n:
				out[i] = in[from] + int32(k)
			}
		}
	})
}

// What all rounds read alike is read by none, where there are no rounds: w is no index of an array then.
//
//gocuda:kernel
func efEmpty(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		factor := in[w]
		s[i] = factor * in[first+i]
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = s[n-1-i]
	}
}

func efEmptySerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, part, out []int32) {
		for i := range n {
			out[i] = in[w] * part[n-1-i]
		}
	})
}

// Rows that have elements in common.
//
//gocuda:kernel
func efRows(t *gocuda.Thread, rows [][]int32) {
	for y := t.ThreadIdx.Y; y < len(rows); y += t.BlockDim.Y {
		for x := t.ThreadIdx.X; x < 128; x += t.BlockDim.X {
			rows[y][x] = int32(1000*y + x)
		}
	}
}

// Far more rounds than any array has elements.
//
//gocuda:kernel
func efFailEndless(t *gocuda.Thread, a, b int, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	for y := t.ThreadIdx.Y + a; y < b; y += t.BlockDim.Y {
		for x := t.ThreadIdx.X; x < 16; x += t.BlockDim.X {
			s[y*16+x] = 1
		}
	}
	t.SyncThreads()
	out[0] = s[0]
}

func effectCases() (cases []Case) {
	none := []int{0}
	cases = append(cases, bsLines("efCounts", bsNone, bsFlat, none, none, nil, efCounts, efCountsKernel, efCountsSerial)...)
	cases = append(cases, bsLines("efGuard", bsNone, bsFlat, none, none, nil, efGuard, efGuardKernel, efGuardSerial)...)
	cases = append(cases, bsLines("efBehind", bsNone, bsFlat, none, none, nil, efBehind, efBehindKernel, efBehindSerial)...)
	cases = append(cases, bsLines("efAlias", bsNone, bsFlat, []int{0, 1}, none, nil, efAlias, efAliasKernel, efAliasSerial)...)
	cases = append(cases, bsLines("efMoves", bsNone, bsFlat, none, none, nil, efMoves, efMovesKernel, efMovesSerial)...)
	cases = append(cases, bsLines("efEmpty", bsNone, bsFlat, none, none, nil, efEmpty, efEmptyKernel, efEmptySerial)...)
	eight := []grid.Config{{Grid: grid.Dim3{X: 1, Y: 1, Z: 1}, Block: grid.Dim3{X: 8, Y: 1, Z: 1}}}
	return append(cases, Case{Name: "efRows", Configs: eight, Make: func(grid.Config) Instance {
		rowsOf := func() (all []int32, rows [][]int32) {
			all = make([]int32, 136)
			return all, [][]int32{all[:128], all[8:136]}
		}
		all, rows := rowsOf()
		return Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { efRows(t, rows) }),
			Compiled: efRowsKernel(rows),
			Outputs:  []any{all},
			Want: func() []any {
				want := make([]int32, 136)
				for y := range 2 {
					for x := range 128 {
						want[8*y+x] = int32(1000*y + x)
					}
				}
				return []any{want}
			},
		}
	}})
}

func effectFailures() []Failure {
	const most = int(^uint(0) >> 1)
	return []Failure{{Name: "efFailEndless", Config: grid.Config{Grid: grid.Dim3{X: 1, Y: 1, Z: 1}, Block: grid.Dim3{X: 16, Y: 16, Z: 1}}, Text: "index out of range", Make: func(grid.Config) Instance {
		out := make([]int32, 1)
		return Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { efFailEndless(t, -5, most, out) }),
			Compiled: efFailEndlessKernel(-5, most, out),
			Outputs:  []any{out},
		}
	}}}
}
