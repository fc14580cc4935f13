package mem_test

import (
	"errors"
	"fmt"

	"github.com/gocuda/gocuda/mem"
)

// The life of a buffer. Programs have a device from package gocuda; all that this package needs of
// it is its memory.
func Example() {
	dev := newDevice(1 << 20)
	host := []float32{1, 2, 3, 4}

	buf, err := mem.Alloc[float32](dev, len(host)) // cudaMalloc
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := mem.CopyToDevice(buf, host); err != nil { // cudaMemcpy
		fmt.Println(err)
		return
	}
	for i, x := 0, buf.Data(); i < len(x); i++ { // what a kernel does, one thread an element
		x[i] *= 10
	}
	if err := mem.CopyToHost(host, buf); err != nil { // cudaMemcpy
		fmt.Println(err)
		return
	}
	fmt.Println(host, buf.Free()) // cudaFree
	// Output: [10 20 30 40] <nil>
}

// Too much is an error, as on a real device, and leaves what there is as it was.
func ExampleAlloc() {
	dev := newDevice(1 << 20)
	_, err := mem.Alloc[float64](dev, 1<<20)
	fmt.Println(errors.Is(err, mem.ErrOutOfMemory))

	_, err = mem.Alloc[string](dev, 1) // a string points to host memory
	fmt.Println(errors.Is(err, mem.ErrInvalidValue))
	// Output:
	// true
	// true
}

func ExampleInfo() {
	dev := newDevice(1 << 20)
	if _, err := mem.Alloc[float32](dev, 1024); err != nil {
		fmt.Println(err)
		return
	}
	free, total := mem.Info(dev)
	fmt.Println(total-free, "of", total, "bytes in use")
	// Output: 4096 of 1048576 bytes in use
}

// A part is how a copy begins elsewhere than at the first element.
func ExampleBuffer_Slice() {
	dev := newDevice(1 << 20)
	buf, err := mem.Alloc[int32](dev, 6)
	if err != nil {
		fmt.Println(err)
		return
	}
	middle, err := buf.Slice(2, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mem.CopyToDevice(middle, []int32{7, 8}), buf.Data())
	// Output: <nil> [0 0 7 8 0 0]
}

// The value is that of each byte, as in CUDA: 1 doesn't make ones of integers.
func ExampleMemset() {
	dev := newDevice(1 << 20)
	buf, err := mem.Alloc[uint16](dev, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mem.Memset(buf, 1))
	fmt.Printf("%#04x\n", buf.Data())
	// Output:
	// <nil>
	// [0x0101 0x0101 0x0101]
}

// CUDA leaves a copy onto itself undefined, so it is refused.
func ExampleCopy() {
	dev := newDevice(1 << 20)
	buf, err := mem.Alloc[int32](dev, 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	left, _ := buf.Slice(0, 4)
	shifted, _ := buf.Slice(1, 5)
	right, _ := buf.Slice(4, 8)
	fmt.Println(errors.Is(mem.Copy(shifted, left), mem.ErrOverlap))
	fmt.Println(mem.Copy(right, left))
	// Output:
	// true
	// <nil>
}

// A worker keeps its arena from block to block. A block must not count on what it finds there: it is
// what the block before it has left.
func ExampleArena() {
	var arena mem.Arena
	for block := range 3 {
		tile := mem.View[int32](arena.Alloc(4 * 64)) // __shared__ int tile[64]
		sums := mem.View[int32](arena.Alloc(4 * 2))  // __shared__ int sums[2]
		for i := range tile {
			tile[i] = int32(block)
		}
		sums[0], sums[1] = tile[0], tile[63]
		fmt.Println(len(tile), sums)
		arena.Reset()
	}
	// Output:
	// 64 [0 0]
	// 64 [1 1]
	// 64 [2 2]
}
