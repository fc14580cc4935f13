package mem_test

import (
	"fmt"

	"github.com/gocuda/gocuda/mem"
)

// An image on a device, and a tile of it on the host.
func ExampleAllocPitch() {
	dev := newDevice(1 << 20)
	const width, height = 100, 3
	img := make([]float32, width*height)
	for i := range img {
		img[i] = float32(i)
	}
	p, err := mem.AllocPitch[float32](dev, width, height) // cudaMallocPitch
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Pitch(), "bytes from row to row,", p.Stride(), "elements")
	fmt.Println(mem.Copy2D(p.Rows(), mem.HostRows(img, width, height), width, height)) // cudaMemcpy2D
	data, stride := p.Data(), p.Stride()                                               // what a kernel captures
	data[2*stride+51] = -1
	tile := make([]float32, 4)
	fmt.Println(mem.Copy2D(mem.HostRows(tile, 2, 2), p.Rows().At(50, 1, 0), 2, 2))
	fmt.Println(tile, p.Free())
	// Output:
	// 512 bytes from row to row, 128 elements
	// <nil>
	// <nil>
	// [150 151 250 -1] <nil>
}

func ExampleCopy3D() {
	dev := newDevice(1 << 20)
	vol, err := mem.Alloc3D[int32](dev, 4, 4, 4) // cudaMalloc3D
	if err != nil {
		fmt.Println(err)
		return
	}
	box := []int32{1, 2, 3, 4, 5, 6, 7, 8}
	fmt.Println(mem.Copy3D(vol.Rows().At(1, 2, 2), mem.HostRows(box, 2, 2), 2, 2, 2)) // cudaMemcpy3D
	for z := range vol.Depth() {
		fmt.Println(vol.Row(2, z), vol.Row(3, z))
	}
	// Output:
	// <nil>
	// [0 0 0 0] [0 0 0 0]
	// [0 0 0 0] [0 0 0 0]
	// [0 1 2 0] [0 3 4 0]
	// [0 5 6 0] [0 7 8 0]
}

var polynomial = mem.NewConstant[float64]("polynomial", 4, 1, 0, 2) // __constant__ double polynomial[4] = {1, 0, 2};

func ExampleNewConstant() {
	dev := newDevice(1 << 20)
	if err := mem.CopyToSymbol(dev, polynomial, []float64{3}, 3); err != nil { // cudaMemcpyToSymbol
		fmt.Println(err)
		return
	}
	c, err := polynomial.On(dev)
	if err != nil {
		fmt.Println(err)
		return
	}
	at := func(x float64) (y float64) { // what a kernel does with c
		for i := c.Len() - 1; i >= 0; i-- {
			y = y*x + c.At(i)
		}
		return y
	}
	fmt.Println(at(0), at(1), at(10), polynomial.Size())
	// Output: 1 6 3201 32
}

// Memory goes around in the order of a stream: the second allocation gets what the first has left.
func ExampleAllocAsync() {
	dev := newDevice(1 << 20)
	s := &stream{device: dev} // a program has a *gocuda.Stream
	pool, err := mem.DefaultPool(dev)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		b, err := mem.AllocAsync[float32](s, 1024) // cudaMallocAsync
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(mem.MemsetAsync(s, b, 0), mem.FreeAsync(s, b)) // cudaMemsetAsync, cudaFreeAsync
	}
	fmt.Println(pool.Stats().UsedHigh, "bytes at most,", pool.Stats().Reserved, "kept")
	// Output:
	// <nil> <nil>
	// <nil> <nil>
	// 4096 bytes at most, 4096 kept
}

func ExampleAttributesOf() {
	dev := newDevice(1 << 20)
	buf, err := mem.Alloc[int64](dev, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := buf.Data()
	at, err := mem.AttributesOf(&x[42]) // cudaPointerGetAttributes
	fmt.Println(at.Type, at.Memory == dev.Memory(), at.Size, err)
	at, err = mem.AttributesOfSlice(make([]int64, 1))
	fmt.Println(at.Type, err)
	// Output:
	// Device true 800 <nil>
	// Unregistered <nil>
}

// Zero copy: a kernel works on the host's memory.
func ExampleHostBuffer_On() {
	dev := newDevice(1 << 20)
	h, err := mem.AllocHost[int32](3, mem.HostMapped) // cudaHostAlloc
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := h.On(dev) // cudaHostGetDevicePointer
	if err != nil {
		fmt.Println(err)
		return
	}
	b.Data()[1] = 7 // a kernel
	fmt.Println(h.Data(), h.Free())
	// Output: [0 7 0] <nil>
}

func ExampleCopyPeer() {
	left, right := newDevice(1<<20), newDevice(1<<20)
	a, err := mem.Alloc[int32](left, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := mem.Alloc[int32](right, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	a.Data()[1] = 5
	fmt.Println(mem.Copy(b, a))                                    // two devices are no business of cudaMemcpy
	fmt.Println(mem.CopyPeer(b, a), b.Data())                      // cudaMemcpyPeer
	fmt.Println(mem.EnablePeerAccess(left, right), mem.Copy(b, a)) // unless they are peers
	// Output:
	// mem: belongs to another device
	// <nil> [0 5]
	// <nil> <nil>
}
