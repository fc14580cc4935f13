package scan

import (
	"context"
	"reflect"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The methods. All of them cut the array into parts and scan each part, which is easy; they differ
// in how what comes before a part gets into its elements, and in what is a part: that of a block,
// of a warp or of a thread.

// A Method is how an array of many blocks is scanned.
type Method int

const (
	// ScanThenFan scans the parts of blocks, scans what they combine to, and brings that to all
	// elements of the parts.
	ScanThenFan Method = iota
	// ReduceThenScan first only combines the elements of each part, scans the results in the same
	// way, and then scans each part from the result before it.
	ReduceThenScan
	// TwoPass is ReduceThenScan with a fixed number of blocks, which go over their parts tile by
	// tile, so that one block can scan the results.
	TwoPass
	// Warps is TwoPass with a part for each warp, which needs neither shared memory nor barriers. It is
	// what suits GPUs, whose warps go in step; here shuffles are costly.
	Warps
	// Runs is ReduceThenScan with a part for each thread: a run of neighbours, which it goes along.
	// It is the one to use: fast in plain Go, and for operators of one's own.
	Runs
	// Sklansky is ScanThenFan with the circuit of Sklansky in place of that of Kogge and Stone in
	// each block: half as many operations, in as many rounds.
	Sklansky
	// BrentKung is ScanThenFan with the circuit of Brent and Kung in each block: fewer than two
	// operations an element, in twice as many rounds.
	BrentKung
	// Blelloch is ScanThenFan with Blelloch's scan up and down a tree in each block, which CUDA texts
	// call work-efficient: two operations an element.
	Blelloch
)

// String names the method.
func (m Method) String() string {
	names := []string{"scan-then-fan", "reduce-then-scan", "two-pass", "warps", "runs", "sklansky", "brent-kung", "blelloch"}
	if m < 0 || int(m) >= len(names) {
		return "unknown method"
	}
	return names[m]
}

// Inclusive sets out[i] to in[0] to in[i], combined by op from left to right. The slices must have
// the same length, and may be the same slice; otherwise they must not overlap.
//
// Operations are grouped differently by each method, so results that are rounded differ in their
// last bits. Whatever the grouping, element i of a floating-point sum has an error of at most i
// 2^-24 (float32) or i 2^-53 (float64) times the sum of the absolute values up to it, to first
// order.
func Inclusive[T any, O kernels.Operator[T]](ctx context.Context, on kernels.Launcher, method Method, op O, out, in []T) error {
	return scan(ctx, on, method, op, true, out, in)
}

// Exclusive sets out[i] to in[0] to in[i-1], combined by op, and out[0] to the identity. See
// [Inclusive].
func Exclusive[T any, O kernels.Operator[T]](ctx context.Context, on kernels.Launcher, method Method, op O, out, in []T) error {
	return scan(ctx, on, method, op, false, out, in)
}

func scan[T any, O kernels.Operator[T]](ctx context.Context, on kernels.Launcher, method Method, op O, inclusive bool, out, in []T) error {
	if err := check.Lengths("scan", len(in), len(out)); err != nil {
		return err
	}
	if len(in) == 0 {
		return nil
	}
	f := familyOf[T](op)
	switch method {
	case ScanThenFan:
		return scanThenFan(ctx, on, f, inclusive, out, in)
	case ReduceThenScan:
		return reduceThenScan(ctx, on, f, op.Identity(), inclusive, out, in)
	case TwoPass:
		return twoPass(ctx, on, f, op.Identity(), inclusive, out, in)
	case Warps:
		return warps(ctx, on, f, op.Identity(), inclusive, out, in)
	case Runs:
		return runs(ctx, on, f, op.Identity(), inclusive, out, in)
	case Sklansky:
		return circuits(ctx, on, f, ofSklansky, inclusive, out, in)
	case BrentKung:
		return circuits(ctx, on, f, ofBrentKung, inclusive, out, in)
	case Blelloch:
		return circuits(ctx, on, f, ofBlelloch, inclusive, out, in)
	}
	return check.Invalid("scan", "method %d", int(method))
}

const (
	maxThreads = 256   // of a block
	maxBlocks  = 65535 // of a grid of one dimension, in the first generations
)

// blockOf returns the threads of a block that scans elements of type T: so many that
// Padded(threads) of them fit into the 16 KiB of shared memory that every device has.
func blockOf[T any]() int {
	threads := maxThreads
	for size := int(reflect.TypeFor[T]().Size()); threads > 1 && Padded(threads)*size > 16<<10; {
		threads /= 2
	}
	return threads
}

// line returns a grid of blocks in a row.
func line(blocks, threads int) grid.Config {
	return grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: threads}}
}

// cover returns how many times m makes up n or more.
func cover(n, m int) int { return grid.Linear(n, m).Grid.X }
