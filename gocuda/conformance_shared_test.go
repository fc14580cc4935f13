package gocuda_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// A celestial body has more than one type of field, and padding.
type celestial struct {
	id   int16
	pos  [3]float64
	flag bool
}

func sharedRows() []row {
	return []row{
		noComplaint("shared arrays of several types", upTo(256), severalArrays),
		noComplaint("shared arrays that hold pointers", upTo(256), sharedPointers),
		noComplaint("shared arrays named in helpers and branches", shapes, sharedElsewhere),
		noComplaint("an array for each round of a loop", upTo(80), manyArrays),
		noComplaint("a block's shared memory is its own", shapes, sharedIsolated),
		perThread("shared array larger than the block", upTo(256), largeArray),
		noComplaint("dynamic shared memory as several types", withDynamic(8*1024+4, shapes), dynamicTypes),
		noComplaint("no dynamic shared memory", shapes, func(grid.Config) func(*gocuda.Thread) string {
			return func(t *gocuda.Thread) string {
				return differ("length", len(gocuda.DynamicShared[float64](t)), 0)
			}
		}),
	}
}

func differ[T comparable](what string, got, want T) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("%s: got %v, want %v", what, got, want)
}

func severalArrays(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		bytes := gocuda.Shared[uint8](t, n)
		floats := gocuda.Shared[float64](t, n)
		none := gocuda.Shared[int32](t, 0)
		bodies := gocuda.Shared[celestial](t, n)
		arrays := gocuda.Shared[[3]int16](t, n)
		empty := gocuda.Shared[struct{}](t, n)
		bools := gocuda.Shared[bool](t, n)
		r := rankOf(t)
		if len(bytes) != n || len(floats) != n || len(none) != 0 || len(bodies) != n || len(arrays) != n || len(empty) != n || len(bools) != n {
			return "a shared array has another length than it was declared with"
		}
		for i, p := range []any{bytes, floats, bodies, arrays, bools} {
			if a := reflect.ValueOf(p).Pointer(); a%mem.Align != 0 {
				return fmt.Sprintf("array %d begins at %#x", i, a)
			}
		}
		bytes[r] = uint8(r)
		floats[r] = float64(r) / 7
		bodies[r] = celestial{int16(r), [3]float64{float64(r), 1, -1}, r%2 == 0}
		arrays[r] = [3]int16{int16(r), int16(-r), 5}
		bools[r] = r%3 == 0
		for range 2 {
			t.SyncThreads()
			o := (r + 1) % n
			if bytes[o] != uint8(o) || floats[o] != float64(o)/7 || bools[o] != (o%3 == 0) ||
				bodies[o] != (celestial{int16(o), [3]float64{float64(o), 1, -1}, o%2 == 0}) ||
				arrays[o] != [3]int16{int16(o), int16(-o), 5} {
				return fmt.Sprint("element ", o, " is now ", bytes[o], floats[o], bodies[o], arrays[o], bools[o])
			}
		}
		// appending makes a new array, as it would past the end of any other
		if r == 0 {
			_ = append(bytes, 77)
			_ = append(floats, 77)
			_ = append(none, 77)
		}
		t.SyncThreads()
		if floats[0] != 0 || bytes[0] != 0 || bodies[0].id != 0 {
			return "append to a shared array wrote into the next one"
		}
		return ""
	}
}

func sharedPointers(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		names := gocuda.Shared[string](t, n)
		lists := gocuda.Shared[[]int](t, n)
		nums := gocuda.Shared[int](t, n)
		ptrs := gocuda.Shared[*int](t, n)
		r, b := rankOf(t), blockOf(t)
		names[r] = "b" + strconv.Itoa(b) + "t" + strconv.Itoa(r)
		lists[r] = []int{b, r}
		nums[r] = r
		ptrs[r] = &[]int{b - r}[0]
		t.SyncThreads()
		if n == 33 && r == 0 && b == 1 {
			runtime.GC() // which must see what the arrays hold
		}
		t.SyncThreads()
		o := n - 1 - r
		if want := "b" + strconv.Itoa(b) + "t" + strconv.Itoa(o); names[o] != want {
			return differ("string", names[o], want)
		}
		if len(lists[o]) != 2 || lists[o][0] != b || lists[o][1] != o || *ptrs[o] != b-o || nums[o] != o {
			return fmt.Sprint("element ", o, " is now ", lists[o], *ptrs[o], nums[o])
		}
		return ""
	}
}

// The arrays of a block can be other ones than those of the next, and a thread need not name all.
func sharedElsewhere(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		r, b := rankOf(t), blockOf(t)
		first := gocuda.Shared[int](t, n)
		first[r] = r
		if b%2 == 0 {
			s := gocuda.Shared[float32](t, 2*n)
			s[r], s[n+r] = float32(r), float32(-r)
			if got := s[n+r]; got != float32(-r) {
				return differ("float", got, float32(-r))
			}
		} else {
			s := sharedInHelper(t, n)
			s[r] = int64(r) << 33
			t.SyncThreads()
			if o := (r + 5) % n; s[o] != int64(o)<<33 {
				return differ("int64", s[o], int64(o)<<33)
			}
		}
		if r == 0 {
			only := gocuda.Shared[string](t, 1)
			only[0] = "alone"
		}
		t.SyncThreads()
		return differ("first", first[n-1-r], n-1-r)
	}
}

func sharedInHelper(t *gocuda.Thread, n int) []int64 { return gocuda.Shared[int64](t, n) }

func manyArrays(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		r := rankOf(t)
		var arrays [][]int32
		for i := range 40 {
			s := gocuda.Shared[int32](t, n)
			s[r] = int32(i*1000 + r)
			arrays = append(arrays, s)
		}
		t.SyncThreads()
		for i, s := range arrays {
			if got, want := s[n-1-r], int32(i*1000+n-1-r); got != want {
				return differ("element", got, want)
			}
		}
		return ""
	}
}

func sharedIsolated(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		s := gocuda.Shared[int](t, n)
		r, b := rankOf(t), blockOf(t)
		s[r] = b
		for i := range 4 {
			t.SyncThreads()
			if got := s[(r*7+i)%n]; got != b {
				return fmt.Sprintf("block %d sees what block %d wrote", b, got)
			}
		}
		return ""
	}
}

func largeArray(cfg grid.Config) (func(*gocuda.Thread) int, func(block, rank int) int) {
	const size = 5000
	n := cfg.Threads()
	body := func(t *gocuda.Thread) int {
		s := gocuda.Shared[int](t, size)
		r, b := rankOf(t), blockOf(t)
		for i := r; i < size; i += n {
			s[i] = i ^ b
		}
		t.SyncThreads()
		sum := 0
		for i := (r * 37) % n; i < size; i += n {
			sum += s[i]
		}
		return sum
	}
	return body, func(block, rank int) int {
		sum := 0
		for i := (rank * 37) % n; i < size; i += n {
			sum += i ^ block
		}
		return sum
	}
}

func dynamicTypes(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		static := gocuda.Shared[uint32](t, n)
		words := gocuda.DynamicShared[uint32](t)
		bytes := gocuda.DynamicShared[byte](t)
		longs := gocuda.DynamicShared[uint64](t)
		if len(words) != 2*1024+1 || len(bytes) != 8*1024+4 || len(longs) != 1024 {
			return fmt.Sprint("lengths ", len(words), len(bytes), len(longs))
		}
		r := rankOf(t)
		static[r] = 7
		words[r] = uint32(mix(r, blockOf(t), 1))
		words[2*1024-r] = 9
		t.SyncThreads()
		o := n - 1 - r
		want := uint32(mix(o, blockOf(t), 1))
		if got := binary.NativeEndian.Uint32(bytes[4*o:]); got != want {
			return differ("bytes", got, want)
		}
		other := [8]byte(bytes[8*(o/2):])
		if got := longs[o/2]; got != binary.NativeEndian.Uint64(other[:]) {
			return differ("uint64", got, binary.NativeEndian.Uint64(other[:]))
		}
		return differ("static", static[o], 7)
	}
}

// In checked mode shared memory starts with mem.Poison in each block, whatever the one before left.
func TestSharedStartsPoisonedInCheckedMode(t *testing.T) {
	for _, d := range openDevices(t, true) {
		if !d.checked {
			continue
		}
		var clean atomic.Int64
		const blocks, n = 20, 40
		cfg := grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: n}, SharedBytes: 4 * n}
		err := d.launch(context.Background(), t, cfg, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			words := gocuda.Shared[int32](t, n)
			floats := gocuda.Shared[float64](t, n)
			dynamic := gocuda.DynamicShared[uint8](t)
			r := t.Rank()
			if words[r] == -1 && floats[r] != floats[r] && dynamic[4*r] == mem.Poison && dynamic[4*r+3] == mem.Poison {
				clean.Add(1)
			}
			words[r], floats[r], dynamic[4*r], dynamic[4*r+3] = 1, 1, 1, 1
		}))
		require.NoError(t, err, d)
		assert.Equal(t, int64(blocks*n), clean.Load(), "%v: threads that found undefined memory poisoned", d)
	}
}
