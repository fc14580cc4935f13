package sorting_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/sorting"
)

func ExampleQuick() {
	keys := []float64{3, -1, 2.5, 0}
	err := sorting.Quick(context.Background(), gocuda.Default(), sorting.Ascending, keys)
	fmt.Println(keys, err)
	// Output: [-1 0 2.5 3] <nil>
}

func ExampleSortBlock() {
	values := []uint32{5, 3, 9, 1}
	if err := sorting.SortBlock(context.Background(), gocuda.Default(), values); err != nil {
		fmt.Println(err)
	}
	fmt.Println(values)
	// Output: [1 3 5 9]
}

func ExampleSplitSort() {
	keys, values := []uint32{3, 1, 3, 2}, []uint32{0, 1, 2, 3}
	if err := sorting.SplitSort(context.Background(), gocuda.Default(), keys, values); err != nil {
		fmt.Println(err)
	}
	fmt.Println(keys, values)
	// Output: [1 2 3 3] [1 3 0 2]
}

func ExampleRadix() {
	keys := []float32{2.5, -1, 0, -3}
	if err := sorting.Radix(context.Background(), gocuda.Default(), sorting.Descending, keys); err != nil {
		fmt.Println(err)
	}
	fmt.Println(keys)
	// Output: [2.5 0 -1 -3]
}

func ExampleRadixPairs() {
	depths, sprites := []float32{0.7, 0.2, 0.9}, []int32{10, 11, 12}
	if err := sorting.RadixPairs(context.Background(), gocuda.Default(), sorting.Ascending, depths, sprites); err != nil {
		fmt.Println(err)
	}
	fmt.Println(depths, sprites)
	// Output: [0.2 0.7 0.9] [11 10 12]
}

func ExampleArgsort() {
	names, ages := []string{"Ada", "Bob", "Cleo"}, []int{36, 25, 30}
	index := make([]uint32, len(ages))
	if err := sorting.Argsort(context.Background(), gocuda.Default(), sorting.Ascending, index, ages); err != nil {
		fmt.Println(err)
	}
	for _, i := range index {
		fmt.Println(names[i], ages[i])
	}
	// Output:
	// Bob 25
	// Cleo 30
	// Ada 36
}

func ExampleBitonicBlock() {
	keys := []uint32{7, 2, 5}
	if err := sorting.BitonicBlock(context.Background(), gocuda.Default(), keys); err != nil {
		fmt.Println(err)
	}
	fmt.Println(keys)
	// Output: [2 5 7]
}

func ExampleBitonic() {
	keys := []int32{7, -2, 5}
	if err := sorting.Bitonic(context.Background(), gocuda.Default(), sorting.Ascending, keys); err != nil {
		fmt.Println(err)
	}
	fmt.Println(keys)
	// Output: [-2 5 7]
}
