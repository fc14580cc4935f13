package slicetest_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/internal/slicetest"
)

// fakeTB keeps what an assertion reports. All else panics, since there is no TB behind it.
type fakeTB struct {
	testing.TB
	errors []string
}

func (f *fakeTB) Helper() {}

func (f *fakeTB) Errorf(format string, args ...any) {
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}

type single float32

func TestAssertions(t *testing.T) {
	var (
		nan, inf     = math.NaN(), math.Inf(1)
		negativeZero = math.Copysign(0, -1)
		nan32        = math.Float32frombits(0x7fc00001)
		large        = make([]int, 100_000)
		changed      = make([]int, len(large))
	)
	for i := 777; i < len(changed); i += 1000 {
		changed[i] = i
	}
	triple := func(i int) int { return 3 * i }
	isDouble := func(want string, got int) bool { return want == fmt.Sprint(2*got) }
	for _, c := range []struct {
		name string
		call func(t testing.TB) bool
		want string // the failure, if it is one
	}{
		{"equal", func(t testing.TB) bool { return slicetest.Equal(t, []int{1, 2}, []int{1, 2}) }, ""},
		{"empty and nil", func(t testing.TB) bool { return slicetest.Equal(t, []int{}, nil) }, ""},
		{"-0 equals 0", func(t testing.TB) bool { return slicetest.Equal(t, []float64{negativeZero}, []float64{0}) }, ""},
		{"NaN equals nothing", func(t testing.TB) bool { return slicetest.Equal(t, []float64{0, nan}, []float64{0, nan}) },
			"1 of 2 elements are wrong, the first at index 1: want NaN, got NaN"},
		{"the first of many", func(t testing.TB) bool { return slicetest.Equal(t, large, changed) },
			"100 of 100000 elements are wrong, the first at index 777: want 0, got 777"},
		{"the first element", func(t testing.TB) bool { return slicetest.Equal(t, []int{1, 2}, []int{2, 2}) },
			"1 of 2 elements are wrong, the first at index 0: want 1, got 2"},
		{"all elements", func(t testing.TB) bool { return slicetest.Equal(t, []string{"a", "b"}, []string{"b", "a"}) },
			"2 of 2 elements are wrong, the first at index 0: want a, got b"},
		{"too short", func(t testing.TB) bool { return slicetest.Equal(t, []int{1, 2}, []int{1}) }, "want 2 elements, got 1"},
		{"too long", func(t testing.TB) bool { return slicetest.Equal(t, nil, []int{1}) }, "want 0 elements, got 1"},
		{"a message", func(t testing.TB) bool { return slicetest.Equal(t, []int{1}, []int{2}, "100%") },
			"100%: 1 of 1 elements are wrong, the first at index 0: want 1, got 2"},
		{"a format", func(t testing.TB) bool { return slicetest.Equal(t, []int{1}, nil, "size %d", 7) },
			"size 7: want 1 elements, got 0"},
		{"a value for a message", func(t testing.TB) bool { return slicetest.Equal(t, []int{1}, nil, 7) },
			"7: want 1 elements, got 0"},

		{"equal bits", func(t testing.TB) bool { return slicetest.EqualBits(t, []float64{nan, 1}, []float64{nan, 1}) }, ""},
		{"bits of -0", func(t testing.TB) bool { return slicetest.EqualBits(t, []float64{0}, []float64{negativeZero}) },
			"1 of 1 elements are wrong, the first at index 0: want 0 (0x0), got -0 (0x8000000000000000)"},
		{"bits of float32", func(t testing.TB) bool {
			return slicetest.EqualBits(t, []float32{1, nan32}, []float32{1, float32(nan)})
		}, "1 of 2 elements are wrong, the first at index 1: want NaN (0x7fc00001), got NaN (0x7fc00000)"},
		{"bits of a named type", func(t testing.TB) bool { return slicetest.EqualBits(t, []single{1}, []single{2}) },
			"1 of 1 elements are wrong, the first at index 0: want 1 (0x3f800000), got 2 (0x40000000)"},
		{"bits, too short", func(t testing.TB) bool { return slicetest.EqualBits(t, []float64{0}, nil) },
			"want 1 elements, got 0"},

		{"equal by a func", func(t testing.TB) bool { return slicetest.EqualFunc(t, []string{"2", "4"}, []int{1, 2}, isDouble) }, ""},
		{"not equal by a func", func(t testing.TB) bool {
			return slicetest.EqualFunc(t, []string{"2", "4"}, []int{1, 3}, isDouble, "doubles")
		}, "doubles: 1 of 2 elements are wrong, the first at index 1: want 4, got 3"},
		{"by a func, too long", func(t testing.TB) bool { return slicetest.EqualFunc(t, nil, []int{1}, isDouble) },
			"want 0 elements, got 1"},

		{"each", func(t testing.TB) bool { return slicetest.Each(t, triple, []int{0, 3, 6}) }, ""},
		{"each of none", func(t testing.TB) bool { return slicetest.Each(t, triple, nil) }, ""},
		{"not each", func(t testing.TB) bool { return slicetest.Each(t, triple, []int{0, 3, 5, 8}, "triples") },
			"triples: 2 of 4 elements are wrong, the first at index 2: want 6, got 5"},

		{"in delta", func(t testing.TB) bool {
			return slicetest.InDelta(t, []float64{1, 2, inf}, []float32{1.5, 1.5, float32(inf)}, 0.5)
		}, ""},
		{"out of delta", func(t testing.TB) bool {
			return slicetest.InDelta(t, []float64{1, 2, 3}, []float64{1.5, 2.75, 9}, 0.5, "n=%d", 3)
		}, "n=3: 2 of 3 elements are wrong, the first at index 1: want 2 within 0.5, got 2.75"},
		{"below by more than delta", func(t testing.TB) bool { return slicetest.InDelta(t, []float32{1}, []float32{0.25}, 0.5) },
			"1 of 1 elements are wrong, the first at index 0: want 1 within 0.5, got 0.25"},
		{"NaN for a number", func(t testing.TB) bool { return slicetest.InDelta(t, []float64{1}, []float64{nan}, 0.5) },
			"1 of 1 elements are wrong, the first at index 0: want 1 within 0.5, got NaN"},
		{"NaN for NaN", func(t testing.TB) bool { return slicetest.InDelta(t, []float64{nan}, []float64{nan}, 0.5) },
			"1 of 1 elements are wrong, the first at index 0: want NaN within 0.5, got NaN"},
		{"an infinite delta", func(t testing.TB) bool { return slicetest.InDelta(t, []float64{1}, []float64{2}, inf) },
			"1 of 1 elements are wrong, the first at index 0: want 1 within +Inf, got 2"},
		{"a delta that is NaN", func(t testing.TB) bool { return slicetest.InDelta(t, []float64{1}, []float64{2}, nan) },
			"1 of 1 elements are wrong, the first at index 0: want 1 within NaN, got 2"},
		{"in delta, too short", func(t testing.TB) bool { return slicetest.InDelta(t, []float64{1}, []float64(nil), 1) },
			"want 1 elements, got 0"},

		{"within", func(t testing.TB) bool {
			return slicetest.Within(t, []float64{1, 2}, []float64{1, 3}, func(i int) float64 { return float64(i) })
		}, ""},
		{"not within", func(t testing.TB) bool {
			return slicetest.Within(t, []float64{1, 2}, []float64{2, 3}, func(i int) float64 { return float64(i) })
		}, "1 of 2 elements are wrong, the first at index 0: want 1 within 0, got 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f fakeTB
			held := c.call(&f)
			if c.want == "" {
				assert.Empty(t, f.errors)
			} else {
				assert.Equal(t, []string{c.want}, f.errors)
			}
			assert.Equal(t, c.want == "", held)
		})
	}
}

func TestEachAsksOnceForEachIndexInOrder(t *testing.T) {
	var f fakeTB
	var asked []int
	assert.False(t, slicetest.Each(&f, func(i int) int { asked = append(asked, i); return -1 }, []int{9, 9, 9}))
	assert.Equal(t, []int{0, 1, 2}, asked)
}
