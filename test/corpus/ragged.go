//go:build compiled

package corpus

import (
	"math"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels whose threads have loops of different lengths over neighbouring elements, bounds and
// other indices being from memory.

// The rows of a sparse matrix, some of them empty or turned round.
//
//gocuda:kernel
func rgProduct(t *gocuda.Thread, rows int, ptr, col []int32, val, x, y []float32) {
	row := t.GlobalX()
	if row >= rows {
		return
	}
	var sum float32
	end := ptr[row+1]
	for j := ptr[row]; j < end; j++ {
		sum += val[j] * x[col[j]]
	}
	y[row] = sum
}

// The limit is read in the condition; the index of the second array is wider; two loops.
//
//gocuda:kernel
func rgTwo(t *gocuda.Thread, ptr, col []int, val, x, y []int32) {
	row := t.GlobalX()
	sum := int32(row)
	for j := ptr[row]; j < ptr[row+1]; j++ {
		sum = sum*3 + val[j]*x[col[j]]
	}
	for j := ptr[row]; j < ptr[row+1]; j++ {
		sum = sum*5 ^ val[j]
	}
	y[row] = sum
}

// The counter is a number inside the loop and after it, of a type that is narrow or has no sign.
//
//gocuda:kernel
func rgCounters(t *gocuda.Thread, ptr []uint32, short []uint8, in []int32, out []int32) {
	me := t.GlobalX()
	sum := int32(0)
	i, to := ptr[me], ptr[me+1]
	for ; i < to; i++ {
		sum = sum*7 + in[i] ^ int32(i)
	}
	k := int8(short[me] & 63)
	top := int8(short[me+1] & 127)
	for ; k < top; k++ {
		v := in[k]
		sum = sum*3 + v - int32(k+100)
	}
	out[me] = sum ^ int32(i)<<4 ^ int32(k)<<9
}

// More than one element is asked for, some only where a condition holds, and one behind another.
// Long bodies.
//
//gocuda:kernel
func rgBranches(t *gocuda.Thread, ptr, col []int32, far []uint32, x []int32, out []int32) {
	me := t.GlobalX()
	s := gocuda.Shared[int32](t, 64)
	for k := t.ThreadIdx.X; k < 64; k += t.BlockDim.X {
		s[k] = x[k]
	}
	t.SyncThreads()
	end := ptr[me+1]
	sum, last := int32(1), int32(-1)
	for d := range 3 {
		for j := ptr[me]; j < end; j++ {
			c := int(col[j])
			if c < 64 && c%3 == d {
				sum += s[c] * x[far[x[c]&31]]
				last = j
			} else if x[c] > 0 {
				sum ^= x[c]
			} else {
				sum = sum*3 + int32(d)
			}
		}
	}
	if last > 0 {
		sum ^= col[last]
	}
	out[me] = sum + last
}

// What is not for a second loop without checks: something is stored before the loop, or in it; an
// index behind && ; an element of a private array; a quotient.
//
//gocuda:kernel
func rgStores(t *gocuda.Thread, ptr, col, x, count, out []int32) {
	me := t.GlobalX()
	count[me]++
	end := ptr[me+1]
	sum := int32(0)
	for j := ptr[me]; j < end; j++ {
		sum += x[col[j]]
	}
	out[me] = sum
}

//gocuda:kernel
func rgStoresInside(t *gocuda.Thread, ptr, col, x, mark, out []int32) {
	me := t.GlobalX()
	end := ptr[me+1]
	sum := int32(0)
	for j := ptr[me]; j < end; j++ {
		sum += x[col[j]]
		mark[j] += sum
	}
	out[me] = sum
}

//gocuda:kernel
func rgOthers(t *gocuda.Thread, ptr, col, x, out []int32) {
	me := t.GlobalX()
	end := ptr[me+1]
	var seen [8]int32
	sum := int32(0)
	for j := ptr[me]; j < end; j++ {
		if c := col[j]; c >= 0 && x[c] > 3 {
			seen[c&7]++
		}
		sum += 1000 / (col[j] + 1)
	}
	for d := range seen {
		sum = sum*3 + seen[d]
	}
	out[me] = sum
}

// One thread of a row fails: the row begins before its arrays, ends behind one of them or at the
// largest number, or an index in its middle is outside. What it has stored before is seen by
// nobody.
//
//gocuda:kernel
func rgFail(t *gocuda.Thread, ptr, col []int32, val, x, y []float32) {
	row := t.GlobalX()
	var sum float32
	end := ptr[2*row+1]
	for j := ptr[2*row]; j < end; j++ {
		sum += val[j] * x[col[j]]
	}
	y[row] = sum
}

// The same where something is stored before.
//
//gocuda:kernel
func rgFailLater(t *gocuda.Thread, ptr, col []int32, val, x, y []float32) {
	row := t.GlobalX()
	y[row] = 1
	end := ptr[2*row+1]
	for j := ptr[2*row]; j < end; j++ {
		y[row] += val[j] * x[col[j]]
	}
}

// Each row begins where the one before it ends, and one of them fails.
//
//gocuda:kernel
func rgFailBetween(t *gocuda.Thread, ptr, col []int32, val, x, y []float32) {
	row := t.GlobalX()
	var sum float32
	for j := ptr[row]; j < ptr[row+1]; j++ {
		sum += val[j] * x[col[j]]
	}
	y[row] = sum
}

// The same ends are read several times, and where some rows need them only; what is stored is of
// another type for all arguments.
//
//gocuda:kernel
func rgEnds[T float32 | float64](t *gocuda.Thread, ptr []uint32, val, y []T) {
	me := t.GlobalX()
	sum := T(0)
	for j := ptr[me+1]; j < ptr[me+2]; j++ {
		sum += val[j]
	}
	if me%3 != 0 {
		for j := ptr[me+1]; j < ptr[me+2]; j++ {
			sum = sum*2 + val[j]
		}
		sum += T(ptr[me+2]) - T(ptr[me+1])
	}
	y[me] = sum
}

// What is stored may be of the type of the ends.
//
//gocuda:kernel
func rgSameEnds[T int32 | float32](t *gocuda.Thread, ptr []int32, val, y []T) {
	me := t.GlobalX()
	sum := T(0)
	for j := ptr[me]; j < ptr[me+1]; j++ {
		sum = sum*3 + val[j]
	}
	y[me] = sum
}

var rgConfigs = []grid.Config{line(1, 1), line(3, 8), line(2, 33), line(1, 64)}

// rgRows returns where n rows begin, up to 12 elements each, and the columns of the elements, up to
// most. Some rows are empty, and, if turned is true, some end before they begin.
func rgRows[T int32 | int | uint32](n, most int, turned bool) (ptr, col []T) {
	lengths := data[uint32](n + 1)
	ptr = make([]T, n+1)
	at := 0
	for i := range ptr {
		ptr[i] = T(at)
		at += int(lengths[i] % 13)
		if lengths[i]%5 == 0 {
			at = int(ptr[i])
		}
	}
	if turned && n > 6 {
		ptr[3] += 2
		ptr[4], ptr[5] = ptr[5], ptr[4]
	}
	wide := data[uint32](at + 8)
	col = make([]T, at+8)
	for i := range col {
		col[i] = T(wide[i] % uint32(most))
	}
	return ptr, col
}

var rgCases = []Case{
	made("rgProduct", rgConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := max(cfg.Blocks()*cfg.Threads()-3, 1)
		ptr, col := rgRows[int32](n, 50, true)
		val, x, y := data[float32](len(col)), data[float32](50), marked[float32](n)
		return func(t *gocuda.Thread) { rgProduct(t, n, ptr, col, val, x, y) },
			rgProductKernel(n, ptr, col, val, x, y), []any{y}
	}, func(cfg grid.Config) []any {
		n := max(cfg.Blocks()*cfg.Threads()-3, 1)
		ptr, col := rgRows[int32](n, 50, true)
		val, x, y := data[float32](len(col)), data[float32](50), marked[float32](n)
		for i := range n {
			y[i] = 0
			for j := ptr[i]; j < ptr[i+1]; j++ {
				y[i] += val[j] * x[col[j]]
			}
		}
		return []any{y}
	}),
	made("rgTwo", rgConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		ptr, col := rgRows[int](n, 50, true)
		val, x, y := data[int32](len(col)-5), data[int32](50), marked[int32](n)
		return func(t *gocuda.Thread) { rgTwo(t, ptr, col, val, x, y) }, rgTwoKernel(ptr, col, val, x, y), []any{y}
	}, nil),
	made("rgCounters", rgConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		ptr, _ := rgRows[uint32](n, 1, true)
		if cfg.Blocks() == 2 {
			for i := range 9 {
				ptr[i] = math.MaxUint32 // rows that begin there are empty
			}
		}
		short := data[uint8](n + 1)
		in, out := data[int32](13*n+200), marked[int32](n)
		return func(t *gocuda.Thread) { rgCounters(t, ptr, short, in, out) }, rgCountersKernel(ptr, short, in, out), []any{out}
	}, nil),
	made("rgBranches", rgConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		ptr, col := rgRows[int32](n, 100, true)
		_, far := rgRows[uint32](n+20, 90, false)
		far = append(far, make([]uint32, 40)...)
		x, out := data[int32](n+100), marked[int32](n)
		return func(t *gocuda.Thread) { rgBranches(t, ptr, col, far, x, out) }, rgBranchesKernel(ptr, col, far, x, out), []any{out}
	}, nil),
	made("rgStores", rgConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		ptr, col := rgRows[int32](n, 50, true)
		x, count, out := data[int32](50), data[int32](n), marked[int32](n)
		return func(t *gocuda.Thread) { rgStores(t, ptr, col, x, count, out) }, rgStoresKernel(ptr, col, x, count, out), []any{count, out}
	}, nil),
	made("rgStoresInside", rgConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		ptr, col := rgRows[int32](n, 50, false)
		x, mark, out := data[int32](50), data[int32](len(col)), marked[int32](n)
		return func(t *gocuda.Thread) { rgStoresInside(t, ptr, col, x, mark, out) },
			rgStoresInsideKernel(ptr, col, x, mark, out), []any{mark, out}
	}, nil),
	made("rgOthers", rgConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		ptr, col := rgRows[int32](n, 50, true)
		x, out := data[int32](50), marked[int32](n)
		return func(t *gocuda.Thread) { rgOthers(t, ptr, col, x, out) }, rgOthersKernel(ptr, col, x, out), []any{out}
	}, nil),
	rgEndsCase[float32]("float32"),
	rgEndsCase[float64]("float64"),
	rgSameEndsCase[int32]("int32"),
	rgSameEndsCase[float32]("float32"),
}

// rgEndsCase is rgEnds for some arguments.
func rgEndsCase[T float32 | float64](name string) Case {
	return made("rgEnds["+name+"]", rgConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		ptr, _ := rgRows[uint32](n+1, 1, true)
		val, y := data[T](13*n+60), marked[T](n)
		return func(t *gocuda.Thread) { rgEnds(t, ptr, val, y) }, rgEndsKernel(ptr, val, y), []any{y}
	}, nil)
}

// rgSameEndsCase is rgSameEnds for some arguments.
func rgSameEndsCase[T int32 | float32](name string) Case {
	return made("rgSameEnds["+name+"]", rgConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		ptr, _ := rgRows[int32](n, 1, true)
		val, y := data[T](13*n+60), marked[T](n)
		return func(t *gocuda.Thread) { rgSameEnds(t, ptr, val, y) }, rgSameEndsKernel(ptr, val, y), []any{y}
	}, nil)
}

// rgFailureBetween is a kernel whose thread 5 of the second of two blocks has a column that is outside.
func rgFailureBetween(c int32, text string) Failure {
	return Failure{Name: "rgFailBetween", Config: line(2, 8), Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 5}, Text: text,
		Make: func(cfg grid.Config) Instance {
			n := cfg.Blocks() * cfg.Threads()
			ptr, col := rgRows[int32](n, 20, false)
			ptr[14] = max(ptr[14], ptr[13]+2)
			for i := 15; i <= n; i++ {
				ptr[i] = max(ptr[i], ptr[14])
			}
			col = append(col, 0, 0)
			col[ptr[13]+1] = c
			val, x, y := data[float32](len(col)), data[float32](20), marked[float32](n)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { rgFailBetween(t, ptr, col, val, x, y) }),
				Compiled: rgFailBetweenKernel(ptr, col, val, x, y),
				Outputs:  []any{y},
			}
		}}
}

// rgFailure is a kernel whose thread 5 of the second of two blocks has the elements from to to, in
// which the column of the third is c.
func rgFailure(name string, from, to, c int32, text string) []Failure {
	var list []Failure
	for _, later := range []bool{false, true} {
		f := Failure{Name: "rgFail, " + name, Config: line(2, 8), Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 5}, Text: text,
			Make: func(cfg grid.Config) Instance {
				n := cfg.Blocks() * cfg.Threads()
				ptr, col := make([]int32, 2*n), make([]int32, 6*n+4)
				for i := range n {
					ptr[2*i], ptr[2*i+1] = int32(6*i), int32(6*i+i%7)
				}
				for i := range col {
					col[i] = int32(i % 20)
				}
				ptr[2*13], ptr[2*13+1] = from, to
				col[6*13+2] = c
				val, x, y := data[float32](6*n), data[float32](20), marked[float32](n)
				if later {
					return Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { rgFailLater(t, ptr, col, val, x, y) }),
						Compiled: rgFailLaterKernel(ptr, col, val, x, y),
						Outputs:  []any{y},
					}
				}
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { rgFail(t, ptr, col, val, x, y) }),
					Compiled: rgFailKernel(ptr, col, val, x, y),
					Outputs:  []any{y},
				}
			}}
		if later {
			f.Name += ", later"
		}
		list = append(list, f)
	}
	return list
}

var rgFailures = slices.Concat(
	[]Failure{rgFailureBetween(-3, "index out of range [-3]"), rgFailureBetween(20, "index out of range [20] with length 20")},
	rgFailure("column below zero", 78, 84, -3, "index out of range [-3]"),
	rgFailure("column behind the last", 78, 84, 20, "index out of range [20] with length 20"),
	rgFailure("largest column", 77, 83, math.MaxInt32, "index out of range [2147483647] with length 20"),
	rgFailure("smallest column", 79, 81, math.MinInt32, "index out of range [-2147483648]"),
	rgFailure("begins below zero", -1, 4, 0, "index out of range [-1]"),
	rgFailure("begins far below zero", math.MinInt32, math.MinInt32+3, 0, "index out of range [-2147483648]"),
	rgFailure("ends behind the values", 94, 99, 0, "index out of range [96] with length 96"),
	rgFailure("ends at the largest number", 90, math.MaxInt32, 0, "index out of range [96] with length 96"),
	rgFailure("is behind", 1000, math.MaxInt32, 0, "index out of range [1000] with length"),
)
