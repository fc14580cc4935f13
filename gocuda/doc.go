// Package gocuda runs CUDA-style kernels on the processors of the host.
//
// A kernel is a Go function that receives a thread context. A launch runs it for every thread of a grid
// of blocks:
//
//	err := gocuda.LaunchFunc(ctx, grid.Linear(n, 256), func(t *gocuda.Thread) {
//		if i := t.GlobalX(); i < n {
//			y[i] = a*x[i] + y[i]
//		}
//	})
//
// Kernels work on the slices that they capture. Threads of a block share memory, see [Shared], and wait
// for each other, see [Thread.SyncThreads]; the 32 threads of a warp vote and exchange values, see
// [Thread.BallotSync] and [ShflSync]. Blocks run in any order, several at a time.
//
// # Three kinds of kernel
//
// A [ThreadFunc] is the program of one thread, as in CUDA. It is the form to learn and to port with. A
// barrier costs it about 90 ns a thread. A [WarpFunc] is the program of a warp, and works on arrays of
// 32. A [BlockFunc] is the program of a block, and loops over its threads between barriers, which is
// how a processor likes it: a nanosecond or two a thread and phase, or what the loop's body costs. All
// three are [Kernel], and so is every type with a RunBlock method.
//
// # Devices and streams
//
// [Launch] uses the [Default] device and waits. [NewDevice] opens another one: with the limits of a
// real GPU, with a certain number of workers, or in checked mode, which finds mistakes that are
// undefined behaviour in CUDA. A [Stream] queues launches, copies of package mem, [Event] marks and
// callbacks, and overlaps with other streams. A [Graph] is work with dependencies that is launched
// again and again, for less.
//
// # What goes wrong
//
// Everything that goes wrong is an error that says where: a launch that exceeds the device's limits, an
// index out of range, a barrier that some threads never reach. A panic in a kernel stops its launch and
// comes back as a [*KernelError] with the block, the thread and the stack. The process lives on, and so
// does the device.
//
// # Checking kernels
//
// Build with -race: threads are goroutines then, ordered by nothing but barriers, warp operations and
// atomics, so the race detector finds a missing barrier. See also [WithChecked] and [ShuffledOrder].
package gocuda
