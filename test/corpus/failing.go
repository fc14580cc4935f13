//go:build compiled

package corpus

import (
	"errors"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels of which one thread fails: number who of the block whose X is 1. The others must not get
// in its way, and what they do beyond a guard must not fail.

func unlucky(t *gocuda.Thread, who int) bool { return t.BlockIdx.X == 1 && t.Rank() == who }

// An index of shared memory, under a guard.
//
//gocuda:kernel
func failShared(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 64)
	tid := t.Rank()
	if tid < 64 {
		s[tid] = in[tid]
	}
	t.SyncThreads()
	if t.BlockIdx.X == 1 && tid == who {
		s[tid+64]++
	}
	if tid < 64 {
		out[t.BlockIdx.X*64+tid] = s[63-tid]
	}
}

// An index of global memory, in the last round of a loop.
//
//gocuda:kernel
func failGlobal(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	sum := int32(0)
	for k := range 4 {
		at := i + k
		if at >= len(in) {
			at = i
		}
		if k == 3 && unlucky(t, who) {
			at = len(in) + 5
		}
		sum += in[at]
	}
	out[i] = sum
}

// The guard is missing: the only thread beyond the end fails.
//
//gocuda:kernel
func failNoGuard(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i] * 2
	out[i] = v
}

// The store fails, at its own length, after the load was right; and the load is first when both fail.
//
//gocuda:kernel
func failStore(t *gocuda.Thread, who int, in, out []int32) {
	i, k := t.GlobalX(), t.GlobalX()
	if unlucky(t, who) {
		i = len(out) + 1
	}
	out[i] = in[k]
}

//gocuda:kernel
func failBoth(t *gocuda.Thread, who int, in, out []int32) {
	i, k := t.GlobalX(), t.GlobalX()
	if unlucky(t, who) {
		i, k = len(out)+1, len(in)+2
	}
	out[i] = in[k]
}

// A private array, with an index that went below zero.
//
//gocuda:kernel
func failArray(t *gocuda.Thread, who int, in, out []int32) {
	var h [8]int32
	k := t.Rank() % 8
	h[k] = in[t.GlobalX()]
	t.SyncThreads()
	if unlucky(t, who) {
		k = -1 - k
	}
	out[t.GlobalX()] = h[k]
}

// After a barrier in a loop, in the third round.
//
//gocuda:kernel
func failAfterBarrier(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 128)
	tid, n := t.Rank(), t.BlockDim.X
	for k := range 5 {
		s[tid] = in[tid] + int32(k)
		t.SyncThreads()
		at := (tid + k) % n
		if k == 2 && unlucky(t, who) {
			at += 128
		}
		out[t.GlobalX()] += s[at]
		t.SyncThreads()
	}
}

// In a helper of a helper, in a divergent loop.
//
//gocuda:kernel
func failHelper(t *gocuda.Thread, who int, in, out []int32) {
	out[t.GlobalX()] = walk(in, t.GlobalX()%7, unlucky(t, who))
}

func walk(in []int32, steps int, beyond bool) int32 {
	sum := int32(0)
	for k := 0; k <= steps; k++ {
		if beyond && k == steps {
			k = 1 << 20
		}
		sum += fetch(in, k)
	}
	return sum
}

func fetch(in []int32, k int) int32 { return in[k] }

// Parts of slices: the end beyond the capacity, the start beyond the end, the third index.
//
//gocuda:kernel
func failSlice(t *gocuda.Thread, who, kind int, in, out []int32) {
	i := t.GlobalX()
	a, b, c := i, i+1, i+1
	if unlucky(t, who) {
		switch kind {
		case 0:
			b, c = cap(in)+3, cap(in)+3
		case 1:
			a = i + 2
		case 2:
			a = -1
		case 3:
			c = cap(in) + 2
		}
	}
	part := in[a:b]
	if kind == 3 {
		part = in[a:b:c]
	}
	out[i] = part[0]
}

// Integer division by zero, and the remainder.
//
//gocuda:kernel
func failDivide(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	d := in[i] | 1
	if unlucky(t, who) {
		d = 0
	}
	out[i] = 100 / d
}

//gocuda:kernel
func failRemainder(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	d := uint64(uint32(in[i]))<<20 | 1
	if unlucky(t, who) {
		d = 0
	}
	t.SyncThreads()
	out[i] = int32(uint64(i) % d)
}

// The result is not used, but the division and the load take place.
//
//gocuda:kernel
func failUnused(t *gocuda.Thread, who, kind int, in, out []int32) {
	d, k := 1, 0
	if unlucky(t, who) {
		d, k = 0, len(in)
	}
	switch kind {
	case 0:
		_ = k / d
	case 1:
		_ = in[k]
	case 2:
		v := in[k]
		_ = v
	case 3:
		_ = &in[k]
	}
	out[t.GlobalX()] = 1
}

// A nil slice and a nil pointer.
//
//gocuda:kernel
func failNilSlice(t *gocuda.Thread, who int, in, out []int32) {
	x := in
	if unlucky(t, who) {
		x = nil
	}
	out[t.GlobalX()] = x[0]
}

//gocuda:kernel
func failNilPointer(t *gocuda.Thread, who int, in, out []int32) {
	p := &in[0]
	if unlucky(t, who) {
		p = nil
	}
	t.SyncThreads()
	out[t.GlobalX()] = *p
}

//gocuda:kernel
func failNilStruct(t *gocuda.Thread, who int, in, out []int32) {
	p := &pair{a: 3}
	if unlucky(t, who) {
		p = nil
	}
	p.b[1] = in[0]
	out[t.GlobalX()] = p.a
}

// Explicit panics, with values of several types.
//
//gocuda:kernel
func failPanic(t *gocuda.Thread, who, kind int, in, out []int32) {
	if unlucky(t, who) {
		switch kind {
		case 0:
			panic("on purpose")
		case 1:
			panic(errPurpose)
		case 2:
			panic(in[0] + 42)
		case 3:
			panic(pair{a: 7})
		}
	}
	t.SyncThreads()
	out[t.GlobalX()] = in[t.GlobalX()]
}

var errPurpose = errors.New("an error on purpose")

// Assert, with a message that is computed.
//
//gocuda:kernel
func failAssert(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	s[t.Rank()] = int32(t.Rank())
	t.SyncThreads()
	t.Assert(s[t.Rank()] >= 0)
	t.Assert(!unlucky(t, who), "thread ", s[t.Rank()], " does not like it")
	t.SyncThreads()
	out[t.GlobalX()] = in[t.GlobalX()]
}

// A shift by a negative count.
//
//gocuda:kernel
func failShift(t *gocuda.Thread, who int, in, out []int32) {
	k := t.Rank() % 9
	if unlucky(t, who) {
		k = -k - 1
	}
	out[t.GlobalX()] = in[t.GlobalX()] << k
}

// The index is of another type than int, and large.
//
//gocuda:kernel
func failLargeIndex(t *gocuda.Thread, who int, in, out []int32) {
	k, b := uint32(t.GlobalX()), uint8(t.Rank())
	if unlucky(t, who) {
		k = 0x7fff_fff0
		b = 255
	}
	h := [200]int32{}
	if b < 250 {
		h[b%200] = 1
	}
	out[t.GlobalX()] = in[k] + h[b%200]
}

// Threads beyond a guard have indices that would fail; one inside it does.
//
//gocuda:kernel
func failInsideGuard(t *gocuda.Thread, who, n int, in, out []int32) {
	i := t.GlobalX()
	if i < n && in[i] != 0 {
		k := i
		if unlucky(t, who) {
			k += n
		}
		if v := in[k]; v > 0 && v != 12345 {
			out[i] = v
		}
	}
}

// Threads that have returned are not asked again; one of the rest fails.
//
//gocuda:kernel
func failAfterReturn(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid := t.Rank()
	if tid%3 == 0 {
		return
	}
	s[tid] = in[tid]
	t.SyncThreads()
	k := tid - 3
	if k < 0 {
		return
	}
	if unlucky(t, who) {
		k = 1024
	}
	out[t.GlobalX()] = s[tid] + s[k]
}

// A row of an array of arrays.
//
//gocuda:kernel
func failRow(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[[5]int32](t, 300)
	x := 0
	s[t.Rank()][t.Rank()%5] = in[0]
	if unlucky(t, who) {
		x = 5
	}
	t.SyncThreads()
	s[t.Rank()][x] = 1
	out[t.GlobalX()] = s[t.Rank()][x]
}

// The condition of a loop fails, and that of an if, behind &&.
//
//gocuda:kernel
func failCondition(t *gocuda.Thread, who, kind int, in, out []int32) {
	i := t.GlobalX()
	limit := 6
	if unlucky(t, who) {
		limit = 1 << 20
	}
	if kind == 0 {
		for k := 0; in[k] != 12345 && k < limit; k++ {
			out[i]++
		}
		return
	}
	if limit > 6 && in[limit] > 0 || in[i] > 0 {
		out[i]++
	}
}

// What a warp operation makes of wrong arguments.
//
//gocuda:kernel
func failWarp(t *gocuda.Thread, kind int, in, out []int32) {
	v := in[0]
	switch kind {
	case 0:
		v = gocuda.ShflSync(t, gocuda.FullMask, v, 1, 3)
	case 1:
		t.SyncWarp(2)
	case 2:
		v = gocuda.ShflSync(t, gocuda.FullMask, v, 5, 32)
	}
	out[0] = v
}

// More shared memory than there is.
//
//gocuda:kernel
func failTooMuchShared(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int64](t, 100)
	r := gocuda.Shared[int32](t, n)
	s[0], r[0] = 1, 2
	out[0] = r[0]
}

// A conversion of a slice to an array, and an assertion of a type.
//
//gocuda:kernel
func failConversion(t *gocuda.Thread, who, kind int, in, out []int32) {
	n := 4
	if unlucky(t, who) {
		n = 3
	}
	if kind == 0 {
		a := [4]int32(in[:n])
		out[t.GlobalX()] = a[3]
		return
	}
	var v any = n
	if n == 3 {
		v = "three"
	}
	out[t.GlobalX()] = int32(v.(int))
}

// An index of a step of a sum over a tree, in the last threads of those that take part.
//
//gocuda:kernel
func failStep(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 193)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	s[tid] = in[i]
	t.SyncThreads()
	n := 192
	if t.BlockIdx.X == 1 {
		n = 3*who + 1
	}
	for d := 1; d < 3; d++ {
		k := tid*d*3 + 1
		if k <= n {
			s[k] += in[tid]
		}
		t.SyncThreads()
		if tid%(4*d) == 0 {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	out[i] = s[tid]
}

// The same with a remainder.
//
//gocuda:kernel
func failEvery(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 193)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	s[tid] = in[i]
	t.SyncThreads()
	for d := 1; d < 3; d++ {
		far := d
		if t.BlockIdx.X == 1 {
			far = 193 - who
		}
		if tid%(3*d) == 0 && tid <= who {
			s[tid] += s[tid+far]
		}
		t.SyncThreads()
	}
	out[i] = s[tid]
}

// Elements from one's own on, of which one is missing for a thread, in the round of another.
//
//gocuda:kernel
func failOthers(t *gocuda.Thread, who int, in, out []int32) {
	i, n := t.GlobalX(), t.BlockDim.X
	s := int32(0)
	for j := range n {
		if j != t.ThreadIdx.X {
			at := i
			if j == n-2 && unlucky(t, who) {
				at = len(in)
			}
			s += in[at]*3 - in[j]
		}
	}
	out[i] = s
}

// An index of an array of constants, and of a slice of such, in a loop that ends too late for one
// thread.
//
//gocuda:kernel
func failTable(t *gocuda.Thread, who int, in, out []int32) {
	array := [4]int32{3, 1, 4, 1}
	slice := []int32{5, 9, 2, 6, 5}
	i, n := t.GlobalX(), 4
	if unlucky(t, who) {
		n = 5
	}
	s := in[i]
	for k := 0; k < n; k++ {
		s = s*3 + slice[k] + array[k]
	}
	out[i] = s
}

// A store in either arm of a branch, on a line of its own.
//
//gocuda:kernel
func failArms(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	at := i
	if unlucky(t, who) {
		at = i + 1000
	}
	if in[i]%2 == 0 {
		out[at] = 1
	} else {
		out[at] = in[i]
	}
}

type failKernel = func(t *gocuda.Thread, who int, in, out []int32)
type failMaker = func(who int, in, out []int32) gocuda.Kernel

// failure is a kernel that fails in thread who of the block whose X is 1 of 3.
func failure(name string, threads, who int, source failKernel, compiled failMaker, text string) Failure {
	cfg := line(3, threads)
	return Failure{
		Name: name, Config: cfg, Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: who}, Text: text,
		Make: func(cfg grid.Config) Instance {
			n := cfg.Blocks() * cfg.Threads()
			in, out := positive(n), make([]int32, n)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, who, in, out) }),
				Compiled: compiled(who, in, out),
				Outputs:  []any{out},
			}
		},
	}
}

// failureOf is failure for a kernel with one more parameter.
func failureOf(name string, threads, who, kind int, source func(t *gocuda.Thread, who, kind int, in, out []int32),
	compiled func(who, kind int, in, out []int32) gocuda.Kernel, text string) Failure {
	return failure(name, threads, who,
		func(t *gocuda.Thread, who int, in, out []int32) { source(t, who, kind, in, out) },
		func(who int, in, out []int32) gocuda.Kernel { return compiled(who, kind, in, out) }, text)
}

// alone is a kernel of one thread, which fails.
func alone(name string, kind int, source func(t *gocuda.Thread, kind int, in, out []int32),
	compiled func(kind int, in, out []int32) gocuda.Kernel, text string, is error) Failure {
	f := failure(name, 1, 0,
		func(t *gocuda.Thread, _ int, in, out []int32) { source(t, kind, in, out) },
		func(_ int, in, out []int32) gocuda.Kernel { return compiled(kind, in, out) }, text)
	f.Config, f.Block, f.Is = line(1, 1), grid.Dim3{}, is
	return f
}

// An atomic operation of one lane on a place that does not exist.
//
//gocuda:kernel
func failOnePlace(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	if unlucky(t, who) {
		atomic.Add(&out[len(out)+2], v)
	}
	out[i] = v * 2
}

func positive(n int) []int32 {
	s := below[int32](1000)(n)
	for i := range s {
		s[i]++
	}
	return s
}

func matching(f Failure, is error) Failure {
	f.Is = is
	return f
}

// in3D runs it in blocks of another shape.
func in3D(f Failure, who grid.Dim3) Failure {
	f.Name += "-3D"
	f.Config = grid.Config{Grid: grid.Dim3{X: 2, Y: 1, Z: 1}, Block: grid.Dim3{X: 5, Y: 4, Z: 6}}
	f.Thread = who
	return f
}

var failures = []Failure{
	failure("failShared", 100, 40, failShared, failSharedKernel, "index out of range [104] with length 64"),
	failure("failShared-first", 256, 0, failShared, failSharedKernel, "index out of range [64] with length 64"),
	failure("failShared-last", 255, 254, failShared, failSharedKernel, "index out of range [318] with length 64"),
	in3D(failure("failShared", 120, 67, failShared, failSharedKernel, "index out of range [131] with length 64"), grid.Dim3{X: 2, Y: 1, Z: 3}),
	failure("failOnePlace", 100, 77, failOnePlace, failOnePlaceKernel, "index out of range [302] with length 300"),
	failure("failArms", 100, 34, failArms, failArmsKernel, "index out of range [1134] with length 300"),
	failure("failArms-odd", 100, 35, failArms, failArmsKernel, "index out of range [1135] with length 300"),
	failure("failStep", 192, 64, failStep, failStepKernel, "index out of range [193] with length 193"),
	failure("failEvery", 128, 99, failEvery, failEveryKernel, "index out of range [193] with length 193"),
	failure("failOthers", 100, 77, failOthers, failOthersKernel, "index out of range [300] with length 300"),
	failure("failTable", 100, 33, failTable, failTableKernel, "index out of range [4] with length 4"),
	failure("failGlobal", 100, 33, failGlobal, failGlobalKernel, "index out of range [305] with length 300"),
	failure("failGlobal-1", 1, 0, failGlobal, failGlobalKernel, "index out of range [8] with length 3"),
	failure("failGlobal-1000", 1000, 999, failGlobal, failGlobalKernel, "index out of range [3005] with length 3000"),
	{
		Name: "failNoGuard", Config: line(3, 33), Block: grid.Dim3{X: 2}, Thread: grid.Dim3{X: 32},
		Text: "index out of range [98] with length 98",
		Make: func(cfg grid.Config) Instance {
			in, out := positive(98), make([]int32, 99)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { failNoGuard(t, in, out) }),
				Compiled: failNoGuardKernel(in, out),
			}
		},
	},
	failure("failStore", 64, 17, failStore, failStoreKernel, "index out of range [193] with length 192"),
	failure("failBoth", 64, 63, failBoth, failBothKernel, "index out of range [194] with length 192"),
	failure("failArray", 70, 69, failArray, failArrayKernel, "index out of range [-6]"),
	failure("failAfterBarrier", 100, 50, failAfterBarrier, failAfterBarrierKernel, "index out of range [180] with length 128"),
	failure("failHelper", 100, 50, failHelper, failHelperKernel, "index out of range [1048576] with length 300"),
	failureOf("failSlice-end", 33, 20, 0, failSlice, failSliceKernel, "slice bounds out of range [:102] with capacity 99"),
	failureOf("failSlice-order", 33, 20, 1, failSlice, failSliceKernel, "slice bounds out of range [55:54]"),
	failureOf("failSlice-negative", 33, 20, 2, failSlice, failSliceKernel, "slice bounds out of range [-1:]"),
	failureOf("failSlice-capacity", 33, 20, 3, failSlice, failSliceKernel, "slice bounds out of range [::101] with capacity 99"),
	failure("failDivide", 100, 99, failDivide, failDivideKernel, "integer divide by zero"),
	failure("failRemainder", 64, 1, failRemainder, failRemainderKernel, "integer divide by zero"),
	failure("failStructPlace", 64, 13, failStructPlace, failStructPlaceKernel, "with length 64"),
	failure("failSteady", 50, 33, failSteady, failSteadyKernel, "index out of range [200]"),
	failure("failPiece", 100, 53, failPiece, failPieceKernel, "index out of range"),
	failure("failWidth", 100, 40, failWidth, failWidthKernel, "integer divide by zero"),
	failure("failShiftBy", 100, 41, failShiftBy, failShiftByKernel, "negative shift amount"),
	failure("failShiftBy-last", 64, 63, failShiftBy, failShiftByKernel, "negative shift amount"),
	failure("failShiftLong", 100, 41, failShiftLong, failShiftLongKernel, "negative shift amount"),
	failure("failDividesAll", 64, 9, failDividesAll, failDividesAllKernel, "integer divide by zero"),
	failure("failShiftPlace", 64, 1, failShiftPlace, failShiftPlaceKernel, "negative shift amount"),
	failure("failInduced", 64, 1, failInduced, failInducedKernel, "index out of range"),
	failure("failTorus", 64, 40, failTorus, failTorusKernel, "index out of range [-"),
	failure("failColumn", 64, 40, failColumn, failColumnKernel, "index out of range [1"),
	failure("failDisk", 64, 41, failDisk, failDiskKernel, "index out of range"),
	failureOf("failBehind-load", 64, 41, 0, failBehind, failBehindKernel, "index out of range [197] with length 192"),
	failureOf("failBehind-product", 64, 41, 1, failBehind, failBehindKernel, "index out of range [196] with length 192"),
	failureOf("failBehind-scatter", 64, 41, 2, failBehind, failBehindKernel, "index out of range [197] with length 192"),
	failureOf("failBehind-division", 64, 41, 3, failBehind, failBehindKernel, "integer divide by zero"),
	failure("failCount", 64, 41, failCount, failCountKernel, "index out of range [192] with length 128"),
	failure("failRing", 64, 40, failRing, failRingKernel, "integer divide by zero"),
	failureOf("failUnused-division", 33, 3, 0, failUnused, failUnusedKernel, "integer divide by zero"),
	failureOf("failUnused-load", 33, 3, 1, failUnused, failUnusedKernel, "index out of range [99] with length 99"),
	failureOf("failUnused-variable", 33, 3, 2, failUnused, failUnusedKernel, "index out of range [99] with length 99"),
	failureOf("failUnused-address", 33, 3, 3, failUnused, failUnusedKernel, "index out of range [99] with length 99"),
	failure("failNilSlice", 33, 31, failNilSlice, failNilSliceKernel, "index out of range [0] with length 0"),
	failure("failNilPointer", 33, 32, failNilPointer, failNilPointerKernel, "invalid memory address or nil pointer dereference"),
	failure("ptFailNil", 33, 16, ptFailNil, ptFailNilKernel, "invalid memory address or nil pointer dereference"),
	failure("failNilStruct", 33, 16, failNilStruct, failNilStructKernel, "invalid memory address or nil pointer dereference"),
	failureOf("failPanic-string", 100, 77, 0, failPanic, failPanicKernel, "on purpose"),
	matching(failureOf("failPanic-error", 100, 77, 1, failPanic, failPanicKernel, "an error on purpose"), errPurpose),
	failureOf("failPanic-int", 100, 77, 2, failPanic, failPanicKernel, ""),
	failureOf("failPanic-struct", 100, 77, 3, failPanic, failPanicKernel, "{7 [0 0 0]}"),
	matching(failure("failAssert", 100, 9, failAssert, failAssertKernel, "assertion failed: thread 9 does not like it"), gocuda.ErrAssert),
	failure("failShift", 33, 21, failShift, failShiftKernel, "negative shift amount"),
	failure("failLargeIndex", 33, 21, failLargeIndex, failLargeIndexKernel, "index out of range [2147483632] with length 99"),
	failureOf("failInsideGuard", 100, 50, 180, failInsideGuard, failInsideGuardKernel, "index out of range [330] with length 300"),
	failure("failAfterReturn", 100, 50, failAfterReturn, failAfterReturnKernel, "index out of range [1024] with length 1024"),
	failure("failRow", 100, 98, failRow, failRowKernel, "index out of range [5] with length 5"),
	failureOf("failCondition-loop", 64, 18, 0, failCondition, failConditionKernel, "index out of range [192] with length 192"),
	failureOf("failCondition-if", 64, 18, 1, failCondition, failConditionKernel, "index out of range [1048576] with length 192"),
	alone("failWarp-width", 0, failWarp, failWarpKernel, "width 3", gocuda.ErrInvalidValue),
	alone("failWarp-mask", 1, failWarp, failWarpKernel, "", gocuda.ErrInvalidMask),
	alone("failWarp-lane", 2, failWarp, failWarpKernel, "", gocuda.ErrInactiveLane),
	alone("failTooMuchShared", 1<<24, failTooMuchShared, failTooMuchSharedKernel, "16777216 elements of 4 bytes", gocuda.ErrSharedMemPerBlock),
	failureOf("failConversion-array", 33, 8, 0, failConversion, failConversionKernel, "cannot convert slice with length 3 to array or pointer to array with length 4"),
	failureOf("failConversion-assertion", 33, 8, 1, failConversion, failConversionKernel, "interface conversion"),
}
