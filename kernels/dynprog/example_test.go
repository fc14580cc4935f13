package dynprog_test

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/dynprog"
)

func ExampleFloydWarshall() {
	inf := float32(math.Inf(1))
	dist := []float32{
		0, 3, 8,
		inf, 0, 4,
		2, inf, 0,
	}
	via := make([]int32, len(dist))
	if err := dynprog.FloydWarshall(context.Background(), gocuda.Default(), 3, dist, via); err != nil {
		fmt.Println(err)
	}
	fmt.Println(dist)
	fmt.Println(dynprog.Path(3, via, 1, 0))
	// Output:
	// [0 3 7 6 0 4 2 5 0]
	// [1 2 0] <nil>
}

func ExampleFloydWarshallNaive() {
	dist := []float32{0, 1, float32(math.Inf(1)), 0}
	if err := dynprog.FloydWarshallNaive(context.Background(), gocuda.Default(), 2, dist, nil); err != nil {
		fmt.Println(err)
	}
	fmt.Println(dist)
	// Output: [0 1 +Inf 0]
}

func ExampleNegativeCycle() {
	dist := []float32{
		0, 2,
		-3, 0,
	}
	if err := dynprog.FloydWarshall(context.Background(), gocuda.Default(), 2, dist, nil); err != nil {
		fmt.Println(err)
	}
	fmt.Println(dynprog.NegativeCycle(2, dist) >= 0)
	// Output: true
}

func ExamplePath() {
	via := []int32{
		0, 1, 1,
		-1, 1, 2,
		-1, -1, 2,
	}
	fmt.Println(dynprog.Path(3, via, 0, 2))
	fmt.Println(dynprog.Path(3, via, 2, 0))
	// Output:
	// [0 1 2] <nil>
	// [] <nil>
}

// The textbook's example: the score is 0, with several alignments.
func ExampleNeedlemanWunsch() {
	s := &dynprog.Scoring{Match: 1, Mismatch: -1, Gap: -1}
	r, err := dynprog.NeedlemanWunsch(context.Background(), gocuda.Default(), s, []byte("GCATGCG"), []byte("GATTACA"))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(r.Score)
	fmt.Println(r.A)
	fmt.Println(r.B)
	// Output:
	// 0
	// GCA-TGCG
	// G-ATTACA
}

// Letters have degrees of kinship: a purine for a purine costs less than for a pyrimidine.
func ExampleNeedlemanWunschNaive() {
	s := &dynprog.Scoring{Gap: -3, Alphabet: "AGCT", Table: []int32{
		2, -1, -2, -2,
		-1, 2, -2, -2,
		-2, -2, 2, -1,
		-2, -2, -1, 2,
	}}
	r, err := dynprog.NeedlemanWunschNaive(context.Background(), gocuda.Default(), s, []byte("GATTACA"), []byte("GGTTCA"))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(r.Score)
	fmt.Println(r.A)
	fmt.Println(r.B)
	// Output:
	// 6
	// GATTACA
	// GGTT-CA
}
