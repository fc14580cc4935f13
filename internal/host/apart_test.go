package host

import (
	"runtime"
	"testing"
	"unsafe"
)

// Large slices of the same size, made one after the other, don't begin at places that a cache takes
// for neighbours.
func TestApart(t *testing.T) {
	const n = 1 << 22
	var begins []uintptr
	var kept [][]float32 // or the memory of one may become that of another
	for range 4 {
		s := Apart[float32](n)
		if len(s) != n || cap(s) != n {
			t.Fatalf("length %d, capacity %d, want %d", len(s), cap(s), n)
		}
		for i := range s {
			if s[i] != 0 {
				t.Fatalf("element %d is %v", i, s[i])
			}
		}
		begins = append(begins, uintptr(unsafe.Pointer(&s[0])))
		kept = append(kept, s)
	}
	same := 0
	for i, a := range begins {
		for _, b := range begins[i+1:] {
			if (a-b)%(64<<10) == 0 {
				same++
			}
		}
	}
	if same == 6 {
		t.Errorf("all begin at the same place modulo 64 KiB: %x", begins)
	}
	runtime.KeepAlive(kept)
}

func TestApartOfFew(t *testing.T) {
	for _, n := range []int{0, 1, 1000} {
		if s := Apart[float64](n); len(s) != n {
			t.Errorf("%d elements for %d", len(s), n)
		}
	}
	if s := Apart[struct{}](1 << 40); len(s) != 1<<40 {
		t.Errorf("%d elements of no size", len(s))
	}
}
