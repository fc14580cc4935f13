//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Variables that are declared before what they are made of, structs without a name whose fields are
// called as generated code calls its variables, and kernels that are called so.

//gocuda:kernel
func dcLater(t *gocuda.Thread, in, out []int32) {
	var (
		sum, twice int32
		row, last  int
		i          int
	)
	i = t.GlobalX()
	last = i + 1
	row = last * 3
	twice = int32(i) * 2
	sum = twice + 1
	for k := range 2 {
		sum += in[i] * int32(k)
	}
	out[i] = sum + int32(row)
}

func dcLaterWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		out[i] = int32(2*i) + 1 + v + int32(3*(i+1))
	}
}

func dcFlip(x int32) int32 { return x ^ 0x55 }

func dcNext(v int32) int32 { return 1 + dcFlip(v) }

func dcBoth(v int32) (int32, int32) {
	a, b := dcPair(v + 1)
	return b, a
}

func dcPair(v int32) (int32, int32) {
	w := v * 3
	return w, w - 1
}

// Of helpers in helpers, and of blocks and closures.
//
//gocuda:kernel
func dcHelpers(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	var z int32
	{
		y := int32(i) * 2
		z = y + 1
	}
	a, b := dcBoth(int32(i))
	v := func() int32 { y := int32(i) * 5; return y + 1 }()
	t.SyncThreads()
	out[i] = dcNext(int32(i)) + dcNext(dcNext(z)) + a*7 + b + v + in[i]
}

func dcHelpersWant(_ grid.Config, in, out []int32) {
	for k, v := range in {
		i := int32(k)
		next := func(v int32) int32 { return 1 + (v ^ 0x55) }
		out[k] = next(i) + next(next(2*i+1)) + (3*(i+1)-1)*7 + 3*(i+1) + 5*i + 1 + v
	}
}

// Fields called like the bounds of a row, its threads, and a variable of the kernel.
//
//gocuda:kernel
func dcFields(t *gocuda.Thread, in, out []int32) {
	best := gocuda.Shared[struct {
		v float32
		i int
	}](t, t.BlockDim.X)
	i, x := t.GlobalX(), t.ThreadIdx.X
	var st [4]struct{ lo, hi, tx, rank int32 }
	w := []struct{ many, row int32 }{{many: 1, row: 2}, {3, 4}}
	for k := in[i]; k > 0; k /= 2 {
		st[k&3].hi += k
		st[k&1].tx += w[k&1].many
	}
	best[x].v, best[x].i = float32(x), i
	t.SyncThreads()
	b := best[t.BlockDim.X-1-x]
	b.i++
	t.SyncThreads()
	best[x] = b
	t.SyncThreads()
	out[i] = st[3].hi + st[1].tx*w[1].row + int32(best[t.BlockDim.X-1-x].i) + int32(best[x].v)
}

func dcFieldsWant(cfg grid.Config, in, out []int32) {
	n := cfg.Threads()
	for i, v := range in {
		hi, tx := int32(0), int32(0)
		for k := v; k > 0; k /= 2 {
			if k%4 == 3 {
				hi += k
			}
			if k%2 == 1 {
				tx += 3
			}
		}
		out[i] = hi + tx*4 + int32(i) + 1 + int32(n-1-i%n)
	}
}

// A loop that ends in its first round, whatever lane comes to it.
//
//gocuda:kernel
func dcOnce(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	k := in[i]
	for k != 0 {
		break
	}
	for k > 5 {
		k -= 5
		break
	}
	for n := 0; k < 0; n++ {
		if n < 3 {
			k++
			continue
		}
		break
	}
	out[i] = k
}

func dcOnceWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		if v > 5 {
			v -= 5
		}
		if out[i] = v; v < 0 {
			out[i] = min(v+3, 0)
		}
	}
}

// Kernels called as the block and its phases are.

//gocuda:kernel
func b(t *gocuda.Thread, in, out []int32) { out[t.GlobalX()] = in[t.GlobalX()] + 1 }

//gocuda:kernel
func p(t *gocuda.Thread, in, out []int32) { out[t.GlobalX()] = in[t.GlobalX()] + 2 }

var dcCases = []Case{
	perThread("dcLater", linear, dcLater, dcLaterKernel, dcLaterWant),
	perThread("dcHelpers", linear, dcHelpers, dcHelpersKernel, dcHelpersWant),
	perThread("dcFields", linear, dcFields, dcFieldsKernel, dcFieldsWant),
	perThread("dcOnce", linear, dcOnce, dcOnceKernel, dcOnceWant),
	perThread("b", linear, b, bKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v + 1
		}
	}),
	perThread("p", linear, p, pKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v + 2
		}
	}),
}
