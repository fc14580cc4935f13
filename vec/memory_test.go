//go:build goexperiment.simd && amd64

package vec

import (
	"runtime"
	"syscall"
	"testing"
	"unsafe"
)

// mem has the functions of one vector type that reach into memory.
type mem[E number] struct {
	name          string
	n             int
	load          func(r, s []E, i int)
	store         func(s []E, i int, v []E)
	loadMasked    func(r, s []E, i int, m Mask)
	storeMasked   func(s []E, i int, v []E, m Mask)
	gatherStride  func(r, s []E, i, d int, m Mask)
	scatterStride func(s []E, i, d int, v []E, m Mask)
	gatherStep    func(r, s []E, i, d int, m Mask)
	scatterStep   func(s []E, i, d int, v []E, m Mask)
	gather        func(r, s []E, x []int32, m Mask)
	scatter       func(s []E, x []int32, v []E, m Mask)
	gather64      func(r, s []E, x []int64, m Mask)
	scatter64     func(s []E, x []int64, v []E, m Mask)
}

// fenced returns a slice with pages on both sides that fault when touched; it
// ends at the second one.
func fenced[E number](t *testing.T, n int) []E {
	t.Helper()
	page := syscall.Getpagesize()
	b, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(b) })
	for _, outer := range [][]byte{b[:page], b[2*page:]} {
		if err := syscall.Mprotect(outer, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	size := n * int(unsafe.Sizeof(E(0)))
	return unsafe.Slice((*E)(unsafe.Pointer(&b[2*page-size])), n)
}

// memory holds the functions against loops over elements, in a slice as long as
// its page: what they touch beyond it faults.
func memory[E number](t *testing.T, f mem[E]) {
	t.Helper()
	length := syscall.Getpagesize() / int(unsafe.Sizeof(E(0)))
	s := fenced[E](t, length)
	r := rng(f.name)
	sp := special[E]()
	got, v := make([]E, f.n), make([]E, f.n)
	x32, x64 := make([]int32, f.n), make([]int64, f.n)
	index := make([]int, f.n)

	// loads compares got with the elements at index, stores the slice with v put there.
	loads := func(what string, m Mask) {
		t.Helper()
		for k, i := range index {
			var want E
			if m>>k&1 == 1 {
				want = s[i]
			}
			if !same(got[k], want) {
				t.Fatalf("%s%s, mask %b, lane %d: %v, want %v", what, f.name, m, k, got[k], want)
			}
		}
	}
	stores := func(what string, m Mask, do func()) {
		t.Helper()
		random(r, s, sp)
		random(r, v, sp)
		want := append([]E(nil), s...)
		for k, i := range index {
			if m>>k&1 == 1 {
				want[i] = v[k]
			}
		}
		do()
		for i := range s {
			if !same(s[i], want[i]) {
				t.Fatalf("%s%s, mask %b, element %d: %v, want %v", what, f.name, m, i, s[i], want[i])
			}
		}
	}

	random(r, s, sp)
	all := allLanes(f.n)
	for round := range 100 {
		i := r.IntN(length - f.n + 1)
		if round < 2 {
			i = round * (length - f.n)
		}
		for k := range index {
			index[k] = i + k
		}
		f.load(got, s, i)
		loads("Load", all)
		stores("Store", all, func() { f.store(s, i, v) })

		// Masked, partly before or after the slice.
		i = []int{i, -r.IntN(2 * f.n), length - r.IntN(f.n) + 3, length + 5*f.n}[round%4]
		m := randMask(r, f.n)
		for k := range index {
			index[k] = i + k
			if i+k < 0 || i+k >= length {
				m &^= 1 << k
			}
		}
		f.loadMasked(got, s, i, m)
		loads("LoadMasked", m)
		stores("StoreMasked", m, func() { f.storeMasked(s, i, v, m) })

		// With a stride, which may be zero or negative.
		d := []int{r.IntN(60) - 30, 1}[round%3/2]
		i = r.IntN(length)
		m = randMask(r, f.n)
		for k := range index {
			index[k] = i + k*d
			if index[k] < 0 || index[k] >= length {
				m &^= 1 << k
			}
		}
		f.gatherStride(got, s, i, d, m)
		loads("GatherStride", m)
		stores("ScatterStride", m, func() { f.scatterStride(s, i, d, v, m) })
		f.gatherStep(got, s, i, d, m)
		loads("GatherStep", m)
		stores("ScatterStep", m, func() { f.scatterStep(s, i, d, v, m) })

		// Anywhere, often twice.
		m = randMask(r, f.n)
		few := []int{3, length}[r.IntN(2)]
		for k := range index {
			index[k] = r.IntN(few)
			x32[k], x64[k] = int32(index[k]), int64(index[k])
			if m>>k&1 == 0 {
				x32[k], x64[k] = int32(r.Uint32()), int64(r.Uint64())
			}
		}
		if f.gather != nil && (f.n <= 8 || HasAVX512()) {
			f.gather(got, s, x32, m)
			loads("Gather", m)
			stores("Scatter", m, func() { f.scatter(s, x32, v, m) })
		}
		if f.gather64 != nil && (f.n == 4 || HasAVX512()) {
			f.gather64(got, s, x64, m)
			loads("Gather64", m)
			stores("Scatter64", m, func() { f.scatter64(s, x64, v, m) })
		}
	}
}

// A pointer outside a slice that stays around while the garbage collector runs
// would be fatal. The masked operations make such pointers.
func TestMaskedOutsideSurvivesGC(t *testing.T) {
	need256(t)
	var keep [][]float32
	for range 100 {
		keep = append(keep, make([]float32, 4096/4*3)) // spans with nothing before and after
		make4096()
	}
	for j, s := range keep {
		i := -1 << (10 + j%12)
		x := LoadMaskedF32x8(s, i, 0)
		if j%10 == 0 {
			runtime.GC()
		} else {
			grow(100)
		}
		StoreMaskedF32x8(s, i, x, 0)
		y := LoadMaskedI16x8(nil, i, 0)
		StoreMaskedI16x8(nil, i, y, 0)
	}
}

//go:noinline
func make4096() { _ = make([]byte, 1<<20) }

//go:noinline
func grow(n int) int {
	var a [64]int
	if n == 0 {
		return 0
	}
	a[n%64] = grow(n - 1)
	return a[(n+1)%64] + 1
}

func TestFirst(t *testing.T) {
	for n, want := range map[int]Mask{-5: 0, 0: 0, 1: 1, 5: 31, 16: 0xffff, 31: 1<<31 - 1, 32: 1<<32 - 1, 33: 1<<32 - 1, 1 << 40: 1<<32 - 1} {
		if got := First(n); got != want {
			t.Errorf("First(%d) = %#x, want %#x", n, got, want)
		}
	}
}
