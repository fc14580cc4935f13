// Package memsys counts what the memory system of a GPU does with one instruction of a warp.
//
// A [Request] holds the addresses that the lanes of a warp ask for with one load or store. The funcs of
// this package say what a GPU of a compute capability makes of it:
//
//   - [Global]: transactions and bytes between the multiprocessor and device memory (coalescing),
//   - [Shared]: passes over the banks of shared memory (bank conflicts),
//   - [Constant]: reads of the constant cache, one after another,
//   - [Partitions]: the memory partitions that transactions go to (partition camping),
//   - [Contend]: lanes of an atomic operation that meet at an address,
//   - [Branches]: whether the lanes of a warp part at a branch.
//
// All counts follow from the addresses alone, so that they are exact and the same on every machine.
// There are no times here. The rules are those of the CUDA C Programming Guide 4.2, appendix F,
// and, for 5.x and later, of the sections on compute capabilities in later editions.
//
// A read of column 0 of a row-major matrix of 1024 columns, and of a row of it, on a GPU of today:
//
//	column := memsys.Strided(0, 1024, 4) // lane i reads a[1024*i]
//	row := memsys.Strided(0, 1, 4)       // lane i reads a[i]
//	c, _ := memsys.Global(gocuda.Capability{Major: 8}, column, memsys.L2)
//	r, _ := memsys.Global(gocuda.Capability{Major: 8}, row, memsys.L2)
//	fmt.Println(len(c.Transactions), len(r.Transactions)) // 32 4
package memsys
