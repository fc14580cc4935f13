package atomic_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	stdatomic "sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// An operation, and what the CUDA C++ Programming Guide says that it stores for a given old value.
// For signed types the doc comments of Inc and Dec extend the guide.
type op[T atomic.Integer] struct {
	name string
	do   func(p *T, v T) T
	want func(old, v T) T
}

func ops[T atomic.Integer]() []op[T] {
	return []op[T]{
		{"Add", atomic.Add[T], func(old, v T) T { return old + v }},
		{"Sub", atomic.Sub[T], func(old, v T) T { return old - v }},
		{"Exch", atomic.Exch[T], func(old, v T) T { return v }},
		{"Min", atomic.Min[T], func(old, v T) T { return min(old, v) }},
		{"Max", atomic.Max[T], func(old, v T) T { return max(old, v) }},
		{"And", atomic.And[T], func(old, v T) T { return old & v }},
		{"Or", atomic.Or[T], func(old, v T) T { return old | v }},
		{"Xor", atomic.Xor[T], func(old, v T) T { return old ^ v }},
		{"Inc", atomic.Inc[T], func(old, v T) T {
			if old >= v {
				return 0
			}
			return old + 1
		}},
		{"Dec", atomic.Dec[T], func(old, v T) T {
			if old <= 0 || old > v {
				return v
			}
			return old - 1
		}},
	}
}

type (
	namedInt32  int32
	namedUint32 uint32
	namedInt64  int64
	namedUint64 uint64
	namedInt    int
	namedUint   uint
	namedFloat  float32
	namedDouble float64
)

func TestIntegers(t *testing.T) {
	t.Run("int32", testInteger[int32])
	t.Run("uint32", testInteger[uint32])
	t.Run("int64", testInteger[int64])
	t.Run("uint64", testInteger[uint64])
	t.Run("int", testInteger[int])
	t.Run("uint", testInteger[uint])
	t.Run("named int32", testInteger[namedInt32])
	t.Run("named uint32", testInteger[namedUint32])
	t.Run("named int64", testInteger[namedInt64])
	t.Run("named uint64", testInteger[namedUint64])
	t.Run("named int", testInteger[namedInt])
	t.Run("named uint", testInteger[namedUint])
}

// edges returns values where wraparound, signs and the halves of a word matter.
func edges[T atomic.Integer]() []T {
	var v []T
	top := T(1)
	for top<<1 != 0 {
		top <<= 1
	}
	for _, base := range []T{0, 7, 1 << 16, top, T(1) << 31} {
		v = append(v, base-2, base-1, base, base+1, base+2)
	}
	return v
}

func testInteger[T atomic.Integer](t *testing.T) {
	// The neighbours of the cell must not change: an operation of 64 bits on 32 would.
	const left, right = 0x55, 0x33
	check := func(cells *[3]T, name string, old, v, got, want T) {
		t.Helper()
		if got != old || *cells != [3]T{left, want, right} {
			t.Errorf("%s(%d, %d) returned %d and left %d, want the old value and %d in the middle only", name, old, v, got, *cells, want)
		}
	}
	for _, o := range ops[T]() {
		for _, old := range edges[T]() {
			for _, v := range edges[T]() {
				cells := [3]T{left, old, right}
				got := o.do(&cells[1], v)
				check(&cells, o.name, old, v, got, o.want(old, v))
			}
		}
	}
	for _, old := range edges[T]() {
		for _, compare := range edges[T]() {
			for _, v := range edges[T]() {
				want := old
				if old == compare {
					want = v
				}
				cells := [3]T{left, old, right}
				got := atomic.CAS(&cells[1], compare, v)
				check(&cells, "CAS", old, v, got, want)
			}
		}
	}
}

// Constants, so that a reader sees what the definitions above amount to.
func TestIncAndDecByExample(t *testing.T) {
	for _, c := range []struct {
		name             string
		do               func(*uint32, uint32) uint32
		old, bound, want uint32
	}{
		{"Inc counts", atomic.Inc[uint32], 3, 10, 4},
		{"Inc reaches the bound", atomic.Inc[uint32], 9, 10, 10},
		{"Inc wraps at the bound", atomic.Inc[uint32], 10, 10, 0},
		{"Inc wraps above the bound", atomic.Inc[uint32], 11, 10, 0},
		{"Inc with bound 0", atomic.Inc[uint32], 0, 0, 0},
		{"Inc with the largest bound", atomic.Inc[uint32], math.MaxUint32, math.MaxUint32, 0},
		{"Dec counts", atomic.Dec[uint32], 3, 10, 2},
		{"Dec reaches 0", atomic.Dec[uint32], 1, 10, 0},
		{"Dec wraps at 0", atomic.Dec[uint32], 0, 10, 10},
		{"Dec at the bound", atomic.Dec[uint32], 10, 10, 9},
		{"Dec wraps above the bound", atomic.Dec[uint32], 11, 10, 10},
		{"Dec with bound 0", atomic.Dec[uint32], 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			cell := c.old
			assert.Equal(t, c.old, c.do(&cell, c.bound), "returned")
			assert.Equal(t, c.want, cell, "stored")
		})
	}

	negative := int32(-5)
	assert.Equal(t, int32(-5), atomic.Dec(&negative, 10))
	assert.Equal(t, int32(10), negative, "Dec of -5 stores the bound")
	negative = -5
	assert.Equal(t, int32(-5), atomic.Inc(&negative, 10))
	assert.Equal(t, int32(-4), negative, "Inc of -5 counts")
}

func TestFloats(t *testing.T) {
	t.Run("float32", testFloat[float32])
	t.Run("float64", testFloat[float64])
	t.Run("named float32", testFloat[namedFloat])
	t.Run("named float64", testFloat[namedDouble])
}

// testFloat compares in bits, because NaN is not equal to itself and -0 is equal to 0. An Add made
// of a loop that compares numbers would never return for NaN.
func testFloat[T ~float32 | ~float64](t *testing.T) {
	same := func(a, b T) bool { // the float64 of a float32 is exact
		x, y := float64(a), float64(b)
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	}
	inf, negZero := T(math.Inf(1)), T(math.Copysign(0, -1))
	values := []T{
		0, negZero, 1, -1, 0.1, 1 << 24, 1 << 53, 3e38, -3e38, T(math.SmallestNonzeroFloat32),
		inf, -inf, T(math.NaN()),
	}
	const left, right = 0.5, 0.25
	for _, old := range values {
		for _, v := range values {
			cells := [3]T{left, old, right}
			got := atomic.Add(&cells[1], v)
			slicetest.EqualFunc(t, []T{old, left, old + v, right}, append([]T{got}, cells[:]...), same, "Add(%v, %v)", old, v)
			cells = [3]T{left, old, right}
			got = atomic.Exch(&cells[1], v)
			slicetest.EqualFunc(t, []T{old, left, v, right}, append([]T{got}, cells[:]...), same, "Exch(%v, %v)", old, v)
		}
	}
}

// Programs keep flags in the payload of a NaN; Exch moves bits and doesn't look at them.
func TestExchKeepsThePayloadOfNaN(t *testing.T) {
	const a, b = 0x7fc01234, 0xffc05678
	cell := math.Float32frombits(a)
	old := atomic.Exch(&cell, math.Float32frombits(b))
	assert.Equal(t, uint32(a), math.Float32bits(old))
	assert.Equal(t, uint32(b), math.Float32bits(cell))
	const c, d = 0x7ff8000000001234, 0xfff8000000005678
	cell64 := math.Float64frombits(c)
	old64 := atomic.Exch(&cell64, math.Float64frombits(d))
	assert.Equal(t, uint64(c), math.Float64bits(old64))
	assert.Equal(t, uint64(d), math.Float64bits(cell64))
}

// Millions of threads call these operations; one allocation each would be all that a kernel does.
func TestNoAllocations(t *testing.T) {
	var i int32
	var u uint64
	var f float32
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		for _, o := range []func(){
			func() { atomic.Add(&i, 1) }, func() { atomic.CAS(&i, 1, 2) }, func() { atomic.Max(&u, 9) },
			func() { atomic.Inc(&u, 9) }, func() { atomic.Add(&f, 1) }, func() { atomic.Exch(&f, 1) },
		} {
			o()
		}
	}), "allocations")
}

const (
	workers = 8
	rounds  = 50000 // of each worker; long enough for the two of them to meet on a cell
)

// together runs f on several goroutines. They wait for each other in a loop and not on a channel,
// so that all processors are at it when f begins.
func together(f func(worker int)) {
	var wg sync.WaitGroup
	var arrived stdatomic.Int32
	for w := range workers {
		wg.Go(func() {
			for arrived.Add(1); arrived.Load() < workers; {
				runtime.Gosched()
			}
			f(w)
		})
	}
	wg.Wait()
}

// Every operation returns the old value, so its caller knows by how much it changed the cell. If no
// update is lost, the changes of all callers add up to the change of the cell. This holds for any
// mix of operations in any order, so every pair of them is tried.
func TestChangesAddUp(t *testing.T) {
	t.Run("int32", testChangesAddUp[int32])
	t.Run("uint32", testChangesAddUp[uint32])
	t.Run("int64", testChangesAddUp[int64])
	t.Run("uint64", testChangesAddUp[uint64])
}

func testChangesAddUp[T atomic.Integer](t *testing.T) {
	all := append(ops[T](), op[T]{"CAS", nil, nil})
	// change applies o once and returns by how much it changed the cell.
	change := func(o op[T], p *T, r *rand.Rand) T {
		v := T(r.Uint64N(1 << 20))
		if o.name != "CAS" {
			old := o.do(p, v)
			return o.want(old, v) - old
		}
		old := atomic.Or(p, 0) // a read
		if atomic.CAS(p, old, v) == old {
			return v - old
		}
		return 0
	}
	mixes := [][]op[T]{all}
	for i, a := range all {
		for _, b := range all[i:] {
			mixes = append(mixes, []op[T]{a, b})
		}
	}
	for m, mix := range mixes {
		var cell T = 1000
		var sum [workers]T
		together(func(w int) {
			r := rand.New(rand.NewPCG(uint64(m), uint64(w)))
			var s T
			for range rounds / 25 { // there are 67 mixes
				s += change(mix[(w+r.IntN(len(mix)))%len(mix)], &cell, r)
			}
			sum[w] = s
		})
		want := T(1000)
		for _, s := range sum {
			want += s
		}
		assert.Equal(t, want, cell, "%s and %s", mix[0].name, mix[len(mix)-1].name)
	}
}

// Half of the workers add, the others add with a loop around CAS, as CUDA programs do.
func TestAddAgainstCASLoop(t *testing.T) {
	var cell uint64
	together(func(w int) {
		for range rounds {
			if w%2 == 0 {
				atomic.Add(&cell, 1)
				continue
			}
			for assumed := atomic.Or(&cell, 0); ; {
				old := atomic.CAS(&cell, assumed, assumed+1)
				if old == assumed {
					break
				}
				assumed = old
			}
		}
	})
	assert.Equal(t, uint64(workers*rounds), cell)
}

// Exch takes out what Add put in; nothing gets lost between them. Integers this small are exact.
func TestFloatAddAgainstExch(t *testing.T) {
	t.Run("float32", testFloatAddAgainstExch[float32])
	t.Run("float64", testFloatAddAgainstExch[float64])
}

func testFloatAddAgainstExch[T ~float32 | ~float64](t *testing.T) {
	var cell T
	var taken [workers]T
	together(func(w int) {
		for k := range rounds {
			if k%16 == w {
				taken[w] += atomic.Exch(&cell, 0)
			}
			atomic.Add(&cell, 1)
		}
	})
	sum := cell
	for _, v := range taken {
		sum += v
	}
	assert.Equal(t, T(workers*rounds), sum)
}

// Each worker owns a bit of a word whose lower part counts. Only its owner changes a bit, so every
// old value must show it as the owner left it.
func TestFlagsBesideACounter(t *testing.T) {
	var cell uint32
	together(func(w int) {
		bit := uint32(1) << (24 + w)
		for range rounds {
			set := atomic.Or(&cell, bit)
			atomic.Add(&cell, 1)
			cleared := atomic.And(&cell, ^bit)
			on := atomic.Xor(&cell, bit)
			off := atomic.Xor(&cell, bit)
			if set&bit != 0 || cleared&bit == 0 || on&bit != 0 || off&bit == 0 {
				t.Errorf("bit %#x: %#x, %#x, %#x, %#x", bit, set, cleared, on, off)
				return
			}
		}
	})
	assert.Equal(t, uint32(workers*rounds), cell, "no flag and the count")
}

// Tickets drawn from one counter are all different, whichever way they are drawn; Inc and Dec with
// a bound give each number out equally often.
func TestTickets(t *testing.T) {
	const bound = 99 // workers*rounds is a multiple of the 100 tickets of a turn
	for _, c := range []struct {
		name   string
		tick   func(p *uint32, k int) uint32
		values int
	}{
		{"Add", func(p *uint32, k int) uint32 { return atomic.Add(p, 1) }, workers * rounds},
		{"Inc and Add", func(p *uint32, k int) uint32 {
			if k%2 == 0 {
				return atomic.Add(p, 1)
			}
			return atomic.Inc(p, math.MaxUint32)
		}, workers * rounds},
		{"Inc", func(p *uint32, k int) uint32 { return atomic.Inc(p, bound) }, bound + 1},
		{"Dec", func(p *uint32, k int) uint32 { return atomic.Dec(p, bound) }, bound + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var cell uint32
			var drawn [workers][]uint32
			together(func(w int) {
				for k := range rounds {
					drawn[w] = append(drawn[w], c.tick(&cell, k))
				}
			})
			count := make([]int, c.values)
			for _, tickets := range drawn {
				for _, ticket := range tickets {
					if int(ticket) >= c.values {
						t.Fatalf("ticket %d, want less than %d", ticket, c.values)
					}
					count[ticket]++
				}
			}
			slicetest.Each(t, func(int) int { return workers * rounds / c.values }, count, "how often a ticket is drawn")
		})
	}
}

// Host code may use sync/atomic on the cell that a kernel works on.
func TestWithSyncAtomic(t *testing.T) {
	var cell int64
	together(func(w int) {
		for range rounds {
			if w%2 == 0 {
				atomic.Add(&cell, 3)
			} else {
				stdatomic.AddInt64(&cell, 3)
			}
		}
	})
	assert.Equal(t, int64(3*workers*rounds), cell)
}

// What was written before an operation is visible to who sees its effect. The race detector knows
// the rule too and would report the plain accesses to data.
func TestOrdersOtherMemory(t *testing.T) {
	for name, publish := range map[string]func(p *uint32){
		"Add":  func(p *uint32) { atomic.Add(p, 1) },
		"Exch": func(p *uint32) { atomic.Exch(p, 1) },
		"Max":  func(p *uint32) { atomic.Max(p, 1) },
		"Or":   func(p *uint32) { atomic.Or(p, 1) },
		"Inc":  func(p *uint32) { atomic.Inc(p, 1) },
		"CAS":  func(p *uint32) { atomic.CAS(p, 0, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			for k := range 200 {
				var flag uint32
				data := 0
				var wg sync.WaitGroup
				wg.Go(func() {
					data = k + 1
					publish(&flag)
				})
				for atomic.CAS(&flag, 1, 2) != 1 {
					runtime.Gosched()
				}
				assert.Equal(t, k+1, data)
				wg.Wait()
			}
		})
	}
}
