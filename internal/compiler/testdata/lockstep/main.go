// Kernels whose lanes need to be in lockstep. Each is compared with a loop over the steps of a warp, in which all active lanes load
// before any of them stores.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	g "github.com/gocuda/gocuda/grid"
)

// The last warp of the Handbook's reduction (12.2): no barriers from 32 threads on.
//
//gocuda:kernel lockstep
func lastWarp(t *gocuda.Thread, in, out []int32) {
	partials := gocuda.Shared[int32](t, 128)
	tid := t.ThreadIdx.X
	partials[tid] = in[t.GlobalX()]
	t.SyncThreads()
	if tid < 64 {
		partials[tid] += partials[tid+64]
	}
	t.SyncThreads()
	if tid < 32 {
		partials[tid] += partials[tid+32]
		if tid < 16 {
			partials[tid] += partials[tid+16]
		}
		if tid < 8 {
			partials[tid] += partials[tid+8]
		}
		if tid < 4 {
			partials[tid] += partials[tid+4]
		}
		if tid < 2 {
			partials[tid] += partials[tid+2]
		}
		if tid < 1 {
			partials[tid] += partials[tid+1]
		}
		if tid == 0 {
			out[t.BlockIdx.X] = partials[0]
		}
	}
}

//gocuda:kernel lockstep
func scanWarp(t *gocuda.Thread, in, out []int32) {
	i, lane := t.GlobalX(), t.ThreadIdx.X%32
	s := gocuda.Shared[int32](t, t.BlockDim.X)
	s[t.ThreadIdx.X] = in[i]
	for d := 1; d < 32; d *= 2 {
		if lane >= d {
			s[t.ThreadIdx.X] += s[t.ThreadIdx.X-d]
		}
	}
	out[i] = s[t.ThreadIdx.X]
}

//gocuda:kernel lockstep
func rotate[T int32 | float32](t *gocuda.Thread, rounds int, s []T) {
	i := t.GlobalX()
	first := i &^ 31
	for range rounds {
		s[i], _ = s[first+(i+1)%32], i
	}
}

// Lanes leave rounds and the loop, one by one, and the others go on.
//
//gocuda:kernel lockstep
func ragged(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	if i >= len(in)-5 {
		return
	}
	first := i &^ 31
	s := out[first:]
	lane := i - first
	s[lane] = in[i]
	for k := 0; k < 12; k++ {
		if lane%4 == 1 {
			if k == lane/4 {
				s[lane]++
				continue
			}
		}
		if k > lane/2+3 {
			break
		}
		if lane == 7 && k == 5 {
			return
		}
		s[lane] = s[(lane+1)%25]*3 + int32(k)
	}
	s[lane] -= s[(lane+24)%25]
}

//gocuda:kernel lockstep
func cases(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	first := i &^ 31
	out[i] = in[i]
rows:
	for j := 0; j < 3; j++ {
		for k := range 5 {
			switch (i + j) % 4 {
			case 0:
				out[i] += out[first+(i+4)%32]
				if k == 2 {
					continue rows
				}
			case 1, 2:
				if k == 3 && i%3 == 0 {
					break
				}
				out[i] ^= out[first+(i+8)%32]
			default:
				if j == 1 && i%8 == 3 {
					break rows
				}
			}
			out[i]++
		}
		out[i] *= 3
	}
}

//gocuda:kernel lockstep
func queue(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 2)
	lane := t.ThreadIdx.X
	if lane == 0 {
		s[0], s[1] = 0, 100
	}
	for n := in[lane]; ; n-- {
		if n <= 0 {
			break
		}
		atomic.Add(&s[0], 1)
		last := s[0] // what all lanes of the round have added
		out[lane] += last
		if lane == 31 {
			s[1] = last
		}
		out[lane] += s[1]
	}
}

func check[T comparable](name string, got, want []T) {
	if !slices.Equal(got, want) {
		fmt.Println(name, "differs:", got, want)
		os.Exit(1)
	}
}

// steps runs f for each warp of n threads.
func steps(n int, f func(first, lanes int)) {
	for first := 0; first < n; first += 32 {
		f(first, min(32, n-first))
	}
}

func main() {
	for name, options := range map[string][]gocuda.Option{
		"coroutines": {gocuda.WithExecutor(gocuda.ExecutorCoroutine)}, "goroutines": {gocuda.WithExecutor(gocuda.ExecutorGoroutine)},
		"checked": {gocuda.WithChecked(true)}, "shuffled": {gocuda.WithBlockOrder(gocuda.ShuffledOrder(4)), gocuda.WithWorkers(2)},
	} {
		dev, err := gocuda.NewDevice(options...)
		if err != nil {
			panic(err)
		}
		run(name, dev)
		if err := dev.Close(); err != nil {
			panic(err)
		}
	}
	fmt.Println("all agree")
}

func run(name string, dev *gocuda.Device) {
	launch := func(what string, blocks, threads int, k gocuda.Kernel) {
		if err := dev.Launch(context.Background(), g.Config{Grid: g.Dim3{X: blocks}, Block: g.Dim3{X: threads}}, k); err != nil {
			fmt.Println(name, what, err)
			os.Exit(1)
		}
	}
	in := make([]int32, 512)
	for i := range in {
		in[i] = int32(i*i%97) - 20
	}

	sums, want := make([]int32, 4), make([]int32, 4)
	for i, v := range in {
		want[i/128] += v
	}
	launch("lastWarp", 4, 128, lastWarpKernel(in, sums))
	check(name+" lastWarp", sums, want)

	for _, threads := range []int{32, 70, 96} {
		got, want := make([]int32, 3*threads), make([]int32, 3*threads)
		for b := range 3 {
			steps(threads, func(first, lanes int) {
				sum := int32(0)
				for l := range lanes {
					sum += in[b*threads+first+l]
					want[b*threads+first+l] = sum
				}
			})
		}
		launch("scanWarp", 3, threads, scanWarpKernel(in, got))
		check(name+" scanWarp", got, want)
	}

	floats, turned := make([]float32, 128), make([]float32, 128)
	for i := range floats {
		floats[i] = float32(i)
		turned[i] = float32(i&^31 + (i+9)%32)
	}
	launch("rotate", 2, 64, rotateKernel(9, floats))
	check(name+" rotate", floats, turned)

	part := in[:64+5+25]
	got, ragged := make([]int32, 128), make([]int32, 128)
	steps(len(part)-5, func(first, lanes int) {
		s := ragged[first:]
		const running, left, gone = 0, 1, 2
		state := make([]int, lanes)
		copy(s, part[first:first+lanes])
		for k := range 12 {
			active := make([]bool, lanes)
			for l := range lanes { // those that go to the end of the round
				switch {
				case state[l] != running:
				case l%4 == 1 && k == l/4:
					s[l]++
				case k > l/2+3:
					state[l] = left
				case l == 7 && k == 5:
					state[l] = gone
				default:
					active[l] = true
				}
			}
			old := slices.Clone(s[:32])
			for l := range lanes {
				if active[l] {
					s[l] = old[(l+1)%25]*3 + int32(k)
				}
			}
		}
		old := slices.Clone(s[:32])
		for l := range lanes {
			if state[l] != gone {
				s[l] -= old[(l+24)%25]
			}
		}
	})
	launch("ragged", 1, 128, raggedKernel(part, got))
	check(name+" ragged", got, ragged)

	out, cases := make([]int32, 64), make([]int32, 64)
	steps(64, func(first, lanes int) {
		s := cases[first : first+32]
		copy(s, in[first:])
		out := make([]bool, 32) // of rows
		for j := range 3 {
			skips := make([]bool, 32) // to the next j
			for k := range 5 {
				old := slices.Clone(s)
				end := make([]bool, 32) // come to out[i]++
				for l := range 32 {
					if out[l] || skips[l] {
						continue
					}
					switch (first + l + j) % 4 {
					case 0:
						s[l] += old[(l+4)%32]
						if k == 2 {
							skips[l] = true
						} else {
							end[l] = true
						}
					case 3:
						if j == 1 && (first+l)%8 == 3 {
							out[l] = true
						} else {
							end[l] = true
						}
					default:
						end[l] = true
						if k != 3 || (first+l)%3 != 0 {
							s[l] ^= old[(l+8)%32]
						}
					}
				}
				for l := range 32 {
					if end[l] {
						s[l]++
					}
				}
			}
			for l := range 32 {
				if !out[l] && !skips[l] {
					s[l] *= 3
				}
			}
		}
	})
	launch("cases", 2, 32, casesKernel(in, out))
	check(name+" cases", out, cases)

	lanes := make([]int32, 32)
	for l := range lanes {
		lanes[l] = int32(l%5 + 2*(l/20))
	}
	out, queue := make([]int32, 32), make([]int32, 32)
	count, last := int32(0), int32(100)
	for round := int32(0); round < 9; round++ {
		for l := range lanes {
			if lanes[l] > round {
				count++
			}
		}
		if lanes[31] > round {
			last = count
		}
		for l := range lanes {
			if lanes[l] > round {
				queue[l] += count + last
			}
		}
	}
	launch("queue", 1, 32, queueKernel(lanes, out))
	check(name+" queue", out, queue)
}
