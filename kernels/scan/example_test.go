package scan_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/scan"
)

func ExampleCompact() {
	in := []int32{3, 0, 4, 0, 0, 9, 2, 0}
	out, count := make([]int32, len(in)), make([]int, 1)
	if err := scan.Compact(context.Background(), gocuda.Default(), scan.NonZero[int32]{}, out, count, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out[:count[0]])
	// Output: [3 4 9 2]
}

func ExampleCompactFlags() {
	names := []string{"saxpy", "scan", "fft", "sort"}
	done := []bool{true, false, true, true}
	out, count := make([]string, len(names)), make([]int, 1)
	if err := scan.CompactFlags(context.Background(), gocuda.Default(), out, count, names, done); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out[:count[0]])
	// Output: [saxpy fft sort]
}

func ExampleInclusive() {
	in := []int32{3, 1, 4, 1, 5, 9, 2, 6}
	out := make([]int32, len(in))
	ctx, dev := context.Background(), gocuda.Default()
	if err := scan.Inclusive(ctx, dev, scan.Runs, scan.Sum[int32]{}, out, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out)
	if err := scan.Inclusive(ctx, dev, scan.Warps, scan.Max[int32]{}, out, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out)
	// Output:
	// [3 4 8 9 14 23 25 31]
	// [3 3 4 4 5 9 9 9]
}

func ExampleExclusive() {
	counts := []int32{3, 1, 4, 1, 5}
	first := make([]int32, len(counts)) // where each group begins
	if err := scan.Exclusive(context.Background(), gocuda.Default(), scan.TwoPass, scan.Sum[int32]{}, first, counts); err != nil {
		fmt.Println(err)
	}
	fmt.Println(first)
	// Output: [0 3 4 8 9]
}

func ExampleSegmented() {
	in := []scan.Flagged[int32]{{1, true}, {2, false}, {3, false}, {4, true}, {5, false}}
	out := make([]scan.Flagged[int32], len(in))
	op := scan.Segmented[int32, scan.Sum[int32]]{}
	if err := scan.Inclusive(context.Background(), gocuda.Default(), scan.Runs, op, out, in); err != nil {
		fmt.Println(err)
	}
	for _, v := range out {
		fmt.Print(v.Value, " ")
	}
	fmt.Println()
	// Output: 1 3 6 4 9
}
