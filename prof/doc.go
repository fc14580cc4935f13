// Package prof counts what a GPU would do with the kernels of a program: sectors and bytes of each
// load and store, bank conflicts, divergent branches, instructions by class, occupancy. See
// docs/profiler.md.
//
// It works in programs that `gocuda prof` has built, since it needs to see every access. The counts
// are exact: they follow from the addresses and branches of the kernel alone, not from a time. They
// are the same in each run, on each machine, for any number of workers and for each executor. A
// test can hold a kernel to them:
//
//	r, err := prof.Run(func() { transpose(a, b, n) })
//	if err != nil {
//		t.Skip(err) // not built by gocuda prof
//	}
//	if s := r.Kernel("transpose").SectorsPerStore(); s > 4 {
//		t.Errorf("%.1f sectors a store", s)
//	}
package prof
