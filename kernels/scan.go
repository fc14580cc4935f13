package kernels

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Scan is prefix sums: element i of the result is the sum of the elements up to i, with it (inclusive)
// or without it (exclusive). It looks serial and is not, which is why so much can be built on it:
// compaction, sorting, sparse matrices (Blelloch, Prefix Sums and Their Applications, 1990).
//
// A block scans its elements in shared memory, in one of two ways. An array of many blocks is scanned
// by scan-then-fan (The CUDA Handbook, chapter 13): every block scans its own part and reports the sum
// of it; those sums are scanned the same way, on as many levels as it takes; and then each block adds
// the sum of all parts before it to each of its elements.

// ScanMethod is how a scan is done.
type ScanMethod int

const (
	// ScanBlocks is block kernels, by reduce-then-scan: blocks first only add up their parts, and scan
	// them once the sums before them are known. That reads the array twice but writes it once, where
	// scan-then-fan also writes it twice.
	ScanBlocks ScanMethod = iota
	// ScanHillisSteele is thread kernels with the scan of Hillis and Steele (1986), as in Nickolls and
	// Kirk, figure B.8.7. It is short, and does n log n additions a block.
	ScanHillisSteele
	// ScanWorkEfficient is thread kernels with Blelloch's scan up and down a tree, which does 2n
	// additions a block, two elements a thread.
	ScanWorkEfficient
	// ScanSeveral is thread kernels by reduce-then-scan, with several neighbouring elements a
	// thread. Most additions are then made by one thread after another, and only the sums of
	// threads are scanned together.
	ScanSeveral
	// ScanWarps is thread kernels by reduce-then-scan, in which the lanes of a warp hand each other
	// their sums by shuffles. There are no barriers.
	ScanWarps
	// ScanRuns is thread kernels by reduce-then-scan, in which each thread adds up and scans a run
	// of neighbours by itself.
	ScanRuns
)

// String names the method.
func (m ScanMethod) String() string {
	switch m {
	case ScanBlocks:
		return "blocks"
	case ScanHillisSteele:
		return "Hillis-Steele"
	case ScanWorkEfficient:
		return "work-efficient"
	case ScanWarps:
		return "scan-warps"
	case ScanSeveral:
		return "several elements a thread"
	case ScanRuns:
		return "runs"
	}
	return fmt.Sprintf("ScanMethod(%d)", int(m))
}

// scanThreads is the number of threads of a block.
const scanThreads = 256

// plusScan scans x, which has one element for each thread of the block, in place: Nickolls and Kirk,
// figure B.8.7. After the round with offset d, x[i] is the sum of the 2d elements up to i. Two
// barriers a round keep reads of the old values apart from writes of the new ones.
func plusScan[T Number](t *gocuda.Thread, x []T) {
	i, n := t.ThreadIdx.X, t.BlockDim.X
	for offset := 1; offset < n; offset *= 2 {
		var v T
		if i >= offset {
			v = x[i-offset]
		}
		t.SyncThreads()
		if i >= offset {
			x[i] = v + x[i]
		}
		t.SyncThreads()
	}
}

// scanHillisSteele scans the part of a block, one element a thread, and reports its sum.
//
//gocuda:kernel
func scanHillisSteele[T Number](t *gocuda.Thread, inclusive bool, n int, out, in, sums []T) {
	x := gocuda.Shared[T](t, scanThreads)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	x[tid] = 0
	if i < n {
		x[tid] = in[i]
	}
	t.SyncThreads()
	plusScan(t, x)
	if i < n {
		switch {
		case inclusive:
			out[i] = x[tid]
		case tid > 0:
			out[i] = x[tid-1]
		default:
			out[i] = 0
		}
	}
	if tid == 0 {
		sums[t.BlockIdx.X] = x[t.BlockDim.X-1]
	}
}

// treeScan replaces x, which has two elements for each thread of the block, by its exclusive scan, and
// returns the sum of all. Going up the tree, every node becomes the sum of its two children; going
// down, a node hands its own prefix to its left child, and that plus the left child's sum to its right
// one.
func treeScan[T Number](t *gocuda.Thread, x []T) T {
	tid, n := t.ThreadIdx.X, 2*t.BlockDim.X
	stride := 1
	for nodes := n / 2; nodes > 0; nodes /= 2 {
		t.SyncThreads()
		if tid < nodes {
			left, right := stride*(2*tid+1)-1, stride*(2*tid+2)-1
			x[right] += x[left]
		}
		stride *= 2
	}
	t.SyncThreads()
	total := x[n-1]
	t.SyncThreads()
	if tid == 0 {
		x[n-1] = 0
	}
	for nodes := 1; nodes < n; nodes *= 2 {
		stride /= 2
		t.SyncThreads()
		if tid < nodes {
			left, right := stride*(2*tid+1)-1, stride*(2*tid+2)-1
			x[left], x[right] = x[right], x[right]+x[left]
		}
	}
	t.SyncThreads()
	return total
}

// scanWorkEfficient scans the part of a block, two elements a thread, and reports its sum.
//
//gocuda:kernel
func scanWorkEfficient[T Number](t *gocuda.Thread, inclusive bool, n int, out, in, sums []T) {
	x := gocuda.Shared[T](t, 2*scanThreads)
	base := t.BlockIdx.X * 2 * scanThreads
	var own [2]T
	for k := range own {
		j := t.ThreadIdx.X + k*scanThreads
		if i := base + j; i < n {
			own[k] = in[i]
		}
		x[j] = own[k]
	}
	total := treeScan(t, x)
	for k := range own {
		j := t.ThreadIdx.X + k*scanThreads
		if i := base + j; i < n {
			v := x[j]
			if inclusive {
				v += own[k]
			}
			out[i] = v
		}
	}
	if t.ThreadIdx.X == 0 {
		sums[t.BlockIdx.X] = total
	}
}

// fan adds to each element the sum of all parts before its own. part is the number of elements of a
// part; before is the exclusive scan of the parts' sums.
//
//gocuda:kernel
func fan[T Number](t *gocuda.Thread, n, part int, out, before []T) {
	if i := t.GlobalX(); i < n {
		out[i] += before[i/part]
	}
}

// scanPart is the number of elements that a block of the block kernels has: eight a thread.
const scanPart = 8 * scanThreads

// sumBlock reports the sum of a block's part.
func sumBlock[T Number](b *gocuda.Block, n int, in, sums []T) {
	from := b.BlockIdx.X * scanPart
	sums[b.BlockIdx.X] = sum(in[from:min(from+scanPart, n)])
}

// scanBlock scans a block's part, beginning with the sum of all parts before it.
//
// A running sum waits four cycles for each addition. Four elements are therefore added up among
// themselves first, and the running sum waits once for the four.
func scanBlock[T Number](b *gocuda.Block, inclusive bool, n int, out, in, before []T) {
	from := b.BlockIdx.X * scanPart
	to := min(from+scanPart, n)
	in, out = in[from:to], out[from:to]
	sum := before[b.BlockIdx.X]
	if inclusive {
		for len(in) >= 4 && len(out) >= 4 {
			v0, v1, v2, v3 := in[0], in[1], in[2], in[3]
			v1 += v0
			v3 += v2
			out[0], out[1], out[2], out[3] = sum+v0, sum+v1, sum+(v1+v2), sum+(v1+v3)
			sum += v1 + v3
			in, out = in[4:], out[4:]
		}
		for i, v := range in {
			sum += v
			out[i] = sum
		}
		return
	}
	for len(in) >= 4 && len(out) >= 4 {
		v0, v1, v2, v3 := in[0], in[1], in[2], in[3]
		v1 += v0
		v3 += v2
		out[0], out[1], out[2], out[3] = sum, sum+v0, sum+v1, sum+(v1+v2)
		sum += v1 + v3
		in, out = in[4:], out[4:]
	}
	for i, v := range in {
		out[i] = sum
		sum += v
	}
}

// InclusiveScan sets out[i] to the sum of in[0] to in[i]. The slices must have the same length, and may
// be the same slice; otherwise they must not overlap. Integers wrap around; floating-point sums are
// formed in parts, with a smaller error than the serial loop's.
func InclusiveScan[T Number](ctx context.Context, on Launcher, out, in []T) error {
	return Scan(ctx, on, ScanBlocks, true, out, in)
}

// ExclusiveScan sets out[i] to the sum of in[0] to in[i-1], and out[0] to 0. See [InclusiveScan].
func ExclusiveScan[T Number](ctx context.Context, on Launcher, out, in []T) error {
	return Scan(ctx, on, ScanBlocks, false, out, in)
}

// Scan is [InclusiveScan] or [ExclusiveScan] by the given method.
func Scan[T Number](ctx context.Context, on Launcher, method ScanMethod, inclusive bool, out, in []T) error {
	return ScanForm(ctx, on, Compiled, method, inclusive, out, in)
}

// ScanForm is [Scan] in the given form, Threads or Compiled, which matters for methods of thread
// kernels.
func ScanForm[T Number](ctx context.Context, on Launcher, form Form, method ScanMethod, inclusive bool, out, in []T) error {
	n := len(in)
	if err := check.Lengths("scan", n, len(out)); err != nil {
		return err
	}
	switch method {
	case ScanBlocks:
		return reduceThenScan(ctx, on, inclusive, out, in)
	case ScanHillisSteele:
		return scanThenFan(ctx, on, form, scanThreads, out, in, func(n int, out, in, sums []T, inclusive bool) gocuda.Kernel {
			return either(form, scanHillisSteeleKernel(inclusive, n, out, in, sums))
		}, inclusive)
	case ScanWorkEfficient:
		return scanThenFan(ctx, on, form, 2*scanThreads, out, in, func(n int, out, in, sums []T, inclusive bool) gocuda.Kernel {
			return either(form, scanWorkEfficientKernel(inclusive, n, out, in, sums))
		}, inclusive)
	}
	switch method {
	case ScanSeveral:
		return scanSeveralLevels(ctx, on, form, inclusive, out, in)
	case ScanWarps:
		return scanWarpsLevels(ctx, on, form, inclusive, out, in)
	case ScanRuns:
		return scanRunsLevels(ctx, on, form, inclusive, out, in)
	}
	return fmt.Errorf("kernels: scan: %w: method %d", gocuda.ErrInvalidValue, int(method))
}

// scanSeveral scans the part of a block, reducePart elements, reduceItems neighbours a thread. The
// sum of all parts before it is in before.
//
//gocuda:kernel
func scanSeveral[T Number](t *gocuda.Thread, inclusive bool, n int, out, in, before []T) {
	x := gocuda.Shared[T](t, reduceThreads)
	tid := t.ThreadIdx.X
	from := (t.BlockIdx.X*reduceThreads + tid) * reduceItems
	whole := (t.BlockIdx.X+1)*reducePart <= n // but for the last block
	var own T
	if whole {
		for k := range reduceItems {
			own += in[from+k]
		}
	} else {
		for i := from; i < min(from+reduceItems, n); i++ {
			own += in[i]
		}
	}
	x[tid] = own
	t.SyncThreads()
	plusScan(t, x)
	sum := before[t.BlockIdx.X]
	if tid > 0 {
		sum += x[tid-1]
	}
	if whole {
		for k := range reduceItems {
			v := sum
			sum += in[from+k]
			if inclusive {
				v = sum
			}
			out[from+k] = v
		}
	} else {
		for i := from; i < min(from+reduceItems, n); i++ {
			v := sum
			sum += in[i]
			if inclusive {
				v = sum
			}
			out[i] = v
		}
	}
}

// scanSeveralLevels scans an array, a segment at a time: it adds up the parts, scans the sums, and
// scans each part from the sum before it.
func scanSeveralLevels[T Number](ctx context.Context, on Launcher, form Form, inclusive bool, out, in []T) error {
	parts := func(n int) grid.Config {
		return grid.Config{Grid: grid.Linear(n, reducePart).Grid, Block: grid.Dim3{X: reduceThreads}}
	}
	scan := func(out, in, before []T) error {
		n := len(in)
		k := either(form, scanSeveralKernel(inclusive, n, out, in, before))
		return on.Launch(ctx, parts(n), k)
	}
	if len(in) <= reducePart {
		return scan(out, in, make([]T, 1))
	}
	return bySegments(out, in, parts(len(in)).Grid.X, reducePart, segmentScan[T]{
		add: func(in, sums []T) error {
			n := len(in)
			k := either(form, reduceKernel(n, reducePart, in, sums))
			return on.Launch(ctx, parts(n), k)
		},
		level: func(sums []T) error { return scanSeveralLevels(ctx, on, form, true, sums, sums) },
		scan:  scan,
	})
}

// scanSegment is how many elements are added up before they are scanned, of an array that has more
// than four times as many. The second pass over them finds them in the cache then: 2^26 of float32
// take 0.8 of the time that they take in one segment with vectors and 0.87 without, and 2^22 take
// 1.1.
const scanSegment = 1 << 20

// A segmentScan has the steps of the scan of a segment.
type segmentScan[T Number] struct {
	add   func(in, sums []T) error        // leaves the sums of the parts in sums
	level func(sums []T) error            // scans the sums in place, inclusively
	scan  func(out, in, before []T) error // scans the parts, each from the sum before it
}

// bySegments scans one segment of an array after the other. There are parts of so many elements; a
// segment has a whole number of them, and of eight.
func bySegments[T Number](out, in []T, parts, elements int, step segmentScan[T]) error {
	before := make([]T, parts+1) // the sum before each part, and behind them that of all
	segment := len(in)
	if segment > 4*scanSegment {
		segment = scanSegment
	}
	for from := 0; from < len(in); from += segment {
		to := min(from+segment, len(in))
		last := parts
		if to < len(in) {
			last = to / elements
		}
		sums := before[from/elements : last+1]
		if err := step.add(in[from:to], sums[1:]); err != nil {
			return err
		}
		if to == len(in) {
			sums = sums[:len(sums)-1] // that of all begins no segment: 2^11 sums take a level less than 2^11+1
		}
		if err := step.level(sums); err != nil {
			return err
		}
		if err := step.scan(out[from:to], in[from:to], sums); err != nil {
			return err
		}
	}
	return nil
}

// scanThenFan scans an array whose parts the kernel that parts makes can scan.
func scanThenFan[T Number](ctx context.Context, on Launcher, form Form, part int, out, in []T,
	parts func(n int, out, in, sums []T, inclusive bool) gocuda.Kernel, inclusive bool) error {
	n := len(in)
	blocks := grid.Linear(n, part).Grid
	sums := make([]T, blocks.X)
	cfg := grid.Config{Grid: blocks, Block: grid.Dim3{X: scanThreads}}
	if err := on.Launch(ctx, cfg, parts(n, out, in, sums, inclusive)); err != nil || blocks.X <= 1 {
		return err
	}
	if err := scanThenFan(ctx, on, form, part, sums, sums, parts, false); err != nil {
		return err
	}
	k := either(form, fanKernel(n, part, out, sums))
	return on.Launch(ctx, grid.Linear(n, scanThreads), k)
}

func reduceThenScan[T Number](ctx context.Context, on Launcher, inclusive bool, out, in []T) error {
	n := len(in)
	blocks := grid.Linear(n, scanPart).Grid
	cfg := grid.Config{Grid: blocks, Block: grid.Dim3{X: scanThreads}}
	before := make([]T, max(blocks.X, 1))
	if blocks.X > 1 {
		err := on.Launch(ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) { sumBlock(b, n, in, before) }))
		if err != nil {
			return err
		}
		if err := reduceThenScan(ctx, on, false, before, before); err != nil {
			return err
		}
	}
	return on.Launch(ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) {
		scanBlock(b, inclusive, n, out, in, before)
	}))
}

// InclusiveScanSerial is the reference.
func InclusiveScanSerial[T Number](out, in []T) {
	var s T
	for i, v := range in {
		s += v
		out[i] = s
	}
}

// ExclusiveScanSerial is the reference.
func ExclusiveScanSerial[T Number](out, in []T) {
	var s T
	for i, v := range in {
		out[i] = s
		s += v
	}
}
