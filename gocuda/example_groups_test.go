package gocuda_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The blocks of a cooperative launch wait for each other: a sum over the grid by halves.
func ExampleDevice_LaunchCooperative() {
	dev, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.Volta))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer dev.Close()
	x := make([]int, 1024)
	for i := range x {
		x[i] = i
	}
	err = dev.LaunchCooperativeFunc(context.Background(), grid.Linear(len(x), 64), func(t *gocuda.Thread) {
		for half := len(x) / 2; half > 0; half /= 2 {
			if i := t.GlobalX(); i < half {
				x[i] += x[i+half]
			}
			t.SyncGrid()
		}
	})
	fmt.Println(x[0], err)
	// Output: 523776 <nil>
}

// A kernel launches one child for each row that has something to do, and one that runs after all of
// them.
func ExampleThread_Launch() {
	rows := [][]int{{1, 2, 3}, {}, {4, 5}, {6}}
	sum := make([]int, len(rows))
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(len(rows), 2), func(t *gocuda.Thread) {
		r := t.GlobalX()
		if len(rows[r]) > 0 {
			check(t.LaunchFunc(grid.Linear(1, 1), func(*gocuda.Thread) {
				for _, v := range rows[r] {
					sum[r] += v
				}
			}))
		}
		if r == 0 {
			check(t.LaunchOn(gocuda.StreamTailLaunch(), grid.Linear(1, 1), gocuda.ThreadFunc(func(*gocuda.Thread) {
				fmt.Println(sum)
			})))
		}
	})
	fmt.Println(err)
	// Output:
	// [6 0 9 6]
	// <nil>
}

// Between Arrive and Wait a thread works on what needs nobody else.
func ExampleThread_Arrive() {
	out := make([]int, 4)
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(4, 4), func(t *gocuda.Thread) {
		s := gocuda.Shared[int](t, 4)
		s[t.Rank()] = t.Rank() * 10
		tok := t.Arrive()
		own := t.Rank() + 1
		t.Wait(tok)
		out[t.Rank()] = own + s[3-t.Rank()]
	})
	fmt.Println(out, err)
	// Output: [31 22 13 4] <nil>
}

// Three warps count down; one waits for them.
func ExampleBarrier() {
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(128, 128), func(t *gocuda.Thread) {
		bar := &gocuda.Shared[gocuda.Barrier](t, 1)[0]
		done := gocuda.Shared[int](t, 4)
		if t.Rank() == 0 {
			bar.Init(t, 4)
		}
		t.SyncThreads()
		if t.LaneID() != 0 {
			return
		}
		done[t.WarpID()] = t.WarpID()
		tok := bar.Arrive(t, 1)
		if t.WarpID() == 0 {
			bar.Wait(t, tok)
			fmt.Println(done)
		}
	})
	fmt.Println(err)
	// Output:
	// [0 1 2 3]
	// <nil>
}
