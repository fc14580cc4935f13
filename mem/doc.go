// Package mem is device memory: typed buffers that a program allocates, fills, copies and frees as
// CUDA programs do, and the arena behind a block's shared memory.
//
// A kernel can work on any Go slice that it captures; that is CUDA's managed memory, and all that
// many programs need. A [Buffer] adds what CUDA's separate device memory has: a device that it
// belongs to and that can run out, contents that only a copy moves, and errors for what goes wrong.
//
//	buf, err := mem.Alloc[float32](dev, n) // cudaMalloc
//	err = mem.CopyToDevice(buf, host)      // cudaMemcpy, host to device
//	x := buf.Data()                        // what a kernel captures
//	...                                    // launch
//	err = mem.CopyToHost(host, buf)        // cudaMemcpy, device to host
//	err = buf.Free()                       // cudaFree
//
// The functions without Async act at once, on the caller's goroutine. They don't wait for work that
// streams have queued: synchronize the stream first, or queue the copy on it with the Async form.
//
// # Other kinds of memory
//
//   - [Constant]: constant memory, which kernels only read.
//   - [Pitched]: arrays of two and three dimensions, and [Rows] for copies of parts of them.
//   - [HostBuffer]: page-locked memory of the host; [HostRegister] for memory that a program has.
//   - [AllocManaged]: managed memory.
//   - [Pool], with [AllocAsync] and [FreeAsync]: allocation in the order of a stream.
//   - [AttributesOf]: what memory an address is of.
//   - [EnablePeerAccess], [CopyPeer], [CopyDefault]: several devices.
//
// # Textures
//
// A [Texture] reads memory through addressing and filtering, and a [Surface] reads and writes an
// [Array], which is memory that only these two can see:
//
//	arr, err := mem.AllocArray[float32](dev, mem.ArrayDesc{Width: w, Height: h})           // cudaMallocArray
//	err = mem.CopyToArray(arr, image)                                                      // cudaMemcpy2DToArray
//	tex, err := mem.NewTexture[float32](arr, mem.TextureDesc{FilterMode: mem.FilterLinear}) // cudaCreateTextureObject
//	v := mem.Tex2D(tex, x, y)                                                              // in a kernel: tex2D<float>
//
// # Elements
//
// Elements must be free of Go pointers (no strings, slices, maps, interfaces), because a device
// can't hold them; Alloc says so. Memory is aligned to [Align] bytes.
package mem

// Align is the alignment in bytes of every allocation and of every array in an arena. It is two
// cache lines of most processors, because they fetch lines in pairs, and a multiple of every vector
// register.
const Align = 128
