//go:build compiled

package corpus

import "github.com/gocuda/gocuda/gocuda"

// Some threads print, before and after a barrier.
//
//gocuda:kernel
func printSome(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	s[tid] = in[i]
	if tid%16 == 3 {
		t.Printf("block %d thread %d has %d\n", t.BlockIdx.X, tid, in[i])
	}
	t.SyncThreads()
	v := s[(tid+1)%t.BlockDim.X]
	if v%32 == 0 {
		t.Printf("%v: %v, %t\n", t.ThreadIdx, v, v > 0)
	}
	out[i] = v
}

// Lines that are made of pieces, in a loop and across a barrier, and one without an end
// where nothing follows.
//
//gocuda:kernel
func printPieces(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	if i%10 == 0 {
		t.Printf("%d:", i)
		for k := range i % 4 {
			t.Printf(" %x", uint32(in[i])>>k)
		}
	}
	t.SyncThreads()
	if i%10 == 0 {
		t.Printf(" end\n%d in the block of %q\n", t.Rank(), "name")
	}
	if i == 0 && t.GridDim.X == 1 {
		t.Printf("and no more")
	}
	out[i] = int32(t.SyncThreadsCount(in[i] > 0))
}

// A helper prints, with arguments of many types.
//
//gocuda:kernel
func printHelper(t *gocuda.Thread, in []float32, out []float32) {
	i := t.GlobalX()
	if in[i] > 80 {
		report(t, in[i], i)
	}
	out[i] = in[i]
}

func report(t *gocuda.Thread, v float32, i int) {
	t.Printf("%6.2f %5d %c %v %s %v\n", v, i, 'a'+rune(i%26), [2]int{i, 2}, []byte("bytes"), struct{ X float32 }{v})
}

var printCases = []Case{
	printing(perThread("printSome", linear, printSome, printSomeKernel, nil)),
	printing(perThread("printPieces", linear, printPieces, printPiecesKernel, nil)),
	printing(perThread("printHelper", linear, printHelper, printHelperKernel, nil)),
}

func printing(c Case) Case {
	c.Prints = true
	return c
}
